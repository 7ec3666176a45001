#!/bin/sh
# SPDX-License-Identifier: MIT
# instructions.sh PROGRAM FOLDER: instructions of a step of the bed, a particle, by instruction set,
# as valgrind counts them (it knows no AVX-512): the difference of two runs, so that reading grains
# and building the list are left out. Makes data.number-1000 in FOLDER, which has data.bed32k.
set -u
program=$1 folder=$2
few=1 many=3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$program" grains "$folder" number 1000 || exit 1
for set in 1:baseline 4:x86-64-v2 2:AVX2; do
    for steps in $few $many; do
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" run "$folder" bed \
            data=data.number-1000 match=1 warm=1 steps=$steps isa="${set%:*}" >"$work/out" \
            2>"$work/err" || exit 1
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/err" >"$work/$steps"
    done
    particles=$(sed -n 's/.*\<particles=\([0-9]*\).*/\1/p' "$work/out")
    energy=$(sed -n 's/.*\<ke=\([^ ]*\).*/\1/p' "$work/out")
    echo "$(cat $work/$few) $(cat $work/$many)" | awk -v set="${set#*:}" -v n="$particles" \
        -v steps=$((many - few)) -v ke="$energy" \
        '{ printf "set=%s instructions=%.0f ke=%s\n", set, ($2 - $1) / (steps * n), ke }'
done
