/* SPDX-License-Identifier: MIT */
/* A rebuild of the neighbour list, in parts: order.c sorts particles in space, pairs.c lists what
 * may touch, runs.c sorts that by kind, transfer.c carries the states of contacts over, list.c runs
 * them and takes over. */
#ifndef DEMI_LIST_H
#define DEMI_LIST_H

#include "search/grid.h"
#include "world/world.h"

typedef struct demi_list_build {
    dem_world *w;
    demi_context *context;
    demi_list *next;
    demi_grid grid;
    double largest, skin, reach, cutoff; /* radius; cutoff: widest distance of a listed pair */
    double inside[2][3];                 /* the box along periodic axes, else everywhere */
    uint64_t rows;                       /* without removed ones */
    const uint32_t *cell_begin;          /* in the new order */
    int transfers;                       /* whether old contacts are to be found */
} demi_list_build;

/* Lists which of `count` candidate rows are within place[3] plus their radius of a place, and `own`
 * beside each; tells how many are. There are candidates up to the next multiple of four, and room
 * for the result and four more. */
typedef uint64_t demi_near_function(const demi_row *rows, const double place[4],
                                    const uint32_t *candidate, uint64_t count, uint32_t own,
                                    uint32_t *near, uint32_t *near_own);

/* Where a chunk's pairs of one kind of ends begin while it is listed. */
static inline uint64_t demi_list_pairs_begin(const demi_list *list, uint64_t chunk, int ends)
{
    /* the room after that of the others */
    return chunk * list->pair_room +
           (ends == DEMI_ENDS_OWN
                ? 0
                : list->pair_room - (uint64_t)(DEMI_ENDS - ends) * list->cross_room);
}

static inline dem_status demi_list_room(demi_list_build *b, demi_buffer *buffer, uint64_t size,
                                        int keep)
{
    return demi_buffer_reserve(b->context, buffer, size, keep, "neighbour list");
}

/* order.c: chooses cells for a step that moves by `motion`; sorts rows by cell; fills the next
 * state, bodies and built positions in the new order */
dem_status demi_list_grid(demi_list_build *b, double motion);
dem_status demi_list_sort(demi_list_build *b);
dem_status demi_list_permute(demi_list_build *b);
/* order.c: when the new list is in use: built positions, and where handles and ids find rows */
void demi_list_name_rows(dem_world *w);
/* pairs.c: chunks with their pairs and halo rows */
dem_status demi_list_pairs(demi_list_build *b);
/* runs.c: sorts a chunk's pairs by kind, unless all are spheres of one model, and counts its runs
 * and what their states take; then the runs of all chunks, and the size of the states */
void demi_runs_sort(const demi_list_build *b, uint64_t chunk, const demi_model *model);
dem_status demi_list_runs(demi_list_build *b);
/* transfer.c: states of contacts that live on, into the back side of the states */
dem_status demi_list_transfer(demi_list_build *b);
/* list.c: for each row the halo rows that chunks keep for it; room for the phases of a step */
dem_status demi_list_incoming(demi_list_build *b);
dem_status demi_list_step_room(demi_list_build *b);

#endif
