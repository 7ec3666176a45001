/* SPDX-License-Identifier: MIT */
/**
 * @file kinds.c
 * Kinds of rows: who makes pairs with whom, and what a host may add.
 */
#include "../support/cmocka.h"

#include "list/kinds.h"

/** One of two rows responds: a free one or a part of a body. */
static void pairs_of_kinds(void **state)
{
    (void)state;
    static const int interact[DEMI_KINDS][DEMI_KINDS] = {/* free, fixed, kinematic, ghost, part */
                                                         {1, 1, 1, 1, 1},
                                                         {1, 0, 0, 0, 1},
                                                         {1, 0, 0, 0, 1},
                                                         {1, 0, 0, 0, 1},
                                                         {1, 1, 1, 1, 1}};
    for (int32_t a = 0; a < DEMI_KINDS; ++a)
        for (int32_t b = 0; b < DEMI_KINDS; ++b)
            assert_int_equal(demi_kinds_interact(a, b), interact[a][b]);
}

/** What a host may not add, it cannot: neither kinds to come nor numbers that are none. */
static void offered_kinds(void **state)
{
    (void)state;
    assert_true(demi_kind_offered(DEM_MOBILITY_FREE));
    assert_true(demi_kind_offered(DEM_MOBILITY_FIXED));
    assert_true(demi_kind_offered(DEM_MOBILITY_KINEMATIC));
    assert_false(demi_kind_offered(DEMI_KIND_GHOST));
    assert_false(demi_kind_offered(DEMI_KIND_PART));
    assert_false(demi_kind_offered(DEMI_KINDS));
    assert_false(demi_kind_offered(-1));
}

/** What is integrated moves, responds and is counted; what does not move does nothing. */
static void rules_agree(void **state)
{
    (void)state;
    for (int k = 0; k < DEMI_KINDS; ++k) {
        const demi_kind_rule *rule = &demi_kinds[k];
        assert_true(!rule->integrated || (rule->moves && rule->responds && rule->counted));
        assert_true(rule->moves || (!rule->responds && !rule->integrated && !rule->counted));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_kinds),
        cmocka_unit_test(offered_kinds),
        cmocka_unit_test(rules_agree),
    };
    return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
