/* SPDX-License-Identifier: MIT */
/* A screw as a drawing program would export it: a binary STL file, in mm. */
#ifndef SCREW_H
#define SCREW_H

#include <stdint.h>

typedef struct screw {
    double shaft, radius; /* of the shaft and of the flight's edge, mm */
    double pitch, turns;  /* of the flight: mm a turn, and how many from z = 0 */
    double thickness;     /* of the flight along the axis, mm */
    double height;        /* of the shaft, from z = 0, mm */
} screw;

/* The bytes of the file, to be freed, and how many there are; NULL without memory. The flight is
 * right-handed: it lifts what lies on it when it turns about -z. */
unsigned char *screw_stl(const screw *s, uint64_t *size);

#endif
