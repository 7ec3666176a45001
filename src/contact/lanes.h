/* SPDX-License-Identifier: MIT */
/* A batch of up to 64 contacts of one model on its way from geometry to forces. Worlds and contact
 * histories fill in where the bodies are; everything after that is the same code. */
#ifndef DEMI_LANES_H
#define DEMI_LANES_H

#include "base/isa.h"
#include "contact/models.h"

#define DEMI_LANES DEM_BATCH_SIZE

/* What lies opposite to i or j. */
enum { DEMI_SHAPE_SPHERE = 0, DEMI_SHAPE_PLANE = 1, DEMI_SHAPE_GIVEN = 2 };

/* Forces, torques and energies beyond this are an error, so that sums of them stay finite. */
#define DEMI_FORCE_MOST 1e150

typedef double demi_plane[DEMI_LANES];

typedef struct demi_lanes {
    /* filled in by the caller for lanes 0..n-1 */
    /* x_i - x_j at t + dt; for planes the unit normal, j to i */
    _Alignas(64) demi_plane offset[3];
    demi_plane velocity[3]; /* v_i - v_j, half step */
    demi_plane spin_i[3], spin_j[3];
    /* what dashpots see; only for DEM_FRAME_SYNCHRONIZED */
    demi_plane damping_velocity[3], damping_spin_i[3], damping_spin_j[3];
    demi_plane radius_i, radius_j; /* 0 for a plane */
    demi_plane inverse_mass;       /* 1/m_i + 1/m_j */
    demi_plane alive_before;
    demi_plane gap_plane; /* planes only: distance of the centre from the plane */
    /* given geometry only: the normal is `offset`, velocities are those of the contact point */
    demi_plane normal_given[3], overlap_given, radius_given;

    /* A batch of 32 fills half of each plane. Half the planes begin half a plane later, so that all
     * sets of the first cache are used, and none by more planes than it has ways. */
    double between[DEMI_LANES / 2];

    /* made by demi_lanes_run */
    demi_plane normal[3];
    demi_plane tilt[3];       /* turns tangent vectors into their new plane; not standard frame */
    demi_plane normal_old[3]; /* only where a state is not tangent */
    demi_plane overlap, overlap_rate, increment[3], velocity_normal, velocity_tangential[3];
    demi_plane twist_cosine, twist_sine;
    demi_plane arm_i, arm_j, radius, mass, alive, excess;
    demi_plane force[3]; /* on i */
    /* what laws add to: set to 0 before them, see lanes_clear */
    demi_plane force_normal, force_tangential[3];
    demi_plane torque_i[3], torque_j[3]; /* in the end the whole torque */
    demi_plane elastic_energy, dissipated_normal, dissipated_dashpot, dissipated_slip,
        dissipated_rolling;
    /* from the normal part to those after it */
    demi_plane force_elastic, force_friction, contact_radius, stiffness, damping;

    demi_plane *state; /* [state_size], filled in by the caller */
} demi_lanes;

typedef struct demi_totals {
    uint64_t contacts;
    double elastic, dissipated_normal, dissipated_dashpot, dissipated_slip, dissipated_rolling;
} demi_totals;

/* How a batch is computed. */
typedef struct demi_lanes_call {
    const demi_model *model;
    int32_t shape, frame;
    int32_t padded; /* the lanes up to DEMI_PADDED(n) are filled in as well */
    double dt;      /* 0 evaluates forces and advances nothing */
    double overlap_limit;
    int32_t accounting;
    int32_t apart; /* the caller computes forces and torques itself, see resultant.h */
    uint64_t lane; /* out: the lane at fault */
} demi_lanes_call;

/* Computes lanes 0..n-1 and adds to the totals. Returns DEM_OK; DEM_ERROR_CALLBACK when a law
 * failed; DEM_ERROR_OVERLAP with the first lane whose overlap exceeds overlap_limit times the
 * smaller radius; DEM_ERROR_DIVERGED with the first lane for which a law gave something that is
 * not finite or beyond DEMI_FORCE_MOST. */
typedef dem_status demi_lanes_function(demi_lanes *lanes, uint64_t n, demi_lanes_call *call,
                                       demi_totals *totals);
DEMI_ISA_TABLE(demi_lanes_function, demi_lanes_run);

#endif
