/* SPDX-License-Identifier: MIT */
/* Contacts with the floor. */
#include "floor.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

void floor_free(floor_contacts *f)
{
    void *memory[] = {f->pair, f->overlap, f->radius, f->normal, f->point};
    for (size_t k = 0; k < sizeof memory / sizeof memory[0]; ++k)
        free(memory[k]);
}

void floor_list(floor_contacts *f, const grains *s, double reach, uint64_t row)
{
    f->pair = host_memory(f->pair, s->own, sizeof *f->pair);
    f->overlap = host_memory(f->overlap, s->own, sizeof *f->overlap);
    f->radius = host_memory(f->radius, s->own, sizeof *f->radius);
    f->normal = host_memory(f->normal, s->own, sizeof *f->normal);
    f->point = host_memory(f->point, s->own, sizeof *f->point);
    f->count = 0;
    for (uint64_t n = 0; n < s->own; ++n)
        if (s->row[n].x[2] < s->row[n].radius + reach) {
            f->pair[f->count][0] = (uint32_t)n;
            f->pair[f->count++][1] = (uint32_t)row;
        }
}

void floor_geometry(floor_contacts *f, const grains *s, dem_contacts_geometry *geometry)
{
    for (uint64_t k = 0; k < f->count; ++k) {
        const grain *g = &s->row[f->pair[k][0]];
        const double normal[3] = {0.0, 0.0, 1.0}, point[3] = {g->x[0], g->x[1], 0.0};
        f->overlap[k] = g->radius - g->x[2];
        f->radius[k] = g->radius;
        memcpy(f->normal[k], normal, sizeof normal);
        memcpy(f->point[k], point, sizeof point);
    }
    scene_check(dem_contacts_geometry_init(geometry), "floor");
    geometry->overlap = f->overlap;
    geometry->normal = f->normal[0];
    geometry->point = f->point[0];
    geometry->radius = f->radius;
}
