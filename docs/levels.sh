#!/bin/sh
# SPDX-License-Identifier: MIT
# levels.sh page|header: the table of levels for a page, or for the comment of a header; see
# src/generate.sh.
set -eu
awk -F'|' -v what="$1" '
BEGIN {
    page = what == "page"
    margin = page ? "" : " * "
    print margin "| level |" (page ? " headers |" : "") " you own | libdem owns |"
    print margin "|---|" (page ? "---|" : "") "---|---|"
}
/^#/ { next }
{
    print margin "| " $1 " |" (page ? " " $2 " |" : "") " " $3 " | " $4 " |"
    line = margin "- " $1 ": " $2
    if (length(line) > 100) {
        match(substr(line, 1, 101), /.*, /)
        line = substr(line, 1, RLENGTH - 1) "\n" margin "  " substr(line, RLENGTH + 1)
    }
    headers = headers line "\n"
}
END { if (!page) printf " *\n%s", headers } # a line of a header has no room for a fourth column
' docs/levels.def
