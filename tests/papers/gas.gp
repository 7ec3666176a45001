# Draws the curves of the gas: gnuplot -e "table='gas.csv'; picture='gas.svg'" gas.gp
set terminal svg size 900,400 font "Helvetica,13" background rgb "white"
set output picture
set datafile separator ","
set grid lc rgb "#dddddd"
set multiplot layout 1,2
set key top left reverse Left
set xlabel "collisions, millions"
set ylabel "energy over that of the start, less 1"
set format y "%.3f"
walk(steps) = (strcol(1) eq "drift" && $2 == steps) ? $4 : NaN
plot table using ($3 / 1e6):(walk(20)) with lines lw 2 lc rgb "#0072b2" title "dt = t_c/20", \
     table using ($3 / 1e6):(walk(40)) with lines lw 2 lc rgb "#e69f00" title "dt = t_c/40"
set key bottom right noreverse
set xlabel "time"
set ylabel "1/sqrt(T)"
set xrange [0:20]
set format y "%g"
pick(name) = strcol(1) eq name ? $3 : NaN
plot table using 2:(pick("linear-csds")) with lines lw 2 lc rgb "#0072b2" title "C-SDS, strong dashpot", \
     table using 2:(pick("linear-dsds")) with lines lw 2 lc rgb "#d55e00" title "D-SDS, strong dashpot", \
     table using 2:(pick("smooth")) with lines lw 2 lc rgb "#009e73" title "smooth, e 0.9", \
     1.0 + 0.15075 * x with lines dt 2 lc rgb "black" title "Haff, with Enskog's rate"
unset multiplot
