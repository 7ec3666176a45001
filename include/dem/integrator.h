/* SPDX-License-Identifier: MIT */
/**
 * @file integrator.h
 * Level 1: integrators over a host's strided arrays. The host evaluates forces between begin and
 * end, and once before the first step.
 */
#ifndef DEM_INTEGRATOR_H
#define DEM_INTEGRATOR_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Time integration schemes. Positions and velocities advance alike in the three; they differ in
 * the frame in which contacts see the motion (dem_integrator_frame). */
enum {
    DEM_INTEGRATOR_VERLET_SYNC = 0,     /**< synchronized velocity-Verlet, second order (default) */
    DEM_INTEGRATOR_VERLET_IMPROVED = 1, /**< as Vyas et al. print it */
    DEM_INTEGRATOR_VERLET_STANDARD = 2  /**< as most DEM codes; traps fines, for comparison */
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
 * Keeps the accelerations of t for dem_integrator_accelerations. On error nothing is changed.
 * @param integrator the object
 * @param arrays particles; force holds the forces at t
 * @param dt > 0, s
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _STRUCT_SIZE, _MEMORY; _STATE when a step is open;
 *  _DIVERGED when a number is not finite */
DEM_API dem_status dem_integrator_begin(dem_integrator *integrator,
                                        const dem_integrator_arrays *arrays, double dt);

/** Second part of a step: half kick with the forces of t + dt.
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
 * @return DEM_OK or DEM_ERROR_ARGUMENT */
DEM_API dem_status dem_integrator_frame(const dem_integrator *integrator, int32_t *frame);

#ifdef __cplusplus
}
#endif
#endif
