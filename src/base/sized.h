/* SPDX-License-Identifier: MIT */
/* Structs that start with struct_size and may grow at their end. A program's struct has at least
 * the size of the first release with this soname; the macros find it by the type of the struct. */
#ifndef DEMI_SIZED_H
#define DEMI_SIZED_H

#include "base/context.h"
#include "base/first_sizes.h"

/* Checks the size of a struct that the library fills. */
#define demi_sized_check_output(output)                                                            \
    demi_sized_check_at(output, DEMI_FIRST_SIZE(*(output)), UINT64_MAX)

/* Copies what the caller's struct has over `copy`, which holds the defaults. Checks first: the
 * size, and that a tail which this library does not know is zero; on error `copy` is as it was. */
#define demi_sized_read(copy, input)                                                               \
    demi_sized_read_at(copy, input, DEMI_FIRST_SIZE(*(copy)), sizeof *(copy))

/* Writes defaults or results into a caller's struct of `size` bytes: what it has room for, with
 * struct_size set to `size`; a tail that this library does not know is zeroed. */
#define demi_sized_write(output, size, values)                                                     \
    demi_sized_write_at(output, size, values, DEMI_FIRST_SIZE(*(values)), sizeof *(values))

/* The same with the first size and the one that this library knows. */
dem_status demi_sized_check_at(const void *input, uint64_t first_size, uint64_t known_size);
dem_status demi_sized_read_at(void *copy, const void *input, uint64_t first_size,
                              uint64_t known_size);
dem_status demi_sized_write_at(void *output, uint64_t size, const void *values, uint64_t first_size,
                               uint64_t known_size);

/* The message that all objects use where they refuse the size of a struct that they read. */
#define DEMI_SIZED_MESSAGE                                                                         \
    "%s.struct_size: %llu is not the size of this struct in any release, or members that this "    \
    "library does not know are not 0 (call %s_init)"
/* Fails with it; `type` is the struct's name in quotes. */
#define demi_sized_fail(context, type, size)                                                       \
    demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, type,                            \
              (unsigned long long)(size), type)
/* The same for a struct that the library fills. */
#define DEMI_SIZED_OUTPUT_MESSAGE                                                                  \
    "%s.struct_size: %llu is not the size of this struct: set it to sizeof(%s)"
#define demi_sized_fail_output(context, type, size)                                                \
    demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_OUTPUT_MESSAGE, type,                     \
              (unsigned long long)(size), type)

/* The message where a reserved field is not zero: "struct.field", its value, "struct". */
#define DEMI_RESERVED_MESSAGE "%s" DEMI_RESERVED_REST
/* The same with "struct", "field". */
#define DEMI_RESERVED_AT_MESSAGE "%s.%s" DEMI_RESERVED_REST
#define DEMI_RESERVED_REST                                                                         \
    ": %lld must be 0, because this library does not know this field (call %s_init; or use the "   \
    "library that the program was compiled with)"

#endif
