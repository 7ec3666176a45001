/* SPDX-License-Identifier: MIT */
/* What a scheme does in a step, for integrators and worlds; the rows are in schemes.def. */
#ifndef DEMI_SCHEMES_H
#define DEMI_SCHEMES_H

#include <dem/integrator.h>

enum { DEMI_STAGES_MOST = 4 };

/* Times are in dt; what they mean: schemes.def. */
typedef struct demi_scheme {
    double kick_first, kick_second, lag, ahead;
    double dashpot_weight;
    double fraction[DEMI_STAGES_MOST], weight[DEMI_STAGES_MOST];
    int32_t kinematics;
    uint32_t stages; /* 0: one evaluation, between two kicks */
} demi_scheme;

enum { DEMI_SCHEME_DEFAULT = DEM_INTEGRATOR_VERLET_SYNC };

/* Of a config's field and its value. */
#define DEMI_SCHEME_UNKNOWN "%s: %d is not a DEM_INTEGRATOR_ value"
#define DEMI_SCHEME_OF_STAGES                                                                      \
    "%s: %d is a DEM_INTEGRATOR_ value of a scheme of stages; a world needs one of one force "     \
    "evaluation a step"

/* The scheme of a DEM_INTEGRATOR_ value; NULL where there is none. */
const demi_scheme *demi_scheme_of(int32_t value);

#endif
