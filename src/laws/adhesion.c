/* SPDX-License-Identifier: MIT */
/* JKR and DMT: parameters, reach and scales. */
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/adhesion.h"
#include "laws/elastic.h"
#include "laws/laws.h"

#include <dem/law_adhesion.h>

#include <string.h>

static const double adhesion_pi = 3.14159265358979323846;

dem_status dem_adhesion_init_sized(dem_adhesion *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_adhesion values;
    memset(&values, 0, sizeof values);
    values.poisson[0] = 0.3;
    values.restitution = 1.0;
    return demi_sized_write(parameters, size, &values, sizeof values, sizeof values);
}

static dem_status adhesion_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                   void *combined, dem_error *error)
{
    (void)user;
    dem_adhesion p;
    memset(&p, 0, sizeof p);
    DEMI_REFUSE(demi_sized_read(&p, parameters, sizeof p, sizeof p) != DEM_OK,
                DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_adhesion",
                (unsigned long long)((const dem_adhesion *)parameters)->struct_size,
                "dem_adhesion");
    dem_status status = demi_elastic_check(p.young, p.poisson, error);
    if (status != DEM_OK)
        return status;
    DEMI_REFUSE(!demi_not_negative(p.work_of_adhesion), DEM_ERROR_RANGE,
                "work_of_adhesion: %g must be finite and >= 0 J/m2", p.work_of_adhesion);
    DEMI_REFUSE(!isfinite(p.restitution) || p.restitution <= 0.0 || p.restitution > 1.0,
                DEM_ERROR_RANGE, "restitution: %g is not in (0, 1]", p.restitution);
    demi_adhesion *c = combined;
    memset(c, 0, sizeof *c);
    demi_elastic_combine(p.young, p.poisson, &c->effective_young, &c->effective_shear);
    c->work_of_adhesion = p.work_of_adhesion;
    /* the contact attracts, so its dashpot may */
    double ratio = 0.0;
    (void)dem_kernel_damping_ratio_attractive(p.restitution, &ratio);
    c->alpha = sqrt(5.0) * ratio;
    pair->normal_form = DEM_NORMAL_FORM_ADHESIVE;
    pair->effective_young = c->effective_young;
    pair->effective_shear = c->effective_shear;
    pair->restitution = p.restitution;
    return DEM_OK;
}

static double jkr_reach(void *user, const void *combined, double radius_i, double radius_j)
{
    (void)user;
    const demi_adhesion *c = combined;
    const double radius = demi_effective_radius(radius_i, radius_j);
    return dem_kernel_jkr_gap(radius,
                              dem_kernel_jkr_neck(radius, c->effective_young, c->work_of_adhesion));
}

/* A contact of impact speed v lasts no longer than Hertz's, and one that sticks swings about its
 * equilibrium with contact radius `a` and slope `stiffness`. */
static void adhesion_scales(const demi_adhesion *c, double mass, double radius, double speed,
                            double a, double stiffness, dem_law_scales *scales)
{
    if (speed > 0.0)
        scales->contact_time =
            dem_kernel_contact_time_hertz(c->effective_young, radius, mass, speed);
    if (stiffness > 0.0) {
        const double swing = adhesion_pi * sqrt(mass / stiffness);
        if (scales->contact_time == 0.0 || swing < scales->contact_time)
            scales->contact_time = swing;
    }
    /* an explicit dashpot needs eta dt/m* < 1 over its weight, also where the contact is widest: a
     * contact that falls in from touch swings to 1.16 times the radius at equilibrium */
    const double overlap = dem_kernel_overlap_hertz(c->effective_young, radius, mass, speed);
    const double widest = dem_kernel_contact_radius_hertz(radius, overlap) + 1.16 * a;
    const double eta = dem_kernel_damping_hertz(c->alpha, mass, c->effective_young, widest);
    if (eta > 0.0)
        scales->timestep_limit = mass / (scales->dashpot_weight * eta);
}

static void jkr_scales(void *user, const void *combined, double mass, double radius_i,
                       double radius_j, double speed, dem_law_scales *scales)
{
    (void)user;
    const demi_adhesion *c = combined;
    const double radius = demi_effective_radius(radius_i, radius_j);
    const double a =
        cbrt(4.5 * adhesion_pi * c->work_of_adhesion * radius * radius / c->effective_young);
    adhesion_scales(c, mass, radius, speed, a, 1.2 * c->effective_young * a, scales);
}

static void dmt_scales(void *user, const void *combined, double mass, double radius_i,
                       double radius_j, double speed, dem_law_scales *scales)
{
    (void)user;
    const demi_adhesion *c = combined;
    const double radius = demi_effective_radius(radius_i, radius_j);
    const double a =
        cbrt(1.5 * adhesion_pi * c->work_of_adhesion * radius * radius / c->effective_young);
    adhesion_scales(c, mass, radius, speed, a, 2.0 * c->effective_young * a, scales);
}

static const char *const adhesion_values[] = {
    "effective_young",
    "effective_shear",
    "work_of_adhesion",
    "damping_alpha",
};

DEMI_ISA_TABLE(demi_evaluate, demi_jkr);
DEMI_ISA_TABLE(demi_evaluate, demi_dmt);

#define ADHESIVE_LAW(NAME)                                                                         \
    .struct_size = sizeof(dem_law), .name = (NAME), .version = 1, .kind = DEM_LAW_NORMAL,          \
    .parameters_size = sizeof(dem_adhesion), .combined_size = sizeof(demi_adhesion),               \
    .combine = adhesion_combine, .value_names = adhesion_values,                                   \
    .value_count = sizeof adhesion_values / sizeof adhesion_values[0],                             \
    .promises = DEM_LAW_LEAVES_TORQUES, .needs = demi_needs_radius

const demi_law demi_law_jkr = {
    .law = {ADHESIVE_LAW(DEM_LAW_JKR), .reach = jkr_reach, .scales = jkr_scales},
    .evaluate = demi_jkr};
const demi_law demi_law_dmt = {.law = {ADHESIVE_LAW(DEM_LAW_DMT), .scales = dmt_scales},
                               .evaluate = demi_dmt};
