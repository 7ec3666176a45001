/* SPDX-License-Identifier: MIT */
/* Shapes with any number of vertices: the convex hull of points that are spread on a sphere, point
 * after point. */
#include "brazil_nut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct hull {
    double (*x)[3];
    uint32_t (*facet)[3];
    uint64_t count;
    uint32_t (*edge)[2]; /* of facets that a point sees */
} hull;

/* Whether a point is above a facet. */
static int sees(const hull *h, const uint32_t facet[3], const double p[3])
{
    const double *a = h->x[facet[0]], *b = h->x[facet[1]], *c = h->x[facet[2]];
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        w[k] = p[k] - a[k];
    }
    return w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) +
               w[2] * (u[0] * v[1] - u[1] * v[0]) >
           0.0;
}

static void facet_add(hull *h, uint32_t a, uint32_t b, uint32_t c)
{
    h->facet[h->count][0] = a;
    h->facet[h->count][1] = b;
    h->facet[h->count][2] = c;
    ++h->count;
}

/* Takes the facets away that the point sees, and joins it with the edges around them. */
static void point_add(hull *h, uint32_t point)
{
    uint64_t kept = 0, edges = 0;
    for (uint64_t f = 0; f < h->count; ++f) {
        if (!sees(h, h->facet[f], h->x[point])) {
            memmove(h->facet[kept++], h->facet[f], sizeof h->facet[f]);
            continue;
        }
        for (int k = 0; k < 3; ++k, ++edges) {
            h->edge[edges][0] = h->facet[f][k];
            h->edge[edges][1] = h->facet[f][(k + 1) % 3];
        }
    }
    h->count = kept;
    for (uint64_t k = 0; k < edges; ++k) {
        int inner = 0;
        for (uint64_t m = 0; m < edges && !inner; ++m)
            inner = h->edge[m][0] == h->edge[k][1] && h->edge[m][1] == h->edge[k][0];
        if (!inner)
            facet_add(h, h->edge[k][0], h->edge[k][1], point);
    }
}

static void hull_make(hull *h, uint32_t count)
{
    static const uint32_t first[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    for (uint32_t k = 0; k < count; ++k) {
        /* a spiral from pole to pole; the golden angle spreads the points */
        const double z = 1.0 - (2.0 * k + 1.0) / count, r = sqrt(1.0 - z * z),
                     angle = SCENE_PI * (3.0 - sqrt(5.0)) * k;
        h->x[k][0] = r * cos(angle);
        h->x[k][1] = r * sin(angle);
        h->x[k][2] = z;
    }
    const int turned = sees(h, first[0], h->x[3]);
    for (int f = 0; f < 4; ++f)
        facet_add(h, first[f][0], first[f][turned ? 2 : 1], first[f][turned ? 1 : 2]);
    for (uint32_t k = 4; k < count; ++k)
        point_add(h, k);
}

static dem_polyhedron *solid_of(scene *s, const hull *h, uint64_t count)
{
    dem_mesh_config config;
    dem_polyhedron_config solid;
    dem_mesh *mesh = NULL;
    dem_polyhedron *shape = NULL;
    dem_error error = {.message = ""};
    dem_status status = dem_mesh_config_init(&config);
    if (status == DEM_OK)
        status = dem_polyhedron_config_init(&solid);
    if (status == DEM_OK)
        status = dem_mesh_create(&config, h->x[0], count, h->facet[0], h->count, &mesh, &error);
    if (status == DEM_OK)
        status = dem_polyhedron_create(&solid, mesh, &shape, &error);
    dem_mesh_destroy(mesh);
    if (status != DEM_OK) {
        fprintf(stderr, "%s: shape: %s\n", s->name, error.message);
        s->failed = 1;
    }
    return shape;
}

dem_polyhedron *nut_shape(scene *s, int count, const double half[3])
{
    const size_t n = (size_t)count;
    hull h = {.x = malloc(n * sizeof *h.x),
              .facet = malloc(2 * n * sizeof *h.facet),
              .edge = malloc(6 * n * sizeof *h.edge)};
    dem_polyhedron *shape = NULL;
    if (h.x == NULL || h.facet == NULL || h.edge == NULL) {
        fprintf(stderr, "%s: no memory for a shape\n", s->name);
        s->failed = 1;
    } else {
        hull_make(&h, (uint32_t)count);
        for (size_t k = 0; k < n; ++k)
            for (int c = 0; c < 3; ++c)
                h.x[k][c] *= half[c];
        shape = solid_of(s, &h, n);
    }
    free(h.x);
    free(h.facet);
    free(h.edge);
    return shape;
}
