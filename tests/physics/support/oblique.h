/* SPDX-License-Identifier: MIT */
/* An aluminium oxide sphere hits a plate of soda-lime glass (Kharaz, Gorham and Salman 2001; Li et
 * al. 2022, Sec. 3.1): one impact with any of the laws. */
#ifndef PHYSICS_OBLIQUE_H
#define PHYSICS_OBLIQUE_H

#include <dem/dem.h>

/* A normal and a tangential law; the normal one is the linear law where `tangential` is NULL. */
typedef struct oblique_law {
    const char *name; /* as it stands in quantities and tables */
    const char *tangential;
    int32_t form, slider;
    double stiffness_factor;
} oblique_law;

typedef struct oblique_impact {
    double degrees;     /* of the velocity from the normal */
    double speed;       /* m/s */
    double dt;          /* s */
    double softening;   /* factor on both Young's moduli */
    double restitution; /* normal and tangential */
    int32_t lever_arm;
} oblique_impact;

typedef struct oblique_result {
    double normal, tangential;       /* restitution of the centre's velocity */
    double spin;                     /* rad/s */
    double angle;                    /* of the rebound of the centre from the normal, deg */
    double duration, overlap, force; /* of the contact; greatest overlap and normal force */
    double balance; /* error of the sum of energies and dissipation over the initial energy */
} oblique_result;

/* Radius, friction and density of the experiment. */
#define OBLIQUE_RADIUS 2.5e-3
#define OBLIQUE_FRICTION 0.092

/* What was measured at 3.9 m/s: angle of impact in degrees, tangential restitution. */
enum { OBLIQUE_MEASURED = 8 };
extern const double oblique_measured_e_t[OBLIQUE_MEASURED][2];

/* 4 m/s, 1e-8 s, e = 0.98, not softened, forces at the radius. */
oblique_impact oblique_standard(double degrees);
oblique_result oblique_run(const oblique_law *law, const oblique_impact *impact);

/* Parameters of the pair of materials, without damping: for other tests of the same contact. */
dem_hertz oblique_hertz(void);

#endif
