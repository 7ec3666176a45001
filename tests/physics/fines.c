/* SPDX-License-Identifier: MIT */
/* Fines by kernels of level 0: the groove's phase diagram and the bed. */
#include "support/run.h"

RUN_CASE(phase_few)
RUN_CASE(phase_mirrored)
RUN_CASE(fines_flight)
RUN_CASE(fines_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phase_few),
        cmocka_unit_test(test_phase_mirrored),
        cmocka_unit_test(test_fines_flight),
        cmocka_unit_test(test_fines_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
