/* SPDX-License-Identifier: MIT */
/* A program of 0.2: all three levels, all structs that may grow. It prints what every library with
 * this soname must give it; figures have so few digits that the order of sums does not show. */
#include <dem/dem.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(dem_status status, const char *what, const char *message)
{
    if (status == DEM_OK)
        return;
    fprintf(stderr, "%s: %s: %s\n", what, dem_status_string(status), message);
    exit(1);
}

#define WORLD(call) check(call, #call, dem_world_error(world))
#define INIT(call) check(call, #call, "")

/* A law of the host's: a spring and a dashpot, with a slot that counts evaluations. */
typedef struct spring {
    double stiffness, damping;
} spring;

static dem_status spring_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                 void *combined, dem_error *error)
{
    (void)user, (void)pair, (void)error;
    memcpy(combined, parameters, sizeof(spring));
    return DEM_OK;
}

static dem_status spring_evaluate(void *user, uint64_t n, dem_contact_batch *batch,
                                  const void *combined)
{
    (void)user;
    const spring *s = combined;
    for (uint64_t k = 0; k < n; ++k) {
        if (batch->touching[k] == 0.0)
            continue;
        double closing = 0.0;
        for (uint64_t c = 0; c < 3; ++c)
            closing -=
                batch->velocity[c * DEM_BATCH_SIZE + k] * batch->normal[c * DEM_BATCH_SIZE + k];
        batch->force_normal[k] = s->stiffness * batch->overlap[k] + s->damping * closing;
        batch->elastic_energy[k] = 0.5 * s->stiffness * batch->overlap[k] * batch->overlap[k];
    }
    return DEM_OK;
}

static void models_set(dem_world *world)
{
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_rolling rolling;
    dem_contact_model model;
    INIT(dem_hertz_init(&hertz));
    INIT(dem_mindlin_init(&mindlin));
    INIT(dem_rolling_init(&rolling));
    INIT(dem_contact_model_init(&model));
    hertz.young[0] = hertz.young[1] = 1e7;
    hertz.poisson[0] = hertz.poisson[1] = 0.3;
    hertz.restitution = 0.8;
    mindlin.friction = 0.5;
    rolling.stiffness = 100.0;
    rolling.friction = 0.1;
    INIT(dem_contact_model_add_hertz(&model, &hertz));
    INIT(dem_contact_model_add_mindlin(&model, &mindlin));
    INIT(dem_contact_model_add_rolling_csds(&model, &rolling));
    WORLD(dem_contact_model_set(world, 0, 0, &model));

    static const spring parameters = {1e4, 1.0};
    dem_law law;
    INIT(dem_law_init(&law));
    law.name = "spring";
    law.kind = DEM_LAW_WHOLE;
    law.parameters_size = law.combined_size = sizeof(spring);
    law.combine = spring_combine;
    law.evaluate = spring_evaluate;
    WORLD(dem_world_law_register(world, &law));
    INIT(dem_contact_model_init(&model));
    INIT(dem_contact_model_add(&model, "spring", &parameters));
    WORLD(dem_contact_model_set(world, 0, 1, &model));
}

static dem_world *world_make(void)
{
    dem_world_config config;
    dem_world *world = NULL;
    dem_error error;
    dem_material material;
    INIT(dem_world_config_init(&config));
    config.gravity[2] = -9.81;
    config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[1] = 0.1;
    config.material_count = 2;
    check(dem_world_create(&config, &world, &error), "world", error.message);
    models_set(world);
    INIT(dem_material_init(&material));
    material.density = 2500.0;
    WORLD(dem_material_set(world, 0, &material));
    return world;
}

/* A floor and a pile of three: two grains side by side, and one that rolls on them. */
static void world_fill(dem_world *world)
{
    dem_wall floor;
    dem_particle grains[3];
    INIT(dem_wall_init(&floor));
    floor.id = 10;
    floor.material = 1;
    WORLD(dem_wall_add(world, &floor, NULL));
    for (int k = 0; k < 3; ++k) {
        INIT(dem_particle_init(&grains[k]));
        grains[k].id = (uint64_t)k + 1;
        grains[k].radius = 0.01;
        grains[k].position[0] = 0.05 + (k < 2 ? 0.02 * k : 0.0105);
        grains[k].position[1] = 0.099;
        grains[k].position[2] = k < 2 ? 0.01 : 0.0273;
    }
    WORLD(dem_particles_add(world, 3, grains, NULL));
}

static void world_print(dem_world *world)
{
    dem_contact contact = {.struct_size = sizeof contact};
    dem_world_energies energies = {.struct_size = sizeof energies};
    dem_world_counts counts = {.struct_size = sizeof counts};
    dem_wall floor = {.struct_size = sizeof floor};
    WORLD(dem_world_counts_get(world, &counts));
    WORLD(dem_world_energies_get(world, &energies));
    WORLD(dem_wall_get(world, 10, &floor));
    printf("t %.4f steps %" PRIu64 " particles %" PRIu64 " walls %" PRIu64 " contacts %" PRIu64
           "\n",
           dem_world_time(world), counts.steps, counts.particles, counts.walls, counts.contacts);
    printf("potential %.4g elastic %.3g floor %.4g\n", energies.potential, energies.elastic,
           floor.force[2]);
    for (uint64_t id = 1; id <= 3; ++id) {
        dem_particle_handle handle;
        dem_particle p = {.struct_size = sizeof p};
        WORLD(dem_particle_find(world, id, &handle));
        WORLD(dem_particle_get(world, handle, &p));
        printf("grain %" PRIu64 " x %.5f z %.5f mass %.5g\n", id, p.position[0], p.position[2],
               p.mass);
    }
    double normal = 0.0;
    for (uint64_t cursor = 0; dem_world_contact_next(world, &cursor, &contact) == DEM_OK;)
        normal += contact.force_normal[2] * contact.normal[2];
    printf("vertical parts of normal forces %.3g\n", normal);
}

static void world_advise(dem_world *world)
{
    dem_timestep_request request;
    dem_timestep_advice advice = {.struct_size = sizeof advice};
    dem_pair_value value = {.struct_size = sizeof value};
    INIT(dem_timestep_request_init(&request));
    request.speed = 1.0;
    WORLD(dem_world_timestep_advise(world, &request, &advice));
    WORLD(dem_world_pair_value(world, 0, 0, 0, &value));
    printf("rayleigh %.4g stability %.4g %s of %s %.5g\n", advice.rayleigh, advice.stability,
           value.name, value.law, value.value);
}

/* Views, forces from outside, and a snapshot that goes on alike. */
static void world_exchange(dem_world *world)
{
    dem_view view = {.struct_size = sizeof view};
    WORLD(dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, &view));
    for (uint64_t row = 0; row < view.count; ++row)
        *(double *)(void *)((char *)view.data + row * view.stride + 2 * sizeof(double)) = -0.01;
    WORLD(dem_world_written_field(world, DEM_FIELD_EXTERNAL_FORCE));
    uint64_t size, hash[2];
    WORLD(dem_world_snapshot_size(world, &size));
    void *bytes = malloc((size_t)size);
    if (bytes == NULL)
        exit(1);
    WORLD(dem_world_snapshot(world, bytes, size, NULL));
    WORLD(dem_step(world, 1e-5, 500));
    WORLD(dem_world_hash(world, &hash[0]));
    WORLD(dem_world_restore(world, bytes, size));
    WORLD(dem_step(world, 1e-5, 500));
    WORLD(dem_world_hash(world, &hash[1]));
    printf("restored goes on %s\n", hash[0] == hash[1] ? "alike" : "otherwise");
    free(bytes);
}

/* Two spheres of a host meet head on. */
static void host_collide(void)
{
    double x[2][3] = {{0.0}, {0.0202}}, v[2][3] = {{1.0}, {-1.0}}, w[2][3] = {{0.0}},
           f[2][3] = {{0.0}}, t[2][3] = {{0.0}}, radius[2] = {0.01, 0.01}, mass[2] = {0.01, 0.01},
           inertia[2] = {4e-7, 4e-7};
    const uint32_t pair[2] = {0, 1};
    dem_contact_history_config how;
    dem_integrator_config scheme;
    dem_contact_history *history = NULL;
    dem_integrator *integrator = NULL;
    dem_linear linear;
    dem_contact_model model;
    dem_error error;
    INIT(dem_contact_history_config_init(&how));
    INIT(dem_integrator_config_init(&scheme));
    check(dem_contact_history_create(&how, &history, &error), "history", error.message);
    check(dem_integrator_create(&scheme, &integrator, &error), "integrator", error.message);
    INIT(dem_linear_init(&linear));
    linear.stiffness_normal = 1e5;
    linear.restitution = 0.5;
    INIT(dem_contact_model_init(&model));
    INIT(dem_contact_model_add_linear_csds(&model, &linear));
    check(dem_contact_history_model_set(history, 0, 0, &model), "model",
          dem_contact_history_error(history));
    dem_integrator_arrays arrays;
    INIT(dem_integrator_arrays_init(&arrays));
    arrays.count = 2;
    arrays.position = x[0], arrays.velocity = v[0], arrays.angular_velocity = w[0];
    arrays.force = f[0], arrays.torque = t[0];
    arrays.mass = mass, arrays.inertia = inertia;
    dem_contacts_input input;
    INIT(dem_contacts_input_init(&input));
    input.particle_count = 2;
    input.position = x[0], input.velocity = v[0], input.angular_velocity = w[0];
    input.force = f[0], input.torque = t[0];
    input.radius = radius, input.mass = mass;
    input.pairs = pair, input.pair_count = 1;
    double lost = 0.0;
    uint64_t met = 0;
    for (int step = 0; step < 2000; ++step) {
        dem_contact_totals totals = {.struct_size = sizeof totals};
        dem_contact contact = {.struct_size = sizeof contact};
        uint64_t cursor = 0;
        check(dem_integrator_begin(integrator, &arrays, 1e-6), "begin",
              dem_integrator_error(integrator));
        memset(f, 0, sizeof f);
        memset(t, 0, sizeof t);
        check(dem_integrator_prepare(integrator, &input), "prepare",
              dem_integrator_error(integrator));
        check(dem_contacts_evaluate(history, &input, &totals), "evaluate",
              dem_contact_history_error(history));
        check(dem_integrator_end(integrator, &arrays), "end", dem_integrator_error(integrator));
        lost += totals.dissipated_normal;
        met += dem_contact_history_next(history, &cursor, &contact) == DEM_OK;
    }
    printf("restitution %.2f lost %.2g J in %.2g s\n", (v[1][0] - v[0][0]) / 2.0, lost,
           1e-6 * (double)met);
    dem_contact_history_destroy(history);
    dem_integrator_destroy(integrator);
}

int main(void)
{
    double time;
    INIT(dem_collision_time_hooke(0.005, 1e5, &time));
    printf("contact time %.4g s\n", time);
    dem_world *world = world_make();
    world_fill(world);
    world_advise(world);
    WORLD(dem_step(world, 1e-5, 2000));
    world_print(world);
    world_exchange(world);
    dem_world_destroy(world);
    host_collide();
    return 0;
}
