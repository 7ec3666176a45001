/* SPDX-License-Identifier: MIT */
/* What a batch gave on its way from lanes to rows: forces, moments, exact sums, new states. */
#ifndef DEMI_CHUNK_SCATTER_H
#define DEMI_CHUNK_SCATTER_H

#include "world/simd/chunk/work.h"

/* Adds the forces of up to DEMI_WIDE contacts to the rows of both bodies. */
static DEMI_INLINE void scatter_wide(const chunk_work *t, uint64_t k, uint64_t count, int torques)
{
    demi_wide_scatter(t->lanes, k, count, torques, &t->pair[k], t->force_torque_i,
                      t->force_torque_j);
}

/* Adds the forces of the n contacts. */
static DEMI_INLINE void scatter_forces(const chunk_work *t, uint64_t n, int torques)
{
    uint64_t k = 0;
    for (; k + DEMI_WIDE <= n; k += DEMI_WIDE)
        scatter_wide(t, k, DEMI_WIDE, torques);
    if (k < n)
        scatter_wide(t, k, n - k, torques);
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
        double *i = t->force_torque_i + demi_pair_offset(t->pair[k].i),
               *j = t->force_torque_j + demi_pair_offset(t->pair[k].j), *wall = first ? j : i;
        demi_faceted_moments(&call, &ends, contact, b, k);
        for (int c = 0; c < 3; ++c) {
            i[c] += b->force[c][k];
            j[c] -= b->force[c][k];
            i[4 + c] += b->torque_i[c][k];
            j[4 + c] += b->torque_j[c][k];
        }
        if (ends.wall && t->w->walls_needing > 0) {
            wall[3] += demi_faceted_slope(t->w, contact, b, k);
            wall[7] += b->damping[k];
        }
        contact->dashpot = b->force_normal[k] - b->force_elastic[k];
        /* what a merged contact had is lost, as its lane says */
        if (!t->how.energy_tracking || t->polyhedra->merged[k])
            continue;
        t->totals->elastic += demi_faceted_energy(contact, b, k);
        t->totals->dissipated_normal +=
            demi_faceted_dissipation(contact, t->polyhedra->before[k], t->how.dt, b, k) -
            b->dissipated_normal[k];
    }
}

static DEMI_INLINE void place_add(demi_exact_row *row, int place, demi_exact_sum term)
{
    row->high[place] += term.high;
    row->low[place] += term.low;
}

/* Exact sums of the n contacts with walls, whose torques are about their centres. Tells the first
 * whose moment is beyond the range, and that moment's size; n if there is none. */
DEMI_APART uint64_t scatter_exact_walls(const chunk_work *t, uint64_t n, double *size)
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
        demi_exact_row *row = first ? t->sums_i + t->pair[k].i / DEMI_LOCAL_OFFSET
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
        *size = fmax(fabs(moment[0]), fmax(fabs(moment[1]), fabs(moment[2])));
        if (!(*size <= exact->moment.most))
            return k;
        for (int c = 0; c < 3; ++c) {
            place_add(row, c, demi_exact_split(&exact->sums.force, -f[c]));
            place_add(wall, c, demi_exact_split(&exact->sums.force, f[c]));
            place_add(row, 4 + c, demi_exact_split(&exact->sums.torque, own[c][k]));
            place_add(wall, 4 + c, demi_exact_split(&exact->moment, moment[c]));
        }
    }
    return n;
}

/* Adds the n contacts to exact sums. Where one is beyond the ranges, the step is undone. */
DEMI_APART dem_status scatter_exact(const chunk_work *t, uint64_t n)
{
    demi_lanes *b = t->lanes;
    const demi_exact_world *exact = &t->w->exact;
    const int torques = demi_model_torques(t->group->model),
              spheres = t->group->shape == DEMI_SHAPE_SPHERE;
    if (spheres &&
        (torques ? demi_exact_scatter(&exact->places, b, n, 1, t->pair, t->sums_i, t->sums_j)
                 : demi_exact_scatter(&exact->places, b, n, 0, t->pair, t->sums_i, t->sums_j)))
        return DEM_OK;
    demi_lanes_resultant(b, n, torques);
    uint64_t k = demi_exact_beyond(exact, b, n);
    double *value = &t->result->value;
    const int moment = k == n && !spheres;
    if (moment)
        k = scatter_exact_walls(t, n, value);
    if (k == n)
        return DEM_OK;
    t->result->what = moment ? "moment" : NULL;
    t->result->status = DEM_ERROR_RANGE;
    t->result->pair = t->group->begin + (t->index[k] & ~CHUNK_WAS_TOUCHING);
    *value = moment ? *value : 0.0;
    for (int c = 0; c < 3; ++c) {
        *value = fmax(*value, fabs(b->force[c][k]));
        *value = fmax(*value, fmax(fabs(b->torque_i[c][k]), fabs(b->torque_j[c][k])));
    }
    return DEM_ERROR_RANGE;
}

/* What contacts of the chunk gave its rows: forces, and for rows that other chunks have copies of,
 * the sums to which those add. */
static DEMI_INLINE void sums_give(const chunk_work *t)
{
    const dem_world *w = t->w;
    const demi_chunk *chunk = t->chunk;
    const demi_exact_row *from = t->workspace->sums;
    const uint32_t *begin = w->list.reduction_begin.read;
    const demi_reduction *part = w->list.reduction.read;
    demi_force_torque *to = w->next.force_torque.data + chunk->row_begin;
    for (uint64_t k = 0; k < chunk->row_end - chunk->row_begin; ++k)
        demi_exact_values(&w->exact.places, demi_exact_at(from[k].high), demi_exact_at(from[k].low),
                          &to[k]);
    for (uint32_t n = begin[chunk->row_begin]; n < begin[chunk->row_end]; ++n)
        w->exact.own.data[n] = from[part[n].row - chunk->row_begin];
}

/* Notes which of some contacts are no longer there; tells which are. */
static DEMI_INLINE uint32_t wide_touching(const chunk_work *t, uint64_t k, uint64_t count)
{
    const uint32_t there = count < DEMI_WIDE ? (1u << count) - 1u : DEMI_WIDE_ALL;
    const uint32_t touching = demi_wide_any(&t->lanes->touching[k]) & there;
    for (uint32_t ended = touching ^ there; ended != 0; ended &= ended - 1u) {
        const uint64_t m = (uint64_t)__builtin_ctz(ended);
        if (t->polyhedra == NULL || !t->polyhedra->replaced[k + m])
            t->touching_next[t->index[k + m] & ~CHUNK_WAS_TOUCHING] = 0;
    }
    return touching;
}

/* In place, n new states may reach old ones that were not read yet, if contacts begin: these move
 * to the end of the room. Tells whether there is room for both. */
static int states_make_way(chunk_work *t, uint64_t n)
{
    const uint64_t needed = n * t->group->state_stride,
                   unread = (uint64_t)(t->state_stop - t->state);
    if (unread == 0 || needed <= (uint64_t)(t->state - t->state_next))
        return 1;
    double *to = t->state_next + (t->state_end - t->state_next) - unread;
    if (needed > (uint64_t)(to - t->state_next))
        return 0;
    memmove(to, t->state, (size_t)unread * sizeof *to);
    t->state = to;
    t->state_stop = t->state_end;
    return 1;
}

/* Four doubles of the states of some contacts, from c on, as rows. */
static DEMI_INLINE void kept_rows(demi_lane_array *state, uint64_t c, uint64_t k, demi_wide rows[4])
{
    for (uint64_t m = 0; m < 4; ++m)
        rows[m] = *(const demi_wide *)&state[c + m][k];
    demi_wide_rows(rows);
}

/* Keeps states of some contacts of which not all exist, in this order: the place of one that ended
 * is that of the next. */
DEMI_APART void keep_some(demi_lane_array *state, uint64_t stride, uint64_t k, uint64_t count,
                          uint32_t touching, int past, double *next)
{
    for (uint64_t c = 0; c < stride; c += 4) {
        demi_wide rows[4];
        kept_rows(state, c, k, rows);
        double *to = next + c;
#pragma GCC unroll 8
        for (int m = 0; m < DEMI_WIDE; ++m) {
            if ((uint64_t)m >= count)
                break;
            demi_wide_store(rows, m, to, past);
            to += stride & -(uint64_t)(touching >> m & 1u);
        }
    }
}

/* Keeps the states of the contacts that exist, one after the other. */
static DEMI_INLINE void keep_states(chunk_work *t, uint64_t n, int past)
{
    const uint64_t stride = t->group->state_stride;
    demi_lane_array *const state = t->lanes->state; /* which no store changes */
    double *next = t->state_next;
    for (uint64_t k = 0; k < n; k += DEMI_WIDE) {
        const uint32_t touching = wide_touching(t, k, n - k);
        if (touching != DEMI_WIDE_ALL) {
            keep_some(state, stride, k, n - k, touching, past, next);
            next += stride * (uint64_t)__builtin_popcount(touching);
            continue;
        }
        for (uint64_t c = 0; c < stride; c += 4) {
            demi_wide rows[4];
            kept_rows(state, c, k, rows);
#pragma GCC unroll 8
            for (int m = 0; m < DEMI_WIDE; ++m)
                demi_wide_store(rows, m, next + c + (uint64_t)m * stride, past);
        }
        next += DEMI_WIDE * stride;
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

/* The force of lane k on a wall that is a mesh, which is kept. */
static void polyhedra_force(const chunk_work *t, uint64_t k, double force[DEMI_FACETED_FORCE])
{
    const double side = t->group->ends != DEMI_LOCALITY_COPY_I ? -1.0 : 1.0;
    for (int c = 0; c < 3; ++c)
        force[c] = side * t->lanes->force[c][k];
    force[3] = 0.0;
}

/* What is kept of contacts of polyhedra, after the states of the model. */
static void keep_polyhedra(const chunk_work *t, uint64_t n)
{
    demi_lane_array *to = t->lanes->state + t->group->state_stride - DEMI_FACETED_KEPT;
    for (uint64_t k = 0; k < n; ++k) {
        double force[DEMI_FACETED_FORCE];
        polyhedra_force(t, k, force);
        for (int c = 0; demi_group_forced(t->group->shape, 1) && c < DEMI_FACETED_FORCE; ++c)
            to[c - DEMI_FACETED_FORCE][k] = force[c];
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
    for (uint64_t k = 0; k < n; k += DEMI_WIDE) {
        const uint32_t touching = wide_touching(t, k, n - k);
        const double *at[DEMI_WIDE];
        old_states(demi_wide_signs(&t->index[k]), stride, &state, at);
        for (uint32_t m = 0; m < DEMI_WIDE; ++m) {
            if ((touching >> m & 1u) == 0 || stride == 0)
                continue;
            memcpy(t->state_next, at[m], (size_t)stride * sizeof(double));
            for (uint32_t f = 0; f < model->force_count; ++f)
                t->state_next[model->force[f]] = t->lanes->state[model->force[f]][k + m];
            t->state_next += stride;
            if (t->meshes != NULL)
                memcpy(t->state_next - DEMI_SLOT_KEPT, t->meshes->contact[k + m].kept,
                       DEMI_SLOT_KEPT * sizeof(double));
            if (t->polyhedra != NULL)
                memcpy(t->state_next - DEMI_FACETED_KEPT, &t->polyhedra->contact[k + m],
                       DEMI_FACETED_KEPT * sizeof(double));
            if (t->polyhedra != NULL && demi_group_forced(t->group->shape, 1))
                polyhedra_force(t, k + m, t->state_next - DEMI_FACETED_KEPT - DEMI_FACETED_FORCE);
        }
    }
}

#endif
