#!/bin/sh
# SPDX-License-Identifier: MIT
# generate.sh [check]: writes the generated blocks of the tree anew. `check` changes nothing and
# fails where a block is out of date.
#
# A block stands in a header, a source, a page or a map, between two lines that contain
#     generated from FOLDER/NAME.def: WHAT
#     end of generated
# as comments of the language; FOLDER is docs or a folder of src. `sh FOLDER/NAME.sh WHAT` prints
# its lines: a list NAME.def and the script beside it that knows what follows from the list. WHAT is
# one word.
set -eu
cd "$(dirname "$0")/.."
mode=${1:-write}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

files=$(grep -rlE 'generated from (src|docs)/[a-z_/]*\.def: ' README.md include src docs |
    grep -v -e '\.sh$' -e '^docs/extending\.md$' -e '^tests/abi/' || :)
for file in $files; do
    awk '
    /end of generated/ { inside = 0 }
    !inside
    match($0, /generated from (src|docs)\/[a-z_\/]*\.def: [a-z_0-9.]+/) {
        n = split(substr($0, RSTART, RLENGTH), word, " ")
        script = word[3]
        sub(/\.def:$/, ".sh", script)
        command = "sh " script " " word[n]
        while ((command | getline line) > 0)
            print line
        if (close(command) != 0) { print FILENAME ": " command " failed" > "/dev/stderr"; exit 1 }
        inside = 1
    }
    END { if (inside) { print FILENAME ": a block has no end" > "/dev/stderr"; exit 1 } }
    ' "$file" >"$work/new" || exit 1
    cmp -s "$work/new" "$file" && continue
    if [ "$mode" = check ]; then
        echo "$file: a generated block is out of date; run make generate"
        status=1
    else
        cat "$work/new" >"$file"
        echo "$file"
    fi
done
exit $status
