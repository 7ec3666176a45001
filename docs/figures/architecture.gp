# Layers, and one step of a world: gnuplot -e "target='docs/figures'" docs/figures/architecture.gp
set terminal svg size 900,640 font "Helvetica,13" background rgb "white"
set output target."/architecture.svg"
unset border; unset tics; unset key
set margins 0, 0, 0, 0
set xrange [0:18]; set yrange [0:12.8]
set style arrow 1 head filled size 0.18, 20 lw 1.5 lc rgb "black"

# box(n, x, y, width, colour): the commands that draw a box of height 0.8 around a label
box(n, x, y, width, colour) = sprintf(\
    "set object %d rectangle from %g, %g to %g, %g fc rgb '%s' fs transparent solid 0.22 border lc rgb '%s'", \
    n, x, y - 0.4, x + width, y + 0.4, colour, colour)

set label "layers of src" at 0.3, 12.4 font ",15"
layers = "io world integrate contact list search shapes laws base"
what = "'snapshots, files' 'particles, walls, bodies; the step' 'table of schemes, kicks' 'kinematics, models, history' 'neighbour list, chunks' 'boxes in, pairs out' 'surfaces near a point' 'setup and arithmetic' 'errors, memory, threads'"
do for [k = 1:9] {
    y = 12.7 - 1.25 * k
    eval box(k, 0.3, y, 7.0, k == 2 ? "#d55e00" : k < 2 ? "#e69f00" : k < 5 ? "#0072b2" : "#009e73")
    set label word(layers, k)."/" at 0.5, y font "Helvetica-Bold,13"
    set label word(what, k) at 2.6, y font ",12"
}
set label "a layer uses only those below it" at 3.8, 0.5 center font ",12"

set label "one step of a world" at 9.0, 12.4 font ",15"
steps = "'first kick, drift' 'does the list still hold?' 'gather positions, velocities, states' 'kinematics' 'laws' 'scatter forces' 'reduction of copies, second kick' 'next becomes current'"
do for [k = 1:8] {
    y = 12.7 - 1.35 * k
    eval box(20 + k, 9.0, y, 5.0, k == 2 ? "#009e73" : k > 2 && k < 7 ? "#0072b2" : "#d55e00")
    set label word(steps, k) at 11.5, y center
    if (k < 8) { set arrow from 11.5, y - 0.4 to 11.5, y - 0.95 arrowstyle 1 }
}
set arrow from 14.0, 10.0 to 15.1, 10.0 arrowstyle 1
set label "no: build it," at 15.2, 10.2
set label "begin again" at 15.2, 9.75
set arrow from 15.1, 10.3 to 14.1, 11.2 arrowstyle 1
set label "each chunk," at 14.6, 7.1
set label "in batches of one model;" at 14.6, 6.65
set label "states: current to next" at 14.6, 6.2
set arrow from 14.3, 9.0 to 14.3, 4.2 nohead lc rgb "#0072b2" lw 2
set label "each row" at 14.6, 3.25
set label "an error before this leaves\nthe last complete step" at 14.2, 2.1 font ",12"
plot NaN
