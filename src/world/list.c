/* SPDX-License-Identifier: MIT */
/* Rebuild of the neighbour list: particles are sorted in space, cut into chunks, and pairs that may
 * touch before the next rebuild are listed with room for their state. All of it is made beside the
 * old list and exchanged when nothing can fail any more. */
#include "world/list.h"

#include "world/drift.h"
#include "world/flight.h"

#include <string.h>

/* For each row the halo rows that other chunks keep for it, in the order of the chunks. */
dem_status demi_list_incoming(demi_list_build *b)
{
    demi_list *next = b->next;
    dem_status status =
        demi_list_room(b, &next->incoming_begin, (b->rows + 2) * sizeof(uint32_t), 0);
    if (status == DEM_OK)
        status = demi_list_room(b, &next->incoming,
                                (next->halos + DEMI_INCOMING_AHEAD) * sizeof(demi_incoming), 0);
    if (status != DEM_OK)
        return status;
    uint32_t *begin = next->incoming_begin.data;
    demi_incoming *incoming = next->incoming.data;
    const uint32_t *target = next->target.data;
    memset(begin, 0, (size_t)(b->rows + 2) * sizeof(uint32_t));
    for (uint64_t h = 0; h < next->halos; ++h)
        if ((target[h] & DEMI_WALL_BIT) == 0)
            begin[target[h] + 2]++;
    for (uint64_t k = 2; k < b->rows + 2; ++k)
        begin[k] += begin[k - 1];
    for (uint64_t h = 0; h < next->halos; ++h)
        if ((target[h] & DEMI_WALL_BIT) == 0)
            incoming[begin[target[h] + 1]++] = (demi_incoming){target[h], (uint32_t)h};
    memset(&incoming[begin[b->rows]], 0, DEMI_INCOMING_AHEAD * sizeof *incoming);
    return DEM_OK;
}

static void permute_external(demi_list_build *b, demi_buffer *rows)
{
    dem_world *w = b->w;
    if (rows->data == NULL)
        return;
    const uint32_t *order = w->scratch_order.data;
    demi_row *to = demi_rows(&w->external_next);
    for (uint64_t row = 0; row < b->rows; ++row)
        memcpy(to[row], demi_rows(rows)[order[row]], sizeof(demi_row));
    const demi_buffer exchanged = *rows;
    *rows = w->external_next;
    w->external_next = exchanged;
}

/* Walls have their state of now on both sides, and places of removed ones become free. */
static void settle_walls(dem_world *w)
{
    demi_wall *walls = w->wall.data;
    const int now = w->front, next = now ^ 1;
    for (uint64_t k = 0; k < w->walls; ++k) {
        memcpy(walls[k].built, walls[k].point[now], sizeof walls[k].built);
        memcpy(walls[k].point[next], walls[k].point[now], sizeof walls[k].point[now]);
        memcpy(walls[k].force[next], walls[k].force[now], sizeof walls[k].force[now]);
        walls[k].vacant = walls[k].id == 0;
    }
}

static void take_over(demi_list_build *b)
{
    dem_world *w = b->w;
    permute_external(b, &w->external_force);
    permute_external(b, &w->external_torque);
    settle_walls(w);
    const demi_buffer bodies = w->body;
    w->body = w->body_next;
    w->body_next = bodies;
    const demi_list list = w->list;
    w->list = w->list_next;
    w->list_next = list;
    w->front ^= 1;
    w->rows = b->rows;
    w->skin = b->skin;
    w->list_age = 0.0;
    demi_list_name_rows(w);
    demi_model **retired = w->retired.data;
    for (uint64_t k = 0; k < w->retired_count; ++k)
        demi_model_free(&w->context, retired[k]);
    w->retired_count = 0;
    w->list_stale = 0;
    w->generation++;
    w->rebuilds++;
    demi_log(&w->context, DEM_LOG_INFO, "list rebuilt: %llu particles, %llu pairs, skin %g m",
             (unsigned long long)w->rows, (unsigned long long)w->list.pairs, w->skin);
}

/* One for each thread that may work on chunks. A host's executor does not tell how many it has:
 * half as many as chunks suffice, since who has one chunk less to do waits anyway. */
static uint64_t desks_wanted(const dem_world *w, const demi_list *list)
{
    if (w->config.executor.run == NULL)
        return 1;
    const uint64_t most = list->chunks > 0 ? list->chunks : 1;
    const uint64_t threads = w->pool != NULL ? (uint64_t)w->config.threads : (most + 1) / 2;
    return threads < most ? threads : most;
}

static uint32_t widest_state(const demi_list *list)
{
    const demi_run *run = list->run.data;
    uint32_t most = 0;
    for (uint64_t k = 0; k < list->runs; ++k)
        most = run[k].state_stride > most ? run[k].state_stride : most;
    return most;
}

/* Room for what the phases of a step need with the new list. */
dem_status demi_list_step_room(demi_list_build *b)
{
    dem_world *w = b->w;
    demi_list *next = b->next;
    dem_status status = demi_list_room(b, &next->halo, next->halos * sizeof(demi_load), 0);
    if (status == DEM_OK)
        status = demi_list_room(b, &w->report, next->chunks * sizeof(demi_report), 0);
    const uint64_t external = w->external_force.size > w->external_torque.size
                                  ? w->external_force.size
                                  : w->external_torque.size;
    if (status == DEM_OK && external > 0)
        status = demi_list_room(b, &w->external_next, external, 0);
    if (status == DEM_OK && external > 0 && next->pairs == 0)
        status = demi_flight_room(w, next->chunks);
    if (status == DEM_OK)
        status = demi_desks_reserve(b->context, &w->desks, desks_wanted(w, next), next->halo_most,
                                    widest_state(next));
    return status;
}

dem_status demi_world_rebuild(dem_world *w, double motion)
{
    demi_list_build b;
    memset(&b, 0, sizeof b);
    b.w = w;
    b.context = &w->context;
    b.next = &w->list_next;
    dem_status status = demi_list_grid(&b, motion);
    if (status == DEM_OK)
        status = demi_list_sort(&b);
    if (status == DEM_OK)
        status = demi_list_permute(&b);
    if (status == DEM_OK)
        status = demi_list_pairs(&b);
    if (status == DEM_OK)
        status = demi_list_runs(&b);
    if (status == DEM_OK)
        status = demi_list_incoming(&b);
    if (status == DEM_OK)
        status = demi_nears_make(w, b.next, b.cutoff);
    if (status == DEM_OK)
        status = demi_list_step_room(&b);
    if (status == DEM_OK)
        status = demi_list_transfer(&b);
    b.next->reach = b.reach;
    if (status == DEM_OK)
        take_over(&b);
    return status;
}
