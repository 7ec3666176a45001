/* SPDX-License-Identifier: MIT */
/* The printed equations of Li et al. (2022) as an ordinary differential equation of one impact,
 * written from the paper and integrated here; shares no code with the library. */
#ifndef PHYSICS_LI_ORACLE_H
#define PHYSICS_LI_ORACLE_H

enum { LI_M1 = 1, LI_M2 = 2, LI_M3 = 3 };

typedef struct li_impact {
    int model;      /* LI_M1, Eq. (5); LI_M2, Eq. (1) with critical damping; LI_M3, Eq. (17) */
    double degrees; /* of the velocity from the normal; 4 m/s */
    double mass;    /* kg */
    double overlap_share; /* of the overlap that the force law gets: 1; .5 for V/A */
    int against_velocity; /* not 0: sliding opposes the velocity, as friction does, where the paper
                             prints the displacement */
    int printed_shear;    /* not 0: Eq. (4) as printed, with G_i in both terms of the denominator */
} li_impact;

typedef struct li_result {
    double normal, tangential;             /* restitution of the centre's velocity */
    double angular_velocity;               /* rad/s */
    double duration;                       /* s */
    double force_normal, force_tangential; /* greatest, N */
} li_result;

/* The sphere of Table 1 and density 4000 kg/m3, overlap as it is. */
li_impact li_impact_of(int model, double degrees);
li_result li_oracle(const li_impact *impact);

/* Table 1: 2.29e-4 kg, which is 3500 kg/m3; the text says 4000. */
#define LI_MASS_OF_TABLE 2.29e-4
double li_mass_of_text(void);

#endif
