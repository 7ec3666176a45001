/* SPDX-License-Identifier: MIT */
/* Reproduces the figures of the papers: one line a quantity on stdout, progress on stderr.
 *
 *     papers           all cases
 *     papers quick     without the long ones
 *     papers coupling [quick]    instead the figures of coupling to a fluid
 *     papers gas       only the curves of the gas, as a table for the figure
 *
 * Ends with the lines that failed, once more, and with 1 if there are any. */
#include "../physics/cases/cases.h"

#include <string.h>
#include <time.h>

/* The last lines of a long output are what is read first. */
static void repeat_failed(FILE *failed)
{
    rewind(failed);
    for (int c = getc(failed); c != EOF; c = getc(failed))
        (void)putc(c, stderr);
    (void)fclose(failed);
}

int main(int count, char **arguments)
{
    const int coupled = count > 1 && strcmp(arguments[1], "coupling") == 0;
    const int quick = count > 1 + coupled && strcmp(arguments[1 + coupled], "quick") == 0;
    if (count == 2 && strcmp(arguments[1], "gas") == 0) {
        gas_figure(stdout);
        return ferror(stdout) != 0;
    }
    if (count != 1 + coupled + quick) {
        fprintf(stderr, "usage: papers [coupling] [quick] | gas\n");
        return 2;
    }
    const int few = coupled ? COUPLED : QUICK, more = coupled ? COUPLED_LONG : LONG;
    const int runs = quick ? few : few | more;
    ledger l = {.out = stdout, .out_failed = tmpfile()};
    for (size_t k = 0; k < physics_case_count; ++k) {
        const physics_case *c = &physics_cases[k];
        if ((c->runs & runs) == 0)
            continue;
        const clock_t begin = clock();
        fprintf(stderr, "[%s]\n", c->title);
        c->run(&l);
        fprintf(stderr, "[%s] %.1f s\n", c->title, (double)(clock() - begin) / CLOCKS_PER_SEC);
    }
    if (l.out_failed != NULL)
        repeat_failed(l.out_failed);
    fprintf(stderr, "%u quantities, %u failed\n", l.rows, l.failed);
    return l.failed > 0 ? 1 : 0;
}
