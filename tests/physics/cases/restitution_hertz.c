/* SPDX-License-Identifier: MIT */
/* Rebound with Hertz's law: of two spheres of any sizes, and from a wall. */
#include "cases.h"
#include "scene.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double RADIUS = 1e-3, DENSITY = 2500.0, SPEED = 0.5;

/* Effective mass and radius for a second sphere `ratio` times the first; 0 for a wall. */
static void effective(double ratio, double *mass, double *mass_other, double *radius)
{
    *mass = DENSITY * 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS;
    *mass_other = *mass * ratio * ratio * ratio;
    *radius = ratio > 0.0 ? RADIUS * ratio / (1.0 + ratio) : RADIUS;
}

/* Rebound over impact velocity; the first contact falls `phase` steps after the start. */
static double rebound(const dem_hertz *law, double ratio, double steps_per_contact, double phase)
{
    dem_contact_model model;
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_HERTZ, .parameters = law};
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &model);
    double mass, other, radius;
    effective(ratio, &mass, &other, &radius);
    const double reduced = ratio > 0.0 ? mass * other / (mass + other) : mass;
    const double young =
        dem_kernel_effective_young(law->young[0], law->poisson[0], law->young[0], law->poisson[0]);
    const double dt =
        dem_kernel_contact_time_hertz(young, radius, reduced, SPEED) / steps_per_contact;
    const double above[3] = {0.0, 0.0, RADIUS + phase * SPEED * dt};
    const double below[3] = {0.0, 0.0, -ratio * RADIUS};
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
    /* a damped contact lasts longer than an undamped one, and the force ends before it */
    scene_step(world, dt, (uint64_t)(4.0 * steps_per_contact));
    double v = scene_get(world, ball).velocity[2];
    if (ratio > 0.0)
        v -= scene_get(world, target).velocity[2];
    dem_world_destroy(world);
    return v / SPEED;
}

/* Mean over the phase at which the first contact falls between two steps. */
static double mean_rebound(const dem_hertz *law, double ratio, double steps_per_contact)
{
    enum { PHASES = 8 };
    double sum = 0.0;
    for (int k = 0; k < PHASES; ++k)
        sum += rebound(law, ratio, steps_per_contact, 1.0 + (k + 0.5) / PHASES);
    return sum / PHASES;
}

static dem_hertz soft_glass(void)
{
    dem_hertz law;
    MUST(dem_hertz_init(&law));
    law.young[0] = 7e8;
    law.poisson[0] = 0.25;
    return law;
}

static const double RATIOS[4] = {1.0, 10.0, 100.0, 0.0};
static const char *const NAMES[4] = {"pair_ratio1", "pair_ratio10", "pair_ratio100", "wall"};
static const double ASKED[7] = {1.0, 0.9, 0.7, 0.5, 0.3, 0.1, 0.05};

static void compare(ledger *l, int32_t normal)
{
    double coarse = 0.0;
    dem_hertz law = soft_glass();
    law.normal = normal;
    for (int r = 0; r < 4; ++r)
        for (int k = 0; k < 7; ++k) {
            char quantity[64];
            law.restitution = ASKED[k];
            (void)snprintf(quantity, sizeof quantity, "rebound_%s_e%g", NAMES[r], ASKED[k]);
            ledger_near(l, CLOSED_FORM, quantity, mean_rebound(&law, RATIOS[r], 200.0), ASKED[k],
                        1e-3);
            coarse = fmax(coarse, fabs(mean_rebound(&law, RATIOS[r], 20.0) - ASKED[k]));
        }
    /* a hundred times that at t_c/200: second order */
    ledger_below(l, BOUND, "largest_error_at_tc20", coarse, 6e-3);
}

void case_hertz_restitution_cut(ledger *l)
{
    l->paper = "schwager-poeschel";
    l->name = "hertz-restitution-cut-corrected";
    compare(l, DEM_NORMAL_CUT);
}

void case_hertz_restitution_tail(ledger *l)
{
    l->paper = "vyas";
    l->name = "hertz-restitution-tail-kept";
    compare(l, DEM_NORMAL_ATTRACTIVE);
}

/* The damping of the attractive form with the force cut: the same larger e as for Hooke's law. And
 * Tsuji's alpha, which is that damping given directly; and a constant
 * dashpot, weak enough for a closed form. */
void case_hertz_restitution_other(ledger *l)
{
    static const double asked[5] = {0.9, 0.7, 0.5, 0.3, 0.1};
    static const double table[5] = {.9020, .7182, .5503, .3971, .2527};
    l->paper = "schwager-poeschel";
    l->name = "hertz-restitution-others";
    for (int k = 0; k < 5; ++k) {
        char quantity[64];
        dem_hertz law = soft_glass();
        law.normal = DEM_NORMAL_CUT_UNCORRECTED;
        law.restitution = asked[k];
        (void)snprintf(quantity, sizeof quantity, "uncorrected_e%g", asked[k]);
        const double uncorrected = mean_rebound(&law, 0.0, 200.0);
        ledger_near(l, SHEET, quantity, uncorrected, table[k], 1e-3);
        law.damping = DEM_HERTZ_DAMPING_TSUJI;
        law.damping_normal = -sqrt(5.0) * log(asked[k]) / hypot(PI, log(asked[k]));
        (void)snprintf(quantity, sizeof quantity, "tsuji_e%g", asked[k]);
        ledger_near(l, LIBRARY, quantity, mean_rebound(&law, 0.0, 200.0), uncorrected, 1e-12);
    }
    dem_hertz law = soft_glass();
    law.damping = DEM_HERTZ_DAMPING_NONE;
    law.restitution = 0.5; /* not looked at */
    ledger_near(l, CLOSED_FORM, "none", mean_rebound(&law, 0.0, 200.0), 1.0, 1e-4);
    law.damping = DEM_HERTZ_DAMPING_COEFFICIENT;
    double lost[2], mass, other, radius;
    effective(0.0, &mass, &other, &radius);
    for (int k = 0; k < 2; ++k) {
        const double share = k == 0 ? 0.01 : 0.005;
        const double young =
            dem_kernel_effective_young(law.young[0], law.poisson[0], law.young[0], law.poisson[0]);
        const double time = dem_kernel_contact_time_hertz(young, radius, mass, SPEED);
        law.damping_normal = share * mass / time;
        lost[k] = (1.0 - mean_rebound(&law, 0.0, 200.0)) / share;
    }
    /* To first order in eta the work of the dashpot, eta int v^2 dt, gives 1 - e = 5/9 eta t_c/m*:
     * int sqrt(1 - x^(5/2)) dx is 5/9 of int 1/sqrt(1 - x^(5/2)) dx over [0, 1]. */
    ledger_near(l, CLOSED_FORM, "coefficient_loss", 2.0 * lost[1] - lost[0], 5.0 / 9.0, 2e-3);
}
