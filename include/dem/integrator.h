/* SPDX-License-Identifier: MIT */
/**
 * @file integrator.h
 * Level 1: integrators over your arrays, with strides.
 *
 * Schemes with one force evaluation a step (the Verlet family, leapfrog, symplectic Euler):
 * evaluate the forces between dem_integrator_begin and dem_integrator_end, and once before the
 * first step.
 *
 * Schemes of stages (explicit Euler, midpoint, Heun, RK4) also advance the history of the contacts:
 * for each stage evaluate forces and rates, then call dem_integrator_stage.
 *
 * The page "Integrators" says which scheme to take.
 */
#ifndef DEM_INTEGRATOR_H
#define DEM_INTEGRATOR_H

#include "contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Time integration schemes; the page "Integrators" says what order each has and when to take it.
 * The Verlet family moves positions and velocities alike and differs in how contacts see the motion
 * (dem_integrator_kinematics). Worlds take the schemes with one force evaluation a step; those of
 * stages (explicit Euler, midpoint, Heun, RK4) are for your own arrays (level 1). */
enum {
    /* generated from src/integrate/schemes.def: enumerators */
    /** synchronized velocity-Verlet (default);
     * order 2 while contacts last, with and without dashpots */
    DEM_INTEGRATOR_VERLET_SYNC = 0,
    /** velocity-Verlet as Vyas et al. print it;
     * order 2 without, 1 with dashpots, to a path without rotation about the normal */
    DEM_INTEGRATOR_VERLET_IMPROVED = 1,
    /** velocity-Verlet as in most DEM codes;
     * order 1, to a path without rotation about the normal */
    DEM_INTEGRATOR_VERLET_STANDARD = 2,
    /** the path of VERLET_SYNC with one kick a step;
     * order 2, the same path */
    DEM_INTEGRATOR_LEAPFROG = 3,
    /** kick, then drift;
     * order 1 */
    DEM_INTEGRATOR_SYMPLECTIC_EULER = 4,
    /** explicit Euler;
     * order 1; gains energy */
    DEM_INTEGRATOR_EULER = 5,
    /** midpoint rule (Führer, Eq. 25, 26);
     * order 2 */
    DEM_INTEGRATOR_MIDPOINT = 6,
    /** Heun (Führer, Eq. 27, 28);
     * order 2 */
    DEM_INTEGRATOR_HEUN = 7,
    /** classical Runge-Kutta (Führer, Eq. 22 to 24);
     * order 4 while contacts last and none starts to slide; 2 or 1 across that */
    DEM_INTEGRATOR_RK4 = 8
    /* end of generated */
};

/** An integrator. Opaque. */
typedef struct dem_integrator dem_integrator;

/** Configuration of an integrator. */
typedef struct dem_integrator_config {
    uint64_t struct_size;    /**< sizeof, set by dem_integrator_config_init */
    int32_t scheme;          /**< DEM_INTEGRATOR_..., default DEM_INTEGRATOR_VERLET_SYNC */
    int32_t reserved;        /**< zero */
    dem_allocator allocator; /**< default: the C library's */
    double velocity_lag;     /**< for a restart: how far velocities are behind positions, s, as
                                  dem_integrator_velocity_lag told it; in [0, 1e150], default 0, and
                                  0 but with leapfrog */
} dem_integrator_config;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_integrator_config_init_sized(dem_integrator_config *config, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_integrator_config_init(dem_integrator_config *config)
{
    return dem_integrator_config_init_sized(config, sizeof(dem_integrator_config));
}

/** Creates an integrator.
 * @param config copied
 * @param integrator out: owned by you; NULL on error
 * @param error message on failure, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN (scheme), _STRUCT_SIZE, _MEMORY */
DEM_API dem_status dem_integrator_create(const dem_integrator_config *config,
                                         dem_integrator **integrator, dem_error *error);

/** Destroys an integrator and frees its memory. NULL does nothing. A call from the allocator of the
 * same integrator does nothing either. */
DEM_API void dem_integrator_destroy(dem_integrator *integrator);

/** Message of the last call on this integrator that failed; "" if none. */
DEM_API const char *dem_integrator_error(const dem_integrator *integrator);

/** Your particles, as arrays of 3 doubles a row. Strides are in bytes; 0 means packed. */
typedef struct dem_integrator_arrays {
    uint64_t struct_size;     /**< sizeof, set by dem_integrator_arrays_init */
    uint64_t count;           /**< particles */
    double *position;         /**< m, in and out */
    double *velocity;         /**< m/s, in and out */
    double *angular_velocity; /**< rad/s, in and out; NULL: no rotation */
    const double *force;      /**< N, all that acts: contacts, gravity, fluid */
    const double *torque;     /**< N m; NULL: none */
    const double *mass;       /**< [count], kg; 0: moves with constant velocity; others > 5.57e-309,
                                 so that the inverse is finite, as with inertia */
    const double *inertia;    /**< [count], moment of inertia, kg m2 (sphere: 2/5 m r^2); 0: angular
                                 velocity is constant. Required with angular_velocity */
    uint64_t position_stride; /**< bytes from row to row */
    uint64_t velocity_stride; /**< likewise */
    uint64_t angular_velocity_stride; /**< likewise */
    uint64_t force_stride;            /**< likewise */
    uint64_t torque_stride;           /**< likewise */
    double *orientation; /**< [count][4], in and out: unit quaternion (real part first) that rotates
                            vectors of the body into those of space; NULL (default): not advanced.
                              Needs angular_velocity; unit length to 1e-6, and then kept */
    uint64_t orientation_stride; /**< bytes from row to row; 0: 4 doubles */
    uint64_t state_count;        /**< schemes of stages alone: further variables s, such as
                                      dem_contacts_stage.count; default 0 */
    double *state;               /**< [state_count], in and out */
    const double *state_rate;    /**< [state_count], ds/dt at the present stage */
    const double *state_jump;    /**< [state_count], jump of s in this stage, from its value at the
                                    start of the step; NULL: no jump */
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
 * half a step, or dem_integrator_config.velocity_lag more), symplectic Euler by the whole step.
 * Keeps the accelerations of t for dem_integrator_accelerations. On error nothing is changed.
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
 * @return as dem_integrator_begin, but for _MEMORY; _STATE when no step is open, the count changed,
 * or angular velocities or orientations came or went */
DEM_API dem_status dem_integrator_end(dem_integrator *integrator,
                                      const dem_integrator_arrays *arrays);

/** Takes back a step that has begun, also between two stages: the next call begins a step, with any
 * dt. Positions, velocities and the other arrays are yours to restore. Where the contacts of the
 * step were evaluated, call dem_contacts_undo, too.
 * @param integrator the object
 * @return DEM_OK, DEM_ERROR_ARGUMENT; _STATE where no step is open */
DEM_API dem_status dem_integrator_cancel(dem_integrator *integrator);

/** How far velocities are behind positions: half the last dt after a step of leapfrog, else 0.
 * Write it beside your velocities, and give it to dem_integrator_config.velocity_lag after a
 * restart; an integrator keeps nothing else from one step to the next.
 * @param integrator the object
 * @param lag out: s; of the last complete step
 * @return DEM_OK, DEM_ERROR_ARGUMENT */
DEM_API dem_status dem_integrator_velocity_lag(const dem_integrator *integrator, double *lag);

/** Accelerations of the start of the open step, packed rows of 3 doubles, for
 * dem_contacts_input.acceleration and .angular_acceleration.
 * @param integrator the object, between begin and end
 * @param acceleration out: m/s2; owned by the integrator, valid until end
 * @param angular_acceleration out: rad/s2, or NULL where no rotation was given
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_STATE when no step is open */
DEM_API dem_status dem_integrator_accelerations(const dem_integrator *integrator,
                                                const double **acceleration,
                                                const double **angular_acceleration);

/** The DEM_KINEMATICS_... that belongs to the scheme, for dem_contacts_input.kinematics.
 * @return DEM_OK, DEM_ERROR_ARGUMENT; DEM_ERROR_STATE for a scheme of stages, which has none */
DEM_API dem_status dem_integrator_kinematics(const dem_integrator *integrator, int32_t *kinematics);

/** Writes the members of a contacts input that depend on the open step: dt, velocity_lag,
 * kinematics, acceleration and angular_acceleration (packed, owned by the integrator, valid until
 * end) with the counts of their rows, which are those of dem_integrator_begin.
 * @param integrator the object, between begin and end
 * @param input after dem_contacts_input_init; the other members stay as they are
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _STRUCT_SIZE; _STATE when no step is open */
DEM_API dem_status dem_integrator_prepare(const dem_integrator *integrator,
                                          dem_contacts_input *input);

/** Number of force evaluations in a step of a scheme of stages; 0 for the schemes of begin and end,
 * and for NULL. */
DEM_API uint32_t dem_integrator_stage_count(const dem_integrator *integrator);

/** Advances from one stage to the next; after stage_count calls the step is complete.
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
 *  stages, or when dt, a count or the choice of arrays differs from the stage before; _DIVERGED
 *  when a number is not finite */
DEM_API dem_status dem_integrator_stage(dem_integrator *integrator,
                                        const dem_integrator_arrays *arrays, double dt);

#ifdef __cplusplus
}
#endif
#endif
