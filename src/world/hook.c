/* SPDX-License-Identifier: MIT */
/* The host's hook in a step, see hook.h. */
#include "world/hook.h"

#include "base/check.h"
#include "base/entry.h"
#include "integrate/drag.h"
#include "world/added_mass.h"
#include "world/ghost_told.h"
#include "world/rigid_drag.h"

#include <string.h>

/* ------------------------------------------------------------------ what is taken back */

dem_status demi_hook_reserve(dem_world *w)
{
    return demi_array_reserve(&w->context, &w->hook.kept, demi_rows_hook_bytes(w), 0,
                              "before_forces");
}

void demi_hook_undo(dem_world *w)
{
    demi_rows_hook_return(w, w->hook.kept.data);
    /* of the fields that it wrote nothing is due any more */
    if (w->ghosts.count > 0)
        demi_ghost_fields_forget(w);
}

/* ------------------------------------------------------------------ what the first kick did */

/* Velocities of one kind, linear or angular, of a row. */
typedef struct half_row {
    const double *fluid;           /* its velocity, and the coefficient of drag */
    const double *t0, *half;       /* velocities, and the inverse of the inertia */
    const double *film;            /* what films changed after the kick, or NULL */
    const double *contact, *outer; /* force or torque; of the host, or NULL */
    const double *gravity;         /* or NULL */
    double *impulse;               /* or NULL */
    int free;
} half_row;

/* What the fluid gave in the first kick, as demi_drag_book and demi_drag_book_held have it. */
static void half_drag(dem_world *w, const half_row *r, double time, double rate_most)
{
    const double inverse = r->half[3];
    if (r->free && !(demi_drag_rate(r->fluid[3], inverse, rate_most) > 0.0))
        return;
    for (int c = 0; c < 3; ++c) {
        /* one that keeps its velocity may be a part of a body that turns */
        const double u = r->fluid[c], v0 = r->free ? r->t0[c] : r->half[c],
                     v1 = r->half[c] - (r->film != NULL ? r->film[c] : 0.0);
        double given = (u - v0) * (r->fluid[3] * time);
        if (r->free) {
            const double load = r->contact[c] + (r->outer != NULL ? r->outer[c] : 0.0),
                         rate = load * inverse + (r->gravity != NULL ? r->gravity[c] : 0.0);
            given = ((v1 - v0) - rate * time) / inverse;
        } else
            w->work_boundary -= given * v0;
        w->work_fluid += given * u;
        w->dissipated_drag += given * (0.5 * ((u - v0) + (u - v1)));
        if (r->impulse != NULL)
            r->impulse[c] += given;
    }
}

static double half_work(const demi_row_array *outer, uint64_t row, const double *velocity)
{
    return outer->read != NULL ? demi_dot(outer->read[row], velocity) : 0.0;
}

/* time: of the first kick. moved: half of dt: the force of a step's beginning works along half of
 * its way whatever the kicks are, so that works are of order 2. */
static void half_book_row(dem_world *w, uint64_t row, double time, double moved, double rate_most)
{
    const demi_velocities *t0 = &w->current.velocity.read[row], *half = &w->next.velocity.read[row];
    const demi_force_torque *contact = &w->current.force_torque.read[row];
    /* the owner of a ghost has the works */
    if (demi_kinds[w->body.read[row].kind].ghost)
        return;
    const int free = half->angular_velocity[3] > 0.0,
              carried = !free && demi_kinds[w->body.read[row].kind].responds;
    if (free || carried)
        w->work_external += (half_work(&w->external_force, row, half->velocity) +
                             half_work(&w->external_torque, row, half->angular_velocity)) *
                            moved;
    const demi_added_mass *added = demi_added_masses(w);
    demi_impulse *impulse = w->contact_impulse.read != NULL ? &w->drag_impulse.data[row] : NULL;
    for (int c = 0; added != NULL && impulse != NULL && free && c < 3; ++c)
        impulse->linear[c] -= (half->velocity[c] - t0->velocity[c]) * added[row].mass;
    if (w->fluid.read == NULL || carried)
        return;
    double gravity[3];
    for (int c = 0; c < 3; ++c)
        gravity[c] = w->config.gravity[c] * (added != NULL ? added[row].weight_share : 1.0);
    const demi_fluid *fluid = &w->fluid.read[row];
    const demi_impulse *film = w->models.films > 0 ? &w->film.change.read[row] : NULL;
    const half_row linear = {fluid->velocity,
                             t0->velocity,
                             half->velocity,
                             film != NULL ? film->linear : NULL,
                             contact->force,
                             w->external_force.read != NULL ? w->external_force.read[row] : NULL,
                             gravity,
                             impulse != NULL ? impulse->linear : NULL,
                             free},
                   angular = {fluid->angular_velocity,
                              t0->angular_velocity,
                              half->angular_velocity,
                              film != NULL ? film->angular : NULL,
                              contact->torque,
                              w->external_torque.read != NULL ? w->external_torque.read[row] : NULL,
                              NULL,
                              impulse != NULL ? impulse->angular : NULL,
                              free};
    half_drag(w, &linear, time, rate_most);
    half_drag(w, &angular, time, rate_most);
}

static void half_book(dem_world *w, double dt)
{
    if (w->fluid.read == NULL && w->external_force.read == NULL &&
        w->external_torque.read == NULL && !w->mass_added)
        return;
    const double time = demi_kick_first(w, dt), moved = 0.5 * dt;
    const double most = demi_drag_rate_most(dt + w->velocity_lag);
    for (uint64_t row = 0; row < w->rows; ++row)
        half_book_row(w, row, time, moved, most);
    demi_rigids_drag_book(w);
}

/* ------------------------------------------------------------------ the call */

/* Views show the step that has begun: positions after it, velocities of its middle; forces are
 * those of the last complete step. */
static void shown_exchange(dem_world *w)
{
    const demi_row_array position = w->current.position;
    w->current.position = w->next.position;
    w->next.position = position;
    demi_buffer_exchange(&w->current.velocity.buffer, &w->next.velocity.buffer);
}

static dem_status host_call(dem_world *w, double dt)
{
    shown_exchange(w);
    w->generation++;
    demi_hook_open(&w->context, 1);
    const dem_status given = w->config.before_forces(w->config.before_forces_user, w, dt);
    demi_hook_open(&w->context, 0);
    dem_status status = demi_written_check(w, DEMI_TOUCHED_ALL);
    shown_exchange(w);
    w->generation++;
    if (given != DEM_OK)
        status = demi_fail(&w->context, DEM_ERROR_CALLBACK,
                           "before_forces: returned %d (%s) in step %llu, which is undone",
                           (int)given, dem_status_string(given), (unsigned long long)w->steps + 1);
    return status;
}

void demi_hook_book(dem_world *w, double dt)
{
    if (!demi_hooked(w) || !(dt > 0.0) || !w->hook.wrote)
        return;
    demi_rows_hook_exchange(w, w->hook.kept.data);
    half_book(w, dt);
    demi_rows_hook_exchange(w, w->hook.kept.data);
}

void demi_hook_exchange(const dem_world *world)
{
    /* the context is the first member */
    dem_world *w = (dem_world *)(void *)world->self;
    if (w->context.halfway && demi_hooked(w) && w->ghosts.dt > 0.0) {
        demi_rows_hook_exchange(w, w->hook.kept.data);
        w->hook.aside = !w->hook.aside;
    }
}

dem_status demi_hook_call(dem_world *w, double dt)
{
    demi_rows_hook_keep(w, w->hook.kept.data);
    const dem_status status = host_call(w, dt);
    w->hook.wrote = status == DEM_OK && w->touched != 0;
    if (status != DEM_OK)
        demi_hook_undo(w);
    w->touched = 0;
    return status;
}
