/* SPDX-License-Identifier: MIT */
/* The shape seam: what a sphere meets, other than another sphere of the world, is a solid, and a
 * row of the table answers for its shape. Whoever searches for pairs, computes contacts, reads them
 * or checks a world asks the row; nobody asks which shape it is.
 *
 * A shape consists of features, numbered from 0. A pair of the neighbour list is a row and a
 * feature; the key of a contact has a slot, which is 0 where a shape has one feature. */
#ifndef DEMI_SHAPE_H
#define DEMI_SHAPE_H

#include "base/context.h"

#include <dem/world.h>

/* Numbers of the rows. */
enum {
#define DEMI_SHAPE_OF_BODIES(name, NAME) DEMI_SHAPE_##NAME,
#define DEMI_SHAPE_OF_WALLS(name, NAME, text) DEMI_SHAPE_##NAME,
#include "shapes/shapes.def"
#undef DEMI_SHAPE_OF_BODIES
#undef DEMI_SHAPE_OF_WALLS
    DEMI_SHAPES
};

/* All features of a shape. */
#define DEMI_SHAPE_WHOLE UINT32_MAX

/* The outline of a shape that turns about its axis, see meridian.h. */
typedef struct demi_meridian {
    double low[2], high[2]; /* ends of the line: distance from the axis, height */
    int32_t cap_low, cap_high;
    int32_t endless; /* the line has no ends */
    int32_t side;    /* DEM_SIDE_ */
} demi_meridian;

/* A body of any shape at one moment. */
typedef struct demi_solid {
    double point[3], normal[3], velocity[3];
    double size[3]; /* as the shape's file says */
    double axis[3]; /* unit, across the normal; 0 where the shape has none */
    int32_t side;   /* DEM_SIDE_ */
    int32_t open;   /* DEM_OPEN_ */
    demi_meridian meridian;
    double angular_velocity[3];
    double centre[3]; /* of the rotation, moves with `velocity`; torques are about it */
    double rate;      /* size of the angular velocity, or less than 0 against its axis */
    uint64_t turn;    /* angle since the world fixed the axis, see integrate/turn.h */
    /* a triangle mesh, whose coordinates are those of demi_shape_local */
    dem_mesh *mesh;
    double cosine;  /* of the least angle between the normals of two contacts */
    uint32_t slots; /* features of the pairs with a sphere */
    /* vertices move: the mesh is a copy that this state of the solid alone has, of `rest`; they
     * moved by so much at most since the list was built */
    int32_t deforms;
    dem_mesh *rest;
    double deformed;
} demi_solid;

/* Copies a solid; one whose vertices move keeps its copy of the mesh. */
static inline void demi_solid_copy(demi_solid *to, const demi_solid *from)
{
    dem_mesh *mesh = from->deforms ? to->mesh : from->mesh;
    *to = *from;
    to->mesh = mesh;
}

/* The surface of a feature near the centre of a sphere. */
typedef struct demi_surface {
    double gap;          /* distance of the centre; negative behind the surface */
    double normal[3];    /* unit, to the centre */
    double velocity[3];  /* of the solid; of a solid that turns, see demi_shape_velocity */
    double curvature[2]; /* principal ones, 1/m; positive where the solid is convex */
} demi_surface;

/* What a rotation about `point` changes of a shape. */
enum {
    DEMI_ROUND_NOT = 0,  /* every rotation */
    DEMI_ROUND_AXIS = 1, /* but those about the normal */
    DEMI_ROUND_BALL = 2  /* none */
};

typedef struct demi_shape demi_shape;
struct demi_shape {
    const char *name;
    /* normals do not depend on the place: kinematics need not ask for those before the step */
    int32_t flat;
    int32_t sides;     /* bits 1 << DEM_SIDE_ of those that it offers */
    int32_t ends;      /* it may have open ends */
    int32_t round;     /* DEMI_ROUND_ */
    uint32_t features; /* the most that one has */
    /* features are slots: any of them may be anywhere, and contacts are told apart by what is kept
     * of them, see slots.h; else 0. So many doubles are kept. */
    uint32_t kept;
    /* Checks the lengths of a wall, and fills what only this shape has in a solid which has all
     * else. */
    dem_status (*make)(demi_context *context, const dem_wall *wall, demi_solid *solid);
    /* Bounds of a feature, or of DEMI_SHAPE_WHOLE: the least gap of any point in the box low..high,
     * or less than that. */
    double (*least_gap)(const demi_solid *solid, uint32_t feature, const double low[3],
                        const double high[3]);
    /* Which features lie near a box: those that a point in it may have nearer than `distance`, in
     * ascending order from number `first` on, until there is no more room; how many were written.
     */
    uint64_t (*near)(const demi_shape *shape, const demi_solid *solid, const double low[3],
                     const double high[3], double distance, uint32_t first, uint32_t *feature,
                     uint64_t room);
    /* The radius of a ball about `point` that holds the surface. */
    double (*extent)(const demi_solid *solid);
    /* A box that holds the surface, along axis, across it, and along the normal, from `point`; not
     * asked where `extent` is infinite. */
    void (*box)(const demi_solid *solid, double low[3], double high[3]);
    /* The radius of the largest sphere that fits inside, or more than that. */
    double (*room)(const demi_solid *solid);
    /* The area of one face, which makes a force of a pressure; NULL: the host has to give it. */
    double (*area)(const demi_solid *solid);
    /* The most by which the gap of any point decreases when the point moves by so much against the
     * solid. */
    double (*approach)(const demi_solid *solid, const double displacement[3]);
    /* The largest component of any normal along an axis, as a size. */
    double (*normal_along)(const demi_solid *solid, int axis);
    /* Curvatures of the surface at its most concave place, for limits on the time step. */
    void (*concave)(const demi_solid *solid, double curvature[2]);
    /* The surfaces near n points, each of a feature of a solid. Where a feature does not touch
     * from there, because another one counts or the point is behind it, its gap is
     * DEMI_SHAPE_APART, and the rest is what it would be. */
    void (*surface)(uint64_t n, const demi_solid *const *solid, const uint32_t *feature,
                    const double *const *point, demi_surface *out);
};

#define DEMI_SHAPE_OF_BODIES(name, NAME) extern const demi_shape demi_shape_##name;
#define DEMI_SHAPE_OF_WALLS(name, NAME, text) extern const demi_shape demi_shape_##name;
#include "shapes/shapes.def"
#undef DEMI_SHAPE_OF_BODIES
#undef DEMI_SHAPE_OF_WALLS

/* The rows, by number. */
extern const demi_shape *const demi_shapes[DEMI_SHAPES];

/* The row for a DEM_SHAPE_ value, or -1, and the value of a row of walls; the names of all that a
 * wall may have, for a message. */
int32_t demi_shape_of_wall(int32_t kind);
int32_t demi_shape_of_row(int32_t row);
const char *demi_shape_names(void);

/* R* of a sphere of this radius at a surface of these curvatures: 1/sqrt((1/r + k) (1/r + l)).
 * Where a hollow is as narrow as the sphere a factor is kept at a twentieth of 1/r, and at a tip
 * that is sharper at twenty times 1/r. */
double demi_shape_radius(const double curvature[2], double radius);

/* Copies a host's wall and finds the row of its shape; refuses its size, shape or point. */
dem_status demi_shape_wall_read(demi_context *context, const dem_wall *wall, dem_wall *in,
                                int32_t *row);
/* Refuses a vector of dem_wall that is not finite, or beyond DEMI_MOTION_MOST. */
dem_status demi_shape_bounded(demi_context *context, const char *member, const char *unit,
                              const double vector[3]);
/* Checks a wall of a row, of which point and velocity are checked already, and makes the solid. */
dem_status demi_shape_make(demi_context *context, int32_t row, const dem_wall *wall,
                           demi_solid *solid);
/* For `make`: refuses lengths that are not in (0, DEMI_MOTION_MOST] before number `needed`, those
 * that are neither that nor 0 before number `may`, and others that are not 0. */
dem_status demi_shape_lengths(demi_context *context, const char *shape, const dem_wall *wall,
                              int needed, int may);
/* Velocity of a solid at an arm from its centre of rotation. */
void demi_shape_velocity(const demi_solid *solid, const double arm[3], double velocity[3]);
/* By how much the directions of a solid differ from those it had before: no vector from its point
 * changes by more than this times its length. */
double demi_shape_turned(const demi_shape *shape, const demi_solid *before, const demi_solid *now);
/* The most by which the gap of a point decreases that was off a solid's point by `from`, and is by
 * `to` now, when the solid may have turned. */
double demi_shape_turned_approach(const demi_shape *shape, const demi_solid *before,
                                  const demi_solid *now, const double from[3], const double to[3]);
/* A gap at which nothing touches: radii and reaches are within 1e150, and its square is finite. Not
 * for arms, which would be as long. */
#define DEMI_SHAPE_APART 1e151
/* For thin shapes: puts a point apart that is behind one which touches only what is in front. */
void demi_shape_front(const demi_solid *solid, const double point[3], demi_surface *surface);
/* The coordinates of a point, and of a vector, along axis, across it, and along the normal; and a
 * vector from such coordinates. */
void demi_shape_local(const demi_solid *solid, const double point[3], double local[3]);
void demi_shape_along(const demi_solid *solid, const double vector[3], double local[3]);
void demi_shape_global(const demi_solid *solid, const double local[3], double vector[3]);
/* How much less the gap of a point in a box may be than that of its middle, at most. */
double demi_shape_box_slack(const demi_solid *solid, const double low[3], const double high[3]);
/* For `least_gap` of shapes with a bound of the gap at one point that changes by no more than the
 * point moves: the least over a box. */
typedef double demi_shape_bound(const demi_solid *solid, uint32_t feature, const double point[3]);
double demi_shape_least_gap(demi_shape_bound *bound, const demi_solid *solid, uint32_t feature,
                            const double low[3], const double high[3]);
/* For `box` of shapes that are size[0] by size[1] by size[2] about their point. */
void demi_shape_box_of_size(const demi_solid *solid, double low[3], double high[3]);
/* From where to where the surface may reach along an axis of space. */
void demi_shape_span(const demi_shape *shape, const demi_solid *solid, int axis, double *low,
                     double *high);
/* Whether a surface is farther from a box than a distance, by the ball about it. Not told of
 * hollows, whose walls touch what is beyond them, nor of slots, which have a search of their own.
 */
int demi_shape_away(const demi_shape *shape, const demi_solid *solid, const double low[3],
                    const double high[3], double distance);
/* For `extent` and `room` of shapes that have none. */
double demi_shape_infinite(const demi_solid *solid);
/* For `concave` of shapes without hollows, and `normal_along` of those with normals everywhere. */
void demi_shape_not_concave(const demi_solid *solid, double curvature[2]);
double demi_shape_normal_everywhere(const demi_solid *solid, int axis);
/* For `near` of shapes of few features. */
uint64_t demi_shape_near(const demi_shape *shape, const demi_solid *solid, const double low[3],
                         const double high[3], double distance, uint32_t first, uint32_t *feature,
                         uint64_t room);
/* For `approach` of shapes whose normals point everywhere. */
double demi_shape_approach(const demi_solid *solid, const double displacement[3]);

#endif
