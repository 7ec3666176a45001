/* SPDX-License-Identifier: MIT */
/**
 * @file warnings.c
 * Warnings through the log: each once, where it is due and nowhere else, with value and limit.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/log.h"
#include "../support/meshes.h"
#include "../support/scene.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846, RADIUS = 0.5, MASS = 0.1;

/* A world with a log, gravity along -z, and no model. */
static dem_world *logged(test_log *log, double gravity, int periodic)
{
    dem_world_config config = scene_config();
    config.gravity[2] = -gravity;
    config.log = test_log_hook(log);
    if (periodic) {
        config.boundary[0] = DEM_BOUNDARY_PERIODIC;
        config.box_high[0] = 10.0;
    }
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    return world;
}

static void wall_add(dem_world *world, double x, double y, double z, double height)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.normal[0] = x;
    wall.normal[1] = y;
    wall.normal[2] = z;
    wall.point[2] = height;
    OK(dem_wall_add(world, &wall, NULL));
}

/* One particle at a height over the floor. */
static void ball_add(dem_world *world, double height)
{
    const dem_particle p = scene_particle(5.0, 0.0, height);
    OK(dem_particle_add(world, &p, NULL));
}

static void hertz_set(dem_world *world, double young)
{
    dem_hertz hertz;
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = young;
    hertz.restitution = 0.3;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_hertz(&model, &hertz));
    OK(dem_contact_model_set(world, 0, 0, &model));
}

static void told_limits(void *user, const void *combined, double mass, double radius_i,
                        double radius_j, double speed, dem_law_limits *limits)
{
    (void)user, (void)combined, (void)mass, (void)radius_i, (void)radius_j, (void)speed;
    limits->contact_time = 1.0;
}

/* Ten steps of a contact are the limit; told once, and once more for another model. */
static void coarse_step(void **state)
{
    (void)state;
    const double k = 1000.0, time = PI * sqrt(MASS / k); /* undamped, on a plane */
    for (int coarse = 0; coarse < 2; ++coarse) {
        test_log log;
        dem_world *world = logged(&log, 0.0, 0);
        scene_model(world, 0, 0, k, 0.0, 1.0);
        wall_add(world, 0.0, 0.0, 1.0, 0.0);
        ball_add(world, 2.0);
        const double dt = time / (coarse ? 9.99 : 10.01);
        for (int n = 0; n < 3; ++n)
            OK(dem_step(world, dt * (1.0 + 1e-6 * n), 1));
        assert_int_equal(log.count[DEM_LOG_WARNING], coarse);
        assert_int_equal(test_log_warnings(&log, "9.99 steps of a contact"), coarse);
        assert_int_equal(test_log_warnings(&log, "dem_world_timestep_advise"), coarse);
        scene_model(world, 0, 0, k, 0.0, 1.0);
        OK(dem_step(world, dt, 1));
        assert_int_equal(log.count[DEM_LOG_WARNING], 2 * coarse);
        dem_world_destroy(world);
    }
}

/* With Hertz's law the time of a contact depends on the speed: that of the particles, here. */
static void coarse_step_of_hertz(void **state)
{
    (void)state;
    const double young = 1e6, speed = 3.0;
    const double effective = young / (2.0 * (1.0 - 0.09));
    const double time = dem_kernel_contact_time_hertz(effective, RADIUS, MASS, 2.0 * speed);
    for (int coarse = 0; coarse < 2; ++coarse) {
        test_log log;
        dem_world *world = logged(&log, 0.0, 0);
        hertz_set(world, young);
        wall_add(world, 0.0, 0.0, 1.0, 0.0);
        dem_particle p = scene_particle(0.0, 0.0, 2.0);
        p.velocity[0] = speed;
        OK(dem_particle_add(world, &p, NULL));
        OK(dem_step(world, time / (coarse ? 9.99 : 10.01), 2));
        /* ten steps of a contact are a fifth of what the deepest overlap without a dashpot bears,
         * and more of what it bears with one */
        assert_int_equal(log.count[DEM_LOG_WARNING], 1);
        assert_int_equal(test_log_warnings(&log, "steps of a contact"), coarse);
        assert_int_equal(test_log_warnings(&log, "where one contact"), !coarse);
        dem_world_destroy(world);
    }
}

/* A quarter of what one contact bears is told, once beside the coarse step; the advice is below. */
static void crowded_step(void **state)
{
    (void)state;
    for (int crowded = 0; crowded < 2; ++crowded) {
        test_log log;
        dem_world *world = logged(&log, 0.0, 0);
        scene_model(world, 0, 0, 1000.0, 0.5, crowded ? 0.1 : 1e-3);
        wall_add(world, 0.0, 0.0, 1.0, 0.0);
        ball_add(world, 2.0);
        dem_timestep_advice advice = {.struct_size = sizeof advice};
        OK(dem_world_timestep_advise(world, NULL, &advice));
        assert_true(advice.stability > 0.0 && advice.timestep <= 0.2 * advice.stability);
        OK(dem_step(world, advice.timestep, 1));
        assert_int_equal(log.count[DEM_LOG_WARNING], 0);
        OK(dem_step(world, (crowded ? 0.251 : 0.249) * advice.stability, 1));
        assert_int_equal(log.count[DEM_LOG_WARNING], crowded);
        assert_int_equal(test_log_warnings(&log, "is 0.25 of "), crowded);
        for (int n = 0; n < 2 && crowded; ++n) /* is coarse, too */
            OK(dem_step(world, (0.9 - 0.1 * n) * advice.stability, 1));
        assert_int_equal(test_log_warnings(&log, "steps of a contact"), crowded);
        assert_int_equal(log.count[DEM_LOG_WARNING], 2 * crowded);
        assert_int_equal(test_log_warnings(&log, "dem_world_timestep_advise"), 2 * crowded);
        dem_world_destroy(world);
    }
}

/* A wall with all particles behind it; one in front is enough, and particles that do not interact
 * with it do not count. */
static void wall_that_faces_away(void **state)
{
    (void)state;
    static const struct {
        double normal[3], height;
        int warned;
    } walls[] = {{{0.0, 0.0, 1.0}, 0.0, 0}, {{0.0, 0.0, -1.0}, 0.0, 1}, {{0.0, 0.0, -1.0}, 9.0, 0},
                 {{0.0, 0.0, 1.0}, 9.0, 1}, {{0.6, 0.0, 0.8}, 0.0, 0},  {{-0.6, 0.0, -0.8}, 0.0, 1},
                 {{1.0, 1.0, 0.0}, 0.0, 0}, {{-1.0, 1.0, -3.0}, 0.0, 1}};
    for (size_t k = 0; k < sizeof walls / sizeof walls[0]; ++k) {
        test_log log;
        dem_world *world = logged(&log, 10.0, 0);
        scene_model(world, 0, 0, 1000.0, 0.0, 1.0);
        ball_add(world, 2.0);
        ball_add(world, 4.0);
        wall_add(world, walls[k].normal[0], walls[k].normal[1], walls[k].normal[2],
                 walls[k].height);
        (void)dem_step(world, 1e-3, 1); /* may be refused: the particles overlap with the wall */
        (void)dem_step(world, 1e-3, 1);
        assert_int_equal(log.count[DEM_LOG_WARNING], walls[k].warned);
        assert_int_equal(test_log_warnings(&log, "faces away from all 2 particles"),
                         walls[k].warned);
        dem_world_destroy(world);
    }
}

/* Particles on both sides of a slanted wall whose box reaches before it, though none does. */
static void wall_behind_a_box(void **state)
{
    (void)state;
    for (int before = 0; before < 2; ++before) {
        test_log log;
        dem_world *world = logged(&log, 0.0, 0);
        scene_model(world, 0, 0, 1000.0, 0.0, 1.0);
        /* the wall x + z = 4 looks outwards; particles at (0, 3) and (3, 0): their box holds (3, 3)
         */
        for (int k = 0; k < 2; ++k) {
            const dem_particle p = scene_particle(3.0 * k, 0.0, 3.0 - 3.0 * k);
            OK(dem_particle_add(world, &p, NULL));
        }
        if (before)
            ball_add(world, 3.0);
        wall_add(world, 1.0, 0.0, 1.0, 4.0);
        (void)dem_step(world, 1e-3, 1);
        assert_int_equal(test_log_warnings(&log, "faces away"), !before);
        dem_world_destroy(world);
    }
}

/* A wall that has no particles to face yet is looked at when they come, and walls that nothing
 * interacts with are not. */
static void wall_before_particles(void **state)
{
    (void)state;
    test_log log;
    dem_world *world = logged(&log, 0.0, 0);
    dem_contact_model none;
    OK(dem_contact_model_init(&none));
    OK(dem_contact_model_set(world, 0, 0, &none));
    wall_add(world, 0.0, 0.0, -1.0, 0.0);
    OK(dem_step(world, 1e-3, 1));
    ball_add(world, 2.0);
    OK(dem_step(world, 1e-3, 1));
    assert_int_equal(log.count[DEM_LOG_WARNING], 0);
    scene_model(world, 0, 0, 1000.0, 0.0, 1.0);
    (void)dem_step(world, 1e-3, 1);
    assert_int_equal(test_log_warnings(&log, "faces away from all 1 particles"), 1);
    dem_world_destroy(world);
}

static void wall_across_a_periodic_axis(void **state)
{
    (void)state;
    static const struct {
        double normal[3];
        int warned;
    } walls[] = {{{0.0, 0.0, 1.0}, 0},
                 {{0.0, 0.6, 0.8}, 0},
                 {{1e-16, 0.0, 1.0}, 0},
                 {{1e-6, 0.0, 1.0}, 1},
                 {{1.0, 0.0, 0.0}, 1}};
    for (size_t k = 0; k < sizeof walls / sizeof walls[0]; ++k)
        for (int periodic = 0; periodic < 2; ++periodic) {
            test_log log;
            dem_world *world = logged(&log, 0.0, periodic);
            scene_model(world, 0, 0, 1000.0, 0.0, 1.0);
            ball_add(world, 2.0);
            wall_add(world, walls[k].normal[0], walls[k].normal[1], walls[k].normal[2], 0.0);
            OK(dem_step(world, 1e-3, 1));
            OK(dem_step(world, 1e-3, 1));
            assert_int_equal(log.count[DEM_LOG_WARNING], periodic && walls[k].warned);
            assert_int_equal(test_log_warnings(&log, "boundary of periodic axis x"),
                             periodic && walls[k].warned);
            dem_world_destroy(world);
        }
}

/* Walls that are longer than they are wide: whether they end within the box, which is 10 m. */
static void wall_within_a_periodic_axis(void **state)
{
    (void)state;
    static const double x[4][3] = {{-0.5, -40, 0}, {0.5, -40, 0}, {0.5, 40, 0}, {-0.5, 40, 0}};
    static const uint32_t facets[2][3] = {{0, 1, 2}, {0, 2, 3}};
    static const int32_t shapes[] = {DEM_SHAPE_RECTANGLE, DEM_SHAPE_BOX, DEM_SHAPE_CYLINDER,
                                     DEM_SHAPE_MESH};
    for (int k = 0; k < 4; ++k)
        for (int across = 0; across < 3; ++across) {
            test_log log;
            dem_wall wall;
            dem_world *world = logged(&log, 0.0, 1);
            scene_model(world, 0, 0, 1000.0, 0.0, 1.0);
            ball_add(world, 2.0);
            OK(dem_wall_init(&wall));
            wall.shape = shapes[k];
            wall.point[0] = across == 1 ? 9.51 : 9.49; /* 0: within; 1: beyond; 2: turned so */
            wall.point[2] = -3.0;
            wall.axis[0] = across == 2 ? 0.96 : 1.0;
            wall.axis[1] = across == 2 ? 0.28 : 0.0;
            wall.size[0] = 1.0;
            wall.size[1] = 80.0;
            if (shapes[k] == DEM_SHAPE_BOX)
                wall.size[2] = 1.0;
            if (shapes[k] == DEM_SHAPE_CYLINDER) {
                wall.size[0] = 0.5;
                wall.normal[0] = across == 2 ? -0.28 : 0.0;
                wall.normal[1] = across == 2 ? 0.96 : 1.0;
                wall.normal[2] = 0.0;
            }
            if (shapes[k] == DEM_SHAPE_MESH) {
                wall.size[0] = wall.size[1] = 0.0;
                wall.mesh = mesh_of(x, 4, facets, 2);
            }
            OK(dem_wall_add(world, &wall, NULL));
            dem_mesh_destroy(wall.mesh);
            OK(dem_step(world, 1e-3, 1));
            assert_int_equal(test_log_warnings(&log, "boundary of periodic axis x"), across > 0);
            dem_world_destroy(world);
        }
}

/* Walls that are within a periodic box at first: they move, turn, or their vertices do. `due`: the
 * step in which the boundary is reached, 0: never. */
static void wall_that_comes_across(void **state)
{
    (void)state;
    enum { MOVES, TURNS, TURNS_FLAT, DEFORMS, STAYS, CASES };
    static const uint64_t due[CASES] = {[MOVES] = 400, [TURNS] = 1, [DEFORMS] = 400};
    for (int k = 0; k < CASES; ++k)
        for (int calls = 1; calls <= 1000; calls *= 1000) {
            test_log log;
            dem_world *world = logged(&log, 0.0, 1);
            scene_model(world, 0, 0, 1000.0, 0.0, 1.0);
            ball_add(world, 2.0);
            dem_wall wall;
            OK(dem_wall_init(&wall));
            wall.shape = k == TURNS || k == TURNS_FLAT ? DEM_SHAPE_PLANE : DEM_SHAPE_BALL;
            wall.size[0] = wall.shape == DEM_SHAPE_BALL ? 1.0 : 0.0;
            wall.point[0] = 5.0;
            wall.point[2] = -1.0;
            wall.velocity[0] = k == MOVES ? 10.0 : 0.0;
            wall.angular_velocity[1] = k == TURNS ? 0.1 : 0.0;
            wall.angular_velocity[2] = k == TURNS_FLAT ? 0.1 : 0.0;
            const double x[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
            const double v[3][3] = {{0, 0, 0}, {10, 0, 0}, {0, 0, 0}};
            static const uint32_t facets[1][3] = {{0, 1, 2}};
            if (k == DEFORMS) {
                wall.shape = DEM_SHAPE_MESH;
                wall.size[0] = 0.0;
                wall.mesh = mesh_of(x, 3, facets, 1);
            }
            uint64_t id;
            OK(dem_wall_add(world, &wall, &id));
            dem_mesh_destroy(wall.mesh);
            if (k == DEFORMS)
                OK(dem_wall_set_vertices(world, id, NULL, v[0]));
            OK(dem_world_mark(world));
            for (int n = 0; n < calls; ++n) {
                const int before = log.count[DEM_LOG_WARNING];
                OK(dem_step(world, 1e-3, (uint64_t)(1000 / calls)));
                if (log.count[DEM_LOG_WARNING] > before && calls > 1)
                    assert_true(n + 1 == (int)due[k] || n + 1 == (int)due[k] + 1);
            }
            assert_int_equal(log.count[DEM_LOG_WARNING], due[k] > 0);
            assert_int_equal(test_log_warnings(&log, "comes across"), due[k] > 0);
            /* the same steps once more do not warn once more */
            OK(dem_world_rewind(world));
            OK(dem_step(world, 1e-3, 1000));
            assert_int_equal(log.count[DEM_LOG_WARNING], due[k] > 0);
            dem_world_destroy(world);
        }
}

/* A ball rests on a floor, or on a fixed ball, with just more and just less than a tenth of its
 * radius of overlap, by Hooke's and by Hertz's law. */
static void soft_model(void **state)
{
    (void)state;
    const double gravity = 10.0, weight = MASS * gravity, effective_radius[2] = {0.5, 0.25};
    for (int soft = 0; soft < 2; ++soft)
        for (int law = 0; law < 2; ++law)
            for (int on_ball = 0; on_ball < 2; ++on_ball) {
                test_log log;
                dem_world *world = logged(&log, gravity, 0);
                const double overlap = RADIUS * (soft ? 0.102 : 0.098);
                if (law == 0)
                    scene_model(world, 0, 0, weight / overlap, 0.0, 0.3);
                else /* F = 4/3 E/(2 (1 - nu^2)) sqrt(R*) overlap^(3/2) */
                    hertz_set(world, weight * 1.5 * (1.0 - 0.09) /
                                         (sqrt(effective_radius[on_ball]) * pow(overlap, 1.5)));
                if (on_ball) {
                    dem_particle p = scene_particle(5.0, 0.0, -RADIUS);
                    p.mobility = DEM_MOBILITY_FIXED;
                    OK(dem_particle_add(world, &p, NULL));
                } else {
                    wall_add(world, 0.0, 0.0, 1.0, 0.0);
                }
                ball_add(world, RADIUS - overlap);
                for (int n = 0; n < 5; ++n)
                    OK(dem_step(world, 1e-3, 100));
                assert_int_equal(log.count[DEM_LOG_WARNING], soft);
                assert_int_equal(test_log_warnings(&log, "the overlap is 10.2 %"), soft);
                assert_int_equal(test_log_warnings(&log, on_ball ? "and particle" : "and wall"),
                                 soft);
                dem_world_destroy(world);
            }
}

/* A law of the host that tells no limits: neither step nor advice can know what it bears. */
static void law_without_limits(void **state)
{
    (void)state;
    for (int n = 0; n < 6; ++n) { /* whole law, with limits, later part */
        const int kind = n % 3, advised = n < 3;
        test_log log;
        test_law_control control = {.fail_at = -1};
        const test_spring spring = {1000.0};
        dem_world *world = logged(&log, 0.0, 0);
        dem_law law = test_law(&control);
        dem_contact_model model;
        dem_linear linear;
        OK(dem_contact_model_init(&model));
        OK(dem_linear_init(&linear));
        linear.stiffness_normal = 1000.0;
        if (kind == 1)
            law.limits = told_limits;
        if (kind == 2) {
            law.kind = DEM_LAW_ROLLING;
            OK(dem_contact_model_add_linear_csds(&model, &linear));
        }
        OK(dem_world_law_register(world, &law));
        OK(dem_contact_model_add(&model, law.name, &spring));
        OK(dem_contact_model_set(world, 0, 0, &model));
        ball_add(world, 2.0);
        wall_add(world, 0.0, 0.0, 1.0, 0.0);
        if (advised) {
            dem_timestep_advice advice = {.struct_size = sizeof advice};
            OK(dem_world_timestep_advise(world, NULL, &advice));
            assert_int_equal(log.count[DEM_LOG_WARNING], kind == 0);
            assert_true((advice.contact == 0.0) == (kind == 0));
        }
        for (int m = 0; m < 3; ++m)
            OK(dem_step(world, 1e-4 * (1.0 + m), 1));
        assert_int_equal(log.count[DEM_LOG_WARNING], kind == 0);
        assert_int_equal(test_log_warnings(&log, "has no dem_law.limits"), kind == 0);
        assert_int_equal(test_log_warnings(&log, law.name), kind == 0);
        dem_world_destroy(world);
    }
}

/* A restore takes back the state, not what the log was told. */
static void told_before_a_restore(void **state)
{
    (void)state;
    test_log log;
    dem_world *world = logged(&log, 0.0, 1);
    const double k = 1000.0, dt = PI * sqrt(MASS / k) / 9.0;
    uint64_t size;
    scene_model(world, 0, 0, k, 0.0, 1.0);
    wall_add(world, 0.6, 0.0, 0.8, 0.0); /* stands across the periodic axis */
    ball_add(world, 12.0);
    OK(dem_world_snapshot_size(world, &size));
    void *bytes = malloc(size);
    assert_non_null(bytes);
    OK(dem_world_snapshot(world, bytes, size, NULL));
    OK(dem_step(world, dt, 1));
    const int told = log.count[DEM_LOG_WARNING];
    assert_true(told >= 2);
    assert_int_equal(test_log_warnings(&log, "steps of a contact"), 1);
    assert_int_equal(test_log_warnings(&log, "periodic"), 1);
    for (int n = 0; n < 2; ++n) {
        OK(dem_world_restore(world, bytes, size));
        OK(dem_step(world, dt, 1));
    }
    assert_int_equal(log.count[DEM_LOG_WARNING], told);
    free(bytes);
    dem_world_destroy(world);
}

/* Ordinary work says nothing above DEBUG: rebuilds are many. */
static void quiet_otherwise(void **state)
{
    (void)state;
    test_log log;
    dem_world_config config = scene_config();
    config.log = test_log_hook(&log);
    dem_world *world = scene_packing_config(5, 4, &config);
    OK(dem_step(world, 1e-3, 500));
    assert_true(log.count[DEM_LOG_DEBUG] > 3);
    assert_int_equal(log.count[DEM_LOG_DEBUG], scene_counts(world).rebuilds);
    assert_int_equal(log.count[DEM_LOG_INFO] + log.count[DEM_LOG_ERROR], 0);
    assert_int_equal(log.count[DEM_LOG_WARNING], 0);
    dem_world_destroy(world);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coarse_step),
        cmocka_unit_test(coarse_step_of_hertz),
        cmocka_unit_test(crowded_step),
        cmocka_unit_test(wall_that_faces_away),
        cmocka_unit_test(wall_behind_a_box),
        cmocka_unit_test(wall_before_particles),
        cmocka_unit_test(wall_across_a_periodic_axis),
        cmocka_unit_test(wall_within_a_periodic_axis),
        cmocka_unit_test(wall_that_comes_across),
        cmocka_unit_test(soft_model),
        cmocka_unit_test(law_without_limits),
        cmocka_unit_test(told_before_a_restore),
        cmocka_unit_test(quiet_otherwise),
    };
    return cmocka_run_group_tests_name("warnings", tests, NULL, NULL);
}
