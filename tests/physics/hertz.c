/* SPDX-License-Identifier: MIT */
/* Impacts with Hertz's normal force and the laws of Mindlin and Deresiewicz. */
#include "support/run.h"

RUN_CASE(hertz_restitution_cut)
RUN_CASE(hertz_restitution_tail)
RUN_CASE(hertz_restitution_other)
RUN_CASE(kharaz_normal)
RUN_CASE(kharaz_table)
RUN_CASE(kharaz_sliding)
RUN_CASE(kharaz_experiment)
RUN_CASE(kharaz_softening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hertz_restitution_cut),
        cmocka_unit_test(test_hertz_restitution_tail),
        cmocka_unit_test(test_hertz_restitution_other),
        cmocka_unit_test(test_kharaz_normal),
        cmocka_unit_test(test_kharaz_table),
        cmocka_unit_test(test_kharaz_sliding),
        cmocka_unit_test(test_kharaz_experiment),
        cmocka_unit_test(test_kharaz_softening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
