/* SPDX-License-Identifier: MIT */
/* Contact forces of a world: all chunks, then what they report. */
#include "base/check.h"
#include "base/parallel.h"
#include "world/world.h"

#include <string.h>

DEMI_ISA_TABLE(demi_chunk_function, demi_chunk_contacts);

int32_t demi_world_frame(const dem_world *w)
{
    static const int32_t frames[] = {DEM_FRAME_SYNCHRONIZED, DEM_FRAME_IMPROVED, DEM_FRAME_STANDARD,
                                     DEM_FRAME_SYNCHRONIZED, DEM_FRAME_SYNCHRONIZED};
    return frames[w->config.integrator];
}

/* Motion of lane 0, where dashpots see the velocities of the positions' time. */
static void read_motion(demi_lanes *b, const double *vi, const double *vj, const double *wi,
                        const double *wj)
{
    for (int c = 0; c < 3; ++c) {
        b->velocity[c][0] = b->damping_velocity[c][0] = vi[c] - vj[c];
        b->spin_i[c][0] = b->damping_spin_i[c][0] = wi[c];
        b->spin_j[c][0] = b->damping_spin_j[c][0] = wj[c];
    }
}

static void read_spheres(const dem_world *w, uint64_t p, demi_lanes *b)
{
    const demi_ends ends = demi_ends_of(&w->list, p);
    const uint64_t i = ends.first ? ends.own : ends.other, j = ends.first ? ends.other : ends.own;
    const demi_row *x = demi_rows(&w->position[w->front]);
    const demi_motion *motion = demi_motions(&w->motion[w->front]);
    double vi[3], vj[3], wi[3], wj[3];
    demi_motion_now(w, i, vi, wi);
    demi_motion_now(w, j, vj, wj);
    for (int c = 0; c < 3; ++c) {
        const double period = w->config.box_high[c] - w->config.box_low[c];
        const int periods = demi_shift_periods(ends.shift, c);
        const double met = x[ends.other][c] + (periods != 0 ? periods * period : 0.0);
        const double d = x[ends.own][c] - met;
        b->offset[c][0] = ends.first ? d : -d;
    }
    read_motion(b, vi, vj, wi, wj);
    b->radius_i[0] = x[i][3];
    b->radius_j[0] = x[j][3];
    b->inverse_mass[0] = motion[i].velocity[3] + motion[j].velocity[3];
}

static void read_plane(const dem_world *w, uint64_t p, demi_lanes *b)
{
    static const double still[3] = {0.0, 0.0, 0.0};
    const demi_ends ends = demi_ends_of(&w->list, p);
    const demi_wall *wall = (const demi_wall *)w->wall.data + ends.other;
    const int first = ends.first;
    const uint64_t row = ends.own;
    const double *x = demi_rows(&w->position[w->front])[row];
    double v[3], s[3];
    demi_motion_now(w, row, v, s);
    b->gap_plane[0] = 0.0;
    for (int c = 0; c < 3; ++c) {
        b->gap_plane[0] += (x[c] - wall->point[w->front][c]) * wall->normal[c];
        b->offset[c][0] = first ? wall->normal[c] : -wall->normal[c];
    }
    read_motion(b, first ? v : wall->velocity, first ? wall->velocity : v, first ? s : still,
                first ? still : s);
    b->radius_i[0] = first ? x[3] : 0.0;
    b->radius_j[0] = first ? 0.0 : x[3];
    b->inverse_mass[0] = demi_motions(&w->motion[w->front])[row].velocity[3];
}

void demi_contact_read(const dem_world *w, const demi_run *run, uint64_t pair, demi_lanes *lanes)
{
    if (run->shape == DEMI_SHAPE_PLANE)
        read_plane(w, pair, lanes);
    else
        read_spheres(w, pair, lanes);
    const double *state = demi_pair_state(w, run, pair);
    const int live = ((const unsigned char *)w->list.live[w->front].data)[pair];
    lanes->alive_before[0] = live ? 1.0 : 0.0;
    for (uint32_t c = 0; c < run->model->state_size; ++c)
        lanes->state[c][0] = live ? state[c] : 0.0;
}

static void contacts_chunk(void *argument, uint64_t k)
{
    const demi_chunk_call *call = argument;
    demi_chunk_contacts[call->w->models.isa](call, k);
}

static dem_status contacts_failed(dem_world *w, const demi_report *report)
{
    const unsigned long long step = (unsigned long long)w->steps + 1;
    if (report->status == DEM_ERROR_CALLBACK)
        return demi_fail(&w->context, report->status,
                         "law \"%.60s\": reported an error at step %llu", report->what, step);
    const demi_ends ends = demi_ends_of(&w->list, report->pair);
    const char *other = ends.plane ? "wall" : "particle";
    uint64_t ids[2] = {demi_bodies(w)[ends.own].id,
                       ends.plane ? ((const demi_wall *)w->wall.data)[ends.other].id
                                  : demi_bodies(w)[ends.other].id};
    const int own = ends.plane || ends.first ? 0 : 1;
    const unsigned long long first = (unsigned long long)ids[own];
    const unsigned long long second = (unsigned long long)ids[1 - own];
    if (report->status == DEM_ERROR_DIVERGED)
        return demi_fail(&w->context, report->status,
                         "particle %llu and %s %llu: law \"%.60s\" gave a force, torque or energy "
                         "that is not finite at step %llu",
                         first, other, second, report->what, step);
    return demi_fail(&w->context, report->status,
                     "particle %llu and %s %llu: overlap %g m exceeds overlap_limit %g times the "
                     "smaller radius at step %llu",
                     first, other, second, report->value, w->config.overlap_limit, step);
}

/* Forces on walls, in the order of the chunks. */
static void contacts_walls(dem_world *w)
{
    demi_wall *walls = w->wall.data;
    const int next = w->front ^ 1;
    for (uint64_t k = 0; k < w->walls; ++k)
        memset(walls[k].force[next], 0, sizeof walls[k].force[next]);
    if (w->walls == 0)
        return;
    const uint32_t *target = w->list.target.data;
    const demi_load *halo = w->list.halo.data;
    const demi_chunk *chunks = w->list.chunk.data;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        /* a chunk's walls stand at the end of its halo */
        for (uint64_t h = chunks[k].halo_end; h > chunks[k].halo_begin; --h) {
            if ((target[h - 1] & DEMI_WALL_BIT) == 0)
                break;
            for (int c = 0; c < 3; ++c)
                walls[target[h - 1] & ~DEMI_WALL_BIT].force[next][c] += halo[h - 1].force[c];
        }
}

dem_status demi_contacts_evaluate(dem_world *w, double dt, demi_totals *totals)
{
    demi_chunk_call call = {w, dt, demi_kick_again(w, dt), demi_world_frame(w)};
    demi_parallel(&w->config.executor, contacts_chunk, &call, w->list.chunks);
    const demi_report *report = w->report.data;
    memset(totals, 0, sizeof *totals);
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        if (report[k].status != DEM_OK)
            return contacts_failed(w, &report[k]);
        totals->contacts += report[k].totals.contacts;
        totals->elastic += report[k].totals.elastic;
        totals->dissipated_normal += report[k].totals.dissipated_normal;
        totals->dissipated_dashpot += report[k].totals.dissipated_dashpot;
        totals->dissipated_slip += report[k].totals.dissipated_slip;
        totals->dissipated_rolling += report[k].totals.dissipated_rolling;
    }
    contacts_walls(w);
    return DEM_OK;
}
