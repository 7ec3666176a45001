/* SPDX-License-Identifier: MIT */
/**
 * @file clump.c
 * Mass and moments of unions of spheres: closed forms, the same clump moved and turned, and sums
 * over spheres that do not overlap.
 */
#include "../support/cmocka.h"
#include "../support/scene.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static void part_set(dem_body_part *part, double x, double y, double z, double radius)
{
    OK(dem_body_part_init(part));
    part->centre[0] = x;
    part->centre[1] = y;
    part->centre[2] = z;
    part->radius = radius;
}

static void sort3(double v[3])
{
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            if (v[b] > v[b + 1]) {
                const double t = v[b];
                v[b] = v[b + 1];
                v[b + 1] = t;
            }
}

static dem_body measured(dem_body_part *parts, uint64_t count, double bound)
{
    dem_body body;
    dem_error error;
    double uncertainty = 1.0;
    OK(dem_body_init(&body));
    OK(dem_clump_measure(1.0, count, parts, &body, &uncertainty, &error));
    assert_true(uncertainty < bound);
    return body;
}

/* Two unit spheres whose centres are 1 apart, along axes and between them. */
static void lens(void **state)
{
    (void)state;
    static const double along[4][3] = {
        {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {0.48, 0.6, 0.64}};
    for (int k = 0; k < 4; ++k) {
        dem_body_part parts[2];
        part_set(&parts[0], 7.0, 8.0, 9.0, 1.0);
        part_set(&parts[1], 7.0 + along[k][0], 8.0 + along[k][1], 9.0 + along[k][2], 1.0);
        dem_body body = measured(parts, 2, 1e-7);
        assert_true(fabs(body.mass / (2.25 * PI) - 1.0) < 1e-8);
        sort3(body.inertia);
        assert_true(fabs(body.inertia[0] / (0.95625 * PI) - 1.0) < 1e-7);
        assert_true(fabs(body.inertia[1] / (1.659375 * PI) - 1.0) < 1e-7);
        assert_true(fabs(body.inertia[2] / (1.659375 * PI) - 1.0) < 1e-7);
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs(body.position[c] - (7.0 + c + 0.5 * along[k][c])) < 1e-8);
            /* on both sides of the centre */
            assert_true(fabs(parts[0].centre[c] + parts[1].centre[c]) < 1e-7);
        }
    }
}

/* One sphere, and the same one twice or with a smaller one inside: equal moments, bit for bit. */
static void sphere(void **state)
{
    (void)state;
    for (uint64_t count = 1; count < 4; ++count) {
        dem_body_part parts[3];
        part_set(&parts[0], 1.0, 2.0, 3.0, 0.5);
        part_set(&parts[1], 1.0, 2.0, 3.0, 0.5);
        part_set(&parts[2], 1.1, 2.1, 3.1, 0.2);
        const dem_body body = measured(parts, count, 1e-12);
        assert_true(fabs(body.mass / (PI / 6.0) - 1.0) < 1e-12);
        assert_true(body.inertia[0] == body.inertia[1] && body.inertia[1] == body.inertia[2]);
        assert_true(fabs(body.inertia[0] / (0.1 * body.mass) - 1.0) < 1e-12);
    }
}

/* Spheres that do not overlap are a sum; and each clump turns with its parts. */
static void turned(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x9E3779B97F4A7C15)};
    for (int n = 0; n < 10; ++n) {
        dem_body_part parts[5], moved[5];
        double q[4], before[3];
        for (int c = 0; c < 4; ++c)
            q[c] = test_uniform(&random, -1.0, 1.0);
        dem_kernel_rotate_orientation((const double[3]){0.0, 0.0, 0.0}, 0.0, q);
        for (int k = 0; k < 5; ++k) {
            double x[3];
            for (int c = 0; c < 3; ++c)
                x[c] = test_uniform(&random, -0.7, 0.7) + (n % 2 == 0 ? 3.0 * k : 0.0);
            const double radius = test_uniform(&random, 0.5, 1.0);
            part_set(&parts[k], x[0], x[1], x[2], radius);
            dem_kernel_rotation_to_space(q, x);
            part_set(&moved[k], x[0], x[1], x[2], radius);
        }
        double volume = 0.0, centre[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 5; ++k) {
            const double v = 4.0 / 3.0 * PI * pow(parts[k].radius, 3.0);
            volume += v;
            for (int c = 0; c < 3; ++c)
                centre[c] += v * parts[k].centre[c];
        }
        dem_body a = measured(parts, 5, 1e-5), b = measured(moved, 5, 1e-5);
        if (n % 2 == 0) {
            assert_true(fabs(a.mass / volume - 1.0) < 1e-12);
            for (int c = 0; c < 3; ++c)
                assert_true(fabs(a.position[c] - centre[c] / volume) < 1e-11);
        }
        assert_true(fabs(a.mass / b.mass - 1.0) < 1e-5);
        memcpy(before, a.position, sizeof before);
        dem_kernel_rotation_to_space(q, before);
        sort3(a.inertia);
        sort3(b.inertia);
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs(before[c] - b.position[c]) < 1e-5 * (1.0 + fabs(before[c])));
            assert_true(fabs(a.inertia[c] / b.inertia[c] - 1.0) < 1e-5);
        }
        assert_true(a.inertia[0] + a.inertia[1] > a.inertia[2]);
    }
}

/* Many parts deep within each other, where slices have hundreds of ends, turn with the clump. */
static void turned_and_crowded(void **state)
{
    (void)state;
    enum { PARTS = 40 };
    test_random random = {UINT64_C(0xA0761D6478BD642F)};
    dem_body_part parts[PARTS], moved[PARTS];
    double q[4] = {0.2, -0.5, 0.7, 0.4};
    dem_kernel_rotate_orientation((const double[3]){0.0, 0.0, 0.0}, 0.0, q);
    for (int k = 0; k < PARTS; ++k) {
        double x[3];
        for (int c = 0; c < 3; ++c)
            x[c] = test_uniform(&random, -0.8, 0.8);
        const double radius = test_uniform(&random, 0.2, 0.5);
        part_set(&parts[k], x[0], x[1], x[2], radius);
        dem_kernel_rotation_to_space(q, x);
        part_set(&moved[k], x[0], x[1], x[2], radius);
    }
    dem_body a = measured(parts, PARTS, 1e-7), b = measured(moved, PARTS, 1e-7);
    assert_true(fabs(a.mass / b.mass - 1.0) < 1e-7);
    dem_kernel_rotation_to_space(q, a.position);
    sort3(a.inertia);
    sort3(b.inertia);
    for (int c = 0; c < 3; ++c) {
        assert_true(fabs(a.position[c] - b.position[c]) < 1e-7);
        assert_true(fabs(a.inertia[c] / b.inertia[c] - 1.0) < 1e-7);
    }
}

/** A body of a later release, with one member more. */
typedef struct later_body {
    dem_body body;
    double further;
} later_body;

/* Programs of later releases measure clumps, too, while members that are not known are 0. */
static void later_bodies(void **state)
{
    (void)state;
    dem_body_part part;
    dem_body body;
    later_body later, same;
    dem_error error;
    OK(dem_body_init(&body));
    OK(dem_body_init_sized(&later.body, sizeof later));
    part_set(&part, 0.0, 0.0, 0.0, 0.5);
    OK(dem_clump_measure(2.0, 1, &part, &body, NULL, &error));
    OK(dem_clump_measure(2.0, 1, &part, &later.body, NULL, &error));
    assert_int_equal(later.body.struct_size, sizeof later);
    assert_true(later.body.mass == body.mass && later.body.inertia[0] == body.inertia[0]);
    assert_true(later.further == 0.0);
    later.further = 1.0;
    same = later;
    assert_int_equal(dem_clump_measure(3.0, 1, &part, &later.body, NULL, &error),
                     DEM_ERROR_STRUCT_SIZE);
    assert_memory_equal(&same, &later, sizeof later);
}

static void refused(void **state)
{
    (void)state;
    dem_body_part part;
    dem_body body;
    dem_error error;
    OK(dem_body_init(&body));
    part_set(&part, 0.0, 0.0, 0.0, 1.0);
    assert_int_equal(dem_clump_measure(1.0, 1, NULL, &body, NULL, &error), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_clump_measure(1.0, 1, &part, NULL, NULL, &error), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_clump_measure(0.0, 1, &part, &body, NULL, &error), DEM_ERROR_RANGE);
    assert_int_equal(dem_clump_measure(1.0, 0, &part, &body, NULL, &error), DEM_ERROR_RANGE);
    assert_int_equal(dem_clump_measure(1.0, 257, &part, &body, NULL, &error), DEM_ERROR_RANGE);
    part.radius = NAN;
    assert_int_equal(dem_clump_measure(1.0, 1, &part, &body, NULL, NULL), DEM_ERROR_RANGE);
    part.struct_size = 8;
    assert_int_equal(dem_clump_measure(1.0, 1, &part, &body, NULL, &error), DEM_ERROR_STRUCT_SIZE);
    assert_true(body.mass == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lens),         cmocka_unit_test(sphere),
        cmocka_unit_test(turned),       cmocka_unit_test(turned_and_crowded),
        cmocka_unit_test(later_bodies), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("clump", tests, NULL, NULL);
}
