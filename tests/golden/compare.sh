#!/bin/sh
# SPDX-License-Identifier: MIT
# compare.sh PROGRAM OTHER_PROGRAM: by how much the forces and torques of the first step of each
# scene differ between two builds, relative to the largest of the scene; fails beyond 1e-13. For a
# change of the order of sums, which changes the hashes.
program=$1 other=$2 status=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for scene in $(sed 's/^scene=\([^ ]*\).*/\1/' "$(dirname "$0")/golden.txt"); do
    "$program" --forces "$scene" >"$work/a" && "$other" --forces "$scene" >"$work/b" || exit 1
    paste -d' ' "$work/a" "$work/b" | awk -v scene="$scene" '
        $1 != $8 { print "scene=" scene ": other particles"; exit 1 }
        {
            for (c = 2; c <= 7; ++c) {
                d = $c - $(c + 7); if (d < 0) d = -d
                size = $c < 0 ? -$c : $c
                if (d > most) most = d
                if (size > largest) largest = size
            }
        }
        END {
            r = largest > 0 ? most / largest : most
            printf "scene=%s difference=%.1e%s\n", scene, r, r <= 1e-13 ? "" : " FAIL"
            exit r > 1e-13
        }' || status=1
done
exit $status
