/* SPDX-License-Identifier: MIT */
/**
 * @file mark.c
 * A world that goes back to its mark has the bytes of a snapshot made there, whatever happened in
 * between, and goes on with the same bits.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/meshes.h"
#include "../support/busy.h"
#include "../support/emulated.h"

#include <string.h>

#define REFUSE(call, status, words)                                                                \
    do {                                                                                           \
        assert_int_equal(call, status);                                                            \
        assert_non_null(strstr(dem_world_error(world), words));                                    \
    } while (0)

typedef struct heap {
    int64_t left; /* allocations that still succeed; negative: all */
} heap;

static void *heap_allocate(void *user, uint64_t size, uint64_t alignment)
{
    heap *h = user;
    if (h->left == 0)
        return NULL;
    h->left -= h->left > 0;
    void *p = NULL;
    return posix_memalign(&p, (size_t)alignment, (size_t)size) == 0 ? p : NULL;
}

static void heap_release(void *user, void *pointer, uint64_t size)
{
    (void)user;
    if (pointer != NULL)
        memset(pointer, 0xA5, (size_t)size); /* what is used after its end shows */
    free(pointer);
}

static dem_world_config heap_config(heap *h)
{
    dem_world_config config = scene_config();
    config.allocator.user = h;
    config.allocator.allocate = heap_allocate;
    config.allocator.release = heap_release;
    return config;
}

/** Rows and contacts as they stand, beside the bytes of the snapshot. */
typedef struct kept {
    unsigned char *bytes;
    uint64_t size;
} kept;

static kept keep(const dem_world *world)
{
    kept k;
    k.bytes = busy_snapshot(world, &k.size);
    return k;
}

static void same(const dem_world *world, const kept *k)
{
    kept now = keep(world);
    assert_int_equal(now.size, k->size);
    assert_memory_equal(now.bytes, k->bytes, (size_t)k->size);
    free(now.bytes);
}

/** Something that leaves a mark as it is. */
static void anything(dem_world *world, test_random *random)
{
    dem_view view = {.struct_size = sizeof view};
    dem_particle_handle handle;
    const double push[3] = {test_uniform(random, -1.0, 1.0), 0.3, -0.1},
                 gravity[3] = {0.0, test_uniform(random, -3.0, 3.0), -9.0};
    dem_material material;
    switch ((int)test_uniform(random, 0.0, 9.0)) {
    case 0:
        OK(dem_particle_find(world, 5, &handle));
        OK(dem_particle_set_force(world, handle, push, push));
        break;
    case 1:
        OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
        for (uint64_t n = 0; n < view.count; n += 7)
            if (view.id[n] % 29 != 4) /* not a fixed one */
                ((double *)((char *)view.data + n * view.stride))[2] *= 0.5;
        OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
        break;
    case 2:
        OK(dem_world_gravity_set(world, gravity));
        break;
    case 3:
        OK(dem_wall_set_velocity(world, 70000, push));
        break;
    case 4:
        OK(dem_material_init(&material));
        material.density = 1234.0;
        OK(dem_material_set(world, 1, &material));
        break;
    case 5: /* a step that is undone */
        assert_int_equal(dem_step(world, 1e3, 1), DEM_ERROR_RANGE);
        break;
    case 6:
        OK(dem_particle_find(world, 8, &handle));
        OK(dem_particle_set_motion(world, handle, NULL, push, NULL));
        break;
    default:
        OK(dem_step(world, test_uniform(random, 0.3, 1.0) * BUSY_DT,
                    (uint64_t)test_uniform(random, 0.0, 60.0)));
    }
}

static void same_bytes_whatever_happened(void **state)
{
    (void)state;
    const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_LEAPFROG};
    test_random random = {UINT64_C(0x9E3779B97F4A7C15)};
    for (int k = 0; k < 4; k += test_slow() ? 3 : 1) {
        dem_world_config config = scene_config();
        config.integrator = schemes[k % 2];
        config.threads = 1 + k / 2;
        dem_world *world = busy_world(5, 4, &config), *twin = busy_world(5, 4, &config);
        for (int turn = 0; turn < (test_slow() ? 4 : 12); ++turn) {
            OK(dem_step(world, BUSY_DT, (uint64_t)(7 * turn)));
            OK(dem_step(twin, BUSY_DT, (uint64_t)(7 * turn)));
            kept at = keep(world);
            OK(dem_world_mark(world));
            for (int times = 0; times < 1 + turn % 3; ++times) {
                for (int n = 0; n < 6; ++n)
                    anything(world, &random);
                OK(dem_world_rewind(world));
                same(world, &at);
            }
            free(at.bytes);
        }
        OK(dem_step(world, BUSY_DT, 200));
        OK(dem_step(twin, BUSY_DT, 200));
        busy_equal(world, twin);
        dem_world_destroy(world);
        dem_world_destroy(twin);
    }
}

/* Over many rebuilds, and twice from one mark: the second run has the bits of the first. */
static void both_runs_have_the_same_bits(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    const uint64_t steps = test_slow() ? 600 : 3000;
    dem_world *world = busy_world(6, 5, &config);
    OK(dem_step(world, BUSY_DT, 50));
    OK(dem_world_mark(world));
    const uint64_t rebuilds = scene_counts(world).rebuilds;
    OK(dem_step(world, BUSY_DT, steps));
    assert_true(scene_counts(world).rebuilds > rebuilds + steps / 150);
    kept first = keep(world);
    const double over = (double)(scene_counts(world).rebuilds - rebuilds);
    for (int n = 0; n < 2; ++n) {
        OK(dem_world_rewind(world));
        OK(dem_world_rewind(world));
        OK(dem_step(world, BUSY_DT, steps));
        same(world, &first);
    }
    printf("paper=coupling case=rewind quantity=rebuilds_with_the_same_bits value=%g beside=45 "
           "shown source=sheet\n",
           over);
    free(first.bytes);
    dem_world_destroy(world);
}

/* Handles find their particles again though rows have moved, and views are stale. */
static void handles_stay_and_views_do_not(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(5, 4, &config);
    dem_particle_handle handle[100];
    for (uint64_t n = 0; n < 100; ++n)
        OK(dem_particle_find(world, n < 1 ? 3 : n + 2, &handle[n]));
    OK(dem_step(world, BUSY_DT, 10));
    dem_particle before[100];
    for (uint64_t n = 0; n < 100; ++n) {
        before[n].struct_size = sizeof before[n];
        OK(dem_particle_get(world, handle[n], &before[n]));
    }
    OK(dem_world_mark(world));
    OK(dem_step(world, BUSY_DT, 2000));
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
    OK(dem_world_rewind(world));
    assert_true(dem_world_view_stale(world, &view));
    for (uint64_t n = 0; n < 100; ++n) {
        dem_particle p = {.struct_size = sizeof p};
        OK(dem_particle_get(world, handle[n], &p));
        assert_memory_equal(&p, &before[n], sizeof p);
    }
    dem_world_destroy(world);
}

/* External forces that are first set after the mark are gone; walls that came to rest move. */
static void what_was_not_there_goes(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_packing_config(4, 3, &config);
    OK(dem_step(world, BUSY_DT, 20));
    kept at = keep(world);
    OK(dem_world_mark(world));
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, &view));
    for (uint64_t n = 0; n < view.count; ++n)
        ((double *)((char *)view.data + n * view.stride))[0] = 3.0;
    OK(dem_world_written_field(world, DEM_FIELD_EXTERNAL_FORCE));
    OK(dem_step(world, BUSY_DT, 500));
    OK(dem_world_rewind(world));
    same(world, &at);
    OK(dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, &view));
    for (uint64_t n = 0; n < view.count; ++n)
        assert_true(((double *)((char *)view.data + n * view.stride))[0] == 0.0);
    free(at.bytes);
    dem_world_destroy(world);
}

/** A sum of the forces of all contacts. */
static double forces(const dem_world *world)
{
    double sum = 0.0;
    uint64_t cursor = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK)
        sum += contact.force_normal[0] + 2.0 * contact.force_tangential[1];
    return sum;
}

/* A mark before the first list, with particles removed and a model that replaced another. */
static void a_mark_before_the_list(void **state)
{
    (void)state;
    heap h = {-1};
    const dem_world_config config = heap_config(&h);
    dem_world *world = busy_world(5, 4, &config);
    kept empty = keep(world);
    OK(dem_world_mark(world));
    OK(dem_step(world, BUSY_DT, 100));
    OK(dem_world_rewind(world));
    same(world, &empty);
    free(empty.bytes);
    OK(dem_step(world, BUSY_DT, 100));

    dem_particle_handle handle;
    OK(dem_particle_find(world, 20, &handle));
    OK(dem_particle_remove(world, handle));
    const dem_particle late = scene_particle(1.0, 1.0, 9.0);
    OK(dem_particle_add(world, &late, &handle));
    OK(dem_particle_add(world, &late, NULL));
    OK(dem_particle_remove(world, handle));
    scene_model(world, 0, 1, 700.0, 0.2, 0.5);
    kept at = keep(world);
    const double force = forces(world); /* by the model of the list, which is not the new one */
    OK(dem_world_mark(world));
    for (int n = 0; n < 3; ++n) {
        OK(dem_step(world, BUSY_DT, 400));
        OK(dem_world_rewind(world));
        same(world, &at);
        assert_true(forces(world) == force);
    }
    free(at.bytes);
    scene_model(world, 0, 1, 800.0, 0.2, 0.5);
    OK(dem_step(world, BUSY_DT, 400));
    dem_world_destroy(world);
}

static void the_mark_ends_where_bodies_or_models_change(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(4, 3, &config);
    assert_int_equal(dem_world_mark(NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_rewind(NULL), DEM_ERROR_ARGUMENT);
    REFUSE(dem_world_rewind(world), DEM_ERROR_STATE, "dem_world_mark");
    OK(dem_step(world, BUSY_DT, 5));
    kept at = keep(world);
    for (int k = 0; k < 6; ++k) {
        OK(dem_world_mark(world));
        OK(dem_world_rewind(world));
        const dem_particle p = scene_particle(1.0, 1.0, 50.0);
        dem_particle_handle handle;
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.point[2] = -5.0;
        wall.id = 90000;
        if (k == 0)
            OK(dem_particle_add(world, &p, NULL));
        if (k == 1) {
            OK(dem_particle_find(world, 7, &handle));
            OK(dem_particle_remove(world, handle));
        }
        if (k == 2)
            OK(dem_wall_add(world, &wall, NULL));
        if (k == 3)
            OK(dem_wall_remove(world, 90000));
        if (k == 4)
            scene_model(world, 0, 0, 500.0, 0.1, 0.9);
        if (k == 5)
            OK(dem_world_restore(world, at.bytes, at.size));
        REFUSE(dem_world_rewind(world), DEM_ERROR_STATE, "dem_world_mark");
        OK(dem_step(world, BUSY_DT, 5));
    }
    /* a call that fails ends nothing */
    OK(dem_world_mark(world));
    kept marked = keep(world);
    dem_particle wrong = scene_particle(0.0, 0.0, 0.0);
    wrong.radius = -1.0;
    assert_int_equal(dem_particle_add(world, &wrong, NULL), DEM_ERROR_RANGE);
    OK(dem_step(world, BUSY_DT, 5));
    OK(dem_world_rewind(world));
    same(world, &marked);
    free(marked.bytes);
    free(at.bytes);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ walls */

enum { STANDS, TURNS, SEEKS, SEEKS_BY_GAIN, TWISTS, MOTIONS };

/* Ends what a wall does, and begins something else. */
static void wall_does(dem_world *world, uint64_t id, int motion)
{
    static const double turning[3] = {0.3, -0.2, 0.5}, still[3] = {0.0, 0.0, 0.0};
    dem_wall_servo servo;
    OK(dem_wall_set_servo(world, id, NULL));
    OK(dem_wall_set_motion(world, id, still, motion == TURNS ? turning : still, NULL));
    if (motion < SEEKS)
        return;
    OK(dem_wall_servo_init(&servo));
    servo.quantity = motion == TWISTS ? DEM_SERVO_TORQUE : DEM_SERVO_FORCE;
    servo.target = motion == TWISTS ? 0.3 : 12.0;
    servo.speed = 0.1;
    servo.gain = motion == SEEKS ? 0.0 : 1e-2;
    OK(dem_wall_set_servo(world, id, &servo));
}

/* A sphere on or over a floor that does something, for some steps. */
static dem_world *sphere_over_floor(double height, int motion, uint64_t *id)
{
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(0.1, 0.2, height);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, id));
    OK(dem_particle_add(world, &p, NULL));
    wall_does(world, *id, motion);
    OK(dem_step(world, 1e-4, 20));
    return world;
}

/* After a rewind walls do what they did at the mark, whatever they did since. */
static void walls_do_what_they_did(void **state)
{
    (void)state;
    for (int before = 0; before < MOTIONS; ++before)
        for (int after = 0; after < MOTIONS; ++after)
            for (int k = 0; k < 4; ++k) {
                const uint64_t steps = k % 2 == 0 ? 0 : 5;
                const double height = k < 2 ? 0.499 : 3.0;
                uint64_t id, twin_id;
                dem_wall is = {.struct_size = sizeof is}, was = is;
                dem_world *world = sphere_over_floor(height, before, &id),
                          *twin = sphere_over_floor(height, before, &twin_id);
                OK(dem_world_mark(world));
                wall_does(world, id, after);
                OK(dem_step(world, 1e-4, steps));
                OK(dem_world_rewind(world));
                OK(dem_step(world, 1e-4, 20));
                OK(dem_step(twin, 1e-4, 20));
                OK(dem_wall_get(world, id, &is));
                OK(dem_wall_get(twin, twin_id, &was));
                for (int c = 0; c < 3; ++c)
                    if (is.point[c] != was.point[c] || is.normal[c] != was.normal[c] ||
                        is.force[c] != was.force[c] || is.velocity[c] != was.velocity[c])
                        fail_msg("%d, then %d: the wall is another one", before, after);
                assert_int_equal(scene_hash(world), scene_hash(twin));
                dem_world_destroy(world);
                dem_world_destroy(twin);
            }
}

enum {
    PARTICLE_ADD,
    PARTICLE_REMOVE,
    BODY_ADD,
    BODY_REMOVE,
    PARTICLES_RELEASE,
    BODIES_RELEASE,
    PARTICLES_UNPACK,
    BODIES_UNPACK,
    GHOSTS_SET,
    GHOST_BODIES_SET,
    CHANGES
};

static dem_body_handle two_spheres(dem_world *world, double height)
{
    dem_body body;
    dem_body_part part[2];
    dem_body_handle handle;
    OK(dem_body_init(&body));
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.position[2] = height;
    for (int k = 0; k < 2; ++k) {
        OK(dem_body_part_init(&part[k]));
        part[k].radius = 0.3;
        part[k].centre[0] = 0.4 * k - 0.2;
        part[k].id = (uint64_t)(10.0 * height) + (uint64_t)k;
    }
    body.id = (uint64_t)height;
    OK(dem_body_add(world, &body, 2, part, &handle));
    return handle;
}

/* Whatever comes, goes or changes its owner ends the mark, and makes views stale. */
static void the_mark_ends_with_each_change_of_what_is_there(void **state)
{
    (void)state;
    for (int change = 0; change < CHANGES; ++change) {
        const dem_world_config config = scene_config();
        dem_world *world = scene_world(&config), *other = scene_world(&config);
        unsigned char bytes[8192];
        uint64_t size = 0;
        dem_particle_handle own, far;
        dem_particle p = scene_particle(0.0, 0.0, 0.0);
        dem_ghost ghost = {.struct_size = sizeof ghost};
        p.id = 1;
        OK(dem_particle_add(world, &p, &own));
        p.id = 2;
        p.position[2] = 20.0;
        OK(dem_particle_add(other, &p, &far));
        const dem_body_handle body = two_spheres(world, 5.0), of_other = two_spheres(other, 30.0);
        OK(dem_step(world, 1e-4, 2));
        OK(dem_step(other, 1e-4, 2));
        dem_view view = {.struct_size = sizeof view};
        OK(dem_world_mark(world));
        OK(dem_world_rewind(world));
        OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
        assert_false(dem_world_view_stale(world, &view));
        p.id = 3;
        if (change == PARTICLE_ADD)
            OK(dem_particle_add(world, &p, NULL));
        if (change == PARTICLE_REMOVE)
            OK(dem_particle_remove(world, own));
        if (change == BODY_ADD)
            (void)two_spheres(world, 10.0);
        if (change == BODY_REMOVE)
            OK(dem_body_remove(world, body));
        if (change == PARTICLES_RELEASE)
            OK(dem_particles_release(world, 1, &own));
        if (change == BODIES_RELEASE)
            OK(dem_bodies_release(world, 1, &body));
        if (change == PARTICLES_UNPACK)
            OK(dem_particles_pack(other, 1, &far, bytes, sizeof bytes, &size));
        if (change == BODIES_UNPACK)
            OK(dem_bodies_pack(other, 1, &of_other, bytes, sizeof bytes, &size));
        if (change == PARTICLES_UNPACK || change == BODIES_UNPACK)
            OK(dem_particles_unpack(world, bytes, size, NULL));
        if (change == GHOSTS_SET) {
            OK(dem_ghosts_get(other, 1, &far, &ghost));
            OK(dem_ghosts_set(world, 1, &ghost, 1.0, NULL));
        }
        if (change == GHOST_BODIES_SET) {
            OK(dem_ghost_bodies_get(other, 1, &of_other, bytes, sizeof bytes, &size));
            OK(dem_ghost_bodies_set(world, bytes, size, 1.0, 0, NULL, NULL));
        }
        if (!dem_world_view_stale(world, &view))
            fail_msg("change %d: the view is not stale", change);
        REFUSE(dem_world_rewind(world), DEM_ERROR_STATE, "dem_world_mark");
        dem_world_destroy(world);
        dem_world_destroy(other);
    }
}

/* A wall that sought before the mark asks for the total of all worlds again, and ghosts that were
 * good at the mark are. */
static void a_domain_is_what_it_was(void **state)
{
    (void)state;
    uint64_t id;
    dem_world *world = sphere_over_floor(0.499, STANDS, &id);
    const double there[3] = {0.2, 0.2, 0.499};
    dem_particle_handle handle = {0, 1};
    OK(dem_ghosts_set(world, 0, NULL, 1.0, NULL));
    OK(dem_step_begin(world, 0.0));
    OK(dem_step_end(world));
    OK(dem_world_mark(world));
    OK(dem_particle_set_motion(world, handle, there, NULL, NULL));
    REFUSE(dem_step_begin(world, 0.0), DEM_ERROR_STATE, "ghosts must be set first");
    OK(dem_world_rewind(world));
    OK(dem_step_begin(world, 1e-4));
    OK(dem_step_cancel(world));
    wall_does(world, id, SEEKS_BY_GAIN);
    OK(dem_step_begin(world, 0.0));
    OK(dem_step_end(world));
    REFUSE(dem_step_begin(world, 1e-4), DEM_ERROR_STATE, "dem_wall_total_set");
    OK(dem_world_mark(world));
    wall_does(world, id, STANDS);
    OK(dem_world_rewind(world));
    REFUSE(dem_step_begin(world, 1e-4), DEM_ERROR_STATE, "dem_wall_total_set");
    dem_world_destroy(world);
}

/* A pair of halves in which nothing acts on the ghosts: a particle and a body. */
static void halves_with_ghosts(dem_world *world, double dt, dem_particle_handle particle,
                               dem_body_handle body)
{
    static const double nothing[6] = {0.0};
    OK(dem_step_begin(world, dt));
    OK(dem_ghosts_forces_set(world, 1, &particle, nothing));
    OK(dem_ghost_bodies_loads_set(world, 1, &body, nothing));
    OK(dem_step_end(world));
}

/* Ghosts, a particle and a body, last as long after a rewind as at the mark, and lack what they
 * lacked. */
static void ghosts_are_what_they_were(void **state)
{
    (void)state;
    const double margin = 0.01, length = 0.5 * margin; /* two bodies approach, each at 1 m/s */
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config), *other = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 0.0);
    dem_particle_handle far, particle;
    dem_body_handle body;
    dem_ghost ghost = {.struct_size = sizeof ghost};
    dem_view view = {.struct_size = sizeof view};
    unsigned char bytes[8192];
    uint64_t size = 0;
    p.id = 1;
    p.velocity[0] = 1.0;
    OK(dem_particle_add(world, &p, NULL));
    p.id = 2;
    p.position[2] = 20.0;
    OK(dem_particle_add(other, &p, &far));
    const dem_body_handle of_other = two_spheres(other, 30.0);
    OK(dem_ghosts_get(other, 1, &far, &ghost));
    OK(dem_ghost_bodies_get(other, 1, &of_other, bytes, sizeof bytes, &size));
    OK(dem_ghosts_set(world, 1, &ghost, 10.0 * margin, &particle));
    OK(dem_ghost_bodies_set(world, bytes, size, margin, 1, &body, NULL));
    halves_with_ghosts(world, 0.0, particle, body);
    halves_with_ghosts(world, 0.03 * length, particle, body);
    OK(dem_world_mark(world));
    assert_int_equal(dem_ghosts_wanted(world), 0);
    halves_with_ghosts(world, 0.35 * length, particle, body);
    halves_with_ghosts(world, 0.6 * length, particle, body);
    assert_int_equal(dem_ghosts_wanted(world), 1);
    OK(dem_world_rewind(world));
    assert_int_equal(dem_ghosts_wanted(world), 0);
    OK(dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, &view));
    OK(dem_world_written_field(world, DEM_FIELD_EXTERNAL_FORCE));
    OK(dem_world_mark(world));
    OK(dem_ghost_bodies_loads_set(world, 1, &body, (const double[6]){0.0}));
    REFUSE(dem_step_begin(world, 0.0), DEM_ERROR_STATE, "1 of 1 ghosts did not get");
    OK(dem_world_rewind(world));
    REFUSE(dem_step_begin(world, 0.0), DEM_ERROR_STATE, "1 of 1 ghosts that are bodies");
    OK(dem_ghost_bodies_loads_set(world, 1, &body, (const double[6]){0.0}));
    REFUSE(dem_step_begin(world, 0.0), DEM_ERROR_STATE, "1 of 1 ghosts did not get");
    dem_world_destroy(world);
    dem_world_destroy(other);
}

/* A wall that was removed before the mark and whose place became vacant after it has its place
 * again: one that is added then does not take it. */
static void a_removed_wall_has_its_place_again(void **state)
{
    (void)state;
    uint64_t id;
    dem_world *world = sphere_over_floor(0.499, STANDS, &id);
    dem_wall floor = {.struct_size = sizeof floor};
    OK(dem_wall_get(world, id, &floor));
    OK(dem_wall_remove(world, id));
    OK(dem_world_mark(world));
    OK(dem_step(world, 1e-4, 1));
    OK(dem_world_rewind(world));
    OK(dem_wall_add(world, &floor, NULL));
    OK(dem_step(world, 1e-4, 1));
    OK(dem_wall_get(world, id, &floor));
    assert_true(floor.force[2] < 0.0);
    dem_world_destroy(world);
}

/* A view that was opened after the mark has nothing to tell after the rewind. */
static void views_after_the_mark_are_forgotten(void **state)
{
    (void)state;
    for (int32_t scheme = DEM_INTEGRATOR_VERLET_SYNC; scheme <= DEM_INTEGRATOR_SYMPLECTIC_EULER;
         ++scheme) {
        dem_world_config config = scene_config();
        config.integrator = scheme;
        dem_world *world = scene_packing_config(4, 3, &config),
                  *twin = scene_packing_config(4, 3, &config);
        dem_view view = {.struct_size = sizeof view};
        OK(dem_step(world, 2e-4, 300));
        OK(dem_step(twin, 2e-4, 300));
        OK(dem_world_mark(world));
        OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
        OK(dem_world_rewind(world));
        OK(dem_world_written(world));
        OK(dem_step(world, 2e-4, 10));
        OK(dem_step(twin, 2e-4, 10));
        assert_int_equal(scene_hash(world), scene_hash(twin));
        dem_world_destroy(world);
        dem_world_destroy(twin);
    }
}

static void added_mass_set(dem_world *world, double mass)
{
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_ADDED_MASS, &view));
    for (uint64_t row = 0; row < view.count; ++row)
        *(double *)(void *)((unsigned char *)view.data + row * view.stride) = mass;
    OK(dem_world_written_field(world, DEM_FIELD_ADDED_MASS));
}

/* A dt that was taken for what was heavier after the mark is looked at again. */
static void a_longer_step_after_the_mark(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    const dem_particle p = scene_particle(0.0, 0.0, 5.0), q = scene_particle(0.0, 0.0, 9.0);
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_particle_add(world, &q, NULL));
    added_mass_set(world, 0.0);
    OK(dem_step(world, 1e-4, 1));
    assert_int_equal(dem_step(world, 0.05, 1), DEM_ERROR_RANGE);
    OK(dem_world_mark(world));
    added_mass_set(world, 1e4);
    OK(dem_step(world, 0.05, 1));
    OK(dem_world_rewind(world));
    assert_int_equal(dem_step(world, 0.05, 1), DEM_ERROR_RANGE);
    dem_world_destroy(world);
}

/* Vertices that are set for the first time, and the first view of works on facets, end the mark:
 * both give a wall what it did not have. */
static void the_mark_ends_where_a_mesh_gets_more(void **state)
{
    (void)state;
    static const double x[3][3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    static const uint32_t facets[1][3] = {{0, 1, 2}};
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_view view = {.struct_size = sizeof view};
    dem_wall wall;
    uint64_t id;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = mesh_of(x, 3, facets, 1);
    OK(dem_wall_add(world, &wall, &id));
    dem_mesh_destroy(wall.mesh);
    OK(dem_world_mark(world));
    OK(dem_wall_set_vertices(world, id, x[0], NULL));
    REFUSE(dem_world_rewind(world), DEM_ERROR_STATE, "dem_world_mark");
    OK(dem_world_mark(world));
    OK(dem_wall_set_vertices(world, id, x[0], NULL));
    OK(dem_world_rewind(world));
    OK(dem_wall_view(world, id, DEM_FACET_WORK_NORMAL, &view));
    REFUSE(dem_world_rewind(world), DEM_ERROR_STATE, "dem_world_mark");
    OK(dem_world_mark(world));
    OK(dem_wall_view(world, id, DEM_FACET_WORK_NORMAL, &view));
    OK(dem_world_rewind(world));
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ memory */

/* Without memory the world and its mark stay as they are. */
static void without_memory_the_mark_before_stays(void **state)
{
    (void)state;
    heap h = {-1};
    const dem_world_config config = heap_config(&h);
    dem_world *world = scene_packing_config(4, 2, &config);
    kept start = keep(world);
    int failed = 0;
    for (int64_t n = 0; n < 6; ++n) {
        h.left = n;
        const dem_status status = dem_world_mark(world);
        h.left = -1;
        if (status == DEM_OK)
            break;
        ++failed;
        REFUSE(status, DEM_ERROR_MEMORY, "mark");
        same(world, &start);
        REFUSE(dem_world_rewind(world), DEM_ERROR_STATE, "dem_world_mark");
    }
    assert_int_equal(failed, 2); /* what was given is not asked for again */
    OK(dem_world_mark(world));
    OK(dem_step(world, BUSY_DT, 500)); /* now there are contacts, for which there is no room */
    h.left = 0;
    REFUSE(dem_world_mark(world), DEM_ERROR_MEMORY, "mark");
    h.left = -1;
    OK(dem_world_rewind(world));
    same(world, &start);
    free(start.bytes);
    dem_world_destroy(world);
}

/** What a call of no steps does after velocities were written does not depend on a mark. */
static void an_evaluation_after_the_mark(void **state)
{
    (void)state;
    static const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_LEAPFROG};
    for (int k = 0; k < 2; ++k) {
        dem_world_config config = scene_config();
        config.integrator = schemes[k];
        dem_world *world = busy_world(5, 4, &config), *twin = busy_world(5, 4, &config);
        dem_world *const both[] = {world, twin};
        for (int n = 0; n < 2; ++n) {
            dem_view view = {.struct_size = sizeof view};
            OK(dem_step(both[n], BUSY_DT, 20));
            OK(dem_world_view(both[n], DEM_FIELD_VELOCITY, &view));
            OK(dem_world_written_field(both[n], DEM_FIELD_VELOCITY));
        }
        OK(dem_world_mark(world));
        OK(dem_step(twin, BUSY_DT, 0));
        for (int n = 0; n < 2; ++n) {
            OK(dem_step(world, BUSY_DT, 0));
            busy_equal(world, twin);
            OK(dem_world_rewind(world));
        }
        dem_world_destroy(world);
        dem_world_destroy(twin);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_whatever_happened),
        cmocka_unit_test(both_runs_have_the_same_bits),
        cmocka_unit_test(handles_stay_and_views_do_not),
        cmocka_unit_test(what_was_not_there_goes),
        cmocka_unit_test(a_mark_before_the_list),
        cmocka_unit_test(the_mark_ends_where_bodies_or_models_change),
        cmocka_unit_test(the_mark_ends_with_each_change_of_what_is_there),
        cmocka_unit_test(walls_do_what_they_did),
        cmocka_unit_test(the_mark_ends_where_a_mesh_gets_more),
        cmocka_unit_test(a_domain_is_what_it_was),
        cmocka_unit_test(ghosts_are_what_they_were),
        cmocka_unit_test(a_removed_wall_has_its_place_again),
        cmocka_unit_test(views_after_the_mark_are_forgotten),
        cmocka_unit_test(a_longer_step_after_the_mark),
        cmocka_unit_test(without_memory_the_mark_before_stays),
        cmocka_unit_test(an_evaluation_after_the_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
