/* SPDX-License-Identifier: MIT */
/**
 * @file mesh_edges.c
 * Spheres that pass over edges and vertices of meshes in a world: on paths that are given, rolling,
 * and in tubes. Each figure has a closed form or the same run with analytic walls beside it.
 * `make shapes` prints the lines that begin with paper=.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/report.h"
#include "../support/scene.h"

#define RADIUS 0.5
#include "../support/floors.h"
#include "../support/mesh_world.h"
#include "../support/guided.h"

/* ------------------------------------------------------------------ paths that are given */

/** A cube from 0 to `size`, each side of which has four facets about a point somewhere in it. */
static dem_mesh *cube_mesh(double size, test_random *random)
{
    double x[14][3];
    uint32_t facets[24][3];
    for (uint32_t k = 0; k < 8; ++k)
        for (uint32_t c = 0; c < 3; ++c)
            x[k][c] = size * (double)(k >> c & 1);
    for (uint32_t side = 0; side < 6; ++side) {
        const uint32_t a = side / 2, b = (a + 1) % 3, c = (a + 2) % 3, from = (side & 1) << a;
        const uint32_t round[4] = {from, from | 1u << b, from | 1u << b | 1u << c, from | 1u << c};
        x[8 + side][a] = side & 1 ? size : 0.0;
        x[8 + side][b] = size * test_uniform(random, 0.05, 0.95);
        x[8 + side][c] = size * test_uniform(random, 0.05, 0.95);
        for (uint32_t k = 0; k < 4; ++k) {
            facets[4 * side + k][0] = round[k];
            facets[4 * side + k][1] = round[(k + 1) % 4];
            facets[4 * side + k][2] = 8 + side;
        }
    }
    return mesh_of(x, 14, facets, 24);
}

/** What a solid cube from 0 to 1 does: the nearest point of a convex body is one point. */
static void cube_force(const double x[3], double force[3])
{
    double d[3];
    for (int c = 0; c < 3; ++c)
        d[c] = x[c] - fmin(1.0, fmax(0.0, x[c]));
    const double distance = length_of(d);
    for (int c = 0; c < 3; ++c)
        force[c] = distance < RADIUS ? (RADIUS - distance) * d[c] / distance : 0.0;
}

/** What the inside of a cube from 0 to `size` does: a contact with each side, and their number. */
static uint64_t hollow_force(const double x[3], double size, double force[3])
{
    uint64_t sides = 0;
    for (int c = 0; c < 3; ++c) {
        const double low = RADIUS - x[c], high = RADIUS - (size - x[c]);
        force[c] = fmax(0.0, low) - fmax(0.0, high);
        sides += low > 0.0 || high > 0.0;
    }
    return sides;
}

/** Goes to a random place near, at a depth. */
static void over_cube(test_random *random, double x[3], double depth)
{
    double away[3], to[3];
    for (int c = 0; c < 3; ++c) {
        to[c] = x[c] + test_uniform(random, -0.02, 0.02);
        away[c] = to[c] - fmin(1.0, fmax(0.0, to[c]));
    }
    const double distance = length_of(away);
    for (int c = 0; c < 3; ++c)
        x[c] = to[c] - away[c] + (RADIUS - depth) * away[c] / distance;
}

/* A sphere is led over the sides, edges and corners of a cube, at random and along its edges. */
static void scanned_cube(void **state)
{
    (void)state;
    test_random random = test_random_start("over a cube");
    double worst = 0.0, steepest = 0.0;
    uint64_t most = 0;
    double x[3] = {0.5, 0.5, 1.0 + RADIUS - DEPTH};
    guided g = guided_begin(cube_mesh(1.0, &random), x);
    guided_to(&g, x);
    for (int k = 0; k < 9000; ++k) {
        const double along = (k % 1000 - 250) * 2e-3, up = (RADIUS - DEPTH) * sqrt(0.5);
        const double edge[3] = {along, 1.0 + up, 1.0 + up};
        const double from[3] = {g.x[0], g.x[1], g.x[2]};
        const double before[3] = {g.force[0], g.force[1], g.force[2]};
        double exact[3];
        if (k < 8000)
            over_cube(&random, x, DEPTH);
        guided_to(&g, k < 8000 ? x : edge);
        cube_force(g.x, exact);
        worst = fmax(worst, difference(g.force, exact) / DEPTH);
        /* the force of a convex body changes by no more than the stiffness times the way */
        if (k != 8000)
            steepest = fmax(steepest, difference(g.force, before) / difference(g.x, from));
        most = g.contacts > most ? g.contacts : most;
    }
    dem_world_destroy(g.world);
    SHOWN("world-scan-cube", "force/(k*depth)", worst, 0.0, 1e-10);
    SHOWN("world-scan-cube", "contacts", (double)most, 1.0, 0.0);
    assert_true(steepest < 1.0 + 1e-6);
}

/* The same inside of a cube: each of its sides has one contact, also where they meet. */
static void scanned_hollow(void **state)
{
    (void)state;
    test_random random = test_random_start("in a cube");
    const double size = 2.0;
    double worst = 0.0;
    uint64_t wrong = 0, corners = 0;
    double x[3] = {RADIUS, RADIUS, RADIUS};
    guided g = guided_begin(cube_mesh(size, &random), x);
    for (int k = 0; k < 6000; ++k) {
        double exact[3];
        for (int c = 0; c < 3; ++c) {
            x[c] += test_uniform(&random, -0.5, 0.5) * DEPTH;
            x[c] = fmin(RADIUS + 2.0 * DEPTH, fmax(RADIUS - DEPTH, x[c]));
        }
        if (k % 3 == 0) /* as deep in two sides */
            x[1] = x[0];
        guided_to(&g, x);
        const uint64_t sides = hollow_force(g.x, size, exact);
        worst = fmax(worst, difference(g.force, exact) / DEPTH);
        wrong += g.contacts != sides;
        corners += sides == 3;
    }
    dem_world_destroy(g.world);
    assert_true(corners > 100);
    SHOWN("world-scan-hollow", "force/(k*depth)", worst, 0.0, 1e-10);
    SHOWN("world-scan-hollow", "wrong-numbers-of-contacts", (double)wrong, 0.0, 0.0);
}

/** An adhesive sphere, at a gap that its neck spans. */
static guided necked_begin(dem_mesh *mesh, const double n[3], double x[3], double gap)
{
    dem_contact_model model;
    dem_adhesion adhesion;
    for (int c = 0; c < 3; ++c)
        x[c] = 0.5 + (0.5 + RADIUS - DEPTH) * n[c];
    guided g = guided_begin(mesh, x);
    OK(dem_adhesion_init(&adhesion));
    adhesion.young[0] = 1e6;
    adhesion.work_of_adhesion = 20.0;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_jkr(&model, &adhesion));
    OK(dem_contact_model_set(g.world, 0, 0, &model));
    guided_to(&g, x);
    for (int c = 0; c < 3; ++c)
        x[c] += (gap + DEPTH) * n[c];
    guided_to(&g, x);
    return g;
}

/* A neck goes with the sphere over edges and corners, beyond touch: it pulls as on a plane. */
static void scanned_neck(void **state)
{
    (void)state;
    static const double up[3] = {0.0, 0.0, 1.0};
    test_random random = test_random_start("necks");
    const double gap = 0.5 * DEPTH;
    double x[3], worst = 0.0;
    guided g = necked_begin(cube_mesh(1.0, &random), up, x, gap);
    const double pull = g.force[2];
    uint64_t edges = 0;
    assert_true(pull < -1e-3 * RADIUS);
    for (int k = 0; k < 6000; ++k) {
        double away[3], distance, along = 0.0;
        over_cube(&random, x, -gap);
        guided_to(&g, x);
        for (int c = 0; c < 3; ++c)
            away[c] = g.x[c] - fmin(1.0, fmax(0.0, g.x[c]));
        distance = length_of(away);
        edges += fmax(fabs(away[0]), fmax(fabs(away[1]), fabs(away[2]))) < 0.99 * distance;
        for (int c = 0; c < 3; ++c)
            along += g.force[c] * away[c] / distance;
        for (int c = 0; c < 3; ++c)
            worst = fmax(worst, fabs(g.force[c] - along * away[c] / distance) / -pull);
        worst = fmax(worst, fabs(along / pull - 1.0));
        assert_int_equal(g.contacts, 1);
    }
    dem_world_destroy(g.world);
    assert_true(edges > 1000);
    SHOWN("world-scan-neck", "force", worst, 0.0, 1e-8);
}

/** Leads a sphere over a roof at the depth; the greatest jump of the force, over stiffness and
 * depth, and the most contacts. Positive angles are convex. */
static double roof_scan(double angle, uint64_t *most)
{
    const double s = sin(0.5 * angle), c = cos(0.5 * angle), d = RADIUS - DEPTH;
    double jump = 0.0, before[3] = {0.0, 0.0, 0.0};
    guided g;
    *most = 0;
    for (int k = -1000; k <= 1000; ++k) {
        const double along = k * (angle > 0.0 ? 6e-4 * RADIUS : 4e-3 * DEPTH);
        double x[3] = {along, 0.013, d / c - fabs(along) * s / c};
        if (angle > 0.0 && fabs(along) < d * s)
            x[2] = sqrt(d * d - along * along);
        if (k == -1000)
            g = guided_begin(roof(angle), x);
        guided_to(&g, x);
        *most = g.contacts > *most ? g.contacts : *most;
        if (k > -1000)
            jump = fmax(jump, difference(g.force, before) / DEPTH);
        memcpy(before, g.force, sizeof(before));
    }
    dem_world_destroy(g.world);
    return jump;
}

static void scanned_roofs(void **state)
{
    (void)state;
    double jump = 0.0, off = 0.0;
    uint64_t most;
    for (double angle = 2.0; angle <= 60.0; angle += 14.5) {
        jump = fmax(jump, roof_scan(angle * DEGREE, &most));
        assert_int_equal(most, 1);
    }
    SHOWN("world-convex-scan", "step-of-force", jump, 0.0, 2e-3);
    for (double angle = 1.0; angle < 15.0; angle += 4.0) {
        jump = roof_scan(-angle * DEGREE, &most);
        off = fmax(off, fabs(jump - 2.0 * sin(0.5 * angle * DEGREE)));
        assert_int_equal(most, 1);
    }
    SHOWN("world-concave-scan", "step-of-force-less-2-sin", off, 0.0, 2e-3);
    jump = roof_scan(-30.0 * DEGREE, &most);
    assert_int_equal(most, 2);
    SHOWN("world-concave-scan-30", "step-of-force", jump, 0.0, 2e-2);
}

/* ------------------------------------------------------------------ rolling over an edge */

/** A sphere that rolls up one side of a roof without sliding, `way` from the edge, and is to pass
 * the edge with a speed. */
static dem_particle on_roof(double angle, double way, double speed)
{
    const double s = sin(0.5 * angle), c = cos(0.5 * angle), d = RADIUS - 10.0 * c / STIFFNESS;
    const double height = way * s + (angle > 0.0 ? d * (1.0 - c) : 0.0);
    const double fast = sqrt(speed * speed + fmax(0.0, 10.0 * height / 0.7));
    dem_particle p = ball_at(-way * c - d * s, 0.1, -way * s + d * c);
    p.velocity[0] = fast * c;
    p.velocity[2] = fast * s;
    p.angular_velocity[1] = fast / d;
    return p;
}

static dem_world *roof_world(double friction, double restitution)
{
    const double gravity[3] = {0.0, 0.0, -10.0};
    dem_world *world = still_world(friction, restitution);
    OK(dem_world_gravity_set(world, gravity));
    return world;
}

/** The greatest error of the energy over m v^2; the sphere keeps its one contact and comes over. */
static double rolled_over(double angle, double dt)
{
    const double speed = 0.5;
    dem_world *world = roof_world(10.0, 1.0);
    dem_particle_handle handle;
    add_mesh(world, roof(angle));
    const dem_particle p = on_roof(angle, 0.3, speed);
    OK(dem_particle_add(world, &p, &handle));
    step(world, dt, 0);
    const double before = energy_of(world), scale = dot(p.velocity, p.velocity);
    double worst = 0.0;
    dem_particle now = p;
    while (now.position[0] < 0.3) {
        step(world, dt, 10);
        worst = fmax(worst, fabs(energy_of(world) - before) / scale);
        now = particle_of(world, handle);
        assert_int_equal(scene_counts(world).contacts, 1);
        assert_true(dem_world_time(world) < 3.0);
    }
    dem_world_destroy(world);
    return worst;
}

static void rolling_over(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        static const double angles[4] = {2.0, 16.0, 31.0, 60.0};
        char name[40];
        snprintf(name, sizeof(name), "world-roof-%.0f", angles[k]);
        const double coarse = rolled_over(angles[k] * DEGREE, CONTACT_TIME / 50.0),
                     fine = rolled_over(angles[k] * DEGREE, CONTACT_TIME / 200.0);
        SHOWN(name, "energy/mv2", fine, 0.0, 1e-7);
        assert_true(coarse > 6.0 * fine); /* 16 at order 2 */
    }
}

/** Lets a sphere roll down one side of a valley and up the other, beside two planes. */
static void roll_through(double angle, uint64_t contacts, double *apart, double *balance)
{
    const double s = sin(0.5 * angle), c = cos(0.5 * angle);
    const double right[3] = {s, 0.0, c}, left[3] = {-s, 0.0, c};
    dem_world *world[2];
    dem_particle_handle handle[2];
    const dem_particle p = on_roof(-angle, 1.0, 1.5);
    uint64_t most = 0;
    for (int m = 0; m < 2; ++m) {
        world[m] = roof_world(0.4, 0.8);
        OK(dem_particle_add(world[m], &p, &handle[m]));
    }
    add_mesh(world[0], roof(-angle));
    add_plane(world[1], right);
    add_plane(world[1], left);
    step(world[0], CONTACT_TIME / 100.0, 0);
    const double before = balance_of(world[0]);
    *apart = *balance = 0.0;
    for (int n = 0; n < 1000; ++n) {
        for (int m = 0; m < 2; ++m)
            step(world[m], CONTACT_TIME / 100.0, 4);
        *apart = fmax(*apart, difference(particle_of(world[0], handle[0]).position,
                                         particle_of(world[1], handle[1]).position));
        *balance = fmax(*balance, fabs(balance_of(world[0]) - before));
        const uint64_t now = scene_counts(world[0]).contacts;
        most = now > most ? now : most;
    }
    assert_int_equal(most, contacts);
    for (int m = 0; m < 2; ++m)
        dem_world_destroy(world[m]);
}

/* A valley of two sides is two planes, to the bit; where it is flatter than the angle of contacts,
 * it has one contact, whose normal jumps and whose energy does not. */
static void rolling_through(void **state)
{
    (void)state;
    double apart, balance;
    roll_through(8.0 * DEGREE, 1, &apart, &balance);
    SHOWN("world-valley-8", "balance-of-energy/J", balance, 0.0, 1e-4);
    for (double angle = 30.0; angle <= 60.0; angle += 30.0) {
        roll_through(angle * DEGREE, 2, &apart, &balance);
        SHOWN("world-valley", "apart-from-planes/m", apart, 0.0, 0.0);
    }
}

/* ------------------------------------------------------------------ bouncing off an edge */

/** A bounce off an edge along y, or a vertex, which is the origin. */
typedef struct rebound {
    double energy, momentum, direction; /**< errors; of angular momentum about the edge, over R v;
                                             and from the law of reflection, over v */
} rebound;

static rebound bounce_off(dem_mesh *mesh, const double from[3], double s)
{
    const double speed = s * RADIUS * sqrt(STIFFNESS), length = length_of(from);
    dem_world *world = still_world(0.0, 1.0);
    dem_particle_handle handle;
    dem_particle p = ball_at(0.0, 0.0, 0.0);
    double n[3], expected[3];
    for (int c = 0; c < 3; ++c) {
        n[c] = from[c] / length;
        p.velocity[c] = -cos(30.0 * DEGREE) * speed * n[c];
    }
    p.velocity[0] += sin(30.0 * DEGREE) * speed * n[2];
    p.velocity[2] -= sin(30.0 * DEGREE) * speed * n[0];
    const double along = dot(p.velocity, n), fast = length_of(p.velocity);
    for (int c = 0; c < 3; ++c) {
        p.position[c] = RADIUS * n[c] - 0.1 * CONTACT_TIME * p.velocity[c];
        expected[c] = p.velocity[c] - 2.0 * along * n[c];
    }
    add_mesh(world, mesh);
    OK(dem_particle_add(world, &p, &handle));
    const double before = energy_of(world);
    for (int k = 0; k < 30; ++k) {
        step(world, CONTACT_TIME / 200.0, 10);
        assert_true(scene_counts(world).contacts <= 1);
    }
    const dem_particle now = particle_of(world, handle);
    const double about = p.position[2] * p.velocity[0] - p.position[0] * p.velocity[2];
    const rebound r = {
        fabs(energy_of(world) / before - 1.0),
        fabs(now.position[2] * now.velocity[0] - now.position[0] * now.velocity[2] - about) /
            (RADIUS * fast),
        difference(now.velocity, expected) / fast};
    assert_int_equal(scene_counts(world).contacts, 0);
    assert_true(scene_energies(world).work_boundary == 0.0 && dot(now.velocity, n) > 0.0);
    dem_world_destroy(world);
    return r;
}

static void bouncing_off(void **state)
{
    (void)state;
    static const double edge[3] = {0.2, 0.0, 1.0}, vertex[3] = {-0.4, -0.5, -1.0};
    const double fast = 0.016, slow = 1.6e-4;
    /* a force that begins and ends between two steps: (omega dt)^2/4 at most */
    const double within = pow(180.0 * DEGREE / 200.0, 2.0) / 4.0;
    double momentum = 0.0;
    for (int k = 0; k < 2; ++k) {
        const double s = k == 0 ? fast : slow;
        const rebound r = bounce_off(roof(90.0 * DEGREE), edge, s);
        SHOWN(k == 0 ? "world-bounce-edge" : "world-bounce-edge-slow", "energy", r.energy, 0.0,
              within);
        SHOWN(k == 0 ? "world-bounce-edge" : "world-bounce-edge-slow", "direction/s",
              r.direction / s, 0.0, 3.0);
        momentum = fmax(momentum, r.momentum);
    }
    SHOWN("world-bounce-edge", "angular-momentum", momentum, 0.0, 1e-11);
    rebound r = bounce_off(mesh_of(cube_vertices, 8, cube_facets, 12), vertex, fast);
    SHOWN("world-bounce-vertex", "energy", r.energy, 0.0, within);
    SHOWN("world-bounce-vertex", "angular-momentum", r.momentum, 0.0, 1e-11);
    SHOWN("world-bounce-vertex", "direction/s", r.direction / fast, 0.0, 3.0);
}

/* ------------------------------------------------------------------ thin plates */

/** A wall of a mesh, or a plane, whose z axis is n. */
static void add_tilted(dem_world *world, dem_mesh *mesh, const double n[3], double height)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = mesh != NULL ? DEM_SHAPE_MESH : DEM_SHAPE_PLANE;
    wall.mesh = mesh;
    for (int c = 0; c < 3; ++c) {
        wall.normal[c] = n[c];
        wall.point[c] = height * n[c];
    }
    if (dem_wall_add(world, &wall, NULL) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    dem_mesh_destroy(mesh);
}

/* A plate of two sheets that is tilted: from either side it is the plane of its nearer sheet, also
 * where it is thinner than the overlap. */
static void tilted_plates(void **state)
{
    (void)state;
    test_random random = test_random_start("tilted plates");
    double worst = 0.0, deepest = 0.0;
    for (int run = 0; run < 24; ++run) {
        const double thick = 0.01 * (run % 6) * RADIUS, side = run % 2 ? 1.0 : -1.0;
        const double x[8][3] = {{-4, -4, 0},      {4, -4, 0},      {4, 4, 0},      {-4, 4, 0},
                                {-4, -4, -thick}, {4, -4, -thick}, {4, 4, -thick}, {-4, 4, -thick}};
        static const uint32_t facets[4][3] = {{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}};
        double n[3], out[3], gravity[3], slide[3];
        dem_world *world[2];
        dem_particle_handle handle[2];
        test_unit(&random, n);
        test_unit(&random, slide);
        dem_particle p = ball_at(0.0, 0.0, 0.0);
        for (int c = 0; c < 3; ++c) {
            out[c] = side * n[c];
            gravity[c] = -10.0 * out[c] + 0.5 * slide[c];
            p.position[c] = 1.01 * RADIUS * out[c] - (side < 0.0 ? thick * n[c] : 0.0);
            p.velocity[c] = -1.5 * out[c] + 0.2 * slide[c];
        }
        for (int m = 0; m < 2; ++m) {
            world[m] = still_world(0.4, 0.7);
            OK(dem_world_gravity_set(world[m], gravity));
            OK(dem_particle_add(world[m], &p, &handle[m]));
        }
        add_tilted(world[0], mesh_of(x, 8, facets, 4), n, 0.0);
        add_tilted(world[1], NULL, out, side < 0.0 ? thick : 0.0);
        for (int k = 0; k < 200; ++k) {
            for (int m = 0; m < 2; ++m)
                step(world[m], CONTACT_TIME / 50.0, 4);
            const double *at = particle_of(world[0], handle[0]).position;
            worst = fmax(worst, difference(at, particle_of(world[1], handle[1]).position));
            deepest = fmax(deepest, RADIUS - dot(at, out) + (side < 0.0 ? thick : 0.0));
            assert_true(scene_counts(world[0]).contacts <= 1);
        }
        for (int m = 0; m < 2; ++m)
            dem_world_destroy(world[m]);
    }
    assert_true(deepest > 0.02 * RADIUS); /* more than the plate is thick, in some runs */
    SHOWN("world-tilted-plate", "apart-from-plane/m", worst, 0.0, 1e-9);
}

/* ------------------------------------------------------------------ closed paths */

/** A floor with bumps, of some height. */
static dem_mesh *bumps_mesh(double height, test_random *random)
{
    enum { N = 16 };
    double x[N * N][3];
    uint32_t facets[2 * N * N][3], count = 0;
    for (int k = 0; k < N * N; ++k) {
        x[k][0] = 0.3 * (k % N - N / 2);
        x[k][1] = 0.3 * (double)(k / N - N / 2);
        x[k][2] = test_uniform(random, -height, height);
    }
    for (uint32_t k = 0; k < N * N - N; ++k)
        if (k % N + 1 < N) {
            const uint32_t two[2][3] = {{k, k + 1, k + N}, {k + 1, k + N + 1, k + N}};
            memcpy(facets[count], two, sizeof(two));
            count += 2;
        }
    return mesh_of(x, N * N, facets, count);
}

/** Leads a sphere around on bumps, about the depth in them: what the work on it and its elastic
 * energy differ by, over the largest of these energies. */
static double around(double height, double depth, uint64_t steps, uint64_t seed)
{
    test_random random = {seed};
    double work = 0.0, most = 0.0, before[3] = {0.0}, from[3] = {0.6, 0.0, height + 1.2 * RADIUS};
    guided g = guided_begin(bumps_mesh(height, &random), from);
    dem_world_energies e = {0};
    for (uint64_t k = 0; k <= steps;) {
        const double phi = 360.0 * DEGREE * (double)k / (double)steps;
        const double off = length_of(g.force) - depth;
        const double x[3] = {0.6 * cos(phi), 0.6 * sin(phi), from[2] + fmax(off, -0.1 * depth)};
        guided_to(&g, x);
        for (int c = 0; c < 3; ++c)
            work += 0.5 * (before[c] + g.force[c]) * (g.x[c] - from[c]);
        memcpy(before, g.force, sizeof(before));
        memcpy(from, g.x, sizeof(from));
        e = scene_energies(g.world);
        most = fmax(most, e.elastic / STIFFNESS);
        k += g.contacts > 0; /* it comes down first */
    }
    dem_world_destroy(g.world);
    return fabs(work + e.elastic / STIFFNESS) / most;
}

/** The mean of some bumps. */
static double around_all(double height, double depth, uint64_t steps)
{
    double sum = 0.0;
    for (uint64_t seed = 1; seed <= 4; ++seed)
        sum += around(height * RADIUS, depth * RADIUS, steps, seed) / 4.0;
    return sum;
}

/* The energy of contacts is what the work on them is, the better the finer the path is: forces
 * jump at edges, and the potential does not. That holds as long as contacts begin without overlap,
 * which the angle of 15 degrees gives to depths below 0.034 of the radius. */
static void closed_paths(void **state)
{
    (void)state;
    test_long();
    static const double heights[3] = {0.01, 0.1, 0.4};
    double coarse = 0.0, fine = 0.0;
    for (int k = 0; k < 3; ++k) {
        char name[40];
        snprintf(name, sizeof(name), "world-path-on-bumps-%g", heights[k]);
        const double one = around_all(heights[k], 0.005, 20000);
        coarse += around_all(heights[k], 0.005, 2500);
        fine += one;
        SHOWN(name, "energy", one, 0.0, 0.05);
    }
    assert_true(fine < 0.5 * coarse);
    SHOWN("world-path-too-deep", "energy", around_all(0.1, 0.06, 4000), 0.0, 1.0);
}

/* ------------------------------------------------------------------ facets in another order */

/* The order of facets and of their vertices, and facets that are there twice, change no bit. */
static void permuted(void **state)
{
    (void)state;
    enum { COUNT = 9, RUNS = 20 };
    uint64_t different = 0, touching = 0, several = 0;
    for (uint64_t run = 0; run < RUNS; ++run) {
        dem_world *world[2];
        dem_particle_handle handle[2][COUNT];
        for (int m = 0; m < 2; ++m) {
            test_random random = {run + 1};
            world[m] = roof_world(0.4, 0.7);
            add_mesh(world[m], rough(m == 0 ? 1 : run + 2));
            for (int k = 0; k < COUNT; ++k) {
                dem_particle p = ball_at(0.7 * (k % 3) - 0.7, 0.7 * (double)(k / 3) - 0.7, 0.42);
                p.radius = test_uniform(&random, 0.2, 0.34);
                for (int c = 0; c < 3; ++c)
                    p.velocity[c] = test_uniform(&random, -1.0, 1.0);
                OK(dem_particle_add(world[m], &p, &handle[m][k]));
            }
        }
        for (int n = 0; n < 200; ++n) {
            for (int m = 0; m < 2; ++m)
                step(world[m], CONTACT_TIME / 50.0, 3);
            for (int k = 0; k < COUNT; ++k) {
                const dem_particle a = particle_of(world[0], handle[0][k]),
                                   b = particle_of(world[1], handle[1][k]);
                different += memcmp(&a, &b, sizeof(a)) != 0;
            }
            dem_contact contact = {.struct_size = sizeof(contact)};
            touching += scene_counts(world[0]).contacts > 0;
            for (uint64_t at = 0; dem_world_contact_next(world[0], &at, &contact) == DEM_OK;)
                several += contact.key.feature > 0;
        }
        for (int m = 0; m < 2; ++m)
            dem_world_destroy(world[m]);
    }
    assert_true(touching > 2000 && several > 200);
    SHOWN("world-permuted-facets", "states-that-differ", (double)different, 0.0, 0.0);
}

/* ------------------------------------------------------------------ tubes */

#define TUBE (4.0 * RADIUS)

/* Inside of a tube of n flat sides the gap is too small by up to R(1 - cos(pi/n)). */
static void tube_gap(void **state)
{
    (void)state;
    for (uint32_t n = 48; n <= 384; n *= 8) {
        const double from = TUBE - RADIUS + 0.02 * RADIUS;
        const double exact = TUBE * (1.0 - cos(180.0 * DEGREE / n));
        double greatest = 0.0, least = 0.0;
        guided g;
        for (int k = 0; k < 1600; ++k) {
            const double phi = 0.004 * k, at[3] = {from * cos(phi), from * sin(phi), 0.1};
            if (k == 0)
                g = guided_begin(tube_mesh(n, TUBE, 3.0), at);
            guided_to(&g, at);
            assert_int_equal(g.contacts, 1);
            const double excess = length_of(g.force) - 0.02 * RADIUS;
            greatest = fmax(greatest, excess);
            least = fmin(least, excess);
        }
        dem_world_destroy(g.world);
        char name[32];
        snprintf(name, sizeof(name), "world-tube-%u", n);
        SHOWN(name, "gap", greatest, exact, 1e-2 * exact);
        assert_true(least >= -1e-3 * exact);
    }
}

/** Angle of a sphere that rolls in a tube of n sides, or in a cylinder, from 30 degrees on. */
static double rolled_in(uint32_t n, double dt, uint64_t steps)
{
    const double gravity[3] = {0.0, -10.0, 0.0}, arm = TUBE - RADIUS + 10.0 / STIFFNESS;
    dem_world *world = still_world(0.5, 0.5);
    dem_particle_handle handle;
    OK(dem_world_gravity_set(world, gravity));
    if (n > 0) {
        add_mesh(world, tube_mesh(n, TUBE, 3.0));
    } else {
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.shape = DEM_SHAPE_CYLINDER;
        wall.side = DEM_SIDE_INSIDE;
        wall.size[0] = TUBE;
        OK(dem_wall_add(world, &wall, NULL));
    }
    const dem_particle p = ball_at(arm * sin(30.0 * DEGREE), -arm * cos(30.0 * DEGREE), 0.1);
    OK(dem_particle_add(world, &p, &handle));
    step(world, dt, steps);
    const dem_particle now = particle_of(world, handle);
    dem_world_destroy(world);
    return atan2(now.position[0], -now.position[1]);
}

/* Each edge of the tube is an impact, so it comes to be a cylinder at first order in the angle of
 * its sides, not at second as the gap. */
static void tube_rolls(void **state)
{
    (void)state;
    test_long();
    const double dt = CONTACT_TIME / 50.0, cylinder = rolled_in(0, dt, 800);
    double before = 0.0;
    for (uint32_t n = 24; n <= 384; n *= 4) {
        const double off = fabs(rolled_in(n, dt, 800) - cylinder);
        char name[32];
        snprintf(name, sizeof(name), "world-rolling-tube-%u", n);
        SHOWN(name, "angle", off, 0.0, 0.7 / n);
        assert_true(before == 0.0 || off < before / 3.0);
        before = off;
    }
}

/* ------------------------------------------------------------------ a drum */

/** What a drum that turns does to grains, in the mean: angle of their centre, torque, energy. */
typedef struct drum_means {
    double angle, torque, kinetic;
} drum_means;

/** A slice of a drum of n sides, or of a cylinder, with a period along its axis. */
static drum_means drum_run(uint32_t n)
{
    enum { GRAINS = 40, BLOCKS = 160 };
    const double spin = 1.5;
    dem_world_config config = scene_config();
    config.gravity[1] = -10.0;
    config.gravity[2] = 0.0;
    config.boundary[2] = DEM_BOUNDARY_PERIODIC;
    config.box_low[2] = -0.5;
    config.box_high[2] = 0.5;
    dem_world *world = empty_world(&config, 0.5, 0.4);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = n > 0 ? DEM_SHAPE_MESH : DEM_SHAPE_CYLINDER;
    wall.side = n > 0 ? DEM_SIDE_BOTH : DEM_SIDE_INSIDE;
    wall.mesh = n > 0 ? tube_mesh(n, TUBE, 3.0) : NULL;
    wall.size[0] = n > 0 ? 0.0 : TUBE;
    wall.angular_velocity[2] = spin;
    uint64_t id;
    OK(dem_wall_add(world, &wall, &id));
    dem_mesh_destroy(wall.mesh);
    dem_particle_handle handle[GRAINS];
    test_random random = {5};
    for (int k = 0; k < GRAINS; ++k) {
        dem_particle p = ball_at(0.45 * (k % 6) - 1.1, 0.45 * (double)(k / 6) - 1.2, 0.0);
        p.radius = test_uniform(&random, 0.18, 0.22);
        p.position[2] = test_uniform(&random, -0.4, 0.4);
        OK(dem_particle_add(world, &p, &handle[k]));
    }
    step(world, CONTACT_TIME / 30.0, 4000);
    drum_means mean = {0.0, 0.0, 0.0};
    for (int b = 0; b < BLOCKS; ++b) {
        double centre[2] = {0.0, 0.0};
        step(world, CONTACT_TIME / 30.0, 50);
        for (int k = 0; k < GRAINS; ++k) {
            const dem_particle p = particle_of(world, handle[k]);
            centre[0] += p.position[0] / GRAINS;
            centre[1] += p.position[1] / GRAINS;
        }
        mean.angle += atan2(centre[0], -centre[1]) / DEGREE / BLOCKS;
        mean.torque += wall_of(world, id).torque[2] / BLOCKS;
        mean.kinetic += scene_energies(world).kinetic_translation / BLOCKS;
    }
    dem_world_destroy(world);
    return mean;
}

static void drums(void **state)
{
    (void)state;
    test_long();
    const drum_means cylinder = drum_run(0), mesh = drum_run(384);
    SHOWN("world-drum-384", "angle/degree", mesh.angle, cylinder.angle, 4.0);
    SHOWN("world-drum-384", "torque", mesh.torque / cylinder.torque, 1.0, 0.12);
    SHOWN("world-drum-384", "kinetic-energy", mesh.kinetic / cylinder.kinetic, 1.0, 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scanned_cube),   cmocka_unit_test(scanned_neck),
        cmocka_unit_test(scanned_hollow), cmocka_unit_test(scanned_roofs),
        cmocka_unit_test(rolling_over),   cmocka_unit_test(rolling_through),
        cmocka_unit_test(bouncing_off),   cmocka_unit_test(tilted_plates),
        cmocka_unit_test(closed_paths),   cmocka_unit_test(permuted),
        cmocka_unit_test(tube_gap),       cmocka_unit_test(tube_rolls),
        cmocka_unit_test(drums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
