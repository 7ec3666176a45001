/* SPDX-License-Identifier: MIT */
/* Rebound of two spheres, and of a sphere from a wall: the three ways to end a linear contact. */
#include "cases.h"
#include "scene.h"

#include <math.h>

static const double STIFFNESS = 1e5, RADIUS = 1e-3, DENSITY = 2500.0, SPEED = 0.5;

/* What the second body is: its radius over the first's, or 0 for a wall. */
static double rebound(const dem_linear *law, double ratio, double phase, double steps)
{
    const dem_contact_model model = scene_linear_model(law);
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &model);
    const double mass = DENSITY * 4.0 / 3.0 * 3.14159265358979323846 * RADIUS * RADIUS * RADIUS;
    const double other = mass * ratio * ratio * ratio;
    const double effective = ratio > 0.0 ? mass * other / (mass + other) : mass;
    const double dt = 3.14159265358979323846 * sqrt(effective / STIFFNESS) / steps;
    const double gap = phase * SPEED * dt;
    const double above[3] = {0.0, 0.0, RADIUS + gap}, below[3] = {0.0, 0.0, -ratio * RADIUS};
    const double velocity[3] = {0.0, 0.0, -SPEED};
    const dem_particle_handle ball = scene_sphere(world, above, RADIUS, mass);
    dem_particle_handle target = {0, 0};
    MUST(dem_particle_set_motion(world, ball, NULL, velocity, NULL));
    if (ratio > 0.0) {
        target = scene_sphere(world, below, ratio * RADIUS, other);
    } else {
        dem_wall wall;
        MUST(dem_wall_init(&wall));
        MUST(dem_wall_add(world, &wall, NULL));
    }
    scene_step(world, dt, (uint64_t)(5.0 * steps));
    double v = scene_get(world, ball).velocity[2];
    if (ratio > 0.0)
        v -= scene_get(world, target).velocity[2];
    dem_world_destroy(world);
    return v / SPEED;
}

/* Mean over the phase at which the first contact falls between two steps, and how far a single
 * phase is from the restitution asked for, NULL if that is not wanted. */
static double mean_rebound(double restitution, int32_t normal, double ratio, double steps,
                           double *worst)
{
    enum { PHASES = 8 };
    dem_linear law = scene_linear(STIFFNESS);
    law.restitution = restitution;
    law.normal = normal;
    law.friction = 0.0; /* central: nothing tangential, but a limit on dt */
    double sum = 0.0;
    for (int k = 0; k < PHASES; ++k) {
        const double one = rebound(&law, ratio, 1.0 + (k + 0.5) / PHASES, steps);
        sum += one;
        if (worst != NULL)
            *worst = fmax(*worst, fabs(one - restitution));
    }
    return sum / PHASES;
}

/* Size of the second body over the first; 0 for a wall. */
static const double ratios[4] = {1.0, 10.0, 100.0, 0.0};
static const char *const names[4] = {"pair_ratio1", "pair_ratio10", "pair_ratio100", "wall"};

static void compare(ledger *l, int32_t normal, const double *asked, const double *expected,
                    int count)
{
    for (int r = 0; r < 4; ++r)
        for (int k = 0; k < count; ++k) {
            char quantity[64];
            (void)snprintf(quantity, sizeof quantity, "rebound_%s_e%g", names[r], asked[k]);
            ledger_near(l, CLOSED_FORM, quantity,
                        mean_rebound(asked[k], normal, ratios[r], 200.0, NULL), expected[k], 1e-3);
        }
}

static const double ASKED[7] = {1.0, 0.9, 0.7, 0.5, 0.3, 0.1, 0.05};

void case_restitution_tail(ledger *l)
{
    l->paper = "vyas";
    l->name = "restitution-tail-kept";
    compare(l, DEM_NORMAL_ATTRACTIVE, ASKED, ASKED, 7);
}

void case_restitution_corrected(ledger *l)
{
    l->paper = "schwager-poeschel";
    l->name = "restitution-cut-corrected";
    compare(l, DEM_NORMAL_CUT, ASKED, ASKED, 7);
}

/* Damping of Eq. (31) with the force cut at zero: faster than asked for, by
 * e = exp(-2 zeta acos(zeta)/sqrt(1 - zeta^2)). */
void case_restitution_uncorrected(ledger *l)
{
    static const double asked[9] = {0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1};
    double expected[9];
    static const double table[9] = {.9020, .8081, .7182, .6323, .5503, .4720, .3971, .3249, .2527};
    l->paper = "schwager-poeschel";
    l->name = "restitution-cut-uncorrected";
    for (int k = 0; k < 9; ++k) {
        const double ratio = -log(asked[k]) / hypot(3.14159265358979323846, log(asked[k]));
        char quantity[64];
        expected[k] = exp(-2.0 * ratio * acos(ratio) / sqrt(1.0 - ratio * ratio));
        (void)snprintf(quantity, sizeof quantity, "closed_form_e%g", asked[k]);
        ledger_near(l, SHEET | OF_ORACLE, quantity, expected[k], table[k], 5e-5);
    }
    compare(l, DEM_NORMAL_CUT_UNCORRECTED, asked, expected, 9);
}

/* At a step that is usual in practice, t_c/20 of the undamped contact. */
void case_restitution_coarse(ledger *l)
{
    static const int32_t forms[2] = {DEM_NORMAL_CUT, DEM_NORMAL_ATTRACTIVE};
    static const char *const form[2] = {"cut", "tail"};
    l->paper = "libdem";
    l->name = "restitution-at-tc20";
    for (int f = 0; f < 2; ++f)
        for (int r = 0; r < 4; ++r)
            for (int k = 0; k < 7; ++k) {
                char quantity[64];
                (void)snprintf(quantity, sizeof quantity, "%s_%s_e%g", form[f], names[r], ASKED[k]);
                ledger_near(l, CLOSED_FORM, quantity,
                            mean_rebound(ASKED[k], forms[f], ratios[r], 20.0, NULL), ASKED[k],
                            0.01);
            }
}

/* One drop is off by more than the mean over phases: by an order of dt, not of its square. */
void case_restitution_single(ledger *l)
{
    double worst[2] = {0.0, 0.0};
    l->paper = "libdem";
    l->name = "restitution-single-impact";
    for (int n = 0; n < 2; ++n)
        for (int k = 0; k < 7; ++k)
            (void)mean_rebound(ASKED[k], DEM_NORMAL_CUT, 0.0, n == 0 ? 200.0 : 20.0, &worst[n]);
    ledger_below(l, CLOSED_FORM, "off_at_tc200", worst[0], 3e-3);
    ledger_below(l, CLOSED_FORM, "off_at_tc20", worst[1], 3e-2);
    ledger_near(l, CLOSED_FORM, "order", log10(worst[1] / worst[0]), 1.0, 0.2);
}
