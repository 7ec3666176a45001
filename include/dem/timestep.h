/* SPDX-License-Identifier: MIT */
/**
 * @file timestep.h
 * Level 2: advice on the time step of a world.
 *
 *     dem_timestep_request request;
 *     dem_timestep_advice advice = {.struct_size = sizeof advice};
 *     dem_timestep_request_init(&request);
 *     request.speed = 1.0; // m/s, the fastest impact that you expect
 *     dem_world_timestep_advise(world, &request, &advice);
 *     dem_step(world, advice.timestep, 1000);
 *
 * In a world at rest the default speed is 0, and Hertz's laws set no contact limit: give the speed.
 *
 * The advice has one limit for each reason to take short steps, and the bodies that set it. Ask for
 * it when particles, walls and models are there, and again when speeds have changed much.
 */
#ifndef DEM_TIMESTEP_H
#define DEM_TIMESTEP_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Assumptions for an advice on the time step. */
typedef struct dem_timestep_request {
    uint64_t struct_size;         /**< sizeof, set by dem_timestep_request_init */
    double steps_per_contact;     /**< >= 1: time steps in a collision; default 40 */
    double rayleigh_fraction;     /**< in (0, 1]: fraction of Rayleigh's time; default 0.2 */
    double displacement_fraction; /**< in (0, 1]: fraction of its radius by which a particle may
                                 move in a step; default 0.1 */
    double speed;        /**< of impact, m/s, >= 0, for laws whose contact time depends on it;
                              0 (default): twice the greatest present speed of a particle */
    double face_overlap; /**< in (0, 1]: the least overlap of two faces of polyhedra that steps have
                       to resolve, over R; default 0.01. DEM_POLYHEDRON_LAW_VOLUME makes a face
                       stiff without bound at touch */
} dem_timestep_request;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_timestep_request_init_sized(dem_timestep_request *request, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_timestep_request_init(dem_timestep_request *request)
{
    return dem_timestep_request_init_sized(request, sizeof(dem_timestep_request));
}

/** Limits on the time step, each with the bodies that set it. A limit that nothing sets is 0, with
 * ids of 0. */
typedef struct dem_timestep_advice {
    uint64_t struct_size;     /**< sizeof(dem_timestep_advice), set by the caller */
    double timestep;          /**< the least of contact, a fifth of stability, rayleigh and
                                   displacement, s */
    double contact;           /**< shortest contact time over steps_per_contact, s */
    double stability;         /**< limit of stability of one contact at the speed of impact, s;
                                   dem_step refuses what is beyond the limit at speed 0. Particles
                                   with several contacts have a lower one, see dem_step.
                                   "twisting-marshall" behind "actm" with contact_steps counts as
                                   if it had none */
    double rayleigh;          /**< rayleigh_fraction of the shortest Rayleigh time, s; 0 where no
                                   E is known */
    double displacement;      /**< least time in which a particle moves displacement_fraction, s */
    double speed;             /**< speed of impact that the limits assume, m/s */
    uint64_t contact_id[2];   /**< of the pair, a particle first; the second may be a wall */
    uint64_t stability_id[2]; /**< likewise */
    uint64_t rayleigh_id;     /**< of the particle */
    uint64_t displacement_id; /**< of the particle */
    double film; /**< time in which bodies at `speed` cross a tenth of the thinnest film's gap_max,
                      s: the step that resolves films. No limit, and not in `timestep` */
    uint64_t film_id[2]; /**< of the lightest pair that has it, as contact_id */
    double face; /**< half a period of a polyhedron on another alike, face on face, at face_overlap,
                      over steps_per_contact, s. A face has the area pi r^2 of the sphere of equal
                      volume, and meets with the mass of a corner, m/(1 + m r^2/I) with the radius
                      around the body: the short half period. Take it where faces lie on faces: it
                      is not in `timestep` */
    uint64_t face_id; /**< of the polyhedron */
} dem_timestep_advice;

/** Advises on the time step for the present particles, walls, models and speeds.
 *
 * The advice considers the lightest pair of bodies of each pair of materials, of equally light ones
 * the larger, whether they touch or not. Where you give masses that do not grow with the radius, a
 * heavier pair may have a shorter contact. A law of yours without dem_law.limits is not considered,
 * and the log says so. The Rayleigh time is pi R sqrt(rho/G)/(0.1631 nu +
 * 0.8766). E and nu are known for a material whose model with itself has an elastic normal part.
 * @param world the world; not changed
 * @param request the assumptions, or NULL for the defaults
 * @param advice out; struct_size must be set
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _STRUCT_SIZE, _MEMORY */
DEM_API dem_status dem_world_timestep_advise(dem_world *world, const dem_timestep_request *request,
                                             dem_timestep_advice *advice);

#ifdef __cplusplus
}
#endif

#endif
