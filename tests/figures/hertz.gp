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
plot table using 1:2 with lines dt 2 lc rgb "#999999" title "M1, secant", \
     table using 1:3 with lines lc rgb "#56b4e9" title "M1, Walton: mindlin", \
     table using 1:4 with lines lc rgb "#e69f00" title "M2, linear", \
     table using 1:5 with lines dt 3 lw 2 lc rgb "#009e73" title "M3, secant", \
     table using 1:6 with lines lw 2 lc rgb "#d55e00" title "M4: mindlin-deresiewicz", \
     folder."/kharaz_measured.csv" using 1:2 with points pt 7 ps 0.8 lc rgb "black" \
         title "Kharaz et al. 2001"
set output target."/mindlin_loop.svg"
set xlabel "displacement over that of full slip"
set ylabel "tangential force over its limit"
set yrange [-1.1:1.1]
table = folder."/mindlin_loop.csv"
plot table using 1:2 with lines lw 2 lc rgb "black" title "closed form", \
     table using 1:3 every 4 with points pt 6 ps 0.6 lc rgb "#d55e00" title "16 springs", \
     table using 1:4 every 4 with points pt 2 ps 0.6 lc rgb "#0072b2" title "32 springs"
