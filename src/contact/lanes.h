/* SPDX-License-Identifier: MIT */
/* A batch of up to 64 contacts of one model on its way from geometry to forces. Worlds and contact
 * histories fill in where the bodies are; everything after that is the same code. */
#ifndef DEMI_LANES_H
#define DEMI_LANES_H

#include "base/isa.h"
#include "contact/models.h"

#define DEMI_LANES DEM_BATCH_SIZE

/* What a batch knows of its normals: the centres of two spheres; a surface whose normal is the same
 * all through the step; the normals at the beginning and at the end of the step; these from the
 * host, with the velocities of the contact point. */
enum {
    DEMI_NORMALS_SPHERES = 0,
    DEMI_NORMALS_FLAT = 1,
    DEMI_NORMALS_CURVED = 2,
    DEMI_NORMALS_GIVEN = 3
};

/* Forces, torques and energies beyond this are an error, so that sums of them stay finite. */
#define DEMI_FORCE_MOST 1e150

typedef double demi_lane_array[DEMI_LANES];

typedef struct demi_lanes {
    /* filled in by the caller for lanes 0..n-1 */
    /* x_i - x_j at t + dt; unless both are spheres the unit normal, j to i */
    _Alignas(64) demi_lane_array offset[3];
    demi_lane_array velocity[3]; /* v_i - v_j, half step */
    demi_lane_array angular_velocity_i[3], angular_velocity_j[3];
    /* what dashpots see; only for DEM_KINEMATICS_SYNCHRONIZED */
    demi_lane_array damping_velocity[3], damping_angular_velocity_i[3],
        damping_angular_velocity_j[3];
    demi_lane_array radius_i, radius_j; /* 0 for a wall */
    demi_lane_array inverse_mass;       /* 1/m_i + 1/m_j */
    demi_lane_array was_touching;
    /* unless both are spheres; normals at t0 unless the surface is flat */
    demi_lane_array normal_given[3], overlap_given, radius_given;

    /* A batch of 32 fills half of each lane array. Half of the arrays begin half an array later, so
     * that all sets of the first cache are used, and none by more arrays than it has ways. */
    double between[DEMI_LANES / 2];

    /* made by demi_lanes_run */
    demi_lane_array normal[3];
    demi_lane_array
        tangent_rotation[3];      /* into the new tangent plane; not with the standard scheme */
    demi_lane_array normal_t0[3]; /* only where a vector of state needs it */
    demi_lane_array overlap, overlap_rate, increment[3], velocity_normal, velocity_tangential[3];
    demi_lane_array axial_cosine, axial_sine; /* of the rotation about the normal */
    demi_lane_array arm_i, arm_j, radius, mass, touching;
    demi_lane_array force[3]; /* on i */
    /* what laws add to: set to 0 before them, see lanes_clear */
    demi_lane_array force_normal, force_tangential[3];
    demi_lane_array torque_i[3], torque_j[3]; /* in the end the whole torque */
    demi_lane_array elastic_energy, dissipated_normal, dissipated_dashpot, dissipated_slip,
        dissipated_rolling;
    /* from the normal part to those after it */
    demi_lane_array force_elastic, force_coulomb, contact_radius, stiffness, damping;
    /* only for laws that need DEM_TRAIT_NEEDS_ROTATION */
    demi_lane_array rotation_increment[3], rotation_velocity[3];

    demi_lane_array *state; /* [state_size], filled in by the caller */
    /* with demi_lanes_call.merges, filled in by the caller: 1 where a contact ends because another
     * one takes its place while the surfaces overlap */
    demi_lane_array merged;
    /* with demi_lanes_call.radii, filled in by the caller: R* of rolling and twisting parts, where
     * that of the others is the radius of a Hertzian contact */
    demi_lane_array radius_rolling;
} demi_lanes;

typedef struct demi_totals {
    uint64_t contacts;
    double elastic, dissipated_normal, dissipated_dashpot, dissipated_slip, dissipated_rolling;
} demi_totals;

/* How a batch is computed. */
typedef struct demi_lanes_call {
    const demi_model *model;
    int32_t normals, kinematics;
    int32_t padded; /* the lanes up to DEMI_PADDED(n) are filled in as well */
    double dt;
    int32_t evaluate_only; /* advances nothing; dt is 0 then */
    double overlap_limit;
    int32_t energy_tracking;
    int32_t apart;     /* the caller computes forces and torques itself, see resultant.h */
    int32_t merges;    /* contacts may be merged */
    int32_t radii;     /* rolling and twisting parts have an R* of their own */
    int32_t by_groups; /* energies are summed by groups of lanes, not one after the other */
    int32_t slopes;    /* the caller reads stiffness and damping, which laws must not leave out */
    uint64_t lane;     /* out: the lane at fault */
    uint32_t part;     /* out: the part of the model whose law failed, and what it returned */
    dem_status returned;
} demi_lanes_call;

/* Computes lanes 0..n-1 and adds to the totals. Returns DEM_OK; DEM_ERROR_CALLBACK when a law
 * failed; DEM_ERROR_OVERLAP with the first lane whose overlap exceeds overlap_limit times the
 * smaller radius; DEM_ERROR_DIVERGED with the first lane for which a law gave something that is
 * not finite or beyond DEMI_FORCE_MOST. */
typedef dem_status demi_lanes_function(demi_lanes *lanes, uint64_t n, demi_lanes_call *call,
                                       demi_totals *totals);
/* The copy of demi_lanes_run for an instruction set. */
dem_status demi_lanes_run_isa(int isa, demi_lanes *lanes, uint64_t n, demi_lanes_call *call,
                              demi_totals *totals);

#endif
