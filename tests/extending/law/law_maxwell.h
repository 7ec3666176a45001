/* SPDX-License-Identifier: MIT */
/**
 * @file law_maxwell.h
 * A contact that creeps: spring and dashpot in series, the normal part "maxwell".
 *
 * F_n = k (overlap - s), ds/dt = F_n/eta. See docs/law_maxwell.md.
 */
#ifndef DEM_LAW_MAXWELL_H
#define DEM_LAW_MAXWELL_H

#include "law.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A normal part; takes dem_maxwell. Its state is s. */
#define DEM_LAW_MAXWELL "maxwell"

/** Parameters of DEM_LAW_MAXWELL. */
typedef struct dem_maxwell {
    uint64_t struct_size;    /**< sizeof(dem_maxwell), set by dem_maxwell_init */
    uint64_t kind;           /**< DEM_PARAMETERS_MAXWELL, set likewise */
    double stiffness_normal; /**< k > 0, N/m; no default */
    double viscosity;        /**< eta > 0, kg/s; no default. A held force falls in the time eta/k */
} dem_maxwell;

/* generated from src/laws/laws.def: functions.law_maxwell */
/* end of generated */

#ifdef __cplusplus
}
#endif
#endif
