/* SPDX-License-Identifier: MIT */
/* Contacts that stick. */
#include "support/run.h"

RUN_CASE(jkr_pulled)
RUN_CASE(dmt_pulled)
RUN_CASE(jkr_collision)
RUN_CASE(adhesion_balance)
RUN_CASE(jkr_reach)
RUN_CASE(adhesion_friction)
RUN_CASE(adhesion_none)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jkr_pulled),    cmocka_unit_test(test_dmt_pulled),
        cmocka_unit_test(test_jkr_collision), cmocka_unit_test(test_adhesion_balance),
        cmocka_unit_test(test_jkr_reach),     cmocka_unit_test(test_adhesion_friction),
        cmocka_unit_test(test_adhesion_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
