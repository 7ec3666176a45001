/* SPDX-License-Identifier: MIT */
/* Rebound of pairs and from walls. */
#include "support/run.h"

RUN_CASE(restitution_tail)
RUN_CASE(restitution_corrected)
RUN_CASE(restitution_uncorrected)
RUN_CASE(restitution_coarse)
RUN_CASE(grazing)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restitution_tail),
        cmocka_unit_test(test_restitution_corrected),
        cmocka_unit_test(test_restitution_uncorrected),
        cmocka_unit_test(test_restitution_coarse),
        cmocka_unit_test(test_grazing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
