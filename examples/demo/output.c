/* SPDX-License-Identifier: MIT */
/* Folders and files: every write that fails is reported, and leaves no half-written file. */
#define _POSIX_C_SOURCE 200809L
#include "demo.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int folder_make(const char *path)
{
    struct stat info;
    if (mkdir(path, 0777) == 0)
        return 0;
    if (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return 0;
    if (errno == EEXIST)
        errno = ENOTDIR;
    fprintf(stderr, "%s: cannot make the folder: %s\n", path, strerror(errno));
    return -1;
}

int demo_folder(const char *path)
{
    char part[1024];
    const size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) {
        fprintf(stderr, "--output: the folder's name is empty or too long\n");
        return -1;
    }
    memcpy(part, path, length + 1);
    for (size_t k = 1; k < length; ++k) {
        if (part[k] != '/' || part[k - 1] == '/')
            continue;
        part[k] = '\0';
        if (folder_make(part) != 0)
            return -1;
        part[k] = '/';
    }
    return folder_make(part);
}

int demo_file_open(demo_file *file, const char *folder, const char *name)
{
    const int length = snprintf(file->path, sizeof file->path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof file->path) {
        fprintf(stderr, "%s/%s: the name is too long\n", folder, name);
        return -1;
    }
    file->stream = fopen(file->path, "wb");
    if (file->stream == NULL) {
        fprintf(stderr, "%s: cannot write: %s\n", file->path, strerror(errno));
        return -1;
    }
    return 0;
}

void demo_file_write(demo_file *file, const void *data, size_t size)
{
    (void)fwrite(data, 1, size, file->stream); /* an error stays set until the file is closed */
}

int demo_file_close(demo_file *file)
{
    errno = 0;
    int bad = fflush(file->stream) != 0 || ferror(file->stream) != 0;
    const int flush_error = errno;
    errno = 0;
    bad |= fclose(file->stream) != 0;
    file->stream = NULL;
    if (bad == 0)
        return 0;
    const int reason = flush_error != 0 ? flush_error : errno;
    fprintf(stderr, "%s: write failed: %s\n", file->path,
            reason != 0 ? strerror(reason) : "unknown error");
    (void)unlink(file->path);
    return -1;
}
