/* SPDX-License-Identifier: MIT */
/* The parts of a build: order.c sorts rows in space, levels.c does where they have several levels
 * of sizes, crowded.c decides on other cells where these hold too many, pairs.c lists what may
 * touch, batch_groups.c sorts that by kind, neighbours.c finds chunks near each other, again.c
 * holds a build against one of earlier; build.c runs them. */
#ifndef DEMI_PARTS_H
#define DEMI_PARTS_H

#include "list/build.h"
#include "list/sort.h"

#include <stddef.h>
#include <string.h>

typedef struct demi_list_build_call {
    const demi_list_input *in;
    demi_list_workspace *scratch;
    demi_context *context;
    demi_list *next;
    demi_levels levels;
    demi_size_classes sizes; /* of the rows, which the levels follow from */
    int sparse;              /* cells are those of levels.c; else of the grid */
    demi_grid grid;
    double largest, skin, reach, cutoff; /* radius; cutoff: widest distance of a listed pair */
    double hollow;                       /* the largest R* at a wall */
    double margin;                       /* of chunks that are not near */
    double inside[2][3];                 /* the box along periodic axes, else everywhere */
    uint64_t rows;                       /* without removed ones */
    const uint32_t *cell_begin;          /* in the new order */
    int cell_bits; /* cell k begins at cell_begin[k << cell_bits]: 1 where rows of other levels
                      follow in a cell, which begin one place after it */
    _Atomic uint64_t beyond; /* first row that is too many periods away, + 1; 0: none */
    uint64_t looks_most;     /* at candidates of pairs */
    _Atomic uint64_t looks;
} demi_list_build_call;

/* Material, kind and shape of a body in one number: what decides on the model of its pairs. */
static inline uint64_t demi_body_sort(const demi_body *body)
{
    uint64_t sort;
    _Static_assert(offsetof(demi_body, image) - offsetof(demi_body, material) == sizeof sort,
                   "what decides on models");
    memcpy(&sort, (const unsigned char *)body + offsetof(demi_body, material), sizeof sort);
    return sort;
}

/* R* of a sphere at the most hollow place of a wall, where it is larger than the radius. */
static inline double demi_wall_hollow(const demi_wall *wall, const demi_solid *solid, double radius)
{
    double curvature[2];
    demi_wall_shape(wall)->concave(solid, curvature);
    return demi_shape_radius(curvature, radius);
}

/* Where a chunk's pairs of one kind of ends begin while it is listed. */
static inline uint64_t demi_listing_begin(const demi_list *list, uint64_t chunk, int ends)
{
    const uint64_t begin =
        ends == DEMI_LOCALITY_OWN ? 0 : list->own_room + (uint64_t)(ends - 1) * list->cross_room;
    return chunk * (list->own_room + 2 * list->cross_room) + begin;
}

#define demi_list_room(b, array, count)                                                            \
    demi_array_reserve((b)->context, array, count, 0, "neighbour list")
/* The same for what has some room more already. */
#define demi_list_room_closely(b, array, count)                                                    \
    demi_buffer_reserve_closely((b)->context, &(array)->buffer, (count) * sizeof *(array)->data,   \
                                0, "neighbour list")

/* Memory to sort so many things, which is lent as that of pairs is: they are not listed then. */
static inline dem_status demi_list_sort_room(const demi_list_build_call *b, uint64_t count)
{
    const uint64_t bytes = demi_sort_memory(count) * sizeof(uint32_t);
    return demi_list_room_closely(b, &b->scratch->pair,
                                  (bytes + sizeof(demi_pair) - 1) / sizeof(demi_pair));
}
/* order.c: chooses skin and cells; sorts rows by cell; writes the sorted rows */
dem_status demi_list_grid(demi_list_build_call *b);
/* crowded.c: has the rows sorted by other cells where those of the grid hold too many; tells that
 * those of the home level did, and that there are other levels now */
void demi_crowded_grid(demi_list_build_call *b, uint64_t cells);
int demi_crowded_home(demi_list_build_call *b);
dem_status demi_list_sort(demi_list_build_call *b);
void demi_list_permute(demi_list_build_call *b);
/* order.c: position inside the box, and the image that goes with it; 0 if that does not fit; the
 * error for the row */
int demi_list_wrapped(const demi_list_build_call *b, uint64_t row, double position[3],
                      int32_t image[3]);
dem_status demi_list_beyond(const demi_list_build_call *b, uint64_t row);
/* levels.c: sorts rows by the cells of the home level; then, when they are written in that order,
 * those of the other levels by their own cells */
dem_status demi_levels_sort(demi_list_build_call *b);
dem_status demi_levels_rows(demi_list_build_call *b);
/* pairs.c: chunks with their pairs and chunk copies */
dem_status demi_list_pairs(demi_list_build_call *b);
/* batch_groups.c: sorts a chunk's pairs by kind, unless all are spheres of one model, and counts
 * its batch groups and what their states take; then the batch groups of all chunks, and the size of
 * the states */
void demi_batch_groups_sort(const demi_list_build_call *b, uint64_t chunk, const demi_model *model);
dem_status demi_list_batch_groups(demi_list_build_call *b);
/* nearby.c: none is known yet */
dem_status demi_list_nearby(demi_list_build_call *b);
/* again.c: where a list of earlier is built once more, whether order and chunks are those of then,
 * and whether room for pairs and looks at candidates are no more than they may be */
dem_status demi_past_rows(const demi_list_build_call *b);
dem_status demi_past_chunks(const demi_list_build_call *b);
dem_status demi_past_room(const demi_list_build_call *b);
dem_status demi_past_looks(demi_list_build_call *b);
/* neighbours.c: box and drift of a chunk of sorted rows; the chunks within two margins of each
 * other */
void demi_chunk_measure(const demi_list_build_call *b, demi_chunk *chunk);
/* box about chunks a to b - 1, with their largest radius */
demi_chunk demi_chunks_box(const demi_chunk *chunks, uint64_t a, uint64_t b);
dem_status demi_list_neighbours(demi_context *context, const demi_domain *domain, demi_list *list);

#endif
