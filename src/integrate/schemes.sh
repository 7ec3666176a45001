#!/bin/sh
# SPDX-License-Identifier: MIT
# schemes.sh WHAT: the lines that follow from the list of schemes, for the block WHAT.
set -eu
awk -v what="$1" '
function field(k) { gsub(/^ +| +$/, "", row[k]); return row[k] }
/^DEMI_SCHEME_/ {
    kicks = /^DEMI_SCHEME_KICKS/
    line = $0
    sub(/^[^(]*\(/, "", line)
    split(line, row, ",")
    name[count] = "DEM_INTEGRATOR_" field(1)
    forces[count] = kicks ? 1 : field(3)
    if (field(2) != count) {
        print "schemes.def: " name[count] " must have the value " count > "/dev/stderr"
        exit 1
    }
    texts = 0
}
/^    "/ {
    line = $0
    sub(/^ *"/, "", line); sub(/"[,)]*$/, "", line)
    text[count, texts++] = line
    if (texts == 3) ++count
}
END {
    for (k = 0; k < count; ++k)
        if (what == "enumerators") {
            print "    /** " text[k, 0] ";\n     * order " text[k, 1] " */"
            print "    " name[k] " = " k (k + 1 < count ? "," : "")
        } else if (what == "parameters")
            print "    integer(c_int32_t), parameter :: " name[k] " = " k
        else if (what == "table") {
            if (k == 0)
                print "| scheme | what it is | forces a step | order | take it |" \
                    "\n|---|---|---|---|---|"
            print "| ::" name[k] " | " text[k, 0] " | " forces[k] " | " text[k, 1] " | " \
                text[k, 2] " |"
        } else {
            print "schemes.sh: no block " what > "/dev/stderr"
            exit 1
        }
}' count=0 src/integrate/schemes.def
