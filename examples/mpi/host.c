/* SPDX-License-Identifier: MIT */
/* Blocks and messages. */
#include "host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int host_any(int mine)
{
    int any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
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
        const double width = box[c] / h->blocks[c];
        snprintf(text, sizeof text, "%g m thick, but ranks see %g m: take fewer ranks", width,
                 reach);
        if (width < reach)
            host_fail("a block is too thin", text);
        h->box[c] = box[c];
        h->inner[0][c] = width * h->at[c] + reach;
        h->inner[1][c] = width * (h->at[c] + 1) - reach;
        /* the last blocks along z own what is beyond */
        if (c == 2 && h->at[c] == 0)
            h->inner[0][c] = (double)-INFINITY;
        if (c == 2 && h->at[c] == h->blocks[c] - 1)
            h->inner[1][c] = (double)INFINITY;
    }
}

/* The block of a coordinate; along x and y images of the box have blocks, too. */
static int block_at(const host *h, int axis, double x)
{
    const int n = h->blocks[axis], k = (int)floor(x / h->box[axis] * n);
    return axis < 2 ? k : k < 0 ? 0 : k < n ? k : n - 1;
}

static seer seer_of(const host *h, const int at[3])
{
    seer s = {.rank = at[2]};
    for (int c = 1; c >= 0; --c) {
        const int n = h->blocks[c];
        s.shift[c] = at[c] < 0 ? (n - 1 - at[c]) / n : -(at[c] / n);
        s.rank = s.rank * n + at[c] + s.shift[c] * n;
    }
    return s;
}

int host_rank_at(const host *h, const double x[3])
{
    const int at[3] = {block_at(h, 0, x[0]), block_at(h, 1, x[1]), block_at(h, 2, x[2])};
    return seer_of(h, at).rank;
}

int host_seers(const host *h, const double x[3], seer seers[HOST_SEERS])
{
    int at[3][3], blocks[3], inside = 1, count = 0;
    for (int c = 0; c < 3; ++c)
        inside &= x[c] > h->inner[0][c] && x[c] < h->inner[1][c];
    if (inside) { /* as most are */
        seers[0] = (seer){.rank = h->rank};
        return 1;
    }
    for (int c = 0; c < 3; ++c) {
        const int low = block_at(h, c, x[c] - h->reach), high = block_at(h, c, x[c] + h->reach);
        blocks[c] = 0;
        at[c][blocks[c]++] = block_at(h, c, x[c]);
        if (low != at[c][0])
            at[c][blocks[c]++] = low;
        if (high != at[c][0])
            at[c][blocks[c]++] = high;
    }
    for (; count < blocks[0] * blocks[1] * blocks[2]; ++count) {
        const int which[3] = {at[0][count % blocks[0]], at[1][count / blocks[0] % blocks[1]],
                              at[2][count / (blocks[0] * blocks[1])]};
        seers[count] = seer_of(h, which);
    }
    return count;
}

/* ------------------------------------------------------------------ messages */

void *bytes_add(bytes *b, const void *data, uint64_t count)
{
    if (b->data == NULL || b->count + count > b->room) {
        b->room = 2 * (b->count + count);
        b->data = host_memory(b->data, b->room, 1);
    }
    unsigned char *at = (unsigned char *)b->data + b->count;
    if (data != NULL && count > 0)
        memcpy(at, data, (size_t)count);
    b->count += count;
    return at;
}

const void *bytes_take(const unsigned char **from, const unsigned char *end, uint64_t count)
{
    const unsigned char *at = *from;
    if (count > (uint64_t)(end - at))
        host_fail("packed grains", "they are cut off");
    *from += count;
    return at;
}

bytes *host_lists(const host *h)
{
    bytes *lists = host_memory(NULL, (uint64_t)h->ranks, sizeof *lists);
    memset(lists, 0, (size_t)h->ranks * sizeof *lists);
    return lists;
}

void host_lists_free(const host *h, bytes *lists)
{
    for (int rank = 0; rank < h->ranks; ++rank)
        free(lists[rank].data);
    free(lists);
}

static mail mail_new(const host *h)
{
    const mail m = {.size = host_memory(NULL, (uint64_t)h->ranks, sizeof(int)),
                    .begin = host_memory(NULL, (uint64_t)h->ranks, sizeof(int))};
    return m;
}

/* Makes room for messages of the sizes that are there. */
static void mail_room(const host *h, mail *m)
{
    for (int rank = 0; rank < h->ranks; ++rank) {
        m->begin[rank] = (int)m->count;
        m->count += (uint64_t)m->size[rank];
    }
    m->data = host_memory(NULL, m->count, 1);
}

mail mail_like(const host *h, const mail *m, uint64_t from, uint64_t to)
{
    mail like = mail_new(h);
    for (int rank = 0; rank < h->ranks; ++rank)
        like.size[rank] = m->size[rank] / (int)from * (int)to;
    mail_room(h, &like);
    return like;
}

mail mail_send(const host *h, const mail *out)
{
    mail in = mail_new(h);
    MPI_Alltoall(out->size, 1, MPI_INT, in.size, 1, MPI_INT, MPI_COMM_WORLD);
    mail_room(h, &in);
    mail_exchange(out, &in);
    return in;
}

void mail_exchange(const mail *out, mail *in)
{
    MPI_Alltoallv(out->data, out->size, out->begin, MPI_BYTE, in->data, in->size, in->begin,
                  MPI_BYTE, MPI_COMM_WORLD);
}

void mail_free(mail *m)
{
    free(m->data);
    free(m->size);
    free(m->begin);
}

mail host_lists_join(const host *h, bytes *lists)
{
    mail m = mail_new(h);
    for (int rank = 0; rank < h->ranks; ++rank)
        m.size[rank] = (int)lists[rank].count;
    mail_room(h, &m);
    for (int rank = 0; rank < h->ranks; ++rank)
        if (lists[rank].count > 0)
            memcpy((char *)m.data + m.begin[rank], lists[rank].data, lists[rank].count);
    host_lists_free(h, lists);
    return m;
}

mail host_lists_send(const host *h, bytes *lists)
{
    mail out = host_lists_join(h, lists), in = mail_send(h, &out);
    mail_free(&out);
    return in;
}
