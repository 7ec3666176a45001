/* SPDX-License-Identifier: MIT */
/**
 * @file mesh_walls.c
 * Meshes as walls of a world. Each figure has the same run with analytic walls beside it, or a
 * closed form. `make shapes` prints the lines that begin with paper=.
 */
#include "../support/fpe.h"

#include "../support/any_model.h"
#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/heap_short.h"
#include "../support/report.h"
#include "../support/scene.h"
#include "../support/snapshot.h"

#define RADIUS 0.5
#include "../support/floors.h"
#include "../support/mesh_world.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ a floor is a plane */

/** How far two worlds with the same spheres come apart. */
typedef struct apart {
    double force, greatest, spring, longest, angular_velocity;
    uint64_t contacts;
} apart;

static void apart_measure(apart *a, dem_world *const world[2], const dem_particle_handle handle[2])
{
    snapshot s[2];
    double force[2][3] = {{0}}, spring[2][3] = {{0}};
    dem_particle p[2];
    for (int k = 0; k < 2; ++k) {
        s[k] = snapshot_world(world[k]);
        p[k] = particle_of(world[k], handle[k]);
        for (uint64_t n = 0; n < s[k].count; ++n)
            for (int c = 0; c < 3; ++c) {
                force[k][c] += s[k].rows[n].force_normal[c] + s[k].rows[n].force_tangential[c];
                spring[k][c] += s[k].rows[n].state[c];
            }
    }
    for (int c = 0; c < 3; ++c) {
        a->force = fmax(a->force, fabs(force[0][c] - force[1][c]));
        a->greatest = fmax(a->greatest, fabs(force[1][c]));
        a->spring = fmax(a->spring, fabs(spring[0][c] - spring[1][c]));
        a->longest = fmax(a->longest, fabs(spring[1][c]));
        a->angular_velocity =
            fmax(a->angular_velocity, fabs(p[0].angular_velocity[c] - p[1].angular_velocity[c]));
    }
    a->contacts = s[0].count > a->contacts ? s[0].count : a->contacts;
    snapshot_free(&s[0]);
    snapshot_free(&s[1]);
}

/** A floor of narrow strips across the axis u. */
static dem_mesh *floor_of_strips(const double *u, const double *v)
{
    enum { LINES = 801 };
    static double x[2 * LINES][3];
    static uint32_t facets[2 * (LINES - 1)][3];
    for (uint32_t k = 0; k < 2 * LINES; ++k)
        for (int c = 0; c < 3; ++c)
            x[k][c] =
                0.01 * RADIUS * ((double)(k / 2) - LINES / 2) * u[c] + (k % 2 ? 4.0 : -4.0) * v[c];
    for (uint32_t k = 0; k + 1 < LINES; ++k) {
        const uint32_t both[2][3] = {{2 * k, 2 * k + 2, 2 * k + 3}, {2 * k, 2 * k + 3, 2 * k + 1}};
        memcpy(facets[2 * k], both, sizeof(both));
    }
    return mesh_of(x, 2 * LINES, facets, 2 * (LINES - 1));
}

static void flat_floor(void **state)
{
    (void)state;
    test_random random = test_random_start("floors of worlds");
    apart a = {0};
    double balance = 0.0;
    const int runs = test_slow() ? 12 : 40;
    for (int run = 0; run < runs; ++run) {
        dem_world *world[2];
        dem_particle_handle handle[2];
        double n[3] = {0.0, 0.0, 1.0}, u[3], v[3], gravity[3];
        if (run % 2)
            test_unit(&random, n);
        axes(n, u, v);
        dem_particle p = ball_at(0, 0, 0);
        /* those that bounce cross edges in the steps in which they begin to touch, and cease */
        const int bounces = run % 4 >= 2;
        const double height = bounces ? 1.05 * RADIUS : RADIUS - 1e-3,
                     along = bounces ? test_uniform(&random, -6.0, 6.0) : 0.0;
        for (int c = 0; c < 3; ++c) {
            p.position[c] = height * n[c];
            p.velocity[c] = test_uniform(&random, -0.3, 0.3) + along * u[c];
            p.angular_velocity[c] = test_uniform(&random, -1.0, 1.0);
            gravity[c] = -10.0 * n[c] + (double)(run % 3) * u[c];
        }
        p.id = run % 3 == 0 ? 100 : 0; /* the wall is i, or j */
        for (int k = 0; k < 2; ++k) {
            world[k] = still_world(0.4, 0.6);
            OK(dem_world_gravity_set(world[k], gravity));
            OK(dem_particle_add(world[k], &p, &handle[k]));
        }
        add_mesh(world[0], bounces ? floor_of_strips(u, v) : random_floor(&random, u, v));
        add_plane(world[1], n);
        for (int k = 0; k < 400; ++k) {
            for (int m = 0; m < 2; ++m)
                step(world[m], CONTACT_TIME / 50.0, 1);
            apart_measure(&a, world, handle);
        }
        balance = fmax(balance, fabs(balance_of(world[0]) - balance_of(world[1])));
        for (int k = 0; k < 2; ++k)
            dem_world_destroy(world[k]);
    }
    SHOWN("world-flat-floor", "balance-of-energy/J", balance, 0.0, 1e-11);
    SHOWN("world-flat-floor", "force", a.force / a.greatest, 0.0, 1e-11);
    SHOWN("world-flat-floor", "spring", a.spring / a.longest, 0.0, 1e-11);
    SHOWN("world-flat-floor", "angular-velocity", a.angular_velocity, 0.0, 1e-11);
    SHOWN("world-flat-floor", "contacts", (double)a.contacts, 1.0, 0.0);
}

/** Hills of rough facets that are a fifth of a radius long. */
static dem_mesh *hills(test_random *random)
{
    enum { LINES = 61 };
    static double x[LINES * LINES][3];
    static uint32_t facets[2 * (LINES - 1) * (LINES - 1)][3];
    uint64_t count = 0;
    for (int k = 0; k < LINES * LINES; ++k) {
        x[k][0] = 0.2 * RADIUS * (k % LINES - LINES / 2);
        x[k][1] = 0.2 * RADIUS * (k / LINES - LINES / 2);
        x[k][2] =
            0.12 * (cos(4.0 * x[k][0]) + cos(3.3 * x[k][1])) + test_uniform(random, -0.004, 0.004);
    }
    for (uint32_t k = 0; k < (LINES - 1) * LINES; ++k) {
        const uint32_t two[2][3] = {{k, k + 1, k + LINES + 1}, {k, k + LINES + 1, k + LINES}};
        if (k % LINES == LINES - 1)
            continue;
        memcpy(facets[count], two, sizeof(two));
        count += 2;
    }
    return mesh_of(x, LINES * LINES, facets, count);
}

/* A sphere that is fast ends contacts whose facets are far behind it, while it touches other facets
 * with normals like theirs: what ends has no force. */
static void fast_over_hills(void **state)
{
    (void)state;
    test_random random = test_random_start("hills");
    uint64_t several = 0;
    for (int run = 0; run < 8; ++run) {
        dem_world *world = still_world(0.3, 0.8);
        dem_mesh *mesh = hills(&random);
        dem_wall_search_config config;
        dem_wall_search *search = NULL;
        dem_wall wall;
        OK(dem_wall_search_config_init(&config));
        OK(dem_wall_init(&wall));
        wall.shape = DEM_SHAPE_MESH;
        wall.mesh = mesh;
        OK(dem_wall_search_create(&config, &wall, &search, NULL));
        add_mesh(world, mesh);
        OK(dem_world_gravity_set(world, (const double[3]){0.0, 0.0, -20.0}));
        dem_particle p = ball_at(0.0, 0.0, 1.6 * RADIUS);
        dem_particle_handle handle;
        for (int c = 0; c < 2; ++c)
            p.velocity[c] = test_uniform(&random, -4.0, 4.0);
        OK(dem_particle_add(world, &p, &handle));
        for (int k = 0; k < 500; ++k) {
            dem_wall_spheres spheres;
            dem_wall_contacts contacts = {.struct_size = sizeof(contacts)};
            step(world, CONTACT_TIME / 30.0, 1);
            p = particle_of(world, handle);
            OK(dem_wall_spheres_init(&spheres));
            spheres.count = 1;
            spheres.position = p.position;
            spheres.radius = &p.radius;
            OK(dem_wall_search_spheres(search, &spheres, &contacts));
            assert_int_equal(scene_counts(world).contacts, contacts.count);
            several += contacts.count > 1;
        }
        dem_wall_search_destroy(search);
        dem_world_destroy(world);
    }
    assert_true(several > 0);
}

/* Rows of 16 springs on a floor at rest, and on one that turns about its normal. */
static void springs_model(dem_world *world)
{
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_contact_model model;
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_contact_model_init(&model));
    hertz.young[0] = 1e6;
    hertz.poisson[0] = 0.3;
    hertz.restitution = 0.7;
    mindlin.friction = 0.4;
    OK(dem_contact_model_add_hertz(&model, &hertz));
    OK(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    OK(dem_contact_model_set(world, 0, 0, &model));
}

static apart rows_of_springs_apart(test_random *random, double turning)
{
    apart a = {0};
    const int runs = test_whole(12, 200);
    for (int run = 0; run < runs; ++run) {
        dem_world *world[2];
        dem_particle_handle handle[2];
        double n[3] = {0.0, 0.0, 1.0}, u[3], v[3], gravity[3], angular_velocity[3];
        const double zero[3] = {0.0, 0.0, 0.0};
        if (run % 2)
            test_unit(random, n);
        axes(n, u, v);
        dem_particle p = ball_at(0, 0, 0);
        for (int c = 0; c < 3; ++c) {
            p.position[c] = (RADIUS - 1e-3) * n[c];
            p.velocity[c] = test_uniform(random, -0.3, 0.3);
            p.angular_velocity[c] = test_uniform(random, -1.0, 1.0);
            gravity[c] = -10.0 * n[c] + (double)(run % 3) * u[c];
            angular_velocity[c] = turning * n[c];
        }
        dem_mesh *floor = random_floor(random, u, v);
        for (int k = 0; k < 2; ++k) {
            world[k] = still_world(0.4, 0.6);
            springs_model(world[k]);
            OK(dem_world_gravity_set(world[k], gravity));
            OK(dem_particle_add(world[k], &p, &handle[k]));
            const uint64_t wall = k == 0 ? add_mesh(world[k], floor) : add_plane(world[k], n);
            OK(dem_wall_set_motion(world[k], wall, zero, angular_velocity, zero));
        }
        for (int k = 0; k < 400; ++k) {
            for (int m = 0; m < 2; ++m)
                step(world[m], CONTACT_TIME / 100.0, 1);
            apart_measure(&a, world, handle);
        }
        for (int k = 0; k < 2; ++k)
            dem_world_destroy(world[k]);
    }
    return a;
}

static void rows_of_springs(void **state)
{
    (void)state;
    test_random random = test_random_start("rows of springs on floors");
    const apart still = rows_of_springs_apart(&random, 0.0);
    const apart turning = rows_of_springs_apart(&random, 30.0);
    SHOWN("world-rows-of-springs", "force", still.force / still.greatest, 0.0, 2e-9);
    SHOWN("world-rows-of-springs", "spring", still.spring / still.longest, 0.0, 1e-8);
    SHOWN("world-rows-of-springs", "contacts", (double)still.contacts, 1.0, 0.0);
    SHOWN("world-rows-of-springs-turning", "force", turning.force / turning.greatest, 0.0, 2e-9);
    SHOWN("world-rows-of-springs-turning", "spring", turning.spring / turning.longest, 0.0, 1e-8);
    SHOWN("world-rows-of-springs-turning", "contacts", (double)turning.contacts, 1.0, 0.0);
}

/* A chute of spheres that touch each other, floors on both sides of them in number. */
static void many_spheres(void **state)
{
    (void)state;
    test_random random = test_random_start("many on a floor");
    const double u[3] = {1, 0, 0}, v[3] = {0, 1, 0}, n[3] = {0, 0, 1};
    const double gravity[3] = {1.0, 0.5, -10.0};
    dem_world *world[2];
    enum { COUNT = 400 };
    static dem_particle_handle handle[2][COUNT];
    double worst = 0.0;
    for (int k = 0; k < 2; ++k) {
        world[k] = still_world(0.4, 0.6);
        OK(dem_world_gravity_set(world[k], gravity));
    }
    add_mesh(world[0], random_floor(&random, u, v));
    add_plane(world[1], n);
    for (int m = 0; m < COUNT; ++m) {
        dem_particle p =
            ball_at(1.02 * (m % 12) - 6, 1.02 * (m / 12 % 12) - 6, 0.52 + 1.02 * (m / 144));
        for (int c = 0; c < 3; ++c)
            p.velocity[c] = test_uniform(&random, -0.3, 0.3);
        for (int k = 0; k < 2; ++k)
            OK(dem_particle_add(world[k], &p, &handle[k][m]));
    }
    for (int k = 0; k < 2; ++k)
        step(world[k], CONTACT_TIME / 30.0, 300);
    for (int m = 0; m < COUNT; ++m)
        for (int c = 0; c < 3; ++c)
            worst = fmax(worst, fabs(particle_of(world[0], handle[0][m]).position[c] -
                                     particle_of(world[1], handle[1][m]).position[c]));
    SHOWN("world-many-spheres", "position", worst, 0.0, 1e-8);
    for (int k = 0; k < 2; ++k)
        dem_world_destroy(world[k]);
}

/* ------------------------------------------------------------------ laws and schemes */

static uint64_t pick(void *user, uint64_t count)
{
    return test_random_bits(user) % count;
}

static double number(void *user, double usual)
{
    (void)user;
    return usual;
}

/* Every law and scheme does on a mesh what it does on a plane. */
static void laws_and_schemes(void **state)
{
    (void)state;
    test_long();
    test_random random = test_random_start("laws on meshes");
    const any_source source = {&random, pick, number};
    double worst = 0.0;
    int runs = 0;
    for (int run = 0; run < 150; ++run) {
        static any_parameters parameters;
        test_law_control control = {.fail_at = -1};
        const dem_contact_model model = any_model(&source, &parameters);
        dem_world *world[2];
        dem_particle_handle handle[2];
        double u[3] = {1, 0, 0}, v[3] = {0, 1, 0}, n[3] = {0, 0, 1};
        dem_particle p = ball_at(0, 0, 0.51);
        p.mass = 0.1;
        for (int c = 0; c < 3; ++c)
            p.angular_velocity[c] = test_uniform(&random, -1.0, 1.0);
        p.velocity[0] = 0.3;
        p.velocity[2] = -0.2;
        const dem_law spring = test_law(&control);
        int good = 1;
        for (int k = 0; k < 2; ++k) {
            dem_world_config config = scene_config();
            config.integrator = run % 5;
            OK(dem_world_create(&config, &world[k], NULL));
            OK(dem_world_law_register(world[k], &spring));
            good &= dem_contact_model_set(world[k], 0, 0, &model) == DEM_OK;
            OK(dem_particle_add(world[k], &p, &handle[k]));
        }
        add_mesh(world[0], random_floor(&random, u, v));
        add_plane(world[1], n);
        for (int k = 0; good && k < 2; ++k)
            good = dem_step(world[k], 1e-4, 2000) == DEM_OK;
        for (int c = 0; good && c < 3; ++c) {
            const dem_particle a = particle_of(world[0], handle[0]),
                               b = particle_of(world[1], handle[1]);
            worst = fmax(worst, fabs(a.position[c] - b.position[c]));
            worst = fmax(worst, RADIUS * fabs(a.angular_velocity[c] - b.angular_velocity[c]));
        }
        runs += good;
        for (int k = 0; k < 2; ++k)
            dem_world_destroy(world[k]);
    }
    assert_true(runs >= 40);
    printf("%d of 150 models step\n", runs);
    SHOWN("world-laws", "motion", worst, 0.0, 1e-7);
}

/* ------------------------------------------------------------------ corners and plates */

static dem_mesh *corner_mesh(int n)
{
    static double x[3 * 17 * 17][3];
    static uint32_t facets[3 * 2 * 16 * 16][3];
    uint64_t count = 0;
    for (uint64_t side = 0; side < 3; ++side)
        count = quadrant(x, facets, side, ((int)side + 1) % 3, ((int)side + 2) % 3, n);
    return mesh_of(x, (uint64_t)(3 * (n + 1) * (n + 1)), facets, count);
}

/** A floor and a side that are two meshes, each with a contact of its own. */
static void corner_of_two_meshes(void **state)
{
    (void)state;
    static const double x[2][4][3] = {{{-1, -1, 0}, {3, -1, 0}, {3, 3, 0}, {-1, 3, 0}},
                                      {{0, -1, -1}, {0, 3, -1}, {0, 3, 3}, {0, -1, 3}}};
    static const uint32_t facets[2][3] = {{0, 1, 2}, {0, 2, 3}};
    dem_world *world = still_world(0.0, 1.0);
    const dem_particle p = ball_at(RADIUS - 2e-3, 0.3, RADIUS - 1e-3);
    dem_particle_handle handle;
    for (int k = 0; k < 2; ++k)
        add_mesh(world, mesh_of(x[k], 4, facets, 2));
    OK(dem_particle_add(world, &p, &handle));
    for (int n = 0; n < 2; ++n) {
        const dem_particle before = particle_of(world, handle);
        step(world, 1e-6, 3);
        const dem_particle after = particle_of(world, handle);
        assert_int_equal(scene_counts(world).contacts, 2);
        for (int c = 0; c < 3; ++c) {
            const double overlap = c == 1 ? 0.0 : RADIUS - before.position[c];
            assert_true(fabs(after.velocity[c] - before.velocity[c] - 3e-6 * STIFFNESS * overlap) <
                        1e-9 * STIFFNESS * 3e-6);
        }
    }
    dem_world_destroy(world);
}

static void concave_corner(void **state)
{
    (void)state;
    apart a = {0};
    for (int n = 1; n <= 16; n *= 4) {
        dem_world *world[2];
        dem_particle_handle handle[2];
        const double gravity[3] = {-10.0, -10.0, -10.0};
        dem_particle p = ball_at(RADIUS, 1.01 * RADIUS, 1.02 * RADIUS);
        for (int c = 0; c < 3; ++c) {
            p.velocity[c] = -0.2;
            p.angular_velocity[c] = 1.0 - c;
        }
        for (int k = 0; k < 2; ++k) {
            world[k] = still_world(0.4, 0.6);
            OK(dem_world_gravity_set(world[k], gravity));
            OK(dem_particle_add(world[k], &p, &handle[k]));
        }
        add_mesh(world[0], corner_mesh(n));
        for (int c = 0; c < 3; ++c) {
            const double normal[3] = {c == 0, c == 1, c == 2};
            add_plane(world[1], normal);
        }
        for (int k = 0; k < 2000; ++k) {
            for (int m = 0; m < 2; ++m)
                step(world[m], CONTACT_TIME / 50.0, 1);
            apart_measure(&a, world, handle);
        }
        for (int k = 0; k < 2; ++k)
            dem_world_destroy(world[k]);
    }
    SHOWN("world-concave-corner", "force", a.force / a.greatest, 0.0, 1e-10);
    SHOWN("world-concave-corner", "contacts", (double)a.contacts, 3.0, 0.0);
}

/* Two sheets some distance apart are one plate, seen from either side; of the same sheet, too. */
static void thin_plate(void **state)
{
    (void)state;
    uint64_t different = 0;
    for (int thick = 0; thick <= 5; ++thick)
        for (int side = -1; side <= 1; side += 2) {
            const double top = 0.01 * thick * RADIUS;
            const double x[8][3] = {{-4, -4, 0},    {4, -4, 0},    {4, 4, 0},    {-4, 4, 0},
                                    {-4, -4, -top}, {4, -4, -top}, {4, 4, -top}, {-4, 4, -top}};
            static const uint32_t facets[4][3] = {{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}};
            const double normal[3] = {0, 0, side}, gravity[3] = {1.0, 0.5, -10.0 * side};
            dem_world *world[2];
            dem_particle_handle handle[2];
            dem_particle p = ball_at(0.1, 0.2, side * RADIUS - (side < 0 ? top : 0.0));
            p.velocity[0] = 0.3;
            p.velocity[2] = -0.3 * side;
            for (int k = 0; k < 2; ++k) {
                world[k] = still_world(0.4, 0.6);
                OK(dem_world_gravity_set(world[k], gravity));
                OK(dem_particle_add(world[k], &p, &handle[k]));
            }
            add_mesh(world[0], mesh_of(x, 8, facets, 4));
            dem_wall plane;
            OK(dem_wall_init(&plane));
            memcpy(plane.normal, normal, sizeof(normal));
            plane.point[2] = side < 0 ? -top : 0.0;
            OK(dem_wall_add(world[1], &plane, NULL));
            for (int k = 0; k < 2; ++k)
                step(world[k], CONTACT_TIME / 50.0, 800);
            const dem_particle a = particle_of(world[0], handle[0]),
                               b = particle_of(world[1], handle[1]);
            for (int c = 0; c < 3; ++c)
                different += a.position[c] != b.position[c] || a.velocity[c] != b.velocity[c] ||
                             a.angular_velocity[c] != b.angular_velocity[c];
            for (int k = 0; k < 2; ++k)
                dem_world_destroy(world[k]);
        }
    SHOWN("world-thin-plate", "different-numbers", (double)different, 0.0, 0.0);
}

/* Elastic bounces off a cube: faces, edges and corners from all sides. */
static double cube_bounce(test_random *random, double speed)
{
    double n[3], x[3], worst = 0.0;
    test_unit(random, n);
    double target[3];
    for (int c = 0; c < 3; ++c)
        target[c] = test_uniform(random, -0.1, 1.1);
    for (int c = 0; c < 3; ++c)
        x[c] = target[c] + 3.0 * n[c];
    dem_world *world = still_world(0.0, 1.0);
    add_mesh(world, mesh_of(cube_vertices, 8, cube_facets, 12));
    dem_particle p = ball_at(x[0], x[1], x[2]);
    for (int c = 0; c < 3; ++c)
        p.velocity[c] = -speed * n[c];
    OK(dem_particle_add(world, &p, NULL));
    const double before = energy_of(world);
    step(world, CONTACT_TIME / 200.0, (uint64_t)(6.0 / (speed * CONTACT_TIME / 200.0)));
    worst = fabs(energy_of(world) - before) / before;
    dem_world_destroy(world);
    return worst;
}

static void convex_edges(void **state)
{
    (void)state;
    test_random random = test_random_start("a cube in a world");
    double fast = 0.0, square = 0.0, square_slow = 0.0;
    const int runs = 60, runs_slow = test_slow() ? 4 : 16;
    for (int run = 0; run < runs; ++run) {
        const double off = cube_bounce(&random, 0.8);
        fast = fmax(fast, off);
        square += off * off / runs;
    }
    for (int run = 0; run < runs_slow; ++run) {
        const double off = cube_bounce(&random, 0.08);
        square_slow += off * off / runs_slow;
    }
    SHOWN("world-convex-edges", "energy-s-.016", fast, 0.0, 7e-5);
    /* where on the feature a sphere bounces decides how much; the mean falls with the speed */
    SHOWN("world-convex-edges", "rms-s-.0016-over-.016", sqrt(square_slow / square), 0.0, 0.6);
}

/* ------------------------------------------------------------------ many contacts of one sphere */

/** A sheet with a hole of n sides, whose edge has the radius. */
static dem_mesh *hole_mesh(int n, double radius)
{
    static double x[512][3];
    static uint32_t facets[512][3];
    for (int k = 0; k < n; ++k) {
        const double angle = 2.0 * 3.14159265358979323846 * k / n;
        const double half = 3.14159265358979323846 / n;
        for (int ring = 0; ring < 2; ++ring) {
            const double r = (ring == 0 ? radius : 3.0) / cos(half);
            x[2 * k + ring][0] = r * cos(angle);
            x[2 * k + ring][1] = r * sin(angle);
            x[2 * k + ring][2] = 0.0;
        }
        const uint32_t a = (uint32_t)(2 * k), b = (uint32_t)(2 * ((k + 1) % n));
        const uint32_t two[2][3] = {{a, a + 1, b + 1}, {a, b + 1, b}};
        memcpy(facets[2 * k], two, sizeof(two));
    }
    return mesh_of(x, (uint64_t)(2 * n), facets, (uint64_t)(2 * n));
}

/* A sphere that plugs a hole touches each of its sides: the list gets as many slots. */
static void plugged_hole(void **state)
{
    (void)state;
    enum { SIDES = 18 };
    dem_world *world = still_world(0.3, 0.4);
    const double hole = 0.8 * RADIUS, gravity[3] = {0, 0, -10.0};
    OK(dem_world_gravity_set(world, gravity));
    add_mesh(world, hole_mesh(SIDES, hole));
    const dem_particle p = ball_at(0, 0, 1.01 * sqrt(RADIUS * RADIUS - hole * hole));
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    step(world, CONTACT_TIME / 50.0, 8000);
    snapshot s = snapshot_world(world);
    SHOWN("world-plugged-hole", "contacts", (double)s.count, SIDES, 0.0);
    double force = 0.0, overlap = 0.0;
    for (uint64_t n = 0; n < s.count; ++n) {
        force += s.rows[n].force_normal[2] + s.rows[n].force_tangential[2];
        overlap = fmax(overlap, s.rows[n].overlap);
        assert_int_equal(s.rows[n].key.feature, n);
    }
    if (s.rows[0].key.id_i == wall_of(world, 1).id)
        force = -force;
    SHOWN("world-plugged-hole", "force", force, 10.0, 1e-3);
    snapshot_free(&s);
    dem_world_destroy(world);
}

/* A large sphere on a fine mesh is near thousands of facets. */
static void fine_mesh(void **state)
{
    (void)state;
    enum { N = 80 };
    static double x[(N + 1) * (N + 1)][3];
    static uint32_t facets[2 * N * N][3];
    for (int i = 0; i <= N; ++i)
        for (int j = 0; j <= N; ++j) {
            double *p = x[i + (N + 1) * j];
            p[0] = 0.01 * (i - N / 2);
            p[1] = 0.01 * (j - N / 2);
            p[2] = 0.0;
        }
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            const uint32_t a = (uint32_t)(i + (N + 1) * j), b = a + N + 1;
            const uint32_t two[2][3] = {{a, a + 1, b + 1}, {a, b + 1, b}};
            memcpy(facets[2 * (i + N * j)], two, sizeof(two));
        }
    dem_world *world = still_world(0.4, 0.6);
    const double gravity[3] = {0, 0, -10.0};
    OK(dem_world_gravity_set(world, gravity));
    add_mesh(world, mesh_of(x, (N + 1) * (N + 1), facets, 2 * N * N));
    const dem_particle p = ball_at(0.003, 0.004, 0.9 * RADIUS);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    step(world, CONTACT_TIME / 50.0, 2);
    snapshot s = snapshot_world(world);
    assert_int_equal(s.count, 1);
    snapshot_free(&s);
    step(world, CONTACT_TIME / 50.0, 8000);
    SHOWN("world-fine-mesh", "height", particle_of(world, handle).position[2], RADIUS - 1e-3, 1e-6);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ merges */

/** A floor with a step up at x = 0. */
static dem_mesh *step_mesh(double height)
{
    const double x[8][3] = {{-4, -4, 0},     {-4, 4, 0},     {0, -4, 0},      {0, 4, 0},
                            {0, -4, height}, {0, 4, height}, {4, -4, height}, {4, 4, height}};
    static const uint32_t facets[6][3] = {{0, 2, 3}, {0, 3, 1}, {2, 4, 5},
                                          {2, 5, 3}, {4, 6, 7}, {4, 7, 5}};
    return mesh_of(x, 8, facets, 6);
}

/* Where two contacts become one, the elastic energy of the other is lost, and booked as that: a
 * sphere is pressed on a floor and comes to the edge of a step. */
static void merges(void **state)
{
    (void)state;
    double worst = 0.0, least = 1e300, most = 0.0;
    for (int run = 0; run < 3; ++run) {
        dem_world *world = still_world(run % 2 ? 0.3 : 0.0, 1.0);
        const double gravity[3] = {0, 0, -200.0};
        OK(dem_world_gravity_set(world, gravity));
        add_mesh(world, step_mesh((0.045 + 0.005 * run) * RADIUS));
        dem_particle p = ball_at(-0.4, 0.1, 0.96 * RADIUS);
        p.velocity[0] = 6.0;
        OK(dem_particle_add(world, &p, NULL));
        step(world, CONTACT_TIME / 2000.0, 0);
        const double before = balance_of(world);
        for (int k = 0; k < 20000; ++k) { /* also in the very step */
            step(world, CONTACT_TIME / 2000.0, 1);
            worst = fmax(worst, fabs(balance_of(world) - before));
            most = fmax(most, scene_energies(world).elastic);
        }
        least = fmin(least, scene_energies(world).dissipated_normal);
        dem_world_destroy(world);
    }
    assert_true(least > 0.1); /* J, of some 4 */
    SHOWN("world-merge", "balance-of-energy", worst / most, 0.0, 1e-5);
}

/* ------------------------------------------------------------------ motion */

/** A rectangle, 4 by 3, as a mesh or as what it is. */
static dem_wall plate_of(int mesh)
{
    static const double x[6][3] = {{-2, -1.5, 0}, {2, -1.5, 0}, {2, 1.5, 0},
                                   {-2, 1.5, 0},  {0.1, 0, 0},  {0.3, 1.5, 0}};
    static const uint32_t facets[5][3] = {{0, 1, 4}, {1, 2, 4}, {2, 5, 4}, {5, 3, 4}, {3, 0, 4}};
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = mesh ? DEM_SHAPE_MESH : DEM_SHAPE_RECTANGLE;
    wall.mesh = mesh ? mesh_of(x, 6, facets, 5) : NULL;
    wall.size[0] = mesh ? 0.0 : 4.0;
    wall.size[1] = mesh ? 0.0 : 3.0;
    wall.side = DEM_SIDE_BOTH;
    wall.axis[0] = 1.0;
    return wall;
}

static uint64_t add_plate(dem_world *world, dem_wall *wall)
{
    uint64_t id = 0;
    if (dem_wall_add(world, wall, &id) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    dem_mesh_destroy(wall->mesh);
    return id;
}

/* A plate that turns about an oblique axis and moves, as a mesh and as a rectangle: a sphere rolls
 * on it, over its edge, and falls. */
static void turning_plate(void **state)
{
    (void)state;
    double worst = 0.0, torque = 0.0;
    for (int run = 0; run < 5; ++run) {
        dem_world *world[2];
        dem_particle_handle handle[2];
        uint64_t id[2];
        for (int k = 0; k < 2; ++k) {
            dem_world_config config = scene_config();
            config.integrator = run;
            world[k] = empty_world(&config, 0.5, 0.7);
            dem_wall wall = plate_of(k == 0);
            wall.normal[0] = 0.1;
            wall.velocity[1] = 0.2;
            wall.angular_velocity[0] = 0.7;
            wall.angular_velocity[1] = -0.4;
            wall.angular_velocity[2] = 1.5;
            wall.pivot[0] = 0.3;
            wall.pivot[2] = -0.2;
            id[k] = add_plate(world[k], &wall);
            const dem_particle p = ball_at(0.4, 0.2, 0.52);
            OK(dem_particle_add(world[k], &p, &handle[k]));
        }
        for (int n = 0; n < 30; ++n) {
            for (int k = 0; k < 2; ++k)
                step(world[k], CONTACT_TIME / 50.0, 100);
            const dem_wall a = wall_of(world[0], id[0]), b = wall_of(world[1], id[1]);
            for (int c = 0; c < 3; ++c) {
                worst = fmax(worst, fabs(particle_of(world[0], handle[0]).position[c] -
                                         particle_of(world[1], handle[1]).position[c]));
                torque = fmax(torque, fabs(a.torque[c] - b.torque[c]) / 10.0);
            }
            worst = fmax(worst, fabs(a.work - b.work) / 10.0);
        }
        for (int k = 0; k < 2; ++k)
            dem_world_destroy(world[k]);
    }
    SHOWN("world-turning-plate", "position-and-work", worst, 0.0, 1e-8);
    SHOWN("world-turning-plate", "torque", torque, 0.0, 1e-6);
}

/* A plate that seeks a force presses a sphere, as a mesh and as a rectangle. */
static void seeking_plate(void **state)
{
    (void)state;
    double force[2] = {0, 0}, height[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
        static const double up[3] = {0, 0, 1};
        dem_world *world = still_world(0.4, 0.5);
        add_plane(world, up);
        dem_wall wall = plate_of(k == 0);
        wall.point[2] = 2.01 * RADIUS;
        const uint64_t id = add_plate(world, &wall);
        dem_wall_servo servo;
        OK(dem_wall_servo_init(&servo));
        servo.direction[2] = -1.0;
        servo.target = 20.0;
        servo.speed = 0.5;
        OK(dem_wall_set_servo(world, id, &servo));
        const dem_particle p = ball_at(0.1, 0.1, RADIUS);
        OK(dem_particle_add(world, &p, NULL));
        step(world, CONTACT_TIME / 50.0, 4000);
        force[k] = wall_of(world, id).force[2];
        height[k] = wall_of(world, id).point[2];
        dem_world_destroy(world);
    }
    SHOWN("world-seeking-plate", "force", force[0], 20.0, 1e-6);
    SHOWN("world-seeking-plate", "height", height[0], height[1], 1e-10);
}

/* ------------------------------------------------------------------ the same bits */

/** Spheres of two materials between a bumpy floor, which is a mesh, a cube that turns, which is
 * another, and a tilted floor of the same mesh as the first. */
static dem_world *mixed(int32_t threads, int32_t isa, int32_t integrator)
{
    enum { N = 12 };
    double x[(N + 1) * (N + 1)][3];
    uint32_t facets[2 * N * N][3];
    test_random random = {UINT64_C(0x1234567)};
    dem_world_config config = scene_config();
    config.threads = threads;
    config.isa = isa;
    config.integrator = integrator;
    config.material_count = 2;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    for (int a = 0; a < 2; ++a)
        for (int b = a; b < 2; ++b)
            scene_model(world, a, b, 1e4 * (1 + a + b), 0.4, 0.6);
    for (int k = 0; k < (N + 1) * (N + 1); ++k) {
        x[k][0] = k % (N + 1) - N / 2;
        x[k][1] = k / (N + 1) - N / 2;
        x[k][2] = test_uniform(&random, -0.3, 0.3);
    }
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            const uint32_t a = (uint32_t)(i + (N + 1) * j), b = a + N + 1;
            const uint32_t two[2][3] = {{a, a + 1, b + 1}, {a, b + 1, b}};
            memcpy(facets[2 * (i + N * j)], two, sizeof(two));
        }
    dem_mesh *floor = mesh_of(x, (N + 1) * (N + 1), facets, 2 * N * N);
    dem_wall plane, wall;
    OK(dem_wall_init(&plane)); /* listed before the mesh, and below all of it */
    plane.point[2] = -0.31;
    plane.id = 5;
    OK(dem_wall_add(world, &plane, NULL));
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = floor;
    wall.id = 20;
    OK(dem_wall_add(world, &wall, NULL));
    wall.id = 2000;
    wall.point[0] = 4.0;
    wall.normal[0] = -0.6;
    wall.material = 1;
    OK(dem_wall_add(world, &wall, NULL));
    dem_mesh_destroy(floor);
    dem_wall cube;
    OK(dem_wall_init(&cube));
    cube.shape = DEM_SHAPE_MESH;
    cube.mesh = mesh_of(cube_vertices, 8, cube_facets, 12);
    cube.id = 15;
    cube.angular_velocity[1] = 2.0;
    cube.pivot[0] = 0.5;
    cube.point[2] = 0.7;
    OK(dem_wall_add(world, &cube, NULL));
    dem_mesh_destroy(cube.mesh);
    for (uint64_t k = 0; k < 320; ++k) {
        dem_particle p = ball_at(1.1 * (double)(k % 8) - 4, 1.1 * (double)(k / 8 % 8) - 4,
                                 1.3 + 1.0 * (double)(k / 64));
        p.id = 10 + 3 * k;
        p.id += p.id == 15 || p.id == 20 || p.id == 2000;
        p.material = (int32_t)(k % 2);
        p.radius = test_uniform(&random, 0.3, 0.5);
        for (int c = 0; c < 3; ++c)
            p.velocity[c] = test_uniform(&random, -2.0, 2.0);
        if (dem_particle_add(world, &p, NULL) != DEM_OK)
            fail_msg("%s", dem_world_error(world));
    }
    return world;
}

#define MIXED_DT 2e-4

static uint64_t mixed_hash(int32_t threads, int32_t isa, int32_t integrator, int split)
{
    dem_world *world = mixed(threads, isa, integrator);
    step(world, MIXED_DT, 2000);
    if (split) {
        uint64_t size = 0;
        OK(dem_world_snapshot_size(world, &size));
        void *bytes = malloc(size);
        OK(dem_world_snapshot(world, bytes, size, NULL));
        dem_world_destroy(world);
        dem_world_config config;
        OK(dem_world_config_init(&config));
        OK(dem_world_create(&config, &world, NULL));
        if (dem_world_restore(world, bytes, size) != DEM_OK)
            fail_msg("%s", dem_world_error(world));
        free(bytes);
    }
    step(world, MIXED_DT, 800);
    const uint64_t hash = scene_hash(world);
    assert_true(scene_counts(world).contacts > 15);
    dem_world_destroy(world);
    return hash;
}

static void same_bits(void **state)
{
    (void)state;
    test_long();
    for (int32_t integrator = 0; integrator < 5; integrator += 3) {
        const uint64_t one = mixed_hash(1, DEM_ISA_AUTO, integrator, 0);
        assert_int_equal(one, mixed_hash(1, DEM_ISA_AUTO, integrator, 1));
        assert_int_equal(one, mixed_hash(3, DEM_ISA_AUTO, integrator, 0));
        assert_int_equal(one, mixed_hash(2, DEM_ISA_BASELINE, integrator, 1));
    }
}

/* A mark and a rewind, and what is left of a step that fails. */
static void back_again(void **state)
{
    (void)state;
    test_long();
    dem_world *world = mixed(1, DEM_ISA_AUTO, 0);
    step(world, MIXED_DT, 3000);
    OK(dem_world_mark(world));
    const uint64_t at_mark = scene_hash(world);
    step(world, MIXED_DT, 1500);
    const uint64_t later = scene_hash(world);
    OK(dem_world_rewind(world));
    assert_int_equal(scene_hash(world), at_mark);
    step(world, MIXED_DT, 1500);
    assert_int_equal(scene_hash(world), later);
    /* a sphere that is thrown too fast into the floor stops the step, and nothing has changed */
    dem_particle p = ball_at(-5.0, -5.0, 6.0);
    dem_particle_handle handle;
    const double fast[3] = {0, 0, -3000.0}, slow[3] = {0, 0, 0};
    p.velocity[2] = fast[2];
    OK(dem_particle_add(world, &p, &handle));
    assert_int_equal(dem_step(world, MIXED_DT, 20), DEM_ERROR_OVERLAP);
    const uint64_t stopped = scene_hash(world);
    assert_int_equal(dem_step(world, MIXED_DT, 20), DEM_ERROR_OVERLAP);
    assert_int_equal(scene_hash(world), stopped);
    OK(dem_particle_set_motion(world, handle, NULL, slow, NULL));
    step(world, MIXED_DT, 20);
    dem_world_destroy(world);
}

/* A mesh of several walls is in a snapshot once. */
static void held_once(void **state)
{
    (void)state;
    uint64_t size[4];
    dem_mesh *mesh = hole_mesh(200, 1.0);
    for (int walls = 0; walls < 4; ++walls) {
        dem_world *world = still_world(0.4, 0.6);
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.shape = DEM_SHAPE_MESH;
        wall.mesh = mesh;
        for (int k = 0; k < walls; ++k)
            OK(dem_wall_add(world, &wall, NULL));
        OK(dem_world_snapshot_size(world, &size[walls]));
        dem_world_destroy(world);
    }
    assert_int_equal(size[3] - size[2], size[2] - size[1]);
    assert_true(size[2] - size[1] < 400);
    assert_true(size[1] - size[0] > 400 * (24 + 12));
    dem_mesh_destroy(mesh);
}

/* ------------------------------------------------------------------ what contacts tell */

static void facets_and_weights(void **state)
{
    (void)state;
    dem_world *world = still_world(0.3, 0.3);
    const double gravity[3] = {-10.0, -10.0, -10.0};
    OK(dem_world_gravity_set(world, gravity));
    dem_mesh *mesh = dem_mesh_retain(corner_mesh(4));
    const uint64_t wall = add_mesh(world, mesh);
    const dem_particle p = ball_at(RADIUS, 1.01 * RADIUS, 1.02 * RADIUS);
    OK(dem_particle_add(world, &p, NULL));
    static const double up[3] = {0, 0, -1};
    (void)add_plane(world, up);
    OK(dem_wall_remove(world, wall + 2));
    step(world, CONTACT_TIME / 50.0, 6000);
    enum { MOST = 8 };
    dem_contact_key key[MOST];
    uint64_t facet[MOST], cursor = 0, count = 0;
    double weights[3 * MOST], point[3 * MOST];
    dem_contact_arrays arrays;
    OK(dem_contact_arrays_init(&arrays));
    arrays.capacity = MOST;
    arrays.key = key;
    arrays.facet = facet;
    arrays.weights = weights;
    arrays.point = point;
    OK(dem_world_contacts_read(world, &cursor, &arrays, &count));
    assert_int_equal(count, 3);
    for (uint64_t k = 0; k < count; ++k) {
        assert_true(facet[k] < 96);
        const uint32_t *vertex = dem_mesh_facets(mesh) + 3 * facet[k];
        double sum = 0.0;
        for (int c = 0; c < 3; ++c) {
            double x = 0.0;
            for (int v = 0; v < 3; ++v)
                x += weights[3 * k + (uint64_t)v] *
                     dem_mesh_vertices(mesh)[3 * vertex[v] + (uint32_t)c];
            assert_true(fabs(x - point[3 * k + (uint64_t)c]) < 1e-14);
            sum += weights[3 * k + (uint64_t)c];
        }
        assert_true(fabs(sum - 1.0) < 1e-15);
    }
    dem_mesh_destroy(mesh);
    dem_world_destroy(world);
}

static void no_facet(void **state)
{
    (void)state;
    static const double up[3] = {0, 0, 1};
    dem_world *world = still_world(0.3, 0.9);
    add_plane(world, up);
    const dem_particle p = ball_at(0, 0, 0.99 * RADIUS);
    OK(dem_particle_add(world, &p, NULL));
    step(world, CONTACT_TIME / 50.0, 0);
    uint64_t facet = 0, cursor = 0, count = 0;
    double weights[3] = {1, 1, 1};
    dem_contact_arrays arrays;
    OK(dem_contact_arrays_init(&arrays));
    arrays.capacity = 1;
    arrays.facet = &facet;
    arrays.weights = weights;
    OK(dem_world_contacts_read(world, &cursor, &arrays, &count));
    assert_int_equal(count, 1);
    assert_true(facet == UINT64_MAX && weights[0] == 0.0 && weights[1] == 0.0 && weights[2] == 0.0);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ what is refused */

/** Sets all vertices of a wall to those of its mesh times a scale plus an offset, and all
 * velocities alike. */
static dem_status vertices_set(dem_world *world, uint64_t id, double scale, const double offset[3],
                               const double velocity[3])
{
    static double x[512][3], v[512][3];
    const dem_wall wall = wall_of(world, id);
    const uint64_t count = mesh_properties(wall.mesh).vertex_count;
    for (uint64_t k = 0; k < count; ++k)
        for (uint64_t c = 0; c < 3; ++c) {
            x[k][c] = scale * dem_mesh_vertices(wall.mesh)[3 * k + c] + offset[c];
            v[k][c] = velocity[c];
        }
    return dem_wall_set_vertices(world, id, x[0], v[0]);
}

static void expect(dem_world *world, dem_status status, dem_status expected, const char *text)
{
    assert_int_equal(status, expected);
    if (strstr(dem_world_error(world), text) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", text, dem_world_error(world));
}

static void refused(void **state)
{
    (void)state;
    dem_world *world = still_world(0.3, 0.9);
    const uint64_t before = scene_hash(world);
    dem_wall wall = plate_of(1);
    dem_mesh *mesh = wall.mesh;
    wall.mesh = NULL;
    expect(world, dem_wall_add(world, &wall, NULL), DEM_ERROR_ARGUMENT, "dem_wall.mesh");
    wall.mesh = mesh;
    wall.mesh_cosine = 1.0;
    expect(world, dem_wall_add(world, &wall, NULL), DEM_ERROR_RANGE, "dem_wall.mesh_cosine");
    wall.mesh_cosine = NAN;
    expect(world, dem_wall_add(world, &wall, NULL), DEM_ERROR_RANGE, "dem_wall.mesh_cosine");
    wall.mesh_cosine = 0.0;
    wall.size[1] = 1.0;
    expect(world, dem_wall_add(world, &wall, NULL), DEM_ERROR_RANGE, "dem_wall.size[1]");
    wall.size[1] = 0.0;
    wall.side = DEM_SIDE_INSIDE;
    expect(world, dem_wall_add(world, &wall, NULL), DEM_ERROR_RANGE, "dem_wall.side");
    wall.side = DEM_SIDE_OUTSIDE;
    wall.shape = DEM_SHAPE_PLANE;
    expect(world, dem_wall_add(world, &wall, NULL), DEM_ERROR_RANGE, "dem_wall.mesh");
    wall.mesh = NULL;
    wall.mesh_cosine = 0.5;
    expect(world, dem_wall_add(world, &wall, NULL), DEM_ERROR_RANGE, "dem_wall.mesh_cosine: 0.5");
    assert_int_equal(scene_hash(world), before);
    dem_mesh_destroy(mesh);
    dem_world_destroy(world);
}

/* A sphere that does not fit, and plates that close on one: the step stops, and the world stays. */
static void squeezed(void **state)
{
    (void)state;
    dem_world *world = still_world(0.3, 0.9);
    add_mesh(world, mesh_of(cube_vertices, 8, cube_facets, 12));
    dem_particle p = ball_at(0.5, 0.5, 0.5);
    p.radius = 2.0;
    OK(dem_particle_add(world, &p, NULL));
    expect(world, dem_step(world, CONTACT_TIME / 50.0, 1), DEM_ERROR_OVERLAP, "overlap");
    dem_world_destroy(world);
    world = still_world(0.3, 0.9);
    uint64_t id[2];
    for (int k = 0; k < 2; ++k) {
        dem_wall wall = plate_of(1);
        wall.point[2] = k == 0 ? 0.0 : 2.0 * RADIUS;
        wall.velocity[2] = k == 0 ? 0.5 : -0.5;
        id[k] = add_plate(world, &wall);
    }
    p = ball_at(0.1, 0.2, RADIUS);
    OK(dem_particle_add(world, &p, NULL));
    const dem_status status = dem_step(world, CONTACT_TIME / 50.0, 100000);
    expect(world, status, DEM_ERROR_OVERLAP, "overlap_limit");
    assert_true(fabs(wall_of(world, id[0]).point[2] - 0.5 * RADIUS) < 0.01);
    assert_true(fabs(dem_world_time(world) - RADIUS) < 0.02);
    dem_world_destroy(world);
}

/* A mesh that is touched may go; the sphere falls, and the memory comes back. */
static void removed(void **state)
{
    (void)state;
    short_heap heap = {.fail_at = UINT64_MAX};
    const dem_allocator allocator = short_allocator(&heap);
    dem_world_config config = scene_config();
    config.allocator = allocator;
    dem_world *world = empty_world(&config, 0.4, 0.6);
    dem_mesh_config of_mesh = mesh_config(0);
    of_mesh.allocator = allocator;
    dem_mesh *mesh = NULL;
    OK(dem_mesh_create(&of_mesh, cube_vertices[0], 8, cube_facets[0], 12, &mesh, NULL));
    const uint64_t of_cube = heap.held;
    const uint64_t id = add_mesh(world, mesh);
    const dem_particle p = ball_at(0.5, 0.5, 1.0 + 0.999 * RADIUS);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    step(world, CONTACT_TIME / 50.0, 10);
    assert_int_equal(scene_counts(world).contacts, 1);
    assert_true(wall_of(world, id).mesh == mesh);
    const uint64_t before = heap.held;
    OK(dem_wall_remove(world, id));
    assert_true(heap.held < before && before - heap.held <= of_cube);
    snapshot s = snapshot_world(world);
    assert_int_equal(s.count, 0);
    snapshot_free(&s);
    uint64_t size = 0;
    OK(dem_world_snapshot_size(world, &size));
    void *bytes = malloc(size);
    OK(dem_world_snapshot(world, bytes, size, NULL));
    const uint64_t hash = scene_hash(world);
    OK(dem_world_restore(world, bytes, size));
    assert_int_equal(scene_hash(world), hash);
    free(bytes);
    OK(dem_particle_find(world, 1, &handle) == DEM_OK ? DEM_OK
                                                      : dem_particle_find(world, 2, &handle));
    step(world, CONTACT_TIME / 50.0, 1000);
    assert_true(particle_of(world, handle).position[2] < 1.0);
    dem_world_destroy(world);
    assert_int_equal(heap.held, 0);
}

/* The bytes that a world says are those that its allocator gave: a mesh of several walls counts
 * once, vertices that move have copies of it, and a snapshot that is restored has its own. */
static void bytes_held(void **state)
{
    (void)state;
    static const double none[3] = {0, 0, 0};
    short_heap heap = {.fail_at = UINT64_MAX};
    dem_world_config config = scene_config();
    config.allocator = short_allocator(&heap);
    dem_world *world = empty_world(&config, 0.4, 0.6);
    dem_mesh_config of_mesh = mesh_config(0);
    of_mesh.allocator = config.allocator;
    uint64_t id[3] = {0}, size = 0;
    for (int k = 0; k < 3; ++k) {
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.shape = DEM_SHAPE_MESH;
        if (k != 1)
            OK(dem_mesh_create(&of_mesh, cube_vertices[0], 8, cube_facets[0], 12, &wall.mesh,
                               NULL));
        else /* the same again */
            wall.mesh = dem_mesh_retain(wall_of(world, id[0]).mesh);
        wall.point[0] = 3.0 * k;
        OK(dem_wall_add(world, &wall, &id[k]));
        dem_mesh_destroy(wall.mesh);
        assert_int_equal(scene_counts(world).bytes, heap.held);
    }
    const dem_particle p = ball_at(0.5, 0.5, 1.0 + 0.999 * RADIUS);
    OK(dem_particle_add(world, &p, NULL));
    step(world, CONTACT_TIME / 50.0, 10);
    for (int k = 0; k < 3; ++k) {
        const uint64_t before = heap.held;
        OK(vertices_set(world, id[k], 1.0, none, none));
        assert_true(heap.held > before);
        assert_int_equal(scene_counts(world).bytes, heap.held);
    }
    OK(dem_wall_remove(world, id[0]));
    assert_int_equal(scene_counts(world).bytes, heap.held);
    OK(dem_world_snapshot_size(world, &size));
    void *bytes = malloc(size);
    OK(dem_world_snapshot(world, bytes, size, NULL));
    OK(dem_world_restore(world, bytes, size));
    free(bytes);
    assert_int_equal(scene_counts(world).bytes, heap.held);
    OK(dem_wall_remove(world, id[1]));
    OK(dem_wall_remove(world, id[2]));
    step(world, CONTACT_TIME / 50.0, 10);
    assert_int_equal(scene_counts(world).bytes, heap.held);
    dem_world_destroy(world);
    assert_int_equal(heap.held, 0);
}

/** A sphere that falls into a hole of many sides, on one more mesh with many facets. */
static uint64_t short_run(short_heap *heap, int *failures)
{
    dem_world_config config = scene_config();
    config.allocator = short_allocator(heap);
    dem_world *world = NULL;
    dem_mesh *mesh = hole_mesh(18, 0.8 * RADIUS);
    const dem_particle p = ball_at(0.002, 0, 0.61 * RADIUS);
    uint64_t hash = 0, size = 0;
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = mesh;
    wall.angular_velocity[2] = 0.3;
#define AGAIN(call)                                                                                \
    do {                                                                                           \
        dem_status status_;                                                                        \
        while ((status_ = (call)) == DEM_ERROR_MEMORY)                                             \
            ++*failures;                                                                           \
        assert_int_equal(status_, DEM_OK);                                                         \
    } while (0)
    AGAIN(dem_world_create(&config, &world, NULL));
    scene_model(world, 0, 0, STIFFNESS, 0.4, 0.6);
    AGAIN(dem_wall_add(world, &wall, NULL));
    AGAIN(dem_particle_add(world, &p, NULL));
    for (int k = 0; k < 110; ++k)
        AGAIN(dem_step(world, CONTACT_TIME / 50.0, 1));
    OK(dem_world_snapshot_size(world, &size));
    void *bytes = malloc(size);
    OK(dem_world_snapshot(world, bytes, size, NULL));
    AGAIN(dem_world_restore(world, bytes, size));
    free(bytes);
    AGAIN(dem_step(world, CONTACT_TIME / 50.0, 1));
    hash = scene_hash(world);
    dem_world_destroy(world);
    dem_mesh_destroy(mesh);
    assert_int_equal(heap->held, 0);
    return hash;
}

static void out_of_memory(void **state)
{
    (void)state;
    short_heap heap = {.fail_at = UINT64_MAX};
    int failures = 0;
    const uint64_t hash = short_run(&heap, &failures);
    const uint64_t calls = heap.calls;
    for (uint64_t k = 8; k < calls; k += test_slow() ? 3 : 1) {
        failures = 0;
        heap = (short_heap){.fail_at = k};
        const uint64_t again = short_run(&heap, &failures);
        assert_int_equal(hash, again);
    }
}

/* ------------------------------------------------------------------ facets */

static dem_view facets_of(dem_world *world, uint64_t wall, int32_t field)
{
    dem_view view = {.struct_size = sizeof(view)};
    if (dem_wall_view(world, wall, field, &view) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    return view;
}

static const double *row_of(const dem_view *view, uint64_t k)
{
    return (const double *)(const void *)((const char *)view->data + k * view->stride);
}

/** Sum of the rows of a view of forces. */
static void view_sum(const dem_view *view, double sum[3])
{
    memset(sum, 0, 3 * sizeof(double));
    for (uint64_t k = 0; k < view->count; ++k)
        for (int c = 0; c < 3; ++c)
            sum[c] += row_of(view, k)[c];
}

/* Forces on facets and on vertices have the sum of that on the wall, and those on vertices the
 * moment. */
static void facet_forces(void **state)
{
    (void)state;
    dem_world *world = mixed(1, DEM_ISA_AUTO, 0);
    double sums = 0.0, moments = 0.0;
    for (int n = 0; n < 20; ++n) {
        step(world, MIXED_DT, 200);
        static const uint64_t ids[] = {20, 2000, 15};
        for (int k = 0; k < 3; ++k) {
            const dem_wall wall = wall_of(world, ids[k]);
            const dem_view facets = facets_of(world, ids[k], DEM_FACET_FORCE),
                           vertices = facets_of(world, ids[k], DEM_FACET_VERTEX_FORCE);
            double sum[3], of_vertices[3], moment[3] = {0, 0, 0};
            const double size = 1.0 + sqrt(dot(wall.force, wall.force));
            view_sum(&facets, sum);
            view_sum(&vertices, of_vertices);
            const double *x = dem_mesh_vertices(wall.mesh), *z = wall.normal, *a = wall.axis;
            const double across[3] = {z[1] * a[2] - z[2] * a[1], z[2] * a[0] - z[0] * a[2],
                                      z[0] * a[1] - z[1] * a[0]};
            for (uint64_t v = 0; v < vertices.count; ++v) {
                const double *f = row_of(&vertices, v);
                double arm[3];
                for (int c = 0; c < 3; ++c)
                    arm[c] = x[3 * v] * a[c] + x[3 * v + 1] * across[c] + x[3 * v + 2] * z[c] -
                             wall.pivot[c];
                for (int c = 0; c < 3; ++c)
                    moment[c] +=
                        arm[(c + 1) % 3] * f[(c + 2) % 3] - arm[(c + 2) % 3] * f[(c + 1) % 3];
            }
            for (int c = 0; c < 3; ++c) {
                sums = fmax(sums, fabs(sum[c] - wall.force[c]) / size);
                sums = fmax(sums, fabs(of_vertices[c] - wall.force[c]) / size);
                moments = fmax(moments, fabs(moment[c] - wall.torque[c]) / size);
            }
        }
    }
    SHOWN("world-facets", "sum-of-forces", sums, 0.0, 1e-13);
    SHOWN("world-facets", "moment-of-vertex-forces", moments, 0.0, 1e-12);
    dem_world_destroy(world);
}

/* A sphere that slides until it rolls leaves a seventh of m v^2 as shear work, in the facets that
 * it came over; nothing moves along the normal. */
static void wear(void **state)
{
    (void)state;
    static const double x[8][3] = {{0, -2, 0}, {2, -2, 0}, {4, -2, 0}, {9, -2, 0},
                                   {0, 2, 0},  {2, 2, 0},  {4, 2, 0},  {9, 2, 0}};
    static const uint32_t facets[6][3] = {{0, 1, 5}, {0, 5, 4}, {1, 2, 6},
                                          {1, 6, 5}, {2, 3, 7}, {2, 7, 6}};
    const double gravity[3] = {0, 0, -10.0};
    double strip[3], normal = 0.0;
    dem_world *world = still_world(0.2, 0.5);
    OK(dem_world_gravity_set(world, gravity));
    const uint64_t id = add_mesh(world, mesh_of(x, 8, facets, 6));
    dem_particle p = ball_at(1.5, 0.01, RADIUS - 1e-3);
    p.velocity[0] = 3.0;
    OK(dem_particle_add(world, &p, NULL));
    (void)facets_of(world, id, DEM_FACET_WORK_SHEAR);
    for (int split = 0; split < 2; ++split) {
        uint64_t size = 0;
        step(world, 1e-4, 3500);
        OK(dem_world_snapshot_size(world, &size));
        void *bytes = malloc(size);
        OK(dem_world_snapshot(world, bytes, size, NULL));
        OK(dem_world_mark(world));
        step(world, 1e-4, 10);
        OK(split ? dem_world_rewind(world) : dem_world_restore(world, bytes, size));
        free(bytes);
    }
    const dem_view shear = facets_of(world, id, DEM_FACET_WORK_SHEAR),
                   pressing = facets_of(world, id, DEM_FACET_WORK_NORMAL);
    for (uint64_t k = 0; k < 3; ++k) {
        strip[k] = *row_of(&shear, 2 * k) + *row_of(&shear, 2 * k + 1);
        normal += *row_of(&pressing, 2 * k) + *row_of(&pressing, 2 * k + 1);
    }
    const double crossing = 0.5 * (3.0 - sqrt(7.0));
    const double first = 2.0 * crossing * (3.0 - 3.5 * crossing);
    SHOWN("world-wear", "shear-work-strip-1", strip[0], first, 1e-3);
    SHOWN("world-wear", "shear-work-strip-2", strip[1], 9.0 / 7.0 - first, 4e-3);
    SHOWN("world-wear", "shear-work-strip-3", strip[2], 0.0, 1e-3);
    SHOWN("world-wear", "normal-work", normal, 0.0, 1e-6);
    dem_view view = {.struct_size = sizeof(view)};
    expect(world, dem_wall_view(world, id, 9, &view), DEM_ERROR_UNKNOWN, "DEM_FACET_");
    expect(world, dem_wall_view(world, id, 0, NULL), DEM_ERROR_ARGUMENT, "view");
    expect(world, dem_wall_view(world, 77, 0, &view), DEM_ERROR_HANDLE, "77");
    static const double up[3] = {0, 0, 1};
    const uint64_t plane = add_plane(world, up);
    expect(world, dem_wall_view(world, plane, 0, &view), DEM_ERROR_STATE, "no mesh");
    view.struct_size = 8;
    expect(world, dem_wall_view(world, id, 0, &view), DEM_ERROR_STRUCT_SIZE, "dem_view");
    /* what it points to is gone with the wall */
    view.struct_size = sizeof(view);
    OK(dem_wall_view(world, id, DEM_FACET_FORCE, &view));
    assert_int_equal(dem_world_view_stale(world, &view), 0);
    OK(dem_wall_remove(world, id));
    assert_int_equal(dem_world_view_stale(world, &view), 1);
    dem_world_destroy(world);
}

/* A sphere under which a floor turns: until it goes with the floor, the shear work is what friction
 * took, and nothing moves along the normal. */
static void wear_by_turning(void **state)
{
    (void)state;
    static const double x[4][3] = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}};
    static const uint32_t facets[2][3] = {{0, 1, 2}, {0, 2, 3}};
    static const double gravity[3] = {0, 0, -10.0}, turning[3] = {0, 0, 3.0};
    double shear = 0.0, normal = 0.0;
    dem_world *world = still_world(0.2, 0.5);
    OK(dem_world_gravity_set(world, gravity));
    const uint64_t id = add_mesh(world, mesh_of(x, 4, facets, 2));
    const dem_particle p = ball_at(1.2, 0.4, RADIUS - 1e-3);
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_wall_set_motion(world, id, NULL, turning, NULL));
    const dem_view of_shear = facets_of(world, id, DEM_FACET_WORK_SHEAR);
    step(world, 1e-4, 3000);
    const dem_view pressing = facets_of(world, id, DEM_FACET_WORK_NORMAL);
    for (uint64_t k = 0; k < 2; ++k) {
        shear += *row_of(&of_shear, k);
        normal += *row_of(&pressing, k);
    }
    const double slip = scene_energies(world).dissipated_slip;
    assert_true(slip > 0.1);
    SHOWN("world-wear", "shear-work-of-turning", shear, slip, 4e-3 * slip);
    SHOWN("world-wear", "normal-work-of-turning", normal, 0.0, 1e-6);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ vertices that move */

/* A plate whose vertices all have a velocity is a plate that moves: on it a sphere rolls and is
 * lifted. The plate turns in both cases. */
static void moving_vertices(void **state)
{
    (void)state;
    static const double none[3] = {0, 0, 0}, velocity[3] = {0.3, -0.1, 0.4};
    double worst = 0.0, work = 0.0, balance = 0.0;
    dem_world *world[2];
    dem_particle_handle handle[2];
    uint64_t id[2];
    for (int k = 0; k < 2; ++k) {
        dem_world_config config = scene_config();
        world[k] = empty_world(&config, 0.5, 0.7);
        dem_wall wall = plate_of(1);
        if (k == 1)
            memcpy(wall.velocity, velocity, sizeof(velocity));
        id[k] = add_plate(world[k], &wall);
        const dem_particle p = ball_at(0.4, 0.2, 0.7);
        OK(dem_particle_add(world[k], &p, &handle[k]));
    }
    OK(vertices_set(world[0], id[0], 1.0, none, velocity));
    const double before = balance_of(world[0]);
    for (int n = 0; n < 40; ++n) {
        for (int k = 0; k < 2; ++k)
            step(world[k], CONTACT_TIME / 50.0, 50);
        for (int c = 0; c < 3; ++c)
            worst = fmax(worst, fabs(particle_of(world[0], handle[0]).position[c] -
                                     particle_of(world[1], handle[1]).position[c]));
        work = fmax(work, fabs(wall_of(world[0], id[0]).work - wall_of(world[1], id[1]).work));
        balance = fmax(balance, fabs(balance_of(world[0]) - before));
    }
    assert_true(fabs(wall_of(world[1], id[1]).work) > 1.0);
    SHOWN("world-moving-vertices", "position", worst, 0.0, 1e-9);
    SHOWN("world-moving-vertices", "work", work, 0.0, 1e-8);
    SHOWN("world-moving-vertices", "balance-of-energy", balance, 0.0, 5e-3);
    for (int k = 0; k < 2; ++k)
        dem_world_destroy(world[k]);
}

/* Vertices that come from afar are met, whether they fly or are set there. */
static void vertices_arrive(void **state)
{
    (void)state;
    static const double still[3] = {0, 0, 0}, up[3] = {0, 0, 5.0};
    for (int jump = 0; jump < 2; ++jump) {
        dem_world *world = still_world(0.4, 0.8);
        dem_wall wall = plate_of(1);
        wall.point[2] = -7.0;
        const uint64_t id = add_plate(world, &wall);
        const dem_particle p = ball_at(0.2, 0.1, 0.0);
        dem_particle_handle handle;
        OK(dem_particle_add(world, &p, &handle));
        step(world, CONTACT_TIME / 50.0, 3);
        const double to[3] = {0, 0, 6.5 + 0.01};
        OK(vertices_set(world, id, 1.0, jump ? to : still, jump ? still : up));
        step(world, CONTACT_TIME / 50.0, 2500);
        const double speed = particle_of(world, handle).velocity[2];
        if (jump)
            assert_true(speed > 0.5 && speed < 1.1);
        else
            SHOWN("world-moving-vertices", "speed-after-a-blow", speed, 9.0, 3e-2);
        dem_world_destroy(world);
    }
}

/** A world with a membrane that swells, from a step on. */
static dem_world *membrane(int32_t threads)
{
    dem_world *world = mixed(threads, DEM_ISA_AUTO, 0);
    static const double none[3] = {0, 0, 0}, up[3] = {0, 0.1, 0.2};
    OK(vertices_set(world, 2000, 1.0, none, none));
    OK(vertices_set(world, 20, 1.0, none, up));
    (void)facets_of(world, 20, DEM_FACET_WORK_SHEAR);
    step(world, MIXED_DT, 2000);
    return world;
}

static void vertices_bits(void **state)
{
    (void)state;
    test_long();
    dem_world *world[2] = {membrane(1), membrane(3)};
    assert_int_equal(scene_hash(world[0]), scene_hash(world[1]));
    OK(dem_world_mark(world[0]));
    uint64_t size = 0;
    OK(dem_world_snapshot_size(world[1], &size));
    void *bytes = malloc(size);
    OK(dem_world_snapshot(world[1], bytes, size, NULL));
    for (int k = 0; k < 2; ++k)
        step(world[k], MIXED_DT, 701);
    const uint64_t hash = scene_hash(world[0]);
    assert_int_equal(scene_hash(world[1]), hash);
    OK(dem_world_rewind(world[0]));
    OK(dem_world_restore(world[1], bytes, size));
    assert_int_equal(scene_hash(world[0]), scene_hash(world[1]));
    for (int n = 0; n < 701; ++n)
        step(world[0], MIXED_DT, 1);
    step(world[1], MIXED_DT, 701);
    assert_int_equal(scene_hash(world[0]), hash);
    assert_int_equal(scene_hash(world[1]), hash);
    /* a step that fails is undone */
    static const double fast[3] = {0, 0, 1e4}, none[3] = {0, 0, 0};
    OK(vertices_set(world[0], 20, 1.0, none, fast));
    OK(dem_step(world[0], MIXED_DT, 0));
    const uint64_t set = scene_hash(world[0]);
    assert_int_equal(dem_step(world[0], MIXED_DT, 1), DEM_ERROR_OVERLAP);
    assert_int_equal(scene_hash(world[0]), set);
    OK(vertices_set(world[0], 20, 1.0, none, none));
    step(world[0], MIXED_DT, 1);
    free(bytes);
    for (int k = 0; k < 2; ++k)
        dem_world_destroy(world[k]);
}

static void vertices_refused(void **state)
{
    (void)state;
    short_heap heap = {.fail_at = UINT64_MAX};
    dem_world_config config = scene_config();
    config.allocator = short_allocator(&heap);
    dem_world *world = empty_world(&config, 0.4, 0.6);
    dem_wall wall = plate_of(1);
    const uint64_t id = add_plate(world, &wall);
    static const double up[3] = {0, 0, 1}, none[3] = {0, 0, 0};
    const uint64_t plane = add_plane(world, up);
    const uint64_t before = scene_hash(world);
    double x[6][3] = {{0}};
    x[4][1] = NAN;
    expect(world, dem_wall_set_vertices(world, id, x[0], NULL), DEM_ERROR_RANGE, "positions[4]");
    x[4][0] = 1.0;
    x[4][1] = 1e70;
    x[4][2] = 3.0;
    expect(world, dem_wall_set_vertices(world, id, NULL, x[0]), DEM_ERROR_RANGE,
           "velocities[4]: (1, 1e+70, 3)");
    expect(world, dem_wall_set_vertices(world, plane, NULL, NULL), DEM_ERROR_STATE, "no mesh");
    expect(world, dem_wall_set_vertices(world, 99, NULL, NULL), DEM_ERROR_HANDLE, "99");
    assert_int_equal(scene_hash(world), before);
    const uint64_t calls = heap.calls, held = heap.held;
    for (uint64_t k = 0;; ++k) {
        heap.fail_at = heap.calls + k;
        const dem_status status = vertices_set(world, id, 1.0, none, none);
        heap.fail_at = UINT64_MAX;
        if (status == DEM_OK)
            break;
        assert_int_equal(status, DEM_ERROR_MEMORY);
        assert_int_equal(heap.held, held);
        assert_int_equal(scene_hash(world), before);
    }
    assert_true(heap.calls > calls + 30);
    /* all facets lose their area: nothing is touched any more */
    const dem_particle p = ball_at(0.4, 0.2, 0.49);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    step(world, CONTACT_TIME / 50.0, 10);
    assert_int_equal(scene_counts(world).contacts, 2);
    OK(vertices_set(world, id, 0.0, none, none));
    step(world, CONTACT_TIME / 50.0, 10);
    assert_int_equal(scene_counts(world).contacts, 1); /* with the plane */
    OK(dem_wall_remove(world, id));
    step(world, CONTACT_TIME / 50.0, 10);
    dem_world_destroy(world);
    assert_int_equal(heap.held, 0);
}

/* Positions and velocities that are no numbers, in the middle of a run: each is refused with its
 * place, and the run goes on as if nobody had tried. */
static void vertices_broken(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY, 2e60};
    static double x[169][3];
    dem_world *world[2] = {membrane(1), membrane(1)};
    const uint64_t vertices = mesh_properties(wall_of(world[0], 20).mesh).vertex_count;
    assert_int_equal(vertices, 169);
    for (uint64_t n = 0; n < 24; n += test_slow() ? 5 : 1) {
        const uint64_t at = (n * 37) % vertices;
        char text[40];
        memcpy(x, dem_mesh_vertices(wall_of(world[0], 20).mesh), sizeof(x));
        x[at][n % 3] = bad[n % 4];
        const uint64_t before = scene_hash(world[0]);
        const int velocities = n % 2 > 0;
        snprintf(text, sizeof(text), "%s[%d]", velocities ? "velocities" : "positions", (int)at);
        expect(
            world[0],
            dem_wall_set_vertices(world[0], 20, velocities ? NULL : x[0], velocities ? x[0] : NULL),
            DEM_ERROR_RANGE, text);
        assert_int_equal(scene_hash(world[0]), before);
        for (int k = 0; k < 2; ++k)
            step(world[k], MIXED_DT, 20);
    }
    assert_true(scene_counts(world[0]).contacts > 15);
    assert_int_equal(scene_hash(world[0]), scene_hash(world[1]));
    for (int k = 0; k < 2; ++k)
        dem_world_destroy(world[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_floor),
        cmocka_unit_test(fast_over_hills),
        cmocka_unit_test(rows_of_springs),
        cmocka_unit_test(many_spheres),
        cmocka_unit_test(laws_and_schemes),
        cmocka_unit_test(concave_corner),
        cmocka_unit_test(corner_of_two_meshes),
        cmocka_unit_test(thin_plate),
        cmocka_unit_test(convex_edges),
        cmocka_unit_test(plugged_hole),
        cmocka_unit_test(fine_mesh),
        cmocka_unit_test(merges),
        cmocka_unit_test(turning_plate),
        cmocka_unit_test(seeking_plate),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(back_again),
        cmocka_unit_test(held_once),
        cmocka_unit_test(facets_and_weights),
        cmocka_unit_test(no_facet),
        cmocka_unit_test(refused),
        cmocka_unit_test(squeezed),
        cmocka_unit_test(removed),
        cmocka_unit_test(bytes_held),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(facet_forces),
        cmocka_unit_test(wear),
        cmocka_unit_test(wear_by_turning),
        cmocka_unit_test(moving_vertices),
        cmocka_unit_test(vertices_arrive),
        cmocka_unit_test(vertices_bits),
        cmocka_unit_test(vertices_refused),
        cmocka_unit_test(vertices_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
