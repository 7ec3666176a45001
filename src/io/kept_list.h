/* SPDX-License-Identifier: MIT */
/* What a snapshot keeps of the neighbour list: its contacts, and what it was built from. Reading
 * makes a list of the contacts alone, and then from it the list that was. */
#ifndef DEMI_KEPT_LIST_H
#define DEMI_KEPT_LIST_H

#include "io/stream.h"
#include "world/world.h"

typedef struct demi_kept_list {
    double skin, reach;
    demi_list_past past;
    DEMI_ARRAY(demi_drift) drift;
} demi_kept_list;

/* Beside the first row of a contact: the image or the feature of the other end follow. */
#define DEMI_CONTACT_MORE 0x80000000u

/* The section that says how the list was built; the one of contacts; and the one that had both in
 * the first version of the format. */
dem_status demi_read_list(demi_reader *in, dem_world *w, demi_kept_list *kept);
dem_status demi_read_contacts(demi_reader *in, dem_world *w);
dem_status demi_read_list_1(demi_reader *in, dem_world *w, demi_kept_list *kept);
/* When all is read: the list that was, unless it is stale. */
dem_status demi_kept_list_build(dem_world *w, demi_kept_list *kept);

/* A list of contacts alone of so many rows, empty at first; a contact, whose state the caller
 * writes; what follows from all of them. */
dem_status demi_contacts_begin(dem_world *w, uint64_t rows);
typedef struct demi_kept_contact {
    uint32_t own, other; /* row; row, or DEMI_WALL_BIT | wall */
    uint32_t shift, feature;
} demi_kept_contact;
dem_status demi_contacts_add(dem_world *w, const demi_kept_contact *contact,
                             const demi_model **model, double **state);
dem_status demi_contacts_end(dem_world *w);
/* Numbers of how consecutive rows move. */
dem_status demi_drifts_begin(dem_world *w, demi_kept_list *kept, uint64_t rows, uint64_t each);
dem_status demi_drift_check(dem_world *w, const demi_drift *drift);

#endif
