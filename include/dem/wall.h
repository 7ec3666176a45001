/* SPDX-License-Identifier: MIT */
/**
 * @file wall.h
 * Level 1: walls, the shapes that spheres touch.
 *
 * A world of level 2 takes a dem_wall and does all the rest: dem_wall_add of world.h. A host that
 * has particles of its own asks a dem_wall_search where they touch the wall:
 *
 *     dem_wall_init(&wall);
 *     wall.shape = DEM_SHAPE_CYLINDER;
 *     wall.side = DEM_SIDE_INSIDE;
 *     wall.size[0] = 0.5; // radius, m
 *     dem_wall_search_config_init(&config);
 *     dem_wall_search_create(&config, &wall, &search, &error);
 *     ...
 *     dem_wall_search_spheres(search, &spheres, &contacts); // in each step, after the drift
 *     input.pair_count = contacts.count;
 *     input.pairs = contacts.pairs;
 *     geometry.overlap = contacts.overlap; // likewise normal, point, radius
 *     dem_contact_history_slots(history, &input, &geometry, cosine, features);
 *     input.features = features;
 *     dem_contacts_evaluate_geometry(history, &input, &geometry, &totals);
 *
 * Keep contacts with walls in a history of their own. In one that has the pairs of particles, too,
 * each call ends what the other one listed, unless input.absent is DEM_ABSENT_KEEP: no spring of
 * friction would grow.
 */
#ifndef DEM_WALL_H
#define DEM_WALL_H

#include "base.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Shapes of walls. */
enum {
    /* generated from src/shapes/shapes.def: header */
    DEM_SHAPE_PLANE = 0,     /**< infinite plane, solid on the side away from its normal */
    DEM_SHAPE_DISC = 1,      /**< disc, with a hole or without */
    DEM_SHAPE_RECTANGLE = 2, /**< rectangle */
    DEM_SHAPE_BALL = 3,      /**< ball or spherical hollow */
    DEM_SHAPE_CYLINDER = 4,  /**< cylinder of finite height, or without ends */
    DEM_SHAPE_CONE = 5,      /**< cone, or frustum of one */
    DEM_SHAPE_BOX = 6,       /**< box */
    DEM_SHAPE_MESH = 7,      /**< triangle mesh */
    /* end of generated */
};

/** On which side of a wall the particles are. */
enum {
    DEM_SIDE_OUTSIDE = 0, /**< default: outside a solid, or in front of a plane, disc, rectangle */
    DEM_SIDE_INSIDE = 1,  /**< inside a hollow */
    DEM_SIDE_BOTH = 2     /**< on both sides of a thin shell */
};

/** Ends of a cylinder or cone that are left open, as bits. */
enum {
    DEM_OPEN_LOW = 1, /**< the end at -normal */
    DEM_OPEN_HIGH = 2 /**< the end at +normal */
};

/** A wall: a body of a DEM_SHAPE_ that no force moves. @ref walls has a page with the shapes, how
 * they touch spheres, and examples.
 *
 * | shape | point | normal | size, m | side |
 * |---|---|---|---|---|
 * | plane | any of it | to the particles | | outside |
 * | disc | centre | across it | radius, radius of a hole (0: none) | outside, both |
 * | rectangle | centre | across it | length along `axis`, length across it | outside, both |
 * | ball | centre | any | radius | all |
 * | cylinder | middle of the axis | along the axis | radius, height (0: no ends) | all |
 * | cone | middle of the axis | along the axis | radius low, height, radius high | all |
 * | box | centre | third edge | length along `axis`, across it, along `normal` | outside, inside |
 * | mesh | origin of its coordinates | its z axis; `axis`: x | | outside, both: no difference |
 */
typedef struct dem_wall {
    uint64_t struct_size; /**< sizeof, set by dem_wall_init */
    uint64_t id;          /**< as dem_particle.id, from the same space */
    double point[3];      /**< where it is, m: see the table; within 1e150, default 0 */
    double normal[3];     /**< see the table; any length > 0, made unit; default (0, 0, 1) */
    double velocity[3];   /**< m/s, of the centre of rotation; along a plane: a conveyor belt;
                               within 1e150, default 0 */
    int32_t material;     /**< index; default 0 */
    int32_t shape;        /**< DEM_SHAPE_; default DEM_SHAPE_PLANE */
    double force[3];      /**< output: what the particles exert on it, N */
    double size[3];       /**< lengths that the shape has, m, at most 1e150; 0 (default) for the
                               others */
    double axis[3];       /**< along the first length of a rectangle or a box, not along `normal`;
                               the part along `normal` is left out. 0 (default): one that the
                               library takes */
    int32_t side;         /**< DEM_SIDE_; default DEM_SIDE_OUTSIDE */
    int32_t open;         /**< DEM_OPEN_ bits of a cylinder or cone with DEM_SIDE_BOTH; default 0 */
    double impulse[3];    /**< output: sum of `force` over time since dem_world_impulses_reset, N s;
                               0 before the first one */
    double angular_velocity[3]; /**< rad/s, about the centre of rotation; within 1e150, default 0.
                                     It may turn by 1 rad in a step at most */
    double pivot[3];            /**< from `point` to the centre of rotation, m, within 1e150; it
                                     turns with the wall. Default 0: `point` is the centre */
    double torque[3];           /**< output: of the particles on it, about that centre, N m */
    double angular_impulse[3];  /**< output: as `impulse`, of `torque`, N m s */
    double work;                /**< output: of the wall on the particles since it was added, J */
    dem_mesh *mesh;     /**< surface of a DEM_SHAPE_MESH, NULL for the others. The world adds a
                             reference and drops it when the wall is removed or the world ends; in
                             output: the wall's, without one for you */
    double mesh_cosine; /**< of the least angle between the normals of two contacts of a sphere
                             with a mesh, as dem_mesh_search_config.cosine, in (0, 0.9999]; 0
                             (default): DEM_MESH_COSINE */
} dem_wall;

/** Fills the defaults for a struct of `size` bytes: a plane, normal +z through the origin. */
DEM_API dem_status dem_wall_init_sized(dem_wall *wall, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_wall_init(dem_wall *wall)
{
    return dem_wall_init_sized(wall, sizeof(dem_wall));
}

/** Finds contacts of spheres with one wall of any shape. Opaque. Use one from one thread at a time.
 */
typedef struct dem_wall_search dem_wall_search;

/** How contacts with a wall are found. */
typedef struct dem_wall_search_config {
    uint64_t struct_size;    /**< sizeof, set by dem_wall_search_config_init */
    dem_allocator allocator; /**< default: the C library's */
    dem_log log;             /**< default: silent */
} dem_wall_search_config;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_wall_search_config_init_sized(dem_wall_search_config *config, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_wall_search_config_init(dem_wall_search_config *config)
{
    return dem_wall_search_config_init_sized(config, sizeof(dem_wall_search_config));
}

/** Creates a search, which adds a reference to the mesh of a wall that has one.
 * @param config what dem_wall_search_config_init filled; copied
 * @param wall copied: shape, point, normal, size, axis, side, open, mesh and mesh_cosine. Its
 *  motion, id and material are not used
 * @param search out: the object, owned by you; NULL on error
 * @param error message on failure, or NULL. It names the member of dem_wall
 * @return DEM_OK; DEM_ERROR_ARGUMENT; _UNKNOWN (shape, side); _RANGE; _STRUCT_SIZE; _MEMORY */
DEM_API dem_status dem_wall_search_create(const dem_wall_search_config *config,
                                          const dem_wall *wall, dem_wall_search **search,
                                          dem_error *error);

/** Destroys a search. NULL does nothing. A call from a callback of the same search does nothing
 * either, and is logged. */
DEM_API void dem_wall_search_destroy(dem_wall_search *search);

/** Message of the last call on this search that failed; "" if none. Valid until the next call. */
DEM_API const char *dem_wall_search_error(const dem_wall_search *search);

/** Your spheres, and by how much the wall has moved from where its dem_wall has it. Spheres of a
 * periodic box are given where their image is. */
typedef struct dem_wall_spheres {
    uint64_t struct_size;     /**< sizeof, set by dem_wall_spheres_init */
    uint64_t count;           /**< number of spheres to look at; less than 2^32 */
    const uint32_t *rows;     /**< [count] rows of the arrays below; NULL: 0 to count - 1 */
    const double *position;   /**< [row][3], m */
    uint64_t position_stride; /**< bytes from row to row; 0: 3 doubles */
    const double *radius;     /**< [row], m, in [1e-150, 1e150] */
    double reach;             /**< gaps below this are found, too, for laws that act there; m, in
                                   [0, 1e150], default 0. Take what a sphere moves in a step: a
                                   contact that is listed until it is apart has its last losses
                                   counted */
    double displacement[3];   /**< of the wall's `point`, m; default 0 */
    double rotation[4];       /**< unit quaternion (w, x, y, z) that rotates the wall about its
                                   `point`; default (1, 0, 0, 0) */
    uint32_t wall_row;        /**< row that stands for the wall in dem_wall_contacts.pairs */
    int32_t reserved;         /**< zero */
} dem_wall_spheres;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_wall_spheres_init_sized(dem_wall_spheres *spheres, uint64_t size);

/** Fills the defaults: no spheres, the wall where its dem_wall has it. */
static inline dem_status dem_wall_spheres_init(dem_wall_spheres *spheres)
{
    return dem_wall_spheres_init_sized(spheres, sizeof(dem_wall_spheres));
}

/** Contacts that a search found, sphere by sphere. The arrays belong to the search and are valid
 * until the next call on it. Give them to dem_contacts_input and dem_contacts_geometry as they are.
 */
typedef struct dem_wall_contacts {
    uint64_t struct_size;  /**< sizeof(dem_wall_contacts), set by the caller */
    uint64_t count;        /**< number of contacts */
    const uint32_t *pairs; /**< [count][2] row of the sphere, wall_row */
    const double *overlap; /**< [count], m; negative for a gap */
    const double *normal;  /**< [count][3], unit, from the wall to the sphere */
    const double *point;   /**< [count][3], m: the nearest point of the surface */
    const double *radius;  /**< [count], R*, m, which knows the curvature of the wall */
    const uint32_t *facet; /**< [count] which face of a hollow: 0 the side of a cylinder or a cone,
                                1 and 2 its low and high end; 0 to 5 the faces of a box, low and
                                high along `axis`, across it and along `normal`; a facet of a mesh
                                that has the point; 0 for other shapes and from outside */
} dem_wall_contacts;

/** Finds the contacts of spheres with the wall. They are those of a world: from outside the nearest
 * point of the surface, in a hollow one for each face, on a mesh as dem_mesh_search_spheres finds
 * them.
 *
 * In dem_contacts_input the wall needs a row: give it an id of its own, mass 0, a position, the
 * velocity there and its angular velocity, and a radius that is larger than those of the spheres.
 * @param search of the wall
 * @param spheres where they are, and how the wall has moved
 * @param contacts out; struct_size must be set
 * @return DEM_OK; DEM_ERROR_ARGUMENT; _RANGE (the count, a radius, a stride, the reach, the
 *  rotation); _OVERLAP (a sphere is larger than the hollow that it is in); _DIVERGED (a position or
 *  a displacement is not finite or beyond 1e150 m); _STRUCT_SIZE, _UNKNOWN, _MEMORY */
DEM_API dem_status dem_wall_search_spheres(dem_wall_search *search, const dem_wall_spheres *spheres,
                                           dem_wall_contacts *contacts);

#ifdef __cplusplus
}
#endif
#endif
