/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedra_of_parts.c
 * Bodies of several polyhedra: force and moments are the sums of those of their parts at level 1,
 * the balances of energy and momentum, images of parts, and snapshots.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/polyhedral.h"
#include "../support/scene.h"
#include "../support/solids.h"

#include <math.h>
#include <string.h>

enum { PARTS = 2 };

/** Where the parts are in the axes of the body: not in a line with its centre. */
static const double centres[PARTS][3] = {{0.10, 0.02, 0.08}, {-0.06, 0.05, -0.07}};

/** Two bars or two ellipsoids, of which one lies across the other. */
static void cross_shapes(int round, dem_polyhedron *shape[PARTS])
{
    shape[0] = shape_of(round ? solid_ellipsoid(3, 0.5, 0.25, 0.2) : solid_box(0.5, 0.16, 0.12));
    shape[1] = shape_of(round ? solid_ellipsoid(2, 0.2, 0.45, 0.3) : solid_box(0.14, 0.45, 0.2));
}

static void shapes_free(dem_polyhedron *shape[PARTS])
{
    for (int p = 0; p < PARTS; ++p)
        dem_polyhedron_destroy(shape[p]);
}

/** A body of the two with mass and moments as if it were symmetric. */
static dem_body cross_at(dem_polyhedron *const shape[PARTS], double x, double y, double z)
{
    dem_body body = body_at(shape[0], x, y, z);
    const dem_body more = body_at(shape[1], x, y, z);
    for (int c = 0; c < 3; ++c)
        body.inertia[c] += more.inertia[c] + 0.01 * (body.mass + more.mass);
    body.mass += more.mass;
    return body;
}

static dem_body_handle cross_add(dem_world *world, const dem_body *body,
                                 dem_polyhedron *const shape[PARTS])
{
    dem_body_part part[PARTS];
    dem_body_handle handle;
    for (int p = 0; p < PARTS; ++p) {
        OK(dem_body_part_init(&part[p]));
        memcpy(part[p].centre, centres[p], sizeof(centres[p]));
        part[p].shape = shape[p];
    }
    if (dem_body_add(world, body, PARTS, part, &handle) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    return handle;
}

/* ------------------------------------------------------------------ sums of the parts */

static void cross_product(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; ++c)
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

/** The motion of a part, and how far it is from the centre of mass. */
static dem_polyhedron_motion part_of(const dem_world *world, dem_body_handle handle,
                                     dem_polyhedron *const shape[PARTS], int p, double away[3])
{
    dem_polyhedron_motion m = motion_of(world, handle, shape[p]);
    double turns[3];
    memcpy(away, centres[p], sizeof(centres[p]));
    dem_kernel_rotation_to_space(m.orientation, away);
    cross_product(m.angular_velocity, away, turns);
    for (int c = 0; c < 3; ++c) {
        m.position[c] += away[c];
        m.velocity[c] += turns[c];
    }
    return m;
}

/** How heavy a body is for a force along the normal on one of its parts. */
static double mass_of(const dem_body *body, const dem_polyhedron_motion *m, const double away[3],
                      const double normal[3], const double arm[3])
{
    double t[3];
    cross_product(away, normal, t);
    for (int c = 0; c < 3; ++c)
        t[c] += arm[c];
    return dem_polyhedron_mass(body->mass, body->inertia, m->orientation, t);
}

/** Adds what two parts do to each other; whether they touch. */
static int pair_add(dem_polyhedron_search *search, dem_world *world, const dem_body body[2],
                    const dem_body_handle handle[2], dem_polyhedron *const shape[PARTS],
                    const int part[2], double restitution, double sum[2][6])
{
    dem_polyhedron_contact contact = {.struct_size = sizeof(contact)};
    dem_polyhedron_load load = {.struct_size = sizeof(load)};
    dem_polyhedron_law law;
    dem_polyhedron_motion m[2];
    double away[2][3], inverse = 0.0, curvature = 0.0;
    for (int k = 0; k < 2; ++k)
        m[k] = part_of(world, handle[k], shape, part[k], away[k]);
    OK(dem_polyhedron_search_pair(search, &m[0], &m[1], NULL, &contact));
    if (contact.state != DEM_POLYHEDRON_TOUCHING)
        return 0;
    for (int k = 0; k < 2; ++k) {
        dem_polyhedron_properties is = {.struct_size = sizeof(is)};
        OK(dem_polyhedron_properties_get(shape[part[k]], &is));
        curvature += 1.0 / is.equivalent_radius;
        inverse += 1.0 / mass_of(&body[k], &m[k], away[k], contact.normal,
                                 k == 0 ? contact.arm_first : contact.arm_second);
    }
    OK(dem_polyhedron_law_init(&law));
    law.modulus = MODULUS;
    law.radius = 1.0 / curvature;
    OK(dem_kernel_damping_ratio_cut(restitution, &law.damping_ratio));
    OK(dem_polyhedron_force(&law, &contact, 1.0 / inverse, &load, NULL));
    for (int k = 0; k < 2; ++k) {
        const double *own = k == 0 ? load.moment_first : load.moment_second;
        double force[3], moment[3];
        for (int c = 0; c < 3; ++c)
            force[c] = k == 0 ? load.force[c] : -load.force[c];
        cross_product(away[k], force, moment);
        for (int c = 0; c < 3; ++c) {
            sum[k][c] += force[c];
            sum[k][3 + c] += own[c] + moment[c];
        }
    }
    return 1;
}

/* What acts on two bodies is the sum over pairs of parts; parts of one body do not touch. */
static void sums_of_parts(void **state)
{
    (void)state;
    dem_polyhedron_search *search = NULL;
    dem_polyhedron_search_config config;
    test_random random = {UINT64_C(0xC0551)};
    int several = 0;
    OK(dem_polyhedron_search_config_init(&config));
    OK(dem_polyhedron_search_create(&config, &search, NULL));
    for (int round = 0; round < 60; ++round) {
        const double restitution = round / 2 % 2 == 0 ? 1.0 : 0.7;
        dem_polyhedron *shape[PARTS];
        dem_body body[2];
        dem_body_handle handle[2];
        double sum[2][6], load[6];
        int touching = 0;
        memset(sum, 0, sizeof(sum));
        cross_shapes(round % 2, shape);
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        model_set(world, PLAIN, 0.0, restitution);
        for (int k = 0; k < 2; ++k) {
            body[k] = cross_at(shape, 0.0, 0.0, 0.0);
            turn_at_random(&random, &body[k]);
            for (int c = 0; c < 3; ++c) {
                body[k].position[c] = k == 0 ? 0.0 : test_uniform(&random, 0.22, 0.42);
                body[k].velocity[c] = 0.1 * test_uniform(&random, -1.0, 1.0);
                body[k].angular_velocity[c] = 0.1 * test_uniform(&random, -1.0, 1.0);
            }
            handle[k] = cross_add(world, &body[k], shape);
        }
        run(world, 1e-4, 0);
        for (int n = 0; n < PARTS * PARTS; ++n)
            touching += pair_add(search, world, body, handle, shape, (int[2]){n / PARTS, n % PARTS},
                                 restitution, sum);
        several += touching > 1;
        assert_int_equal(scene_counts(world).contacts, touching);
        for (int k = 0; k < 2; ++k) {
            loads_of(world, handle[k], load);
            compare(load, sum[k], sum[k] + 3);
        }
        dem_world_destroy(world);
        shapes_free(shape);
    }
    assert_true(several > 20);
    dem_polyhedron_search_destroy(search);
}

/* ------------------------------------------------------------------ balances */

/** Two bodies on their way to hit each other off their centres. */
static dem_world *two_crosses(int which, int round, double friction, double restitution,
                              int32_t threads, int32_t isa)
{
    dem_world *world = world_of(0.0, threads, isa);
    dem_polyhedron *shape[PARTS];
    test_random random = {UINT64_C(0x2B1C)};
    model_set(world, which, friction, restitution);
    cross_shapes(round, shape);
    for (int k = 0; k < 2; ++k) {
        dem_body body = cross_at(shape, k ? 0.2 : 0.0, k ? 0.15 : 0.0, k ? 0.9 : 0.0);
        turn_at_random(&random, &body);
        for (int c = 0; c < 3; ++c) {
            body.velocity[c] = test_uniform(&random, -0.2, 0.2);
            body.angular_velocity[c] = test_uniform(&random, -1.0, 1.0);
        }
        body.velocity[2] = k ? -0.5 : 0.5;
        (void)cross_add(world, &body, shape);
    }
    shapes_free(shape);
    return world;
}

/* How far the balance of energies is off at most while the two touch, over what they had. */
static double worst_balance(int which, int round, double friction, double restitution, double dt)
{
    dem_world *world = two_crosses(which, round, friction, restitution, 1, DEM_ISA_AUTO);
    run(world, dt, 0);
    const double before = balance_of(world), size = before;
    double worst = 0.0, deepest = 0.0;
    uint64_t contacts = 0;
    for (int n = 0; n < 400; ++n) {
        run(world, dt, (uint64_t)(2e-3 / dt + 0.5));
        worst = fmax(worst, fabs(balance_of(world) - before) / size);
        deepest = fmax(deepest, scene_energies(world).elastic / size);
        contacts =
            scene_counts(world).contacts > contacts ? scene_counts(world).contacts : contacts;
    }
    assert_true(deepest > 0.1 && contacts > 1);
    assert_int_equal(scene_counts(world).contacts, 0); /* they have parted */
    assert_true(friction == 0.0 || scene_energies(world).dissipated_slip > 1e-3 * size);
    dem_world_destroy(world);
    return worst;
}

/* With and without friction and damping the balance closes to second order in dt. */
static void energy(void **state)
{
    (void)state;
    static const struct {
        int which, round;
        double friction, restitution;
    } cases[] = {{PLAIN, 1, 0.0, 1.0}, {M1, 1, 0.4, 1.0}, {M3, 1, 0.4, 0.8}, {PLAIN, 0, 0.0, 1.0}};
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k) {
        double worst[2];
        for (int fine = 0; fine < 2; ++fine)
            worst[fine] = worst_balance(cases[k].which, cases[k].round, cases[k].friction,
                                        cases[k].restitution, fine ? 1e-4 : 2e-4);
        printf("# balance of %s, %s: %g, %g\n", model_names[cases[k].which],
               cases[k].round ? "ellipsoids" : "bars", worst[0], worst[1]);
        if (!(worst[1] < 1e-5 && worst[0] > 3.0 * worst[1]))
            fail_msg("balance of energy %g, at half of dt %g", worst[0], worst[1]);
    }
}

/** Momentum of the two bodies, and angular momentum about the origin. */
static void momenta(const dem_world *world, double sum[6])
{
    memset(sum, 0, 6 * sizeof(double));
    for (uint64_t id = 1; id <= 2; ++id) {
        dem_body_handle handle;
        dem_body b = {.struct_size = sizeof(b)};
        double spin[3], orbit[3];
        OK(dem_body_find(world, id, &handle));
        OK(dem_body_get(world, handle, &b));
        memcpy(spin, b.angular_velocity, sizeof(spin));
        dem_kernel_rotation_to_body(b.orientation, spin);
        for (int c = 0; c < 3; ++c)
            spin[c] *= b.inertia[c];
        dem_kernel_rotation_to_space(b.orientation, spin);
        cross_product(b.position, b.velocity, orbit);
        for (int c = 0; c < 3; ++c) {
            sum[c] += b.mass * b.velocity[c];
            sum[3 + c] += spin[c] + b.mass * orbit[c];
        }
    }
}

static void momentum(void **state)
{
    (void)state;
    for (int which = PLAIN; which < ROLLING; ++which) {
        dem_world *world = two_crosses(which, 0, 0.4, 0.8, 1, DEM_ISA_AUTO);
        double before[6], after[6];
        momenta(world, before);
        run(world, 1e-4, 8000);
        momenta(world, after);
        assert_true(scene_energies(world).dissipated_normal > 1.0);
        for (int c = 0; c < 6; ++c)
            if (!(fabs(after[c] - before[c]) < 1e-10))
                fail_msg("%s: momentum %d is off by %g", model_names[which], c,
                         after[c] - before[c]);
        dem_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ images */

/* Bodies of which some parts are beyond a periodic boundary have the loads of those in the middle,
 * with the mass that the dashpot sees. */
static void through_a_boundary(void **state)
{
    (void)state;
    static const double begin[] = {1.5, 3.43, 3.75, 3.95};
    double load[4][6];
    for (int n = 0; n < 4; ++n) {
        dem_world_config config;
        OK(dem_world_config_init(&config));
        config.boundary[0] = DEM_BOUNDARY_PERIODIC;
        config.box_high[0] = 4.0;
        config.overlap_limit = 1.0;
        dem_world *world = NULL;
        OK(dem_world_create(&config, &world, NULL));
        model_set(world, M1, 0.4, 0.7);
        dem_polyhedron *shape[PARTS];
        cross_shapes(1, shape);
        dem_body body = cross_at(shape, begin[n], 0.0, 0.0);
        const dem_body_handle handle = cross_add(world, &body, shape);
        body.position[0] = fmod(begin[n] + 0.6, 4.0);
        body.position[1] = 0.1;
        body.position[2] = 0.15;
        body.velocity[0] = -0.3;
        body.angular_velocity[1] = 0.5;
        (void)cross_add(world, &body, shape);
        run(world, 1e-4, 50);
        assert_true(scene_counts(world).contacts > 1);
        loads_of(world, handle, load[n]);
        dem_world_destroy(world);
        shapes_free(shape);
        assert_true(fabs(load[n][0]) > 100.0);
        compare(load[n], load[0], load[0] + 3);
    }
}

/* ------------------------------------------------------------------ bits */

/* A run that goes on from a snapshot, or has more threads, has the bits of one run; a mark is where
 * the world was. Both shapes of a body are found again. */
static void same_bits(void **state)
{
    (void)state;
    for (int round = 0; round < 2; ++round) {
        dem_world *whole = two_crosses(M4, round, 0.4, 0.8, 1, DEM_ISA_BASELINE),
                  *split = world_of(0.0, 3, DEM_ISA_AUTO);
        uint64_t size, again_size;
        for (int n = 0; n < 1000 && scene_counts(whole).contacts < 2; ++n)
            run(whole, 1e-4, 10);
        assert_int_equal(scene_counts(whole).contacts, 2);
        unsigned char *bytes = snapshot_of(whole, &size);
        if (dem_world_restore(split, bytes, size) != DEM_OK)
            fail_msg("%s", dem_world_error(split));
        unsigned char *again = snapshot_of(split, &again_size);
        assert_true(again_size == size && memcmp(bytes, again, (size_t)size) == 0);
        OK(dem_world_mark(whole));
        run(whole, 1e-4, 700);
        OK(dem_world_rewind(whole));
        run(whole, 1e-4, 1000);
        run(split, 1e-4, 1000);
        assert_true(scene_hash(whole) == scene_hash(split));
        dem_world_destroy(whole);
        dem_world_destroy(split);
        free(bytes);
        free(again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_parts), cmocka_unit_test(energy),
        cmocka_unit_test(momentum),      cmocka_unit_test(through_a_boundary),
        cmocka_unit_test(same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
