/* SPDX-License-Identifier: MIT */
/* Contacts of a sphere with a mesh, told apart from step to step.
 *
 * A contact has a slot, which is the feature of its key. It goes on with the slot of the contact
 * before it whose normal is most like its own; others take the lowest slot that is free now and was
 * free before. What is kept of a contact is its normal in the frame of the mesh, so that a mesh may
 * turn, and its facet. */
#ifndef DEMI_SLOTS_H
#define DEMI_SLOTS_H

#include "mesh/near.h"
#include "shapes/shape.h"

/* Slots of a mesh at first, and the most that it may get; doubles that are kept: the normal, the
 * facet, the force on the mesh, and 0. */
enum { DEMI_SLOTS_FIRST = 4, DEMI_SLOTS_MOST = 64, DEMI_SLOT_KEPT = 8 };

enum { DEMI_SLOT_FORCE = 4 };

/* The contact of a slot. */
typedef struct demi_slot_contact {
    demi_surface surface;
    double normal_t0[3];         /* at the beginning of the step */
    double deform[2][3];         /* velocity of the surface against the solid, where vertices move:
                                    in the middle of the step, and at its end */
    double kept[DEMI_SLOT_KEPT]; /* for the next step */
    int32_t there;               /* there is a contact, or was one */
    int32_t merged;              /* another contact took its place while surfaces overlap */
} demi_slot_contact;

/* A sphere and a mesh at the end of a step, and at its beginning. */
typedef struct demi_slots_call {
    const demi_solid *solid, *solid_t0;
    const double *centre, *centre_t0;
    double radius, reach;
    const double *kept[DEMI_SLOTS_MOST]; /* of the contacts that there were, else NULL */
    demi_mesh_point *work;               /* [room] */
    uint64_t room;
    demi_mesh_nearby *nearby; /* facets that are kept for this sphere and solid, or NULL */
    double margin;            /* of those that it keeps */
    /* the mesh bounds a solid: what is seen from within it is no contact */
    int closed;
    /* of a solid of which no facets are kept, the points of these contacts in its frame; or NULL */
    const double (*point)[3];
    double within;   /* out: how far the centre is within a closed solid, or 0 */
    uint64_t facets; /* out: near the sphere; where there is no room for them nothing is done */
    uint64_t slots;  /* out: that are needed; where the mesh has fewer nothing is done */
} demi_slots_call;

/* The contacts of all slots. Tells whether there was room. */
int demi_slots_find(demi_slots_call *call, demi_slot_contact *contact);

/* The point of the mesh nearest to a centre on the facet that was kept of a contact. */
demi_mesh_point demi_slot_point(const demi_solid *solid, const double *kept,
                                const double centre[3]);
/* The surface there, and the facet that was kept. */
void demi_slot_surface(const demi_solid *solid, const demi_mesh_point *at, demi_surface *surface);
/* Velocity of the surface there against the solid, whose vertices move. */
void demi_slot_deform(const demi_solid *solid, const demi_mesh_point *at, double velocity[3]);
uint32_t demi_slot_facet(const double *kept);
/* The force on the mesh, along the axes of the world. */
static inline const double *demi_slot_force(const double *kept)
{
    return kept + DEMI_SLOT_FORCE;
}
/* Whether a mesh may have so many slots. */
static inline int demi_slots_count_valid(uint32_t slots)
{
    return slots >= DEMI_SLOTS_FIRST && slots <= DEMI_SLOTS_MOST && (slots & (slots - 1)) == 0;
}

/* Whether something can have been kept of a contact. */
int demi_slot_valid(const demi_solid *solid, const double *kept);

#endif
