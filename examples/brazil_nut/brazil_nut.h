/* SPDX-License-Identifier: MIT */
/* The Brazil nut of Li et al. (Aerospace 9, 737, 2022), Sec. 3.2: ellipsoids of triangles and a
 * larger one in a box that rocks. Uses the public header of libdem, and what scenes share. */
#ifndef BRAZIL_NUT_H
#define BRAZIL_NUT_H

#include "../scenes/scene.h"

enum { NUT_WALLS = 6, NUT_MOST = 150 };

typedef struct nut_case {
    int quick;
    int vertical;    /* the box shakes along z; else it rocks about y */
    int still;       /* no picture but the last */
    int coarse;      /* the number of vertices was given */
    const char *law; /* M1 or M4 */
    uint64_t seed;   /* of the starting positions */
    double dt, seconds;
    int threads;
    int ellipsoids;
    int vertices[2];          /* of an ellipsoid and of the nut */
    dem_polyhedron *shape[2]; /* likewise */
} nut_case;

/* ------------------------------------------------------------------ hull.c */

/* A closed surface of `count` vertices on a stretched sphere, nearly evenly spread, and 2 count - 4
 * facets. NULL after a message. */
dem_polyhedron *nut_shape(scene *s, int count, const double half[3]);

/* ------------------------------------------------------------------ box.c */

/* An empty world with the box, or one with the bodies in it, the nut at the bottom. 0 or -1. */
int nut_world(scene *s, const nut_case *c);
int nut_fill(scene *s, const nut_case *c);
/* Their shapes, of the world's and of pictures. 0 or -1. */
int nut_shapes(scene *s, nut_case *c);

/* Steps until a time, with the motion of the box. 0 or -1. */
int nut_run(scene *s, const nut_case *c, double until);

/* What is told of one moment. */
typedef struct nut_state {
    double time, angle;         /* s, degrees */
    double nut, others;         /* heights of the nut and of the mean ellipsoid, m */
    double speed;               /* of the nut, m/s */
    double kinetic, potential;  /* J */
    double dissipated, balance; /* J; sum of all, which a perfect scheme keeps */
    unsigned long long contacts;
} nut_state;
int nut_look(scene *s, const nut_case *c, nut_state *state);

/* ------------------------------------------------------------------ frame.c */

/* Writes a picture of all bodies and the box, and with `solid` a file for ParaView. 0 or -1. */
int nut_frame(scene *s, const nut_case *c, const char *name, int solid);

/* Sides of the box: half lengths along x and y, and the height, m. */
extern const double nut_box[3];

#endif
