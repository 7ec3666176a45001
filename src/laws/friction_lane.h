/* SPDX-License-Identifier: MIT */
/* One contact of the tangential part "friction". */
#ifndef DEMI_FRICTION_LANE_H
#define DEMI_FRICTION_LANE_H

#include "laws/slider.h"

#define S DEM_BATCH_SIZE

typedef struct demi_friction {
    double stiffness, friction;
    /* gamma = factor eta_n sqrt(k_t/k_n) + coefficient + rate m*: two of the three are zero */
    double factor, coefficient, rate;
    double slider; /* DEM_SLIDER_... */
} demi_friction;

/* Energy of a spring whose force is capped, and its force over k xi. */
static DEMI_INLINE double friction_capped(double kt, double limit, const double xi[3],
                                          double *share)
{
    const double square = xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2];
    const double length = sqrt(square), force = kt * length;
    const int capped = force > limit;
    *share = dem_select(capped, limit, 1.0) / dem_select(capped, force, 1.0);
    const double safe = dem_select(kt > 0.0, kt, 1.0);
    return dem_select(capped, limit * (length - 0.5 * limit / safe), 0.5 * kt * square);
}

/* As demi_tangential_recall, for the slider of Li et al. */
static DEMI_INLINE void friction_recall_li(double kt, double gamma, double limit, int there,
                                           const double xi[3], const double velocity[3],
                                           double force[3])
{
    static const double still[3] = {0.0, 0.0, 0.0};
    double same[3] = {xi[0], xi[1], xi[2]};
    dem_kernel_tangential_li(kt, gamma, limit, still, velocity, same, force);
    for (int a = 0; a < 3; ++a)
        force[a] = dem_select(there, force[a], 0.0);
}

static DEMI_INLINE void friction_lane(const dem_contact_batch *b, uint64_t k,
                                      const demi_friction *c, int slider, int energy_tracking)
{
    const double dt = b->dt, mass = b->mass[k], kt = c->stiffness, kn = b->stiffness[k];
    const int stiff = kn > 0.0;
    const double per_eta = dem_select(stiff, sqrt(kt / dem_select(stiff, kn, 1.0)), 0.0);
    const double gamma = c->factor * b->damping[k] * per_eta + c->coefficient + c->rate * mass;
    const int touching = b->touching[k] != 0.0, was_touching = b->was_touching[k] != 0.0;
    const double limit = dem_select(touching, c->friction * b->force_coulomb[k], 0.0);
    const double xi0[3] = {b->state[k], b->state[S + k], b->state[2 * S + k]};
    const double du[3] = {b->increment[k], b->increment[S + k], b->increment[2 * S + k]};
    const double vd[3] = {b->velocity[k], b->velocity[S + k], b->velocity[2 * S + k]};
    const double limit_before = b->state[3 * S + k], gamma_before = b->state[4 * S + k];
    double xi1[3] = {xi0[0], xi0[1], xi0[2]}, ft[3];
    demi_slide(slider, kt, gamma, limit, dt, du, vd, xi1, ft);
    for (int a = 0; a < 3; ++a) {
        /* an evaluation that advances nothing leaves the spring and its energy as they are */
        xi1[a] = dem_select(touching, dem_select(dt > 0.0, xi1[a], xi0[a]), 0.0);
        b->force_tangential[(uint64_t)a * S + k] = ft[a];
        b->state[(uint64_t)a * S + k] = xi1[a];
    }
    b->state[3 * S + k] = limit;
    b->state[4 * S + k] = gamma;
    if (!energy_tracking)
        return;

    /* a contact that was found touching has no step before */
    const int known = limit_before > 0.0;
    const double limit_old = dem_select(known, limit_before, limit),
                 gamma_old = dem_select(known, gamma_before, gamma);
    const int there = was_touching & (dt > 0.0);
    /* the spring keeps its whole length while it slides */
    const int whole = slider == DEM_SLIDER_UNRESET || slider == DEM_SLIDER_LI;
    if (!whole && slider != DEM_SLIDER_VISCOUS) {
        double wanted[3];
        demi_spring_wanted(kt, gamma_old, 1, dt, du, vd, xi0, wanted);
        const double share = demi_spring_share(wanted, limit_old, 1, there);
        const demi_spring_work work =
            demi_spring_dissipation(kt, 1, ft, wanted, share, du, xi0, xi1);
        b->dissipated_slip[k] = work.slip;
        b->dissipated_dashpot[k] = work.dashpot;
        b->elastic_energy[k] += work.stored;
        return;
    }
    double velocity_old[3], ft_old[3], dxi[3], spring[3];
    demi_tangential_begin(dt, du, vd, velocity_old);
    const double recalled = slider == DEM_SLIDER_VISCOUS ? 0.0 : kt;
    if (slider == DEM_SLIDER_LI)
        friction_recall_li(kt, gamma_old, limit_old, there, xi0, velocity_old, ft_old);
    else
        demi_tangential_recall(recalled, gamma_old, limit_old, 1, there, xi0, velocity_old, ft_old);
    double stored = 0.0, share0 = 1.0, share1 = 1.0, stored0 = 0.0;
    if (whole) {
        stored0 = friction_capped(kt, limit_before, xi0, &share0);
        stored = friction_capped(kt, limit, xi1, &share1);
    }
    for (int a = 0; a < 3; ++a) {
        dxi[a] = whole ? du[a] : xi1[a] - xi0[a];
        spring[a] = 0.5 * kt * (share0 * xi0[a] + share1 * xi1[a]);
    }
    demi_tangential sum = demi_tangential_work(ft, ft_old, du, dxi, spring);
    if (whole) { /* what the changing limit gives or takes */
        sum.slip = sum.work - sum.dashpot - (stored - stored0);
    } else {
        const double speed2 = vd[0] * vd[0] + vd[1] * vd[1] + vd[2] * vd[2];
        const int slips = gamma * gamma * speed2 > limit * limit;
        sum.slip = dem_select(slips, sum.work, 0.0);
        sum.dashpot = dem_select(slips, 0.0, sum.work);
    }
    b->dissipated_slip[k] = sum.slip;
    b->dissipated_dashpot[k] = sum.dashpot;
    b->elastic_energy[k] += stored;
}

static DEMI_INLINE void friction_slider(uint64_t n, const dem_contact_batch *b,
                                        const demi_friction *c, int slider, int energy_tracking)
{
    DEMI_EACH_LANE(n, friction_lane(b, k, c, slider, energy_tracking));
}

static DEMI_INLINE void friction_lanes(uint64_t n, const dem_contact_batch *b,
                                       const demi_friction *c, int energy_tracking)
{
    switch (demi_choice(c->slider)) {
    case DEM_SLIDER_CSDS:
        friction_slider(n, b, c, DEM_SLIDER_CSDS, energy_tracking);
        break;
    case DEM_SLIDER_DSDS:
        friction_slider(n, b, c, DEM_SLIDER_DSDS, energy_tracking);
        break;
    case DEM_SLIDER_TRUNCATED:
        friction_slider(n, b, c, DEM_SLIDER_TRUNCATED, energy_tracking);
        break;
    case DEM_SLIDER_UNRESET:
        friction_slider(n, b, c, DEM_SLIDER_UNRESET, energy_tracking);
        break;
    case DEM_SLIDER_LI:
        friction_slider(n, b, c, DEM_SLIDER_LI, energy_tracking);
        break;
    default:
        friction_slider(n, b, c, DEM_SLIDER_VISCOUS, energy_tracking);
        break;
    }
}

#undef S

#endif
