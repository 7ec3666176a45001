/* SPDX-License-Identifier: MIT */
/**
 * @file level1_arguments.c
 * Bad input to histories and integrators, the init functions, and the status texts.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/sized.h"

#include <math.h>

static void version_and_status(void **state)
{
    (void)state;
    assert_int_equal(dem_version(), DEM_VERSION);
    const char *unknown = dem_status_string(-1);
    assert_string_equal(unknown, "unknown status");
    assert_string_equal(dem_status_string(DEM_ERROR_FORMAT + 1), unknown);
    assert_string_equal(dem_status_string(INT32_MAX), unknown);
    for (dem_status a = DEM_OK; a <= DEM_ERROR_FORMAT; ++a) {
        assert_true(strlen(dem_status_string(a)) > 0);
        assert_string_not_equal(dem_status_string(a), unknown);
        for (dem_status b = DEM_OK; b < a; ++b)
            assert_string_not_equal(dem_status_string(a), dem_status_string(b));
    }
}

/* Each init through a pointer of one type. */
#define WRAP(type)                                                                                 \
    static dem_status init_##type(void *s, uint64_t size)                                          \
    {                                                                                              \
        return type##_init_sized(s, size);                                                         \
    }
WRAP(dem_linear)
WRAP(dem_hertz)
WRAP(dem_mindlin)
WRAP(dem_actm)
WRAP(dem_adhesion)
WRAP(dem_luding)
WRAP(dem_walton_braun)
WRAP(dem_thornton)
WRAP(dem_contact_model)
WRAP(dem_law)
WRAP(dem_contact_history_config)
WRAP(dem_contacts_input)
WRAP(dem_contacts_geometry)
WRAP(dem_integrator_config)
WRAP(dem_integrator_arrays)
WRAP(dem_world_config)
WRAP(dem_material)
WRAP(dem_particle)
WRAP(dem_wall)
#undef WRAP

/* Every init fills what it knows, says the size, and writes nothing behind it. */
static void init_functions(void **state)
{
    (void)state;
#define ROW(type)                                                                                  \
    {                                                                                              \
#type, DEMI_FIRST_SIZE(*(type *)NULL), sizeof(type), init_##type                           \
    }
    const struct {
        const char *name;
        uint64_t first, size;
        dem_status (*init)(void *, uint64_t);
    } table[] = {
        ROW(dem_linear),
        ROW(dem_hertz),
        ROW(dem_mindlin),
        ROW(dem_actm),
        ROW(dem_adhesion),
        ROW(dem_luding),
        ROW(dem_walton_braun),
        ROW(dem_thornton),
        ROW(dem_contact_model),
        ROW(dem_law),
        ROW(dem_contact_history_config),
        ROW(dem_contacts_input),
        ROW(dem_contacts_geometry),
        ROW(dem_integrator_config),
        ROW(dem_integrator_arrays),
        ROW(dem_world_config),
        ROW(dem_material),
        ROW(dem_particle),
        ROW(dem_wall),
    };
#undef ROW
    for (size_t n = 0; n < sizeof(table) / sizeof(table[0]); ++n) {
        const uint64_t size = table[n].size;
        sized_block block, exact;
        assert_int_equal(table[n].init(NULL, size), DEM_ERROR_ARGUMENT);
        const uint64_t wrong[] = {0, 8, table[n].first - 1};
        for (int k = 0; k < 3; ++k) {
            memset(&block, 0x5A, sizeof(block));
            exact = block;
            const dem_status got = table[n].init(&block, wrong[k]);
            if (got != DEM_ERROR_STRUCT_SIZE)
                fail_msg("%s_init_sized(%llu): status %d", table[n].name,
                         (unsigned long long)wrong[k], (int)got);
            assert_memory_equal(&block, &exact, sizeof(block));
        }
        memset(&exact, 0x5A, sizeof(exact));
        OK(table[n].init(&exact, size));
        assert_true(exact.struct_size == size && exact.bytes[size] == 0x5A);
        memset(&block, 0x5A, sizeof(block));
        OK(table[n].init(&block, size + SIZED_TAIL));
        assert_int_equal(block.struct_size, size + SIZED_TAIL);
        assert_memory_equal(block.bytes + 8, exact.bytes + 8, (size_t)size - 8);
        for (uint64_t k = size; k < size + SIZED_TAIL; ++k)
            assert_int_equal(block.bytes[k], 0);
        assert_int_equal(block.bytes[size + SIZED_TAIL], 0x5A);
    }
}

/* ------------------------------------------------------------------ history */

static dem_contact_history *history;

static void refused(dem_status got, dem_status want, const char *word, const char *call)
{
    if (got != want || strstr(dem_contact_history_error(history), word) == NULL)
        fail_msg("%s: status %d, not %d; message \"%s\" must name %s", call, (int)got, (int)want,
                 dem_contact_history_error(history), word);
}
#define REFUSE(call, want, word) refused((call), want, word, #call)

static dem_status give_config(const void *s)
{
    dem_contact_history *made = NULL;
    const dem_status status = dem_contact_history_create(s, &made, NULL);
    dem_contact_history_destroy(made);
    return status;
}
static dem_status give_law(const void *s)
{
    return dem_contact_history_law_register(history, s);
}
static dem_status give_input(const void *s)
{
    return dem_contacts_evaluate(history, s, NULL);
}
static dem_status take_totals(void *s)
{
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.dt = 1.0;
    return dem_contacts_evaluate(history, &in, s);
}

static void history_arguments(void **state)
{
    (void)state;
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    assert_true(config.material_count == 1 && config.overlap_limit == 0.5);
    dem_error error;
    const int32_t counts[] = {0, -1, 1025};
    const double limits[] = {0.0, -1.0, 1.5, NAN, INFINITY};
    for (int n = 0; n < 3; ++n) {
        dem_contact_history_config bad = config;
        bad.material_count = counts[n];
        history = (dem_contact_history *)(void *)&bad;
        assert_int_equal(dem_contact_history_create(&bad, &history, &error), DEM_ERROR_RANGE);
        assert_null(history);
        assert_non_null(strstr(error.message, "material_count"));
        assert_int_equal(error.status, DEM_ERROR_RANGE);
    }
    for (int n = 0; n < 5; ++n) {
        dem_contact_history_config bad = config;
        bad.overlap_limit = limits[n];
        assert_int_equal(dem_contact_history_create(&bad, &history, &error), DEM_ERROR_RANGE);
        assert_non_null(strstr(error.message, "overlap_limit"));
    }
    assert_int_equal(dem_contact_history_create(NULL, &history, &error), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_create(&config, NULL, &error), DEM_ERROR_ARGUMENT);
    OK(dem_contact_history_create(&config, &history, &error));
    assert_string_equal(dem_contact_history_error(history), "");

    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    REFUSE(dem_contact_history_model_set(history, 1, 0, &model), DEM_ERROR_RANGE, "material_a");
    REFUSE(dem_contact_history_model_set(history, 0, -1, &model), DEM_ERROR_RANGE, "material_b");
    REFUSE(dem_contact_history_model_set(history, 0, 0, NULL), DEM_ERROR_ARGUMENT, "model");
    assert_int_equal(dem_contact_history_model_set(NULL, 0, 0, &model), DEM_ERROR_ARGUMENT);
    test_law_control control = {0, -1, 0.0};
    const dem_law law = test_law(&control);
    REFUSE(dem_contact_history_law_register(history, NULL), DEM_ERROR_ARGUMENT, "law");
    assert_int_equal(dem_contact_history_law_register(NULL, &law), DEM_ERROR_ARGUMENT);
    REFUSE(dem_contacts_evaluate(history, NULL, NULL), DEM_ERROR_ARGUMENT, "input");
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.dt = 1.0;
    assert_int_equal(dem_contacts_evaluate(NULL, &in, NULL), DEM_ERROR_ARGUMENT);
    OK(dem_contacts_evaluate(history, &in, NULL)); /* nothing to do is no error */
    sized_input(&config, sizeof(config), give_config, "dem_contact_history_config");
    sized_input(&law, sizeof(law), give_law, "dem_law");
    sized_input(&in, sizeof(in), give_input, "dem_contacts_input");
    sized_output(sizeof(dem_contact_totals), take_totals, "dem_contact_totals");
    dem_contact_history_destroy(history);
}

/* A row is a neighbour of its own image alone. */
static void row_with_itself(void **state)
{
    (void)state;
    dem_contact_history_config config;
    dem_linear linear;
    dem_contact_model model;
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &history, NULL));
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1e3;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    const double x[2][3] = {{0.0, 0.0, 0.0}, {5.0, 0.0, 0.0}}, v[2][3] = {{0.0}},
                 radius[2] = {1.0, 1.0}, mass[2] = {1.0, 1.0};
    double force[2][3] = {{0.0}};
    const uint32_t pairs[2][2] = {{0, 1}, {1, 1}};
    double shifts[2][3] = {{0.0}};
    const int32_t images[2][3] = {{0, 0, 0}, {0, 1, 0}};
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.particle_count = 2;
    in.position = x[0];
    in.velocity = v[0];
    in.radius = radius;
    in.mass = mass;
    in.force = force[0];
    in.pair_count = 2;
    in.pairs = pairs[0];
    in.dt = 1e-3;
    for (int shifted = 0; shifted < 2; ++shifted) {
        in.shifts = shifted ? shifts[0] : NULL;
        REFUSE(dem_contacts_evaluate(history, &in, NULL), DEM_ERROR_RANGE, "pairs[1]: row 1 twice");
        REFUSE(dem_contacts_list_begin(history, &in), DEM_ERROR_RANGE, "pairs[1]: row 1 twice");
    }
    shifts[1][1] = 1.9;
    in.images = images[0];
    dem_contact_totals totals = {.struct_size = sizeof totals};
    OK(dem_contacts_evaluate(history, &in, &totals));
    assert_int_equal(totals.contacts, 1);
    OK(dem_contacts_list_begin(history, &in));
    dem_contact_history_destroy(history);
}

/* ------------------------------------------------------------------ integrator */

#define ROWS 3

typedef struct bodies {
    double x[ROWS][3], v[ROWS][3], w[ROWS][3], f[ROWS][3], t[ROWS][3], mass[ROWS], inertia[ROWS];
} bodies;

static dem_integrator *integrator;
static bodies b;

static dem_integrator_arrays arrays_of_b(void)
{
    dem_integrator_arrays a;
    OK(dem_integrator_arrays_init(&a));
    a.count = ROWS;
    a.position = b.x[0];
    a.velocity = b.v[0];
    a.angular_velocity = b.w[0];
    a.force = b.f[0];
    a.torque = b.t[0];
    a.mass = b.mass;
    a.inertia = b.inertia;
    return a;
}

static void fill(void)
{
    for (int n = 0; n < ROWS; ++n) {
        for (int c = 0; c < 3; ++c) {
            b.x[n][c] = n + 0.5 * c;
            b.v[n][c] = 1.0 - n;
            b.w[n][c] = 0.25 * c;
            b.f[n][c] = 2.0 * n;
            b.t[n][c] = -n;
        }
        b.mass[n] = 0.5 * (n + 1);
        b.inertia[n] = 0.25;
    }
}

static void integrator_refuses(const dem_integrator_arrays *a, int begin, dem_status want,
                               const char *word)
{
    const bodies kept = b;
    const dem_status got =
        begin ? dem_integrator_begin(integrator, a, 0.5) : dem_integrator_end(integrator, a);
    if (got != want || strstr(dem_integrator_error(integrator), word) == NULL)
        fail_msg("%s: status %d, not %d; message \"%s\" must name it", word, (int)got, (int)want,
                 dem_integrator_error(integrator));
    assert_memory_equal(&b, &kept, sizeof(b));
}

static dem_status give_integrator_config(const void *s)
{
    dem_integrator *made = NULL;
    const dem_status status = dem_integrator_create(s, &made, NULL);
    dem_integrator_destroy(made);
    return status;
}
static dem_status give_arrays(const void *s)
{
    const dem_status status = dem_integrator_begin(integrator, s, 0.5);
    if (status == DEM_OK) {
        const dem_integrator_arrays a = arrays_of_b();
        OK(dem_integrator_end(integrator, &a));
    }
    return status;
}

static void integrator_arguments(void **state)
{
    (void)state;
    dem_integrator_config config;
    OK(dem_integrator_config_init(&config));
    dem_error error;
    const int32_t schemes[] = {-1, 9};
    for (int n = 0; n < 2; ++n) {
        dem_integrator_config bad = config;
        bad.scheme = schemes[n];
        assert_int_equal(dem_integrator_create(&bad, &integrator, &error), DEM_ERROR_UNKNOWN);
        assert_null(integrator);
        assert_non_null(strstr(error.message, "scheme"));
    }
    assert_int_equal(dem_integrator_create(NULL, &integrator, &error), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_integrator_create(&config, NULL, &error), DEM_ERROR_ARGUMENT);
    OK(dem_integrator_create(&config, &integrator, &error));
    int32_t kinematics = -1;
    OK(dem_integrator_kinematics(integrator, &kinematics));
    assert_int_equal(kinematics, DEM_KINEMATICS_SYNCHRONIZED);
    assert_int_equal(dem_integrator_kinematics(integrator, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_integrator_kinematics(NULL, &kinematics), DEM_ERROR_ARGUMENT);
    fill();
    const dem_integrator_arrays good = arrays_of_b();
    dem_integrator_arrays a;
    const double dt[] = {0.0, -1.0, NAN, INFINITY};
    for (int n = 0; n < 4; ++n) {
        const bodies kept = b;
        assert_int_equal(dem_integrator_begin(integrator, &good, dt[n]), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_integrator_error(integrator), "dt"));
        assert_memory_equal(&b, &kept, sizeof(b));
    }
#define MISSING(field)                                                                             \
    a = good;                                                                                      \
    a.field = NULL;                                                                                \
    integrator_refuses(&a, 1, DEM_ERROR_ARGUMENT, #field)
    MISSING(position);
    MISSING(velocity);
    MISSING(force);
    MISSING(mass);
    MISSING(inertia);
#undef MISSING
    a = good;
    a.velocity_stride = 16;
    integrator_refuses(&a, 1, DEM_ERROR_RANGE, "velocity_stride");
    /* the last row is wrong: the others must not have moved */
#define WRONG(field, value, status, word)                                                          \
    fill();                                                                                        \
    b.field = value;                                                                               \
    integrator_refuses(&good, 1, status, word)
    WRONG(x[2][1], NAN, DEM_ERROR_DIVERGED, "position");
    WRONG(x[2][1], INFINITY, DEM_ERROR_DIVERGED, "position");
    WRONG(v[2][2], NAN, DEM_ERROR_DIVERGED, "velocity");
    WRONG(w[2][0], NAN, DEM_ERROR_DIVERGED, "angular_velocity");
    WRONG(f[2][0], INFINITY, DEM_ERROR_DIVERGED, "force");
    WRONG(t[2][0], NAN, DEM_ERROR_DIVERGED, "torque");
    WRONG(mass[2], -1.0, DEM_ERROR_RANGE, "mass");
    WRONG(mass[2], NAN, DEM_ERROR_RANGE, "mass");
    WRONG(inertia[2], -1.0, DEM_ERROR_RANGE, "inertia");
    WRONG(inertia[2], INFINITY, DEM_ERROR_RANGE, "inertia");
#undef WRONG
    fill();
    const double *acceleration = NULL, *angular = NULL;
    assert_int_equal(dem_integrator_accelerations(integrator, &acceleration, &angular),
                     DEM_ERROR_STATE);
    integrator_refuses(&good, 0, DEM_ERROR_STATE, "step");
    OK(dem_integrator_begin(integrator, &good, 0.5));
    OK(dem_integrator_accelerations(integrator, &acceleration, &angular));
    assert_true(acceleration[3] == 2.0 && angular[3] == -4.0);
    assert_int_equal(dem_integrator_accelerations(integrator, NULL, &angular), DEM_ERROR_ARGUMENT);
    integrator_refuses(&good, 1, DEM_ERROR_STATE, "step");
    a = good;
    a.count = ROWS - 1;
    integrator_refuses(&a, 0, DEM_ERROR_STATE, "count");
    b.f[2][1] = NAN;
    integrator_refuses(&good, 0, DEM_ERROR_DIVERGED, "force");
    b.f[2][1] = 4.0;
    OK(dem_integrator_end(integrator, &good)); /* the step stayed open */
    /* row 1: v = 0, a = 2, dt = 0.5: x moves by a dt^2/2, v by a dt */
    assert_true(b.x[1][0] == 1.25 && b.v[1][0] == 1.0);
    assert_int_equal(dem_integrator_begin(NULL, &good, 0.5), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_integrator_begin(integrator, NULL, 0.5), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_integrator_end(NULL, &good), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_integrator_end(integrator, NULL), DEM_ERROR_ARGUMENT);
    sized_input(&config, sizeof(config), give_integrator_config, "dem_integrator_config");
    sized_input(&good, sizeof(good), give_arrays, "dem_integrator_arrays");
    dem_integrator_destroy(integrator);
    dem_integrator_destroy(NULL);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_and_status),   cmocka_unit_test(init_functions),
        cmocka_unit_test(history_arguments),    cmocka_unit_test(row_with_itself),
        cmocka_unit_test(integrator_arguments),
    };
    return cmocka_run_group_tests_name("level 1 arguments", tests, NULL, NULL);
}
