# Timeline of a step of velocity-Verlet: gnuplot -e "target='docs/figures'" docs/figures/step.gp
set terminal svg size 900,430 font "Helvetica,13" background rgb "white"
set output target."/step.svg"
unset border; unset tics; unset key
set margins 0, 0, 0, 0
set xrange [0:18]; set yrange [0:9.2]

t0 = 5.2; half = 9.7; t1 = 14.2
do for [k = 1:3] {
    x = k == 1 ? t0 : k == 2 ? half : t1
    set arrow from x, 0.5 to x, 8.0 nohead dt 3 lc rgb "#999999"
    set label (k == 1 ? "t0" : k == 2 ? "half = t0 + dt/2" : "t1 = t0 + dt") at x, 8.4 center font ",15"
}

# known(row, x): a dot where a quantity is known
known(n, x, y) = sprintf("set object %d circle at %g, %g size 0.13 fc rgb '#0072b2' fs solid front", n, x, y)
names = "positions velocities forces 'velocities of dashpots' normals 'states of contacts'"
do for [k = 1:6] {
    set label word(names, k) at 0.3, 8.4 - 1.25 * k font ",14"
}
y(k) = 8.4 - 1.25 * k
# positions, velocities, forces, velocities of dashpots, normals, states
eval known(1, t0, y(1)); eval known(2, t1, y(1))
eval known(3, t0, y(2)); eval known(4, half, y(2)); eval known(5, t1, y(2))
eval known(6, t0, y(3)); eval known(7, t1, y(3))
eval known(8, t1, y(4))
eval known(9, t0, y(5)); eval known(10, half, y(5)); eval known(11, t1, y(5))
eval known(12, t0, y(6)); eval known(13, t1, y(6))

set style arrow 1 head filled size 0.22, 20 lw 2 lc rgb "#d55e00"
set style arrow 2 head filled size 0.22, 20 lw 2 lc rgb "#009e73"
set style arrow 3 head filled size 0.18, 20 lw 1 dt 2 lc rgb "#555555"
g = 0.2
set arrow from t0 + g, y(1) to t1 - g, y(1) arrowstyle 2
set label "2  drift: velocity of half" at half, y(1) + 0.33 center
set arrow from t0 + g, y(2) to half - g, y(2) arrowstyle 1
set label "1  first kick" at (t0 + half)/2, y(2) + 0.33 center
set arrow from half + g, y(2) to t1 - g, y(2) arrowstyle 1
set label "4  second kick" at (half + t1)/2, y(2) + 0.33 center
set label "3  evaluation" at t1 + 0.35, y(3)
set arrow from half + g, y(4) to t1 - g, y(4) arrowstyle 3
set label "extrapolated with the acceleration of t0" at half + 0.3, y(4) + 0.33 center
set arrow from half - g, y(5) to t0 + g, y(5) arrowstyle 3
set arrow from t1 - g, y(5) to half + g, y(5) arrowstyle 3
set label "back along the drift" at half, y(5) + 0.33 center
set arrow from t0 + g, y(6) to t1 - g, y(6) arrowstyle 2
set label "3  rotated into the tangent plane of t1, advanced by the motion at half" \
    at half, y(6) + 0.33 center font ",12"
plot NaN
