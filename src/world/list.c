/* SPDX-License-Identifier: MIT */
/* Rebuild of the neighbour list: particles are sorted in space, cut into chunks, and pairs that may
 * touch before the next rebuild are listed with room for their state. All of it is made beside the
 * old list and exchanged when nothing can fail any more. */
#include "base/check.h"
#include "search/grid.h"
#include "world/world.h"

#include <string.h>

typedef struct list_build {
    dem_world *w;
    demi_context *context;
    demi_list *next;
    demi_grid grid;
    double skin;
    uint64_t rows; /* without removed ones */
    const uint32_t *cell_begin;
    /* of the chunk being listed */
    uint64_t halo_begin;
    uint32_t *mark; /* [rows + walls] halo + 1 of the target in this chunk */
} list_build;

/* A contact of the old list that lives on. */
typedef struct list_live {
    dem_contact_key key;
    const demi_model *model;
    uint64_t state_begin;
} list_live;

static dem_status room(list_build *b, demi_buffer *buffer, uint64_t size, int keep)
{
    return demi_buffer_reserve(b->context, buffer, size, keep, "neighbour list");
}

/* ------------------------------------------------------------------ order in space */

/* Position inside the box, and the image that goes with it. */
static void wrapped(const dem_world *w, uint64_t row, double position[3], int32_t image[3])
{
    const double *x = demi_rows(&w->position[w->front])[row];
    for (int c = 0; c < 3; ++c) {
        position[c] = x[c];
        image[c] = demi_bodies(w)[row].image[c];
        if (w->config.boundary[c] != DEM_BOUNDARY_PERIODIC)
            continue;
        const double low = w->config.box_low[c], length = w->config.box_high[c] - low;
        const double periods = floor((position[c] - low) / length);
        if (periods == 0.0 || fabs(periods) > 1e9)
            continue;
        position[c] -= periods * length;
        image[c] += (int32_t)periods;
    }
}

/* Widest gap at which any pair of the world acts. */
static double widest_reach(const dem_world *w, double radius)
{
    double reach = 0.0;
    for (int32_t a = 0; a < w->models.material_count; ++a)
        for (int32_t b = a; b < w->models.material_count; ++b) {
            const demi_model *model = demi_models_get(&w->models, a, b);
            const double own = model != NULL ? demi_model_reach(model, radius, radius) : 0.0;
            reach = own > reach ? own : reach;
        }
    return reach;
}

/* Box for the grid: the periodic box, or on open axes where the particles are. Few that flew far
 * away must not make the cells useless, so the box ends four standard deviations from the mean. */
static void grid_box(const list_build *b, double cutoff, double low[3], double high[3])
{
    const dem_world *w = b->w;
    for (int c = 0; c < 3; ++c) {
        low[c] = w->config.box_low[c];
        high[c] = w->config.box_high[c];
        if (w->config.boundary[c] == DEM_BOUNDARY_PERIODIC)
            continue;
        double sum = 0.0, square = 0.0;
        low[c] = high[c] = 0.0;
        uint64_t n = 0;
        for (uint64_t row = 0; row < w->rows; ++row) {
            if (demi_bodies(w)[row].id == 0)
                continue;
            const double x = demi_rows(&w->position[w->front])[row][c];
            if (n == 0 || x < low[c])
                low[c] = x;
            if (n == 0 || x > high[c])
                high[c] = x;
            sum += x;
            n++;
        }
        if (n == 0) {
            high[c] = cutoff;
            continue;
        }
        const double mean = sum / (double)n;
        for (uint64_t row = 0; row < w->rows; ++row)
            if (demi_bodies(w)[row].id != 0) {
                const double x = demi_rows(&w->position[w->front])[row][c] - mean;
                square += x * x;
            }
        const double far = 4.0 * sqrt(square / (double)n) + cutoff;
        low[c] = low[c] > mean - far ? low[c] : mean - far;
        high[c] = high[c] < mean + far ? high[c] : mean + far;
        /* at least a cell, and every coordinate strictly inside */
        if (!(high[c] - low[c] > cutoff))
            high[c] = low[c] + cutoff;
    }
}

static dem_status choose_grid(list_build *b, double motion)
{
    dem_world *w = b->w;
    double smallest = 0.0, largest = 0.0;
    for (uint64_t row = 0; row < w->rows; ++row) {
        if (demi_bodies(w)[row].id == 0)
            continue;
        const double r = demi_rows(&w->position[w->front])[row][3];
        if (b->rows++ == 0)
            smallest = largest = r;
        smallest = r < smallest ? r : smallest;
        largest = r > largest ? r : largest;
    }
    const double reach = widest_reach(w, largest);
    b->skin = w->config.skin > 0.0 ? w->config.skin : 0.2 * smallest;
    /* where one step moves far, the list must look further ahead */
    if (b->skin < 2.0 * motion)
        b->skin = 2.0 * motion;
    int periodic[3];
    for (int c = 0; c < 3; ++c) {
        periodic[c] = w->config.boundary[c] == DEM_BOUNDARY_PERIODIC;
        const double length = w->config.box_high[c] - w->config.box_low[c];
        const double spare = length - 2.0 * largest - reach;
        if (!periodic[c] || spare >= b->skin)
            continue;
        if (!(spare > motion))
            return demi_fail(b->context, DEM_ERROR_RANGE,
                             "world: periodic axis %d is %g m long, too short for the largest "
                             "diameter %g m with reach %g m and a motion of %g m in a step",
                             c, length, 2.0 * largest, reach, motion);
        b->skin = spare;
    }
    const double cutoff = b->rows > 0 ? 2.0 * largest + reach + b->skin : 1.0;
    double low[3], high[3];
    grid_box(b, cutoff, low, high);
    demi_grid_choose(&b->grid, low, high, periodic, cutoff, (int64_t)(2 * b->rows + 64));
    return DEM_OK;
}

/* Counting sort by cell; ties keep their order. scratch_order: new row -> old row. */
static dem_status sort_rows(list_build *b)
{
    dem_world *w = b->w;
    const uint64_t cells = (uint64_t)demi_grid_cells(&b->grid);
    dem_status status = room(b, &w->scratch_order, (w->rows + 1) * sizeof(uint32_t), 0);
    if (status == DEM_OK)
        status = room(b, &w->scratch_kind, (w->rows + 1) * sizeof(uint32_t), 0);
    if (status == DEM_OK)
        status = room(b, &w->scratch_cell, (cells + 2) * sizeof(uint32_t), 0);
    if (status != DEM_OK)
        return status;
    uint32_t *cell_of = w->scratch_kind.data, *begin = w->scratch_cell.data;
    uint32_t *order = w->scratch_order.data;
    memset(begin, 0, (size_t)(cells + 2) * sizeof(uint32_t));
    for (uint64_t row = 0; row < w->rows; ++row) {
        if (demi_bodies(w)[row].id == 0)
            continue;
        double x[3];
        int32_t image[3];
        wrapped(w, row, x, image);
        cell_of[row] = (uint32_t)demi_grid_cell(&b->grid, x);
        begin[cell_of[row] + 2]++;
    }
    for (uint64_t k = 2; k < cells + 2; ++k)
        begin[k] += begin[k - 1];
    for (uint64_t row = 0; row < w->rows; ++row)
        if (demi_bodies(w)[row].id != 0)
            order[begin[cell_of[row] + 1]++] = (uint32_t)row;
    b->cell_begin = begin;
    return DEM_OK;
}

/* Particles in their new order, in the next state and the next bodies. */
static dem_status permute(list_build *b)
{
    dem_world *w = b->w;
    dem_status status = room(b, &w->body_next, b->rows * sizeof(demi_body), 0);
    if (status != DEM_OK)
        return status;
    const int now = w->front, next = now ^ 1;
    const uint32_t *order = w->scratch_order.data;
    demi_buffer *const doubled[5] = {w->position, w->velocity, w->spin, w->force, w->torque};
    demi_body *bodies = w->body_next.data;
    for (uint64_t row = 0; row < b->rows; ++row) {
        const uint32_t from = order[row];
        for (int f = 0; f < 5; ++f)
            memcpy(demi_rows(&doubled[f][next])[row], demi_rows(&doubled[f][now])[from],
                   sizeof(demi_row));
        bodies[row] = demi_bodies(w)[from];
        double *x = demi_rows(&w->position[next])[row];
        wrapped(w, from, x, bodies[row].image);
        memcpy(bodies[row].built, x, sizeof bodies[row].built);
    }
    return DEM_OK;
}

/* ------------------------------------------------------------------ pairs */

static dem_status slot_for(list_build *b, const demi_chunk *chunk, uint64_t target, uint32_t *slot)
{
    if (target >= chunk->row_begin && target < chunk->row_end) {
        *slot = (uint32_t)target;
        return DEM_OK;
    }
    demi_list *next = b->next;
    /* marks of earlier chunks lie below halo_begin */
    if (b->mark[target] <= b->halo_begin) {
        const dem_status status = room(b, &next->target, (next->halos + 1) * sizeof(uint32_t), 1);
        if (status != DEM_OK)
            return status;
        ((uint32_t *)next->target.data)[next->halos++] = (uint32_t)target;
        b->mark[target] = (uint32_t)next->halos;
    }
    *slot = (uint32_t)(b->rows + b->mark[target] - 1);
    return DEM_OK;
}

static dem_status add_pair(list_build *b, uint64_t chunk_pairs, const demi_pair *pair,
                           uint32_t kind)
{
    dem_world *w = b->w;
    dem_status status = room(b, &w->scratch_pair, (chunk_pairs + 1) * sizeof(demi_pair), 1);
    if (status == DEM_OK)
        status = room(b, &w->scratch_kind, (chunk_pairs + 1) * sizeof(uint32_t), 1);
    if (status != DEM_OK)
        return status;
    ((demi_pair *)w->scratch_pair.data)[chunk_pairs] = *pair;
    ((uint32_t *)w->scratch_kind.data)[chunk_pairs] = kind;
    return DEM_OK;
}

/* Number of a model among the pairs of materials, times two, plus the shape. */
static uint32_t kind_of(const dem_world *w, int32_t a, int32_t c, int shape)
{
    const int32_t low = a < c ? a : c, high = a < c ? c : a;
    return 2 * (uint32_t)(low * w->models.material_count + high) + (uint32_t)shape;
}

static const demi_model *kind_model(const dem_world *w, uint32_t kind)
{
    const int32_t pair = (int32_t)(kind / 2), n = w->models.material_count;
    return demi_models_get(&w->models, pair / n, pair % n);
}

/* Lists rows a and c of the new order if they may touch; shift is in periods of c. */
static dem_status consider(list_build *b, const demi_chunk *chunk, uint64_t a, uint64_t c,
                           const int shift[3], uint64_t *count)
{
    dem_world *w = b->w;
    const demi_body *bodies = w->body_next.data;
    if (bodies[a].motion != DEM_MOTION_FREE && bodies[c].motion != DEM_MOTION_FREE)
        return DEM_OK;
    const demi_model *model = demi_models_get(&w->models, bodies[a].material, bodies[c].material);
    if (model == NULL || a == c)
        return DEM_OK;
    const demi_row *x = demi_rows(&w->position[w->front ^ 1]);
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double period = w->config.box_high[k] - w->config.box_low[k];
        const double d = x[a][k] - (shift[k] != 0 ? x[c][k] + shift[k] * period : x[c][k]);
        square += d * d;
    }
    const double far = x[a][3] + x[c][3] + demi_model_reach(model, x[a][3], x[c][3]) + b->skin;
    if (square >= far * far)
        return DEM_OK;
    demi_pair pair;
    memset(&pair, 0, sizeof pair);
    const int first = bodies[a].id < bodies[c].id;
    pair.i = (uint32_t)(first ? a : c);
    pair.j = (uint32_t)(first ? c : a);
    for (int k = 0; k < 3; ++k)
        pair.shift[k] = (int8_t)(first ? shift[k] : -shift[k]);
    dem_status status = slot_for(b, chunk, pair.i, &pair.slot_i);
    if (status == DEM_OK)
        status = slot_for(b, chunk, pair.j, &pair.slot_j);
    if (status == DEM_OK)
        status = add_pair(b, *count, &pair,
                          kind_of(w, bodies[a].material, bodies[c].material, DEMI_SHAPE_SPHERE));
    *count += status == DEM_OK;
    return status;
}

static dem_status consider_wall(list_build *b, const demi_chunk *chunk, uint64_t row,
                                uint64_t index, uint64_t *count)
{
    dem_world *w = b->w;
    const demi_body *body = (const demi_body *)w->body_next.data + row;
    const demi_wall *wall = (const demi_wall *)w->wall.data + index;
    const demi_model *model = demi_models_get(&w->models, body->material, wall->material);
    if (body->motion != DEM_MOTION_FREE || model == NULL || wall->id == 0)
        return DEM_OK;
    const double *x = demi_rows(&w->position[w->front ^ 1])[row];
    double distance = 0.0;
    for (int k = 0; k < 3; ++k)
        distance += (x[k] - wall->point[w->front][k]) * wall->normal[k];
    if (distance >= x[3] + demi_model_reach(model, x[3], x[3]) + b->skin)
        return DEM_OK;
    demi_pair pair;
    memset(&pair, 0, sizeof pair);
    pair.i = (uint32_t)row;
    pair.j = (uint32_t)index;
    pair.slot_i = (uint32_t)row;
    dem_status status = slot_for(b, chunk, b->rows + index, &pair.slot_j);
    if (status == DEM_OK)
        status = add_pair(b, *count, &pair,
                          kind_of(w, body->material, wall->material, DEMI_SHAPE_PLANE));
    *count += status == DEM_OK;
    return status;
}

/* Pairs of one chunk, in scratch. Walls come last, so that they end its halo. */
static dem_status chunk_pairs(list_build *b, const demi_chunk *chunk, uint64_t *count)
{
    dem_world *w = b->w;
    static const int none[3] = {0, 0, 0};
    dem_status status = DEM_OK;
    int64_t last = -1;
    int neighbours = 0;
    demi_grid_neighbour near[13];
    *count = 0;
    for (uint64_t a = chunk->row_begin; status == DEM_OK && a < chunk->row_end; ++a) {
        const int64_t cell = demi_grid_cell(&b->grid, demi_rows(&w->position[w->front ^ 1])[a]);
        if (cell != last)
            neighbours = demi_grid_neighbours(&b->grid, cell, near);
        last = cell;
        for (uint64_t c = a + 1; status == DEM_OK && c < b->cell_begin[cell + 1]; ++c)
            status = consider(b, chunk, a, c, none, count);
        for (int k = 0; k < neighbours; ++k)
            for (uint64_t c = b->cell_begin[near[k].cell];
                 status == DEM_OK && c < b->cell_begin[near[k].cell + 1]; ++c)
                status = consider(b, chunk, a, c, near[k].shift, count);
    }
    for (uint64_t a = chunk->row_begin; a < chunk->row_end; ++a)
        for (uint64_t k = 0; status == DEM_OK && k < w->walls; ++k)
            status = consider_wall(b, chunk, a, k, count);
    return status;
}

/* Moves a chunk's pairs from scratch into the list, as runs of one kind in rising order. */
static dem_status chunk_runs(list_build *b, demi_chunk *chunk, uint64_t count, double largest)
{
    dem_world *w = b->w;
    demi_list *next = b->next;
    dem_status status = room(b, &next->pair, (next->pairs + count) * sizeof(demi_pair), 1);
    const demi_pair *pairs = w->scratch_pair.data;
    const uint32_t *kinds = w->scratch_kind.data;
    chunk->run_begin = next->runs;
    uint64_t done = 0;
    int64_t previous = -1;
    while (status == DEM_OK && done < count) {
        uint32_t kind = UINT32_MAX;
        for (uint64_t k = 0; k < count; ++k)
            if ((int64_t)kinds[k] > previous && kinds[k] < kind)
                kind = kinds[k];
        previous = kind;
        status = room(b, &next->run, (next->runs + 1) * sizeof(demi_run), 1);
        if (status != DEM_OK)
            break;
        demi_run *run = (demi_run *)next->run.data + next->runs++;
        memset(run, 0, sizeof *run);
        run->model = kind_model(w, kind);
        run->shape = (int32_t)(kind % 2);
        run->reach = demi_model_reach(run->model, largest, largest);
        run->begin = next->pairs;
        run->state_begin = next->states;
        for (uint64_t k = 0; k < count; ++k)
            if (kinds[k] == kind)
                ((demi_pair *)next->pair.data)[next->pairs++] = pairs[k];
        run->end = next->pairs;
        next->states += (run->end - run->begin) * run->model->state_size;
        done += run->end - run->begin;
    }
    chunk->run_end = next->runs;
    return status;
}

static dem_status make_chunks(list_build *b)
{
    dem_world *w = b->w;
    demi_list *next = b->next;
    next->pairs = next->runs = next->halos = next->states = 0;
    next->chunks = (b->rows + DEMI_CHUNK_ROWS - 1) / DEMI_CHUNK_ROWS;
    const uint64_t targets = b->rows + w->walls;
    dem_status status = room(b, &next->chunk, next->chunks * sizeof(demi_chunk), 0);
    if (status == DEM_OK)
        status = room(b, &w->report, next->chunks * sizeof(demi_report), 0);
    if (status == DEM_OK)
        status = room(b, &w->scratch_mark, targets * sizeof(uint32_t), 0);
    if (status != DEM_OK)
        return status;
    b->mark = w->scratch_mark.data;
    if (targets > 0)
        memset(b->mark, 0, (size_t)targets * sizeof(uint32_t));
    double largest = 0.0;
    for (uint64_t row = 0; row < b->rows; ++row) {
        const double r = demi_rows(&w->position[w->front ^ 1])[row][3];
        largest = r > largest ? r : largest;
    }
    for (uint64_t k = 0; k < next->chunks; ++k) {
        demi_chunk *chunk = (demi_chunk *)next->chunk.data + k;
        chunk->row_begin = k * DEMI_CHUNK_ROWS;
        chunk->row_end = k + 1 < next->chunks ? (k + 1) * DEMI_CHUNK_ROWS : b->rows;
        chunk->halo_begin = b->halo_begin = next->halos;
        uint64_t count;
        status = chunk_pairs(b, chunk, &count);
        if (status == DEM_OK)
            status = chunk_runs(b, chunk, count, largest);
        if (status != DEM_OK)
            return status;
        chunk->halo_end = next->halos;
    }
    if (b->rows + next->halos > UINT32_MAX || next->pairs > UINT32_MAX)
        return demi_fail(b->context, DEM_ERROR_RANGE, "world: more than 2^32 pairs");
    status = room(b, &next->halo, next->halos * sizeof(demi_halo), 0);
    for (int side = 0; status == DEM_OK && side < 2; ++side) {
        status = room(b, &next->live[side], next->pairs, 0);
        if (status == DEM_OK)
            status = room(b, &next->state[side], next->states * sizeof(double), 0);
    }
    return status;
}

/* For each row the halo rows that other chunks keep for it, in the order of the chunks. */
static dem_status make_incoming(list_build *b)
{
    demi_list *next = b->next;
    dem_status status = room(b, &next->incoming_begin, (b->rows + 2) * sizeof(uint32_t), 0);
    if (status == DEM_OK)
        status = room(b, &next->incoming, next->halos * sizeof(uint32_t), 0);
    if (status != DEM_OK)
        return status;
    uint32_t *begin = next->incoming_begin.data, *incoming = next->incoming.data;
    const uint32_t *target = next->target.data;
    memset(begin, 0, (size_t)(b->rows + 2) * sizeof(uint32_t));
    for (uint64_t h = 0; h < next->halos; ++h)
        if (target[h] < b->rows)
            begin[target[h] + 2]++;
    for (uint64_t k = 2; k < b->rows + 2; ++k)
        begin[k] += begin[k - 1];
    for (uint64_t h = 0; h < next->halos; ++h)
        if (target[h] < b->rows)
            incoming[begin[target[h] + 1]++] = (uint32_t)h;
    return DEM_OK;
}

/* ------------------------------------------------------------------ contacts that live on */

/* Key of a pair; 0 if one of its bodies was removed. */
static int pair_key(const dem_world *w, const demi_body *bodies, const demi_pair *pair, int shape,
                    dem_contact_key *key)
{
    memset(key, 0, sizeof *key);
    const demi_body *i = &bodies[pair->i];
    if (shape == DEMI_SHAPE_PLANE) {
        const uint64_t wall = ((const demi_wall *)w->wall.data)[pair->j].id;
        key->id_i = i->id < wall ? i->id : wall;
        key->id_j = i->id < wall ? wall : i->id;
        return i->id != 0 && wall != 0;
    }
    const demi_body *j = &bodies[pair->j];
    key->id_i = i->id;
    key->id_j = j->id;
    for (int c = 0; c < 3; ++c)
        key->image[c] = pair->shift[c] + i->image[c] - j->image[c];
    return i->id != 0 && j->id != 0;
}

static uint64_t live_hash(const dem_contact_key *key)
{
    uint64_t h = key->id_i * 0x9E3779B97F4A7C15u ^ key->id_j * 0xC2B2AE3D27D4EB4Fu;
    for (int c = 0; c < 3; ++c)
        h = (h ^ (uint32_t)key->image[c]) * 0xD6E8FEB86659FD93u;
    return h ^ (h >> 29);
}

static dem_status collect_live(list_build *b, uint64_t *count, uint64_t *mask)
{
    dem_world *w = b->w;
    const unsigned char *live = w->list.live[w->front].data;
    *count = 0;
    for (uint64_t p = 0; p < w->list.pairs; ++p)
        *count += live[p];
    uint64_t size = 16;
    while (size < 2 * *count)
        size *= 2;
    *mask = size - 1;
    dem_status status = room(b, &w->scratch_live, *count * sizeof(list_live), 0);
    if (status == DEM_OK)
        status = room(b, &w->scratch_table, size * sizeof(uint32_t), 0);
    if (status != DEM_OK)
        return status;
    list_live *entry = w->scratch_live.data;
    uint32_t *table = w->scratch_table.data;
    memset(table, 0, (size_t)size * sizeof(uint32_t));
    uint32_t n = 0;
    const demi_run *runs = w->list.run.data;
    for (uint64_t r = 0; r < w->list.runs; ++r)
        for (uint64_t p = runs[r].begin; p < runs[r].end; ++p) {
            if (!live[p] || !pair_key(w, demi_bodies(w), (const demi_pair *)w->list.pair.data + p,
                                      runs[r].shape, &entry[n].key))
                continue;
            entry[n].model = runs[r].model;
            entry[n].state_begin =
                runs[r].state_begin + (p - runs[r].begin) * runs[r].model->state_size;
            uint64_t k = live_hash(&entry[n].key) & *mask;
            while (table[k] != 0)
                k = (k + 1) & *mask;
            table[k] = ++n;
        }
    return DEM_OK;
}

static const list_live *find_live(const dem_world *w, const dem_contact_key *key, uint64_t mask)
{
    const list_live *entry = w->scratch_live.data;
    const uint32_t *table = w->scratch_table.data;
    for (uint64_t k = live_hash(key) & mask; table[k] != 0; k = (k + 1) & mask) {
        const list_live *e = &entry[table[k] - 1];
        if (memcmp(&e->key, key, sizeof *key) == 0)
            return e;
    }
    return NULL;
}

static dem_status transfer(list_build *b)
{
    dem_world *w = b->w;
    demi_list *next = b->next;
    const int side = w->front ^ 1; /* the new list is read from there once it is taken over */
    uint64_t count, mask;
    const dem_status status = collect_live(b, &count, &mask);
    if (status != DEM_OK)
        return status;
    unsigned char *live = next->live[side].data;
    if (next->pairs > 0)
        memset(live, 0, (size_t)next->pairs);
    const demi_run *runs = next->run.data;
    for (uint64_t r = 0; count > 0 && r < next->runs; ++r)
        for (uint64_t p = runs[r].begin; p < runs[r].end; ++p) {
            dem_contact_key key;
            pair_key(w, w->body_next.data, (const demi_pair *)next->pair.data + p, runs[r].shape,
                     &key);
            const list_live *old = find_live(w, &key, mask);
            if (old == NULL || old->model != runs[r].model)
                continue;
            live[p] = 1;
            const uint32_t size = runs[r].model->state_size;
            if (size > 0)
                memcpy((double *)next->state[side].data + runs[r].state_begin +
                           (p - runs[r].begin) * size,
                       (const double *)w->list.state[w->front].data + old->state_begin,
                       size * sizeof(double));
        }
    return DEM_OK;
}

/* ------------------------------------------------------------------ taking over */

static void permute_external(list_build *b, demi_buffer *rows)
{
    dem_world *w = b->w;
    if (rows->data == NULL)
        return;
    const uint32_t *order = w->scratch_order.data;
    demi_row *to = demi_rows(&w->external_next);
    for (uint64_t row = 0; row < b->rows; ++row)
        memcpy(to[row], demi_rows(rows)[order[row]], sizeof(demi_row));
    const demi_buffer exchanged = *rows;
    *rows = w->external_next;
    w->external_next = exchanged;
}

/* Walls have their state of now on both sides, and places of removed ones become free. */
static void settle_walls(dem_world *w)
{
    demi_wall *walls = w->wall.data;
    const int now = w->front, next = now ^ 1;
    for (uint64_t k = 0; k < w->walls; ++k) {
        memcpy(walls[k].built, walls[k].point[now], sizeof walls[k].built);
        memcpy(walls[k].point[next], walls[k].point[now], sizeof walls[k].point[now]);
        memcpy(walls[k].force[next], walls[k].force[now], sizeof walls[k].force[now]);
        walls[k].vacant = walls[k].id == 0;
    }
}

static void take_over(list_build *b)
{
    dem_world *w = b->w;
    permute_external(b, &w->external_force);
    permute_external(b, &w->external_torque);
    settle_walls(w);
    const demi_buffer bodies = w->body;
    w->body = w->body_next;
    w->body_next = bodies;
    const demi_list list = w->list;
    w->list = w->list_next;
    w->list_next = list;
    w->front ^= 1;
    w->rows = b->rows;
    w->skin = b->skin;
    demi_handle *handles = w->handle.data;
    for (uint64_t row = 0; row < w->rows; ++row) {
        handles[demi_bodies(w)[row].handle].row = (uint32_t)row;
        ((uint64_t *)w->row_id.data)[row] = demi_bodies(w)[row].id;
    }
    demi_model **retired = w->retired.data;
    for (uint64_t k = 0; k < w->retired_count; ++k)
        demi_model_free(&w->context, retired[k]);
    w->retired_count = 0;
    w->list_stale = 0;
    w->generation++;
    w->rebuilds++;
    demi_log(&w->context, DEM_LOG_INFO, "list rebuilt: %llu particles, %llu pairs, skin %g m",
             (unsigned long long)w->rows, (unsigned long long)w->list.pairs, w->skin);
}

dem_status demi_world_rebuild(dem_world *w, double motion)
{
    list_build b;
    memset(&b, 0, sizeof b);
    b.w = w;
    b.context = &w->context;
    b.next = &w->list_next;
    dem_status status = choose_grid(&b, motion);
    if (status == DEM_OK)
        status = sort_rows(&b);
    if (status == DEM_OK)
        status = permute(&b);
    if (status == DEM_OK)
        status = make_chunks(&b);
    if (status == DEM_OK)
        status = make_incoming(&b);
    if (status == DEM_OK)
        status = transfer(&b);
    if (status == DEM_OK && (w->external_force.data != NULL || w->external_torque.data != NULL)) {
        const uint64_t size = w->external_force.size > w->external_torque.size
                                  ? w->external_force.size
                                  : w->external_torque.size;
        status = room(&b, &w->external_next, size, 0);
    }
    if (status == DEM_OK)
        take_over(&b);
    return status;
}
