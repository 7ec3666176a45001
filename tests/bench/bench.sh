#!/bin/sh
# SPDX-License-Identifier: MIT
# bench.sh PROGRAM FOLDER: times the scenes, next to LAMMPS and LIGGGHTS where they are installed.
#
# Each line is the median of REPEATS runs (5), comparisons that of three times as many; the runs of
# libdem and of its peers alternate, so that all see the same machine, and their order turns from
# round to round. Every run starts from the same grains, warms up, and is timed for STEPS steps.
# share= and peer_share= are the parts of a processor that each thread got: a round of runs in
# which one of them is below 0.95 is made anew, up to twice as many rounds as are wanted. Where too
# few are left, the line ends with `disturbed`, says what was seen, and is left out of the tables.
# So does one of which the ratios of neighbouring runs have quartiles that are far from each other.
# BENCH_QUICK=1: short runs, once. SCENES=folder: grains from data.chute and data.bed32k there,
# instead of those that the program makes in FOLDER.
set -u
program=$1 out=$2
here=$(dirname "$0")
grains=${SCENES:-$out}
quick=${BENCH_QUICK:-0}
repeats=${REPEATS:-5} steps=${STEPS:-200} warm=100 million_steps=30
[ "$quick" = 1 ] && repeats=1 steps=50 warm=20 million_steps=5
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

have() { command -v "$1" >/dev/null 2>&1; }

# ranks: how to start two ranks; empty without mpirun
ranks=
if have mpirun; then
    ranks="mpirun -np 2"
    if mpirun --version 2>&1 | grep -q 'Open MPI'; then
        ranks="$ranks --oversubscribe --bind-to none"
        [ "$(id -u)" -eq 0 ] && ranks="$ranks --allow-run-as-root"
    fi
fi

# median KEY FILE: of the values of KEY=value in a file
median() {
    sed -n "s/.*\\<$1=\\([^ ]*\\).*/\\1/p" "$2" | sort -g |
        awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)]; else print "none" }'
}
# ratio A B [DIGITS]: A / B
ratio() { awk -v a="$1" -v b="$2" -v d="${3:-2}" 'BEGIN {
    if (a + 0 > 0 && b + 0 > 0) printf "%.*f\n", d, a / b; else print "none" }'; }
# extra A B: A - B
extra() { awk -v a="$1" -v b="$2" 'BEGIN {
    if (a + 0 > 0 && b + 0 > 0) printf "%.2f\n", a - b; else print "none" }'; }
# difference A B: relative
difference() { awk -v a="$1" -v b="$2" 'BEGIN {
    if (b == "none" || b + 0 == 0) print "none"; else printf "%.1e\n", (a - b) / b }'; }

# alternate ROUND THING...: in their order in odd rounds, backwards in even ones: in a fixed order
# what disturbs every second run would always meet the same side
alternate() {
    round=$1 forth='' back=''
    shift
    for thing in "$@"; do forth="$forth $thing" back="$thing $back"; done
    if [ $((round % 2)) -eq 1 ]; then echo "$forth"; else echo "$back"; fi
}

# own FILE SCENE SETTING...: one run of libdem
own() {
    file=$1
    shift
    "$program" run "$grains" "$@" >>"$work/$file" || exit 1
}

# peer_line: what a run of LAMMPS or LIGGGHTS has written, as keys and values
peer_line() {
    awk '
        /^ *[0-9]+ +[0-9.e+-]+ +[0-9.e+-]+ *$/ { ke = $2; rotation = $3 }
        /^Per MPI rank memory/ { megabytes = $(NF - 3) }
        /^Memory usage per processor/ { megabytes = $(NF - 1) }
        /^Loop time/ {
            ranks = $6; atoms = $12
            if (n++) { seconds += $4; steps += $9 } # the first run warms up
        }
        /% CPU use/ { share = $1 / 100 }
        END {
            if (!steps) exit 1
            printf "ns=%.2f ke=%s ke_rotation=%s", 1e9 * seconds / (steps * atoms), ke, rotation
            printf " bytes=%.0f", megabytes * 1048576 * ranks / atoms
            if (share) printf " share=%.2f cpu=%.2f", share, # the share is of each rank
                ranks * share * 1e9 * seconds / (steps * atoms)
            printf "\n"
        }'
}

# lammps FILE THREADS VARIABLE VALUE...: one run
lammps() {
    file=$1 start=
    [ "$2" -gt 1 ] && start=$ranks
    shift 2
    [ "$1" = -in ] || set -- -in "$here/lammps.in" "$@"
    # shellcheck disable=SC2086
    OMP_NUM_THREADS=1 $start lmp -log none "$@" 2>&1 >"$work/peer.txt" |
        grep -i error
    peer_line <"$work/peer.txt" >>"$work/$file" || tail -n 3 "$work/peer.txt" >&2
}

liggghts_run() {
    file=$1 start=
    [ "$2" -gt 1 ] && start=$ranks
    shift 2
    [ "$1" = -in ] || set -- -in "$here/liggghts.in" "$@"
    # shellcheck disable=SC2086
    OMP_NUM_THREADS=1 $start liggghts -log none "$@" 2>&1 \
        >"$work/peer.txt" | grep -i error
    peer_line <"$work/peer.txt" >>"$work/$file" || tail -n 3 "$work/peer.txt" >&2
}

# mixed: three laws in one world, whose pairs fall to them in equal parts, against each law alone
mixed() {
    three="linear hertz+m4 jkr"
    for file in $three together; do : >"$work/$file"; done
    for repeat in $(seq "$repeats"); do
        for law in $three; do own "$law" bed dt=5e-5 warm=$warm steps=$steps law="$law"; done
        own together bed dt=5e-5 warm=$warm steps=$steps mixed="$(echo "$three" | tr ' ' ,)"
    done
    alone=0
    for law in $three; do
        ns=$(median cpu "$work/$law")
        echo "mixed=$law scene=bed ns=$ns contacts_per_particle=$(median contacts "$work/$law")"
        alone=$(awk -v a="$alone" -v b="$ns" 'BEGIN { print a + b / 3 }')
    done
    ns=$(median cpu "$work/together")
    echo "compare=mixed/mean scene=bed ns=$ns against_ns=$alone ratio=$(ratio "$ns" "$alone" 3)" \
        "contacts_per_particle=$(median contacts "$work/together")$(
            disturbed "$(ratios cpu together cpu linear)")"
}

mkdir -p "$out"
csv="$out/bench.csv"
echo "scene,threads,ns_per_particle_step,default_ns,contacts_per_particle,bytes_per_particle,\
peer,peer_ns,ratio,ke,peer_ke,ke_difference,peer_bytes_per_particle,cpu_ns,\
peer_cpu_ns,default_ratio,share,peer_share,disturbed" >"$csv"

# line SCENE THREADS PEER DISTURBED: prints what the files of a scene hold
line() {
    ns=$(median ns "$work/match") default=$(median ns "$work/default")
    peer_ns=$(median ns "$work/$3") ke=$(median ke "$work/match") peer_ke=$(median ke "$work/$3")
    [ -s "$work/arm" ] && [ "$3" = liggghts ] && ke=$(median ke "$work/arm")
    contacts=$(median contacts "$work/match") bytes=$(median bytes "$work/match")
    peer_bytes=$(median bytes "$work/$3") share=$(median share "$work/match")
    cpu=$(median cpu "$work/match") peer_cpu=$(median cpu "$work/$3")
    set -- "$1" "$2" "$ns" "$default" "$contacts" "$bytes" "$3" "$peer_ns" \
        "$(ratio "$peer_ns" "$ns")" "$ke" "$peer_ke" \
        "$(difference "$ke" "$peer_ke")" "$peer_bytes" \
        "$cpu" "$peer_cpu" "$(ratio "$peer_ns" "$default")" "$share" \
        "$(median share "$work/$3")" "$4"
    printf 'scene=%s threads=%s ns_per_particle_step=%s default_ns=%s contacts_per_particle=%s' \
        "$1" "$2" "$3" "$4" "$5"
    printf ' bytes_per_particle=%s peer=%s peer_ns=%s ratio=%s ke=%s peer_ke=%s ke_difference=%s' \
        "$6" "$7" "$8" "$9" "${10}" "${11}" "${12}"
    printf ' peer_bytes=%s default_ratio=%s share=%s peer_share=%s cpu_ratio=%s%s\n' "${13}" \
        "${16}" "${17}" "${18}" "$(ratio "$peer_cpu" "$cpu")" "${19:+ disturbed}"
    (IFS=,; echo "$*") >>"$csv"
}

# undisturbed FILE...: whether each thread of these runs had a processor for itself
undisturbed() {
    cat "$@" | awk '
        match($0, /share=[^ ]*/) && substr($0, RSTART + 6, RLENGTH - 6) < 0.95 { bad = 1 }
        END { exit bad }'
}

# scene NAME THREADS ANGLE DT LAW NX NY EVERY STEPS PEER...: LAW is the peers'
scene() {
    name=$1 threads=$2 angle=$3 dt=$4 law=$5 nx=$6 ny=$7 every=$8 timed=$9
    shift 9
    before=$warm data=data.bed32k ours=$name settings=
    [ "$name" = chute ] && data=data.chute
    [ "$name" = million ] && before=10
    [ "$name" = embed ] && ours=bed settings="calls=1 exchange=1"
    settings="$settings threads=$threads warm=$before steps=$timed"
    case $law in
    linear) kn=200000 kt=57142.857142857145 gn=50 model=hooke/stiffness ;;
    *) kn=71111111.111111111 kt=91428571.428571429 gn=0 model=hertz/stiffness ;;
    esac
    files="match default lammps liggghts" good=0 disturbed=
    for file in $files arm none; do : >"$work/$file" && : >"$work/$file.disturbed"; done
    for repeat in $(seq $((2 * repeats))); do
        [ "$good" -eq "$repeats" ] && break
        for file in $files; do : >"$work/$file.round"; done
        for part in $(alternate "$repeat" match "$@" default); do
            case $part in
            match | default)
                mode=0
                [ "$part" = match ] && mode=1
                # shellcheck disable=SC2086
                own "$part.round" "$ours" match=$mode $settings
                continue
                ;;
            esac
            [ "$threads" -gt 1 ] && [ -z "$ranks" ] && continue
            case $part in
            lammps)
                lammps lammps.round "$threads" -var file "$grains/$data" -var angle "$angle" \
                    -var dt "$dt" -var law "$law" -var nx "$nx" -var ny "$ny" \
                    -var every "$every" -var warm "$before" -var steps "$timed"
                ;;
            liggghts)
                liggghts_run liggghts.round "$threads" -var file "$grains/$data" \
                    -var angle "$angle" -var dt "$dt" -var kn $kn -var kt $kt -var gn $gn \
                    -var model $model -var warm "$before" -var steps "$timed"
                # its lever arms end at the contact point
                # shellcheck disable=SC2086
                [ "$repeat" = 1 ] && own arm "$ours" match=1 arm=1 $settings
                ;;
            esac
        done
        kept=.disturbed
        if undisturbed "$work"/*.round; then kept= good=$((good + 1)); fi
        for file in $files; do cat "$work/$file.round" >>"$work/$file$kept"; done
    done
    if [ $((2 * good)) -lt "$repeats" ]; then
        disturbed=1
        for file in $files; do cat "$work/$file.disturbed" >>"$work/$file"; done
    fi
    [ $# -eq 0 ] && set -- none
    for peer in "$@"; do line "$name" "$threads" "$peer" "$disturbed"; done
}

# ratios KEY_A FILE_A KEY_B FILE_B: median and quartiles of the ratios of neighbouring runs, because
# the machine changes from minute to minute; `disturbed` where the quartiles are far from each other
ratios() {
    sed -n "s/.*\\<$1=\\([^ ]*\\).*/\\1/p" "$work/$2" >"$work/a.ns"
    sed -n "s/.*\\<$3=\\([^ ]*\\).*/\\1/p" "$work/$4" >"$work/b.ns"
    paste "$work/a.ns" "$work/b.ns" | awk '$2 > 0 { print $1 / $2 }' | sort -g |
        awk '{ v[NR] = $1 }
            END {
                if (!NR) { print "ratio=none"; exit }
                low = v[int((NR + 3) / 4)]; high = v[int((3 * NR + 3) / 4)]
                printf "ratio=%.3f quartiles=%.2f..%.2f", v[int((NR + 1) / 2)], low, high
                if (high > 1.25 * low) printf " disturbed"
            }'
}
# disturbed RATIOS...: says so where one of them is
disturbed() { case $* in *disturbed*) echo " disturbed" ;; esac }

# compare NAME RUN_A RUN_B: how much longer A computes than B, on one thread; a run is a scene and
# its settings. Where that is disturbed, once more.
compare() {
    for _ in 1 2; do
        : >"$work/a" && : >"$work/b"
        for repeat in $(seq $((3 * repeats))); do
            for side in $(alternate "$repeat" a b); do
                run=$2
                [ "$side" = b ] && run=$3
                # shellcheck disable=SC2086
                own "$side" $run warm=$warm steps=$steps
            done
        done
        quartiles=$(ratios cpu a cpu b)
        [ -z "$(disturbed "$quartiles")" ] && break
    done
    echo "compare=$1 scene=${3%% *} ns=$(median cpu "$work/a") against_ns=$(median cpu "$work/b")" \
        "$quartiles"
}

# reads SCENE MATCH: what a pass over all contacts costs on one thread, one by one and in arrays
reads() {
    : >"$work/reads"
    for repeat in $(seq "$repeats"); do
        own reads "$1" match="$2" warm=$warm steps=$steps reads=40
    done
    printf 'reads=%s match=%s' "$1" "$2"
    for form in one-by-one arrays; do
        sed -n "/^read=$form /p" "$work/reads" >"$work/form"
        printf ' %s_steps=%s %s_ns=%s' $form "$(median pass_in_steps "$work/form")" \
            $form "$(median ns_per_contact "$work/form")"
    done
    echo
}

# sizes SCENE SEARCH: grains on a plane on one thread, next to LAMMPS with its search by cells of
# one size (bin) or of one for each class of sizes (multi)
sizes() {
    : >"$work/sizes" && : >"$work/peer"
    for repeat in $(seq "$repeats"); do
        own sizes "$1" match=1 warm=$warm steps=$steps
        [ -z "$lammps_only" ] || lammps peer 1 -var file "$grains/data.$1" -var angle 0 \
            -var dt 1e-4 -var law linear -var nx 1 -var ny 1 -var every 0 -var warm $warm \
            -var steps "$steps" -var sizes "$2"
    done
    ns=$(median cpu "$work/sizes") peer_ns=$(median cpu "$work/peer")
    state=$(disturbed "$(ratios cpu peer cpu sizes)")
    echo "sizes=$1 search=$2 ns=$ns peer_ns=$peer_ns ratio=$(ratio "$peer_ns" "$ns")" \
        "ke_difference=$(difference "$(median ke "$work/sizes")" "$(median ke "$work/peer")")" \
        "contacts_per_particle=$(median contacts "$work/sizes")$state"
}

# sets ISA NAME: an instruction set on the bed on one thread, next to LAMMPS as it is installed
sets() {
    "$program" run "$grains" bed steps=1 warm=0 isa="$1" >/dev/null 2>&1 || return 0
    : >"$work/sets" && : >"$work/peer"
    for repeat in $(seq "$repeats"); do
        own sets bed match=1 isa="$1" warm=$warm steps=$steps
        [ -z "$lammps_only" ] || lammps peer 1 -var file "$grains/data.bed32k" -var angle 0 \
            -var dt 1e-4 -var law linear -var nx 1 -var ny 1 -var every 0 -var warm $warm \
            -var steps "$steps"
    done
    ns=$(median cpu "$work/sets") peer_ns=$(median cpu "$work/peer")
    echo "isa=$2 ns=$ns peer_ns=$peer_ns ratio=$(ratio "$peer_ns" "$ns")$(
        disturbed "$(ratios cpu peer cpu sets)")"
}

# drags SCENE: what drag, and drag with sums of impulses, add to a step of a grain on one thread;
# time of the processor, because differences of a few ns drown in that of the clock
drags() {
    for drag in 0 1 2; do : >"$work/drag$drag"; done
    for repeat in $(seq "$repeats"); do
        for drag in $(alternate "$repeat" 0 1 2); do
            own "drag$drag" "$1" match=0 warm=$warm steps=$steps drag="$drag"
        done
    done
    without=$(median cpu "$work/drag0") with=$(median cpu "$work/drag1")
    impulses=$(median cpu "$work/drag2")
    echo "drag=$1 without=$without with=$with impulses=$impulses" \
        "extra_drag=$(extra "$with" "$without") extra=$(extra "$impulses" "$without")$(
            disturbed "$(ratios cpu drag1 cpu drag0)" "$(ratios cpu drag2 cpu drag0)")"
}

# drums SCENE PEER SETTING...: grains in a cylinder or in a drum with lifters on one thread, next to
# a peer; clocks on the wall, because LIGGGHTS does not tell its share of the processor
drums() {
    scene=$1 peer=$2
    shift 2
    : >"$work/drum" && : >"$work/peer"
    for repeat in $(seq "$repeats"); do
        own drum "$scene" match=1 warm=$warm steps=$steps "$@"
        have lmp && [ "$peer" = lammps ] &&
            lammps peer 1 -in "$here/lammps_drum.in" -var file "$grains/data.$scene" \
                -var warm $warm -var steps "$steps"
        have liggghts && [ "$peer" = liggghts ] &&
            liggghts_run peer 1 -in "$here/liggghts_drum.in" -var file "$grains/data.$scene" \
                -var mesh "$grains/lifters.stl" -var kt 57142.857142857145 \
                -var period 89.759790 -var warm $warm -var steps "$steps"
    done
    ns=$(median ns "$work/drum") peer_ns=$(median ns "$work/peer")
    echo "drum=$scene ns=$ns peer=$peer peer_ns=$peer_ns ratio=$(ratio "$peer_ns" "$ns")" \
        "ke_difference=$(difference "$(median ke "$work/drum")" "$(median ke "$work/peer")")" \
        "contacts_per_particle=$(median contacts "$work/drum")$(
            disturbed "$(ratios ns peer ns drum)")"
}

# lists: a kept list of level 1 next to LAMMPS' own pair style over the same pairs; the time of the
# pairs alone, a listed pair. forces_difference: of the sums of the squared forces
lists() {
    have lmp || return 0
    : >"$work/list" && : >"$work/list_2" && : >"$work/peer"
    for repeat in $(seq "$repeats"); do
        "$program" list "$grains" $warm "$steps" >>"$work/list" || exit 1
        "$program" list "$grains" $warm "$steps" 2 >>"$work/list_2" || exit 1
        OMP_NUM_THREADS=1 lmp -log none -in "$here/lammps_list.in" -var file "$grains/data.bed32k" \
            -var warm $warm -var steps "$steps" 2>&1 >"$work/peer.txt" | grep -i error
        awk -v steps="$steps" '
            /^ *[0-9]+ +[0-9.e+-]+ *$/ { squares = $2 }
            /^Pair +\|/ { seconds = $5 }
            /^Total # of neighbors/ { pairs = $NF }
            /% CPU use/ { share = $1 / 100 }
            END {
                if (pairs + 0 > 0)
                    printf "pairs=%d ns=%.2f share=%.2f squares=%s\n", pairs,
                        1e9 * seconds / (steps * pairs), share, squares
            }' "$work/peer.txt" >>"$work/peer"
    done
    ns=$(median cpu "$work/list") peer_ns=$(median ns "$work/peer")
    echo "list=bed pairs=$(median pairs "$work/list") peer_pairs=$(median pairs "$work/peer")" \
        "ns=$ns peer_ns=$peer_ns of_peer=$(ratio "$ns" "$peer_ns")" \
        "forces_difference=$(difference "$(median squares "$work/list")" \
            "$(median squares "$work/peer")")$(disturbed "$(ratios cpu list ns peer)")"
    one=$(median ns "$work/list") two=$(median ns "$work/list_2")
    echo "list_2=bed threads=2 ns=$two one_ns=$one ratio=$(ratio "$one" "$two")" \
        "share=$(median share "$work/list_2")$(disturbed "$(ratios ns list ns list_2)")"
}

# marks SCENE: what a mark and a rewind cost together on one thread
marks() {
    : >"$work/marks"
    for repeat in $(seq "$repeats"); do
        own marks "$1" match=0 warm=$warm steps=$steps marks=100
    done
    sed -n '/^mark_and_rewind/p' "$work/marks" >"$work/form"
    echo "marks=$1 us=$(median mark_and_rewind_us "$work/form")" \
        "in_steps=$(median in_steps "$work/form")"
}

if [ -z "${SCENES:-}" ]; then
    "$program" generate "$out" "$(getconf _NPROCESSORS_ONLN)" || exit 1
fi
about=$("$program" about)
echo "$about"
peers=
for peer in lmp:lammps liggghts:liggghts; do
    if have "${peer%:*}"; then
        peers="$peers ${peer#*:}"
    else
        echo "peer=${peer#*:} skipped: ${peer%:*} is not installed"
    fi
done
lammps_version=$(have lmp && lmp -h | sed -n 's/^Large-scale.*Simulator - \(.*\)/\1/p')
[ -n "$lammps_version" ] && echo "peer=lammps version=\"$lammps_version\""
have liggghts && (cd "$work" && liggghts -h 2>&1) | # it leaves a log where it runs
    sed -n 's/^LIGGGHTS (Version \([^,]*\).*/peer=liggghts version="\1"/p'
[ -n "$peers" ] && [ -z "$ranks" ] && echo "peers on two ranks skipped: mpirun is not installed"
lammps_only=
have lmp && lammps_only=lammps

for threads in 1 2; do
    [ "$quick$threads" = 12 ] && peers=$lammps_only
    # shellcheck disable=SC2086
    {
        scene chute $threads 26 1e-4 linear 1 1 0 "$steps" $peers
        scene bed $threads 0 1e-4 linear 1 1 0 "$steps" $peers
        scene hertz-bed $threads 0 5e-5 hertz 1 1 0 "$steps" $peers
        scene m4-bed $threads 0 5e-5 none 1 1 0 "$steps"
        scene jkr-bed $threads 0 5e-5 none 1 1 0 "$steps"
        scene embed $threads 0 1e-4 linear 1 1 1 "$steps" $lammps_only
        [ "$quick$threads" = 12 ] ||
            scene million $threads 0 1e-4 linear 8 4 0 "$million_steps" $lammps_only
    }
done
{
    awk -F, '$2 == 1 && $7 != "liggghts" && $19 == "" { ns[$1] = $14 } END {
        if (ns["million"] && ns["bed"])
            printf "compare=million/32k scene=bed ns=%s against_ns=%s ratio=%.3f\n", ns["million"],
                ns["bed"], ns["million"] / ns["bed"]
    }' "$csv"
    compare synchronized/standard "bed match=1 standard=0" "bed match=1"
    compare csds/dsds "bed match=1 law=linear-csds" "bed match=1"
    compare energy-tracking/none "bed match=1 energy_tracking=0" "bed match=1"
    compare one_step_a_call/1000 "bed calls=1" "bed calls=1000"
    for isa in 1:baseline 4:x86-64-v2 2:avx2; do
        "$program" run "$grains" bed steps=1 warm=0 isa="${isa%:*}" >/dev/null 2>&1 &&
            compare "${isa#*:}/widest" "bed match=1 isa=${isa%:*}" "bed match=1"
    done
    mixed
    "$program" costs $((quick ? 10 : 40))
    "$program" walls $((quick ? 20 : 100))
    "$program" bodies $((quick ? 20 : 200))
    "$program" level1
    lists
    "$program" parcels "$grains"
    for scene in chute bed hertz-bed; do reads $scene 0 && reads $scene 1; done
    for scene in chute bed hertz-bed; do marks $scene; done
    for scene in chute bed; do drags $scene; done
    "$program" streams
    for scene in ratio10 ratio20 ratio100 one10 log-normal; do sizes $scene multi; done
    compare ratio100/one10 "ratio100 match=1" "one10 match=1"
    for scene in lattice gas; do sizes $scene bin; done
    drums drum lammps still=1
    drums lifters liggghts
    for isa in 1:baseline 4:x86-64-v2 2:avx2 3:avx512; do sets "${isa%:*}" "${isa#*:}"; done
} | tee "$out/costs.txt"
{
    echo "$about"
    echo "lammps=\"$lammps_version\" date=$(date +%F) repeats=$repeats steps=$steps quick=$quick"
} >"$out/about.txt"
sh "$here/report.sh" "$out"
