/* SPDX-License-Identifier: MIT */
/**
 * @file law_rolling.h
 * Rolling and twisting resistance: parts that follow a normal part or a whole law. Each resists the
 * relative angular velocity w_i - w_j alone, so a pair that rotates as a whole feels nothing. The
 * increment of a spring is the rotation of the half step; a dashpot sees the angular velocities at
 * the end of the step. See docs/law_rolling.md.
 *
 * Rolling has the pseudo-velocity v_r = R* (w_i - w_j) x n and a pseudo-force F_r in the tangent
 * plane, with the torque R* n x F_r on i and the opposite on j (Luding 2008, Sec. 2.2). Twisting
 * has v_o = R* (w_i - w_j).n and the torque R* F_o n. The limit of both is mu times the normal
 * force of Coulomb's limit.
 */
#ifndef DEM_LAW_ROLLING_H
#define DEM_LAW_ROLLING_H

#include "kernels.h"
#include "law.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Rolling part: continuous spring-dashpot-slider for the pseudo-force. Takes dem_rolling. */
#define DEM_LAW_ROLLING_CSDS "rolling-csds"
/** Rolling part: constant torque mu_r F_n R* against the rolling. Takes dem_rolling_constant. */
#define DEM_LAW_ROLLING_CONSTANT "rolling-constant"
/** Twisting part: continuous spring-dashpot-slider for the pseudo-force. Takes dem_rolling. */
#define DEM_LAW_TWISTING_CSDS "twisting-csds"
/** Twisting part: sliding of the contact area (Marshall 2009). Takes dem_twisting_marshall. */
#define DEM_LAW_TWISTING_MARSHALL "twisting-marshall"

/** Parameters of DEM_LAW_ROLLING_CSDS and DEM_LAW_TWISTING_CSDS. */
typedef struct dem_rolling {
    uint64_t struct_size; /**< sizeof(dem_rolling), set by dem_rolling_init */
    uint64_t kind;        /**< DEM_PARAMETERS_ROLLING, set likewise */
    double stiffness; /**< k_r > 0 of the pseudo-force, N/m (k_r R*^2 is the stiffness in N m/rad);
                           or 0 (default) for 2/7 k_n, which needs a linear normal part */
    double friction;  /**< mu_r >= 0: the torque is at most mu_r F_n R*; default 0.1 */
    double damping;   /**< gamma_r >= 0, kg/s; default 0 */
    double damping_ratio; /**< >= 0: adds 2 damping_ratio sqrt(2/5 m* k_r) to gamma_r; default 0.5.
                               On a plane 1 is critical for a solid sphere that twists, or rolls
                               without friction; sqrt(7/2) for one that rolls with grip */
} dem_rolling;

/** Parameters of DEM_LAW_ROLLING_CONSTANT. */
typedef struct dem_rolling_constant {
    uint64_t struct_size; /**< sizeof(dem_rolling_constant), set by dem_rolling_constant_init */
    uint64_t kind;        /**< DEM_PARAMETERS_ROLLING_CONSTANT, set likewise */
    double friction;      /**< mu_r >= 0: the torque is mu_r F_n R*; default 0.1 */
} dem_rolling_constant;

/** Parameters of DEM_LAW_TWISTING_MARSHALL: set those of the tangential part of the model. */
typedef struct dem_twisting_marshall {
    uint64_t struct_size;        /**< sizeof, set by dem_twisting_marshall_init */
    uint64_t kind;               /**< DEM_PARAMETERS_TWISTING_MARSHALL, set likewise */
    double stiffness_tangential; /**< k_t > 0, N/m; or 0 (default) for 2/7 k_n after a linear normal
                                      part, 8 G* a after one that has G* */
    double friction;             /**< Coulomb's mu >= 0; default 0.5 */
    double damping_tangential; /**< gamma >= 0, kg/s, not a factor as dem_linear has it; default 0:
                                    below the limit a twist swings on undamped */
} dem_twisting_marshall;

/* generated from src/laws/laws.def: functions.law_rolling */
/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_rolling_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_rolling_init_sized(dem_rolling *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_rolling_init(dem_rolling *parameters)
{
    return dem_rolling_init_sized(parameters, sizeof(dem_rolling));
}

/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_rolling_constant_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_rolling_constant_init_sized(dem_rolling_constant *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_rolling_constant_init(dem_rolling_constant *parameters)
{
    return dem_rolling_constant_init_sized(parameters, sizeof(dem_rolling_constant));
}

/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_twisting_marshall_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_twisting_marshall_init_sized(dem_twisting_marshall *parameters,
                                                    uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_twisting_marshall_init(dem_twisting_marshall *parameters)
{
    return dem_twisting_marshall_init_sized(parameters, sizeof(dem_twisting_marshall));
}

/** Adds DEM_LAW_ROLLING_CSDS as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_rolling_csds(dem_contact_model *model,
                                                            const dem_rolling *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_ROLLING_CSDS, parameters);
}

/** Adds DEM_LAW_ROLLING_CONSTANT as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status
dem_contact_model_add_rolling_constant(dem_contact_model *model,
                                       const dem_rolling_constant *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_ROLLING_CONSTANT, parameters);
}

/** Adds DEM_LAW_TWISTING_CSDS as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_twisting_csds(dem_contact_model *model,
                                                             const dem_rolling *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_TWISTING_CSDS, parameters);
}

/** Adds DEM_LAW_TWISTING_MARSHALL as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status
dem_contact_model_add_twisting_marshall(dem_contact_model *model,
                                        const dem_twisting_marshall *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_TWISTING_MARSHALL, parameters);
}
/* end of generated */

/** Pseudo-velocity of rolling, v_r = R* (w_i - w_j) x n, m/s. It stays the same when you exchange i
 * and j.
 * @param radius R* > 0, m
 * @param angular_velocity_i angular velocity of i, rad/s
 * @param angular_velocity_j angular velocity of j, rad/s
 * @param normal unit normal from j to i
 * @param velocity out: v_r. Source: Luding (2008), Sec. 2.2. */
DEM_KERNEL void dem_kernel_rolling_velocity(double radius, const double angular_velocity_i[3],
                                            const double angular_velocity_j[3],
                                            const double normal[3], double velocity[3])
{
    const double w[3] = {radius * (angular_velocity_i[0] - angular_velocity_j[0]),
                         radius * (angular_velocity_i[1] - angular_velocity_j[1]),
                         radius * (angular_velocity_i[2] - angular_velocity_j[2])};
    velocity[0] = w[1] * normal[2] - w[2] * normal[1];
    velocity[1] = w[2] * normal[0] - w[0] * normal[2];
    velocity[2] = w[0] * normal[1] - w[1] * normal[0];
}

/** Torque of a rolling pseudo-force on body i, R* n x F_r, N m. Its power is F_r.v_r.
 * @param radius R* > 0, m
 * @param normal unit normal from j to i
 * @param force F_r, N
 * @param torque out: torque on i, N m; that on j is the opposite */
DEM_KERNEL void dem_kernel_rolling_torque(double radius, const double normal[3],
                                          const double force[3], double torque[3])
{
    torque[0] = radius * (normal[1] * force[2] - normal[2] * force[1]);
    torque[1] = radius * (normal[2] * force[0] - normal[0] * force[2]);
    torque[2] = radius * (normal[0] * force[1] - normal[1] * force[0]);
}

/** Pseudo-force of constant rolling resistance, F = -limit v/abs(v).
 *
 * The force is at most m* abs(v)/(10 dt), so that it does not reverse the rolling within a step. A
 * solid sphere on planes does not overshoot with up to four such contacts where v is that of the
 * end of the step, and with up to eight where it is that of the half step.
 * @param limit mu_r F_n >= 0, N
 * @param mass m* > 0, kg
 * @param dt time step, s; 0: the bound does not apply
 * @param velocity v_r, m/s
 * @param force out: F_r, N; it opposes v_r, so it never creates energy */
DEM_KERNEL void dem_kernel_rolling_constant(double limit, double mass, double dt,
                                            const double velocity[3], double force[3])
{
    const double square =
        velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2];
    const int moves = square > 1e-280, steps = dt > 0.0;
    const double full = dem_select(moves, limit, 0.0) / sqrt(dem_select(moves, square, 1.0));
    const double soft = dem_select(steps, 0.1 * mass, 0.0) / dem_select(steps, dt, 1.0);
    const double coefficient = dem_select(steps & (soft < full), soft, full);
    for (int c = 0; c < 3; ++c)
        force[c] = -(coefficient * velocity[c]);
}

/** Continuous spring-dashpot-slider of one component, for twisting: dem_kernel_tangential_csds in
 * lengths and forces, or in angles and torques.
 * @param stiffness k > 0, N/m or N m/rad
 * @param damping gamma >= 0, kg/s or N m s
 * @param limit >= 0, N or N m
 * @param dt time step >= 0, s
 * @param velocity m/s or rad/s
 * @param displacement m or rad, in and out
 * @return force or torque on i along n, N or N m */
DEM_KERNEL double dem_kernel_twisting_csds(double stiffness, double damping, double limit,
                                           double dt, double velocity, double *displacement)
{
    const double v[3] = {velocity, 0.0, 0.0};
    double xi[3] = {*displacement, 0.0, 0.0}, force[3];
    dem_kernel_tangential_csds(stiffness, damping, limit, dt, v, xi, force);
    *displacement = xi[0];
    return force[0];
}

#ifdef __cplusplus
}
#endif
#endif
