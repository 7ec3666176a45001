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

# library CC FLAGS: a whole build, tried as static and as shared library.
library() {
    folder=$(place '' "$1" "$2")
    lib=$folder/lib
    if ! "$make" -s CC="$1" CFLAGS="$2" CPPFLAGS= LDFLAGS= BUILD="$folder" LIBOUT="$lib" all ||
        ! $1 -std=c11 -Iinclude tests/abi/packing.c "$lib/libdem.a" -lm -o "$folder/static" ||
        ! $1 -std=c11 -Iinclude tests/abi/packing.c -L"$lib" -ldem -o "$folder/shared"; then
        echo "$1 $2: does not build"
        status=1
        return
    fi
    same "$1 $2, static" "$folder/static"
    same "$1 $2, shared" "$folder/shared" "$lib"
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
# Instructions that would fuse multiplication and addition if contraction were not off.
fused=-O3
grep -qw fma /proc/cpuinfo 2>/dev/null && fused='-O3 -mavx2 -mfma'
for compiler in gcc clang; do
    command -v $compiler >/dev/null 2>&1 || continue
    single $compiler '' & # beside the library, as it has one file
    library $compiler -O2
    wait $!
    single_same $compiler ''
    single $compiler "$fused" &
    library $compiler "$fused"
    wait $!
    single_same $compiler "$fused"
done
[ $builds -gt 1 ] || status=1
[ $status -eq 0 ] && echo "same bits: $builds builds, one hash"
exit $status
