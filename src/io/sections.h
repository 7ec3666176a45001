/* SPDX-License-Identifier: MIT */
/* The sections of a snapshot, in their order; docs/checkpoint.md describes them number by number.
 */
#ifndef DEMI_SECTIONS_H
#define DEMI_SECTIONS_H

#include "io/kept_shapes.h"
#include "io/stream.h"
#include "world/world.h"

/* Flags of the clock; 8 is in files of 0.1. */
enum {
    DEMI_CLOCK_LIST_STALE = 1,
    DEMI_CLOCK_FORCES_STALE = 2,
    DEMI_CLOCK_TOUCHED = 4,
    DEMI_CLOCK_DOMAIN = 16,
    DEMI_CLOCK_MOTION_WRITTEN = 32 /* with the bits that it had, or forces are stale, too */
};

/* The state of a world as sections. */
void demi_write_sections(demi_writer *writer, const dem_world *w);

/* Fills an empty world that has the configuration of a snapshot of this version and the laws. On
 * failure the world is good for dem_world_destroy alone, and its context has the message. */
dem_status demi_read_sections(demi_reader *reader, uint64_t version, dem_world *w);

/* Sections that only some worlds have: what writes one leaves it out where there is nothing to say,
 * and what reads one gets its content. What is not valid fails the reader, or has a message. */
#define DEMI_COUPLING_TAG "coupling"
#define DEMI_MOTION_TAG "motion  "
#define DEMI_HOST_TAG "host    "
#define DEMI_BODIES_TAG "bodies  "

/* Of worlds that are coupled to a fluid. */
void demi_write_coupling(demi_writer *writer, const dem_world *w);
dem_status demi_read_coupling(demi_reader *in, dem_world *w);

/* Of walls that turn, seek a force, or have moments on them. */
void demi_write_motion(demi_writer *writer, const dem_world *w);
dem_status demi_read_motion(demi_reader *in, dem_world *w);

/* Of worlds whose particles carry data of the host. */
void demi_write_host(demi_writer *writer, const dem_world *w);
dem_status demi_read_host(demi_reader *in, dem_world *w);

/* Of rigid bodies; reading gives parts their shapes. */
void demi_write_bodies(demi_writer *writer, const dem_world *w);
dem_status demi_read_bodies(demi_reader *in, dem_world *w, demi_kept_shapes *shapes);
/* Whether each row that a body must move has one. */
dem_status demi_bodies_complete(dem_world *w);

/* What packed bodies have, too: a body but for its id and its parts. Reading returns whether it may
 * be one, with so many parts as `parts` says. */
void demi_rigid_write(demi_writer *out, const demi_rigid *rigid, const demi_pose *pose);
int demi_rigid_read(demi_reader *in, demi_rigid *rigid, demi_pose *pose);

/* The section that a world's configuration is made from, which comes first. */
void demi_write_config(demi_writer *writer, const dem_world *w);
void demi_read_config(demi_reader *reader, dem_world_config *config);

#endif
