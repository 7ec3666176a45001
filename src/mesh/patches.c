/* SPDX-License-Identifier: MIT */
/* The connected parts of what two polyhedra have in common. Closed lines come from piercings: each
 * is the end of two lines. Sections of edges and the vertices inside tell which lines bound one
 * part: all that is inside along an edge belongs to one. */
#include "mesh/cones.h"
#include "mesh/halfspace.h"

#include <string.h>

/* Nodes are lines, then vertices that are inside: first those of the first body. The root of a part
 * is its least node, which is a line unless no line crosses the part. */
typedef struct patches_work {
    demi_overlap *o;
    uint32_t *root;
    uint64_t begin[2];    /* node of the first vertex of each side */
    const double *origin; /* of cones, in the axes of the side that is summed; NULL: none is */
} patches_work;

uint32_t demi_patches_root(uint32_t *root, uint32_t node)
{
    while (root[node] != node)
        node = root[node] = root[root[node]];
    return node;
}

void demi_patches_unite(uint32_t *root, uint32_t a, uint32_t b)
{
    a = demi_patches_root(root, a);
    b = demi_patches_root(root, b);
    root[a < b ? b : a] = a < b ? a : b;
}

static uint32_t patches_vertex(const patches_work *t, int of, uint32_t vertex)
{
    return (uint32_t)t->begin[of] + t->o->side[of].number.read[vertex];
}

/* Lines with an end on an edge of one body, by edge and by the facet that it pierces. */
static uint64_t patches_piercings(demi_overlap *o, int of)
{
    uint64_t count = 0;
    for (uint64_t k = 0; k < o->count; ++k)
        for (uint64_t e = 0; e < 2; ++e) {
            const demi_crossing *line = &o->crossing.read[k];
            const demi_piercing *at = &line->end[e];
            if (at->side != of)
                continue;
            const uint32_t facet = o->side[1 - of].near.read[line->near[1 - of]].facet;
            o->item.data[count++] = (demi_item){(uint64_t)at->edge << 32 | facet, 2 * k + e};
        }
    demi_sort(o->item.data, o->room.data, count);
    return count;
}

/* ------------------------------------------------------------------ sections of edges */

/* Adds the cone of a section of the edge to the part that has a node. */
static void section_sum(const patches_work *t, int of, const uint32_t facet[2], uint32_t edge,
                        uint32_t node, double part)
{
    demi_overlap *o = t->o;
    const dem_mesh *mesh = o->side[of].solid->mesh;
    const uint32_t root = demi_patches_root(t->root, node);
    demi_patch *patch = &o->patch.data[o->label.read[root]];
    for (int k = 0; k < 2; ++k)
        if (mesh->facet_edge.read[3 * (uint64_t)facet[k] + 1] == edge)
            patch->volume += demi_cone(o, of, facet[k], t->origin, part) / 6.0;
}

/* What of an edge is inside is between two piercings, or one and an end; both are in one part. */
static void section_end(const patches_work *t, int of, const uint32_t facet[2], uint32_t edge,
                        uint32_t from, uint32_t to, double part)
{
    if (t->origin != NULL)
        section_sum(t, of, facet, edge, from, part);
    else
        demi_patches_unite(t->root, from, to);
}

/* The piercings of an edge, which begin at `item`, in their order along it; how many. Of two at one
 * place that one comes first which may follow. */
static uint64_t edge_passes(demi_overlap *o, const demi_item *item, uint64_t count, int inside,
                            uint32_t facet[2])
{
    demi_pass *pass = o->pass.data;
    uint64_t passes = 0;
    for (uint64_t n = 0; n < count; ++n) {
        const demi_crossing *line = &o->crossing.read[item[n].value / 2];
        const demi_piercing *at = &line->end[item[n].value % 2];
        facet[at->forward ? 0 : 1] = o->side[at->side].near.read[line->near[at->side]].facet;
        if (!at->forward)
            continue;
        uint64_t place = passes++;
        for (; place > 0 && pass[place - 1].part > at->part; --place)
            pass[place] = pass[place - 1];
        pass[place] = (demi_pass){at->part, at->sign, (uint32_t)(item[n].value / 2)};
    }
    for (uint64_t n = 0; n < passes; ++n, inside = !inside)
        for (uint64_t k = n + 1;
             (pass[n].sign > 0) == inside && k < passes && pass[k].part == pass[n].part; ++k)
            if ((pass[k].sign > 0) != inside) {
                const demi_pass other = pass[k];
                pass[k] = pass[n];
                pass[n] = other;
            }
    return passes;
}

static void patches_edge(const patches_work *t, int of, const demi_item *item, uint64_t count)
{
    demi_overlap *o = t->o;
    const demi_side *side = &o->side[of];
    const uint32_t edge = (uint32_t)(item->key >> 32);
    const uint32_t *v = side->solid->mesh->edge.read + 2 * (uint64_t)edge;
    int inside = side->vertex.read[v[0]] == DEMI_INSIDE;
    uint32_t facet[2] = {0, 0}, from = inside ? patches_vertex(t, of, v[0]) : 0;
    double begin = 0.0;
    const uint64_t passes = edge_passes(o, item, count, inside, facet);
    for (uint64_t n = 0; n < passes; ++n) {
        const demi_pass *pass = &o->pass.read[n];
        if (inside)
            section_end(t, of, facet, edge, from, pass->line, pass->part - begin);
        inside = pass->sign > 0;
        from = pass->line;
        begin = pass->part;
    }
    if (inside && side->vertex.read[v[1]] == DEMI_INSIDE)
        section_end(t, of, facet, edge, from, patches_vertex(t, of, v[1]), 1.0 - begin);
}

/* All edges with piercings of one body; at the first time lines that meet there become one. */
static void patches_edges(const patches_work *t, int of)
{
    demi_overlap *o = t->o;
    const uint64_t count = patches_piercings(o, of);
    const demi_item *item = o->item.read;
    for (uint64_t n = 1; t->origin == NULL && n < count; ++n)
        if (item[n].key == item[n - 1].key)
            demi_patches_unite(t->root, (uint32_t)(item[n].value / 2),
                               (uint32_t)(item[n - 1].value / 2));
    for (uint64_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && item[end].key >> 32 == item[begin].key >> 32;)
            ++end;
        patches_edge(t, of, item + begin, end - begin);
    }
}

/* ------------------------------------------------------------------ vertices */

/* Vertices inside, and edges between them that nothing pierces. */
static void patches_vertices(const patches_work *t, int of)
{
    const demi_side *side = &t->o->side[of];
    const dem_mesh *mesh = side->solid->mesh;
    for (uint64_t n = 0; n < side->vertex_count; ++n) {
        const uint32_t vertex = side->vertices.read[n];
        if (side->vertex.read[vertex] != DEMI_INSIDE)
            continue;
        const uint32_t *begin = mesh->of_vertex.begin.read + vertex;
        for (uint64_t k = begin[0]; k < begin[1]; ++k)
            for (uint64_t e = 0; e < 3; ++e) {
                const uint64_t facet = mesh->of_vertex.facet.read[k];
                const uint32_t edge = mesh->facet_edge.read[3 * facet + e];
                const uint32_t *v = mesh->edge.read + 2 * (uint64_t)edge;
                if ((v[0] == vertex || v[1] == vertex) && side->edge.read[edge].sign == 0)
                    demi_patches_unite(t->root, patches_vertex(t, of, v[0]),
                                       patches_vertex(t, of, v[1]));
            }
    }
}

/* ------------------------------------------------------------------ sums */

/* Cones of facets of which an edge is wholly inside; the others come with the sections. */
static void patches_facets(const patches_work *t, int of)
{
    const demi_side *side = &t->o->side[of];
    const dem_mesh *mesh = side->solid->mesh;
    for (uint64_t k = 0; k < side->facet_count; ++k) {
        const uint32_t facet = side->facets.read[k],
                       edge = mesh->facet_edge.read[3 * (uint64_t)facet + 1],
                       vertex = mesh->edge.read[2 * (uint64_t)edge + 1], both[2] = {facet, facet};
        if (side->edge.read[edge].sign != 0 || side->vertex.read[vertex] != DEMI_INSIDE)
            continue;
        /* half of it, twice */
        section_sum(t, of, both, edge, patches_vertex(t, of, vertex), 0.5);
    }
}

static void patches_sum(patches_work *t)
{
    demi_overlap *o = t->o;
    for (uint64_t k = 0; k < o->count; ++k) {
        demi_patch *patch = &o->patch.data[o->label.read[demi_patches_root(t->root, (uint32_t)k)]];
        demi_line_sum(o, &o->crossing.read[k], patch->area, patch->moment, &patch->volume);
        demi_line_mean(o, &o->crossing.read[k], patch->line);
    }
    for (int of = 0; of < 2; ++of) {
        double origin[3];
        demi_cones_origin(o, of, origin);
        t->origin = origin;
        patches_edges(t, of);
        patches_facets(t, of);
        t->origin = NULL;
    }
}

/* Whether a patch has no volume, but for round-off: a foot that is level with a face, which no
 * force holds, though all of its area is in S. A hollow one has less. */
static int patches_level(const demi_patch *patch, double roundoff)
{
    return patch->volume <= 0.0 && patch->volume >= -roundoff;
}

/* The square of the distance of two patches: between the means of their borders, or a place of one
 * that has none. */
static double patches_apart(const demi_patch *a, const demi_patch *b)
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
        const double from = a->line[3] > 0.0 ? a->line[c] / a->line[3] : a->line[c],
                     to = b->line[3] > 0.0 ? b->line[c] / b->line[3] : b->line[c];
        square += (to - from) * (to - from);
    }
    return square;
}

/* The patch that a hollow one is taken from: of those that are larger the nearest one. */
static uint64_t patches_around(const demi_overlap *o, const demi_patch *hollow, uint64_t largest)
{
    uint64_t around = largest;
    for (uint64_t k = 0; k < o->patches; ++k) {
        const demi_patch *patch = &o->patch.read[k];
        if (patch->volume > -hollow->volume &&
            patches_apart(hollow, patch) < patches_apart(hollow, &o->patch.read[around]))
            around = k;
    }
    return around;
}

void demi_patches_join(demi_overlap *o, double roundoff)
{
    uint64_t largest = 0, kept = 0, level = 0;
    for (uint64_t k = 1; k < o->patches; ++k)
        if (o->patch.read[k].volume > o->patch.read[largest].volume)
            largest = k;
    for (uint64_t k = 0; k < o->patches; ++k) {
        const demi_patch *from = &o->patch.read[k];
        if (k == largest || from->volume > 0.0)
            continue;
        if (patches_level(from, roundoff)) {
            ++level;
            continue;
        }
        demi_patch *to = &o->patch.data[patches_around(o, from, largest)];
        to->volume += from->volume;
        for (int c = 0; c < 3; ++c) {
            to->area[c] += from->area[c];
            to->moment[c] += from->moment[c];
        }
        for (int c = 0; c < 4 && from->line[3] > 0.0; ++c)
            to->line[c] += from->line[c];
    }
    for (uint64_t k = 0; k < o->patches; ++k)
        if (k == largest || o->patch.read[k].volume > 0.0)
            o->patch.data[kept++] = o->patch.read[k];
    /* one that has what all have is no part of it */
    o->patches = kept > 1 || level > 0 ? kept : 0;
}

/* From G and the line about the origin of all to those about a point of each. */
static void patches_shift(demi_overlap *o)
{
    for (uint64_t k = 0; k < o->patches; ++k) {
        demi_patch *patch = &o->patch.data[k];
        double d[3], cross[3];
        for (int c = 0; c < 3; ++c)
            d[c] = o->origin[c] - patch->origin[c];
        demi_cross(d, patch->area, cross);
        for (int c = 0; c < 3; ++c) {
            patch->moment[c] += cross[c];
            patch->line[c] += patch->line[3] * d[c];
        }
    }
}

/* Round-off of the volume of a patch: of a patch as large as the smaller body, whose cones have
 * facets of the larger one for their base. */
static double patches_round(const demi_overlap *o)
{
    const double a = o->side[0].solid->radius, b = o->side[1].solid->radius;
    return DEMI_PATCHES_ROUND * a * b * (a < b ? b : a);
}

/* ------------------------------------------------------------------ all of it */

dem_status demi_patches_reserve(demi_overlap *o, uint64_t crossings, uint64_t vertices)
{
    static const char what[] = "contacts of polyhedra";
    demi_context *context = o->context;
    dem_status status = demi_array_reserve(context, &o->item, 2 * crossings, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &o->room, 2 * crossings, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &o->root, crossings + vertices, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &o->label, crossings + vertices, 0, what);
    if (status == DEM_OK) /* a surface that no line crosses has three vertices at least */
        status = demi_array_reserve(context, &o->patch, crossings + vertices / 3, 0, what);
    return status != DEM_OK ? status
                            : demi_array_reserve(context, &o->pass, 2 * crossings, 0, what);
}

/* Parts that no line crosses: cavities within an overlap, and pieces of a body within the other
 * one. Each has a vertex instead of a border. */
static void patches_enclosed(const patches_work *t, int of)
{
    demi_overlap *o = t->o;
    const demi_side *side = &o->side[of];
    for (uint64_t n = 0; n < side->vertex_count; ++n) {
        const uint32_t vertex = side->vertices.read[n], node = patches_vertex(t, of, vertex);
        if (side->vertex.read[vertex] != DEMI_INSIDE || demi_patches_root(t->root, node) != node)
            continue;
        o->label.data[node] = (uint32_t)o->patches;
        demi_patch *patch = &o->patch.data[o->patches++];
        *patch = (demi_patch){.volume = 0.0};
        demi_side_place(side, demi_mesh_vertex(side->solid->mesh, vertex), patch->origin);
        for (int c = 0; c < 3; ++c)
            patch->line[c] = patch->origin[c] - o->origin[c];
    }
}

dem_status demi_patches_find(demi_overlap *o)
{
    patches_work t = {.o = o, .begin = {o->count, o->count + o->side[0].vertex_count}};
    const uint64_t vertices = o->side[0].vertex_count + o->side[1].vertex_count;
    const dem_status status = demi_patches_reserve(o, o->count, vertices);
    o->patches = 0;
    if (status != DEM_OK)
        return status;
    t.root = o->root.data;
    for (uint64_t n = 0; n < o->count + vertices; ++n)
        t.root[n] = (uint32_t)n;
    for (int of = 0; of < 2; ++of)
        for (uint64_t n = 0; n < o->side[of].vertex_count; ++n)
            o->side[of].number.data[o->side[of].vertices.read[n]] = (uint32_t)n;
    for (int of = 0; of < 2; ++of) {
        patches_edges(&t, of);
        patches_vertices(&t, of);
    }
    for (uint32_t k = 0; k < o->count; ++k)
        if (demi_patches_root(t.root, k) == k) {
            o->label.data[k] = (uint32_t)o->patches;
            demi_patch *patch = &o->patch.data[o->patches++];
            *patch = (demi_patch){.volume = 0.0};
            memcpy(patch->origin, o->crossing.read[k].end[0].at, sizeof patch->origin);
        }
    for (int of = 0; of < 2; ++of)
        patches_enclosed(&t, of);
    if (o->patches < 2) {
        o->patches = 0;
        return DEM_OK;
    }
    patches_sum(&t);
    demi_patches_join(o, patches_round(o));
    patches_shift(o);
    return DEM_OK;
}
