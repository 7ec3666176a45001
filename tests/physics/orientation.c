/* SPDX-License-Identifier: MIT */
/* Orientations as quaternions. */
#include "support/run.h"

RUN_CASE(orientation)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orientation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
