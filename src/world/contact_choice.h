/* SPDX-License-Identifier: MIT */
/* The contacts of some particles, which a caller asks for twice: how many bytes they take, and
 * then the bytes. The second time they are there already. */
#ifndef DEMI_CONTACT_CHOICE_H
#define DEMI_CONTACT_CHOICE_H

#include "world/world.h"

/* A contact of the list. */
typedef struct demi_contact_place {
    uint64_t state; /* where its doubles are */
    demi_ends ends;
    uint32_t group, reserved;
} demi_contact_place;

/* Pairs that are passed over at once, where none has an end that is looked for; those that are
 * looked at then; the most ends that are looked for in this way, on either side. */
enum { DEMI_CHOICE_BLOCK = 32, DEMI_CHOICE_FEW = 4, DEMI_SOUGHT_MOST = 8 };

/* Ends that are looked for: offsets of i and j in turn, which need not belong together. */
typedef struct demi_sought {
    uint32_t count;
    uint32_t ends[DEMI_SOUGHT_MOST][8];
} demi_sought;

/* The first pair from `begin` on of which it or one of the three after it has such an end, or where
 * less than four are left before `end`. */
typedef uint64_t demi_choice_next_function(const demi_pair *pair, uint64_t begin, uint64_t end,
                                           const demi_sought *sought);

/* Whether w->contact_choice holds the contacts of these particles. */
int demi_contact_choice_holds(const dem_world *w, const dem_particle_handle *handles,
                              uint64_t count);
/* Room for marks. Then contact_choice.row_mark is to be 1 for the rows of the particles. */
dem_status demi_contact_choice_begin(dem_world *w);
/* Makes it hold their contacts, in the order of the list. Those of bodies that were removed are
 * left out. On failure it holds nothing. */
dem_status demi_contact_choice_make(dem_world *w, const dem_particle_handle *handles,
                                    uint64_t count);
/* Takes the marks of particles away. */
void demi_contact_choice_end(dem_world *w, const dem_particle_handle *handles, uint64_t count);

#endif
