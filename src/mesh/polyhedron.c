/* SPDX-License-Identifier: MIT */
/* Life of a polyhedron: a mesh in the axes of its body, and what follows from it. */
#include "mesh/polyhedron.h"

#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"

#include <dem/law_adhesion.h>
#include <dem/rotation.h>

#include <math.h>
#include <string.h>

static const dem_polyhedron_config polyhedron_defaults = {
    .struct_size = sizeof(dem_polyhedron_config),
};

dem_status dem_polyhedron_config_init_sized(dem_polyhedron_config *config, uint64_t size)
{
    if (config == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(config, size, &polyhedron_defaults);
}

static void polyhedron_free(dem_polyhedron *polyhedron)
{
    demi_context *context = &polyhedron->context;
    dem_mesh_destroy(polyhedron->mesh);
    demi_array_free(context, &polyhedron->shell);
    demi_array_free(context, &polyhedron->shell_vertex);
    demi_facet_lanes_free(context, &polyhedron->lanes);
    demi_context last = *context;
    demi_release(&last, polyhedron, sizeof *polyhedron);
}

dem_polyhedron *dem_polyhedron_retain(dem_polyhedron *polyhedron)
{
    if (polyhedron != NULL)
        atomic_fetch_add_explicit(&polyhedron->references, 1, memory_order_relaxed);
    return polyhedron;
}

void dem_polyhedron_destroy(dem_polyhedron *polyhedron)
{
    if (polyhedron != NULL &&
        atomic_fetch_sub_explicit(&polyhedron->references, 1, memory_order_acq_rel) == 1)
        polyhedron_free(polyhedron);
}

/* ------------------------------------------------------------------ making one */

/* The mesh in the axes of the body. */
static dem_status polyhedron_mesh(dem_polyhedron *p, const dem_mesh *mesh, dem_error *error)
{
    DEMI_ARRAY(double) vertex = {0};
    demi_context *context = &p->context;
    const dem_status status =
        demi_array_reserve(context, &vertex, 3 * mesh->vertex_count, 0, "vertices of a polyhedron");
    DEMI_REFUSE(status != DEM_OK, status, "%s", context->message);
    for (uint64_t v = 0; v < mesh->vertex_count; ++v) {
        const double *x = demi_mesh_vertex(mesh, (uint32_t)v);
        for (int c = 0; c < 3; ++c)
            vertex.data[3 * v + (uint64_t)c] = x[c] - p->solid.centre[c];
        dem_kernel_rotation_to_body(p->solid.orientation, vertex.data + 3 * v);
    }
    dem_mesh_config config;
    dem_status made = dem_mesh_config_init(&config);
    config.refused = DEMI_MESH_NOT_SOLID | DEM_MESH_DEGENERATE;
    config.allocator = context->allocator;
    if (made == DEM_OK)
        made = dem_mesh_create(&config, vertex.read, mesh->vertex_count, mesh->facet.read,
                               mesh->facet_count, &p->mesh, error);
    demi_array_free(context, &vertex);
    return made;
}

/* Goes to all vertices that edges connect with one: `queue` has room for all of them. */
static void polyhedron_shell(dem_polyhedron *p, uint32_t first, uint32_t *queue)
{
    const dem_mesh *mesh = p->mesh;
    uint64_t count = 1;
    queue[0] = first;
    p->shell.data[first] = (uint32_t)p->shells;
    for (uint64_t done = 0; done < count; ++done) {
        const uint32_t *begin = mesh->of_vertex.begin.read + queue[done];
        for (uint64_t k = begin[0]; k < begin[1]; ++k)
            for (uint64_t n = 0; n < 3; ++n) {
                const uint32_t v =
                    mesh->facet.read[3 * (uint64_t)mesh->of_vertex.facet.read[k] + n];
                if (p->shell.read[v] == UINT32_MAX) {
                    p->shell.data[v] = (uint32_t)p->shells;
                    queue[count++] = v;
                }
            }
    }
    p->shell_vertex.data[p->shells++] = first;
}

static dem_status polyhedron_shells(dem_polyhedron *p)
{
    DEMI_ARRAY(uint32_t) queue = {0};
    demi_context *context = &p->context;
    const uint64_t count = p->mesh->vertex_count;
    static const char what[] = "surfaces of a polyhedron";
    dem_status status = demi_array_reserve(context, &p->shell, count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &p->shell_vertex, count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &queue, count, 0, what);
    if (status == DEM_OK) {
        memset(p->shell.data, 0xFF, (size_t)count * sizeof *p->shell.data);
        for (uint64_t k = 0; k < 3 * p->mesh->facet_count; ++k)
            if (p->shell.read[p->mesh->facet.read[k]] == UINT32_MAX)
                polyhedron_shell(p, p->mesh->facet.read[k], queue.data);
    }
    demi_array_free(context, &queue);
    return status == DEM_OK ? demi_facet_lanes_make(context, p->mesh, &p->lanes) : status;
}

/* How far the third vertex of a facet is above the plane of another facet of
 * its edge. */
static double polyhedron_above(const dem_mesh *mesh, uint64_t edge, uint64_t facet, uint64_t plane)
{
    const uint32_t *end = mesh->edge.read + 2 * edge, *v = mesh->facet.read + 3 * facet;
    const double *n = mesh->normal.read + 3 * plane, *a = demi_mesh_vertex(mesh, end[0]);
    double above = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double *b = demi_mesh_vertex(mesh, v[k]);
        const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        if (v[k] != end[0] && v[k] != end[1])
            above = demi_dot(n, d);
    }
    return above;
}

/* A connected closed surface is convex where it is so at each of its edges. */
static int polyhedron_convex(const dem_polyhedron *p)
{
    const dem_mesh *mesh = p->mesh;
    if (p->shells != 1)
        return 0;
    for (uint64_t edge = 0; edge < mesh->edge_count; ++edge) {
        const uint32_t *facet = mesh->of_edge.facet.read + mesh->of_edge.begin.read[edge];
        if (polyhedron_above(mesh, edge, facet[1], facet[0]) > 1e-6 * p->radius)
            return 0;
    }
    return 1;
}

/* A checksum of the mesh, which is in the axes of the body; never 0. Each word is mixed in by steps
 * that can be undone. */
static uint64_t polyhedron_name(const dem_mesh *mesh)
{
    uint64_t name = UINT64_C(0xcbf29ce484222325) ^ mesh->vertex_count;
    for (uint64_t k = 0; k < 3 * (mesh->vertex_count + mesh->facet_count); ++k) {
        uint64_t word = 0;
        if (k < 3 * mesh->vertex_count)
            memcpy(&word, &mesh->vertex.read[k], sizeof word);
        else
            word = mesh->facet.read[k - 3 * mesh->vertex_count];
        name = (name ^ word) * UINT64_C(0x100000001b3);
        name ^= name >> 32;
    }
    return name != 0 ? name : 1;
}

/* A cube root with the same bits on every machine, and in units that differ by powers of two. */
static double polyhedron_cube_root(double x)
{
    int exponent;
    const double digits = frexp(x, &exponent);
    const int more = (exponent % 3 + 3) % 3; /* what remains is a multiple of 3 */
    return ldexp(dem_kernel_cube_root(ldexp(digits, more)), (exponent - more) / 3);
}

static void polyhedron_sizes(dem_polyhedron *p)
{
    p->name = polyhedron_name(p->mesh);
    p->radius = p->mesh->extent;
    p->convex = polyhedron_convex(p);
    p->equivalent_radius =
        polyhedron_cube_root(p->solid.volume * (3.0 / (4.0 * 3.14159265358979323846)));
}

static dem_status polyhedron_build(dem_polyhedron *p, const dem_polyhedron_config *config,
                                   const dem_mesh *mesh, dem_error *error)
{
    p->solid.struct_size = sizeof p->solid;
    dem_status status = demi_mesh_refuse(mesh, DEMI_MESH_NOT_SOLID | DEM_MESH_DEGENERATE, error);
    if (status == DEM_OK)
        status = dem_mesh_measure(mesh, &p->solid, error);
    if (status != DEM_OK)
        return status;
    if (config->axes == DEM_POLYHEDRON_AXES_MESH) {
        const double none[4] = {1.0, 0.0, 0.0, 0.0};
        memcpy(p->solid.orientation, none, sizeof none);
        memcpy(p->solid.principal, p->solid.inertia, sizeof p->solid.principal);
    }
    status = polyhedron_mesh(p, mesh, error);
    if (status != DEM_OK)
        return status;
    status = polyhedron_shells(p);
    DEMI_REFUSE(status != DEM_OK, status, "%s", p->context.message);
    polyhedron_sizes(p);
    return DEM_OK;
}

DEMI_GUARDED guarded_polyhedron_create(const dem_polyhedron_config *config, const dem_mesh *mesh,
                                       dem_polyhedron **polyhedron, dem_error *error)
{
    if (polyhedron != NULL)
        *polyhedron = NULL;
    DEMI_REFUSE(polyhedron == NULL || config == NULL || mesh == NULL, DEM_ERROR_ARGUMENT,
                "%s: must not be NULL",
                polyhedron == NULL ? "polyhedron"
                : config == NULL   ? "config"
                                   : "mesh");
    dem_polyhedron_config c = polyhedron_defaults;
    dem_status status = demi_sized_read(&c, config);
    DEMI_REFUSE(status != DEM_OK, status, DEMI_SIZED_MESSAGE, "dem_polyhedron_config",
                (unsigned long long)config->struct_size, "dem_polyhedron_config");
    DEMI_REFUSE(c.reserved != 0, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                "dem_polyhedron_config.reserved", (long long)c.reserved, "dem_polyhedron_config");
    DEMI_REFUSE(c.axes != DEM_POLYHEDRON_AXES_PRINCIPAL && c.axes != DEM_POLYHEDRON_AXES_MESH,
                DEM_ERROR_UNKNOWN,
                "dem_polyhedron_config.axes: %d is not a DEM_POLYHEDRON_AXES_ value", (int)c.axes);
    demi_context context;
    status = demi_context_init(&context, &c.allocator, &c.log);
    DEMI_REFUSE(status != DEM_OK, status, "dem_polyhedron_config.allocator: one function is NULL");
    dem_polyhedron *made = demi_allocate(&context, sizeof *made);
    DEMI_REFUSE(made == NULL, DEM_ERROR_MEMORY,
                "dem_polyhedron: the allocator did not give memory");
    memset(made, 0, sizeof *made);
    made->context = context;
    atomic_init(&made->references, 1);
    status = polyhedron_build(made, &c, mesh, error);
    if (status != DEM_OK) {
        polyhedron_free(made);
        return status;
    }
    *polyhedron = made;
    return DEM_OK;
}

dem_status dem_polyhedron_create(const dem_polyhedron_config *config, const dem_mesh *mesh,
                                 dem_polyhedron **polyhedron, dem_error *error)
{
    DEMI_QUIET(guarded_polyhedron_create(config, mesh, polyhedron, error));
}

/* What a snapshot tells of a solid is that of the mesh; its directions are those of another one. */
static int polyhedron_matches(const dem_mesh *mesh, const dem_mesh_solid *solid)
{
    dem_mesh_solid now = {.struct_size = sizeof now};
    const double *q = solid->orientation;
    const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    int same = dem_mesh_measure(mesh, &now, NULL) == DEM_OK && demi_finite3(solid->centre) &&
               fabs(length - 1.0) < 1e-6 && fabs(solid->volume - now.volume) < 1e-6 * now.volume;
    for (int k = 0; k < 6; ++k)
        same = same && isfinite(solid->inertia[k]);
    for (int c = 0; c < 3; ++c)
        same = same && demi_positive(solid->principal[c]);
    return same;
}

static dem_status polyhedron_restore_into(dem_polyhedron *p, dem_mesh *mesh,
                                          const dem_mesh_solid *solid, dem_error *error)
{
    dem_status status = demi_mesh_refuse(mesh, DEMI_MESH_NOT_SOLID | DEM_MESH_DEGENERATE, error);
    if (status != DEM_OK)
        return status;
    DEMI_REFUSE(!polyhedron_matches(mesh, solid), DEM_ERROR_RANGE, "the volume or the mass");
    p->solid = *solid;
    p->mesh = dem_mesh_retain(mesh);
    status = polyhedron_shells(p);
    DEMI_REFUSE(status != DEM_OK, status, "%s", p->context.message);
    polyhedron_sizes(p);
    return DEM_OK;
}

dem_status demi_polyhedron_restore(const dem_allocator *allocator, dem_mesh *mesh,
                                   const dem_mesh_solid *solid, dem_polyhedron **polyhedron,
                                   dem_error *error)
{
    const dem_log silent = {.message = NULL};
    demi_context context;
    dem_status status = demi_context_init(&context, allocator, &silent);
    dem_polyhedron *made = status == DEM_OK ? demi_allocate(&context, sizeof *made) : NULL;
    DEMI_REFUSE(made == NULL, DEM_ERROR_MEMORY,
                "dem_polyhedron: the allocator did not give memory");
    memset(made, 0, sizeof *made);
    made->context = context;
    atomic_init(&made->references, 1);
    status = polyhedron_restore_into(made, mesh, solid, error);
    if (status != DEM_OK)
        polyhedron_free(made);
    else
        *polyhedron = made;
    return status;
}

/* ------------------------------------------------------------------ reading one */

dem_status dem_polyhedron_properties_get(const dem_polyhedron *polyhedron,
                                         dem_polyhedron_properties *properties)
{
    if (polyhedron == NULL || properties == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_polyhedron_properties values;
    memset(&values, 0, sizeof values);
    values.bytes = polyhedron->context.bytes + polyhedron->mesh->context.bytes;
    values.volume = polyhedron->solid.volume;
    memcpy(values.inertia, polyhedron->solid.principal, sizeof values.inertia);
    memcpy(values.centre, polyhedron->solid.centre, sizeof values.centre);
    memcpy(values.orientation, polyhedron->solid.orientation, sizeof values.orientation);
    values.radius = polyhedron->radius;
    values.equivalent_radius = polyhedron->equivalent_radius;
    return demi_sized_write(properties, properties->struct_size, &values);
}

dem_mesh *dem_polyhedron_mesh(const dem_polyhedron *polyhedron)
{
    return polyhedron == NULL ? NULL : polyhedron->mesh;
}
