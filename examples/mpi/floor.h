/* SPDX-License-Identifier: MIT */
/* The floor of level 1, the plane z = 0: a wall whose contacts the host measures. */
#ifndef FLOOR_H
#define FLOOR_H

#include "grains.h"

#include <dem/dem.h>

typedef struct floor_contacts {
    uint32_t (*pair)[2]; /* grains that are near the floor, and its row */
    uint64_t count;
    double *overlap, *radius, (*normal)[3], (*point)[3]; /* of these pairs */
} floor_contacts;

void floor_free(floor_contacts *f);

/* Own grains that may touch the floor before they have moved by `reach`; the floor is `row`. */
void floor_list(floor_contacts *f, const grains *s, double reach, uint64_t row);

/* Where they touch it now. */
void floor_geometry(floor_contacts *f, const grains *s, dem_contacts_geometry *geometry);

#endif
