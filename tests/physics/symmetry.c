/* SPDX-License-Identifier: MIT */
/* Conservation laws and invariances. */
#include "support/run.h"

RUN_CASE(momentum)
RUN_CASE(momentum_of_schemes)
RUN_CASE(orbits)
RUN_CASE(angular_momentum)
RUN_CASE(rotation_invariance)
RUN_CASE(boost_invariance)
RUN_CASE(order_of_ids)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_momentum_of_schemes),
        cmocka_unit_test(test_orbits),
        cmocka_unit_test(test_angular_momentum),
        cmocka_unit_test(test_rotation_invariance),
        cmocka_unit_test(test_boost_invariance),
        cmocka_unit_test(test_order_of_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
