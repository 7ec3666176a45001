/* SPDX-License-Identifier: MIT */
/* Batches of the built-in laws: the loops over lanes that laws.def asks for. Whether energies are
 * tracked is a constant of each loop. */
#include "laws/lanes.h"
#include "laws/laws.h"

#define BATCH(NAME, COMBINED, ...)                                                                 \
    DEMI_ENTRY(demi_evaluate, NAME);                                                               \
    dem_status NAME(void *user, uint64_t n, dem_contact_batch *batch, const void *combined)        \
    {                                                                                              \
        (void)user;                                                                                \
        const dem_contact_batch copy = *batch, *b = &copy;                                         \
        const COMBINED combined_copy = *(const COMBINED *)combined, *c = &combined_copy;           \
        __VA_ARGS__                                                                                \
        return DEM_OK;                                                                             \
    }

#define LANES(name, energy_tracking) DEMI_EACH_LANE(n, name##_lane(b, k, c, energy_tracking))
#define OWN(name, energy_tracking) name##_lanes(n, b, c, energy_tracking)

#define DEMI_LAW(name, parameters, combined, loops)                                                \
    BATCH(demi_##name##_batch, combined, if (b->energy_tracking) loops(name, 1);                   \
          else loops(name, 0);)
#define DEMI_LEAN(name, combined)                                                                  \
    BATCH(demi_##name##_lean_batch, combined, name##_lean_lanes(n, b, c);)
#include "laws/laws.def"

#undef BATCH
#undef LANES
#undef OWN
