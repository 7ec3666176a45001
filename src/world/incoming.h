/* SPDX-License-Identifier: MIT */
/* Contacts that come with particles from another world. They enter the list as they are, behind the
 * pairs that it has: the next build takes them over as it does those of its own. */
#ifndef DEMI_INCOMING_H
#define DEMI_INCOMING_H

#include "world/world.h"

typedef struct demi_incoming {
    const demi_model *model;
    const unsigned char *bytes; /* the caller's */
    double *state;              /* out: where the state goes */
    uint32_t own, other;     /* a row that the list does not have; row, or DEMI_WALL_BIT | wall */
    uint32_t shift, feature; /* of the other */
    int32_t shape;
    int first;   /* `own` is i */
    int faceted; /* see demi_batch_group */
} demi_incoming;

/* Whether a contact with a row, or DEMI_WALL_BIT | wall, may have a feature: polyhedra have slots,
 * too. grows: a mesh may get more slots than it has, as it does where such a contact enters. */
int demi_feature_valid(const dem_world *w, int faceted, uint32_t other, uint32_t feature,
                       int grows);
/* The shift of the other row that makes a key's image of the contact; 0 where there is none. */
int demi_incoming_shift(const dem_world *w, demi_incoming *contact, const int32_t image[3]);
/* Adds contacts to the list, which has all rows then and is to be built again. The caller writes
 * the states. On failure nothing is changed. */
dem_status demi_incoming_add(dem_world *w, demi_incoming *contact, uint64_t count);

#endif
