/* SPDX-License-Identifier: MIT */
/**
 * @file nearby.c
 * Facets that are kept near a sphere: what is found with them has the bits of a search through the
 * whole mesh, wherever the sphere went; and searches become few.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/icosphere.h"
#include "../support/meshes.h"
#include "../support/random.h"

#include "mesh/near.h"

#include <stdlib.h>
#include <string.h>

enum { VERTICES = 60, FACETS = 90, ROOM = 2048, WALKS = 60, STEPS = 200 };

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

/** Whether what is kept has all facets that are as near as it says. */
static int kept_all(const dem_mesh *mesh, const demi_mesh_nearby *nearby)
{
    int all = 1;
    for (uint32_t n = 0; nearby->facets <= DEMI_NEARBY_MOST && n < mesh->facet_count; ++n) {
        const uint32_t facet = mesh->order.read[n];
        int listed = (mesh->defects.read[facet] & DEM_MESH_DEGENERATE) != 0;
        for (uint32_t k = 0; k < nearby->facets; ++k)
            listed |= nearby->place[k] == n;
        all &= listed || demi_mesh_nearest(mesh, facet, nearby->centre).distance >=
                             nearby->within * (1.0 - 1e-12);
    }
    return all;
}

/** A walk in small steps, with jumps now and then and other radii, about a place that is so far
 * along each axis. */
static void walk(const dem_mesh *mesh, test_random *random, double margin, double far, walked *all)
{
    static demi_mesh_point whole[ROOM], kept[ROOM];
    demi_mesh_nearby nearby = {.within = 0.0};
    demi_mesh_sphere sphere = {.radius = test_uniform(random, 0.05, 0.4), .reach = 0.01};
    for (int step = 0; step < STEPS; ++step) {
        const double way = step % 50 == 0 ? 1.5 : 0.1 * margin;
        for (int c = 0; c < 3; ++c)
            sphere.centre[c] = step % 50 == 0 ? far + test_uniform(random, -way, way)
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
        if (memcmp(before.centre, nearby.centre, sizeof before.centre) != 0) {
            assert_true(kept_all(mesh, &nearby));
            all->searches++;
        }
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
        walk(mesh, &random, test_uniform(&random, 0.02, 0.2), 0.0, &all);
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

/** The same on a rough floor of facets that are smaller than the spheres, which keep the nearest:
 * one that has no place there is farther than all that have. Some floors are so far away that
 * round-off of distances decides what is near. */
static void test_bits_on_a_rough_floor(void **state)
{
    (void)state;
    enum { SIDE = 24 };
    static double vertex[(SIDE + 1) * (SIDE + 1)][3];
    static uint32_t facet[2 * SIDE * SIDE][3];
    test_random random = test_random_start("rough floor");
    walked all = {0, 0, 0};
    for (uint32_t f = 0; f < SIDE * SIDE; ++f) {
        const uint32_t a = f / SIDE * (SIDE + 1) + f % SIDE;
        const uint32_t both[6] = {a, a + 1, a + SIDE + 2, a, a + SIDE + 2, a + SIDE + 1};
        memcpy(facet[2 * f], both, sizeof both);
    }
    for (int n = 0; n < WALKS; ++n) {
        const double far = n % 2 == 0 ? 0.0 : test_decades(&random, 0.0, 12.0);
        for (uint32_t v = 0; v < (SIDE + 1) * (SIDE + 1); ++v) {
            vertex[v][0] = far + 2.0 / SIDE * (v % (SIDE + 1)) - 1.0;
            vertex[v][1] = far + 2.0 / SIDE * (v / (SIDE + 1)) - 1.0;
            vertex[v][2] = far + test_uniform(&random, -0.05, 0.05);
        }
        dem_mesh *mesh = mesh_of(vertex[0], (SIDE + 1) * (SIDE + 1), facet[0], 2 * SIDE * SIDE);
        walk(mesh, &random, test_uniform(&random, 0.02, 0.2), far, &all);
        dem_mesh_destroy(mesh);
    }
    assert_true(all.points > WALKS * STEPS && all.too_many < WALKS * STEPS / 2);
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

/** Where a plane that is tilted has a point. */
static void tilted(double x, double y, double z, double to[3])
{
    static const double axis[3][3] = {
        {0.48, 0.6, 0.64}, {-0.8, 0.6, 0.0375}, {-0.36, -0.53, 0.768}};
    double e[3][3];
    for (int k = 0; k < 3; ++k) {
        for (int c = 0; c < 3; ++c)
            e[k][c] = axis[k][c];
        for (int m = 0; m < k; ++m) {
            const double part = e[k][0] * e[m][0] + e[k][1] * e[m][1] + e[k][2] * e[m][2];
            for (int c = 0; c < 3; ++c)
                e[k][c] -= part * e[m][c];
        }
        icosphere_unit(e[k]);
    }
    for (int c = 0; c < 3; ++c)
        to[c] = x * e[0][c] + y * e[1][c] + z * e[2][c];
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
        const double angle = 6.283185307179586 * k / CORNERS;
        tilted(20.0 * cos(angle), 20.0 * sin(angle), 0.0, vertex[k]);
        const uint32_t corner[3] = {0, k + 1, k + 2};
        if (k < CORNERS - 2)
            memcpy(facet[k], corner, sizeof corner);
    }
    dem_mesh *mesh = mesh_of(vertex[0], CORNERS, facet[0], CORNERS - 2);
    looked call = {mesh, NULL, 1.0, 0, 0};
    for (int n = 0; n < 1000; ++n) {
        double x[3];
        const double along = test_uniform(&random, -13.0, 13.0);
        tilted(along, test_uniform(&random, -13.0, 13.0), 0.999, x);
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

/** A search to the distance of a facet, and no farther, finds it, also far from the origin, where
 * round-off of coordinates is as large as a facet. */
static void test_plates_far_away(void **state)
{
    (void)state;
    test_random random = test_random_start("plates far away");
    for (int n = 0; n < 600; ++n) {
        static double vertex[VERTICES][3];
        static uint32_t facet[VERTICES / 3][3];
        const double far = test_decades(&random, 0.0, 14.0);
        for (uint32_t v = 0; v < VERTICES; ++v) {
            for (int c = 0; c < 3; ++c)
                vertex[v][c] = far * (c + 1) + test_uniform(&random, -1.0, 1.0);
            facet[v / 3][v % 3] = v;
        }
        dem_mesh *mesh = mesh_of(vertex[0], VERTICES, facet[0], VERTICES / 3);
        for (uint32_t m = 0; m < 10 * VERTICES / 3; ++m) {
            const uint32_t f = m % (VERTICES / 3);
            double x[3];
            if ((mesh->defects.read[f] & DEM_MESH_DEGENERATE) != 0)
                continue;
            for (int c = 0; c < 3; ++c)
                x[c] = far * (c + 1) + test_uniform(&random, -1.0, 1.0);
            const double distance = demi_mesh_nearest(mesh, f, x).distance;
            looked call = {mesh, x, distance * (1.0 + 1e-15), 0, 0};
            uint64_t near = 0;
            for (uint32_t k = 0; k < VERTICES / 3; ++k)
                near += (mesh->defects.read[k] & DEM_MESH_DEGENERATE) == 0 &&
                        demi_mesh_nearest(mesh, k, x).distance < call.distance;
            (void)demi_mesh_near(mesh, x, call.distance, look, &call);
            assert_int_equal(call.near, near);
        }
        dem_mesh_destroy(mesh);
    }
}

/* ------------------------------------------------------------------ which are contacts */

/** A ball in a bowl that is little wider than it, of facets that are far smaller: thousands of them
 * are near, and are no minima. A tip that is nearly out of reach on the other side is found behind
 * them. */
static void test_ball_in_a_bowl(void **state)
{
    (void)state;
    double *x;
    const uint64_t bowl = icosphere_facets(6, &x), facets = bowl + 1;
    double *vertex = malloc(9 * facets * sizeof *vertex);
    uint32_t *facet = malloc(3 * facets * sizeof *facet);
    demi_mesh_point *point = malloc(facets * sizeof *point), found[4];
    assert_true(vertex != NULL && facet != NULL && point != NULL);
    static const double tip[9] = {0.0, 0.0, 0.765, -0.1, 0.1, 0.9, -0.1, -0.1, 0.9};
    for (uint64_t k = 0; k < 9 * bowl; ++k)
        vertex[k] = 1.2 * x[k];
    memcpy(vertex + 9 * bowl, tip, sizeof tip);
    for (uint32_t k = 0; k < 3 * facets; ++k)
        facet[k] = k;
    dem_mesh *mesh = mesh_of(vertex, 3 * facets, facet, facets);
    const demi_mesh_sphere sphere = {{0.0, 0.0, -0.23}, 1.0, 0.0, DEM_MESH_COSINE};
    const uint64_t count = demi_mesh_gather(mesh, &sphere, point, facets);
    assert_true(count > 3000);
    assert_int_equal(demi_mesh_pick(mesh, &sphere, point, count, found, 4), 2);
    assert_true(found[0].normal[2] > 0.99 && fabs(found[0].distance - 0.97) < 1e-3);
    assert_true(found[1].normal[2] < -0.99 && fabs(found[1].distance - 0.995) < 1e-12);
    dem_mesh_destroy(mesh);
    free(x);
    free(vertex);
    free(facet);
    free(point);
}

/** The mean of the vertices by the weights of a contact is its point, on slivers, too. */
static void test_weights(void **state)
{
    (void)state;
    test_random random = test_random_start("weights");
    static const uint32_t facet[3] = {0, 1, 2};
    int edges = 0;
    for (int n = 0; n < 2000; ++n) {
        double vertex[3][3], x[3], weight[3];
        const double thin = test_decades(&random, -8.0, -1.0), third = test_uniform(&random, 0, 1);
        for (int c = 0; c < 3; ++c) {
            const double along = test_uniform(&random, -1.0, 1.0);
            vertex[0][c] = test_uniform(&random, -1.0, 1.0);
            vertex[1][c] = vertex[0][c] + along;
            vertex[2][c] = vertex[0][c] + third * along + thin * test_uniform(&random, -1.0, 1.0);
            x[c] = vertex[0][c] + 0.5 * along + test_uniform(&random, -0.3, 0.3);
        }
        dem_mesh *mesh = mesh_of(vertex[0], 3, facet, 1);
        const demi_mesh_point at = demi_mesh_nearest(mesh, 0, x);
        demi_mesh_weights(mesh, &at, weight);
        assert_true(fabs(weight[0] + weight[1] + weight[2] - 1.0) < 1e-15);
        if (at.region != DEMI_REGION_FACE)
            for (int c = 0; c < 3; ++c)
                assert_true(fabs(weight[0] * vertex[0][c] + weight[1] * vertex[1][c] +
                                 weight[2] * vertex[2][c] - at.point[c]) < 2e-15);
        edges += at.region == DEMI_REGION_EDGE;
        dem_mesh_destroy(mesh);
    }
    assert_true(edges > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_of_the_search),
        cmocka_unit_test(test_bits_on_a_rough_floor),
        cmocka_unit_test(test_a_long_way_in_one_step),
        cmocka_unit_test(test_fine_floor),
        cmocka_unit_test(test_plates),
        cmocka_unit_test(test_fan),
        cmocka_unit_test(test_plates_far_away),
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_ball_in_a_bowl),
        cmocka_unit_test(test_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
