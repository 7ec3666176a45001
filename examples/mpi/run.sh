#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the hosts of examples/mpi on several numbers of ranks, and over a restart on another number.
# Fails where a hash differs.
# usage: run.sh FOLDER PROGRAM...
folder=$1
shift
MPIRUN=${MPIRUN:-mpirun}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
mkdir -p "$folder" || exit 1
status=0 hash=

# ranks NUMBER ARGUMENT...: prints the line of a run and sets hash
ranks() {
    number=$1
    shift
    line=$("$MPIRUN" -n "$number" "$program" "$@") || { echo "FAILED: $number ranks: $*"; exit 1; }
    echo "$line"
    hash=${line##*hash=}
}

# same: the last run has the hash of the run on one rank
same() {
    [ "$hash" = "$expected" ] && return
    echo "FAILED: the bits differ from those of one rank"
    status=1
}

# refused: two ranks do not read the state
refused() {
    "$MPIRUN" -n 2 "$program" law=jkr steps=500 read="$folder/state" >/dev/null 2>&1 || return
    echo "FAILED: a state that is not whole was read"
    status=1
}

for program in "$@"; do
    for law in linear mindlin m4 jkr; do
        ranks 1 law=$law steps=1000
        expected=$hash
        for number in 2 4; do
            ranks $number law=$law steps=1000
            same
        done
        ranks 4 law=$law steps=500 write="$folder/state"
        ranks 2 law=$law steps=500 read="$folder/state"
        same
    done
    cp "$folder/state.0" "$folder/state.3" # one file twice, another one not
    refused
    rm "$folder/state.3"
    refused
    case $program in
    *level2) # with a fluid that is written every 20 steps
        ranks 1 law=mindlin steps=1000 fluid=20
        expected=$hash
        for number in 2 4; do
            ranks $number law=mindlin steps=1000 fluid=20
            same
        done # written in the middle of a step of the fluid
        ranks 4 law=mindlin steps=510 fluid=20 write="$folder/state"
        ranks 2 law=mindlin steps=490 fluid=20 read="$folder/state"
        same ;;
    esac
    # ranks without a grain, above the bed
    ranks 1 layers=6 height=16 steps=750
    expected=$hash
    ranks 8 layers=6 height=16 steps=750
    same
done
[ $status -eq 0 ] && echo "mpi: the same bits on all numbers of ranks"
exit $status
