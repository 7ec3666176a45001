/* SPDX-License-Identifier: MIT */
/* What the files of a chunk share: the work on one batch group, and how a chunk begins. */
#ifndef DEMI_CHUNK_WORK_H
#define DEMI_CHUNK_WORK_H

#include "base/check.h"
#include "contact/bodies.h"
#include "contact/resultant.h"
#include "shapes/slots.h"
#include "world/simd/exact.h"
#include "world/simd/rigid_share.h"
#include "world/wall_lane.h"
#include "world/world.h"

#include <dem/kernels.h>

#include <string.h>

/* Contacts of a batch: few enough that its lane arrays stay in the first cache. */
#define CHUNK_BATCH 32
/* Pairs that are filtered at a time. */
#define CHUNK_FILTER 64
/* Rows of the next chunk, and chunk copies of it, that are asked for at a time. */
#define CHUNK_ASKED (DEMI_WIDE / DEMI_GROUP)
/* Bytes of states that a core's caches may keep from one step to the next. */
#define CHUNK_STATES_CACHED (1u << 20)
/* Marks a number of a pair that was in contact. */
#define CHUNK_WAS_TOUCHING 0x80000000u

DEMI_ENTRY(demi_lanes_function, demi_lanes_run);

/* What the next chunk will want, to be asked for while this one is computed: memory takes longer to
 * answer than a group of pairs to filter. */
typedef struct chunk_ahead {
    const demi_row *position, *every_position;
    const demi_velocities *velocity, *every_velocity, *old, *every_old; /* old: or NULL */
    const demi_force_torque *force_torque, *chunk_copy;
    const demi_exact_row *sums_copy; /* instead of chunk_copy, where sums are exact; or NULL */
    const uint32_t *source;
    uint64_t rows, chunk_copies;
} chunk_ahead;

/* Contacts with meshes of the pairs in chunk_work.pair. */
typedef struct chunk_meshes {
    demi_slot_contact contact[CHUNK_BATCH + CHUNK_FILTER + DEMI_WIDE];
    const double *state; /* of the next contact that was there before */
} chunk_meshes;
_Static_assert(DEMI_SLOTS_MOST <= CHUNK_FILTER, "the slots of a sphere are filtered at a time");

/* Contacts of polyhedra of the pairs in chunk_work.pair; before: as they were, in their states, or
 * NULL. */
typedef struct chunk_polyhedra {
    demi_faceted_contact contact[CHUNK_BATCH + CHUNK_FILTER + DEMI_WIDE];
    const demi_faceted_contact *before[CHUNK_BATCH + CHUNK_FILTER + DEMI_WIDE];
    demi_spring spring[CHUNK_BATCH + CHUNK_FILTER + DEMI_WIDE];
    unsigned char merged[CHUNK_BATCH + CHUNK_FILTER + DEMI_WIDE];   /* see demi_slot_contact */
    unsigned char replaced[CHUNK_BATCH + CHUNK_FILTER + DEMI_WIDE]; /* another one has its slot */
    const double *state; /* of the next contact that was there before */
} chunk_polyhedra;
_Static_assert(2 * DEMI_PATCHES_MOST <= CHUNK_FILTER,
               "the patches of a pair are filtered at a time, those that end and those that begin");

/* Surfaces that the pairs in chunk_work.pair meet, of walls that are no meshes. */
typedef struct chunk_surfaces {
    demi_surface surface[CHUNK_BATCH + CHUNK_FILTER + DEMI_WIDE];
} chunk_surfaces;

typedef struct chunk_work {
    dem_world *w;
    const demi_chunk *chunk;
    /* the batch group, its pairs, whether they were in contact, and whether they will be */
    const demi_batch_group *group;
    const demi_pair *pairs;
    const unsigned char *touching;
    unsigned char *touching_next;
    /* of the next contact of the batch group that was there before, and of the next that will be */
    const double *state;
    double *state_next;
    const double *state_end;  /* of the room for new states */
    const double *state_stop; /* end of the old states; only in place */
    uint64_t lacking;         /* contacts that found no room, and were not computed */
    demi_bodies i, j;
    double *force_torque_i, *force_torque_j; /* rows of forces and torques of the ends */
    demi_exact_row *sums_i, *sums_j;         /* likewise, with exact sums */
    demi_workspace *workspace;
    demi_lanes *lanes;
    demi_lanes_call how;
    demi_chunk_result *result;
    demi_totals *totals; /* the result's, or those of contacts that another world counts */
    demi_totals elsewhere;
    double again; /* demi_kick_again */
    int past;     /* new states go past the caches */
    chunk_ahead ahead;
    uint64_t asked;             /* of the rows of the next chunk, and of its chunk copies */
    chunk_surfaces *surfaces;   /* NULL: the batch group is with spheres or meshes */
    chunk_meshes *meshes;       /* NULL: the batch group is with other shapes */
    chunk_polyhedra *polyhedra; /* NULL: the batch group is of spheres */
    /* pairs that touch: their numbers in the batch group, with CHUNK_WAS_TOUCHING where they did
     * before */
    uint32_t index[CHUNK_BATCH + CHUNK_FILTER + DEMI_WIDE];
    demi_pair pair[CHUNK_BATCH + CHUNK_FILTER + DEMI_WIDE];
} chunk_work;

/* ------------------------------------------------------------------ what a chunk begins with */

static DEMI_INLINE void copy_velocity(double *to, const demi_velocities *from)
{
    *(demi_v4 *)to = *demi_v4_at(from->velocity);
    *(demi_v4 *)(to + 4) = *demi_v4_at(from->angular_velocity);
}

/* Exact sums of 0 for the rows of the chunk and its chunk copies. */
static DEMI_INLINE void sums_clear(const chunk_work *t)
{
    const dem_world *w = t->w;
    const demi_chunk *chunk = t->chunk;
    memset(t->workspace->sums, 0,
           (size_t)(chunk->row_end - chunk->row_begin) * sizeof(demi_exact_row));
    if (chunk->copies_end > chunk->copies_begin)
        memset(w->chunk_copy.sums + chunk->copies_begin, 0,
               (size_t)(chunk->copies_end - chunk->copies_begin) * sizeof(demi_exact_row));
}

/* The chunk's copies side by side, at positions where its pairs meet them; forces of 0. */
static DEMI_INLINE void workspace_fill(const chunk_work *t, int synchronized)
{
    const dem_world *w = t->w;
    const demi_chunk chunk = *t->chunk;
    const demi_chunk_copies to = t->workspace->chunk_copy; /* a copy that no store can change */
    const demi_row *x = w->next.position.read;
    const demi_velocities *velocity = w->next.velocity.data,
                          *velocity_t0 = demi_damping_velocities(w, t->again);
    const uint64_t own = chunk.row_end - chunk.row_begin,
                   chunk_copies = chunk.copies_end - chunk.copies_begin;
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    double shift[DEMI_SHIFTS][4];
    for (uint32_t s = 0; s < DEMI_SHIFTS; ++s)
        for (int c = 0; c < 4; ++c)
            shift[s][c] = c == 3 ? 0.0 : demi_shift_length(&w->config, s, c);
    const uint32_t *source = w->list.source.data + chunk.copies_begin;
    const unsigned char *shifts = w->list.shift.data + chunk.copies_begin;
    const int exact = w->exact.sums.exact;
    if (exact)
        sums_clear(t);
    else
        memset(w->next.force_torque.data + chunk.row_begin, 0,
               (size_t)own * sizeof(demi_force_torque));
    demi_force_torque *const forces = w->chunk_copy.data + chunk.copies_begin;
    for (uint64_t h = 0; h < chunk_copies; ++h) {
        const uint64_t row = source[h];
        if (!exact)
            *(demi_v4 *)forces[h].force = *(demi_v4 *)forces[h].torque = zero;
        if ((row & DEMI_WALL_BIT) != 0)
            continue;
        *(demi_v4 *)(to.position + h * 4) = *demi_v4_at(x[row]) + *demi_v4_at(shift[shifts[h]]);
        copy_velocity(to.velocity + h * 8, &velocity[row]);
        if (synchronized)
            copy_velocity(to.velocity_t0 + h * 8, &velocity_t0[row]);
    }
}

static DEMI_INLINE demi_bodies bodies_of(const double *position, const double *velocity,
                                         const double *velocity_t0)
{
    const demi_bodies bodies = {position, velocity, velocity + 4, velocity_t0, velocity_t0 + 4};
    return bodies;
}

/* Where the ends of a batch group's pairs are. */
static DEMI_INLINE void batch_group_sides(chunk_work *t, int ends)
{
    const dem_world *w = t->w;
    const demi_chunk *chunk = t->chunk;
    const demi_chunk_copies *workspace = &t->workspace->chunk_copy;
    const uint64_t row = chunk->row_begin;
    const demi_bodies own =
                          bodies_of(w->next.position.data[row], w->next.velocity.data[row].velocity,
                                    demi_damping_velocities(w, t->again)[row].velocity),
                      chunk_copy = bodies_of(workspace->position, workspace->velocity,
                                             workspace->velocity_t0);
    double *const force_torque_own = w->next.force_torque.data[row].force,
                  *const force_torque_copy = w->chunk_copy.data[chunk->copies_begin].force;
    t->i = ends == DEMI_LOCALITY_COPY_I ? chunk_copy : own;
    t->j = ends == DEMI_LOCALITY_COPY_J ? chunk_copy : own;
    t->force_torque_i = ends == DEMI_LOCALITY_COPY_I ? force_torque_copy : force_torque_own;
    t->force_torque_j = ends == DEMI_LOCALITY_COPY_J ? force_torque_copy : force_torque_own;
    if (w->exact.sums.exact) {
        demi_exact_row *const sums_own = t->workspace->sums, *const sums_copy = w->chunk_copy.sums +
                                                                                chunk->copies_begin;
        t->sums_i = ends == DEMI_LOCALITY_COPY_I ? sums_copy : sums_own;
        t->sums_j = ends == DEMI_LOCALITY_COPY_J ? sums_copy : sums_own;
    }
}

#endif
