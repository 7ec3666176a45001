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
