/* SPDX-License-Identifier: MIT */
/* Batches of the linear laws: Hooke's normal force with a dashpot, and a spring-dashpot-slider
 * tangentially, continuous (C-SDS) or discontinuous (D-SDS). */
#include "base/isa.h"
#include "laws/laws.h"
#include "laws/linear.h"
#include "laws/work.h"

#include <dem/kernels.h>

enum { DEMI_ISA(LINEAR_S) = DEM_BATCH_SIZE };
#define S DEMI_ISA(LINEAR_S)

/* One lane. Everything is computed for every lane and selected at the end, so that the loop over
 * lanes becomes vector code. */
static DEMI_INLINE void DEMI_ISA(linear_lane)(const dem_contact_batch *b, uint64_t k,
                                              const demi_linear *c, int continuous, int accounting,
                                              int alone, int ratio)
{
    const double dt = b->dt, mass = b->mass[k];
    const double kn = c->stiffness_normal, kt = c->stiffness_tangential;
    const double eta = (ratio ? dem_kernel_damping_linear(c->ratio, mass, kn) : 0.0) +
                       c->coefficient + c->rate * mass;
    const double gamma =
        c->tangential_factor * eta + c->tangential_coefficient + c->tangential_rate * mass;
    const int32_t attractive = c->attractive != 0.0;
    const int absolute = c->absolute != 0.0;
    const int alive = b->alive[k] != 0.0, alive_before = b->alive_before[k] != 0.0;
    const double v_half = -b->overlap_rate[k], v = b->velocity_normal[k];
    const double overlap = dem_select(alive, b->overlap[k], 0.0);
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
        b->force_friction[k] = demi_pressing(fn, absolute);
        b->stiffness[k] = kn;
        b->damping[k] = eta;
    }
    for (int a = 0; a < 3; ++a) {
        /* an evaluation that advances nothing leaves the spring and its energy as they are */
        xi1[a] = dem_select(alive, dem_select(dt > 0.0, xi1[a], xi0[a]), 0.0);
        b->force_tangential[(uint64_t)a * S + k] = ft[a];
        b->state[(uint64_t)a * S + k] = xi1[a];
    }
    if (!accounting)
        return;

    /* forces at the end of the step, and those at its start as the half-step velocity recalls
     * them: the mean of the two against the motion of the step is second order in dt */
    const demi_normal_past past =
        demi_normal_recall(kn, eta, attractive, alive_before, b->overlap[k], v_half, v, dt);
    b->dissipated_normal[k] = demi_normal_loss(kn, &past, fn, overlap, v_half, dt);
    const double frequency = 1.0 / (dt > 0.0 ? dt : INFINITY);
    const double limit_old = c->friction * demi_pressing(past.force, absolute);
    const double velocity_old[3] = {2.0 * du[0] * frequency - vd[0],
                                    2.0 * du[1] * frequency - vd[1],
                                    2.0 * du[2] * frequency - vd[2]};
    double ft_old[3];
    /* without a dashpot the spring alone carries the force, which was cut then */
    demi_tangential_recall(kt, gamma, limit_old, gamma > 0.0, alive_before & (dt > 0.0), xi0,
                           velocity_old, ft_old);
    double slip_work = 0.0, dashpot_work = 0.0, stored = 0.0;
    for (int a = 0; a < 3; ++a) {
        const double mean = 0.5 * (ft[a] + ft_old[a]);
        const double dxi = xi1[a] - xi0[a];
        slip_work -= mean * (du[a] - dxi);
        dashpot_work -= (mean + 0.5 * kt * (xi0[a] + xi1[a])) * dxi;
        stored += xi1[a] * xi1[a];
    }
    b->dissipated_slip[k] = slip_work;
    b->dissipated_dashpot[k] = dashpot_work;
    b->elastic_energy[k] = 0.5 * kn * overlap * overlap + 0.5 * kt * stored;
}

static DEMI_INLINE void DEMI_ISA(linear_lanes)(uint64_t n, const dem_contact_batch *batch,
                                               const demi_linear *combined, int continuous,
                                               int accounting, int alone, int ratio)
{
    const dem_contact_batch b = *batch;
    const demi_linear c = *combined;
    DEMI_SIMD
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)
        DEMI_ISA(linear_lane)(&b, k, &c, continuous, accounting, alone, ratio);
}

/* With what is the same for all lanes known to the compiler. A square root is saved where no
 * damping ratio was given. */
static DEMI_INLINE void DEMI_ISA(linear_batch)(uint64_t n, const dem_contact_batch *b,
                                               const demi_linear *c, int continuous)
{
    if (b->accounting)
        DEMI_ISA(linear_lanes)(n, b, c, continuous, 1, 0, 1);
    else if (!b->alone)
        DEMI_ISA(linear_lanes)(n, b, c, continuous, 0, 0, 1);
    else if (c->ratio != 0.0)
        DEMI_ISA(linear_lanes)(n, b, c, continuous, 0, 1, 1);
    else
        DEMI_ISA(linear_lanes)(n, b, c, continuous, 0, 1, 0);
}

demi_evaluate DEMI_ISA(demi_linear_csds), DEMI_ISA(demi_linear_dsds);

dem_status DEMI_ISA(demi_linear_csds)(void *user, uint64_t n, dem_contact_batch *batch,
                                      const void *combined)
{
    (void)user;
    DEMI_ISA(linear_batch)(n, batch, combined, 1);
    return DEM_OK;
}

dem_status DEMI_ISA(demi_linear_dsds)(void *user, uint64_t n, dem_contact_batch *batch,
                                      const void *combined)
{
    (void)user;
    DEMI_ISA(linear_batch)(n, batch, combined, 0);
    return DEM_OK;
}

#undef S
