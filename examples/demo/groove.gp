# Draws the groove's paths: gnuplot -e "table='groove.csv'; picture='groove.svg'" groove.gp
set terminal svg size 900,420 font "Helvetica,13" background rgb "white"
set output picture
set datafile separator ","
set key top left
set grid lc rgb "#dddddd"
set multiplot layout 1,2
set xlabel "time, s"
set ylabel "angle, degrees"
set yrange [0:180]
pick(name, c) = strcol(1) eq name ? column(c) : NaN
plot table using 2:(pick("synchronized", 3)) with lines lw 3 lc rgb "#0072b2" title "synchronized", \
     table using 2:(pick("improved", 3)) with lines lw 2 lc rgb "#e69f00" title "improved (Vyas et al.)", \
     table using 2:(pick("standard", 3)) with lines lw 2 lc rgb "#d55e00" title "standard", \
     61.1310 with lines dt 2 lc rgb "black" title "rigid spheres separate"
set ylabel "angular velocity, rad/s"
set autoscale y
plot table using 2:(-pick("synchronized", 4)) with lines lw 3 lc rgb "#0072b2" notitle, \
     table using 2:(-pick("improved", 4)) with lines lw 2 lc rgb "#e69f00" notitle, \
     table using 2:(-pick("standard", 4)) with lines lw 2 lc rgb "#d55e00" notitle, \
     426.486 with lines dt 2 lc rgb "black" notitle
unset multiplot
