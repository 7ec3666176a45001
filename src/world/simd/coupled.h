/* SPDX-License-Identifier: MIT */
/* Kicks of rows that a fluid drags, and what the fluid gives in a step. Both halves of a step are
 * booked at its end, since its beginning is made again where the list is built. */
#ifndef DEMI_COUPLED_H
#define DEMI_COUPLED_H

#include "integrate/drag.h"
#include "world/simd/rows.h"

/* Of a chunk in a pass over its rows. */
typedef struct demi_coupling {
    const demi_fluid *fluid; /* of all rows, or NULL; likewise the sums of impulses */
    demi_impulse *drag_impulse, *contact_impulse;
    demi_velocities *damping_velocity; /* of all rows */
    double rate_most;
    double lag, first, second, begun; /* times of kicks */
    double again_inverse;             /* of demi_kick_again; 0: nobody sees damping velocities */
    demi_v4 work, dissipated;         /* sums of the chunk */
} demi_coupling;

static DEMI_INLINE demi_coupling demi_coupling_of(const demi_phase_call *call)
{
    const dem_world *w = call->w;
    const demi_coupling c = {.fluid = w->fluid.read,
                             .drag_impulse =
                                 w->contact_impulse.data != NULL ? w->drag_impulse.data : NULL,
                             .contact_impulse = w->contact_impulse.data,
                             .damping_velocity = w->damping_velocity.data,
                             .rate_most = demi_drag_rate_most(call->dt + call->lag),
                             .lag = call->lag,
                             .first = w->scheme->kick_first * call->dt,
                             .second = call->kick_second,
                             .begun = call->kick_begun,
                             .again_inverse = call->again > 0.0 ? 1.0 / call->again : 0.0,
                             .work = {0.0, 0.0, 0.0, 0.0},
                             .dissipated = {0.0, 0.0, 0.0, 0.0}};
    return c;
}

/* One kind of motion of a row: velocity or angular velocity, what drags it, and what the two kicks
 * of a step are with that drag. */
typedef struct demi_dragged {
    demi_v4 u; /* of the fluid */
    double rate;
    demi_drag_kick first, second;
} demi_dragged;

typedef struct demi_row_drag {
    demi_dragged linear, angular;
} demi_row_drag;

/* The four kicks of a row with one division: demi_drag_kick_of for each of them. */
static DEMI_INLINE void demi_row_kicks(const demi_coupling *c, demi_row_drag *drag)
{
    const double l = drag->linear.rate, a = drag->angular.rate;
    const demi_v4 rate = {l, a, l, a}, time = {c->first, c->first, c->second, c->second},
                  z = time * rate, left = 1.0 / (1.0 + z + 0.5 * (z * z)),
                  kick = time * ((1.0 + 0.5 * z) * left);
    drag->linear.first = (demi_drag_kick){kick[0], left[0]};
    drag->angular.first = (demi_drag_kick){kick[1], left[1]};
    drag->linear.second = (demi_drag_kick){kick[2], left[2]};
    drag->angular.second = (demi_drag_kick){kick[3], left[3]};
}

static DEMI_INLINE void demi_row_drag_of(const demi_coupling *c, uint64_t row,
                                         const demi_velocities *velocities, demi_row_drag *drag)
{
    const demi_fluid *fluid = &c->fluid[row];
    const int moved = velocities->angular_velocity[3] > 0.0;
    drag->linear.u = *demi_v4_at(fluid->velocity);
    drag->angular.u = *demi_v4_at(fluid->angular_velocity);
    const double linear = demi_drag_rate(fluid->velocity[3], velocities->velocity[3], c->rate_most),
                 angular = demi_drag_rate(fluid->angular_velocity[3],
                                          velocities->angular_velocity[3], c->rate_most);
    drag->linear.rate = moved ? linear : 0.0;
    drag->angular.rate = moved ? angular : 0.0;
    demi_row_kicks(c, drag);
}

/* Adds drag to the acceleration at the beginning of a kick. Without any it keeps its bits. */
static DEMI_INLINE void demi_drag_add(const demi_dragged *drag, const double *v, demi_v4 *a)
{
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    if (drag->rate > 0.0)
        *a += DEMI_V4_KEEP_LAST((drag->u - *demi_v4_at(v)) * drag->rate, zero);
}

/* Kicks of one kind of motion at the beginning of a step: late velocities first, then the step. */
typedef struct demi_kicks_begin {
    double kick;
    double damping; /* of the acceleration: how far what dashpots see is from what was kicked */
} demi_kicks_begin;

static DEMI_INLINE demi_kicks_begin demi_kicks_begin_of(const demi_coupling *c,
                                                        const demi_dragged *drag)
{
    const demi_drag_kick first = drag->first;
    demi_drag_kick late = {0.0, 1.0};
    if (c->lag > 0.0)
        late = demi_drag_kick_of(drag->rate, c->lag);
    const demi_kicks_begin kicks = {demi_drag_kick_two(late, first).kick,
                                    first.left * (late.left * first.kick) * c->again_inverse};
    return kicks;
}

/* What dashpots see is v + (v - damping velocity) again, with v after the first kick: such that
 * this is v + left (v - v(t0)). */
static DEMI_INLINE void demi_damping_velocity(const demi_dragged *drag, double damping,
                                              const double *v_t0, const double *v_half,
                                              const demi_v4 *a, double *to)
{
    const demi_v4 t0 = *demi_v4_at(v_t0), seen = *demi_v4_at(v_half) - *a * damping;
    *(demi_v4 *)to = t0;
    if (drag->rate > 0.0)
        *(demi_v4 *)to = DEMI_V4_KEEP_LAST(seen, t0);
}

/* What the fluid gave in a kick by `time`, in which a velocity went from `before` to `after` and
 * other forces accelerated by a: of the velocities as they are stored, so that momenta add up. */
static DEMI_INLINE void demi_drag_book(demi_coupling *c, const demi_dragged *drag, double inertia,
                                       double time, const demi_v4 *a, const double *before,
                                       const double *after, demi_v4 *impulse)
{
    if (!(drag->rate > 0.0) || !(time > 0.0))
        return;
    const demi_v4 v0 = *demi_v4_at(before), v1 = *demi_v4_at(after);
    const demi_v4 given = ((v1 - v0) - *a * time) * inertia;
    c->work += given * drag->u;
    c->dissipated += given * (drag->u - (v0 + v1) * 0.5);
    *impulse += given;
}

/* What it gave to a row that keeps its velocity; u has the coefficient in its last place. */
static DEMI_INLINE void demi_drag_book_held(demi_coupling *c, const demi_v4 *u, double time,
                                            const double *velocity, demi_v4 *impulse,
                                            double *boundary)
{
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0}, v = *demi_v4_at(velocity);
    const demi_v4 against = DEMI_V4_KEEP_LAST(*u - v, zero);
    const demi_v4 given = against * ((*u)[3] * time), carried = given * v;
    c->work += given * *u;
    c->dissipated += given * against;
    *boundary -= carried[0] + carried[1] + carried[2];
    *impulse += given;
}

/* Adds what contacts gave to a row in a step. */
static DEMI_INLINE void demi_contact_book(const demi_coupling *c, uint64_t row,
                                          const demi_force_torque *t0, const demi_force_torque *t1)
{
    if (c->contact_impulse == NULL)
        return;
    demi_impulse *to = &c->contact_impulse[row];
    *(demi_v4 *)to->linear +=
        *demi_v4_at(t0->force) * c->begun + *demi_v4_at(t1->force) * c->second;
    *(demi_v4 *)to->angular +=
        *demi_v4_at(t0->torque) * c->begun + *demi_v4_at(t1->torque) * c->second;
}

static DEMI_INLINE void demi_coupling_result(const demi_coupling *c, demi_chunk_result *result)
{
    result->work_fluid = c->work[0] + c->work[1] + c->work[2];
    result->dissipated_drag = c->dissipated[0] + c->dissipated[1] + c->dissipated[2];
}

#endif
