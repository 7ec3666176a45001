#!/bin/sh
# SPDX-License-Identifier: MIT
# fill.sh PREFIX LIBDIR INCLUDEDIR VERSION: dem.pc from dem.pc.in. Folders below PREFIX are given
# relative to the place of dem.pc, so that an installed copy can be moved.
set -e
prefix=${1%/} libdir=${2%/} includedir=${3%/}
base=$prefix
case $libdir in
"$prefix"/*)
    below=${libdir#"$prefix"/}
    base='${pcfiledir}/'$(printf '%s\n' "$below/pkgconfig" | sed 's|[^/][^/]*|..|g')
    libdir='${prefix}/'$below
    case $includedir in "$prefix"/*) includedir='${prefix}/'${includedir#"$prefix"/} ;; esac
    ;;
esac
# what sed would read as its own
plain() { printf '%s\n' "$1" | sed 's/[\\&|]/\\&/g'; }
sed -e "s|@PREFIX@|$(plain "$base")|" -e "s|@LIBDIR@|$(plain "$libdir")|" \
    -e "s|@INCLUDEDIR@|$(plain "$includedir")|" -e "s|@VERSION@|$4|" "${0%/*}/dem.pc.in"
