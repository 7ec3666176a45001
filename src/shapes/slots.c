/* SPDX-License-Identifier: MIT */
#include "shapes/slots.h"

#include "base/check.h"

#include <string.h>

/* Where the facet is among what is kept, after the normal. */
enum { KEPT_FACET = 3 };

uint32_t demi_slot_facet(const double *kept)
{
    return (uint32_t)kept[KEPT_FACET];
}

int demi_slot_valid(const demi_solid *solid, const double *kept)
{
    const double facet = kept[KEPT_FACET];
    if (!demi_finite3(kept) || !demi_finite3(demi_slot_force(kept)) || !isfinite(facet) ||
        facet < 0.0 || facet >= (double)solid->mesh->facet_count ||
        fabs(demi_dot(kept, kept) - 1.0) > 1e-9)
        return 0;
    return (double)(uint32_t)facet == facet && demi_mesh_cornered(solid->mesh, (uint32_t)facet);
}

demi_mesh_point demi_slot_point(const demi_solid *solid, const double *kept, const double centre[3])
{
    double local[3];
    demi_shape_local(solid, centre, local);
    return demi_mesh_nearest(solid->mesh, demi_slot_facet(kept), local);
}

void demi_slot_deform(const demi_solid *solid, const demi_mesh_point *at, double velocity[3])
{
    const dem_mesh *mesh = solid->mesh;
    const uint32_t *vertex = mesh->facet.read + 3 * (uint64_t)at->facet;
    double weight[3], local[3] = {0.0, 0.0, 0.0};
    demi_mesh_weights(mesh, at, weight);
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c)
            local[c] += weight[k] * mesh->velocity.read[3 * (uint64_t)vertex[k] + (uint64_t)c];
    demi_shape_global(solid, local, velocity);
}

void demi_slot_surface(const demi_solid *solid, const demi_mesh_point *at, demi_surface *surface)
{
    surface->gap = at->distance;
    demi_shape_global(solid, at->normal, surface->normal);
    memcpy(surface->velocity, solid->velocity, sizeof surface->velocity);
    if (solid->deforms) {
        double deform[3];
        demi_slot_deform(solid, at, deform);
        for (int c = 0; c < 3; ++c)
            surface->velocity[c] += deform[c];
    }
    surface->curvature[0] = surface->curvature[1] = 0.0;
}

/* ------------------------------------------------------------------ which slot */

typedef struct slots_match {
    demi_mesh_point found[DEMI_SLOTS_MOST];
    uint64_t count;
    uint32_t slot[DEMI_SLOTS_MOST]; /* of those found, + 1; 0: none yet */
    int used[2 * DEMI_SLOTS_MOST];  /* now or before */
    int goes_on[DEMI_SLOTS_MOST];   /* a contact of before has one that follows */
} slots_match;

/* Matches the two that are most alike; 0 where no two are alike. Of equal ones the lower slot and
 * the deeper point go first. */
static int match_next(const demi_slots_call *call, slots_match *m)
{
    double best = call->solid->cosine;
    uint64_t slot = 0, point = m->count;
    for (uint32_t s = 0; s < call->solid->slots; ++s)
        for (uint64_t k = 0; call->kept[s] != NULL && !m->goes_on[s] && k < m->count; ++k) {
            const double alike = demi_dot(call->kept[s], m->found[k].normal);
            if (m->slot[k] == 0 && alike > best) {
                best = alike;
                slot = s;
                point = k;
            }
        }
    if (point == m->count)
        return 0;
    m->slot[point] = (uint32_t)slot + 1;
    m->goes_on[slot] = 1;
    return 1;
}

/* Gives each point a slot; how many slots that takes. */
static uint64_t match_all(const demi_slots_call *call, slots_match *m)
{
    uint64_t slots = 0;
    for (uint32_t s = 0; s < call->solid->slots; ++s) {
        m->used[s] = call->kept[s] != NULL;
        m->goes_on[s] = 0;
    }
    for (uint64_t k = 0; k < m->count; ++k) {
        m->used[call->solid->slots + k] = 0;
        m->slot[k] = 0;
    }
    while (match_next(call, m))
        continue;
    for (uint64_t k = 0; k < m->count; ++k) {
        uint32_t s = 0;
        while (m->slot[k] == 0 && m->used[s])
            ++s;
        if (m->slot[k] == 0) {
            m->used[s] = 1;
            m->slot[k] = s + 1;
        }
        slots = m->slot[k] > slots ? m->slot[k] : slots;
    }
    return slots;
}

/* ------------------------------------------------------------------ contacts */

/* The nearest point of the same surface, which may be on another facet than the one that is given;
 * of a sphere that is far away, where many facets are as near, that one. Tells whether there was
 * room. */
static int surface_nearest(demi_slots_call *call, const demi_solid *solid, const double centre[3],
                           const double normal[3], demi_mesh_point *at)
{
    demi_mesh_sphere sphere = {.radius = at->distance, .cosine = solid->cosine};
    if (at->distance >= 2.0 * (call->radius + call->reach))
        return 1;
    demi_shape_local(solid, centre, sphere.centre);
    const uint64_t facets =
        demi_mesh_nearest_like(solid->mesh, &sphere, normal, call->work, call->room, at);
    if (facets > call->room) {
        call->facets = facets;
        call->slots = 0;
        return 0;
    }
    return 1;
}

/* The normal that a new contact had at the beginning of the step. Tells whether there was room. */
static int new_contact_t0(demi_slots_call *call, demi_slot_contact *contact)
{
    demi_mesh_point at = demi_slot_point(call->solid_t0, contact->kept, call->centre_t0);
    if (!surface_nearest(call, call->solid_t0, call->centre_t0, contact->kept, &at))
        return 0;
    demi_shape_global(call->solid_t0, at.normal, contact->normal_t0);
    return 1;
}

/* Velocities of vertices stay in the frame of the solid, and weights and frame change: in the
 * middle of the step the surface has the mean of both ends. */
static void contact_deform(const demi_slots_call *call, const demi_mesh_point *at,
                           demi_slot_contact *contact)
{
    const demi_mesh_point at_t0 = demi_slot_point(call->solid_t0, contact->kept, call->centre_t0);
    double *const half = contact->deform[0], *const t1 = contact->deform[1];
    demi_slot_deform(call->solid, at, t1);
    demi_slot_deform(call->solid_t0, &at_t0, half);
    for (int c = 0; c < 3; ++c)
        half[c] = 0.5 * (half[c] + t1[c]);
}

/* A contact that is new has nothing that was kept; what it was at the beginning of the step is told
 * by new_contact_t0. */
static void contact_fill(const demi_slots_call *call, const demi_mesh_point *at, const double *kept,
                         demi_slot_contact *contact)
{
    contact->there = 1;
    demi_slot_surface(call->solid, at, &contact->surface);
    memcpy(contact->kept, at->normal, sizeof at->normal);
    contact->kept[KEPT_FACET] = at->facet;
    for (int k = DEMI_SLOT_FORCE; k < DEMI_SLOT_KEPT; ++k)
        contact->kept[k] = 0.0;
    if (kept != NULL)
        demi_shape_global(call->solid_t0, kept, contact->normal_t0);
    if (call->solid->deforms)
        contact_deform(call, at, contact);
}

/* The nearest point on the facet that the contact of a slot had. */
static demi_mesh_point point_of_before(const demi_slots_call *call, uint32_t slot)
{
    if (call->point == NULL)
        return demi_slot_point(call->solid, call->kept[slot], call->centre);
    double local[3];
    demi_shape_local(call->solid, call->centre, local);
    const dem_mesh *mesh = call->solid->mesh;
    return demi_mesh_nearest(mesh, demi_mesh_closest(mesh, call->point[slot]).facet, local);
}

/* A contact that none follows: its surface is out of reach, or another contact is deeper. A sphere
 * that leaves may have passed the border of the facet; its last losses need the distance from the
 * surface, not from the border. Tells whether there was room. */
static int contact_end(demi_slots_call *call, uint32_t slot, demi_slot_contact *contact)
{
    const double touch = call->radius + call->reach;
    demi_mesh_point at = point_of_before(call, slot), near = at;
    const int merged = at.distance < touch;
    if (!merged && !surface_nearest(call, call->solid, call->centre, call->kept[slot], &near))
        return 0;
    if (near.distance >= touch)
        at = near;
    contact_fill(call, &at, call->kept[slot], contact);
    contact->merged = merged;
    return 1;
}

/* Of the points near a sphere those that it sees from outside; how many there are. Tells how far
 * its centre is within the solid. */
static uint64_t points_outside(demi_slots_call *call, const demi_mesh_sphere *sphere)
{
    const dem_mesh *mesh = call->solid->mesh;
    const demi_mesh_point *first = call->work;
    demi_mesh_point closest;
    if (call->facets == 0) {
        closest = demi_mesh_closest(mesh, sphere->centre);
        first = &closest;
    }
    for (uint64_t k = 1; k < call->facets; ++k)
        first = call->work[k].distance < first->distance ? &call->work[k] : first;
    call->within = demi_mesh_from_within(mesh, first) ? first->distance : 0.0;
    return demi_mesh_drop_within(mesh, call->work, call->facets);
}

int demi_slots_find(demi_slots_call *call, demi_slot_contact *contact)
{
    const uint32_t slots = call->solid->slots;
    demi_mesh_sphere sphere = {
        .radius = call->radius, .reach = call->reach, .cosine = call->solid->cosine};
    demi_shape_local(call->solid, call->centre, sphere.centre);
    call->slots = 0;
    /* facets that move are found anew each time */
    call->facets = call->nearby != NULL && !call->solid->deforms
                       ? demi_mesh_gather_nearby(call->solid->mesh, &sphere, call->nearby,
                                                 call->margin, call->work, call->room)
                       : demi_mesh_gather(call->solid->mesh, &sphere, call->work, call->room);
    if (call->facets > call->room)
        return 0;
    for (uint32_t s = 0; s < slots; ++s)
        contact[s].there = contact[s].merged = 0;
    slots_match m;
    const uint64_t points = call->closed ? points_outside(call, &sphere) : call->facets;
    m.count =
        demi_mesh_pick(call->solid->mesh, &sphere, call->work, points, m.found, DEMI_SLOTS_MOST);
    call->slots = m.count;
    if (m.count > DEMI_SLOTS_MOST)
        return 0;
    call->slots = match_all(call, &m);
    if (call->slots > slots)
        return 0;
    for (uint64_t k = 0; k < m.count; ++k) {
        const uint32_t s = m.slot[k] - 1;
        contact_fill(call, &m.found[k], call->kept[s], &contact[s]);
        if (call->kept[s] == NULL && !new_contact_t0(call, &contact[s]))
            return 0;
    }
    for (uint32_t s = 0; s < slots; ++s)
        if (call->kept[s] != NULL && !m.goes_on[s] && !contact_end(call, s, &contact[s]))
            return 0;
    return 1;
}
