/* SPDX-License-Identifier: MIT */
/* Microseconds a pair of spheres of triangles, in random directions and orientations. */
#include "bench.h"

#include "../support/icosphere.h"

#include <stdlib.h>

enum { PAIRS = 200, ROUNDS = 15 };

static dem_polyhedron *polyhedra_shape(int level)
{
    double *x;
    dem_mesh_config mesh_config;
    dem_polyhedron_config config;
    dem_mesh *mesh;
    dem_polyhedron *shape;
    const uint64_t count = icosphere_facets(level, &x);
    uint32_t *facets = malloc(count * 3 * sizeof *facets);
    bench_must(facets == NULL ? DEM_ERROR_MEMORY : DEM_OK, "facets");
    for (uint64_t k = 0; k < 3 * count; ++k)
        facets[k] = (uint32_t)k;
    bench_must(dem_mesh_config_init(&mesh_config), "mesh");
    bench_must(dem_mesh_create(&mesh_config, x, 3 * count, facets, count, &mesh, NULL), "mesh");
    bench_must(dem_polyhedron_config_init(&config), "shape");
    bench_must(dem_polyhedron_create(&config, mesh, &shape, NULL), "shape");
    dem_mesh_destroy(mesh);
    free(x);
    free(facets);
    return shape;
}

static void polyhedra_unit(uint64_t *random, double *v, int count)
{
    for (double square = 0.0; square < 0.01 || square > 1.0;) {
        square = 0.0;
        for (int c = 0; c < count; ++c) {
            v[c] = 2.0 * bench_random(random) - 1.0;
            square += v[c] * v[c];
        }
        for (int c = 0; c < count && square > 0.01 && square <= 1.0; ++c)
            v[c] /= sqrt(square);
    }
}

/* The least time of some rounds over all pairs; with a hint, that of the round before. */
static double polyhedra_time(dem_polyhedron_search *search, const dem_polyhedron *shape,
                             double overlap, int hinted)
{
    static dem_polyhedron_motion body[PAIRS][2];
    static dem_polyhedron_hint hint[PAIRS];
    uint64_t random = 88172645463325252u;
    double best = 1e9;
    for (int k = 0; k < PAIRS; ++k) {
        double n[3];
        polyhedra_unit(&random, n, 3);
        hint[k] = (dem_polyhedron_hint){{0.0, 0.0, 0.0}};
        for (int b = 0; b < 2; ++b) {
            bench_must(dem_polyhedron_motion_init(&body[k][b]), "motion");
            body[k][b].shape = shape;
            body[k][b].id = (uint64_t)b;
            polyhedra_unit(&random, body[k][b].orientation, 4);
            for (int c = 0; c < 3; ++c)
                body[k][b].position[c] = b * (2.0 - overlap) * n[c];
        }
    }
    for (int round = 0; round < ROUNDS; ++round) {
        dem_polyhedron_contact contact = {.struct_size = sizeof contact};
        const double begin = bench_seconds();
        for (int k = 0; k < PAIRS; ++k)
            bench_must(dem_polyhedron_search_pair(search, &body[k][0], &body[k][1],
                                                  hinted ? &hint[k] : NULL, &contact),
                       "pair");
        best = fmin(best, (bench_seconds() - begin) / PAIRS);
    }
    return 1e6 * best;
}

int bench_polyhedra(void)
{
    static const double overlap[4] = {-0.0005, 0.01, 0.02, 0.05};
    dem_polyhedron_search_config config;
    dem_polyhedron_search *search;
    bench_must(dem_polyhedron_search_config_init(&config), "search");
    bench_must(dem_polyhedron_search_create(&config, &search, NULL), "search");
    for (int level = 3; level <= 4; ++level) {
        dem_polyhedron *shape = polyhedra_shape(level);
        for (int k = 0; k < 4; ++k)
            printf("vertices=%d overlap=%g us=%.2f us_with_hint=%.2f\n", 10 * (1 << 2 * level) + 2,
                   overlap[k], polyhedra_time(search, shape, overlap[k], 0),
                   polyhedra_time(search, shape, overlap[k], 1));
        dem_polyhedron_destroy(shape);
    }
    dem_polyhedron_search_destroy(search);
    return 0;
}
