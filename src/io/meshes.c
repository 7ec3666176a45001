/* SPDX-License-Identifier: MIT */
/* The section of meshes that are walls: each once, however many walls it is; where there are none a
 * snapshot has no such section. */
#include "io/meshes.h"

#include "base/check.h"
#include "mesh/move.h"

/* ------------------------------------------------------------------ writing */

void demi_write_mesh(demi_writer *out, const dem_mesh *mesh)
{
    const uint64_t numbers = 3 * mesh->facet_count;
    demi_write_u64(out, mesh->vertex_count);
    demi_write_u64(out, mesh->facet_count);
    demi_write_doubles(out, mesh->vertex.read, 3 * mesh->vertex_count);
    for (uint64_t k = 0; k < numbers; k += 2)
        demi_write_u32(out, mesh->facet.read[k], k + 1 < numbers ? mesh->facet.read[k + 1] : 0);
}

static void write_meshes(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    for (uint64_t k = 0; k < w->walls; ++k)
        if (demi_wall_mesh_first(w, k))
            demi_write_mesh(out, demi_wall_mesh(w, k));
}

void demi_write_meshes(demi_writer *writer, const dem_world *w)
{
    if (w->mesh_walls.count > 0)
        demi_write_section(writer, DEMI_MESHES_TAG, write_meshes, w);
}

/* ------------------------------------------------------------------ reading */

typedef struct mesh_words {
    demi_reader *in;
    uint64_t vertices, facets;
} mesh_words;

static dem_status mesh_from_words(dem_mesh *mesh, const void *argument)
{
    const mesh_words *from = argument;
    const dem_status status = demi_mesh_room(mesh, from->vertices, from->facets);
    if (status != DEM_OK)
        return status;
    demi_read_doubles(from->in, mesh->vertex.data, 3 * from->vertices);
    for (uint64_t k = 0; k < 3 * from->facets; k += 2) {
        uint32_t two[2];
        demi_read_u32(from->in, &two[0], &two[1]);
        mesh->facet.data[k] = two[0];
        if (k + 1 < 3 * from->facets)
            mesh->facet.data[k + 1] = two[1];
    }
    mesh->vertex_count = from->vertices;
    mesh->facet_count = from->facets;
    return DEM_OK;
}

dem_status demi_read_mesh(demi_reader *in, dem_world *w, demi_kept_meshes *kept)
{
    const uint64_t vertices = demi_read_u64(in), facets = demi_read_u64(in);
    /* so that the numbers are there, and their count is a number */
    if (in->failed || vertices > in->length / 3 || facets > in->length ||
        3 * vertices + (3 * facets + 1) / 2 > in->length) {
        in->failed = 1;
        return DEM_OK;
    }
    dem_status status = demi_array_reserve(&w->context, &kept->mesh, kept->count + 1, 1, "meshes");
    if (status != DEM_OK)
        return status;
    const mesh_words words = {in, vertices, facets};
    dem_mesh_config config;
    dem_error error;
    (void)dem_mesh_config_init(&config);
    config.allocator = w->config.allocator;
    status =
        demi_mesh_make(&config, mesh_from_words, &words, &kept->mesh.data[kept->count], &error);
    if (status != DEM_OK)
        return demi_fail(&w->context, status == DEM_ERROR_MEMORY ? status : DEM_ERROR_FORMAT,
                         "snapshot: mesh %llu: %.200s", (unsigned long long)kept->count,
                         error.message);
    kept->count++;
    return DEM_OK;
}

dem_status demi_read_meshes(demi_reader *in, dem_world *w, demi_kept_meshes *kept)
{
    dem_status status = DEM_OK;
    while (status == DEM_OK && !in->failed && in->length > 0)
        status = demi_read_mesh(in, w, kept);
    return status;
}

void demi_kept_meshes_free(dem_world *w, demi_kept_meshes *kept)
{
    for (uint64_t k = 0; k < kept->count; ++k)
        dem_mesh_destroy(kept->mesh.data[k]);
    demi_array_free(&w->context, &kept->mesh);
}

/* ------------------------------------------------------------------ works on facets */

static void write_facets(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    for (uint64_t k = 0; k < w->walls; ++k) {
        if (!w->wall_facets.read[k].tracked)
            continue;
        demi_write_u64(out, k);
        demi_write_doubles(out, w->wall_facets.read[k].work.read,
                           2 * demi_wall_mesh(w, k)->facet_count);
    }
}

void demi_write_facets(demi_writer *writer, const dem_world *w)
{
    if (w->walls_tracked > 0)
        demi_write_section(writer, DEMI_FACETS_TAG, write_facets, w);
}

/* The works of a wall; 0 where they are not valid. */
static int read_works(demi_reader *in, dem_world *w, uint64_t wall)
{
    double *work = w->wall_facets.data[wall].work.data;
    const uint64_t numbers = 2 * demi_wall_mesh(w, wall)->facet_count;
    int valid = 1;
    demi_read_doubles(in, work, numbers);
    for (uint64_t k = 0; k < numbers; ++k)
        valid &= isgreaterequal(work[k], 0.0) && isfinite(work[k]);
    return valid;
}

dem_status demi_read_facets(demi_reader *in, dem_world *w)
{
    int valid = 1;
    while (valid && !in->failed && in->length > 0) {
        const uint64_t wall = demi_read_u64(in);
        valid = wall < w->walls && demi_wall_mesh(w, wall) != NULL &&
                (w->wall_facets.read == NULL || !w->wall_facets.read[wall].tracked);
        const dem_status status = valid ? demi_facets_track(w, wall) : DEM_OK;
        if (status != DEM_OK)
            return status;
        valid = valid && read_works(in, w, wall);
    }
    in->failed |= !valid;
    return DEM_OK;
}

/* ------------------------------------------------------------------ vertices that move */

static void write_vertices(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    for (uint64_t k = 0; k < w->walls; ++k) {
        const demi_solid *solid = &w->current.solid.read[k];
        if (!solid->deforms)
            continue;
        const uint64_t numbers = 3 * solid->mesh->vertex_count;
        demi_write_u64(out, k);
        demi_write_doubles(out, &solid->deformed, 1);
        demi_write_doubles(out, &w->wall.read[k].power, 1);
        demi_write_doubles(out, solid->mesh->vertex.read, numbers);
        demi_write_doubles(out, solid->mesh->velocity.read, numbers);
        demi_write_doubles(out, w->solid_built.read[k].mesh->vertex.read, numbers);
    }
}

void demi_write_vertices(demi_writer *writer, const dem_world *w)
{
    if (w->walls_deforming > 0)
        demi_write_section(writer, DEMI_VERTICES_TAG, write_vertices, w);
}

/* Coordinates of so many vertices into an array of a mesh; 0 where they are not valid. */
static int read_coordinates(demi_reader *in, double *to, uint64_t vertices)
{
    int valid = 1;
    demi_read_doubles(in, to, 3 * vertices);
    for (uint64_t k = 0; k < vertices; ++k)
        valid &= demi_within3(to + 3 * k, DEMI_MESH_COORDINATE_MOST);
    return valid;
}

/* Vertices and velocities of a mesh, which are set when both are valid. */
static int read_moved(demi_reader *in, dem_mesh *mesh, int velocities)
{
    const uint64_t vertices = mesh->vertex_count;
    int valid = read_coordinates(in, mesh->vertex.data, vertices);
    if (velocities)
        valid &= read_coordinates(in, mesh->velocity.data, vertices);
    if (valid)
        demi_mesh_renew(mesh);
    return valid;
}

static int read_deformed(demi_reader *in, dem_world *w, uint64_t wall)
{
    demi_solid *solid = &w->current.solid.data[wall], *next = &w->next.solid.data[wall];
    dem_mesh *built = w->solid_built.data[wall].mesh;
    solid->deformed = demi_read_double(in);
    w->wall.data[wall].power = demi_read_double(in);
    int valid = demi_not_negative(solid->deformed) && isfinite(w->wall.read[wall].power);
    valid = read_moved(in, solid->mesh, 1) && valid;
    valid = read_moved(in, built, 0) && valid;
    next->deformed = solid->deformed;
    demi_mesh_follow(next->mesh, solid->mesh);
    return valid;
}

dem_status demi_read_vertices(demi_reader *in, dem_world *w)
{
    int valid = 1;
    while (valid && !in->failed && in->length > 0) {
        const uint64_t wall = demi_read_u64(in);
        valid = wall < w->walls && demi_wall_mesh(w, wall) != NULL &&
                !w->current.solid.read[wall].deforms;
        const dem_status status = valid ? demi_wall_deform(w, wall) : DEM_OK;
        if (status != DEM_OK)
            return status;
        valid = valid && read_deformed(in, w, wall);
    }
    in->failed |= !valid;
    return DEM_OK;
}
