/* SPDX-License-Identifier: MIT */
/* Bounds follow from the particles alone, whatever the order of their rows: a list that is built
 * once more from sorted rows has the same cells. So sums are of whole numbers, and a sample is
 * chosen by ids. */
#include "search/bounds.h"

#include "base/parallel.h"

#include <math.h>
#include <string.h>

/* Shares of the rows that may be outside on either side of an axis: a thirty-second, and more where
 * cells would still be useless. What is outside gathers in the outermost cells, so few are better.
 * As many rows are looked at that some KEPT are outside. */
enum { SHARES = 3, KEPT = 32 };
static const uint64_t outside[SHARES] = {32, 8, 4};
/* Room for twice the largest sample: by chance it is never that large. */
enum { SAMPLE_MOST = 2 * 32 * KEPT };
/* Of the extent along an axis: the unit of sums. */
enum { UNITS = 1 << 15 };
/* Room is left on either side of most rows: this part of their extent. */
#define BESIDE 0.125
/* Numbers of a grid stay finite. */
#define FARTHEST 1e150

/* Rows in parts, and what each has. */
typedef struct extent_call {
    const demi_bounds_rows *of;
    demi_extent part[DEMI_PARTS_MOST];
} extent_call;

static void extent_part(void *argument, uint64_t k)
{
    extent_call *call = argument;
    const demi_bounds_rows *of = call->of;
    const uint64_t end = demi_part_end(k, demi_parts(of->rows), of->rows);
    uint64_t particles = 0;
    double low[4], high[4];
    for (int c = 0; c < 4; ++c) {
        low[c] = INFINITY;
        high[c] = -INFINITY;
    }
    for (uint64_t row = k * demi_part_rows(of->rows); row < end; ++row) {
        if (of->id[row] == 0)
            continue;
        const double *x = of->position[row];
        for (int c = 0; c < 4; ++c) {
            low[c] = x[c] < low[c] ? x[c] : low[c];
            high[c] = x[c] > high[c] ? x[c] : high[c];
        }
        particles++;
    }
    demi_extent *to = &call->part[k];
    to->particles = particles;
    memcpy(to->low, low, sizeof low);
    memcpy(to->high, high, sizeof high);
}

void demi_extent_measure(const demi_bounds_rows *of, demi_extent *extent)
{
    extent_call call = {.of = of};
    const uint64_t parts = demi_parts(of->rows);
    demi_parallel(of->executor, extent_part, &call, parts);
    memset(extent, 0, sizeof *extent);
    for (uint64_t k = 0; k < parts; ++k) {
        const demi_extent *part = &call.part[k];
        if (part->particles == 0)
            continue;
        for (int c = 0; c < 4; ++c) {
            const int first = extent->particles == 0;
            if (first || part->low[c] < extent->low[c])
                extent->low[c] = part->low[c];
            if (first || part->high[c] > extent->high[c])
                extent->high[c] = part->high[c];
        }
        extent->particles += part->particles;
    }
}

/* Sums of places within the extent, and of their squares. */
typedef struct sums_call {
    const demi_bounds_rows *of;
    const demi_extent *extent;
    uint64_t place[DEMI_PARTS_MOST][3], square[DEMI_PARTS_MOST][3];
} sums_call;

static void sums_part(void *argument, uint64_t k)
{
    sums_call *call = argument;
    const demi_bounds_rows *of = call->of;
    const double *low = call->extent->low, *high = call->extent->high;
    const uint64_t end = demi_part_end(k, demi_parts(of->rows), of->rows);
    uint64_t place[3] = {0, 0, 0}, square[3] = {0, 0, 0};
    double width[3];
    for (int c = 0; c < 3; ++c) /* 1 where all places are 0: a host may trap divisions by 0 */
        width[c] = high[c] > low[c] ? high[c] - low[c] : 1.0;
    for (uint64_t row = k * demi_part_rows(of->rows); row < end; ++row)
        for (int c = 0; c < 3 && of->id[row] != 0; ++c) {
            const double part = (of->position[row][c] - low[c]) / width[c];
            const uint64_t at = part > 0.0 && part <= 1.0 ? (uint64_t)(UNITS * part) : 0;
            place[c] += at;
            square[c] += at * at;
        }
    memcpy(call->place[k], place, sizeof place);
    memcpy(call->square[k], square, sizeof square);
}

/* All rows along the open axes, but no farther than four standard deviations from the mean. */
static void box_all(const demi_bounds_rows *of, const demi_extent *extent, const int periodic[3],
                    double cutoff, double low[3], double high[3])
{
    sums_call call = {.of = of, .extent = extent};
    const double n = (double)extent->particles;
    const uint64_t parts = demi_parts(of->rows);
    if (!(periodic[0] && periodic[1] && periodic[2]))
        demi_parallel(of->executor, sums_part, &call, parts);
    for (int c = 0; c < 3; ++c) {
        if (periodic[c])
            continue;
        low[c] = extent->low[c];
        high[c] = n > 0.0 ? extent->high[c] : cutoff;
        if (!(n > 0.0))
            continue;
        uint64_t place = 0, square = 0;
        for (uint64_t k = 0; k < parts; ++k) {
            place += call.place[k][c];
            square += call.square[k][c];
        }
        const double unit = (high[c] - low[c]) / UNITS, middle = (double)place / n,
                     mean = low[c] + unit * middle, spread = (double)square / n - middle * middle,
                     far = 4.0 * unit * sqrt(spread > 0.0 ? spread : 0.0) + cutoff;
        /* where the extent overflows, the ends are those of the rows */
        if (isfinite(mean) && isfinite(far)) {
            low[c] = low[c] > mean - far ? low[c] : mean - far;
            high[c] = high[c] < mean + far ? high[c] : mean + far;
        }
        /* at least a cell, and every coordinate strictly inside */
        if (!(high[c] - low[c] > cutoff))
            high[c] = low[c] + cutoff;
    }
}

/* How many cells as narrow as allowed a box has. */
static double cells_of(const double low[3], const double high[3], double cutoff)
{
    double cells = 1.0;
    for (int c = 0; c < 3; ++c) {
        const double along = (high[c] - low[c]) / cutoff;
        cells *= along > 1.0 ? along : 1.0;
    }
    return cells;
}

/* Rows at random, of so many particles. */
typedef struct bounds_sample {
    uint64_t rows, particles;
    uint32_t row[SAMPLE_MOST];
} bounds_sample;

/* Whether a particle is in a sample of so many of all; the same one whatever row it has. */
static int sampled(uint64_t id, uint64_t particles, uint64_t looks)
{
    uint64_t mixed = id + 0x9E3779B97F4A7C15u; /* SplitMix64 */
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    mixed ^= mixed >> 31;
    return looks >= particles || (mixed >> 32) * particles >> 32 < looks;
}

static void sample_take(const demi_bounds_rows *of, const demi_extent *extent, uint64_t looks,
                        bounds_sample *sample)
{
    sample->rows = 0;
    sample->particles = extent->particles;
    for (uint64_t row = 0; row < of->rows && sample->rows < SAMPLE_MOST; ++row)
        if (of->id[row] != 0 && sampled(of->id[row], extent->particles, looks))
            sample->row[sample->rows++] = (uint32_t)row;
}

/* Puts x into its place among the n least ones. */
static void keep_least(double *least, uint64_t n, uint64_t *kept, double x)
{
    if (*kept == n && x >= least[n - 1])
        return;
    uint64_t at = *kept < n ? (*kept)++ : n - 1;
    for (; at > 0 && least[at - 1] > x; --at)
        least[at] = least[at - 1];
    least[at] = x;
}

/* Where most rows are along an axis: all of a sample but a share on either side, and some room. */
static void axis_most(const demi_bounds_rows *of, const bounds_sample *sample, int c,
                      uint64_t share, double cutoff, double *low, double *high)
{
    enum { MOST = 2 * KEPT + 1 };
    double least[2][MOST]; /* of x and of -x */
    const uint64_t looks = share * KEPT;
    uint64_t n = 0, kept[2] = {0, 0};
    for (uint64_t k = 0; k < sample->rows; ++k)
        n += (uint64_t)sampled(of->id[sample->row[k]], sample->particles, looks);
    if (n == 0)
        return;
    const uint64_t most = n / share + 1 < MOST ? n / share + 1 : MOST;
    for (uint64_t k = 0; k < sample->rows; ++k) {
        const uint64_t row = sample->row[k];
        if (!sampled(of->id[row], sample->particles, looks))
            continue;
        keep_least(least[0], most, &kept[0], of->position[row][c]);
        keep_least(least[1], most, &kept[1], -of->position[row][c]);
    }
    const double first = least[0][kept[0] - 1], last = -least[1][kept[1] - 1];
    const double beside = cutoff + BESIDE * (last - first);
    if (first - beside > *low)
        *low = first - beside;
    if (last + beside < *high)
        *high = last + beside;
}

/* The part of a box where most rows are along its open axes. */
static void box_most(const demi_bounds_rows *of, const bounds_sample *sample, const int periodic[3],
                     double cutoff, uint64_t share, const double low[3], const double high[3],
                     double most_low[3], double most_high[3])
{
    for (int c = 0; c < 3; ++c) {
        most_low[c] = low[c];
        most_high[c] = high[c];
        if (periodic[c])
            continue;
        axis_most(of, sample, c, share, cutoff, &most_low[c], &most_high[c]);
        most_low[c] = fmin(fmax(most_low[c], -FARTHEST), FARTHEST);
        most_high[c] = fmin(fmax(most_high[c], -FARTHEST), FARTHEST);
    }
}

void demi_bounds_choose(const demi_bounds_rows *of, const demi_extent *extent,
                        const int periodic[3], double cutoff, int64_t most, double low[3],
                        double high[3])
{
    box_all(of, extent, periodic, cutoff, low, high);
    /* the narrowest cells fit: nothing is gained by a smaller box */
    const double cells = cells_of(low, high, cutoff);
    if (cells <= (double)most)
        return;
    double close_low[3], close_high[3], closer_low[3], closer_high[3];
    bounds_sample sample;
    sample_take(of, extent, outside[0] * KEPT, &sample);
    box_most(of, &sample, periodic, cutoff, outside[0], low, high, close_low, close_high);
    double close = cells_of(close_low, close_high, cutoff);
    for (int k = 1; k < SHARES && close > (double)most; ++k) {
        box_most(of, &sample, periodic, cutoff, outside[k], low, high, closer_low, closer_high);
        const double closer = cells_of(closer_low, closer_high, cutoff);
        if (closer > (double)most)
            continue; /* a cloud, whose middle is no denser */
        close = closer;
        memcpy(close_low, closer_low, sizeof closer_low);
        memcpy(close_high, closer_high, sizeof closer_high);
    }
    /* a thin cloud stays as it is */
    if (4.0 * close > cells)
        return;
    memcpy(low, close_low, sizeof close_low);
    memcpy(high, close_high, sizeof close_high);
}
