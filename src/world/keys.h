/* SPDX-License-Identifier: MIT */
/* Keys of the pairs of a list, and their order, which does not depend on how rows are stored. */
#ifndef DEMI_KEYS_H
#define DEMI_KEYS_H

#include "world/world.h"

static inline dem_contact_key demi_key_of(const dem_world *w, const demi_ends *ends)
{
    const uint64_t own = w->row_id.read[ends->own],
                   other = ends->wall ? w->wall.read[ends->other].id : w->row_id.read[ends->other];
    dem_contact_key key;
    memset(&key, 0, sizeof key);
    key.id_i = ends->first ? own : other;
    key.id_j = ends->first ? other : own;
    key.feature = ends->feature;
    if (!ends->wall)
        demi_ends_image(ends, w->body.read, key.image);
    return key;
}

static inline int demi_key_less(const dem_contact_key *a, const dem_contact_key *b)
{
    if (a->id_i != b->id_i)
        return a->id_i < b->id_i;
    if (a->id_j != b->id_j)
        return a->id_j < b->id_j;
    if (a->feature != b->feature)
        return a->feature < b->feature;
    for (int c = 0; c < 3; ++c)
        if (a->image[c] != b->image[c])
            return a->image[c] < b->image[c];
    return 0;
}

/* Sorts things of `size` bytes, a multiple of 8, each of which begins with its key, in place; no
 * two keys are the same. */
void demi_keys_sort(void *things, uint64_t count, uint64_t size);

#endif
