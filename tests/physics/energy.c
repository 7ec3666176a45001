/* SPDX-License-Identifier: MIT */
/* The energy account of a world, and the energy of a gas. */
#include "support/run.h"

RUN_CASE(energy_cloud)
RUN_CASE(energy_shaken_bed)
RUN_CASE(gas_drift_short)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_cloud),
        cmocka_unit_test(test_energy_shaken_bed),
        cmocka_unit_test(test_gas_drift_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
