/* SPDX-License-Identifier: MIT */
/* Life of a mesh: from arrays or a source to all that follows from them; references. */
#include "mesh/mesh.h"

#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"

#include <string.h>

/* Products of four coordinates are numbers. */

enum { MESH_FACETS_MOST = 1 << 30 };
#define MESH_VERTICES_MOST ((UINT64_C(1) << 31) - 1)

static const dem_mesh_config mesh_defaults = {
    .struct_size = sizeof(dem_mesh_config),
    .scale = 1.0,
};

dem_status dem_mesh_config_init_sized(dem_mesh_config *config, uint64_t size)
{
    if (config == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(config, size, &mesh_defaults);
}

static void mesh_free(dem_mesh *mesh)
{
    demi_context *context = &mesh->context;
    demi_array_free(context, &mesh->vertex);
    demi_array_free(context, &mesh->facet);
    demi_array_free(context, &mesh->facet_edge);
    demi_array_free(context, &mesh->edge);
    demi_array_free(context, &mesh->defects);
    demi_array_free(context, &mesh->normal);
    demi_array_free(context, &mesh->of_edge.begin);
    demi_array_free(context, &mesh->of_edge.facet);
    demi_array_free(context, &mesh->of_vertex.begin);
    demi_array_free(context, &mesh->of_vertex.facet);
    demi_array_free(context, &mesh->order);
    demi_array_free(context, &mesh->box);
    demi_array_free(context, &mesh->plate);
    demi_array_free(context, &mesh->velocity);
    demi_context last = *context;
    demi_release(&last, mesh, sizeof *mesh);
}

dem_mesh *dem_mesh_retain(dem_mesh *mesh)
{
    if (mesh != NULL)
        atomic_fetch_add_explicit(&mesh->references, 1, memory_order_relaxed);
    return mesh;
}

void dem_mesh_destroy(dem_mesh *mesh)
{
    if (mesh != NULL && atomic_fetch_sub_explicit(&mesh->references, 1, memory_order_acq_rel) == 1)
        mesh_free(mesh);
}

/* ------------------------------------------------------------------ making one */

dem_status demi_mesh_room(dem_mesh *mesh, uint64_t vertices, uint64_t facets)
{
    demi_context *context = &mesh->context;
    if (vertices > MESH_VERTICES_MOST)
        return demi_fail(context, DEM_ERROR_RANGE, "dem_mesh: %llu vertices are not below 2^31",
                         (unsigned long long)vertices);
    if (facets > MESH_FACETS_MOST)
        return demi_fail(context, DEM_ERROR_RANGE, "dem_mesh: %llu facets are more than 2^30",
                         (unsigned long long)facets);
    const dem_status status =
        demi_array_reserve(context, &mesh->vertex, 3 * vertices, 1, "vertices of a mesh");
    return status != DEM_OK
               ? status
               : demi_array_reserve(context, &mesh->facet, 3 * facets, 1, "facets of a mesh");
}

/* What a source has written: numbers of vertices within the range, coordinates that can be
 * computed with. They are scaled; -0 becomes 0, so that equal coordinates have the same bits. */
static dem_status mesh_check(dem_mesh *mesh, double scale)
{
    demi_context *context = &mesh->context;
    if (mesh->facet_count == 0)
        return demi_fail(context, DEM_ERROR_RANGE, "dem_mesh: there is no facet");
    for (uint64_t k = 0; k < 3 * mesh->vertex_count; ++k) {
        const double given = mesh->vertex.data[k];
        mesh->vertex.data[k] = isfinite(given) ? given * scale + 0.0 : given;
    }
    for (uint64_t k = 0; k < 3 * mesh->facet_count; ++k) {
        const uint32_t v = mesh->facet.data[k];
        if (v >= mesh->vertex_count)
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_mesh: facet %llu: vertex %lu is not below %llu",
                             (unsigned long long)k / 3, (unsigned long)v,
                             (unsigned long long)mesh->vertex_count);
        const double *x = demi_mesh_vertex(mesh, v);
        if (!demi_within3(x, DEMI_MESH_COORDINATE_MOST))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_mesh: facet %llu: vertex %lu at (%g, %g, %g) m: coordinates must "
                             "be finite and at most %g",
                             (unsigned long long)k / 3, (unsigned long)v, x[0], x[1], x[2],
                             DEMI_MESH_COORDINATE_MOST);
    }
    for (uint64_t v = 0; v < mesh->vertex_count; ++v)
        if (!demi_within3(mesh->vertex.data + 3 * v, DEMI_MESH_COORDINATE_MOST))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_mesh: vertex %llu, of no facet: coordinates must be finite and "
                             "at most %g m",
                             (unsigned long long)v, DEMI_MESH_COORDINATE_MOST);
    return DEM_OK;
}

void demi_mesh_extent(dem_mesh *mesh)
{
    double most = 0.0;
    for (uint64_t k = 0; k < 3 * mesh->facet_count; ++k) {
        const double *x = demi_mesh_vertex(mesh, mesh->facet.read[k]);
        const double square = demi_dot(x, x);
        most = square > most ? square : most;
    }
    mesh->extent = sqrt(most);
}

static dem_status mesh_build(dem_mesh *mesh, const dem_mesh_config *config,
                             demi_mesh_source *source, const void *argument)
{
    dem_status status = source(mesh, argument);
    if (status == DEM_OK)
        status = mesh_check(mesh, config->scale);
    if (status == DEM_OK)
        status = demi_mesh_weld(mesh, config->weld_distance);
    if (status == DEM_OK)
        status = demi_mesh_normals(mesh);
    if (status == DEM_OK)
        status = demi_mesh_edges(mesh);
    if (status == DEM_OK)
        status = demi_mesh_tree(mesh);
    if (status == DEM_OK)
        demi_mesh_extent(mesh);
    return status != DEM_OK ? status : demi_mesh_find_defects(mesh, config->weld_distance);
}

/* ------------------------------------------------------------------ defects that are told */

/* What is wrong with a facet that has the defect. */
static const char *mesh_defect_name(const dem_mesh *mesh, uint32_t defect)
{
    switch (defect) {
    case DEM_MESH_DEGENERATE:
        return "degenerate: it has no area";
    case DEM_MESH_DUPLICATE:
        return "a duplicate of one before it";
    case DEM_MESH_NON_MANIFOLD:
        return "non-manifold: an edge belongs to more than two facets";
    case DEM_MESH_INVERTED:
        if (mesh->inside_out)
            return "inverted, as is all of the surface: right for a room around particles, wrong "
                   "for a solid";
        return "inverted: it or its neighbour has inner and outer side exchanged";
    case DEM_MESH_OPEN:
        return "open: an edge belongs to no other facet";
    default:
        return "at a T-joint: the vertex of another facet lies on its edge";
    }
}

/* How many facets have one of the defects, and the first of them. */
static uint64_t mesh_defect_count(const dem_mesh *mesh, uint32_t defects, uint64_t *first)
{
    uint64_t count = 0;
    for (uint64_t f = mesh->facet_count; f-- > 0;)
        if ((mesh->defects.read[f] & defects) != 0) {
            ++count;
            *first = f;
        }
    return count;
}

dem_status demi_mesh_refuse(const dem_mesh *mesh, uint32_t defects, dem_error *error)
{
    uint64_t first = 0;
    const uint64_t count = mesh_defect_count(mesh, defects, &first);
    if (count == 0)
        return DEM_OK;
    const uint32_t found = mesh->defects.read[first] & defects;
    DEMI_REFUSE(1, DEM_ERROR_FORMAT,
                "dem_mesh: facet %llu is %s; %llu facets keep this mesh from being the surface of "
                "a solid (refuse them with dem_mesh_config.refused)",
                (unsigned long long)first, mesh_defect_name(mesh, found & (~found + 1)),
                (unsigned long long)count);
}

/* Refuses the first facet with a defect that may not be, and warns of the others. */
static dem_status mesh_tell(dem_mesh *mesh, uint32_t refused)
{
    uint64_t first = 0;
    if (mesh_defect_count(mesh, refused, &first) > 0) {
        const uint32_t found = mesh->defects.read[first] & refused;
        const uint32_t defect = found & (~found + 1);
        const uint64_t count = mesh_defect_count(mesh, defect, &first);
        return demi_fail(&mesh->context, DEM_ERROR_FORMAT,
                         "dem_mesh: facet %llu is %s; %llu such facets (dem_mesh_config.refused)",
                         (unsigned long long)first, mesh_defect_name(mesh, defect),
                         (unsigned long long)count);
    }
    for (uint32_t defect = 1; defect < DEM_MESH_DEFECTS_ALL; defect *= 2) {
        const uint64_t count = mesh_defect_count(mesh, defect, &first);
        if (count > 0 && defect == DEM_MESH_INVERTED && mesh->inside_out)
            demi_log(
                &mesh->context, DEM_LOG_WARNING,
                "dem_mesh: the surface is inside out, with a volume of %g m3: right for a room "
                "around particles, wrong for a solid",
                mesh->volume);
        else if (count > 0)
            demi_log(&mesh->context, DEM_LOG_WARNING,
                     "dem_mesh: %llu of %llu facets have a defect; the first, facet %llu, is %s",
                     (unsigned long long)count, (unsigned long long)mesh->facet_count,
                     (unsigned long long)first, mesh_defect_name(mesh, defect));
    }
    return DEM_OK;
}

/* ------------------------------------------------------------------ the public functions */

/* What a caller's configuration must be; `c` gets it. */
static dem_status mesh_config_read(dem_mesh_config *c, const dem_mesh_config *config,
                                   dem_error *error)
{
    const dem_status status = demi_sized_read(c, config);
    DEMI_REFUSE(status != DEM_OK, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_mesh_config",
                (unsigned long long)config->struct_size, "dem_mesh_config");
    DEMI_REFUSE(c->reserved != 0, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                "dem_mesh_config.reserved", (long long)c->reserved, "dem_mesh_config");
    DEMI_REFUSE((c->refused & ~(uint32_t)DEM_MESH_DEFECTS_ALL) != 0, DEM_ERROR_UNKNOWN,
                "dem_mesh_config.refused: %lu is not a sum of DEM_MESH_ values",
                (unsigned long)c->refused);
    DEMI_REFUSE(!demi_not_negative(c->weld_distance), DEM_ERROR_RANGE,
                "dem_mesh_config.weld_distance: %g must be finite and >= 0 m", c->weld_distance);
    DEMI_REFUSE(!demi_positive(c->scale), DEM_ERROR_RANGE,
                "dem_mesh_config.scale: %g must be finite and > 0", c->scale);
    return DEM_OK;
}

dem_status demi_mesh_make(const dem_mesh_config *config, demi_mesh_source *source,
                          const void *argument, dem_mesh **mesh, dem_error *error)
{
    if (mesh != NULL)
        *mesh = NULL;
    DEMI_REFUSE(mesh == NULL || config == NULL || source == NULL, DEM_ERROR_ARGUMENT,
                "%s: must not be NULL",
                mesh == NULL     ? "mesh"
                : config == NULL ? "config"
                                 : "vertices, facets, bytes or path of a mesh");
    dem_mesh_config c = mesh_defaults;
    dem_status status = mesh_config_read(&c, config, error);
    if (status != DEM_OK)
        return status;
    demi_context context;
    status = demi_context_init(&context, &c.allocator, &c.log);
    DEMI_REFUSE(status != DEM_OK, status, "dem_mesh_config.allocator: one function is NULL");
    dem_mesh *made = demi_allocate(&context, sizeof *made);
    DEMI_REFUSE(made == NULL, DEM_ERROR_MEMORY, "dem_mesh: the allocator did not give memory");
    memset(made, 0, sizeof *made);
    made->context = context;
    atomic_init(&made->references, 1);
    status = mesh_build(made, &c, source, argument);
    if (status == DEM_OK)
        status = mesh_tell(made, c.refused);
    if (status != DEM_OK) {
        demi_error_write(error, status, "%s", made->context.message);
        mesh_free(made);
        return status;
    }
    *mesh = made;
    return DEM_OK;
}

typedef struct mesh_arrays {
    const double *vertices;
    const uint32_t *facets;
    uint64_t vertex_count, facet_count;
} mesh_arrays;

static dem_status mesh_from_arrays(dem_mesh *mesh, const void *argument)
{
    const mesh_arrays *from = argument;
    const dem_status status = demi_mesh_room(mesh, from->vertex_count, from->facet_count);
    if (status != DEM_OK)
        return status;
    memcpy(mesh->vertex.data, from->vertices,
           (size_t)(3 * from->vertex_count) * sizeof *from->vertices);
    memcpy(mesh->facet.data, from->facets, (size_t)(3 * from->facet_count) * sizeof *from->facets);
    mesh->vertex_count = from->vertex_count;
    mesh->facet_count = from->facet_count;
    return DEM_OK;
}

DEMI_GUARDED guarded_mesh_create(const dem_mesh_config *config, const mesh_arrays *arrays,
                                 dem_mesh **mesh, dem_error *error)
{
    const int given = arrays->vertices != NULL && arrays->facets != NULL;
    return demi_mesh_make(config, given ? mesh_from_arrays : NULL, arrays, mesh, error);
}

dem_status dem_mesh_create(const dem_mesh_config *config, const double *vertices,
                           uint64_t vertex_count, const uint32_t *facets, uint64_t facet_count,
                           dem_mesh **mesh, dem_error *error)
{
    const mesh_arrays arrays = {vertices, facets, vertex_count, facet_count};
    DEMI_QUIET(guarded_mesh_create(config, &arrays, mesh, error));
}

dem_status dem_mesh_properties_get(const dem_mesh *mesh, dem_mesh_properties *properties)
{
    if (mesh == NULL || properties == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_mesh_properties values;
    memset(&values, 0, sizeof values);
    values.vertex_count = mesh->vertex_count;
    values.facet_count = mesh->facet_count;
    values.edge_count = mesh->edge_count;
    values.bytes = mesh->context.bytes;
    for (uint64_t f = 0; f < mesh->facet_count; ++f)
        values.defects |= mesh->defects.read[f];
    const demi_mesh_box *all = mesh->box.read + mesh->level_begin[mesh->level_count - 1];
    memcpy(values.box_low, all->low, sizeof values.box_low);
    memcpy(values.box_high, all->high, sizeof values.box_high);
    values.area = mesh->area;
    values.volume = mesh->volume;
    if (mesh->velocity.read != NULL) /* its vertices move */
        demi_mesh_sizes(mesh, &values.area, &values.volume);
    return demi_sized_write(properties, properties->struct_size, &values);
}

const double *dem_mesh_vertices(const dem_mesh *mesh)
{
    return mesh == NULL ? NULL : mesh->vertex.read;
}

const uint32_t *dem_mesh_facets(const dem_mesh *mesh)
{
    return mesh == NULL ? NULL : mesh->facet.read;
}

const uint32_t *dem_mesh_defects(const dem_mesh *mesh)
{
    return mesh == NULL ? NULL : mesh->defects.read;
}
