/* SPDX-License-Identifier: MIT */
/**
 * @file geometry.c
 * Level 1 with geometry from the host: spheres given as geometry behave as spheres, in both orders
 * of the rows and across a period, and bad geometry changes nothing.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"

#include <dem/dem.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two spheres that fly past each other with angular velocity, touching for a while. */
typedef struct duo {
    double x[2][3], v[2][3], w[2][3], a[2][3], alpha[2][3], f[2][3], t[2][3];
    double radius[2], mass[2], inertia[2];
    uint32_t pair[2];
    uint64_t id[2];
    double overlap, normal[3], point[3], reduced, shift[3];
    int hertz;
    dem_contacts_input input;
    dem_contacts_geometry geometry;
} duo;

static void duo_start(duo *d, int swapped)
{
    memset(d, 0, sizeof(*d));
    const double x[2][3] = {{0.0, 0.0, 0.0}, {0.99, 0.2, 0.1}};
    const double v[2][3] = {{0.5, 0.1, 0.0}, {-0.5, -0.2, 0.3}};
    const double w[2][3] = {{1.0, 2.0, -1.0}, {-0.5, 1.5, 3.0}};
    memcpy(d->x, x, sizeof(x));
    memcpy(d->v, v, sizeof(v));
    memcpy(d->w, w, sizeof(w));
    for (int k = 0; k < 2; ++k) {
        d->radius[k] = k ? 0.4 : 0.6;
        d->mass[k] = k ? 0.2 : 0.5;
        d->inertia[k] = 0.4 * d->mass[k] * d->radius[k] * d->radius[k];
        d->id[k] = (uint64_t)(7 - k); /* the second row has the lower id */
        d->pair[k] = (uint32_t)(swapped ? 1 - k : k);
    }
    OK(dem_contacts_input_init(&d->input));
    OK(dem_contacts_geometry_init(&d->geometry));
    d->input.particle_count = 2;
    d->input.id = d->id;
    d->input.position = d->x[0];
    d->input.velocity = d->v[0];
    d->input.angular_velocity = d->w[0];
    d->input.acceleration = d->a[0];
    d->input.angular_acceleration = d->alpha[0];
    d->input.radius = d->radius;
    d->input.mass = d->mass;
    d->input.pair_count = 1;
    d->input.pairs = d->pair;
    d->input.force = d->f[0];
    d->input.torque = d->t[0];
    d->geometry.overlap = &d->overlap;
    d->geometry.normal = d->normal;
    d->geometry.point = d->point;
    d->geometry.radius = &d->reduced;
}

/* The geometry of two spheres; the contact point lies at the radius less half of the overlap. */
static void duo_geometry(duo *d)
{
    const uint32_t i = d->pair[0], j = d->pair[1];
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
        d->normal[c] = d->x[i][c] - d->x[j][c] - d->shift[c];
        square += d->normal[c] * d->normal[c];
    }
    d->overlap = d->radius[0] + d->radius[1] - sqrt(square);
    for (int c = 0; c < 3; ++c) {
        d->normal[c] /= sqrt(square);
        d->point[c] = d->x[i][c] - (d->radius[i] - 0.5 * d->overlap) * d->normal[c];
    }
    d->reduced = d->radius[0] * d->radius[1] / (d->radius[0] + d->radius[1]);
}

static dem_contact_history *history_make(int is_hertz)
{
    dem_contact_history_config config;
    dem_contact_history *history = NULL;
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &history, NULL));
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    linear.friction = 0.4;
    linear.restitution = 0.7;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.lever_arm = DEM_ARM_CONTACT; /* what a contact point half-way amounts to */
    dem_hertz hertz;
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = 2e4;
    hertz.poisson[0] = 0.3;
    hertz.restitution = 0.7;
    if (is_hertz)
        OK(dem_contact_model_add_hertz(&model, &hertz));
    else
        OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    return history;
}

/* Who computes the geometry of a step. */
enum { BY_LIBRARY, BY_HOST, BY_TURNS };

/* Velocity-Verlet by hand; returns the number of steps in contact. */
static int duo_run(duo *d, int given, double dt, int steps)
{
    dem_contact_history *history = history_make(d->hertz);
    int touching = 0;
    d->input.dt = dt;
    d->input.velocity_lag = 0.5 * dt;
    for (int n = 0; n < steps; ++n) {
        for (int k = 0; k < 2; ++k)
            for (int c = 0; c < 3; ++c) {
                d->a[k][c] = d->f[k][c] / d->mass[k];
                d->alpha[k][c] = d->t[k][c] / d->inertia[k];
                d->v[k][c] += 0.5 * dt * d->a[k][c];
                d->w[k][c] += 0.5 * dt * d->alpha[k][c];
                d->x[k][c] += dt * d->v[k][c];
                d->f[k][c] = d->t[k][c] = 0.0;
            }
        duo_geometry(d);
        if (given == BY_HOST || (given == BY_TURNS && n % 2 == 1))
            OK(dem_contacts_evaluate_geometry(history, &d->input, &d->geometry, NULL));
        else
            OK(dem_contacts_evaluate(history, &d->input, NULL));
        touching += dem_contact_history_count(history) > 0;
        for (int k = 0; k < 2; ++k)
            for (int c = 0; c < 3; ++c) {
                d->v[k][c] += 0.5 * dt * d->f[k][c] / d->mass[k];
                d->w[k][c] += 0.5 * dt * d->t[k][c] / d->inertia[k];
            }
    }
    dem_contact_history_destroy(history);
    return touching;
}

/* The old normal and that of the half step come from elsewhere, so the two ways agree to the order
 * of the scheme, not to round-off. */
static double difference(int how, double dt, int steps)
{
    duo spheres, given;
    duo_start(&spheres, 0);
    duo_start(&given, 0);
    assert_true(duo_run(&spheres, BY_LIBRARY, dt, steps) > 20);
    assert_true(duo_run(&given, how, dt, steps) > 20);
    double worst = 0.0;
    for (int k = 0; k < 2; ++k)
        for (int c = 0; c < 3; ++c) {
            worst = fmax(worst, fabs(spheres.v[k][c] - given.v[k][c]));
            worst = fmax(worst, fabs(spheres.w[k][c] - given.w[k][c]));
        }
    return worst;
}

static void spheres_as_geometry(void **state)
{
    (void)state;
    for (int how = BY_HOST; how <= BY_TURNS; ++how) {
        const double coarse = difference(how, 4e-4, 250), fine = difference(how, 1e-4, 1000);
        printf("# velocities differ by %.3g and, at a quarter of dt, by %.3g\n", coarse, fine);
        assert_true(coarse < 1e-4);
        assert_true(fine < coarse / 12.0);
    }
}

static void same_motion(const duo *one, const duo *other)
{
    for (int k = 0; k < 2; ++k)
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs(one->v[k][c] - other->v[k][c]) < 1e-11);
            assert_true(fabs(one->w[k][c] - other->w[k][c]) < 1e-11);
        }
}

/* In either order, the second sphere where it is, or a period away. */
static void order_of_rows(void **state)
{
    (void)state;
    duo one, other;
    duo_start(&one, 0);
    duo_run(&one, BY_HOST, 4e-4, 250);
    for (int how = 1; how < 4; ++how) {
        duo_start(&other, how & 1);
        if (how & 2) {
            other.x[1][0] -= 4.0;
            other.shift[0] = how & 1 ? -4.0 : 4.0;
            other.input.shifts = other.shift;
        }
        duo_run(&other, BY_HOST, 4e-4, 250);
        same_motion(&one, &other);
    }
}

/* Which id is lower is a name, from the first step of a contact on. */
static void order_of_ids(void **state)
{
    (void)state;
    duo one, other;
    duo_start(&one, 0);
    duo_start(&other, 0);
    other.id[0] = 1;
    const int touching = duo_run(&one, BY_HOST, 4e-3, 25);
    assert_int_equal(touching, duo_run(&other, BY_HOST, 4e-3, 25));
    assert_true(touching > 3);
    for (int k = 0; k < 2; ++k)
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs(one.v[k][c] - other.v[k][c]) < 1e-13);
            assert_true(fabs(one.w[k][c] - other.w[k][c]) < 1e-12);
        }
}

static void radius_of_the_rows(void **state)
{
    (void)state;
    duo given, of_rows;
    duo_start(&given, 0);
    duo_start(&of_rows, 0);
    given.hertz = of_rows.hertz = 1;
    of_rows.geometry.radius = NULL;
    assert_true(duo_run(&given, BY_HOST, 4e-4, 250) > 20);
    duo_run(&of_rows, BY_HOST, 4e-4, 250);
    same_motion(&given, &of_rows);
}

/* A given point keeps angular momentum, wherever it lies. */
static void angular_momentum(void **state)
{
    (void)state;
    duo d;
    duo_start(&d, 0);
    double before[3] = {0}, after[3] = {0};
    for (int round = 0; round < 2; ++round) {
        double *sum = round ? after : before;
        if (round)
            duo_run(&d, 1, 4e-4, 250);
        for (int k = 0; k < 2; ++k)
            for (int c = 0; c < 3; ++c) {
                const int p = (c + 1) % 3, q = (c + 2) % 3;
                sum[c] += d.mass[k] * (d.x[k][p] * d.v[k][q] - d.x[k][q] * d.v[k][p]) +
                          d.inertia[k] * d.w[k][c];
            }
    }
    for (int c = 0; c < 3; ++c)
        assert_true(fabs(after[c] - before[c]) < 1e-13);
}

static void bad_geometry(void **state)
{
    (void)state;
    dem_contact_history *history = history_make(0);
    duo d;
    duo_start(&d, 0);
    d.input.dt = 1e-4;
    duo_geometry(&d);
    d.overlap = 0.01;
    const duo before = d;
    assert_int_equal(dem_contacts_evaluate_geometry(NULL, &d.input, &d.geometry, NULL),
                     DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contacts_evaluate_geometry(history, NULL, &d.geometry, NULL),
                     DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contacts_evaluate_geometry(history, &d.input, NULL, NULL),
                     DEM_ERROR_ARGUMENT);
#define REFUSED(change, undo, expected, word)                                                      \
    do {                                                                                           \
        change;                                                                                    \
        assert_int_equal(dem_contacts_evaluate_geometry(history, &d.input, &d.geometry, NULL),     \
                         expected);                                                                \
        assert_non_null(strstr(dem_contact_history_error(history), word));                         \
        undo;                                                                                      \
        assert_memory_equal(d.f, before.f, sizeof(d.f));                                           \
        assert_int_equal(dem_contact_history_count(history), 0);                                   \
    } while (0)
    REFUSED(d.geometry.struct_size = 3, d.geometry.struct_size = sizeof(d.geometry),
            DEM_ERROR_STRUCT_SIZE, "struct_size");
    REFUSED(d.geometry.overlap = NULL, d.geometry.overlap = &d.overlap, DEM_ERROR_ARGUMENT,
            "overlap");
    REFUSED(d.geometry.normal = NULL, d.geometry.normal = d.normal, DEM_ERROR_ARGUMENT, "normal");
    REFUSED(d.geometry.point = NULL, d.geometry.point = d.point, DEM_ERROR_ARGUMENT, "point");
    REFUSED(d.overlap = NAN, d.overlap = 0.01, DEM_ERROR_RANGE, "overlap");
    REFUSED(d.point[1] = INFINITY, d.point[1] = before.point[1], DEM_ERROR_RANGE, "point");
    REFUSED(d.normal[0] *= 1.1, d.normal[0] = before.normal[0], DEM_ERROR_RANGE, "normal");
    REFUSED(d.reduced = 0.0, d.reduced = before.reduced, DEM_ERROR_RANGE, "radius");
    OK(dem_contacts_evaluate_geometry(history, &d.input, &d.geometry, NULL));
    assert_int_equal(dem_contact_history_count(history), 1);
    dem_contact_history_destroy(history);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_as_geometry), cmocka_unit_test(order_of_rows),
        cmocka_unit_test(order_of_ids),        cmocka_unit_test(radius_of_the_rows),
        cmocka_unit_test(angular_momentum),    cmocka_unit_test(bad_geometry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
