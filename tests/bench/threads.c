/* SPDX-License-Identifier: MIT */
/* What threads gain: each phase of a step, and of a step that builds the list, runs on an executor
 * of one thread that tells the computing time of every task. Laying the tasks out on so many
 * threads as the library's pool does gives the time of the phase; what is between phases has one
 * thread. A round of the pool costs what an empty one of two threads costs here, and ROUND_NS for
 * each thread beyond. The model leaves out that threads share caches and memory. */
#include "bench.h"

#include "base/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PHASES_MOST = 64,
    TASKS_MOST = 4096,
    WIDTHS = 7,
    STEPS = 9, /* in one call: but for the first and the last, two phases each */
    REPEATS = 60,
    ROUND_NS = 50
};
static const int widths[WIDTHS] = {1, 2, 4, 8, 16, 32, 64};

/* The least time of each task over all calls that had the same phases, and of what is between
 * tasks; seconds. Others disturb some calls. */
typedef struct measured {
    uint64_t phases, count[PHASES_MOST];
    double taken[PHASES_MOST][TASKS_MOST], serial;
} measured;

static measured now, least;

/* One thread's turn on tasks that take so long: when the last one is done. */
static double laid_out(const double *taken, uint64_t count, uint64_t threads)
{
    uint64_t next[64], end[64];
    double clock[64], last = 0.0;
    const uint64_t each = count / threads, more = count % threads;
    for (uint64_t t = 0, begin = 0; t < threads; ++t) {
        next[t] = begin;
        begin += each + (t < more);
        end[t] = begin;
        clock[t] = 0.0;
    }
    for (uint64_t done = 0; done < count; ++done) {
        uint64_t first = 0; /* who is free first takes a task, of its own range or the next ones */
        for (uint64_t t = 1; t < threads; ++t)
            first = clock[t] < clock[first] ? t : first;
        uint64_t from = first;
        while (next[from] == end[from])
            from = (from + 1) % threads;
        clock[first] += taken[next[from]++];
        last = clock[first] > last ? clock[first] : last;
    }
    return last;
}

static void run_timed(void *user, void (*task)(void *argument, uint64_t k), void *argument,
                      uint64_t count)
{
    (void)user;
    if (count > TASKS_MOST || now.phases == PHASES_MOST)
        bench_fail("threads", "too many tasks");
    double *taken = now.taken[now.phases], before = bench_work();
    now.count[now.phases++] = count;
    for (uint64_t k = 0; k < count; ++k) {
        task(argument, k);
        const double after = bench_work();
        taken[k] = after - before;
        now.serial -= taken[k];
        before = after;
    }
}

/* One call; the first one is kept, later ones where they are faster. */
static void step_measured(dem_world *world, double dt, uint64_t steps, int first)
{
    now.phases = 0;
    now.serial = 0.0;
    const double start = bench_work();
    bench_must(dem_step(world, dt, steps), dem_world_error(world));
    now.serial += bench_work() - start;
    if (first)
        least = now;
    if (now.phases != least.phases ||
        memcmp(now.count, least.count, (size_t)now.phases * sizeof now.count[0]) != 0)
        return;
    least.serial = fmin(least.serial, now.serial);
    for (uint64_t p = 0; p < now.phases; ++p)
        for (uint64_t k = 0; k < now.count[p]; ++k)
            least.taken[p][k] = fmin(least.taken[p][k], now.taken[p][k]);
}

static void nothing(void *argument, uint64_t k)
{
    (void)argument;
    (void)k;
}

/* Seconds of an empty round of two threads. */
static double round_two(void)
{
    enum { EMPTY = 20000 };
    const dem_allocator allocator = {0};
    const dem_log log = {0};
    demi_context context;
    bench_must(demi_context_init(&context, &allocator, &log), "context");
    demi_pool *pool = demi_pool_create(&context, 2);
    if (pool == NULL)
        bench_fail("threads", "no thread");
    double best = INFINITY;
    for (int k = 0; k < 5; ++k) {
        const double start = bench_seconds();
        for (int n = 0; n < EMPTY; ++n)
            demi_pool_run(pool, nothing, NULL, 2);
        const double each = (bench_seconds() - start) / EMPTY;
        best = each < best ? each : best;
    }
    demi_pool_destroy(&context, pool);
    return best;
}

static void model_print(const char *scene, const char *what, double steps, double particles,
                        double two)
{
    double work = 0.0, tasks = 0.0, wide[WIDTHS] = {0.0};
    uint64_t fewest = least.count[0];
    for (uint64_t p = 0; p < least.phases; ++p) {
        tasks += (double)least.count[p];
        fewest = least.count[p] < fewest ? least.count[p] : fewest;
        for (uint64_t k = 0; k < least.count[p]; ++k)
            work += least.taken[p][k];
        for (int w = 0; w < WIDTHS; ++w)
            wide[w] += laid_out(least.taken[p], least.count[p], (uint64_t)widths[w]);
    }
    const double one = work + least.serial;
    printf("scene=%s particles=%.0f what=%s phases=%.2f tasks_least=%llu tasks_mean=%.0f us=%.1f "
           "serial_us=%.1f serial_share=%.4f round_us=%.2f\n",
           scene, particles, what, (double)least.phases / steps, (unsigned long long)fewest,
           tasks / (double)least.phases, 1e6 * one / steps, 1e6 * least.serial / steps,
           least.serial / one, 1e6 * two);
    for (int w = 0; w < WIDTHS; ++w) {
        const double threads = (double)widths[w],
                     each = threads > 1.0 ? two + 1e-9 * ROUND_NS * (threads - 2.0) : 0.0,
                     rounds = (double)least.phases * each, all = wide[w] + least.serial + rounds;
        printf("scene=%s what=%s threads=%d us=%.1f speedup=%.2f efficiency=%.2f waiting=%.3f "
               "rounds=%.3f serial=%.3f\n",
               scene, what, widths[w], 1e6 * all / steps, one / all, one / (all * threads),
               (wide[w] - work / threads) / all, rounds / all, least.serial / all);
    }
}

static void models_again(dem_world *world, const char *law)
{
    bench_model m;
    bench_model_fill(&m, law, BENCH_MATCH);
    for (int32_t b = 0; b <= 1; ++b)
        bench_must(dem_contact_model_set(world, 0, b, &m.model), dem_world_error(world));
}

static void scene_threads(const char *folder, const char *scene, int tiles, uint64_t chunk_rows,
                          double two)
{
    demo_grains grains;
    bench_grains_read(folder, BENCH_BED, tiles, tiles, &grains);
    const bench_world options = {.integrator = DEM_INTEGRATOR_VERLET_STANDARD,
                                 .threads = 1,
                                 .materials = 1,
                                 .strength = 1.0,
                                 .chunk_rows = chunk_rows,
                                 .energy_tracking = DEM_ENERGY_TRACKING_OFF,
                                 .run = run_timed};
    dem_world *world = bench_world_make(&grains, &options);
    const double particles = (double)grains.count;
    demo_grains_free(&grains);
    models_again(world, "linear");
    const int repeats = REPEATS / (tiles * tiles);
    for (int k = 0; k < repeats; ++k)
        step_measured(world, 1e-4, STEPS, k <= 1); /* the very first one builds the list */
    model_print(scene, "step", STEPS, particles, two);
    for (int k = 0; k < repeats; ++k) {
        models_again(world, "linear");
        step_measured(world, 1e-4, 1, k <= 1);
    }
    model_print(scene, "rebuild", 1.0, particles, two);
    dem_world_destroy(world);
}

int bench_threads(int count, char **arguments)
{
    if (count < 1)
        bench_fail("threads", "a folder is wanted");
    const uint64_t chunk_rows = count > 1 ? strtoull(arguments[1], NULL, 10) : 0;
    const double two = round_two();
    scene_threads(arguments[0], "bed", 1, chunk_rows, two);
    scene_threads(arguments[0], "bed-2x2", 2, chunk_rows, two);
    return 0;
}
