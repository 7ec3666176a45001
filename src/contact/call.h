/* SPDX-License-Identifier: MIT */
/* One call of evaluate.c or kept.c at work: what its parts share. */
#ifndef DEMI_CALL_H
#define DEMI_CALL_H

#include "base/fenv.h"
#include "contact/history.h"
#include "contact/input.h"

/* What one contact adds to the host's arrays, kept back until nothing can fail any more. */
typedef struct demi_history_result {
    uint32_t row_i, row_j;
    double force[3], torque_i[3], torque_j[3];
} demi_history_result;

/* A lane on its way: which record it makes. */
typedef struct demi_history_lane {
    demi_record record;
    uint32_t row_i, row_j;
    double arm_i[3], arm_j[3]; /* from the centres to a given contact point */
} demi_history_lane;

/* A batch that is gathered, and what belongs to its lanes. */
typedef struct demi_history_work {
    demi_lanes lanes;
    demi_lane_array state[DEM_STATE_MAX];
    demi_history_lane lane[DEMI_LANES];
    uint64_t place[DEMI_LANES];
} demi_history_work;

typedef struct demi_history_call {
    dem_contact_history *history;
    const dem_contacts_input *in;
    const dem_contacts_geometry *geometry; /* NULL: spheres */
    int kind;                              /* DEMI_CALL_... */
    int evaluate_only;                     /* a dt of 0 */
    demi_fenv host;                        /* whose traps are on while laws compute */
    uint64_t
        stride[7]; /* bytes: position, velocity, angular velocity, accelerations, force, torque */
    uint64_t owned_count; /* rows from there on are ghosts */
    unsigned char *ends;  /* of records of `next`: ENDS_...; NULL without ghosts */
    uint64_t result_count;
    uint64_t guess; /* record of the next contact, if the host lists them as it did before */
    int partial;    /* changes `current` in place, see partial.c */
    uint64_t partial_listed; /* contacts of `current` that it has listed */
    demi_totals totals;
    uint64_t lane_count;
    const demi_model *model;
    demi_history_lane *lane; /* [DEMI_LANES] */
    uint64_t *place; /* [DEMI_LANES] of lanes; DEMI_CALL_RATE: in `next`; _GIVEN: in the list */
    demi_lanes *lanes;
    int32_t energy_tracking;
    int quiet;                  /* errors have no message: one thread will find them again */
    int by_pair;                /* _GIVEN: results are at the numbers of pairs, not one by one */
    const uint32_t *kept_index; /* of lanes: their pairs in the kept list; NULL without one */
} demi_history_call;

/* The ends of a contact that are rows of the host's own in one listing of it. */
enum { ENDS_I = 1, ENDS_J = 2 };

/* Which contact a pair of the host's list is. */
typedef struct demi_pair_identity {
    demi_record record;
    uint32_t i, j;   /* rows; i has the lower id */
    int turned;      /* listed the other way round */
    double shift[3]; /* of j, m */
} demi_pair_identity;

/* What a pair goes on from; record: NULL for a new contact. */
typedef struct demi_pair_past {
    const demi_record *record;
    const double *state;
    uint64_t index; /* of the record, or of the pair in a kept list */
} demi_pair_past;

/* pair.c: a pair into a lane if it is or was in contact; computes the gathered lanes. */
dem_status demi_call_pair(demi_history_call *call, uint64_t p, const demi_pair_identity *of,
                          const demi_pair_past *past);
dem_status demi_call_flush(demi_history_call *call);

/* row_check.c: whether a row of the input can have a contact. */
dem_status demi_row_check(demi_context *context, const demi_history_call *call, uint32_t row);

/* partial.c: whether a call changes the records of `current` in place; room for it; it does so. */
int demi_partial_wanted(const demi_history_call *call);
dem_status demi_partial_reserve(demi_history_call *call);
void demi_partial_commit(demi_history_call *call);

/* absent.c: keeps contacts that the call does not list. */
dem_status demi_absent_keep(demi_history_call *call);
/* absent.c: marks as seen those of two ghosts, so that they are not kept: their owners go on with
 * them, and what this process has of them is soon of the past. */
dem_status demi_absent_of_ghosts(demi_history_call *call);
/* identify.c: which contact the pair p of the host's list is. */
dem_status demi_call_identify(demi_history_call *call, uint64_t p, demi_pair_identity *of);
/* Whether both rows of a pair are ghosts: then other processes have it. */
int demi_pair_of_ghosts(const demi_history_call *call, uint64_t p);
/* The record from which a pair goes on, or NULL. */
dem_status demi_call_before(demi_history_call *call, const demi_pair_identity *of,
                            const demi_record **before);
/* Adds a contact to the next generation; 0 where it is there already. */
int demi_call_add_record(demi_history_call *call, const demi_record *record, uint32_t row_i,
                         uint32_t row_j, const double *state);
/* Errors of a contact that is listed twice, and of one without a finite mass. */
dem_status demi_call_twice(demi_history_call *call, const demi_record *record);
dem_status demi_call_heavy(demi_history_call *call, uint32_t i, uint32_t j);

/* Adds the force and torque of a result to the row of one end; sign: -1 where it is j. */
static DEMI_INLINE void demi_call_add_end(const demi_history_call *call, uint32_t row, double sign,
                                          const double force[3], const double torque[3])
{
    double *f = demi_row3_out(call->in->force, call->stride[5], row);
    for (int c = 0; c < 3; ++c)
        f[c] += sign * force[c];
    if (call->in->torque == NULL)
        return;
    double *t = demi_row3_out(call->in->torque, call->stride[6], row);
    for (int c = 0; c < 3; ++c)
        t[c] += torque[c];
}

/* For messages. */
static inline const dem_contact_key *demi_lane_key(const demi_history_call *call, uint64_t k)
{
    return call->kept_index != NULL ? &call->history->kept.origin.read[call->kept_index[k]].key
                                    : &call->lane[k].record.key;
}

/* compute.c: computes the gathered lanes. */
dem_status demi_call_compute(demi_history_call *call, uint64_t n);

/* kept.c: a kept list is made, its input is looked at, and its pairs are advanced by a step. */
dem_status demi_kept_make(demi_history_call *call);
dem_status demi_kept_input(dem_contact_history *history, dem_contacts_input *in);
dem_status demi_kept_run(demi_history_call *call);
/* kept_given.c: the same with given geometry; forces of a call whose results are by pair. */
dem_status demi_kept_given_run(demi_history_call *call);
void demi_kept_given_forces(const demi_history_call *call);
/* kept_records.c: keeps the contact of lane k, of given geometry. */
void demi_kept_given_keep(demi_history_call *call, uint64_t k);
/* Forces of the step to the host's arrays. */
void demi_kept_add_forces(const demi_history_call *call);

/* exact.c: whether the results of the last n lanes are within the ranges of exact sums; keeps the
 * result of lane k; adds all results to the host's forces, or to its integers. */
dem_status demi_exact_check(const demi_history_call *call, uint64_t n);
void demi_exact_result(demi_history_call *call, uint64_t k, uint32_t row_i, uint32_t row_j);
void demi_exact_add_forces(const demi_history_call *call);

#endif
