/* SPDX-License-Identifier: MIT */
#include "laws/elastic.h"

#include "base/check.h"
#include "base/context.h"

#include <dem/law_hertz.h>

dem_status demi_elastic_check(const double young[2], const double poisson[2], dem_error *error)
{
    DEMI_REFUSE(!demi_positive(young[0]), DEM_ERROR_RANGE, "young[0]: %g must be finite and > 0 Pa",
                young[0]);
    DEMI_REFUSE(!demi_not_negative(young[1]), DEM_ERROR_RANGE,
                "young[1]: %g must be finite and > 0 Pa, or 0 for the material of young[0]",
                young[1]);
    for (int k = 0; k < 2; ++k)
        DEMI_REFUSE(!isfinite(poisson[k]) || poisson[k] <= -1.0 || poisson[k] > 0.5,
                    DEM_ERROR_RANGE, "poisson[%d]: %g is not in (-1, 0.5]", k, poisson[k]);
    DEMI_REFUSE(young[1] == 0.0 && poisson[1] != 0.0, DEM_ERROR_RANGE,
                "poisson[1]: %g must be 0 where young[1] is 0 (one material)", poisson[1]);
    double effective_young, effective_shear;
    demi_elastic_combine(young, poisson, &effective_young, &effective_shear);
    DEMI_REFUSE(!demi_positive(effective_young) || !demi_positive(effective_shear), DEM_ERROR_RANGE,
                "young[0]: %g Pa and young[1]: %g Pa give E* %g and G* %g Pa, which must be finite "
                "and > 0: use other units",
                young[0], young[1], effective_young, effective_shear);
    return DEM_OK;
}

void demi_elastic_combine(const double young[2], const double poisson[2], double *effective_young,
                          double *effective_shear)
{
    const int second = young[1] > 0.0;
    *effective_young =
        dem_kernel_effective_young(young[0], poisson[0], young[second], poisson[second]);
    *effective_shear =
        dem_kernel_effective_shear(young[0], poisson[0], young[second], poisson[second]);
}
