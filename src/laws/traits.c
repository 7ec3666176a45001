/* SPDX-License-Identifier: MIT */
/* dem_law.traits_needed of laws without tangential dashpots. */
#include "laws/laws.h"

uint32_t demi_traits_none(void *user, const void *combined)
{
    (void)user, (void)combined;
    return 0;
}

uint32_t demi_traits_radius(void *user, const void *combined)
{
    (void)user, (void)combined;
    return DEM_TRAIT_NEEDS_RADIUS;
}
