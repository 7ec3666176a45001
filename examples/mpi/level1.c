/* SPDX-License-Identifier: MIT */
/* Level 1: the host owns grains, ghosts and time; libdem computes contacts, in one history with
 * grains and in another one with the floor. */
#include "floor.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

/* A restart makes lists anew. So all runs do at these steps, and a state is written at them. */
enum { AGREED = 250 };

enum { GRAINS, FLOOR, HISTORIES };

const char level_name[] = "level1";
const double level_reach = 0.2;
const int level_shares = 1;

struct level {
    host *host;
    grains s;
    dem_contact_history *history[HISTORIES];
    dem_contact_totals totals;
    double (*force)[3], (*torque)[3]; /* of own grains */
    double *radius, *mass;            /* packed, of all rows and the floor */
    uint64_t *id;
    floor_contacts floor;
};

static void check(const dem_contact_history *history, dem_status status)
{
    scene_check(status, dem_contact_history_error(history));
}

level *level_start(host *h, const options *o)
{
    level *l = host_memory(NULL, 1, sizeof *l);
    dem_contact_history_config config;
    dem_contact_model model;
    if (o->fluid > 0)
        host_fail("fluid", "is for level 2");
    memset(l, 0, sizeof *l);
    l->host = h;
    l->s.host = h;
    scene_model(o->law, &model);
    scene_check(dem_contact_history_config_init(&config), "history");
    if (o->exact) {
        config.sums = DEM_SUMS_EXACT;
        config.force_range = config.torque_range = 1e5;
    }
    for (int k = 0; k < HISTORIES; ++k) {
        scene_check(dem_contact_history_create(&config, &l->history[k], NULL), "history");
        check(l->history[k], dem_contact_history_model_set(l->history[k], 0, 0, &model));
    }
    return l;
}

void level_end(level *l)
{
    void *memory[] = {l->force, l->torque, l->radius, l->mass, l->id};
    for (size_t k = 0; k < sizeof memory / sizeof memory[0]; ++k)
        free(memory[k]);
    for (int k = 0; k < HISTORIES; ++k)
        dem_contact_history_destroy(l->history[k]);
    floor_free(&l->floor);
    grains_free(&l->s);
    free(l);
}

void level_add(level *l, const grain *g)
{
    grains_add(&l->s, g);
    l->s.own = l->s.count;
}

void level_begin(level *l, int restarted)
{
    (void)l; /* lists are made in the first step */
    (void)restarted;
}

/* ------------------------------------------------------------------ grains travel */

/* Grains, then their contacts with grains, then those with the floor. */
static void pack(const level *l, const uint64_t *rows, uint64_t count, bytes *to)
{
    uint64_t *ids = host_memory(NULL, count, sizeof *ids);
    (void)bytes_add(to, &count, sizeof count);
    for (uint64_t n = 0; n < count; ++n) {
        (void)bytes_add(to, &l->s.row[rows[n]], sizeof(grain));
        ids[n] = l->s.row[rows[n]].id;
    }
    for (int k = 0; k < HISTORIES; ++k) {
        dem_contact_history *h = l->history[k];
        uint64_t size = 0;
        check(h, dem_contact_history_pack(h, count, ids, NULL, 0, &size));
        (void)bytes_add(to, &size, sizeof size);
        void *at = bytes_add(to, NULL, size);
        check(h, dem_contact_history_pack(h, count, ids, at, size, NULL));
    }
    free(ids);
}

uint64_t level_read(level *l, const void *from, uint64_t size)
{
    const unsigned char *at = from, *end = at + size;
    uint64_t count;
    grain g;
    memcpy(&count, bytes_take(&at, end, sizeof count), sizeof count);
    for (uint64_t n = 0; n < count; ++n) {
        memcpy(&g, bytes_take(&at, end, sizeof g), sizeof g);
        level_add(l, &g);
    }
    for (int k = 0; k < HISTORIES; ++k) {
        memcpy(&size, bytes_take(&at, end, sizeof size), sizeof size);
        const void *contacts = bytes_take(&at, end, size);
        check(l->history[k], dem_contact_history_unpack(l->history[k], contacts, size));
    }
    return count;
}

uint64_t level_write(level *l, bytes *to)
{
    uint64_t *rows = host_memory(NULL, l->s.own, sizeof *rows);
    if (l->host->steps % AGREED != 0)
        host_fail("steps", "a state is written after a multiple of 250 steps");
    for (uint64_t n = 0; n < l->s.own; ++n)
        rows[n] = n;
    pack(l, rows, l->s.own, to);
    free(rows);
    return l->s.own;
}

/* Own grains go to the ranks of their places; ghosts go. */
static void migrate(level *l)
{
    host *h = l->host;
    grains *s = &l->s;
    bytes *rows = host_lists(h), *lists = host_lists(h);
    uint64_t kept = 0;
    grains_wrap(s);
    for (uint64_t n = 0; n < s->own; ++n)
        (void)bytes_add(&rows[host_rank_at(h, s->row[n].x)], &n, sizeof n);
    for (int rank = 0; rank < h->ranks; ++rank) {
        const uint64_t *some = rows[rank].data, count = rows[rank].count / sizeof *some;
        if (rank != h->rank && count > 0) {
            pack(l, some, count, &lists[rank]);
            h->sent += count;
        }
    }
    const uint64_t *stay = rows[h->rank].data;
    for (; kept < rows[h->rank].count / sizeof *stay; ++kept)
        s->row[kept] = s->row[stay[kept]];
    s->own = s->count = kept;
    mail in = host_lists_send(h, lists);
    for (int rank = 0; rank < h->ranks; ++rank)
        if (in.size[rank] > 0)
            (void)level_read(l, (char *)in.data + in.begin[rank], (uint64_t)in.size[rank]);
    host_lists_free(h, rows);
    mail_free(&in);
}

/* ------------------------------------------------------------------ lists */

/* Rows are grains, ghosts, and the floor, which nobody owns. */
static dem_contacts_input input_of(const level *l, int history)
{
    const grains *s = &l->s;
    const grain *g = s->row;
    dem_contacts_input in;
    scene_check(dem_contacts_input_init(&in), "input");
    in.particle_count = s->count + 1;
    in.ghost_count = s->count + 1 - s->own;
    in.id = l->id;
    in.radius = l->radius;
    in.mass = l->mass;
    in.position = g->x;
    in.velocity = g->v;
    in.angular_velocity = g->w;
    in.acceleration = g->a;
    in.angular_acceleration = g->wa;
    in.position_stride = in.velocity_stride = in.angular_velocity_stride = in.acceleration_stride =
        in.angular_acceleration_stride = sizeof *g;
    in.force = l->force[0];
    in.torque = l->torque[0];
    in.dt = DT;
    in.velocity_lag = 0.5 * DT;
    in.pair_count = history == FLOOR ? l->floor.count : s->pairs.count / sizeof(uint32_t[2]);
    in.pairs = history == FLOOR ? l->floor.pair[0] : s->pairs.data;
    in.shifts = history == FLOOR ? NULL : s->shifts.data;
    in.images = history == FLOOR ? NULL : s->images.data;
    return in;
}

static void rows_make(level *l)
{
    const grains *s = &l->s;
    l->force = host_memory(l->force, s->own, sizeof *l->force);
    l->torque = host_memory(l->torque, s->own, sizeof *l->torque);
    l->radius = host_memory(l->radius, s->count + 1, sizeof *l->radius);
    l->mass = host_memory(l->mass, s->count + 1, sizeof *l->mass);
    l->id = host_memory(l->id, s->count + 1, sizeof *l->id);
    for (uint64_t n = 0; n < s->count + 1; ++n) {
        l->id[n] = s->row[n].id;
        l->radius[n] = s->row[n].radius;
        l->mass[n] = s->row[n].mass;
    }
}

/* All ranks do so in the same step, or none. */
static void lists_make(level *l)
{
    /* an id above those of all grains: each contact counts where its grain is owned */
    const grain plane = {.id = UINT64_C(0xFFFFFFFF), .radius = 1.0, .mass = 1e30};
    migrate(l);
    grains_ghosts(&l->s);
    grains_list(&l->s);
    grains_add(&l->s, &plane); /* stays behind the others until the next lists */
    l->s.count--;
    rows_make(l);
    floor_list(&l->floor, &l->s, 0.5 * level_reach, l->s.count);
    for (int k = 0; k < HISTORIES; ++k) {
        const dem_contacts_input in = input_of(l, k);
        check(l->history[k], dem_contacts_list_begin(l->history[k], &in));
    }
    ++l->host->rebuilds;
}

/* ------------------------------------------------------------------ a step */

static void evaluate(level *l)
{
    const dem_contacts_input in = input_of(l, GRAINS), floor = input_of(l, FLOOR);
    dem_contacts_geometry geometry;
    memset(l->force, 0, (size_t)l->s.own * sizeof *l->force);
    memset(l->torque, 0, (size_t)l->s.own * sizeof *l->torque);
    l->totals = (dem_contact_totals){.struct_size = sizeof l->totals};
    check(l->history[GRAINS], dem_contacts_list_evaluate(l->history[GRAINS], &in, &l->totals));
    floor_geometry(&l->floor, &l->s, &geometry);
    check(l->history[FLOOR],
          dem_contacts_list_evaluate_geometry(l->history[FLOOR], &floor, &geometry, NULL));
}

static void kick(grains *s)
{
    for (uint64_t n = 0; n < s->own; ++n)
        for (int c = 0; c < 3; ++c) {
            s->row[n].v[c] += s->row[n].a[c] * (0.5 * DT);
            s->row[n].w[c] += s->row[n].wa[c] * (0.5 * DT);
        }
}

void level_step(level *l)
{
    grains *s = &l->s;
    kick(s);
    for (uint64_t n = 0; n < s->own; ++n)
        for (int c = 0; c < 3; ++c)
            s->row[n].x[c] += s->row[n].v[c] * DT;
    (void)scene_clock(TIME_EXCHANGE);
    if (l->host->steps % AGREED == 0 || grains_moved(s, level_reach)) {
        (void)scene_clock(TIME_REBUILD);
        lists_make(l);
    } else {
        grains_ghosts_refresh(s);
    }
    (void)scene_clock(TIME_FORCES);
    evaluate(l);
    for (uint64_t n = 0; n < s->own; ++n) {
        grain *g = &s->row[n];
        for (int c = 0; c < 3; ++c) {
            g->a[c] = l->force[n][c] / g->mass - (c == 2 ? GRAVITY : 0.0);
            g->wa[c] = l->torque[n][c] / (0.4 * g->mass * g->radius * g->radius);
        }
    }
    kick(s);
}

void level_report(const level *l, report *r)
{
    r->grains = (double)l->s.own;
    r->contacts = (double)l->totals.contacts;
    r->ghosts = (double)(l->s.count - l->s.own);
    r->bytes = (double)l->s.out.count;
    for (uint64_t n = 0; n < l->s.own; ++n)
        r->hash += scene_hash(&l->s.row[n]);
}
