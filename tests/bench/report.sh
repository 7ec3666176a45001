#!/bin/sh
# SPDX-License-Identifier: MIT
# report.sh CSV FOLDER: writes the table of docs/performance.md as FOLDER/table.md and, where there
# is gnuplot, the times as FOLDER/bench.svg.
csv=$1 folder=$2

# one row a scene and number of threads, peers side by side
rows() {
    awk -F, -v missing="$1" -v format="$2" 'NR > 1 {
        key = $1 "," $2
        if (!(key in own)) { order[++n] = key; own[key] = $3 "," $4 "," $5 "," $6 }
        if ($8 != "none") { ns[key, $7] = $8; ratio[key, $7] = $9; ke[key, $7] = $12 }
    }
    function or(value) { return value == "" ? missing : value }
    END {
        for (k = 1; k <= n; ++k) {
            key = order[k]
            split(key, name, ","); split(own[key], o, ",")
            if (format == "data")
                printf "\"%s%s\" %s %s %s %s\n", name[1], name[2] == 1 ? "" : ", 2 threads", o[1],
                    o[2], or(ns[key, "lammps"]), or(ns[key, "liggghts"])
            else
                printf "| %s | %s | %.1f | %.1f | %s | %s | %s | %s | %s | %s |\n", name[1],
                    name[2], o[1], o[2], or(ns[key, "lammps"]), or(ratio[key, "lammps"]),
                    or(ke[key, "lammps"]), or(ns[key, "liggghts"]), o[3], o[4]
        }
    }' "$csv"
}

{
    echo "| scene | threads | libdem | with defaults | LAMMPS | ratio | kinetic energy |" \
        "LIGGGHTS | contacts a particle | bytes a particle |"
    echo "|---|---|---|---|---|---|---|---|---|---|"
    rows "" table
} >"$folder/table.md"
echo "table: $folder/table.md"
command -v gnuplot >/dev/null 2>&1 || {
    echo "picture skipped: gnuplot is not installed"
    exit 0
}
rows "?" data >"$folder/bench.dat"
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
