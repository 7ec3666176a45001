/* SPDX-License-Identifier: MIT */
/* A gas of elastic rough spheres: equipartition between translation and rotation, and the pressure
 * of hard spheres. */
#include "cases.h"
#include "gas.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* Carnahan and Starling: P V/(N T). */
static double compressibility(double fraction)
{
    const double f = fraction, free = 1.0 - f;
    return (1.0 + f + f * f - f * f * f) / (free * free * free);
}

/* Spheres that start without angular velocity stick while they touch: k_t = 2/7 k_n turns the
 * surfaces' velocity round in every contact, so energy flows between the two as fast as it can.
 *
 * Bounds, chosen before the run. Of 1533 and 1536 degrees of freedom the ratio of temperatures at a
 * moment strays by 5 %; over 40 times in which a sphere meets four others, by less than 1 %. Some
 * 40,000 collisions give the pressure to .5 %. Both bounds are four times that. Springs let centres
 * come nearer than hard spheres do: the diameter is Barker and Henderson's, 1 - sqrt(pi T/(2 k)).
 */
void case_rough_gas(ledger *l)
{
    enum { SETTLE = 5000, RUN = 40000, EVERY = 5 };
    dem_linear law = scene_linear(1.0);
    law.friction = 0.0;
    law.restitution = 1.0;
    const gas g = gas_make(&law, DEM_LAW_LINEAR_CSDS, DEM_INTEGRATOR_VERLET_SYNC, 4711);
    law.stiffness_normal = g.stiffness;
    law.stiffness_tangential = 2.0 / 7.0 * g.stiffness;
    law.friction = 1e6;
    const dem_contact_model model = scene_linear_model(&law);
    MUST(dem_contact_model_set(g.world, 0, 0, &model));
    const double dt = GAS_CONTACT / 20.0, freedom = 3.0 * GAS_COUNT;
    const double start = gas_look(&g).translation;
    scene_step(g.world, dt, SETTLE);
    double translation = 0.0, rotation = 0.0, virial = 0.0;
    for (int n = 0; n < RUN; n += EVERY) {
        scene_step(g.world, dt, EVERY);
        const dem_world_energies e = scene_energies(g.world);
        translation += 2.0 * e.kinetic_translation / (freedom - 3.0) * EVERY / RUN;
        rotation += 2.0 * e.kinetic_rotation / freedom * EVERY / RUN;
        dem_contact contact = {.struct_size = sizeof contact};
        uint64_t cursor = 0;
        while (dem_world_contact_next(g.world, &cursor, &contact) == DEM_OK)
            virial += g.stiffness * contact.overlap * (1.0 - contact.overlap) * EVERY / RUN;
    }
    const gas_state end = gas_look(&g);
    l->paper = "libdem";
    l->name = "rough-elastic-gas";
    /* grazing contacts last a little shorter than half a period of the tangential spring and let go
     * of what is left in it, however small the step: both temperatures fall together */
    ledger_show(l, CONSERVATION, "energy_at_the_end_over_that_at_the_start",
                (end.translation + end.rotation + end.elastic) / start, 1.0);
    ledger_near(l, CLOSED_FORM, "temperature_rotation_over_translation", rotation / translation,
                1.0, 0.04);
    const double diameter = 1.0 - sqrt(0.5 * PI * translation / g.stiffness);
    const double reference = compressibility(GAS_FRACTION * diameter * diameter * diameter);
    ledger_near(l, CLOSED_FORM, "pressure_over_n_T", 1.0 + virial / (3.0 * GAS_COUNT * translation),
                reference, 0.02 * reference);
    dem_world_destroy(g.world);
}
