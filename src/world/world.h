/* SPDX-License-Identifier: MIT */
/* The data of a world.
 *
 * What a step changes exists twice: [front] is the last complete step, [front ^ 1] is where the
 * next one is made. A step that succeeds flips `front`; one that fails does not, and nothing is
 * lost. Rows are particles in storage order, sorted in space whenever the list is rebuilt. */
#ifndef DEMI_WORLD_H
#define DEMI_WORLD_H

#include "base/context.h"
#include "contact/lanes.h"
#include "world/desk.h"
#include "world/idmap.h"

#include <dem/world.h>

typedef double demi_row[4];

/* What moves a particle, and how it moves; the last places hold what belongs to the particle. Each
 * fills a line of the cache. */
typedef struct demi_motion {
    double velocity[4]; /* x y z 1/contact mass */
    double spin[4];     /* x y z 1/moment of inertia, 0 unless free */
} demi_motion;

typedef struct demi_load {
    double force[4];  /* x y z 0 */
    double torque[4]; /* x y z 0 */
} demi_load;

/* Rows per chunk, from the fewest to the most. Results depend on it (order of sums), so it follows
 * from the number of particles alone: large chunks need fewer rows of each other, but there must be
 * enough of them for threads. */
enum { DEMI_CHUNK_LEAST = 256, DEMI_CHUNK_MOST = 1024, DEMI_CHUNKS_WANTED = 24 };

/* Marks walls among the values of the id table and the targets of halo rows. */
#define DEMI_WALL_BIT 0x80000000u

/* What a step does not change about a particle. */
typedef struct demi_body {
    uint64_t id; /* 0: removed, goes at the next rebuild */
    double mass;
    uint32_t handle;
    int32_t material, motion;
    int32_t image[3]; /* periods to add to the position for the unwrapped path */
} demi_body;

typedef struct demi_wall {
    uint64_t id; /* 0: removed, goes at the next rebuild */
    double point[2][3], normal[3], velocity[3], built[3];
    double force[2][3]; /* of the particles on the wall */
    int32_t material;
    int32_t vacant; /* removed, and no list names it any more */
} demi_wall;

typedef struct demi_handle {
    uint32_t row;        /* or the next free handle */
    uint32_t generation; /* odd while in use */
} demi_handle;

/* A pair that may touch before the list is built again; i has the lower id. Each end is a place:
 * DEMI_PLACE times a row of the chunk, or times a halo row of it, as the run says. */
typedef struct demi_pair {
    uint32_t i, j;
} demi_pair;

enum { DEMI_PLACE = 8 };
/* Bytes for each unit of a place, in positions and in motions or loads. */
enum { DEMI_PLACE_POSITION = 4, DEMI_PLACE_MOTION = 8 };

/* Which ends of a run's pairs are rows of the chunk: both, i, or j. */
enum { DEMI_ENDS_OWN = 0, DEMI_ENDS_HALO_J = 1, DEMI_ENDS_HALO_I = 2, DEMI_ENDS = 3 };

/* Halo rows that one chunk may have. */
#define DEMI_HALO_MOST (1u << 24)

enum { DEMI_SHIFT_NONE = 13, DEMI_SHIFTS = 27 };

/* Periods to add to the other's position, for axis c. */
static inline int demi_shift_periods(uint32_t shift, int c)
{
    static const int8_t periods[27][3] = {
        {-1, -1, -1}, {0, -1, -1}, {1, -1, -1}, {-1, 0, -1}, {0, 0, -1},  {1, 0, -1}, {-1, 1, -1},
        {0, 1, -1},   {1, 1, -1},  {-1, -1, 0}, {0, -1, 0},  {1, -1, 0},  {-1, 0, 0}, {0, 0, 0},
        {1, 0, 0},    {-1, 1, 0},  {0, 1, 0},   {1, 1, 0},   {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
        {-1, 0, 1},   {0, 0, 1},   {1, 0, 1},   {-1, 1, 1},  {0, 1, 1},   {1, 1, 1}};
    return periods[shift][c];
}

/* Consecutive pairs of one model and shape, whose ends are of one kind. */
typedef struct demi_run {
    const demi_model *model;
    uint64_t begin, end;  /* pairs */
    uint64_t state_begin; /* doubles; state_stride for each contact, in the order of pairs */
    double reach;
    int32_t shape, ends;
    uint32_t state_stride; /* state_size up to a multiple of 4 */
} demi_run;

static inline uint32_t demi_state_stride(const demi_model *model)
{
    return (model->state_size + 3) / 4 * 4;
}

typedef struct demi_chunk {
    uint64_t row_begin, row_end;
    uint64_t pairs[DEMI_ENDS];
    uint64_t run_begin, run_end;
    uint64_t halo_begin, halo_end; /* rows of others that this chunk's pairs need */
    uint64_t state_begin, states;  /* doubles of all runs */
    double low[3], high[3];        /* box of the centres when the list was built */
    double drift[3];               /* mean velocity then */
    double largest;                /* radius plus reach */
    double strayed;                /* no row is farther from where the drift took it, see drift.c */
} demi_chunk;

/* A halo row that another chunk keeps for a row. */
typedef struct demi_incoming {
    uint32_t row, halo;
} demi_incoming;

/* So far ahead halo rows are asked for; the last ones name the first halo row. */
enum { DEMI_INCOMING_AHEAD = 256 };

/* Two chunks close enough that the motion of one against the other matters, see drift.c. */
typedef struct demi_near {
    uint32_t a, b;
    double speed; /* of their drifts against each other */
} demi_near;

/* The neighbour list with the state of its contacts. Each chunk has room for pair_room pairs, of
 * which cross_room for either kind with a halo row. */
typedef struct demi_list {
    uint64_t pairs, pair_room, cross_room, halo_room, runs, chunks, halos, states, nears;
    uint64_t chunk_rows;  /* of each chunk but the last; 0: there is no list */
    uint64_t halo_most;   /* of any chunk */
    double margin, reach; /* of chunks that are not near; widest of all models */
    demi_buffer pair, run, chunk;
    demi_buffer near;           /* demi_near[nears] */
    demi_buffer target;         /* uint32_t[halos]: row, or DEMI_WALL_BIT | wall */
    demi_buffer shift;          /* unsigned char[halos]: periods, see demi_shift_periods */
    demi_buffer incoming_begin; /* uint32_t[rows + 1] */
    demi_buffer incoming;       /* of each row in chunk order, and DEMI_INCOMING_AHEAD more */
    demi_buffer halo;           /* demi_load[halos] */
    demi_buffer live[2];        /* unsigned char[chunks * pair_room] */
} demi_list;

/* What a chunk reports of a phase. */
typedef struct demi_report {
    dem_status status;
    uint32_t reserved;
    uint64_t pair;          /* or row, where status is not DEM_OK */
    double value;           /* the overlap that was too large */
    const char *what;       /* the quantity that stopped being finite, or the law's name */
    double strayed, motion; /* bounds: distance from the chunk's drift; way in this step */
    demi_totals totals;
    double work_external, work_boundary;
    double kept, gain, spin; /* of flight.c */
} demi_report;

struct dem_world {
    demi_context context;
    demi_context *self;      /* for messages of functions that take a const world */
    dem_world_config config; /* the executor is the pool's where there is one */
    struct demi_pool *pool;  /* NULL: the host's threads, or the calling one alone */
    demi_models models;
    demi_buffer retired; /* demi_model *[retired_count]: freed at the next rebuild */
    uint64_t retired_count;
    demi_buffer density; /* double[material_count] */

    int front;
    uint64_t rows, particles;
    demi_buffer position[2]; /* x y z radius */
    demi_buffer motion[2];   /* demi_motion */
    demi_buffer load[2];     /* demi_load, of contacts */
    demi_buffer state[2];    /* of contacts, laid out by `list` */
    demi_buffer built;       /* x y z and anything: positions when the list was built */
    demi_buffer body, body_next;
    demi_buffer row_id; /* uint64_t[rows]: the ids of the bodies once more, for views */
    demi_buffer external_force, external_torque; /* empty until first used */
    demi_buffer external_next;
    demi_buffer handle;
    uint64_t handles;
    uint32_t handle_free; /* first free one, or UINT32_MAX */
    demi_buffer wall;
    uint64_t walls; /* places, with removed ones */
    demi_idmap ids;
    uint64_t next_id;

    demi_list list, list_next;
    demi_buffer scratch_order, scratch_axis, scratch_cell, scratch_cell_of, scratch_target,
        scratch_shift, scratch_live_row, scratch_live_begin, scratch_live;
    demi_desks desks;
    int list_stale;          /* particles, walls or models changed: build before the next step */
    int forces_stale;        /* evaluate forces before the next step */
    int periodic;            /* along any axis */
    int touched;             /* something was written through a view */
    int motion_viewed;       /* a view of velocities or spins was opened since the last step */
    double skin;             /* of the list */
    double dt_checked;       /* accepted for what is there; 0: none yet */
    demi_buffer lightest;    /* of limits.c */
    demi_buffer flight_work; /* of flight.c */
    double velocity_lag;     /* by which velocities are behind positions, s: leapfrog's, else 0 */
    double list_age;         /* time since it was built, s */
    demi_buffer report;      /* demi_report[chunks] */

    uint64_t generation; /* of views */
    uint64_t steps, rebuilds;
    double time;
    demi_totals totals; /* contacts and elastic: now; dissipation: since creation */
    demi_totals made;   /* in the step that is being made */
    double work_external, work_boundary;
};

static inline demi_row *demi_rows(const demi_buffer *buffer)
{
    return buffer->data;
}

static inline demi_motion *demi_motions(const demi_buffer *buffer)
{
    return buffer->data;
}

static inline demi_load *demi_loads(const demi_buffer *buffer)
{
    return buffer->data;
}

static inline demi_body *demi_bodies(const dem_world *w)
{
    return w->body.data;
}

/* limits.c: refuses a dt at which springs and dashpots of the models are unstable */
dem_status demi_limits_check(dem_world *w, double dt);
/* particles.c */
dem_status demi_world_reserve(dem_world *w, uint64_t rows);
/* list.c: builds the list for the front state, for a step that moves nothing by more than motion */
dem_status demi_world_rebuild(dem_world *w, double motion);
/* phases.c and contacts.c: the phases of a step, chunk by chunk. The first begins a step from the
 * front, the last ends the one that was made beside it; `turn` ends one, makes it the front, and
 * begins the next. */
dem_status demi_integrate_begin(dem_world *w, double dt, double *motion);
dem_status demi_contacts_evaluate(dem_world *w, double dt, demi_totals *totals);
void demi_integrate_end(dem_world *w, double dt);
dem_status demi_integrate_turn(dem_world *w, double dt, double *motion);
/* step.c: makes the next state the front one; by how much velocities are late then */
void demi_step_commit(dem_world *w, double dt);
double demi_lag_after(const dem_world *w, double dt);
/* drift.c: whether the state being made may have pairs in contact that the list lacks */
int demi_list_expired(dem_world *w, double elapsed);
/* contacts.c: the lane of one pair from the front state, for reading; state has DEM_STATE_MAX */
void demi_contact_read(const dem_world *w, const demi_run *run, uint64_t pair, demi_lanes *lanes);
int32_t demi_world_frame(const dem_world *w);
/* phases.c: time by which a step's first kick and its second one advance velocities, and how much
 * of what the first one added is added once more to the velocities that dashpots see */
double demi_kick_first(const dem_world *w, double dt);
double demi_kick_second(const dem_world *w, double dt);
double demi_kick_again(const dem_world *w, double dt);
/* phases.c: velocity and spin at the time of the positions, for reading */
void demi_motion_now(const dem_world *w, uint64_t row, double velocity[3], double spin[3]);

/* The chunk to which a pair belongs. */
static inline const demi_chunk *demi_chunk_of(const demi_list *list, uint64_t pair)
{
    /* a list with pairs has room for them */
    return (const demi_chunk *)list->chunk.data + pair / (list->pair_room + (list->pair_room == 0));
}

/* Who a pair is, told from a row that its chunk owns. */
typedef struct demi_ends {
    uint64_t own, other; /* rows; of a plane the other is a wall */
    int first;           /* whether `own` is i */
    int plane;
    uint32_t shift; /* of the other */
} demi_ends;

static inline demi_ends demi_pair_ends(const demi_list *list, const demi_chunk *chunk, int kind,
                                       const demi_pair *pair)
{
    const int first = kind != DEMI_ENDS_HALO_I;
    const uint32_t own = (first ? pair->i : pair->j) / DEMI_PLACE,
                   other = (first ? pair->j : pair->i) / DEMI_PLACE;
    demi_ends ends = {chunk->row_begin + own, chunk->row_begin + other, first, 0, DEMI_SHIFT_NONE};
    if (kind == DEMI_ENDS_OWN)
        return ends;
    const uint64_t halo = chunk->halo_begin + other;
    const uint32_t target = ((const uint32_t *)list->target.data)[halo];
    ends.plane = (target & DEMI_WALL_BIT) != 0;
    ends.other = target & ~DEMI_WALL_BIT;
    ends.shift = ((const unsigned char *)list->shift.data)[halo];
    return ends;
}

/* The run to which a pair belongs. */
static inline const demi_run *demi_run_of(const demi_list *list, uint64_t pair)
{
    const demi_run *run = (const demi_run *)list->run.data + demi_chunk_of(list, pair)->run_begin;
    while (pair >= run->end)
        ++run;
    return run;
}

/* Who a pair of the whole list is. */
static inline demi_ends demi_ends_of(const demi_list *list, uint64_t pair)
{
    return demi_pair_ends(list, demi_chunk_of(list, pair), demi_run_of(list, pair)->ends,
                          (const demi_pair *)list->pair.data + pair);
}

/* Periods of the box from j to i, along the unwrapped paths. */
static inline void demi_ends_image(const demi_ends *ends, const demi_body *bodies, int32_t image[3])
{
    for (int c = 0; c < 3; ++c) {
        const int32_t periods = demi_shift_periods(ends->shift, c) + bodies[ends->own].image[c] -
                                bodies[ends->other].image[c];
        image[c] = ends->first ? periods : -periods;
    }
}

/* State of the contact of a pair. States stand in the order of the run's pairs in contact. */
static inline const double *demi_pair_state(const dem_world *w, const demi_run *run, uint64_t pair)
{
    const unsigned char *live = w->list.live[w->front].data;
    uint64_t before = 0;
    for (uint64_t p = run->begin; p < pair; ++p)
        before += live[p];
    return (const double *)w->state[w->front].data + run->state_begin + before * run->state_stride;
}

/* Forces of a chunk's contacts, in src/world/simd/chunk.c. */
typedef struct demi_chunk_call {
    dem_world *w;
    double dt, again; /* demi_kick_again */
    int32_t frame;
} demi_chunk_call;
typedef void demi_chunk_function(const demi_chunk_call *call, uint64_t chunk);

/* Integration of one chunk, in src/world/simd/integrate.c. */
typedef struct demi_phase_call {
    dem_world *w;
    double dt;
    double kick_first, kick_second; /* by how much time velocities are advanced */
    double elapsed;                 /* since the list was built; for strays alone */
} demi_phase_call;
typedef void demi_phase_function(const demi_phase_call *call, uint64_t chunk);

#endif
