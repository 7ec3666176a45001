/* SPDX-License-Identifier: MIT */
/* A host that cuts a box into blocks, one a rank: who owns a grain, ghosts, pairs, messages. It is
 * the host's own and knows nothing of contacts. The box is periodic in x and y. */
#ifndef HOST_H
#define HOST_H

#include <mpi.h>
#include <stdint.h>

/* A grain as it travels; a ghost is a copy of it with the coordinates of its owner. */
typedef struct grain {
    uint64_t id;
    double x[3], v[3], w[3]; /* at the end of the step */
    double a[3], wa[3];      /* accelerations of the step before */
    double radius, mass;
    int32_t turns[2]; /* periods along x and y that were taken off */
    int32_t shift[2]; /* of a ghost: periods from the owner's coordinates to the image seen here */
} grain;

/* Bytes that grow. */
typedef struct bytes {
    unsigned char *data;
    uint64_t count, room;
} bytes;
unsigned char *bytes_add(bytes *b, const void *data, uint64_t count); /* where they are */

/* Bytes for each rank, or of each: first those of rank 0. */
typedef struct mail {
    bytes all;
    int *size, *begin; /* [ranks] */
} mail;

/* What a rank spends its time on: time of the processor, but for waiting in MPI, which is time of
 * the clock. */
enum { TIME_FORCES, TIME_EXCHANGE, TIME_REBUILD, TIME_WAIT, TIMES };

typedef struct host {
    int rank, ranks;
    int blocks[3], at[3]; /* blocks along each axis, and which one is this rank's */
    double box[3];        /* m; z is open */
    double reach;         /* pairs up to this distance are listed, m */
    double inner[2][3];   /* farther than it from all other blocks, from low to high */
    grain *grain;         /* own ones first, then ghosts */
    uint64_t own, count, room;
    double (*listed)[3]; /* positions of own grains when pairs were listed */
    uint32_t (*pair)[2]; /* rows */
    double (*shifts)[3]; /* of each pair, m */
    int32_t (*images)[3];
    uint64_t pairs, pair_room;
    uint64_t done, rebuilds, sent; /* steps; grains that changed their rank */
    double time;                   /* s, with that of the runs before a restart */
    struct {
        uint32_t *rows; /* which grains go this way in each step */
        uint64_t count, received;
    } way[6];                         /* -x +x -y +y -z +z */
    double spent[TIMES], work, clock; /* s */
} host;

/* Ends all ranks with a message. */
void host_fail(const char *what, const char *why);

/* Memory for so many; ends all ranks where there is none. */
void *host_memory(void *old, uint64_t count, size_t size);

/* Books the time since the last call. */
void host_book(host *h, int time);

/* The bits that any rank has; books the time before as `time`. */
int host_any(host *h, int bits, int time);

mail mail_new(const host *h);
void mail_free(mail *m);
void mail_cut(mail *m, int rank); /* what was added since the last cut is for this rank */
/* To all ranks; what they sent here. Books the time before as TIME_REBUILD. */
mail mail_send(host *h, const mail *out);
/* The same where all know how many bytes go where. */
void mail_exchange(host *h, const mail *out, mail *in, int time);

/* Ids, each for a rank. */
typedef struct deal {
    uint64_t *id;
    int *rank;
    uint64_t count, room;
} deal;
void deal_add(deal *d, uint64_t id, int rank);
void deal_free(deal *d);

/* Cuts a box for the ranks of MPI_COMM_WORLD. `reach` must not be larger than a block. */
void host_start(host *h, const double box[3], double reach);
void host_end(host *h);
grain *host_add(host *h, const grain *g);

/* The rank of a place, which may be outside the box along x and y. */
int host_rank_at(const host *h, const double x[3]);

/* Whether a place is this rank's, and farther than `reach` from all other blocks. */
int host_inside(const host *h, const double x[3]);

/* The ranks whose blocks are within `reach` of a place, or of an image of it, and do not own it. */
enum { HOST_SEERS = 27 };
int host_seers(const host *h, const double x[3], int ranks[HOST_SEERS]);

/* Whether a grain of any rank has moved so far that a pair may be missing. All ranks say the same.
 * `skin` is what `reach` has beyond the largest sum of radii. */
int host_expired(host *h, double skin);

/* Own grains go to the ranks of their places. `pack` adds what else goes with them to the message
 * for a rank, `unpack` takes it. */
typedef struct host_cargo {
    void *user;
    void (*pack)(void *user, const uint64_t *ids, uint64_t count, bytes *to);
    void (*unpack)(void *user, const unsigned char *from, uint64_t count);
} host_cargo;
void host_migrate(host *h, const host_cargo *cargo);

void host_ghosts(host *h);         /* finds ghosts anew, also those behind edges and corners */
void host_ghosts_refresh(host *h); /* their coordinates, velocities, accelerations */
void host_list(host *h);           /* pairs with an end of this rank's own */

/* A number that stands for all bits of all grains, on rank 0. */
uint64_t host_hash(const host *h);

#endif
