# The lengths of contacts and of the search: gnuplot -e "target='docs/figures'" docs/figures/lengths.gp
set terminal svg size 900,560 font "Helvetica,13" background rgb "white"
set output target."/lengths.svg"
unset border; unset tics; unset key
set margins 0, 0, 0, 0
set xrange [0:18]; set yrange [0:11.2]
set style arrow 1 heads filled size 0.16, 20 lc rgb "black"

# two particles in contact
set label "in contact" at 0.4, 10.7 font ",15"
set object 1 circle at 2.2, 8.6 size 1.6 fc rgb "#0072b2" fs transparent solid 0.25 border lc rgb "#0072b2"
set object 2 circle at 4.8, 8.6 size 1.3 fc rgb "#d55e00" fs transparent solid 0.25 border lc rgb "#d55e00"
set arrow from 2.2, 8.6 to 1.069, 9.731 lc rgb "#0072b2" head filled size 0.16, 20
set label "radius" at 1.75, 9.45 tc rgb "#0072b2"
set label "i" at 2.1, 8.25; set label "j" at 4.9, 8.6
set arrow from 3.5, 8.6 to 3.5, 6.6 nohead dt 3 lc rgb "#777777"
set arrow from 3.8, 8.6 to 3.8, 6.6 nohead dt 3 lc rgb "#777777"
set arrow from 2.9, 6.8 to 3.5, 6.8 head filled size 0.16, 20
set arrow from 4.4, 6.8 to 3.8, 6.8 head filled size 0.16, 20
set label "overlap = r_i + r_j - distance" at 3.65, 6.35 center

# two particles that the list holds
set label "at the limit of the list" at 8, 10.7 font ",15"
set object 3 circle at 9.4, 8.6 size 1.3 fc rgb "#0072b2" fs transparent solid 0.25 border lc rgb "#0072b2"
set object 4 circle at 15.0, 8.6 size 1.3 fc rgb "#d55e00" fs transparent solid 0.25 border lc rgb "#d55e00"
set arrow from 10.7, 8.6 to 10.7, 6.3 nohead dt 3 lc rgb "#777777"
set arrow from 11.5, 8.9 to 11.5, 6.3 nohead dt 3 lc rgb "#777777"
set arrow from 13.7, 8.6 to 13.7, 6.3 nohead dt 3 lc rgb "#777777"
set arrow from 9.4, 8.6 to 9.4, 5.3 nohead dt 3 lc rgb "#777777"
set arrow from 15.0, 8.6 to 15.0, 5.3 nohead dt 3 lc rgb "#777777"
set arrow from 10.7, 6.8 to 11.5, 6.8 arrowstyle 1
set label "reach" at 11.1, 6.4 center
set arrow from 11.5, 6.8 to 13.7, 6.8 arrowstyle 1
set label "skin" at 12.6, 6.4 center
set label "gap" at 12.6, 8.95 center
set arrow from 10.7, 8.6 to 13.7, 8.6 arrowstyle 1
set arrow from 9.4, 5.5 to 15.0, 5.5 arrowstyle 1
set label "cutoff: r_i + r_j + reach + skin of the widest pair" at 12.2, 5.1 center

# chunks
set label "chunks of the list" at 0.4, 4.5 font ",15"
set object 5 rectangle from 1.0, 1.5 to 4.0, 3.9 fc rgb "#009e73" fs transparent solid 0.2 border lc rgb "#009e73"
set object 6 rectangle from 7.0, 1.2 to 10.0, 3.6 fc rgb "#009e73" fs transparent solid 0.2 border lc rgb "#009e73"
set object 7 rectangle from 14.4, 1.5 to 17.4, 3.9 fc rgb "#009e73" fs transparent solid 0.2 border lc rgb "#009e73"
set label "a" at 2.4, 2.7; set label "b" at 8.5, 2.4; set label "c" at 15.8, 2.7
set arrow from 4.0, 2.4 to 7.0, 2.4 arrowstyle 1
set label "< cutoff + margin" at 5.5, 2.8 center
set label "neighbours: may approach\nby the skin" at 5.5, 1.0 center
set arrow from 10.0, 2.4 to 14.4, 2.4 arrowstyle 1
set label ">= cutoff + margin" at 12.2, 2.8 center
set label "not neighbours: may approach\nby skin + margin" at 12.2, 1.0 center
plot NaN
