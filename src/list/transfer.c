/* SPDX-License-Identifier: MIT */
/* Contacts that live on when the list is built again: their states move to the new pairs. */
#include "base/parallel.h"
#include "list/build.h"

#include <string.h>

static uint32_t other_bit(uint32_t other)
{
    return 1u << other % 32;
}

static uint32_t opposite(const demi_ends *ends)
{
    return (uint32_t)ends->other | (ends->wall ? DEMI_WALL_BIT : 0u);
}

/* What tells contacts with the same opposite apart: of rows the slot, shift, and who is i. */
enum { DETAIL_SHIFTS = 32 };
static uint32_t detail(const demi_ends *ends)
{
    return ends->wall ? ends->feature
                      : 2 * (DETAIL_SHIFTS * ends->feature + ends->shift) + (uint32_t)ends->first;
}

/* A transfer, and where it writes. */
typedef struct transfer_call {
    const demi_list_input *in;
    demi_list_workspace *scratch;
    const demi_list *next;
    demi_list_contacts from, to;
    int any; /* contacts of the list before */
} transfer_call;

/* Counts what the rows of an old chunk owned. */
static void count_chunk(void *argument, uint64_t k)
{
    const transfer_call *b = argument;
    const demi_list_input *in = b->in;
    const demi_list *list = in->before;
    const demi_chunk *chunk = list->chunk.data + k;
    const demi_pair *pairs = list->pair.data;
    const demi_batch_group *groups = list->batch_group.data;
    const unsigned char *touching = b->from.touching;
    demi_touching_row *rows = b->in->touching_row;
    memset(rows + chunk->row_begin, 0, (size_t)(chunk->row_end - chunk->row_begin) * sizeof *rows);
    uint32_t count = 0;
    for (uint64_t r = chunk->batch_group_begin; r < chunk->batch_group_end; ++r)
        for (uint64_t p = groups[r].begin; p < groups[r].end; ++p) {
            if (!touching[p])
                continue;
            const demi_ends ends = demi_pair_ends(list, chunk, groups[r].ends, &pairs[p]);
            rows[ends.own].count++;
            rows[ends.own].others |= other_bit(opposite(&ends));
            ++count;
        }
    b->scratch->touching_begin.data[k + 1] = count;
}

/* Lists them, from where the chunk's begin. */
static void collect_chunk(void *argument, uint64_t k)
{
    const transfer_call *b = argument;
    const demi_list_input *in = b->in;
    const demi_list *list = in->before;
    const demi_chunk *chunk = list->chunk.data + k;
    const demi_pair *pairs = list->pair.data;
    const demi_batch_group *groups = list->batch_group.data;
    const unsigned char *touching = b->from.touching;
    demi_touching_row *rows = b->in->touching_row;
    demi_touching_entry *entries = b->scratch->touching.data;
    uint32_t begin = b->scratch->touching_begin.data[k];
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        rows[row].begin = begin;
        begin += rows[row].count;
        rows[row].count = 0;
    }
    for (uint64_t r = chunk->batch_group_begin; r < chunk->batch_group_end; ++r) {
        uint32_t place = 0;
        for (uint64_t p = groups[r].begin; p < groups[r].end; ++p) {
            if (!touching[p])
                continue;
            const demi_ends ends = demi_pair_ends(list, chunk, groups[r].ends, &pairs[p]);
            const demi_touching_entry one = {(uint32_t)r,   place++,    opposite(&ends),
                                             detail(&ends), UINT32_MAX, UINT32_MAX};
            entries[rows[ends.own].begin + rows[ends.own].count++] = one;
        }
    }
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
    /* rows that were added since */
    const uint64_t listed = demi_list_rows(in->before);
    if (in->rows > listed)
        memset(b->in->touching_row + listed, 0,
               (size_t)(in->rows - listed) * sizeof(demi_touching_row));
    uint32_t *begin = b->scratch->touching_begin.data;
    begin[0] = 0;
    for (uint64_t k = 0; k < chunks; ++k)
        begin[k + 1] += begin[k];
    b->any = begin[chunks] > 0;
    status = room_for(b, &b->scratch->touching, begin[chunks]);
    if (status == DEM_OK)
        demi_parallel(in->executor, collect_chunk, b, chunks);
    return status;
}

/* The contact of the old list between an old row and a feature of another row or a wall, or NULL.
 */
static demi_touching_entry *find_touching(const transfer_call *b, uint32_t row, uint32_t other,
                                          uint32_t feature, const int32_t image[3])
{
    const demi_list_input *in = b->in;
    const demi_touching_row *of = b->in->touching_row + row;
    demi_touching_entry *entry = b->scratch->touching.data + of->begin;
    const int wall = (other & DEMI_WALL_BIT) != 0;
    for (const demi_touching_entry *end = entry + of->count; entry < end; ++entry) {
        if (entry->other != other ||
            feature != (wall ? entry->detail : entry->detail / (2 * DETAIL_SHIFTS)))
            continue;
        if (wall)
            return entry;
        const demi_ends ends = {row, other, entry->detail % 2, 0, entry->detail / 2 % DETAIL_SHIFTS,
                                0};
        int32_t own[3];
        demi_ends_image(&ends, in->body, own);
        if (memcmp(own, image, sizeof own) == 0)
            return entry;
    }
    return NULL;
}

/* The old contact of a new pair, or NULL. */
static demi_touching_entry *find_old(const transfer_call *b, const demi_ends *ends)
{
    const demi_list_input *in = b->in;
    const uint32_t *order = b->scratch->order.data;
    const demi_touching_row *rows = b->in->touching_row;
    const uint32_t row = order[ends->own];
    const uint32_t other = ends->wall ? opposite(ends) : order[ends->other];
    const uint32_t here = rows[row].others & other_bit(other);
    /* the other particle may have owned the pair before */
    const uint32_t there = ends->wall ? 0 : rows[other].others & other_bit(row);
    if ((here | there) == 0)
        return NULL;
    int32_t image[3] = {0, 0, 0};
    if (!ends->wall)
        demi_ends_image(ends, in->sorted_body, image);
    demi_touching_entry *old = here ? find_touching(b, row, other, ends->feature, image) : NULL;
    return old == NULL && there ? find_touching(b, other, row, ends->feature, image) : old;
}

/* Flags the pairs of new group r that were in contact, and tells their old contacts where their
 * states go. No two pairs have one old contact. */
static void find_group(const transfer_call *b, const demi_chunk *chunk, uint64_t r)
{
    demi_batch_group *group = b->next->batch_group.data + r;
    const demi_pair *pairs = b->next->pair.data;
    const demi_batch_group *groups = b->in->before->batch_group.data;
    unsigned char *touching = b->to.touching;
    uint32_t contacts = 0;
    memset(touching + group->begin, 0, (size_t)(group->end - group->begin));
    for (uint64_t p = group->begin; b->any && p < group->end; ++p) {
        const demi_ends ends = demi_pair_ends(b->next, chunk, group->ends, &pairs[p]);
        demi_touching_entry *old = find_old(b, &ends);
        if (old == NULL || groups[old->batch_group].model != group->model)
            continue;
        touching[p] = 1;
        old->batch_group_next = (uint32_t)r;
        old->contact_next = contacts++;
    }
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
    demi_parallel(input->executor, find_chunk, &call, next->chunks);
    demi_batch_group *group = next->batch_group.data;
    next->states = 0;
    for (uint64_t r = 0; r < next->batch_groups; ++r) {
        group[r].state_begin = next->states;
        next->states += (uint64_t)group[r].state_room * group[r].state_stride;
    }
    return DEM_OK;
}

/* Moves the states of the contacts of old chunk k. */
static void move_chunk(void *argument, uint64_t k)
{
    const transfer_call *b = argument;
    const demi_batch_group *before = b->in->before->batch_group.data,
                           *next = b->next->batch_group.data;
    const uint32_t *begin = b->scratch->touching_begin.data;
    const demi_touching_entry *entry = b->scratch->touching.data;
    for (uint32_t n = begin[k]; n < begin[k + 1]; ++n) {
        if (entry[n].batch_group_next == UINT32_MAX)
            continue;
        const demi_batch_group *old = &before[entry[n].batch_group],
                               *group = &next[entry[n].batch_group_next];
        const uint64_t stride = group->state_stride;
        const double *from = b->from.state + old->state_begin + entry[n].contact * stride;
        double *to = b->to.state + group->state_begin + entry[n].contact_next * stride;
        for (uint64_t c = 0; c < stride; c += 4)
            memcpy(to + c, from + c, 4 * sizeof(double));
    }
}

void demi_list_transfer_states(const demi_list *next, const demi_list_input *input,
                               demi_list_workspace *workspace, demi_list_contacts from,
                               demi_list_contacts to)
{
    transfer_call call = {input, workspace, next, from, to, 0};
    demi_parallel(input->executor, move_chunk, &call, input->before->chunks);
}
