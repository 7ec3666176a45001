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

static void order_free(level *l)
{
    free(l->ghost);
    free(l->seen);
    mail_free(&l->in);
    mail_free(&l->out);
}

void level_end(level *l)
{
    dem_world_destroy(l->world);
    order_free(l);
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

static dem_particle_handle *handles_of(const level *l, const uint64_t *ids, uint64_t count)
{
    dem_particle_handle *handles = host_memory(NULL, count, sizeof *handles);
    for (uint64_t n = 0; n < count; ++n)
        handles[n] = handle_of(l, ids[n]);
    return handles;
}

/* ------------------------------------------------------------------ new owners, new ghosts */

/* Of each rank, ids: of grains that go there, and of those that it will see as ghosts. */
static void find_border(const level *l, bytes *leaving, bytes *shown)
{
    const host *h = l->host;
    const dem_view view = level_rows(l);
    for (uint64_t row = 0; row < view.count; ++row) {
        seer seers[HOST_SEERS];
        const uint64_t id = view.id[row];
        const int count = id != 0 ? host_seers(h, level_row(&view, row), seers) : 0;
        if (count > 0 && seers[0].rank != h->rank)
            (void)bytes_add(&leaving[seers[0].rank], &id, sizeof id);
        for (int k = 1; k < count; ++k) {
            int known = 0; /* a world has a ghost once, and finds its images */
            for (int n = 0; n < k; ++n)
                known |= seers[n].rank == seers[k].rank;
            if (!known)
                (void)bytes_add(&shown[seers[k].rank], &id, sizeof id);
        }
    }
}

static void pack(const level *l, const dem_particle_handle *some, uint64_t count, bytes *to)
{
    uint64_t size = 0;
    level_check(l, dem_particles_pack(l->world, count, some, NULL, 0, &size));
    level_check(l,
                dem_particles_pack(l->world, count, some, bytes_add(to, NULL, size), size, NULL));
}

/* Grains go to the ranks of their places, with their contacts. They are ghosts here from now on. */
static mail leave(level *l, bytes *leaving)
{
    host *h = l->host;
    bytes *packed = host_lists(h);
    for (int rank = 0; rank < h->ranks; ++rank) {
        const uint64_t count = leaving[rank].count / sizeof(uint64_t);
        dem_particle_handle *some = handles_of(l, leaving[rank].data, count);
        if (count > 0) {
            pack(l, some, count, &packed[rank]);
            level_check(l, dem_particles_release(l->world, count, some));
            h->sent += count;
        }
        free(some);
    }
    host_lists_free(h, leaving);
    return host_lists_send(h, packed);
}

/* Each rank gets its ghosts. */
static mail show(const level *l, bytes *shown)
{
    const host *h = l->host;
    bytes *ghosts = host_lists(h);
    for (int rank = 0; rank < h->ranks; ++rank) {
        const uint64_t count = shown[rank].count / sizeof(uint64_t);
        dem_particle_handle *some = handles_of(l, shown[rank].data, count);
        dem_ghost *to = bytes_add(&ghosts[rank], NULL, count * sizeof *to);
        for (uint64_t n = 0; n < count; ++n)
            to[n].struct_size = sizeof *to;
        level_check(l, dem_ghosts_get(l->world, count, some, to));
        free(some);
    }
    host_lists_free(h, shown);
    return host_lists_send(h, ghosts);
}

/* Tells owners which of theirs are ghosts here, and learns the same: forces travel in this order
 * from now on. */
static void agree(level *l, const dem_ghost *ghosts, uint64_t count)
{
    host *h = l->host;
    bytes *ids = host_lists(h);
    for (uint64_t n = 0; n < count; ++n)
        (void)bytes_add(&ids[host_rank_at(h, ghosts[n].position)], &ghosts[n].id,
                        sizeof ghosts[n].id);
    mail ask = host_lists_join(h, ids), asked = mail_send(h, &ask);
    order_free(l);
    l->ghost = handles_of(l, ask.data, ask.count / sizeof(uint64_t));
    l->seen = handles_of(l, asked.data, asked.count / sizeof(uint64_t));
    l->in = mail_like(h, &ask, sizeof(uint64_t), LOAD);
    l->out = mail_like(h, &asked, sizeof(uint64_t), LOAD);
    mail_free(&ask);
    mail_free(&asked);
}

static void settle(level *l)
{
    host *h = l->host;
    bytes *leaving = host_lists(h), *shown = host_lists(h);
    find_border(l, leaving, shown);
    mail grains = leave(l, leaving), ghosts = show(l, shown);
    const dem_ghost *list = ghosts.data;
    const uint64_t count = ghosts.count / sizeof *list;
    /* a rank alone lacks no ghost, wherever its grains go */
    const double margin = h->ranks > 1 ? level_reach : (double)INFINITY;
    level_check(l, dem_ghosts_set(l->world, count, list, margin, NULL));
    for (int rank = 0; rank < h->ranks; ++rank)
        if (grains.size[rank] > 0)
            level_check(l, dem_particles_unpack(l->world, (char *)grains.data + grains.begin[rank],
                                                (uint64_t)grains.size[rank], NULL));
    agree(l, list, count);
    level_check(l, dem_world_rebuild_order(l->world));
    ++h->rebuilds;
    mail_free(&grains);
    mail_free(&ghosts);
}

/* ------------------------------------------------------------------ a step */

static void half_steps(level *l, double dt)
{
    (void)scene_clock(TIME_FORCES);
    /* where one rank fails, host_fail ends all; a host that goes on would let the others call
     * dem_step_cancel */
    level_check(l, dem_step_begin(l->world, dt));
    (void)scene_clock(TIME_EXCHANGE);
    level_check(l, dem_particles_forces_get(l->world, l->out.count / LOAD, l->seen, l->out.data));
    mail_exchange(&l->out, &l->in);
    level_check(l, dem_ghosts_forces_set(l->world, l->in.count / LOAD, l->ghost, l->in.data));
    (void)scene_clock(TIME_FORCES);
    level_check(l, dem_step_end(l->world));
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
    (void)scene_clock(TIME_EXCHANGE);
    const int mine = dem_ghosts_wanted(l->world) || dem_world_rebuild_wanted(l->world);
    if (host_any(mine) && l->host->ranks > 1) {
        (void)scene_clock(TIME_REBUILD);
        settle(l);
    }
    if (l->fluid > 0 && l->host->steps % (uint64_t)l->fluid == 0)
        fluid_step(l);
    half_steps(l, DT);
}

/* ------------------------------------------------------------------ restart, end */

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

uint64_t level_write(level *l, bytes *to)
{
    uint64_t count;
    dem_particle_handle *own = own_handles(l, &count);
    pack(l, own, count, to);
    free(own);
    return count;
}

uint64_t level_read(level *l, const void *from, uint64_t size)
{
    uint64_t count = 0;
    level_check(l, dem_particles_unpack(l->world, from, size, &count));
    return count;
}

/* Paths are unwrapped with the period of the world, which exact sums round. */
void level_report(const level *l, report *r)
{
    dem_world_counts counts = {.struct_size = sizeof counts};
    uint64_t count;
    dem_particle_handle *own = own_handles(l, &count);
    level_check(l, dem_world_counts_get(l->world, &counts));
    r->grains = (double)count;
    r->contacts = (double)counts.contacts;
    r->ghosts = (double)counts.ghosts;
    r->bytes = (double)l->out.count;
    for (uint64_t n = 0; n < count; ++n) {
        dem_particle p = {.struct_size = sizeof p};
        level_check(l, dem_particle_get(l->world, own[n], &p));
        grain g = {.id = p.id};
        memcpy(g.x, p.position, sizeof g.x);
        memcpy(g.v, p.velocity, sizeof g.v);
        memcpy(g.w, p.angular_velocity, sizeof g.w);
        r->hash += scene_hash(&g);
    }
    free(own);
}
