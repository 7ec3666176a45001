/* SPDX-License-Identifier: MIT */
/* The laws an object knows and the model of each pair of materials. */
#ifndef DEMI_MODELS_H
#define DEMI_MODELS_H

#include "base/context.h"
#include "base/isa.h"

#include <dem/contact.h>

#define DEMI_PARTS_MAX 4
#define DEMI_COMBINED_MAX 256
#define DEMI_LAW_NAME_MAX 255 /* bytes: those who read a name have room for as many */
#define DEMI_TRAITS_ALL                                                                            \
    ((uint32_t)(DEM_TRAIT_NEEDS_VELOCITY | DEM_TRAIT_NEEDS_RADIUS | DEM_TRAIT_NEEDS_ROTATION))

/* A model as it is evaluated: laws with their combined parameters, and the layout of the state. */
typedef struct demi_model {
    double combined[DEMI_PARTS_MAX][DEMI_COMBINED_MAX / sizeof(double)];
    dem_law laws[DEMI_PARTS_MAX];
    uint32_t part_count;
    uint32_t state_size;                  /* doubles of all parts */
    uint32_t state_begin[DEMI_PARTS_MAX]; /* first double of each part */
    uint32_t vector_count;                /* slots of three doubles, which turn with the contact */
    uint32_t vector_begin[DEM_STATE_MAX / 3];
    unsigned char vector_kind[DEM_STATE_MAX / 3]; /* DEM_SLOT_... */
    uint32_t traits;                              /* of all parts */
    uint32_t traits_needed;                       /* of any part, DEM_TRAIT_NEEDS_... */
    int32_t lever_arm;
    int32_t material_a, material_b;
    uint32_t film;        /* the part that is a film, + 1; 0: none */
    uint32_t force_count; /* doubles of the state that an evaluation without a step writes */
    unsigned char force[DEM_STATE_MAX];
    uint64_t set_after; /* of a world: rebuilds before it was set, + 1 */
} demi_model;

/* Doubles of a slot of this kind. */
uint32_t demi_slot_size(int32_t kind);

/* Whether laws of a model add torques of their own. */
static inline int demi_model_torques(const demi_model *model)
{
    return (model->traits & DEM_TRAIT_LEAVES_TORQUES) == 0;
}

/* Whether laws of a model have tangential dashpots, and so need their velocity. */
static inline int demi_model_dashpots(const demi_model *model)
{
    return (model->traits_needed & DEM_TRAIT_NEEDS_VELOCITY) != 0;
}

/* Whether laws of a model need the rotation of the bodies against each other. */
static inline int demi_model_rotates(const demi_model *model)
{
    return (model->traits_needed & DEM_TRAIT_NEEDS_ROTATION) != 0;
}

/* What is known of a pair of materials beside its model. Setting a model begins anew. */
enum {
    DEMI_PAIR_SET = 1,              /* a model was set, if only an empty one */
    DEMI_PAIR_TOLD_MISSING = 2,     /* it was logged that none was */
    DEMI_PAIR_TOLD_COARSE = 4,      /* likewise, that the time step is coarse for it */
    DEMI_PAIR_TOLD_CROWDED = 64,    /* likewise, that it is long where particles have several */
    DEMI_PAIR_TOLD_SOFT = 8,        /* likewise, that overlaps are large */
    DEMI_PAIR_TOLD_WIDE = 32,       /* likewise, that its film is wider than the formulas hold */
    DEMI_PAIR_TOLD_UNLIMITED = 128, /* likewise, that a law of the host has no limits */
    DEMI_PAIR_TOLD = DEMI_PAIR_TOLD_MISSING | DEMI_PAIR_TOLD_COARSE | DEMI_PAIR_TOLD_CROWDED |
                     DEMI_PAIR_TOLD_SOFT | DEMI_PAIR_TOLD_WIDE | DEMI_PAIR_TOLD_UNLIMITED,
    DEMI_PAIR_NAMED = 16 /* within io/model_table.c: its laws are among those of the bytes */
};

typedef struct demi_models {
    int32_t material_count;
    DEMI_ARRAY(demi_model *) pair;  /* [material_count^2], NULL: no interaction */
    DEMI_ARRAY(unsigned char) mark; /* [material_count^2], DEMI_PAIR_... */
    DEMI_ARRAY(dem_law) laws;       /* [law_count], the host's */
    uint64_t law_count;
    int isa;           /* index into the tables of built-in laws */
    int lean;          /* energies are never accounted for */
    int filmless;      /* films are refused: there is no step that they could act in */
    uint64_t films;    /* pairs of materials whose model has one */
    uint64_t reaching; /* likewise, a law that may act across gaps */
    uint32_t states[DEM_STATE_MAX + 1]; /* likewise, so many doubles of state */
} demi_models;

dem_status demi_models_init(demi_context *context, demi_models *models, int32_t material_count,
                            int isa, int lean);
void demi_models_free(demi_context *context, demi_models *models);
dem_status demi_models_register(demi_context *context, demi_models *models, const dem_law *law);

/* Checks and sets the model of a pair. The old one is returned and belongs to the caller; NULL if
 * there was none. */
dem_status demi_models_set(demi_context *context, demi_models *models, int32_t material_a,
                           int32_t material_b, const dem_contact_model *model, demi_model **old);
void demi_model_free(demi_context *context, demi_model *model);
/* Names the laws of a model for a message: law "hertz", or laws "hertz", "mindlin". */
enum { DEMI_MODEL_TEXT = 288 };
const char *demi_model_laws(const demi_model *model, char text[DEMI_MODEL_TEXT]);
/* Most doubles of state that a model has. */
uint32_t demi_models_widest(const demi_models *models);
/* What was logged of the pairs of other models of as many materials counts as logged of these. */
void demi_models_told(demi_models *models, const demi_models *others);

/* A part of a model as a snapshot keeps it. */
typedef struct demi_model_part {
    char law[DEMI_LAW_NAME_MAX + 1];
    uint32_t version;
    int32_t kind;
    uint64_t combined_size;
    double combined[DEMI_COMBINED_MAX / sizeof(double)];
} demi_model_part;

/* Sets the model of a pair that has none from parameters that were combined before. The laws must
 * be there, in the versions that combined them. No part: no interaction. */
dem_status demi_models_restore(demi_context *context, demi_models *models, int32_t material_a,
                               int32_t material_b, int32_t lever_arm, uint32_t part_count,
                               const demi_model_part *parts);

static inline demi_model *demi_models_get(const demi_models *models, int32_t a, int32_t b)
{
    demi_model *const *pair = models->pair.data;
    return pair[(int64_t)a * models->material_count + b];
}

/* The marks of a pair, in either order. */
static inline unsigned char *demi_models_mark(const demi_models *models, int32_t a, int32_t b)
{
    const int64_t first = a < b ? a : b, second = a < b ? b : a;
    return models->mark.data + first * models->material_count + second;
}

/* A combined value of a pair; as dem_contact_history_pair_value. */
dem_status demi_models_value(demi_context *context, const demi_models *models, int32_t material_a,
                             int32_t material_b, uint64_t index, dem_pair_value *value);

/* Contact time and limit on dt that all parts together set; see dem_law_limits.dashpot_weight.
 * strictest: the law of the part that set the limit; NULL: not asked for. */
void demi_model_limits(const demi_model *model, double mass, double radius_i, double radius_j,
                       double speed, double dashpot_weight, dem_law_limits *limits,
                       const char **strictest);

/* Farthest gap at which any part acts between bodies of these radii; 0 is a plane's, and then the
 * gap holds for spheres up to the other radius too. */
double demi_model_reach(const demi_model *model, double radius_i, double radius_j);

#endif
