/* SPDX-License-Identifier: MIT. Grains that a fluid slows: what a fluid solver does with a world.
 *
 * 27 spheres sink in a viscous liquid at rest and come to lie on the bottom. For each step of the
 * fluid the host reads the grains' velocities, writes Stokes' drag as external forces, says which
 * field it wrote, and lets the world make five steps. Prints the mean speed of fall, that of one
 * sphere alone in closed form, the number of contacts, and the error of the energy balance relative
 * to the energy at the start; SI units. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EDGE = 3, STEPS = 5, FLUID_STEPS = 25600 };
static const double pi = 3.14159265358979323846;
static const double dt = 1e-5, radius = 1e-3, density = 2500.0;
static const double viscosity = 0.1, fluid_density = 1260.0, earth = 9.81;

static void check(const dem_world *world, dem_status status)
{
    if (status == DEM_OK)
        return;
    fprintf(stderr, "%s: %s\n", dem_status_string(status), dem_world_error(world));
    exit(1);
}

static dem_world *make(void)
{
    dem_world_config config;
    dem_world *world = NULL;
    dem_material material;
    dem_linear law;
    dem_contact_model model;
    dem_wall bottom;
    dem_world_config_init(&config);
    config.gravity[2] = -earth * (1.0 - fluid_density / density); /* less the lift of the liquid */
    check(NULL, dem_world_create(&config, &world, NULL));
    dem_material_init(&material);
    material.density = density;
    check(world, dem_material_set(world, 0, &material));
    dem_linear_init(&law);
    law.stiffness_normal = 100.0;
    law.restitution = 0.3;
    dem_contact_model_init(&model);
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.parts[0].parameters = &law;
    check(world, dem_contact_model_set(world, 0, 0, &model));
    dem_wall_init(&bottom);
    check(world, dem_wall_add(world, &bottom, NULL));
    for (int k = 0; k < EDGE * EDGE * EDGE; ++k) {
        const int layer = k / (EDGE * EDGE);
        dem_particle grain;
        dem_particle_init(&grain);
        grain.radius = radius;
        grain.position[0] = 2.2 * radius * (k % EDGE) + 0.3 * radius * layer;
        grain.position[1] = 2.2 * radius * (k / EDGE % EDGE) + 0.2 * radius * layer;
        grain.position[2] = (2.5 + 2.2 * layer) * radius;
        check(world, dem_particle_add(world, &grain, NULL));
    }
    return world;
}

/* One row of a view. */
static double *row(const dem_view *view, uint64_t k)
{
    return (double *)(void *)((char *)view->data + k * view->stride);
}

/* Stokes' drag on each grain; returns the mean speed of fall. */
static double exchange(dem_world *world)
{
    dem_view velocity = {.struct_size = sizeof velocity}, size = velocity, drag = velocity;
    double fall = 0.0;
    check(world, dem_world_view(world, DEM_FIELD_VELOCITY, &velocity));
    check(world, dem_world_view(world, DEM_FIELD_RADIUS, &size));
    check(world, dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, &drag));
    for (uint64_t k = 0; k < velocity.count; ++k) {
        const double factor = 6.0 * pi * viscosity * *row(&size, k);
        for (int c = 0; c < 3; ++c)
            row(&drag, k)[c] = -factor * row(&velocity, k)[c];
        fall -= row(&velocity, k)[2] / (double)velocity.count;
    }
    /* velocities were only read: contact forces need not be evaluated anew */
    check(world, dem_world_touch_field(world, DEM_FIELD_EXTERNAL_FORCE));
    return fall;
}

static double balance(const dem_world *world)
{
    dem_world_energies e = {.struct_size = sizeof e};
    check(world, dem_world_energies_get(world, &e));
    return e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic +
           e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip - e.work_external;
}

int main(void)
{
    dem_world *world = make();
    const double start = balance(world);
    const double relaxation = 2.0 / 9.0 * density * radius * radius / viscosity;
    const double terminal = (1.0 - fluid_density / density) * earth * relaxation;
    for (int k = 1, shown = 100; k <= FLUID_STEPS; ++k) {
        (void)exchange(world);
        check(world, dem_step(world, dt, STEPS));
        if (k < shown)
            continue;
        shown *= 2;
        dem_world_counts counts = {.struct_size = sizeof counts};
        check(world, dem_world_counts_get(world, &counts));
        const double t = dem_world_time(world);
        printf("t %.3f fall %.6f alone %.6f contacts %d balance %.1e\n", t, exchange(world),
               terminal * (1.0 - exp(-t / relaxation)), (int)counts.contacts,
               (balance(world) - start) / start);
    }
    dem_world_destroy(world);
    return 0;
}
