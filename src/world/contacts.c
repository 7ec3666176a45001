/* SPDX-License-Identifier: MIT */
/* Contact forces of a world, chunk by chunk: filter the pairs that touch, compute them in batches,
 * scatter forces and new states. */
#include "base/check.h"
#include "base/parallel.h"
#include "world/world.h"

#include <string.h>

typedef struct contacts_call {
    dem_world *w;
    double dt;
    int32_t frame;
} contacts_call;

/* Where bodies are read from: the step being made, or the last complete one. */
typedef struct contacts_source {
    const demi_row *position, *velocity, *spin, *damping_velocity, *damping_spin;
    int side; /* of the walls' points */
} contacts_source;

static const double no_motion[4] = {0.0, 0.0, 0.0, 0.0};

int32_t demi_world_frame(const dem_world *w)
{
    static const int32_t frames[] = {DEM_FRAME_SYNCHRONIZED, DEM_FRAME_IMPROVED,
                                     DEM_FRAME_STANDARD};
    return frames[w->config.integrator];
}

static void sphere_offset(const dem_world *w, const contacts_source *from, const demi_pair *pair,
                          double offset[3])
{
    const double *xi = from->position[pair->i], *xj = from->position[pair->j];
    for (int c = 0; c < 3; ++c) {
        const double period = w->config.box_high[c] - w->config.box_low[c];
        offset[c] = xi[c] - (pair->shift[c] != 0 ? xj[c] + pair->shift[c] * period : xj[c]);
    }
}

static double plane_distance(const dem_world *w, const contacts_source *from, const demi_pair *pair)
{
    const demi_wall *wall = (const demi_wall *)w->wall.data + pair->j;
    const double *x = from->position[pair->i];
    double distance = 0.0;
    for (int c = 0; c < 3; ++c)
        distance += (x[c] - wall->point[from->side][c]) * wall->normal[c];
    return distance;
}

static void gather_motion(demi_lanes *b, uint64_t k, const double *vi, const double *vj,
                          const double *wi, const double *wj, const double *vdi, const double *vdj,
                          const double *wdi, const double *wdj)
{
    for (int c = 0; c < 3; ++c) {
        b->velocity[c][k] = vi[c] - vj[c];
        b->spin_i[c][k] = wi[c];
        b->spin_j[c][k] = wj[c];
        b->damping_velocity[c][k] = vdi[c] - vdj[c];
        b->damping_spin_i[c][k] = wdi[c];
        b->damping_spin_j[c][k] = wdj[c];
    }
}

static void gather_sphere(const contacts_source *from, const demi_pair *pair,
                          const double offset[3], demi_lanes *b, uint64_t k)
{
    const uint32_t i = pair->i, j = pair->j;
    for (int c = 0; c < 3; ++c)
        b->offset[c][k] = offset[c];
    gather_motion(b, k, from->velocity[i], from->velocity[j], from->spin[i], from->spin[j],
                  from->damping_velocity[i], from->damping_velocity[j], from->damping_spin[i],
                  from->damping_spin[j]);
    b->radius_i[k] = from->position[i][3];
    b->radius_j[k] = from->position[j][3];
    b->inverse_mass[k] = from->velocity[i][3] + from->velocity[j][3];
}

/* The wall takes the part of the body whose id is higher or lower, as it falls. */
static void gather_plane(const dem_world *w, const contacts_source *from, const demi_pair *pair,
                         double distance, demi_lanes *b, uint64_t k)
{
    const demi_wall *wall = (const demi_wall *)w->wall.data + pair->j;
    const uint32_t row = pair->i;
    const int first = demi_bodies(w)[row].id < wall->id;
    const double sign = first ? 1.0 : -1.0;
    for (int c = 0; c < 3; ++c)
        b->offset[c][k] = sign * wall->normal[c];
    b->gap_plane[k] = distance;
    const double *v = from->velocity[row], *s = from->spin[row];
    const double *vd = from->damping_velocity[row], *sd = from->damping_spin[row];
    if (first)
        gather_motion(b, k, v, wall->velocity, s, no_motion, vd, wall->velocity, sd, no_motion);
    else
        gather_motion(b, k, wall->velocity, v, no_motion, s, wall->velocity, vd, no_motion, sd);
    b->radius_i[k] = first ? from->position[row][3] : 0.0;
    b->radius_j[k] = first ? 0.0 : from->position[row][3];
    b->inverse_mass[k] = v[3];
}

static void gather_state(const dem_world *w, const demi_run *run, uint64_t pair, demi_lanes *b,
                         uint64_t k)
{
    const uint32_t size = run->model->state_size;
    const double *state = (const double *)w->list.state[w->front].data + run->state_begin +
                          (pair - run->begin) * size;
    const int live = ((const unsigned char *)w->list.live[w->front].data)[pair];
    b->alive_before[k] = live ? 1.0 : 0.0;
    for (uint32_t c = 0; c < size; ++c)
        b->state[c][k] = live ? state[c] : 0.0;
}

static contacts_source contacts_of_step(const dem_world *w)
{
    const int next = w->front ^ 1;
    const contacts_source from = {demi_rows(&w->position[next]), demi_rows(&w->velocity[next]),
                                  demi_rows(&w->spin[next]),     demi_rows(&w->damping_velocity),
                                  demi_rows(&w->damping_spin),   next};
    return from;
}

void demi_contact_read(const dem_world *w, const demi_run *run, uint64_t pair, demi_lanes *lanes)
{
    const int now = w->front;
    const contacts_source from = {demi_rows(&w->position[now]), demi_rows(&w->velocity[now]),
                                  demi_rows(&w->spin[now]),     demi_rows(&w->velocity[now]),
                                  demi_rows(&w->spin[now]),     now};
    const demi_pair *p = (const demi_pair *)w->list.pair.data + pair;
    if (run->shape == DEMI_SHAPE_PLANE) {
        gather_plane(w, &from, p, plane_distance(w, &from, p), lanes, 0);
    } else {
        double offset[3];
        sphere_offset(w, &from, p, offset);
        gather_sphere(&from, p, offset, lanes, 0);
    }
    gather_state(w, run, pair, lanes, 0);
}

typedef struct force_slot {
    double *force, *torque;
} force_slot;

static force_slot slot_of(const dem_world *w, uint32_t slot)
{
    const int next = w->front ^ 1;
    if (slot < w->rows) {
        const force_slot own = {demi_rows(&w->force[next])[slot],
                                demi_rows(&w->torque[next])[slot]};
        return own;
    }
    demi_halo *halo = (demi_halo *)w->list.halo.data + (slot - w->rows);
    const force_slot other = {halo->force, halo->torque};
    return other;
}

static void scatter(dem_world *w, const demi_run *run, const uint64_t *pairs, uint64_t n,
                    const demi_lanes *b, double dt)
{
    const int next = w->front ^ 1;
    unsigned char *live = w->list.live[next].data;
    const uint32_t size = run->model->state_size;
    for (uint64_t k = 0; k < n; ++k) {
        const demi_pair *pair = (const demi_pair *)w->list.pair.data + pairs[k];
        const force_slot i = slot_of(w, pair->slot_i), j = slot_of(w, pair->slot_j);
        const int wall_is_i = run->shape == DEMI_SHAPE_PLANE && b->radius_i[k] == 0.0;
        const double sign = wall_is_i ? -1.0 : 1.0;
        for (int c = 0; c < 3; ++c) {
            i.force[c] += sign * b->force[c][k];
            j.force[c] -= sign * b->force[c][k];
            i.torque[c] += wall_is_i ? b->torque_j[c][k] : b->torque_i[c][k];
            j.torque[c] += wall_is_i ? b->torque_i[c][k] : b->torque_j[c][k];
        }
        live[pairs[k]] = b->alive[k] != 0.0;
        if (b->alive[k] == 0.0)
            continue;
        const uint64_t at = run->state_begin + (pairs[k] - run->begin) * size;
        double *state = (double *)w->list.state[next].data + at;
        const double *before = (const double *)w->list.state[w->front].data + at;
        /* an evaluation without a step leaves the state as it is */
        for (uint32_t c = 0; c < size; ++c)
            state[c] = dt > 0.0 ? b->state[c][k] : b->alive_before[k] != 0.0 ? before[c] : 0.0;
    }
}

static dem_status run_flush(const contacts_call *call, const demi_run *run, const uint64_t *pairs,
                            uint64_t n, demi_lanes *b, demi_report *report)
{
    if (n == 0)
        return DEM_OK;
    uint64_t bad;
    report->status = demi_lanes_run(b, n, run->model, run->shape, call->frame, call->dt,
                                    call->w->config.overlap_limit, &bad, &report->totals);
    if (report->status == DEM_OK) {
        scatter(call->w, run, pairs, n, b, call->dt);
        return DEM_OK;
    }
    if (report->status != DEM_ERROR_CALLBACK) {
        report->pair = pairs[bad];
        report->value = b->overlap[bad];
    }
    report->what = run->model->laws[0].name;
    return report->status;
}

static dem_status run_evaluate(const contacts_call *call, const contacts_source *from,
                               const demi_run *run, demi_lanes *b, demi_report *report)
{
    const dem_world *w = call->w;
    const demi_pair *pairs = w->list.pair.data;
    const unsigned char *live = w->list.live[w->front].data;
    unsigned char *live_next = w->list.live[w->front ^ 1].data;
    uint64_t touching[DEMI_LANES], n = 0;
    for (uint64_t p = run->begin; p < run->end; ++p) {
        double offset[3], distance = 0.0;
        int near;
        if (run->shape == DEMI_SHAPE_PLANE) {
            distance = plane_distance(w, from, &pairs[p]);
            near = distance < from->position[pairs[p].i][3] + run->reach;
        } else {
            sphere_offset(w, from, &pairs[p], offset);
            const double touch =
                from->position[pairs[p].i][3] + from->position[pairs[p].j][3] + run->reach;
            near = demi_dot(offset, offset) < touch * touch;
        }
        live_next[p] = 0;
        if (!near && !live[p])
            continue;
        if (run->shape == DEMI_SHAPE_PLANE)
            gather_plane(w, from, &pairs[p], distance, b, n);
        else
            gather_sphere(from, &pairs[p], offset, b, n);
        gather_state(w, run, p, b, n);
        touching[n++] = p;
        if (n < DEMI_LANES)
            continue;
        if (run_flush(call, run, touching, n, b, report) != DEM_OK)
            return report->status;
        n = 0;
    }
    return run_flush(call, run, touching, n, b, report);
}

static void contacts_chunk(void *argument, uint64_t k)
{
    const contacts_call *call = argument;
    dem_world *w = call->w;
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k;
    demi_report *report = (demi_report *)w->report.data + k;
    memset(report, 0, sizeof *report);
    demi_halo *halo = w->list.halo.data;
    if (chunk->halo_end > chunk->halo_begin)
        memset(&halo[chunk->halo_begin], 0,
               (size_t)(chunk->halo_end - chunk->halo_begin) * sizeof *halo);
    const contacts_source from = contacts_of_step(w);
    const demi_run *runs = w->list.run.data;
    demi_lanes lanes;
    for (uint64_t r = chunk->run_begin; r < chunk->run_end; ++r)
        if (run_evaluate(call, &from, &runs[r], &lanes, report) != DEM_OK)
            return;
}

static dem_status contacts_failed(dem_world *w, const demi_report *report)
{
    const unsigned long long step = (unsigned long long)w->steps + 1;
    if (report->status == DEM_ERROR_CALLBACK)
        return demi_fail(&w->context, report->status,
                         "law \"%.60s\": reported an error at step %llu", report->what, step);
    const demi_pair *pair = (const demi_pair *)w->list.pair.data + report->pair;
    const demi_run *runs = w->list.run.data;
    uint64_t r = 0;
    while (report->pair >= runs[r].end)
        ++r;
    const int plane = runs[r].shape == DEMI_SHAPE_PLANE;
    const char *other = plane ? "wall" : "particle";
    const unsigned long long first = (unsigned long long)demi_bodies(w)[pair->i].id;
    const unsigned long long second =
        (unsigned long long)(plane ? ((const demi_wall *)w->wall.data)[pair->j].id
                                   : demi_bodies(w)[pair->j].id);
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
    const demi_halo *halo = w->list.halo.data;
    const demi_chunk *chunks = w->list.chunk.data;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        /* a chunk's walls stand at the end of its halo */
        for (uint64_t h = chunks[k].halo_end; h > chunks[k].halo_begin; --h) {
            if (target[h - 1] < w->rows)
                break;
            for (int c = 0; c < 3; ++c)
                walls[target[h - 1] - w->rows].force[next][c] += halo[h - 1].force[c];
        }
}

dem_status demi_contacts_evaluate(dem_world *w, double dt, demi_totals *totals)
{
    contacts_call call = {w, dt, demi_world_frame(w)};
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
