/* SPDX-License-Identifier: MIT */
/**
 * @file restart.c
 * Fuzzer of restarts: two worlds get the same calls. Now and then one of them is replaced by what
 * a snapshot of either restores, with other threads and instructions. Whatever is called between
 * two snapshots, both answer alike, and have the same bits.
 */
#include "bytes.h"

#include "../support/any_model.h"

#include <math.h>

enum { MATERIALS = 2, MOST_IDS = 256, FIRST_WALL = 1000, WALLS = 6, BODIES = 8 };
static const double DT = 1e-3, BOX = 6.0;
static test_law_control control = {0, -1, 0.0};
/** Whether there are films, which refuse bodies, walls that seek a force, and exact sums. */
static int films;

static double between(fuzz_bytes *from, double low, double high)
{
    return low + (high - low) * (double)fuzz_word(from, 2) / 65535.0;
}

static void vector(fuzz_bytes *from, double most, double out[3])
{
    for (int c = 0; c < 3; ++c)
        out[c] = between(from, -most, most);
}

static double usual(void *user, double number)
{
    return number * between(user, 0.9, 1.1);
}

/** An executor may run tasks in any order. */
static void last_first(void *user, void (*task)(void *argument, uint64_t k), void *argument,
                       uint64_t count)
{
    (void)user;
    while (count-- > 0)
        task(argument, count);
}

static void even_first(void *user, void (*task)(void *argument, uint64_t k), void *argument,
                       uint64_t count)
{
    (void)user;
    for (uint64_t odd = 0; odd < 2; ++odd)
        for (uint64_t k = odd; k < count; k += 2)
            task(argument, k);
}

static dem_world *make_world(const dem_world_config *how, fuzz_bytes *from)
{
    dem_world_config config = *how;
    dem_world *world = NULL;
    config.threads = 1 + (int32_t)fuzz_pick(from, 3);
    const uint64_t order = fuzz_pick(from, 4);
    if (order < 2)
        config.executor.run = order == 0 ? last_first : even_first;
    config.isa = fuzz_pick(from, 2) ? DEM_ISA_BASELINE : DEM_ISA_AUTO;
    FUZZ_PROMISE(dem_world_create(&config, &world, NULL) == DEM_OK);
    const dem_law law = test_law(&control);
    FUZZ_PROMISE(dem_world_law_register(world, &law) == DEM_OK);
    return world;
}

static dem_view view_of(dem_world *world, int32_t field)
{
    dem_view view = {.struct_size = sizeof(view)};
    if (dem_world_view(world, field, &view) != DEM_OK)
        view.count = 0;
    return view;
}

static double *at(const dem_view *view, uint64_t row)
{
    return (double *)(void *)((char *)view->data + row * view->stride);
}

/** The row of a particle, which is another one in a world that has closed gaps; or the count. */
static uint64_t row_of(const dem_view *view, uint64_t id)
{
    uint64_t row = 0;
    while (row < view->count && view->id[row] != id)
        ++row;
    return row;
}

/* ------------------------------------------------------------------ calls */

typedef dem_status call(dem_world *world, fuzz_bytes *from);

static dem_status step(dem_world *world, fuzz_bytes *from)
{
    const double dt = fuzz_pick(from, 4) ? DT : 0.7 * DT;
    return dem_step(world, dt, fuzz_pick(from, 24));
}

static dem_status many_steps(dem_world *world, fuzz_bytes *from)
{
    return dem_step(world, DT, 60 + fuzz_pick(from, 20));
}

static dem_status advance(dem_world *world, fuzz_bytes *from)
{
    return dem_world_advance(world, between(from, 0.0, 12.0) * DT, DT, NULL);
}

static dem_status set_models(dem_world *world, fuzz_bytes *from)
{
    const any_source source = {from, fuzz_pick, usual};
    any_parameters parameters;
    dem_film film;
    for (int32_t a = 0; a < MATERIALS; ++a)
        for (int32_t b = a; b < MATERIALS; ++b) {
            dem_contact_model model = any_model(&source, &parameters);
            (void)dem_film_init(&film);
            film.viscosity = between(from, 0.01, 5.0);
            film.gap_min = between(from, 1e-4, 1e-2);
            film.gap_max = film.gap_min + between(from, 0.02, 0.2);
            film.terms = fuzz_pick(from, 4);
            if (films && fuzz_pick(from, 4))
                (void)dem_contact_model_add_film(&model, &film);
            const dem_status status = dem_contact_model_set(world, a, b, &model);
            if (status != DEM_OK)
                return status;
        }
    return DEM_OK;
}

static dem_status add_particle(dem_world *world, fuzz_bytes *from)
{
    dem_particle p;
    (void)dem_particle_init(&p);
    p.radius = between(from, 0.3, fuzz_pick(from, 8) ? 0.5 : 1.2);
    p.mass = 0.1;
    p.material = (int32_t)fuzz_pick(from, MATERIALS);
    p.mobility = fuzz_pick(from, 8) ? DEM_MOBILITY_FREE : DEM_MOBILITY_FIXED;
    for (int c = 0; c < 3; ++c)
        p.position[c] = between(from, 0.5, BOX - 0.5);
    p.position[2] += BOX + (double)fuzz_pick(from, 32);
    if (p.mobility == DEM_MOBILITY_FREE)
        vector(from, 1.0, p.velocity);
    return dem_particle_add(world, &p, NULL);
}

static dem_status change_particle(dem_world *world, fuzz_bytes *from)
{
    dem_particle_handle handle;
    dem_particle p = {.struct_size = sizeof(p)};
    dem_status status = dem_particle_find(world, fuzz_pick(from, MOST_IDS), &handle);
    const uint64_t what = fuzz_pick(from, 5);
    double load[3];
    vector(from, 1.0, load);
    if (status == DEM_OK)
        status = dem_particle_get(world, handle, &p);
    if (status != DEM_OK)
        return status;
    if (what == 0)
        return dem_particle_remove(world, handle);
    if (what == 1)
        return dem_particle_set_force(world, handle, load, fuzz_pick(from, 2) ? load : NULL);
    if (what == 2) /* what was read */
        return dem_particle_set_motion(world, handle, p.position, p.velocity, p.angular_velocity);
    p.position[2] += 0.01;
    p.velocity[0] += 0.1;
    return dem_particle_set_motion(world, handle, what == 3 ? p.position : NULL,
                                   what == 4 ? p.velocity : NULL, NULL);
}

/** A step that a number makes fail, which the host then takes back. */
static dem_status fail(dem_world *world, fuzz_bytes *from)
{
    static const double numbers[] = {NAN, INFINITY, 1e300, -1e308};
    static const int32_t fields[] = {DEM_FIELD_EXTERNAL_FORCE, DEM_FIELD_EXTERNAL_TORQUE,
                                     DEM_FIELD_VELOCITY};
    const int32_t field = fields[fuzz_pick(from, 3)];
    const double number = numbers[fuzz_pick(from, 4)];
    const uint64_t id = fuzz_pick(from, MOST_IDS), component = fuzz_pick(from, 3),
                   steps = fuzz_pick(from, 24);
    dem_view view = view_of(world, field);
    uint64_t row = row_of(&view, id);
    if (row == view.count)
        return DEM_OK;
    const double kept = at(&view, row)[component];
    at(&view, row)[component] = number;
    (void)dem_world_written_field(world, field);
    const dem_status status = dem_step(world, DT, steps);
    view = view_of(world, field);
    row = row_of(&view, id);
    at(&view, row)[component] = kept;
    (void)dem_world_written_field(world, field);
    return status;
}

static dem_status write_velocities(dem_world *world, fuzz_bytes *from)
{
    const int32_t field = fuzz_pick(from, 2) ? DEM_FIELD_VELOCITY : DEM_FIELD_ANGULAR_VELOCITY;
    const dem_view view = view_of(world, field);
    const uint64_t row = row_of(&view, fuzz_pick(from, MOST_IDS));
    if (row < view.count && fuzz_pick(from, 2) && at(&view, row)[0] != 0.0)
        at(&view, row)[0] += between(from, -0.1, 0.1);
    return fuzz_pick(from, 2) ? dem_world_written_field(world, field) : dem_world_written(world);
}

/** A column of one or three numbers, which follow from ids. */
static dem_status write_field(dem_world *world, fuzz_bytes *from)
{
    static const int32_t fields[] = {DEM_FIELD_EXTERNAL_FORCE,   DEM_FIELD_EXTERNAL_TORQUE,
                                     DEM_FIELD_DRAG_COEFFICIENT, DEM_FIELD_FLUID_VELOCITY,
                                     DEM_FIELD_ROTATIONAL_DRAG,  DEM_FIELD_FLUID_ANGULAR_VELOCITY,
                                     DEM_FIELD_ADDED_MASS,       DEM_FIELD_HOST};
    const int32_t field = fields[fuzz_pick(from, 8)];
    const uint64_t every = 1 + fuzz_pick(from, 5);
    const double value = between(from, 0.0, 1.0);
    const dem_view view = view_of(world, field);
    for (uint64_t row = 0; row < view.count; ++row)
        if (view.id[row] != 0)
            at(&view, row)[0] = view.id[row] % every ? value : 0.0;
    return view.count > 0 ? dem_world_written_field(world, field) : DEM_OK;
}

static dem_status change_wall(dem_world *world, fuzz_bytes *from)
{
    const uint64_t what = fuzz_pick(from, 4), id = FIRST_WALL + fuzz_pick(from, WALLS);
    double v[3], w[3], pivot[3];
    dem_wall wall;
    dem_wall_servo servo;
    vector(from, 0.2, v);
    vector(from, 1.0, w);
    vector(from, 0.5, pivot);
    if (what == 0)
        return dem_wall_set_velocity(world, id, v);
    if (what == 1)
        return dem_wall_set_motion(world, id, v, w, fuzz_pick(from, 2) ? pivot : NULL);
    if (what == 2) {
        (void)dem_wall_servo_init(&servo);
        servo.target = between(from, -20.0, 20.0);
        servo.gain = between(from, 1e-4, 1e-3);
        servo.speed = 0.2;
        servo.quantity = 1 + (int32_t)fuzz_pick(from, 3);
        servo.area = servo.quantity == DEM_SERVO_PRESSURE ? between(from, 0.0, 3.0) : 0.0;
        if (fuzz_pick(from, 2))
            vector(from, 1.0, servo.direction);
        return dem_wall_set_servo(world, id, fuzz_pick(from, 4) ? &servo : NULL);
    }
    if (id > FIRST_WALL && dem_wall_remove(world, id) == DEM_OK)
        return DEM_OK;
    (void)dem_wall_init(&wall);
    wall.id = id;
    static const struct {
        int32_t shape, side, lengths;
    } shapes[] = {{DEM_SHAPE_BALL, DEM_SIDE_OUTSIDE, 1}, {DEM_SHAPE_DISC, DEM_SIDE_BOTH, 1},
                  {DEM_SHAPE_BOX, DEM_SIDE_OUTSIDE, 3},  {DEM_SHAPE_CYLINDER, DEM_SIDE_OUTSIDE, 2},
                  {DEM_SHAPE_CONE, DEM_SIDE_OUTSIDE, 3}, {DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, 2}};
    const uint64_t shape = fuzz_pick(from, sizeof shapes / sizeof shapes[0]);
    wall.shape = shapes[shape].shape;
    wall.side = shapes[shape].side;
    for (int32_t c = 0; c < shapes[shape].lengths; ++c)
        wall.size[c] = between(from, 0.3, 1.5);
    for (int c = 0; c < 3; ++c)
        wall.point[c] = between(from, 0.0, BOX);
    wall.point[2] += BOX * between(from, 0.2, 2.0);
    return dem_wall_add(world, &wall, NULL);
}

static dem_status add_body(dem_world *world, fuzz_bytes *from)
{
    const uint64_t count = 1 + fuzz_pick(from, 3);
    dem_body body;
    dem_body_part parts[3];
    (void)dem_body_init(&body);
    for (uint64_t k = 0; k < count; ++k) {
        (void)dem_body_part_init(&parts[k]);
        parts[k].radius = 0.3;
        parts[k].centre[0] = 0.25 * (double)k;
        parts[k].centre[1] = 0.1 * (double)(k * k);
    }
    FUZZ_PROMISE(dem_clump_measure(0.3, count, parts, &body, NULL, NULL) == DEM_OK);
    for (int c = 0; c < 3; ++c)
        body.position[c] = between(from, 1.0, BOX - 1.0);
    body.position[2] += BOX + (double)fuzz_pick(from, 32);
    vector(from, 1.0, body.velocity);
    vector(from, 2.0, body.angular_velocity);
    return dem_body_add(world, &body, count, parts, NULL);
}

static dem_status change_body(dem_world *world, fuzz_bytes *from)
{
    dem_body_handle handle;
    dem_body body = {.struct_size = sizeof(body)};
    dem_status status = dem_body_find(world, 1 + fuzz_pick(from, BODIES), &handle);
    const uint64_t what = fuzz_pick(from, 3);
    double load[3];
    vector(from, 1.0, load);
    if (status == DEM_OK)
        status = dem_body_get(world, handle, &body);
    if (status != DEM_OK)
        return status;
    if (what == 0)
        return dem_body_remove(world, handle);
    if (what == 1)
        return dem_body_set_force(world, handle, load, load);
    body.velocity[0] += fuzz_pick(from, 2) ? 0.1 : 0.0;
    return dem_body_set_motion(world, handle, body.position, body.orientation, body.velocity,
                               body.angular_velocity);
}

static dem_status set_others(dem_world *world, fuzz_bytes *from)
{
    const double gravity[3] = {between(from, -1.0, 1.0), 0.0, -10.0};
    dem_material material;
    (void)dem_material_init(&material);
    material.density = between(from, 1.0, 3.0);
    return fuzz_pick(from, 2)
               ? dem_world_gravity_set(world, gravity)
               : dem_material_set(world, (int32_t)fuzz_pick(from, MATERIALS), &material);
}

static dem_status keep_memory(dem_world *world, fuzz_bytes *from)
{
    return fuzz_pick(from, 2) ? dem_world_shrink(world) : dem_world_impulses_reset(world);
}

static call *const calls[] = {step,
                              step,
                              step,
                              step,
                              many_steps,
                              advance,
                              set_models,
                              add_particle,
                              add_particle,
                              change_particle,
                              change_particle,
                              fail,
                              write_velocities,
                              write_field,
                              write_field,
                              change_wall,
                              change_wall,
                              add_body,
                              change_body,
                              set_others,
                              keep_memory};
enum { CALLS = sizeof calls / sizeof calls[0] };

static dem_status call_one(dem_world *world, fuzz_bytes *from)
{
    return calls[fuzz_pick(from, CALLS)](world, from);
}

static unsigned char *snapshot_of(const dem_world *world, uint64_t *size)
{
    FUZZ_PROMISE(dem_world_snapshot_size(world, size) == DEM_OK);
    unsigned char *bytes = malloc((size_t)*size);
    FUZZ_PROMISE(bytes != NULL && dem_world_snapshot(world, bytes, *size, NULL) == DEM_OK);
    return bytes;
}

/** Some calls between a mark and a rewind, which brings every byte back unless one ended the mark.
 */
static dem_status mark_and_rewind(dem_world *world, fuzz_bytes *from)
{
    uint64_t size, again;
    dem_status status = dem_world_mark(world);
    if (status != DEM_OK)
        return status;
    unsigned char *bytes = snapshot_of(world, &size), *back;
    for (uint64_t count = 1 + fuzz_pick(from, 4); count > 0; --count)
        (void)call_one(world, from);
    status = dem_world_rewind(world);
    if (status == DEM_OK) {
        back = snapshot_of(world, &again);
        FUZZ_PROMISE(again == size && memcmp(bytes, back, (size_t)size) == 0);
        free(back);
    }
    free(bytes);
    return status;
}

/* ------------------------------------------------------------------ two worlds */

static void fill(dem_world *world, fuzz_bytes *from)
{
    const uint64_t count = 1 + fuzz_pick(from, 150);
    dem_wall wall;
    (void)set_models(world, from);
    (void)dem_wall_init(&wall);
    wall.id = FIRST_WALL;
    FUZZ_PROMISE(dem_wall_add(world, &wall, NULL) == DEM_OK);
    for (uint64_t k = 0; k < count; ++k) {
        dem_particle p;
        (void)dem_particle_init(&p);
        p.radius = between(from, 0.3, 0.5);
        p.mass = 0.1;
        p.material = (int32_t)fuzz_pick(from, MATERIALS);
        vector(from, 0.05, p.position);
        p.position[0] += 0.5 + (double)(k % 6);
        p.position[1] += 0.5 + (double)(k / 6 % 6);
        p.position[2] += 0.6 + (double)(k / 36);
        vector(from, 1.0, p.velocity);
        vector(from, 3.0, p.angular_velocity);
        FUZZ_PROMISE(dem_particle_add(world, &p, NULL) == DEM_OK);
    }
}

static dem_world *restored(const dem_world *world, const dem_world_config *config, fuzz_bytes *from)
{
    uint64_t size;
    unsigned char *bytes = snapshot_of(world, &size);
    dem_world *other = make_world(config, from);
    const dem_status status = dem_world_restore(other, bytes, size);
    if (status != DEM_OK)
        fprintf(stderr, "%s\n", dem_world_error(other));
    FUZZ_PROMISE(status == DEM_OK);
    free(bytes);
    return other;
}

static void compare(const dem_world *a, const dem_world *b)
{
    uint64_t hash[2] = {0, 1};
    dem_world_energies energies[2] = {{.struct_size = sizeof(dem_world_energies)},
                                      {.struct_size = sizeof(dem_world_energies)}};
    dem_world_counts counts[2] = {{.struct_size = sizeof(dem_world_counts)},
                                  {.struct_size = sizeof(dem_world_counts)}};
    FUZZ_PROMISE(dem_world_hash(a, &hash[0]) == DEM_OK && dem_world_hash(b, &hash[1]) == DEM_OK);
    FUZZ_PROMISE(hash[0] == hash[1]);
    (void)dem_world_energies_get(a, &energies[0]);
    (void)dem_world_energies_get(b, &energies[1]);
    FUZZ_PROMISE(memcmp(&energies[0], &energies[1], sizeof energies[0]) == 0);
    (void)dem_world_counts_get(a, &counts[0]);
    (void)dem_world_counts_get(b, &counts[1]);
    FUZZ_PROMISE(counts[0].particles == counts[1].particles &&
                 counts[0].contacts == counts[1].contacts && counts[0].steps == counts[1].steps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_VERLET_SYNC,
                                      DEM_INTEGRATOR_VERLET_STANDARD, DEM_INTEGRATOR_LEAPFROG,
                                      DEM_INTEGRATOR_SYMPLECTIC_EULER};
    fuzz_bytes from = {data, size};
    dem_world_config config;
    (void)dem_world_config_init(&config);
    config.material_count = MATERIALS;
    config.gravity[2] = -10.0;
    config.integrator = schemes[fuzz_pick(&from, 5)];
    config.energy_tracking = (int32_t)fuzz_pick(&from, 2);
    config.host_doubles = fuzz_pick(&from, 2);
    config.chunk_rows = fuzz_pick(&from, 2) ? 8 * (1 + fuzz_pick(&from, 8)) : 0;
    config.overlap_limit = 0.9;
    films = fuzz_pick(&from, 4) == 0;
    if (fuzz_pick(&from, 4) == 0 && !films) {
        config.sums = DEM_SUMS_EXACT;
        config.force_range = config.torque_range = 1e5;
    }
    for (int c = 0; c < 2; ++c)
        if (fuzz_pick(&from, 2)) {
            config.boundary[c] = DEM_BOUNDARY_PERIODIC;
            config.box_high[c] = BOX;
        }
    dem_world *worlds[2] = {make_world(&config, &from), NULL};
    fill(worlds[0], &from);
    worlds[1] = restored(worlds[0], &config, &from);
    for (int n = 0; from.left > 0 && n < 200; ++n) {
        if (fuzz_pick(&from, 3) == 0) {
            dem_world *next = restored(worlds[fuzz_pick(&from, 2)], &config, &from);
            dem_world_destroy(worlds[1]);
            worlds[1] = next;
        }
        call *const chosen = fuzz_pick(&from, 8) ? call_one : mark_and_rewind;
        fuzz_bytes same = from;
        const dem_status status = chosen(worlds[0], &from), other = chosen(worlds[1], &same);
        FUZZ_PROMISE(status == other);
        FUZZ_PROMISE(status == DEM_OK ||
                     strcmp(dem_world_error(worlds[0]), dem_world_error(worlds[1])) == 0);
        FUZZ_PROMISE(from.left == same.left);
        compare(worlds[0], worlds[1]);
    }
    dem_world_destroy(worlds[0]);
    dem_world_destroy(worlds[1]);
    return 0;
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    if (getenv("FUZZ_SEEDS") == NULL)
        return 0;
    fuzz_seeds_mixed(24, 4000);
    exit(0);
}
