/* SPDX-License-Identifier: MIT */
/* The laws of Mindlin and Deresiewicz along given paths, and passivity. */
#include "support/run.h"

RUN_CASE(mindlin_closed_forms)
RUN_CASE(mindlin_proportional)
RUN_CASE(mindlin_memory_diagram)
RUN_CASE(mindlin_passivity)
RUN_CASE(mindlin_passivity_driven)
RUN_CASE(mindlin_directed)
RUN_CASE(mindlin_plane)
RUN_CASE(mindlin_frames)
RUN_CASE(mindlin_dashpot)
RUN_CASE(hertz_order_of_ids)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mindlin_closed_forms),
        cmocka_unit_test(test_mindlin_proportional),
        cmocka_unit_test(test_mindlin_memory_diagram),
        cmocka_unit_test(test_mindlin_passivity),
        cmocka_unit_test(test_mindlin_passivity_driven),
        cmocka_unit_test(test_mindlin_directed),
        cmocka_unit_test(test_mindlin_plane),
        cmocka_unit_test(test_mindlin_frames),
        cmocka_unit_test(test_mindlin_dashpot),
        cmocka_unit_test(test_hertz_order_of_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
