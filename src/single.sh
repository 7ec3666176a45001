#!/bin/sh
# SPDX-License-Identifier: MIT
# single.sh FOLDER: writes the library as FOLDER/dem.c and FOLDER/dem.h, for hosts that compile it
# with their own code. `cc -O2 -c dem.c` gives the bits of the library, as other flags do.
set -e
out=${1:?folder}
mkdir -p "$out"

# Copies files, and where a file includes another one of ours, that one the first time only. Names
# that several files have for themselves get the file's name behind them.
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
# A name of a file: its last one before a bracket, an equal sign or the end.
function own(file, text) {
    sub(/[(\[={;].*$/, "", text)
    if (!match(text, /[A-Za-z_0-9]+ *$/)) return
    text = substr(text, RSTART); sub(/ *$/, "", text)
    if (text ~ /^(struct|union|static|const)$/ || (file, text) in has) return
    has[file, text] = 1; names[file] = names[file] " " text; ++files_with[text]
}
function look(file,    line, constants, k, n, each) {
    while ((getline line < file) > 0) {
        if (line ~ /^(static|DEMI_GUARDED|DEMI_APART|typedef struct|struct|\}) .*[({;=\[]/)
            own(file, line)
        if (line ~ /^enum/) constants = 1
        if (constants) {
            n = split(line, each, /[{,}]/)
            for (k = 1; k <= n; ++k)
                if (each[k] ~ /^ *[A-Z][A-Z_0-9]* *(=.*)?$/) own(file, each[k])
        }
        if (line ~ /\}/) constants = 0
        if (line ~ /^#define [A-Z]/) {
            sub(/^#define /, "", line); sub(/[^A-Z_0-9].*$/, "", line)
            macros[file] = macros[file] " " line
        }
    }
    close(file)
}
function rename(file, define,    k, n, each, suffix) {
    suffix = file; sub(/^src\//, "", suffix); sub(/\.c$/, "", suffix); gsub(/\//, "_", suffix)
    n = split(names[file], each, " ")
    for (k = 1; k <= n; ++k)
        if (files_with[each[k]] > 1)
            print define ? "#define " each[k] " " each[k] "_in_" suffix : "#undef " each[k]
    if (define) return
    n = split(macros[file], each, " ")
    for (k = 1; k <= n; ++k) print "#undef " each[k]
}
function emit(file,    line, name, is_header, renamed) {
    is_header = file ~ /\.h$/
    if (is_header) { if (file in seen) return; seen[file] = 1 }
    print "/* ---- " file " ---- */"
    while ((getline line < file) > 0) {
        # what the system declares is not hidden with the rest
        system_part = !public && line ~ /^[ \t]*#[ \t]*include[ \t]*</ && line !~ /<dem\//
        if (system_part != shown) {
            print "#pragma GCC visibility " (system_part ? "push(default)" : "pop")
            shown = system_part
        }
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*("|<dem\/)/) {
            name = line
            sub(/^[^"<]*["<]/, "", name); sub(/[">].*$/, "", name)
            name = clean(find(name, file))
            if (!public && name ~ /^include\//) continue
            emit(name)
        } else {
            if (!is_header && !renamed && line ~ /^[a-zA-Z]/) { rename(file, 1); renamed = 1 }
            print line
        }
    }
    if (renamed) rename(file, 0)
    close(file)
}
BEGIN {
    for (i = 1; i < ARGC; ++i) if (ARGV[i] ~ /\.c$/) look(ARGV[i])
    for (i = 1; i < ARGC; ++i) emit(ARGV[i])
}'

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

# A file in simd/ without its headers, which stand above; lists that it includes, and headers in the
# folder of its name, are part of it; these without what guards them, in the first two lines and the
# last one that begin with #if, #define and #endif.
body_of() {
    awk -v folder="${1#src/}" '
        function body(file,    line, part, held) {
            while ((getline line < file) > 0) {
                split(line, part, "\"")
                if (line ~ /^#(ifndef|define) DEMI_[A-Z_]*_H$/) continue
                if (held) { print "#endif"; held = 0 }
                if (line == "#endif" && file ~ /\.h$/) { held = 1; continue }
                if (line ~ /^#include ".*\.def"/ || index(line, "\"" folder "/") > 0) {
                    if (!(part[2] in seen)) { seen[part[2]] = 1; body("src/" part[2]) }
                } else if (line !~ /^#include/)
                    print line
            }
            close(file)
        }
        BEGIN { sub(/\.c$/, "", folder); body(ARGV[1]) }' "$1"
}

# The functions, types and constants of a file in simd/, which have a name for each instruction set.
names_of() {
    body_of "$1" | sed -n -e 's/^DEMI_ENTRY([a-z_0-9]*, \([a-z_0-9]*\));$/\1/p' \
        -e 's/^typedef [a-z]* \([a-z_0-9]*\) .*/\1/p' \
        -e 's/^enum { \([A-Z_0-9]*\) = .*/\1/p' -e 's/^    \([A-Z][A-Z_0-9]*\) = .*/\1/p' \
        -e 's/^DEMI_APART [^(=]*[ *]\([a-z_0-9]*\)(.*/\1/p' \
        -e 's/^static [^(=]*[ *]\([a-z_0-9]*\)(.*/\1/p' \
        -e 's/^DEMI_LAW(\([a-z_0-9]*\),.*/demi_\1_batch/p' \
        -e 's/^DEMI_LEAN(\([a-z_0-9]*\),.*/demi_\1_lean_batch/p' | sort -u
}

files=
for layer in base laws mesh shapes search contact list integrate world analysis coupling io; do
    for file in src/$layer/*.c; do
        [ -f "$file" ] && files="$files $file"
    done
done
# Headers that the files in simd/ alone include.
for header in $(sed -n 's/^#include "\(.*\.h\)"$/\1/p' src/*/simd/*.c src/*/simd/*/*.h |
    sort -u); do
    case $header in */simd/*/*) ;; *) files="$files src/$header" ;; esac
done
{
    cat <<'HEAD'
/* SPDX-License-Identifier: MIT */
/* libdem in one file; see dem.h. */

/* Threads and files, where the compiler is asked for strict C. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

/* Compile with -O2: without it it runs four times slower. It gives the same bits with any flags:
 * no fused multiply-add. */
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

/* Only what dem.h declares is seen outside: two copies in one process do not meet. */
#pragma GCC visibility push(hidden)

HEAD
    # shellcheck disable=SC2086
    awk -v public=0 "$inline" $files

    # The files in simd/ once for each instruction set.
    for isa in baseline avx2 avx512 v2; do
        targets=
        case $isa in
        avx2) targets=avx2 ;;
        v2) targets=sse4.2,popcnt ;;
        avx512) targets=avx512f,avx512dq,avx512bw,avx512vl ;;
        esac
        [ "$isa" = baseline ] || target_begin "$targets"
        for file in src/*/simd/*.c; do
            names=$(names_of "$file")
            for name in $names; do echo "#define $name ${name}_$isa"; done
            body_of "$file"
            for name in $names; do echo "#undef $name"; done
        done
        [ "$isa" = baseline ] || target_end
    done
    echo '#pragma GCC visibility pop'
} >"$out/dem.c"
