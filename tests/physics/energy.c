/* SPDX-License-Identifier: MIT */
/* The energy account of a world. */
#include "support/run.h"

RUN_CASE(energy_cloud)
RUN_CASE(energy_shaken_bed)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_cloud),
        cmocka_unit_test(test_energy_shaken_bed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
