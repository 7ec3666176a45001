/* SPDX-License-Identifier: MIT */
/* Fields of ghosts that the host writes where particles are owned. A world knows which of them it
 * was told of, and which ghosts got them since; a step waits until all have. Particles are set by
 * one function, and bodies by another, so that each kind has a book of its own. */
#ifndef DEMI_GHOST_TOLD_H
#define DEMI_GHOST_TOLD_H

#include "world/fields.h"

/* Bits of the fields that ghosts have of their owners, and of those that parts of bodies have: what
 * the host adds to their forces is in the load of the body. */
#define DEMI_TOUCHED_PARTS ((uint32_t)DEMI_TOUCHED_FLUID)
#define DEMI_TOUCHED_GHOSTS                                                                        \
    ((uint32_t)DEMI_TOUCHED_OUTER | DEMI_TOUCHED_PARTS | 1u << DEM_FIELD_ADDED_MASS)

/* Room for what ghosts were told. */
dem_status demi_ghost_fields_reserve(dem_world *w, uint64_t handles);
/* The host wrote fields: ghosts are to get them. Those of a kind were set anew. Nothing is due any
 * more. */
void demi_ghost_fields_written(dem_world *w, uint32_t fields);
void demi_ghost_fields_got(demi_fields_told *fields);
void demi_ghost_fields_forget(dem_world *w);
/* Fails where ghosts lack what was written; `function` is for the message. */
dem_status demi_ghost_fields_check(dem_world *w, const char *function);
/* A ghost has a field; when all have it, it is not due any more. */
void demi_ghost_field_tell(demi_ghosts *ghosts, int part, uint32_t handle, int32_t field);

#endif
