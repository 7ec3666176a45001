/* SPDX-License-Identifier: MIT */
/* Rolling and twisting resistance. */
#include "support/run.h"

RUN_CASE(rolling_slows)
RUN_CASE(twisting_decays)
RUN_CASE(rolling_objective)
RUN_CASE(rolling_energy)
RUN_CASE(twisting_passive)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rolling_slows),
        cmocka_unit_test(test_twisting_decays),
        cmocka_unit_test(test_rolling_objective),
        cmocka_unit_test(test_rolling_energy),
        cmocka_unit_test(test_twisting_passive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
