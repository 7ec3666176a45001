/* SPDX-License-Identifier: MIT */
/**
 * @file collision.c
 * What stands behind dem_collision_inverse: the logarithm, and the blocks of each instruction set.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"
#include "laws/collision.h"
#include "laws/collision_curve.h"

#include <dem/collision.h>
#include <float.h>

static void logarithm(void **state)
{
    (void)state;
    test_random random = test_random_start("logarithm");
    double worst = 0.0;
    for (int k = 0; k < 200000; ++k) {
        double e = k % 3 == 0 ? test_decades(&random, -4.0, 0.0)
                   : k % 3 == 1
                       ? 1.0 - test_decades(&random, -16.0, -1.0)
                       : ldexp(1.0, -(k % 14)) * (1.0 - 1e-9 * test_uniform(&random, 0, 1));
        e = e > 0.0 ? e : 0.5;
        const long double exact = -logl((long double)e);
        const double found = demi_collision_log(e);
        if (e == 1.0) {
            assert_true(found == 0.0);
            continue;
        }
        worst = fmax(worst, (double)fabsl(found / exact - 1.0L));
    }
    /* at the seams of the binades too */
    for (int k = 1; k < 14; ++k) {
        const double seam = ldexp(sqrt(0.5), -k);
        for (int d = -2; d <= 2; ++d) {
            const double e = seam * (1.0 + d * DBL_EPSILON);
            worst = fmax(worst, (double)fabsl(demi_collision_log(e) / -logl(e) - 1.0L));
        }
    }
    printf("# logarithm: worst relative error %.2g\n", worst);
    assert_true(worst < 2e-12);
}

static void range_checks(void **state)
{
    (void)state;
    const double e = DEM_COLLISION_RESTITUTION_MIN;
    assert_true(demi_collision_restitution_ok(1.0) && demi_collision_restitution_ok(e));
    assert_false(demi_collision_restitution_ok(nextafter(1.0, 2.0)));
    assert_false(demi_collision_restitution_ok(nextafter(e, 0.0)));
    static const double wrong[] = {NAN, -NAN, INFINITY, -INFINITY, 0.0, -0.0, -0.5, -1.0};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k)
        assert_false(demi_collision_restitution_ok(wrong[k]) || demi_collision_scale_ok(wrong[k]));
}

static void blocks(demi_collision_block *inverse, demi_collision_block *params, int isa)
{
    test_random random = test_random_start("blocks");
    double in[4][64], first[64], second[64];
    for (int round = 0; round < 200; ++round) {
        for (int k = 0; k < 64; ++k) {
            in[0][k] = test_decades(&random, -3.99, 0.0);
            in[1][k] = test_decades(&random, -9.0, 9.0);
            in[2][k] = test_decades(&random, -9.0, 9.0);
            in[3][k] = test_decades(&random, -9.0, 9.0);
        }
        in[0][round % 64] = round % 2 == 0 ? 1.0 : 1e-4;
        const uint64_t n = round % 3 == 0 ? 64 : (uint64_t)(round % 64) + 1;
        for (int what = 0; what < 2; ++what) {
            (what == 0 ? inverse : params)(n, in[0], in[1], in[2], in[3], first, second);
            for (uint64_t k = 0; k < n; ++k) {
                double a, b;
                assert_int_equal(what == 0 ? dem_collision_inverse(in[0][k], &a, &b)
                                           : dem_collision_params(in[1][k], in[2][k], in[0][k],
                                                                  in[3][k], &a, &b),
                                 DEM_OK);
                if (memcmp(&a, &first[k], sizeof a) != 0 || memcmp(&b, &second[k], sizeof b) != 0)
                    fail_msg("instruction set %d, call %d: %a %a against %a %a", isa, what,
                             first[k], second[k], a, b);
            }
        }
    }
}

DEMI_COPIES(demi_collision_block, demi_collision_inverse_block);
DEMI_COPIES(demi_collision_block, demi_collision_params_block);

static void same_bits(void **state)
{
    (void)state;
    for (int32_t isa = DEM_ISA_BASELINE; isa <= DEM_ISA_X86_64_V2; ++isa) {
        const int index = demi_isa_index(isa);
        if (index < 0)
            printf("# instruction set %d is not there\n", (int)isa);
        else
            blocks(demi_collision_inverse_block[index], demi_collision_params_block[index], isa);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithm),
        cmocka_unit_test(range_checks),
        cmocka_unit_test(same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
