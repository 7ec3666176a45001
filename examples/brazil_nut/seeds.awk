# SPDX-License-Identifier: MIT
# A table of the nut that is shaken up and down, from the tables of its runs, one for each seed.
#
# Heights are means over a period of the shaking, which has ten lines; the floor's mean is 7.5 mm.
# A bed of even density is twice as high as the mean of its ellipsoids. The nut is at the top where
# its centre is less than its longest half axis below that.

function spread(sum, square, count)
{
    return count > 1 ? sqrt((square - sum * sum / count) / (count - 1)) : 0
}

function seed_end()
{
    if (seed == "")
        return
    high = top == "" ? "-" : sprintf("%.1f", top)
    printf "%4d %8.1f %8.1f %8.1f %10.1f %8.1f %8s\n", seed, begin, end, most, bed, time, high
    seeds += 1
    sum += end
    square += end * end
    if (top != "") {
        reached += 1
        times += top
        times_square += top * top
    }
}

BEGIN {
    print "        nut over the mean ellipsoid, mm   height of"
    print "seed    at 0.6 s  at end  greatest   bed, mm   time, s   top, s"
}

FNR == 1 {
    seed_end()
    # gnuplot takes two empty lines between seeds
    if (seed != "")
        print "\n" > heights
    match(FILENAME, /seed[0-9]+\.csv$/)
    seed = substr(FILENAME, RSTART + 4, RLENGTH - 8)
    lines = nut = others = 0
    begin = end = most = bed = time = 0
    top = ""
    next
}

$1 > 0.001 {
    nut += 1000 * $3 - 7.5
    others += 1000 * $4 - 7.5
    if (++lines % 10)
        next
    nut /= 10
    others /= 10
    time = $1
    print time, nut, others > heights
    end = nut - others
    bed = 2 * others
    # the first ones fall
    if (lines == 60)
        begin = most = end
    if (lines > 60 && end > most)
        most = end
    if (lines >= 60 && top == "" && nut > bed - 12)
        top = time
    nut = others = 0
}

END {
    seed_end()
    if (seeds > 0)
        printf "nut over the mean ellipsoid at the end: %.1f +- %.1f mm of %d\n", sum / seeds,
            spread(sum, square, seeds), seeds
    if (reached > 0)
        printf "at the top: %d of %d, after %.1f +- %.1f s\n", reached, seeds, times / reached,
            spread(times, times_square, reached)
    else
        printf "at the top: none of %d\n", seeds
}
