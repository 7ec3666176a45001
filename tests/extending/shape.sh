#!/bin/sh
# SPDX-License-Identifier: MIT
# shape.sh TREE: the recipe "a wall shape" of docs/extending.md: a tube.
set -eu
tree=${1:?tree}
from=$(dirname "$0")/shape
cp "$from/tube.c" "$tree/src/shapes/"
cp "$from/wall_tube.c" "$tree/tests/api/"
cat >>"$tree/src/shapes/shapes.def" <<'END'
DEMI_SHAPE_OF_WALLS(tube, TUBE, "tube about `point` along `normal`, radius size[0]")
END
