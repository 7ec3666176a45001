/* SPDX-License-Identifier: MIT */
/* A ledger of compared quantities. The cases write into it; tests/papers prints its rows, and
 * tests/physics asserts that none failed. */
#ifndef PHYSICS_LEDGER_H
#define PHYSICS_LEDGER_H

#include <stdio.h>

typedef struct ledger {
    FILE *out;        /* where rows go; NULL: only the failed ones, to stderr */
    FILE *out_failed; /* where the failed ones go once more; NULL: nowhere */
    unsigned rows;
    unsigned failed;
    const char *paper; /* of the rows to come, set by the case */
    const char *name;  /* case= of the rows to come */
} ledger;

/* Where the reference of a row comes from; each row says it (source= of its line). */
typedef enum ledger_source {
    PRINTED,      /* a figure that the paper or the manual named in paper= prints */
    MEASURED,     /* an experiment; the row holds the distance from what was measured */
    CLOSED_FORM,  /* a formula, evaluated in the test */
    INTEGRATION,  /* a numerical solution that shares nothing with the library */
    SHEET,        /* a figure found before by another program, when the library was designed */
    ORDER,        /* the order of convergence that theory gives, or that an error falls at all */
    CONSERVATION, /* a conserved quantity, passivity, or the same run mirrored, turned, renamed */
    LIBRARY,      /* another way through the library to the same result */
    BOUND,        /* a limit that was chosen: the row shows the value */
    /* Added to one of them: the row checks the test's own reference and never calls the library
     * (checks=oracle of its line). */
    OF_ORACLE = 16
} ledger_source;

/* |value - reference| <= tolerance; NaN fails. `source` is one of the above, | OF_ORACLE or not. */
void ledger_near(ledger *l, int source, const char *quantity, double value, double reference,
                 double tolerance);
/* |value| <= bound; printed with reference 0 and the bound as tolerance. */
void ledger_below(ledger *l, int source, const char *quantity, double value, double bound);
/* value > bound; printed with the bound as reference and tolerance 0. */
void ledger_above(ledger *l, int source, const char *quantity, double value, double bound);
/* A fact that has no number: printed as 1 or 0 against 1. */
void ledger_holds(ledger *l, int source, const char *quantity, int holds);

/* A quantity beside what it would be at best, for tables; nothing is compared. */
void ledger_show(ledger *l, int source, const char *quantity, double value, double beside);

/* Ends the program when a call of the library fails where a case needs it to succeed. */
void must(int status, const char *what);
#define MUST(call) must((call), #call)

#endif
