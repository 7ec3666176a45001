/* SPDX-License-Identifier: MIT */
/* A bar with the time that is left on a terminal; a line for each quarter anywhere else. */
#define _POSIX_C_SOURCE 200809L
#include "demo.h"

#include <time.h>
#include <unistd.h>

double demo_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void demo_progress_start(demo_progress *progress, const char *label)
{
    progress->label = label;
    progress->start = demo_seconds();
    progress->drawn = 0.0;
    progress->terminal = isatty(STDOUT_FILENO);
    progress->quarter = 0;
}

void demo_progress_show(demo_progress *progress, double fraction)
{
    const double now = demo_seconds();
    if (fraction > 1.0)
        fraction = 1.0;
    const double left =
        fraction > 0.0 ? (now - progress->start) * (1.0 - fraction) / fraction : 0.0;
    if (progress->terminal == 0) {
        const int quarter = (int)(4.0 * fraction);
        if (quarter > progress->quarter && quarter < 4) {
            progress->quarter = quarter;
            printf("  %s %d %%, about %.0f s left\n", progress->label, 25 * quarter, left);
            fflush(stdout);
        }
        return;
    }
    if (now - progress->drawn < 0.1 && fraction < 1.0)
        return;
    progress->drawn = now;
    char bar[41];
    for (int k = 0; k < 40; ++k)
        bar[k] = k < (int)(40.0 * fraction) ? '#' : '.';
    bar[40] = '\0';
    printf("\r  %-10s [%s] %3.0f %%, %3.0f s left ", progress->label, bar, 100.0 * fraction, left);
    fflush(stdout);
}

void demo_progress_end(demo_progress *progress)
{
    if (progress->terminal != 0)
        printf("\r%79s\r", "");
    fflush(stdout);
}
