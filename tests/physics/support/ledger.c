/* SPDX-License-Identifier: MIT */
#include "ledger.h"

#include <dem/dem.h>

#include <math.h>
#include <stdlib.h>

static void row(ledger *l, const char *quantity, double value, double reference, double tolerance)
{
    const int pass = fabs(value - reference) <= tolerance;
    l->rows += 1;
    l->failed += pass ? 0u : 1u;
    FILE *out = l->out != NULL ? l->out : pass ? NULL : stderr;
    if (out == NULL)
        return;
    fprintf(out, "paper=%s case=%s quantity=%s ", l->paper, l->name, quantity);
    fprintf(out, "value=%.12g reference=%.12g tolerance=%.3g pass=%s\n", value, reference,
            tolerance, pass ? "yes" : "no");
    fflush(out);
}

void ledger_near(ledger *l, const char *quantity, double value, double reference, double tolerance)
{
    row(l, quantity, value, reference, tolerance);
}

void ledger_below(ledger *l, const char *quantity, double value, double bound)
{
    row(l, quantity, value, 0.0, bound);
}

void ledger_holds(ledger *l, const char *quantity, int holds)
{
    row(l, quantity, holds ? 1.0 : 0.0, 1.0, 0.0);
}

void ledger_show(ledger *l, const char *quantity, double value, double beside)
{
    if (l->out == NULL)
        return;
    fprintf(l->out, "paper=%s case=%s quantity=%s ", l->paper, l->name, quantity);
    fprintf(l->out, "value=%.12g beside=%.12g shown\n", value, beside);
}

void must(int status, const char *what)
{
    if (status == DEM_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, dem_status_string((dem_status)status));
    exit(2);
}
