# SPDX-License-Identifier: MIT
# Heights over the floor of the nut from several starting positions:
# gnuplot -e "table='...'; picture='...'; heading='...'" seeds.gp
set terminal svg size 760,460 font "Helvetica,12" background rgb "white"
set output picture
set grid lc rgb "#dddddd"
set key outside right spacing 1.1 samplen 2
set title heading
set xlabel "time, s"
set ylabel "height over the floor, mm"
set yrange [0:*]
stats table using 1 nooutput
# runs of less than a period have no height yet
if (!exists("STATS_blocks")) exit
plot for [k=0:STATS_blocks-1] table index k using 1:2 with lines lw 1.5 lc k+1 \
         title sprintf("nut, %d", k + 1), \
     for [k=0:STATS_blocks-1] table index k using 1:3 with lines dt 3 lc rgb "#999999" \
         title k == 0 ? "mean ellipsoid" : ""
