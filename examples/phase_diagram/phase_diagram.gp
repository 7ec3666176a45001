# Draws the phase diagram of the three schemes, with R_c(mu):
# gnuplot -e "table='phase_diagram.csv'; picture='phase_diagram.png'" phase_diagram.gp
if (!exists("size")) size = 0.45
set terminal pngcairo size 1200,460 font "Helvetica,11" background rgb "white"
set output picture
set datafile separator ","
set xrange [0:1]
set yrange [0.5:100.5]
set xlabel "friction coefficient"
set ylabel "size ratio R"
set multiplot layout 1,3
critical(mu) = 1.0 / (sqrt(1.0 + mu * mu) - 1.0)
pick(name, outcome) = (strcol(1) eq name && $4 == outcome) ? $2 : NaN
do for [name in "standard improved synchronized"] {
    set title name
    unset key
    plot table using 3:(pick(name, 0)) with points pt 5 ps size lc rgb "#56b4e9", \
         table using 3:(pick(name, 1)) with points pt 5 ps size lc rgb "#d55e00", \
         [mu = 0.13:1] critical(mu) with lines lw 2 lc rgb "black"
}
unset multiplot
