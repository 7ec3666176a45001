#!/bin/sh
# SPDX-License-Identifier: MIT
# curves.sh PROGRAM FOLDER FIGURES: what a step costs by the number of grains and by the ratio of
# sizes, on one thread, next to LAMMPS where it is installed, as pictures in FIGURES.
#
# Each point is the least computing time of REPEATS runs (3) of libdem and of LAMMPS in turn. Points
# are kept in FOLDER/curves.csv: one that is there is not measured again, so a run that was ended
# goes on where it was. NUMBERS= and RATIOS= choose other points.
set -u
program=$1 out=$2 figures=$3
here=$(dirname "$0")
grains=${SCENES:-$out}
repeats=${REPEATS:-3} warm=50
numbers=${NUMBERS-1000 3200 10000 32000 128000 512000 1024000}
ratios=${RATIOS-1 2 5 10 20 50 100}
csv="$out/curves.csv"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
[ -f "$csv" ] || echo "curve,value,particles,ns,default_ns,peer_ns,contacts,bytes" >"$csv"

# least KEY FILE: of the values of KEY=value in a file; NaN where there are none
least() {
    sed -n "s/.*\\<$1=\\([^ ]*\\).*/\\1/p" "$2" | sort -g | awk 'NR == 1 { print } END {
        if (!NR) print "NaN" }'
}

# lammps FILE X Y SIZES STEPS: one run
lammps() {
    command -v lmp >/dev/null 2>&1 || return 0
    OMP_NUM_THREADS=1 lmp -log none -in "$here/lammps.in" -var file "$1" -var nx "$2" -var ny "$3" \
        -var sizes "$4" -var steps "$5" -var warm $warm -var angle 0 -var dt 1e-4 -var law linear \
        -var every 0 2>/dev/null | awk '
        /^Loop time/ { if (n++) { seconds = $4; steps = $9; atoms = $12 } }
        /% CPU use/ { share = $1 / 100 }
        END { if (steps) printf "cpu=%.2f\n", share * 1e9 * seconds / (steps * atoms) }' \
        >>"$work/peer"
}

# point CURVE VALUE SCENE FILE X Y SIZES STEPS
point() {
    grep -q "^$1,$2," "$csv" && { echo "$1 $2: there"; return; }
    : >"$work/match" && : >"$work/default" && : >"$work/peer"
    for repeat in $(seq "$repeats"); do
        echo "$1 $2: run $repeat of $repeats"
        for mode in match default; do
            "$program" run "$(dirname "$4")" "$3" data="$(basename "$4")" tiles_x="$5" \
                tiles_y="$6" match=$([ $mode = match ] && echo 1 || echo 0) warm=$warm steps="$8" \
                >>"$work/$mode" || exit 1
        done
        lammps "$4" "$5" "$6" "$7" "$8"
    done
    echo "$1,$2,$(least particles "$work/match"),$(least cpu "$work/match"),$(least cpu \
        "$work/default"),$(least cpu "$work/peer"),$(least contacts "$work/match"),$(least bytes \
        "$work/match")" >>"$csv"
    tail -n 1 "$csv"
}

for n in $numbers; do
    x=1 y=1 file="$out/data.number-$n"
    case $n in
    32000) file="$grains/data.bed32k" ;;
    128000) x=2 y=2 file="$grains/data.bed32k" ;;
    512000) x=4 y=4 file="$grains/data.bed32k" ;;
    1024000) x=8 y=4 file="$grains/data.bed32k" ;;
    *)
        [ -f "$file" ] || cp "$grains/data.bed32k" "$out/data.bed32k" 2>/dev/null
        "$program" grains "$out" number "$n" || exit 1
        ;;
    esac
    point number "$n" bed "$file" $x $y no $((6400000 / n > 1000 ? 1000 : \
        6400000 / n < 20 ? 20 : 6400000 / n))
done
for r in $ratios; do
    "$program" grains "$out" ratio "$r" || exit 1
    point ratio "$r" ratio10 "$out/data.ratio-$r" 1 1 multi 200
done
command -v gnuplot >/dev/null 2>&1 || { echo "curves: no gnuplot, no pictures"; exit 0; }
gnuplot -e "table='$csv'; target='$figures'" "$here/curves.gp" &&
    echo "$figures/bench_number.svg $figures/bench_ratio.svg"
