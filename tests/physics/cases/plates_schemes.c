/* SPDX-License-Identifier: MIT */
/* Führer, Brendel, Wolf 2024, Appendix A: a block on a plate with the library's schemes of stages
 * and both sliders. */
#include "cases.h"
#include "plates_exact.h"
#include "plates_host.h"

#include <math.h>

static const struct {
    const char *name;
    int32_t scheme;
} schemes[4] = {{"euler", DEM_INTEGRATOR_EULER},
                {"midpoint", DEM_INTEGRATOR_MIDPOINT},
                {"heun", DEM_INTEGRATOR_HEUN},
                {"rk4", DEM_INTEGRATOR_RK4}};

/* Greatest error of the velocity against an exact solution on [0, 8]. */
static double error_of(const char *law, int32_t scheme, double dt, double (*exact)(double t))
{
    plates_host p;
    plates_open(&p, law, scheme, PLATES_START);
    double worst = 0.0;
    for (int k = 1; k <= (int)lround(8.0 / dt); ++k) {
        plates_step(&p, dt, NULL);
        worst = fmax(worst, fabs(p.v[0] - exact(k * dt)));
    }
    plates_close(&p);
    return worst;
}

void case_plates_schemes(ledger *l)
{
    static const double coarse[4] = {2.579e-2, 1.14e-3, 2.37e-3, 7.3e-5};
    static const double digits[4] = {1e-5, 1e-5, 1e-5, 1e-6};
    l->paper = "fuehrer";
    l->name = "plates-csds-schemes";
    for (int k = 0; k < 4; ++k) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s_error_dt0.1", schemes[k].name);
        ledger_near(l, SHEET, name,
                    error_of(DEM_LAW_LINEAR_CSDS, schemes[k].scheme, 0.1, plates_exact_continuous),
                    coarse[k], digits[k]);
    }
    ledger_near(l, SHEET, "euler_error_dt0.05",
                error_of(DEM_LAW_LINEAR_CSDS, DEM_INTEGRATOR_EULER, 0.05, plates_exact_continuous),
                1.267e-2, 1e-5);
    ledger_near(l, SHEET, "rk4_error_dt0.025",
                error_of(DEM_LAW_LINEAR_CSDS, DEM_INTEGRATOR_RK4, 0.025, plates_exact_continuous),
                1.6e-5, 1e-6);
}

/* No event in the step: the block starts slowly enough to stick, and is a critically damped
 * oscillator from the start. */
void case_plates_sticking(ledger *l)
{
    static const double order[4] = {1.0, 2.0, 2.0, 4.0};
    l->paper = "fuehrer";
    l->name = "plates-csds-no-event";
    for (int k = 0; k < 4; ++k) {
        double error[2];
        for (int i = 0; i < 2; ++i) {
            const int steps = 20 << i;
            plates_host p;
            plates_open(&p, DEM_LAW_LINEAR_CSDS, schemes[k].scheme, 0.4);
            for (int n = 0; n < steps; ++n)
                plates_step(&p, 2.0 / steps, NULL);
            error[i] = fabs(p.v[0] - 0.4 * (1.0 - 2.0) * exp(-2.0)) +
                       fabs(plates_spring(&p) - 0.4 * 2.0 * exp(-2.0));
            plates_close(&p);
        }
        char name[64];
        (void)snprintf(name, sizeof name, "order_%s", schemes[k].name);
        ledger_near(l, ORDER, name, log2(error[0] / error[1]), order[k], 0.25);
    }
}

/* Fig. 3: of first order, whatever the scheme; and the midpoint rule is wrong for every dt. */
void case_plates_reset_orders(ledger *l)
{
    l->paper = "fuehrer";
    l->name = "plates-dsds-schemes";
    for (int k = 0; k < 4; ++k) {
        char name[64];
        double error[3];
        for (int i = 0; i < 3; ++i)
            error[i] = error_of(DEM_LAW_LINEAR_DSDS, schemes[k].scheme, 0.04 / (1 << (2 * i)),
                                plates_exact_discontinuous);
        if (schemes[k].scheme == DEM_INTEGRATOR_MIDPOINT) {
            ledger_above(l, ORDER, "midpoint_error_of_dt/16_over_dt", error[2] / error[0], 0.9);
            continue;
        }
        (void)snprintf(name, sizeof name, "order_%s", schemes[k].name);
        ledger_near(l, ORDER, name, 0.25 * log2(error[0] / error[2]), 1.0, 0.15);
    }
}

/* Fig. 4: the midpoint rule with dt = 0.2. What a stage resets is lost in the next full step. */
static double half_miss, violated_until, clock_now;

static void midpoint_seen(const plates_host *p, uint32_t stage)
{
    static double v_full, force;
    if (stage == 0) {
        v_full = p->v[0];
        force = fabs(p->trial) > 1.0 ? copysign(1.0, p->trial) : 0.0; /* 0: sticks */
        if (force != 0.0)
            violated_until = clock_now;
    } else if (force != 0.0) {
        /* the auxiliary spring is -(F + gamma v)/k of the full step's v */
        half_miss = fmax(half_miss, fabs(p->spring + force + 2.0 * v_full));
    }
}

void case_plates_reset_midpoint(ledger *l)
{
    static const double dt = 0.2;
    l->paper = "fuehrer";
    l->name = "plates-dsds-midpoint";
    plates_host p;
    plates_open(&p, DEM_LAW_LINEAR_DSDS, DEM_INTEGRATOR_MIDPOINT, PLATES_START);
    half_miss = violated_until = clock_now = 0.0;
    double parabola = 0.0;
    for (int k = 1; k <= 60; ++k) {
        plates_step(&p, dt, midpoint_seen);
        clock_now = k * dt;
        const double xi = plates_spring(&p);
        /* F = -1 in the half step, -1 + gamma dt/2 in the full one: v and xi follow exactly */
        if (clock_now < 4.5) {
            const double v = PLATES_START - 0.8 * clock_now;
            parabola = fmax(parabola, fabs(p.v[0] - v));
            parabola = fmax(parabola, fabs(xi - (PLATES_START - 0.5 * dt + 0.4 * dt) * clock_now +
                                           0.4 * clock_now * clock_now));
        }
    }
    ledger_below(l, CLOSED_FORM, "linear_lower_envelope_error", half_miss, 1e-5);
    ledger_below(l, CLOSED_FORM, "upper_envelope_parabola_error", parabola, 1e-5);
    ledger_near(l, PRINTED, "coulomb_violated_until", violated_until, 8.0, 0.4);
    plates_close(&p);
}
