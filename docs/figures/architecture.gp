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
layers = "io coupling analysis world integrate list contact search shapes mesh laws base"
what = "'snapshots, files' 'impulses; cells of a host' 'stress, fabric, rates' 'particles, walls; the step' 'table of schemes, kicks' 'neighbour list, chunks' 'kinematics, models, history' 'boxes in, pairs out' 'surfaces near a point' 'triangle meshes' 'setup and arithmetic' 'errors, memory, threads'"
do for [k = 1:12] {
    y = 12.6 - 0.97 * k
    eval box(k, 0.3, y, 7.0, k < 4 ? "#e69f00" : k == 4 ? "#d55e00" : k < 8 ? "#0072b2" : "#009e73")
    set label word(layers, k)."/" at 0.5, y font "Helvetica-Bold,13"
    set label word(what, k) at 2.6, y font ",12"
}
set label "a layer uses only those below it" at 3.8, 0.2 center font ",12"

set label "one step of a world" at 7.8, 12.4 font ",15"
steps = "'first kick, drift' 'does the list still hold?' 'gather positions, velocities, states' 'kinematics' 'laws' 'scatter forces' 'reduction of copies, second kick' 'next becomes current'"
do for [k = 1:8] {
    y = 12.7 - 1.35 * k
    eval box(20 + k, 7.8, y, 5.9, k == 2 ? "#009e73" : k > 2 && k < 7 ? "#0072b2" : "#d55e00")
    set label word(steps, k) at 10.75, y center font ",12"
    if (k < 8) { set arrow from 10.75, y - 0.4 to 10.75, y - 0.95 arrowstyle 1 }
}
set arrow from 13.7, 10.0 to 14.5, 10.0 arrowstyle 1
set label "no: build it," at 14.6, 10.2 font ",12"
set label "begin again" at 14.6, 9.75 font ",12"
set arrow from 14.5, 10.3 to 13.8, 11.2 arrowstyle 1
set label "each chunk," at 14.2, 7.1 font ",12"
set label "in batches of one model;" at 14.2, 6.65 font ",12"
set label "states: current to next" at 14.2, 6.2 font ",12"
set arrow from 13.95, 9.0 to 13.95, 4.2 nohead lc rgb "#0072b2" lw 2
set label "each row" at 14.2, 3.25 font ",12"
set label "an error before this leaves\nthe last complete step" at 13.95, 2.1 font ",12"
plot NaN
