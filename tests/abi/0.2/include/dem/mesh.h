/* SPDX-License-Identifier: MIT */
/**
 * @file mesh.h
 * Level 1: triangle meshes, surfaces of walls and bodies that are made of triangles.
 *
 * You make a mesh from arrays, or from an STL or OBJ file or buffer. It is checked, and does not
 * change afterwards. A dem_mesh_search finds the contacts of your spheres with it, and
 * dem_contact_history_slots of contact.h tells them apart from step to step:
 *
 *     dem_mesh_config_init(&config);
 *     config.scale = 0.001; // the file is in mm
 *     dem_mesh_create_file(&config, "hopper.stl", &mesh, &error);
 *     dem_mesh_search_create(&search_config, mesh, &search, &error);
 *     ...
 *     dem_mesh_search_spheres(search, &spheres, &contacts); // in each step, after the drift
 *     input.pair_count = contacts.count;
 *     input.pairs = contacts.pairs;
 *     geometry.overlap = contacts.overlap; // likewise normal, point, radius
 *     dem_contact_history_slots(history, &input, &geometry, cosine, features);
 *     input.features = features;
 *     dem_contacts_evaluate_geometry(history, &input, &geometry, &totals);
 *
 * The history is that of walls, see wall.h: pairs of particles have another one.
 *
 * A mesh of a wall needs no orientation and need not be closed: spheres touch a facet from both
 * sides.
 */
#ifndef DEM_MESH_H
#define DEM_MESH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A triangle mesh. Opaque, and constant after it was made: any number of threads may use it at
 * once. It counts its references. */
typedef struct dem_mesh dem_mesh;

/** Defects of a facet. A mesh may have any of them, unless dem_mesh_config.refused forbids it: for
 * a wall they do no harm, except that a degenerate facet is not there for contacts. */
enum {
    DEM_MESH_DEGENERATE = 1,   /**< without area: two vertices are one, or the facet is thinner than
                                    the round-off of its coordinates. Spheres do not touch it */
    DEM_MESH_DUPLICATE = 2,    /**< has the vertices of a facet before it, in any order. Its edges
                                    count for none of what follows */
    DEM_MESH_NON_MANIFOLD = 4, /**< has an edge that belongs to more than two facets */
    DEM_MESH_INVERTED = 8,     /**< has its outer side where most facets that are connected with it
                                    have their inner one. Also both facets of an edge at which a
                                    surface of one side, such as Moebius's strip, contradicts
                                    itself; and facet 0 of a closed mesh whose volume is negative:
                                    all of it is inside out */
    DEM_MESH_OPEN = 16,        /**< has an edge that belongs to no other facet */
    DEM_MESH_T_JOINT = 32,     /**< has an open edge on which the vertex of an open edge of another
                                    facet lies */
    DEM_MESH_DEFECTS_ALL = 63  /**< all of these */
};

/** How a mesh is made. */
typedef struct dem_mesh_config {
    uint64_t struct_size;    /**< sizeof, set by dem_mesh_config_init */
    uint32_t refused;        /**< sum of DEM_MESH_... defects that a mesh may not have, default 0. A
                                  polyhedron needs a mesh that has none but T_JOINT */
    int32_t reserved;        /**< zero */
    double weld_distance;    /**< vertices up to this far apart, after scaling, become one, the
                                  first of them, m; >= 0. Default 0: those with equal coordinates */
    double scale;            /**< factor of all coordinates, for files in other units: 0.001 for mm;
                                  > 0, default 1 */
    dem_allocator allocator; /**< default: the C library's. The thread that drops the last reference
                                  calls release */
    dem_log log;             /**< gets a warning if the mesh has defects; default: silent. Not used
                                  after the mesh is made */
} dem_mesh_config;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_mesh_config_init_sized(dem_mesh_config *config, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_mesh_config_init(dem_mesh_config *config)
{
    return dem_mesh_config_init_sized(config, sizeof(dem_mesh_config));
}

/** Makes a mesh from arrays.
 *
 * Coordinates must be finite, and at most 1e60 m after scaling. Vertices with equal coordinates
 * become one (dem_mesh_config.weld_distance), so vertex numbers may change; facets keep their
 * numbers.
 * @param config what dem_mesh_config_init filled; copied
 * @param vertices [vertex_count][3], m; copied
 * @param vertex_count less than 2^31
 * @param facets [facet_count][3] numbers of vertices, counterclockwise as seen from outside; copied
 * @param facet_count 1 to 2^30
 * @param mesh out: the object, owned by you; NULL on error
 * @param error message on failure, or NULL. It names the first facet that is refused, and why
 * @return DEM_OK; DEM_ERROR_ARGUMENT; _RANGE (a count, a coordinate, a vertex number, a member of
 *  the configuration); _FORMAT for a defect that is refused; _STRUCT_SIZE, _UNKNOWN, _MEMORY */
DEM_API dem_status dem_mesh_create(const dem_mesh_config *config, const double *vertices,
                                   uint64_t vertex_count, const uint32_t *facets,
                                   uint64_t facet_count, dem_mesh **mesh, dem_error *error);

/** Makes a mesh from the bytes of an STL file, binary or ASCII. A file whose size follows from its
 * facet count is binary; any other one that begins with "solid" is ASCII. The normals of the file
 * are not used: the vertices decide. Numbers of an ASCII file are read alike in every locale; its
 * lines end with LF, CR or both, and a mark of UTF-8 before the first is passed over.
 * @param config as in dem_mesh_create
 * @param bytes the file
 * @param size number of bytes
 * @param mesh out: the object, owned by you; NULL on error
 * @param error message on failure, or NULL. It names the line or the facet
 * @return as dem_mesh_create; DEM_ERROR_FORMAT also for data that are no STL or do not end where
 *  they should */
DEM_API dem_status dem_mesh_create_stl(const dem_mesh_config *config, const void *bytes,
                                       uint64_t size, dem_mesh **mesh, dem_error *error);

/** Makes a mesh from the bytes of a Wavefront OBJ file: its lines `v` and `f`. Others are ignored,
 * and so is what follows a #. Lines end as in dem_mesh_create_stl. A face of n vertices becomes
 * n - 2 facets around its first vertex, so it should be convex.
 * @param config as in dem_mesh_create
 * @param bytes the file
 * @param size number of bytes
 * @param mesh out: the object, owned by you; NULL on error
 * @param error message on failure, or NULL. It names the line or the facet
 * @return as dem_mesh_create; DEM_ERROR_FORMAT also for a line that cannot be read */
DEM_API dem_status dem_mesh_create_obj(const dem_mesh_config *config, const void *bytes,
                                       uint64_t size, dem_mesh **mesh, dem_error *error);

/** Makes a mesh from a file. Its name ends with .stl or .obj, in small or capital letters.
 * @param config as in dem_mesh_create
 * @param path of a regular file
 * @param mesh out: the object, owned by you; NULL on error
 * @param error message on failure, or NULL
 * @return as dem_mesh_create_stl and dem_mesh_create_obj; DEM_ERROR_FILE; DEM_ERROR_UNKNOWN for
 *  another ending */
DEM_API dem_status dem_mesh_create_file(const dem_mesh_config *config, const char *path,
                                        dem_mesh **mesh, dem_error *error);

/** Adds a reference: the mesh lives until each has been dropped with dem_mesh_destroy. Call it on
 * any thread that holds a reference. Returns the mesh; NULL for NULL. */
DEM_API dem_mesh *dem_mesh_retain(dem_mesh *mesh);

/** Drops a reference, on any thread. The last one destroys the mesh and frees its memory. NULL does
 * nothing. */
DEM_API void dem_mesh_destroy(dem_mesh *mesh);

/** What a mesh is. */
typedef struct dem_mesh_properties {
    uint64_t struct_size;  /**< sizeof(dem_mesh_properties), set by the caller */
    uint64_t vertex_count; /**< after welding */
    uint64_t facet_count;  /**< as given */
    uint64_t edge_count;   /**< each counted once */
    uint64_t bytes;        /**< memory that the mesh holds */
    uint32_t defects;      /**< sum of the DEM_MESH_... that some facet has */
    int32_t reserved;      /**< zero */
    double box_low[3];     /**< least coordinates, m */
    double box_high[3];    /**< greatest coordinates, m */
    double area;           /**< of all facets, m2 */
    double volume;         /**< inside a closed mesh, m3; without meaning for others */
} dem_mesh_properties;

/** Reads what a mesh is.
 * @param mesh the mesh
 * @param properties out; struct_size must be set
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_STRUCT_SIZE */
DEM_API dem_status dem_mesh_properties_get(const dem_mesh *mesh, dem_mesh_properties *properties);

/** The solid inside a closed mesh, of density 1: multiply volume and moments by your density. */
typedef struct dem_mesh_solid {
    uint64_t struct_size;  /**< sizeof(dem_mesh_solid), set by the caller */
    double volume;         /**< m3 */
    double centre[3];      /**< of mass, m, in the mesh's coordinates */
    double inertia[6];     /**< tensor about the centre, m5, in the mesh's coordinates: xx, yy, zz,
                                yz, xz, xy; products have the sign of the tensor, -int y z dV */
    double principal[3];   /**< principal moments, m5; none is larger than the sum of the others.
                                The mean of all where they are equal to 1e-10 */
    double orientation[4]; /**< unit quaternion (w, x, y, z) that rotates the principal axes to the
                                mesh's: give it to dem_body.orientation */
} dem_mesh_solid;

/** Measures the solid inside a closed mesh: volume, centre of mass and moments of inertia.
 *
 * The integrals are those of the polyhedron, exact up to round-off: the divergence theorem makes
 * them sums over facets (Mirtich, J. Graphics Tools 1 (2), 1996). Hollows within the mesh, whose
 * facets face into them, are subtracted.
 * @param mesh closed, with the outer sides of its facets outside
 * @param solid out; struct_size must be set
 * @param error message on failure, or NULL. It names the first facet that is refused, and why
 * @return DEM_OK; DEM_ERROR_ARGUMENT; _FORMAT where a facet is open, inverted, non-manifold or a
 *  duplicate; _RANGE where there is no volume, where a moment is below 0 because the surface
 *  crosses itself, or where volume or moment is no normal number; _STRUCT_SIZE. On error nothing
 *  is written */
DEM_API dem_status dem_mesh_measure(const dem_mesh *mesh, dem_mesh_solid *solid, dem_error *error);

/** The vertices, [vertex_count][3], m, after welding and scale. They live as long as the mesh. NULL
 * for NULL. */
DEM_API const double *dem_mesh_vertices(const dem_mesh *mesh);

/** The facets, [facet_count][3] numbers of vertices, in the order in which you gave them. They live
 * as long as the mesh. NULL for NULL. */
DEM_API const uint32_t *dem_mesh_facets(const dem_mesh *mesh);

/** The defects of each facet, [facet_count] sums of DEM_MESH_...; they live as long as the mesh.
 * NULL for NULL. */
DEM_API const uint32_t *dem_mesh_defects(const dem_mesh *mesh);

/** Finds contacts of spheres with one mesh. Opaque. Use one from one thread at a time; searches of
 * several threads may share a mesh. */
typedef struct dem_mesh_search dem_mesh_search;

/** Cosine of 15 degrees, the default of dem_mesh_search_config.cosine. */
#define DEM_MESH_COSINE 0.96592582628906829

/** How contacts with a mesh are found. */
typedef struct dem_mesh_search_config {
    uint64_t struct_size; /**< sizeof, set by dem_mesh_search_config_init */
    double cosine;        /**< of the least angle between the normals of two contacts of a sphere,
                               in (0, 0.9999]; default DEM_MESH_COSINE. The angle should be at
                               least acos(1 - overlap/r). Across concave edges flatter than it a
                               sphere has one contact, whose direction jumps by up to the angle */
    dem_allocator allocator; /**< default: the C library's */
    dem_log log;             /**< default: silent */
} dem_mesh_search_config;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_mesh_search_config_init_sized(dem_mesh_search_config *config, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_mesh_search_config_init(dem_mesh_search_config *config)
{
    return dem_mesh_search_config_init_sized(config, sizeof(dem_mesh_search_config));
}

/** Creates a search, which adds a reference to the mesh.
 * @param config what dem_mesh_search_config_init filled; copied
 * @param mesh in which contacts are looked for
 * @param search out: the object, owned by you; NULL on error
 * @param error message on failure, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _STRUCT_SIZE or _MEMORY */
DEM_API dem_status dem_mesh_search_create(const dem_mesh_search_config *config, dem_mesh *mesh,
                                          dem_mesh_search **search, dem_error *error);

/** Destroys a search and drops its reference. NULL does nothing. A call from a callback of the same
 * search does nothing either, and is logged. */
DEM_API void dem_mesh_search_destroy(dem_mesh_search *search);

/** Message of the last call on this search that failed; "" if none. Valid until the next call. */
DEM_API const char *dem_mesh_search_error(const dem_mesh_search *search);

/** Your spheres, and where the mesh is. Spheres of a periodic box are given where their image is.
 */
typedef struct dem_mesh_spheres {
    uint64_t struct_size;       /**< sizeof, set by dem_mesh_spheres_init */
    uint64_t count;             /**< number of spheres to look at; less than 2^32 */
    const uint32_t *rows;       /**< [count] rows of the arrays below; NULL: 0 to count - 1 */
    const double *position;     /**< [row][3], m */
    uint64_t position_stride;   /**< bytes from row to row; 0: 3 doubles */
    const double *radius;       /**< [row], m, in [1e-150, 1e150] */
    double reach;               /**< gaps below this are found, too, for laws that act there; m, in
                                     [0, 1e150], default 0. Take what a sphere moves in a step: a
                                     contact that is listed until it is apart has its last losses
                                     counted */
    double mesh_position[3];    /**< of the origin of the mesh's coordinates, m; default 0 */
    double mesh_orientation[4]; /**< unit quaternion (w, x, y, z) that rotates the mesh; default
                                     (1, 0, 0, 0) */
    uint32_t mesh_row;          /**< row that stands for the mesh in dem_mesh_contacts.pairs */
    int32_t reserved;           /**< zero */
} dem_mesh_spheres;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_mesh_spheres_init_sized(dem_mesh_spheres *spheres, uint64_t size);

/** Fills the defaults: no spheres, the mesh where its coordinates are. */
static inline dem_status dem_mesh_spheres_init(dem_mesh_spheres *spheres)
{
    return dem_mesh_spheres_init_sized(spheres, sizeof(dem_mesh_spheres));
}

/** Parts of a facet on which a contact may be. */
enum {
    DEM_MESH_FACE = 0,  /**< inside the facet */
    DEM_MESH_EDGE = 1,  /**< on an edge */
    DEM_MESH_VERTEX = 2 /**< at a vertex */
};

/** Contacts that a search found, sphere by sphere, the deepest of each first. The arrays belong to
 * the search and are valid until the next call on it. Give them to dem_contacts_input and
 * dem_contacts_geometry as they are. */
typedef struct dem_mesh_contacts {
    uint64_t struct_size;  /**< sizeof(dem_mesh_contacts), set by the caller */
    uint64_t count;        /**< number of contacts */
    const uint32_t *pairs; /**< [count][2] row of the sphere, mesh_row */
    const double *overlap; /**< [count], m; negative for a gap */
    const double *normal;  /**< [count][3], unit, from the mesh to the sphere */
    const double *point;   /**< [count][3], m: the nearest point of the mesh */
    const double *radius;  /**< [count], R*, m: the radius of the sphere */
    const double *weights; /**< [count][3] of the facet's vertices; their sum is 1. They share a
                                force on the facet out to its vertices */
    const uint32_t *facet; /**< [count] a facet that has the point */
    const int32_t *region; /**< [count] DEM_MESH_FACE, _EDGE or _VERTEX of that facet */
} dem_mesh_contacts;

/** Finds the contacts of spheres with the mesh.
 *
 * The deepest point of the mesh always is a contact. A further one is a local minimum of the
 * distance whose normal differs from those of all deeper ones by more than the angle of
 * dem_mesh_search_config. So a flat floor of any facets is one contact, and a corner has one for
 * each side. The order of the facets and duplicates of them change no bit of overlap, normal and
 * point. Where two normals of the surface cross the angle a contact appears or ends with an
 * overlap: energy is not conserved there.
 *
 * In dem_contacts_input the mesh needs a row: give it an id of its own, mass 0, the velocity of its
 * origin and its angular velocity, and a radius that is larger than those of the spheres.
 * @param search of the mesh
 * @param spheres where they are, and where the mesh is
 * @param contacts out; struct_size must be set
 * @return DEM_OK; DEM_ERROR_ARGUMENT; _RANGE (a radius, a stride, the count, the reach, the
 *  orientation);
 *  _DIVERGED (a position is not finite or beyond 1e150 m); _STRUCT_SIZE, _UNKNOWN, _MEMORY */
DEM_API dem_status dem_mesh_search_spheres(dem_mesh_search *search, const dem_mesh_spheres *spheres,
                                           dem_mesh_contacts *contacts);

#ifdef __cplusplus
}
#endif
#endif
