/* SPDX-License-Identifier: MIT */
/* The linear laws: Hooke's normal force with a dashpot, and a spring-dashpot-slider tangentially,
 * continuous (C-SDS) or discontinuous (D-SDS). */
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/laws.h"

#include <dem/kernels.h>

#include <string.h>

typedef struct linear_combined {
    double stiffness_normal, stiffness_tangential, friction;
    /* eta = 2 ratio sqrt(m* k_n) + coefficient + rate m*: two of the three are zero */
    double ratio, coefficient, rate;
    /* gamma, either as a factor on eta, or by itself */
    double tangential_factor, tangential_coefficient, tangential_rate;
    double attractive;
} linear_combined;

dem_status dem_linear_init_sized(dem_linear *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_linear values;
    memset(&values, 0, sizeof values);
    values.friction = 0.5;
    values.restitution = 1.0;
    values.damping_tangential = 1.0;
    values.damping = DEM_DAMPING_RESTITUTION;
    values.normal = DEM_NORMAL_CUT;
    return demi_sized_write(parameters, size, &values, sizeof values, sizeof values);
}

static dem_status linear_combine(void *user, const void *parameters, void *combined,
                                 dem_error *error)
{
    (void)user;
    dem_linear p;
    memset(&p, 0, sizeof p);
    DEMI_REFUSE(demi_sized_read(&p, parameters, sizeof p, sizeof p) != DEM_OK,
                DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_linear",
                (unsigned long long)((const dem_linear *)parameters)->struct_size, "dem_linear");
    DEMI_REFUSE(!demi_positive(p.stiffness_normal), DEM_ERROR_RANGE,
                "stiffness_normal: %g must be finite and > 0 N/m", p.stiffness_normal);
    DEMI_REFUSE(
        !demi_not_negative(p.stiffness_tangential), DEM_ERROR_RANGE,
        "stiffness_tangential: %g must be finite and > 0 N/m, or 0 for 2/7 of the normal one",
        p.stiffness_tangential);
    DEMI_REFUSE(!demi_not_negative(p.friction), DEM_ERROR_RANGE,
                "friction: %g must be finite and >= 0", p.friction);
    DEMI_REFUSE(!demi_not_negative(p.damping_normal), DEM_ERROR_RANGE,
                "damping_normal: %g must be finite and >= 0", p.damping_normal);
    DEMI_REFUSE(!demi_not_negative(p.damping_tangential), DEM_ERROR_RANGE,
                "damping_tangential: %g must be finite and >= 0", p.damping_tangential);
    DEMI_REFUSE(p.damping < DEM_DAMPING_RESTITUTION || p.damping > DEM_DAMPING_RATE,
                DEM_ERROR_UNKNOWN, "damping: %d is not a DEM_DAMPING_ value", (int)p.damping);
    DEMI_REFUSE(p.normal < DEM_NORMAL_CUT || p.normal > DEM_NORMAL_CUT_UNCORRECTED,
                DEM_ERROR_UNKNOWN, "normal: %d is not a DEM_NORMAL_ value", (int)p.normal);
    DEMI_REFUSE(!isfinite(p.restitution) || p.restitution <= 0.0 || p.restitution > 1.0,
                DEM_ERROR_RANGE, "restitution: %g is not in (0, 1]", p.restitution);

    linear_combined *c = combined;
    memset(c, 0, sizeof *c);
    c->stiffness_normal = p.stiffness_normal;
    c->stiffness_tangential =
        p.stiffness_tangential > 0.0 ? p.stiffness_tangential : 2.0 / 7.0 * p.stiffness_normal;
    c->friction = p.friction;
    c->attractive = p.normal == DEM_NORMAL_ATTRACTIVE ? 1.0 : 0.0;
    switch (p.damping) {
    case DEM_DAMPING_RESTITUTION:
        (void)(p.normal == DEM_NORMAL_CUT
                   ? dem_kernel_damping_ratio_cut(p.restitution, &c->ratio)
                   : dem_kernel_damping_ratio_attractive(p.restitution, &c->ratio));
        c->tangential_factor =
            p.damping_tangential * sqrt(c->stiffness_tangential / c->stiffness_normal);
        break;
    case DEM_DAMPING_COEFFICIENT:
        c->coefficient = p.damping_normal;
        c->tangential_coefficient = p.damping_tangential;
        break;
    default:
        c->rate = p.damping_normal;
        c->tangential_rate = p.damping_tangential;
        break;
    }
    return DEM_OK;
}

static void linear_lane(dem_contact_batch *b, uint64_t k, const linear_combined *c, int continuous)
{
    enum { S = DEM_BATCH_SIZE };
    const double dt = b->dt, mass = b->mass[k];
    const double kn = c->stiffness_normal, kt = c->stiffness_tangential;
    const double eta =
        dem_kernel_damping_linear(c->ratio, mass, kn) + c->coefficient + c->rate * mass;
    const double gamma =
        c->tangential_factor * eta + c->tangential_coefficient + c->tangential_rate * mass;
    const int32_t attractive = c->attractive != 0.0;
    const int alive = b->alive[k] != 0.0, alive_before = b->alive_before[k] != 0.0;

    /* forces at the end of the step, and those at its start as the half-step velocity recalls
     * them: the mean of the two against the motion of the step is second order in dt */
    const double v_half = -b->overlap_rate[k], v = b->velocity_normal[k];
    const double overlap = alive ? b->overlap[k] : 0.0;
    const double overlap_old = alive_before ? b->overlap[k] + v_half * dt : 0.0;
    const double fn = dem_kernel_normal_linear(kn, eta, overlap, v, attractive);
    const double fn_old =
        dem_kernel_normal_linear(kn, eta, overlap_old, 2.0 * v_half - v, attractive);
    const double loss =
        (fn - kn * overlap) + (fn_old - (overlap_old > 0.0 ? kn * overlap_old : 0.0));
    b->dissipated_normal[k] = -0.5 * loss * v_half * dt;
    b->force_normal[k] = fn;

    const double xi0[3] = {b->state[k], b->state[S + k], b->state[2 * S + k]};
    const double du[3] = {b->increment[k], b->increment[S + k], b->increment[2 * S + k]};
    const double vd[3] = {b->velocity[k], b->velocity[S + k], b->velocity[2 * S + k]};
    const double limit = c->friction * (fn > 0.0 ? fn : 0.0);
    double xi1[3] = {xi0[0], xi0[1], xi0[2]}, ft[3];
    if (continuous)
        dem_kernel_tangential_csds_increment(kt, gamma, limit, dt, du, vd, xi1, ft);
    else
        dem_kernel_tangential_dsds(kt, gamma, limit, du, vd, xi1, ft);
    if (!alive)
        xi1[0] = xi1[1] = xi1[2] = 0.0;

    double ft_old[3] = {0.0, 0.0, 0.0};
    if (alive_before && dt > 0.0) {
        for (int a = 0; a < 3; ++a)
            ft_old[a] = -(kt * xi0[a]) - gamma * (2.0 * du[a] / dt - vd[a]);
        const double limit_old = c->friction * (fn_old > 0.0 ? fn_old : 0.0);
        const double square = demi_dot(ft_old, ft_old);
        /* without a dashpot the spring alone carries the force, which was cut then */
        if (gamma > 0.0 && square > limit_old * limit_old) {
            const double kept = limit_old / sqrt(square);
            for (int a = 0; a < 3; ++a)
                ft_old[a] *= kept;
        }
    }
    double slip_work = 0.0, dashpot_work = 0.0, stored = 0.0;
    for (int a = 0; a < 3; ++a) {
        const double mean = 0.5 * (ft[a] + ft_old[a]);
        const double dxi = xi1[a] - xi0[a];
        slip_work -= mean * (du[a] - dxi);
        dashpot_work -= (mean + 0.5 * kt * (xi0[a] + xi1[a])) * dxi;
        stored += xi1[a] * xi1[a];
        b->force_tangential[a * S + (int)k] = ft[a];
        b->state[a * S + (int)k] = xi1[a];
    }
    b->dissipated_slip[k] = slip_work;
    b->dissipated_dashpot[k] = dashpot_work;
    b->elastic_energy[k] = 0.5 * kn * overlap * overlap + 0.5 * kt * stored;
}

static dem_status linear_csds(void *user, uint64_t n, dem_contact_batch *batch,
                              const void *combined)
{
    (void)user;
    for (uint64_t k = 0; k < n; ++k)
        linear_lane(batch, k, combined, 1);
    return DEM_OK;
}

static dem_status linear_dsds(void *user, uint64_t n, dem_contact_batch *batch,
                              const void *combined)
{
    (void)user;
    for (uint64_t k = 0; k < n; ++k)
        linear_lane(batch, k, combined, 0);
    return DEM_OK;
}

static const dem_law_slot linear_slots[] = {{"displacement", DEM_SLOT_TANGENT, -1}};

const dem_law demi_law_linear_csds = {
    .struct_size = sizeof(dem_law),
    .name = DEM_LAW_LINEAR_CSDS,
    .version = 1,
    .kind = DEM_LAW_WHOLE,
    .slots = linear_slots,
    .slot_count = 1,
    .parameters_size = sizeof(dem_linear),
    .combined_size = sizeof(linear_combined),
    .combine = linear_combine,
    .evaluate = linear_csds,
};

const dem_law demi_law_linear_dsds = {
    .struct_size = sizeof(dem_law),
    .name = DEM_LAW_LINEAR_DSDS,
    .version = 1,
    .kind = DEM_LAW_WHOLE,
    .slots = linear_slots,
    .slot_count = 1,
    .parameters_size = sizeof(dem_linear),
    .combined_size = sizeof(linear_combined),
    .combine = linear_combine,
    .evaluate = linear_dsds,
};
