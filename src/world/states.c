/* SPDX-License-Identifier: MIT */
/* The two states of a world change places. */
#include "world/world.h"

void demi_states_exchange(dem_world *w)
{
    const demi_state made = w->next;
    w->next = w->current;
    w->current = made;
}

/* Makes the next state the last complete one. */
void demi_step_commit(dem_world *w, demi_step step)
{
    demi_states_exchange(w);
    w->generation++;
    w->motion_viewed = 0;
    w->totals.contacts = w->made.contacts;
    w->totals.elastic = w->made.elastic;
    w->velocity_lag = demi_lag_after(w, step.dt);
    if (step.evaluate_only)
        return;
    w->totals.dissipated_normal += w->made.dissipated_normal;
    w->totals.dissipated_dashpot += w->made.dissipated_dashpot;
    w->totals.dissipated_slip += w->made.dissipated_slip;
    w->totals.dissipated_rolling += w->made.dissipated_rolling;
    if (w->models.films > 0 && !w->models.lean) {
        w->totals.dissipated_normal += w->film.dissipated;
        w->totals.dissipated_dashpot += w->film.dissipated_slide;
        w->totals.dissipated_rolling += w->film.dissipated_roll;
    }
    w->time += step.dt;
    w->list_age += step.dt;
    w->steps++;
    demi_walls_watch(w);
}
