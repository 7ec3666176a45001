/* SPDX-License-Identifier: MIT */
/* Pairs of a batch on their way from rows into lanes: spheres, walls, bodies, polyhedra, states. */
#ifndef DEMI_CHUNK_GATHER_H
#define DEMI_CHUNK_GATHER_H

#include "laws/mindlin.h"
#include "world/simd/chunk/work.h"

/* What a contact begins with. */
static const double no_state[DEM_STATE_MAX + 4 + DEMI_KEPT_MOST];

/* Makes the first n pairs that touch a batch; lanes up to `padded` repeat the last one. */
static DEMI_INLINE void batch_begin(chunk_work *t, uint64_t n, uint64_t padded)
{
    for (uint64_t k = n; k < padded; ++k) {
        t->pair[k] = t->pair[n - 1];
        t->index[k] = t->index[n - 1] & ~CHUNK_WAS_TOUCHING;
        if (t->meshes != NULL)
            t->meshes->contact[k] = t->meshes->contact[n - 1];
        if (t->surfaces != NULL)
            t->surfaces->surface[k] = t->surfaces->surface[n - 1];
        if (t->polyhedra != NULL) {
            t->polyhedra->contact[k] = t->polyhedra->contact[n - 1];
            t->polyhedra->before[k] = t->polyhedra->before[n - 1];
            t->polyhedra->spring[k].moved = 0;
            t->polyhedra->merged[k] = t->polyhedra->merged[n - 1];
        }
    }
    double *was_touching = t->lanes->was_touching;
    for (uint64_t k = 0; k < padded; ++k)
        was_touching[k] = (double)(int32_t)(t->index[k] >> 31);
    /* what the next batch will want */
    const uint64_t states = CHUNK_BATCH * t->group->state_stride;
    for (uint64_t c = 0; c < states; c += 8) {
        __builtin_prefetch(t->state + states + c, 0, 2);
        if (!t->past)
            __builtin_prefetch(t->state_next + 2 * states + c, 1, 2);
    }
}

static DEMI_INLINE void gather_spheres(chunk_work *t, uint64_t n, int synchronized, int dashpots)
{
    demi_bodies_gather(t->lanes, t->i, t->j, t->pair, 0, n, synchronized, dashpots, t->again);
}

/* What the shape of walls is asked of some pairs. */
typedef struct chunk_walls {
    const demi_solid *solid[CHUNK_FILTER];
    uint32_t feature[CHUNK_FILTER];
    const double *point[CHUNK_FILTER];
    demi_surface surface[CHUNK_FILTER];
} chunk_walls;

/* What n pairs of the batch group ask of the shape, in the state that is being made. */
static void wall_ends(const chunk_work *t, const demi_pair *pairs, uint64_t n, chunk_walls *walls)
{
    const dem_world *w = t->w;
    const demi_row *x = w->next.position.read;
    for (uint64_t k = 0; k < n; ++k) {
        const demi_ends ends = demi_pair_ends(&w->list, t->chunk, t->group->ends, &pairs[k]);
        walls->solid[k] = &w->next.solid.read[ends.other];
        walls->feature[k] = ends.feature;
        walls->point[k] = x[ends.own];
    }
}

/* Velocities of the surface of a wall that turns, or whose vertices move, for lane k, which is
 * filled but for what is of the half step and for rotations. The arm of the increment is that of
 * the half step: the row and the gap are what they were half of the way before, and the normal is
 * between those of both ends. Dashpots have the arm of the end. */
static void moving_lane(const chunk_work *t, uint64_t k, int first)
{
    static const double none[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const dem_world *w = t->w;
    const demi_ends ends = demi_pair_ends(&w->list, t->chunk, t->group->ends, &t->pair[k]);
    const demi_solid *solid = &w->next.solid.read[ends.other];
    const double *x = w->next.position.read[ends.own],
                 *v = w->next.velocity.data[ends.own].velocity;
    demi_lanes *b = t->lanes;
    if (solid->rate == 0.0 && !solid->deforms)
        return;
    const double(*deform)[3] = none;
    if (solid->deforms)
        deform = (const double(*)[3])t->meshes->contact[k].deform;
    const int standard = t->how.kinematics == DEM_KINEMATICS_STANDARD;
    const double side = first ? 1.0 : -1.0, gap = x[3] - b->overlap_given[k],
                 back = standard ? 0.0 : 0.5 * t->how.dt;
    double normal[3], half[3], arm[3], arm_half[3], at_end[3], at_half[3];
    for (int c = 0; c < 3; ++c) {
        normal[c] = side * b->offset[c][k];
        half[c] = normal[c] + side * b->normal_given[c][k];
    }
    const double length = sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    const int apart = back == 0.0 || !(length > 0.0);
    double gap_half = gap;
    demi_wall_arm(solid, x, gap, normal, arm);
    demi_shape_velocity(solid, arm, at_end);
    for (int c = 0; c < 3; ++c) {
        half[c] = apart ? normal[c] : half[c] / length;
        gap_half -= (v[c] - at_end[c] - deform[1][c]) * half[c] * back;
    }
    for (int c = 0; c < 3; ++c)
        arm_half[c] =
            (x[c] - solid->centre[c]) - (v[c] - solid->velocity[c]) * back - gap_half * half[c];
    demi_shape_velocity(solid, arm_half, at_half);
    for (int c = 0; c < 3; ++c) {
        const double later = standard ? 0.0 : deform[1][c] - deform[0][c];
        b->velocity[c][k] -= side * (at_half[c] - solid->velocity[c] - later);
        b->damping_velocity[c][k] -= side * (at_end[c] - solid->velocity[c]);
    }
}

/* Rows and walls of a batch of n. */
static void gather_walls(const chunk_work *t, uint64_t n)
{
    const dem_world *w = t->w;
    /* other kinematics damp what they move */
    const double again = t->how.kinematics == DEM_KINEMATICS_SYNCHRONIZED ? t->again : 0.0;
    const demi_velocities *half = w->next.velocity.read, *t0 = demi_damping_velocities(w, again);
    const int flat = demi_walls_flat(w, t->group->shape),
              first = t->group->ends != DEMI_LOCALITY_COPY_I;
    chunk_walls walls;
    double before[CHUNK_BATCH][4];
    wall_ends(t, t->pair, n, &walls);
    for (uint64_t k = 0; k < n; ++k) {
        const double *x = walls.point[k];
        const demi_surface *surface =
            t->meshes != NULL ? &t->meshes->contact[k].surface : &t->surfaces->surface[k];
        const uint64_t own = (uint64_t)((const demi_row *)x - w->next.position.read);
        const double *v = half[own].velocity, *s = half[own].angular_velocity;
        double gain[3], angular_velocity_gain[3];
        for (int c = 0; c < 3; ++c) {
            gain[c] = (v[c] - t0[own].velocity[c]) * again;
            angular_velocity_gain[c] = (s[c] - t0[own].angular_velocity[c]) * again;
            before[k][c] = x[c] - v[c] * t->how.dt;
        }
        before[k][3] = x[3];
        const demi_motion row = {x[3], v[3], v, gain, s, angular_velocity_gain};
        demi_wall_lane_fill(t->lanes, k, &row, first, walls.solid[k], surface);
        walls.point[k] = before[k];
    }
    if (flat || n == 0)
        return;
    /* the straight way back to the beginning of the step, as of spheres, against the walls as they
     * stood there */
    for (uint64_t k = 0; k < n; ++k)
        walls.solid[k] = w->current.solid.read + (walls.solid[k] - w->next.solid.read);
    if (t->meshes == NULL)
        demi_shapes[t->group->shape]->surface(n, walls.solid, walls.feature, walls.point,
                                              walls.surface);
    for (uint64_t k = 0; k < n; ++k)
        demi_wall_lane_before(t->lanes, k, first,
                              t->meshes != NULL ? t->meshes->contact[k].normal_t0
                                                : walls.surface[k].normal);
    for (uint64_t k = 0; t->meshes != NULL && k < n; ++k)
        t->lanes->merged[k] = t->meshes->contact[k].merged;
    if (w->walls_turning > 0 || (t->meshes != NULL && w->walls_deforming > 0))
        for (uint64_t k = 0; k < n; ++k)
            moving_lane(t, k, first);
}

/* Bodies are lighter where a contact turns them, too. */
DEMI_APART void gather_rigids(const chunk_work *t, uint64_t n)
{
    demi_lanes *b = t->lanes;
    for (uint64_t k = 0; k < n; ++k) {
        const demi_ends ends = demi_pair_ends(&t->w->list, t->chunk, t->group->ends, &t->pair[k]);
        demi_rigid_fetch(t->w, ends.own);
        if (!ends.wall)
            demi_rigid_fetch(t->w, ends.other);
    }
    for (uint64_t k = 0; k < n; ++k) {
        const demi_ends ends = demi_pair_ends(&t->w->list, t->chunk, t->group->ends, &t->pair[k]);
        const double d[3] = {b->offset[0][k], b->offset[1][k], b->offset[2][k]};
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const double scale = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
        const double normal[3] = {d[0] * scale, d[1] * scale, d[2] * scale};
        const double own = demi_rigid_share(t->w, 1, ends.own, normal);
        const double other = ends.wall ? 0.0 : demi_rigid_share(t->w, 1, ends.other, normal);
        /* the same bits whichever end is the own one */
        b->inverse_mass[k] += own + other;
    }
}

static demi_faceted_call faceted_call_of(const chunk_work *t)
{
    const demi_faceted_call call = {t->w, 1, t->how.dt, t->again};
    return call;
}

/* Lanes of polyhedra. */
DEMI_APART void gather_polyhedra(const chunk_work *t, uint64_t n)
{
    const demi_faceted_call call = faceted_call_of(t);
    for (uint64_t k = 0; k < n; ++k) {
        const demi_ends ends = demi_pair_ends(&t->w->list, t->chunk, t->group->ends, &t->pair[k]);
        demi_faceted_lane(&call, &ends, &t->polyhedra->contact[k], t->polyhedra->before[k],
                          t->lanes, k);
        t->lanes->merged[k] = t->polyhedra->merged[k];
    }
}

/* Springs of patches that merged or split, in the place of those of before. */
DEMI_APART void gather_springs(const chunk_work *t, uint64_t n)
{
    for (uint64_t k = 0; k < n; ++k) {
        const demi_spring *spring = &t->polyhedra->spring[k];
        demi_lane_array *state = t->lanes->state + spring->begin;
        if (!spring->moved)
            continue;
        state[DEMI_MINDLIN_STIFFNESS][k] = spring->stiffness;
        for (int c = 0; c < 3; ++c) {
            state[DEMI_MINDLIN_DISPLACEMENT + c][k] = spring->displacement[c];
            if (spring->forces)
                state[DEMI_MINDLIN_FORCE + c][k] = spring->force[c];
        }
    }
}

/* Where the old states of DEMI_WIDE contacts are; they stand one after the other. */
static DEMI_INLINE void old_states(uint32_t was, uint64_t stride, const double **next,
                                   const double *at[DEMI_WIDE])
{
    const double *state = *next;
    for (uint32_t m = 0; m < DEMI_WIDE; ++m) {
        const uint64_t there = was >> m & 1u;
        at[m] = there ? state : no_state;
        state += stride & -there;
    }
    *next = state;
}

/* States of the batch. */
static DEMI_INLINE void gather_states(chunk_work *t, uint64_t n)
{
    demi_lanes *b = t->lanes;
    const uint64_t stride = t->group->state_stride;
    const double *state = t->state;
    for (uint64_t k = 0; k < n; k += DEMI_WIDE) {
        const double *at[DEMI_WIDE];
        const uint32_t was = demi_wide_signs(&t->index[k]);
        if (was == DEMI_WIDE_ALL) {
            for (uint64_t m = 0; m < DEMI_WIDE; ++m)
                at[m] = state + m * stride;
            state += DEMI_WIDE * stride;
        } else {
            old_states(was, stride, &state, at);
        }
        demi_states_gather(b, at, stride, k);
    }
    t->state = state;
}

#endif
