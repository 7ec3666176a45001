/* SPDX-License-Identifier: MIT */
/* The two halves of the integration of rows that are coupled to a fluid: drag, added masses, films,
 * and what fluid and contacts give to each row. Rows go by groups of four. */
#include "world/simd/coupled.h"
#include "world/simd/integrate.h"

#include <string.h>

/* A chunk in a pass over its rows. A pass that begins a step writes positions and velocities
 * `after`. One that ends a step finds at `t0` what the step began with, unless that was in place,
 * and replaces it where it begins the next one beside it, too. */
typedef struct coupled_pass {
    const demi_phase_call *call;
    demi_chunk_result *result;
    uint64_t begin, end; /* rows */
    demi_rows_pass rows;
    demi_coupling c;
    const demi_row *x;
    demi_row *x_after;
    const demi_force_torque *force_torque_t0;
    const demi_velocities *velocities_t0;
    demi_velocities *velocities, *velocities_after;
} coupled_pass;

static DEMI_INLINE coupled_pass coupled_pass_of(const demi_phase_call *call, uint64_t k,
                                                const demi_state *from, const demi_state *after)
{
    const dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    /* the first step in place begins where that which ends stands */
    const demi_state *t0 = w->in_place.on && !call->was_ahead ? &w->in_place.kept : after;
    coupled_pass pass = {.call = call,
                         .result = w->chunk_result.data + k,
                         .begin = chunk->row_begin,
                         .end = chunk->row_end,
                         .rows = demi_rows_pass_of(call, chunk, from, w->exact.sums.exact),
                         .c = demi_coupling_of(call),
                         .x = from->position.read,
                         .x_after = after->position.data,
                         .force_torque_t0 = t0->force_torque.read,
                         .velocities_t0 = t0->velocity.read,
                         .velocities = from->velocity.data,
                         .velocities_after = after->velocity.data};
    pass.rows.outer.added = pass.c.added;
    return pass;
}

/* Accelerations of a row by forces other than drag, and its velocities. */
typedef struct coupled_motion {
    demi_v4 linear, angular, velocity, angular_velocity;
} coupled_motion;

static DEMI_INLINE void motion_of(const coupled_pass *of, uint64_t row, coupled_motion *motion)
{
    const demi_velocities *velocities = &of->velocities[row];
    demi_row_rates(&of->rows.outer, row, &of->rows.force_torque[row], velocities, &motion->linear,
                   &motion->angular);
    motion->velocity = *demi_v4_at(velocities->velocity);
    motion->angular_velocity = *demi_v4_at(velocities->angular_velocity);
}

/* ------------------------------------------------------------------ any row */

/* First kick and drift of row m of a group. drag: of the group, or NULL where there is no fluid. */
static DEMI_INLINE void row_begins(const coupled_pass *of, uint64_t row, uint64_t m,
                                   const demi_group_drag *drag, const coupled_motion *motion,
                                   demi_paces *pace)
{
    const demi_coupling *c = &of->c;
    const double kick = of->rows.kick;
    demi_v4 v, s;
    if (c->fluid == NULL) {
        v = motion->velocity + motion->linear * kick;
        s = motion->angular_velocity + motion->angular * kick;
    } else {
        const demi_fluid *fluid = &c->fluid[row];
        demi_velocities *seen = &c->damping_velocity[row];
        demi_drag_begin(c, drag, DEMI_DRAG_LINEAR + m, fluid->velocity, kick, &motion->linear,
                        &motion->velocity, &v, seen->velocity);
        demi_drag_begin(c, drag, DEMI_DRAG_ANGULAR + m, fluid->angular_velocity, kick,
                        &motion->angular, &motion->angular_velocity, &s, seen->angular_velocity);
    }
    demi_row_drift(&of->rows, of->x[row], &v, &s, of->x_after[row], &of->velocities_after[row],
                   pace);
}

/* What the fluid gives a row that keeps its velocities, in a kick of so much time. */
DEMI_APART void held_row_dragged(const demi_coupling *c, uint64_t row, double time,
                                 const demi_velocities *velocities, demi_kick_works *works,
                                 demi_chunk_result *result)
{
    demi_impulse *impulse = c->drag_impulse != NULL ? &c->drag_impulse[row] : NULL;
    demi_drag_book_held(works, DEMI_DRAG_LINEAR, demi_v4_at(c->fluid[row].velocity), time,
                        velocities->velocity, impulse != NULL ? impulse->linear : NULL,
                        &result->work_boundary);
    demi_drag_book_held(works, DEMI_DRAG_ANGULAR, demi_v4_at(c->fluid[row].angular_velocity), time,
                        velocities->angular_velocity, impulse != NULL ? impulse->angular : NULL,
                        &result->work_boundary);
}

/* Kicks row m of a group, which is free and may be dragged, and sums what the fluid gave it in the
 * step. t0: its velocities when the step began. */
static DEMI_INLINE void free_row_dragged(const coupled_pass *of, uint64_t row, uint64_t m,
                                         const demi_group_drag *drag, const demi_velocities *t0,
                                         demi_fluid_works *works, coupled_motion *motion)
{
    const demi_coupling *c = &of->c;
    const demi_fluid *fluid = &c->fluid[row];
    demi_impulse *impulse = c->drag_impulse != NULL ? &c->drag_impulse[row] : NULL;
    const demi_v4 half = motion->velocity, half_angular = motion->angular_velocity;
    const demi_v4 begun = *demi_v4_at(t0->velocity),
                  begun_angular = *demi_v4_at(t0->angular_velocity);
    const demi_impulse *film =
        c->film_change != NULL && c->drag_begun > 0.0 ? &c->film_change[row] : NULL;
    demi_v4 a0, alpha0;
    demi_row_rates(&of->rows.outer, row, &of->force_torque_t0[row], &of->velocities[row], &a0,
                   &alpha0);
    demi_drag_end(c, works, drag, DEMI_DRAG_LINEAR + m, fluid->velocity, &a0, &begun,
                  film != NULL ? film->linear : NULL, &motion->linear, &half, &motion->velocity,
                  impulse != NULL ? impulse->linear : NULL);
    demi_drag_end(c, works, drag, DEMI_DRAG_ANGULAR + m, fluid->angular_velocity, &alpha0,
                  &begun_angular, film != NULL ? film->angular : NULL, &motion->angular,
                  &half_angular, &motion->angular_velocity,
                  impulse != NULL ? impulse->angular : NULL);
}

/* Second kick of row m of a group, and what fluid and contacts gave it in the step. */
static DEMI_INLINE void row_ends(const coupled_pass *of, uint64_t row, uint64_t m,
                                 const demi_group_drag *drag, demi_fluid_works *works,
                                 coupled_motion *motion)
{
    const demi_coupling *c = &of->c;
    demi_velocities *velocities = &of->velocities[row];
    const int free = velocities->angular_velocity[3] > 0.0;
    /* nothing is left of a first kick that was booked */
    const demi_velocities *t0 = c->drag_begun > 0.0 ? &of->velocities_t0[row] : velocities;
    demi_contact_book(c, row, &of->force_torque_t0[row], &of->rows.force_torque[row]);
    if (of->rows.outer.force != NULL || of->rows.outer.torque != NULL || !free)
        demi_row_work(of->call, row, of->result);
    motion_of(of, row, motion);
    const demi_v4 begun = *demi_v4_at(t0->velocity);
    if (c->fluid == NULL) {
        motion->velocity += motion->linear * c->second;
        motion->angular_velocity += motion->angular * c->second;
    } else if (free) {
        free_row_dragged(of, row, m, drag, t0, works, motion);
    } else if (demi_kinds[of->call->w->body.read[row].kind].responds) {
        return; /* a part: what the fluid gives it is its body's, see rigid_drag.h */
    } else {
        const demi_coupling of_held = *c;
        demi_fluid_works sums = *works;
        if (c->drag_begun > 0.0)
            held_row_dragged(&of_held, row, c->drag_begun, velocities, &sums.first, of->result);
        held_row_dragged(&of_held, row, c->second, velocities, &sums.second, of->result);
        *works = sums;
        return;
    }
    *(demi_v4 *)velocities->velocity = motion->velocity;
    *(demi_v4 *)velocities->angular_velocity = motion->angular_velocity;
    if (free)
        demi_added_book(c, row, &begun, &motion->velocity);
}

/* Books what the first kick of a step in place gave row m of a group; `motion` is that of the step
 * that ended. */
DEMI_APART void row_ahead(const coupled_pass *of, uint64_t row, uint64_t m,
                          const demi_group_drag *drag, const coupled_motion *motion,
                          demi_fluid_works *works)
{
    const demi_coupling *c = &of->c;
    const demi_velocities *after = &of->velocities_after[row];
    const double *u[2] = {c->fluid[row].velocity, c->fluid[row].angular_velocity};
    const double *kicked[2] = {after->velocity, after->angular_velocity};
    const demi_v4 *begun[2] = {&motion->velocity, &motion->angular_velocity},
                  *a[2] = {&motion->linear, &motion->angular};
    double *impulse[2] = {NULL, NULL};
    if (c->contact_impulse != NULL) {
        demi_contact_book_kick(c, row, &of->rows.force_torque[row], c->ahead);
        impulse[0] = c->drag_impulse[row].linear;
        impulse[1] = c->drag_impulse[row].angular;
    }
    if (!(after->angular_velocity[3] > 0.0)) {
        held_row_dragged(c, row, c->ahead, after, &works->ahead, of->result);
        return;
    }
    for (uint64_t kind = 0; kind < 2; ++kind)
        if (drag->rate[4 * kind + m] > 0.0)
            demi_drag_book(&works->ahead, drag, 4 * kind + m, demi_v4_at(u[kind]), c->ahead,
                           begun[kind], demi_v4_at(kicked[kind]), a[kind], impulse[kind]);
}

/* ------------------------------------------------------------------ any rows */

/* A pass over ghosts, whose owners book what they get. */
static DEMI_INLINE coupled_pass pass_of_ghosts(const coupled_pass *of, demi_chunk_result *unheard)
{
    coupled_pass ghosts = *of;
    ghosts.c.drag_impulse = ghosts.c.contact_impulse = NULL;
    ghosts.result = unheard;
    return ghosts;
}

DEMI_APART void ghost_ends(const coupled_pass *ghosts, uint64_t row, uint64_t m,
                           const demi_group_drag *drag)
{
    demi_fluid_works works;
    coupled_motion motion;
    memset(&works, 0, sizeof works);
    row_ends(ghosts, row, m, drag, &works, &motion);
}

/* Kicks of the rows from `first` on; NULL where there is no fluid. */
static DEMI_INLINE const demi_group_drag *group_drag(const coupled_pass *of, uint64_t first,
                                                     int ends, int begins, demi_group_drag *drag)
{
    if (of->c.fluid == NULL)
        return NULL;
    demi_group_drag_of(&of->c, of->velocities, first, of->end, ends, begins, drag);
    return drag;
}

DEMI_ENTRY(demi_phase_function, demi_coupled_begin);

/* The first half of a step. */
void demi_coupled_begin(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const coupled_pass pass = coupled_pass_of(call, k, &w->current, &w->next);
    demi_paces pace;
    memset(&pace, 0, sizeof pace);
    for (uint64_t first = pass.begin; first < pass.end; first += 4) {
        demi_group_drag group;
        const demi_group_drag *drag = group_drag(&pass, first, 0, 1, &group);
        for (uint64_t m = 0; m < 4 && first + m < pass.end; ++m) {
            coupled_motion motion;
            motion_of(&pass, first + m, &motion);
            row_begins(&pass, first + m, m, drag, &motion, &pace);
        }
    }
    demi_chunk_began(call, w->list.chunk.data + k, &pace, &w->next, pass.result);
}

DEMI_ENTRY(demi_phase_function, demi_coupled_end);

/* The second half of a step. */
void demi_coupled_end(const demi_phase_call *call, uint64_t k)
{
    const dem_world *w = call->w;
    const coupled_pass pass = coupled_pass_of(call, k, &w->next, &w->current);
    const int some_ghosts = w->ghosts.count > 0;
    demi_chunk_result unheard = {0};
    const coupled_pass ghosts = pass_of_ghosts(&pass, &unheard);
    demi_fluid_works works;
    memset(&works, 0, sizeof works);
    demi_chunk_end_begins(call, k);
    for (uint64_t first = pass.begin; first < pass.end; first += 4) {
        demi_group_drag group;
        const demi_group_drag *drag = group_drag(&pass, first, 1, 0, &group);
        for (uint64_t m = 0; m < 4 && first + m < pass.end; ++m) {
            if (some_ghosts && demi_kinds[w->body.read[first + m].kind].ghost) {
                ghost_ends(&ghosts, first + m, m, drag);
                continue;
            }
            coupled_motion motion;
            row_ends(&pass, first + m, m, drag, &works, &motion);
        }
    }
    demi_fluid_works_result(&pass.c, &works, pass.result);
}

/* Row m of a group ends a step and begins the next. */
static DEMI_INLINE void row_fused_coupled(const coupled_pass *of, uint64_t row, uint64_t m,
                                          const demi_group_drag *drag, demi_fluid_works *works,
                                          demi_paces *pace)
{
    coupled_motion motion;
    row_ends(of, row, m, drag, works, &motion);
    row_begins(of, row, m, drag, &motion, pace);
    if (of->c.ahead > 0.0) {
        const coupled_motion ended = motion;
        demi_fluid_works sums = *works;
        row_ahead(of, row, m, drag, &ended, &sums);
        *works = sums;
    }
}

DEMI_APART void rows_fused_coupled(const coupled_pass *of, demi_fluid_works *works,
                                   demi_paces *pace)
{
    for (uint64_t first = of->begin; first < of->end; first += 4) {
        demi_group_drag group;
        const demi_group_drag *drag = group_drag(of, first, 1, 1, &group);
        for (uint64_t m = 0; m < 4 && first + m < of->end; ++m)
            row_fused_coupled(of, first + m, m, drag, works, pace);
    }
}

/* ------------------------------------------------------------------ rows that are only dragged */

/* Whether nothing but fluid, contacts and gravity acts on rows: no forces of the host, no added
 * masses. Free ones, and those that are held at rest, then go a quicker way, by whole records. */
static DEMI_INLINE int only_dragged(const demi_coupling *c, const demi_outer *outer)
{
    const int beside = c->drag_begun > 0.0, in_place = c->was_ahead && c->ahead > 0.0;
    return c->fluid != NULL && (beside || in_place) && outer->force == NULL &&
           outer->torque == NULL && outer->added == NULL;
}

/* Records of all rows, and what is the same for all of a chunk. */
typedef struct dragged_rows {
    uint64_t last;                                       /* of the world's rows */
    const double *fluid, *before, *begun, *force_torque; /* begun: velocities */
    double *half, *after, *seen, *drag_impulse, *contact_impulse;
    int even;        /* all kicks take the same time */
    int seen_stored; /* dashpots see other velocities */
    demi_vr gravity[DEMI_VR_PARTS], mean_velocity[DEMI_VR_PARTS];
} dragged_rows;

static DEMI_INLINE dragged_rows dragged_rows_of(const coupled_pass *of)
{
    const demi_coupling *c = &of->c;
    const demi_list *list = &of->call->w->list;
    dragged_rows d = {.last = list->chunk.data[list->chunks - 1].row_end - 1,
                      .fluid = c->fluid->velocity,
                      .before = of->force_torque_t0->force,
                      .begun = of->velocities_t0->velocity,
                      .force_torque = of->rows.force_torque->force,
                      .half = of->velocities->velocity,
                      .after = of->velocities_after->velocity,
                      .seen = c->damping_velocity->velocity,
                      .drag_impulse = c->drag_impulse != NULL ? c->drag_impulse->linear : NULL,
                      .contact_impulse =
                          c->contact_impulse != NULL ? c->contact_impulse->linear : NULL,
                      .even = c->lag == 0.0 && c->first == c->second &&
                              (c->ahead == c->second || !(c->ahead > 0.0)),
                      .seen_stored = c->again_inverse != 0.0};
    /* what is added to the acceleration of an angle leaves all bits as they are */
    double gravity[8] = {0.0, 0.0, 0.0, 0.0, -0.0, -0.0, -0.0, -0.0}, mean[8] = {0.0};
    memcpy(gravity, of->rows.outer.gravity, 3 * sizeof(double));
    for (int k = 0; k < 3; ++k)
        mean[k] = of->rows.mean_velocity[k];
    for (int part = 0; part < DEMI_VR_PARTS; ++part) {
        d.gravity[part] = *demi_vr_at(gravity + part * DEMI_VR_SIZE);
        d.mean_velocity[part] = *demi_vr_at(mean + part * DEMI_VR_SIZE);
    }
    return d;
}

/* Asks for what a later row has and no other pass of the step reads: more streams than a processor
 * follows of itself. */
static DEMI_INLINE void dragged_prefetch(const dragged_rows *d, uint64_t row, int in_place)
{
    enum { AHEAD = 32 };
    const uint64_t place = 8 * (row + AHEAD < d->last ? row + AHEAD : d->last);
    __builtin_prefetch(d->fluid + place, 0, 3);
    if (!in_place)
        __builtin_prefetch(d->before + place, 0, 3);
    __builtin_prefetch(d->drag_impulse + place, 0, 3);
    __builtin_prefetch(d->contact_impulse + place, 0, 3);
}

/* Impulses of a part of a row, where they are summed. */
typedef struct part_impulses {
    demi_vr contacts, fluid;
} part_impulses;

/* Books what contacts and the fluid gave in a kick between two velocities. Where nothing drags, and
 * in the last places, the fluid gave 0. */
static DEMI_INLINE void part_books(const demi_vr *by_contacts, const demi_vr *given,
                                   const demi_vr *from, const demi_vr *to, const demi_vr *u,
                                   int part, demi_kick_works *works, part_impulses *impulses)
{
    works->work[part] += *given * *u;
    works->dissipated_twice[part] += *given * ((*u - *from) + (*u - *to));
    impulses->contacts += *by_contacts;
    impulses->fluid += *given;
}

static DEMI_INLINE part_impulses part_impulses_of(const dragged_rows *d, uint64_t place, int summed)
{
    part_impulses impulses = {{0.0}, {0.0}};
    if (summed) {
        impulses.contacts = *demi_vr_at(d->contact_impulse + place);
        impulses.fluid = *demi_vr_at(d->drag_impulse + place);
    }
    return impulses;
}

static DEMI_INLINE void part_impulses_store(const dragged_rows *d, uint64_t place, int summed,
                                            const part_impulses *impulses)
{
    if (!summed)
        return;
    *(demi_vr *)(d->contact_impulse + place) = impulses->contacts;
    *(demi_vr *)(d->drag_impulse + place) = impulses->fluid;
}

/* Part of the free row m of a group, on which nothing but fluid, contacts and gravity act: what
 * row_ends and row_begins do. */
static DEMI_INLINE void part_dragged(const demi_coupling *c, const dragged_rows *d, uint64_t row,
                                     uint64_t m, int part, int summed, int in_place,
                                     const demi_group_drag *drag, demi_fluid_works *works,
                                     demi_vr *pace, demi_vr *after)
{
    const int at = part * DEMI_VR_SIZE;
    const uint64_t place = 8 * row + (uint64_t)at;
    const demi_vr zero = {0.0}, u = *demi_vr_at(d->fluid + place),
                  vh = *demi_vr_at(d->half + place), f = *demi_vr_at(d->force_torque + place);
    part_impulses impulses = part_impulses_of(d, place, summed);
    demi_vr inverse, rate, kick, inertia, damping;
    demi_vr_places dragged;
    demi_vr_spread_last(&vh, &inverse);
    demi_vr_spread(drag->rate, at, m, &rate);
    demi_vr_spread(drag->kick, at, m, &kick);
    demi_vr_spread(drag->inertia, at, m, &inertia);
    demi_vr_positive(&rate, &dragged);
    demi_vr begin = kick;
    if (!d->even)
        demi_vr_spread(drag->begin, at, m, &begin);
    const demi_vr a = f * inverse + d->gravity[part];
    const demi_vr end = DEMI_VR_WHERE(dragged, a + (u - vh) * rate, a), v1 = vh + end * kick;
    const demi_vr begun = DEMI_VR_WHERE(dragged, a + (u - v1) * rate, a), v2 = v1 + begun * begin,
                  off = v2 - d->mean_velocity[part];
    if (!in_place) {
        const demi_vr f0 = *demi_vr_at(d->before + place), v0 = *demi_vr_at(d->begun + place),
                      a0 = f0 * inverse + d->gravity[part], by_contacts = f0 * c->begun,
                      given =
                          DEMI_VR_WHERE(dragged, ((vh - v0) - a0 * c->drag_begun) * inertia, zero);
        part_books(&by_contacts, &given, &v0, &vh, &u, part, &works->first, &impulses);
    }
    const demi_vr gained = a * c->second, by_contacts = f * c->second,
                  given = DEMI_VR_WHERE(dragged, ((v1 - vh) - gained) * inertia, zero);
    part_books(&by_contacts, &given, &vh, &v1, &u, part, &works->second, &impulses);
    if (in_place || c->ahead > 0.0) {
        demi_vr gained_ahead = gained, by_contacts_ahead = by_contacts;
        if (!d->even) {
            gained_ahead = a * c->ahead;
            by_contacts_ahead = f * c->ahead;
        }
        const demi_vr given_ahead =
            DEMI_VR_WHERE(dragged, ((v2 - v1) - gained_ahead) * inertia, zero);
        part_books(&by_contacts_ahead, &given_ahead, &v1, &v2, &u, part, &works->ahead, &impulses);
    }
    if (!in_place) /* there, the row of the next step is the same */
        *(demi_vr *)(d->half + place) = v1;
    if (d->seen_stored) {
        demi_vr_spread(drag->damping, at, m, &damping);
        *(demi_vr *)(d->seen + place) = DEMI_VR_WHERE(dragged, v2 - begun * damping, v1);
    }
    *(demi_vr *)(d->after + place) = v2;
    part_impulses_store(d, place, summed, &impulses);
    demi_vr_rise(&pace[part], &off);
    after[part] = v2;
}

/* The same of a row that is held and does not move. */
static DEMI_INLINE void part_at_rest(const demi_coupling *c, const dragged_rows *d, uint64_t row,
                                     int part, int summed, int in_place, demi_fluid_works *works,
                                     demi_vr *pace, demi_vr *after)
{
    const uint64_t place = 8 * row + (uint64_t)(part * DEMI_VR_SIZE);
    const demi_vr zero = {0.0}, u = *demi_vr_at(d->fluid + place), v = *demi_vr_at(d->half + place),
                  f = *demi_vr_at(d->force_torque + place),
                  v2 = v + zero; /* the kick of no acceleration */
    part_impulses impulses = part_impulses_of(d, place, summed);
    demi_vr coefficient;
    demi_vr_places dragged;
    demi_vr_spread_last(&u, &coefficient);
    demi_vr_positive(&coefficient, &dragged);
    const demi_vr against = DEMI_VR_WHERE(dragged, u - v, zero);
    if (!in_place) {
        const demi_vr by_contacts = *demi_vr_at(d->before + place) * c->begun,
                      given = against * (coefficient * c->drag_begun);
        part_books(&by_contacts, &given, &v, &v, &u, part, &works->first, &impulses);
    }
    const demi_vr by_contacts = f * c->second, given = against * (coefficient * c->second);
    part_books(&by_contacts, &given, &v, &v, &u, part, &works->second, &impulses);
    if (in_place || c->ahead > 0.0) {
        const demi_vr by_contacts_ahead = f * c->ahead,
                      given_ahead = against * (coefficient * c->ahead);
        part_books(&by_contacts_ahead, &given_ahead, &v, &v, &u, part, &works->ahead, &impulses);
    }
    if (d->seen_stored)
        *(demi_vr *)(d->seen + place) = v;
    *(demi_vr *)(d->after + place) = v2;
    part_impulses_store(d, place, summed, &impulses);
    const demi_vr off = v2 - d->mean_velocity[part];
    demi_vr_rise(&pace[part], &off);
    after[part] = v2;
}

/* Whether a row that is held does not move. */
static DEMI_INLINE int rests(const dragged_rows *d, uint64_t row)
{
    const double *v = d->half + 8 * row, *s = v + 4;
    return !demi_any3(v) && !demi_any3(s);
}

static DEMI_INLINE void row_dragged(const demi_coupling *c, const coupled_pass *of,
                                    const dragged_rows *d, uint64_t row, uint64_t m, int summed,
                                    int in_place, const demi_group_drag *drag,
                                    demi_fluid_works *works, demi_vr *pace)
{
    demi_vr v[DEMI_VR_PARTS];
    demi_v4 half[2];
    if (summed)
        dragged_prefetch(d, row, in_place);
    for (int part = 0; part < DEMI_VR_PARTS; ++part)
        part_dragged(c, d, row, m, part, summed, in_place, drag, works, pace, v);
    demi_vr_halves(v, half);
    demi_position_drift(&of->rows, of->x[row], &half[0], of->x_after[row]);
}

static DEMI_INLINE void row_at_rest(const demi_coupling *c, const coupled_pass *of,
                                    const dragged_rows *d, uint64_t row, int summed, int in_place,
                                    demi_fluid_works *works, demi_vr *pace)
{
    demi_vr v[DEMI_VR_PARTS];
    demi_v4 half[2];
    for (int part = 0; part < DEMI_VR_PARTS; ++part)
        part_at_rest(c, d, row, part, summed, in_place, works, pace, v);
    demi_vr_halves(v, half);
    demi_position_drift(&of->rows, of->x[row], &half[0], of->x_after[row]);
}

DEMI_APART void row_fused_apart(const coupled_pass *of, uint64_t row, uint64_t m,
                                const demi_group_drag *drag, demi_fluid_works *works,
                                demi_paces *pace)
{
    row_fused_coupled(of, row, m, drag, works, pace);
}

/* Raises bounds to those of rows' records. */
static DEMI_INLINE void paces_rise(demi_paces *pace, const demi_vr most[DEMI_VR_PARTS])
{
    demi_v4 half[2];
    demi_vr_halves(most, half);
    demi_v4_rise(&pace->off, &half[0]);
    demi_v4_rise(&pace->angular_velocity, &half[1]);
}

/* summed: the impulses of fluid and contacts are; in_place: both steps are. */
static DEMI_INLINE void rows_dragged(const coupled_pass *of, int summed, int in_place,
                                     demi_fluid_works *sums, demi_paces *pace)
{
    /* copies that no store can change, in the compiler's eyes */
    const coupled_pass pass = *of;
    const demi_coupling c = pass.c;
    const demi_velocities *velocities = pass.velocities;
    const uint64_t end = pass.end;
    const dragged_rows d = dragged_rows_of(of);
    demi_fluid_works works = *sums;
    demi_vr most[DEMI_VR_PARTS];
    for (int part = 0; part < DEMI_VR_PARTS; ++part)
        most[part] = (demi_vr){0.0};
    /* the next group's divisions take their time while the rows of this one are made */
    demi_group_drag drags[2];
    int g = 0;
    if (pass.begin < end)
        demi_group_drag_of(&c, velocities, pass.begin, end, 1, 1, &drags[0]);
    for (uint64_t first = pass.begin; first < end; first += 4, g ^= 1) {
        if (first + 4 < end)
            demi_group_drag_of(&c, velocities, first + 4, end, 1, 1, &drags[g ^ 1]);
        const demi_group_drag *drag = &drags[g];
        for (uint64_t m = 0; m < 4 && first + m < end; ++m)
            if (velocities[first + m].angular_velocity[3] > 0.0)
                row_dragged(&c, &pass, &d, first + m, m, summed, in_place, drag, &works, most);
            else if (rests(&d, first + m))
                row_at_rest(&c, &pass, &d, first + m, summed, in_place, &works, most);
            else {
                demi_fluid_works copy = works;
                row_fused_apart(of, first + m, m, drag, &copy, pace);
                works = copy;
            }
    }
    *sums = works;
    paces_rise(pace, most);
}

DEMI_APART void rows_dragged_summed(const coupled_pass *of, demi_fluid_works *sums,
                                    demi_paces *pace)
{
    rows_dragged(of, 1, 0, sums, pace);
}

DEMI_APART void rows_dragged_plain(const coupled_pass *of, demi_fluid_works *sums, demi_paces *pace)
{
    rows_dragged(of, 0, 0, sums, pace);
}

DEMI_APART void rows_dragged_summed_in_place(const coupled_pass *of, demi_fluid_works *sums,
                                             demi_paces *pace)
{
    rows_dragged(of, 1, 1, sums, pace);
}

DEMI_APART void rows_dragged_plain_in_place(const coupled_pass *of, demi_fluid_works *sums,
                                            demi_paces *pace)
{
    rows_dragged(of, 0, 1, sums, pace);
}

DEMI_ENTRY(demi_phase_function, demi_coupled_fused);

/* The end of a step and the beginning of the next, which is made where the step began. Worlds with
 * ghosts, bodies or films do not fuse. */
void demi_coupled_fused(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const coupled_pass pass = coupled_pass_of(call, k, &w->next, &w->current);
    demi_fluid_works works;
    demi_paces pace;
    memset(&works, 0, sizeof works);
    memset(&pace, 0, sizeof pace);
    demi_chunk_end_begins(call, k);
    if (!only_dragged(&pass.c, &pass.rows.outer))
        rows_fused_coupled(&pass, &works, &pace);
    else if (pass.c.drag_impulse != NULL && pass.c.was_ahead)
        rows_dragged_summed_in_place(&pass, &works, &pace);
    else if (pass.c.drag_impulse != NULL)
        rows_dragged_summed(&pass, &works, &pace);
    else if (pass.c.was_ahead)
        rows_dragged_plain_in_place(&pass, &works, &pace);
    else
        rows_dragged_plain(&pass, &works, &pace);
    demi_fluid_works_result(&pass.c, &works, pass.result);
    demi_chunk_began(call, w->list.chunk.data + k, &pace, &w->current, pass.result);
}
