/* SPDX-License-Identifier: MIT */
/* What both levels need of a host: a box that is cut into blocks, one a rank, and messages. It
 * knows nothing of contacts. The box is periodic in x and y. */
#ifndef HOST_H
#define HOST_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

typedef struct host {
    int rank, ranks;
    int blocks[3], at[3];    /* blocks along each axis, and which one is this rank's */
    double box[3];           /* m; z is open */
    double reach;            /* how far from its block a rank sees grains, m */
    double inner[2][3];      /* farther than it from all other blocks, from low to high */
    uint64_t steps;          /* with those of the runs before a restart */
    double time;             /* s, likewise */
    uint64_t rebuilds, sent; /* grains that changed their rank */
} host;

/* A grain as level 1 sends it; a ghost is a copy of it with the coordinates of its owner. Level 2
 * has grains in worlds, and fills the first four lines alone. */
typedef struct grain {
    uint64_t id;
    double x[3], v[3], w[3]; /* at the end of the step */
    double radius, mass;
    int32_t turns[2]; /* periods along x and y that were taken off */
    int32_t shift[2]; /* of a ghost: periods from the owner's coordinates to the image seen here */
    double a[3], wa[3]; /* accelerations of the step before */
} grain;

/* Ends all ranks with a message. */
void host_fail(const char *what, const char *why);

/* Memory for so many; ends all ranks where there is none. */
void *host_memory(void *old, uint64_t count, size_t size);

/* Whether it is so on any rank; all ranks say the same. */
int host_any(int mine);

/* ------------------------------------------------------------------ blocks */

/* Cuts a box for the ranks of MPI_COMM_WORLD. `reach` must not be larger than a block. */
void host_start(host *h, const double box[3], double reach);

/* The rank of a place, which may be outside the box along x and y. */
int host_rank_at(const host *h, const double x[3]);

/* A rank that sees a place, and the periods from there to the image that it sees. */
typedef struct seer {
    int rank;
    int32_t shift[2];
} seer;

/* Who sees a place; the first one is the rank of the place. A rank comes once for each image. */
enum { HOST_SEERS = 27 };
int host_seers(const host *h, const double x[3], seer seers[HOST_SEERS]);

/* ------------------------------------------------------------------ messages */

/* Bytes that grow. */
typedef struct bytes {
    void *data;
    uint64_t count, room;
} bytes;
void *bytes_add(bytes *b, const void *data, uint64_t count); /* where they are */

/* The next `count` of those up to `end`; ends all ranks where there are fewer. */
const void *bytes_take(const unsigned char **from, const unsigned char *end, uint64_t count);

/* Messages to all ranks, or from all: first that of rank 0. */
typedef struct mail {
    void *data;
    uint64_t count;
    int *size, *begin; /* [ranks] */
} mail;

/* A list for each rank, empty. */
bytes *host_lists(const host *h);
void host_lists_free(const host *h, bytes *lists);
mail host_lists_join(const host *h, bytes *lists); /* and frees them */
mail host_lists_send(const host *h, bytes *lists); /* and frees them; what the others sent here */

/* Room for as many things, each of `to` bytes where `m` has `from`. */
mail mail_like(const host *h, const mail *m, uint64_t from, uint64_t to);
mail mail_send(const host *h, const mail *out); /* what the others sent here */
void mail_exchange(const mail *out, mail *in);  /* where all know the sizes */
void mail_free(mail *m);

#endif
