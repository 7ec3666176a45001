/* SPDX-License-Identifier: MIT */
/* Rows of several levels of sizes: all are sorted by the cells of the home level, so that chunks
 * are compact, and every other level has its rows by its own cells. */
#include "list/parts.h"

#include <string.h>

/* Cells are made wider by at most this factor, and not where a point shares its own with more than
 * so many on average, itself counted. */
enum { WIDER_MOST = 1 << 16, SHARED_MOST = 6 };

/* Cells are in blocks as large as leave no more of them than this. */
static uint64_t cells_most(uint64_t rows)
{
    const uint64_t most = 8 * rows + 4096;
    return most < 1u << 30 ? most : 1u << 30;
}

/* Rows that are brought into the cells of a level. */
typedef struct level_call {
    demi_list_build_call *b;
    demi_level_rows *level;
    int home;
    uint64_t points; /* all rows in their old order, or the level's in the new one */
} level_call;

/* Position of a point. 0: there is none. */
static int point_of(level_call *call, uint64_t k, double x[3])
{
    demi_list_build_call *b = call->b;
    if (!call->home) {
        memcpy(x, b->in->sorted_position[call->level->member.data[k]], 3 * sizeof(double));
        return 1;
    }
    int32_t image[3];
    if (b->in->body[k].id == 0)
        return 0;
    if (!demi_list_wrapped(b, k, x, image) && b->beyond == 0)
        b->beyond = k + 1;
    return 1;
}

/* The cells of all points, or of some where there are too many cells. */
static dem_status find_places(level_call *call, uint64_t most)
{
    demi_cells *cells = &call->level->cells;
    uint32_t *place = call->b->in->cell_of;
    for (uint64_t k = 0; k < call->points; ++k) {
        double x[3];
        int64_t at[3];
        uint64_t one;
        if (!point_of(call, k, x))
            continue;
        demi_cells_at(cells, x, at);
        const dem_status status = demi_cells_add(call->b->context, cells, at, &one);
        if (status != DEM_OK)
            return status;
        place[k] = (uint32_t)one;
        if (demi_cells_count(cells) > most)
            break;
    }
    return DEM_OK;
}

/* Cells of a width in the largest blocks, of 2^bits_least to 2^bits cells along each axis, that
 * leave few enough of them. `fits`: whether there are such. */
static dem_status try_cells(level_call *call, double width, int bits, int bits_least, int *fits)
{
    const demi_domain *domain = &call->b->in->domain;
    demi_context *context = call->b->context;
    demi_cells *cells = &call->level->cells;
    /* rows that were removed do not count: a list that is built again may lack them */
    const uint64_t there = call->home ? call->b->rows : call->points;
    *fits = 0;
    demi_cells_choose(cells, domain->low, domain->high, domain->periodic, width);
    for (int edge = bits; edge >= bits_least && !*fits; --edge) {
        /* with blocks of one cell there are no more than rows */
        const uint64_t most = edge > 0 ? cells_most(there) : UINT64_MAX;
        dem_status status = demi_cells_begin(context, cells, edge);
        if (status == DEM_OK)
            status = find_places(call, most);
        if (status != DEM_OK)
            return status;
        *fits = demi_cells_count(cells) <= most;
    }
    return DEM_OK;
}

/* Whether points that have their places share cells with more than a few. */
static dem_status places_shared(level_call *call, int *shared)
{
    demi_list_build_call *b = call->b;
    const uint64_t cells = demi_cells_count(&call->level->cells);
    const dem_status status = demi_list_room(b, &call->level->begin, cells + 2);
    if (status != DEM_OK)
        return status;
    uint32_t *count = call->level->begin.data;
    uint64_t points = 0, squares = 0;
    memset(count, 0, (size_t)cells * sizeof *count);
    for (uint64_t k = 0; k < call->points; ++k) {
        if (call->home && b->in->body[k].id == 0)
            continue;
        /* the n-th one adds n^2 - (n - 1)^2 */
        squares += 2 * (uint64_t)count[b->in->cell_of[k]]++ + 1;
        ++points;
    }
    *shared = squares > SHARED_MOST * points;
    return DEM_OK;
}

/* Cells that are wider than they need to be, where few of them hold a point: else nearly each point
 * is in a block of its own, around which it looks up all blocks. */
static dem_status try_wider_cells(level_call *call, double cutoff, int bits, int *fits)
{
    for (int wider = 2; wider <= WIDER_MOST; wider *= 2) {
        dem_status status = try_cells(call, wider * cutoff, bits, bits, fits);
        if (status != DEM_OK)
            return status;
        if (!*fits)
            continue;
        int shared = 0;
        status = places_shared(call, &shared);
        *fits = !shared;
        return status;
    }
    return DEM_OK;
}

static dem_status find_cells(level_call *call, double cutoff)
{
    const int largest = DEMI_BLOCK_BITS;
    int fits;
    dem_status status = try_cells(call, cutoff, largest, largest - 1, &fits);
    /* along a line most cells of a block are beside it, and those on it hold too many: smaller
     * blocks are few enough at a smaller width */
    for (int bits = largest; bits >= largest - 1 && status == DEM_OK && !fits; --bits)
        status = try_wider_cells(call, cutoff, bits, &fits);
    if (status == DEM_OK && !fits)
        status = try_cells(call, cutoff, largest, 0, &fits);
    return status == DEM_OK ? demi_cells_rank(call->b->context, &call->level->cells) : status;
}

/* Counting sort of the points by cell; ties keep their order. At home rows of other levels come
 * last in each cell. */
static dem_status sort_points(level_call *call, uint32_t *to)
{
    const demi_list_build_call *b = call->b;
    demi_level_rows *level = call->level;
    const uint64_t keys = demi_cells_count(&level->cells) << call->home;
    const dem_status status = demi_list_room(b, &level->begin, keys + 2);
    if (status != DEM_OK)
        return status;
    uint32_t *key = b->in->cell_of, *begin = level->begin.data;
    memset(begin, 0, (size_t)(keys + 2) * sizeof *begin);
    for (uint64_t k = 0; k < call->points; ++k) {
        if (call->home && b->in->body[k].id == 0)
            continue;
        const uint64_t cell = demi_cells_number(&level->cells, key[k]);
        const int other =
            call->home && demi_level_of(&b->levels, b->in->position[k][3]) != b->levels.home;
        key[k] = (uint32_t)(cell << call->home) + (uint32_t)other;
        begin[key[k] + 2]++;
    }
    for (uint64_t k = 2; k < keys + 2; ++k)
        begin[k] += begin[k - 1];
    for (uint64_t k = 0; k < call->points; ++k)
        if (!call->home)
            to[begin[key[k] + 1]++] = level->member.data[k];
        else if (b->in->body[k].id != 0)
            to[begin[key[k] + 1]++] = (uint32_t)k;
    return DEM_OK;
}

static double cutoff_of(const demi_list_build_call *b, int level)
{
    return 2.0 * b->levels.largest[level] + b->reach + b->skin;
}

/* Room for so many levels, empty at first. */
static dem_status levels_room(demi_list_build_call *b)
{
    demi_list_workspace *scratch = b->scratch;
    if (scratch->levels > 0)
        return DEM_OK;
    const dem_status status = demi_list_room(b, &scratch->level, DEMI_LEVELS_MOST);
    if (status == DEM_OK) {
        memset(scratch->level.data, 0, DEMI_LEVELS_MOST * sizeof(demi_level_rows));
        scratch->levels = DEMI_LEVELS_MOST;
    }
    return status;
}

static dem_status sort_home(demi_list_build_call *b)
{
    demi_list_workspace *scratch = b->scratch;
    level_call home = {b, &scratch->level.data[b->levels.home], 1, b->in->rows};
    dem_status status = find_cells(&home, cutoff_of(b, b->levels.home));
    if (status == DEM_OK && b->beyond != 0)
        return demi_list_beyond(b, b->beyond - 1);
    if (status == DEM_OK)
        status = sort_points(&home, scratch->order.data);
    b->cell_begin = home.level->begin.data;
    b->cell_bits = 1;
    return status;
}

dem_status demi_levels_sort(demi_list_build_call *b)
{
    dem_status status = levels_room(b);
    if (status == DEM_OK)
        status = demi_list_room(b, &b->scratch->order, b->in->rows + 1);
    if (status == DEM_OK)
        status = sort_home(b);
    return status == DEM_OK && demi_crowded_home(b) ? sort_home(b) : status;
}

/* The level of each row, and the rows of each level but the home one. */
static dem_status find_members(demi_list_build_call *b)
{
    demi_list_workspace *scratch = b->scratch;
    dem_status status = demi_list_room(b, &scratch->level_of, b->rows);
    for (int k = 0; status == DEM_OK && k < b->levels.count; ++k) {
        scratch->level.data[k].members = 0;
        if (k != b->levels.home)
            status = demi_list_room(b, &scratch->level.data[k].member, b->levels.spheres[k]);
    }
    for (uint64_t row = 0; status == DEM_OK && row < b->rows; ++row) {
        const int k = demi_level_of(&b->levels, b->in->sorted_position[row][3]);
        scratch->level_of.data[row] = (unsigned char)k;
        demi_level_rows *level = &scratch->level.data[k];
        if (k != b->levels.home)
            level->member.data[level->members++] = (uint32_t)row;
    }
    return status;
}

dem_status demi_levels_rows(demi_list_build_call *b)
{
    dem_status status = find_members(b);
    for (int k = 0; status == DEM_OK && k < b->levels.count; ++k) {
        demi_level_rows *level = &b->scratch->level.data[k];
        if (k == b->levels.home)
            continue;
        level_call call = {b, level, 0, level->members};
        status = find_cells(&call, cutoff_of(b, k));
        if (status == DEM_OK)
            status = demi_list_room(b, &level->row, level->members);
        if (status == DEM_OK)
            status = sort_points(&call, level->row.data);
    }
    return status;
}
