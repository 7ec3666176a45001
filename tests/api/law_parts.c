/* SPDX-License-Identifier: MIT */
/**
 * @file law_parts.c
 * Parts of contact models: defaults, parameters that are refused with the name of the member, which
 * part fits after which and what it is given, and what sliders store and lose while they stick.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/sized.h"

#include <dem/dem.h>
#include <math.h>
#include <stddef.h>

static dem_contact_history *history;
static dem_hooke hooke;

static int set_up(void **state)
{
    (void)state;
    dem_contact_history_config config;
    assert_int_equal(dem_contact_history_config_init(&config), DEM_OK);
    assert_int_equal(dem_contact_history_create(&config, &history, NULL), DEM_OK);
    assert_int_equal(dem_hooke_init(&hooke), DEM_OK);
    hooke.stiffness_normal = 1000.0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    dem_contact_history_destroy(history);
    return 0;
}

/** Sets a model of a normal part that is not linear and has no moduli, and one more. */
static dem_status give_yielding(const char *law, const void *parameters)
{
    dem_contact_model model;
    dem_luding luding;
    assert_int_equal(dem_luding_init(&luding), DEM_OK);
    luding.stiffness_loading = luding.stiffness_unloading = 1000.0;
    assert_int_equal(dem_contact_model_init(&model), DEM_OK);
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_LUDING, .parameters = &luding};
    model.parts[1] = (dem_contact_part){.law = law, .parameters = parameters};
    return dem_contact_history_model_set(history, 0, 0, &model);
}

/** Sets a model of the hooke part, if wanted, and one more. */
static dem_status give(int with_hooke, const char *law, const void *parameters)
{
    dem_contact_model model;
    assert_int_equal(dem_contact_model_init(&model), DEM_OK);
    int n = 0;
    if (with_hooke)
        model.parts[n++] = (dem_contact_part){.law = DEM_LAW_HOOKE, .parameters = &hooke};
    model.parts[n] = (dem_contact_part){.law = law, .parameters = parameters};
    return dem_contact_history_model_set(history, 0, 0, &model);
}

static void refused(dem_status got, dem_status status, const char *word)
{
    if (got != status || strstr(dem_contact_history_error(history), word) == NULL)
        fail_msg("status %d, not %d for %s: %s", (int)got, (int)status, word,
                 dem_contact_history_error(history));
}

/** A member and a range that it must lie in: outside of it, and not finite, is refused. */
typedef struct member {
    const char *name;
    size_t offset;
    double low, high;
    int open_low; /**< low itself is refused too */
} member;

#define MEMBER(T, m, low, high, open)                                                              \
    {                                                                                              \
#m, offsetof(T, m), low, high, open                                                        \
    }
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void members(int with_hooke, const char *law, const void *good, size_t size,
                    const member *table, size_t count)
{
    union {
        double align;
        unsigned char bytes[256];
    } bad;
    assert_int_equal(give(with_hooke, law, good), DEM_OK);
    for (size_t n = 0; n < count; ++n) {
        const double above = isfinite(table[n].high) ? table[n].high * 1.0001 : INFINITY;
        const double values[] = {NAN, INFINITY, -INFINITY, above,
                                 table[n].open_low ? table[n].low : table[n].low - 1e-3};
        for (size_t v = 0; v < COUNT(values); ++v) {
            memcpy(bad.bytes, good, size);
            memcpy(bad.bytes + table[n].offset, &values[v], sizeof(double));
            refused(give(with_hooke, law, bad.bytes), DEM_ERROR_RANGE, table[n].name);
        }
    }
}

/** An int32_t member with values 0 to last. */
static void choice(int with_hooke, const char *law, const void *good, size_t size, size_t offset,
                   const char *name, int32_t last)
{
    union {
        double align;
        unsigned char bytes[256];
    } bad;
    for (int32_t value = -1; value <= last + 1; ++value) {
        memcpy(bad.bytes, good, size);
        memcpy(bad.bytes + offset, &value, sizeof value);
        const dem_status status = give(with_hooke, law, bad.bytes);
        if (value >= 0 && value <= last)
            assert_int_equal(status, DEM_OK);
        else
            refused(status, DEM_ERROR_UNKNOWN, name);
    }
}

/* ------------------------------------------------------------------ hooke */

static dem_status give_hooke(const void *s)
{
    return give(0, DEM_LAW_HOOKE, s);
}

static void hooke_part(void **state)
{
    (void)state;
    static const member table[] = {
        MEMBER(dem_hooke, stiffness_normal, 0.0, INFINITY, 1),
        MEMBER(dem_hooke, restitution, 0.0, 1.0, 1),
        MEMBER(dem_hooke, damping_normal, 0.0, INFINITY, 0),
    };
    dem_hooke none;
    assert_int_equal(dem_hooke_init(&none), DEM_OK);
    assert_true(none.restitution == 1.0 && none.damping_normal == 0.0);
    refused(give_hooke(&none), DEM_ERROR_RANGE, "stiffness_normal"); /* no default */
    members(0, DEM_LAW_HOOKE, &hooke, sizeof hooke, table, COUNT(table));
    choice(0, DEM_LAW_HOOKE, &hooke, sizeof hooke, offsetof(dem_hooke, damping), "damping", 3);
    choice(0, DEM_LAW_HOOKE, &hooke, sizeof hooke, offsetof(dem_hooke, normal), "normal", 3);
    sized_input(&hooke, sizeof hooke, give_hooke, "dem_hooke");
    assert_int_equal(dem_hooke_init_sized(NULL, 8), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_hooke_init_sized(&none, 16), DEM_ERROR_STRUCT_SIZE);
}

/* ------------------------------------------------------------------ friction */

static dem_status give_friction(const void *s)
{
    return give(1, DEM_LAW_FRICTION, s);
}

static void friction_part(void **state)
{
    (void)state;
    static const member table[] = {
        MEMBER(dem_friction, stiffness_tangential, 0.0, INFINITY, 0),
        MEMBER(dem_friction, friction, 0.0, INFINITY, 0),
        MEMBER(dem_friction, damping_tangential, 0.0, INFINITY, 0),
    };
    dem_friction good;
    assert_int_equal(dem_friction_init(&good), DEM_OK);
    assert_true(good.friction == 0.5 && good.damping_tangential == 1.0);
    assert_int_equal(good.slider, DEM_SLIDER_CSDS);
    members(1, DEM_LAW_FRICTION, &good, sizeof good, table, COUNT(table));
    choice(1, DEM_LAW_FRICTION, &good, sizeof good, offsetof(dem_friction, damping), "damping", 2);
    choice(1, DEM_LAW_FRICTION, &good, sizeof good, offsetof(dem_friction, slider), "slider", 5);
    sized_input(&good, sizeof good, give_friction, "dem_friction");
    assert_int_equal(dem_friction_init_sized(NULL, 8), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_friction_init_sized(&good, 16), DEM_ERROR_STRUCT_SIZE);
    /* without a linear part before it there is no k_n to take 2/7 of */
    refused(give(0, DEM_LAW_FRICTION, &good), DEM_ERROR_ARGUMENT, "normal part");
    refused(give_yielding(DEM_LAW_FRICTION, &good), DEM_ERROR_RANGE, "stiffness_tangential");
    /* nor is there a normal force */
    good.stiffness_tangential = 10.0;
    refused(give(0, DEM_LAW_FRICTION, &good), DEM_ERROR_ARGUMENT, "normal part");
    /* one part of a kind */
    dem_contact_model model;
    assert_int_equal(dem_contact_model_init(&model), DEM_OK);
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_HOOKE, .parameters = &hooke};
    for (int n = 1; n < 3; ++n)
        model.parts[n] = (dem_contact_part){.law = DEM_LAW_FRICTION, .parameters = &good};
    refused(dem_contact_history_model_set(history, 0, 0, &model), DEM_ERROR_ARGUMENT,
            "\"friction\" cannot follow \"friction\": a model has one part of a kind");
}

/* ------------------------------------------------------------------ rolling and twisting */

static dem_status give_rolling(const void *s)
{
    return give(1, DEM_LAW_ROLLING_CSDS, s);
}
static dem_status give_constant(const void *s)
{
    return give(1, DEM_LAW_ROLLING_CONSTANT, s);
}
static dem_status give_marshall(const void *s)
{
    return give(1, DEM_LAW_TWISTING_MARSHALL, s);
}

static void rolling_parts(void **state)
{
    (void)state;
    static const member csds[] = {
        MEMBER(dem_rolling, stiffness, 0.0, INFINITY, 0),
        MEMBER(dem_rolling, friction, 0.0, INFINITY, 0),
        MEMBER(dem_rolling, damping, 0.0, INFINITY, 0),
        MEMBER(dem_rolling, damping_ratio, 0.0, INFINITY, 0),
    };
    static const member constant[] = {MEMBER(dem_rolling_constant, friction, 0.0, INFINITY, 0)};
    static const member marshall[] = {
        MEMBER(dem_twisting_marshall, stiffness_tangential, 0.0, INFINITY, 0),
        MEMBER(dem_twisting_marshall, friction, 0.0, INFINITY, 0),
        MEMBER(dem_twisting_marshall, damping_tangential, 0.0, INFINITY, 0),
    };
    dem_rolling a;
    dem_rolling_constant b;
    dem_twisting_marshall c;
    assert_int_equal(dem_rolling_init(&a), DEM_OK);
    assert_int_equal(dem_rolling_constant_init(&b), DEM_OK);
    assert_int_equal(dem_twisting_marshall_init(&c), DEM_OK);
    assert_true(a.friction == 0.1 && a.damping_ratio == 0.5 && b.friction == 0.1);
    assert_true(c.friction == 0.5);
    members(1, DEM_LAW_ROLLING_CSDS, &a, sizeof a, csds, COUNT(csds));
    members(1, DEM_LAW_TWISTING_CSDS, &a, sizeof a, csds, COUNT(csds));
    members(1, DEM_LAW_ROLLING_CONSTANT, &b, sizeof b, constant, COUNT(constant));
    members(1, DEM_LAW_TWISTING_MARSHALL, &c, sizeof c, marshall, COUNT(marshall));
    sized_input(&a, sizeof a, give_rolling, "dem_rolling");
    sized_input(&b, sizeof b, give_constant, "dem_rolling_constant");
    sized_input(&c, sizeof c, give_marshall, "dem_twisting_marshall");
    /* without k_n or G* there is nothing to derive a stiffness from */
    refused(give(0, DEM_LAW_ROLLING_CSDS, &a), DEM_ERROR_ARGUMENT, "normal part");
    refused(give_yielding(DEM_LAW_ROLLING_CSDS, &a), DEM_ERROR_RANGE, "stiffness");
    refused(give_yielding(DEM_LAW_TWISTING_MARSHALL, &c), DEM_ERROR_RANGE, "stiffness_tangential");
    refused(give(0, DEM_LAW_ROLLING_CONSTANT, &b), DEM_ERROR_ARGUMENT, "normal part");
}

/** A part of the host's that keeps what the normal part before it gives. */
static dem_pair_properties given;

static dem_status keep_given(void *user, const void *parameters, dem_pair_properties *pair,
                             void *combined, dem_error *error)
{
    (void)user;
    (void)parameters;
    (void)combined;
    (void)error;
    given = *pair;
    return DEM_OK;
}

static dem_status add_nothing(void *user, uint64_t n, dem_contact_batch *batch,
                              const void *combined)
{
    (void)user;
    (void)n;
    (void)batch;
    (void)combined;
    return DEM_OK;
}

/** Sets a model of a normal part and that part, and compares what the second one saw. */
static void gives(const char *law, const void *parameters, int32_t form, double young, double shear,
                  double stiffness, double restitution)
{
    static const double unused = 0.0;
    dem_contact_model model;
    assert_int_equal(dem_contact_model_init(&model), DEM_OK);
    assert_int_equal(dem_contact_model_add(&model, law, parameters), DEM_OK);
    assert_int_equal(dem_contact_model_add(&model, "keeps-given", &unused), DEM_OK);
    memset(&given, 0xFF, sizeof given);
    if (dem_contact_history_model_set(history, 0, 0, &model) != DEM_OK)
        fail_msg("%s: %s", law, dem_contact_history_error(history));
    assert_true(given.struct_size == sizeof given && given.reserved == 0);
    if (given.normal_form != form || fabs(given.effective_young - young) > 1e-14 * young ||
        fabs(given.effective_shear - shear) > 1e-14 * shear ||
        given.stiffness_normal != stiffness || fabs(given.restitution - restitution) > 1e-14)
        fail_msg("%s gives form %d, E* %g, G* %g, k_n %g, e %g", law, (int)given.normal_form,
                 given.effective_young, given.effective_shear, given.stiffness_normal,
                 given.restitution);
}

/* Laws of a program build on these properties as the tangential parts of the library do. */
static void properties_of_normal_parts(void **state)
{
    (void)state;
    dem_law law;
    assert_int_equal(dem_law_init(&law), DEM_OK);
    law.name = "keeps-given";
    law.kind = DEM_LAW_TANGENTIAL;
    law.parameters_size = sizeof(double);
    law.combine = keep_given;
    law.evaluate = add_nothing;
    assert_int_equal(dem_contact_history_law_register(history, &law), DEM_OK);

    hooke.restitution = 0.7;
    gives(DEM_LAW_HOOKE, &hooke, DEM_NORMAL_FORM_LINEAR, 0.0, 0.0, 1000.0, 0.7);
    hooke.restitution = 1.0;
    hooke.damping = DEM_DAMPING_COEFFICIENT;
    hooke.damping_normal = 0.1;
    gives(DEM_LAW_HOOKE, &hooke, DEM_NORMAL_FORM_LINEAR, 0.0, 0.0, 1000.0, 1.0);

    /* of two materials */
    const double e_i = 3e7, e_j = 5e8, nu_i = 0.2, nu_j = 0.4;
    const double young = 1.0 / ((1.0 - nu_i * nu_i) / e_i + (1.0 - nu_j * nu_j) / e_j);
    const double shear =
        1.0 / ((2.0 - nu_i) * 2.0 * (1.0 + nu_i) / e_i + (2.0 - nu_j) * 2.0 * (1.0 + nu_j) / e_j);
    dem_hertz hertz;
    assert_int_equal(dem_hertz_init(&hertz), DEM_OK);
    hertz.young[0] = e_i;
    hertz.young[1] = e_j;
    hertz.poisson[0] = nu_i;
    hertz.poisson[1] = nu_j;
    hertz.restitution = 0.6;
    gives(DEM_LAW_HERTZ, &hertz, DEM_NORMAL_FORM_HERTZ, young, shear, 0.0, 0.6);
    hertz.damping = DEM_HERTZ_DAMPING_NONE;
    hertz.restitution = 1.0;
    gives(DEM_LAW_HERTZ, &hertz, DEM_NORMAL_FORM_HERTZ, young, shear, 0.0, 1.0);

    dem_adhesion adhesion;
    assert_int_equal(dem_adhesion_init(&adhesion), DEM_OK);
    memcpy(adhesion.young, hertz.young, sizeof adhesion.young);
    memcpy(adhesion.poisson, hertz.poisson, sizeof adhesion.poisson);
    adhesion.work_of_adhesion = 0.1;
    adhesion.restitution = 0.8;
    gives(DEM_LAW_JKR, &adhesion, DEM_NORMAL_FORM_ADHESIVE, young, shear, 0.0, 0.8);
    gives(DEM_LAW_DMT, &adhesion, DEM_NORMAL_FORM_ADHESIVE, young, shear, 0.0, 0.8);

    dem_thornton thornton;
    assert_int_equal(dem_thornton_init(&thornton), DEM_OK);
    memcpy(thornton.young, hertz.young, sizeof thornton.young);
    memcpy(thornton.poisson, hertz.poisson, sizeof thornton.poisson);
    thornton.yield_pressure = 1e6;
    thornton.restitution = 0.9;
    gives(DEM_LAW_THORNTON, &thornton, DEM_NORMAL_FORM_OTHER, young, shear, 0.0, 0.9);

    dem_luding luding;
    assert_int_equal(dem_luding_init(&luding), DEM_OK);
    luding.stiffness_loading = 500.0;
    luding.stiffness_unloading = 900.0;
    gives(DEM_LAW_LUDING, &luding, DEM_NORMAL_FORM_OTHER, 0.0, 0.0, 500.0, 1.0);

    /* sqrt(k_1/k_2), as long as k_2 is constant and there is no dashpot */
    dem_walton_braun walton;
    assert_int_equal(dem_walton_braun_init(&walton), DEM_OK);
    walton.stiffness_loading = 400.0;
    walton.restitution = 0.5;
    gives(DEM_LAW_WALTON_BRAUN, &walton, DEM_NORMAL_FORM_OTHER, 0.0, 0.0, 400.0, 0.5);
    walton.restitution = 1.0;
    walton.stiffness_unloading = 625.0;
    gives(DEM_LAW_WALTON_BRAUN, &walton, DEM_NORMAL_FORM_OTHER, 0.0, 0.0, 400.0, 0.8);
    walton.hardening = 1e-3;
    gives(DEM_LAW_WALTON_BRAUN, &walton, DEM_NORMAL_FORM_OTHER, 0.0, 0.0, 400.0, 1.0);
    walton.hardening = 0.0;
    walton.damping_normal = 0.1;
    gives(DEM_LAW_WALTON_BRAUN, &walton, DEM_NORMAL_FORM_OTHER, 0.0, 0.0, 400.0, 1.0);
}

/* Where nothing slides, a slider stores 1/2 k_t xi^2, and its dashpot takes gamma v^2. A sphere
 * that swings about the y axis rubs against another one. */
static void sliders_that_stick(void **state)
{
    (void)state;
    enum { STEPS = 3000 };
    const double radius[2] = {0.5, 0.5}, mass[2] = {0.3, 0.0}, position[6] = {0.99},
                 velocity[6] = {0.0}, dt = 1e-6, kt = 300.0, gamma = 0.02;
    const uint32_t pair[2] = {0, 1};
    dem_friction p;
    assert_int_equal(dem_friction_init(&p), DEM_OK);
    p.stiffness_tangential = kt;
    p.friction = 1e3;
    p.damping = DEM_DAMPING_COEFFICIENT;
    p.damping_tangential = gamma;
    for (p.slider = DEM_SLIDER_CSDS; p.slider <= DEM_SLIDER_LI; ++p.slider) {
        double force[6], torque[6], w[6] = {0.0}, dashpot = 0.0, slip = 0.0, xi = 0.0, taken = 0.0;
        dem_contact_totals totals = {.struct_size = sizeof totals};
        assert_int_equal(give(1, DEM_LAW_FRICTION, &p), DEM_OK);
        dem_contacts_input in;
        assert_int_equal(dem_contacts_input_init(&in), DEM_OK);
        in.particle_count = 2;
        in.position = position;
        in.velocity = velocity;
        in.angular_velocity = w;
        in.radius = radius;
        in.mass = mass;
        in.pair_count = 1;
        in.pairs = pair;
        in.dt = dt;
        in.kinematics = DEM_KINEMATICS_IMPROVED;
        in.force = force;
        in.torque = torque;
        for (int n = 0; n < STEPS; ++n) {
            w[1] = cos(800.0 * (n + 0.5) * dt);
            assert_int_equal(dem_contacts_evaluate(history, &in, &totals), DEM_OK);
            dashpot += totals.dissipated_dashpot;
            slip += totals.dissipated_slip;
            xi += 0.5 * w[1] * dt;
            taken += gamma * 0.25 * w[1] * w[1] * dt;
        }
        const double normal = 0.5 * 1000.0 * 0.01 * 0.01,
                     stored = p.slider == DEM_SLIDER_VISCOUS ? 0.0 : 0.5 * kt * xi * xi;
        if (fabs(totals.elastic_energy - normal - stored) > 1e-3 * 0.5 * kt * xi * xi ||
            fabs(dashpot / taken - 1.0) > 0.005 || fabs(slip) > 0.005 * taken)
            fail_msg("slider %d: stores %g J, not %g; dashpot %g J, not %g; sliding %g J",
                     (int)p.slider, totals.elastic_energy - normal, stored, dashpot, taken, slip);
    }
}

/** The rate form of the linear law has the dashpots that restitution gives, tangentially a factor
 * on eta_n sqrt(k_t/k_n). */
static void rate_form_of_restitution(void **state)
{
    (void)state;
    const double kn = 3e4, kt = 1.2e4, e = 0.6, speed = 0.3, closing = 0.2;
    double x[2][3] = {{0.0, 0.0, 0.0}, {1.99, 0.0, 0.0}},
           v[2][3] = {{0.0, speed, 0.0}, {-closing, 0.0, 0.0}}, f[2][3] = {{0.0}}, zeta;
    const double radius[2] = {1.0, 1.0}, mass[2] = {2.0, 3.0}, reduced = 1.2;
    const uint32_t pair[1][2] = {{0, 1}};
    dem_contact_model model;
    dem_linear linear;
    dem_contacts_input in;
    dem_contacts_stage stage = {.struct_size = sizeof stage};
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = kn;
    linear.stiffness_tangential = kt;
    linear.restitution = e;
    linear.damping_tangential = 0.75;
    linear.friction = 10.0; /* it sticks */
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    OK(dem_contacts_input_init(&in));
    in.particle_count = 2;
    in.position = x[0];
    in.velocity = v[0];
    in.radius = radius;
    in.mass = mass;
    in.pairs = pair[0];
    in.pair_count = 1;
    in.force = f[0];
    OK(dem_contacts_stage_begin(history, &in, &stage));
    OK(dem_contacts_stage_rate(history, &in, NULL));
    OK(dem_kernel_damping_ratio_cut(e, &zeta));
    const double eta = 2.0 * zeta * sqrt(reduced * kn), gamma = 0.75 * eta * sqrt(kt / kn),
                 push = kn * 0.01 + eta * closing;
    assert_true(fabs(f[0][0] + push) < 1e-9 * push);
    assert_true(fabs(f[0][1] + gamma * speed) < 1e-9 * gamma * speed);
    assert_true(fabs(stage.rate[1] - speed) < 1e-12);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        CASE(hooke_part),         CASE(friction_part),
        CASE(rolling_parts),      CASE(properties_of_normal_parts),
        CASE(sliders_that_stick), CASE(rate_form_of_restitution),
    };
    return cmocka_run_group_tests_name("law_parts", tests, NULL, NULL);
}
