/* SPDX-License-Identifier: MIT */
/* Impacts with Hertz's normal force and the laws of Mindlin and Deresiewicz. */
#include "support/run.h"

RUN_CASE(kharaz_normal)
RUN_CASE(kharaz_table)
RUN_CASE(kharaz_sliding)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kharaz_normal),
        cmocka_unit_test(test_kharaz_table),
        cmocka_unit_test(test_kharaz_sliding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
