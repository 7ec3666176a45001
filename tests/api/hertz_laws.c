/* SPDX-License-Identifier: MIT */
/**
 * @file hertz_laws.c
 * Bad parameters of Hertz's law and of the Mindlin laws, and models whose parts do not fit: each is
 * refused by name.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/sized.h"

#include <dem/dem.h>
#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static dem_contact_history *history;

static int open_history(void **state)
{
    (void)state;
    dem_contact_history_config config;
    dem_contact_history_config_init(&config);
    return dem_contact_history_create(&config, &history, NULL);
}

static int close_history(void **state)
{
    (void)state;
    dem_contact_history_destroy(history);
    return 0;
}

static dem_status give(const char *normal, const void *first, const char *tangential,
                       const void *second)
{
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = normal, .parameters = first};
    model.parts[1] = (dem_contact_part){.law = tangential, .parameters = second};
    return dem_contact_history_model_set(history, 0, 0, &model);
}

static void refused(dem_status got, dem_status want, const char *law, const char *word)
{
    const char *message = dem_contact_history_error(history);
    if (got != want || strstr(message, word) == NULL || strstr(message, law) == NULL)
        fail_msg("status %d, not %d; message \"%s\" must name %s and %s", (int)got, (int)want,
                 message, law, word);
}

typedef struct real {
    const char *name;
    size_t offset;
    double bad[4];
    int count;
} real;

typedef struct whole {
    const char *name;
    size_t offset;
    int32_t bad[2];
} whole;

static dem_hertz glass(void)
{
    dem_hertz p;
    OK(dem_hertz_init(&p));
    p.young[0] = 7e10;
    return p;
}

static void hertz(void **state)
{
    (void)state;
    dem_hertz good;
    OK(dem_hertz_init(&good));
    assert_true(good.young[0] == 0.0 && good.young[1] == 0.0 && good.poisson[0] == 0.3 &&
                good.poisson[1] == 0.0 && good.restitution == 1.0 && good.damping_normal == 0.0);
    assert_int_equal(good.damping, DEM_HERTZ_DAMPING_RESTITUTION);
    assert_int_equal(good.normal, DEM_NORMAL_CUT);
    refused(give(DEM_LAW_HERTZ, &good, NULL, NULL), DEM_ERROR_RANGE, "hertz", "young[0]");
    good = glass();
#define AT(member) offsetof(dem_hertz, member)
    const real reals[] = {
        {"young[0]", AT(young[0]), {0.0, -1.0, NAN, INFINITY}, 4},
        {"young[1]", AT(young[1]), {-1.0, NAN, INFINITY}, 3},
        {"poisson[0]", AT(poisson[0]), {-1.0, 0.5000001, NAN, -INFINITY}, 4},
        {"poisson[1]", AT(poisson[1]), {0.2, NAN, 0.6}, 3}, /* young[1] is 0 */
        {"restitution", AT(restitution), {0.0, -0.1, 1.0000001, NAN}, 4},
        {"damping_normal", AT(damping_normal), {-1.0, NAN, INFINITY}, 3},
    };
    const whole wholes[] = {{"damping", AT(damping), {-1, 4}}, {"normal", AT(normal), {-1, 4}}};
#undef AT
    for (size_t f = 0; f < COUNT(reals); ++f)
        for (int k = 0; k < reals[f].count; ++k) {
            dem_hertz bad = good;
            memcpy((char *)&bad + reals[f].offset, &reals[f].bad[k], sizeof(double));
            refused(give(DEM_LAW_HERTZ, &bad, NULL, NULL), DEM_ERROR_RANGE, "hertz", reals[f].name);
        }
    for (size_t f = 0; f < COUNT(wholes); ++f)
        for (int k = 0; k < 2; ++k) {
            dem_hertz bad = good;
            memcpy((char *)&bad + wholes[f].offset, &wholes[f].bad[k], sizeof(int32_t));
            refused(give(DEM_LAW_HERTZ, &bad, NULL, NULL), DEM_ERROR_UNKNOWN, "hertz",
                    wholes[f].name);
        }
    dem_hertz bad = good;
    bad.struct_size -= 1;
    refused(give(DEM_LAW_HERTZ, &bad, NULL, NULL), DEM_ERROR_STRUCT_SIZE, "hertz", "struct_size");
    /* the ends of the ranges */
    good.poisson[0] = 0.5;
    OK(give(DEM_LAW_HERTZ, &good, NULL, NULL));
    good.young[1] = 1e9;
    good.poisson[1] = -0.999;
    good.restitution = 1e-6;
    OK(give(DEM_LAW_HERTZ, &good, NULL, NULL));
}

static void mindlin(void **state)
{
    (void)state;
    static const char *const laws[] = {DEM_LAW_MINDLIN, DEM_LAW_MINDLIN_DERESIEWICZ,
                                       DEM_LAW_MINDLIN_DERESIEWICZ_32, DEM_LAW_MINDLIN_THREE_CASE};
    const dem_hertz normal = glass();
    dem_mindlin good;
    OK(dem_mindlin_init(&good));
    assert_true(good.friction == 0.5 && good.stiffness_factor == 1.0 && good.restitution == 0.0 &&
                good.damping_factor == 0.0);
    assert_true(good.damping == DEM_MINDLIN_DAMPING_RESTITUTION &&
                good.form == DEM_MINDLIN_RESCALED && good.slider == DEM_SLIDER_CSDS);
#define AT(member) offsetof(dem_mindlin, member)
    const real reals[] = {
        {"friction", AT(friction), {-0.1, NAN, INFINITY}, 3},
        {"stiffness_factor", AT(stiffness_factor), {0.0, -1.0, NAN, INFINITY}, 4},
        {"restitution", AT(restitution), {-0.1, 1.1, NAN}, 3},
        {"damping_factor", AT(damping_factor), {-1.0, NAN, INFINITY}, 3},
    };
    const whole wholes[] = {{"damping", AT(damping), {-1, 2}},
                            {"form", AT(form), {-1, 3}},
                            {"slider", AT(slider), {-1, DEM_SLIDER_VISCOUS}},
                            {"slider", AT(slider), {DEM_SLIDER_LI + 1, INT32_MAX}}};
#undef AT
    for (size_t l = 0; l < COUNT(laws); ++l) {
        OK(give(DEM_LAW_HERTZ, &normal, laws[l], &good));
        for (size_t f = 0; f < COUNT(reals); ++f)
            for (int k = 0; k < reals[f].count; ++k) {
                dem_mindlin bad = good;
                memcpy((char *)&bad + reals[f].offset, &reals[f].bad[k], sizeof(double));
                refused(give(DEM_LAW_HERTZ, &normal, laws[l], &bad), DEM_ERROR_RANGE, laws[l],
                        reals[f].name);
            }
        for (size_t f = 0; f < COUNT(wholes); ++f)
            for (int k = 0; k < 2; ++k) {
                dem_mindlin bad = good;
                memcpy((char *)&bad + wholes[f].offset, &wholes[f].bad[k], sizeof(int32_t));
                refused(give(DEM_LAW_HERTZ, &normal, laws[l], &bad), DEM_ERROR_UNKNOWN, laws[l],
                        wholes[f].name);
            }
        dem_mindlin bad = good;
        bad.struct_size = 8;
        refused(give(DEM_LAW_HERTZ, &normal, laws[l], &bad), DEM_ERROR_STRUCT_SIZE, laws[l],
                "struct_size");
    }
}

/* The laws that solve Hertz's contact take no other one, and none of the choices. */
static void what_does_not_fit(void **state)
{
    (void)state;
    static const char *const exact[] = {DEM_LAW_MINDLIN_DERESIEWICZ, DEM_LAW_MINDLIN_DERESIEWICZ_32,
                                        DEM_LAW_MINDLIN_THREE_CASE};
    dem_mindlin good;
    OK(dem_mindlin_init(&good));
    dem_hooke hooke;
    OK(dem_hooke_init(&hooke));
    hooke.stiffness_normal = 1e5;
    dem_adhesion sticky;
    OK(dem_adhesion_init(&sticky));
    sticky.young[0] = 1e7;
    sticky.work_of_adhesion = 0.1;
    const dem_hertz normal = glass();
    for (size_t l = 0; l < COUNT(exact); ++l) {
        refused(give(DEM_LAW_HOOKE, &hooke, exact[l], &good), DEM_ERROR_ARGUMENT, exact[l],
                "normal part");
        refused(give(DEM_LAW_JKR, &sticky, exact[l], &good), DEM_ERROR_ARGUMENT, exact[l],
                "normal part");
        dem_mindlin bad = good;
        bad.stiffness_factor = 2.0 / 3.0;
        refused(give(DEM_LAW_HERTZ, &normal, exact[l], &bad), DEM_ERROR_RANGE, exact[l],
                "stiffness_factor");
        bad = good;
        bad.form = DEM_MINDLIN_SECANT;
        refused(give(DEM_LAW_HERTZ, &normal, exact[l], &bad), DEM_ERROR_RANGE, exact[l], "form");
        bad = good;
        bad.slider = DEM_SLIDER_DSDS;
        refused(give(DEM_LAW_HERTZ, &normal, exact[l], &bad), DEM_ERROR_RANGE, exact[l], "slider");
    }
    refused(give(DEM_LAW_HOOKE, &hooke, DEM_LAW_MINDLIN, &good), DEM_ERROR_ARGUMENT,
            DEM_LAW_MINDLIN, "normal part");
    OK(give(DEM_LAW_JKR, &sticky, DEM_LAW_MINDLIN, &good));
    /* the normal part comes first */
    refused(give(DEM_LAW_MINDLIN, &good, DEM_LAW_HERTZ, &normal), DEM_ERROR_ARGUMENT,
            DEM_LAW_MINDLIN, "normal part");
}

/* Where nothing slides, all that a contact loses tangentially is the work of its dashpot,
 * eta_t v^2 with eta_t = 2 sqrt(5/6) b sqrt(k_t m*). A sphere that swings about the y axis rubs
 * against another one, by less than friction bears. */
static void dashpots_of_contacts_that_stick(void **state)
{
    (void)state;
    static const char *const laws[] = {DEM_LAW_MINDLIN, DEM_LAW_MINDLIN_DERESIEWICZ,
                                       DEM_LAW_MINDLIN_DERESIEWICZ_32, DEM_LAW_MINDLIN_THREE_CASE};
    const double radius[2] = {0.5, 0.5}, mass[2] = {0.3, 0.0}, position[6] = {0.999},
                 velocity[6] = {0.0};
    const double e = 0.6, overlap = 0.001, shear = 1e7 / (4.0 * 1.3 * 1.7); /* G* */
    const double k = 8.0 * shear * sqrt(0.25 * overlap), b = -log(e) / hypot(log(e), acos(-1.0));
    const double eta = 2.0 * sqrt(5.0 / 6.0) * b * sqrt(k * mass[0]);
    const uint32_t pair[2] = {0, 1};
    dem_hertz normal = glass();
    normal.young[0] = 1e7;
    dem_mindlin p;
    OK(dem_mindlin_init(&p));
    p.friction = 1e3;
    p.restitution = e;
    for (size_t l = 0; l < COUNT(laws); ++l) {
        enum { STEPS = 4000 };
        const double dt = 1e-6, turn = 2e3;
        double force[6], torque[6], w[6] = {0.0}, wanted = 0.0, dashpot = 0.0, slip = 0.0;
        OK(give(DEM_LAW_HERTZ, &normal, laws[l], &p));
        dem_contacts_input in;
        OK(dem_contacts_input_init(&in));
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
            dem_contact_totals totals = {.struct_size = sizeof totals};
            w[1] = 0.01 * sin(turn * (n + 0.5) * dt);
            OK(dem_contacts_evaluate(history, &in, &totals));
            dashpot += totals.dissipated_dashpot;
            slip += totals.dissipated_slip;
            wanted += eta * 0.25 * w[1] * w[1] * dt;
        }
        if (fabs(dashpot / wanted - 1.0) > 0.005 || fabs(slip) > 0.005 * wanted)
            fail_msg("%s: the dashpot took %g J, sliding %g J, not %g J and 0", laws[l], dashpot,
                     slip, wanted);
    }
}

/* As long as nothing slides all sliders are the same spring, which each form of the law rescales as
 * the overlap changes. */
static void forms_of_contacts_that_stick(void **state)
{
    (void)state;
    enum { STEPS = 60, SLIDERS = 4 };
    static const int32_t sliders[SLIDERS] = {DEM_SLIDER_CSDS, DEM_SLIDER_DSDS, DEM_SLIDER_TRUNCATED,
                                             DEM_SLIDER_UNRESET};
    static double forces[SLIDERS][STEPS], other[STEPS];
    const double radius[2] = {0.5, 0.5}, mass[2] = {0.3, 0.0}, dt = 1e-4;
    const uint32_t pair[2] = {0, 1};
    dem_hertz normal = glass();
    normal.young[0] = 1e7;
    dem_mindlin p;
    OK(dem_mindlin_init(&p));
    p.friction = 1e3;
    p.restitution = 1.0; /* no dashpot */
    for (p.form = DEM_MINDLIN_RESCALED; p.form <= DEM_MINDLIN_INCREMENTAL; ++p.form) {
        for (int m = 0; m < SLIDERS; ++m) {
            p.slider = sliders[m];
            OK(give(DEM_LAW_HERTZ, &normal, DEM_LAW_MINDLIN, &p));
            for (int n = 0; n < STEPS; ++n) {
                double position[6] = {0.995 + 0.003 * sin(0.2 * n)}, velocity[6] = {0.0},
                       w[6] = {0.0, 0.3}, force[6] = {0.0}, torque[6];
                velocity[0] = (position[0] - 0.995 - 0.003 * sin(0.2 * (n - 1))) / dt;
                dem_contacts_input in;
                OK(dem_contacts_input_init(&in));
                in.particle_count = 2;
                in.position = position;
                in.velocity = velocity;
                in.angular_velocity = w;
                in.radius = radius;
                in.mass = mass;
                in.pair_count = 1;
                in.pairs = pair;
                in.dt = dt;
                in.force = force;
                in.torque = torque;
                OK(dem_contacts_evaluate(history, &in, NULL));
                forces[m][n] = force[2];
                if (fabs(forces[m][n] - forces[0][n]) > 1e-12 * fabs(forces[0][n]))
                    fail_msg("form %d, slider %d, step %d: %g N, not %g", (int)p.form,
                             (int)p.slider, n, forces[m][n], forces[0][n]);
            }
        }
        assert_true(fabs(forces[0][STEPS - 1]) > 0.1);
        assert_true(fabs(forces[0][STEPS - 1] - other[STEPS - 1]) > 0.01);
        memcpy(other, forces[0], sizeof other);
    }
}

int main(void)
{
    test_fpe();
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_history, close_history)
    const struct CMUnitTest tests[] = {CASE(hertz), CASE(mindlin), CASE(what_does_not_fit),
                                       CASE(dashpots_of_contacts_that_stick),
                                       CASE(forms_of_contacts_that_stick)};
    return cmocka_run_group_tests_name("hertz_laws", tests, NULL, NULL);
}
