/* SPDX-License-Identifier: MIT */
/* The cases. Each computes its reference itself and writes rows into the ledger. */
#ifndef PHYSICS_CASES_H
#define PHYSICS_CASES_H

#include "ledger.h"

#include <stddef.h>

/* Who runs a case. */
enum {
    CHECK = 1,        /* make check */
    QUICK = 2,        /* make papers, also with QUICK=1 */
    LONG = 4,         /* make papers */
    COUPLED = 8,      /* make coupling, also with QUICK=1 */
    COUPLED_LONG = 16 /* make coupling */
};

typedef struct physics_case {
    const char *group, *name, *title;
    int runs;
    void (*run)(ledger *l);
} physics_case;

extern const physics_case physics_cases[];
extern const size_t physics_case_count;

#define CASE(group, name, title, runs) void case_##name(ledger *l);
#include "../cases.def"
#undef CASE

/* The curves of the gas, as a table for the figure; a minute. */
void gas_figure(FILE *csv);

#endif
