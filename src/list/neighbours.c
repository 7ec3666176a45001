/* SPDX-License-Identifier: MIT */
/* Boxes and drifts of chunks, and which chunks are near each other. */
#include "list/parts.h"

#include <math.h>
#include <string.h>

/* Distance of two boxes along each periodic or open axis, squared. */
static double box_gap2(const demi_domain *domain, const demi_chunk *a, const demi_chunk *b)
{
    double sum = 0.0;
    for (int c = 0; c < 3; ++c) {
        const double half = 0.5 * (a->high[c] - a->low[c]) + 0.5 * (b->high[c] - b->low[c]);
        double between = fabs(0.5 * (a->low[c] + a->high[c]) - 0.5 * (b->low[c] + b->high[c]));
        if (domain->periodic[c]) {
            const double period = domain->high[c] - domain->low[c];
            between -= floor(between / period) * period;
            between = between < period - between ? between : period - between;
        }
        const double gap = between - half;
        sum += gap > 0.0 ? gap * gap : 0.0;
    }
    return sum;
}

double demi_chunks_speed(const demi_chunk *a, const demi_chunk *b)
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
        square += (a->mean_velocity[c] - b->mean_velocity[c]) *
                  (a->mean_velocity[c] - b->mean_velocity[c]);
    return sqrt(square);
}

void demi_chunk_measure(const demi_list_build_call *b, demi_chunk *chunk)
{
    const demi_row *x = (const demi_row *)b->in->sorted_position;
    const demi_velocities *velocity = b->in->velocity;
    const uint32_t *order = b->scratch->order.data;
    for (int c = 0; c < 3; ++c) {
        chunk->low[c] = chunk->high[c] = x[chunk->row_begin][c];
        chunk->mean_velocity[c] = 0.0;
    }
    chunk->largest = 0.0;
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        for (int c = 0; c < 3; ++c) {
            chunk->low[c] = x[row][c] < chunk->low[c] ? x[row][c] : chunk->low[c];
            chunk->high[c] = x[row][c] > chunk->high[c] ? x[row][c] : chunk->high[c];
            chunk->mean_velocity[c] += velocity[order[row]].velocity[c];
        }
        chunk->largest = x[row][3] > chunk->largest ? x[row][3] : chunk->largest;
    }
    double size = 0.0;
    for (int c = 0; c < 3; ++c) {
        chunk->mean_velocity[c] /= (double)(chunk->row_end - chunk->row_begin);
        size = -chunk->low[c] > size ? -chunk->low[c] : size;
        size = chunk->high[c] > size ? chunk->high[c] : size;
    }
    /* half of the last digit along each axis: the root of 3 is below 2 */
    chunk->rounding = (size + b->margin) * 0x1p-52;
    chunk->displacement_bound = 0.0;
    if (b->in->past == NULL)
        return;
    const demi_drift *drift = &b->in->past->drift[chunk->row_begin / b->next->chunk_rows];
    memcpy(chunk->mean_velocity, drift->mean_velocity, sizeof chunk->mean_velocity);
    chunk->displacement_bound = drift->displacement_bound;
}

demi_chunk demi_chunks_box(const demi_chunk *chunks, uint64_t a, uint64_t b)
{
    demi_chunk all = chunks[a];
    for (uint64_t k = a + 1; k < b; ++k) {
        for (int c = 0; c < 3; ++c) {
            all.low[c] = chunks[k].low[c] < all.low[c] ? chunks[k].low[c] : all.low[c];
            all.high[c] = chunks[k].high[c] > all.high[c] ? chunks[k].high[c] : all.high[c];
        }
        all.largest = chunks[k].largest > all.largest ? chunks[k].largest : all.largest;
    }
    return all;
}

/* From which distance of their boxes on two chunks are not near. With one level of sizes it is
 * twice the margin, whatever their own sizes are. */
static double far_of(const demi_list *list, const demi_chunk *a, const demi_chunk *b)
{
    if (list->levels <= 1)
        return 2.0 * list->margin;
    return a->largest + b->largest + list->reach + list->skin + list->margin;
}

static int is_near(const demi_domain *domain, const demi_list *list, const demi_chunk *a,
                   const demi_chunk *b)
{
    const double far = far_of(list, a, b);
    return box_gap2(domain, a, b) < far * far;
}

/* Adds the near ones among chunks a and those of a group. */
static dem_status neighbour_chunks_add(demi_context *context, const demi_domain *domain,
                                       demi_list *list, uint64_t a, uint64_t begin, uint64_t end)
{
    const demi_chunk *chunks = list->chunk.data;
    const dem_status status = demi_array_reserve(
        context, &list->neighbour, (list->neighbours + end - begin), 1, "neighbour list");
    if (status != DEM_OK)
        return status;
    demi_neighbour_chunks *near = list->neighbour.data;
    for (uint64_t k = begin > a ? begin : a; k < end; ++k)
        if (is_near(domain, list, &chunks[a], &chunks[k])) {
            const demi_neighbour_chunks one = {(uint32_t)a, (uint32_t)k,
                                               demi_chunks_speed(&chunks[a], &chunks[k])};
            near[list->neighbours++] = one;
        }
    return DEM_OK;
}

dem_status demi_list_neighbours(demi_context *context, const demi_domain *domain, demi_list *list)
{
    enum { GROUP = 32 };
    const demi_chunk *chunks = list->chunk.data;
    list->neighbours = 0;
    /* whole groups are ruled out first: neighbours in the list are neighbours in space */
    for (uint64_t g = 0; g < list->chunks; g += GROUP) {
        const uint64_t end = g + GROUP < list->chunks ? g + GROUP : list->chunks;
        const demi_chunk all = demi_chunks_box(chunks, g, end);
        for (uint64_t a = 0; a < end; ++a) {
            if (!is_near(domain, list, &chunks[a], &all))
                continue;
            const dem_status status = neighbour_chunks_add(context, domain, list, a, g, end);
            if (status != DEM_OK)
                return status;
        }
    }
    return DEM_OK;
}
