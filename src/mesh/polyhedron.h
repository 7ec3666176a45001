/* SPDX-License-Identifier: MIT */
/* Solids inside closed meshes, and the work of a search for their contacts. */
#ifndef DEMI_POLYHEDRON_H
#define DEMI_POLYHEDRON_H

#include "base/check.h"
#include "mesh/facet_lanes.h"
#include "mesh/mesh.h"
#include "mesh/sort.h"

#include <dem/polyhedron.h>

struct dem_polyhedron {
    demi_context context;
    _Atomic uint64_t references;
    dem_mesh *mesh; /* in the axes of the body */
    dem_mesh_solid solid;
    double radius, equivalent_radius;
    uint64_t name; /* a checksum of the content, by which worlds know it */
    int convex;    /* nearly: no edge is hollow by more than 1e-6 of the radius */
    /* connected parts of the surface: of each vertex, and a vertex of each */
    uint64_t shells;
    DEMI_ARRAY(uint32_t) shell, shell_vertex;
    demi_facet_lanes lanes;
};

/* polyhedron.c: a polyhedron from the mesh and the properties of one that was */
dem_status demi_polyhedron_restore(const dem_allocator *allocator, dem_mesh *mesh,
                                   const dem_mesh_solid *solid, dem_polyhedron **polyhedron,
                                   dem_error *error);

/* Hertz's law in the place of a law of polyhedra: with this overlap and this radius it has the
 * force and the contact radius, and its energy times `surplus` is the energy. */
typedef struct demi_polyhedron_hertz {
    double overlap, radius, surplus;
} demi_polyhedron_hertz;

/* polyhedron_hertz.c: for a volume and an area > 0, and the effective radius R of the pair; `law`
 * and `at` are dem_world_config.polyhedron_law and polyhedron_overlap */
demi_polyhedron_hertz demi_polyhedron_hertz_of(int32_t law, double at, double volume, double area,
                                               double radius);

/* The power of the overlap with which the force of a face grows. */
double demi_polyhedron_power(int32_t law);
/* How the force of a face of area A grows with its overlap d, over E*, N/m. */
double demi_polyhedron_slope(int32_t law, double at, double overlap, double area, double radius);

/* A facet that may cross one of the other body, in the axes of the first body. Of rows of four
 * places, coordinate by coordinate, the last is any number. */
typedef struct demi_near_facet {
    double x[3][4], normal[3];
    double from[3][4],
        along[3][4];         /* edges: where they begin in the order of the mesh, their way */
    double inside;           /* twice the area of the part in the other body, as lines tell it */
    uint32_t facet, edge[3]; /* numbers in the mesh */
    uint32_t forward;        /* bit k: edge k runs as in the mesh */
} demi_near_facet;

/* Where an edge of one facet pierces another facet. */
typedef struct demi_piercing {
    double at[3], part; /* place, and where it is along the edge of the mesh, in [0, 1] */
    uint32_t edge;
    int32_t side;    /* whose edge: 0 or 1 */
    int32_t sign;    /* 1: the edge of the mesh goes into the other body there, or -1 */
    int32_t forward; /* whether the edge runs as in the mesh */
} demi_piercing;

/* The line in which two facets cross, with the inside of the second body on its left on the first
 * one. */
typedef struct demi_crossing {
    uint32_t near[2];
    demi_piercing end[2];
} demi_crossing;

/* simd/pierce.c: whether two facets cross: 1, or 0; -1 where the signs contradict each other */
typedef int demi_facets_cross_function(const demi_near_facet *a, const demi_near_facet *b,
                                       demi_crossing *crossing);

/* What is known of an edge that is pierced. */
typedef struct demi_edge_state {
    double sum;     /* of sign times part */
    double square;  /* of sign times the square of part */
    double first;   /* the least part */
    uint64_t check; /* 0 where each piercing was seen from both facets of the edge */
    int32_t total;  /* of the signs */
    int32_t sign;   /* at the least part; 0: not pierced */
} demi_edge_state;

/* A piercing of an edge: where, whether the edge goes in, and a line that ends there. */
typedef struct demi_pass {
    double part;
    int32_t sign;
    uint32_t line;
} demi_pass;

/* A connected part of what two bodies have in common: volume, S, and G about a point of its own.
 * line: sum over segments of their length times their middle, from that point, and of their length;
 * it tells how far along S the force is. */
typedef struct demi_patch {
    double volume, area[3], moment[3], origin[3], line[4];
} demi_patch;

enum { DEMI_UNKNOWN = 0, DEMI_OUTSIDE = 1, DEMI_INSIDE = 2 };

/* One of the two bodies. Arrays over the mesh are 0 between calls: `edges`, `vertices` and `facets`
 * list what is not. */
typedef struct demi_side {
    const dem_polyhedron *solid;
    double turn[3][3], shift[3]; /* from its axes to those of the first body */
    uint64_t slab_count, near_count, edge_count, vertex_count, facet_count;
    /* facets in the slab: their places in the order of the tree, as lanes with boxes around blocks
     * of them, and 1 + which of `near` each is, or 0 */
    DEMI_ARRAY(uint32_t) place;
    DEMI_ARRAY(demi_near_block) slab;
    DEMI_ARRAY(demi_box_lanes) box;
    DEMI_ARRAY(uint32_t) known;
    DEMI_ARRAY(demi_near_facet) near; /* those that may cross */
    DEMI_ARRAY(demi_edge_state) edge;
    DEMI_ARRAY(unsigned char) vertex, facet;
    DEMI_ARRAY(uint32_t) number; /* of vertices inside: their places in `vertices`; patches.c */
    DEMI_ARRAY(uint32_t) edges, vertices, facets;
} demi_side;

/* What of a facet is inside the other body: its area, and the integral of the place over it, in the
 * axes of the mesh. */
typedef struct demi_facet_part {
    double area, moment[3];
} demi_facet_part;

typedef struct demi_overlap {
    demi_context *context;
    int isa;
    demi_side side[2];
    double direction[3]; /* of the slab: from the first body to the second */
    int seek;            /* the direction is none that was found before */
    /* a direction that was found before is of bodies that were apart: it tells that they still are,
     * but has no influence on a contact */
    int was_apart;
    double pad; /* what round-off and shifts may make of a gap */
    /* the second side is a surface of so many facets, and others that continue it, see faces.h; 0:
     * it is a solid */
    uint64_t surface;
    uint64_t count;
    DEMI_ARRAY(demi_crossing) found, crossing; /* as found, and in the order of facets */
    DEMI_ARRAY(demi_item) item, room;
    DEMI_ARRAY(uint32_t) met; /* facets of the second body that one of the first may cross */
    double origin[3], volume, area[3], moment[3]; /* S, and G about the origin */
    double line[4];                               /* as of demi_patch */
    /* parts of it, in the order of their lines, where they are asked for; none where all of it is
     * one. patches.c works with the other arrays */
    int several;
    uint64_t patches;
    DEMI_ARRAY(demi_patch) patch;
    DEMI_ARRAY(uint32_t) root, label;
    DEMI_ARRAY(demi_pass) pass;
    /* of each facet of the second side, where somebody asks: 0 at first, and added to; else NULL.
     * The first so many of its list of facets are those that were added to. */
    demi_facet_part *part;
    uint64_t parted;
    /* there is room for so many crossings, and no more is asked for: 0 is room that grows; then how
     * many would have been needed, or 0 */
    uint64_t bounded, wanted;
} demi_overlap;

/* The largest numbers of any mesh that an overlap has room for. */
typedef struct demi_overlap_sizes {
    uint64_t facets, edges, vertices;
} demi_overlap_sizes;

/* slab.c: facets of both bodies within the slab in which both are; 0 where there is a gap */
dem_status demi_slab_gather(demi_overlap *o, int *touching);
/* slab.c: whether there is a gap in the direction, wider than what round-off makes of one */
int demi_slab_gap(const demi_overlap *o);
/* slab.c: turns the direction to where there may be a gap, or a thinner slab */
void demi_slab_seek(demi_overlap *o);
/* slab.c: room for what it gathers of a mesh of so many facets */
dem_status demi_slab_reserve(demi_overlap *o, int side, uint64_t facets);
/* slab.c: the record of facet number n of the slab */
const demi_near_facet *demi_slab_near(demi_side *side, uint64_t n);
/* inside.c: what of both surfaces is inside the other body, its volume, and whether all agrees */
dem_status demi_overlap_inside(demi_overlap *o, int *sound);
/* inside.c: whether the first vertex of the second surface is inside the first body; -1 where
 * round-off does not tell */
int demi_overlap_holds(const demi_overlap *o);
/* inside.c: adds the parts of facets, before what is known is cleaned */
void demi_overlap_parts(demi_overlap *o);
void demi_overlap_clean(demi_overlap *o);
/* overlap.c: room for two meshes of such sizes and so many crossings: afterwards the search asks
 * for no memory, and fails with DEM_ERROR_MEMORY where there are more crossings */
dem_status demi_overlap_reserve(demi_overlap *o, const demi_overlap_sizes *sizes,
                                uint64_t crossings);
/* inside.c: the part of it for what is 0 between calls */
dem_status demi_overlap_inside_reserve(demi_overlap *o, int side, const demi_overlap_sizes *sizes);
/* patches.c: parts of an overlap whose sums are known; room for those of so many crossings */
dem_status demi_patches_find(demi_overlap *o);
dem_status demi_patches_reserve(demi_overlap *o, uint64_t crossings, uint64_t vertices);
void demi_overlap_free(demi_overlap *o);

/* The sign of a determinant; of 0, that after a shift of the second body by (e, e^2, e^3), with
 * which the determinant changes along `change`, or against it. */
static inline int demi_sign(double value, const double change[3], int sense)
{
    if (value > 0.0)
        return 1;
    if (value < 0.0)
        return -1;
    for (int c = 0; c < 3; ++c)
        if (change[c] != 0.0)
            return change[c] > 0.0 ? sense : -sense;
    return 1;
}

/* From the axes of a body to those of the first one, and back. */
static inline void demi_side_place(const demi_side *side, const double x[3], double to[3])
{
    for (int c = 0; c < 3; ++c)
        to[c] = (side->turn[c][0] * x[0] + side->turn[c][1] * x[1] + side->turn[c][2] * x[2]) +
                side->shift[c];
}

static inline void demi_side_back(const demi_side *side, const double direction[3], double to[3])
{
    for (int c = 0; c < 3; ++c)
        to[c] = side->turn[0][c] * direction[0] + side->turn[1][c] * direction[1] +
                side->turn[2][c] * direction[2];
}

#endif
