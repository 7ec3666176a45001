#!/bin/sh
# SPDX-License-Identifier: MIT
# One packing, computed by many builds of the library: the hash of the state must be the same.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
make=${MAKE:-make}
reference= status=0 builds=0

# same NAME PROGRAM: runs a program and compares what it prints with the first one's.
same() {
    hash=$(LD_LIBRARY_PATH=$3 "$2") || hash=failed
    : "${reference:=$hash}"
    builds=$((builds + 1))
    if [ "$hash" = "$reference" ] && [ "$hash" != failed ]; then
        echo "$hash $1"
    else
        echo "$hash $1: DIFFERS"
        status=1
    fi
}

# library CC FLAGS: a whole build, tried as static and as shared library.
library() {
    name=$(echo "$1$2" | tr -c 'A-Za-z0-9\n' '-')
    lib=$work/$name/lib
    if ! "$make" -s CC="$1" CFLAGS="$2" CPPFLAGS= LDFLAGS= BUILD="$work/$name" LIBOUT="$lib" all ||
        ! $1 -std=c11 -Iinclude tests/abi/packing.c "$lib/libdem.a" -lm -o "$work/$name/static" ||
        ! $1 -std=c11 -Iinclude tests/abi/packing.c -L"$lib" -ldem -o "$work/$name/shared"; then
        echo "$1 $2: does not build"
        status=1
        return
    fi
    same "$1 $2, static" "$work/$name/static"
    same "$1 $2, shared" "$work/$name/shared" "$lib"
}

# single CC FLAGS: the two files, compiled with no flags but these.
single() {
    name=$work/single-$(echo "$1$2" | tr -c 'A-Za-z0-9\n' '-')
    # shellcheck disable=SC2086
    if ! $1 $2 -c "$work/dist/dem.c" -o "$name.o" ||
        ! $1 -Iinclude tests/abi/packing.c "$name.o" -lm -o "$name"; then
        echo "$1 $2 dem.c: does not build"
        status=1
        return
    fi
    same "$1 $2 dem.c" "$name"
}

sh src/single.sh "$work/dist" || exit 1
# Instructions that would fuse multiplication and addition if contraction were not off.
fused=
grep -qw fma /proc/cpuinfo 2>/dev/null && fused='-O3 -mavx2 -mfma'
for compiler in gcc clang; do
    command -v $compiler >/dev/null 2>&1 || continue
    for flags in -O0 -O2 ${fused:+"$fused"}; do
        library $compiler "$flags"
        single $compiler "$flags"
    done
    single $compiler ''
done
[ $builds -gt 1 ] || status=1
[ $status -eq 0 ] && echo "same bits: $builds builds, one hash"
exit $status
