/* SPDX-License-Identifier: MIT */
/**
 * @file domains.c
 * One system cut into worlds that exchange forces on ghosts between the halves of a step: the same
 * bits as one world, for any cut and any law; and what the halves refuse.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/ghosts.h"
#include "../support/heap_short.h"
#include "../support/scene.h"

#include <math.h>
#include <stdlib.h>
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
    double margin;                  /* 0: MARGIN */
    int moves_every;                /* steps after which grains change worlds; 0: they do not */
    const dem_allocator *allocator; /* or NULL */
    uint64_t chunk_rows;            /* 0: as many as a world has of itself */
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
    if (s->allocator != NULL)
        config.allocator = *s->allocator;
    config.integrator = s->integrator;
    config.threads = s->threads > 0 ? s->threads : 1;
    if (s->chunk_rows > 0)
        config.chunk_rows = s->chunk_rows;
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

/** Who owns a grain at first. */
static int first_owner(const system_of *s, int k)
{
    if (s->cut == TURNS)
        return k % s->domains;
    if (s->cut == ALL_BUT_ONE) /* the last domain has none */
        return k % (s->domains - 1);
    return k % SIDE * s->domains / SIDE;
}

typedef struct domains {
    const system_of *of;
    int owner[GRAINS];
    int step;
    dem_world *world[DOMAINS_MOST];
    dem_particle_handle handle[GRAINS];                 /* in the world that owns it */
    uint64_t ghosts[DOMAINS_MOST];                      /* of each world */
    int ghost[DOMAINS_MOST][GRAINS];                    /* grains */
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
        d->owner[k] = first_owner(s, k);
        const dem_particle p = grain_of(k, &random);
        OK(dem_particle_add(d->world[d->owner[k]], &p, &d->handle[k]));
        if (k == 7) { /* a load of the host */
            const double force[3] = {0.5, 0.0, 0.1}, torque[3] = {0.0, 0.02, 0.0};
            OK(dem_particle_set_force(d->world[d->owner[k]], d->handle[k], force, torque));
        }
    }
}

static void all_get(const domains *d, dem_ghost *all)
{
    ghosts_of_all(d->world, d->owner, d->handle, GRAINS, all);
}

/** Every world gets as ghosts what is near to what it owns. */
static void ghosts_give(domains *d, const dem_ghost *all)
{
    static dem_ghost some[GRAINS];
    const system_of *s = d->of;
    const double margin = s->margin > 0.0 ? s->margin : MARGIN;
    const double reach = margin + (s->law == JKR ? 0.1 : 0.0);
    for (int n = 0; n < s->domains; ++n) {
        d->ghosts[n] = ghosts_near(all, d->owner, GRAINS, n, reach, SIDE, d->ghost[n], some);
        OK(dem_ghosts_set(d->world[n], d->ghosts[n], some, margin, d->ghost_at[n]));
    }
}

static void ghosts_set(domains *d)
{
    static dem_ghost all[GRAINS];
    all_get(d, all);
    ghosts_give(d, all);
}

typedef struct parcel {
    void *bytes;
    uint64_t size;
    int to;
} parcel;

/** Those that leave one world for another. */
static uint64_t leaving(const domains *d, const int *owner, int from, int to,
                        dem_particle_handle *handles)
{
    uint64_t count = 0;
    for (int k = 0; k < GRAINS; ++k)
        if (d->owner[k] == from && owner[k] == to && from != to)
            handles[count++] = d->handle[k];
    return count;
}

/** Grains change worlds. */
static void move(domains *d, const int *owner)
{
    static dem_ghost all[GRAINS];
    static parcel parcels[DOMAINS_MOST * DOMAINS_MOST];
    static dem_particle_handle handles[GRAINS];
    int count = 0;
    all_get(d, all);
    for (int from = 0; from < d->of->domains; ++from)
        for (int to = 0; to < d->of->domains; ++to) {
            const uint64_t some = leaving(d, owner, from, to, handles);
            parcel *p = &parcels[count];
            if (some == 0)
                continue;
            OK(dem_particles_pack(d->world[from], some, handles, NULL, 0, &p->size));
            p->bytes = malloc((size_t)p->size);
            assert_non_null(p->bytes);
            OK(dem_particles_pack(d->world[from], some, handles, p->bytes, p->size, NULL));
            p->to = to;
            ++count;
        }
    for (int from = 0; from < d->of->domains; ++from)
        for (int to = 0; to < d->of->domains; ++to) {
            const uint64_t some = leaving(d, owner, from, to, handles);
            OK(dem_particles_release(d->world[from], some, handles));
        }
    memcpy(d->owner, owner, sizeof d->owner);
    ghosts_give(d, all);
    for (int k = 0; k < count; ++k) {
        if (dem_particles_unpack(d->world[parcels[k].to], parcels[k].bytes, parcels[k].size,
                                 NULL) != DEM_OK)
            fail_msg("%s", dem_world_error(d->world[parcels[k].to]));
        free(parcels[k].bytes);
    }
    for (int k = 0; k < GRAINS; ++k)
        OK(dem_particle_find(d->world[owner[k]], (uint64_t)k + 1, &d->handle[k]));
}

/** By place in slabs, in turns with a new one each time, or at random. */
static void move_all(domains *d)
{
    static int owner[GRAINS];
    static dem_ghost all[GRAINS];
    const system_of *s = d->of;
    test_random random = {.state = (uint64_t)d->step + 1};
    all_get(d, all);
    for (int k = 0; k < GRAINS; ++k) {
        const double x = all[k].position[0] / SIDE, inside = x - floor(x);
        owner[k] = s->cut == SLABS ? (int)(inside * s->domains) % s->domains
                   : s->cut == TURNS
                       ? (k + d->step) % s->domains
                       : (int)test_uniform(&random, 0.0, (double)s->domains) % s->domains;
    }
    move(d, owner);
}

static void exchange(domains *d)
{
    for (int n = 0; n < d->of->domains; ++n)
        for (uint64_t g = 0; g < d->ghosts[n]; ++g) {
            const int k = d->ghost[n][g];
            double load[6];
            OK(dem_particles_forces_get(d->world[d->owner[k]], 1, &d->handle[k], load));
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
        if (d->of->moves_every > 0 && d->step % d->of->moves_every == d->of->moves_every - 1)
            move_all(d);
        ++d->step;
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
        const dem_world *world = d->world[d->owner[k]];
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
    assert_true(s.moves_every > 0 || many.sets > 1);
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

/** Grains that change worlds lose nothing: neither springs nor forces nor loads. */
static void test_moves(void **state)
{
    (void)state;
    const int steps = test_rounds(1500);
    for (law law = LINEAR; law <= JKR; ++law)
        for (cut cut = SLABS; cut <= ALL_BUT_ONE; ++cut) {
            const system_of s = {.law = law,
                                 .steps = steps,
                                 .sums = DEM_SUMS_EXACT,
                                 .moves_every = steps / 15 + (int)law};
            same_bits(&s, cut == SLABS ? 4 : cut == TURNS ? 2 : 8, cut);
        }
}

/** Ten thousand steps; every five hundred all grains change worlds. */
static void test_many_steps(void **state)
{
    (void)state;
    test_long();
    for (law law = LINEAR; law <= JKR; ++law) {
        const system_of s = {
            .law = law, .steps = 10000, .sums = DEM_SUMS_EXACT, .moves_every = 500};
        same_bits(&s, law == M4 ? 8 : 4, SLABS);
    }
}

/* ------------------------------------------------------------------ other cuts and options */

/** A world without ghosts, and one without grains. */
static void test_empty_domain(void **state)
{
    (void)state;
    const system_of s = {.steps = 300, .sums = DEM_SUMS_EXACT};
    same_bits(&s, 3, ALL_BUT_ONE);
}

static void test_threads(void **state)
{
    (void)state;
    const system_of s = {.steps = 300, .sums = DEM_SUMS_EXACT, .threads = 3};
    same_bits(&s, 2, TURNS);
}

/** Without ghosts the halves are dem_step, in all schemes. */
static void test_halves_are_a_step(void **state)
{
    (void)state;
    const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_VERLET_STANDARD,
                               DEM_INTEGRATOR_LEAPFROG};
    static outcome whole, halves;
    for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; ++k) {
        static domains d;
        const system_of s = {.domains = 1, .steps = 200, .integrator = schemes[k]};
        run_system(&s, &whole);
        memset(&halves, 0, sizeof halves);
        domains_make(&d, &s);
        begin(&d, 0.0);
        end(&d);
        for (int step = 0; step < s.steps; ++step) {
            if (step % 3 == 0) { /* and one that is taken back leaves nothing */
                begin(&d, DT);
                OK(dem_step_cancel(d.world[0]));
            }
            begin(&d, DT);
            end(&d);
        }
        read(&d, &halves);
        destroy(&d);
        assert_memory_equal(whole.motion, halves.motion, sizeof whole.motion);
        assert_memory_equal(&whole.energies, &halves.energies, sizeof whole.energies);
    }
}

/** With sums of a fixed order the physics is the same: a few steps to round-off. */
static void test_fixed_order(void **state)
{
    (void)state;
    static outcome one, many;
    system_of s = {.law = MINDLIN, .domains = 1, .steps = 60};
    run_system(&s, &one);
    s.domains = 4;
    run_system(&s, &many);
    assert_true(distance(one.motion[0], many.motion[0], GRAINS * 9) < 1e-11);
}

/** One world fails in a step: all take it back, and go on as if it had not begun. */
static void test_one_fails_and_all_cancel(void **state)
{
    (void)state;
    static domains d, e;
    static outcome a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    const system_of s = {.domains = 3, .sums = DEM_SUMS_EXACT};
    domains_make(&d, &s);
    domains_make(&e, &s);
    start(&d);
    start(&e);
    run(&d, 100);
    run(&e, 100);
    /* a load on a grain of the last world that is no number */
    const int k = SIDE - 1;
    double bad[3] = {0.0, 0.0, 1e300}, none[3] = {0.0, 0.0, 0.0};
    assert_int_equal(d.owner[k], 2);
    OK(dem_particle_set_force(d.world[2], d.handle[k], bad, NULL));
    OK(dem_step_begin(d.world[0], DT));
    OK(dem_step_begin(d.world[1], DT));
    assert_int_equal(dem_step_begin(d.world[2], DT), DEM_ERROR_DIVERGED);
    OK(dem_step_cancel(d.world[0]));
    OK(dem_step_cancel(d.world[1]));
    assert_int_equal(dem_step_cancel(d.world[2]), DEM_ERROR_STATE);
    OK(dem_particle_set_force(d.world[2], d.handle[k], none, NULL));
    run(&d, 100);
    run(&e, 100);
    read(&d, &a);
    read(&e, &b);
    assert_memory_equal(a.motion, b.motion, sizeof a.motion);
    assert_memory_equal(&a.energies, &b.energies, sizeof a.energies);
    destroy(&d);
    destroy(&e);
}

/** Snapshots keep ghosts with their contacts. Ghosts are to be set after a restore. */
static void test_snapshots(void **state)
{
    (void)state;
    static domains d, e;
    static outcome a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    const system_of s = {.law = M4, .domains = 3, .sums = DEM_SUMS_EXACT};
    domains_make(&d, &s);
    start(&d);
    run(&d, 300);
    e = d;
    for (int n = 0; n < s.domains; ++n) {
        uint64_t size = 0;
        OK(dem_world_snapshot_size(d.world[n], &size));
        void *bytes = malloc((size_t)size);
        assert_non_null(bytes);
        OK(dem_world_snapshot(d.world[n], bytes, size, &size));
        e.world[n] = make_world(&s);
        OK(dem_world_restore(e.world[n], bytes, size));
        free(bytes);
        assert_int_equal(dem_ghosts_wanted(e.world[n]), 1);
        assert_int_equal(dem_step_begin(e.world[n], DT), DEM_ERROR_STATE);
    }
    for (int k = 0; k < GRAINS; ++k)
        OK(dem_particle_find(e.world[e.owner[k]], (uint64_t)k + 1, &e.handle[k]));
    run(&d, 200);
    run(&e, 200);
    read(&d, &a);
    read(&e, &b);
    assert_memory_equal(a.motion, b.motion, sizeof a.motion);
    destroy(&d);
    destroy(&e);
}

/** A world far from all others has no ghosts. After a restore it may need some, like its
 * neighbours. */
static void test_snapshot_without_ghosts(void **state)
{
    (void)state;
    const system_of s = {.domains = 1, .sums = DEM_SUMS_EXACT};
    for (int k = 0; k < 2; ++k) {
        uint64_t size = 0;
        dem_world *world = make_world(&s), *other = make_world(&s);
        OK(dem_ghosts_set(world, 0, NULL, k == 0 ? 0.5 : INFINITY, NULL));
        OK(dem_step_begin(world, 0.0));
        OK(dem_step_end(world));
        OK(dem_world_snapshot_size(world, &size));
        void *bytes = malloc((size_t)size);
        assert_non_null(bytes);
        OK(dem_world_snapshot(world, bytes, size, NULL));
        OK(dem_world_restore(other, bytes, size));
        assert_int_equal(dem_ghosts_wanted(other), k == 0);
        assert_int_equal(dem_step_begin(other, DT), k == 0 ? DEM_ERROR_STATE : DEM_OK);
        if (k == 0) {
            assert_int_equal(dem_step(other, DT, 1), DEM_ERROR_STATE);
            OK(dem_ghosts_set(other, 0, NULL, INFINITY, NULL));
            OK(dem_step(other, DT, 1));
        }
        free(bytes);
        dem_world_destroy(world);
        dem_world_destroy(other);
    }
}

/** Marks keep ghosts, too. */
static void test_mark(void **state)
{
    (void)state;
    static domains d;
    static outcome a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    const system_of s = {.domains = 2, .sums = DEM_SUMS_EXACT, .margin = 3.0};
    domains_make(&d, &s);
    start(&d);
    run(&d, 50);
    ghosts_set(&d);
    for (int n = 0; n < 2; ++n)
        OK(dem_world_mark(d.world[n]));
    assert_int_equal(run(&d, 150), 0);
    read(&d, &a);
    for (int n = 0; n < 2; ++n)
        OK(dem_world_rewind(d.world[n]));
    assert_int_equal(run(&d, 150), 0);
    read(&d, &b);
    assert_memory_equal(a.motion, b.motion, sizeof a.motion);
    destroy(&d);
}

/* ------------------------------------------------------------------ what others see of ghosts */

static void expect_counted(const dem_contact_key *key, const domains *d)
{
    /* world 0 counts what has its body of lower id there */
    assert_int_equal(d->owner[(int)key->id_i - 1], 0);
}

/** What a world is given of a ghost, it has: with its loads, and on its way through the box. */
static void test_ghosts_are_what_was_given(void **state)
{
    (void)state;
    static domains d;
    const system_of s = {.domains = 2};
    domains_make(&d, &s);
    start(&d);
    run(&d, 1200);
    dem_world *third = make_world(&s);
    uint64_t hash[2];
    int images = 0, forces = 0, loads = 0;
    if (dem_step(third, DT, 1200) != DEM_OK)
        fail_msg("%s", dem_world_error(third));
    OK(dem_world_hash(third, &hash[0]));
    for (int k = 0; k < GRAINS; ++k) {
        dem_ghost given, got;
        dem_particle_handle handle;
        given.struct_size = got.struct_size = sizeof given;
        OK(dem_ghosts_get(d.world[d.owner[k]], 1, &d.handle[k], &given));
        OK(dem_ghosts_set(third, 1, &given, 1.0, &handle));
        OK(dem_ghosts_get(third, 1, &handle, &got));
        assert_memory_equal(&given, &got, sizeof given);
        images += given.image[0] != 0 || given.image[1] != 0;
        forces += given.force[2] != 0.0 && given.torque[0] != 0.0;
        loads += given.external_force[0] != 0.0 && given.external_torque[1] != 0.0;
        /* and named once more */
        given.velocity[1] += given.mobility == DEM_MOBILITY_FIXED ? 0.0 : 1.0;
        given.force[0] += 1.0;
        OK(dem_ghosts_set(third, 1, &given, 1.0, &handle));
        OK(dem_ghosts_get(third, 1, &handle, &got));
        assert_memory_equal(&given, &got, sizeof given);
    }
    assert_true(images > 3 && forces > 3);
    assert_int_equal(loads, 1);
    OK(dem_world_hash(third, &hash[1]));
    assert_int_equal(hash[0], hash[1]);
    dem_world_destroy(third);
    destroy(&d);
}

/** Two spheres that meet: the margin is used up when each has gone half of it. */
static void test_margin(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.gravity[2] = 0.0;
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 0.0);
    p.velocity[0] = 2.0;
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_ghosts_set(world, 0, NULL, 0.202, NULL));
    int steps = 0;
    for (double dt = 0.0; dem_step_begin(world, dt) == DEM_OK; dt = 1e-3, ++steps) {
        OK(dem_step_end(world));
        /* when a step like the last one could be the last */
        assert_int_equal(dem_ghosts_wanted(world), steps > 48);
        /* whatever step begins and is taken back */
        OK(dem_step_begin(world, 1e-4));
        assert_int_equal(dem_ghosts_wanted(world), steps > 48);
        OK(dem_step_cancel(world));
        assert_int_equal(dem_ghosts_wanted(world), steps > 48);
        /* and whatever is evaluated */
        OK(dem_step_begin(world, 0.0));
        OK(dem_step_end(world));
        assert_int_equal(dem_ghosts_wanted(world), steps > 48);
    }
    assert_int_equal(steps, 51); /* one of them evaluates */
    dem_world_destroy(world);
}

/** Views, contacts that are read, counts and callbacks leave out what another world counts. */
static void test_ghosts_are_not_counted(void **state)
{
    (void)state;
    static domains d;
    const system_of s = {.domains = 2};
    domains_make(&d, &s);
    ghosts_set(&d);
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(d.world[0], DEM_FIELD_POSITION, &view));
    uint64_t shown = 0;
    for (uint64_t row = 0; row < view.count; ++row)
        shown += view.id[row] != 0;
    assert_int_equal(shown, GRAINS / 2);
    assert_true(d.ghosts[0] > 0);
    assert_int_equal(view.count, GRAINS / 2 + d.ghosts[0]);
    dem_world_counts counts = {.struct_size = sizeof counts};
    OK(dem_world_counts_get(d.world[0], &counts));
    assert_int_equal(counts.particles, GRAINS / 2);
    /* one that is added, and removed, beside ghosts */
    dem_particle more = scene_particle(1.0, 1.0, 50.0);
    dem_particle_handle handle;
    more.id = 7000;
    OK(dem_particle_add(d.world[0], &more, &handle));
    OK(dem_world_view(d.world[0], DEM_FIELD_POSITION, &view));
    assert_int_equal(view.id[view.index_count - 1], 7000);
    OK(dem_particle_remove(d.world[0], handle));
    OK(dem_world_view(d.world[0], DEM_FIELD_POSITION, &view));
    assert_int_equal(view.id[view.count - 1], 0);
    ghosts_set(&d);
    begin(&d, 0.0);
    exchange(&d);
    end(&d);
    run(&d, 1000);
    uint64_t cursor = 0, read_count = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_world_contact_next(d.world[0], &cursor, &contact) == DEM_OK) {
        expect_counted(&contact.key, &d);
        ++read_count;
    }
    OK(dem_world_counts_get(d.world[0], &counts));
    assert_int_equal(counts.contacts, read_count);
    assert_true(read_count > 20);
    destroy(&d);
}

/** What particles have of contacts, by id. */
static void analyse_all(const domains *d, uint64_t *contacts, double (*moment)[9])
{
    static uint64_t id[GRAINS], count[GRAINS];
    static double sums[GRAINS][9];
    for (int n = 0; n < d->of->domains; ++n) {
        dem_analysis_particles arrays;
        uint64_t rows = 0;
        OK(dem_analysis_particles_init(&arrays));
        arrays.capacity = GRAINS;
        arrays.id = id;
        arrays.contacts = count;
        arrays.moment = sums[0];
        OK(dem_world_particles_analyse(d->world[n], &arrays, &rows));
        for (uint64_t row = 0; row < rows; ++row)
            if (id[row] == 0) {
                assert_int_equal(count[row], 0);
            } else {
                contacts[id[row] - 1] = count[row];
                memcpy(moment[id[row] - 1], sums[row], sizeof sums[row]);
            }
    }
}

/** Views show what is owned, and no ghosts, however many ghosts come and go between two steps. */
static void test_ids_of_ghosts_that_come_and_go(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config), *other = scene_world(&config);
    dem_ghost ghost[3] = {{0}};
    for (uint64_t n = 1; n <= 200; ++n) {
        dem_particle p = scene_particle(3.0 * (double)n, 0.0, 5.0), q = p;
        dem_particle_handle handle;
        for (uint64_t k = 0; k < 3; ++k) {
            q.position[1] += 1.5;
            q.id = 1000 + 3 * n + k;
            OK(dem_particle_add(other, &q, &handle));
            ghost[k].struct_size = sizeof ghost[k];
            OK(dem_ghosts_get(other, 1, &handle, &ghost[k]));
        }
        OK(dem_ghosts_set(world, 3, ghost, INFINITY, NULL));
        p.id = n;
        OK(dem_particle_add(world, &p, &handle));
        dem_view view = {.struct_size = sizeof view};
        OK(dem_world_view(world, DEM_FIELD_POSITION, &view));
        uint64_t shown = 0;
        for (uint64_t row = 0; row < view.count; ++row) {
            assert_true(view.id[row] < 1000);
            shown += view.id[row] != 0;
        }
        assert_int_equal(shown, n);
    }
    dem_world_destroy(world);
    dem_world_destroy(other);
}

/** Both halves of a step of worlds without ghosts; walls that seek are told what acts in all. */
static void step_of_two(dem_world *const *world, double dt, uint64_t wall)
{
    double part[DEM_WALL_PART_SIZE], total[DEM_WALL_PART_SIZE] = {0.0};
    for (int n = 0; n < 2; ++n) {
        OK(dem_step_begin(world[n], dt));
        OK(dem_wall_part_get(world[n], wall, part));
        for (int k = 0; k < DEM_WALL_PART_SIZE; ++k)
            total[k] += part[k];
    }
    for (int n = 0; n < 2; ++n) {
        OK(dem_wall_total_set(world[n], wall, total));
        OK(dem_step_end(world[n]));
    }
}

/** Worlds that leave all particles to one of them move their walls alike. */
static void test_all_particles_to_one(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world[2];
    for (int n = 0; n < 2; ++n) {
        dem_wall wall;
        dem_wall_servo servo;
        world[n] = scene_world(&config);
        OK(dem_wall_init(&wall));
        wall.id = 1000;
        OK(dem_wall_add(world[n], &wall, NULL));
        OK(dem_wall_servo_init(&servo));
        servo.target = 3.0;
        servo.gain = 1e-3;
        servo.speed = 0.1;
        OK(dem_wall_set_servo(world[n], 1000, &servo));
        dem_particle p = scene_particle(5.0 * n, 0.0, 0.499);
        p.id = (uint64_t)n + 1;
        OK(dem_particle_add(world[n], &p, NULL));
        OK(dem_ghosts_set(world[n], 0, NULL, INFINITY, NULL));
    }
    step_of_two(world, 0.0, 1000);
    for (int step = 0; step < 20; ++step)
        step_of_two(world, DT, 1000);
    dem_particle_handle second;
    unsigned char bytes[4096];
    uint64_t size = 0;
    OK(dem_particle_find(world[1], 2, &second));
    OK(dem_particles_pack(world[1], 1, &second, bytes, sizeof bytes, &size));
    OK(dem_particle_remove(world[1], second));
    OK(dem_particles_unpack(world[0], bytes, size, NULL));
    for (int step = 0; step < 3; ++step) {
        dem_wall one = {.struct_size = sizeof one}, two = one;
        if (step > 0)
            step_of_two(world, DT, 1000);
        OK(dem_wall_get(world[0], 1000, &one));
        OK(dem_wall_get(world[1], 1000, &two));
        assert_true(one.velocity[2] != 0.0 && fabs(one.velocity[2]) < 0.1);
        assert_memory_equal(one.velocity, two.velocity, sizeof one.velocity);
        assert_memory_equal(one.point, two.point, sizeof one.point);
    }
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

/** Particles whose forces must be evaluated take that along, to a world that had none, too. */
static void test_stale_forces_travel(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    for (int changed = 0; changed < 2; ++changed) {
        dem_world *world[3]; /* from, to, and one where they stay */
        dem_particle_handle handle[3][2];
        for (int n = 0; n < 3; ++n) {
            world[n] = scene_world(&config);
            for (int k = 0; k < 2 && n != 1; ++k) {
                dem_particle p = scene_particle(0.95 * k, 0.0, 5.0);
                p.id = (uint64_t)k + 1;
                OK(dem_particle_add(world[n], &p, &handle[n][k]));
            }
            OK(dem_ghosts_set(world[n], 0, NULL, INFINITY, NULL));
            OK(dem_step_begin(world[n], 0.0));
            OK(dem_step_end(world[n]));
        }
        for (int n = 0; n < 3 && changed; ++n)
            scene_model(world[n], 0, 0, 2000.0, 0.4, 0.7);
        unsigned char bytes[4096];
        uint64_t size = 0;
        OK(dem_particles_pack(world[0], 2, handle[0], bytes, sizeof bytes, &size));
        OK(dem_particles_release(world[0], 2, handle[0]));
        OK(dem_particles_unpack(world[1], bytes, size, NULL));
        OK(dem_ghosts_set(world[1], 0, NULL, INFINITY, NULL));
        for (int n = 1; n < 3; ++n) {
            assert_int_equal(dem_step_begin(world[n], DT), changed ? DEM_ERROR_STATE : DEM_OK);
            if (changed) {
                OK(dem_step_begin(world[n], 0.0));
                OK(dem_step_end(world[n]));
                OK(dem_step_begin(world[n], DT));
            }
            OK(dem_step_end(world[n]));
        }
        for (int k = 0; k < 2; ++k) {
            dem_particle one = {.struct_size = sizeof one}, two = one;
            OK(dem_particle_find(world[1], (uint64_t)k + 1, &handle[1][k]));
            OK(dem_particle_get(world[1], handle[1][k], &one));
            OK(dem_particle_get(world[2], handle[2][k], &two));
            assert_true(one.velocity[0] != 0.0);
            assert_memory_equal(one.velocity, two.velocity, sizeof one.velocity);
        }
        for (int n = 0; n < 3; ++n)
            dem_world_destroy(world[n]);
    }
}

static double facets_force(dem_world *world)
{
    dem_view view = {.struct_size = sizeof view};
    OK(dem_wall_view(world, 1000, DEM_FACET_FORCE, &view));
    double sum = 0.0;
    for (uint64_t f = 0; f < view.count; ++f)
        sum += ((const double *)view.data)[3 * f + 2];
    return sum;
}

/** What acts on facets counts once, also where a particle has moved and no step was made since. */
static void test_facets_of_a_particle_that_moves(void **state)
{
    (void)state;
    static const double corners[4][3] = {
        {-2.0, -2.0, 0.0}, {2.0, -2.0, 0.0}, {2.0, 2.0, 0.0}, {-2.0, 2.0, 0.0}};
    static const uint32_t facets[2][3] = {{0, 1, 2}, {0, 2, 3}};
    dem_world_config config = scene_config();
    dem_mesh_config mesh_config;
    dem_mesh *mesh;
    dem_world *world[2];
    OK(dem_mesh_config_init(&mesh_config));
    OK(dem_mesh_create(&mesh_config, corners[0], 4, facets[0], 2, &mesh, NULL));
    dem_particle p = scene_particle(0.5, 0.0, 0.499);
    dem_particle_handle handle, ghost;
    p.id = 1;
    for (int n = 0; n < 2; ++n) {
        dem_wall wall;
        world[n] = scene_world(&config);
        OK(dem_wall_init(&wall));
        wall.id = 1000;
        wall.shape = DEM_SHAPE_MESH;
        wall.mesh = mesh;
        OK(dem_wall_add(world[n], &wall, NULL));
        if (n == 0)
            OK(dem_particle_add(world[n], &p, &handle));
        OK(dem_ghosts_set(world[n], 0, NULL, INFINITY, NULL));
        for (int step = 0; step < 3; ++step) {
            OK(dem_step_begin(world[n], step * 1e-5));
            OK(dem_step_end(world[n]));
        }
    }
    const double force = facets_force(world[0]);
    assert_true(force < -0.5 && facets_force(world[1]) == 0.0);
    unsigned char bytes[4096];
    uint64_t size = 0;
    dem_ghost copy = {.struct_size = sizeof copy};
    OK(dem_ghosts_get(world[0], 1, &handle, &copy));
    OK(dem_particles_pack(world[0], 1, &handle, bytes, sizeof bytes, &size));
    OK(dem_particles_release(world[0], 1, &handle));
    OK(dem_ghosts_set(world[0], 1, &copy, INFINITY, &ghost));
    OK(dem_particles_unpack(world[1], bytes, size, NULL));
    assert_true(facets_force(world[0]) == 0.0 && facets_force(world[1]) == force);
    for (int n = 0; n < 2; ++n)
        dem_world_destroy(world[n]);
    dem_mesh_destroy(mesh);
}

/** A field of ghosts that is told in part, and then written whole in a world that has grown. */
static void test_fields_of_a_world_that_grew(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *from = scene_world(&config), *to = scene_world(&config);
    dem_particle_handle own[2], ghost[2];
    dem_ghost copy[2] = {{.struct_size = sizeof copy[0]}, {.struct_size = sizeof copy[0]}};
    for (int k = 0; k < 2; ++k) {
        dem_particle p = scene_particle(1.1 * k, 0.0, 5.0);
        p.id = (uint64_t)k + 1;
        OK(dem_particle_add(from, &p, &own[k]));
    }
    OK(dem_ghosts_get(from, 2, own, copy));
    OK(dem_ghosts_set(to, 2, copy, 1.0, ghost));
    const double force[3] = {1.0, 0.0, 0.0};
    OK(dem_ghosts_field_set(to, DEM_FIELD_EXTERNAL_FORCE, 1, &ghost[0], force));
    for (int k = 0; k < 2000; ++k) {
        dem_particle p = scene_particle(10.0 + 1.1 * k, 0.0, 5.0);
        p.id = 100 + (uint64_t)k;
        OK(dem_particle_add(to, &p, NULL));
    }
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(to, DEM_FIELD_EXTERNAL_FORCE, &view));
    OK(dem_world_written_field(to, DEM_FIELD_EXTERNAL_FORCE));
    OK(dem_ghosts_set(to, 2, copy, 1.0, ghost)); /* grains were added */
    OK(dem_ghosts_field_set(to, DEM_FIELD_EXTERNAL_FORCE, 1, &ghost[0], force));
    OK(dem_world_written_field(to, DEM_FIELD_EXTERNAL_FORCE));
    assert_int_equal(dem_step_begin(to, 0.0), DEM_ERROR_STATE); /* ghosts lack it */
    const double forces[2][3] = {{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    OK(dem_ghosts_field_set(to, DEM_FIELD_EXTERNAL_FORCE, 2, ghost, forces[0]));
    OK(dem_step_begin(to, 0.0));
    OK(dem_step_cancel(to));
    dem_world_destroy(from);
    dem_world_destroy(to);
}

/** What the host does to the particle of a world with a margin, in ways from 0 on: whether the
 * particle or its motion differs then; or -1 where there is no such way. */
static int host_moves(dem_world *world, dem_particle_handle handle, int way)
{
    const double there[3] = {0.5, 0.0, 5.0}, fast[3] = {0.25, 0.0, 0.0};
    const double first[3] = {0.0, 0.0, 0.0};
    dem_particle more = scene_particle(30.0, 0.0, 5.0);
    dem_view view = {.struct_size = sizeof view};
    more.id = 50;
    if (way == 0)
        OK(dem_particle_set_motion(world, handle, there, NULL, NULL));
    else if (way == 1)
        OK(dem_particle_set_motion(world, handle, NULL, fast, NULL));
    else if (way == 2)
        OK(dem_particle_set_motion(world, handle, NULL, NULL, fast));
    else if (way == 3)
        OK(dem_particle_add(world, &more, NULL));
    else if (way == 4)
        OK(dem_world_field_set(world, DEM_FIELD_ANGULAR_VELOCITY, 1, fast));
    if (way < 5)
        return 1;
    if (way == 5 || way == 6) { /* changed, or the same */
        OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
        if (way == 5)
            memcpy(view.data, fast, sizeof fast);
        OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
        return way == 5;
    }
    if (way == 7 || way == 8) {
        OK(dem_world_view(world, DEM_FIELD_ANGULAR_VELOCITY, &view));
        if (way == 7)
            memcpy(view.data, fast, sizeof fast);
        OK(dem_world_written(world));
        return way == 7;
    }
    if (way == 9) {
        OK(dem_world_field_set(world, DEM_FIELD_VELOCITY, 1, first));
        OK(dem_particle_set_motion(world, handle, NULL, first, first));
        return 0;
    }
    return -1;
}

/** Ghosts of a particle that the host adds or moves are stale in all worlds, and perhaps lacking:
 * no half step comes before new ones. */
static void test_ghosts_of_what_the_host_moves(void **state)
{
    (void)state;
    for (int way = 0;; ++way) {
        dem_world_config config = scene_config();
        dem_world *world = scene_world(&config);
        dem_particle_handle handle;
        dem_particle p = scene_particle(0.0, 0.0, 5.0);
        p.id = 1;
        OK(dem_particle_add(world, &p, &handle));
        OK(dem_ghosts_set(world, 0, NULL, 1.0, NULL));
        OK(dem_step_begin(world, 0.0));
        OK(dem_step_end(world));
        assert_false(dem_ghosts_wanted(world));
        const int moved = host_moves(world, handle, way);
        if (moved < 0) {
            assert_int_equal(way, 10);
            dem_world_destroy(world);
            return;
        }
        assert_int_equal(dem_ghosts_wanted(world), moved);
        assert_int_equal(dem_step_begin(world, 0.0), moved ? DEM_ERROR_STATE : DEM_OK);
        if (moved) {
            assert_non_null(strstr(dem_world_error(world), "dem_ghosts_set"));
            OK(dem_ghosts_set(world, 0, NULL, 1.0, NULL));
            assert_false(dem_ghosts_wanted(world));
            OK(dem_step_begin(world, 0.0));
        }
        OK(dem_step_end(world));
        dem_world_destroy(world);
    }
}

/** What changes no position or velocity asks for no ghosts, whatever else the host changed, viewed
 * or told of, in any order. */
static void test_ghosts_of_what_stays(void **state)
{
    (void)state;
    const double force[3] = {1.0, 0.0, 0.0};
    for (int way = 0; way < 4; ++way) {
        dem_world_config config = scene_config();
        dem_world *world = scene_world(&config);
        dem_particle_handle handle;
        dem_particle p = scene_particle(0.0, 0.0, 5.0);
        dem_view view = {.struct_size = sizeof view};
        dem_wall plane;
        p.id = 1;
        OK(dem_particle_add(world, &p, &handle));
        OK(dem_ghosts_set(world, 0, NULL, 1.0, NULL));
        for (int step = 0; step < (way == 3 ? 5 : 1); ++step) {
            if (way == 1 || way == 2 || way == 3)
                OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
            if (way == 2) { /* forces are stale by a wall */
                OK(dem_wall_init(&plane));
                plane.id = 9;
                OK(dem_wall_add(world, &plane, NULL));
            }
            if (way == 3)
                OK(dem_ghosts_set(world, 0, NULL, 1.0, NULL));
            if (way == 0 || way == 3)
                OK(dem_world_field_set(world, DEM_FIELD_EXTERNAL_FORCE, 1, force));
            if (way == 1)
                OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
            else
                OK(dem_world_written(world));
            assert_false(dem_ghosts_wanted(world));
            OK(dem_step_begin(world, 0.0));
            OK(dem_step_end(world));
        }
        dem_world_destroy(world);
    }
}

/** A ghost that stays and loses its added mass asks for shorter steps, as its owner does. */
static void test_added_mass_that_a_ghost_loses(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    static const double nothing[6] = {0.0}, still[3] = {0.0, 0.0, 0.0};
    dem_world *world = scene_world(&config), *other = scene_world(&config);
    dem_particle_handle far, handle;
    dem_particle p = scene_particle(0.0, 0.0, 0.0);
    dem_timestep_advice light = {.struct_size = sizeof light};
    dem_ghost ghost = {.struct_size = sizeof ghost};
    /* nothing moves: what moves has a new list, before which dt is looked at in any case */
    OK(dem_world_gravity_set(world, still));
    OK(dem_world_gravity_set(other, still));
    p.id = 1;
    OK(dem_particle_add(world, &p, NULL));
    p.id = 2;
    p.position[2] = 3.0;
    OK(dem_particle_add(other, &p, &far));
    const double much = 9.9, masses[] = {0.0, much, 0.0};
    OK(dem_world_field_set(world, DEM_FIELD_ADDED_MASS, 1, &much));
    for (int n = 0; n < 3; ++n) {
        OK(dem_world_field_set(other, DEM_FIELD_ADDED_MASS, 1, &masses[n]));
        OK(dem_step(other, 1e-4, 0));
        OK(dem_ghosts_get(other, 1, &far, &ghost));
        OK(dem_ghosts_set(world, 1, &ghost, 1.0, &handle));
        if (n == 0)
            OK(dem_world_timestep_advise(world, NULL, &light));
        for (int k = 0; n == 1 && k < 2; ++k) {
            OK(dem_step_begin(world, k * 2.0 * light.stability));
            OK(dem_ghosts_forces_set(world, 1, &handle, nothing));
            OK(dem_step_end(world));
        }
    }
    assert_int_equal(dem_step_begin(world, 2.0 * light.stability), DEM_ERROR_RANGE);
    OK(dem_step_begin(world, 0.5 * light.stability));
    dem_world_destroy(world);
    dem_world_destroy(other);
}

/** Without a bound on the margin a world with ghosts has neighbours, whose ghosts of its particles
 * are stale when the host moves one; a world without ghosts is alone. */
static void test_ghosts_without_a_margin(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; ++alone) {
        dem_world_config config = scene_config();
        dem_world *world = scene_world(&config), *other = scene_world(&config);
        dem_particle_handle own, far;
        dem_particle p = scene_particle(0.0, 0.0, 5.0);
        dem_ghost ghost = {.struct_size = sizeof ghost};
        p.id = 1;
        OK(dem_particle_add(world, &p, &own));
        p.id = 2;
        p.position[0] = 20.0;
        OK(dem_particle_add(other, &p, &far));
        OK(dem_ghosts_get(other, 1, &far, &ghost));
        OK(dem_ghosts_set(world, alone ? 0 : 1, &ghost, INFINITY, NULL));
        assert_false(dem_ghosts_wanted(world));
        p.id = 3;
        p.position[0] = 5.0;
        OK(dem_particle_add(world, &p, NULL));
        assert_int_equal(dem_ghosts_wanted(world), !alone);
        assert_int_equal(dem_step_begin(world, 0.0), alone ? DEM_OK : DEM_ERROR_STATE);
        dem_world_destroy(world);
        dem_world_destroy(other);
    }
}

/** Fabric and moment of a particle have its contacts with ghosts, too. */
static void test_particles_are_analysed_whole(void **state)
{
    (void)state;
    static domains one, some;
    static uint64_t contacts[2][GRAINS];
    static double moment[2][GRAINS][9];
    const system_of whole = {.domains = 1}, cut = {.domains = 3};
    domains_make(&one, &whole);
    domains_make(&some, &cut);
    start(&one);
    start(&some);
    run(&one, 500);
    run(&some, 500);
    analyse_all(&one, contacts[0], moment[0]);
    analyse_all(&some, contacts[1], moment[1]);
    uint64_t all = 0;
    for (int k = 0; k < GRAINS; ++k) {
        assert_int_equal(contacts[0][k], contacts[1][k]);
        all += contacts[0][k];
        for (int c = 0; c < 9; ++c)
            assert_true(fabs(moment[0][k][c] - moment[1][k][c]) <
                        1e-10 * (1.0 + fabs(moment[0][k][c])));
    }
    assert_true(all > 40);
    destroy(&one);
    destroy(&some);
}

/** What boxes have in all worlds together is what they have in one, which counts a contact once and
 * has the power of both ends. */
static void test_boxes_are_analysed_whole(void **state)
{
    (void)state;
    enum { BOXES = 4, SUMS = 9 };
    static domains one, some;
    double sum[2][BOXES][SUMS] = {{{0.0}}}, most = 0.0;
    /* in small chunks the end of lower id is a copy now and then */
    const system_of whole = {.domains = 1}, cut = {.domains = 3, .chunk_rows = 8};
    dem_analysis_grid grid;
    domains_make(&one, &whole);
    domains_make(&some, &cut);
    start(&one);
    start(&some);
    run(&one, 500);
    run(&some, 500);
    OK(dem_analysis_grid_init(&grid));
    grid.boxes[0] = grid.boxes[1] = 2;
    for (int c = 0; c < 3; ++c) {
        grid.low[c] = -20.0;
        grid.high[c] = 30.0;
    }
    for (int k = 0; k < 2; ++k) {
        const domains *d = k == 0 ? &one : &some;
        for (int n = 0; n < d->of->domains; ++n) {
            dem_analysis_box box[BOXES];
            for (int b = 0; b < BOXES; ++b)
                box[b].struct_size = sizeof box[b];
            OK(dem_world_boxes_analyse(d->world[n], &grid, BOXES, box));
            for (int b = 0; b < BOXES; ++b) {
                const double has[SUMS] = {(double)box[b].particles,
                                          (double)box[b].contact_ends,
                                          box[b].mass,
                                          box[b].moment[0],
                                          box[b].moment[4],
                                          box[b].moment[8],
                                          box[b].elastic,
                                          box[b].power_gravity,
                                          box[b].power_contact};
                for (int c = 0; c < SUMS; ++c)
                    sum[k][b][c] += has[c];
            }
        }
    }
    for (int b = 0; b < BOXES; ++b)
        for (int c = 0; c < SUMS; ++c) {
            assert_true(fabs(sum[0][b][c] - sum[1][b][c]) < 1e-10 * (1.0 + fabs(sum[0][b][c])));
            most = fmax(most, c == SUMS - 1 ? fabs(sum[0][b][c]) : 0.0);
        }
    assert_true(most > 1e-3); /* W */
    destroy(&one);
    destroy(&some);
}

/* ------------------------------------------------------------------ what is refused */

static void test_ghosts_that_are_missing(void **state)
{
    (void)state;
    static domains d;
    const system_of s = {.domains = 2, .margin = 0.3};
    domains_make(&d, &s);
    dem_world *world = d.world[0];
    expect(dem_step_begin(world, DT), DEM_ERROR_STATE, world, "dt of 0");
    /* no ghost is there yet, but may be soon */
    OK(dem_ghosts_set(world, 0, NULL, 0.1, NULL));
    expect(dem_step(world, DT, 1), DEM_ERROR_STATE, world, "INFINITY");
    OK(dem_ghosts_set(world, 0, NULL, (double)INFINITY, NULL));
    OK(dem_step(world, DT, 1));
    start(&d);
    assert_true(d.ghosts[0] > 2);
    expect(dem_step(world, DT, 1), DEM_ERROR_STATE, world, "dem_step_begin");
    double load[6] = {0.0};
    expect(dem_ghosts_forces_set(world, 1, d.ghost_at[0], load), DEM_ERROR_STATE, world,
           "no step has begun");
    expect(dem_step_end(world), DEM_ERROR_STATE, world, "no step has begun");
    /* forces of all but one */
    OK(dem_step_begin(world, DT));
    for (uint64_t g = 1; g < d.ghosts[0]; ++g)
        OK(dem_ghosts_forces_set(world, 1, &d.ghost_at[0][g], load));
    OK(dem_ghosts_forces_set(world, 1, &d.ghost_at[0][1], load)); /* twice is once */
    char part[64];
    snprintf(part, sizeof part, "1 of %d ghosts, such as the one with id %d,", (int)d.ghosts[0],
             d.ghost[0][0] + 1);
    expect(dem_step_end(world), DEM_ERROR_STATE, world, part);
    load[2] = 1e301;
    expect(dem_ghosts_forces_set(world, 1, d.ghost_at[0], load), DEM_ERROR_RANGE, world,
           "force[2]: 1e+301 must be finite");
    load[2] = 0.0;
    load[4] = (double)NAN;
    expect(dem_ghosts_forces_set(world, 1, d.ghost_at[0], load), DEM_ERROR_RANGE, world,
           "torque[1]: ");
    load[4] = 0.0;
    const int own = d.owner[0] == 0 ? 0 : SIDE - 1;
    expect(dem_ghosts_forces_set(world, 1, &d.handle[own], load), DEM_ERROR_STATE, world,
           "is not a ghost");
    /* calls that change the world wait */
    expect(dem_step(world, DT, 1), DEM_ERROR_STATE, world, "a step has begun");
    expect(dem_step_begin(world, DT), DEM_ERROR_STATE, world, "a step has begun");
    expect(dem_particle_remove(world, d.handle[own]), DEM_ERROR_STATE, world, "a step has begun");
    expect(dem_ghosts_set(world, 0, NULL, 1.0, NULL), DEM_ERROR_STATE, world, "a step has begun");
    OK(dem_ghosts_forces_set(world, 1, &d.ghost_at[0][0], load));
    OK(dem_step_end(world));
    /* stale ghosts */
    dem_status status = DEM_OK;
    int wanted = 0, steps = 0;
    for (; status == DEM_OK && steps < 1000; ++steps) {
        wanted = dem_ghosts_wanted(world);
        status = dem_step_begin(world, DT);
        for (uint64_t g = 0; status == DEM_OK && g < d.ghosts[0]; ++g)
            OK(dem_ghosts_forces_set(world, 1, &d.ghost_at[0][g], load));
        if (status == DEM_OK)
            OK(dem_step_end(world));
    }
    expect(status, DEM_ERROR_STATE, world, "margin");
    assert_int_equal(wanted, 1);
    assert_in_range(steps, 20, 120); /* some 3 m/s, twice */
    destroy(&d);
}

/** Any finite force that a host may set on a particle may be set on its ghost. */
static void test_any_force_of_the_host(void **state)
{
    (void)state;
    const system_of s = {.domains = 1};
    dem_world *owner = make_world(&s), *other = make_world(&s);
    dem_particle p = scene_particle(1.0, 1.0, 5.0);
    dem_particle_handle handle, ghost_handle;
    const double force[3] = {1e200, 0.0, -1e300};
    OK(dem_ghosts_set(owner, 0, NULL, INFINITY, NULL));
    OK(dem_particle_add(owner, &p, &handle));
    OK(dem_particle_set_force(owner, handle, force, force));
    dem_ghost ghost = {.struct_size = sizeof ghost};
    OK(dem_ghosts_get(owner, 1, &handle, &ghost));
    OK(dem_ghosts_set(other, 1, &ghost, INFINITY, &ghost_handle));
    dem_ghost got = {.struct_size = sizeof got};
    OK(dem_ghosts_get(other, 1, &ghost_handle, &got));
    assert_memory_equal(got.external_force, force, sizeof force);
    assert_memory_equal(got.external_torque, force, sizeof force);
    dem_world_destroy(owner);
    dem_world_destroy(other);
}

/** The contact mass of what is not free is that of its owner, on both sides of a contact. */
static void test_contact_mass_of_ghosts(void **state)
{
    (void)state;
    const system_of s = {.domains = 1};
    for (int mobility = DEM_MOBILITY_FREE; mobility <= DEM_MOBILITY_KINEMATIC; ++mobility) {
        dem_world *world = make_world(&s);
        dem_ghost ghost;
        memset(&ghost, 0, sizeof ghost);
        ghost.struct_size = sizeof ghost;
        ghost.id = 7;
        ghost.radius = 0.5;
        ghost.mass = 2.0;
        ghost.contact_mass = 0.3;
        ghost.mobility = mobility;
        dem_particle_handle handle;
        OK(dem_ghosts_set(world, 1, &ghost, INFINITY, &handle));
        OK(dem_ghosts_set(world, 1, &ghost, INFINITY, &handle));
        dem_ghost got = ghost;
        OK(dem_ghosts_get(world, 1, &handle, &got));
        OK(dem_ghosts_set(world, 1, &got, INFINITY, &handle));
        const double others[2] = {0.0, 0.7};
        for (int k = 0; k < 2; ++k) {
            ghost.contact_mass = others[k];
            if (mobility == DEM_MOBILITY_FREE) /* which has none */
                OK(dem_ghosts_set(world, 1, &ghost, INFINITY, &handle));
            else
                expect(dem_ghosts_set(world, 1, &ghost, INFINITY, NULL), DEM_ERROR_STATE, world,
                       "contact_mass changed from 0.29");
        }
        dem_world_destroy(world);
    }
}

static void test_ghosts_that_cannot_be(void **state)
{
    (void)state;
    static domains d;
    const system_of s = {.domains = 2};
    domains_make(&d, &s);
    start(&d);
    dem_world *world = d.world[0];
    dem_ghost ghost[2];
    uint64_t before, after;
    for (int k = 0; k < 2; ++k) {
        ghost[k].struct_size = sizeof ghost[k];
        OK(dem_ghosts_get(d.world[1], 1, &d.handle[d.ghost[0][k]], &ghost[k]));
    }
    const struct {
        const char *part;
        size_t offset, size;
        double number;
        uint64_t word;
        dem_status status;
    } bad[] = {
#define NUMBER(member, value, text)                                                                \
    {text, offsetof(dem_ghost, member), 8, value, 0, DEM_ERROR_RANGE}
#define WORD(member, bytes, value, text, status)                                                   \
    {                                                                                              \
        text, offsetof(dem_ghost, member), bytes, 0.0, value, status                               \
    }
        NUMBER(position, (double)NAN, "position"),
        NUMBER(velocity, (double)INFINITY, "velocity"),
        NUMBER(angular_velocity, 1e200, "angular_velocity"),
        NUMBER(radius, -1.0, "radius"),
        NUMBER(mass, 0.0, "mass 0 must be finite and > 0 kg"),
        NUMBER(mass, (double)INFINITY, "mass inf must be finite and > 0 kg"),
        NUMBER(contact_mass, -1.0, "contact_mass"),
        NUMBER(force, (double)NAN, "force"),
        NUMBER(torque, (double)NAN, "torque"),
        NUMBER(external_force, (double)NAN, "external_force"),
        NUMBER(external_torque, (double)NAN, "external_torque"),
        NUMBER(drag_coefficient, -1.0, "drag_coefficient"),
        NUMBER(rotational_drag, (double)NAN, "rotational_drag"),
        NUMBER(added_mass, 1e200, "added_mass"),
        NUMBER(fluid_velocity, (double)INFINITY, "fluid_velocity"),
        NUMBER(fluid_angular_velocity, 1e200, "fluid_angular_velocity"),
        NUMBER(lag, 1e-3, "leapfrog"),
        NUMBER(lag, (double)NAN, "leapfrog"),
        WORD(id, 8, 0, "id: must be > 0", DEM_ERROR_RANGE),
        WORD(id, 8, 1000000, "a wall has the id", DEM_ERROR_DUPLICATE),
        WORD(id, 8, 1, "owns has the id", DEM_ERROR_DUPLICATE),
        WORD(material, 4, 7, "material", DEM_ERROR_RANGE),
        WORD(mobility, 4, 3, "mobility", DEM_ERROR_UNKNOWN),
        WORD(reserved, 4, 1, "reserved", DEM_ERROR_UNKNOWN),
        WORD(image, 4, 1u << 29, "image", DEM_ERROR_RANGE),
        WORD(image, 4, 1u << 28, "image 268435456 along axis 0 must be within 268435455",
             DEM_ERROR_RANGE),
        WORD(image[2], 4, 1, "open axes", DEM_ERROR_RANGE),
        WORD(struct_size, 8, 8, "struct_size", DEM_ERROR_STRUCT_SIZE),
    };
    assert_int_equal(d.owner[0], 0);
    OK(dem_world_hash(world, &before));
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        dem_ghost one[2] = {ghost[0], ghost[1]};
        unsigned char *at = (unsigned char *)&one[1] + bad[k].offset;
        if (bad[k].word != 0 || bad[k].size == 4 || bad[k].offset <= 8)
            memcpy(at, &bad[k].word, bad[k].size);
        else
            memcpy(at, &bad[k].number, bad[k].size);
        expect(dem_ghosts_set(world, 2, one, 1.0, NULL), bad[k].status, world, bad[k].part);
    }
    dem_ghost twice[2] = {ghost[0], ghost[0]};
    expect(dem_ghosts_set(world, 2, twice, 1.0, NULL), DEM_ERROR_DUPLICATE, world, "another ghost");
    twice[0].id = twice[1].id = 5000;
    expect(dem_ghosts_set(world, 2, twice, 1.0, NULL), DEM_ERROR_DUPLICATE, world, "another ghost");
    twice[0] = ghost[0];
    twice[0].radius *= 0.5;
    expect(dem_ghosts_set(world, 1, twice, 1.0, NULL), DEM_ERROR_STATE, world, "radius changed");
    twice[0] = ghost[0];
    twice[0].mass *= 2.0;
    expect(dem_ghosts_set(world, 1, twice, 1.0, NULL), DEM_ERROR_STATE, world, "mass changed");
    expect(dem_ghosts_set(world, 1, ghost, 0.0, NULL), DEM_ERROR_RANGE, world, "margin");
    expect(dem_ghosts_set(world, 1, ghost, (double)NAN, NULL), DEM_ERROR_RANGE, world, "margin");
    expect(dem_ghosts_set(world, 1, NULL, 1.0, NULL), DEM_ERROR_ARGUMENT, world, "NULL");
    expect(dem_particle_remove(world, d.ghost_at[0][0]), DEM_ERROR_STATE, world, "dem_ghosts_set");
    const double x[3] = {1.0, 1.0, 1.0};
    expect(dem_particle_set_motion(world, d.ghost_at[0][0], x, NULL, NULL), DEM_ERROR_STATE, world,
           "dem_ghosts_set");
    OK(dem_world_hash(world, &after));
    assert_int_equal(before, after);
    dem_world_counts counts = {.struct_size = sizeof counts};
    OK(dem_world_counts_get(world, &counts));
    assert_int_equal(counts.ghosts, d.ghosts[0]);
    /* and all goes on */
    run(&d, 20);
    destroy(&d);
}

/** What a world with ghosts may not have yet is told. */
static void test_what_ghosts_do_not_go_with(void **state)
{
    (void)state;
    static domains d;
    const system_of s = {.domains = 2};
    domains_make(&d, &s);
    dem_world *world = d.world[0];
    dem_ghost ghost = {.struct_size = sizeof ghost};
    OK(dem_ghosts_get(d.world[1], 1, &d.handle[SIDE - 1], &ghost));
    dem_contact_model model;
    dem_linear linear;
    dem_film film;
    OK(dem_contact_model_init(&model));
    OK(dem_linear_init(&linear));
    OK(dem_film_init(&film));
    linear.stiffness_normal = 1e4;
    film.viscosity = 1e-3;
    film.gap_min = 1e-4;
    film.gap_max = 1e-2;
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_model_add_film(&model, &film));
    OK(dem_contact_model_set(world, 0, 0, &model));
    expect(dem_ghosts_set(world, 1, &ghost, 1.0, NULL), DEM_ERROR_STATE, world, "film");
    expect(dem_particles_release(world, 1, &d.handle[0]), DEM_ERROR_STATE, world, "film");
    destroy(&d);
}

static dem_status hook(void *user, dem_world *world, double dt)
{
    (void)user, (void)world, (void)dt;
    return DEM_OK;
}

/** Parts of bodies are no ghosts of their own, see body_domains.c. Without ghosts bodies step in
 * halves, and so does a world with a hook. */
static void test_bodies_and_hooks(void **state)
{
    (void)state;
    dem_ghost ghost = {.struct_size = sizeof ghost, .id = 9, .radius = 1.0, .mass = 1.0};
    for (int k = 0; k < 2; ++k) {
        dem_world_config config = scene_config();
        config.before_forces = k == 0 ? hook : NULL;
        dem_world *world = scene_world(&config);
        dem_particle p = scene_particle(0.0, 0.0, 5.0);
        dem_particle_handle handle;
        dem_body body;
        dem_body_part part;
        dem_body_handle made;
        OK(dem_particle_add(world, &p, &handle));
        OK(dem_body_init(&body));
        OK(dem_body_part_init(&part));
        body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = part.radius = 1.0;
        if (k == 1)
            OK(dem_body_add(world, &body, 1, &part, &made));
        if (k == 1) {
            dem_particle_handle of_body;
            dem_particle of;
            uint64_t bytes;
            OK(dem_body_part_find(world, made, 0, &of_body));
            OK(dem_particle_init(&of));
            OK(dem_particle_get(world, of_body, &of));
            ghost.id = of.id;
            expect(dem_ghosts_set(world, 1, &ghost, 1.0, NULL), DEM_ERROR_DUPLICATE, world,
                   "a part of a body");
            expect(dem_ghosts_get(world, 1, &of_body, &ghost), DEM_ERROR_STATE, world,
                   "a part of body");
            expect(dem_particles_release(world, 1, &of_body), DEM_ERROR_STATE, world,
                   "a part of a body");
            expect(dem_particles_pack(world, 1, &of_body, NULL, 0, &bytes), DEM_ERROR_STATE, world,
                   "part of a body");
            /* a body without ghosts steps in halves, and can be taken back */
            OK(dem_step_begin(world, 0.0));
            OK(dem_step_end(world));
            OK(dem_step_begin(world, DT));
            OK(dem_step_cancel(world));
        }
        if (k == 0) { /* so does a world with a hook */
            OK(dem_step_begin(world, 0.0));
            OK(dem_step_end(world));
            OK(dem_step_begin(world, DT));
            OK(dem_step_cancel(world));
            OK(dem_step_begin(world, DT));
            OK(dem_step_end(world));
        }
        dem_world_destroy(world);
    }
}

/** Calls without sense. */
static void test_bad_calls(void **state)
{
    (void)state;
    static domains d;
    const system_of s = {.domains = 2};
    domains_make(&d, &s);
    start(&d);
    dem_world *world = d.world[0];
    dem_particle_handle bad = d.handle[0];
    dem_ghost ghost = {.struct_size = 8}, two[2];
    double load[6] = {0.0};
    bad.generation += 2;
    two[0].struct_size = sizeof two[0];
    two[1].struct_size = sizeof two[0] - 8;
    assert_int_equal(dem_ghosts_get(NULL, 1, &bad, &ghost), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_ghosts_set(NULL, 0, NULL, 1.0, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_particles_release(NULL, 0, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_step_begin(NULL, DT), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_step_end(NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_step_cancel(NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_ghosts_forces_set(NULL, 0, NULL, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_particles_forces_get(NULL, 0, NULL, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_ghosts_wanted(NULL), 0);
    assert_int_equal(dem_ghosts_get(world, 1, &bad, &ghost), DEM_ERROR_HANDLE);
    expect(dem_ghosts_get(world, 1, NULL, &ghost), DEM_ERROR_ARGUMENT, world, "handles");
    expect(dem_ghosts_get(world, 1, &d.handle[0], NULL), DEM_ERROR_ARGUMENT, world, "ghosts");
    expect(dem_ghosts_get(world, 1, &d.handle[0], &ghost), DEM_ERROR_STRUCT_SIZE, world,
           "struct_size");
    const dem_particle_handle both[2] = {d.handle[0], d.handle[0]};
    expect(dem_ghosts_get(world, 2, both, two), DEM_ERROR_STRUCT_SIZE, world, "struct_size");
    OK(dem_ghosts_get(world, 0, NULL, NULL));
    OK(dem_ghosts_get(world, 1, both, two));
    two[0].id = 5000;
    two[1].struct_size = 3;
    expect(dem_ghosts_set(world, 2, two, 1.0, NULL), DEM_ERROR_STRUCT_SIZE, world, "struct_size");
    expect(dem_ghosts_set(world, UINT64_C(1) << 31, two, 1.0, NULL), DEM_ERROR_RANGE, world,
           "limit of 2^31");
    OK(dem_particles_release(world, 0, NULL));
    expect(dem_particles_forces_get(world, 1, both, NULL), DEM_ERROR_ARGUMENT, world,
           "force_torque");
    OK(dem_particles_forces_get(world, 0, NULL, NULL));
    assert_int_equal(dem_particles_forces_get(world, 1, &bad, load), DEM_ERROR_HANDLE);
    for (int k = 0; k < 4; ++k) {
        static const double dts[] = {-1e-3, (double)NAN, (double)INFINITY, 1e300};
        expect(dem_step_begin(world, dts[k]), DEM_ERROR_RANGE, world, "dt");
    }
    OK(dem_step_begin(world, DT));
    expect(dem_ghosts_forces_set(world, 1, d.ghost_at[0], NULL), DEM_ERROR_ARGUMENT, world,
           "force_torque");
    assert_int_equal(dem_ghosts_forces_set(world, 1, &bad, load), DEM_ERROR_HANDLE);
    load[4] = (double)INFINITY;
    expect(dem_ghosts_forces_set(world, 1, d.ghost_at[0], load), DEM_ERROR_RANGE, world, "torque");
    OK(dem_ghosts_forces_set(world, 0, NULL, NULL));
    OK(dem_step_cancel(world));
    destroy(&d);
}

/** Out of memory at each call in turn: nothing is changed, and the next try succeeds. */
static void test_memory(void **state)
{
    (void)state;
    static domains d;
    short_heap heap = {.fail_at = UINT64_MAX};
    const dem_allocator allocator = short_allocator(&heap);
    const system_of s = {.domains = 2, .allocator = &allocator};
    static dem_ghost all[GRAINS], some[GRAINS];
    int failures = 0;
    for (uint64_t n = 0;; ++n) {
        domains_make(&d, &s);
        all_get(&d, all);
        uint64_t count = 0, before, after;
        for (int k = 0; k < GRAINS; ++k)
            if (d.owner[k] == 1)
                some[count++] = all[k];
        some[0].external_force[1] = some[1].external_torque[2] = 0.5;
        OK(dem_world_hash(d.world[0], &before));
        heap.fail_at = heap.calls + n;
        dem_status status = dem_ghosts_set(d.world[0], count, some, (double)INFINITY, NULL);
        if (status == DEM_OK)
            status = dem_step_begin(d.world[0], 0.0);
        heap.fail_at = UINT64_MAX;
        OK(dem_world_hash(d.world[0], &after));
        assert_int_equal(before, after);
        if (status != DEM_OK) {
            assert_int_equal(status, DEM_ERROR_MEMORY);
            OK(dem_ghosts_set(d.world[0], count, some, (double)INFINITY, NULL));
            OK(dem_step_begin(d.world[0], 0.0));
            ++failures;
        }
        OK(dem_step_cancel(d.world[0]));
        destroy(&d);
        if (status == DEM_OK)
            break;
    }
    assert_true(failures > 20);
    for (uint64_t n = 0;; ++n) {
        domains_make(&d, &s);
        heap.fail_at = heap.calls + n;
        const dem_status status = dem_particles_release(d.world[0], 1, &d.handle[0]);
        heap.fail_at = UINT64_MAX;
        destroy(&d);
        if (status == DEM_OK)
            break;
        assert_int_equal(status, DEM_ERROR_MEMORY);
        assert_true(n < 10);
    }
    assert_int_equal(heap.held, 0);
}

/* ------------------------------------------------------------------ release */

/** Contacts that a world reads, and those of them that are of a grain and not of a lower one. */
static uint64_t contacts_of_grain(const dem_world *world, uint64_t id, uint64_t *its)
{
    uint64_t cursor = 0, all = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    for (*its = 0; dem_world_contact_next(world, &cursor, &contact) == DEM_OK; ++all)
        *its += contact.key.id_i == id || (contact.key.id_j == id && contact.key.id_i > GRAINS);
    return all;
}

/** A grain that is given away stays with its contacts: the world goes on as one where it was always
 * a ghost. At once its contacts are read where it went. */
static void test_release(void **state)
{
    (void)state;
    static domains d;
    const system_of s = {.domains = 2};
    domains_make(&d, &s);
    start(&d);
    run(&d, 300);
    dem_world *world = d.world[0];
    dem_world_counts counts = {.struct_size = sizeof counts}, after = counts;
    OK(dem_world_counts_get(world, &counts));
    dem_particle_handle both[2] = {d.handle[0], d.handle[0]};
    expect(dem_particles_release(world, 2, both), DEM_ERROR_STATE, world, "named twice");
    expect(dem_particles_release(world, 1, &d.ghost_at[0][0]), DEM_ERROR_STATE, world, "a ghost");
    both[1].generation++;
    assert_int_equal(dem_particles_release(world, 2, both), DEM_ERROR_HANDLE);
    uint64_t cursor = 0, its, none;
    dem_contact contact = {.struct_size = sizeof contact};
    OK(dem_world_contact_next(world, &cursor, &contact));
    both[0] = d.handle[contact.key.id_i - 1];
    const uint64_t all = contacts_of_grain(world, contact.key.id_i, &its);
    assert_true(its > 0 && all > its);
    OK(dem_particles_release(world, 1, both));
    assert_int_equal(contacts_of_grain(world, contact.key.id_i, &none), all - its);
    assert_int_equal(none, 0);
    OK(dem_world_counts_get(world, &after));
    assert_int_equal(after.particles, counts.particles - 1);
    assert_int_equal(after.ghosts, counts.ghosts + 1);
    assert_int_equal(dem_ghosts_wanted(world), 1);
    expect(dem_step_begin(world, DT), DEM_ERROR_STATE, world, "must be set");
    destroy(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_many_steps),
        cmocka_unit_test(test_empty_domain),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_halves_are_a_step),
        cmocka_unit_test(test_fixed_order),
        cmocka_unit_test(test_one_fails_and_all_cancel),
        cmocka_unit_test(test_snapshots),
        cmocka_unit_test(test_snapshot_without_ghosts),
        cmocka_unit_test(test_mark),
        cmocka_unit_test(test_ghosts_are_what_was_given),
        cmocka_unit_test(test_margin),
        cmocka_unit_test(test_ghosts_are_not_counted),
        cmocka_unit_test(test_particles_are_analysed_whole),
        cmocka_unit_test(test_boxes_are_analysed_whole),
        cmocka_unit_test(test_all_particles_to_one),
        cmocka_unit_test(test_stale_forces_travel),
        cmocka_unit_test(test_facets_of_a_particle_that_moves),
        cmocka_unit_test(test_fields_of_a_world_that_grew),
        cmocka_unit_test(test_ghosts_of_what_the_host_moves),
        cmocka_unit_test(test_ghosts_of_what_stays),
        cmocka_unit_test(test_added_mass_that_a_ghost_loses),
        cmocka_unit_test(test_ghosts_without_a_margin),
        cmocka_unit_test(test_ids_of_ghosts_that_come_and_go),
        cmocka_unit_test(test_ghosts_that_are_missing),
        cmocka_unit_test(test_any_force_of_the_host),
        cmocka_unit_test(test_contact_mass_of_ghosts),
        cmocka_unit_test(test_ghosts_that_cannot_be),
        cmocka_unit_test(test_what_ghosts_do_not_go_with),
        cmocka_unit_test(test_bodies_and_hooks),
        cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
