/* SPDX-License-Identifier: MIT */
#ifndef _POSIX_C_SOURCE /* NOLINTNEXTLINE(bugprone-reserved-identifier): not a name of ours */
#define _POSIX_C_SOURCE 200809L
#endif
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* strerror is not for threads, and strerror_r is two functions. */
static const char *file_reason(int number)
{
    switch (number) {
    case ENOENT:
        return "there is no such file or folder";
    case EACCES:
    case EPERM:
        return "permission denied";
    case ENOSPC:
    case EDQUOT:
        return "no space is left";
    case EFBIG:
        return "it would be larger than a file may be";
    case EROFS:
        return "the file system is read-only";
    case ENOTDIR:
        return "a part of the path is no folder";
    case ENAMETOOLONG:
        return "the name is too long";
    case EMFILE:
    case ENFILE:
        return "too many files are open";
    default:
        return "the system reports an error";
    }
}

static dem_status file_fail(demi_context *context, const char *path, const char *what, int number)
{
    return demi_fail(context, DEM_ERROR_FILE, "file \"%.100s\": %s: %s (errno %d)", path, what,
                     file_reason(number), number);
}

static dem_status file_put(void *user, const void *bytes, uint64_t size)
{
    const int file = *(const int *)user;
    const unsigned char *from = bytes;
    while (size > 0) {
        const ssize_t done = write(file, from, (size_t)size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return DEM_ERROR_FILE;
        from += done;
        size -= (uint64_t)done;
    }
    return DEM_OK;
}

/* Writes the folder's entry to the disk. Where a folder cannot be opened or synced by its kind,
 * there is nothing to be done about it. */
static int folder_sync(const char *path, char *folder)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        memcpy(folder, ".", 2);
    else {
        const size_t length = slash == path ? 1 : (size_t)(slash - path);
        memcpy(folder, path, length);
        folder[length] = 0;
    }
    const int file = open(folder, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    const int failed = fsync(file) != 0 && errno != EINVAL && errno != EROFS ? errno : 0;
    close(file);
    return failed;
}

/* Opens a file that nobody else has, `path` with something appended. */
static int file_open_new(const char *path, char *name, size_t size)
{
    int file = -1;
    for (unsigned k = 0; file < 0 && k < 1000; ++k) {
        snprintf(name, size, "%s.%lu-%u.part", path, (unsigned long)getpid(), k);
        file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    return file;
}

static dem_status file_write(demi_context *context, const char *path, char *name, size_t size,
                             void (*write_words)(demi_writer *, const void *), const void *argument)
{
    int file = file_open_new(path, name, size);
    if (file < 0)
        return file_fail(context, path, "a new file beside it cannot be made", errno);
    demi_writer writer;
    demi_writer_start(&writer, file_put, &file);
    write_words(&writer, argument);
    demi_writer_flush(&writer);
    int number = writer.status != DEM_OK || fsync(file) != 0 ? errno : 0;
    if (close(file) != 0 && number == 0)
        number = errno;
    if (number == 0 && rename(name, path) != 0)
        number = errno;
    if (number != 0) {
        unlink(name);
        return file_fail(context, path, "cannot be written, what was there remains", number);
    }
    number = folder_sync(path, name);
    if (number != 0)
        return file_fail(context, path, "is written, but may not outlast a loss of power", number);
    return DEM_OK;
}

dem_status demi_file_save(demi_context *context, const char *path,
                          void (*write)(demi_writer *writer, const void *argument),
                          const void *argument)
{
    struct stat present;
    if (stat(path, &present) == 0 && !S_ISREG(present.st_mode))
        return demi_fail(context, DEM_ERROR_FILE, "file \"%.100s\": is not an ordinary file", path);
    const size_t size = strlen(path) + 48;
    char *name = demi_allocate(context, size);
    if (name == NULL)
        return demi_fail_memory(context, "name of a file", size);
    const dem_status status = file_write(context, path, name, size, write, argument);
    demi_release(context, name, size);
    return status;
}

dem_status demi_file_load(demi_context *context, const char *path, void **bytes, uint64_t *size)
{
    *bytes = NULL;
    *size = 0;
    /* a pipe would keep the call waiting */
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return file_fail(context, path, "cannot be read", errno);
    struct stat present;
    dem_status status = DEM_OK;
    if (fstat(file, &present) != 0)
        status = file_fail(context, path, "cannot be read", errno);
    else if (!S_ISREG(present.st_mode))
        status =
            demi_fail(context, DEM_ERROR_FILE, "file \"%.100s\": is not an ordinary file", path);
    else if (present.st_size == 0)
        status = demi_fail(context, DEM_ERROR_FORMAT, "file \"%.100s\": is empty", path);
    const uint64_t wanted = status == DEM_OK ? (uint64_t)present.st_size : 0;
    unsigned char *into = status == DEM_OK ? demi_allocate(context, wanted) : NULL;
    if (status == DEM_OK && into == NULL)
        status = demi_fail_memory(context, "content of a file", wanted);
    uint64_t done = 0;
    while (status == DEM_OK && done < wanted) {
        const ssize_t got = read(file, into + done, (size_t)(wanted - done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            status = file_fail(context, path, "cannot be read", errno);
        else if (got == 0)
            status = demi_fail(context, DEM_ERROR_FILE,
                               "file \"%.100s\": became shorter while it was read", path);
        else
            done += (uint64_t)got;
    }
    close(file);
    if (status != DEM_OK) {
        demi_release(context, into, wanted);
        return status;
    }
    *bytes = into;
    *size = wanted;
    return DEM_OK;
}
