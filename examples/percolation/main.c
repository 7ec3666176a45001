/* SPDX-License-Identifier: MIT */
/* The long form: beds of 16 and 40 radii, several of each, with the same starts for all schemes.
 *
 *     percolation FOLDER [THREADS [PICTURES]]
 *
 * Every finished fine is a line of FOLDER/percolation.csv; a run that was stopped goes on from
 * there. Ends with 1 when the counts are not what docs/percolation.md says. */
#define _POSIX_C_SOURCE 200809L
#include "percolation.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMS = 2, BEDS = 3, MOST_FINES = 300 };

static const struct {
    double depth, end; /* radii, s */
    int fines;
    double least_standard, most_others; /* fractions of trapped fines */
} forms[FORMS] = {{16.0, 1.0, 300, 0.04, 0.01}, {40.0, 2.0, 200, 0.15, 0.02}};

typedef struct run {
    fall_result result[FORMS][BEDS][PERCOLATION_SCHEMES][MOST_FINES];
    unsigned char known[FORMS][BEDS][PERCOLATION_SCHEMES][MOST_FINES];
    FILE *table;
    int form, bed, scheme;
    demo_progress progress;
    dem_executor executor;
} run;

/* Takes up one line of an earlier run. */
static void take(run *r, const char *line)
{
    int depth, bed, scheme, fine, trapped, failed;
    double time, x[9];
    unsigned long long touching;
    if (sscanf(line, "%d,%d,%d,%d,%d,%d,%lf,%llu,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &depth, &bed,
               &scheme, &fine, &trapped, &failed, &time, &touching, x, x + 1, x + 2, x + 3, x + 4,
               x + 5, x + 6, x + 7, x + 8) != 17)
        return;
    for (int f = 0; f < FORMS; ++f) {
        if ((int)forms[f].depth != depth || bed < 1 || bed > BEDS || scheme < 0 ||
            scheme >= PERCOLATION_SCHEMES || fine < 0 || fine >= forms[f].fines)
            continue;
        fall_result *one = &r->result[f][bed - 1][scheme][fine];
        memset(one, 0, sizeof *one);
        one->trapped = trapped;
        one->failed = failed;
        one->time = time;
        one->contact_steps = touching;
        memcpy(one->look, x, sizeof x);
        r->known[f][bed - 1][scheme][fine] = 1;
    }
}

static int table_open(run *r, const char *path)
{
    char line[512];
    long whole = 0; /* bytes of whole lines; what a stop has cut short is dropped */
    FILE *old = fopen(path, "r");
    while (old != NULL && fgets(line, sizeof line, old) != NULL && strchr(line, '\n') != NULL) {
        take(r, line);
        whole = ftell(old);
    }
    if (old != NULL)
        (void)fclose(old);
    if (old != NULL && truncate(path, whole) != 0) {
        fprintf(stderr, "%s: cannot write\n", path);
        return -1;
    }
    r->table = fopen(path, "a");
    if (r->table == NULL) {
        fprintf(stderr, "%s: cannot write\n", path);
        return -1;
    }
    if (whole == 0)
        fprintf(r->table, "depth,bed,scheme,fine,trapped,failed,time_s,contact_steps,"
                          "x1,y1,z1,x2,y2,z2,x3,y3,z3\n");
    return 0;
}

static void keep(void *user, const percolation *p, int fine)
{
    run *r = user;
    const fall_result *one = &p->result[fine];
    double known = 0.0;
    fprintf(r->table, "%.0f,%d,%d,%d,%d,%d,%.9g,%llu", forms[r->form].depth, r->bed + 1, r->scheme,
            fine, one->trapped, one->failed, one->time, (unsigned long long)one->contact_steps);
    for (int k = 0; k < 9; ++k)
        fprintf(r->table, ",%.9g", one->look[k / 3][k % 3]);
    fprintf(r->table, "\n");
    (void)fflush(r->table); /* an error stays set until the end */
    for (int k = 0; k < p->count; ++k)
        known += p->known[k];
    demo_progress_show(&r->progress, known / p->count);
}

/* All schemes in one bed; adds what is trapped. 0 or -1. */
static int bed_run(run *r, int trapped[PERCOLATION_SCHEMES], const char *pictures)
{
    bed b;
    percolation set[PERCOLATION_SCHEMES];
    int failed = 0;
    if (bed_make(&b, 2e-3, forms[r->form].depth, (uint64_t)r->bed + 1) != 0)
        return -1;
    for (int k = 0; k < PERCOLATION_SCHEMES; ++k) {
        set[k] = (percolation){
            .setup = fall_paper(&b, percolation_scheme[k], forms[r->form].end),
            .seed = (uint64_t)r->bed + 1,
            .count = forms[r->form].fines,
            .result = r->result[r->form][r->bed][k],
            .known = r->known[r->form][r->bed][k],
            .done = keep,
            .user = r,
        };
        r->scheme = k;
        demo_progress_start(&r->progress, percolation_name[k]);
        percolation_run(&set[k], &r->executor);
        trapped[k] += percolation_trapped(&set[k]);
        for (int fine = 0; fine < set[k].count; ++fine)
            failed |= set[k].result[fine].failed;
    }
    demo_progress_end(&r->progress);
    printf("  %3.0f R, %.0f s  %d  %.3f", forms[r->form].depth, forms[r->form].end, r->bed + 1,
           b.fraction);
    for (int k = 0; k < PERCOLATION_SCHEMES; ++k)
        printf("  %3d of %d, %5.3f s", percolation_trapped(&set[k]), set[k].count,
               percolation_median(&set[k]));
    printf("\n");
    int bad = failed;
    if (failed)
        fprintf(stderr, "percolation: an overlap grew beyond half a fine sphere's radius\n");
    if (pictures != NULL && r->bed == 0)
        bad |= percolation_picture(pictures,
                                   r->form == 0 ? "percolation_16R.svg" : "percolation_40R.svg",
                                   set, 0) != 0;
    bed_free(&b);
    return bad ? -1 : 0;
}

static int form_run(run *r, const char *pictures, int *good)
{
    int trapped[PERCOLATION_SCHEMES] = {0};
    const double all = BEDS * forms[r->form].fines;
    for (r->bed = 0; r->bed < BEDS; ++r->bed)
        if (bed_run(r, trapped, pictures) != 0)
            return -1;
    printf("  %3.0f R, together: standard %.1f %%, improved %.1f %%, synchronized %.1f %%\n",
           forms[r->form].depth, 100.0 * trapped[0] / all, 100.0 * trapped[1] / all,
           100.0 * trapped[2] / all);
    *good &= trapped[0] >= forms[r->form].least_standard * all &&
             trapped[1] <= forms[r->form].most_others * all &&
             trapped[2] <= forms[r->form].most_others * all;
    return 0;
}

int main(int count, char **words)
{
    static run r;
    char path[1024];
    const int threads = count > 2 ? atoi(words[2]) : 2;
    if (count < 2 || count > 4 || threads < 1 || threads > 64) {
        fprintf(stderr, "usage: percolation FOLDER [THREADS, 1 to 64 [PICTURES]]\n");
        return EXIT_FAILURE;
    }
    const int length = snprintf(path, sizeof path, "%s/percolation.csv", words[1]);
    if (length < 0 || (size_t)length >= sizeof path || demo_folder(words[1]) != 0 ||
        (count > 3 && demo_folder(words[3]) != 0) || table_open(&r, path) != 0)
        return EXIT_FAILURE;
    demo_threads *helpers = demo_threads_create(threads, &r.executor);
    int good = 1, bad = 0;
    printf("  trapped, and the median time of the others, by scheme\n  %-13s %3s %5s  %-19s  %-19s"
           "  %s\n",
           "depth, time", "bed", "phi", percolation_name[0], percolation_name[1],
           percolation_name[2]);
    for (r.form = 0; r.form < FORMS && !bad; ++r.form)
        bad = form_run(&r, count > 3 ? words[3] : NULL, &good) != 0;
    demo_threads_destroy(helpers);
    if (ferror(r.table) != 0 || fclose(r.table) != 0) {
        fprintf(stderr, "%s: write failed\n", path);
        bad = 1;
    }
    if (!bad && !good)
        printf("  a scheme does not do what docs/percolation.md says\n");
    printf("  the fines: %s\n", path);
    return bad || !good ? EXIT_FAILURE : EXIT_SUCCESS;
}
