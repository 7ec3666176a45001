/* SPDX-License-Identifier: MIT */
/**
 * @file integrator.h
 * Level 1: integrators over a host's strided arrays.
 *
 * Schemes with one force evaluation a step (the Verlet family, leapfrog, symplectic Euler): forces
 * are evaluated between dem_integrator_begin and dem_integrator_end, and once before the first
 * step. Schemes of stages (explicit Euler, midpoint, Heun, RK4) have the contacts' history as part
 * of what they advance: forces and rates are evaluated for each stage, then dem_integrator_stage.
 * The page "Integrators" says which to take when.
 */
#ifndef DEM_INTEGRATOR_H
#define DEM_INTEGRATOR_H

#include "contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Time integration schemes. The Verlet family moves positions and velocities alike and differs in
 * the frame in which contacts see the motion (dem_integrator_frame). Worlds take the schemes with
 * one force evaluation a step, 0 to 4; those of stages are for hosts with arrays of their own. */
enum {
    DEM_INTEGRATOR_VERLET_SYNC = 0,     /**< synchronized velocity-Verlet, second order (default) */
    DEM_INTEGRATOR_VERLET_IMPROVED = 1, /**< as Vyas et al. print it: first order with dashpots */
    DEM_INTEGRATOR_VERLET_STANDARD = 2, /**< as most DEM codes; traps fines, for comparison */
    DEM_INTEGRATOR_LEAPFROG = 3, /**< the path of DEM_INTEGRATOR_VERLET_SYNC with one kick a step:
                                      after the first step velocities are half a step behind */
    DEM_INTEGRATOR_SYMPLECTIC_EULER = 4, /**< kick, then drift; first order */
    DEM_INTEGRATOR_EULER = 5,            /**< explicit Euler, 1 stage, first order; gains energy */
    DEM_INTEGRATOR_MIDPOINT = 6, /**< midpoint rule, 2 stages, second order (Führer, Eq. 25, 26) */
    DEM_INTEGRATOR_HEUN = 7,     /**< Heun, 2 stages, second order (Führer, Eq. 27, 28) */
    DEM_INTEGRATOR_RK4 = 8 /**< classical Runge-Kutta, 4 stages (Führer, Eq. 22 to 24); fourth
                                order where no contact opens, closes or starts to slide */
};

/** An integrator. Opaque. */
typedef struct dem_integrator dem_integrator;

/** Configuration of an integrator. */
typedef struct dem_integrator_config {
    uint64_t struct_size;    /**< sizeof, set by dem_integrator_config_init */
    int32_t scheme;          /**< DEM_INTEGRATOR_..., default DEM_INTEGRATOR_VERLET_SYNC */
    int32_t reserved;        /**< zero */
    dem_allocator allocator; /**< default: the C library's */
} dem_integrator_config;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_integrator_config_init_sized(dem_integrator_config *config, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_integrator_config_init(dem_integrator_config *config)
{
    return dem_integrator_config_init_sized(config, sizeof(dem_integrator_config));
}

/** Makes an integrator.
 * @param config copied
 * @param integrator out: owned by the caller; NULL on error
 * @param error message on failure, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _UNKNOWN (scheme), _STRUCT_SIZE, _MEMORY */
DEM_API dem_status dem_integrator_create(const dem_integrator_config *config,
                                         dem_integrator **integrator, dem_error *error);

/** Ends an integrator. NULL does nothing. */
DEM_API void dem_integrator_destroy(dem_integrator *integrator);

/** Message of the last call on this integrator that failed; "" if none. */
DEM_API const char *dem_integrator_error(const dem_integrator *integrator);

/** A host's particles, as arrays of 3 doubles a row. Strides in bytes; 0 means packed. */
typedef struct dem_integrator_arrays {
    uint64_t struct_size;     /**< sizeof, set by dem_integrator_arrays_init */
    uint64_t count;           /**< particles */
    double *position;         /**< m, in and out */
    double *velocity;         /**< m/s, in and out */
    double *angular_velocity; /**< rad/s, in and out; NULL: no rotation */
    const double *force;      /**< N, all that acts: contacts, gravity, fluid */
    const double *torque;     /**< N m; NULL: none */
    const double *mass;       /**< [count], kg; 0: moves with constant velocity */
    const double *inertia;    /**< [count], moment of inertia, kg m2 (sphere: 2/5 m r^2); 0: spin is
                                   constant. Required with angular_velocity */
    uint64_t position_stride;         /**< bytes from row to row */
    uint64_t velocity_stride;         /**< likewise */
    uint64_t angular_velocity_stride; /**< likewise */
    uint64_t force_stride;            /**< likewise */
    uint64_t torque_stride;           /**< likewise */
    double *orientation; /**< [count][4], in and out: unit quaternion (real part first) that turns
                              vectors of the body into those of space; NULL (default): not advanced.
                              Needs angular_velocity; unit length to 1e-6, and then kept */
    uint64_t orientation_stride; /**< bytes from row to row; 0: 4 doubles */
    uint64_t state_count;        /**< schemes of stages alone: further variables s, such as
                                      dem_contacts_stage.count; default 0 */
    double *state;               /**< [state_count], in and out */
    const double *state_rate;    /**< [state_count], ds/dt at the present stage */
    const double *state_jump; /**< [state_count], by how much the stage moves s at once from where
                                 it was at the step's start; NULL: nowhere */
} dem_integrator_arrays;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_integrator_arrays_init_sized(dem_integrator_arrays *arrays, uint64_t size);

/** Fills the defaults: all NULL, all packed. */
static inline dem_status dem_integrator_arrays_init(dem_integrator_arrays *arrays)
{
    return dem_integrator_arrays_init_sized(arrays, sizeof(dem_integrator_arrays));
}

/** First part of a step: half kick with the forces of t, then drift to t + dt.
 *
 * Leapfrog kicks from the middle of the step before to the middle of this one (the first time by
 * half a step), symplectic Euler by the whole step. Keeps the accelerations of t for
 * dem_integrator_accelerations. On error nothing is changed.
 * @param integrator the object
 * @param arrays particles; force holds the forces at t
 * @param dt > 0, s
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _STRUCT_SIZE, _MEMORY; _STATE when a step is open,
 *  or for a scheme of stages; _DIVERGED when a number is not finite */
DEM_API dem_status dem_integrator_begin(dem_integrator *integrator,
                                        const dem_integrator_arrays *arrays, double dt);

/** Second part of a step: half kick with the forces of t + dt; with leapfrog and symplectic Euler
 * it only closes the step.
 * @param integrator the object, after dem_integrator_begin
 * @param arrays the same particles; force holds the forces at t + dt
 * @return as dem_integrator_begin; _STATE when no step is open or the count changed */
DEM_API dem_status dem_integrator_end(dem_integrator *integrator,
                                      const dem_integrator_arrays *arrays);

/** Accelerations of the start of the open step, packed rows of 3 doubles, for
 * dem_contacts_input.acceleration and .angular_acceleration.
 * @param integrator the object, between begin and end
 * @param acceleration out: m/s2; owned by the integrator, valid until end
 * @param angular_acceleration out: rad/s2, or NULL where no rotation was given
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_STATE when no step is open */
DEM_API dem_status dem_integrator_accelerations(const dem_integrator *integrator,
                                                const double **acceleration,
                                                const double **angular_acceleration);

/** The DEM_FRAME_... that belongs to the scheme, for dem_contacts_input.frame.
 * @return DEM_OK, DEM_ERROR_ARGUMENT; DEM_ERROR_STATE for a scheme of stages, which has none */
DEM_API dem_status dem_integrator_frame(const dem_integrator *integrator, int32_t *frame);

/** Writes into a contacts input what the open step says about it: dt, velocity_lag, frame,
 * acceleration and angular_acceleration (packed, owned by the integrator, valid until end).
 * @param integrator the object, between begin and end
 * @param input after dem_contacts_input_init; nothing else of it is changed
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _STRUCT_SIZE; _STATE when no step is open */
DEM_API dem_status dem_integrator_prepare(const dem_integrator *integrator,
                                          dem_contacts_input *input);

/** Number of force evaluations in a step of a scheme of stages; 0 for the schemes of begin and end,
 * and for NULL. */
DEM_API uint32_t dem_integrator_stage_count(const dem_integrator *integrator);

/** Goes on from one stage to the next; after stage_count calls the step is complete.
 *
 *     for (uint32_t k = 0; k < dem_integrator_stage_count(integrator); ++k) {
 *         forces = 0
 *         dem_contacts_stage_rate     adds contact forces, sets rates of the contacts' state
 *         dem_integrator_stage        all arrays to the next stage, or to the end of the step
 *     }
 *
 * Each stage s starts from the state u of the step's start: u_s = u + jump + a_s dt rate(u_(s-1));
 * the end is a weighted mean of the stages (Führer, Brendel and Wolf 2024, Appendix A).
 * Orientations get unit length at the end. On error nothing is changed.
 * @param integrator the object
 * @param arrays particles and further variables: what the stage before left; force, torque and
 *  state_rate belong to that stage
 * @param dt > 0, s, the same in all stages of a step
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _STRUCT_SIZE, _MEMORY; _STATE for a scheme without
 *  stages, or when dt, a count or the choice of arrays is not that of the stage before; _DIVERGED
 *  when a number is not finite */
DEM_API dem_status dem_integrator_stage(dem_integrator *integrator,
                                        const dem_integrator_arrays *arrays, double dt);

#ifdef __cplusplus
}
#endif
#endif
