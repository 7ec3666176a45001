/* SPDX-License-Identifier: MIT */
/* Ranges, grid and sums on walls of a world with exact sums. */
#include "world/exact.h"

#include <math.h>
#include <string.h>

/* 1.5 * 2^52 units of a grid of 2^-50 of a power of two that neither a coordinate of the box nor
 * its length exceeds. Twice as far out, numbers of the grid are doubles still. */
static double axis_grid(double low, double high)
{
    double most = high - low;
    int exponent;
    most = fabs(low) > most ? fabs(low) : most;
    most = fabs(high) > most ? fabs(high) : most;
    const double half = frexp(most, &exponent);
    return ldexp(1.5, (half == 0.5 ? exponent - 1 : exponent) + 2);
}

void demi_exact_init(demi_exact_world *exact, dem_world_config *config)
{
    demi_sums_init(&exact->sums, config->sums, config->force_range, config->torque_range);
    if (!exact->sums.exact)
        return;
    exact->moment = demi_exact_range_of(exact->sums.torque.most * DEMI_EXACT_ARMS);
    for (int place = 0; place < 8; ++place) {
        const demi_exact_range *range = place < 4 ? &exact->sums.force : &exact->sums.torque;
        exact->places.most[place] = range->most;
        exact->places.unit_high[place] = range->unit_high;
        exact->places.unit_low[place] = range->unit_low;
        exact->places.round_high[place] = range->round_high;
        exact->places.round_low[place] = range->round_low;
    }
    for (int c = 0; c < 3; ++c) {
        if (config->boundary[c] != DEM_BOUNDARY_PERIODIC)
            continue;
        double *const low = &config->box_low[c], *const high = &config->box_high[c];
        /* rounded ends may be farther apart, and want a coarser grid, which rounds them again: a
         * world has the grid of the box that it tells */
        for (int times = 0; times < 4 && exact->grid[c] != axis_grid(*low, *high); ++times) {
            const double grid = exact->grid[c] = axis_grid(*low, *high);
            *low = (*low + grid) - grid;
            *high = (*high + grid) - grid;
        }
        exact->slack += exact->grid[c] * 0x1p-52;
    }
}

void demi_exact_free(demi_context *context, demi_exact_world *exact)
{
    demi_array_free(context, &exact->own);
    demi_array_free(context, &exact->wall);
}

dem_status demi_exact_reserve(demi_context *context, demi_exact_world *exact, uint64_t chunk_copies,
                              uint64_t walls)
{
    static const char what[] = "exact sums";
    dem_status status = demi_array_reserve(context, &exact->own, chunk_copies, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &exact->wall, walls, 0, what);
    return status;
}

/* Rounds to the grid. Far outside the box adding 2^51 units and more rounds to half a unit, or to
 * two. */
static double placed(double grid, double x)
{
    if (fabs(x) <= grid / 3.0)
        return (x + grid) - grid;
    const double unit = grid / 1.5 * 0x1p-52;
    return rint(x / unit) * unit;
}

void demi_exact_place(const demi_exact_world *exact, demi_row *position, uint64_t rows)
{
    for (int c = 0; c < 3; ++c)
        for (uint64_t row = 0; exact->grid[c] != 0.0 && row < rows; ++row)
            position[row][c] = placed(exact->grid[c], position[row][c]);
}

void demi_exact_place_one(const demi_exact_world *exact, double position[3])
{
    for (int c = 0; c < 3; ++c)
        if (exact->grid[c] != 0.0)
            position[c] = placed(exact->grid[c], position[c]);
}

static void half_add(uint64_t half[2], uint64_t term)
{
    half[0] += term;
    half[1] += (uint64_t)(half[0] < term) - (term >> 63); /* carry, and the sign */
}

void demi_exact_wall_add(demi_exact_wall *wall, const demi_exact_row *row)
{
    for (int c = 0; c < DEM_SUMS_SIZE / 2; ++c) {
        const int place = c < 3 ? c : c + 1;
        half_add(wall->half[2 * c], row->high[place]);
        half_add(wall->half[2 * c + 1], row->low[place]);
    }
}

/* A number of 128 bits, rounded twice at most. */
static double half_value(const uint64_t half[2])
{
    const int negative = half[1] >> 63 != 0;
    const uint64_t low = negative ? 0 - half[0] : half[0];
    const uint64_t high = negative ? ~half[1] + (uint64_t)(half[0] == 0) : half[1];
    const double value = (double)high * 0x1p64 + (double)low;
    return negative ? -value : value;
}

void demi_exact_wall_value(const demi_exact_world *exact, const demi_exact_wall *wall,
                           double force[3], double torque[3])
{
    for (int c = 0; c < 3; ++c) {
        const demi_exact_range *f = &exact->sums.force, *m = &exact->moment;
        const uint64_t(*half)[2] = wall->half + 2 * c, (*about)[2] = half + 6;
        force[c] = half_value(half[0]) * f->unit_high + half_value(half[1]) * f->unit_low;
        torque[c] = half_value(about[0]) * m->unit_high + half_value(about[1]) * m->unit_low;
    }
}
