/* SPDX-License-Identifier: MIT */
#include "path.h"

#include "ledger.h"
#include "oblique.h"

#include "base/isa.h"
#include "laws/laws.h"

#include <math.h>
#include <string.h>

path_figures path_pair(void)
{
    const dem_hertz h = oblique_hertz();
    path_figures f;
    f.young = dem_kernel_effective_young(h.young[0], h.poisson[0], h.young[1], h.poisson[1]);
    f.shear = dem_kernel_effective_shear(h.young[0], h.poisson[0], h.young[1], h.poisson[1]);
    f.kappa = 4.0 * f.shear / f.young;
    f.stiffness = 4.0 / 3.0 * f.young * sqrt(OBLIQUE_RADIUS);
    f.load = f.stiffness * PATH_OVERLAP * sqrt(PATH_OVERLAP);
    f.slope = 8.0 * f.shear * sqrt(OBLIQUE_RADIUS * PATH_OVERLAP);
    f.slip = 1.5 * OBLIQUE_FRICTION * f.load / f.slope;
    return f;
}

void path_open(path *p, const dem_hertz *hertz, const char *tangential, const dem_mindlin *mindlin)
{
    memset(p, 0, sizeof *p);
    const int isa = demi_isa_index(DEM_ISA_AUTO);
    dem_pair_properties pair = {.struct_size = sizeof pair, .restitution = 1.0};
    dem_error error;
    must(demi_law_builtin(DEM_LAW_HERTZ, isa, 0, &p->normal_law) ? DEM_OK : DEM_ERROR_UNKNOWN,
         DEM_LAW_HERTZ);
    must(demi_law_builtin(tangential, isa, 0, &p->tangential_law) ? DEM_OK : DEM_ERROR_UNKNOWN,
         tangential);
    MUST(p->normal_law.combine(NULL, hertz, &pair, p->normal_combined, &error));
    MUST(p->tangential_law.combine(NULL, mindlin, &pair, p->tangential_combined, &error));
    p->radius = OBLIQUE_RADIUS;
    for (int k = 0; k < PATH_LANES; ++k)
        p->normal[2][k] = 1.0;
}

void path_step(path *p)
{
    double zero[3][PATH_LANES] = {{0.0}}, unused[3][PATH_LANES] = {{0.0}};
    double radius[PATH_LANES], mass[PATH_LANES], rate[PATH_LANES], touching[PATH_LANES];
    double friction[PATH_LANES] = {0.0}, area[PATH_LANES] = {0.0};
    double stiffness[PATH_LANES] = {0.0}, damping[PATH_LANES] = {0.0};
    double before[3][PATH_LANES];
    memcpy(before, p->force, sizeof before);
    memset(p->force, 0, sizeof p->force);
    memset(p->force_normal, 0, sizeof p->force_normal);
    memset(p->force_elastic, 0, sizeof p->force_elastic);
    memset(p->elastic, 0, sizeof p->elastic);
    memset(p->slip, 0, sizeof p->slip);
    memset(p->dashpot, 0, sizeof p->dashpot);
    for (int k = 0; k < PATH_LANES; ++k) {
        radius[k] = p->radius;
        mass[k] = 1.0;
        rate[k] = p->overlap[k] - p->overlap_last[k];
        touching[k] = p->overlap[k] > 0.0 ? 1.0 : 0.0;
    }
    dem_contact_batch batch = {.struct_size = sizeof batch,
                               .dt = 1.0,
                               .overlap = p->overlap,
                               .overlap_rate = rate,
                               .normal = p->normal[0],
                               .increment = p->increment[0],
                               .velocity_normal = p->damping_normal,
                               .velocity = p->velocity[0],
                               .angular_velocity_i = zero[0],
                               .angular_velocity_j = zero[0],
                               .radius_i = radius,
                               .radius_j = zero[0],
                               .radius = radius,
                               .mass = mass,
                               .was_touching = p->touching,
                               .touching = touching,
                               .state = p->state[0],
                               .force_normal = p->force_normal,
                               .force_tangential = p->force[0],
                               .torque_i = unused[0],
                               .torque_j = unused[0],
                               .elastic_energy = p->elastic,
                               .dissipated_normal = unused[0],
                               .dissipated_dashpot = p->dashpot,
                               .dissipated_slip = p->slip,
                               .dissipated_rolling = unused[1],
                               .force_elastic = p->force_elastic,
                               .force_coulomb = friction,
                               .contact_radius = area,
                               .stiffness = stiffness,
                               .damping = damping,
                               .energy_tracking = 1};
    MUST(p->normal_law.evaluate(NULL, PATH_LANES, &batch, p->normal_combined));
    /* stored by the tangential part alone: the normal one is conservative and known */
    memset(p->elastic, 0, sizeof p->elastic);
    MUST(p->tangential_law.evaluate(NULL, PATH_LANES, &batch, p->tangential_combined));
    for (int k = 0; k < PATH_LANES; ++k) {
        for (int c = 0; c < 3; ++c)
            p->work[k] -= 0.5 * (p->force[c][k] + before[c][k]) * p->increment[c][k];
        p->overlap_last[k] = p->overlap[k];
        p->touching[k] = touching[k];
    }
}
