#!/bin/sh
# SPDX-License-Identifier: MIT
# Times the hosts of examples/mpi on 1 and 2 ranks: weak (16,000 grains a rank) and strong (32,000
# in all), with sums in order and exact. Medians of REPEATS runs (5), which alternate.
#
# ratio= is the time of a step on 2 ranks over that on 1 rank. work_ratio= has the time of the
# processor instead, of the rank that works most, without waiting: what other programs take from a
# busy machine is not in it. forces=, exchange=, rebuild= are shares of the time of a step; exchange
# is all waiting in MPI and the handling of forces on ghosts, rebuild that of new owners and ghosts.
# The line `mpi=two` has two hosts of one rank each, which run side by side and know nothing of each
# other: what the machine does to two programs at once. over_two= is the weak ratio over theirs.
# usage: bench.sh LEVEL1 LEVEL2
MPIRUN=${MPIRUN:-mpirun}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
repeats=${REPEATS:-5} warm=${WARM:-1000} steps=${STEPS:-400}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# median KEY FILE: of the values of KEY=value in a file
median() {
    sed -n "s/.*\\<$1=\\([^ ]*\\).*/\\1/p" "$2" | sort -g |
        awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)]; else print "none" }'
}

# run PROGRAM EXACT RANKS THOUSANDS: one run; 16,000 grains are 40 x 40 x 10
run() {
    "$MPIRUN" -n "$3" "$1" exact="$2" side=$((40 * $4 / 16)) deep=40 layers=10 height=12 \
        warm="$warm" steps="$steps" >>"$work/${1##*/}.$2.$3.$4" || exit 1
}

# two PROGRAM EXACT: two hosts of one rank at once
two() {
    for side in a b; do
        "$MPIRUN" -n 1 "$1" exact="$2" side=40 deep=40 layers=10 height=12 warm="$warm" \
            steps="$steps" >"$work/two.$side" &
    done
    wait
    cat "$work/two.a" "$work/two.b" >"$work/two"
    step=$(sed -n 's/.*\<step_us=\([^ ]*\).*/\1/p' "$work/two" | sort -g | tail -n 1)
    took=$(sed -n 's/.*\<work_us=\([^ ]*\).*/\1/p' "$work/two" | sort -g | tail -n 1)
    echo "work_us=$took step_us=$step " >>"$work/${1##*/}.$2.two.16"
}

# ratio FILE BASE KEY: median of the ratios of runs
ratio() {
    for file in "$1" "$2"; do
        sed -n "s/.*\<$3=\([^ ]*\).*/\1/p" "$file" >"$work/${file##*/}.key"
    done
    paste "$work/${1##*/}.key" "$work/${2##*/}.key" | awk '$2 > 0 { print $1 / $2 }' | sort -g |
        awk '{ v[NR] = $1 } END { printf "%.2f", v[int((NR + 1) / 2)] }'
}

# line KIND PROGRAM EXACT RANKS THOUSANDS AGAINST: its runs, and those of 1 rank with so many
line() {
    file=$work/$2.$3.$4.$5 base=$work/$2.$3.1.$6
    awk -v kind="$1" -v level="${2#level}" -v exact="$3" -v ranks="$4" -v n="$5" \
        -v ratio="$(ratio "$file" "$base" step_us)" -v work="$(ratio "$file" "$base" work_us)" \
        -v step="$(median step_us "$file")" -v f="$(median forces_us "$file")" \
        -v e="$(median exchange_us "$file")" -v r="$(median rebuild_us "$file")" \
        -v w="$(median wait_us "$file")" -v ghosts="$(median ghosts "$file")" \
        -v bytes="$(median bytes "$file")" 'BEGIN {
            all = f + e + r + w
            printf "mpi=%s level=%s exact=%s ranks=%s particles=%d ", kind, level, exact, ranks,
                1000 * n
            printf "ns_per_particle_step=%.1f ratio=%s work_ratio=%s ", step / n, ratio, work
            printf "forces=%.2f exchange=%.2f rebuild=%.2f ", f / all, (e + w) / all, r / all
            printf "ghosts=%d bytes=%d step_us=%.0f wait_us=%.0f\n", ghosts, bytes, step, w
        }'
}

for repeat in $(seq "$repeats"); do
    for program in ${ONLY:-"$2" "$1"}; do
        for exact in 0 1; do
            run "$program" $exact 1 16
            run "$program" $exact 2 32
            run "$program" $exact 1 32
            two "$program" $exact
        done
    done
done
for level in level2 level1; do
    for exact in 0 1; do
        line weak $level $exact 1 16 16
        line weak $level $exact 2 32 16
        one=$work/$level.$exact.1.16 two=$work/$level.$exact.two.16 both=$work/$level.$exact.2.32
        echo "mpi=two level=${level#level} exact=$exact ratio=$(ratio "$two" "$one" step_us)" \
            "work_ratio=$(ratio "$two" "$one" work_us) over_two=$(ratio "$both" "$two" step_us)" \
            "work_over_two=$(ratio "$both" "$two" work_us)"
        line strong $level $exact 1 32 32
        line strong $level $exact 2 32 32
    done
done
