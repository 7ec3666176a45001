/* SPDX-License-Identifier: MIT */
/**
 * @file given_normal.c
 * Level 1 with geometry from the host: the tangential increment lies in the plane of the half step,
 * half-way between the normal given last and the present one. And lists of pairs that are refused.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"

#include <dem/dem.h>

#include <math.h>
#include <string.h>

/* Two spheres whose geometry is given; only a tangential spring of 100 N/m acts across. */
typedef struct pair {
    dem_contact_history *history;
    dem_contacts_input input;
    dem_contacts_geometry geometry;
    double x[6], v[6], w[6], radius[2], mass[2], force[6], torque[6], overlap, normal[3], point[3];
    uint32_t rows[4];
} pair;

static void pair_open(pair *p)
{
    static const uint32_t rows[4] = {0, 1, 0, 1};
    dem_contact_history_config config;
    dem_contact_model model;
    dem_linear linear;
    memset(p, 0, sizeof *p);
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &p->history, NULL));
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    linear.stiffness_tangential = 100.0;
    linear.friction = 100.0;
    linear.damping_tangential = 0.0;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_history_model_set(p->history, 0, 0, &model));
    OK(dem_contacts_input_init(&p->input));
    OK(dem_contacts_geometry_init(&p->geometry));
    memcpy(p->rows, rows, sizeof rows);
    p->x[0] = 0.99;
    p->overlap = 0.01;
    p->normal[0] = 1.0;
    p->point[0] = 0.495;
    for (int k = 0; k < 2; ++k) {
        p->radius[k] = 0.5;
        p->mass[k] = 1.0;
    }
    p->input.particle_count = 2;
    p->input.position = p->x;
    p->input.velocity = p->v;
    p->input.angular_velocity = p->w;
    p->input.radius = p->radius;
    p->input.mass = p->mass;
    p->input.pair_count = 1;
    p->input.pairs = p->rows;
    p->input.force = p->force;
    p->input.torque = p->torque;
    p->input.dt = 1e-3;
    p->input.velocity_lag = 0.5e-3;
    p->geometry.overlap = &p->overlap;
    p->geometry.normal = p->normal;
    p->geometry.point = p->point;
}

/* The normal turns by `angle` in one step, in which the first body moves with v. Force on it, less
 * the normal one. */
static void turned(double angle, const double v[3], double tangential[3])
{
    pair p;
    pair_open(&p);
    OK(dem_contacts_evaluate_geometry(p.history, &p.input, &p.geometry, NULL));
    memset(p.force, 0, sizeof p.force);
    for (int c = 0; c < 3; ++c) {
        p.v[c] = v[c];
        p.x[c] += v[c] * p.input.dt;
    }
    p.normal[0] = cos(angle);
    p.normal[1] = sin(angle);
    OK(dem_contacts_evaluate_geometry(p.history, &p.input, &p.geometry, NULL));
    const double along = p.force[0] * p.normal[0] + p.force[1] * p.normal[1];
    for (int c = 0; c < 3; ++c)
        tangential[c] = p.force[c] - along * p.normal[c];
    dem_contact_history_destroy(p.history);
}

static void increment_of_the_half_step(void **state)
{
    (void)state;
    for (double angle = 0.1; angle < 2.0; angle += 0.1) {
        const double h[3] = {cos(0.5 * angle), sin(0.5 * angle), 0.0};
        const double across[3] = {-h[1], h[0], 0.0};
        double f[3];
        /* along the half-step normal: nothing is stretched */
        turned(angle, h, f);
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(f[c]) < 1e-13);
        /* across it: stretched by v dt, whole, and turned on with the plane */
        turned(angle, across, f);
        assert_true(fabs(f[0] - 0.1 * sin(angle)) < 1e-12);
        assert_true(fabs(f[1] + 0.1 * cos(angle)) < 1e-12);
        const double z[3] = {0.0, 0.0, 1.0};
        turned(angle, z, f);
        assert_true(fabs(f[2] + 0.1) < 1e-13 && fabs(f[0]) < 1e-13 && fabs(f[1]) < 1e-13);
    }
}

/* A pair that is listed twice, and a shift that is no number: refused by name; nothing changes. */
static void lists_that_are_refused(void **state)
{
    (void)state;
    for (int known = 0; known < 2; ++known) {
        pair p;
        pair_open(&p);
        if (known)
            OK(dem_contacts_evaluate(p.history, &p.input, NULL));
        memset(p.force, 0, sizeof p.force);
        p.input.pair_count = 2;
        assert_int_equal(dem_contacts_evaluate(p.history, &p.input, NULL), DEM_ERROR_DUPLICATE);
        assert_non_null(strstr(dem_contact_history_error(p.history), "twice"));
        double shifts[6] = {0.0, NAN, 0.0, 0.0, 0.0, 0.0};
        p.input.shifts = shifts;
        p.input.pair_count = 1;
        assert_int_equal(dem_contacts_evaluate(p.history, &p.input, NULL), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_contact_history_error(p.history), "shifts[0]"));
        assert_int_equal(dem_contact_history_count(p.history), known);
        for (int c = 0; c < 6; ++c)
            assert_true(p.force[c] == 0.0 && p.torque[c] == 0.0);
        shifts[1] = 0.0;
        OK(dem_contacts_evaluate(p.history, &p.input, NULL));
        assert_int_equal(dem_contact_history_count(p.history), 1);
        dem_contact_history_destroy(p.history);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(increment_of_the_half_step),
        cmocka_unit_test(lists_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
