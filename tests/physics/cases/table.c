/* SPDX-License-Identifier: MIT */
#include "cases.h"

#define CASE(group, name, title, runs) {#group, #name, title, runs, case_##name},
const physics_case physics_cases[] = {
#include "../cases.def"
};
const size_t physics_case_count = sizeof physics_cases / sizeof physics_cases[0];
