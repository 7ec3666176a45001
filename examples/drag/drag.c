/* SPDX-License-Identifier: MIT. Grains that a fluid slows: what a fluid solver does with a world.
 *
 * 27 spheres sink in a viscous liquid at rest and come to lie on the bottom. The liquid has steps
 * of 0.5 ms. `couple` makes one of them, with the five calls of docs/collision.md: drag in each of
 * the world's ten steps, and the impulse that the liquid gets back. Collisions are stretched to 20
 * steps of the world, see docs/collision.md: glass would touch for 14 us.
 *
 * Prints the mean speed of fall, that of one sphere alone in closed form, the number of contacts,
 * the momentum that the grains have and that nothing gave them, over that of their weight, and the
 * error of the energy balance over the energy at the start. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EDGE = 3, FLUID_STEPS = 2560 };
static const double pi = 3.14159265358979323846;
static const double fluid_dt = 5e-4, dt_max = 5e-5, radius = 1e-3, density = 2500.0;
static const double viscosity = 0.1, fluid_density = 1260.0, earth = 9.81;

static void check(const dem_world *world, dem_status status)
{
    if (status == DEM_OK)
        return;
    fprintf(stderr, "%s: %s\n", dem_status_string(status), dem_world_error(world));
    exit(1);
}

/* One row of a view. */
static double *row(const dem_view *view, uint64_t k)
{
    return (double *)(void *)((char *)view->data + k * view->stride);
}

static dem_view open_view(dem_world *world, int32_t field)
{
    dem_view view = {.struct_size = sizeof view};
    check(world, dem_world_view(world, field, &view));
    return view;
}

/* Sum of a field over all grains, along z. */
static double sum(dem_world *world, int32_t field)
{
    const dem_view view = open_view(world, field);
    double total = 0.0;
    for (uint64_t k = 0; k < view.count; ++k)
        total += row(&view, k)[2];
    return total;
}

/* One step of the fluid; what its momentum gains along z, N s. */
static double couple(dem_world *world)
{
    /* 1: what the liquid does to each grain. It is at rest here; you interpolate its velocity */
    const dem_view size = open_view(world, DEM_FIELD_RADIUS),
                   drag = open_view(world, DEM_FIELD_DRAG_COEFFICIENT),
                   liquid = open_view(world, DEM_FIELD_FLUID_VELOCITY);
    for (uint64_t k = 0; k < size.count; ++k) {
        *row(&drag, k) = 6.0 * pi * viscosity * *row(&size, k);
        for (int c = 0; c < 3; ++c)
            row(&liquid, k)[c] = 0.0;
    }
    /* 2: that it was written */
    check(world, dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT));
    check(world, dem_world_written_field(world, DEM_FIELD_FLUID_VELOCITY));
    /* 3: impulses from here on */
    check(world, dem_world_impulses_reset(world));
    /* 4: the world's own steps, which end with that of the fluid */
    check(world, dem_world_advance(world, fluid_dt, dt_max, NULL));
    /* 5: what the liquid gave, and gets back. You put it into the cells */
    return -sum(world, DEM_FIELD_DRAG_IMPULSE);
}

static dem_world *make(void)
{
    dem_world_config config;
    dem_error error = {0};
    dem_world *world = NULL;
    dem_material material;
    dem_actm law;
    dem_contact_model model;
    dem_wall bottom;
    check(world, dem_world_config_init(&config));
    config.gravity[2] = -earth * (1.0 - fluid_density / density); /* less the lift of the liquid */
    if (dem_world_create(&config, &world, &error) != DEM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    check(world, dem_material_init(&material));
    material.density = density;
    check(world, dem_material_set(world, 0, &material));
    check(world, dem_actm_init(&law));
    law.restitution = 0.7;
    law.contact_time = 20.0 * dt_max;
    law.speed_floor = earth * law.contact_time;
    law.load_acceleration = 2.0 * earth * EDGE;
    law.young[0] = 5e10;
    check(world, dem_contact_model_init(&model));
    check(world, dem_contact_model_add_actm(&model, &law));
    check(world, dem_contact_model_set(world, 0, 0, &model));
    check(world, dem_wall_init(&bottom));
    check(world, dem_wall_add(world, &bottom, NULL));
    for (int k = 0; k < EDGE * EDGE * EDGE; ++k) {
        const int layer = k / (EDGE * EDGE);
        dem_particle grain;
        check(world, dem_particle_init(&grain));
        grain.radius = radius;
        grain.position[0] = 2.2 * radius * (k % EDGE) + 0.3 * radius * layer;
        grain.position[1] = 2.2 * radius * (k / EDGE % EDGE) + 0.2 * radius * layer;
        grain.position[2] = (2.5 + 2.2 * layer) * radius;
        check(world, dem_particle_add(world, &grain, NULL));
    }
    return world;
}

static double balance(const dem_world *world)
{
    dem_world_energies e = {.struct_size = sizeof e};
    check(world, dem_world_energies_get(world, &e));
    return e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic +
           e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip + e.dissipated_drag -
           e.work_fluid;
}

int main(void)
{
    dem_world *world = make();
    const double start = balance(world);
    const double relaxation = 2.0 / 9.0 * density * radius * radius / viscosity;
    const double terminal = (1.0 - fluid_density / density) * earth * relaxation;
    const double mass = density * 4.0 / 3.0 * pi * radius * radius * radius,
                 count = EDGE * EDGE * EDGE;
    const double weight = count * mass * earth * (1.0 - fluid_density / density);
    double liquid = 0.0, bottom = 0.0; /* momentum */
    for (int k = 1, shown = 10; k <= FLUID_STEPS; ++k) {
        liquid += couple(world);
        bottom -= sum(world, DEM_FIELD_CONTACT_IMPULSE);
        if (k < shown)
            continue;
        shown *= 2;
        dem_world_counts counts = {.struct_size = sizeof counts};
        check(world, dem_world_counts_get(world, &counts));
        const double t = dem_world_time(world), speed = sum(world, DEM_FIELD_VELOCITY);
        printf("t %.3f s  fall %.6f m/s  alone %.6f m/s  contacts %d  momentum error %.1e  "
               "energy error %.1e\n",
               t, -speed / count, terminal * (1.0 - exp(-t / relaxation)), (int)counts.contacts,
               (mass * speed + weight * t + liquid + bottom) / (weight * t),
               (balance(world) - start) / start);
    }
    dem_world_destroy(world);
    return 0;
}
