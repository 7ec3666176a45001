/* SPDX-License-Identifier: MIT */
/* What walls cost that nothing touches: spheres in an open box that collide now and then, without
 * walls, with planes far away, and with planes within two radii of the outermost spheres. A mesh of
 * 100,352 facets is a level sheet below them that is ten times as wide as they are; it is far away,
 * near, or so near that the lowest spheres are listed with it.
 *
 * That gas has few contacts, and any work beside it shows. A bed of as many spheres, three contacts
 * each, lies on a plane; the same sheet is far below, listed with the lowest layer, or the floor
 * itself. The turns of the worlds alternate; medians are compared. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

enum { EDGE = 32, SPHERES = EDGE * EDGE * EDGE, TURNS = 15, WARM = 300 };
#define SPACING 1.05 /* diameters */
#define BED_SPACING 0.999

typedef struct walls_case {
    const char *scene, *name;
    int planes, facets;
    double gap; /* of the nearest centre, radii; 0: planes of all directions, far away */
} walls_case;

enum { SIDE = 224, FACETS = 2 * SIDE * SIDE };
static const walls_case cases[] = {
    {"gas", "none", 0, 0, 0.0},           {"gas", "far", 4000, 0, 0.0},
    {"gas", "near", 1, 0, 2.0},           {"gas", "near", 16, 0, 2.0},
    {"gas", "near", 256, 0, 2.0},         {"gas", "near", 4000, 0, 2.0},
    {"gas", "far", 0, FACETS, 20.0},      {"gas", "near", 0, FACETS, 2.0},
    {"gas", "listed", 0, FACETS, 1.05},   {"bed", "floor", 1, 0, 1.0},
    {"bed", "far", 1, FACETS, 20.0},      {"bed", "listed", 1, FACETS, 1.05},
    {"bed", "mesh-floor", 0, FACETS, 1.0}};
enum { CASES = sizeof cases / sizeof cases[0] };

/* A plane that faces the middle of the box. */
static void plane_add(dem_world *world, const double normal[3], double from_middle)
{
    const double middle = 0.5 * SPACING * (EDGE - 1);
    dem_wall wall;
    bench_must(dem_wall_init(&wall), "wall");
    for (int c = 0; c < 3; ++c) {
        wall.normal[c] = normal[c];
        wall.point[c] = middle - normal[c] * from_middle;
    }
    bench_must(dem_wall_add(world, &wall, NULL), dem_world_error(world));
}

static void planes_add(dem_world *world, const walls_case *of)
{
    uint64_t random = 7;
    for (int k = 0; k < of->planes; ++k) {
        double n[3] = {1.0, 0.0, 0.0}, square = 0.0;
        double distance = 0.5 * SPACING * (EDGE - 1) + 0.5 * of->gap;
        while (of->gap == 0.0 && (square < 0.01 || square > 1.0)) {
            square = 0.0;
            for (int c = 0; c < 3; ++c) {
                n[c] = 2.0 * bench_random(&random) - 1.0;
                square += n[c] * n[c];
            }
        }
        for (int c = 0; c < 3 && of->gap == 0.0; ++c)
            n[c] /= sqrt(square);
        if (of->gap == 0.0)
            distance = SPACING * EDGE + 10.0;
        plane_add(world, n, distance);
    }
}

/* A sheet below the spheres; its facets are as wide as one and a half of them. */
static void mesh_add(dem_world *world, double gap)
{
    double(*vertex)[3] = calloc((SIDE + 1) * (SIDE + 1), sizeof *vertex);
    uint32_t(*facet)[3] = calloc(FACETS, sizeof *facet);
    const double width = 10.0 * SPACING * EDGE, low = 0.5 * SPACING * EDGE - 0.5 * width;
    dem_mesh_config config;
    dem_wall wall;
    if (vertex == NULL || facet == NULL)
        bench_fail("walls", "no memory");
    for (uint32_t k = 0; k < (SIDE + 1) * (SIDE + 1); ++k) {
        vertex[k][0] = low + width * (k % (SIDE + 1)) / SIDE;
        vertex[k][1] = low + width * (k / (SIDE + 1)) / SIDE;
        vertex[k][2] = -0.5 * gap;
    }
    for (uint32_t k = 0; k < SIDE * SIDE; ++k) {
        const uint32_t a = k / SIDE * (SIDE + 1) + k % SIDE, b = a + SIDE + 1;
        const uint32_t two[2][3] = {{a, a + 1, b + 1}, {a, b + 1, b}};
        for (int n = 0; n < 6; ++n)
            facet[2 * k + (uint32_t)(n / 3)][n % 3] = two[n / 3][n % 3];
    }
    bench_must(dem_mesh_config_init(&config), "mesh");
    bench_must(dem_wall_init(&wall), "mesh");
    wall.shape = DEM_SHAPE_MESH;
    bench_must(dem_mesh_create(&config, vertex[0], (SIDE + 1) * (SIDE + 1), facet[0], FACETS,
                               &wall.mesh, NULL),
               "mesh");
    bench_must(dem_wall_add(world, &wall, NULL), dem_world_error(world));
    dem_mesh_destroy(wall.mesh);
    free(vertex);
    free(facet);
}

static int is_bed(const walls_case *of)
{
    return of->scene[0] == 'b';
}

static dem_world *world_empty(const walls_case *of)
{
    dem_world_config config;
    dem_world *world = NULL;
    dem_material material;
    bench_model m;
    bench_must(dem_world_config_init(&config), "configuration");
    config.threads = 1;
    for (int c = 0; c < 2 && is_bed(of); ++c) {
        config.boundary[c] = DEM_BOUNDARY_PERIODIC;
        config.box_high[c] = BED_SPACING * EDGE;
    }
    config.gravity[2] = is_bed(of) ? -1.0 : 0.0;
    bench_must(dem_world_create(&config, &world, NULL), "world");
    bench_must(dem_material_init(&material), "material");
    material.density = 1.0;
    bench_must(dem_material_set(world, 0, &material), dem_world_error(world));
    bench_model_fill(&m, "linear", BENCH_DEFAULT);
    bench_must(dem_contact_model_set(world, 0, 0, &m.model), dem_world_error(world));
    return world;
}

static dem_world *world_make(const walls_case *of)
{
    dem_world *world = world_empty(of);
    dem_particle *grains = calloc(SPHERES, sizeof *grains);
    uint64_t random = 1;
    if (grains == NULL)
        bench_fail("walls", "no memory");
    for (int k = 0; k < SPHERES; ++k) {
        const int at[3] = {k % EDGE, k / EDGE % EDGE, k / EDGE / EDGE};
        bench_must(dem_particle_init(&grains[k]), "particle");
        grains[k].radius = 0.5;
        for (int c = 0; c < 3; ++c) {
            grains[k].position[c] = (is_bed(of) ? BED_SPACING : SPACING) * at[c];
            /* the outermost ones stay where they are */
            const int inside = at[c] > 0 && at[c] < EDGE - 1;
            const double speed = is_bed(of) ? 0.01 : inside ? 4.0 : 0.0;
            grains[k].velocity[c] = speed * (bench_random(&random) - 0.5);
        }
    }
    bench_must(dem_particles_add(world, SPHERES, grains, NULL), dem_world_error(world));
    free(grains);
    if (of->facets > 0)
        mesh_add(world, of->gap);
    if (is_bed(of) && of->planes > 0) {
        const double up[3] = {0.0, 0.0, 1.0};
        plane_add(world, up, 0.5 * SPACING * (EDGE - 1) + 0.5);
    } else {
        planes_add(world, of);
    }
    bench_must(dem_step(world, 1e-4, WARM), dem_world_error(world));
    return world;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int bench_walls(int count, char **arguments)
{
    const int steps = count > 0 ? atoi(arguments[0]) : 100;
    dem_world *world[CASES];
    double ns[CASES][TURNS];
    if (steps <= 0)
        bench_fail("walls", "no steps");
    for (int k = 0; k < CASES; ++k)
        world[k] = world_make(&cases[k]);
    for (int n = 0; n < TURNS; ++n)
        for (int k = 0; k < CASES; ++k) {
            const double start = bench_work();
            bench_must(dem_step(world[k], 1e-4, (uint64_t)steps), dem_world_error(world[k]));
            ns[k][n] = 1e9 * (bench_work() - start) / ((double)steps * SPHERES);
        }
    int base = 0;
    for (int k = 0; k < CASES; ++k) {
        dem_world_counts counts = {.struct_size = sizeof counts};
        bench_must(dem_world_counts_get(world[k], &counts), dem_world_error(world[k]));
        qsort(ns[k], TURNS, sizeof ns[k][0], ascending);
        base = is_bed(&cases[k]) == is_bed(&cases[base]) ? base : k;
        printf("scene=walls of=%s walls=%s planes=%d facets=%d ns=%.2f ratio=%.3f contacts=%llu "
               "rebuilds=%llu\n",
               cases[k].scene, cases[k].name, cases[k].planes, cases[k].facets, ns[k][TURNS / 2],
               ns[k][TURNS / 2] / ns[base][TURNS / 2], (unsigned long long)counts.contacts,
               (unsigned long long)counts.rebuilds);
        dem_world_destroy(world[k]);
    }
    return 0;
}
