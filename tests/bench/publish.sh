#!/bin/sh
# SPDX-License-Identifier: MIT
# publish.sh FOLDER FILE...: puts the tables of a benchmark into pages, between the lines
#     <!-- bench: NAME -->    and    <!-- bench end -->
# NAME is the table, FOLDER/NAME.md, or `about`, the machine and the versions in a sentence. A run
# that was quick, or whose every scene was disturbed, is refused.
folder=$1
shift
if [ ! -f "$folder/about.txt" ]; then
    echo "publish: no results in $folder: run 'make bench' first"
    exit 1
fi
value() { # value KEY: of KEY="value" or KEY=value in about.txt
    sed -n "s/.*\\<$1=\"\\([^\"]*\\)\".*/\\1/p; t; s/.*\\<$1=\\([^ \"]*\\).*/\\1/p" \
        "$folder/about.txt" | head -n 1
}
if [ "$(value quick)" != 0 ]; then
    echo "publish: the run in $folder was quick: run 'make bench' without BENCH_QUICK"
    exit 1
fi
if [ "$(wc -l <"$folder/table.md")" -le 2 ]; then
    echo "publish: every scene in $folder was disturbed"
    exit 1
fi
cat >"$folder/about.md" <<END
Measured on $(value date) on an $(value machine) with $(value isa) and $(getconf _NPROCESSORS_ONLN)
processors, $(value compiler), next to LAMMPS of $(value lammps), with one rank a thread: medians of
$(value repeats) runs of $(value steps) steps each.
END
for page in "$@"; do
    awk -v folder="$folder" -v page="$page" '
        /^<!-- bench: [a-z]* -->$/ {
            print
            file = folder "/" $3 ".md"
            while ((getline line <file) > 0) { print line; skip = 1 }
            close(file)
            next
        }
        /^<!-- bench end -->$/ { skip = 0 }
        !skip { print }' "$page" >"$folder/page.md" && cat "$folder/page.md" >"$page" &&
        echo "published: $page"
done
