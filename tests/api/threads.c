/* SPDX-License-Identifier: MIT */
/**
 * @file threads.c
 * The host's threads: any number of workers, in any order, give the bits of one thread.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/scene.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define EDGE 16u
#define LAYERS 12u /* 3072 spheres */
#define STEPS 200u
#define DT 1e-3
#define WORKERS_MOST 8

/** How tasks are handed out. */
enum { ORDER_FORWARD, ORDER_REVERSED, ORDER_SHUFFLED };

/** A pool: workers wait for a run, take tasks from one counter, and report back. */
typedef struct pool {
    int workers, order;
    pthread_t thread[WORKERS_MOST];
    pthread_mutex_t mutex;
    pthread_cond_t start, done;
    uint64_t round; /* of run calls; with the three below guarded by the mutex */
    int busy, quit;
    uint64_t ran[WORKERS_MOST]; /* tasks of each worker */
    uint64_t widest;            /* most tasks of one run */
    int together;               /* workers of a run that must be at work at once */
    void (*task)(void *, uint64_t);
    void *argument;
    uint64_t count;
    uint64_t *deck; /* the order of tasks */
    uint64_t deck_room;
    atomic_uint_fast64_t next;
    atomic_int arrived;
    test_random random;
} pool;

typedef struct pool_worker {
    pool *pool;
    int index;
} pool_worker;

static void *pool_main(void *argument)
{
    pool_worker self = *(pool_worker *)argument;
    free(argument);
    pool *p = self.pool;
    uint64_t seen = 0;
    for (;;) {
        pthread_mutex_lock(&p->mutex);
        while (p->round == seen && !p->quit)
            pthread_cond_wait(&p->start, &p->mutex);
        const int quit = p->quit;
        seen = p->round;
        pthread_mutex_unlock(&p->mutex);
        if (quit)
            return NULL;
        uint64_t mine = 0;
        uint64_t k;
        while ((k = atomic_fetch_add(&p->next, 1)) < p->count) {
            if (mine++ == 0) {
                /* the first task of each waits for the others': several are at work at once */
                atomic_fetch_add(&p->arrived, 1);
                while (atomic_load(&p->arrived) < p->together)
                    sched_yield();
            }
            p->task(p->argument, p->deck[k]);
        }
        pthread_mutex_lock(&p->mutex);
        p->ran[self.index] += mine;
        if (--p->busy == 0)
            pthread_cond_signal(&p->done);
        pthread_mutex_unlock(&p->mutex);
    }
}

static void pool_run(void *user, void (*task)(void *, uint64_t), void *argument, uint64_t count)
{
    pool *p = user;
    pthread_mutex_lock(&p->mutex);
    if (count > p->deck_room) {
        free(p->deck);
        p->deck = malloc(count * sizeof(*p->deck));
        p->deck_room = count;
        if (p->deck == NULL)
            abort();
    }
    for (uint64_t k = 0; k < count; ++k)
        p->deck[k] = p->order == ORDER_REVERSED ? count - 1 - k : k;
    if (p->order == ORDER_SHUFFLED)
        for (uint64_t k = count; k > 1; --k) {
            const uint64_t other = test_random_bits(&p->random) % k, kept = p->deck[k - 1];
            p->deck[k - 1] = p->deck[other];
            p->deck[other] = kept;
        }
    p->task = task;
    p->argument = argument;
    p->count = count;
    p->widest = count > p->widest ? count : p->widest;
    p->together = count < (uint64_t)p->workers ? (int)count : p->workers;
    p->busy = p->workers;
    ++p->round;
    atomic_store(&p->next, 0);
    atomic_store(&p->arrived, 0);
    pthread_cond_broadcast(&p->start);
    while (p->busy > 0)
        pthread_cond_wait(&p->done, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}

static pool *pool_start(int workers, int order)
{
    pool *p = calloc(1, sizeof(*p));
    assert_non_null(p);
    p->workers = workers;
    p->order = order;
    p->random.state = 4242;
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->start, NULL);
    pthread_cond_init(&p->done, NULL);
    for (int n = 0; n < workers; ++n) {
        pool_worker *worker = malloc(sizeof(*worker));
        assert_non_null(worker);
        worker->pool = p;
        worker->index = n;
        assert_int_equal(pthread_create(&p->thread[n], NULL, pool_main, worker), 0);
    }
    return p;
}

static void pool_end(pool *p)
{
    pthread_mutex_lock(&p->mutex);
    p->quit = 1;
    pthread_cond_broadcast(&p->start);
    pthread_mutex_unlock(&p->mutex);
    for (int n = 0; n < p->workers; ++n)
        pthread_join(p->thread[n], NULL);
    pthread_mutex_destroy(&p->mutex);
    pthread_cond_destroy(&p->start);
    pthread_cond_destroy(&p->done);
    free(p->deck);
    free(p);
}

/** What a run of the packing ends with. */
typedef struct result {
    uint64_t hash, contacts, rebuilds, chunks;
    dem_world_energies energies;
} result;

static result finish(dem_world *world)
{
    result r;
    memset(&r, 0, sizeof(r));
    r.hash = scene_hash(world);
    const dem_world_counts counts = scene_counts(world);
    r.contacts = counts.contacts;
    r.rebuilds = counts.rebuilds;
    r.chunks = counts.chunks;
    r.energies = scene_energies(world);
    dem_world_destroy(world);
    return r;
}

static result serial(void)
{
    dem_world *world = scene_packing(EDGE, LAYERS, NULL, NULL);
    OK(dem_step(world, DT, STEPS));
    return finish(world);
}

static void every_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    const result one = serial();
    assert_true(one.contacts > 1000 && one.rebuilds > 0);
    assert_true(one.energies.dissipated_slip > 0.0);
    printf("# %llu contacts, %llu chunks, %llu rebuilds, hash %016llx\n",
           (unsigned long long)one.contacts, (unsigned long long)one.chunks,
           (unsigned long long)one.rebuilds, (unsigned long long)one.hash);
    const struct {
        int workers, order;
    } runs[] = {{1, ORDER_FORWARD},  {1, ORDER_REVERSED}, {2, ORDER_FORWARD},
                {3, ORDER_SHUFFLED}, {5, ORDER_REVERSED}, {8, ORDER_SHUFFLED}};
    const size_t every = test_slow() ? 2 : 1; /* then those that take another order, too */
    for (size_t n = every - 1; n < sizeof(runs) / sizeof(runs[0]); n += every) {
        pool *p = pool_start(runs[n].workers, runs[n].order);
        const dem_executor executor = {p, pool_run};
        dem_world *world = scene_packing(EDGE, LAYERS, &executor, NULL);
        OK(dem_step(world, DT, STEPS));
        const result many = finish(world);
        assert_int_equal(many.hash, one.hash);
        assert_memory_equal(&many, &one, sizeof(one));
        /* work was really shared: there were enough tasks, and each worker ran some */
        assert_true(p->widest >= (uint64_t)runs[n].workers);
        for (int w = 0; w < runs[n].workers; ++w)
            assert_true(p->ran[w] > 0);
        pool_end(p);
    }
}

static void calls_of_one_step_give_the_same_bits(void **state)
{
    (void)state;
    const result one = serial();
    dem_world *world = scene_packing(EDGE, LAYERS, NULL, NULL);
    OK(dem_step(world, DT, 0));
    for (unsigned n = 0; n < STEPS; ++n) {
        OK(dem_step(world, DT, 1));
        /* reading between steps changes nothing */
        dem_view view = {.struct_size = sizeof(view)};
        if (n % 16 == 0)
            OK(dem_world_view(world, DEM_FIELD_FORCE, &view));
    }
    assert_int_equal(scene_hash(world), one.hash);
    dem_world_destroy(world);
}

/* Two worlds on two threads share nothing: a thread sanitizer sees this. */
/** Grains with an adhesive law and dashpots, whose pairs get one without dashpots. */
static dem_world *world_without_dashpots(const dem_executor *executor)
{
    dem_world_config config = scene_config();
    config.chunk_rows = 8;
    config.executor = *executor;
    dem_world *world = scene_world(&config);
    dem_contact_model model[2];
    dem_adhesion adhesion;
    dem_thornton thornton;
    dem_mindlin mindlin;
    OK(dem_adhesion_init(&adhesion));
    OK(dem_thornton_init(&thornton));
    OK(dem_mindlin_init(&mindlin));
    adhesion.young[0] = thornton.young[0] = 2e6;
    adhesion.work_of_adhesion = 0.5;
    adhesion.restitution = 0.7;
    thornton.yield_pressure = 2e5;
    for (int k = 0; k < 2; ++k) {
        OK(dem_contact_model_init(&model[k]));
        model[k].lever_arm = DEM_ARM_CONTACT;
    }
    OK(dem_contact_model_add_jkr(&model[0], &adhesion));
    OK(dem_contact_model_add_mindlin(&model[0], &mindlin));
    OK(dem_contact_model_add_thornton(&model[1], &thornton));
    OK(dem_contact_model_add_mindlin(&model[1], &mindlin));
    OK(dem_contact_model_set(world, 0, 0, &model[0]));
    test_random random = {7};
    for (int k = 0; k < 216; ++k) {
        dem_particle p = scene_particle(0.196 * (k % 6), 0.196 * (k / 6 % 6), 0.196 * (k / 36));
        p.mass = 0.0; /* from the density */
        p.radius = test_uniform(&random, 0.08, 0.105);
        for (int c = 0; c < 3; ++c) {
            p.velocity[c] = test_uniform(&random, -0.3, 0.3);
            p.angular_velocity[c] = test_uniform(&random, -2.0, 2.0);
        }
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, 2e-4, 20));
    OK(dem_contact_model_set(world, 0, 0, &model[1]));
    OK(dem_step(world, 2e-4, 0));
    return world;
}

/** What a thread had in its lanes before, dashpots among it, is not seen in contacts, not even by
 * the sign of a zero. */
static void lanes_of_before_are_not_seen(void **state)
{
    (void)state;
    static double slots[2][2000][16];
    uint64_t count[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
        pool *p = pool_start(1, k == 0 ? ORDER_FORWARD : ORDER_REVERSED);
        const dem_executor executor = {.run = pool_run, .user = p};
        dem_world *world = world_without_dashpots(&executor);
        dem_contact contact = {.struct_size = sizeof contact};
        for (uint64_t cursor = 0; dem_world_contact_next(world, &cursor, &contact) == DEM_OK;)
            memcpy(slots[k][count[k]++], contact.state, contact.state_count * sizeof(double));
        dem_world_destroy(world);
        pool_end(p);
    }
    assert_true(count[0] > 50 && count[0] == count[1]);
    assert_memory_equal(slots[0], slots[1], sizeof slots[0]);
}

static void *lone_world(void *argument)
{
    dem_world *world = *(dem_world **)argument;
    const dem_status status = dem_step(world, DT, STEPS);
    return status == DEM_OK ? argument : NULL;
}

static void two_worlds_need_no_lock(void **state)
{
    (void)state;
    dem_world *world[2], *lone = scene_packing(6, 4, NULL, NULL);
    pthread_t thread[2];
    for (int n = 0; n < 2; ++n)
        world[n] = scene_packing(6, 4, NULL, NULL);
    for (int n = 0; n < 2; ++n)
        assert_int_equal(pthread_create(&thread[n], NULL, lone_world, &world[n]), 0);
    OK(dem_step(lone, DT, STEPS));
    for (int n = 0; n < 2; ++n) {
        void *back = NULL;
        pthread_join(thread[n], &back);
        assert_non_null(back);
        assert_int_equal(scene_hash(world[n]), scene_hash(lone));
        dem_world_destroy(world[n]);
    }
    dem_world_destroy(lone);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(calls_of_one_step_give_the_same_bits),
        cmocka_unit_test(two_worlds_need_no_lock),
        cmocka_unit_test(lanes_of_before_are_not_seen),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
