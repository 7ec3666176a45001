/* SPDX-License-Identifier: MIT */
/**
 * @file sides.c
 * On which side of a closed surface a point is: of solids with spikes and pits around the origin,
 * where the facet over the point tells.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/random.h"
#include "../support/solids.h"

#include "mesh/near.h"

#include <math.h>
#include <stdlib.h>

/** A ball of triangles whose vertices are nearer to the origin and farther away, by chance. */
static dem_mesh *spiky(int level, double phase, double most)
{
    double *x;
    const uint64_t count = icosphere_facets(level, &x);
    uint32_t *facet = malloc(count * 3 * sizeof(*facet));
    assert_non_null(facet);
    for (uint64_t k = 0; k < 3 * count; ++k) {
        double *v = x + 3 * k;
        const double r = exp(most * sin(phase + 37.0 * v[0] + 51.0 * v[1] + 73.0 * v[2]));
        facet[k] = (uint32_t)k;
        for (int c = 0; c < 3; ++c)
            v[c] *= r;
    }
    dem_mesh *mesh = mesh_of(x, 3 * count, facet, count);
    free(x);
    free(facet);
    return mesh;
}

static double determinant(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/** How far out a point is, over the facet that is in its direction: below 1 it is within. */
static double outwards(const dem_mesh *mesh, const double p[3])
{
    for (uint64_t f = 0; f < mesh->facet_count; ++f) {
        const double *v[3];
        double part[3];
        for (int k = 0; k < 3; ++k)
            v[k] = demi_mesh_vertex(mesh, mesh->facet.read[3 * f + (uint64_t)k]);
        const double all = determinant(v[0], v[1], v[2]);
        for (int k = 0; k < 3; ++k)
            part[k] = determinant(k == 0 ? p : v[0], k == 1 ? p : v[1], k == 2 ? p : v[2]) / all;
        if (part[0] >= 0.0 && part[1] >= 0.0 && part[2] >= 0.0)
            return part[0] + part[1] + part[2];
    }
    return 1.0; /* on an edge, to round-off */
}

static void spikes_and_pits(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x51DE5)};
    uint64_t seen[2][3] = {{0}};
    for (int round = 0; round < 24; ++round) {
        dem_mesh *mesh = spiky(round % 3, test_uniform(&random, 0.0, 6.0), round < 12 ? 0.5 : 1.5);
        for (int k = 0; k < test_rounds(3000); ++k) {
            double p[3];
            for (int c = 0; c < 3; ++c)
                p[c] = 1.5 * test_uniform(&random, -1.0, 1.0);
            const double out = outwards(mesh, p);
            if (fabs(out - 1.0) < 1e-9)
                continue;
            const demi_mesh_point at = demi_mesh_closest(mesh, p);
            assert_int_equal(demi_mesh_from_within(mesh, &at), out < 1.0);
            seen[out < 1.0][at.region]++;
        }
        dem_mesh_destroy(mesh);
    }
    for (int side = 0; side < 2; ++side)
        for (int region = 0; region < 3; ++region)
            assert_true(seen[side][region] > 0);
}

/* Of several points those are left that are seen from outside, in their order. */
static void drops(void **state)
{
    (void)state;
    dem_mesh *mesh = solid_box(0.5, 0.4, 0.3);
    const double p[3] = {0.1, 0.05, 0.5};
    demi_mesh_point point[12];
    for (uint32_t f = 0; f < 12; ++f)
        point[f] = demi_mesh_nearest(mesh, f, p);
    const uint64_t left = demi_mesh_drop_within(mesh, point, 12);
    assert_true(left > 0 && left < 12);
    for (uint64_t k = 0; k < left; ++k) {
        assert_true(k == 0 || point[k].facet > point[k - 1].facet);
        assert_false(demi_mesh_from_within(mesh, &point[k]));
        assert_true(point[k].point[2] == 0.3); /* the lower side is seen through the box */
    }
    dem_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spikes_and_pits), cmocka_unit_test(drops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
