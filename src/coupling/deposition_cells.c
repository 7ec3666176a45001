/* SPDX-License-Identifier: MIT */
/* What a fluid's cells are checked and corrected for: the largest solid fraction, and the drag of a
 * particle that disturbs the fluid around itself. */
#include "base/check.h"
#include "base/context.h"
#include "base/entry.h"
#include "coupling/rows.h"

#include <dem/deposition.h>

DEMI_GUARDED guarded_fraction_most(uint64_t count, const double *solid, uint64_t solid_stride,
                                   const double *volume, uint64_t volume_stride, uint64_t *cell,
                                   double *fraction, dem_error *error)
{
    DEMI_REFUSE(solid == NULL || volume == NULL || fraction == NULL, DEM_ERROR_ARGUMENT,
                "%s: must not be NULL",
                solid == NULL    ? "solid"
                : volume == NULL ? "volume"
                                 : "fraction");
    DEMI_REFUSE(count == 0, DEM_ERROR_RANGE, "count: must be > 0");
    dem_status status = demi_stride_check("solid", count, solid_stride, 1, DEMI_ONE_EACH, error);
    if (status == DEM_OK)
        status = demi_stride_check("volume", count, volume_stride, 1, DEMI_ONE_FOR_ALL, error);
    if (status != DEM_OK)
        return status;
    double most = 0.0;
    uint64_t at = 0;
    for (uint64_t k = 0; k < count; ++k) {
        const double has = *demi_row_from(solid, solid_stride, k),
                     room = *demi_row_from(volume, volume_stride, k);
        DEMI_REFUSE(!isfinite(has), DEM_ERROR_RANGE, "solid of cell %llu: %g must be finite",
                    (unsigned long long)k, has);
        DEMI_REFUSE(!demi_positive(room), DEM_ERROR_RANGE,
                    "volume of cell %llu: %g m^3 must be finite and > 0", (unsigned long long)k,
                    room);
        if (k == 0 || has / room > most) {
            most = has / room;
            at = k;
        }
    }
    *fraction = most;
    if (cell != NULL)
        *cell = at;
    return DEM_OK;
}

dem_status dem_deposition_fraction_most(uint64_t count, const double *solid, uint64_t solid_stride,
                                        const double *volume, uint64_t volume_stride,
                                        uint64_t *cell, double *fraction, dem_error *error)
{
    DEMI_QUIET(guarded_fraction_most(count, solid, solid_stride, volume, volume_stride, cell,
                                     fraction, error));
}

DEMI_GUARDED guarded_undisturbed(double coefficient, double constant, double viscosity, double cell,
                                 double *corrected, dem_error *error)
{
    DEMI_REFUSE(corrected == NULL, DEM_ERROR_ARGUMENT, "corrected: must not be NULL");
    DEMI_REFUSE(!demi_not_negative(coefficient), DEM_ERROR_RANGE,
                "coefficient: %g kg/s must be finite and >= 0", coefficient);
    DEMI_REFUSE(!demi_not_negative(constant), DEM_ERROR_RANGE,
                "constant: %g must be finite and >= 0", constant);
    DEMI_REFUSE(!demi_positive(viscosity), DEM_ERROR_RANGE,
                "viscosity: %g Pa s must be finite and > 0", viscosity);
    DEMI_REFUSE(!demi_positive(cell), DEM_ERROR_RANGE, "cell: %g m must be finite and > 0", cell);
    const double least = 18.849555921538759431 * viscosity * cell;
    DEMI_REFUSE(!demi_positive(least), DEM_ERROR_RANGE,
                "viscosity: 6 pi mu h is %g N s/m with %g Pa s and the cell of %g m, and must be "
                "finite and > 0 in double precision: take other units",
                least, viscosity, cell);
    const double part = constant * coefficient / least;
    DEMI_REFUSE(
        !(part <= 0.5), DEM_ERROR_RANGE,
        "cell: K beta/(6 pi mu h) is %g with the cell of %g m, and must be at most 0.5 (take "
        "larger cells or a wider kernel)",
        part, cell);
    *corrected = coefficient / (1.0 - part);
    return DEM_OK;
}

dem_status dem_deposition_undisturbed(double coefficient, double constant, double viscosity,
                                      double cell, double *corrected, dem_error *error)
{
    DEMI_QUIET(guarded_undisturbed(coefficient, constant, viscosity, cell, corrected, error));
}
