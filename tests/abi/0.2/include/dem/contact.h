/* SPDX-License-Identifier: MIT */
/**
 * @file contact.h
 * Level 1: contacts of particles that you own. You find the pairs and keep the time; libdem keeps
 * the history of each contact and computes forces.
 *
 * One step, with dem_integrator of integrator.h or with an integrator of your own:
 *
 *     integrator_begin        half kick, drift
 *     your pair search
 *     forces = 0
 *     dem_contacts_evaluate   adds contact forces and torques, advances the history
 *     integrator_end          second half kick
 *
 * An evaluation lists all contacts of its history: those that it does not list end, since their
 * bodies are apart. So take one history for the pairs of particles and one for walls, or
 * DEM_ABSENT_KEEP where you list a part.
 */
#ifndef DEM_CONTACT_H
#define DEM_CONTACT_H

#include "law.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Identifies a contact as long as it exists. Frozen layout.
 *
 * i is always the body with the lower id; order and sign of all that is stored follow from that. */
typedef struct dem_contact_key {
    uint64_t id_i;    /**< lower global id */
    uint64_t id_j;    /**< higher global id; equal to id_i only for a periodic image of itself */
    uint64_t feature; /**< tells several contacts of one pair apart (slots, patches); 0 if one */
    int32_t image[3]; /**< periodic image of j relative to i, counted along the unwrapped paths */
    int32_t reserved; /**< zero */
} dem_contact_key;

/* ------------------------------------------------------------------ contact history */

/** History and models of the contacts between your particles. Opaque. */
typedef struct dem_contact_history dem_contact_history;

/** Which normal and which velocities a contact sees within a step. Each scheme of integrators has
 * one. */
enum {
    DEM_KINEMATICS_SYNCHRONIZED = 0, /**< half-step normal, history rotated with the pair and
                                          about its normal, damping velocity at the end of the step
                                          (default) */
    DEM_KINEMATICS_IMPROVED = 1, /**< Vyas et al.: half-step normal, no rotation about the normal,
                                      late damping */
    DEM_KINEMATICS_STANDARD = 2  /**< half-step velocity with the full-step normal, as most codes */
};

/** What to do with a contact of the history that is not among the pairs of a call. */
enum {
    DEM_ABSENT_SEPARATED = 0, /**< the bodies are apart: its history ends */
    DEM_ABSENT_KEEP = 1       /**< merely not listed (a partial call): its history stays. Those are
                                   copied, 10 to 100 ns each, by a call with ghosts, and by one that
                                   lists a quarter of the contacts or more; not by others */
};

/** How the contact forces of a particle are added. */
enum {
    DEM_SUMS_FIXED_ORDER = 0, /**< as doubles, in the order of the pairs (default) */
    DEM_SUMS_EXACT = 1        /**< as integers, whose sum has no order */
};

/** Number of int64_t in a row of dem_contacts_input.sums. */
#define DEM_SUMS_SIZE 12

/** Configuration of a contact history.
 *
 * With DEM_SUMS_EXACT, forces have the same bits in whatever order you list the pairs, and however
 * many processes share them. Each component of a contact's force is split into two integers, in
 * units of 2^-48 and 2^-96 of `force_range`, and the integers are added (Demmel and Nguyen,
 * "Fast reproducible floating-point summation", 2013). A call rounds what it adds to `force`: sum
 * over several calls, or processes, with dem_contacts_input.sums. What is lost of one force is at
 * most 2^-97 of the range. All processes that share a system must set the same ranges. A force or
 * torque beyond them is DEM_ERROR_RANGE, and the call changes nothing. Up to 2^15 contacts of a
 * particle may be as large as the range. */
typedef struct dem_contact_history_config {
    uint64_t struct_size;    /**< sizeof, set by dem_contact_history_config_init */
    int32_t material_count;  /**< 1 to 1024; default 1 */
    int32_t reserved;        /**< zero */
    double overlap_limit;    /**< an overlap beyond this fraction of the smaller radius is an error;
                                  in (0, 1], default 0.5 */
    dem_allocator allocator; /**< default: the C library's */
    dem_log log;             /**< default: silent */
    int32_t isa;             /**< DEM_ISA_..., default DEM_ISA_AUTO; all give the same bits */
    int32_t reserved_end;    /**< zero */
    int32_t sums;            /**< DEM_SUMS_..., default DEM_SUMS_FIXED_ORDER */
    int32_t reserved_sums;   /**< zero */
    double force_range;      /**< with DEM_SUMS_EXACT: no component of a contact's force is larger,
                                  N; in [2^-900, 2^900], rounded up to a power of two. Else 0.
                                  16 times the largest elastic force leaves room for dashpots */
    double torque_range;     /**< likewise of a contact's torque about a centre, N m: force_range
                                  times the largest radius */
    dem_executor executor;   /**< default: the calling thread does all. Your threads share the pairs
                                  of a kept list from some thousand on, see
                                  dem_contacts_list_evaluate; never with DEM_SUMS_EXACT. Laws of
                                  your own are then called on several of them at once */
} dem_contact_history_config;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_contact_history_config_init_sized(dem_contact_history_config *config,
                                                         uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_contact_history_config_init(dem_contact_history_config *config)
{
    return dem_contact_history_config_init_sized(config, sizeof(dem_contact_history_config));
}

/** Creates an empty history. No materials interact until you set a model. The log gets a warning
 * once for each pair of materials that meet without a model.
 * @param config what dem_contact_history_config_init filled; copied
 * @param history out: the object, owned by you; NULL on error
 * @param error message on failure, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN, _STRUCT_SIZE or _MEMORY */
DEM_API dem_status dem_contact_history_create(const dem_contact_history_config *config,
                                              dem_contact_history **history, dem_error *error);

/** Destroys a history and frees its memory. NULL does nothing. A call from a callback of the same
 * history does nothing either, and is logged. */
DEM_API void dem_contact_history_destroy(dem_contact_history *history);

/** Message of the last call on this history that failed; "" if none. Valid until the next call. */
DEM_API const char *dem_contact_history_error(const dem_contact_history *history);

/** Registers a law of your own. The descriptor is copied; what it points to is not.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _DUPLICATE, _UNKNOWN, _RANGE, _STRUCT_SIZE or _MEMORY */
DEM_API dem_status dem_contact_history_law_register(dem_contact_history *history,
                                                    const dem_law *law);

/** Sets the model of two materials, in both orders. An empty model means no interaction. Existing
 * contacts of the pair lose their history.
 * @param history the contacts
 * @param material_a 0 <= a < material_count
 * @param material_b 0 <= b < material_count; may equal a
 * @param model checked; its laws read their parameters now, and nothing of yours is kept
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN (law), _STRUCT_SIZE, _MEMORY, _STATE (a
 * film, which needs a world), or what dem_law.combine of yours returns */
DEM_API dem_status dem_contact_history_model_set(dem_contact_history *history, int32_t material_a,
                                                 int32_t material_b,
                                                 const dem_contact_model *model);

/** One combined value of a pair of materials: what a law computes with. */
typedef struct dem_pair_value {
    uint64_t struct_size; /**< sizeof(dem_pair_value), set by the caller */
    const char *law;      /**< name of the law of the part; lives as long as the model */
    const char *name;     /**< name of the value, in the unit of the parameter that it comes from */
    double value;         /**< the value; 0 where you gave the quantity in another way */
    int32_t part;         /**< 0 for the first part of the model */
    int32_t reserved;     /**< zero */
} dem_pair_value;

/** Reads what the laws computed from the parameters of a pair of materials: effective moduli,
 * damping ratios, derived stiffnesses. Values come part by part, with the names that the laws give
 * them.
 * @param history the contacts
 * @param material_a 0 <= a < material_count
 * @param material_b 0 <= b < material_count
 * @param index 0 for the first value, counted through all parts
 * @param value out; struct_size must be set
 * @return DEM_OK; DEM_ERROR_RANGE for a material out of range, and after the last value;
 *  DEM_ERROR_ARGUMENT, _STRUCT_SIZE */
DEM_API dem_status dem_contact_history_pair_value(const dem_contact_history *history,
                                                  int32_t material_a, int32_t material_b,
                                                  uint64_t index, dem_pair_value *value);

/** Sums over the contacts of one evaluation. */
typedef struct dem_contact_totals {
    uint64_t struct_size;      /**< sizeof(dem_contact_totals), set by the caller */
    uint64_t contacts;         /**< that exist at the end of the step */
    double elastic_energy;     /**< stored at the end of the step, J */
    double dissipated_normal;  /**< by normal dashpots in this step, J */
    double dissipated_dashpot; /**< by tangential dashpots in this step, J */
    double dissipated_slip;    /**< by sliding in this step, J */
    double dissipated_rolling; /**< by rolling and twisting resistance in this step, J */
} dem_contact_totals;

/** Your particles and pairs for one evaluation. Strides are in bytes; 0 means packed.
 *
 * Positions are at the end of the step, t + dt. Velocities are as the scheme has them: with
 * `velocity_lag` = dt/2 those of the half step (after kick and drift of a Verlet scheme), with 0
 * those at t + dt.
 *
 * If you have ghosts (copies of particles that another process owns, behind your own rows), send
 * their accelerations with their velocities. dem_integrator_prepare gives accelerations of the rows
 * that the integrator moves; copy them to arrays with all rows, or set both to NULL for order 1.
 * With an acceleration of one row and none of its ghost neighbour the two processes would compute
 * different forces for one contact, so such a pair is refused.
 *
 * Tell the number of ghosts in `ghost_count`, and list every contact that has an end of your own;
 * the process that owns the other end lists it too. Both then keep its history and compute the same
 * force, and each adds it to its own row alone. Pairs of two ghosts are skipped, and a contact of
 * two ghosts ends here, also with DEM_ABSENT_KEEP: only their owners go on with it. So give all
 * rows of your own also where you list a part of the pairs. Totals count a contact where the row of
 * its lower id is your own, so that sums over all processes count it once.
 *
 * Ghosts may repeat ids: periodic images of a particle, on this process or another. Then (i, image
 * of k) and (k, image of i) are one contact if their keys are the same, with the history of one;
 * list both, and each adds the force to its own end. With other features or images they are two.
 *
 * The two rows of a pair may be listed in either order, with `shifts` and `images` of the other
 * sign then: the bits are the same. The vector from j to i is (x_i - x_j) - shift.
 *
 * A contact whose rows have other materials than before starts a new history, unless they are the
 * same two in the other order. */
typedef struct dem_contacts_input {
    uint64_t struct_size;                 /**< sizeof, set by dem_contacts_input_init */
    uint64_t particle_count;              /**< rows of the arrays below */
    const uint64_t *id;                   /**< global ids, unique among the rows that are not
                                               ghosts; NULL: the row number, without ghosts */
    const double *position;               /**< [particle_count][3], m */
    const double *velocity;               /**< [particle_count][3], m/s */
    const double *angular_velocity;       /**< [particle_count][3], rad/s; NULL: no rotation */
    const double *acceleration;           /**< [acceleration_count][3], m/s2, of the step's start;
                                               used by DEM_KINEMATICS_SYNCHRONIZED with a
                                               lag. NULL: dashpots see late velocities, and
                                               the order falls to 1. See acceleration_count */
    const double *angular_acceleration;   /**< [angular_acceleration_count][3], rad/s2; NULL
                                               likewise */
    const double *radius;                 /**< [particle_count], m, from 2e-162 to 1.3e154, so that
                                               its square is a number > 0 */
    const double *mass;                   /**< [particle_count], kg; 0: infinitely heavy, which one
                                               of a pair may be; others > 5.57e-309, so that the
                                               inverse is finite */
    const int32_t *material;              /**< [particle_count]; NULL: material 0 */
    uint64_t position_stride;             /**< bytes from row to row; 0: 3 doubles */
    uint64_t velocity_stride;             /**< likewise */
    uint64_t angular_velocity_stride;     /**< likewise */
    uint64_t acceleration_stride;         /**< likewise */
    uint64_t angular_acceleration_stride; /**< likewise */
    uint64_t pair_count;                  /**< pairs that may touch */
    const uint32_t *pairs;                /**< [pair_count][2] row numbers, in any order; each
                                               contact at most once, but see ghosts above; a row
                                               with itself has a shift */
    const uint64_t *features;             /**< [pair_count] features of the key; NULL: 0 */
    const double *shifts;  /**< [pair_count][3], m, added to the second row's position: a periodic
                                image; NULL: none */
    const int32_t *images; /**< [pair_count][3] image numbers for the key, of second row relative to
                                first, above -2^31; NULL: 0 */
    double dt;             /**< > 0, s; or 0 with `forces_only` */
    double velocity_lag;   /**< 0 or dt/2, s; default 0: set it to dt/2 for the Verlet family */
    int32_t kinematics;    /**< DEM_KINEMATICS_..., default DEM_KINEMATICS_SYNCHRONIZED */
    int32_t absent;        /**< DEM_ABSENT_..., default DEM_ABSENT_SEPARATED */
    int32_t forces_only;   /**< not 0: compute, but do not commit the new history */
    int32_t reserved;      /**< zero */
    double *force;         /**< [particle_count - ghost_count][3] in and out: contact forces are
                                added, N */
    double *torque;        /**< likewise in and out: torques are added, N m; or NULL */
    uint64_t force_stride; /**< bytes from row to row; 0: 3 doubles */
    uint64_t torque_stride;      /**< likewise */
    uint64_t acceleration_count; /**< rows of `acceleration`, at most particle_count; 0 (default):
                                      particle_count. A pair with a row beyond is an error */
    uint64_t angular_acceleration_count; /**< likewise */
    uint64_t ghost_count; /**< rows at the end of the arrays that another process owns, or that are
                               periodic images of your own; at most particle_count, default 0 */
    int64_t *sums;        /**< [particle_count - ghost_count][DEM_SUMS_SIZE] in and out, with
                               DEM_SUMS_EXACT: the integers are added here. `force` and `torque`
                               stay as they are and may be NULL. Two for each component of force,
                               then of torque. For hosts that evaluate a contact in one process and
                               send its forces: add the rows of integers in any order, then call
                               dem_contact_history_sums_values. NULL (default): into `force` */
} dem_contacts_input;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_contacts_input_init_sized(dem_contacts_input *input, uint64_t size);

/** Fills the defaults: all arrays NULL, synchronized kinematics. */
static inline dem_status dem_contacts_input_init(dem_contacts_input *input)
{
    return dem_contacts_input_init_sized(input, sizeof(dem_contacts_input));
}

/** Evaluates contacts, adds forces and torques, and advances the history by one step.
 *
 * On error nothing is changed: neither the history nor the force arrays. Sums run in the order of
 * the pairs, so equal input gives equal bits; with DEM_SUMS_EXACT they have no order.
 * @param history the contacts
 * @param input particles and pairs
 * @param totals out: sums over the contacts, or NULL
 * @return DEM_OK; DEM_ERROR_ARGUMENT, _RANGE (a row number, radius, mass, material, shift, image,
 *  count, stride, dt or velocity_lag; a force beyond the range of exact sums), _STRUCT_SIZE,
 * _MEMORY, _DUPLICATE (a contact listed twice), _DIVERGED (a position or velocity is not finite; a
 * force, torque or energy is not, or is beyond 1e150), _OVERLAP, _CALLBACK (a law failed), _UNKNOWN
 * (kinematics, absent, reserved), _STATE (sums of a history without DEM_SUMS_EXACT) */
DEM_API dem_status dem_contacts_evaluate(dem_contact_history *history,
                                         const dem_contacts_input *input,
                                         dem_contact_totals *totals);

/** Adds the forces and torques that rows of integers stand for, see dem_contacts_input.sums. Add up
 * the rows of one particle first, from all processes, as 64-bit integers: then the bits are those
 * of a process that evaluates all of its contacts.
 * @param history made with DEM_SUMS_EXACT, for its ranges
 * @param count number of rows
 * @param sums [count][DEM_SUMS_SIZE]
 * @param force [count][3] in and out, N
 * @param torque [count][3] in and out, N m; or NULL
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STATE without DEM_SUMS_EXACT */
DEM_API dem_status dem_contact_history_sums_values(dem_contact_history *history, uint64_t count,
                                                   const int64_t *sums, double *force,
                                                   double *torque);

/* ------------------------------------------------------------------ kept lists */

/** Starts a kept list: checks the pairs, orders them, and finds their contacts in the history, once
 * for all evaluations until your pair search makes another list. dem_contacts_list_evaluate then
 * has the bits of dem_contacts_evaluate, in less time.
 *
 * The list keeps particle_count, ghost_count, pair_count, id, radius, mass, material, pairs,
 * features, shifts and images as they are now; positions must be finite. It is for spheres, and for
 * geometry that you give, see dem_contacts_list_evaluate_geometry. It ends when anything else
 * changes the history: another evaluation without `forces_only`, a model that is
 * set, contacts that are unpacked, forgotten, added or restored.
 * @param history the contacts
 * @param input particles and pairs; dt, velocity_lag, kinematics, accelerations, forces_only, force
 *  and torque are not used here
 * @return as dem_contacts_evaluate; DEM_ERROR_DUPLICATE also for a pair listed twice that is apart,
 *  and for an id that two rows have which pairs name and which are no ghosts. On error an earlier
 *  list goes on */
DEM_API dem_status dem_contacts_list_begin(dem_contact_history *history,
                                           const dem_contacts_input *input);

/** Evaluates the pairs of the kept list, as dem_contacts_evaluate does. Where the history has an
 * executor (dem_contact_history_config.executor) and the list 2,048 pairs or more, its threads
 * share the pairs, and then the rows; forces, contacts, totals and errors have the same bits. The
 * list then takes up to 280 bytes more a pair, 165 with a million pairs, and twice that from the
 * second list on.
 * @param history the contacts, after dem_contacts_list_begin
 * @param input the same particles; what the list keeps is not read, but the numbers of particles
 *  and ghosts must be the same
 * @param totals out: sums over the contacts, or NULL
 * @return DEM_OK; DEM_ERROR_STATE without dem_contacts_list_begin, or where the list ended;
 *  otherwise as dem_contacts_evaluate */
DEM_API dem_status dem_contacts_list_evaluate(dem_contact_history *history,
                                              const dem_contacts_input *input,
                                              dem_contact_totals *totals);

/* ------------------------------------------------------------------ geometry of your own */

/** Geometry of contacts that you computed: meshes, and shapes of your own. Row k belongs to pair k
 * of dem_contacts_input. */
typedef struct dem_contacts_geometry {
    uint64_t struct_size;  /**< sizeof, set by dem_contacts_geometry_init */
    const double *overlap; /**< [pair_count], m; negative for a gap */
    const double *normal;  /**< [pair_count][3], unit to 1e-6, from the second row to the first */
    const double *point;   /**< [pair_count][3], m, contact point, in the periodic image of
                                the first row */
    const double *radius;  /**< [pair_count], R* > 0, m; NULL: from the radii of the two rows */
} dem_contacts_geometry;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_contacts_geometry_init_sized(dem_contacts_geometry *geometry, uint64_t size);

/** Fills the defaults: all arrays NULL. */
static inline dem_status dem_contacts_geometry_init(dem_contacts_geometry *geometry)
{
    return dem_contacts_geometry_init_sized(geometry, sizeof(dem_contacts_geometry));
}

/** Evaluates contacts as dem_contacts_evaluate does, with your overlap, normal, contact point and
 * R*.
 *
 * All forces act at the contact point. So the normal force has a torque where its line misses a
 * centre. The history keeps the last normal and contact point, the point relative to the centre of
 * the lower id. A new contact uses the present normal for both, and a point that went along with
 * the mean of both centres.
 *
 * Increments have the normal half-way between old and new. Their arms go from the middle of the old
 * and new position of a centre (x - v dt and x) to the middle of the old and new contact point.
 * This is of second order for bodies of any shape, if their rotation is of second order and
 * angular_velocity gives the rotation of the step.
 *
 * The lever_arm of the model is not used: arms go to the contact point, as in a world whose model
 * has DEM_ARM_CONTACT. `input->radius` bounds the overlap, and gives R* where `radius` is NULL.
 *
 * Where a contact is not listed any more and another one of the same ids and image is, with
 * a feature below 64, the two became one: the elastic energy that the former had is counted in
 * dem_contact_totals.dissipated_normal. It is not where you list ghosts, where the last evaluation
 * had no geometry or no totals, or where contacts were unpacked, restored or added since.
 * @param history the contacts
 * @param input particles and pairs
 * @param geometry of each pair
 * @param totals out: sums over the contacts, or NULL
 * @return as dem_contacts_evaluate; DEM_ERROR_RANGE for a normal that is not of unit length */
DEM_API dem_status dem_contacts_evaluate_geometry(dem_contact_history *history,
                                                  const dem_contacts_input *input,
                                                  const dem_contacts_geometry *geometry,
                                                  dem_contact_totals *totals);

/** Evaluates the pairs of the kept list with your geometry, as dem_contacts_evaluate_geometry does,
 * with its bits: row k of `geometry` belongs to pair k of the input that dem_contacts_list_begin
 * got. For walls and other bodies that are rows of yours. A list may be evaluated with and without
 * geometry in turn.
 *
 * Keys do not change as long as the list is kept. So it is not for features that
 * dem_contact_history_slots gives anew in each step. Threads of an
 * executor share pairs and rows as in dem_contacts_list_evaluate.
 * @param history the contacts, after dem_contacts_list_begin
 * @param input as for dem_contacts_list_evaluate
 * @param geometry of each pair that the list was begun with
 * @param totals out: sums over the contacts, or NULL
 * @return as dem_contacts_evaluate_geometry; DEM_ERROR_STATE as dem_contacts_list_evaluate */
DEM_API dem_status dem_contacts_list_evaluate_geometry(dem_contact_history *history,
                                                       const dem_contacts_input *input,
                                                       const dem_contacts_geometry *geometry,
                                                       dem_contact_totals *totals);

/** Gives each pair of a list a feature for dem_contacts_input.features, where a pair of bodies may
 * have several contacts, such as a sphere and a mesh.
 *
 * Contacts of one pair of ids and image are matched with those in the history by their normals, the
 * most alike first, as long as the cosine of the angle between old and new is above `cosine`. A
 * match keeps its feature, and so its history. The others get the lowest features that the pair has
 * neither in the history nor in this list. Call it before each evaluation with the same list; the
 * history does not change.
 * @param history the contacts
 * @param input pair_count, pairs, id and images are used
 * @param geometry the normals are used
 * @param cosine of the largest angle by which the normal of a contact turns in a step; above -1,
 *  below 1. For a mesh take dem_mesh_search_config.cosine
 * @param features out: [pair_count]
 * @return DEM_OK; DEM_ERROR_ARGUMENT, _RANGE (a row number, a normal, cosine), _STRUCT_SIZE or
 *  _MEMORY */
DEM_API dem_status dem_contact_history_slots(dem_contact_history *history,
                                             const dem_contacts_input *input,
                                             const dem_contacts_geometry *geometry, double cosine,
                                             uint64_t *features);

/* ------------------------------------------------------------------ schemes of stages */

/** The history of the contacts of one step as plain variables, for schemes that advance it with
 * positions and velocities: Runge-Kutta, or a solver of ordinary differential equations of your
 * own. The arrays belong to the history and are valid until dem_contacts_stage_end. Any other call
 * that evaluates, also with `forces_only`, begins a list or changes the history ends the step, and
 * dem_contacts_stage_rate refuses to go on. */
typedef struct dem_contacts_stage {
    uint64_t struct_size; /**< sizeof(dem_contacts_stage), set by the caller */
    uint64_t count;       /**< number of variables */
    double *state;        /**< [count] in and out: slots of all contacts, m or the law's unit */
    const double *rate;   /**< [count] their time derivative at the last dem_contacts_stage_rate */
    const double *jump;   /**< [count] by how much the stage moves them at once from where they were
                               at the step's start; 0 unless a law is discontinuous */
} dem_contacts_stage;

/** Starts a step of stages: fixes its contacts, which are the listed pairs that act at the given
 * positions, and writes their history to `stage->state`.
 *
 * A pair that meets within the step begins with the next step. A pair that separates has no force.
 * Laws without a rate form are refused. For spheres only.
 * @param history the contacts
 * @param input particles and pairs at t; dt, velocity_lag, kinematics, accelerations, forces_only,
 *  force and torque are not used here
 * @param stage out; struct_size must be set
 * @return DEM_OK; DEM_ERROR_STATE for a law without rate form; otherwise as
 *  dem_contacts_evaluate */
DEM_API dem_status dem_contacts_stage_begin(dem_contact_history *history,
                                            const dem_contacts_input *input,
                                            dem_contacts_stage *stage);

/** Evaluates one stage: adds contact forces and torques, sets rate and jump.
 *
 * A tangent slot rotates with the pair: with the line of the centres, and about it with the mean
 * angular velocity of the two bodies. A contact of the step that is not listed has no force, and
 * its rate and jump are 0, whatever dem_contacts_input.absent is. On error forces and state are
 * unchanged.
 * @param history the contacts, after dem_contacts_stage_begin
 * @param input the same particles and pairs with positions and velocities of the stage
 * @param totals out: contacts and elastic energy of the stage, or NULL
 * @return DEM_OK; DEM_ERROR_STATE without dem_contacts_stage_begin, or where materials of a contact
 *  changed after it; otherwise as dem_contacts_evaluate */
DEM_API dem_status dem_contacts_stage_rate(dem_contact_history *history,
                                           const dem_contacts_input *input,
                                           dem_contact_totals *totals);

/** Ends a step of stages: `stage->state` becomes the history. dem_contact_history_next then gives
 * overlaps and forces of the last stage.
 * @return DEM_OK, DEM_ERROR_ARGUMENT; _STATE without dem_contacts_stage_begin; _DIVERGED when a
 *  variable is not finite */
DEM_API dem_status dem_contacts_stage_end(dem_contact_history *history);

/* ------------------------------------------------------------------ reading contacts */

/** One contact, as an iterator gives it. */
typedef struct dem_contact {
    uint64_t struct_size;       /**< sizeof(dem_contact), set by the caller */
    dem_contact_key key;        /**< which */
    double overlap;             /**< m */
    double normal[3];           /**< unit, from j to i */
    double force_normal[3];     /**< on i, N */
    double force_tangential[3]; /**< on i, N */
    const double *state;        /**< the law's slots in order of declaration; valid until the next
                                     call that evaluates, begins a list or a step of stages, or
                                     changes the object, also with `forces_only`, and where it
                                     fails */
    uint64_t state_count;       /**< doubles at state */
    int32_t material_i;         /**< material of i */
    int32_t material_j;         /**< material of j */
} dem_contact;

/** Number of contacts in the history; 0 for NULL. */
DEM_API uint64_t dem_contact_history_count(const dem_contact_history *history);

/** Reads the contacts one by one. The order is the same as long as the history does not change.
 * @param history the contacts
 * @param cursor in and out: start with 0
 * @param contact out; struct_size must be set
 * @return DEM_OK; DEM_ERROR_RANGE when there is no further contact, which sets no message;
 *  DEM_ERROR_ARGUMENT, _STRUCT_SIZE */
DEM_API dem_status dem_contact_history_next(const dem_contact_history *history, uint64_t *cursor,
                                            dem_contact *contact);

/** Removes all contacts; models and laws stay.
 * @return DEM_OK, DEM_ERROR_ARGUMENT */
DEM_API dem_status dem_contact_history_clear(dem_contact_history *history);

/* ------------------------------------------------------------------ contacts that travel */

/** Takes back the last evaluation: the history is again what it was before it. For hosts of several
 * processes, of which one failed. Forces and torques are yours to restore.
 *
 * Call it on all processes. Where the evaluation itself failed, nothing changed: the call then
 * returns DEM_ERROR_STATE and leaves the history as it is. A call that failed and only adds, reads
 * or packs contacts does not count.
 * @return DEM_OK; DEM_ERROR_STATE unless the last call that changes the history, begins a list or a
 *  step of stages, or evaluates, was dem_contacts_evaluate, dem_contacts_evaluate_geometry,
 *  dem_contacts_list_evaluate, dem_contacts_list_evaluate_geometry or dem_contacts_stage_end, not
 *  `forces_only`, and returned DEM_OK; DEM_ERROR_ARGUMENT */
DEM_API dem_status dem_contacts_undo(dem_contact_history *history);

/** Version of the bytes that dem_contact_history_pack and _snapshot write. */
#define DEM_CONTACTS_VERSION 1

/** Writes all contacts of some particles into your memory, for another process or a checkpoint. The
 * history does not change.
 *
 * A contact of two of the particles is written once. Particles without contacts, ids that the
 * history does not know, and ids that are listed twice are no errors. The bytes name laws by name
 * and version and are the same on all machines; a damaged byte is found. The first call after the
 * history changed looks at all contacts once; others look only at those of the ids.
 *
 *     dem_contact_history_pack(history, count, ids, NULL, 0, &bytes);      how many bytes
 *     dem_contact_history_pack(history, count, ids, buffer, bytes, NULL);
 * @param history the contacts
 * @param count number of ids
 * @param ids [count] global ids
 * @param buffer out: [size] bytes of any alignment; NULL: only `bytes` is set
 * @param size of the buffer
 * @param bytes out: bytes of the contacts, a multiple of 8; or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE (size is too small; nothing is written), _MEMORY */
DEM_API dem_status dem_contact_history_pack(dem_contact_history *history, uint64_t count,
                                            const uint64_t *ids, void *buffer, uint64_t size,
                                            uint64_t *bytes);

/** Adds the contacts that another history packed. Contacts that are there already stay as they are,
 * so you may unpack bytes twice, and a contact of which both processes have a history stays one.
 *
 * Models must be set, with the same laws in the same versions. Parameters are not compared. On
 * error nothing is changed.
 * @param history the contacts
 * @param buffer [size] bytes
 * @param size as packed
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _FORMAT (not packed contacts, damaged, cut short, or of a
 *  later version), _UNKNOWN (materials without a model, or with other laws or versions), _MEMORY */
DEM_API dem_status dem_contact_history_unpack(dem_contact_history *history, const void *buffer,
                                              uint64_t size);

/** Removes all contacts of some particles, for particles that this process has neither as its own
 * nor as ghosts any more. You need it with DEM_ABSENT_KEEP; otherwise contacts that are not listed
 * end by themselves. Do not forget a particle that became a ghost: the contacts with your own
 * particles go on. Ids that the history does not know are no error.
 * @param history the contacts
 * @param count number of ids
 * @param ids [count] global ids
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _MEMORY */
DEM_API dem_status dem_contact_history_forget(dem_contact_history *history, uint64_t count,
                                              const uint64_t *ids);

/** Adds contacts as dem_contact_history_next gives them, for hosts that keep contacts in a form of
 * their own. Contacts that are there already stay as they are. On error nothing is changed.
 *
 * The contact point is not among them: with geometry of your own, the first evaluation takes the
 * present one in place of the old.
 * @param history the contacts
 * @param count number of contacts
 * @param contacts [count], struct_size set in each; the lower id is i; `state` has state_count
 *  doubles as the model of the materials wants them
 * @return DEM_OK, DEM_ERROR_ARGUMENT (also a state that is NULL), _RANGE (a key, material, count of
 * state, or a number that is not finite), _UNKNOWN (materials without a model, a reserved field
 * that is not 0), _DUPLICATE (a contact listed twice), _STRUCT_SIZE, _MEMORY */
DEM_API dem_status dem_contact_history_add(dem_contact_history *history, uint64_t count,
                                           const dem_contact *contacts);

/** Tells the size of a snapshot of all contacts.
 * @param history the contacts
 * @param bytes out: a multiple of 8
 * @return DEM_OK, DEM_ERROR_ARGUMENT or _MEMORY */
DEM_API dem_status dem_contact_history_snapshot_size(dem_contact_history *history, uint64_t *bytes);

/** Writes all contacts, in the form of dem_contact_history_pack: dem_contact_history_unpack reads
 * them too. Models are not in it.
 * @param history the contacts; not changed
 * @param buffer out: [size] bytes, of any alignment
 * @param size at least what dem_contact_history_snapshot_size gives
 * @param written out: bytes used; or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE (size is too small; nothing is written), _MEMORY */
DEM_API dem_status dem_contact_history_snapshot(dem_contact_history *history, void *buffer,
                                                uint64_t size, uint64_t *written);

/** Replaces all contacts by those of a snapshot, or of packed contacts. Forces and histories go on
 * with the bits of a run without it.
 * @param history the contacts, with models of the same laws
 * @param buffer [size] bytes
 * @param size as written
 * @return as dem_contact_history_unpack; on error nothing is changed */
DEM_API dem_status dem_contact_history_restore(dem_contact_history *history, const void *buffer,
                                               uint64_t size);

#ifdef __cplusplus
}
#endif
#endif
