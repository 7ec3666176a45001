/* SPDX-License-Identifier: MIT */
/**
 * @file snapshot_file.c
 * Snapshots in files: whatever happens to who writes one, the file is the old one or the new one.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[256], path[300];

static int folder_make(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%s/libdem-test-XXXXXX", base != NULL ? base : "/tmp");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof(path), "%s/world.dem", folder);
    return 0;
}

/** Removes what is in the folder; tells how many files that were. */
static int folder_empty(void)
{
    DIR *listing = opendir(folder);
    int files = 0;
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        char name[600];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof(name), "%s/%s", folder, entry->d_name);
        assert_int_equal(remove(name), 0);
        ++files;
    }
    closedir(listing);
    return files;
}

static int folder_remove(void **state)
{
    (void)state;
    folder_empty();
    return rmdir(folder);
}

static dem_world *running_world(uint64_t steps)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = busy_world(5, 4, &config);
    OK(dem_step(world, BUSY_DT, steps));
    return world;
}

static dem_world *empty_world(void)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    return world;
}

static void a_file_holds_the_snapshot(void **state)
{
    (void)state;
    dem_world *world = running_world(120), *other = empty_world();
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    for (int round = 0; round < 2; ++round) { /* the second replaces the first */
        OK(dem_world_save(world, path));
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        unsigned char *read = malloc(size + 1);
        assert_non_null(read);
        assert_int_equal(fread(read, 1, size + 1, file), size);
        assert_memory_equal(read, bytes, size);
        fclose(file);
        free(read);
    }
    OK(dem_world_load(other, path));
    OK(dem_step(world, BUSY_DT, 60));
    OK(dem_step(other, BUSY_DT, 60));
    busy_equal(world, other);
    assert_int_equal(folder_empty(), 1);
    /* a name without a folder is one in the present folder */
    char present[1024];
    assert_non_null(getcwd(present, sizeof(present)));
    assert_int_equal(chdir(folder), 0);
    const dem_status saved = dem_world_save(world, "here.dem");
    const dem_status loaded = dem_world_load(other, "here.dem");
    assert_int_equal(chdir(present), 0);
    assert_true(saved == DEM_OK && loaded == DEM_OK);
    busy_equal(world, other);
    assert_int_equal(folder_empty(), 1);
    dem_world_destroy(world);
    dem_world_destroy(other);
    free(bytes);
}

static void expect_file_error(const dem_world *world, dem_status got, const char *word)
{
    assert_int_equal(got, DEM_ERROR_FILE);
    if (strstr(dem_world_error(world), "file \"") == NULL ||
        strstr(dem_world_error(world), word) == NULL)
        fail_msg("message \"%s\" does not name %s", dem_world_error(world), word);
}

static void what_cannot_be_a_file_is_refused(void **state)
{
    (void)state;
    char name[600];
    dem_world *world = running_world(10);
    const uint64_t before = scene_hash(world);
    expect_file_error(world, dem_world_load(world, path), "no such file");
    expect_file_error(world, dem_world_load(world, folder), "ordinary");
    expect_file_error(world, dem_world_save(world, folder), "ordinary");
    expect_file_error(world, dem_world_save(world, "/dev/full"), "ordinary");
    expect_file_error(world, dem_world_load(world, "/dev/zero"), "ordinary");
    snprintf(name, sizeof(name), "%s/none/world.dem", folder);
    expect_file_error(world, dem_world_save(world, name), "no such file or folder");
    snprintf(name, sizeof(name), "%s/%0300d", folder, 7);
    expect_file_error(world, dem_world_save(world, name), "too long");
    snprintf(name, sizeof(name), "%s/pipe", folder);
    assert_int_equal(mkfifo(name, 0600), 0);
    expect_file_error(world, dem_world_load(world, name), "ordinary");
    /* files that are there, but no snapshots */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(dem_world_load(world, path), DEM_ERROR_FORMAT);
    assert_non_null(strstr(dem_world_error(world), "empty"));
    file = fopen(path, "wb");
    assert_non_null(file);
    fputs("a text that is no snapshot, but long enough to be one", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(dem_world_load(world, path), DEM_ERROR_FORMAT);
    assert_int_equal(scene_hash(world), before);
    assert_int_equal(folder_empty(), 2);
    dem_world_destroy(world);
}

/* In a child, whose files may not grow: every possible place for a disk to be full. It answers
 * through a pipe and kills itself: at an ordinary exit a memory checker would take the parent's
 * memory, which the child also holds, for lost. */
static int save_within(const dem_world *world, uint64_t limit, dem_status wanted)
{
    int answer[2];
    assert_int_equal(pipe(answer), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit most = {limit, limit};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &most);
        const dem_status status = dem_world_save(world, path);
        const char right =
            status == wanted && (status == DEM_OK || dem_world_error(world)[0] != 0);
        if (write(answer[1], &right, 1) == 1)
            kill(getpid(), SIGKILL);
        _exit(1);
    }
    char right = 0;
    close(answer[1]);
    const int answered = read(answer[0], &right, 1) == 1;
    close(answer[0]);
    while (waitpid(child, NULL, 0) < 0)
        assert_int_equal(errno, EINTR);
    return answered && right;
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    dem_world *old = running_world(50), *fresh = running_world(90), *read = empty_world();
    uint64_t size;
    OK(dem_world_snapshot_size(fresh, &size));
    OK(dem_world_save(old, path));
    test_random random = test_random_start("full disk");
    for (int round = 0; round < 12; ++round) {
        const uint64_t limit = round == 0   ? 0
                               : round == 1 ? size - 1
                                            : test_random_bits(&random) % size;
        assert_true(save_within(fresh, limit, DEM_ERROR_FILE));
        OK(dem_world_load(read, path));
        busy_equal(read, old);
    }
    assert_true(save_within(fresh, size, DEM_OK));
    OK(dem_world_load(read, path));
    busy_equal(read, fresh);
    assert_int_equal(folder_empty(), 1); /* nothing else was left */
    dem_world_destroy(old);
    dem_world_destroy(fresh);
    dem_world_destroy(read);
}

static void pause_up_to(test_random *random, double most)
{
    const double seconds = test_uniform(random, 0.0, most);
    const struct timespec time = {0, (long)(seconds * 1e9)};
    nanosleep(&time, NULL);
}

/* A child steps and saves without end and is killed at any moment. */
static void a_killed_writer_leaves_the_old_or_the_new_file(void **state)
{
    (void)state;
    enum { KILLS = 40, STEPS_MOST = 100000 };
    dem_world *world = running_world(5), *read = empty_world(), *straight = running_world(5);
    OK(dem_world_save(world, path));
    test_random random = test_random_start("kills");
    uint64_t progress = 0, steps = 5, straight_steps = 5;
    for (int kills = 0; kills < KILLS; ++kills) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            for (int n = 0; n < STEPS_MOST; ++n)
                if (dem_step(world, BUSY_DT, 1) != DEM_OK || dem_world_save(world, path) != DEM_OK)
                    _exit(1);
        pause_up_to(&random, 0.03);
        assert_int_equal(kill(child, SIGKILL), 0);
        int status = 0;
        while (waitpid(child, &status, 0) < 0)
            assert_int_equal(errno, EINTR);
        assert_true(WIFSIGNALED(status));
        if (dem_world_load(read, path) != DEM_OK)
            fail_msg("after %d kills: %s", kills, dem_world_error(read));
        /* each child starts from the same world, so the file tells how far this one came, or the
         * last one that saved at all */
        steps = scene_counts(read).steps;
        progress += steps > 5;
        if (steps < straight_steps) {
            dem_world_destroy(straight);
            straight = running_world(5);
            straight_steps = 5;
        }
        if (steps > straight_steps)
            OK(dem_step(straight, BUSY_DT, steps - straight_steps));
        straight_steps = steps;
        busy_equal(read, straight);
    }
    printf("# %d writers killed, %llu had saved, %d files left\n", KILLS,
           (unsigned long long)progress, folder_empty());
    assert_true(progress > 0);
    dem_world_destroy(world);
    dem_world_destroy(read);
    dem_world_destroy(straight);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_holds_the_snapshot),
        cmocka_unit_test(what_cannot_be_a_file_is_refused),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(a_killed_writer_leaves_the_old_or_the_new_file),
    };
    return cmocka_run_group_tests_name("snapshot_file", tests, folder_make, folder_remove);
}
