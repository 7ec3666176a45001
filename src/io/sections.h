/* SPDX-License-Identifier: MIT */
/* The sections of a snapshot, in their order; docs/checkpoint.md describes them word by word. */
#ifndef DEMI_SECTIONS_H
#define DEMI_SECTIONS_H

#include "io/words.h"
#include "world/world.h"

/* The state of a world as sections. */
void demi_put_sections(demi_writer *writer, const dem_world *w);

/* Fills an empty world that has the configuration of the snapshot and the laws. On failure the
 * world is good for dem_world_destroy alone, and its context has the message. */
dem_status demi_take_sections(demi_reader *reader, dem_world *w);

/* The section that a world's configuration is made from, which comes first. */
void demi_put_config(demi_writer *writer, const dem_world *w);
void demi_take_config(demi_reader *reader, dem_world_config *config);

#endif
