#!/bin/sh
# SPDX-License-Identifier: MIT
# compare.sh BASELINE LIBRARY: any difference fails, but for structs with a size member, which may
# grow at their end.
baseline=${1:?baseline}
library=${2:?library}
if ! command -v abidiff >/dev/null 2>&1; then
    echo 'abi-check needs abidiff: apt-get install abigail-tools' >&2
    exit 1
fi
if [ ! -f "$baseline" ]; then
    echo "abi-check: no baseline $baseline for this machine; \`make abi-baseline\` makes one" >&2
    exit 1
fi
abidiff --no-added-syms --suppressions tests/abi/growing.abignore --headers-dir2 include/dem \
    "$baseline" "$library" || exit 1
echo "abi-check: $library agrees with $baseline"
