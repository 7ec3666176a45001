/* SPDX-License-Identifier: MIT */
/**
 * @file normal_laws.c
 * Bad parameters of the adhesive and hysteretic normal laws: each is refused by name, and the
 * model that was there stays.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/sized.h"

#include <dem/dem.h>
#include <math.h>

static dem_contact_history *history;

static void open_history(void)
{
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &history, NULL));
}

static dem_status give(const char *law, const void *parameters)
{
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = law;
    model.parts[0].parameters = parameters;
    return dem_contact_history_model_set(history, 0, 0, &model);
}

/* One field of a struct of doubles, and the values that it must not have. */
typedef struct field {
    const char *name; /* which the message must hold */
    size_t offset;
    double bad[5];
    int count;
} field;

static void refuse(const char *law, const void *good, size_t size, const field *fields,
                   size_t count)
{
    OK(give(law, good));
    for (size_t f = 0; f < count; ++f)
        for (int k = 0; k < fields[f].count; ++k) {
            unsigned char bad[256];
            memcpy(bad, good, size);
            memcpy(bad + fields[f].offset, &fields[f].bad[k], sizeof(double));
            const dem_status got = give(law, bad);
            const char *message = dem_contact_history_error(history);
            if (got != DEM_ERROR_RANGE || strstr(message, fields[f].name) == NULL ||
                strstr(message, law) == NULL)
                fail_msg("%s.%s = %g: status %d, message \"%s\"", law, fields[f].name,
                         fields[f].bad[k], (int)got, message);
        }
}

/* A value at an end of its range that is in it. */
static void take(const char *law, const void *good, size_t size, size_t offset, double value)
{
    unsigned char taken[256];
    memcpy(taken, good, size);
    memcpy(taken + offset, &value, sizeof value);
    if (give(law, taken) != DEM_OK)
        fail_msg("%s: %g: \"%s\"", law, value, dem_contact_history_error(history));
}

static void adhesion(void **state)
{
    (void)state;
    open_history();
    dem_adhesion p;
    OK(dem_adhesion_init(&p));
    assert_true(p.work_of_adhesion == 0.0 && p.restitution == 1.0 && p.poisson[0] == 0.3);
    const char *const laws[] = {DEM_LAW_JKR, DEM_LAW_DMT};
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(give(laws[k], &p), DEM_ERROR_RANGE); /* young has no default */
        dem_adhesion good = p;
        good.young[0] = 1e7;
        good.work_of_adhesion = 0.1;
#define AT(member) offsetof(dem_adhesion, member)
        const field fields[] = {
            {"young[0]", AT(young[0]), {0.0, -1.0, NAN, INFINITY, 1e-310}, 5},
            {"young[1]", AT(young[1]), {-1.0, NAN, INFINITY, 1e-310}, 4},
            {"poisson[0]", AT(poisson[0]), {-1.0, 0.51, NAN, -INFINITY}, 4},
            {"poisson[1]", AT(poisson[1]), {0.2, NAN, 0.6}, 3}, /* with young[1] = 0 */
            {"work_of_adhesion", AT(work_of_adhesion), {-1e-9, NAN, INFINITY}, 3},
            {"restitution", AT(restitution), {0.0, -0.1, 1.01, NAN}, 4},
        };
#undef AT
        refuse(laws[k], &good, sizeof good, fields, sizeof fields / sizeof fields[0]);
        take(laws[k], &good, sizeof good, offsetof(dem_adhesion, poisson[0]), 0.5);
        take(laws[k], &good, sizeof good, offsetof(dem_adhesion, work_of_adhesion), 0.0);
        good.struct_size = 8;
        assert_int_equal(give(laws[k], &good), DEM_ERROR_STRUCT_SIZE);
    }
    dem_contact_history_destroy(history);
}

static void luding(void **state)
{
    (void)state;
    open_history();
    dem_luding p;
    OK(dem_luding_init(&p));
    assert_true(p.plasticity_depth == 0.05 && p.stiffness_cohesion == 0.0);
    assert_int_equal(give(DEM_LAW_LUDING, &p), DEM_ERROR_RANGE);
    p.stiffness_loading = 100.0;
    p.stiffness_unloading = 500.0;
#define AT(member) offsetof(dem_luding, member)
    const field fields[] = {
        {"stiffness_loading", AT(stiffness_loading), {0.0, -1.0, NAN, INFINITY}, 4},
        {"stiffness_unloading", AT(stiffness_unloading), {99.9, NAN, INFINITY, 1.7e308}, 4},
        {"stiffness_cohesion", AT(stiffness_cohesion), {-1.0, NAN, INFINITY}, 3},
        {"plasticity_depth", AT(plasticity_depth), {0.0, -0.1, 1.1, NAN}, 4},
        {"damping_normal", AT(damping_normal), {-1.0, NAN, INFINITY}, 3},
    };
#undef AT
    refuse(DEM_LAW_LUDING, &p, sizeof p, fields, sizeof fields / sizeof fields[0]);
    take(DEM_LAW_LUDING, &p, sizeof p, offsetof(dem_luding, plasticity_depth), 1.0);
    p.stiffness_unloading = p.stiffness_loading; /* elastic is allowed */
    OK(give(DEM_LAW_LUDING, &p));
    dem_contact_history_destroy(history);
}

static void walton_braun(void **state)
{
    (void)state;
    open_history();
    dem_walton_braun p;
    OK(dem_walton_braun_init(&p));
    assert_true(p.restitution == 1.0 && p.hardening == 0.0);
    assert_int_equal(give(DEM_LAW_WALTON_BRAUN, &p), DEM_ERROR_RANGE);
    p.stiffness_loading = 100.0;
    p.restitution = 0.5;
#define AT(member) offsetof(dem_walton_braun, member)
    const field fields[] = {
        {"stiffness_loading", AT(stiffness_loading), {0.0, -1.0, NAN, INFINITY}, 4},
        {"stiffness_unloading", AT(stiffness_unloading), {99.9, -1.0, NAN, INFINITY}, 4},
        {"restitution", AT(restitution), {0.0, -0.1, 1.1, NAN}, 4},
        {"restitution", AT(restitution), {5e-324, 1e-155}, 2}, /* k_1/e^2 is not finite */
        {"restitution", AT(stiffness_unloading), {200.0}, 1},  /* both are given */
        {"hardening", AT(hardening), {-1.0, NAN, INFINITY, 1e307}, 4},
        {"damping_normal", AT(damping_normal), {-1.0, NAN, INFINITY}, 3},
    };
#undef AT
    refuse(DEM_LAW_WALTON_BRAUN, &p, sizeof p, fields, sizeof fields / sizeof fields[0]);
    take(DEM_LAW_WALTON_BRAUN, &p, sizeof p, offsetof(dem_walton_braun, restitution), 1.0);
    dem_contact_history_destroy(history);
}

static void thornton(void **state)
{
    (void)state;
    open_history();
    dem_thornton p;
    OK(dem_thornton_init(&p));
    assert_true(p.poisson[0] == 0.3 && p.restitution == 1.0);
    p.young[0] = 1e9;
    assert_int_equal(give(DEM_LAW_THORNTON, &p), DEM_ERROR_RANGE);
    p.yield_pressure = 1e7;
#define AT(member) offsetof(dem_thornton, member)
    const field fields[] = {
        {"young[0]", AT(young[0]), {0.0, -1.0, NAN, INFINITY, 1e-310}, 5},
        {"poisson[0]", AT(poisson[0]), {-1.0, 0.51, NAN}, 3},
        {"yield_pressure", AT(yield_pressure), {0.0, -1.0, NAN, INFINITY}, 4},
        {"restitution", AT(restitution), {0.0, -0.1, 1.1, NAN}, 4},
    };
#undef AT
    refuse(DEM_LAW_THORNTON, &p, sizeof p, fields, sizeof fields / sizeof fields[0]);
    take(DEM_LAW_THORNTON, &p, sizeof p, offsetof(dem_thornton, poisson[0]), 0.5);
    dem_contact_history_destroy(history);
}

static void actm(void **state)
{
    (void)state;
    open_history();
    dem_actm p;
    OK(dem_actm_init(&p));
    assert_true(p.restitution == 1.0 && p.contact_time == 0.0 && p.contact_steps == 0.0);
    assert_true(p.speed_floor == 0.0 && p.load_acceleration == 0.0 && p.overlap_cap == 0.01);
    assert_int_equal(give(DEM_LAW_ACTM, &p), DEM_ERROR_RANGE); /* much has no default */
    dem_actm good = p;
    good.young[0] = 1e9;
    good.speed_floor = 1e-3;
    good.contact_time = 1e-4;
#define AT(member) offsetof(dem_actm, member)
    const field fields[] = {
        {"restitution", AT(restitution), {0.0, 0.99e-4, 1.01, NAN}, 4},
        {"contact_time", AT(contact_time), {0.0, -1.0, NAN, INFINITY}, 4},
        {"contact_time", AT(contact_time), {1e-51, 1e51}, 2},
        {"contact_steps", AT(contact_steps), {10.0, -1.0, NAN, INFINITY}, 4}, /* both given */
        {"speed_floor", AT(speed_floor), {0.0, -1.0, NAN, INFINITY}, 4},
        {"young[0]", AT(young[0]), {0.0, -1.0, NAN, INFINITY, 1e-310}, 5},
        {"poisson[0]", AT(poisson[0]), {-1.0, 0.51, NAN, -INFINITY}, 4},
        {"load_acceleration", AT(load_acceleration), {-1.0, 1e51, NAN, INFINITY}, 4},
        {"overlap_cap", AT(overlap_cap), {0.0, -0.1, 1.1, NAN}, 4},
    };
    refuse(DEM_LAW_ACTM, &good, sizeof good, fields, sizeof fields / sizeof fields[0]);
    const struct {
        size_t offset;
        double value;
    } ends[] = {
        {offsetof(dem_actm, restitution), 1e-4},       {offsetof(dem_actm, contact_time), 1e-50},
        {offsetof(dem_actm, contact_time), 1e50},      {offsetof(dem_actm, speed_floor), 1e-50},
        {offsetof(dem_actm, speed_floor), 1e50},       {offsetof(dem_actm, poisson[0]), 0.5},
        {offsetof(dem_actm, load_acceleration), 1e50}, {offsetof(dem_actm, overlap_cap), 1.0}};
    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; ++k)
        take(DEM_LAW_ACTM, &good, sizeof good, ends[k].offset, ends[k].value);
    good.contact_time = 0.0;
    good.contact_steps = 4.0;
    const field steps[] = {{"contact_steps", AT(contact_steps), {0.0, 3.99, NAN, INFINITY}, 4},
                           {"contact_steps", AT(contact_steps), {1.01e9, 1e300}, 2}};
#undef AT
    refuse(DEM_LAW_ACTM, &good, sizeof good, steps, 2);
    take(DEM_LAW_ACTM, &good, sizeof good, offsetof(dem_actm, contact_steps), 1e9);
    good.restitution = 0.03; /* its dashpot wants 7 steps */
    assert_int_equal(give(DEM_LAW_ACTM, &good), DEM_ERROR_RANGE);
    good.contact_steps = 7.1;
    OK(give(DEM_LAW_ACTM, &good));
    good.struct_size = 8;
    assert_int_equal(give(DEM_LAW_ACTM, &good), DEM_ERROR_STRUCT_SIZE);
    dem_contact_history_destroy(history);
}

/* ------------------------------------------------------------------ bits */

enum { PAIRS = 45, STEPS = 60 };

/* Forces of a cloud of separate pairs that are pressed and pulled, on one instruction set. */
static void swing(const char *law, const void *parameters, int32_t isa, double *forces)
{
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    config.isa = isa;
    OK(dem_contact_history_create(&config, &history, NULL));
    OK(give(law, parameters));
    double x[2 * PAIRS][3] = {{0.0}}, v[2 * PAIRS][3] = {{0.0}}, f[2 * PAIRS][3];
    double radius[2 * PAIRS], mass[2 * PAIRS];
    uint32_t pairs[PAIRS][2];
    for (uint32_t k = 0; k < 2 * PAIRS; ++k) {
        radius[k] = 1e-3 * (1.0 + 0.01 * k);
        mass[k] = 1e-6;
        pairs[k / 2][k % 2] = k;
    }
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.particle_count = 2 * PAIRS;
    in.position = x[0];
    in.velocity = v[0];
    in.radius = radius;
    in.mass = mass;
    in.pair_count = PAIRS;
    in.pairs = pairs[0];
    in.force = f[0];
    in.dt = 1e-6;
    for (int step = 0; step < STEPS; ++step) {
        /* a triangle wave, of another size and phase for each pair */
        for (int k = 0; k < PAIRS; ++k) {
            const int phase = (step * (1 + k % 3) + k) % 40;
            const double overlap = 1e-7 * (1 + k) * ((phase < 20 ? phase : 40 - phase) - 7);
            const double to = radius[2 * k] + radius[2 * k + 1] - overlap;
            v[2 * k + 1][0] = step > 0 ? (to - x[2 * k + 1][0]) / in.dt : 0.0;
            x[2 * k + 1][0] = to;
        }
        memset(f, 0, sizeof f);
        dem_contact_totals totals = {.struct_size = sizeof totals};
        OK(dem_contacts_evaluate(history, &in, &totals));
        for (int k = 0; k < PAIRS; ++k)
            *forces++ = f[2 * k + 1][0];
        *forces++ = totals.elastic_energy;
        *forces++ = totals.dissipated_normal;
    }
    dem_contact_history_destroy(history);
}

static void same_bits(void **state)
{
    (void)state;
    dem_adhesion adhesion;
    dem_luding luding_p;
    dem_walton_braun walton;
    dem_thornton yielding;
    OK(dem_adhesion_init(&adhesion));
    OK(dem_luding_init(&luding_p));
    OK(dem_walton_braun_init(&walton));
    OK(dem_thornton_init(&yielding));
    adhesion.young[0] = yielding.young[0] = 1e8;
    adhesion.work_of_adhesion = 0.1;
    adhesion.restitution = yielding.restitution = 0.8;
    luding_p.stiffness_loading = walton.stiffness_loading = 1e4;
    luding_p.stiffness_unloading = walton.stiffness_unloading = 4e4;
    luding_p.stiffness_cohesion = 1e4;
    luding_p.plasticity_depth = 0.001;
    luding_p.damping_normal = walton.damping_normal = 0.01;
    walton.hardening = 1e5;
    dem_actm stretched;
    OK(dem_actm_init(&stretched));
    stretched.young[0] = 1e8;
    stretched.restitution = 0.6;
    stretched.contact_steps = 20.0;
    stretched.speed_floor = 0.1;
    yielding.yield_pressure = 1e6;
    const struct {
        const char *law;
        const void *parameters;
    } laws[] = {{DEM_LAW_JKR, &adhesion},      {DEM_LAW_DMT, &adhesion},
                {DEM_LAW_LUDING, &luding_p},   {DEM_LAW_WALTON_BRAUN, &walton},
                {DEM_LAW_THORNTON, &yielding}, {DEM_LAW_ACTM, &stretched}};
    static double forces[2][STEPS * (PAIRS + 2)];
    for (size_t n = 0; n < sizeof laws / sizeof laws[0]; ++n) {
        swing(laws[n].law, laws[n].parameters, DEM_ISA_BASELINE, forces[0]);
        double most = 0.0;
        for (size_t k = 0; k < sizeof forces[0] / sizeof forces[0][0]; ++k)
            most = fmax(most, fabs(forces[0][k]));
        assert_true(most > 0.0);
        for (int32_t isa = DEM_ISA_AVX2; isa <= DEM_ISA_X86_64_V2; ++isa) {
            dem_contact_history_config config;
            OK(dem_contact_history_config_init(&config));
            config.isa = isa;
            if (dem_contact_history_create(&config, &history, NULL) != DEM_OK)
                continue; /* not on this machine */
            dem_contact_history_destroy(history);
            swing(laws[n].law, laws[n].parameters, isa, forces[1]);
            if (memcmp(forces[0], forces[1], sizeof forces[0]) != 0)
                fail_msg("%s: other bits on instruction set %d", laws[n].law, (int)isa);
        }
    }
}

/* Without adhesion JKR's force is Hertz's down to the least overlap, on each instruction set. */
static void least_overlaps(void **state)
{
    (void)state;
    static const double overlap[] = {1e-60, 1e-150, 1e-205, 1e-212, 1e-250, 1e-308, 0x1p-1074};
    dem_adhesion jkr;
    OK(dem_adhesion_init(&jkr));
    jkr.young[0] = 1e9;
    const double x[2][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, v[2][3] = {{0.0}};
    const double radius[2] = {0.5, 0.5}, mass[2] = {1.0, 1.0}, normal[3] = {-1.0, 0.0, 0.0},
                 point[3] = {0.5, 0.0, 0.0};
    const uint32_t pairs[2] = {0, 1};
    for (int32_t isa = DEM_ISA_AUTO; isa <= DEM_ISA_X86_64_V2; ++isa) {
        dem_contact_history_config config;
        OK(dem_contact_history_config_init(&config));
        config.isa = isa;
        if (dem_contact_history_create(&config, &history, NULL) != DEM_OK)
            continue; /* not on this machine */
        OK(give(DEM_LAW_JKR, &jkr));
        for (size_t k = 0; k < sizeof overlap / sizeof overlap[0]; ++k) {
            double f[2][3] = {{0.0}};
            dem_contacts_input in;
            dem_contacts_geometry given;
            OK(dem_contacts_input_init(&in));
            in.particle_count = 2;
            in.position = x[0];
            in.velocity = v[0];
            in.radius = radius;
            in.mass = mass;
            in.pair_count = 1;
            in.pairs = pairs;
            in.force = f[0];
            in.dt = 1e-6;
            OK(dem_contacts_geometry_init(&given));
            given.overlap = &overlap[k];
            given.normal = normal;
            given.point = point;
            OK(dem_contacts_evaluate_geometry(history, &in, &given, NULL));
            const double young = dem_kernel_effective_young(1e9, 0.3, 1e9, 0.3),
                         hertz = 4.0 / 3.0 * young * sqrt(0.25 * overlap[k]) * overlap[k];
            if (!(fabs(f[1][0] - hertz) <= 1e-13 * hertz + 1e-322))
                fail_msg("instruction set %d, overlap %g: force %g, not %g", (int)isa, overlap[k],
                         f[1][0], hertz);
        }
        dem_contact_history_destroy(history);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adhesion),       cmocka_unit_test(actm),     cmocka_unit_test(luding),
        cmocka_unit_test(walton_braun),   cmocka_unit_test(thornton), cmocka_unit_test(same_bits),
        cmocka_unit_test(least_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
