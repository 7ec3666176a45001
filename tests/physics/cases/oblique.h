/* SPDX-License-Identifier: MIT */
/* An aluminium oxide sphere hits a plate of soda-lime glass (Kharaz, Gorham and Salman 2001; Li et
 * al. 2022, Sec. 3.1): one impact with any of the laws. */
#ifndef PHYSICS_OBLIQUE_H
#define PHYSICS_OBLIQUE_H

#include <dem/dem.h>

/* A normal and a tangential law; the linear law with damping from e where `tangential` is NULL, and
 * the linear parts with critical damping (Li et al., M2) where it is DEM_LAW_FRICTION. */
typedef struct oblique_law {
    const char *name; /* as it stands in quantities and tables */
    const char *tangential;
    int32_t form, slider;
    double stiffness_factor;
} oblique_law;

/* Li et al. (2022) as printed: M1, Eq. (5); M2, Eq. (1) with critical damping; M3, Eq. (17). */
enum { OBLIQUE_LI = 3 };
extern const oblique_law oblique_li[OBLIQUE_LI];

typedef struct oblique_impact {
    double degrees;     /* of the velocity from the normal */
    double speed;       /* m/s */
    double dt;          /* s */
    double softening;   /* factor on both Young's moduli */
    double restitution; /* normal and tangential */
    double density;     /* kg/m3 */
    int32_t lever_arm;
} oblique_impact;

typedef struct oblique_result {
    double normal, tangential;       /* restitution of the centre's velocity */
    double angular_velocity;         /* rad/s */
    double angle;                    /* of the rebound of the centre from the normal, deg */
    double duration, overlap, force; /* of the contact; greatest overlap and normal force */
    double force_tangential;         /* greatest */
    double balance; /* error of the sum of energies and dissipation over the initial energy */
} oblique_result;

/* Radius, friction and density of the experiment. */
#define OBLIQUE_RADIUS 2.5e-3
#define OBLIQUE_FRICTION 0.092

/* What Kharaz, Gorham and Salman (2001) measured at 3.9 m/s, digitized: angle of impact in degrees,
 * and tangential restitution or angular velocity in rad/s. */
enum { OBLIQUE_MEASURED = 8, OBLIQUE_MEASURED_SPIN = 7 };
extern const double oblique_measured_e_t[OBLIQUE_MEASURED][2];
extern const double oblique_measured_spin[OBLIQUE_MEASURED_SPIN][2];

/* 4 m/s, 1e-8 s, e = 0.98, not softened, 4000 kg/m3, forces at the radius. */
oblique_impact oblique_standard(double degrees);
oblique_result oblique_run(const oblique_law *law, const oblique_impact *impact);

/* Li et al., Eq. (22), whose kappa must divide by G: the ratio of the stiffnesses 8 G* a and
 * 2 E* a. */
double oblique_kappa(void);

/* Eqs (22) and (23) of one impact. The tangential velocity of the contact point after it is
 * v_t - R omega. */
typedef struct oblique_indicators {
    double psi_in, psi_out;
    double energy_in, energy_out, energy_spin; /* J, of the centre's velocity */
    double energy_out_printed;                 /* J, of the contact point's velocity */
} oblique_indicators;
oblique_indicators oblique_indicate(const oblique_impact *impact, const oblique_result *result);

/* Parameters of the pair of materials, without damping: for other tests of the same contact. */
dem_hertz oblique_hertz(void);

#endif
