/* SPDX-License-Identifier: MIT */
/* The groove of Vyas et al., Sec. 2, and a host at level 1 that runs it with any scheme: two frozen
 * spheres of 2R = 4 mm that touch, a fine one of R/ratio at rest at the starting angle. */
#ifndef PHYSICS_GROOVE_HOST_H
#define PHYSICS_GROOVE_HOST_H

#include "groove_exact.h"
#include "ledger.h"

#include <dem/dem.h>

#define GROOVE_DEGREE (3.14159265358979323846 / 180.0)

typedef struct groove_setup {
    groove rigid;
    double stiffness, restitution, fine_mass, large_mass, contact_time;
    double start[3], centres[2][3];
} groove_setup;

/* Stiffness from glass (72 GPa, 0.3) by the paper's Eq. (1) and (6), V0 = sqrt(2 g R); e = 0.8;
 * zero overlap. */
groove_setup groove_setup_of(double ratio, double friction, double degrees);
/* Makes the contacts softer, or stiffer, by a factor. */
void groove_soften(groove_setup *s, double factor);
/* Starts at the overlap that carries the fine sphere's weight, so that no force jumps. */
void groove_sink(groove_setup *s);

dem_linear groove_law(const groove_setup *s);
double groove_angle(const double x[3]);
double groove_length(const double v[3]);

/* What is seen where the fine sphere leaves. */
typedef struct groove_seen {
    double angle, time, angular_velocity;
    int trapped; /* passed the lowest point in contact */
} groove_seen;

/* Against the rigid solution, 2e-4 of each quantity. */
void groove_compare(ledger *l, const groove_setup *s, groove_seen seen);

/* Row 0 is the fine sphere, so that it is i of both contacts; rows 1 and 2 are frozen. */
typedef struct groove_host {
    double x[9], v[9], w[9], force[9], torque[9];
    double mass[3]; /* for the integrator: 0 moves with constant velocity */
    double contact_mass[3], inertia[3], radius[3];
    double weight, dt;
    uint32_t stages; /* 0: a scheme of begin and end */
    dem_contact_history *history;
    dem_integrator *integrator;
    dem_integrator_arrays arrays;
    dem_contacts_input input;
    dem_contact_totals totals;
} groove_host;

/* Takes the setup's law, or the one given, and evaluates the first forces at rest. */
void groove_host_open(groove_host *h, const groove_setup *s, const char *law_name,
                      const dem_linear *law, int32_t scheme, double dt);
/* Again, after the host changed the velocities. */
void groove_host_first_forces(groove_host *h);
void groove_host_step(groove_host *h);
/* Turns velocities round, so that steps run back in time. */
void groove_host_reverse(groove_host *h);
/* Forces on the fine sphere and springs of the contact with large sphere 0 or 1; 0 if open. */
int groove_host_contact(const groove_host *h, int large, dem_contact *contact);
void groove_host_close(groove_host *h);

/* Runs until both contacts are open or the fine sphere has passed the lowest point. */
groove_seen groove_host_run(const groove_setup *s, int32_t scheme, double dt);

#endif
