/* SPDX-License-Identifier: MIT */
/* One contact of the linear laws: Hooke's normal force with a dashpot, and a spring-dashpot-slider
 * tangentially, continuous (C-SDS) or discontinuous (D-SDS). */
#ifndef DEMI_LINEAR_LANE_H
#define DEMI_LINEAR_LANE_H

#include "laws/hooke_lane.h"

#define S DEM_BATCH_SIZE

typedef struct demi_linear {
    double stiffness_normal, stiffness_tangential, friction;
    /* eta = 2 ratio sqrt(m* k_n) + coefficient + rate m*: two of the three are zero */
    double ratio, coefficient, rate;
    /* gamma, either as a factor on eta, or by itself */
    double tangential_factor, tangential_coefficient, tangential_rate;
    double attractive, absolute;
} demi_linear;

/* Whether there is a tangential dashpot. */
static DEMI_INLINE int demi_linear_damped(const demi_linear *c)
{
    const int of_normal = c->ratio != 0.0 || c->coefficient != 0.0 || c->rate != 0.0;
    return (of_normal && c->tangential_factor != 0.0) || c->tangential_coefficient != 0.0 ||
           c->tangential_rate != 0.0;
}

/* One lane. Everything is computed for every lane and selected at the end, so that the loop over
 * lanes becomes vector code. */
static DEMI_INLINE void linear_lane(const dem_contact_batch *b, uint64_t k, const demi_linear *c,
                                    int continuous, int energy_tracking, int alone, int ratio,
                                    int damped)
{
    const double dt = b->dt, mass = b->mass[k];
    const double kn = c->stiffness_normal, kt = c->stiffness_tangential;
    const double eta = (ratio ? dem_kernel_damping_linear(c->ratio, mass, kn) : 0.0) +
                       c->coefficient + c->rate * mass;
    const double gamma =
        c->tangential_factor * eta + c->tangential_coefficient + c->tangential_rate * mass;
    const int32_t attractive = c->attractive != 0.0;
    const int absolute = c->absolute != 0.0;
    const int touching = b->touching[k] != 0.0, was_touching = b->was_touching[k] != 0.0;
    const double v = b->velocity_normal[k];
    const double overlap = dem_select(touching, b->overlap[k], 0.0);
    const double fn = dem_kernel_normal_linear(kn, eta, overlap, v, attractive);
    const double xi0[3] = {b->state[k], b->state[S + k], b->state[2 * S + k]};
    const double du[3] = {b->increment[k], b->increment[S + k], b->increment[2 * S + k]};
    const double vd[3] = {b->velocity[k], b->velocity[S + k], b->velocity[2 * S + k]};
    const double limit = c->friction * demi_pressing(fn, absolute);
    double xi1[3] = {xi0[0], xi0[1], xi0[2]}, ft[3];
    if (continuous)
        dem_kernel_tangential_csds_increment(kt, gamma, limit, dt, du, vd, xi1, ft);
    else
        dem_kernel_tangential_dsds(kt, gamma, limit, du, vd, xi1, ft);
    b->force_normal[k] = fn;
    if (!alone) {
        /* for rolling and twisting parts */
        b->force_elastic[k] = kn * overlap;
        b->force_coulomb[k] = demi_pressing(fn, absolute);
        b->stiffness[k] = kn;
        b->damping[k] = eta;
    }
    for (int a = 0; a < 3; ++a) {
        /* an evaluation that advances nothing leaves the spring and its energy as they are */
        xi1[a] = dem_select(touching, dem_select(dt > 0.0, xi1[a], xi0[a]), 0.0);
        b->force_tangential[(uint64_t)a * S + k] = ft[a];
        b->state[(uint64_t)a * S + k] = xi1[a];
    }
    if (!energy_tracking)
        return;

    /* forces at the end of the step, and those at its start as the half-step velocity recalls
     * them: the mean of the two against the motion of the step is second order in dt */
    double fn_old, wanted[3];
    b->dissipated_normal[k] =
        hooke_work(b, k, kn, eta, attractive, was_touching, fn - kn * overlap, &fn_old);
    const double limit_old = c->friction * demi_pressing(fn_old, absolute);
    /* without a dashpot the spring alone carries the force, which was cut then */
    demi_spring_wanted(kt, gamma, damped, dt, du, vd, xi0, wanted);
    const double share = demi_spring_share(wanted, limit_old, damped, was_touching & (dt > 0.0));
    const demi_spring_work sum =
        demi_spring_dissipation(kt, damped, ft, wanted, share, du, xi0, xi1);
    b->dissipated_slip[k] = sum.slip;
    b->dissipated_dashpot[k] = sum.dashpot;
    b->elastic_energy[k] = 0.5 * kn * overlap * overlap + sum.stored;
}

/* With what is the same for all lanes known to the compiler. A square root is saved where no
 * damping ratio was given. */
static DEMI_INLINE void linear_batch(uint64_t n, const dem_contact_batch *b, const demi_linear *c,
                                     int continuous, int energy_tracking)
{
    const int damped = energy_tracking && demi_linear_damped(c);
    if (!b->alone && damped)
        DEMI_EACH_LANE(n, linear_lane(b, k, c, continuous, energy_tracking, 0, 1, 1));
    else if (!b->alone)
        DEMI_EACH_LANE(n, linear_lane(b, k, c, continuous, energy_tracking, 0, 1, 0));
    else if (c->ratio != 0.0 && damped)
        DEMI_EACH_LANE(n, linear_lane(b, k, c, continuous, energy_tracking, 1, 1, 1));
    else if (c->ratio != 0.0)
        DEMI_EACH_LANE(n, linear_lane(b, k, c, continuous, energy_tracking, 1, 1, 0));
    else if (damped)
        DEMI_EACH_LANE(n, linear_lane(b, k, c, continuous, energy_tracking, 1, 0, 1));
    else
        DEMI_EACH_LANE(n, linear_lane(b, k, c, continuous, energy_tracking, 1, 0, 0));
}

static DEMI_INLINE void linear_csds_lanes(uint64_t n, const dem_contact_batch *b,
                                          const demi_linear *c, int energy_tracking)
{
    linear_batch(n, b, c, 1, energy_tracking);
}

static DEMI_INLINE void linear_dsds_lanes(uint64_t n, const dem_contact_batch *b,
                                          const demi_linear *c, int energy_tracking)
{
    linear_batch(n, b, c, 0, energy_tracking);
}

#undef S

#endif
