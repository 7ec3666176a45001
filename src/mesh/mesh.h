/* SPDX-License-Identifier: MIT */
/* A triangle mesh in its own frame: arrays that do not change once it is made. */
#ifndef DEMI_MESH_H
#define DEMI_MESH_H

#include "base/context.h"

#include <dem/mesh.h>

#include <math.h>

/* Facets of a leaf of the tree, and children of an inner box. */
enum { DEMI_MESH_LEAF = 2, DEMI_MESH_CHILDREN = 4, DEMI_MESH_LEVELS = 16 };

typedef struct demi_mesh_box {
    double low[3], high[3];
} demi_mesh_box;

/* A rectangle about a facet, whose sides are along its longest edge and across. Axes are rounded
 * ones, so that a plate is one line of the cache; it has a thickness for that, as a part of the
 * sides. */
typedef struct demi_mesh_plate {
    double middle[3], half[2]; /* sides: along, across */
    float normal[3], along[3];
} demi_mesh_plate;
#define DEMI_PLATE_THICKNESS 2e-7

/* Lists of facets: those of k are at [begin[k], begin[k + 1]). */
typedef struct demi_mesh_lists {
    DEMI_ARRAY(uint32_t) begin, facet;
} demi_mesh_lists;

struct dem_mesh {
    demi_context context;
    _Atomic uint64_t references;
    uint64_t vertex_count, facet_count, edge_count;
    DEMI_ARRAY(double) vertex;       /* [vertex_count][3] */
    DEMI_ARRAY(uint32_t) facet;      /* [facet_count][3] vertices */
    DEMI_ARRAY(uint32_t) facet_edge; /* [facet_count][3]: from vertex k to vertex k + 1 */
    DEMI_ARRAY(uint32_t)
    edge;                         /* [edge_count][2] vertices; the lexicographically smaller is
                                     first, so that all facets compute an edge alike */
    DEMI_ARRAY(uint32_t) defects; /* [facet_count] */
    DEMI_ARRAY(double) normal;    /* [facet_count][3] unit; 0 where degenerate */
    demi_mesh_lists of_edge, of_vertex;
    /* boxes of levels, the leaves first; leaf k has the facets order[4 k] to order[4 k + 3] */
    DEMI_ARRAY(uint32_t) order;
    DEMI_ARRAY(demi_mesh_box) box;
    DEMI_ARRAY(demi_mesh_plate) plate; /* of the facets in that order; none where vertices move */
    uint64_t level_begin[DEMI_MESH_LEVELS + 1];
    int level_count;
    double area, volume;
    int inside_out; /* closed, and all facets turned inwards: facet 0 is told as inverted */
    double extent;  /* the farthest that a vertex of a facet is from the origin */
    /* of a copy with vertices that move; others have none */
    DEMI_ARRAY(double) velocity; /* [vertex_count][3] */
    double speed;                /* the largest */
    dem_mesh *twin;              /* a copy that is the same in all that moving changes, and has this
                                    one as its twin; or NULL */
};

/* Writes vertices and facets of a new mesh, and their counts. */
typedef dem_status demi_mesh_source(dem_mesh *mesh, const void *argument);

/* The whole of a public function that makes a mesh: checks, arrays from `source`, all that follows
 * from them. */
dem_status demi_mesh_make(const dem_mesh_config *config, demi_mesh_source *source,
                          const void *argument, dem_mesh **mesh, dem_error *error);

/* Room for vertices and facets, of which those that are there are kept. */
dem_status demi_mesh_room(dem_mesh *mesh, uint64_t vertices, uint64_t facets);

/* Defects that a mesh may not have where it bounds a solid. Says which facet has one. */
enum {
    DEMI_MESH_NOT_SOLID =
        DEM_MESH_OPEN | DEM_MESH_INVERTED | DEM_MESH_NON_MANIFOLD | DEM_MESH_DUPLICATE
};
dem_status demi_mesh_refuse(const dem_mesh *mesh, uint32_t defects, dem_error *error);

/* Sources: the files in memory. */
typedef struct demi_mesh_bytes {
    const void *bytes;
    uint64_t size;
} demi_mesh_bytes;
demi_mesh_source demi_mesh_from_stl, demi_mesh_from_obj;

/* Steps of making a mesh. */
dem_status demi_mesh_weld(dem_mesh *mesh, double distance);
dem_status demi_mesh_normals(dem_mesh *mesh);
dem_status demi_mesh_edges(dem_mesh *mesh);
dem_status demi_mesh_tree(dem_mesh *mesh);
dem_status demi_mesh_find_defects(dem_mesh *mesh, double weld_distance);

static inline const double *demi_mesh_vertex(const dem_mesh *mesh, uint32_t vertex)
{
    return mesh->vertex.read + 3 * (uint64_t)vertex;
}

/* Normals, boxes and the extent anew, where vertices have moved; facets and edges stay. */
void demi_mesh_normals_again(dem_mesh *mesh);
/* Whether a facet has three vertices, and so edges; one that has not never gets an area. */
static inline int demi_mesh_cornered(const dem_mesh *mesh, uint64_t facet)
{
    const uint32_t *corner = mesh->facet.read + 3 * facet;
    return corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0];
}

/* Area and volume of the vertices as they are. */
void demi_mesh_sizes(const dem_mesh *mesh, double *area, double *volume);
void demi_mesh_boxes(dem_mesh *mesh);
dem_status demi_mesh_plates(dem_mesh *mesh);
void demi_mesh_extent(dem_mesh *mesh);

/* Normal, along and across. */
static inline void demi_mesh_plate_axes(const demi_mesh_plate *plate, double axis[3][3])
{
    for (int c = 0; c < 3; ++c) {
        axis[0][c] = plate->normal[c];
        axis[1][c] = plate->along[c];
    }
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        axis[2][c] = axis[0][d] * axis[1][e] - axis[0][e] * axis[1][d];
    }
}

/* No point of a plate is nearer than the root of this. */
static inline double demi_mesh_plate_square(const demi_mesh_plate *plate, const double point[3])
{
    double axis[3][3], square = 0.0;
    const double to[3] = {point[0] - plate->middle[0], point[1] - plate->middle[1],
                          point[2] - plate->middle[2]};
    const double half[3] = {DEMI_PLATE_THICKNESS * (plate->half[0] + plate->half[1]),
                            plate->half[0], plate->half[1]};
    demi_mesh_plate_axes(plate, axis);
    for (int a = 0; a < 3; ++a) {
        const double out =
            fabs(to[0] * axis[a][0] + to[1] * axis[a][1] + to[2] * axis[a][2]) - half[a];
        square += out > 0.0 ? out * out : 0.0;
    }
    return square * (1.0 - 1e-6); /* the axes are rounded */
}

/* The same of the facet at a place of that order; 0 where there are no plates. */
static inline double demi_mesh_place_square(const dem_mesh *mesh, uint64_t place,
                                            const double point[3])
{
    const demi_mesh_plate *plate = mesh->plate.read;
    return plate != NULL ? demi_mesh_plate_square(&plate[place], point) : 0.0;
}

/* Coordinates beyond this are refused. */
#define DEMI_MESH_COORDINATE_MOST 1e60

/* Calls `visit` for facets, among them each that is within `distance` of a point, until it returns
 * other than 0, which is returned. */
int demi_mesh_near(const dem_mesh *mesh, const double point[3], double distance,
                   int (*visit)(void *argument, uint32_t facet), void *argument);

/* Calls `visit` for facets, nearer leaves first, until none is left that may be within the distance
 * of a point that it returned last; `distance` is that before the first. It gets the place of a
 * facet in the order of the leaves, and the square of a distance within which nothing of it is. */
void demi_mesh_narrow(const dem_mesh *mesh, const double point[3], double distance,
                      double (*visit)(void *argument, uint64_t place, double square),
                      void *argument);

#endif
