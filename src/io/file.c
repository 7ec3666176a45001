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
        return "the file would be larger than the system allows";
    case EROFS:
        return "the file system is read-only";
    case ENOTDIR:
        return "a part of the path is not a folder";
    case EISDIR:
        return "it is a folder";
    case ELOOP:
        return "symbolic links lead in a circle";
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

/* ------------------------------------------------------------------ writing */

/* A file that is being written: a new one in the folder of the one whose name it will get. Names
 * are relative to `folder`; where that cannot be opened, they are relative to the present one. */
typedef struct file_new {
    int folder;     /* or AT_FDCWD */
    int file, kept; /* descriptor; whether there is a file of that name, whose `mode` is kept */
    int number;     /* errno of the first thing that failed */
    struct stat present;
    const char *name;  /* the final one */
    char *part, *tail; /* the one until then, and its end after the folder */
} file_new;

enum {
    PART_ROOM = 48,    /* for the name of the new file, without its folder */
    PART_MOST = 65536, /* so many names are tried, for that many files may have been left behind */
    LINK_MOST = 40,    /* links in a chain: as many as the kernel follows */
    LINK_ROOM = 4096   /* for the text of one */
};

static dem_status file_sink(void *user, const void *bytes, uint64_t size)
{
    file_new *f = user;
    const unsigned char *from = bytes;
    while (size > 0) {
        const ssize_t done = write(f->file, from, (size_t)size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            f->number = done < 0 ? errno : EIO;
            return DEM_ERROR_FILE;
        }
        from += done;
        size -= (uint64_t)done;
    }
    return DEM_OK;
}

static int file_sync(int file)
{
    int failed;
    do
        failed = fsync(file);
    while (failed != 0 && errno == EINTR);
    return failed != 0 ? errno : 0;
}

/* Replaces `name`, in a block of `room` bytes, by what the links at its end lead to; that need not
 * be there. The text of a link is relative to the link's folder. */
static int link_follow(char *name, size_t room)
{
    char to[LINK_ROOM];
    for (int links = 0; links < LINK_MOST; ++links) {
        const ssize_t got = readlink(name, to, sizeof to);
        if (got < 0)
            return errno == EINVAL || errno == ENOENT ? 0 : errno;
        const size_t length = (size_t)got;
        const char *slash = to[0] == '/' ? NULL : strrchr(name, '/');
        const size_t folder = slash != NULL ? (size_t)(slash - name) + 1 : 0;
        if (length == sizeof to || folder + length >= room)
            return ENAMETOOLONG;
        memcpy(name + folder, to, length);
        name[folder + length] = 0;
    }
    return ELOOP;
}

/* Finds folder and names. `part` has room for the folder and PART_ROOM. */
static int file_place(file_new *f, const char *name, char *part)
{
    f->folder = AT_FDCWD;
    f->part = f->tail = part;
    f->name = name;
    f->kept = stat(name, &f->present) == 0;
    if (!f->kept && errno != ENOENT)
        return errno;
    const char *slash = strrchr(name, '/');
    const size_t length = slash != NULL ? (size_t)(slash - name) + 1 : 0;
    if (name[length] == 0)
        return EISDIR;
    memcpy(part, name, length);
    part[length] = 0;
    const int folder = open(length > 0 ? part : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        f->tail += length; /* a folder that may be written and not read */
        return errno == EACCES ? 0 : errno;
    }
    f->folder = folder;
    f->name = name + length;
    return 0;
}

/* Opens a file that nobody else has. Where another is replaced, nobody else may read it before it
 * has that one's mode. */
static int file_open_new(file_new *f)
{
    const mode_t mode = f->kept ? f->present.st_mode & 0700 : 0666;
    f->file = -1;
    for (unsigned k = 0; f->file < 0 && k < PART_MOST; ++k) {
        snprintf(f->tail, PART_ROOM, "dem-%lu-%u.part", (unsigned long)getpid(), k);
        f->file = openat(f->folder, f->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (f->file < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    return f->file < 0 ? errno : 0;
}

/* The owner, as far as that is allowed, and the mode of the file that is replaced. A group that
 * cannot be kept is not given more than everybody has. */
static int file_mode(const file_new *f)
{
    if (!f->kept)
        return 0;
    mode_t mode = f->present.st_mode & 0777;
    struct stat own;
    if (fstat(f->file, &own) != 0)
        return errno;
    if ((own.st_uid != f->present.st_uid || own.st_gid != f->present.st_gid) &&
        fchown(f->file, f->present.st_uid, f->present.st_gid) != 0 &&
        fchown(f->file, (uid_t)-1, f->present.st_gid) != 0)
        mode &= (mode_t) ~(070u & ~((mode & 7u) << 3));
    /* file systems without modes refuse to change them, and have the same for all files */
    if (fchmod(f->file, mode) != 0 && (own.st_mode & 0777) != mode)
        return errno;
    return 0;
}

/* Writes the new file and gives it its name; on failure nothing is left of it. */
static int file_replace(file_new *f, void (*write_content)(demi_writer *, const void *),
                        const void *argument)
{
    int number = file_open_new(f);
    if (number != 0)
        return number;
    demi_writer writer;
    demi_writer_start(&writer, file_sink, f);
    number = file_mode(f);
    if (number == 0) {
        write_content(&writer, argument);
        demi_writer_flush(&writer);
        number = f->number;
    }
    if (number == 0)
        number = file_sync(f->file);
    /* an interrupted close has closed the file */
    if (close(f->file) != 0 && number == 0 && errno != EINTR)
        number = errno;
    if (number == 0 && renameat(f->folder, f->part, f->folder, f->name) != 0)
        number = errno;
    if (number != 0)
        unlinkat(f->folder, f->part, 0);
    return number;
}

/* `name` is the path's copy in `room` bytes. */
static dem_status file_save(demi_context *context, const char *path, char *name, size_t room,
                            char *part, void (*write_content)(demi_writer *, const void *),
                            const void *argument)
{
    file_new f = {.folder = AT_FDCWD};
    int number = link_follow(name, room);
    if (number == 0)
        number = file_place(&f, name, part);
    if (f.kept && !S_ISREG(f.present.st_mode)) {
        if (f.folder != AT_FDCWD)
            close(f.folder);
        return demi_fail(context, DEM_ERROR_FILE, "file \"%.100s\": is not a regular file", path);
    }
    if (number == 0)
        number = file_replace(&f, write_content, argument);
    const int replaced = number == 0;
    /* where folders cannot be synced there is nothing to be done about it */
    if (replaced && f.folder != AT_FDCWD)
        number = file_sync(f.folder);
    if (f.folder != AT_FDCWD)
        close(f.folder);
    if (!replaced)
        return file_fail(context, path, "cannot be written, and stays as it was", number);
    if (number != 0 && number != EINVAL && number != EROFS)
        return file_fail(context, path, "is written, but a loss of power may undo it", number);
    return DEM_OK;
}

dem_status demi_file_save(demi_context *context, const char *path,
                          void (*write_content)(demi_writer *writer, const void *argument),
                          const void *argument)
{
    const int before = errno;
    /* the name that links lead to, then the new file's */
    const size_t room = strlen(path) + LINK_ROOM, size = 2 * room + PART_ROOM;
    char *names = demi_allocate(context, size);
    dem_status status;
    if (names == NULL)
        status = demi_fail_memory(context, "name of a file", size);
    else {
        memcpy(names, path, strlen(path) + 1);
        status = file_save(context, path, names, room, names + room, write_content, argument);
        demi_release(context, names, size);
    }
    errno = before;
    return status;
}

/* ------------------------------------------------------------------ reading */

/* Reads up to `size` bytes, fewer where the file ends. */
static int file_read(int file, unsigned char *into, uint64_t size, uint64_t *done)
{
    *done = 0;
    while (*done < size) {
        const ssize_t got = read(file, into + *done, (size_t)(size - *done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        if (got == 0)
            break;
        *done += (uint64_t)got;
    }
    return 0;
}

/* The file is open. */
static dem_status file_load(demi_context *context, const char *path, int file,
                            demi_file_check *check, void **bytes, uint64_t *size)
{
    struct stat present;
    if (fstat(file, &present) != 0)
        return file_fail(context, path, "cannot be read", errno);
    if (!S_ISREG(present.st_mode))
        return demi_fail(context, DEM_ERROR_FILE, "file \"%.100s\": is not a regular file", path);
    if (present.st_size == 0)
        return demi_fail(context, DEM_ERROR_FORMAT, "file \"%.100s\": is empty", path);
    const uint64_t wanted = (uint64_t)present.st_size;
    unsigned char head[DEMI_FILE_HEAD];
    uint64_t begun, rest = 0;
    int number = file_read(file, head, wanted < sizeof head ? wanted : sizeof head, &begun);
    if (number != 0)
        return file_fail(context, path, "cannot be read", number);
    dem_status status = check(context, head, begun, wanted);
    if (status != DEM_OK)
        return status;
    unsigned char *into = demi_allocate(context, wanted);
    if (into == NULL)
        return demi_fail_memory(context, "content of a file", wanted);
    memcpy(into, head, (size_t)begun);
    number = file_read(file, into + begun, wanted - begun, &rest);
    if (number != 0)
        status = file_fail(context, path, "cannot be read", number);
    else if (begun + rest < wanted)
        status = demi_fail(context, DEM_ERROR_FILE,
                           "file \"%.100s\": became shorter while it was read", path);
    if (status != DEM_OK) {
        demi_release(context, into, wanted);
        return status;
    }
    *bytes = into;
    *size = wanted;
    return DEM_OK;
}

dem_status demi_file_load(demi_context *context, const char *path, demi_file_check *check,
                          void **bytes, uint64_t *size)
{
    const int before = errno;
    *bytes = NULL;
    *size = 0;
    /* a pipe would keep the call waiting */
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    dem_status status;
    if (file < 0)
        status = file_fail(context, path, "cannot be read", errno);
    else {
        status = file_load(context, path, file, check, bytes, size);
        close(file);
    }
    errno = before;
    return status;
}
