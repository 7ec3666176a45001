/* SPDX-License-Identifier: MIT */
/* Kicks of rows that a fluid drags, and what the fluid gives in a step. Both halves of a step are
 * booked at its end, since its beginning is made again where the list is built; a step in place
 * books its first half when it is made. One is added after the other either way, so that sums have
 * the same bits. */
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
    double ahead;                     /* see demi_phase_call.ahead */
    int was_ahead;
    double again_inverse; /* of demi_kick_again; 0: nobody sees damping velocities */
} demi_coupling;

/* Sums of a chunk, of velocities in the first four places and of angular velocities in the last.
 * Both they and the above stay in registers as long as no function that is not inlined gets their
 * address: such ones get copies. */
typedef struct demi_kick_works {
    demi_vr work[DEMI_VR_PARTS], dissipated_twice[DEMI_VR_PARTS];
} demi_kick_works;

/* Those of the kicks of the step that ends, and of the first one of the step that begins. */
typedef struct demi_fluid_works {
    demi_kick_works first, second, ahead;
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
                             .ahead = call->ahead,
                             .was_ahead = call->was_ahead,
                             .again_inverse = seen && call->again > 0.0 ? 1.0 / call->again : 0.0};
    return c;
}

/* Kicks of a group of four rows: four places for velocities, four for angular velocities. All is 0
 * where nothing drags. */
typedef struct demi_group_drag {
    _Alignas(64) double rate[8];
    double kick[8];    /* the second one of a step */
    double inertia[8]; /* mass, or moment of inertia */
    double begin[8];   /* the kick that begins a step, of late velocities, too */
    double damping[8]; /* of the acceleration: how far what dashpots see is from what was kicked */
} demi_group_drag;

enum { DEMI_DRAG_LINEAR = 0, DEMI_DRAG_ANGULAR = 4 };

/* demi_drag_kick_of for many rows. */
typedef struct demi_drag_kicks {
    demi_vr kick, left;
} demi_drag_kicks;

static DEMI_INLINE void demi_drag_kicks_of(const demi_vr *rate, double time, demi_drag_kicks *kicks)
{
    const demi_vr z = time * *rate, left = 1.0 / (1.0 + z + 0.5 * (z * z));
    kicks->left = left;
    kicks->kick = time * ((1.0 + 0.5 * z) * left);
}

/* Kicks of the rows of part `at` of a group, by their coefficients and the inverses of their
 * inertias; moved: those of rotation. */
static DEMI_INLINE void demi_drag_part_of(const demi_coupling *c, const demi_vr *coefficient,
                                          const demi_vr *inverse, const demi_vr *moved, int at,
                                          int ends, int begins, demi_group_drag *to)
{
    const demi_vr none = {0.0}, most = none + c->rate_most, asked = *coefficient * *inverse;
    const demi_ir within = (demi_ir)(asked < most), free = (demi_ir)(*moved > none);
    const demi_vr rate = (demi_vr)(((within & (demi_ir)asked) | (~within & (demi_ir)most)) & free);
    demi_drag_kicks first;
    demi_drag_kicks_of(&rate, c->first, &first);
    *(demi_vr *)(to->rate + at) = rate;
    if (ends) {
        /* all schemes have two alike, or one */
        demi_drag_kicks second = first;
        if (c->second != c->first)
            demi_drag_kicks_of(&rate, c->second, &second);
        *(demi_vr *)(to->kick + at) = second.kick;
        /* 1 for rows that nothing moves: a host may trap divisions by 0 */
        const demi_vr one = none + 1.0;
        const demi_ir moves = (demi_ir)(*inverse > none);
        *(demi_vr *)(to->inertia + at) =
            1.0 / (demi_vr)((moves & (demi_ir)*inverse) | (~moves & (demi_ir)one));
    }
    if (begins) {
        demi_drag_kicks late = {none, none + 1.0};
        if (c->lag > 0.0)
            demi_drag_kicks_of(&rate, c->lag, &late);
        *(demi_vr *)(to->begin + at) = late.kick + late.left * first.kick;
        *(demi_vr *)(to->damping + at) = first.left * (late.left * first.kick) * c->again_inverse;
    }
}

/* Of the rows from `first` on; a group that ends beyond `end` repeats the last row. */
static DEMI_INLINE void demi_group_drag_of(const demi_coupling *c,
                                           const demi_velocities *velocities, uint64_t first,
                                           uint64_t end, int ends, int begins,
                                           demi_group_drag *drag)
{
    const uint64_t left = end - first - 1;
    const double *fluid[4], *velocity[4];
    for (uint64_t m = 0; m < 4; ++m) {
        const uint64_t row = first + (left < m ? left : m);
        fluid[m] = c->fluid[row].velocity;
        velocity[m] = velocities[row].velocity;
    }
    demi_vr coefficient[DEMI_VR_PARTS], inverse[DEMI_VR_PARTS], moved[DEMI_VR_PARTS];
    demi_vr_last_places(fluid, coefficient);
    demi_vr_last_places(velocity, inverse);
    demi_vr_last_halves(inverse, moved);
    for (int part = 0; part < DEMI_VR_PARTS; ++part)
        demi_drag_part_of(c, &coefficient[part], &inverse[part], &moved[part], part * DEMI_VR_SIZE,
                          ends, begins, drag);
}

/* What drag adds to the acceleration at the beginning of a kick. */
static DEMI_INLINE void demi_drag_add(double rate, const demi_v4 *u, const demi_v4 *v, demi_v4 *a)
{
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    *a += DEMI_V4_KEEP_LAST((*u - *v) * rate, zero);
}

/* The first kick of place m of a group from the velocities v by other forces' acceleration a, and
 * what dashpots see, which is v + (v - damping velocity) again with v after the kick: such that
 * this is v + left (v - v(t0)). Without drag the bits are those of rows without a fluid. */
static DEMI_INLINE void demi_drag_begin(const demi_coupling *c, const demi_group_drag *drag,
                                        uint64_t m, const double *u, double time, const demi_v4 *a,
                                        const demi_v4 *v, demi_v4 *after, double *seen)
{
    if (!(drag->rate[m] > 0.0)) {
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

/* Adds to the sums of the kind of motion that place m has. */
#define DEMI_WORKS(sums, m) (((demi_v4 *)(sums))[(m) / 4])

/* What the fluid gave a free row in a kick of so much time from the velocity `begun` to `after`,
 * other forces accelerating it by a: of the velocities as they are stored, so that momenta add
 * up. */
static DEMI_INLINE void demi_drag_book(demi_kick_works *works, const demi_group_drag *drag,
                                       uint64_t m, const demi_v4 *u, double time,
                                       const demi_v4 *begun, const demi_v4 *after, const demi_v4 *a,
                                       double *impulse)
{
    const demi_v4 given = ((*after - *begun) - *a * time) * drag->inertia[m];
    DEMI_WORKS(works->work, m) += given * *u;
    DEMI_WORKS(works->dissipated_twice, m) += given * ((*u - *begun) + (*u - *after));
    if (impulse != NULL)
        *(demi_v4 *)impulse += given;
}

/* The second kick of place m of a group, from the velocity `half` to `after`, and what the fluid
 * gave in both. a0, t0: other forces' acceleration and the velocity when the step began; film: what
 * films changed after the first kick, or NULL; a: the acceleration now. */
static DEMI_INLINE void demi_drag_end(const demi_coupling *c, demi_fluid_works *works,
                                      const demi_group_drag *drag, uint64_t m,
                                      const double *of_fluid, const demi_v4 *a0, const demi_v4 *t0,
                                      const double *film, const demi_v4 *a, const demi_v4 *half,
                                      demi_v4 *after, double *impulse)
{
    if (!(drag->rate[m] > 0.0)) {
        *after = *half + *a * c->second;
        return;
    }
    const demi_v4 u = *demi_v4_at(of_fluid), vh = *half;
    demi_v4 dragged = *a;
    demi_drag_add(drag->rate[m], &u, half, &dragged);
    const demi_v4 v1 = vh + dragged * drag->kick[m];
    *after = v1;
    demi_v4 kicked = vh;
    if (film != NULL)
        kicked -= *demi_v4_at(film);
    if (c->drag_begun > 0.0)
        demi_drag_book(&works->first, drag, m, &u, c->drag_begun, t0, &kicked, a0, impulse);
    demi_drag_book(&works->second, drag, m, &u, c->second, &vh, &v1, a, impulse);
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

/* What it gave to a row that keeps its velocity, in a kick; u has the coefficient in its last
 * place. m: any place of the kind of motion. */
static DEMI_INLINE void demi_drag_book_held(demi_kick_works *works, uint64_t m, const demi_v4 *u,
                                            double time, const double *velocity, double *impulse,
                                            double *boundary)
{
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0}, v = *demi_v4_at(velocity);
    const demi_v4 against = DEMI_V4_KEEP_LAST(*u - v, zero);
    const demi_v4 given = against * ((*u)[3] * time), carried = given * v;
    DEMI_WORKS(works->work, m) += given * *u;
    DEMI_WORKS(works->dissipated_twice, m) += given * (against + against);
    *boundary -= carried[0] + carried[1] + carried[2];
    if (impulse != NULL)
        *(demi_v4 *)impulse += given;
}

/* Adds what contacts give to a row in a kick. */
static DEMI_INLINE void demi_contact_book_kick(const demi_coupling *c, uint64_t row,
                                               const demi_force_torque *by, double time)
{
    demi_impulse *to = &c->contact_impulse[row];
    *(demi_v4 *)to->linear += *demi_v4_at(by->force) * time;
    *(demi_v4 *)to->angular += *demi_v4_at(by->torque) * time;
}

/* The same of what they gave in a step, as far as it is not booked. */
static DEMI_INLINE void demi_contact_book(const demi_coupling *c, uint64_t row,
                                          const demi_force_torque *t0, const demi_force_torque *t1)
{
    if (c->contact_impulse == NULL)
        return;
    if (!c->was_ahead)
        demi_contact_book_kick(c, row, t0, c->begun);
    demi_contact_book_kick(c, row, t1, c->second);
    demi_impulse *to = &c->contact_impulse[row];
    if (c->film_impulse != NULL) {
        *(demi_v4 *)to->linear += *demi_v4_at(c->film_impulse[row].linear);
        *(demi_v4 *)to->angular += *demi_v4_at(c->film_impulse[row].angular);
    }
}

static DEMI_INLINE void demi_kick_works_sum(const demi_kick_works *works, double *work_fluid,
                                            double *dissipated_drag)
{
    const demi_v4 *work = (const demi_v4 *)works->work,
                  *dissipated = (const demi_v4 *)works->dissipated_twice;
    const demi_v4 sum = work[0] + work[1], twice = dissipated[0] + dissipated[1];
    *work_fluid = sum[0] + sum[1] + sum[2];
    *dissipated_drag = 0.5 * (twice[0] + twice[1] + twice[2]);
}

static DEMI_INLINE void demi_fluid_works_result(const demi_coupling *c,
                                                const demi_fluid_works *works,
                                                demi_chunk_result *result)
{
    double work_fluid, dissipated_drag;
    if (c->was_ahead) {
        result->work_fluid = result->work_fluid_ahead;
        result->dissipated_drag = result->dissipated_drag_ahead;
    } else
        demi_kick_works_sum(&works->first, &result->work_fluid, &result->dissipated_drag);
    demi_kick_works_sum(&works->second, &work_fluid, &dissipated_drag);
    result->work_fluid += work_fluid;
    result->dissipated_drag += dissipated_drag;
    demi_kick_works_sum(&works->ahead, &result->work_fluid_ahead, &result->dissipated_drag_ahead);
}

#endif
