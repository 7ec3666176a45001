/* SPDX-License-Identifier: MIT */
/**
 * @file world.h
 * Level 2: a world of spheres and walls that libdem owns and steps.
 *
 *     dem_world_config config;
 *     dem_world_config_init(&config);
 *     dem_world_create(&config, &world, NULL);
 *     dem_material_set, dem_contact_model_set, dem_particle_add, dem_wall_add ...
 *     dem_step(world, dt, steps);
 *
 * A call that fails changes nothing, and dem_world_error says why. A step that cannot go on is
 * undone: the world stands at the last complete step, readable and able to continue.
 */
#ifndef DEM_WORLD_H
#define DEM_WORLD_H

#include "contact.h"
#include "integrator.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A world. Opaque. */
typedef struct dem_world dem_world;

/** Quick access to a particle; not changed by sorting, stale after removal. Frozen layout. */
typedef struct dem_particle_handle {
    uint32_t index;      /**< of a table */
    uint32_t generation; /**< 0 is never valid */
} dem_particle_handle;

/** Boundary of one axis of the box. */
enum {
    DEM_BOUNDARY_OPEN = 0,    /**< particles may go anywhere */
    DEM_BOUNDARY_PERIODIC = 1 /**< what leaves on one side enters on the other */
};

/** Configuration of a world. */
typedef struct dem_world_config {
    uint64_t struct_size;   /**< sizeof, set by dem_world_config_init */
    double gravity[3];      /**< m/s2; default 0 */
    double box_low[3];      /**< m, for periodic axes; default 0 */
    double box_high[3];     /**< m, > box_low on periodic axes; default 0 */
    int32_t boundary[3];    /**< DEM_BOUNDARY_..., default open */
    int32_t integrator;     /**< DEM_INTEGRATOR_... of one force evaluation a step (0 to 4), default
                                 DEM_INTEGRATOR_VERLET_SYNC; see dem_step */
    int32_t material_count; /**< 1 to 1024; default 1 */
    int32_t reserved;       /**< zero */
    double skin;            /**< gap, m, up to which pairs are listed ahead; changes speed, and the
                                 order of sums, not the physics. 0 (default): a tenth of the
                                 smallest diameter */
    double overlap_limit;   /**< an overlap beyond this fraction of the smaller radius stops the
                                 step; in (0, 1], default 0.5 */
    dem_allocator allocator; /**< default: the C library's */
    dem_log log;             /**< default: silent */
    dem_executor executor;   /**< default: `threads` of the world's own; none of them is started
                                  where an executor is given */
    int32_t threads;         /**< without an executor: 1 (default) to 64, the calling one counted.
                                  The others are started by dem_world_create, sleep between calls,
                                  leave signals to the host's threads, and end with the world; a
                                  child that the host forks does not have them */
    int32_t isa;             /**< DEM_ISA_..., default DEM_ISA_AUTO; all give the same bits */
    int32_t accounting;      /**< DEM_ACCOUNTING_..., default DEM_ACCOUNTING_FULL */
    int32_t reserved_end;    /**< zero */
} dem_world_config;

/** Whether a world keeps account of energies in contacts. */
enum {
    DEM_ACCOUNTING_FULL = 0, /**< elastic energy and all dissipation are summed (default) */
    DEM_ACCOUNTING_OFF = 1   /**< they stay 0 in dem_world_energies; a step is cheaper, and what a
                                  law keeps for them alone is missing from dem_contact.state */
};

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_world_config_init_sized(dem_world_config *config, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_world_config_init(dem_world_config *config)
{
    return dem_world_config_init_sized(config, sizeof(dem_world_config));
}

/** Makes an empty world in which no materials interact.
 * @param config copied
 * @param world out: owned by the caller; NULL on error
 * @param error message on failure, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN, _STRUCT_SIZE, _MEMORY (also where a thread
 *  could not be started) */
DEM_API dem_status dem_world_create(const dem_world_config *config, dem_world **world,
                                    dem_error *error);

/** Ends a world and gives its memory back. NULL does nothing. */
DEM_API void dem_world_destroy(dem_world *world);

/** Message of the last call on this world that failed; "" if none. Valid until the next call. */
DEM_API const char *dem_world_error(const dem_world *world);

/** Adds a law of the host's; see dem_law.
 * @return as dem_contact_history_law_register */
DEM_API dem_status dem_world_law_register(dem_world *world, const dem_law *law);

/** A material. */
typedef struct dem_material {
    uint64_t struct_size; /**< sizeof, set by dem_material_init */
    double density;       /**< kg/m3, > 0; default 1000; gives mass to particles without one */
} dem_material;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_material_init_sized(dem_material *material, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_material_init(dem_material *material)
{
    return dem_material_init_sized(material, sizeof(dem_material));
}

/** Sets a material; particles that exist keep their mass.
 * @param world the world
 * @param index 0 <= index < material_count
 * @param material copied
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _STRUCT_SIZE */
DEM_API dem_status dem_material_set(dem_world *world, int32_t index,
                                    const dem_material *material);

/** Sets what happens between two materials, in both orders; may be called between steps, and then
 * existing contacts of the pair lose their history.
 * @param world the world
 * @param material_a 0 <= a < material_count
 * @param material_b 0 <= b < material_count; may equal a
 * @param model checked and copied with its parameters; an empty model: no interaction
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN (law), _STRUCT_SIZE, _MEMORY */
DEM_API dem_status dem_contact_model_set(dem_world *world, int32_t material_a, int32_t material_b,
                                         const dem_contact_model *model);

/** Reads back what the model of a pair of materials came to, value by value.
 * @param world the world
 * @param material_a 0 <= a < material_count
 * @param material_b 0 <= b < material_count
 * @param index 0 for the first value, counted through all parts
 * @param value out; struct_size must be set
 * @return as dem_contact_history_pair_value */
DEM_API dem_status dem_world_pair_value(const dem_world *world, int32_t material_a,
                                        int32_t material_b, uint64_t index, dem_pair_value *value);

/** How a particle moves. */
enum {
    DEM_MOTION_FREE = 0,     /**< by forces */
    DEM_MOTION_FIXED = 1,    /**< not at all */
    DEM_MOTION_KINEMATIC = 2 /**< with the velocity and spin that the host sets */
};

/** A sphere. */
typedef struct dem_particle {
    uint64_t struct_size;       /**< sizeof, set by dem_particle_init */
    uint64_t id;                /**< global id, unique among particles and walls; 0 (default): the
                                     library takes the next free one. In output: the id */
    double position[3];         /**< m. In output: unwrapped on periodic axes */
    double velocity[3];         /**< m/s; must be 0 for DEM_MOTION_FIXED */
    double angular_velocity[3]; /**< rad/s; likewise */
    double radius;              /**< m, > 0; no default */
    double mass;                /**< kg, > 0; 0 (default): from the material's density */
    double contact_mass;        /**< kg: mass by which a fixed or kinematic particle enters m* of a
                                     contact; 0 (default): infinite. Free ones use their mass */
    int32_t material;           /**< index; default 0 */
    int32_t motion;             /**< DEM_MOTION_..., default free */
} dem_particle;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_particle_init_sized(dem_particle *particle, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_particle_init(dem_particle *particle)
{
    return dem_particle_init_sized(particle, sizeof(dem_particle));
}

/** Adds particles between steps; all of them or, on error, none.
 * @param world the world
 * @param count number of particles
 * @param particles [count], each with struct_size set to the same value
 * @param handles out: [count], or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN, _DUPLICATE (id), _STRUCT_SIZE, _MEMORY */
DEM_API dem_status dem_particles_add(dem_world *world, uint64_t count,
                                     const dem_particle *particles, dem_particle_handle *handles);

/** Adds one particle: dem_particles_add with a count of 1. */
DEM_API dem_status dem_particle_add(dem_world *world, const dem_particle *particle,
                                    dem_particle_handle *handle);

/** Removes a particle with its contacts; its handle becomes stale.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_HANDLE */
DEM_API dem_status dem_particle_remove(dem_world *world, dem_particle_handle handle);

/** Finds the handle of an id.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_HANDLE when no particle has it */
DEM_API dem_status dem_particle_find(const dem_world *world, uint64_t id,
                                     dem_particle_handle *handle);

/** Reads a particle.
 * @param world the world
 * @param handle which
 * @param particle out; struct_size must be set
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _STRUCT_SIZE */
DEM_API dem_status dem_particle_get(const dem_world *world, dem_particle_handle handle,
                                    dem_particle *particle);

/** Moves a particle and sets its velocities; contact histories stay where the contact does.
 * @param world the world
 * @param handle which
 * @param position [3], m, or NULL to leave it
 * @param velocity [3], m/s, or NULL to leave it; not for fixed particles
 * @param angular_velocity [3], rad/s, or NULL to leave it; not for fixed particles
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE (not finite), _STATE (fixed) */
DEM_API dem_status dem_particle_set_motion(dem_world *world, dem_particle_handle handle,
                                           const double position[3], const double velocity[3],
                                           const double angular_velocity[3]);

/** Sets the external force and torque on a particle; they act until set anew.
 * @param world the world
 * @param handle which
 * @param force [3], N, or NULL to leave it
 * @param torque [3], N m, or NULL to leave it
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE */
DEM_API dem_status dem_particle_set_force(dem_world *world, dem_particle_handle handle,
                                          const double force[3], const double torque[3]);

/** An infinite plane wall; solid on the side away from its normal. */
typedef struct dem_wall {
    uint64_t struct_size; /**< sizeof, set by dem_wall_init */
    uint64_t id;          /**< as dem_particle.id, from the same space */
    double point[3];      /**< any point of the plane, m */
    double normal[3];     /**< points to where the particles are; any length > 0, made unit */
    double velocity[3];   /**< m/s; along the plane: a conveyor belt; default 0 */
    int32_t material;     /**< index; default 0 */
    int32_t reserved;     /**< zero */
    double force[3];      /**< output: what the particles exert on it, N */
} dem_wall;

/** Fills the defaults for a struct of `size` bytes: normal +z through the origin. */
DEM_API dem_status dem_wall_init_sized(dem_wall *wall, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_wall_init(dem_wall *wall)
{
    return dem_wall_init_sized(wall, sizeof(dem_wall));
}

/** Adds a wall.
 * @param world the world
 * @param wall copied
 * @param id out: the wall's id, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _DUPLICATE, _STRUCT_SIZE, _MEMORY */
DEM_API dem_status dem_wall_add(dem_world *world, const dem_wall *wall, uint64_t *id);

/** Removes a wall with its contacts.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_HANDLE when no wall has the id */
DEM_API dem_status dem_wall_remove(dem_world *world, uint64_t id);

/** Reads a wall; struct_size of `wall` must be set.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _STRUCT_SIZE */
DEM_API dem_status dem_wall_get(const dem_world *world, uint64_t id, dem_wall *wall);

/** Sets a wall's velocity, m/s.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE */
DEM_API dem_status dem_wall_set_velocity(dem_world *world, uint64_t id, const double velocity[3]);

/** Sets gravity, m/s2.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE */
DEM_API dem_status dem_world_gravity_set(dem_world *world, const double gravity[3]);

/** Advances the world.
 *
 * Forces are evaluated first where the host changed anything, so the first step is as accurate as
 * any. dt may change from call to call.
 *
 * A dt at which the springs and dashpots of the laws are unstable is refused: where dt or the
 * particles, walls or models changed, each pair of materials is asked for the limit of its
 * lightest pair (dem_law.scales at speed 0, so a limit that depends on the speed of impact is not
 * among them; dem_world_timestep_advise knows it). The linear laws need
 * dt < 2/(s eta/m* + sqrt((s eta/m*)^2 + k/m*)): s eta dt/m* < 1 for a dashpot alone, dt < 2/omega
 * for a spring alone. s is 1 for synchronized Verlet and leapfrog, whose dashpots see velocities
 * extrapolated to t + dt, and 1/2 for the other schemes, whose dashpots see the velocities that
 * moved the positions. Accuracy wants far less.
 *
 * **Symplectic Euler** kicks by dt with the forces of t, then drifts; velocities and positions are
 * those of the same time.
 *
 * **Leapfrog** kicks once a step, from the middle of the step before (of whatever dt) to that of
 * this one, then drifts. Positions are those of synchronized Verlet to round-off.
 * - Velocities and spins are half a step behind the positions after a step, those of t - dt/2, and
 *   they are that wherever they are read or set: views, dem_particle_get, dem_particle_set_motion,
 *   particles added between steps. So what was read can be written back. A host that knows the
 *   velocity at t gives v - a dt/2, a the acceleration; without that the particle gets half a kick
 *   too much.
 * - The first kick of a world is half a one: velocities given before the first step are those of
 *   t = 0, like the positions. So it is in the step after an evaluation without a step, which comes
 *   where the host added, removed or moved particles, set velocities or touched a view of them, or
 *   changed walls or models: that evaluation gives the missing half of the kick, with the forces
 *   that acted so far, which brings velocities to the time of the positions, where they stay after
 *   dem_step(world, dt, 0). After the next step they are half a step behind again.
 * - A force, torque or gravity that was set between two steps counts for the whole of the next
 *   kick, also for its half before.
 * - Energies are those of the positions' time: half a kick is added in the sum.
 *   dem_world_contact_next sees such velocities too. Neither changes the world.
 * - A step that is undone leaves velocities as late as they were; a snapshot keeps how late.
 *
 * Results have the same bits for any executor, and for one
 * call of n steps as for n calls of one.
 * @param world the world
 * @param dt time step > 0, s
 * @param steps number of steps; 0 only evaluates forces
 * @return DEM_OK; DEM_ERROR_ARGUMENT, _RANGE, _MEMORY, _DIVERGED, _OVERLAP, _CALLBACK: the world
 *  stands at the last complete step, which dem_world_time tells */
DEM_API dem_status dem_step(dem_world *world, double dt, uint64_t steps);

/** What an advice on the time step is to count with. */
typedef struct dem_timestep_request {
    uint64_t struct_size;     /**< sizeof, set by dem_timestep_request_init */
    double steps_per_contact; /**< >= 1: steps that a collision is to take; default 40 */
    double rayleigh_fraction; /**< in (0, 1]: fraction of Rayleigh's time; default 0.2 */
    double motion_fraction;   /**< in (0, 1]: fraction of its radius by which a particle may move in
                                   a step; default 0.1 */
    double speed;             /**< of impact, m/s, >= 0, for laws whose contact time depends on it;
                                   0 (default): twice the greatest present speed of a particle */
} dem_timestep_request;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_timestep_request_init_sized(dem_timestep_request *request, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_timestep_request_init(dem_timestep_request *request)
{
    return dem_timestep_request_init_sized(request, sizeof(dem_timestep_request));
}

/** Limits on the time step, each with the bodies that set it. A limit that nothing sets is 0, and
 * so are its ids. */
typedef struct dem_timestep_advice {
    uint64_t struct_size; /**< sizeof(dem_timestep_advice), set by the caller */
    double timestep;      /**< the least of the following, s */
    double contact;       /**< shortest contact time over steps_per_contact, s */
    double stability;     /**< what dem_step refuses, at the speed of impact, s */
    double rayleigh;      /**< rayleigh_fraction of the shortest Rayleigh time, s; E known */
    double motion;        /**< at which the fastest particle for its size moves its fraction, s */
    double speed;         /**< of impact that was counted with, m/s */
    uint64_t contact_id[2];   /**< of the pair, a particle first; the second may be a wall */
    uint64_t stability_id[2]; /**< likewise */
    uint64_t rayleigh_id;     /**< of the particle */
    uint64_t motion_id;       /**< of the particle */
} dem_timestep_advice;

/** Advises on the time step for the particles, walls, models and speeds that are there now.
 *
 * Of each pair of materials the lightest pair of bodies is looked at, whether they touch or not.
 * The Rayleigh time is that of pi R sqrt(rho/G)/(0.1631 nu + 0.8766); E and nu are known for
 * materials whose model with themselves has an elastic normal part.
 * @param world the world; not changed
 * @param request what to count with, or NULL for the defaults
 * @param advice out; struct_size must be set
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _STRUCT_SIZE, _MEMORY */
DEM_API dem_status dem_world_timestep_advise(dem_world *world, const dem_timestep_request *request,
                                             dem_timestep_advice *advice);

/** Sums that describe a world's state. Energies balance: kinetic_translation + kinetic_rotation +
 * potential + elastic + dissipated_normal + dissipated_dashpot + dissipated_slip +
 * dissipated_rolling - work_external - work_boundary is constant to the order of the scheme.
 * Dissipation is summed contact by contact,
 * never as a remainder. */
typedef struct dem_world_energies {
    uint64_t struct_size;       /**< sizeof(dem_world_energies), set by the caller */
    double kinetic_translation; /**< of free particles, J */
    double kinetic_rotation;    /**< of free particles, J */
    double potential;           /**< of free particles in gravity, zero at the origin, J */
    double elastic;             /**< stored in contacts, J */
    double dissipated_normal;   /**< by normal dashpots since creation, J */
    double dissipated_dashpot;  /**< by tangential dashpots since creation, J */
    double dissipated_slip;     /**< by sliding since creation, J */
    double work_external;       /**< done by the host's forces and torques since creation, J */
    double work_boundary;       /**< done by kinematic particles and moving walls, J */
    double dissipated_rolling;  /**< by rolling and twisting resistance since creation, J */
} dem_world_energies;

/** Reads the energies of the last complete step.
 * @param world the world
 * @param energies out; struct_size must be set
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _STRUCT_SIZE */
DEM_API dem_status dem_world_energies_get(const dem_world *world, dem_world_energies *energies);

/** Counters of a world. */
typedef struct dem_world_counts {
    uint64_t struct_size; /**< sizeof(dem_world_counts), set by the caller */
    uint64_t particles;   /**< in the world */
    uint64_t walls;       /**< in the world */
    uint64_t contacts;    /**< that exist after the last complete step */
    uint64_t candidates;  /**< pairs listed by the search */
    uint64_t chunks;      /**< pieces of work of a step */
    uint64_t steps;       /**< complete steps since creation */
    uint64_t rebuilds;    /**< of the search since creation */
    uint64_t bytes;       /**< memory held */
} dem_world_counts;

/** Reads the counters.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _STRUCT_SIZE */
DEM_API dem_status dem_world_counts_get(const dem_world *world, dem_world_counts *counts);

/** Time at the last complete step, s, from 0 at creation; 0 for NULL. */
DEM_API double dem_world_time(const dem_world *world);

/** A hash of the particles' ids, positions, velocities and spins and of time, bit by bit, that does
 * not depend on storage order.
 * @return DEM_OK or DEM_ERROR_ARGUMENT */
DEM_API dem_status dem_world_hash(const dem_world *world, uint64_t *hash);

/** Quantities that a view shows. */
enum {
    DEM_FIELD_POSITION = 0,         /**< [3] m, inside the box on periodic axes to within the
                                         largest diameter, reach and skin; read only */
    DEM_FIELD_VELOCITY = 1,         /**< [3] m/s; may be written, then call dem_world_touch_field */
    DEM_FIELD_ANGULAR_VELOCITY = 2, /**< [3] rad/s; may be written likewise */
    DEM_FIELD_FORCE = 3,            /**< [3] N, sum of contact forces of the last complete step,
                                         without gravity and external force; read only */
    DEM_FIELD_TORQUE = 4,           /**< [3] N m, sum of contact torques; read only */
    DEM_FIELD_EXTERNAL_FORCE = 5,   /**< [3] N, the host's; may be written likewise */
    DEM_FIELD_EXTERNAL_TORQUE = 6,  /**< [3] N m, the host's; may be written likewise */
    DEM_FIELD_RADIUS = 7            /**< [1] m; read only */
};

/** A window on the world's own memory. Stale after the next dem_step, add or remove. */
typedef struct dem_view {
    uint64_t struct_size; /**< sizeof(dem_view), set by the caller */
    void *data;           /**< doubles of the first row; NULL in an empty world */
    uint64_t stride;      /**< bytes from row to row */
    uint64_t count;       /**< rows */
    const uint64_t *id;   /**< [count] global ids of the rows; 0: the row's particle was removed
                               since the last step, skip the row */
    uint64_t generation;  /**< for dem_world_view_stale */
} dem_view;

/** Opens a view. Reading through it never changes the trajectory.
 * @param world the world
 * @param field DEM_FIELD_...
 * @param view out; struct_size must be set
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _UNKNOWN, _STRUCT_SIZE, _MEMORY */
DEM_API dem_status dem_world_view(dem_world *world, int32_t field, dem_view *view);

/** 1 if the view may not be used any more, 0 if it may; 1 for NULL. */
DEM_API int32_t dem_world_view_stale(const dem_world *world, const dem_view *view);

/** Tells the world that this field was written through a view; call it for each such field.
 *
 * The next step checks that what was written is finite. For velocities and spins, on which dashpots
 * depend, it also evaluates the contact forces once more before it moves anything, which costs
 * about as much as a step. External forces and torques do not enter contact forces: nothing is
 * evaluated anew, and the bits are those of dem_particle_set_force with the same values.
 *
 * So a fluid solver that reads velocities to compute drag names the field that it writes:
 *
 *     dem_world_view(world, DEM_FIELD_VELOCITY, &velocity);
 *     dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, &drag);
 *     ... reads velocity.data, writes drag.data ...
 *     dem_world_touch_field(world, DEM_FIELD_EXTERNAL_FORCE);
 *     dem_step(world, dt, 1);
 *
 * examples/drag is that program.
 * @param world the world
 * @param field DEM_FIELD_VELOCITY, _ANGULAR_VELOCITY, _EXTERNAL_FORCE or _EXTERNAL_TORQUE
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _UNKNOWN (no such field), _RANGE (a read-only one) */
DEM_API dem_status dem_world_touch_field(dem_world *world, int32_t field);

/** Tells the world that anything may have been written through a view: all that may be written is
 * checked at the next step, and where a view of velocities or spins was opened since the last step,
 * contact forces are evaluated once more, whether it was written or only read. For hosts that do
 * not know what was written; the others call dem_world_touch_field.
 * @return DEM_OK or DEM_ERROR_ARGUMENT */
DEM_API dem_status dem_world_touch(dem_world *world);

/** Gives the contacts of the last complete step one by one.
 *
 * Forces are those of the present positions, velocities and states; they differ from those that
 * moved the particles by the damping velocity's extrapolation error, O(dt^2).
 * @param world the world
 * @param cursor in and out: start with 0
 * @param contact out; struct_size must be set
 * @return DEM_OK; DEM_ERROR_RANGE when there is no further contact; DEM_ERROR_ARGUMENT,
 *  _STRUCT_SIZE */
DEM_API dem_status dem_world_contact_next(const dem_world *world, uint64_t *cursor,
                                          dem_contact *contact);

#ifdef __cplusplus
}
#endif
#endif
