/* SPDX-License-Identifier: MIT */
/* The rotation of rigid bodies: the flip about the middle axis, free bodies for long, tops, and the
 * way back. */
#include "../../support/top.h"
#include "cases.h"

#include <time.h>

static double turns(top *t, double dt, int steps)
{
    const double before = top_energy(t);
    double most = 0.0;
    for (int n = 0; n < steps; ++n) {
        MUST(top_step(t, dt));
        most = fmax(most, fabs(top_energy(t) / before - 1.0));
    }
    return most;
}

/* The period by elliptic functions; its error with T/1000 and T/4000. */
void case_rotation_flip(ledger *l)
{
    static const double period = 33.1949970089;
    l->paper = "libdem";
    l->name = "rotation-flip";
    const double coarse = top_flip_period(period / 1000.0) / period - 1.0,
                 fine = top_flip_period(period / 4000.0) / period - 1.0;
    ledger_near(l, SHEET, "error_1e5", 1e5 * coarse, -1.146, 2e-3);
    ledger_near(l, SHEET, "error_of_quarter_step_1e7", 1e7 * fine, -7.16, 2e-2);
    ledger_near(l, ORDER, "order", 0.5 * log2(coarse / fine), 2.0, 0.01);
}

/* Round-off of one operation. */
static const double ROUND_OFF = 1.1102230246251565e-16;

/* Two million steps: what is kept, is kept to round-off. The energy of the first body: errors of a
 * step are round-off, and add up as a random walk; of the needle: the sheet. */
void case_rotation_free(ledger *l)
{
    static const double inertia[2][3] = {{1.0, 2.0, 3.0}, {1000.0, 999.0, 1.0}},
                        w[2][3] = {{0.6, 0.5, 0.6}, {0.6, 0.5, 0.6}}, sheet[2] = {5e-14, 3e-12};
    const double energy[2] = {ROUND_OFF * sqrt(2e6), 3e-12};
    static const char *const names[2] = {"rotation-free", "rotation-free-needle"};
    l->paper = "libdem";
    for (int k = 0; k < 2; ++k) {
        top t = top_of(inertia[k], top_upright, w[k]);
        const double begin[3] = {t.l[0], t.l[1], t.l[2]};
        const double most = turns(&t, 0.01, 2000000), size = sqrt(top_dot(begin, begin));
        double length = -1.0, off = 0.0, moment[3], turned[3];
        dem_kernel_rotation_velocity(t.inertia, t.q, t.l, moment);
        dem_kernel_rotation_to_body(t.q, moment);
        for (int c = 0; c < 3; ++c)
            moment[c] *= inertia[k][c] / dem_kernel_rotation_mean(inertia[k]);
        dem_kernel_rotation_to_space(t.q, moment);
        for (int c = 0; c < 3; ++c) {
            turned[c] = moment[c] - begin[c];
            off += turned[c] * turned[c];
        }
        for (int c = 0; c < 4; ++c)
            length += t.q[c] * t.q[c];
        l->name = names[k];
        ledger_below(l, CONSERVATION, "energy", most, energy[k]);
        ledger_show(l, SHEET, "energy_of_another_program", most, sheet[k]);
        /* from q, the angular velocity and the moments */
        ledger_below(l, CONSERVATION, "angular_momentum", sqrt(off) / size, 2e-15);
        ledger_below(l, CONSERVATION, "square_of_length_of_q", length, 1e-15);
    }
}

void case_rotation_tops(ledger *l)
{
    static const double dt[3] = {0.02, 0.01, 0.005}, sheet[3] = {6.0e-4, 1.5e-4, 3.7e-5};
    static const char *const names[3] = {"error_dt_.02", "error_dt_.01", "error_dt_.005"};
    l->paper = "libdem";
    l->name = "rotation-top";
    for (int k = 0; k < 3; ++k)
        ledger_near(l, CLOSED_FORM, names[k], top_symmetric_error(dt[k]), sheet[k],
                    0.03 * sheet[k]);
    l->name = "rotation-heavy-top";
    top t = top_heavy();
    ledger_near(l, SHEET, "energy_at_first", top_energy(&t), 6.06, 5e-3);
    const double first = turns(&t, 0.01, 1500000), second = turns(&t, 0.01, 1500000);
    ledger_below(l, SHEET, "energy", first, 7e-6);
    ledger_near(l, CONSERVATION, "energy_second_half_over_first", second / first, 1.0, 0.1);
}

void case_rotation_reversal(ledger *l)
{
    top t = top_heavy();
    const top begin = t;
    double most = 0.0;
    (void)turns(&t, 0.005, 20000);
    (void)turns(&t, -0.005, 20000);
    for (int c = 0; c < 4; ++c)
        most = fmax(most, fabs(t.q[c] - begin.q[c]));
    for (int c = 0; c < 3; ++c)
        most = fmax(most, fabs(t.l[c] - begin.l[c]));
    l->paper = "libdem";
    l->name = "rotation-reversal";
    /* a round-off for each of the 40,000 steps, were all of one sign */
    ledger_below(l, CONSERVATION, "off_the_beginning", most, 4e4 * ROUND_OFF);
    ledger_show(l, SHEET, "off_the_beginning_of_another_program", most, 5e-14);
}

/* What a turn of a body costs: the least of some rounds. */
void case_rotation_cost(ledger *l)
{
    enum { TURNS = 200000, ROUNDS = 5 };
    static const double inertia[3] = {1.0, 2.0, 3.0}, w[3] = {0.6, 0.5, 0.6};
    double best = 1e9;
    for (int round = 0; round < ROUNDS; ++round) {
        top t = top_of(inertia, top_upright, w);
        const clock_t begin = clock();
        for (int n = 0; n < TURNS; ++n)
            MUST(dem_kernel_rotation_drift(t.inertia, 0.01, t.l, t.q, t.w));
        best = fmin(best, 1e9 * (double)(clock() - begin) / CLOCKS_PER_SEC / TURNS);
    }
    l->paper = "libdem";
    l->name = "rotation-cost";
    ledger_show(l, SHEET, "ns_a_turn", best, 70.0);
}
