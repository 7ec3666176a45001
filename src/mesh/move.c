/* SPDX-License-Identifier: MIT */
#include "mesh/move.h"

#include "base/check.h"

#include <string.h>

enum { MOVE_ARRAYS = 12 };

/* The arrays of a mesh; those that moving changes come first. */
enum { MOVE_CHANGED = 5 };
static void move_arrays(dem_mesh *mesh, demi_buffer *arrays[MOVE_ARRAYS])
{
    demi_buffer *const all[MOVE_ARRAYS] = {
        &mesh->vertex.buffer,        &mesh->velocity.buffer,      &mesh->normal.buffer,
        &mesh->defects.buffer,       &mesh->box.buffer,           &mesh->facet.buffer,
        &mesh->facet_edge.buffer,    &mesh->edge.buffer,          &mesh->order.buffer,
        &mesh->of_edge.begin.buffer, &mesh->of_edge.facet.buffer, &mesh->of_vertex.begin.buffer,
    };
    memcpy(arrays, all, sizeof all);
}

static dem_status move_copy(demi_context *context, demi_buffer *to, const demi_buffer *from)
{
    const dem_status status = demi_buffer_reserve(context, to, from->size, 0, "mesh");
    if (status == DEM_OK && from->size > 0)
        memcpy(to->data, from->data, (size_t)from->size);
    return status;
}

dem_mesh *demi_mesh_copy(const dem_mesh *mesh, const dem_allocator *allocator)
{
    demi_context context;
    dem_log silent;
    memset(&silent, 0, sizeof silent);
    if (demi_context_init(&context, allocator, &silent) != DEM_OK)
        return NULL;
    dem_mesh *made = demi_allocate(&context, sizeof *made);
    if (made == NULL)
        return NULL;
    memset(made, 0, sizeof *made);
    made->context = context;
    atomic_init(&made->references, 1);
    made->vertex_count = mesh->vertex_count;
    made->facet_count = mesh->facet_count;
    made->edge_count = mesh->edge_count;
    memcpy(made->level_begin, mesh->level_begin, sizeof made->level_begin);
    made->level_count = mesh->level_count;
    made->area = mesh->area;
    made->volume = mesh->volume;
    made->extent = mesh->extent;
    demi_buffer *to[MOVE_ARRAYS], *from[MOVE_ARRAYS];
    move_arrays(made, to);
    move_arrays((dem_mesh *)mesh, from);
    dem_status status = DEM_OK;
    for (int k = 0; status == DEM_OK && k < MOVE_ARRAYS; ++k)
        status = move_copy(&made->context, to[k], from[k]);
    if (status == DEM_OK)
        status =
            move_copy(&made->context, &made->of_vertex.facet.buffer, &mesh->of_vertex.facet.buffer);
    const uint64_t numbers = 3 * mesh->vertex_count;
    if (status == DEM_OK)
        status = demi_array_reserve(&made->context, &made->velocity, numbers, 0, "mesh");
    if (status != DEM_OK) {
        dem_mesh_destroy(made);
        return NULL;
    }
    memset(made->velocity.data, 0, (size_t)numbers * sizeof(double));
    return made;
}

dem_mesh *demi_mesh_still(const dem_mesh *mesh, const dem_allocator *allocator)
{
    dem_mesh *made = demi_mesh_copy(mesh, allocator);
    if (made == NULL)
        return NULL;
    demi_array_free(&made->context, &made->velocity);
    made->speed = 0.0;
    demi_mesh_sizes(made, &made->area, &made->volume);
    if (demi_mesh_plates(made) != DEM_OK) {
        dem_mesh_destroy(made);
        return NULL;
    }
    return made;
}

void demi_mesh_written(dem_mesh *mesh)
{
    if (mesh->twin != NULL)
        mesh->twin->twin = NULL;
    mesh->twin = NULL;
}

void demi_mesh_follow(dem_mesh *mesh, dem_mesh *other)
{
    if (mesh->twin == other)
        return;
    demi_mesh_written(mesh);
    demi_mesh_written(other);
    mesh->twin = other;
    other->twin = mesh;
    demi_buffer *to[MOVE_ARRAYS], *from[MOVE_ARRAYS];
    move_arrays(mesh, to);
    move_arrays(other, from);
    for (int k = 0; k < MOVE_CHANGED; ++k)
        memcpy(to[k]->data, from[k]->data,
               (size_t)(to[k]->size < from[k]->size ? to[k]->size : from[k]->size));
    mesh->speed = other->speed;
    mesh->extent = other->extent;
}

void demi_mesh_renew(dem_mesh *mesh)
{
    demi_mesh_written(mesh);
    demi_mesh_normals_again(mesh);
    demi_mesh_boxes(mesh);
    demi_mesh_extent(mesh);
    double most = 0.0;
    for (uint64_t k = 0; k < mesh->vertex_count; ++k) {
        const double *v = mesh->velocity.read + 3 * k;
        const double square = demi_dot(v, v);
        most = square > most ? square : most;
    }
    mesh->speed = sqrt(most);
}

void demi_mesh_move(dem_mesh *mesh, dem_mesh *other, double time)
{
    if (other->speed == 0.0 || time == 0.0) {
        demi_mesh_follow(mesh, other);
        return;
    }
    const uint64_t numbers = 3 * mesh->vertex_count;
    for (uint64_t k = 0; k < numbers; ++k)
        mesh->vertex.data[k] = other->vertex.read[k] + other->velocity.read[k] * time;
    memcpy(mesh->velocity.data, other->velocity.read, (size_t)numbers * sizeof(double));
    demi_mesh_renew(mesh);
}

double demi_mesh_set(dem_mesh *mesh, const double *vertices, const double *velocities)
{
    double most = 0.0;
    if (velocities != NULL)
        memcpy(mesh->velocity.data, velocities, (size_t)(3 * mesh->vertex_count) * sizeof(double));
    for (uint64_t k = 0; vertices != NULL && k < mesh->vertex_count; ++k) {
        double moved[3];
        for (uint64_t c = 0; c < 3; ++c) {
            /* no -0, so that equal coordinates have the same bits */
            const double to = vertices[3 * k + c] + 0.0;
            moved[c] = to - mesh->vertex.read[3 * k + c];
            mesh->vertex.data[3 * k + c] = to;
        }
        const double way = sqrt(demi_dot(moved, moved));
        most = way > most ? way : most;
    }
    demi_mesh_renew(mesh);
    return most;
}
