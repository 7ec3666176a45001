/* SPDX-License-Identifier: MIT */
/**
 * @file law.h
 * Models, which say what happens between two materials, and the laws that they are made of: what
 * all law_*.h share, and what a law of your own consists of. Histories of contact.h and worlds take
 * both. examples/host_law has a law of a program; docs/extending.md adds one to the library.
 */
#ifndef DEM_LAW_H
#define DEM_LAW_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of parameter structs. dem_..._init writes one into the struct, and a law refuses a struct
 * of another kind. Number kinds of your own from DEM_PARAMETERS_HOST on. */
enum {
    DEM_PARAMETERS_ANY = 0, /**< not checked, for dem_law.parameters_kind alone */
    /* generated from src/laws/laws.def: kinds */
    DEM_PARAMETERS_LINEAR = 1,             /**< dem_linear */
    DEM_PARAMETERS_HOOKE = 2,              /**< dem_hooke */
    DEM_PARAMETERS_FRICTION = 3,           /**< dem_friction */
    DEM_PARAMETERS_HERTZ = 4,              /**< dem_hertz */
    DEM_PARAMETERS_MINDLIN = 5,            /**< dem_mindlin */
    DEM_PARAMETERS_ACTM = 6,               /**< dem_actm */
    DEM_PARAMETERS_ADHESION = 7,           /**< dem_adhesion */
    DEM_PARAMETERS_LUDING = 8,             /**< dem_luding */
    DEM_PARAMETERS_WALTON_BRAUN = 9,       /**< dem_walton_braun */
    DEM_PARAMETERS_THORNTON = 10,          /**< dem_thornton */
    DEM_PARAMETERS_ROLLING = 11,           /**< dem_rolling */
    DEM_PARAMETERS_ROLLING_CONSTANT = 12,  /**< dem_rolling_constant */
    DEM_PARAMETERS_TWISTING_MARSHALL = 13, /**< dem_twisting_marshall */
    DEM_PARAMETERS_FILM = 14,              /**< dem_film */
    /* end of generated */
    DEM_PARAMETERS_HOST = 1024 /**< the first kind that is free for your laws */
};

/** What happens to a negative sum of spring and dashpot. */
enum {
    DEM_NORMAL_CUT = 0, /**< it is cut to zero. DEM_DAMPING_RESTITUTION solves for the damping: the
                           restitution you set is the one you measure */
    DEM_NORMAL_ATTRACTIVE = 1,         /**< it is kept: the force attracts until the overlap is 0 */
    DEM_NORMAL_CUT_UNCORRECTED = 2,    /**< it is cut to zero, with the damping of the attractive
                                          form: you measure a higher restitution than you set. For
                                          comparison */
    DEM_NORMAL_ATTRACTIVE_ABSOLUTE = 3 /**< as DEM_NORMAL_ATTRACTIVE, with friction mu |F_n|
                                            while the force attracts, as in LAMMPS's pair_style
                                            gran; the other forms have none then */
};

/** One law and its parameters. Frozen layout. */
typedef struct dem_contact_part {
    const char *law;        /**< a law's name; NULL: unused */
    const void *parameters; /**< the law's parameter struct; keep it until the model is set, which
                                 copies it */
} dem_contact_part;

/** Where contact forces act. */
enum {
    DEM_ARM_RADIUS = 0, /**< at the radius of each body (default, as in LAMMPS) */
    DEM_ARM_CONTACT = 1 /**< at r - overlap/2: arms sum to the distance of the centres, so total
                             angular momentum is exact */
};

/** What happens between two materials. An empty model means that they do not interact. You must set
 * a model for each pair of materials that meet: dem_step refuses a pair without one, and a history
 * warns of it.
 *
 *     dem_contact_model_init(&model);
 *     dem_contact_model_add_hertz(&model, &hertz);
 *     dem_contact_model_add_mindlin(&model, &mindlin);
 *     dem_contact_model_set(world, 0, 0, &model);
 *
 * The first part is a normal part or a whole law, which is the normal and the tangential part in
 * one. A model has one part of a kind (DEM_LAW_NORMAL to DEM_LAW_FURTHER).
 *
 * Each built-in law has such a function beside its parameter struct, so that the compiler reports a
 * struct of another law. Add laws of your own by dem_contact_model_add. */
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

/** Adds a law by its name as the next part of a model. For laws of your own; the built-in ones have
 * functions that know the type of their parameters.
 * @param model what dem_contact_model_init filled
 * @param law the law's name; must live until the model is set
 * @param parameters the law's parameter struct; must live until the model is set
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_RANGE where all parts are in use. On error
 *  the model is unchanged */
static inline dem_status dem_contact_model_add(dem_contact_model *model, const char *law,
                                               const void *parameters)
{
    if (!model || !law || !parameters)
        return DEM_ERROR_ARGUMENT;
    for (int k = 0; k < 4; ++k)
        if (!model->parts[k].law) {
            model->parts[k].law = law;
            model->parts[k].parameters = parameters;
            return DEM_OK;
        }
    return DEM_ERROR_RANGE;
}

/* ------------------------------------------------------------------ law descriptor */

/** Number of lanes of a batch, and the distance between the components of its vectors. */
#define DEM_BATCH_SIZE 64

/** Contacts of one pair of materials, as a structure of arrays. The library makes it, a law fills
 * it in. It grows at its end.
 *
 * A scalar of contact k is at [k]; component c of a vector is at [c * DEM_BATCH_SIZE + k]. Lanes
 * from n up to the next multiple of 8 hold harmless values and may be computed. All vectors are in
 * the coordinates of your positions, at the end of the step unless said otherwise. */
typedef struct dem_contact_batch {
    uint64_t struct_size;          /**< of the library that runs */
    double dt;                     /**< time step, s; 0 for an evaluation that advances nothing */
    const double *overlap;         /**< m, negative for a gap */
    const double *overlap_rate;    /**< -v_n at the half step, m/s: overlap grew by this times dt */
    const double *normal;          /**< [3] unit normal n from j to i */
    const double *increment;       /**< [3] du, m: tangential displacement of surface i against j */
    const double *velocity_normal; /**< v_n that the dashpot sees, m/s, negative approaching */
    const double *velocity;        /**< [3] v_t that the dashpot sees, m/s */
    const double *angular_velocity_i; /**< [3] angular velocity of i at the half step, rad/s */
    const double *angular_velocity_j; /**< [3] the same of j */
    const double *radius_i;           /**< m; 0 for a wall */
    const double *radius_j;           /**< m; 0 for a wall */
    const double *radius;             /**< R* = r_i r_j/(r_i + r_j), m; the sphere's for a plane,
                                         and by its curvature for another wall */
    const double *mass;               /**< m*, kg */
    const double *was_touching;       /**< 1 where the contact existed at the start of the step */
    double *touching; /**< in and out: 1 where the contact exists at the end of the step. Input: 1
                        where overlap > 0. Where it goes from 1 to 0, this is the last call for the
                        contact: set forces to zero and count the stored energy as dissipated */
    double *state;    /**< [slots] in and out: the components of all slots in order of declaration,
                           already rotated into the present tangent plane. Leave finite numbers:
                           parcels, and snapshots of a history, that have others are refused where
                           they are read */
    double *force_normal;       /**< out: along n, on i, N. Input: 0, as for the following */
    double *force_tangential;   /**< [3] out: on i, N; the library adds its torque r x F */
    double *torque_i;           /**< [3] out: further torque on i (rolling, twisting), N m */
    double *torque_j;           /**< [3] out: further torque on j, N m */
    double *elastic_energy;     /**< out: stored at the end of the step, J */
    double *dissipated_normal;  /**< out: lost in the normal dashpot during the step, J */
    double *dissipated_dashpot; /**< out: lost in tangential dashpots, J */
    double *dissipated_slip;    /**< out: lost by sliding, J */
    double *dissipated_rolling; /**< out: lost by rolling and twisting resistance, J */
    double *force_elastic;  /**< elastic part of the normal force, N. A normal part sets it, and the
                                 parts after it read it, like the following. Input: 0 */
    double *force_coulomb;  /**< normal force of Coulomb's limit, N, >= 0 */
    double *contact_radius; /**< radius a of the contact area, m; 0 for linear laws */
    double *stiffness;      /**< slope of the elastic normal force, N/m */
    double *damping;        /**< eta_n of the normal dashpot, kg/s */
    double *state_rate;     /**< [slots] out, for dem_law.rate alone: time derivative of the state;
                                 NULL elsewhere */
    int32_t energy_tracking; /**< 0: energies and dissipation are not read, and may be left 0 */
    int32_t alone;           /**< 1: the model has no other part, so force_elastic to damping above
                                  are not read, and may be left 0 */
    const double *rotation_increment; /**< [3] rad: rotation of i against j over the step, from
                                         angular velocities and normal of the half step, rotated
                                         with the contact to the end. Its part along the normal is
                                         twisting, the rest is rolling */
    const double *rotation_velocity;  /**< [3] w_i - w_j that dashpots see, rad/s */
} dem_contact_batch;

/** Kind of a piece of state, which decides how the library rotates it. */
enum {
    DEM_SLOT_SCALAR = 0,  /**< one double */
    DEM_SLOT_TANGENT = 1, /**< three doubles: vector in the tangent plane; moves with the contact */
    DEM_SLOT_AXIAL = 2,   /**< three doubles: axial vector (a rolling spring); moves likewise */
    DEM_SLOT_FORCE = 3, /**< three doubles: tangential force of the last evaluation, which tells the
                           work of the next step; moves as DEM_SLOT_TANGENT. A world keeps it
                           also from an evaluation without a step, as it keeps the next two, while
                           the first three stay as they are */
    DEM_SLOT_FORCE_COMPONENT = 4, /**< one double: such a force along a DEM_SLOT_DIRECTION */
    DEM_SLOT_DIRECTION = 5 /**< three doubles: unit vector in the tangent plane, along which a law
                              has components; rotates with the contact also where
                              DEM_KINEMATICS_STANDARD projects vectors */
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

/** Traits that a law promises of its evaluate, for speed. A law that breaks a promise gives wrong
 * forces. */
enum {
    DEM_TRAIT_SETS_FORCES = 1,   /**< sets force_normal and force_tangential of all lanes up to the
                                    next multiple of 8 whatever was there, where it is alone */
    DEM_TRAIT_LEAVES_TORQUES = 2 /**< neither reads nor writes torque_i and torque_j */
};

/** Members of its batch that a law needs. Members that no part of a model needs may be 0, and the
 * rotations NULL. */
enum {
    DEM_TRAIT_NEEDS_VELOCITY = 1, /**< velocity and rotation_velocity, which dashpots see */
    DEM_TRAIT_NEEDS_RADIUS = 2,   /**< radius, R* */
    DEM_TRAIT_NEEDS_ROTATION = 4  /**< rotation_increment and, with DEM_TRAIT_NEEDS_VELOCITY,
                                 rotation_velocity */
};

/** Properties that the normal part of a model gives to the parts after it when the model is set.
 * The library makes the struct; it grows at its end. */
typedef struct dem_pair_properties {
    uint64_t struct_size;    /**< of the library that runs */
    int32_t normal_form;     /**< DEM_NORMAL_FORM_...; input: DEM_NORMAL_FORM_OTHER */
    int32_t reserved;        /**< zero */
    double effective_young;  /**< E*, Pa; 0 where the normal law has none */
    double effective_shear;  /**< G*, Pa; 0 likewise */
    double stiffness_normal; /**< k_n of a linear law, k_1 of a piecewise linear one, N/m; 0
                                otherwise */
    double restitution;      /**< e of the normal law; 1 if it gives none */
} dem_pair_properties;

/** Forms of normal laws, for the parts that build on them. */
enum {
    DEM_NORMAL_FORM_OTHER = 0,   /**< none of the following */
    DEM_NORMAL_FORM_LINEAR = 1,  /**< k_n overlap */
    DEM_NORMAL_FORM_HERTZ = 2,   /**< 4/3 E* sqrt(R*) overlap^(3/2), a = sqrt(R* overlap) */
    DEM_NORMAL_FORM_ADHESIVE = 3 /**< elastic with adhesion (JKR, DMT), with E* and G* */
};

/** Times and limits of one pair, which the parts of a model set in their order. The library makes
 * the struct; it grows at its end. */
typedef struct dem_law_limits {
    uint64_t struct_size;  /**< of the library that runs */
    double contact_time;   /**< duration of a collision, s; input and default 0: unknown */
    double timestep_limit; /**< from this dt on, an explicit step of the law's springs and dashpots
                                is unstable, s; 0: no limit. Input: 0 for the first part, for a
                                later one the limit so far, which it may lower */
    double stiffness;      /**< slope of the normal force at the greatest overlap, N/m; of "luding"
                                and "walton-braun" that of a fresh contact. The normal part sets it
                                for the parts after it; 0: unknown */
    double damping;        /**< eta_n of the normal dashpot there, kg/s; likewise */
    double dashpot_weight; /**< input: weight of dashpots in timestep_limit. A dashpot alone is
                                stable for dashpot_weight eta dt/m* < 1. The weight is 1 where
                                dashpots see velocities extrapolated to t + dt, 1/2 where they see
                                those that moved the positions */
} dem_law_limits;

/** Most doubles of state that all parts of one model may declare. */
#define DEM_STATE_MAX 128

/** A contact law. Built-in laws and your own use the same struct.
 *
 * On the path of a step a law uses only + - * / and sqrt, so that results are the same on every
 * machine. Strings and slots must live as long as the objects that know the law. */
typedef struct dem_law {
    uint64_t struct_size;      /**< sizeof(dem_law), set by dem_law_init */
    const char *name;          /**< unique within an object, 255 bytes at most */
    uint32_t version;          /**< of the state's meaning, for checkpoints */
    int32_t kind;              /**< DEM_LAW_... */
    const dem_law_slot *slots; /**< the state; NULL if none */
    uint64_t slot_count;       /**< number of slots */
    uint64_t parameters_size;  /**< bytes of the parameter struct, which combine reads when a
                                    model is set; 8 to 65536 */
    uint64_t combined_size;    /**< bytes that combine writes, at most 256 */
    void *user;                /**< passed to all callbacks */
    /** Checks the parameters of one pair of materials and computes `combined` for evaluate. A
     * normal part writes to `pair`, and the parts after it read it. Returns DEM_OK, or a status and
     * error->message. Required. */
    dem_status (*combine)(void *user, const void *parameters, dem_pair_properties *pair,
                          void *combined, dem_error *error);
    /** Returns the largest gap at which the law acts, m. It must not fall when a radius grows. The
     * radius of a wall is 0, and that of a sphere in a hollow one may be R*. What is not finite and
     * positive counts as 0: the law acts in touch only, as with NULL. */
    double (*reach)(void *user, const void *combined, double radius_i, double radius_j);
    /** Computes n contacts. A status other than DEM_OK undoes the step. Called from several
     * threads at once. A step that finds that it lacks room for contacts is computed again, from
     * the same states, so count nothing here. Required. */
    dem_status (*evaluate)(void *user, uint64_t n, dem_contact_batch *batch, const void *combined);
    /** Computes the forces for the given state, and the derivative of the state in
     * batch->state_rate, for integrators that advance the state themselves (Runge-Kutta).
     * Velocities are those of the stage, increments are 0. The library adds the rotation of the
     * contact. The state does not change, unless the law is discontinuous: then it sets the slot to
     * the value after the jump, and the rate of the slot to 0. NULL: the law has no rate form. */
    dem_status (*rate)(void *user, uint64_t n, dem_contact_batch *batch, const void *combined);
    /** Fills `limits` for a pair with effective mass m* (kg), radii (m; 0: a wall, and the other is
     * then the largest R* on it) and impact speed (m/s, >= 0). NULL: the law gives none. */
    void (*limits)(void *user, const void *combined, double mass, double radius_i, double radius_j,
                   double speed, dem_law_limits *limits);
    const char *const *value_names; /**< [value_count] names of the first doubles of `combined`, for
                                         dem_world_pair_value; NULL if none */
    uint64_t value_count;           /**< number of them, at most combined_size / 8 */
    uint32_t traits;   /**< sum of DEM_TRAIT_SETS_FORCES and DEM_TRAIT_LEAVES_TORQUES, default 0 */
    uint32_t reserved; /**< zero */
    /** Returns what evaluate needs with these parameters, for speed: a sum of DEM_TRAIT_NEEDS_...
     * For example, a law without tangential damping does not need the velocity. NULL: needs all. */
    uint32_t (*traits_needed)(void *user, const void *combined);
    uint64_t parameters_kind; /**< kind that the parameter struct must have, DEM_PARAMETERS_HOST or
                                 above for your own: the struct then starts with two uint64_t, its
                                 size and its kind. 0 (default): not checked */
} dem_law;

/** Fills the defaults for a struct of `size` bytes. Use dem_law_init. */
DEM_API dem_status dem_law_init_sized(dem_law *law, uint64_t size);

/** Fills the defaults: no name, no state, no callback. */
static inline dem_status dem_law_init(dem_law *law)
{
    return dem_law_init_sized(law, sizeof(dem_law));
}

#ifdef __cplusplus
}
#endif
#endif
