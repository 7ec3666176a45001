/* SPDX-License-Identifier: MIT */
/* Verification cases of MFIX. */
#include "support/run.h"

RUN_CASE(mfix_free_flight)
RUN_CASE(mfix_bounce)
RUN_CASE(mfix_stack)
RUN_CASE(mfix_rolling)
RUN_CASE(mfix_spins)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mfix_free_flight),
        cmocka_unit_test(test_mfix_bounce),
        cmocka_unit_test(test_mfix_stack),
        cmocka_unit_test(test_mfix_rolling),
        cmocka_unit_test(test_mfix_spins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
