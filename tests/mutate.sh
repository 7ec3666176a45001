#!/bin/sh
# SPDX-License-Identifier: MIT
# mutate.sh: breaks a copy of the library in one place at a time and runs the fast physics tests,
# which must notice. Ends with 1 if a broken library passes them all, or if a mutation finds
# nothing to change. Honours CC. Takes a minute or two.
set -u
CC=${CC:-cc}
here=$(cd "$(dirname "$0")/.." && pwd) || exit 1
copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/objects"
cp -R "$here/include" "$here/src" "$here/tests" "$here/examples" "$copy" || exit 1
cd "$copy" || exit 1

flags='-std=c11 -O1 -ffp-contract=off -Iinclude -Isrc -Itests/physics'
programs='twist mfix symmetry restitution energy groove-fast'

# object(source, object)
object() {
    # shellcheck disable=SC2086
    $CC $flags -c "$1" -o "$2"
}

# The groove's file holds long runs too; here only the order of convergence is wanted.
cat >tests/physics/groove-fast.c <<'C'
#include "support/run.h"
RUN_CASE(groove_orders)
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_groove_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
C
fines='examples/phase_diagram/lanes.c examples/percolation/bed.c examples/percolation/fall.c
    examples/percolation/run.c'
for source in src/*/*.c tests/physics/support/*.c $fines; do
    object "$source" "objects/$(echo "$source" | tr / -).o" || exit 1
done
for program in $programs; do
    object "tests/physics/$program.c" "main-$program.o" || exit 1
done

# try: links and runs the tests; prints the names of the tests that fail.
try() {
    for program in $programs; do
        $CC "main-$program.o" objects/*.o -o program -lcmocka -lm || exit 1
        timeout 120 ./program >log 2>&1 && continue
        # a call of the library that failed ends the program before cmocka can sum up
        sed -n 's/^\[  FAILED  \] test_\([a-z_]*\).*/\1/p' log | sort -u | grep . ||
            echo "$program"
    done
}

noticed=$(try)
if [ -n "$noticed" ]; then
    echo "the library fails before any mutation:" $noticed
    exit 1
fi

survived=0 count=0
# mutate(name, file, sed script): one mutation, undone afterwards.
mutate() {
    count=$((count + 1))
    cp "$2" original
    sed "$3" original >"$2"
    if cmp -s original "$2"; then
        echo "mutation=$1 file=$2 caught_by=NOTHING-CHANGED"
        survived=$((survived + 1))
        return
    fi
    name=objects/$(echo "$2" | tr / -).o
    if object "$2" "$name"; then
        noticed=$(try | sort -u | tr '\n' ',')
    else
        noticed=DOES-NOT-COMPILE
    fi
    case $noticed in
    '' | DOES-NOT-COMPILE) survived=$((survived + 1)) ;;
    esac
    echo "mutation=$1 file=$2 caught_by=${noticed:-NOTHING}"
    cp original "$2"
    object "$2" "$name"
}

lanes=src/contact/lanes.c
mutate half-normal-forward "$lanes" \
    '/past\[c\] = .* (0\.5 \* dt);/s/d\[c\] -/d[c] +/'
mutate no-twist "$lanes" 's/(dt \* 0\.125)/(dt * 0.0)/'
mutate twist-of-wrong-sign "$lanes" 's/(dt \* 0\.125)/(dt * -0.125)/'
mutate twist-twice "$lanes" 's/(dt \* 0\.125)/(dt * 0.25)/'
mutate history-not-turned "$lanes" '/dem_kernel_rotate_minimal(f\.[a-z]*, f\.[a-z]*, h)/d'
mutate history-turned-half-way "$lanes" '/dem_kernel_rotate_minimal(f\.half, f\.now, h)/d'
mutate torque-on-j-of-wrong-sign "$lanes" \
    's/torque_j\[c\]\[k\] -= b->arm_j/torque_j[c][k] += b->arm_j/'
mutate late-damping src/world/phases.c \
    's/vd\[c\] = synchronized ? demi_verlet_kick(v1\[c\], a\[c\], dt) : v1\[c\]/vd[c] = v1[c]/'
mutate velocity-of-i-and-j-swapped src/world/contacts.c \
    's/velocity\[c\]\[k\] = vi\[c\] - vj\[c\]/velocity[c][k] = vj[c] - vi[c]/'
mutate spins-of-i-and-j-swapped src/world/contacts.c \
    's/\(spin_i\[c\]\[k\] =\) wi/\1 wj/; s/\(spin_j\[c\]\[k\] =\) wj/\1 wi/'
mutate wall-not-turned-with-order src/world/contacts.c \
    's/const double sign = first ? 1\.0 : -1\.0/const double sign = first ? 1.0 : 1.0/'
mutate no-first-forces src/world/step.c 's/status = step_once(w, 0\.0)/status = DEM_OK/'
echo "$count mutations, $survived not caught"
[ "$survived" -eq 0 ]
