# What a step costs: gnuplot -e "table='...'; target='...'" curves.gp
set datafile separator ","
set terminal svg size 640,400 font "Helvetica,12" background rgb "white"
set key top left spacing 1.1 samplen 2
set grid lc rgb "#dddddd"
set logscale x
set yrange [0:*]
set ylabel "ns a particle and step, one thread"
set style line 1 pt 7 ps 0.6 lw 1.5 lc rgb "#0072b2"
set style line 2 pt 7 ps 0.6 lw 1.5 lc rgb "#56b4e9"
set style line 3 pt 7 ps 0.6 lw 1.5 lc rgb "#d55e00"
x(curve, value) = strcol(1) eq curve ? value : NaN

set output target."/bench_number.svg"
set xlabel "particles"
set format x "10^{%L}"
plot table using (x("number", $3)):4 with linespoints ls 1 title "libdem, as LAMMPS", \
     table using (x("number", $3)):5 with linespoints ls 2 title "libdem, defaults", \
     table using (x("number", $3)):6 with linespoints ls 3 title "LAMMPS"

set output target."/bench_ratio.svg"
set xlabel "largest over smallest diameter"
set format x "%g"
plot table using (x("ratio", $2)):4 with linespoints ls 1 title "libdem, as LAMMPS", \
     table using (x("ratio", $2)):5 with linespoints ls 2 title "libdem, defaults", \
     table using (x("ratio", $2)):6 with linespoints ls 3 title "LAMMPS, multi"
