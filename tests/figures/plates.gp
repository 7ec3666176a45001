# The block on a plate: gnuplot -e "folder='...'; target='...'" plates.gp
set datafile separator ","
set key top right spacing 1.1 samplen 2
set grid lc rgb "#dddddd"
set xlabel "time"
set terminal svg size 900,380 font "Helvetica,12" background rgb "white"
set output target."/plates_reset.svg"
errors = folder."/plates_error.csv"
midpoint = folder."/plates_midpoint.csv"
set multiplot layout 1,2
set title "Reset spring: error of the velocity over dt"
plot errors using 3:(strcol(1) eq "Euler" && $2 > 0.05 ? $4 : NaN) with lines lc rgb "#0072b2" \
         title "Euler, 0.1", \
     errors using 3:(strcol(1) eq "Euler" && $2 < 0.05 ? $4 : NaN) with lines dt 3 lw 2 \
         lc rgb "#0072b2" title "Euler, 0.01", \
     errors using 3:(strcol(1) eq "Heun" && $2 > 0.05 ? $4 : NaN) with lines lc rgb "#e69f00" \
         title "Heun, 0.1", \
     errors using 3:(strcol(1) eq "Heun" && $2 < 0.05 ? $4 : NaN) with lines dt 3 lw 2 \
         lc rgb "#e69f00" title "Heun, 0.01", \
     errors using 3:(strcol(1) eq "RK4" && $2 > 0.05 ? $4 : NaN) with lines lc rgb "#d55e00" \
         title "RK4, 0.1", \
     errors using 3:(strcol(1) eq "RK4" && $2 < 0.05 ? $4 : NaN) with lines dt 3 lw 2 \
         lc rgb "#d55e00" title "RK4, 0.01"
set title "Reset spring: midpoint rule, dt = 0.2"
plot midpoint using 1:2 with lines lc rgb "#0072b2" title "spring", \
     midpoint using 1:3 with lines lc rgb "#e69f00" title "velocity", \
     midpoint using 1:4 with lines lc rgb "#d55e00" title "force"
unset multiplot

set output target."/plates_sliders.svg"
sliders = folder."/plates_sliders.csv"
energy = folder."/plates_energy.csv"
pick(name, fine, c) = strcol(1) eq name && (($2 < 0.05) == fine) ? column(c) : NaN
set terminal svg size 900,760 font "Helvetica,12" background rgb "white"
set multiplot layout 2,2
do for [c = 4:6] {
    if (c == 5) { set key top right } else { set key bottom right }
    set title word("- - - spring velocity force", c)
    plot sliders using 3:(pick("linear-dsds", 0, c)) with lines lc rgb "#d55e00" \
             title "reset, dt 0.1", \
         sliders using 3:(pick("linear-dsds", 1, c)) with lines dt 3 lw 2 lc rgb "#d55e00" \
             title "reset, dt 0.001", \
         sliders using 3:(pick("linear-csds", 0, c)) with lines lw 2 lc rgb "#0072b2" \
             title "continuous, dt 0.1"
}
set key top right
set title "Kinetic energy: reset less continuous"
set xrange [0:16]
plot for [v in "4 8 16"] energy using 2:($1 == v + 0 ? $3 : NaN) with lines title "start at ".v
unset multiplot
