/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedron.h
 * Level 1: contacts of polyhedra, the solids inside closed meshes, convex or not.
 *
 * Two polyhedra that overlap have in common a solid of the volume V. Its surface has a part that
 * belongs to the first body and one that belongs to the second; between them runs a closed line,
 * made of the segments in which facets cross. Line and volume are the geometry of the contact. The
 * vector S = dV/dx, the change of V with a shift of the first body, has the length A, and the
 * normal is S/A up to the sign (Feng, Comput. Methods Appl. Mech. Eng. 373, 2021).
 *
 *     dem_polyhedron_create(&config, mesh, &stone, &error); // once for each shape
 *     dem_polyhedron_search_create(&search_config, &search, &error);
 *     ...
 *     dem_polyhedron_search_pair(search, &first, &second, &hint, &contact); // for each pair
 *     dem_polyhedron_force(&law, &contact, mass, &load, &error);
 *
 * Order, units and signs are those of contact.h: normals point from the second body to the first.
 */
#ifndef DEM_POLYHEDRON_H
#define DEM_POLYHEDRON_H

#include "base.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The shape of a polyhedron. Opaque, and constant after it was made: any number of threads may use
 * it at once. It counts its references. */
typedef struct dem_polyhedron dem_polyhedron;

/** The axes of a polyhedron. Their origin is the centre of mass. */
enum {
    DEM_POLYHEDRON_AXES_PRINCIPAL = 0, /**< default: the principal axes of inertia, which the
                                            kernels of rotation.h need */
    DEM_POLYHEDRON_AXES_MESH = 1       /**< those of the mesh */
};

/** How a polyhedron is made. */
typedef struct dem_polyhedron_config {
    uint64_t struct_size;    /**< sizeof, set by dem_polyhedron_config_init */
    int32_t axes;            /**< DEM_POLYHEDRON_AXES_..., default the principal ones */
    int32_t reserved;        /**< zero */
    dem_allocator allocator; /**< default: the C library's. The thread that drops the last reference
                                  calls release */
    dem_log log;             /**< default: silent. Not used after the polyhedron is made */
} dem_polyhedron_config;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_polyhedron_config_init_sized(dem_polyhedron_config *config, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_polyhedron_config_init(dem_polyhedron_config *config)
{
    return dem_polyhedron_config_init_sized(config, sizeof(dem_polyhedron_config));
}

/** Makes a polyhedron from a closed mesh, which is copied and moved into the axes of the body.
 * @param config what dem_polyhedron_config_init filled; copied
 * @param mesh as for dem_mesh_measure, and without degenerate facets; not needed afterwards
 * @param polyhedron out: the object, owned by you; NULL on error
 * @param error message on failure, or NULL. It names the first facet that is refused, and why
 * @return DEM_OK; DEM_ERROR_ARGUMENT; _UNKNOWN (axes); _MEMORY; and the errors of
 *  dem_mesh_measure */
DEM_API dem_status dem_polyhedron_create(const dem_polyhedron_config *config, const dem_mesh *mesh,
                                         dem_polyhedron **polyhedron, dem_error *error);

/** Adds a reference, which dem_polyhedron_destroy drops. Call it on any thread that holds a
 * reference. Returns the polyhedron; NULL for NULL. */
DEM_API dem_polyhedron *dem_polyhedron_retain(dem_polyhedron *polyhedron);

/** Drops a reference, on any thread. The last one destroys the polyhedron. NULL does nothing. */
DEM_API void dem_polyhedron_destroy(dem_polyhedron *polyhedron);

/** What a polyhedron is. */
typedef struct dem_polyhedron_properties {
    uint64_t struct_size;     /**< sizeof(dem_polyhedron_properties), set by the caller */
    uint64_t bytes;           /**< memory that it holds */
    double volume;            /**< m3 */
    double inertia[3];        /**< principal moments for the density 1, m5; with the axes of the
                                   mesh the diagonal of the tensor */
    double centre[3];         /**< of mass, in the coordinates of the mesh that you gave, m */
    double orientation[4];    /**< unit quaternion (w, x, y, z) that rotates the axes of the
                                   polyhedron to those of the mesh that you gave */
    double radius;            /**< distance of the farthest vertex from the centre, m */
    double equivalent_radius; /**< of the sphere with this volume, m */
} dem_polyhedron_properties;

/** Reads what a polyhedron is.
 * @param polyhedron the polyhedron
 * @param properties out; struct_size must be set
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_STRUCT_SIZE */
DEM_API dem_status dem_polyhedron_properties_get(const dem_polyhedron *polyhedron,
                                                 dem_polyhedron_properties *properties);

/** The mesh in the axes of the polyhedron. It lives as long as the polyhedron; retain it if you
 * need it longer. NULL for NULL. */
DEM_API dem_mesh *dem_polyhedron_mesh(const dem_polyhedron *polyhedron);

/** Finds contacts of polyhedra. Opaque. Use one from one thread at a time; searches of several
 * threads may share polyhedra. It allocates memory when it meets shapes larger than before. */
typedef struct dem_polyhedron_search dem_polyhedron_search;

/** How contacts of polyhedra are found. */
typedef struct dem_polyhedron_search_config {
    uint64_t struct_size;    /**< sizeof, set by dem_polyhedron_search_config_init */
    dem_allocator allocator; /**< default: the C library's */
    dem_log log;             /**< default: silent */
} dem_polyhedron_search_config;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_polyhedron_search_config_init_sized(dem_polyhedron_search_config *config,
                                                           uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_polyhedron_search_config_init(dem_polyhedron_search_config *config)
{
    return dem_polyhedron_search_config_init_sized(config, sizeof(dem_polyhedron_search_config));
}

/** Creates a search.
 * @param config what dem_polyhedron_search_config_init filled; copied
 * @param search out: the object, owned by you; NULL on error
 * @param error message on failure, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _STRUCT_SIZE or _MEMORY */
DEM_API dem_status dem_polyhedron_search_create(const dem_polyhedron_search_config *config,
                                                dem_polyhedron_search **search, dem_error *error);

/** Destroys a search. NULL does nothing. A call from a callback of the same search does nothing
 * either, and is logged. */
DEM_API void dem_polyhedron_search_destroy(dem_polyhedron_search *search);

/** Message of the last call on this search that failed; "" if none. Valid until the next call. */
DEM_API const char *dem_polyhedron_search_error(const dem_polyhedron_search *search);

/** A polyhedron, where it is and how it moves. */
typedef struct dem_polyhedron_motion {
    uint64_t struct_size;        /**< sizeof, set by dem_polyhedron_motion_init */
    const dem_polyhedron *shape; /**< no default */
    uint64_t id;                 /**< of the body; the two of a pair differ. No default */
    double position[3];          /**< of the centre of mass, m, default 0 */
    double orientation[4];       /**< unit quaternion (w, x, y, z) from the axes of the shape to
                                      space, default (1, 0, 0, 0) */
    double velocity[3];          /**< of the centre of mass, m/s, default 0 */
    double angular_velocity[3];  /**< in space, rad/s, default 0 */
} dem_polyhedron_motion;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_polyhedron_motion_init_sized(dem_polyhedron_motion *motion, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_polyhedron_motion_init(dem_polyhedron_motion *motion)
{
    return dem_polyhedron_motion_init_sized(motion, sizeof(dem_polyhedron_motion));
}

/** What makes the next search of a pair faster. Set it to 0 once and keep it with the pair. It
 * changes no bit of the contact, but where facets of the two coincide to round-off: there it may
 * decide whether the second body has to be shifted, and so whether coinciding faces touch. */
typedef struct dem_polyhedron_hint {
    double direction[3]; /**< in which the two were last seen side by side */
} dem_polyhedron_hint;

/** States of a pair. */
enum {
    DEM_POLYHEDRON_APART = 0,    /**< nothing in common */
    DEM_POLYHEDRON_TOUCHING = 1, /**< their surfaces cross */
    DEM_POLYHEDRON_CONTAINED = 2 /**< one is inside the other, and their surfaces do not cross: area
                                      and normal are 0, and no law exerts a force */
};

/** The contact of two polyhedra. All but `repeats` is 0 where they are apart. Several places where
 * they touch are one contact. */
typedef struct dem_polyhedron_contact {
    uint64_t struct_size; /**< sizeof(dem_polyhedron_contact), set by the caller */
    int32_t state;        /**< DEM_POLYHEDRON_APART, _TOUCHING or _CONTAINED */
    int32_t repeats;      /**< how often the second body had to be shifted by about 1e-11 of its
                               size, because facets, edges or vertices coincide */
    double volume;        /**< V, that they have in common, m3 */
    double area;          /**< A, of the projection of the line along the normal, m2 */
    double normal[3];    /**< unit, from the second body to the first; 0 where the area is 0, as are
                              point and arms. Bodies that pierce each other, each with both ends
                              out of the other, may have an area of 0 and a moment: no law exerts
                              it, volume_rate tells it */
    double point[3];     /**< of the axis of the force, as far along it as the line is in the mean,
                              m, from the centre of the first body */
    double arm_first[3]; /**< t, moment about the centre of the first body over the force: with a
                              normal force F its moment is F t, m. It has a part along the normal,
                              which no point of application explains */
    double arm_second[3]; /**< likewise of the second body, whose force is -F normal and whose
                               moment is -F t, m */
    double volume_rate;   /**< dV/dt, m3/s: -A (n.(v_1 - v_2) + t_1.w_1 - t_2.w_2) */
} dem_polyhedron_contact;

/** Finds the contact of two polyhedra.
 *
 * Signs of determinants decide which edge pierces which facet. A determinant that is 0 has the sign
 * that it has after a shift of the body of the greater id by (e, e^2, e^3), e > 0 and small without
 * limit. Where round-off makes signs contradict each other, the body is shifted by about 1e-11 of
 * its size, and the contact is found anew. The bodies in the other order give the same bits, with
 * the normal reversed.
 * @param search the search
 * @param first a body
 * @param second another body
 * @param hint of this pair, or NULL
 * @param contact out; struct_size must be set
 * @return DEM_OK; DEM_ERROR_ARGUMENT; _RANGE (an orientation); _DUPLICATE (ids); _DIVERGED (a
 *  position or velocity is not finite or beyond 1e100 m; or no shift gives a line that is closed);
 *  _STRUCT_SIZE, _MEMORY. On error nothing is written */
DEM_API dem_status dem_polyhedron_search_pair(dem_polyhedron_search *search,
                                              const dem_polyhedron_motion *first,
                                              const dem_polyhedron_motion *second,
                                              dem_polyhedron_hint *hint,
                                              dem_polyhedron_contact *contact);

/** Finds the contact of a polyhedron with a half space. dem_polyhedron_contact.arm_second is about
 * `point`, and `normal` of the contact is that of the plane. The state of a body that is wholly
 * behind the plane is DEM_POLYHEDRON_CONTAINED.
 * @param search the search
 * @param body the polyhedron
 * @param point [3] of the plane, m
 * @param normal [3] out of the half space, unit to 1e-6
 * @param velocity [3] of the plane at `point`, m/s; NULL: it stands
 * @param contact out; struct_size must be set
 * @return as dem_polyhedron_search_pair, but for _DUPLICATE; DEM_ERROR_RANGE also for the normal */
DEM_API dem_status dem_polyhedron_search_plane(dem_polyhedron_search *search,
                                               const dem_polyhedron_motion *body,
                                               const double point[3], const double normal[3],
                                               const double velocity[3],
                                               dem_polyhedron_contact *contact);

/** Laws for the normal force. V is the volume, A the area of the contact. Only the first two
 * conserve energy; with the others a collision may gain or lose some percent, for any time step. */
enum {
    /** default: F = U'(V) A with U = 8/15 E* pi^(-5/4) R^(-3/4) V^(5/4), which is Hertz's law for
     * two spheres with the effective radius R. Conserves energy for all shapes. Faces on faces are
     * stiff at touch: F grows as overlap^(1/4) */
    DEM_POLYHEDRON_LAW_VOLUME = 0,
    DEM_POLYHEDRON_LAW_VOLUME_SQUARE = 1, /**< F = U'(V) A with U = K V^2/2: linear in the overlap
                                               for faces on faces. Conserves energy */
    /** Hertz's law with the overlap 2V/A and the radius A^2/(4 pi V), which are exact for
     * paraboloids. For smooth bodies: with edges and corners it gains energy without bound */
    DEM_POLYHEDRON_LAW_DEPTH = 2,
    DEM_POLYHEDRON_LAW_MEAN_DEPTH = 3, /**< Hertz's law with the overlap V/A, the mean depth, and a
                                            given radius: what the contact time of Li et al.
                                            (Aerospace 9, 737, 2022) fits. Too soft by a factor
                                            of 2^(3/2) */
    DEM_POLYHEDRON_LAW_LAYER = 4 /**< the polygonal contact model (Hippmann, Multibody Syst. Dyn.
                                      12, 345, 2004): an elastic layer on a rigid body, F = k V with
                                      k = (1 - nu) E/((1 + nu) (1 - 2 nu) b) for the thickness b.
                                      Does not converge to Hertz's law */
};

/** A law and its parameters. */
typedef struct dem_polyhedron_law {
    uint64_t struct_size; /**< sizeof, set by dem_polyhedron_law_init */
    int32_t law;          /**< DEM_POLYHEDRON_LAW_..., default DEM_POLYHEDRON_LAW_VOLUME */
    int32_t reserved;     /**< zero */
    double modulus;       /**< > 0, no default. E*, Pa, 1/E* = (1 - nu_i^2)/E_i + (1 - nu_j^2)/E_j;
                               for _VOLUME_SQUARE K, Pa/m3; for _LAYER k, Pa/m */
    double radius; /**< effective radius R of the pair, m, > 0 for _VOLUME and _MEAN_DEPTH, of
                        no use to others; such as r_i r_j/(r_i + r_j) of
                        dem_polyhedron_properties.equivalent_radius */
    double damping_ratio; /**< zeta >= 0, default 0; for a restitution from
                               dem_kernel_damping_ratio_cut */
} dem_polyhedron_law;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_polyhedron_law_init_sized(dem_polyhedron_law *law, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_polyhedron_law_init(dem_polyhedron_law *law)
{
    return dem_polyhedron_law_init_sized(law, sizeof(dem_polyhedron_law));
}

/** What acts in a contact. All is 0 where the area is 0. */
typedef struct dem_polyhedron_load {
    uint64_t struct_size;    /**< sizeof(dem_polyhedron_load), set by the caller */
    double normal_force;     /**< with damping, N, >= 0 */
    double elastic_force;    /**< without, N */
    double energy;           /**< elastic, J; for laws without an energy that of a paraboloid */
    double damping;          /**< eta, kg/s: eta (dV/dt)/A is added to the elastic force */
    double force[3];         /**< on the first body, N; the second has the opposite one */
    double moment_first[3];  /**< on the first body about its centre, N m */
    double moment_second[3]; /**< on the second body about its centre, N m */
    double overlap;          /**< m, and */
    double radius;           /**< R, m, with which Hertz's law of this E* has the elastic force and
                                  the contact radius sqrt(A/(2 pi)): give them to
                                  dem_contacts_geometry for tangential parts. 0 for the laws without
                                  E* */
} dem_polyhedron_load;

/** Computes force and moments of a contact.
 *
 * With a damping ratio, eta = 2 zeta F sqrt(m* / (2U)): whatever the law, a head-on collision has
 * the restitution of dem_kernel_damping_ratio_cut, because the force is cut at 0. m* is m_1
 * m_2/(m_1 + m_2) with the masses of dem_polyhedron_mass; m_1 if the second body does not move.
 * @param law what dem_polyhedron_law_init filled
 * @param contact of dem_polyhedron_search_pair or _plane
 * @param mass m*, kg, > 0 with damping; not used without
 * @param load out; struct_size must be set
 * @param error message on failure, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN, _STRUCT_SIZE; _DIVERGED where force, energy
 *  or radius is not finite. On error nothing is written. Pure: call it on any thread */
DEM_API dem_status dem_polyhedron_force(const dem_polyhedron_law *law,
                                        const dem_polyhedron_contact *contact, double mass,
                                        dem_polyhedron_load *load, dem_error *error);

/** How heavy a body is along the normal of a contact: m/(1 + m t.I^-1 t), kg.
 * @param mass m, kg, > 0
 * @param inertia [3] principal moments, kg m2, > 0
 * @param orientation [4] unit quaternion from the principal axes to space
 * @param arm [3] t: dem_polyhedron_contact.arm_first or arm_second, m */
DEM_API double dem_polyhedron_mass(double mass, const double inertia[3],
                                   const double orientation[4], const double arm[3]);

#ifdef __cplusplus
}
#endif
#endif
