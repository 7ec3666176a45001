#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh NAME PROGRAM...: runs test programs, JOBS of them side by side (1), shows the output of
# those that fail, and ends with a summary. WRAPPER goes before each program.
set -u
if [ "$1" = -one ]; then # one program; the line that counts it goes to FOLDER/results
    folder=$2 program=$3
    log=$folder/$(echo "$program" | tr / -)
    begin=$(date +%s)
    word=ok
    ${WRAPPER:-} "$program" >"$log" 2>&1 || word=FAIL
    count=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{ n += $1 }
        END { print n + 0 }')
    [ $word = ok ] || sed 's/^/    /' "$log"
    printf '%-4s %-40s %4d tests %4d s\n' $word "${program##*tests/}" "$count" \
        $(($(date +%s) - begin)) | tee -a "$folder/results"
    exit 0
fi
name=$1
shift
[ $# -gt 0 ] || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
: >"$folder/results"
printf '%s\n' "$@" | xargs -n 1 -P "${JOBS:-1}" sh "$0" -one "$folder"
awk -v name="$name" -v all=$# '
    { if ($1 == "ok") ++passed; else ++failed; tests += $3 }
    END {
        printf "%s: %d programs passed, %d failed (%d tests passed)\n", name, passed, failed, tests
        exit passed == 0 || passed != all
    }' "$folder/results"
