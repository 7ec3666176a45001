/* SPDX-License-Identifier: MIT */
/**
 * @file hertz.c
 * Kernels of Hertz's and Mindlin's laws, and the batches of all instruction sets against each
 * other.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"

#include "base/isa.h"
#include "laws/laws.h"

#include <dem/dem.h>
#include <string.h>

/* Aluminium oxide on soda-lime glass, by hand. */
static void moduli(void **state)
{
    (void)state;
    const double young = dem_kernel_effective_young(380e9, 0.23, 70e9, 0.25);
    const double shear = dem_kernel_effective_shear(380e9, 0.23, 70e9, 0.25);
    assert_true(fabs(young / 6.295158e10 - 1.0) < 1e-6);
    assert_true(fabs(shear / 1.352111e10 - 1.0) < 1e-6);
    assert_true(young == dem_kernel_effective_young(70e9, 0.25, 380e9, 0.23));
    assert_true(shear == dem_kernel_effective_shear(70e9, 0.25, 380e9, 0.23));
    /* equal bodies: E/(2 (1 - nu^2)) and G/(2 (2 - nu)) */
    assert_true(fabs(dem_kernel_effective_young(1e9, 0.3, 1e9, 0.3) / (1e9 / 1.82) - 1.0) < 1e-15);
    assert_true(fabs(dem_kernel_effective_shear(2.6e9, 0.3, 2.6e9, 0.3) / (1e9 / 3.4) - 1.0) <
                1e-15);
}

/* F = 4/3 E* sqrt(R*) overlap^(3/2), K_t = 8 G* a, with libm as the oracle. */
static void forces(void **state)
{
    (void)state;
    test_random random = test_random_start("hertz forces");
    for (int n = 0; n < 100000; ++n) {
        const double young = test_decades(&random, 4.0, 12.0);
        const double radius = test_decades(&random, -7.0, 1.0);
        const double overlap = radius * test_decades(&random, -9.0, -1.0);
        const double a = dem_kernel_contact_radius_hertz(radius, overlap);
        const double force = dem_kernel_normal_hertz(young, a, 0.0, overlap, 0.0, 0);
        const double exact = 4.0 / 3.0 * young * sqrt(radius) * pow(overlap, 1.5);
        assert_true(fabs(force / exact - 1.0) < 1e-14);
        const double mass = test_decades(&random, -12.0, 3.0), alpha = 0.7;
        const double eta = dem_kernel_damping_hertz(alpha, mass, young, a);
        const double law =
            alpha * sqrt(mass * 4.0 / 3.0 * young * sqrt(radius)) * pow(overlap, 0.25);
        assert_true(fabs(eta / law - 1.0) < 1e-14);
        /* the dashpot draws: cut, or kept */
        const double away = 2.0 * force / eta;
        assert_true(dem_kernel_normal_hertz(young, a, eta, overlap, away, 0) == 0.0);
        assert_true(fabs(dem_kernel_normal_hertz(young, a, eta, overlap, away, 1) / force + 1.0) <
                    1e-14);
        assert_true(dem_kernel_normal_hertz(young, a, eta, overlap, -away, 0) > 2.9 * force);
        assert_true(dem_kernel_stiffness_mindlin(young, a) == 8.0 * young * a);
    }
    assert_true(dem_kernel_contact_radius_hertz(1.0, -1.0) == 0.0);
    assert_true(dem_kernel_normal_hertz(1.0, 0.0, 1.0, -1.0, -5.0, 1) == 0.0);
}

/* Duration and depth of a collision against its equation of motion, m x'' = -K x^(3/2). */
static void collision(void **state)
{
    (void)state;
    const double young = 3e8, radius = 2e-3, mass = 5e-5, speed = 1.5;
    const double stiffness = 4.0 / 3.0 * young * sqrt(radius);
    double x = 0.0, v = speed, deepest = 0.0, t = 0.0;
    const double dt = 1e-10;
    while (x >= 0.0) {
        const double half = v - 0.5 * dt * stiffness / mass * x * sqrt(x);
        x += dt * half;
        const double now = x > 0.0 ? x : 0.0;
        v = half - 0.5 * dt * stiffness / mass * now * sqrt(now);
        deepest = fmax(deepest, x);
        t += dt;
    }
    assert_true(fabs(dem_kernel_contact_time_hertz(young, radius, mass, speed) / t - 1.0) < 1e-5);
    assert_true(fabs(dem_kernel_overlap_hertz(young, radius, mass, speed) / deepest - 1.0) < 1e-6);
}

/* A spring moves freely up to its limit, and is cut to it without turning. */
static void spring(void **state)
{
    (void)state;
    test_random random = test_random_start("mindlin spring");
    for (int n = 0; n < 100000; ++n) {
        double u[2] = {test_uniform(&random, -1.0, 1.0), test_uniform(&random, -1.0, 1.0)};
        const double du[2] = {test_uniform(&random, -1.0, 1.0), test_uniform(&random, -1.0, 1.0)};
        const double limit = n % 8 == 0 ? 0.0 : test_uniform(&random, 0.0, 2.0);
        const double moved[2] = {u[0] + du[0], u[1] + du[1]};
        const double length = hypot(moved[0], moved[1]);
        const int32_t sticks = dem_kernel_mindlin_spring(limit, du, u);
        if (length < limit * (1.0 - 1e-12)) {
            assert_int_equal(sticks, 1);
            assert_true(u[0] == moved[0] && u[1] == moved[1]);
        } else if (length > limit * (1.0 + 1e-12)) {
            assert_int_equal(sticks, 0);
            assert_true(fabs(hypot(u[0], u[1]) - limit) < 1e-15 + 1e-14 * limit);
            assert_true(fabs(u[0] * moved[1] - u[1] * moved[0]) < 1e-15 * length + 1e-15);
        }
    }
}

/* T <- T min(1, k/k_old) never lets the energy T^2/2k grow. */
static void rescale(void **state)
{
    (void)state;
    test_random random = test_random_start("mindlin rescale");
    for (int n = 0; n < 200000; ++n) {
        const double old = test_decades(&random, -6.0, 6.0), now = test_decades(&random, -6.0, 6.0);
        const double xi = test_decades(&random, -6.0, 6.0);
        const double kept = dem_kernel_rescale_mindlin(old, now) * xi;
        const double force = old * xi * (now < old ? now / old : 1.0);
        assert_true(fabs(now * kept / force - 1.0) < 1e-15);
        assert_true(now * kept * kept <= old * xi * xi * (1.0 + 4e-16));
    }
    assert_true(dem_kernel_rescale_mindlin(0.0, 5.0) == 0.0);
}

/* ------------------------------------------------------------------ batches */

enum { S = DEM_BATCH_SIZE };

/* A batch with everything that a law may touch. */
typedef struct lanes {
    double in[9][S], vector[7][3][S], state[DEM_STATE_MAX][S], out[16][S], dissipated[3][S];
} lanes;

static dem_contact_batch batch_of(lanes *l, int energy_tracking)
{
    const dem_contact_batch batch = {.struct_size = sizeof batch,
                                     .dt = 1e-7,
                                     .overlap = l->in[0],
                                     .overlap_rate = l->in[1],
                                     .velocity_normal = l->in[2],
                                     .radius_i = l->in[3],
                                     .radius_j = l->in[4],
                                     .radius = l->in[5],
                                     .mass = l->in[6],
                                     .was_touching = l->in[7],
                                     .touching = l->in[8],
                                     .normal = l->vector[0][0],
                                     .increment = l->vector[1][0],
                                     .velocity = l->vector[2][0],
                                     .angular_velocity_i = l->vector[3][0],
                                     .angular_velocity_j = l->vector[3][0],
                                     .force_tangential = l->vector[4][0],
                                     .torque_i = l->vector[5][0],
                                     .torque_j = l->vector[6][0],
                                     .state = l->state[0],
                                     .force_normal = l->out[0],
                                     .elastic_energy = l->out[1],
                                     .dissipated_normal = l->out[2],
                                     .dissipated_dashpot = l->out[3],
                                     .dissipated_slip = l->out[4],
                                     .dissipated_rolling = l->out[5],
                                     .force_elastic = l->out[6],
                                     .force_coulomb = l->out[7],
                                     .contact_radius = l->out[8],
                                     .stiffness = l->out[9],
                                     .damping = l->out[10],
                                     .energy_tracking = energy_tracking};
    return batch;
}

/* Lane 3 is never touching, lane 4 loses its contact half-way: both must be silent afterwards. */
static void step(lanes *l, test_random *random, const dem_law *normal, const void *first,
                 const dem_law *tangential, const void *second, int number, int energy_tracking)
{
    for (int k = 0; k < S; ++k) {
        const double overlap = test_uniform(random, 1e-8, 4e-6);
        const int dead = k == 3 || (k == 4 && number >= 20) || k >= 56;
        l->in[7][k] = number > 0 ? l->in[8][k] : 0.0;
        l->in[0][k] = dead ? -1e-9 : overlap;
        l->in[1][k] = test_uniform(random, -1.0, 1.0);
        l->in[2][k] = test_uniform(random, -2.0, 2.0);
        l->in[3][k] = l->in[5][k] = 1e-3;
        l->in[6][k] = 1e-6;
        l->in[8][k] = dead ? 0.0 : 1.0;
        for (int c = 0; c < 3; ++c) {
            l->vector[0][c][k] = c == k % 3 ? (k % 2 ? 1.0 : -1.0) : 0.0;
            l->vector[1][c][k] = c == k % 3 ? 0.0 : test_uniform(random, -2e-7, 2e-7);
            l->vector[2][c][k] = c == k % 3 ? 0.0 : test_uniform(random, -2.0, 2.0);
        }
    }
    memset(l->out, 0, sizeof l->out);
    memset(l->vector[4], 0, sizeof l->vector[4]);
    dem_contact_batch batch = batch_of(l, energy_tracking);
    assert_int_equal(normal->evaluate(NULL, S, &batch, first), DEM_OK);
    assert_int_equal(tangential->evaluate(NULL, S, &batch, second), DEM_OK);
}

/* The same bits from every instruction set, with and without energy tracking; dead lanes give
 * nothing.
 */
static void batches(void **state)
{
    (void)state;
    static const char *const laws[] = {DEM_LAW_MINDLIN, DEM_LAW_MINDLIN_DERESIEWICZ,
                                       DEM_LAW_MINDLIN_DERESIEWICZ_32, DEM_LAW_MINDLIN_THREE_CASE};
    static const int32_t sets[] = {DEM_ISA_BASELINE, DEM_ISA_X86_64_V2, DEM_ISA_AVX2,
                                   DEM_ISA_AVX512};
    static lanes first_lanes, other;
    dem_hertz hertz;
    dem_mindlin mindlin;
    assert_int_equal(dem_hertz_init(&hertz), DEM_OK);
    assert_int_equal(dem_mindlin_init(&mindlin), DEM_OK);
    hertz.young[0] = 1e9;
    hertz.restitution = 0.4;
    for (size_t l = 0; l < sizeof laws / sizeof laws[0]; ++l)
        for (int variant = 0; variant < 8; ++variant) {
            const int isa = demi_isa_index(sets[variant / 2]), energy_tracking = 1 - variant % 2;
            if (isa < 0)
                continue;
            dem_law normal, tangential;
            double combined[2][32];
            dem_error error;
            dem_pair_properties pair = {.struct_size = sizeof pair, .restitution = 1.0};
            assert_true(demi_law_builtin(DEM_LAW_HERTZ, isa, 0, &normal));
            assert_true(demi_law_builtin(laws[l], isa, 0, &tangential));
            assert_int_equal(normal.combine(NULL, &hertz, &pair, combined[0], &error), DEM_OK);
            assert_int_equal(tangential.combine(NULL, &mindlin, &pair, combined[1], &error),
                             DEM_OK);
            lanes *now = variant == 0 ? &first_lanes : &other;
            memset(now, 0, sizeof *now);
            test_random random = test_random_start("hertz batches");
            int pressed = 0;
            for (int number = 0; number < 60; ++number) {
                step(now, &random, &normal, combined[0], &tangential, combined[1], number,
                     energy_tracking);
                pressed += fabs(now->out[0][5]) > 0.0;
            }
            const uint64_t size = tangential.slot_count;
            assert_true(size > 0);
            for (int k = 3; k <= 4; ++k) {
                double sum = fabs(now->out[0][k]) + now->out[1][k];
                for (int c = 0; c < DEM_STATE_MAX; ++c)
                    sum += fabs(now->state[c][k]);
                for (int c = 0; c < 3; ++c)
                    sum += fabs(now->vector[4][c][k]);
                assert_true(sum == 0.0);
            }
            assert_true(pressed > 10);
            if (variant == 0)
                continue;
            assert_memory_equal(now->state, first_lanes.state, sizeof now->state);
            assert_memory_equal(now->vector[4], first_lanes.vector[4], sizeof now->vector[4]);
            assert_memory_equal(now->out[0], first_lanes.out[0], sizeof now->out[0]);
            if (energy_tracking)
                assert_memory_equal(now->out, first_lanes.out, sizeof now->out);
        }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moduli), cmocka_unit_test(forces),  cmocka_unit_test(collision),
        cmocka_unit_test(spring), cmocka_unit_test(rescale), cmocka_unit_test(batches),
    };
    return cmocka_run_group_tests_name("hertz", tests, NULL, NULL);
}
