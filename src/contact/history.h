/* SPDX-License-Identifier: MIT */
/* The contacts of a history: records, which evaluation makes anew, and a kept list. */
#ifndef DEMI_HISTORY_H
#define DEMI_HISTORY_H

#include "contact/lanes.h"
#include "contact/pair.h"
#include "contact/records.h"
#include "contact/sums.h"

/* What a new contact of the pair is made of. */
typedef struct demi_kept_origin {
    dem_contact_key key;
    int32_t material_i, material_j;
    uint32_t first; /* pair of the list that is the same contact, or DEMI_NOT_KEPT; see ghosts */
    uint32_t pair;  /* of the host's list */
    int turned;     /* listed the other way round */
} demi_kept_origin;

#define DEMI_NOT_KEPT UINT32_MAX

/* Doubles that are kept of a contact of a list beside its state: overlap, normal, normal force,
 * tangential force. */
enum { DEMI_KEPT_RESULT = 8 };
/* The same of one whose geometry the host gives: contact point, elastic energy. */
enum { DEMI_KEPT_GIVEN = 4 };
/* Where results of a side are: in the records that the list was begun with, or in the side, of
 * spheres or of geometry that the host gave. */
enum { DEMI_KEPT_RECORDS, DEMI_KEPT_SPHERES, DEMI_KEPT_GEOMETRY };

/* The contacts of a kept list at one time, by pair. The list has two, as a history has two
 * generations of records; `count` is that of the records. */
typedef struct demi_kept_side {
    int absent; /* contacts that are not listed are there still */
    uint64_t count;
    DEMI_ARRAY(unsigned char) touching; /* 0 or 1; a state is there where it is 1 */
    DEMI_ARRAY(double) state;           /* demi_kept.state_stride each */
    /* where `touching` is 1, of the first of several pairs that are one contact: */
    DEMI_ARRAY(double) result; /* DEMI_KEPT_RESULT each */
    DEMI_ARRAY(double) given;  /* DEMI_KEPT_GIVEN each, of DEMI_KEPT_GEOMETRY */
    int source;                /* DEMI_KEPT_RECORDS, ... */
} demi_kept_side;

/* A contact that is not listed, and a pair of the list by which it may go on. */
typedef struct demi_kept_merger {
    uint32_t absent, pair;
} demi_kept_merger;

/* A pair of a kept list that is the same contact as an earlier one, the first; beside its origin,
 * because each step looks at all of these and at no other origin. */
typedef struct demi_kept_twin {
    uint32_t pair, first;
} demi_kept_twin;

/* An end of a pair of a kept list: twice the number of the pair, + 1 for j; offset of its row. */
typedef struct demi_kept_pair_end {
    uint32_t end, row;
} demi_kept_pair_end;

/* The place of a pair that the step did not compute; all bits are set. */
#define DEMI_KEPT_NONE UINT32_MAX

/* The pairs of a kept list dealt out to an executor's threads, see kept_tasks.c. */
typedef struct demi_kept_tasks {
    uint64_t count; /* 0: one thread does all */
    uint64_t pairs; /* of a task */
    DEMI_ARRAY(struct demi_kept_task) task;
    DEMI_ARRAY(unsigned char) finite; /* of tasks of rows: whether all that moves them is */
    DEMI_ARRAY(uint32_t) place;       /* of pairs: where part and energies are, or DEMI_KEPT_NONE */
    DEMI_ARRAY(double) part;          /* by place: DEMI_KEPT_PART each */
    DEMI_ARRAY(double) energy;        /* by place: DEMI_KEPT_ENERGIES each */
    /* ends of pairs by tasks of rows, those of each in the order of the list */
    DEMI_ARRAY(uint32_t) first; /* [tasks of rows + 1] */
    DEMI_ARRAY(demi_kept_pair_end) end;
} demi_kept_tasks;

/* A kept list, see kept.c. */
typedef struct demi_kept {
    int open;
    int shifted;                           /* pairs have shifts */
    uint64_t state_stride;                 /* doubles of a contact's state, a multiple of 4 */
    const demi_model *alike;               /* the model of all pairs, or NULL */
    uint64_t count, twin_count, row_count; /* of the arrays */
    uint64_t particle_count, ghost_count;  /* of the host */
    DEMI_ARRAY(demi_pair) pair;            /* offsets of rows of the list's own; see below */
    DEMI_ARRAY(const demi_model *) model;  /* of pairs */
    DEMI_ARRAY(double) touch_squared;      /* distance at which a pair acts */
    DEMI_ARRAY(demi_kept_origin) origin;
    DEMI_ARRAY(double) shift; /* [count][3] */
    DEMI_ARRAY(demi_kept_twin) twin;
    DEMI_ARRAY(uint32_t) record; /* of pairs, in `current`, while the list is made */
    demi_kept_side current, next;
    demi_records absent;                 /* contacts of the history that are not listed */
    DEMI_ARRAY(demi_kept_merger) merger; /* see merged.c; by `absent` */
    uint64_t mergers;
    DEMI_ARRAY(uint32_t) row;   /* of the host, those that pairs have */
    DEMI_ARRAY(uint32_t) place; /* of each of the host's rows in `row` */
    DEMI_ARRAY(double) radius, mass;
    /* for each of `row`: position and radius; velocity, inverse mass and angular velocity; what
     * dashpots see beyond these; force and torque */
    DEMI_ARRAY(double) position, velocity, gain, load;
    demi_kept_tasks tasks;
} demi_kept;

/* The state of a batch before the law, its rates, and 1 where the law moved it at once. */
typedef struct demi_stages_work {
    double before[DEM_STATE_MAX][DEMI_LANES];
    double rate[DEM_STATE_MAX][DEMI_LANES];
    double changed[DEM_STATE_MAX][DEMI_LANES];
} demi_stages_work;

struct dem_contact_history {
    demi_context context;
    demi_context *self; /* for messages of functions that take a const history */
    demi_models models;
    demi_records current, next;
    DEMI_ARRAY(unsigned char) seen; /* [current.count]; [next.count] while rates are computed */
    DEMI_ARRAY(unsigned char) ends; /* [next.count], see evaluate.c */
    DEMI_ARRAY(struct demi_history_result) results; /* of the pairs in contact, see evaluate.c */
    DEMI_ARRAY(struct demi_history_work) work;      /* of evaluate.c: too much for a stack */
    DEMI_ARRAY(struct demi_slot) slots;             /* of slots.c, and their table */
    DEMI_ARRAY(uint32_t) slots_table;
    double overlap_limit;
    dem_executor executor;
    demi_sums sums;
    int undoable;           /* `next` has what undoes the last evaluation: */
    int partial;            /* 0: what `current` was; 1: what was changed in place, see partial.c */
    uint64_t partial_count; /* contacts of it, first in `next` */
    DEMI_ARRAY(uint32_t) partial_place;  /* by record of `next`: where in `current` */
    DEMI_ARRAY(uint32_t) partial_listed; /* records of `current` that the call listed */
    /* records of `current` by the ids of their ends, where index_valid; see ids.c */
    int index_valid;
    uint64_t index_mask;
    DEMI_ARRAY(uint32_t) index_head, index_next, index_before;
    /* of io/contacts.c: records that are written, their marks, pairs of materials */
    DEMI_ARRAY(uint32_t) picked;
    DEMI_ARRAY(unsigned char) picked_mark; /* 0 between calls */
    DEMI_ARRAY(uint64_t) picked_models;    /* first material, and second << 32 */
    demi_kept kept;
    demi_kept kept_new; /* while it is made */
    /* a step of stages: its contacts and their state are `next`; see stages.c */
    int stages_open;
    DEMI_ARRAY(double) stages_base, stages_rate, stages_jump; /* [next.state_count] */
    DEMI_ARRAY(demi_stages_work) stages_work;                 /* of rates.c */
};

/* What a call of evaluate.c does with the pairs of its input. */
enum {
    DEMI_CALL_STEP = 0, /* advances them by a step */
    DEMI_CALL_OPEN = 1, /* puts those that act into `next`, without forces */
    DEMI_CALL_RATE = 2, /* forces and rates of those in `next` */
    DEMI_CALL_KEEP = 3, /* makes a kept list */
    DEMI_CALL_KEPT = 4, /* advances the pairs of the kept list by a step */
    DEMI_CALL_GIVEN = 5 /* the same with geometry that the host gives */
};
dem_status demi_contacts_call(dem_contact_history *history, const dem_contacts_input *input,
                              const dem_contacts_geometry *geometry, int kind,
                              dem_contact_totals *totals);

/* rates.c: whether all parts of a model have a rate form; names the first that has none. */
dem_status demi_stages_model(demi_context *context, const demi_model *model);
/* Forces of the lanes as demi_lanes_run computes them, and their rates and jumps. row[k] is the
 * record of lane k in `next`. */
dem_status demi_stages_run(dem_contact_history *history, demi_lanes *lanes, uint64_t n,
                           demi_lanes_call *how, const uint64_t *row, demi_totals *totals);
/* Sets rates and jumps of the contacts in `next` that are not marked as seen to 0. */
void demi_stages_absent(dem_contact_history *history);

/* The generations of records change places. */
static inline void demi_history_exchange(dem_contact_history *history)
{
    const demi_records exchanged = history->current;
    history->current = history->next;
    history->next = exchanged;
}

/* A kept list follows the two generations of records. */
static inline void demi_kept_exchange(demi_kept *kept)
{
    const demi_kept_side exchanged = kept->current;
    kept->current = kept->next;
    kept->next = exchanged;
}

/* kept_records.c: makes the records of `current` where only the kept list has them; the room for
 * them is there. Whoever reads or changes records calls it, or the second one, first. */
void demi_kept_records(dem_contact_history *history);
/* The same, and their table. */
void demi_history_table(dem_contact_history *history);

/* The history is not what it was: nothing that was derived from it holds. */
static inline void demi_history_changed(dem_contact_history *history)
{
    history->stages_open = history->undoable = history->index_valid = history->kept.open = 0;
    history->partial = 0;
}

/* ids.c: the contacts of an id. An end is twice the number of a record of `current`, + 1 for j. */
#define DEMI_NO_END UINT32_MAX
dem_status demi_ids_index(dem_contact_history *history);
/* The first end of an id, and the one after `end`; DEMI_NO_END where there is none. */
uint32_t demi_ids_first(const dem_contact_history *history, uint64_t id);
uint32_t demi_ids_next(const dem_contact_history *history, uint64_t id, uint32_t end);
/* Room for `count` more records in an index that is valid; adds those from `first` on; removes one
 * from index and history. */
dem_status demi_ids_grow(dem_contact_history *history, uint64_t count);
void demi_ids_add(dem_contact_history *history, uint64_t first);
void demi_ids_remove(dem_contact_history *history, uint64_t index);

/* partial.c: undoes a call that changed `current` in place. */
void demi_partial_undo(dem_contact_history *history);

/* merged.c: elastic energy of contacts that ended while others of the same bodies go on */
double demi_history_merged(const dem_contact_history *history);
/* Finds what may merge when a list is begun; the same energy of a step of the list. */
dem_status demi_kept_mergers_find(dem_contact_history *history, demi_kept *kept);
double demi_kept_merged(const demi_kept *kept);

/* history.c: whether the pairs of a call and the contacts that are there are few enough. */
dem_status demi_pair_count_check(dem_contact_history *history, const dem_contacts_input *in);
/* edit.c: what a record must hold that comes from outside; `what` names it in the message. */
dem_status demi_record_check(dem_contact_history *history, const demi_record *record,
                             const double *state, dem_status status, const char *what);

#endif
