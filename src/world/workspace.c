/* SPDX-License-Identifier: MIT */
#ifndef _POSIX_C_SOURCE /* NOLINTNEXTLINE(bugprone-reserved-identifier): not a name of ours */
#define _POSIX_C_SOURCE 200809L
#endif
#include "world/workspace.h"

#include <sched.h>

enum { CACHE_LINE = 64 };

static uint64_t whole_lines(uint64_t bytes)
{
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

static demi_workspace *workspace_at(const demi_workspaces *workspaces, uint64_t k)
{
    unsigned char *first = workspaces->memory.data;
    return (demi_workspace *)(void *)(first + k * workspaces->size);
}

/* Of the arrays of chunk copies; there is an even number of rows. */
static const uint64_t copied_bytes[] = {32, 64, 64};

/* Gives the workspace's memory to its parts. */
static void workspace_lay(demi_workspace *workspace, uint64_t chunk_copies, uint32_t state)
{
    unsigned char *at = (unsigned char *)workspace + whole_lines(sizeof *workspace);
    atomic_flag_clear(&workspace->taken);
    workspace->reading.count = 0;
    workspace->reading.contact = workspace->contact;
    workspace->lanes = (demi_lanes *)at;
    at += whole_lines(sizeof(demi_lanes));
    workspace->lanes->state = (demi_lane_array *)at;
    at += whole_lines(state * sizeof(demi_lane_array));
    double **const rows[] = {&workspace->chunk_copy.position, &workspace->chunk_copy.velocity,
                             &workspace->chunk_copy.velocity_t0};
    for (int k = 0; k < 3; ++k) {
        *rows[k] = (double *)(void *)at;
        at += chunk_copies * copied_bytes[k];
    }
    workspace->sums = (demi_exact_row *)(void *)at;
}

dem_status demi_workspaces_reserve(demi_context *context, demi_workspaces *workspaces,
                                   uint64_t count, uint64_t chunk_copies, uint64_t sums,
                                   uint32_t state)
{
    count = count < DEMI_WORKSPACES_MOST ? count : DEMI_WORKSPACES_MOST;
    count = count > workspaces->count ? count : workspaces->count;
    chunk_copies = chunk_copies > workspaces->chunk_copies ? (chunk_copies + 1) / 2 * 2
                                                           : workspaces->chunk_copies;
    sums = sums > workspaces->sums ? sums : workspaces->sums;
    state = state > workspaces->state ? state : workspaces->state;
    /* an odd number of lines, so that workspaces do not compete for the same places of a cache */
    const uint64_t size = (whole_lines(sizeof(demi_workspace)) + whole_lines(sizeof(demi_lanes)) +
                           whole_lines(state * sizeof(demi_lane_array)) +
                           chunk_copies * (copied_bytes[0] + copied_bytes[1] + copied_bytes[2]) +
                           whole_lines(sums * sizeof(demi_exact_row))) |
                          CACHE_LINE;
    const dem_status status =
        demi_array_reserve(context, &workspaces->memory, count * size, 0, "working memory");
    if (status != DEM_OK)
        return status;
    workspaces->count = count;
    workspaces->size = size;
    workspaces->chunk_copies = chunk_copies;
    workspaces->sums = sums;
    workspaces->state = state;
    for (uint64_t k = 0; k < count; ++k)
        workspace_lay(workspace_at(workspaces, k), chunk_copies, state);
    return DEM_OK;
}

demi_workspace *demi_workspace_try(demi_workspaces *workspaces, uint64_t hint)
{
    if (workspaces->count == 0)
        return NULL;
    demi_workspace *workspace =
        workspace_at(workspaces, workspaces->count > 1 ? hint % workspaces->count : 0);
    const int taken = atomic_flag_test_and_set_explicit(&workspace->taken, memory_order_acquire);
    return taken ? NULL : workspace;
}

demi_workspace *demi_workspace_ask(demi_workspaces *workspaces, uint64_t hint)
{
    enum { ROUNDS = 1 << 12 };
    if (workspaces->count == 0) /* none will be free: the world has not made a step */
        return NULL;
    for (int round = 0; round < ROUNDS; ++round) {
        for (uint64_t k = 0; k < workspaces->count; ++k) {
            demi_workspace *workspace = workspace_at(workspaces, (hint + k) % workspaces->count);
            if (!atomic_flag_test_and_set_explicit(&workspace->taken, memory_order_acquire))
                return workspace;
        }
        sched_yield();
    }
    return NULL;
}

demi_workspace *demi_workspace_take(demi_workspaces *workspaces, uint64_t hint)
{
    for (uint64_t k = hint % workspaces->count;; k = (k + 1) % workspaces->count) {
        demi_workspace *workspace = workspace_at(workspaces, k);
        if (!atomic_flag_test_and_set_explicit(&workspace->taken, memory_order_acquire))
            return workspace;
        if (k + 1 == workspaces->count)
            sched_yield();
    }
}

void demi_workspace_return(demi_workspace *workspace)
{
    atomic_flag_clear_explicit(&workspace->taken, memory_order_release);
}
