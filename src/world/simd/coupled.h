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
    const demi_added_mass *added;                   /* likewise */
    const demi_impulse *film_change, *film_impulse; /* likewise; of velocities, and on the rows */
    demi_velocities *damping_velocity;              /* of all rows */
    double rate_most;
    double lag, first, second, begun; /* times of kicks */
    double drag_begun;                /* `begun`, or 0 where what the fluid gave in it is booked */
    double again_inverse;             /* of demi_kick_again; 0: nobody sees damping velocities */
} demi_coupling;

/* Sums of a chunk. Both they and the above stay in registers as long as no function that is not
 * inlined gets their address: such ones get copies. */
typedef struct demi_fluid_works {
    demi_v4 work, dissipated_twice;
} demi_fluid_works;

static DEMI_INLINE demi_coupling demi_coupling_of(const demi_phase_call *call)
{
    const dem_world *w = call->w;
    const int seen = w->scheme->kinematics == DEM_KINEMATICS_SYNCHRONIZED;
    const demi_coupling c = {.fluid = w->fluid.read,
                             .drag_impulse =
                                 w->contact_impulse.data != NULL ? w->drag_impulse.data : NULL,
                             .contact_impulse = w->contact_impulse.data,
                             .added = demi_added_masses(w),
                             .film_change = w->models.films > 0 ? w->film.change.read : NULL,
                             .film_impulse = w->models.films > 0 ? w->film.impulse.read : NULL,
                             .damping_velocity = w->damping_velocity.data,
                             .rate_most = demi_drag_rate_most(call->dt + call->lag),
                             .lag = call->lag,
                             .first = w->scheme->kick_first * call->dt,
                             .second = call->kick_second,
                             .begun = call->kick_begun,
                             .drag_begun = call->drag_begun,
                             .again_inverse = seen && call->again > 0.0 ? 1.0 / call->again : 0.0};
    return c;
}

/* Of four rows, one kind of motion: velocity or angular velocity. All is 0 where nothing drags. */
typedef struct demi_drag_columns {
    double rate[4];
    double kick[4];    /* the second one of a step */
    double inertia[4]; /* mass, or moment of inertia */
    double begin[4];   /* the kick that begins a step, of late velocities, too */
    double damping[4]; /* of the acceleration: how far what dashpots see is from what was kicked */
} demi_drag_columns;

typedef struct demi_group_drag {
    demi_drag_columns linear, angular;
} demi_group_drag;

/* demi_drag_kick_of for four rows. */
typedef struct demi_drag_kicks {
    demi_v4 kick, left;
} demi_drag_kicks;

static DEMI_INLINE void demi_drag_kicks_of(const demi_v4 *rate, double time, demi_drag_kicks *kicks)
{
    const demi_v4 z = time * *rate, left = 1.0 / (1.0 + z + 0.5 * (z * z));
    kicks->left = left;
    kicks->kick = time * ((1.0 + 0.5 * z) * left);
}

/* Kicks of four rows, by their coefficients and the inverses of their inertias. */
static DEMI_INLINE void demi_columns_of(const demi_coupling *c, const demi_v4 *coefficient,
                                        const demi_v4 *inverse, const demi_v4 *moved, int ends,
                                        int begins, demi_drag_columns *to)
{
    const demi_v4 none = {0.0, 0.0, 0.0, 0.0}, most = none + c->rate_most,
                  asked = *coefficient * *inverse;
    const demi_i4 within = (demi_i4)(asked < most), free = (demi_i4)(*moved > none);
    const demi_v4 rate = (demi_v4)(((within & (demi_i4)asked) | (~within & (demi_i4)most)) & free);
    demi_drag_kicks first;
    demi_drag_kicks_of(&rate, c->first, &first);
    *(demi_v4 *)to->rate = rate;
    if (ends) {
        /* all schemes have two alike, or one */
        demi_drag_kicks second = first;
        if (c->second != c->first)
            demi_drag_kicks_of(&rate, c->second, &second);
        *(demi_v4 *)to->kick = second.kick;
        *(demi_v4 *)to->inertia = 1.0 / *inverse;
    }
    if (begins) {
        demi_drag_kicks late = {none, none + 1.0};
        if (c->lag > 0.0)
            demi_drag_kicks_of(&rate, c->lag, &late);
        *(demi_v4 *)to->begin = late.kick + late.left * first.kick;
        *(demi_v4 *)to->damping = first.left * (late.left * first.kick) * c->again_inverse;
    }
}

/* Of the rows from `first` on; a group that ends beyond `end` repeats the last row. */
static DEMI_INLINE void demi_group_drag_of(const demi_coupling *c,
                                           const demi_velocities *velocities, uint64_t first,
                                           uint64_t end, int ends, int begins,
                                           demi_group_drag *drag)
{
    const uint64_t left = end - first - 1, r1 = first + (left < 1 ? left : 1),
                   r2 = first + (left < 2 ? left : 2), r3 = first + (left < 3 ? left : 3);
    const demi_fluid *f = c->fluid;
    const demi_velocities *v = velocities;
    const demi_v4 linear = {f[first].velocity[3], f[r1].velocity[3], f[r2].velocity[3],
                            f[r3].velocity[3]},
                  angular = {f[first].angular_velocity[3], f[r1].angular_velocity[3],
                             f[r2].angular_velocity[3], f[r3].angular_velocity[3]},
                  mass = {v[first].velocity[3], v[r1].velocity[3], v[r2].velocity[3],
                          v[r3].velocity[3]},
                  moment = {v[first].angular_velocity[3], v[r1].angular_velocity[3],
                            v[r2].angular_velocity[3], v[r3].angular_velocity[3]};
    demi_columns_of(c, &linear, &mass, &moment, ends, begins, &drag->linear);
    demi_columns_of(c, &angular, &moment, &moment, ends, begins, &drag->angular);
}

/* Whether it drags, and turns, all four of them; so all are free. */
static DEMI_INLINE int demi_drag_all(const demi_group_drag *drag)
{
    const demi_v4 none = {0.0, 0.0, 0.0, 0.0};
    return demi_v4_below(&none, demi_v4_at(drag->linear.rate)) == 15 &&
           demi_v4_below(&none, demi_v4_at(drag->angular.rate)) == 15;
}

/* What drag adds to the acceleration at the beginning of a kick. */
static DEMI_INLINE void demi_drag_add(double rate, const demi_v4 *u, const demi_v4 *v, demi_v4 *a)
{
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    *a += DEMI_V4_KEEP_LAST((*u - *v) * rate, zero);
}

/* The first kick of row m of a group from the velocities v by other forces' acceleration a, and
 * what dashpots see, which is v + (v - damping velocity) again with v after the kick: such that
 * this is v + left (v - v(t0)). Without drag the bits are those of rows without a fluid. sure: it
 * drags. */
static DEMI_INLINE void demi_drag_begin(const demi_coupling *c, const demi_drag_columns *drag,
                                        uint64_t m, int sure, const double *u, double time,
                                        const demi_v4 *a, const demi_v4 *v, demi_v4 *after,
                                        double *seen)
{
    if (!sure && !(drag->rate[m] > 0.0)) {
        *after = *v + *a * time;
        if (c->again_inverse != 0.0)
            *(demi_v4 *)seen = *v;
        return;
    }
    demi_v4 dragged = *a;
    demi_drag_add(drag->rate[m], demi_v4_at(u), v, &dragged);
    *after = *v + dragged * drag->begin[m];
    /* where nobody looks it may stay */
    if (c->again_inverse != 0.0)
        *(demi_v4 *)seen = DEMI_V4_KEEP_LAST(*after - dragged * drag->damping[m], *v);
}

/* The second kick of row m of a group, from the velocity `half` to `after`, and what the fluid gave
 * in both: of the velocities as they are stored, so that momenta add up. a0, t0: other forces'
 * acceleration and the velocity when the step began; a: the acceleration now. sure: it drags. */
static DEMI_INLINE void demi_drag_end(const demi_coupling *c, demi_fluid_works *works,
                                      const demi_drag_columns *drag, uint64_t m, int sure,
                                      const double *of_fluid, const demi_v4 *a0, const demi_v4 *t0,
                                      const demi_v4 *a, const demi_v4 *half, demi_v4 *after,
                                      double *impulse)
{
    if (!sure && !(drag->rate[m] > 0.0)) {
        *after = *half + *a * c->second;
        return;
    }
    const demi_v4 u = *demi_v4_at(of_fluid), v0 = *t0, vh = *half;
    demi_v4 dragged = *a;
    demi_drag_add(drag->rate[m], &u, half, &dragged);
    const demi_v4 v1 = vh + dragged * drag->kick[m];
    *after = v1;
    const demi_v4 first = (vh - v0) - *a0 * c->drag_begun, second = (v1 - vh) - *a * c->second,
                  given = (first + second) * drag->inertia[m];
    works->work += given * u;
    works->dissipated_twice +=
        (first * ((u - v0) + (u - vh)) + second * ((u - vh) + (u - v1))) * drag->inertia[m];
    if (impulse != NULL)
        *(demi_v4 *)impulse += given;
}

/* Of what a free row got, its added mass has a part: the fluid that the row takes along. */
static DEMI_INLINE void demi_added_book(const demi_coupling *c, uint64_t row, const demi_v4 *t0,
                                        const demi_v4 *t1)
{
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    if (c->added == NULL || c->drag_impulse == NULL)
        return;
    const demi_v4 gained = (*t1 - *t0) * c->added[row].mass;
    *(demi_v4 *)c->drag_impulse[row].linear -= DEMI_V4_KEEP_LAST(gained, zero);
}

/* What it gave to a row that keeps its velocity; u has the coefficient in its last place. */
static DEMI_INLINE void demi_drag_book_held(demi_fluid_works *works, const demi_v4 *u, double time,
                                            const double *velocity, double *impulse,
                                            double *boundary)
{
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0}, v = *demi_v4_at(velocity);
    const demi_v4 against = DEMI_V4_KEEP_LAST(*u - v, zero);
    const demi_v4 given = against * ((*u)[3] * time), carried = given * v;
    works->work += given * *u;
    works->dissipated_twice += given * against * 2.0;
    *boundary -= carried[0] + carried[1] + carried[2];
    if (impulse != NULL)
        *(demi_v4 *)impulse += given;
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
    if (c->film_impulse != NULL) {
        *(demi_v4 *)to->linear += *demi_v4_at(c->film_impulse[row].linear);
        *(demi_v4 *)to->angular += *demi_v4_at(c->film_impulse[row].angular);
    }
}

static DEMI_INLINE void demi_fluid_works_result(const demi_fluid_works *works,
                                                demi_chunk_result *result)
{
    const demi_v4 work = works->work, twice = works->dissipated_twice;
    result->work_fluid = work[0] + work[1] + work[2];
    result->dissipated_drag = 0.5 * (twice[0] + twice[1] + twice[2]);
}

#endif
