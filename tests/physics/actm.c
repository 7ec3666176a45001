/* SPDX-License-Identifier: MIT */
/* The adaptive collision time model in worlds. */
#include "support/run.h"

RUN_CASE(actm_rebound)
RUN_CASE(actm_energy)
RUN_CASE(actm_bounds)
RUN_CASE(actm_friction)
RUN_CASE(actm_heap_short)
RUN_CASE(sediment_short)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_actm_rebound),    cmocka_unit_test(test_actm_energy),
        cmocka_unit_test(test_actm_bounds),     cmocka_unit_test(test_actm_friction),
        cmocka_unit_test(test_actm_heap_short), cmocka_unit_test(test_sediment_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
