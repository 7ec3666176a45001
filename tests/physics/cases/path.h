/* SPDX-License-Identifier: MIT */
/* Contacts led along given paths of overlap and tangential displacement, without bodies: 64 of them
 * in one batch of the library's own code. */
#ifndef PHYSICS_PATH_H
#define PHYSICS_PATH_H

#include <dem/dem.h>

enum { PATH_LANES = DEM_BATCH_SIZE };

typedef struct path {
    dem_law normal_law, tangential_law;
    double normal_combined[32], tangential_combined[32];
    /* set by the caller before each step */
    double overlap[PATH_LANES];
    double normal[3][PATH_LANES];
    double increment[3][PATH_LANES];   /* of this step; the caller keeps it in the tangent plane */
    double damping_normal[PATH_LANES]; /* v_n that the dashpot sees; zero unless set */
    double velocity[3][PATH_LANES];    /* tangential, likewise */
    /* results */
    double force_normal[PATH_LANES], force_elastic[PATH_LANES];
    double force[3][PATH_LANES];                  /* tangential, on i */
    double elastic[PATH_LANES];                   /* J, stored */
    double slip[PATH_LANES], dashpot[PATH_LANES]; /* J, taken in this step */
    double work[PATH_LANES]; /* sum of -(F_old + F_new)/2 . increment: done on the contact */
    /* of the law; 0 before the first step */
    double state[DEM_STATE_MAX][PATH_LANES];
    double touching[PATH_LANES], overlap_last[PATH_LANES];
    double radius;
} path;

/* The pair of oblique_hertz at R* = OBLIQUE_RADIUS, pressed to PATH_OVERLAP, m. */
#define PATH_OVERLAP 10e-6
typedef struct path_figures {
    double young, shear, kappa, stiffness; /* E*, G*, 4 G* / E*, 4/3 E* sqrt(R*) */
    double load, slope, slip;              /* N, K0 and delta_s at PATH_OVERLAP */
} path_figures;
path_figures path_pair(void);

/* The parameters of oblique_hertz, R* = OBLIQUE_RADIUS, this friction and no dashpot unless the
 * parameters say so; all lanes at overlap 0 with normal +z. */
void path_open(path *p, const dem_hertz *hertz, const char *tangential, const dem_mindlin *mindlin);
void path_step(path *p);

#endif
