/* SPDX-License-Identifier: MIT */
/* Blocks, messages and pairs. Ghosts go along one axis after the other, so that those behind edges
 * and corners come by way of the blocks between. */
#define _POSIX_C_SOURCE 200112L /* clock_gettime */
#include "host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void host_fail(const char *what, const char *why)
{
    fprintf(stderr, "mpi: %s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

void *host_memory(void *old, uint64_t count, size_t size)
{
    void *more = realloc(old, (size_t)count * size + 1);
    if (more == NULL)
        host_fail("memory", "there is none left");
    return more;
}

unsigned char *bytes_add(bytes *b, const void *data, uint64_t count)
{
    if (b->data == NULL || b->count + count > b->room) {
        b->room = 2 * (b->count + count);
        b->data = host_memory(b->data, b->room, 1);
    }
    unsigned char *at = b->data + b->count;
    if (data != NULL && count > 0)
        memcpy(at, data, (size_t)count);
    b->count += count;
    return at;
}

void host_book(host *h, int time)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    const double clock = MPI_Wtime(), work = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    h->spent[time] += time == TIME_WAIT ? clock - h->clock : work - h->work;
    h->clock = clock;
    h->work = work;
}

/* ------------------------------------------------------------------ messages */

void deal_add(deal *d, uint64_t id, int rank)
{
    if (d->count == d->room) {
        d->room = 2 * d->room + 64;
        d->id = host_memory(d->id, d->room, sizeof *d->id);
        d->rank = host_memory(d->rank, d->room, sizeof *d->rank);
    }
    d->id[d->count] = id;
    d->rank[d->count++] = rank;
}

void deal_free(deal *d)
{
    free(d->id);
    free(d->rank);
}

mail mail_new(const host *h)
{
    const mail m = {.size = host_memory(NULL, (uint64_t)h->ranks, sizeof(int)),
                    .begin = host_memory(NULL, (uint64_t)h->ranks, sizeof(int))};
    return m;
}

void mail_free(mail *m)
{
    free(m->all.data);
    free(m->size);
    free(m->begin);
}

void mail_cut(mail *m, int rank)
{
    m->begin[rank] = rank > 0 ? m->begin[rank - 1] + m->size[rank - 1] : 0;
    m->size[rank] = (int)m->all.count - m->begin[rank];
}

void mail_exchange(host *h, const mail *out, mail *in, int time)
{
    host_book(h, time);
    MPI_Alltoallv(out->all.data, out->size, out->begin, MPI_BYTE, in->all.data, in->size, in->begin,
                  MPI_BYTE, MPI_COMM_WORLD);
    host_book(h, TIME_WAIT);
}

mail mail_send(host *h, const mail *out)
{
    mail in = mail_new(h);
    host_book(h, TIME_REBUILD);
    MPI_Alltoall(out->size, 1, MPI_INT, in.size, 1, MPI_INT, MPI_COMM_WORLD);
    host_book(h, TIME_WAIT);
    for (int rank = 0; rank < h->ranks; ++rank) {
        in.begin[rank] = (int)in.all.count;
        (void)bytes_add(&in.all, NULL, (uint64_t)in.size[rank]);
    }
    mail_exchange(h, out, &in, TIME_REBUILD);
    return in;
}

int host_any(host *h, int bits, int time)
{
    int any = 0;
    host_book(h, time);
    MPI_Allreduce(&bits, &any, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    host_book(h, TIME_WAIT);
    return any;
}

/* ------------------------------------------------------------------ blocks */

void host_start(host *h, const double box[3], double reach)
{
    memset(h, 0, sizeof *h);
    MPI_Comm_rank(MPI_COMM_WORLD, &h->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &h->ranks);
    MPI_Dims_create(h->ranks, 3, h->blocks);
    h->at[0] = h->rank % h->blocks[0];
    h->at[1] = h->rank / h->blocks[0] % h->blocks[1];
    h->at[2] = h->rank / (h->blocks[0] * h->blocks[1]);
    h->reach = reach;
    for (int c = 0; c < 3; ++c) {
        char text[128];
        h->box[c] = box[c];
        snprintf(text, sizeof text, "%g m thick, but pairs reach %g m: take fewer ranks",
                 box[c] / h->blocks[c], reach);
        if (box[c] / h->blocks[c] < reach)
            host_fail("a block is too thin", text);
        const double width = box[c] / h->blocks[c];
        h->inner[0][c] = width * h->at[c] + reach;
        h->inner[1][c] = width * (h->at[c] + 1) - reach;
        /* the last blocks along z own what is beyond */
        if (c == 2 && h->at[c] == 0)
            h->inner[0][c] = (double)-INFINITY;
        if (c == 2 && h->at[c] == h->blocks[c] - 1)
            h->inner[1][c] = (double)INFINITY;
    }
}

void host_end(host *h)
{
    for (int k = 0; k < 6; ++k)
        free(h->way[k].rows);
    free(h->grain);
    free(h->listed);
    free(h->pair);
    free(h->shifts);
    free(h->images);
}

grain *host_add(host *h, const grain *g)
{
    if (h->count == h->room) {
        h->room = 2 * h->room + 64;
        h->grain = host_memory(h->grain, h->room, sizeof *h->grain);
    }
    h->grain[h->count] = *g;
    return &h->grain[h->count++];
}

static int block_of(const host *h, int axis, double x)
{
    if (axis < 2)
        x -= h->box[axis] * floor(x / h->box[axis]);
    const int k = (int)(x / h->box[axis] * h->blocks[axis]);
    return k < 0 ? 0 : k < h->blocks[axis] ? k : h->blocks[axis] - 1;
}

static int rank_at(const host *h, const int at[3])
{
    return (at[2] * h->blocks[1] + at[1]) * h->blocks[0] + at[0];
}

int host_rank_at(const host *h, const double x[3])
{
    const int at[3] = {block_of(h, 0, x[0]), block_of(h, 1, x[1]), block_of(h, 2, x[2])};
    return rank_at(h, at);
}

int host_inside(const host *h, const double x[3])
{
    int inside = 1;
    for (int c = 0; c < 3; ++c)
        inside &= x[c] > h->inner[0][c] && x[c] < h->inner[1][c];
    return inside;
}

int host_seers(const host *h, const double x[3], int ranks[HOST_SEERS])
{
    int at[3][3], blocks[3]; /* along each axis, first the one of the owner */
    for (int c = 0; c < 3; ++c) {
        blocks[c] = 0;
        for (int k = 0; k < 3; ++k) {
            const int block = block_of(h, c, x[c] + (k == 0 ? 0 : 2 * k - 3) * h->reach);
            int known = 0;
            for (int n = 0; n < blocks[c]; ++n)
                known |= at[c][n] == block;
            if (!known)
                at[c][blocks[c]++] = block;
        }
    }
    int count = 0;
    for (int n = 1; n < blocks[0] * blocks[1] * blocks[2]; ++n) {
        const int which[3] = {at[0][n % blocks[0]], at[1][n / blocks[0] % blocks[1]],
                              at[2][n / (blocks[0] * blocks[1])]};
        ranks[count++] = rank_at(h, which);
    }
    return count;
}

int host_expired(host *h, double skin)
{
    int mine = h->listed == NULL;
    for (uint64_t n = 0; n < h->own && !mine; ++n) {
        double square = 0.0;
        for (int c = 0; c < 3; ++c) {
            const double d = h->grain[n].x[c] - h->listed[n][c];
            square += d * d;
        }
        mine = square > 0.25 * skin * skin;
    }
    return host_any(h, mine, TIME_EXCHANGE);
}

/* ------------------------------------------------------------------ migration */

static void wrap(const host *h, grain *g)
{
    for (int c = 0; c < 2; ++c) {
        int turns = (g->x[c] >= h->box[c]) - (g->x[c] < 0.0);
        g->x[c] -= turns * h->box[c];
        if (g->x[c] == h->box[c]) { /* rounded up from just below 0: the end belongs to no block */
            g->x[c] = 0.0;
            turns = 0;
        }
        g->turns[c] += turns;
    }
}

/* The message for a rank: how many grains, the grains, and the cargo. */
static void message(host *h, const host_cargo *cargo, const int *to, int rank, bytes *out)
{
    uint64_t *ids = host_memory(NULL, h->own, sizeof *ids);
    uint64_t count = 0;
    const uint64_t begin = out->count;
    (void)bytes_add(out, &count, sizeof count);
    for (uint64_t n = 0; n < h->own; ++n)
        if (to[n] == rank) {
            (void)bytes_add(out, &h->grain[n], sizeof *h->grain);
            ids[count++] = h->grain[n].id;
        }
    memcpy(out->data + begin, &count, sizeof count);
    if (count > 0)
        cargo->pack(cargo->user, ids, count, out);
    free(ids);
}

static void arrive(host *h, const host_cargo *cargo, const unsigned char *data, uint64_t size)
{
    uint64_t count;
    grain g;
    memcpy(&count, data, sizeof count);
    for (uint64_t k = 0; k < count; ++k) {
        memcpy(&g, data + sizeof count + k * sizeof g, sizeof g);
        (void)host_add(h, &g);
    }
    h->own = h->count;
    const uint64_t read = sizeof count + count * sizeof g;
    if (count > 0)
        cargo->unpack(cargo->user, data + read, size - read);
}

void host_migrate(host *h, const host_cargo *cargo)
{
    int *to = host_memory(NULL, h->own, sizeof *to);
    mail out = mail_new(h);
    h->count = h->own; /* ghosts go */
    for (uint64_t n = 0; n < h->own; ++n) {
        wrap(h, &h->grain[n]);
        to[n] = host_rank_at(h, h->grain[n].x);
        h->sent += to[n] != h->rank;
    }
    for (int rank = 0; rank < h->ranks; ++rank) {
        if (rank != h->rank)
            message(h, cargo, to, rank, &out.all);
        mail_cut(&out, rank);
    }
    mail in = mail_send(h, &out);
    uint64_t kept = 0;
    for (uint64_t n = 0; n < h->own; ++n)
        if (to[n] == h->rank)
            h->grain[kept++] = h->grain[n];
    h->own = h->count = kept;
    for (int rank = 0; rank < h->ranks; ++rank)
        if (in.size[rank] > 0)
            arrive(h, cargo, in.all.data + in.begin[rank], (uint64_t)in.size[rank]);
    mail_free(&out);
    mail_free(&in);
    free(to);
}

/* ------------------------------------------------------------------ ghosts */

/* The rank on one side of this one; MPI_PROC_NULL beyond the open ends. */
static int neighbour(const host *h, int way)
{
    const int axis = way / 2, n = h->blocks[axis];
    int at[3] = {h->at[0], h->at[1], h->at[2]};
    at[axis] += way % 2 ? 1 : -1;
    if (axis == 2 && (at[axis] < 0 || at[axis] >= n))
        return MPI_PROC_NULL;
    at[axis] = (at[axis] + n) % n;
    return (at[2] * h->blocks[1] + at[1]) * h->blocks[0] + at[0];
}

/* Sends grains one way and takes those that come from the other side. */
static void swap_grains(host *h, int way, const grain *out, uint64_t count, grain *in,
                        uint64_t received)
{
    host_book(h, TIME_EXCHANGE);
    MPI_Sendrecv(out, (int)(count * sizeof *out), MPI_BYTE, neighbour(h, way), way, in,
                 (int)(received * sizeof *in), MPI_BYTE, neighbour(h, way ^ 1), way, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    host_book(h, TIME_WAIT);
}

/* A grain as its ghost is: one that leaves over a periodic border is seen a period farther. */
static grain as_ghost(const host *h, int way, uint32_t row)
{
    grain g = h->grain[row];
    const int axis = way / 2;
    if (axis < 2 && way % 2 == 0 && h->at[axis] == 0)
        ++g.shift[axis];
    if (axis < 2 && way % 2 == 1 && h->at[axis] == h->blocks[axis] - 1)
        --g.shift[axis];
    return g;
}

static void ghosts_send(host *h, int way, uint64_t to)
{
    grain *out = host_memory(NULL, h->way[way].count, sizeof *out);
    for (uint64_t k = 0; k < h->way[way].count; ++k)
        out[k] = as_ghost(h, way, h->way[way].rows[k]);
    swap_grains(h, way, out, h->way[way].count, h->grain + to, h->way[way].received);
    free(out);
}

void host_ghosts(host *h)
{
    const grain none = {0};
    h->count = h->own;
    for (int axis = 0; axis < 3; ++axis) {
        const double width = h->box[axis] / h->blocks[axis];
        const double low = width * h->at[axis], high = width * (h->at[axis] + 1);
        const uint64_t there = h->count; /* what came along this axis does not go on along it */
        for (int way = 2 * axis; way < 2 * axis + 2; ++way) {
            uint64_t n = 0, received = 0;
            h->way[way].rows = host_memory(h->way[way].rows, there, sizeof *h->way[way].rows);
            for (uint64_t row = 0; row < there; ++row) {
                const grain *g = &h->grain[row];
                const double x = g->x[axis] + (axis < 2 ? g->shift[axis] * h->box[axis] : 0.0);
                if (way % 2 ? x >= high - h->reach : x < low + h->reach)
                    h->way[way].rows[n++] = (uint32_t)row;
            }
            h->way[way].count = n;
            host_book(h, TIME_REBUILD);
            MPI_Sendrecv(&n, 1, MPI_UINT64_T, neighbour(h, way), way, &received, 1, MPI_UINT64_T,
                         neighbour(h, way ^ 1), way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            host_book(h, TIME_WAIT);
            h->way[way].received = received;
            const uint64_t to = h->count;
            for (uint64_t k = 0; k < received; ++k)
                (void)host_add(h, &none);
            ghosts_send(h, way, to);
        }
    }
}

void host_ghosts_refresh(host *h)
{
    uint64_t to = h->own;
    for (int way = 0; way < 6; ++way) {
        ghosts_send(h, way, to);
        to += h->way[way].received;
    }
}

/* ------------------------------------------------------------------ pairs */

static void pair_add(host *h, uint32_t i, uint32_t j)
{
    if (h->pairs == h->pair_room) {
        h->pair_room = 2 * h->pair_room + 256;
        h->pair = host_memory(h->pair, h->pair_room, sizeof *h->pair);
        h->shifts = host_memory(h->shifts, h->pair_room, sizeof *h->shifts);
        h->images = host_memory(h->images, h->pair_room, sizeof *h->images);
    }
    const grain *a = &h->grain[i], *b = &h->grain[j];
    const uint64_t p = h->pairs++;
    h->pair[p][0] = i;
    h->pair[p][1] = j;
    for (int c = 0; c < 3; ++c) {
        const int shift = c < 2 ? b->shift[c] : 0;
        h->shifts[p][c] = c < 2 ? shift * h->box[c] : 0.0;
        h->images[p][c] = c < 2 ? shift + a->turns[c] - b->turns[c] : 0;
    }
}

static void place(const host *h, uint64_t row, double x[3])
{
    for (int c = 0; c < 3; ++c)
        x[c] = h->grain[row].x[c] + (c < 2 ? h->grain[row].shift[c] * h->box[c] : 0.0);
}

/* Cells as wide as `reach`, each a chain of rows; a row looks at the cells around its own. */
void host_list(host *h)
{
    int64_t side[3];
    double low[3];
    for (int c = 0; c < 3; ++c) {
        low[c] = h->box[c] / h->blocks[c] * h->at[c] - 2.0 * h->reach;
        side[c] = (int64_t)(h->box[c] / h->blocks[c] / h->reach) + 5;
    }
    const uint64_t cells = (uint64_t)(side[0] * side[1] * side[2]);
    int64_t *first = host_memory(NULL, cells, sizeof *first),
            *next = host_memory(NULL, h->count, sizeof *next);
    int64_t(*at)[3] = host_memory(NULL, h->count, sizeof *at);
    memset(first, 0xFF, (size_t)cells * sizeof *first);
    h->listed = host_memory(h->listed, h->own, sizeof *h->listed);
    h->pairs = 0;
    for (uint64_t n = h->count; n-- > 0;) {
        double x[3];
        place(h, n, x);
        for (int c = 0; c < 3; ++c) {
            const int64_t k = (int64_t)floor((x[c] - low[c]) / h->reach);
            at[n][c] = k < 1 ? 1 : k < side[c] - 1 ? k : side[c] - 2;
        }
        int64_t *cell = &first[(at[n][2] * side[1] + at[n][1]) * side[0] + at[n][0]];
        next[n] = *cell;
        *cell = (int64_t)n;
        if (n < h->own)
            memcpy(h->listed[n], h->grain[n].x, sizeof h->listed[n]);
    }
    for (uint64_t i = 0; i < h->own; ++i)
        for (int k = 0; k < 27; ++k) {
            const int64_t x = at[i][0] + k % 3 - 1, y = at[i][1] + k / 3 % 3 - 1,
                          z = at[i][2] + k / 9 - 1;
            for (int64_t j = first[(z * side[1] + y) * side[0] + x]; j >= 0; j = next[j]) {
                double a[3], b[3];
                if ((uint64_t)j <= i)
                    continue;
                place(h, i, a);
                place(h, (uint64_t)j, b);
                const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
                if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < h->reach * h->reach)
                    pair_add(h, (uint32_t)i, (uint32_t)j);
            }
        }
    free(first);
    free(next);
    free(at);
    ++h->rebuilds;
}

/* ------------------------------------------------------------------ the hash */

/* Sums over grains have no order: each grain's hash is mixed well before it is added. */
uint64_t host_hash(const host *h)
{
    uint64_t mine = 0, all = 0;
    for (uint64_t n = 0; n < h->own; ++n) {
        const grain *g = &h->grain[n];
        uint64_t word[12], hash = g->id;
        for (int c = 0; c < 3; ++c) {
            memcpy(&word[c], &g->x[c], 8);
            memcpy(&word[3 + c], &g->v[c], 8);
            memcpy(&word[6 + c], &g->w[c], 8);
        }
        word[9] = (uint64_t)g->turns[0];
        word[10] = (uint64_t)g->turns[1];
        word[11] = g->id;
        for (int k = 0; k < 12; ++k) {
            hash = (hash ^ word[k]) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 29;
        }
        mine += hash;
    }
    MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}
