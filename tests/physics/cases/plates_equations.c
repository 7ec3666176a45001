/* SPDX-License-Identifier: MIT */
/* Führer, Brendel and Wolf 2024: what they show of the continuous slider on paper, Eqs (4) to
 * (17), held against both forms of it in the library at random states; and their remark on a
 * discontinuous slider that is reset for the step to come. */
#include "cases.h"
#include "plates_exact.h"
#include "scene.h"

#include <math.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A contact at a random state, with the rate form of the slider. */
typedef struct slide {
    double k, gamma, limit, v[3], xi[3], rate[3], force[3], test[3], s[3];
} slide;

static double decades(uint64_t *seed, double low, double high)
{
    return pow(10.0, scene_random(seed, low, high));
}

/* Stiffness, damping and limit over six decades each, springs of the length of the limit's. */
static slide slide_random(uint64_t *seed)
{
    slide c = {.k = decades(seed, -3.0, 3.0), .gamma = decades(seed, -3.0, 3.0)};
    c.limit = decades(seed, -3.0, 3.0);
    const double spring = c.limit / c.k * decades(seed, -2.0, 1.0);
    const double speed = c.limit / c.gamma * decades(seed, -2.0, 2.0);
    for (int a = 0; a < 3; ++a) {
        c.v[a] = speed * scene_random(seed, -1.0, 1.0);
        c.xi[a] = spring * scene_random(seed, -1.0, 1.0);
    }
    dem_kernel_tangential_csds_rate(c.k, c.gamma, c.limit, c.v, c.xi, c.rate, c.force);
    for (int a = 0; a < 3; ++a) {
        c.test[a] = -c.k * c.xi[a] - c.gamma * c.v[a];
        c.s[a] = c.v[a] - c.rate[a];
    }
    return c;
}

/* Greatest relative misses over the states. */
typedef struct misses {
    double balance, direction, forward, across, slip, length, faster;
    int sliding, sticking, loading, slow_part, slips_wrongly;
} misses;

static void slide_look(const slide *c, misses *m)
{
    const double size = sqrt(dot(c->test, c->test)), slip = sqrt(dot(c->s, c->s));
    const double v = sqrt(dot(c->v, c->v)), force = sqrt(dot(c->force, c->force));
    /* Eq. (11) */
    const double terms[4] = {c->k * dot(c->xi, c->rate), c->gamma * dot(c->rate, c->rate),
                             -dot(c->force, c->s), dot(c->force, c->v)};
    const double scale = fabs(terms[0]) + fabs(terms[1]) + fabs(terms[2]) + fabs(terms[3]);
    m->balance = fmax(m->balance, fabs(terms[0] + terms[1] + terms[2] + terms[3]) / scale);
    if (size <= c->limit) {
        m->sticking += 1;
        m->slips_wrongly += slip > 0.0;
        return;
    }
    m->sliding += 1;
    m->slips_wrongly += !(slip > 0.0);
    /* Eqs (5) and (16), and (17): |F_S| = gamma s + F_max */
    double onto[3];
    for (int a = 0; a < 3; ++a) {
        onto[a] = -c->test[a] / size;
        const double eq16 = -(c->test[a] + c->limit * onto[a]) / c->gamma;
        m->direction = fmax(m->direction, fabs(c->force[a] + c->limit * onto[a]) / force);
        m->slip = fmax(m->slip, fabs(c->s[a] - eq16) / (v + size / c->gamma));
    }
    m->length = fmax(m->length, fabs(size - c->gamma * slip - c->limit) / size);
    /* Eq. (14), along the slip and across it */
    const double along = dot(onto, c->v), rate = dot(onto, c->rate);
    m->forward = fmax(m->forward, fabs(rate - (along - slip)) / (v + slip));
    for (int a = 0; a < 3; ++a)
        m->across =
            fmax(m->across,
                 fabs((c->rate[a] - rate * onto[a]) - (c->v[a] - along * onto[a])) / (v + slip));
    if (dot(c->xi, c->rate) <= 0.0)
        return;
    /* Eqs (12), (13) and (15) while the spring is loaded */
    m->loading += 1;
    m->slow_part += !(along > slip);
    m->faster = fmax(m->faster, sqrt(dot(c->rate, c->rate)) / v - 1.0);
}

void case_plates_equations(ledger *l)
{
    enum { STATES = 100000 };
    uint64_t seed = 20240410;
    misses m = {0};
    double mapped = 0.0;
    l->paper = "fuehrer";
    l->name = "plates-equations";
    for (int n = 0; n < STATES; ++n) {
        slide c = slide_random(&seed);
        slide_look(&c, &m);
        /* the return mapping's Eq. (17): |F*| = (gamma + k dt) s + F_max */
        const double dt = c.gamma / c.k * decades(&seed, -3.0, 3.0);
        double xi[3] = {c.xi[0], c.xi[1], c.xi[2]}, force[3], trial[3], s[3];
        dem_kernel_tangential_csds(c.k, c.gamma, c.limit, dt, c.v, xi, force);
        for (int a = 0; a < 3; ++a) {
            trial[a] = -c.k * (c.xi[a] + c.v[a] * dt) - c.gamma * c.v[a];
            s[a] = c.v[a] - (xi[a] - c.xi[a]) / dt;
        }
        const double size = sqrt(dot(trial, trial)), slip = sqrt(dot(s, s));
        const double scale = size + sqrt(dot(c.xi, c.xi)) * (c.k + c.gamma / dt);
        if (size > c.limit)
            mapped = fmax(mapped, fabs(size - (c.gamma + c.k * dt) * slip - c.limit) / scale);
    }
    ledger_below(l, PRINTED, "eq11_energy_balance", m.balance, 1e-13);
    ledger_below(l, PRINTED, "eq5_force_against_slip", m.direction, 1e-13);
    ledger_below(l, PRINTED, "eq14_along_slip", m.forward, 1e-12);
    ledger_below(l, PRINTED, "eq14_across_slip", m.across, 1e-12);
    ledger_below(l, PRINTED, "eq16_slip_of_test_force", m.slip, 1e-12);
    ledger_below(l, PRINTED, "eq17_test_force_of_slip", m.length, 1e-12);
    ledger_near(l, PRINTED, "eq17_states_that_slip_below_the_limit_or_not_above", m.slips_wrongly,
                0.0, 0.0);
    ledger_near(l, PRINTED, "eq13_loading_states_where_v_is_not_faster_than_slip", m.slow_part, 0.0,
                0.0);
    ledger_below(l, PRINTED, "eq15_spring_faster_than_v", m.faster, 1e-12);
    ledger_below(l, CLOSED_FORM, "eq17_of_return_mapping", mapped, 1e-12);
    ledger_above(l, BOUND, "states_sticking", m.sticking, 0.1 * STATES);
    ledger_above(l, BOUND, "states_sliding", m.sliding, 0.1 * STATES);
    ledger_above(l, BOUND, "states_sliding_while_loading", m.loading, 0.01 * STATES);
}

/* ------------------------------------------------------------ the implicit reset */

static const double DAMPING = 2.0;

/* What a run of the discontinuous slider shows. */
typedef struct run {
    int flickers;  /* steps above v = 2.2 whose force differs from that of the step before */
    double miss;   /* greatest error of v against the exact solution */
    double gain;   /* energy after the first step over that before */
    double excess; /* greatest kinetic energy above that of the continuous slider */
} run;

/* Euler steps. implicit 0: limit and reset at the velocity that the step starts with; 1: the spring
 * moves on and is reset at the velocity that the step ends with. */
static run slide_down(double start, double dt, int implicit)
{
    run r = {0};
    double v = start, spring[3] = {0.0}, force[3], before = -1.0;
    const double none[3] = {0.0, 0.0, 0.0}, first[3] = {v, 0.0, 0.0};
    dem_kernel_tangential_dsds(1.0, DAMPING, 1.0, none, first, spring, force);
    for (int n = 1; n <= (int)lround(8.0 / dt); ++n) {
        const double old = v, was = spring[0];
        const double velocity[3] = {old, 0.0, 0.0}, moved[3] = {old * dt, 0.0, 0.0};
        if (!implicit) {
            dem_kernel_tangential_dsds(1.0, DAMPING, 1.0, none, velocity, spring, force);
            if (spring[0] == was) /* it sticks */
                spring[0] += old * dt;
        }
        r.flickers += old > 2.2 && fabs(force[0] - before) > 1e-9;
        before = force[0];
        v += dt * force[0];
        if (implicit) {
            const double end[3] = {v, 0.0, 0.0};
            dem_kernel_tangential_dsds(1.0, DAMPING, 1.0, moved, end, spring, force);
        }
        if (n == 1)
            r.gain = (v * v + spring[0] * spring[0]) / (start * start);
        r.miss = fmax(r.miss, fabs(v - plates_exact_discontinuous(n * dt)));
        const double continuous = plates_exact_continuous(n * dt);
        r.excess = fmax(r.excess, 0.5 * (v * v - continuous * continuous));
    }
    return r;
}

/* "would only remedy the observed oscillations but not the energy creation": the force no longer
 * flickers and the run is closer to the exact one, which has the energy from nothing: the spring
 * starts at -7. */
void case_plates_implicit(ledger *l)
{
    l->paper = "fuehrer";
    l->name = "plates-dsds-implicit";
    const run paper = slide_down(PLATES_START, 0.1, 0), own = slide_down(PLATES_START, 0.1, 1);
    const run fine = slide_down(PLATES_START, 0.05, 1);
    double exact = 0.0;
    for (int n = 0; n <= 8000; ++n) {
        const double d = plates_exact_discontinuous(1e-3 * n),
                     c = plates_exact_continuous(1e-3 * n);
        exact = fmax(exact, 0.5 * (d * d - c * c));
    }
    ledger_above(l, PRINTED, "explicit_steps_that_flicker", paper.flickers, 5.0);
    ledger_near(l, PRINTED, "implicit_steps_that_flicker", own.flickers, 0.0, 0.0);
    ledger_show(l, CLOSED_FORM, "explicit_error_of_v_dt0.1", paper.miss, own.miss);
    ledger_near(l, ORDER, "implicit_order", log2(own.miss / fine.miss), 1.0, 0.2);
    ledger_near(l, CLOSED_FORM, "implicit_energy_after_one_step", own.gain,
                (pow(PLATES_START - 0.1, 2.0) + pow(1.0 - 2.0 * (PLATES_START - 0.1), 2.0)) /
                    (PLATES_START * PLATES_START),
                1e-12);
    ledger_near(l, CLOSED_FORM, "implicit_kinetic_excess_dt0.05", fine.excess, exact, 0.1 * exact);
}
