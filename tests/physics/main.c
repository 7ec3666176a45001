/* SPDX-License-Identifier: MIT */
/* The cases of one group as cmocka tests; the makefile defines GROUP. A test fails when a row fails
 * and when its case wrote none. Arguments are names of cases; without any all of the group run. */
#include "../support/cmocka.h"
#include "cases/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run(void **state)
{
    const physics_case *const *c = (void *)state;
    ledger l = {0};
    (*c)->run(&l);
    assert_true(l.rows > 0);
    assert_int_equal(l.failed, 0);
}

static int wanted(const physics_case *c, int count, char **names)
{
    int found = count == 0;
    for (int k = 0; k < count; ++k)
        found |= strcmp(names[k], c->name) == 0;
    return found && strcmp(c->group, GROUP) == 0 && (c->runs & CHECK) != 0;
}

int main(int count, char **arguments)
{
    struct CMUnitTest *tests = calloc(physics_case_count, sizeof *tests);
    size_t n = 0;
    for (size_t k = 0; tests != NULL && k < physics_case_count; ++k)
        if (wanted(&physics_cases[k], count - 1, arguments + 1))
            tests[n++] = (struct CMUnitTest){.name = physics_cases[k].name,
                                             .test_func = run,
                                             .initial_state = (void *)&physics_cases[k]};
    if (n == 0 || (count > 1 && n != (size_t)(count - 1))) {
        fprintf(stderr, "%s: %zu of %d cases are there\n", GROUP, n, count - 1);
        return 2;
    }
    const int failed = _cmocka_run_group_tests(GROUP, tests, n, NULL, NULL);
    free(tests);
    return failed;
}
