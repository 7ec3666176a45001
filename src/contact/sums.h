/* SPDX-License-Identifier: MIT */
/* Exact sums of the forces and torques of a history or a world, DEM_SUMS_EXACT. */
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

/* The options of a config, which `object` names in messages. */
dem_status demi_sums_check(const char *object, int32_t sums, double force_range,
                           double torque_range, dem_error *error);
/* Takes options that are checked. */
void demi_sums_init(demi_sums *sums, int32_t how, double force_range, double torque_range);
/* Adds to a row; sign: -1 where the force acts on j. */
void demi_sums_add(const demi_sums *sums, demi_sums_row *row, double sign, const double force[3],
                   const double torque[3]);
/* Adds a row to the host's integers. */
void demi_sums_to_host(const demi_sums_row *row, int64_t *sums);
/* Whether a row has a sum that is not 0. */
int demi_sums_any(const demi_sums_row *row);
/* Adds the value of the sums to force and torque; NULL: there is none. */
void demi_sums_values(const demi_sums *sums, const demi_sums_row *row, double *force,
                      double *torque);

#endif
