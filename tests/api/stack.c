/* SPDX-License-Identifier: MIT */
/**
 * @file stack.c
 * How much stack the calls of the library take, on a thread whose stack was painted before. Threads
 * of some systems have 128 kB.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */

#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/law.h"
#include "../support/scene.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Sanitizers put red zones between variables, which are not part of what is promised. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { INSTRUMENTED = 2 };
#else
enum { INSTRUMENTED = 1 };
#endif
enum { STACK = 1 << 20, PAINT = 0x5A, MOST = INSTRUMENTED * 65536 };

/** Bytes of stack that a thread takes to run a function. */
static uint64_t stack_of(void *(*run)(void *), void *argument)
{
    unsigned char *stack =
        mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(stack != MAP_FAILED);
    memset(stack, PAINT, STACK);
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run, argument), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    uint64_t left = 0;
    while (left < STACK && stack[left] == PAINT)
        ++left;
    munmap(stack, STACK);
    return STACK - left;
}

static void *nothing(void *argument)
{
    return argument;
}

/* ------------------------------------------------------------------ models */

#define PART(kind, ...)                                                                            \
    do {                                                                                           \
        static dem_##kind p;                                                                       \
        failed |= dem_##kind##_init(&p);                                                           \
        __VA_ARGS__;                                                                               \
        model->parts[part].parameters = &p;                                                        \
        model->parts[part++].law = name;                                                           \
    } while (0)

enum { MODELS = 15 };

/** Model number n: each law is in one of them, the rows of 32 springs with all that fits. */
static int model_of(int n, dem_contact_model *model)
{
    static const char *const normal[MODELS] = {"linear-csds",  "linear-dsds", "hertz",      "hertz",
                                               "hertz",        "hertz",       "jkr",        "dmt",
                                               "luding",       "thornton",    "actm",       "hooke",
                                               "walton-braun", "hertz",       "test-spring"};
    int failed = dem_contact_model_init(model), part = 0;
    const char *name = normal[n];
    if (n < 2)
        PART(linear, p.stiffness_normal = 1e4, p.restitution = 0.7);
    else if (strcmp(name, "hertz") == 0)
        PART(hertz, p.young[0] = 1e5, p.restitution = 0.7);
    else if (n == 6 || n == 7)
        PART(adhesion, p.young[0] = 1e5, p.work_of_adhesion = 0.1);
    else if (n == 8)
        PART(luding, p.stiffness_loading = 1e4, p.stiffness_unloading = 2e4);
    else if (n == 9)
        PART(thornton, p.young[0] = 1e5, p.yield_pressure = 1e3);
    else if (n == 10)
        PART(actm, p.young[0] = 1e5, p.speed_floor = 1e-3, p.contact_time = 0.05);
    else if (n == 11)
        PART(hooke, p.stiffness_normal = 1e4);
    else if (n == 12)
        PART(walton_braun, p.stiffness_loading = 1e4);
    else if (n == 14) {
        static const test_spring spring = {1e4};
        model->parts[part].law = name;
        model->parts[part++].parameters = &spring;
    }
    static const char *const tangential[MODELS] = {NULL,
                                                   NULL,
                                                   "mindlin",
                                                   "mindlin-deresiewicz",
                                                   "mindlin-deresiewicz-32",
                                                   "mindlin-three-case",
                                                   "friction",
                                                   "friction",
                                                   "friction",
                                                   "friction",
                                                   "friction",
                                                   "friction",
                                                   "friction",
                                                   "mindlin-three-case",
                                                   NULL};
    name = tangential[n];
    if (name != NULL && strcmp(name, "friction") == 0)
        PART(friction, p.friction = 0.4, p.stiffness_tangential = 1e3);
    else if (name != NULL)
        PART(mindlin, p.friction = 0.4);
    if (n == 14)
        return failed;
    name = n % 2 ? "rolling-csds" : "rolling-constant";
    if (n % 2)
        PART(rolling, p.stiffness = 10.0, p.friction = 0.1);
    else
        PART(rolling_constant, p.friction = 0.1);
    name = n % 2 ? "twisting-marshall" : "twisting-csds";
    if (n % 2)
        PART(twisting_marshall, p.friction = 0.1);
    else
        PART(rolling, p.stiffness = 10.0, p.friction = 0.1);
    return failed;
}

/* ------------------------------------------------------------------ what threads do */

typedef struct scene {
    int32_t isa, integrator;
    int model, failed;
    char message[256];
} scene;

static void note(scene *s, dem_status status, const char *message)
{
    if (status != DEM_OK && !s->failed) {
        s->failed = status;
        (void)snprintf(s->message, sizeof(s->message), "%s", message);
    }
}

/** All that a world can do, in a box that is periodic in x, above a floor. */
static void *world_calls(void *argument)
{
    enum { N = 300 };
    scene *s = argument;
    static test_law_control control;
    control = (test_law_control){.fail_at = -1};
    static unsigned char bytes[1 << 22];
    static dem_particle p[N];
    static double values[N][3];
    dem_world_config config;
    s->failed = dem_world_config_init(&config);
    config.gravity[2] = -10.0;
    config.boundary[0] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = 6.0;
    config.isa = s->isa;
    config.integrator = s->integrator;
    dem_world *w = NULL;
    dem_error error;
    if (dem_world_create(&config, &w, &error) != DEM_OK)
        return NULL; /* a set of instructions that the machine lacks */
#define DO(call) note(s, call, dem_world_error(w))
    const dem_law law = test_law(&control);
    DO(dem_world_law_register(w, &law));
    dem_contact_model model;
    DO(model_of(s->model, &model));
    DO(dem_contact_model_set(w, 0, 0, &model));
    dem_wall wall;
    DO(dem_wall_init(&wall));
    wall.point[2] = -0.49;
    uint64_t id, size = 0, written = 0, cursor = 0;
    DO(dem_wall_add(w, &wall, &id));
    for (int n = 0; n < N; ++n) {
        DO(dem_particle_init(&p[n]));
        p[n].radius = 0.5;
        p[n].mass = 1.0;
        p[n].position[0] = 0.99 * (n % 6) + 0.5;
        p[n].position[1] = 0.99 * (n / 6 % 6);
        p[n].position[2] = 0.99 * (n / 36);
        p[n].velocity[n % 3] = 0.1;
        p[n].angular_velocity[n % 3] = 0.5;
    }
    DO(dem_particles_add(w, N, p, NULL));
    dem_view view = {.struct_size = sizeof(view)};
    DO(dem_world_view(w, DEM_FIELD_EXTERNAL_FORCE, &view));
    DO(dem_world_written(w));
    DO(dem_step(w, 1e-4, 30));
    dem_particle_handle handle;
    DO(dem_particle_find(w, 7, &handle));
    DO(dem_particle_set_motion(w, handle, p[5].position, NULL, NULL));
    DO(dem_step(w, 1e-4, 3));
    dem_contact contact = {.struct_size = sizeof(contact)};
    DO(dem_world_contact_next(w, &cursor, &contact));
    dem_world_energies energies = {.struct_size = sizeof(energies)};
    DO(dem_world_energies_get(w, &energies));
    dem_world_counts counts = {.struct_size = sizeof(counts)};
    DO(dem_world_counts_get(w, &counts));
    dem_timestep_advice advice = {.struct_size = sizeof(advice)};
    DO(dem_world_timestep_advise(w, NULL, &advice));
    DO(dem_world_field_set(w, DEM_FIELD_EXTERNAL_FORCE, N, values[0]));
    DO(dem_world_snapshot_size(w, &size));
    DO(dem_world_snapshot(w, bytes, sizeof(bytes), &written));
    DO(dem_world_restore(w, bytes, written));
    char path[256];
    const char *folder = getenv("TMPDIR");
    (void)snprintf(path, sizeof(path), "%s/dem-stack-%d", folder != NULL ? folder : "/tmp",
                   (int)getpid());
    DO(dem_world_save(w, path));
    DO(dem_world_load(w, path));
    (void)remove(path);
    /* away from each other: free flight */
    for (uint64_t n = 0; n < N; ++n) {
        const double far[3] = {3.0, 3.0 * (double)n, 50.0};
        if (dem_particle_find(w, n + 2, &handle) == DEM_OK)
            DO(dem_particle_set_motion(w, handle, far, NULL, NULL));
    }
    DO(dem_step(w, 1e-4, 200));
#undef DO
    dem_world_destroy(w);
    return NULL;
}

/** A chain at level 1, by steps and by stages. */
static void *history_calls(void *argument)
{
    enum { N = 200 };
    scene *s = argument;
    static test_law_control control;
    control = (test_law_control){.fail_at = -1};
    static double x[N][3], v[N][3], w[N][3], f[N][3], t[N][3], mass[N], radius[N];
    static uint32_t pairs[N - 1][2];
    for (uint32_t n = 0; n < N; ++n) {
        x[n][0] = 0.99 * n;
        v[n][1] = 0.01 * (n % 3);
        w[n][2] = 0.5;
        mass[n] = 1.0;
        radius[n] = 0.5;
        if (n > 0) {
            pairs[n - 1][0] = n - 1;
            pairs[n - 1][1] = n;
        }
    }
    dem_contact_history_config config;
    s->failed = dem_contact_history_config_init(&config);
    config.isa = s->isa;
    dem_contact_history *h = NULL;
    if (dem_contact_history_create(&config, &h, NULL) != DEM_OK)
        return NULL;
#define DO(call) note(s, call, dem_contact_history_error(h))
    const dem_law law = test_law(&control);
    DO(dem_contact_history_law_register(h, &law));
    dem_contact_model model;
    DO(model_of(s->model, &model));
    DO(dem_contact_history_model_set(h, 0, 0, &model));
    dem_contacts_input in;
    DO(dem_contacts_input_init(&in));
    in.particle_count = N;
    in.position = x[0];
    in.velocity = v[0];
    in.angular_velocity = w[0];
    in.radius = radius;
    in.mass = mass;
    in.pair_count = N - 1;
    in.pairs = pairs[0];
    in.force = f[0];
    in.torque = t[0];
    in.dt = 1e-4;
    dem_contact_totals totals = {.struct_size = sizeof(totals)};
    for (int n = 0; n < 5; ++n)
        DO(dem_contacts_evaluate(h, &in, &totals));
    dem_contacts_stage stage = {.struct_size = sizeof(stage)};
    if (dem_contacts_stage_begin(h, &in, &stage) == DEM_OK) {
        DO(dem_contacts_stage_rate(h, &in, &totals));
        DO(dem_contacts_stage_end(h));
    }
#undef DO
    dem_contact_history_destroy(h);
    return NULL;
}

static void stacks_are_small(void *(*run)(void *), const char *name)
{
    const uint64_t empty = stack_of(nothing, NULL);
    uint64_t most = 0;
    for (int32_t isa = DEM_ISA_AUTO; isa <= DEM_ISA_X86_64_V2; ++isa)
        for (int model = 0; model < MODELS; ++model) {
            scene s = {.isa = isa, .integrator = model % 5, .model = model};
            const uint64_t taken = stack_of(run, &s) - empty;
            if (s.failed)
                fail_msg("model %d: %s", model, s.message);
            if (taken > MOST)
                fail_msg("%s, model %d, instructions %d: %llu bytes of stack", name, model,
                         (int)isa, (unsigned long long)taken);
            most = taken > most ? taken : most;
        }
    printf("# %s: %llu bytes of stack at most\n", name, (unsigned long long)most);
    assert_true(most > 1024); /* else the paint would not show it */
}

static void worlds_take_little_stack(void **state)
{
    (void)state;
    test_long();
    stacks_are_small(world_calls, "worlds");
}

static void histories_take_little_stack(void **state)
{
    (void)state;
    test_long();
    stacks_are_small(history_calls, "histories");
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_take_little_stack),
        cmocka_unit_test(histories_take_little_stack),
    };
    return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
