/* SPDX-License-Identifier: MIT */
/* Relative motion of pairs of bodies that lie in rows, DEMI_WIDE contacts at a time; for files in
 * simd/. Worlds that step and worlds that are read have it from here. */
#ifndef DEMI_BODIES_H
#define DEMI_BODIES_H

#include "base/wide.h"
#include "contact/lanes.h"
#include "contact/pair.h"

/* Where one end of the pairs is found: rows of position and radius, of velocity and inverse mass,
 * of angular velocity; `t0`: at the beginning of the step. Angular velocities have pointers of
 * their own: as velocities plus 32 bytes each would cost gcc a register, and there are more rows
 * than registers. */
typedef struct demi_bodies {
    const double *position;
    const double *velocity, *angular_velocity;
    const double *velocity_t0, *angular_velocity_t0;
} demi_bodies;

/* For `synchronized`: what stands in the place of velocities at t0 is what dashpots see beyond
 * those of half way. */
enum { DEMI_BODIES_GAIN = 2 };

static DEMI_INLINE void demi_columns_store(const demi_wide columns[3], demi_lane_array *arrays,
                                           uint64_t k)
{
    for (int c = 0; c < 3; ++c)
        *(demi_wide *)&arrays[c][k] = columns[c];
}

/* Rows of bodies, half way and, with synchronized kinematics, at the beginning of the step. */
static DEMI_INLINE void demi_bodies_rows(const double *from, const double *from_t0,
                                         const uint32_t *at, int synchronized, demi_wide half[4],
                                         demi_wide t0[4])
{
    for (int s = 0; s < 4; ++s) {
        demi_wide_two(from, at, DEMI_LOCAL_OFFSET_VELOCITY, s, &half[s]);
        if (synchronized)
            demi_wide_two(from_t0, at, DEMI_LOCAL_OFFSET_VELOCITY, s, &t0[s]);
    }
}

/* Velocities of DEMI_WIDE bodies, half way and what dashpots see with synchronized kinematics:
 * v(t + dt/2) + a dt/2, where a dt/2 is what the first kick added, or a part of that. */
static DEMI_INLINE void demi_velocities_store(demi_wide half[4], demi_wide t0[4], int synchronized,
                                              double again, demi_lane_array *arrays,
                                              demi_lane_array *damping, uint64_t k)
{
    demi_wide_columns(half);
    demi_columns_store(half, arrays, k);
    if (synchronized) {
        demi_wide_columns(t0);
        for (int c = 0; c < 3; ++c) {
            if (synchronized != DEMI_BODIES_GAIN)
                t0[c] = (half[c] - t0[c]) * again;
            t0[c] = half[c] + t0[c];
        }
        demi_columns_store(t0, damping, k);
    }
}

/* One end of DEMI_WIDE pairs: stores its angular velocities and radii, and reads the rest. There
 * are too many bodies for their places to stay in registers while both ends are read. */
static DEMI_INLINE void demi_bodies_end(const demi_bodies *bodies, const uint32_t *at,
                                        int synchronized, int dashpots, double again,
                                        demi_lane_array *angular_velocity,
                                        demi_lane_array *damping_angular_velocity, double *radius,
                                        uint64_t k, demi_wide position[4], demi_wide velocity[4],
                                        demi_wide t0[4])
{
    const int damped = dashpots ? synchronized : 0;
    demi_bodies_rows(bodies->angular_velocity, bodies->angular_velocity_t0, at, damped, velocity,
                     t0);
    demi_velocities_store(velocity, t0, damped, again, angular_velocity, damping_angular_velocity,
                          k);
    for (int s = 0; s < 4; ++s)
        demi_wide_two(bodies->position, at, DEMI_LOCAL_OFFSET_POSITION, s, &position[s]);
    demi_wide_last(position, (demi_wide *)radius);
    demi_bodies_rows(bodies->velocity, bodies->velocity_t0, at, synchronized, velocity, t0);
}

/* Lanes from `begin` up to `end`, a multiple of DEMI_WIDE: offset, relative velocity, angular
 * velocities, radii and mass; `pair` begins with that of lane `begin`. synchronized: also what
 * dashpots see; dashpots: tangential ones, too. */
static DEMI_INLINE void demi_bodies_gather(demi_lanes *b, const demi_bodies i, const demi_bodies j,
                                           const demi_pair *pair, uint64_t begin, uint64_t end,
                                           int synchronized, int dashpots, double again)
{
    for (uint64_t k = begin; k < end; k += DEMI_WIDE) {
        const demi_pair *at = pair + (k - begin);
        demi_wide xi[4], xj[4], vi[4], vj[4], ni[4], nj[4], mass_i, mass_j;
        demi_bodies_end(&i, &at->i, synchronized, dashpots, again, b->angular_velocity_i,
                        b->damping_angular_velocity_i, &b->radius_i[k], k, xi, vi, ni);
        demi_bodies_end(&j, &at->j, synchronized, dashpots, again, b->angular_velocity_j,
                        b->damping_angular_velocity_j, &b->radius_j[k], k, xj, vj, nj);
        demi_wide_last(vi, &mass_i);
        demi_wide_last(vj, &mass_j);
        *(demi_wide *)&b->inverse_mass[k] = mass_i + mass_j;
        for (int s = 0; s < 4; ++s) {
            xi[s] -= xj[s];
            vi[s] -= vj[s];
            if (synchronized)
                ni[s] -= nj[s];
        }
        demi_wide_columns(xi);
        demi_columns_store(xi, b->offset, k);
        demi_velocities_store(vi, ni, synchronized, again, b->velocity, b->damping_velocity, k);
    }
}

/* States of contacts from rows of `stride` doubles, a multiple of 4. */
static DEMI_INLINE void demi_states_gather(demi_lanes *b, const double *const at[DEMI_WIDE],
                                           uint64_t stride, uint64_t k)
{
    demi_lane_array *const state = b->state; /* which no store can change, in the compiler's eyes */
    for (uint64_t c = 0; c < stride; c += 4) {
        demi_wide rows[4];
        for (int s = 0; s < 4; ++s)
            demi_wide_at(at, c, s, &rows[s]);
        demi_wide_columns(rows);
        for (uint32_t m = 0; m < 4; ++m)
            *(demi_wide *)&state[c + m][k] = rows[m];
    }
}

#endif
