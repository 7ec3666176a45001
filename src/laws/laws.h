/* SPDX-License-Identifier: MIT */
/* The built-in laws, and what their setups share. docs/extending.md says how to add one. */
#ifndef DEMI_LAWS_H
#define DEMI_LAWS_H

#include "base/context.h"
#include "base/isa.h"
#include "base/sized.h"

#include <dem/law.h>

#include <string.h>

/* The type of dem_law.evaluate. */
typedef dem_status demi_evaluate(void *user, uint64_t n, dem_contact_batch *batch,
                                 const void *combined);

/* Copies the law of this name for an instruction set; 0 if there is none. lean: it will never have
 * to account for energies. */
int demi_law_builtin(const char *name, int isa, int lean, dem_law *law);

/* The name of the built-in law of this number, from 0; NULL beyond the last. */
const char *demi_law_builtin_name(uint64_t index);

/* The name of a parameter struct of this kind; NULL for kinds that are not the library's. */
const char *demi_parameters_name(uint64_t kind);

/* Slots of a law that keeps fewer of them. */
typedef struct demi_law_slots {
    const dem_law_slot *slot;
    uint64_t count;
} demi_law_slots;

#define DEMI_LAW(name, parameters, combined, loops) extern const dem_law demi_law_##name;
#define DEMI_LEAN(name, combined) extern const demi_law_slots demi_##name##_lean_slots;
#include "laws/laws.def"

/* ------------------------------------------------------------------ for setups */

/* Copies the struct that a host gave to dem_law.combine; refuses a size that is none of the
 * struct's. */
#define DEMI_PARAMETERS_READ(TYPE, copy, parameters)                                               \
    do {                                                                                           \
        memset(copy, 0, sizeof *(copy));                                                           \
        DEMI_REFUSE(demi_sized_read(copy, parameters) != DEM_OK, DEM_ERROR_STRUCT_SIZE,            \
                    DEMI_SIZED_MESSAGE, #TYPE,                                                     \
                    (unsigned long long)((const TYPE *)(parameters))->struct_size, #TYPE);         \
    } while (0)

/* Members of a built-in law. dem_law.evaluate comes from laws.def. */
#define DEMI_LAW_SETUP(NAME, KIND, PARAMETERS, PARAMETERS_KIND, COMBINED)                          \
    .struct_size = sizeof(dem_law), .name = (NAME), .version = 1, .kind = (KIND),                  \
    .parameters_size = sizeof(PARAMETERS), .parameters_kind = (PARAMETERS_KIND),                   \
    .combined_size = sizeof(COMBINED)
#define DEMI_LAW_SLOTS(SLOTS) .slots = (SLOTS), .slot_count = sizeof(SLOTS) / sizeof((SLOTS)[0])
#define DEMI_LAW_VALUES(NAMES)                                                                     \
    .value_names = (NAMES), .value_count = sizeof(NAMES) / sizeof((NAMES)[0])

/* dem_law.traits_needed of laws without tangential dashpots. */
uint32_t demi_traits_none(void *user, const void *combined);
uint32_t demi_traits_radius(void *user, const void *combined);

/* R* = r_i r_j/(r_i + r_j), where a radius of 0 is a plane's. */
static inline double demi_effective_radius(double radius_i, double radius_j)
{
    const double sum = radius_i + radius_j, product = radius_i * radius_j;
    return product > 0.0 ? product / sum : sum;
}

#endif
