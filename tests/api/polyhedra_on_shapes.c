/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedra_on_shapes.c
 * Polyhedra on walls that are rectangles, boxes, discs, cylinders and cones: against meshes and
 * planes, closed forms of the volume behind a cylinder, energy in a drum that turns, refusals.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/polyhedral.h"
#include "../support/scene.h"
#include "../support/solids.h"
#include "../support/walls.h"

#include <math.h>
#include <string.h>

/** Loads of a body on walls, and how many contacts there are. */
static uint64_t loads_on(const dem_body *body, dem_polyhedron *shape, const dem_wall *walls,
                         int count, double load[6])
{
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, PLAIN, 0.0, 1.0);
    const dem_body_handle handle = body_add(world, body, shape);
    for (int k = 0; k < count; ++k)
        if (dem_wall_add(world, &walls[k], NULL) != DEM_OK)
            fail_msg("%s", dem_world_error(world));
    run(world, 1e-5, 0);
    loads_of(world, handle, load);
    const uint64_t contacts = scene_counts(world).contacts;
    dem_world_destroy(world);
    return contacts;
}

static double off_of(const double a[6], const double b[6])
{
    double off = 0.0, size = 0.0;
    for (int c = 0; c < 3; ++c)
        size = fmax(size, fabs(b[c]));
    for (int c = 0; c < 6; ++c)
        off = fmax(off, fabs(a[c] - b[c]));
    return off / (size + 1e-300);
}

/* ------------------------------------------------------------------ flat faces */

/* A rectangle, a disc and a face of a box are the plane where a body does not reach their rims; a
 * box that is a hollow has a contact with each side. */
static void as_planes(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x9E3)};
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(2)};
    for (int round = 0; round < test_whole(4, 40); ++round) {
        const int kind = round % 2;
        dem_wall plane = wall_sized(DEM_SHAPE_PLANE, DEM_SIDE_OUTSIDE, 0.0, 0.0, 0.0),
                 wall[5] = {wall_sized(DEM_SHAPE_RECTANGLE, DEM_SIDE_OUTSIDE, 4.0, 6.0, 0.0),
                            wall_sized(DEM_SHAPE_DISC, DEM_SIDE_OUTSIDE, 3.0, 0.0, 0.0),
                            wall_sized(DEM_SHAPE_BOX, DEM_SIDE_OUTSIDE, 4.0, 5.0, 6.0),
                            wall_sized(DEM_SHAPE_BOX, DEM_SIDE_INSIDE, 4.0, 5.0, 6.0),
                            wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 3.0, 4.0, 0.0)};
        wall[2].point[2] = -3.0;
        wall[3].point[2] = 3.0;
        wall[4].point[2] = 2.0;
        dem_body body = body_at(shape[kind], test_uniform(&random, -0.5, 0.5),
                                test_uniform(&random, -0.5, 0.5), kind ? 0.34 : 0.4);
        turn_at_random(&random, &body);
        double load[6], expected[6];
        const uint64_t touches = loads_on(&body, shape[kind], &plane, 1, expected);
        for (int k = 0; k < 5; ++k) {
            const uint64_t contacts = loads_on(&body, shape[kind], &wall[k], 1, load);
            if (contacts != touches || !(off_of(load, expected) < 1e-9))
                fail_msg("%d: %llu contacts, force %g %g %g, torque %g %g %g; plane: %llu, %g %g "
                         "%g, %g %g %g",
                         k, (unsigned long long)contacts, load[0], load[1], load[2], load[3],
                         load[4], load[5], (unsigned long long)touches, expected[0], expected[1],
                         expected[2], expected[3], expected[4], expected[5]);
        }
    }
    dem_polyhedron_destroy(shape[0]);
    dem_polyhedron_destroy(shape[1]);
}

/* ------------------------------------------------------------------ round ones */

#define PI 3.14159265358979323846
/* what flat sides may be off, over the radius of the sphere around a body */
#define OFF 1e-5

/** U'(V) without R. */
static double pull_of(double volume, double radius)
{
    return 2.0 / 3.0 * MODULUS * pow(PI, -1.25) * pow(radius, -0.75) * pow(volume, 0.25);
}

/* A box on a cylinder, and with two edges in a hollow one: force of the closed form, to what the
 * flat sides are off over the depth. The axis is that of the shortest side, or across it. */
static void in_closed_form(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    double worst[2] = {0.0, 0.0};
    OK(dem_polyhedron_properties_get(shape, &is));
    for (int inside = 0; inside < 2; ++inside)
        for (int axis = 0; axis < 2; ++axis)
            for (double radius = 1.0; radius < test_whole(3, 30); radius *= 2.5)
                for (double deep = 1e-3; deep < 0.05; deep *= 5.0) {
                    const double half = axis ? 0.5 : 0.4, length = axis ? 0.8 : 1.0;
                    /* of the lower face from the axis */
                    const double h =
                        inside ? sqrt(radius * radius - half * half) + deep : radius - deep;
                    const double c = sqrt(fmax(0.0, radius * radius - h * h));
                    if (inside ? h >= radius : c >= half)
                        continue; /* the whole face would be beyond */
                    /* between the face and the cylinder; of a hollow beyond both edges */
                    const double arc =
                        0.5 * radius * radius * atan2(half, sqrt(radius * radius - half * half)) -
                        0.5 * radius * radius * atan2(c, h);
                    const double beyond =
                        h * (half - c) -
                        (0.5 * half * sqrt(radius * radius - half * half) - 0.5 * c * h + arc);
                    const double area =
                        inside ? 2.0 * beyond : radius * radius * atan2(c, h) - h * c;
                    const double volume = length * area,
                                 span = length * (inside ? 2.0 * (half - c) : 2.0 * c);
                    dem_wall wall = wall_sized(DEM_SHAPE_CYLINDER, inside, radius, 3.0, 0.0);
                    wall.normal[2] = 0.0;
                    wall.normal[axis] = 1.0;
                    wall.point[2] = inside ? h - 0.3 : -h - 0.3;
                    const dem_body body = body_at(shape, 0.0, 0.0, 0.0);
                    double load[6];
                    const uint64_t contacts = loads_on(&body, shape, &wall, 1, load);
                    /* each edge in a hollow is a contact of its own */
                    const uint64_t places = inside ? 2 : 1;
                    const double expected =
                        span * pull_of(volume / (double)places, is.equivalent_radius);
                    const double off = fabs(load[2] - expected) / expected,
                                 bound = OFF * is.radius * span / volume;
                    worst[inside] = fmax(worst[inside], off / bound);
                    if (contacts != places || !(off < bound) || fabs(load[0]) > bound * expected ||
                        fabs(load[1]) > bound * expected)
                        fail_msg("%s of radius %g, %g deep: force %g %g %g, not %g; off %g of %g",
                                 inside ? "hollow" : "cylinder", radius, deep, load[0], load[1],
                                 load[2], expected, off, bound);
                }
    printf("box on a cylinder, in a hollow one, over bounds: %.2g, %.2g\n", worst[0], worst[1]);
    dem_polyhedron_destroy(shape);
}

/* A cylinder of great radius is the plane: what is different falls with the radius. A cone of two
 * equal radii is the cylinder. */
static void great_radii(void **state)
{
    (void)state;
    dem_polyhedron *shape = ellipsoid_shape(2);
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    test_random random = {UINT64_C(0x6EA7)};
    for (int round = 0; round < test_whole(1, 20); ++round) {
        dem_body body = body_at(shape, 0.0, 0.0, 0.335);
        turn_at_random(&random, &body);
        const dem_wall plane = wall_sized(DEM_SHAPE_PLANE, DEM_SIDE_OUTSIDE, 0.0, 0.0, 0.0);
        double load[6], again[6], expected[6];
        if (loads_on(&body, shape, &plane, 1, expected) == 0)
            continue;
        for (double radius = 10.0; radius < 200.0; radius *= 10.0)
            for (int inside = 0; inside < 2; ++inside) {
                dem_wall wall = wall_sized(DEM_SHAPE_CYLINDER, inside, radius, 3.0, 0.0);
                wall.normal[0] = 1.0;
                wall.normal[2] = 0.0;
                wall.point[2] = inside ? radius : -radius;
                const uint64_t contacts = loads_on(&body, shape, &wall, 1, load);
                wall.shape = DEM_SHAPE_CONE;
                wall.size[2] = radius;
                (void)loads_on(&body, shape, &wall, 1, again);
                assert_memory_equal(load, again, sizeof(load));
                /* radii of curvature of the ellipsoid are up to 0.72; the cut is as large as this
                 */
                const double off = fabs(load[2] / expected[2] - 1.0),
                             bound = 0.72 / radius + 2.0 * OFF * is.radius / 0.005;
                if (contacts != 1 || !(off < bound))
                    fail_msg("radius %g: force %g, on the plane %g: off by %g, more than %g",
                             radius, load[2], expected[2], off, bound);
            }
    }
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ energy */

/** Balance of bodies in a drum, over their kinetic energy. */
static double off_in_a_drum(int32_t shape_of_wall, int which, double motion, double dt)
{
    dem_world *world = world_of(motion > 0.0 ? 5.0 : 0.0, 1, DEM_ISA_AUTO);
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(1)};
    test_random random = {UINT64_C(0xD1CE)};
    double worst = 0.0;
    model_set(world, which, motion > 0.0 ? 0.4 : 0.0, motion > 0.0 ? 0.8 : 1.0);
    for (int k = 0; k < 2; ++k) {
        dem_body body = body_at(shape[k], k ? 0.75 : -0.75, 0.1, 0.0);
        turn_at_random(&random, &body);
        for (int c = 0; c < 3; ++c)
            body.velocity[c] = 2.0 * test_uniform(&random, -1.0, 1.0);
        (void)body_add(world, &body, shape[k]);
        dem_polyhedron_destroy(shape[k]);
    }
    dem_wall wall = wall_sized(shape_of_wall, DEM_SIDE_INSIDE, 1.6, 1.5, 1.3);
    if (shape_of_wall == DEM_SHAPE_CYLINDER)
        wall.size[2] = 0.0;
    wall.normal[1] = 1.0;
    wall.normal[2] = 0.0;
    wall.angular_velocity[1] = motion;
    OK(dem_wall_add(world, &wall, NULL));
    run(world, dt, 0);
    const double before = balance_of(world), size = scene_energies(world).kinetic_translation;
    for (int n = 0; n < 10; ++n) {
        run(world, dt, (uint64_t)(0.016 / dt + 0.5));
        worst = fmax(worst, fabs(balance_of(world) - before) / size);
    }
    assert_true(motion == 0.0 || fabs(scene_energies(world).work_boundary) > 0.01 * size);
    dem_world_destroy(world);
    return worst;
}

static void energy(void **state)
{
    (void)state;
    test_long();
    for (int cone = 0; cone < 2; ++cone)
        for (int turns = 0; turns < 2; ++turns) {
            if (turns != cone && test_whole(0, 1) == 0)
                continue;
            const int32_t shape = cone ? DEM_SHAPE_CONE : DEM_SHAPE_CYLINDER;
            const int which = turns ? M1 : PLAIN;
            const double coarse = off_in_a_drum(shape, which, turns, 4e-4),
                         fine = off_in_a_drum(shape, which, turns, 2e-4);
            printf("%s that %s: balance %.2g, at half of dt %.2g\n", cone ? "cone" : "drum",
                   turns ? "turns" : "rests", coarse, fine);
            if (!(fine < 1e-5 && fine < 0.5 * coarse))
                fail_msg("balance of energy %g, at half of dt %g", coarse, fine);
        }
}

/* ------------------------------------------------------------------ refusals */

static void refusals(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, PLAIN, 0.0, 1.0);
    const dem_body body = body_at(shape, 0.0, 0.0, 0.0);
    (void)body_add(world, &body, shape);
    const struct {
        dem_wall wall;
        const char *words;
    } of[] = {
        {wall_sized(DEM_SHAPE_BALL, DEM_SIDE_INSIDE, 9.0, 0.0, 0.0), "mesh"},
        {wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 9.0, 0.0, 0.0), "height"},
        {wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_BOTH, 9.0, 9.0, 0.0), "shell"},
        {wall_sized(DEM_SHAPE_DISC, DEM_SIDE_BOTH, 9.0, 0.0, 0.0), "shell"},
        {wall_sized(DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, 9.0, 9.0, 0.0), "shell"},
        {wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 1e7, 9.0, 0.0), "too large"},
    };
    for (size_t k = 0; k < sizeof(of) / sizeof(of[0]); ++k) {
        uint64_t id;
        OK(dem_wall_add(world, &of[k].wall, &id));
        const dem_status status = dem_step(world, 1e-4, 1);
        if ((status != DEM_ERROR_STATE && status != DEM_ERROR_RANGE) ||
            strstr(dem_world_error(world), of[k].words) == NULL)
            fail_msg("wall %d: status %d: %s", (int)k, (int)status, dem_world_error(world));
        OK(dem_wall_remove(world, id));
        OK(dem_step(world, 1e-4, 1));
    }
    /* a drum into which the box fits, but no sphere around it */
    dem_wall drum = wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 0.66, 3.0, 0.0);
    drum.normal[0] = 1.0;
    drum.normal[2] = 0.0;
    OK(dem_wall_add(world, &drum, NULL));
    run(world, 1e-4, 1);
    assert_int_equal(scene_counts(world).contacts, 0);
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_planes),   cmocka_unit_test(in_closed_form),
        cmocka_unit_test(great_radii), cmocka_unit_test(energy),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
