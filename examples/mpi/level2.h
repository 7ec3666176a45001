/* SPDX-License-Identifier: MIT */
/* What the files of level 2 share: a rank's world, and the order in which forces on ghosts, and
 * other numbers of them, travel. */
#ifndef LEVEL2_H
#define LEVEL2_H

#include "scene.h"

/* Bytes of a force and a torque. */
enum { LOAD = 6 * sizeof(double) };

struct level {
    host *host; /* who owns which place */
    dem_world *world;
    dem_particle_handle *ghost, *seen; /* seen: own ones that others have as ghosts */
    mail out, in;    /* forces: of `seen` for others, of ghosts from their owners */
    int fluid;       /* steps in one of the fluid */
    double given[3]; /* to the fluid since this program began, N s */
};

static inline void level_check(const level *l, dem_status status)
{
    scene_check(status, dem_world_error(l->world));
}

/* Positions of all rows; the ids of ghosts are 0. */
static inline dem_view level_rows(const level *l)
{
    dem_view view = {.struct_size = sizeof view};
    level_check(l, dem_world_view(l->world, DEM_FIELD_POSITION, &view));
    return view;
}

static inline double *level_row(const dem_view *view, uint64_t row)
{
    return (double *)(void *)((char *)view->data + row * view->stride);
}

/* A step of the fluid, in fluid.c. */
void fluid_step(level *l);

#endif
