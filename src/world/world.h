/* SPDX-License-Identifier: MIT */
/* The data of a world.
 *
 * What a step changes exists twice: `current` is the last complete step, `next` is where the next
 * one is made. A step that succeeds exchanges them; one that fails does not, and nothing is lost.
 * In a call of many steps `next` may share its memory with `current`: see in_place.h.
 * Rows are particles in storage order, sorted in space whenever the list is rebuilt. */
#ifndef DEMI_WORLD_H
#define DEMI_WORLD_H

#include "base/context.h"
#include "contact/lanes.h"
#include "integrate/schemes.h"
#include "mesh/near.h"
#include "list/build.h"
#include "world/exact.h"
#include "world/idmap.h"
#include "world/mark.h"
#include "world/polyhedra.h"
#include "world/rigid.h"
#include "world/workspace.h"

#include <dem/body.h>
#include <dem/world.h>

#include <string.h>

typedef struct demi_handle {
    uint32_t row;        /* or the next free handle */
    uint32_t generation; /* odd while in use */
} demi_handle;

/* What neither steps nor lists ask of a particle. */
typedef struct demi_particle {
    double mass;
    uint32_t handle;
    uint32_t part; /* of a part of a body: which one of its body */
} demi_particle;

/* What a chunk reports of a phase. */
typedef struct demi_chunk_result {
    dem_status status;
    uint32_t full;    /* contacts lack room for their states: see contact_room.c */
    uint64_t pair;    /* or row, where status is not DEM_OK */
    double value;     /* the overlap that was too large */
    const char *what; /* the quantity that stopped being finite, or the law's name */
    double displacement_bound,
        displacement; /* bounds: of a row from where the mean velocity took it; in this step */
    demi_totals totals;
    double work_external, work_boundary;
    double work_fluid, dissipated_drag;
    double bound_before, gain, angular_velocity; /* of flight.c */
    double film_moved;      /* the most by which films changed a displacement */
    uint64_t facets, slots; /* that a sphere on a mesh needs, where there is no room for them */
    uint64_t crossings;     /* likewise, that two polyhedra need */
    int32_t faceted;        /* DEMI_FACETED_: why polyhedra stopped the chunk */
    int32_t driven;         /* a row moves as it was told, and is worked on */
    int32_t narrow;         /* contacts may soon lack room */
    dem_status returned;    /* by the law that failed */
    double bound_kept;      /* of in_place.c */
    double work_fluid_ahead, dissipated_drag_ahead; /* see demi_phase_call.ahead */
} demi_chunk_result;

/* On a wall, laid out as demi_force_torque of the copied rows that it is the sum of: in the last
 * places, where somebody asks for them, sums over the contacts. */
typedef struct demi_wall_force {
    double force[3], stiffness;
    double torque[3], damping; /* torque: about the wall's centre */
} demi_wall_force;

/* How the pose of a wall that turns, or did, follows from its angle. */
typedef struct demi_wall_turning {
    double axis[3]; /* unit; 0: the wall never turned */
    double length;  /* from the centre to the wall's point */
    /* normal, axis of the shape, and point from the centre, each by what it has along the axis at
     * all angles, and across it at angles of 0 and a quarter turn */
    double vector[3][3][3];
} demi_wall_turning;

/* What moves a wall that seeks a force or a torque. */
typedef struct demi_wall_servo {
    double direction[3]; /* unit */
    double target, gain, most;
    double velocity[3];                /* what the host set, across the direction */
    int32_t quantity;                  /* DEM_SERVO_; 0: the wall seeks nothing */
    int32_t totals;                    /* what follows holds, see wall_total.c */
    demi_wall_force total, total_made; /* in all worlds: now; in the step that has begun */
} demi_wall_servo;

/* Of a wall that is a mesh. */
typedef struct demi_wall_facets {
    DEMI_ARRAY(double) work;   /* [facets][2] normal and shear, where they are summed */
    DEMI_ARRAY(double) force;  /* [facets][3], for a view */
    DEMI_ARRAY(double) vertex; /* [vertices][3], likewise */
    uint64_t tracked;          /* works are summed */
} demi_wall_facets;

/* What a fluid does to a row: the last places hold the coefficients of drag. */
typedef struct demi_fluid {
    double velocity[4];         /* x y z drag coefficient */
    double angular_velocity[4]; /* x y z rotational drag */
} demi_fluid;

/* Forces and torques times time. */
typedef struct demi_impulse {
    double linear[4];  /* x y z 0 */
    double angular[4]; /* x y z 0 */
} demi_impulse;

/* What a step that fails takes back of what the host's hook wrote, see hook.c. */
typedef struct demi_hook_kept {
    DEMI_ARRAY(unsigned char) kept; /* of rows */
    int wrote; /* the hook did, in this step: what its first kick did is booked apart */
    int aside; /* what it wrote is put aside while a call reads */
} demi_hook_kept;

/* Films of a viscous fluid, see film.h. */
typedef struct demi_films {
    DEMI_ARRAY(struct demi_film_pair) pair; /* [pairs] */
    uint64_t pairs;
    int listed;                          /* they are those of the list */
    DEMI_ARRAY(demi_impulse) change;     /* of velocities of the rows, in the step that has begun */
    DEMI_ARRAY(demi_impulse) impulse;    /* on them, likewise */
    DEMI_ARRAY(demi_velocities) damping; /* see damping_velocity; where there is no fluid */
    double dissipated, dissipated_slide, dissipated_roll; /* in that step */
} demi_films;

/* A contact that a step begins or ends, see events.c. */
typedef struct demi_event {
    dem_contact_key key;
    int begins;
} demi_event;

/* The contacts of the particles that were packed last, see contact_choice.h. */
typedef struct demi_contact_choice {
    DEMI_ARRAY(dem_particle_handle) handle;
    DEMI_ARRAY(struct demi_contact_place) place;
    /* marks of rows, of chunk copies and of chunks; all are 0 but while contacts are looked for */
    DEMI_ARRAY(unsigned char) row_mark, copy_mark, chunk_mark;
    uint64_t handles, contacts;
    uint64_t generation; /* of views, when it was made */
    int valid;
} demi_contact_choice;

/* Rows that other worlds own, and a step between its halves, see ghosts.c and halves.c. */
/* Fields that were written and that ghosts of a kind lack yet; how many have each; by handle: which
 * ones it has, where a bit is not that of `phase`. See ghost_told.h */
typedef struct demi_fields_told {
    uint32_t due, phase;
    uint64_t told[32];
    DEMI_ARRAY(uint32_t) in;
} demi_fields_told;

typedef struct demi_ghosts {
    uint64_t count;                 /* rows */
    uint64_t parts, bodies;         /* of these rows the parts of bodies, and how many these are */
    double margin, moved;           /* by which bodies may approach before one lacks, and did; m */
    double body_margin, body_moved; /* the same of ghosts that are bodies of parts */
    double moved_last, moved_ahead; /* in the last step, and in the one that has begun */
    uint64_t halves;                /* steps that were begun in halves */
    uint64_t told;                  /* ghosts that have their forces in this one */
    uint64_t bodies_told;           /* and bodies */
    uint64_t bodies_due;            /* bodies that lack the load of a field that was written */
    DEMI_ARRAY(uint64_t) told_in;   /* by handle: the one in which it got them last */
    double dt;                      /* of the step that has begun; 0: it evaluates */
    demi_fields_told fields, part_fields; /* of particles, and of parts of bodies */
    int list_ends;                        /* a step like the last one may build the list */
    int list_ended;                       /* the same before the step that has begun */
} demi_ghosts;

/* What a step changes. */
typedef struct demi_state {
    demi_row_array position; /* x y z radius */
    DEMI_ARRAY(demi_velocities) velocity;
    DEMI_ARRAY(demi_force_torque) force_torque; /* of contacts */
    DEMI_ARRAY(demi_solid) solid;               /* of the walls */
    DEMI_ARRAY(demi_wall_force) wall_force;     /* of the particles on the walls */
    /* of the list's pairs: whether they are in contact, and the states of those that are */
    DEMI_ARRAY(unsigned char) touching; /* [pairs_room] */
    DEMI_ARRAY(double) contact_state;
    DEMI_ARRAY(demi_pose) pose; /* of the bodies */
} demi_state;

/* What steps change beside arrays. */
typedef struct demi_progress {
    double time, list_age;
    uint64_t steps, generation;
    demi_totals totals;
    double work_external, work_boundary, work_fluid, dissipated_drag, velocity_lag;
} demi_progress;

/* Steps in place, see in_place.h. */
typedef struct demi_in_place {
    int may, looked;  /* in this call; whether that has been looked at altogether */
    int on;           /* `current` and `next` have the same arrays, but for velocities that dashpots
                         see at both ends of a half step */
    int widen;        /* contacts may soon lack room */
    uint64_t steps;   /* that were begun in place */
    uint64_t careful; /* so many more are not */
    uint64_t left;    /* steps of the call, from what is kept on */
    demi_state kept;  /* what is kept: arrays of rows and contacts; and the rest */
    demi_progress progress;
    int ahead; /* what fluid and contacts gave in the first kick of the step that has begun is
                  booked already, but for works */
    DEMI_ARRAY(demi_velocities)
    velocity; /* of such velocities the third array, unless steps are
                 in place */
    /* of what is kept, where impulses are summed */
    DEMI_ARRAY(demi_wall_force) wall_force, wall_impulse;
    DEMI_ARRAY(demi_impulse) drag_impulse, contact_impulse;
} demi_in_place;

struct dem_world {
    demi_context context;
    demi_context *self; /* for messages of functions that take a const world */
    const demi_scheme *scheme;
    dem_world_config config; /* the executor is the pool's where there is one */
    struct demi_pool *pool;  /* NULL: the host's threads, or the calling one alone */
    demi_models models;
    DEMI_ARRAY(demi_model *) pending_free; /* [pending_free_count]: freed at the next rebuild */
    uint64_t pending_free_count;
    DEMI_ARRAY(double) density; /* [material_count] */

    demi_state current, next;
    demi_in_place in_place;
    uint64_t rows, particles;
    uint64_t rows_vacant; /* removed, of those that the list does not have */
    demi_row_array built; /* x y z and anything: positions when the list was built */
    DEMI_ARRAY(demi_body) body;
    DEMI_ARRAY(demi_particle) particle;
    DEMI_ARRAY(uint64_t) row_id;   /* the ids of the bodies once more, for views */
    DEMI_ARRAY(uint64_t) shown_id; /* for views: 0 for ghosts; there with the first ghost */
    demi_row_array external_force, external_torque; /* empty until first used */
    DEMI_ARRAY(demi_fluid) fluid;                   /* likewise */
    demi_row_array added_mass;                      /* likewise; see added_mass.h */
    int mass_added;                                 /* a row has some */
    /* of t0, such that dashpots see the right velocities by what they do without a fluid; there
     * with any of the arrays that need it, and lends them its memory */
    DEMI_ARRAY(demi_velocities) damping_velocity;
    /* sums over steps; both are there from the first reset on */
    DEMI_ARRAY(demi_impulse) drag_impulse, contact_impulse;
    DEMI_ARRAY(demi_wall_force) wall_impulse; /* likewise, by place */
    DEMI_ARRAY(double) host, host_next;       /* [rows * host_doubles], from the first use on */
    DEMI_ARRAY(demi_handle) handle;
    uint64_t handles;
    uint32_t handle_free; /* first free one, or UINT32_MAX */
    DEMI_ARRAY(demi_wall) wall;
    DEMI_ARRAY(demi_solid) solid_built;         /* of the walls, when the list was built */
    DEMI_ARRAY(demi_wall_turning) wall_turning; /* by place, from the first wall that turns on */
    DEMI_ARRAY(demi_wall_servo) wall_servo;     /* likewise, of walls that seek */
    uint64_t walls_turning, flats_turning;      /* that turn now, and of them those of flat shape */
    uint64_t walls_seeking, walls_needing; /* a force, and of them those that ask contacts for their
                                              stiffness */
    uint64_t walls;                        /* places, with removed ones */
    uint64_t walls_vacant;                 /* of them */
    uint64_t wall_vacant;                  /* none below this one is vacant */
    /* places of the walls that move, that pairs of the list have, or on which a force is, in
     * ascending order; of the others both states are the same, and a step passes them by */
    DEMI_ARRAY(uint32_t) wall_active;
    uint64_t walls_active;
    DEMI_ARRAY(demi_rigid) rigid;                  /* bodies */
    DEMI_ARRAY(demi_rigid_part) rigid_part;        /* of all bodies, each one's together */
    DEMI_ARRAY(demi_rigid_arms) rigid_arms;        /* of parts, in the step that is being made */
    DEMI_ARRAY(struct demi_rigid_drag) rigid_drag; /* by place, from the first step in a fluid on */
    DEMI_ARRAY(demi_impulse) rigid_impulse;        /* of parts, likewise: by the fluid in a kick */
    uint64_t rigids, rigids_vacant, rigids_full;   /* places; vacant ones; none is before so many */
    uint64_t rigid_parts, rigid_parts_removed;     /* with and of those that were removed */
    uint64_t rigid_next_id;                        /* 0: none was given yet */
    demi_idmap rigid_ids;                          /* of bodies, to places */
    demi_idmap ids;
    uint64_t next_id;

    demi_list list, list_next;
    union {
        demi_force_torque *data;
        const demi_force_torque *read;
        demi_exact_row *sums; /* where they are exact */
        demi_buffer buffer;
    } chunk_copy; /* forces on the chunk copies of the list */
    demi_list_workspace list_workspace;
    demi_workspaces workspaces;
    /* facets near a sphere: so many for each workspace, 0 as long as no wall is a mesh and no
     * sphere meets polyhedra that are not convex; the wall that has too few slots, or
     * DEMI_SLOTS_BODIES, and how many it needs, or 0 */
    DEMI_ARRAY(demi_mesh_point) mesh_point;
    uint64_t mesh_room;
    uint64_t slots_wall, slots_wanted;
    DEMI_ARRAY(demi_wall_facets) wall_facets; /* by place, from the first view of facets on */
    uint64_t walls_tracked;                   /* whose works are summed */
    uint64_t walls_deforming;                 /* whose vertices move */
    demi_idmap mesh_walls; /* of the meshes, by their addresses, to the first places of each */
    int list_stale;        /* particles, walls or models changed: build before the next step */
    int forces_stale;      /* evaluate forces before the next step */
    int periodic;          /* along any axis */
    uint32_t touched;      /* bits of the fields that were written through a view */
    int motion_viewed;  /* a view of velocities or angular velocities was opened since the last step
                         */
    int motion_written; /* the host says that it wrote them: DEMI_MOTION_ bits */
    uint64_t motion_kept; /* generation of views since which the velocities of `next` are those that
                             the first of them showed; 0: none. See motion_written.h */
    double dt_checked;    /* accepted for what is there; 0: none yet */
    DEMI_ARRAY(struct demi_limit_material) lightest; /* limits.h */
    DEMI_ARRAY(struct demi_setup_material) census;   /* of setup_check.c */
    uint64_t watched;               /* step after which demi_overlaps_watch looked last */
    DEMI_ARRAY(double) flight_work; /* of flight.c */
    demi_hook_kept hook;
    demi_films film;
    DEMI_ARRAY(demi_event) event; /* [event_count], of the step that is being made */
    uint64_t event_count;
    double velocity_lag; /* by which velocities are behind positions, s: leapfrog's, else 0 */
    double list_age;     /* time since it was built, s */
    double walls_step;   /* longest way of a wall in the step that was begun, m */
    int told_fast;       /* the log was told of a row that is fast for the list */
    DEMI_ARRAY(demi_chunk_result) chunk_result; /* [chunks] */

    uint64_t generation; /* of views */
    uint64_t steps, rebuilds;
    double time;
    demi_totals totals; /* contacts and elastic: now; dissipation: since creation */
    demi_totals made;   /* in the step that is being made */
    double work_external, work_boundary;
    double work_fluid, dissipated_drag;
    demi_mark mark;
    demi_exact_world exact;
    demi_ghosts ghosts;
    demi_contact_choice contact_choice;
    demi_polyhedra polyhedra;
};

/* The most doubles that a contact keeps beyond the state of its model. */
enum { DEMI_KEPT_MOST = DEMI_FACETED_FORCE + DEMI_FACETED_KEPT };

/* In the place of a wall: polyhedra that are not convex. */
#define DEMI_SLOTS_BODIES UINT64_MAX

/* dem_world_config.host_doubles */
enum { DEMI_HOST_DOUBLES_MOST = 1024 };

/* Whether rows do what only coupling to a fluid needs. */
static inline int demi_coupled(const dem_world *w)
{
    return w->fluid.read != NULL || w->contact_impulse.read != NULL || w->mass_added;
}

/* Whether other worlds have particles that this one may touch. */
static inline int demi_is_domain(const dem_world *w)
{
    const demi_ghosts *ghosts = &w->ghosts;
    return ghosts->count > 0 || (ghosts->margin > 0.0 && isfinite(ghosts->margin)) ||
           (ghosts->body_margin > 0.0 && isfinite(ghosts->body_margin));
}

/* Bytes of what the contacts of a chunk give a copy. */
static inline uint64_t demi_chunk_copy_size(const dem_world *w)
{
    return w->exact.sums.exact ? sizeof(demi_exact_row) : sizeof(demi_force_torque);
}

/* Which ghosts there are to be is not known: they are to be set before the next step. */
static inline void demi_ghosts_expect(dem_world *w)
{
    w->ghosts.margin = 1.0;
    w->ghosts.moved = INFINITY;
}

/* Whether a wall seeks a force or a torque. */
static inline int demi_wall_seeks(const dem_world *w, uint64_t index)
{
    return w->wall_servo.read != NULL && w->wall_servo.read[index].quantity != 0;
}

/* Whether it asks contacts for their stiffness, too. */
static inline int demi_wall_needs(const dem_world *w, uint64_t index)
{
    return demi_wall_seeks(w, index) && w->wall_servo.read[index].gain == 0.0;
}

/* Whether a group's model is that of its materials still. Where it was replaced since the list was
 * built, the next rebuild forgets its contacts, and so does what is written of them. */
static inline int demi_group_lives(const dem_world *w, const demi_batch_group *group)
{
    return group->model != NULL && demi_models_get(&w->models, group->model->material_a,
                                                   group->model->material_b) == group->model;
}

/* Ids of rows for whom ghosts are none: 0 for these, and for removed rows. */
static inline const uint64_t *demi_shown_ids(const dem_world *w)
{
    return w->shown_id.read != NULL ? w->shown_id.read : w->row_id.read;
}

/* Brings what is shown of a row up to date. */
static inline void demi_row_show(dem_world *w, uint64_t row)
{
    if (w->shown_id.data != NULL)
        w->shown_id.data[row] = demi_kinds[w->body.read[row].kind].ghost ? 0 : w->row_id.read[row];
}

/* Velocities of t0 for what dashpots see, by demi_kick_again. Where that is 0 they do not matter,
 * but must be finite: the arrays of their own have what a step left that failed. */
static inline const demi_velocities *demi_damping_velocities(const dem_world *w, double again)
{
    if (again == 0.0)
        return w->current.velocity.read;
    if (w->fluid.read != NULL)
        return w->damping_velocity.read;
    return w->models.films > 0 ? w->film.damping.read : w->current.velocity.read;
}

/* create.c: ends a world, whatever is at work */
void demi_world_free(dem_world *w);
/* meshes.c: room for facets near a sphere, at least so many; where a workspace has it; gives the
 * wall that has too few slots more of them, and returns how many it had; gives a wall as many as a
 * feature needs; sets them; the meshes of walls, which the world has references to, are dropped */
dem_status demi_mesh_points_reserve(dem_world *w, uint64_t facets);
demi_mesh_point *demi_mesh_points_of(const dem_world *w, const demi_workspace *workspace);
uint32_t demi_slots_widen(dem_world *w);
void demi_slots_have(dem_world *w, uint64_t wall, uint32_t feature);
void demi_slots_set(dem_world *w, uint64_t wall, uint32_t slots);
void demi_wall_mesh_drop(dem_world *w, uint64_t index);
/* meshes.c: the mesh of a wall as it was made, or NULL; numbers the meshes anew where a wall came,
 * for whose mesh mesh_walls has room, or before the mesh of one is dropped, so that what reads the
 * world finds each mesh once and needs no memory */
const dem_mesh *demi_wall_mesh(const dem_world *w, uint64_t index);
void demi_wall_mesh_came(dem_world *w, uint64_t index);
void demi_wall_mesh_goes(dem_world *w, uint64_t index);
/* meshes.c: whether a wall is the first one of its mesh */
int demi_wall_mesh_first(const dem_world *w, uint64_t index);
void demi_meshes_drop(dem_world *w);
/* meshes.c: memory of the meshes of all walls, each mesh once */
uint64_t demi_meshes_bytes(const dem_world *w);
/* facets.c: sums the works of a step on facets, where somebody asks for them; forgets those of a
 * wall; frees the memory */
void demi_facets_work(dem_world *w, double dt);
/* facets.c: adds the work of a step on vertices that move, when the forces of its end are known */
void demi_facets_deform(dem_world *w, double dt);
/* meshes.c: gives a wall copies of its mesh, where it has none; sets vertices that move */
dem_status demi_wall_deform(dem_world *w, uint64_t index);
void demi_facets_forget(dem_world *w, uint64_t index);
void demi_facets_free(dem_world *w);
dem_status demi_facets_track(dem_world *w, uint64_t index);
/* setup_check.c: refuses a step of bodies for which no model was set; warns of walls, and after a
 * step of walls that come to a periodic boundary and of overlaps that are large */
dem_status demi_setup_check(dem_world *w);
void demi_walls_watch(dem_world *w);
/* setup_check.c: what was logged of the same walls of another world counts as logged of these */
void demi_walls_told(dem_world *w, const dem_world *other);
void demi_overlaps_watch(dem_world *w);
/* particles.c: refuses what cannot be particle k of a call, or ghost or part; adds a row, for which
 * there is room; removes the row of a handle that is in use */
dem_status demi_particle_check(dem_world *w, const char *what, uint64_t k, const dem_particle *p);
/* particles.c: the row of a handle that is in use */
dem_status demi_handle_row(const dem_world *w, dem_particle_handle handle, uint64_t *row);
/* read.c: a coordinate as the host sees it */
double demi_row_unwrapped(const dem_world *w, uint64_t row, int c);
void demi_particle_place(dem_world *w, const dem_particle *p, dem_particle_handle *handle);
void demi_particle_remove(dem_world *w, uint32_t handle);
/* Takes back the last demi_particle_place: the tables of rows, handles and ids are as before. */
void demi_particle_take_back(dem_world *w);
/* limits.c: refuses a dt at which springs and dashpots of the models are unstable */
dem_status demi_limits_check(dem_world *w, double dt);
/* write.c: whether the fields that were written, of those named, hold what they may; names the
 * first row that does not */
enum {
    DEMI_TOUCHED_OUTER = 1 << DEM_FIELD_EXTERNAL_FORCE | 1 << DEM_FIELD_EXTERNAL_TORQUE,
    /* what must be looked at before it is used: that of a fluid, and motion */
    DEMI_TOUCHED_FLUID = 1 << DEM_FIELD_DRAG_COEFFICIENT | 1 << DEM_FIELD_FLUID_VELOCITY |
                         1 << DEM_FIELD_ROTATIONAL_DRAG | 1 << DEM_FIELD_FLUID_ANGULAR_VELOCITY,
    DEMI_TOUCHED_FIRST = DEMI_TOUCHED_FLUID | 1 << DEM_FIELD_VELOCITY |
                         1 << DEM_FIELD_ANGULAR_VELOCITY | 1 << DEM_FIELD_ADDED_MASS,
    DEMI_TOUCHED_ALL = DEMI_TOUCHED_OUTER | DEMI_TOUCHED_FIRST
};
dem_status demi_written_check(dem_world *w, uint32_t fields);
/* write.c: the same for one row and all fields */
dem_status demi_written_row_check(const dem_world *w, uint64_t row);
/* write.c: the same for all of the fields named; how values came there is for the message */
dem_status demi_fields_check(dem_world *w, uint32_t fields, const char *how);
/* rows.c: room for more rows, for so many, and for all rows in an array that is there on demand;
 * what a new row has in such arrays; an axis along which a position is too many periods from the
 * box, or -1 */
dem_status demi_rows_make_room(dem_world *w, uint64_t more);
dem_status demi_world_reserve(dem_world *w, uint64_t rows);
void demi_rows_free(dem_world *w);
/* rows.c: frees room for more rows than there are */
dem_status demi_rows_shrink(dem_world *w);
/* rows.c: arrays of which a snapshot has the first `count` numbers of each element, one after the
 * other; 0 after the last one. Begins with `next` = 0. */
typedef struct demi_rows_numbers {
    size_t next;
    double *data;
    uint64_t stride, count;
} demi_rows_numbers;
int demi_rows_kept(const dem_world *w, demi_rows_numbers *numbers);
/* rows.c: brings rows into the order of a list that was built, but for what is done by exchanging
 * the states */
void demi_rows_permute(dem_world *w, const uint32_t *order, uint64_t rows);
dem_status demi_rows_reserve(dem_world *w, demi_buffer *on_demand);
void demi_rows_clear(dem_world *w, uint64_t row);
/* rows.c: arrays of impulses of all rows and walls: steps sum them from now on */
dem_status demi_impulses_reserve(dem_world *w);
/* rows.c: bytes of the arrays that a mark keeps, with and without those that rebuilds alone change;
 * copies them to `kept`, or back from there, where arrays that were not there go, and returns the
 * end of what it kept */
uint64_t demi_rows_mark_bytes(const dem_world *w, int late);
unsigned char *demi_rows_mark(dem_world *w, int late, unsigned char *kept);
unsigned char *demi_rows_rewind(dem_world *w, int late, unsigned char *kept);
/* rows.c: bytes of the arrays that the host may write in a step, and of sums; copies them, and
 * back; exchanges what the host may write with its copy */
uint64_t demi_rows_hook_bytes(const dem_world *w);
void demi_rows_hook_keep(dem_world *w, unsigned char *kept);
void demi_rows_hook_return(dem_world *w, const unsigned char *kept);
void demi_rows_hook_exchange(dem_world *w, unsigned char *kept);
/* rows.c, mark.c: keep the places of rows before they move, and the list before its memory is used
 * again, for a mark; end the mark; free its memory */
void demi_rows_keep(dem_world *w);
void demi_mark_list(dem_world *w);
void demi_mark_end(dem_world *w);
void demi_mark_free(dem_world *w);
int demi_axis_beyond_images(const dem_world *w, const double position[3]);
/* walls.c: the place of a wall; adds one to the active ones, which are in ascending order */
dem_status demi_wall_find(const dem_world *w, uint64_t id, uint64_t *index);
void demi_wall_activate(dem_world *w, uint32_t index);
/* walls.c: room for so many places; counts the vacant places and finds the active ones, after a
 * list was taken over; moves the active walls by a step into the next state */
dem_status demi_walls_reserve(dem_world *w, uint64_t places);
void demi_walls_settle(dem_world *w);
void demi_walls_drift(dem_world *w, double dt);
/* wall_motion.c: room for walls that turn, or seek, and for those of before; the motion of a wall
 * from the next step on, of which what is NULL stays, and whether it has that motion already; what
 * it seeks, nothing where that is NULL, all of it valid; forgets how a wall moves, which is removed
 */
typedef struct demi_wall_motion {
    const double *velocity, *angular_velocity;
    const double *pivot; /* from the wall's point to the centre of rotation */
} demi_wall_motion;
dem_status demi_wall_motion_reserve(dem_world *w, uint64_t places, int turning, int servo);
void demi_wall_motion_set(dem_world *w, uint64_t index, const demi_wall_motion *motion);
int demi_wall_moves_so(const dem_world *w, uint64_t index, const demi_wall_motion *motion);
void demi_wall_servo_set(dem_world *w, uint64_t index, const dem_wall_servo *servo);
void demi_wall_motion_clear(dem_world *w, uint64_t index);
/* wall_motion.c: counts the walls that turn or seek; refuses a step in which a wall turns too far,
 * or cannot seek; where a wall is after dt */
void demi_walls_count(dem_world *w);
dem_status demi_walls_step_check(dem_world *w, double dt);
void demi_wall_drift(dem_world *w, uint64_t index, double dt);
/* What a step is to do: advance by dt, or evaluate forces as things stand (dt is 0 then). */
typedef struct demi_step {
    double dt;
    int evaluate_only;
    const double *end; /* the time after the last step of a call; NULL: the sum of steps */
} demi_step;
/* step.c: what dem_step does; end as in demi_step */
dem_status demi_steps_run(dem_world *w, double dt, uint64_t steps, const double *end);
/* step.c: looks at what a step needs; makes it up to the forces of contacts, and tells how far
 * bodies approached each other at most; ends it; says how many steps of dt end too late */
dem_status demi_steps_check(dem_world *w, double dt, uint64_t steps);
dem_status demi_step_to_forces(dem_world *w, demi_step step, double *displacement);
void demi_step_finish(dem_world *w, demi_step step);
#define DEMI_TIME_MOST 1e300 /* s, that a world may come to */
dem_status demi_step_time_check(dem_world *w, double dt, uint64_t steps);
/* rebuild.c: builds the list for the current state, for a step that moves nothing by more than
 * displacement */
dem_status demi_world_rebuild(dem_world *w, double displacement);
/* rebuild.c: the domain of lists */
demi_domain demi_world_domain(const dem_world *w);
/* rebuild.c: builds the list of earlier once more, with its skin and reach, where the present one
 * has its contacts alone; another one than that was is left for the next step to build */
dem_status demi_world_list_again(dem_world *w, const demi_list_past *past, double skin,
                                 double reach);
/* phases.c and contacts.c: the phases of a step, chunk by chunk. The first begins a step from
 * the current state, the last ends the one that was made beside it; the fused one ends one, makes
 * it current, and begins the next. */
dem_status demi_integrate_begin(dem_world *w, double dt, double *displacement);
/* contact_room.c: room for the states of contacts that an evaluation lacked room for; ahead: that
 * the next one may lack */
dem_status demi_contacts_widen(dem_world *w, int ahead);
dem_status demi_contacts_evaluate(dem_world *w, demi_step step, demi_totals *totals);
/* contacts.c: says which contact failed; when: such as "at step 5" */
dem_status demi_contact_failed(const dem_world *w, const demi_chunk_result *result,
                               const char *when);
void demi_integrate_end(dem_world *w, double dt);
/* phases.c: the end in two parts: forces are summed; kicks, with what the forces are by then */
void demi_forces_sum(dem_world *w);
void demi_integrate_kick(dem_world *w, double dt);
/* ghosts.c: refuses what worlds with ghosts do not have; room for what they have beside rows; room
 * for, and count of, the ghosts of a world that was restored; frees memory */
dem_status demi_ghosts_check(dem_world *w);
dem_status demi_ghosts_reserve(dem_world *w, uint64_t handles);
dem_status demi_ghosts_restore(dem_world *w);
/* ghosts_forces.c: refuses force and torque of the ghost with this id; what: it is, for messages */
dem_status demi_ghost_load_check(demi_context *context, const char *what, uint64_t id,
                                 const double load[6]);
/* margin.c: the host added bodies or moved them, so ghosts in all worlds are to be set anew */
void demi_ghosts_outdate(dem_world *w);
/* margin.c: whether ghosts, and those that are bodies, need not be set anew before bodies move so
 * far */
int demi_ghosts_last(const dem_world *w, double displacement);
int demi_ghost_bodies_last(const dem_world *w, double displacement);
void demi_ghosts_free(dem_world *w);
dem_status demi_integrate_fused(dem_world *w, double dt, double *displacement);
/* states.c: makes the next state the current one, as a step does or as a rebuild does */
void demi_step_commit(dem_world *w, demi_step step);
void demi_states_exchange(dem_world *w);
/* displacement.c: whether the state being made may have pairs in contact that the list lacks */
int demi_list_expired(dem_world *w, double elapsed);
/* Whether it may be soon after the step that has begun; without measuring. */
int demi_list_nearly_expired(dem_world *w, double dt);
/* Whether it may be, after a further step like the one that has begun. */
int demi_list_ends(dem_world *w, double dt);
/* kicks.c: time by which a step's first kick and its second one advance velocities, how much of
 * what the first one added is added once more to the velocities that dashpots see, and by how much
 * velocities are late afterwards */
double demi_kick_first(const dem_world *w, double dt);
double demi_kick_second(const dem_world *w, double dt);
double demi_kick_again(const dem_world *w, double dt);
double demi_lag_after(const dem_world *w, double dt);
/* kicks.c: velocity and angular velocity when the present forces have acted on for some time, and
 * those at the time of the positions, for reading */
void demi_velocities_after(const dem_world *w, uint64_t row, double time, double velocity[3],
                           double angular_velocity[3]);
void demi_velocities_now(const dem_world *w, uint64_t row, double velocity[3],
                         double angular_velocity[3]);

/* Forces of a chunk's contacts, in src/world/simd/chunk.c. */
typedef struct demi_chunk_call {
    dem_world *w;
    demi_step step;
    double again; /* demi_kick_again */
} demi_chunk_call;
typedef void demi_chunk_function(const demi_chunk_call *call, uint64_t chunk);

/* Integration of one chunk, in src/world/simd/integrate.c and coupled.c. */
typedef struct demi_phase_call {
    dem_world *w;
    double dt;
    double kick_first, kick_second; /* by how much time velocities are advanced */
    double elapsed;                 /* since the list was built; for displacement bounds alone */
    /* for rows that a fluid drags: the part of the first kick that brings late velocities to the
     * time of positions, and demi_kick_again, of the step that begins; the first kick of the step
     * that ends */
    double lag, again, kick_begun;
    /* at the end of a step: time in which the host's forces work, and the first kick as far as what
     * the fluid gave in it is not booked yet; see hook.h */
    double work_time, drag_begun;
    /* Both kicks of a step are booked at its end, which knows what it began with. A step in place
     * forgets that: its first kick is booked when it is given, and its works are kept for the end.
     * The time of such a kick that the pass gives, or 0; whether that of the step that ends was one
     */
    double ahead;
    int was_ahead;
    int summed; /* the forces that chunks computed for each other are added already */
} demi_phase_call;
typedef void demi_phase_function(const demi_phase_call *call, uint64_t chunk);

#endif
