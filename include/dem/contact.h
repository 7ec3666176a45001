/* SPDX-License-Identifier: MIT */
/**
 * @file contact.h
 * Level 1: contacts of particles that the host owns. The host finds the pairs and keeps the time;
 * libdem keeps each contact's history and computes forces.
 *
 * One step of a host, with dem_integrator of integrator.h or with its own:
 *
 *     integrator_begin        half kick, drift
 *     host's own pair search
 *     forces = 0
 *     dem_contacts_evaluate   adds contact forces and torques, advances the history
 *     integrator_end          second half kick
 */
#ifndef DEM_CONTACT_H
#define DEM_CONTACT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What identifies a contact for as long as it lives. Frozen layout.
 *
 * i is always the body with the lower id; order and sign of all that is stored follow from that. */
typedef struct dem_contact_key {
    uint64_t id_i;    /**< lower global id */
    uint64_t id_j;    /**< higher global id; equal to id_i only for a periodic image of itself */
    uint64_t feature; /**< tells several contacts of one pair apart (facets, patches); 0 if one */
    int32_t image[3]; /**< periodic image of j relative to i, counted along the unwrapped paths */
    int32_t reserved; /**< zero */
} dem_contact_key;

/** Names of the built-in laws, for dem_contact_part.law. */
#define DEM_LAW_LINEAR_CSDS "linear-csds"
/** As DEM_LAW_LINEAR_CSDS with the discontinuous slider, for comparison; takes dem_linear. */
#define DEM_LAW_LINEAR_DSDS "linear-dsds"

/** How the normal dashpot of a linear law is given. */
enum {
    DEM_DAMPING_RESTITUTION = 0, /**< from the restitution coefficient, for each pair's mass */
    DEM_DAMPING_COEFFICIENT = 1, /**< eta, kg/s */
    DEM_DAMPING_RATE = 2         /**< eta/m*, 1/s (LAMMPS' gamma_n of pair_style gran) */
};

/** What a negative sum of spring and dashpot does. */
enum {
    DEM_NORMAL_CUT = 0,        /**< cut to zero; with DEM_DAMPING_RESTITUTION the damping is solved
                                    so that the restitution asked for comes out */
    DEM_NORMAL_ATTRACTIVE = 1, /**< kept: force may attract until the overlap is zero */
    DEM_NORMAL_CUT_UNCORRECTED = 2, /**< cut to zero with the damping of the attractive form; the
                                        rebound is faster than asked for. For comparison */
    DEM_NORMAL_ATTRACTIVE_ABSOLUTE = 3 /**< as DEM_NORMAL_ATTRACTIVE, with friction mu |F_n|
                                            while the force attracts, as in LAMMPS's pair_style
                                            gran; the other forms have none then */
};

/** Parameters of the linear laws: Hooke's normal force, spring-dashpot-slider tangentially. */
typedef struct dem_linear {
    uint64_t struct_size;        /**< sizeof(dem_linear), set by dem_linear_init */
    double stiffness_normal;     /**< k_n > 0, N/m; no default */
    double stiffness_tangential; /**< k_t > 0, N/m, or 0 (default) for 2/7 k_n */
    double friction;             /**< Coulomb's mu >= 0; default 0.5 */
    double restitution;          /**< e in (0, 1], for DEM_DAMPING_RESTITUTION; default 1 */
    double damping_normal;       /**< >= 0, for the other kinds of damping; default 0 */
    double damping_tangential;   /**< >= 0; with DEM_DAMPING_RESTITUTION a factor on
                                      eta_n sqrt(k_t/k_n) (Vyas, Sec. 2), else in the unit of
                                      damping_normal. Default 1: set it with `damping` */
    int32_t damping;             /**< DEM_DAMPING_..., default DEM_DAMPING_RESTITUTION */
    int32_t normal;              /**< DEM_NORMAL_..., default DEM_NORMAL_CUT */
} dem_linear;

/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_linear_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_linear_init_sized(dem_linear *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_linear_init(dem_linear *parameters)
{
    return dem_linear_init_sized(parameters, sizeof(dem_linear));
}

/** One law and its parameters. Frozen layout. */
typedef struct dem_contact_part {
    const char *law;        /**< a law's name; NULL: unused */
    const void *parameters; /**< the law's parameter struct; copied by the call */
} dem_contact_part;

/** Where contact forces act. */
enum {
    DEM_ARM_RADIUS = 0,  /**< at the radius of each body (default, as in LAMMPS) */
    DEM_ARM_CONTACT = 1  /**< at r - overlap/2: arms sum to the distance of equal spheres' centres,
                              so total angular momentum is exact */
};

/** What happens between two materials. All parts empty: they do not interact. */
typedef struct dem_contact_model {
    uint64_t struct_size;      /**< sizeof(dem_contact_model), set by dem_contact_model_init */
    dem_contact_part parts[4]; /**< evaluated in this order; later parts see earlier results */
    int32_t lever_arm;         /**< DEM_ARM_..., default DEM_ARM_RADIUS */
    int32_t reserved;          /**< zero */
} dem_contact_model;

/** Fills an empty model ("no interaction") for a struct of `size` bytes. */
DEM_API dem_status dem_contact_model_init_sized(dem_contact_model *model, uint64_t size);

/** Fills an empty model: the materials do not interact. */
static inline dem_status dem_contact_model_init(dem_contact_model *model)
{
    return dem_contact_model_init_sized(model, sizeof(dem_contact_model));
}

/* ------------------------------------------------------------------ law descriptor */

/** Number of lanes of a batch, and the distance between the planes of its vectors. */
#define DEM_BATCH_SIZE 64

/** Contacts of one pair of materials, as a structure of arrays; made by the library, filled in by a
 * law. It grows at its end.
 *
 * A scalar of contact k is at [k]; component c of a vector is at [c * DEM_BATCH_SIZE + k]. Lanes
 * from n up to the next multiple of 8 hold harmless values and may be computed. All vectors are in
 * the frame of the host's positions, at the end of the step unless said otherwise. */
typedef struct dem_contact_batch {
    uint64_t struct_size;        /**< of the library that runs */
    double dt;                   /**< time step, s; 0 for an evaluation that advances nothing */
    const double *overlap;       /**< m, negative for a gap */
    const double *overlap_rate;  /**< -v_n at the half step, m/s: overlap grew by this times dt */
    const double *normal;        /**< [3] unit normal n from j to i */
    const double *increment;     /**< [3] du, m: tangential displacement of surface i against j */
    const double *velocity_normal; /**< v_n that the dashpot sees, m/s, negative approaching */
    const double *velocity;        /**< [3] v_t that the dashpot sees, m/s */
    const double *spin_i;          /**< [3] angular velocity of i at the half step, rad/s */
    const double *spin_j;          /**< [3] the same of j */
    const double *radius_i;        /**< m; 0 for a plane */
    const double *radius_j;        /**< m; 0 for a plane */
    const double *radius;          /**< R* = r_i r_j/(r_i + r_j), m; the sphere's for a plane */
    const double *mass;            /**< m*, kg */
    const double *alive_before;    /**< 1 where the contact existed at the start of the step */
    double *alive; /**< out: 1 where it exists at the end. Comes in as 1 where overlap > 0. Where
                        it goes from 1 to 0 the law is called this last time: forces must be zero,
                        and energy still stored is counted as dissipated */
    double *state; /**< [slots] in and out: the components of all slots in order of declaration,
                        turned already into the present tangent plane */
    double *force_normal;     /**< out: along n, on i, N. Comes in as 0, as do the following */
    double *force_tangential; /**< [3] out: on i, N; the library adds its torque r x F */
    double *torque_i;         /**< [3] out: further torque on i (rolling, twisting), N m */
    double *torque_j;         /**< [3] out: further torque on j, N m */
    double *elastic_energy;   /**< out: stored at the end of the step, J */
    double *dissipated_normal;  /**< out: taken by the normal dashpot during the step, J */
    double *dissipated_dashpot; /**< out: taken by tangential dashpots, J */
    double *dissipated_slip;    /**< out: taken by sliding, J */
    double *dissipated_rolling; /**< out: taken by rolling and twisting resistance, J */
    double *force_elastic;  /**< elastic part of the normal force, N; set by a normal part and read
                                 by the parts after it, like the following. Comes in as 0 */
    double *force_friction; /**< normal force that Coulomb's limit counts with, N, >= 0 */
    double *contact_radius; /**< radius a of the contact area, m; 0 for linear laws */
    double *stiffness;      /**< slope of the elastic normal force, N/m */
    double *damping;        /**< eta_n of the normal dashpot, kg/s */
    double *state_rate;     /**< [slots] out, for dem_law.rate alone: time derivative of the state;
                                 NULL elsewhere */
    int32_t accounting;     /**< 0: nobody reads energies and dissipation, a law may leave them */
    int32_t alone;          /**< 1: the model has no other part, so that nobody reads force_elastic
                                 to damping above and a law may leave them */
} dem_contact_batch;

/** Shape of a piece of state, which decides how the library turns it. */
enum {
    DEM_SLOT_SCALAR = 0, /**< one double */
    DEM_SLOT_TANGENT = 1, /**< three doubles: vector in the tangent plane; moves with the contact */
    DEM_SLOT_AXIAL = 2    /**< three doubles: axial vector (a rolling spring); moves likewise */
};

/** One piece of a law's state. Frozen layout. */
typedef struct dem_law_slot {
    const char *name;  /**< for checkpoints; unique within the law */
    int32_t kind;      /**< DEM_SLOT_... */
    int32_t swap_sign; /**< +1 or -1: factor when the roles of i and j are exchanged */
} dem_law_slot;

/** What a law supplies. */
enum {
    DEM_LAW_WHOLE = 0,      /**< normal and tangential force together */
    DEM_LAW_NORMAL = 1,     /**< a normal part */
    DEM_LAW_TANGENTIAL = 2, /**< a tangential part */
    DEM_LAW_ROLLING = 3,    /**< a rolling part */
    DEM_LAW_TWISTING = 4,   /**< a twisting part */
    DEM_LAW_FURTHER = 5     /**< anything else between two bodies: a film of fluid, a field */
};

/** What a law promises of its evaluate, for the sake of speed; a law that breaks a promise gives
 * wrong forces. */
enum {
    DEM_LAW_SETS_FORCES = 1,   /**< sets force_normal and force_tangential of all lanes up to the
                                    next multiple of 8 whatever was there, where it is alone */
    DEM_LAW_LEAVES_TORQUES = 2 /**< neither reads nor writes torque_i and torque_j */
};

/** What a law needs of its batch. What no part of a model needs may come as 0. */
enum {
    DEM_NEEDS_VELOCITY = 1, /**< velocity, which a tangential dashpot sees */
    DEM_NEEDS_RADIUS = 2    /**< radius, R* */
};

/** What the normal part of a model tells the parts after it, when the model is set. Made by the
 * library; it grows at its end. */
typedef struct dem_pair_properties {
    uint64_t struct_size;     /**< of the library that runs */
    int32_t normal_form;      /**< DEM_NORMAL_FORM_..., comes in as DEM_NORMAL_FORM_OTHER */
    int32_t reserved;         /**< zero */
    double effective_young;   /**< E*, Pa; 0 where the normal law has none */
    double effective_shear;   /**< G*, Pa; 0 likewise */
    double stiffness_normal;  /**< k_n of a linear law, N/m; 0 otherwise */
    double restitution;       /**< e that the normal law gives; 1 if it does not say */
} dem_pair_properties;

/** Forms of normal laws, for the parts that build on them. */
enum {
    DEM_NORMAL_FORM_OTHER = 0,   /**< none of the following */
    DEM_NORMAL_FORM_LINEAR = 1,  /**< k_n overlap */
    DEM_NORMAL_FORM_HERTZ = 2,   /**< 4/3 E* sqrt(R*) overlap^(3/2), a = sqrt(R* overlap) */
    DEM_NORMAL_FORM_ADHESIVE = 3 /**< elastic with adhesion (JKR, DMT), with E* and G* */
};

/** Times and limits that the parts of a model set for one pair, in their order. Made by the
 * library; it grows at its end. */
typedef struct dem_law_scales {
    uint64_t struct_size;  /**< of the library that runs */
    double contact_time;   /**< duration of a collision, s; comes in as 0: the law does not say */
    double timestep_limit; /**< at and above this dt an explicit step of the law's springs and
                                dashpots is unstable, s; 0: no limit. The first part gets 0, a later
                                one what is there already, which it may lower */
    double stiffness;      /**< slope of the normal force at the greatest overlap, N/m: set by the
                                normal part, 0 if it does not say, for the parts after it */
    double damping;        /**< eta_n of the normal dashpot there, kg/s; likewise */
    double dashpot_weight; /**< comes in: how much a dashpot counts in timestep_limit; eta alone is
                                stable for dashpot_weight eta dt/m* < 1. 1 where dashpots see
                                velocities extrapolated to t + dt, 1/2 where they see those that
                                moved the positions */
} dem_law_scales;

/** Most doubles of state that all parts of one model may declare. */
#define DEM_STATE_MAX 128

/** A contact law: a row of a table. Built-in laws and those of a host are the same thing.
 *
 * On the path of a step a law uses only + - * / and sqrt, so that results are the same on every
 * machine. Strings and slots must live as long as the objects that know the law. */
typedef struct dem_law {
    uint64_t struct_size; /**< sizeof(dem_law), set by dem_law_init */
    const char *name;     /**< unique within an object */
    uint32_t version;     /**< of the state's meaning, for checkpoints */
    int32_t kind;         /**< DEM_LAW_... */
    const dem_law_slot *slots;     /**< the state; NULL if none */
    uint64_t slot_count;           /**< number of slots */
    uint64_t parameters_size;      /**< bytes of the parameter struct, copied when a model is set */
    uint64_t combined_size;        /**< bytes that combine writes, at most 256 */
    void *user;                    /**< passed to all callbacks */
    /** Checks the parameters of one pair of materials and makes what evaluate wants. A normal part
     * writes to `pair`, parts after it read there what they stand on. Returns DEM_OK or a status,
     * and then fills error->message. Required. */
    dem_status (*combine)(void *user, const void *parameters, dem_pair_properties *pair,
                          void *combined, dem_error *error);
    /** Gap, m, up to which the law acts beyond touch; must not fall when a radius grows. Radius
     * 0 is a plane's. NULL: acts on touch only. */
    double (*reach)(void *user, const void *combined, double radius_i, double radius_j);
    /** Computes n contacts. A status other than DEM_OK undoes the step. Called from several
     * threads at once. Required. */
    dem_status (*evaluate)(void *user, uint64_t n, dem_contact_batch *batch, const void *combined);
    /** Forces for the given state, and the state's derivative in batch->state_rate, for integrators
     * that advance the state themselves (Runge-Kutta). Velocities are those of the stage,
     * increments 0. The turning of the contact's frame is added by the library. Changes no state,
     * but where a law is discontinuous: it then sets the slot to where it jumps, and its rate to 0.
     * NULL: has no such form. */
    dem_status (*rate)(void *user, uint64_t n, dem_contact_batch *batch, const void *combined);
    /** Fills `scales` for a pair with effective mass m* (kg), radii (m; 0: plane) and impact speed
     * (m/s, >= 0). NULL: the law says nothing. */
    void (*scales)(void *user, const void *combined, double mass, double radius_i, double radius_j,
                   double speed, dem_law_scales *scales);
    const char *const *value_names; /**< [value_count] names of the doubles that `combined` begins
                                         with, for reading them back; NULL if none */
    uint64_t value_count;           /**< number of them */
    uint32_t promises; /**< sum of DEM_LAW_SETS_FORCES and DEM_LAW_LEAVES_TORQUES, default 0 */
    uint32_t reserved; /**< zero */
    /** Tells, for the sake of speed, what evaluate needs with these parameters: a sum of
     * DEM_NEEDS_... A law without tangential damping, say, does not need the velocity. NULL: needs
     * all. */
    uint32_t (*needs)(void *user, const void *combined);
} dem_law;

/** Fills the defaults for a struct of `size` bytes. Use dem_law_init. */
DEM_API dem_status dem_law_init_sized(dem_law *law, uint64_t size);

/** Fills the defaults: no name, no state, no callback. */
static inline dem_status dem_law_init(dem_law *law)
{
    return dem_law_init_sized(law, sizeof(dem_law));
}

/* ------------------------------------------------------------------ contact history */

/** History and models of contacts between particles of a host. Opaque. */
typedef struct dem_contact_history dem_contact_history;

/** How a contact's frame moves within a step; the counterpart of the integrator's scheme. */
enum {
    DEM_FRAME_SYNCHRONIZED = 0, /**< half-step normal, history turned and twisted with the pair,
                                     damping velocity at the end of the step (default) */
    DEM_FRAME_IMPROVED = 1,     /**< Vyas et al.: half-step normal, no twist, late damping */
    DEM_FRAME_STANDARD = 2      /**< half-step velocity with the full-step normal, as most codes */
};

/** What it means that a contact of the history is not among the pairs of a call. */
enum {
    DEM_ABSENT_SEPARATED = 0, /**< the bodies are apart: its history ends */
    DEM_ABSENT_KEEP = 1       /**< merely not listed (a partial call): its history stays */
};

/** Configuration of a contact history. */
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
} dem_contact_history_config;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_contact_history_config_init_sized(dem_contact_history_config *config,
                                                         uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_contact_history_config_init(dem_contact_history_config *config)
{
    return dem_contact_history_config_init_sized(config, sizeof(dem_contact_history_config));
}

/** Makes an empty history. No materials interact until a model is set.
 * @param config what dem_contact_history_config_init filled; copied
 * @param history out: the object, owned by the caller; NULL on error
 * @param error message on failure, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _STRUCT_SIZE or _MEMORY */
DEM_API dem_status dem_contact_history_create(const dem_contact_history_config *config,
                                              dem_contact_history **history, dem_error *error);

/** Ends a history and gives its memory back. NULL does nothing. */
DEM_API void dem_contact_history_destroy(dem_contact_history *history);

/** Message of the last call on this history that failed; "" if none. Valid until the next call. */
DEM_API const char *dem_contact_history_error(const dem_contact_history *history);

/** Adds a law of the host's. The descriptor is copied; what it points to is not.
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _DUPLICATE, _UNKNOWN, _RANGE, _STRUCT_SIZE or _MEMORY */
DEM_API dem_status dem_contact_history_law_register(dem_contact_history *history,
                                                    const dem_law *law);

/** Sets what happens between two materials, in both orders. Existing contacts of the pair lose
 * their history.
 * @param material_a 0 <= a < material_count
 * @param material_b 0 <= b < material_count; may equal a
 * @param model checked and copied, with its parameters
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN (law), _STRUCT_SIZE or _MEMORY */
DEM_API dem_status dem_contact_history_model_set(dem_contact_history *history, int32_t material_a,
                                                 int32_t material_b,
                                                 const dem_contact_model *model);

/** One combined value of a pair of materials: what a law computes with. */
typedef struct dem_pair_value {
    uint64_t struct_size; /**< sizeof(dem_pair_value), set by the caller */
    const char *law;      /**< name of the law of the part; lives as long as the model */
    const char *name;     /**< name of the value, in the unit of the parameter that it comes from */
    double value;         /**< the value; 0 where another way of giving it was chosen */
    int32_t part;         /**< 0 for the first part of the model */
    int32_t reserved;     /**< zero */
} dem_pair_value;

/** Reads back what the model of a pair of materials came to: effective moduli, damping ratios,
 * derived stiffnesses; part by part, value by value, as the laws name them.
 * @param history the contacts
 * @param material_a 0 <= a < material_count
 * @param material_b 0 <= b < material_count
 * @param index 0 for the first value, counted through all parts
 * @param value out; struct_size must be set
 * @return DEM_OK; DEM_ERROR_RANGE for a material that is not there, and when there is no further
 *  value; DEM_ERROR_ARGUMENT, _STRUCT_SIZE */
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

/** A host's particles and pairs for one evaluation. Strides are in bytes; 0 means packed.
 *
 * Positions are at the end of the step, t + dt. Velocities are as the scheme has them: with
 * `velocity_lag` = dt/2 those of the half step (after kick and drift of a Verlet scheme), with 0
 * those at t + dt. */
typedef struct dem_contacts_input {
    uint64_t struct_size;    /**< sizeof, set by dem_contacts_input_init */
    uint64_t particle_count; /**< rows of the arrays below */
    const uint64_t *id;      /**< global ids, unique; NULL: the row number */
    const double *position;  /**< [particle_count][3], m */
    const double *velocity;  /**< [particle_count][3], m/s */
    const double *angular_velocity;     /**< [particle_count][3], rad/s; NULL: no rotation */
    const double *acceleration;         /**< [particle_count][3], m/s2, of the start of the step;
                                             used by DEM_FRAME_SYNCHRONIZED with a lag; NULL: the
                                             damping velocity lags and the order falls to 1 */
    const double *angular_acceleration; /**< [particle_count][3], rad/s2; NULL likewise */
    const double *radius;               /**< [particle_count], m, > 0 */
    const double *mass;       /**< [particle_count], kg; 0: infinitely heavy */
    const int32_t *material;  /**< [particle_count]; NULL: material 0 */
    uint64_t position_stride; /**< bytes from row to row; 0: 3 doubles */
    uint64_t velocity_stride; /**< likewise */
    uint64_t angular_velocity_stride;     /**< likewise */
    uint64_t acceleration_stride;         /**< likewise */
    uint64_t angular_acceleration_stride; /**< likewise */
    uint64_t pair_count;                  /**< pairs that may touch */
    const uint32_t *pairs;                /**< [pair_count][2] row numbers, in any order; each
                                               contact at most once */
    const uint64_t *features; /**< [pair_count] features of the key; NULL: 0 */
    const double *shifts;  /**< [pair_count][3], m, added to the second row's position: a periodic
                                image; NULL: none */
    const int32_t *images; /**< [pair_count][3] image numbers for the key, of second row relative to
                                first; NULL: 0 */
    double dt;             /**< > 0, s; or 0 with `forces_only` */
    double velocity_lag;   /**< 0 or dt/2, s; default 0: set it to dt/2 for the Verlet family */
    int32_t frame;         /**< DEM_FRAME_..., default DEM_FRAME_SYNCHRONIZED */
    int32_t absent;        /**< DEM_ABSENT_..., default DEM_ABSENT_SEPARATED */
    int32_t forces_only;   /**< not 0: compute, but do not commit the new history */
    int32_t reserved;      /**< zero */
    double *force;         /**< [particle_count][3] in and out: contact forces are added, N */
    double *torque;        /**< [particle_count][3] in and out: torques are added, N m; or NULL */
    uint64_t force_stride; /**< bytes from row to row; 0: 3 doubles */
    uint64_t torque_stride; /**< likewise */
} dem_contacts_input;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_contacts_input_init_sized(dem_contacts_input *input, uint64_t size);

/** Fills the defaults: all arrays NULL, synchronized frame. */
static inline dem_status dem_contacts_input_init(dem_contacts_input *input)
{
    return dem_contacts_input_init_sized(input, sizeof(dem_contacts_input));
}

/** Evaluates contacts, adds forces and torques, and advances the history by one step.
 *
 * On error nothing is changed: neither the history nor the force arrays. Sums run in the order of
 * the pairs, so equal input gives equal bits.
 * @param history the contacts
 * @param input particles and pairs
 * @param totals out: sums over the contacts, or NULL
 * @return DEM_OK; DEM_ERROR_ARGUMENT, _RANGE (a row number, radius, mass, material or dt),
 *  _STRUCT_SIZE, _MEMORY, _DUPLICATE (a contact listed twice), _DIVERGED (a position or velocity
 *  is not finite), _OVERLAP, _CALLBACK (a law failed) */
DEM_API dem_status dem_contacts_evaluate(dem_contact_history *history,
                                         const dem_contacts_input *input,
                                         dem_contact_totals *totals);

/** Geometry of contacts that the host computed: meshes, and shapes of its own. Row k belongs to
 * pair k of dem_contacts_input. */
typedef struct dem_contacts_geometry {
    uint64_t struct_size;   /**< sizeof, set by dem_contacts_geometry_init */
    const double *overlap;  /**< [pair_count], m; negative for a gap */
    const double *normal;   /**< [pair_count][3], unit to 1e-6, from the second row to the first */
    const double *point;    /**< [pair_count][3], m, contact point where the first row is */
    const double *radius;   /**< [pair_count], R* > 0, m; NULL: from the radii of the two rows */
} dem_contacts_geometry;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_contacts_geometry_init_sized(dem_contacts_geometry *geometry,
                                                    uint64_t size);

/** Fills the defaults: all arrays NULL. */
static inline dem_status dem_contacts_geometry_init(dem_contacts_geometry *geometry)
{
    return dem_contacts_geometry_init_sized(geometry, sizeof(dem_contacts_geometry));
}

/** As dem_contacts_evaluate, with overlap, normal, contact point and R* from the host.
 *
 * Forces act at the contact point, and so does the normal force: its torque counts where the point
 * lies beside the line of a centre. The normal of the step's start is the one given last, which the
 * history keeps; that of the half step lies half-way. The model's lever_arm is not used.
 * `input->radius` still bounds the overlap and gives R* where `radius` is NULL.
 * @param history the contacts
 * @param input particles and pairs
 * @param geometry of each pair
 * @param totals out: sums over the contacts, or NULL
 * @return as dem_contacts_evaluate; DEM_ERROR_RANGE for a normal that is not of unit length */
DEM_API dem_status dem_contacts_evaluate_geometry(dem_contact_history *history,
                                                  const dem_contacts_input *input,
                                                  const dem_contacts_geometry *geometry,
                                                  dem_contact_totals *totals);

/** The history of the contacts of one step as plain variables, for schemes that advance it with
 * positions and velocities: Runge-Kutta, or a host's own solver of ordinary differential equations.
 * The arrays belong to the history and are valid until dem_contacts_stage_end. */
typedef struct dem_contacts_stage {
    uint64_t struct_size; /**< sizeof(dem_contacts_stage), set by the caller */
    uint64_t count;       /**< number of variables */
    double *state;        /**< [count] in and out: slots of all contacts, m or the law's unit */
    const double *rate;   /**< [count] their time derivative at the last dem_contacts_stage_rate */
    const double *jump;   /**< [count] by how much the stage moves them at once from where they were
                               at the step's start; 0 unless a law is discontinuous */
} dem_contacts_stage;

/** Starts a step of stages: fixes its contacts, which are the listed pairs that act at the given
 * positions, and puts their history into `stage->state`.
 *
 * A pair that meets within the step starts with the next one; one that parts keeps no force. Laws
 * without a rate form are refused. Spheres only.
 * @param history the contacts
 * @param input particles and pairs at t; dt, velocity_lag, frame, accelerations and forces_only are
 *  not used here
 * @param stage out; struct_size must be set
 * @return DEM_OK; DEM_ERROR_STATE for a law without rate form; otherwise as
 *  dem_contacts_evaluate */
DEM_API dem_status dem_contacts_stage_begin(dem_contact_history *history,
                                            const dem_contacts_input *input,
                                            dem_contacts_stage *stage);

/** Forces and rates at one stage: adds contact forces and torques, sets rate and jump.
 *
 * A tangent slot turns with the pair: with the line of the centres, and about it with the mean spin
 * of the two bodies. On error forces are as they were.
 * @param history the contacts, after dem_contacts_stage_begin
 * @param input the same particles and pairs with positions and velocities of the stage
 * @param totals out: contacts and elastic energy of the stage, or NULL
 * @return DEM_OK; DEM_ERROR_STATE without dem_contacts_stage_begin; otherwise as
 *  dem_contacts_evaluate */
DEM_API dem_status dem_contacts_stage_rate(dem_contact_history *history,
                                           const dem_contacts_input *input,
                                           dem_contact_totals *totals);

/** Ends a step of stages: `stage->state` becomes the history. Overlaps and forces that
 * dem_contact_history_next gives are those of the last stage.
 * @return DEM_OK, DEM_ERROR_ARGUMENT; _STATE without dem_contacts_stage_begin; _DIVERGED when a
 *  variable is not finite */
DEM_API dem_status dem_contacts_stage_end(dem_contact_history *history);

/** One contact, as an iterator gives it. */
typedef struct dem_contact {
    uint64_t struct_size;       /**< sizeof(dem_contact), set by the caller */
    dem_contact_key key;        /**< which */
    double overlap;             /**< m */
    double normal[3];           /**< unit, from j to i */
    double force_normal[3];     /**< on i, N */
    double force_tangential[3]; /**< on i, N */
    const double *state;        /**< the law's slots in order of declaration; valid until the next
                                     call that changes the object */
    uint64_t state_count;       /**< doubles at state */
    int32_t material_i;         /**< material of i */
    int32_t material_j;         /**< material of j */
} dem_contact;

/** Number of contacts in the history; 0 for NULL. */
DEM_API uint64_t dem_contact_history_count(const dem_contact_history *history);

/** Gives the contacts one by one, in an order that stays as long as the history does not change.
 * @param history the contacts
 * @param cursor in and out: start with 0
 * @param contact out; struct_size must be set
 * @return DEM_OK; DEM_ERROR_RANGE when there is no further contact; DEM_ERROR_ARGUMENT,
 *  _STRUCT_SIZE */
DEM_API dem_status dem_contact_history_next(const dem_contact_history *history, uint64_t *cursor,
                                            dem_contact *contact);

/** Forgets all contacts; models and laws stay. */
DEM_API dem_status dem_contact_history_clear(dem_contact_history *history);

#ifdef __cplusplus
}
#endif
#endif
