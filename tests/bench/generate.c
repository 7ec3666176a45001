/* SPDX-License-Identifier: MIT */
/* The grains of the scenes: 32,000 spheres of diameter 1 on a bumpy floor of 912 frozen ones, in a
 * box of 40 by 20 that is periodic in x and y.
 *
 * The bed falls from a loose, moving lattice and settles. The chute is the bed, made a little
 * looser, with the velocity profile of a flow down a slope of 26 degrees (Bagnold's), its shear and
 * its fluctuations as in the benchmark `chute` of LAMMPS; it flows on until contacts have formed.
 */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double size_x = 40.0, size_y = 20.0, layer_height = 1.0;
enum { COUNT = 32000, FLOOR_X = 38, FLOOR_Y = 24, FLOOR = FLOOR_X * FLOOR_Y, NX = 39, NY = 19 };

static double around(uint64_t *random, double width)
{
    return width * (bench_random(random) - 0.5);
}

/* Close to a normal distribution of deviation 1: the sum of twelve uniform numbers. */
static double normal(uint64_t *random)
{
    double sum = -6.0;
    for (int k = 0; k < 12; ++k)
        sum += bench_random(random);
    return sum;
}

static void lattice(demo_grains *grains)
{
    uint64_t random = 1;
    memset(grains, 0, sizeof *grains);
    grains->grain = calloc(COUNT, sizeof *grains->grain);
    if (grains->grain == NULL)
        bench_fail("generate", "no memory for the grains");
    grains->count = COUNT;
    grains->types = 2;
    grains->high[0] = size_x;
    grains->high[1] = size_y;
    grains->low[2] = -1.0;
    grains->high[2] = 60.0;
    for (int k = 0; k < COUNT; ++k) {
        demo_grain *g = &grains->grain[k];
        const int row = k < FLOOR ? k : k - FLOOR, nx = k < FLOOR ? FLOOR_X : NX,
                  ny = k < FLOOR ? FLOOR_Y : NY;
        g->id = (uint64_t)k + 1;
        g->type = k < FLOOR ? 2 : 1;
        g->diameter = g->density = 1.0;
        const double width = k < FLOOR ? 0.5 : 0.02;
        const int layer = k < FLOOR ? 0 : row / (NX * NY);
        /* every second layer half a pitch aside, so that layers may lie close */
        const double aside = layer % 2 == 0 ? 0.25 : 0.75;
        g->position[0] = (row % nx + aside) * size_x / nx + around(&random, width);
        g->position[1] = (row / nx % ny + aside) * size_y / ny + around(&random, width);
        g->position[2] = k < FLOOR ? 1.18 * bench_random(&random)
                                   : 2.2 + layer_height * layer + around(&random, width);
        for (int c = 0; c < 3 && k >= FLOOR; ++c)
            g->velocity[c] = around(&random, 6.0);
    }
}

static double *row(const dem_view *view, uint64_t k)
{
    return (double *)(void *)((char *)view->data + k * view->stride);
}

/* Air that a world does not have: slows all grains. */
static void slow_down(dem_world *world, double kept)
{
    static const int32_t fields[2] = {DEM_FIELD_VELOCITY, DEM_FIELD_ANGULAR_VELOCITY};
    for (int f = 0; f < 2; ++f) {
        dem_view view = {.struct_size = sizeof view};
        bench_must(dem_world_view(world, fields[f], &view), dem_world_error(world));
        for (uint64_t k = 0; k < view.count; ++k) {
            double *v = row(&view, k);
            for (int c = 0; c < 3; ++c)
                v[c] *= kept;
        }
        bench_must(dem_world_written_field(world, fields[f]), dem_world_error(world));
    }
}

/* Takes the part of the vertical motion that grows with the height: layers do not bounce. */
static void stop_bouncing(dem_world *world)
{
    dem_view x = {.struct_size = sizeof x}, v = x;
    double up = 0.0, square = 0.0;
    bench_must(dem_world_view(world, DEM_FIELD_POSITION, &x), dem_world_error(world));
    bench_must(dem_world_view(world, DEM_FIELD_VELOCITY, &v), dem_world_error(world));
    for (uint64_t k = 0; k < x.count; ++k) {
        up += row(&x, k)[2] * row(&v, k)[2];
        square += row(&x, k)[2] * row(&x, k)[2];
    }
    for (uint64_t k = 0; k < x.count; ++k)
        if (x.id[k] > FLOOR) /* the floor stands still */
            row(&v, k)[2] -= 0.5 * up / square * row(&x, k)[2];
    bench_must(dem_world_written_field(world, DEM_FIELD_VELOCITY), dem_world_error(world));
}

void bench_stretch_run(demo_grains *grains, int threads, const bench_stretch *s, int place)
{
    bench_world options = {.threads = threads,
                           .materials = 1,
                           .place = place,
                           .still = 1,
                           .strength = s->gravity,
                           .angle = s->angle,
                           .energy_tracking = DEM_ENERGY_TRACKING_OFF};
    dem_world *world = bench_world_make(grains, &options);
    bench_model m;
    bench_model_fill(&m, "linear", BENCH_DEFAULT);
    dem_linear *p = &m.parameters[0].linear;
    p->stiffness_normal = 2e5;
    p->damping = DEM_DAMPING_RATE;
    p->damping_normal = s->rate;
    p->damping_tangential = 0.5 * s->rate;
    for (int32_t b = 0; b < 2; ++b)
        bench_must(dem_contact_model_set(world, 0, b, &m.model), dem_world_error(world));
    for (int k = 0; k < s->hundreds; ++k) {
        bench_must(dem_step(world, 1e-4, 100), dem_world_error(world));
        if (s->kept < 1.0)
            slow_down(world, s->kept);
        if (s->angle > 0.0)
            stop_bouncing(world);
    }
    bench_grains_update(world, grains);
    dem_world_destroy(world);
}

void bench_settle(demo_grains *grains, int threads, int place)
{
    /* high gravity at first: grains mix while they fall; once they lie, air stops the bed from
     * bouncing */
    static const bench_stretch way[] = {
        {10.0, 0.0, 50.0, 1.0, 250},
        {10.0, 0.0, 400.0, 0.97, 120},
        {3.0, 0.0, 400.0, 0.97, 80},
        {1.0, 0.0, 400.0, 0.97, 120},
    };
    for (size_t k = 0; k < sizeof way / sizeof way[0]; ++k)
        bench_stretch_run(grains, threads, &way[k], place);
}

static void flow(demo_grains *grains, int threads)
{
    const double loose = 1.11, height = 37.0, fastest = 14.5;
    uint64_t random = 2;
    for (uint64_t k = FLOOR; k < grains->count; ++k) {
        demo_grain *g = &grains->grain[k];
        const double z = g->position[2] = loose * g->position[2];
        const double depth = z < height ? sqrt(1.0 - z / height) : 0.0;
        for (int c = 0; c < 3; ++c) {
            g->velocity[c] = 0.4 * depth * normal(&random);
            g->angular_velocity[c] = 1.1 * depth * normal(&random);
        }
        g->velocity[0] += fastest * (1.0 - depth * depth * depth);
        g->angular_velocity[1] += 0.75 * fastest / height * depth; /* half of the shear rate */
    }
    bench_stretch_run(grains, threads, &(bench_stretch){1.0, 26.0, 50.0, 1.0, 80}, 0);
}

int bench_grains_there(const char *folder, const char *file)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, file);
    return access(path, R_OK) == 0;
}

void bench_generate(const char *folder, int threads)
{
    demo_grains grains;
    if (bench_grains_there(folder, BENCH_BED)) {
        bench_grains_read(folder, BENCH_BED, 1, 1, &grains);
    } else {
        fprintf(stderr, "bench: making the bed in %s\n", folder);
        lattice(&grains);
        bench_settle(&grains, threads, 0);
        bench_grains_write(folder, BENCH_BED, &grains);
    }
    if (!bench_grains_there(folder, BENCH_CHUTE)) {
        fprintf(stderr, "bench: making the chute in %s\n", folder);
        flow(&grains, threads);
        bench_grains_write(folder, BENCH_CHUTE, &grains);
    }
    demo_grains_free(&grains);
    bench_generate_on_plane(folder, threads);
    bench_generate_drums(folder, threads);
}
