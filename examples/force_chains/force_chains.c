/* SPDX-License-Identifier: MIT. Force chains of a heap at rest: all contacts read at once.
 *
 * 500 spheres of two sizes settle on a plane, in a box that is periodic along x and y. Then the
 * host reads keys, points, normals and forces of all contacts into arrays. Prints the weight that
 * the plane bears relative to that of the spheres, the contacts of a sphere, and the fabric tensor,
 * the mean of n n^T over the contacts of spheres. Writes force_chains.vtk, in which each contact is
 * a line along its normal with the size of its force, for ParaView: Filters, Tube, Vary Radius by
 * Scalar. SI units. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EDGE = 5, LAYERS = 20, COUNT = EDGE * EDGE * LAYERS, PLANE = 1000000, MOST = 6 * COUNT };
static const double pi = 3.14159265358979323846;
static const double dt = 1e-5, radius = 1e-3, density = 2500.0, earth = 9.81;

/* Rows of the contacts. */
static dem_contact_key key[MOST];
static double point[MOST][3], normal[MOST][3], force_normal[MOST][3], force_tangential[MOST][3];

static void check(const dem_world *world, dem_status status)
{
    if (status == DEM_OK)
        return;
    fprintf(stderr, "%s: %s\n", dem_status_string(status), dem_world_error(world));
    exit(1);
}

/* Adds the spheres; returns their weight. */
static double fill(dem_world *world)
{
    double weight = 0.0;
    for (int k = 0; k < COUNT; ++k) {
        const int layer = k / (EDGE * EDGE);
        dem_particle grain;
        check(world, dem_particle_init(&grain));
        grain.id = (uint64_t)k + 1;
        grain.radius = k % 3 == 0 ? 0.8 * radius : radius;
        grain.position[0] = 2.2 * radius * (k % EDGE) + 0.4 * radius * (layer % 3);
        grain.position[1] = 2.2 * radius * (k / EDGE % EDGE) + 0.3 * radius * (layer % 2);
        grain.position[2] = (1.1 + 2.1 * layer) * radius;
        check(world, dem_particle_add(world, &grain, NULL));
        weight += 4.0 / 3.0 * pi * density * pow(grain.radius, 3.0) * earth;
    }
    return weight;
}

static dem_world *make(double *weight)
{
    dem_world_config config;
    dem_error error = {0};
    dem_world *world = NULL;
    dem_material material;
    dem_linear law;
    dem_contact_model model;
    dem_wall plane;
    check(world, dem_world_config_init(&config));
    config.gravity[2] = -earth;
    for (int c = 0; c < 2; ++c) {
        config.boundary[c] = DEM_BOUNDARY_PERIODIC;
        config.box_high[c] = 2.2 * radius * EDGE;
    }
    if (dem_world_create(&config, &world, &error) != DEM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    check(world, dem_material_init(&material));
    material.density = density;
    check(world, dem_material_set(world, 0, &material));
    check(world, dem_linear_init(&law));
    law.stiffness_normal = 1000.0;
    law.restitution = 0.3;
    law.friction = 0.5;
    check(world, dem_contact_model_init(&model));
    check(world, dem_contact_model_add_linear_csds(&model, &law));
    check(world, dem_contact_model_set(world, 0, 0, &model));
    check(world, dem_wall_init(&plane));
    plane.id = PLANE;
    check(world, dem_wall_add(world, &plane, NULL));
    *weight = fill(world);
    return world;
}

/* Reads all contacts; returns how many there are. */
static uint64_t read_all(const dem_world *world)
{
    dem_contact_arrays arrays;
    uint64_t cursor = 0, count = 0;
    check(world, dem_contact_arrays_init(&arrays));
    arrays.capacity = MOST;
    arrays.key = key;
    arrays.point = point[0];
    arrays.normal = normal[0];
    arrays.force_normal = force_normal[0];
    arrays.force_tangential = force_tangential[0];
    check(world, dem_world_contacts_read(world, &cursor, &arrays, &count));
    if (count == MOST) {
        fprintf(stderr, "there are more contacts than rows: read on from the cursor\n");
        exit(1);
    }
    return count;
}

static void write_lines(const char *name, uint64_t count)
{
    FILE *file = fopen(name, "w");
    if (file == NULL) {
        perror(name);
        exit(1);
    }
    const unsigned long long n = (unsigned long long)count;
    fprintf(file, "# vtk DataFile Version 3.0\nforce chains\nASCII\nDATASET POLYDATA\n");
    fprintf(file, "POINTS %llu double\n", 2 * n);
    for (uint64_t k = 0; k < count; ++k)
        for (int end = -1; end <= 1; end += 2)
            fprintf(file, "%.9g %.9g %.9g\n", point[k][0] + end * radius * normal[k][0],
                    point[k][1] + end * radius * normal[k][1],
                    point[k][2] + end * radius * normal[k][2]);
    fprintf(file, "LINES %llu %llu\n", n, 3 * n);
    for (unsigned long long k = 0; k < n; ++k)
        fprintf(file, "2 %llu %llu\n", 2 * k, 2 * k + 1);
    fprintf(file, "CELL_DATA %llu\nSCALARS force double 1\nLOOKUP_TABLE default\n", n);
    for (uint64_t k = 0; k < count; ++k) {
        double square = 0.0;
        for (int c = 0; c < 3; ++c)
            square += pow(force_normal[k][c] + force_tangential[k][c], 2.0);
        fprintf(file, "%.9g\n", sqrt(square));
    }
    if (fclose(file) != 0) {
        perror(name);
        exit(1);
    }
}

int main(void)
{
    double weight, borne = 0.0, fabric[3][3] = {{0.0}};
    dem_world *world = make(&weight);
    check(world, dem_step(world, dt, 60000));
    const uint64_t count = read_all(world);
    uint64_t pairs = 0;
    for (uint64_t k = 0; k < count; ++k) {
        if (key[k].id_j == PLANE) { /* the sphere is i */
            borne += force_normal[k][2] + force_tangential[k][2];
            continue;
        }
        ++pairs;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                fabric[a][b] += normal[k][a] * normal[k][b];
    }
    printf("borne_over_weight %.4f contacts_per_sphere %.2f\n", borne / weight,
           2.0 * (double)pairs / COUNT);
    for (int a = 0; a < 3; ++a)
        printf("fabric %7.4f %7.4f %7.4f\n", fabric[a][0] / (double)pairs,
               fabric[a][1] / (double)pairs, fabric[a][2] / (double)pairs);
    write_lines("force_chains.vtk", count);
    dem_world_destroy(world);
    return 0;
}
