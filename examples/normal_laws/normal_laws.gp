# Draws the curves of the sticking and the yielding laws:
#     gnuplot -e "folder='build/figures'; target='docs/figures'" normal_laws.gp
set terminal svg size 900,420 font "Helvetica,13" background rgb "white"
set datafile separator ","
set grid lc rgb "#dddddd"
pick(name, c) = strcol(1) eq name || strcol(1) eq name."-end" ? column(c) : NaN

table = folder."/adhesion.csv"
set output target."/law_adhesion.svg"
set multiplot layout 1,2
set key top left
set xlabel "overlap over the gap at which JKR snaps"
set ylabel "force over {/Symbol p} w R*"
set xrange [-1.3:2]
set yrange [-2.3:4]
set arrow 1 from 0,0 to 0,-1.3333 lw 2 lc rgb "#0072b2"
set arrow 2 from -1,-0.83333 to -1,0 lw 2 dt 2 lc rgb "#0072b2"
plot table using (pick("hertz", 2)):3 with lines lw 2 lc rgb "#999999" title "Hertz", \
     table using (pick("dmt", 2)):3 with lines lw 2 lc rgb "#e69f00" title "DMT", \
     table using (pick("jkr", 2)):3 with lines lw 3 lc rgb "#0072b2" title "JKR", \
     -1.5 with lines dt 3 lc rgb "black" title "pull-off, 3/2 and 2", -2 with lines dt 3 lc rgb "black" notitle
unset arrow
set key center right
set xlabel "impact speed over sticking speed"
set ylabel "restitution"
set logscale x
set xrange [0.6:20]
set yrange [0:1.05]
set samples 2000
plot table using (pick("rebound", 2)):3 with points pt 7 ps 0.7 lc rgb "#0072b2" title "JKR", \
     x > 1 ? sqrt(1 - 1 / x**2) : 0 with lines lc rgb "black" title "Thornton and Ning"
unset multiplot
unset logscale
set autoscale

table = folder."/hysteretic.csv"
set output target."/law_hysteretic.svg"
set multiplot layout 1,2
set key top left
set xlabel "overlap over the greatest"
set ylabel "force over the greatest"
plot table using (pick("luding", 2)):3 with lines lw 2 lc rgb "#0072b2" title "Luding", \
     table using (pick("walton-braun", 2)):3 with lines lw 2 lc rgb "#e69f00" title "Walton-Braun", \
     table using (pick("thornton", 2)):3 with lines lw 2 lc rgb "#d55e00" title "Thornton"
set key bottom left
set xlabel "impact speed, m/s"
set ylabel "restitution"
set logscale x
set yrange [0:1.05]
plot table using (pick("rebound", 2)):3 with points pt 7 ps 0.7 lc rgb "#d55e00" title "Thornton", \
     table using (pick("closed", 2)):3 with lines lc rgb "#d55e00" title "closed form", \
     table using (pick("hardening", 2)):3 with points pt 7 ps 0.7 lc rgb "#e69f00" \
         title "Walton-Braun, hardening", \
     table using (pick("hardening-closed", 2)):3 with lines lc rgb "#e69f00" title "closed form"
unset multiplot
