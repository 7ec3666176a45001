#!/bin/sh
# SPDX-License-Identifier: MIT
# pages.sh FOLDER INCLUDEDIR PAGE: the page as it is installed in FOLDER. Its links to headers lead
# to those in INCLUDEDIR, from FOLDER, so that an installed copy can be moved.
set -e
from=${1%/} to=${2%/} up=
case $from in /*) ;; *) from=/$from ;; esac
case $to in /*) ;; *) to=/$to ;; esac
while :; do
    case $to/ in "$from"/*) break ;; esac
    from=${from%/*} up=../$up
done
# what sed and links would read as their own
to=$(printf '%s\n' "$up${to#"$from"/}" | sed -e 's/ /%20/g' -e 's/[\\&|]/\\&/g')
sed "s|](include/dem|]($to/dem|g" "$3"
