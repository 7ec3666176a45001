/* SPDX-License-Identifier: MIT */
/* The facets of a polyhedron as lanes, in the order of its tree: eight make a block, and boxes
 * around blocks, and around eight of these, tell which to look at. All that follows from them is
 * which pairs of facets to look at closely; so bits do not depend on it. */
#ifndef DEMI_FACET_LANES_H
#define DEMI_FACET_LANES_H

#include "mesh/mesh.h"

enum { DEMI_FACET_LANES = 8 };

/* A bound of boxes that are in no lane. */
#define DEMI_BOX_NOWHERE 1e100

/* Coordinate c of vertex k is x[3 k + c]. */
typedef struct demi_facet_block {
    double x[9][DEMI_FACET_LANES], normal[3][DEMI_FACET_LANES];
} demi_facet_block;

/* Boxes: the three lower bounds, and the upper ones. */
typedef struct demi_box_lanes {
    double bound[6][DEMI_FACET_LANES];
} demi_box_lanes;

typedef struct demi_facet_lanes {
    uint64_t facets, tops;
    DEMI_ARRAY(demi_facet_block) block;
    DEMI_ARRAY(demi_box_lanes) box; /* of blocks */
    DEMI_ARRAY(demi_box_lanes) top; /* of eight lanes of these */
} demi_facet_lanes;

/* facet_lanes.c: makes them for a mesh with its tree, and frees them */
dem_status demi_facet_lanes_make(demi_context *context, const dem_mesh *mesh,
                                 demi_facet_lanes *lanes);
void demi_facet_lanes_free(demi_context *context, demi_facet_lanes *lanes);

static inline uint64_t demi_facet_blocks(uint64_t facets)
{
    return (facets + DEMI_FACET_LANES - 1) / DEMI_FACET_LANES;
}

/* ------------------------------------------------------------------ simd/facets.c */

/* How far facets reach along a direction; the point that is there. */
typedef double demi_facets_farthest_function(const demi_facet_lanes *lanes, const double d[3],
                                             double point[3]);

/* Facets of some tops that reach farther than `least` along d, and whose block meets a box. */
typedef struct demi_facets_ahead_call {
    uint64_t begin, end; /* of demi_facet_lanes.top */
    double d[3], least;
    demi_mesh_box box;
    double farthest; /* out: how far one of them reaches */
} demi_facets_ahead_call;

/* Writes places in the order of the tree, and tells how many; there is room for all facets. */
enum { DEMI_FACETS_OF_TOP = DEMI_FACET_LANES * DEMI_FACET_LANES * DEMI_FACET_LANES };
typedef uint64_t demi_facets_ahead_function(const demi_facet_lanes *lanes,
                                            demi_facets_ahead_call *call, uint32_t *place);
/* facet_lanes.c: by the instructions of a set */
uint64_t demi_facet_lanes_ahead(const demi_facet_lanes *lanes, int isa,
                                demi_facets_ahead_call *call, uint32_t *place);

/* Facets that were found, in the axes of the first body, and their bounds along those of the
 * slab. */
typedef struct demi_near_block {
    double x[9][DEMI_FACET_LANES], normal[3][DEMI_FACET_LANES];
    demi_box_lanes bound;
} demi_near_block;

typedef struct demi_facets_place_call {
    const uint32_t *place;
    uint64_t count;
    double turn[3][3], shift[3], axes[3][3];
} demi_facets_place_call;

/* Moves facets into `to`, with boxes around blocks; there is room for whole blocks of both. */
typedef void demi_facets_place_function(const demi_facet_lanes *lanes,
                                        const demi_facets_place_call *call, demi_near_block *to,
                                        demi_box_lanes *box);

/* One facet, and those of the other body that it may cross. */
typedef struct demi_facets_meet_call {
    const demi_near_block *own, *other;
    const demi_box_lanes *box;
    uint64_t lane, blocks; /* of `own`; of `other` */
    double pad;
} demi_facets_meet_call;

/* Lists those whose bounds meet within the pad, and of which neither is wholly on one side of the
 * other's plane. */
typedef uint64_t demi_facets_meet_function(const demi_facets_meet_call *call, uint32_t *near);

#endif
