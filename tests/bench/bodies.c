/* SPDX-License-Identifier: MIT */
/* What rigid bodies cost: a bed of clumps of five spheres, and beside it a bed of as many spheres
 * alone. The turns of the two worlds alternate; medians are compared. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

enum { PARTS = 5, WIDE = 10, HIGH = 20, CLUMPS = WIDE * WIDE * HIGH, TURNS = 15, SETTLE = 15000 };
#define EDGE 26.0 /* diameters, of the box along x and y */
static const double dt = 1e-4;

static dem_world *box_make(void)
{
    dem_world_config config;
    dem_world *world = NULL;
    dem_wall wall;
    bench_model m;
    bench_must(dem_world_config_init(&config), "configuration");
    config.threads = 1;
    config.gravity[2] = -100.0;
    for (int c = 0; c < 2; ++c) {
        config.boundary[c] = DEM_BOUNDARY_PERIODIC;
        config.box_high[c] = EDGE;
    }
    bench_must(dem_world_create(&config, &world, NULL), "world");
    bench_model_fill(&m, "linear", BENCH_DEFAULT);
    bench_must(dem_contact_model_set(world, 0, 0, &m.model), dem_world_error(world));
    bench_must(dem_wall_init(&wall), "wall");
    bench_must(dem_wall_add(world, &wall, NULL), dem_world_error(world));
    return world;
}

/* A sphere in the middle and four around it, at the corners of a tetrahedron. */
static void clump_measure(dem_body *body, dem_body_part parts[PARTS])
{
    static const double corner[PARTS][3] = {
        {0, 0, 0}, {1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    bench_must(dem_body_init(body), "body");
    for (int k = 0; k < PARTS; ++k) {
        bench_must(dem_body_part_init(&parts[k]), "part");
        parts[k].radius = 0.5;
        for (int c = 0; c < 3; ++c)
            parts[k].centre[c] = 0.4 * corner[k][c];
    }
    bench_must(dem_clump_measure(1.0, PARTS, parts, body, NULL, NULL), "clump");
}

static void clumps_add(dem_world *world)
{
    dem_body body;
    dem_body_part parts[PARTS];
    uint64_t random = 3;
    clump_measure(&body, parts);
    for (int n = 0; n < CLUMPS; ++n) {
        const int at[3] = {n % WIDE, n / WIDE % WIDE, n / WIDE / WIDE};
        double square = 0.0;
        for (int c = 0; c < 4; ++c) {
            body.orientation[c] = bench_random(&random) - 0.5;
            square += body.orientation[c] * body.orientation[c];
        }
        for (int c = 0; c < 4; ++c)
            body.orientation[c] /= sqrt(square);
        for (int c = 0; c < 3; ++c) {
            body.position[c] = EDGE / WIDE * (at[c] + 0.5);
            body.velocity[c] = bench_random(&random) - 0.5;
        }
        bench_must(dem_body_add(world, &body, PARTS, parts, NULL), dem_world_error(world));
    }
}

/* Spheres alone, as many as the clumps have, from the same height. */
static void spheres_add(dem_world *world)
{
    enum { ACROSS = 16 };
    const double spacing = EDGE / ACROSS;
    uint64_t random = 3;
    for (int n = 0; n < CLUMPS * PARTS; ++n) {
        const int at[3] = {n % ACROSS, n / ACROSS % ACROSS, n / ACROSS / ACROSS};
        dem_particle p;
        bench_must(dem_particle_init(&p), "particle");
        p.radius = 0.5;
        p.mass = 3.14159265358979324 / 6.0;
        for (int c = 0; c < 3; ++c) {
            p.position[c] = (c < 2 ? spacing : 1.3) * (at[c] + 0.5);
            p.velocity[c] = bench_random(&random) - 0.5;
        }
        bench_must(dem_particle_add(world, &p, NULL), dem_world_error(world));
    }
}

/* A fluid at rest that drags each part, loosely. */
static void fluid_add(dem_world *world)
{
    dem_view drag = {.struct_size = sizeof drag};
    bench_must(dem_world_view(world, DEM_FIELD_DRAG_COEFFICIENT, &drag), dem_world_error(world));
    for (uint64_t row = 0; row < drag.count; ++row)
        *(double *)(void *)((char *)drag.data + row * drag.stride) = 0.01;
    bench_must(dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT), dem_world_error(world));
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int bench_bodies(int count, char **arguments)
{
    enum { WORLDS = 3 };
    static const char *const names[WORLDS] = {"spheres", "clump5", "clump5-in-a-fluid"};
    const int steps = count > 0 ? atoi(arguments[0]) : 200;
    double ns[WORLDS][TURNS];
    if (steps <= 0)
        bench_fail("bodies", "no steps");
    dem_world *world[WORLDS] = {box_make(), box_make(), box_make()};
    spheres_add(world[0]);
    clumps_add(world[1]);
    clumps_add(world[2]);
    fluid_add(world[2]);
    for (int k = 0; k < WORLDS; ++k)
        bench_must(dem_step(world[k], dt, SETTLE), dem_world_error(world[k]));
    for (int n = 0; n < TURNS; ++n)
        for (int k = 0; k < WORLDS; ++k) {
            const double start = bench_work();
            bench_must(dem_step(world[k], dt, (uint64_t)steps), dem_world_error(world[k]));
            ns[k][n] = 1e9 * (bench_work() - start) / ((double)steps * CLUMPS * PARTS);
        }
    for (int k = 0; k < WORLDS; ++k) {
        dem_world_counts counts = {.struct_size = sizeof counts};
        bench_must(dem_world_counts_get(world[k], &counts), dem_world_error(world[k]));
        qsort(ns[k], TURNS, sizeof ns[k][0], ascending);
        printf("scene=bodies of=%s spheres=%d ns_per_sphere_step=%.2f ratio=%.3f contacts=%llu "
               "rebuilds=%llu\n",
               names[k], CLUMPS * PARTS, ns[k][TURNS / 2], ns[k][TURNS / 2] / ns[0][TURNS / 2],
               (unsigned long long)counts.contacts, (unsigned long long)counts.rebuilds);
        dem_world_destroy(world[k]);
    }
    return 0;
}
