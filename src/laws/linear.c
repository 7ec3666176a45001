/* SPDX-License-Identifier: MIT */
/* The linear laws: Hooke's normal force with a dashpot, and a spring-dashpot-slider tangentially,
 * continuous (C-SDS) or discontinuous (D-SDS). */
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/explicit_limit.h"
#include "laws/hooke.h"
#include "laws/laws.h"
#include "laws/linear_lane.h"

#include <dem/kernels.h>

#include <string.h>

dem_status dem_linear_init_sized(dem_linear *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_linear values;
    memset(&values, 0, sizeof values);
    values.kind = DEM_PARAMETERS_LINEAR;
    values.friction = 0.5;
    values.restitution = 1.0;
    values.damping_tangential = 1.0;
    values.damping = DEM_DAMPING_RESTITUTION;
    values.normal = DEM_NORMAL_CUT;
    return demi_sized_write(parameters, size, &values);
}

static dem_status linear_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                 void *combined, dem_error *error)
{
    (void)user;
    dem_linear p;
    DEMI_PARAMETERS_READ(dem_linear, &p, parameters);
    const dem_hooke normal = {.struct_size = sizeof normal,
                              .kind = DEM_PARAMETERS_HOOKE,
                              .stiffness_normal = p.stiffness_normal,
                              .restitution = p.restitution,
                              .damping_normal = p.damping_normal,
                              .damping = p.damping,
                              .normal = p.normal};
    demi_hooke hooke;
    const dem_status status = demi_hooke_combine(&normal, pair, &hooke, error);
    if (status != DEM_OK)
        return status;
    DEMI_REFUSE(
        !demi_not_negative(p.stiffness_tangential), DEM_ERROR_RANGE,
        "stiffness_tangential: %g must be finite and > 0 N/m, or 0 for 2/7 of the normal one",
        p.stiffness_tangential);
    DEMI_REFUSE(!demi_not_negative(p.friction), DEM_ERROR_RANGE,
                "friction: %g must be finite and >= 0", p.friction);
    DEMI_REFUSE(!demi_not_negative(p.damping_tangential), DEM_ERROR_RANGE,
                "damping_tangential: %g must be finite and >= 0", p.damping_tangential);

    demi_linear *c = combined;
    memset(c, 0, sizeof *c);
    c->stiffness_normal = hooke.stiffness;
    c->stiffness_tangential =
        p.stiffness_tangential > 0.0 ? p.stiffness_tangential : 2.0 / 7.0 * p.stiffness_normal;
    c->friction = p.friction;
    c->ratio = hooke.ratio;
    c->coefficient = hooke.coefficient;
    c->rate = hooke.rate;
    c->attractive = hooke.attractive;
    c->absolute = hooke.absolute;
    if (p.damping == DEM_DAMPING_RESTITUTION || p.damping == DEM_DAMPING_CRITICAL)
        c->tangential_factor =
            p.damping_tangential * sqrt(c->stiffness_tangential / c->stiffness_normal);
    else if (p.damping == DEM_DAMPING_COEFFICIENT)
        c->tangential_coefficient = p.damping_tangential;
    else
        c->tangential_rate = p.damping_tangential;
    return DEM_OK;
}

/* Forces and rate of the spring at one moment. The discontinuous slider jumps where it slides, and
 * so does the continuous one without a dashpot, which would have no rate there. */
static void linear_rate(uint64_t n, dem_contact_batch *b, const demi_linear *c, int continuous)
{
    enum { S = DEM_BATCH_SIZE };
    static const double still[3] = {0.0, 0.0, 0.0};
    const double kn = c->stiffness_normal, kt = c->stiffness_tangential;
    for (uint64_t k = 0; k < n; ++k) {
        const double mass = b->mass[k], overlap = b->overlap[k] > 0.0 ? b->overlap[k] : 0.0;
        const double eta =
            dem_kernel_damping_linear(c->ratio, mass, kn) + c->coefficient + c->rate * mass;
        const double gamma =
            c->tangential_factor * eta + c->tangential_coefficient + c->tangential_rate * mass;
        const double fn =
            dem_kernel_normal_linear(kn, eta, overlap, b->velocity_normal[k], c->attractive != 0.0);
        const double limit = c->friction * demi_pressing(fn, c->absolute != 0.0);
        const double v[3] = {b->velocity[k], b->velocity[S + k], b->velocity[2 * S + k]};
        const double xi[3] = {b->state[k], b->state[S + k], b->state[2 * S + k]};
        double moved[3] = {xi[0], xi[1], xi[2]}, rate[3], force[3], stored = 0.0;
        dem_kernel_tangential_csds_rate(kt, gamma, limit, v, xi, rate, force);
        if (!continuous || gamma == 0.0) {
            dem_kernel_tangential_dsds(kt, gamma, limit, still, v, moved, force);
            const int jumps = moved[0] != xi[0] || moved[1] != xi[1] || moved[2] != xi[2];
            for (int a = 0; a < 3; ++a)
                rate[a] = jumps ? 0.0 : v[a];
        }
        b->force_normal[k] = fn;
        for (int a = 0; a < 3; ++a) {
            b->state[(uint64_t)a * S + k] = moved[a];
            b->state_rate[(uint64_t)a * S + k] = rate[a];
            b->force_tangential[(uint64_t)a * S + k] = force[a];
            stored += moved[a] * moved[a];
        }
        b->elastic_energy[k] = 0.5 * kn * overlap * overlap + 0.5 * kt * stored;
    }
}

static dem_status linear_rate_csds(void *user, uint64_t n, dem_contact_batch *batch,
                                   const void *combined)
{
    (void)user;
    linear_rate(n, batch, combined, 1);
    return DEM_OK;
}

static dem_status linear_rate_dsds(void *user, uint64_t n, dem_contact_batch *batch,
                                   const void *combined)
{
    (void)user;
    linear_rate(n, batch, combined, 0);
    return DEM_OK;
}

static void linear_scales(void *user, const void *combined, double mass, double radius_i,
                          double radius_j, double speed, dem_law_limits *limits)
{
    (void)user;
    (void)radius_i;
    (void)radius_j;
    (void)speed;
    const demi_linear *c = combined;
    const demi_hooke normal = {.stiffness = c->stiffness_normal,
                               .ratio = c->ratio,
                               .coefficient = c->coefficient,
                               .rate = c->rate,
                               .attractive = c->attractive,
                               .absolute = c->absolute};
    demi_hooke_limits(&normal, mass, limits);
    const double gamma = c->tangential_factor * limits->damping + c->tangential_coefficient +
                         c->tangential_rate * mass;
    if (c->friction > 0.0)
        demi_explicit_limit(c->stiffness_tangential, gamma, DEMI_TANGENTIAL_MASS * mass, limits);
}

static uint32_t linear_needs(void *user, const void *combined)
{
    (void)user;
    const demi_linear *c = combined;
    const int damped = c->tangential_factor != 0.0 || c->tangential_coefficient != 0.0 ||
                       c->tangential_rate != 0.0;
    return damped ? DEM_TRAIT_NEEDS_VELOCITY : 0;
}

static const char *const linear_values[] = {
    "stiffness_normal",  "stiffness_tangential",   "friction",
    "damping_ratio",     "damping_coefficient",    "damping_rate",
    "tangential_factor", "tangential_coefficient", "tangential_rate",
};

static const dem_law_slot linear_slots[] = {{"displacement", DEM_SLOT_TANGENT, -1}};

const dem_law demi_law_linear_csds = {DEMI_LAW_SETUP(DEM_LAW_LINEAR_CSDS, DEM_LAW_WHOLE, dem_linear,
                                                     DEM_PARAMETERS_LINEAR, demi_linear),
                                      DEMI_LAW_SLOTS(linear_slots),
                                      DEMI_LAW_VALUES(linear_values),
                                      .combine = linear_combine,
                                      .rate = linear_rate_csds,
                                      .limits = linear_scales,
                                      .traits = DEM_TRAIT_SETS_FORCES | DEM_TRAIT_LEAVES_TORQUES,
                                      .traits_needed = linear_needs};

const dem_law demi_law_linear_dsds = {DEMI_LAW_SETUP(DEM_LAW_LINEAR_DSDS, DEM_LAW_WHOLE, dem_linear,
                                                     DEM_PARAMETERS_LINEAR, demi_linear),
                                      DEMI_LAW_SLOTS(linear_slots),
                                      DEMI_LAW_VALUES(linear_values),
                                      .combine = linear_combine,
                                      .rate = linear_rate_dsds,
                                      .limits = linear_scales,
                                      .traits = DEM_TRAIT_SETS_FORCES | DEM_TRAIT_LEAVES_TORQUES,
                                      .traits_needed = linear_needs};
