/* SPDX-License-Identifier: MIT. A run that goes on where it was interrupted; SI units.
 *
 *     checkpoint [FILE [STEPS]]
 *
 * 512 spheres fall on a plane for 10000 steps, saved to FILE every 1000 of them. Killed at any
 * moment and started again it goes on from the last save, and ends with the same bits. STEPS, if
 * given, is how many to do this time. */
#include <dem/dem.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { EDGE = 8, SAVE_EVERY = 1000, STEPS = 10000 };

static void check(const dem_world *world, dem_status status)
{
    if (status == DEM_OK)
        return;
    fprintf(stderr, "%s: %s\n", dem_status_string(status), dem_world_error(world));
    exit(1);
}

/* What a snapshot does not hold: hooks and threads. Laws of one's own would be registered here. */
static dem_world *empty_world(void)
{
    dem_world_config config;
    dem_error error = {0};
    dem_world *world = NULL;
    check(world, dem_world_config_init(&config));
    config.threads = 2;
    config.gravity[2] = -9.81;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = 0.011 * EDGE;
    if (dem_world_create(&config, &world, &error) != DEM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return world;
}

/* All that a snapshot does hold. */
static void fill(dem_world *world)
{
    dem_linear law;
    dem_contact_model model;
    dem_wall floor;
    check(world, dem_linear_init(&law));
    law.stiffness_normal = 5e3; /* N/m */
    law.restitution = 0.5;
    check(world, dem_contact_model_init(&model));
    check(world, dem_contact_model_add_linear_csds(&model, &law));
    check(world, dem_contact_model_set(world, 0, 0, &model));
    check(world, dem_wall_init(&floor));
    check(world, dem_wall_add(world, &floor, NULL));
    for (int k = 0; k < EDGE * EDGE * EDGE; ++k) {
        dem_particle p;
        const int layer = k / (EDGE * EDGE);
        check(world, dem_particle_init(&p));
        p.radius = 0.005;
        p.position[0] = 0.011 * (k % EDGE) + 0.003 * layer;
        p.position[1] = 0.011 * (k / EDGE % EDGE) + 0.002 * layer;
        p.position[2] = 0.006 + 0.011 * layer;
        check(world, dem_particle_add(world, &p, NULL));
    }
}

static uint64_t steps_done(const dem_world *world)
{
    dem_world_counts counts = {.struct_size = sizeof counts};
    check(world, dem_world_counts_get(world, &counts));
    return counts.steps;
}

static int exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL)
        fclose(file);
    return file != NULL || errno != ENOENT;
}

int main(int count, char **arguments)
{
    const char *path = count > 1 ? arguments[1] : "checkpoint.dem";
    const uint64_t wanted = count > 2 ? strtoull(arguments[2], NULL, 10) : STEPS;
    dem_world *world = empty_world();
    if (exists(path))
        check(world, dem_world_load(world, path));
    else
        fill(world);
    const uint64_t begin = steps_done(world);
    const uint64_t end = wanted < STEPS - begin ? begin + wanted : STEPS;
    printf("begins at step %" PRIu64 "\n", begin);
    while (steps_done(world) < end) {
        const uint64_t left = end - steps_done(world);
        check(world, dem_step(world, 1e-5, left < SAVE_EVERY ? left : SAVE_EVERY));
        check(world, dem_world_save(world, path));
    }
    uint64_t hash;
    check(world, dem_world_hash(world, &hash));
    printf("step %" PRIu64 " time %.5f s hash %016" PRIx64 "\n", steps_done(world),
           dem_world_time(world), hash);
    dem_world_destroy(world);
    return 0;
}
