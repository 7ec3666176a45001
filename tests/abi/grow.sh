#!/bin/sh
# SPDX-License-Identifier: MIT
# grow.sh FOLDER: writes today's headers to FOLDER/dem as a later release may have them: each struct
# with a struct_size has grown at its end.
to=${1:?folder}/dem
mkdir -p "$to"
for header in include/dem/*.h; do
    awk '/^typedef struct dem_[a-z_]+ \{$/ { first = 1; print; next }
         first { first = 0; grows = /uint64_t struct_size;/ }
         /^} dem_[a-z_]+;$/ && grows { print "    double future[3];"; grows = 0 }
         { print }' "$header" >"$to/${header##*/}"
done
