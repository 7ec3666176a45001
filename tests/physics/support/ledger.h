/* SPDX-License-Identifier: MIT */
/* A ledger of compared quantities. The cases write into it; tests/papers prints its rows, and
 * tests/physics asserts that none failed. */
#ifndef PHYSICS_LEDGER_H
#define PHYSICS_LEDGER_H

#include <stdio.h>

typedef struct ledger {
    FILE *out;    /* where rows go; NULL: only the failed ones, to stderr */
    unsigned rows;
    unsigned failed;
    const char *paper; /* of the rows to come, set by the case */
    const char *name;  /* case= of the rows to come */
} ledger;

/* |value - reference| <= tolerance; NaN fails. */
void ledger_near(ledger *l, const char *quantity, double value, double reference,
                 double tolerance);
/* value <= bound; printed with reference 0 and the bound as tolerance; value must not be < 0. */
void ledger_below(ledger *l, const char *quantity, double value, double bound);
/* A plain fact: printed as 1 or 0 against 1. */
void ledger_holds(ledger *l, const char *quantity, int holds);

/* A quantity beside what it would be at best, for tables; nothing is compared. */
void ledger_show(ledger *l, const char *quantity, double value, double beside);

/* Ends the program when a call of the library fails where a case needs it to succeed. */
void must(int status, const char *what);
#define MUST(call) must((call), #call)

#endif
