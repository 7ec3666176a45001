#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs into a fresh folder and uses that copy as a stranger would: the examples in C, C++ and
# Fortran through pkg-config alone, shared and static, with warnings as errors; what they print is
# checked. Then: headers, C++ and Fortran interface agree; kernels inline and exported agree.
#
#     sh tests/install.sh        prints `ok name` or `not ok name`; non-zero exit on a failure
#
# MAKE, CC, CXX, FC and PKG_CONFIG are honoured. KEEP=1 leaves the temporary folder.
set -u
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
tmp=$(mktemp -d) || exit 1
if [ "${KEEP:-0}" = 1 ]; then echo "# $tmp"; else trap 'rm -rf "$tmp"' EXIT; fi
trap 'exit 1' HUP INT TERM
pkg_config=${PKG_CONFIG:-pkg-config}
CC=${CC:-cc} CXX=${CXX:-c++} FC=${FC:-gfortran}
warnings="-Wall -Wextra -Werror"
failed=0
LC_ALL=C
export LC_ALL

# check NAME COMMAND...: one line of result; what the command said follows a failure
check() {
    label=$1
    shift
    if "$@" > "$tmp/said" 2>&1; then
        echo "ok $label"
    else
        echo "not ok $label"
        sed 's/^/    /' "$tmp/said" | head -n 30
        failed=1
    fi
}

# run FILE COMMAND...: stdout to FILE; fails when the command fails or says nothing
run() {
    out=$1
    shift
    "$@" > "$out" && [ -s "$out" ]
}

prefix=$tmp/prefix
umask 077 # what is installed is for all, whatever the mask
check install ${MAKE:-make} -C "$root" --no-print-directory install DESTDIR= PREFIX="$prefix" \
    LIBDIR="$prefix/lib" INCLUDEDIR="$prefix/include"
umask 022
readable() {
    find "$prefix" ! -type l ! -perm -044
    [ -d "$prefix" ] && [ -z "$(find "$prefix" ! -type l ! -perm -044)" ]
}
check "installed files are readable" readable
cp -R "$root/examples" "$tmp/examples"
cp "$root/tests/install/"* "$tmp"
cd "$tmp" || exit 1
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
check pkg-config "$pkg_config" --exists dem
check manual test -s "$prefix/share/doc/libdem/docs/walls.md" -a \
    -s "$prefix/share/doc/libdem/docs/figures/groove.svg" -a -s "$prefix/share/doc/libdem/LICENSE"
if [ $failed -ne 0 ]; then exit 1; fi

# links: each one of the installed pages leads to something that is there
links() {
    find "$prefix/share/doc/libdem" -name '*.md' > pages.txt
    while read -r page; do
        grep -oE '\]\([^)]+\)' "$page" | sed -e 's/^](//' -e 's/[#)].*$//' |
            grep -v -e :// -e '^@ref' | while read -r link; do
            [ -e "${page%/*}/$link" ] || echo "$page: $link"
        done
    done < pages.txt > broken.txt
    cat broken.txt
    [ "$(wc -l < pages.txt)" -gt 20 ] && [ ! -s broken.txt ]
}
check "links of the manual" links

# statuses_used: what examples call tells them what went wrong, and they look at it
statuses_used() {
    mkdir -p strict/dem || return 1
    for file in "$prefix"/include/dem/*.h; do
        sed 's/^\(DEM_API\|static inline\) dem_status/__attribute__((warn_unused_result)) &/' \
            "$file" > "strict/dem/${file##*/}" || return 1
    done
    for file in examples/*/*.c; do
        compiler=$CC
        case $file in examples/mpi/*) # where there is MPI
            command -v mpicc >/dev/null 2>&1 || continue
            compiler="env OMPI_CC=$CC mpicc" ;;
        esac
        $compiler -std=c11 -D_POSIX_C_SOURCE=200809L -Werror=unused-result -Istrict -c \
            -o /dev/null "$file" || return 1
    done
}
check statuses-used statuses_used

cflags=$("$pkg_config" --cflags dem)
libs=$("$pkg_config" --libs dem)
static_libs=$("$pkg_config" --static --libs dem)
bitwise=$("$pkg_config" --variable=bitwise_cflags dem)
include=$("$pkg_config" --variable=includedir dem)/dem
rpath=-Wl,-rpath,$("$pkg_config" --variable=libdir dem)
header=$(sed -n 's/^#define DEM_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' "$include/base.h" | paste -sd.)
check version test "$("$pkg_config" --modversion dem)" = "$header"

# ---------------------------------------------------------------- what the examples must print

# The spheres lie still, energy is neither lost nor won, and the bed (0.066 x 0.066 x 2 mean
# heights) is filled more than loose random packings are and less than the densest packing there
# is: the spheres fall as a lattice and keep some of its order.
minimal_right() {
    awk '{ for (k = 1; k < NF; ++k) v[$k] = $(k + 1); h = v["height"]
           sum = v["kinetic"] + v["potential"] + v["elastic"] + v["dissipated"] }
         NR == 1 { start = sum; high = h }
         sum < 0.9995 * start || sum > 1.0005 * start { print "energy", sum, "of", start; bad = 1 }
         END { filled = 288 * 5.235988e-7 / (0.066 * 0.066 * 2 * h)
               print "kinetic", v["kinetic"] / start, "height", h, "filled", filled
               exit bad || NR != 11 || v["kinetic"] > 1e-6 * start || h >= high ||
                    filled < 0.55 || filled > 0.7405 }' "$1"
}

# A skidding ball keeps 5/7 of its velocity and then rolls.
host_law_right() {
    awk '{ v = $5; w = $7 }
         NR == 1 && (v != 1 || w != 0) { bad = 1 }
         NR == 2 && (v < 0.88 || v > 0.8825) { print "0.04 s: velocity", v; bad = 1 }
         END { print v, w
               exit bad || NR != 6 || (v - 5 / 7) ^ 2 > 1e-8 || (v - w) ^ 2 > 1e-8 }' "$1"
}

# Momentum stays zero to round-off and energy to the order of the scheme. After the first
# collisions (a fifth of the energy is gone) the world agrees to round-off; collisions then multiply
# the difference by up to a hundred in 0.01 s, and it must stay below the error of the scheme.
host_owned_right() {
    awk '/^t/ { for (k = 1; k < NF; ++k) v[$k] = $(k + 1); ++rows
                b = v["balance"]; if (b < 0) b = -b
                print "balance", b, "momentum", v["momentum"]
                if (b > 1e-4 || v["momentum"] > 1e-13) bad = 1
                if (rows == 1) start = v["kinetic"] }
         /against/ { ++compared; print $4, $9
                     # a world has the accelerations from its velocities: other round-off, which
                     # collisions amplify
                     limit = compared <= 2 ? 1e-11 : 1e-5
                     if ($4 > limit || $9 > 10 * limit) bad = 1 }
         END { exit bad || rows != 6 || compared != 6 || v["kinetic"] > 0.9 * start }' "$1"
}

# What walls do is what grains get and lose, to the order of the scheme.
host_walls_right() {
    awk '{ b = $NF; if (b < 0) b = -b; print "balance", b; if (b > 1e-3) bad = 1; work = $8 }
         END { exit bad || NR != 3 || work < 0.01 }' "$1"
}

# The time step is a fortieth of a contact of Hertz's law at 1 m/s; 125 grains of 2 mm lose most of
# their energy, and the balance closes to the error of the scheme.
hertz_right() {
    awk 'NR == 1 { print; if ($2 < 2.3e-6 || $2 > 2.5e-6 || $2 != $7) bad = 1 }
         NR > 1 { e = $NF < 0 ? -$NF : $NF; if (e > 2e-3) { print; bad = 1 } }
         END { exit bad || NR != 12 || $5 > 0.2 * $8 }' "$1"
}

# Rebounds through the film follow their closed form.
lubrication_right() {
    awk '{ d = $(NF - 3) - $NF; if (d < 0) d = -d; if (d > 0.005) { print; bad = 1 } }
         END { exit bad || NR != 5 }' "$1"
}

# The normal restitution is the one that was set, whatever the angle; from 30 degrees on the sphere
# slides, and the tangential one is 1 - mu (1 + e_n)/tan(angle).
polyhedra_right() {
    awk '{ a = $2 * 3.14159265358979 / 180; slides = 1 - 0.092 * (1 + $4) * cos(a) / sin(a)
           off = $6 - slides; if (off < 0) off = -off; print $2, $4, off
           if ($4 < 0.975 || $4 > 0.985 || (NR > 2 && off > 0.006)) bad = 1
           if (NR == 2 && ($6 < 0.61 || $6 > 0.625)) bad = 1 }
         END { exit bad || NR != 5 }' "$1"
}

# Grains fall as one alone does until they touch, with drag in each step: their energy to
# (dt/T)^2/12 = 7e-6, T the relaxation time. Then they come to rest on the bottom. Momentum is what
# was given. An impact has 1.6 % of the energy at the start, its balance is within 1 % of that, and
# three layers have three.
drag_right() {
    awk '{ off = $5 / $8 - 1; if (off < 0) off = -off
           print $2, off, $14, $NF
           energy = $NF < 0 ? -$NF : $NF
           if ($11 == 0) { ++free; if (off > 1e-4 || energy > 7e-6) bad = 1 }
           if ($14 > 1e-11 || $14 < -1e-11 || energy > 5e-4) bad = 1 }
         END { exit bad || NR != 9 || free != 4 || off < 0.99 || $11 < 27 }' "$1"
}

# The plane bears the weight of the heap; each sphere has some four or five contacts; the fabric
# tensor has the trace 1 and leans to the vertical; the file has a force for each line.
force_chains_right() {
    awk 'NR == 1 { print; if ($2 < 0.999 || $2 > 1.001 || $4 < 4 || $4 > 6) bad = 1 }
         NR > 1 { trace += $NR; last = $4 }
         END { print trace; off = trace - 1; if (off < 0) off = -off
               exit bad || NR != 4 || off > 2e-4 || last < 0.334 }' "$1" &&
        awk '/^LINES/ { lines = $2 } /^LOOKUP/ { at = NR }
             END { print lines, NR - at; exit lines < 1000 || NR - at != lines }' force_chains.vtk
}

# example NAME LINK COMMAND...: compiles with `-o NAME.LINK`, runs, keeps NAME.LINK.txt
example() {
    name=$1 link=$2
    shift 2
    check "build $name $link" "$@" -o "$name.$link"
    check "run $name $link" run "$name.$link.txt" "./$name.$link"
}

# Drag and floor bear the weight of the grains together, but for what the grains gained in the 0.2 s
# of a row: 0.1 of the weight for 0.2 m/s. The bed rests below the velocity of Ergun's equation, and
# is higher above it.
fluidized_right() {
    awk '/^Ergun/ { least = $6 }
         NF == 4 && $1 > 0 { ++rows; sum = $2 + $3; print
                if (sum < 0.9 || sum > 1.1) bad = 1
                if ($1 < least - 0.05 && (sum < 0.998 || sum > 1.002)) bad = 1
                if ($1 < least - 0.05 && ($4 < 0.99 || $4 > 1.01 || $2 <= drop)) bad = 1
                if ($1 > least + 0.15 && ($4 < 1.1 || $2 < 0.9)) bad = 1
                drop = $2 }
         END { exit bad || rows != 6 || least < 0.25 || least > 0.35 }' "$1"
}

# Each scheme of stages reaches its order.
runge_kutta_right() {
    awk 'BEGIN { order["euler"] = 1; order["midpoint"] = order["heun"] = 2; order["rk4"] = 4 }
         { off = $NF - order[$1]; print $1, $NF; if (off > 0.15 || off < -0.15) bad = 1 }
         END { exit bad || NR != 4 }' "$1"
}

# A run in three pieces, of which the second stops between two saves, ends as the run in one.
checkpoint_right() {
    rm -f checkpoint.dem pieces.dem
    for steps in 1500 4321 20000; do
        "./checkpoint.$1" pieces.dem $steps >pieces.txt || return 1
    done
    cat pieces.txt
    grep -q '^begins at step 5821$' pieces.txt && tail -n 1 pieces.txt >pieces.end &&
        tail -n 1 "checkpoint.$1.txt" | diff - pieces.end
}

# ---------------------------------------------------------------- C, C++ and Fortran

# A static link takes the archive beside the shared library by -static.
for link in shared static; do
    if [ $link = shared ]; then flags="$libs $rpath"; else flags="-static $static_libs"; fi
    example minimal-c $link $CC -std=c11 -O2 -Wconversion $warnings $cflags \
        examples/minimal/minimal.c $flags
    example minimal-cpp $link $CXX -std=c++11 -O2 -Wconversion $warnings $cflags \
        examples/minimal/minimal.cpp $flags
    mkdir -p modules
    example minimal-f90 $link $FC -std=f2008 -O2 $warnings -Jmodules "$include/dem.f90" \
        examples/minimal/minimal.f90 $flags
    example host_owned $link $CC -std=c11 -O2 -Wconversion $warnings $cflags \
        examples/host_owned/host_owned.c $flags -lm
    example host_walls $link $CC -std=c11 -O2 -Wconversion $warnings $cflags \
        examples/host_walls/host_walls.c $flags -lm
    example host_law $link $CC -std=c11 -O2 -Wconversion $warnings $cflags \
        examples/host_law/host_law.c $flags -lm
    example runge_kutta $link $CC -std=c11 -O2 -Wconversion $warnings $cflags \
        examples/runge_kutta/runge_kutta.c $flags -lm
    example hertz $link $CC -std=c11 -O2 -Wconversion $warnings $cflags \
        examples/hertz/hertz.c $flags
    check "output hertz $link" hertz_right hertz.$link.txt
    example lubrication $link $CC -std=c11 -O2 -Wconversion $warnings $cflags \
        examples/lubrication/lubrication.c $flags -lm
    example polyhedra $link $CC -std=c11 -O2 -Wconversion $warnings $cflags \
        examples/polyhedra/polyhedra.c $flags -lm
    example drag $link $CC -std=c11 -O2 -Wconversion $warnings $cflags \
        examples/drag/drag.c $flags -lm
    example force_chains $link $CC -std=c11 -O2 -Wconversion $warnings $cflags \
        examples/force_chains/force_chains.c $flags -lm
    check "output force_chains $link" force_chains_right force_chains.$link.txt
    check "output drag $link" drag_right drag.$link.txt
    check "output polyhedra $link" polyhedra_right polyhedra.$link.txt
    check "output lubrication $link" lubrication_right lubrication.$link.txt
    check "output runge_kutta $link" runge_kutta_right runge_kutta.$link.txt
    example checkpoint $link $CC -std=c11 -O2 -Wconversion $warnings $cflags \
        examples/checkpoint/checkpoint.c $flags
    check "output checkpoint $link" checkpoint_right $link
    check "output minimal-c $link" minimal_right minimal-c.$link.txt
    check "output host_owned $link" host_owned_right host_owned.$link.txt
    check "output host_walls $link" host_walls_right host_walls.$link.txt
    check "output host_law $link" host_law_right host_law.$link.txt
done
example fluidized shared $FC -std=f2008 -O2 $warnings -Jmodules "$include/dem.f90" \
    examples/fluidized/fluidized.f90 $libs $rpath
check "output fluidized" fluidized_right fluidized.shared.txt
sed 's/E\([-+]\)/e\1/g' minimal-f90.shared.txt > minimal-f90.lower.txt
check "output minimal-cpp as minimal-c" diff minimal-c.shared.txt minimal-cpp.shared.txt
check "output minimal-f90 as minimal-c" diff minimal-c.shared.txt minimal-f90.lower.txt
for name in minimal-c minimal-cpp minimal-f90 host_owned host_law hertz drag \
    force_chains; do
    check "output $name static as shared" diff $name.shared.txt $name.static.txt
done

check "build owners.cpp" $CXX -std=c++11 -O1 -Wconversion $warnings $cflags owners.cpp -o owners \
    $libs $rpath
check "run owners.cpp" ./owners
check "build calls.f90" $FC -std=f2008 -O1 $warnings -Wno-compare-reals -Jmodules \
    "$include/dem.f90" calls.f90 -o calls $libs $rpath
check "run calls.f90" ./calls
for level in 0 2 3; do
    check "build addresses.f90 -O$level" $FC -std=f2008 -O$level $warnings -Wno-compare-reals \
        -Jmodules "$include/dem.f90" addresses.f90 -o addresses $libs $rpath
    check "run addresses.f90 -O$level" ./addresses
done

# ---------------------------------------------------------------- interfaces say the same

# Names of all functions of the C headers, one a line; a declaration without a name is an error.
names() {
    awk '/^static inline dem_status$/ { start = $0 " "; next }
         { $0 = start $0; start = "" }
         /^DEM_(API|KERNEL) / || /^static inline dem_status dem_[a-z_]*_init\(/ ||
         /^static inline dem_status dem_contact_model_add[a-z0-9_]*\(/ {
             if (!match($0, /dem_[a-z0-9_]*\(/)) { print FILENAME ":" FNR ": no name"; bad = 1 }
             print substr($0, RSTART, RLENGTH - 1) }
         END { exit bad }' "$include"/*.h | sort
}
fortran_names() { # without the names of laws, which are macros in C
    grep -v 'type(c_ptr) function dem_law_' "$include/dem.f90" |
        sed -n 's/^.*\(function\|subroutine\) \(dem_[a-z0-9_]*\)(.*$/\2/p' |
        grep -v -x -e dem_law_combine -e dem_law_reach -e dem_law_evaluate -e dem_c_text \
            -e dem_snapshot_sink -e dem_snapshot_source -e dem_before_forces \
            -e dem_view_row -e dem_view_index \
            -e dem_contact_told -e dem_law_limits_told -e dem_law_traits_needed \
            -e 'dem_allocator_[a-z]*' -e 'dem_executor_[a-z]*' -e dem_log_message \
            -e 'dem_[a-z_]*_output' | sort
}
same_lists() {
    [ "$(wc -l < "$1")" -gt 20 ] && diff "$1" "$2"
}
structs() {
    sed -n 's/^typedef struct \(dem_[a-z_]*\) {.*/\1/p' "$include"/*.h | sort
}
fortran_structs() {
    sed -n 's/^ *type, bind(c) :: \(dem_[a-z_]*\).*/\1/p' "$include/dem.f90" | sort
}
constants() {
    sed -n -e 's/^ *\(DEM_[A-Z0-9_]*\) = [0-9].*/\1/p' \
        -e 's/^#define \(DEM_VERSION_[A-Z]*\) .*/\1/p' \
        -e 's/^#define \(DEM_\(BATCH_SIZE\|STATE_MAX\|MESH_COSINE\)\) .*/\1/p' \
        -e 's/^#define \(DEM_\(SUMS\|WALL_PART\)_SIZE\) .*/\1/p' \
        -e 's/^#define \(DEM_COLLISION_[A-Z_]*\) [0-9].*/\1/p' \
        -e 's/^#define \(DEM_\(SNAPSHOT\|CONTACTS\|PARTICLES\)_VERSION\) .*/\1/p' \
        "$include"/*.h | sort
}
cpp_covers() { # all but kernels, which C++ calls as C does, and what needs no object
    for function in $(grep -v -e '^dem_kernel_' -e '^dem_collision_' -e '_sized$' \
        -e '^dem_deposit' -e '^dem_interpolate' -e '^dem_version$' names.txt); do
        grep -q "$function(\|create($function,\|kept($function,\|, $function>" \
            "$include/dem.hpp" ||
            { echo "dem.hpp lacks $function"; return 1; }
    done
}
check "header names" run names.txt names
fortran_names > fortran_names.txt
check "dem.f90 functions" same_lists names.txt fortran_names.txt
structs > structs.txt
fortran_structs > fortran_structs.txt
check "dem.f90 structs" same_lists structs.txt fortran_structs.txt
check "dem.hpp functions" cpp_covers
awk -v lang=c -f mirror.awk "$include/dem.f90" > mirror.c
awk -v lang=f90 -f mirror.awk "$include/dem.f90" > mirror.f90
check "build mirror c" $CC -std=c11 $cflags mirror.c -o mirror-c
check "build mirror f90" $FC -Imodules mirror.f90 -o mirror-f90 $libs $rpath
check "run mirror c" run mirror-c.txt ./mirror-c
check "run mirror f90" run mirror-f90.txt ./mirror-f90
check "dem.f90 sizes, offsets and constants" same_lists mirror-c.txt mirror-f90.txt
sed -n 's/^\(DEM_[A-Z0-9_]*\) .*/\1/p' mirror-c.txt | grep -v DEM_HEADER_VERSION |
    sort > mirrored.txt
constants > constants.txt
check "dem.f90 has all constants" same_lists constants.txt mirrored.txt

# ---------------------------------------------------------------- kernels, both routes

kernels_listed() {
    for kernel in $(grep '^dem_kernel_' names.txt); do
        grep -q "ROUTES($kernel," kernel_routes.c || { echo "$kernel is not run"; return 1; }
    done
}
check "kernel list" kernels_listed
for level in -O0 -O2 "-O3 -march=native"; do
    $CC $level -E -x c /dev/null > /dev/null 2>&1 || continue # no such option on this machine
    check "kernel routes $level" $CC -std=gnu11 $level $warnings $bitwise $cflags kernel_routes.c \
        -o kernel_routes $libs $rpath -lm -ldl
    check "kernel bits $level" ./kernel_routes
    rm -f kernel_routes
done
# What the demo computes does not depend on a file's name; --scene chute does what it says.
demo_names() {
    printf '%s\n' 'two grains' '' '2 atoms' '2 atom types' '' '0 4 xlo xhi' '0 4 ylo yhi' \
        '0 9 zlo zhi' '' 'Atoms # sphere' '' '1 1 1 1 2 2 2' '2 1 1 1 2 2 5' > plain.data
    for name in chute ratio; do cp plain.data $name.data; done
    mkdir -p out
    for name in plain chute ratio; do
        ./demo --packing-only --steps 5 --input $name.data --output out > $name.said || return 1
        grep 'gravity' $name.said || return 1
        grep -q 'gravity 0 0 -1$' $name.said || return 1
    done
    ./demo --packing-only --steps 5 --input plain.data --scene chute --output out |
        grep 'gravity 0.4384 0 -0.8988$'
}
check "build demo" $CC -std=c11 -O1 $cflags examples/demo/*.c examples/percolation/bed.c \
    examples/percolation/[f-l]*.c examples/percolation/[n-z]*.c -o demo $libs $rpath -pthread -lm
check "demo and names of files" demo_names

# A copy in a folder with spaces, which is then moved; and a library folder elsewhere.
program='#include <dem/dem.h>
int main(void) { return dem_version() == DEM_VERSION ? 0 : 1; }'
moved() {
    echo "$program" > version.c
    first="$tmp/a folder/of mine" second="$tmp/another & place"
    ${MAKE:-make} -C "$root" --no-print-directory install DESTDIR= PREFIX="$first" \
        LIBDIR="$first/$1" INCLUDEDIR="$first/include" || return 1
    rm -rf "$second"
    for where in "$first" "$second"; do
        [ "$where" = "$first" ] || mv "$first" "$where" || return 1
        flags=$(PKG_CONFIG_PATH="$where/$1/pkgconfig" "$pkg_config" --cflags --libs dem) || return 1
        echo "$flags"
        # the shell takes back what pkg-config escapes
        eval "$CC version.c -o version $flags" && LD_LIBRARY_PATH="$where/$1" ./version || return 1
    done
}
check "pkg-config with spaces and moved" moved lib
check "pkg-config with a deeper folder of libraries" moved lib/x86_64/here
# The files of another version stay, and so do the links that lead to it.
uninstalled() {
    lib="$tmp/gone/lib"
    for newest in ours theirs; do
        ${MAKE:-make} -C "$root" --no-print-directory install DESTDIR= PREFIX="$tmp/gone" \
            LIBDIR="$lib" INCLUDEDIR="$tmp/gone/include" || return 1
        : > "$lib/libdem.so.0.1.7"
        ln -sf libdem.so.0.1.7 "$lib/libdem.so.0.1"
        [ $newest = ours ] || ln -sf libdem.so.0.1 "$lib/libdem.so"
        ${MAKE:-make} -C "$root" --no-print-directory uninstall DESTDIR= PREFIX="$tmp/gone" \
            LIBDIR="$lib" INCLUDEDIR="$tmp/gone/include" || return 1
        find "$tmp/gone" ! -type d | sed "s|^$tmp/gone/||" | sort > left.txt
        cat left.txt
        {
            [ $newest = ours ] || echo lib/libdem.so
            printf '%s\n' lib/libdem.so.0.1 lib/libdem.so.0.1.7
        } | diff - left.txt || return 1
    done
}
check "uninstall leaves other versions" uninstalled
elsewhere() {
    sh "$root/pkgconfig/fill.sh" /usr /opt/lib /usr/include 1.2.3 > elsewhere.pc
    cat elsewhere.pc
    grep -qx 'prefix=/usr' elsewhere.pc && grep -qx 'libdir=/opt/lib' elsewhere.pc &&
        grep -qx 'includedir=/usr/include' elsewhere.pc && grep -qx 'Version: 1.2.3' elsewhere.pc
}
check "pkg-config with libraries elsewhere" elsewhere

# The two files of `make dist-single`, strictly.
single() {
    sh -c 'cd "$1" && sh src/single.sh "$2"' sh "$root" "$tmp/single" || return 1
    for compiler in gcc clang; do
        command -v $compiler > found.txt || continue
        $compiler -std=c11 -O1 -Wall -Wextra -Wconversion -pedantic -Werror -c single/dem.c \
            -o single/dem.o || return 1
        $compiler -std=c11 -Isingle -include single/dem.h -Wall -Wextra -Wconversion -pedantic \
            -Werror -x c single.c -x none single/dem.o -o single/run -pthread -lm || return 1
        single/run || return 1
    done
    # seen outside: all that the shared library has, and nothing else
    sed -n 's/^ *\(dem_[a-z_0-9]*\);$/\1/p' "$root/src/libdem.map" | sort > wanted.txt
    readelf -sW single/dem.o |
        awk '$5 != "LOCAL" && $6 == "DEFAULT" && $7 ~ /^[0-9]/ { print $8 }' | sort > held.txt
    [ -f single/run ] && [ -s wanted.txt ] && diff wanted.txt held.txt
}
sed '/include/d' > single.c <<END
$program
END
check "single file without warnings" single

# a struct of another law is seen by the compiler, in C and in C++
not_taken() {
    for struct in dem_linear dem_hertz; do
        printf '#include <dem/dem.h>\ndem_status f(dem_contact_model *m, const %s *p)\n' $struct \
            > taken.c
        echo '{ return dem_contact_model_add_linear_csds(m, p); }' >> taken.c
        for compiler in "$CC -std=c11 -x c" "$CXX -std=c++11 -x c++"; do
            if $compiler $warnings $cflags -c taken.c -o taken.o; then
                [ $struct = dem_linear ] || { echo "$compiler takes $struct"; return 1; }
            else
                [ $struct = dem_hertz ] || { echo "$compiler refuses $struct"; return 1; }
            fi
        done
    done
}
check "parameters of another law are not compiled" not_taken
check "kernels without the library" $CC -std=c11 $warnings -Wconversion $cflags -c -x c - <<'END'
#include <dem/kernels.h>
double force(double x) { return dem_kernel_normal_linear(1.0, 0.0, x, 0.0, 0); }
END

exit $failed
