/* SPDX-License-Identifier: MIT */
/* An executor for libdem: a few threads that wait for work. The library's results have the same
 * bits with and without it; only the time changes. */
#define _POSIX_C_SOURCE 200809L
#include "demo.h"

#include <pthread.h>
#include <stdlib.h>

struct demo_threads {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    pthread_t *thread;
    int count; /* helpers beside the calling thread */
    int stop;
    uint64_t round; /* counts the calls of run */
    int busy;       /* helpers that have not finished the round */
    void (*task)(void *argument, uint64_t k);
    void *argument;
    uint64_t next, end;
};

/* Takes pieces until none is left. The lock is held on entry and on return. */
static void work(demo_threads *b)
{
    while (b->next < b->end) {
        const uint64_t k = b->next++;
        void (*task)(void *, uint64_t) = b->task;
        void *argument = b->argument;
        pthread_mutex_unlock(&b->lock);
        task(argument, k);
        pthread_mutex_lock(&b->lock);
    }
}

static void *helper(void *user)
{
    demo_threads *b = user;
    uint64_t seen = 0;
    pthread_mutex_lock(&b->lock);
    for (;;) {
        while (b->stop == 0 && b->round == seen)
            pthread_cond_wait(&b->wake, &b->lock);
        if (b->stop != 0)
            break;
        seen = b->round;
        work(b);
        if (--b->busy == 0)
            pthread_cond_signal(&b->done);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

static void run(void *user, void (*task)(void *argument, uint64_t k), void *argument,
                uint64_t count)
{
    demo_threads *b = user;
    if (count < 2) { /* waking others would cost more than it brings */
        if (count == 1)
            task(argument, 0);
        return;
    }
    pthread_mutex_lock(&b->lock);
    b->task = task;
    b->argument = argument;
    b->next = 0;
    b->end = count;
    b->busy = b->count;
    ++b->round;
    pthread_cond_broadcast(&b->wake);
    work(b);
    while (b->busy > 0)
        pthread_cond_wait(&b->done, &b->lock);
    pthread_mutex_unlock(&b->lock);
}

demo_threads *demo_threads_create(int count, dem_executor *executor)
{
    if (count < 2)
        return NULL;
    demo_threads *b = calloc(1, sizeof *b);
    if (b == NULL)
        return NULL;
    b->thread = calloc((size_t)count, sizeof *b->thread);
    if (b->thread == NULL) {
        free(b);
        return NULL;
    }
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->wake, NULL);
    pthread_cond_init(&b->done, NULL);
    for (; b->count < count - 1; ++b->count)
        if (pthread_create(&b->thread[b->count], NULL, helper, b) != 0)
            break; /* fewer threads do as well */
    executor->user = b;
    executor->run = run;
    return b;
}

void demo_threads_destroy(demo_threads *b)
{
    if (b == NULL)
        return;
    pthread_mutex_lock(&b->lock);
    b->stop = 1;
    pthread_cond_broadcast(&b->wake);
    pthread_mutex_unlock(&b->lock);
    for (int k = 0; k < b->count; ++k)
        pthread_join(b->thread[k], NULL);
    pthread_cond_destroy(&b->wake);
    pthread_cond_destroy(&b->done);
    pthread_mutex_destroy(&b->lock);
    free(b->thread);
    free(b);
}
