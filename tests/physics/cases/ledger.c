/* SPDX-License-Identifier: MIT */
#include "ledger.h"

#include <dem/dem.h>

#include <math.h>
#include <stdlib.h>

static const char *const SOURCES[] = {
    [PRINTED] = "printed",           [MEASURED] = "measured", [CLOSED_FORM] = "closed_form",
    [INTEGRATION] = "integration",   [SHEET] = "sheet",       [ORDER] = "order",
    [CONSERVATION] = "conservation", [LIBRARY] = "library",   [BOUND] = "bound",
};

/* The end of a line: how the value was compared, and with what. */
static void print_end(FILE *out, const char *compares, int source)
{
    fprintf(out, " compares=%s source=%s checks=%s\n", compares, SOURCES[source & ~OF_ORACLE],
            source & OF_ORACLE ? "oracle" : "library");
    fflush(out);
}

/* What was compared, one line. */
typedef struct compared {
    const char *how, *quantity;
    int source, pass;
    double value, reference, tolerance;
} compared;

static void print_row(FILE *out, const ledger *l, const compared *c)
{
    fprintf(out, "paper=%s case=%s quantity=%s ", l->paper, l->name, c->quantity);
    fprintf(out, "value=%.12g reference=%.12g tolerance=%.3g pass=%s", c->value, c->reference,
            c->tolerance, c->pass ? "yes" : "no");
    print_end(out, c->how, c->source);
}

static void row(ledger *l, const char *how, int source, int pass, const char *quantity,
                double value, double reference, double tolerance)
{
    const compared c = {how, quantity, source, pass, value, reference, tolerance};
    l->rows += 1;
    l->failed += pass ? 0u : 1u;
    if (l->out != NULL || !pass)
        print_row(l->out != NULL ? l->out : stderr, l, &c);
    if (l->out_failed != NULL && !pass)
        print_row(l->out_failed, l, &c);
}

void ledger_near(ledger *l, int source, const char *quantity, double value, double reference,
                 double tolerance)
{
    row(l, "near", source, fabs(value - reference) <= tolerance, quantity, value, reference,
        tolerance);
}

void ledger_below(ledger *l, int source, const char *quantity, double value, double bound)
{
    row(l, "below", source, fabs(value) <= bound, quantity, value, 0.0, bound);
}

void ledger_above(ledger *l, int source, const char *quantity, double value, double bound)
{
    row(l, "above", source, value > bound, quantity, value, bound, 0.0);
}

void ledger_holds(ledger *l, int source, const char *quantity, int holds)
{
    row(l, "fact", source, holds != 0, quantity, holds ? 1.0 : 0.0, 1.0, 0.0);
}

void ledger_show(ledger *l, int source, const char *quantity, double value, double beside)
{
    if (l->out == NULL)
        return;
    fprintf(l->out, "paper=%s case=%s quantity=%s ", l->paper, l->name, quantity);
    fprintf(l->out, "value=%.12g beside=%.12g shown", value, beside);
    print_end(l->out, "nothing", source);
}

void must(int status, const char *what)
{
    if (status == DEM_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, dem_status_string((dem_status)status));
    exit(2);
}
