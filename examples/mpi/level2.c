/* SPDX-License-Identifier: MIT */
/* Level 2: each rank has a world with ghosts, and forces on ghosts travel between the halves of a
 * step. */
#include "level2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char level_name[] = "level2";
const double level_reach = 0.3;
const int level_shares = 0; /* a contact of grains from two files needs both in one world */

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
    l->fluid = o->fluid;
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
    level_check(l, dem_contact_model_set(l->world, 0, 0, &model));
    level_check(l, dem_wall_init(&wall));
    wall.id = UINT64_C(1) << 40;
    level_check(l, dem_wall_add(l->world, &wall, NULL));
    if (l->fluid > 0) /* before grains come that bring impulses */
        level_check(l, dem_world_impulses_reset(l->world));
    return l;
}

void level_end(level *l)
{
    dem_world_destroy(l->world);
    mail_free(&l->in);
    mail_free(&l->out);
    free(l->ghost);
    free(l->seen);
    free(l);
}

void level_add(level *l, const grain *g)
{
    dem_particle p;
    level_check(l, dem_particle_init(&p));
    p.id = g->id;
    p.radius = g->radius;
    p.mass = g->mass;
    memcpy(p.position, g->x, sizeof p.position);
    memcpy(p.velocity, g->v, sizeof p.velocity);
    level_check(l, dem_particle_add(l->world, &p, NULL));
}

static dem_particle_handle handle_of(const level *l, uint64_t id)
{
    dem_particle_handle handle;
    level_check(l, dem_particle_find(l->world, id, &handle));
    return handle;
}

/* The handles of own grains. */
static dem_particle_handle *own_handles(const level *l, uint64_t *count)
{
    const dem_view view = level_rows(l);
    dem_particle_handle *own = host_memory(NULL, view.count, sizeof *own);
    *count = 0;
    for (uint64_t row = 0; row < view.count; ++row)
        if (view.id[row] != 0)
            own[(*count)++] = handle_of(l, view.id[row]);
    return own;
}

/* ------------------------------------------------------------------ new owners, new ghosts */

/* The handles of those that are dealt to a rank. */
static uint64_t dealt(const level *l, const deal *d, int rank, dem_particle_handle *some)
{
    uint64_t count = 0;
    for (uint64_t n = 0; n < d->count; ++n)
        if (d->rank[n] == rank)
            some[count++] = handle_of(l, d->id[n]);
    return count;
}

/* Which grains go to another rank, and which ones other ranks will see as ghosts. */
static void find_border(const level *l, deal *leaving, deal *seen)
{
    const host *h = l->host;
    const dem_view view = level_rows(l);
    for (uint64_t row = 0; row < view.count; ++row) {
        const double *x = level_row(&view, row);
        if (view.id[row] == 0 || host_inside(h, x))
            continue;
        int ranks[HOST_SEERS];
        const int owner = host_rank_at(h, x), seers = host_seers(h, x, ranks);
        if (owner != h->rank)
            deal_add(leaving, view.id[row], owner);
        for (int k = 0; k < seers; ++k)
            deal_add(seen, view.id[row], ranks[k]);
    }
}

/* Grains go to the ranks of their places, with their contacts. They are ghosts here from now on. */
static mail leave(level *l, const deal *leaving)
{
    host *h = l->host;
    mail out = mail_new(h);
    dem_particle_handle *some = host_memory(NULL, leaving->count, sizeof *some);
    for (int rank = 0; rank < h->ranks; ++rank) {
        const uint64_t count = dealt(l, leaving, rank, some);
        if (count > 0) {
            uint64_t size = 0;
            level_check(l, dem_particles_pack(l->world, count, some, NULL, 0, &size));
            unsigned char *at = bytes_add(&out.all, NULL, size);
            level_check(l, dem_particles_pack(l->world, count, some, at, size, NULL));
            level_check(l, dem_particles_release(l->world, count, some));
        }
        mail_cut(&out, rank);
        h->sent += count;
    }
    free(some);
    return out;
}

/* Each rank gets its ghosts. */
static mail show(const level *l, const deal *seen)
{
    const host *h = l->host;
    mail out = mail_new(h);
    dem_particle_handle *some = host_memory(NULL, seen->count, sizeof *some);
    for (int rank = 0; rank < h->ranks; ++rank) {
        const uint64_t count = dealt(l, seen, rank, some);
        dem_ghost *ghosts = (void *)bytes_add(&out.all, NULL, count * sizeof *ghosts);
        for (uint64_t n = 0; n < count; ++n)
            ghosts[n].struct_size = sizeof *ghosts;
        level_check(l, dem_ghosts_get(l->world, count, some, ghosts));
        mail_cut(&out, rank);
    }
    free(some);
    return out;
}

/* Tells owners which of theirs are ghosts here, and learns the same: forces travel in this order
 * from now on. */
static void agree(level *l, const dem_ghost *ghosts, uint64_t count)
{
    host *h = l->host;
    mail ask = mail_new(h);
    uint64_t sorted = 0;
    l->ghost = host_memory(l->ghost, count, sizeof *l->ghost);
    l->in.all.count = l->out.all.count = 0;
    for (int rank = 0; rank < h->ranks; ++rank) {
        for (uint64_t n = 0; n < count; ++n)
            if (host_rank_at(h, ghosts[n].position) == rank) {
                (void)bytes_add(&ask.all, &ghosts[n].id, sizeof ghosts[n].id);
                (void)bytes_add(&l->in.all, NULL, LOAD);
                l->ghost[sorted++] = handle_of(l, ghosts[n].id);
            }
        mail_cut(&ask, rank);
        mail_cut(&l->in, rank);
    }
    mail asked = mail_send(h, &ask);
    const uint64_t *id = (const void *)asked.all.data;
    l->seen = host_memory(l->seen, asked.all.count / sizeof *id, sizeof *l->seen);
    for (int rank = 0; rank < h->ranks; ++rank) {
        for (int k = 0; k < asked.size[rank] / (int)sizeof *id; ++k) {
            const uint64_t n = l->out.all.count / LOAD;
            l->seen[n] = handle_of(l, id[n]);
            (void)bytes_add(&l->out.all, NULL, LOAD);
        }
        mail_cut(&l->out, rank);
    }
    mail_free(&ask);
    mail_free(&asked);
}

static void settle(level *l)
{
    host *h = l->host;
    deal leaving = {0}, seen = {0};
    find_border(l, &leaving, &seen);
    mail grains = leave(l, &leaving), shown = show(l, &seen);
    mail arrived = mail_send(h, &grains), ghosts = mail_send(h, &shown);
    const dem_ghost *list = (const void *)ghosts.all.data;
    const uint64_t count = ghosts.all.count / sizeof *list;
    /* a rank alone lacks no ghost, wherever its grains go */
    const double margin = h->ranks > 1 ? level_reach : (double)INFINITY;
    level_check(l, dem_ghosts_set(l->world, count, list, margin, NULL));
    for (int rank = 0; rank < h->ranks; ++rank)
        if (arrived.size[rank] > 0)
            level_check(l, dem_particles_unpack(l->world, arrived.all.data + arrived.begin[rank],
                                                (uint64_t)arrived.size[rank], NULL));
    agree(l, list, count);
    level_check(l, dem_world_rebuild_order(l->world));
    ++h->rebuilds;
    mail_free(&grains);
    mail_free(&shown);
    mail_free(&arrived);
    mail_free(&ghosts);
    deal_free(&leaving);
    deal_free(&seen);
}

/* ------------------------------------------------------------------ a step */

static void half_steps(level *l, double dt)
{
    /* where one rank fails, host_fail ends all; a host that goes on would let the others call
     * dem_step_cancel */
    level_check(l, dem_step_begin(l->world, dt));
    host_book(l->host, TIME_FORCES);
    level_check(l, dem_particles_forces_get(l->world, l->out.all.count / LOAD, l->seen,
                                            (double *)(void *)l->out.all.data));
    mail_exchange(l->host, &l->out, &l->in, TIME_EXCHANGE);
    level_check(l, dem_ghosts_forces_set(l->world, l->in.all.count / LOAD, l->ghost,
                                         (const double *)(const void *)l->in.all.data));
    host_book(l->host, TIME_EXCHANGE);
    level_check(l, dem_step_end(l->world));
    host_book(l->host, TIME_FORCES);
}

void level_begin(level *l, int restarted)
{
    settle(l);
    if (!restarted)
        half_steps(l, 0.0); /* forces came with the grains of a file */
}

void level_step(level *l)
{
    /* a rank that builds its list keeps the others waiting: all do so in the same step, and get new
     * ghosts, too */
    const int mine = dem_ghosts_wanted(l->world) || dem_world_rebuild_wanted(l->world);
    if (host_any(l->host, mine, TIME_EXCHANGE) && l->host->ranks > 1) {
        settle(l);
        host_book(l->host, TIME_REBUILD);
    }
    if (l->fluid > 0 && l->host->done % (uint64_t)l->fluid == 0)
        fluid_step(l);
    half_steps(l, DT);
}

/* ------------------------------------------------------------------ restart, end */

uint64_t level_write(level *l, bytes *to)
{
    uint64_t count, size = 0;
    dem_particle_handle *own = own_handles(l, &count);
    level_check(l, dem_particles_pack(l->world, count, own, NULL, 0, &size));
    level_check(l, dem_particles_pack(l->world, count, own, bytes_add(to, NULL, size), size, NULL));
    free(own);
    return count;
}

uint64_t level_read(level *l, const unsigned char *from, uint64_t count)
{
    uint64_t grains = 0;
    level_check(l, dem_particles_unpack(l->world, from, count, &grains));
    return grains;
}

uint64_t level_contacts(const level *l)
{
    dem_world_counts counts = {.struct_size = sizeof counts};
    level_check(l, dem_world_counts_get(l->world, &counts));
    return counts.contacts;
}

void level_counts(const level *l, double of[2])
{
    of[0] = (double)(l->in.all.count / LOAD);
    of[1] = (double)l->out.all.count;
}

/* Their paths are unwrapped with the period of the world, which exact sums round. */
void level_grains(level *l)
{
    uint64_t count;
    dem_particle_handle *own = own_handles(l, &count);
    for (uint64_t n = 0; n < count; ++n) {
        dem_particle p = {.struct_size = sizeof p};
        level_check(l, dem_particle_get(l->world, own[n], &p));
        grain g = {.id = p.id, .radius = p.radius, .mass = p.mass};
        memcpy(g.x, p.position, sizeof g.x);
        memcpy(g.v, p.velocity, sizeof g.v);
        memcpy(g.w, p.angular_velocity, sizeof g.w);
        (void)host_add(l->host, &g);
    }
    l->host->own = l->host->count;
    free(own);
}
