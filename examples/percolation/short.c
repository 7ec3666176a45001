/* SPDX-License-Identifier: MIT */
/* The short form: one bed, few fines, all three schemes, a table and a picture. */
#include "percolation.h"

#include <stdlib.h>

enum { FINES = 80, BED = 2 };

static void show(void *user, const percolation *p, int fine)
{
    double known = 0.0;
    (void)fine;
    for (int k = 0; k < p->count; ++k)
        known += p->known[k];
    demo_progress_show(user, known / p->count);
}

static int schemes_run(percolation *set, const bed *b, int threads)
{
    dem_executor executor = {NULL, NULL};
    demo_threads *helpers = demo_threads_create(threads, &executor);
    demo_progress progress;
    printf("  %-14s %8s %16s\n", "scheme", "trapped", "median fall, s");
    int failed = 0;
    for (int k = 0; k < PERCOLATION_SCHEMES; ++k) {
        const double begin = demo_seconds();
        set[k].setup = fall_paper(b, percolation_scheme[k], 1.0);
        set[k].seed = BED;
        set[k].done = show;
        set[k].user = &progress;
        demo_progress_start(&progress, percolation_name[k]);
        percolation_run(&set[k], &executor);
        demo_progress_end(&progress);
        for (int fine = 0; fine < FINES; ++fine)
            failed |= set[k].result[fine].failed;
        printf("  %-14s %3d of %d %14.3f  (%.1f s)\n", percolation_name[k],
               percolation_trapped(&set[k]), FINES, percolation_median(&set[k]),
               demo_seconds() - begin);
    }
    demo_threads_destroy(helpers);
    if (failed)
        fprintf(stderr, "percolation: an overlap grew beyond half a fine sphere's radius\n");
    return failed ? -1 : 0;
}

int percolation_short(const char *folder, int threads)
{
    static fall_result result[PERCOLATION_SCHEMES][FINES];
    static unsigned char known[PERCOLATION_SCHEMES][FINES];
    percolation set[PERCOLATION_SCHEMES] = {{.count = 0}};
    bed b;
    if (bed_make(&b, 2e-3, 16.0, BED) != 0)
        return -1;
    printf("Fine spheres fall through a bed of large ones that stands still\n"
           "  size ratio 20, friction 0.3, %d spheres in a bed 16 radii deep, %d fines, 1 s;\n"
           "  every scheme has the same bed and the same starts\n",
           b.count, FINES);
    for (int k = 0; k < PERCOLATION_SCHEMES; ++k) {
        set[k].count = FINES;
        set[k].result = result[k];
        set[k].known = known[k];
    }
    int bad = schemes_run(set, &b, threads);
    bad |= percolation_picture(folder, "percolation.svg", set, FALL_LOOKS - 1);
    if (bad == 0)
        printf("  what is left in the bed: %s/percolation.svg\n\n", folder);
    bed_free(&b);
    return bad;
}
