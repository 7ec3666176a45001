/* SPDX-License-Identifier: MIT */
/* A batch of up to 64 contacts of one model on its way from geometry to forces. Worlds and contact
 * histories fill in where the bodies are; everything after that is the same code. */
#ifndef DEMI_LANES_H
#define DEMI_LANES_H

#include "contact/models.h"

#define DEMI_LANES DEM_BATCH_SIZE

/* What lies opposite to i or j. */
enum { DEMI_SHAPE_SPHERE = 0, DEMI_SHAPE_PLANE = 1, DEMI_SHAPE_GIVEN = 2 };

typedef struct demi_lanes {
    /* filled in by the caller, for lanes 0..n-1 */
    double offset[3][DEMI_LANES]; /* x_i - x_j at t + dt; for planes the unit normal, j to i */
    double gap_plane[DEMI_LANES]; /* planes only: distance of the centre from the plane */
    /* given geometry only: the normal is `offset`, velocities are those of the contact point */
    double normal_old[3][DEMI_LANES], overlap_given[DEMI_LANES], radius_given[DEMI_LANES];
    double velocity[3][DEMI_LANES]; /* v_i - v_j, half step */
    double spin_i[3][DEMI_LANES], spin_j[3][DEMI_LANES];
    double damping_velocity[3][DEMI_LANES]; /* v_i - v_j that dashpots see */
    double damping_spin_i[3][DEMI_LANES], damping_spin_j[3][DEMI_LANES];
    double radius_i[DEMI_LANES], radius_j[DEMI_LANES]; /* 0 for a plane */
    double inverse_mass[DEMI_LANES];                   /* 1/m_i + 1/m_j */
    double alive_before[DEMI_LANES];
    double state[DEM_STATE_MAX][DEMI_LANES];

    /* made by demi_lanes_run */
    double overlap[DEMI_LANES], overlap_rate[DEMI_LANES];
    double normal[3][DEMI_LANES], increment[3][DEMI_LANES];
    double velocity_normal[DEMI_LANES], velocity_tangential[3][DEMI_LANES];
    double arm_i[DEMI_LANES], arm_j[DEMI_LANES], radius[DEMI_LANES], mass[DEMI_LANES];
    double alive[DEMI_LANES];
    double force_normal[DEMI_LANES], force_tangential[3][DEMI_LANES];
    double torque_i[3][DEMI_LANES], torque_j[3][DEMI_LANES]; /* in the end the whole torque */
    double force[3][DEMI_LANES];                             /* on i */
    double elastic_energy[DEMI_LANES];
    double dissipated_normal[DEMI_LANES], dissipated_dashpot[DEMI_LANES],
        dissipated_slip[DEMI_LANES], dissipated_rolling[DEMI_LANES];
    /* from the normal part to those after it */
    double force_elastic[DEMI_LANES], force_friction[DEMI_LANES], contact_radius[DEMI_LANES],
        stiffness[DEMI_LANES], damping[DEMI_LANES];
} demi_lanes;

typedef struct demi_totals {
    uint64_t contacts;
    double elastic, dissipated_normal, dissipated_dashpot, dissipated_slip, dissipated_rolling;
} demi_totals;

/* Computes lanes 0..n-1 and adds to the totals. dt = 0 evaluates forces and advances nothing.
 * Returns DEM_OK; DEM_ERROR_CALLBACK when a law failed; DEM_ERROR_OVERLAP with the first lane
 * whose overlap exceeds overlap_limit times the smaller radius; DEM_ERROR_DIVERGED with the first
 * lane for which a law gave something that is not finite. */
dem_status demi_lanes_run(demi_lanes *lanes, uint64_t n, const demi_model *model, int shape,
                          int32_t frame, double dt, double overlap_limit, uint64_t *lane,
                          demi_totals *totals);

#endif
