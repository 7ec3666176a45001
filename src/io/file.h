/* SPDX-License-Identifier: MIT */
/* Files that are either wholly there or not at all. */
#ifndef DEMI_FILE_H
#define DEMI_FILE_H

#include "base/context.h"
#include "io/words.h"

/* Writes what `write` puts into a new file beside `path`, makes it last, and gives it that name.
 * On failure what was there is as it was. */
dem_status demi_file_save(demi_context *context, const char *path,
                          void (*write)(demi_writer *writer, const void *argument),
                          const void *argument);

/* Reads a whole file into a buffer of exactly its size, to be given back with demi_release. */
dem_status demi_file_load(demi_context *context, const char *path, void **bytes, uint64_t *size);

#endif
