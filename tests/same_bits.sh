#!/bin/sh
# SPDX-License-Identifier: MIT
# One packing, computed by many builds of the library: the hash of the state must be the same.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
make=${MAKE:-make}
reference= status=0 builds=0

# same NAME PROGRAM [FOLDER]: runs a program and compares what it prints with the first one's.
same() {
    hash=$(LD_LIBRARY_PATH=${3:-} "$2") || hash=failed
    : "${reference:=$hash}"
    builds=$((builds + 1))
    if [ "$hash" = "$reference" ] && [ "$hash" != failed ]; then
        echo "$hash $1"
    else
        echo "$hash $1: DIFFERS"
        status=1
    fi
}

# place PREFIX CC FLAGS: where a build goes.
place() { echo "$work/$1$(echo "$2$3" | tr -c 'A-Za-z0-9\n' '-')"; }

# library NAME COMPILER LIB SETTING...: a whole build by make with these settings, which puts it
# into LIB, tried as static and as shared library.
library() {
    name=$1 by=$2 lib=$3
    shift 3
    program=$(place '' "$name" '')
    if ! "$make" -s "$@" all ||
        ! $by -std=c11 -Iinclude tests/abi/packing.c "$lib/libdem.a" -lm \
            -o "$program.static" ||
        ! $by -std=c11 -Iinclude tests/abi/packing.c -L"$lib" -ldem -o "$program.shared"; then
        echo "$name: does not build"
        status=1
        return
    fi
    same "$name, static" "$program.static"
    same "$name, shared" "$program.shared" "$lib"
}

# single CC FLAGS: the two files, compiled with no flags but these.
single() {
    program=$(place single- "$1" "$2")
    # shellcheck disable=SC2086
    $1 $2 -c "$work/dist/dem.c" -o "$program.o" &&
        $1 -Iinclude tests/abi/packing.c "$program.o" -lm -o "$program"
}

# single_same CC FLAGS: tries that program.
single_same() {
    if [ -x "$(place single- "$1" "$2")" ]; then
        same "$1 $2 dem.c" "$(place single- "$1" "$2")"
    else
        echo "$1 $2 dem.c: does not build"
        status=1
    fi
}

sh src/single.sh "$work/dist" || exit 1
# Instructions that would fuse multiplication and addition if contraction were not off; the one
# instruction set is what these flags make of it.
fused=-O3
grep -qw fma /proc/cpuinfo 2>/dev/null && fused='-O3 -mavx2 -mfma'
for compiler in gcc clang; do
    command -v $compiler >/dev/null 2>&1 || continue
    single $compiler '' & # beside the library, as it has one file
    # the builds that tests use, which may be there
    if [ $compiler = gcc ]; then
        library 'gcc, as tested' cc lib
    else
        library 'clang, as tested' clang build/clang/lib CC=clang BUILD=build/clang
    fi
    wait $!
    single_same $compiler ''
    single $compiler "$fused" &
    folder=$(place '' $compiler "$fused")
    library "$compiler $fused" $compiler "$folder/lib" CC=$compiler CFLAGS="$fused" CPPFLAGS= \
        LDFLAGS= WERROR= ISAS=baseline BUILD="$folder"
    wait $!
    single_same $compiler "$fused"
done
[ $builds -gt 1 ] || status=1
[ $status -eq 0 ] && echo "same bits: $builds builds, one hash"
exit $status
