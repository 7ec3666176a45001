/* SPDX-License-Identifier: MIT */
/* Faces of the mesh of a wall, each with what continues it behind its rim. */
#include "mesh/faces.h"

#include "base/check.h"

#include <string.h>

/* How far a face goes on, over the diagonal of the mesh; and over what it has behind it before
 * another part of it is nearer. */
#define FACES_DEPTH 2.0
#define FACES_FREE 0.9

static const char faces_what[] = "faces of a mesh";

/* ------------------------------------------------------------------ which facets are one face */

/* Sets with a smallest member each, in an array of parents. */
static uint32_t set_of(uint32_t *parent, uint32_t k)
{
    while (parent[k] != k) {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

static void set_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = set_of(parent, a);
    b = set_of(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

/* Which corner of a facet begins an edge. */
static uint32_t edge_corner(const dem_mesh *mesh, uint32_t facet, uint32_t edge)
{
    uint32_t k = 0;
    while (mesh->facet_edge.read[3 * (uint64_t)facet + k] != edge)
        ++k;
    return k;
}

/* Whether two facets make a hollow sharper than the angle at an edge of both. */
static int edge_hollow(const dem_mesh *mesh, const uint32_t facet[2], uint32_t edge, double cosine)
{
    const double *n = mesh->normal.read + 3 * (uint64_t)facet[0],
                 *m = mesh->normal.read + 3 * (uint64_t)facet[1];
    const uint32_t corner = edge_corner(mesh, facet[1], edge);
    const uint32_t *v = mesh->facet.read + 3 * (uint64_t)facet[1];
    const double *at = demi_mesh_vertex(mesh, v[corner]),
                 *far = demi_mesh_vertex(mesh, v[(corner + 2) % 3]);
    const double d[3] = {far[0] - at[0], far[1] - at[1], far[2] - at[2]};
    return demi_dot(n, m) < cosine && demi_dot(n, d) > 0.0;
}

/* What keeps a mesh from having two sides. */
static dem_status faces_check(demi_context *context, const dem_mesh *mesh)
{
    dem_error error;
    const dem_status status = demi_mesh_refuse(
        mesh, DEM_MESH_DEGENERATE | DEM_MESH_DUPLICATE | DEM_MESH_NON_MANIFOLD | DEM_MESH_T_JOINT,
        &error);
    if (status != DEM_OK)
        return demi_fail(context, status, "%.200s", error.message);
    for (uint32_t e = 0; e < mesh->edge_count; ++e) {
        const uint32_t *begin = mesh->of_edge.begin.read + e,
                       *facet = mesh->of_edge.facet.read + begin[0];
        if (begin[1] - begin[0] < 2)
            continue;
        uint32_t from[2];
        for (int k = 0; k < 2; ++k)
            from[k] = mesh->facet.read[3 * (uint64_t)facet[k] + edge_corner(mesh, facet[k], e)];
        if (from[0] == from[1])
            return demi_fail(context, DEM_ERROR_FORMAT,
                             "dem_mesh: facets %llu and %llu have their outer sides on different "
                             "sides of the surface",
                             (unsigned long long)facet[0], (unsigned long long)facet[1]);
    }
    return DEM_OK;
}

/* Which facets are of one face: numbers in the order of their first facets. */
static dem_status faces_label(demi_context *context, const dem_mesh *mesh, double cosine,
                              uint32_t *label, uint64_t *count)
{
    const dem_status status = faces_check(context, mesh);
    if (status != DEM_OK)
        return status;
    for (uint32_t f = 0; f < mesh->facet_count; ++f)
        label[f] = f;
    for (uint32_t e = 0; e < mesh->edge_count; ++e) {
        const uint32_t *begin = mesh->of_edge.begin.read + e,
                       *facet = mesh->of_edge.facet.read + begin[0];
        if (begin[1] - begin[0] == 2 && !edge_hollow(mesh, facet, e, cosine))
            set_join(label, facet[0], facet[1]);
    }
    *count = 0;
    /* the first facet of a face comes first, and has its number then */
    for (uint32_t f = 0; f < mesh->facet_count; ++f)
        label[f] = set_of(label, f);
    for (uint32_t f = 0; f < mesh->facet_count; ++f)
        label[f] = label[f] == f ? (uint32_t)(*count)++ : label[label[f]];
    return DEM_OK;
}

/* ------------------------------------------------------------------ a face as a mesh */

/* The making of one. Corners are those of facets of the wall, three each; those that share a vertex
 * of the face are one set. */
typedef struct faces_work {
    demi_context *context;
    const dem_mesh *mesh;
    double depth;
    int clear;
    DEMI_ARRAY(uint32_t) label, corner;
    DEMI_ARRAY(uint32_t) vertex; /* of a corner, in the face */
    DEMI_ARRAY(double) x;        /* vertices, then those behind them */
    DEMI_ARRAY(double) normal;   /* of vertices */
    DEMI_ARRAY(uint32_t) facet;
    uint64_t vertices, facets, rims;
} faces_work;

static void work_free(faces_work *t)
{
    demi_array_free(t->context, &t->label);
    demi_array_free(t->context, &t->corner);
    demi_array_free(t->context, &t->vertex);
    demi_array_free(t->context, &t->x);
    demi_array_free(t->context, &t->normal);
    demi_array_free(t->context, &t->facet);
}

static dem_status work_room(faces_work *t)
{
    const uint64_t facets = t->mesh->facet_count, corners = 3 * facets;
    dem_status status = demi_array_reserve(t->context, &t->label, facets, 0, faces_what);
    if (status == DEM_OK)
        status = demi_array_reserve(t->context, &t->corner, corners, 0, faces_what);
    if (status == DEM_OK)
        status = demi_array_reserve(t->context, &t->vertex, corners, 0, faces_what);
    if (status == DEM_OK)
        status = demi_array_reserve(t->context, &t->x, 6 * corners, 0, faces_what);
    if (status == DEM_OK)
        status = demi_array_reserve(t->context, &t->normal, 3 * corners, 0, faces_what);
    /* a facet, and two behind each of its edges */
    return status != DEM_OK ? status
                            : demi_array_reserve(t->context, &t->facet, 21 * facets, 0, faces_what);
}

/* The facet of the same face beyond an edge, or none. */
static int work_beyond(const faces_work *t, uint32_t facet, uint32_t k, uint32_t *other)
{
    const dem_mesh *mesh = t->mesh;
    const uint32_t edge = mesh->facet_edge.read[3 * (uint64_t)facet + k];
    const uint32_t *begin = mesh->of_edge.begin.read + edge;
    if (begin[1] - begin[0] < 2)
        return 0;
    const uint32_t *of = mesh->of_edge.facet.read + begin[0];
    *other = of[0] == facet ? of[1] : of[0];
    return t->label.read[*other] == t->label.read[facet];
}

/* Corners at which facets of one face are connected are one vertex of it: a face that touches
 * itself in a vertex has two there. */
static void work_corners(faces_work *t)
{
    uint32_t *corner = t->corner.data, other;
    for (uint32_t k = 0; k < 3 * t->mesh->facet_count; ++k)
        corner[k] = k;
    for (uint32_t f = 0; f < t->mesh->facet_count; ++f)
        for (uint32_t k = 0; k < 3; ++k) {
            if (!work_beyond(t, f, k, &other) || other < f)
                continue;
            const uint32_t at =
                edge_corner(t->mesh, other, t->mesh->facet_edge.read[3 * (uint64_t)f + k]);
            set_join(corner, 3 * f + k, 3 * other + (at + 1) % 3);
            set_join(corner, 3 * f + (k + 1) % 3, 3 * other + at);
        }
}

/* The normal of a vertex grows by that of a facet, with the weight that is exact on spheres (Max,
 * J. Graphics Tools 4 (2), 1999). */
static void work_normal(faces_work *t, const double *x[3], uint32_t facet, uint32_t k,
                        uint32_t vertex)
{
    double a[3], b[3], cross[3];
    const double *n = t->mesh->normal.read + 3 * (uint64_t)facet;
    for (int c = 0; c < 3; ++c) {
        a[c] = x[(k + 1) % 3][c] - x[k][c];
        b[c] = x[(k + 2) % 3][c] - x[k][c];
    }
    demi_cross(a, b, cross);
    const double weight = sqrt(demi_dot(cross, cross)) / (demi_dot(a, a) * demi_dot(b, b));
    for (int c = 0; c < 3; ++c)
        t->normal.data[3 * (uint64_t)vertex + (uint64_t)c] += weight * n[c];
}

static void work_facets(faces_work *t, uint32_t label)
{
    const dem_mesh *mesh = t->mesh;
    t->vertices = t->facets = t->rims = 0;
    for (uint32_t f = 0; f < mesh->facet_count; ++f) {
        if (t->label.read[f] != label)
            continue;
        const uint32_t *v = mesh->facet.read + 3 * (uint64_t)f;
        const double *x[3] = {demi_mesh_vertex(mesh, v[0]), demi_mesh_vertex(mesh, v[1]),
                              demi_mesh_vertex(mesh, v[2])};
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t set = set_of(t->corner.data, 3 * f + k);
            if (set == 3 * f + k) { /* the smallest corner comes first */
                memcpy(t->x.data + 3 * t->vertices, x[k], 3 * sizeof(double));
                memset(t->normal.data + 3 * t->vertices, 0, 3 * sizeof(double));
                t->vertex.data[set] = (uint32_t)t->vertices++;
            }
            t->vertex.data[3 * (uint64_t)f + k] = t->vertex.read[set];
            t->facet.data[3 * t->facets + k] = t->vertex.read[set];
            work_normal(t, x, f, k, t->vertex.read[set]);
        }
        t->facets++;
    }
}

/* Vertices behind all others, of which those at the rim are used. */
static void work_behind(faces_work *t, double depth)
{
    for (uint64_t v = 0; v < t->vertices; ++v) {
        const double *n = t->normal.read + 3 * v;
        const double length = sqrt(demi_dot(n, n)), far = length > 0.0 ? depth / length : 0.0;
        for (uint64_t c = 0; c < 3; ++c)
            t->x.data[3 * (t->vertices + v) + c] = t->x.read[3 * v + c] - far * n[c];
    }
}

/* Whether facets of a face may face each other: not where their normals are within a cone. */
static int work_bent(const faces_work *t, uint32_t label)
{
    const double *first = NULL;
    for (uint32_t f = 0; f < t->mesh->facet_count; ++f) {
        const double *n = t->mesh->normal.read + 3 * (uint64_t)f;
        if (t->label.read[f] != label)
            continue;
        first = first != NULL ? first : n;
        if (demi_dot(first, n) < 0.5)
            return 1;
    }
    return 0;
}

/* How far all of the rim may go on. */
static dem_status work_depth(faces_work *t, uint32_t label, double *depth)
{
    dem_mesh_config config;
    dem_mesh *face = NULL;
    dem_error error;
    uint32_t other;
    *depth = t->depth;
    if (t->clear || !work_bent(t, label))
        return DEM_OK;
    dem_status status = dem_mesh_config_init(&config);
    config.allocator = t->context->allocator;
    if (status == DEM_OK)
        status = dem_mesh_create(&config, t->x.read, t->vertices, t->facet.read, t->facets, &face,
                                 &error);
    if (status != DEM_OK)
        return demi_fail(t->context, status, "face %llu: %.150s", (unsigned long long)label,
                         error.message);
    for (uint32_t f = 0; f < t->mesh->facet_count; ++f)
        for (uint32_t k = 0; k < 3 && t->label.read[f] == label; ++k) {
            if (work_beyond(t, f, k, &other))
                continue;
            const uint64_t v = t->vertex.read[3 * (uint64_t)f + k];
            const double *n = t->normal.read + 3 * v;
            const double length = sqrt(demi_dot(n, n));
            if (!(length > 0.0))
                continue;
            const double unit[3] = {n[0] / length, n[1] / length, n[2] / length};
            *depth = fmin(*depth, FACES_FREE * demi_mesh_behind(face, t->x.read + 3 * v, unit,
                                                                *depth / FACES_FREE));
        }
    dem_mesh_destroy(face);
    return DEM_OK;
}

/* Two facets behind each edge of the rim, with their outer sides outside. */
static void work_rim(faces_work *t, uint32_t label)
{
    uint32_t other;
    for (uint32_t f = 0; f < t->mesh->facet_count; ++f)
        for (uint32_t k = 0; k < 3 && t->label.read[f] == label; ++k) {
            if (work_beyond(t, f, k, &other))
                continue;
            const uint32_t a = t->vertex.read[3 * (uint64_t)f + k],
                           b = t->vertex.read[3 * (uint64_t)f + (k + 1) % 3],
                           down = (uint32_t)t->vertices;
            const uint32_t facet[6] = {b, a, down + a, b, down + a, down + b};
            memcpy(t->facet.data + 3 * (t->facets + 2 * t->rims++), facet, sizeof facet);
        }
}

/* Leaves out vertices behind that no rim has. */
static void work_pack(faces_work *t)
{
    uint32_t *to = t->vertex.data; /* not needed any more; there are more corners than vertices */
    uint64_t count = 0;
    for (uint64_t v = 0; v < t->vertices; ++v)
        to[v] = UINT32_MAX;
    uint32_t *facet = t->facet.data + 3 * t->facets;
    for (uint64_t k = 0; k < 6 * t->rims; ++k)
        if (facet[k] >= t->vertices)
            to[facet[k] - t->vertices] = 0;
    for (uint64_t v = 0; v < t->vertices; ++v) {
        if (to[v] == UINT32_MAX)
            continue;
        memmove(t->x.data + 3 * (t->vertices + count), t->x.read + 3 * (t->vertices + v),
                3 * sizeof(double));
        to[v] = (uint32_t)(t->vertices + count++);
    }
    for (uint64_t k = 0; k < 6 * t->rims; ++k)
        if (facet[k] >= t->vertices)
            facet[k] = to[facet[k] - t->vertices];
    t->vertices += count;
}

/* Which facets of the wall the facets of a face are of. */
static dem_status work_map(const faces_work *t, uint32_t label, demi_face *face)
{
    uint64_t facets = 0, rims = t->facets;
    uint32_t other;
    const dem_status status =
        demi_array_reserve(t->context, &face->of, t->facets + 2 * t->rims, 0, faces_what);
    if (status != DEM_OK)
        return status;
    for (uint32_t f = 0; f < t->mesh->facet_count; ++f) {
        if (t->label.read[f] != label)
            continue;
        face->of.data[facets++] = f;
        for (uint32_t k = 0; k < 3; ++k)
            for (int half = 0; !work_beyond(t, f, k, &other) && half < 2; ++half)
                face->of.data[rims++] = f;
    }
    return DEM_OK;
}

static dem_status work_face(faces_work *t, uint32_t label, demi_face *face)
{
    dem_mesh_config config;
    dem_error error;
    double depth;
    work_facets(t, label);
    dem_status status = work_depth(t, label, &depth);
    if (status != DEM_OK)
        return status;
    work_behind(t, depth);
    work_rim(t, label);
    work_pack(t);
    memset(face, 0, sizeof *face);
    status = dem_mesh_config_init(&config);
    config.allocator = t->context->allocator;
    config.refused = DEM_MESH_DEGENERATE | DEM_MESH_DUPLICATE | DEM_MESH_NON_MANIFOLD;
    if (status == DEM_OK)
        status = dem_mesh_create(&config, t->x.read, t->vertices, t->facet.read,
                                 t->facets + 2 * t->rims, &face->surface.mesh, &error);
    if (status != DEM_OK)
        return demi_fail(t->context, status, "face %llu goes on behind its rim: %.150s",
                         (unsigned long long)label, error.message);
    status = demi_facet_lanes_make(t->context, face->surface.mesh, &face->surface.lanes);
    if (status == DEM_OK)
        status = work_map(t, label, face);
    if (status != DEM_OK) {
        demi_facet_lanes_free(t->context, &face->surface.lanes);
        dem_mesh_destroy(face->surface.mesh);
        return status;
    }
    face->facets = t->facets;
    /* a face has no size of its own: bounds are those of the body */
    face->surface.radius = face->surface.solid.volume = INFINITY;
    face->surface.shells = 1;
    return DEM_OK;
}

dem_status demi_faces_make(demi_context *context, dem_mesh *mesh, double cosine, uint64_t most,
                           int clear, demi_faces *faces)
{
    const demi_mesh_box *all = mesh->box.read + mesh->level_begin[mesh->level_count - 1];
    const double d[3] = {all->high[0] - all->low[0], all->high[1] - all->low[1],
                         all->high[2] - all->low[2]};
    faces_work t = {.context = context,
                    .mesh = mesh,
                    .depth = FACES_DEPTH * sqrt(demi_dot(d, d)),
                    .clear = clear};
    uint64_t count = 0;
    dem_status status = work_room(&t);
    if (status == DEM_OK)
        status = faces_label(context, mesh, cosine, t.label.data, &count);
    if (status == DEM_OK && count <= most) {
        status = demi_array_reserve(context, &faces->face, count, 0, faces_what);
        work_corners(&t);
        for (faces->count = 0; status == DEM_OK && faces->count < count;) {
            status = work_face(&t, (uint32_t)faces->count, &faces->face.data[faces->count]);
            faces->count += status == DEM_OK;
        }
    }
    work_free(&t);
    if (status == DEM_OK) {
        faces->mesh = dem_mesh_retain(mesh);
        faces->cosine = cosine;
        faces->count = count;
    } else {
        demi_faces_free(context, faces);
    }
    return status;
}

void demi_faces_free(demi_context *context, demi_faces *faces)
{
    for (uint64_t k = 0; k < faces->count && k < demi_array_room(&faces->face); ++k) {
        demi_facet_lanes_free(context, &faces->face.data[k].surface.lanes);
        demi_array_free(context, &faces->face.data[k].of);
        dem_mesh_destroy(faces->face.read[k].surface.mesh);
    }
    demi_array_free(context, &faces->face);
    dem_mesh_destroy(faces->mesh);
    memset(faces, 0, sizeof *faces);
}

uint64_t demi_faces_bytes(const demi_faces *faces)
{
    uint64_t bytes = 0;
    for (uint64_t k = 0; k < faces->count && k < demi_array_room(&faces->face); ++k)
        bytes += faces->face.read[k].surface.mesh->context.bytes;
    return bytes;
}
