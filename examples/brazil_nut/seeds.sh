#!/bin/sh
# SPDX-License-Identifier: MIT
# Shakes the Brazil nut up and down from several starting positions, two at a time with a thread
# each, and tells of all of them. Runs that were stopped go on, and those that ended are only read.
#
#     seeds.sh PROGRAM FOLDER SEEDS LAW VERTICES SECONDS [argument of the program]...
set -eu
program=$1 folder=$2 seeds=$3 law=$4 vertices=$5 seconds=$6
shift 6
mkdir -p "$folder"
name=$folder/vertical_${law}_$vertices
failed=0
seq 1 "$seeds" | xargs -P 2 -I SEED sh -c '
    name=$1
    shift
    "$@" >"${name}_seedSEED.txt" && echo "seed SEED is at its end"' \
    sh "$name" "$program" --output "$folder" --vertical --law "$law" --vertices "$vertices" \
    --seconds "$seconds" --threads 1 --still "$@" --seed SEED || failed=1
tables=
for seed in $(seq 1 "$seeds"); do
    [ ! -s "${name}_seed$seed.csv" ] || tables="$tables ${name}_seed$seed.csv"
done
[ -n "$tables" ] || exit 1
# the names have no blanks but those of the folder
awk -F , -v heights="${name}_heights.txt" -f "$(dirname "$0")/seeds.awk" $tables |
    tee "${name}_seeds.txt"
if command -v gnuplot >/dev/null; then
    gnuplot -e "table='${name}_heights.txt'; picture='${name}_seeds.svg'" \
        -e "heading='$law, $vertices vertices'" "$(dirname "$0")/seeds.gp"
    echo "${name}_seeds.svg"
else
    echo "gnuplot is missing, so there is no picture: apt-get install gnuplot-nox"
fi
exit $failed
