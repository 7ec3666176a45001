/* SPDX-License-Identifier: MIT */
/**
 * @file fork.c
 * A process that forks has its threads no more. In the child a world with threads of its own steps
 * with the bits of its parent's, is saved, and is destroyed; the parent's goes on as before.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DT 1e-3
#define STEPS 40
#define PATIENCE 300 /* seconds until a child that hangs is ended */

/** What a child tells. */
typedef struct answer {
    uint64_t hash, fresh_hash;
    int destroyed;
} answer;

static dem_world *packing(int32_t threads)
{
    dem_world_config config = scene_config();
    config.threads = threads;
    return scene_packing_config(8, 6, &config);
}

/* A child answers through a pipe and kills itself: at an ordinary exit a memory checker would take
 * what the parent's other threads hold for lost. */
static void child_run(dem_world *world, int generations, int to)
{
    answer told;
    memset(&told, 0, sizeof(told));
    alarm(PATIENCE);
    const pid_t further = generations > 1 ? fork() : 0;
    if (further > 0) { /* the child's child answers */
        while (waitpid(further, NULL, 0) < 0 && errno == EINTR) {
        }
        kill(getpid(), SIGKILL);
    }
    alarm(PATIENCE);
    if (dem_step(world, DT, STEPS) == DEM_OK)
        (void)dem_world_hash(world, &told.hash);
#if !defined(__SANITIZE_THREAD__) /* refuses new threads in a child */
    dem_world *fresh = packing(3);
    if (dem_step(fresh, DT, 2 * STEPS) == DEM_OK)
        (void)dem_world_hash(fresh, &told.fresh_hash);
    dem_world_destroy(fresh);
#endif
    dem_world_destroy(world);
    told.destroyed = 1;
    if (write(to, &told, sizeof(told)) != sizeof(told))
        _exit(1);
    kill(getpid(), SIGKILL);
}

static answer child_answer(dem_world *world, int generations)
{
    int ends[2];
    answer told;
    memset(&told, 0, sizeof(told));
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        child_run(world, generations, ends[1]);
    close(ends[1]);
    if (read(ends[0], &told, sizeof(told)) != sizeof(told))
        memset(&told, 0, sizeof(told));
    close(ends[0]);
    while (waitpid(child, NULL, 0) < 0)
        assert_int_equal(errno, EINTR);
    return told;
}

static void a_child_steps_and_destroys_as_its_parent(void **state)
{
    (void)state;
    static const int32_t threads[] = {1, 2, 4, 13};
    dem_world *lone = packing(1);
    OK(dem_step(lone, DT, STEPS));
    OK(dem_step(lone, DT, STEPS));
    assert_true(scene_counts(lone).contacts > 100);
    for (size_t n = 0; n < sizeof(threads) / sizeof(threads[0]); ++n)
        for (int generations = 1; generations < 3; ++generations)
            for (int asleep = 0; asleep < 2; ++asleep) {
                dem_world *world = packing(threads[n]);
                OK(dem_step(world, DT, STEPS));
                const struct timespec enough = {0, 5000000}; /* for threads to fall asleep */
                if (asleep)
                    nanosleep(&enough, NULL);
                const answer told = child_answer(world, generations);
                assert_true(told.destroyed);
                assert_int_equal(told.hash, scene_hash(lone));
#if !defined(__SANITIZE_THREAD__)
                assert_int_equal(told.fresh_hash, scene_hash(lone));
#endif
                /* the parent has its threads still */
                OK(dem_step(world, DT, STEPS));
                assert_int_equal(scene_hash(world), scene_hash(lone));
                dem_world_destroy(world);
            }
    dem_world_destroy(lone);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_steps_and_destroys_as_its_parent),
    };
    return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}
