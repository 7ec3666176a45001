/* SPDX-License-Identifier: MIT */
#ifndef _POSIX_C_SOURCE /* NOLINTNEXTLINE(bugprone-reserved-identifier): not a name of ours */
#define _POSIX_C_SOURCE 200809L
#endif
#include "world/desk.h"

#include <sched.h>

enum { LINE = 64 };

static uint64_t whole_lines(uint64_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static demi_desk *desk_at(const demi_desks *desks, uint64_t k)
{
    return (demi_desk *)((unsigned char *)desks->memory.data + k * desks->size);
}

/* Of the parts of demi_halo_rows; there is an even number of rows. */
static const uint64_t halo_bytes[] = {32, 64, 64};

/* Gives the desk's memory to its parts. */
static void desk_lay(demi_desk *desk, uint64_t halos, uint32_t state)
{
    unsigned char *at = (unsigned char *)desk + whole_lines(sizeof *desk);
    atomic_flag_clear(&desk->taken);
    desk->lanes = (demi_lanes *)at;
    at += whole_lines(sizeof(demi_lanes));
    desk->lanes->state = (demi_plane *)at;
    at += whole_lines(state * sizeof(demi_plane));
    double **const rows[] = {&desk->halo.position, &desk->halo.motion, &desk->halo.motion_now};
    for (int k = 0; k < 3; ++k) {
        *rows[k] = (double *)(void *)at;
        at += halos * halo_bytes[k];
    }
}

dem_status demi_desks_reserve(demi_context *context, demi_desks *desks, uint64_t count,
                              uint64_t halos, uint32_t state)
{
    count = count < DEMI_DESKS_MOST ? count : DEMI_DESKS_MOST;
    count = count > desks->count ? count : desks->count;
    halos = halos > desks->halos ? (halos + 1) / 2 * 2 : desks->halos;
    state = state > desks->state ? state : desks->state;
    /* an odd number of lines, so that desks do not compete for the same places of a cache */
    const uint64_t size = (whole_lines(sizeof(demi_desk)) + whole_lines(sizeof(demi_lanes)) +
                           whole_lines(state * sizeof(demi_plane)) +
                           halos * (halo_bytes[0] + halo_bytes[1] + halo_bytes[2])) |
                          LINE;
    const dem_status status =
        demi_buffer_reserve(context, &desks->memory, count * size, 0, "working memory");
    if (status != DEM_OK)
        return status;
    desks->count = count;
    desks->size = size;
    desks->halos = halos;
    desks->state = state;
    for (uint64_t k = 0; k < count; ++k)
        desk_lay(desk_at(desks, k), halos, state);
    return DEM_OK;
}

demi_desk *demi_desk_take(demi_desks *desks, uint64_t hint)
{
    for (uint64_t k = hint % desks->count;; k = (k + 1) % desks->count) {
        demi_desk *desk = desk_at(desks, k);
        if (!atomic_flag_test_and_set_explicit(&desk->taken, memory_order_acquire))
            return desk;
        if (k + 1 == desks->count)
            sched_yield();
    }
}

void demi_desk_return(demi_desk *desk)
{
    atomic_flag_clear_explicit(&desk->taken, memory_order_release);
}
