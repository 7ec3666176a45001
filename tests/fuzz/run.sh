#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh FOLDER SECONDS: runs each fuzzer in FOLDER for that long, two at a time, from first inputs
# that it makes itself and what earlier runs kept in FOLDER/corpus. Ends with 1 where one stopped;
# the input that stopped it is in FOLDER/found, and `FOLDER/NAME FILE` repeats it.
set -u
folder=${1:?folder} seconds=${2:?seconds}
if [ "$seconds" = one ]; then # one fuzzer; run.sh NAME one SECONDS
    seconds=$3 name=${folder##*/} folder=${folder%/*}
    corpus=$folder/corpus/$name
    mkdir -p "$corpus" "$folder/found"
    begin=$(date +%s)
    word=ok
    FUZZ_SEEDS=$corpus "$folder/$name" >"$folder/$name.txt" 2>&1 &&
        ASAN_OPTIONS=allocator_may_return_null=1 "$folder/$name" "$corpus" -seed=1 \
            -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=1500 \
            -print_final_stats=1 -artifact_prefix="$folder/found/$name-" \
            >>"$folder/$name.txt" 2>&1 || word=FAIL
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$name.txt")
    [ $word = ok ] && [ "${runs:-0}" -gt 0 ] || { word=FAIL; tail -n 40 "$folder/$name.txt"; }
    printf '%-4s %-12s %9s inputs %5d s\n' $word "$name" "${runs:-0}" $(($(date +%s) - begin))
    [ $word = ok ]
    exit
fi
rm -rf "$folder/found"
printf '%s\n' snapshot parcels lammps_data calls level1 contacts mesh | sed "s:^:$folder/:" |
    xargs -I{} -P 2 sh "$0" {} one "$seconds"
