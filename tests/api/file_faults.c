/* SPDX-License-Identifier: MIT */
/**
 * @file file_faults.c
 * Every call to the system that saving and loading makes fails, each in turn: the old file stays as
 * it was, or the new one is there whole; nothing is left over, neither files nor descriptors.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"
#include "../support/folder.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------ the system, as it fails */

enum call {
    CALL_OPEN,
    CALL_OPENAT,
    CALL_WRITE,
    CALL_READ,
    CALL_FSYNC,
    CALL_CLOSE,
    CALL_RENAMEAT,
    CALL_FSTAT,
    CALL_STAT,
    CALL_FCHMOD,
    CALL_FCHOWN,
    CALL_READLINK,
    CALL_COUNT
};

static const char *const call_names[CALL_COUNT] = {"open",  "openat", "write",    "read",
                                                   "fsync", "close",  "renameat", "fstat",
                                                   "stat",  "fchmod", "fchown",   "readlink"};

/* Of each call, the one at `at` gives `number` in errno, or if that is 0, `value`. */
static struct {
    int armed;
    int calls[CALL_COUNT];
    enum call call;
    int at, number;
    int repeats; /* so many in a row */
    ssize_t value;
    int owned_by_another; /* what stat says of the owner */
    int opened;           /* less what was closed */
} fault;

/* Whether this call is the one. */
static int struck(enum call call, ssize_t *value)
{
    if (!fault.armed)
        return 0;
    const int k = fault.calls[call]++;
    if (call != fault.call || k < fault.at || k >= fault.at + fault.repeats)
        return 0;
    *value = fault.number != 0 ? -1 : fault.value;
    if (fault.number != 0)
        errno = fault.number;
    return 1;
}

#define REAL(result, name, arguments)                                                              \
    result(*real) arguments;                                                                       \
    void *found = dlsym(RTLD_NEXT, name);                                                          \
    memcpy(&real, &found, sizeof(real))

int open(const char *path, int flags, ...)
{
    REAL(int, "open", (const char *, int, ...));
    ssize_t value;
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (struck(CALL_OPEN, &value))
        return (int)value;
    const int file = real(path, flags, mode);
    fault.opened += fault.armed && file >= 0;
    return file;
}

int openat(int folder, const char *path, int flags, ...)
{
    REAL(int, "openat", (int, const char *, int, ...));
    ssize_t value;
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (struck(CALL_OPENAT, &value))
        return (int)value;
    const int file = real(folder, path, flags, mode);
    fault.opened += fault.armed && file >= 0;
    return file;
}

ssize_t write(int file, const void *bytes, size_t size)
{
    REAL(ssize_t, "write", (int, const void *, size_t));
    ssize_t value;
    if (struck(CALL_WRITE, &value)) /* a value above 0: so many are taken */
        return value > 0 ? real(file, bytes, (size_t)value < size ? (size_t)value : size) : value;
    return real(file, bytes, size);
}

ssize_t read(int file, void *bytes, size_t size)
{
    REAL(ssize_t, "read", (int, void *, size_t));
    ssize_t value;
    if (struck(CALL_READ, &value))
        return value > 0 ? real(file, bytes, (size_t)value < size ? (size_t)value : size) : value;
    return real(file, bytes, size);
}

int fsync(int file)
{
    REAL(int, "fsync", (int));
    ssize_t value;
    return struck(CALL_FSYNC, &value) ? (int)value : real(file);
}

int close(int file)
{
    REAL(int, "close", (int));
    ssize_t value;
    fault.opened -= fault.armed;
    if (!struck(CALL_CLOSE, &value))
        return real(file);
    const int number = errno;
    real(file); /* the descriptor goes whatever the answer */
    errno = number;
    return (int)value;
}

int renameat(int from, const char *old, int to, const char *name)
{
    REAL(int, "renameat", (int, const char *, int, const char *));
    ssize_t value;
    return struck(CALL_RENAMEAT, &value) ? (int)value : real(from, old, to, name);
}

int fstat(int file, struct stat *about)
{
    REAL(int, "fstat", (int, struct stat *));
    ssize_t value;
    return struck(CALL_FSTAT, &value) ? (int)value : real(file, about);
}

int stat(const char *path, struct stat *about)
{
    REAL(int, "stat", (const char *, struct stat *));
    ssize_t value;
    if (struck(CALL_STAT, &value))
        return (int)value;
    const int status = real(path, about);
    if (fault.armed && fault.owned_by_another)
        about->st_uid += 1, about->st_gid += 1;
    return status;
}

int fchmod(int file, mode_t mode)
{
    REAL(int, "fchmod", (int, mode_t));
    ssize_t value;
    return struck(CALL_FCHMOD, &value) ? (int)value : real(file, mode);
}

int fchown(int file, uid_t user, gid_t group)
{
    REAL(int, "fchown", (int, uid_t, gid_t));
    ssize_t value;
    return struck(CALL_FCHOWN, &value) ? (int)value : real(file, user, group);
}

ssize_t readlink(const char *path, char *text, size_t size)
{
    REAL(ssize_t, "readlink", (const char *, char *, size_t));
    ssize_t value;
    return struck(CALL_READLINK, &value) ? value : real(path, text, size);
}

static void arm(enum call call, int at, int repeats, int number, ssize_t value)
{
    memset(&fault, 0, sizeof(fault));
    fault.call = call;
    fault.at = at;
    fault.repeats = repeats;
    fault.number = number;
    fault.value = value;
    fault.armed = 1;
}

/** Whether the call that should fail was made. */
static int disarm(void)
{
    fault.armed = 0;
    assert_int_equal(fault.opened, 0);
    return fault.calls[fault.call] > fault.at;
}

/* ------------------------------------------------------------------ tests */

#define ERRNO_BEFORE 77

static dem_world *running_world(uint64_t steps)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = busy_world(5, 4, &config);
    OK(dem_step(world, BUSY_DT, steps));
    return world;
}

static mode_t mode_of(const char *name)
{
    struct stat about;
    assert_int_equal(stat(name, &about), 0);
    return about.st_mode & 07777;
}

static dem_status armed_save(const dem_world *world)
{
    errno = ERRNO_BEFORE;
    const dem_status status = dem_world_save(world, folder_path);
    assert_int_equal(errno, ERRNO_BEFORE);
    return status;
}

static void holds(const dem_world *world)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *read = NULL;
    OK(dem_world_create(&config, &read, NULL));
    if (dem_world_load(read, folder_path) != DEM_OK)
        fail_msg("%s", dem_world_error(read));
    busy_equal(read, world);
    dem_world_destroy(read);
}

/* Each call of each kind fails once. What happens then: the old file with an error; or for those
 * named, the new file. */
static void a_failed_call_leaves_the_old_file(void **state)
{
    (void)state;
    static const int numbers[CALL_COUNT][3] = {
        [CALL_OPEN] = {EMFILE, ENOENT, ENOTDIR}, [CALL_OPENAT] = {ENOSPC, EROFS, EACCES},
        [CALL_WRITE] = {ENOSPC, EIO, 0},         [CALL_FSYNC] = {EIO, ENOSPC, EDQUOT},
        [CALL_CLOSE] = {EIO, EDQUOT, ENOSPC},    [CALL_RENAMEAT] = {EACCES, EIO, ENOSPC},
        [CALL_FSTAT] = {EIO, EIO, EIO},          [CALL_STAT] = {EACCES, EIO, ELOOP},
        [CALL_FCHMOD] = {EPERM, EIO, EROFS},     [CALL_READLINK] = {EACCES, EIO, ENAMETOOLONG}};
    dem_world *old = running_world(50), *fresh = running_world(90);
    OK(dem_world_save(old, folder_path));
    assert_int_equal(chmod(folder_path, 0640), 0);
    int struck_in_all = 0;
    for (enum call call = CALL_OPEN; call < CALL_COUNT; ++call)
        for (int at = 0; at < 400; ++at) {
            int hit = 0;
            for (int n = 0; n < 3; ++n) {
                if (call == CALL_READ || call == CALL_FCHOWN)
                    continue; /* not called here */
                arm(call, at, 1, numbers[call][n], 0);
                const dem_status status = armed_save(fresh);
                hit = disarm();
                if (!hit) {
                    assert_int_equal(status, DEM_OK);
                    holds(fresh);
                    OK(dem_world_save(old, folder_path));
                    break;
                }
                ++struck_in_all;
                const char *said = dem_world_error(fresh);
                /* the second sync and close are the folder's; the file is there by then */
                if ((call == CALL_FSYNC || call == CALL_CLOSE) && at == 1) {
                    assert_int_equal(status, call == CALL_FSYNC ? DEM_ERROR_FILE : DEM_OK);
                    assert_true(status == DEM_OK || strstr(said, "is written, but") != NULL);
                    holds(fresh);
                    OK(dem_world_save(old, folder_path));
                    continue;
                }
                if (status != DEM_ERROR_FILE || strstr(said, "stays as it was") == NULL)
                    fail_msg("%s %d: status %d, \"%s\"", call_names[call], at, (int)status, said);
                holds(old);
                assert_int_equal(mode_of(folder_path), 0640);
                assert_int_equal(folder_files(), 1);
            }
            if (!hit)
                break;
        }
    printf("# %d calls failed\n", struck_in_all);
    assert_true(struck_in_all >= 3 * (CALL_COUNT - 2)); /* each kind */
    assert_int_equal(mode_of(folder_path), 0640);
    assert_int_equal(folder_empty(), 1);
    dem_world_destroy(old);
    dem_world_destroy(fresh);
}

/* What is not a failure: interruptions, parts taken at a time, folders that cannot be synced. */
static void what_can_be_done_again_is(void **state)
{
    (void)state;
    static const struct {
        enum call call;
        int at, repeats, number;
        ssize_t value;
    } cases[] = {{CALL_WRITE, 0, 3, EINTR, 0},   {CALL_WRITE, 0, 1000, 0, 1},
                 {CALL_WRITE, 1, 1000, 0, 4095}, {CALL_FSYNC, 0, 5, EINTR, 0},
                 {CALL_FSYNC, 1, 2, EINTR, 0},   {CALL_FSYNC, 1, 1, EINVAL, 0},
                 {CALL_FSYNC, 1, 1, EROFS, 0},   {CALL_CLOSE, 0, 1, EINTR, 0},
                 {CALL_OPENAT, 0, 2, EINTR, 0},  {CALL_OPENAT, 0, 300, EEXIST, 0},
                 {CALL_OPEN, 0, 1, EACCES, 0}};
    dem_world *world = running_world(30);
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); ++n) {
        (void)remove(folder_path);
        arm(cases[n].call, cases[n].at, cases[n].repeats, cases[n].number, cases[n].value);
        if (armed_save(world) != DEM_OK)
            fail_msg("case %d: %s", (int)n, dem_world_error(world));
        assert_true(disarm());
        holds(world);
        assert_int_equal(folder_files(), 1);
    }
    /* names that are taken are not tried for ever */
    arm(CALL_OPENAT, 0, 1 << 30, EEXIST, 0);
    assert_int_equal(armed_save(world), DEM_ERROR_FILE);
    assert_true(disarm());
    assert_int_equal(folder_empty(), 1);
    dem_world_destroy(world);
}

/* A file of somebody else's: the owner is kept if that is allowed, then the group; if neither is,
 * the group gets no more than everybody has. */
static void owner_and_mode_are_kept_as_far_as_allowed(void **state)
{
    (void)state;
    dem_world *world = running_world(10);
    OK(dem_world_save(world, folder_path));
    static const struct {
        mode_t before, after;
        int refused;
    } cases[] = {{0660, 0600, 2}, {0664, 0644, 2}, {0664, 0664, 1}, {0606, 0606, 2}};
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); ++n) {
        assert_int_equal(chmod(folder_path, cases[n].before), 0);
        arm(CALL_FCHOWN, 0, cases[n].refused, EPERM, 0);
        fault.owned_by_another = 1;
        const dem_status status = armed_save(world);
        assert_int_equal(fault.calls[CALL_FCHOWN], 2);
        disarm();
        if (cases[n].refused == 1 && geteuid() != 0)
            continue; /* the group that was made up is not ours to give */
        assert_int_equal(status, DEM_OK);
        assert_int_equal(mode_of(folder_path), cases[n].after);
        assert_int_equal(remove(folder_path), 0);
        OK(dem_world_save(world, folder_path));
    }
    /* a file system without modes */
    assert_int_equal(chmod(folder_path, 0600), 0);
    arm(CALL_FCHMOD, 0, 1, EPERM, 0);
    assert_int_equal(armed_save(world), DEM_OK);
    assert_true(disarm());
    assert_int_equal(folder_empty(), 1);
    dem_world_destroy(world);
}

static void a_failed_call_leaves_the_world(void **state)
{
    (void)state;
    dem_world *old = running_world(50), *fresh = running_world(90);
    OK(dem_world_save(fresh, folder_path));
    static const enum call calls[] = {CALL_OPEN, CALL_FSTAT, CALL_READ};
    uint64_t size;
    unsigned char *bytes = busy_snapshot(old, &size);
    const uint64_t before = scene_hash(old);
    int failed = 0;
    for (size_t n = 0; n < sizeof(calls) / sizeof(calls[0]); ++n)
        for (int at = 0, hit = 1; hit && at < 10; ++at)
            for (int ends = 0; hit && ends < 2; ++ends) {
                if (ends && calls[n] != CALL_READ)
                    continue;
                arm(calls[n], at, 1 << 20, ends ? 0 : EIO, 0); /* or the file is shorter */
                errno = ERRNO_BEFORE;
                const dem_status status = dem_world_load(old, folder_path);
                assert_int_equal(errno, ERRNO_BEFORE);
                hit = disarm();
                if (!hit) {
                    assert_int_equal(status, DEM_OK);
                    OK(dem_world_restore(old, bytes, size));
                    break;
                }
                ++failed;
                /* a file that ends within its head is none */
                assert_int_equal(status, ends && at == 0 ? DEM_ERROR_FORMAT : DEM_ERROR_FILE);
                assert_int_equal(scene_hash(old), before);
            }
    assert_true(failed >= 6);
    arm(CALL_READ, 0, 2, EINTR, 0);
    OK(dem_world_load(old, folder_path));
    assert_true(disarm());
    busy_equal(old, fresh);
    arm(CALL_READ, 0, 1 << 30, 0, 7); /* seven bytes at a time */
    OK(dem_world_load(old, folder_path));
    assert_true(disarm());
    busy_equal(old, fresh);
    assert_int_equal(folder_empty(), 1);
    dem_world_destroy(old);
    dem_world_destroy(fresh);
    free(bytes);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_call_leaves_the_old_file),
        cmocka_unit_test(what_can_be_done_again_is),
        cmocka_unit_test(owner_and_mode_are_kept_as_far_as_allowed),
        cmocka_unit_test(a_failed_call_leaves_the_world),
    };
    return cmocka_run_group_tests_name("file_faults", tests, folder_make, folder_remove);
}
