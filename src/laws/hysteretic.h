/* SPDX-License-Identifier: MIT */
/* What the hysteretic laws compute with. */
#ifndef DEMI_HYSTERETIC_H
#define DEMI_HYSTERETIC_H

/* Luding's law, and Walton and Braun's. */
typedef struct demi_hysteretic {
    double loading, unloading; /* k_1, and k_2 of a fresh contact */
    double cohesion, damping;
    double growth;   /* of k_2 with the greatest overlap, N/m2; Luding: of k_2 R* */
    double depth;    /* greatest overlap that is kept, over R*; 0: all are kept */
    double recovers; /* 1: Luding's */
} demi_hysteretic;

typedef struct demi_thornton {
    double effective_young, effective_shear, yield_pressure;
    double alpha; /* eta = alpha sqrt(4/3 m* E* a) */
} demi_thornton;

#endif
