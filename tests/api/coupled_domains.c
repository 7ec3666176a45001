/* SPDX-License-Identifier: MIT */
/**
 * @file coupled_domains.c
 * Domains whose particles a fluid drags: a host of several worlds that rewrites drag, loads and
 * added mass every few steps, as a fluid solver does, against one world: the same bits of motion
 * and impulses for any cut and scheme, while particles change worlds.
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

enum { EDGE = 4, LAYERS = 4, GRAINS = EDGE * EDGE * LAYERS, DOMAINS_MOST = 4 };
enum { FLOOR = 100000, CEILING };
#define DT 1e-3
#define MARGIN 0.35

/** What a host does. */
enum { DRAG = 1, LOADS = 2, ADDED = 4, IMPULSES = 8, HOOK = 16, SERVO = 32, HOOK_EVERY = 3 };

typedef struct plan {
    int does, domains, steps;
    int32_t integrator, threads;
    int writes_every, moves_every; /* steps; 0: never */
    int fails;                     /* calls of a world fail at times, and are made again */
} plan;

/** Of a grain: position, velocities; force and torque; impulses of fluid and contacts. */
typedef struct outcome {
    double grain[GRAINS][6 + 3 + 6 + 12];
    double wall_impulse[6];
    double wall[2][9]; /* place, velocity, angular velocity */
    dem_world_energies energies;
    uint64_t sets;
} outcome;

typedef struct domains {
    const plan *of;
    short_heap heap; /* of all worlds, where calls fail */
    int failures;
    int step, owner[GRAINS];
    dem_world *world[DOMAINS_MOST];
    dem_particle_handle handle[GRAINS];
    uint64_t ghosts[DOMAINS_MOST];
    int ghost[DOMAINS_MOST][GRAINS];
    dem_particle_handle ghost_at[DOMAINS_MOST][GRAINS];
} domains;

/** A call that must succeed, or tell why it does not. */
#define MUST(world, call)                                                                          \
    do {                                                                                           \
        if ((call) != DEM_OK)                                                                      \
            fail_msg("step %d: %s", d->step, dem_world_error(world));                              \
    } while (0)

/** The same; where calls are to fail, it finds no memory at first, and is made again. */
#define AT_LAST(world, call)                                                                       \
    do {                                                                                           \
        dem_status at_last_ = DEM_ERROR_MEMORY;                                                    \
        for (uint64_t n_ = 0; d->of->fails && n_ < 4 && at_last_ != DEM_OK; ++n_) {                \
            d->heap.fail_at = d->heap.calls + n_;                                                  \
            at_last_ = (call);                                                                     \
            d->heap.fail_at = UINT64_MAX;                                                          \
            d->failures += at_last_ == DEM_ERROR_MEMORY;                                           \
        }                                                                                          \
        if (at_last_ != DEM_OK)                                                                    \
            MUST(world, call);                                                                     \
    } while (0)

/* ------------------------------------------------------------------ the system */

static dem_status hook(void *user, dem_world *world, double dt);

static void add_wall(dem_world *world)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = FLOOR;
    OK(dem_wall_add(world, &wall, NULL));
}

static void add_servo_of_floor(dem_world *world)
{
    dem_wall_servo servo;
    OK(dem_wall_servo_init(&servo));
    servo.quantity = DEM_SERVO_TORQUE;
    servo.direction[2] = -1.0;
    servo.target = 0.5;
    servo.gain = 0.002;
    servo.speed = 2.0;
    OK(dem_wall_set_servo(world, FLOOR, &servo));
}

/** The floor seeks a torque, and a lid a force. */
static void add_servos(dem_world *world)
{
    dem_wall wall;
    dem_wall_servo servo;
    OK(dem_wall_init(&wall));
    wall.id = CEILING;
    wall.point[2] = LAYERS + 0.2;
    wall.normal[2] = -1.0;
    OK(dem_wall_add(world, &wall, NULL));
    OK(dem_wall_servo_init(&servo));
    servo.direction[2] = -1.0;
    servo.target = 40.0;
    servo.gain = 1e-2;
    servo.speed = 3.0;
    OK(dem_wall_set_servo(world, CEILING, &servo));
    add_servo_of_floor(world);
}

static dem_world *make_world(const plan *p, domains *d)
{
    dem_world_config config = scene_config();
    config.sums = DEM_SUMS_EXACT;
    config.force_range = config.torque_range = 1e4;
    if ((p->does & HOOK) != 0) {
        config.before_forces = hook;
        config.before_forces_user = d;
    }
    if (p->fails)
        config.allocator = short_allocator(&d->heap);
    config.integrator = p->integrator;
    config.threads = p->threads > 0 ? p->threads : 1;
    /* a floor that turns is not periodic */
    if ((p->does & SERVO) == 0)
        config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    for (int c = 0; c < 3; ++c)
        config.box_high[c] = EDGE;
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, 2e4, 0.4, 0.8);
    add_wall(world);
    if ((p->does & SERVO) != 0)
        add_servos(world);
    return world;
}

/** Grains of three sizes; one is fixed and one is driven. */
static dem_particle grain_of(int k, test_random *random)
{
    dem_particle p = scene_particle(0.0, 0.0, 0.0);
    const int at[3] = {k % EDGE, k / EDGE % EDGE, k / (EDGE * EDGE)};
    p.id = (uint64_t)k + 1;
    p.mass = 1.0;
    p.radius = 0.48 - 0.05 * (k % 3);
    for (int c = 0; c < 3; ++c) {
        p.position[c] = 0.5 + at[c] + test_uniform(random, 0.0, 0.02);
        p.velocity[c] = test_uniform(random, -1.0, 1.0);
        p.angular_velocity[c] = test_uniform(random, -1.0, 1.0);
    }
    p.velocity[0] += at[2] % 2 ? 2.0 : -2.0;
    if (k == 20 || k == 22)
        p.mobility = k == 20 ? DEM_MOBILITY_FIXED : DEM_MOBILITY_KINEMATIC;
    for (int c = 0; c < 3 && k == 20; ++c)
        p.velocity[c] = p.angular_velocity[c] = 0.0;
    return p;
}

static void domains_make(domains *d, const plan *p)
{
    memset(d, 0, sizeof *d);
    d->of = p;
    d->heap.fail_at = UINT64_MAX;
    test_random random = {.state = 9};
    for (int n = 0; n < p->domains; ++n) {
        d->world[n] = make_world(p, d);
        if ((p->does & IMPULSES) != 0)
            OK(dem_world_impulses_reset(d->world[n]));
    }
    for (int k = 0; k < GRAINS; ++k) {
        d->owner[k] = k % EDGE * p->domains / EDGE;
        const dem_particle grain = grain_of(k, &random);
        OK(dem_particle_add(d->world[d->owner[k]], &grain, &d->handle[k]));
    }
}

static void destroy(domains *d)
{
    for (int n = 0; n < d->of->domains; ++n)
        dem_world_destroy(d->world[n]);
    assert_int_equal(d->heap.held, 0);
}

/* ------------------------------------------------------------------ the host's fluid */

static const int32_t fields[] = {
    DEM_FIELD_DRAG_COEFFICIENT, DEM_FIELD_FLUID_VELOCITY,
    DEM_FIELD_ROTATIONAL_DRAG,  DEM_FIELD_FLUID_ANGULAR_VELOCITY,
    DEM_FIELD_EXTERNAL_FORCE,   DEM_FIELD_EXTERNAL_TORQUE,
    DEM_FIELD_ADDED_MASS,
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static int part_of(int32_t field)
{
    if (field == DEM_FIELD_ADDED_MASS)
        return ADDED;
    return field == DEM_FIELD_EXTERNAL_FORCE || field == DEM_FIELD_EXTERNAL_TORQUE ? LOADS : DRAG;
}

static int width_of(int32_t field)
{
    return field == DEM_FIELD_DRAG_COEFFICIENT || field == DEM_FIELD_ROTATIONAL_DRAG ||
                   field == DEM_FIELD_ADDED_MASS
               ? 1
               : 3;
}

/** A coordinate in the box: worlds wrap positions when they rebuild their lists. */
static double inside(double x, int c)
{
    return c < 2 ? x - EDGE * floor(x / EDGE) : x;
}

/** The value of a field at a place: some grains have no drag at times. */
static void value_of(int32_t field, int step, uint64_t id, const double *x, double *value)
{
    const double phase = 0.37 * step + 0.9 * (double)id;
    switch (field) {
    case DEM_FIELD_DRAG_COEFFICIENT:
        value[0] = (id + (uint64_t)step / 7) % 4 == 0 ? 0.0 : 3.0 + 2.5 * sin(phase);
        return;
    case DEM_FIELD_ROTATIONAL_DRAG:
        value[0] = 0.02 + 0.01 * cos(phase);
        return;
    case DEM_FIELD_ADDED_MASS:
        value[0] = id % 3 == 0 ? 0.0 : 0.5 + 0.3 * sin(phase);
        return;
    default:
        for (int c = 0; c < 3; ++c)
            value[c] = sin(inside(x[(c + 1) % 3], (c + 1) % 3) + phase + c) *
                       (field == DEM_FIELD_EXTERNAL_TORQUE ? 0.1 : 2.0);
    }
}

/** Writes a field of all own grains, through a view. */
static void field_write(domains *d, dem_world *world, int32_t field)
{
    dem_view place = {.struct_size = sizeof place}, view = {.struct_size = sizeof view};
    MUST(world, dem_world_view(world, field, &view));
    MUST(world, dem_world_view(world, DEM_FIELD_POSITION, &place));
    for (uint64_t row = 0; row < view.count; ++row)
        if (view.id[row] != 0)
            value_of(field, d->step, view.id[row],
                     (const double *)(const void *)((char *)place.data + row * place.stride),
                     (double *)(void *)((char *)view.data + row * view.stride));
    MUST(world, dem_world_written_field(world, field));
}

/** Sends a field to the ghosts: where owners read it. */
static void field_send(domains *d, int n, int32_t field)
{
    double values[GRAINS * 3];
    for (uint64_t g = 0; g < d->ghosts[n]; ++g) {
        const int k = d->ghost[n][g], from = d->owner[k];
        MUST(d->world[from], dem_particles_field_get(d->world[from], field, 1, &d->handle[k],
                                                     values + (int)g * width_of(field)));
    }
    MUST(d->world[n],
         dem_ghosts_field_set(d->world[n], field, d->ghosts[n], d->ghost_at[n], values));
}

/** What the hook of a step writes: forces and a fluid at the end of the step. */
static int hook_writes(const domains *d, int32_t field)
{
    return d->step % HOOK_EVERY == 0 && part_of(field) != ADDED;
}

static dem_status hook(void *user, dem_world *world, double dt)
{
    domains *d = user;
    assert_true(dt == DT);
    for (int f = 0; f < FIELDS; ++f)
        if (hook_writes(d, fields[f]))
            field_write(d, world, fields[f]);
    return DEM_OK;
}

/** What a hook writes has its memory before. */
static void hook_prepare(domains *d)
{
    for (int n = 0; n < d->of->domains; ++n)
        for (int f = 0; f < FIELDS; ++f) {
            dem_view view = {.struct_size = sizeof view};
            OK(dem_world_view(d->world[n], fields[f], &view));
        }
}

/** Adds what the worlds have of a wall, and tells all of them. */
static void total_exchange(domains *d, uint64_t wall)
{
    double total[DEM_WALL_PART_SIZE] = {0.0}, part[DEM_WALL_PART_SIZE];
    for (int n = d->of->domains - 1; n >= 0; --n) {
        MUST(d->world[n], dem_wall_part_get(d->world[n], wall, part));
        for (int k = 0; k < DEM_WALL_PART_SIZE; ++k)
            total[k] += part[k];
    }
    for (int n = 0; n < d->of->domains; ++n)
        MUST(d->world[n], dem_wall_total_set(d->world[n], wall, total));
}

static void exchange(domains *d)
{
    if ((d->of->does & SERVO) != 0) {
        total_exchange(d, FLOOR);
        total_exchange(d, CEILING);
    }
    for (int n = 0; n < d->of->domains; ++n)
        for (uint64_t g = 0; g < d->ghosts[n]; ++g) {
            const int k = d->ghost[n][g];
            double load[6];
            OK(dem_particles_forces_get(d->world[d->owner[k]], 1, &d->handle[k], load));
            MUST(d->world[n], dem_ghosts_forces_set(d->world[n], 1, &d->ghost_at[n][g], load));
        }
}

/** One world fails in a step: at its beginning, with a force that is none, or at its end without
 * one. All take the step back. */
static void halves_fail(domains *d, int how)
{
    const int bad = d->step % d->of->domains;
    double load[6] = {0.0, 0.0, (double)NAN, 0.0, 0.0, 0.0};
    for (int n = 0; n < d->of->domains; ++n)
        if (how != 0 || n != bad)
            MUST(d->world[n], dem_step_begin(d->world[n], DT));
    if (how == 0)
        assert_int_equal(dem_step_begin(d->world[bad], (double)NAN), DEM_ERROR_RANGE);
    if (how == 1 && d->ghosts[bad] > 0) {
        exchange(d);
        assert_int_equal(dem_ghosts_forces_set(d->world[bad], 1, d->ghost_at[bad], load),
                         DEM_ERROR_RANGE);
    }
    if (how == 2 && d->ghosts[bad] > 0)
        assert_int_equal(dem_step_end(d->world[bad]), DEM_ERROR_STATE);
    for (int n = 0; n < d->of->domains; ++n)
        if (how != 0 || n != bad)
            MUST(d->world[n], dem_step_cancel(d->world[n]));
    ++d->failures;
}

static void halves(domains *d, double dt)
{
    if (d->of->fails && dt > 0.0 && d->step % 4 == 1)
        halves_fail(d, d->step / 4 % 3);
    for (int n = 0; n < d->of->domains; ++n)
        MUST(d->world[n], dem_step_begin(d->world[n], dt));
    for (int f = 0; f < FIELDS && dt > 0.0 && (d->of->does & HOOK) != 0; ++f)
        for (int n = 0; n < d->of->domains && hook_writes(d, fields[f]); ++n)
            field_send(d, n, fields[f]);
    exchange(d);
    for (int n = 0; n < d->of->domains; ++n)
        MUST(d->world[n], dem_step_end(d->world[n]));
}

/** As a fluid solver at its own time step. One world evaluates by itself where it must. */
static void fluid_step(domains *d)
{
    int added = 0;
    for (int f = 0; f < FIELDS; ++f) {
        if ((part_of(fields[f]) & d->of->does) == 0)
            continue;
        added |= part_of(fields[f]) == ADDED;
        for (int n = 0; n < d->of->domains; ++n)
            field_write(d, d->world[n], fields[f]);
        for (int n = 0; n < d->of->domains; ++n)
            field_send(d, n, fields[f]);
    }
    if (d->of->domains > 1 && added)
        halves(d, 0.0);
}

/* ------------------------------------------------------------------ ghosts and owners */

static void all_get(domains *d, dem_ghost *all)
{
    ghosts_of_all(d->world, d->owner, d->handle, GRAINS, all);
}

static void ghosts_give(domains *d, const dem_ghost *all)
{
    static dem_ghost some[GRAINS];
    for (int n = 0; n < d->of->domains; ++n) {
        const uint64_t count =
            ghosts_near(all, d->owner, GRAINS, n, MARGIN, EDGE, d->ghost[n], some);
        AT_LAST(d->world[n], dem_ghosts_set(d->world[n], count, some, MARGIN, d->ghost_at[n]));
        d->ghosts[n] = count;
    }
}

static void ghosts_set(domains *d)
{
    static dem_ghost all[GRAINS];
    all_get(d, all);
    ghosts_give(d, all);
}

/** All grains of one world that go to another, as bytes; NULL where there are none. */
static void *pack(domains *d, int from, int to, const int *owner, uint64_t *size)
{
    dem_particle_handle some[GRAINS];
    uint64_t count = 0;
    for (int k = 0; k < GRAINS; ++k)
        if (from != to && d->owner[k] == from && owner[k] == to)
            some[count++] = d->handle[k];
    if (count == 0)
        return NULL;
    AT_LAST(d->world[from], dem_particles_pack(d->world[from], count, some, NULL, 0, size));
    void *bytes = malloc((size_t)*size);
    assert_non_null(bytes);
    MUST(d->world[from], dem_particles_pack(d->world[from], count, some, bytes, *size, NULL));
    AT_LAST(d->world[from], dem_particles_release(d->world[from], count, some));
    return bytes;
}

/** Grains change worlds at random, many with the grains that they touch. */
static void move(domains *d)
{
    static dem_ghost all[GRAINS];
    int owner[GRAINS];
    void *bytes[DOMAINS_MOST][DOMAINS_MOST];
    uint64_t size[DOMAINS_MOST][DOMAINS_MOST];
    const int domains = d->of->domains;
    test_random random = {.state = (uint64_t)d->step + 3};
    all_get(d, all);
    for (int k = 0; k < GRAINS; ++k)
        owner[k] = (int)test_uniform(&random, 0.0, (double)domains) % domains;
    for (int from = 0; from < domains; ++from)
        for (int to = 0; to < domains; ++to)
            bytes[from][to] = pack(d, from, to, owner, &size[from][to]);
    memcpy(d->owner, owner, sizeof owner);
    ghosts_give(d, all);
    for (int from = 0; from < domains; ++from)
        for (int to = 0; to < domains; ++to)
            if (bytes[from][to] != NULL) {
                AT_LAST(d->world[to],
                        dem_particles_unpack(d->world[to], bytes[from][to], size[from][to], NULL));
                expect(dem_particles_unpack(d->world[to], bytes[from][to], size[from][to], NULL),
                       DEM_ERROR_DUPLICATE, d->world[to], "has the id");
                free(bytes[from][to]);
            }
    for (int k = 0; k < GRAINS; ++k)
        OK(dem_particle_find(d->world[owner[k]], (uint64_t)k + 1, &d->handle[k]));
}

/* ------------------------------------------------------------------ runs */

static uint64_t run(domains *d, int steps)
{
    const plan *p = d->of;
    uint64_t sets = 0;
    for (int k = 0; k < steps; ++k, ++d->step) {
        const int many = p->domains > 1;
        int wanted = 0;
        for (int n = 0; n < p->domains; ++n)
            wanted |= many && dem_ghosts_wanted(d->world[n]);
        if (wanted)
            ghosts_set(d);
        sets += (uint64_t)wanted;
        if (many && p->moves_every > 0 && d->step % p->moves_every == p->moves_every - 1)
            move(d);
        if (p->writes_every > 0 && d->step % p->writes_every == 0)
            fluid_step(d);
        if (many)
            halves(d, DT);
        else
            MUST(d->world[0], dem_step(d->world[0], DT, 1));
    }
    return sets;
}

static void start(domains *d)
{
    if ((d->of->does & HOOK) != 0)
        hook_prepare(d);
    if (d->of->domains == 1) {
        MUST(d->world[0], dem_step(d->world[0], DT, 0));
        return;
    }
    ghosts_set(d);
    halves(d, 0.0);
}

static void add_energies(dem_world_energies *sum, const dem_world *world)
{
    const dem_world_energies e = scene_energies(world);
    sum->kinetic_translation += e.kinetic_translation;
    sum->kinetic_rotation += e.kinetic_rotation;
    sum->potential += e.potential;
    sum->elastic += e.elastic;
    sum->dissipated_dashpot += e.dissipated_dashpot;
    sum->dissipated_slip += e.dissipated_slip;
    sum->work_external += e.work_external;
    sum->work_boundary += e.work_boundary;
    sum->work_fluid += e.work_fluid;
    sum->dissipated_drag += e.dissipated_drag;
}

/** All worlds have the walls at the same places. */
static void walls_read(domains *d, int n, outcome *out)
{
    for (int k = 0; k < 2 && (d->of->does & SERVO) != 0; ++k) {
        dem_wall wall = {.struct_size = sizeof wall};
        double now[9];
        OK(dem_wall_get(d->world[n], k == 0 ? FLOOR : CEILING, &wall));
        memcpy(now, wall.point, sizeof wall.point);
        memcpy(now + 3, wall.velocity, sizeof wall.velocity);
        memcpy(now + 6, wall.angular_velocity, sizeof wall.angular_velocity);
        if (n > 0)
            assert_memory_equal(out->wall[k], now, sizeof now);
        memcpy(out->wall[k], now, sizeof now);
    }
}

/** What a ghost gets is booked where it is owned, so that columns can be summed as a whole; but an
 * owner that became a ghost keeps its sum. */
static void expect_no_impulse_of_ghosts(dem_world *world)
{
    for (int32_t f = DEM_FIELD_DRAG_IMPULSE; f <= DEM_FIELD_CONTACT_ANGULAR_IMPULSE; ++f) {
        dem_view view = {.struct_size = sizeof view};
        OK(dem_world_view(world, f, &view));
        for (uint64_t row = 0; row < view.count; ++row) {
            const double *sum = (const void *)((const char *)view.data + row * view.stride);
            assert_true(view.id[row] != 0 || (sum[0] == 0.0 && sum[1] == 0.0 && sum[2] == 0.0));
        }
    }
}

static void read(domains *d, outcome *out)
{
    for (int k = 0; k < GRAINS; ++k) {
        dem_world *world = d->world[d->owner[k]];
        double *to = out->grain[k];
        for (int32_t f = DEM_FIELD_POSITION; f <= DEM_FIELD_TORQUE; ++f, to += 3)
            MUST(world, dem_particles_field_get(world, f, 1, &d->handle[k], to));
        for (int c = 0; c < 3; ++c)
            out->grain[k][c] = inside(out->grain[k][c], c);
        for (int32_t f = DEM_FIELD_DRAG_IMPULSE; f <= DEM_FIELD_CONTACT_ANGULAR_IMPULSE;
             ++f, to += 3)
            if ((d->of->does & IMPULSES) != 0)
                MUST(world, dem_particles_field_get(world, f, 1, &d->handle[k], to));
    }
    for (int n = 0; n < d->of->domains; ++n) {
        dem_wall wall = {.struct_size = sizeof wall};
        OK(dem_wall_get(d->world[n], FLOOR, &wall));
        for (int c = 0; c < 3; ++c) {
            out->wall_impulse[c] += wall.impulse[c];
            out->wall_impulse[3 + c] += wall.angular_impulse[c];
        }
        walls_read(d, n, out);
        if ((d->of->does & IMPULSES) != 0 && d->of->moves_every == 0)
            expect_no_impulse_of_ghosts(d->world[n]);
        add_energies(&out->energies, d->world[n]);
    }
}

static void run_plan(const plan *p, outcome *out)
{
    static domains d;
    memset(out, 0, sizeof *out);
    domains_make(&d, p);
    start(&d);
    out->sets = run(&d, p->steps);
    read(&d, out);
    assert_true(!p->fails || p->domains == 1 || d.failures > 20);
    destroy(&d);
}

/** Totals are sums in another order. */
static void expect_close(const double *a, const double *b, size_t count, double scale)
{
    for (size_t k = 0; k < count; ++k)
        if (!(fabs(a[k] - b[k]) <= 1e-11 * scale))
            fail_msg("%zu: %.17g is not %.17g", k, a[k], b[k]);
}

static void same_bits(const plan *base, const outcome *one, int domains)
{
    static outcome many;
    plan p = *base;
    p.domains = domains;
    run_plan(&p, &many);
    assert_true(p.moves_every > 0 || many.sets > 1);
    for (int k = 0; k < GRAINS; ++k)
        if (memcmp(one->grain[k], many.grain[k], sizeof many.grain[k]) != 0)
            fail_msg("%d domains: grain %d at %.17g, not %.17g", domains, k + 1, many.grain[k][0],
                     one->grain[k][0]);
    assert_memory_equal(one->wall, many.wall, sizeof one->wall);
    /* on periodic axes torques depend on the images that worlds chose */
    expect_close(one->wall_impulse, many.wall_impulse, (p.does & SERVO) != 0 ? 6 : 3,
                 fabs(one->wall_impulse[2]) + 1.0);
    const dem_world_energies *e = &one->energies, *g = &many.energies;
    const double scale = e->potential + e->dissipated_drag + e->dissipated_slip;
    expect_close(&e->kinetic_translation, &g->kinetic_translation, 1, scale);
    expect_close(&e->kinetic_rotation, &g->kinetic_rotation, 1, scale);
    expect_close(&e->elastic, &g->elastic, 1, scale);
    expect_close(&e->dissipated_slip, &g->dissipated_slip, 1, scale);
    expect_close(&e->work_external, &g->work_external, 1, scale);
    expect_close(&e->work_boundary, &g->work_boundary, 1, scale);
    expect_close(&e->work_fluid, &g->work_fluid, 1, scale);
    expect_close(&e->dissipated_drag, &g->dissipated_drag, 1, scale);
}

static void same_bits_any_cut(const plan *p)
{
    static outcome one;
    plan single = *p;
    single.domains = 1;
    run_plan(&single, &one);
    if ((p->does & DRAG) != 0)
        assert_true(one.energies.dissipated_drag > 1.0 && one.energies.work_fluid != 0.0);
    if ((p->does & LOADS) != 0)
        assert_true(one.energies.work_external != 0.0);
    if ((p->does & IMPULSES) != 0)
        assert_true(one.wall_impulse[2] < -1.0 && one.grain[5][21] != 0.0);
    if ((p->does & SERVO) != 0) { /* grains hold the lid, which comes down by 2.4 m without them */
        const double *lid = one.wall[1], *base = one.wall[0];
        if (!(lid[2] < LAYERS && lid[2] > LAYERS - 2.0 && base[8] != 0.0 && fabs(base[8]) < 2.0))
            fail_msg("lid at %g m, %g m/s; floor %g rad/s", lid[2], lid[5], base[8]);
    }
    same_bits(p, &one, 2);
    same_bits(p, &one, 4);
}

/** How many steps: enough for ghosts and owners to change where a memory checker is slow. */
static int steps_of(int many, int few)
{
    return test_rounds(10) < 10 ? few : many;
}

/** All that a fluid does, in a world of grains that change their owners. */
static void test_fluid(void **state)
{
    (void)state;
    const plan p = {.does = DRAG | LOADS | ADDED | IMPULSES,
                    .steps = steps_of(400, 150),
                    .writes_every = 5,
                    .moves_every = 13};
    same_bits_any_cut(&p);
}

/** Each part of it alone: arrays that others lack. */
static void test_parts(void **state)
{
    (void)state;
    test_long();
    for (int does = DRAG; does <= IMPULSES; does *= 2) {
        const plan p = {.does = does, .steps = 200, .writes_every = 10, .threads = does == ADDED};
        same_bits_any_cut(&p);
    }
}

/** In all schemes; leapfrog's velocities are late, and some evaluations bring them to their time.
 */
static void test_schemes(void **state)
{
    (void)state;
    test_long();
    for (int32_t scheme = 0; scheme <= DEM_INTEGRATOR_SYMPLECTIC_EULER; ++scheme) {
        const plan p = {.does = DRAG | LOADS | IMPULSES | (scheme % 2 ? ADDED : 0),
                        .steps = 150,
                        .integrator = scheme,
                        .writes_every = 10,
                        .moves_every = 17};
        same_bits_any_cut(&p);
        const plan dry = {.steps = 150, .integrator = scheme, .moves_every = 19};
        same_bits_any_cut(&dry);
    }
}

/** What the host's hook writes in a step is sent between its halves. */
static void test_hook(void **state)
{
    (void)state;
    static const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_LEAPFROG,
                                      DEM_INTEGRATOR_SYMPLECTIC_EULER};
    for (int k = 0; k < steps_of(3, 1); ++k) {
        const plan p = {.does = DRAG | LOADS | HOOK | IMPULSES,
                        .steps = 150,
                        .integrator = schemes[k],
                        .moves_every = 13};
        same_bits_any_cut(&p);
    }
}

/** Walls that seek a force and a torque move alike in all worlds, and as in one. */
static void test_servos(void **state)
{
    (void)state;
    test_long();
    const plan p = {.does = SERVO | IMPULSES, .steps = 800, .moves_every = 19},
               q = {.does = SERVO | DRAG | ADDED | HOOK,
                    .steps = 800,
                    .writes_every = 11,
                    .integrator = DEM_INTEGRATOR_LEAPFROG,
                    .moves_every = 40};
    same_bits_any_cut(&p);
    same_bits_any_cut(&q);
}

/** Worlds that fail at any call of a step or of a move, and try again, lose nothing. */
static void test_failures(void **state)
{
    (void)state;
    const plan p = {.does = DRAG | LOADS | ADDED | IMPULSES | HOOK,
                    .steps = steps_of(200, 120),
                    .writes_every = 7,
                    .moves_every = 9,
                    .fails = 1};
    same_bits_any_cut(&p);
}

static void test_many_steps(void **state)
{
    (void)state;
    test_long();
    static outcome one;
    plan p = {.does = DRAG | LOADS | IMPULSES,
              .domains = 1,
              .steps = 10000,
              .writes_every = 50,
              .moves_every = 500};
    run_plan(&p, &one);
    same_bits(&p, &one, 2);
}

/** From bytes of four worlds into three new ones, of which the last one has no grain. */
static void restart(domains *d, const plan *p)
{
    static dem_ghost all[GRAINS];
    int owner[GRAINS];
    void *bytes[DOMAINS_MOST][2];
    uint64_t size[DOMAINS_MOST][2];
    dem_world *old[DOMAINS_MOST];
    const int before = d->of->domains;
    all_get(d, all);
    for (int k = 0; k < GRAINS; ++k) /* a stranger to both, so that all are packed */
        owner[k] = DOMAINS_MOST + k % 2;
    for (int from = 0; from < before; ++from)
        for (int to = 0; to < 2; ++to)
            bytes[from][to] = pack(d, from, DOMAINS_MOST + to, owner, &size[from][to]);
    memcpy(old, d->world, sizeof old);
    d->of = p;
    for (int n = 0; n < before; ++n)
        dem_world_destroy(old[n]);
    for (int n = 0; n < p->domains; ++n) {
        d->world[n] = make_world(p, d);
        OK(dem_world_impulses_reset(d->world[n]));
    }
    for (int k = 0; k < GRAINS; ++k)
        d->owner[k] = owner[k] - DOMAINS_MOST;
    ghosts_give(d, all);
    assert_int_equal(d->ghosts[2], 0);
    for (int from = 0; from < before; ++from)
        for (int to = 0; to < 2; ++to) {
            if (bytes[from][to] == NULL)
                continue;
            MUST(d->world[to],
                 dem_particles_unpack(d->world[to], bytes[from][to], size[from][to], NULL));
            free(bytes[from][to]);
        }
    for (int k = 0; k < GRAINS; ++k)
        OK(dem_particle_find(d->world[d->owner[k]], (uint64_t)k + 1, &d->handle[k]));
}

/** A restart on another number of worlds, some without a grain, goes on with the same bits. */
static void test_restart(void **state)
{
    (void)state;
    static domains d;
    static outcome one, many;
    static const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_LEAPFROG};
    for (int k = 0; k < 2; ++k) {
        plan p = {.does = DRAG | LOADS | ADDED | IMPULSES,
                  .domains = 1,
                  .steps = 200,
                  .integrator = schemes[k],
                  .writes_every = 20};
        run_plan(&p, &one);
        p.domains = 4;
        plan q = p;
        q.domains = 3;
        domains_make(&d, &p);
        start(&d);
        run(&d, 110);
        restart(&d, &q);
        run(&d, 90);
        memset(&many, 0, sizeof many);
        read(&d, &many);
        destroy(&d);
        for (int g = 0; g < GRAINS; ++g)
            if (memcmp(one.grain[g], many.grain[g], sizeof many.grain[g]) != 0)
                fail_msg("scheme %d: grain %d at %.17g, not %.17g", (int)schemes[k], g + 1,
                         many.grain[g][0], one.grain[g][0]);
    }
}

/** Two grains that touch through the corner of the box, each in a world of its own. The fluid that
 * they take along is told with the ghosts alone. */
static void test_corner(void **state)
{
    (void)state;
    static domains d_there;
    domains *d = &d_there;
    const plan p = {.domains = 2};
    dem_world *both = make_world(&p, d), *alone[2];
    dem_particle grain[2] = {scene_particle(0.2, 0.2, 0.5), scene_particle(3.6, 3.5, 0.6)};
    dem_particle_handle at[2], own[2], ghost_at[2];
    const double added[2] = {0.5, 0.8};
    double load[2][6];
    for (int n = 0; n < 2; ++n) {
        alone[n] = make_world(&p, d);
        grain[n].id = (uint64_t)n + 1;
        grain[n].velocity[n] = 0.5;
        OK(dem_particle_add(both, &grain[n], &at[n]));
        OK(dem_particle_add(alone[n], &grain[n], &own[n]));
        OK(dem_world_field_set(alone[n], DEM_FIELD_ADDED_MASS, 1, &added[n]));
    }
    OK(dem_world_field_set(both, DEM_FIELD_ADDED_MASS, 2, added));
    for (int step = 0; step < 300; ++step) {
        for (int n = 0; n < 2; ++n) {
            dem_ghost ghost = {.struct_size = sizeof ghost};
            OK(dem_ghosts_get(alone[1 - n], 1, &own[1 - n], &ghost));
            if (step % 30 == 0)
                OK(dem_ghosts_set(alone[n], 1, &ghost, (double)INFINITY, &ghost_at[n]));
        }
        for (int n = 0; n < 2; ++n) {
            MUST(alone[n], dem_step_begin(alone[n], step > 0 ? DT : 0.0));
            OK(dem_particles_forces_get(alone[n], 1, &own[n], load[n]));
        }
        for (int n = 0; n < 2; ++n) {
            OK(dem_ghosts_forces_set(alone[n], 1, &ghost_at[n], load[1 - n]));
            OK(dem_step_end(alone[n]));
        }
        OK(dem_step(both, DT, step > 0));
        assert_true(step > 0 || (load[0][0] > 1.0 && load[0][1] > 1.0));
        for (int n = 0; n < 2; ++n) {
            dem_particle a = {.struct_size = sizeof a}, b = a;
            OK(dem_particle_get(both, at[n], &a));
            OK(dem_particle_get(alone[n], own[n], &b));
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    dem_world_destroy(both);
    for (int n = 0; n < 2; ++n)
        dem_world_destroy(alone[n]);
}

/* ------------------------------------------------------------------ what is refused */

/** Ghosts wait for what was written; each of them has to get it, and what is no field is told. */
static void test_fields_of_ghosts(void **state)
{
    (void)state;
    static domains d_there;
    domains *d = &d_there;
    const plan p = {.does = DRAG | IMPULSES, .domains = 2};
    domains_make(d, &p);
    start(d);
    run(d, 3);
    dem_world *world = d->world[0];
    dem_particle_handle *ghost = d->ghost_at[0], *own = &d->handle[0];
    const uint64_t count = d->ghosts[0];
    double v[3 * GRAINS] = {1.0}, bad[3] = {0.0, (double)NAN, 0.0}, got[3] = {7.0, 7.0, 7.0};
    assert_true(count > 4 && d->owner[0] == 0);
    /* nothing is there yet: it reads as 0 */
    OK(dem_particles_field_get(world, DEM_FIELD_FLUID_VELOCITY, 1, ghost, got));
    assert_true(got[0] == 0.0 && got[1] == 0.0 && got[2] == 0.0);
    OK(dem_particles_field_get(world, DEM_FIELD_RADIUS, 1, ghost, got));
    assert_true(got[0] > 0.3 && got[1] == 0.0);
    field_write(d, d->world[0], DEM_FIELD_FLUID_VELOCITY);
    char part[80];
    snprintf(part, sizeof part, "FLUID_VELOCITY was written, and %d of %d ghosts", (int)count,
             (int)count);
    expect(dem_step_begin(world, DT), DEM_ERROR_STATE, world, part);
    /* all but one, one of them twice */
    OK(dem_ghosts_field_set(world, DEM_FIELD_FLUID_VELOCITY, count - 1, ghost, v));
    OK(dem_ghosts_field_set(world, DEM_FIELD_FLUID_VELOCITY, 1, ghost, v));
    expect(dem_step_begin(world, DT), DEM_ERROR_STATE, world, "and 1 of");
    /* written again: all are to get it again */
    field_write(d, d->world[0], DEM_FIELD_FLUID_VELOCITY);
    OK(dem_ghosts_field_set(world, DEM_FIELD_FLUID_VELOCITY, 1, ghost + count - 1, v));
    snprintf(part, sizeof part, "and %d of", (int)count - 1);
    expect(dem_step_begin(world, DT), DEM_ERROR_STATE, world, part);
    OK(dem_ghosts_field_set(world, DEM_FIELD_FLUID_VELOCITY, count - 1, ghost, v));
    OK(dem_step_begin(world, DT));
    expect(dem_ghosts_field_set(world, DEM_FIELD_FLUID_VELOCITY, 1, ghost, v), DEM_ERROR_STATE,
           world, "has begun");
    OK(dem_step_cancel(world));
    /* the same by a column, and by the word that anything may have been written */
    OK(dem_world_field_set(world, DEM_FIELD_ROTATIONAL_DRAG, GRAINS / 2 + count, v));
    expect(dem_step_begin(world, DT), DEM_ERROR_STATE, world, "ROTATIONAL_DRAG");
    OK(dem_ghosts_field_set(world, DEM_FIELD_ROTATIONAL_DRAG, count, ghost, v));
    OK(dem_world_mark(world));
    OK(dem_world_written(world));
    expect(dem_step_begin(world, DT), DEM_ERROR_STATE, world, "was written");
    OK(dem_world_rewind(world));
    OK(dem_step_begin(world, DT));
    OK(dem_step_cancel(world));
    OK(dem_world_written(world));
    ghosts_set(d);
    ghost = d->ghost_at[0];
    OK(dem_step_begin(world, DT));
    OK(dem_step_cancel(world));
    /* an inertia that changes has forces evaluated; those written beside it are valid */
    OK(dem_ghosts_field_set(world, DEM_FIELD_ADDED_MASS, count, ghost, v));
    expect(dem_step_begin(world, DT), DEM_ERROR_STATE, world, "a dt of 0");
    dem_view added = {.struct_size = sizeof added};
    OK(dem_world_view(world, DEM_FIELD_ADDED_MASS, &added));
    double *mass = added.data;
    for (uint64_t row = 0; row < added.count && added.id[row] != 1; ++row)
        mass = (double *)(void *)((char *)added.data + (row + 1) * added.stride);
    *mass = (double)NAN;
    OK(dem_world_written_field(world, DEM_FIELD_ADDED_MASS));
    expect(dem_ghosts_field_set(world, DEM_FIELD_ADDED_MASS, count, ghost, v), DEM_ERROR_RANGE,
           world, "added mass");
    *mass = 0.0;
    OK(dem_ghosts_field_set(world, DEM_FIELD_ADDED_MASS, count, ghost, v));
    /* what ghosts take */
    expect(dem_ghosts_field_set(world, DEM_FIELD_VELOCITY, 1, ghost, v), DEM_ERROR_STATE, world,
           "dem_ghosts_set");
    expect(dem_ghosts_field_set(world, DEM_FIELD_DRAG_IMPULSE, 1, ghost, v), DEM_ERROR_STATE, world,
           "DRAG_IMPULSE");
    expect(dem_ghosts_field_set(world, 77, 1, ghost, v), DEM_ERROR_UNKNOWN, world, "77");
    expect(dem_ghosts_field_set(world, DEM_FIELD_EXTERNAL_FORCE, 1, own, v), DEM_ERROR_STATE, world,
           "not a ghost");
    expect(dem_ghosts_field_set(world, DEM_FIELD_EXTERNAL_FORCE, 1, ghost, bad), DEM_ERROR_RANGE,
           world, "external force of a ghost");
    bad[0] = -1.0;
    expect(dem_ghosts_field_set(world, DEM_FIELD_DRAG_COEFFICIENT, 1, ghost, bad), DEM_ERROR_RANGE,
           world, "negative");
    expect(dem_ghosts_field_set(world, DEM_FIELD_EXTERNAL_FORCE, 1, NULL, v), DEM_ERROR_ARGUMENT,
           world, "handles");
    expect(dem_ghosts_field_set(world, DEM_FIELD_EXTERNAL_FORCE, 1, ghost, NULL),
           DEM_ERROR_ARGUMENT, world, "values");
    OK(dem_ghosts_field_set(world, DEM_FIELD_EXTERNAL_FORCE, 0, NULL, NULL));
    dem_particle_handle gone = *ghost;
    gone.generation += 2;
    assert_int_equal(dem_ghosts_field_set(world, DEM_FIELD_EXTERNAL_FORCE, 1, &gone, v),
                     DEM_ERROR_HANDLE);
    assert_int_equal(dem_ghosts_field_set(NULL, DEM_FIELD_EXTERNAL_FORCE, 1, ghost, v),
                     DEM_ERROR_ARGUMENT);
    /* what is read */
    got[0] = 7.0;
    expect(dem_particles_field_get(world, DEM_FIELD_DRAG_IMPULSE, 1, ghost, got), DEM_ERROR_STATE,
           world, "its owner has its drag impulse");
    expect(dem_particles_field_get(world, DEM_FIELD_HOST, 1, own, got), DEM_ERROR_STATE, world,
           "host_doubles");
    expect(dem_particles_field_get(world, -1, 1, own, got), DEM_ERROR_UNKNOWN, world, "-1");
    assert_int_equal(dem_particles_field_get(world, DEM_FIELD_RADIUS, 1, &gone, got),
                     DEM_ERROR_HANDLE);
    expect(dem_particles_field_get(world, DEM_FIELD_RADIUS, 1, NULL, got), DEM_ERROR_ARGUMENT,
           world, "handles");
    expect(dem_particles_field_get(world, DEM_FIELD_RADIUS, 1, own, NULL), DEM_ERROR_ARGUMENT,
           world, "values");
    OK(dem_particles_field_get(world, DEM_FIELD_RADIUS, 0, NULL, NULL));
    assert_int_equal(dem_particles_field_get(NULL, DEM_FIELD_RADIUS, 1, own, got),
                     DEM_ERROR_ARGUMENT);
    assert_true(got[0] == 7.0);
    /* a program that was compiled before fluids had ghosts */
    dem_ghost old = {.struct_size = offsetof(dem_ghost, drag_coefficient)};
    expect(dem_ghosts_get(world, 1, own, &old), DEM_ERROR_STRUCT_SIZE, world, "a fluid");
    expect(dem_ghosts_set(world, 1, &old, MARGIN, NULL), DEM_ERROR_STRUCT_SIZE, world, "a fluid");
    destroy(d);
}

/** What a hook wrote and was not sent stops the step, which can be taken back and made again. */
static void test_hook_that_is_not_sent(void **state)
{
    (void)state;
    static domains d_there, e_there;
    static outcome a, b;
    domains *d = &d_there, *e = &e_there;
    const plan p = {.does = HOOK | DRAG, .domains = 2};
    domains_make(d, &p);
    domains_make(e, &p);
    start(d);
    start(e);
    run(d, 2 * HOOK_EVERY);
    run(e, 2 * HOOK_EVERY);
    double v[3 * GRAINS] = {0.0};
    for (int n = 0; n < 2; ++n)
        OK(dem_step_begin(d->world[n], DT));
    exchange(d);
    expect(dem_step_end(d->world[0]), DEM_ERROR_STATE, d->world[0], "EXTERNAL_FORCE was written");
    field_send(d, 0, DEM_FIELD_EXTERNAL_FORCE);
    expect(dem_step_end(d->world[0]), DEM_ERROR_STATE, d->world[0], "was written");
    expect(dem_ghosts_field_set(d->world[0], DEM_FIELD_ADDED_MASS, 1, d->ghost_at[0], v),
           DEM_ERROR_STATE, d->world[0], "ADDED_MASS");
    expect(dem_world_written(d->world[0]), DEM_ERROR_STATE, d->world[0], "a step has begun");
    for (int n = 0; n < 2; ++n)
        OK(dem_step_cancel(d->world[n]));
    run(d, 2 * HOOK_EVERY);
    run(e, 2 * HOOK_EVERY);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    read(d, &a);
    read(e, &b);
    assert_memory_equal(a.grain, b.grain, sizeof a.grain);
    assert_memory_equal(&a.energies, &b.energies, sizeof a.energies);
    /* an evaluation calls no hook, so nothing is sent in it */
    OK(dem_step_begin(d->world[0], 0.0));
    expect(dem_ghosts_field_set(d->world[0], DEM_FIELD_EXTERNAL_FORCE, 1, d->ghost_at[0], v),
           DEM_ERROR_STATE, d->world[0], "EXTERNAL_FORCE");
    OK(dem_step_cancel(d->world[0]));
    destroy(d);
    destroy(e);
}

/** A wall that seeks waits for the total of all worlds. */
static void test_totals(void **state)
{
    (void)state;
    static domains d_there;
    domains *d = &d_there;
    const plan p = {.does = SERVO, .domains = 2};
    domains_make(d, &p);
    start(d);
    run(d, 5);
    dem_world *world = d->world[0];
    double part[DEM_WALL_PART_SIZE], total[DEM_WALL_PART_SIZE] = {0.0};
    part[0] = 7.0;
    expect(dem_wall_part_get(world, FLOOR, part), DEM_ERROR_STATE, world, "no step has begun");
    assert_true(part[0] == 7.0);
    /* one wall is told, the other only in a step that is taken back */
    OK(dem_step_begin(world, DT));
    expect(dem_wall_part_get(world, FLOOR, NULL), DEM_ERROR_ARGUMENT, world, "part");
    expect(dem_wall_part_get(world, 5, part), DEM_ERROR_HANDLE, world, "no wall");
    assert_int_equal(dem_wall_part_get(NULL, FLOOR, part), DEM_ERROR_ARGUMENT);
    OK(dem_wall_total_set(world, CEILING, total));
    OK(dem_step_cancel(world));
    OK(dem_step_begin(world, DT));
    OK(dem_wall_total_set(world, FLOOR, total));
    for (uint64_t g = 0; g < d->ghosts[0]; ++g)
        OK(dem_ghosts_forces_set(world, 1, &d->ghost_at[0][g], total));
    OK(dem_step_end(world));
    expect(dem_step_begin(world, DT), DEM_ERROR_STATE, world, "wall 100001: seeks a force");
    OK(dem_wall_total_set(world, CEILING, total)); /* as after a restart */
    OK(dem_step_begin(world, DT));
    OK(dem_step_cancel(world));
    const double bad[] = {0.5, (double)NAN, 0x1p54, -1.0};
    for (int k = 0; k < 4; ++k) {
        total[11 * k] = bad[k];
        expect(dem_wall_total_set(world, CEILING, total), DEM_ERROR_RANGE, world, "no sum");
        total[11 * k] = 0.0;
    }
    expect(dem_wall_total_set(world, CEILING, NULL), DEM_ERROR_ARGUMENT, world, "total");
    expect(dem_wall_total_set(world, 5, total), DEM_ERROR_HANDLE, world, "no wall");
    assert_int_equal(dem_wall_total_set(NULL, FLOOR, total), DEM_ERROR_ARGUMENT);
    OK(dem_wall_set_servo(world, FLOOR, NULL));
    expect(dem_wall_total_set(world, FLOOR, total), DEM_ERROR_STATE, world, "seeks no force");
    destroy(d);
}

/** Where sums are not exact, parts have 8 numbers. What has more comes from other worlds. */
static void test_totals_of_exact_sums(void **state)
{
    (void)state;
    dem_world_config config;
    dem_wall wall;
    dem_wall_servo servo;
    dem_world *world;
    OK(dem_world_config_init(&config));
    OK(dem_world_create(&config, &world, NULL));
    OK(dem_wall_init(&wall));
    wall.id = FLOOR;
    OK(dem_wall_add(world, &wall, NULL));
    OK(dem_wall_servo_init(&servo));
    servo.direction[2] = 1.0;
    servo.target = 1.0;
    servo.speed = 1.0;
    OK(dem_wall_set_servo(world, FLOOR, &servo));
    double total[DEM_WALL_PART_SIZE] = {-1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.5, 8.5};
    OK(dem_wall_total_set(world, FLOOR, total));
    total[8] = 1.0;
    expect(dem_wall_total_set(world, FLOOR, total), DEM_ERROR_RANGE, world,
           "total[8]: 1 is no sum");
    dem_world_destroy(world);
}

/** What was told does not hold after steps that a world makes alone. */
static void test_totals_that_hold_no_more(void **state)
{
    (void)state;
    static domains d_there;
    domains *d = &d_there;
    const plan p = {.does = SERVO, .domains = 2};
    domains_make(d, &p);
    start(d);
    run(d, 5);
    dem_world *world = d->world[0];
    OK(dem_step_begin(world, DT));
    OK(dem_step_cancel(world));
    OK(dem_ghosts_set(world, 0, NULL, (double)INFINITY, NULL));
    MUST(world, dem_step(world, DT, 1));
    OK(dem_ghosts_set(world, 0, NULL, MARGIN, NULL));
    expect(dem_step_begin(world, DT), DEM_ERROR_STATE, world, "seeks a force");
    destroy(d);
}

/** A lid that presses a grain onto the floor; made anew with what dem_wall_get() tells, or as it is
 * at first. */
static dem_world *make_press(const dem_wall *lid)
{
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_wall wall;
    dem_wall_servo servo;
    OK(dem_wall_init(&wall));
    wall.id = FLOOR;
    OK(dem_wall_add(world, &wall, NULL));
    wall.id = CEILING;
    wall.point[2] = 0.999;
    wall.normal[2] = -1.0;
    OK(dem_wall_add(world, lid != NULL ? lid : &wall, NULL));
    OK(dem_wall_servo_init(&servo));
    servo.direction[2] = -1.0;
    servo.target = 20.0;
    servo.gain = 1e-2;
    servo.speed = 0.1;
    OK(dem_wall_set_servo(world, CEILING, &servo));
    OK(dem_ghosts_set(world, 0, NULL, MARGIN, NULL));
    return world;
}

/** Steps in halves of a world that is all there is; total: what acted on the lid in the last one */
static void press(dem_world *world, int steps, double total[DEM_WALL_PART_SIZE])
{
    for (int k = 0; k < steps; ++k) {
        OK(dem_step_begin(world, DT));
        OK(dem_wall_part_get(world, CEILING, total));
        OK(dem_wall_total_set(world, CEILING, total));
        OK(dem_step_end(world));
    }
}

/** A wall that seeks goes on over packed particles with the bits of a run that was not stopped,
 * where the new world is told the last total. */
static void test_servo_restart(void **state)
{
    (void)state;
    dem_world *world = make_press(NULL);
    const dem_particle grain = scene_particle(0.0, 0.0, 0.499);
    dem_particle_handle handle;
    double total[DEM_WALL_PART_SIZE], later[DEM_WALL_PART_SIZE];
    unsigned char bytes[4096];
    uint64_t size;
    dem_wall lid = {.struct_size = sizeof lid}, there = {.struct_size = sizeof there};
    OK(dem_particle_add(world, &grain, &handle));
    OK(dem_ghosts_set(world, 0, NULL, MARGIN, NULL));
    OK(dem_step_begin(world, 0.0));
    OK(dem_wall_part_get(world, CEILING, total));
    OK(dem_wall_total_set(world, CEILING, total));
    OK(dem_step_end(world));
    press(world, 300, total);
    assert_true(total[2] > 1.0); /* force along +z */
    OK(dem_particles_pack(world, 1, &handle, bytes, sizeof bytes, &size));
    OK(dem_wall_get(world, CEILING, &lid));
    dem_world *twin = make_press(&lid);
    OK(dem_particles_unpack(twin, bytes, size, NULL));
    if (dem_ghosts_wanted(twin))
        OK(dem_ghosts_set(twin, 0, NULL, MARGIN, NULL));
    expect(dem_step_begin(twin, DT), DEM_ERROR_STATE, twin, "seeks a force");
    OK(dem_wall_total_set(twin, CEILING, total));
    press(world, 50, later);
    press(twin, 50, total);
    assert_memory_equal(total, later, sizeof total);
    OK(dem_wall_get(world, CEILING, &lid));
    OK(dem_wall_get(twin, CEILING, &there));
    assert_memory_equal(lid.point, there.point, sizeof lid.point);
    assert_true(lid.point[2] < 0.999);
    dem_world_destroy(world);
    dem_world_destroy(twin);
}

/** A floor that seeks a torque, and a lid that asks contacts for their stiffness. */
static dem_world *make_fixed_order_world(void)
{
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_wall_servo servo;
    add_wall(world);
    add_servos(world);
    OK(dem_wall_servo_init(&servo));
    servo.direction[2] = -1.0;
    servo.target = 20.0;
    servo.speed = 0.1;
    OK(dem_wall_set_servo(world, CEILING, &servo));
    servo.quantity = DEM_SERVO_TORQUE;
    servo.direction[2] = 1.0;
    servo.target = 0.01;
    servo.gain = 1e-4;
    OK(dem_wall_set_servo(world, FLOOR, &servo));
    return world;
}

/** With sums of a fixed order all worlds move the walls alike, too, and as one world but for the
 * order of two terms. */
static void test_walls_in_fixed_order(void **state)
{
    (void)state;
    test_long();
    static domains d_there;
    static const uint64_t id[2] = {FLOOR, CEILING};
    domains *d = &d_there;
    const plan p = {.domains = 2, .does = SERVO};
    d->of = &p;
    dem_world *both = make_fixed_order_world();
    dem_wall wall = {.struct_size = sizeof wall}, part[2] = {wall, wall};
    for (int n = 0; n < 2; ++n) {
        /* the lid comes down to both of them, which are far apart; one slides */
        dem_particle grain = scene_particle(30.0 * n, 0.0, 0.5 + 0.1 * n);
        d->world[n] = make_fixed_order_world();
        grain.id = (uint64_t)n + 1;
        grain.radius = 0.5 + 0.1 * n;
        grain.velocity[1] = 0.1 * n;
        OK(dem_particle_add(d->world[n], &grain, NULL));
        OK(dem_particle_add(both, &grain, NULL));
        OK(dem_ghosts_set(d->world[n], 0, NULL, 100.0, NULL));
    }
    int turned = 0;
    for (d->step = 0; d->step < 40000; ++d->step) {
        for (int n = 0; n < 2; ++n)
            MUST(d->world[n], dem_step_begin(d->world[n], d->step > 0 ? DT : 0.0));
        for (int k = 0; k < 2; ++k)
            total_exchange(d, id[k]);
        for (int n = 0; n < 2; ++n)
            MUST(d->world[n], dem_step_end(d->world[n]));
        MUST(both, dem_step(both, DT, d->step > 0));
        for (int k = 0; k < 2; ++k) {
            OK(dem_wall_get(both, id[k], &wall));
            turned += k == 0 && fabs(wall.torque[2]) > 1.0;
            for (int n = 0; n < 2; ++n) {
                OK(dem_wall_get(d->world[n], id[k], &part[n]));
                expect_close(part[n].point, wall.point, 3, 1.0);
                expect_close(part[n].velocity, wall.velocity, 3, 1.0);
                expect_close(part[n].normal, wall.normal, 3, 1.0);
                expect_close(part[n].angular_velocity, wall.angular_velocity, 3, 1.0);
            }
        }
    }
    assert_true(fabs(part[0].force[2] + part[1].force[2] - 20.0) < 1e-3 && wall.point[2] < 1.2);
    assert_true(turned > 5);
    dem_world_destroy(both);
    for (int n = 0; n < 2; ++n)
        dem_world_destroy(d->world[n]);
}

/** Velocities of leapfrog are late: worlds that made other steps have no common ghosts, and a new
 * world takes over the time of what comes first. */
static void test_late_velocities(void **state)
{
    (void)state;
    static domains d_there;
    domains *d = &d_there;
    const plan p = {.domains = 2, .integrator = DEM_INTEGRATOR_LEAPFROG};
    domains_make(d, &p);
    start(d);
    run(d, 3);
    dem_ghost ghost = {.struct_size = sizeof ghost}, other;
    OK(dem_ghosts_get(d->world[0], 1, &d->handle[0], &ghost));
    assert_true(ghost.lag == 0.5 * DT);
    other = ghost;
    other.lag = 0.25 * DT;
    other.id = 5000;
    const dem_ghost two[2] = {ghost, other};
    expect(dem_ghosts_set(d->world[1], 1, &other, MARGIN, NULL), DEM_ERROR_STATE, d->world[1],
           "lag");
    dem_world *third = make_world(&p, d), *fourth = make_world(&p, d);
    expect(dem_ghosts_set(third, 2, two, MARGIN, NULL), DEM_ERROR_STATE, third, "lag");
    OK(dem_ghosts_set(third, 1, &other, MARGIN, NULL));
    expect(dem_ghosts_set(third, 1, &ghost, MARGIN, NULL), DEM_ERROR_STATE, third, "lag");
    /* a world that owns nothing waits for no evaluation */
    dem_particle_handle at;
    const double none[6] = {0.0};
    OK(dem_ghosts_set(third, 0, NULL, MARGIN, NULL));
    OK(dem_ghosts_set(third, 1, &ghost, MARGIN, &at));
    OK(dem_step_begin(third, DT));
    OK(dem_ghosts_forces_set(third, 1, &at, none));
    OK(dem_step_end(third));
    unsigned char bytes[4096];
    uint64_t size = 0;
    OK(dem_particles_pack(d->world[1], 1, &d->handle[2], bytes, sizeof bytes, &size));
    assert_int_equal(d->owner[2], 1);
    OK(dem_particles_unpack(fourth, bytes, size, NULL));
    OK(dem_particle_find(fourth, 3, &at));
    OK(dem_ghosts_get(fourth, 1, &at, &other));
    assert_true(other.lag == 0.5 * DT);
    /* what is no such time, and a scheme without it */
    const plan q = {.domains = 1};
    const double bad[] = {-1.0, (double)NAN, (double)INFINITY};
    dem_world *fresh = make_world(&p, d), *verlet = make_world(&q, d);
    expect(dem_particles_unpack(verlet, bytes, size, NULL), DEM_ERROR_STATE, verlet, "late");
    expect(dem_ghosts_set(verlet, 1, &ghost, MARGIN, NULL), DEM_ERROR_RANGE, verlet, "lag");
    for (int k = 0; k < 3; ++k) {
        other = ghost;
        other.lag = bad[k];
        expect(dem_ghosts_set(fresh, 1, &other, MARGIN, NULL), DEM_ERROR_RANGE, fresh, "lag");
    }
    dem_ghost old = {.struct_size = offsetof(dem_ghost, drag_coefficient)};
    expect(dem_ghosts_get(fourth, 1, &at, &old), DEM_ERROR_STRUCT_SIZE, fourth, "are late");
    dem_world_destroy(fresh);
    dem_world_destroy(verlet);
    dem_world_destroy(third);
    dem_world_destroy(fourth);
    destroy(d);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fluid),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_schemes),
        cmocka_unit_test(test_hook),
        cmocka_unit_test(test_servos),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_many_steps),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_corner),
        cmocka_unit_test(test_fields_of_ghosts),
        cmocka_unit_test(test_hook_that_is_not_sent),
        cmocka_unit_test(test_totals),
        cmocka_unit_test(test_servo_restart),
        cmocka_unit_test(test_totals_of_exact_sums),
        cmocka_unit_test(test_totals_that_hold_no_more),
        cmocka_unit_test(test_walls_in_fixed_order),
        cmocka_unit_test(test_late_velocities),
    };
    return cmocka_run_group_tests_name("coupled_domains", tests, NULL, NULL);
}
