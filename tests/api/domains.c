/* SPDX-License-Identifier: MIT */
/**
 * @file domains.c
 * One system cut into worlds that exchange forces on ghosts between the halves of a step: the same
 * bits as one world, for any cut and any law; and what the halves refuse.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/scene.h"

#include <math.h>
#include <string.h>

enum { SIDE = 6, LAYERS = 5, GRAINS = SIDE * SIDE * LAYERS, DOMAINS_MOST = 8 };
#define DT 1e-3
#define MARGIN 0.4

typedef enum law { LINEAR, MINDLIN, M4, JKR } law;

/** How grains are dealt out to worlds. */
typedef enum cut { SLABS, TURNS, ALL_BUT_ONE } cut;

typedef struct system {
    law law;
    cut cut;
    int domains, steps;
    int32_t sums, integrator;
    int threads;
    double margin; /* 0: MARGIN */
} system_of;

typedef struct outcome {
    double motion[GRAINS][9]; /* position, velocity, angular velocity, by id */
    double force[GRAINS][6];
    double wall[6], wall_work;
    dem_world_energies energies;
    uint64_t contacts, sets;
} outcome;

static void set_model(dem_world *world, law law)
{
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    dem_linear linear;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_adhesion adhesion;
    OK(dem_linear_init(&linear));
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_adhesion_init(&adhesion));
    linear.stiffness_normal = 2e4;
    linear.friction = mindlin.friction = 0.4;
    linear.restitution = hertz.restitution = adhesion.restitution = 0.8;
    hertz.young[0] = adhesion.young[0] = 3e5;
    hertz.poisson[0] = adhesion.poisson[0] = 0.3;
    adhesion.work_of_adhesion = 0.5;
    if (law == LINEAR)
        OK(dem_contact_model_add_linear_csds(&model, &linear));
    else if (law == JKR)
        OK(dem_contact_model_add_jkr(&model, &adhesion));
    else
        OK(dem_contact_model_add_hertz(&model, &hertz));
    if (law == MINDLIN || law == JKR)
        OK(dem_contact_model_add_mindlin(&model, &mindlin));
    if (law == M4)
        OK(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    OK(dem_contact_model_set(world, 0, 0, &model));
}

static dem_world *make_world(const system_of *s)
{
    dem_world_config config = scene_config();
    config.sums = s->sums;
    config.integrator = s->integrator;
    config.threads = s->threads > 0 ? s->threads : 1;
    if (s->sums == DEM_SUMS_EXACT)
        config.force_range = config.torque_range = 1e4;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    for (int c = 0; c < 3; ++c) {
        config.box_low[c] = 0.1 * c;
        config.box_high[c] = SIDE + 0.1 * c;
    }
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    set_model(world, s->law);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = 1000000;
    OK(dem_wall_add(world, &wall, NULL));
    return world;
}

/** Grain k: of three sizes, one far larger than a slab, one fixed, one driven. */
static dem_particle grain_of(int k, test_random *random)
{
    dem_particle p;
    OK(dem_particle_init(&p));
    p.id = (uint64_t)k + 1;
    p.mass = 1.0;
    p.radius = 0.47 - 0.1 * (k % 3);
    const int at[3] = {k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)};
    for (int c = 0; c < 3; ++c) {
        p.position[c] = 0.55 + at[c] + test_uniform(random, 0.0, 0.05);
        p.velocity[c] = test_uniform(random, -2.0, 2.0);
        p.angular_velocity[c] = test_uniform(random, -1.0, 1.0);
    }
    if (k == GRAINS - 1) {
        p.radius = 2.0;
        p.mass = 8.0;
        p.position[2] = LAYERS + 3.0;
    }
    if (k == 40 || k == 41)
        p.mobility = k == 40 ? DEM_MOBILITY_FIXED : DEM_MOBILITY_KINEMATIC;
    for (int c = 0; c < 3 && k == 40; ++c)
        p.velocity[c] = p.angular_velocity[c] = 0.0;
    for (int c = 0; c < 3 && k == 41; ++c)
        p.velocity[c] = 0.1 * c;
    return p;
}

static int owner_of(const system_of *s, int k)
{
    if (s->cut == TURNS)
        return k % s->domains;
    if (s->cut == ALL_BUT_ONE) /* the last domain has none */
        return k % (s->domains - 1);
    return k % SIDE * s->domains / SIDE;
}

typedef struct domains {
    const system_of *of;
    dem_world *world[DOMAINS_MOST];
    dem_particle_handle handle[GRAINS];                /* in the world that owns it */
    uint64_t ghosts[DOMAINS_MOST];                     /* of each world */
    int ghost[DOMAINS_MOST][GRAINS];                   /* grains */
    dem_particle_handle ghost_at[DOMAINS_MOST][GRAINS]; /* their handles */
} domains;

static void domains_make(domains *d, const system_of *s)
{
    memset(d, 0, sizeof *d);
    d->of = s;
    test_random random = {.state = 5};
    for (int n = 0; n < s->domains; ++n)
        d->world[n] = make_world(s);
    for (int k = 0; k < GRAINS; ++k) {
        const dem_particle p = grain_of(k, &random);
        OK(dem_particle_add(d->world[owner_of(s, k)], &p, &d->handle[k]));
        if (k == 7) { /* a load of the host */
            const double force[3] = {0.5, 0.0, 0.1}, torque[3] = {0.0, 0.02, 0.0};
            OK(dem_particle_set_force(d->world[owner_of(s, k)], d->handle[k], force, torque));
        }
    }
}

static double gap_of(const dem_ghost *a, const dem_ghost *b)
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
        double x = a->position[c] - b->position[c];
        if (c < 2)
            x -= SIDE * floor(x / SIDE + 0.5);
        square += x * x;
    }
    return sqrt(square) - a->radius - b->radius;
}

/** Every world gets as ghosts what is near to what it owns. */
static void ghosts_set(domains *d)
{
    static dem_ghost all[GRAINS], some[GRAINS];
    const system_of *s = d->of;
    const double margin = s->margin > 0.0 ? s->margin : MARGIN;
    for (int k = 0; k < GRAINS; ++k) {
        all[k].struct_size = sizeof all[k];
        OK(dem_ghosts_get(d->world[owner_of(s, k)], 1, &d->handle[k], &all[k]));
    }
    for (int n = 0; n < s->domains; ++n) {
        uint64_t count = 0;
        for (int k = 0; k < GRAINS; ++k) {
            int near = 0;
            for (int m = 0; m < GRAINS && !near && owner_of(s, k) != n; ++m)
                near = owner_of(s, m) == n &&
                       gap_of(&all[k], &all[m]) < margin + (s->law == JKR ? 0.1 : 0.0);
            if (near) {
                d->ghost[n][count] = k;
                some[count++] = all[k];
            }
        }
        OK(dem_ghosts_set(d->world[n], count, some, margin, d->ghost_at[n]));
        d->ghosts[n] = count;
    }
}

static void exchange(domains *d)
{
    for (int n = 0; n < d->of->domains; ++n)
        for (uint64_t g = 0; g < d->ghosts[n]; ++g) {
            const int k = d->ghost[n][g];
            double load[6];
            OK(dem_particles_forces_get(d->world[owner_of(d->of, k)], 1, &d->handle[k], load));
            OK(dem_ghosts_forces_set(d->world[n], 1, &d->ghost_at[n][g], load));
        }
}

static void begin(domains *d, double dt)
{
    for (int n = 0; n < d->of->domains; ++n)
        if (dem_step_begin(d->world[n], dt) != DEM_OK)
            fail_msg("%s", dem_world_error(d->world[n]));
}

static void end(domains *d)
{
    for (int n = 0; n < d->of->domains; ++n)
        if (dem_step_end(d->world[n]) != DEM_OK)
            fail_msg("%s", dem_world_error(d->world[n]));
}

static uint64_t run(domains *d, int steps)
{
    uint64_t sets = 0;
    for (int step = 0; step < steps; ++step) {
        int wanted = 0;
        for (int n = 0; n < d->of->domains; ++n)
            wanted |= dem_ghosts_wanted(d->world[n]);
        if (wanted) {
            ghosts_set(d);
            ++sets;
        }
        begin(d, DT);
        exchange(d);
        end(d);
    }
    return sets;
}

static void start(domains *d)
{
    ghosts_set(d);
    begin(d, 0.0);
    exchange(d);
    end(d);
}

static void add_energies(dem_world_energies *sum, const dem_world *world)
{
    dem_world_energies e;
    memset(&e, 0, sizeof e);
    e.struct_size = sizeof e;
    OK(dem_world_energies_get(world, &e));
    sum->kinetic_translation += e.kinetic_translation;
    sum->kinetic_rotation += e.kinetic_rotation;
    sum->potential += e.potential;
    sum->elastic += e.elastic;
    sum->dissipated_normal += e.dissipated_normal;
    sum->dissipated_dashpot += e.dissipated_dashpot;
    sum->dissipated_slip += e.dissipated_slip;
    sum->work_external += e.work_external;
    sum->work_boundary += e.work_boundary;
}

static void read(const domains *d, outcome *out)
{
    for (int k = 0; k < GRAINS; ++k) {
        const dem_world *world = d->world[owner_of(d->of, k)];
        dem_particle p;
        memset(&p, 0, sizeof p);
        p.struct_size = sizeof p;
        OK(dem_particle_get(world, d->handle[k], &p));
        memcpy(out->motion[k], p.position, sizeof p.position);
        memcpy(out->motion[k] + 3, p.velocity, sizeof p.velocity);
        memcpy(out->motion[k] + 6, p.angular_velocity, sizeof p.angular_velocity);
        OK(dem_particles_forces_get(world, 1, &d->handle[k], out->force[k]));
    }
    for (int n = 0; n < d->of->domains; ++n) {
        dem_world_counts counts = {.struct_size = sizeof counts};
        dem_wall wall;
        memset(&wall, 0, sizeof wall);
        wall.struct_size = sizeof wall;
        OK(dem_world_counts_get(d->world[n], &counts));
        assert_int_equal(counts.ghosts, d->ghosts[n]);
        out->contacts += counts.contacts;
        OK(dem_wall_get(d->world[n], 1000000, &wall));
        for (int c = 0; c < 3; ++c)
            out->wall[c] += wall.force[c];
        add_energies(&out->energies, d->world[n]);
    }
}

static void destroy(domains *d)
{
    for (int n = 0; n < d->of->domains; ++n)
        dem_world_destroy(d->world[n]);
}

static void run_system(const system_of *s, outcome *out)
{
    static domains d;
    memset(out, 0, sizeof *out);
    domains_make(&d, s);
    if (s->domains == 1) {
        OK(dem_step(d.world[0], DT, 0));
        if (dem_step(d.world[0], DT, (uint64_t)s->steps) != DEM_OK)
            fail_msg("%s", dem_world_error(d.world[0]));
    } else {
        start(&d);
        out->sets = run(&d, s->steps);
    }
    read(&d, out);
    destroy(&d);
}

static double distance(const double *a, const double *b, size_t count)
{
    double most = 0.0;
    for (size_t k = 0; k < count; ++k)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

/** Energies and totals are sums in another order. */
static void expect_totals(const outcome *a, const outcome *b)
{
    const double *p = &a->energies.kinetic_translation, *q = &b->energies.kinetic_translation;
    const double scale = a->energies.potential;
    assert_true(distance(p, q, 9) < 1e-10 * scale);
    assert_true(a->energies.dissipated_slip > 0.0);
    assert_int_equal(a->contacts, b->contacts);
    assert_true(distance(a->wall, b->wall, 3) < 1e-9 * fabs(a->wall[2]) + 1e-9);
}

static void same_bits(const system_of *base, int domains, cut cut)
{
    static outcome one, many;
    system_of s = *base;
    s.domains = 1;
    run_system(&s, &one);
    s.domains = domains;
    s.cut = cut;
    run_system(&s, &many);
    assert_true(many.sets > 1);
    assert_memory_equal(one.motion, many.motion, sizeof one.motion);
    assert_memory_equal(one.force, many.force, sizeof one.force);
    expect_totals(&one, &many);
}

static void test_same_bits(void **state)
{
    (void)state;
    const int steps = test_rounds(1500);
    for (law law = LINEAR; law <= JKR; ++law) {
        const system_of s = {.law = law, .steps = steps, .sums = DEM_SUMS_EXACT};
        same_bits(&s, 2, SLABS);
        same_bits(&s, law == LINEAR ? 8 : 4, law == M4 ? TURNS : SLABS);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_same_bits),
};

int main(void)
{
    return cmocka_run_group_tests(tests, NULL, NULL);
}
