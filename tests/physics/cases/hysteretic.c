/* SPDX-License-Identifier: MIT */
/* Contacts that yield: closed forms of one cycle and of collisions, and random paths on which no
 * law of one contact may create energy. */
#include "cases.h"
#include "rig.h"
#include "scene.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double RADIUS = 1e-3, OTHER = 2e-3;

static dem_luding sticky(double cohesion)
{
    dem_luding p;
    MUST(dem_luding_init(&p));
    p.stiffness_loading = 1e4;
    p.stiffness_unloading = 5e4;
    p.stiffness_cohesion = cohesion;
    p.plasticity_depth = 0.05;
    return p;
}

/* k_2 of a contact pressed to an overlap. */
static double luding_unloading(const dem_luding *p, double radius, double overlap)
{
    const double rise = p->stiffness_unloading - p->stiffness_loading;
    const double flat = p->stiffness_unloading / rise * p->plasticity_depth * 2.0 * radius;
    return p->stiffness_loading + rise * fmin(overlap / flat, 1.0);
}

static dem_thornton metal(void)
{
    dem_thornton p;
    MUST(dem_thornton_init(&p));
    p.young[0] = 70e9;
    p.young[1] = 210e9;
    p.poisson[1] = 0.28;
    p.yield_pressure = 2e9;
    return p;
}

static double metal_modulus(const dem_thornton *p)
{
    double soft = 0.0;
    for (int k = 0; k < 2; ++k)
        soft += (1.0 - p->poisson[k] * p->poisson[k]) / p->young[k];
    return 1.0 / soft;
}

/* One cycle of Luding's law: pressed to an overlap, and pulled off. */
static void luding_cycle(ledger *l, const char *name, double over_flat)
{
    enum { STEPS = 3000 };
    const dem_luding p = sticky(2e4);
    rig r = rig_open(DEM_LAW_LUDING, &p, RADIUS, OTHER, 0);
    const double radius = rig_radius(&r), k1 = p.stiffness_loading, kc = p.stiffness_cohesion;
    const double kp = p.stiffness_unloading, flat = kp / (kp - k1) * 0.05 * 2.0 * radius;
    const double top = over_flat * flat, m = fmin(top, flat),
                 k2 = luding_unloading(&p, radius, top);
    rig_place(&r, 0.0);
    double peak = 0.0, least = 0.0;
    for (int k = 1; k <= 2 * STEPS + 1; ++k) {
        const double overlap = top * (k <= STEPS ? k : 2 * STEPS - k) / STEPS;
        const double force = rig_move(&r, overlap, 1e-6);
        peak = fmax(peak, force);
        least = fmin(least, force);
    }
    const double zero = (k2 - k1) / k2 * m, turn = (k2 - k1) / (k2 + kc) * m;
    const double pull = kc * turn, adhesion = 0.5 * zero * pull;
    const double pressed = k1 * m + kp * (top - m);
    /* area of the cycle above and below zero force */
    const double area = 0.5 * k1 * m * m - 0.5 * k1 * m * k1 * m / k2 + adhesion;
    char quantity[64];
    (void)snprintf(quantity, sizeof quantity, "%s_peak_force", name);
    ledger_near(l, CLOSED_FORM, quantity, peak / pressed, 1.0, 1e-12);
    (void)snprintf(quantity, sizeof quantity, "%s_pull_off", name);
    ledger_near(l, CLOSED_FORM, quantity, -least / pull, 1.0, 1e-3);
    (void)snprintf(quantity, sizeof quantity, "%s_work_of_cycle", name);
    ledger_near(l, CLOSED_FORM, quantity, r.work / area, 1.0, 1e-6);
    (void)snprintf(quantity, sizeof quantity, "%s_dissipated", name);
    /* exact but for the round-off of the overlap */
    ledger_near(l, CLOSED_FORM, quantity, r.dissipated / area, 1.0, 1e-10);
    (void)snprintf(quantity, sizeof quantity, "%s_force_in_the_end", name);
    ledger_near(l, CLOSED_FORM, quantity, r.force, 0.0, 0.0);
    rig_close(&r);
}

/* Let go to half of the overlap that stays, and pressed again by a little: Luding's contact takes
 * force at once, Walton and Braun's where it left off. Returns the force over k_1 times that. */
static double again(const char *law, const void *parameters)
{
    const double top = 1e-4, stays = 0.75 * top, little = 1e-7;
    rig r = rig_open(law, parameters, RADIUS, OTHER, 0);
    rig_place(&r, 0.0);
    (void)rig_move(&r, top, 1e-6);
    (void)rig_move(&r, 0.5 * stays, 1e-6);
    const double force = rig_move(&r, 0.5 * stays + little, 1e-6);
    rig_close(&r);
    return force / (1e4 * little);
}

void case_luding_cycle(ledger *l)
{
    l->paper = "laws";
    l->name = "luding-cycle";
    luding_cycle(l, "partly", 0.4);
    luding_cycle(l, "flat", 1.0);
    luding_cycle(l, "beyond", 1.5);
    dem_luding p = sticky(0.0);
    dem_walton_braun w;
    MUST(dem_walton_braun_init(&w));
    w.stiffness_loading = p.stiffness_loading;
    w.stiffness_unloading = p.stiffness_unloading = 4.0 * p.stiffness_loading;
    p.plasticity_depth = 0.75 * 1e-4 * (RADIUS + OTHER) / (2.0 * RADIUS * OTHER);
    /* m where (1 - k_1/k_2(m)) m is the overlap now: m^2 = 0.375 (m + 1/3) in units of top,
     * and k_2 = 1 + 3 m there */
    const double m = 0.5 * (0.375 + sqrt(0.375 * 0.375 + 4.0 * 0.375 / 3.0));
    ledger_near(l, CLOSED_FORM, "luding_reloads_at_once", again(DEM_LAW_LUDING, &p), 1.0 + 3.0 * m,
                1e-6);
    ledger_near(l, CLOSED_FORM, "walton-braun_reloads_later", again(DEM_LAW_WALTON_BRAUN, &w), 0.0,
                0.0);
}

/* ------------------------------------------------------------------ restitution */

/* Mean rebound of two equal spheres of mass 1 mg over the phase at which they touch; also what the
 * library counts as lost, over the energy of the impact. */
static double rebound(const char *law, const void *parameters, double speed, double dt,
                      double *lost)
{
    enum { PHASES = 8 };
    dem_contact_model model;
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = law, .parameters = parameters};
    double sum = 0.0;
    *lost = 0.0;
    for (int k = 0; k < PHASES; ++k) {
        dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &model);
        const double gap = (1.0 + (k + 0.5) / PHASES) * speed * dt;
        const double left[3] = {-RADIUS, 0.0, 0.0}, right[3] = {RADIUS + gap, 0.0, 0.0};
        const double forth[3] = {0.5 * speed, 0.0, 0.0}, back[3] = {-0.5 * speed, 0.0, 0.0};
        const dem_particle_handle a = scene_sphere(world, left, RADIUS, 1e-6);
        const dem_particle_handle b = scene_sphere(world, right, RADIUS, 1e-6);
        MUST(dem_particle_set_motion(world, a, NULL, forth, NULL));
        MUST(dem_particle_set_motion(world, b, NULL, back, NULL));
        int touched = 0;
        for (int step = 0; step < 20000; ++step) {
            scene_step(world, dt, 1);
            const int contact = scene_counts(world).contacts > 0;
            if (touched && !contact)
                break;
            touched |= contact;
        }
        sum += scene_get(world, b).velocity[0] - scene_get(world, a).velocity[0];
        *lost += scene_energies(world).dissipated_normal / (0.25e-6 * speed * speed) / PHASES;
        dem_world_destroy(world);
    }
    return sum / PHASES / speed;
}

static void compare(ledger *l, const char *what, const char *law, const void *parameters,
                    double speed, double dt, double expected)
{
    double lost;
    const double e = rebound(law, parameters, speed, dt, &lost);
    char quantity[80];
    (void)snprintf(quantity, sizeof quantity, "restitution_%s", what);
    ledger_near(l, CLOSED_FORM, quantity, e, expected, 1e-3);
    (void)snprintf(quantity, sizeof quantity, "dissipated_%s", what);
    ledger_near(l, CLOSED_FORM, quantity, lost, 1.0 - expected * expected, 1e-3);
}

void case_hysteretic_restitution(ledger *l)
{
    static const double asked[3] = {1.0, 0.6, 0.2};
    const double mass = 0.5e-6, radius = 0.5 * RADIUS, speed = 0.2, k1 = 1e4;
    const double fastest = sqrt(mass / k1), dt = fastest / 200.0;
    char what[48];
    l->paper = "laws";
    l->name = "hysteretic-restitution";
    dem_walton_braun w;
    MUST(dem_walton_braun_init(&w));
    w.stiffness_loading = k1;
    for (int k = 0; k < 3; ++k) {
        w.restitution = asked[k];
        (void)snprintf(what, sizeof what, "walton-braun_e%g", asked[k]);
        compare(l, what, DEM_LAW_WALTON_BRAUN, &w, speed, asked[k] * dt, asked[k]);
    }
    w.restitution = 1.0;
    w.stiffness_unloading = 4.0 * k1;
    compare(l, "walton-braun_k2", DEM_LAW_WALTON_BRAUN, &w, speed, dt, 0.5);
    /* k_2 = k_1 + S F: e = sqrt(w0/(S v + w0)), w0 = sqrt(k_1/m*) */
    w.stiffness_unloading = 0.0;
    w.hardening = 2e5;
    for (int k = 0; k < 2; ++k) {
        const double v = k ? 0.05 : 0.5;
        (void)snprintf(what, sizeof what, "walton-braun_hardening_v%g", v);
        compare(l, what, DEM_LAW_WALTON_BRAUN, &w, v, 0.3 * dt,
                sqrt(1.0 / (w.hardening * v * fastest + 1.0)));
    }
    for (int k = 0; k < 3; ++k) {
        const dem_luding p = sticky(k == 1 ? 3e3 : 0.0);
        const double v = k == 2 ? 10.0 : 1.0;
        const double flat = 1.25 * 0.1 * radius;
        double m = v * fastest, square;
        const double k2 = luding_unloading(&p, radius, m), kc = p.stiffness_cohesion;
        if (m <= flat) {
            /* energy given back less the work of adhesion */
            const double zero = 1.0 - k1 / k2, turn = (k2 - k1) / (k2 + kc);
            square = k1 / k2 - kc / k1 * zero * turn;
        } else {
            /* beyond the limit the line of k_p is elastic */
            const double lost = 0.5 * k1 * flat * flat * (1.0 - k1 / k2);
            square = 1.0 - lost / (0.5 * mass * v * v);
        }
        (void)snprintf(what, sizeof what, "luding_%s",
                       k == 0   ? "plastic"
                       : k == 1 ? "cohesive"
                                : "beyond_the_limit");
        compare(l, what, DEM_LAW_LUDING, &p, v, 0.4 * dt, sqrt(square));
    }
}

void case_thornton_restitution(ledger *l)
{
    static const double ratios[4] = {0.8, 1.5, 5.0, 30.0};
    const dem_thornton p = metal();
    const double mass = 0.5e-6, radius = 0.5 * RADIUS, young = metal_modulus(&p);
    const double yield = PI * p.yield_pressure * radius / (2.0 * young);
    /* Thornton (1997): v_y = (pi/2E*)^2 sqrt(8 pi R*^3/(15 m*)) p_y^(5/2) */
    const double slow = pow(PI / (2.0 * young), 2.0) *
                        sqrt(8.0 * PI * pow(radius, 3.0) / (15.0 * mass)) *
                        pow(p.yield_pressure, 2.5);
    l->paper = "laws";
    l->name = "thornton-restitution";
    for (int k = 0; k < 4; ++k) {
        const double v = ratios[k] * slow, r = 1.0 / ratios[k];
        const double e = r >= 1.0 ? 1.0
                                  : sqrt(6.0 * sqrt(3.0) / 5.0) * sqrt(1.0 - r * r / 6.0) *
                                        pow(r / (r + 2.0 * sqrt(1.2 - 0.2 * r * r)), 0.25);
        char what[48];
        (void)snprintf(what, sizeof what, "at_%g_yield_velocities", ratios[k]);
        const double time = dem_kernel_contact_time_hertz(young, radius, mass, v);
        compare(l, what, DEM_LAW_THORNTON, &p, v, time / 1000.0, e);
        (void)snprintf(what, sizeof what, "kernel_at_%g_yield_velocities", ratios[k]);
        ledger_near(l, CLOSED_FORM, what,
                    dem_kernel_thornton_restitution(radius, young, p.yield_pressure, mass, v), e,
                    1e-12);
    }
    /* force at yield and the plastic slope */
    double most = 0.0, a;
    const double at = yield * yield / radius;
    const double force = dem_kernel_normal_thornton(radius, young, p.yield_pressure, at, &most, &a);
    ledger_near(l, CLOSED_FORM, "force_at_yield",
                force / (2.0 / 3.0 * PI * p.yield_pressure * yield * yield), 1.0, 1e-12);
    const double more =
        dem_kernel_normal_thornton(radius, young, p.yield_pressure, 3.0 * at, &most, &a);
    ledger_near(l, CLOSED_FORM, "plastic_slope",
                (more - force) / (2.0 * at * PI * p.yield_pressure * radius), 1.0, 1e-12);
}

/* ------------------------------------------------------------------ random paths */

typedef struct subject {
    const char *law;
    const void *parameters;
    double size; /* of overlaps, m */
} subject;

typedef struct walk {
    double work, dissipated, imbalance, gain, largest;
} walk;

/* A path of random turning points that ends apart. */
static walk wander(const subject *s, uint64_t seed, int substeps, int swapped)
{
    enum { TURNS = 40 };
    rig r = rig_open(s->law, s->parameters, RADIUS, OTHER, swapped);
    walk w = {0};
    rig_place(&r, -0.3 * s->size);
    double from = -0.3 * s->size;
    for (int turn = 0; turn <= TURNS; ++turn) {
        /* mostly small loops, sometimes apart */
        const double to = turn == TURNS ? -2.0 * s->size : scene_random(&seed, -0.4, 1.0) * s->size;
        for (int k = 1; k <= substeps; ++k) {
            const double before = r.dissipated;
            (void)rig_move(&r, from + (to - from) * k / substeps, 1e-6);
            const double lost = r.dissipated - before;
            w.gain = fmax(w.gain, -lost);
            const double size = fabs(r.work) + fabs(r.elastic) + r.dissipated;
            w.largest = fmax(w.largest, size);
            w.imbalance = fmax(w.imbalance, fabs(r.work - r.elastic - r.dissipated));
        }
        from = to;
    }
    w.work = r.work;
    w.dissipated = r.dissipated;
    rig_close(&r);
    return w;
}

void case_normal_cycles(ledger *l)
{
    enum { PATHS = 12 };
    dem_walton_braun walton;
    dem_adhesion adhesion;
    MUST(dem_walton_braun_init(&walton));
    walton.stiffness_loading = 1e4;
    walton.restitution = 0.7;
    walton.hardening = 3e4;
    MUST(dem_adhesion_init(&adhesion));
    adhesion.young[0] = 2e6;
    adhesion.work_of_adhesion = 0.05;
    const dem_luding cohesive = sticky(2e4), plastic = sticky(0.0);
    const dem_thornton thornton = metal();
    const subject subjects[] = {
        {DEM_LAW_LUDING, &cohesive, 1.2e-4},   {DEM_LAW_LUDING, &plastic, 1.2e-4},
        {DEM_LAW_WALTON_BRAUN, &walton, 1e-4}, {DEM_LAW_THORNTON, &thornton, 1e-5},
        {DEM_LAW_JKR, &adhesion, 5e-6},        {DEM_LAW_DMT, &adhesion, 5e-6},
    };
    l->paper = "laws";
    l->name = "normal-cycles";
    for (size_t k = 0; k < sizeof subjects / sizeof subjects[0]; ++k) {
        double least = INFINITY, gain = 0.0, coarse = 0.0, fine = 0.0;
        int same = 1;
        for (uint64_t path = 0; path < PATHS; ++path) {
            const walk a = wander(&subjects[k], 77 + path, 200, 0);
            const walk b = wander(&subjects[k], 77 + path, 400, 0);
            const walk c = wander(&subjects[k], 77 + path, 200, 1);
            least = fmin(least, a.work / a.largest);
            gain = fmax(gain, a.gain / a.largest);
            coarse += a.imbalance / a.largest;
            fine += b.imbalance / b.largest;
            same &= memcmp(&a, &c, sizeof a) == 0;
        }
        const int conserves = strcmp(subjects[k].law, DEM_LAW_DMT) == 0;
        char quantity[64];
        const char *law = k == 1 ? "luding_k_c=0" : subjects[k].law;
        if (!conserves) {
            (void)snprintf(quantity, sizeof quantity, "%s_least_work_of_a_path", law);
            ledger_above(l, CONSERVATION, quantity, least, 0.0);
        }
        (void)snprintf(quantity, sizeof quantity, "%s_greatest_gain_in_a_step", law);
        ledger_below(l, CONSERVATION, quantity, gain, conserves ? 1e-2 : 1e-14);
        (void)snprintf(quantity, sizeof quantity, "%s_order_of_imbalance", law);
        /* JKR's slope has no bound where it snaps, which leaves 3/2 */
        const int snaps = strcmp(subjects[k].law, DEM_LAW_JKR) == 0;
        ledger_near(l, ORDER, quantity, log2(coarse / fine), snaps ? 1.5 : 2.0, 0.35);
        (void)snprintf(quantity, sizeof quantity, "%s_same_for_i_and_j", law);
        ledger_holds(l, CONSERVATION, quantity, same);
    }
}
