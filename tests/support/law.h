/* SPDX-License-Identifier: MIT */
/**
 * @file law.h
 * A contact law of a host that counts its calls and fails on command: a linear spring with one
 * scalar slot that counts steps.
 */
#ifndef DEM_TEST_LAW_H
#define DEM_TEST_LAW_H

#include <dem/dem.h>

/** Parameters of the law "test-spring". */
typedef struct test_spring {
    double stiffness;
} test_spring;

/** How the law behaves; passed as dem_law.user. */
typedef struct test_law_control {
    _Atomic int64_t calls; /**< of evaluate so far, on all threads */
    int64_t fail_at;       /**< the call, counted from 0, that fails; negative: none */
    double force;          /**< added to the normal force */
} test_law_control;

static inline dem_status test_law_combine(void *user, const void *parameters,
                                          dem_pair_properties *pair, void *combined,
                                          dem_error *error)
{
    (void)user;
    (void)pair;
    (void)error;
    const test_spring *from = parameters;
    test_spring *to = combined;
    *to = *from;
    return DEM_OK;
}

static inline dem_status test_law_evaluate(void *user, uint64_t n, dem_contact_batch *batch,
                                           const void *combined)
{
    test_law_control *control = user;
    const test_spring *spring = combined;
    if (control->calls++ == control->fail_at)
        return DEM_ERROR_CALLBACK;
    for (uint64_t k = 0; k < n; ++k) {
        if (batch->touching[k] == 0.0)
            continue;
        batch->force_normal[k] = spring->stiffness * batch->overlap[k] + control->force;
        batch->elastic_energy[k] = 0.5 * spring->stiffness * batch->overlap[k] * batch->overlap[k];
        if (batch->dt > 0.0)
            batch->state[k] += 1.0;
    }
    return DEM_OK;
}

/** The law's descriptor; `control` must live as long as the object that knows the law. */
static inline dem_law test_law(test_law_control *control)
{
    static const dem_law_slot slot = {"steps", DEM_SLOT_SCALAR, 1};
    dem_law law;
    dem_law_init(&law);
    law.name = "test-spring";
    law.version = 1;
    law.kind = DEM_LAW_WHOLE;
    law.slots = &slot;
    law.slot_count = 1;
    law.parameters_size = sizeof(test_spring);
    law.combined_size = sizeof(test_spring);
    law.user = control;
    law.combine = test_law_combine;
    law.evaluate = test_law_evaluate;
    return law;
}

#endif
