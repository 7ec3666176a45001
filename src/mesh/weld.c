/* SPDX-License-Identifier: MIT */
/* Vertices that are at one place become one. */
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

/* Vertices that are kept, in a hash table by the cell that they are in. */
typedef struct weld_table {
    uint64_t mask;
    DEMI_ARRAY(uint32_t) head, next, kept; /* number + 1, or 0; kept: new number of each vertex */
    double cell;                           /* 0: each place is a cell */
} weld_table;

static uint64_t weld_hash(const double cell[3])
{
    uint64_t hash = 0;
    for (int c = 0; c < 3; ++c) {
        const double value = cell[c] + 0.0; /* not -0 */
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash * UINT64_C(0xBF58476D1CE4E5B9) >> 20;
}

static int weld_near(const double *a, const double *b, double distance)
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
        square += (a[c] - b[c]) * (a[c] - b[c]);
    if (distance > 0.0)
        return square <= distance * distance;
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; /* a square may round to 0 */
}

/* The first vertex of a cell that is near, or `best` if that is before it. */
static uint32_t weld_find(const dem_mesh *mesh, const weld_table *t, const double cell[3],
                          const double *x, double distance, uint32_t best)
{
    for (uint32_t v = t->head.read[weld_hash(cell) & t->mask]; v > 0; v = t->next.read[v - 1])
        if (v - 1 < best && weld_near(x, demi_mesh_vertex(mesh, v - 1), distance))
            best = v - 1;
    return best;
}

static uint32_t weld_find_around(const dem_mesh *mesh, const weld_table *t, const double cell[3],
                                 const double *x, double distance)
{
    if (t->cell == 0.0)
        return weld_find(mesh, t, cell, x, distance, UINT32_MAX);
    uint32_t best = UINT32_MAX;
    for (int k = 0; k < 27; ++k) {
        const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        const double around[3] = {cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]};
        best = weld_find(mesh, t, around, x, distance, best);
    }
    return best;
}

static void weld_vertices(dem_mesh *mesh, weld_table *t, double distance)
{
    uint32_t count = 0;
    for (uint64_t v = 0; v < mesh->vertex_count; ++v) {
        const double *x = mesh->vertex.read + 3 * v;
        double cell[3];
        for (int c = 0; c < 3; ++c)
            cell[c] = t->cell > 0.0 ? floor(x[c] / t->cell) : x[c];
        const uint32_t same = weld_find_around(mesh, t, cell, x, distance);
        t->kept.data[v] = same != UINT32_MAX ? same : count;
        if (same != UINT32_MAX)
            continue;
        uint32_t *head = &t->head.data[weld_hash(cell) & t->mask];
        memmove(mesh->vertex.data + 3 * (uint64_t)count, x, 3 * sizeof *x);
        t->next.data[count] = *head;
        *head = ++count;
    }
    mesh->vertex_count = count;
    for (uint64_t k = 0; k < 3 * mesh->facet_count; ++k)
        mesh->facet.data[k] = t->kept.read[mesh->facet.read[k]];
}

dem_status demi_mesh_weld(dem_mesh *mesh, double distance)
{
    demi_context *context = &mesh->context;
    const char *what = "table of vertices of a mesh";
    weld_table t;
    memset(&t, 0, sizeof t);
    t.cell = distance;
    uint64_t size = 64;
    while (size < mesh->vertex_count)
        size *= 2;
    t.mask = size - 1;
    dem_status status = demi_array_reserve(context, &t.head, size, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &t.next, mesh->vertex_count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &t.kept, mesh->vertex_count, 0, what);
    if (status == DEM_OK)
        weld_vertices(mesh, &t, distance);
    demi_array_free(context, &t.head);
    demi_array_free(context, &t.next);
    demi_array_free(context, &t.kept);
    return status;
}
