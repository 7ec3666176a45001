/* SPDX-License-Identifier: MIT */
/* Formulas for setting up a model, against figures of the papers and against each other. */
#include "cases.h"
#include "scene.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* Vyas et al., Sec. 5.1: a fine sphere of R/20 between large ones of R = 2 mm, rho 2500. */
static void vyas(ledger *l)
{
    const double large = 2e-3, fine = 1e-4, speed = sqrt(2.0 * 9.81 * large);
    const double mass_large = 2500.0 * 4.0 / 3.0 * PI * pow(large, 3.0);
    const double mass_fine = 2500.0 * 4.0 / 3.0 * PI * pow(fine, 3.0);
    const double mass = mass_large * mass_fine / (mass_large + mass_fine);
    const double radius = large * fine / (large + fine), overlap = 1e-3 * 2.0 * fine;
    double value, ratio;
    MUST(dem_collision_stiffness_from_overlap(mass, overlap, speed, &value));
    ledger_near(l, PRINTED, "eq27_stiffness", value, 10271.7, 0.06);
    MUST(dem_collision_stiffness_ratio(0.3, 1.0, 0.3, 1.0, &ratio));
    ledger_near(l, CLOSED_FORM, "eq6_stiffness_ratio", ratio, 2.0 * 0.7 / 1.7, 1e-15);
    ledger_near(l, SHEET, "tangential_stiffness", ratio * value, 8459.07, 0.006);
    MUST(dem_collision_time_hooke(mass, value, &value));
    ledger_near(l, SHEET, "eq7_time_hooke", value, 3.1719e-6, 6e-11);
    MUST(dem_collision_young_from_overlap(mass, radius, overlap, speed, &value));
    ledger_near(l, SHEET, "eq28_young", value, 2.2065e9, 6e4);
    double back;
    MUST(dem_collision_overlap_hertz(mass, radius, value, speed, &back));
    ledger_near(l, CLOSED_FORM, "eq28_inverse", back / overlap, 1.0, 1e-14);
    MUST(dem_collision_time_hertz(mass, radius, value, speed, &value));
    /* 2.94 of Eq. (30) is 2.94327... */
    ledger_near(l, SHEET, "eq30_time_hertz", value * 2.94 / 2.9432751843, 2.9683e-6, 6e-11);
    ledger_near(l, CLOSED_FORM, "eq30_constant", value * speed / overlap, 2.94327518, 1e-8);
    MUST(dem_collision_size_ratio_critical(0.3, &value));
    ledger_near(l, PRINTED, "eq22_size_ratio_mu0.3", value, 22.7, 0.05);
    MUST(dem_collision_size_ratio_critical(1e-6, &value));
    ledger_near(l, CLOSED_FORM, "eq22_small_friction", value / (2e12 + 0.5), 1.0, 1e-14);
}

/* Vyas et al., Sec. 2: the fine sphere of the groove. */
static void groove(ledger *l)
{
    const double large = 2e-3, fine = large / 7.0, speed = sqrt(2.0 * 9.81 * large);
    const double mass_large = 2500.0 * 4.0 / 3.0 * PI * pow(large, 3.0);
    const double mass = mass_large / (1.0 + 343.0), radius = large / 8.0;
    const double young = 72e9 / (2.0 * (1.0 - 0.09));
    double stiffness, hooke, hertz;
    (void)fine;
    MUST(dem_collision_stiffness_from_time(mass, radius, young, speed, &stiffness));
    /* Eq. (1) has 1.2024 because 2.94327 is rounded to 2.94 */
    ledger_near(l, SHEET, "eq1_stiffness", stiffness * 1.2024 / 1.19966775719, 325906.0, 2.0);
    MUST(dem_collision_time_hooke(mass, stiffness, &hooke));
    MUST(dem_collision_time_hertz(mass, radius, young, speed, &hertz));
    ledger_near(l, CLOSED_FORM, "eq1_matches_times", hooke / hertz, 1.0, 1e-14);
}

/* Ends of m x'' = -k x - eta x' and of Hertz's collision, followed step by step. */
static double followed(double stiffness, double power, double damping, double damping_power,
                       int attractive, double *time)
{
    const double h = 2e-5;
    double x = 0.0, v = 1.0, t = 0.0;
    for (;;) {
        double a[2] = {0.0, 0.0}, x0 = x, v0 = v, force = 0.0;
        for (int s = 0; s < 2; ++s) { /* midpoint rule */
            const double reach = x > 0.0 ? x : 0.0;
            force = -stiffness * pow(reach, power) - damping * pow(reach, damping_power) * v;
            if (!attractive && force > 0.0)
                return v0;
            a[0] = v;
            a[1] = force;
            x = x0 + (s == 0 ? 0.5 : 1.0) * h * a[0];
            v = v0 + (s == 0 ? 0.5 : 1.0) * h * a[1];
        }
        if (x <= 0.0) {
            *time = t + h * x0 / (x0 - x);
            return v;
        }
        t += h;
    }
}

static void dashpots(ledger *l)
{
    double eta, time = 0.0, damped;
    MUST(dem_collision_damping_hooke(1.0, 4.0, 0.6, DEM_NORMAL_ATTRACTIVE, &eta));
    ledger_near(l, CLOSED_FORM, "eq31_damping", eta, sqrt(16.0 / (1.0 + pow(PI / log(0.6), 2.0))),
                1e-14);
    ledger_near(l, INTEGRATION, "hooke_attractive_e", -followed(4.0, 1.0, eta, 0.0, 1, &time), 0.6,
                1e-4);
    MUST(dem_collision_time_hooke_damped(1.0, 4.0, eta, &damped));
    ledger_near(l, INTEGRATION, "hooke_damped_time", damped, time, 1e-4);
    MUST(dem_collision_damping_hooke(1.0, 4.0, 0.6, DEM_NORMAL_CUT, &eta));
    ledger_near(l, INTEGRATION, "hooke_cut_e", -followed(4.0, 1.0, eta, 0.0, 0, &time), 0.6, 1e-4);
    /* R* = 1 and E* = 3/4: K = 1 */
    MUST(dem_collision_damping_hertz(1.0, 1.0, 0.75, 0.6, DEM_NORMAL_ATTRACTIVE, &eta));
    const double logarithm = log(0.6);
    ledger_near(l, CLOSED_FORM, "eq32_damping", eta,
                -2.0 * sqrt(5.0 / 6.0) * logarithm / hypot(PI, logarithm) * sqrt(1.5), 1e-14);
    ledger_near(l, INTEGRATION, "hertz_attractive_e", -followed(1.0, 1.5, eta, 0.25, 1, &time), 0.6,
                1e-4);
    MUST(dem_collision_damping_hertz(1.0, 1.0, 0.75, 0.6, DEM_NORMAL_CUT, &eta));
    ledger_near(l, INTEGRATION, "hertz_cut_e", -followed(1.0, 1.5, eta, 0.25, 0, &time), 0.6, 1e-4);
    MUST(dem_collision_time_hertz(1.0, 1.0, 0.75, 1.0, &damped));
    (void)followed(1.0, 1.5, 0.0, 0.0, 1, &time);
    ledger_near(l, INTEGRATION, "hertz_time", damped, time, 1e-4);
}

void case_collision_setup(ledger *l)
{
    l->paper = "vyas";
    l->name = "collision-setup";
    vyas(l);
    groove(l);
    dashpots(l);
    l->paper = "li";
    double value;
    static const double printed[3] = {2.5, 6.3, 15.9};
    for (int k = 1; k <= 3; ++k) {
        char quantity[64];
        (void)snprintf(quantity, sizeof quantity, "softening_step_1e-%d", k);
        MUST(dem_collision_softening_step(pow(10.0, -k), &value));
        ledger_near(l, PRINTED, quantity, value, printed[k - 1], 0.06);
        MUST(dem_collision_softening_factor(value, &value));
        ledger_near(l, CLOSED_FORM, quantity, value * pow(10.0, k), 1.0, 1e-14);
    }
    /* nu 0.25: a Rayleigh wave runs at 0.9194 of the shear wave's speed; Thornton and Randall's fit
     * 0.1631 nu + 0.8766 gives 0.9174 */
    l->paper = "thornton-randall";
    MUST(dem_collision_step_rayleigh(0.5, 4.0, 1.0, 0.25, &value));
    ledger_near(l, PRINTED, "rayleigh_wave_speed", PI * 0.5 * 2.0 / value, 0.9194, 2.5e-3);
}
