/* SPDX-License-Identifier: MIT */
/* A sphere of 2562 vertices hits a plate at an angle, as in Kharaz, Gorham and Salman's experiment:
 * aluminium oxide on glass, 4 m/s. The geometry comes from dem_polyhedron_search_plane, the force
 * from the usual laws of spheres ("hertz" and "mindlin") with the history of the contact; the
 * host owns body and time loop. Prints the restitutions of the centre's velocity, and the angular
 * velocity after the impact. */
#include <dem/dem.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double RADIUS = 2.5e-3, DENSITY = 4000.0, SPEED = 4.0, PI = 3.14159265358979323846;

enum { LEVEL = 4, FACETS = 20 << 2 * LEVEL };

static void check(dem_status status, const char *message)
{
    if (status != DEM_OK) {
        fprintf(stderr, "%s: %s\n", dem_status_string(status), message);
        exit(1);
    }
}

/* ------------------------------------------------------------------ shape */

static double vertices[3 * FACETS][3];
static uint32_t facets[FACETS][3];
static uint32_t facet_count;

/* Divides a facet until the level is 0; its vertices are unit vectors. */
static void divide(const double a[3], const double b[3], const double c[3], int level)
{
    const double *const corner[3] = {a, b, c};
    double middle[3][3];
    if (level == 0) {
        for (uint32_t k = 0; k < 3; ++k) {
            for (int x = 0; x < 3; ++x)
                vertices[3 * facet_count + k][x] = RADIUS * corner[k][x];
            facets[facet_count][k] = 3 * facet_count + k;
        }
        ++facet_count;
        return;
    }
    for (int k = 0; k < 3; ++k) {
        double square = 0.0;
        for (int x = 0; x < 3; ++x) {
            middle[k][x] = corner[k][x] + corner[(k + 1) % 3][x];
            square += middle[k][x] * middle[k][x];
        }
        for (int x = 0; x < 3; ++x)
            middle[k][x] /= sqrt(square);
    }
    divide(a, middle[0], middle[2], level - 1);
    divide(b, middle[1], middle[0], level - 1);
    divide(c, middle[2], middle[1], level - 1);
    divide(middle[0], middle[1], middle[2], level - 1);
}

static dem_polyhedron *sphere(void)
{
    static const int corners[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                       {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                       {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                       {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double t = 0.5 * (1.0 + sqrt(5.0)), s = 1.0 / sqrt(1.0 + t * t), u = t * s;
    const double x[12][3] = {{-s, u, 0}, {s, u, 0}, {-s, -u, 0}, {s, -u, 0},
                             {0, -s, u}, {0, s, u}, {0, -s, -u}, {0, s, -u},
                             {u, 0, -s}, {u, 0, s}, {-u, 0, -s}, {-u, 0, s}};
    dem_mesh_config mesh_config;
    dem_polyhedron_config config;
    dem_mesh *mesh;
    dem_polyhedron *shape;
    dem_error error;
    for (int f = 0; f < 20; ++f)
        divide(x[corners[f][0]], x[corners[f][1]], x[corners[f][2]], LEVEL);
    check(dem_mesh_config_init(&mesh_config), "mesh");
    mesh_config.weld_distance = 1e-9 * RADIUS; /* facets that meet share vertices */
    check(dem_mesh_create(&mesh_config, vertices[0], 3 * FACETS, facets[0], FACETS, &mesh, &error),
          error.message);
    check(dem_polyhedron_config_init(&config), "shape");
    check(dem_polyhedron_create(&config, mesh, &shape, &error), error.message);
    dem_mesh_destroy(mesh);
    return shape;
}

/* ------------------------------------------------------------------ laws */

static dem_contact_history *laws(double *modulus)
{
    dem_contact_history_config config;
    dem_contact_history *history;
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_error error;
    check(dem_hertz_init(&hertz), "hertz");
    hertz.young[0] = 380e9;
    hertz.young[1] = 70e9;
    hertz.poisson[0] = 0.23;
    hertz.poisson[1] = 0.25;
    hertz.restitution = 0.98;
    check(dem_mindlin_init(&mindlin), "mindlin");
    mindlin.friction = 0.092;
    check(dem_contact_model_init(&model), "model");
    check(dem_contact_model_add_hertz(&model, &hertz), "hertz");
    check(dem_contact_model_add_mindlin(&model, &mindlin), "mindlin");
    check(dem_contact_history_config_init(&config), "history");
    check(dem_contact_history_create(&config, &history, &error), error.message);
    check(dem_contact_history_model_set(history, 0, 0, &model), dem_contact_history_error(history));
    *modulus = dem_kernel_effective_young(hertz.young[0], hertz.poisson[0], hertz.young[1],
                                          hertz.poisson[1]);
    return history;
}

/* ------------------------------------------------------------------ an impact */

/* Row 0 is the body, row 1 the plate z = 0. */
typedef struct rows {
    double x[2][3], v[2][3], w[2][3], force[2][3], torque[2][3], radius[2], mass[2];
} rows;

/* The contact of the body as one of spheres, and what acts; 0 where there is none. */
static int forces(dem_polyhedron_search *search, dem_polyhedron_motion *body,
                  const dem_polyhedron_law *law, dem_contact_history *history, rows *r, double dt)
{
    static const double zero[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
    static const uint32_t pair[2] = {0, 1};
    dem_polyhedron_contact contact = {.struct_size = sizeof contact};
    dem_polyhedron_load load = {.struct_size = sizeof load};
    dem_contacts_input input;
    dem_contacts_geometry geometry;
    dem_error error;
    memcpy(body->position, r->x[0], sizeof r->x[0]);
    check(dem_polyhedron_search_plane(search, body, zero, up, NULL, &contact),
          dem_polyhedron_search_error(search));
    check(dem_polyhedron_force(law, &contact, 0.0, &load, &error), error.message);
    memset(r->force, 0, sizeof r->force);
    memset(r->torque, 0, sizeof r->torque);
    check(dem_contacts_input_init(&input), "input");
    check(dem_contacts_geometry_init(&geometry), "geometry");
    input.particle_count = 2;
    input.position = r->x[0];
    input.velocity = r->v[0];
    input.angular_velocity = r->w[0];
    input.radius = r->radius;
    input.mass = r->mass;
    input.pair_count = load.radius > 0.0;
    input.pairs = pair;
    input.dt = dt;
    input.velocity_lag = 0.5 * dt;
    input.force = r->force[0];
    input.torque = r->torque[0];
    double point[3];
    for (int c = 0; c < 3; ++c)
        point[c] = r->x[0][c] + contact.point[c];
    geometry.overlap = &load.overlap;
    geometry.radius = &load.radius;
    geometry.normal = contact.normal;
    geometry.point = point;
    check(dem_contacts_evaluate_geometry(history, &input, &geometry, NULL),
          dem_contact_history_error(history));
    return contact.state == DEM_POLYHEDRON_TOUCHING;
}

/* The body's moments are equal to 1e-10, so its angular velocity follows the torque alone. */
static void kick(rows *r, double inertia, double h)
{
    for (int c = 0; c < 3; ++c) {
        r->v[0][c] += h * r->force[0][c] / r->mass[0];
        r->w[0][c] += h * r->torque[0][c] / inertia;
    }
}

static void impact(dem_polyhedron_search *search, const dem_polyhedron *shape, double degrees)
{
    const double dt = 1e-8, angle = degrees * PI / 180.0;
    dem_polyhedron_properties p = {.struct_size = sizeof p};
    dem_polyhedron_motion body;
    dem_polyhedron_law law;
    check(dem_polyhedron_properties_get(shape, &p), "shape");
    check(dem_polyhedron_motion_init(&body), "motion");
    check(dem_polyhedron_law_init(&law), "law");
    dem_contact_history *history = laws(&law.modulus);
    law.law = DEM_POLYHEDRON_LAW_DEPTH; /* exact for a sphere, whatever its radius */
    body.shape = shape;
    rows r;
    memset(&r, 0, sizeof r);
    r.radius[0] = RADIUS;
    r.radius[1] = 1.0;
    r.mass[0] = DENSITY * p.volume; /* the plate has mass 0: infinitely heavy */
    r.x[0][2] = RADIUS + 1e-6;
    r.v[0][0] = SPEED * sin(angle);
    r.v[0][2] = -SPEED * cos(angle);
    for (int touched = 0;;) {
        kick(&r, DENSITY * p.inertia[0], 0.5 * dt);
        for (int c = 0; c < 3; ++c)
            r.x[0][c] += dt * r.v[0][c];
        check(dem_kernel_rotation_drift(p.inertia, dt, r.w[0], body.orientation,
                                        body.angular_velocity),
              "rotation");
        const int touching = forces(search, &body, &law, history, &r, dt);
        kick(&r, DENSITY * p.inertia[0], 0.5 * dt);
        touched = touched || touching;
        if (touched && !touching)
            break;
    }
    printf("angle_deg %g e_n %.4f e_t %.4f angular_velocity %.1f rad/s\n", degrees,
           r.v[0][2] / (SPEED * cos(angle)), r.v[0][0] / (SPEED * sin(angle)), r.w[0][1]);
    dem_contact_history_destroy(history);
}

int main(void)
{
    dem_polyhedron *shape = sphere();
    dem_polyhedron_search_config config;
    dem_polyhedron_search *search;
    dem_error error;
    check(dem_polyhedron_search_config_init(&config), "search");
    check(dem_polyhedron_search_create(&config, &search, &error), error.message);
    for (int degrees = 10; degrees <= 50; degrees += 10)
        impact(search, shape, degrees);
    dem_polyhedron_search_destroy(search);
    dem_polyhedron_destroy(shape);
    return 0;
}
