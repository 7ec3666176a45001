#!/bin/sh
# SPDX-License-Identifier: MIT
# first_sizes.sh HEADER...: writes src/base/first_sizes.h from the headers of the first release with
# this soname: for each struct that may grow, where it ended then.
cat <<'END'
/* SPDX-License-Identifier: MIT */
/* Where structs that may grow ended in the first release with this soname. Written by
 * src/base/first_sizes.sh from the headers in tests/abi; structs that came later need no line. */
#ifndef DEMI_FIRST_SIZES_H
#define DEMI_FIRST_SIZES_H

#include <dem/dem.h>

#define DEMI_END_OF(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/* Size that a struct had then; of a program's struct, at least that is there. */
/* clang-format off */
#define DEMI_FIRST_SIZE(value) _Generic((value), \
END
cat "$@" | sed 's://.*::' | tr '\n' ' ' | sed 's:/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/: :g' |
    grep -oE 'typedef struct dem_[a-z_]+ *\{ *uint64_t struct_size;[^}]*\}' |
    sed -E 's/^typedef struct (dem_[a-z_]+) *\{/\1 /; s/; *\}$//; s/^([a-z_]+) .*;/\1 /
        s/\[[^]]*\]//g; s/\(\*([a-z_]+)\)\(.*/\1/; s/^([a-z_]+) .*[ *]([a-z_]+)$/\1 \2/' |
    sort | sed 's/^\(.*\) \(.*\)$/    \1: DEMI_END_OF(\1, \2), \\/'
cat <<'END'
    default: sizeof(value))
/* clang-format on */

#endif
END
