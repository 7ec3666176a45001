/* SPDX-License-Identifier: MIT */
/* Contact forces of one chunk: lay its chunk copies out in a workspace, filter the pairs that
 * touch, gather them into lanes, compute, scatter forces and new states. Groups of contacts move
 * between rows and lanes by transposition. */
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
    const uint32_t *source;
    uint64_t rows, chunk_copies; /* still to be asked for */
} chunk_ahead;

/* Contacts with meshes of the pairs in chunk_work.pair. */
typedef struct chunk_meshes {
    demi_slot_contact contact[CHUNK_BATCH + CHUNK_FILTER + DEMI_GROUP];
    const double *state; /* of the next contact that was there before */
} chunk_meshes;
_Static_assert(DEMI_SLOTS_MOST <= CHUNK_FILTER, "the slots of a sphere are filtered at a time");

/* Contacts of polyhedra of the pairs in chunk_work.pair; before: as they were, in their states, or
 * NULL. */
typedef struct chunk_polyhedra {
    demi_faceted_contact contact[CHUNK_BATCH + CHUNK_FILTER + DEMI_GROUP];
    const demi_faceted_contact *before[CHUNK_BATCH + CHUNK_FILTER + DEMI_GROUP];
    const double *state; /* of the next contact that was there before */
} chunk_polyhedra;

/* Surfaces that the pairs in chunk_work.pair meet, of walls that are no meshes. */
typedef struct chunk_surfaces {
    demi_surface surface[CHUNK_BATCH + CHUNK_FILTER + DEMI_GROUP];
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
    const double *state_end; /* of the room for new states */
    uint64_t lacking;        /* contacts that found no room, and were not computed */
    demi_bodies i, j;
    double *force_torque_i, *force_torque_j; /* rows of forces and torques of the ends */
    demi_sums_row *sums_i, *sums_j;          /* likewise, with exact sums */
    demi_workspace *workspace;
    demi_lanes *lanes;
    demi_lanes_call how;
    demi_chunk_result *result;
    demi_totals *totals; /* the result's, or those of contacts that another world counts */
    demi_totals elsewhere;
    double again; /* demi_kick_again */
    int past;     /* new states go past the caches */
    chunk_ahead ahead;
    chunk_surfaces *surfaces;   /* NULL: the batch group is with spheres or meshes */
    chunk_meshes *meshes;       /* NULL: the batch group is with other shapes */
    chunk_polyhedra *polyhedra; /* NULL: the batch group is of spheres */
    /* pairs that touch: their numbers in the batch group, with CHUNK_WAS_TOUCHING where they did
     * before */
    uint32_t index[CHUNK_BATCH + CHUNK_FILTER + DEMI_GROUP];
    demi_pair pair[CHUNK_BATCH + CHUNK_FILTER + DEMI_GROUP];
} chunk_work;

/* ------------------------------------------------------------------ what a chunk begins with */

static DEMI_INLINE void copy_velocity(double *to, const demi_velocities *from)
{
    *(demi_v4 *)to = *demi_v4_at(from->velocity);
    *(demi_v4 *)(to + 4) = *demi_v4_at(from->angular_velocity);
}

/* The chunk's copies side by side, at positions where its pairs meet them; forces of 0. */
static DEMI_INLINE void workspace_fill(const chunk_work *t, int synchronized)
{
    const dem_world *w = t->w;
    const demi_chunk chunk = *t->chunk;
    const demi_chunk_copies to = t->workspace->chunk_copy; /* a copy that no store can change */
    const demi_row *x = w->next.position.read;
    const demi_velocities *velocity = w->next.velocity.data,
                          *velocity_t0 = demi_damping_velocities(w);
    const uint64_t own = chunk.row_end - chunk.row_begin,
                   chunk_copies = chunk.copies_end - chunk.copies_begin;
    double shift[DEMI_SHIFTS][4];
    for (uint32_t s = 0; s < DEMI_SHIFTS; ++s)
        for (int c = 0; c < 4; ++c)
            shift[s][c] = c == 3 ? 0.0 : demi_shift_length(&w->config, s, c);
    const uint32_t *source = w->list.source.data + chunk.copies_begin;
    const unsigned char *shifts = w->list.shift.data + chunk.copies_begin;
    memset(w->next.force_torque.data + chunk.row_begin, 0, (size_t)own * sizeof(demi_force_torque));
    if (chunk_copies > 0)
        memset(w->list.chunk_copy.data + chunk.copies_begin, 0,
               (size_t)chunk_copies * sizeof(demi_force_torque));
    for (uint64_t h = 0; h < chunk_copies; ++h) {
        const uint64_t row = source[h];
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
                                    demi_damping_velocities(w)[row].velocity),
                      chunk_copy = bodies_of(workspace->position, workspace->velocity,
                                             workspace->velocity_t0);
    double *const force_torque_own = w->next.force_torque.data[row].force,
                  *const force_torque_copy = w->list.chunk_copy.data[chunk->copies_begin].force;
    t->i = ends == DEMI_LOCALITY_COPY_I ? chunk_copy : own;
    t->j = ends == DEMI_LOCALITY_COPY_J ? chunk_copy : own;
    t->force_torque_i = ends == DEMI_LOCALITY_COPY_I ? force_torque_copy : force_torque_own;
    t->force_torque_j = ends == DEMI_LOCALITY_COPY_J ? force_torque_copy : force_torque_own;
    if (w->exact.sums.exact) {
        demi_sums_row *const sums_own = w->exact.sums.row.data + row, *const sums_copy =
                                                                          w->exact.chunk_copy.data +
                                                                          chunk->copies_begin;
        t->sums_i = ends == DEMI_LOCALITY_COPY_I ? sums_copy : sums_own;
        t->sums_j = ends == DEMI_LOCALITY_COPY_J ? sums_copy : sums_own;
    }
}

/* ------------------------------------------------------------------ gather */

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
    const demi_velocities *half = w->next.velocity.read, *t0 = demi_damping_velocities(w);
    /* other kinematics damp what they move */
    const double again = t->how.kinematics == DEM_KINEMATICS_SYNCHRONIZED ? t->again : 0.0;
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
        b->inverse_mass[k] += demi_rigid_share(t->w, 1, ends.own, normal);
        if (!ends.wall)
            b->inverse_mass[k] += demi_rigid_share(t->w, 1, ends.other, normal);
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
    }
}

/* Where the old states of a group are; they stand one after the other. */
static DEMI_INLINE void old_states(const uint32_t *index, uint64_t stride, const double **next,
                                   const double *at[DEMI_GROUP])
{
    const uint32_t was = demi_group_signs(index);
    const double *state = *next;
    for (uint32_t m = 0; m < DEMI_GROUP; ++m) {
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
    for (uint64_t k = 0; k < n; k += DEMI_GROUP) {
        const double *at[DEMI_GROUP];
        if (demi_group_signs(&t->index[k]) == DEMI_GROUP_ALL) {
            for (uint64_t m = 0; m < DEMI_GROUP; ++m)
                at[m] = state + m * stride;
            state += DEMI_GROUP * stride;
        } else {
            old_states(&t->index[k], stride, &state, at);
        }
        demi_states_gather(b, at, stride, k);
    }
    t->state = state;
}

/* ------------------------------------------------------------------ scatter */

/* Adds the forces of a group of up to DEMI_GROUP contacts to the rows of both bodies. */
static DEMI_INLINE void scatter_group(const chunk_work *t, uint64_t k, uint64_t count, int torques)
{
    demi_group_scatter(t->lanes, k, count, torques, &t->pair[k], t->force_torque_i,
                       t->force_torque_j);
}

/* Adds the forces of the n contacts. */
static DEMI_INLINE void scatter_forces(const chunk_work *t, uint64_t n, int torques)
{
    uint64_t k = 0;
    for (; k + DEMI_GROUP <= n; k += DEMI_GROUP)
        scatter_group(t, k, DEMI_GROUP, torques);
    if (k < n)
        scatter_group(t, k, n - k, torques);
}

/* Adds the moments of the n contacts' forces about the centres of their walls, and what walls that
 * seek a force ask for. */
static void scatter_moments(const chunk_work *t, uint64_t n)
{
    const dem_world *w = t->w;
    const demi_lanes *b = t->lanes;
    const int first = t->group->ends != DEMI_LOCALITY_COPY_I;
    double *const loads = first ? t->force_torque_j : t->force_torque_i;
    const double side = first ? 1.0 : -1.0;
    for (uint64_t k = 0; k < n; ++k) {
        const demi_ends ends = demi_pair_ends(&w->list, t->chunk, t->group->ends, &t->pair[k]);
        const double *x = w->next.position.read[ends.own];
        double *load = loads + (first ? t->pair[k].j : t->pair[k].i);
        double normal[3], arm[3], f[3];
        for (int c = 0; c < 3; ++c) {
            normal[c] = side * b->normal[c][k];
            f[c] = -side * (b->force_normal[k] * b->normal[c][k] + b->force_tangential[c][k]);
        }
        demi_wall_arm(&w->next.solid.read[ends.other], x, x[3] - b->overlap[k], normal, arm);
        load[4] += arm[1] * f[2] - arm[2] * f[1];
        load[5] += arm[2] * f[0] - arm[0] * f[2];
        load[6] += arm[0] * f[1] - arm[1] * f[0];
        if (t->how.slopes) {
            load[3] += b->stiffness[k];
            load[7] += b->damping[k];
        }
    }
}

/* Adds forces and torques of the n contacts of polyhedra, whose whole moments act, and what a wall
 * that seeks a force asks for; and the energy that Hertz's law does not have. */
DEMI_APART void scatter_polyhedra(const chunk_work *t, uint64_t n)
{
    const demi_faceted_call call = faceted_call_of(t);
    demi_lanes *b = t->lanes;
    const int first = t->group->ends != DEMI_LOCALITY_COPY_I;
    for (uint64_t k = 0; k < n; ++k) {
        const demi_ends ends = demi_pair_ends(&t->w->list, t->chunk, t->group->ends, &t->pair[k]);
        demi_faceted_contact *contact = &t->polyhedra->contact[k];
        double *i = t->force_torque_i + t->pair[k].i, *j = t->force_torque_j + t->pair[k].j,
               *wall = first ? j : i;
        demi_faceted_moments(&call, &ends, contact, b, k);
        for (int c = 0; c < 3; ++c) {
            i[c] += b->force[c][k];
            j[c] -= b->force[c][k];
            i[4 + c] += b->torque_i[c][k];
            j[4 + c] += b->torque_j[c][k];
        }
        if (ends.wall && t->w->walls_needing > 0) {
            wall[3] += b->stiffness[k];
            wall[7] += b->damping[k];
        }
        contact->dashpot = b->force_normal[k] - b->force_elastic[k];
        if (!t->how.energy_tracking)
            continue;
        t->result->totals.elastic += demi_faceted_energy(contact, b, k);
        t->result->totals.dissipated_normal +=
            demi_faceted_dissipation(contact, t->polyhedra->before[k], t->how.dt, b, k) -
            b->dissipated_normal[k];
    }
}

/* Exact sums of the n contacts with walls, whose torques are about their centres. Tells the first
 * that is beyond the range; n if there is none. */
DEMI_APART uint64_t scatter_exact_walls(const chunk_work *t, uint64_t n)
{
    const dem_world *w = t->w;
    const demi_exact_world *exact = &w->exact;
    const demi_lanes *b = t->lanes;
    const int first = t->group->ends != DEMI_LOCALITY_COPY_I;
    const double side = first ? 1.0 : -1.0;
    const demi_lane_array *own = first ? b->torque_i : b->torque_j,
                          *other = first ? b->torque_j : b->torque_i;
    for (uint64_t k = 0; k < n; ++k) {
        const demi_ends ends = demi_pair_ends(&w->list, t->chunk, t->group->ends, &t->pair[k]);
        const double *x = w->next.position.read[ends.own];
        demi_sums_row *row = first ? t->sums_i + t->pair[k].i / DEMI_LOCAL_OFFSET
                                   : t->sums_j + t->pair[k].j / DEMI_LOCAL_OFFSET,
                      *wall = first ? t->sums_j + t->pair[k].j / DEMI_LOCAL_OFFSET
                                    : t->sums_i + t->pair[k].i / DEMI_LOCAL_OFFSET;
        double normal[3], arm[3], f[3], moment[3];
        for (int c = 0; c < 3; ++c) {
            normal[c] = side * b->normal[c][k];
            f[c] = -side * b->force[c][k];
        }
        demi_wall_arm(&w->next.solid.read[ends.other], x, x[3] - b->overlap[k], normal, arm);
        for (int c = 0; c < 3; ++c)
            moment[c] =
                other[c][k] + arm[(c + 1) % 3] * f[(c + 2) % 3] - arm[(c + 2) % 3] * f[(c + 1) % 3];
        if (!demi_within3(moment, exact->moment.most))
            return k;
        for (int c = 0; c < 3; ++c) {
            const demi_exact_sum force = demi_exact_split(&exact->sums.force, f[c]);
            demi_exact_subtract(&row->force[c], force);
            demi_exact_add(&wall->force[c], force);
            demi_exact_add(&row->torque[c], demi_exact_split(&exact->sums.torque, own[c][k]));
            demi_exact_add(&wall->torque[c], demi_exact_split(&exact->moment, moment[c]));
        }
    }
    return n;
}

/* Adds the n contacts to exact sums. Where one is beyond the ranges, the step is undone. */
DEMI_APART dem_status scatter_exact(const chunk_work *t, uint64_t n)
{
    demi_lanes *b = t->lanes;
    const demi_exact_world *exact = &t->w->exact;
    const int torques = demi_model_torques(t->group->model);
    uint64_t k = n;
    if (t->group->shape != DEMI_SHAPE_SPHERE) {
        k = demi_exact_beyond(exact, b, n);
        if (k == n)
            k = scatter_exact_walls(t, n);
    } else if (torques ? !demi_exact_scatter(exact, b, n, 1, t->pair, t->sums_i, t->sums_j)
                       : !demi_exact_scatter(exact, b, n, 0, t->pair, t->sums_i, t->sums_j)) {
        demi_lanes_resultant(b, n, torques);
        k = demi_exact_beyond(exact, b, n);
    }
    if (k == n)
        return DEM_OK;
    double *value = &t->result->value;
    t->result->status = DEM_ERROR_RANGE;
    t->result->pair = t->group->begin + (t->index[k] & ~CHUNK_WAS_TOUCHING);
    *value = 0.0;
    for (int c = 0; c < 3; ++c) {
        *value = fmax(*value, fabs(b->force[c][k]));
        *value = fmax(*value, fmax(fabs(b->torque_i[c][k]), fabs(b->torque_j[c][k])));
    }
    return DEM_ERROR_RANGE;
}

/* Notes which of a group are no longer in contact; tells which are. */
static DEMI_INLINE uint32_t group_touching(const chunk_work *t, uint64_t k, uint64_t count)
{
    const uint32_t there = count < DEMI_GROUP ? (1u << count) - 1u : DEMI_GROUP_ALL;
    const uint32_t touching = demi_group_any(&t->lanes->touching[k]) & there;
    if (touching == DEMI_GROUP_ALL)
        return touching;
    for (uint32_t m = 0; m < DEMI_GROUP && m < count; ++m)
        if ((touching >> m & 1u) == 0)
            t->touching_next[t->index[k + m] & ~CHUNK_WAS_TOUCHING] = 0;
    return touching;
}

/* Keeps the states of the contacts that exist, one after the other. */
static DEMI_INLINE void keep_states(chunk_work *t, uint64_t n, int past)
{
    const demi_lanes *b = t->lanes;
    const uint64_t stride = t->group->state_stride;
    double *next = t->state_next;
    for (uint64_t k = 0; k < n; k += DEMI_GROUP) {
        const uint64_t count = n - k;
        const uint32_t touching = group_touching(t, k, count);
        for (uint64_t c = 0; c < stride; c += 4) {
            demi_group rows[4];
            for (uint64_t m = 0; m < 4; ++m)
                rows[m] = *(const demi_group *)&b->state[c + m][k];
            demi_v4_transpose(rows);
            double *to = next + c;
            if (touching == DEMI_GROUP_ALL) {
#pragma GCC unroll 4
                for (int m = 0; m < DEMI_GROUP; ++m)
                    demi_group_store(rows, m, to + (uint64_t)m * stride, past);
                continue;
            }
            /* in this order: the place of one that ended is that of the next */
#pragma GCC unroll 4
            for (int m = 0; m < DEMI_GROUP; ++m) {
                if ((uint64_t)m >= count)
                    break;
                demi_group_store(rows, m, to, past);
                to += stride & -(uint64_t)(touching >> m & 1u);
            }
        }
        next += stride * (uint64_t)__builtin_popcount(touching);
    }
    t->state_next = next;
}

/* What is kept of contacts with meshes, after the states of the model. */
static void keep_slots(const chunk_work *t, uint64_t n)
{
    const demi_lanes *b = t->lanes;
    demi_lane_array *to = b->state + t->group->state_stride - DEMI_SLOT_KEPT;
    const double side = t->group->ends != DEMI_LOCALITY_COPY_I ? -1.0 : 1.0;
    for (uint64_t k = 0; k < n; ++k) {
        double *kept = t->meshes->contact[k].kept;
        for (int c = 0; c < 3; ++c)
            kept[DEMI_SLOT_FORCE + c] =
                side * (b->force_normal[k] * b->normal[c][k] + b->force_tangential[c][k]);
        for (int c = 0; c < DEMI_SLOT_KEPT; ++c)
            to[c][k] = kept[c];
    }
}

/* What is kept of contacts of polyhedra, after the states of the model. */
static void keep_polyhedra(const chunk_work *t, uint64_t n)
{
    demi_lane_array *to = t->lanes->state + t->group->state_stride - DEMI_FACETED_KEPT;
    for (uint64_t k = 0; k < n; ++k) {
        double kept[DEMI_FACETED_KEPT];
        memcpy(kept, &t->polyhedra->contact[k], sizeof kept);
        for (int c = 0; c < DEMI_FACETED_KEPT; ++c)
            to[c][k] = kept[c];
    }
}

/* An evaluation without a step leaves the states, which begin at `state`, as they are, but for what
 * tells the slots of meshes, and for forces that tell the work of the next step. */
static void copy_states(chunk_work *t, const double *state, uint64_t n)
{
    const uint64_t stride = t->group->state_stride;
    const demi_model *model = t->group->model;
    for (uint64_t k = 0; k < n; k += DEMI_GROUP) {
        const uint32_t touching = group_touching(t, k, n - k);
        const double *at[DEMI_GROUP];
        old_states(&t->index[k], stride, &state, at);
        for (uint32_t m = 0; m < DEMI_GROUP; ++m) {
            if ((touching >> m & 1u) == 0 || stride == 0)
                continue;
            memcpy(t->state_next, at[m], stride * sizeof(double));
            for (uint32_t f = 0; f < model->force_count; ++f)
                t->state_next[model->force[f]] = t->lanes->state[model->force[f]][k + m];
            t->state_next += stride;
            if (t->meshes != NULL)
                memcpy(t->state_next - DEMI_SLOT_KEPT, t->meshes->contact[k + m].kept,
                       DEMI_SLOT_KEPT * sizeof(double));
            if (t->polyhedra != NULL)
                memcpy(t->state_next - DEMI_FACETED_KEPT, &t->polyhedra->contact[k + m],
                       DEMI_FACETED_KEPT * sizeof(double));
        }
    }
}

/* ------------------------------------------------------------------ a batch */

/* Computes the first n pairs that touch. */
static dem_status chunk_flush(chunk_work *t, uint64_t n)
{
    const uint64_t padded = DEMI_PADDED(n);
    const double *state = t->state;
    if (t->lacking > 0 || n * t->group->state_stride > (uint64_t)(t->state_end - t->state_next)) {
        t->lacking += n;
        return DEM_OK;
    }
    batch_begin(t, n, padded);
    if (t->polyhedra != NULL)
        gather_polyhedra(t, padded);
    else if (t->group->shape != DEMI_SHAPE_SPHERE)
        gather_walls(t, padded);
    else if (t->how.kinematics != DEM_KINEMATICS_SYNCHRONIZED)
        gather_spheres(t, padded, 0, 0);
    else if (demi_model_dashpots(t->group->model))
        gather_spheres(t, padded, 1, 1);
    else
        gather_spheres(t, padded, 1, 0);
    if (t->w->rigids > 0 && t->polyhedra == NULL)
        gather_rigids(t, padded);
    gather_states(t, padded);
    demi_chunk_result *result = t->result;
    result->status = demi_lanes_run(t->lanes, n, &t->how, t->totals);
    if (result->status != DEM_OK) {
        if (result->status != DEM_ERROR_CALLBACK) {
            result->pair = t->group->begin + (t->index[t->how.lane] & ~CHUNK_WAS_TOUCHING);
            result->value = t->lanes->overlap[t->how.lane];
        }
        result->what = t->group->model->laws[0].name;
        return result->status;
    }
    if (t->polyhedra != NULL) {
        scatter_polyhedra(t, n);
        keep_polyhedra(t, n);
    } else if (t->w->exact.sums.exact) {
        if (scatter_exact(t, n) != DEM_OK)
            return result->status;
    } else if (demi_model_torques(t->group->model))
        scatter_forces(t, n, 1);
    else
        scatter_forces(t, n, 0);
    if (t->group->shape != DEMI_SHAPE_SPHERE && !t->w->exact.sums.exact && t->polyhedra == NULL)
        scatter_moments(t, n);
    if (t->meshes != NULL)
        keep_slots(t, n);
    if (t->how.evaluate_only)
        copy_states(t, state, n);
    else if (t->past)
        keep_states(t, n, 1);
    else
        keep_states(t, n, 0);
    return DEM_OK;
}

/* Those of the batch that was computed make room for those that follow. */
DEMI_APART void polyhedra_move(chunk_polyhedra *polyhedra)
{
    memmove(polyhedra->contact, polyhedra->contact + CHUNK_BATCH,
            (CHUNK_FILTER + DEMI_GROUP) * sizeof polyhedra->contact[0]);
    memmove(polyhedra->before, polyhedra->before + CHUNK_BATCH,
            (CHUNK_FILTER + DEMI_GROUP) * sizeof polyhedra->before[0]);
}

/* Computes full batches of the n pairs that touch, and the rest if this is the end. */
static DEMI_INLINE dem_status chunk_drain(chunk_work *t, uint64_t *n, int end)
{
    while (*n >= CHUNK_BATCH || (end && *n > 0)) {
        const uint64_t batch = *n < CHUNK_BATCH ? *n : CHUNK_BATCH;
        const dem_status status = chunk_flush(t, batch);
        if (status != DEM_OK)
            return status;
        *n -= batch;
        /* there are at most as many more as were filtered at a time, moved in two parts that do
         * not overlap */
        for (int half = 0; half < 2; ++half) {
            memcpy(t->index + half * CHUNK_BATCH, t->index + (half + 1) * CHUNK_BATCH,
                   CHUNK_BATCH * sizeof t->index[0]);
            memcpy(t->pair + half * CHUNK_BATCH, t->pair + (half + 1) * CHUNK_BATCH,
                   CHUNK_BATCH * sizeof t->pair[0]);
            if (t->meshes != NULL)
                memcpy(t->meshes->contact + half * CHUNK_BATCH,
                       t->meshes->contact + (half + 1) * CHUNK_BATCH,
                       CHUNK_BATCH * sizeof t->meshes->contact[0]);
            if (t->surfaces != NULL)
                memcpy(t->surfaces->surface + half * CHUNK_BATCH,
                       t->surfaces->surface + (half + 1) * CHUNK_BATCH,
                       CHUNK_BATCH * sizeof t->surfaces->surface[0]);
        }
        if (t->polyhedra != NULL)
            polyhedra_move(t->polyhedra);
    }
    return DEM_OK;
}

/* ------------------------------------------------------------------ filter */

static dem_status batch_group_walls(chunk_work *t)
{
    uint64_t n = 0;
    dem_status status = DEM_OK;
    chunk_walls walls;
    chunk_surfaces surfaces;
    const uint64_t pairs = t->group->end - t->group->begin;
    t->surfaces = &surfaces;
    for (uint64_t p = 0; status == DEM_OK && p < pairs; p += CHUNK_FILTER) {
        const uint64_t count = pairs - p < CHUNK_FILTER ? pairs - p : CHUNK_FILTER;
        wall_ends(t, t->pairs + p, count, &walls);
        demi_shapes[t->group->shape]->surface(count, walls.solid, walls.feature, walls.point,
                                              walls.surface);
        for (uint64_t k = 0; k < count; ++k) {
            const uint32_t was = t->touching[p + k];
            const uint32_t touch =
                (uint32_t)(walls.surface[k].gap < walls.point[k][3] + t->group->reach) | was;
            t->touching_next[p + k] = (unsigned char)touch;
            t->index[n] = (uint32_t)(p + k) | was << 31;
            t->pair[n] = t->pairs[p + k];
            surfaces.surface[n] = walls.surface[k];
            n += touch;
        }
        status = chunk_drain(t, &n, 0);
    }
    status = status != DEM_OK ? status : chunk_drain(t, &n, 1);
    t->surfaces = NULL;
    return status;
}

/* The contacts of the pairs from p on, which are the slots of one sphere and one mesh: of those
 * that touch, or did, n are there already. Tells how many slots these are; 0 where there is no
 * room. */
static uint64_t filter_slots(chunk_work *t, uint64_t p, uint64_t *n)
{
    const dem_world *w = t->w;
    const demi_ends ends = demi_pair_ends(&w->list, t->chunk, t->group->ends, &t->pairs[p]);
    const double *x = w->next.position.read[ends.own],
                 *v = w->next.velocity.data[ends.own].velocity;
    const double before[3] = {x[0] - v[0] * t->how.dt, x[1] - v[1] * t->how.dt,
                              x[2] - v[2] * t->how.dt};
    demi_slot_contact contact[DEMI_SLOTS_MOST];
    demi_slots_call call = {.solid = &w->next.solid.read[ends.other],
                            .solid_t0 = &w->current.solid.read[ends.other],
                            .centre = x,
                            .centre_t0 = before,
                            .radius = x[3],
                            .reach = t->group->reach,
                            .work = demi_mesh_points_of(w, t->workspace),
                            .room = w->mesh_room,
                            .nearby =
                                w->list.nearby.data + t->group->nearby_begin + p / DEMI_SLOTS_FIRST,
                            .margin = w->list.skin};
    const uint64_t slots = call.solid->slots;
    for (uint64_t s = 0; s < slots; ++s) {
        call.kept[s] =
            t->touching[p + s] ? t->meshes->state + t->group->state_stride - DEMI_SLOT_KEPT : NULL;
        t->meshes->state += t->touching[p + s] ? t->group->state_stride : 0;
    }
    if (!demi_slots_find(&call, contact)) {
        t->result->status = DEM_ERROR_RANGE;
        t->result->pair = t->group->begin + p;
        t->result->facets = call.facets;
        t->result->slots = call.slots;
        return 0;
    }
    for (uint64_t s = 0; s < slots; ++s) {
        t->touching_next[p + s] = (unsigned char)contact[s].there;
        if (!contact[s].there)
            continue;
        t->index[*n] = (uint32_t)(p + s) | (uint32_t)t->touching[p + s] << 31;
        t->pair[*n] = t->pairs[p + s];
        t->meshes->contact[(*n)++] = contact[s];
    }
    return slots;
}

DEMI_APART dem_status batch_group_meshes(chunk_work *t)
{
    chunk_meshes meshes;
    uint64_t n = 0;
    dem_status status = DEM_OK;
    const uint64_t pairs = t->group->end - t->group->begin;
    meshes.state = t->state;
    t->meshes = &meshes;
    for (uint64_t p = 0; status == DEM_OK && p < pairs;) {
        const uint64_t slots = filter_slots(t, p, &n);
        p += slots;
        status = slots > 0 ? chunk_drain(t, &n, 0) : t->result->status;
    }
    status = status != DEM_OK ? status : chunk_drain(t, &n, 1);
    t->meshes = NULL;
    return status;
}

/* The contact of pair p, which is of polyhedra: where it touches, or did, n is one more. */
static dem_status filter_polyhedra(chunk_work *t, uint64_t p, uint64_t *n)
{
    chunk_polyhedra *polyhedra = t->polyhedra;
    const uint32_t was = t->touching[p];
    const demi_ends ends = demi_pair_ends(&t->w->list, t->chunk, t->group->ends, &t->pairs[p]);
    const demi_faceted_contact *before = NULL;
    demi_faceted_contact *contact = &polyhedra->contact[*n];
    demi_faceted_work *work = demi_faceted_work_of(t->w, t->workspace);
    if (was) {
        before = (const void *)(polyhedra->state + t->group->state_stride - DEMI_FACETED_KEPT);
        polyhedra->state += t->group->state_stride;
    }
    t->result->faceted = demi_faceted_find(t->w, &ends, work, before, contact);
    t->result->pair = t->group->begin + p;
    t->result->crossings = work->overlap.wanted;
    if (t->result->faceted != DEMI_FACETED_FOUND)
        return t->result->status = DEM_ERROR_RANGE;
    t->result->value = contact->depth;
    if (t->result->value > t->w->config.overlap_limit * demi_faceted_least(t->w, &ends))
        return t->result->status = DEM_ERROR_OVERLAP;
    const uint32_t touch = (uint32_t)(contact->overlap > 0.0) | was;
    t->touching_next[p] = (unsigned char)touch;
    polyhedra->before[*n] = before;
    t->index[*n] = (uint32_t)p | was << 31;
    t->pair[*n] = t->pairs[p];
    *n += touch;
    return DEM_OK;
}

DEMI_APART dem_status batch_group_polyhedra(chunk_work *t)
{
    chunk_polyhedra polyhedra;
    uint64_t n = 0;
    dem_status status = DEM_OK;
    const uint64_t pairs = t->group->end - t->group->begin;
    polyhedra.state = t->state;
    t->polyhedra = &polyhedra;
    for (uint64_t p = 0; status == DEM_OK && p < pairs; ++p) {
        status = filter_polyhedra(t, p, &n);
        if (status == DEM_OK)
            status = chunk_drain(t, &n, 0);
    }
    status = status != DEM_OK ? status : chunk_drain(t, &n, 1);
    t->polyhedra = NULL;
    return status;
}

/* Which of a group of pairs are within reach, as bits; a little too many is harmless. */
static DEMI_INLINE uint32_t group_near(const double *from_i, const double *from_j,
                                       const demi_pair *pair, double reach)
{
    uint32_t at_i[DEMI_GROUP], at_j[DEMI_GROUP];
    for (int m = 0; m < DEMI_GROUP; ++m) {
        at_i[m] = pair[m].i;
        at_j[m] = pair[m].j;
    }
    demi_group i[4], j[4], radius_i, radius_j;
    for (int s = 0; s < 4; ++s) {
        demi_group_two(from_i, at_i, DEMI_LOCAL_OFFSET_POSITION, s, &i[s]);
        demi_group_two(from_j, at_j, DEMI_LOCAL_OFFSET_POSITION, s, &j[s]);
    }
    demi_group_last(i, &radius_i);
    demi_group_last(j, &radius_j);
    for (int s = 0; s < 4; ++s)
        i[s] -= j[s];
    demi_v4_transpose(i);
    const demi_group touch = (reach + (radius_i + radius_j)) * (1.0 + 1e-12);
    const demi_group distance2 = i[0] * i[0] + i[1] * i[1] + i[2] * i[2], touch2 = touch * touch;
    return demi_v4_below(&distance2, &touch2);
}

/* Asks for a row of the next chunk and one of its chunk copies. */
static DEMI_INLINE void ask_ahead(chunk_ahead *a)
{
    if (a->rows > 0) {
        --a->rows;
        __builtin_prefetch(a->position++, 0, 2);
        __builtin_prefetch(a->velocity++, 0, 2);
        __builtin_prefetch(a->force_torque++, 1, 2);
        if (a->old != NULL)
            __builtin_prefetch(a->old++, 0, 2);
    }
    if (a->chunk_copies > 0) {
        --a->chunk_copies;
        const uint32_t source = *a->source++ & ~DEMI_WALL_BIT;
        __builtin_prefetch(a->chunk_copy++, 1, 2);
        __builtin_prefetch(&a->every_position[source], 0, 2);
        __builtin_prefetch(&a->every_velocity[source], 0, 2);
        if (a->old != NULL)
            __builtin_prefetch(&a->every_old[source], 0, 2);
    }
}

static DEMI_INLINE chunk_ahead ahead_of(const dem_world *w, uint64_t k, int synchronized)
{
    chunk_ahead a;
    memset(&a, 0, sizeof a);
    if (k + 1 >= w->list.chunks)
        return a;
    const demi_chunk *chunk = w->list.chunk.data + k + 1;
    a.every_position = w->next.position.read;
    a.position = a.every_position + chunk->row_begin;
    a.every_velocity = w->next.velocity.data;
    a.every_old = demi_damping_velocities(w);
    a.velocity = a.every_velocity + chunk->row_begin;
    a.old = synchronized ? a.every_old + chunk->row_begin : NULL;
    a.force_torque = w->next.force_torque.data + chunk->row_begin;
    a.chunk_copy = w->list.chunk_copy.data + chunk->copies_begin;
    a.source = w->list.source.data + chunk->copies_begin;
    a.rows = chunk->row_end - chunk->row_begin;
    a.chunk_copies = chunk->copies_end - chunk->copies_begin;
    return a;
}

/* Adds those of a group of pairs that touch, or did, to the n there. */
static DEMI_INLINE void group_filter(chunk_work *t, uint64_t p, const demi_pair *pair,
                                     const unsigned char *touching, uint32_t near,
                                     unsigned char *touching_next, uint64_t *n)
{
    const uint32_t touch = near | demi_group_flags(touching);
    /* most of them stay in contact */
    demi_group_set_flags(touch, touching_next);
    demi_group_append((uint32_t)p, touching, pair, touch, t->index + *n, t->pair + *n);
    *n += (uint64_t)__builtin_popcount(touch);
}

/* Filters pairs from p on, as many as there are whole groups before `stop`; tells where the rest
 * begins. */
static DEMI_INLINE uint64_t filter_groups(chunk_work *t, uint64_t p, uint64_t stop, uint64_t *n)
{
    /* copies that no store can change, in the compiler's eyes */
    const double *from_i = t->i.position, *from_j = t->j.position, reach = t->group->reach;
    const demi_pair *pairs = t->pairs;
    const unsigned char *touching = t->touching;
    unsigned char *touching_next = t->touching_next;
    chunk_ahead ahead = t->ahead;
    uint64_t count = *n;
    for (; p + DEMI_GROUP <= stop; p += DEMI_GROUP) {
        const uint32_t near = group_near(from_i, from_j, &pairs[p], reach);
        ask_ahead(&ahead);
        group_filter(t, p, &pairs[p], &touching[p], near, &touching_next[p], &count);
    }
    t->ahead = ahead;
    *n = count;
    return p;
}

/* The last few pairs before `stop`, filled up with the first of them. */
static DEMI_INLINE void filter_rest(chunk_work *t, uint64_t p, uint64_t stop, uint64_t *n)
{
    demi_pair rest[DEMI_GROUP];
    unsigned char touching[DEMI_GROUP] = {0}, touching_next[DEMI_GROUP];
    const size_t count = (size_t)(stop - p);
    for (uint64_t m = 0; m < DEMI_GROUP; ++m)
        rest[m] = t->pairs[m < count ? p + m : p];
    memcpy(touching, &t->touching[p], count);
    const uint32_t near = group_near(t->i.position, t->j.position, rest, t->group->reach);
    group_filter(t, p, rest, touching, near & ((1u << count) - 1u), touching_next, n);
    memcpy(&t->touching_next[p], touching_next, count);
}

static dem_status batch_group_spheres(chunk_work *t)
{
    uint64_t n = 0;
    dem_status status = DEM_OK;
    const uint64_t end = t->group->end - t->group->begin;
    for (uint64_t p = 0; status == DEM_OK && p < end;) {
        const uint64_t stop = p + CHUNK_FILTER < end ? p + CHUNK_FILTER : end;
        p = filter_groups(t, p, stop, &n);
        if (p < stop)
            filter_rest(t, p, stop, &n);
        p = stop;
        status = chunk_drain(t, &n, 0);
    }
    return status != DEM_OK ? status : chunk_drain(t, &n, 1);
}

/* ------------------------------------------------------------------ a chunk */

/* Notes for how many contacts the batch group needs room; the chunk is computed again then. */
DEMI_APART void room_want(const chunk_work *t)
{
    const dem_world *w = t->w;
    demi_batch_group *group = w->list.batch_group.data + (t->group - w->list.batch_group.read);
    const double *begin = w->next.contact_state.read + group->state_begin;
    group->state_wanted =
        (uint32_t)((uint64_t)(t->state_next - begin) / group->state_stride + t->lacking);
    t->result->full = 1;
}

static dem_status batch_group_pairs(chunk_work *t, const demi_batch_group *group,
                                    const demi_chunk_call *call)
{
    const dem_world *w = t->w;
    const demi_lanes_call how = {
        .model = group->model,
        .normals = group->faceted ? DEMI_NORMALS_GIVEN : demi_lanes_normals(w, group->shape),
        .kinematics = w->scheme->kinematics,
        .padded = 1,
        .apart = (!w->exact.sums.exact || group->shape == DEMI_SHAPE_SPHERE) && !group->faceted,
        .slopes = (w->walls_needing > 0 && group->shape != DEMI_SHAPE_SPHERE) || group->faceted,
        .merges = demi_shapes[group->shape]->kept > 0,
        .dt = call->step.dt,
        .evaluate_only = call->step.evaluate_only,
        /* of polyhedra it is a limit of the depth, see filter_polyhedra */
        .overlap_limit = group->faceted ? INFINITY : w->config.overlap_limit,
        .energy_tracking = w->config.energy_tracking == DEM_ENERGY_TRACKING_FULL};
    t->group = group;
    t->totals = group->uncounted ? &t->elsewhere : &t->result->totals;
    t->how = how;
    t->pairs = w->list.pair.data + group->begin;
    t->touching = w->current.touching.data + group->begin;
    t->touching_next = w->next.touching.data + group->begin;
    batch_group_sides(t, group->ends);
    t->state = w->current.contact_state.data + group->state_begin;
    t->state_next = w->next.contact_state.data + group->state_begin;
    t->state_end = t->state_next + (uint64_t)group->state_room * group->state_stride;
    t->lacking = 0;
    const dem_status status = group->faceted                        ? batch_group_polyhedra(t)
                              : group->shape == DEMI_SHAPE_SPHERE   ? batch_group_spheres(t)
                              : demi_shapes[group->shape]->kept > 0 ? batch_group_meshes(t)
                                                                    : batch_group_walls(t);
    if (t->lacking > 0)
        room_want(t);
    return status;
}

/* Whether the world's states are so many that none would be in a cache of a core any more when the
 * next step reads them. */
static int states_past(const dem_world *w)
{
    return w->list.states * sizeof(double) > CHUNK_STATES_CACHED;
}

DEMI_ENTRY(demi_chunk_function, demi_chunk_contacts);

void demi_chunk_contacts(const demi_chunk_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    demi_chunk_result *result = w->chunk_result.data + k;
    result->status = DEM_OK;
    result->facets = result->slots = result->crossings = 0;
    result->faceted = DEMI_FACETED_FOUND;
    result->full = 0;
    memset(&result->totals, 0, sizeof result->totals);
    demi_workspace *workspace =
        demi_workspace_take(&w->workspaces, k * w->workspaces.count / w->list.chunks);
    const int synchronized = w->scheme->kinematics == DEM_KINEMATICS_SYNCHRONIZED;
    chunk_work t = {.w = w,
                    .chunk = chunk,
                    .workspace = workspace,
                    .lanes = workspace->lanes,
                    .result = result,
                    .again = call->again,
                    .past = states_past(w),
                    .ahead = ahead_of(w, k, synchronized)};
    if (synchronized)
        workspace_fill(&t, 1);
    else
        workspace_fill(&t, 0);
    if (w->exact.sums.exact) {
        memset(w->exact.sums.row.data + chunk->row_begin, 0,
               (size_t)(chunk->row_end - chunk->row_begin) * sizeof(demi_sums_row));
        if (chunk->copies_end > chunk->copies_begin)
            memset(w->exact.chunk_copy.data + chunk->copies_begin, 0,
                   (size_t)(chunk->copies_end - chunk->copies_begin) * sizeof(demi_sums_row));
    }
    const demi_batch_group *groups = w->list.batch_group.data;
    dem_status status = DEM_OK;
    for (uint64_t r = chunk->batch_group_begin; status == DEM_OK && r < chunk->batch_group_end; ++r)
        status = batch_group_pairs(&t, &groups[r], call);
    demi_group_fence();
    demi_workspace_return(workspace);
}

#undef CHUNK_BATCH
#undef CHUNK_FILTER
#undef CHUNK_STATES_CACHED
#undef CHUNK_WAS_TOUCHING
