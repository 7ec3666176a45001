/* SPDX-License-Identifier: MIT */
/* The contacts of each row: made when somebody asks, and good until rows or contacts change. */
#ifndef DEMI_CONTACT_INDEX_H
#define DEMI_CONTACT_INDEX_H

#include "world/world.h"

/* A contact of the list. */
typedef struct demi_contact_place {
    uint64_t pair, state; /* state: where its doubles are */
    uint32_t group, reserved;
} demi_contact_place;

/* Makes w->contact_index where it is not valid. The contacts of a row are place[end / 2] for the
 * chain of ends that begins with first[row] and goes on with next[end], until DEMI_NO_CONTACT.
 * Contacts of bodies that were removed, and those of polyhedra, are left out. On failure there is
 * none. */
#define DEMI_NO_CONTACT UINT32_MAX
dem_status demi_contact_index_make(dem_world *w);

#endif
