# Figures of the scenes: gnuplot -e "folder='...'; picture='...'" scenes.gp
set datafile separator ","
set terminal svg size 1300,640 font "Helvetica,12" background rgb "white"
set output picture
set grid lc rgb "#dddddd"
set key top left spacing 1.1 samplen 2
blue = "#0072b2"
red = "#d55e00"
set multiplot layout 2,3

set title "drum"
set logscale x
set xlabel "Froude number"
set ylabel "angle, degrees"
set yrange [0:*]
set key bottom right
plot folder."/drum.csv" using 1:2 with linespoints pt 7 lc rgb blue title "surface", \
     "" using 1:3 with linespoints pt 5 lc rgb red title "centre of mass"
unset logscale x

set title "hopper"
set key top left
set xlabel "opening, diameters"
set ylabel "mass flow rate to the power 2/5"
set xrange [0:*]
f(x) = a*(x - k)
set fit quiet nolog
k = 1.4
a = 0.1
fit f(x) folder."/hopper.csv" using 1:($2**0.4) via a, k
plot folder."/hopper.csv" using 1:($2**0.4) with points pt 7 lc rgb blue title "scene", \
     f(x) with lines lc rgb red title sprintf("exponent 5/2, k = %.2f", k)

set title "press"
set xrange [*:*]
set xlabel "strain, %"
set ylabel "stress, kPa"
plot folder."/press.csv" index 1 using (100*$1):($2/1000) with lines lc rgb red \
         title "constant speed", \
     "" index 0 using (100*$1):($2/1000) with points pt 7 lc rgb blue title "stress held"

set title "heaps"
set xrange [0.8:3.2]
set key bottom right
set xlabel "aspect ratio"
set ylabel "angle of repose, degrees"
plot folder."/pour.csv" using 1:2 with linespoints pt 7 lc rgb blue notitle

set title "mixer"
set xrange [*:*]
set yrange [0:1]
set xlabel "turns"
set ylabel "Lacey's index"
plot folder."/mixer.csv" using 1:2 with linespoints pt 7 lc rgb blue notitle
unset multiplot
