/* SPDX-License-Identifier: MIT */
/* Vyas et al.: the fine sphere in the groove. */
#include "support/run.h"

static void groove_default(ledger *l)
{
    case_groove_default(l, 7.0, 0.6, 1.0);
}

RUN_CASE(groove_host)
RUN_CASE(groove_improved)
RUN_CASE(groove_standard)
RUN_CASE(groove_orders)
RUN_CASE(groove_world_as_host)
RUN_CASE(groove_world_orders)
RUN_CASE(groove_reversal)
RUN_CASE(groove_leapfrog)
RUN_CASE(groove_standard_lean)
RUN_CASE(groove_table_quick)
RUN(groove_default, groove_default)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groove_default),
        cmocka_unit_test(test_groove_host),
        cmocka_unit_test(test_groove_improved),
        cmocka_unit_test(test_groove_standard),
        cmocka_unit_test(test_groove_orders),
        cmocka_unit_test(test_groove_world_as_host),
        cmocka_unit_test(test_groove_world_orders),
        cmocka_unit_test(test_groove_reversal),
        cmocka_unit_test(test_groove_leapfrog),
        cmocka_unit_test(test_groove_standard_lean),
        cmocka_unit_test(test_groove_table_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
