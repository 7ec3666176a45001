# SPDX-License-Identifier: MIT
# gnuplot -e "folder='...'; target='...'" collision.gp: errors of the collision parameters, and the
# energies of the sedimentation.
set datafile separator ','
set terminal svg size 640,400 font 'sans-serif,12' background rgb 'white'
set output target.'/collision_error.svg'
set logscale xy
set format y '10^{%L}'
set xlabel 'restitution coefficient e'
set ylabel 'relative error'
set yrange [1e-18:2]
set key at graph 0.66, 0.8
plot folder.'/collision_error.csv' using 1:2 every ::1 with lines lw 2 title 'e(lambda), dem\_collision\_forward', \
     '' using 1:3 every ::1 with lines lw 2 title 'lambda(e), dem\_collision\_inverse', \
     '' using 1:4 every ::1 with lines lw 1 title 'e(lambda), Ray et al. (43)', \
     '' using 1:5 every ::1 with lines lw 1 title 'lambda(e), Ray et al. (51)'
set output target.'/sedimentation_energy.svg'
set terminal svg size 900,420 font 'sans-serif,12' background rgb 'white'
unset logscale
set format y '%g'
set yrange [0:1.05]
set xlabel 't, s'
set ylabel 'energy over that at the start'
set key outside below horizontal
set multiplot layout 1,2
do for [e in '0.95 0.7'] {
    set title 'e = '.e
    table = folder.'/sedimentation_e'.e.'.csv'
    plot table using 1:2 every ::1 with lines lw 2 lc 1 title 'potential', \
         table using 1:3 every ::1 with lines lw 2 lc 2 title 'kinetic', \
         table using 1:4 every ::1 with lines lw 2 lc 3 title 'springs', \
         table using 1:6 every ::1 with lines lw 2 lc 4 title 'dissipated', \
         table using 1:7 every ::1 with lines lw 2 lc 7 title 'sum', \
         table using 1:8 every ::1 with lines lw 1 lc 8 title 'iterative', \
         table using 1:9 every ::1 with lines lw 1 lc 8 notitle, \
         table using 1:10 every ::1 with lines lw 1 lc 8 notitle
}
unset multiplot
