/* SPDX-License-Identifier: MIT */
/* Coordinates along periodic axes: near the box with a number of periods, the image, or unwrapped.
 *
 * A position may be beyond an end of the box until the list is built, with the image that it had
 * within. With exact sums a coordinate that is read or set is the same for each such form: the
 * library goes by the one within the box, where all numbers lie on the grid. */
#ifndef DEMI_IMAGES_H
#define DEMI_IMAGES_H

#include "world/world.h"

double demi_unwrapped(const dem_world *w, int c, double x, int32_t image);

/* The coordinate near the box that an unwrapped one has with this image. With exact sums one that
 * is many periods away has an image of its own. */
double demi_wrapped(dem_world *w, int c, double unwrapped, int32_t *image);
/* The same for a coordinate that is near the box with an image of its own. */
double demi_with_image(dem_world *w, int c, double x, int32_t own, int32_t *image);

#endif
