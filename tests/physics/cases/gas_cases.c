/* SPDX-License-Identifier: MIT */
/* Long runs of a gas: the energy of elastic collisions, and Haff's law of cooling. */
#include "cases.h"
#include "gas.h"

#include <math.h>

/* ------------------------------------------------------------ elastic */

enum { BLOCKS_MOST = 128 };

typedef struct drift {
    double energy[BLOCKS_MOST + 1]; /* over that of the start, less 1, at the ends of blocks */
    double collisions;              /* counted by the time that contacts take */
    uint64_t hash;
    int blocks;
} drift;

/* `blocks` blocks of about `size` collisions each, elastic and without friction. `csv`: where each
 * block's end is written, or NULL. */
static drift drift_run(int32_t integrator, double steps_of_contact, int blocks, double size,
                       FILE *csv)
{
    dem_linear law = scene_linear(1.0);
    law.friction = 0.0;
    law.restitution = 1.0;
    const gas g = gas_make(&law, DEM_LAW_LINEAR_CSDS, integrator, 5);
    const double dt = GAS_CONTACT / steps_of_contact, look = 2.0 * GAS_CONTACT;
    const uint64_t steps = (uint64_t)lround(look / dt);
    const double rate = 0.5 * GAS_COUNT * gas_frequency(1.0);
    const int looks = (int)lround(size / (rate * look));
    drift d = {.blocks = blocks};
    const double start = gas_look(&g).translation;
    for (int block = 1; block <= blocks; ++block) {
        gas_state s = {0};
        for (int k = 0; k < looks; ++k) {
            scene_step(g.world, dt, steps);
            s = gas_look(&g);
            d.collisions += (double)s.contacts * look / GAS_CONTACT;
        }
        d.energy[block] = (s.translation + s.elastic) / start - 1.0;
        if (csv != NULL)
            (void)fprintf(csv, "drift,%g,%.0f,%.6g\n", steps_of_contact, d.collisions,
                          d.energy[block]);
    }
    MUST(dem_world_hash(g.world, &d.hash));
    dem_world_destroy(g.world);
    return d;
}

/* Mean and root mean square of what the energy gains in a block. */
static void drift_gains(const drift *d, double *mean, double *rms)
{
    double sum = 0.0, square = 0.0;
    for (int k = 1; k <= d->blocks; ++k) {
        const double gain = d->energy[k] - d->energy[k - 1];
        sum += gain;
        square += gain * gain;
    }
    *mean = sum / d->blocks;
    *rms = sqrt(square / d->blocks);
}

/* Without friction and dashpots the kinematics of the three schemes does not matter: the same bits.
 * The energy walks at random, for contacts begin and end within a step; the walk shortens with dt.
 */
void case_gas_drift_short(ledger *l)
{
    l->paper = "libdem";
    l->name = "gas-elastic-10000-collisions";
    const drift sync = drift_run(DEM_INTEGRATOR_VERLET_SYNC, 20.0, 100, 1e2, NULL);
    const drift improved = drift_run(DEM_INTEGRATOR_VERLET_IMPROVED, 20.0, 100, 1e2, NULL);
    const drift standard = drift_run(DEM_INTEGRATOR_VERLET_STANDARD, 20.0, 100, 1e2, NULL);
    const drift finer = drift_run(DEM_INTEGRATOR_VERLET_SYNC, 40.0, 100, 1e2, NULL);
    double mean, rms[2];
    drift_gains(&sync, &mean, &rms[0]);
    drift_gains(&finer, &mean, &rms[1]);
    ledger_holds(l, LIBRARY, "three_schemes_same_bits",
                 sync.hash == improved.hash && sync.hash == standard.hash);
    ledger_near(l, CLOSED_FORM, "collisions_over_enskog", sync.collisions / 1e4, 1.0, 0.1);
    ledger_below(l, CONSERVATION, "energy_off_at_end", fabs(sync.energy[sync.blocks]), 5e-3);
    ledger_above(l, ORDER, "order_of_walk", log2(rms[0] / rms[1]), 1.5);
}

/* A million collisions: the walk has no direction, within four standard errors of its mean. */
void case_gas_drift(ledger *l)
{
    l->paper = "libdem";
    l->name = "gas-elastic-1000000-collisions";
    const drift d = drift_run(DEM_INTEGRATOR_VERLET_SYNC, 20.0, 100, 1.07e4, NULL);
    double mean, rms;
    drift_gains(&d, &mean, &rms);
    ledger_above(l, BOUND, "collisions", d.collisions, 1e6);
    ledger_below(l, CONSERVATION, "energy_off_at_end", fabs(d.energy[d.blocks]), 2e-2);
    ledger_below(l, CONSERVATION, "mean_gain_over_standard_error",
                 fabs(mean) / (rms / sqrt(d.blocks)), 4.0);
}

/* ------------------------------------------------------------ cooling */

typedef struct cooling {
    double slope[2]; /* of 1/sqrt(T): first and second half of the time */
    double ratio;    /* rotation over translation at the end */
} cooling;

/* Temperature is that of translation and rotation together; all of it where there is no friction.
 */
static cooling cooling_run(const dem_linear *law, const char *slider, uint64_t seed, double time,
                           FILE *csv)
{
    enum { LOOKS = 40 };
    const gas g = gas_make(law, slider, DEM_INTEGRATOR_VERLET_SYNC, seed);
    const double dt = GAS_CONTACT / 20.0;
    const uint64_t steps = (uint64_t)lround(time / (LOOKS * dt));
    double inverse[LOOKS + 1] = {0.0};
    gas_state s = {0};
    for (int k = 0; k <= LOOKS; ++k) {
        if (k > 0)
            scene_step(g.world, dt, steps);
        s = gas_look(&g);
        inverse[k] = 1.0 / sqrt((s.translation + s.rotation) / (1.5 * GAS_COUNT));
        if (csv != NULL)
            (void)fprintf(csv, "%s,%g,%.6g,%.6g\n", law->friction > 0.0 ? slider : "smooth",
                          dem_world_time(g.world), inverse[k], s.rotation / s.translation);
    }
    dem_world_destroy(g.world);
    /* the start is left out: there the gas is not yet in the state that cools steadily */
    const double half = (double)(LOOKS / 2) * (double)steps * dt;
    return (cooling){.slope = {(inverse[LOOKS / 2] - inverse[LOOKS / 8]) / (0.75 * half),
                               (inverse[LOOKS] - inverse[LOOKS / 2]) / half},
                     .ratio = s.rotation / s.translation};
}

static dem_linear cooling_law(double restitution, double friction, double dashpot)
{
    dem_linear law = scene_linear(1.0);
    law.restitution = restitution;
    law.friction = friction;
    law.damping_tangential = dashpot;
    return law;
}

/* Smooth spheres: 1/sqrt(T) grows by (1 - e^2) frequency/6 per time (Haff 1983, Enskog's rate). The
 * rate supposes hard spheres that meet unrelated: contacts that take time and, in a gas that cools,
 * partners that move alike make the cooling some 4 % slower. */
static void haff(ledger *l, int seeds, double tolerance)
{
    const dem_linear law = cooling_law(0.9, 0.0, 1.0);
    const double expected = (1.0 - 0.81) * gas_frequency(1.0) / 6.0;
    double slope[2] = {0.0, 0.0};
    for (int k = 0; k < seeds; ++k) {
        const cooling c = cooling_run(&law, DEM_LAW_LINEAR_CSDS, 11 + (uint64_t)k, 50.0, NULL);
        slope[0] += c.slope[0] / seeds;
        slope[1] += c.slope[1] / seeds;
    }
    ledger_near(l, CLOSED_FORM, "smooth_slope_over_Haff_first_half", slope[0] / expected, 1.0,
                tolerance);
    ledger_near(l, CLOSED_FORM, "smooth_slope_over_Haff_second_half", slope[1] / expected, 1.0,
                tolerance);
}

void case_gas_haff_short(ledger *l)
{
    l->paper = "libdem";
    l->name = "gas-cooling";
    haff(l, 1, 0.1);
}

/* Mean of the slopes of both halves over four gases, its standard error, and the slope of the
 * second half over that of the first, which is 1 by Haff's law. */
static double rough(const char *slider, double restitution, double dashpot, double *mean,
                    double *error)
{
    enum { SEEDS = 4 };
    const dem_linear law = cooling_law(restitution, 0.5, dashpot);
    double sum = 0.0, square = 0.0, half[2] = {0.0, 0.0};
    for (int k = 0; k < SEEDS; ++k) {
        const cooling c = cooling_run(&law, slider, 11 + (uint64_t)k, 20.0, NULL);
        const double slope = 0.5 * (c.slope[0] + c.slope[1]);
        sum += slope / SEEDS;
        square += slope * slope / SEEDS;
        half[0] += c.slope[0];
        half[1] += c.slope[1];
    }
    *mean = sum;
    *error = sqrt(fmax(square - sum * sum, 0.0) / (SEEDS - 1));
    return half[1] / half[0];
}

/* Rough spheres: C-SDS beside D-SDS. With the usual dashpot the two cool alike; with one five times
 * as strong D-SDS, which gives energy back while it slides, keeps the gas warmer. Haff's straight
 * line is asked of C-SDS alone: with the strong dashpot D-SDS bends it. */
void case_gas_haff(ledger *l)
{
    double c, d, ce, de;
    l->paper = "fuehrer";
    l->name = "gas-cooling";
    haff(l, 4, 0.06);
    double straight = rough(DEM_LAW_LINEAR_CSDS, 0.9, 1.0, &c, &ce);
    ledger_near(l, CLOSED_FORM, "csds_second_half_over_first", straight, 1.0, 0.08);
    (void)rough(DEM_LAW_LINEAR_DSDS, 0.9, 1.0, &d, &de);
    ledger_near(l, LIBRARY, "usual_dashpot_dsds_over_csds", d / c, 1.0, 4.0 * hypot(ce, de) / c);
    straight = rough(DEM_LAW_LINEAR_CSDS, 0.7, 5.0, &c, &ce);
    ledger_near(l, CLOSED_FORM, "strong_dashpot_csds_second_half_over_first", straight, 1.0, 0.08);
    (void)rough(DEM_LAW_LINEAR_DSDS, 0.7, 5.0, &d, &de);
    ledger_below(l, BOUND, "strong_dashpot_dsds_over_csds", d / c, 0.97);
    ledger_above(l, BOUND, "strong_dashpot_dsds_too_slow_in_standard_errors",
                 (c - d) / hypot(ce, de), 3.0);
}

/* ------------------------------------------------------------ figure */

void gas_figure(FILE *csv)
{
    const dem_linear smooth = cooling_law(0.9, 0.0, 1.0), strong = cooling_law(0.7, 0.5, 5.0);
    (void)fprintf(csv, "curve,x1,x2,x3\n");
    (void)drift_run(DEM_INTEGRATOR_VERLET_SYNC, 20.0, 100, 1.07e4, csv);
    (void)drift_run(DEM_INTEGRATOR_VERLET_SYNC, 40.0, 10, 1.07e4, csv);
    (void)cooling_run(&smooth, DEM_LAW_LINEAR_CSDS, 11, 20.0, csv);
    (void)cooling_run(&strong, DEM_LAW_LINEAR_CSDS, 11, 20.0, csv);
    (void)cooling_run(&strong, DEM_LAW_LINEAR_DSDS, 11, 20.0, csv);
}
