/* SPDX-License-Identifier: MIT */
/* Laws of polyhedra in a world: the overlap and the radius at which Hertz's law has their force, so
 * that all parts of a model follow. */
#include "mesh/polyhedron.h"

#include <math.h>

static const double HERTZ_PI = 3.14159265358979323846;

/* The overlap with the force E* 4/3 a d, and what the energy is of that of Hertz's law. */
demi_polyhedron_hertz demi_polyhedron_hertz_of(int32_t law, double at, double volume, double area,
                                               double radius)
{
    const double contact = sqrt(area / (2.0 * HERTZ_PI)), mean = volume / area;
    double depth, surplus;
    switch (law) {
    case DEM_POLYHEDRON_LAW_VOLUME_SQUARE: {
        const double r = HERTZ_PI * radius;
        depth = volume / (r * r * radius) * (area / contact) / (2.0 * at * sqrt(at));
        surplus = 1.25 * (mean / depth);
        break;
    }
    case DEM_POLYHEDRON_LAW_LAYER:
        depth = volume / (HERTZ_PI * radius * sqrt(at) * contact);
        surplus = 5.0 / 3.0 * (mean / depth);
        break;
    case DEM_POLYHEDRON_LAW_MEAN_DEPTH:
        depth = sqrt(radius * mean) * (mean / contact);
        surplus = 2.0 * (mean / depth);
        break;
    case DEM_POLYHEDRON_LAW_DEPTH:
        depth = 2.0 * mean;
        surplus = 1.0;
        break;
    default: {
        const double r = radius * HERTZ_PI;
        const double root = sqrt(sqrt(volume / (r * r * r * HERTZ_PI * HERTZ_PI)));
        depth = root * area / (2.0 * contact);
        surplus = 4.0 * mean * (contact / (root * area));
    }
    }
    const demi_polyhedron_hertz hertz = {depth, contact * (contact / depth), surplus};
    return hertz;
}

double demi_polyhedron_power(int32_t law)
{
    return law == DEM_POLYHEDRON_LAW_VOLUME       ? 0.25
           : law == DEM_POLYHEDRON_LAW_MEAN_DEPTH ? 1.5
                                                  : 1.0;
}

double demi_polyhedron_slope(int32_t law, double at, double overlap, double area, double radius)
{
    const demi_polyhedron_hertz hertz =
        demi_polyhedron_hertz_of(law, at, overlap * area, area, radius);
    return demi_polyhedron_power(law) * 4.0 / 3.0 * sqrt(area / (2.0 * HERTZ_PI)) *
           (hertz.overlap / overlap);
}
