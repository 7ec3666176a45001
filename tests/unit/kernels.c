/* SPDX-License-Identifier: MIT */
/**
 * @file kernels.c
 * The slider kernels and the normal force: closed forms, and properties over wide ranges.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/random.h"

#include <dem/dem.h>
#include <float.h>
#include <string.h>

/* The same kernels as symbols of the library, as a Fortran or Python host calls them. */
extern double exported_normal(double, double, double, double,
                              int32_t) __asm__("dem_kernel_normal_linear");
extern void exported_csds(double, double, double, double, const double[3], double[3],
                          double[3]) __asm__("dem_kernel_tangential_csds");
extern void exported_dsds(double, double, double, const double[3], const double[3], double[3],
                          double[3]) __asm__("dem_kernel_tangential_dsds");

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length(const double a[3])
{
    return sqrt(dot(a, a));
}

static void random_vector(test_random *random, double low, double high, double v[3])
{
    const double size = test_decades(random, low, high);
    test_unit(random, v);
    for (int c = 0; c < 3; ++c)
        v[c] *= size;
}

/** One random state of a slider; its parameters cover twelve decades each. */
typedef struct slider {
    double k, gamma, limit, dt;
    double v[3], xi0[3], xi1[3], force[3];
} slider;

static slider random_slider(test_random *random)
{
    slider s;
    s.k = test_decades(random, -6.0, 6.0);
    s.gamma = test_random_bits(random) % 8 == 0 ? 0.0 : test_decades(random, -6.0, 6.0);
    s.limit = test_random_bits(random) % 16 == 0 ? 0.0 : test_decades(random, -6.0, 6.0);
    s.dt = test_decades(random, -9.0, 3.0);
    random_vector(random, -6.0, 6.0, s.v);
    random_vector(random, -6.0, 6.0, s.xi0);
    memcpy(s.xi1, s.xi0, sizeof(s.xi1));
    memset(s.force, 0, sizeof(s.force));
    return s;
}

/** Energy that the slider yielded beyond what was put in, over the size of what was added up. */
static double gain(const slider *s)
{
    const double stored = 0.5 * s->k * (dot(s->xi1, s->xi1) - dot(s->xi0, s->xi0));
    const double given = -dot(s->force, s->v) * s->dt;
    const double lengths = length(s->xi0) + length(s->xi1) + length(s->v) * s->dt;
    const double forces = length(s->force) + s->k * (length(s->xi0) + length(s->xi1));
    return (stored - given) / (forces * lengths);
}

static void csds_never_yields_energy(void **state)
{
    (void)state;
    test_long();
    test_random random = test_random_start("slider energy");
    double worst = -1.0;
    int slid = 0;
    for (int n = 0; n < 1500000; ++n) {
        slider s = random_slider(&random);
        dem_kernel_tangential_csds(s.k, s.gamma, s.limit, s.dt, s.v, s.xi1, s.force);
        const double g = gain(&s);
        if (!(g < 32.0 * DBL_EPSILON))
            fail_msg("case %d gains %g: k %g gamma %g limit %g dt %g", n, g, s.k, s.gamma, s.limit,
                     s.dt);
        if (g > worst)
            worst = g;
        const double f = length(s.force);
        if (!(f <= s.limit * (1.0 + 4.0 * DBL_EPSILON)))
            fail_msg("case %d: force %g above the limit %g", n, f, s.limit);
        if (f > 0.999 * s.limit)
            ++slid;
    }
    printf("# largest relative gain %.2g, sliding in %d cases\n", worst, slid);
    assert_true(slid > 100000 && slid < 1400000);
}

/* The same account finds the energy that the discontinuous slider creates: the test can fail. */
static void dsds_yields_energy(void **state)
{
    (void)state;
    test_random random = test_random_start("discontinuous slider energy");
    int gains = 0;
    for (int n = 0; n < 100000; ++n) {
        slider s = random_slider(&random);
        const double du[3] = {s.v[0] * s.dt, s.v[1] * s.dt, s.v[2] * s.dt};
        dem_kernel_tangential_dsds(s.k, s.gamma, s.limit, du, s.v, s.xi1, s.force);
        if (gain(&s) > 32.0 * DBL_EPSILON)
            ++gains;
    }
    printf("# %d of 100000 steps gain energy\n", gains);
    assert_true(gains > 1000);
}

/* Truncated and viscous sliders never yield energy either. */
static void passive_sliders(void **state)
{
    (void)state;
    test_random random = test_random_start("truncated and viscous slider energy");
    double worst = -1.0;
    for (int n = 0; n < 400000; ++n) {
        slider s = random_slider(&random), v = s;
        const double du[3] = {s.v[0] * s.dt, s.v[1] * s.dt, s.v[2] * s.dt};
        dem_kernel_tangential_truncated(s.k, s.gamma, s.limit, du, s.v, s.xi1, s.force);
        const double g = gain(&s);
        if (!(g < 32.0 * DBL_EPSILON))
            fail_msg("case %d gains %g: k %g gamma %g limit %g dt %g", n, g, s.k, s.gamma, s.limit,
                     s.dt);
        worst = g > worst ? g : worst;
        assert_true(length(s.force) <= s.limit * (1.0 + 4.0 * DBL_EPSILON));
        dem_kernel_tangential_viscous(v.gamma, v.limit, v.v, v.force);
        assert_true(dot(v.force, v.v) <= 0.0);
        assert_true(length(v.force) <= v.limit * (1.0 + 4.0 * DBL_EPSILON));
        const double want = fmin(v.gamma * length(v.v), v.limit);
        assert_true(fabs(length(v.force) - want) <= 8.0 * DBL_EPSILON * want);
    }
    printf("# largest relative gain %.2g\n", worst);
}

/* Without damping truncation is the continuous slider. */
static void truncation_without_damping(void **state)
{
    (void)state;
    test_random random = test_random_start("truncated slider without damping");
    int slid = 0;
    for (int n = 0; n < 200000; ++n) {
        slider a = random_slider(&random);
        a.gamma = 0.0;
        slider b = a;
        const double du[3] = {a.v[0] * a.dt, a.v[1] * a.dt, a.v[2] * a.dt};
        dem_kernel_tangential_csds_increment(a.k, 0.0, a.limit, a.dt, du, a.v, a.xi1, a.force);
        dem_kernel_tangential_truncated(b.k, 0.0, b.limit, du, b.v, b.xi1, b.force);
        const double scale = length(a.xi0) + length(du);
        for (int c = 0; c < 3; ++c) {
            assert_true(a.force[c] == b.force[c]);
            assert_true(fabs(a.xi1[c] - b.xi1[c]) <= 8.0 * DBL_EPSILON * scale);
        }
        slid += length(b.xi1) < 0.999 * scale;
    }
    assert_true(slid > 10000);
}

/* A slider without reset is a capped spring: no gain against the energy of that at a constant
 * limit, a gain where the limit rises after it slid. */
static void unreset_slider(void **state)
{
    (void)state;
    test_random random = test_random_start("unreset slider");
    for (int n = 0; n < 200000; ++n) {
        slider s = random_slider(&random);
        const double du[3] = {s.v[0] * s.dt, s.v[1] * s.dt, s.v[2] * s.dt};
        dem_kernel_tangential_unreset(s.k, s.gamma, s.limit, du, s.v, s.xi1, s.force);
        double stored[2];
        for (int end = 0; end < 2; ++end) {
            const double x = length(end ? s.xi1 : s.xi0);
            stored[end] =
                s.k * x <= s.limit ? 0.5 * s.k * x * x : s.limit * (x - 0.5 * s.limit / s.k);
        }
        const double given = -dot(s.force, s.v) * s.dt;
        const double lengths = length(s.xi0) + length(s.xi1) + length(s.v) * s.dt;
        assert_true(stored[1] - stored[0] - given <= 64.0 * DBL_EPSILON * s.limit * lengths);
        for (int c = 0; c < 3; ++c)
            assert_true(s.xi1[c] == s.xi0[c] + du[c]);
    }
    double xi[3] = {0.0, 0.0, 0.0}, force[3], work = 0.0;
    const double none[3] = {0.0, 0.0, 0.0}, out[3] = {1e-3, 0.0, 0.0}, in[3] = {-1e-3, 0.0, 0.0};
    for (int n = 0; n < 2000;
         ++n) { /* out and back, the limit ten times as large on the way back */
        const double limit = n < 1000 ? 0.1 : 1.0;
        const double *du = n < 1000 ? out : in;
        dem_kernel_tangential_unreset(10.0, 0.0, limit, du, none, xi, force);
        work += force[0] * du[0];
    }
    assert_true(fabs(xi[0]) < 1e-12 && work > 0.8);
}

/* Li et al., Eq. (5) as printed, written here by the angle of xi in its plane: the spring alone
 * decides, sliding acts against xi, the sum with the dashpot is not capped. */
static void slider_of_li(void **state)
{
    (void)state;
    test_random random = test_random_start("slider of Li");
    int slid = 0, beyond = 0, forwards = 0;
    for (int n = 0; n < 200000; ++n) {
        slider s = random_slider(&random);
        const double du[3] = {s.v[0] * s.dt, s.v[1] * s.dt, s.v[2] * s.dt};
        dem_kernel_tangential_li(s.k, s.gamma, s.limit, du, s.v, s.xi1, s.force);
        const double spring = s.k * length(s.xi1);
        for (int c = 0; c < 3; ++c)
            assert_true(s.xi1[c] == s.xi0[c] + du[c]);
        if (fabs(spring - s.limit) <= 1e-12 * s.limit)
            continue;
        if (spring > s.limit) {
            ++slid;
            assert_true(fabs(length(s.force) - s.limit) <= 8.0 * DBL_EPSILON * s.limit);
            assert_true(fabs(dot(s.force, s.xi1) + s.limit * length(s.xi1)) <=
                        32.0 * DBL_EPSILON * s.limit * length(s.xi1));
            forwards += dot(s.force, s.v) > 0.0;
        } else {
            beyond += length(s.force) > 1.1 * s.limit;
            for (int c = 0; c < 3; ++c)
                assert_true(s.force[c] == -(s.k * s.xi1[c]) - s.gamma * s.v[c]);
        }
    }
    /* it pushes along the motion, and passes Coulomb's limit: what is wrong with it */
    printf("# of 200000: %d slide, %d of them forwards; %d beyond the limit\n", slid, forwards,
           beyond);
    assert_true(slid > 20000 && beyond > 2000 && forwards > 2000);
    double xi[3] = {0.0, 0.0, 0.0}, force[3] = {1.0, 1.0, 1.0};
    const double none[3] = {0.0, 0.0, 0.0}, fast[3] = {1.0, 0.0, 0.0};
    dem_kernel_tangential_li(1.0, 1.0, 0.0, none, fast, xi, force);
    assert_true(length(force) == 0.0);
}

static void csds_sticking_is_exact(void **state)
{
    (void)state;
    test_random random = test_random_start("sticking");
    int stuck = 0;
    for (int n = 0; n < 200000; ++n) {
        slider s = random_slider(&random);
        double du[3], vd[3];
        random_vector(&random, -6.0, 6.0, du);
        random_vector(&random, -6.0, 6.0, vd);
        double trial[3];
        for (int c = 0; c < 3; ++c)
            trial[c] = -(s.k * (s.xi0[c] + du[c])) - s.gamma * vd[c];
        const double size = length(trial);
        s.limit = size * test_decades(&random, -3.0, 3.0);
        dem_kernel_tangential_csds_increment(s.k, s.gamma, s.limit, s.dt, du, vd, s.xi1, s.force);
        if (s.limit > size * (1.0 + 1e-12)) {
            ++stuck;
            for (int c = 0; c < 3; ++c) {
                assert_true(s.xi1[c] == s.xi0[c] + du[c]);
                assert_true(s.force[c] == trial[c]);
            }
        } else if (s.limit < size * (1.0 - 1e-12)) {
            /* along the trial force, as long as the limit, and the state of the return mapping */
            assert_true(fabs(length(s.force) - s.limit) <= 8.0 * DBL_EPSILON * s.limit);
            for (int c = 0; c < 3; ++c) {
                const double f = trial[c] * (s.limit / size);
                assert_true(fabs(s.force[c] - f) <= 8.0 * DBL_EPSILON * s.limit);
                const double step = (trial[c] - f) / (s.k + s.gamma / s.dt);
                const double want = s.xi0[c] + du[c] + step;
                const double scale = length(s.xi0) + length(du) + size / (s.k + s.gamma / s.dt);
                assert_true(fabs(s.xi1[c] - want) <= 32.0 * DBL_EPSILON * scale);
            }
        }
    }
    assert_true(stuck > 50000 && stuck < 150000);
}

static void csds_without_damping_is_truncation(void **state)
{
    (void)state;
    test_random random = test_random_start("no damping");
    for (int n = 0; n < 200000; ++n) {
        slider s = random_slider(&random);
        s.gamma = 0.0;
        if (n % 7 == 0)
            s.dt = 0.0;
        const double du[3] = {s.v[0] * s.dt, s.v[1] * s.dt, s.v[2] * s.dt};
        dem_kernel_tangential_csds(s.k, s.gamma, s.limit, s.dt, s.v, s.xi1, s.force);
        const double scale = length(s.xi0) + length(du);
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(s.xi1[c] + s.force[c] / s.k) <= 8.0 * DBL_EPSILON * scale);
    }
}

static void csds_without_time_is_finite(void **state)
{
    (void)state;
    test_random random = test_random_start("dt = 0");
    for (int n = 0; n < 100000; ++n) {
        slider s = random_slider(&random);
        dem_kernel_tangential_csds(s.k, s.gamma, s.limit, 0.0, s.v, s.xi1, s.force);
        for (int c = 0; c < 3; ++c) {
            assert_true(isfinite(s.xi1[c]) && isfinite(s.force[c]));
            /* no time, and a dashpot: nothing can have slid */
            if (s.gamma > 0.0)
                assert_true(s.xi1[c] == s.xi0[c]);
        }
    }
    /* rest: zero over zero is near */
    double xi[3] = {0.0, 0.0, 0.0}, force[3];
    const double v[3] = {0.0, 0.0, 0.0};
    dem_kernel_tangential_csds(1.0, 0.0, 0.0, 0.0, v, xi, force);
    for (int c = 0; c < 3; ++c)
        assert_true(xi[c] == 0.0 && force[c] == 0.0);
}

/* Plates, m = k = F_max = 1, gamma = 2, v0 = 4 (Fuehrer et al. 2024, Sec. 4): slip ends at
 * t = 3.929919226411 with xi = 0.859838452823 and v = 0.070080773589; then, critically damped,
 * xi(t) = (xi_s + (v_s + xi_s) s) exp(-s) with s the time since. */
static double plate_error(double dt)
{
    double v[3] = {4.0, 0.0, 0.0}, xi[3] = {0.0, 0.0, 0.0}, force[3];
    const int steps = (int)lround(8.0 / dt);
    double worst = 0.0;
    for (int n = 1; n <= steps; ++n) {
        dem_kernel_tangential_csds(1.0, 2.0, 1.0, dt, v, xi, force);
        v[0] += force[0] * dt;
        const double t = n * dt, ts = 3.929919226411, s = t - ts;
        const double xs = 0.859838452823, vs = 0.070080773589;
        const double exact = t < ts ? 4.0 - t : (vs - (vs + xs) * s) * exp(-s);
        worst = fmax(worst, fabs(v[0] - exact));
    }
    return worst;
}

static void csds_converges_to_the_plates(void **state)
{
    (void)state;
    const double a = plate_error(0.1), b = plate_error(0.05), c = plate_error(0.025);
    printf("# plates: error %.3e %.3e %.3e at dt 0.1 0.05 0.025\n", a, b, c);
    assert_true(a < 0.1);
    /* first order: halving the step halves the error, within a fifth */
    assert_true(a / b > 1.6 && a / b < 2.4);
    assert_true(b / c > 1.6 && b / c < 2.4);
}

static void dsds_spring_keeps_the_limit(void **state)
{
    (void)state;
    test_random random = test_random_start("discontinuous slider");
    int slid = 0;
    for (int n = 0; n < 200000; ++n) {
        slider s = random_slider(&random);
        double du[3], vd[3], trial[3];
        random_vector(&random, -6.0, 6.0, du);
        random_vector(&random, -6.0, 6.0, vd);
        for (int c = 0; c < 3; ++c)
            trial[c] = -(s.k * (s.xi0[c] + du[c])) - s.gamma * vd[c];
        const double size = length(trial);
        s.limit = size * test_decades(&random, -3.0, 3.0);
        dem_kernel_tangential_dsds(s.k, s.gamma, s.limit, du, vd, s.xi1, s.force);
        double after[3];
        for (int c = 0; c < 3; ++c)
            after[c] = -(s.k * s.xi1[c] + s.gamma * vd[c]);
        const double scale = s.k * length(s.xi1) + s.gamma * length(vd);
        if (s.limit < size * (1.0 - 1e-12)) {
            ++slid;
            assert_true(fabs(length(after) - s.limit) <= 8.0 * DBL_EPSILON * scale);
            assert_true(dot(s.force, trial) > 0.0);
        } else if (s.limit > size * (1.0 + 1e-12)) {
            for (int c = 0; c < 3; ++c)
                assert_true(s.xi1[c] == s.xi0[c] + du[c] && s.force[c] == trial[c]);
        }
    }
    assert_true(slid > 50000);
}

/* k = m = F_max = 1, gamma = 2, v0 = 4, dt = 0.1: the first reset throws the spring to -7 while
 * the limit acts backwards (Fuehrer et al. 2024, Sec. 3). */
static void dsds_resets_at_once(void **state)
{
    (void)state;
    double xi[3] = {0.0, 0.0, 0.0}, force[3];
    const double v[3] = {4.0, 0.0, 0.0}, none[3] = {0.0, 0.0, 0.0};
    dem_kernel_tangential_dsds(1.0, 2.0, 1.0, none, v, xi, force);
    assert_true(fabs(force[0] + 1.0) < 1e-15);
    assert_true(fabs(xi[0] + 7.0) < 1e-14);
}

static void normal_force(void **state)
{
    (void)state;
    test_random random = test_random_start("normal force");
    int cut = 0;
    for (int n = 0; n < 200000; ++n) {
        const double k = test_decades(&random, -6.0, 6.0), eta = test_decades(&random, -6.0, 6.0);
        const double d = test_decades(&random, -6.0, 6.0);
        const double v = test_decades(&random, -6.0, 6.0) * (n % 2 == 0 ? 1.0 : -1.0);
        const double sum = k * d - eta * v;
        assert_true(dem_kernel_normal_linear(k, eta, d, v, 1) == sum);
        assert_true(dem_kernel_normal_linear(k, eta, d, v, 0) == (sum > 0.0 ? sum : 0.0));
        assert_true(dem_kernel_normal_linear(k, eta, -d, v, 0) == 0.0);
        assert_true(dem_kernel_normal_linear(k, eta, -d, v, 1) == 0.0);
        cut += sum < 0.0;
    }
    assert_true(dem_kernel_normal_linear(1.0, 1.0, 0.0, -1.0, 1) == 0.0);
    assert_true(cut > 10000);
}

/* A host that includes the header and one that calls the symbol get the same bits. */
static void symbols_agree_with_the_header(void **state)
{
    (void)state;
    test_random random = test_random_start("symbols");
    for (int n = 0; n < 20000; ++n) {
        slider a = random_slider(&random), b = a;
        dem_kernel_tangential_csds(a.k, a.gamma, a.limit, a.dt, a.v, a.xi1, a.force);
        exported_csds(b.k, b.gamma, b.limit, b.dt, b.v, b.xi1, b.force);
        assert_memory_equal(a.xi1, b.xi1, sizeof(a.xi1));
        assert_memory_equal(a.force, b.force, sizeof(a.force));
        dem_kernel_tangential_dsds(a.k, a.gamma, a.limit, a.v, a.v, a.xi1, a.force);
        exported_dsds(b.k, b.gamma, b.limit, b.v, b.v, b.xi1, b.force);
        assert_memory_equal(a.xi1, b.xi1, sizeof(a.xi1));
        assert_memory_equal(a.force, b.force, sizeof(a.force));
        assert_true(dem_kernel_normal_linear(a.k, a.gamma, a.limit, a.v[0], 0) ==
                    exported_normal(a.k, a.gamma, a.limit, a.v[0], 0));
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csds_never_yields_energy),
        cmocka_unit_test(dsds_yields_energy),
        cmocka_unit_test(passive_sliders),
        cmocka_unit_test(truncation_without_damping),
        cmocka_unit_test(unreset_slider),
        cmocka_unit_test(slider_of_li),
        cmocka_unit_test(csds_sticking_is_exact),
        cmocka_unit_test(csds_without_damping_is_truncation),
        cmocka_unit_test(csds_without_time_is_finite),
        cmocka_unit_test(csds_converges_to_the_plates),
        cmocka_unit_test(dsds_spring_keeps_the_limit),
        cmocka_unit_test(dsds_resets_at_once),
        cmocka_unit_test(normal_force),
        cmocka_unit_test(symbols_agree_with_the_header),
    };
    return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}
