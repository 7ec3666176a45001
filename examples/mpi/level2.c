/* SPDX-License-Identifier: MIT */
/* Level 2: each rank has a world with ghosts, and forces on ghosts travel between the halves of a
 * step. */
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char level_name[] = "level2";
const double level_reach = 0.3;
const int level_shares = 0; /* a contact of grains from two files needs both in one world */

/* Bytes of a force and a torque. */
enum { LOAD = 6 * sizeof(double) };

struct level {
    host *host; /* who owns which place */
    dem_world *world;
    dem_particle_handle *own, *ghost, *seen; /* seen: own ones that others have as ghosts */
    uint64_t owned, ghosts;
    mail out, in; /* forces: of `seen` for others, of ghosts from their owners */
};

static void check(const level *l, dem_status status)
{
    scene_check(status, dem_world_error(l->world));
}

/* Every rank has the whole box. */
level *level_start(host *h, const options *o)
{
    level *l = host_memory(NULL, 1, sizeof *l);
    dem_world_config config;
    dem_contact_model model;
    dem_wall wall;
    dem_error error = {.status = DEM_OK};
    memset(l, 0, sizeof *l);
    l->host = h;
    l->in = mail_new(h);
    l->out = mail_new(h);
    scene_check(dem_world_config_init(&config), "configuration");
    if (o->exact) {
        config.sums = DEM_SUMS_EXACT;
        config.force_range = config.torque_range = 1e5;
    }
    config.gravity[2] = -GRAVITY;
    for (int c = 0; c < 2; ++c) {
        config.boundary[c] = DEM_BOUNDARY_PERIODIC;
        config.box_high[c] = h->box[c];
    }
    scene_check(dem_world_create(&config, &l->world, &error), error.message);
    scene_model(o->law, &model);
    check(l, dem_contact_model_set(l->world, 0, 0, &model));
    check(l, dem_wall_init(&wall));
    wall.id = UINT64_C(1) << 40;
    check(l, dem_wall_add(l->world, &wall, NULL));
    return l;
}

void level_end(level *l)
{
    dem_world_destroy(l->world);
    mail_free(&l->in);
    mail_free(&l->out);
    free(l->own);
    free(l->ghost);
    free(l->seen);
    free(l);
}

void level_add(level *l, const grain *g)
{
    dem_particle p;
    check(l, dem_particle_init(&p));
    p.id = g->id;
    p.radius = g->radius;
    p.mass = g->mass;
    memcpy(p.position, g->x, sizeof p.position);
    memcpy(p.velocity, g->v, sizeof p.velocity);
    check(l, dem_particle_add(l->world, &p, NULL));
}

/* The handles of own grains, which a view tells. */
static void find_own(level *l)
{
    dem_view view = {.struct_size = sizeof view};
    check(l, dem_world_view(l->world, DEM_FIELD_POSITION, &view));
    l->own = host_memory(l->own, view.count, sizeof *l->own);
    l->owned = 0;
    for (uint64_t row = 0; row < view.count; ++row)
        if (view.id[row] != 0)
            check(l, dem_particle_find(l->world, view.id[row], &l->own[l->owned++]));
}

/* ------------------------------------------------------------------ new owners, new ghosts */

/* The rank that owns a place, in the box along x and y. */
static int rank_of(const host *h, const dem_ghost *g)
{
    double x[3];
    for (int c = 0; c < 3; ++c)
        x[c] =
            c < 2 ? g->position[c] - h->box[c] * floor(g->position[c] / h->box[c]) : g->position[c];
    return host_rank_at(h, x);
}

/* Grains go to the ranks of their places, with their contacts. They are ghosts here from now on. */
static mail leave(level *l, const int *to)
{
    host *h = l->host;
    mail out = mail_new(h);
    dem_particle_handle *some = host_memory(NULL, l->owned, sizeof *some);
    for (int rank = 0; rank < h->ranks; ++rank) {
        uint64_t count = 0, size = 0;
        for (uint64_t n = 0; n < l->owned; ++n)
            if (rank != h->rank && to[n] == rank)
                some[count++] = l->own[n];
        if (count > 0) {
            check(l, dem_particles_pack(l->world, count, some, NULL, 0, &size));
            unsigned char *at = bytes_add(&out.all, NULL, size);
            check(l, dem_particles_pack(l->world, count, some, at, size, NULL));
            check(l, dem_particles_release(l->world, count, some));
        }
        mail_cut(&out, rank);
        h->sent += count;
    }
    free(some);
    return out;
}

/* Each rank gets as ghosts what is near to its block and will be another rank's. */
static mail show(const level *l, const dem_ghost *all, const int *to)
{
    const host *h = l->host;
    mail out = mail_new(h);
    for (int rank = 0; rank < h->ranks; ++rank) {
        for (uint64_t n = 0; n < l->owned; ++n)
            if (to[n] != rank && host_near(h, rank, all[n].position))
                (void)bytes_add(&out.all, &all[n], sizeof *all);
        mail_cut(&out, rank);
    }
    return out;
}

/* Tells owners which of theirs are ghosts here, and learns the same: forces travel in this order
 * from now on. */
static void agree(level *l, const dem_ghost *ghosts)
{
    const host *h = l->host;
    mail ask = mail_new(h);
    dem_particle_handle *sorted = host_memory(NULL, l->ghosts, sizeof *sorted);
    uint64_t count = 0;
    l->in.all.count = l->out.all.count = 0;
    for (int rank = 0; rank < h->ranks; ++rank) {
        for (uint64_t n = 0; n < l->ghosts; ++n)
            if (rank_of(h, &ghosts[n]) == rank) {
                (void)bytes_add(&ask.all, &ghosts[n].id, sizeof ghosts[n].id);
                (void)bytes_add(&l->in.all, NULL, LOAD);
                sorted[count++] = l->ghost[n];
            }
        mail_cut(&ask, rank);
        mail_cut(&l->in, rank);
    }
    free(l->ghost);
    l->ghost = sorted;
    mail asked = mail_send(h, &ask);
    const uint64_t *id = (const uint64_t *)(const void *)asked.all.data;
    l->seen = host_memory(l->seen, asked.all.count / sizeof *id, sizeof *l->seen);
    for (int rank = 0; rank < h->ranks; ++rank) {
        for (int k = 0; k < asked.size[rank] / (int)sizeof *id; ++k) {
            const uint64_t n = l->out.all.count / LOAD;
            check(l, dem_particle_find(l->world, id[n], &l->seen[n]));
            (void)bytes_add(&l->out.all, NULL, LOAD);
        }
        mail_cut(&l->out, rank);
    }
    mail_free(&ask);
    mail_free(&asked);
}

static void settle(level *l)
{
    const host *h = l->host;
    dem_ghost *all = host_memory(NULL, l->owned, sizeof *all);
    int *to = host_memory(NULL, l->owned, sizeof *to);
    for (uint64_t n = 0; n < l->owned; ++n)
        all[n].struct_size = sizeof *all;
    check(l, dem_ghosts_get(l->world, l->owned, l->own, all));
    for (uint64_t n = 0; n < l->owned; ++n)
        to[n] = rank_of(h, &all[n]);
    mail grains = leave(l, to), shown = show(l, all, to);
    mail arrived = mail_send(h, &grains), ghosts = mail_send(h, &shown);
    const dem_ghost *list = (const dem_ghost *)(const void *)ghosts.all.data;
    l->ghosts = ghosts.all.count / sizeof *list;
    l->ghost = host_memory(l->ghost, l->ghosts, sizeof *l->ghost);
    check(l, dem_ghosts_set(l->world, l->ghosts, list, level_reach, l->ghost));
    for (int rank = 0; rank < h->ranks; ++rank)
        if (arrived.size[rank] > 0)
            check(l, dem_particles_unpack(l->world, arrived.all.data + arrived.begin[rank],
                                          (uint64_t)arrived.size[rank], NULL));
    find_own(l);
    agree(l, list);
    ++l->host->rebuilds;
    mail_free(&grains);
    mail_free(&shown);
    mail_free(&arrived);
    mail_free(&ghosts);
    free(all);
    free(to);
}

/* ------------------------------------------------------------------ a step */

static void half_steps(level *l, double dt)
{
    /* where one rank fails, host_fail ends all; a host that goes on would let the others call
     * dem_step_cancel */
    check(l, dem_step_begin(l->world, dt));
    host_book(l->host, TIME_FORCES);
    check(l, dem_particles_forces_get(l->world, l->out.all.count / LOAD, l->seen,
                                      (double *)(void *)l->out.all.data));
    MPI_Alltoallv(l->out.all.data, l->out.size, l->out.begin, MPI_BYTE, l->in.all.data, l->in.size,
                  l->in.begin, MPI_BYTE, MPI_COMM_WORLD);
    check(l, dem_ghosts_forces_set(l->world, l->ghosts, l->ghost,
                                   (const double *)(const void *)l->in.all.data));
    host_book(l->host, TIME_EXCHANGE);
    check(l, dem_step_end(l->world));
    host_book(l->host, TIME_FORCES);
}

void level_begin(level *l, int restarted)
{
    find_own(l);
    settle(l);
    if (!restarted)
        half_steps(l, 0.0); /* forces came with the grains of a file */
}

void level_step(level *l)
{
    int mine = dem_ghosts_wanted(l->world), any;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    host_book(l->host, TIME_EXCHANGE);
    if (any) {
        settle(l);
        host_book(l->host, TIME_REBUILD);
    }
    half_steps(l, DT);
    l->host->done++;
}

/* ------------------------------------------------------------------ restart, end */

void level_write(level *l, bytes *to)
{
    uint64_t size = 0;
    check(l, dem_particles_pack(l->world, l->owned, l->own, NULL, 0, &size));
    check(l, dem_particles_pack(l->world, l->owned, l->own, bytes_add(to, NULL, size), size, NULL));
}

void level_read(level *l, const unsigned char *from, uint64_t count)
{
    check(l, dem_particles_unpack(l->world, from, count, NULL));
}

uint64_t level_contacts(const level *l)
{
    dem_world_counts counts = {.struct_size = sizeof counts};
    check(l, dem_world_counts_get(l->world, &counts));
    return counts.contacts;
}

void level_counts(const level *l, double of[2])
{
    of[0] = (double)l->ghosts;
    of[1] = (double)l->out.all.count;
}

/* Their paths are unwrapped with the period of the world, which exact sums round. */
void level_grains(level *l)
{
    for (uint64_t n = 0; n < l->owned; ++n) {
        dem_particle p = {.struct_size = sizeof p};
        check(l, dem_particle_get(l->world, l->own[n], &p));
        grain own = {.id = p.id, .radius = p.radius, .mass = p.mass};
        memcpy(own.x, p.position, sizeof own.x);
        memcpy(own.v, p.velocity, sizeof own.v);
        memcpy(own.w, p.angular_velocity, sizeof own.w);
        (void)host_add(l->host, &own);
    }
    l->host->own = l->host->count;
}
