/* SPDX-License-Identifier: MIT */
/* Contacts that live on when the list is built again: their states move to the new pairs.
 *
 * The contacts of the old list are linked by the row that owned them. Each row of the new list
 * knows which row it was and whom that touched, so that most pairs without a contact are told apart
 * without a look at contacts. */
#include "base/parallel.h"
#include "list/build.h"

#include <string.h>

/* Pairs that are looked at together, so that memory is asked for before it is needed. */
enum { TOGETHER = 32 };

static uint32_t other_bit(uint32_t other)
{
    return 1u << other % 32;
}

static uint32_t opposite(const demi_ends *ends)
{
    return (uint32_t)ends->other | (ends->wall ? DEMI_WALL_BIT : 0u);
}

/* What tells contacts with the same opposite apart: of rows the slot, and the shift from i to j.
 * The last shift less one is the way back. */
enum { DETAIL_SHIFTS = 32 };
static uint32_t detail(const demi_ends *ends)
{
    return ends->wall ? ends->feature
                      : DETAIL_SHIFTS * ends->feature +
                            (ends->first ? ends->shift : DEMI_SHIFTS - 1 - ends->shift);
}

/* A transfer, and where it writes. */
typedef struct transfer_call {
    const demi_list_input *in;
    demi_list_workspace *scratch;
    const demi_list *next;
    demi_list_contacts from, to;
    uint64_t contacts; /* of the list before */
} transfer_call;

/* Of the contacts of the new list: which they were, from the first pair of each group on; memory
 * after that of the contacts of before. UINT32_MAX: no more of the group. */
static uint32_t *found_begin(const transfer_call *b)
{
    return (uint32_t *)(void *)(b->scratch->touching.data + b->contacts);
}

/* Counts the contacts of an old chunk. */
static void count_chunk(void *argument, uint64_t k)
{
    const transfer_call *b = argument;
    const demi_list *list = b->in->before;
    const demi_chunk *chunk = list->chunk.data + k;
    const demi_batch_group *groups = list->batch_group.data;
    const unsigned char *touching = b->from.touching;
    uint32_t count = 0;
    for (uint64_t r = chunk->batch_group_begin; r < chunk->batch_group_end; ++r)
        for (uint64_t p = groups[r].begin; p < groups[r].end; ++p)
            count += touching[p] != 0;
    b->scratch->touching_begin.data[k + 1] = count;
}

/* Links those of a group, which are numbered from `entry` on; tells where they end. */
static uint32_t collect_group(const transfer_call *b, const demi_chunk *chunk, uint64_t r,
                              uint32_t entry)
{
    const demi_list *list = b->in->before;
    const demi_pair *pairs = list->pair.data;
    const demi_batch_group *group = list->batch_group.data + r;
    const unsigned char *touching = b->from.touching;
    demi_touching_row *rows = b->in->touching_row;
    demi_touching_entry *entries = b->scratch->touching.data;
    const uint32_t first = entry;
    for (uint64_t begin = group->begin; begin < group->end; begin += TOGETHER) {
        const uint64_t end = begin + TOGETHER < group->end ? begin + TOGETHER : group->end;
        uint64_t met[TOGETHER] = {0}, count = 0;
        for (uint64_t p = begin; p < end; ++p) {
            met[count] = p;
            count += touching[p] != 0;
        }
        for (uint64_t n = 0; n < count; ++n, ++entry) {
            const demi_ends ends = demi_pair_ends(list, chunk, group->ends, &pairs[met[n]]);
            demi_touching_row *row = &rows[ends.own];
            const demi_touching_entry one = {(uint32_t)r, entry - first, opposite(&ends),
                                             detail(&ends), row->first};
            entries[entry] = one;
            row->first = entry + 1;
            row->others |= other_bit(one.other);
        }
    }
    return entry;
}

static void collect_chunk(void *argument, uint64_t k)
{
    const transfer_call *b = argument;
    const demi_chunk *chunk = b->in->before->chunk.data + k;
    uint32_t entry = b->scratch->touching_begin.data[k];
    memset(b->in->touching_row + chunk->row_begin, 0,
           (size_t)(chunk->row_end - chunk->row_begin) * sizeof *b->in->touching_row);
    for (uint64_t r = chunk->batch_group_begin; r < chunk->batch_group_end; ++r)
        entry = collect_group(b, chunk, r, entry);
}

#define room_for(b, array, count)                                                                  \
    demi_buffer_reserve_closely((b)->in->context, &(array)->buffer,                                \
                                (count) * sizeof *(array)->data, 0, "neighbour list")

/* For each old row the contacts that it owned. */
static dem_status collect_live(transfer_call *b)
{
    const demi_list_input *in = b->in;
    const uint64_t chunks = in->before->chunks;
    dem_status status = room_for(b, &b->scratch->touching_begin, (chunks + 1));
    if (status != DEM_OK)
        return status;
    demi_parallel(in->executor, count_chunk, b, chunks);
    uint32_t *begin = b->scratch->touching_begin.data;
    begin[0] = 0;
    for (uint64_t k = 0; k < chunks; ++k)
        begin[k + 1] += begin[k];
    b->contacts = begin[chunks];
    if (b->contacts == 0)
        return DEM_OK;
    const uint64_t found = b->next->pairs_room * sizeof(uint32_t) / sizeof(demi_touching_entry) + 1;
    status = room_for(b, &b->scratch->touching, b->contacts + found);
    if (status != DEM_OK)
        return status;
    /* rows that were added since */
    const uint64_t listed = demi_list_rows(in->before);
    if (in->rows > listed)
        memset(in->touching_row + listed, 0,
               (size_t)(in->rows - listed) * sizeof *in->touching_row);
    demi_parallel(in->executor, collect_chunk, b, chunks);
    return DEM_OK;
}

/* Whom the rows of the new list touched. */
static void rows_know(void *argument, uint64_t task)
{
    const transfer_call *b = argument;
    demi_row_before *rows = b->in->row_before;
    const uint64_t end = demi_rows_task_end(task, demi_list_rows(b->next));
    for (uint64_t row = task * DEMI_ROWS_TASK; row < end; ++row)
        rows[row].touching = b->in->touching_row[rows[row].row & ~DEMI_ROW_WRAPPED];
}

/* A new pair that may be an old contact. */
typedef struct may_live {
    uint64_t pair;
    uint32_t own, other;  /* rows of before, as demi_row_before has them; or the other is a wall */
    uint32_t here, there; /* where the one's contacts, or the other's, begin; 0: it is none of them
                           */
} may_live;

/* Where the contacts of a row begin, if a row or wall may be among the others. */
static inline uint32_t begin_of(const demi_touching_row *of, uint32_t other)
{
    /* no branch, which nobody could foretell */
    return of->first & (0u - (of->others >> other % 32 & 1u));
}

static inline may_live look_at(const transfer_call *b, const demi_chunk *chunk,
                               const demi_batch_group *group, uint64_t p)
{
    const demi_pair *pair = &b->next->pair.data[p];
    const demi_row_before *rows = b->in->row_before;
    const int first = group->ends != DEMI_LOCALITY_COPY_I;
    const uint32_t own = (first ? pair->i : pair->j) / DEMI_LOCAL_OFFSET,
                   beside = (first ? pair->j : pair->i) / DEMI_LOCAL_OFFSET;
    const demi_row_before *mine = &rows[chunk->row_begin + own];
    may_live one = {p, mine->row, 0, 0, 0};
    uint64_t other = chunk->row_begin + beside;
    if (group->ends != DEMI_LOCALITY_OWN)
        other = b->next->source.data[chunk->copies_begin + beside];
    if ((other & DEMI_WALL_BIT) != 0) {
        one.other = (uint32_t)other;
        one.here = begin_of(&mine->touching, one.other);
        return one;
    }
    one.other = rows[other].row;
    one.here = begin_of(&mine->touching, one.other);
    /* the other particle may have owned the pair before */
    one.there = begin_of(&rows[other].touching, mine->row);
    return one;
}

/* Whether an old contact of two rows, seen from one of them, is this new pair. What it keeps of
 * periods is the shift, but where one of them has another image now. */
static int same_image(const transfer_call *b, const demi_touching_entry *entry, uint32_t row,
                      const demi_ends *ends, int wrapped)
{
    if (!wrapped)
        return entry->detail == detail(ends);
    const demi_list_input *in = b->in;
    const uint64_t before = in->row_before[ends->own].row & ~DEMI_ROW_WRAPPED;
    /* `first` is the same for the same row */
    const int first = before == row ? ends->first : !ends->first;
    const uint32_t shift = entry->detail % DETAIL_SHIFTS;
    if (entry->detail / DETAIL_SHIFTS != ends->feature)
        return 0;
    const demi_ends was = {row, entry->other, first, 0, first ? shift : DEMI_SHIFTS - 1 - shift, 0};
    int32_t then[3], now[3];
    demi_ends_image(&was, in->body, then);
    demi_ends_image(ends, in->sorted_body, now);
    return memcmp(then, now, sizeof now) == 0;
}

/* The contact, + 1, of an old row, from contact n on, that is a pair of the new list; 0: it has
 * none. */
static uint32_t find_touching(const transfer_call *b, uint32_t n, uint32_t row, uint32_t other,
                              const demi_ends *ends, int wrapped)
{
    const demi_touching_entry *entries = b->scratch->touching.data;
    for (; n != 0; n = entries[n - 1].next) {
        const demi_touching_entry *entry = &entries[n - 1];
        if (entry->other == other && same_image(b, entry, row, ends, wrapped))
            return n;
    }
    return 0;
}

/* The old contact, + 1, of a new pair, or 0. */
static uint32_t find_old(const transfer_call *b, const demi_ends *ends, const may_live *one)
{
    const int wrapped = !ends->wall && ((one->own | one->other) & DEMI_ROW_WRAPPED) != 0;
    const uint32_t row = one->own & ~DEMI_ROW_WRAPPED,
                   other = ends->wall ? one->other : one->other & ~DEMI_ROW_WRAPPED;
    const uint32_t old = find_touching(b, one->here, row, other, ends, wrapped);
    return old != 0 ? old : find_touching(b, one->there, other, row, ends, wrapped);
}

/* Flags the pairs of new group r that were in contact, notes which contacts they were, and tells
 * how many there are. No two pairs have one old contact. */
static uint32_t find_in_group(const transfer_call *b, const demi_chunk *chunk, uint64_t r)
{
    const demi_batch_group *group = b->next->batch_group.data + r,
                           *groups = b->in->before->batch_group.data;
    unsigned char *touching = b->to.touching;
    uint32_t *old = found_begin(b) + group->begin;
    uint32_t contacts = 0;
    for (uint64_t begin = group->begin; begin < group->end; begin += TOGETHER) {
        const uint64_t end = begin + TOGETHER < group->end ? begin + TOGETHER : group->end;
        may_live met[TOGETHER];
        uint64_t count = 0;
        for (uint64_t p = begin; p < end; ++p) {
            met[count] = look_at(b, chunk, group, p);
            count += (met[count].here | met[count].there) != 0;
        }
        for (uint64_t n = 0; n < count; ++n) {
            const demi_ends ends =
                demi_pair_ends(b->next, chunk, group->ends, &b->next->pair.data[met[n].pair]);
            const uint32_t found = find_old(b, &ends, &met[n]);
            if (found == 0 ||
                groups[b->scratch->touching.data[found - 1].batch_group].model != group->model)
                continue;
            touching[met[n].pair] = 1;
            old[contacts++] = found - 1;
        }
    }
    if (contacts < group->end - group->begin)
        old[contacts] = UINT32_MAX;
    return contacts;
}

static void find_group(const transfer_call *b, const demi_chunk *chunk, uint64_t r)
{
    demi_batch_group *group = b->next->batch_group.data + r;
    memset(b->to.touching + group->begin, 0, (size_t)(group->end - group->begin));
    const uint32_t contacts = b->contacts > 0 ? find_in_group(b, chunk, r) : 0;
    group->state_room = demi_group_room(group, contacts, b->next->spare);
}

static void find_chunk(void *argument, uint64_t k)
{
    const transfer_call *b = argument;
    const demi_chunk *chunk = b->next->chunk.data + k;
    for (uint64_t r = chunk->batch_group_begin; r < chunk->batch_group_end; ++r)
        find_group(b, chunk, r);
}

dem_status demi_list_transfer_find(demi_list *next, const demi_list_input *input,
                                   demi_list_workspace *workspace, demi_list_contacts from,
                                   unsigned char *to)
{
    transfer_call call = {input, workspace, next, from, {to, NULL}, 0};
    const dem_status status = collect_live(&call);
    if (status != DEM_OK)
        return status;
    const demi_list *before = input->before;
    next->spare = before->spare - (before->spare > 0 && before->lacked == 0);
    next->lacked = 0;
    if (call.contacts > 0)
        demi_parallel(input->executor, rows_know, &call, demi_rows_tasks(demi_list_rows(next)));
    demi_parallel(input->executor, find_chunk, &call, next->chunks);
    demi_batch_group *group = next->batch_group.data;
    next->states = 0;
    for (uint64_t r = 0; r < next->batch_groups; ++r) {
        group[r].state_begin = next->states;
        next->states += (uint64_t)group[r].state_room * group[r].state_stride;
    }
    return DEM_OK;
}

/* Moves the states of the contacts of new group r. */
static void move_group(const transfer_call *b, uint64_t r)
{
    const demi_batch_group *before = b->in->before->batch_group.data,
                           *group = b->next->batch_group.data + r;
    const demi_touching_entry *entries = b->scratch->touching.data;
    const uint64_t pairs = group->end - group->begin, stride = group->state_stride;
    const uint32_t *old = found_begin(b) + group->begin;
    double *to = b->to.state + group->state_begin;
    for (uint64_t n = 0, count = TOGETHER; count == TOGETHER; n += count) {
        const double *from[TOGETHER];
        for (count = 0; count < TOGETHER && n + count < pairs; ++count) {
            if (old[n + count] == UINT32_MAX)
                break;
            const demi_touching_entry *entry = &entries[old[n + count]];
            from[count] =
                b->from.state + before[entry->batch_group].state_begin + entry->contact * stride;
            __builtin_prefetch(from[count]);
        }
        for (uint64_t k = 0; k < count; ++k, to += stride)
            for (uint64_t c = 0; c < stride; c += 4)
                memcpy(to + c, from[k] + c, 4 * sizeof(double));
    }
}

static void move_chunk(void *argument, uint64_t k)
{
    const transfer_call *b = argument;
    const demi_chunk *chunk = b->next->chunk.data + k;
    for (uint64_t r = chunk->batch_group_begin; r < chunk->batch_group_end; ++r)
        move_group(b, r);
}

void demi_list_transfer_states(const demi_list *next, const demi_list_input *input,
                               demi_list_workspace *workspace, demi_list_contacts from,
                               demi_list_contacts to)
{
    const uint64_t contacts = workspace->touching_begin.data[input->before->chunks];
    transfer_call call = {input, workspace, next, from, to, contacts};
    if (contacts > 0)
        demi_parallel(input->executor, move_chunk, &call, next->chunks);
}
