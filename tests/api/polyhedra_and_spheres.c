/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedra_and_spheres.c
 * Spheres on convex polyhedra: as on a plane where that is flat, on edges and corners, in clumps;
 * energy, momentum, bits, snapshots, and centres within them.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/polyhedral.h"
#include "../support/polyhedral_balls.h"
#include "../support/scene.h"
#include "../support/solids.h"

#include <math.h>
#include <string.h>

enum { SPHERES = 4 };

/* ------------------------------------------------------------------ a flat face */

/** A ball hits the upper face of a fixed box, or a plane there, at an angle, and goes on. */
static dem_particle bounced(int plane, int model, double spin, double dt)
{
    dem_polyhedron *shape = box_shape();
    dem_world *world = world_of(9.81, 1, DEM_ISA_AUTO);
    model_at_contacts(world, model);
    if (plane) {
        plane_add(world, (const double[3]){0.0, 0.0, 1.0}, -0.3);
    } else {
        dem_body body = body_at(shape, 0.0, 0.0, 0.0);
        body.mobility = DEM_MOBILITY_FIXED;
        (void)body_add(world, &body, shape);
    }
    const dem_particle_handle handle = ball_add(world, (const double[3]){-0.15, 0.05, 0.4005}, 0.1);
    OK(dem_particle_set_motion(world, handle, NULL, (const double[3]){0.8, -0.2, -1.0},
                               (const double[3]){spin, 0.0, 0.0}));
    run(world, dt, (uint64_t)(0.09 / dt + 0.5));
    const dem_particle ball = ball_get(world, handle);
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
    return ball;
}

static void as_on_a_plane(void **state)
{
    (void)state;
    static const int models[3] = {PLAIN, M1, M4};
    for (int k = 0; k < 3; ++k) {
        const dem_particle box = bounced(0, models[k], 0.0, 1e-5),
                           plane = bounced(1, models[k], 0.0, 1e-5);
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs(box.position[c] - plane.position[c]) < 1e-12);
            assert_true(fabs(box.velocity[c] - plane.velocity[c]) < 1e-12);
            assert_true(fabs(box.angular_velocity[c] - plane.angular_velocity[c]) < 1e-11);
        }
        assert_true(plane.velocity[2] > 0.0 || plane.position[2] < 0.41);
    }
}

/* Where the ball spins as it comes, the first step of a contact has other arms than on a plane, by
 * half of what the ball moves in it: a difference of second order. */
static void spinning_on_a_plane(void **state)
{
    (void)state;
    double off[2] = {0.0, 0.0};
    for (int h = 0; h < 2; ++h) {
        const double dt = h == 0 ? 2e-5 : 1e-5;
        const dem_particle box = bounced(0, M1, 5.0, dt), plane = bounced(1, M1, 5.0, dt);
        for (int c = 0; c < 3; ++c)
            off[h] = fmax(off[h], fabs(box.position[c] - plane.position[c]));
    }
    printf("# spinning: %g %g m\n", off[0], off[1]);
    assert_true(off[1] < 2e-12 && fabs(off[0] / off[1] - 4.0) < 0.4);
}

/* The load on a box by a ball at a face, an edge and a corner: along the line to the nearest point,
 * as deep as the ball is nearer than its radius, with a moment about the centre. */
static void faces_edges_corners(void **state)
{
    (void)state;
    static const double nearest[4][3] = {
        {0.1, -0.2, 0.3}, {0.5, 0.1, 0.3}, {0.5, 0.4, 0.3}, {-0.5, 0.3, -0.1}};
    static const double way[4][3] = {
        {0.0, 0.0, 1.0}, {0.6, 0.0, 0.8}, {0.48, 0.64, 0.6}, {-1.0, 0.0, 0.0}};
    const double radius = 0.1, deep = 2e-3;
    for (int k = 0; k < 8; ++k) {
        dem_polyhedron *shape = box_shape();
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        double at[3], load[6], moment[3], force[3];
        model_set(world, PLAIN, 0.0, 1.0);
        const dem_body body = body_at(shape, 0.0, 0.0, 0.0);
        for (int c = 0; c < 3; ++c)
            at[c] = nearest[k % 4][c] + (radius - deep) * way[k % 4][c];
        /* each may be the one of the lower id */
        if (k < 4)
            (void)ball_add(world, at, radius);
        const dem_body_handle handle = body_add(world, &body, shape);
        if (k >= 4)
            (void)ball_add(world, at, radius);
        run(world, 1e-5, 0);
        loads_of(world, handle, load);
        const double size = 4.0 / 3.0 * MODULUS * sqrt(radius) * pow(deep, 1.5);
        for (int c = 0; c < 3; ++c)
            force[c] = -size * way[k % 4][c];
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            moment[c] = nearest[k % 4][d] * force[e] - nearest[k % 4][e] * force[d];
        }
        compare(load, force, moment);
        dem_world_destroy(world);
        dem_polyhedron_destroy(shape);
    }
}

static void normal_of(const double x[4][3], const uint32_t facet[3], double normal[3])
{
    double side[2][3], length = 0.0;
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 2; ++k)
            side[k][c] = x[facet[k + 1]][c] - x[facet[0]][c];
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        normal[c] = side[0][d] * side[1][e] - side[0][e] * side[1][d];
        length += normal[c] * normal[c];
    }
    for (int c = 0; c < 3; ++c)
        normal[c] /= sqrt(length);
}

/* A flat tetrahedron, whose edges are far sharper than right angles. A ball in the cone of the
 * normals of a corner touches the corner, or is apart from it, though one of its facets faces away
 * from the ball. */
static void sharp_corners(void **state)
{
    (void)state;
    static const double x[4][3] = {
        {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.1, 0.9, 0.0}, {0.4, 0.3, 0.08}};
    static const uint32_t facets[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    static const double radius = 0.1, deep[2] = {2e-3, -0.05};
    test_random random = {UINT64_C(0x51a27)};
    int away = 0;
    for (int k = 0; k < 96; ++k) {
        const uint32_t corner = (uint32_t)(k / 2 % 4);
        dem_polyhedron *shape = shape_of(mesh_of(x, 4, facets, 4));
        dem_polyhedron_properties is = {.struct_size = sizeof(is)};
        OK(dem_polyhedron_properties_get(shape, &is));
        dem_body body = body_at(shape, is.centre[0], is.centre[1], is.centre[2]);
        memcpy(body.orientation, is.orientation, sizeof(body.orientation));
        double normal[4][3], way[3] = {0.0}, at[3], load[6], force[3], moment[3];
        for (int f = 0; f < 4; ++f) {
            const int has =
                facets[f][0] == corner || facets[f][1] == corner || facets[f][2] == corner;
            const double weight = has ? test_uniform(&random, 0.0, 1.0) : 0.0;
            normal_of(x, facets[f], normal[f]);
            for (int c = 0; c < 3; ++c)
                way[c] += weight * normal[f][c];
        }
        const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        for (int f = 0; f < 4; ++f)
            away += normal[f][0] * way[0] + normal[f][1] * way[1] + normal[f][2] * way[2] < 0.0;
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        model_set(world, PLAIN, 0.0, 1.0);
        const dem_body_handle handle = body_add(world, &body, shape);
        for (int c = 0; c < 3; ++c) {
            way[c] /= length;
            at[c] = x[corner][c] + (radius - deep[k % 2]) * way[c];
        }
        (void)ball_add(world, at, radius);
        run(world, 1e-5, 0);
        loads_of(world, handle, load);
        const double size =
            deep[k % 2] > 0.0 ? 4.0 / 3.0 * MODULUS * sqrt(radius) * pow(deep[0], 1.5) : 0.0;
        for (int c = 0; c < 3; ++c)
            force[c] = -size * way[c];
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            moment[c] =
                (x[corner][d] - is.centre[d]) * force[e] - (x[corner][e] - is.centre[e]) * force[d];
        }
        compare(load, force, moment);
        dem_world_destroy(world);
        dem_polyhedron_destroy(shape);
    }
    assert_true(away > 96);
}

/* ------------------------------------------------------------------ many */

/** Two polyhedra, spheres and a clump that fly into each other. */
static dem_world *cloud_of(int model, double friction, double restitution, int32_t threads)
{
    dem_polyhedron *box = box_shape(), *ellipsoid = ellipsoid_shape(2);
    dem_world *world = world_of(0.0, threads, DEM_ISA_AUTO);
    model_set(world, model, friction, restitution);
    dem_body body[2] = {body_at(box, 0.0, 0.0, 0.0), body_at(ellipsoid, 1.3, 0.1, 0.2)};
    test_random random = {UINT64_C(0x1234567)};
    for (int k = 0; k < 2; ++k) {
        turn_at_random(&random, &body[k]);
        body[k].velocity[0] = k == 0 ? 0.5 : -0.5;
        body[k].angular_velocity[1] = 1.0;
        (void)body_add(world, &body[k], k == 0 ? box : ellipsoid);
    }
    for (int k = 0; k < SPHERES; ++k) {
        const double side[3] = {k == 1, k == 0 || k == 2, k == 3}, sign = k == 2 ? -1.0 : 1.0;
        double at[3], to[3];
        for (int c = 0; c < 3; ++c) {
            at[c] = 0.9 * sign * side[c] + (c == 0 ? 0.65 * (k != 1) - 1.6 * (k == 1) : 0.0);
            to[c] = (c == 0 && k != 1 ? 0.0 : -1.2) * sign * side[c];
        }
        to[0] = k == 1 ? 1.5 : to[0];
        const dem_particle_handle handle = ball_add(world, at, 0.12 + 0.01 * k);
        OK(dem_particle_set_motion(world, handle, NULL, to, NULL));
    }
    dem_body clump;
    dem_body_part part[2];
    OK(dem_body_init(&clump));
    clump.mass = 20.0;
    clump.inertia[0] = 0.2;
    clump.inertia[1] = clump.inertia[2] = 0.4;
    clump.position[2] = -0.9;
    clump.velocity[2] = 1.0;
    for (int k = 0; k < 2; ++k) {
        OK(dem_body_part_init(&part[k]));
        part[k].radius = 0.15;
        part[k].centre[0] = k == 0 ? -0.1 : 0.1;
    }
    OK(dem_body_add(world, &clump, 2, part, NULL));
    dem_polyhedron_destroy(box);
    dem_polyhedron_destroy(ellipsoid);
    return world;
}

/* The balance of energies closes to second order, and momenta are kept to round-off. */
static void conservation(void **state)
{
    (void)state;
    static const int models[3] = {PLAIN, M1, M4};
    for (int k = 0; k < 3; ++k) {
        double off[2];
        for (int half = 0; half < 2; ++half) {
            dem_world *world = cloud_of(models[k], 0.3 * (k > 0), k > 0 ? 0.8 : 1.0, 1);
            double before[6], after[6];
            run(world, half ? 5e-5 : 1e-4, 0);
            const double balance = balance_of(world);
            momenta_with_balls(world, 3, 3, 2 + SPHERES, before);
            run(world, half ? 5e-5 : 1e-4, half ? 20000 : 10000);
            off[half] = fabs(balance_of(world) - balance) / balance;
            momenta_with_balls(world, 3, 3, 2 + SPHERES, after);
            for (int c = 0; c < 6; ++c)
                assert_true(fabs(after[c] - before[c]) < 1e-12 * 111.0);
            const dem_world_energies e = scene_energies(world);
            assert_true(k == 0 || e.dissipated_slip > 1e-3 * balance);
            dem_world_destroy(world);
        }
        printf("# model %d: balance %.2g, %.2g\n", k, off[0], off[1]);
        assert_true(fabs(off[0] / off[1] - 4.0) < 0.5);
    }
}

/* ------------------------------------------------------------------ bits */

static void same_bits(void **state)
{
    (void)state;
    uint64_t size[3];
    unsigned char *bytes[3];
    for (int k = 0; k < 3; ++k) {
        dem_world *world = cloud_of(M4, 0.3, 0.8, k == 1 ? 3 : 1);
        run(world, 1e-4, 3000);
        if (k == 2) { /* in two parts */
            uint64_t part;
            unsigned char *kept = snapshot_of(world, &part);
            dem_world_destroy(world);
            world = world_of(0.0, 2, DEM_ISA_AUTO);
            if (dem_world_restore(world, kept, part) != DEM_OK)
                fail_msg("%s", dem_world_error(world));
            free(kept);
        }
        run(world, 1e-4, 3000);
        bytes[k] = snapshot_of(world, &size[k]);
        dem_world_destroy(world);
        assert_int_equal(size[k], size[0]);
        assert_memory_equal(bytes[k], bytes[0], size[0]);
    }
    for (int k = 0; k < 3; ++k)
        free(bytes[k]);
}

/* ------------------------------------------------------------------ refusals */

/* A centre within a polyhedron. */
static void centres_within(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    dem_world *world = NULL;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    OK(dem_world_create(&config, &world, NULL));
    model_set(world, PLAIN, 0.0, 1.0);
    const dem_body box = body_at(shape, 0.0, 0.0, 0.0);
    (void)body_add(world, &box, shape);
    (void)ball_add(world, (const double[3]){0.0, 0.0, 0.25}, 0.2);
    assert_int_equal(dem_step(world, 1e-4, 1), DEM_ERROR_OVERLAP);
    assert_non_null(strstr(dem_world_error(world), "particle 1 and particle 2: overlap 0.25"));
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_on_a_plane),       cmocka_unit_test(spinning_on_a_plane),
        cmocka_unit_test(faces_edges_corners), cmocka_unit_test(sharp_corners),
        cmocka_unit_test(conservation),        cmocka_unit_test(same_bits),
        cmocka_unit_test(centres_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
