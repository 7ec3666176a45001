#!/bin/sh
# SPDX-License-Identifier: MIT
# exports.sh LIBRARY: the library exports what the map lists, which is what the headers declare;
# it imports nothing that prints, ends the program or looks at its surroundings; it calls its own
# functions, whatever else the program holds by their names; and it holds no data that can be
# written.
library=${1:?library}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

cat include/dem/*.h | sed '/^#/d' | tr '\n' ' ' | sed 's:/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/: :g' |
    grep -oE '(DEM_API|DEM_KERNEL)[^;{(]*\(' | sed 's/ *($//; s/.*[ *]//' |
    sort -u >"$work/headers"
grep -oE '^ *dem_[a-z0-9_]+;' src/libdem.map | tr -d ' ;' | sort >"$work/map"
nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
    sort >"$work/exports"

compare() {
    if ! diff -u "$work/$1" "$work/$2" >"$work/diff"; then
        echo "exports: $1 and $2 differ:"
        sed -n '3,$p' "$work/diff"
        status=1
    fi
}
compare headers map
compare map exports

forbidden='_?exit|_Exit|quick_exit|abort|v?f?printf|v?dprintf|__v?f?printf_chk|putc|putchar|puts'
forbidden="$forbidden|fputs|fputc|fwrite|perror|__assert_fail|(secure_)?getenv|setlocale|signal"
forbidden="$forbidden|sigaction|raise|kill|system|std(in|out|err)|longjmp|atexit|srand|rand"
nm -D -u "$library" | awk '{ sub(/@.*/, "", $2); print $2 }' |
    grep -xE "$forbidden" >"$work/imports" && {
    echo 'exports: forbidden imports:'
    cat "$work/imports"
    status=1
}

if readelf -rW "$library" | grep -E 'R_[A-Z0-9_]*_(JUMP_SLOTS?|GLOB_DATS?) .* dem_' \
    >"$work/own"; then
    echo 'exports: functions of its own that others may replace:'
    cat "$work/own"
    status=1
fi

# A section of the C runtime's start files is theirs; ours have sizes above zero and names.
objdump -t "$library" | awk '$3 == "O" && $4 ~ /^\.(data|bss|tdata|tbss)$/ &&
    $NF !~ /^(completed|__dso_handle|__TMC_END__)/' >"$work/data"
if [ -s "$work/data" ]; then
    echo 'exports: data that can be written:'
    cat "$work/data"
    status=1
fi

[ $status -eq 0 ] && echo "exports: $(wc -l <"$work/exports") symbols, in headers, map and library"
exit $status
