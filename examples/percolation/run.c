/* SPDX-License-Identifier: MIT */
/* Many fines, each by itself, on the threads that there are. */
#define _POSIX_C_SOURCE 200809L
#include "percolation.h"

#include <pthread.h>
#include <stdlib.h>

const char *const percolation_name[PERCOLATION_SCHEMES] = {"standard", "improved", "synchronized"};
const int percolation_scheme[PERCOLATION_SCHEMES] = {
    DEM_INTEGRATOR_VERLET_STANDARD, DEM_INTEGRATOR_VERLET_IMPROVED, DEM_INTEGRATOR_VERLET_SYNC};

typedef struct work {
    percolation *p;
    pthread_mutex_t lock;
} work;

static void one(void *user, uint64_t fine)
{
    work *w = user;
    percolation *p = w->p;
    double start[3];
    fall_result result;
    if (p->known[fine])
        return;
    fall_start(&p->setup, p->seed, (int)fine, start);
    fall_run(&p->setup, start, &result);
    pthread_mutex_lock(&w->lock);
    p->result[fine] = result;
    p->known[fine] = 1;
    if (p->done != NULL)
        p->done(p->user, p, (int)fine);
    pthread_mutex_unlock(&w->lock);
}

void percolation_run(percolation *p, const dem_executor *executor)
{
    work w = {.p = p};
    pthread_mutex_init(&w.lock, NULL);
    if (executor != NULL && executor->run != NULL)
        executor->run(executor->user, one, &w, (uint64_t)p->count);
    else
        for (int k = 0; k < p->count; ++k)
            one(&w, (uint64_t)k);
    pthread_mutex_destroy(&w.lock);
}

int percolation_trapped(const percolation *p)
{
    int trapped = 0;
    for (int k = 0; k < p->count; ++k)
        trapped += p->result[k].trapped;
    return trapped;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double percolation_median(const percolation *p)
{
    double *time = malloc((size_t)p->count * sizeof *time + 1), median = 0.0;
    int left = 0;
    if (time == NULL)
        return 0.0;
    for (int k = 0; k < p->count; ++k)
        if (!p->result[k].trapped)
            time[left++] = p->result[k].time;
    qsort(time, (size_t)left, sizeof *time, ascending);
    if (left > 0)
        median = time[left / 2];
    free(time);
    return median;
}
