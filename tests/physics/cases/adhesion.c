/* SPDX-License-Identifier: MIT */
/* JKR and DMT: pulled apart slowly, and in collisions. */
#include "cases.h"
#include "rig.h"
#include "scene.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double RADIUS = 1e-3, OTHER = 2e-3, WORK = 0.05;

static dem_adhesion soft(double restitution)
{
    dem_adhesion p;
    MUST(dem_adhesion_init(&p));
    p.young[0] = 2e6;
    p.poisson[0] = 0.4;
    p.work_of_adhesion = WORK;
    p.restitution = restitution;
    return p;
}

static double modulus(const dem_adhesion *p)
{
    return p->young[0] / (2.0 * (1.0 - p->poisson[0] * p->poisson[0]));
}

/* JKR by the book, a found by bisection; the stable branch. */
static double jkr_force(double radius, double young, double overlap)
{
    const double snap = cbrt(PI * WORK * radius * radius / (8.0 * young));
    double low = snap, high = snap + radius;
    for (int k = 0; k < 200; ++k) {
        const double a = 0.5 * (low + high);
        if (a * a / radius - sqrt(2.0 * PI * WORK * a / young) < overlap)
            low = a;
        else
            high = a;
    }
    const double cube = low * low * low;
    return 4.0 * young * cube / (3.0 * radius) - sqrt(8.0 * PI * WORK * young * cube);
}

/* What making and breaking a JKR contact costs, in (w^5 R*^4/E*^2)^(1/3): the work from touch to
 * the snap. Thornton and Ning (1998) give 7.09. */
static double jkr_loop(double radius, double young)
{
    /* in units of the snap: overlap y^4 - 4 y, force y^6 - 6 y^3, from y = 1 to y = 4^(1/3) */
    const double y = cbrt(4.0),
                 shape = 2.4 - pow(y, 4.0) * (0.4 * pow(y, 6.0) - 4.0 * y * y * y + 6.0);
    const double snap = cbrt(PI * WORK * radius * radius / (8.0 * young));
    return shape * 4.0 / 3.0 * young / (radius * radius) * pow(snap, 5.0);
}

void case_jkr_pulled(ledger *l)
{
    enum { STEPS = 4000 };
    const dem_adhesion p = soft(1.0);
    rig r = rig_open(DEM_LAW_JKR, &p, RADIUS, OTHER, 0);
    const double radius = rig_radius(&r), young = modulus(&p), pull = 1.5 * PI * WORK * radius;
    const double snap = cbrt(PI * WORK * radius * radius / (8.0 * young));
    const double gap = 3.0 * snap * snap / radius, top = 4.0 * gap, dt = 1e-6;
    l->paper = "laws";
    l->name = "jkr-pulled";
    /* touch and snap fall into the middle of a step, where the mean force is exact */
    const double in = top / (STEPS + 0.5), out = (top + gap) / (STEPS + 0.5);
    rig_place(&r, -20.5 * in);
    int early = 0;
    double first = 0.0, worst = 0.0, least = 0.0, broke = 0.0;
    for (int k = -20; k <= STEPS; ++k) {
        const double overlap = (k + 0.5) * in, force = rig_move(&r, overlap, dt);
        early += overlap < 0.0 && (force != 0.0 || r.contacts != 0);
        first = k == 0 ? force : first;
        if (k >= 0)
            worst = fmax(worst, fabs(force - jkr_force(radius, young, overlap)) / pull);
    }
    for (int k = STEPS; k > -20; --k) {
        const double overlap = -gap + (k - 0.5) * out, force = rig_move(&r, overlap, dt);
        if (r.contacts == 0) {
            broke = broke == 0.0 ? overlap + 0.5 * out : broke;
            early += force != 0.0;
            continue;
        }
        worst = fmax(worst, fabs(force - jkr_force(radius, young, overlap)) / pull);
        least = fmin(least, force);
    }
    ledger_below(l, CLOSED_FORM, "forces_where_there_is_no_contact", early, 0.0);
    ledger_below(l, INTEGRATION, "force_against_bisection", worst, 1e-10);
    ledger_near(l, CLOSED_FORM, "force_at_touch_over_pull_off", first / pull, -8.0 / 9.0, 1e-3);
    ledger_near(l, CLOSED_FORM, "pull_off_over_3/2_pi_w_R", -least / pull, 1.0, 1e-6);
    double a = 0.0;
    const double last = dem_kernel_normal_jkr(radius, young, WORK, -(1.0 - 1e-12) * gap, &a);
    ledger_near(l, CLOSED_FORM, "force_at_snap_over_pull_off", last / pull, -5.0 / 9.0, 1e-5);
    ledger_near(l, CLOSED_FORM, "contact_radius_at_snap", a / snap, 1.0, 1e-5);
    ledger_near(l, CLOSED_FORM, "gap_at_snap", broke / gap, -1.0, 1e-9);
    const double unit = cbrt(pow(WORK, 5.0) * pow(radius, 4.0) / (young * young));
    ledger_near(l, PRINTED | OF_ORACLE, "closed_form_of_loop", jkr_loop(radius, young) / unit, 7.09,
                5e-3);
    ledger_near(l, CLOSED_FORM, "work_of_loop", r.work / jkr_loop(radius, young), 1.0, 1e-5);
    ledger_near(l, CLOSED_FORM, "dissipated_in_loop", r.dissipated / jkr_loop(radius, young), 1.0,
                1e-5);
    rig_close(&r);
}

void case_dmt_pulled(ledger *l)
{
    enum { STEPS = 1000 };
    const dem_adhesion p = soft(1.0);
    rig r = rig_open(DEM_LAW_DMT, &p, RADIUS, OTHER, 0);
    const double radius = rig_radius(&r), young = modulus(&p), pull = 2.0 * PI * WORK * radius;
    const double top = 1e-5, step = top / (STEPS + 0.5), dt = 1e-6;
    l->paper = "laws";
    l->name = "dmt-pulled";
    rig_place(&r, -0.5 * step);
    double worst = 0.0, least = 0.0;
    for (int k = 0; k < 2 * STEPS; ++k) {
        const double overlap = ((k < STEPS ? k : 2 * STEPS - k) + 0.5) * step;
        const double force = rig_move(&r, overlap, dt);
        const double hertz = 4.0 / 3.0 * young * sqrt(radius) * pow(overlap, 1.5);
        worst = fmax(worst, fabs(force - (hertz - pull)) / pull);
        least = fmin(least, force);
    }
    ledger_below(l, CLOSED_FORM, "force_against_closed_form", worst, 1e-10);
    ledger_near(l, CLOSED_FORM, "pull_off_over_2_pi_w_R", -least / pull, 1.0, 1e-3);
    (void)rig_move(&r, 0.5 * step, dt);
    (void)rig_move(&r, -0.5 * step, dt);
    ledger_near(l, CLOSED_FORM, "force_beyond_touch", r.force, 0.0, 0.0);
    ledger_below(l, CONSERVATION, "work_of_cycle", fabs(r.work) / (pull * top), 1e-9);
    ledger_below(l, CONSERVATION, "dissipated_in_cycle", fabs(r.dissipated) / (pull * top), 1e-6);
    rig_close(&r);
}

/* ------------------------------------------------------------------ collisions */

typedef struct impact {
    double velocity;   /* of parting, m/s; 0 if they stick */
    double imbalance;  /* greatest change of the energy that should stay, J */
    double dissipated; /* J */
    int apart;         /* whether a contact existed across a gap */
} impact;

/* Two equal spheres of mass 1 mg; the first contact falls at `phase` of a step. */
static impact collide(const char *law, const dem_adhesion *p, double speed, double dt, double phase,
                      uint64_t steps, double skin)
{
    dem_contact_model model;
    dem_world_config config;
    MUST(dem_contact_model_init(&model));
    MUST(dem_world_config_init(&config));
    model.parts[0] = (dem_contact_part){.law = law, .parameters = p};
    config.skin = skin;
    dem_world *world = scene_world_of(&config, &model);
    const double gap = phase * speed * dt;
    const double left[3] = {-RADIUS - 0.5 * gap, 0.0, 0.0},
                 right[3] = {RADIUS + 0.5 * gap, 0.0, 0.0};
    const double forth[3] = {0.5 * speed, 0.0, 0.0}, back[3] = {-0.5 * speed, 0.0, 0.0};
    const dem_particle_handle a = scene_sphere(world, left, RADIUS, 1e-6);
    const dem_particle_handle b = scene_sphere(world, right, RADIUS, 1e-6);
    MUST(dem_particle_set_motion(world, a, NULL, forth, NULL));
    MUST(dem_particle_set_motion(world, b, NULL, back, NULL));
    impact out = {0};
    dem_world_energies e = scene_energies(world);
    const double start = scene_balance(&e);
    int touched = 0;
    for (uint64_t k = 0; k < steps; ++k) {
        scene_step(world, dt, 1);
        e = scene_energies(world);
        out.imbalance = fmax(out.imbalance, fabs(scene_balance(&e) - start));
        const double distance = scene_get(world, b).position[0] - scene_get(world, a).position[0];
        const int contact = scene_counts(world).contacts > 0;
        touched |= contact;
        out.apart |= contact && distance > 2.0 * RADIUS;
        if (touched && !contact) {
            out.velocity = scene_get(world, b).velocity[0] - scene_get(world, a).velocity[0];
            break;
        }
    }
    out.dissipated = e.dissipated_normal;
    dem_world_destroy(world);
    return out;
}

/* Thornton and Ning (1998): the energy of making and breaking decides who sticks. */
void case_jkr_collision(ledger *l)
{
    enum { PHASES = 8 };
    const dem_adhesion p = soft(1.0);
    const double loop = jkr_loop(0.5 * RADIUS, modulus(&p)), sticking = sqrt(2.0 * loop / 5e-7);
    static const double speeds[3] = {1.05, 1.5, 4.0};
    const double dt = 2e-7;
    l->paper = "laws";
    l->name = "jkr-collision";
    for (int s = 0; s < 3; ++s) {
        double lost = 0.0, counted = 0.0;
        const double speed = speeds[s] * sticking;
        for (int k = 0; k < PHASES; ++k) {
            const impact i =
                collide(DEM_LAW_JKR, &p, speed, dt, 1.0 + (k + 0.5) / PHASES, 20000, 0.0);
            lost += 0.25e-6 * (speed * speed - i.velocity * i.velocity) / PHASES;
            counted += i.dissipated / PHASES;
            if (k == 0)
                ledger_holds(l, BOUND, "contact_across_a_gap", i.apart);
        }
        char quantity[64];
        (void)snprintf(quantity, sizeof quantity, "energy_lost_at_%g_sticking_velocities",
                       speeds[s]);
        ledger_near(l, CLOSED_FORM, quantity, lost / loop, 1.0, 2e-3);
        (void)snprintf(quantity, sizeof quantity, "dissipated_at_%g_sticking_velocities",
                       speeds[s]);
        ledger_near(l, CLOSED_FORM, quantity, counted / loop, 1.0, 2e-3);
    }
    const impact slow = collide(DEM_LAW_JKR, &p, 0.95 * sticking, dt, 1.5, 20000, 0.0);
    ledger_near(l, CLOSED_FORM, "velocity_in_the_end_at_0.95", slow.velocity, 0.0, 0.0);
}

/* The sum of energies stays to second order in dt, through making, swinging and breaking. */
void case_adhesion_balance(ledger *l)
{
    static const char *const laws[2] = {DEM_LAW_JKR, DEM_LAW_DMT};
    const dem_adhesion p = soft(0.7);
    l->paper = "laws";
    l->name = "adhesion-balance";
    for (int law = 0; law < 2; ++law)
        for (int fast = 0; fast < 2; ++fast) {
            const double speed = fast ? 0.2 : 0.01;
            double error[3];
            for (int k = 0; k < 3; ++k) {
                const double dt = 2e-6 / (1 << k);
                error[k] = 0.0;
                for (int phase = 0; phase < 4; ++phase)
                    error[k] += collide(laws[law], &p, speed, dt, 1.1 + 0.2 * phase,
                                        (uint64_t)(2e-3 / dt), 0.0)
                                    .imbalance /
                                (1e-6 * speed * speed);
            }
            char quantity[64];
            (void)snprintf(quantity, sizeof quantity, "order_%s_%s", laws[law],
                           fast ? "leaves" : "sticks");
            ledger_near(l, ORDER, quantity, 0.5 * log2(error[0] / error[2]), 2.0, 0.3);
            (void)snprintf(quantity, sizeof quantity, "imbalance_%s_%s", laws[law],
                           fast ? "leaves" : "sticks");
            ledger_below(l, BOUND, quantity, error[2], 1e-3);
        }
}

/* A wall is drawn away from a heavy sphere that sticks to it. Returns the gap at which the contact
 * breaks, over the one that JKR gives. */
static double drawn_off(double skin, uint64_t *rebuilds)
{
    const dem_adhesion p = soft(1.0);
    const double young = modulus(&p), dt = 2e-7, speed = 1e-2;
    const double snap = cbrt(PI * WORK * RADIUS * RADIUS / (8.0 * young));
    dem_contact_model model;
    dem_world_config config;
    dem_particle ball;
    dem_wall wall;
    MUST(dem_contact_model_init(&model));
    MUST(dem_world_config_init(&config));
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_JKR, .parameters = &p};
    config.skin = skin;
    dem_world *world = scene_world_of(&config, &model);
    MUST(dem_particle_init(&ball));
    ball.radius = RADIUS;
    ball.mass = 1e6; /* it does not follow */
    ball.position[2] = RADIUS - 1e-7;
    MUST(dem_particle_add(world, &ball, NULL));
    MUST(dem_wall_init(&wall));
    wall.velocity[2] = -speed;
    MUST(dem_wall_add(world, &wall, NULL));
    uint64_t steps = 0;
    do {
        scene_step(world, dt, 1);
        ++steps;
        if (steps % 20 == 0) { /* a passer-by, for which the list is made anew */
            const double far[3] = {1.0, 1.0, 1.0};
            const dem_particle_handle guest = scene_sphere(world, far, RADIUS, 1e-6);
            scene_step(world, 1e-12, 1);
            MUST(dem_particle_remove(world, guest));
        }
    } while (scene_counts(world).contacts > 0 && steps < 10000);
    dem_world_counts counts = {.struct_size = sizeof counts};
    MUST(dem_world_counts_get(world, &counts));
    *rebuilds = counts.rebuilds;
    dem_world_destroy(world);
    return ((double)steps * speed * dt - 1e-7) / (3.0 * snap * snap / RADIUS);
}

/* The list holds a contact as far as it reaches, also when it is made anew in each step; and a
 * sphere hangs from a ceiling as long as it weighs less than the pull-off force. */
void case_jkr_reach(ledger *l)
{
    uint64_t seldom, often;
    l->paper = "laws";
    l->name = "jkr-reach";
    ledger_near(l, CLOSED_FORM, "gap_at_break_wall", drawn_off(0.0, &seldom), 1.0, 1e-3);
    ledger_near(l, CLOSED_FORM, "gap_at_break_wall_thin_skin", drawn_off(1e-9, &often), 1.0, 1e-3);
    ledger_above(l, BOUND, "list_rebuilt_wide_skin", (double)seldom, 20.0);
    ledger_above(l, BOUND, "list_rebuilt_thin_skin", (double)often, 20.0);
    const dem_adhesion p = soft(1.0);
    const impact wide = collide(DEM_LAW_JKR, &p, 0.2, 1e-6, 1.5, 20000, 0.0);
    const impact thin = collide(DEM_LAW_JKR, &p, 0.2, 1e-6, 1.5, 20000, 1e-9);
    ledger_near(l, LIBRARY, "rebound_thin_skin", thin.velocity, wide.velocity, 0.0);
    static const double weights[2] = {0.97, 1.03};
    for (int k = 0; k < 2; ++k) {
        const dem_adhesion damped = soft(0.3);
        const double pull = 1.5 * PI * WORK * RADIUS;
        dem_contact_model model;
        dem_wall wall;
        MUST(dem_contact_model_init(&model));
        model.parts[0] = (dem_contact_part){.law = DEM_LAW_JKR, .parameters = &damped};
        dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &model);
        MUST(dem_wall_init(&wall));
        wall.normal[2] = -1.0;
        MUST(dem_wall_add(world, &wall, NULL));
        const double below[3] = {0.0, 0.0, -RADIUS + 1e-8};
        (void)scene_sphere(world, below, RADIUS, 1e-6);
        /* gravity grows slowly beside the time in which the contact swings, 0.3 ms */
        for (int step = 0; step <= 300; ++step) {
            const double gravity[3] = {0.0, 0.0,
                                       -weights[k] * pull / 1e-6 * fmin(step / 200.0, 1.0)};
            MUST(dem_world_gravity_set(world, gravity));
            scene_step(world, 2e-6, 100);
        }
        ledger_near(l, CLOSED_FORM,
                    k ? "contacts_with_ceiling_at_1.03" : "contacts_with_ceiling_at_0.97",
                    (double)scene_counts(world).contacts, 1.0 - k, 0.0);
        dem_world_destroy(world);
    }
}

/* Friction of a contact that slides at a given overlap, over mu times the pull-off force `pull`;
 * the normal force over the same. */
static double slide(const char *law, const dem_adhesion *p, double overlap, double pull,
                    double *pressing)
{
    const double mu = 0.3, dt = 1e-6, radius[2] = {RADIUS, RADIUS}, mass[2] = {1e-6, 1e-6};
    const uint32_t pair[2] = {0, 1};
    dem_contact_history_config config;
    dem_contact_history *history;
    dem_contact_model model;
    dem_friction friction;
    dem_contacts_input in;
    MUST(dem_contact_history_config_init(&config));
    MUST(dem_contact_history_create(&config, &history, NULL));
    MUST(dem_contact_model_init(&model));
    MUST(dem_friction_init(&friction));
    friction.friction = mu;
    friction.stiffness_tangential = 1e4;
    model.parts[0] = (dem_contact_part){.law = law, .parameters = p};
    model.parts[1] = (dem_contact_part){.law = DEM_LAW_FRICTION, .parameters = &friction};
    MUST(dem_contact_history_model_set(history, 0, 0, &model));
    MUST(dem_contacts_input_init(&in));
    double position[6] = {0.0}, velocity[6] = {0.0}, force[6];
    in.particle_count = 2;
    in.position = position;
    in.velocity = velocity;
    in.radius = radius;
    in.mass = mass;
    in.pair_count = 1;
    in.pairs = pair;
    in.dt = dt;
    in.force = force;
    /* pressed first, so that a neck can be held; then one goes round the other without turning */
    double n[2] = {1.0, 0.0};
    for (int step = 0; step < 200; ++step) {
        const double distance = 2.0 * RADIUS - (step == 0 ? 1e-7 : overlap), angle = 5e-7 * step;
        n[0] = cos(angle);
        n[1] = sin(angle);
        for (int c = 0; c < 2; ++c) {
            velocity[c] = step == 0 ? 0.0 : (distance * n[c] - position[c]) / dt;
            position[c] = distance * n[c];
        }
        memset(force, 0, sizeof force);
        MUST(dem_contacts_evaluate(history, &in, NULL));
    }
    dem_contact_history_destroy(history);
    *pressing = (force[0] * n[0] + force[1] * n[1]) / pull;
    return (force[0] * n[1] - force[1] * n[0]) / (mu * pull);
}

/* Coulomb's limit counts with the pull-off force: a neck still has friction. */
void case_adhesion_friction(ledger *l)
{
    const dem_adhesion p = soft(1.0);
    const double radius = 0.5 * RADIUS, young = modulus(&p);
    const double jkr = 1.5 * PI * WORK * radius, dmt = 2.0 * PI * WORK * radius;
    const double snap = cbrt(PI * WORK * radius * radius / (8.0 * young));
    double pressing;
    l->paper = "laws";
    l->name = "adhesion-friction";
    /* the overlap of the greatest pull, a = 3^(2/3) a_s */
    const double pulled = (pow(3.0, 4.0 / 3.0) - 4.0 * cbrt(3.0)) * snap * snap / radius;
    double limit = slide(DEM_LAW_JKR, &p, pulled, jkr, &pressing);
    ledger_near(l, CLOSED_FORM, "jkr_at_pull_off_force", pressing, -1.0, 1e-6);
    ledger_near(l, CLOSED_FORM, "jkr_at_pull_off_friction", limit, 1.0, 1e-6);
    limit = slide(DEM_LAW_JKR, &p, 3e-6, jkr, &pressing);
    ledger_near(l, CLOSED_FORM, "jkr_pressed_friction", limit, pressing + 2.0, 1e-9);
    limit = slide(DEM_LAW_DMT, &p, 3e-6, dmt, &pressing);
    ledger_near(l, CLOSED_FORM, "dmt_pressed_friction", limit, pressing + 1.0, 1e-9);
}

/* Without adhesion both are Hertz's contact, with the restitution that was asked for. */
void case_adhesion_none(ledger *l)
{
    enum { PHASES = 4 };
    static const char *const laws[2] = {DEM_LAW_JKR, DEM_LAW_DMT};
    static const double asked[3] = {1.0, 0.7, 0.2};
    l->paper = "laws";
    l->name = "adhesion-none";
    for (int law = 0; law < 2; ++law)
        for (int k = 0; k < 3; ++k) {
            dem_adhesion p = soft(asked[k]);
            p.work_of_adhesion = 0.0;
            double sum = 0.0;
            for (int n = 0; n < PHASES; ++n)
                sum += collide(laws[law], &p, 0.2, 1e-6, 1.0 + (n + 0.5) / PHASES, 10000, 0.0)
                           .velocity;
            char quantity[64];
            (void)snprintf(quantity, sizeof quantity, "rebound_%s_e%g", laws[law], asked[k]);
            ledger_near(l, CLOSED_FORM, quantity, sum / PHASES / 0.2, asked[k], 1e-3);
        }
}
