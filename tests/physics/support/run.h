/* SPDX-License-Identifier: MIT */
/* A case as a cmocka test: it fails when a row fails, and when the case wrote none. */
#ifndef PHYSICS_RUN_H
#define PHYSICS_RUN_H

#include "cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define RUN(test, function)                                                                        \
    static void test_##test(void **state)                                                          \
    {                                                                                              \
        ledger l = {0};                                                                            \
        (void)state;                                                                               \
        function(&l);                                                                              \
        assert_true(l.rows > 0);                                                                   \
        assert_int_equal(l.failed, 0);                                                             \
    }

#define RUN_CASE(name) RUN(name, case_##name)

#endif
