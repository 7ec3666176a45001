/* SPDX-License-Identifier: MIT */
/* From global id (never 0) to a 32-bit value. */
#ifndef DEMI_IDMAP_H
#define DEMI_IDMAP_H

#include "base/context.h"

/* Entries of 12 bytes, at most two thirds of which are in use. */
typedef struct demi_idmap {
    DEMI_ARRAY(struct demi_idmap_entry) entry;
    uint64_t size, count;
} demi_idmap;

/* Makes room so that `more` further inserts cannot fail. */
dem_status demi_idmap_reserve(demi_context *context, demi_idmap *map, uint64_t more);
/* Gives back room that the ids which are there do not need. */
dem_status demi_idmap_shrink(demi_context *context, demi_idmap *map);
void demi_idmap_insert(demi_idmap *map, uint64_t id, uint32_t value);
/* The same for an id that may be there: it has this value then. */
void demi_idmap_set(demi_idmap *map, uint64_t id, uint32_t value);
/* Asks for the memory where an id is looked for soon. */
void demi_idmap_ask(const demi_idmap *map, uint64_t id);
int demi_idmap_find(const demi_idmap *map, uint64_t id, uint32_t *value);
void demi_idmap_remove(demi_idmap *map, uint64_t id);

#endif
