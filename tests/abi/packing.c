/* SPDX-License-Identifier: MIT */
/* A small packing through the public interface alone; prints the hash of its state. It has sticking
 * and sliding contacts, walls, damping and a periodic axis, so that a difference in any of them
 * shows. tests/same_bits.sh compares what different builds print. */
#include <dem/dem.h>

#include <inttypes.h>
#include <stdio.h>

enum { SIDE = 6, HIGH = 10, COUNT = SIDE * SIDE * HIGH };

static int failed(const dem_world *world, dem_status status)
{
    if (status != DEM_OK)
        fprintf(stderr, "packing: %s: %s\n", dem_status_string(status), dem_world_error(world));
    return status != DEM_OK;
}

/* Only + and * on small integers, so that the start does not depend on the compiler either. */
static double jitter(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 16) / 65536.0 - 0.5;
}

static dem_status fill(dem_world *world)
{
    uint32_t random = 1;
    for (int k = 0; k < COUNT; ++k) {
        dem_particle grain;
        dem_particle_init(&grain);
        grain.radius = 0.5 - 0.125 * (k % 3 == 0);
        grain.position[0] = 0.55 + 1.1 * (k % SIDE) + 0.0625 * jitter(&random);
        grain.position[1] = 0.55 + 1.1 * (k / SIDE % SIDE) + 0.0625 * jitter(&random);
        grain.position[2] = 0.55 + 1.1 * (k / SIDE / SIDE) + 0.0625 * jitter(&random);
        for (int c = 0; c < 3; ++c) {
            grain.velocity[c] = 2.0 * jitter(&random);
            grain.angular_velocity[c] = 4.0 * jitter(&random);
        }
        const dem_status status = dem_particle_add(world, &grain, NULL);
        if (status != DEM_OK)
            return status;
    }
    return DEM_OK;
}

int main(void)
{
    dem_world_config config;
    dem_world *world = NULL;
    dem_error error;
    dem_linear linear;
    dem_contact_model model;
    dem_wall wall;
    uint64_t hash = 0;

    dem_world_config_init(&config);
    config.gravity[0] = 1.0;
    config.gravity[2] = -8.0;
    config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[1] = 1.1 * SIDE;
    if (dem_world_create(&config, &world, &error) != DEM_OK) {
        fprintf(stderr, "packing: %s\n", error.message);
        return 1;
    }
    dem_linear_init(&linear);
    linear.stiffness_normal = 2e7;
    /* A coefficient: a restitution would take libm's log into the bits. */
    linear.damping = DEM_DAMPING_COEFFICIENT;
    linear.damping_normal = 1e4;
    linear.damping_tangential = 2e3;
    dem_contact_model_init(&model);
    dem_contact_model_add_linear_csds(&model, &linear);
    if (failed(world, dem_contact_model_set(world, 0, 0, &model)))
        return 1;

    const double normals[3][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}};
    for (int k = 0; k < 3; ++k) {
        dem_wall_init(&wall);
        for (int c = 0; c < 3; ++c)
            wall.normal[c] = normals[k][c];
        wall.point[0] = k == 2 ? 1.1 * SIDE : 0.0;
        if (failed(world, dem_wall_add(world, &wall, NULL)))
            return 1;
    }
    if (failed(world, fill(world)) || failed(world, dem_step(world, 2e-4, 10000)) ||
        failed(world, dem_world_hash(world, &hash)))
        return 1;

    dem_world_counts counts = {.struct_size = sizeof counts};
    if (failed(world, dem_world_counts_get(world, &counts)))
        return 1;
    if (counts.contacts < COUNT) { /* too few contacts would compare nothing */
        fprintf(stderr, "packing: only %" PRIu64 " contacts\n", counts.contacts);
        return 1;
    }
    printf("%016" PRIx64 "\n", hash);
    dem_world_destroy(world);
    return 0;
}
