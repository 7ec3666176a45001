/* SPDX-License-Identifier: MIT */
/* The schemes side by side in the groove, and how small the steps of standard velocity-Verlet must
 * be before the fine sphere leaves at all. */
#include "cases.h"
#include "groove_lean.h"

#include <math.h>

static void show(ledger *l, const char *scheme, const groove_setup *s, groove_seen seen)
{
    const groove_exit exact = groove_solve(&s->rigid);
    char name[64];
    if (seen.trapped) {
        (void)snprintf(name, sizeof name, "%s_spin_at_180_deg_rad_s", scheme);
        ledger_show(l, CLOSED_FORM, name, seen.angular_velocity, exact.angular_velocity);
        return;
    }
    (void)snprintf(name, sizeof name, "%s_angle_deg", scheme);
    ledger_show(l, CLOSED_FORM, name, seen.angle / GROOVE_DEGREE, exact.angle / GROOVE_DEGREE);
    (void)snprintf(name, sizeof name, "%s_time_s", scheme);
    ledger_show(l, CLOSED_FORM, name, seen.time, exact.time);
    (void)snprintf(name, sizeof name, "%s_spin_rad_s", scheme);
    ledger_show(l, CLOSED_FORM, name, seen.angular_velocity, exact.angular_velocity);
}

/* At a tenth of a contact time: default and leapfrog on the rigid solution, the improved scheme
 * late and too fast or trapped, the standard one trapped. */
static void table_row(ledger *l, double ratio, double friction, double degrees)
{
    static char name[64];
    (void)snprintf(name, sizeof name, "groove-table-R%g-mu%g-theta%g", ratio, friction, degrees);
    l->paper = "vyas";
    l->name = name;
    const groove_setup s = groove_setup_of(ratio, friction, degrees);
    const groove_exit exact = groove_solve(&s.rigid);
    const double dt = 0.1 * s.contact_time;
    const groove_seen sync = groove_host_run(&s, DEM_INTEGRATOR_VERLET_SYNC, dt);
    show(l, "default", &s, sync);
    groove_compare(l, &s, sync);
    const groove_seen improved = groove_host_run(&s, DEM_INTEGRATOR_VERLET_IMPROVED, dt);
    show(l, "improved", &s, improved);
    ledger_holds(l, BOUND, "improved_is_late_and_fast",
                 improved.trapped || (improved.angle > exact.angle + 0.5 * GROOVE_DEGREE &&
                                      improved.angular_velocity > 1.03 * exact.angular_velocity));
    const groove_seen standard = groove_host_run(&s, DEM_INTEGRATOR_VERLET_STANDARD, dt);
    show(l, "standard", &s, standard);
    ledger_holds(l, PRINTED, "standard_is_trapped", standard.trapped);
}

void case_groove_table_quick(ledger *l)
{
    table_row(l, 7.0, 0.6, 10.0);
    table_row(l, 7.0, 0.6, 30.0);
}

void case_groove_table(ledger *l)
{
    table_row(l, 7.0, 0.6, 1.0);
    table_row(l, 50.0, 0.5, 5.0);
    table_row(l, 100.0, 1.0, 5.0);
}

/* R 10 with friction 0.6 and 0.9, from 5 degrees. */
static void standard_steps(ledger *l, unsigned per_contact, groove_seen seen[2])
{
    const groove_setup s[2] = {groove_setup_of(10.0, 0.6, 5.0), groove_setup_of(10.0, 0.9, 5.0)};
    char name[64];
    groove_lean_standard(s, s[0].contact_time / per_contact, seen);
    for (int k = 0; k < 2; ++k) {
        (void)snprintf(name, sizeof name, "mu%g_tc/%u", s[k].rigid.friction, per_contact);
        show(l, name, &s[k], seen[k]);
    }
}

/* The loop of kernels is the library's scheme: both roll to the lowest point alike. */
void case_groove_standard_lean(ledger *l)
{
    const groove_setup s = groove_setup_of(10.0, 0.6, 5.0);
    groove_seen seen[2];
    l->paper = "vyas";
    l->name = "groove-standard-steps";
    standard_steps(l, 20, seen);
    const groove_seen host =
        groove_host_run(&s, DEM_INTEGRATOR_VERLET_STANDARD, s.contact_time / 20.0);
    ledger_holds(l, SHEET, "trapped_at_tc/20", seen[0].trapped && seen[1].trapped && host.trapped);
    ledger_near(l, LIBRARY, "spin_of_kernels_against_library", seen[0].angular_velocity,
                host.angular_velocity, 1e-6 * host.angular_velocity);
    ledger_near(l, LIBRARY, "time_of_kernels_against_library", seen[0].time, host.time,
                1e-6 * host.time);
}

void case_groove_standard_steps(ledger *l)
{
    static const struct {
        unsigned per_contact;
        int trapped[2];
    } rows[] = {{270, {1, 1}},  {1500, {1, 1}}, {2000, {0, 1}},
                {4000, {0, 1}}, {8000, {0, 0}}, {16000, {0, 0}}};
    l->paper = "vyas";
    l->name = "groove-standard-steps";
    unsigned leaves[2] = {0, 0}; /* the first steps of a contact time at which it does */
    double last[2] = {3.2, 3.2};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        groove_seen seen[2];
        char name[64];
        fprintf(stderr, "standard, t_c/%u ...\n", rows[k].per_contact);
        standard_steps(l, rows[k].per_contact, seen);
        for (int c = 0; c < 2; ++c) {
            (void)snprintf(name, sizeof name, "mu%s_trapped_tc/%u", c == 0 ? "0.6" : "0.9",
                           rows[k].per_contact);
            ledger_near(l, SHEET, name, seen[c].trapped, rows[k].trapped[c], 0.0);
            if (seen[c].trapped)
                continue;
            (void)snprintf(name, sizeof name, "mu%s_leaves_earlier_by_deg_tc/%u",
                           c == 0 ? "0.6" : "0.9", rows[k].per_contact);
            ledger_above(l, BOUND, name, (last[c] - seen[c].angle) / GROOVE_DEGREE, 0.0);
            last[c] = seen[c].angle;
            if (leaves[c] == 0)
                leaves[c] = rows[k].per_contact;
        }
        if (rows[k].per_contact == 2000)
            ledger_near(l, SHEET, "mu0.6_angle_tc/2000_deg", seen[0].angle / GROOVE_DEGREE, 102.0,
                        0.5);
    }
    ledger_near(l, PRINTED, "mu0.6_leaves_from_steps_of_tc", leaves[0], 2000.0, 0.0);
    /* between 4000 and 8000; the paper says less than t_c/20000 */
    ledger_show(l, PRINTED, "mu0.9_leaves_from_steps_of_tc", leaves[1], 20000.0);
}
