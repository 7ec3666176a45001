/* SPDX-License-Identifier: MIT */
/**
 * @file strays.c
 * Grains that fly far from all others, by many diameters in a few steps: the list stays as short as
 * without them, they miss nobody, and the log names one.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/log.h"
#include "../support/scene.h"

#include <math.h>

enum { EDGE = 6, STRAY = 900 };
#define DT 1e-3

/** A bed over a floor at z = 0, in a box that is periodic in x and y. Sums are exact, so that bits
 * do not depend on the list. */
static dem_world *bed_make(double skin, test_log *log)
{
    dem_world_config config = scene_config();
    config.sums = DEM_SUMS_EXACT;
    config.force_range = config.torque_range = 1e8;
    config.overlap_limit = 1.0;
    config.skin = skin;
    if (log != NULL)
        config.log = test_log_hook(log);
    for (int c = 0; c < 3; ++c)
        config.gravity[c] = 0.0;
    dem_world *world = scene_packing_config(EDGE, 3, &config);
    scene_model(world, 0, 0, 2.5e4, 0.4, 0.9);
    return world;
}

static void stray_add(dem_world *world, uint64_t id, double x, double z, double vz)
{
    dem_particle p = scene_particle(x, 2.5, z);
    p.id = id;
    p.velocity[2] = vz;
    OK(dem_particle_add(world, &p, NULL));
}

static double speed_up(const dem_world *world, uint64_t id)
{
    dem_particle_handle handle;
    dem_particle p = {.struct_size = sizeof p};
    OK(dem_particle_find(world, id, &handle));
    OK(dem_particle_get(world, handle, &p));
    return p.velocity[2];
}

/* However fast it is, the list has the pairs of the bed and next to no more. */
static void the_list_stays_short(void **state)
{
    (void)state;
    static const double speeds[] = {150.0, 1e3, 1e4, 1e5};
    dem_world *without = bed_make(0.0, NULL);
    OK(dem_step(without, DT, 10));
    const dem_world_counts usual = scene_counts(without);
    for (size_t k = 0; k < sizeof speeds / sizeof speeds[0]; ++k) {
        test_log log;
        dem_world *world = bed_make(0.0, &log);
        /* apart from the first step on */
        stray_add(world, STRAY, 2.5, 1e3 + 10.0 * speeds[k] * DT, speeds[k]);
        OK(dem_step(world, DT, 10));
        const dem_world_counts counts = scene_counts(world);
        assert_true(counts.candidates <= usual.candidates + usual.candidates / 10);
        assert_true((double)counts.bytes < 1.3 * (double)usual.bytes);
        assert_int_equal(test_log_warnings(&log, "particle 900: it moves"), 1);
        dem_world_destroy(world);
    }
    dem_world_destroy(without);
}

/* A loose cloud, far from the origin on either side, and a grain that flies away from it. */
static uint64_t cloud_candidates(int axis, double side, double centre, double speed)
{
    dem_world_config config = scene_config();
    config.gravity[2] = 0.0;
    dem_world *world = scene_world(&config);
    for (int n = 0; n < 64; ++n) {
        dem_particle p = scene_particle(1.02 * (n % 4), 1.02 * (n / 4 % 4), 1.02 * (n / 16));
        p.position[axis] += centre;
        p.velocity[axis] = 0.001 * n;
        OK(dem_particle_add(world, &p, NULL));
    }
    dem_particle stray = scene_particle(0.0, 0.0, 0.0);
    stray.position[axis] = centre + side * (100.0 + 10.0 * speed * DT);
    stray.velocity[axis] = side * speed;
    OK(dem_particle_add(world, &stray, NULL));
    OK(dem_step(world, DT, 10));
    const uint64_t candidates = scene_counts(world).candidates;
    dem_world_destroy(world);
    return candidates;
}

/* It is spared in whichever direction it goes, and wherever that is. */
static void whichever_way_it_flies(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < 6; ++k) {
            const double side = k % 2 == 0 ? 1.0 : -1.0, centre = 1e6 * (k / 2 - 1);
            const uint64_t usual = cloud_candidates(axis, side, centre, 0.0);
            assert_true(usual > 0);
            assert_true(cloud_candidates(axis, side, centre, 1e4) <= usual + usual / 10);
        }
}

/** What happens to a stray, and where it does. */
typedef struct flight {
    const char *name;
    double height, speed;    /* along z, at the beginning */
    double second, together; /* of one that flies in the same line; 0: there is none */
    double wall;             /* height of another floor, far above, that faces down; 0: none */
    uint64_t steps;
} flight;

/* Strays meet the bed, each other, and a wall far away, with the bits of a world whose list looks
 * as far ahead as they fly. */
static void they_meet_what_is_there(void **state)
{
    (void)state;
    static const flight flights[] = {
        {"into the bed", 60.0, -150.0, 0.0, 0.0, 0.0, 600},
        {"from below the ceiling", 20.0, 160.0, 0.0, 0.0, 90.0, 700},
        {"head on", 40.0, 150.0, 90.0, -170.0, 0.0, 300},
        {"one behind the other", 30.0, 240.0, 45.0, 130.0, 0.0, 300},
        {"two from above", 80.0, -150.0, 83.0, -200.0, 0.0, 700},
    };
    for (size_t k = 0; k < 8 * sizeof flights / sizeof flights[0]; ++k) {
        const flight *f = &flights[k / 8];
        const double before = 0.03 * (double)(k % 8); /* so that steps begin elsewhere */
        dem_world *world[2];
        for (int wide = 0; wide < 2; ++wide) {
            world[wide] = bed_make(wide ? 1.4 : 0.0, NULL);
            stray_add(world[wide], STRAY, 2.5, f->height + before, f->speed);
            if (f->second != 0.0)
                stray_add(world[wide], STRAY + 1, 2.8, f->second, f->together);
            if (f->wall != 0.0) {
                dem_wall wall;
                OK(dem_wall_init(&wall));
                wall.point[2] = f->wall;
                wall.normal[2] = -1.0;
                OK(dem_wall_add(world[wide], &wall, NULL));
            }
        }
        int turned = 0;
        for (uint64_t step = 0; step < f->steps; ++step) {
            for (int wide = 0; wide < 2; ++wide)
                if (dem_step(world[wide], DT, 1) != DEM_OK)
                    fail_msg("%s: %s", f->name, dem_world_error(world[wide]));
            if (speed_up(world[0], STRAY) != speed_up(world[1], STRAY))
                fail_msg("%s, %g m before: other bits in step %d", f->name, before, (int)step);
            turned |= fabs(speed_up(world[0], STRAY) - f->speed) > 0.1 * fabs(f->speed);
        }
        assert_int_equal(scene_hash(world[0]), scene_hash(world[1]));
        if (!turned)
            fail_msg("%s: it met nobody", f->name);
        dem_world_destroy(world[0]);
        dem_world_destroy(world[1]);
    }
}

/* Where a wall is what is fast, no particle is named. */
static void warnings_are_of_particles(void **state)
{
    (void)state;
    test_log log;
    dem_world *world = bed_make(0.0, &log);
    dem_wall wall;
    const double velocity[3] = {0.0, 0.0, 500.0};
    OK(dem_wall_init(&wall));
    wall.id = 5000;
    wall.point[2] = 100.0;
    wall.normal[2] = -1.0;
    OK(dem_wall_add(world, &wall, NULL));
    OK(dem_wall_set_velocity(world, 5000, velocity));
    OK(dem_step(world, DT, 10));
    assert_int_equal(test_log_warnings(&log, "it moves"), 0);
    dem_world_destroy(world);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_stays_short),
        cmocka_unit_test(whichever_way_it_flies),
        cmocka_unit_test(they_meet_what_is_there),
        cmocka_unit_test(warnings_are_of_particles),
    };
    return cmocka_run_group_tests_name("strays", tests, NULL, NULL);
}
