/* SPDX-License-Identifier: MIT */
/* Contacts that yield, and no law of one contact creates energy. */
#include "support/run.h"

RUN_CASE(luding_cycle)
RUN_CASE(hysteretic_restitution)
RUN_CASE(thornton_restitution)
RUN_CASE(normal_cycles)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_luding_cycle),
        cmocka_unit_test(test_hysteretic_restitution),
        cmocka_unit_test(test_thornton_restitution),
        cmocka_unit_test(test_normal_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
