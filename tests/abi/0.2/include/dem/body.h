/* SPDX-License-Identifier: MIT */
/**
 * @file body.h
 * Rigid bodies in a world: clumps of spheres, and polyhedra.
 *
 * A body has a pose, a mass, three principal moments of inertia, and parts. Its axes are the
 * principal ones, and their origin is its centre of mass. Parts are spheres or polyhedra that the
 * body carries; they may overlap. Forces on the parts move the body; parts of one body do not touch
 * each other.
 *
 * A part with dem_body_part.shape is a polyhedron. Its row has the radius of the sphere around it.
 * Polyhedra touch each other, walls and spheres; @ref polyhedra tells more. Of a mesh they touch
 * the outer side of its facets, with a contact for each face between sharp hollow edges
 * (dem_wall.mesh_cosine). A sphere touches at the point nearest to its centre, where its force
 * acts, and a polyhedron that is not convex at further points, as a wall that is a mesh
 * (DEM_MESH_COSINE): dem_contact_key.feature tells these contacts apart.
 *
 * The model of polyhedra begins with Hertz's law. A polyhedron has in it the radius of the sphere
 * of equal volume, and the force becomes U'(V) A, DEM_POLYHEDRON_LAW_VOLUME of polyhedron.h with
 * this E*, its energy U(V), and the restitution is the one you set. Tangential and further parts
 * see the contact radius sqrt(A/(2 pi)), rolling and twisting parts the R* of spheres of equal
 * volume. Forces act where the bodies touch, whatever dem_contact_model.lever_arm says.
 * dem_contact.overlap is the overlap at which Hertz's law has this force and this radius;
 * dem_world_config.overlap_limit is a limit of 2V/A.
 *
 * Beside polyhedra dem_step refuses, with DEM_ERROR_STATE, balls, thin shells, cylinders without
 * ends and meshes that were given to dem_wall_set_vertices, and, beside walls that are not planes,
 * polyhedra of several pieces, unless the model of their materials is empty. It stops with
 * DEM_ERROR_OVERLAP where one body is wholly inside another, or the centre of a sphere is.
 *
 * Each part is a row of the world, as a particle is: it is counted as a particle, has an id and a
 * handle, and is in views and hashes. The key of a contact has the ids of the two parts. You cannot
 * remove or move a part on its own, and velocities of parts that you write through a view are
 * replaced by those of the body. Forces that you set on a part act on its body at the part's
 * centre.
 *
 * Bodies rotate by the implicit midpoint rule of rotation.h. They need the default scheme,
 * DEM_INTEGRATOR_VERLET_SYNC, and a world without DEM_FIELD_ADDED_MASS. A fluid drags each part by
 * the fields of its row, see coupling.h. A body of one part has the bits of a particle; where a
 * fluid drags it, the two agree to round-off.
 */
#ifndef DEM_BODY_H
#define DEM_BODY_H

#include "polyhedron.h"
#include "rotation.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Names a body; stays valid while others come and go. */
typedef struct dem_body_handle {
    uint32_t index;      /**< place */
    uint32_t generation; /**< tells a body from others that had this place */
} dem_body_handle;

/** The mass by which a body enters m* of a contact, on which dashpots depend. */
enum {
    DEM_DAMPING_MASS_CONTACT = 0, /**< default: m/(1 + m t.I^-1 t), where t = d x n, d is the arm
                                       from the centre of mass to the part's centre and n the
                                       normal: the restitution you set is the one you measure if
                                       one part hits and there is no friction */
    DEM_DAMPING_MASS_BODY = 1     /**< the whole mass m, as other codes do */
};

/** A rigid body. */
typedef struct dem_body {
    uint64_t struct_size;       /**< sizeof, set by dem_body_init */
    uint64_t id;                /**< unique among bodies; 0 (default): the library takes the next
                                     free one. In output: the id */
    double position[3];         /**< m, of the centre of mass, within 1e150. In output: unwrapped */
    double orientation[4];      /**< quaternion, real part first, from the body's axes to space, of
                                     length 1 to 1e-6; default (1, 0, 0, 0) */
    double velocity[3];         /**< m/s, of the centre of mass, within 1e150; 0 for
                                     DEM_MOBILITY_FIXED */
    double angular_velocity[3]; /**< rad/s, in space; likewise */
    double mass;          /**< kg, > 0 for free bodies, from 2^-1001 to below 2^1000; no default */
    double inertia[3];    /**< kg m2, principal moments, likewise; none is larger than the sum
                               of the others */
    int32_t mobility;     /**< DEM_MOBILITY_..., default free. Bodies that are not free are
                               infinitely heavy in contacts; mass and inertia may be 0 */
    int32_t damping_mass; /**< DEM_DAMPING_MASS_..., default DEM_DAMPING_MASS_CONTACT */
} dem_body;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_body_init_sized(dem_body *body, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_body_init(dem_body *body)
{
    return dem_body_init_sized(body, sizeof(dem_body));
}

/** A sphere or a polyhedron that a body carries. */
typedef struct dem_body_part {
    uint64_t struct_size;  /**< sizeof, set by dem_body_part_init */
    double centre[3];      /**< m, in the body's axes, within 1e150 */
    double radius;         /**< m, > 0, no default; 0 with a shape */
    int32_t material;      /**< index; default 0 */
    int32_t reserved;      /**< must be 0 */
    dem_polyhedron *shape; /**< default NULL: a sphere. Else a polyhedron, whose origin is at
                                `centre` and whose axes are those of the body; the world keeps a
                                reference, to one object where several shapes are equal, such as
                                yours and one of a snapshot. Not in worlds with exact sums */
    uint64_t id;           /**< of the part's row, unique among particles and walls; 0 (default):
                                the library takes the next free one. Give it where the system is
                                cut into several worlds (distribution.h) */
} dem_body_part;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_body_part_init_sized(dem_body_part *part, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_body_part_init(dem_body_part *part)
{
    return dem_body_part_init_sized(part, sizeof(dem_body_part));
}

/** Measures a clump: mass, centre of mass and principal moments of a union of spheres, where
 * overlaps count once.
 *
 * You give the centres of the parts in your frame. Afterwards they are in the axes of the body, and
 * `body` has mass, inertia, and the position and orientation with which the parts are where you
 * gave them. The integration is exact to round-off for spheres that do not overlap, to 1e-7 for two
 * that do, and to about 1e-5 for more. Its cost grows with the third power of the number of parts.
 * @param density > 0, kg/m3
 * @param part_count number of parts, 1 to 256
 * @param parts [part_count], in and out; centres within 1e50 m, radii from 1e-50 to 1e50 m, and
 * none below 1e-8 of the distance that the clump reaches from its first part
 * @param body in: filled by dem_body_init; out: mass, inertia, position, orientation
 * @param uncertainty out: by how much the volume differs from that of half as many slices, over the
 *  volume; or NULL
 * @param error out, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _STRUCT_SIZE, _UNKNOWN (a reserved field that is not
 *  0); on error nothing is written */
DEM_API dem_status dem_clump_measure(double density, uint64_t part_count, dem_body_part *parts,
                                     dem_body *body, double *uncertainty, dem_error *error);

/** Adds a body with its parts between steps.
 *
 * Along periodic axes the box must be at least twice as long as the body reaches from its centre of
 * mass. The centre of mass of a free body lies within the bounds of its parts.
 * @param world the world
 * @param body the body
 * @param part_count number of parts, 1 to 2^20
 * @param parts [part_count], each with struct_size set to the same value
 * @param handle out, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN, _DUPLICATE (id of the body or of a part),
 *  _STRUCT_SIZE, _MEMORY; _STATE in a world with another scheme, or with added masses, and for a
 *  shape with exact sums */
DEM_API dem_status dem_body_add(dem_world *world, const dem_body *body, uint64_t part_count,
                                const dem_body_part *parts, dem_body_handle *handle);

/** Removes a body with its parts and their contacts; its handle becomes stale.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_HANDLE, DEM_ERROR_STATE (a ghost) */
DEM_API dem_status dem_body_remove(dem_world *world, dem_body_handle handle);

/** Finds the handle of an id.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_HANDLE when no body has it */
DEM_API dem_status dem_body_find(const dem_world *world, uint64_t id, dem_body_handle *handle);

/** Reads a body.
 * @param world the world
 * @param handle which
 * @param body out; struct_size must be set
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _STRUCT_SIZE */
DEM_API dem_status dem_body_get(const dem_world *world, dem_body_handle handle, dem_body *body);

/** Sets pose and velocities of a body. Contacts that still exist keep their history. A value that
 * is the same as before changes nothing. Where the body is moved so that places at which two
 * polyhedra touch merge or split, a contact that goes on keeps its own spring: no spring is shared
 * as in a step, the spring of one that ends is lost, and a new one begins without.
 * @param world the world
 * @param handle which
 * @param position [3], m, as in dem_body, or NULL to leave it
 * @param orientation [4], as in dem_body, or NULL to leave it; the angular velocity stays
 * @param velocity [3], m/s, or NULL to leave it; not for fixed bodies
 * @param angular_velocity [3], rad/s, or NULL to leave it; not for fixed bodies
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE, _STATE (velocities of a fixed body; a ghost)
 */
DEM_API dem_status dem_body_set_motion(dem_world *world, dem_body_handle handle,
                                       const double position[3], const double orientation[4],
                                       const double velocity[3], const double angular_velocity[3]);

/** Sets the external force and torque on a body, about its centre of mass. They act until you set
 * others.
 * @param world the world
 * @param handle which
 * @param force [3], N, or NULL to leave it
 * @param torque [3], N m, or NULL to leave it
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE, _STATE (a ghost) */
DEM_API dem_status dem_body_set_force(dem_world *world, dem_body_handle handle,
                                      const double force[3], const double torque[3]);

/** The handle of a part's row, for dem_particle_get and dem_particle_set_force.
 * @param world the world
 * @param handle which body
 * @param part number of the part, as given to dem_body_add
 * @param particle out
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _HANDLE, _RANGE */
DEM_API dem_status dem_body_part_find(const dem_world *world, dem_body_handle handle, uint64_t part,
                                      dem_particle_handle *particle);

/** Makes a polyhedron known to a world, for bodies that come from other worlds
 * (dem_particles_unpack): their bytes name a shape by its content, vertex by vertex and facet by
 * facet, and do not have it. Shapes that parts of bodies have here are known without this call. A
 * world keeps a reference for good; a shape that is known already changes nothing. A snapshot has
 * the shapes of its bodies alone: tell a new world that is restored the others again.
 * @param world the world
 * @param shape the polyhedron
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _MEMORY */
DEM_API dem_status dem_world_shape_know(dem_world *world, dem_polyhedron *shape);

/** Your arrays for dem_world_bodies_read, with a row for each body. Arrays that are NULL are
 * skipped. */
typedef struct dem_body_arrays {
    uint64_t struct_size;     /**< sizeof, set by dem_body_arrays_init */
    uint64_t capacity;        /**< rows of each array, > 0 */
    dem_body_handle *handle;  /**< [capacity] */
    uint64_t *id;             /**< [capacity] */
    double *position;         /**< [capacity][3], m, unwrapped */
    double *orientation;      /**< [capacity][4], real part first */
    double *velocity;         /**< [capacity][3], m/s */
    double *angular_velocity; /**< [capacity][3], rad/s, in space */
    double *force;            /**< [capacity][3], N, of contacts and yours, without gravity and
                                    drag */
    double *torque;           /**< [capacity][3], N m, likewise, about the centre of mass */
} dem_body_arrays;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_body_arrays_init_sized(dem_body_arrays *arrays, uint64_t size);

/** Fills the defaults: no arrays. */
static inline dem_status dem_body_arrays_init(dem_body_arrays *arrays)
{
    return dem_body_arrays_init_sized(arrays, sizeof(dem_body_arrays));
}

/** Reads many owned bodies at once, in the order of their handles.
 * @param world the world
 * @param cursor in and out: start with 0
 * @param arrays the arrays; rows from `count` on stay as they are
 * @param count out: number of rows filled; below the capacity when no bodies are left
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _STRUCT_SIZE; _RANGE where the capacity is 0 */
DEM_API dem_status dem_world_bodies_read(const dem_world *world, uint64_t *cursor,
                                         const dem_body_arrays *arrays, uint64_t *count);

#ifdef __cplusplus
}
#endif
#endif
