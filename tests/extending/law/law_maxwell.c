/* SPDX-License-Identifier: MIT */
/**
 * @file law_maxwell.c
 * Contacts that creep: a held contact relaxes, and what its spring loses is accounted for.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"

#include <dem/dem.h>

#include <math.h>

#define OK(call) assert_int_equal((call), DEM_OK)

static const double k = 1e4, eta = 100.0, dt = 1e-4, overlap = 0.01;

/** Two spheres that are held at one overlap. */
static void relaxes(void **state)
{
    (void)state;
    const double x[6] = {0.0, 0.0, 0.0, 1.0 - 0.01, 0.0, 0.0}, still[6] = {0.0};
    const double radius[2] = {0.5, 0.5}, mass[2] = {1.0, 1.0};
    const uint32_t pairs[2] = {0, 1};
    dem_contact_history_config config;
    dem_contact_history *history;
    dem_contact_model model;
    dem_contacts_input input;
    dem_maxwell maxwell;
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &history, NULL));
    OK(dem_maxwell_init(&maxwell));
    maxwell.stiffness_normal = k;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_maxwell(&model, &maxwell));
    assert_int_equal(dem_contact_history_model_set(history, 0, 0, &model), DEM_ERROR_RANGE);
    maxwell.viscosity = eta;
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    OK(dem_contacts_input_init(&input));
    input.particle_count = 2;
    input.position = x;
    input.velocity = still;
    input.radius = radius;
    input.mass = mass;
    input.pair_count = 1;
    input.pairs = pairs;
    input.dt = dt;
    double lost = 0.0, stored = 0.5 * k * overlap * overlap;
    for (int n = 1; n <= 200; ++n) {
        double force[6] = {0.0};
        dem_contact_totals totals = {.struct_size = sizeof totals};
        input.force = force;
        OK(dem_contacts_evaluate(history, &input, &totals));
        const double exact = k * overlap * exp(-k / eta * dt * n);
        assert_true(fabs(force[3] - exact) < 0.01 * k * overlap);
        assert_true(force[0] == -force[3]);
        if (n > 1) /* the first step is that of the touch */
            lost += totals.dissipated_normal;
        else
            stored = totals.elastic_energy;
        assert_true(fabs(stored - lost - totals.elastic_energy) < 1e-12 * stored);
    }
    dem_contact_history_destroy(history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(relaxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
