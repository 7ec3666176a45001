/* SPDX-License-Identifier: MIT */
/**
 * @file integrators.c
 * Schemes beyond velocity-Verlet: bad input, the order of calls, and that an error changes nothing.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/random.h"
#include "../support/sized.h"

#include <math.h>

typedef struct bodies {
    double x[2][3], v[2][3], w[2][3], f[2][3], t[2][3], q[2][4], mass[2], inertia[2], radius[2];
    double state[2], rate[2], jump[2];
} bodies;

static bodies b;
static dem_integrator *integrator;

static void fill(void)
{
    memset(&b, 0, sizeof b);
    for (int n = 0; n < 2; ++n) {
        b.x[n][0] = 1.9 * n;
        b.w[n][n] = 0.5;
        b.mass[n] = 2.0;
        b.inertia[n] = 0.5;
        b.radius[n] = 1.0;
        b.q[n][0] = 1.0;
        b.state[n] = 1.0 + n;
        b.rate[n] = -0.25;
    }
}

static dem_integrator_arrays arrays_of_b(int stages)
{
    dem_integrator_arrays a;
    OK(dem_integrator_arrays_init(&a));
    a.count = 2;
    a.position = b.x[0];
    a.velocity = b.v[0];
    a.angular_velocity = b.w[0];
    a.force = b.f[0];
    a.torque = b.t[0];
    a.mass = b.mass;
    a.inertia = b.inertia;
    a.orientation = b.q[0];
    if (stages) {
        a.state_count = 2;
        a.state = b.state;
        a.state_rate = b.rate;
        a.state_jump = b.jump;
    }
    return a;
}

static dem_integrator *make(int32_t scheme)
{
    dem_integrator_config config;
    dem_integrator *made;
    OK(dem_integrator_config_init(&config));
    config.scheme = scheme;
    OK(dem_integrator_create(&config, &made, NULL));
    return made;
}

/* The call must fail with this status and a message with this word, and move nothing. */
static void refused(dem_status (*call)(const dem_integrator_arrays *), dem_integrator_arrays a,
                    dem_status want, const char *word)
{
    const bodies kept = b;
    const dem_status got = call(&a);
    if (got != want || strstr(dem_integrator_error(integrator), word) == NULL)
        fail_msg("%s: status %d, not %d; message \"%s\" must name it", word, (int)got, (int)want,
                 dem_integrator_error(integrator));
    assert_memory_equal(&b, &kept, sizeof b);
}

static dem_status call_stage(const dem_integrator_arrays *a)
{
    return dem_integrator_stage(integrator, a, 0.5);
}
static dem_status call_other_dt(const dem_integrator_arrays *a)
{
    return dem_integrator_stage(integrator, a, 0.25);
}
static dem_status call_begin(const dem_integrator_arrays *a)
{
    return dem_integrator_begin(integrator, a, 0.5);
}
static dem_status call_end(const dem_integrator_arrays *a)
{
    return dem_integrator_end(integrator, a);
}

/* By masses and moments of inertia that have no finite inverse nothing is divided. */
static void without_inverse(void **state)
{
    (void)state;
    static const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_RK4};
    for (int k = 0; k < 2; ++k) {
        dem_status (*const call)(const dem_integrator_arrays *) = k == 0 ? call_begin : call_stage;
        integrator = make(schemes[k]);
        fill();
        const dem_integrator_arrays a = arrays_of_b(k);
        b.mass[1] = 0x1p-1024;
        refused(call, a, DEM_ERROR_RANGE, "mass[1]");
        assert_non_null(strstr(dem_integrator_error(integrator), "5.56"));
        b.mass[1] = 1.0;
        b.inertia[0] = 1e-310;
        refused(call, a, DEM_ERROR_RANGE, "inertia[0]");
        /* the next larger ones move */
        memset(b.f, 0, sizeof b.f);
        memset(b.t, 0, sizeof b.t);
        b.mass[1] = b.inertia[0] = 0x1.0000000000004p-1024;
        OK(call(&a));
        dem_integrator_destroy(integrator);
    }
}

/* An orientation that a host wrote between stages so that nothing of it is left is divided by
 * nothing: it is zero, and the next step refuses it. */
static void orientation_that_vanishes(void **state)
{
    (void)state;
    integrator = make(DEM_INTEGRATOR_MIDPOINT);
    fill();
    const dem_integrator_arrays a = arrays_of_b(0);
    b.w[1][1] = 0.0;
    b.w[1][0] = 1.0;
    OK(dem_integrator_stage(integrator, &a, 0.5));
    b.q[1][0] = 0.0;
    b.q[1][1] = 4.0;
    OK(dem_integrator_stage(integrator, &a, 0.5));
    for (int c = 0; c < 4; ++c)
        assert_true(b.q[1][c] == 0.0);
    refused(call_stage, a, DEM_ERROR_RANGE, "orientation[1]: (0, 0, 0, 0) is not of unit length");
    dem_integrator_destroy(integrator);
}

static void stage_arguments(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 0, 0, 0, 0, 1, 2, 2, 4};
    for (int32_t scheme = 0; scheme < 9; ++scheme) {
        dem_integrator *made = make(scheme);
        assert_int_equal(dem_integrator_stage_count(made), counts[scheme]);
        dem_integrator_destroy(made);
    }
    assert_int_equal(dem_integrator_stage_count(NULL), 0);
    fill();
    integrator = make(DEM_INTEGRATOR_RK4);
    const dem_integrator_arrays good = arrays_of_b(1);
    assert_int_equal(dem_integrator_stage(NULL, &good, 0.5), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_integrator_stage(integrator, NULL, 0.5), DEM_ERROR_ARGUMENT);
    const double dt[] = {0.0, -1.0, NAN, INFINITY};
    for (int n = 0; n < 4; ++n)
        assert_int_equal(dem_integrator_stage(integrator, &good, dt[n]), DEM_ERROR_RANGE);
    refused(call_begin, arrays_of_b(0), DEM_ERROR_STATE, "dem_integrator_stage");
    refused(call_end, arrays_of_b(0), DEM_ERROR_STATE, "dem_integrator_stage");
    int32_t kinematics = 77;
    const double *linear;
    assert_int_equal(dem_integrator_kinematics(integrator, &kinematics), DEM_ERROR_STATE);
    assert_int_equal(kinematics, 77);
    assert_int_equal(dem_integrator_accelerations(integrator, &linear, NULL), DEM_ERROR_STATE);
    dem_integrator_arrays a = good;
#define CHANGED(field, value, status, word)                                                        \
    a = good;                                                                                      \
    a.field = value;                                                                               \
    refused(call_stage, a, status, word)
    CHANGED(state, NULL, DEM_ERROR_ARGUMENT, "state");
    CHANGED(state_rate, NULL, DEM_ERROR_ARGUMENT, "state_rate");
    CHANGED(angular_velocity, NULL, DEM_ERROR_ARGUMENT, "angular_velocity");
    CHANGED(orientation_stride, 24, DEM_ERROR_RANGE, "32");
#define WRONG(field, value, status, word)                                                          \
    fill();                                                                                        \
    b.field = value;                                                                               \
    refused(call_stage, good, status, word)
    WRONG(state[1], NAN, DEM_ERROR_DIVERGED, "state[1]");
    WRONG(rate[1], INFINITY, DEM_ERROR_DIVERGED, "state_rate[1]");
    WRONG(jump[1], NAN, DEM_ERROR_DIVERGED, "state_jump[1]");
    WRONG(q[1][3], NAN, DEM_ERROR_DIVERGED, "orientation[1]");
    WRONG(q[1][0], 1.00001, DEM_ERROR_RANGE, "unit length to 1e-6: its length is 1.00001");
    WRONG(q[1][0], 0.0, DEM_ERROR_RANGE, "unit length");
    WRONG(q[1][0], 1e200, DEM_ERROR_RANGE, "unit length");
    fill();
    OK(dem_integrator_stage(integrator, &good, 0.5));
    refused(call_other_dt, good, DEM_ERROR_STATE, "dt");
    CHANGED(count, 1, DEM_ERROR_STATE, "count");
    CHANGED(state_count, 1, DEM_ERROR_STATE, "count");
    CHANGED(orientation, NULL, DEM_ERROR_STATE, "arrays");
    for (int n = 1; n < 4; ++n)
        OK(dem_integrator_stage(integrator, &good, 0.5));
    OK(dem_integrator_stage(integrator, &good, 0.25)); /* a new step */
    dem_integrator_destroy(integrator);
    integrator = make(DEM_INTEGRATOR_VERLET_SYNC);
    refused(call_stage, good, DEM_ERROR_STATE, "dem_integrator_begin");
    refused(call_begin, good, DEM_ERROR_ARGUMENT, "state_count");
    dem_integrator_destroy(integrator);
}

/* s' = -s, s(0) = 1: each scheme gives the Taylor polynomial of its order, and jumps are added. */
static void stage_values(void **state)
{
    (void)state;
    static const double h = 0.5;
    const double exact[4] = {1.0 - h, 1.0 - h + h * h / 2, 1.0 - h + h * h / 2,
                             1.0 - h + h * h / 2 - h * h * h / 6 + h * h * h * h / 24};
    for (int k = 0; k < 4; ++k) {
        fill();
        integrator = make(DEM_INTEGRATOR_EULER + k);
        dem_integrator_arrays a = arrays_of_b(1);
        a.orientation = NULL;
        b.state[0] = b.state[1] = b.v[0][1] = 1.0;
        const uint32_t stages = dem_integrator_stage_count(integrator);
        for (uint32_t n = 0; n < stages; ++n) {
            b.rate[0] = -b.state[0];
            b.f[0][1] = -b.v[0][1] * b.mass[0];
            b.rate[1] = 0.0;
            b.jump[1] = n + 1 == stages ? 0.125 : 0.0;
            OK(dem_integrator_stage(integrator, &a, h));
        }
        assert_true(fabs(b.state[0] - exact[k]) < 1e-15);
        assert_true(fabs(b.v[0][1] - exact[k]) < 1e-15);
        /* a jump of the last stage counts with that stage's weight */
        static const double weight[4] = {1.0, 1.0, 0.5, 1.0 / 3.0};
        assert_true(fabs(b.state[1] - 1.0 - 0.125 * weight[k]) < 1e-15);
        dem_integrator_destroy(integrator);
    }
}

/* A host may use one input with integrators of several schemes: nothing of the step of one may be
 * left to the next. */
static void prepared_for_each_scheme(void **state)
{
    (void)state;
    static const struct {
        int32_t scheme, kinematics;
        double lag;
    } each[] = {{DEM_INTEGRATOR_VERLET_STANDARD, DEM_KINEMATICS_STANDARD, 0.25},
                {DEM_INTEGRATOR_VERLET_SYNC, DEM_KINEMATICS_SYNCHRONIZED, 0.25},
                {DEM_INTEGRATOR_VERLET_IMPROVED, DEM_KINEMATICS_IMPROVED, 0.25},
                {DEM_INTEGRATOR_SYMPLECTIC_EULER, DEM_KINEMATICS_SYNCHRONIZED, 0.0},
                {DEM_INTEGRATOR_LEAPFROG, DEM_KINEMATICS_SYNCHRONIZED, 0.25}};
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.acceleration_stride = in.angular_acceleration_stride = 64;
    in.pair_count = 5;
    in.absent = DEM_ABSENT_KEEP;
    for (size_t k = 0; k < sizeof each / sizeof each[0]; ++k) {
        fill();
        integrator = make(each[k].scheme);
        const dem_integrator_arrays a = arrays_of_b(0);
        int32_t kinematics = -1;
        OK(dem_integrator_kinematics(integrator, &kinematics));
        assert_int_equal(kinematics, each[k].kinematics);
        OK(dem_integrator_begin(integrator, &a, 0.5));
        OK(dem_integrator_prepare(integrator, &in));
        const double *acceleration, *angular_acceleration;
        OK(dem_integrator_accelerations(integrator, &acceleration, &angular_acceleration));
        assert_int_equal(in.kinematics, each[k].kinematics);
        assert_true(in.dt == 0.5 && in.velocity_lag == each[k].lag);
        assert_true(in.acceleration == acceleration && in.acceleration_stride == 0 &&
                    in.angular_acceleration == angular_acceleration &&
                    in.angular_acceleration_stride == 0);
        assert_true(in.acceleration_count == a.count && in.angular_acceleration_count == a.count);
        assert_true(in.pair_count == 5 && in.absent == DEM_ABSENT_KEEP);
        OK(dem_integrator_end(integrator, &a));
        dem_integrator_destroy(integrator);
    }
}

/* Constant force: leapfrog's first kick is a half one; symplectic Euler's is whole. */
static void one_kick_schemes(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        fill();
        integrator = make(k == 0 ? DEM_INTEGRATOR_LEAPFROG : DEM_INTEGRATOR_SYMPLECTIC_EULER);
        const dem_integrator_arrays a = arrays_of_b(0);
        b.f[0][1] = 4.0; /* a = 2 */
        dem_contacts_input in;
        OK(dem_contacts_input_init(&in));
        assert_int_equal(dem_integrator_prepare(integrator, &in), DEM_ERROR_STATE);
        OK(dem_integrator_begin(integrator, &a, 0.5));
        OK(dem_integrator_prepare(integrator, &in));
        assert_true(in.dt == 0.5 && in.kinematics == DEM_KINEMATICS_SYNCHRONIZED);
        assert_true(in.velocity_lag == (k == 0 ? 0.25 : 0.0) && in.acceleration[1] == 2.0);
        assert_int_equal(dem_integrator_prepare(integrator, NULL), DEM_ERROR_ARGUMENT);
        assert_int_equal(dem_integrator_prepare(NULL, &in), DEM_ERROR_ARGUMENT);
        in.struct_size = 8;
        assert_int_equal(dem_integrator_prepare(integrator, &in), DEM_ERROR_STRUCT_SIZE);
        const double first = k == 0 ? 0.5 : 1.0;
        assert_true(b.v[0][1] == first && b.x[0][1] == 0.5 * first);
        OK(dem_integrator_end(integrator, &a));
        assert_true(b.v[0][1] == first);
        OK(dem_integrator_begin(integrator, &a, 0.25));
        /* leapfrog: from the middle of a step of 0.5 to that of one of 0.25 */
        assert_true(b.v[0][1] == first + (k == 0 ? 0.75 : 0.5));
        OK(dem_integrator_end(integrator, &a));
        dem_integrator_destroy(integrator);
    }
}

/* A whole step of any scheme, with the forces that are there. */
static void step_of(const dem_integrator_arrays *a, double dt)
{
    const uint32_t stages = dem_integrator_stage_count(integrator);
    for (uint32_t s = 0; s < stages; ++s)
        OK(dem_integrator_stage(integrator, a, dt));
    if (stages > 0)
        return;
    OK(dem_integrator_begin(integrator, a, dt));
    OK(dem_integrator_end(integrator, a));
}

/* A step that is taken back leaves nothing of itself: another dt may follow, and leapfrog kicks
 * from where the last complete step left it. */
static void cancelled(void **state)
{
    (void)state;
    assert_int_equal(dem_integrator_cancel(NULL), DEM_ERROR_ARGUMENT);
    for (int32_t scheme = DEM_INTEGRATOR_VERLET_SYNC; scheme <= DEM_INTEGRATOR_RK4; ++scheme) {
        bodies end[2];
        for (int again = 0; again < 2; ++again) {
            fill();
            integrator = make(scheme);
            const int stages = dem_integrator_stage_count(integrator) > 0;
            dem_integrator_arrays a = arrays_of_b(stages);
            assert_int_equal(dem_integrator_cancel(integrator), DEM_ERROR_STATE);
            assert_non_null(strstr(dem_integrator_error(integrator), "no step is open"));
            for (int step = 0; step < 3; ++step) {
                b.f[0][1] = 4.0 - step;
                if (again && dem_integrator_stage_count(integrator) != 1) {
                    const bodies before = b;
                    if (stages)
                        OK(dem_integrator_stage(integrator, &a, 0.75));
                    else
                        OK(dem_integrator_begin(integrator, &a, 0.75));
                    OK(dem_integrator_cancel(integrator));
                    b = before;
                }
                step_of(&a, 0.5);
            }
            end[again] = b;
            dem_integrator_destroy(integrator);
        }
        assert_memory_equal(&end[0], &end[1], sizeof end[0]);
    }
}

/* A restart gives the lag to a new integrator, which goes on with the same bits. */
static void restarted(void **state)
{
    (void)state;
    for (int32_t scheme = DEM_INTEGRATOR_VERLET_SYNC; scheme <= DEM_INTEGRATOR_RK4; ++scheme) {
        bodies end[2];
        for (int again = 0; again < 2; ++again) {
            fill();
            integrator = make(scheme);
            const int stages = dem_integrator_stage_count(integrator) > 0;
            const dem_integrator_arrays a = arrays_of_b(stages);
            for (int step = 0; step < 4; ++step) {
                b.f[0][1] = 4.0 - step;
                const double dt = step < 2 ? 0.375 : 0.5;
                if (again && step == 2) {
                    double lag = -1.0;
                    OK(dem_integrator_velocity_lag(integrator, &lag));
                    assert_true(lag == (scheme == DEM_INTEGRATOR_LEAPFROG ? 0.1875 : 0.0));
                    dem_integrator_destroy(integrator);
                    dem_integrator_config config;
                    OK(dem_integrator_config_init(&config));
                    config.scheme = scheme;
                    config.velocity_lag = lag;
                    OK(dem_integrator_create(&config, &integrator, NULL));
                }
                step_of(&a, dt);
            }
            end[again] = b;
            dem_integrator_destroy(integrator);
        }
        assert_memory_equal(&end[0], &end[1], sizeof end[0]);
    }
    dem_integrator_config config;
    dem_error error;
    double lag = 0.0;
    OK(dem_integrator_config_init(&config));
    const double bad[] = {-1e-6, NAN, INFINITY, 1e-6};
    for (int k = 0; k < 4; ++k) {
        config.velocity_lag = bad[k]; /* the last one would do for leapfrog alone */
        config.scheme = k < 3 ? DEM_INTEGRATOR_LEAPFROG : DEM_INTEGRATOR_VERLET_SYNC;
        assert_int_equal(dem_integrator_create(&config, &integrator, &error), DEM_ERROR_RANGE);
        assert_non_null(strstr(error.message, "dem_integrator_config.velocity_lag: "));
    }
    assert_int_equal(dem_integrator_velocity_lag(NULL, &lag), DEM_ERROR_ARGUMENT);
    integrator = make(DEM_INTEGRATOR_LEAPFROG);
    assert_int_equal(dem_integrator_velocity_lag(integrator, NULL), DEM_ERROR_ARGUMENT);
    dem_integrator_destroy(integrator);
}

/* Calls between the halves of a step are refused by their names. */
static void between_halves(void **state)
{
    (void)state;
    const double *acceleration = NULL;
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    for (int stages = 0; stages < 2; ++stages) {
        fill();
        integrator = make(stages ? DEM_INTEGRATOR_RK4 : DEM_INTEGRATOR_LEAPFROG);
        const char *why = stages ? "stages" : "no step is open";
        const dem_integrator_arrays a = arrays_of_b(1);
        if (stages)
            OK(dem_integrator_stage(integrator, &a, 0.5));
        assert_int_equal(dem_integrator_prepare(integrator, &in), DEM_ERROR_STATE);
        assert_non_null(strstr(dem_integrator_error(integrator), "dem_integrator_prepare: "));
        assert_non_null(strstr(dem_integrator_error(integrator), why));
        assert_int_equal(dem_integrator_accelerations(integrator, &acceleration, NULL),
                         DEM_ERROR_STATE);
        assert_non_null(strstr(dem_integrator_error(integrator), "dem_integrator_accelerations: "));
        dem_integrator_destroy(integrator);
    }
}

/* ------------------------------------------------------------------ contacts in stages */

static dem_contact_history *history;

static void contacts_refused(dem_status got, dem_status want, const char *word)
{
    if (got != want || strstr(dem_contact_history_error(history), word) == NULL)
        fail_msg("status %d, not %d; message \"%s\" must name %s", (int)got, (int)want,
                 dem_contact_history_error(history), word);
}

static dem_contacts_input input_of_b(void)
{
    static const uint32_t pairs[2] = {0, 1};
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.particle_count = 2;
    in.position = b.x[0];
    in.velocity = b.v[0];
    in.angular_velocity = b.w[0];
    in.radius = b.radius;
    in.mass = b.mass;
    in.pair_count = 1;
    in.pairs = pairs;
    in.force = b.f[0];
    in.torque = b.t[0];
    return in;
}

static dem_status take_stage(void *s)
{
    const dem_contacts_input in = input_of_b();
    return dem_contacts_stage_begin(history, &in, s);
}

/* A history of contacts by one linear law; the model that it has. */
static dem_contact_model history_begin(const char *law, const dem_linear *linear, int32_t lever_arm)
{
    dem_contact_history_config config;
    dem_contact_model model;
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &history, NULL));
    OK(dem_contact_model_init(&model));
    model.lever_arm = lever_arm;
    model.parts[0] = (dem_contact_part){law, linear};
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    return model;
}

static void contact_stages(void **state)
{
    (void)state;
    fill();
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 100.0;
    linear.restitution = 0.5;
    dem_contact_model model = history_begin(DEM_LAW_LINEAR_CSDS, &linear, DEM_ARM_RADIUS);
    dem_contacts_input in = input_of_b();
    dem_contacts_stage stage = {.struct_size = sizeof stage};
    assert_int_equal(dem_contacts_stage_begin(NULL, &in, &stage), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contacts_stage_rate(NULL, &in, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contacts_stage_end(NULL), DEM_ERROR_ARGUMENT);
    contacts_refused(dem_contacts_stage_begin(history, NULL, &stage), DEM_ERROR_ARGUMENT, "input");
    contacts_refused(dem_contacts_stage_begin(history, &in, NULL), DEM_ERROR_ARGUMENT, "stage");
    contacts_refused(dem_contacts_stage_rate(history, &in, NULL), DEM_ERROR_STATE, "stage_begin");
    contacts_refused(dem_contacts_stage_end(history), DEM_ERROR_STATE, "stage_begin");
    sized_output(sizeof stage, take_stage, "dem_contacts_stage");
    OK(dem_contacts_stage_begin(history, &in, &stage));
    assert_int_equal(stage.count, 3);
    assert_int_equal(dem_contact_history_count(history), 0); /* not before the end */
    const bodies kept = b;
    stage.state[1] = NAN;
    contacts_refused(dem_contacts_stage_rate(history, &in, NULL), DEM_ERROR_DIVERGED, "state[1]");
    contacts_refused(dem_contacts_stage_end(history), DEM_ERROR_DIVERGED, "state[1]");
    stage.state[1] = 0.0;
    b.v[0][0] = NAN;
    contacts_refused(dem_contacts_stage_rate(history, &in, NULL), DEM_ERROR_DIVERGED, "velocity");
    b.v[0][0] = 0.0;
    assert_memory_equal(&b, &kept, sizeof b);
    dem_contact_totals totals = {.struct_size = sizeof totals};
    stage.state[1] = 1e-3;
    OK(dem_contacts_stage_rate(history, &in, &totals));
    /* two spheres 1.9 apart, spinning about x and y: surface 0 slides along -z at 0.5 */
    assert_true(totals.contacts == 1);
    assert_true(fabs(totals.elastic_energy - 0.5 * 100.0 * 0.01 - 0.5 * 200.0 / 7.0 * 1e-6) <
                1e-12);
    assert_true(fabs(b.f[0][0] + 10.0) < 1e-12 && b.f[0][1] == -b.f[1][1]);
    assert_true(stage.jump[1] == 0.0 && b.f[0][2] != 0.0);
    OK(dem_contacts_stage_end(history));
    assert_int_equal(dem_contact_history_count(history), 1);
    uint64_t cursor = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    OK(dem_contact_history_next(history, &cursor, &contact));
    assert_true(contact.state[1] == 1e-3 && fabs(contact.overlap - 0.1) < 1e-15);
    /* anything that changes the history ends the step of stages */
    OK(dem_contacts_stage_begin(history, &in, &stage));
    assert_true(stage.state[1] == 1e-3);
    OK(dem_contact_history_clear(history));
    contacts_refused(dem_contacts_stage_end(history), DEM_ERROR_STATE, "stage_begin");
    OK(dem_contacts_stage_begin(history, &in, &stage));
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    contacts_refused(dem_contacts_stage_end(history), DEM_ERROR_STATE, "stage_begin");
    OK(dem_contacts_stage_begin(history, &in, &stage));
    in.dt = 1e-6;
    OK(dem_contacts_evaluate(history, &in, NULL));
    contacts_refused(dem_contacts_stage_rate(history, &in, NULL), DEM_ERROR_STATE, "stage_begin");
    /* apart: no variables, and the contact has ended */
    b.x[1][0] = 2.1;
    OK(dem_contacts_stage_begin(history, &in, &stage));
    assert_int_equal(stage.count, 0);
    OK(dem_contacts_stage_end(history));
    assert_int_equal(dem_contact_history_count(history), 0);
    /* a law that has no rate form is refused by name */
    b.x[1][0] = 1.9;
    test_law_control control = {0, -1, 0.0};
    const dem_law law = test_law(&control);
    const test_spring spring = {10.0};
    OK(dem_contact_history_law_register(history, &law));
    model.parts[0] = (dem_contact_part){"test-spring", &spring};
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    contacts_refused(dem_contacts_stage_begin(history, &in, &stage), DEM_ERROR_STATE,
                     "\"test-spring\"");
    contacts_refused(dem_contacts_stage_rate(history, &in, NULL), DEM_ERROR_STATE, "stage_begin");
    dem_contact_history_destroy(history);
}

/* A contact of a step of stages that is listed twice is refused. One that is not listed has no
 * force and stands still. */
static void stage_pairs(void **state)
{
    (void)state;
    static const uint32_t twice[2][2] = {{0, 1}, {1, 0}};
    fill();
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 100.0;
    (void)history_begin(DEM_LAW_LINEAR_DSDS, &linear, DEM_ARM_RADIUS);
    dem_contacts_input in = input_of_b();
    dem_contacts_stage stage = {.struct_size = sizeof stage};
    OK(dem_contacts_stage_begin(history, &in, &stage));
    stage.state[1] = 10.0; /* it slides, so that it jumps */
    OK(dem_contacts_stage_rate(history, &in, NULL));
    assert_true(stage.jump[1] != 0.0);
    const bodies kept = b;
    const double jump = stage.jump[1];
    in.pairs = twice[0];
    in.pair_count = 2;
    contacts_refused(dem_contacts_stage_rate(history, &in, NULL), DEM_ERROR_DUPLICATE,
                     "0 and 1 is listed twice");
    assert_memory_equal(&b, &kept, sizeof b);
    assert_true(stage.jump[1] == jump);
    stage.state[1] = 1e-3; /* it sticks, so that it has a rate */
    in.pair_count = 1;
    OK(dem_contacts_stage_rate(history, &in, NULL));
    assert_true(stage.jump[1] == 0.0 && stage.rate[2] != 0.0);
    stage.state[1] = 10.0;
    OK(dem_contacts_stage_rate(history, &in, NULL));
    assert_true(stage.jump[1] != 0.0);
    const bodies before = b;
    in.pair_count = 0;
    dem_contact_totals totals = {.struct_size = sizeof totals};
    OK(dem_contacts_stage_rate(history, &in, &totals));
    assert_true(totals.contacts == 0);
    for (int c = 0; c < 3; ++c)
        assert_true(stage.rate[c] == 0.0 && stage.jump[c] == 0.0);
    assert_memory_equal(&b, &before, sizeof b);
    dem_contact_history_destroy(history);
}

/* Two spheres that move as one rigid body, about any axis: a spring that sticks turns with them. */
static void stage_of_a_rigid_motion(void **state)
{
    (void)state;
    test_random random = test_random_start("stage_of_a_rigid_motion");
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 100.0;
    linear.friction = 100.0; /* nothing slips */
    (void)history_begin(DEM_LAW_LINEAR_CSDS, &linear, DEM_ARM_CONTACT);
    for (int round = 0; round < 1000; ++round) {
        double n[3], w[3], spring[3];
        fill();
        test_unit(&random, n);
        test_unit(&random, w);
        test_unit(&random, spring);
        const double along = spring[0] * n[0] + spring[1] * n[1] + spring[2] * n[2];
        for (int c = 0; c < 3; ++c) {
            spring[c] = 0.01 * (spring[c] - along * n[c]);
            b.x[0][c] = test_uniform(&random, -1.0, 1.0);
            b.x[1][c] = b.x[0][c] + 1.9 * n[c];
        }
        for (int body = 0; body < 2; ++body)
            for (int c = 0; c < 3; ++c) {
                const int d = (c + 1) % 3, e = (c + 2) % 3;
                b.v[body][c] = w[d] * b.x[body][e] - w[e] * b.x[body][d];
                b.w[body][c] = w[c];
            }
        const dem_contacts_input in = input_of_b();
        dem_contacts_stage stage = {.struct_size = sizeof stage};
        OK(dem_contacts_stage_begin(history, &in, &stage));
        assert_int_equal(stage.count, 3);
        memcpy(stage.state, spring, sizeof spring);
        OK(dem_contacts_stage_rate(history, &in, NULL));
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            assert_true(stage.jump[c] == 0.0);
            assert_true(fabs(stage.rate[c] - (w[d] * spring[e] - w[e] * spring[d])) < 1e-13);
        }
        OK(dem_contact_history_clear(history));
    }
    dem_contact_history_destroy(history);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stage_arguments),
        cmocka_unit_test(stage_values),
        cmocka_unit_test(prepared_for_each_scheme),
        cmocka_unit_test(one_kick_schemes),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(restarted),
        cmocka_unit_test(between_halves),
        cmocka_unit_test(contact_stages),
        cmocka_unit_test(without_inverse),
        cmocka_unit_test(orientation_that_vanishes),
        cmocka_unit_test(stage_pairs),
        cmocka_unit_test(stage_of_a_rigid_motion),
    };
    return cmocka_run_group_tests_name("integrators", tests, NULL, NULL);
}
