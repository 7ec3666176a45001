/* SPDX-License-Identifier: MIT */
/**
 * @file body_domains.c
 * Clumps and grains cut into worlds that exchange loads on ghosts between the halves of a step: the
 * same bits as one world, for any cut; momentum and energy add up; and what is refused.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/bytes.h"
#include "../support/emulated.h"
#include "../support/fields.h"
#include "../support/ghosts.h"
#include "../support/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Things that are owned: bodies first, then grains. */
enum {
    SIDE = 6,
    BODIES = 19,
    GRAINS = 24,
    THINGS = BODIES + GRAINS,
    PARTS = 3,
    LONG = 18,
    SPHERES = BODIES * PARTS + GRAINS,
    DOMAINS_MOST = 8,
    FLOOR = 1000
};
#define DT 1e-3
#define MARGIN 0.4

typedef enum cut { SLABS, TURNS, ALL_BUT_ONE } cut;

/** A fluid that drags grains and parts: written between two steps, or by a hook. */
typedef enum fluid { NO_FLUID, FLUID, FLUID_OF_HOOK } fluid;
enum { FLUID_EVERY = 40, HOOK_EVERY = 7 };

typedef struct system {
    int domains;
    cut cut;
    int32_t sums;
    int open, floating; /* no periodic axes; neither gravity nor floor */
    int mindlin, moves_every, steps;
    int restarts; /* half of the way, from snapshots */
    fluid fluid;
} system_of;

typedef struct domains {
    const system_of *of;
    int owner[THINGS], step;
    dem_world *world[DOMAINS_MOST];
    dem_particle_handle grain[GRAINS];
    dem_body_handle body[BODIES];
    uint64_t ghosts[DOMAINS_MOST], bodies[DOMAINS_MOST];
    int ghost[DOMAINS_MOST][GRAINS], body_ghost[DOMAINS_MOST][BODIES];
    dem_particle_handle ghost_at[DOMAINS_MOST][GRAINS];
    dem_body_handle body_at[DOMAINS_MOST][BODIES];
    uint64_t sets;
} domains;

static void model_set(dem_world *world, int mindlin)
{
    dem_contact_model model;
    dem_linear linear;
    dem_hertz hertz;
    dem_mindlin tangential;
    OK(dem_contact_model_init(&model));
    OK(dem_linear_init(&linear));
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&tangential));
    linear.stiffness_normal = 2e4;
    linear.friction = tangential.friction = 0.4;
    linear.restitution = hertz.restitution = 0.5;
    hertz.young[0] = 3e5;
    hertz.poisson[0] = 0.3;
    if (mindlin) {
        OK(dem_contact_model_add_hertz(&model, &hertz));
        OK(dem_contact_model_add_mindlin(&model, &tangential));
    } else {
        OK(dem_contact_model_add_linear_csds(&model, &linear));
    }
    OK(dem_contact_model_set(world, 0, 0, &model));
}

/* ------------------------------------------------------------------ a fluid */

static const int32_t fluid_fields[] = {DEM_FIELD_DRAG_COEFFICIENT, DEM_FIELD_FLUID_VELOCITY,
                                       DEM_FIELD_ROTATIONAL_DRAG, DEM_FIELD_FLUID_ANGULAR_VELOCITY};
enum { FLUID_FIELDS = sizeof fluid_fields / sizeof fluid_fields[0] };

/** Some are not dragged, some hard. */
static void fluid_value(int f, int step, uint64_t id, double *value)
{
    test_random random = {.state = id * 1000003u + (uint64_t)step * 8191u + (uint64_t)f};
    const double size = pow(10.0, test_uniform(&random, -3.0, id % 7 == 0 ? 4.0 : 0.5));
    if (f % 2 != 0)
        for (int c = 0; c < 3; ++c)
            value[c] = test_uniform(&random, -2.0, 2.0) - (c == 2 ? 1.0 : 0.0);
    else
        value[0] = test_uniform(&random, 0.0, 1.0) < 0.25 ? 0.0 : size * (f == 0 ? 1.0 : 0.05);
}

/** Own rows of a world. */
static void fluid_write(dem_world *world, int step)
{
    for (int f = 0; f < FLUID_FIELDS; ++f) {
        const dem_view view = view_of(world, fluid_fields[f]);
        for (uint64_t row = 0; row < view.count; ++row)
            if (view.id[row] != 0)
                fluid_value(f, step, view.id[row],
                            (double *)(void *)((char *)view.data + row * view.stride));
        OK(dem_world_written_field(world, fluid_fields[f]));
    }
}

static int hook_writes(const domains *d)
{
    return d->of->fluid == FLUID_OF_HOOK && d->step % HOOK_EVERY == 0;
}

static dem_status hook(void *user, dem_world *world, double dt)
{
    const domains *d = user;
    assert_true(dt == DT);
    if (hook_writes(d))
        fluid_write(world, d->step);
    return DEM_OK;
}

static dem_world *world_make(const system_of *s, domains *d)
{
    dem_world_config config = scene_config();
    config.sums = s->sums;
    if (s->sums == DEM_SUMS_EXACT)
        config.force_range = config.torque_range = 1e4;
    if (s->floating)
        config.gravity[2] = 0.0;
    if (s->fluid == FLUID_OF_HOOK) {
        config.before_forces = hook;
        config.before_forces_user = d;
    }
    for (int c = 0; c < 2 && !s->open; ++c) {
        config.boundary[c] = DEM_BOUNDARY_PERIODIC;
        config.box_low[c] = 0.1 * c;
        config.box_high[c] = SIDE + 0.1 * c;
    }
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    model_set(world, s->mindlin);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = FLOOR;
    if (!s->floating)
        OK(dem_wall_add(world, &wall, NULL));
    if (s->fluid != NO_FLUID)
        OK(dem_world_impulses_reset(world));
    for (int f = 0; s->fluid == FLUID_OF_HOOK && f < FLUID_FIELDS; ++f)
        (void)view_of(world, fluid_fields[f]);
    return world;
}

/** Body k: a bent row of spheres. One is fixed, one kinematic, one longer than half of the box. */
static void body_make(const system_of *s, dem_world *world, int k, dem_body_handle *handle)
{
    test_random random = {.state = (uint64_t)k + 31};
    dem_body_part part[PARTS];
    dem_body body;
    OK(dem_body_init(&body));
    body.id = (uint64_t)k + 1;
    for (int p = 0; p < PARTS; ++p) {
        OK(dem_body_part_init(&part[p]));
        part[p].id = 100 + (uint64_t)(PARTS * k + p);
        part[p].radius = 0.35 - 0.05 * p;
        part[p].centre[0] = (k == LONG ? 1.7 : 0.45) * (p - 1);
        part[p].centre[1] = 0.1 * (p == 1);
        part[p].centre[2] = 0.02 * p;
    }
    const double size = k == LONG ? 8.0 : 1.0;
    body.mass = k == LONG ? 2.0 : 1.0;
    body.inertia[0] = 0.07 * size;
    body.inertia[1] = 0.2 * size;
    body.inertia[2] = 0.24 * size;
    const int at[3] = {k % 3, k / 3 % 3, k / 9};
    double length = 0.0;
    for (int c = 0; c < 3; ++c) {
        body.position[c] = (c == 0   ? 2.0 * at[0] + 0.8
                            : c == 1 ? 2.0 * at[1] + 0.5
                                     : 0.42 + 0.8 * at[2]) +
                           test_uniform(&random, 0.0, 0.05);
        body.velocity[c] = test_uniform(&random, -1.0, 1.0);
        body.angular_velocity[c] = test_uniform(&random, -3.0, 3.0);
    }
    for (int c = 0; c < 4; ++c) {
        body.orientation[c] = (c == 0) + test_uniform(&random, -0.1, 0.1);
        length += body.orientation[c] * body.orientation[c];
    }
    for (int c = 0; c < 4; ++c)
        body.orientation[c] /= sqrt(length);
    if (k == 4 && !s->floating)
        body.mobility = DEM_MOBILITY_FIXED;
    if (k == 5 && !s->floating)
        body.mobility = DEM_MOBILITY_KINEMATIC;
    for (int c = 0; c < 3 && body.mobility != DEM_MOBILITY_FREE; ++c) {
        body.velocity[c] = k == 5 ? 0.05 * c : 0.0;
        if (k == 4)
            body.angular_velocity[c] = 0.0;
    }
    if (dem_body_add(world, &body, PARTS, part, handle) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
}

static void grain_make(dem_world *world, int k, dem_particle_handle *handle)
{
    test_random random = {.state = (uint64_t)k + 77};
    dem_particle p = scene_particle(0.0, 0.0, 0.0);
    p.id = 500 + (uint64_t)k;
    p.radius = 0.42 - 0.1 * (k % 2);
    p.mass = 0.5;
    const int at[3] = {k % 4, k / 4 % 3, k / 12};
    for (int c = 0; c < 3; ++c) {
        p.position[c] = (c == 0   ? 1.4 * at[0] + 0.6
                         : c == 1 ? 2.0 * at[1] + 1.45
                                  : 0.45 + 0.85 * at[2]) +
                        test_uniform(&random, 0.0, 0.05);
        p.velocity[c] = test_uniform(&random, -1.0, 1.0);
    }
    OK(dem_particle_add(world, &p, handle));
}

static int first_owner(const system_of *s, int k)
{
    if (s->cut == TURNS)
        return k % s->domains;
    if (s->cut == ALL_BUT_ONE) /* the last domain has nothing */
        return k % (s->domains - 1);
    return k % SIDE * s->domains / SIDE;
}

static void domains_make(domains *d, const system_of *s)
{
    memset(d, 0, sizeof *d);
    d->of = s;
    for (int n = 0; n < s->domains; ++n)
        d->world[n] = world_make(s, d);
    for (int k = 0; k < THINGS; ++k) {
        dem_world *world = d->world[d->owner[k] = first_owner(s, k)];
        if (k < BODIES)
            body_make(s, world, k, &d->body[k]);
        else
            grain_make(world, k - BODIES, &d->grain[k - BODIES]);
        const double force[3] = {0.5, 0.0, 0.1}, torque[3] = {0.0, 0.02, 0.0};
        if (k == 2 && !s->floating)
            OK(dem_body_set_force(world, d->body[k], force, torque));
        if (k == 7 && !s->floating) { /* on a part alone */
            dem_particle_handle part;
            OK(dem_body_part_find(world, d->body[k], 2, &part));
            OK(dem_particle_set_force(world, part, force, torque));
        }
    }
}

/* ------------------------------------------------------------------ who is near to whom */

typedef struct sphere {
    int thing;
    double at[3], radius;
} sphere;

/** Of what sphere k is, or is a part. */
static int thing_of(int k)
{
    return k < BODIES * PARTS ? k / PARTS : k - BODIES * PARTS + BODIES;
}

/** Where it is owned. */
static dem_world *sphere_find(const domains *d, int k, dem_particle_handle *handle)
{
    const int thing = thing_of(k);
    dem_world *world = d->world[d->owner[thing]];
    if (thing < BODIES)
        OK(dem_body_part_find(world, d->body[thing], (uint64_t)(k % PARTS), handle));
    else
        *handle = d->grain[thing - BODIES];
    return world;
}

static void spheres_get(const domains *d, sphere *all)
{
    for (int k = 0; k < SPHERES; ++k) {
        dem_particle_handle handle;
        dem_particle p = {.struct_size = sizeof p};
        const dem_world *world = sphere_find(d, k, &handle);
        OK(dem_particle_get(world, handle, &p));
        all[k].thing = thing_of(k);
        all[k].radius = p.radius;
        memcpy(all[k].at, p.position, sizeof p.position);
    }
}

/** near[n][k]: thing k may touch what world n owns, or will own. */
static void nearness(const domains *d, const int *owner, int near[DOMAINS_MOST][THINGS])
{
    static sphere all[SPHERES];
    memset(near, 0, DOMAINS_MOST * THINGS * sizeof near[0][0]);
    spheres_get(d, all);
    for (int a = 0; a < SPHERES; ++a)
        for (int b = 0; b < SPHERES; ++b) {
            double square = 0.0;
            for (int c = 0; c < 3; ++c) {
                double x = all[a].at[c] - all[b].at[c];
                if (c < 2 && !d->of->open)
                    x -= SIDE * floor(x / SIDE + 0.5);
                square += x * x;
            }
            if (sqrt(square) - all[a].radius - all[b].radius < MARGIN)
                near[owner[all[b].thing]][all[a].thing] = 1;
        }
}

/** What owners tell of all things, before any of them is released. */
typedef struct telling {
    dem_ghost grain[GRAINS];
    unsigned char *body[BODIES];
    uint64_t size[BODIES];
} telling;

static void tell(const domains *d, telling *t)
{
    for (int k = 0; k < THINGS; ++k) {
        dem_world *world = d->world[d->owner[k]];
        if (k >= BODIES) {
            t->grain[k - BODIES].struct_size = sizeof t->grain[0];
            OK(dem_ghosts_get(world, 1, &d->grain[k - BODIES], &t->grain[k - BODIES]));
            continue;
        }
        OK(dem_ghost_bodies_get(world, 1, &d->body[k], NULL, 0, &t->size[k]));
        t->body[k] = malloc((size_t)t->size[k]);
        assert_non_null(t->body[k]);
        OK(dem_ghost_bodies_get(world, 1, &d->body[k], t->body[k], t->size[k], NULL));
    }
}

static void tell_free(telling *t)
{
    for (int k = 0; k < BODIES; ++k)
        free(t->body[k]);
}

static void ghosts_give(domains *d, const telling *t, int near[DOMAINS_MOST][THINGS])
{
    static dem_ghost some[GRAINS];
    static unsigned char bytes[1 << 17];
    for (int n = 0; n < d->of->domains; ++n) {
        uint64_t size = 0, count = 0;
        d->ghosts[n] = d->bodies[n] = 0;
        for (int k = 0; k < THINGS; ++k) {
            if (!near[n][k] || d->owner[k] == n)
                continue;
            if (k >= BODIES) {
                d->ghost[n][d->ghosts[n]] = k - BODIES;
                some[d->ghosts[n]++] = t->grain[k - BODIES];
                continue;
            }
            assert_true(size + t->size[k] <= sizeof bytes);
            memcpy(bytes + size, t->body[k], (size_t)t->size[k]);
            size += t->size[k];
            d->body_ghost[n][d->bodies[n]++] = k;
        }
        OK(dem_ghosts_set(d->world[n], d->ghosts[n], some, MARGIN, d->ghost_at[n]));
        if (dem_ghost_bodies_set(d->world[n], bytes, size, MARGIN, BODIES, d->body_at[n], &count) !=
            DEM_OK)
            fail_msg("%s", dem_world_error(d->world[n]));
        assert_int_equal(count, d->bodies[n]);
    }
}

static void ghosts_set(domains *d)
{
    static int near[DOMAINS_MOST][THINGS];
    static telling t;
    nearness(d, d->owner, near);
    tell(d, &t);
    ghosts_give(d, &t, near);
    tell_free(&t);
    ++d->sets;
}

/* ------------------------------------------------------------------ new owners */

typedef struct parcel {
    unsigned char *bytes;
    uint64_t size;
    int to;
} parcel;

/** It is a ghost then, and what acts on it stays. */
static void body_give_away(dem_world *world, dem_body_handle body)
{
    double before[6], after[6];
    OK(dem_bodies_loads_get(world, 1, &body, before));
    OK(dem_bodies_release(world, 1, &body));
    OK(dem_bodies_loads_get(world, 1, &body, after));
    assert_memory_equal(before, after, sizeof before);
}

/** All things change worlds, or stay, as `owner` says: each in a parcel of its own. */
static void move(domains *d, const int *owner)
{
    static int near[DOMAINS_MOST][THINGS];
    static telling t;
    static parcel parcels[THINGS];
    int count = 0, before[THINGS];
    tell(d, &t);
    memcpy(before, d->owner, sizeof before);
    for (int k = 0; k < THINGS; ++k) {
        dem_world *world = d->world[before[k]];
        parcel *p = &parcels[count];
        if (owner[k] == before[k])
            continue;
        for (int fill = 0; fill < 2; ++fill) {
            if (k < BODIES)
                OK(dem_bodies_pack(world, 1, &d->body[k], fill ? p->bytes : NULL, p->size,
                                   &p->size));
            else
                OK(dem_particles_pack(world, 1, &d->grain[k - BODIES], fill ? p->bytes : NULL,
                                      p->size, &p->size));
            if (!fill)
                assert_non_null(p->bytes = malloc((size_t)p->size));
        }
        p->to = owner[k];
        ++count;
    }
    nearness(d, owner, near);
    memcpy(d->owner, owner, sizeof d->owner);
    for (int k = 0; k < THINGS; ++k) {
        if (owner[k] == before[k])
            continue;
        if (k < BODIES)
            body_give_away(d->world[before[k]], d->body[k]);
        else
            OK(dem_particles_release(d->world[before[k]], 1, &d->grain[k - BODIES]));
    }
    ghosts_give(d, &t, near);
    for (int n = 0; n < count; ++n) {
        if (dem_particles_unpack(d->world[parcels[n].to], parcels[n].bytes, parcels[n].size,
                                 NULL) != DEM_OK)
            fail_msg("%s", dem_world_error(d->world[parcels[n].to]));
        free(parcels[n].bytes);
    }
    for (int k = 0; k < THINGS; ++k)
        if (k < BODIES)
            OK(dem_body_find(d->world[owner[k]], (uint64_t)k + 1, &d->body[k]));
        else
            OK(dem_particle_find(d->world[owner[k]], 500 + (uint64_t)(k - BODIES),
                                 &d->grain[k - BODIES]));
    tell_free(&t);
}

static void move_all(domains *d)
{
    int owner[THINGS];
    const system_of *s = d->of;
    for (int k = 0; k < THINGS; ++k)
        owner[k] = s->cut == ALL_BUT_ONE ? (k + d->step) % (s->domains - 1)
                                         : (k * 7 + d->step) % s->domains;
    move(d, owner);
}

/* ------------------------------------------------------------------ steps */

static void exchange(domains *d)
{
    double load[6];
    for (int n = 0; n < d->of->domains; ++n) {
        for (uint64_t g = 0; g < d->ghosts[n]; ++g) {
            const int k = d->ghost[n][g];
            OK(dem_particles_forces_get(d->world[d->owner[BODIES + k]], 1, &d->grain[k], load));
            OK(dem_ghosts_forces_set(d->world[n], 1, &d->ghost_at[n][g], load));
        }
        for (uint64_t g = 0; g < d->bodies[n]; ++g) {
            const int k = d->body_ghost[n][g];
            OK(dem_bodies_loads_get(d->world[d->owner[k]], 1, &d->body[k], load));
            OK(dem_ghost_bodies_loads_set(d->world[n], 1, &d->body_at[n][g], load));
        }
    }
}

/** A field of one sphere, from where it is owned to where it is a ghost. */
static void field_send(domains *d, int f, int from, dem_particle_handle own, int to,
                       dem_particle_handle ghost)
{
    double value[3];
    OK(dem_particles_field_get(d->world[from], fluid_fields[f], 1, &own, value));
    if (dem_ghosts_field_set(d->world[to], fluid_fields[f], 1, &ghost, value) != DEM_OK)
        fail_msg("%s", dem_world_error(d->world[to]));
}

/** Until the last one has it no step is made. */
static void fluid_send(domains *d)
{
    for (int n = 0; n < d->of->domains; ++n)
        for (int f = 0; f < FLUID_FIELDS; ++f) {
            for (uint64_t g = 0; g < d->ghosts[n]; ++g) {
                const int k = d->ghost[n][g];
                field_send(d, f, d->owner[BODIES + k], d->grain[k], n, d->ghost_at[n][g]);
            }
            for (uint64_t g = 0; g < PARTS * d->bodies[n]; ++g) {
                const int k = d->body_ghost[n][g / PARTS];
                dem_particle_handle own, ghost;
                OK(dem_body_part_find(d->world[d->owner[k]], d->body[k], g % PARTS, &own));
                OK(dem_body_part_find(d->world[n], d->body_at[n][g / PARTS], g % PARTS, &ghost));
                if (f == FLUID_FIELDS - 1 && !hook_writes(d))
                    expect(dem_step_begin(d->world[n], DT), DEM_ERROR_STATE, d->world[n],
                           "parts of ghosts that are bodies did not get");
                field_send(d, f, d->owner[k], own, n, ghost);
            }
        }
}

/** Every FLUID_EVERY steps the fluid is another one. */
static void fluid_step(domains *d)
{
    if (d->of->fluid != FLUID || d->step % FLUID_EVERY != 0)
        return;
    for (int n = 0; n < d->of->domains; ++n)
        fluid_write(d->world[n], d->step);
    fluid_send(d);
}

static void both_halves(domains *d, double dt)
{
    for (int n = 0; n < d->of->domains; ++n)
        if (dem_step_begin(d->world[n], dt) != DEM_OK)
            fail_msg("%s", dem_world_error(d->world[n]));
    if (dt > 0.0 && hook_writes(d))
        fluid_send(d);
    exchange(d);
    for (int n = 0; n < d->of->domains; ++n)
        if (dem_step_end(d->world[n]) != DEM_OK)
            fail_msg("%s", dem_world_error(d->world[n]));
}

/** All worlds come back from what they saved: their ghosts are to be set anew. */
static void restart(domains *d)
{
    for (int n = 0; n < d->of->domains; ++n) {
        const bytes kept = snapshot(d->world[n]);
        dem_world_destroy(d->world[n]);
        d->world[n] = world_make(d->of, d);
        if (dem_world_restore(d->world[n], kept.at, kept.size) != DEM_OK)
            fail_msg("%s", dem_world_error(d->world[n]));
        free(kept.at);
    }
}

static void run(domains *d, int steps)
{
    for (int step = 0; step < steps; ++step) {
        int wanted = 0;
        if (d->of->restarts && step == steps / 2)
            restart(d);
        for (int n = 0; n < d->of->domains; ++n)
            wanted |= dem_ghosts_wanted(d->world[n]);
        if (wanted)
            ghosts_set(d);
        if (d->of->moves_every > 0 && d->step % d->of->moves_every == d->of->moves_every - 1)
            move_all(d);
        fluid_step(d);
        both_halves(d, DT);
        ++d->step;
    }
}

typedef struct outcome {
    double body[BODIES][13], grain[GRAINS][6], momentum[3], angular[3];
    double given[SPHERES][12]; /* impulses of fluid and contacts */
    dem_world_energies energies;
    uint64_t contacts, particles;
} outcome;

static void given_get(const domains *d, outcome *o)
{
    for (int k = 0; k < SPHERES; ++k) {
        dem_particle_handle handle;
        const dem_world *world = sphere_find(d, k, &handle);
        for (int f = 0; f < 4; ++f)
            OK(dem_particles_field_get(world, DEM_FIELD_DRAG_IMPULSE + f, 1, &handle,
                                       o->given[k] + 3 * f));
    }
}

static void outcome_get(const domains *d, outcome *o)
{
    memset(o, 0, sizeof *o);
    if (d->of->fluid != NO_FLUID)
        given_get(d, o);
    for (int k = 0; k < THINGS; ++k) {
        const dem_world *world = d->world[d->owner[k]];
        dem_body b = {.struct_size = sizeof b};
        dem_particle p = {.struct_size = sizeof p};
        if (k < BODIES) {
            double *to = o->body[k];
            OK(dem_body_get(world, d->body[k], &b));
            memcpy(to, b.position, sizeof b.position);
            memcpy(to + 3, b.orientation, sizeof b.orientation);
            memcpy(to + 7, b.velocity, sizeof b.velocity);
            memcpy(to + 10, b.angular_velocity, sizeof b.angular_velocity);
        } else {
            OK(dem_particle_get(world, d->grain[k - BODIES], &p));
            memcpy(o->grain[k - BODIES], p.position, sizeof p.position);
            memcpy(o->grain[k - BODIES] + 3, p.velocity, sizeof p.velocity);
        }
        for (int c = 0; c < 3; ++c)
            o->momentum[c] += k < BODIES ? b.mass * b.velocity[c] : p.mass * p.velocity[c];
    }
    for (int n = 0; n < d->of->domains; ++n) {
        const dem_world_energies e = scene_energies(d->world[n]);
        const dem_world_counts counts = scene_counts(d->world[n]);
        o->energies.kinetic_translation += e.kinetic_translation;
        o->energies.kinetic_rotation += e.kinetic_rotation;
        o->energies.potential += e.potential;
        o->energies.elastic += e.elastic;
        o->energies.work_external += e.work_external;
        o->energies.work_boundary += e.work_boundary;
        o->energies.dissipated_slip += e.dissipated_slip;
        o->energies.dissipated_normal += e.dissipated_normal;
        o->energies.work_fluid += e.work_fluid;
        o->energies.dissipated_drag += e.dissipated_drag;
        o->contacts += counts.contacts;
        o->particles += counts.particles;
    }
}

static void domains_end(domains *d)
{
    for (int n = 0; n < d->of->domains; ++n)
        dem_world_destroy(d->world[n]);
}

static uint64_t simulate(const system_of *s, outcome *o)
{
    static domains d;
    domains_make(&d, s);
    ghosts_set(&d);
    both_halves(&d, 0.0);
    run(&d, s->steps);
    outcome_get(&d, o);
    const uint64_t sets = d.sets;
    domains_end(&d);
    return sets;
}

/** One world that knows nothing of halves. */
static void alone(const system_of *s, outcome *o)
{
    static domains d;
    system_of one = *s;
    one.domains = 1;
    one.cut = SLABS;
    domains_make(&d, &one);
    for (d.step = 0; d.step < s->steps; ++d.step) {
        fluid_step(&d);
        if (dem_step(d.world[0], DT, 1) != DEM_OK)
            fail_msg("%s", dem_world_error(d.world[0]));
    }
    outcome_get(&d, o);
    domains_end(&d);
}

static void expect_near(double a, double b, double size)
{
    if (!(fabs(a - b) <= 1e-12 * size))
        fail_msg("%.17g and %.17g differ by more than 1e-12 of %g", a, b, size);
}

static void expect_sums(const outcome *a, const outcome *b)
{
    const dem_world_energies *p = &a->energies, *q = &b->energies;
    const double size =
        1.0 + p->kinetic_translation + p->potential + p->dissipated_slip + p->dissipated_normal;
    assert_int_equal(a->contacts, b->contacts);
    assert_int_equal(a->particles, b->particles);
    expect_near(p->kinetic_translation, q->kinetic_translation, size);
    expect_near(p->kinetic_rotation, q->kinetic_rotation, size);
    expect_near(p->potential, q->potential, size);
    expect_near(p->elastic, q->elastic, size);
    expect_near(p->work_external, q->work_external, size);
    expect_near(p->work_boundary, q->work_boundary, size);
    expect_near(p->dissipated_slip, q->dissipated_slip, size);
    expect_near(p->dissipated_normal, q->dissipated_normal, size);
    expect_near(p->work_fluid, q->work_fluid, size + fabs(p->work_fluid));
    expect_near(p->dissipated_drag, q->dissipated_drag, size + p->dissipated_drag);
}

static void expect_cuts(system_of s)
{
    static const struct {
        int domains;
        cut cut;
        int moves_every;
    } cuts[] = {{1, SLABS, 0}, {2, SLABS, 0}, {4, TURNS, 50}, {8, TURNS, 70}, {3, ALL_BUT_ONE, 60}};
    static outcome one, many;
    s.sums = DEM_SUMS_EXACT;
    alone(&s, &one);
    assert_true(one.contacts > 15 || test_rounds(10) < 10);
    for (size_t n = 0; n < sizeof cuts / sizeof cuts[0]; ++n) {
        s.domains = cuts[n].domains;
        s.cut = cuts[n].cut;
        s.moves_every = cuts[n].moves_every;
        const uint64_t sets = simulate(&s, &many);
        assert_true(sets >= 1);
        assert_memory_equal(one.body, many.body, sizeof one.body);
        assert_memory_equal(one.grain, many.grain, sizeof one.grain);
        assert_memory_equal(one.given, many.given, sizeof one.given);
        expect_sums(&one, &many);
    }
}

static void test_bits(void **state)
{
    (void)state;
    expect_cuts((system_of){.steps = test_rounds(800)});
}

static void test_bits_open(void **state)
{
    (void)state;
    expect_cuts((system_of){.steps = test_rounds(600), .open = 1, .mindlin = 1});
}

/** A fluid drags each part by the fields of its row, which go to the ghosts where they change. */
static void test_bits_in_a_fluid(void **state)
{
    (void)state;
    expect_cuts((system_of){.steps = test_rounds(500), .restarts = 1, .fluid = FLUID});
}

static void test_bits_of_a_hook(void **state)
{
    (void)state;
    expect_cuts((system_of){.steps = test_rounds(300), .open = 1, .fluid = FLUID_OF_HOOK});
}

/** With sums in another order forces differ by round-off, but no momentum comes from a cut: what
 * acts on both ends of a contact is computed twice from the same numbers. */
static void test_momentum(void **state)
{
    (void)state;
    system_of s = {.steps = test_rounds(500),
                   .floating = 1,
                   .open = 1,
                   .domains = 4,
                   .cut = TURNS,
                   .moves_every = 60};
    static outcome one, many, start;
    alone(&s, &one);
    const int steps = s.steps;
    s.steps = 0;
    alone(&s, &start);
    s.steps = steps;
    (void)simulate(&s, &many);
    double change = 0.0, exchanged = 0.0;
    for (int c = 0; c < 3; ++c)
        change = fmax(change, fabs(many.momentum[c] - start.momentum[c]));
    for (int k = 0; k < BODIES; ++k)
        exchanged += fabs(many.body[k][7] - start.body[k][7]);
    assert_true(exchanged > 1.0 || test_rounds(10) < 10);
    assert_true(change < 1e-13 * THINGS);
    /* contacts come and go at the same steps, so that round-off stays small in this time */
    assert_int_equal(one.contacts, many.contacts);
    for (int k = 0; k < BODIES; ++k)
        for (int c = 0; c < 13; ++c)
            assert_true(fabs(one.body[k][c] - many.body[k][c]) < 1e-6);
}

/* ------------------------------------------------------------------ what is refused */

static bytes told(dem_world *world, uint64_t count, const dem_body_handle *handles)
{
    bytes b = {NULL, 0};
    OK(dem_ghost_bodies_get(world, count, handles, NULL, 0, &b.size));
    b.at = malloc((size_t)(2 * b.size));
    assert_non_null(b.at);
    OK(dem_ghost_bodies_get(world, count, handles, b.at, b.size, NULL));
    return b;
}

/* A world without anything takes any number of ghosts of bodies at once, also of several worlds,
 * and knows them by their ids and those of their parts. */
static void many_at_once(void **state)
{
    (void)state;
    enum { MANY = 300 };
    static dem_body_handle own[MANY], ghost[MANY];
    dem_world_config config;
    dem_world *world[2];
    OK(dem_world_config_init(&config));
    for (int n = 0; n < 2; ++n) {
        OK(dem_world_create(&config, &world[n], NULL));
        model_set(world[n], 0);
    }
    for (uint64_t k = 0; k < MANY; ++k) {
        dem_body_part parts[2];
        dem_body body;
        OK(dem_body_init(&body));
        body.id = 1 + k;
        body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        body.position[0] = 4.0 * (double)k;
        for (int p = 0; p < 2; ++p) {
            OK(dem_body_part_init(&parts[p]));
            parts[p].radius = 0.5;
            parts[p].centre[1] = p == 0 ? 0.5 : -0.5;
        }
        OK(dem_body_add(world[0], &body, 2, parts, &own[k]));
    }
    bytes all = {NULL, 0};
    for (int k = 0; k < 3; ++k) {
        const bytes b = told(world[0], MANY / 3, &own[MANY / 3 * k]);
        all.at = realloc(all.at, (size_t)(all.size + b.size));
        assert_non_null(all.at);
        memcpy(all.at + all.size, b.at, (size_t)b.size);
        all.size += b.size;
        free(b.at);
    }
    uint64_t count = 0;
    OK(dem_ghost_bodies_set(world[1], all.at, all.size, MARGIN, MANY, ghost, &count));
    assert_int_equal(count, MANY);
    for (uint64_t k = 0; k < MANY; ++k) {
        dem_body_handle found;
        OK(dem_body_find(world[1], 1 + k, &found));
        assert_memory_equal(&found, &ghost[k], sizeof found);
        for (uint64_t p = 0; p < 2; ++p) {
            dem_particle_handle part, again;
            dem_particle of = {.struct_size = sizeof of};
            OK(dem_body_part_find(world[1], found, p, &part));
            OK(dem_particle_get(world[1], part, &of));
            OK(dem_particle_find(world[1], of.id, &again));
            assert_memory_equal(&part, &again, sizeof part);
            assert_true(of.position[0] == 4.0 * (double)k);
        }
    }
    free(all.at);
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

/** Two worlds, each with a body of two that touch; each has the other one as a ghost. */
static void pair_make(dem_world *world[2], dem_body_handle own[2], dem_body_handle ghost[2])
{
    static const system_of s = {.domains = 2, .sums = DEM_SUMS_EXACT};
    for (int n = 0; n < 2; ++n) {
        world[n] = world_make(&s, NULL);
        body_make(&s, world[n], n, &own[n]);
    }
    for (int n = 0; n < 2; ++n) {
        const bytes b = told(world[1 - n], 1, &own[1 - n]);
        OK(dem_ghost_bodies_set(world[n], b.at, b.size, MARGIN, 1, &ghost[n], NULL));
        free(b.at);
    }
    double load[6];
    for (int n = 0; n < 2; ++n)
        OK(dem_step_begin(world[n], 0.0));
    for (int n = 0; n < 2; ++n) {
        OK(dem_bodies_loads_get(world[1 - n], 1, &own[1 - n], load));
        OK(dem_ghost_bodies_loads_set(world[n], 1, &ghost[n], load));
        OK(dem_step_end(world[n]));
    }
}

/** What cannot be a ghost, or is one and stays with its owner. */
static void test_sets(void **state)
{
    (void)state;
    dem_world *world[2];
    dem_body_handle own[2], ghost[2], more;
    pair_make(world, own, ghost);
    bytes b = told(world[1], 1, &own[1]);
    const bytes before = snapshot(world[0]), mine = told(world[0], 1, &own[0]);
    const double zero[3] = {0.0, 0.0, 0.0};
    dem_particle_handle part;
    uint64_t size;
    expect(dem_body_remove(world[0], ghost[0]), DEM_ERROR_STATE, world[0], "is a ghost");
    expect(dem_body_set_force(world[0], ghost[0], zero, NULL), DEM_ERROR_STATE, world[0], "ghost");
    expect(dem_body_set_motion(world[0], ghost[0], zero, NULL, NULL, NULL), DEM_ERROR_STATE,
           world[0], "ghost");
    expect(dem_bodies_pack(world[0], 1, &ghost[0], NULL, 0, &size), DEM_ERROR_STATE, world[0],
           "body 2: is a ghost: its owner packs it");
    expect(dem_bodies_release(world[0], 1, &ghost[0]), DEM_ERROR_STATE, world[0], "ghost already");
    dem_body_handle twice[2] = {own[0], own[0]};
    expect(dem_bodies_release(world[0], 2, twice), DEM_ERROR_STATE, world[0], "named twice");
    expect(dem_bodies_pack(world[0], 2, twice, NULL, 0, &size), DEM_ERROR_STATE, world[0],
           "body 1: is named twice");
    OK(dem_body_part_find(world[0], ghost[0], 0, &part));
    expect(dem_ghosts_field_set(world[0], DEM_FIELD_EXTERNAL_FORCE, 1, &part, zero),
           DEM_ERROR_STATE, world[0], "a part of body");
    expect(dem_step(world[0], DT, 1), DEM_ERROR_STATE, world[0], "ghosts");
    /* bytes that are cut, twice there, of owned bodies, or no ghosts */
    for (uint64_t n = 1; n < b.size; ++n)
        assert_int_equal(dem_ghost_bodies_set(world[0], b.at, n, MARGIN, 1, &more, NULL),
                         DEM_ERROR_FORMAT);
    memcpy(b.at + b.size, b.at, (size_t)b.size);
    expect(dem_ghost_bodies_set(world[0], b.at, 2 * b.size, MARGIN, 2, twice, NULL),
           DEM_ERROR_DUPLICATE, world[0], "another ghost of the call");
    expect(dem_ghost_bodies_set(world[0], mine.at, mine.size, MARGIN, 1, &more, NULL),
           DEM_ERROR_DUPLICATE, world[0], "a body that this world owns");
    expect(dem_ghost_bodies_set(world[0], b.at, b.size, MARGIN, 0, &more, NULL), DEM_ERROR_RANGE,
           world[0], "capacity");
    expect(dem_ghost_bodies_set(world[0], b.at, b.size, 0.0, 1, &more, NULL), DEM_ERROR_RANGE,
           world[0], "margin");
    expect(dem_particles_unpack(world[0], b.at, b.size, NULL), DEM_ERROR_FORMAT, world[0],
           "no packed particles");
    expect_snapshot(world[0], before);
    OK(dem_ghost_bodies_set(world[0], b.at, b.size, MARGIN, 1, &more, NULL));
    assert_true(more.index == ghost[0].index && more.generation == ghost[0].generation);
    expect_snapshot(world[0], before);
    /* a body whose place is taken by another one in its world */
    OK(dem_body_remove(world[1], own[1]));
    static const system_of s = {.domains = 2, .sums = DEM_SUMS_EXACT};
    body_make(&s, world[1], 2, &more);
    dem_body_handle of_three = more;
    const bytes three = told(world[1], 1, &of_three);
    OK(dem_ghost_bodies_set(world[0], three.at, three.size, MARGIN, 1, &more, NULL));
    assert_int_equal(scene_counts(world[0]).ghosts, PARTS);
    expect(dem_bodies_loads_get(world[0], 1, &ghost[0], (double *)&size), DEM_ERROR_HANDLE,
           world[0], "stale");
    OK(dem_ghost_bodies_set(world[0], NULL, 0, INFINITY, 0, NULL, NULL));
    assert_int_equal(scene_counts(world[0]).ghosts, 0);
    OK(dem_step(world[0], DT, 1));
    free(b.at);
    free(before.at);
    free(mine.at);
    free(three.at);
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

/** A step that lacks a load; one that is taken back; what the host wrote; and a restart. */
static void test_loads(void **state)
{
    (void)state;
    dem_world *world[2];
    dem_body_handle own[2], ghost[2];
    pair_make(world, own, ghost);
    double load[6], bad[6] = {0.0, 0.0, 0.0, NAN, 0.0, 0.0};
    OK(dem_bodies_loads_get(world[1], 1, &own[1], load));
    const bytes before = snapshot(world[0]);
    OK(dem_step_begin(world[0], DT));
    expect(dem_step_end(world[0]), DEM_ERROR_STATE, world[0], "dem_ghost_bodies_loads_set");
    expect(dem_ghost_bodies_loads_set(world[0], 1, &own[0], load), DEM_ERROR_STATE, world[0],
           "not a ghost");
    expect(dem_ghost_bodies_loads_set(world[0], 1, &ghost[0], bad), DEM_ERROR_RANGE, world[0],
           "finite");
    bad[0] = 1e3, bad[3] = 0.0;
    OK(dem_ghost_bodies_loads_set(world[0], 1, &ghost[0], bad));
    OK(dem_step_cancel(world[0]));
    expect_snapshot(world[0], before);
    /* a field of the host: its ghosts lack it, until they have it */
    double pull[2 * PARTS][3];
    memset(pull, 0, sizeof pull);
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world[0], DEM_FIELD_EXTERNAL_FORCE, &view));
    OK(dem_world_written_field(world[0], DEM_FIELD_EXTERNAL_FORCE));
    expect(dem_step_begin(world[0], DT), DEM_ERROR_STATE, world[0], "did not get their load");
    OK(dem_ghost_bodies_loads_set(world[0], 1, &ghost[0], load));
    OK(dem_step_begin(world[0], DT));
    OK(dem_ghost_bodies_loads_set(world[0], 1, &ghost[0], load));
    OK(dem_step_end(world[0]));
    assert_false(dem_ghosts_wanted(world[0]));
    /* a restart has its ghosts, which are to be set */
    const bytes kept = snapshot(world[0]);
    static const system_of s = {.domains = 2, .sums = DEM_SUMS_EXACT};
    dem_world *again = world_make(&s, NULL);
    if (dem_world_restore(again, kept.at, kept.size) != DEM_OK)
        fail_msg("%s", dem_world_error(again));
    assert_true(dem_ghosts_wanted(again));
    assert_int_equal(scene_counts(again).ghosts, PARTS);
    assert_int_equal(scene_counts(again).particles, PARTS);
    expect(dem_step_begin(again, DT), DEM_ERROR_STATE, again, "dem_ghost");
    /* the bodies among them, too, where particles are set */
    OK(dem_ghosts_set(again, 0, NULL, MARGIN, NULL));
    assert_true(dem_ghosts_wanted(again));
    expect(dem_step_begin(again, DT), DEM_ERROR_STATE, again, "dem_ghost_bodies_set");
    const dem_world_energies a = scene_energies(again), b = scene_energies(world[0]);
    assert_true(a.kinetic_rotation == b.kinetic_rotation && a.kinetic_rotation > 0.0);
    /* it goes away too far */
    const double fast[3] = {150.0, 0.0, 0.0};
    OK(dem_body_set_motion(world[0], own[0], NULL, NULL, fast, NULL));
    assert_true(dem_ghosts_wanted(world[0]));
    expect(dem_step_begin(world[0], 0.0), DEM_ERROR_STATE, world[0], "dem_ghost_bodies_set");
    const bytes other = told(world[1], 1, &own[1]);
    OK(dem_ghost_bodies_set(world[0], other.at, other.size, MARGIN, 1, &ghost[0], NULL));
    free(other.at);
    OK(dem_step_begin(world[0], 0.0));
    OK(dem_ghost_bodies_loads_set(world[0], 1, &ghost[0], load));
    OK(dem_step_end(world[0]));
    assert_false(dem_ghosts_wanted(world[0]));
    OK(dem_step_begin(world[0], DT));
    OK(dem_ghost_bodies_loads_set(world[0], 1, &ghost[0], load));
    OK(dem_step_end(world[0]));
    assert_true(dem_ghosts_wanted(world[0]));
    expect(dem_step_begin(world[0], DT), DEM_ERROR_STATE, world[0], "dem_ghost_bodies_set");
    free(before.at);
    free(kept.at);
    dem_world_destroy(again);
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

/** A rewind takes back that a fluid was written which the ghosts did not get, and keeps what they
 * did not have at the mark. */
static void test_mark(void **state)
{
    (void)state;
    dem_world *world[2];
    dem_body_handle own[2], ghost[2];
    pair_make(world, own, ghost);
    for (int n = 0; n < 2; ++n)
        fluid_write(world[n], 0);
    expect(dem_step_begin(world[0], 0.0), DEM_ERROR_STATE, world[0], "dem_ghost_bodies_set");
    const bytes b = told(world[1], 1, &own[1]);
    OK(dem_ghost_bodies_set(world[0], b.at, b.size, MARGIN, 1, &ghost[0], NULL));
    free(b.at);
    OK(dem_world_mark(world[0]));
    fluid_write(world[0], 1);
    expect(dem_step_begin(world[0], 0.0), DEM_ERROR_STATE, world[0], "dem_ghost_bodies_set");
    OK(dem_world_rewind(world[0]));
    OK(dem_step_begin(world[0], 0.0));
    OK(dem_step_cancel(world[0]));
    fluid_write(world[0], 1);
    OK(dem_world_mark(world[0]));
    OK(dem_world_rewind(world[0]));
    expect(dem_step_begin(world[0], 0.0), DEM_ERROR_STATE, world[0], "was written, and 3 of 3");
    for (int n = 0; n < 2; ++n)
        dem_world_destroy(world[n]);
}

static void drag_written(dem_world *world, double drag)
{
    const dem_view view = view_of(world, DEM_FIELD_DRAG_COEFFICIENT);
    for (uint64_t row = 0; row < view.count; ++row)
        *(double *)(void *)((char *)view.data + row * view.stride) = drag;
    OK(dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT));
}

/** A ghost that one owner told of with a drag, and then another one, which has no fluid: the
 * world with that ghost. */
static dem_world *world_of_new_owner(double drag)
{
    static const system_of s = {.domains = 2, .sums = DEM_SUMS_EXACT};
    dem_world *world[2], *dry = world_make(&s, NULL);
    dem_body_handle own[2], ghost[2], in_dry;
    pair_make(world, own, ghost);
    drag_written(world[1], drag);
    bytes b = told(world[1], 1, &own[1]);
    OK(dem_ghost_bodies_set(world[0], b.at, b.size, MARGIN, 1, &ghost[0], NULL));
    free(b.at);
    body_make(&s, dry, 1, &in_dry);
    b = told(dry, 1, &in_dry);
    OK(dem_ghost_bodies_set(world[0], b.at, b.size, MARGIN, 1, &ghost[0], NULL));
    free(b.at);
    dem_world_destroy(world[1]);
    dem_world_destroy(dry);
    return world[0];
}

/** A ghost has no drag where its owner has no fluid, whatever the one before told of it. */
static void test_owner_without_fluid(void **state)
{
    (void)state;
    dem_world *dragged = world_of_new_owner(3.0), *free_one = world_of_new_owner(0.0);
    const bytes expected = snapshot(free_one);
    expect_snapshot(dragged, expected);
    free(expected.at);
    dem_world_destroy(dragged);
    dem_world_destroy(free_one);
}

/** Ghosts that lack what was written are counted without those that are bodies. */
static void test_counts_of_what_lacks(void **state)
{
    (void)state;
    dem_world *world[2];
    dem_body_handle own[2], body[2];
    dem_particle_handle grain, at;
    dem_ghost ghost = {.struct_size = sizeof ghost};
    pair_make(world, own, body);
    grain_make(world[1], 0, &grain);
    OK(dem_ghosts_get(world[1], 1, &grain, &ghost));
    OK(dem_ghosts_set(world[0], 1, &ghost, MARGIN, &at));
    fluid_write(world[0], 0);
    expect(dem_step_begin(world[0], 0.0), DEM_ERROR_STATE, world[0], "and 1 of 1 ghosts did not");
    for (int n = 0; n < 2; ++n)
        dem_world_destroy(world[n]);
}

/** Two bodies that touch are given away and are where they were: their contact is none of this
 * world any more. */
static void test_released_in_contact(void **state)
{
    (void)state;
    static const system_of s = {.domains = 2, .sums = DEM_SUMS_EXACT, .floating = 1};
    dem_world *world = world_make(&s, NULL);
    dem_body_handle body[2], far;
    dem_body lower = {.struct_size = sizeof lower};
    double load[12];
    body_make(&s, world, 0, &body[0]);
    body_make(&s, world, 9, &body[1]);
    body_make(&s, world, 8, &far);
    OK(dem_body_get(world, body[0], &lower));
    lower.position[2] += 0.6;
    OK(dem_body_set_motion(world, body[1], lower.position, NULL, NULL, NULL));
    OK(dem_step(world, DT, 1));
    assert_true(scene_counts(world).contacts > 0);
    const bytes b = told(world, 2, body);
    OK(dem_bodies_loads_get(world, 2, body, load));
    OK(dem_bodies_release(world, 2, body));
    OK(dem_ghost_bodies_set(world, b.at, b.size, MARGIN, 2, body, NULL));
    free(b.at);
    OK(dem_step_begin(world, DT));
    OK(dem_ghost_bodies_loads_set(world, 2, body, load));
    OK(dem_step_end(world));
    assert_int_equal(scene_counts(world).contacts, 0);
    dem_world_destroy(world);
}

/** What is written once more is told once more, to ghosts that had the values before, too. */
static void test_told_and_written_again(void **state)
{
    (void)state;
    static const system_of s = {.domains = 2, .sums = DEM_SUMS_EXACT};
    dem_world *world[2] = {world_make(&s, NULL), world_make(&s, NULL)};
    dem_particle_handle own, grain[2], at[2];
    dem_ghost ghost[2] = {{.struct_size = sizeof ghost[0]}, {.struct_size = sizeof ghost[0]}};
    const double drag[2] = {0.5, 0.25};
    grain_make(world[0], 2, &own);
    for (int k = 0; k < 2; ++k)
        grain_make(world[1], k, &grain[k]);
    OK(dem_ghosts_get(world[1], 2, grain, ghost));
    OK(dem_ghosts_set(world[0], 2, ghost, MARGIN, at));
    for (int k = 0; k < 2; ++k) {
        drag_written(world[0], drag[k]);
        expect(dem_step_begin(world[0], 0.0), DEM_ERROR_STATE, world[0], "2 of 2 ghosts");
        OK(dem_ghosts_field_set(world[0], DEM_FIELD_DRAG_COEFFICIENT, 1, &at[k], &drag[k]));
        expect(dem_step_begin(world[0], 0.0), DEM_ERROR_STATE, world[0], "1 of 2 ghosts");
    }
    OK(dem_ghosts_field_set(world[0], DEM_FIELD_DRAG_COEFFICIENT, 1, &at[0], &drag[1]));
    OK(dem_step_begin(world[0], 0.0));
    OK(dem_step_cancel(world[0]));
    for (int n = 0; n < 2; ++n)
        dem_world_destroy(world[n]);
}

/** Between the halves of a step, what is read of parts is what the last complete one left. */
static void test_reads_between_halves(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_wall floor;
    dem_body body;
    dem_body_part part[2];
    dem_body_handle handle;
    dem_particle_handle first;
    OK(dem_wall_init(&floor));
    OK(dem_wall_add(world, &floor, NULL));
    OK(dem_body_init(&body));
    body.mass = 1.0;
    body.inertia[0] = 0.05;
    body.inertia[1] = body.inertia[2] = 0.08;
    body.position[2] = 0.299;
    body.velocity[2] = -1.0;
    body.angular_velocity[0] = 3.0;
    body.angular_velocity[2] = 20.0;
    for (int k = 0; k < 2; ++k) {
        OK(dem_body_part_init(&part[k]));
        part[k].radius = 0.3;
        part[k].centre[0] = 0.4 * k - 0.2;
    }
    OK(dem_body_add(world, &body, 2, part, &handle));
    OK(dem_body_part_find(world, handle, 0, &first));
    OK(dem_step(world, DT, 3));
    dem_particle seen[3];
    dem_contact contact[3];
    uint64_t hash[3];
    for (int k = 0; k < 3; ++k) { /* before, between, after */
        uint64_t cursor = 0;
        if (k == 1)
            OK(dem_step_begin(world, DT));
        if (k == 2)
            OK(dem_step_cancel(world));
        memset(&seen[k], 0, sizeof seen[k]);
        memset(&contact[k], 0, sizeof contact[k]);
        seen[k].struct_size = sizeof seen[k];
        contact[k].struct_size = sizeof contact[k];
        OK(dem_particle_get(world, first, &seen[k]));
        OK(dem_world_contact_next(world, &cursor, &contact[k]));
        hash[k] = scene_hash(world);
        assert_memory_equal(&seen[k], &seen[0], sizeof seen[0]);
        assert_memory_equal(&contact[k], &contact[0], sizeof contact[0]);
        assert_int_equal(hash[k], hash[0]);
    }
    /* both halves are a step */
    uint64_t halves;
    const bytes before = snapshot(world);
    OK(dem_step_begin(world, DT));
    OK(dem_step_end(world));
    halves = scene_hash(world);
    OK(dem_world_restore(world, before.at, before.size));
    OK(dem_step(world, DT, 1));
    assert_int_equal(scene_hash(world), halves);
    free(before.at);
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),
        cmocka_unit_test(many_at_once),
        cmocka_unit_test(test_bits_open),
        cmocka_unit_test(test_bits_in_a_fluid),
        cmocka_unit_test(test_bits_of_a_hook),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_mark),
        cmocka_unit_test(test_owner_without_fluid),
        cmocka_unit_test(test_released_in_contact),
        cmocka_unit_test(test_counts_of_what_lacks),
        cmocka_unit_test(test_told_and_written_again),
        cmocka_unit_test(test_reads_between_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
