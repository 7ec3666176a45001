/* SPDX-License-Identifier: MIT */
/* Batches of Mindlin's no-slip stiffness with a slider. */
#include "base/isa.h"
#include "laws/laws.h"
#include "laws/mindlin.h"

#include <dem/law_mindlin.h>

enum { DEMI_ISA(MINDLIN_S) = DEM_BATCH_SIZE };
#define S DEMI_ISA(MINDLIN_S)

static DEMI_INLINE void DEMI_ISA(mindlin_lane)(const dem_contact_batch *b, uint64_t k,
                                               const demi_mindlin *c, int slider, int forces,
                                               int accounting)
{
    double *const state = b->state + k;
    const double area = b->contact_radius[k];
    const int live = (b->alive[k] != 0.0) & (area > 0.0);
    const double kt = dem_select(
        live, c->stiffness_factor * dem_kernel_stiffness_mindlin(c->effective_shear, area), 1.0);
    const double eta = dem_kernel_damping_mindlin(c->damping_ratio, b->mass[k], kt) +
                       c->damping_factor * b->damping[k];
    const double limit = c->friction * dem_select(live, b->force_friction[k], 0.0);
    const double kt_old = state[DEMI_MINDLIN_STIFFNESS * S];
    const double ratio = kt_old / kt;
    const double rescaled = dem_kernel_rescale_mindlin(kt_old, kt);
    const double factor = dem_select(c->form == DEM_MINDLIN_RESCALED, rescaled,
                                     dem_select(c->form == DEM_MINDLIN_SECANT, 1.0, ratio));
    double xi0[3], xi1[3], ft[3], ft_old[3], du[3], vd[3];
    for (uint64_t a = 0; a < 3; ++a) {
        xi0[a] = state[(DEMI_MINDLIN_DISPLACEMENT + a) * S];
        xi1[a] = factor * xi0[a];
        ft_old[a] = accounting ? state[(DEMI_MINDLIN_FORCE + a) * S] : 0.0;
        du[a] = b->increment[a * S + k];
        vd[a] = b->velocity[a * S + k];
    }
    if (slider == DEM_SLIDER_CSDS)
        dem_kernel_tangential_csds_increment(kt, eta, limit, b->dt, du, vd, xi1, ft);
    else if (slider == DEM_SLIDER_DSDS)
        dem_kernel_tangential_dsds(kt, eta, limit, du, vd, xi1, ft);
    else if (slider == DEM_SLIDER_TRUNCATED)
        dem_kernel_tangential_truncated(kt, eta, limit, du, vd, xi1, ft);
    else
        dem_kernel_tangential_unreset(kt, eta, limit, du, vd, xi1, ft);
    for (uint64_t a = 0; a < 3; ++a) {
        xi1[a] = dem_select(live, xi1[a], 0.0);
        ft[a] = dem_select(live, ft[a], 0.0);
        state[(DEMI_MINDLIN_DISPLACEMENT + a) * S] = xi1[a];
        if (forces)
            state[(DEMI_MINDLIN_FORCE + a) * S] = ft[a];
        b->force_tangential[a * S + k] = ft[a];
    }
    state[DEMI_MINDLIN_STIFFNESS * S] = dem_select(live, kt, 0.0);
    if (!accounting)
        return;

    /* mean force times movement, second order in dt: of what does not move the spring to sliding,
     * of what the spring does not bear to the dashpot; what a change of the stiffness takes from
     * the spring counts as sliding, and where a form creates energy it is negative */
    double slip = 0.0, dashpot = 0.0, stored = 0.0, stored_old = 0.0, taken = 0.0;
    for (int a = 0; a < 3; ++a) {
        const double mean = 0.5 * (ft[a] + ft_old[a]);
        const double spring = 0.5 * (kt * xi1[a] + kt_old * xi0[a]);
        const double stretched = xi1[a] - factor * xi0[a];
        slip -= mean * (du[a] - stretched);
        dashpot -= (mean + spring) * stretched;
        taken += spring * stretched;
        stored += 0.5 * kt * xi1[a] * xi1[a];
        stored_old += 0.5 * kt_old * xi0[a] * xi0[a];
    }
    b->elastic_energy[k] += stored;
    b->dissipated_dashpot[k] = dashpot;
    b->dissipated_slip[k] = slip + (taken - (stored - stored_old));
}

/* forces: those of the last step belong to the state. */
static DEMI_INLINE void DEMI_ISA(mindlin_lanes)(uint64_t n, const dem_contact_batch *batch,
                                                const demi_mindlin *combined, int slider,
                                                int forces, int accounting)
{
    const dem_contact_batch b = *batch;
    const demi_mindlin c = *combined;
    DEMI_SIMD
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)
        DEMI_ISA(mindlin_lane)(&b, k, &c, slider, forces, accounting);
}

static DEMI_INLINE void DEMI_ISA(mindlin_slider)(uint64_t n, const dem_contact_batch *batch,
                                                 const demi_mindlin *c, int slider, int forces)
{
    if (forces && batch->accounting)
        DEMI_ISA(mindlin_lanes)(n, batch, c, slider, 1, 1);
    else
        DEMI_ISA(mindlin_lanes)(n, batch, c, slider, forces, 0);
}

static DEMI_INLINE void DEMI_ISA(mindlin_batch)(uint64_t n, const dem_contact_batch *batch,
                                                const demi_mindlin *c, int forces)
{
    switch ((int)c->slider) {
    case DEM_SLIDER_CSDS:
        DEMI_ISA(mindlin_slider)(n, batch, c, DEM_SLIDER_CSDS, forces);
        break;
    case DEM_SLIDER_DSDS:
        DEMI_ISA(mindlin_slider)(n, batch, c, DEM_SLIDER_DSDS, forces);
        break;
    case DEM_SLIDER_TRUNCATED:
        DEMI_ISA(mindlin_slider)(n, batch, c, DEM_SLIDER_TRUNCATED, forces);
        break;
    default:
        DEMI_ISA(mindlin_slider)(n, batch, c, DEM_SLIDER_UNRESET, forces);
        break;
    }
}

demi_evaluate DEMI_ISA(demi_mindlin_evaluate), DEMI_ISA(demi_mindlin_lean);

dem_status DEMI_ISA(demi_mindlin_evaluate)(void *user, uint64_t n, dem_contact_batch *batch,
                                           const void *combined)
{
    (void)user;
    DEMI_ISA(mindlin_batch)(n, batch, combined, 1);
    return DEM_OK;
}

dem_status DEMI_ISA(demi_mindlin_lean)(void *user, uint64_t n, dem_contact_batch *batch,
                                       const void *combined)
{
    (void)user;
    DEMI_ISA(mindlin_batch)(n, batch, combined, 0);
    return DEM_OK;
}

#undef S
