/* SPDX-License-Identifier: MIT */
/* Spheres on polyhedra that are not convex: as on a wall that is a mesh, see shapes/slots.h. The
 * body is the solid, at both ends of the step; what slots need of the contacts that there were
 * follows from what all contacts of polyhedra keep. */
#include "mesh/polyhedron.h"
#include "world/world.h"

#include <dem/rotation.h>

#include <string.h>

/* The polyhedron of one end as a solid, in a state. */
static void spheres_solid(const dem_world *w, const demi_state *state, const demi_ends *ends,
                          int other, demi_solid *solid)
{
    const uint64_t row = other ? ends->other : ends->own;
    const double *turn = state->pose.read[w->body.read[row].rigid - 1].orientation;
    memset(solid, 0, sizeof *solid);
    demi_faceted_place(w, state, ends, other, solid->point);
    solid->axis[0] = solid->normal[2] = 1.0;
    dem_kernel_rotation_to_space(turn, solid->axis);
    dem_kernel_rotation_to_space(turn, solid->normal);
    solid->mesh = demi_faceted_shape(w, row)->mesh;
    solid->cosine = DEM_MESH_COSINE;
    solid->slots = w->list.slots;
}

/* Which end is what. */
typedef struct spheres_ends {
    int sphere;  /* the other end */
    int first;   /* the sphere is i */
    double sign; /* of the normal from the polyhedron to the sphere along that of the contact */
} spheres_ends;

/* Normals, and points in the frame of the solid, of the contacts that there were. */
typedef struct spheres_before {
    double kept[DEMI_SLOTS_MOST][DEMI_SLOT_KEPT], point[DEMI_SLOTS_MOST][3];
} spheres_before;

static void spheres_were(const spheres_ends *is, const demi_slots_call *call, uint32_t s,
                         const demi_faceted_contact *contact, spheres_before *before)
{
    double *kept = before->kept[s], *point = before->point[s];
    const demi_solid *solid = call->solid_t0;
    double at[3], out[3];
    memset(kept, 0, DEMI_SLOT_KEPT * sizeof *kept);
    for (int c = 0; c < 3; ++c)
        out[c] = is->sign * contact->normal[c];
    demi_shape_along(solid, out, kept);
    for (int c = 0; c < 3; ++c)
        at[c] = contact->point[c] + (is->first ? call->centre_t0[c] : solid->point[c]);
    demi_shape_local(solid, at, point);
}

/* What laws get of a contact that slots found; where there is no overlap, what was before. */
static void spheres_fill(const spheres_ends *is, const demi_slots_call *call,
                         const demi_slot_contact *found, const demi_faceted_contact *before,
                         demi_faceted_contact *contact)
{
    const demi_surface *surface = &found->surface;
    const double overlap = call->radius - surface->gap;
    memset(contact, 0, sizeof *contact);
    if (!(overlap > 0.0)) {
        if (before != NULL)
            *contact = *before;
        contact->overlap = contact->depth = 0.0;
        return;
    }
    contact->overlap = contact->depth = overlap;
    contact->radius = call->radius;
    contact->surplus = 1.0;
    for (int c = 0; c < 3; ++c) {
        contact->normal[c] = is->sign * surface->normal[c];
        contact->point[c] = (is->first ? 0.0 : call->centre[c] - call->solid->point[c]) -
                            surface->gap * surface->normal[c];
    }
}

int demi_faceted_find_slots(const dem_world *w, const demi_ends *ends,
                            const demi_workspace *workspace, demi_faceted_slots *slots)
{
    const int other = !w->body.read[ends->other].faceted, first = ends->first ? !other : other;
    const spheres_ends is = {other, first, first ? 1.0 : -1.0};
    demi_solid solid, solid_t0;
    double centre[3], centre_t0[3];
    spheres_before before;
    demi_slot_contact found[DEMI_SLOTS_MOST];
    spheres_solid(w, &w->next, ends, !is.sphere, &solid);
    spheres_solid(w, &w->current, ends, !is.sphere, &solid_t0);
    demi_faceted_place(w, &w->next, ends, is.sphere, centre);
    demi_faceted_place(w, &w->current, ends, is.sphere, centre_t0);
    demi_slots_call call = {.solid = &solid,
                            .solid_t0 = &solid_t0,
                            .centre = centre,
                            .centre_t0 = centre_t0,
                            .radius = w->next.position.read[is.sphere ? ends->other : ends->own][3],
                            .work = demi_mesh_points_of(w, workspace),
                            .room = w->mesh_room,
                            .closed = 1,
                            .point = (const double(*)[3])before.point};
    for (uint32_t s = 0; s < solid.slots; ++s) {
        call.kept[s] = NULL;
        if (slots->before[s] == NULL)
            continue;
        spheres_were(&is, &call, s, slots->before[s], &before);
        call.kept[s] = before.kept[s];
    }
    const int room = demi_slots_find(&call, found);
    slots->facets = call.facets;
    slots->slots = call.slots;
    slots->within = call.within > 0.0 ? call.radius + call.within : 0.0;
    for (uint32_t s = 0; room && s < solid.slots; ++s) {
        slots->there[s] = (unsigned char)found[s].there;
        slots->merged[s] = (unsigned char)found[s].merged;
        if (found[s].there)
            spheres_fill(&is, &call, &found[s], slots->before[s], &slots->contact[s]);
    }
    return room;
}
