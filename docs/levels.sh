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
    headers = headers margin "- " $1 ": " $2 "\n"
}
END { if (!page) printf " *\n%s", headers } # a line of a header has no room for a fourth column
' docs/levels.def
