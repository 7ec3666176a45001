/* SPDX-License-Identifier: MIT */
/* Orders across an impact: a spring has a kink where bodies touch, a dashpot jumps. */
#include "cases.h"
#include "scene.h"

#include <math.h>

enum { PHASES = 13, COARSE = 50, FINE = 800, REFERENCE = 12800 };

/* Where a sphere is that meets one at rest head on, 2.5 contact times after it is `phase` of the
 * way in a fiftieth of one away. Both have the mass 1; the contact takes `steps` steps. */
static double impact_end(int32_t integrator, double restitution, int phase, unsigned steps)
{
    const double stiffness = 1e3, contact = 3.14159265358979323846 * sqrt(0.5 / stiffness),
                 dt = contact / steps, gap = contact / COARSE * (phase + 0.5) / PHASES;
    dem_linear law = scene_linear(stiffness);
    law.restitution = restitution;
    const dem_contact_model model = scene_linear_model(&law);
    dem_world *world = scene_simple(integrator, 0.0, &model);
    const double at[3] = {0.0, 0.0, 1.0 + gap}, origin[3] = {0.0, 0.0, 0.0}, v[3] = {0, 0, -1.0};
    (void)scene_sphere(world, origin, 0.5, 1.0);
    const dem_particle_handle ball = scene_sphere(world, at, 0.5, 1.0);
    MUST(dem_particle_set_motion(world, ball, NULL, v, NULL));
    scene_step(world, dt, 5 * (uint64_t)steps / 2);
    const double z = scene_get(world, ball).position[2];
    dem_world_destroy(world);
    return z;
}

/* From the root mean squares of the errors over the phases. */
static void impact_order(ledger *l, const char *name, int32_t integrator, double restitution,
                         double order)
{
    double coarse = 0.0, fine = 0.0;
    for (int phase = 0; phase < PHASES; ++phase) {
        const double exact = impact_end(integrator, restitution, phase, REFERENCE),
                     first = impact_end(integrator, restitution, phase, COARSE) - exact,
                     second = impact_end(integrator, restitution, phase, FINE) - exact;
        coarse += first * first;
        fine += second * second;
    }
    ledger_near(l, ORDER, name, 0.5 * log(coarse / fine) / log((double)FINE / COARSE), order, 0.25);
}

void case_impact_orders(ledger *l)
{
    l->paper = "libdem";
    l->name = "impact-orders";
    impact_order(l, "synchronized_springs", DEM_INTEGRATOR_VERLET_SYNC, 1.0, 2.0);
    impact_order(l, "synchronized_dashpots", DEM_INTEGRATOR_VERLET_SYNC, 0.8, 1.0);
    impact_order(l, "standard_springs", DEM_INTEGRATOR_VERLET_STANDARD, 1.0, 2.0);
    impact_order(l, "standard_dashpots", DEM_INTEGRATOR_VERLET_STANDARD, 0.8, 1.0);
}
