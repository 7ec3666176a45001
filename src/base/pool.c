/* SPDX-License-Identifier: MIT */
#ifndef _POSIX_C_SOURCE /* NOLINTNEXTLINE(bugprone-reserved-identifier): not a name of ours */
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* The state of a pool is one number, which only the thread that called demi_pool_run writes:
 * threads that wait for a round read it, and each tells on a line of its own whether it is inside.
 * So no line is written by all. A thread that comes too late finds the round closed and stays away:
 * who runs the tasks never waits for a thread that sleeps. */
enum {
    POOL_OPEN = 1, /* threads may come in */
    POOL_ROUND = 2 /* one round; the calls are counted from here on */
};

/* Turns of a waiting loop before a thread sleeps: some ten microseconds, more than what lies
 * between two phases of a step and little beside what a sleep costs. */
enum { POOL_SPIN = 1000 };

/* Each on a cache line of its own, because its thread writes it all the time. */
typedef struct pool_range {
    _Alignas(64) atomic_uint_fast64_t next; /* the task to take; end or beyond: none is left */
    uint64_t end;
    atomic_int inside; /* at work in a round, or about to look whether it is open */
    demi_pool *pool;
    pthread_t thread;
} pool_range;

struct demi_pool { /* NOLINT(clang-analyzer-optin.performance.Padding): what threads write */
    _Alignas(64) atomic_uint_fast64_t state;
    /* the round; written while nobody is inside, and read with the state */
    void (*task)(void *argument, uint64_t k);
    void *argument;
    _Alignas(64) atomic_int sleeping; /* threads that wait for a round */
    atomic_int waiting;               /* 1: demi_pool_run waits for the last one inside */
    atomic_int quit;
    int threads, spin;
    pid_t process;         /* that has the threads: a child of it, forked, has none of them */
    pthread_mutex_t mutex; /* of the two conditions */
    pthread_cond_t open, idle;
    pool_range range[DEMI_THREADS_MOST]; /* the first is the caller's */
};

static void pool_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Takes tasks from the thread's own range, then from the others'. */
static void pool_work(demi_pool *pool, int self)
{
    for (int k = 0; k < pool->threads; ++k) {
        pool_range *range = &pool->range[(self + k) % pool->threads];
        /* a look first: a range that is done is not written any more */
        while (atomic_load_explicit(&range->next, memory_order_relaxed) < range->end) {
            const uint64_t task = atomic_fetch_add_explicit(&range->next, 1, memory_order_relaxed);
            if (task < range->end)
                pool->task(pool->argument, task);
        }
    }
}

static void pool_leave(pool_range *mine)
{
    demi_pool *pool = mine->pool;
    atomic_store(&mine->inside, 0);
    if (!atomic_load(&pool->waiting))
        return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_signal(&pool->idle);
    pthread_mutex_unlock(&pool->mutex);
}

/* Goes inside if there is a round that this thread has not seen. It is told first and looked at
 * again: either this thread sees that the round was closed, or who closed it sees this thread. */
static int pool_enter(pool_range *mine, uint64_t *seen)
{
    const uint_fast64_t state = atomic_load(&mine->pool->state);
    if ((state & POOL_OPEN) == 0 || state / POOL_ROUND == *seen)
        return 0;
    atomic_store(&mine->inside, 1);
    if (atomic_load(&mine->pool->state) == state) {
        *seen = state / POOL_ROUND;
        return 1;
    }
    pool_leave(mine);
    return 0;
}

/* Whether no thread from this one on is inside; else which one is. */
static int pool_idle(const demi_pool *pool, int *thread)
{
    while (*thread < pool->threads && !atomic_load(&pool->range[*thread].inside))
        ++*thread;
    return *thread == pool->threads;
}

/* Waits for a round and goes inside; 0: the pool ends. */
static int pool_wait(pool_range *mine, uint64_t *seen)
{
    demi_pool *pool = mine->pool;
    for (int k = 0; k < pool->spin; ++k) {
        if (pool_enter(mine, seen))
            return 1;
        pool_pause();
    }
    int entered = 0;
    pthread_mutex_lock(&pool->mutex);
    /* told before the last look, so that whoever opens a round after it wakes this thread */
    atomic_fetch_add(&pool->sleeping, 1);
    while (!atomic_load(&pool->quit) && !(entered = pool_enter(mine, seen)))
        pthread_cond_wait(&pool->open, &pool->mutex);
    atomic_fetch_sub(&pool->sleeping, 1);
    pthread_mutex_unlock(&pool->mutex);
    return entered;
}

static void *pool_main(void *argument)
{
    pool_range *mine = argument;
    demi_pool *pool = mine->pool;
    uint64_t seen = 0;
    while (pool_wait(mine, &seen)) {
        pool_work(pool, (int)(mine - pool->range));
        pool_leave(mine);
    }
    return NULL;
}

/* Threads share `count` tasks in ranges, of which the first ones have one more. */
uint64_t demi_pool_back(const demi_pool *pool, uint64_t count, uint64_t k)
{
    const uint64_t threads = (uint64_t)pool->threads, each = count / threads,
                   longer = count % threads * (each + 1); /* tasks of the ranges with one more */
    const uint64_t size = k < longer ? each + 1 : each, first = k < longer ? 0 : longer,
                   begin = first + (k - first) / size * size;
    return begin + begin + size - 1 - k;
}

static void ranges_set(demi_pool *pool, uint64_t count)
{
    const uint64_t threads = (uint64_t)pool->threads, each = count / threads,
                   more = count % threads;
    for (uint64_t t = 0, begin = 0; t < threads; ++t) {
        atomic_store_explicit(&pool->range[t].next, begin, memory_order_relaxed);
        begin += each + (t < more);
        pool->range[t].end = begin;
    }
}

/* Waits until nobody is inside; the round is closed. */
static void pool_settle(demi_pool *pool)
{
    int thread = 1;
    for (int k = 0; k < pool->spin && !pool_idle(pool, &thread); ++k)
        pool_pause();
    if (pool_idle(pool, &thread))
        return;
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->waiting, 1);
    while (!pool_idle(pool, &thread))
        pthread_cond_wait(&pool->idle, &pool->mutex);
    atomic_store(&pool->waiting, 0);
    pthread_mutex_unlock(&pool->mutex);
}

void demi_pool_run(void *user, void (*task)(void *argument, uint64_t k), void *argument,
                   uint64_t count)
{
    demi_pool *pool = user;
    if (pool->process != getpid()) {
        for (uint64_t k = 0; k < count; ++k)
            task(argument, k);
        return;
    }
    ranges_set(pool, count);
    pool->task = task;
    pool->argument = argument;
    /* nobody is inside and nobody can come in: the state is this thread's until it is open */
    const uint_fast64_t round = atomic_load(&pool->state) / POOL_ROUND + 1;
    atomic_store(&pool->state, round * POOL_ROUND + POOL_OPEN);
    if (atomic_load(&pool->sleeping) > 0) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->open);
        pthread_mutex_unlock(&pool->mutex);
    }
    pool_work(pool, 0);
    atomic_store(&pool->state, round * POOL_ROUND);
    pool_settle(pool);
}

/* Ends the first `started` threads and the rest of the pool. In a forked child there is nobody to
 * wait for; mutex and conditions stay as the threads had them at the fork, perhaps locked, and need
 * no memory but the pool's. */
static void pool_end(demi_context *context, demi_pool *pool, int started)
{
    if (pool->process != getpid()) {
        demi_release(context, pool, sizeof *pool);
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->quit, 1);
    pthread_cond_broadcast(&pool->open);
    pthread_mutex_unlock(&pool->mutex);
    for (int t = 1; t < started; ++t)
        pthread_join(pool->range[t].thread, NULL);
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->open);
    pthread_mutex_destroy(&pool->mutex);
    demi_release(context, pool, sizeof *pool);
}

/* Signals are the host's: its handlers run on its own threads. Those that a fault of the thread
 * itself raises stay, because the system would end the process where they are blocked. */
static void signals_block(sigset_t *saved)
{
    static const int faults[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGTRAP};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; ++k)
        sigdelset(&blocked, faults[k]);
    pthread_sigmask(SIG_BLOCK, &blocked, saved);
}

demi_pool *demi_pool_create(demi_context *context, int32_t threads)
{
    demi_pool *pool = demi_allocate(context, sizeof *pool);
    if (pool == NULL)
        return NULL;
    memset(pool, 0, sizeof *pool);
    pool->threads = threads;
    pool->process = getpid();
    /* on fewer cores than threads, who waits keeps others from their work */
    pool->spin = sysconf(_SC_NPROCESSORS_ONLN) >= threads ? POOL_SPIN : 0;
    /* default attributes: these three fail for want of memory only, which glibc does not need */
    const int mutex = pthread_mutex_init(&pool->mutex, NULL);
    const int open = pthread_cond_init(&pool->open, NULL);
    const int idle = pthread_cond_init(&pool->idle, NULL);
    if (mutex != 0 || open != 0 || idle != 0) {
        if (mutex == 0)
            pthread_mutex_destroy(&pool->mutex);
        if (open == 0)
            pthread_cond_destroy(&pool->open);
        if (idle == 0)
            pthread_cond_destroy(&pool->idle);
        demi_release(context, pool, sizeof *pool);
        return NULL;
    }
    sigset_t saved;
    signals_block(&saved);
    int started = 1;
    for (; started < threads; ++started) {
        pool_range *range = &pool->range[started];
        range->pool = pool;
        if (pthread_create(&range->thread, NULL, pool_main, range) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    if (started == threads)
        return pool;
    pool_end(context, pool, started);
    return NULL;
}

uint64_t demi_pool_bytes(const demi_pool *pool)
{
    return pool != NULL ? sizeof *pool : 0;
}

void demi_pool_destroy(demi_context *context, demi_pool *pool)
{
    if (pool != NULL)
        pool_end(context, pool, pool->threads);
}
