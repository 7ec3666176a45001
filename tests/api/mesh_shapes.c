/* SPDX-License-Identifier: MIT */
/**
 * @file mesh_shapes.c
 * Walls beside meshes of their shape, which become finer: a sphere that is led over sides, ends and
 * rims, outside and inside, feels the same force. `make shapes` prints the lines that begin with
 * paper=.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/report.h"
#include "../support/scene.h"

#define RADIUS 0.5
#include "../support/floors.h"
#include "../support/mesh_world.h"
#include "../support/guided.h"

/** A solid that turns about z, closed by two ends. */
typedef struct turned_shape {
    const char *name;
    int32_t shape, side;
    double low, height, high; /**< radii of the ends */
} turned_shape;

enum { SIDES_MOST = 384 };

/** Its mesh of n sides. */
static dem_mesh *turned_mesh(const turned_shape *s, uint32_t n)
{
    static double x[2 * SIDES_MOST + 2][3];
    static uint32_t facets[4 * SIDES_MOST][3];
    for (uint32_t k = 0; k < n; ++k) {
        const double phi = 360.0 * DEGREE * k / n;
        const uint32_t a = 2 * k, b = 2 * ((k + 1) % n), low = 2 * n, high = 2 * n + 1;
        for (uint32_t end = 0; end < 2; ++end) {
            x[a + end][0] = (end ? s->high : s->low) * cos(phi);
            x[a + end][1] = (end ? s->high : s->low) * sin(phi);
            x[a + end][2] = (end ? 0.5 : -0.5) * s->height;
        }
        const uint32_t four[4][3] = {
            {a, b, b + 1}, {a, b + 1, a + 1}, {low, b, a}, {high, a + 1, b + 1}};
        memcpy(facets[4 * k], four, sizeof(four));
    }
    for (uint32_t end = 0; end < 2; ++end) {
        x[2 * n + end][0] = x[2 * n + end][1] = 0.0;
        x[2 * n + end][2] = (end ? 0.5 : -0.5) * s->height;
    }
    return mesh_of(x, 2 * n + 2, facets, 4 * n);
}

static dem_wall turned_wall(const turned_shape *s)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = s->shape;
    wall.side = s->side;
    wall.size[0] = s->low;
    wall.size[1] = s->height;
    wall.size[2] = s->shape == DEM_SHAPE_CONE ? s->high : 0.0;
    return wall;
}

/** The greatest difference of the forces on a random way about the depth, over stiffness and depth;
 * and how often the sphere was at an end. */
static double ways_apart(const turned_shape *s, uint32_t n, uint64_t *ends)
{
    test_random random = {n / 96};
    const dem_wall wall = turned_wall(s);
    const double sign = s->side == DEM_SIDE_INSIDE ? -1.0 : 1.0;
    const double slope = (s->low - s->high) / s->height, scale = 1.0 / sqrt(1.0 + slope * slope);
    double x[3] = {0.0, 0.0, 0.0}, normal[3] = {sign * scale, 0.0, sign * scale * slope};
    x[0] = 0.5 * (s->low + s->high);
    for (int c = 0; c < 3; ++c)
        x[c] += (RADIUS - DEPTH) * normal[c];
    guided exact = guided_on(&wall, x), mesh = guided_begin(turned_mesh(s, n), x);
    double worst = 0.0;
    *ends = 0;
    for (int k = 0; k < 4000; ++k) {
        guided_to(&exact, x);
        guided_to(&mesh, x);
        const double depth = length_of(exact.force);
        worst = fmax(worst, difference(exact.force, mesh.force) / fmax(depth, DEPTH));
        double way[3], along = 0.0;
        for (int c = 0; c < 3; ++c) {
            normal[c] = depth > 0.0 ? exact.force[c] / depth : normal[c];
            way[c] = test_uniform(&random, -0.02, 0.02) + 0.012 * cos(0.004 * (c + 2) * k + c);
            along += way[c] * normal[c];
        }
        *ends += fabs(normal[2]) > 0.9;
        /* along the surface, and to the depth */
        for (int c = 0; c < 3; ++c)
            x[c] += (depth > 0.0 ? way[c] - along * normal[c] : 0.0) +
                    (depth > 0.0 ? depth - DEPTH : -0.3 * DEPTH) * normal[c];
    }
    dem_world_destroy(exact.world);
    dem_world_destroy(mesh.world);
    return worst;
}

static void turned_shapes(void **state)
{
    (void)state;
    static const turned_shape all[] = {
        {"mesh-of-cylinder", DEM_SHAPE_CYLINDER, DEM_SIDE_OUTSIDE, 0.4, 0.8, 0.4},
        {"mesh-of-cone", DEM_SHAPE_CONE, DEM_SIDE_OUTSIDE, 0.6, 0.7, 0.25},
        {"mesh-of-hollow-cylinder", DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 1.2, 1.3, 1.2},
        {"mesh-of-hollow-cone", DEM_SHAPE_CONE, DEM_SIDE_INSIDE, 1.0, 1.4, 1.4},
    };
    for (uint64_t k = 0; k < sizeof(all) / sizeof(all[0]); k += test_slow() ? 3 : 1) {
        uint64_t ends[2];
        const double coarse = ways_apart(&all[k], 96, &ends[0]),
                     fine = ways_apart(&all[k], 384, &ends[1]);
        /* the mesh is off by the gap of its sides, and no more on ends and rims */
        const double gap = fmax(all[k].low, all[k].high) * (1.0 - cos(180.0 * DEGREE / 384.0));
        assert_true(ends[0] > 100 && ends[1] > 100);
        SHOWN(all[k].name, "force", fine, 0.0, 1.02 * gap / DEPTH);
        SHOWN(all[k].name, "order-of-sides", log2(coarse / fine) / 2.0, 2.0, 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
