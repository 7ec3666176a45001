/* SPDX-License-Identifier: MIT */
/* Runs: a chunk's pairs by the kind of contact they may make, so that each batch has one model and
 * one shape. */
#include "base/parallel.h"
#include "list/parts.h"

#include <string.h>

/* Shapes, each with contacts that count here and those that do not. */
enum { KIND_SHAPES = 2 * DEMI_SHAPES };
enum { CACHE_LINE = 64 };

/* The pairs of a chunk whose ends are of one kind. */
typedef struct chunk_pairs {
    const demi_list_build_call *b;
    const demi_chunk *chunk;
    demi_pair *pair;
    uint32_t *kind; /* of each pair, once kinds were found */
    uint64_t pairs;
    int ends;
    const demi_copied *copied;
} chunk_pairs;

static chunk_pairs pairs_of(const demi_list_build_call *b, uint64_t index, int ends)
{
    const demi_list *next = b->next;
    const demi_chunk *chunk = next->chunk.data + index;
    const uint64_t begin = demi_listing_begin(next, index, ends);
    const chunk_pairs pairs = {b,
                               chunk,
                               b->scratch->pair.data + begin,
                               b->scratch->kind.data + begin,
                               chunk->pairs[ends],
                               ends,
                               b->scratch->copied.data + index * next->copies_room};
    return pairs;
}

/* The row of an end of a pair, or DEMI_WALL_BIT | wall. */
static inline uint32_t pair_row(const chunk_pairs *t, const demi_pair *pair, int end)
{
    const uint32_t place = (end == 0 ? pair->i : pair->j) / DEMI_LOCAL_OFFSET;
    const int chunk_copy = t->ends == (end == 0 ? DEMI_LOCALITY_COPY_I : DEMI_LOCALITY_COPY_J);
    return chunk_copy ? t->copied[place].source : (uint32_t)t->chunk->row_begin + place;
}

/* What polyhedra are to pairs: none, DEMI_GROUP_FACETED, DEMI_GROUP_SLOTS. */
enum { KIND_FACETED = 3 };

/* Number of a pair's model among the pairs of materials, what of it is a polyhedron, the shape, and
 * whether another world counts the contact: i is of lower id. */
static uint32_t pair_kind(const chunk_pairs *t, const demi_pair *pair)
{
    const demi_list_input *in = t->b->in;
    const demi_body *bodies = in->sorted_body;
    int32_t material[2];
    int32_t shape = DEMI_SHAPE_SPHERE;
    uint32_t uncounted = 0;
    int of[2] = {0, 0}, rows = 0, walled = 0; /* faceted of the rows, of which there are so many */
    for (int end = 0; end < 2; ++end) {
        const uint32_t row = pair_row(t, pair, end);
        const demi_wall *wall = (row & DEMI_WALL_BIT) != 0 ? &in->wall[row & ~DEMI_WALL_BIT] : NULL;
        material[end] = wall != NULL ? wall->material : bodies[row].material;
        shape = wall != NULL ? wall->shape : shape;
        walled |= wall != NULL;
        if (wall == NULL)
            of[rows++] = bodies[row].faceted;
        if (end == 0 && wall == NULL)
            uncounted = demi_kinds[bodies[row].kind].ghost;
    }
    const int32_t a = material[0], c = material[1], low = a < c ? a : c, high = a < c ? c : a;
    const uint32_t model = (uint32_t)(low * in->models->material_count + high);
    const uint32_t faceted = (uint32_t)demi_pair_faceted(of[0], of[1], walled);
    return KIND_SHAPES * (KIND_FACETED * model + faceted) + 2 * (uint32_t)shape + uncounted;
}

static int32_t kind_shape(uint32_t kind)
{
    return (int32_t)(kind % KIND_SHAPES / 2);
}

static const demi_model *kind_model(const demi_list_input *in, uint32_t kind)
{
    const int32_t pair = (int32_t)(kind / (KIND_FACETED * KIND_SHAPES)),
                  n = in->models->material_count;
    return demi_models_get(in->models, pair / n, pair % n);
}

static int kind_faceted(uint32_t kind)
{
    return (int)(kind / KIND_SHAPES % KIND_FACETED);
}

/* Sorts of the bodies of two rows; 0: one of them is a wall. */
static inline int pair_sorts(const chunk_pairs *t, const demi_pair *pair, uint64_t sort[2])
{
    const demi_body *bodies = t->b->in->sorted_body;
    const uint32_t i = pair_row(t, pair, 0), j = pair_row(t, pair, 1);
    if (((i | j) & DEMI_WALL_BIT) != 0)
        return 0;
    sort[0] = demi_body_sort(&bodies[i]);
    sort[1] = demi_body_sort(&bodies[j]);
    return 1;
}

/* Finds the kinds of all pairs; tells whether they ascend. Rows of the same sorts have the same. */
static int kinds_find(const chunk_pairs *t)
{
    uint64_t known[2] = {0, 0}, sort[2] = {0, 0};
    uint32_t kind = 0, before = 0;
    int there = 0, ascend = 1; /* there: `kind` is that of rows of the sorts that are known */
    for (uint64_t p = 0; p < t->pairs; ++p) {
        const int two = pair_sorts(t, &t->pair[p], sort);
        if (!two || !there || sort[0] != known[0] || sort[1] != known[1]) {
            kind = pair_kind(t, &t->pair[p]);
            memcpy(known, sort, sizeof known);
            there = two;
        }
        t->kind[p] = kind;
        ascend &= kind >= before;
        before = kind;
    }
    return ascend;
}

static inline void pairs_swap(const chunk_pairs *t, uint64_t p, uint64_t q)
{
    const demi_pair pair = t->pair[p];
    const uint32_t kind = t->kind[p];
    t->pair[p] = t->pair[q];
    t->kind[p] = t->kind[q];
    t->pair[q] = pair;
    t->kind[q] = kind;
}

/* Divides pairs into those of lower, of the same, and of higher kind than the one in their middle;
 * tells where the same and the higher begin. */
static void kinds_divide(const chunk_pairs *t, uint64_t begin, uint64_t end, uint64_t part[2])
{
    const uint32_t middle = t->kind[begin + (end - begin) / 2];
    part[0] = begin;
    part[1] = end;
    for (uint64_t p = begin; p < part[1];) {
        if (t->kind[p] < middle)
            pairs_swap(t, part[0]++, p++);
        else if (t->kind[p] > middle)
            pairs_swap(t, p, --part[1]);
        else
            ++p;
    }
}

/* Sorts pairs by kind, of which there may be hundreds. The larger part of each division waits, so
 * that few do. */
static void kinds_sort(const chunk_pairs *t)
{
    enum { WAITING = 64 };
    uint64_t waiting[WAITING][2] = {{0, t->pairs}}, part[2];
    for (int count = 1; count > 0;) {
        uint64_t begin = waiting[--count][0], end = waiting[count][1];
        while (end - begin > 1) {
            kinds_divide(t, begin, end, part);
            const int lower_waits = part[0] - begin > end - part[1];
            waiting[count][0] = lower_waits ? begin : part[1];
            waiting[count++][1] = lower_waits ? part[0] : end;
            begin = lower_waits ? part[1] : begin;
            end = lower_waits ? end : part[0];
        }
    }
}

/* Row, copy, slot: copies of the slots of a wall follow each other, and so do the slots of a pair.
 */
static uint64_t slot_order(const chunk_pairs *t, const demi_pair *pair)
{
    const int first = t->ends != DEMI_LOCALITY_COPY_I;
    const uint64_t i = pair->i / DEMI_LOCAL_OFFSET, j = pair->j / DEMI_LOCAL_OFFSET;
    return (first ? i << 32 | j : j << 32 | i) * DEMI_PAIR_SLOTS + demi_pair_slot(pair);
}

/* Whether pairs have slots. */
static int pairs_slotted(const chunk_pairs *t, uint64_t begin, uint64_t end)
{
    while (begin < end && demi_pair_slot(&t->pair[begin]) == 0)
        ++begin;
    return begin < end;
}

/* Brings the slots of each row and what it meets together again, in their order. Shell's sort: most
 * of them are. */
static void order_slots(const chunk_pairs *t, uint64_t begin, uint64_t end)
{
    demi_pair *pair = t->pair + begin;
    const uint64_t count = end - begin;
    uint64_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint64_t k = gap; k < count; ++k) {
            const demi_pair one = pair[k];
            const uint64_t key = slot_order(t, &one);
            uint64_t to = k;
            for (; to >= gap && slot_order(t, &pair[to - gap]) > key; to -= gap)
                pair[to] = pair[to - gap];
            pair[to] = one;
        }
}

void demi_batch_groups_sort(const demi_list_build_call *b, uint64_t index, const demi_model *model)
{
    demi_chunk *chunk = b->next->chunk.data + index;
    chunk->batch_group_end = chunk->states = 0;
    for (int ends = 0; ends < DEMI_LOCALITIES; ++ends) {
        const chunk_pairs t = pairs_of(b, index, ends);
        if (model == NULL && !kinds_find(&t))
            kinds_sort(&t);
        for (uint64_t begin = 0, end = t.pairs; begin < t.pairs; begin = end) {
            const demi_model *of = model;
            int32_t shape = DEMI_SHAPE_SPHERE;
            int faceted = 0;
            if (of == NULL) {
                const uint32_t kind = t.kind[begin];
                for (end = begin; end < t.pairs && t.kind[end] == kind; ++end)
                    continue;
                of = kind_model(b->in, kind);
                shape = kind_shape(kind);
                faceted = kind_faceted(kind);
            }
            if (demi_shapes[shape]->kept > 0 || (faceted && pairs_slotted(&t, begin, end)))
                order_slots(&t, begin, end);
            chunk->batch_group_end++;
            chunk->states += (end - begin) * demi_group_stride(of, shape, faceted);
        }
    }
}

/* Where the pairs of the kind of the one at `begin` end, which follow each other. */
static uint64_t kind_end(const chunk_pairs *t, uint64_t begin, uint32_t kind)
{
    uint64_t in = begin, past = t->pairs;
    while (in + 1 < past) {
        const uint64_t middle = in + (past - in) / 2;
        if (pair_kind(t, &t->pair[middle]) == kind)
            in = middle;
        else
            past = middle;
    }
    return past;
}

/* Runs of a chunk, whose number is known already. */
static void chunk_runs(const demi_list_build_call *b, uint64_t index)
{
    const demi_list_input *in = b->in;
    const demi_chunk *chunk = b->next->chunk.data + index;
    if (chunk->batch_group_end == chunk->batch_group_begin)
        return; /* there may be no memory for groups at all */
    demi_batch_group *group = b->next->batch_group.data + chunk->batch_group_begin;
    uint64_t state = chunk->state_begin, filled = 0, first = chunk->pair_begin;
    for (int ends = 0; ends < DEMI_LOCALITIES; ++ends)
        filled += chunk->pairs[ends] > 0;
    const int sorted = chunk->batch_group_end - chunk->batch_group_begin == filled;
    for (int ends = 0; ends < DEMI_LOCALITIES; ++ends) {
        const chunk_pairs t = pairs_of(b, index, ends);
        for (uint64_t begin = 0, end; begin < t.pairs; begin = end) {
            const uint32_t kind = pair_kind(&t, &t.pair[begin]);
            end = sorted ? t.pairs : kind_end(&t, begin, kind);
            memset(group, 0, sizeof *group);
            group->model = kind_model(in, kind);
            group->shape = kind_shape(kind);
            group->ends = ends;
            group->uncounted = kind % 2;
            group->reach = demi_model_reach(
                group->model, group->shape == DEMI_SHAPE_SPHERE ? b->largest : b->hollow, 0.0);
            group->begin = first + begin;
            group->end = first + end;
            group->state_begin = state;
            group->faceted = (uint32_t)kind_faceted(kind);
            group->state_stride =
                demi_group_stride(group->model, group->shape, (int)group->faceted);
            group->state_room = (uint32_t)(end - begin);
            state += (end - begin) * group->state_stride;
            ++group;
        }
        first += t.pairs;
    }
}

/* What was listed, without the room that was spare. */
static void chunk_keep(const demi_list_build_call *b, uint64_t k)
{
    demi_list *next = b->next;
    const demi_chunk *chunk = next->chunk.data + k;
    demi_pair *to = next->pair.data + chunk->pair_begin;
    for (int ends = 0; ends < DEMI_LOCALITIES; ++ends) {
        const chunk_pairs t = pairs_of(b, k, ends);
        if (t.pairs > 0)
            memcpy(to, t.pair, (size_t)t.pairs * sizeof *to);
        to += t.pairs;
    }
    const demi_copied *copied = b->scratch->copied.data + k * next->copies_room;
    for (uint64_t h = chunk->copies_begin; h < chunk->copies_end; ++h, ++copied) {
        next->source.data[h] = copied->source;
        next->shift.data[h] = (unsigned char)copied->shift;
        next->feature.data[h] = copied->feature;
    }
}

static void runs_chunk(void *argument, uint64_t k)
{
    demi_list_build_call *b = argument;
    chunk_runs(b, k);
    chunk_keep(b, k);
}

dem_status demi_list_batch_groups(demi_list_build_call *b)
{
    demi_list *next = b->next;
    demi_chunk *chunks = next->chunk.data;
    next->pairs = next->pairs_room = next->batch_groups = next->chunk_copies = next->states = 0;
    for (uint64_t k = 0; k < next->chunks; ++k) {
        demi_chunk *chunk = &chunks[k];
        uint64_t pairs = 0;
        for (int ends = 0; ends < DEMI_LOCALITIES; ++ends)
            pairs += chunk->pairs[ends];
        next->pairs += pairs;
        /* pairs and flags of each chunk begin with a line of the cache */
        chunk->pair_begin = next->pairs_room;
        next->pairs_room += (pairs + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
        chunk->batch_group_begin = next->batch_groups;
        next->batch_groups = chunk->batch_group_end += next->batch_groups;
        chunk->copies_begin = next->chunk_copies;
        next->chunk_copies = chunk->copies_end += next->chunk_copies;
        chunk->state_begin = next->states;
        next->states += chunk->states;
    }
    if (next->pairs_room > UINT32_MAX)
        return demi_fail(b->context, DEM_ERROR_RANGE, DEMI_PAIRS_MESSAGE,
                         (unsigned long long)next->pairs_room);
    dem_status status = demi_list_room(b, &next->batch_group, next->batch_groups);
    if (status == DEM_OK)
        status = demi_list_room_closely(b, &next->pair, next->pairs_room);
    if (status == DEM_OK)
        status = demi_list_room(b, &next->source, next->chunk_copies);
    if (status == DEM_OK)
        status = demi_list_room(b, &next->shift, next->chunk_copies);
    if (status == DEM_OK)
        status = demi_list_room(b, &next->feature, next->chunk_copies);
    if (status != DEM_OK)
        return status;
    demi_parallel(b->in->executor, runs_chunk, b, next->chunks);
    return demi_list_nearby(b);
}
