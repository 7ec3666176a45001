/* SPDX-License-Identifier: MIT */
/**
 * @file modes.c
 * The host's floating-point mode: whatever its rounding, adding, setting, reading and stepping give
 * the same bits; with its traps on, odd values are taken or refused without a signal; and it finds
 * its mode as it was.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/law.h"
#include "../support/scene.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
enum { MODES = sizeof(modes) / sizeof(modes[0]), COUNT = 200, WORDS = 1 << 16 };

/** All that was read, word by word. */
typedef struct record {
    uint64_t word[WORDS];
    size_t count;
} record;

static void keep(record *r, const void *bytes, size_t size)
{
    assert_true(r->count + size / 8 <= WORDS);
    memcpy(&r->word[r->count], bytes, size);
    r->count += size / 8;
}

static void keep_pair_values(record *r, dem_world *world, int32_t a, int32_t b)
{
    dem_pair_value value = {.struct_size = sizeof(value)};
    for (uint64_t k = 0; dem_world_pair_value(world, a, b, k, &value) == DEM_OK; ++k)
        keep(r, &value.value, 8);
}

/** How numbers round at present; fegetround of glibc looks at another register than they do. */
static int rounds(void)
{
    volatile double one = 1.0, tiny = 1e-30;
    return (one + tiny > one) + 2 * (one - tiny < one) + 4 * (-one - tiny < -one);
}

/** Numbers that make everything round. */
typedef struct input {
    dem_particle particle[COUNT];
    double force[COUNT][3], velocity[3];
} input;

static void input_make(input *in)
{
    test_random random = test_random_start("modes");
    for (int n = 0; n < COUNT; ++n) {
        dem_particle *p = &in->particle[n];
        OK(dem_particle_init(p));
        p->radius = test_uniform(&random, 0.30, 0.49);
        p->mobility = n % 11 == 0 ? DEM_MOBILITY_KINEMATIC : DEM_MOBILITY_FREE;
        p->contact_mass = n % 22 == 0 ? test_uniform(&random, 0.1, 10.0) : 0.0;
        p->material = n % 2;
        const int cell[3] = {n % 6, n / 6 % 6, n / 36};
        for (int c = 0; c < 3; ++c) {
            /* some outside the periodic box, so that images count */
            p->position[c] = 0.8 * cell[c] + 0.41 + (c == 0 ? 4.9 * (n % 3) : 0.0);
            p->velocity[c] = test_uniform(&random, -1.0, 1.0);
            p->angular_velocity[c] = test_uniform(&random, -3.0, 3.0);
            in->force[n][c] = test_uniform(&random, -1.0, 1.0);
        }
    }
    for (int c = 0; c < 3; ++c)
        in->velocity[c] = test_uniform(&random, -0.1, 0.1);
}

static void models_set(dem_world *world)
{
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.1;
    linear.restitution = 0.7;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.parts[0].parameters = &linear;
    OK(dem_contact_model_set(world, 0, 0, &model));
    dem_hertz hertz;
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = 1.1e5;
    hertz.young[1] = 1.7e5;
    hertz.poisson[0] = 0.23;
    hertz.poisson[1] = 0.31;
    hertz.restitution = 0.63;
    dem_mindlin mindlin;
    OK(dem_mindlin_init(&mindlin));
    model.parts[0].law = DEM_LAW_HERTZ;
    model.parts[0].parameters = &hertz;
    model.parts[1].law = DEM_LAW_MINDLIN;
    model.parts[1].parameters = &mindlin;
    OK(dem_contact_model_set(world, 0, 1, &model));
    OK(dem_contact_model_set(world, 1, 1, &model));
}

/** A whole run: everything is added, set and read under one mode. */
static void run(const input *in, record *r)
{
    r->count = 0;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.material_count = 2;
    config.gravity[2] = -9.81;
    config.boundary[0] = DEM_BOUNDARY_PERIODIC;
    config.box_low[0] = 0.1;
    config.box_high[0] = 5.0;
    config.integrator = DEM_INTEGRATOR_LEAPFROG; /* velocities are advanced for reading */
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    models_set(world);
    dem_material material;
    OK(dem_material_init(&material));
    material.density = 1234.5;
    OK(dem_material_set(world, 1, &material));
    dem_particle_handle handle[COUNT];
    OK(dem_particles_add(world, COUNT, in->particle, handle));
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.normal[0] = 0.1;
    wall.normal[1] = 0.3;
    uint64_t id;
    OK(dem_wall_add(world, &wall, &id));
    OK(dem_wall_set_velocity(world, id, in->velocity));
    wall.struct_size = sizeof(wall);
    for (int round = 0; round < 3; ++round) {
        for (int n = 0; n < COUNT; ++n) {
            dem_particle p = {.struct_size = sizeof(p)};
            OK(dem_particle_get(world, handle[n], &p));
            keep(r, p.position, sizeof(p.position));
            keep(r, p.velocity, sizeof(p.velocity));
            keep(r, p.angular_velocity, sizeof(p.angular_velocity));
            keep(r, &p.mass, 8);
            keep(r, &p.contact_mass, 8);
            if (round == 1) /* what was read can be written back */
                OK(dem_particle_set_motion(world, handle[n], p.position, p.velocity,
                                           p.angular_velocity));
            OK(dem_particle_set_force(world, handle[n], in->force[n], in->force[n]));
        }
        OK(dem_wall_get(world, id, &wall));
        keep(r, wall.normal, sizeof(wall.normal));
        keep(r, wall.point, sizeof(wall.point));
        keep(r, wall.force, sizeof(wall.force));
        for (int32_t a = 0; a < 2; ++a)
            keep_pair_values(r, world, a, 1);
        keep_pair_values(r, world, 0, 0);
        dem_timestep_advice advice = {.struct_size = sizeof(advice)};
        OK(dem_world_timestep_advise(world, NULL, &advice));
        keep(r, &advice, sizeof(advice));
        const dem_world_energies energies = scene_energies(world);
        keep(r, &energies, sizeof(energies));
        const uint64_t hash = scene_hash(world);
        keep(r, &hash, 8);
        dem_contact contact = {.struct_size = sizeof(contact)};
        for (uint64_t cursor = 0; dem_world_contact_next(world, &cursor, &contact) == DEM_OK;) {
            keep(r, &contact.overlap, 8);
            keep(r, contact.normal, sizeof(contact.normal));
            keep(r, contact.force_normal, sizeof(contact.force_normal));
        }
        OK(dem_step(world, 1e-4, 30));
    }
    dem_world_destroy(world);
    double out[2];
    OK(dem_collision_params(0.1, 0.3, 0.7, 1.1e-3, &out[0], &out[1]));
    keep(r, out, sizeof(out));
    OK(dem_collision_inverse(0.7, &out[0], &out[1]));
    keep(r, out, sizeof(out));
    OK(dem_collision_time_hertz(0.1, 0.3, 1e5, 0.7, &out[0]));
    keep(r, out, 8);
    OK(dem_collision_paper_params(0.1, 0.3, 0.7, 1.1e-3, &out[0], &out[1]));
    keep(r, out, sizeof(out));
}

static void rounding(void **state)
{
    (void)state;
    test_real_processor();
    static record want, got;
    input in;
    input_make(&in);
    run(&in, &want);
    assert_true(want.count > 5000);
    for (int m = 1; m < MODES; ++m) {
        const int old = fesetround(modes[m]);
        assert_int_equal(old, 0);
        const int before = rounds();
        run(&in, &got);
        const int after = rounds();
        (void)fesetround(FE_TONEAREST);
        assert_int_equal(after, before);
        assert_int_not_equal(after, rounds());
        size_t differ = 0;
        for (size_t k = 0; k < want.count; ++k)
            differ += k >= got.count || want.word[k] != got.word[k];
        printf("# mode %d: %zu of %zu numbers differ\n", m, differ, want.count);
        assert_int_equal(got.count, want.count);
        assert_int_equal(differ, 0);
    }
}

/* A function that returns a number and has no object. */
static void rounding_of_a_mass(void **state)
{
    (void)state;
    test_real_processor();
    const double inertia[3] = {0.11, 0.23, 0.31}, orientation[4] = {0.1, 0.7, 0.1, 0.7};
    double arm[COUNT][3], want[COUNT];
    for (int k = 0; k < COUNT; ++k) {
        arm[k][0] = 0.001 * k;
        arm[k][1] = 0.3;
        arm[k][2] = -0.007 * k;
    }
    for (int m = 0; m < MODES; ++m) {
        (void)fesetround(modes[m]);
        const int before = rounds();
        double got[COUNT];
        for (int k = 0; k < COUNT; ++k)
            got[k] = dem_polyhedron_mass(1.7, inertia, orientation, arm[k]);
        const int after = rounds();
        (void)fesetround(FE_TONEAREST);
        if (m == 0)
            memcpy(want, got, sizeof(want));
        assert_memory_equal(want, got, sizeof(want));
        assert_int_equal(before, after);
    }
}

/* At level 1, with the arrays of a host. */
static void rounding_of_a_host(void **state)
{
    (void)state;
    test_real_processor();
    double want[24];
    for (int m = 0; m < MODES; ++m) {
        (void)fesetround(modes[m]);
        dem_contact_history_config config;
        OK(dem_contact_history_config_init(&config));
        dem_contact_history *history = NULL;
        OK(dem_contact_history_create(&config, &history, NULL));
        dem_linear linear;
        OK(dem_linear_init(&linear));
        linear.stiffness_normal = 1000.1;
        linear.restitution = 0.7;
        dem_contact_model model;
        OK(dem_contact_model_init(&model));
        model.parts[0].law = DEM_LAW_LINEAR_CSDS;
        model.parts[0].parameters = &linear;
        OK(dem_contact_history_model_set(history, 0, 0, &model));
        double x[2][3] = {{0.1, 0.2, 0.3}, {2.0, 0.3, 0.4}};
        double v[2][3] = {{0.1, 0.7, 0.3}, {-0.3, 0.1, -0.1}}, w[2][3] = {{0.3, 0.1, 0.7}};
        double f[2][3] = {{0.0}}, t[2][3] = {{0.0}};
        const double radius[2] = {1.0, 1.1}, mass[2] = {0.3, 0.7}, inertia[2] = {0.12, 0.34};
        const uint32_t pair[2] = {0, 1};
        dem_integrator_config scheme;
        OK(dem_integrator_config_init(&scheme));
        dem_integrator *integrator = NULL;
        OK(dem_integrator_create(&scheme, &integrator, NULL));
        dem_integrator_arrays arrays;
        OK(dem_integrator_arrays_init(&arrays));
        arrays.count = 2;
        arrays.position = x[0];
        arrays.velocity = v[0];
        arrays.angular_velocity = w[0];
        arrays.force = f[0];
        arrays.torque = t[0];
        arrays.mass = mass;
        arrays.inertia = inertia;
        for (int step = 0; step < 20; ++step) {
            OK(dem_integrator_begin(integrator, &arrays, 1.1e-3));
            memset(f, 0, sizeof(f));
            memset(t, 0, sizeof(t));
            dem_contacts_input contacts;
            OK(dem_contacts_input_init(&contacts));
            contacts.particle_count = 2;
            contacts.position = x[0];
            contacts.velocity = v[0];
            contacts.angular_velocity = w[0];
            contacts.radius = radius;
            contacts.mass = mass;
            contacts.force = f[0];
            contacts.torque = t[0];
            contacts.pair_count = 1;
            contacts.pairs = pair;
            OK(dem_integrator_prepare(integrator, &contacts));
            OK(dem_contacts_evaluate(history, &contacts, NULL));
            OK(dem_integrator_end(integrator, &arrays));
        }
        const int after = rounds();
        (void)fesetround(FE_TONEAREST);
        assert_true(m == 0 ? after == rounds() : after != rounds());
        double got[24];
        memcpy(got, x, sizeof(x));
        memcpy(got + 6, v, sizeof(v));
        memcpy(got + 12, w, sizeof(w));
        memcpy(got + 18, f, sizeof(f));
        if (m == 0)
            memcpy(want, got, sizeof(want));
        assert_memory_equal(got, want, sizeof(want));
        dem_integrator_destroy(integrator);
        dem_contact_history_destroy(history);
    }
}

#if defined(__GLIBC__) && defined(__x86_64__)
#include <xmmintrin.h>

static sigjmp_buf back;

static void on_signal(int number)
{
    siglongjmp(back, number);
}

enum { TRAPS = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW };

/** Odd values, a signalling NaN among them. */
static double odd(size_t k)
{
    static const uint64_t signalling = UINT64_C(0x7FF4000000000000);
    static const double values[] = {0.0,       -0.0,    5e-324,   1e-310,  DBL_MIN, 1e-200,
                                    1e-160,    1e160,   1e200,    DBL_MAX, NAN,     INFINITY,
                                    -INFINITY, -5e-324, -DBL_MAX, -1e-310};
    double value;
    if (k < sizeof(values) / sizeof(values[0]))
        return values[k];
    memcpy(&value, &signalling, sizeof(value));
    return value;
}
enum { ODD = 17 };

static dem_world *odd_world;
static dem_contact_history *odd_history;
static dem_particle_handle odd_handle;

/** Puts an odd value in place of one double of a struct, without loading it as a number. */
static void spoil(void *object, size_t offset, size_t k)
{
    const double value = odd(k);
    memcpy((char *)object + offset, &value, sizeof(value));
}

/** What is refused left everything as it was, what was taken is finite. */
static dem_status odd_particle(size_t offset, size_t k)
{
    dem_particle p = scene_particle(0.0, 0.0, 50.0);
    p.mass = offset == offsetof(dem_particle, radius) ? 0.0 : p.mass;
    spoil(&p, offset, k);
    dem_particle_handle h;
    const dem_status status = dem_particle_add(odd_world, &p, &h);
    if (status != DEM_OK)
        return status;
    const dem_status got = dem_particle_get(odd_world, h, &p);
    return got != DEM_OK ? got : dem_particle_remove(odd_world, h);
}
static dem_status odd_motion(size_t which, size_t k)
{
    double v[3] = {1.0, 2.0, 3.0};
    spoil(v, 8, k);
    const dem_status status = dem_particle_set_motion(odd_world, odd_handle, which == 0 ? v : NULL,
                                                      which == 1 ? v : NULL, which == 2 ? v : NULL);
    dem_world_energies energies = {.struct_size = sizeof(energies)};
    dem_timestep_advice advice = {.struct_size = sizeof(advice)};
    if (status == DEM_OK) {
        (void)dem_world_energies_get(odd_world, &energies);
        (void)dem_world_timestep_advise(odd_world, NULL, &advice);
        const double zero[3] = {0.0, 0.0, 30.0};
        (void)dem_particle_set_motion(odd_world, odd_handle, zero, zero, zero);
    }
    return status;
}
static dem_status odd_wall(size_t offset, size_t k)
{
    dem_wall wall;
    (void)dem_wall_init(&wall);
    wall.point[2] = -50.0;
    spoil(&wall, offset, k);
    uint64_t id;
    const dem_status status = dem_wall_add(odd_world, &wall, &id);
    return status == DEM_OK ? dem_wall_remove(odd_world, id) : status;
}
static dem_status odd_density(size_t offset, size_t k)
{
    (void)offset;
    dem_material material;
    (void)dem_material_init(&material);
    spoil(&material, offsetof(dem_material, density), k);
    const dem_status status = dem_material_set(odd_world, 0, &material);
    (void)dem_material_init(&material);
    (void)dem_material_set(odd_world, 0, &material);
    return status;
}
static dem_status odd_config(size_t offset, size_t k)
{
    dem_world_config config;
    (void)dem_world_config_init(&config);
    spoil(&config, offset, k);
    dem_world *made = NULL;
    const dem_status status = dem_world_create(&config, &made, NULL);
    dem_world_destroy(made);
    return status;
}
static dem_status odd_linear(size_t offset, size_t k)
{
    dem_linear linear;
    (void)dem_linear_init(&linear);
    linear.stiffness_normal = 1000.0;
    spoil(&linear, offset, k);
    dem_contact_model model;
    (void)dem_contact_model_init(&model);
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.parts[0].parameters = &linear;
    return dem_contact_model_set(odd_world, 0, 0, &model);
}
static dem_status odd_hertz(size_t offset, size_t k)
{
    dem_hertz hertz;
    (void)dem_hertz_init(&hertz);
    hertz.young[0] = hertz.young[1] = 1e6;
    spoil(&hertz, offset, k);
    dem_contact_model model;
    (void)dem_contact_model_init(&model);
    model.parts[0].law = DEM_LAW_HERTZ;
    model.parts[0].parameters = &hertz;
    return dem_contact_model_set(odd_world, 0, 0, &model);
}
static dem_status odd_gravity(size_t which, size_t k)
{
    double v[3] = {0.0, 0.0, 0.0};
    spoil(v, 16, k);
    const double zero[3] = {0.0, 0.0, 0.0};
    const dem_status status = which == 0 ? dem_world_gravity_set(odd_world, v)
                                         : dem_particle_set_force(odd_world, odd_handle, v, v);
    (void)dem_world_gravity_set(odd_world, zero);
    (void)dem_particle_set_force(odd_world, odd_handle, zero, zero);
    return status;
}
/** A row of a host that touches nothing. */
static dem_status odd_row(size_t which, size_t k)
{
    double x[2][3] = {{0.0}, {5.0, 0.0, 0.0}}, v[2][3] = {{0.0}}, w[2][3] = {{0.0}}, f[2][3];
    double radius[2] = {1.0, 1.0}, mass[2] = {1.0, 1.0}, shift[3] = {0.0, 0.0, 0.0};
    const uint32_t pair[2] = {0, 1};
    memset(f, 0, sizeof(f));
    double *const places[] = {&x[1][0], &v[1][1], &w[1][2], &radius[1], &mass[1], &shift[0]};
    spoil(places[which], 0, k);
    dem_contacts_input in;
    (void)dem_contacts_input_init(&in);
    in.particle_count = 2;
    in.position = x[0];
    in.velocity = v[0];
    in.angular_velocity = w[0];
    in.radius = radius;
    in.mass = mass;
    in.force = f[0];
    in.pair_count = 1;
    in.pairs = pair;
    in.shifts = shift;
    in.dt = 1e-3;
    const dem_status status = dem_contacts_evaluate(odd_history, &in, NULL);
    (void)dem_contact_history_clear(odd_history);
    return status;
}

static void traps(void **state)
{
    (void)state;
    typedef struct place {
        const char *name;
        dem_status (*call)(size_t offset, size_t k);
        size_t offset;
    } place;
#define AT(call, type, field)                                                                      \
    {                                                                                              \
#type "." #field, call, offsetof(type, field)                                              \
    }
    static const place places[] = {AT(odd_particle, dem_particle, position[0]),
                                   AT(odd_particle, dem_particle, velocity[1]),
                                   AT(odd_particle, dem_particle, angular_velocity[2]),
                                   AT(odd_particle, dem_particle, radius),
                                   AT(odd_particle, dem_particle, mass),
                                   AT(odd_particle, dem_particle, contact_mass),
                                   AT(odd_wall, dem_wall, point[0]),
                                   AT(odd_wall, dem_wall, normal[1]),
                                   AT(odd_wall, dem_wall, normal[2]),
                                   AT(odd_wall, dem_wall, velocity[0]),
                                   AT(odd_density, dem_material, density),
                                   AT(odd_config, dem_world_config, gravity[0]),
                                   AT(odd_config, dem_world_config, box_high[1]),
                                   AT(odd_config, dem_world_config, skin),
                                   AT(odd_config, dem_world_config, overlap_limit),
                                   AT(odd_linear, dem_linear, stiffness_normal),
                                   AT(odd_linear, dem_linear, stiffness_tangential),
                                   AT(odd_linear, dem_linear, friction),
                                   AT(odd_linear, dem_linear, restitution),
                                   AT(odd_linear, dem_linear, damping_tangential),
                                   AT(odd_hertz, dem_hertz, young[0]),
                                   AT(odd_hertz, dem_hertz, poisson[1]),
                                   AT(odd_hertz, dem_hertz, restitution),
                                   {"position", odd_motion, 0},
                                   {"velocity", odd_motion, 1},
                                   {"angular velocity", odd_motion, 2},
                                   {"gravity", odd_gravity, 0},
                                   {"force", odd_gravity, 1},
                                   {"row's position", odd_row, 0},
                                   {"row's velocity", odd_row, 1},
                                   {"row's angular velocity", odd_row, 2},
                                   {"row's radius", odd_row, 3},
                                   {"row's mass", odd_row, 4},
                                   {"shift", odd_row, 5}};
#undef AT
    dem_world_config config = scene_config();
    odd_world = scene_world(&config);
    const dem_particle p = scene_particle(0.0, 0.0, 30.0);
    OK(dem_particle_add(odd_world, &p, &odd_handle));
    dem_contact_history_config h;
    OK(dem_contact_history_config_init(&h));
    OK(dem_contact_history_create(&h, &odd_history, NULL));
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.parts[0].parameters = &linear;
    OK(dem_contact_history_model_set(odd_history, 0, 0, &model));
    void (*const before)(int) = signal(SIGFPE, on_signal);
    const int mask = fegetexcept();
    volatile int signals = 0, not_finite = 0, kept_traps = 0, all = 0;
    for (volatile size_t m = 0; m < sizeof(places) / sizeof(places[0]); ++m)
        for (volatile size_t k = 0; k < ODD; ++k) {
            volatile dem_status plain = DEM_OK, trapped = DEM_OK;
            (void)fedisableexcept(FE_ALL_EXCEPT);
            plain = places[m].call(places[m].offset, k);
            feclearexcept(FE_ALL_EXCEPT);
            (void)feenableexcept(TRAPS);
            const unsigned int mode = _mm_getcsr() & 0xFFC0u;
            if (sigsetjmp(back, 1) == 0)
                trapped = places[m].call(places[m].offset, k);
            else {
                trapped = -1;
                printf("# %s = %g: signal\n", places[m].name, odd(k));
            }
            /* traps, rounding, flush to zero: all but the flags */
            kept_traps += trapped == -1 || (_mm_getcsr() & 0xFFC0u) == mode;
            (void)fedisableexcept(FE_ALL_EXCEPT);
            ++all;
            signals += trapped == -1;
            if (trapped != -1 && trapped != plain)
                fail_msg("%s = %g: status %d, and %d with traps", places[m].name, odd(k),
                         (int)plain, (int)trapped);
            /* a NaN or an infinity is never taken */
            not_finite += k >= 10 && k <= 12 && plain == DEM_OK;
            not_finite += k == ODD - 1 && plain == DEM_OK;
        }
    printf("# %d of %d odd values raise a signal\n", signals, all);
    (void)signal(SIGFPE, before);
    feclearexcept(FE_ALL_EXCEPT);
    (void)feenableexcept(mask);
    assert_int_equal(signals, 0);
    assert_int_equal(not_finite, 0);
    assert_int_equal(kept_traps, all);
    dem_world_destroy(odd_world);
    dem_contact_history_destroy(odd_history);
}

/** What a law of the host sees of the traps: calls, and those with other traps than the host has.
 */
typedef struct watch {
    unsigned int traps;
    uint64_t calls, others;
} watch;
enum { CONTACTS = 2100 };

static dem_status watching(void *user, uint64_t n, dem_contact_batch *batch, const void *combined)
{
    watch *seen = user;
    (void)n, (void)batch, (void)combined;
    ++seen->calls;
    seen->others += (_mm_getcsr() & 0x1F80u) != seen->traps;
    return DEM_OK;
}

/** An executor whose thread has traps of its own. */
static void run_trapping(void *user, void (*task)(void *argument, uint64_t k), void *argument,
                         uint64_t count)
{
    const unsigned int mode = _mm_getcsr();
    (void)user;
    _mm_setcsr(mode & ~(unsigned int)_MM_MASK_INVALID);
    for (uint64_t k = 0; k < count; ++k)
        task(argument, k);
    _mm_setcsr(mode);
}

/** Two steps of a row of spheres by a kept list and one by pairs; what the law saw. */
static watch traps_seen(int with_executor)
{
    static double x[CONTACTS + 1][3], v[CONTACTS + 1][3], f[CONTACTS + 1][3];
    static double radius[CONTACTS + 1], mass[CONTACTS + 1];
    static uint32_t pairs[CONTACTS][2];
    watch seen = {_mm_getcsr() & 0x1F80u, 0, 0};
    test_law_control unused = {0};
    test_spring spring = {1.0};
    dem_law law = test_law(&unused);
    law.user = &seen;
    law.evaluate = watching;
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    if (with_executor)
        config.executor.run = run_trapping;
    dem_contact_history *history = NULL;
    OK(dem_contact_history_create(&config, &history, NULL));
    OK(dem_contact_history_law_register(history, &law));
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = "test-spring";
    model.parts[0].parameters = &spring;
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    for (uint32_t k = 0; k <= CONTACTS; ++k) {
        x[k][0] = 1.9 * k;
        radius[k] = mass[k] = 1.0;
        if (k < CONTACTS) {
            pairs[k][0] = k;
            pairs[k][1] = k + 1;
        }
    }
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.particle_count = CONTACTS + 1;
    in.position = x[0];
    in.velocity = v[0];
    in.radius = radius;
    in.mass = mass;
    in.force = f[0];
    in.pair_count = CONTACTS;
    in.pairs = pairs[0];
    in.dt = 1e-3;
    OK(dem_contacts_evaluate(history, &in, NULL));
    OK(dem_contacts_list_begin(history, &in));
    for (int step = 0; step < 2; ++step)
        OK(dem_contacts_list_evaluate(history, &in, NULL));
    assert_int_equal(dem_contact_history_count(history), CONTACTS);
    dem_contact_history_destroy(history);
    return seen;
}

static void traps_of_laws(void **state)
{
    (void)state;
    test_real_processor();
    const unsigned int before = _mm_getcsr();
    for (int with_executor = 0; with_executor < 2; ++with_executor)
        for (int trapping = 0; trapping < 2; ++trapping) {
            const unsigned int all = before | 0x1F80u,
                               mode = trapping ? all & ~(unsigned int)_MM_MASK_DIV_ZERO : all;
            _mm_setcsr(mode);
            const watch seen = traps_seen(with_executor);
            const unsigned int after = _mm_getcsr();
            _mm_setcsr(before);
            assert_true(seen.calls >= 3 * (CONTACTS / DEM_BATCH_SIZE));
            assert_int_equal(seen.others, 0);
            assert_int_equal(after & 0xFFC0u, mode & 0xFFC0u);
        }
}
#endif

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding),
        cmocka_unit_test(rounding_of_a_host),
        cmocka_unit_test(rounding_of_a_mass),
#if defined(__GLIBC__) && defined(__x86_64__)
        cmocka_unit_test(traps),
        cmocka_unit_test(traps_of_laws),
#endif
    };
    return cmocka_run_group_tests_name("modes", tests, NULL, NULL);
}
