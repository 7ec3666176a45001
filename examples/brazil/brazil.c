/* SPDX-License-Identifier: MIT */
/* A box with ellipsoids and a large block at its bottom, the nut, rocks about a line in its floor.
 * Prints how high the nut is, next to the mean of the ellipsoids, along the box.
 *
 *     brazil [SECONDS [FILE]]
 *
 * With a file, the run goes on from it where it exists, and is kept there at its end. A run in
 * parts has the bits of one run. A second of the box takes about a minute. */
#include <dem/dem.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACROSS = 4, LAYERS = 6, LEVEL = 1, FACETS = 8 << 2 * LEVEL, STEPS = 20, WALLS = 5 };

static const double HALF = 0.026, AXES[3] = {5e-3, 4e-3, 3.5e-3}, NUT[3] = {9e-3, 8e-3, 7e-3},
                    DENSITY = 2500.0, DT = 5e-6, ANGLE = 0.35, FREQUENCY = 2.0,
                    PI = 3.14159265358979323846;

static void check(dem_status status, const char *message)
{
    if (status != DEM_OK) {
        fprintf(stderr, "%s: %s\n", dem_status_string(status), message);
        exit(1);
    }
}

/* ------------------------------------------------------------------ shapes */

static double vertices[3 * FACETS][3];
static uint32_t facets[FACETS][3];
static uint32_t facet_count;

/* Divides a facet of an octahedron until the level is 0; its vertices go to the ellipsoid. */
static void divide(const double a[3], const double b[3], const double c[3], int level)
{
    const double *const corner[3] = {a, b, c};
    double middle[3][3];
    for (uint32_t k = 0; level == 0 && k < 3; ++k) {
        for (int x = 0; x < 3; ++x)
            vertices[3 * facet_count + k][x] = AXES[x] * corner[k][x];
        facets[facet_count][k] = 3 * facet_count + k;
    }
    if (level == 0) {
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

static dem_polyhedron *shape_of(const double *x, uint64_t count, const uint32_t *sides, uint64_t n)
{
    dem_mesh_config config;
    dem_polyhedron_config shape_config;
    dem_mesh *mesh = NULL;
    dem_polyhedron *shape = NULL;
    dem_error error;
    check(dem_mesh_config_init(&config), "mesh");
    check(dem_mesh_create(&config, x, count, sides, n, &mesh, &error), error.message);
    check(dem_polyhedron_config_init(&shape_config), "polyhedron");
    shape_config.axes = DEM_POLYHEDRON_AXES_MESH; /* these are principal ones already */
    check(dem_polyhedron_create(&shape_config, mesh, &shape, &error), error.message);
    dem_mesh_destroy(mesh);
    return shape;
}

static dem_polyhedron *ellipsoid(void)
{
    for (int k = 0; k < 8; ++k) {
        const double sign[3] = {k & 1 ? -1.0 : 1.0, k & 2 ? -1.0 : 1.0, k & 4 ? -1.0 : 1.0},
                     x[3] = {sign[0], 0.0, 0.0}, y[3] = {0.0, sign[1], 0.0},
                     z[3] = {0.0, 0.0, sign[2]};
        const int turned = sign[0] * sign[1] * sign[2] < 0.0;
        divide(x, turned ? z : y, turned ? y : z, LEVEL);
    }
    return shape_of(vertices[0], 3 * (uint64_t)facet_count, facets[0], facet_count);
}

static dem_polyhedron *block(void)
{
    static const uint32_t sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    double x[8][3];
    for (int k = 0; k < 8; ++k)
        for (int c = 0; c < 3; ++c)
            x[k][c] = (k >> c & 1 ? 1.0 : -1.0) * NUT[c];
    return shape_of(x[0], 8, sides[0], 12);
}

/* ------------------------------------------------------------------ world */

static void model_set(dem_world *world)
{
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    check(dem_contact_model_init(&model), "model");
    check(dem_hertz_init(&hertz), "hertz");
    check(dem_mindlin_init(&mindlin), "mindlin");
    hertz.young[0] = 1e7;
    hertz.poisson[0] = 0.3;
    hertz.restitution = 0.6;
    mindlin.friction = 0.4;
    check(dem_contact_model_add_hertz(&model, &hertz), "hertz");
    check(dem_contact_model_add_mindlin(&model, &mindlin), "mindlin");
    check(dem_contact_model_set(world, 0, 0, &model), dem_world_error(world));
}

static void body_add(dem_world *world, dem_polyhedron *shape, double x, double y, double z)
{
    dem_polyhedron_properties is = {.struct_size = sizeof is};
    dem_body body;
    dem_body_part part;
    check(dem_polyhedron_properties_get(shape, &is), "polyhedron");
    check(dem_body_init(&body), "body");
    check(dem_body_part_init(&part), "part");
    body.mass = DENSITY * is.volume;
    for (int c = 0; c < 3; ++c)
        body.inertia[c] = DENSITY * is.inertia[c];
    body.position[0] = x;
    body.position[1] = y;
    body.position[2] = z;
    part.shape = shape;
    check(dem_body_add(world, &body, 1, &part, NULL), dem_world_error(world));
}

/* Floor and sides, which turn about the middle of the floor; their ids are 1 to WALLS. */
static void walls_add(dem_world *world)
{
    static const double normals[WALLS][3] = {
        {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int k = 0; k < WALLS; ++k) {
        dem_wall wall;
        check(dem_wall_init(&wall), "wall");
        for (int c = 0; c < 3; ++c) {
            wall.normal[c] = normals[k][c];
            wall.point[c] = k == 0 ? 0.0 : -HALF * normals[k][c];
            wall.pivot[c] = -wall.point[c];
        }
        wall.id = (uint64_t)k + 1;
        check(dem_wall_add(world, &wall, NULL), dem_world_error(world));
    }
}

static void fill(dem_world *world)
{
    dem_polyhedron *grain = ellipsoid(), *nut = block();
    const double apart = 2.0 * HALF / ACROSS;
    model_set(world);
    walls_add(world);
    body_add(world, nut, 0.0, 0.0, 1.01 * NUT[2]); /* the body with the id 1 */
    for (int k = 0; k < ACROSS * ACROSS * LAYERS; ++k)
        body_add(world, grain, (k % ACROSS + 0.5) * apart - HALF,
                 (k / ACROSS % ACROSS + 0.5) * apart - HALF,
                 2.0 * NUT[2] + AXES[2] + 2.1 * AXES[2] * (k / ACROSS / ACROSS) + 1e-3);
    dem_polyhedron_destroy(grain); /* the world has references */
    dem_polyhedron_destroy(nut);
}

/* ------------------------------------------------------------------ run */

/* The box has the angle ANGLE sin(2 pi FREQUENCY t). */
static void rock(dem_world *world)
{
    const double rate = 2.0 * PI * FREQUENCY;
    const double spin[3] = {0.0, ANGLE * rate * cos(rate * dem_world_time(world)), 0.0};
    for (uint64_t id = 1; id <= WALLS; ++id)
        check(dem_wall_set_motion(world, id, NULL, spin, NULL), dem_world_error(world));
    check(dem_step(world, DT, STEPS), dem_world_error(world));
}

static void tell(const dem_world *world)
{
    dem_wall floor = {.struct_size = sizeof floor};
    dem_world_counts counts = {.struct_size = sizeof counts};
    double nut = 0.0, sum = 0.0;
    check(dem_wall_get(world, 1, &floor), dem_world_error(world));
    check(dem_world_counts_get(world, &counts), dem_world_error(world));
    for (uint64_t id = 1; id <= counts.particles; ++id) {
        dem_body_handle handle;
        dem_body body = {.struct_size = sizeof body};
        check(dem_body_find(world, id, &handle), dem_world_error(world));
        check(dem_body_get(world, handle, &body), dem_world_error(world));
        double height = 0.0;
        for (int c = 0; c < 3; ++c)
            height += floor.normal[c] * body.position[c];
        nut = id == 1 ? height : nut;
        sum += id == 1 ? 0.0 : height;
    }
    printf("t %.3f s  nut %.2f mm  ellipsoids %.2f mm  contacts %llu\n", dem_world_time(world),
           1e3 * nut, 1e3 * sum / (double)(counts.particles - 1),
           (unsigned long long)counts.contacts);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 0.01;
    const char *path = argc > 2 ? argv[2] : NULL;
    FILE *file = path != NULL ? fopen(path, "rb") : NULL;
    dem_world_config config;
    dem_world *world = NULL;
    dem_error error;
    check(dem_world_config_init(&config), "world");
    config.gravity[2] = -9.81;
    check(dem_world_create(&config, &world, &error), error.message);
    if (file != NULL) {
        fclose(file);
        check(dem_world_load(world, path), dem_world_error(world));
    } else {
        fill(world);
    }
    const double end = dem_world_time(world) + seconds;
    for (int n = 0; dem_world_time(world) < end - 0.5 * DT; ++n) {
        rock(world);
        if (n % 500 == 499)
            tell(world);
    }
    tell(world);
    if (path != NULL)
        check(dem_world_save(world, path), dem_world_error(world));
    dem_world_destroy(world);
    return 0;
}
