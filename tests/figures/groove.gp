# Histories of the groove: gnuplot -e "folder='...'; target='...'" groove.gp
set datafile separator ","
set key top left spacing 1.1 samplen 2
set grid lc rgb "#dddddd"
set xlabel "time, s"
exact = 0.0842524
set terminal svg size 1000,330 font "Helvetica,12" background rgb "white"

# Vyas et al., Figs 4, 6 and 8: standard velocity-Verlet
set output target."/groove_standard.svg"
table = folder."/groove_standard.csv"
set arrow 1 from exact, graph 0 to exact, graph 1 nohead dt 2 lc rgb "black"
set multiplot layout 1,3
set key bottom left
set ylabel "change of radius, nm"
plot table using 1:($3*1e9) with lines lc rgb "#d55e00" title "standard"
set key top left
set ylabel "radial force, uN"
plot table using 1:4 with lines lc rgb "#0072b2" title "normal", \
     table using 1:5 with lines lc rgb "#d55e00" title "tangential"
set ylabel "radial tangential velocity, um/s"
set xrange [0:0.12]
plot table using 1:8 with lines lc rgb "#0072b2" title "half step", \
     table using 1:9 with lines lc rgb "#d55e00" title "full step"
unset multiplot

# Fig. 11: the paper's improved scheme, beside the default one
set output target."/groove_improved.svg"
table = folder."/groove_improved.csv"
default = folder."/groove_default.csv"
set xrange [0:0.09]
set multiplot layout 1,3
set xtics 0.02
set ylabel "change of radius, pm"
plot table using 1:($3*1e12) with lines lc rgb "#e69f00" title "improved", \
     default using 1:($3*1e12) with lines lc rgb "#0072b2" title "default"
set ylabel "radial force, uN"
set key center left
plot table using 1:4 with lines lc rgb "#0072b2" title "normal", \
     table using 1:5 with lines lc rgb "#d55e00" title "tangential", \
     table using 1:6 with lines lc rgb "#009e73" title "gravity", \
     table using 1:7 with lines lc rgb "#cc79a7" title "centrifugal", \
     default using 1:4 with lines dt 3 lc rgb "#0072b2" title "normal, default", \
     default using 1:5 with lines dt 3 lc rgb "#d55e00" title "tangential, default"
set key top left
set ylabel "radial tangential velocity, pm/s"
set xrange [0:0.082]
plot table using 1:($8*1e6) with lines lc rgb "#0072b2" title "half step", \
     table using 1:($9*1e6) with lines lc rgb "#d55e00" title "full step"
unset multiplot

# 40 grooves at random: differences at separation over the delay of slip
set output target."/groove_scatter.svg"
table = folder."/groove_scatter.csv"
unset arrow 1
set multiplot layout 1,2
set xrange [-0.2:*]
set logscale y
set yrange [1e-7:1]
set format y "10^{%L}"
set xtics autofreq
set xlabel "slip later than in Appendix 1 by, deg"
set key top left
set ylabel "angle at separation, relative difference"
plot table using 4:(abs($5)) with points pt 6 lc rgb "#d55e00" title "from Appendix 1", \
     table using 4:(abs($8)) with points pt 7 ps 0.6 lc rgb "#0072b2" title "slip as springs let it"
set ylabel "angular velocity at separation, relative difference"
plot table using 4:(abs($7)) with points pt 6 lc rgb "#d55e00" title "from Appendix 1", \
     table using 4:(abs($10)) with points pt 7 ps 0.6 lc rgb "#0072b2" title "slip as springs let it"
unset multiplot
