/* SPDX-License-Identifier: MIT */
/**
 * @file exact_worlds.c
 * DEM_SUMS_EXACT in worlds: the bits do not depend on the skin, on the order in which grains were
 * added, on threads or on the instruction set; between walls and in a periodic box. Those of clumps
 * do not depend on the chunks.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 11, GRAINS = SIDE * SIDE * SIDE, STEPS = 1500 };
#define BOX 11.0
#define DT 1e-3
#define RANGE 1e4

typedef enum boundary { WALLS, PERIODIC, HALF } boundary;

/** What must not change the bits, and what may. */
typedef struct options {
    boundary boundary;
    int hertz, reversed, threads;
    int32_t sums, isa;
    double skin;
    double range; /* 0: RANGE */
} options;

typedef struct outcome {
    double motion[GRAINS][9]; /* position, velocity, angular velocity, by id */
    double wall[6];           /* force and torque on the floor */
    uint64_t rebuilds;
} outcome;

static void set_model(dem_world *world, int hertz)
{
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    if (!hertz) {
        scene_model(world, 0, 0, 1e4, 0.4, 0.9);
        return;
    }
    dem_hertz parameters;
    dem_mindlin mindlin;
    OK(dem_hertz_init(&parameters));
    OK(dem_mindlin_init(&mindlin));
    parameters.young[0] = 1e5;
    parameters.poisson[0] = 0.3;
    parameters.restitution = 0.9;
    mindlin.friction = 0.4;
    OK(dem_contact_model_add_hertz(&model, &parameters));
    OK(dem_contact_model_add_mindlin(&model, &mindlin));
    OK(dem_contact_model_set(world, 0, 0, &model));
}

static void add_walls(dem_world *world, boundary boundary)
{
    for (int k = 0; k < 6 && boundary != PERIODIC; ++k) {
        dem_wall wall;
        uint64_t id;
        OK(dem_wall_init(&wall));
        wall.id = 100000 + (uint64_t)k;
        wall.normal[2] = 0.0;
        wall.normal[k / 2] = k % 2 == 0 ? 1.0 : -1.0;
        wall.point[k / 2] = k % 2 == 0 ? 0.0 : BOX;
        if (k / 2 < 2 && boundary == HALF)
            continue;
        OK(dem_wall_add(world, &wall, &id));
    }
}

/** A lattice of grains of three sizes that fly about. */
static dem_world *make(const options *o)
{
    dem_world_config config = scene_config();
    assert_int_equal(config.sums, DEM_SUMS_FIXED_ORDER);
    config.sums = o->sums;
    const double range = o->range > 0.0 ? o->range : RANGE;
    config.force_range = config.torque_range = o->sums == DEM_SUMS_EXACT ? range : 0.0;
    config.skin = o->skin;
    config.threads = o->threads > 0 ? o->threads : 1;
    config.isa = o->isa;
    config.gravity[2] = o->boundary == PERIODIC ? 0.0 : -1.0;
    for (int c = 0; c < 3; ++c) {
        config.box_low[c] = 0.1 * c;
        config.box_high[c] = BOX + 0.1 * c;
        if (o->boundary == PERIODIC || (o->boundary == HALF && c < 2))
            config.boundary[c] = DEM_BOUNDARY_PERIODIC;
    }
    dem_world *world = NULL;
    dem_error error;
    if (dem_world_create(&config, &world, &error) != DEM_OK)
        fail_msg("%s", error.message);
    set_model(world, o->hertz);
    add_walls(world, o->boundary);
    static dem_particle grain[GRAINS];
    test_random random = {.state = 11};
    for (int k = 0; k < GRAINS; ++k) {
        const int at[3] = {k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)};
        dem_particle *p = &grain[k];
        OK(dem_particle_init(p));
        p->id = (uint64_t)k + 1;
        p->mass = 1.0;
        p->radius = 0.49 - 0.1 * (k % 3);
        for (int c = 0; c < 3; ++c) {
            p->position[c] = 0.5 + at[c];
            p->velocity[c] = 2.0 * test_uniform(&random, -1.0, 1.0);
            p->angular_velocity[c] = test_uniform(&random, -1.0, 1.0);
        }
    }
    for (int k = 0; k < GRAINS; ++k) {
        dem_particle_handle handle;
        OK(dem_particle_add(world, &grain[o->reversed ? GRAINS - 1 - k : k], &handle));
    }
    return world;
}

static void finish(dem_world *world, boundary boundary, outcome *out)
{
    memset(out, 0, sizeof *out);
    for (int k = 0; k < GRAINS; ++k) {
        dem_particle_handle handle;
        dem_particle p;
        memset(&p, 0, sizeof p);
        p.struct_size = sizeof p;
        OK(dem_particle_find(world, (uint64_t)k + 1, &handle));
        OK(dem_particle_get(world, handle, &p));
        memcpy(out->motion[k], p.position, sizeof p.position);
        memcpy(out->motion[k] + 3, p.velocity, sizeof p.velocity);
        memcpy(out->motion[k] + 6, p.angular_velocity, sizeof p.angular_velocity);
    }
    if (boundary != PERIODIC) {
        dem_wall wall;
        memset(&wall, 0, sizeof wall);
        wall.struct_size = sizeof wall;
        OK(dem_wall_get(world, 100004, &wall));
        memcpy(out->wall, wall.force, sizeof wall.force);
        memcpy(out->wall + 3, wall.torque, sizeof wall.torque);
    }
    dem_world_counts counts;
    memset(&counts, 0, sizeof counts);
    counts.struct_size = sizeof counts;
    OK(dem_world_counts_get(world, &counts));
    out->rebuilds = counts.rebuilds;
    dem_world_destroy(world);
}

static void run(const options *o, outcome *out)
{
    dem_world *world = make(o);
    const dem_status status = dem_step(world, DT, STEPS);
    if (status != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    finish(world, o->boundary, out);
}

static int same(const outcome *a, const outcome *b)
{
    return memcmp(a->motion, b->motion, sizeof a->motion) == 0 &&
           memcmp(a->wall, b->wall, sizeof a->wall) == 0;
}

static outcome first, other, fixed[2];

static void all_ways(boundary boundary, int hertz)
{
    const options usual = {.boundary = boundary, .hertz = hertz, .sums = DEM_SUMS_EXACT};
    options way[5];
    for (int k = 0; k < 5; ++k)
        way[k] = usual;
    way[0].skin = 0.3;
    way[1].skin = 0.02;
    way[2].reversed = 1;
    way[3].threads = 3;
    way[4].isa = DEM_ISA_BASELINE;
    run(&usual, &first);
    for (int k = 0; k < 5; ++k) {
        run(&way[k], &other);
        if (!same(&first, &other))
            fail_msg("boundary %d, law %d: way %d has other bits", (int)boundary, hertz, k);
        if (k == 1)
            assert_true(other.rebuilds > 2 * first.rebuilds);
    }
}

static void walls_linear(void **state)
{
    (void)state;
    test_long();
    all_ways(WALLS, 0);
}

static void periodic_linear(void **state)
{
    (void)state;
    test_long();
    all_ways(PERIODIC, 0);
}

static void periodic_hertz(void **state)
{
    (void)state;
    test_long();
    all_ways(PERIODIC, 1);
}

static void half_periodic_hertz(void **state)
{
    (void)state;
    test_long();
    all_ways(HALF, 1);
}

/* The order matters to sums of doubles. Both are near each other for a while, in a range of which
 * the high parts alone tell nothing, too. */
static void fixed_order_depends_on_the_list(void **state)
{
    (void)state;
    options o = {.boundary = PERIODIC};
    run(&o, &fixed[0]);
    o.skin = 0.3;
    run(&o, &fixed[1]);
    assert_false(same(&fixed[0], &fixed[1]));
    for (int boundary = WALLS; boundary <= HALF; ++boundary) {
        dem_world *world[2];
        for (int k = 0; k < 2; ++k) {
            const options one = {.boundary = (enum boundary)boundary, .sums = k, .range = 1e12};
            world[k] = make(&one);
            OK(dem_step(world[k], DT, 100));
            finish(world[k], (enum boundary)boundary, &fixed[k]);
        }
        for (int k = 0; k < GRAINS; ++k)
            for (int c = 0; c < 9; ++c)
                assert_float_equal(fixed[0].motion[k][c], fixed[1].motion[k][c], 1e-8);
        for (int c = 0; c < 6; ++c)
            assert_float_equal(fixed[0].wall[c], fixed[1].wall[c], 1e-3);
    }
}

/* The ranges are part of a snapshot. */
static void split_runs_and_snapshots_go_on(void **state)
{
    (void)state;
    const options o = {.boundary = HALF, .hertz = 1, .sums = DEM_SUMS_EXACT};
    run(&o, &first);
    dem_world *world = make(&o);
    OK(dem_step(world, DT, STEPS / 2));
    uint64_t bytes;
    OK(dem_world_snapshot_size(world, &bytes));
    void *buffer = malloc(bytes);
    assert_non_null(buffer);
    OK(dem_world_snapshot(world, buffer, bytes, NULL));
    dem_world_destroy(world);
    const options plain = {.boundary = HALF, .hertz = 1};
    world = make(&plain);
    OK(dem_world_restore(world, buffer, bytes)); /* which brings the ranges */
    free(buffer);
    OK(dem_step(world, DT, STEPS - STEPS / 2));
    finish(world, o.boundary, &other);
    assert_true(same(&first, &other));
}

/* Two grains, and a grain and a wall, that press harder than the range. */
/* ------------------------------------------------------------------ clumps */

enum { CLUMPS = 24 };

/** The hash of clumps of three spheres that fell into a heap. */
static uint64_t clumps_hash(uint64_t seed, int32_t damping_mass, uint64_t chunk_rows)
{
    dem_world_config config = scene_config();
    config.sums = DEM_SUMS_EXACT;
    config.force_range = config.torque_range = 1e5;
    config.chunk_rows = chunk_rows;
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, 1e4, 0.4, 0.6);
    dem_wall floor;
    OK(dem_wall_init(&floor));
    floor.id = 5000;
    OK(dem_wall_add(world, &floor, NULL));
    test_random random = {seed};
    for (uint64_t k = 0; k < CLUMPS; ++k) {
        dem_body body;
        dem_body_part part[3];
        OK(dem_body_init(&body));
        body.id = k + 1;
        body.mass = 1.0;
        body.damping_mass = damping_mass;
        const double at[3] = {(double)(k % 2), (double)(k / 2 % 2), (double)(k / 4) + 0.6};
        for (int c = 0; c < 3; ++c) {
            body.inertia[c] = test_uniform(&random, 0.05, 0.09);
            body.position[c] = at[c] + test_uniform(&random, 0.0, 0.05);
            body.velocity[c] = test_uniform(&random, -1.0, 1.0);
            body.angular_velocity[c] = test_uniform(&random, -3.0, 3.0);
        }
        for (int q = 0; q < 3; ++q) {
            OK(dem_body_part_init(&part[q]));
            part[q].id = 100 + 3 * k + (uint64_t)q;
            part[q].radius = 0.3 - 0.04 * q;
            part[q].centre[0] = 0.22 * (q - 1);
            part[q].centre[1] = q == 1 ? 0.06 : 0.0;
        }
        OK(dem_body_add(world, &body, 3, part, NULL));
    }
    OK(dem_step(world, DT, 1500));
    const uint64_t hash = scene_hash(world);
    dem_world_destroy(world);
    return hash;
}

/** Contacts between chunks are computed on both sides: with the same mass. */
static void clumps_in_any_chunks(void **state)
{
    (void)state;
    const int32_t masses[] = {DEM_DAMPING_MASS_CONTACT, DEM_DAMPING_MASS_BODY};
    for (int m = 0; m < 2; ++m)
        for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(10); ++seed)
            assert_int_equal(clumps_hash(seed, masses[m], 8), clumps_hash(seed, masses[m], 0));
}

static void beyond_the_range(void **state)
{
    (void)state;
    for (int wall = 0; wall < 2; ++wall)
        for (int beyond = 0; beyond < 2; ++beyond) {
            dem_world_config config = scene_config();
            config.gravity[2] = 0.0;
            config.sums = DEM_SUMS_EXACT;
            config.force_range = config.torque_range = 16.0;
            dem_world *world = scene_world(&config);
            dem_particle_handle handle[2];
            dem_particle p[2] = {scene_particle(0, 0, 0), scene_particle(0, 0, 0)};
            const double overlap = beyond ? 0.0161 : 0.0159; /* 1000 N/m */
            p[0].position[2] = 0.5 - (wall ? overlap : 0.0);
            p[1].position[2] = 1.5 - overlap;
            OK(dem_particle_add(world, &p[0], &handle[0]));
            if (!wall)
                OK(dem_particle_add(world, &p[1], &handle[1]));
            dem_wall floor;
            uint64_t id = 77;
            OK(dem_wall_init(&floor));
            floor.id = id;
            if (wall)
                OK(dem_wall_add(world, &floor, &id));
            const dem_status status = dem_step(world, 1e-6, 1);
            assert_int_equal(status, beyond ? DEM_ERROR_RANGE : DEM_OK);
            if (beyond && (strstr(dem_world_error(world), "force_range") == NULL ||
                           strstr(dem_world_error(world), wall ? "wall 77" : "particle 2") == NULL))
                fail_msg("\"%s\" does not tell", dem_world_error(world));
            assert_true(dem_world_time(world) == (beyond ? 0.0 : 1e-6));
            dem_particle now;
            memset(&now, 0, sizeof now);
            now.struct_size = sizeof now;
            OK(dem_particle_get(world, handle[0], &now));
            if (beyond)
                assert_memory_equal(now.position, p[0].position, sizeof now.position);
            assert_true(beyond ? now.velocity[2] == 0.0 : now.velocity[2] != 0.0);
            dem_world_destroy(world);
        }
}

/* The torque on a wall has a range of its own, and so has the message. */
static void torques_on_walls(void **state)
{
    (void)state;
    for (int beyond = 0; beyond < 2; ++beyond) {
        dem_world_config config = scene_config();
        config.gravity[2] = 0.0;
        config.sums = DEM_SUMS_EXACT;
        config.force_range = 128.0;
        config.torque_range = 1.0;
        dem_world *world = scene_world(&config);
        const dem_particle p = scene_particle(0.0, 0.0, 0.499); /* 1000 N/m: 1 N */
        OK(dem_particle_add(world, &p, NULL));
        dem_wall floor;
        OK(dem_wall_init(&floor));
        floor.id = 77;
        floor.point[0] = beyond ? 0x1.1p24 : 0x0.fp24;
        OK(dem_wall_add(world, &floor, NULL));
        assert_int_equal(dem_step(world, 1e-6, 1), beyond ? DEM_ERROR_RANGE : DEM_OK);
        if (beyond && (strstr(dem_world_error(world), "wall 77: a torque about") == NULL ||
                       strstr(dem_world_error(world), "1.78258e+07 N m") == NULL))
            fail_msg("\"%s\" does not tell", dem_world_error(world));
        dem_world_destroy(world);
    }
}

/* More contacts of one particle than the low parts of their forces could hold together: the sum is
 * that of doubles, to the round-off of these. */
static void giants_in_a_crowd(void **state)
{
    (void)state;
    enum { CROWD = 70000 };
    const double large = 1000.0;
    static const double ranges[] = {16.0, 0x1p49};
    double force[2][3];
    for (size_t k = 0; k < 2; ++k) {
        dem_world_config config = scene_config();
        config.gravity[2] = 0.0;
        config.sums = DEM_SUMS_EXACT;
        config.force_range = ranges[k];
        config.torque_range = 1e4 * ranges[k];
        config.material_count = 2;
        dem_world *world = scene_world(&config);
        dem_contact_model none;
        OK(dem_contact_model_init(&none));
        OK(dem_contact_model_set(world, 0, 0, &none));
        OK(dem_contact_model_set(world, 1, 1, &none));
        scene_model(world, 0, 1, 1000.0, 0.0, 1.0);
        dem_particle p = scene_particle(0.0, 0.0, 0.0);
        dem_particle_handle giant;
        p.radius = large;
        p.mass = 1e6;
        OK(dem_particle_add(world, &p, &giant));
        for (int n = 0; n < CROWD; ++n) {
            const double angle = 2.0 * 3.14159265358979 * n / CROWD, far = large + 0.5 - 0.00124;
            dem_particle q =
                scene_particle(far * 0.6 * cos(angle), far * 0.6 * sin(angle), far * 0.8);
            q.material = 1;
            OK(dem_particle_add(world, &q, NULL));
        }
        OK(dem_step(world, 1e-6, 0));
        dem_view view = {.struct_size = sizeof view};
        OK(dem_world_view(world, DEM_FIELD_FORCE, &view));
        for (uint64_t row = 0; row < view.count; ++row)
            if (view.id[row] == 1)
                memcpy(force[k], (const char *)view.data + row * view.stride, sizeof force[k]);
        dem_world_destroy(world);
    }
    assert_true(fabs(force[0][2] + CROWD * 1.24 * 0.8) < 1e-3 * CROWD);
    for (int c = 0; c < 3; ++c)
        assert_float_equal(force[0][c], force[1][c], 1e-9);
}

/* Ends of a box that rounding moves apart want a coarser grid: a world has that one from the
 * beginning, so that one that is made from what it tells goes on with the same bits. */
static void boxes_at_powers_of_two(void **state)
{
    (void)state;
    for (int k = 0; k < 50; ++k) {
        dem_world_config config = scene_config();
        config.sums = DEM_SUMS_EXACT;
        config.force_range = config.torque_range = 1e4;
        config.boundary[0] = DEM_BOUNDARY_PERIODIC;
        config.box_low[0] = -0.01 * k;
        config.box_high[0] = 4.0 - 0.01 * k;
        dem_world *world = scene_world(&config), *twin = scene_world(&config);
        dem_particle p = scene_particle(1.0 / 3.0, 0.0, 10.0);
        p.velocity[0] = 1.0 / 7.0;
        OK(dem_particle_add(world, &p, NULL));
        OK(dem_step(world, DT, 10));
        uint64_t size = 0;
        OK(dem_world_snapshot_size(world, &size));
        void *bytes = malloc((size_t)size);
        OK(bytes != NULL ? DEM_OK : DEM_ERROR_MEMORY);
        OK(dem_world_snapshot(world, bytes, size, NULL));
        OK(dem_world_restore(twin, bytes, size));
        free(bytes);
        OK(dem_step(world, DT, 50));
        OK(dem_step(twin, DT, 50));
        assert_int_equal(scene_hash(world), scene_hash(twin));
        dem_world_destroy(world);
        dem_world_destroy(twin);
    }
}

/* Positions many periods from the box do not depend on when the list was built: those that are
 * read, and those that follow from a position that was set. */
static void far_from_the_box_along(int axis)
{
    const int other = (axis + 1) % 3;
    enum { GRAINS = 50 };
    dem_world *world[2];
    dem_particle_handle handle[2][GRAINS];
    for (int n = 0; n < 2; ++n) {
        dem_world_config config = scene_config();
        config.sums = DEM_SUMS_EXACT;
        config.force_range = config.torque_range = 1e4;
        config.boundary[axis] = DEM_BOUNDARY_PERIODIC;
        config.box_high[axis] = 4.7;
        config.skin = 0.2;
        world[n] = scene_world(&config);
        for (int k = 0; k < GRAINS; ++k) {
            const int periods = (k % 2 ? 1 : -1) * (k < 20 ? k / 2 : k * k * k);
            dem_particle p = scene_particle(0.0, 0.0, 0.0);
            p.position[axis] = 4.7 * periods - 1e-4 * (k + 1);
            p.position[other] = 2.0 * k;
            p.velocity[axis] = 1.0;
            OK(dem_particle_add(world[n], &p, &handle[n][k]));
        }
        OK(dem_step(world[n], DT, 10));
    }
    for (int round = 0; round < 3; ++round) {
        OK(dem_world_rebuild_order(world[round % 2]));
        for (int n = 0; n < 2; ++n)
            OK(dem_step(world[n], DT, 1));
        for (int k = 0; k < GRAINS; ++k) {
            dem_particle a = {.struct_size = sizeof a}, b = a;
            OK(dem_particle_get(world[0], handle[0][k], &a));
            OK(dem_particle_get(world[1], handle[1][k], &b));
            assert_true(a.position[axis] == b.position[axis]);
            /* one of them goes near, the others far, and all stay just where they were set */
            double to[3] = {0.0, 0.0, 0.0};
            to[axis] = a.position[axis] + (k % 3 == 0 ? 0.3 : 977.7) / 7.0;
            to[other] = 2.0 * k;
            for (int n = 0; n < 2 && round < 2; ++n) {
                OK(dem_particle_set_motion(world[n], handle[n][k], to, NULL, NULL));
                OK(dem_particle_get(world[n], handle[n][k], &a));
                assert_true(fabs(a.position[axis] - to[axis]) < 1e-9 * (1.0 + fabs(to[axis])));
            }
        }
        assert_int_equal(scene_hash(world[0]), scene_hash(world[1]));
    }
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

static void far_from_the_box(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; ++axis)
        far_from_the_box_along(axis);
}

/* The same of a body, whose parts go along. */
static void bodies_far_from_the_box(void **state)
{
    (void)state;
    dem_world *world[2];
    dem_body_handle handle[2];
    for (int n = 0; n < 2; ++n) {
        dem_world_config config = scene_config();
        config.sums = DEM_SUMS_EXACT;
        config.force_range = config.torque_range = 1e4;
        config.boundary[0] = DEM_BOUNDARY_PERIODIC;
        config.box_high[0] = 4.7;
        world[n] = scene_world(&config);
        dem_body body;
        dem_body_part part[2];
        OK(dem_body_init(&body));
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.3;
        body.position[0] = 4.7 * 311 - 1e-4;
        body.velocity[0] = 1.0;
        for (int k = 0; k < 2; ++k) {
            OK(dem_body_part_init(&part[k]));
            part[k].radius = 0.3;
            part[k].centre[1] = k == 0 ? -0.3 : 0.3;
        }
        OK(dem_body_add(world[n], &body, 2, part, &handle[n]));
        OK(dem_step(world[n], DT, 10));
    }
    for (int round = 0; round < 4; ++round) {
        OK(dem_world_rebuild_order(world[round % 2]));
        dem_body at[2];
        for (int n = 0; n < 2; ++n) {
            OK(dem_step(world[n], DT, 1));
            at[n].struct_size = sizeof at[n];
            OK(dem_body_get(world[n], handle[n], &at[n]));
            dem_particle_handle part;
            dem_particle p = {.struct_size = sizeof p};
            OK(dem_body_part_find(world[n], handle[n], 1, &part));
            OK(dem_particle_get(world[n], part, &p));
            assert_true(fabs(p.position[0] - at[n].position[0]) < 1e-9);
        }
        assert_true(at[0].position[0] == at[1].position[0]);
        assert_int_equal(scene_hash(world[0]), scene_hash(world[1]));
        const double to[3] = {at[0].position[0] + (round % 2 ? 0.3 : -977.7) / 7.0, 0.0, 0.0};
        for (int n = 0; n < 2; ++n)
            OK(dem_body_set_motion(world[n], handle[n], to, NULL, NULL, NULL));
    }
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

static void create_refuses(int32_t sums, double force, double torque, dem_status status,
                           const char *word)
{
    dem_world_config config = scene_config();
    config.sums = sums;
    config.force_range = force;
    config.torque_range = torque;
    dem_world *world;
    dem_error error;
    assert_int_equal(dem_world_create(&config, &world, &error), status);
    assert_null(world);
    if (strstr(error.message, word) == NULL)
        fail_msg("\"%s\" does not name %s", error.message, word);
}

static void options_are_checked(void **state)
{
    (void)state;
    create_refuses(2, 0.0, 0.0, DEM_ERROR_UNKNOWN, "dem_world_config.sums");
    create_refuses(DEM_SUMS_FIXED_ORDER, 1.0, 0.0, DEM_ERROR_RANGE, "force_range");
    create_refuses(DEM_SUMS_EXACT, 0.0, 1.0, DEM_ERROR_RANGE, "force_range");
    create_refuses(DEM_SUMS_EXACT, 1.0, 0.0, DEM_ERROR_RANGE, "torque_range");
    create_refuses(DEM_SUMS_EXACT, 1e300, 1.0, DEM_ERROR_RANGE, "force_range");
    create_refuses(DEM_SUMS_EXACT, 1.0, (double)NAN, DEM_ERROR_RANGE, "torque_range");
    dem_world_config config = scene_config();
    config.sums = DEM_SUMS_EXACT;
    config.force_range = config.torque_range = 1.0;
    config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    for (int large = 0; large < 2; ++large) {
        dem_world *world = NULL;
        config.box_high[1] = large ? 1.1e300 : 0.9e300;
        assert_int_equal(dem_world_create(&config, &world, NULL), large ? DEM_ERROR_RANGE : DEM_OK);
        dem_world_destroy(world);
    }
}

/* A step that is refused leaves positions that were set off the grid where they were. */
static void refused_steps_move_nothing(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.sums = DEM_SUMS_EXACT;
    config.force_range = config.torque_range = 1e4;
    config.boundary[0] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = 10.0;
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(0.1, 0.0, 0.0);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    p.position[0] = 3.0;
    OK(dem_particle_add(world, &p, &handle));
    const uint64_t before = scene_hash(world);
    scene_model(world, 0, 0, 1e4, 0.5, 0.5);
    assert_int_equal(dem_step(world, 1e9, 1), DEM_ERROR_RANGE);
    assert_true(scene_hash(world) == before);
    OK(dem_step(world, 1e-3, 0));
    assert_true(scene_hash(world) != before);
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_linear),
        cmocka_unit_test(periodic_linear),
        cmocka_unit_test(periodic_hertz),
        cmocka_unit_test(half_periodic_hertz),
        cmocka_unit_test(fixed_order_depends_on_the_list),
        cmocka_unit_test(split_runs_and_snapshots_go_on),
        cmocka_unit_test(clumps_in_any_chunks),
        cmocka_unit_test(beyond_the_range),
        cmocka_unit_test(torques_on_walls),
        cmocka_unit_test(giants_in_a_crowd),
        cmocka_unit_test(boxes_at_powers_of_two),
        cmocka_unit_test(far_from_the_box),
        cmocka_unit_test(bodies_far_from_the_box),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(refused_steps_move_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
