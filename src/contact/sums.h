/* SPDX-License-Identifier: MIT */
/* Exact sums of a history's forces and torques, DEM_SUMS_EXACT. */
#ifndef DEMI_SUMS_H
#define DEMI_SUMS_H

#include "base/context.h"
#include "base/exact_sum.h"

#include <dem/contact.h>

/* Sums of one row, as the host's dem_contacts_input.sums holds them. */
typedef struct demi_sums_row {
    demi_exact_sum force[3], torque[3];
} demi_sums_row;

typedef struct demi_sums {
    int exact; /* 0: sums run in the order of the pairs */
    demi_exact_range force, torque;
    DEMI_ARRAY(demi_sums_row) row;
} demi_sums;

/* Reads the options of a config that is checked. */
void demi_sums_init(demi_sums *sums, const dem_contact_history_config *config);
dem_status demi_sums_check(const dem_contact_history_config *config, dem_error *error);
/* Adds to a row; sign: -1 where the force acts on j. */
void demi_sums_add(const demi_sums *sums, demi_sums_row *row, double sign, const double force[3],
                   const double torque[3]);
/* Adds a row to the host's integers. */
void demi_sums_to_host(const demi_sums_row *row, int64_t *sums);
/* Adds the value of the sums to force and torque; NULL: there is none. */
void demi_sums_values(const demi_sums *sums, const demi_sums_row *row, double *force,
                      double *torque);

#endif
