/* SPDX-License-Identifier: MIT */
/* What two polyhedra have in common, from the lines in which their facets cross. The part of a
 * surface inside the other body has these lines and parts of edges for its boundary. Each edge is
 * inside along a fraction that the piercings tell; vertices behind them are inside, and so are
 * those that edges without piercings connect with these. */
#include "mesh/cones.h"

#include <string.h>

/* How much an area may miss its bounds, over the area. */
#define INSIDE_AREA 1e-7
/* The same of the volume. */
#define INSIDE_VOLUME 1e-9

/* ------------------------------------------------------------------ what is touched */

static demi_edge_state *inside_edge(demi_side *side, uint32_t edge)
{
    demi_edge_state *state = &side->edge.data[edge];
    if (state->sign == 0) {
        side->edges.data[side->edge_count++] = edge;
        state->first = INFINITY;
    }
    return state;
}

/* Says where a vertex is; 0 where something else is known. */
static int inside_vertex(demi_side *side, uint32_t vertex, int where)
{
    unsigned char *known = &side->vertex.data[vertex];
    if (*known == DEMI_UNKNOWN) {
        *known = (unsigned char)where;
        side->vertices.data[side->vertex_count++] = vertex;
    }
    return *known == where;
}

static void inside_facet(demi_side *side, uint32_t facet)
{
    if (side->facet.read[facet] == 0) {
        side->facet.data[facet] = 1;
        side->facets.data[side->facet_count++] = facet;
    }
}

/* A number that tells facets apart in a sum. */
static uint64_t inside_mix(uint32_t facet)
{
    uint64_t x = facet + UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* A piercing is seen from both facets of its edge: the one along which the edge runs as in the mesh
 * counts. */
static void inside_piercing(demi_overlap *o, const demi_piercing *at, uint32_t other)
{
    demi_edge_state *state = inside_edge(&o->side[at->side], at->edge);
    const uint64_t mix = inside_mix(other);
    if (state->sign == 0)
        state->sign = at->sign;
    state->check += at->forward ? mix : 0 - mix;
    if (!at->forward)
        return;
    state->sum += at->sign * at->part;
    state->square += at->sign * at->part * at->part;
    state->total += at->sign;
    if (at->part < state->first) {
        state->first = at->part;
        state->sign = at->sign;
    }
}

/* ------------------------------------------------------------------ vertices */

/* What the piercings of an edge say of its ends. */
static int inside_ends(demi_side *side, uint32_t edge)
{
    const demi_edge_state *state = &side->edge.read[edge];
    const uint32_t *v = side->solid->mesh->edge.read + 2 * (uint64_t)edge;
    const int start = state->sign < 0, end = start + state->total;
    return state->check == 0 && (end == 0 || end == 1) &&
           inside_vertex(side, v[0], start ? DEMI_INSIDE : DEMI_OUTSIDE) &&
           inside_vertex(side, v[1], end ? DEMI_INSIDE : DEMI_OUTSIDE);
}

/* Whether a place, in the axes of the first body, is in the box of a body. */
static int inside_box(const demi_overlap *o, int of, const double p[3])
{
    const demi_side *side = &o->side[of];
    const dem_mesh *mesh = side->solid->mesh;
    const demi_mesh_box *all = mesh->box.read + mesh->level_begin[mesh->level_count - 1];
    double d[3], at[3];
    int within = 1;
    for (int c = 0; c < 3; ++c)
        d[c] = p[c] - side->shift[c];
    demi_side_back(side, d, at);
    for (int c = 0; c < 3; ++c)
        within = within && at[c] >= all->low[c] - o->pad && at[c] <= all->high[c] + o->pad;
    return within;
}

/* From a vertex inside along its edges; all its facets have a part inside. */
static int inside_spread(demi_overlap *o, int of, uint32_t vertex)
{
    demi_side *side = &o->side[of];
    const dem_mesh *mesh = side->solid->mesh;
    double at[3];
    demi_side_place(side, demi_mesh_vertex(mesh, vertex), at);
    /* what is behind a surface may be out of its box */
    if (!(of == 0 && o->surface > 0) && !inside_box(o, 1 - of, at))
        return 0;
    const uint32_t *begin = mesh->of_vertex.begin.read + vertex;
    for (uint64_t k = begin[0]; k < begin[1]; ++k) {
        const uint64_t facet = mesh->of_vertex.facet.read[k];
        inside_facet(side, (uint32_t)facet);
        for (uint64_t e = 0; e < 3; ++e) {
            const uint32_t edge = mesh->facet_edge.read[3 * facet + e];
            const uint32_t *v = mesh->edge.read + 2 * (uint64_t)edge;
            if ((v[0] != vertex && v[1] != vertex) || side->edge.read[edge].sign != 0)
                continue;
            if (!inside_vertex(side, v[0] == vertex ? v[1] : v[0], DEMI_INSIDE))
                return 0;
        }
    }
    return 1;
}

/* Spreads from the vertices that are known, from number `done` on. */
static int inside_all(demi_overlap *o, int of, uint64_t done)
{
    demi_side *side = &o->side[of];
    for (; done < side->vertex_count; ++done) {
        const uint32_t vertex = side->vertices.read[done];
        if (side->vertex.read[vertex] == DEMI_INSIDE && !inside_spread(o, of, vertex))
            return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ surfaces without a line */

/* On which side of an edge, seen along an axis, a point is. */
static int inside_beside(const double *a, const double *b, const double p[3], int axis, int sense)
{
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double x = b[i] - a[i], y = b[j] - a[j];
    double change[3] = {0.0, 0.0, 0.0};
    change[i] = -y;
    change[j] = x;
    return demi_sign(x * (p[j] - a[j]) - y * (p[i] - a[i]), change, sense);
}

/* How a ray along an axis from a point passes a facet: 1 outwards, -1 inwards. */
static int inside_ray(const demi_side *side, uint64_t facet, const double p[3], int axis, int sense)
{
    const dem_mesh *mesh = side->solid->mesh;
    const uint32_t *v = mesh->facet.read + 3 * facet;
    const double *normal = mesh->normal.read + 3 * facet;
    double x[3][3], n[3], d[3];
    int beside[3];
    for (int k = 0; k < 3; ++k)
        demi_side_place(side, demi_mesh_vertex(mesh, v[k]), x[k]);
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3;
        const uint32_t edge = mesh->facet_edge.read[3 * facet + (uint64_t)k];
        const int forward = v[k] == mesh->edge.read[2 * (uint64_t)edge];
        beside[k] = forward ? inside_beside(x[k], x[l], p, axis, sense)
                            : -inside_beside(x[l], x[k], p, axis, sense);
    }
    if (beside[0] != beside[1] || beside[1] != beside[2])
        return 0;
    for (int c = 0; c < 3; ++c) {
        n[c] = side->turn[c][0] * normal[0] + side->turn[c][1] * normal[1] +
               side->turn[c][2] * normal[2];
        d[c] = p[c] - x[0][c];
    }
    /* seen from above its vertices turn left; then the ray must come from below */
    return demi_sign(demi_dot(n, d), n, sense) == -beside[0] ? beside[0] : 0;
}

/* Whether a vertex of one body is inside the other: how often a ray leaves that, less how often it
 * enters. -1 where rays along the axes contradict each other, because of round-off. */
static int inside_point(const demi_overlap *o, int of, const double p[3])
{
    const demi_side *other = &o->side[1 - of];
    int winds[3] = {0, 0, 0};
    for (uint64_t f = 0; f < other->solid->mesh->facet_count; ++f)
        for (int axis = 0; axis < 3; ++axis)
            winds[axis] += inside_ray(other, f, p, axis, of == 1 ? 1 : -1);
    const int agree = winds[0] == winds[1] && winds[1] == winds[2];
    return agree && (winds[0] == 0 || winds[0] == 1) ? winds[0] : -1;
}

/* Whether a connected part of a surface, which no line crosses, is outside the other body because
 * one of its vertices is out of the box of that: most are found so, without a ray. */
static int inside_nowhere(const demi_overlap *o, int of, uint64_t shell)
{
    const demi_side *side = &o->side[of];
    const dem_polyhedron *solid = side->solid;
    for (uint32_t vertex = 0; vertex < solid->mesh->vertex_count; ++vertex) {
        double at[3];
        if (solid->shell.read[vertex] != shell)
            continue;
        demi_side_place(side, demi_mesh_vertex(solid->mesh, vertex), at);
        if (!inside_box(o, 1 - of, at))
            return 1;
    }
    return 0;
}

int demi_overlap_holds(const demi_overlap *o)
{
    const dem_mesh *mesh = o->side[1].solid->mesh;
    double at[3];
    demi_side_place(&o->side[1], demi_mesh_vertex(mesh, mesh->facet.read[0]), at);
    return inside_box(o, 0, at) ? inside_point(o, 1, at) : 0;
}

/* Connected parts of a surface that no line crosses are inside or outside as one of their
 * vertices. */
static int inside_shells(demi_overlap *o, int of)
{
    demi_side *side = &o->side[of];
    const dem_polyhedron *solid = side->solid;
    if (o->count > 0 && solid->shells == 1)
        return 1;
    for (uint64_t s = 0; s < solid->shells; ++s) {
        const uint32_t vertex = solid->shell_vertex.read[s];
        double at[3];
        int crossed = 0;
        for (uint64_t k = 0; k < side->vertex_count && !crossed; ++k)
            crossed = solid->shell.read[side->vertices.read[k]] == s;
        demi_side_place(side, demi_mesh_vertex(solid->mesh, vertex), at);
        if (crossed || !inside_box(o, 1 - of, at) || inside_nowhere(o, of, s))
            continue;
        const int inside = inside_point(o, of, at);
        const uint64_t done = side->vertex_count;
        if (inside == 0)
            continue;
        if (inside < 0 || !inside_vertex(side, vertex, DEMI_INSIDE) || !inside_all(o, of, done))
            return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------ sums */

/* The fraction of an edge that is inside. */
static double inside_fraction(const demi_side *side, uint32_t edge)
{
    const uint32_t *v = side->solid->mesh->edge.read + 2 * (uint64_t)edge;
    const double end = side->vertex.read[v[1]] == DEMI_INSIDE;
    return side->edge.read[edge].sign == 0 ? end : end - side->edge.read[edge].sum;
}

/* Six times the volume of the cones from the origin to the facets, without what lines add. */
static double inside_cones(const demi_overlap *o, int of)
{
    const demi_side *side = &o->side[of];
    double origin[3], sum = 0.0;
    demi_cones_origin(o, of, origin);
    for (uint64_t k = 0; k < side->facet_count; ++k) {
        const uint64_t f = side->facets.read[k];
        const double part = inside_fraction(side, side->solid->mesh->facet_edge.read[3 * f + 1]);
        if (part != 0.0)
            sum += demi_cone(o, of, f, origin, part);
    }
    return sum;
}

/* Adds what a line gives to volume, S and G, and to the areas of its facets. */
static void inside_line(demi_overlap *o, const demi_crossing *line)
{
    double cross[3];
    demi_line_cross(o, line, o->area, o->moment, cross);
    for (int s = 0; s < 2; ++s) {
        demi_near_facet *near = &o->side[s].near.data[line->near[s]];
        const double twice = demi_line_beside(line, near, s);
        near->inside += twice;
        o->volume += demi_line_volume(o, near, s, cross, twice);
    }
}

/* No facet has less than nothing inside, or more than all. */
static int inside_areas(const demi_overlap *o, int of)
{
    const demi_side *side = &o->side[of];
    for (uint64_t k = 0; k < o->count; ++k) {
        const demi_crossing *line = &o->crossing.read[k];
        const demi_near_facet *near = &side->near.read[line->near[of]];
        double a[3], b[3], cross[3];
        for (int c = 0; c < 3; ++c) {
            a[c] = near->x[c][1] - near->x[c][0];
            b[c] = near->x[c][2] - near->x[c][0];
        }
        demi_cross(a, b, cross);
        const double twice = demi_dot(near->normal, cross);
        const double inside = near->inside + twice * inside_fraction(side, near->edge[1]);
        if (inside < -INSIDE_AREA * twice || inside > (1.0 + INSIDE_AREA) * twice)
            return 0;
    }
    return 1;
}

/* Nor is the volume less than nothing, or more than that of a body. */
static int inside_volume(const demi_overlap *o)
{
    const double a = o->side[0].solid->solid.volume, b = o->side[1].solid->solid.volume;
    const double least = a < b ? a : b;
    return o->volume >= -INSIDE_VOLUME * least && o->volume <= (1.0 + INSIDE_VOLUME) * least;
}

/* ------------------------------------------------------------------ parts of facets */

static void part_add(demi_facet_part *part, double area, const double middle[3])
{
    part->area += area;
    for (int c = 0; c < 3; ++c)
        part->moment[c] += area * middle[c];
}

/* What lines do not add: triangles from the first vertex of a facet over what is inside of the edge
 * that is opposite. */
static void part_edge(const demi_side *side, uint64_t f, demi_facet_part *part)
{
    const dem_mesh *mesh = side->solid->mesh;
    const uint32_t edge = mesh->facet_edge.read[3 * f + 1],
                   *v = mesh->edge.read + 2 * (uint64_t)edge;
    const demi_edge_state *state = &side->edge.read[edge];
    const double *x = demi_mesh_vertex(mesh, mesh->facet.read[3 * f]),
                 *from = demi_mesh_vertex(mesh, v[0]), *to = demi_mesh_vertex(mesh, v[1]);
    const double end = side->vertex.read[v[1]] == DEMI_INSIDE, whole = inside_fraction(side, edge),
                 first = 0.5 * (state->sign == 0 ? end : end - state->square);
    double a[3], b[3], cross[3], middle[3];
    if (whole == 0.0)
        return;
    for (int c = 0; c < 3; ++c) {
        a[c] = from[c] - x[c];
        b[c] = to[c] - x[c];
        middle[c] = (x[c] + 2.0 * (from[c] + first / whole * (to[c] - from[c]))) / 3.0;
    }
    demi_cross(a, b, cross);
    part_add(part, 0.5 * sqrt(demi_dot(cross, cross)) * whole, middle);
}

void demi_overlap_parts(demi_overlap *o)
{
    const demi_side *side = &o->side[1];
    o->parted = side->facet_count; /* among them all that lines are on */
    for (uint64_t k = 0; k < side->facet_count; ++k)
        part_edge(side, side->facets.read[k], &o->part[side->facets.read[k]]);
    for (uint64_t k = 0; k < o->count; ++k) {
        const demi_crossing *line = &o->crossing.read[k];
        const demi_near_facet *near = &side->near.read[line->near[1]];
        double a[3], b[3], cross[3], at[3], middle[3];
        for (int c = 0; c < 3; ++c) {
            a[c] = line->end[0].at[c] - near->x[c][0];
            b[c] = line->end[1].at[c] - near->x[c][0];
            at[c] = near->x[c][0] + (a[c] + b[c]) / 3.0 - side->shift[c];
        }
        demi_cross(a, b, cross);
        demi_side_back(side, at, middle);
        part_add(&o->part[near->facet], -0.5 * demi_dot(near->normal, cross), middle);
    }
}

/* ------------------------------------------------------------------ all of it */

dem_status demi_overlap_inside_reserve(demi_overlap *o, int of, const demi_overlap_sizes *sizes)
{
    static const char what[] = "a contact of polyhedra";
    demi_context *context = o->context;
    demi_side *side = &o->side[of];
    dem_status status = DEM_OK;
    if (demi_array_room(&side->edge) < sizes->edges) {
        status = demi_array_reserve(context, &side->edge, sizes->edges, 0, what);
        if (status == DEM_OK)
            memset(side->edge.data, 0, (size_t)side->edge.buffer.size);
    }
    if (status == DEM_OK && demi_array_room(&side->vertex) < sizes->vertices) {
        status = demi_array_reserve(context, &side->vertex, sizes->vertices, 0, what);
        if (status == DEM_OK)
            memset(side->vertex.data, 0, (size_t)side->vertex.buffer.size);
    }
    if (status == DEM_OK && demi_array_room(&side->facet) < sizes->facets) {
        status = demi_array_reserve(context, &side->facet, sizes->facets, 0, what);
        if (status == DEM_OK)
            memset(side->facet.data, 0, (size_t)side->facet.buffer.size);
    }
    if (status == DEM_OK)
        status = demi_array_reserve(context, &side->number, sizes->vertices, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &side->edges, sizes->edges, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &side->vertices, sizes->vertices, 0, what);
    return status != DEM_OK ? status
                            : demi_array_reserve(context, &side->facets, sizes->facets, 0, what);
}

static dem_status inside_room(demi_overlap *o, int of)
{
    const dem_mesh *mesh = o->side[of].solid->mesh;
    const demi_overlap_sizes sizes = {mesh->facet_count, mesh->edge_count, mesh->vertex_count};
    return demi_overlap_inside_reserve(o, of, &sizes);
}

void demi_overlap_clean(demi_overlap *o)
{
    for (int s = 0; s < 2; ++s) {
        demi_side *side = &o->side[s];
        for (uint64_t k = 0; k < side->edge_count; ++k)
            side->edge.data[side->edges.read[k]] = (demi_edge_state){0};
        for (uint64_t k = 0; k < side->vertex_count; ++k)
            side->vertex.data[side->vertices.read[k]] = DEMI_UNKNOWN;
        for (uint64_t k = 0; k < side->facet_count; ++k)
            side->facet.data[side->facets.read[k]] = 0;
        side->edge_count = side->vertex_count = side->facet_count = 0;
    }
    o->count = 0;
}

void demi_overlap_free(demi_overlap *o)
{
    for (int s = 0; s < 2; ++s) {
        demi_side *side = &o->side[s];
        demi_array_free(o->context, &side->place);
        demi_array_free(o->context, &side->slab);
        demi_array_free(o->context, &side->box);
        demi_array_free(o->context, &side->known);
        demi_array_free(o->context, &side->near);
        demi_array_free(o->context, &side->edge);
        demi_array_free(o->context, &side->vertex);
        demi_array_free(o->context, &side->number);
        demi_array_free(o->context, &side->facet);
        demi_array_free(o->context, &side->edges);
        demi_array_free(o->context, &side->vertices);
        demi_array_free(o->context, &side->facets);
    }
    demi_array_free(o->context, &o->found);
    demi_array_free(o->context, &o->crossing);
    demi_array_free(o->context, &o->item);
    demi_array_free(o->context, &o->room);
    demi_array_free(o->context, &o->root);
    demi_array_free(o->context, &o->label);
    demi_array_free(o->context, &o->patch);
    demi_array_free(o->context, &o->pass);
    demi_array_free(o->context, &o->met);
}

/* Vertices and facets that are inside; whether all that lines say agrees. */
static int inside_find(demi_overlap *o)
{
    for (uint64_t k = 0; k < o->count; ++k) {
        const demi_crossing *line = &o->crossing.read[k];
        for (int s = 0; s < 2; ++s) {
            const demi_piercing *at = &line->end[s];
            inside_piercing(o, at, o->side[1 - at->side].near.read[line->near[1 - at->side]].facet);
            inside_facet(&o->side[s], o->side[s].near.read[line->near[s]].facet);
        }
    }
    for (int s = 0; s < 2; ++s) {
        demi_side *side = &o->side[s];
        for (uint64_t k = 0; k < side->edge_count; ++k)
            if (!inside_ends(side, side->edges.read[k]))
                return 0;
        if (!inside_all(o, s, 0) || !inside_shells(o, s))
            return 0;
    }
    return 1;
}

dem_status demi_overlap_inside(demi_overlap *o, int *sound)
{
    for (int s = 0; s < 2; ++s) {
        const dem_status status = inside_room(o, s);
        if (status != DEM_OK)
            return status;
    }
    /* near what is common, so that little cancels */
    const demi_side *small = &o->side[o->side[0].solid->radius < o->side[1].solid->radius ? 0 : 1];
    for (int c = 0; c < 3; ++c) {
        o->area[c] = o->moment[c] = 0.0;
        o->origin[c] = o->count > 0 ? o->crossing.read[0].end[0].at[c] : small->shift[c];
    }
    memset(o->line, 0, sizeof o->line);
    o->volume = 0.0;
    *sound = inside_find(o);
    if (!*sound)
        return DEM_OK;
    for (uint64_t k = 0; k < o->count; ++k) {
        inside_line(o, &o->crossing.read[k]);
        demi_line_mean(o, &o->crossing.read[k], o->line);
    }
    o->volume += inside_cones(o, 0) / 6.0;
    o->volume += inside_cones(o, 1) / 6.0;
    *sound = inside_areas(o, 0) && inside_areas(o, 1) && inside_volume(o);
    return DEM_OK;
}
