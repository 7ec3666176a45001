/* SPDX-License-Identifier: MIT */
#include "world/images.h"

#include <math.h>

/* Up to so many periods beyond the box sums with them are exact on the grid. */
enum { PERIODS_EXACT = 4 };

/* The periods from the box to x, which becomes the coordinate within: exact near the box. */
static double periods_taken(const dem_world *w, int c, double *x)
{
    const double low = w->config.box_low[c], period = w->config.box_high[c] - low;
    double periods = floor((*x - low) / period);
    *x -= periods * period;
    if (*x < low) {
        *x += period;
        periods -= 1.0;
    } else if (*x >= low + period) {
        *x -= period;
        periods += 1.0;
    }
    return periods;
}

double demi_unwrapped(const dem_world *w, int c, double x, int32_t image)
{
    const double period = w->config.box_high[c] - w->config.box_low[c];
    double periods = image;
    if (w->exact.grid[c] != 0.0)
        periods += periods_taken(w, c, &x);
    return periods == 0.0 ? x : x + periods * period;
}

double demi_with_image(dem_world *w, int c, double x, int32_t own, int32_t *image)
{
    const double period = w->config.box_high[c] - w->config.box_low[c],
                 beyond = (double)own - *image;
    if (w->exact.grid[c] == 0.0 || fabs(beyond) <= PERIODS_EXACT)
        return beyond == 0.0 ? x : x + beyond * period;
    demi_rows_keep(w);
    *image = own;
    return x;
}

double demi_wrapped(dem_world *w, int c, double unwrapped, int32_t *image)
{
    const double period = w->config.box_high[c] - w->config.box_low[c], grid = w->exact.grid[c];
    if (grid == 0.0)
        return *image != 0 ? unwrapped - *image * period : unwrapped;
    double x = unwrapped;
    const int32_t own = (int32_t)periods_taken(w, c, &x);
    return demi_with_image(w, c, (x + grid) - grid, own, image);
}
