/* SPDX-License-Identifier: MIT */
/* Collision parameters, without a world. */
#include "support/run.h"

RUN_CASE(collision_forward)
RUN_CASE(collision_inverse)
RUN_CASE(collision_series)
RUN_CASE(collision_closed_form)
RUN_CASE(collision_table1)
RUN_CASE(collision_setup)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collision_forward), cmocka_unit_test(test_collision_inverse),
        cmocka_unit_test(test_collision_series),  cmocka_unit_test(test_collision_closed_form),
        cmocka_unit_test(test_collision_table1),  cmocka_unit_test(test_collision_setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
