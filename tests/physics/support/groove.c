/* SPDX-License-Identifier: MIT */
/* The groove of Vyas et al., Sec. 2, by simulation: two frozen spheres of 2R = 4 mm that touch, a
 * fine one of R/ratio at rest at the starting angle with zero overlap. */
#include "cases.h"
#include "groove_exact.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static const double DEGREE = 3.14159265358979323846 / 180.0;

typedef struct setup {
    groove rigid;
    double stiffness, fine_mass, large_mass, contact_time;
    double start[3], centres[2][3];
} setup;

/* Stiffness from glass (72 GPa, 0.3) by the paper's Eq. (1) and (6), V0 = sqrt(2 g R). */
static setup groove_setup(double ratio, double friction, double degrees)
{
    const double large = 2e-3, fine = large / ratio, density = 2500.0, gravity = 9.81;
    setup s;
    memset(&s, 0, sizeof s);
    s.rigid = (groove){.large = large,
                       .fine = fine,
                       .friction = friction,
                       .gravity = gravity,
                       .start = degrees * DEGREE};
    const double volume = 4.0 / 3.0 * 3.14159265358979323846;
    s.fine_mass = density * volume * fine * fine * fine;
    s.large_mass = density * volume * large * large * large;
    const double mass = s.fine_mass * s.large_mass / (s.fine_mass + s.large_mass);
    const double radius = fine * large / (fine + large);
    const double modulus = 72e9 / (2.0 * (1.0 - 0.3 * 0.3)), v0 = sqrt(2.0 * gravity * large);
    s.stiffness = 1.2024 * pow(sqrt(mass) * modulus * modulus * radius * v0, 0.4);
    s.contact_time = 3.14159265358979323846 * sqrt(mass / s.stiffness);
    const double path = sqrt((large + fine) * (large + fine) - large * large);
    s.start[1] = path * sin(s.rigid.start);
    s.start[2] = path * cos(s.rigid.start);
    s.centres[0][0] = -large;
    s.centres[1][0] = large;
    return s;
}

static dem_linear groove_law(const setup *s)
{
    dem_linear law = scene_linear(s->stiffness);
    law.stiffness_tangential = s->stiffness * 2.0 * (1.0 - 0.3) / (2.0 - 0.3);
    law.friction = s->rigid.friction;
    law.restitution = 0.8;
    return law;
}

static double angle_of(const double x[3])
{
    return atan2(x[1], x[2]);
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

typedef struct exit_seen {
    double angle, time, spin;
    int trapped; /* passed the lowest point in contact */
} exit_seen;

/* Through a world, looking twice a contact time, until both contacts are open. The paper's two
 * schemes have the paper's damping, Eq. (31); it moves their exit by 0.02 degrees. */
static exit_seen groove_world(const setup *s, int32_t integrator, unsigned per_contact)
{
    const double dt = s->contact_time / per_contact;
    dem_linear law = groove_law(s);
    if (integrator != DEM_INTEGRATOR_VERLET_SYNC)
        law.normal = DEM_NORMAL_ATTRACTIVE;
    const dem_contact_model model = scene_model(&law);
    dem_world *world = scene_simple(integrator, -s->rigid.gravity, &model);
    scene_frozen(world, s->centres[0], s->rigid.large, s->large_mass);
    scene_frozen(world, s->centres[1], s->rigid.large, s->large_mass);
    const dem_particle_handle fine = scene_sphere(world, s->start, s->rigid.fine, s->fine_mass);
    exit_seen seen = {0};
    for (;;) {
        scene_step(world, dt, per_contact / 2);
        const dem_particle p = scene_get(world, fine);
        seen.angle = angle_of(p.position);
        seen.time = dem_world_time(world);
        seen.spin = length(p.angular_velocity);
        seen.trapped = p.position[2] < 0.0 && p.position[1] < 0.0;
        if (scene_contacts(world) == 0 || seen.trapped || seen.time > 1.0)
            break;
    }
    dem_world_destroy(world);
    return seen;
}

static void compare(ledger *l, const setup *s, exit_seen seen)
{
    const groove_exit exact = groove_solve(&s->rigid);
    ledger_near(l, "separation_angle_deg", seen.angle / DEGREE, exact.angle / DEGREE,
                2e-4 * exact.angle / DEGREE);
    ledger_near(l, "separation_time_s", seen.time, exact.time, 2e-4 * exact.time);
    ledger_near(l, "separation_spin_rad_s", seen.spin, exact.spin, 2e-4 * exact.spin);
}

void case_groove_default(ledger *l, double ratio, double friction, double degrees)
{
    static char name[64];
    l->paper = "vyas";
    (void)snprintf(name, sizeof name, "groove-default-R%g-mu%g-theta%g", ratio, friction, degrees);
    l->name = name;
    const setup s = groove_setup(ratio, friction, degrees);
    compare(l, &s, groove_world(&s, DEM_INTEGRATOR_VERLET_SYNC, 30));
}

/* The sheet's figures for the closed form itself, and the paper's improved scheme. */
void case_groove_improved(ledger *l)
{
    l->paper = "vyas";
    l->name = "groove-improved";
    const setup s = groove_setup(7.0, 0.6, 1.0);
    const groove_exit exact = groove_solve(&s.rigid);
    ledger_near(l, "closed_form_slip_angle_deg", exact.slip_angle / DEGREE, 49.627, 5e-4);
    ledger_near(l, "closed_form_angle_deg", exact.angle / DEGREE, 61.1310, 5e-5);
    ledger_near(l, "closed_form_time_s", exact.time, 0.0842524, 5e-8);
    ledger_near(l, "closed_form_spin_rad_s", exact.spin, 426.486, 5e-4);
    ledger_near(l, "stiffness_N_m", s.stiffness, 325906.0, 1.0);
    const exit_seen seen = groove_world(&s, DEM_INTEGRATOR_VERLET_IMPROVED, 20);
    ledger_near(l, "separation_angle_deg", seen.angle / DEGREE, 62.07, 0.03);
    ledger_near(l, "separation_time_s", seen.time, 0.08461, 5e-6);
    ledger_near(l, "separation_spin_rad_s", seen.spin, 444.2, 0.5);
}

void case_groove_standard(ledger *l)
{
    l->paper = "vyas";
    l->name = "groove-standard";
    const setup s = groove_setup(7.0, 0.6, 1.0);
    const exit_seen seen = groove_world(&s, DEM_INTEGRATOR_VERLET_STANDARD, 20);
    ledger_holds(l, "passes_180_deg_in_contact", seen.trapped);
}

/* The sheet's run at dt = 10 ns (t_c/272): how fast it is when it passes the lowest point. */
void case_groove_standard_fine(ledger *l)
{
    l->paper = "vyas";
    l->name = "groove-standard-fine";
    const setup s = groove_setup(7.0, 0.6, 1.0);
    const exit_seen seen = groove_world(&s, DEM_INTEGRATOR_VERLET_STANDARD, 272);
    ledger_holds(l, "passes_180_deg_in_contact", seen.trapped);
    ledger_near(l, "time_at_180_deg_s", seen.time, 0.1071, 5e-5);
    ledger_near(l, "spin_at_180_deg_rad_s", seen.spin, 915.7, 0.5);
}

/* ------------------------------------------------------------ level 1: the host's own particles */

/* Row 0 is the fine sphere, so that it is i of both contacts; rows 1 and 2 are frozen. */
typedef struct host {
    double x[9], v[9], w[9], force[9], torque[9];
    double inverse_rate_mass[3]; /* mass for the integrator: 0 moves with constant velocity */
    double contact_mass[3], inertia[3], radius[3];
    double weight;
    dem_contact_history *history;
    dem_integrator *integrator;
} host;

static void host_open(host *h, const setup *s, const dem_contact_model *model)
{
    dem_contact_history_config history;
    dem_integrator_config integrator;
    memset(h, 0, sizeof *h);
    MUST(dem_contact_history_config_init(&history));
    MUST(dem_contact_history_create(&history, &h->history, NULL));
    MUST(dem_contact_history_model_set(h->history, 0, 0, model));
    MUST(dem_integrator_config_init(&integrator));
    MUST(dem_integrator_create(&integrator, &h->integrator, NULL));
    memcpy(h->x, s->start, sizeof s->start);
    memcpy(h->x + 3, s->centres, sizeof s->centres);
    h->radius[0] = s->rigid.fine;
    h->radius[1] = h->radius[2] = s->rigid.large;
    h->inverse_rate_mass[0] = h->contact_mass[0] = s->fine_mass;
    h->contact_mass[1] = h->contact_mass[2] = s->large_mass;
    h->inertia[0] = 0.4 * s->fine_mass * s->rigid.fine * s->rigid.fine;
    h->weight = s->fine_mass * s->rigid.gravity;
}

static void host_close(host *h)
{
    dem_contact_history_destroy(h->history);
    dem_integrator_destroy(h->integrator);
}

static dem_integrator_arrays host_arrays(host *h)
{
    dem_integrator_arrays a;
    MUST(dem_integrator_arrays_init(&a));
    a.count = 3;
    a.position = h->x;
    a.velocity = h->v;
    a.angular_velocity = h->w;
    a.force = h->force;
    a.torque = h->torque;
    a.mass = h->inverse_rate_mass;
    a.inertia = h->inertia;
    return a;
}

static dem_contacts_input host_input(host *h, double dt)
{
    static const uint32_t pairs[4] = {0, 1, 0, 2};
    dem_contacts_input in;
    MUST(dem_contacts_input_init(&in));
    in.particle_count = 3;
    in.position = h->x;
    in.velocity = h->v;
    in.angular_velocity = h->w;
    in.radius = h->radius;
    in.mass = h->contact_mass;
    in.pair_count = 2;
    in.pairs = pairs;
    in.dt = dt;
    in.velocity_lag = 0.5 * dt;
    in.force = h->force;
    in.torque = h->torque;
    return in;
}

static uint64_t host_forces(host *h, const dem_contacts_input *in)
{
    dem_contact_totals totals;
    totals.struct_size = sizeof totals;
    memset(h->force, 0, sizeof h->force);
    memset(h->torque, 0, sizeof h->torque);
    if (dem_contacts_evaluate(h->history, in, &totals) != DEM_OK) {
        fprintf(stderr, "dem_contacts_evaluate: %s\n", dem_contact_history_error(h->history));
        must(DEM_ERROR_STATE, "host_forces");
    }
    h->force[2] -= h->weight;
    return totals.contacts;
}

void case_groove_host(ledger *l)
{
    l->paper = "vyas";
    l->name = "groove-default-level1";
    const setup s = groove_setup(7.0, 0.6, 1.0);
    const dem_linear law = groove_law(&s);
    const dem_contact_model model = scene_model(&law);
    const double dt = s.contact_time / 20.0;
    host h;
    host_open(&h, &s, &model);
    const dem_integrator_arrays arrays = host_arrays(&h);
    dem_contacts_input in = host_input(&h, dt);
    /* forces of the initial state: nothing moves, so nothing is committed */
    dem_contacts_input first = in;
    first.dt = first.velocity_lag = 0.0;
    first.forces_only = 1;
    (void)host_forces(&h, &first);
    MUST(dem_integrator_frame(h.integrator, &in.frame));
    uint64_t step = 0, contacts = 1, limit = (uint64_t)(1.0 / dt);
    while (contacts > 0 && step < limit) {
        MUST(dem_integrator_begin(h.integrator, &arrays, dt));
        MUST(dem_integrator_accelerations(h.integrator, &in.acceleration,
                                          &in.angular_acceleration));
        contacts = host_forces(&h, &in);
        MUST(dem_integrator_end(h.integrator, &arrays));
        step += 1;
        /* round-off may leave a gap at the start; a real exit is far from it */
        if (step < 100)
            contacts = 1;
    }
    compare(l, &s,
            (exit_seen){.angle = angle_of(h.x), .time = (double)step * dt, .spin = length(h.w)});
    host_close(&h);
}

/* ------------------------------------------------------------ order of convergence */

/* State after a fixed time of smooth rolling in the groove: position, velocity, spin, each over
 * its own scale. The fine sphere starts sunk to its static overlap, so that no force jumps. */
static void groove_state(double restitution, double dt, uint64_t steps, double state[9])
{
    setup s = groove_setup(7.0, 1000.0, 30.0);
    s.stiffness *= 1e-4;
    s.contact_time *= 1e2;
    dem_linear law = groove_law(&s);
    law.restitution = restitution;
    const dem_contact_model model = scene_model(&law);
    const double g = s.rigid.gravity, distance = s.rigid.large + s.rigid.fine;
    const double sine = sqrt(1.0 - s.rigid.large * s.rigid.large / (distance * distance));
    const double sink = s.fine_mass * g * cos(s.rigid.start) / (2.0 * s.stiffness * sine) / sine;
    const double path = distance * sine;
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, -g, &model);
    scene_frozen(world, s.centres[0], s.rigid.large, s.large_mass);
    scene_frozen(world, s.centres[1], s.rigid.large, s.large_mass);
    for (int c = 0; c < 3; ++c)
        s.start[c] *= 1.0 - sink / path;
    const dem_particle_handle fine = scene_sphere(world, s.start, s.rigid.fine, s.fine_mass);
    scene_step(world, dt, steps);
    const dem_particle p = scene_get(world, fine);
    const double speed = length(p.velocity), spin = length(p.angular_velocity);
    for (int c = 0; c < 3; ++c) {
        state[c] = p.position[c] / path;
        state[3 + c] = p.velocity[c] / speed;
        state[6 + c] = p.angular_velocity[c] / spin;
    }
    dem_world_destroy(world);
}

static double distance_of(const double a[9], const double b[9])
{
    double worst = 0.0;
    for (int c = 0; c < 9; ++c)
        worst = fmax(worst, fabs(a[c] - b[c]));
    return worst;
}

void case_groove_order(ledger *l)
{
    static const double restitution[2] = {1.0, 0.8};
    static const char *const quantity[2] = {"order_e1", "order_e0.8"};
    l->paper = "vyas";
    l->name = "groove-order";
    const double contact_time = groove_setup(7.0, 1000.0, 30.0).contact_time * 1e2;
    for (int k = 0; k < 2; ++k) {
        double state[3][9];
        const double time = 10.0 * contact_time;
        for (int i = 0; i < 3; ++i) {
            const uint64_t steps = UINT64_C(1000) << i;
            groove_state(restitution[k], time / (double)steps, steps, state[i]);
        }
        const double order =
            log2(distance_of(state[0], state[1]) / distance_of(state[1], state[2]));
        ledger_near(l, quantity[k], order, 2.0, 0.15);
    }
}
