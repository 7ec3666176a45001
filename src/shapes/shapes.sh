#!/bin/sh
# SPDX-License-Identifier: MIT
# shapes.sh WHAT: the lines of a block that is generated from shapes.def, see generate.sh.
set -eu
rows=$(sed -n 's/^DEMI_SHAPE_OF_WALLS([a-z_0-9]*, \([A-Z_0-9]*\), "\(.*\)")$/\1|\2/p' \
    "$(dirname "$0")/shapes.def")
case $1 in
header) echo "$rows" | awk -F'|' '
    { last = NR - 1; name[last] = $1 " = " last; text[last] = $2 }
    length(name[last]) > widest { widest = length(name[last]) }
    END {
        for (n = 0; n <= last; ++n)
            printf "    DEM_SHAPE_%-*s /**< %s */\n", widest + 1, name[n] ",", text[n]
    }' ;;
fortran) echo "$rows" | awk -F'|' '
    { printf "    integer(c_int32_t), parameter :: DEM_SHAPE_%s = %d\n", $1, NR - 1 }' ;;
*) echo "shapes.sh: no block $1" >&2; exit 1 ;;
esac
