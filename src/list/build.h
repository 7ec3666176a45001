/* SPDX-License-Identifier: MIT */
/* Building the neighbour list: from arrays of rows and walls, a domain and models, without knowing
 * whose they are. */
#ifndef DEMI_BUILD_H
#define DEMI_BUILD_H

#include "list/list.h"
#include "search/cells.h"
#include "search/levels.h"

/* Where rows may be; along periodic axes they are brought into the box. */
typedef struct demi_domain {
    double low[3], high[3];
    int periodic[3];
} demi_domain;

/* How consecutive rows move together since a build, see displacement.c. */
typedef struct demi_drift {
    double mean_velocity[3], displacement_bound;
} demi_drift;

/* To build once more a list of earlier: what its rows and walls do not tell any more. A build that
 * would come to other rows or chunks fails, and so does one that looks at more than that list can
 * have had to do with. Rows are where they are: no boundary brings them anywhere. */
typedef struct demi_list_past {
    uint64_t chunk_rows, drifts;
    const demi_drift *drift; /* [drifts], of each chunk */
    uint64_t looks_most;
} demi_list_past;

typedef struct demi_list_input {
    demi_context *context; /* of memory and messages */
    const dem_executor *executor;
    const demi_models *models; /* who acts on whom, and how far */
    demi_domain domain;
    int ghosts;  /* there are rows that another world owns */
    double skin; /* what is asked for; 0: a fifth of the smallest radius */
    double
        displacement; /* the most by which the step at hand moves two bodies towards each other */
    /* rows, with removed ones, which are left out */
    uint64_t rows;
    const demi_row *position;
    const demi_velocities *velocity;
    const demi_body *body;
    const uint64_t *id;
    const demi_wall *wall;
    const demi_solid *solid; /* of the walls */
    uint64_t walls;
    uint64_t chunk_rows;        /* 0: as many as leave enough chunks */
    int faceted;                /* a row is a polyhedron */
    uint32_t slots;             /* see demi_list.slots */
    const demi_list *before;    /* how much room it took; and its pairs, for the transfer */
    const demi_list_past *past; /* NULL: the list is a new one */
    /* where the rows of the list are written, in its order: there is room for all */
    demi_row *sorted_position;
    demi_body *sorted_body;
    struct demi_touching_row *touching_row; /* [rows], memory that the transfer needs */
    struct demi_row_before *row_before;     /* [rows], likewise, of the rows of the list */
    uint32_t *cell_of;                      /* [rows], memory that the sort needs */
} demi_list_input;

/* A contact of the old list, as the row that owned it saw it. */
typedef struct demi_touching_entry {
    uint32_t batch_group, contact; /* and which of its contacts */
    uint32_t other;                /* row, or DEMI_WALL_BIT | wall */
    uint32_t detail;               /* feature of the wall; of a row see transfer.c */
    uint32_t next;                 /* contact that the same row owned, + 1; 0: there is none */
} demi_touching_entry;

/* The contacts that an old row owned. */
typedef struct demi_touching_row {
    uint32_t first;  /* of them, + 1; 0: there is none */
    uint32_t others; /* bit other % 32 of each: most pairs are told apart by that alone */
} demi_touching_row;

/* A row of the new list, as it was before. */
typedef struct demi_row_before {
    uint32_t row;               /* with DEMI_ROW_WRAPPED where its image is another one now */
    demi_touching_row touching; /* while contacts are moved */
} demi_row_before;
#define DEMI_ROW_WRAPPED 0x80000000u

/* The rows of a level by its cells. At home all rows are sorted by cell, the home level's first in
 * each: cell k has rows begin[2 k] to before begin[2 k + 1], and those of other levels from there.
 * On other levels cell k has row[begin[k]] to before row[begin[k + 1]]. */
typedef struct demi_level_rows {
    demi_cells cells;
    DEMI_ARRAY(uint32_t) begin;
    DEMI_ARRAY(uint32_t) member, row; /* in the order of storage, and by cell */
    uint64_t members;
} demi_level_rows;

/* A chunk copy while its chunk is listed. */
typedef struct demi_copied {
    uint32_t source, feature, shift;
} demi_copied;

/* What a build needs in between. Pairs and chunk copies are listed here, with room to spare.
 * Whoever has memory that nothing needs meanwhile lends it to large arrays: to `pair`, `kind` and
 * `copied` while the list is built, to `touching` during the transfer. */
typedef struct demi_list_workspace {
    DEMI_ARRAY(demi_pair) pair;
    DEMI_ARRAY(uint32_t) kind; /* of the pairs, see batch_groups.c */
    DEMI_ARRAY(demi_copied) copied;
    DEMI_ARRAY(uint32_t) order; /* of the rows of the new list: which they were before */
    DEMI_ARRAY(uint32_t) cell, wall;
    DEMI_ARRAY(demi_grid_axis) axis;
    DEMI_ARRAY(demi_touching_entry) touching;
    DEMI_ARRAY(uint32_t) touching_begin;
    DEMI_ARRAY(demi_level_rows) level;
    int levels;                         /* that there are; 0 until there are several */
    DEMI_ARRAY(unsigned char) level_of; /* of the rows of the new list */
} demi_list_workspace;

void demi_list_workspace_free(demi_context *context, demi_list_workspace *workspace);

/* Builds the list. What `next` held before is lost, its memory is used again. */
dem_status demi_list_build(demi_list *next, const demi_list_input *input,
                           demi_list_workspace *workspace);

/* Lists the walls near each chunk, with the walls where they are or were when the list is built. */
typedef struct demi_near_walls_call {
    const demi_wall *wall;
    const demi_solid *solid; /* of the walls */
    uint64_t walls;
    double reach, margin;
    double within; /* a row may meet walls that are nearer before the list is built again */
} demi_near_walls_call;
dem_status demi_list_near_walls(demi_context *context, demi_list *list,
                                demi_list_workspace *workspace, const demi_near_walls_call *call);
/* How much farther than they reach the centres of a box are from a wall, at least. */
double demi_wall_spare(const demi_wall *wall, const demi_solid *solid, const demi_chunk *box,
                       double reach);

/* The contacts of a list: whether pairs touch, and the states of those that do. */
typedef struct demi_list_contacts {
    unsigned char *touching; /* [pairs_room] */
    double *state;           /* [states] */
} demi_list_contacts;

/* Finds the contacts of the list before among the pairs of the one that was built from the same
 * input, flags the pairs in `to`, and gives each group room for the states of its contacts and some
 * more: next->states doubles in all. */
dem_status demi_list_transfer_find(demi_list *next, const demi_list_input *input,
                                   demi_list_workspace *workspace, demi_list_contacts from,
                                   unsigned char *to);
/* Then moves the states, for which there is that room. */
void demi_list_transfer_states(const demi_list *next, const demi_list_input *input,
                               demi_list_workspace *workspace, demi_list_contacts from,
                               demi_list_contacts to);

/* Carries them over to a list with the same rows that has all of these pairs, in the same order;
 * tells whether it has. */
int demi_list_follow(const demi_list *next, const demi_list *before, demi_list_contacts from,
                     demi_list_contacts to);

#endif
