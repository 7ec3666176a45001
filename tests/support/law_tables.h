/* SPDX-License-Identifier: MIT */
/**
 * @file law_tables.h
 * Laws of a host, and how those of who reads bytes may differ from those of who wrote them. Needs
 * cmocka.h before it.
 */
#ifndef DEM_TEST_LAW_TABLES_H
#define DEM_TEST_LAW_TABLES_H

#include <dem/dem.h>
#include <string.h>

/** How the laws of a reader differ from those of the writer. */
enum {
    SAME = 0,
    REGISTERED_OTHERWISE, /**< in another order, and models are set in another order */
    PART_MISSING,
    PART_ADDED,
    PARTS_EXCHANGED,
    OTHER_VERSION,
    OTHER_STATE, /**< the same name and version, and one more double */
    OTHER_SIZE,  /**< of parameters, with the same name and version */
    NOT_THERE,   /**< the law is not registered, and the materials have no model */
    TABLES
};

typedef struct stiff {
    double stiffness, more;
} stiff;

static inline dem_status stiff_combine(void *user, const void *parameters,
                                       dem_pair_properties *pair, void *combined, dem_error *error)
{
    (void)user, (void)pair, (void)error;
    memcpy(combined, parameters, sizeof(double));
    return DEM_OK;
}

/** A spring that counts the steps of a contact. */
static inline dem_status stiff_evaluate(void *user, uint64_t n, dem_contact_batch *batch,
                                        const void *combined)
{
    double stiffness;
    (void)user;
    memcpy(&stiffness, combined, sizeof stiffness);
    for (uint64_t k = 0; k < n; ++k) {
        if (batch->touching[k] == 0.0)
            continue;
        batch->force_normal[k] += stiffness * batch->overlap[k];
        if (batch->dt > 0.0)
            batch->state[k] += 1.0;
    }
    return DEM_OK;
}

static inline dem_law stiff_law(const char *name, int32_t kind, int table)
{
    static const dem_law_slot slots[] = {{"steps", DEM_SLOT_SCALAR, 1},
                                         {"more", DEM_SLOT_SCALAR, 1}};
    dem_law law;
    OK(dem_law_init(&law));
    law.name = name;
    law.version = table == OTHER_VERSION && kind == DEM_LAW_ROLLING ? 8 : 7;
    law.kind = kind;
    law.slots = slots;
    law.slot_count = table == OTHER_STATE && kind == DEM_LAW_ROLLING ? 2 : 1;
    law.parameters_size = law.combined_size = table == OTHER_SIZE ? sizeof(stiff) : sizeof(double);
    law.combine = stiff_combine;
    law.evaluate = stiff_evaluate;
    return law;
}

enum { PARTS = 3 };
static const char *const law_name[PARTS] = {"test-whole", "test-first", "test-second"};
static const int32_t law_kind[PARTS] = {DEM_LAW_WHOLE, DEM_LAW_ROLLING, DEM_LAW_FURTHER};

static inline dem_contact_model stiff_model(int table)
{
    static const stiff spring = {500.0, 0.0}, soft = {5.0, 0.0};
    const int turned = table == PARTS_EXCHANGED;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add(&model, law_name[0], &spring));
    OK(dem_contact_model_add(&model, law_name[1 + turned], &soft));
    if (table != PART_MISSING)
        OK(dem_contact_model_add(&model, law_name[2 - turned], &soft));
    if (table == PART_ADDED)
        OK(dem_contact_model_add(&model, "test-third", &soft));
    return model;
}

#endif
