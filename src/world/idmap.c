/* SPDX-License-Identifier: MIT */
#include "world/idmap.h"

#include <string.h>

/* In halves, so that it is no longer than what it holds. */
typedef struct demi_idmap_entry {
    uint32_t low, high; /* of the id; 0: empty */
    uint32_t value;
} demi_idmap_entry;

static uint64_t entry_id(const demi_idmap_entry *entry)
{
    return (uint64_t)entry->high << 32 | entry->low;
}

static uint64_t idmap_home(const demi_idmap *map, uint64_t id)
{
    const uint64_t h = id * 0x9E3779B97F4A7C15u;
    return (h >> 32) * map->size >> 32;
}

static uint64_t idmap_next(const demi_idmap *map, uint64_t k)
{
    return k + 1 < map->size ? k + 1 : 0;
}

/* How far after `from` an entry is. */
static uint64_t idmap_way(const demi_idmap *map, uint64_t from, uint64_t to)
{
    return to >= from ? to - from : to + map->size - from;
}

/* How many entries so many ids need. */
static uint64_t entries_for(uint64_t count)
{
    return count + count / 2 + 16;
}

static dem_status idmap_resize(demi_context *context, demi_idmap *map, uint64_t size)
{
    demi_idmap other = {{NULL}, size, 0};
    const dem_status status = demi_array_reserve(context, &other.entry, size, 0, "id table");
    if (status != DEM_OK)
        return status;
    memset(other.entry.data, 0, (size_t)(size * sizeof(demi_idmap_entry)));
    const demi_idmap_entry *entry = map->entry.data;
    for (uint64_t k = 0; k < map->size; ++k)
        if (entry_id(&entry[k]) != 0)
            demi_idmap_insert(&other, entry_id(&entry[k]), entry[k].value);
    demi_array_free(context, &map->entry);
    *map = other;
    return DEM_OK;
}

dem_status demi_idmap_reserve(demi_context *context, demi_idmap *map, uint64_t more)
{
    const uint64_t least = entries_for(map->count + more);
    if (least <= map->size)
        return DEM_OK;
    /* the first time what is asked for, later some more */
    const uint64_t half_more = map->size + map->size / 2;
    return idmap_resize(context, map, least > half_more ? least : half_more);
}

dem_status demi_idmap_shrink(demi_context *context, demi_idmap *map)
{
    const uint64_t size = entries_for(map->count);
    return size < map->size ? idmap_resize(context, map, size) : DEM_OK;
}

void demi_idmap_insert(demi_idmap *map, uint64_t id, uint32_t value)
{
    demi_idmap_entry *entry = map->entry.data;
    uint64_t k = idmap_home(map, id);
    while (entry_id(&entry[k]) != 0)
        k = idmap_next(map, k);
    entry[k] = (demi_idmap_entry){(uint32_t)id, (uint32_t)(id >> 32), value};
    map->count++;
}

void demi_idmap_set(demi_idmap *map, uint64_t id, uint32_t value)
{
    demi_idmap_entry *entry = map->entry.data;
    uint64_t k = idmap_home(map, id);
    while (entry_id(&entry[k]) != 0 && entry_id(&entry[k]) != id)
        k = idmap_next(map, k);
    map->count += entry_id(&entry[k]) == 0;
    entry[k] = (demi_idmap_entry){(uint32_t)id, (uint32_t)(id >> 32), value};
}

void demi_idmap_ask(const demi_idmap *map, uint64_t id)
{
    if (map->size > 0)
        __builtin_prefetch(&map->entry.read[idmap_home(map, id)]);
}

int demi_idmap_find(const demi_idmap *map, uint64_t id, uint32_t *value)
{
    if (map->size == 0)
        return 0;
    const demi_idmap_entry *entry = map->entry.data;
    for (uint64_t k = idmap_home(map, id); entry_id(&entry[k]) != 0; k = idmap_next(map, k))
        if (entry_id(&entry[k]) == id) {
            *value = entry[k].value;
            return 1;
        }
    return 0;
}

void demi_idmap_remove(demi_idmap *map, uint64_t id)
{
    demi_idmap_entry *entry = map->entry.data;
    uint64_t k = idmap_home(map, id);
    while (entry_id(&entry[k]) != id)
        k = idmap_next(map, k);
    /* close the gap, so that searches that pass over it still arrive */
    for (uint64_t next = idmap_next(map, k); entry_id(&entry[next]) != 0;
         next = idmap_next(map, next)) {
        const uint64_t home = idmap_home(map, entry_id(&entry[next]));
        if (idmap_way(map, home, next) >= idmap_way(map, k, next)) {
            entry[k] = entry[next];
            k = next;
        }
    }
    memset(&entry[k], 0, sizeof entry[k]);
    map->count--;
}
