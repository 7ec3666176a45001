/* SPDX-License-Identifier: MIT */
/* Added mass, see added_mass.h. */
#include "world/added_mass.h"

#include <math.h>

void demi_added_mass_restore(dem_world *w)
{
    w->mass_added = 0;
    for (uint64_t row = 0; w->added_mass.data != NULL && row < w->rows; ++row) {
        demi_added_mass *added = demi_added_mass_of(w, row);
        const double mass = w->particle.read[row].mass;
        const int there = w->body.read[row].id != 0 && isgreater(added->mass, 0.0);
        added->weight_share = there ? mass / (mass + added->mass) : 1.0;
        w->mass_added |= there;
    }
}

void demi_added_mass_settle(dem_world *w)
{
    demi_added_mass_restore(w);
    for (uint64_t row = 0; w->added_mass.data != NULL && row < w->rows; ++row) {
        double *inverse = &w->current.velocity.data[row].velocity[3];
        const demi_body *body = &w->body.read[row];
        if (body->id == 0 || !demi_kinds[body->kind].integrated)
            continue;
        const double now = 1.0 / (w->particle.read[row].mass + demi_added_mass_of(w, row)->mass);
        if (now == *inverse)
            continue;
        *inverse = now;
        w->forces_stale = 1;
        w->dt_checked = 0.0;
    }
}
