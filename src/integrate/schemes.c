/* SPDX-License-Identifier: MIT */
#include "integrate/schemes.h"

#include <stddef.h>

#define DEMI_LIST(...) __VA_ARGS__
#define DEMI_SCHEME_KICKS(name, value, scheme, first, second, late, extrapolated, dashpots, ...)   \
    [value] = {.kinematics = DEM_KINEMATICS_##scheme,                                              \
               .kick_first = first,                                                                \
               .kick_second = second,                                                              \
               .lag = late,                                                                        \
               .ahead = extrapolated,                                                              \
               .dashpot_weight = dashpots},
#define DEMI_SCHEME_STAGES(name, value, count, fractions, weights, ...)                            \
    [value] = {.stages = count, .fraction = {DEMI_LIST fractions}, .weight = {DEMI_LIST weights}},

static const demi_scheme schemes[] = {
#include "integrate/schemes.def"
};

#undef DEMI_LIST
#undef DEMI_SCHEME_KICKS
#undef DEMI_SCHEME_STAGES

const demi_scheme *demi_scheme_of(int32_t value)
{
    const int32_t count = (int32_t)(sizeof schemes / sizeof schemes[0]);
    return value < 0 || value >= count ? NULL : &schemes[value];
}
