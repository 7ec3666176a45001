/* SPDX-License-Identifier: MIT */
/* Ends of contacts, from the lanes of contacts that are read. */
#include "analysis/ends.h"

#include "world/read_contacts.h"

typedef struct ends_call {
    demi_end_function *function;
    void *user;
} ends_call;

/* Energies of a lane, `share` of them. Without energy tracking lanes have none. */
static void end_energies(const dem_world *w, const demi_lanes *lanes, uint64_t k, double share,
                         demi_contact_end *end)
{
    const int none = w->models.lean;
    end->elastic = none ? 0.0 : share * lanes->elastic_energy[k];
    end->normal_loss = none ? 0.0 : share * lanes->dissipated_normal[k];
    end->dashpot = none ? 0.0 : share * lanes->dissipated_dashpot[k];
    end->slip = none ? 0.0 : share * lanes->dissipated_slip[k];
    end->rolling = none ? 0.0 : share * lanes->dissipated_rolling[k];
}

/* From the centre of a sphere to the contact point; normal: from that to the sphere. */
static void sphere_arm(double radius, double overlap, int wall, const double normal[3],
                       double arm[3])
{
    for (int c = 0; c < 3; ++c)
        arm[c] = -demi_contact_arm(radius, overlap, wall) * normal[c];
}

/* From the centre of the own or the other row of a contact of polyhedra to its point. */
static void faceted_arm(const dem_world *w, const demi_reading *reading, uint64_t k, int other,
                        double arm[3])
{
    const demi_ends ends =
        demi_reading_ends(w, reading, k, demi_own_first(demi_reading_group(w, reading)));
    const double *point = demi_reading_faceted(w, reading, k)->point;
    const int from = ends.wall || ends.first ? 0 : 1; /* whose centre the point is told from */
    double centre[2][3];
    demi_faceted_place(w, &w->current, &ends, from, centre[from]);
    demi_faceted_place(w, &w->current, &ends, other, centre[other]);
    for (int c = 0; c < 3; ++c)
        arm[c] = point[c] + (centre[from][c] - centre[other][c]);
}

/* Whether this world counts a contact: its body of lower id, or the one at a wall, is owned. */
static int contact_counted(const dem_world *w, const demi_reading *reading, uint64_t k)
{
    const demi_batch_group *group = demi_reading_group(w, reading);
    const int own = group->shape != DEMI_SHAPE_SPHERE || demi_own_first(group);
    return demi_shown_ids(w)[own ? reading->own[k] : reading->other[k]] != 0;
}

/* The end of the own or of the other row. */
static void end_visit(const ends_call *call, const dem_world *w, const demi_reading *reading,
                      const demi_lanes *lanes, uint64_t k, int other, int counted)
{
    const demi_batch_group *group = demi_reading_group(w, reading);
    const int wall = group->shape != DEMI_SHAPE_SPHERE;
    const uint64_t row = other ? reading->other[k] : reading->own[k];
    const double sign = demi_own_first(group) != other ? 1.0 : -1.0; /* 1: it is i */
    const demi_lane_array *torque = sign > 0.0 ? lanes->torque_i : lanes->torque_j;
    demi_contact_end end;
    end.row = row;
    end.counted = counted;
    for (int c = 0; c < 3; ++c) {
        end.normal[c] = sign * lanes->normal[c][k];
        end.force[c] = sign * lanes->force[c][k];
        end.torque[c] = torque[c][k];
    }
    if (group->faceted)
        faceted_arm(w, reading, k, other, end.arm);
    else
        sphere_arm(w->current.position.read[row][3], lanes->overlap[k], wall, end.normal, end.arm);
    end_energies(w, lanes, k, wall ? 1.0 : 0.5, &end);
    call->function(call->user, w, &end);
}

static void ends_of_lanes(void *user, const dem_world *w, demi_reading *reading,
                          const demi_lanes *lanes, uint64_t n)
{
    const int wall = demi_reading_group(w, reading)->shape != DEMI_SHAPE_SPHERE;
    for (uint64_t k = reading->next; k < reading->next + n; ++k) {
        const int counted = contact_counted(w, reading, k);
        end_visit(user, w, reading, lanes, k, 0, counted);
        if (!wall)
            end_visit(user, w, reading, lanes, k, 1, counted);
    }
}

static dem_status ends_read(const dem_world *w, double dt, int elsewhere, ends_call *ends)
{
    demi_reading_call call = {.w = w,
                              .most = UINT64_MAX,
                              .function = ends_of_lanes,
                              .user = ends,
                              .whole = 1,
                              .elsewhere = elsewhere,
                              .dt = dt};
    return demi_contacts_read(&call);
}

dem_status demi_ends_visit(const dem_world *w, double dt, demi_end_function *function, void *user)
{
    ends_call ends = {function, user};
    return ends_read(w, dt, 0, &ends);
}

dem_status demi_ends_visit_all(const dem_world *w, demi_end_function *function, void *user)
{
    ends_call ends = {function, user};
    return ends_read(w, 0.0, 1, &ends);
}
