/* SPDX-License-Identifier: MIT */
/**
 * @file kinds.c
 * Kinds of rows: who makes pairs with whom, and what a host may add.
 */
#include "../support/cmocka.h"

#include "list/kinds.h"

/** One of two rows responds, a free one or a part of a body, and one is owned. */
static void pairs_of_kinds(void **state)
{
    (void)state;
    /* free, fixed, kinematic, ghost, part, fixed and kinematic ghost, part of a ghost */
    static const int interact[DEMI_KINDS][DEMI_KINDS] = {
        {1, 1, 1, 1, 1, 1, 1, 1}, {1, 0, 0, 1, 1, 0, 0, 1}, {1, 0, 0, 1, 1, 0, 0, 1},
        {1, 1, 1, 0, 1, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1}, {1, 0, 0, 0, 1, 0, 0, 0},
        {1, 0, 0, 0, 1, 0, 0, 0}, {1, 1, 1, 0, 1, 0, 0, 0}};
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

/** The ghosts of what a host may add. */
static void kinds_of_ghosts(void **state)
{
    (void)state;
    for (int32_t mobility = 0; demi_kind_offered(mobility); ++mobility) {
        const demi_kind_rule *own = &demi_kinds[mobility],
                             *ghost = &demi_kinds[demi_kind_of_ghost(mobility)];
        assert_int_equal(own->mobility, mobility);
        assert_int_equal(ghost->mobility, mobility);
        assert_true(ghost->ghost && !own->ghost && !ghost->counted && !ghost->offered);
        assert_int_equal(ghost->moves, own->moves);
        assert_int_equal(ghost->responds, own->responds);
        assert_int_equal(ghost->integrated, own->integrated);
    }
}

/** What is integrated moves and responds, and is counted where it is owned; what does not move does
 * nothing. */
static void rules_agree(void **state)
{
    (void)state;
    for (int k = 0; k < DEMI_KINDS; ++k) {
        const demi_kind_rule *rule = &demi_kinds[k];
        assert_true(!rule->integrated || (rule->moves && rule->responds));
        assert_int_equal(rule->counted, rule->integrated && !rule->ghost);
        assert_int_equal(demi_kind_meets_walls(k), rule->responds && !rule->ghost);
        assert_true(rule->moves || (!rule->responds && !rule->integrated && !rule->counted));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_kinds),
        cmocka_unit_test(offered_kinds),
        cmocka_unit_test(kinds_of_ghosts),
        cmocka_unit_test(rules_agree),
    };
    return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
