/* SPDX-License-Identifier: MIT */
/* Files that are either wholly there or not at all. */
#ifndef DEMI_FILE_H
#define DEMI_FILE_H

#include "base/context.h"
#include "io/stream.h"

/* Writes what `write_content` writes into a new file beside `path`, brings it to the disk, and
 * gives it that name. On failure what was there is as it was. Leaves errno as it was. */
dem_status demi_file_save(demi_context *context, const char *path,
                          void (*write_content)(demi_writer *writer, const void *argument),
                          const void *argument);

/* The first bytes of a file of `size`; `count` of them, fewer only where the file ends. */
enum { DEMI_FILE_HEAD = 32 };
typedef dem_status demi_file_check(demi_context *context, const void *head, uint64_t count,
                                   uint64_t size);

/* Reads a whole file, whose head `check` accepts before memory for the rest is asked for, into a
 * buffer of exactly its size, to be given back with demi_release. Leaves errno as it was. */
dem_status demi_file_load(demi_context *context, const char *path, demi_file_check *check,
                          void **bytes, uint64_t *size);

#endif
