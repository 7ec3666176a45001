/* SPDX-License-Identifier: MIT */
/**
 * @file wall_search.c
 * Walls of all shapes at level 1: spheres of a host beside those of a world, at rest and on walls
 * that move and turn; contacts where closed forms say; what is refused. `make shapes` prints the
 * lines that begin with paper=.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/heap_short.h"
#include "../support/meshes.h"
#include "../support/random.h"
#include "../support/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RADIUS 0.1
#define MASS 0.5
#define YOUNG 1e6
enum { CONTACTS = 8 };

/* ------------------------------------------------------------------ walls */

typedef struct wall_case {
    const char *name;
    int32_t shape, side, open;
    double size[3], from[3]; /* where the sphere starts, off the wall's point */
} wall_case;

static const wall_case cases[] = {
    {"plane", DEM_SHAPE_PLANE, DEM_SIDE_OUTSIDE, 0, {0}, {0.0, 0.0, 0.15}},
    {"disc", DEM_SHAPE_DISC, DEM_SIDE_BOTH, 0, {0.5, 0.2, 0.0}, {0.35, 0.0, 0.15}},
    {"rectangle", DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, 0, {0.8, 0.6, 0.0}, {0.3, 0.2, 0.15}},
    {"ball", DEM_SHAPE_BALL, DEM_SIDE_OUTSIDE, 0, {0.5, 0.0, 0.0}, {0.1, 0.0, 0.62}},
    {"ball-in", DEM_SHAPE_BALL, DEM_SIDE_INSIDE, 0, {0.5, 0.0, 0.0}, {0.1, 0.0, 0.0}},
    {"cylinder", DEM_SHAPE_CYLINDER, DEM_SIDE_OUTSIDE, 0, {0.5, 0.8, 0.0}, {0.2, 0.1, 0.52}},
    {"cylinder-in", DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 0, {0.4, 0.3, 0.0}, {0.2, 0.1, 0.0}},
    {"cylinder-open", DEM_SHAPE_CYLINDER, DEM_SIDE_BOTH, DEM_OPEN_HIGH, {0.4, 0.5}, {0.2, 0.1}},
    {"cylinder-endless", DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 0, {0.4, 0.0, 0.0}, {0.2, 0.1}},
    {"cone", DEM_SHAPE_CONE, DEM_SIDE_OUTSIDE, 0, {0.5, 0.5, 0.2}, {0.4, 0.0, 0.25}},
    {"cone-in", DEM_SHAPE_CONE, DEM_SIDE_INSIDE, 0, {0.3, 0.6, 0.5}, {0.1, 0.0, 0.0}},
    {"box", DEM_SHAPE_BOX, DEM_SIDE_OUTSIDE, 0, {0.6, 0.5, 0.4}, {0.25, 0.0, 0.35}},
    {"box-in", DEM_SHAPE_BOX, DEM_SIDE_INSIDE, 0, {0.5, 0.6, 0.4}, {0.05, 0.08, 0.0}},
    {"mesh", DEM_SHAPE_MESH, DEM_SIDE_OUTSIDE, 0, {0}, {0.5, 0.4, 0.5}},
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

/** The wall of a case, upright unless it is oblique. */
static dem_wall wall_of(const wall_case *of, dem_mesh *mesh, int oblique)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = of->shape;
    wall.side = of->side;
    wall.open = of->open;
    memcpy(wall.size, of->size, sizeof(wall.size));
    wall.mesh = of->shape == DEM_SHAPE_MESH ? mesh : NULL;
    const double point[3] = {0.3, -0.2, 0.7}, normal[3] = {0.1, -0.2, 1.0}, axis[3] = {1, 0.3, 0};
    memcpy(wall.point, point, sizeof(point));
    if (oblique) {
        memcpy(wall.normal, normal, sizeof(normal));
        memcpy(wall.axis, axis, sizeof(axis));
    }
    return wall;
}

static dem_mesh *cube(void)
{
    return mesh_of(cube_vertices, 8, cube_facets, 12);
}

static dem_wall_search *search_of(const dem_wall *wall)
{
    dem_wall_search_config config;
    dem_wall_search *search;
    dem_error error;
    OK(dem_wall_search_config_init(&config));
    if (dem_wall_search_create(&config, wall, &search, &error) != DEM_OK)
        fail_msg("%s", error.message);
    return search;
}

/* ------------------------------------------------------------------ a host beside a world */

static void model_of(dem_contact_model *model, double friction)
{
    static dem_hertz hertz; /* live as long as the model */
    static dem_mindlin mindlin;
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    hertz.young[0] = YOUNG;
    hertz.poisson[0] = 0.3;
    hertz.restitution = 0.9;
    mindlin.friction = friction;
    OK(dem_contact_model_init(model));
    OK(dem_contact_model_add_hertz(model, &hertz));
    OK(dem_contact_model_add_mindlin(model, &mindlin));
    model->lever_arm = DEM_ARM_CONTACT;
}

/** Row 0 is the sphere, row 1 the wall. */
typedef struct host {
    dem_contact_history *history;
    dem_wall_search *search;
    dem_wall wall;
    double x[6], v[6], w[6], a[6], alpha[6], force[6], torque[6], t;
    uint64_t features[CONTACTS];
    uint64_t touching, most;
    int by_facet; /**< faces of a hollow tell contacts apart, not slots */
    double reach, lost;
} host;

static void host_open(host *h, const dem_wall *wall, double friction, const double x[3],
                      const double v[3])
{
    dem_contact_history_config config;
    dem_contact_model model;
    memset(h, 0, sizeof(*h));
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &h->history, NULL));
    model_of(&model, friction);
    OK(dem_contact_history_model_set(h->history, 0, 0, &model));
    h->search = search_of(wall);
    h->wall = *wall;
    memcpy(h->x, x, 3 * sizeof(double));
    memcpy(h->v, v, 3 * sizeof(double));
}

static void host_close(host *h)
{
    dem_contact_history_destroy(h->history);
    dem_wall_search_destroy(h->search);
}

/** The contacts at the time of the host, whose wall has moved and turned since 0. */
static dem_wall_contacts host_find(host *h)
{
    static const double radius[1] = {RADIUS};
    dem_wall_spheres spheres;
    dem_wall_contacts found = {.struct_size = sizeof(found)};
    OK(dem_wall_spheres_init(&spheres));
    spheres.count = 1;
    spheres.position = h->x;
    spheres.radius = radius;
    spheres.wall_row = 1;
    spheres.reach = h->reach;
    const double *w = h->wall.angular_velocity;
    const double rate = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    spheres.rotation[0] = cos(0.5 * rate * h->t);
    for (int c = 0; c < 3; ++c) {
        spheres.displacement[c] = h->wall.velocity[c] * h->t;
        h->x[3 + c] = h->wall.point[c] + spheres.displacement[c];
        if (rate > 0.0)
            spheres.rotation[1 + c] = sin(0.5 * rate * h->t) * w[c] / rate;
    }
    if (dem_wall_search_spheres(h->search, &spheres, &found) != DEM_OK)
        fail_msg("%s", dem_wall_search_error(h->search));
    assert_true(found.count <= CONTACTS);
    return found;
}

/** Forces at the time of the host. */
static void host_forces(host *h, double dt)
{
    static const double radius[2] = {RADIUS, 100.0}, mass[2] = {MASS, 0.0};
    const dem_wall_contacts found = host_find(h);
    dem_contacts_input input;
    dem_contacts_geometry geometry;
    OK(dem_contacts_input_init(&input));
    OK(dem_contacts_geometry_init(&geometry));
    input.particle_count = 2;
    memcpy(h->v + 3, h->wall.velocity, sizeof(h->wall.velocity));
    memcpy(h->w + 3, h->wall.angular_velocity, sizeof(h->wall.angular_velocity));
    input.position = h->x;
    input.velocity = h->v;
    input.angular_velocity = h->w;
    input.acceleration = h->a;
    input.angular_acceleration = h->alpha;
    input.radius = radius;
    input.mass = mass;
    input.pair_count = found.count;
    input.pairs = found.pairs;
    input.features = h->features;
    input.force = h->force;
    input.torque = h->torque;
    input.dt = dt;
    input.velocity_lag = 0.5 * dt;
    input.forces_only = !(dt > 0.0);
    geometry.overlap = found.overlap;
    geometry.normal = found.normal;
    geometry.point = found.point;
    geometry.radius = found.radius;
    memset(h->force, 0, sizeof(h->force));
    memset(h->torque, 0, sizeof(h->torque));
    if (h->by_facet)
        for (uint64_t k = 0; k < found.count; ++k)
            h->features[k] = found.facet[k];
    else
        OK(dem_contact_history_slots(h->history, &input, &geometry, DEM_MESH_COSINE, h->features));
    dem_contact_totals totals = {.struct_size = sizeof(totals)};
    if (dem_contacts_evaluate_geometry(h->history, &input, &geometry, &totals) != DEM_OK)
        fail_msg("%s", dem_contact_history_error(h->history));
    h->lost += totals.dissipated_normal + totals.dissipated_dashpot + totals.dissipated_slip;
    h->touching += found.count > 0;
    h->most = found.count > h->most ? found.count : h->most;
    for (int c = 0; c < 3; ++c) {
        h->a[c] = h->force[c] / MASS + (c == 2 ? -10.0 : 0.0);
        h->alpha[c] = h->torque[c] / (0.4 * MASS * RADIUS * RADIUS);
    }
}

/** Half a kick, a drift, contacts, half a kick. */
static void host_step(host *h, double dt)
{
    for (int c = 0; c < 3; ++c) {
        h->v[c] += 0.5 * dt * h->a[c];
        h->w[c] += 0.5 * dt * h->alpha[c];
        h->x[c] += dt * h->v[c];
    }
    h->t += dt;
    host_forces(h, dt);
    for (int c = 0; c < 3; ++c) {
        h->v[c] += 0.5 * dt * h->a[c];
        h->w[c] += 0.5 * dt * h->alpha[c];
    }
}

static dem_world *world_of(const dem_wall *wall, double friction, const double x[3],
                           const double v[3], dem_particle_handle *handle)
{
    dem_world_config config;
    dem_contact_model model;
    dem_particle p;
    dem_world *world = NULL;
    OK(dem_world_config_init(&config));
    config.gravity[2] = -10.0;
    OK(dem_world_create(&config, &world, NULL));
    model_of(&model, friction);
    if (dem_contact_model_set(world, 0, 0, &model) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    if (dem_wall_add(world, wall, NULL) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    OK(dem_particle_init(&p));
    p.radius = RADIUS;
    p.mass = MASS;
    memcpy(p.position, x, sizeof(p.position));
    memcpy(p.velocity, v, sizeof(p.velocity));
    if (dem_particle_add(world, &p, handle) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    return world;
}

/** Overlap, normal and point of each contact of the world are those that the host found. */
static double geometry_error(const dem_world *world, host *h)
{
    double overlap[CONTACTS], normal[CONTACTS][3], point[CONTACTS][3], error = 0.0;
    dem_contact_arrays arrays;
    uint64_t cursor = 0, count = 0;
    OK(dem_contact_arrays_init(&arrays));
    arrays.capacity = CONTACTS;
    arrays.overlap = overlap;
    arrays.normal = normal[0];
    arrays.point = point[0];
    OK(dem_world_contacts_read(world, &cursor, &arrays, &count));
    const dem_wall_contacts found = host_find(h);
    if (found.count != count)
        return 1.0;
    for (uint64_t k = 0; k < count; ++k) {
        double least = 1.0; /* over the host's contacts, which may be in another order */
        for (uint64_t n = 0; n < count; ++n) {
            double off = fabs(overlap[k] - found.overlap[n]);
            for (uint64_t c = 0; c < 3; ++c)
                off = fmax(off, fmax(fabs(-normal[k][c] - found.normal[3 * n + c]),
                                     fabs(point[k][c] - found.point[3 * n + c])));
            double same = fabs(overlap[k] - found.overlap[n]);
            for (uint64_t c = 0; c < 3; ++c)
                same = fmax(same, fmax(fabs(normal[k][c] - found.normal[3 * n + c]),
                                       fabs(point[k][c] - found.point[3 * n + c])));
            least = fmin(least, fmin(off, same));
        }
        error = fmax(error, least);
    }
    return error;
}

/** How a host runs beside a world. */
typedef struct run_case {
    int moving, by_facet;
    double friction, dt, reach;
} run_case;

/** Runs both for 0.6 s; the largest differences of place, and of what the contacts are. */
static void beside(const wall_case *of, const run_case *run, double *place, double *geometry)
{
    dem_mesh *mesh = cube();
    dem_wall wall = wall_of(of, mesh, 1);
    const double w[3] = {0.4, -1.1, 0.7}, u[3] = {0.03, 0.02, -0.05}, v[3] = {0.5, 0.3, -0.9};
    if (run->moving) {
        memcpy(wall.angular_velocity, w, sizeof(w));
        memcpy(wall.velocity, u, sizeof(u));
    }
    double x[3];
    for (int c = 0; c < 3; ++c)
        x[c] = wall.point[c] + of->from[c] + (of->shape == DEM_SHAPE_MESH && c == 2 ? 0.85 : 0.0);
    dem_particle_handle handle;
    dem_world *world = world_of(&wall, run->friction, x, v, &handle);
    host h;
    host_open(&h, &wall, run->friction, x, v);
    h.by_facet = run->by_facet;
    h.reach = run->reach;
    host_forces(&h, 0.0);
    const int steps = (int)(0.6 / run->dt + 0.5);
    *place = *geometry = 0.0;
    for (int k = 0; k < steps; ++k) {
        host_step(&h, run->dt);
        if (dem_step(world, run->dt, 1) != DEM_OK)
            fail_msg("%s: %s", of->name, dem_world_error(world));
        dem_particle p = {.struct_size = sizeof(p)};
        OK(dem_particle_get(world, handle, &p));
        for (int c = 0; c < 3; ++c)
            *place = fmax(*place, fabs(p.position[c] - h.x[c]));
        if (k % 50 == 0 && h.touching > 0 && run->reach == 0.0)
            *geometry = fmax(*geometry, geometry_error(world, &h));
    }
    if (h.touching < 20)
        fail_msg("%s: %d steps touch", of->name, (int)h.touching);
    if (run->reach > 0.0) {
        dem_world_energies e = {.struct_size = sizeof(e)};
        OK(dem_world_energies_get(world, &e));
        const double lost = e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip;
        *geometry = fabs(h.lost / lost - 1.0);
    }
    host_close(&h);
    dem_world_destroy(world);
    dem_mesh_destroy(mesh);
}

/* The bits of a world on walls at rest; walls that turn are off by their round-off. */
static void as_in_a_world(void **state)
{
    (void)state;
    for (int moving = 0; moving < 2; ++moving)
        for (int k = 0; k < CASES; ++k) {
            const run_case run = {moving, 0, 0.0, 2e-4, 0.0};
            double place, geometry;
            char name[64];
            beside(&cases[k], &run, &place, &geometry);
            snprintf(name, sizeof(name), "host-%s%s", cases[k].name, moving ? "-moving" : "");
            SHOWN(name, "geometry", geometry, 0.0, moving ? 2e-12 : 1e-15);
            SHOWN(name, "place", place, 0.0, moving ? 2e-12 : 0.0);
        }
}

/* With friction the arms of a world and those of given geometry differ in a half step: by the
 * square of the step. */
static void with_friction(void **state)
{
    (void)state;
    double sum[2] = {0.0, 0.0}, worst = 0.0;
    for (int k = 0; k < CASES; ++k)
        for (int finer = 0; finer < 2; ++finer) {
            const run_case run = {1, k % 2, 0.4, finer ? 5e-5 : 2e-4, 0.0};
            double place, geometry;
            if (run.by_facet && cases[k].shape == DEM_SHAPE_MESH)
                continue;
            beside(&cases[k], &run, &place, &geometry);
            sum[finer] += place;
            if (finer)
                worst = fmax(worst, place);
        }
    SHOWN("host-friction", "place", worst, 0.0, 1e-6 * RADIUS);
    SHOWN("host-friction", "order", 0.5 * log2(sum[0] / sum[1]), 2.0, 0.6);
}

/* Contacts that are listed until they are apart lose what those of a world lose. */
static void losses(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int k = 0; k < CASES; ++k) {
        const run_case run = {0, 0, 0.4, 2e-4, 0.01 * RADIUS};
        double place, lost;
        beside(&cases[k], &run, &place, &lost);
        worst = fmax(worst, lost);
    }
    SHOWN("host-losses", "relative", worst, 0.0, 2e-5);
}

/* Faces as features and slots are two names of the same contacts. */
static void faces_are_features(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; ++k) {
        if (cases[k].side != DEM_SIDE_INSIDE)
            continue;
        const dem_wall wall = wall_of(&cases[k], NULL, 0);
        const double v[3] = {0.5, 0.3, -0.9};
        double x[3];
        for (int c = 0; c < 3; ++c)
            x[c] = wall.point[c] + cases[k].from[c];
        host by_slot, by_facet;
        host_open(&by_slot, &wall, 0.4, x, v);
        host_open(&by_facet, &wall, 0.4, x, v);
        by_facet.by_facet = 1;
        for (int n = 0; n < 2000; ++n) {
            host_step(&by_slot, 2e-4);
            host_step(&by_facet, 2e-4);
            assert_memory_equal(by_slot.x, by_facet.x, sizeof(by_slot.x));
            assert_memory_equal(by_slot.w, by_facet.w, sizeof(by_slot.w));
        }
        host_close(&by_slot);
        host_close(&by_facet);
    }
}

/* ------------------------------------------------------------------ contacts at known places */

/** A wall of any shape that spheres are outside of, small, anywhere in a cube of edge 1. */
static dem_wall small_wall(test_random *random, int n)
{
    static const struct {
        int32_t shape, side, open, lengths;
    } kinds[] = {
        {DEM_SHAPE_DISC, DEM_SIDE_BOTH, 0, 1},
        {DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, 0, 2},
        {DEM_SHAPE_BALL, DEM_SIDE_OUTSIDE, 0, 1},
        {DEM_SHAPE_CYLINDER, DEM_SIDE_OUTSIDE, 0, 2},
        {DEM_SHAPE_CYLINDER, DEM_SIDE_BOTH, DEM_OPEN_LOW | DEM_OPEN_HIGH, 2},
        {DEM_SHAPE_CONE, DEM_SIDE_OUTSIDE, 0, 3},
        {DEM_SHAPE_BOX, DEM_SIDE_OUTSIDE, 0, 3},
    };
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = kinds[n % KINDS].shape;
    wall.side = kinds[n % KINDS].side;
    wall.open = kinds[n % KINDS].open;
    for (int c = 0; c < 3; ++c) {
        wall.point[c] = test_uniform(random, 0.0, 1.0);
        wall.normal[c] = test_uniform(random, -1.0, 1.0);
        if (c < kinds[n % KINDS].lengths)
            wall.size[c] = test_uniform(random, 0.02, 0.12);
    }
    return wall;
}

/** Contacts of spheres with a wall, among all that a search finds with a reach beyond which nothing
 * is passed over; UINT64_MAX where a sphere is deep in it. */
static uint64_t contacts_with(const dem_wall *wall, uint64_t count, const double (*x)[3],
                              const double *radius)
{
    dem_wall_search_config config;
    dem_wall_spheres spheres;
    dem_wall_search *search = NULL;
    dem_wall_contacts found = {.struct_size = sizeof found};
    OK(dem_wall_search_config_init(&config));
    OK(dem_wall_search_create(&config, wall, &search, NULL));
    OK(dem_wall_spheres_init(&spheres));
    spheres.count = count;
    spheres.position = x[0];
    spheres.radius = radius;
    spheres.wall_row = (uint32_t)count;
    uint64_t touch = 0, near = 0, deep = 0;
    OK(dem_wall_search_spheres(search, &spheres, &found));
    for (uint64_t k = 0; k < found.count; ++k)
        near += found.overlap[k] > 0.0;
    spheres.reach = 10.0;
    OK(dem_wall_search_spheres(search, &spheres, &found));
    for (uint64_t k = 0; k < found.count; ++k) {
        touch += found.overlap[k] > 0.0;
        deep += found.overlap[k] > 0.8 * radius[found.pairs[2 * k]];
    }
    assert_int_equal(near, touch);
    dem_wall_search_destroy(search);
    return deep > 0 ? UINT64_MAX : touch;
}

/** Spheres everywhere in a cube of edge 1, which do not touch each other. */
static void spheres_in_a_cube(test_random *random, int edge, double (*x)[3], double *radius)
{
    for (int k = 0; k < edge * edge * edge; ++k) {
        const int at[3] = {k % edge, k / edge % edge, k / (edge * edge)};
        radius[k] = test_uniform(random, 0.24, 0.36) / edge;
        for (int c = 0; c < 3; ++c)
            x[k][c] = (at[c] + 0.5 + test_uniform(random, -0.12, 0.12)) / edge;
    }
}

/** A search passes over the spheres in a hollow that are away from its faces, and over no others.
 */
static void spheres_in_hollows(void **state)
{
    (void)state;
    enum { EDGE = 9, COUNT = EDGE * EDGE * EDGE };
    static double x[COUNT][3], radius[COUNT];
    static const struct {
        int32_t shape, lengths;
    } kinds[] = {
        {DEM_SHAPE_BALL, 1}, {DEM_SHAPE_CYLINDER, 2}, {DEM_SHAPE_CONE, 3}, {DEM_SHAPE_BOX, 3}};
    test_random random = test_random_start("hollows");
    spheres_in_a_cube(&random, EDGE, x, radius);
    for (int n = 0; n < 40; ++n) {
        dem_wall wall = small_wall(&random, 0);
        wall.shape = kinds[n % 4].shape;
        wall.side = DEM_SIDE_INSIDE;
        for (int c = 0; c < 3; ++c)
            wall.size[c] = c < kinds[n % 4].lengths ? test_uniform(&random, 0.2, 1.2) : 0.0;
        assert_true(contacts_with(&wall, COUNT, (const double(*)[3])x, radius) > 0);
    }
}

/** Of many walls that are small and near, a world and searches find the same contacts,
 * whichever rows they look at together. */
static void many_small_walls(void **state)
{
    (void)state;
    enum { EDGE = 12, COUNT = EDGE * EDGE * EDGE, WALLS = 400 };
    static double x[COUNT][3], radius[COUNT];
    test_random random = test_random_start("small walls");
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.overlap_limit = 1.0;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    dem_contact_model model;
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1.0;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_model_set(world, 0, 0, &model));
    spheres_in_a_cube(&random, EDGE, x, radius);
    for (int k = 0; k < COUNT; ++k) {
        dem_particle particle;
        OK(dem_particle_init(&particle));
        particle.radius = radius[k];
        memcpy(particle.position, x[k], sizeof particle.position);
        OK(dem_particle_add(world, &particle, NULL));
    }
    uint64_t want = 0;
    for (int n = 0, walls = 0; walls < WALLS; ++n) {
        const dem_wall wall = small_wall(&random, n);
        const uint64_t touch = contacts_with(&wall, COUNT, (const double(*)[3])x, radius);
        if (touch == UINT64_MAX)
            continue;
        OK(dem_wall_add(world, &wall, NULL));
        want += touch;
        ++walls;
    }
    OK(dem_step(world, 1e-9, 1));
    dem_world_counts counts = {.struct_size = sizeof counts};
    OK(dem_world_counts_get(world, &counts));
    assert_true(want > WALLS / 2);
    uint64_t of_walls = 0, cursor = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK)
        of_walls += contact.key.id_j > COUNT;
    assert_int_equal(of_walls, want);
    dem_world_destroy(world);
}

/** The contacts of spheres, which must be `count`. */
static dem_wall_contacts found_of(dem_wall_search *search, const dem_wall_spheres *spheres,
                                  uint64_t count)
{
    dem_wall_contacts found = {.struct_size = sizeof(found)};
    if (dem_wall_search_spheres(search, spheres, &found) != DEM_OK)
        fail_msg("%s", dem_wall_search_error(search));
    assert_int_equal(found.count, count);
    return found;
}

static dem_wall_spheres spheres_of(uint64_t count, const double *x, const double *radius)
{
    dem_wall_spheres spheres;
    OK(dem_wall_spheres_init(&spheres));
    spheres.count = count;
    spheres.position = x;
    spheres.radius = radius;
    spheres.wall_row = 9;
    return spheres;
}

static void corner_of_a_box(void **state)
{
    (void)state;
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_BOX;
    wall.side = DEM_SIDE_INSIDE;
    wall.size[0] = 2.0;
    wall.size[1] = 4.0;
    wall.size[2] = 6.0;
    wall.axis[0] = 1.0;
    dem_wall_search *search = search_of(&wall);
    static const double x[5][4] = {
        {0, 0, 0, 7}, {9, 9, 9, 7}, {-0.625, -1.5625, 2.59375, 7}, {0, 0, 0, 7}, {0.75, 0, 0, 7}};
    const double radius[5] = {0.5, 0.5, 0.5, 0.25, 0.5};
    const uint32_t rows[3] = {2, 3, 4};
    dem_wall_spheres spheres = spheres_of(3, x[0], radius);
    spheres.position_stride = sizeof(x[0]);
    spheres.rows = rows;
    dem_wall_contacts found = found_of(search, &spheres, 4);
    const uint32_t faces[4] = {0, 2, 5, 1};
    const double overlaps[4] = {0.125, 0.0625, 0.09375, 0.25};
    for (uint64_t k = 0; k < 4; ++k) {
        assert_int_equal(found.pairs[2 * k], k < 3 ? 2 : 4);
        assert_int_equal(found.pairs[2 * k + 1], 9);
        assert_int_equal(found.facet[k], faces[k]);
        assert_true(found.overlap[k] == overlaps[k] && found.radius[k] == 0.5);
    }
    assert_true(found.point[0] == -1.0 && found.point[1] == -1.5625 && found.normal[0] == 1.0);
    assert_true(found.point[8] == 3.0 && found.normal[8] == -1.0);
    /* a gap is found within reach */
    spheres.count = 1;
    spheres.rows = rows + 1;
    found_of(search, &spheres, 0);
    spheres.reach = 0.75;
    found_of(search, &spheres, 0);
    spheres.reach = 0.7500001;
    found = found_of(search, &spheres, 2);
    assert_true(found.overlap[0] == -0.75 && found.overlap[1] == -0.75);
    /* a quarter turn about z and a step up: the short side is along y */
    spheres.rows = rows;
    spheres.reach = 0.0;
    spheres.rotation[0] = spheres.rotation[3] = sqrt(0.5);
    spheres.displacement[2] = 0.03125;
    found = found_of(search, &spheres, 2);
    assert_int_equal(found.facet[0], 0);
    assert_true(fabs(found.overlap[0] - 1.0625) < 1e-15 && found.overlap[1] == 0.0625);
    assert_true(fabs(found.normal[1] - 1.0) < 1e-15 && fabs(found.point[1] + 1.0) < 1e-15);
    dem_wall_search_destroy(search);
}

/* R* knows the curvature. */
static void curvature(void **state)
{
    (void)state;
    dem_wall wall;
    OK(dem_wall_init(&wall));
    const double x[3] = {1.0 - RADIUS, 0.0, 0.0}, outside[3] = {1.0 + RADIUS, 0.0, 0.0};
    const double radius = 1.01 * RADIUS, own = 1.0 / radius;
    for (int hollow = 0; hollow < 2; ++hollow)
        for (int round = 1; round < 3; ++round) {
            wall.shape = round == 1 ? DEM_SHAPE_CYLINDER : DEM_SHAPE_BALL;
            wall.side = hollow ? DEM_SIDE_INSIDE : DEM_SIDE_OUTSIDE;
            wall.size[0] = 1.0;
            dem_wall_search *search = search_of(&wall);
            const dem_wall_spheres spheres = spheres_of(1, hollow ? x : outside, &radius);
            const dem_wall_contacts found = found_of(search, &spheres, 1);
            const double of_wall = own + (hollow ? -1.0 : 1.0);
            const double exact = 1.0 / sqrt(of_wall * (round == 1 ? own : of_wall));
            assert_true(fabs(found.radius[0] / exact - 1.0) < 1e-15);
            assert_true(fabs(found.overlap[0] - 0.01 * RADIUS) < 1e-15);
            dem_wall_search_destroy(search);
        }
}

/* ------------------------------------------------------------------ what is refused */

static void create_refused(const dem_wall *wall, dem_status want, const char *word)
{
    dem_wall_search_config config;
    dem_wall_search *search = (dem_wall_search *)&config;
    dem_error error;
    OK(dem_wall_search_config_init(&config));
    const dem_status got = dem_wall_search_create(&config, wall, &search, &error);
    if (got != want || search != NULL || strstr(error.message, word) == NULL)
        fail_msg("status %d, not %d; \"%s\" must name %s", (int)got, (int)want, error.message,
                 word);
}

static void walls_refused(void **state)
{
    (void)state;
    dem_wall wall;
    create_refused(NULL, DEM_ERROR_ARGUMENT, "wall");
    OK(dem_wall_init(&wall));
    wall.struct_size = 8;
    create_refused(&wall, DEM_ERROR_STRUCT_SIZE, "dem_wall.struct_size");
    OK(dem_wall_init(&wall));
    wall.shape = 99;
    create_refused(&wall, DEM_ERROR_UNKNOWN, "dem_wall.shape: 99");
    wall.shape = DEM_SHAPE_CYLINDER;
    create_refused(&wall, DEM_ERROR_RANGE, "dem_wall.size[0]: 0 m of a cylinder");
    wall.size[0] = 1.0;
    wall.normal[2] = 0.0;
    create_refused(&wall, DEM_ERROR_RANGE, "dem_wall.normal: (0, 0, 0)");
    wall.normal[2] = 1.0;
    wall.point[1] = NAN;
    create_refused(&wall, DEM_ERROR_RANGE, "dem_wall.point");
    wall.point[1] = 0.0;
    wall.shape = DEM_SHAPE_MESH;
    wall.size[0] = 0.0;
    create_refused(&wall, DEM_ERROR_ARGUMENT, "dem_wall.mesh");
    dem_wall_search_config config;
    dem_wall_search *search;
    assert_int_equal(dem_wall_search_config_init(NULL), DEM_ERROR_ARGUMENT);
    OK(dem_wall_search_config_init(&config));
    assert_int_equal(dem_wall_search_create(NULL, &wall, &search, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_wall_search_create(&config, &wall, NULL, NULL), DEM_ERROR_ARGUMENT);
    config.struct_size = 8;
    assert_int_equal(dem_wall_search_create(&config, &wall, &search, NULL), DEM_ERROR_STRUCT_SIZE);
    OK(dem_wall_search_config_init(&config));
    config.allocator.allocate = short_allocate;
    assert_int_equal(dem_wall_search_create(&config, &wall, &search, NULL), DEM_ERROR_ARGUMENT);
    dem_wall_search_destroy(NULL);
    assert_string_equal(dem_wall_search_error(NULL), "search: must not be NULL");
}

static void spheres_refused(void **state)
{
    (void)state;
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_BALL;
    wall.side = DEM_SIDE_INSIDE;
    wall.size[0] = 1.0;
    dem_wall_search *search = search_of(&wall);
    dem_wall_contacts found = {.struct_size = sizeof(found)};
    double x[2][3] = {{0, 0, 0.5}, {0, 0.6, 0}}, radius[2] = {0.625, 0.25};
    const dem_wall_spheres good = spheres_of(2, x[0], radius);
    dem_wall_spheres spheres = good;
#define REFUSED(change, back, status, word)                                                        \
    change;                                                                                        \
    assert_int_equal(dem_wall_search_spheres(search, &spheres, &found), status);                   \
    if (strstr(dem_wall_search_error(search), word) == NULL)                                       \
        fail_msg("\"%s\" must name %s", dem_wall_search_error(search), word);                      \
    spheres = good;                                                                                \
    back
    REFUSED(spheres.position = NULL, , DEM_ERROR_ARGUMENT, "dem_wall_spheres.position");
    REFUSED(spheres.radius = NULL, , DEM_ERROR_ARGUMENT, "dem_wall_spheres.radius");
    REFUSED(spheres.count = UINT64_C(1) << 32, , DEM_ERROR_RANGE, "dem_wall_spheres.count");
    REFUSED(spheres.position_stride = 20, , DEM_ERROR_RANGE, "position_stride: 20");
    REFUSED(spheres.reach = -1.0, , DEM_ERROR_RANGE, "dem_wall_spheres.reach: -1");
    REFUSED(spheres.displacement[1] = NAN, , DEM_ERROR_DIVERGED, "dem_wall_spheres.displacement");
    REFUSED(spheres.rotation[3] = 0.1, , DEM_ERROR_RANGE, "dem_wall_spheres.rotation");
    REFUSED(spheres.struct_size = 8, , DEM_ERROR_STRUCT_SIZE, "dem_wall_spheres.struct_size");
    REFUSED(x[1][2] = INFINITY, x[1][2] = 0.0, DEM_ERROR_DIVERGED, "position[1]");
    REFUSED(radius[1] = 0.0, radius[1] = 0.25, DEM_ERROR_RANGE,
            "radius[1]: 0 m is not in [1e-150, 1e+150] m");
    REFUSED(radius[1] = 1e-151, radius[1] = 0.25, DEM_ERROR_RANGE, "radius[1]: 1e-151 m is not in");
    REFUSED(radius[0] = 1.25, radius[0] = 0.625, DEM_ERROR_OVERLAP, "radius[0]: 1.25 m must be at");
#undef REFUSED
    assert_int_equal(dem_wall_search_spheres(search, NULL, &found), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_wall_search_spheres(search, &spheres, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_wall_search_spheres(NULL, &spheres, &found), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_wall_spheres_init(NULL), DEM_ERROR_ARGUMENT);
    found.struct_size = 8;
    assert_int_equal(dem_wall_search_spheres(search, &spheres, &found), DEM_ERROR_STRUCT_SIZE);
    /* after all that it finds what there is */
    assert_true(found_of(search, &spheres, 1).overlap[0] == 0.125);
    dem_wall_search_destroy(search);
}

/* Each allocation fails once: an error, nothing is lost, and the next call has it all. */
static void out_of_memory(void **state)
{
    (void)state;
    const double x[2][3] = {{0.5, 0.5, 1.05}, {0.5, 0.5, 2.0}}, radius[2] = {0.1, 0.1};
    for (int kind = 0; kind < 2; ++kind) {
        short_heap of_mesh = {0, UINT64_MAX, 0};
        dem_mesh_config mesh_how = mesh_config(0);
        mesh_how.allocator = short_allocator(&of_mesh);
        dem_mesh *mesh;
        OK(dem_mesh_create(&mesh_how, cube_vertices[0], 8, cube_facets[0], 12, &mesh, NULL));
        dem_wall wall = wall_of(&cases[kind == 0 ? 0 : CASES - 1], mesh, 0);
        memset(wall.point, 0, sizeof(wall.point));
        wall.point[2] = kind == 0 ? 1.0 : 0.0;
        uint64_t failures = 0;
        for (uint64_t at = 0;; ++at) {
            short_heap heap = {0, at, 0};
            dem_wall_search_config config;
            dem_wall_search *search;
            dem_wall_contacts found = {.struct_size = sizeof(found)};
            OK(dem_wall_search_config_init(&config));
            config.allocator = short_allocator(&heap);
            dem_status status = dem_wall_search_create(&config, &wall, &search, NULL);
            if (status == DEM_OK) {
                const dem_wall_spheres spheres = spheres_of(2, x[0], radius);
                status = dem_wall_search_spheres(search, &spheres, &found);
                if (status != DEM_OK)
                    found_of(search, &spheres, 1);
            }
            dem_wall_search_destroy(search);
            assert_int_equal(heap.held, 0);
            if (status == DEM_OK)
                break;
            assert_int_equal(status, DEM_ERROR_MEMORY);
            ++failures;
        }
        assert_true(failures >= 7);
        dem_mesh_destroy(mesh);
        assert_int_equal(of_mesh.held, 0); /* no search has kept a reference */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_in_a_world),
        cmocka_unit_test(with_friction),
        cmocka_unit_test(losses),
        cmocka_unit_test(faces_are_features),
        cmocka_unit_test(corner_of_a_box),
        cmocka_unit_test(many_small_walls),
        cmocka_unit_test(spheres_in_hollows),
        cmocka_unit_test(curvature),
        cmocka_unit_test(walls_refused),
        cmocka_unit_test(spheres_refused),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
