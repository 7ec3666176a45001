/* SPDX-License-Identifier: MIT */
/* The part "film": setup. */
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/film_lane.h"
#include "laws/laws.h"

dem_status dem_film_init_sized(dem_film *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_film values = {.struct_size = sizeof values, .kind = DEM_PARAMETERS_FILM};
    return demi_sized_write(parameters, size, &values);
}

static dem_status film_combine(void *user, const void *parameters, dem_pair_properties *pair,
                               void *combined, dem_error *error)
{
    (void)user;
    (void)pair;
    dem_film p;
    DEMI_PARAMETERS_READ(dem_film, &p, parameters);
    DEMI_REFUSE(!demi_not_negative(p.viscosity) || p.viscosity > 1e100, DEM_ERROR_RANGE,
                "viscosity: %g must be in [0, 1e100] Pa s", p.viscosity);
    DEMI_REFUSE(!(p.gap_min >= 1e-100) || !isfinite(p.gap_min), DEM_ERROR_RANGE,
                "gap_min: %g must be finite and at least 1e-100 m: take the roughness", p.gap_min);
    DEMI_REFUSE(!(p.gap_max > p.gap_min) || !(p.gap_max <= 1e100), DEM_ERROR_RANGE,
                "gap_max: %g must be > gap_min, %g m, and at most 1e100 m", p.gap_max, p.gap_min);
    DEMI_REFUSE((p.terms & ~(uint64_t)(DEM_FILM_TANGENTIAL | DEM_FILM_LOGARITHM)) != 0,
                DEM_ERROR_UNKNOWN, "terms: %llu has others than DEM_FILM_TANGENTIAL, _LOGARITHM",
                (unsigned long long)p.terms);
    const demi_film values = {p.viscosity, p.gap_min, p.gap_max,
                              (p.terms & DEM_FILM_TANGENTIAL) != 0 ? 1.0 : 0.0,
                              (p.terms & DEM_FILM_LOGARITHM) != 0 ? 1.0 : 0.0};
    *(demi_film *)combined = values;
    return DEM_OK;
}

static double film_reach(void *user, const void *combined, double radius_i, double radius_j)
{
    (void)user;
    (void)radius_i;
    (void)radius_j;
    return ((const demi_film *)combined)->gap_max;
}

static const char *const film_values[] = {"viscosity", "gap_min", "gap_max", "tangential",
                                          "logarithm"};

const dem_law demi_law_film = {
    DEMI_LAW_SETUP(DEM_LAW_FILM, DEM_LAW_FURTHER, dem_film, DEM_PARAMETERS_FILM, demi_film),
    DEMI_LAW_VALUES(film_values),
    .combine = film_combine,
    .reach = film_reach,
    .traits = DEM_TRAIT_LEAVES_TORQUES,
    .traits_needed = demi_traits_none};
