#!/bin/sh
# SPDX-License-Identifier: MIT
# programs.sh TODAY LATER WORK: runs programs across versions, see docs/abi.md. TODAY and LATER are
# folders with a shared library: that of the sources, and that of the sources with WORK/include, in
# which all structs have grown.
set -u
today=${1:?folder} later=${2:?folder} work=${3:?folder}
old=tests/abi/0.2
soname=libdem.so.0.2
failed=0
compile="${CC:-cc} -std=c11 -O1 -Wall -Wextra -Werror"

say() { # say STATUS NAME
    if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2" && failed=1; fi
}

# prints NAME FOLDER PROGRAM: the program prints with the library in FOLDER what it printed then
prints() {
    LD_LIBRARY_PATH=$2 "$3" >"$work/printed.txt" && diff "$old/program.txt" "$work/printed.txt"
    say $? "$1"
}

$compile -I$old/include $old/program.c -L"$today" -ldem -o "$work/old" &&
    $compile -I"$work/include" $old/program.c -L"$later" -ldem -o "$work/new" &&
    $compile -I"$work/include" tests/abi/future.c -L"$later" -ldem -o "$work/future"
say $? "programs compile"
prints "program with headers of 0.2, today's library" "$today" "$work/old"
prints "program with headers of 0.2, grown library" "$later" "$work/old"
prints "program with grown headers, today's library" "$today" "$work/new"
prints "program with grown headers, grown library" "$later" "$work/new"
binary=$old/program-$(uname -m)
if [ -f "$binary" ]; then
    prints "program compiled then, today's library" "$today" "$binary"
    prints "program compiled then, grown library" "$later" "$binary"
fi
LD_LIBRARY_PATH=$today "$work/future"
say $? "program with grown headers sets new members, today's library"

# A function of a later release, which a library to link with has.
mkdir -p "$work/stub"
echo 'int dem_future(void); int dem_future(void) { return 0; }' >"$work/stub/stub.c"
echo 'int dem_future(void); int main(void) { return dem_future(); }' >"$work/stub/program.c"
echo 'DEM_0.3 { global: dem_future; };' >"$work/stub/stub.map"
$compile -fPIC -shared -Wl,-soname,$soname -Wl,--version-script="$work/stub/stub.map" \
    "$work/stub/stub.c" -o "$work/stub/$soname" &&
    $compile "$work/stub/program.c" "$work/stub/$soname" -o "$work/stub/program" &&
    LD_LIBRARY_PATH=$work/stub "$work/stub/program"
say $? "function of a later release, later library"
LD_LIBRARY_PATH=$today "$work/stub/program" >"$work/stub/said.txt" 2>&1
[ $? -ne 0 ] && grep "$soname: version .DEM_0.3' not found" "$work/stub/said.txt"
say $? "function of a later release, today's library: not loaded"
[ $failed -eq 0 ] && echo "abi-programs: all run, or are refused, as docs/abi.md says"
exit $failed
