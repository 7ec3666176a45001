/* SPDX-License-Identifier: MIT */
/**
 * @file distribution.h
 * Worlds that are domains of one system: ghosts, and a step in two halves.
 *
 * You own the decomposition: each particle is owned by one world, and each other world in whose
 * domain it may touch something has it as a ghost. All worlds have the same config, materials,
 * models and walls; a periodic axis is periodic in each of them. Particles of all worlds have ids
 * of their own, which you give.
 *
 * The contact of an owned particle and a ghost is computed on both sides. Each world moves its
 * ghosts itself, by the forces that their owners send, 48 bytes a ghost and step:
 *
 *     dem_step_begin(world, dt);
 *     dem_particles_forces_get(world, ...);   of those that are ghosts elsewhere
 *     ... exchange; stop together where one world failed ...
 *     dem_ghosts_forces_set(world, ...);
 *     dem_step_end(world);
 *
 * In between, dem_step_cancel takes the step back: the world is as before it. docs/distributed.md
 * tells the rules that make bits equal for any number of domains.
 *
 * **Fluids and loads.** A ghost is moved by the external force and torque and by the drag that its
 * owner has. When you write such a field of coupling.h in a world, send it: dem_particles_field_get
 * reads it where particles are owned, dem_ghosts_field_set gives it to their ghosts. dem_step_begin
 * refuses a step of a world where a field was written as a whole and ghosts did not get it.
 *
 *     dem_world_view(world, DEM_FIELD_FLUID_VELOCITY, &view);      ... writes own rows ...
 *     dem_world_written_field(world, DEM_FIELD_FLUID_VELOCITY);
 *     dem_particles_field_get(world, DEM_FIELD_FLUID_VELOCITY, ...);
 *     ... exchange ...
 *     dem_ghosts_field_set(world, DEM_FIELD_FLUID_VELOCITY, ...);
 *
 * dem_ghosts_set brings all of them, too.
 *
 * **A hook.** dem_step_begin calls dem_world_config.before_forces. It sees own rows, as always
 * those whose id is not 0, and what it writes is sent in the same way between the halves of the
 * same step; dem_step_end waits for it. Open a view of each field that it writes once before, in
 * all worlds.
 *
 * **Bodies of parts** are ghosts as a whole, in calls of their own: dem_ghost_bodies_get and
 * dem_ghost_bodies_set, dem_bodies_loads_get and dem_ghost_bodies_loads_set between the halves,
 * dem_bodies_release. A ghost is moved by one force and one torque about its centre of mass, and
 * its parts follow: 48 bytes a body and step, however many parts it has. The fields of a fluid come
 * with the bytes; when you write one of them, dem_ghosts_field_set gives it to the parts.
 *
 * **Ids.** Give particles, bodies, parts and walls ids of your own (dem_particle.id, dem_body.id,
 * dem_body_part.id, dem_wall.id). A world counts those that it gives from 1: a wall without an id
 * takes one that a particle of another world has.
 *
 * **Walls that seek a force** seek that of all worlds together, so that they move alike. Read each
 * world's part between the halves (dem_wall_part_get), add the parts, and tell all worlds the total
 * (dem_wall_total_set).
 *
 * Ghosts are in no energy, momentum, count, hash or work. A contact counts, is read, and is told to
 * callbacks where its body of lower id is owned. Forces on walls, their works and impulses are
 * those of the owned particles: add them over the worlds.
 */
#ifndef DEM_DISTRIBUTION_H
#define DEM_DISTRIBUTION_H

#include "body.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** All that another world needs of a particle. dem_ghosts_get fills it; send its bytes. */
typedef struct dem_ghost {
    uint64_t struct_size;       /**< sizeof(dem_ghost), set by the caller */
    uint64_t id;                /**< global id, > 0 */
    double position[3];         /**< m, as its world has it: see image */
    int32_t image[3];           /**< periods to add to the position for the unwrapped path */
    int32_t material;           /**< index */
    int32_t mobility;           /**< DEM_MOBILITY_... */
    int32_t reserved;           /**< zero */
    double velocity[3];         /**< m/s */
    double angular_velocity[3]; /**< rad/s */
    double radius;              /**< m */
    double mass;                /**< kg, > 0 */
    double contact_mass;        /**< kg, as in dem_particle */
    double force[3];            /**< N, of contacts in the last complete step */
    double torque[3];           /**< N m, likewise */
    double external_force[3];   /**< N, as dem_particle_set_force sets it */
    double external_torque[3];  /**< N m, likewise */
    double drag_coefficient;    /**< kg/s; this and what follows as the fields of coupling.h */
    double fluid_velocity[3];   /**< m/s */
    double rotational_drag;     /**< N m s */
    double fluid_angular_velocity[3]; /**< rad/s */
    double added_mass;                /**< kg */
    double lag; /**< s, by which the velocities are behind the position: half a step of leapfrog,
                     else 0 */
} dem_ghost;

/** Reads what other worlds need of particles. Between the halves of a step it reads the last
 * complete one, and of your forces and of a fluid what dem_world_config.before_forces wrote since.
 * @param world the world
 * @param count number of particles
 * @param handles [count] of owned particles or ghosts
 * @param ghosts out: [count], each with struct_size set to the same value
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _STATE (a part of a body), _STRUCT_SIZE (also of a
 *  program that was compiled before this struct had what the world has: a fluid, or leapfrog); on
 *  error nothing is written */
DEM_API dem_status dem_ghosts_get(const dem_world *world, uint64_t count,
                                  const dem_particle_handle *handles, dem_ghost *ghosts);

/** Sets which particles of other worlds are ghosts here: these, and no others.
 *
 * A ghost whose id was a ghost before stays with its contacts, and takes the motion and the forces
 * that are given. The others are added; ghosts that are not named are removed with their contacts.
 * Nothing is evaluated anew. Where an owner removed a particle and gave its id to another one, set
 * ghosts without that id once in between.
 *
 * Name every particle of other worlds that may touch an owned one before you set ghosts again. If
 * you name all whose gap to an owned particle is below margin plus the reach of the models (of
 * adhesion, and dem_law.reach), none is missing until bodies have approached each other by margin.
 * dem_ghosts_wanted tells when that is near; dem_step_begin refuses a step after which it could
 * have happened. It expects a step as long as the last one: where dt grows, set ghosts first, or
 * when dem_step_begin returns DEM_ERROR_STATE. If you add a particle or a body here, or set its
 * position or velocity, ghosts are to be set in all worlds before the next half step.
 * @param world the world; refused where a model has the part "film"
 * @param count number of ghosts
 * @param ghosts [count], each with struct_size set to the same value; NULL where count is 0
 * @param margin m, > 0. INFINITY where all particles of other worlds are ghosts, or where there are
 *  no others: dem_step refuses a world with ghosts, or with a finite margin
 * @param handles out: [count], or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN, _DUPLICATE (an id twice, or of an owned
 *  particle or a wall), _STATE (films; added mass where there are bodies; a ghost that stays and
 *  has another radius, mass, material, mobility or contact mass; another lag), _STRUCT_SIZE,
 * _MEMORY */
DEM_API dem_status dem_ghosts_set(dem_world *world, uint64_t count, const dem_ghost *ghosts,
                                  double margin, dem_particle_handle *handles);

/** Reads a field of chosen particles, DEM_FIELD_..., as a view shows it: in the order of the
 * handles, without gaps. Between the halves of a step it reads the last complete one, and what
 * dem_world_config.before_forces wrote since.
 * @param world the world
 * @param field DEM_FIELD_...
 * @param count number of particles
 * @param handles [count] of owned particles; or of ghosts, but for sums and data of the host
 * @param values out: [count][width of the field]
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _UNKNOWN (field), _HANDLE, _STATE; on error nothing is
 *  written */
DEM_API dem_status dem_particles_field_get(const dem_world *world, int32_t field, uint64_t count,
                                           const dem_particle_handle *handles, double *values);

/** Sets a field of ghosts that you wrote in the worlds of their owners: an external force or
 * torque, one of a fluid, or the added mass; of a part of a body that is a ghost, one of a fluid.
 * Ghosts take motion by dem_ghosts_set and dem_ghost_bodies_set alone: call these in all worlds
 * after you wrote a velocity.
 *
 * Send a field to all worlds where you wrote it, before the next step begins: dem_step_begin
 * refuses a step where dem_world_written_field, dem_world_written or dem_world_field_set told of a
 * field, and a ghost has not got it since. Of a force that dem_particle_set_force set you know
 * yourself whether the particle is a ghost elsewhere. Added mass that changes asks for an
 * evaluation in all worlds: both halves with a dt of 0.
 * @param world the world
 * @param field DEM_FIELD_...
 * @param count number of ghosts
 * @param handles [count] of particles, or of parts (dem_body_part_find)
 * @param values [count][width of the field], as dem_particles_field_get read them
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _UNKNOWN, _HANDLE, _RANGE, _STATE (not a ghost; a step has
 *  begun in a world without before_forces; a force of yours on a part, which is in the load of the
 *  body; added mass where there are bodies, or between the halves; a field that ghosts do not take,
 *  or that has no view yet when a hook runs), _MEMORY; on error nothing is set */
DEM_API dem_status dem_ghosts_field_set(dem_world *world, int32_t field, uint64_t count,
                                        const dem_particle_handle *handles, const double *values);

/** 1 if a further step like the last one may need ghosts that were not set, and after a restore, a
 * release, an addition, or a position or velocity that you set; 0 if not, and for NULL. Set ghosts
 * in all worlds as soon as one of them wants it. A removal does not count: other worlds keep the
 * ghost of a particle that you removed until you set ghosts there. A world with a margin of
 * INFINITY and without ghosts counts as one without others. */
DEM_API int32_t dem_ghosts_wanted(const dem_world *world);

/** 1 if a further step like the last one may build the neighbour list anew; 0 if not, for NULL, for
 * a world that was never given ghosts, and after a restore. A world that builds its list keeps all
 * others waiting, so let all build theirs in the same step: call dem_world_rebuild_order in each
 * one as soon as one of them wants it. dem_ghosts_set has the list built as well. */
DEM_API int32_t dem_world_rebuild_wanted(const dem_world *world);

/** Has the next step build the neighbour list. That changes speed, and the order of sums that are
 * not exact, not the physics.
 * @param world the world
 * @return DEM_OK, DEM_ERROR_ARGUMENT; _STATE where a step has begun */
DEM_API dem_status dem_world_rebuild_order(dem_world *world);

/** Makes owned particles ghosts: another world owns them from now on. Their contacts with particles
 * that stay owned live on. Then set the ghosts anew.
 * @param world the world
 * @param count number of particles
 * @param handles [count], each one once
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _STATE (a part of a body, a ghost, a handle
 *  twice, or a world that may not have ghosts), _MEMORY */
DEM_API dem_status dem_particles_release(dem_world *world, uint64_t count,
                                         const dem_particle_handle *handles);

/** Writes what other worlds need of bodies of parts, with all their parts, as bytes to send.
 * @param world the world
 * @param count number of bodies
 * @param handles [count] of owned bodies or ghosts; name each one once, or dem_ghost_bodies_set
 *  refuses the bytes
 * @param buffer out: the bytes, or NULL
 * @param size of the buffer
 * @param bytes out: how many they are, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _MEMORY; _RANGE (the buffer is too small) */
DEM_API dem_status dem_ghost_bodies_get(dem_world *world, uint64_t count,
                                        const dem_body_handle *handles, void *buffer, uint64_t size,
                                        uint64_t *bytes);

/** Sets which bodies of parts of other worlds are ghosts here: these, and no others. Particles that
 * are ghosts stay as they are.
 *
 * A body is a ghost as a whole, wherever the cut goes through it. One whose id was a ghost before
 * stays with its contacts, and takes the motion, the load and the fluid that are given; without a
 * fluid in its owner's world it has no drag. The others are added; those that are not named are
 * removed with their contacts. Nothing is evaluated anew.
 *
 * Name every body of which a part may touch what this world owns; and as ghosts in dem_ghosts_set
 * every particle that may touch a part of an owned body. Margins are as in dem_ghosts_set.
 * @param world the world; it knows the shapes, see dem_world_shape_know
 * @param buffer what dem_ghost_bodies_get wrote in other worlds, one after the other in any order;
 *  NULL where there are none
 * @param size in bytes
 * @param margin m, > 0, as in dem_ghosts_set
 * @param capacity number of handles that there is room for
 * @param handles out: [capacity], in the order of the bytes; or NULL
 * @param count out: number of bodies, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _FORMAT, _RANGE, _UNKNOWN (a shape), _DUPLICATE (an id of a
 *  body twice, or of one that is owned; an id of a part that something else has), _STATE (films,
 *  a ghost that has changed, or a polyhedron in a world with exact sums), _MEMORY; on error nothing
 *  is changed */
DEM_API dem_status dem_ghost_bodies_set(dem_world *world, const void *buffer, uint64_t size,
                                        double margin, uint64_t capacity, dem_body_handle *handles,
                                        uint64_t *count);

/** Reads the loads of bodies: force and torque about the centre of mass, of contacts and of what
 * you set on the body and on its parts, without gravity and drag. Between the halves of a step they
 * are those of the step that has begun, else those at present.
 * @param world the world
 * @param count number of bodies
 * @param handles [count]
 * @param force_torque out: [count][6], N and N m
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE; on error nothing is written */
DEM_API dem_status dem_bodies_loads_get(const dem_world *world, uint64_t count,
                                        const dem_body_handle *handles, double *force_torque);

/** Sets the loads of bodies that are ghosts, as their owners read them: between the halves of each
 * step, where every one has to be named before dem_step_end; and between two steps where you
 * changed a force or a torque of yours on the body or its parts, before dem_step_begin. That
 * refuses a step where dem_world_written_field, dem_world_written or dem_world_field_set told of
 * such a field and a body did not get its load since.
 * @param world the world
 * @param count number of bodies
 * @param handles [count]
 * @param force_torque [count][6], N and N m, each within 1e150
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE, _STATE (not a ghost); on error nothing is
 *  set */
DEM_API dem_status dem_ghost_bodies_loads_set(dem_world *world, uint64_t count,
                                              const dem_body_handle *handles,
                                              const double *force_torque);

/** Makes owned bodies ghosts, as dem_particles_release does particles. Then set ghosts anew.
 * @param world the world
 * @param count number of bodies
 * @param handles [count], each one once
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _STATE (a ghost, named twice, or a world that may
 *  not have ghosts), _MEMORY */
DEM_API dem_status dem_bodies_release(dem_world *world, uint64_t count,
                                      const dem_body_handle *handles);

/** Newest version of packed bytes: 1 for particles (dem_particles_pack), 2 for bodies of parts
 * (dem_bodies_pack). */
#define DEM_PARTICLES_VERSION 2

/** Writes particles into your memory, for another world, with all their contacts with particles and
 * walls, their forces, external forces, data of the host, and what a fluid does to them. The world
 * does not change: the particles stay, until you release or remove them.
 *
 * A particle changes worlds like this:
 *
 *     dem_particles_pack(old, ...);          with a NULL buffer first: how many bytes
 *     dem_particles_release(old, ...);       it is a ghost there
 *     dem_ghosts_set(each world, ...);       for the new owners
 *     dem_particles_unpack(new_one, ...);
 *
 * Then each world goes on without an evaluation of forces, with the bits of one where nothing
 * moved if sums are exact.
 * @param world the world
 * @param count number of particles
 * @param handles [count] of owned particles, each one once; no parts of bodies
 * @param buffer out: the bytes, or NULL
 * @param size of the buffer
 * @param bytes out: how many they are, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _STATE, _MEMORY; _RANGE (the buffer is too small, or
 *  a value that you wrote through a view into one of them is not valid) */
DEM_API dem_status dem_particles_pack(dem_world *world, uint64_t count,
                                      const dem_particle_handle *handles, void *buffer,
                                      uint64_t size, uint64_t *bytes);

/** Writes bodies of parts into your memory, as dem_particles_pack does particles: pose, velocities,
 * inertia, your force and torque, and all parts with their rows, ids, data and contacts. Two bodies
 * of one call, or of two, keep the contacts between them, and a body those with particles that go
 * the same way.
 *
 * A polyhedron is named by a checksum of its vertices and facets; its bytes do not travel. The
 * world that unpacks has to know it: a part of a body has it there, or dem_world_shape_know told
 * of it.
 * @param world the world
 * @param count number of bodies
 * @param handles [count] of owned bodies, each one once
 * @param buffer out: the bytes, or NULL
 * @param size of the buffer
 * @param bytes out: how many they are, or NULL
 * @return as dem_particles_pack */
DEM_API dem_status dem_bodies_pack(dem_world *world, uint64_t count, const dem_body_handle *handles,
                                   void *buffer, uint64_t size, uint64_t *bytes);

/** Adds packed particles, or bodies with their parts. Their contacts go on: those with walls, with
 * each other, and with particles and ghosts that are here. Those whose other end is not here are
 * left out, so set the ghosts first. On error nothing is changed.
 *
 * Forces come along, so nothing is evaluated again, also in a world that had no particles before.
 * Where they had to be evaluated before the next step, they have to be evaluated here.
 * dem_particle_find and dem_body_find tell the handles.
 * @param world a world with the same models and walls; and, where the particles have data of the
 *  host (from the first view of DEM_FIELD_HOST on), with the same host_doubles
 * @param buffer what dem_particles_pack or dem_bodies_pack wrote, on any machine
 * @param size in bytes
 * @param count out: number of particles, of which each part of a body is one, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _FORMAT (no packed particles, damaged, cut short, of a newer
 *  version, or of a world with other walls), _UNKNOWN (another law, or a shape that this world does
 *  not know), _DUPLICATE (an id is here already), _STATE (a world where bodies cannot be; a
 *  polyhedron in a world with exact sums; data of the host for another host_doubles, impulses
 * that this world does not sum, or velocities that are late by another time, which a world without
 * particles and ghosts takes over), _RANGE, _MEMORY */
DEM_API dem_status dem_particles_unpack(dem_world *world, const void *buffer, uint64_t size,
                                        uint64_t *count);

/** The first half of a step: first kick, drift, contact forces. Until dem_step_end or
 * dem_step_cancel come only dem_ghosts_forces_set, dem_ghosts_field_set,
 * dem_ghost_bodies_loads_set, dem_wall_total_set, dem_world_destroy, and calls that read: those
 * take a const world, and read the last complete step. Views, packing and
 * dem_world_timestep_advise, whose world is not const, are refused with DEM_ERROR_STATE, and so is
 * dem_ghost_bodies_get. If it fails the world is as before; but it, or a step that is cancelled,
 * may have built the neighbour list, as dem_step says, and with DEM_SUMS_EXACT it may have rounded
 * positions that were set to their grid.
 *
 * At first, and where particles, their motion or models were changed, forces have to be evaluated
 * before the next step: then all worlds make a pair of halves with a dt of 0, which moves nothing.
 * Such a pair evaluates forces in any case, and completes the half kick of leapfrog, where
 * dem_step(world, dt, 0) does nothing if nothing was changed: make one only where something was,
 * and in all worlds. Otherwise a world without ghosts steps in halves with the bits of dem_step.
 * @param world the world
 * @param dt s; 0 evaluates forces as things stand
 * @return as dem_step; DEM_ERROR_STATE where a step has begun already, forces must be evaluated
 *  first, the ghosts may lack one, a field that was written has not come to them, or a wall seeks a
 *  force that was not told */
DEM_API dem_status dem_step_begin(dem_world *world, double dt);

/** Reads contact forces and torques: between the halves those of the step that has begun, else of
 * the last complete one. Those on ghosts are sums over owned particles alone, of no use to others.
 * @param world the world
 * @param count number of particles
 * @param handles [count]
 * @param force_torque out: [count][6], N and N m
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE; on error nothing is written */
DEM_API dem_status dem_particles_forces_get(const dem_world *world, uint64_t count,
                                            const dem_particle_handle *handles,
                                            double *force_torque);

/** Sets contact forces and torques on ghosts in the step that has begun, as their owners read them.
 * Each ghost has to be named before dem_step_end.
 * @param world the world
 * @param count number of ghosts
 * @param handles [count]
 * @param force_torque [count][6], N and N m, each within 1e150
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE, _STATE (no step has begun, or not a ghost,
 *  or a part of a body);
 *  on error nothing is set */
DEM_API dem_status dem_ghosts_forces_set(dem_world *world, uint64_t count,
                                         const dem_particle_handle *handles,
                                         const double *force_torque);

/** Length of what dem_wall_part_get tells. */
#define DEM_WALL_PART_SIZE 48

/** Reads what the particles of a world do to a wall in the step that has begun, as numbers to be
 * added over the worlds, each with those of the same place (MPI_Allreduce with MPI_DOUBLE,
 * MPI_SUM). With ::DEM_SUMS_EXACT they are whole numbers, so that up to 2^21 worlds add them
 * without rounding, in any order; what they stand for is for dem_wall_total_set alone.
 * @param world the world
 * @param id of a wall
 * @param part out
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _STATE (no step has begun); on error nothing is
 *  written */
DEM_API dem_status dem_wall_part_get(const dem_world *world, uint64_t id,
                                     double part[DEM_WALL_PART_SIZE]);

/** Tells a wall that seeks a force or torque what acts on it in all worlds together: between the
 * halves of each step, also of one with a dt of 0, all worlds the same numbers. In the next step it
 * moves by them; dem_step_begin refuses a step where they were not told. Keep the last total for a
 * restart: after dem_world_restore tell it before the first step. dem_wall.force, .work and
 * .impulse stay those of the particles that the world owns.
 * @param world the world
 * @param id of a wall with a servo (dem_wall_set_servo)
 * @param total sum of what dem_wall_part_get told of this wall in all worlds
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE (no such sum), _STATE (the wall seeks
 *  nothing) */
DEM_API dem_status dem_wall_total_set(dem_world *world, uint64_t id,
                                      const double total[DEM_WALL_PART_SIZE]);

/** The second half of a step: the last kick, after which the step is complete.
 * @param world the world
 * @return DEM_OK, DEM_ERROR_ARGUMENT; _STATE where no step has begun, or a ghost has no force in
 *  this step or lacks a field that before_forces wrote, and then the step goes on */
DEM_API dem_status dem_step_end(dem_world *world);

/** Takes back a step that has begun.
 * @param world the world
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _STATE where no step has begun */
DEM_API dem_status dem_step_cancel(dem_world *world);

#ifdef __cplusplus
}
#endif
#endif
