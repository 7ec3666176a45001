#!/bin/sh
# SPDX-License-Identifier: MIT
# scheme.sh TREE: adds the scheme that drifts first and kicks once, at the end of a step.
set -eu
tree=${1:?tree}
here=$(dirname "$0")
list=$tree/src/integrate/schemes.def
number=$(grep -c '^DEMI_SCHEME_' "$list")
cat >>"$list" <<ROW

DEMI_SCHEME_KICKS(DRIFT_KICK, $number, SYNCHRONIZED, 0.0, 1.0, 0.0, 0.0, 0.5,
    "drift, then kick",
    "1",
    "to compare with codes that have it")
ROW
cp "$here/scheme/drift_kick.c" "$tree/tests/api/drift_kick.c"
