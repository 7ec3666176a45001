/* SPDX-License-Identifier: MIT */
/* What memory alone takes of drag with sums of impulses: a pass over rows that computes nothing
 * worth naming, with and without the records that such drag reads (64 bytes of a fluid) and adds to
 * (64 bytes of the fluid's impulses, 64 of the contacts'). Before each pass other memory is walked
 * through, as much as the rest of a step touches. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

enum { REST = 550, AHEAD = 32 };

/* A record in as few instructions as the processor has: what is left to wait for is memory. */
typedef double record __attribute__((vector_size(64), may_alias));
#ifdef __x86_64__
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

typedef struct streams {
    size_t rows;
    record *velocity, *force, *after;     /* of any step */
    record *fluid, *by_fluid, *by_others; /* of drag */
    record *rest;
    size_t rest_size;
} streams;

static record *filled(size_t records)
{
    record *to = aligned_alloc(sizeof *to, records * sizeof *to);
    if (to == NULL)
        bench_fail("streams", "no memory");
    for (size_t k = 0; k < records; ++k)
        to[k] = (record){1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 6e-3, 7e-3, 8e-3};
    return to;
}

WIDE static void plain(const streams *s)
{
    for (size_t row = 0; row < s->rows; ++row)
        s->after[row] = s->velocity[row] + 1e-9 * s->force[row];
}

WIDE static void dragged(const streams *s)
{
    for (size_t row = 0; row < s->rows; ++row) {
        const size_t later = row + AHEAD < s->rows ? row + AHEAD : row;
        __builtin_prefetch(s->fluid + later, 0, 3);
        __builtin_prefetch(s->by_fluid + later, 0, 3);
        __builtin_prefetch(s->by_others + later, 0, 3);
        const record force = s->force[row], v = s->velocity[row] + 1e-9 * force;
        s->by_fluid[row] += s->fluid[row] - v;
        s->by_others[row] += force;
        s->after[row] = v;
    }
}

/* Seconds of a pass after which the caches are as after a step. */
static double timed(const streams *s, void (*pass)(const streams *s))
{
    for (size_t k = 0; k < s->rest_size; ++k)
        s->rest[k] += 1e-9;
    const double start = bench_work();
    pass(s);
    return bench_work() - start;
}

int bench_streams(int count, char **arguments)
{
    const size_t rows = count > 0 ? strtoul(arguments[0], NULL, 10) : 32000;
    if (rows == 0)
        bench_fail("streams", "a number of rows is wanted");
    const size_t rest_size = REST * rows / sizeof(record) + 1;
    const streams s = {rows,         filled(rows), filled(rows),      filled(rows), filled(rows),
                       filled(rows), filled(rows), filled(rest_size), rest_size};
    double without = INFINITY, with = INFINITY;
    for (int n = 0; n < 100; ++n) {
        without = fmin(without, timed(&s, plain));
        with = fmin(with, timed(&s, dragged));
    }
    const double ns = 1e9 / (double)rows;
    printf("streams=drag rows=%zu without=%.2f impulses=%.2f extra=%.2f\n", rows, ns * without,
           ns * with, ns * (with - without));
    record *all[] = {s.velocity, s.force, s.after, s.fluid, s.by_fluid, s.by_others, s.rest};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k)
        free(all[k]);
    return 0;
}
