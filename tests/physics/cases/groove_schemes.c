/* SPDX-License-Identifier: MIT */
/* All schemes in the groove at level 1: order of convergence where nothing slips, time reversal,
 * and that leapfrog is velocity-Verlet. */
#include "cases.h"
#include "groove_host.h"
#include "scene.h"

#include <math.h>
#include <string.h>

/* Smooth rolling: soft spheres that cannot slip, sunk to their static overlap; on its way from
 * 5 degrees, at a speed that carries it through half a radian in four contact times. */
static const double SPEED = 0.05;

static groove_setup smooth(double restitution)
{
    groove_setup s = groove_setup_of(7.0, 1000.0, 5.0);
    groove_soften(&s, 1e-6);
    groove_sink(&s);
    s.restitution = restitution;
    return s;
}

static void smooth_open(groove_host *h, const groove_setup *s, int32_t scheme, double dt)
{
    const double distance = s->rigid.large + s->rigid.fine;
    const double sine = sqrt(1.0 - s->rigid.large * s->rigid.large / (distance * distance));
    groove_host_open(h, s, NULL, NULL, scheme, dt);
    h->v[1] = SPEED * cos(s->rigid.start);
    h->v[2] = -SPEED * sin(s->rigid.start);
    h->w[0] = -SPEED / (s->rigid.fine * sine);
    groove_host_first_forces(h);
}

/* Position, velocity and angular velocity of the fine sphere and both springs, each over its own
 * scale. */
enum { VALUES = 15 };

static void state_after(const groove_setup *s, int32_t scheme, uint64_t steps, double state[VALUES])
{
    groove_host h;
    smooth_open(&h, s, scheme, 4.0 * s->contact_time / (double)steps);
    for (uint64_t k = 0; k < steps; ++k)
        groove_host_step(&h);
    const double angular_velocity = SPEED / s->rigid.fine,
                 spring = s->fine_mass * s->rigid.gravity / s->stiffness;
    /* leapfrog's velocities are half a step behind */
    const double behind = scheme == DEM_INTEGRATOR_LEAPFROG ? 0.5 * h.dt : 0.0;
    double xi[2][3];
    for (int large = 0; large < 2; ++large) {
        dem_contact contact;
        must(!groove_host_contact(&h, large, &contact), "contact");
        memcpy(xi[large], contact.state, sizeof xi[large]);
    }
    for (int c = 0; c < 3; ++c) {
        state[c] = h.x[c] / groove_length(s->start);
        state[3 + c] = (h.v[c] + behind * h.force[c] / h.mass[0]) / SPEED;
        state[6 + c] = (h.w[c] + behind * h.torque[c] / h.inertia[0]) / angular_velocity;
        state[9 + c] = xi[0][c] / spring;
        state[12 + c] = xi[1][c] / spring;
    }
    groove_host_close(&h);
}

static double distance_of(const double a[VALUES], const double b[VALUES])
{
    double worst = 0.0;
    for (int c = 0; c < VALUES; ++c)
        worst = fmax(worst, fabs(a[c] - b[c]));
    return worst;
}

/* The path that schemes without the twist about the normal converge to is not the solution: they
 * are held against themselves. */
typedef struct order_row {
    const char *name;
    int32_t scheme;
    int twists;
    uint64_t steps;
    double order[2]; /* e = 1, e = 0.8 */
} order_row;

static const order_row order_rows[] = {
    {"synchronized", DEM_INTEGRATOR_VERLET_SYNC, 1, 1000, {2.0, 2.0}},
    {"improved", DEM_INTEGRATOR_VERLET_IMPROVED, 0, 1000, {2.0, 1.0}},
    {"standard", DEM_INTEGRATOR_VERLET_STANDARD, 0, 1000, {1.0, 1.0}},
    {"leapfrog", DEM_INTEGRATOR_LEAPFROG, 1, 1000, {2.0, 2.0}},
    {"symplectic-euler", DEM_INTEGRATOR_SYMPLECTIC_EULER, 1, 4000, {1.0, 1.0}},
    {"euler", DEM_INTEGRATOR_EULER, 1, 8000, {1.0, 1.0}},
    {"midpoint", DEM_INTEGRATOR_MIDPOINT, 1, 1000, {2.0, 2.0}},
    {"heun", DEM_INTEGRATOR_HEUN, 1, 1000, {2.0, 2.0}},
    {"rk4", DEM_INTEGRATOR_RK4, 1, 200, {4.0, 4.0}},
};

static void order_row_check(ledger *l, const order_row *row, int elastic, const groove_setup *s,
                            const double exact[VALUES])
{
    char name[64];
    double state[3][VALUES];
    for (int i = 0; i < 3; ++i)
        state_after(s, row->scheme, row->steps << i, state[i]);
    const double *limit = row->twists ? exact : state[2];
    const double first = distance_of(state[0], row->twists ? limit : state[1]);
    const double second = distance_of(state[1], limit);
    (void)snprintf(name, sizeof name, "order_%s_e%g", row->name, s->restitution);
    ledger_near(l, ORDER, name, log2(first / second), row->order[elastic ? 0 : 1], 0.15);
    if (row->twists)
        return;
    (void)snprintf(name, sizeof name, "%s_e%g_off_the_solution_in_steps", row->name,
                   s->restitution);
    ledger_above(l, BOUND, name, distance_of(state[2], exact) / second, 10.0);
}

void case_groove_orders(ledger *l)
{
    l->paper = "vyas";
    l->name = "groove-orders";
    for (int elastic = 1; elastic >= 0; --elastic) {
        const groove_setup s = smooth(elastic ? 1.0 : 0.8);
        double exact[VALUES];
        state_after(&s, DEM_INTEGRATOR_RK4, 4000, exact);
        for (size_t k = 0; k < sizeof order_rows / sizeof order_rows[0]; ++k)
            order_row_check(l, &order_rows[k], elastic, &s, exact);
    }
}

/* A world with the host's particles of now. */
static dem_world *world_of(const groove_host *h, const groove_setup *s, int32_t scheme,
                           dem_particle_handle *fine)
{
    const dem_linear law = groove_law(s);
    const dem_contact_model model = scene_linear_model(&law);
    dem_world *world = scene_simple(scheme, -s->rigid.gravity, &model);
    dem_particle p;
    MUST(dem_particle_init(&p));
    memcpy(p.position, h->x, sizeof p.position);
    memcpy(p.velocity, h->v, sizeof p.velocity);
    memcpy(p.angular_velocity, h->w, sizeof p.angular_velocity);
    p.radius = s->rigid.fine;
    p.mass = s->fine_mass;
    MUST(dem_particle_add(world, &p, fine));
    scene_frozen(world, s->centres[0], s->rigid.large, s->large_mass);
    scene_frozen(world, s->centres[1], s->rigid.large, s->large_mass);
    return world;
}

/* A world takes the same steps as a host at level 1: to round-off, so it has the same order. The
 * time step changes on the way. */
void case_groove_world_as_host(ledger *l)
{
    l->paper = "libdem";
    l->name = "groove-world-as-host";
    const groove_setup s = smooth(0.8);
    const double dt = s.contact_time / 50.0;
    for (int32_t k = DEM_INTEGRATOR_VERLET_SYNC; k <= DEM_INTEGRATOR_SYMPLECTIC_EULER; ++k) {
        groove_host h;
        char name[64];
        dem_particle_handle fine;
        smooth_open(&h, &s, k, dt);
        dem_world *world = world_of(&h, &s, k, &fine);
        for (int step = 0; step < 200; ++step) {
            h.dt = step < 120 ? dt : 0.7 * dt;
            groove_host_step(&h);
        }
        scene_step(world, dt, 120);
        scene_step(world, 0.7 * dt, 80);
        const dem_particle p = scene_get(world, fine);
        double miss = 0.0;
        for (int c = 0; c < 3; ++c) {
            miss = fmax(miss, fabs(p.position[c] - h.x[c]) / groove_length(h.x));
            miss = fmax(miss, fabs(p.velocity[c] - h.v[c]) / groove_length(h.v));
            miss = fmax(miss, fabs(p.angular_velocity[c] - h.w[c]) / groove_length(h.w));
        }
        (void)snprintf(name, sizeof name, "difference_scheme_%d", (int)k);
        ledger_below(l, LIBRARY, name, miss, 1e-11);
        dem_world_destroy(world);
        groove_host_close(&h);
    }
}

/* As state_after(), of a world: positions, and velocities at their time. */
static void world_after(const groove_setup *s, int32_t scheme, uint64_t steps, double state[VALUES])
{
    groove_host h;
    dem_particle_handle fine;
    const double dt = 4.0 * s->contact_time / (double)steps;
    smooth_open(&h, s, scheme, dt);
    dem_world *world = world_of(&h, s, scheme, &fine);
    scene_step(world, dt, steps);
    dem_view view = {.struct_size = sizeof view};
    /* touching velocities makes the world evaluate anew, which brings late ones up */
    MUST(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
    MUST(dem_world_written(world));
    MUST(dem_step(world, dt, 0));
    const dem_particle p = scene_get(world, fine);
    for (int c = 0; c < 3; ++c) {
        state[c] = p.position[c] / groove_length(s->start);
        state[3 + c] = p.velocity[c] / SPEED;
        state[6 + c] = p.angular_velocity[c] / (SPEED / s->rigid.fine);
    }
    dem_world_destroy(world);
    groove_host_close(&h);
}

/* The order of worlds with one kick a step, against Runge-Kutta. */
void case_groove_world_orders(ledger *l)
{
    static const struct {
        const char *name;
        int32_t scheme;
        uint64_t steps;
        double order;
    } rows[] = {{"synchronized", DEM_INTEGRATOR_VERLET_SYNC, 1000, 2.0},
                {"leapfrog", DEM_INTEGRATOR_LEAPFROG, 1000, 2.0},
                {"symplectic_euler", DEM_INTEGRATOR_SYMPLECTIC_EULER, 4000, 1.0}};
    l->paper = "libdem";
    l->name = "groove-world-orders";
    for (int elastic = 1; elastic >= 0; --elastic) {
        const groove_setup s = smooth(elastic ? 1.0 : 0.8);
        double exact[VALUES];
        state_after(&s, DEM_INTEGRATOR_RK4, 4000, exact);
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
            double error[2];
            char name[64];
            for (int i = 0; i < 2; ++i) {
                double state[VALUES];
                memcpy(state, exact, sizeof state); /* of the springs nothing is compared */
                world_after(&s, rows[k].scheme, rows[k].steps << i, state);
                error[i] = distance_of(state, exact);
            }
            (void)snprintf(name, sizeof name, "order_%s_e%g", rows[k].name, s.restitution);
            ledger_near(l, ORDER, name, log2(error[0] / error[1]), rows[k].order, 0.15);
        }
    }
}

/* Rolls without friction losses, turns round and rolls back: the springs must be as at the start.
 */
void case_groove_reversal(ledger *l)
{
    static const struct {
        const char *name;
        int32_t scheme;
    } rows[] = {{"synchronized", DEM_INTEGRATOR_VERLET_SYNC},
                {"improved", DEM_INTEGRATOR_VERLET_IMPROVED}};
    l->paper = "vyas";
    l->name = "groove-reversal";
    const groove_setup s = smooth(1.0);
    for (int k = 0; k < 2; ++k) {
        groove_host h;
        dem_contact contact;
        double early[3], greatest = 0.0, miss = 0.0;
        char name[64];
        smooth_open(&h, &s, rows[k].scheme, s.contact_time / 100.0);
        for (int step = 0; step < 1100; ++step) {
            if (step == 600)
                groove_host_reverse(&h);
            groove_host_step(&h);
            must(!groove_host_contact(&h, 0, &contact), "contact");
            if (step == 99)
                memcpy(early, contact.state, sizeof early);
            greatest = fmax(greatest, groove_length(contact.state));
        }
        for (int c = 0; c < 3; ++c)
            miss = fmax(miss, fabs(contact.state[c] - early[c]));
        (void)snprintf(name, sizeof name, "spring_error_%s", rows[k].name);
        ledger_below(l, CONSERVATION, name, miss / greatest, 1e-10);
        groove_host_close(&h);
    }
}

/* Leapfrog is velocity-Verlet with its two kicks in one: the same path to round-off, while the
 * second half of the sheet's groove slips and opens. */
void case_groove_leapfrog(ledger *l)
{
    l->paper = "libdem";
    l->name = "groove-leapfrog";
    groove_setup s = groove_setup_of(7.0, 0.6, 40.0);
    groove_soften(&s, 1e-2);
    const double dt = s.contact_time / 30.0;
    const groove_seen verlet = groove_host_run(&s, DEM_INTEGRATOR_VERLET_SYNC, dt);
    const groove_seen leap = groove_host_run(&s, DEM_INTEGRATOR_LEAPFROG, dt);
    /* slipping, the path is unstable: formulas that differ by rounding alone, in how the spring
     * turns, moved Verlet's own angle by 3e-9 degrees */
    ledger_near(l, LIBRARY, "separation_angle_deg", leap.angle / GROOVE_DEGREE,
                verlet.angle / GROOVE_DEGREE, 2e-8);
    ledger_near(l, LIBRARY, "separation_time_s", leap.time, verlet.time, 1e-12);
}
