/* SPDX-License-Identifier: MIT */
/**
 * @file mesh_contacts.c
 * Spheres on meshes at level 1: a search finds the contacts, the history tells them apart. Each
 * figure has a closed form or the same run with planes beside it. `make shapes` prints the lines
 * that begin with paper=.
 */
#include "../support/fpe.h"

#include "../support/emulated.h"
#include "../support/heap_short.h"
#include "../support/meshes.h"
#include "../support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS = 16 };
#define RADIUS 0.5
#include "../support/floors.h"
#define STIFFNESS 1e4
#define CONTACT_TIME 0.031415926535897931 /* pi sqrt(m/k) of a mass of 1 kg */
#define DEGREE 0.017453292519943295

/** A line of the report, and the assertion: the value differs from the reference by no more than
 * the tolerance. */
static void shown(const char *name, const char *quantity, double value, double reference,
                  double tolerance)
{
    const int pass = fabs(value - reference) <= tolerance;
    printf("paper=shapes case=%s quantity=%s value=%.6g reference=%.6g tolerance=%.3g pass=%d\n",
           name, quantity, value, reference, tolerance, pass);
    assert_true(pass);
}

/* ------------------------------------------------------------------ one sphere and a surface */

/** Contacts of the sphere at x, in arrays as the library wants them. */
typedef struct contacts {
    uint64_t count;
    uint32_t pairs[2 * CONTACTS];
    double overlap[CONTACTS], normal[3 * CONTACTS], point[3 * CONTACTS], radius[CONTACTS];
    uint64_t features[CONTACTS];
} contacts;

/** Row 0 is a sphere of 1 kg, row 1 the surface, which stands still. */
typedef struct host {
    dem_contact_history *history;
    dem_mesh_search *search; /**< NULL: planes */
    double planes[3][3];     /**< normals of planes through the origin */
    int plane_count;
    double x[6], v[6], w[6], a[6], alpha[6], force[6], torque[6], gravity[3];
    contacts now;
    uint64_t most;
    double elastic, lost;
} host;

static dem_mesh_search *search_of(dem_mesh *mesh)
{
    dem_mesh_search_config config;
    dem_mesh_search *search;
    OK(dem_mesh_search_config_init(&config));
    OK(dem_mesh_search_create(&config, mesh, &search, NULL));
    dem_mesh_destroy(mesh); /* the search has its own reference */
    return search;
}

static void host_open(host *h, dem_mesh *mesh, double restitution, double friction)
{
    dem_contact_history_config config;
    dem_contact_model model;
    dem_linear linear;
    memset(h, 0, sizeof(*h));
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &h->history, NULL));
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = STIFFNESS;
    linear.restitution = restitution;
    linear.friction = friction;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_history_model_set(h->history, 0, 0, &model));
    h->search = mesh != NULL ? search_of(mesh) : NULL;
}

static void host_close(host *h)
{
    dem_contact_history_destroy(h->history);
    dem_mesh_search_destroy(h->search);
}

static void host_find(dem_mesh_search *search, const double *x, contacts *to)
{
    static const double radius = RADIUS;
    dem_mesh_spheres spheres;
    dem_mesh_contacts found = {.struct_size = sizeof(found)};
    OK(dem_mesh_spheres_init(&spheres));
    spheres.count = 1;
    spheres.position = x;
    spheres.radius = &radius;
    spheres.mesh_row = 1;
    if (dem_mesh_search_spheres(search, &spheres, &found) != DEM_OK)
        fail_msg("%s", dem_mesh_search_error(search));
    assert_true(found.count <= CONTACTS);
    to->count = found.count;
    if (found.count == 0)
        return;
    memcpy(to->pairs, found.pairs, found.count * 2 * sizeof(uint32_t));
    memcpy(to->overlap, found.overlap, found.count * sizeof(double));
    memcpy(to->normal, found.normal, found.count * 3 * sizeof(double));
    memcpy(to->point, found.point, found.count * 3 * sizeof(double));
    memcpy(to->radius, found.radius, found.count * sizeof(double));
}

static void host_find_planes(const host *h, contacts *to)
{
    to->count = 0;
    for (int p = 0; p < h->plane_count; ++p) {
        const double d = dot(h->x, h->planes[p]);
        const uint64_t k = to->count;
        if (!(d < RADIUS))
            continue;
        to->pairs[2 * k] = 0;
        to->pairs[2 * k + 1] = 1;
        to->overlap[k] = RADIUS - d;
        to->radius[k] = RADIUS;
        for (int c = 0; c < 3; ++c) {
            to->normal[3 * k + (uint64_t)c] = h->planes[p][c];
            to->point[3 * k + (uint64_t)c] = h->x[c] - d * h->planes[p][c];
        }
        ++to->count;
    }
}

/** Half a kick, a drift, contacts, half a kick. */
static void host_step(host *h, double dt)
{
    static const double radius[2] = {RADIUS, 100.0}, mass[2] = {1.0, 0.0};
    const double inertia = 0.4 * RADIUS * RADIUS;
    for (int c = 0; c < 3; ++c) {
        h->v[c] += 0.5 * dt * h->a[c];
        h->w[c] += 0.5 * dt * h->alpha[c];
        h->x[c] += dt * h->v[c];
    }
    if (h->search != NULL)
        host_find(h->search, h->x, &h->now);
    else
        host_find_planes(h, &h->now);
    dem_contacts_input input;
    dem_contacts_geometry geometry;
    dem_contact_totals totals = {.struct_size = sizeof(totals)};
    OK(dem_contacts_input_init(&input));
    OK(dem_contacts_geometry_init(&geometry));
    input.particle_count = 2;
    input.position = h->x;
    input.velocity = h->v;
    input.angular_velocity = h->w;
    input.acceleration = h->a;
    input.angular_acceleration = h->alpha;
    input.radius = radius;
    input.mass = mass;
    input.pair_count = h->now.count;
    input.pairs = h->now.pairs;
    input.features = h->now.features;
    input.force = h->force;
    input.torque = h->torque;
    input.dt = dt;
    input.velocity_lag = 0.5 * dt;
    geometry.overlap = h->now.overlap;
    geometry.normal = h->now.normal;
    geometry.point = h->now.point;
    geometry.radius = h->now.radius;
    memset(h->force, 0, sizeof(h->force));
    memset(h->torque, 0, sizeof(h->torque));
    OK(dem_contact_history_slots(h->history, &input, &geometry, DEM_MESH_COSINE, h->now.features));
    if (dem_contacts_evaluate_geometry(h->history, &input, &geometry, &totals) != DEM_OK)
        fail_msg("%s", dem_contact_history_error(h->history));
    h->elastic = totals.elastic_energy;
    h->lost += totals.dissipated_normal;
    h->most = h->now.count > h->most ? h->now.count : h->most;
    for (int c = 0; c < 3; ++c) {
        h->a[c] = h->force[c] + h->gravity[c];
        h->alpha[c] = h->torque[c] / inertia;
        h->v[c] += 0.5 * dt * h->a[c];
        h->w[c] += 0.5 * dt * h->alpha[c];
    }
}

static double host_energy(const host *h)
{
    return 0.5 * dot(h->v, h->v) + 0.2 * RADIUS * RADIUS * dot(h->w, h->w) + h->elastic -
           dot(h->gravity, h->x);
}

/** The tangential spring of the only contact; 0 if there is none. */
static void host_spring(const host *h, double spring[3])
{
    dem_contact contact = {.struct_size = sizeof(contact)};
    uint64_t cursor = 0;
    memset(spring, 0, 3 * sizeof(double));
    if (dem_contact_history_next(h->history, &cursor, &contact) == DEM_OK) {
        assert_int_equal(contact.state_count, 3);
        memcpy(spring, contact.state, 3 * sizeof(double));
    }
}

/* ------------------------------------------------------------------ a floor is a plane */

static void flat_floor(void **state)
{
    (void)state;
    test_random random = test_random_start("floors");
    double worst = 0.0, greatest = 0.0, angular_velocity = 0.0, stretch = 0.0, longest = 0.0;
    uint64_t most = 0;
    const int runs = test_whole(40, 1000), steps = test_whole(400, 2500);
    for (int run = 0; run < runs; ++run) {
        host mesh, plane;
        double n[3] = {0.0, 0.0, 1.0}, u[3], v[3];
        if (run % 2)
            test_unit(&random, n);
        axes(n, u, v);
        host_open(&mesh, random_floor(&random, u, v), 0.6, 0.4);
        host_open(&plane, NULL, 0.6, 0.4);
        memcpy(plane.planes[0], n, sizeof(n));
        plane.plane_count = 1;
        const double height = run % 4 < 2 ? RADIUS - 1e-3 : 1.05 * RADIUS;
        for (int c = 0; c < 3; ++c) {
            mesh.x[c] = plane.x[c] = height * n[c];
            mesh.gravity[c] = plane.gravity[c] = -10.0 * n[c] + (double)(run % 3) * u[c];
            mesh.v[c] = plane.v[c] = test_uniform(&random, -0.3, 0.3);
            mesh.w[c] = plane.w[c] = test_uniform(&random, -1.0, 1.0);
        }
        for (int k = 0; k < steps; ++k) {
            host_step(&mesh, CONTACT_TIME / 50.0);
            host_step(&plane, CONTACT_TIME / 50.0);
            double spring[2][3];
            host_spring(&mesh, spring[0]);
            host_spring(&plane, spring[1]);
            for (int c = 0; c < 3; ++c) {
                stretch = fmax(stretch, fabs(spring[0][c] - spring[1][c]));
                longest = fmax(longest, fabs(spring[1][c]));
                worst = fmax(worst, fabs(mesh.force[c] - plane.force[c]));
                greatest = fmax(greatest, fabs(plane.force[c]));
                angular_velocity = fmax(angular_velocity, fabs(mesh.w[c] - plane.w[c]));
            }
        }
        most = mesh.most > most ? mesh.most : most;
        host_close(&mesh);
        host_close(&plane);
    }
    shown("flat-floor", "force", worst / greatest, 0.0, 2e-9);
    shown("flat-floor", "spring", stretch / longest, 0.0, 1e-8);
    shown("flat-floor", "angular-velocity", angular_velocity, 0.0, 1e-8);
    shown("flat-floor", "contacts", (double)most, 1.0, 0.0);
}

/* Laws that reach far see many facets of a floor, whose normals differ by more than the angle: one
 * of them is a minimum of the distance. */
static void far_reach(void **state)
{
    (void)state;
    test_random random = test_random_start("reach");
    uint64_t most = 0;
    for (int run = 0; run < 20; ++run) {
        double n[3], u[3], v[3];
        const double radius = RADIUS;
        test_unit(&random, n);
        axes(n, u, v);
        dem_mesh_search *search = search_of(random_floor(&random, u, v));
        const double x[3] = {1.2 * RADIUS * n[0], 1.2 * RADIUS * n[1], 1.2 * RADIUS * n[2]};
        dem_mesh_spheres spheres;
        dem_mesh_contacts found = {.struct_size = sizeof(found)};
        OK(dem_mesh_spheres_init(&spheres));
        spheres.count = 1;
        spheres.position = x;
        spheres.radius = &radius;
        spheres.reach = 2.0 * RADIUS;
        OK(dem_mesh_search_spheres(search, &spheres, &found));
        most = found.count > most ? found.count : most;
        assert_true(fabs(found.overlap[0] + 0.2 * RADIUS) < 1e-13);
        dem_mesh_search_destroy(search);
    }
    shown("far-reach", "contacts", (double)most, 1.0, 0.0);
}

static void concave_corner(void **state)
{
    (void)state;
    static double x[3 * 17 * 17][3];
    static uint32_t facets[3 * 2 * 16 * 16][3];
    double worst = 0.0, greatest = 0.0;
    uint64_t most = 0;
    for (int n = 1; n <= 16; n *= 4) {
        host mesh, plane;
        uint64_t count = 0;
        for (uint64_t side = 0; side < 3; ++side)
            count = quadrant(x, facets, side, ((int)side + 1) % 3, ((int)side + 2) % 3, n);
        host_open(&mesh, mesh_of(x, (uint64_t)(3 * (n + 1) * (n + 1)), facets, count), 0.6, 0.4);
        host_open(&plane, NULL, 0.6, 0.4);
        plane.plane_count = 3;
        for (int c = 0; c < 3; ++c) {
            plane.planes[c][c] = 1.0;
            mesh.x[c] = plane.x[c] = RADIUS * (1.0 + 0.01 * c);
            mesh.v[c] = plane.v[c] = -0.2;
            mesh.w[c] = plane.w[c] = 1.0 - c;
            mesh.gravity[c] = plane.gravity[c] = -10.0;
        }
        for (int k = 0; k < 2000; ++k) {
            host_step(&mesh, CONTACT_TIME / 50.0);
            host_step(&plane, CONTACT_TIME / 50.0);
            for (int c = 0; c < 3; ++c) {
                worst = fmax(worst, fabs(mesh.force[c] - plane.force[c]));
                greatest = fmax(greatest, fabs(plane.force[c]));
            }
        }
        most = mesh.most > most ? mesh.most : most;
        host_close(&mesh);
        host_close(&plane);
    }
    shown("concave-corner", "force", worst / greatest, 0.0, 1e-10);
    shown("concave-corner", "contacts", (double)most, 3.0, 0.0);
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
            host mesh, plane;
            host_open(&mesh, mesh_of(x, 8, facets, 4), 0.6, 0.4);
            host_open(&plane, NULL, 0.6, 0.4);
            plane.plane_count = 1;
            plane.planes[0][2] = 1.0;
            mesh.x[2] = side > 0 ? RADIUS : -RADIUS - top;
            plane.x[2] = RADIUS;
            mesh.v[0] = plane.v[0] = 0.1;
            mesh.v[2] = side * -0.2;
            plane.v[2] = -0.2;
            for (int k = 0; k < 60; ++k) {
                host_step(&mesh, CONTACT_TIME / 50.0);
                host_step(&plane, CONTACT_TIME / 50.0);
                different += mesh.now.count != plane.now.count;
                /* from below an offset rounds otherwise */
                const double round = side > 0 || thick == 0 ? 0.0 : 1e-9;
                different += fabs(mesh.force[2] - side * plane.force[2]) > round ||
                             fabs(mesh.force[0] - plane.force[0]) > round;
            }
            host_close(&mesh);
            host_close(&plane);
        }
    shown("thin-plate", "steps_that_differ", (double)different, 0.0, 0.0);
}

/* ------------------------------------------------------------------ edges */

/** Error of the energy of an elastic bounce off an edge along y or a vertex, through the origin;
 * and of the angular momentum about it, in units of radius and speed. */
static double bounce(dem_mesh *mesh, double speed, const double from[3], double *momentum)
{
    host h;
    host_open(&h, mesh, 1.0, 0.0);
    const double length = sqrt(dot(from, from));
    for (int c = 0; c < 3; ++c) {
        h.x[c] = from[c] / length * (RADIUS + 0.1 * speed * CONTACT_TIME);
        h.v[c] = -from[c] / length * speed;
    }
    h.v[1] += 0.3 * speed;
    const double before = host_energy(&h);
    const double about = h.x[2] * h.v[0] - h.x[0] * h.v[2];
    for (int k = 0; k < 300; ++k)
        host_step(&h, CONTACT_TIME / 200.0);
    *momentum = fmax(*momentum, fabs(h.x[2] * h.v[0] - h.x[0] * h.v[2] - about) / (RADIUS * speed));
    const double error = fabs(host_energy(&h) / before - 1.0);
    assert_int_equal(h.now.count, 0);
    assert_int_equal(h.most, 1);
    host_close(&h);
    return error;
}

static void convex_edges(void **state)
{
    (void)state;
    static const double edge[3] = {0.3, 0.0, 1.0}, corner[3] = {-0.4, -0.5, -1.0};
    /* s = v sqrt(m/k)/r */
    const double fast = 0.016 * RADIUS * sqrt(STIFFNESS), slow = 0.01 * fast;
    double momentum = 0.0;
    double error = bounce(roof(90.0 * DEGREE), fast, edge, &momentum);
    shown("convex-edge", "energy_s_.016", error, 0.0, 3.5e-5);
    error = bounce(roof(90.0 * DEGREE), slow, edge, &momentum);
    shown("convex-edge", "energy_s_.00016", error, 0.0, 2e-6);
    error = bounce(mesh_of(cube_vertices, 8, cube_facets, 12), fast, corner, &momentum);
    shown("convex-vertex", "energy_s_.016", error, 0.0, 3.5e-5);
    shown("convex-edge", "angular_momentum", momentum, 0.0, 1e-11);
}

/** Force of the contacts at a place, each k times its overlap. */
static void force_at(dem_mesh_search *search, const double x[3], double force[3], uint64_t *count)
{
    contacts now;
    host_find(search, x, &now);
    memset(force, 0, 3 * sizeof(double));
    for (uint64_t k = 0; k < now.count; ++k)
        for (int c = 0; c < 3; ++c)
            force[c] += STIFFNESS * now.overlap[k] * now.normal[3 * k + (uint64_t)c];
    *count = now.count;
}

/** The greatest jump of the force where a sphere passes over an edge, along the surface at a depth;
 * in units of stiffness times depth. Positive angle: convex. */
static double scan(double angle, double depth, uint64_t *most)
{
    dem_mesh_search *search = search_of(roof(angle));
    double last[3] = {0.0, 0.0, 0.0}, jump = 0.0;
    const double s = sin(0.5 * angle), c = cos(0.5 * angle), d = RADIUS - depth;
    *most = 0;
    for (int k = -2000; k <= 2000; ++k) {
        /* at the distance d from the nearer of the two planes, or from the edge of a convex roof */
        const double along = k * (angle > 0.0 ? 3e-4 * RADIUS : 2e-3 * depth);
        double x[3] = {along, 0.013, 0.0}, force[3];
        x[2] = d / c - fabs(along) * s / c;
        if (angle > 0.0 && fabs(along) < d * s)
            x[2] = sqrt(d * d - along * along);
        uint64_t count;
        force_at(search, x, force, &count);
        *most = count > *most ? count : *most;
        double square = 0.0;
        for (int n = 0; n < 3; ++n)
            square += (force[n] - last[n]) * (force[n] - last[n]);
        if (k > -2000)
            jump = fmax(jump, sqrt(square) / (STIFFNESS * depth));
        memcpy(last, force, sizeof(last));
    }
    dem_mesh_search_destroy(search);
    return jump;
}

static void scanned_edges(void **state)
{
    (void)state;
    uint64_t most;
    double jump = 0.0;
    for (double angle = 2.0; angle <= 60.0; angle += 14.5) {
        jump = fmax(jump, scan(angle * DEGREE, 1e-3 * RADIUS, &most));
        assert_int_equal(most, 1);
    }
    shown("convex-scan", "step_of_force", jump, 0.0, 2e-3);
    for (double angle = 1.0; angle < 15.0; angle += 4.0) {
        jump = scan(-angle * DEGREE, 1e-3 * RADIUS, &most);
        assert_int_equal(most, 1);
        shown("concave-scan", "step_of_force", jump, 2.0 * sin(0.5 * angle * DEGREE), 2e-3);
    }
    jump = scan(-30.0 * DEGREE, 1e-3 * RADIUS, &most);
    assert_int_equal(most, 2);
    shown("concave-scan-30", "step_of_force", jump, 0.0, 2e-2);
}

/* ------------------------------------------------------------------ a cylinder of facets */

/* Inside a tube of n flat sides the gap is too small by up to R(1 - cos(pi/n)). */
static void cylinder(void **state)
{
    (void)state;
    const double big = 4.0 * RADIUS;
    for (uint32_t n = 24; n <= 96; n *= 2) {
        dem_mesh_search *search = search_of(tube_mesh(n, big, 3.0));
        double least = 0.0, greatest = 0.0;
        for (int k = 0; k < 6300; ++k) {
            const double phi = 0.001 * k, from = big - RADIUS + 0.02 * RADIUS;
            const double at[3] = {from * cos(phi), from * sin(phi), 0.1};
            contacts now;
            host_find(search, at, &now);
            assert_true(now.count > 0);
            const double excess = now.overlap[0] - 0.02 * RADIUS;
            least = fmin(least, excess);
            greatest = fmax(greatest, excess);
        }
        dem_mesh_search_destroy(search);
        const double exact = big * (1.0 - cos(180.0 * DEGREE / n));
        char name[32];
        snprintf(name, sizeof(name), "cylinder-%u", n);
        shown(name, "gap", greatest, exact, 1e-3 * exact);
        assert_true(least >= -1e-3 * exact);
    }
}

/* ------------------------------------------------------------------ what changes no bit */

static void permuted(void **state)
{
    (void)state;
    uint64_t different = 0, touching = 0, several = 0;
    for (uint64_t seed = 2; seed < 8; ++seed) {
        host one, other;
        host_open(&one, rough(1), 0.8, 0.3);
        host_open(&other, rough(seed), 0.8, 0.3);
        one.x[2] = other.x[2] = 1.3 * RADIUS;
        one.v[0] = other.v[0] = 0.1 * (double)seed;
        one.gravity[2] = other.gravity[2] = -10.0;
        for (int k = 0; k < 1000; ++k) {
            host_step(&one, CONTACT_TIME / 50.0);
            host_step(&other, CONTACT_TIME / 50.0);
            different += memcmp(one.x, other.x, sizeof(one.x)) != 0 ||
                         memcmp(one.force, other.force, sizeof(one.force)) != 0;
            touching += one.now.count > 0;
            several += one.now.count > 1;
        }
        host_close(&one);
        host_close(&other);
    }
    assert_true(touching > 200 && several > 20);
    shown("permuted-facets", "steps_that_differ", (double)different, 0.0, 0.0);
}

/* A mesh that is moved and rotated with the sphere gives the same contacts, moved and rotated. */
static void moved(void **state)
{
    (void)state;
    test_random random = test_random_start("poses");
    dem_mesh_search *search = search_of(rough(1));
    double worst = 0.0;
    for (int n = 0; n < 300; ++n) {
        const double radius = RADIUS;
        double q[4], axis[3], x[3], at[3], shift[3], rotation[3][3];
        test_unit(&random, axis);
        const double angle = test_uniform(&random, 0.0, 6.0);
        q[0] = cos(0.5 * angle);
        for (int c = 0; c < 3; ++c) {
            q[c + 1] = sin(0.5 * angle) * axis[c];
            x[c] = test_uniform(&random, -0.5, 0.5);
            shift[c] = test_uniform(&random, -2.0, 2.0);
        }
        x[2] = test_uniform(&random, 0.7, 1.2) * RADIUS;
        for (int c = 0; c < 3; ++c)
            for (int d = 0; d < 3; ++d) { /* Rodrigues's formula */
                const int other = 3 - c - d;
                const double cross =
                    c == d ? 0.0 : ((d - c + 3) % 3 == 1 ? -axis[other] : axis[other]);
                rotation[c][d] = (c == d) * cos(angle) + (1.0 - cos(angle)) * axis[c] * axis[d] +
                                 sin(angle) * cross;
            }
        for (int c = 0; c < 3; ++c)
            at[c] = shift[c] + dot(rotation[c], x);
        contacts still;
        host_find(search, x, &still);
        dem_mesh_spheres spheres;
        dem_mesh_contacts found = {.struct_size = sizeof(found)};
        OK(dem_mesh_spheres_init(&spheres));
        spheres.count = 1;
        spheres.position = at;
        spheres.radius = &radius;
        memcpy(spheres.mesh_position, shift, sizeof(shift));
        memcpy(spheres.mesh_orientation, q, sizeof(q));
        OK(dem_mesh_search_spheres(search, &spheres, &found));
        assert_int_equal(found.count, still.count);
        for (uint64_t k = 0; k < still.count; ++k) {
            worst = fmax(worst, fabs(found.overlap[k] - still.overlap[k]));
            for (int c = 0; c < 3; ++c) {
                worst = fmax(worst, fabs(found.normal[3 * k + (uint64_t)c] -
                                         dot(rotation[c], &still.normal[3 * k])));
                worst = fmax(worst, fabs(found.point[3 * k + (uint64_t)c] - shift[c] -
                                         dot(rotation[c], &still.point[3 * k])));
            }
        }
    }
    dem_mesh_search_destroy(search);
    shown("moved-mesh", "difference", worst, 0.0, 1e-13);
}

/* ------------------------------------------------------------------ against every facet */

/** Distance of a point from a triangle, by trying its corners, edges and inside. */
static double distance(const double *const x[3], const double *p)
{
    double best = INFINITY, e[2][3], to[3];
    for (int k = 0; k < 3; ++k) {
        const double *a = x[k], *b = x[(k + 1) % 3];
        double along[3], from[3], square = 0.0;
        for (int c = 0; c < 3; ++c) {
            along[c] = b[c] - a[c];
            from[c] = p[c] - a[c];
        }
        const double t = fmin(1.0, fmax(0.0, dot(along, from) / dot(along, along)));
        for (int c = 0; c < 3; ++c)
            square += (from[c] - t * along[c]) * (from[c] - t * along[c]);
        best = fmin(best, sqrt(square));
    }
    for (int c = 0; c < 3; ++c) {
        e[0][c] = x[1][c] - x[0][c];
        e[1][c] = x[2][c] - x[0][c];
        to[c] = p[c] - x[0][c];
    }
    const double a = dot(e[0], e[0]), b = dot(e[0], e[1]), d = dot(e[1], e[1]);
    const double f = dot(e[0], to), g = dot(e[1], to), whole = a * d - b * b;
    const double s = (d * f - b * g) / whole, t = (a * g - b * f) / whole;
    if (s >= 0.0 && t >= 0.0 && s + t <= 1.0) {
        double square = 0.0;
        for (int c = 0; c < 3; ++c) {
            const double out = to[c] - s * e[0][c] - t * e[1][c];
            square += out * out;
        }
        best = fmin(best, sqrt(square));
    }
    return best;
}

/* The first contact is the nearest of all facets, its weights give its point, normals differ. */
static void deepest(void **state)
{
    (void)state;
    test_random random = test_random_start("spheres");
    dem_mesh *mesh = rough(3);
    dem_mesh_search_config config;
    dem_mesh_search *search;
    OK(dem_mesh_search_config_init(&config));
    OK(dem_mesh_search_create(&config, mesh, &search, NULL));
    double x[400][3], radius[400], worst = 0.0;
    uint32_t rows[200];
    for (uint32_t n = 0; n < 400; ++n) {
        for (int c = 0; c < 3; ++c)
            x[n][c] = test_uniform(&random, -2.0, 2.0);
        x[n][2] *= 0.3;
        radius[n] = test_decades(&random, -1.5, 0.0);
        if (n % 2)
            rows[n / 2] = n;
    }
    dem_mesh_spheres spheres;
    dem_mesh_contacts found = {.struct_size = sizeof(found)};
    OK(dem_mesh_spheres_init(&spheres));
    spheres.count = 200;
    spheres.rows = rows;
    spheres.position = x[0];
    spheres.radius = radius;
    spheres.reach = 0.1;
    spheres.mesh_row = 77;
    OK(dem_mesh_search_spheres(search, &spheres, &found));
    const uint64_t facets = mesh_properties(mesh).facet_count;
    uint64_t at = 0;
    for (uint32_t n = 1; n < 400; n += 2) {
        double least = INFINITY;
        for (uint64_t f = 0; f < facets; ++f) {
            const double *const corners[3] = {
                dem_mesh_vertices(mesh) + 3 * dem_mesh_facets(mesh)[3 * f],
                dem_mesh_vertices(mesh) + 3 * dem_mesh_facets(mesh)[3 * f + 1],
                dem_mesh_vertices(mesh) + 3 * dem_mesh_facets(mesh)[3 * f + 2]};
            least = fmin(least, distance(corners, x[n]));
        }
        const uint64_t begin = at;
        assert_int_equal(at < found.count && found.pairs[2 * at] == n,
                         least < radius[n] + spheres.reach);
        for (; at < found.count && found.pairs[2 * at] == n; ++at) {
            const double *normal = found.normal + 3 * at, *point = found.point + 3 * at;
            double mean[3] = {0.0, 0.0, 0.0}, sum = 0.0;
            assert_int_equal(found.pairs[2 * at + 1], 77);
            assert_true(found.radius[at] == radius[n]);
            if (at == begin)
                worst = fmax(worst, fabs(radius[n] - found.overlap[at] - least));
            for (uint64_t k = begin; k < at; ++k)
                assert_true(dot(normal, found.normal + 3 * k) < DEM_MESH_COSINE);
            for (int k = 0; k < 3; ++k) {
                const double weight = found.weights[3 * at + (uint64_t)k];
                const uint32_t vertex = dem_mesh_facets(mesh)[3 * found.facet[at] + (uint32_t)k];
                assert_true(weight >= 0.0 && weight <= 1.0);
                sum += weight;
                for (int c = 0; c < 3; ++c)
                    mean[c] += weight * dem_mesh_vertices(mesh)[3 * vertex + (uint32_t)c];
            }
            worst = fmax(worst, fabs(sum - 1.0));
            for (int c = 0; c < 3; ++c) {
                worst = fmax(worst, fabs(mean[c] - point[c]));
                worst = fmax(
                    worst, fabs(point[c] + (radius[n] - found.overlap[at]) * normal[c] - x[n][c]));
            }
        }
    }
    assert_int_equal(at, found.count);
    assert_true(found.count > 60);
    shown("every-facet", "difference", worst, 0.0, 1e-12);
    dem_mesh_search_destroy(search);
    dem_mesh_destroy(mesh);
}

/* ------------------------------------------------------------------ slots */

static void slots(dem_contact_history *history, uint64_t count, const double *normal,
                  uint64_t *features)
{
    static const uint32_t pairs[8] = {0, 1, 0, 1, 0, 1, 0, 1}, back[8] = {1, 0, 1, 0, 1, 0, 1, 0};
    static const uint64_t id[2] = {3, 5};
    static const double x[6], radius[2] = {1.0, 1.0}, mass[2] = {1.0, 0.0};
    double force[6] = {0}, overlap[4] = {0.1, 0.1, 0.1, 0.1}, point[12] = {0}, turned[12];
    uint64_t again[4];
    dem_contacts_input input;
    dem_contacts_geometry geometry;
    OK(dem_contacts_input_init(&input));
    OK(dem_contacts_geometry_init(&geometry));
    input.particle_count = 2;
    input.id = id;
    input.position = input.velocity = x;
    input.radius = radius;
    input.mass = mass;
    input.pair_count = count;
    input.force = force;
    input.dt = 1e-3;
    geometry.overlap = overlap;
    geometry.normal = turned;
    geometry.point = point;
    /* the rows of a pair in the other order give the same */
    for (int c = 0; c < 12; ++c)
        turned[c] = c < 3 * (int)count ? -normal[c] : 0.0;
    input.pairs = back;
    OK(dem_contact_history_slots(history, &input, &geometry, 0.9, again));
    geometry.normal = normal;
    input.pairs = pairs;
    OK(dem_contact_history_slots(history, &input, &geometry, 0.9, features));
    assert_memory_equal(features, again, count * sizeof(*features));
    input.features = features;
    OK(dem_contacts_evaluate_geometry(history, &input, &geometry, NULL));
}

/* Split: the nearer goes on, the other is new; merge: one of the two ends; a slot that was used in
 * the last step is not used for another contact. */
static void slots_of_a_pair(void **state)
{
    (void)state;
    host h;
    uint64_t f[4];
    host_open(&h, NULL, 0.6, 0.4);
    const double s = sin(20.0 * DEGREE), c = cos(20.0 * DEGREE);
    const double z[] = {0, 0, 1}, split[] = {s, 0, c, 0, 0, 1}, apart[] = {-s, 0, c, s, 0, c};
    const double three[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, two[] = {0, 0, 1, 1, 0, 0};
    slots(h.history, 1, z, f);
    assert_int_equal(f[0], 0);
    slots(h.history, 2, split, f);
    assert_int_equal(f[0], 1);
    assert_int_equal(f[1], 0);
    slots(h.history, 2, apart, f); /* each goes on with what it is most like */
    assert_int_equal(f[1], 1);
    assert_int_equal(f[0], 0);
    slots(h.history, 1, z, f);
    assert_int_equal(f[0], 0);
    OK(dem_contact_history_clear(h.history));
    slots(h.history, 3, three, f);
    assert_true(f[0] == 0 && f[1] == 1 && f[2] == 2);
    slots(h.history, 2, two, f);
    assert_true(f[0] == 2 && f[1] == 0);
    slots(h.history, 3, three, f);
    assert_true(f[0] == 0 && f[1] == 1 && f[2] == 2);
    const double none[] = {0, -1, 0, 0, 0, 1};
    slots(h.history, 2, none, f);
    assert_true(f[0] == 3 && f[1] == 2);
    host_close(&h);
}

/* ------------------------------------------------------------------ what is refused */

static void refused(void **state)
{
    (void)state;
    dem_mesh_search_config config;
    dem_mesh_search *search;
    dem_error error;
    dem_mesh *mesh = mesh_of(cube_vertices, 8, cube_facets, 12);
    OK(dem_mesh_search_config_init(&config));
    for (int k = 0; k < 4; ++k) {
        static const double wrong[] = {0.0, 1.0, -0.5, NAN};
        config.cosine = wrong[k];
        assert_int_equal(dem_mesh_search_create(&config, mesh, &search, &error), DEM_ERROR_RANGE);
        assert_non_null(strstr(error.message, "cosine"));
        assert_null(search);
    }
    OK(dem_mesh_search_config_init(&config));
    assert_int_equal(dem_mesh_search_create(NULL, mesh, &search, &error), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_mesh_search_create(&config, NULL, &search, &error), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_mesh_search_create(&config, mesh, NULL, &error), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_mesh_search_config_init(NULL), DEM_ERROR_ARGUMENT);
    config.struct_size = 4;
    assert_int_equal(dem_mesh_search_create(&config, mesh, &search, &error), DEM_ERROR_STRUCT_SIZE);
    search = search_of(mesh);
    double x[3] = {0.5, 0.5, 1.2}, radius = RADIUS;
    dem_mesh_spheres good;
    dem_mesh_contacts found = {.struct_size = sizeof(found)};
    OK(dem_mesh_spheres_init(&good));
    good.count = 1;
    good.position = x;
    good.radius = &radius;
    OK(dem_mesh_search_spheres(search, &good, &found));
    assert_int_equal(found.count, 1);
    assert_string_equal(dem_mesh_search_error(search), "");
    const struct {
        dem_status status;
        const char *text;
    } expected[] = {{DEM_ERROR_ARGUMENT, "position"},
                    {DEM_ERROR_ARGUMENT, "radius"},
                    {DEM_ERROR_RANGE, "position_stride"},
                    {DEM_ERROR_RANGE, "reach"},
                    {DEM_ERROR_DIVERGED, "mesh_position: (1, inf, 3)"},
                    {DEM_ERROR_RANGE, "mesh_orientation: (1, 0.2, 0.3, 0.4)"},
                    {DEM_ERROR_UNKNOWN, "reserved"},
                    {DEM_ERROR_RANGE, "count"},
                    {DEM_ERROR_DIVERGED, "position[0]"},
                    {DEM_ERROR_RANGE, "radius[0]"},
                    {DEM_ERROR_STRUCT_SIZE, "dem_mesh_spheres"}};
    for (int k = 0; k < 11; ++k) {
        dem_mesh_spheres s = good;
        x[2] = k == 8 ? NAN : 1.2;
        radius = k == 9 ? 0.0 : RADIUS;
        s.position = k == 0 ? NULL : s.position;
        s.radius = k == 1 ? NULL : s.radius;
        s.position_stride = k == 2 ? 20 : 0;
        s.reach = k == 3 ? -1.0 : 0.0;
        for (int c = 0; c < 3; ++c) {
            s.mesh_position[c] = k != 4 ? 0.0 : c == 1 ? INFINITY : 1.0 + c;
            s.mesh_orientation[1 + c] = k == 5 ? 0.2 + 0.1 * c : 0.0;
        }
        s.reserved = k == 6;
        s.count = k == 7 ? UINT64_C(1) << 32 : 1;
        s.struct_size -= k == 10 ? 8 : 0;
        assert_int_equal(dem_mesh_search_spheres(search, &s, &found), expected[k].status);
        assert_non_null(strstr(dem_mesh_search_error(search), expected[k].text));
    }
    assert_int_equal(dem_mesh_search_spheres(NULL, &good, &found), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_mesh_search_spheres(search, NULL, &found), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_mesh_search_spheres(search, &good, NULL), DEM_ERROR_ARGUMENT);
    found.struct_size = 8;
    assert_int_equal(dem_mesh_search_spheres(search, &good, &found), DEM_ERROR_STRUCT_SIZE);
    assert_int_equal(dem_mesh_spheres_init(NULL), DEM_ERROR_ARGUMENT);
    dem_mesh_search_destroy(search);
    dem_mesh_search_destroy(NULL);
    assert_non_null(strstr(dem_mesh_search_error(NULL), "NULL"));
}

static void slots_refused(void **state)
{
    (void)state;
    host h;
    host_open(&h, NULL, 0.6, 0.4);
    uint32_t pairs[2] = {0, 1};
    double normal[3] = {0.0, 0.0, 1.0};
    int32_t images[3] = {0, 0, 0};
    uint64_t features[1];
    for (int k = 0; k < 10; ++k) {
        dem_contacts_input in;
        dem_contacts_geometry g;
        OK(dem_contacts_input_init(&in));
        OK(dem_contacts_geometry_init(&g));
        in.particle_count = k == 0 ? 1 : 2;
        in.pair_count = 1;
        in.pairs = k == 1 ? NULL : pairs;
        in.images = images;
        g.normal = k == 2 ? NULL : normal;
        normal[1] = k == 3 ? NAN : 0.0;
        images[2] = k == 4 ? INT32_MIN : 0;
        in.struct_size = k == 5 ? 8 : in.struct_size;
        g.struct_size = k == 6 ? 8 : g.struct_size;
        static const dem_status expected[] = {DEM_ERROR_RANGE,       DEM_ERROR_ARGUMENT,
                                              DEM_ERROR_ARGUMENT,    DEM_ERROR_RANGE,
                                              DEM_ERROR_RANGE,       DEM_ERROR_STRUCT_SIZE,
                                              DEM_ERROR_STRUCT_SIZE, DEM_ERROR_RANGE,
                                              DEM_ERROR_ARGUMENT,    DEM_OK};
        assert_int_equal(dem_contact_history_slots(h.history, &in, &g, k == 7 ? 1.0 : 0.5,
                                                   k == 8 ? NULL : features),
                         expected[k]);
    }
    dem_contacts_geometry g;
    OK(dem_contacts_geometry_init(&g));
    assert_int_equal(dem_contact_history_slots(h.history, NULL, &g, 0.5, features),
                     DEM_ERROR_ARGUMENT);
    host_close(&h);
}

/* Each allocation of a search fails once, and each of slots: an error, and the next call works. */
static void out_of_memory(void **state)
{
    (void)state;
    short_heap heap = {0, 0, 0};
    dem_mesh *mesh = rough(1);
    dem_mesh_search_config config;
    dem_contact_history_config history_config;
    const double x[3] = {0.1, 0.1, 0.4}, radius = RADIUS;
    OK(dem_mesh_search_config_init(&config));
    OK(dem_contact_history_config_init(&history_config));
    config.allocator = history_config.allocator = short_allocator(&heap);
    uint64_t failed = 0;
    for (dem_status done = DEM_ERROR_MEMORY; done != DEM_OK; ++heap.fail_at) {
        dem_mesh_search *search;
        dem_mesh_spheres spheres;
        dem_mesh_contacts found = {.struct_size = sizeof(found)};
        OK(dem_mesh_spheres_init(&spheres));
        spheres.count = 1;
        spheres.position = x;
        spheres.radius = &radius;
        heap.calls = 0;
        done = dem_mesh_search_create(&config, mesh, &search, NULL);
        if (done == DEM_OK && (done = dem_mesh_search_spheres(search, &spheres, &found)) != DEM_OK)
            OK(dem_mesh_search_spheres(search, &spheres, &found));
        assert_true(done == DEM_OK || done == DEM_ERROR_MEMORY);
        failed += done != DEM_OK;
        dem_mesh_search_destroy(search);
        assert_int_equal(heap.held, 0);
    }
    assert_true(failed >= 8);
    dem_mesh_destroy(mesh);
    dem_contact_history *history;
    heap.fail_at = UINT64_MAX;
    OK(dem_contact_history_create(&history_config, &history, NULL));
    static const uint32_t pairs[2] = {0, 1};
    static const double normal[3] = {0.0, 0.0, 1.0};
    dem_contacts_input input;
    dem_contacts_geometry geometry;
    uint64_t feature = 9;
    OK(dem_contacts_input_init(&input));
    OK(dem_contacts_geometry_init(&geometry));
    input.particle_count = 2;
    input.pair_count = 1;
    input.pairs = pairs;
    geometry.normal = normal;
    for (int k = 0; k < 2; ++k) {
        heap.fail_at = heap.calls + (uint64_t)k;
        assert_int_equal(dem_contact_history_slots(history, &input, &geometry, 0.5, &feature),
                         DEM_ERROR_MEMORY);
        assert_int_equal(feature, 9);
    }
    OK(dem_contact_history_slots(history, &input, &geometry, 0.5, &feature));
    assert_int_equal(feature, 0);
    dem_contact_history_destroy(history);
    assert_int_equal(heap.held, 0);
}

/* Where one of two contacts takes the place of both, the energy of the other is counted as lost. A
 * contact that ends alone has none any more. */
static void merged(void **state)
{
    (void)state;
    host h;
    host_open(&h, NULL, 1.0, 0.0);
    h.plane_count = 2;
    h.planes[0][2] = 1.0;
    h.planes[1][0] = sin(40.0 * DEGREE);
    h.planes[1][2] = cos(40.0 * DEGREE);
    h.x[2] = 0.9 * RADIUS;
    host_step(&h, 1e-7);
    host_step(&h, 1e-7);
    assert_int_equal(h.now.count, 2);
    const double before = h.elastic, overlap = RADIUS - dot(h.x, h.planes[1]);
    assert_true(h.lost < 1e-9);
    h.plane_count = 1;
    host_step(&h, 1e-7);
    shown("merge", "lost", h.lost, 0.5 * STIFFNESS * overlap * overlap, 1e-6);
    shown("merge", "sum", h.lost + h.elastic, before, 1e-4);
    h.plane_count = 0;
    const double lost = h.lost;
    host_step(&h, 1e-7);
    assert_true(h.lost == lost);
    host_close(&h);
}

/* ------------------------------------------------------------------ many slots */

enum { SLOTS_MOST = 60, BODIES = 4 };

/** Contacts of the first body with others. */
typedef struct contact_list {
    uint64_t count, feature[SLOTS_MOST];
    uint32_t pairs[SLOTS_MOST][2];
    double normal[SLOTS_MOST][3];
} contact_list;

/** Normals of which many are alike to the last bit. */
static void contact_list_fill(contact_list *list, test_random *random)
{
    static const double some[6][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0},  {0.6, 0.8, 0.0},
                                      {0.8, 0.6, 0.0}, {0.6, -0.8, 0.0}, {0.0, 0.6, 0.8}};
    list->count = test_random_bits(random) % (SLOTS_MOST + 1);
    const int alike = test_random_bits(random) % 4 != 0;
    for (uint64_t k = 0; k < list->count; ++k) {
        list->pairs[k][0] = 0;
        list->pairs[k][1] = 1 + (uint32_t)(test_random_bits(random) % (BODIES - 1));
        const double *of = some[test_random_bits(random) % 6];
        if (alike)
            memcpy(list->normal[k], of, sizeof(list->normal[k]));
        else
            test_unit(random, list->normal[k]);
    }
}

/** Whether a feature is that of an old contact of a body, or of one of the list before `end`. */
static int feature_used(const contact_list *list, uint64_t end, const int *open, uint32_t body,
                        uint64_t feature)
{
    int used = 0;
    for (uint64_t k = 0; k < end; ++k)
        used |= !open[k] && list->pairs[k][1] == body && list->feature[k] == feature;
    return used;
}

/** Slots as they are described: of all couples the one that is most alike first. */
static void slots_plainly(const contact_list *old, contact_list *now, double cosine)
{
    int old_open[SLOTS_MOST], now_open[SLOTS_MOST];
    static const int none_open[SLOTS_MOST];
    for (uint64_t k = 0; k < SLOTS_MOST; ++k)
        old_open[k] = now_open[k] = 1;
    for (;;) {
        uint64_t a = SLOTS_MOST, b = SLOTS_MOST;
        double best = cosine;
        for (uint64_t m = 0; m < old->count; ++m)
            for (uint64_t n = 0; n < now->count; ++n) {
                if (!old_open[m] || !now_open[n] || old->pairs[m][1] != now->pairs[n][1])
                    continue;
                const double alike = dot(old->normal[m], now->normal[n]);
                const int before = a != SLOTS_MOST && (old->feature[m] != old->feature[a]
                                                           ? old->feature[m] < old->feature[a]
                                                           : n < b);
                if (alike > best || (alike == best && before)) {
                    best = alike;
                    a = m;
                    b = n;
                }
            }
        if (a == SLOTS_MOST)
            break;
        old_open[a] = now_open[b] = 0;
        now->feature[b] = old->feature[a];
    }
    for (uint64_t n = 0; n < now->count; ++n) {
        const uint32_t body = now->pairs[n][1];
        uint64_t feature = 0;
        while (now_open[n] && (feature_used(old, old->count, none_open, body, feature) ||
                               feature_used(now, now->count, now_open, body, feature)))
            ++feature;
        if (now_open[n])
            now->feature[n] = feature;
        now_open[n] = 0;
    }
}

/* Matches and ties among many contacts are those that one finds by looking at all couples. */
static void slots_of_many(void **state)
{
    (void)state;
    static const double x[3 * BODIES], mass[BODIES] = {1.0, 1.0, 1.0, 1.0};
    static const double radius[BODIES] = {1.0, 1.0, 1.0, 1.0};
    double force[3 * BODIES] = {0}, overlap[SLOTS_MOST], point[3 * SLOTS_MOST] = {0};
    host h;
    host_open(&h, NULL, 0.6, 0.4);
    test_random random = test_random_start("slots of many");
    contact_list old, now;
    memset(&old, 0, sizeof(old));
    memset(&now, 0, sizeof(now));
    uint64_t went_on = 0, began = 0;
    for (int k = 0; k < SLOTS_MOST; ++k)
        overlap[k] = 0.01;
    for (int round = 0; round < 300; ++round) {
        dem_contacts_input input;
        dem_contacts_geometry geometry;
        OK(dem_contacts_input_init(&input));
        OK(dem_contacts_geometry_init(&geometry));
        contact_list_fill(&now, &random);
        input.particle_count = BODIES;
        input.position = input.velocity = x;
        input.radius = radius;
        input.mass = mass;
        input.pair_count = now.count;
        input.pairs = now.pairs[0];
        input.force = force;
        input.dt = 1e-3;
        geometry.overlap = overlap;
        geometry.normal = now.normal[0];
        geometry.point = point;
        const double cosine = test_uniform(&random, -0.9, 0.99);
        uint64_t features[SLOTS_MOST];
        OK(dem_contact_history_slots(h.history, &input, &geometry, cosine, features));
        slots_plainly(&old, &now, cosine);
        for (uint64_t k = 0; k < now.count; ++k) {
            assert_int_equal(features[k], now.feature[k]);
            static const int none_open[SLOTS_MOST];
            const int goes_on =
                feature_used(&old, old.count, none_open, now.pairs[k][1], features[k]);
            went_on += (uint64_t)goes_on;
            began += (uint64_t)!goes_on;
        }
        input.features = features;
        OK(dem_contacts_evaluate_geometry(h.history, &input, &geometry, NULL));
        old = now;
    }
    assert_true(went_on > 1000 && began > 1000);
    host_close(&h);
}

/* Any number of pairs with three contacts each, of any bodies: they count from 0 in each pair. */
static void slots_of_many_pairs(void **state)
{
    (void)state;
    enum { PAIRS = 64 };
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    uint32_t pairs[3 * PAIRS][2];
    uint64_t features[3 * PAIRS], id[PAIRS + 1];
    double normal[3 * PAIRS][3];
    host h;
    host_open(&h, NULL, 0.6, 0.4);
    for (uint32_t k = 0; k < 3 * PAIRS; ++k) {
        pairs[k][0] = 0;
        pairs[k][1] = 1 + k / 3;
        memcpy(normal[k], &axes[3 * (k % 3)], sizeof(normal[k]));
    }
    for (uint64_t count = 1; count <= PAIRS; ++count) {
        dem_contacts_input input;
        dem_contacts_geometry geometry;
        OK(dem_contacts_input_init(&input));
        OK(dem_contacts_geometry_init(&geometry));
        for (uint64_t k = 0; k <= count; ++k)
            id[k] = 1 + 1000 * count + k;
        input.id = id;
        input.particle_count = count + 1;
        input.pair_count = 3 * count;
        input.pairs = pairs[0];
        geometry.normal = normal[0];
        memset(features, 0xff, sizeof(features));
        OK(dem_contact_history_slots(h.history, &input, &geometry, 0.5, features));
        for (uint64_t k = 0; k < 3 * count; ++k)
            assert_int_equal(features[k], k % 3);
    }
    host_close(&h);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_floor),
        cmocka_unit_test(concave_corner),
        cmocka_unit_test(thin_plate),
        cmocka_unit_test(convex_edges),
        cmocka_unit_test(scanned_edges),
        cmocka_unit_test(cylinder),
        cmocka_unit_test(permuted),
        cmocka_unit_test(moved),
        cmocka_unit_test(deepest),
        cmocka_unit_test(slots_of_a_pair),
        cmocka_unit_test(far_reach),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(refused),
        cmocka_unit_test(merged),
        cmocka_unit_test(slots_refused),
        cmocka_unit_test(slots_of_many),
        cmocka_unit_test(slots_of_many_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
