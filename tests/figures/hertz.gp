# Oblique impacts and loops: gnuplot -e "folder='...'; target='...'" hertz.gp
set datafile separator ","
set grid lc rgb "#dddddd"
set terminal svg size 720,420 font "Helvetica,12" background rgb "white"
set output target."/kharaz.svg"
set key bottom right spacing 1.1
set xlabel "angle of impact from the normal, degrees"
set ylabel "tangential restitution"
set yrange [0.4:1]
table = folder."/kharaz.csv"
plot table using 1:2 with lines dt 2 lc rgb "#999999" title "no slip, secant, D-SDS", \
     table using 1:3 with lines lc rgb "#56b4e9" title "no slip, Walton: mindlin", \
     table using 1:4 with lines lc rgb "#e69f00" title "linear", \
     table using 1:5 with lines dt 3 lw 2 lc rgb "#009e73" title "2/3, secant, D-SDS", \
     table using 1:6 with lines lw 2 lc rgb "#d55e00" title "mindlin-deresiewicz", \
     folder."/kharaz_measured.csv" using 1:2 with points pt 7 ps 0.8 lc rgb "black" \
         title "Kharaz et al. 2001"
set terminal svg size 960,360 font "Helvetica,12" background rgb "white"
set output target."/li.svg"
set multiplot layout 1,3
table = folder."/li.csv"
measured = folder."/li_measured.csv"
set xlabel "psi_1"
set ylabel "psi_2"
set key top left Left reverse samplen 2
set yrange [-4:18]
plot table using 2:3 with lines lc rgb "#56b4e9" title "M1 as printed", \
     table using 2:9 with lines dt 3 lw 2 lc rgb "#009e73" title "M3 as printed", \
     table using 2:6 with lines lc rgb "#e69f00" title "M2 as printed", \
     table using 2:12 with lines lw 2 lc rgb "#d55e00" title "mindlin-deresiewicz", \
     measured using 2:3 with points pt 7 ps 0.6 lc rgb "black" title "from measured e_t"
set xlabel "angle of impact, degrees"
set ylabel "E_{out} / E_{in}"
unset key
set yrange [0:1]
plot table using 1:4 with lines lc rgb "#56b4e9", \
     table using 1:10 with lines dt 3 lw 2 lc rgb "#009e73", \
     table using 1:7 with lines lc rgb "#e69f00", \
     table using 1:13 with lines lw 2 lc rgb "#d55e00", \
     measured using 1:4 with points pt 7 ps 0.6 lc rgb "black"
set ylabel "W_{out} / E_{in}"
set yrange [0:0.25]
plot table using 1:5 with lines lc rgb "#56b4e9", \
     table using 1:11 with lines dt 3 lw 2 lc rgb "#009e73", \
     table using 1:8 with lines lc rgb "#e69f00", \
     table using 1:14 with lines lw 2 lc rgb "#d55e00", \
     measured using 1:5 with points pt 7 ps 0.6 lc rgb "black"
unset multiplot
set terminal svg size 720,420 font "Helvetica,12" background rgb "white"
set key bottom right Right noreverse samplen 4 spacing 1.1
set output target."/mindlin_loop.svg"
set xlabel "displacement over that of full slip"
set ylabel "tangential force over its limit"
set yrange [-1.1:1.1]
table = folder."/mindlin_loop.csv"
plot table using 1:2 with lines lw 2 lc rgb "black" title "closed form", \
     table using 1:3 every 4 with points pt 6 ps 0.6 lc rgb "#d55e00" title "16 springs", \
     table using 1:4 every 4 with points pt 2 ps 0.6 lc rgb "#0072b2" title "32 springs"
