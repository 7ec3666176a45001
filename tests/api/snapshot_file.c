/* SPDX-License-Identifier: MIT */
/**
 * @file snapshot_file.c
 * Snapshots in files: whatever happens to who writes one, the file is the old one or the new one.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"
#include "../support/folder.h"

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
        OK(dem_world_save(world, folder_path));
        FILE *file = fopen(folder_path, "rb");
        assert_non_null(file);
        unsigned char *read = malloc(size + 1);
        assert_non_null(read);
        assert_int_equal(fread(read, 1, size + 1, file), size);
        assert_memory_equal(read, bytes, size);
        fclose(file);
        free(read);
    }
    OK(dem_world_load(other, folder_path));
    OK(dem_step(world, BUSY_DT, 60));
    OK(dem_step(other, BUSY_DT, 60));
    busy_equal(world, other);
    assert_int_equal(folder_empty(), 1);
    /* a name without a folder is one in the present folder */
    char present[1024];
    assert_non_null(getcwd(present, sizeof(present)));
    assert_int_equal(chdir(folder_name), 0);
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
    expect_file_error(world, dem_world_load(world, folder_path), "no such file");
    expect_file_error(world, dem_world_load(world, folder_name), "regular");
    expect_file_error(world, dem_world_save(world, folder_name), "regular");
    expect_file_error(world, dem_world_save(world, "/dev/full"), "regular");
    expect_file_error(world, dem_world_load(world, "/dev/zero"), "regular");
    snprintf(name, sizeof(name), "%s/none/world.dem", folder_name);
    expect_file_error(world, dem_world_save(world, name), "no such file or folder");
    snprintf(name, sizeof(name), "%s/%0300d", folder_name, 7);
    expect_file_error(world, dem_world_save(world, name), "too long");
    snprintf(name, sizeof(name), "%s/pipe", folder_name);
    assert_int_equal(mkfifo(name, 0600), 0);
    expect_file_error(world, dem_world_load(world, name), "regular");
    /* files that are there, but no snapshots */
    FILE *file = fopen(folder_path, "wb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(dem_world_load(world, folder_path), DEM_ERROR_FORMAT);
    assert_non_null(strstr(dem_world_error(world), "empty"));
    file = fopen(folder_path, "wb");
    assert_non_null(file);
    fputs("a text that is no snapshot, but long enough to be one", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(dem_world_load(world, folder_path), DEM_ERROR_FORMAT);
    assert_non_null(strstr(dem_world_error(world), folder_path));
    /* one that is cut, one that is longer, and one with a wrong byte */
    for (int round = 0; round < 3; ++round) {
        OK(dem_world_save(world, folder_path));
        struct stat whole;
        assert_int_equal(stat(folder_path, &whole), 0);
        if (round < 2) {
            assert_int_equal(truncate(folder_path, whole.st_size + (round == 0 ? -8 : 8)), 0);
        } else {
            file = fopen(folder_path, "r+b");
            assert_non_null(file);
            assert_int_equal(fseek(file, (long)whole.st_size / 2, SEEK_SET), 0);
            const int byte = fgetc(file);
            assert_int_equal(fseek(file, (long)whole.st_size / 2, SEEK_SET), 0);
            assert_true(fputc(byte ^ 1, file) != EOF);
            assert_int_equal(fclose(file), 0);
        }
        assert_int_equal(dem_world_load(world, folder_path), DEM_ERROR_FORMAT);
        if (strstr(dem_world_error(world), folder_path) == NULL)
            fail_msg("\"%s\" does not name the file", dem_world_error(world));
        assert_int_equal(scene_hash(world), before);
    }
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
        const dem_status status = dem_world_save(world, folder_path);
        const char right = status == wanted && (status == DEM_OK || dem_world_error(world)[0] != 0);
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
    OK(dem_world_save(old, folder_path));
    test_random random = test_random_start("full disk");
    for (int round = 0; round < 12; ++round) {
        const uint64_t limit = round == 0   ? 0
                               : round == 1 ? size - 1
                                            : test_random_bits(&random) % size;
        assert_true(save_within(fresh, limit, DEM_ERROR_FILE));
        OK(dem_world_load(read, folder_path));
        busy_equal(read, old);
    }
    assert_true(save_within(fresh, size, DEM_OK));
    OK(dem_world_load(read, folder_path));
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

/** A child that steps and saves until it is killed, and tells of each file it has written. */
static pid_t writer(dem_world *world, int written[2])
{
    assert_int_equal(pipe(written), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child != 0) {
        close(written[1]);
        return child;
    }
    while (dem_step(world, BUSY_DT, 1) == DEM_OK && dem_world_save(world, folder_path) == DEM_OK &&
           write(written[1], "w", 1) == 1)
        continue;
    _exit(1);
}

static void wait_for_files(int written, uint64_t files)
{
    char byte;
    for (uint64_t n = 0; n < files; ++n)
        assert_int_equal(read(written, &byte, 1), 1);
}

/* A writer is killed at any moment: every other one after it has written some files, however long
 * that takes on this machine, the others also before they have written one. */
static void a_killed_writer_leaves_the_old_or_the_new_file(void **state)
{
    (void)state;
    enum { KILLS = 40 };
    dem_world *world = running_world(5), *read = empty_world(), *straight = running_world(5);
    OK(dem_world_save(world, folder_path));
    test_random random = test_random_start("kills");
    uint64_t progress = 0, steps = 5, straight_steps = 5;
    for (int kills = 0; kills < KILLS; ++kills) {
        int written[2];
        const pid_t child = writer(world, written);
        if (kills % 2 == 0)
            wait_for_files(written[0], 1 + test_random_bits(&random) % 3);
        pause_up_to(&random, 0.03);
        assert_int_equal(kill(child, SIGKILL), 0);
        int status = 0;
        while (waitpid(child, &status, 0) < 0)
            assert_int_equal(errno, EINTR);
        assert_true(WIFSIGNALED(status));
        close(written[0]);
        if (dem_world_load(read, folder_path) != DEM_OK)
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
    assert_true(progress >= KILLS / 2);
    dem_world_destroy(world);
    dem_world_destroy(read);
    dem_world_destroy(straight);
}

static mode_t mode_of(const char *name)
{
    struct stat about;
    assert_int_equal(lstat(name, &about), 0);
    return about.st_mode;
}

static void a_file_keeps_its_mode(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0644, 0666, 0400, 0777};
    dem_world *world = running_world(10);
    const mode_t mask = umask(027);
    OK(dem_world_save(world, folder_path));
    assert_int_equal(mode_of(folder_path) & 07777, 0640); /* a new one has the process's */
    for (size_t n = 0; n < sizeof(modes) / sizeof(modes[0]); ++n) {
        assert_int_equal(chmod(folder_path, modes[n]), 0);
        OK(dem_world_save(world, folder_path));
        assert_int_equal(mode_of(folder_path) & 07777, modes[n]);
    }
    umask(mask);
    assert_int_equal(folder_empty(), 1);
    dem_world_destroy(world);
}

static void expect_saved(const dem_world *world, const char *name)
{
    dem_world *read = empty_world();
    if (dem_world_load(read, name) != DEM_OK)
        fail_msg("%s", dem_world_error(read));
    busy_equal(read, world);
    dem_world_destroy(read);
}

/** The path of a name in the folder; one of a few that may be held at once. */
static const char *in_folder(const char *name)
{
    static char text[4][600];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(text[turn], sizeof(text[turn]), "%s/%s", folder_name, name);
    return text[turn];
}

/* The file that a link leads to is replaced; the link stays. */
static void links_are_followed_and_kept(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("deep"), 0700), 0);
    static const struct {
        const char *link, *to, *target;
    } cases[] = {{"one", "world.dem", "world.dem"},         /* beside it */
                 {"two", "one", "world.dem"},               /* a chain */
                 {"deep/three", "../two", "world.dem"},     /* from another folder */
                 {"four", "deep/new.dem", "deep/new.dem"},  /* to what is not there yet */
                 {"deep/five", "new.dem", "deep/new.dem"}}; /* relative to the link's folder */
    dem_world *old = running_world(10), *fresh = running_world(20);
    OK(dem_world_save(old, folder_path));
    assert_int_equal(chmod(folder_path, 0604), 0);
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); ++n) {
        char before[600], after[600];
        assert_int_equal(symlink(cases[n].to, in_folder(cases[n].link)), 0);
        OK(dem_world_save(fresh, in_folder(cases[n].link)));
        assert_true(S_ISLNK(mode_of(in_folder(cases[n].link))));
        snprintf(before, sizeof(before), "%s", cases[n].to);
        const ssize_t length = readlink(in_folder(cases[n].link), after, sizeof(after) - 1);
        assert_true(length > 0);
        after[length] = 0;
        assert_string_equal(before, after);
        assert_true(S_ISREG(mode_of(in_folder(cases[n].target))));
        expect_saved(fresh, in_folder(cases[n].target));
        OK(dem_world_save(old, in_folder(cases[n].target)));
        expect_saved(old, in_folder(cases[n].link));
    }
    assert_int_equal(mode_of(folder_path) & 07777, 0604);
    /* by a path from the root */
    assert_int_equal(symlink(folder_path, in_folder("deep/six")), 0);
    OK(dem_world_save(fresh, in_folder("deep/six")));
    expect_saved(fresh, folder_path);
    /* in a circle, to a folder, to a device */
    assert_int_equal(symlink("eight", in_folder("seven")), 0);
    assert_int_equal(symlink("seven", in_folder("eight")), 0);
    expect_file_error(fresh, dem_world_save(fresh, in_folder("seven")), "circle");
    assert_int_equal(symlink("deep", in_folder("nine")), 0);
    expect_file_error(fresh, dem_world_save(fresh, in_folder("nine")), "regular");
    expect_file_error(fresh, dem_world_save(fresh, in_folder("nine/")), "regular");
    expect_file_error(fresh, dem_world_save(fresh, in_folder("none/")), "folder");
    assert_int_equal(symlink("/dev/null", in_folder("ten")), 0);
    expect_file_error(fresh, dem_world_save(fresh, in_folder("ten")), "regular");
    static const char *const inside[] = {"deep/three", "deep/five", "deep/six", "deep/new.dem"};
    for (size_t n = 0; n < sizeof(inside) / sizeof(inside[0]); ++n)
        assert_int_equal(remove(in_folder(inside[n])), 0);
    assert_int_equal(folder_empty(), 9); /* the file, its folder and seven links: no part is left */
    dem_world_destroy(old);
    dem_world_destroy(fresh);
}

/* What can be opened can be saved: names and paths of the greatest length. */
static void long_names_are_names(void **state)
{
    (void)state;
    enum { NAME = 255, PATH = 4095 };
    dem_world *world = running_world(10);
    char name[NAME + 1], *path = malloc(PATH + 2);
    assert_non_null(path);
    memset(name, 'n', NAME);
    name[NAME] = 0;
    OK(dem_world_save(world, in_folder(name)));
    OK(dem_world_save(world, in_folder(name)));
    expect_saved(world, in_folder(name));
    assert_int_equal(folder_empty(), 1);
    /* of two letters in a folder whose path is as long as it can be */
    size_t length = (size_t)snprintf(path, PATH, "%s", folder_name);
    while (length < PATH - 3) {
        const size_t left = PATH - 3 - length, part = left > NAME + 2 ? NAME : left - 1;
        path[length] = '/';
        memset(path + length + 1, 'f', part);
        path[length += part + 1] = 0;
        assert_int_equal(mkdir(path, 0700), 0);
    }
    const size_t folders = length;
    memcpy(path + length, "/no", 4);
    assert_int_equal(strlen(path), PATH);
    for (int round = 0; round < 2; ++round)
        OK(dem_world_save(world, path));
    expect_saved(world, path);
    assert_int_equal(remove(path), 0);
    path[length] = 0;
    for (length = folders; strcmp(path, folder_name) != 0; *strrchr(path, '/') = 0)
        assert_int_equal(rmdir(path), 0);
    free(path);
    dem_world_destroy(world);
}

static uint64_t heap_most;

static void *heap_allocate(void *user, uint64_t size, uint64_t alignment)
{
    (void)user;
    void *p = NULL;
    heap_most = size > heap_most ? size : heap_most;
    return posix_memalign(&p, alignment, (size_t)size) == 0 ? p : NULL;
}

static void heap_release(void *user, void *pointer, uint64_t size)
{
    (void)user, (void)size;
    free(pointer);
}

/* A large file that is none is refused by its head, before memory for it is asked for. */
static void the_head_is_looked_at_first(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.allocator = (dem_allocator){NULL, heap_allocate, heap_release};
    dem_world *world = NULL, *other = running_world(10);
    OK(dem_world_create(&config, &world, NULL));
    heap_most = 0;
    for (int round = 0; round < 2; ++round) {
        if (round == 1) /* one that was a snapshot, and has grown */
            OK(dem_world_save(other, folder_path));
        const int file = open(folder_path, O_WRONLY | O_CREAT, 0600);
        assert_true(file >= 0);
        assert_int_equal(ftruncate(file, (off_t)3 << 30), 0); /* takes no room */
        assert_int_equal(close(file), 0);
        assert_int_equal(dem_world_load(world, folder_path), DEM_ERROR_FORMAT);
        assert_non_null(strstr(dem_world_error(world), round == 0 ? "not a snapshot" : "bytes"));
        assert_true(heap_most < 4096);
    }
    assert_int_equal(folder_empty(), 1);
    dem_world_destroy(world);
    dem_world_destroy(other);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_holds_the_snapshot),
        cmocka_unit_test(what_cannot_be_a_file_is_refused),
        cmocka_unit_test(a_file_keeps_its_mode),
        cmocka_unit_test(links_are_followed_and_kept),
        cmocka_unit_test(long_names_are_names),
        cmocka_unit_test(the_head_is_looked_at_first),
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(a_killed_writer_leaves_the_old_or_the_new_file),
    };
    return cmocka_run_group_tests_name("snapshot_file", tests, folder_make, folder_remove);
}
