#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh FOLDER SECONDS: runs each fuzzer in FOLDER for that long, two at a time, from first inputs
# that it makes itself and what earlier runs kept in FOLDER/corpus.
# run.sh FOLDER few: feeds each the same few inputs, about half a minute of them, so that the result
# depends on nothing but the code.
# An input that takes two minutes hangs, on a slow machine, too.
# Ends with 1 where one stopped; the input that stopped it is in FOLDER/found, and
# `FOLDER/NAME FILE` repeats it.
set -u
folder=${1:?folder} seconds=${2:?seconds}
if [ "$seconds" = one ]; then # one fuzzer; run.sh FOLDER one SECONDS|few NAME INPUTS
    seconds=$3 name=$4 inputs=$5
    corpus=$folder/corpus/$name
    limit=-max_total_time=$seconds
    if [ "$seconds" = few ]; then # addresses and what the folder gains in time change nothing
        corpus=$folder/few/$name
        limit="-runs=$inputs -reload=0 -use_cmp=0"
        rm -rf "$corpus"
    fi
    mkdir -p "$corpus" "$folder/found"
    begin=$(date +%s)
    word=ok
    # shellcheck disable=SC2086 # the limit is one option or three
    FUZZ_SEEDS=$corpus "$folder/$name" >"$folder/$name.txt" 2>&1 &&
        ASAN_OPTIONS=allocator_may_return_null=1 "$folder/$name" "$corpus" -seed=1 $limit \
            -max_len=4096 -timeout=120 -rss_limit_mb=1500 \
            -print_final_stats=1 -artifact_prefix="$folder/found/$name-" \
            >>"$folder/$name.txt" 2>&1 || word=FAIL
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$name.txt")
    [ $word = ok ] && [ "${runs:-0}" -gt 0 ] || {
        word=FAIL
        grep -aE 'broken:|runtime error|ERROR: ' "$folder/$name.txt" # what comes after may be long
        tail -n 40 "$folder/$name.txt"
    }
    printf '%-4s %-12s %9s inputs %5d s\n' $word "$name" "${runs:-0}" $(($(date +%s) - begin))
    [ $word = ok ]
    exit
fi
rm -rf "$folder/found"
xargs -L 1 -P 2 sh "$0" "$folder" one "$seconds" <<'EOF'
snapshot 30000
parcels 8000
lammps_data 400000
calls 12000
level1 30000
contacts 60000
mesh 150000
restart 60
EOF
