/* SPDX-License-Identifier: MIT */
/* Level 1: the host owns grains, ghosts and time; libdem computes contacts, in one history with
 * grains and in another one with the floor. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

#define FLOOR_ID UINT64_C(0xFFFFFFFF) /* no grain has it */

/* A restart makes lists anew. So all runs do at these steps, and a state is written at them. */
enum { AGREED = 250 };

const char level_name[] = "level1";
const double level_reach = 0.2;
const int level_shares = 1;

struct level {
    host *host;
    dem_contact_history *history[2];  /* with grains, with the floor */
    double (*force)[3], (*torque)[3]; /* of own grains */
    double *radius, *mass;            /* packed, of all rows and the floor */
    uint64_t *id;
    uint32_t (*floor)[2]; /* grains that are near the floor, and the floor */
    uint64_t floor_pairs;
    double *overlap, *star, (*normal)[3], (*point)[3]; /* of these pairs */
    dem_contact_totals totals;
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
    memset(l, 0, sizeof *l);
    if (o->fluid > 0)
        host_fail("fluid", "is for level 2");
    l->host = h;
    scene_model(o->law, &model);
    scene_check(dem_contact_history_config_init(&config), "history");
    if (o->exact) {
        config.sums = DEM_SUMS_EXACT;
        config.force_range = config.torque_range = 1e5;
    }
    for (int k = 0; k < 2; ++k) {
        scene_check(dem_contact_history_create(&config, &l->history[k], NULL), "history");
        check(l->history[k], dem_contact_history_model_set(l->history[k], 0, 0, &model));
    }
    return l;
}

void level_end(level *l)
{
    void *memory[] = {l->force,   l->torque, l->radius, l->mass,  l->id,
                      l->overlap, l->star,   l->normal, l->point, l->floor};
    for (size_t k = 0; k < sizeof memory / sizeof memory[0]; ++k)
        free(memory[k]);
    dem_contact_history_destroy(l->history[0]);
    dem_contact_history_destroy(l->history[1]);
    free(l);
}

void level_add(level *l, const grain *g)
{
    (void)host_add(l->host, g);
    l->host->own = l->host->count;
}

void level_begin(level *l, int restarted)
{
    (void)l; /* lists are made in the first step */
    (void)restarted;
}

/* ------------------------------------------------------------------ contacts travel */

/* Contacts go with their grains: those with grains, then those with the floor. */
static void pack(void *user, const uint64_t *ids, uint64_t count, bytes *to)
{
    const level *l = user;
    for (int k = 0; k < 2; ++k) {
        dem_contact_history *h = l->history[k];
        uint64_t size = 0;
        check(h, dem_contact_history_pack(h, count, ids, NULL, 0, &size));
        (void)bytes_add(to, &size, sizeof size);
        unsigned char *at = bytes_add(to, NULL, size);
        check(h, dem_contact_history_pack(h, count, ids, at, size, NULL));
    }
}

static void unpack(void *user, const unsigned char *from, uint64_t count)
{
    const level *l = user;
    for (int k = 0; k < 2; ++k) {
        uint64_t size = 0;
        memcpy(&size, from, sizeof size);
        if (size + sizeof size > count)
            host_fail("message", "it is cut off");
        from += sizeof size;
        check(l->history[k], dem_contact_history_unpack(l->history[k], from, size));
        from += size;
        count -= sizeof size + size;
    }
}

uint64_t level_write(level *l, bytes *to)
{
    const host *h = l->host;
    uint64_t *ids = host_memory(NULL, h->own, sizeof *ids);
    if (h->done % AGREED != 0)
        host_fail("steps", "a state is written after a multiple of 250 steps");
    for (uint64_t n = 0; n < h->own; ++n)
        ids[n] = h->grain[n].id;
    (void)bytes_add(to, &h->own, sizeof h->own);
    (void)bytes_add(to, h->grain, h->own * sizeof *h->grain);
    pack(l, ids, h->own, to);
    free(ids);
    return h->own;
}

uint64_t level_read(level *l, const unsigned char *from, uint64_t count)
{
    uint64_t own = 0, begin = sizeof own;
    if (count >= begin)
        memcpy(&own, from, sizeof own);
    if (own * sizeof(grain) + begin > count)
        host_fail("state", "it is cut off");
    for (uint64_t n = 0; n < own; ++n, begin += sizeof(grain)) {
        grain g;
        memcpy(&g, from + begin, sizeof g);
        level_add(l, &g);
    }
    unpack(l, from + begin, count - begin);
    return own;
}

/* ------------------------------------------------------------------ lists */

/* What both histories read: rows of grains and ghosts, and forces of own rows. */
static void input_fill(const level *l, dem_contacts_input *in)
{
    grain *g = l->host->grain;
    scene_check(dem_contacts_input_init(in), "input");
    in->particle_count = l->host->count;
    in->ghost_count = l->host->count - l->host->own;
    in->id = l->id;
    in->radius = l->radius;
    in->mass = l->mass;
    in->position = g->x;
    in->velocity = g->v;
    in->angular_velocity = g->w;
    in->acceleration = g->a;
    in->angular_acceleration = g->wa;
    in->position_stride = in->velocity_stride = in->angular_velocity_stride =
        in->acceleration_stride = in->angular_acceleration_stride = sizeof *g;
    in->force = l->force[0];
    in->torque = l->torque[0];
    in->dt = DT;
    in->velocity_lag = 0.5 * DT;
}

/* The floor is one more row behind the ghosts, which nobody owns. */
static void floor_input_fill(level *l, dem_contacts_input *in)
{
    const grain plane = {.id = FLOOR_ID, .radius = 1.0, .mass = 1e30};
    (void)host_add(l->host, &plane);
    input_fill(l, in);
    l->host->count--;
    in->pairs = l->floor[0];
    in->pair_count = l->floor_pairs;
}

static void rows_make(level *l)
{
    const host *h = l->host;
    const uint64_t rows = h->count + 1;
    l->force = host_memory(l->force, rows, sizeof *l->force);
    l->torque = host_memory(l->torque, rows, sizeof *l->torque);
    l->radius = host_memory(l->radius, rows, sizeof *l->radius);
    l->mass = host_memory(l->mass, rows, sizeof *l->mass);
    l->id = host_memory(l->id, rows, sizeof *l->id);
    l->floor = host_memory(l->floor, h->own, sizeof *l->floor);
    l->overlap = host_memory(l->overlap, h->own, sizeof *l->overlap);
    l->star = host_memory(l->star, h->own, sizeof *l->star);
    l->normal = host_memory(l->normal, h->own, sizeof *l->normal);
    l->point = host_memory(l->point, h->own, sizeof *l->point);
    for (uint64_t n = 0; n < h->count; ++n) {
        l->id[n] = h->grain[n].id;
        l->radius[n] = h->grain[n].radius;
        l->mass[n] = h->grain[n].mass;
    }
    l->id[h->count] = FLOOR_ID;
    l->radius[h->count] = 1.0;
    l->mass[h->count] = 1e30;
}

/* All ranks do so in the same step, or none. */
static void lists_make(level *l)
{
    host *h = l->host;
    const host_cargo cargo = {l, pack, unpack};
    dem_contacts_input in;
    host_migrate(h, &cargo);
    host_ghosts(h);
    host_list(h);
    rows_make(l);
    input_fill(l, &in);
    in.pair_count = h->pairs;
    in.pairs = h->pair[0];
    in.shifts = h->shifts[0];
    in.images = h->images[0];
    check(l->history[0], dem_contacts_list_begin(l->history[0], &in));
    l->floor_pairs = 0;
    for (uint32_t n = 0; n < h->own; ++n)
        if (h->grain[n].x[2] < h->grain[n].radius + 0.5 * level_reach) {
            l->floor[l->floor_pairs][0] = n;
            l->floor[l->floor_pairs++][1] = (uint32_t)h->count;
        }
    floor_input_fill(l, &in);
    check(l->history[1], dem_contacts_list_begin(l->history[1], &in));
}

/* ------------------------------------------------------------------ a step */

static void evaluate(level *l)
{
    const host *h = l->host;
    dem_contacts_input in;
    dem_contacts_geometry geometry;
    memset(l->force, 0, (size_t)h->own * sizeof *l->force);
    memset(l->torque, 0, (size_t)h->own * sizeof *l->torque);
    input_fill(l, &in);
    l->totals = (dem_contact_totals){.struct_size = sizeof l->totals};
    check(l->history[0], dem_contacts_list_evaluate(l->history[0], &in, &l->totals));
    for (uint64_t k = 0; k < l->floor_pairs; ++k) {
        const grain *g = &h->grain[l->floor[k][0]];
        const double normal[3] = {0.0, 0.0, 1.0}, point[3] = {g->x[0], g->x[1], 0.0};
        l->overlap[k] = g->radius - g->x[2];
        l->star[k] = g->radius;
        memcpy(l->normal[k], normal, sizeof normal);
        memcpy(l->point[k], point, sizeof point);
    }
    scene_check(dem_contacts_geometry_init(&geometry), "floor");
    geometry.overlap = l->overlap;
    geometry.normal = l->normal[0];
    geometry.point = l->point[0];
    geometry.radius = l->star;
    floor_input_fill(l, &in);
    check(l->history[1], dem_contacts_list_evaluate_geometry(l->history[1], &in, &geometry, NULL));
}

static void kick(host *h)
{
    for (uint64_t n = 0; n < h->own; ++n)
        for (int c = 0; c < 3; ++c) {
            h->grain[n].v[c] += h->grain[n].a[c] * (0.5 * DT);
            h->grain[n].w[c] += h->grain[n].wa[c] * (0.5 * DT);
        }
}

void level_step(level *l)
{
    host *h = l->host;
    kick(h);
    for (uint64_t n = 0; n < h->own; ++n)
        for (int c = 0; c < 3; ++c)
            h->grain[n].x[c] += h->grain[n].v[c] * DT;
    host_book(h, TIME_FORCES);
    const int agreed = h->done % AGREED == 0, anew = agreed || host_expired(h, level_reach);
    host_book(h, TIME_EXCHANGE);
    if (anew)
        lists_make(l);
    else
        host_ghosts_refresh(h);
    host_book(h, anew ? TIME_REBUILD : TIME_EXCHANGE);
    evaluate(l);
    for (uint64_t n = 0; n < h->own; ++n) {
        grain *g = &h->grain[n];
        for (int c = 0; c < 3; ++c) {
            g->a[c] = l->force[n][c] / g->mass - (c == 2 ? GRAVITY : 0.0);
            g->wa[c] = l->torque[n][c] / (0.4 * g->mass * g->radius * g->radius);
        }
    }
    kick(h);
    host_book(h, TIME_FORCES);
}

uint64_t level_contacts(const level *l)
{
    return l->totals.contacts;
}

void level_counts(const level *l, double of[2])
{
    of[0] = (double)(l->host->count - l->host->own);
    of[1] = of[0] * sizeof(grain);
}

void level_grains(level *l)
{
    (void)l; /* the host has them */
}
