/* SPDX-License-Identifier: MIT */
/**
 * @file shapes.c
 * Surfaces of walls against surfaces that are sampled point by point: distances, normals as
 * gradients of the gap, bounds of boxes, and curvatures of spheres.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/random.h"

#include "base/check.h"
#include "shapes/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 240, POINTS = 60, BOXES = 30 };

typedef struct shape_case {
    int32_t row, side, open;
    double size[3];
} shape_case;

static const shape_case cases[] = {
    {DEMI_SHAPE_DISC, DEM_SIDE_BOTH, 0, {1.0, 0.0, 0.0}},
    {DEMI_SHAPE_DISC, DEM_SIDE_BOTH, 0, {1.0, 0.4, 0.0}},
    {DEMI_SHAPE_RECTANGLE, DEM_SIDE_BOTH, 0, {2.0, 0.7, 0.0}},
    {DEMI_SHAPE_BALL, DEM_SIDE_OUTSIDE, 0, {1.0, 0.0, 0.0}},
    {DEMI_SHAPE_BALL, DEM_SIDE_INSIDE, 0, {1.0, 0.0, 0.0}},
    {DEMI_SHAPE_BALL, DEM_SIDE_BOTH, 0, {1.0, 0.0, 0.0}},
    {DEMI_SHAPE_CYLINDER, DEM_SIDE_OUTSIDE, 0, {0.6, 1.5, 0.0}},
    {DEMI_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 0, {0.8, 1.5, 0.0}},
    {DEMI_SHAPE_CYLINDER, DEM_SIDE_BOTH, 0, {0.8, 1.5, 0.0}},
    {DEMI_SHAPE_CYLINDER, DEM_SIDE_BOTH, DEM_OPEN_HIGH, {0.8, 1.5, 0.0}},
    {DEMI_SHAPE_CYLINDER, DEM_SIDE_BOTH, DEM_OPEN_LOW | DEM_OPEN_HIGH, {0.8, 1.5, 0.0}},
    {DEMI_SHAPE_CONE, DEM_SIDE_OUTSIDE, 0, {0.9, 1.2, 0.3}},
    {DEMI_SHAPE_CONE, DEM_SIDE_OUTSIDE, 0, {0.0, 1.2, 0.7}},
    {DEMI_SHAPE_CONE, DEM_SIDE_INSIDE, 0, {0.3, 1.4, 1.0}},
    {DEMI_SHAPE_CONE, DEM_SIDE_BOTH, DEM_OPEN_LOW | DEM_OPEN_HIGH, {0.3, 1.4, 1.0}},
    {DEMI_SHAPE_BOX, DEM_SIDE_OUTSIDE, 0, {1.2, 0.8, 0.5}},
    {DEMI_SHAPE_BOX, DEM_SIDE_INSIDE, 0, {1.2, 1.8, 1.5}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/** Of the solid that was made last. */
static int32_t row;

static demi_solid solid_of(const shape_case *of, test_random *random)
{
    row = of->row;
    dem_wall wall;
    memset(&wall, 0, sizeof wall);
    wall.side = of->side;
    wall.open = of->open;
    for (int c = 0; c < 3; ++c) {
        wall.size[c] = of->size[c];
        wall.point[c] = test_uniform(random, -2.0, 2.0);
        wall.normal[c] = test_uniform(random, -1.0, 1.0);
        wall.axis[c] = test_uniform(random, -1.0, 1.0);
    }
    demi_context context;
    memset(&context, 0, sizeof context);
    demi_solid solid;
    assert_int_equal(demi_shape_make(&context, of->row, &wall, &solid), DEM_OK);
    return solid;
}

static void random_point(test_random *random, const demi_solid *solid, double point[3])
{
    for (int c = 0; c < 3; ++c)
        point[c] = solid->point[c] + test_uniform(random, -1.3, 1.3);
}

static demi_surface surface_at(const demi_solid *solid, uint32_t feature, const double point[3])
{
    demi_surface surface;
    demi_shapes[row]->surface(1, &solid, &feature, &point, &surface);
    return surface;
}

/** Features with a gap at which something may touch. */
static int touches(const demi_surface *surface)
{
    return surface->gap < 1e3;
}

/** Distance of a point, in the axes of the shape, from a disc or ring at a height, from points. */
static double ring_distance(const double local[3], double inner, double outer, double height,
                            double outer_height)
{
    const double rho = hypot(local[0], local[1]);
    double least = INFINITY;
    for (int k = 0; k <= SAMPLES * 20; ++k) {
        const double t = (double)k / (SAMPLES * 20);
        const double d = hypot(rho - (inner + t * (outer - inner)),
                               local[2] - (height + t * (outer_height - height)));
        least = d < least ? d : least;
    }
    return least;
}

static double patch_distance(const double local[3], const double half[3])
{
    double least = INFINITY;
    for (int i = 0; i <= SAMPLES; ++i)
        for (int j = 0; j <= SAMPLES; ++j) {
            const double x = (2.0 * i / SAMPLES - 1.0) * half[0],
                         y = (2.0 * j / SAMPLES - 1.0) * half[1];
            const double d = hypot(hypot(local[0] - x, local[1] - y), local[2] - half[2]);
            least = d < least ? d : least;
        }
    return least;
}

/** Distance from the surface, by sampling it. */
static double sampled_distance(const shape_case *of, const double local[3])
{
    const double *s = of->size, h = 0.5 * s[1];
    double least;
    switch (of->row) {
    case DEMI_SHAPE_DISC:
        return ring_distance(local, s[1], s[0], 0.0, 0.0);
    case DEMI_SHAPE_RECTANGLE:
        return patch_distance(local, (const double[3]){0.5 * s[0], 0.5 * s[1], 0.0});
    case DEMI_SHAPE_BALL:
        return fabs(sqrt(demi_dot(local, local)) - s[0]);
    case DEMI_SHAPE_BOX:
        least = INFINITY;
        for (int c = 0; c < 3; ++c)
            for (int sign = -1; sign < 2; sign += 2) {
                const int a = (c + 1) % 3, b = (c + 2) % 3;
                const double d =
                    patch_distance((const double[3]){local[a], local[b], local[c]},
                                   (const double[3]){0.5 * s[a], 0.5 * s[b], 0.5 * sign * s[c]});
                least = d < least ? d : least;
            }
        return least;
    default:
        least = ring_distance(local, s[0], of->row == DEMI_SHAPE_CONE ? s[2] : s[0], -h, h);
        if ((of->open & DEM_OPEN_LOW) == 0)
            least = fmin(least, ring_distance(local, 0.0, s[0], -h, -h));
        if ((of->open & DEM_OPEN_HIGH) == 0)
            least = fmin(least,
                         ring_distance(local, 0.0, of->row == DEMI_SHAPE_CONE ? s[2] : s[0], h, h));
        return least;
    }
}

/** The nearest contact is as far as the nearest point of the surface; it counts once. */
static void distances(void **state)
{
    (void)state;
    test_long();
    test_random random = {UINT64_C(0x1234567)};
    for (int k = 0; k < CASES; ++k)
        for (int n = 0; n < POINTS; ++n) {
            const demi_solid solid = solid_of(&cases[k], &random);
            double point[3], local[3], least = INFINITY;
            random_point(&random, &solid, point);
            demi_shape_local(&solid, point, local);
            for (uint32_t f = 0; f < demi_shapes[row]->features; ++f) {
                if (demi_shapes[row]->least_gap(&solid, f, point, point) > 1e3)
                    continue;
                const demi_surface surface = surface_at(&solid, f, point);
                least = fmin(least, surface.gap);
            }
            const double d = sampled_distance(&cases[k], local);
            /* of points on the free side */
            if (demi_shapes[row]->least_gap(&solid, DEMI_SHAPE_WHOLE, point, point) > 0.0) {
                assert_true(fabs(least - d) < 0.01 * (0.1 + d) && least <= d + 1e-12);
            } else if (cases[k].side == DEM_SIDE_OUTSIDE)
                assert_true(fabs(-least - d) < 0.01 * (0.1 + d));
        }
}

/** Normals are gradients of the gap, of unit length, and bounds are below the gap. */
static void gradients(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x7654321)};
    const double h = 1e-5;
    for (int k = 0; k < CASES; ++k) {
        int seen = 0;
        for (int n = 0; n < 4 * POINTS; ++n) {
            const demi_solid solid = solid_of(&cases[k], &random);
            const demi_shape *shape = demi_shapes[row];
            double point[3];
            random_point(&random, &solid, point);
            for (uint32_t f = 0; f < shape->features; ++f) {
                const demi_surface surface = surface_at(&solid, f, point);
                assert_true(fabs(demi_dot(surface.normal, surface.normal) - 1.0) < 1e-12);
                double gradient[3];
                int smooth = touches(&surface);
                for (int c = 0; smooth && c < 3; ++c) {
                    double at[3] = {point[0], point[1], point[2]};
                    at[c] = point[c] + h;
                    const demi_surface up = surface_at(&solid, f, at);
                    at[c] = point[c] - h;
                    const demi_surface down = surface_at(&solid, f, at);
                    gradient[c] = (up.gap - down.gap) / (2.0 * h);
                    /* where the surface bends sharply there is none */
                    smooth = demi_dot(up.normal, down.normal) > 0.99;
                }
                if (!smooth)
                    continue;
                ++seen;
                for (int c = 0; c < 3; ++c)
                    assert_true(fabs(gradient[c] - surface.normal[c]) < 1e-3);
                const double bound = shape->least_gap(&solid, f, point, point);
                /* or there is no such feature */
                assert_true(bound <= surface.gap || isinf(bound) ||
                            (bound < 0.0 && surface.gap < 0.0));
            }
        }
        assert_true(seen > POINTS);
    }
}

/** No point of a box is nearer than the bound says, for a feature that may touch. */
static void bounds(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0xABCDEF)};
    for (int k = 0; k < CASES; ++k)
        for (int n = 0; n < BOXES; ++n) {
            const demi_solid solid = solid_of(&cases[k], &random);
            const demi_shape *shape = demi_shapes[row];
            double low[3], high[3], point[3];
            random_point(&random, &solid, low);
            for (int c = 0; c < 3; ++c)
                high[c] = low[c] + test_uniform(&random, 0.0, 0.6);
            uint32_t near[8];
            const uint64_t all = shape->near(shape, &solid, low, high, 0.2, 0, near, 8);
            for (int m = 0; m < 20; ++m) {
                for (int c = 0; c < 3; ++c)
                    point[c] = test_uniform(&random, low[c], high[c]);
                for (uint32_t f = 0; f < shape->features; ++f) {
                    const demi_surface surface = surface_at(&solid, f, point);
                    int listed = 0;
                    for (uint64_t e = 0; e < all; ++e)
                        listed |= near[e] == f;
                    if (shape->least_gap(&solid, f, point, point) > 1e3 || !(surface.gap > 0.0))
                        continue;
                    assert_true(listed || surface.gap >= 0.2);
                    assert_true(shape->least_gap(&solid, f, low, high) <= surface.gap);
                    assert_true(shape->least_gap(&solid, DEMI_SHAPE_WHOLE, low, high) <=
                                surface.gap);
                }
            }
        }
}

/** R* of a sphere: of a hollow, a pair of spheres, a cylinder, a tip, and a hollow that is as
 * narrow as the sphere. */
static void radii(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x5555)};
    const double r = 0.1;
    double out[3], point[3];
    demi_solid solid = solid_of(&cases[4], &random); /* a hollow */
    for (int c = 0; c < 3; ++c)
        point[c] = solid.point[c] + 0.9 * solid.axis[c];
    demi_surface surface = surface_at(&solid, 0, point);
    assert_true(fabs(surface.gap - 0.1) < 1e-14);
    assert_true(fabs(demi_shape_radius(surface.curvature, r) - r / (1.0 - r)) < 1e-14);
    solid = solid_of(&cases[3], &random); /* a ball */
    for (int c = 0; c < 3; ++c)
        point[c] = solid.point[c] + 1.1 * solid.normal[c];
    surface = surface_at(&solid, 0, point);
    assert_true(fabs(demi_shape_radius(surface.curvature, r) - r / (1.0 + r)) < 1e-14);
    solid = solid_of(&cases[7], &random); /* in a cylinder of radius 0.8 */
    out[0] = 0.4, out[1] = 0.3, out[2] = 0.2;
    demi_shape_global(&solid, out, point);
    for (int c = 0; c < 3; ++c)
        point[c] += solid.point[c];
    surface = surface_at(&solid, 0, point);
    assert_true(fabs(surface.gap - 0.3) < 1e-14);
    assert_true(fabs(demi_shape_radius(surface.curvature, r) -
                     1.0 / sqrt(1.0 / r * (1.0 / r - 1.0 / 0.8))) < 1e-14);
    assert_true(fabs(demi_shape_radius((const double[2]){-1.0 / r, 0.0}, r) - r / sqrt(0.05)) <
                1e-14);
    assert_true(fabs(demi_shape_radius((const double[2]){1e300, 0.0}, r) - r / sqrt(20.0)) < 1e-14);
    assert_true(demi_shape_radius((const double[2]){0.0, 0.0}, r) == r);
}

/** One who looks from behind does not see a thin wall that is solid in front only. */
static void fronts(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x99)};
    for (int k = 0; k < 3; ++k)
        for (int n = 0; n < POINTS; ++n) {
            shape_case of = cases[k];
            demi_solid both = solid_of(&of, &random), front = both;
            front.side = DEM_SIDE_OUTSIDE;
            double point[3], local[3];
            random_point(&random, &both, point);
            demi_shape_local(&both, point, local);
            const demi_surface a = surface_at(&both, 0, point), b = surface_at(&front, 0, point);
            assert_true(local[2] < 0.0 ? !touches(&b) : a.gap == b.gap);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances), cmocka_unit_test(gradients), cmocka_unit_test(bounds),
        cmocka_unit_test(radii),     cmocka_unit_test(fronts),
    };
    return cmocka_run_group_tests_name("shapes", tests, NULL, NULL);
}
