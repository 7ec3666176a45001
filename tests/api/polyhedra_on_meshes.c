/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedra_on_meshes.c
 * Polyhedra on walls that are meshes: a flat one against the plane, a closed one against a fixed
 * body, rims and corners against closed forms, energy, momentum, the same bits, what is refused.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/heap_short.h"
#include "../support/polyhedral.h"
#include "../support/polyhedral_walls.h"
#include "../support/scene.h"
#include "../support/solids.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ a flat floor */

/* A flat floor of many facets is the plane: force, moment and energy, and after some steps with
 * springs place and velocities; of the wall force, torque and work; at rest and moving. */
static void as_the_plane(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0xF1A7)};
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(2)};
    double worst[4] = {0.0, 0.0, 0.0, 0.0};
    int touching = 0;
    for (int round = 0; round < test_rounds(100); ++round) {
        double n[3], e[3], length = 0.0;
        for (int c = 0; c < 3; ++c) {
            n[c] = test_uniform(&random, -1.0, 1.0);
            e[c] = test_uniform(&random, -1.0, 1.0);
            length += n[c] * n[c];
        }
        for (int c = 0; c < 3; ++c)
            n[c] /= sqrt(length);
        const int kind = round % 2, moves = round / 2 % 2;
        const double deep = pow(10.0, test_uniform(&random, -4.0, -1.0));
        const uint32_t cells = 1 + (uint32_t)test_uniform(&random, 0.0, CELLS_MOST);
        const double reach = pow(10.0, test_uniform(&random, 0.2, 3.0));
        dem_mesh *mesh = floor_mesh(&random, cells, reach);
        const dem_body body = over_plane(&random, shape[kind], n, deep);
        dem_wall wall[2];
        double load[2][6], elastic[2];
        dem_body after[2];
        for (int c = 0; c < 3; ++c)
            e[c] = moves ? e[c] : 0.0;
        for (int meshed = 0; meshed < 2; ++meshed) {
            dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
            model_set(world, M1, 0.4, 0.8);
            if (meshed) {
                wall[meshed] = mesh_wall(mesh);
                wall[meshed].axis[round % 3] = 1.0;
            } else {
                OK(dem_wall_init(&wall[meshed]));
            }
            for (int c = 0; c < 3; ++c) {
                wall[meshed].normal[c] = n[c];
                wall[meshed].velocity[c] = 0.2 * e[c];
                wall[meshed].angular_velocity[c] = 0.3 * e[(c + 1) % 3];
            }
            const uint64_t id = wall_add(world, &wall[meshed]);
            const dem_body_handle handle = body_add(world, &body, shape[kind]);
            run(world, 1e-5, 0);
            loads_of(world, handle, load[meshed]);
            elastic[meshed] = scene_energies(world).elastic;
            touching += scene_counts(world).contacts == 1;
            run(world, 1e-5, 20);
            after[meshed].struct_size = sizeof(after[meshed]);
            OK(dem_body_get(world, handle, &after[meshed]));
            wall[meshed] = wall_of(world, id);
            dem_world_destroy(world);
        }
        dem_mesh_destroy(mesh);
        const double size = norm_of(load[0]);
        /* round-off of the floor's places over the depth, and of areas over that of a corner */
        const double bound = DBL_EPSILON * (8.0 * reach / deep + 1.0 / (deep * deep));
        worst[0] = fmax(worst[0], off_of(load[1], load[0], 6, size) / bound);
        worst[1] = fmax(worst[1], fabs(elastic[1] - elastic[0]) / (5.0 * bound * elastic[0]));
        worst[2] = fmax(worst[2], off_of(after[1].velocity, after[0].velocity, 3, 1.0));
        worst[2] =
            fmax(worst[2], off_of(after[1].angular_velocity, after[0].angular_velocity, 3, 1.0));
        /* the wall has come nearer, or gone */
        const double late = size + norm_of(wall[0].force);
        worst[3] = fmax(worst[3], off_of(wall[1].force, wall[0].force, 3, late) / bound);
        worst[3] = fmax(worst[3], off_of(wall[1].torque, wall[0].torque, 3, 2.0 * late) / bound);
    }
    printf("floor, over bounds: force %.2g, energy %.2g, velocities %.2g m/s, wall %.2g\n",
           worst[0], worst[1], worst[2], worst[3]);
    assert_int_equal(touching, 2 * test_rounds(100));
    assert_true(worst[0] < 1.0 && worst[1] < 1.0 && worst[2] < 1e-12 && worst[3] < 1.0);
    dem_polyhedron_destroy(shape[0]);
    dem_polyhedron_destroy(shape[1]);
}

/* ------------------------------------------------------------------ solids, ridges */

/** Loads of a body, and of a fixed one or a wall with a mesh. */
static void loads_on(const dem_body *body, dem_polyhedron *shape, dem_mesh *mesh,
                     const dem_body *fixed, double load[6])
{
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, PLAIN, 0.0, 1.0);
    const dem_body_handle handle = body_add(world, body, shape);
    dem_mesh *copy = mesh;
    if (fixed != NULL) {
        dem_polyhedron *solid = shape_of(dem_mesh_retain(mesh));
        (void)body_add(world, fixed, solid);
        dem_polyhedron_destroy(solid);
    } else {
        const dem_wall wall = mesh_wall(copy);
        (void)wall_add(world, &wall);
    }
    run(world, 1e-5, 0);
    loads_of(world, handle, load);
    dem_world_destroy(world);
}

/* A closed mesh has the force of a fixed body with it, but for R of the pair. */
static void as_a_fixed_body(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0xB0D1)};
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(2)};
    int touching = 0;
    for (int round = 0; round < test_rounds(60); ++round) {
        dem_polyhedron *own = shape[round % 2];
        dem_mesh *mesh =
            round / 2 % 2 ? solid_box(0.4, 0.5, 0.6) : solid_ellipsoid(2, 0.5, 0.5, 0.6);
        dem_polyhedron_properties is[2] = {{.struct_size = sizeof(is[0])},
                                           {.struct_size = sizeof(is[0])}};
        dem_polyhedron *other = shape_of(dem_mesh_retain(mesh));
        OK(dem_polyhedron_properties_get(own, &is[0]));
        OK(dem_polyhedron_properties_get(other, &is[1]));
        dem_body body = body_at(own, 0.0, 0.0, 0.0), fixed = body_at(other, 0.0, 0.0, 0.0);
        turn_at_random(&random, &body);
        for (int c = 0; c < 3; ++c)
            body.position[c] = test_uniform(&random, 0.35, 0.6);
        fixed.mobility = DEM_MOBILITY_FIXED;
        memcpy(fixed.position, is[1].centre, sizeof(fixed.position));
        memcpy(fixed.orientation, is[1].orientation, sizeof(fixed.orientation));
        double load[2][6];
        loads_on(&body, own, mesh, NULL, load[0]);
        loads_on(&body, own, mesh, &fixed, load[1]);
        const double factor = pow(1.0 + is[0].equivalent_radius / is[1].equivalent_radius, -0.75);
        for (int c = 0; c < 6; ++c)
            load[1][c] *= factor;
        touching += load[1][0] != 0.0;
        const double size = 1e-300 + fabs(load[1][0]) + fabs(load[1][1]) + fabs(load[1][2]);
        if (!(off_of(load[0], load[1], 6, size) < 1e-9))
            fail_msg("round %d: force %g %g %g on the mesh, %g %g %g on the body", round,
                     load[0][0], load[0][1], load[0][2], load[1][0], load[1][1], load[1][2]);
        dem_polyhedron_destroy(other);
        dem_mesh_destroy(mesh);
    }
    assert_true(touching > test_rounds(60) / 2);
    dem_polyhedron_destroy(shape[0]);
    dem_polyhedron_destroy(shape[1]);
}

/** A mesh that a box has beside it: a bump, or a container, with the outer sides of a box. */
static dem_mesh *beside_mesh(int container, int closed)
{
    double x[16][3];
    uint32_t facet[32][3];
    uint64_t facets = 0;
    for (int k = 0; k < 8; ++k)
        for (int m = 0; m < 3; ++m) {
            const double at = cube_vertices[k][m];
            x[k][m] =
                m == 2 ? 1.2 * at - (container ? 0.2 : 0.0) : (m == 0 ? 2.0 : 1.6) * (at - 0.5);
            x[8 + k][m] = m == 2 ? at : (m == 0 ? 1.6 : 1.2) * (at - 0.5);
        }
    for (int k = 0; k < 12; ++k) {
        const int floor = k < 2, lid = k == 2 || k == 3;
        if (!closed && (container ? lid : floor))
            continue;
        memcpy(facet[facets++], cube_facets[k], sizeof(facet[0]));
    }
    for (int k = 0; k < 12 && container && !closed; ++k) {
        if (k == 2 || k == 3)
            continue;
        for (int c = 0; c < 3; ++c) /* turned inside out */
            facet[facets][c] = 8 + cube_facets[k][(3 - c) % 3];
        ++facets;
    }
    static const uint32_t around[4] = {4, 5, 7, 6};
    for (uint32_t k = 0; k < 4 && container && !closed; ++k) {
        const uint32_t a = around[k], b = around[(k + 1) % 4];
        const uint32_t two[2][3] = {{a, b, 8 + b}, {a, 8 + b, 8 + a}};
        memcpy(facet[facets], two, sizeof(two));
        facets += 2;
    }
    return mesh_of(x, container && !closed ? 16 : 8, facet, facets);
}

/* What goes on behind a rim ends before another part of the surface: a body that is beside a bump
 * without a floor, and reaches below it, or that is outside of a container as high as its inner
 * floor, has the force of a closed box. */
static void beside(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0xBE51DE)};
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(2)};
    for (int container = 0; container < 2; ++container) {
        dem_mesh *open = beside_mesh(container, 0), *closed = beside_mesh(container, 1);
        int touching = 0;
        for (int round = 0; round < test_rounds(60); ++round) {
            const int axis = round / 2 % 2;
            double normal[3] = {0.0, 0.0, 0.0};
            normal[axis] = round / 4 % 2 ? 1.0 : -1.0;
            dem_body body = over_plane(&random, shape[round % 2], normal, 0.03);
            body.position[axis] += normal[axis] * (axis == 0 ? 1.0 : 0.8);
            body.position[2] += round % 3 ? 0.0 : 0.1;
            double load[2][6];
            loads_on(&body, shape[round % 2], open, NULL, load[0]);
            loads_on(&body, shape[round % 2], closed, NULL, load[1]);
            touching += load[1][axis] != 0.0;
            if (!(off_of(load[0], load[1], 6, 1e-300 + fabs(load[1][axis])) < 1e-9))
                fail_msg("container %d, round %d: force %g %g %g on the open mesh, %g %g %g on "
                         "the closed one",
                         container, round, load[0][0], load[0][1], load[0][2], load[1][0],
                         load[1][1], load[1][2]);
        }
        assert_true(touching > 30 || test_rounds(60) < 60);
        dem_mesh_destroy(open);
        dem_mesh_destroy(closed);
    }
    dem_polyhedron_destroy(shape[0]);
    dem_polyhedron_destroy(shape[1]);
}

/* A roof without a floor has the force of the closed one: ridges are no borders. */
static void on_a_ridge(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x400F)};
    const double x[6][3] = {{-1, -2, 0}, {1, -2, 0}, {0, -2, 0.7},
                            {-1, 2, 0},  {1, 2, 0},  {0, 2, 0.7}};
    const uint32_t facet[8][3] = {{0, 2, 5}, {0, 5, 3}, {2, 1, 4}, {2, 4, 5},
                                  {0, 1, 2}, {3, 5, 4}, {0, 4, 1}, {0, 3, 4}};
    dem_mesh *open = mesh_of(x, 6, facet, 4), *closed = mesh_of(x, 6, facet, 8);
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(2)};
    int touching = 0;
    for (int round = 0; round < test_rounds(40); ++round) {
        dem_body body = body_at(shape[round % 2], test_uniform(&random, -0.3, 0.3),
                                test_uniform(&random, -1.0, 1.0), test_uniform(&random, 1.0, 1.2));
        double load[2][6];
        turn_at_random(&random, &body);
        loads_on(&body, shape[round % 2], open, NULL, load[0]);
        loads_on(&body, shape[round % 2], closed, NULL, load[1]);
        touching += load[1][2] != 0.0;
        if (!(off_of(load[0], load[1], 6, 1e-300 + fabs(load[1][2])) < 1e-9))
            fail_msg("force %g %g %g on the open roof, %g %g %g on the closed one", load[0][0],
                     load[0][1], load[0][2], load[1][0], load[1][1], load[1][2]);
    }
    assert_true(touching > 20 || test_rounds(10) < 10);
    dem_mesh_destroy(open);
    dem_mesh_destroy(closed);
    dem_polyhedron_destroy(shape[0]);
    dem_polyhedron_destroy(shape[1]);
}

/* ------------------------------------------------------------------ rims and corners */

/** Adds the force of a volume V with S, and its moment with the centres and areas of two faces. */
static void load_add(double volume, const double area[3], const double centre[3][3], double radius,
                     double load[6])
{
    const double pull = 2.0 / 3.0 * MODULUS * pow(3.14159265358979323846, -1.25) *
                        pow(radius, -0.75) * pow(volume, 0.25);
    for (int f = 0; f < 3; ++f) {
        const int d = (f + 1) % 3, e = (f + 2) % 3;
        load[f] += pull * area[f]; /* along axis f */
        load[3 + d] += pull * centre[f][e] * area[f];
        load[3 + e] -= pull * centre[f][d] * area[f];
    }
}

/* A box that lies over the rim of a floor: what is beyond the rim has no force, and what is behind
 * pushes it outwards as the side of a table does. */
static void over_a_rim(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    const double x[4][3] = {{-3, -2, 0}, {0, -2, 0}, {0, 2, 0}, {-3, 2, 0}};
    const uint32_t facet[2][3] = {{0, 1, 2}, {0, 2, 3}};
    dem_mesh *mesh = mesh_of(x, 4, facet, 2);
    for (double out = -0.4; out < 0.45; out += 0.1)
        for (double deep = 1e-3; deep < 0.05; deep *= 5.0) {
            /* the principal axes of the shape: the longest side is along the first */
            const dem_body body = body_at(shape, out, 0.1, 0.3 - deep);
            const double on = 0.5 - out;
            const double area[3] = {0.8 * deep, 0.0, 0.8 * on};
            const double centre[3][3] = {{-out, 0.0, -0.3 + 0.5 * deep},
                                         {0.0, 0.0, 0.0},
                                         {-0.5 + 0.5 * on, 0.0, -0.3 + deep}};
            double load[6], expected[6] = {0.0};
            load_add(0.8 * on * deep, area, centre, is.equivalent_radius, expected);
            loads_on(&body, shape, mesh, NULL, load);
            if (!(off_of(load, expected, 6, expected[2]) < 1e-10))
                fail_msg("%g over the rim, %g deep: %g %g %g, %g %g %g, not %g %g %g, %g %g %g",
                         out, deep, load[0], load[1], load[2], load[3], load[4], load[5],
                         expected[0], expected[1], expected[2], expected[3], expected[4],
                         expected[5]);
        }
    /* under the floor, across what goes on behind the rim: there is nothing */
    double load[6];
    const dem_body under = body_at(shape, 0.2, 0.1, -0.35);
    loads_on(&under, shape, mesh, NULL, load);
    for (int c = 0; c < 6; ++c)
        assert_true(load[c] == 0.0);
    dem_mesh_destroy(mesh);
    dem_polyhedron_destroy(shape);
}

/* A floor that is smaller than the side of the box on it bears with all of its area, as no edge of
 * it crosses the box. A closed surface that is wholly inside a body is one of the two that may not
 * be so. */
static void under_the_body(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    const double x[4][3] = {{-0.1, -0.2, 0}, {0.3, -0.2, 0}, {0.3, 0.1, 0}, {-0.1, 0.1, 0}};
    const uint32_t facet[2][3] = {{0, 1, 2}, {0, 2, 3}};
    dem_mesh *mesh = mesh_of(x, 4, facet, 2), *closed = solid_box(0.1, 0.1, 0.1);
    for (double deep = 1e-3; deep < 0.05; deep *= 5.0) {
        const dem_body body = body_at(shape, 0.02, 0.03, 0.3 - deep);
        const double area[3] = {0.0, 0.0, 0.4 * 0.3};
        const double centre[3][3] = {{0.0}, {0.0}, {0.1 - 0.02, -0.05 - 0.03, -0.3 + deep}};
        double load[6], expected[6] = {0.0};
        load_add(area[2] * deep, area, centre, is.equivalent_radius, expected);
        loads_on(&body, shape, mesh, NULL, load);
        if (!(off_of(load, expected, 6, expected[2]) < 1e-10))
            fail_msg("%g deep: %g %g %g, %g %g %g, not %g %g", deep, load[0], load[1], load[2],
                     load[3], load[4], load[5], expected[2], expected[3]);
    }
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, PLAIN, 0.0, 1.0);
    const dem_body body = body_at(shape, 0.0, 0.0, 0.0);
    (void)body_add(world, &body, shape);
    const dem_wall wall = mesh_wall(closed);
    (void)wall_add(world, &wall);
    assert_int_equal(dem_step(world, 1e-4, 1), DEM_ERROR_OVERLAP);
    assert_non_null(strstr(dem_world_error(world), "one is wholly"));
    dem_world_destroy(world);
    dem_mesh_destroy(mesh);
    dem_mesh_destroy(closed);
    dem_polyhedron_destroy(shape);
}

/* A box in the corner of a room has a contact with each side, which reaches as far as the side. */
static void in_a_corner(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0xC04E)};
    dem_polyhedron *shape = box_shape();
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    dem_mesh *mesh = room_mesh(1.0, 1.2, 1.4, 12);
    const double half[3] = {0.5, 0.4, 0.3}, room[3] = {1.0, 1.2, 1.4};
    for (int round = 0; round < test_rounds(40); ++round) {
        double deep[3], sign[3], load[6], expected[6] = {0.0};
        dem_body body = body_at(shape, 0.0, 0.0, 0.0);
        for (int c = 0; c < 3; ++c) {
            deep[c] = pow(10.0, test_uniform(&random, -3.0, -1.5));
            sign[c] = test_uniform(&random, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;
            body.position[c] = sign[c] * (room[c] - half[c] + deep[c]);
        }
        for (int f = 0; f < 3; ++f) {
            double side[3], area[3], centre[3][3];
            for (int c = 0; c < 3; ++c)
                side[c] = c == f ? deep[c] : 2.0 * half[c] - deep[c];
            for (int g = 0; g < 3; ++g) {
                area[g] = side[(g + 1) % 3] * side[(g + 2) % 3] * (g == f ? -sign[g] : sign[g]);
                for (int c = 0; c < 3; ++c)
                    centre[g][c] = sign[c] * (c == g   ? half[c] - deep[c]
                                              : c == f ? half[c] - 0.5 * deep[c]
                                                       : -0.5 * deep[c]);
            }
            load_add(side[0] * side[1] * side[2], area, centre, is.equivalent_radius, expected);
        }
        loads_on(&body, shape, mesh, NULL, load);
        const double size = fabs(expected[0]) + fabs(expected[1]) + fabs(expected[2]);
        if (!(off_of(load, expected, 6, size) < 1e-9))
            fail_msg("%g %g %g, %g %g %g, not %g %g %g, %g %g %g", load[0], load[1], load[2],
                     load[3], load[4], load[5], expected[0], expected[1], expected[2], expected[3],
                     expected[4], expected[5]);
    }
    dem_mesh_destroy(mesh);
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ energy and momentum */

enum { BODIES = 4, ROOM_BOX, ROOM_BALL };

/** Boxes and ellipsoids that fly about in a mesh, which moves and turns. */
static dem_world *bodies_in_a_room(int room, int which, double friction, double restitution,
                                   double motion, int32_t threads)
{
    dem_world *world = world_of(5.0 * motion, threads, DEM_ISA_AUTO);
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(1)};
    test_random random = {UINT64_C(0x5EED)};
    model_set(world, which, friction, restitution);
    for (int k = 0; k < BODIES; ++k) {
        dem_body body =
            body_at(shape[k % 2], k % 2 ? -0.6 : 0.6, k / 2 % 2 ? -0.6 : 0.6, k % 3 ? 0.4 : -0.4);
        turn_at_random(&random, &body);
        for (int c = 0; c < 3; ++c) {
            body.velocity[c] = 1.5 * test_uniform(&random, -1.0, 1.0);
            body.angular_velocity[c] = test_uniform(&random, -1.0, 1.0);
        }
        (void)body_add(world, &body, shape[k % 2]);
    }
    dem_mesh *mesh = room_mesh(1.3, 1.3, 1.2, 12);
    if (room == ROOM_BALL) {
        dem_mesh_destroy(mesh);
        mesh = hollow_ball(3, 1.7);
    }
    dem_wall wall = mesh_wall(mesh);
    wall.angular_velocity[0] = 0.3 * motion;
    wall.angular_velocity[2] = 0.4 * motion;
    wall.velocity[1] = 0.2 * motion;
    (void)wall_add(world, &wall);
    dem_mesh_destroy(mesh);
    dem_polyhedron_destroy(shape[0]); /* the world has references */
    dem_polyhedron_destroy(shape[1]);
    return world;
}

/** By how much the balance is off at most, over the kinetic energy at the beginning. */
static double off_in_a_room(int room, int which, double friction, double restitution, double motion,
                            double dt)
{
    dem_world *world = bodies_in_a_room(room, which, friction, restitution, motion, 1);
    double worst = 0.0;
    run(world, dt, 0);
    const double before = balance_of(world), size = scene_energies(world).kinetic_translation;
    for (int n = 0; n < 10; ++n) {
        run(world, dt, (uint64_t)(0.06 / dt + 0.5));
        worst = fmax(worst, fabs(balance_of(world) - before) / size);
    }
    if (restitution < 1.0)
        assert_true(scene_energies(world).dissipated_normal > 0.05 * size);
    if (motion > 0.0)
        assert_true(fabs(scene_energies(world).work_boundary) > 0.01 * size);
    dem_world_destroy(world);
    return worst;
}

/* Sides, edges and corners of a room, and a hollow of many facets: energy is kept without friction
 * and damping, and the balance closes with them, while the room moves and turns. */
static void energy(void **state)
{
    (void)state;
    test_long();
    for (int room = ROOM_BOX; room <= ROOM_BALL; ++room)
        for (int which = PLAIN; which <= M1; ++which) {
            const double mu = which == M1 ? 0.4 : 0.0, e = which == M1 ? 0.8 : 1.0,
                         motion = which == M1 ? 1.0 : 0.0;
            const double coarse = off_in_a_room(room, which, mu, e, motion, 1e-4),
                         fine = off_in_a_room(room, which, mu, e, motion, 5e-5);
            printf("%s, %s: balance %.2g, at half of dt %.2g\n",
                   room == ROOM_BOX ? "room" : "hollow ball", model_names[which], coarse, fine);
            if (!(fine < 5e-6 && fine < coarse))
                fail_msg("balance of energy %g, at half of dt %g", coarse, fine);
        }
}

/* What bodies lose of their momenta the wall gets. */
static void momentum(void **state)
{
    (void)state;
    for (int room = ROOM_BOX; room <= ROOM_BALL; ++room) {
        dem_world *world = bodies_in_a_room(room, M1, 0.4, 0.8, 0.0, 1);
        double before[6], after[6];
        run(world, 1e-4, 0);
        OK(dem_world_impulses_reset(world));
        momenta_of_bodies(world, BODIES, before);
        run(world, 2e-4, (uint64_t)test_rounds(3000));
        momenta_of_bodies(world, BODIES, after);
        const dem_wall wall = wall_of(world, BODIES + 1);
        double size = 0.0;
        for (int c = 0; c < 3; ++c)
            size += fabs(wall.impulse[c]);
        printf("impulse on the wall: %g\n", size);
        assert_true(size > 10.0 || test_rounds(10) < 10);
        for (int c = 0; c < 6; ++c) {
            const double got = c < 3 ? wall.impulse[c] : wall.angular_impulse[c - 3];
            /* angular momenta and angular impulses are sums by the trapezoidal rule */
            if (!(fabs(after[c] - before[c] + got) < (c < 3 ? 1e-10 : 1e-4) * (1.0 + size)))
                fail_msg("momentum %d: %g from the wall, %g of the bodies", c, -got,
                         after[c] - before[c]);
        }
        dem_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ the same bits */

/* Three threads have the bits of one; a run in two parts with a snapshot between them those of one
 * run, as has a world that goes back to its mark. */
static void same_bits(void **state)
{
    (void)state;
    dem_world *world[3];
    uint64_t size, again_size;
    for (int k = 0; k < 2; ++k) {
        world[k] = bodies_in_a_room(ROOM_BOX, M1, 0.4, 0.8, 1.0, k ? 3 : 1);
        run(world[k], 2e-4, 1000);
    }
    for (uint64_t n = 0; n < 2000 && scene_counts(world[0]).contacts < 2; ++n) {
        run(world[0], 2e-4, 1);
        run(world[1], 2e-4, 1);
    }
    assert_true(scene_counts(world[0]).contacts >= 2);
    assert_true(scene_hash(world[0]) == scene_hash(world[1]));
    unsigned char *bytes = snapshot_of(world[0], &size);
    world[2] = world_of(0.0, 1, DEM_ISA_AUTO);
    if (dem_world_restore(world[2], bytes, size) != DEM_OK)
        fail_msg("%s", dem_world_error(world[2]));
    unsigned char *again = snapshot_of(world[2], &again_size);
    assert_true(again_size == size && memcmp(bytes, again, (size_t)size) == 0);
    OK(dem_world_mark(world[1]));
    for (int k = 0; k < 3; ++k)
        run(world[k], 2e-4, 200);
    const uint64_t hash = scene_hash(world[0]);
    assert_true(scene_hash(world[1]) == hash && scene_hash(world[2]) == hash);
    OK(dem_world_rewind(world[1]));
    run(world[1], 2e-4, 200);
    assert_true(scene_hash(world[1]) == hash);
    for (int k = 0; k < 3; ++k)
        dem_world_destroy(world[k]);
    free(bytes);
    free(again);
}

/* Contacts of two sides of a room have a number each, and are shown where they are. */
static void contacts(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    dem_mesh *mesh = room_mesh(1.0, 1.2, 1.4, 12);
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    const dem_wall wall = mesh_wall(mesh);
    model_set(world, M1, 0.4, 0.8);
    const dem_body body = body_at(shape, 0.505, 0.0, 1.11);
    (void)body_add(world, &body, shape);
    (void)wall_add(world, &wall);
    run(world, 1e-5, 2);
    uint64_t cursor = 0, count = 0, feature[2] = {0, 0};
    double sum = 0.0;
    dem_contact contact = {.struct_size = sizeof(contact)};
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK && count < 2) {
        feature[count++] = contact.key.feature;
        for (int c = 0; c < 3; ++c)
            sum += fabs(contact.normal[c]);
    }
    assert_int_equal(count, 2);
    assert_true(feature[0] != feature[1]);
    assert_true(sum > 2.0 && sum < 2.2); /* along two axes, but for the depth over the size */
    dem_world_destroy(world);
    dem_mesh_destroy(mesh);
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ memory */

/* Each allocation fails once: the call fails and changes nothing, and nothing is lost. */
static void short_of_memory(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    dem_mesh *mesh = room_mesh(1.0, 1.2, 1.4, 12);
    int failed = 0;
    for (uint64_t fail_at = 0;; ++fail_at) {
        short_heap heap = {0, UINT64_MAX, 0};
        dem_world_config config;
        OK(dem_world_config_init(&config));
        config.allocator = short_allocator(&heap);
        config.overlap_limit = 1.0;
        dem_world *world = NULL;
        OK(dem_world_create(&config, &world, NULL));
        model_set(world, M1, 0.3, 0.8);
        const dem_body body = body_at(shape, 0.505, 0.81, 1.11);
        const dem_wall wall = mesh_wall(mesh);
        (void)body_add(world, &body, shape);
        (void)wall_add(world, &wall);
        const uint64_t before = scene_hash(world);
        heap.fail_at = heap.calls + fail_at;
        const dem_status status = dem_step(world, 1e-5, 1);
        const int done = status == DEM_OK;
        if (!done) {
            ++failed;
            assert_int_equal(status, DEM_ERROR_MEMORY);
            assert_true(scene_hash(world) == before);
            run(world, 1e-5, 1);
        }
        assert_int_equal(scene_counts(world).contacts, 3);
        dem_world_destroy(world);
        assert_int_equal(heap.held, 0);
        if (done)
            break;
    }
    assert_true(failed > 40);
    dem_mesh_destroy(mesh);
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ refusals */

static void refused(const dem_world *world, dem_status status, dem_status expected,
                    const char *words)
{
    if (status != expected || strstr(dem_world_error(world), words) == NULL)
        fail_msg("status %d, not %d: %s", (int)status, (int)expected, dem_world_error(world));
}

/** A step beside a mesh fails; without the mesh, the next one does not. */
static void mesh_refused(dem_world *world, const void *x, uint64_t vertices, const void *facets,
                         uint64_t count, dem_status expected, const char *words)
{
    dem_mesh *mesh = mesh_of(x, vertices, facets, count);
    const dem_wall wall = mesh_wall(mesh);
    const uint64_t id = wall_add(world, &wall);
    dem_mesh_destroy(mesh);
    refused(world, dem_step(world, 1e-4, 1), expected, words);
    refused(world, dem_step(world, 1e-4, 1), expected, words);
    OK(dem_wall_remove(world, id));
    OK(dem_step(world, 1e-4, 1));
}

static void refusals(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, PLAIN, 0.0, 1.0);
    dem_body body = body_at(shape, 0.0, 0.0, 2.0);
    const dem_body_handle handle = body_add(world, &body, shape);
    /* sides that contradict each other */
    const double x[5][3] = {{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}, {0, 0, 1}};
    const uint32_t twisted[2][3] = {{0, 1, 2}, {0, 3, 2}};
    mesh_refused(world, x, 4, twisted, 2, DEM_ERROR_FORMAT, "different sides");
    const uint32_t three[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 2, 4}};
    mesh_refused(world, x, 5, three, 3, DEM_ERROR_FORMAT, "facet 0");
    /* 70 grooves */
    double groove[282][3];
    uint32_t facet[280][3];
    for (uint32_t k = 0; k <= 140; ++k)
        for (uint32_t m = 0; m < 2; ++m) {
            groove[2 * k + m][0] = 0.05 * k;
            groove[2 * k + m][1] = m ? 3.0 : -3.0;
            groove[2 * k + m][2] = k % 2 ? 0.1 : 0.0;
        }
    for (uint32_t k = 0; k < 140; ++k) {
        const uint32_t two[2][3] = {{2 * k, 2 * k + 2, 2 * k + 3}, {2 * k, 2 * k + 3, 2 * k + 1}};
        memcpy(facet[2 * (size_t)k], two, sizeof(two));
    }
    for (uint32_t k = 0; k < 282; ++k)
        groove[k][2] -= 5.0;
    mesh_refused(world, groove, 282, facet, 280, DEM_ERROR_RANGE, "faces between hollow edges");
    /* from behind */
    const uint32_t down[2][3] = {{0, 2, 1}, {0, 3, 2}};
    body.position[2] = 0.29;
    OK(dem_body_set_motion(world, handle, body.position, NULL, NULL, NULL));
    mesh_refused(world, x, 4, down, 2, DEM_ERROR_OVERLAP, "overlap");
    /* vertices that move */
    dem_mesh *mesh = mesh_of(x, 4, twisted, 1);
    const dem_wall wall = mesh_wall(mesh);
    const uint64_t id = wall_add(world, &wall);
    OK(dem_step(world, 1e-4, 1));
    OK(dem_wall_set_vertices(world, id, dem_mesh_vertices(mesh), NULL));
    refused(world, dem_step(world, 1e-4, 1), DEM_ERROR_STATE, "vertices of wall");
    dem_mesh_destroy(mesh);
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_plane), cmocka_unit_test(as_a_fixed_body),
        cmocka_unit_test(on_a_ridge),   cmocka_unit_test(over_a_rim),
        cmocka_unit_test(in_a_corner),  cmocka_unit_test(energy),
        cmocka_unit_test(momentum),     cmocka_unit_test(same_bits),
        cmocka_unit_test(contacts),     cmocka_unit_test(short_of_memory),
        cmocka_unit_test(refusals),     cmocka_unit_test(under_the_body),
        cmocka_unit_test(beside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
