/* SPDX-License-Identifier: MIT */
/**
 * @file pool.c
 * The world's own threads: the bits of one thread for every number of them, on every instruction
 * set; no thread where the host's executor is given, none left behind by a failure, no signal, no
 * memory in a step.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/scene.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DT 1e-3

/* The library's calls come here first. */
static atomic_int threads_started, threads_joined;
static atomic_int threads_left = 1 << 30; /* how many more may be started */

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int join_function(pthread_t, void **);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    create_function *next;
    void *found = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&next, &found, sizeof(next));
    if (atomic_fetch_sub(&threads_left, 1) <= 0)
        return EAGAIN;
    const int status = next(thread, attributes, start, argument);
    atomic_fetch_add(&threads_started, status == 0);
    return status;
}

int pthread_join(pthread_t thread, void **result)
{
    join_function *next;
    void *found = dlsym(RTLD_NEXT, "pthread_join");
    memcpy(&next, &found, sizeof(next));
    const int status = next(thread, result);
    atomic_fetch_add(&threads_joined, status == 0);
    return status;
}

/** What a run ends with. */
typedef struct result {
    uint64_t hash;
    dem_world_counts counts;
    dem_world_energies energies;
} result;

static result run(uint64_t edge, uint64_t layers, uint64_t steps, int32_t threads, int32_t isa)
{
    dem_world_config config = scene_config();
    config.threads = threads;
    config.isa = isa;
    dem_world *world = scene_packing_config(edge, layers, &config);
    OK(dem_step(world, DT, steps));
    result r;
    memset(&r, 0, sizeof(r));
    r.hash = scene_hash(world);
    r.counts = scene_counts(world);
    r.counts.bytes = 0; /* a pool takes some */
    r.energies = scene_energies(world);
    dem_world_destroy(world);
    return r;
}

static void every_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    const result one = run(16, 12, 150, 1, DEM_ISA_AUTO);
    assert_true(one.counts.contacts > 1000 && one.counts.rebuilds > 0);
    assert_true(one.energies.dissipated_slip > 0.0);
    static const int32_t threads[] = {2, 3, 4, 7, 12, 33, 64};
    for (size_t n = 0; n < sizeof(threads) / sizeof(threads[0]); n += test_slow() ? 3 : 1) {
        const int before = atomic_load(&threads_started);
        const result many = run(16, 12, 150, threads[n], DEM_ISA_AUTO);
        assert_int_equal(atomic_load(&threads_started) - before, threads[n] - 1);
        assert_memory_equal(&many, &one, sizeof(one));
    }
}

static void every_instruction_set_gives_the_same_bits(void **state)
{
    (void)state;
    const result one = run(8, 6, 150, 1, DEM_ISA_BASELINE);
    assert_true(one.counts.contacts > 100);
    int ran = 0;
    for (int32_t isa = DEM_ISA_BASELINE; isa <= DEM_ISA_X86_64_V2; ++isa) {
        dem_world_config config = scene_config();
        config.isa = isa;
        dem_world *world = NULL;
        const dem_status status = dem_world_create(&config, &world, NULL);
        dem_world_destroy(world);
        if (status == DEM_ERROR_UNKNOWN && isa != DEM_ISA_BASELINE)
            continue; /* not on this machine */
        assert_int_equal(status, DEM_OK);
        const result other = run(8, 6, 150, 2, isa);
        assert_memory_equal(&other, &one, sizeof(one));
        ++ran;
    }
    printf("# %d instruction sets\n", ran);
}

static void count_run(void *user, void (*task)(void *, uint64_t), void *argument, uint64_t count)
{
    ++*(uint64_t *)user;
    for (uint64_t k = 0; k < count; ++k)
        task(argument, k);
}

static void an_executor_wins_over_threads(void **state)
{
    (void)state;
    uint64_t calls = 0;
    const int before = atomic_load(&threads_started);
    dem_world_config config = scene_config();
    config.threads = 8;
    config.executor = (dem_executor){&calls, count_run};
    dem_world *world = scene_packing_config(8, 6, &config);
    OK(dem_step(world, DT, 3));
    dem_world_destroy(world);
    assert_true(calls >= 9);
    assert_int_equal(atomic_load(&threads_started), before);
}

/** An allocator that counts. */
typedef struct heap {
    uint64_t calls, live;
    int64_t fail_at; /**< call that fails, counted from 0; negative: none */
} heap;

static void *heap_allocate(void *user, uint64_t size, uint64_t alignment)
{
    heap *h = user;
    void *p = NULL;
    if ((int64_t)h->calls++ == h->fail_at || posix_memalign(&p, alignment, size) != 0)
        return NULL;
    ++h->live;
    return p;
}

static void heap_release(void *user, void *pointer, uint64_t size)
{
    (void)size;
    --((heap *)user)->live;
    free(pointer);
}

static void a_world_without_its_threads_is_refused(void **state)
{
    (void)state;
    heap h = {0, 0, -1};
    dem_world_config config = scene_config();
    config.threads = 6;
    config.allocator = (dem_allocator){&h, heap_allocate, heap_release};
    const int running = atomic_load(&threads_started) - atomic_load(&threads_joined);
    for (int k = 0; k <= 5; ++k) {
        dem_world *world = NULL;
        dem_error error = {0, ""};
        atomic_store(&threads_left, k);
        const dem_status status = dem_world_create(&config, &world, &error);
        atomic_store(&threads_left, 1 << 30);
        assert_int_equal(status, k == 5 ? DEM_OK : DEM_ERROR_MEMORY);
        if (k < 5) {
            assert_null(world);
            assert_non_null(strstr(error.message, "dem_world_config.threads: "));
            assert_non_null(strstr(error.message, " 6 "));
        }
        dem_world_destroy(world);
        assert_int_equal(h.live, 0);
        assert_int_equal(atomic_load(&threads_started) - atomic_load(&threads_joined), running);
    }
    /* and where the memory is missing */
    const uint64_t needed = h.calls / 6;
    for (uint64_t k = 0; k < needed; ++k) {
        h.fail_at = (int64_t)(h.calls + k);
        dem_world *world = NULL;
        dem_error error = {0, ""};
        assert_int_equal(dem_world_create(&config, &world, &error), DEM_ERROR_MEMORY);
        assert_int_equal(error.status, DEM_ERROR_MEMORY);
        assert_int_equal(h.live, 0);
    }
}

/** But for one in some twenty, in which contacts of a place have become more than ever. */
static void steps_allocate_nothing(void **state)
{
    (void)state;
    heap h = {0, 0, -1};
    dem_world_config config = scene_config();
    config.threads = 4;
    config.allocator = (dem_allocator){&h, heap_allocate, heap_release};
    dem_world *world = scene_packing_config(12, 8, &config);
    OK(dem_step(world, DT, 20));
    const int started = atomic_load(&threads_started);
    uint64_t quiet = 0, others = 0;
    for (int n = 0; n < 200; ++n) {
        const uint64_t calls = h.calls, rebuilds = scene_counts(world).rebuilds;
        OK(dem_step(world, DT, 1));
        if (scene_counts(world).rebuilds != rebuilds)
            continue; /* the list may have grown */
        quiet += h.calls == calls;
        others += h.calls != calls;
    }
    assert_true(quiet > 20 * others);
    assert_true(quiet > 100);
    assert_int_equal(atomic_load(&threads_started), started);
    dem_world_destroy(world);
    assert_int_equal(h.live, 0);
}

static void *world_maker(void *argument)
{
    uint64_t *hash = argument;
    *hash = 0;
    for (int n = 0; n < 6; ++n) {
        const result r = run(8, 6, 20, 1 + n % 4, DEM_ISA_AUTO);
        if (n > 0 && r.hash != *hash)
            return NULL;
        *hash = r.hash;
    }
    return argument;
}

static void many_worlds_on_many_threads_need_no_lock(void **state)
{
    (void)state;
    enum { MAKERS = 6 };
    const result lone = run(8, 6, 20, 1, DEM_ISA_AUTO);
    pthread_t maker[MAKERS];
    uint64_t hash[MAKERS];
    for (int n = 0; n < MAKERS; ++n)
        assert_int_equal(pthread_create(&maker[n], NULL, world_maker, &hash[n]), 0);
    for (int n = 0; n < MAKERS; ++n) {
        void *back = NULL;
        pthread_join(maker[n], &back);
        assert_ptr_equal(back, &hash[n]);
        assert_int_equal(hash[n], lone.hash);
    }
}

static atomic_int signals_seen;

static void signal_seen(int number)
{
    (void)number;
    atomic_fetch_add(&signals_seen, 1);
}

static void signals_stay_with_the_host(void **state)
{
    (void)state;
    sigset_t before, after, one, pending;
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    dem_world_config config = scene_config();
    config.threads = 4;
    dem_world *world = scene_packing_config(8, 6, &config);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    for (int k = 1; k < 32; ++k)
        assert_int_equal(sigismember(&before, k), sigismember(&after, k));
    /* blocked here: were a thread of the pool open to it, the signal would go there */
    signal(SIGUSR1, signal_seen);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &one, NULL);
    kill(getpid(), SIGUSR1);
    OK(dem_step(world, DT, 20));
    const struct timespec enough = {0, 50000000}; /* for a thread that has to wait for a core */
    nanosleep(&enough, NULL);
    assert_int_equal(atomic_load(&signals_seen), 0);
    sigpending(&pending);
    assert_int_equal(sigismember(&pending, SIGUSR1), 1);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    assert_int_equal(atomic_load(&signals_seen), 1);
    signal(SIGUSR1, SIG_DFL);
    dem_world_destroy(world);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(an_executor_wins_over_threads),
        cmocka_unit_test(a_world_without_its_threads_is_refused),
        cmocka_unit_test(steps_allocate_nothing),
        cmocka_unit_test(many_worlds_on_many_threads_need_no_lock),
        cmocka_unit_test(signals_stay_with_the_host),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
