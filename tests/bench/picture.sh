#!/bin/sh
# SPDX-License-Identifier: MIT
# picture.sh CSV FOLDER: draws the times of the benchmark as FOLDER/bench.svg with gnuplot.
csv=$1 folder=$2
command -v gnuplot >/dev/null 2>&1 || {
    echo "picture skipped: gnuplot is not installed"
    exit 0
}
# one row a scene and number of threads: label, libdem, libdem with its defaults, LAMMPS, LIGGGHTS
awk -F, 'NR > 1 {
    key = $1 ($2 == 1 ? "" : " " $2 "t")
    if (!(key in ours)) { order[++n] = key; ours[key] = $3; usual[key] = $4 }
    if ($8 != "none") peer[key, $7] = $8
} END {
    for (k = 1; k <= n; ++k) {
        lammps = peer[order[k], "lammps"]; liggghts = peer[order[k], "liggghts"]
        printf "\"%s\" %s %s %s %s\n", order[k], ours[order[k]], usual[order[k]],
            lammps == "" ? "?" : lammps, liggghts == "" ? "?" : liggghts
    }
}' "$csv" >"$folder/bench.dat"
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
