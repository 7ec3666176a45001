/* SPDX-License-Identifier: MIT */
/* How the spring of Mindlin's law follows a stiffness that changes: the order of its force, of
 * impacts and of the balance of energies, and what one step may give out. */
#include "cases.h"
#include "oblique.h"
#include "path.h"
#include "scene.h"

#include <math.h>
#include <string.h>

typedef struct spring_form {
    const char *name;
    int32_t form;
} spring_form;

static const double PI = 3.14159265358979323846;

static const spring_form FORMS[] = {{"rescaled", DEM_MINDLIN_RESCALED},
                                    {"secant", DEM_MINDLIN_SECANT},
                                    {"incremental", DEM_MINDLIN_INCREMENTAL}};
enum { FORM_COUNT = sizeof FORMS / sizeof FORMS[0] };

static void open_form(path *p, int32_t form, double friction, double restitution)
{
    const dem_hertz hertz = oblique_hertz();
    dem_mindlin mindlin;
    MUST(dem_mindlin_init(&mindlin));
    mindlin.friction = friction;
    mindlin.form = form;
    mindlin.restitution = restitution;
    path_open(p, &hertz, DEM_LAW_MINDLIN, &mindlin);
}

/* ------------------------------------------------------------------ a path that sticks */

/* Overlap and displacement at time t of 0 to 1. The overlap turns round four times, each time at
 * the end of a step. */
static double overlap_at(double t)
{
    return PATH_OVERLAP * (1.0 + 0.6 * sin(4.0 * PI * t));
}

static double place_at(double t)
{
    return 0.01 * PATH_OVERLAP * (t + 0.3 * sin(5.0 * t));
}

/* -F_x at the end by steps of the library. */
static double led(int32_t form, int steps)
{
    static path p;
    open_form(&p, form, 1e3, 1.0);
    for (int s = 0; s <= steps; ++s) {
        const double t = (double)s / steps;
        for (int k = 0; k < PATH_LANES; ++k) {
            p.overlap[k] = overlap_at(t);
            p.increment[0][k] = s == 0 ? 0.0 : place_at(t) - place_at(t - 1.0 / steps);
        }
        path_step(&p);
    }
    return -p.force[0][0];
}

/* The same by dT = k du + T dk/k where the form keeps the displacement, else dT = k du. */
static double integrated(int32_t form)
{
    enum { STEPS = 200000 };
    const path_figures f = path_pair();
    double force = 0.0;
    for (int s = 0; s < STEPS; ++s) {
        const double t[3] = {(double)s / STEPS, (s + 0.5) / STEPS, (s + 1.0) / STEPS};
        double k[3];
        for (int c = 0; c < 3; ++c)
            k[c] = f.slope * sqrt(overlap_at(t[c]) / PATH_OVERLAP);
        const int kept =
            form == DEM_MINDLIN_SECANT || (form == DEM_MINDLIN_RESCALED && k[2] < k[0]);
        const double half = kept ? sqrt(k[2] / k[0]) : 1.0;
        force = (force * half + k[1] * (place_at(t[2]) - place_at(t[0]))) * half;
    }
    return force;
}

/* ------------------------------------------------------------------ a sphere on a plane */

typedef struct thrown {
    double height, velocity[3], gravity, time;
} thrown;

typedef struct landed {
    double spin, balance; /* rad/s; error of the energies over the energy of translation at first */
} landed;

enum { BALL_RADIUS_MM = 50 };

static landed throw_ball(const thrown *t, int32_t form, int steps)
{
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_contact_model model;
    MUST(dem_hertz_init(&hertz));
    MUST(dem_mindlin_init(&mindlin));
    MUST(dem_contact_model_init(&model));
    hertz.young[0] = 1e7;
    mindlin.friction = 1e3;
    mindlin.form = form;
    MUST(dem_contact_model_add_hertz(&model, &hertz));
    MUST(dem_contact_model_add_mindlin(&model, &mindlin));
    model.lever_arm = DEM_ARM_RADIUS;
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, t->gravity, &model);
    dem_wall plane;
    MUST(dem_wall_init(&plane));
    MUST(dem_wall_add(world, &plane, NULL));
    const double radius = 1e-3 * BALL_RADIUS_MM, start[3] = {0.0, 0.0, radius + t->height};
    const dem_particle_handle ball = scene_sphere(world, start, radius, 0.5);
    MUST(dem_particle_set_motion(world, ball, NULL, t->velocity, NULL));
    scene_step(world, t->time / steps, 0);
    dem_world_energies energies = scene_energies(world);
    const double before = scene_balance(&energies), moving = energies.kinetic_translation;
    scene_step(world, t->time / steps, (uint64_t)steps);
    energies = scene_energies(world);
    const landed end = {scene_get(world, ball).angular_velocity[1],
                        (scene_balance(&energies) - before) / moving};
    dem_world_destroy(world);
    return end;
}

/* A sphere that vibrates on a plane, always in contact, and sticks. */
static const thrown PRESSED = {-8e-4, {0.1, 0.0, 0.0}, -2000.0, 12e-3};

static void orders(ledger *l, const spring_form *f)
{
    enum { COARSE = 64 };
    char quantity[64];
    const double exact = integrated(f->form);
    const double error[2] = {led(f->form, COARSE) / exact - 1.0,
                             led(f->form, 2 * COARSE) / exact - 1.0};
    (void)snprintf(quantity, sizeof quantity, "%s_led_error", f->name);
    ledger_below(l, INTEGRATION, quantity, error[0], 2e-3);
    if (f->form != DEM_MINDLIN_SECANT) { /* its force depends on the place alone */
        (void)snprintf(quantity, sizeof quantity, "%s_led_order", f->name);
        ledger_near(l, ORDER, quantity, log2(fabs(error[0] / error[1])), 2.0, 0.1);
    }
    landed end[3];
    /* here a turn falls anywhere in a step, which scatters the order */
    for (int k = 0; k < 3; ++k)
        end[k] = throw_ball(&PRESSED, f->form, (8 * COARSE) << k);
    (void)snprintf(quantity, sizeof quantity, "%s_pressed_order", f->name);
    ledger_near(l, ORDER, quantity,
                log2(fabs((end[0].spin - end[1].spin) / (end[1].spin - end[2].spin))), 2.0, 0.4);
    (void)snprintf(quantity, sizeof quantity, "%s_balance_order", f->name);
    ledger_near(l, ORDER, quantity, log2(fabs(end[0].balance / end[1].balance)), 2.0, 0.2);
}

void case_mindlin_orders(ledger *l)
{
    l->paper = "libdem";
    l->name = "mindlin-orders";
    for (int k = 0; k < FORM_COUNT; ++k)
        orders(l, &FORMS[k]);
}

/* ------------------------------------------------------------------ impacts */

/* Greatest relative error of the angular velocity after an oblique impact that sticks, over ten
 * moments at which the step catches the beginning of the contact. */
static double impact_error(int steps, double exact)
{
    double worst = 0.0;
    for (int k = 0; k < 10; ++k) {
        const thrown impact = {1.3e-3 + 4e-6 * k, {0.7, 0.0, -1.0}, 0.0, 0.02};
        const double spin = throw_ball(&impact, DEM_MINDLIN_RESCALED, steps).spin;
        worst = fmax(worst, fabs(spin / exact - 1.0));
    }
    return worst;
}

void case_mindlin_impacts(ledger *l)
{
    static const thrown impact = {1.3e-3, {0.7, 0.0, -1.0}, 0.0, 0.02};
    const double exact = throw_ball(&impact, DEM_MINDLIN_RESCALED, 200000).spin;
    l->paper = "libdem";
    l->name = "mindlin-impacts";
    const double coarse = impact_error(100, exact), fine = impact_error(400, exact);
    ledger_below(l, BOUND, "spin_error_coarse", coarse, 0.04);
    ledger_below(l, BOUND, "spin_error_fine", fine, 0.005);
}

/* ------------------------------------------------------------------ one step */

static double decades(uint64_t *seed, double low, double high)
{
    return pow(10.0, scene_random(seed, low, high));
}

/* Presses all lanes to PATH_OVERLAP and shears them up to `reach` of full slip. */
static void shear(path *p, double reach, uint64_t *seed)
{
    const path_figures f = path_pair();
    for (int step = 0; step < 2; ++step) {
        for (int k = 0; k < PATH_LANES; ++k) {
            const double angle = scene_random(seed, 0.0, 2.0 * PI);
            const double length = step * reach * f.slip * decades(seed, -3.0, 0.0);
            p->overlap[k] = PATH_OVERLAP;
            p->increment[0][k] = length * cos(angle);
            p->increment[1][k] = length * sin(angle);
        }
        path_step(p);
    }
}

/* Then one step in which the overlap grows by up to six decades while the contact is sheared any
 * way, at a speed that its dashpot sees. */
static void grow(path *p, uint64_t *seed)
{
    const path_figures f = path_pair();
    for (int k = 0; k < PATH_LANES; ++k) {
        const double angle = scene_random(seed, 0.0, 2.0 * PI);
        const double length = f.slip * decades(seed, -4.0, 4.0);
        p->overlap[k] = PATH_OVERLAP * (1.0 + decades(seed, -8.0, 6.0));
        p->increment[0][k] = p->velocity[0][k] = length * cos(angle);
        p->increment[1][k] = p->velocity[1][k] = length * sin(angle);
    }
    path_step(p);
}

/* Force of the spring alone on what moves it. */
static double spring_force(const path *p, int c, int k)
{
    return p->state[3][k] * p->state[c][k];
}

typedef struct grown {
    double gain, balance, above, loss;
} grown;

/* The greatest of all lanes of one batch: what the contact stores beyond what it had and took in,
 * and the error of its energies, over all of them; the force beyond Coulomb's limit, over that. */
static void grown_add(grown *worst, const path *before, const path *p)
{
    for (int k = 0; k < PATH_LANES; ++k) {
        const double work = p->work[k] - before->work[k];
        const double stored = p->elastic[k] - before->elastic[k];
        const double size = before->elastic[k] + p->elastic[k] + fabs(work);
        const double most = OBLIQUE_FRICTION * p->force_normal[k];
        worst->gain = fmax(worst->gain, (stored - work) / size);
        worst->balance =
            fmax(worst->balance, fabs(stored + p->slip[k] + p->dashpot[k] - work) / size);
        worst->above = fmax(worst->above, hypot(p->force[0][k], p->force[1][k]) / most - 1.0);
        /* where it sticks, the spring loses what its own force took in and what is not there */
        double taken = 0.0;
        for (int c = 0; c < 2; ++c)
            taken +=
                0.5 * (spring_force(before, c, k) + spring_force(p, c, k)) * p->increment[c][k];
        worst->loss = fmax(worst->loss, fabs(p->slip[k] - (taken - stored)) / size);
    }
}

void case_mindlin_growing(ledger *l)
{
    enum { BATCHES = 200 };
    static path p, before;
    static const double friction[3] = {OBLIQUE_FRICTION, OBLIQUE_FRICTION, 1e12};
    static const double restitution[3] = {1.0, 0.5, 0.5};
    static const char *const name[3] = {"elastic", "damped", "sticking"};
    l->paper = "passivity";
    l->name = "growing-contact";
    for (int set = 0; set < 3; ++set) {
        uint64_t seed = 4711;
        grown worst = {0.0, 0.0, 0.0, 0.0};
        for (int batch = 0; batch < BATCHES; ++batch) {
            open_form(&p, DEM_MINDLIN_RESCALED, friction[set], restitution[set]);
            shear(&p, batch % 2 == 0 ? 0.5 : 3.0, &seed);
            before = p;
            grow(&p, &seed);
            grown_add(&worst, &before, &p);
        }
        char quantity[64];
        (void)snprintf(quantity, sizeof quantity, "%s_gain", name[set]);
        ledger_below(l, CONSERVATION, quantity, worst.gain, 1e-12);
        (void)snprintf(quantity, sizeof quantity, "%s_balance", name[set]);
        ledger_below(l, CONSERVATION, quantity, worst.balance, 1e-12);
        (void)snprintf(quantity, sizeof quantity, set < 2 ? "%s_above_the_limit" : "%s_loss",
                       name[set]);
        ledger_below(l, CONSERVATION, quantity, set < 2 ? worst.above : worst.loss, 1e-12);
    }
}

/* The force does not jump where the overlap turns from growing to shrinking. */
void case_mindlin_turning(ledger *l)
{
    static path p[2];
    const path_figures f = path_pair();
    double jump[FORM_COUNT] = {0.0};
    for (int form = 0; form < FORM_COUNT; ++form) {
        for (int way = 0; way < 2; ++way) {
            uint64_t seed = 12;
            open_form(&p[way], FORMS[form].form, OBLIQUE_FRICTION, 1.0);
            shear(&p[way], 0.5, &seed);
            for (int k = 0; k < PATH_LANES; ++k) {
                p[way].overlap[k] = PATH_OVERLAP * (1.0 + (way == 0 ? 1e-12 : -1e-12));
                p[way].increment[0][k] = 0.1 * f.slip;
            }
            path_step(&p[way]);
        }
        for (int k = 0; k < PATH_LANES; ++k)
            jump[form] = fmax(jump[form], fabs(p[0].force[0][k] / p[1].force[0][k] - 1.0));
    }
    l->paper = "libdem";
    l->name = "mindlin-turning";
    for (int form = 0; form < FORM_COUNT; ++form)
        ledger_below(l, BOUND, FORMS[form].name, jump[form], 1e-10);
}
