#!/bin/sh
# SPDX-License-Identifier: MIT
# levels.sh page|header: the table of levels for a page, or for the comment of a header; see
# src/generate.sh.
set -eu
case $1 in
page) margin='' ;;
header) margin=' * ' ;;
esac
awk -F'|' -v margin="$margin" '
BEGIN {
    print margin "| level | headers | you own | libdem owns |"
    print margin "|---|---|---|---|"
}
!/^#/ { print margin "| " $1 " | " $2 " | " $3 " | " $4 " |" }
' docs/levels.def
