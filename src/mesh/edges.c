/* SPDX-License-Identifier: MIT */
/* Which facets meet at an edge, and at a vertex. */
#include "mesh/mesh.h"
#include "mesh/order.h"
#include "mesh/sort.h"

#include <string.h>

typedef struct edges_work {
    DEMI_ARRAY(demi_item) item, room;
    uint64_t count;
} edges_work;

/* A facet that has a vertex twice has no edges: they would be its own neighbours. */
static int edges_has(const uint32_t facet[3])
{
    return facet[0] != facet[1] && facet[1] != facet[2] && facet[2] != facet[0];
}

/* One item for each edge of each facet, sorted by the vertices. */
static void edges_items(const dem_mesh *mesh, edges_work *work)
{
    for (uint64_t f = 0; f < mesh->facet_count; ++f) {
        const uint32_t *facet = mesh->facet.read + 3 * f;
        for (uint64_t k = 0; k < 3; ++k) {
            const uint64_t a = facet[k], b = facet[(k + 1) % 3];
            mesh->facet_edge.data[3 * f + k] = UINT32_MAX;
            if (edges_has(facet))
                work->item.data[work->count++] =
                    (demi_item){a < b ? a << 32 | b : b << 32 | a, 3 * f + k};
        }
    }
    demi_sort(work->item.data, work->room.data, work->count);
}

static void edges_write(dem_mesh *mesh, const edges_work *work)
{
    uint32_t count = 0;
    for (uint64_t n = 0; n < work->count; ++n) {
        const demi_item item = work->item.read[n];
        if (n == 0 || item.key != work->item.read[n - 1].key) {
            const uint32_t a = (uint32_t)(item.key >> 32), b = (uint32_t)item.key;
            const int before = demi_before(demi_mesh_vertex(mesh, a), demi_mesh_vertex(mesh, b));
            mesh->edge.data[2 * (uint64_t)count] = before ? a : b;
            mesh->edge.data[2 * (uint64_t)count + 1] = before ? b : a;
            mesh->of_edge.begin.data[count++] = (uint32_t)n;
        }
        mesh->facet_edge.data[item.value] = count - 1;
        mesh->of_edge.facet.data[n] = (uint32_t)(item.value / 3);
    }
    mesh->of_edge.begin.data[count] = (uint32_t)work->count;
    mesh->edge_count = count;
}

/* Sorted by counting: first how many there are of each vertex, then their places. */
static void edges_vertices(dem_mesh *mesh)
{
    uint32_t *begin = mesh->of_vertex.begin.data;
    memset(begin, 0, (size_t)(mesh->vertex_count + 2) * sizeof *begin);
    for (uint64_t k = 0; k < 3 * mesh->facet_count; ++k)
        ++begin[mesh->facet.read[k] + 2];
    for (uint64_t v = 2; v < mesh->vertex_count + 2; ++v)
        begin[v] += begin[v - 1];
    for (uint64_t k = 0; k < 3 * mesh->facet_count; ++k)
        mesh->of_vertex.facet.data[begin[mesh->facet.read[k] + 1]++] = (uint32_t)(k / 3);
}

static dem_status edges_reserve(dem_mesh *mesh, edges_work *work)
{
    demi_context *context = &mesh->context;
    const char *what = "edges of a mesh";
    const uint64_t most = 3 * mesh->facet_count;
    dem_status status = demi_array_reserve(context, &work->item, most, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &work->room, most, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &mesh->facet_edge, most, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &mesh->of_edge.facet, most, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &mesh->of_vertex.facet, most, 0, what);
    if (status == DEM_OK)
        status =
            demi_array_reserve(context, &mesh->of_vertex.begin, mesh->vertex_count + 2, 0, what);
    return status;
}

/* The number of edges is known when the items are sorted. */
static dem_status edges_reserve_lists(dem_mesh *mesh, const edges_work *work)
{
    uint64_t count = 0;
    for (uint64_t n = 0; n < work->count; ++n)
        count += n == 0 || work->item.read[n].key != work->item.read[n - 1].key;
    const char *what = "edges of a mesh";
    const dem_status status = demi_array_reserve(&mesh->context, &mesh->edge, 2 * count, 0, what);
    return status != DEM_OK
               ? status
               : demi_array_reserve(&mesh->context, &mesh->of_edge.begin, count + 1, 0, what);
}

dem_status demi_mesh_edges(dem_mesh *mesh)
{
    edges_work work;
    memset(&work, 0, sizeof work);
    dem_status status = edges_reserve(mesh, &work);
    if (status == DEM_OK) {
        edges_items(mesh, &work);
        status = edges_reserve_lists(mesh, &work);
    }
    if (status == DEM_OK) {
        edges_write(mesh, &work);
        edges_vertices(mesh);
    }
    demi_array_free(&mesh->context, &work.item);
    demi_array_free(&mesh->context, &work.room);
    return status;
}
