/* SPDX-License-Identifier: MIT */
/**
 * @file reuse.c
 * What was removed leaves its place to what is added, also between steps: memory and work do not
 * grow with the number of calls.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, sigaction */

#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/scene.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/** Bytes of a world after it was changed `times` times in a way that keeps what is in it. */
static uint64_t bytes_after(uint64_t times, void (*change)(dem_world *world, uint64_t n))
{
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    for (uint64_t n = 0; n < times; ++n)
        change(world, n);
    const uint64_t bytes = scene_counts(world).bytes;
    OK(dem_step(world, 1e-3, 1));
    dem_world_destroy(world);
    return bytes;
}

/** The first in leaves first, of never more than eight. */
static void exchange_particle(dem_world *world, uint64_t n)
{
    dem_particle p = scene_particle(2.0 * (double)(n % 8), 0.0, 0.0);
    p.id = n + 1;
    OK(dem_particle_add(world, &p, NULL));
    dem_particle_handle handle;
    if (n < 8)
        return;
    OK(dem_particle_find(world, n - 7, &handle));
    OK(dem_particle_remove(world, handle));
}

static void exchange_wall(dem_world *world, uint64_t n)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = n + 1;
    OK(dem_wall_add(world, &wall, NULL));
    if (n >= 8)
        OK(dem_wall_remove(world, n - 7));
}

static void exchange_model(dem_world *world, uint64_t n)
{
    scene_model(world, 0, 0, 1000.0 + (double)(n % 100), 0.4, 0.7);
}

static void memory_does_not_grow_with_the_number_of_calls(void **state)
{
    (void)state;
    void (*const changes[])(dem_world *, uint64_t) = {exchange_particle, exchange_wall,
                                                      exchange_model};
    for (int k = 0; k < 3; ++k) {
        const uint64_t some = bytes_after(100, changes[k]), many = bytes_after(20000, changes[k]);
        printf("# change %d: %llu bytes after 100 calls, %llu after 20000\n", k,
               (unsigned long long)some, (unsigned long long)many);
        assert_true(many <= 2 * some);
    }
}

/** Memory that is given back becomes rubbish at once. */
static void *spoil_allocate(void *user, uint64_t size, uint64_t alignment)
{
    (void)user;
    void *p = NULL;
    return posix_memalign(&p, (size_t)alignment, (size_t)size) == 0 ? p : NULL;
}

static void spoil_release(void *user, void *pointer, uint64_t size)
{
    (void)user;
    /* volatile: else the compiler leaves out what nobody may read */
    volatile unsigned char *byte = pointer;
    for (uint64_t k = 0; k < size; ++k)
        byte[k] = 0xA5;
    free(pointer);
}

/** Two worlds with contacts, from which the same particle goes; in one of them others come and go
 * and models are replaced. What the list names stays until it is built again: contacts can be read,
 * memory does not grow, and the worlds go on alike. */
static void what_the_list_names_is_kept_until_it_is_built_again(void **state)
{
    (void)state;
    const dem_allocator allocator = {NULL, spoil_allocate, spoil_release};
    dem_world *world[2];
    dem_particle_handle handle;
    for (int k = 0; k < 2; ++k) {
        world[k] = scene_packing(4, 4, NULL, &allocator);
        OK(dem_step(world[k], 5e-4, 50));
        OK(dem_particle_find(world[k], 5, &handle));
        OK(dem_particle_remove(world[k], handle));
    }
    assert_true(scene_counts(world[0]).contacts > 0);
    uint64_t bytes = 0;
    for (int n = 0; n < 300; ++n) {
        dem_particle p = scene_particle(0.5 + n % 4, 1.0, 20.0);
        OK(dem_particle_add(world[1], &p, &handle));
        OK(dem_particle_remove(world[1], handle));
        dem_contact contact = {.struct_size = sizeof(contact)};
        uint64_t cursor = 0;
        OK(dem_world_contact_next(world[1], &cursor, &contact));
        assert_true(contact.overlap > 0.0);
        if (n == 20)
            bytes = scene_counts(world[1]).bytes;
    }
    assert_true(scene_counts(world[1]).bytes <= bytes + bytes / 2);
    for (int k = 0; k < 2; ++k)
        OK(dem_step(world[k], 5e-4, 50));
    assert_int_equal(scene_hash(world[0]), scene_hash(world[1]));
    for (int n = 0; n < 300; ++n) {
        for (int k = 0; k < 2; ++k)
            if (k == 1 || n == 299)
                scene_model(world[k], 0, 0, 1000.0 + n, 0.4, 0.7);
        dem_contact contact = {.struct_size = sizeof(contact)};
        uint64_t cursor = 0;
        OK(dem_world_contact_next(world[1], &cursor, &contact));
        assert_true(contact.overlap > 0.0);
        if (n == 20)
            bytes = scene_counts(world[1]).bytes;
    }
    assert_true(scene_counts(world[1]).bytes <= bytes + bytes / 4);
    for (int k = 0; k < 2; ++k)
        OK(dem_step(world[k], 5e-4, 50));
    assert_int_equal(scene_hash(world[0]), scene_hash(world[1]));
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

/** Removing and adding between steps is the same as adding what is left, in its order: same bits,
 * and handles lead to their particles; also in a world that was saved and loaded in between. */
static void places_do_not_show(void **state)
{
    (void)state;
    enum { ALL = 4000 };
    dem_world *world[2];
    for (int k = 0; k < 2; ++k)
        world[k] = scene_packing(4, 4, NULL, NULL);
    test_random random = {77};
    static uint64_t kept[ALL];
    static dem_particle_handle handle[ALL];
    uint64_t count = 0;
    for (uint64_t n = 0; n < ALL; ++n) {
        dem_particle p = scene_particle(0.5 + (double)(n % 4), 0.5 + (double)(n / 4 % 4),
                                        6.0 + 0.98 * (double)(n / 16));
        p.id = 10000 + n;
        p.velocity[0] = test_uniform(&random, -1.0, 1.0);
        const int stays = n >= ALL - 40;
        if (stays)
            OK(dem_particle_add(world[0], &p, NULL));
        OK(dem_particle_add(world[1], &p, &handle[count]));
        kept[count++] = p.id;
        if (n == 2000) { /* gaps that are not closed yet are saved with the rest */
            uint64_t size, written;
            OK(dem_world_snapshot_size(world[1], &size));
            void *bytes = malloc(size);
            assert_non_null(bytes);
            OK(dem_world_snapshot(world[1], bytes, size, &written));
            OK(dem_world_restore(world[1], bytes, written));
            free(bytes);
        }
        /* one at random goes */
        while (count > 0 && kept[0] < 10000 + ALL - 40 && (count > 60 || n + 1 == ALL - 40)) {
            const uint64_t one = test_random_bits(&random) % count;
            OK(dem_particle_remove(world[1], handle[one]));
            memmove(&kept[one], &kept[one + 1], (count - one - 1) * sizeof(kept[0]));
            memmove(&handle[one], &handle[one + 1], (count - one - 1) * sizeof(handle[0]));
            --count;
        }
    }
    assert_int_equal(count, 40);
    for (uint64_t n = 0; n < count; ++n) {
        dem_particle p = {.struct_size = sizeof(p)};
        OK(dem_particle_get(world[1], handle[n], &p));
        assert_int_equal(p.id, kept[n]);
    }
    for (int k = 0; k < 2; ++k)
        OK(dem_step(world[k], 5e-4, 300));
    assert_int_equal(scene_hash(world[0]), scene_hash(world[1]));
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

/* ------------------------------------------------------------------ work */

/** Memory of the process's own pages, which can be closed so that each page that is looked at is
 * counted once. */
static struct {
    unsigned char *begin;
    uint64_t size, used, page;
    volatile uint64_t touched;
} pages;

static void *pages_allocate(void *user, uint64_t size, uint64_t alignment)
{
    (void)user;
    (void)alignment;
    void *p = pages.begin + pages.used;
    pages.used += (size + pages.page - 1) / pages.page * pages.page;
    return pages.used <= pages.size ? p : NULL;
}

static void pages_release(void *user, void *pointer, uint64_t size)
{
    (void)user;
    (void)pointer;
    (void)size;
}

static void page_open(int number, siginfo_t *info, void *unused)
{
    (void)number;
    (void)unused;
    unsigned char *at = info->si_addr;
    if (at < pages.begin || at >= pages.begin + pages.size)
        _exit(99);
    at -= (uint64_t)(at - pages.begin) % pages.page;
    pages.touched++;
    mprotect(at, pages.page, PROT_READ | PROT_WRITE);
}

/** The most pages of memory that adding a wall looks at, of some walls. */
static uint64_t pages_of_adding(dem_world *world, const dem_wall *wall)
{
    enum { MORE = 20 };
    struct sigaction open = {.sa_sigaction = page_open, .sa_flags = SA_SIGINFO}, before;
    sigaction(SIGSEGV, &open, &before);
    uint64_t most = 0;
    for (int n = 0; n < MORE; ++n) {
        const uint64_t used = pages.used;
        pages.touched = 0;
        mprotect(pages.begin, pages.size, PROT_NONE);
        const dem_status status = dem_wall_add(world, wall, NULL);
        mprotect(pages.begin, pages.size, PROT_READ | PROT_WRITE);
        assert_int_equal(status, DEM_OK);
        if (pages.used == used && pages.touched > most) /* no table grew meanwhile */
            most = pages.touched;
    }
    sigaction(SIGSEGV, &before, NULL);
    return most;
}

/** Adding a wall looks at a few pages of memory, however many walls there are: where there are
 * many, each of three tables of walls may be looked at beside what the last wall added. */
static void work_of_adding_a_wall_does_not_grow(void **state)
{
    (void)state;
    test_real_processor();
    enum { FEW = 100, MANY = 20000, MORE = 20 };
    pages.page = (uint64_t)sysconf(_SC_PAGESIZE);
    pages.size = UINT64_C(1) << 28;
    pages.begin = mmap(NULL, pages.size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(pages.begin != MAP_FAILED);
    dem_world_config config = scene_config();
    config.allocator = (dem_allocator){NULL, pages_allocate, pages_release};
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    dem_wall wall;
    OK(dem_wall_init(&wall));
    for (int n = 0; n < FEW; ++n)
        OK(dem_wall_add(world, &wall, NULL));
    const uint64_t few = pages_of_adding(world, &wall);
    for (int n = FEW + MORE; n < MANY; ++n)
        OK(dem_wall_add(world, &wall, NULL));
    const uint64_t many = pages_of_adding(world, &wall);
    printf("# %llu pages at most, and %llu of many walls\n", (unsigned long long)few,
           (unsigned long long)many);
    assert_true(few > 0 && many <= few + 3);
    assert_int_equal(scene_counts(world).walls, MANY + MORE);
    dem_world_destroy(world);
    munmap(pages.begin, pages.size);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_does_not_grow_with_the_number_of_calls),
        cmocka_unit_test(what_the_list_names_is_kept_until_it_is_built_again),
        cmocka_unit_test(places_do_not_show),
        cmocka_unit_test(work_of_adding_a_wall_does_not_grow),
    };
    return cmocka_run_group_tests_name("reuse", tests, NULL, NULL);
}
