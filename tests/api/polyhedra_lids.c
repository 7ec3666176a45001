/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedra_lids.c
 * Polyhedra in hollow cylinders and cones: each end bears a box as a plane does, whatever the other
 * end and the slope are.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/polyhedral.h"
#include "../support/polyhedral_walls.h"
#include "../support/scene.h"
#include "../support/solids.h"

#include <math.h>

/** What a wall bears of a box of half side 0.1 that is deep in it by 0.01, at this height. */
static double borne(const dem_wall *wall, dem_polyhedron *box, double z, double x)
{
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, PLAIN, 0.0, 0.8);
    const uint64_t id = wall_add(world, wall);
    const dem_body body = body_at(box, x, 0.0, z);
    (void)body_add(world, &body, box);
    run(world, 1e-6, 1);
    const double force = wall_of(world, id).force[2];
    dem_world_destroy(world);
    return force;
}

static void ends(void **state)
{
    (void)state;
    const double depth = 0.01, half = 0.1;
    dem_mesh *mesh = solid_box(half, half, half);
    dem_polyhedron *box = shape_of(mesh);
    static const struct {
        int32_t shape;
        double low, height, high;
    } hollows[] = {{DEM_SHAPE_CYLINDER, 1.0, 1.0, 0.0}, {DEM_SHAPE_CONE, 0.2, 1.0, 1.0},
                   {DEM_SHAPE_CONE, 0.0, 1.0, 1.0},     {DEM_SHAPE_CONE, 1.0, 1.0, 0.2},
                   {DEM_SHAPE_CONE, 1.0, 1.0, 0.0},     {DEM_SHAPE_CONE, 0.3, 0.5, 3.0},
                   {DEM_SHAPE_CONE, 3.0, 0.5, 0.3},     {DEM_SHAPE_CONE, 0.0, 0.5, 3.0}};
    dem_wall plane;
    OK(dem_wall_init(&plane));
    const double expected = -borne(&plane, box, half - depth, 0.0);
    assert_true(expected > 100.0);
    for (size_t k = 0; k < sizeof hollows / sizeof hollows[0]; ++k) {
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.shape = hollows[k].shape;
        wall.side = DEM_SIDE_INSIDE;
        wall.size[0] = hollows[k].low;
        wall.size[1] = hollows[k].height;
        wall.size[2] = hollows[k].high;
        const double end = 0.5 * hollows[k].height - half + depth;
        /* a wide end at a place away from the axis, and from the band */
        const double low = hollows[k].low,
                     high = hollows[k].shape == DEM_SHAPE_CYLINDER ? low : hollows[k].high;
        if (high >= 1.0) {
            const double force = borne(&wall, box, end, 0.013);
            if (!(fabs(force - expected) < 1e-6 * expected))
                fail_msg("high end of %d: %g is not %g", (int)k, force, expected);
        }
        if (low >= 1.0) {
            const double force = -borne(&wall, box, -end, 0.013);
            if (!(fabs(force - expected) < 1e-6 * expected))
                fail_msg("low end of %d: %g is not %g", (int)k, force, expected);
        }
    }
    dem_polyhedron_destroy(box);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends)};
    return cmocka_run_group_tests_name("polyhedra_lids", tests, NULL, NULL);
}
