/* SPDX-License-Identifier: MIT */
/* What a fluid gives to rigid bodies: room for it, and where it is booked. */
#include "world/rigid_drag.h"

#include "world/world.h"

dem_status demi_rigid_drag_reserve(dem_world *w)
{
    const dem_status status =
        demi_array_reserve(&w->context, &w->rigid_drag, w->rigids, 0, "drag on bodies");
    return status == DEM_OK ? demi_array_reserve(&w->context, &w->rigid_impulse, w->rigid_parts, 0,
                                                 "drag on parts of bodies")
                            : status;
}

demi_impulse *demi_rigid_given(const dem_world *w, uint64_t body)
{
    return w->rigid_impulse.data + w->rigid.read[body].part_begin;
}

void demi_rigid_drag_book(dem_world *w, uint64_t body)
{
    const demi_rigid *rigid = &w->rigid.read[body];
    const demi_impulse *given = demi_rigid_given(w, body);
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    for (uint64_t p = 0; w->contact_impulse.read != NULL && p < rigid->parts; ++p) {
        demi_impulse *sum = &w->drag_impulse.data[demi_rigid_row(w, &part[p])];
        for (int c = 0; c < 3; ++c) {
            sum->linear[c] += given[p].linear[c];
            sum->angular[c] += given[p].angular[c];
        }
    }
}

void demi_rigids_drag_book(dem_world *w)
{
    for (uint64_t k = 0; w->fluid.read != NULL && k < w->rigids; ++k) {
        const demi_rigid_drag *drag = &w->rigid_drag.read[k];
        if (w->rigid.read[k].id == 0 || w->rigid.read[k].ghost || !drag->drags)
            continue;
        w->work_fluid += drag->work;
        w->dissipated_drag += drag->dissipated;
        demi_rigid_drag_book(w, k);
    }
}
