/* SPDX-License-Identifier: MIT */
/* Speed of the scene `bed`: 32,000 spheres settling under gravity in a box that is periodic in x
 * and y. bench FOLDER [steps]: prints the time and writes the same state as LAMMPS data, so that a
 * peer can run the very same bed. Units are those of LAMMPS's chute benchmark. */
#define _POSIX_C_SOURCE 200809L
#include <dem/dem.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NX = 40, NY = 20, NZ = 40, COUNT = NX * NY * NZ, SETTLE = 3000, REPEATS = 3 };
static const double pitch = 1.02, dt = 1e-4;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void must(const dem_world *world, dem_status status)
{
    if (status == DEM_OK)
        return;
    fprintf(stderr, "bench: %s: %s\n", dem_status_string(status),
            world != NULL ? dem_world_error(world) : "");
    exit(1);
}

static double jitter(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216.0 - 0.5;
}

static dem_world *bed(void)
{
    dem_world_config config;
    dem_linear linear;
    dem_contact_model model;
    dem_wall floor;
    dem_world *world = NULL;
    uint32_t random = 1;

    dem_world_config_init(&config);
    config.gravity[2] = -1.0;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = pitch * NX;
    config.box_high[1] = pitch * NY;
    config.skin = 0.1;
    must(NULL, dem_world_create(&config, &world, NULL));
    dem_linear_init(&linear);
    linear.stiffness_normal = 2e5;
    linear.damping = DEM_DAMPING_RATE;
    linear.damping_normal = 50.0;
    linear.damping_tangential = 25.0;
    dem_contact_model_init(&model);
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.parts[0].parameters = &linear;
    must(world, dem_contact_model_set(world, 0, 0, &model));
    dem_wall_init(&floor);
    must(world, dem_wall_add(world, &floor, NULL));
    for (int k = 0; k < COUNT; ++k) {
        dem_particle grain;
        dem_particle_init(&grain);
        grain.radius = 0.5;
        grain.mass = 0.5235987755982989; /* density 1 */
        /* every second layer half a pitch aside, one layer on the other: touches soon */
        const int layer = k / (NX * NY);
        const double aside = layer % 2 == 0 ? 0.0 : 0.5;
        grain.position[0] = pitch * (k % NX + 0.25 + aside) + 0.002 * jitter(&random);
        grain.position[1] = pitch * (k / NX % NY + 0.25 + aside) + 0.002 * jitter(&random);
        grain.position[2] = 0.5 + 0.697 * layer + 0.002 * jitter(&random);
        grain.velocity[0] = 0.1 * jitter(&random);
        grain.velocity[1] = 0.1 * jitter(&random);
        must(world, dem_particle_add(world, &grain, NULL));
    }
    return world;
}

/* Atoms of style sphere: id type diameter density x y z, then velocities and spins. */
static void write_lammps(dem_world *world, const char *folder)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/bed.data", folder);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    dem_view x = {.struct_size = sizeof x}, v = x, w = x;
    must(world, dem_world_view(world, DEM_FIELD_POSITION, &x));
    must(world, dem_world_view(world, DEM_FIELD_VELOCITY, &v));
    must(world, dem_world_view(world, DEM_FIELD_ANGULAR_VELOCITY, &w));
    fprintf(file, "bed of spheres\n\n%d atoms\n1 atom types\n0 %.17g xlo xhi\n0 %.17g ylo yhi\n"
                  "0 50 zlo zhi\n\nAtoms # sphere\n\n", COUNT, pitch * NX, pitch * NY);
    for (uint64_t k = 0; k < x.count; ++k) {
        const double *p = (const double *)(const void *)((const char *)x.data + k * x.stride);
        fprintf(file, "%" PRIu64 " 1 1 1 %.17g %.17g %.17g\n", x.id[k], p[0], p[1], p[2]);
    }
    fprintf(file, "\nVelocities\n\n");
    for (uint64_t k = 0; k < v.count; ++k) {
        const double *p = (const double *)(const void *)((const char *)v.data + k * v.stride);
        const double *q = (const double *)(const void *)((const char *)w.data + k * w.stride);
        fprintf(file, "%" PRIu64 " %.17g %.17g %.17g %.17g %.17g %.17g\n", v.id[k], p[0], p[1],
                p[2], q[0], q[1], q[2]);
    }
    if (fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    const uint64_t steps = argc > 2 ? strtoull(argv[2], NULL, 10) : 200;
    dem_world *world = bed();
    must(world, dem_step(world, dt, SETTLE));
    write_lammps(world, argv[1]);
    double best = 1e300;
    for (int k = 0; k < REPEATS; ++k) { /* the least disturbed of several runs */
        const double start = seconds();
        must(world, dem_step(world, dt, steps));
        const double ns = 1e9 * (seconds() - start) / ((double)steps * COUNT);
        best = ns < best ? ns : best;
    }
    dem_world_counts counts = {.struct_size = sizeof counts};
    must(world, dem_world_counts_get(world, &counts));
    printf("scene=bed threads=1 ns_per_particle_step=%.1f contacts_per_particle=%.2f\n", best,
           (double)counts.contacts / COUNT);
    dem_world_destroy(world);
    return 0;
}
