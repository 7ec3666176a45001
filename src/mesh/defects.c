/* SPDX-License-Identifier: MIT */
/* What is wrong with a mesh, facet by facet. */
#include "base/check.h"
#include "mesh/mesh.h"
#include "mesh/sort.h"

#include <math.h>
#include <string.h>

typedef struct defects_work {
    DEMI_ARRAY(demi_item) item, room;
    DEMI_ARRAY(uint32_t) queue;       /* facets of a connected part */
    DEMI_ARRAY(unsigned char) turned; /* 0: not seen, else 1 + whether against the first */
} defects_work;

static uint32_t *defects_of(dem_mesh *mesh, uint32_t facet)
{
    return &mesh->defects.data[facet];
}

/* ------------------------------------------------------------------ duplicates */

static void defects_sorted(const uint32_t facet[3], uint32_t vertex[3])
{
    const uint32_t a = facet[0], b = facet[1], c = facet[2];
    vertex[0] = a < b ? (a < c ? a : c) : (b < c ? b : c);
    vertex[2] = a > b ? (a > c ? a : c) : (b > c ? b : c);
    vertex[1] = a ^ b ^ c ^ vertex[0] ^ vertex[2];
}

/* Facets of the same vertices follow each other when sorted by the last, then by the others. */
static void defects_duplicates(dem_mesh *mesh, defects_work *work)
{
    uint32_t vertex[3], before[3];
    for (uint64_t f = 0; f < mesh->facet_count; ++f) {
        defects_sorted(mesh->facet.read + 3 * f, vertex);
        work->item.data[f] = (demi_item){vertex[2], f};
    }
    demi_sort(work->item.data, work->room.data, mesh->facet_count);
    for (uint64_t k = 0; k < mesh->facet_count; ++k) {
        defects_sorted(mesh->facet.read + 3 * work->item.read[k].value, vertex);
        work->item.data[k].key = (uint64_t)vertex[0] << 32 | vertex[1];
    }
    demi_sort(work->item.data, work->room.data, mesh->facet_count);
    for (uint64_t k = 1; k < mesh->facet_count; ++k) {
        defects_sorted(mesh->facet.read + 3 * work->item.read[k - 1].value, before);
        defects_sorted(mesh->facet.read + 3 * work->item.read[k].value, vertex);
        if (memcmp(before, vertex, sizeof vertex) == 0)
            mesh->defects.data[work->item.read[k].value] |= DEM_MESH_DUPLICATE;
    }
}

/* ------------------------------------------------------------------ edges */

/* The facets of an edge that are no duplicates: how many, and the first two. */
static uint64_t defects_edge(const dem_mesh *mesh, uint64_t edge, uint32_t facet[2])
{
    uint64_t count = 0;
    for (uint64_t k = mesh->of_edge.begin.read[edge]; k < mesh->of_edge.begin.read[edge + 1]; ++k) {
        const uint32_t f = mesh->of_edge.facet.read[k];
        if ((mesh->defects.read[f] & DEM_MESH_DUPLICATE) != 0)
            continue;
        if (count < 2)
            facet[count] = f;
        ++count;
    }
    return count;
}

static void defects_edges(dem_mesh *mesh)
{
    for (uint64_t e = 0; e < mesh->edge_count; ++e) {
        uint32_t facet[2] = {0, 0};
        const uint64_t count = defects_edge(mesh, e, facet);
        if (count == 1)
            *defects_of(mesh, facet[0]) |= DEM_MESH_OPEN;
        if (count <= 2)
            continue;
        for (uint64_t k = mesh->of_edge.begin.read[e]; k < mesh->of_edge.begin.read[e + 1]; ++k)
            if ((mesh->defects.read[mesh->of_edge.facet.read[k]] & DEM_MESH_DUPLICATE) == 0)
                *defects_of(mesh, mesh->of_edge.facet.read[k]) |= DEM_MESH_NON_MANIFOLD;
    }
}

/* Whether a facet runs along its edge from the first vertex to the second. */
static int defects_forward(const dem_mesh *mesh, uint32_t facet, uint64_t edge)
{
    for (uint64_t k = 0; k < 3; ++k)
        if (mesh->facet_edge.read[3 * (uint64_t)facet + k] == edge)
            return mesh->facet.read[3 * (uint64_t)facet + k] == mesh->edge.read[2 * edge];
    return 0;
}

/* ------------------------------------------------------------------ orientation */

/* Goes to the neighbours of a facet. Where two ways around lead to different answers the surface
 * has one side only: both facets of that edge are told. */
static void defects_spread(dem_mesh *mesh, defects_work *work, uint32_t from, uint64_t *queued)
{
    for (uint64_t k = 0; k < 3; ++k) {
        uint32_t facet[2] = {0, 0};
        const uint32_t edge = mesh->facet_edge.read[3 * (uint64_t)from + k];
        if (edge == UINT32_MAX || defects_edge(mesh, edge, facet) != 2)
            continue;
        const uint32_t to = facet[0] == from ? facet[1] : facet[0];
        const int against = defects_forward(mesh, from, edge) == defects_forward(mesh, to, edge);
        const int turned = (work->turned.read[from] - 1) ^ against;
        if (work->turned.read[to] == 0) {
            work->turned.data[to] = (unsigned char)(1 + turned);
            work->queue.data[(*queued)++] = to;
        } else if (work->turned.read[to] != 1 + turned) {
            *defects_of(mesh, from) |= DEM_MESH_INVERTED;
            *defects_of(mesh, to) |= DEM_MESH_INVERTED;
        }
    }
}

/* The smaller side of each connected part is inverted; of two halves the one without the first. */
static void defects_orientation(dem_mesh *mesh, defects_work *work)
{
    memset(work->turned.data, 0, (size_t)mesh->facet_count);
    for (uint64_t seed = 0; seed < mesh->facet_count; ++seed) {
        if (work->turned.read[seed] != 0 || (mesh->defects.read[seed] & DEM_MESH_DUPLICATE) != 0)
            continue;
        uint64_t queued = 1, against = 0;
        work->turned.data[seed] = 1;
        work->queue.data[0] = (uint32_t)seed;
        for (uint64_t k = 0; k < queued; ++k) {
            against += work->turned.read[work->queue.read[k]] == 2;
            defects_spread(mesh, work, work->queue.read[k], &queued);
        }
        const int wrong = 2 * against > queued ? 1 : 2;
        for (uint64_t k = 0; k < queued; ++k)
            if (work->turned.read[work->queue.read[k]] == wrong)
                *defects_of(mesh, work->queue.read[k]) |= DEM_MESH_INVERTED;
    }
}

/* A mesh that is closed and whose facets agree with each other may still be inside out. */
static void defects_inside_out(dem_mesh *mesh)
{
    uint32_t all = 0;
    for (uint64_t f = 0; f < mesh->facet_count; ++f)
        all |= mesh->defects.read[f];
    if ((all & (DEM_MESH_OPEN | DEM_MESH_INVERTED | DEM_MESH_NON_MANIFOLD)) == 0 &&
        mesh->volume < 0.0) {
        *defects_of(mesh, 0) |= DEM_MESH_INVERTED;
        mesh->inside_out = 1;
    }
}

/* ------------------------------------------------------------------ T-joints */

typedef struct defects_joint {
    dem_mesh *mesh;
    uint32_t vertex;
    double distance;
} defects_joint;

static double defects_distance(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(demi_dot(d, d));
}

/* Whether a point lies on the line between two others, and at neither of them. None does where
 * these are nearer to each other than what is taken for one place. */
static int defects_between(const double *a, const double *b, const double *x, double distance)
{
    if (defects_distance(a, x) <= distance || defects_distance(b, x) <= distance ||
        defects_distance(a, b) < 2.0 * distance)
        return 0;
    const double along[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double to[3] = {x[0] - a[0], x[1] - a[1], x[2] - a[2]};
    const double square = demi_dot(along, along), t = demi_dot(along, to);
    if (t <= 0.0 || t >= square)
        return 0;
    double nearest[3];
    for (int c = 0; c < 3; ++c)
        nearest[c] = a[c] + t / square * along[c];
    return defects_distance(nearest, x) <= distance;
}

static int defects_visit(void *argument, uint32_t facet)
{
    const defects_joint *joint = argument;
    dem_mesh *mesh = joint->mesh;
    const uint32_t *own = mesh->facet.read + 3 * (uint64_t)facet;
    if ((mesh->defects.read[facet] & DEM_MESH_OPEN) == 0 || own[0] == joint->vertex ||
        own[1] == joint->vertex || own[2] == joint->vertex)
        return 0;
    for (uint64_t k = 0; k < 3; ++k) {
        uint32_t at[2];
        const uint32_t edge = mesh->facet_edge.read[3 * (uint64_t)facet + k];
        if (edge == UINT32_MAX || defects_edge(mesh, edge, at) != 1)
            continue;
        const uint32_t *end = mesh->edge.read + 2 * (uint64_t)edge;
        if (defects_between(demi_mesh_vertex(mesh, end[0]), demi_mesh_vertex(mesh, end[1]),
                            demi_mesh_vertex(mesh, joint->vertex), joint->distance))
            *defects_of(mesh, facet) |= DEM_MESH_T_JOINT;
    }
    return 0;
}

/* The longest open edge. */
static double defects_longest_open(const dem_mesh *mesh)
{
    double longest = 0.0;
    for (uint64_t e = 0; e < mesh->edge_count; ++e) {
        uint32_t facet[2];
        const uint32_t *end = mesh->edge.read + 2 * e;
        if (defects_edge(mesh, e, facet) == 1)
            longest = fmax(longest, defects_distance(demi_mesh_vertex(mesh, end[0]),
                                                     demi_mesh_vertex(mesh, end[1])));
    }
    return longest;
}

/* Files of single precision round a point of an edge by 2^-24 of its coordinates. Where that is
 * more than half of all edges a search would find all facets, and nothing between their ends. */
static void defects_joints(dem_mesh *mesh, double weld_distance)
{
    const demi_mesh_box *all = mesh->box.read + mesh->level_begin[mesh->level_count - 1];
    double greatest = 0.0;
    for (int c = 0; c < 3; ++c)
        greatest = fmax(greatest, fmax(fabs(all->low[c]), fabs(all->high[c])));
    defects_joint joint = {mesh, 0, fmax(weld_distance, 0x1p-22 * greatest)};
    if (defects_longest_open(mesh) < 2.0 * joint.distance)
        return;
    for (uint64_t e = 0; e < mesh->edge_count; ++e) {
        uint32_t facet[2];
        if (defects_edge(mesh, e, facet) != 1)
            continue;
        for (uint64_t k = 0; k < 2; ++k) {
            joint.vertex = mesh->edge.read[2 * e + k];
            (void)demi_mesh_near(mesh, demi_mesh_vertex(mesh, joint.vertex), joint.distance,
                                 defects_visit, &joint);
        }
    }
}

/* ------------------------------------------------------------------ all of them */

static dem_status defects_reserve(demi_context *context, defects_work *work, uint64_t count)
{
    const char *what = "defects of a mesh";
    dem_status status = demi_array_reserve(context, &work->item, count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &work->room, count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &work->queue, count, 0, what);
    return status != DEM_OK ? status : demi_array_reserve(context, &work->turned, count, 0, what);
}

dem_status demi_mesh_find_defects(dem_mesh *mesh, double weld_distance)
{
    demi_context *context = &mesh->context;
    defects_work work;
    memset(&work, 0, sizeof work);
    const dem_status status = defects_reserve(context, &work, mesh->facet_count);
    if (status == DEM_OK) {
        defects_duplicates(mesh, &work);
        defects_edges(mesh);
        defects_orientation(mesh, &work);
        defects_inside_out(mesh);
        defects_joints(mesh, weld_distance);
    }
    demi_array_free(context, &work.item);
    demi_array_free(context, &work.room);
    demi_array_free(context, &work.queue);
    demi_array_free(context, &work.turned);
    return status;
}
