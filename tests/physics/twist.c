/* SPDX-License-Identifier: MIT */
/* A pair that turns rigidly carries its spring along. */
#include "support/run.h"

RUN_CASE(twist_about_normal)
RUN_CASE(twist_any_axis)
RUN_CASE(twist_axial)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twist_about_normal),
        cmocka_unit_test(test_twist_any_axis),
        cmocka_unit_test(test_twist_axial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
