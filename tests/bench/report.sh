#!/bin/sh
# SPDX-License-Identifier: MIT
# report.sh FOLDER: writes the tables of docs/performance.md and README.md from bench.csv and
# costs.txt there, as FOLDER/NAME.md, and, where there is gnuplot, the times as FOLDER/bench.svg.
# Disturbed lines are left out.
folder=$1 csv=$1/bench.csv

# rows FORMAT MISSING: one row a scene and number of threads, peers side by side
rows() {
    awk -F, -v format="$1" -v missing="$2" 'NR > 1 && $19 == "" {
        key = $1 "," $2
        if (!(key in own)) { order[++n] = key; own[key] = $3 "," $4 "," $5 "," $6 }
        if ($8 != "none") {
            ns[key, $7] = $8; ratio[key, $7] = $9; ke[key, $7] = $12; by_default[key, $7] = $16
        }
    }
    function known(value) { return value == "" ? missing : value }
    END {
        for (k = 1; k <= n; ++k) {
            key = order[k]
            split(key, name, ","); split(own[key], o, ",")
            if (format == "data")
                printf "\"%s%s\" %s %s %s %s\n", name[1], name[2] == 1 ? "" : ", 2 threads", o[1],
                    o[2], known(ns[key, "lammps"]), known(ns[key, "liggghts"])
            else if (format == "full")
                printf "| %s | %s | %.1f | %s | %s | %.1f | %s | %s | %s | %s | %s |\n", name[1],
                    name[2], o[1], known(ns[key, "lammps"]), known(ratio[key, "lammps"]), o[2],
                    known(by_default[key, "lammps"]), known(ke[key, "lammps"]),
                    known(ns[key, "liggghts"]), o[3], o[4]
            else if (ratio[key, "lammps"] != "" && name[1] != "embed")
                printf "| %s | %s | %s | %s |\n", name[1], name[2], ratio[key, "lammps"],
                    by_default[key, "lammps"]
        }
    }' "$csv"
}

{
    echo "| scene | threads | libdem, ns | LAMMPS, ns | ratio | with defaults, ns | ratio |" \
        "kinetic energy | LIGGGHTS, ns | contacts a particle | bytes a particle |"
    echo "|---|---|---|---|---|---|---|---|---|---|---|"
    rows full ""
} >"$folder/table.md"
{
    echo "| scene | threads | the same laws and settings as LAMMPS | libdem's defaults |"
    echo "|---|---|---|---|"
    rows ratios ""
} >"$folder/ratios.md"
{
    echo "| what | against | ratio | quartiles |"
    echo "|---|---|---|---|"
    awk -F'[= ]' -v names="synchronized/standard=synchronized Verlet|standard Verlet;\
csds/dsds=continuous slider|discontinuous slider;energy-tracking/none=energies tracked|not tracked;\
one_step_a_call/1000=one step a call|1000 steps a call;\
ratio100/one10=one sphere of 100 diameters (ratio100)|one of 10 in the same box (one10);\
million/32k=a million grains|32,000;\
baseline/widest=baseline (SSE2)|the widest instruction set;\
x86-64-v2/widest=x86-64-v2|the widest;avx2/widest=AVX2|the widest;\
mixed/mean=three laws in one world, pairs dealt out in equal parts|the mean of the three alone" '
        BEGIN {
            many = split(names, each, ";")
            for (k = 1; k <= many; ++k) { split(each[k], word, "="); named[word[1]] = word[2] }
        }
        $1 == "compare" && $NF != "disturbed" {
            ratio = quartiles = ""
            for (k = 3; k < NF; k += 2) {
                if ($k == "ratio") ratio = $(k + 1)
                if ($k == "quartiles") { quartiles = $(k + 1); sub(/\.\./, " to ", quartiles) }
            }
            split(named[$2], side, "|")
            printf "| %s | %s | %s | %s |\n", side[1], side[2], ratio, quartiles
        }' "$folder/costs.txt"
} >"$folder/compare.md"
{
    echo "| law | relative to linear-csds | ns of the law alone |"
    echo "|---|---|---|"
    sed -n 's/^law=\(.*\) ns_per_contact=.* relative=\([^ ]*\) law_ns=\(.*\)$/| \1 | \2 | \3 |/p' \
        "$folder/costs.txt"
} >"$folder/laws.md"
{
    echo "| spheres | planes | facets | where | ns a sphere and step | relative to the first |"
    echo "|---|---|---|---|---|---|"
    line='^scene=walls of=\([^ ]*\) walls=\([^ ]*\) planes=\([0-9]*\) facets=\([0-9]*\)'
    line="$line ns=\([^ ]*\) ratio=\([^ ]*\) .*"
    sed -n "s/$line/| \1 | \3 | \4 | \2 | \5 | \6 |/p" "$folder/costs.txt"
} >"$folder/walls.md"
{
    echo "| scene | settings | one by one, steps | ns a contact | in arrays, steps | ns a contact |"
    echo "|---|---|---|---|---|---|"
    value='\([^ ]*\)'
    line="^reads=$value match=$value .*steps=$value .*ns=$value .*steps=$value .*ns=\(.*\)\$"
    sed -n "s/$line/| \1 | \2 | \3 | \4 | \5 | \6 |/p" "$folder/costs.txt" |
        sed "s/^\(| [^ ]* |\) 0 |/\1 libdem's defaults |/; s/^\(| [^ ]* |\) 1 |/\1 as LAMMPS |/"
} >"$folder/reads.md"
{
    echo "| scene | LAMMPS | libdem, ns | LAMMPS, ns | ratio | kinetic energy | contacts |"
    echo "|---|---|---|---|---|---|---|"
    one='\([^ ]*\)'
    line="^sizes=$one search=$one ns=$one peer_ns=$one ratio=$one ke_difference=$one .*=$one"
    sed -n "/ disturbed\$/d; s/$line/| \1 | \2 | \3 | \4 | \5 | \6 | \7 |/p" "$folder/costs.txt"
} >"$folder/sizes.md"
{
    echo "| instruction set | libdem, ns | LAMMPS, ns | ratio |"
    echo "|---|---|---|---|"
    sed -n "s/^isa=$one ns=$one peer_ns=$one ratio=$one\$/| \1 | \2 | \3 | \4 |/p" \
        "$folder/costs.txt"
} >"$folder/sets.md"
echo "tables: $folder/table.md ratios.md compare.md laws.md walls.md reads.md sizes.md sets.md"
command -v gnuplot >/dev/null 2>&1 || {
    echo "picture skipped: gnuplot is not installed"
    exit 0
}
rows data "?" >"$folder/bench.dat"
[ -s "$folder/bench.dat" ] || {
    echo "picture skipped: every scene was disturbed"
    exit 0
}
gnuplot <<END
set terminal svg size 900,420 font "sans,12" background "white"
set output "$folder/bench.svg"
set datafile missing "?"
set style data histograms
set style histogram clustered gap 1
set style fill solid noborder
set boxwidth 0.9
set yrange [0:*]
set ylabel "ns per particle and step"
set grid ytics lc rgb "#dddddd"
set xtics nomirror rotate by -30 scale 0
set key top left
plot "$folder/bench.dat" using 2:xtic(1) title "libdem, as the peer computes" lc rgb "#1f6fb2", \
    "" using 3 title "libdem, defaults" lc rgb "#8fbfe0", \
    "" using 4 title "LAMMPS" lc rgb "#c0504d", "" using 5 title "LIGGGHTS" lc rgb "#e8b87b"
END
echo "picture: $folder/bench.svg"
