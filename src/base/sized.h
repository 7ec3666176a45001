/* SPDX-License-Identifier: MIT */
/* Structs that start with struct_size and may grow at their end. */
#ifndef DEMI_SIZED_H
#define DEMI_SIZED_H

#include <dem/base.h>

/* Checks a caller's input struct: its size field against the first release's size, and that a tail
 * this library does not know is zero. */
dem_status demi_sized_check(const void *input, uint64_t first_size, uint64_t known_size);

/* Copies what the caller's struct has over `copy`, which holds the defaults and is known_size
 * bytes long. Checks first; on error `copy` is as it was. */
dem_status demi_sized_read(void *copy, const void *input, uint64_t first_size, uint64_t known_size);

/* Writes defaults or results into a caller's struct of `size` bytes: what it has room for, with
 * struct_size set to `size`; a tail that this library does not know is zeroed. */
dem_status demi_sized_write(void *output, uint64_t size, const void *values, uint64_t first_size,
                            uint64_t known_size);

/* The message that all objects use when a struct's size is refused. */
#define DEMI_SIZED_MESSAGE                                                                         \
    "%s.struct_size: %llu is not the size of this struct in any release, or its unknown tail is "  \
    "not zero (call %s_init)"

#endif
