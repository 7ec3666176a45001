#!/bin/sh
# SPDX-License-Identifier: MIT
# mutate.sh: breaks a copy of the library in one place at a time and runs the fast physics tests,
# which must notice. Ends with 1 if a broken library passes them all, or if a mutation finds
# nothing to change. Honours CC. Takes a few minutes.
#
#     sh tests/mutate.sh [NAME]      only mutations whose name contains NAME
#     HALF=0 or HALF=1               every second one, for two processors
set -u
CC=${CC:-cc}
only=${1:-}
here=$(cd "$(dirname "$0")/.." && pwd) || exit 1
copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/objects" "$copy/support"
cp -R "$here/include" "$here/src" "$here/tests" "$here/examples" "$copy" || exit 1
cd "$copy" || exit 1

# One instruction set is enough: batches are the same code in all.
flags='-std=gnu11 -O1 -ffp-contract=off -Iinclude -Isrc -Itests/physics
    -DDEMI_ISA_BASELINE_ONLY -DDEMI_ISA_SUFFIX=_baseline'
programs='twist groove-fast plates orientation symmetry mfix restitution energy rolling parts
    actm collision adhesion hysteretic hertz mindlin-fast'

# object(source, object)
object() {
    # shellcheck disable=SC2086
    $CC $flags -c "$1" -o "$2"
}

# name_of(source): its object
name_of() {
    echo "objects/$(echo "$1" | tr / -).o"
}

# The groove's file holds long runs too; here only those of smooth rolling are wanted.
cat >tests/physics/groove-fast.c <<'C'
#include "support/run.h"
RUN_CASE(groove_orders)
RUN_CASE(groove_world_as_host)
RUN_CASE(groove_reversal)
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_groove_orders),
                                       cmocka_unit_test(test_groove_world_as_host),
                                       cmocka_unit_test(test_groove_reversal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
C
# The Mindlin laws without their 10,000 random closed paths each.
cat >tests/physics/mindlin-fast.c <<'C'
#include "support/run.h"
RUN_CASE(mindlin_passivity_driven)
RUN_CASE(mindlin_directed)
RUN_CASE(mindlin_plane)
RUN_CASE(mindlin_frames)
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mindlin_passivity_driven), cmocka_unit_test(test_mindlin_directed),
        cmocka_unit_test(test_mindlin_plane), cmocka_unit_test(test_mindlin_frames)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
C
for source in src/*/*.c src/*/simd/*.c; do
    object "$source" "$(name_of "$source")" || exit 1
done
# as an archive: a program takes only what it runs
for source in tests/physics/support/*.c; do
    object "$source" "support/$(basename "$source").o" || exit 1
done
ar rc support.a support/*.o || exit 1
for program in $programs; do
    object "tests/physics/$program.c" "main-$program.o" || exit 1
done

# Tried before the others, because they are likely to notice.
first=
# try: links and runs the tests until one notices; prints the names of its tests that fail.
try() {
    for program in $first $programs; do
        $CC "main-$program.o" support.a objects/*.o -o program -lcmocka -lpthread -lm || exit 1
        timeout 120 ./program >log 2>&1 && continue
        # a call of the library that failed ends the program before cmocka can sum up
        sed -n 's/^\[  FAILED  \] test_\([a-z_]*\).*/\1/p' log | sort -u | grep . ||
            echo "$program"
        return
    done
}

noticed=$(try)
if [ -n "$noticed" ]; then
    echo "the library fails before any mutation:" $noticed
    exit 1
fi

survived=0 count=0 number=0
# mutate(name, file, sed script[, source]): one mutation, undone afterwards. For a header, the
# source that is compiled anew.
mutate() {
    case $1 in *"$only"*) ;; *) return ;; esac
    number=$((number + 1))
    [ -z "${HALF:-}" ] || [ $((number % 2)) -eq "$HALF" ] || return
    count=$((count + 1))
    cp "$2" original
    sed "$3" original >"$2"
    if cmp -s original "$2"; then
        echo "mutation=$1 file=$2 caught_by=NOTHING-CHANGED"
        survived=$((survived + 1))
        return
    fi
    source=${4:-$2}
    if object "$source" "$(name_of "$source")"; then
        noticed=$(try | sort -u | tr '\n' ',')
    else
        noticed=DOES-NOT-COMPILE
    fi
    case $noticed in
    '' | DOES-NOT-COMPILE) survived=$((survived + 1)) ;;
    esac
    echo "mutation=$1 file=$2 caught_by=${noticed:-NOTHING}"
    cp original "$2"
    object "$source" "$(name_of "$source")"
}

first=twist
lanes=src/contact/simd/lanes.c
mutate half-normal-forward "$lanes" \
    '/m\[c\] = d\[c\] - b->velocity/s/d\[c\] -/d[c] +/'
mutate half-normal-of-the-end "$lanes" '/m\[c\] = d\[c\] - b->velocity/s/0\.5 \* dt/0.0 * dt/'
mutate no-twist "$lanes" 's/(dt \* 0\.125)/(dt * 0.0)/'
mutate twist-of-wrong-sign "$lanes" 's/(dt \* 0\.125)/(dt * -0.125)/'
mutate twist-twice "$lanes" 's/(dt \* 0\.125)/(dt * 0.25)/'
mutate twist-before-increment-alone "$lanes" \
    '/lane_twist)(half, cosine \* dt/s/cosine \* dt, sine \* dt/dt, 0.0/'
mutate history-twisted-once "$lanes" \
    's/_cosine\[k\] = .*;/_cosine[k] = cosine;/;s/_sine\[k\] = .*;/_sine[k] = sine;/'
mutate history-not-turned "$lanes" \
    's/lane_tilt)(now, tilt, 1\.0, h)/lane_tilt)(now, tilt, 0.0, h)/'
mutate axial-history-not-turned "$lanes" \
    's/dem_kernel_rotate_minimal(old, now, h)/(void)old/'
mutate axial-history-twisted-as-tangent "$lanes" \
    's/vector\[c\] += along \* n\[c\]/vector[c] += 0.0/'
mutate history-turned-half-way "$lanes" \
    's/of_half = (length + length) \* scale/of_half = length * scale/'
mutate tilt-of-equal-distances "$lanes" 's/(length_old - length) \* scale/0.0 * scale/'
mutate increment-not-tilted "$lanes" '/lane_tilt)(now, sum, way->onto, du)/d'
first=groove-fast
chunk=src/world/simd/chunk.c
mutate late-damping "$chunk" 's/half\[c\] + (half\[c\] - now\[c\]) \* again/half[c]/'
mutate velocity-of-i-and-j-swapped "$chunk" 's/vi\[s\] -= vj\[s\]/vi[s] = vj[s] - vi[s]/'
mutate spins-of-i-and-j-swapped "$chunk" \
    's/spin_j, b->damping_spin_j/OTHER/;s/spin_i, b->damping_spin_i/spin_j, b->damping_spin_j/
    s/b->OTHER/b->spin_i, b->damping_spin_i/'
mutate torque-on-i-of-wrong-sign src/contact/resultant.h 's/ - arm_i \*/ + arm_i */' "$chunk"
mutate torque-on-j-of-wrong-sign src/contact/resultant.h 's/ - arm_j \*/ + arm_j */' "$chunk"
mutate reaction-acts-along "$chunk" 's/reaction\[s\] = -on/reaction[s] = on/'
mutate radii-of-i-and-j-swapped "$chunk" 's/&b->radius_i\[k\]/\&b->radius_j[k]/'
mutate old-states-not-counted "$chunk" 's/state += stride & -there/state += 0 * there/'
mutate states-kept-one-too-far "$chunk" \
    's/popcount(alive)/popcount(alive | 128)/'
mutate wall-not-turned-with-order "$chunk" \
    's/first ? wall->normal\[c\] : -wall->normal\[c\]/wall->normal[c]/'
mutate world-leapfrog-forgets-that-it-is-late src/world/step.c \
    's/LEAPFROG ? 0\.5 \* dt : 0\.0/LEAPFROG ? 0.0 : 0.0/'
mutate world-leapfrog-kicks-twice src/world/phases.c \
    's/<= DEM_INTEGRATOR_VERLET_STANDARD ? 0\.5/<= DEM_INTEGRATOR_LEAPFROG ? 0.5/'
mutate world-euler-kicks-by-half src/world/phases.c \
    's/(whole ? dt : 0\.5 \* dt)/0.5 * dt + 0 * whole/'
mutate world-leapfrog-dashpots-see-too-far src/world/phases.c \
    's/return 0\.5 \* dt \/ demi_kick_first(w, dt)/return 1.0/'
mutate world-euler-dashpots-look-ahead src/world/phases.c \
    's/SYMPLECTIC_EULER || dt == 0\.0/LEAPFROG + 99 || dt == 0.0/'
mutate no-first-forces src/world/step.c 's/status = steps_make(w, 0\.0, 1)/status = DEM_OK/'

mutate late-damping-of-a-host src/contact/evaluate.c 's/[al][ij]\[c\] \* lag/0.0 * lag/g'
mutate leapfrog-starts-with-a-whole-kick src/integrate/integrator.c \
    's/return dt + integrator->dt_before/return 2.0 * dt/'
mutate symplectic-euler-kicks-by-half src/integrate/integrator.c \
    's/SYMPLECTIC_EULER ? 2\.0 \* dt : dt/SYMPLECTIC_EULER ? dt : dt/'
mutate orientation-of-half-a-step src/integrate/integrator.c \
    's/\(rotate_orientation(.*\), dt,/\1, 0.5 * dt,/'
mutate rk4-last-stage-too-far src/integrate/stages.c \
    's/{0\.5, 0\.5, 1\.0, 0\.5}/{0.5, 0.5, 1.0, 1.0}/'
mutate stages-carry-on src/integrate/stages.c 's/value = \*call->base +/value = *value +/'
mutate orientation-without-real-part src/integrate/stages.c \
    's/-0\.5 \* (w\[0\] \* q\[1\]/0.5 * (w[0] * q[1]/'
stages=src/contact/stages.c
mutate stage-frame-does-not-turn "$stages" 's/turning\[c\] = (n\[d\]/turning[c] = 0.0 * (n[d]/'
mutate stage-no-twist "$stages" 's/+ twist \* n\[c\]/+ 0.0 * n[c]/'
mutate stage-twist-of-wrong-sign "$stages" 's/+ twist \* n\[c\]/- twist * n[c]/'
mutate stage-twist-twice "$stages" 's/twist += 0\.5 \*/twist += 1.0 */'
mutate stage-reset-forgotten "$stages" 's/lanes->state\[c\]\[k\] - base\[at\] : 0\.0/0.0 : 0.0/'
mutate sliding-rate-as-sticking include/dem/kernels.h \
    's/rate\[c\] = dem_select(slips, sliding, velocity\[c\])/rate[c] = velocity[c]/' \
    src/laws/linear.c
first=parts
friction=src/laws/simd/friction.c
mutate parts-friction-without-damping "$friction" \
    's/c->factor \* b->damping\[k\] \* per_eta/0.0 * per_eta/'
mutate parts-limit-of-the-start-forgotten "$friction" \
    's/b->state\[3 \* S + k\] = limit;/b->state[3 * S + k] = 0.1 * limit;/'
first=rolling
resistance=src/laws/simd/rolling.c
mutate rolling-torque-on-j-of-wrong-sign "$resistance" \
    's/b->torque_j\[a \* S + k\] -= torque/b->torque_j[a * S + k] += torque/'
mutate rolling-with-sum-of-spins include/dem/law_rolling.h \
    's/radius \* (spin_i\[0\] - spin_j\[0\])/radius * (spin_i[0] + spin_j[0])/' "$resistance"
mutate twisting-with-sum-of-spins "$resistance" \
    's/(spin_i\[0\] - spin_j\[0\]) \* normal\[0\]/(spin_i[0] + spin_j[0]) * normal[0]/'
mutate twisting-stiffness-yields-energy "$resistance" \
    's/const int falls = (old > 0\.0) & (now < old)/const int falls = 0 \& (old > 0.0)/'
mutate twisting-limit-of-the-edge "$resistance" 's|2\.0 / 3\.0 \* c->friction|1.0 * c->friction|'
first=actm
actm=src/laws/simd/actm.c
mutate actm-without-floor "$actm" \
    's/dem_select(rate > c->speed_floor, rate, c->speed_floor)/rate/'
mutate actm-fixed-anew "$actm" 's/dem_select(has, b->state\[k\], stiffness)/stiffness/'
mutate actm-friction-of-tail "$actm" \
    's/dem_select(force > 0\.0, force, 0\.0)/dem_select(force > 0.0, force, -force)/'
mutate actm-tail-cut include/dem/law_actm.h \
    's/return dem_select(overlap > 0\.0, force, 0\.0)/return dem_select(force > 0.0, force, 0.0)/' \
    "$actm"
mutate actm-bound-keeps-time include/dem/law_actm.h \
    's/k == wanted, 1\.0, root \* root/k == wanted, 1.0, root/' "$actm"
mutate collision-damping-half src/laws/collision_curve.h \
    's/\*damping = 2\.0 \* lambda/*damping = 1.0 * lambda/' src/laws/collision.c
mutate collision-logarithm src/laws/collision_curve.h 's|1\.0 / 7 + 1\.0 / 9|1.0 / 7 - 1.0 / 9|' \
    src/laws/collision.c

# sticking and yielding
first=adhesion
batch=src/laws/simd/adhesion.c
mutate neck-ends-at-touch "$batch" 's/const int held = jkr ? .*/const int held = 0;/'
mutate neck-made-from-afar "$batch" 's/jkr ? was & (/jkr ? (/'
mutate neck-energy-of-touch-not-counted "$batch" 's/ - dem_select(was, 0\.0, touch)//'
mutate neck-dashpot-recalled-late "$batch" 's/(2\.0 \* v_half - v)/v/'
mutate neck-friction-without-pull "$batch" 's/(jkr ? 3\.0 : 2\.0) \* pull/0.0 * pull/'
mutate neck-pull-smaller include/dem/law_adhesion.h 's/cube - 6\.0 \* neck/cube - 5.9 * neck/' \
    "$batch"
mutate neck-no-reach src/laws/adhesion.c 's/\.reach = jkr_reach,//'
mutate neck-reaches-wall-as-sphere src/contact/models.c \
    's/model->combined\[p\], radius_i, radius_j)/model->combined[p], radius_i + radius_j, \
radius_i + radius_j)/'
first=hysteretic
batch=src/laws/simd/hysteretic.c
yielding=include/dem/law_hysteretic.h
mutate yield-does-not-recover src/laws/hysteretic.c 's/recovers = 1\.0/recovers = 0.0/'
mutate yield-memory-is-lost "$batch" 's/b->state\[k\] = dem_select(.*, m, 0\.0)/b->state[k] = 0.0/'
mutate yield-memory-without-limit "$batch" \
    's/dem_select(bounded, c->depth \* radius, 1e300)/1e300/'
mutate yield-healing-costs-nothing "$yielding" \
    's/dem_select(to > from, yielded, healed)/dem_select(to > from, yielded, 0.0)/' "$batch"
mutate yield-at-another-force "$yielding" \
    's/(square - yield \* yield \/ 3\.0)/(square - yield * yield \/ 2.0)/' "$batch"
first="mindlin-fast hertz"
row=src/laws/simd/mindlin_deresiewicz.c
mutate springs-do-not-see-the-total-force "$row" \
    's/live, b->force_friction\[k\], 0\.0) \/$/live, b->force_elastic[k], 0.0) \//'
mutate joined-springs-summed "$row" 's/= 0\.5 \* (p + q)/= 1.0 * (p + q)/'
mutate sliding-row-bears-the-whole-limit "$row" \
    's/-exact \* elastic\[i\]/-limit * elastic[i] \/ sqrt(dem_select(slides, tension, 1.0))/'
mutate tangent-frame-mirrored "$row" 's/r->across\[i\]\[k\] = f\[i\]/r->across[i][k] = -f[i]/'
mutate spring-not-rescaled src/laws/simd/mindlin.c \
    's/const double rescaled = .*/const double rescaled = ratio;/'
mutate friction-without-the-dashpot src/laws/simd/hertz.c \
    's/dem_select(force > 0\.0, force, dem_select/dem_select(force > 0.0, elastic, dem_select/'
echo "$count mutations, $survived not caught"
[ "$survived" -eq 0 ]
