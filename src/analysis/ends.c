/* SPDX-License-Identifier: MIT */
/* Ends of contacts, from the lanes of contacts that are read. */
#include "analysis/ends.h"

#include "world/read_contacts.h"

#include <string.h>

typedef struct ends_call {
    demi_end_function *function;
    void *user;
} ends_call;

/* Energies of a lane, `share` of them. Without energy tracking lanes have none. */
static void end_energies(const dem_world *w, const demi_lanes *lanes, uint64_t k, double share,
                         demi_contact_end *end)
{
    if (w->models.lean)
        return;
    end->elastic = share * lanes->elastic_energy[k];
    end->normal_loss = share * lanes->dissipated_normal[k];
    end->dashpot = share * lanes->dissipated_dashpot[k];
    end->slip = share * lanes->dissipated_slip[k];
    end->rolling = share * lanes->dissipated_rolling[k];
}

/* The end of i, for sign = 1, or of j, for sign = -1. */
static void end_visit(const ends_call *call, const dem_world *w, const demi_lanes *lanes,
                      uint64_t k, uint64_t row, double sign, int wall)
{
    const demi_lane_array *torque = sign > 0.0 ? lanes->torque_i : lanes->torque_j;
    demi_contact_end end;
    memset(&end, 0, sizeof end);
    end.row = row;
    end.arm = demi_contact_arm(w->current.position.read[row][3], lanes->overlap[k], wall);
    for (int c = 0; c < 3; ++c) {
        end.normal[c] = sign * lanes->normal[c][k];
        end.force[c] = sign * lanes->force[c][k];
        end.torque[c] = torque[c][k];
    }
    end_energies(w, lanes, k, wall ? 1.0 : 0.5, &end);
    call->function(call->user, w, &end);
}

static void ends_of_lanes(void *user, const dem_world *w, demi_reading *reading,
                          const demi_lanes *lanes, uint64_t n)
{
    const demi_batch_group *group = demi_reading_group(w, reading);
    const int wall = group->shape != DEMI_SHAPE_SPHERE;
    const double sign = demi_own_first(group) ? 1.0 : -1.0;
    for (uint64_t k = reading->next; k < reading->next + n; ++k) {
        end_visit(user, w, lanes, k, reading->own[k], sign, wall);
        if (!wall)
            end_visit(user, w, lanes, k, reading->other[k], -sign, 0);
    }
}

static void ends_read(const dem_world *w, double dt, int elsewhere, ends_call *ends)
{
    demi_reading_call call = {.w = w,
                              .most = UINT64_MAX,
                              .function = ends_of_lanes,
                              .user = ends,
                              .whole = 1,
                              .elsewhere = elsewhere,
                              .dt = dt};
    demi_contacts_read(&call);
}

void demi_ends_visit(const dem_world *w, double dt, demi_end_function *function, void *user)
{
    ends_call ends = {function, user};
    ends_read(w, dt, 0, &ends);
}

void demi_ends_visit_all(const dem_world *w, demi_end_function *function, void *user)
{
    ends_call ends = {function, user};
    ends_read(w, 0.0, 1, &ends);
}
