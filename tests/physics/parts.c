/* SPDX-License-Identifier: MIT */
/* The linear law in parts. */
#include "support/run.h"

RUN_CASE(parts_as_whole)
RUN_CASE(parts_energy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_as_whole),
        cmocka_unit_test(test_parts_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
