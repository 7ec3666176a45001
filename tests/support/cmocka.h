/* SPDX-License-Identifier: MIT */
/**
 * @file cmocka.h
 * cmocka with the headers that it wants before it, and OK for a call that must succeed.
 */
#ifndef DEM_TEST_CMOCKA_H
#define DEM_TEST_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), DEM_OK)

#endif
