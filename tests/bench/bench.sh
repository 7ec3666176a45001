#!/bin/sh
# SPDX-License-Identifier: MIT
# bench.sh PROGRAM FOLDER: runs the benchmark, then LAMMPS, if it is there, on the state that the
# program has written, with the same law and parameters. STEPS= sets the steps that are timed.
program=$1 folder=$2 steps=${STEPS:-200}
line=$("$program" "$folder" "$steps") || exit 1
peer=none peer_ns=none ratio=none
if command -v lmp >/dev/null 2>&1; then
    cat >"$folder/bed.lmp" <<END
atom_style      sphere
boundary        p p fm
newton          off
comm_modify     vel yes
read_data       $folder/bed.data
pair_style      gran/hooke/history 200000.0 NULL 50.0 NULL 0.5 1
pair_coeff      * *
neighbor        0.1 bin
neigh_modify    delay 0
timestep        0.0001
fix             1 all nve/sphere
fix             2 all gravity 1.0 vector 0 0 -1
fix             3 all wall/gran hooke/history 200000.0 NULL 50.0 NULL 0.5 1 zplane 0 NULL
thermo          1000000
run             50
run             $steps
run             $steps
run             $steps
END
    peer_ns=$(OMP_NUM_THREADS=1 lmp -in "$folder/bed.lmp" -log none | awk '
        /^Loop time/ {
            ns = 1e9 * $4 / ($9 * $12)
            if (n++ && (!best || ns < best)) best = ns # the first run warms up
        }
        END { if (best) printf "%.1f", best; else print "failed" }')
    peer=lammps
    [ "$peer_ns" = failed ] || ratio=$(echo "$line" | awk -v p="$peer_ns" '{
        split($3, a, "="); printf "%.2f", p / a[2] }')
fi
echo "$line peer=$peer peer_ns=$peer_ns ratio=$ratio"
