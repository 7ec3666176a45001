/* SPDX-License-Identifier: MIT */
/**
 * @file mesh_deforms.c
 * Meshes whose vertices move while the wall turns: order in dt, what a wall without vertices does
 * that moves alike, and rates of the next step. `make shapes` prints the lines that begin with
 * paper=.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/report.h"
#include "../support/scene.h"

#define RADIUS 0.5
#include "../support/floors.h"
#include "../support/mesh_world.h"

#include <stdlib.h>

enum { SIDE = 3, VERTICES = SIDE * SIDE };

/** A plate, 4 by 4, of eight facets. */
static dem_mesh *plate_mesh(double (*x)[3])
{
    static const uint32_t facets[8][3] = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4},
                                          {3, 4, 7}, {3, 7, 6}, {4, 5, 8}, {4, 8, 7}};
    for (int k = 0; k < VERTICES; ++k) {
        x[k][0] = 2.0 * (k % SIDE) - 2.1;
        x[k][1] = 2.0 * (double)(k / SIDE) - 1.9;
        x[k][2] = 0.0;
    }
    return mesh_of(x, VERTICES, facets, 8);
}

/** How a plate moves: it turns, and its vertices have a velocity and a gradient of velocity. */
typedef struct motion {
    const char *name;
    double spin[3], velocity[3], gradient[3][3];
} motion;

/** A plate with a sphere that sticks to it and moves with it at first. */
static dem_world *plate_world(const motion *m, dem_particle_handle *handle, uint64_t *id)
{
    dem_world_config config = scene_config();
    dem_world *world = empty_world(&config, 20.0, 1.0);
    double x[VERTICES][3], v[VERTICES][3];
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = plate_mesh(x);
    wall.pivot[0] = 0.3;
    wall.pivot[2] = -0.2;
    memcpy(wall.angular_velocity, m->spin, sizeof(wall.angular_velocity));
    OK(dem_wall_add(world, &wall, id));
    dem_mesh_destroy(wall.mesh);
    for (int k = 0; k < VERTICES; ++k)
        for (int c = 0; c < 3; ++c)
            v[k][c] = m->velocity[c] + dot(m->gradient[c], x[k]);
    OK(dem_wall_set_vertices(world, *id, NULL, v[0]));
    dem_particle p = ball_at(0.4, 0.25, RADIUS - 1e-3);
    const double foot[3] = {0.4, 0.25, 0.0}, arm[3] = {0.1, 0.25, RADIUS + 0.2};
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        p.velocity[c] =
            m->velocity[c] + dot(m->gradient[c], foot) + m->spin[d] * arm[e] - m->spin[e] * arm[d];
        p.angular_velocity[c] = m->spin[c];
    }
    OK(dem_particle_add(world, &p, handle));
    return world;
}

#define PERIOD 0.06

static void plate_end(const motion *m, uint64_t steps, double x[3], double *balance)
{
    dem_particle_handle handle;
    uint64_t id;
    dem_world *world = plate_world(m, &handle, &id);
    const double dt = PERIOD / (double)steps;
    step(world, dt, 0);
    const double before = balance_of(world);
    step(world, dt, steps);
    assert_int_equal(scene_counts(world).contacts, 1);
    *balance = balance_of(world) - before;
    const dem_particle p = particle_of(world, handle);
    memcpy(x, p.position, sizeof(p.position));
    dem_world_destroy(world);
}

static double apart(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot(d, d));
}

static const motion motions[] = {
    {"deform-bend", {0, 0, 0}, {0.3, -0.2, 0.4}, {{0.3, 0, 0}, {0, 0.2, 0}, {0.5, -0.8, 0}}},
    {"deform-turn-lift", {1.5, -1.0, 3.0}, {0.9, -0.6, 0.5}, {{0}}},
    {"deform-turn-stretch",
     {1.5, -1.0, 3.0},
     {0.3, -0.2, 0.4},
     {{1.0, 0.3, 0}, {-0.2, 0.8, 0}, {0.5, 0.4, 0}}},
};
enum { MOTIONS = sizeof(motions) / sizeof(motions[0]) };

/* Normals, weights and arms are those of the middle of the step: positions and the balance of
 * energy are of second order in dt. */
static void second_order(void **state)
{
    (void)state;
    for (int k = 0; k < MOTIONS; ++k) {
        double x[2][3], fine[3], balance[2], unused;
        for (int n = 0; n < 2; ++n)
            plate_end(&motions[k], UINT64_C(300) << n, x[n], &balance[n]);
        plate_end(&motions[k], UINT64_C(300) << 5, fine, &unused);
        SHOWN(motions[k].name, "order-of-position", log2(apart(x[0], fine) / apart(x[1], fine)),
              2.0, 0.05);
        SHOWN(motions[k].name, "order-of-energy", log2(fabs(balance[0] / balance[1])), 2.0, 0.05);
        SHOWN(motions[k].name, "position/m", apart(x[1], fine), 0.0, 1e-8);
    }
}

/* A plate whose vertices all have one velocity while it turns: its centre of rotation is on a
 * spiral, on which another plate is led from step to step. */
static void led_plate(void **state)
{
    (void)state;
    static const motion lift = {"led", {1.5, -1.0, 3.0}, {0.9, -0.6, 0.5}, {{0}}};
    dem_world *world[2];
    dem_particle_handle handle[2];
    uint64_t id[2];
    const double dt = PERIOD / 4800.0, size = sqrt(dot(lift.spin, lift.spin));
    double way[3] = {0.0, 0.0, 0.0}, worst = 0.0, work = 0.0;
    for (int k = 0; k < 2; ++k)
        world[k] = plate_world(&lift, &handle[k], &id[k]);
    static const double still[VERTICES][3];
    OK(dem_wall_set_vertices(world[1], id[1], NULL, still[0]));
    for (int n = 1; n <= 4800; ++n) {
        /* the vertices have gone u t in a frame that has turned by w t */
        const double angle = size * dt * n, cosine = cos(angle), sine = sin(angle);
        const double along = dot(lift.spin, lift.velocity) / (size * size) * (1.0 - cosine);
        double velocity[3];
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            const double across = lift.spin[d] * lift.velocity[e] - lift.spin[e] * lift.velocity[d];
            const double to =
                dt * n * (cosine * lift.velocity[c] + sine / size * across + along * lift.spin[c]);
            velocity[c] = (to - way[c]) / dt;
            way[c] = to;
        }
        OK(dem_wall_set_velocity(world[1], id[1], velocity));
        for (int k = 0; k < 2; ++k)
            step(world[k], dt, 1);
        worst = fmax(worst, apart(particle_of(world[0], handle[0]).position,
                                  particle_of(world[1], handle[1]).position));
        work = fmax(work, fabs(wall_of(world[0], id[0]).work - wall_of(world[1], id[1]).work));
    }
    SHOWN("deform-led-plate", "position/m", worst, 0.0, 1e-10);
    SHOWN("deform-led-plate", "work/J", work, 0.0, 1e-9);
    assert_true(fabs(wall_of(world[0], id[0]).work) > 0.1);
    for (int k = 0; k < 2; ++k)
        dem_world_destroy(world[k]);
}

/* What the next step will dissipate knows how the surface moves. */
static void rates_ahead(void **state)
{
    (void)state;
    for (int k = 0; k < MOTIONS; ++k) {
        dem_particle_handle handle;
        uint64_t id;
        dem_world *world = plate_world(&motions[k], &handle, &id);
        const double dt = PERIOD / 2000.0, slides[3] = {-1.0, 0.5, 0.0};
        scene_model(world, 0, 0, STIFFNESS, 0.05, 0.5);
        OK(dem_particle_set_motion(world, handle, NULL, slides, NULL));
        step(world, dt, 20);
        dem_analysis_grid grid;
        dem_analysis_box box = {.struct_size = sizeof(box)};
        OK(dem_analysis_grid_init(&grid));
        grid.timestep = dt;
        OK(dem_world_boxes_analyse(world, &grid, 1, &box));
        const dem_world_energies before = scene_energies(world);
        step(world, dt, 1);
        const dem_world_energies after = scene_energies(world);
        const double normal = after.dissipated_normal - before.dissipated_normal,
                     slip = after.dissipated_slip - before.dissipated_slip;
        assert_true(normal > 1e-5 && slip > 1e-5);
        SHOWN(motions[k].name, "loss-ahead", box.dissipation_normal * dt / normal, 1.0, 2e-3);
        SHOWN(motions[k].name, "slip-ahead", box.dissipation_slip * dt / slip, 1.0, 5e-3);
        dem_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ the same bits */

/** Grains on a plate that turns and deforms; in the middle the world goes through a snapshot
 * (cut = 1), or back to a mark (cut = 2). */
static uint64_t grains_hash(int32_t threads, int32_t isa, int cut)
{
    const motion *m = &motions[MOTIONS - 1];
    const double dt = CONTACT_TIME / 40.0;
    dem_world_config config = scene_config();
    double x[VERTICES][3], v[VERTICES][3];
    config.threads = threads;
    config.isa = isa;
    dem_world *world = empty_world(&config, 0.4, 0.6);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = plate_mesh(x);
    wall.pivot[0] = 0.3;
    wall.angular_velocity[0] = 0.8;
    wall.angular_velocity[2] = 2.0;
    uint64_t id;
    OK(dem_wall_add(world, &wall, &id));
    dem_mesh_destroy(wall.mesh);
    for (int k = 0; k < VERTICES; ++k)
        for (int c = 0; c < 3; ++c)
            v[k][c] = m->velocity[c] + dot(m->gradient[c], x[k]);
    OK(dem_wall_set_vertices(world, id, NULL, v[0]));
    for (int k = 0; k < 128; ++k) {
        dem_particle p = ball_at(0.5 * (k % 8) - 1.8, 0.5 * (double)(k / 8 % 8) - 1.7,
                                 0.3 + 0.5 * (double)(k / 64));
        p.radius = 0.24 - 0.001 * (k % 7);
        p.velocity[2] = 0.1 * (k % 5);
        OK(dem_particle_add(world, &p, NULL));
    }
    step(world, dt, 500);
    assert_true(scene_counts(world).contacts > 20);
    if (cut == 1) {
        uint64_t size = 0;
        OK(dem_world_snapshot_size(world, &size));
        void *bytes = malloc(size);
        OK(dem_world_snapshot(world, bytes, size, NULL));
        dem_world_destroy(world);
        OK(dem_world_create(&config, &world, NULL));
        if (dem_world_restore(world, bytes, size) != DEM_OK)
            fail_msg("%s", dem_world_error(world));
        free(bytes);
    }
    if (cut == 2) {
        OK(dem_world_mark(world));
        step(world, dt, 101);
        OK(dem_world_rewind(world));
    }
    step(world, dt, 200);
    const uint64_t hash = scene_hash(world);
    dem_world_destroy(world);
    return hash;
}

static void same_bits(void **state)
{
    (void)state;
    const uint64_t one = grains_hash(1, DEM_ISA_AUTO, 0);
    assert_true(one == grains_hash(3, DEM_ISA_BASELINE, 0));
    assert_true(one == grains_hash(2, DEM_ISA_AUTO, 1));
    assert_true(one == grains_hash(1, DEM_ISA_AUTO, 2));
}

/** Vertices come to a sphere that stays: it touches before a list is built again. */
static void plate_rises(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.gravity[2] = 0.0;
    config.skin = 0.2;
    dem_world *world = empty_world(&config, 0.0, 1.0);
    double x[VERTICES][3], v[VERTICES][3] = {{0.0}};
    const uint64_t id = add_mesh(world, plate_mesh(x));
    const dem_particle p = ball_at(0.4, 0.25, RADIUS + 0.05);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    for (int k = 0; k < VERTICES; ++k)
        v[k][2] = 1.0;
    OK(dem_wall_set_vertices(world, id, NULL, v[0]));
    step(world, 1e-4, 0);
    const uint64_t rebuilds = scene_counts(world).rebuilds;
    step(world, 1e-4, 499);
    assert_int_equal(scene_counts(world).contacts, 0);
    step(world, 1e-4, 10);
    assert_int_equal(scene_counts(world).rebuilds, rebuilds);
    assert_int_equal(scene_counts(world).contacts, 1);
    assert_true(particle_of(world, handle).velocity[2] > 0.0);
    dem_world_destroy(world);
}

/** A plate at rest with a ball on it, whose vertices may be set. */
static dem_world *flat_world(uint64_t *id, double (*x)[3])
{
    dem_world_config config = scene_config();
    dem_world *world = empty_world(&config, 0.0, 1.0);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = plate_mesh(x);
    OK(dem_wall_add(world, &wall, id));
    dem_mesh_destroy(wall.mesh);
    const dem_particle p = ball_at(0.4, 0.25, RADIUS - 1e-3);
    OK(dem_particle_add(world, &p, NULL));
    return world;
}

static double pressed(const dem_world *world, uint64_t id)
{
    dem_wall wall = {.struct_size = sizeof wall};
    OK(dem_wall_get(world, id, &wall));
    return -wall.force[2];
}

/* Facets that lose their area and get it back are there again; and a world tells in a snapshot of
 * contacts with facets that had none in the mesh at rest. */
static void facets_without_area(void **state)
{
    (void)state;
    for (int at_rest = 0; at_rest < 2; ++at_rest) {
        double x[VERTICES][3], line[VERTICES][3];
        uint64_t id;
        dem_world *world = flat_world(&id, x);
        step(world, 1e-6, 1);
        const double force = pressed(world, id);
        assert_true(force > 0.0);
        memcpy(line, x, sizeof line);
        for (int k = 0; k < VERTICES; ++k) { /* all on one line, far away */
            line[k][0] = -50.0;
            line[k][1] = k;
        }
        if (at_rest) { /* another wall of that mesh, which opens */
            static const uint32_t facets[8][3] = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4},
                                                  {3, 4, 7}, {3, 7, 6}, {4, 5, 8}, {4, 8, 7}};
            OK(dem_wall_remove(world, id));
            dem_wall wall;
            OK(dem_wall_init(&wall));
            wall.shape = DEM_SHAPE_MESH;
            for (int k = 0; k < VERTICES; ++k) /* one facet of some area, far away */
                line[k][2] = k == 0 ? 1.0 : 0.0;
            wall.mesh = mesh_of(line, VERTICES, facets, 8);
            OK(dem_wall_add(world, &wall, &id));
            dem_mesh_destroy(wall.mesh);
        } else {
            OK(dem_wall_set_vertices(world, id, line[0], NULL));
        }
        step(world, 1e-6, 1);
        assert_true(pressed(world, id) == 0.0);
        OK(dem_wall_set_vertices(world, id, x[0], NULL));
        step(world, 1e-6, 1);
        assert_true(fabs(pressed(world, id) - force) < 1e-3 * force);
        uint64_t size;
        OK(dem_world_snapshot_size(world, &size));
        void *bytes = malloc(size);
        assert_non_null(bytes);
        OK(dem_world_snapshot(world, bytes, size, NULL));
        dem_world_config config = scene_config();
        dem_world *other = scene_world(&config);
        if (dem_world_restore(other, bytes, size) != DEM_OK)
            fail_msg("%s", dem_world_error(other));
        free(bytes);
        step(world, 1e-6, 10);
        step(other, 1e-6, 10);
        assert_true(scene_hash(world) == scene_hash(other));
        dem_world_destroy(world);
        dem_world_destroy(other);
    }
}

/* What dem_wall_get tells of a wall whose vertices move makes a wall that stands as that one is
 * now; area and box are those of now, too. */
static void mesh_of_a_moving_wall(void **state)
{
    (void)state;
    double x[VERTICES][3], v[VERTICES][3] = {{0.0}};
    uint64_t id, copy;
    dem_world *world = flat_world(&id, x), *other = flat_world(&copy, x);
    OK(dem_wall_remove(other, copy));
    for (int k = 0; k < VERTICES; ++k)
        v[k][0] = 10.0 * x[k][0];
    OK(dem_wall_set_vertices(world, id, NULL, v[0]));
    step(world, 1e-3, 10);
    dem_wall wall = {.struct_size = sizeof wall};
    OK(dem_wall_get(world, id, &wall));
    const dem_mesh_properties now = mesh_properties(wall.mesh);
    assert_true(fabs(now.area / (4.0 * 4.0 * 1.1) - 1.0) < 1e-9);
    assert_true(fabs(now.box_high[0] - 1.1 * 1.9) < 1e-9);
    wall.id = 0;
    OK(dem_wall_add(other, &wall, &copy));
    step(world, 1e-3, 100);
    OK(dem_wall_get(other, copy, &wall));
    const dem_mesh_properties then = mesh_properties(wall.mesh);
    assert_true(then.area == now.area && then.box_high[0] == now.box_high[0]);
    OK(dem_wall_get(world, id, &wall));
    assert_true(mesh_properties(wall.mesh).area > 1.5 * now.area);
    dem_world_destroy(world);
    OK(dem_step(other, 1e-6, 10));
    dem_world_destroy(other);
}

/* Vertices that do not move are where they were before a mark, whatever became of them until the
 * rewind: they were set, moved, or set and looked at. */
static void set_and_rewound(void **state)
{
    (void)state;
    enum { SET, MOVED, SET_AND_STEPPED, SET_AND_BUILT, WAYS };
    for (int way = 0; way < WAYS; ++way) {
        double x[VERTICES][3], up[VERTICES][3], v[VERTICES][3] = {{0.0}};
        dem_world *world[2];
        uint64_t id[2];
        for (int n = 0; n < 2; ++n) {
            world[n] = flat_world(&id[n], x);
            OK(dem_wall_set_vertices(world[n], id[n], x[0], NULL));
            step(world[n], 1e-5, 5);
        }
        memcpy(up, x, sizeof up);
        for (int k = 0; k < VERTICES; ++k) {
            up[k][2] += 1e-3;
            v[k][2] = 0.5;
        }
        OK(dem_world_mark(world[1]));
        OK(dem_wall_set_vertices(world[1], id[1], way == MOVED ? NULL : up[0],
                                 way == MOVED ? v[0] : NULL));
        if (way == SET_AND_BUILT)
            OK(dem_world_rebuild_order(world[1]));
        if (way != SET)
            step(world[1], 1e-5, 3);
        OK(dem_world_rewind(world[1]));
        for (int n = 0; n < 2; ++n)
            step(world[n], 1e-5, 3);
        assert_true(pressed(world[0], id[0]) > 0.0);
        if (pressed(world[0], id[0]) != pressed(world[1], id[1]))
            fail_msg("%d: %g %g", way, pressed(world[0], id[0]), pressed(world[1], id[1]));
        assert_true(scene_hash(world[0]) == scene_hash(world[1]));
        for (int n = 0; n < 2; ++n)
            dem_world_destroy(world[n]);
    }
}

/* Vertices that are set act at once: forces that were evaluated with those before are so no more.
 */
static void set_and_evaluated(void **state)
{
    (void)state;
    double x[VERTICES][3];
    uint64_t id;
    dem_world *world = flat_world(&id, x);
    step(world, 1e-5, 5);
    const double before = pressed(world, id);
    for (int k = 0; k < VERTICES; ++k)
        x[k][2] += 1e-3;
    OK(dem_wall_set_vertices(world, id, x[0], NULL));
    step(world, 1e-5, 0);
    assert_true(pressed(world, id) > before + 1.0);
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_order),          cmocka_unit_test(led_plate),
        cmocka_unit_test(rates_ahead),           cmocka_unit_test(facets_without_area),
        cmocka_unit_test(mesh_of_a_moving_wall), cmocka_unit_test(set_and_rewound),
        cmocka_unit_test(plate_rises),           cmocka_unit_test(same_bits),
        cmocka_unit_test(set_and_evaluated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
