/* SPDX-License-Identifier: MIT */
/* Ghosts and pairs of level 1. */
#include "grains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void grains_free(grains *s)
{
    mail_free(&s->copies);
    mail_free(&s->out);
    mail_free(&s->in);
    free(s->row);
    free(s->listed);
    free(s->pairs.data);
    free(s->shifts.data);
    free(s->images.data);
}

void grains_add(grains *s, const grain *g)
{
    if (s->count == s->room) {
        s->room = 2 * s->room + 64;
        s->row = host_memory(s->row, s->room, sizeof *s->row);
    }
    s->row[s->count++] = *g;
}

void grains_wrap(grains *s)
{
    for (uint64_t n = 0; n < s->own; ++n)
        for (int c = 0; c < 2; ++c) {
            grain *g = &s->row[n];
            const double box = s->host->box[c];
            int turns = (g->x[c] >= box) - (g->x[c] < 0.0);
            g->x[c] -= turns * box;
            if (g->x[c] == box) { /* rounded up from just below 0: the end is no block's */
                g->x[c] = 0.0;
                turns = 0;
            }
            g->turns[c] += turns;
        }
}

int grains_moved(const grains *s, double skin)
{
    int mine = 0;
    for (uint64_t n = 0; n < s->own && !mine; ++n) {
        double square = 0.0;
        for (int c = 0; c < 3; ++c) {
            const double d = s->row[n].x[c] - s->listed[n][c];
            square += d * d;
        }
        mine = square > 0.25 * skin * skin;
    }
    return host_any(mine);
}

/* ------------------------------------------------------------------ ghosts */

/* An own grain that is a ghost on another rank, or here. */
typedef struct copy {
    uint64_t row;
    int32_t shift[2];
} copy;

static void copies_fill(grains *s)
{
    const copy *copies = s->copies.data;
    grain *out = s->out.data;
    for (uint64_t n = 0; n < s->copies.count / sizeof *copies; ++n) {
        out[n] = s->row[copies[n].row];
        memcpy(out[n].shift, copies[n].shift, sizeof out[n].shift);
    }
}

static void ghosts_take(grains *s)
{
    const grain *in = s->in.data;
    s->count = s->own;
    for (uint64_t n = 0; n < s->in.count / sizeof *in; ++n)
        grains_add(s, &in[n]);
}

void grains_ghosts(grains *s)
{
    bytes *lists = host_lists(s->host);
    for (uint64_t row = 0; row < s->own; ++row) {
        seer seers[HOST_SEERS];
        const int count = host_seers(s->host, s->row[row].x, seers);
        for (int k = 1; k < count; ++k) {
            const copy c = {row, {seers[k].shift[0], seers[k].shift[1]}};
            (void)bytes_add(&lists[seers[k].rank], &c, sizeof c);
        }
    }
    mail_free(&s->copies);
    mail_free(&s->out);
    mail_free(&s->in);
    s->copies = host_lists_join(s->host, lists);
    s->out = mail_like(s->host, &s->copies, sizeof(copy), sizeof(grain));
    copies_fill(s);
    s->in = mail_send(s->host, &s->out);
    ghosts_take(s);
}

void grains_ghosts_refresh(grains *s)
{
    copies_fill(s);
    mail_exchange(&s->out, &s->in);
    ghosts_take(s);
}

/* ------------------------------------------------------------------ pairs */

static void pair_add(grains *s, uint64_t i, uint64_t j)
{
    const grain *a = &s->row[i], *b = &s->row[j];
    const uint32_t pair[2] = {(uint32_t)i, (uint32_t)j};
    double shift[3] = {0.0};
    int32_t image[3] = {0};
    for (int c = 0; c < 2; ++c) {
        shift[c] = b->shift[c] * s->host->box[c];
        image[c] = b->shift[c] + a->turns[c] - b->turns[c];
    }
    (void)bytes_add(&s->pairs, pair, sizeof pair);
    (void)bytes_add(&s->shifts, shift, sizeof shift);
    (void)bytes_add(&s->images, image, sizeof image);
}

/* Cells as wide as the reach, each a chain of rows; a row looks at the cells around its own. */
void grains_list(grains *s)
{
    const host *h = s->host;
    int64_t side[3], cells = 1;
    for (int c = 0; c < 3; ++c)
        cells *= side[c] = (int64_t)(h->box[c] / h->blocks[c] / h->reach) + 5;
    int64_t *first = host_memory(NULL, (uint64_t)cells, sizeof *first),
            *next = host_memory(NULL, s->count, sizeof *next),
            *cell = host_memory(NULL, s->count, sizeof *cell);
    double(*x)[3] = host_memory(NULL, s->count, sizeof *x);
    memset(first, 0xFF, (size_t)cells * sizeof *first);
    s->listed = host_memory(s->listed, s->own, sizeof *s->listed);
    s->pairs.count = s->shifts.count = s->images.count = 0;
    for (uint64_t n = s->count; n-- > 0;) {
        cell[n] = 0;
        for (int c = 2; c >= 0; --c) {
            x[n][c] = s->row[n].x[c] + (c < 2 ? s->row[n].shift[c] * h->box[c] : 0.0);
            const double low = h->box[c] / h->blocks[c] * h->at[c] - 2.0 * h->reach;
            const int64_t k = (int64_t)floor((x[n][c] - low) / h->reach);
            cell[n] = cell[n] * side[c] + (k < 1 ? 1 : k < side[c] - 1 ? k : side[c] - 2);
        }
        next[n] = first[cell[n]];
        first[cell[n]] = (int64_t)n;
        if (n < s->own)
            memcpy(s->listed[n], s->row[n].x, sizeof s->listed[n]);
    }
    for (uint64_t i = 0; i < s->own; ++i)
        for (int k = 0; k < 27; ++k) {
            const int64_t there =
                cell[i] + ((k / 9 - 1) * side[1] + k / 3 % 3 - 1) * side[0] + k % 3 - 1;
            for (int64_t j = first[there]; j >= 0; j = next[j]) {
                const double d[3] = {x[i][0] - x[j][0], x[i][1] - x[j][1], x[i][2] - x[j][2]};
                if ((uint64_t)j > i &&
                    d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < h->reach * h->reach)
                    pair_add(s, i, (uint64_t)j);
            }
        }
    free(first);
    free(next);
    free(cell);
    free(x);
}
