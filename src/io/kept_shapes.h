/* SPDX-License-Identifier: MIT */
/* Polyhedra of bodies in a snapshot. */
#ifndef DEMI_KEPT_SHAPES_H
#define DEMI_KEPT_SHAPES_H

#include "io/stream.h"
#include "world/world.h"

#define DEMI_SHAPES_TAG "shapes  "
#define DEMI_SLOTS_TAG "slots   "

/* The section, where parts of bodies are polyhedra. */
void demi_write_shapes(demi_writer *writer, const dem_world *w);

/* The shapes that were read, each with a reference; which one the row of a handle has,
 * where the row is a polyhedron. */
typedef struct demi_kept_shapes {
    DEMI_ARRAY(dem_polyhedron *) shape;
    demi_idmap names; /* the number of the shape of 1 + a name */
    DEMI_ARRAY(uint32_t) of_handle;
    uint64_t count;
} demi_kept_shapes;

/* Reads the section, and tells rows that they are polyhedra. */
dem_status demi_read_shapes(demi_reader *in, dem_world *w, demi_kept_shapes *kept);
/* Gives a part of a body its shape, where its row has one. */
void demi_shape_give(dem_world *w, const demi_kept_shapes *kept, demi_rigid_part *part);
void demi_kept_shapes_free(dem_world *w, demi_kept_shapes *kept);

/* The slots of spheres on polyhedra that are not convex, where there are more than at first. They
 * stay when contacts end: the step that needs them again does not build the list for them. */
void demi_write_slots(demi_writer *writer, const dem_world *w);
dem_status demi_read_slots(demi_reader *in, dem_world *w);

/* Whether the numbers that are kept of a contact of polyhedra may be such. */
int demi_faceted_valid(const double kept[DEMI_FACETED_KEPT]);

#endif
