#!/bin/sh
# SPDX-License-Identifier: MIT
# single.sh FOLDER: writes the library as FOLDER/dem.c and FOLDER/dem.h, for hosts that compile it
# with their own code. `cc -c dem.c` needs no flags and gives the bits of the library.
set -e
out=${1:?folder}
mkdir -p "$out"

# Copies files, and where a file includes another one of ours, that one the first time only.
inline='
function find(name, from,    dir, i, n, tries, line) {
    dir = from; sub(/[^\/]*$/, "", dir)
    n = split(dir name " include/" name " src/" name, tries, " ")
    for (i = 1; i <= n; ++i)
        if ((getline line < tries[i]) >= 0) { close(tries[i]); return tries[i] }
    print "single.sh: no file for " name " in " from > "/dev/stderr"; exit 1
}
function clean(path) {
    while (sub(/[^\/]+\/\.\.\//, "", path)) ;
    return path
}
function emit(file,    line, name, is_header) {
    is_header = file ~ /\.h$/
    if (is_header) { if (file in seen) return; seen[file] = 1 }
    print "/* ---- " file " ---- */"
    while ((getline line < file) > 0) {
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*("|<dem\/)/) {
            name = line
            sub(/^[^"<]*["<]/, "", name); sub(/[">].*$/, "", name)
            name = clean(find(name, file))
            if (!public && name ~ /^include\//) continue
            emit(name)
        } else print line
    }
    close(file)
}
BEGIN { for (i = 1; i < ARGC; ++i) emit(ARGV[i]) }'

awk -v public=1 "$inline" include/dem/dem.h >"$out/dem.h"

target_begin() {
    cat <<TEXT

#if DEMI_ISA_X86
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("$1"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("$1")
#endif
TEXT
}
target_end() {
    cat <<'TEXT'
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
TEXT
}

files=
for layer in base laws shapes search contact integrate world io; do
    for file in src/$layer/*.c; do
        [ -f "$file" ] && files="$files $file"
    done
done
# Headers that the files in simd/ alone include.
for header in $(sed -n 's/^#include "\(.*\)"$/\1/p' src/*/simd/*.c | sort -u); do
    files="$files src/$header"
done
{
    cat <<'HEAD'
/* SPDX-License-Identifier: MIT */
/* libdem in one file; see dem.h. */

/* Threads and files, where the compiler is asked for strict C. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

/* No fused multiply-add: the same bits everywhere. Loops over lanes may stay scalar here, where
 * flags of the library are missing; that costs speed, not bits. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wpass-failed"
#pragma clang diagnostic ignored "-Wpsabi" /* vectors pass between functions of this file alone */
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off,no-math-errno")
#endif

/* The kernels are symbols too, for languages that cannot include a header. */
#ifndef DEM_KERNEL
#define DEM_KERNEL DEM_API
#endif

#include "dem.h"

HEAD
    # shellcheck disable=SC2086
    awk -v public=0 "$inline" $files

    # The files in simd/ once for each instruction set.
    for isa in baseline avx2 avx512; do
        targets=
        case $isa in
        avx2) targets=avx2 ;;
        avx512) targets=avx512f,avx512dq,avx512bw,avx512vl ;;
        esac
        [ "$isa" = baseline ] || target_begin "$targets"
        echo "#undef DEMI_ISA_SUFFIX"
        echo "#define DEMI_ISA_SUFFIX _$isa"
        cat src/*/simd/*.c | grep -v '^#include'
        [ "$isa" = baseline ] || target_end
    done
} >"$out/dem.c"
