/* SPDX-License-Identifier: MIT */
/* Batches of the tangential part "friction". */
#include "base/isa.h"
#include "laws/friction.h"
#include "laws/laws.h"
#include "laws/work.h"

#include <dem/kernels.h>

enum { DEMI_ISA(FRICTION_S) = DEM_BATCH_SIZE };
#define S DEMI_ISA(FRICTION_S)

/* Force and new displacement of one lane; the slider is a constant of each loop. */
static DEMI_INLINE void DEMI_ISA(friction_slide)(int slider, double kt, double gamma, double limit,
                                                 double dt, const double du[3], const double vd[3],
                                                 double xi[3], double force[3])
{
    if (slider == DEM_SLIDER_CSDS)
        dem_kernel_tangential_csds_increment(kt, gamma, limit, dt, du, vd, xi, force);
    else if (slider == DEM_SLIDER_DSDS)
        dem_kernel_tangential_dsds(kt, gamma, limit, du, vd, xi, force);
    else if (slider == DEM_SLIDER_TRUNCATED)
        dem_kernel_tangential_truncated(kt, gamma, limit, du, vd, xi, force);
    else if (slider == DEM_SLIDER_UNRESET)
        dem_kernel_tangential_unreset(kt, gamma, limit, du, vd, xi, force);
    else
        dem_kernel_tangential_viscous(gamma, limit, vd, force);
}

/* Energy of a spring whose force is capped, and its force over k xi. */
static DEMI_INLINE double DEMI_ISA(friction_capped)(double kt, double limit, const double xi[3],
                                                    double *share)
{
    const double square = xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2];
    const double length = sqrt(square), force = kt * length;
    const int capped = force > limit;
    *share = dem_select(capped, limit, 1.0) / dem_select(capped, force, 1.0);
    const double safe = dem_select(kt > 0.0, kt, 1.0);
    return dem_select(capped, limit * (length - 0.5 * limit / safe), 0.5 * kt * square);
}

static DEMI_INLINE void DEMI_ISA(friction_lane)(const dem_contact_batch *b, uint64_t k,
                                                const demi_friction *c, int slider, int accounting)
{
    const double dt = b->dt, mass = b->mass[k], kt = c->stiffness, kn = b->stiffness[k];
    const int stiff = kn > 0.0;
    const double per_eta = dem_select(stiff, sqrt(kt / dem_select(stiff, kn, 1.0)), 0.0);
    const double gamma = c->factor * b->damping[k] * per_eta + c->coefficient + c->rate * mass;
    const int alive = b->alive[k] != 0.0, alive_before = b->alive_before[k] != 0.0;
    const double limit = dem_select(alive, c->friction * b->force_friction[k], 0.0);
    const double xi0[3] = {b->state[k], b->state[S + k], b->state[2 * S + k]};
    const double du[3] = {b->increment[k], b->increment[S + k], b->increment[2 * S + k]};
    const double vd[3] = {b->velocity[k], b->velocity[S + k], b->velocity[2 * S + k]};
    const double limit_before = b->state[3 * S + k];
    double xi1[3] = {xi0[0], xi0[1], xi0[2]}, ft[3];
    DEMI_ISA(friction_slide)(slider, kt, gamma, limit, dt, du, vd, xi1, ft);
    for (int a = 0; a < 3; ++a) {
        /* an evaluation that advances nothing leaves the spring and its energy as they are */
        xi1[a] = dem_select(alive, dem_select(dt > 0.0, xi1[a], xi0[a]), 0.0);
        b->force_tangential[(uint64_t)a * S + k] = ft[a];
        b->state[(uint64_t)a * S + k] = xi1[a];
    }
    b->state[3 * S + k] = limit;
    if (!accounting)
        return;

    /* a contact that was found touching has no limit of a step before */
    const double limit_old = dem_select(limit_before > 0.0, limit_before, limit);
    const double frequency = 1.0 / (dt > 0.0 ? dt : INFINITY);
    const double velocity_old[3] = {2.0 * du[0] * frequency - vd[0],
                                    2.0 * du[1] * frequency - vd[1],
                                    2.0 * du[2] * frequency - vd[2]};
    const double spring = slider == DEM_SLIDER_VISCOUS ? 0.0 : kt;
    double ft_old[3];
    demi_tangential_recall(spring, gamma, limit_old, 1, alive_before & (dt > 0.0), xi0,
                           velocity_old, ft_old);
    double slip_work = 0.0, dashpot_work = 0.0, stored = 0.0, work = 0.0, square = 0.0;
    double share0 = 1.0, share1 = 1.0, stored0 = 0.0;
    if (slider == DEM_SLIDER_UNRESET) {
        stored0 = DEMI_ISA(friction_capped)(kt, limit_before, xi0, &share0);
        stored = DEMI_ISA(friction_capped)(kt, limit, xi1, &share1);
    }
    for (int a = 0; a < 3; ++a) {
        const double mean = 0.5 * (ft[a] + ft_old[a]);
        const double dxi = slider == DEM_SLIDER_UNRESET ? du[a] : xi1[a] - xi0[a];
        work -= mean * du[a];
        slip_work -= mean * (du[a] - dxi);
        dashpot_work -= (mean + 0.5 * kt * (share0 * xi0[a] + share1 * xi1[a])) * dxi;
        square += xi1[a] * xi1[a];
    }
    if (slider == DEM_SLIDER_UNRESET) { /* what the changing limit gives or takes */
        slip_work = work - dashpot_work - (stored - stored0);
    } else if (slider == DEM_SLIDER_VISCOUS) {
        const double speed2 = vd[0] * vd[0] + vd[1] * vd[1] + vd[2] * vd[2];
        const int slips = gamma * gamma * speed2 > limit * limit;
        slip_work = dem_select(slips, work, 0.0);
        dashpot_work = dem_select(slips, 0.0, work);
    } else {
        stored = 0.5 * kt * square;
    }
    b->dissipated_slip[k] = slip_work;
    b->dissipated_dashpot[k] = dashpot_work;
    b->elastic_energy[k] += stored;
}

static DEMI_INLINE void DEMI_ISA(friction_lanes)(uint64_t n, const dem_contact_batch *batch,
                                                 const demi_friction *combined, int slider)
{
    const dem_contact_batch b = *batch;
    const demi_friction c = *combined;
    if (b.accounting) {
        DEMI_SIMD
        for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)
            DEMI_ISA(friction_lane)(&b, k, &c, slider, 1);
    } else {
        DEMI_SIMD
        for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)
            DEMI_ISA(friction_lane)(&b, k, &c, slider, 0);
    }
}

demi_evaluate DEMI_ISA(demi_friction_batch);

dem_status DEMI_ISA(demi_friction_batch)(void *user, uint64_t n, dem_contact_batch *batch,
                                         const void *combined)
{
    (void)user;
    const demi_friction *c = combined;
    switch ((int)c->slider) {
    case DEM_SLIDER_CSDS:
        DEMI_ISA(friction_lanes)(n, batch, c, DEM_SLIDER_CSDS);
        break;
    case DEM_SLIDER_DSDS:
        DEMI_ISA(friction_lanes)(n, batch, c, DEM_SLIDER_DSDS);
        break;
    case DEM_SLIDER_TRUNCATED:
        DEMI_ISA(friction_lanes)(n, batch, c, DEM_SLIDER_TRUNCATED);
        break;
    case DEM_SLIDER_UNRESET:
        DEMI_ISA(friction_lanes)(n, batch, c, DEM_SLIDER_UNRESET);
        break;
    default:
        DEMI_ISA(friction_lanes)(n, batch, c, DEM_SLIDER_VISCOUS);
        break;
    }
    return DEM_OK;
}

#undef S
