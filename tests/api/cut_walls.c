/* SPDX-License-Identifier: MIT */
/**
 * @file cut_walls.c
 * A drum, a mesh that turns with it and one whose vertices move besides, cut into worlds that
 * exchange forces on ghosts: the same bits as one world, also where grains change worlds.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/ghosts.h"
#include "../support/meshes.h"
#include "../support/random.h"
#include "../support/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 5, GRAINS = SIDE * SIDE * SIDE, WORLDS_MOST = 4, WALLS = 3 };
#define DT 5e-4
#define MARGIN 0.3
#define DRUM 2.6
#define WEIGHT (10.0 * GRAINS)

typedef struct cut_run {
    int jkr, worlds, steps, moves_every;
} cut_run;

typedef struct system {
    const cut_run *of;
    dem_world *world[WORLDS_MOST];
    int owner[GRAINS];
    dem_particle_handle handle[GRAINS]; /* in the world of the owner */
    uint64_t ghosts[WORLDS_MOST];
    int ghost[WORLDS_MOST][GRAINS];
    dem_particle_handle ghost_at[WORLDS_MOST][GRAINS];
} system_of;

typedef struct outcome {
    double motion[GRAINS][9], force[GRAINS][6];
    double wall[WALLS][6], work[WALLS];
    uint64_t contacts;
} outcome;

static void must(dem_status status, const dem_world *world)
{
    if (status != DEM_OK)
        fail_msg("%s", dem_world_error(world));
}

static void set_model(dem_world *world, int jkr)
{
    dem_contact_model model;
    dem_linear linear;
    dem_mindlin mindlin;
    dem_adhesion adhesion;
    OK(dem_contact_model_init(&model));
    OK(dem_linear_init(&linear));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_adhesion_init(&adhesion));
    linear.stiffness_normal = 2e4;
    linear.friction = mindlin.friction = 0.5;
    linear.restitution = adhesion.restitution = 0.7;
    adhesion.young[0] = 3e5;
    adhesion.work_of_adhesion = 0.5;
    if (jkr) {
        OK(dem_contact_model_add_jkr(&model, &adhesion));
        OK(dem_contact_model_add_mindlin(&model, &mindlin));
    } else {
        OK(dem_contact_model_add_linear_csds(&model, &linear));
    }
    must(dem_contact_model_set(world, 0, 0, &model), world);
}

/** A drum about y, and two cubes that turn with it, one of which has corners that move. */
static void add_walls(dem_world *world)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = 1001;
    wall.shape = DEM_SHAPE_CYLINDER;
    wall.side = DEM_SIDE_INSIDE;
    wall.normal[1] = 1.0;
    wall.normal[2] = 0.0;
    wall.size[0] = DRUM;
    wall.size[1] = 4.5;
    wall.angular_velocity[1] = -1.5;
    must(dem_wall_add(world, &wall, NULL), world);
    for (uint64_t k = 0; k < 2; ++k) {
        OK(dem_wall_init(&wall));
        wall.id = 1002 + k;
        wall.shape = DEM_SHAPE_MESH;
        wall.mesh = mesh_of(cube_vertices, 8, cube_facets, 12);
        wall.point[0] = k == 0 ? -0.5 : 0.4;
        wall.point[1] = k == 0 ? -1.6 : 0.6;
        wall.point[2] = -2.15;
        wall.angular_velocity[1] = -1.5;
        wall.pivot[0] = -wall.point[0];
        wall.pivot[2] = 2.15;
        must(dem_wall_add(world, &wall, NULL), world);
        dem_mesh_destroy(wall.mesh);
    }
    double velocity[8][3] = {{0}};
    velocity[7][2] = 0.4;
    velocity[6][0] = -0.2;
    must(dem_wall_set_vertices(world, 1003, NULL, velocity[0]), world);
}

static dem_world *make_world(int jkr)
{
    dem_world_config config = scene_config();
    config.sums = DEM_SUMS_EXACT;
    config.force_range = config.torque_range = 1e4;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    set_model(world, jkr);
    add_walls(world);
    return world;
}

static dem_particle grain_of(int k, test_random *random)
{
    dem_particle p;
    OK(dem_particle_init(&p));
    p.id = (uint64_t)k + 1;
    p.mass = 1.0;
    p.radius = 0.3 - 0.03 * (k % 3);
    const int at[3] = {k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)};
    for (int c = 0; c < 3; ++c) {
        p.position[c] = 0.66 * (at[c] - 0.5 * (SIDE - 1)) + test_uniform(random, 0.0, 0.03);
        p.velocity[c] = test_uniform(random, -1.0, 1.0);
    }
    p.position[2] += 0.55;
    return p;
}

/** Grains go by their place along x, or in turns. */
static int owner_by(const cut_run *run, double x, int k, int step)
{
    if (step > 0 && step / run->moves_every % 2 == 1)
        return (k + step) % run->worlds;
    const int slab = (int)floor((x + DRUM) / (2.0 * DRUM) * run->worlds);
    return slab < 0 ? 0 : slab < run->worlds ? slab : run->worlds - 1;
}

static void system_make(system_of *s, const cut_run *run)
{
    memset(s, 0, sizeof *s);
    s->of = run;
    test_random random = {.state = 11};
    for (int n = 0; n < run->worlds; ++n)
        s->world[n] = make_world(run->jkr);
    for (int k = 0; k < GRAINS; ++k) {
        const dem_particle p = grain_of(k, &random);
        s->owner[k] = owner_by(run, p.position[0], k, 0);
        must(dem_particle_add(s->world[s->owner[k]], &p, &s->handle[k]), s->world[s->owner[k]]);
    }
}

static void all_get(const system_of *s, dem_ghost *all)
{
    ghosts_of_all(s->world, s->owner, s->handle, GRAINS, all);
}

static void ghosts_set(system_of *s, const dem_ghost *all)
{
    static dem_ghost some[GRAINS];
    for (int n = 0; n < s->of->worlds; ++n) {
        const uint64_t count = ghosts_near(all, s->owner, GRAINS, n, MARGIN + 0.1, (double)INFINITY,
                                           s->ghost[n], some);
        must(dem_ghosts_set(s->world[n], count, some, MARGIN, s->ghost_at[n]), s->world[n]);
        s->ghosts[n] = count;
    }
}

/** Each grain that has to changes its world. */
static void move(system_of *s, int step)
{
    static dem_ghost all[GRAINS];
    static void *parcel[GRAINS];
    static uint64_t size[GRAINS];
    int owner[GRAINS];
    all_get(s, all);
    for (int k = 0; k < GRAINS; ++k) {
        dem_world *from = s->world[s->owner[k]];
        owner[k] = owner_by(s->of, all[k].position[0], k, step);
        parcel[k] = NULL;
        if (owner[k] == s->owner[k])
            continue;
        must(dem_particles_pack(from, 1, &s->handle[k], NULL, 0, &size[k]), from);
        parcel[k] = malloc((size_t)size[k]);
        must(dem_particles_pack(from, 1, &s->handle[k], parcel[k], size[k], NULL), from);
    }
    for (int k = 0; k < GRAINS; ++k)
        if (parcel[k] != NULL)
            must(dem_particles_release(s->world[s->owner[k]], 1, &s->handle[k]),
                 s->world[s->owner[k]]);
    memcpy(s->owner, owner, sizeof owner);
    ghosts_set(s, all);
    for (int k = 0; k < GRAINS; ++k) {
        dem_world *to = s->world[owner[k]];
        if (parcel[k] != NULL)
            must(dem_particles_unpack(to, parcel[k], size[k], NULL), to);
        free(parcel[k]);
    }
    for (int k = 0; k < GRAINS; ++k)
        OK(dem_particle_find(s->world[owner[k]], (uint64_t)k + 1, &s->handle[k]));
}

static void half_steps(system_of *s, double dt)
{
    for (int n = 0; n < s->of->worlds; ++n)
        must(dem_step_begin(s->world[n], dt), s->world[n]);
    for (int n = 0; n < s->of->worlds; ++n)
        for (uint64_t g = 0; g < s->ghosts[n]; ++g) {
            const int k = s->ghost[n][g];
            double load[6];
            OK(dem_particles_forces_get(s->world[s->owner[k]], 1, &s->handle[k], load));
            OK(dem_ghosts_forces_set(s->world[n], 1, &s->ghost_at[n][g], load));
        }
    for (int n = 0; n < s->of->worlds; ++n)
        must(dem_step_end(s->world[n]), s->world[n]);
}

static void run_cut(system_of *s)
{
    static dem_ghost all[GRAINS];
    all_get(s, all);
    ghosts_set(s, all);
    half_steps(s, 0.0);
    for (int step = 1; step <= s->of->steps; ++step) {
        int wanted = 0;
        for (int n = 0; n < s->of->worlds; ++n)
            wanted |= dem_ghosts_wanted(s->world[n]);
        if (wanted) {
            all_get(s, all);
            ghosts_set(s, all);
        }
        if (s->of->moves_every > 0 && step % s->of->moves_every == 0)
            move(s, step);
        half_steps(s, DT);
    }
}

static void read(const system_of *s, outcome *out)
{
    for (int k = 0; k < GRAINS; ++k) {
        const dem_world *world = s->world[s->owner[k]];
        dem_particle p = {.struct_size = sizeof p};
        OK(dem_particle_get(world, s->handle[k], &p));
        memcpy(out->motion[k], p.position, sizeof p.position);
        memcpy(out->motion[k] + 3, p.velocity, sizeof p.velocity);
        memcpy(out->motion[k] + 6, p.angular_velocity, sizeof p.angular_velocity);
        OK(dem_particles_forces_get(world, 1, &s->handle[k], out->force[k]));
    }
    for (int n = 0; n < s->of->worlds; ++n) {
        out->contacts += scene_counts(s->world[n]).contacts;
        for (uint64_t w = 0; w < WALLS; ++w) {
            dem_wall wall = {.struct_size = sizeof wall};
            OK(dem_wall_get(s->world[n], 1001 + w, &wall));
            out->work[w] += wall.work;
            for (int c = 0; c < 3; ++c) {
                out->wall[w][c] += wall.force[c];
                out->wall[w][3 + c] += wall.torque[c];
            }
        }
    }
}

static void run_system(const cut_run *run, outcome *out)
{
    static system_of s;
    memset(out, 0, sizeof *out);
    system_make(&s, run);
    if (run->worlds == 1) {
        must(dem_step(s.world[0], DT, 0), s.world[0]);
        must(dem_step(s.world[0], DT, (uint64_t)run->steps), s.world[0]);
    } else {
        run_cut(&s);
    }
    read(&s, out);
    for (int n = 0; n < run->worlds; ++n)
        dem_world_destroy(s.world[n]);
}

/** Grains have the same bits; forces on walls are sums in another order. */
static void compare(int jkr, int worlds, int moves_every)
{
    static outcome one, many;
    const int steps = 700 + test_rounds(1300);
    const cut_run whole = {jkr, 1, steps, 0}, cut = {jkr, worlds, steps, moves_every};
    run_system(&whole, &one);
    run_system(&cut, &many);
    assert_memory_equal(one.motion, many.motion, sizeof one.motion);
    assert_memory_equal(one.force, many.force, sizeof one.force);
    assert_int_equal(one.contacts, many.contacts);
    assert_true(one.contacts > 10);
    for (int w = 0; w < WALLS; ++w) {
        const double work = one.work[w];
        assert_true(work != 0.0 && fabs(work - many.work[w]) < 1e-9 * fabs(work));
        for (int c = 0; c < 6; ++c)
            assert_true(fabs(one.wall[w][c] - many.wall[w][c]) < 1e-9 * WEIGHT);
    }
}

static void same_bits(void **state)
{
    (void)state;
    for (int jkr = 0; jkr < 2; ++jkr) {
        compare(jkr, 2, 0);
        compare(jkr, 4, 0);
    }
}

static void grains_move(void **state)
{
    (void)state;
    for (int jkr = 0; jkr < 2; ++jkr)
        compare(jkr, 2 + jkr, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),
        cmocka_unit_test(grains_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
