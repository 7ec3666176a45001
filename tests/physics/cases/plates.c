/* SPDX-License-Identifier: MIT */
/* Führer, Brendel, Wolf 2024, Sec. 4: a block of mass m slides on a plate and comes to rest on the
 * tangential spring, dashpot and slider alone. Units: m = k = F_max = 1; gamma = 2, v0 = 4. */
#include "cases.h"
#include "plates_exact.h"

#include <dem/dem.h>

#include <math.h>

static const double DAMPING = 2.0, START = PLATES_START, END = 8.0;

typedef struct plate {
    double v, xi, force;
} plate;

/* The slider of the paper, Eq. (8): force cut at 1, and the rate of xi that goes with it. */
static plate continuous_rate(plate s)
{
    const double trial = -s.xi - DAMPING * s.v;
    const double force = fabs(trial) > 1.0 ? copysign(1.0, trial) : trial;
    return (plate){.v = force, .xi = -(force + s.xi) / DAMPING, .force = force};
}

static double error_euler(double dt)
{
    const int steps = (int)lround(END / dt);
    plate s = {.v = START};
    double worst = 0.0;
    for (int k = 1; k <= steps; ++k) {
        const plate rate = continuous_rate(s);
        s.v += dt * rate.v;
        s.xi += dt * rate.xi;
        worst = fmax(worst, fabs(s.v - plates_exact_continuous(k * dt)));
    }
    return worst;
}

static double error_heun(double dt)
{
    const int steps = (int)lround(END / dt);
    plate s = {.v = START};
    double worst = 0.0;
    for (int k = 1; k <= steps; ++k) {
        const plate a = continuous_rate(s);
        const plate b = continuous_rate((plate){.v = s.v + dt * a.v, .xi = s.xi + dt * a.xi});
        s.v += 0.5 * dt * (a.v + b.v);
        s.xi += 0.5 * dt * (a.xi + b.xi);
        worst = fmax(worst, fabs(s.v - plates_exact_continuous(k * dt)));
    }
    return worst;
}

static double error_rk4(double dt)
{
    const int steps = (int)lround(END / dt);
    plate s = {.v = START};
    double worst = 0.0;
    for (int k = 1; k <= steps; ++k) {
        const plate a = continuous_rate(s);
        const double h = 0.5 * dt;
        const plate b = continuous_rate((plate){.v = s.v + h * a.v, .xi = s.xi + h * a.xi});
        const plate c = continuous_rate((plate){.v = s.v + h * b.v, .xi = s.xi + h * b.xi});
        const plate d = continuous_rate((plate){.v = s.v + dt * c.v, .xi = s.xi + dt * c.xi});
        s.v += dt / 6.0 * (a.v + 2.0 * b.v + 2.0 * c.v + d.v);
        s.xi += dt / 6.0 * (a.xi + 2.0 * b.xi + 2.0 * c.xi + d.xi);
        worst = fmax(worst, fabs(s.v - plates_exact_continuous(k * dt)));
    }
    return worst;
}

/* The library's kernel on a line: du and v_d along x. */
static double mapped_force(double dt, double du, double v_damping, double *xi)
{
    const double increment[3] = {du, 0.0, 0.0}, velocity[3] = {v_damping, 0.0, 0.0};
    double state[3] = {*xi, 0.0, 0.0}, force[3];
    dem_kernel_tangential_csds_increment(1.0, DAMPING, 1.0, dt, increment, velocity, state, force);
    *xi = state[0];
    return force[0];
}

/* velocity-Verlet; the damping velocity is that of the half step or extrapolated to its end. */
static double error_mapping(double dt, int synchronized)
{
    const int steps = (int)lround(END / dt);
    plate s = {.v = START, .force = continuous_rate((plate){.v = START}).force};
    double worst = 0.0;
    for (int k = 1; k <= steps; ++k) {
        const double half = s.v + 0.5 * dt * s.force;
        if (synchronized) {
            s.force = mapped_force(dt, half * dt, half + 0.5 * dt * s.force, &s.xi);
        } else {
            const double velocity[3] = {half, 0.0, 0.0};
            double state[3] = {s.xi, 0.0, 0.0}, force[3];
            dem_kernel_tangential_csds(1.0, DAMPING, 1.0, dt, velocity, state, force);
            s.xi = state[0];
            s.force = force[0];
        }
        s.v = half + 0.5 * dt * s.force;
        worst = fmax(worst, fabs(s.v - plates_exact_continuous(k * dt)));
    }
    return worst;
}

void case_plates_continuous(ledger *l)
{
    l->paper = "fuehrer";
    l->name = "plates-csds-explicit";
    const double onset = plates_stick_onset();
    ledger_near(l, SHEET | OF_ORACLE, "stick_time", onset, 3.929919226411, 1e-11);
    ledger_near(l, SHEET | OF_ORACLE, "stick_displacement", 1.0 - exp(-0.5 * onset), 0.859838452823,
                1e-11);
    ledger_near(l, SHEET | OF_ORACLE, "euler_error_dt0.1", error_euler(0.1), 2.579e-2, 1e-5);
    ledger_near(l, SHEET | OF_ORACLE, "euler_error_dt0.05", error_euler(0.05), 1.267e-2, 1e-5);
    ledger_near(l, SHEET | OF_ORACLE, "heun_error_dt0.1", error_heun(0.1), 2.37e-3, 1e-5);
    ledger_near(l, SHEET | OF_ORACLE, "rk4_error_dt0.1", error_rk4(0.1), 7.3e-5, 1e-6);
    ledger_near(l, SHEET | OF_ORACLE, "rk4_error_dt0.025", error_rk4(0.025), 1.6e-5, 1e-6);
}

void case_plates_mapping(ledger *l)
{
    l->paper = "fuehrer";
    l->name = "plates-csds-return-mapping";
    ledger_near(l, SHEET, "one_velocity_error_dt0.1", error_mapping(0.1, 0), 1.49e-2, 5e-5);
    ledger_near(l, SHEET, "one_velocity_error_dt0.05", error_mapping(0.05, 0), 7.7e-3, 5e-5);
    ledger_near(l, SHEET, "one_velocity_error_dt0.025", error_mapping(0.025, 0), 3.8e-3, 5e-5);
    ledger_near(l, SHEET, "synchronized_error_dt0.1", error_mapping(0.1, 1), 2.64e-2, 5e-5);
    ledger_near(l, SHEET, "synchronized_error_dt0.05", error_mapping(0.05, 1), 1.39e-2, 5e-5);
    ledger_near(l, SHEET, "synchronized_error_dt0.025", error_mapping(0.025, 1), 7.1e-3, 5e-5);
}

/* The library's discontinuous slider; du = 0 asks for limit and reset at the present state. */
static int discontinuous_force(double du, double v, double *xi, double *force)
{
    const double increment[3] = {du, 0.0, 0.0}, velocity[3] = {v, 0.0, 0.0};
    double state[3] = {*xi, 0.0, 0.0}, f[3];
    dem_kernel_tangential_dsds(1.0, DAMPING, 1.0, increment, velocity, state, f);
    const int slides = fabs(-(*xi + du) - DAMPING * v) > 1.0;
    *xi = state[0];
    *force = f[0];
    return slides;
}

/* The paper's Euler step: limit and reset from the old velocity; xi' = v where it sticks. */
static void discontinuous_euler(plate *s, double dt)
{
    const double old = s->v;
    const int slides = discontinuous_force(0.0, old, &s->xi, &s->force);
    s->v += dt * s->force;
    if (!slides)
        s->xi += dt * old;
}

static double energy(plate s)
{
    return 0.5 * s.v * s.v + 0.5 * s.xi * s.xi;
}

/* Energy after one velocity-Verlet step from xi = 0 over that before. */
static double discontinuous_gain(double dt, double v0)
{
    plate s = {.v = v0, .force = -1.0};
    const double half = s.v + 0.5 * dt * s.force;
    (void)discontinuous_force(half * dt, half, &s.xi, &s.force);
    s.v = half + 0.5 * dt * s.force;
    return energy(s) / (0.5 * v0 * v0);
}

/* Greatest excess of the discontinuous law's kinetic energy over the continuous law's. */
static double kinetic_excess(double v0, double dt)
{
    plate d = {.v = v0}, c = {.v = v0};
    const int steps = (int)lround(4.0 * v0 / dt);
    double worst = 0.0;
    for (int k = 0; k < steps; ++k) {
        discontinuous_euler(&d, dt);
        const plate rate = continuous_rate(c);
        c.v += dt * rate.v;
        c.xi += dt * rate.xi;
        worst = fmax(worst, 0.5 * (d.v * d.v - c.v * c.v));
    }
    return worst;
}

void case_plates_discontinuous(ledger *l)
{
    static const double xi[3] = {-7.0, -6.61, -6.64}, force[3] = {-1.0, -0.8, -1.0};
    static const char *const xi_name[3] = {"xi_step1", "xi_step2", "xi_step3"};
    static const char *const force_name[3] = {"force_step1", "force_step2", "force_step3"};
    l->paper = "fuehrer";
    l->name = "plates-dsds";
    plate s = {.v = START};
    for (int k = 0; k < 3; ++k) {
        discontinuous_euler(&s, 0.1);
        ledger_near(l, SHEET | OF_ORACLE, xi_name[k], s.xi, xi[k], 1e-12);
        ledger_near(l, SHEET | OF_ORACLE, force_name[k], s.force, force[k], 1e-12);
    }
    ledger_near(l, SHEET | OF_ORACLE, "energy_ratio_dt0.1", discontinuous_gain(0.1, 4.0), 3.9,
                0.05);
    ledger_near(l, SHEET | OF_ORACLE, "energy_ratio_dt0.001", discontinuous_gain(1e-3, 4.0), 4.06,
                5e-3);
    ledger_near(l, CLOSED_FORM | OF_ORACLE, "energy_ratio_fast", discontinuous_gain(1e-3, 1e6), 5.0,
                1e-5);
    ledger_near(l, SHEET | OF_ORACLE, "kinetic_excess_v4", kinetic_excess(4.0, 0.1), 0.360, 5e-4);
    ledger_near(l, SHEET | OF_ORACLE, "kinetic_excess_v8", kinetic_excess(8.0, 0.1), 1.684, 5e-4);
    ledger_near(l, SHEET | OF_ORACLE, "kinetic_excess_v16", kinetic_excess(16.0, 0.1), 6.737, 5e-4);
}
