/* SPDX-License-Identifier: MIT */
/**
 * @file reentry.c
 * Callbacks of the host (law, executor, allocator, log) that call the object from which they come:
 * what would change it or read it is refused, nothing hangs, and the run goes on as if nothing had
 * happened.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/scene.h"

#include <stdatomic.h>
#include <string.h>

/** From which callback the object is called. */
enum { FROM_LAW, FROM_COMBINE, FROM_EXECUTOR, FROM_LOG, FROM_ALLOCATOR, FROM_COUNT };
static const char *const from_names[] = {"law", "combine", "executor", "log", "allocator"};

static dem_world *world;
static dem_contact_history *history;
static dem_integrator *integrator;
static dem_particle_handle handle;
static uint64_t wall_id;
static atomic_int armed; /**< from which the next callbacks call, or -1 */
static atomic_int calls; /**< that were refused */
static atomic_int wrong; /**< that were not */
static atomic_int texts; /**< error texts that were read and say so */
static const char *const path = "no/such/folder/reentry.dem";
static int reads_allowed;  /**< where the law is called to read a contact */
static char last_log[256]; /**< of the thread that steps */
static int logged;

static void refused(dem_status got, const char *call)
{
    if (got == DEM_ERROR_STATE) {
        atomic_fetch_add(&calls, 1);
        return;
    }
    atomic_fetch_add(&wrong, 1);
    if (!reads_allowed)
        fprintf(stderr, "%s: status %d\n", call, (int)got);
}
#define REFUSED(call) refused((call), #call)

/** What is wrong, and what to know where the object stays so. */
static int says_why(const char *text)
{
    return strstr(text, "a callback of the object made this call") != NULL &&
           strstr(text, "stays locked") != NULL;
}

/** Every function that takes a world, and is not one of error, time and view_stale. */
static void call_world(void)
{
    const double zero[3] = {0.0, 0.0, 0.0};
    dem_particle p;
    dem_particle_init(&p);
    p.radius = 0.5;
    dem_wall wall;
    dem_wall_init(&wall);
    dem_material material;
    dem_material_init(&material);
    dem_contact_model model;
    dem_contact_model_init(&model);
    test_law_control control = {0, -1, 0.0};
    dem_law law = test_law(&control);
    law.name = "another";
    dem_particle_handle out;
    dem_pair_value value = {.struct_size = sizeof(value)};
    dem_world_energies energies = {.struct_size = sizeof(energies)};
    dem_world_counts counts = {.struct_size = sizeof(counts)};
    dem_view view = {.struct_size = sizeof(view)};
    dem_contact contact = {.struct_size = sizeof(contact)};
    dem_timestep_advice advice = {.struct_size = sizeof(advice)};
    uint64_t number = 0;
    unsigned char bytes[64];
    REFUSED(dem_step(world, 1e-3, 1));
    REFUSED(dem_particle_add(world, &p, &out));
    REFUSED(dem_particles_add(world, 1, &p, NULL));
    REFUSED(dem_particle_remove(world, handle));
    REFUSED(dem_particle_set_motion(world, handle, NULL, zero, NULL));
    REFUSED(dem_particle_set_force(world, handle, zero, NULL));
    REFUSED(dem_particle_get(world, handle, &p));
    REFUSED(dem_particle_find(world, 1, &out));
    REFUSED(dem_wall_add(world, &wall, &number));
    REFUSED(dem_wall_remove(world, wall_id));
    REFUSED(dem_wall_set_velocity(world, wall_id, zero));
    REFUSED(dem_wall_get(world, wall_id, &wall));
    REFUSED(dem_material_set(world, 0, &material));
    REFUSED(dem_contact_model_set(world, 0, 0, &model));
    REFUSED(dem_world_law_register(world, &law));
    REFUSED(dem_world_gravity_set(world, zero));
    REFUSED(dem_world_pair_value(world, 0, 0, 0, &value));
    REFUSED(dem_world_timestep_advise(world, NULL, &advice));
    REFUSED(dem_world_energies_get(world, &energies));
    REFUSED(dem_world_counts_get(world, &counts));
    REFUSED(dem_world_hash(world, &number));
    REFUSED(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
    REFUSED(dem_world_written(world));
    REFUSED(dem_world_written_field(world, DEM_FIELD_VELOCITY));
    REFUSED(dem_world_field_set(world, DEM_FIELD_VELOCITY, 0, NULL));
    REFUSED(dem_world_contact_next(world, &number, &contact));
    REFUSED(dem_world_snapshot_size(world, &number));
    REFUSED(dem_world_snapshot(world, bytes, sizeof(bytes), &number));
    REFUSED(dem_world_restore(world, bytes, sizeof(bytes)));
    REFUSED(dem_world_save(world, path));
    REFUSED(dem_world_load(world, path));
    dem_world_destroy(world);
    (void)dem_world_time(world);
    if (says_why(dem_world_error(world)))
        atomic_fetch_add(&texts, 1);
}
enum { WORLD_CALLS = 31, WORLD_READS = 11 };

/** Every function that takes a history, and is not error or count. */
static void call_history(void)
{
    dem_contact_model model;
    dem_contact_model_init(&model);
    test_law_control control = {0, -1, 0.0};
    dem_law law = test_law(&control);
    law.name = "another";
    dem_contacts_input in;
    dem_contacts_input_init(&in);
    in.dt = 1e-3;
    dem_contacts_geometry geometry;
    dem_contacts_geometry_init(&geometry);
    dem_contacts_stage stage = {.struct_size = sizeof(stage)};
    dem_contact contact = {.struct_size = sizeof(contact)};
    dem_pair_value value = {.struct_size = sizeof(value)};
    uint64_t cursor = 0;
    REFUSED(dem_contact_history_law_register(history, &law));
    REFUSED(dem_contact_history_model_set(history, 0, 0, &model));
    REFUSED(dem_contact_history_pair_value(history, 0, 0, 0, &value));
    REFUSED(dem_contacts_evaluate(history, &in, NULL));
    REFUSED(dem_contacts_evaluate_geometry(history, &in, &geometry, NULL));
    REFUSED(dem_contacts_stage_begin(history, &in, &stage));
    REFUSED(dem_contacts_stage_rate(history, &in, NULL));
    REFUSED(dem_contacts_stage_end(history));
    REFUSED(dem_contact_history_next(history, &cursor, &contact));
    REFUSED(dem_contact_history_clear(history));
    dem_contact_history_destroy(history);
    (void)dem_contact_history_count(history);
    if (says_why(dem_contact_history_error(history)))
        atomic_fetch_add(&texts, 1);
}
enum { HISTORY_CALLS = 10 };

/** Every function that takes an integrator, and is not error or stage_count. */
static void call_integrator(void)
{
    dem_integrator_arrays arrays;
    dem_integrator_arrays_init(&arrays);
    dem_contacts_input in;
    dem_contacts_input_init(&in);
    const double *linear;
    double lag;
    int32_t kinematics;
    REFUSED(dem_integrator_begin(integrator, &arrays, 1e-3));
    REFUSED(dem_integrator_end(integrator, &arrays));
    REFUSED(dem_integrator_stage(integrator, &arrays, 1e-3));
    REFUSED(dem_integrator_cancel(integrator));
    REFUSED(dem_integrator_velocity_lag(integrator, &lag));
    REFUSED(dem_integrator_accelerations(integrator, &linear, NULL));
    REFUSED(dem_integrator_kinematics(integrator, &kinematics));
    REFUSED(dem_integrator_prepare(integrator, &in));
    dem_integrator_destroy(integrator);
    if (strstr(dem_integrator_error(integrator), "callback") != NULL)
        atomic_fetch_add(&texts, 1);
}
enum { INTEGRATOR_CALLS = 8 };

static void call_back(int from)
{
    if (atomic_load(&armed) != from)
        return;
    if (world != NULL)
        call_world();
    else if (integrator != NULL)
        call_integrator();
    else
        call_history();
}

/* ------------------------------------------------------------------ callbacks */

static dem_status combine(void *user, const void *parameters, dem_pair_properties *pair,
                          void *combined, dem_error *error)
{
    call_back(FROM_COMBINE);
    return test_law_combine(user, parameters, pair, combined, error);
}

static atomic_int failing; /**< the law reports an error */

/** A spring without state, which many threads may compute. */
static dem_status evaluate(void *user, uint64_t n, dem_contact_batch *batch, const void *combined)
{
    (void)user;
    call_back(FROM_LAW);
    if (atomic_load(&failing))
        return DEM_ERROR_CALLBACK;
    const test_spring *spring = combined;
    for (uint64_t k = 0; k < n; ++k)
        if (batch->touching[k] != 0.0)
            batch->force_normal[k] = spring->stiffness * batch->overlap[k];
    return DEM_OK;
}

static dem_law law_of(void)
{
    dem_law law = test_law(NULL);
    law.slots = NULL;
    law.slot_count = 0;
    law.combine = combine;
    law.evaluate = evaluate;
    return law;
}

static void log_message(void *user, int32_t level, const char *text)
{
    (void)user;
    if (level == DEM_LOG_ERROR) {
        snprintf(last_log, sizeof(last_log), "%s", text);
        logged++;
    }
    call_back(FROM_LOG);
}

static void executor_run(void *user, void (*task)(void *argument, uint64_t k), void *argument,
                         uint64_t count)
{
    (void)user;
    call_back(FROM_EXECUTOR);
    for (uint64_t k = 0; k < count; ++k)
        task(argument, k);
}

static void *allocate(void *user, uint64_t size, uint64_t alignment)
{
    (void)user;
    call_back(FROM_ALLOCATOR);
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *pointer, uint64_t size)
{
    (void)user;
    (void)size;
    call_back(FROM_ALLOCATOR);
    free(pointer);
}

static dem_contact_model model_of(const test_spring *spring, const dem_law *law)
{
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = law->name;
    model.parts[0].parameters = spring;
    return model;
}

static const test_spring soft = {1000.0};

/** Some hundred spheres on a floor; with threads of the world's own, or the executor above. */
static void world_make(int threads)
{
    dem_world_config config = scene_config();
    config.threads = threads;
    config.log.message = log_message;
    config.allocator.allocate = allocate;
    config.allocator.release = release;
    if (threads == 1)
        config.executor.run = executor_run;
    atomic_store(&armed, -1);
    dem_world *made = scene_packing_config(12, 12, &config);
    const dem_law law = law_of();
    OK(dem_world_law_register(made, &law));
    const dem_contact_model model = model_of(&soft, &law);
    OK(dem_contact_model_set(made, 0, 0, &model));
    OK(dem_particle_find(made, 2, &handle));
    wall_id = 1;
    world = made;
}

static void arm(int from)
{
    atomic_store(&calls, 0);
    atomic_store(&wrong, 0);
    atomic_store(&texts, 0);
    logged = 0;
    last_log[0] = 0;
    atomic_store(&armed, from);
}

/** All calls of each callback were refused, and the log says so after the call. */
static void expect_refusals(int each, const char *name)
{
    atomic_store(&armed, -1);
    const int times = atomic_load(&texts);
    if (times < 1 || atomic_load(&calls) != times * each || atomic_load(&wrong) != 0)
        fail_msg("%s: %d callbacks, %d calls refused and %d not", name, times, atomic_load(&calls),
                 atomic_load(&wrong));
    if (logged < 1 || strstr(last_log, "callback") == NULL)
        fail_msg("%s: the log's last words are \"%s\"", name, last_log);
}

static void world_callbacks(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        world_make(threads);
        OK(dem_step(world, 1e-3, 20));
        const uint64_t undisturbed = scene_hash(world);
        dem_world_destroy(world);
        world = NULL;
        world_make(threads);
        for (int from = 0; from < FROM_COUNT; ++from) {
            if (from == FROM_EXECUTOR && threads > 1)
                continue;
            arm(from);
            if (from == FROM_COMBINE) {
                const dem_law law = law_of();
                const dem_contact_model model = model_of(&soft, &law);
                OK(dem_contact_model_set(world, 0, 0, &model));
            } else if (from == FROM_LOG) {
                assert_int_equal(dem_step(world, -1.0, 1), DEM_ERROR_RANGE);
                assert_non_null(strstr(dem_world_error(world), "dt"));
            } else if (from == FROM_ALLOCATOR) {
                const dem_particle far = scene_particle(0.0, 0.0, 1e4);
                dem_particle many[64];
                for (int k = 0; k < 64; ++k) {
                    many[k] = far;
                    many[k].position[2] += 2.0 * k;
                }
                dem_particle_handle added[64];
                for (int n = 0; n < 32 && atomic_load(&texts) == 0; ++n)
                    OK(dem_particles_add(world, 64, many, added));
            } else {
                OK(dem_step(world, 1e-3, 20));
            }
            expect_refusals(WORLD_CALLS, from_names[from]);
            if (from != FROM_LOG)
                assert_non_null(strstr(dem_world_error(world), "callback"));
            /* the run is that of a law that kept silent */
            if (from == FROM_LAW)
                assert_int_equal(scene_hash(world), undisturbed);
        }
        /* a step that fails keeps its own message */
        arm(FROM_LAW);
        atomic_store(&failing, 1);
        assert_int_equal(dem_step(world, 1e-3, 1), DEM_ERROR_CALLBACK);
        atomic_store(&failing, 0);
        expect_refusals(WORLD_CALLS, "failing law");
        assert_non_null(strstr(dem_world_error(world), "test-spring"));
        /* reading a contact computes it by the law, which may read, but not change the world */
        arm(-1);
        OK(dem_step(world, 1e-3, 1));
        uint64_t cursor = 0;
        dem_contact contact = {.struct_size = sizeof(contact)};
        const uint64_t hash = scene_hash(world);
        arm(FROM_LAW);
        reads_allowed = 1;
        OK(dem_world_contact_next(world, &cursor, &contact));
        reads_allowed = 0;
        atomic_store(&armed, -1);
        assert_int_equal(atomic_load(&texts), 1);
        assert_int_equal(atomic_load(&calls), WORLD_CALLS - WORLD_READS);
        assert_int_equal(atomic_load(&wrong), WORLD_READS);
        assert_int_equal(scene_hash(world), hash);
        OK(dem_step(world, 1e-3, 1));
        dem_world_destroy(world);
        world = NULL;
    }
}

/* In the memory of a world that ends nothing comes in either. */
static void callbacks_of_destroy(void **state)
{
    (void)state;
    world_make(1);
    OK(dem_step(world, 1e-3, 2));
    arm(FROM_ALLOCATOR);
    dem_world_destroy(world);
    atomic_store(&armed, -1);
    assert_int_equal(atomic_load(&wrong), 0);
    assert_true(atomic_load(&calls) >= WORLD_CALLS);
    world = NULL;
}

static void history_callbacks(void **state)
{
    (void)state;
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    config.log.message = log_message;
    config.allocator.allocate = allocate;
    config.allocator.release = release;
    atomic_store(&armed, -1);
    OK(dem_contact_history_create(&config, &history, NULL));
    dem_law law = law_of();
    law.rate = evaluate;
    OK(dem_contact_history_law_register(history, &law));
    const dem_contact_model model = model_of(&soft, &law);
    arm(FROM_COMBINE);
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    expect_refusals(HISTORY_CALLS, "combine");
    double x[2][3] = {{0.0, 0.0, 0.0}, {1.9, 0.0, 0.0}}, v[2][3] = {{0.0}}, f[2][3] = {{0.0}};
    const double radius[2] = {1.0, 1.0}, mass[2] = {1.0, 1.0};
    const uint32_t pair[2] = {0, 1};
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.particle_count = 2;
    in.position = x[0];
    in.velocity = v[0];
    in.radius = radius;
    in.mass = mass;
    in.force = f[0];
    in.pair_count = 1;
    in.pairs = pair;
    in.dt = 1e-3;
    arm(FROM_ALLOCATOR);
    OK(dem_contacts_evaluate(history, &in, NULL));
    expect_refusals(HISTORY_CALLS, "allocator");
    arm(FROM_LAW);
    OK(dem_contacts_evaluate(history, &in, NULL));
    expect_refusals(HISTORY_CALLS, "law");
    assert_non_null(strstr(dem_contact_history_error(history), "callback"));
    assert_true(f[1][0] > 199.9 && f[1][0] < 200.1); /* twice the same force */
    assert_int_equal(dem_contact_history_count(history), 1);
    dem_contacts_stage stage = {.struct_size = sizeof(stage)};
    OK(dem_contacts_stage_begin(history, &in, &stage));
    arm(FROM_LAW);
    OK(dem_contacts_stage_rate(history, &in, NULL));
    expect_refusals(HISTORY_CALLS, "rate");
    OK(dem_contacts_stage_end(history));
    arm(FROM_LOG);
    in.dt = -1.0;
    assert_int_equal(dem_contacts_evaluate(history, &in, NULL), DEM_ERROR_RANGE);
    expect_refusals(HISTORY_CALLS, "log");
    assert_non_null(strstr(dem_contact_history_error(history), "dt"));
    dem_contact_history_destroy(history);
    history = NULL;
}

/* An integrator has no log, and memory is all that it asks for. */
static void integrator_callbacks(void **state)
{
    (void)state;
    const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_RK4};
    for (int k = 0; k < 2; ++k) {
        dem_integrator_config config;
        OK(dem_integrator_config_init(&config));
        config.scheme = schemes[k];
        config.allocator.allocate = allocate;
        config.allocator.release = release;
        atomic_store(&armed, -1);
        OK(dem_integrator_create(&config, &integrator, NULL));
        double x[3] = {0.0}, v[3] = {1.0, 0.0, 0.0};
        const double f[3] = {0.0}, mass[1] = {1.0};
        dem_integrator_arrays arrays;
        OK(dem_integrator_arrays_init(&arrays));
        arrays.count = 1;
        arrays.position = x;
        arrays.velocity = v;
        arrays.force = f;
        arrays.mass = mass;
        arm(FROM_ALLOCATOR);
        if (k == 0)
            OK(dem_integrator_begin(integrator, &arrays, 0.5));
        else
            OK(dem_integrator_stage(integrator, &arrays, 0.5));
        atomic_store(&armed, -1);
        assert_int_equal(atomic_load(&wrong), 0);
        assert_true(atomic_load(&calls) >= INTEGRATOR_CALLS);
        assert_int_equal(atomic_load(&calls), INTEGRATOR_CALLS * atomic_load(&texts));
        assert_non_null(strstr(dem_integrator_error(integrator), "callback"));
        assert_true(x[0] == (k == 0 ? 0.5 : 0.25));
        OK(dem_integrator_cancel(integrator));
        arm(FROM_ALLOCATOR);
        dem_integrator_destroy(integrator);
        atomic_store(&armed, -1);
        assert_int_equal(atomic_load(&wrong), 0);
        integrator = NULL;
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(world_callbacks),
        cmocka_unit_test(callbacks_of_destroy),
        cmocka_unit_test(history_callbacks),
        cmocka_unit_test(integrator_callbacks),
    };
    return cmocka_run_group_tests_name("reentry", tests, NULL, NULL);
}
