/* SPDX-License-Identifier: MIT */
#include "list/candidates.h"

#include "base/vector.h"
#include "list/ownership.h"
#include "search/near.h"

#include <string.h>

/* To store a shift beside a slot. */
enum { SHIFTS = 32 };
/* So many pairs ahead bodies are asked for. */
enum { AHEAD = 16 };

/* Chunk copy for a row, or for a feature of a wall (DEMI_WALL_BIT | wall). */
static uint32_t copy_for(demi_pairs_work *t, uint32_t source, uint32_t shift, uint32_t feature)
{
    uint64_t k = ((source + ((uint64_t)feature << 32)) * 32ull + shift) * 0x9E3779B97F4A7C15u >>
                 (64 - DEMI_SEEN_BITS);
    for (; t->seen[k] != 0; k = (k + 1) % DEMI_SEEN) {
        const uint32_t met = t->seen[k] - 1u;
        const demi_copied *of = &t->copied[met];
        if (of->source == source && of->shift == shift && of->feature == feature)
            return met;
    }
    const uint64_t chunk_copy = t->chunk_copies++;
    if (chunk_copy >= t->b->next->copies_room)
        return 0;
    t->copied[chunk_copy] = (demi_copied){source, feature, shift};
    /* when the table fills up, a source may get several chunk copies, which is still correct */
    if (chunk_copy < DEMI_SEEN / 4 * 3)
        t->seen[k] = (uint16_t)(chunk_copy + 1);
    return (uint32_t)chunk_copy;
}

/* Adds a pair of ends in the chunk, rows, or a row and a chunk copy, once for each slot. */
static inline void add(demi_pairs_work *t, int ends, int first, uint32_t own, uint32_t other,
                       uint32_t slots)
{
    uint32_t slot = 0;
    do {
        const uint64_t n = t->pairs[ends]++;
        if (n < t->room[ends])
            t->pair[ends][n] = demi_pair_of(first ? own : other, first ? other : own, slot);
    } while (++slot < slots);
}

static inline void note_model(demi_pairs_work *t, const demi_model *model)
{
    if (t->model == NULL)
        t->model = model;
    t->mixed |= model != t->model;
}

/* Adds a pair with a chunk copy. */
static void add_copy(demi_pairs_work *t, uint32_t own, int first, uint32_t shift, uint32_t source,
                     uint32_t feature, uint32_t slots)
{
    add(t, first ? DEMI_LOCALITY_COPY_J : DEMI_LOCALITY_COPY_I, first, own,
        copy_for(t, source, shift, feature), slots);
}

void demi_pair_wall(demi_pairs_work *t, uint32_t own, int first, uint32_t wall, uint32_t feature,
                    uint32_t slots, const demi_model *model)
{
    note_model(t, model);
    t->mixed = 1;
    add_copy(t, own, first, DEMI_SHIFT_NONE, DEMI_WALL_BIT | wall, feature, slots);
}

/* Whether two rows are within the reach of their own model. */
static int within_reach(const demi_pairs_work *t, const demi_model *model, const double x[4],
                        const double y[4], uint32_t shift)
{
    const demi_list_input *in = t->b->in;
    const double far = x[3] + y[3] + demi_model_reach(model, x[3], y[3]) + t->b->skin;
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double period = in->domain.high[k] - in->domain.low[k];
        const int periods = demi_shift_periods(shift, k);
        const double d = x[k] - y[k] - (periods != 0 ? periods * period : 0.0);
        square += d * d;
    }
    return square < far * far;
}

/* The model of rows that may touch, or NULL. */
static const demi_model *model_of(const demi_pairs_work *t, const demi_body *a, const demi_body *b)
{
    return demi_kinds_interact(a->kind, b->kind)
               ? demi_models_get(t->b->in->models, a->material, b->material)
               : NULL;
}

void demi_pairs_list(demi_pairs_work *t)
{
    const uint64_t chunk_begin = t->chunk->row_begin, rows = t->chunk->row_end - chunk_begin;
    const demi_model *model = NULL; /* of bodies of two sorts */
    uint64_t sort[2] = {0, 0};
    for (uint64_t k = 0; k < t->near_count; ++k) {
        const uint32_t own_slot = t->near_own[k] / SHIFTS, shift = t->near_own[k] % SHIFTS,
                       c = t->near[k];
        const uint64_t a = chunk_begin + own_slot, ahead = k + AHEAD;
        __builtin_prefetch(&t->bodies[t->near[ahead < t->near_count ? ahead : k]]);
        const demi_body *own = &t->bodies[a], *other = &t->bodies[c];
        const uint64_t own_sort = demi_body_sort(own), other_sort = demi_body_sort(other);
        if (k == 0 || own_sort != sort[0] || other_sort != sort[1]) {
            model = model_of(t, own, other);
            sort[0] = own_sort;
            sort[1] = other_sort;
        }
        /* across a narrow periodic box a particle meets itself, which does not act */
        if (model == NULL || a == c || demi_rows_of_one(own, other) ||
            (t->b->reach > 0.0 && !within_reach(t, model, t->position[a], t->position[c], shift)))
            continue;
        note_model(t, model);
        const int first = own->id < other->id;
        const uint32_t slots = t->b->in->faceted ? demi_rows_slots(own, other, t->b->in->slots) : 1;
        if (c - chunk_begin < rows && shift == DEMI_SHIFT_NONE)
            add(t, DEMI_LOCALITY_OWN, first, own_slot, (uint32_t)(c - chunk_begin), slots);
        else
            add_copy(t, own_slot, first, shift, c, 0, slots);
    }
    t->near_count = 0;
}

DEMI_COPIES(demi_near_function, demi_near_rows);

/* Finds the candidates that are near a row of the chunk. */
static void find_nears(demi_pairs_work *t, uint64_t a)
{
    const demi_list_input *in = t->b->in;
    demi_near_function *const near_rows = demi_near_rows[in->models->isa];
    /* the candidates of its cell that it owns, and those of other cells after them */
    const uint64_t owned = demi_owned_rows_begin(a);
    const uint64_t others = owned > t->own_begin ? owned - t->own_begin : 0;
    uint64_t begin = others < t->own ? others : t->own;
    if (t->by_level)
        begin = t->level_begin[t->b->scratch->level_of.data[a] + 1];
    const uint32_t own_slot = (uint32_t)(a - t->chunk->row_begin);
    for (uint64_t g = 0; g < t->groups; ++g) {
        const uint32_t shift = t->group[g].shift;
        if (t->group[g].end <= begin)
            continue;
        double place[4];
        memcpy(place, t->position[a], sizeof place);
        for (int c = 0; c < 3 && shift != DEMI_SHIFT_NONE; ++c) {
            const int periods = demi_shift_periods(shift, c);
            if (periods != 0)
                place[c] -= periods * (in->domain.high[c] - in->domain.low[c]);
        }
        place[3] += t->b->reach + t->b->skin;
        t->near_count += near_rows(t->position, place, t->candidate + begin,
                                   t->group[g].end - begin, own_slot * SHIFTS + shift,
                                   t->near + t->near_count, t->near_own + t->near_count);
        begin = t->group[g].end;
        if (t->near_count > DEMI_CANDIDATES)
            demi_pairs_list(t);
    }
}

void demi_pairs_find(demi_pairs_work *t)
{
    if (t->candidates == 0)
        return;
    /* whole groups of four are looked at */
    for (uint64_t k = 0; k < 4; ++k)
        t->candidate[t->candidates + k] = t->candidate[0];
    for (uint64_t a = t->row_begin; a < t->row_end; ++a)
        find_nears(t, a);
    t->looks += (t->row_end - t->row_begin) * t->candidates;
    t->candidates = t->groups = t->own = 0;
}
