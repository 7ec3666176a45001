/* SPDX-License-Identifier: MIT */
/* The pairs of a chunk while they are listed: rows and their candidates become pairs and copied
 * rows. */
#ifndef DEMI_CANDIDATES_H
#define DEMI_CANDIDATES_H

#include "list/parts.h"

/* Rows that are looked at as partners of a cell's rows at a time. */
enum { DEMI_CANDIDATES = 256 };
/* The chunk copies of a chunk that were met already. */
enum { DEMI_SEEN_BITS = 12, DEMI_SEEN = 1 << DEMI_SEEN_BITS };

/* Candidates under one shift. */
typedef struct demi_candidate_group {
    uint32_t end, shift;
} demi_candidate_group;

typedef struct demi_pairs_work {
    const demi_list_build_call *b;
    demi_chunk *chunk;
    /* by which ends are the chunk's own; pairs and copies may exceed the room, then the chunk is
     * listed again */
    demi_pair *pair[DEMI_LOCALITIES];
    uint64_t pairs[DEMI_LOCALITIES], room[DEMI_LOCALITIES], chunk_copies;
    demi_copied *copied;     /* [copies_room] */
    uint64_t looks;          /* at candidates so far */
    const demi_model *model; /* of the first pair; NULL: there is none */
    int mixed;               /* pairs of several models, or with walls */
    const demi_row *position;
    const demi_body *bodies;
    /* the cell that is looked at: its rows, and the first of its candidates, which are the rows
     * themselves from `own_begin` on */
    uint64_t row_begin, row_end, own_begin, own;
    uint64_t candidates, groups;
    uint32_t candidate[DEMI_CANDIDATES + 4]; /* or features of these walls */
    uint32_t candidate_wall[DEMI_CANDIDATES];
    demi_candidate_group group[DEMI_GRID_STEPS + 1];
    /* pairs of rows near each other: the other one; slot of the cell's one, and shift */
    uint64_t near_count;
    uint32_t near[2 * DEMI_CANDIDATES + 4], near_own[2 * DEMI_CANDIDATES + 4];
    /* with several levels: rows of level k look at the candidates from level_begin[k + 1] on */
    int by_level;
    uint64_t level_begin[DEMI_LEVELS_MOST + 1];
    demi_blocks_near blocks[DEMI_LEVELS_MOST]; /* of the cells of each level */
    demi_block_last last[DEMI_LEVELS_MOST];    /* likewise */
    uint16_t seen[DEMI_SEEN]; /* the chunk copy after the one that was met, by hash; 0: none */
} demi_pairs_work;

/* Adds a pair of a row of the chunk, by its place in it, and a feature of a wall, once for each
 * slot. `first`: the row is i. */
void demi_pair_wall(demi_pairs_work *t, uint32_t own, int first, uint32_t wall, uint32_t feature,
                    uint32_t slots, const demi_model *model);
/* Finds the candidates that are near each of the rows at hand; the candidates are used up. */
void demi_pairs_find(demi_pairs_work *t);
/* Lists the pairs of rows that were found near each other, if their kinds may touch. */
void demi_pairs_list(demi_pairs_work *t);

#endif
