/* SPDX-License-Identifier: MIT */
/**
 * @file calls.c
 * Fuzzer of a world: the input chooses calls and their numbers. A step that fails is none,
 * and what was set and stepped can be saved, restored, and goes on alike.
 */
#include "bytes.h"

#include "../support/any_model.h"

static uint64_t held;
static test_law_control control = {0, -1, 0.0};

static uint64_t hash_of(const dem_world *world)
{
    uint64_t hash = 0;
    FUZZ_PROMISE(dem_world_hash(world, &hash) == DEM_OK);
    return hash;
}

static dem_world *make_world(const dem_world_config *config)
{
    dem_world *world = NULL;
    if (dem_world_create(config, &world, NULL) != DEM_OK) {
        FUZZ_PROMISE(world == NULL && held == 0);
        return NULL;
    }
    const dem_law law = test_law(&control);
    FUZZ_PROMISE(dem_world_law_register(world, &law) == DEM_OK);
    return world;
}

/** Saves, restores into another world, and lets both make a step. */
static void save_and_restore(dem_world *world, double dt)
{
    uint64_t size = 0, again = 0;
    FUZZ_PROMISE(dem_world_snapshot_size(world, &size) == DEM_OK);
    uint8_t *bytes = malloc((size_t)size), *back = NULL;
    FUZZ_PROMISE(bytes != NULL && dem_world_snapshot(world, bytes, size, NULL) == DEM_OK);
    dem_world_config config;
    (void)dem_world_config_init(&config);
    dem_world *other = make_world(&config);
    const dem_status restored = dem_world_restore(other, bytes, size);
    if (restored != DEM_OK)
        fprintf(stderr, "%s\n", dem_world_error(other));
    FUZZ_PROMISE(restored == DEM_OK);
    FUZZ_PROMISE(dem_world_snapshot_size(other, &again) == DEM_OK && again == size);
    back = malloc((size_t)size);
    FUZZ_PROMISE(back != NULL && dem_world_snapshot(other, back, size, NULL) == DEM_OK);
    FUZZ_PROMISE(memcmp(bytes, back, (size_t)size) == 0);
    /* the other one's memory has no limit, and both have only room for what they needed so far */
    const dem_status status = dem_step(world, dt, 1), expected = dem_step(other, dt, 1);
    if (status != DEM_ERROR_MEMORY && expected != DEM_ERROR_MEMORY) {
        FUZZ_PROMISE(status == expected);
        FUZZ_PROMISE(hash_of(world) == hash_of(other));
    }
    dem_world_destroy(other);
    free(bytes);
    free(back);
}

static void vector(fuzz_bytes *from, double usual, double out[3])
{
    for (int c = 0; c < 3; ++c)
        out[c] = fuzz_number(from, usual);
}

static void add_particle(dem_world *world, fuzz_bytes *from)
{
    dem_particle p;
    (void)dem_particle_init(&p);
    p.id = fuzz_pick(from, 16);
    p.material = (int32_t)fuzz_pick(from, 3);
    p.mobility = (int32_t)fuzz_pick(from, 4);
    p.radius = fuzz_number(from, 0.5);
    p.mass = fuzz_number(from, 0.1);
    p.contact_mass = fuzz_number(from, 0.0);
    for (int c = 0; c < 3; ++c)
        p.position[c] = fuzz_number(from, (double)fuzz_pick(from, 6));
    if (p.mobility != DEM_MOBILITY_FIXED) {
        vector(from, 1.0, p.velocity);
        vector(from, 1.0, p.angular_velocity);
    }
    (void)dem_particle_add(world, &p, NULL);
}

static void add_wall(dem_world *world, fuzz_bytes *from)
{
    dem_wall wall;
    (void)dem_wall_init(&wall);
    wall.id = fuzz_pick(from, 24);
    wall.material = (int32_t)fuzz_pick(from, 3);
    vector(from, 0.0, wall.point);
    vector(from, 1.0, wall.normal);
    vector(from, 0.0, wall.velocity);
    if (fuzz_pick(from, 2)) {
        vector(from, 1.0, wall.angular_velocity);
        vector(from, 0.0, wall.pivot);
    }
    (void)dem_wall_add(world, &wall, NULL);
}

static void move_wall(dem_world *world, fuzz_bytes *from)
{
    const uint64_t id = fuzz_pick(from, 24);
    double v[3], w[3], pivot[3];
    dem_wall_servo servo;
    if (fuzz_pick(from, 2)) {
        (void)dem_wall_servo_init(&servo);
        vector(from, 1.0, servo.direction);
        servo.target = fuzz_number(from, 10.0);
        servo.speed = fuzz_number(from, 0.1);
        servo.gain = fuzz_number(from, 1e-3);
        servo.quantity = (int32_t)fuzz_pick(from, 4);
        (void)dem_wall_set_servo(world, id, servo.quantity == 0 ? NULL : &servo);
        return;
    }
    vector(from, 0.1, v);
    vector(from, 1.0, w);
    vector(from, 0.0, pivot);
    (void)dem_wall_set_motion(world, id, fuzz_pick(from, 2) ? v : NULL,
                              fuzz_pick(from, 2) ? w : NULL, fuzz_pick(from, 2) ? pivot : NULL);
}

static void write_view(dem_world *world, fuzz_bytes *from)
{
    static const int32_t fields[] = {DEM_FIELD_VELOCITY, DEM_FIELD_ANGULAR_VELOCITY,
                                     DEM_FIELD_EXTERNAL_FORCE, DEM_FIELD_EXTERNAL_TORQUE};
    const int32_t field = fields[fuzz_pick(from, 4)];
    dem_view view = {.struct_size = sizeof(view)};
    if (dem_world_view(world, field, &view) != DEM_OK || view.count == 0)
        return;
    const uint64_t row = fuzz_pick(from, view.count);
    vector(from, 0.0, (double *)(void *)((char *)view.data + row * view.stride));
    (void)dem_world_written_field(world, field);
}

static void read_all(const dem_world *world)
{
    dem_contact contact = {.struct_size = sizeof(contact)};
    dem_world_energies energies = {.struct_size = sizeof(energies)};
    dem_world_counts counts = {.struct_size = sizeof(counts)};
    uint64_t cursor = 0;
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK) {
    }
    FUZZ_PROMISE(dem_world_energies_get(world, &energies) == DEM_OK);
    FUZZ_PROMISE(dem_world_counts_get(world, &counts) == DEM_OK);
}

static void call_one(dem_world *world, fuzz_bytes *from)
{
    const any_source source = {from, fuzz_pick, fuzz_number};
    const uint64_t choice = fuzz_pick(from, 16), id = fuzz_pick(from, 16);
    dem_particle_handle handle = {(uint32_t)id, 1};
    (void)dem_particle_find(world, id, &handle);
    double x[3], y[3];
    any_parameters parameters;
    dem_contact_model model;
    dem_material material;
    switch (choice) {
    case 0:
    case 1:
        add_particle(world, from);
        break;
    case 2:
        (void)dem_particle_remove(world, handle);
        break;
    case 3:
        vector(from, 1.0, x);
        vector(from, 1.0, y);
        (void)dem_particle_set_motion(world, handle, fuzz_pick(from, 2) ? x : NULL,
                                      fuzz_pick(from, 2) ? y : NULL, NULL);
        break;
    case 4:
        vector(from, 1.0, x);
        (void)dem_particle_set_force(world, handle, x, fuzz_pick(from, 2) ? x : NULL);
        break;
    case 5:
        add_wall(world, from);
        break;
    case 6:
        (void)dem_wall_remove(world, fuzz_pick(from, 24));
        break;
    case 7:
        if (fuzz_pick(from, 2)) {
            move_wall(world, from);
            break;
        }
        vector(from, 0.1, x);
        (void)dem_wall_set_velocity(world, fuzz_pick(from, 24), x);
        break;
    case 8:
        model = any_model(&source, &parameters);
        (void)dem_contact_model_set(world, (int32_t)fuzz_pick(from, 3), (int32_t)fuzz_pick(from, 3),
                                    &model);
        break;
    case 9:
        (void)dem_material_init(&material);
        material.density = fuzz_number(from, 1000.0);
        (void)dem_material_set(world, (int32_t)fuzz_pick(from, 3), &material);
        break;
    case 10:
        vector(from, 0.0, x);
        (void)dem_world_gravity_set(world, x);
        break;
    case 11:
        write_view(world, from);
        break;
    case 12:
        save_and_restore(world, fuzz_number(from, 1e-4));
        break;
    case 13:
        read_all(world);
        break;
    default: {
        dem_world_counts before = {.struct_size = sizeof(before)}, after = before;
        const double dt = fuzz_number(from, 1e-4), time = dem_world_time(world);
        (void)dem_world_counts_get(world, &before);
        const dem_status status = dem_step(world, dt, 1);
        (void)dem_world_counts_get(world, &after);
        /* positions may have been brought into the box, which is no step */
        FUZZ_PROMISE(after.steps == before.steps + (status == DEM_OK));
        FUZZ_PROMISE(status == DEM_OK || dem_world_time(world) == time);
        FUZZ_PROMISE(after.particles == before.particles && after.walls == before.walls);
        (void)dem_step(world, dt, fuzz_pick(from, 20));
    }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes from = {data, size};
    dem_world_config config;
    (void)dem_world_config_init(&config);
    config.material_count = 1 + (int32_t)fuzz_pick(&from, 3);
    config.integrator = (int32_t)fuzz_pick(&from, 6);
    config.energy_tracking = (int32_t)fuzz_pick(&from, 2);
    config.isa = fuzz_pick(&from, 4) == 0 ? DEM_ISA_BASELINE : DEM_ISA_AUTO;
    config.skin = fuzz_number(&from, 0.0);
    config.overlap_limit = fuzz_number(&from, 0.95);
    for (int c = 0; c < 3; ++c) {
        config.boundary[c] = (int32_t)fuzz_pick(&from, 2);
        config.box_low[c] = fuzz_number(&from, 0.0);
        config.box_high[c] = fuzz_number(&from, 5.0);
    }
    vector(&from, 0.0, config.gravity);
    config.allocator = (dem_allocator){&held, fuzz_allocate, fuzz_release};
    dem_world *world = make_world(&config);
    if (world == NULL)
        return 0;
    const any_source source = {&from, fuzz_pick, fuzz_number};
    any_parameters parameters;
    for (int32_t a = 0; a < config.material_count; ++a) {
        const dem_contact_model model = any_model(&source, &parameters);
        (void)dem_contact_model_set(world, a, 0, &model);
    }
    for (int calls = 0; from.left > 0 && calls < 200; ++calls)
        call_one(world, &from);
    save_and_restore(world, 1e-4);
    dem_world_destroy(world);
    FUZZ_PROMISE(held == 0);
    return 0;
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    if (getenv("FUZZ_SEEDS") == NULL)
        return 0;
    fuzz_seeds_mixed(64, 600);
    exit(0);
}
