/* SPDX-License-Identifier: MIT */
/* Four spheres that adhesion binds for ever and that turn as one: what a step gives or takes adds
 * up. Energy over long runs, time reversal, and order of convergence, for both lever arms, the
 * tangential spring, rolling and twisting resistance. */
#include "cases.h"
#include "scene.h"

#include <math.h>
#include <string.h>

enum { SPHERES = 4, VALUES = 9 * SPHERES, PLACES = 3 * SPHERES };

/* Laws of one cluster; the model points into it. */
typedef struct cluster {
    dem_adhesion jkr;
    dem_friction friction;
    dem_mindlin mindlin;
    dem_rolling rolling;
    dem_rolling_constant constant;
    dem_twisting_marshall marshall;
    dem_contact_model model;
    double overlap;          /* at which two spheres rest */
    double angular_velocity; /* of the spheres at the start, 1/s */
    int chain;               /* the spheres' places */
    dem_world *world;
    dem_particle_handle ball[SPHERES];
} cluster;

/* Overlap at which two spheres of radius 1 bear no load (Johnson, Kendall and Roberts 1971). */
static double rest_overlap(const dem_adhesion *law)
{
    const double radius = 0.5,
                 stiff =
                     4.0 / 3.0 * law->young[0] / (2.0 * (1.0 - law->poisson[0] * law->poisson[0])),
                 pi = 3.14159265358979323846, w = law->work_of_adhesion;
    const double a = cbrt(6.0 * pi * w * radius * radius / stiff);
    return a * a / radius - sqrt(8.0 * pi * w * a / (3.0 * stiff));
}

static void cluster_jkr(cluster *c, double young, double adhesion, double restitution, int32_t arm)
{
    memset(c, 0, sizeof *c);
    MUST(dem_adhesion_init(&c->jkr));
    c->jkr.young[0] = young;
    c->jkr.work_of_adhesion = adhesion;
    c->jkr.restitution = restitution;
    c->overlap = rest_overlap(&c->jkr);
    MUST(dem_friction_init(&c->friction));
    MUST(dem_mindlin_init(&c->mindlin));
    MUST(dem_rolling_init(&c->rolling));
    MUST(dem_rolling_constant_init(&c->constant));
    MUST(dem_twisting_marshall_init(&c->marshall));
    MUST(dem_contact_model_init(&c->model));
    c->model.parts[0] = (dem_contact_part){.law = DEM_LAW_JKR, .parameters = &c->jkr};
    c->model.lever_arm = arm;
    c->angular_velocity = 0.2;
}

/* Bound spheres whose tangential springs stick; nothing is lost. */
static void cluster_sticking(cluster *c, int32_t arm)
{
    cluster_jkr(c, 1e4, 60.0, 1.0, arm);
    c->friction.stiffness_tangential = 500.0;
    c->friction.friction = 1e6;
    c->friction.damping_tangential = 0.0;
    c->model.parts[1] = (dem_contact_part){.law = DEM_LAW_FRICTION, .parameters = &c->friction};
}

static void cluster_part(cluster *c, int part, const char *law)
{
    const void *parameters = strcmp(law, DEM_LAW_ROLLING_CONSTANT) == 0    ? (void *)&c->constant
                             : strcmp(law, DEM_LAW_TWISTING_MARSHALL) == 0 ? (void *)&c->marshall
                                                                           : (void *)&c->rolling;
    c->model.parts[part] = (dem_contact_part){.law = law, .parameters = parameters};
}

/* A chain of stiffer ones with Mindlin's law and the given parts, NULL for none. */
static void cluster_resisting(cluster *c, int32_t arm, const char *rolling, const char *twisting)
{
    cluster_jkr(c, 1e5, 20.0, 0.7, arm);
    c->chain = 1;
    c->rolling.stiffness = 3e4;
    c->rolling.friction = 0.05;
    c->constant.friction = 0.05;
    c->model.parts[1] = (dem_contact_part){.law = DEM_LAW_MINDLIN, .parameters = &c->mindlin};
    if (rolling != NULL)
        cluster_part(c, 2, rolling);
    if (twisting != NULL)
        cluster_part(c, 3, twisting);
}

/* Nothing is damped or slips, and no spring softens: Mindlin's would not come back. */
static void cluster_lossless(cluster *c)
{
    c->jkr.restitution = 1.0;
    c->rolling.friction = c->friction.friction = 1e6;
    c->rolling.damping_ratio = 0.0;
    c->friction.stiffness_tangential = 3e4;
    c->friction.damping_tangential = 0.0;
    c->model.parts[1] = (dem_contact_part){.law = DEM_LAW_FRICTION, .parameters = &c->friction};
}

/* Spheres at rest overlaps. A tetrahedron: each has an angular velocity of its own, which loads the
 * springs. A bent chain: it turns as a whole from the start, about no axis of its inertia, so that
 * rolling and twisting springs bear torques that turn with it for ever. */
static void cluster_open(cluster *c, int32_t scheme)
{
    static const double corner[SPHERES][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const double link[SPHERES][3] = {{-1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 1, 1}};
    static const double axis[SPHERES][3] = {
        {1.0, 0.5, -0.4}, {0.6, -0.2, 1.1}, {0.8, 1.0, 0.3}, {1.2, 0.1, 0.2}};
    static const double whole[3] = {0.7, 1.0, -0.4};
    const double distance = 2.0 - c->overlap;
    c->world = scene_simple(scheme, 0.0, &c->model);
    for (int k = 0; k < SPHERES; ++k) {
        double position[3], velocity[3] = {0.0, 0.0, 0.0}, angular_velocity[3];
        for (int a = 0; a < 3; ++a) {
            position[a] = c->chain ? link[k][a] * distance : corner[k][a] * distance / sqrt(8.0);
            angular_velocity[a] = (c->chain ? whole[a] : axis[k][a]) * c->angular_velocity;
        }
        for (int a = 0; a < 3 && c->chain; ++a)
            velocity[a] = angular_velocity[(a + 1) % 3] * position[(a + 2) % 3] -
                          angular_velocity[(a + 2) % 3] * position[(a + 1) % 3];
        c->ball[k] = scene_sphere(c->world, position, 1.0, 1.0);
        MUST(dem_particle_set_motion(c->world, c->ball[k], NULL, velocity, angular_velocity));
    }
}

static void cluster_state(const cluster *c, double state[VALUES])
{
    for (int k = 0; k < SPHERES; ++k) {
        const dem_particle p = scene_get(c->world, c->ball[k]);
        for (int a = 0; a < 3; ++a) {
            state[3 * k + a] = p.position[a];
            state[PLACES + 3 * k + a] = p.velocity[a];
            state[2 * PLACES + 3 * k + a] = p.angular_velocity[a];
        }
    }
}

static double distance_of(const double a[VALUES], const double b[VALUES], int values)
{
    double square = 0.0;
    for (int k = 0; k < values; ++k)
        square += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(square);
}

static void cluster_reverse(cluster *c)
{
    for (int k = 0; k < SPHERES; ++k) {
        const dem_particle p = scene_get(c->world, c->ball[k]);
        double v[3], w[3];
        for (int a = 0; a < 3; ++a) {
            v[a] = -p.velocity[a];
            w[a] = -p.angular_velocity[a];
        }
        MUST(dem_particle_set_motion(c->world, c->ball[k], NULL, v, w));
    }
}

/* Error of coming back after `steps` steps there and as many back. */
static double cluster_reversal(cluster *c, int32_t scheme, double dt, uint64_t steps)
{
    double start[VALUES], end[VALUES];
    cluster_open(c, scheme);
    scene_step(c->world, dt, 10); /* springs are known from here on */
    cluster_state(c, start);
    scene_step(c->world, dt, steps);
    cluster_reverse(c);
    scene_step(c->world, dt, steps);
    cluster_reverse(c);
    cluster_state(c, end);
    dem_world_destroy(c->world);
    return distance_of(start, end, VALUES);
}

static double cluster_order(cluster *c, int32_t scheme, double dt, uint64_t steps)
{
    double state[3][VALUES];
    for (int k = 0; k < 3; ++k) {
        cluster_open(c, scheme);
        scene_step(c->world, dt / (1 << k), steps << k);
        cluster_state(c, state[k]);
        dem_world_destroy(c->world);
    }
    /* leapfrog's velocities are of another time */
    return log2(distance_of(state[0], state[1], PLACES) / distance_of(state[1], state[2], PLACES));
}

static double mechanical(const dem_world_energies *e)
{
    return e->kinetic_translation + e->kinetic_rotation + e->elastic;
}

typedef struct balance {
    double start, end; /* mechanical energy */
    double rise;       /* greatest rise of it above the least before */
    double late;       /* the same in the second half alone */
    double account;    /* greatest change of energy and what was lost together */
} balance;

static balance cluster_balance(cluster *c, int32_t scheme, double dt, uint64_t steps)
{
    enum { LOOKS = 500 };
    balance b = {0};
    cluster_open(c, scheme);
    scene_step(c->world, dt, 0);
    const dem_world_energies first = scene_energies(c->world);
    double least = mechanical(&first), least_late = INFINITY;
    b.start = least;
    for (int look = 0; look < LOOKS; ++look) {
        scene_step(c->world, dt, steps / LOOKS);
        const dem_world_energies e = scene_energies(c->world);
        const double now = mechanical(&e);
        b.account = fmax(b.account, fabs(scene_balance(&e) - scene_balance(&first)));
        b.rise = fmax(b.rise, now - least);
        least = fmin(least, now);
        if (look >= LOOKS / 2) {
            least_late = fmin(least_late, now);
            b.late = fmax(b.late, now - least_late);
        }
        b.end = now;
    }
    dem_world_destroy(c->world);
    return b;
}

static const char *const schemes[] = {"synchronized", "improved", "standard", "leapfrog", "euler"};
static const char *const arms[] = {"radius", "contact"};

static int second_order(int32_t scheme)
{
    return scheme == DEM_INTEGRATOR_VERLET_SYNC || scheme == DEM_INTEGRATOR_LEAPFROG;
}

/* Spheres that breathe and turn under sticking springs: energy stays within a band that narrows as
 * dt^2, and time runs back; so it is for a chain that folds and meets itself. */
void case_cluster_arms(ledger *l)
{
    l->paper = "libdem";
    l->name = "cluster-arms";
    for (int32_t arm = 0; arm < 2; ++arm) {
        char name[64];
        double band[2];
        cluster c;
        cluster_sticking(&c, arm);
        c.overlap *= 0.5;
        for (int fine = 0; fine < 2; ++fine)
            band[fine] =
                cluster_balance(&c, DEM_INTEGRATOR_VERLET_SYNC, 1e-3 / (1 << fine), 150000u << fine)
                    .account;
        (void)snprintf(name, sizeof name, "band_%s", arms[arm]);
        ledger_below(l, CONSERVATION, name, band[0], 0.03);
        (void)snprintf(name, sizeof name, "order_of_band_%s", arms[arm]);
        ledger_near(l, ORDER, name, log2(band[0] / band[1]), 2.0, 0.1);
        (void)snprintf(name, sizeof name, "reversal_%s", arms[arm]);
        ledger_below(l, CONSERVATION, name,
                     cluster_reversal(&c, DEM_INTEGRATOR_VERLET_SYNC, 1e-3, 10000), 1e-10);
        c.chain = 1;
        (void)snprintf(name, sizeof name, "rise_of_chain_%s", arms[arm]);
        ledger_below(l, CONSERVATION, name,
                     cluster_balance(&c, DEM_INTEGRATOR_VERLET_SYNC, 1e-3, 200000).rise, 0.03);
    }
}

/* One sphere that adhesion holds at a plane, which breathes and rocks on a sticking spring; the
 * wall's id is the lower one, or the higher. */
static double wall_reversal(int32_t arm, uint64_t wall, double *order)
{
    static const double spins[3] = {0.2, -0.3, 0.1}, slide[3] = {0.1, 0.05, 0.3};
    double place[4][3] = {{0.0}};
    for (int k = 0; k < 4; ++k) {
        const double dt = 1e-3 / (1 << (k % 3));
        const uint64_t steps = 1000u << (k % 3);
        cluster c;
        dem_wall plane;
        dem_particle p;
        dem_particle_handle ball;
        cluster_sticking(&c, arm);
        c.friction.stiffness_tangential = 5e3;
        c.world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &c.model);
        MUST(dem_particle_init(&p));
        p.id = 5;
        p.radius = p.mass = 1.0;
        p.position[2] = 0.95;
        MUST(dem_particle_add(c.world, &p, &ball));
        MUST(dem_particle_set_motion(c.world, ball, NULL, slide, spins));
        MUST(dem_wall_init(&plane));
        plane.id = wall;
        MUST(dem_wall_add(c.world, &plane, NULL));
        scene_step(c.world, dt, steps);
        if (k == 3) { /* there and back */
            for (int turn = 0; turn < 2; ++turn) {
                p = scene_get(c.world, ball);
                for (int a = 0; a < 3; ++a) {
                    p.velocity[a] = -p.velocity[a];
                    p.angular_velocity[a] = -p.angular_velocity[a];
                }
                MUST(dem_particle_set_motion(c.world, ball, NULL, p.velocity, p.angular_velocity));
                scene_step(c.world, dt, turn == 0 ? steps : 0);
            }
            p = scene_get(c.world, ball);
            p.position[2] -= 0.95;
        } else {
            p = scene_get(c.world, ball);
        }
        memcpy(place[k], p.position, sizeof place[k]);
        dem_world_destroy(c.world);
    }
    double coarse = 0.0, fine = 0.0, back = 0.0;
    for (int a = 0; a < 3; ++a) {
        coarse = fmax(coarse, fabs(place[0][a] - place[1][a]));
        fine = fmax(fine, fabs(place[1][a] - place[2][a]));
        back = fmax(back, fabs(place[3][a]));
    }
    *order = log2(coarse / fine);
    return back;
}

void case_wall_arms(ledger *l)
{
    l->paper = "libdem";
    l->name = "wall-arms";
    for (int32_t arm = 0; arm < 2; ++arm)
        for (int higher = 0; higher < 2; ++higher) {
            char name[64];
            double order;
            const double back = wall_reversal(arm, higher ? 9 : 2, &order);
            const char *const side = higher ? "higher_id" : "lower_id";
            (void)snprintf(name, sizeof name, "reversal_%s_%s", arms[arm], side);
            ledger_below(l, CONSERVATION, name, back, 1e-10);
            (void)snprintf(name, sizeof name, "order_%s_%s", arms[arm], side);
            ledger_near(l, ORDER, name, order, 2.0, 0.1);
        }
}

static const char *const resistances[][2] = {{DEM_LAW_ROLLING_CSDS, DEM_LAW_TWISTING_CSDS},
                                             {DEM_LAW_ROLLING_CSDS, DEM_LAW_TWISTING_MARSHALL},
                                             {DEM_LAW_ROLLING_CSDS, NULL},
                                             {DEM_LAW_ROLLING_CONSTANT, NULL}};
static const char *const resistance_names[] = {"csds", "marshall", "rolling", "constant"};
enum { RESISTANCES = 4, TWISTING = 2 };

/* Below the slip limit with dashpots: second order; without dashpots time runs back. */
void case_rolling_orders(ledger *l)
{
    l->paper = "libdem";
    l->name = "rolling-orders";
    for (int k = 0; k < TWISTING; ++k)
        for (int32_t arm = 0; arm < 2; ++arm) {
            char name[96];
            cluster c;
            for (int32_t scheme = 0; scheme < 5; ++scheme) {
                cluster_resisting(&c, arm, resistances[k][0], resistances[k][1]);
                c.angular_velocity = 0.5;
                const double order = cluster_order(&c, scheme, 4e-4, 2500);
                (void)snprintf(name, sizeof name, "order_%s_%s_%s", resistance_names[k], arms[arm],
                               schemes[scheme]);
                if (second_order(scheme))
                    ledger_near(l, ORDER, name, order, 2.0, 0.1);
                else
                    ledger_show(l, ORDER, name, order, 2.0);
            }
            if (k > 0)
                continue; /* what a softening spring loses does not come back */
            cluster_lossless(&c);
            (void)snprintf(name, sizeof name, "reversal_%s", arms[arm]);
            ledger_below(l, CONSERVATION, name,
                         cluster_reversal(&c, DEM_INTEGRATOR_VERLET_SYNC, 4e-4, 2500), 1e-11);
        }
}

/* With dashpots and slip, turning for ever: mechanical energy never rises. */
static void rolling_passive(ledger *l, uint64_t steps, int all)
{
    l->paper = "libdem";
    l->name = "rolling-passive";
    for (int k = 0; k < RESISTANCES; ++k)
        for (int32_t arm = 0; arm < 2; ++arm)
            for (int32_t scheme = 0; scheme < 5; ++scheme) {
                char name[96];
                cluster c;
                if (!all && !second_order(scheme))
                    continue;
                cluster_resisting(&c, arm, resistances[k][0], resistances[k][1]);
                c.angular_velocity = 1.0;
                const balance b = cluster_balance(&c, scheme, 8e-4, steps);
                (void)snprintf(name, sizeof name, "rise_%s_%s_%s", resistance_names[k], arms[arm],
                               schemes[scheme]);
                if (second_order(scheme))
                    ledger_below(l, CONSERVATION, name, b.rise / b.start, 1e-9);
                else
                    ledger_show(l, CONSERVATION, name, b.rise / b.start, 0.0);
            }
}

void case_rolling_passive(ledger *l)
{
    rolling_passive(l, 1000000, 1);
}

void case_rolling_passive_short(ledger *l)
{
    rolling_passive(l, 100000, 0);
}
