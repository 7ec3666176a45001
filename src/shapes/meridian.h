/* SPDX-License-Identifier: MIT */
/* Shapes that turn about an axis: in the half plane of distance from the axis and height their
 * outline, the meridian, is a line from the low to the high end, and a straight cap at either end
 * that is closed. The outline is convex.
 *
 * Feature 0 touches what is beside the line, and all that is outside; features 1 and 2 are the caps
 * seen from inside. So a sphere that rolls over a rim keeps its contact, and one in the corner
 * between line and cap has two. */
#ifndef DEMI_MERIDIAN_H
#define DEMI_MERIDIAN_H

#include "shapes/shape.h"

enum { DEMI_MERIDIAN_FEATURES = 3 };

/* The line from radius `low` to radius `high`, with the caps that are not open. */
demi_meridian demi_meridian_line(const demi_solid *solid, double low, double height, double high);
/* For `make` of hollows and shells: refuses ends that are open where they cannot be. */
dem_status demi_meridian_ends(demi_context *context, const char *shape, const dem_wall *wall);

/* For the rows of shapes that have a meridian. */
double demi_meridian_least_gap(const demi_solid *solid, uint32_t feature, const double low[3],
                               const double high[3]);
double demi_meridian_extent(const demi_solid *solid);
void demi_meridian_box(const demi_solid *solid, double low[3], double high[3]);
double demi_meridian_room(const demi_solid *solid);
void demi_meridian_concave(const demi_solid *solid, double curvature[2]);
void demi_meridian_surface(uint64_t n, const demi_solid *const *solid, const uint32_t *feature,
                           const double *const *point, demi_surface *out);

#endif
