/* SPDX-License-Identifier: MIT */
/* The adaptive collision time model in worlds. */
#include "support/run.h"

RUN_CASE(actm_rebound)
RUN_CASE(actm_energy)
RUN_CASE(actm_bounds)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_actm_rebound),
        cmocka_unit_test(test_actm_energy),
        cmocka_unit_test(test_actm_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
