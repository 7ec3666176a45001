/* SPDX-License-Identifier: MIT */
#include "world/idmap.h"

#include <string.h>

typedef struct demi_idmap_entry {
    uint64_t id; /* 0: empty */
    uint32_t value, reserved;
} demi_idmap_entry;

static uint64_t idmap_home(const demi_idmap *map, uint64_t id)
{
    const uint64_t h = id * 0x9E3779B97F4A7C15u;
    return (h ^ (h >> 32)) & (map->size - 1);
}

dem_status demi_idmap_reserve(demi_context *context, demi_idmap *map, uint64_t more)
{
    uint64_t size = 16;
    while (size < 2 * (map->count + more))
        size *= 2;
    if (size <= map->size)
        return DEM_OK;
    demi_idmap wider = {{NULL}, size, 0};
    const dem_status status = demi_array_reserve(context, &wider.entry, size, 0, "id table");
    if (status != DEM_OK)
        return status;
    memset(wider.entry.data, 0, (size_t)(size * sizeof(demi_idmap_entry)));
    const demi_idmap_entry *entry = map->entry.data;
    for (uint64_t k = 0; k < map->size; ++k)
        if (entry[k].id != 0)
            demi_idmap_insert(&wider, entry[k].id, entry[k].value);
    demi_array_free(context, &map->entry);
    *map = wider;
    return DEM_OK;
}

void demi_idmap_insert(demi_idmap *map, uint64_t id, uint32_t value)
{
    demi_idmap_entry *entry = map->entry.data;
    uint64_t k = idmap_home(map, id);
    while (entry[k].id != 0)
        k = (k + 1) & (map->size - 1);
    entry[k].id = id;
    entry[k].value = value;
    map->count++;
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
    for (uint64_t k = idmap_home(map, id); entry[k].id != 0; k = (k + 1) & (map->size - 1))
        if (entry[k].id == id) {
            *value = entry[k].value;
            return 1;
        }
    return 0;
}

void demi_idmap_remove(demi_idmap *map, uint64_t id)
{
    demi_idmap_entry *entry = map->entry.data;
    const uint64_t mask = map->size - 1;
    uint64_t k = idmap_home(map, id);
    while (entry[k].id != id)
        k = (k + 1) & mask;
    /* close the gap, so that searches that pass over it still arrive */
    for (uint64_t next = (k + 1) & mask; entry[next].id != 0; next = (next + 1) & mask) {
        const uint64_t home = idmap_home(map, entry[next].id);
        if (((next - home) & mask) >= ((next - k) & mask)) {
            entry[k] = entry[next];
            k = next;
        }
    }
    entry[k].id = 0;
    map->count--;
}
