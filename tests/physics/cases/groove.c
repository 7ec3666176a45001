/* SPDX-License-Identifier: MIT */
/* The groove of Vyas et al., Sec. 2, by simulation: two frozen spheres of 2R = 4 mm that touch, a
 * fine one of R/ratio at rest at the starting angle with zero overlap. */
#include "cases.h"
#include "groove_lean.h"
#include "scene.h"

#include <math.h>
#include <string.h>

/* Through a world, looking twice a contact time, until both contacts are open. The paper's two
 * schemes have the paper's damping, Eq. (31); it moves their exit by 0.02 degrees. */
static groove_seen groove_world(const groove_setup *s, int32_t integrator, unsigned per_contact)
{
    const double dt = s->contact_time / per_contact;
    dem_linear law = groove_law(s);
    if (integrator != DEM_INTEGRATOR_VERLET_SYNC)
        law.normal = DEM_NORMAL_ATTRACTIVE;
    const dem_contact_model model = scene_linear_model(&law);
    dem_world *world = scene_simple(integrator, -s->rigid.gravity, &model);
    scene_frozen(world, s->centres[0], s->rigid.large, s->large_mass);
    scene_frozen(world, s->centres[1], s->rigid.large, s->large_mass);
    const dem_particle_handle fine = scene_sphere(world, s->start, s->rigid.fine, s->fine_mass);
    groove_seen seen = {0};
    for (;;) {
        scene_step(world, dt, per_contact / 2);
        const dem_particle p = scene_get(world, fine);
        seen.angle = groove_angle(p.position);
        seen.time = dem_world_time(world);
        seen.angular_velocity = groove_length(p.angular_velocity);
        seen.trapped = p.position[2] < 0.0 && p.position[1] < 0.0;
        if (scene_counts(world).contacts == 0 || seen.trapped || seen.time > 1.0)
            break;
    }
    dem_world_destroy(world);
    return seen;
}

static void groove_default(ledger *l, double ratio, double friction, double degrees)
{
    static char name[64];
    l->paper = "vyas";
    (void)snprintf(name, sizeof name, "groove-default-R%g-mu%g-theta%g", ratio, friction, degrees);
    l->name = name;
    const groove_setup s = groove_setup_of(ratio, friction, degrees);
    groove_compare(l, &s, groove_world(&s, DEM_INTEGRATOR_VERLET_SYNC, 30));
}

void case_groove_default(ledger *l)
{
    groove_default(l, 7.0, 0.6, 1.0);
}

void case_groove_long(ledger *l)
{
    static const double cases[4][3] = {
        {7.0, 0.6, 10.0}, {7.0, 0.6, 30.0}, {50.0, 0.5, 5.0}, {100.0, 1.0, 5.0}};
    for (int k = 0; k < 4; ++k) {
        fprintf(stderr, "groove R=%g mu=%g theta0=%g ...\n", cases[k][0], cases[k][1], cases[k][2]);
        groove_default(l, cases[k][0], cases[k][1], cases[k][2]);
    }
}

/* The sheet's figures for the closed form itself, and the paper's improved scheme. */
void case_groove_improved(ledger *l)
{
    l->paper = "vyas";
    l->name = "groove-improved";
    const groove_setup s = groove_setup_of(7.0, 0.6, 1.0);
    const groove_exit exact = groove_solve(&s.rigid);
    ledger_near(l, SHEET | OF_ORACLE, "closed_form_slip_angle_deg",
                exact.slip_angle / GROOVE_DEGREE, 49.627, 5e-4);
    ledger_near(l, SHEET | OF_ORACLE, "closed_form_angle_deg", exact.angle / GROOVE_DEGREE, 61.1310,
                5e-5);
    ledger_near(l, SHEET | OF_ORACLE, "closed_form_time_s", exact.time, 0.0842524, 5e-8);
    ledger_near(l, SHEET | OF_ORACLE, "closed_form_spin_rad_s", exact.angular_velocity, 426.486,
                5e-4);
    ledger_near(l, SHEET | OF_ORACLE, "stiffness_N_m", s.stiffness, 325906.0, 1.0);
    const groove_seen seen = groove_world(&s, DEM_INTEGRATOR_VERLET_IMPROVED, 20);
    ledger_near(l, SHEET, "separation_angle_deg", seen.angle / GROOVE_DEGREE, 62.07, 0.03);
    ledger_near(l, SHEET, "separation_time_s", seen.time, 0.08461, 5e-6);
    ledger_near(l, SHEET, "separation_spin_rad_s", seen.angular_velocity, 444.2, 0.5);
}

void case_groove_standard(ledger *l)
{
    l->paper = "vyas";
    l->name = "groove-standard";
    const groove_setup s = groove_setup_of(7.0, 0.6, 1.0);
    const groove_seen seen = groove_world(&s, DEM_INTEGRATOR_VERLET_STANDARD, 20);
    ledger_holds(l, PRINTED, "passes_180_deg_in_contact", seen.trapped);
}

/* The sheet's run at dt = 10 ns (t_c/272): how fast it is when it passes the lowest point. */
void case_groove_standard_fine(ledger *l)
{
    l->paper = "vyas";
    l->name = "groove-standard-fine";
    const groove_setup s[2] = {groove_setup_of(7.0, 0.6, 1.0), groove_setup_of(7.0, 0.6, 30.0)};
    groove_seen seen[2];
    groove_lean_standard(s, 1e-8, seen);
    ledger_holds(l, PRINTED, "passes_180_deg_in_contact", seen[0].trapped && seen[1].trapped);
    ledger_near(l, SHEET, "time_at_180_deg_s", seen[0].time, 0.1071, 5e-5);
    ledger_near(l, SHEET, "spin_at_180_deg_rad_s", seen[0].angular_velocity, 915.7, 0.5);
}

/* Level 1: the host's own particles. */
void case_groove_host(ledger *l)
{
    l->paper = "vyas";
    l->name = "groove-default-level1";
    const groove_setup s = groove_setup_of(7.0, 0.6, 1.0);
    groove_compare(l, &s, groove_host_run(&s, DEM_INTEGRATOR_VERLET_SYNC, s.contact_time / 20.0));
}
