#!/bin/sh
# SPDX-License-Identifier: MIT
# law.sh TREE: adds the law "maxwell", which has a state, as docs/extending.md says.
set -eu
tree=${1:?tree}
cd "$(dirname "$0")/law"
cp law_maxwell.h "$tree/include/dem/"
cp maxwell.c maxwell_lane.h "$tree/src/laws/"
cp law_maxwell.md "$tree/docs/"
cp law_maxwell.c "$tree/tests/api/"

# The next free kind, and the node of the present release.
list=$tree/src/laws/laws.def
kind=$(sed -n 's/^DEMI_PARAMETERS([a-z_]*, \([0-9]*\),.*/\1/p' "$list" | sort -n | tail -n 1)
release=$(sed -n 's/^DEM_\([0-9.]*\) {.*/\1/p' "$tree/src/libdem.map" | tail -n 1)
awk -v rows="DEMI_PARAMETERS(maxwell, $((kind + 1)), law_maxwell, $release)
DEMI_LAW(maxwell, maxwell, demi_maxwell, LANES)" \
    '/^DEMI_LEAN\(/ && !put++ { print rows "\n" } { print }' "$list" >"$list.new"
mv "$list.new" "$list"
sed '/^## /{n;a\
- [api] The law "maxwell": contacts that creep.
;:rest;n;b rest
}' "$tree/CHANGELOG.md" >"$tree/CHANGELOG.new" && mv "$tree/CHANGELOG.new" "$tree/CHANGELOG.md"
