#!/bin/sh
# SPDX-License-Identifier: MIT
# publish.sh FOLDER FILE...: puts the tables of a benchmark into pages, between the lines
#     <!-- bench: NAME -->    and    <!-- bench end -->
# NAME is the table, FOLDER/NAME.md, or `about`, the machine and the versions in a sentence. A run
# in which every scene was disturbed replaces nothing.
folder=$1
shift
if [ "$(wc -l <"$folder/table.md")" -le 2 ]; then
    echo "not published: every scene was disturbed"
    exit 0
fi
value() { # value KEY: of KEY="value" or KEY=value in about.txt
    sed -n "s/.*\\<$1=\"\\([^\"]*\\)\".*/\\1/p; t; s/.*\\<$1=\\([^ \"]*\\).*/\\1/p" \
        "$folder/about.txt" | head -n 1
}
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
