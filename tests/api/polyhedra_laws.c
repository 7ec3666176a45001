/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedra_laws.c
X, energy, snapshots, advice on the time step, and what is refused.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/polyhedral.h"
#include "../support/scene.h"
#include "../support/solids.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/** K of DEM_POLYHEDRON_LAW_VOLUME_SQUARE, from the overlap at which spheres have Hertz's force. */
static double square_modulus(double at, double radius)
{
    return 2.0 * MODULUS / (3.0 * PI * PI * at * sqrt(at) * radius * radius * radius);
}

static double radius_of(const dem_polyhedron *shape)
{
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    return is.equivalent_radius;
}

/* ------------------------------------------------------------------ faces */

/* A box that stands on its face by U = K V^2/2 is a mass on the spring K A^2: it goes down and up
 * as such a mass does, at the place where its weight is held. */
static void a_face_is_a_spring(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0xFACE)};
    for (int round = 0; round < 12; ++round) {
        const double at = test_uniform(&random, 0.05, 0.5), half[3] = {0.5, 0.4, 0.3};
        dem_world *world =
            world_of_law(DEM_POLYHEDRON_LAW_VOLUME_SQUARE, at, 10.0, 1, DEM_ISA_AUTO);
        dem_polyhedron *shape = box_shape();
        const double up[3] = {0.0, 0.0, 1.0}, area = 4.0 * half[0] * half[1];
        const double spring = square_modulus(at, radius_of(shape)) * area * area;
        model_set(world, PLAIN, 0.0, 1.0);
        plane_add(world, up, 0.0);
        dem_body body = body_at(shape, 0.3, -0.2, 0.0);
        const double weight = 10.0 * body.mass, rest = weight / spring,
                     omega = sqrt(spring / body.mass);
        body.position[2] = half[2] - 1.5 * rest;
        const dem_body_handle handle = body_add(world, &body, shape);
        double worst = 0.0;
        const double dt = 0.01 / omega;
        for (int n = 1; n <= 600; ++n) {
            run(world, dt, 1);
            OK(dem_body_get(world, handle, &body));
            /* of the scheme: its frequency is higher by (omega dt)^2/24 */
            const double phase = omega * dt * n * (1.0 + 1e-4 / 24.0);
            const double depth = rest * (1.0 + 0.5 * cos(phase));
            worst = fmax(worst, fabs(half[2] - body.position[2] - depth) / rest);
        }
        if (!(worst < 1e-6))
            fail_msg("off by %g of the overlap at rest, %g m", worst, rest);
        dem_polyhedron_destroy(shape);
        dem_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ restitution, energy */

/* The restitution that is set is measured, head on, by all laws that have an energy. */
static void restitution(void **state)
{
    (void)state;
    static const int32_t laws[2] = {DEM_POLYHEDRON_LAW_VOLUME, DEM_POLYHEDRON_LAW_VOLUME_SQUARE};
    dem_polyhedron *shape = ellipsoid_shape(3);
    for (int l = 0; l < 2; ++l)
        for (double set = 0.5; set <= 1.0; set += 0.25) {
            dem_world *world = world_of_law(laws[l], 0.05, 0.0, 1, DEM_ISA_AUTO);
            const double up[3] = {0.0, 0.0, 1.0};
            model_set(world, PLAIN, 0.0, set);
            plane_add(world, up, 0.0);
            dem_body body = body_at(shape, 0.0, 0.0, 0.355);
            body.velocity[2] = -0.2;
            const dem_body_handle handle = body_add(world, &body, shape);
            run(world, 1e-4, 4000);
            OK(dem_body_get(world, handle, &body));
            if (!(fabs(body.velocity[2] / 0.2 - set) < 0.004) || scene_counts(world).contacts != 0)
                fail_msg("law %d: restitution %g, not %g", (int)laws[l], body.velocity[2] / 0.2,
                         set);
            dem_world_destroy(world);
        }
    dem_polyhedron_destroy(shape);
}

/** The most by which the energy of an elastic box and an ellipsoid in a room is off. */
static double off_in_a_room(double friction, double restitution, double dt)
{
    static const double normals[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                         {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    dem_world *world = world_of_law(DEM_POLYHEDRON_LAW_VOLUME_SQUARE, 0.1, 2.0, 1, DEM_ISA_AUTO);
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(2)};
    test_random random = {UINT64_C(0x400E)};
    double worst = 0.0;
    model_set(world, M1, friction, restitution);
    for (int k = 0; k < 6; ++k)
        plane_add(world, normals[k], 1.0);
    for (int k = 0; k < 2; ++k) {
        dem_body body = body_at(shape[k], k ? 0.4 : -0.4, 0.1, k ? 0.3 : -0.3);
        turn_at_random(&random, &body);
        for (int c = 0; c < 3; ++c)
            body.velocity[c] = test_uniform(&random, -1.0, 1.0);
        (void)body_add(world, &body, shape[k]);
        dem_polyhedron_destroy(shape[k]);
    }
    run(world, dt, 0);
    const double before = balance_of(world), size = scene_energies(world).kinetic_translation;
    int touching = 0;
    for (int n = 0; n < 100; ++n) {
        run(world, dt, (uint64_t)(2e-2 / dt + 0.5));
        worst = fmax(worst, fabs(balance_of(world) - before) / size);
        touching += scene_counts(world).contacts > 0;
    }
    assert_true(touching > 5);
    dem_world_destroy(world);
    return worst;
}

/* K V^2/2 is the energy of the force, and what dashpots and friction take is booked. */
static void energy(void **state)
{
    (void)state;
    test_long();
    for (int damped = 0; damped < 2; ++damped) {
        double worst[2];
        for (int fine = 0; fine < 2; ++fine)
            worst[fine] = off_in_a_room(damped ? 0.4 : 0.0, damped ? 0.7 : 1.0, fine ? 5e-5 : 1e-4);
        printf("balance%s: %g, at half of dt %g\n", damped ? ", damped" : "", worst[0], worst[1]);
        if (!(worst[1] < 1e-5 && worst[0] > 3.0 * worst[1]))
            fail_msg("balance %g, at half of dt %g", worst[0], worst[1]);
    }
}

/* ------------------------------------------------------------------ snapshots */

/** A box and a sphere of triangles that fall on a plane. */
static dem_world *falling(int32_t law, int32_t sums)
{
    dem_world_config config;
    dem_world *world = NULL;
    const double up[3] = {0.0, 0.0, 1.0};
    dem_polyhedron *shape = box_shape();
    OK(dem_world_config_init(&config));
    config.gravity[2] = -10.0;
    config.polyhedron_law = law;
    config.polyhedron_overlap = 0.3;
    config.sums = sums;
    config.force_range = config.torque_range = sums == DEM_SUMS_EXACT ? 1e6 : 0.0;
    OK(dem_world_create(&config, &world, NULL));
    model_set(world, M4, 0.4, 0.7);
    plane_add(world, up, 0.0);
    dem_body body = body_at(shape, 0.0, 0.0, 0.31);
    body.angular_velocity[0] = 0.5;
    if (sums != DEM_SUMS_EXACT)
        (void)body_add(world, &body, shape);
    dem_polyhedron_destroy(shape);
    return world;
}

/* A snapshot has the law: a run that goes on from it, in a world that was made for another law, has
 * the bits of one piece. */
static void snapshots(void **state)
{
    (void)state;
    for (int32_t law = DEM_POLYHEDRON_LAW_VOLUME; law <= DEM_POLYHEDRON_LAW_LAYER; ++law) {
        dem_world *one = falling(law, DEM_SUMS_FIXED_ORDER);
        dem_world *two = falling((law + 1) % 5, DEM_SUMS_FIXED_ORDER);
        uint64_t size = 0;
        run(one, 1e-4, 300);
        unsigned char *bytes = snapshot_of(one, &size);
        OK(dem_world_restore(two, bytes, size));
        free(bytes);
        run(one, 1e-4, 300);
        run(two, 1e-4, 300);
        assert_true(scene_counts(one).contacts > 0);
        assert_true(scene_hash(one) == scene_hash(two));
        dem_world_destroy(one);
        dem_world_destroy(two);
    }
}

/* It stands beside what a snapshot says of exact sums. */
static void beside_exact_sums(void **state)
{
    (void)state;
    dem_world *one = falling(DEM_POLYHEDRON_LAW_LAYER, DEM_SUMS_EXACT),
              *two = falling(DEM_POLYHEDRON_LAW_VOLUME, DEM_SUMS_FIXED_ORDER);
    uint64_t size = 0, again = 0;
    unsigned char *bytes = snapshot_of(one, &size);
    if (dem_world_restore(two, bytes, size) != DEM_OK)
        fail_msg("%s", dem_world_error(two));
    unsigned char *copy = snapshot_of(two, &again);
    assert_true(size == again && memcmp(bytes, copy, (size_t)size) == 0);
    free(bytes);
    free(copy);
    dem_world_destroy(one);
    dem_world_destroy(two);
}

/* ------------------------------------------------------------------ advice */

/* The advice for faces is half a period of two cubes on each other, which cannot turn more easily
 * than the advice takes them to; the closed form of a mass on a spring. */
static void advice(void **state)
{
    (void)state;
    dem_polyhedron *shape = shape_of(solid_box(0.5, 0.5, 0.5));
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    const double r = is.equivalent_radius, area = PI * r * r, pair = 0.5 * r;
    for (int32_t law = DEM_POLYHEDRON_LAW_VOLUME; law <= DEM_POLYHEDRON_LAW_LAYER; ++law)
        for (double over = 0.001; over < 0.2; over *= 10.0) {
            dem_world *world = world_of_law(law, 0.1, 0.0, 1, DEM_ISA_AUTO);
            dem_timestep_request request;
            dem_timestep_advice given = {.struct_size = sizeof(given)};
            model_set(world, PLAIN, 0.0, 1.0);
            dem_body body = body_at(shape, 0.0, 0.0, 0.0);
            (void)body_add(world, &body, shape);
            OK(dem_timestep_request_init(&request));
            request.face_overlap = over;
            OK(dem_world_timestep_advise(world, &request, &given));
            const double d = over * pair, v = area * d, contact = sqrt(area / (2.0 * PI));
            /* dF/dd of the five laws in turn, with V = A d */
            const double slope[5] = {MODULUS / 6.0 * pow(PI, -1.25) * pow(pair, -0.75) *
                                         pow(v, 0.25) * area / d,
                                     square_modulus(0.1, pair) * area * area,
                                     8.0 / 3.0 * MODULUS * contact, 2.0 * MODULUS * sqrt(pair * d),
                                     4.0 / 3.0 * MODULUS / (PI * sqrt(0.1) * pair) * area};
            const double arm = sqrt(0.75),
                         light = 2.0 * (1.0 / body.mass + arm * arm / body.inertia[0]);
            const double expected = PI / sqrt(slope[law] * light) / 40.0;
            if (!(fabs(given.face - expected) < 1e-12 * expected))
                fail_msg("law %d: %g s, not %g", (int)law, given.face, expected);
            assert_true(given.face_id == 1);
            dem_world_destroy(world);
        }
    dem_polyhedron_destroy(shape);
}

/* Of equal limits that of the first row is named, wherever its body is among the others. */
static void advice_of_equals(void **state)
{
    (void)state;
    enum { PLACES = 24 };
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_polyhedron *shape = box_shape();
    dem_timestep_advice given = {.struct_size = sizeof(given)};
    model_set(world, PLAIN, 0.0, 1.0);
    for (int k = 0; k < PLACES; ++k) { /* rows come in another order than bodies */
        const dem_body body = body_at(shape, 3.0 * ((k * 11 + 5) % PLACES), 0.0, 0.0);
        (void)body_add(world, &body, shape);
    }
    run(world, 1e-9, 1);
    OK(dem_world_rebuild_order(world));
    run(world, 1e-9, 1);
    dem_view view = {.struct_size = sizeof(view)};
    OK(dem_world_view(world, DEM_FIELD_POSITION, &view));
    const double first = *(const double *)view.data;
    OK(dem_world_timestep_advise(world, NULL, &given));
    dem_particle_handle handle;
    dem_particle p = {.struct_size = sizeof(p)};
    OK(dem_particle_find(world, given.face_id, &handle));
    OK(dem_particle_get(world, handle, &p));
    assert_true(given.face_id != 1 && p.position[0] == first);
    dem_polyhedron_destroy(shape);
    dem_world_destroy(world);
}

/* Without polyhedra that may move there is none. */
static void no_advice(void **state)
{
    (void)state;
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_polyhedron *shape = box_shape();
    dem_timestep_advice given = {.struct_size = sizeof(given)};
    model_set(world, PLAIN, 0.0, 1.0);
    dem_body body = body_at(shape, 0.0, 0.0, 0.0);
    body.mobility = DEM_MOBILITY_FIXED;
    (void)body_add(world, &body, shape);
    OK(dem_world_timestep_advise(world, NULL, &given));
    assert_true(given.face == 0.0 && given.face_id == 0);
    dem_polyhedron_destroy(shape);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ refusals */

static void refuses(const dem_world_config *config, dem_status expected, const char *names)
{
    dem_world *world = NULL;
    dem_error error;
    assert_int_equal(dem_world_create(config, &world, &error), expected);
    assert_null(world);
    if (strstr(error.message, names) == NULL)
        fail_msg("\"%s\" does not name %s", error.message, names);
}

static void refusals(void **state)
{
    (void)state;
    const double overlaps[] = {0.0, -0.1, 1.0001, (double)NAN, (double)INFINITY};
    dem_world_config config;
    OK(dem_world_config_init(&config));
    assert_int_equal(config.polyhedron_law, DEM_POLYHEDRON_LAW_VOLUME);
    assert_true(config.polyhedron_overlap == 0.05);
    for (int32_t law = -1; law <= 5; law += 6) {
        config.polyhedron_law = law;
        refuses(&config, DEM_ERROR_UNKNOWN, "polyhedron_law");
    }
    config.polyhedron_law = DEM_POLYHEDRON_LAW_LAYER;
    for (size_t k = 0; k < sizeof overlaps / sizeof overlaps[0]; ++k) {
        config.polyhedron_overlap = overlaps[k];
        refuses(&config, DEM_ERROR_RANGE, "polyhedron_overlap");
    }
    config.polyhedron_overlap = 1.0;
    config.reserved_polyhedron = 1;
    refuses(&config, DEM_ERROR_UNKNOWN, "reserved_polyhedron");
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_timestep_request request;
    dem_timestep_advice given = {.struct_size = sizeof(given)};
    OK(dem_timestep_request_init(&request));
    for (size_t k = 0; k < sizeof overlaps / sizeof overlaps[0]; ++k) {
        request.face_overlap = overlaps[k];
        assert_int_equal(dem_world_timestep_advise(world, &request, &given), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_world_error(world), "face_overlap"));
    }
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ rolling resistance */

static void rolling_set(dem_world *world, double friction)
{
    dem_contact_model model;
    dem_hertz hertz;
    dem_rolling_constant rolling;
    OK(dem_contact_model_init(&model));
    OK(dem_hertz_init(&hertz));
    OK(dem_rolling_constant_init(&rolling));
    hertz.young[0] = 2.0 * MODULUS * (1.0 - 0.25 * 0.25);
    hertz.poisson[0] = 0.25;
    hertz.restitution = 1.0;
    rolling.friction = friction;
    OK(dem_contact_model_add_hertz(&model, &hertz));
    OK(dem_contact_model_add_rolling_constant(&model, &rolling));
    OK(dem_contact_model_set(world, 0, 0, &model));
}

/* The torque of a face that rolls is mu_r F R*, at any depth, with R* of spheres as large as the
 * bodies: on a plane, on a mesh and on another box. */
static void rolling_resistance(void **state)
{
    (void)state;
    enum { PLANE, MESH, BOX, UNDER };
    static const double floor[4][3] = {
        {-9.0, -9.0, 0.0}, {9.0, -9.0, 0.0}, {9.0, 9.0, 0.0}, {-9.0, 9.0, 0.0}};
    static const uint32_t facets[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const double friction = 0.05, up[3] = {0.0, 0.0, 1.0};
    for (int round = 0; round < 2 * 3 * UNDER; ++round) {
        const int under = round % UNDER, law = round / UNDER % 2;
        const double deep = 0.02 * pow(0.01, round / UNDER / 2);
        dem_world *world =
            world_of_law(law == 0 ? DEM_POLYHEDRON_LAW_VOLUME : DEM_POLYHEDRON_LAW_VOLUME_SQUARE,
                         0.05, 0.0, 1, DEM_ISA_AUTO);
        dem_polyhedron *shape = box_shape();
        dem_polyhedron *block = shape_of(solid_box(2.0, 3.0, 0.5));
        const double r = radius_of(shape), other = radius_of(block),
                     radius = under == BOX ? r * other / (r + other) : r;
        rolling_set(world, friction);
        dem_body body = body_at(shape, 0.0, 0.0, 0.3 - deep);
        body.angular_velocity[0] = 0.6;
        body.angular_velocity[1] = 0.8;
        const dem_body_handle handle = body_add(world, &body, shape);
        if (under == PLANE)
            plane_add(world, up, 0.0);
        if (under == MESH) {
            dem_wall wall;
            OK(dem_wall_init(&wall));
            wall.shape = DEM_SHAPE_MESH;
            wall.mesh = mesh_of(floor, 4, facets, 2);
            OK(dem_wall_add(world, &wall, NULL));
            dem_mesh_destroy(wall.mesh);
        }
        if (under == BOX) {
            dem_body fixed = body_at(block, 0.01, 0.02, -0.5);
            fixed.mobility = DEM_MOBILITY_FIXED;
            (void)body_add(world, &fixed, block);
        }
        double load[6];
        run(world, 1e-7, 1);
        loads_of(world, handle, load);
        const double want = friction * load[2] * radius;
        for (int c = 0; c < 2; ++c)
            if (!(fabs(load[3 + c] + want * body.angular_velocity[c]) < 1e-4 * want))
                fail_msg("round %d: torque %g and not %g", round, load[3 + c],
                         -want * body.angular_velocity[c]);
        dem_polyhedron_destroy(block);
        dem_polyhedron_destroy(shape);
        dem_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_is_a_spring),
        cmocka_unit_test(restitution),
        cmocka_unit_test(energy),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(beside_exact_sums),
        cmocka_unit_test(advice),
        cmocka_unit_test(no_advice),
        cmocka_unit_test(advice_of_equals),
        cmocka_unit_test(refusals),
        cmocka_unit_test(rolling_resistance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
