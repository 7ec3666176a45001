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

/* Whether w->contact_choice holds the contacts of these particles. */
int demi_contact_choice_holds(const dem_world *w, const dem_particle_handle *handles,
                              uint64_t count);
/* Makes it hold them, in the order of the list. chosen: by row, 1 for those of the particles.
 * Contacts of bodies that were removed are left out. On failure it holds nothing. */
dem_status demi_contact_choice_make(dem_world *w, const dem_particle_handle *handles,
                                    uint64_t count, const unsigned char *chosen);

#endif
