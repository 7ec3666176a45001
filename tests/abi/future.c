/* SPDX-License-Identifier: MIT */
/* A program of a later release, whose structs have all grown by `future`. This library refuses what
 * it does not know, and leaves the object as it was; of what it fills, new members are 0. */
#include <dem/dem.h>

#include <stdio.h>
#include <string.h>

static int failures;

static void expect(dem_status got, dem_status expected, const char *what)
{
    if (got != expected) {
        printf("%s: %s, expected %s\n", what, dem_status_string(got), dem_status_string(expected));
        ++failures;
    }
}

/* Gives a call a struct with a new member at its default, at another value, and back. */
#define REFUSED(init, what, call)                                                                  \
    do {                                                                                           \
        expect(init, DEM_OK, #init);                                                               \
        if ((what).future[2] != 0.0) {                                                             \
            printf(#init ": a new member is not 0\n");                                             \
            ++failures;                                                                            \
        }                                                                                          \
        (what).future[2] = 1.0;                                                                    \
        expect(call, DEM_ERROR_STRUCT_SIZE, #call);                                                \
        (what).future[2] = 0.0;                                                                    \
    } while (0)

#define FILLED(what, call)                                                                         \
    do {                                                                                           \
        memset(&(what), 0x5A, sizeof(what));                                                       \
        (what).struct_size = sizeof(what);                                                         \
        expect(call, DEM_OK, #call);                                                               \
        if ((what).future[0] != 0.0 || (what).future[2] != 0.0) {                                  \
            printf(#call ": a new member is not 0\n");                                             \
            ++failures;                                                                            \
        }                                                                                          \
    } while (0)

static dem_status combine(void *user, const void *parameters, dem_pair_properties *pair,
                          void *combined, dem_error *error)
{
    (void)user, (void)parameters, (void)pair, (void)combined, (void)error;
    return DEM_OK;
}

/* A law of a later release finds by struct_size that the batch lacks what came after. */
static dem_status evaluate(void *user, uint64_t n, dem_contact_batch *batch, const void *combined)
{
    (void)n, (void)combined;
    *(uint64_t *)user += batch->struct_size == sizeof(*batch) - sizeof(batch->future);
    return DEM_OK;
}

static void models(dem_world *world)
{
    static uint64_t evaluated;
    dem_contact_model model;
    dem_linear linear;
    dem_law law;
    expect(dem_contact_model_init(&model), DEM_OK, "model");
    REFUSED(dem_linear_init(&linear), linear,
            dem_contact_model_set(world, 0, 0,
                                  (dem_contact_model_init(&model),
                                   dem_contact_model_add_linear_csds(&model, &linear), &model)));
    linear.stiffness_normal = 1000.0;
    linear.restitution = 0.5;
    expect(dem_contact_model_set(world, 0, 0, &model), DEM_OK, "linear");
    REFUSED(dem_contact_model_init(&model), model, dem_contact_model_set(world, 0, 0, &model));
    expect(dem_law_init(&law), DEM_OK, "law");
    law.name = "future";
    law.kind = DEM_LAW_WHOLE;
    law.parameters_size = law.combined_size = sizeof(evaluated);
    law.combine = combine;
    law.evaluate = evaluate;
    law.user = &evaluated;
    law.future[2] = 1.0;
    expect(dem_world_law_register(world, &law), DEM_ERROR_STRUCT_SIZE, "law");
    law.future[2] = 0.0;
    expect(dem_world_law_register(world, &law), DEM_OK, dem_world_error(world));
    expect(dem_contact_model_init(&model), DEM_OK, "model");
    expect(dem_contact_model_add(&model, "future", &evaluated), DEM_OK, "model");
    expect(dem_contact_model_set(world, 0, 0, &model), DEM_OK, "model");
    dem_particle pair[2];
    for (int k = 0; k < 2; ++k) {
        REFUSED(dem_particle_init(&pair[k]), pair[k], dem_particle_add(world, &pair[k], NULL));
        pair[k].radius = 0.5;
        pair[k].mass = 1.0;
        pair[k].position[0] = 0.9 * k;
    }
    expect(dem_particles_add(world, 2, pair, NULL), DEM_OK, "particles");
    expect(dem_step(world, 1e-3, 1), DEM_OK, "step");
    if (evaluated == 0) {
        printf("the batch has another size than expected\n");
        ++failures;
    }
}

int main(void)
{
    dem_world *world = NULL;
    dem_world_config config;
    dem_material material;
    dem_wall wall;
    REFUSED(dem_world_config_init(&config), config, dem_world_create(&config, &world, NULL));
    expect(dem_world_create(&config, &world, NULL), DEM_OK, "world");
    REFUSED(dem_material_init(&material), material, dem_material_set(world, 0, &material));
    REFUSED(dem_wall_init(&wall), wall, dem_wall_add(world, &wall, NULL));
    wall.id = 10;
    wall.point[2] = -5.0;
    expect(dem_wall_add(world, &wall, NULL), DEM_OK, "wall");
    FILLED(wall, dem_wall_get(world, 10, &wall));
    models(world);

    dem_particle_handle handle;
    dem_particle particle;
    dem_world_energies energies;
    dem_world_counts counts;
    dem_view view;
    dem_contact contact;
    dem_timestep_advice advice;
    dem_timestep_request request;
    expect(dem_particle_find(world, 1, &handle), DEM_OK, "handle");
    FILLED(particle, dem_particle_get(world, handle, &particle));
    FILLED(energies, dem_world_energies_get(world, &energies));
    FILLED(counts, dem_world_counts_get(world, &counts));
    FILLED(view, dem_world_view(world, DEM_FIELD_POSITION, &view));
    uint64_t cursor = 0;
    FILLED(contact, dem_world_contact_next(world, &cursor, &contact));
    FILLED(advice, dem_world_timestep_advise(world, NULL, &advice));
    REFUSED(dem_timestep_request_init(&request), request,
            dem_world_timestep_advise(world, &request, &advice));
    dem_world_destroy(world);

    dem_contact_history_config how;
    dem_contact_history *history = NULL;
    dem_integrator_config scheme;
    dem_integrator *integrator = NULL;
    dem_contacts_input input;
    dem_integrator_arrays arrays;
    REFUSED(dem_contact_history_config_init(&how), how,
            dem_contact_history_create(&how, &history, NULL));
    expect(dem_contact_history_create(&how, &history, NULL), DEM_OK, "history");
    REFUSED(dem_integrator_config_init(&scheme), scheme,
            dem_integrator_create(&scheme, &integrator, NULL));
    expect(dem_integrator_create(&scheme, &integrator, NULL), DEM_OK, "integrator");
    REFUSED(dem_contacts_input_init(&input), input, dem_contacts_evaluate(history, &input, NULL));
    REFUSED(dem_integrator_arrays_init(&arrays), arrays,
            dem_integrator_begin(integrator, &arrays, 1e-3));
    dem_contact_history_destroy(history);
    dem_integrator_destroy(integrator);
    if (failures == 0)
        printf("what this library does not know is refused\n");
    return failures != 0;
}
