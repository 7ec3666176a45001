/* SPDX-License-Identifier: MIT */
/* The data of a world.
 *
 * What a step changes exists twice: [front] is the last complete step, [front ^ 1] is where the
 * next one is made. A step that succeeds flips `front`; one that fails does not, and nothing is
 * lost. Rows are particles in storage order, sorted in space whenever the list is rebuilt. */
#ifndef DEMI_WORLD_H
#define DEMI_WORLD_H

#include "base/context.h"
#include "contact/lanes.h"
#include "world/idmap.h"

#include <dem/world.h>

typedef double demi_row[4];

/* Rows per chunk. Results depend on it (order of sums), so it is a constant. */
#define DEMI_CHUNK_ROWS 256

/* Marks walls among the values of the id table. */
#define DEMI_WALL_BIT 0x80000000u

/* What a step does not change about a particle. */
typedef struct demi_body {
    uint64_t id; /* 0: removed, goes at the next rebuild */
    uint32_t handle;
    int32_t material, motion;
    int32_t image[3]; /* periods to add to the position for the unwrapped path */
    double mass, inverse_mass, inverse_inertia; /* inverses are 0 unless free */
    double built[3];                            /* position when the list was built */
} demi_body;

typedef struct demi_wall {
    uint64_t id; /* 0: removed, goes at the next rebuild */
    double point[2][3], normal[3], velocity[3], built[3];
    double force[2][3]; /* of the particles on the wall */
    int32_t material;
    int32_t vacant; /* removed, and no list names it any more */
} demi_wall;

typedef struct demi_handle {
    uint32_t row;        /* or the next free handle */
    uint32_t generation; /* odd while in use */
} demi_handle;

/* A pair that may touch before the list is built again; i has the lower id. For planes i is the
 * particle's row and j the wall. A force slot is the row itself where the chunk owns it, else
 * rows + the index of a halo row. */
typedef struct demi_pair {
    uint32_t i, j;
    uint32_t slot_i, slot_j;
    int8_t shift[4]; /* periods to add to the position of j */
} demi_pair;

/* Consecutive pairs of one model and shape. */
typedef struct demi_run {
    const demi_model *model;
    uint64_t begin, end;  /* pairs */
    uint64_t state_begin; /* doubles; state_size of the model for each pair */
    double reach;
    int32_t shape, reserved;
} demi_run;

typedef struct demi_chunk {
    uint64_t row_begin, row_end;
    uint64_t run_begin, run_end;
    uint64_t halo_begin, halo_end; /* rows of others to which this chunk's pairs add forces */
} demi_chunk;

typedef struct demi_halo {
    double force[4], torque[4];
} demi_halo;

/* The neighbour list with the state of its contacts. */
typedef struct demi_list {
    uint64_t pairs, runs, chunks, halos, states;
    demi_buffer pair, run, chunk;
    demi_buffer target;         /* uint32_t[halos]: row, or rows + wall */
    demi_buffer incoming_begin; /* uint32_t[rows + 1] */
    demi_buffer incoming;       /* uint32_t[...]: halos of each row in chunk order */
    demi_buffer halo;           /* demi_halo[halos] */
    demi_buffer live[2];        /* unsigned char[pairs] */
    demi_buffer state[2];       /* double[states] */
} demi_list;

/* What a chunk reports of a phase. */
typedef struct demi_report {
    dem_status status;
    uint32_t reserved;
    uint64_t pair;          /* or row, where status is not DEM_OK */
    double value;           /* the overlap that was too large */
    const char *what;       /* the quantity that stopped being finite, or the law's name */
    double moved2, motion2; /* squares: since the build, and in this step */
    demi_totals totals;
    double work_external, work_boundary;
    double padding[4];
} demi_report;

struct dem_world {
    demi_context context;
    demi_context *self; /* for messages of functions that take a const world */
    dem_world_config config; /* the executor is the pool's where there is one */
    struct demi_pool *pool;  /* NULL: the host's threads, or the calling one alone */
    demi_models models;
    demi_buffer retired; /* demi_model *[retired_count]: freed at the next rebuild */
    uint64_t retired_count;
    demi_buffer density; /* double[material_count] */

    int front;
    uint64_t rows, particles;
    demi_buffer position[2]; /* x y z radius */
    demi_buffer velocity[2]; /* x y z 1/contact mass */
    demi_buffer spin[2];
    demi_buffer force[2], torque[2];            /* of contacts */
    demi_buffer damping_velocity, damping_spin; /* what dashpots see in the step being made */
    demi_buffer body, body_next;
    demi_buffer row_id; /* uint64_t[rows]: the ids of the bodies once more, for views */
    demi_buffer external_force, external_torque; /* empty until first used */
    demi_buffer external_next;
    demi_buffer handle;
    uint64_t handles;
    uint32_t handle_free; /* first free one, or UINT32_MAX */
    demi_buffer wall;
    uint64_t walls; /* places, with removed ones */
    demi_idmap ids;
    uint64_t next_id;

    demi_list list, list_next;
    demi_buffer scratch_order, scratch_cell, scratch_mark, scratch_kind, scratch_pair, scratch_live,
        scratch_table;
    int list_stale;     /* particles, walls or models changed: build before the next step */
    int forces_stale;   /* evaluate forces before the next step */
    int touched;        /* something was written through a view */
    double skin;        /* of the list */
    demi_buffer report; /* demi_report[chunks] */

    uint64_t generation; /* of views */
    uint64_t steps, rebuilds;
    double time;
    demi_totals totals; /* contacts and elastic: now; dissipation: since creation */
    double work_external, work_boundary;
};

static inline demi_row *demi_rows(const demi_buffer *buffer)
{
    return buffer->data;
}

static inline demi_body *demi_bodies(const dem_world *w)
{
    return w->body.data;
}

/* particles.c */
dem_status demi_world_reserve(dem_world *w, uint64_t rows);
/* list.c: builds the list for the front state, for a step that moves nothing by more than motion */
dem_status demi_world_rebuild(dem_world *w, double motion);
/* phases.c and contacts.c: the phases of a step, chunk by chunk */
dem_status demi_integrate_begin(dem_world *w, double dt, double *moved, double *motion);
dem_status demi_contacts_evaluate(dem_world *w, double dt, demi_totals *totals);
dem_status demi_integrate_end(dem_world *w, double dt, double *work_external,
                              double *work_boundary);
/* contacts.c: the lane of one pair from the front state, for reading */
void demi_contact_read(const dem_world *w, const demi_run *run, uint64_t pair, demi_lanes *lanes);
int32_t demi_world_frame(const dem_world *w);

#endif
