/* SPDX-License-Identifier: MIT */
/* What threads gain: each phase of a step, and of a step that builds the list, runs on an executor
 * of one thread that times every task. Laying the tasks out on so many threads as the library's
 * pool does gives the time of the phase; what is between phases has one thread. A round of the pool
 * costs what an empty one of two threads costs here, and ROUND_NS for each thread beyond. The model
 * leaves out that threads share caches and memory. */
#include "bench.h"

#include "base/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS_MOST = 4096, WIDTHS = 7, STEPS = 100, ROUNDS = 5, BUILDS = 30, ROUND_NS = 50 };
static const int widths[WIDTHS] = {1, 2, 4, 8, 16, 32, 64};

/* Sums of one measurement, in seconds. */
typedef struct measured {
    double work;            /* in tasks */
    double wide[WIDTHS];    /* of the phases on so many threads */
    double serial;          /* between tasks */
    uint64_t phases, tasks; /* that an executor gets */
    uint64_t fewest;        /* tasks of a phase */
} measured;

static measured now;

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
    static double taken[TASKS_MOST];
    (void)user;
    if (count > TASKS_MOST)
        bench_fail("threads", "too many tasks");
    double before = bench_seconds();
    for (uint64_t k = 0; k < count; ++k) {
        task(argument, k);
        const double after = bench_seconds();
        taken[k] = after - before;
        now.work += taken[k];
        before = after;
    }
    for (int w = 0; w < WIDTHS; ++w)
        now.wide[w] += laid_out(taken, count, (uint64_t)widths[w]);
    now.fewest = now.phases == 0 || count < now.fewest ? count : now.fewest;
    now.phases++;
    now.tasks += count;
    /* laying out is no part of the step */
    now.serial -= bench_seconds() - before;
}

static measured step_measured(dem_world *world, double dt, uint64_t steps)
{
    memset(&now, 0, sizeof now);
    const double start = bench_seconds();
    bench_must(dem_step(world, dt, steps), dem_world_error(world));
    now.serial += bench_seconds() - start - now.work;
    return now;
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
    for (int k = 0; k < ROUNDS; ++k) {
        const double start = bench_seconds();
        for (int n = 0; n < EMPTY; ++n)
            demi_pool_run(pool, nothing, NULL, 2);
        const double each = (bench_seconds() - start) / EMPTY;
        best = each < best ? each : best;
    }
    demi_pool_destroy(&context, pool);
    return best;
}

static void model_print(const char *scene, const char *what, const measured *m, double steps,
                        double particles, double two)
{
    const double one = m->work + m->serial;
    printf("scene=%s what=%s phases=%.2f tasks_least=%llu tasks_mean=%.0f us=%.1f serial_us=%.1f "
           "serial_share=%.4f round_us=%.2f\n",
           scene, what, (double)m->phases / steps, (unsigned long long)m->fewest,
           (double)m->tasks / (double)m->phases, 1e6 * one / steps, 1e6 * m->serial / steps,
           m->serial / one, 1e6 * two);
    for (int w = 0; w < WIDTHS; ++w) {
        const double threads = (double)widths[w],
                     each = threads > 1.0 ? two + 1e-9 * ROUND_NS * (threads - 2.0) : 0.0,
                     rounds = (double)m->phases * each, all = m->wide[w] + m->serial + rounds,
                     idle = threads * m->wide[w] - m->work;
        printf("scene=%s what=%s threads=%d us=%.1f ns_per_particle=%.2f speedup=%.2f "
               "efficiency=%.2f waiting=%.3f rounds=%.3f serial=%.3f\n",
               scene, what, widths[w], 1e6 * all / steps, 1e9 * all / (steps * particles),
               one / all, one / (all * threads), idle / (threads * all), rounds / all,
               m->serial / all);
    }
}

static void models_again(dem_world *world, const char *law)
{
    bench_model m;
    bench_model_fill(&m, law, BENCH_MATCH);
    for (int32_t b = 0; b <= 1; ++b)
        bench_must(dem_contact_model_set(world, 0, b, &m.model), dem_world_error(world));
}

static void scene_threads(const char *folder, const char *scene, const char *file, double angle,
                          double two)
{
    demo_grains grains;
    bench_grains_read(folder, file, 1, 1, &grains);
    const bench_world options = {.integrator = DEM_INTEGRATOR_VERLET_STANDARD,
                                 .threads = 1,
                                 .materials = 1,
                                 .strength = 1.0,
                                 .angle = angle,
                                 .energy_tracking = DEM_ENERGY_TRACKING_OFF,
                                 .run = run_timed};
    dem_world *world = bench_world_make(&grains, &options);
    demo_grains_free(&grains);
    models_again(world, "linear");
    (void)step_measured(world, 1e-4, STEPS);
    measured best = {.work = INFINITY}, built = {.work = INFINITY};
    for (int k = 0; k < ROUNDS; ++k) {
        const measured one = step_measured(world, 1e-4, STEPS);
        best = one.work + one.serial < best.work + best.serial ? one : best;
    }
    for (int k = 0; k < BUILDS; ++k) {
        models_again(world, "linear");
        const measured one = step_measured(world, 1e-4, 1);
        built = one.work + one.serial < built.work + built.serial ? one : built;
    }
    dem_world_counts counts = {.struct_size = sizeof counts};
    bench_must(dem_world_counts_get(world, &counts), dem_world_error(world));
    model_print(scene, "step", &best, STEPS, (double)counts.particles, two);
    model_print(scene, "rebuild", &built, 1.0, (double)counts.particles, two);
    dem_world_destroy(world);
}

int bench_threads(int count, char **arguments)
{
    if (count < 1)
        bench_fail("threads", "a folder is wanted");
    const double two = round_two();
    scene_threads(arguments[0], "bed", BENCH_BED, 0.0, two);
    scene_threads(arguments[0], "chute", BENCH_CHUTE, 26.0, two);
    return 0;
}
