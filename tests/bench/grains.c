/* SPDX-License-Identifier: MIT */
/* Grains: to and from files in LAMMPS's data format, into worlds and back. */
#include "bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void path_join(char path[1024], const char *folder, const char *file)
{
    if (snprintf(path, 1024, "%s/%s", folder, file) >= 1024)
        bench_fail(folder, "the path is too long");
}

void bench_grains_read(const char *folder, const char *file, int tiles_x, int tiles_y,
                       demo_grains *grains)
{
    char path[1024];
    path_join(path, folder, file);
    if (lammps_data_read(path, grains) != 0)
        exit(1);
    const uint64_t one = grains->count, tiles = (uint64_t)tiles_x * (uint64_t)tiles_y;
    const double size[2] = {grains->high[0] - grains->low[0], grains->high[1] - grains->low[1]};
    demo_grain *all = realloc(grains->grain, (size_t)(one * tiles) * sizeof *all);
    if (all == NULL)
        bench_fail(path, "no memory for the grains");
    for (uint64_t k = one; k < one * tiles; ++k) {
        const uint64_t tile = k / one;
        all[k] = all[k % one];
        all[k].id = k + 1;
        all[k].position[0] += size[0] * (double)(tile % (uint64_t)tiles_x);
        all[k].position[1] += size[1] * (double)(tile / (uint64_t)tiles_x);
    }
    grains->grain = all;
    grains->count = one * tiles;
    grains->high[0] = grains->low[0] + size[0] * tiles_x;
    grains->high[1] = grains->low[1] + size[1] * tiles_y;
}

void bench_grains_write(const char *folder, const char *file, const demo_grains *grains)
{
    char path[1024];
    path_join(path, folder, file);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        bench_fail(path, "cannot be written");
    fprintf(out,
            "grains of libdem's benchmark\n\n%" PRIu64 " atoms\n%d atom types\n\n"
            "%.17g %.17g xlo xhi\n%.17g %.17g ylo yhi\n%.17g %.17g zlo zhi\n\nAtoms # sphere\n\n",
            grains->count, grains->types, grains->low[0], grains->high[0], grains->low[1],
            grains->high[1], grains->low[2], grains->high[2]);
    for (uint64_t k = 0; k < grains->count; ++k) {
        const demo_grain *g = &grains->grain[k];
        fprintf(out, "%" PRIu64 " %d %.17g %.17g %.17g %.17g %.17g\n", g->id, g->type, g->diameter,
                g->density, g->position[0], g->position[1], g->position[2]);
    }
    fprintf(out, "\nVelocities\n\n");
    for (uint64_t k = 0; k < grains->count; ++k) {
        const demo_grain *g = &grains->grain[k];
        fprintf(out, "%" PRIu64 " %.17g %.17g %.17g %.17g %.17g %.17g\n", g->id, g->velocity[0],
                g->velocity[1], g->velocity[2], g->angular_velocity[0], g->angular_velocity[1],
                g->angular_velocity[2]);
    }
    if (ferror(out) != 0 || fclose(out) != 0)
        bench_fail(path, "could not be written");
}

static void grains_add(dem_world *world, const demo_grains *grains, int materials, int frozen)
{
    dem_particle *rows = calloc((size_t)grains->count, sizeof *rows);
    uint64_t random = 3;
    if (rows == NULL)
        bench_fail("world", "no memory for the grains");
    for (uint64_t k = 0; k < grains->count; ++k) {
        const demo_grain *g = &grains->grain[k];
        dem_particle_init(&rows[k]);
        rows[k].id = g->id;
        memcpy(rows[k].position, g->position, sizeof g->position);
        rows[k].radius = 0.5 * g->diameter;
        rows[k].mass = g->density * pi / 6.0 * g->diameter * g->diameter * g->diameter;
        if (frozen && g->type == 2) {
            rows[k].mobility = DEM_MOBILITY_FIXED;
            rows[k].material = materials;
        } else {
            memcpy(rows[k].velocity, g->velocity, sizeof g->velocity);
            memcpy(rows[k].angular_velocity, g->angular_velocity, sizeof g->angular_velocity);
            rows[k].material = (int32_t)(bench_random(&random) * materials);
        }
    }
    bench_must(dem_particles_add(world, grains->count, rows, NULL), dem_world_error(world));
    free(rows);
}

dem_world *bench_world_make(const demo_grains *grains, const bench_world *options)
{
    dem_world_config config;
    dem_world *world = NULL;
    dem_error error = {0};
    bench_must(dem_world_config_init(&config), "configuration");
    config.gravity[0] = options->strength * sin(options->angle * pi / 180.0);
    config.gravity[2] = -options->strength * cos(options->angle * pi / 180.0);
    for (int k = 0; k < 2; ++k) {
        config.boundary[k] = DEM_BOUNDARY_PERIODIC;
        config.box_low[k] = grains->low[k];
        config.box_high[k] = grains->high[k];
    }
    config.skin = options->skin > 0.0 ? options->skin : 0.1;
    config.material_count = options->materials + 1;
    config.integrator = options->integrator;
    config.threads = options->threads;
    config.executor.run = options->run;
    config.isa = options->isa;
    config.chunk_rows = options->chunk_rows;
    config.sums = options->sums;
    if (options->sums == DEM_SUMS_EXACT)
        config.force_range = config.torque_range = 0x1p20; /* grains weigh about 1 */
    config.energy_tracking = options->energy_tracking;
    if (options->place >= BENCH_ON_DRUM)
        bench_drum_config(options->place, grains, options->strength, &config);
    bench_must(dem_world_create(&config, &world, &error), error.message);
    grains_add(world, grains, options->materials, options->place == BENCH_ON_FROZEN);
    if (options->place >= BENCH_ON_DRUM)
        bench_drum_add(world, options->place, options->still);
    if (options->place == BENCH_ON_PLANE) {
        dem_wall floor;
        bench_must(dem_wall_init(&floor), "floor");
        bench_must(dem_wall_add(world, &floor, NULL), dem_world_error(world));
    }
    return world;
}

void bench_grains_update(dem_world *world, demo_grains *grains)
{
    for (uint64_t k = 0; k < grains->count; ++k) {
        demo_grain *g = &grains->grain[k];
        dem_particle_handle handle;
        dem_particle p = {.struct_size = sizeof p};
        bench_must(dem_particle_find(world, g->id, &handle), dem_world_error(world));
        bench_must(dem_particle_get(world, handle, &p), dem_world_error(world));
        for (int c = 0; c < 3; ++c) {
            const double size = grains->high[c] - grains->low[c];
            g->position[c] = p.position[c];
            if (c < 2) /* back into the box */
                g->position[c] -= size * floor((p.position[c] - grains->low[c]) / size);
            g->velocity[c] = p.velocity[c];
            g->angular_velocity[c] = p.angular_velocity[c];
        }
    }
}
