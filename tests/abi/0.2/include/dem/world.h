/* SPDX-License-Identifier: MIT */
/**
 * @file world.h
 * Level 2: a world of spheres and walls that libdem owns and steps.
 *
 *     dem_world_config config;
 *     dem_world_config_init(&config);
 *     dem_world_create(&config, &world, &error);
 *     dem_material_set, dem_contact_model_set, dem_particle_add, dem_wall_add ...
 *     dem_step(world, dt, steps);
 *
 * A call that fails changes nothing, and dem_world_error says why. A step that fails is undone: the
 * world stays at the last complete step, and you can read it and continue. What evaluates forces at
 * the beginning of a first step, or after a change, stays: contacts that are there then have begun.
 * With DEM_SUMS_EXACT it may have rounded positions that you set to their grid.
 */
#ifndef DEM_WORLD_H
#define DEM_WORLD_H

#include "contact.h"
#include "integrator.h"
#include "mesh.h"
#include "wall.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A world. Opaque. */
typedef struct dem_world dem_world;

/** Handle of a particle. Sorting does not change it; removal makes it stale. Frozen layout. */
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
    uint64_t struct_size; /**< sizeof, set by dem_world_config_init */
    double gravity[3];    /**< m/s2; default 0 */
    double box_low[3];    /**< m, for periodic axes; default 0 */
    double box_high[3];   /**< m, > box_low on periodic axes; default 0. Such an axis must be longer
                               than the largest diameter plus the reach of the models (adhesion,
                               films, dem_law.reach) and what bodies move in a step */
    int32_t boundary[3];  /**< DEM_BOUNDARY_..., default open */
    int32_t integrator;   /**< DEM_INTEGRATOR_... but those of stages, default
                               DEM_INTEGRATOR_VERLET_SYNC; see dem_step */
    int32_t material_count;  /**< 1 to 1024; default 1 */
    int32_t reserved;        /**< zero */
    double skin;             /**< gap, m, up to which pairs are listed ahead; changes speed, and the
                                  order of sums, not the physics. 0 (default): a tenth of the
                                  smallest diameter; where sizes differ much, the finest particles
                                  do not count, an eighth of all at most. At most 1e150 */
    double overlap_limit;    /**< an overlap beyond this fraction of the smaller radius stops the
                                  step; in (0, 1], default 0.5 */
    dem_allocator allocator; /**< default: the C library's */
    dem_log log;             /**< default: silent */
    dem_executor executor;   /**< default: `threads` of the world's own; none of them is started
                                  where an executor is given */
    int32_t threads;         /**< without an executor: 1 (default) to 64, the calling one counted.
                                  The others are started by dem_world_create, sleep between calls,
                                  leave signals to your threads, and end with the world. A child
                                  that you fork between two calls does not have them: there the
                                  world steps on the calling thread alone, with the same bits, and
                                  may be destroyed */
    int32_t isa;             /**< DEM_ISA_..., default DEM_ISA_AUTO; all give the same bits */
    int32_t energy_tracking; /**< DEM_ENERGY_TRACKING_..., default DEM_ENERGY_TRACKING_FULL */
    int32_t reserved_end;    /**< zero */
    uint64_t host_doubles;   /**< doubles of your own that each particle carries, see
                                  DEM_FIELD_HOST; 0 (default) to 1024 */
    void *before_forces_user; /**< given to before_forces */
    /** Called in each step when bodies have moved and before the forces are computed, or NULL
     * (default); see coupling.h. A status other than DEM_OK stops the step, which is undone. */
    dem_status (*before_forces)(void *user, dem_world *world, double dt);
    void *contact_user; /**< given to contact_begin and contact_end */
    /** Called for each contact that begins in a step, or NULL (default): of two particles, or of a
     * particle and a wall or one feature of it, of which one is free. The calls come after the step
     * is complete, on the thread that called dem_step, in the order of id_i, id_j, feature and
     * image; those of contact_end come in between, in the same order. A step that is undone makes
     * no call. A contact that is there when forces are first evaluated begins then.
     *
     * dem_world_time is that of the end of the step; other calls on the world are refused: keep the
     * key, and look after dem_step. You are not told of contacts that end because you remove or
     * move a body, replace a model, rewind or restore. */
    void (*contact_begin)(void *user, const dem_contact_key *key);
    /** Likewise for each contact that ends in a step. */
    void (*contact_end)(void *user, const dem_contact_key *key);
    int32_t sums;           /**< DEM_SUMS_..., default DEM_SUMS_FIXED_ORDER. With DEM_SUMS_EXACT
                                 the bits do not depend on the skin, on the order of particles in
                                 memory, or on when the list is built; docs/determinism.md tells
                                 what it asks for */
    int32_t reserved_sums;  /**< zero */
    double force_range;     /**< with DEM_SUMS_EXACT: no component of a contact's force is larger,
                                 N; in [2^-900, 2^900], rounded up to a power of two. Else 0. A step
                                 that meets a larger one is DEM_ERROR_RANGE, and is undone. 16 times
                                 the largest elastic force leaves room for dashpots */
    double torque_range;    /**< likewise of a contact's torque about the centre of a particle, N m:
                                 force_range times the largest radius */
    int32_t polyhedron_law; /**< DEM_POLYHEDRON_LAW_..., default DEM_POLYHEDRON_LAW_VOLUME: the
                                elastic force of polyhedra on each other and on walls, with the E*
                                of Hertz's law. Bodies that rest on their faces want
                                _VOLUME_SQUARE; @ref polyhedra tells which suits what */
    int32_t reserved_polyhedron; /**< zero */
    double polyhedron_overlap; /**< x, in (0, 1], default 0.05: for _VOLUME_SQUARE and _LAYER. With
                                an overlap of x R spheres have the force of Hertz's law: K is
                                2 E* / (3 pi^2 x^(3/2) R^3), k is 4 E* / (3 pi x^(1/2) R) */
    uint64_t chunk_rows; /**< particles that a thread computes at a time: a multiple of 8 from 8 to
                              1024. 0 (default): as many as leave 24 such chunks, from 256 (8 with
                              polyhedra) to 1024. Less suits many threads (@ref performance); it
                              changes the order of sums, not the physics */
} dem_world_config;

/** Whether a world sums the energies of contacts. */
enum {
    DEM_ENERGY_TRACKING_FULL = 0, /**< elastic energy and all dissipation are summed (default) */
    DEM_ENERGY_TRACKING_OFF = 1 /**< they stay 0 in dem_world_energies; a step is cheaper, and what
                                a law keeps for them alone is missing from dem_contact.state */
};

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_world_config_init_sized(dem_world_config *config, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_world_config_init(dem_world_config *config)
{
    return dem_world_config_init_sized(config, sizeof(dem_world_config));
}

/** Creates an empty world. Set a model for each two materials that meet (dem_contact_model_set).
 * @param config copied
 * @param world out: owned by you; NULL on error
 * @param error message on failure, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN, _STRUCT_SIZE, _MEMORY (also where a thread
 *  could not be started) */
DEM_API dem_status dem_world_create(const dem_world_config *config, dem_world **world,
                                    dem_error *error);

/** Destroys a world and frees its memory. NULL does nothing. From a callback of the same world the
 * call does nothing and is logged: make it again after the running call returns. */
DEM_API void dem_world_destroy(dem_world *world);

/** Message of the last call on this world that failed; "" if none. Valid until the next call. May
 * be called from callbacks. */
DEM_API const char *dem_world_error(const dem_world *world);

/** Registers a law of your own; see dem_law.
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
DEM_API dem_status dem_material_set(dem_world *world, int32_t index, const dem_material *material);

/** Sets the model of two materials, in both orders. If you do it between steps, existing contacts
 * of the pair lose their history.
 * @param world the world
 * @param material_a 0 <= a < material_count
 * @param material_b 0 <= b < material_count; may equal a
 * @param model checked; its laws read their parameters now, and nothing of yours is kept. An empty
 *  model: no interaction
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN (law), _STRUCT_SIZE, _MEMORY, or what
 *  dem_law.combine of yours returns */
DEM_API dem_status dem_contact_model_set(dem_world *world, int32_t material_a, int32_t material_b,
                                         const dem_contact_model *model);

/** Reads what the laws computed from the parameters of a pair of materials, value by value.
 * @param world the world
 * @param material_a 0 <= a < material_count
 * @param material_b 0 <= b < material_count
 * @param index 0 for the first value, counted through all parts
 * @param value out; struct_size must be set
 * @return as dem_contact_history_pair_value */
DEM_API dem_status dem_world_pair_value(const dem_world *world, int32_t material_a,
                                        int32_t material_b, uint64_t index, dem_pair_value *value);

/** How a particle moves. Of two particles, or a particle and a wall, one must be free: others have
 * no contact. */
enum {
    DEM_MOBILITY_FREE = 0,     /**< by forces */
    DEM_MOBILITY_FIXED = 1,    /**< not at all */
    DEM_MOBILITY_KINEMATIC = 2 /**< with the velocities that you set */
};

/** A sphere. */
typedef struct dem_particle {
    uint64_t struct_size;       /**< sizeof, set by dem_particle_init */
    uint64_t id;                /**< global id, unique among particles and walls; 0 (default): the
                                     library takes the next free one. In output: the id */
    double position[3];         /**< m, within 1e150. In output: unwrapped on periodic axes */
    double velocity[3];         /**< m/s, within 1e150; must be 0 for DEM_MOBILITY_FIXED */
    double angular_velocity[3]; /**< rad/s; likewise */
    double radius;              /**< m, in (0, 1e150]; no default */
    double mass;                /**< kg, > 0; 0 (default): from the material's density. Masses from
                                     a density, and mass and moment of inertia of free ones, are
                                     from about 2^-1001 to 2^1000 */
    double contact_mass;        /**< kg: mass by which a fixed or kinematic particle enters m* of a
                                     contact, at least 2^-1001; 0 (default): infinite. Free ones use
                                     their mass */
    int32_t material;           /**< index; default 0 */
    int32_t mobility;           /**< DEM_MOBILITY_..., default free */
} dem_particle;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_particle_init_sized(dem_particle *particle, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_particle_init(dem_particle *particle)
{
    return dem_particle_init_sized(particle, sizeof(dem_particle));
}

/** Adds particles between steps; all of them or, on error, none.
 *
 * Along a periodic axis a position may be fewer than 2^28 = 268,435,456 periods from the box; a
 * particle that comes to be farther away makes dem_step fail with DEM_ERROR_RANGE and the
 * particle's id. A diameter must be shorter than each periodic axis. A world has fewer
 * than 2^31 rows: particles, parts of bodies, ghosts, and those removed since the last rebuild.
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
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_HANDLE, DEM_ERROR_STATE for a part of a body and
 * for a ghost */
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

/** Sets position and velocities of a particle. Contacts that still exist keep their history. A
 * value that is the same as before changes nothing.
 * @param world the world
 * @param handle which
 * @param position [3], m, within the limits of dem_particles_add, or NULL to leave it
 * @param velocity [3], m/s, or NULL to leave it; not for fixed particles
 * @param angular_velocity [3], rad/s, or NULL to leave it; not for fixed particles
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE (not finite, or too far), _STATE
 *  (velocities of a fixed particle; a part of a body; a ghost) */
DEM_API dem_status dem_particle_set_motion(dem_world *world, dem_particle_handle handle,
                                           const double position[3], const double velocity[3],
                                           const double angular_velocity[3]);

/** Sets the external force and torque on a particle. They act until you set others.
 * @param world the world
 * @param handle which
 * @param force [3], N, or NULL to leave it
 * @param torque [3], N m, or NULL to leave it
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE (not finite), _MEMORY */
DEM_API dem_status dem_particle_set_force(dem_world *world, dem_particle_handle handle,
                                          const double force[3], const double torque[3]);

/** Adds a wall.
 * @param world the world
 * @param wall copied
 * @param id out: the wall's id, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _UNKNOWN (shape, side), _RANGE, _DUPLICATE, _STRUCT_SIZE,
 * _MEMORY
 */
DEM_API dem_status dem_wall_add(dem_world *world, const dem_wall *wall, uint64_t *id);

/** Removes a wall with its contacts.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_HANDLE when no wall has the id */
DEM_API dem_status dem_wall_remove(dem_world *world, uint64_t id);

/** Reads a wall; struct_size of `wall` must be set.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _STRUCT_SIZE */
DEM_API dem_status dem_wall_get(const dem_world *world, uint64_t id, dem_wall *wall);

/** Sets a wall's velocity, m/s; its angular velocity stays. What is the same as before changes
 * nothing. Another velocity has the next step evaluate the forces first, which costs about as much
 * as a step.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE */
DEM_API dem_status dem_wall_set_velocity(dem_world *world, uint64_t id, const double velocity[3]);

/** Sets how a wall moves from the next step on. Each point of it has the velocity
 * `velocity` + `angular_velocity` x (point - centre of rotation), and the centre has `velocity`.
 *
 * What is the same as before changes nothing, but a pivot counts as another one. Another motion has
 * the next step evaluate the forces first, which costs about as much as a step.
 *
 * An angular velocity stays until you set another one. While its direction stays, points are on
 * their circle to round-off, and the angle is that of the sum of all steps, however many they are.
 * The force of a contact sees the surface where it touches.
 * @param world the world
 * @param id which wall
 * @param velocity [3], m/s, within 1e150, or NULL to leave it
 * @param angular_velocity [3], rad/s, within 1e150, or NULL to leave it
 * @param pivot [3], m, as dem_wall.pivot, or NULL to leave it
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE, _STATE (it seeks a torque), _MEMORY */
DEM_API dem_status dem_wall_set_motion(dem_world *world, uint64_t id, const double velocity[3],
                                       const double angular_velocity[3], const double pivot[3]);

/** A view: points into the memory of the world. It is stale after each dem_step, add or remove, and
 * perhaps after a dem_particle_set_force or after an add that failed, because memory may have
 * moved: ask dem_world_view_stale. */
typedef struct dem_view {
    uint64_t struct_size;  /**< sizeof(dem_view), set by the caller */
    void *data;            /**< doubles of the first row; NULL in an empty world */
    uint64_t stride;       /**< bytes from row to row */
    uint64_t count;        /**< rows */
    const uint64_t *id;    /**< [count] global ids of the rows; 0: the row's particle was removed
                                since the last step, skip the row */
    uint64_t generation;   /**< for dem_world_view_stale */
    const uint32_t *index; /**< of row 0: dem_particle_handle.index, which sorting does not change
                                and no two particles share; for arrays of your own with an element
                                for each particle. A particle that you add may get the index of one
                                that was removed. Of rows whose id is 0 it means nothing */
    uint64_t index_stride; /**< bytes from the index of a row to that of the next */
    uint64_t index_count;  /**< all indices are below it: the length of such arrays */
} dem_view;

/** Moves the vertices of a wall that is a mesh: a membrane, or a surface of finite elements. From
 * the first call on the wall has a copy of its mesh that is its own. In each step every vertex
 * moves by its velocity times dt; positions and velocities stay until you set others. Contacts see
 * the velocity of the surface, by the weights of the facet's vertices, and dem_wall.work has the
 * work.
 *
 * Positions and velocities are those in the coordinates of the mesh, which move with the wall.
 * Facets stay as they are; one that loses its area is not touched. The mesh that dem_wall_get tells
 * is the copy: dem_mesh_vertices of it are the present positions, until the next step. A step costs
 * some 100 ns more for each facet while vertices move, and 2 ns while all velocities are 0. The
 * first call for a wall ends a mark.
 * @param world the world
 * @param id which wall
 * @param positions [vertex_count][3], m, finite and at most 1e60, in the order of
 *  dem_mesh_vertices; or NULL to leave them
 * @param velocities [vertex_count][3], m/s, likewise; or NULL to leave them, 0 at first
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _STATE (it is no mesh), _RANGE, _MEMORY */
DEM_API dem_status dem_wall_set_vertices(dem_world *world, uint64_t id, const double *positions,
                                         const double *velocities);

/** What a view of a wall that is a mesh shows, see dem_wall_view. */
enum {
    DEM_FACET_FORCE = 0,       /**< 3 doubles a facet: force of the particles on it, N. A contact on
                                    an edge or at a vertex gives equal shares to its facets, and a
                                    polyhedron gives pressure to what of them is in it */
    DEM_FACET_WORK_NORMAL = 1, /**< 1 double a facet: sum over time of the size of normal force
                                  times normal speed of the contacts, J */
    DEM_FACET_WORK_SHEAR = 2,  /**< 1 double a facet: likewise of tangential force and velocity, J;
                                    a measure of wear */
    DEM_FACET_VERTEX_FORCE = 3 /**< 3 doubles a vertex: the forces by the weights of the facet's
                                    vertices, N; they have the same sum and moment, but see
                                    @ref polyhedra for those of polyhedra */
};

/** Opens a view of what particles and bodies do to a wall that is a mesh, facet by facet or vertex
 * by vertex, in the order of dem_mesh_facets and dem_mesh_vertices. It is read-only. It is stale
 * after a step and after the wall is removed, and may be so after another call that changes the
 * world: ask dem_world_view_stale. dem_view.id and dem_view.index are NULL.
 *
 * Forces are those of the last step, along the axes of the world; those of polyhedra are 0 from a
 * restore or an unpack to the next step. Works are summed from the first
 * view of one of them on, and are kept in snapshots; that first view ends a mark. A world without
 * such views has no cost.
 * @param world the world
 * @param id which wall
 * @param field DEM_FACET_...
 * @param view out; struct_size must be set
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _STATE (it is no mesh), _UNKNOWN, _STRUCT_SIZE,
 *  _MEMORY */
DEM_API dem_status dem_wall_view(dem_world *world, uint64_t id, int32_t field, dem_view *view);

/** What a wall may seek. */
enum {
    DEM_SERVO_FORCE = 1,   /**< a force; the wall moves along the direction */
    DEM_SERVO_TORQUE = 2,  /**< a torque; it turns about the direction, at its centre of rotation */
    DEM_SERVO_PRESSURE = 3 /**< a force over an area; the wall moves along the direction */
};

/** A wall that seeks a force, a torque or a pressure along a direction. Its speed in each step is
 * `gain` (`target` - that on the particles), at most `speed` either way; while nothing touches it
 * has all of `speed`, with the sign of the target. A pressure is the force along the direction over
 * `area`.
 */
typedef struct dem_wall_servo {
    uint64_t struct_size; /**< sizeof, set by dem_wall_servo_init */
    double direction[3];  /**< any length > 0, within 1e150; default +z */
    double target;        /**< of the wall on the particles along `direction`, N, N m or Pa, within
                               1e150, and so is the force for a pressure; default 0 */
    double gain;          /**< m/(s N), rad/(s N m) or m/(s Pa), 0 to 1e150. 0 (default, not for a
                               torque, nor with DEM_SUMS_EXACT, nor with laws that report neither
                               stiffness nor damping, where the next step refuses it): a
                               fifth of 1/(eta + k dt/2), with damping eta and stiffness k summed
                               over the contacts of the wall, beyond which it would be unstable */
    double speed;         /**< the largest, m/s or rad/s, in (0, 1e150]; no default */
    int32_t quantity;     /**< DEM_SERVO_; default DEM_SERVO_FORCE */
    int32_t reserved;     /**< zero */
    double area; /**< of a pressure, m2, within 1e150, else 0. 0 (default): one face of a disc,
                      without its hole, or of a rectangle; other shapes have no default */
} dem_wall_servo;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_wall_servo_init_sized(dem_wall_servo *servo, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_wall_servo_init(dem_wall_servo *servo)
{
    return dem_wall_servo_init_sized(servo, sizeof(dem_wall_servo));
}

/** Has a wall seek a force, a torque or a pressure from the next step on. It keeps the velocity
 * that you set across the direction; a wall that seeks a torque turns about no other axis.
 * @param world the world
 * @param id which wall
 * @param servo copied; NULL: the wall seeks nothing any more, and stands along the direction
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE, _UNKNOWN, _STRUCT_SIZE, _MEMORY */
DEM_API dem_status dem_wall_set_servo(dem_world *world, uint64_t id, const dem_wall_servo *servo);

/** Sets gravity, m/s2.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE */
DEM_API dem_status dem_world_gravity_set(dem_world *world, const double gravity[3]);

/** Advances the world.
 *
 * If you changed anything, the call first evaluates the forces, so the first step is as accurate as
 * the others. dt may change from call to call.
 *
 * **Missing models.** The call fails if a particle that is not fixed has one material, another
 * particle or a wall has the other, and the two materials have no model. It does not matter where
 * they are. Set an empty model if they do not interact.
 *
 * **Unstable dt.** The call fails if springs or dashpots of the laws are unstable at dt. It checks
 * this after dt, particles, walls or models changed: dem_law.limits gives the limit of the lightest
 * pair of each two materials, at speed 0. (dem_world_timestep_advise also has the limits that
 * depend on the impact speed.) The linear laws need dt < 2/(s eta/m* + sqrt((s eta/m*)^2 + k/m*)).
 * That is s eta dt/m* < 1 for a dashpot alone, and dt < 2/omega for a spring alone. Other laws need
 * the same, with k the slope where their springs are stiffest at that speed. s is 1 for
 * synchronized Verlet and leapfrog, whose dashpots see velocities extrapolated to t + dt. s is 1/2
 * for the other schemes, whose dashpots see the velocities that moved the positions. For accuracy
 * take a far smaller dt.
 *
 * This is the limit of a pair. Particles with z contacts have less, down to the z-th part for
 * dashpots and to the root of that for springs; beyond it energy grows unseen. The log gets a
 * warning where a contact lasts fewer than ten steps, or else where dt is above a quarter of the
 * pair's limit.
 *
 * **Symplectic Euler** kicks by dt with the forces of t, then drifts. Velocities and positions are
 * of the same time.
 *
 * **Leapfrog** kicks once a step, from the middle of the step before to the middle of this one,
 * also when dt changes, then drifts. Positions are those of synchronized Verlet to round-off.
 * - After a step, velocities and angular velocities are those of t - dt/2, half a step behind the
 *   positions. This holds where you read and where you set them: views, dem_particle_get,
 *   dem_particle_set_motion, particles added between steps. So you can write back what you read. If
 *   you know the velocity v at t, set v - a dt/2 with the acceleration a.
 * - The velocities that you set before the first step are those of t = 0, like the positions. So
 *   the first kick of a world is a half one.
 * - When you add, remove or move particles, set velocities or write them through a view, or change
 *   walls or models, the call evaluates the forces before the step. First it completes the half
 *   kick with the forces before the change, which brings velocities to the time of the positions.
 *   There they stay after dem_step(world, dt, 0). The kick of the next step is a half one, and
 *   after it velocities are half a step behind again.
 * - A force, torque or gravity that you set between two steps acts for the whole of the next kick,
 *   also for the half of it that lies before.
 * - Energies are those at the time of the positions: the sums add half a kick, and so does
 *   dem_world_contact_next. Neither changes the world. But work_fluid and dissipated_drag are sums
 *   up to the time of the velocities, so with a fluid the balance is of first order in dt.
 * - A step that is undone does not change how far velocities are behind. A snapshot keeps this
 *   time.
 *
 * Results have the same bits for any executor, and for one call of n steps as for n calls of one
 * step.
 *
 * A step that is undone may have built the neighbour list before it failed; one that lacked memory
 * for the list may have it built one step later. Then rows stand in another order, and without
 * DEM_SUMS_EXACT a particle beyond a periodic end is wrapped in another step, which rounds its
 * position. Contacts of bodies that you had moved apart by more than the skin may have ended. But
 * for that, later steps have the bits of a world in which no step failed.
 * @param world the world
 * @param dt time step > 0, s; the time stays within 1e300 s
 * @param steps number of steps; 0 only evaluates forces
 * @return DEM_OK; DEM_ERROR_ARGUMENT, _RANGE, _STATE (a model is missing, the world has ghosts, or
 *  what it has cannot step together, such as films and bodies: the message tells), _MEMORY,
 *  _DIVERGED, _OVERLAP, _FORMAT (a facet beside a polyhedron that has no area, or is there twice),
 *  _CALLBACK: the world stands at the last complete step, which dem_world_time tells */
DEM_API dem_status dem_step(dem_world *world, double dt, uint64_t steps);

/** Keeps the present state, for dem_world_rewind. A world has one mark: the last one. A mark and a
 * rewind cost about half a step together, and as much memory as rows and contacts take; later marks
 * use the memory again, and it is freed with the world. A world that is not marked has no such
 * cost.
 *
 * A coupling that repeats a time step until fluid and grains agree marks once and rewinds before
 * each repetition.
 * @param world the world
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _MEMORY: the mark before, if there is one, stays */
DEM_API dem_status dem_world_mark(dem_world *world);

/** Goes back to the mark. The world then has all bits that it had there, as after dem_world_restore
 * of a snapshot: particles, contacts, walls, external forces, gravity, densities, time, energies
 * and counters; later steps have the same bits as the first time. Handles and ids stay. Views
 * become stale. The mark stays: you can go back to it again.
 *
 * Particles, bodies and walls that are added, unpacked, removed or released, ghosts that are set
 * anew, models that are set, and a restore end the mark.
 * @param world the world
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_STATE (there is no mark) */
DEM_API dem_status dem_world_rewind(dem_world *world);

/** Frees what the world holds and does not need now: room for particles that were removed, for
 * pairs that are listed no more, for building lists, and for a mark where there is none. The next
 * rebuild of the list takes again what it needs. Nothing else changes: later steps have the same
 * bits. Views become stale.
 *
 * Rows of particles that were removed are free after the next step; call it then.
 * dem_world_counts.bytes tells what the world holds.
 * @param world the world
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_MEMORY: smaller blocks could not be had, and some
 *  of the memory was not freed */
DEM_API dem_status dem_world_shrink(dem_world *world);

/** Sums that describe a world's state. Energies balance: kinetic_translation + kinetic_rotation +
 * potential + elastic + dissipated_normal + dissipated_dashpot + dissipated_slip +
 * dissipated_rolling + dissipated_drag - work_external - work_boundary - work_fluid is constant to
 * the order of the scheme. Not so with polyhedra whose law does not conserve energy, see
 * DEM_POLYHEDRON_LAW_VOLUME, and not where you add, remove or set particles or bodies between
 * steps, remove a wall that is touched, set another gravity, or replace the model of contacts: what
 * that adds or takes is in no sum. Dissipation is a sum over contacts, never a remainder. */
typedef struct dem_world_energies {
    uint64_t struct_size;       /**< sizeof(dem_world_energies), set by the caller */
    double kinetic_translation; /**< of free particles and bodies, J */
    double kinetic_rotation;    /**< of free particles and bodies, J */
    double potential;           /**< of these in gravity, zero at the origin, J */
    double elastic;             /**< stored in contacts, J */
    double dissipated_normal;   /**< by normal dashpots since creation, J */
    double dissipated_dashpot;  /**< by tangential dashpots since creation, J */
    double dissipated_slip;     /**< by sliding since creation, J */
    double work_external;       /**< done by your forces and torques since creation, J */
    double work_boundary;       /**< done by kinematic particles and moving walls, J */
    double dissipated_rolling;  /**< by rolling and twisting resistance since creation, J */
    double work_fluid;          /**< done by the fluid of coupling.h: its force times its own
                                     velocity, since creation, J */
    double dissipated_drag;     /**< by that fluid's drag since creation, J */
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
    uint64_t contacts;    /**< after the last complete step; dem_particles_unpack and
                               dem_particles_release change it with the next one */
    uint64_t candidates;  /**< pairs that the neighbour list holds */
    uint64_t chunks;      /**< pieces of work of a step */
    uint64_t steps;       /**< complete steps since creation */
    uint64_t rebuilds;    /**< of the neighbour list since creation */
    uint64_t bytes;       /**< memory held, with the meshes of walls, each mesh once */
    uint64_t ghosts;      /**< particles of other worlds, see distribution.h; not in `particles` */
} dem_world_counts;

/** Reads the counters.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _STRUCT_SIZE */
DEM_API dem_status dem_world_counts_get(const dem_world *world, dem_world_counts *counts);

/** Time at the last complete step, s, from 0 at creation; 0 for NULL. */
DEM_API double dem_world_time(const dem_world *world);

/** A hash of time and of ids, positions, velocities and angular velocities of the particles, bit by
 * bit. It does not depend on the storage order.
 * @return DEM_OK or DEM_ERROR_ARGUMENT */
DEM_API dem_status dem_world_hash(const dem_world *world, uint64_t *hash);

/** Quantities that a view shows. */
enum {
    DEM_FIELD_POSITION = 0, /**< [3] m, inside the box on periodic axes to within the
                                 largest diameter, reach and skin from the next step on;
                                 read only */
    DEM_FIELD_VELOCITY = 1, /**< [3] m/s; may be written, then call dem_world_written_field */
    DEM_FIELD_ANGULAR_VELOCITY = 2, /**< [3] rad/s; may be written likewise */
    DEM_FIELD_FORCE = 3,            /**< [3] N, sum of contact forces of the last complete step,
                                         without gravity and external force; read only */
    DEM_FIELD_TORQUE = 4,           /**< [3] N m, sum of contact torques; read only */
    DEM_FIELD_EXTERNAL_FORCE = 5,   /**< [3] N, yours; may be written likewise */
    DEM_FIELD_EXTERNAL_TORQUE = 6,  /**< [3] N m, yours; may be written likewise */
    DEM_FIELD_RADIUS = 7,           /**< [1] m; read only */
    /* what a fluid does to particles; units, limits and how they act: coupling.h */
    DEM_FIELD_DRAG_COEFFICIENT = 8,        /**< [1] kg/s, >= 0; may be written likewise */
    DEM_FIELD_FLUID_VELOCITY = 9,          /**< [3] m/s; may be written likewise */
    DEM_FIELD_ROTATIONAL_DRAG = 10,        /**< [1] N m s, >= 0; may be written likewise */
    DEM_FIELD_FLUID_ANGULAR_VELOCITY = 11, /**< [3] rad/s; may be written likewise */
    /* sums since dem_world_impulses_reset, see coupling.h; read only */
    DEM_FIELD_DRAG_IMPULSE = 12,            /**< [3] N s, of the fluid on the particle */
    DEM_FIELD_DRAG_ANGULAR_IMPULSE = 13,    /**< [3] N m s, likewise */
    DEM_FIELD_CONTACT_IMPULSE = 14,         /**< [3] N s, of contacts on the particle */
    DEM_FIELD_CONTACT_ANGULAR_IMPULSE = 15, /**< [3] N m s, likewise */
    DEM_FIELD_HOST = 16,                    /**< [dem_world_config.host_doubles] yours, of any unit
                                                 and any bits; particles start with 0. The world
                                                 never looks at it: it stays with its particle when
                                                 rows are sorted, and is in snapshots and marks. You
                                                 may write it at any time between two steps */
    DEM_FIELD_ADDED_MASS = 17               /**< [1] kg, >= 0; may be written likewise, but not in
                                                 before_forces. How it acts: coupling.h */
};

/** Opens a view. Reading through it never changes the trajectory.
 * @param world the world
 * @param field DEM_FIELD_...
 * @param view out; struct_size must be set
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _UNKNOWN, _STRUCT_SIZE, _MEMORY; _STATE for impulses before
 *  dem_world_impulses_reset, for DEM_FIELD_HOST where dem_world_config.host_doubles is 0, for
 *  DEM_FIELD_ADDED_MASS in a world with bodies, and between the halves of a step */
DEM_API dem_status dem_world_view(dem_world *world, int32_t field, dem_view *view);

/** 1 if the view is stale, 0 if you may use it; 1 for NULL. */
DEM_API int32_t dem_world_view_stale(const dem_world *world, const dem_view *view);

/** Tells the world that you wrote this field through a view. Call it for each such field.
 *
 * The next step checks that the values are finite, and those of motion and of a fluid as their
 * fields say (within 1e150, coefficients >= 0, velocities of fixed particles 0).
 * - Velocities and angular velocities: dashpots depend on them. If any of them has other bits than
 *   when you opened the first view of them since the last step, the step first evaluates the
 *   contact forces again, which costs about as much as a step. These forces have the velocities at
 *   t, those of a step have velocities extrapolated to t. If you write back every velocity
 *   unchanged, nothing is evaluated and no bit changes. Call this after you wrote. A dem_step with
 *   0 steps after it evaluates in any case, and brings velocities that are behind positions to
 *   their time.
 * - DEM_FIELD_HOST: nothing is checked, and the call does nothing.
 * - DEM_FIELD_ADDED_MASS: where a value changed, contact forces are evaluated again.
 * - All others: contact forces do not depend on them, so nothing is evaluated again. The bits are
 *   those of dem_particle_set_force with the same values.
 *
 * A fluid solver that reads velocities names the field that it writes:
 *
 *     dem_world_view(world, DEM_FIELD_VELOCITY, &velocity);
 *     dem_world_view(world, DEM_FIELD_FLUID_VELOCITY, &fluid);
 *     ... reads velocity.data, writes fluid.data ...
 *     dem_world_written_field(world, DEM_FIELD_FLUID_VELOCITY);
 *     dem_step(world, dt, 50);
 *
 * examples/drag does this.
 * @param world the world
 * @param field DEM_FIELD_VELOCITY or another one that you may write
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _UNKNOWN (no such field), _RANGE (a read-only one),
 *  _STATE (motion or added mass in before_forces) */
DEM_API dem_status dem_world_written_field(dem_world *world, int32_t field);

/** Writes a whole field and compares it with the present values. If you write back the velocities
 * that you read, no bit of the trajectory changes, and no forces are evaluated again. On error no
 * row is written.
 * @param world the world
 * @param field DEM_FIELD_VELOCITY or another one that you may write
 * @param count rows, those of a view that is not stale (dem_view.count)
 * @param values [count][3], [count][1] or [count][host_doubles] as the field has it, in the order
 * of the view's rows, in the units of the field; rows whose id is 0 are skipped
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _UNKNOWN (no such field), _RANGE (a read-only one, another
 *  count, or a value that the field may not have), _STATE (motion of a fixed particle;
 *  DEM_FIELD_HOST without host_doubles; added mass with bodies), _MEMORY */
DEM_API dem_status dem_world_field_set(dem_world *world, int32_t field, uint64_t count,
                                       const double *values);

/** Tells the world that you may have written any field through a view. The next step checks all
 * fields that you may write; contact forces are evaluated again where velocities changed, as
 * dem_world_written_field tells. Views of velocities that you opened since the last step count as
 * written. If you know what you wrote, call dem_world_written_field.
 * @return DEM_OK or DEM_ERROR_ARGUMENT */
DEM_API dem_status dem_world_written(dem_world *world);

/** Reads the contacts of the last complete step one by one.
 *
 * The call computes the forces from the present positions, velocities and states, in batches. They
 * differ from those that moved the particles by the extrapolation error of the velocities for
 * dashpots, O(dt^2). Values that you wrote through a view count after dem_world_written_field. You
 * may change the world between two calls: contacts of a body that you removed are left out. After a
 * step the order differs, so start again with a cursor of 0. dem_world_contacts_read costs two
 * thirds as much. If the law of a contact fails, the cursor is behind that contact, so that you can
 * read on.
 * @param world the world
 * @param cursor in and out: start with 0
 * @param contact out; struct_size must be set
 * @return DEM_OK; DEM_ERROR_RANGE when there is no further contact, which sets no message;
 *  DEM_ERROR_ARGUMENT, _STRUCT_SIZE; _CALLBACK (a law of yours reports an error), _DIVERGED (a law
 *  gives what is not finite) */
DEM_API dem_status dem_world_contact_next(const dem_world *world, uint64_t *cursor,
                                          dem_contact *contact);

/** Your arrays for dem_world_contacts_read, with a row for each contact. Arrays that are NULL are
 * skipped. */
typedef struct dem_contact_arrays {
    uint64_t struct_size;     /**< sizeof, set by dem_contact_arrays_init */
    uint64_t capacity;        /**< rows of each array, > 0 */
    dem_contact_key *key;     /**< ids and periodic image */
    int32_t *material;        /**< [capacity][2], of i and j */
    double *overlap;          /**< [capacity], m; negative where there is a gap */
    double *point;            /**< [capacity][3], m: in the middle of the overlap, or on the wall;
                                   next to the position of i, or of j where i is a wall */
    double *normal;           /**< [capacity][3], unit, from j to i */
    double *force_normal;     /**< [capacity][3], on i, N */
    double *force_tangential; /**< [capacity][3], on i, N */
    double *state;            /**< [capacity][state_stride], the law's slots in order of
                                   declaration, then 0; slots beyond the stride are left out */
    uint64_t state_stride;    /**< doubles from row to row of `state`, > 0 where that is given */
    uint64_t *facet;          /**< [capacity], of the mesh that is touched; UINT64_MAX where there
                                   is none */
    double *weights;          /**< [capacity][3] of that facet's vertices, as
                                   dem_mesh_contacts.weights; 0 where there is none */
} dem_contact_arrays;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_contact_arrays_init_sized(dem_contact_arrays *arrays, uint64_t size);

/** Fills the defaults: no arrays. */
static inline dem_status dem_contact_arrays_init(dem_contact_arrays *arrays)
{
    return dem_contact_arrays_init_sized(arrays, sizeof(dem_contact_arrays));
}

/** Reads many contacts at once, with the bits, the order and the rules of dem_world_contact_next.
 *
 *     uint64_t cursor = 0, count;
 *     do {
 *         dem_world_contacts_read(world, &cursor, &arrays, &count);
 *         ... rows 0 to count - 1 ...
 *     } while (count == arrays.capacity);
 *
 * With a capacity above dem_world_counts.contacts one call reads all, if no parcel came or went
 * since the last step. examples/force_chains draws force chains with it.
 * @param world the world
 * @param cursor in and out: start with 0, or with that of dem_world_contact_next
 * @param arrays the arrays; rows from `count` on stay as they are
 * @param count out: number of rows filled; below the capacity when no contacts are left, or when
 * the law of the next one fails
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _STRUCT_SIZE; _RANGE where capacity or state_stride is 0;
 *  _CALLBACK, _DIVERGED as dem_world_contact_next */
DEM_API dem_status dem_world_contacts_read(const dem_world *world, uint64_t *cursor,
                                           const dem_contact_arrays *arrays, uint64_t *count);

#ifdef __cplusplus
}
#endif
#endif
