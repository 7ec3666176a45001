/* SPDX-License-Identifier: MIT */
/* Polyhedra of a world: parts of bodies whose rows have the sphere around them. The list finds
 * pairs of such spheres; their contacts have the overlap and the radius with which Hertz's law has
 * the force U'(V) A of dem/polyhedron.h, so that all parts of a model act on them as on spheres. */
#ifndef DEMI_POLYHEDRA_H
#define DEMI_POLYHEDRA_H

#include "list/list.h"
#include "mesh/faces.h"
#include "mesh/overlap.h"
#include "shapes/facets.h"
#include "shapes/slots.h"
#include "world/idmap.h"
#include "world/workspace.h"

/* A contact as it is kept from step to step, with i and j as in its key. */
typedef struct demi_faceted_contact {
    double normal[3];       /* from j to i */
    double point[3];        /* from the centre of i; at a wall from that of the row */
    double overlap, radius; /* of Hertz's law; overlap 0: there is no contact */
    double twist;           /* moment along the normal over the normal force, m */
    double surplus;         /* of U(V) over the energy of Hertz's law */
    double depth;           /* 2V/A of this patch, which of a paraboloid is the overlap */
    double dashpot;         /* force of the normal dashpot at the end of the step, N */
} demi_faceted_contact;
_Static_assert(sizeof(demi_faceted_contact) == DEMI_FACETED_KEPT * sizeof(double),
               "a contact is kept as numbers");

/* What came of a search. */
enum {
    DEMI_FACETED_FOUND = 0,
    DEMI_FACETED_ROOM = 1,   /* there is room for fewer crossings than demi_overlap.wanted */
    DEMI_FACETED_OPEN = 2,   /* surfaces that cross in no closed line */
    DEMI_FACETED_INSIDE = 3, /* one is wholly inside the other, or they pierce each other */
    DEMI_FACETED_PATCHES = 4 /* there are more patches than slots */
};

/* Where two polyhedra touch at the end of a step, and contacts of the beginning. */
typedef struct demi_patches_call {
    uint32_t slots;
    const demi_faceted_contact *before[DEMI_PATCHES_MOST]; /* by slot; NULL: there was none */
    const double *state[DEMI_PATCHES_MOST];                /* of these, as the model has it */
    uint64_t count;
    demi_faceted_contact now[DEMI_PATCHES_MOST];
    double size[DEMI_PATCHES_MOST]; /* how far the border of these is from their points */
    double way; /* how far places of one body went along the other in the step, at most */
    uint32_t slot[DEMI_PATCHES_MOST]; /* of those that are now */
    /* by slot: the one of which it is split off, and the one with which it is merged, or
     * DEMI_PATCH_NONE */
    uint32_t from[DEMI_PATCHES_MOST], into[DEMI_PATCHES_MOST];
    /* by slot: its contact ended, and another one begins in the same step */
    int anew[DEMI_PATCHES_MOST];
    int forces;  /* the state of springs has their force */
    int32_t law; /* dem_world_config.polyhedron_law, and */
    double at;   /* polyhedron_overlap */
} demi_patches_call;

#define DEMI_PATCH_NONE UINT32_MAX

/* The spring of Mindlin's law with which a contact begins the step, where patches merged or split.
 * begin: of its state in that of the model. */
typedef struct demi_spring {
    int moved, forces;
    uint32_t begin;
    double displacement[3], stiffness, force[3];
} demi_spring;

/* What a thread searches with. The context has no memory but for messages. */
typedef struct demi_faceted_work {
    demi_context context;
    demi_overlap overlap;
    demi_patches_call patches;
    demi_faceted_contact contact[DEMI_PATCHES_MOST]; /* that were found, by slot */
} demi_faceted_work;

/* The faces of a wall that is no plane, and what they are of. */
typedef struct demi_wall_faces {
    demi_faces faces;
    int32_t shape, side;
    uint64_t sides; /* of what is round */
    double size[3];
    dem_mesh *mesh; /* of a wall that is a mesh, else NULL */
} demi_wall_faces;

/* Of a shape, where no one looked for the first part that has it. */
#define DEMI_PART_UNKNOWN UINT64_MAX

/* A shape of a world: all parts that have an equal one share it. */
typedef struct demi_known_shape {
    dem_polyhedron *shape; /* with a reference; NULL: a vacant place */
    uint64_t parts;        /* that have it */
    uint32_t told;         /* by dem_world_shape_know: it stays for good */
    uint32_t next;         /* 1 + the place of the next one of this name, or vacant one; 0: none */
    /* the first part that has it: the place of its body, times 2^32, plus its number there; or
     * DEMI_PART_UNKNOWN. Calls that read may fill it in. */
    _Atomic uint64_t first;
} demi_known_shape;

typedef struct demi_polyhedra {
    uint64_t parts; /* that are polyhedra */
    demi_overlap_sizes sizes;
    DEMI_ARRAY(demi_known_shape) known;
    demi_idmap names; /* the first place of each name in `known` */
    uint64_t known_count;
    uint32_t known_vacant; /* 1 + a vacant place, or 0 */
    int held;              /* shapes stay, though no part has them */
    uint64_t crossings;    /* that there is room for */
    uint64_t works;
    DEMI_ARRAY(demi_faceted_work) work; /* [works], one for each workspace */
    /* for each pair of the list, after that many rebuilds: where its ends were last seen side by
     * side, or 0; it saves time, and changes no bit */
    DEMI_ARRAY(dem_polyhedron_hint) hint;
    uint64_t hinted, hints;
    DEMI_ARRAY(unsigned char) census; /* of polyhedra_check.c */
    uint32_t slots;                   /* that the next list has, see demi_polyhedra_slots */
    int looked;                       /* at walls: the faces are there */
    /* of the facets of a face, for views of walls: those of the last contact, and 0 of others; by
     * key those of that contact, in ascending order; and room to sort these */
    DEMI_ARRAY(demi_facet_part) part;
    DEMI_ARRAY(demi_item) parted, parted_room;
    uint64_t parted_count;
    uint64_t faces_of;
    DEMI_ARRAY(demi_wall_faces) faces; /* [faces_of] of walls, or none */
} demi_polyhedra;

struct dem_world;
struct demi_state;

/* The contacts of a sphere with a polyhedron that is not convex, by slot. */
typedef struct demi_faceted_slots {
    const demi_faceted_contact *before[DEMI_SLOTS_MOST]; /* at the beginning of the step, or NULL */
    demi_faceted_contact contact[DEMI_SLOTS_MOST];
    unsigned char there[DEMI_SLOTS_MOST];  /* there is a contact, or was one */
    unsigned char merged[DEMI_SLOTS_MOST]; /* another one took its place while surfaces overlap */
    double within;          /* out: the overlap, where the centre is within the polyhedron; or 0 */
    uint64_t facets, slots; /* out: as of demi_slots_call */
} demi_faceted_slots;

/* A contact that is being made, or read: the one is of the next state, the other of the current. */
typedef struct demi_faceted_call {
    const struct dem_world *w;
    int next;
    double dt;
    double again; /* demi_kick_again */
} demi_faceted_call;

/* shapes_known.c: room for so many shapes that the world does not know yet; then a part gets a
 * shape, of which the world's own object is returned; a part leaves that had this object */
dem_status demi_shapes_reserve(struct dem_world *w, uint64_t more);
dem_polyhedron *demi_shape_add(struct dem_world *w, dem_polyhedron *shape);
void demi_shape_drop(struct dem_world *w, const dem_polyhedron *shape);
/* shapes_known.c: the entry of a shape that the world knows, or NULL; a shape of such a name */
demi_known_shape *demi_shape_find(const struct dem_world *w, const dem_polyhedron *shape);
dem_polyhedron *demi_shape_known(const struct dem_world *w, uint64_t name);
/* shapes_known.c: while they are held, shapes are known though the last part with them left */
void demi_shapes_hold(struct dem_world *w, int held);
/* shapes_known.c: tells a world of the shapes that another one was told of */
dem_status demi_shapes_tell(const struct dem_world *from, struct dem_world *to);
/* shapes_known.c: fills in the first part of each shape, and counts the shapes that parts have */
uint64_t demi_shapes_first_parts(const struct dem_world *w);
void demi_shapes_free(struct dem_world *w);
/* polyhedra.c: room to search with for all workspaces, and at least so many crossings; and for the
 * hints of the list */
dem_status demi_polyhedra_reserve(struct dem_world *w, uint64_t crossings);
demi_faceted_work *demi_faceted_work_of(const struct dem_world *w, const demi_workspace *workspace);
void demi_polyhedra_free(struct dem_world *w);
/* polyhedra.c: demi_body.faceted of a row with a shape, or NULL */
int16_t demi_faceted_of(const dem_polyhedron *shape);
/* polyhedra.c: meshes of such sizes are searched */
void demi_polyhedra_widen(struct dem_world *w, const dem_mesh *mesh);
/* polyhedra_faces.c: faces of the walls from begin to end that may meet polyhedra. faceted:
 * materials that have some */
dem_status demi_polyhedra_faces(struct dem_world *w, const unsigned char *faceted, uint64_t begin,
                                uint64_t end);
uint64_t demi_polyhedra_faces_bytes(const struct dem_world *w);
void demi_polyhedra_faces_free(struct dem_world *w);
/* polyhedra.c: slots that lists have for the contacts of a sphere and a polyhedron that is
 * not convex; lets the next list have one for a feature */
uint32_t demi_polyhedra_slots(const struct dem_world *w);
void demi_polyhedra_slots_have(struct dem_world *w, uint32_t feature);
/* polyhedra.c: why a step cannot go on; the result of a chunk */
struct demi_chunk_result;
dem_status demi_polyhedra_failed(struct dem_world *w, const struct demi_chunk_result *result);
/* polyhedra_check.c: refuses what cannot meet polyhedra yet */
dem_status demi_polyhedra_check(struct dem_world *w);
/* polyhedra_check.c: the faces of one wall, whatever the others are */
dem_status demi_polyhedra_check_wall(struct dem_world *w, uint64_t index);

/* polyhedra_find.c: the polyhedron of a row that has one */
const dem_polyhedron *demi_faceted_shape(const struct dem_world *w, uint64_t row);
/* polyhedra_find.c: finds the contacts of a pair in the next state: work->contact, by slot.
 * work->patches has its slots and the contacts that were. Tells what came of it. */
int demi_faceted_find(const struct dem_world *w, const demi_ends *ends, demi_faceted_work *work,
                      dem_polyhedron_hint *hint);
/* polyhedra_find.c: where there is no contact, what was before with an overlap of 0 */
void demi_faceted_none(const demi_faceted_contact *before, demi_faceted_contact *contact);
/* polyhedra_patches.c: gives each patch a slot; 0 where there are too few */
int demi_patches_match(demi_patches_call *call);
/* polyhedra_patches.c: lets merged and split patches have the energy that there was */
void demi_patches_factors(demi_patches_call *call, double radius);
/* polyhedra_patches.c: the springs of patches that merged or split, by slot, and the energy that
 * they lost with it; `state` is moved to where springs begin */
double demi_patches_springs(demi_patches_call *call, const demi_model *model,
                            demi_spring spring[DEMI_PATCHES_MOST]);
/* polyhedra_find.c: where the row of one end is in a state, as its pair meets it */
void demi_faceted_place(const struct dem_world *w, const struct demi_state *state,
                        const demi_ends *ends, int other, double x[3]);
/* polyhedra_spheres.c: finds the contacts of a sphere and a polyhedron that is not convex, whose
 * first slot the ends are of. Tells whether there was room. */
int demi_faceted_find_slots(const struct dem_world *w, const demi_ends *ends,
                            const demi_workspace *workspace, demi_faceted_slots *slots);
/* polyhedra_find.c: how many slots the list needs of a mesh, one for each face; 0 where it has
 * as many */
uint64_t demi_faceted_faces(const struct dem_world *w, const demi_ends *ends);
/* polyhedra_find.c: what of the facets of a face of a wall a polyhedron has inside in a state,
 * in w->polyhedra.part, which facets it lists; the face, or NULL where they do not touch */
const demi_face *demi_faceted_parts(struct dem_world *w, const struct demi_state *state,
                                    const demi_ends *ends, const demi_faceted_contact *contact);
/* polyhedra_find.c: the radius of the sphere around the smaller end */
double demi_faceted_least(const struct dem_world *w, const demi_ends *ends);

/* polyhedra_contact.c: fills lane k. before: as it was at the beginning of the step, or NULL */
void demi_faceted_lane(const demi_faceted_call *call, const demi_ends *ends,
                       const demi_faceted_contact *contact, const demi_faceted_contact *before,
                       demi_lanes *b, uint64_t k);
/* polyhedra_contact.c: adds the moments of the forces of lane k to its torques */
void demi_faceted_moments(const demi_faceted_call *call, const demi_ends *ends,
                          const demi_faceted_contact *contact, demi_lanes *b, uint64_t k);
/* polyhedra_contact.c: the energy of lane k that Hertz's law does not have */
double demi_faceted_energy(const demi_faceted_contact *contact, const demi_lanes *b, uint64_t k);
/* polyhedra_contact.c: how the force of lane k grows with the overlap, N/m: as that of a face, or
 * of the sphere that stands for it, whichever is more */
double demi_faceted_slope(const dem_world *w, const demi_faceted_contact *contact,
                          const demi_lanes *b, uint64_t k);
/* polyhedra_contact.c: what the dashpot of lane k took in a step. Hertz's law would tell its force
 * at the beginning from the present overlap and the velocity, which here do not tell it. */
double demi_faceted_dissipation(const demi_faceted_contact *contact,
                                const demi_faceted_contact *before, double dt, const demi_lanes *b,
                                uint64_t k);

#endif
