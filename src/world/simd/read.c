/* SPDX-License-Identifier: MIT */
/* Lanes of contacts that are read. All velocities are those of the positions' time, also those that
 * dashpots see. */
#include "contact/bodies.h"
#include "shapes/slots.h"
#include "world/reading.h"
#include "world/simd/rigid_share.h"
#include "world/wall_lane.h"

#include <string.h>

/* Contacts whose bodies are copied at a time. */
enum { READ_ROWS = 8 };

/* The bodies of some contacts, side by side: those that the chunk owns, and those opposite. */
typedef struct read_rows {
    demi_row position[2][READ_ROWS];
    demi_velocities velocity[2][READ_ROWS];
    demi_pair pair[READ_ROWS];
} read_rows;

static DEMI_INLINE void particle_read(const dem_world *w, uint64_t row, double position[4],
                                      demi_velocities *velocity)
{
    *(demi_v4 *)position = *demi_v4_at(w->current.position.read[row]);
    *velocity = w->current.velocity.data[row];
    if (w->velocity_lag != 0.0)
        demi_velocities_now(w, row, velocity->velocity, velocity->angular_velocity);
}

static DEMI_INLINE void opposite_read(const dem_world *w, const demi_reading *reading, uint64_t k,
                                      double position[4], demi_velocities *velocity)
{
    particle_read(w, reading->other[k], position, velocity);
    for (int c = 0; c < 3; ++c)
        position[c] += demi_shift_length(&w->config, reading->shift[k], c);
}

static DEMI_INLINE demi_bodies bodies_of_rows(const double *position,
                                              const demi_velocities *velocity)
{
    const double *v = velocity->velocity, *s = velocity->angular_velocity;
    const demi_bodies bodies = {position, v, s, v, s};
    return bodies;
}

/* Whether lanes from k on can be filled from the world's rows as they stand: velocities are not
 * late, no other body is one of its images, and offsets of rows fit. */
static DEMI_INLINE int rows_as_they_stand(const dem_world *w, const demi_reading *reading,
                                          uint64_t k)
{
    unsigned int shifted = 0;
    for (uint64_t m = k; m < k + READ_ROWS; ++m)
        shifted |= reading->shift[m] ^ DEMI_SHIFT_NONE;
    return shifted == 0 && w->velocity_lag == 0.0 && w->rows <= UINT32_MAX / DEMI_LOCAL_OFFSET;
}

static DEMI_INLINE void spheres_read(const dem_world *w, const demi_reading *reading,
                                     uint64_t padded, int first, demi_lanes *lanes)
{
    const uint32_t *i = first ? reading->own : reading->other,
                   *j = first ? reading->other : reading->own;
    const demi_bodies every = bodies_of_rows(w->current.position.read[0], w->current.velocity.data);
    for (uint64_t k = 0; k < padded; k += READ_ROWS) {
        read_rows rows;
        if (rows_as_they_stand(w, reading, k)) {
            for (uint64_t m = 0; m < READ_ROWS; ++m) {
                rows.pair[m].i = i[k + m] * DEMI_LOCAL_OFFSET;
                rows.pair[m].j = j[k + m] * DEMI_LOCAL_OFFSET;
            }
            demi_bodies_gather(lanes, every, every, rows.pair, k, k + READ_ROWS, 0, 0, 0.0);
            continue;
        }
        for (uint64_t m = 0; m < READ_ROWS; ++m) {
            particle_read(w, reading->own[k + m], &rows.position[0][m][0], &rows.velocity[0][m]);
            opposite_read(w, reading, k + m, &rows.position[1][m][0], &rows.velocity[1][m]);
            rows.pair[m].i = rows.pair[m].j = (uint32_t)m * DEMI_LOCAL_OFFSET;
        }
        const demi_bodies own = bodies_of_rows(rows.position[0][0], rows.velocity[0]),
                          other = bodies_of_rows(rows.position[1][0], rows.velocity[1]);
        demi_bodies_gather(lanes, first ? own : other, first ? other : own, rows.pair, k,
                           k + READ_ROWS, 0, 0, 0.0);
    }
    if (w->scheme->kinematics != DEM_KINEMATICS_SYNCHRONIZED)
        return;
    for (int c = 0; c < 3; ++c) {
        const size_t bytes = (size_t)padded * sizeof(double);
        memcpy(lanes->damping_velocity[c], lanes->velocity[c], bytes);
        memcpy(lanes->damping_angular_velocity_i[c], lanes->angular_velocity_i[c], bytes);
        memcpy(lanes->damping_angular_velocity_j[c], lanes->angular_velocity_j[c], bytes);
    }
}

static DEMI_INLINE void wall_read(const dem_world *w, const demi_reading *reading, uint64_t k,
                                  int first, demi_lanes *lanes)
{
    const demi_wall *wall = w->wall.data + reading->other[k];
    const demi_solid *solid = &w->current.solid.read[reading->other[k]];
    const double *x = w->current.position.read[reading->own[k]];
    const demi_batch_group *group = demi_reading_group(w, reading);
    const uint32_t kept = demi_wall_shape(wall)->kept;
    demi_surface surface;
    if (kept > 0) {
        const demi_mesh_point at =
            demi_slot_point(solid, reading->state[k] + group->state_stride - kept, x);
        demi_slot_surface(solid, &at, &surface);
    } else
        demi_wall_shape(wall)->surface(1, &solid, &reading->feature[k], &x, &surface);
    static const double none[3] = {0.0, 0.0, 0.0};
    double v[3], angular_velocity[3];
    if (solid->rate != 0.0) {
        double arm[3];
        demi_wall_arm(solid, x, surface.gap, surface.normal, arm);
        double turns[3];
        demi_shape_velocity(solid, arm, turns);
        for (int c = 0; c < 3; ++c)
            surface.velocity[c] = turns[c] + (surface.velocity[c] - solid->velocity[c]);
    }
    demi_velocities_now(w, reading->own[k], v, angular_velocity);
    const double inverse_mass = w->current.velocity.data[reading->own[k]].velocity[3];
    const demi_motion row = {x[3], inverse_mass, v, none, angular_velocity, none};
    demi_wall_lane_fill(lanes, k, &row, first, solid, &surface);
    demi_wall_lane_before(lanes, k, first, surface.normal);
}

/* As for the lanes of a step. */
DEMI_APART void rigids_read(const dem_world *w, const demi_reading *reading, uint64_t padded,
                            int wall, demi_lanes *lanes)
{
    for (uint64_t k = 0; k < padded; ++k) {
        const double d[3] = {lanes->offset[0][k], lanes->offset[1][k], lanes->offset[2][k]};
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const double scale = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
        const double normal[3] = {d[0] * scale, d[1] * scale, d[2] * scale};
        const double own = demi_rigid_share(w, 0, reading->own[k], normal);
        const double other = wall ? 0.0 : demi_rigid_share(w, 0, reading->other[k], normal);
        /* the same bits whichever end is the own one */
        lanes->inverse_mass[k] += own + other;
    }
}

/* With the geometry of the last evaluation. */
DEMI_APART void polyhedra_read(const dem_world *w, const demi_reading *reading, uint64_t padded,
                               int first, demi_lanes *lanes)
{
    const demi_faceted_call call = {w, 0, 0.0, 0.0};
    for (uint64_t k = 0; k < padded; ++k) {
        const demi_ends ends = demi_reading_ends(w, reading, k, first);
        const demi_faceted_contact *contact = demi_reading_faceted(w, reading, k);
        demi_faceted_lane(&call, &ends, contact, contact, lanes, k);
    }
}

DEMI_ENTRY(demi_read_function, demi_contacts_lanes);

void demi_contacts_lanes(const dem_world *w, const demi_reading *reading, demi_lanes *lanes)
{
    const demi_batch_group *group = w->list.batch_group.data + reading->batch_group;
    const uint64_t padded = DEMI_PADDED(reading->count);
    const int first = demi_own_first(group);
    if (group->faceted)
        polyhedra_read(w, reading, padded, first, lanes);
    else if (group->shape == DEMI_SHAPE_SPHERE)
        spheres_read(w, reading, padded, first, lanes);
    else
        for (uint64_t k = 0; k < padded; ++k)
            wall_read(w, reading, k, first, lanes);
    if (w->rigids > 0 && !group->faceted)
        rigids_read(w, reading, padded, group->shape != DEMI_SHAPE_SPHERE, lanes);
    for (uint64_t k = 0; k < padded; k += DEMI_WIDE)
        demi_states_gather(lanes, &reading->state[k], group->state_stride, k);
    for (uint64_t k = 0; k < padded; ++k)
        lanes->was_touching[k] = 1.0;
}
