/* SPDX-License-Identifier: MIT */
/**
 * @file bodies_on_walls.c
 * Clumps of spheres in a cylinder, in a cone and among meshes, all of which turn, with friction and
 * with adhesion: energy, momentum and angular momentum, and the bits.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/meshes.h"
#include "../support/scene.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ models */

/** Models of Li et al. (2022), M4 in the form of Mindlin and Deresiewicz, and JKR. */
enum { M1, M2, M3, M4, JKR, MODELS };
static const char *const model_names[MODELS] = {"M1", "M2", "M3", "M4", "JKR"};

static void model_set(dem_world *world, int which)
{
    dem_contact_model model;
    dem_hooke hooke;
    dem_friction friction;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_adhesion adhesion;
    OK(dem_contact_model_init(&model));
    OK(dem_hooke_init(&hooke));
    OK(dem_friction_init(&friction));
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_adhesion_init(&adhesion));
    hooke.stiffness_normal = 1e4;
    hertz.young[0] = adhesion.young[0] = 1e6;
    hertz.poisson[0] = adhesion.poisson[0] = 0.3;
    hooke.restitution = hertz.restitution = adhesion.restitution = 0.7;
    friction.friction = mindlin.friction = 0.4;
    adhesion.work_of_adhesion = 0.5;
    mindlin.stiffness_factor = which == M3 ? 2.0 / 3.0 : mindlin.stiffness_factor;
    if (which == M2) {
        OK(dem_contact_model_add_hooke(&model, &hooke));
        OK(dem_contact_model_add_friction(&model, &friction));
    } else if (which == JKR) {
        OK(dem_contact_model_add_jkr(&model, &adhesion));
        OK(dem_contact_model_add_mindlin(&model, &mindlin));
    } else {
        OK(dem_contact_model_add_hertz(&model, &hertz));
        OK(which == M4 ? dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin)
                       : dem_contact_model_add_mindlin(&model, &mindlin));
    }
    model.lever_arm = DEM_ARM_CONTACT; /* angular momentum is exact */
    if (dem_contact_model_set(world, 0, 0, &model) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
}

/* ------------------------------------------------------------------ walls */

enum { CYLINDER, CONE, MESHES, PLACES };
static const char *const place_names[PLACES] = {"cylinder", "cone", "meshes"};

/** A cube about the origin. */
static dem_mesh *cube_of(double size)
{
    double x[8][3];
    for (int k = 0; k < 8; ++k)
        for (int c = 0; c < 3; ++c)
            x[k][c] = size * (cube_vertices[k][c] - 0.5);
    return mesh_of(x, 8, cube_facets, 12);
}

static void wall_add(dem_world *world, int32_t shape, double spin, double size)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = shape;
    if (shape == DEM_SHAPE_MESH) {
        wall.mesh = cube_of(size);
    } else {
        wall.side = DEM_SIDE_INSIDE;
        wall.size[0] = shape == DEM_SHAPE_CONE ? 1.6 : 2.0;
        wall.size[1] = 3.6;
        wall.size[2] = shape == DEM_SHAPE_CONE ? 2.6 : 0.0;
    }
    wall.normal[1] = 0.3;
    wall.angular_velocity[0] = 0.3 * spin;
    wall.angular_velocity[1] = spin;
    wall.angular_velocity[2] = -0.7 * spin;
    if (dem_wall_add(world, &wall, NULL) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    dem_mesh_destroy(wall.mesh);
}

static void walls_add(dem_world *world, int place)
{
    if (place == CYLINDER)
        wall_add(world, DEM_SHAPE_CYLINDER, 0.8, 0.0);
    if (place == CONE)
        wall_add(world, DEM_SHAPE_CONE, 0.8, 0.0);
    if (place == MESHES) { /* from inside, and from outside with its edges and corners */
        wall_add(world, DEM_SHAPE_MESH, 0.5, 3.6);
        wall_add(world, DEM_SHAPE_MESH, -2.0, 0.5);
    }
}

/* ------------------------------------------------------------------ clumps */

enum { CLUMPS = 18, PARTS = 3 };

static void clump_add(dem_world *world, int k, test_random *random)
{
    static const double centres[PARTS][4] = {
        {0.0, 0.0, 0.0, 0.24}, {0.22, 0.05, 0.0, 0.2}, {-0.05, 0.18, 0.1, 0.18}};
    dem_body body;
    dem_body_part parts[PARTS];
    OK(dem_body_init(&body));
    for (int p = 0; p < PARTS; ++p) {
        OK(dem_body_part_init(&parts[p]));
        memcpy(parts[p].centre, centres[p], sizeof(parts[p].centre));
        parts[p].radius = centres[p][3];
    }
    OK(dem_clump_measure(2.0, PARTS, parts, &body, NULL, NULL));
    double length = 0.0;
    for (int c = 0; c < 4; ++c) {
        body.orientation[c] = test_uniform(random, -1.0, 1.0);
        length += body.orientation[c] * body.orientation[c];
    }
    for (int c = 0; c < 4; ++c)
        body.orientation[c] /= sqrt(length);
    body.position[0] = k % 3 - 1.0;
    body.position[1] = k / 3 % 2 ? 0.9 : -0.9;
    body.position[2] = (double)(k / 6) - 1.0;
    for (int c = 0; c < 3; ++c) {
        body.velocity[c] = test_uniform(random, -3.0, 3.0);
        body.angular_velocity[c] = test_uniform(random, -6.0, 6.0);
    }
    if (dem_body_add(world, &body, PARTS, parts, NULL) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
}

static dem_world *scene(int place, int model, double gravity, int32_t threads, int32_t isa)
{
    dem_world_config config = scene_config();
    config.gravity[2] = -gravity;
    config.threads = threads;
    config.isa = isa;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    model_set(world, model);
    walls_add(world, place);
    test_random random = {UINT64_C(0xC1A3) + (uint64_t)place};
    for (int k = 0; k < CLUMPS; ++k)
        clump_add(world, k, &random);
    return world;
}

static void run(dem_world *world, double dt, uint64_t steps)
{
    if (dem_step(world, dt, steps) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
}

/* ------------------------------------------------------------------ energy */

static double balance_of(const dem_world *world)
{
    const dem_world_energies e = scene_energies(world);
    return e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic +
           e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip - e.work_boundary;
}

/** What the balance is off by at most, over the energy of the beginning. */
static double off_balance(int place, int model, double dt)
{
    dem_world *world = scene(place, model, 10.0, 1, DEM_ISA_AUTO);
    run(world, dt, 0);
    const dem_world_energies first = scene_energies(world);
    const double before = balance_of(world), size = first.kinetic_translation;
    double worst = 0.0;
    for (int n = 0; n < 20; ++n) {
        run(world, dt, (uint64_t)(0.0125 / dt + 0.5));
        worst = fmax(worst, fabs(balance_of(world) - before) / size);
    }
    const dem_world_energies last = scene_energies(world);
    assert_true(last.dissipated_normal > 0.1 * size && last.dissipated_slip > 1e-3 * size);
    assert_true(fabs(last.work_boundary) > 1e-3 * size);
    dem_world_destroy(world);
    return worst;
}

/* The balance closes, four times as well at half of dt. */
static void energy(void **state)
{
    (void)state;
    test_long();
    for (int place = 0; place < PLACES; ++place)
        for (int model = 0; model < MODELS; ++model) {
            const double coarse = off_balance(place, model, 2e-4),
                         fine = off_balance(place, model, 1e-4);
            if (!(fine < 3e-4 && coarse > 3.0 * fine))
                fail_msg("%s %s: balance of energy %g, %g", place_names[place], model_names[model],
                         coarse, fine);
        }
}

/* ------------------------------------------------------------------ momentum */

/** Momentum of all bodies, and angular momentum about the origin. */
static void momenta(const dem_world *world, double sum[6])
{
    double x[CLUMPS][3], q[CLUMPS][4], v[CLUMPS][3], w[CLUMPS][3];
    dem_body_handle handle[CLUMPS];
    dem_body_arrays arrays;
    uint64_t cursor = 0, count = 0;
    OK(dem_body_arrays_init(&arrays));
    arrays.capacity = CLUMPS;
    arrays.handle = handle;
    arrays.position = x[0];
    arrays.orientation = q[0];
    arrays.velocity = v[0];
    arrays.angular_velocity = w[0];
    OK(dem_world_bodies_read(world, &cursor, &arrays, &count));
    assert_int_equal(count, CLUMPS);
    memset(sum, 0, 6 * sizeof(double));
    for (int k = 0; k < CLUMPS; ++k) {
        dem_body body = {.struct_size = sizeof(body)};
        double spin[3];
        OK(dem_body_get(world, handle[k], &body));
        memcpy(spin, w[k], sizeof(spin));
        dem_kernel_rotation_to_body(q[k], spin);
        for (int c = 0; c < 3; ++c)
            spin[c] *= body.inertia[c];
        dem_kernel_rotation_to_space(q[k], spin);
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            sum[c] += body.mass * v[k][c];
            sum[3 + c] += spin[c] + body.mass * (x[k][d] * v[k][e] - x[k][e] * v[k][d]);
        }
    }
}

/* What the bodies have lost is on the walls, to round-off. */
static void momentum(void **state)
{
    (void)state;
    const int models = test_slow() ? 1 : MODELS;
    for (int place = 0; place < PLACES; ++place)
        for (int model = 0; model < models; ++model) {
            dem_world *world = scene(place, model, 0.0, 1, DEM_ISA_AUTO);
            double before[6], after[6], size[2] = {0.0, 0.0}, off[2] = {0.0, 0.0};
            run(world, 2e-4, 0);
            OK(dem_world_impulses_reset(world));
            momenta(world, before);
            run(world, 2e-4, 1500);
            momenta(world, after);
            const uint64_t walls = scene_counts(world).walls;
            for (int c = 0; c < 6; ++c) {
                double impulse = 0.0;
                for (uint64_t id = 1; id <= walls; ++id) {
                    dem_wall wall = {.struct_size = sizeof(wall)};
                    OK(dem_wall_get(world, id, &wall));
                    impulse += c < 3 ? wall.impulse[c] : wall.angular_impulse[c - 3];
                }
                size[c / 3] = fmax(size[c / 3], fabs(impulse));
                off[c / 3] = fmax(off[c / 3], fabs(after[c] - before[c] + impulse));
            }
            if (!(off[0] < 1e-13 && off[1] < 1e-11 && size[0] > 0.1 && size[1] > 0.1))
                fail_msg("%s %s: momentum off by %g of %g, angular momentum by %g of %g",
                         place_names[place], model_names[model], off[0], size[0], off[1], size[1]);
            dem_world_destroy(world);
        }
}

/* ------------------------------------------------------------------ the same bits */

static void same_bits(void **state)
{
    (void)state;
    const int last = test_slow() ? M4 : JKR;
    for (int place = 0; place < PLACES; ++place)
        for (int model = M4; model <= last; ++model) {
            dem_world *one = scene(place, model, 10.0, 1, DEM_ISA_BASELINE),
                      *many = scene(place, model, 10.0, 3, DEM_ISA_AUTO);
            for (int n = 0; n < 12; ++n) {
                run(one, 2e-4, 100);
                for (int k = 0; k < 10; ++k)
                    run(many, 2e-4, 10);
                assert_true(scene_hash(one) == scene_hash(many));
            }
            assert_true(scene_energies(one).dissipated_normal > 1.0);
            assert_true(fabs(scene_energies(one).work_boundary) > 0.01);
            dem_world_destroy(one);
            dem_world_destroy(many);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy),
        cmocka_unit_test(momentum),
        cmocka_unit_test(same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
