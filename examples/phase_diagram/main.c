/* SPDX-License-Identifier: MIT */
/* The phase diagram of Vyas et al., Fig. 5: a fine sphere released at 5 degrees in the groove of
 * two large ones, for friction 0.01 to 1 and size ratios 1 to 100. 10,100 cases a scheme.
 *
 *     phase_diagram FOLDER [THREADS, default 2; 0: only the table of what is known]
 *
 * The grid is run in passes, each twice as fine as the one before, so that a run that is stopped
 * has the whole diagram, coarser. Every finished case is a line of FOLDER/phase_diagram.csv; the
 * next run goes on from there. Ends with 1 when not all cases, or a scheme does not do what
 * docs/percolation.md says. */
#define _POSIX_C_SOURCE 200809L
#include "../demo/demo.h"
#include "lanes.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RATIOS = 100, FRICTIONS = 101, CASES = RATIOS * FRICTIONS, SCHEMES = 3, COARSEST = 4 };

static const double degree = 3.14159265358979323846 / 180.0;

/* The standard scheme's error grows with softness, so it has the paper's stiffness; the others are
 * run a hundred times softer, with a tenth of the steps. The short ones come first. */
static const struct {
    const char *name;
    int scheme;
    double softness;
} schemes[SCHEMES] = {{"synchronized", DEM_INTEGRATOR_VERLET_SYNC, 100.0},
                      {"improved", DEM_INTEGRATOR_VERLET_IMPROVED, 100.0},
                      {"standard", DEM_INTEGRATOR_VERLET_STANDARD, 1.0}};

typedef struct record {
    int known;
    phase_result result;
} record;

typedef struct run {
    record *record; /* [SCHEMES][CASES] */
    FILE *table;
    pthread_mutex_t lock;
    demo_progress progress;
    double work, done; /* in steps, roughly */
    int scheme;
    int stride; /* of the present pass: every stride-th ratio and friction */
    uint64_t next;
    int write_failed;
} run;

/* Case numbers go from the longest to the shortest, so that threads end together. Friction is 0.00
 * to 1.00; the paper's grid of 0.01 to 1.00 by 1 to 100 has 10,000 points, its count 10,100. */
static double case_ratio(uint64_t number)
{
    return (double)(RATIOS - number / FRICTIONS);
}

static double case_friction(uint64_t number)
{
    return 0.01 * (double)(number % FRICTIONS);
}

static double case_work(uint64_t number, int k)
{
    return pow(case_ratio(number), 0.8) / sqrt(schemes[k].softness);
}

/* Whether a case belongs to the present pass and has not been run. */
static int wanted(const run *r, uint64_t number)
{
    const uint64_t stride = (uint64_t)r->stride;
    return number / FRICTIONS % stride == 0 && number % FRICTIONS % stride == 0 &&
           !r->record[r->scheme * CASES + (int)number].known;
}

static int next_case(void *user, phase_case *item, uint64_t *number)
{
    run *r = user;
    int found = 0;
    pthread_mutex_lock(&r->lock);
    while (!found && r->next < CASES) {
        *number = r->next++;
        found = wanted(r, *number);
    }
    pthread_mutex_unlock(&r->lock);
    item->ratio = case_ratio(*number);
    item->friction = case_friction(*number);
    item->softness = schemes[r->scheme].softness;
    item->start = 5.0 * degree;
    item->steps = 40.0;
    return found;
}

static void done_case(void *user, uint64_t number, const phase_result *result)
{
    run *r = user;
    pthread_mutex_lock(&r->lock);
    record *row = &r->record[r->scheme * CASES + (int)number];
    row->known = 1;
    row->result = *result;
    if (fprintf(r->table, "%s,%.0f,%.2f,%d,%.6f,%.4f,%llu\n", schemes[r->scheme].name,
                case_ratio(number), case_friction(number), result->outcome, result->angle / degree,
                result->angular_velocity, (unsigned long long)result->steps) < 0 ||
        fflush(r->table) != 0)
        r->write_failed = 1;
    r->done += case_work(number, r->scheme);
    demo_progress_show(&r->progress, r->done / r->work);
    pthread_mutex_unlock(&r->lock);
}

static void work(void *user, uint64_t thread)
{
    run *r = user;
    const phase_queue queue = {r, next_case, done_case};
    (void)thread;
    phase_run(schemes[r->scheme].scheme, 1, &queue);
}

/* Takes up one line of an earlier run. */
static void take(run *r, const char *line)
{
    char name[32];
    double ratio, friction;
    phase_result result;
    unsigned long long steps;
    if (sscanf(line, "%31[a-z],%lf,%lf,%d,%lf,%lf,%llu", name, &ratio, &friction, &result.outcome,
               &result.angle, &result.angular_velocity, &steps) != 7)
        return;
    result.angle *= degree;
    result.steps = steps;
    const long row = lround(RATIOS - ratio), column = lround(100.0 * friction);
    if (row < 0 || row >= RATIOS || column < 0 || column >= FRICTIONS)
        return;
    for (int k = 0; k < SCHEMES; ++k)
        if (strcmp(name, schemes[k].name) == 0)
            r->record[k * CASES + (int)row * FRICTIONS + (int)column] = (record){1, result};
}

static int table_open(run *r, const char *path)
{
    char line[256];
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
        fprintf(r->table, "scheme,ratio,friction,outcome,angle_deg,spin_rad_s,steps\n");
    return 0;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Separation of rigid spheres, in closed form. */
static double rigid_angle(uint64_t number)
{
    groove_case c;
    groove_case_fill(&c);
    c.ratio = case_ratio(number);
    c.friction = case_friction(number);
    c.start = 5.0 * degree;
    c.fine_radius = c.large_radius / c.ratio;
    return groove_rigid_angle(&c);
}

/* A line of the table, and whether the scheme does what is claimed. */
static int summary(const run *r, int k, const double *rigid)
{
    static double late[CASES];
    int cases = 0, trapped = 0, undecided = 0, left = 0, wrong = 0, near = 0, least = RATIOS + 1;
    double low = INFINITY, high = 0.0; /* R/R_c of the lowest trapped, the highest that left */
    for (int n = 0; n < CASES; ++n) {
        const phase_result *one = &r->record[k * CASES + n].result;
        const double mu = case_friction((uint64_t)n), ratio = case_ratio((uint64_t)n);
        const double over = ratio * (sqrt(1.0 + mu * mu) - 1.0); /* R/R_c */
        if (!r->record[k * CASES + n].known)
            continue;
        cases += 1;
        undecided += one->outcome == PHASE_UNDECIDED;
        if (one->outcome == PHASE_TRAPPED) {
            trapped += 1;
            least = ratio < least ? (int)ratio : least;
            low = fmin(low, over);
        } else {
            late[left++] = (one->angle - rigid[n]) / degree;
            high = fmax(high, over);
        }
        const int disagrees = (one->outcome == PHASE_TRAPPED) != (over > 1.0);
        near += disagrees && fabs(over - 1.0) <= 0.03;
        wrong += disagrees && fabs(over - 1.0) > 0.03;
    }
    qsort(late, (size_t)left, sizeof late[0], ascending);
    printf("  %-13s %6d %8d", schemes[k].name, cases, trapped);
    if (trapped > 0)
        printf("  R >= %-3d", least);
    else
        printf("  %-8s", "-");
    printf(" %+8.3f deg\n", left > 0 ? late[left / 2] : 0.0);
    if (schemes[k].scheme == DEM_INTEGRATOR_VERLET_STANDARD && trapped > 0)
        printf("    against R_c: %d cases differ within 3 %% of it, %d beyond; least R/R_c trapped "
               "%.4f, greatest that left %.4f\n",
               near, wrong, low, high);
    switch (schemes[k].scheme) {
    case DEM_INTEGRATOR_VERLET_STANDARD:
        return cases == CASES && undecided == 0 && wrong == 0;
    case DEM_INTEGRATOR_VERLET_IMPROVED:
        return cases == CASES && undecided == 0 && trapped > 100 && trapped < 200 && least >= 90;
    default:
        return cases == CASES && undecided == 0 && trapped == 0;
    }
}

/* One scheme in the present pass. */
static void run_pass(run *r, const dem_executor *executor, int threads)
{
    char label[32];
    r->next = 0;
    r->work = r->done = 0.0;
    for (int n = 0; n < CASES; ++n)
        if (wanted(r, (uint64_t)n))
            r->work += case_work((uint64_t)n, r->scheme);
    if (r->work == 0.0)
        return;
    (void)snprintf(label, sizeof label, "%s 1/%d", schemes[r->scheme].name, r->stride * r->stride);
    demo_progress_start(&r->progress, label);
    if (executor->run != NULL)
        executor->run(executor->user, work, r, (uint64_t)threads);
    else
        work(r, 0);
    demo_progress_end(&r->progress);
}

static int run_schemes(run *r, int threads)
{
    dem_executor executor = {NULL, NULL};
    demo_threads *helpers = demo_threads_create(threads, &executor);
    for (r->stride = COARSEST; r->stride >= 1; r->stride /= 2)
        for (r->scheme = 0; r->scheme < SCHEMES && !r->write_failed; ++r->scheme)
            run_pass(r, &executor, threads);
    demo_threads_destroy(helpers);
    return r->write_failed ? -1 : 0;
}

int main(int count, char **words)
{
    char path[1024];
    const int threads = count == 3 ? atoi(words[2]) : 2;
    if (count < 2 || count > 3 || threads < 0 || threads > 64) {
        fprintf(stderr, "usage: phase_diagram FOLDER [THREADS, 0 to 64]\n");
        return EXIT_FAILURE;
    }
    static run r;
    static double rigid[CASES];
    r.record = calloc((size_t)SCHEMES * CASES, sizeof *r.record);
    const int length = snprintf(path, sizeof path, "%s/phase_diagram.csv", words[1]);
    if (r.record == NULL || length < 0 || (size_t)length >= sizeof path ||
        demo_folder(words[1]) != 0 || table_open(&r, path) != 0)
        return EXIT_FAILURE;
    pthread_mutex_init(&r.lock, NULL);
    int good = threads == 0 || run_schemes(&r, threads) == 0;
    good &= fclose(r.table) == 0;
    if (!good) {
        fprintf(stderr, "%s: write failed\n", path);
        return EXIT_FAILURE;
    }
    for (int n = 0; n < CASES; ++n)
        rigid[n] = rigid_angle((uint64_t)n);
    printf("  %-13s %6s %8s  %-8s %12s\n", "scheme", "cases", "trapped", "", "leaves late by");
    for (int k = SCHEMES - 1; k >= 0; --k)
        good &= summary(&r, k, rigid);
    printf("  the cases: %s\n%s", path,
           good ? "" : "  not all cases, or a scheme does not do what docs/percolation.md says\n");
    free(r.record);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
