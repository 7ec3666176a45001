/* SPDX-License-Identifier: MIT */
/* Führer, Brendel, Wolf 2024: the block on a plate. */
#include "support/run.h"

RUN_CASE(plates_continuous)
RUN_CASE(plates_mapping)
RUN_CASE(plates_discontinuous)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plates_continuous),
        cmocka_unit_test(test_plates_mapping),
        cmocka_unit_test(test_plates_discontinuous),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
