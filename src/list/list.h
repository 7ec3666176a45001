/* SPDX-License-Identifier: MIT */
/* The neighbour list: rows in chunks, the pairs of each chunk in batch groups, and the rows of
 * other chunks that it has copies of. */
#ifndef DEMI_LIST_H
#define DEMI_LIST_H

#include "base/context.h"
#include "contact/models.h"
#include "contact/pair.h"
#include "list/kinds.h"
#include "mesh/near.h"
#include "shapes/shape.h"

#include <dem/world.h>

#include <math.h>
#include <stddef.h>

typedef double demi_row[4];
typedef DEMI_ARRAY(demi_row) demi_row_array;

/* Pairs are numbered in 32 bits. */
#define DEMI_PAIRS_MESSAGE                                                                         \
    "world: %llu pairs are more than 2^32 - 1: take a smaller skin, or more worlds"

/* What moves a particle, and how it moves; the last places hold what belongs to the particle. Each
 * fills a line of the cache. */
typedef struct demi_velocities {
    double velocity[4];         /* x y z 1/contact mass */
    double angular_velocity[4]; /* x y z 1/moment of inertia, 0 unless free */
} demi_velocities;

typedef struct demi_force_torque {
    double force[4];  /* x y z 0 */
    double torque[4]; /* x y z 0 */
} demi_force_torque;

/* Rows per chunk, from the fewest to the most. Results depend on it (order of sums), so it does not
 * follow from the number of threads: a world is told it, or it follows from the number of particles
 * and whether one is a polyhedron. Large chunks need fewer rows of each other, but there must be
 * enough of them for threads. */
enum {
    DEMI_CHUNK_FACETED = 8,
    DEMI_CHUNK_LEAST = 256,
    DEMI_CHUNK_MOST = 1024,
    DEMI_CHUNKS_WANTED = 24
};

/* Marks walls among the values of the id table and the sources of chunk copies. */
#define DEMI_WALL_BIT 0x80000000u

/* Periods that a particle may be from the box: differences of images, and shifts, fit into 32
 * bits. */
enum { DEMI_IMAGE_MOST = 1 << 28 };

/* What a step does not change about a particle and the list asks for. */
typedef struct demi_body {
    uint64_t id; /* 0: removed, goes at the next rebuild */
    int32_t material;
    int16_t kind;     /* DEMI_KIND_... */
    int16_t faceted;  /* DEMI_FACETED_CONVEX or _HOLLOW: a polyhedron within the sphere; or 0 */
    int32_t image[3]; /* periods to add to the position for the unwrapped path */
    uint32_t rigid;   /* the body that it is a part of, + 1; 0: none */
} demi_body;

/* Polyhedra, of which the latter may touch others at several places. */
enum { DEMI_FACETED_CONVEX = 1, DEMI_FACETED_HOLLOW = 2 };

/* What a pair is of: DEMI_GROUP_FACETED where an end is a polyhedron, and DEMI_GROUP_SLOTS where
 * the other one is a sphere and the polyhedron is not convex. a and b: demi_body.faceted of the two
 * rows; with a wall there is a alone. */
enum { DEMI_GROUP_FACETED = 1, DEMI_GROUP_SLOTS = 2 };
static inline int demi_pair_faceted(int a, int b, int wall)
{
    if (wall || (a && b))
        return a ? DEMI_GROUP_FACETED : 0;
    return a > b ? a : b;
}

/* Parts of one body do not touch each other. */
static inline int demi_rows_of_one(const demi_body *a, const demi_body *b)
{
    return a->rigid != 0 && a->rigid == b->rigid;
}

/* At how many places two rows may touch: convex polyhedra at one. slots: of a sphere and a
 * polyhedron that is not convex. */
static inline uint32_t demi_rows_slots(const demi_body *a, const demi_body *b, uint32_t slots)
{
    const int several = a->faceted != 0 && b->faceted != 0 && a->faceted + b->faceted > 2;
    return several                                                            ? DEMI_PATCHES_MOST
           : demi_pair_faceted(a->faceted, b->faceted, 0) == DEMI_GROUP_SLOTS ? slots
                                                                              : 1;
}

/* What a step does not change about a wall. */
typedef struct demi_wall {
    uint64_t id; /* 0: removed, goes at the next rebuild */
    int32_t material, shape;
    int32_t place;  /* DEMI_WALL_... */
    int32_t looked; /* whether it faces the particles was looked at, see setup_check.c */
    int32_t active; /* it is in the list of those that a step looks at */
    int32_t told;   /* bits of the periodic axes that the log has a warning of */
    double work;    /* on the particles, since it was added */
    double power;   /* of the particles on its vertices that move, at the end of the last step */
    /* where it is a mesh: the first place with the same one, and which in the order of such places
     * the mesh is, from 1 on; 0: it is none */
    uint32_t mesh_first, mesh_number;
} demi_wall;

static inline const demi_shape *demi_wall_shape(const demi_wall *wall)
{
    return demi_shapes[wall->shape];
}

/* At how many places a row may touch a feature of a wall: a convex polyhedron touches a plane at
 * one, but others may be hollow. */
static inline uint32_t demi_wall_slots(const demi_body *body, const demi_wall *wall)
{
    const int several = body->faceted == DEMI_FACETED_HOLLOW ||
                        (body->faceted != 0 && wall->shape != DEMI_SHAPE_PLANE);
    return several ? DEMI_PATCHES_MOST : 1;
}

/* Whether a wall's place can be given to another: the list may name it, no list names it and no
 * wall has it, or the wall was added since the list was built. Values of snapshots. */
enum { DEMI_WALL_LISTED = 0, DEMI_WALL_VACANT = 1, DEMI_WALL_NEW = 2 };

/* Which ends of a batch group's pairs are rows of the chunk: both, i, or j. */
enum {
    DEMI_LOCALITY_OWN = 0,
    DEMI_LOCALITY_COPY_J = 1,
    DEMI_LOCALITY_COPY_I = 2,
    DEMI_LOCALITIES = 3
};

/* Chunk copies that one chunk may have. */
#define DEMI_COPIES_MOST (1u << 24)

enum { DEMI_SHIFT_NONE = 13, DEMI_SHIFTS = 27 };

/* Periods to add to the other's position, for axis c. */
static inline int demi_shift_periods(uint32_t shift, int c)
{
    static const int8_t periods[27][3] = {
        {-1, -1, -1}, {0, -1, -1}, {1, -1, -1}, {-1, 0, -1}, {0, 0, -1},  {1, 0, -1}, {-1, 1, -1},
        {0, 1, -1},   {1, 1, -1},  {-1, -1, 0}, {0, -1, 0},  {1, -1, 0},  {-1, 0, 0}, {0, 0, 0},
        {1, 0, 0},    {-1, 1, 0},  {0, 1, 0},   {1, 1, 0},   {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
        {-1, 0, 1},   {0, 0, 1},   {1, 0, 1},   {-1, 1, 1},  {0, 1, 1},   {1, 1, 1}};
    return periods[shift][c];
}

/* The length of these periods, m; 0 along axes that have none. */
static inline double demi_shift_length(const dem_world_config *config, uint32_t shift, int c)
{
    const int periods = demi_shift_periods(shift, c);
    return periods == 0 ? 0.0 : periods * (config->box_high[c] - config->box_low[c]);
}

/* Consecutive pairs of one model and shape, whose ends are of one kind. */
typedef struct demi_batch_group {
    const demi_model *model;
    uint64_t begin, end;  /* pairs */
    uint64_t state_begin; /* doubles; state_stride for each contact, in the order of pairs */
    double reach;
    int32_t shape; /* of what the spheres meet */
    int32_t ends;
    uint32_t state_stride; /* see demi_group_stride */
    uint32_t state_room;   /* contacts whose states have room: fewer than pairs, most often */
    uint32_t state_wanted; /* more than state_room: what the last evaluation lacked room for */
    uint32_t uncounted;    /* another world counts these contacts */
    uint32_t faceted;      /* DEMI_GROUP_..., an end is a polyhedron; or 0 */
    uint64_t nearby_begin; /* of a mesh: what is kept of facets, for each sphere */
} demi_batch_group;

/* Contacts that a group gets room for when it has so many: some more, but no more than pairs. As
 * many come and go, their number changes by about its root: spare is in quarters of that. */
static inline uint32_t demi_group_room(const demi_batch_group *group, uint64_t contacts,
                                       uint32_t spare)
{
    enum { SPARE_LEAST = 1 };
    const uint64_t more = (uint64_t)(0.25 * spare * sqrt((double)contacts)),
                   pairs = group->end - group->begin, room = contacts + more + SPARE_LEAST;
    return (uint32_t)(room < pairs ? room : pairs);
}

/* How much is spare follows from what was lacked: an evaluation that lacks room doubles it, most
 * often (spare_next), and a list that never lacked any is followed by one with less. */
enum { DEMI_SPARE_FIRST = 2, DEMI_SPARE_MOST = 16 };

static inline uint32_t demi_state_stride(const demi_model *model)
{
    return (model->state_size + 3) / 4 * 4;
}

/* Doubles that are kept of a contact of a polyhedron, see world/polyhedra.h. */
enum { DEMI_FACETED_KEPT = 12 };

/* What a contact keeps beyond the state of the model. */
static inline uint32_t demi_group_kept(int32_t shape, int faceted)
{
    return faceted ? (uint32_t)DEMI_FACETED_KEPT : demi_shapes[shape]->kept;
}

/* The force of a polyhedron on a wall that is a mesh, and 0, before what is kept; streams lack it.
 */
enum { DEMI_FACETED_FORCE = 4 };
static inline int demi_group_forced(int32_t shape, int faceted)
{
    return faceted && demi_shapes[shape]->kept > 0;
}

/* Doubles of a contact with a shape: the model's, up to a multiple of 4, then what is kept. */
static inline uint32_t demi_group_stride(const demi_model *model, int32_t shape, int faceted)
{
    return demi_state_stride(model) +
           (demi_group_forced(shape, faceted) ? (uint32_t)DEMI_FACETED_FORCE : 0) +
           demi_group_kept(shape, faceted);
}

typedef struct demi_chunk {
    uint64_t row_begin, row_end;
    uint64_t pairs[DEMI_LOCALITIES];
    uint64_t pair_begin; /* of its room for pairs; where there are none, that of the next chunk */
    uint64_t batch_group_begin, batch_group_end;
    uint64_t copies_begin, copies_end; /* rows of others that this chunk's pairs need */
    uint64_t near_walls_begin, near_walls_first, near_walls_end;
    uint64_t state_begin, states; /* doubles of all batch groups */
    double low[3], high[3];       /* box of the centres when the list was built */
    double mean_velocity[3];      /* of its rows then */
    double largest;               /* radius plus reach */
    double displacement_bound;    /* no row is farther from where the mean velocity took it, see
                                     displacement.c */
    double rounding;              /* by which that of its positions may lengthen a step */
} demi_chunk;

/* A copy that another chunk keeps for a row. */
typedef struct demi_reduction {
    uint32_t row, chunk_copy;
} demi_reduction;

/* So far ahead chunk copies are asked for; the last entries name the first copy. */
enum { DEMI_REDUCTION_AHEAD = 256 };

/* Two chunks close enough that the motion of one against the other matters, see displacement.c. */
typedef struct demi_neighbour_chunks {
    uint32_t a, b;
    double speed; /* of their mean velocities against each other */
} demi_neighbour_chunks;

/* The neighbour list with the state of its contacts. Each chunk has room for its pairs, where those
 * of its kinds of ends follow each other; the room of all is pairs_room. */
typedef struct demi_list {
    uint64_t pairs, pairs_room, batch_groups, chunks, chunk_copies, states, neighbours;
    uint64_t own_room, cross_room, copies_room; /* of each chunk while it is listed: for pairs of
                                                   its own rows, of either other kind, for copies */
    uint64_t chunk_rows;  /* of each chunk but the last; 0: there is no list */
    uint64_t copies_most; /* of any chunk */
    int levels;           /* of sizes; with one, cutoff and margin are the same for all chunks */
    uint32_t spare;       /* room of groups, see demi_group_room */
    uint32_t lacked;      /* evaluations that lacked room */
    uint32_t slots;       /* of a sphere and a polyhedron that is not convex */
    double skin, margin;  /* margin: of chunks that are not near */
    double reach;         /* widest of all models */
    DEMI_ARRAY(demi_pair) pair;
    DEMI_ARRAY(demi_batch_group) batch_group;
    DEMI_ARRAY(demi_chunk) chunk;
    DEMI_ARRAY(demi_neighbour_chunks) neighbour;
    /* walls near each chunk: first, up to near_walls_first and in ascending order, those that its
     * rows may meet, then those that may come near; of each wall, how much farther than it reaches
     * it is from all other chunks at least */
    DEMI_ARRAY(uint32_t) near_wall;
    DEMI_ARRAY(double) wall_spare;
    uint64_t near_walls;
    /* of the chunk copies: row, or DEMI_WALL_BIT | wall; periods, see demi_shift_periods; feature
     * of a wall */
    DEMI_ARRAY(uint32_t) source;
    DEMI_ARRAY(unsigned char) shift;
    DEMI_ARRAY(uint32_t) feature;
    uint64_t chunks_reduced;              /* the first ones, of whose copies reductions are made */
    DEMI_ARRAY(uint32_t) reduction_begin; /* [rows + 1] */
    DEMI_ARRAY(demi_mesh_nearby) nearby;  /* facets near spheres, see demi_list_nearby */
    DEMI_ARRAY(demi_reduction)
    reduction; /* of each row in chunk order, and DEMI_REDUCTION_AHEAD more */
} demi_list;

/* The last chunk that begins at `place` or before. member: where a chunk has its begin, which rises
 * from chunk to chunk. */
static inline const demi_chunk *demi_chunk_at(const demi_list *list, size_t member, uint64_t place)
{
    uint64_t low = 0, high = list->chunks;
    while (low + 1 < high) {
        const uint64_t middle = low + (high - low) / 2;
        const char *chunk = (const char *)(list->chunk.read + middle);
        if (*(const uint64_t *)(const void *)(chunk + member) <= place)
            low = middle;
        else
            high = middle;
    }
    return list->chunk.read + low;
}

/* The chunk to which a pair belongs. */
static inline const demi_chunk *demi_chunk_of(const demi_list *list, uint64_t pair)
{
    return demi_chunk_at(list, offsetof(demi_chunk, pair_begin), pair);
}

/* Who a pair is, told from a row that its chunk owns. */
typedef struct demi_ends {
    uint64_t own, other; /* rows, or the other is a wall */
    int first;           /* whether `own` is i */
    int wall;
    uint32_t shift;   /* of the other */
    uint32_t feature; /* of the other, and the slot: see demi_ends_feature */
} demi_ends;

/* Features of a wall that polyhedra touch: those of its faces, and so many more for each slot. */
enum { DEMI_FACES_MOST = 64 };

/* The feature that tells a contact from others with the same wall, or the same row. */
static inline uint32_t demi_ends_feature(int wall, uint32_t face, uint32_t slot)
{
    return wall ? face + DEMI_FACES_MOST * slot : slot;
}

static inline uint32_t demi_feature_face(int wall, uint32_t feature)
{
    return wall ? feature % DEMI_FACES_MOST : 0;
}

static inline uint32_t demi_feature_slot(int wall, uint32_t feature)
{
    return wall ? feature / DEMI_FACES_MOST : feature;
}

static inline demi_ends demi_pair_ends(const demi_list *list, const demi_chunk *chunk, int kind,
                                       const demi_pair *pair)
{
    const int first = kind != DEMI_LOCALITY_COPY_I;
    const uint32_t own = (first ? pair->i : pair->j) / DEMI_LOCAL_OFFSET,
                   other = (first ? pair->j : pair->i) / DEMI_LOCAL_OFFSET;
    const uint32_t slot = demi_pair_slot(pair);
    demi_ends ends = {
        chunk->row_begin + own, chunk->row_begin + other, first, 0, DEMI_SHIFT_NONE, slot};
    if (kind == DEMI_LOCALITY_OWN)
        return ends;
    const uint64_t chunk_copy = chunk->copies_begin + other;
    const uint32_t source = list->source.data[chunk_copy];
    ends.wall = (source & DEMI_WALL_BIT) != 0;
    ends.other = source & ~DEMI_WALL_BIT;
    ends.feature = demi_ends_feature(ends.wall, list->feature.data[chunk_copy], slot);
    ends.shift = list->shift.data[chunk_copy];
    return ends;
}

/* The batch group to which a pair belongs. */
static inline const demi_batch_group *demi_batch_group_of(const demi_list *list, uint64_t pair)
{
    const demi_batch_group *group =
        list->batch_group.data + demi_chunk_of(list, pair)->batch_group_begin;
    while (pair >= group->end)
        ++group;
    return group;
}

/* Who a pair of the whole list is. */
static inline demi_ends demi_ends_of(const demi_list *list, uint64_t pair)
{
    return demi_pair_ends(list, demi_chunk_of(list, pair), demi_batch_group_of(list, pair)->ends,
                          list->pair.data + pair);
}

/* Periods of the box from j to i, along the unwrapped paths. */
static inline void demi_ends_image(const demi_ends *ends, const demi_body *bodies, int32_t image[3])
{
    for (int c = 0; c < 3; ++c) {
        const int32_t periods = demi_shift_periods(ends->shift, c) + bodies[ends->own].image[c] -
                                bodies[ends->other].image[c];
        image[c] = ends->first ? periods : -periods;
    }
}

/* How many rows the list has: those that were added since follow them. */
static inline uint64_t demi_list_rows(const demi_list *list)
{
    return list->chunks > 0 ? list->chunk.data[list->chunks - 1].row_end : 0;
}

/* By how much the mean velocities of two chunks differ. */
double demi_chunks_speed(const demi_chunk *a, const demi_chunk *b);
void demi_list_free(demi_context *context, demi_list *list);

#endif
