/* SPDX-License-Identifier: MIT */
/* Where polyhedra touch each other, walls and spheres: contacts of a pair, found from the meshes in
 * the next state. */
#include "base/check.h"
#include "mesh/near.h"
#include "mesh/polyhedron.h"
#include "world/world.h"

#include <string.h>

const dem_polyhedron *demi_faceted_shape(const dem_world *w, uint64_t row)
{
    const demi_rigid *rigid = &w->rigid.read[w->body.read[row].rigid - 1];
    return w->rigid_part.read[rigid->part_begin + w->particle.read[row].part].shape;
}

void demi_faceted_place(const dem_world *w, const demi_state *state, const demi_ends *ends,
                        int other, double x[3])
{
    const double *at = state->position.read[other ? ends->other : ends->own];
    for (int c = 0; c < 3; ++c)
        x[c] = at[c] + (other ? demi_shift_length(&w->config, ends->shift, c) : 0.0);
}

static void faceted_motion(const dem_world *w, const demi_state *state, const demi_ends *ends,
                           int other, dem_polyhedron_motion *m)
{
    const uint64_t row = other ? ends->other : ends->own;
    const demi_pose *pose = &state->pose.read[w->body.read[row].rigid - 1];
    memset(m, 0, sizeof *m);
    m->shape = demi_faceted_shape(w, row);
    m->id = w->body.read[row].id;
    demi_faceted_place(w, state, ends, other, m->position);
    memcpy(m->orientation, pose->orientation, sizeof m->orientation);
}

void demi_faceted_none(const demi_faceted_contact *before, demi_faceted_contact *contact)
{
    memset(contact, 0, sizeof *contact);
    if (before != NULL)
        *contact = *before;
    contact->overlap = contact->depth = contact->twist = 0.0;
}

/* What laws get of a contact. */
static void faceted_fill(const demi_patches_call *call, const dem_polyhedron_contact *found,
                         double radius, const demi_faceted_contact *before,
                         demi_faceted_contact *contact)
{
    if (!(found->volume > 0.0) || !(found->area > 0.0)) {
        demi_faceted_none(before, contact);
        return;
    }
    const demi_polyhedron_hertz hertz =
        demi_polyhedron_hertz_of(call->law, call->at, found->volume, found->area, radius);
    memcpy(contact->normal, found->normal, sizeof contact->normal);
    memcpy(contact->point, found->point, sizeof contact->point);
    contact->overlap = hertz.overlap;
    contact->radius = hertz.radius;
    contact->surplus = hertz.surplus;
    contact->twist = demi_dot(found->arm_first, found->normal);
    contact->depth = 2.0 * found->volume / found->area;
    contact->dashpot = 0.0;
}

/* Adds a patch, whose border is so long, to those that a search found, where there is room. */
static void faceted_add(demi_patches_call *call, const dem_polyhedron_contact *found, double border,
                        double radius, double sense)
{
    demi_faceted_contact *now = &call->now[call->count];
    /* a quarter of it is the most, of a border that is a line there and back */
    call->size[call->count] = fmax(sqrt(found->area), 0.25 * border);
    faceted_fill(call, found, radius, NULL, now);
    for (int c = 0; c < 3; ++c)
        now->normal[c] *= sense;
    call->count += now->overlap > 0.0;
}

/* Begins with no patch, or with all of an overlap that is one; tells whether there may be so many.
 */
static int faceted_begin(demi_faceted_work *work, const dem_polyhedron_contact *all, double border,
                         double radius, double sense)
{
    work->patches.count = 0;
    if (work->overlap.patches == 0)
        faceted_add(&work->patches, all, border, radius, sense);
    return work->overlap.patches <= DEMI_PATCHES_MOST;
}

/* Gives slots to the patches that were found. */
static int faceted_slots(demi_faceted_work *work, double radius)
{
    demi_patches_call *call = &work->patches;
    if (!demi_patches_match(call))
        return DEMI_FACETED_PATCHES;
    demi_patches_factors(call, radius);
    for (uint32_t s = 0; s < call->slots; ++s)
        demi_faceted_none(call->before[s], &work->contact[s]);
    for (uint64_t k = 0; k < call->count; ++k)
        work->contact[call->slot[k]] = call->now[k];
    return DEMI_FACETED_FOUND;
}

/* Whether bodies pierce each other, so that a contact, or a patch of one, has an area of 0, but for
 * round-off. A volume below 1e-9 of the radius cubed is round-off, too. */
static int faceted_pierced(const dem_polyhedron_contact *found, double radius)
{
    return !(found->area > 1e-12 * radius * radius) &&
           found->volume > 1e-9 * radius * radius * radius;
}

/* What an overlap was found to be: its patches, or one contact. a and b as it was found. */
static int faceted_patches(demi_faceted_work *work, const dem_polyhedron_motion *a,
                           const dem_polyhedron_motion *b, const dem_polyhedron_contact *all,
                           double radius, double sense)
{
    demi_overlap *o = &work->overlap;
    demi_patches_call *call = &work->patches;
    if ((call->slots == 1 || o->patches == 0) && faceted_pierced(all, radius))
        return DEMI_FACETED_INSIDE;
    if (call->slots == 1) {
        faceted_fill(call, all, radius, call->before[0], &work->contact[0]);
        for (int c = 0; c < 3 && work->contact[0].overlap > 0.0; ++c)
            work->contact[0].normal[c] *= sense;
        return DEMI_FACETED_FOUND;
    }
    if (!faceted_begin(work, all, o->line[3], radius, sense))
        return DEMI_FACETED_PATCHES;
    for (uint64_t k = 0; k < o->patches; ++k) {
        dem_polyhedron_contact found;
        demi_polyhedra_patch(o, k, a, b, &found);
        if (faceted_pierced(&found, radius))
            return DEMI_FACETED_INSIDE;
        faceted_add(call, &found, o->patch.read[k].line[3], radius, sense);
    }
    return faceted_slots(work, radius);
}

/* Some contact that was; NULL where there was none. */
static const demi_faceted_contact *faceted_before(const demi_patches_call *call)
{
    uint32_t s = 0;
    while (s < call->slots && (call->before[s] == NULL || !(call->before[s]->overlap > 0.0)))
        ++s;
    return s < call->slots ? call->before[s] : call->before[0];
}

/* Patches behind a plane, where all have one normal. */
static int faceted_feet(demi_faceted_work *work, const dem_polyhedron_motion *body,
                        const demi_solid *solid, const dem_polyhedron_contact *all, double border,
                        double sense)
{
    demi_overlap *o = &work->overlap;
    demi_patches_call *call = &work->patches;
    const double radius = body->shape->equivalent_radius;
    if (all->state == DEM_POLYHEDRON_TOUCHING)
        demi_polyhedra_plane_patches(o, body, solid->point, solid->normal);
    if (!faceted_begin(work, all, border, radius, sense))
        return DEMI_FACETED_PATCHES;
    for (uint64_t k = 0; k < o->patches; ++k) {
        dem_polyhedron_contact found;
        demi_polyhedra_plane_patch(o, k, body, solid->point, solid->normal, &found);
        if (faceted_pierced(&found, radius))
            return DEMI_FACETED_INSIDE;
        faceted_add(call, &found, o->patch.read[k].line[3], radius, sense);
    }
    for (uint64_t k = 0; k < call->count; ++k)
        call->now[k].twist = 0.0;
    return faceted_slots(work, radius);
}

static int faceted_find_wall(const dem_world *w, const demi_ends *ends, demi_faceted_work *work)
{
    const demi_solid *solid = &w->next.solid.read[ends->other];
    const double sense = ends->first ? 1.0 : -1.0;
    demi_faceted_contact *contact = &work->contact[0];
    dem_polyhedron_motion body;
    dem_polyhedron_contact found;
    faceted_motion(w, &w->next, ends, 0, &body);
    double border;
    demi_polyhedra_meet_plane(&body, solid->point, solid->normal, NULL, w->models.isa, &found,
                              &border);
    if (found.state == DEM_POLYHEDRON_CONTAINED)
        return DEMI_FACETED_INSIDE;
    if (work->patches.slots > 1)
        return faceted_feet(work, &body, solid, &found, border, sense);
    faceted_fill(&work->patches, &found, body.shape->equivalent_radius, work->patches.before[0],
                 contact);
    contact->twist = 0.0; /* the centre of the cut has the whole moment */
    for (int c = 0; c < 3 && contact->overlap > 0.0; ++c)
        contact->normal[c] = ends->first ? solid->normal[c] : -solid->normal[c];
    return DEMI_FACETED_FOUND;
}

/* The face of a wall that a feature has; faces->count where the face is another feature's. A cone
 * may lack an end, and one that is flat goes on in its narrow end as one face. */
static uint32_t face_of(const dem_world *w, const demi_ends *ends)
{
    enum { CAP_LOW = 1, CAP_HIGH = 2 };
    const uint32_t feature = demi_feature_face(1, ends->feature);
    const demi_solid *solid = &w->current.solid.read[ends->other];
    const demi_faces *faces = &w->polyhedra.faces.read[ends->other].faces;
    const demi_shape *shape = demi_wall_shape(&w->wall.read[ends->other]);
    if ((shape != &demi_shape_cylinder && shape != &demi_shape_cone) || faces->count != 2)
        return feature;
    const double low = solid->meridian.low[0], high = solid->meridian.high[0];
    const uint32_t own = low > 0.0 && !(high > low) ? CAP_LOW : CAP_HIGH;
    return feature == 0 ? 0 : feature == own ? 1 : (uint32_t)faces->count;
}

/* Finds what a polyhedron has in common with a face of a wall that is no plane, whose number is in
 * the feature of the pair. */
static dem_status faceted_meet_face(const dem_world *w, const demi_state *state,
                                    const demi_ends *ends, demi_overlap *overlap,
                                    const demi_faceted_contact *before, dem_polyhedron_motion *body,
                                    dem_polyhedron_contact *found)
{
    const demi_solid *solid = &state->solid.read[ends->other];
    const demi_faces *faces = &w->polyhedra.faces.read[ends->other].faces;
    const double *n = solid->normal, *a = solid->axis;
    const double sense = ends->first ? 1.0 : -1.0; /* of normals, as meet has them */
    double axes[3][3], across[3], hint[3];
    demi_cross(n, a, across);
    for (int c = 0; c < 3; ++c) {
        axes[c][0] = a[c];
        axes[c][1] = across[c];
        axes[c][2] = n[c];
        hint[c] = before != NULL ? sense * before->normal[c] : 0.0;
    }
    faceted_motion(w, state, ends, 0, body);
    memset(found, 0, sizeof *found);
    const uint32_t face = face_of(w, ends);
    return face < faces->count ? demi_face_meet(overlap, body, &faces->face.read[face], axes,
                                                solid->point, before != NULL ? hint : NULL, found)
                               : DEM_OK;
}

static int faceted_find_face(const dem_world *w, const demi_ends *ends, demi_faceted_work *work)
{
    dem_polyhedron_motion body;
    dem_polyhedron_contact found;
    if (faceted_meet_face(w, &w->next, ends, &work->overlap, faceted_before(&work->patches), &body,
                          &found) != DEM_OK)
        return work->overlap.wanted > 0 ? DEMI_FACETED_ROOM : DEMI_FACETED_OPEN;
    if (found.state == DEM_POLYHEDRON_CONTAINED)
        return DEMI_FACETED_INSIDE;
    const demi_solid *solid = &w->next.solid.read[ends->other];
    dem_polyhedron_motion wall = {.position = {0.0, 0.0, 0.0}};
    memcpy(wall.position, solid->point, sizeof wall.position);
    return faceted_patches(work, &body, &wall, &found, body.shape->equivalent_radius,
                           ends->first ? 1.0 : -1.0);
}

/* Empties the parts of the last contact. */
static void parts_clear(demi_polyhedra *p)
{
    for (uint64_t k = 0; k < p->parted_count; ++k)
        p->part.data[p->parted.read[k].key] = (demi_facet_part){0};
    p->parted_count = 0;
}

/* Lists the facets that a search added to: in ascending order, so that sums have the same bits
 * whichever it found first. */
static void parts_list(demi_polyhedra *p, const demi_overlap *overlap)
{
    p->parted_count = overlap->parted;
    for (uint64_t k = 0; k < p->parted_count; ++k)
        p->parted.data[k] = (demi_item){.key = overlap->side[1].facets.read[k]};
    demi_sort(p->parted.data, p->parted_room.data, p->parted_count);
}

const demi_face *demi_faceted_parts(dem_world *w, const demi_state *state, const demi_ends *ends,
                                    const demi_faceted_contact *contact)
{
    demi_polyhedra *p = &w->polyhedra;
    demi_overlap *overlap = &p->work.data[0].overlap;
    const demi_faces *faces = &p->faces.read[ends->other].faces;
    const uint32_t number = face_of(w, ends);
    if (number >= faces->count)
        return NULL;
    const demi_face *face = &faces->face.read[number];
    dem_polyhedron_motion body;
    dem_polyhedron_contact found;
    parts_clear(p);
    overlap->part = p->part.data;
    overlap->parted = 0;
    overlap->several = 0;
    const dem_status status = faceted_meet_face(w, state, ends, overlap, contact, &body, &found);
    overlap->part = NULL;
    parts_list(p, overlap);
    return status == DEM_OK && found.volume > 0.0 ? face : NULL;
}

/* A sphere, which is the one end or the other, on a convex polyhedron: the
 * point that is nearest to its centre, as on a plane. Within the polyhedron the
 * nearest point is on a facet. */
static int faceted_find_sphere(const dem_world *w, const demi_ends *ends, int other,
                               const demi_faceted_contact *before, demi_faceted_contact *contact)
{
    const double radius = w->next.position.read[other ? ends->other : ends->own][3];
    dem_polyhedron_motion body;
    double centre[3], from[3];
    faceted_motion(w, &w->next, ends, !other, &body);
    demi_faceted_place(w, &w->next, ends, other, centre);
    for (int c = 0; c < 3; ++c)
        from[c] = centre[c] - body.position[c];
    dem_kernel_rotation_to_body(body.orientation, from);
    demi_mesh_point at = demi_mesh_closest(body.shape->mesh, from);
    const double sense = demi_mesh_side(body.shape->mesh, &at);
    const double overlap = radius - sense * at.distance;
    memset(contact, 0, sizeof *contact);
    if (before != NULL && !(overlap > 0.0)) {
        *contact = *before;
        contact->overlap = contact->depth = 0.0;
    }
    if (!(overlap > 0.0))
        return DEMI_FACETED_FOUND;
    contact->overlap = contact->depth = overlap;
    contact->radius = radius;
    contact->surplus = 1.0;
    dem_kernel_rotation_to_space(body.orientation, at.normal);
    dem_kernel_rotation_to_space(body.orientation, at.point);
    const int first = ends->first ? !other : other; /* the sphere is i */
    for (int c = 0; c < 3; ++c) {
        contact->normal[c] = first ? sense * at.normal[c] : -sense * at.normal[c];
        contact->point[c] = at.point[c] + (first ? body.position[c] - centre[c] : 0.0);
    }
    return DEMI_FACETED_FOUND;
}

/* How far a step turned places of a row that are as far from its centre as any. */
static double faceted_turned(const dem_world *w, uint64_t row)
{
    const uint32_t rigid = w->body.read[row].rigid - 1;
    const double *a = w->current.pose.read[rigid].orientation,
                 *b = w->next.pose.read[rigid].orientation;
    double less = 0.0, more = 0.0; /* a quaternion and its opposite are one orientation */
    for (int c = 0; c < 4; ++c) {
        less += (a[c] - b[c]) * (a[c] - b[c]);
        more += (a[c] + b[c]) * (a[c] + b[c]);
    }
    return 2.0 * sqrt(fmin(less, more)) * demi_faceted_shape(w, row)->radius;
}

/* How far places of the ends went along each other in the step, at most. */
static double faceted_way(const dem_world *w, const demi_ends *ends)
{
    const double *x = w->current.position.read[ends->own], *to = w->next.position.read[ends->own];
    double turned = faceted_turned(w, ends->own), square = 0.0, other[3], local[3];
    if (ends->wall) {
        const demi_solid *a = &w->current.solid.read[ends->other],
                         *b = &w->next.solid.read[ends->other];
        demi_shape_local(a, x, local);
        demi_shape_global(b, local, other);
        for (int c = 0; c < 3; ++c) {
            other[c] += b->point[c] - x[c];
            turned += (fabs(b->normal[c] - a->normal[c]) + fabs(b->axis[c] - a->axis[c])) * to[3];
        }
    } else {
        turned += faceted_turned(w, ends->other);
        for (int c = 0; c < 3; ++c)
            other[c] =
                w->next.position.read[ends->other][c] - w->current.position.read[ends->other][c];
    }
    for (int c = 0; c < 3; ++c)
        square += (to[c] - x[c] - other[c]) * (to[c] - x[c] - other[c]);
    return turned + sqrt(square);
}

int demi_faceted_find(const dem_world *w, const demi_ends *ends, demi_faceted_work *work,
                      dem_polyhedron_hint *hint)
{
    const demi_faceted_contact *before = work->patches.before[0];
    work->overlap.wanted = work->overlap.patches = 0;
    work->overlap.several = work->patches.slots > 1;
    work->patches.law = w->config.polyhedron_law;
    work->patches.at = w->config.polyhedron_overlap;
    work->patches.way = work->patches.slots > 1 ? faceted_way(w, ends) : 0.0;
    if (ends->wall)
        return w->wall.read[ends->other].shape == DEMI_SHAPE_PLANE
                   ? faceted_find_wall(w, ends, work)
                   : faceted_find_face(w, ends, work);
    for (int other = 0; other < 2; ++other)
        if (!w->body.read[other ? ends->other : ends->own].faceted)
            return faceted_find_sphere(w, ends, other, before, work->contact);
    before = faceted_before(&work->patches);
    dem_polyhedron_motion i, j;
    dem_polyhedron_contact found;
    faceted_motion(w, &w->next, ends, !ends->first, &i);
    faceted_motion(w, &w->next, ends, ends->first, &j);
    for (int c = 0; before != NULL && before->overlap > 0.0 && c < 3; ++c)
        hint->direction[c] = -before->normal[c];
    work->overlap.was_apart = before == NULL || !(before->overlap > 0.0);
    if (demi_polyhedra_meet(&work->overlap, &i, &j, hint, &found) != DEM_OK)
        return work->overlap.wanted > 0 ? DEMI_FACETED_ROOM : DEMI_FACETED_OPEN;
    const double ri = i.shape->equivalent_radius, rj = j.shape->equivalent_radius;
    if (found.state == DEM_POLYHEDRON_CONTAINED)
        return DEMI_FACETED_INSIDE;
    return faceted_patches(work, &i, &j, &found, ri * rj / (ri + rj), 1.0);
}

uint64_t demi_faceted_faces(const dem_world *w, const demi_ends *ends)
{
    if (!ends->wall || w->wall.read[ends->other].shape != DEMI_SHAPE_MESH)
        return 0;
    const uint64_t faces = w->polyhedra.faces.read[ends->other].faces.count;
    return faces > w->next.solid.read[ends->other].slots ? faces : 0;
}

double demi_faceted_least(const dem_world *w, const demi_ends *ends)
{
    const demi_row *x = w->next.position.read;
    const double own = x[ends->own][3];
    return ends->wall || own < x[ends->other][3] ? own : x[ends->other][3];
}
