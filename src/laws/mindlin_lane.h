/* SPDX-License-Identifier: MIT */
/* One contact of Mindlin's no-slip stiffness with a slider. */
#ifndef DEMI_MINDLIN_LANE_H
#define DEMI_MINDLIN_LANE_H

#include "laws/mindlin.h"
#include "laws/slider.h"

#include <dem/law_mindlin.h>

#define S DEM_BATCH_SIZE

/* plain: the form is DEM_MINDLIN_SECANT, and there is no damping ratio, which saves a division and
 * a square root. */
static DEMI_INLINE void mindlin_lane(const dem_contact_batch *b, uint64_t k, const demi_mindlin *c,
                                     int slider, int plain, int forces, int energy_tracking)
{
    double *const state = b->state + k;
    const double area = b->contact_radius[k];
    const int touching = (b->touching[k] != 0.0) & (area > 0.0);
    /* one that has ended keeps its stiffness, so that energies see nothing rescaled */
    const double kt_old = state[DEMI_MINDLIN_STIFFNESS * S];
    const double kt = dem_select(
        touching, c->stiffness_factor * dem_kernel_stiffness_mindlin(c->effective_shear, area),
        dem_select(kt_old > 0.0, kt_old, 1.0));
    const double eta =
        (plain ? 0.0 : dem_kernel_damping_mindlin(c->damping_ratio, b->mass[k], kt)) +
        c->damping_factor * b->damping[k];
    const double limit = c->friction * dem_select(touching, b->force_coulomb[k], 0.0);
    const double ratio = kt_old / kt;
    const double rescaled = dem_kernel_rescale_mindlin(kt_old, kt);
    const double factor = plain ? 1.0
                                : dem_select(c->form == DEM_MINDLIN_RESCALED, rescaled,
                                             dem_select(c->form == DEM_MINDLIN_SECANT, 1.0, ratio));
    /* a force that is kept grows by the mean stiffness of the step, k part = (k + k_old)/2 */
    const double part = plain ? 1.0 : dem_select(kt_old > 0.0, 0.5 + 0.5 * factor, 1.0);
    double xi0[3], xi1[3], ft[3], ft_old[3], du[3], load[3], vd[3];
    for (uint64_t a = 0; a < 3; ++a) {
        xi0[a] = state[(DEMI_MINDLIN_DISPLACEMENT + a) * S];
        xi1[a] = factor * xi0[a];
        ft_old[a] = energy_tracking ? state[(DEMI_MINDLIN_FORCE + a) * S] : 0.0;
        du[a] = b->increment[a * S + k];
        load[a] = part * du[a];
        vd[a] = b->velocity[a * S + k];
    }
    demi_slide(slider, kt, eta, limit, b->dt, load, vd, xi1, ft);
    for (uint64_t a = 0; a < 3; ++a) {
        xi1[a] = dem_select(touching, xi1[a], 0.0);
        ft[a] = dem_select(touching, ft[a], 0.0);
        state[(DEMI_MINDLIN_DISPLACEMENT + a) * S] = xi1[a];
        if (forces)
            state[(DEMI_MINDLIN_FORCE + a) * S] = ft[a];
        b->force_tangential[a * S + k] = ft[a];
    }
    state[DEMI_MINDLIN_STIFFNESS * S] = dem_select(touching, kt, 0.0);
    if (!energy_tracking)
        return;

    /* what a change of the stiffness takes from the spring counts as sliding, and where a form
     * creates energy it is negative */
    double stretched[3], twice[3], spring[3], spring_old[3], springs[3];
    for (int a = 0; a < 3; ++a) {
        spring[a] = kt * xi1[a];
        spring_old[a] = kt_old * xi0[a];
        springs[a] = spring[a] + spring_old[a];
        twice[a] = ft[a] + ft_old[a];
        stretched[a] = (xi1[a] - factor * xi0[a]) + (du[a] - load[a]);
    }
    const double stored = demi_lane_dot(spring, xi1), stored_old = demi_lane_dot(spring_old, xi0),
                 taken = demi_lane_dot(springs, stretched),
                 stretch = demi_lane_dot(twice, stretched), motion = demi_lane_dot(twice, du);
    b->elastic_energy[k] += 0.5 * stored;
    b->dissipated_dashpot[k] = -0.5 * (stretch + taken);
    b->dissipated_slip[k] = 0.5 * ((stretch - motion) + (taken - (stored - stored_old)));
}

/* forces: those of the last step belong to the state. */
static DEMI_INLINE void mindlin_slider(uint64_t n, const dem_contact_batch *b,
                                       const demi_mindlin *c, int slider, int plain, int forces,
                                       int energy_tracking)
{
    DEMI_EACH_LANE(n, mindlin_lane(b, k, c, slider, plain, forces, energy_tracking));
}

static DEMI_INLINE void mindlin_batch(uint64_t n, const dem_contact_batch *b, const demi_mindlin *c,
                                      int forces, int energy_tracking)
{
    switch (demi_choice(c->slider)) {
    case DEM_SLIDER_CSDS:
        mindlin_slider(n, b, c, DEM_SLIDER_CSDS, 0, forces, energy_tracking);
        break;
    case DEM_SLIDER_DSDS:
        if (c->form == DEM_MINDLIN_SECANT && c->damping_ratio == 0.0)
            mindlin_slider(n, b, c, DEM_SLIDER_DSDS, 1, forces, energy_tracking);
        else
            mindlin_slider(n, b, c, DEM_SLIDER_DSDS, 0, forces, energy_tracking);
        break;
    case DEM_SLIDER_TRUNCATED:
        mindlin_slider(n, b, c, DEM_SLIDER_TRUNCATED, 0, forces, energy_tracking);
        break;
    case DEM_SLIDER_LI:
        mindlin_slider(n, b, c, DEM_SLIDER_LI, 0, forces, energy_tracking);
        break;
    default:
        mindlin_slider(n, b, c, DEM_SLIDER_UNRESET, 0, forces, energy_tracking);
        break;
    }
}

static DEMI_INLINE void mindlin_lanes(uint64_t n, const dem_contact_batch *b, const demi_mindlin *c,
                                      int energy_tracking)
{
    mindlin_batch(n, b, c, 1, energy_tracking);
}

/* Where energies are never tracked the state has no forces. */
static DEMI_INLINE void mindlin_lean_lanes(uint64_t n, const dem_contact_batch *b,
                                           const demi_mindlin *c)
{
    mindlin_batch(n, b, c, 0, 0);
}

#undef S

#endif
