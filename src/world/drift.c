/* SPDX-License-Identifier: MIT */
/* When the list must be built again.
 *
 * A chunk moves with the mean velocity it had when the list was built, its drift; a particle strays
 * from that by at most what the chunk reports: the sum of its fastest pace against the drift in
 * each step, or the measured distance once that sum says too much. Two particles of chunks a and b
 * have then moved against each other by at most
 *
 *     stray(a) + stray(b) + |drift(a) - drift(b)| time
 *
 * Where this stays below the skin for all chunks near each other, no pair that the list lacks can
 * touch. Chunks farther apart than the widest reach and a margin have that margin to spare. */
#include "base/check.h"
#include "base/parallel.h"
#include "world/drift.h"

#include <string.h>

/* Distance of two boxes along each periodic or open axis, squared. */
static double box_gap2(const dem_world *w, const demi_chunk *a, const demi_chunk *b)
{
    double sum = 0.0;
    for (int c = 0; c < 3; ++c) {
        const double half = 0.5 * (a->high[c] - a->low[c]) + 0.5 * (b->high[c] - b->low[c]);
        double between = fabs(0.5 * (a->low[c] + a->high[c]) - 0.5 * (b->low[c] + b->high[c]));
        if (w->config.boundary[c] == DEM_BOUNDARY_PERIODIC) {
            const double period = w->config.box_high[c] - w->config.box_low[c];
            between -= floor(between / period) * period;
            between = between < period - between ? between : period - between;
        }
        const double gap = between - half;
        sum += gap > 0.0 ? gap * gap : 0.0;
    }
    return sum;
}

static double drift_speed(const demi_chunk *a, const demi_chunk *b)
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
        square += (a->drift[c] - b->drift[c]) * (a->drift[c] - b->drift[c]);
    return sqrt(square);
}

void demi_chunk_measure(dem_world *w, demi_chunk *chunk)
{
    const demi_row *x = demi_rows(&w->position[w->front ^ 1]);
    const demi_motion *motion = demi_motions(&w->motion[w->front ^ 1]);
    for (int c = 0; c < 3; ++c) {
        chunk->low[c] = chunk->high[c] = x[chunk->row_begin][c];
        chunk->drift[c] = 0.0;
    }
    chunk->largest = 0.0;
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        for (int c = 0; c < 3; ++c) {
            chunk->low[c] = x[row][c] < chunk->low[c] ? x[row][c] : chunk->low[c];
            chunk->high[c] = x[row][c] > chunk->high[c] ? x[row][c] : chunk->high[c];
            chunk->drift[c] += motion[row].velocity[c];
        }
        chunk->largest = x[row][3] > chunk->largest ? x[row][3] : chunk->largest;
    }
    for (int c = 0; c < 3; ++c)
        chunk->drift[c] /= (double)(chunk->row_end - chunk->row_begin);
    chunk->strayed = 0.0;
}

/* Box about chunks a to b - 1. */
static demi_chunk box_about(const demi_chunk *chunks, uint64_t a, uint64_t b)
{
    demi_chunk all = chunks[a];
    for (uint64_t k = a + 1; k < b; ++k)
        for (int c = 0; c < 3; ++c) {
            all.low[c] = chunks[k].low[c] < all.low[c] ? chunks[k].low[c] : all.low[c];
            all.high[c] = chunks[k].high[c] > all.high[c] ? chunks[k].high[c] : all.high[c];
        }
    return all;
}

/* Adds the near ones among chunks a and those of a group. */
static dem_status nears_add(dem_world *w, demi_list *list, uint64_t a, uint64_t begin, uint64_t end,
                            double far)
{
    const demi_chunk *chunks = list->chunk.data;
    const dem_status status =
        demi_buffer_reserve(&w->context, &list->near,
                            (list->nears + end - begin) * sizeof(demi_near), 1, "neighbour list");
    if (status != DEM_OK)
        return status;
    demi_near *near = list->near.data;
    for (uint64_t b = begin > a ? begin : a; b < end; ++b)
        if (box_gap2(w, &chunks[a], &chunks[b]) < far * far) {
            const demi_near one = {(uint32_t)a, (uint32_t)b, drift_speed(&chunks[a], &chunks[b])};
            near[list->nears++] = one;
        }
    return DEM_OK;
}

dem_status demi_nears_make(dem_world *w, demi_list *list, double cutoff)
{
    enum { GROUP = 32 };
    const demi_chunk *chunks = list->chunk.data;
    list->margin = cutoff;
    list->nears = 0;
    const double far = cutoff + list->margin;
    /* whole groups are ruled out first: neighbours in the list are neighbours in space */
    for (uint64_t g = 0; g < list->chunks; g += GROUP) {
        const uint64_t end = g + GROUP < list->chunks ? g + GROUP : list->chunks;
        const demi_chunk all = box_about(chunks, g, end);
        for (uint64_t a = 0; a < end; ++a) {
            if (box_gap2(w, &chunks[a], &all) >= far * far)
                continue;
            const dem_status status = nears_add(w, list, a, g, end, far);
            if (status != DEM_OK)
                return status;
        }
    }
    return DEM_OK;
}

/* Whether a particle of the chunk may have come to a wall that it is not listed with. */
static int wall_expired(const dem_world *w, const demi_chunk *chunk, double stray,
                        const demi_wall *wall, double elapsed)
{
    double distance = 0.0, approach = stray;
    for (int c = 0; c < 3; ++c) {
        const double corner = wall->normal[c] > 0.0 ? chunk->low[c] : chunk->high[c];
        distance += (corner - wall->built[c]) * wall->normal[c];
        approach -= chunk->drift[c] * wall->normal[c] * elapsed;
        approach += (wall->point[w->front ^ 1][c] - wall->built[c]) * wall->normal[c];
    }
    const double spare = distance - chunk->largest - w->list.reach;
    return approach > (spare > w->skin ? spare : w->skin);
}

int demi_bounds_exceeded(const dem_world *w, double elapsed)
{
    const demi_list *list = &w->list;
    const demi_chunk *chunks = list->chunk.data;
    const demi_report *report = w->report.data;
    double most = 0.0, fastest = 0.0;
    for (uint64_t k = 0; k < list->chunks; ++k) {
        const double stray = report[k].strayed, speed = drift_speed(&chunks[0], &chunks[k]);
        most = stray > most ? stray : most;
        fastest = speed > fastest ? speed : fastest;
        /* positions stay close to the periodic box */
        if (stray + sqrt(demi_dot(chunks[k].drift, chunks[k].drift)) * elapsed > list->margin)
            return 1;
        const demi_wall *walls = w->wall.data;
        for (uint64_t m = 0; m < w->walls; ++m)
            if (walls[m].id != 0 && wall_expired(w, &chunks[k], stray, &walls[m], elapsed))
                return 1;
    }
    if (2.0 * (most + fastest * elapsed) > w->skin + list->margin)
        return 1;
    const demi_near *near = list->near.data;
    for (uint64_t k = 0; k < list->nears; ++k) {
        const double stray = report[near[k].a].strayed + report[near[k].b].strayed;
        if (stray + near[k].speed * elapsed > w->skin)
            return 1;
    }
    return 0;
}

DEMI_ISA_TABLE(demi_phase_function, demi_chunk_stray);

static void stray_chunk(void *argument, uint64_t k)
{
    const demi_phase_call *call = argument;
    demi_chunk_stray[call->w->models.isa](call, k);
}

int demi_list_expired(dem_world *w, double elapsed)
{
    if (!demi_bounds_exceeded(w, elapsed))
        return 0;
    demi_phase_call call = {w, 0.0, 0.0, 0.0, elapsed};
    demi_parallel(&w->config.executor, stray_chunk, &call, w->list.chunks);
    return demi_bounds_exceeded(w, elapsed);
}
