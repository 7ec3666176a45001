/* SPDX-License-Identifier: MIT */
/* Führer, Brendel, Wolf 2024: the block on a plate. */
#include "support/run.h"

RUN_CASE(plates_continuous)
RUN_CASE(plates_mapping)
RUN_CASE(plates_discontinuous)
RUN_CASE(plates_plane)
RUN_CASE(plates_across)
RUN_CASE(plates_schemes)
RUN_CASE(plates_sticking)
RUN_CASE(plates_reset_orders)
RUN_CASE(plates_reset_midpoint)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plates_continuous),
        cmocka_unit_test(test_plates_mapping),
        cmocka_unit_test(test_plates_discontinuous),
        cmocka_unit_test(test_plates_plane),
        cmocka_unit_test(test_plates_across),
        cmocka_unit_test(test_plates_schemes),
        cmocka_unit_test(test_plates_sticking),
        cmocka_unit_test(test_plates_reset_orders),
        cmocka_unit_test(test_plates_reset_midpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
