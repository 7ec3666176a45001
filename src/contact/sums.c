/* SPDX-License-Identifier: MIT */
/* Exact sums of a history's forces and torques, and the call that ends those a host adds up. */
#include "contact/sums.h"

#include "base/check.h"
#include "base/entry.h"
#include "contact/history.h"
#include "contact/input.h"

_Static_assert(sizeof(demi_sums_row) == DEM_SUMS_SIZE * sizeof(int64_t), "rows of integers");

void demi_sums_init(demi_sums *sums, int32_t how, double force_range, double torque_range)
{
    sums->exact = how == DEM_SUMS_EXACT;
    if (!sums->exact)
        return;
    sums->force = demi_exact_range_of(force_range);
    sums->torque = demi_exact_range_of(torque_range);
}

static int range_allowed(double range)
{
    return demi_positive(range) && range >= DEMI_EXACT_LEAST && range <= DEMI_EXACT_MOST;
}

/* The range of exact sums is there, and that of others is not. */
static dem_status range_check(const char *object, int exact, double range, const char *name,
                              dem_error *error)
{
    if (exact ? range_allowed(range) : demi_exact_bits(range) == 0)
        return DEM_OK;
    demi_error_write(error, DEM_ERROR_RANGE, "%s.%s: %g %s", object, name, range,
                     exact ? "is not in [2^-900, 2^900]: exact sums need a range"
                           : "belongs to DEM_SUMS_EXACT: set it to 0");
    return DEM_ERROR_RANGE;
}

dem_status demi_sums_check(const char *object, int32_t sums, double force_range,
                           double torque_range, dem_error *error)
{
    DEMI_REFUSE(sums != DEM_SUMS_FIXED_ORDER && sums != DEM_SUMS_EXACT, DEM_ERROR_UNKNOWN,
                "%s.sums: %d is no DEM_SUMS_...", object, (int)sums);
    const int exact = sums == DEM_SUMS_EXACT;
    const dem_status status = range_check(object, exact, force_range, "force_range", error);
    return status != DEM_OK ? status
                            : range_check(object, exact, torque_range, "torque_range", error);
}

void demi_sums_add(const demi_sums *sums, demi_sums_row *row, double sign, const double force[3],
                   const double torque[3])
{
    for (int c = 0; c < 3; ++c) {
        const demi_exact_sum term = demi_exact_split(&sums->force, force[c]);
        if (sign < 0.0)
            demi_exact_subtract(&row->force[c], term);
        else
            demi_exact_add(&row->force[c], term);
        demi_exact_add(&row->torque[c], demi_exact_split(&sums->torque, torque[c]));
    }
}

int demi_sums_any(const demi_sums_row *row)
{
    static const demi_sums_row none = {0};
    return memcmp(row, &none, sizeof none) != 0;
}

void demi_sums_values(const demi_sums *sums, const demi_sums_row *row, double *force,
                      double *torque)
{
    for (int c = 0; c < 3; ++c) {
        if (force != NULL)
            force[c] += demi_exact_value(&sums->force, row->force[c]);
        if (torque != NULL)
            torque[c] += demi_exact_value(&sums->torque, row->torque[c]);
    }
}

void demi_sums_to_host(const demi_sums_row *row, int64_t *sums)
{
    uint64_t from[DEM_SUMS_SIZE], to[DEM_SUMS_SIZE];
    memcpy(from, row, sizeof from);
    memcpy(to, sums, sizeof to);
    for (int c = 0; c < DEM_SUMS_SIZE; ++c)
        to[c] += from[c];
    memcpy(sums, to, sizeof to);
}

DEMI_GUARDED sums_add_values(dem_contact_history *history, uint64_t count, const int64_t *sums,
                             double *force, double *torque)
{
    demi_context *context = &history->context;
    if (!history->sums.exact)
        return demi_fail(context, DEM_ERROR_STATE,
                         "dem_contact_history_sums_values: the history was made without "
                         "DEM_SUMS_EXACT, see dem_contact_history_config.sums");
    if (count > 0 && (sums == NULL || force == NULL))
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         sums == NULL ? "sums" : "force");
    for (uint64_t k = 0; k < count; ++k) {
        demi_sums_row row;
        memcpy(&row, sums + k * DEM_SUMS_SIZE, sizeof row);
        if (!demi_sums_any(&row)) /* as an evaluation leaves such a row, with the sign of its 0 */
            continue;
        demi_sums_values(&history->sums, &row, force + 3 * k,
                         torque != NULL ? torque + 3 * k : NULL);
    }
    return DEM_OK;
}

dem_status dem_contact_history_sums_values(dem_contact_history *history, uint64_t count,
                                           const int64_t *sums, double *force, double *torque)
{
    DEMI_READ(history, sums_add_values(history, count, sums, force, torque));
}
