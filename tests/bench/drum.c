/* SPDX-License-Identifier: MIT */
/* 30,000 grains in a drum that turns about the axis z: a plain cylinder, which LAMMPS has too, and
 * one with lifters, whose surface is a mesh. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRAINS = 30000 };
enum { LIFTERS = 12, ARC = 9, AROUND = LIFTERS * (ARC + 4), SLABS = 16 };
enum { VERTICES = AROUND * (SLABS + 1) + 2, FACETS = 2 * AROUND * SLABS + 2 * AROUND };

static const double pi = 3.14159265358979323846;
static const double radius = BENCH_DRUM_RADIUS, length = BENCH_DRUM_LENGTH;
static const double lifter_height = 2.0, end_gap = 0.6; /* to the mesh's ends */

/* ------------------------------------------------------------------ the mesh with lifters */

/* Point k of the cross-section, counterclockwise: a lifter is a trapezoid, so that every point is
 * seen from the axis. */
static void section_point(int k, double x[2])
{
    static const double at[4] = {-0.06, -0.04, 0.04, 0.06};
    const double pitch = 2.0 * pi / LIFTERS;
    const int lifter = k / (ARC + 4), m = k % (ARC + 4);
    const double angle =
        lifter * pitch + (m < 4 ? at[m] : 0.06 + (pitch - 0.12) * (m - 3) / (ARC + 1));
    const double r = m == 1 || m == 2 ? radius - lifter_height : radius;
    x[0] = r * cos(angle);
    x[1] = r * sin(angle);
}

static void mesh_fill(double (*vertex)[3], uint32_t (*facet)[3])
{
    uint32_t n = 0;
    for (int slab = 0; slab <= SLABS; ++slab)
        for (int k = 0; k < AROUND; ++k) {
            double *x = vertex[slab * AROUND + k];
            section_point(k, x);
            x[2] = -end_gap + (length + 2.0 * end_gap) * slab / SLABS;
        }
    for (int end = 0; end < 2; ++end) {
        double *x = vertex[VERTICES - 2 + end];
        x[0] = x[1] = 0.0;
        x[2] = end == 0 ? -end_gap : length + end_gap;
    }
    for (uint32_t slab = 0; slab < SLABS; ++slab)
        for (uint32_t k = 0; k < AROUND; ++k) {
            const uint32_t a = slab * AROUND + k, b = slab * AROUND + (k + 1) % AROUND;
            const uint32_t sides[2][3] = {{a, b, b + AROUND}, {a, b + AROUND, a + AROUND}};
            memcpy(facet[n], sides, sizeof sides);
            n += 2;
        }
    for (uint32_t end = 0; end < 2; ++end)
        for (uint32_t k = 0; k < AROUND; ++k) {
            const uint32_t first = end == 0 ? 0 : SLABS * AROUND;
            facet[n][0] = first + (end == 0 ? (k + 1) % AROUND : k);
            facet[n][1] = first + (end == 0 ? k : (k + 1) % AROUND);
            facet[n++][2] = VERTICES - 2 + end;
        }
}

static dem_mesh *mesh_make(void)
{
    double(*vertex)[3] = calloc(VERTICES, sizeof *vertex);
    uint32_t(*facet)[3] = calloc(FACETS, sizeof *facet);
    dem_mesh_config config;
    dem_mesh *mesh = NULL;
    dem_error error = {0};
    if (vertex == NULL || facet == NULL)
        bench_fail("drum", "no memory for the mesh");
    mesh_fill(vertex, facet);
    bench_must(dem_mesh_config_init(&config), "mesh");
    config.refused |= DEM_MESH_OPEN;
    bench_must(dem_mesh_create(&config, vertex[0], VERTICES, facet[0], FACETS, &mesh, &error),
               error.message);
    free(vertex);
    free(facet);
    return mesh;
}

/* The same as ASCII STL, for a peer. */
static void mesh_write(const char *folder)
{
    char path[1024];
    dem_mesh *mesh = mesh_make();
    const double *x = dem_mesh_vertices(mesh);
    const uint32_t *v = dem_mesh_facets(mesh);
    FILE *out = NULL;
    if (snprintf(path, sizeof path, "%s/" BENCH_LIFTERS_STL, folder) < (int)sizeof path)
        out = fopen(path, "w");
    if (out == NULL)
        bench_fail(folder, "the mesh cannot be written");
    fprintf(out, "solid drum\n");
    for (int k = 0; k < FACETS; ++k) {
        fprintf(out, "facet normal 0 0 0\nouter loop\n");
        for (int m = 0; m < 3; ++m) {
            const double *p = x + 3 * v[3 * k + m];
            fprintf(out, "vertex %.17g %.17g %.17g\n", p[0], p[1], p[2]);
        }
        fprintf(out, "endloop\nendfacet\n");
    }
    fprintf(out, "endsolid drum\n");
    if (ferror(out) != 0 || fclose(out) != 0)
        bench_fail(path, "could not be written");
    dem_mesh_destroy(mesh);
}

/* ------------------------------------------------------------------ worlds */

void bench_drum_config(int place, const demo_grains *grains, double strength,
                       dem_world_config *config)
{
    config->gravity[0] = config->gravity[2] = 0.0;
    config->gravity[1] = -strength;
    for (int c = 0; c < 3; ++c)
        config->boundary[c] = DEM_BOUNDARY_OPEN;
    if (place == BENCH_ON_DRUM) {
        config->boundary[2] = DEM_BOUNDARY_PERIODIC;
        config->box_low[2] = grains->low[2];
        config->box_high[2] = grains->high[2];
    }
}

void bench_drum_add(dem_world *world, int place, int still)
{
    dem_wall wall;
    bench_must(dem_wall_init(&wall), "drum");
    wall.angular_velocity[2] = still ? 0.0 : -BENCH_DRUM_SPEED / radius;
    if (place == BENCH_ON_LIFTERS) {
        wall.shape = DEM_SHAPE_MESH;
        wall.mesh = mesh_make();
    } else {
        wall.shape = DEM_SHAPE_CYLINDER;
        wall.side = DEM_SIDE_INSIDE;
        wall.size[0] = radius;
    }
    const dem_mesh *mesh = wall.mesh;
    bench_must(dem_wall_add(world, &wall, NULL), dem_world_error(world));
    if (mesh != NULL)
        dem_mesh_destroy((dem_mesh *)(uintptr_t)mesh);
}

/* ------------------------------------------------------------------ grains */

/* A lattice below a slope as steep as that of a drum that turns. The drum stands still while it
 * settles, so that lifters are where a run begins with them. */
static void fill(demo_grains *grains)
{
    const double pitch = 1.02, inner = radius - lifter_height - 0.52, slope = 0.45;
    uint64_t random = 8;
    memset(grains, 0, sizeof *grains);
    grains->grain = calloc(GRAINS, sizeof *grains->grain);
    if (grains->grain == NULL)
        bench_fail("drum", "no memory for the grains");
    grains->types = 2;
    for (int c = 0; c < 2; ++c) {
        grains->low[c] = -radius - 2.0;
        grains->high[c] = radius + 2.0;
    }
    grains->high[2] = length;
    const int layers = (int)(length / pitch), edge = (int)(2.0 * inner / pitch);
    /* lines parallel to the slope, from the lowest one */
    for (int line = 0; line < edge && grains->count < GRAINS; ++line)
        for (int k = 0; k < edge; ++k)
            for (int layer = 0; layer < layers && grains->count < GRAINS; ++layer) {
                const double u = (k + 0.5) * pitch - inner, v = (line + 0.5) * pitch - inner;
                if (u * u + v * v > inner * inner)
                    continue;
                demo_grain *g = &grains->grain[grains->count++];
                g->id = grains->count;
                g->type = 1;
                g->diameter = 1.0;
                g->density = 1.0;
                g->position[0] = u * cos(slope) + v * sin(slope);
                g->position[1] = v * cos(slope) - u * sin(slope);
                g->position[2] = (layer + 0.5) * length / layers;
                for (int c = 0; c < 3; ++c)
                    g->velocity[c] = bench_random(&random) - 0.5;
            }
}

/* Grains turn with the drum when a run begins, or lifters would strike the bed. */
static void turn(demo_grains *grains)
{
    const double rate = -BENCH_DRUM_SPEED / radius;
    for (uint64_t k = 0; k < grains->count; ++k) {
        demo_grain *g = &grains->grain[k];
        g->velocity[0] -= rate * g->position[1];
        g->velocity[1] += rate * g->position[0];
        g->angular_velocity[2] += rate;
    }
}

void bench_generate_drums(const char *folder, int threads)
{
    static const struct {
        const char *file;
        int place;
    } drums[] = {{BENCH_DRUM, BENCH_ON_DRUM}, {BENCH_LIFTERS, BENCH_ON_LIFTERS}};
    for (size_t k = 0; k < sizeof drums / sizeof drums[0]; ++k) {
        demo_grains grains;
        if (bench_grains_there(folder, drums[k].file))
            continue;
        fprintf(stderr, "bench: making %s in %s\n", drums[k].file, folder);
        fill(&grains);
        if (drums[k].place == BENCH_ON_LIFTERS) { /* room for the ends */
            grains.low[2] -= 3.0;
            grains.high[2] += 3.0;
        }
        bench_settle(&grains, threads, drums[k].place);
        if (drums[k].place == BENCH_ON_LIFTERS)
            turn(&grains);
        bench_grains_write(folder, drums[k].file, &grains);
        demo_grains_free(&grains);
    }
    if (!bench_grains_there(folder, BENCH_LIFTERS_STL))
        mesh_write(folder);
}
