#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh NAME PROGRAM...: runs test programs one after another, shows the output of those that
# fail, and ends with a summary. WRAPPER goes before each program.
name=$1
shift
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
passed=0 failed=0 tests=0
for program in "$@"; do
    begin=$(date +%s)
    if $WRAPPER "$program" >"$log" 2>&1; then
        passed=$((passed + 1))
        word=ok
    else
        failed=$((failed + 1))
        word=FAIL
        sed 's/^/    /' "$log"
    fi
    count=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{ n += $1 }
        END { print n + 0 }')
    tests=$((tests + count))
    printf '%-4s %-40s %4d tests %4d s\n' "$word" "${program##*tests/}" "$count" \
        $(($(date +%s) - begin))
done
echo "$name: $passed programs passed, $failed failed ($tests tests passed)"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
