/* SPDX-License-Identifier: MIT */
/**
 * @file nearby.c
 * Facets that are kept near a sphere: what is found with them has the bits of a search through the
 * whole mesh, wherever the sphere went; and searches become few.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/meshes.h"
#include "../support/random.h"

#include "mesh/near.h"

#include <stdlib.h>
#include <string.h>

enum { VERTICES = 60, FACETS = 90, ROOM = FACETS, WALKS = 60, STEPS = 200 };

/** Triangles of all sizes about corners in a cube of edge 2, as they come; none is degenerate. */
static dem_mesh *soup(test_random *random, double size)
{
    static double vertex[VERTICES][3];
    static uint32_t facet[FACETS][3];
    for (int v = 0; v < VERTICES; ++v)
        for (int c = 0; c < 3; ++c)
            vertex[v][c] = v % 3 == 0
                               ? test_uniform(random, -1.0, 1.0)
                               : vertex[v - v % 3][c] + size * test_uniform(random, -1.0, 1.0);
    for (uint32_t f = 0; f < FACETS; ++f)
        for (uint32_t k = 0; k < 3; ++k)
            facet[f][k] = f < VERTICES / 3 ? 3 * f + k : (7 * f + 11 * k + f * k) % VERTICES;
    return mesh_of(vertex[0], VERTICES, facet[0], FACETS);
}

/** Whether two points are the same, bit by bit. */
static int same(const demi_mesh_point *a, const demi_mesh_point *b)
{
    return a->facet == b->facet && a->part == b->part && a->region == b->region &&
           memcmp(&a->distance, &b->distance, sizeof a->distance) == 0 &&
           memcmp(a->normal, b->normal, sizeof a->normal) == 0 &&
           memcmp(a->point, b->point, sizeof a->point) == 0;
}

/** What walks have met. */
typedef struct walked {
    uint64_t points, searches, too_many;
} walked;

/** A walk in small steps, with jumps now and then and other radii. */
static void walk(const dem_mesh *mesh, test_random *random, double margin, walked *all)
{
    static demi_mesh_point whole[ROOM], kept[ROOM];
    demi_mesh_nearby nearby = {.within = 0.0};
    demi_mesh_sphere sphere = {.radius = test_uniform(random, 0.05, 0.4), .reach = 0.01};
    for (int step = 0; step < STEPS; ++step) {
        const double way = step % 50 == 0 ? 1.5 : 0.1 * margin;
        for (int c = 0; c < 3; ++c)
            sphere.centre[c] = step % 50 == 0 ? test_uniform(random, -way, way)
                                              : sphere.centre[c] + test_uniform(random, -way, way);
        if (step % 70 == 69)
            sphere.radius *= 1.3;
        const demi_mesh_nearby before = nearby;
        const uint64_t count = demi_mesh_gather(mesh, &sphere, whole, ROOM);
        assert_int_equal(demi_mesh_gather_nearby(mesh, &sphere, &nearby, margin, kept, ROOM),
                         count);
        for (uint64_t k = 0; k < count; ++k)
            assert_true(same(&whole[k], &kept[k]));
        all->points += count;
        all->searches += memcmp(before.centre, nearby.centre, sizeof before.centre) != 0;
        all->too_many += nearby.facets > DEMI_NEARBY_MOST;
    }
}

static void test_bits_of_the_search(void **state)
{
    (void)state;
    test_random random = test_random_start("nearby");
    walked all = {0, 0, 0};
    for (int n = 0; n < WALKS; ++n) {
        dem_mesh *mesh = soup(&random, n % 2 == 0 ? 0.1 : 0.6);
        walk(mesh, &random, test_uniform(&random, 0.02, 0.2), &all);
        dem_mesh_destroy(mesh);
    }
    printf("# %.2f points a step, %.3f searches a step, too many facets in %.3f of the steps\n",
           (double)all.points / (WALKS * STEPS), (double)all.searches / (WALKS * STEPS),
           (double)all.too_many / (WALKS * STEPS));
    /* such spheres meet facets, most often few of them, and steps are small */
    assert_true(all.points > WALKS * STEPS / 2);
    assert_true(all.searches < WALKS * STEPS / 3);
    assert_true(all.too_many > 0 && all.too_many < WALKS * STEPS / 2);
}

/** A facet is found as soon as the sphere reaches it, from where it was far before. */
static void test_a_long_way_in_one_step(void **state)
{
    (void)state;
    static const double vertex[][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    static const uint32_t facet[][3] = {{0, 1, 2}};
    dem_mesh *mesh = mesh_of(vertex[0], 3, facet[0], 1);
    demi_mesh_nearby nearby = {.within = 0.0};
    demi_mesh_sphere sphere = {{0.25, 0.25, 1.0}, 0.1, 0.0, 0.0};
    demi_mesh_point at;
    for (int n = 0; n < 2; ++n) {
        sphere.centre[2] = 1.0;
        assert_int_equal(demi_mesh_gather_nearby(mesh, &sphere, &nearby, 0.05, &at, 1), 0);
        sphere.centre[2] = 0.09;
        assert_int_equal(demi_mesh_gather_nearby(mesh, &sphere, &nearby, 0.05, &at, 1), 1);
    }
    assert_true(fabs(at.distance - 0.09) < 1e-15);
    dem_mesh_destroy(mesh);
}

/** A flat floor of squares of a tenth of the radius: a sphere that slides on it is searched for
 * seldom, though far more facets are near than are kept. */
static void test_fine_floor(void **state)
{
    (void)state;
    enum { SIDE = 40, SLIDES = 800 };
    static double vertex[(SIDE + 1) * (SIDE + 1)][3];
    static uint32_t facet[2 * SIDE * SIDE][3];
    static demi_mesh_point whole[2 * SIDE * SIDE], kept[2 * SIDE * SIDE];
    for (uint32_t v = 0; v < (SIDE + 1) * (SIDE + 1); ++v) {
        vertex[v][0] = 0.1 * (v % (SIDE + 1)) - 2.0;
        vertex[v][1] = 0.1 * (v / (SIDE + 1)) - 2.0;
    }
    for (uint32_t f = 0; f < SIDE * SIDE; ++f) {
        const uint32_t a = f / SIDE * (SIDE + 1) + f % SIDE;
        const uint32_t both[6] = {a, a + 1, a + SIDE + 2, a, a + SIDE + 2, a + SIDE + 1};
        memcpy(facet[2 * f], both, sizeof both);
    }
    dem_mesh *mesh = mesh_of(vertex[0], (SIDE + 1) * (SIDE + 1), facet[0], 2 * SIDE * SIDE);
    demi_mesh_nearby nearby = {.within = 0.0};
    demi_mesh_sphere sphere = {.centre = {-0.2, 0.03, 0.999}, .radius = 1.0};
    int makes = 0, too_many = 0;
    for (int step = 0; step < SLIDES; ++step) {
        sphere.centre[0] += 2e-4;
        const demi_mesh_nearby before = nearby;
        const uint64_t count = demi_mesh_gather(mesh, &sphere, whole, 2 * SIDE * SIDE);
        assert_int_equal(
            demi_mesh_gather_nearby(mesh, &sphere, &nearby, 0.2, kept, 2 * SIDE * SIDE), count);
        for (uint64_t k = 0; k < count; ++k)
            assert_true(same(&whole[k], &kept[k]));
        makes += memcmp(before.centre, nearby.centre, sizeof before.centre) != 0;
        too_many += nearby.facets > DEMI_NEARBY_MOST;
    }
    printf("# made %d times, too many facets in %d of %d steps\n", makes, too_many, SLIDES);
    assert_true(makes < SLIDES / 6 && too_many < SLIDES / 4);
    dem_mesh_destroy(mesh);
}

/** What a search has looked at. */
typedef struct looked {
    const dem_mesh *mesh;
    const double *centre;
    double distance;
    uint64_t facets, near;
} looked;

static int look(void *argument, uint32_t facet)
{
    looked *call = argument;
    call->facets++;
    if ((call->mesh->defects.read[facet] & DEM_MESH_DEGENERATE) == 0)
        call->near += demi_mesh_nearest(call->mesh, facet, call->centre).distance < call->distance;
    return 0;
}

/** A search passes over no facet that is near; a plate is no farther than its facet. */
static void test_plates(void **state)
{
    (void)state;
    test_random random = test_random_start("plates");
    for (int n = 0; n < WALKS; ++n) {
        dem_mesh *mesh = soup(&random, n % 2 == 0 ? 0.1 : 0.6);
        for (int m = 0; m < 50; ++m) {
            double x[3];
            for (int c = 0; c < 3; ++c)
                x[c] = test_uniform(&random, -1.5, 1.5);
            looked call = {mesh, x, test_uniform(&random, 0.05, 0.5), 0, 0};
            uint64_t near = 0;
            for (uint32_t k = 0; k < FACETS; ++k) {
                const uint32_t f = mesh->order.read[k];
                if ((mesh->defects.read[f] & DEM_MESH_DEGENERATE) != 0)
                    continue;
                const double distance = demi_mesh_nearest(mesh, f, x).distance;
                near += distance < call.distance;
                assert_true(demi_mesh_plate_square(&mesh->plate.read[k], x) <=
                            distance * distance * (1.0 + 1e-12));
            }
            (void)demi_mesh_near(mesh, x, call.distance, look, &call);
            assert_int_equal(call.near, near);
        }
        dem_mesh_destroy(mesh);
    }
}

/** Of the slivers of a polygon of a thousand corners a search looks at few, wherever they point. */
static void test_fan(void **state)
{
    (void)state;
    enum { CORNERS = 1000 };
    static double vertex[CORNERS][3];
    static uint32_t facet[CORNERS - 2][3];
    test_random random = test_random_start("fan");
    for (uint32_t k = 0; k < CORNERS; ++k) {
        vertex[k][0] = 20.0 * cos(6.283185307179586 * k / CORNERS);
        vertex[k][1] = 20.0 * sin(6.283185307179586 * k / CORNERS);
        const uint32_t corner[3] = {0, k + 1, k + 2};
        if (k < CORNERS - 2)
            memcpy(facet[k], corner, sizeof corner);
    }
    dem_mesh *mesh = mesh_of(vertex[0], CORNERS, facet[0], CORNERS - 2);
    looked call = {mesh, NULL, 1.0, 0, 0};
    for (int n = 0; n < 1000; ++n) {
        const double x[3] = {test_uniform(&random, -13.0, 13.0), test_uniform(&random, -13.0, 13.0),
                             0.999};
        call.centre = x;
        (void)demi_mesh_near(mesh, x, 1.0, look, &call);
    }
    printf("# looks at %.2f facets, of which %.2f are near\n", 1e-3 * (double)call.facets,
           1e-3 * (double)call.near);
    assert_true(call.near > 1000 && call.facets < 2 * call.near);
    dem_mesh_destroy(mesh);
}

/** Whether a mesh is near agrees with how far its nearest point is. */
static void test_within(void **state)
{
    (void)state;
    test_random random = test_random_start("within");
    dem_mesh *mesh = soup(&random, 0.3);
    int near = 0;
    for (int n = 0; n < 2000; ++n) {
        double x[3];
        for (int c = 0; c < 3; ++c)
            x[c] = test_uniform(&random, -2.0, 2.0);
        const double distance = demi_mesh_closest(mesh, x).distance,
                     limit = test_uniform(&random, 0.0, 1.0);
        near += distance < limit;
        assert_int_equal(demi_mesh_within(mesh, x, limit), distance < limit);
        assert_true(demi_mesh_within(mesh, x, distance * (1.0 + 1e-12)));
        assert_false(demi_mesh_within(mesh, x, distance));
    }
    assert_true(near > 400 && near < 1600);
    assert_false(demi_mesh_within(mesh, (const double[3]){0.0, 0.0, 0.0}, -1.0));
    dem_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_of_the_search),
        cmocka_unit_test(test_a_long_way_in_one_step),
        cmocka_unit_test(test_fine_floor),
        cmocka_unit_test(test_plates),
        cmocka_unit_test(test_fan),
        cmocka_unit_test(test_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
