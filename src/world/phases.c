/* SPDX-License-Identifier: MIT */
/* The two halves of the integration, chunk by chunk. */
#include "base/check.h"
#include "base/parallel.h"
#include "integrate/verlet.h"
#include "world/world.h"

#include <string.h>

typedef struct phase_call {
    dem_world *w;
    double dt;
} phase_call;

/* Accelerations of a row from its forces on one side; 0 unless the particle is free. */
static void row_accelerations(const dem_world *w, int side, uint64_t row, double linear[3],
                              double angular[3])
{
    const demi_row *outer = demi_rows(&w->external_force), *twist = demi_rows(&w->external_torque);
    const double *force = demi_rows(&w->force[side])[row];
    const double *torque = demi_rows(&w->torque[side])[row];
    const double inverse_mass = force[3], inverse_inertia = demi_rows(&w->spin[side])[row][3];
    const double free = inverse_mass > 0.0 ? 1.0 : 0.0;
    for (int c = 0; c < 3; ++c) {
        linear[c] = (force[c] + (outer != NULL ? outer[row][c] : 0.0)) * inverse_mass +
                    w->config.gravity[c] * free;
        angular[c] = (torque[c] + (twist != NULL ? twist[row][c] : 0.0)) * inverse_inertia;
    }
}

static void begin_chunk(void *argument, uint64_t k)
{
    const phase_call *call = argument;
    dem_world *w = call->w;
    const double dt = call->dt, elapsed = w->list_age + dt;
    const int now = w->front, next = now ^ 1;
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k;
    demi_report *report = (demi_report *)w->report.data + k;
    memset(report, 0, sizeof *report);
    const demi_row *position = demi_rows(&w->position[now]),
                   *velocity = demi_rows(&w->velocity[now]), *spin = demi_rows(&w->spin[now]);
    demi_row *position_next = demi_rows(&w->position[next]),
             *velocity_next = demi_rows(&w->velocity[next]), *spin_next = demi_rows(&w->spin[next]);
    const double *built = w->built.data;
    const double drift[3] = {chunk->drift[0] * elapsed, chunk->drift[1] * elapsed,
                             chunk->drift[2] * elapsed};
    double strayed_most = 0.0, motion_most = 0.0;
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        const double *x = position[row], *v = velocity[row], *s = spin[row];
        double *x1 = position_next[row], *v1 = velocity_next[row], *s1 = spin_next[row];
        double a[3], alpha[3], strayed2 = 0.0, motion2 = 0.0, size = 0.0;
        row_accelerations(w, now, row, a, alpha);
        for (int c = 0; c < 3; ++c) {
            v1[c] = demi_verlet_kick(v[c], a[c], dt);
            s1[c] = demi_verlet_kick(s[c], alpha[c], dt);
            x1[c] = demi_verlet_drift(x[c], v1[c], dt);
            const double strayed = x1[c] - built[3 * row + (uint64_t)c] - drift[c];
            const double motion = x1[c] - x[c];
            strayed2 += strayed * strayed;
            motion2 += motion * motion;
            size += fabs(v1[c]) + fabs(s1[c]);
        }
        x1[3] = x[3];
        v1[3] = v[3];
        s1[3] = s[3];
        if (!isfinite(strayed2 + motion2) || !isless(size, DEMI_FORCE_MOST)) {
            if (report->status == DEM_OK) {
                report->status = DEM_ERROR_DIVERGED;
                report->pair = row;
                report->what = !demi_finite3(x1)   ? "position"
                               : !demi_finite3(s1) ? "angular velocity"
                                                   : "velocity";
            }
            continue;
        }
        strayed_most = strayed2 > strayed_most ? strayed2 : strayed_most;
        motion_most = motion2 > motion_most ? motion2 : motion_most;
    }
    report->strayed = sqrt(strayed_most);
    report->motion2 = motion_most;
}

static dem_status phase_status(dem_world *w)
{
    const demi_report *report = w->report.data;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        if (report[k].status != DEM_OK)
            return demi_fail(&w->context, report[k].status,
                             "particle %llu: %s is not finite at the end of step %llu",
                             (unsigned long long)demi_bodies(w)[report[k].pair].id, report[k].what,
                             (unsigned long long)w->steps + 1);
    return DEM_OK;
}

/* Half kick and drift into the next state. Tells how far bodies may have approached each other in
 * this step. */
dem_status demi_integrate_begin(dem_world *w, double dt, double *motion)
{
    phase_call call = {w, dt};
    demi_parallel(&w->config.executor, begin_chunk, &call, w->list.chunks);
    const dem_status status = phase_status(w);
    if (status != DEM_OK)
        return status;
    const demi_report *report = w->report.data;
    double particle = 0.0, step = 0.0;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        particle = report[k].motion2 > particle ? report[k].motion2 : particle;
    particle = sqrt(particle);
    demi_wall *walls = w->wall.data;
    for (uint64_t k = 0; k < w->walls; ++k) {
        demi_wall *wall = &walls[k];
        double *point = wall->point[w->front ^ 1];
        for (int c = 0; c < 3; ++c)
            point[c] = demi_verlet_drift(wall->point[w->front][c], wall->velocity[c], dt);
        if (!demi_finite3(point))
            return demi_fail(&w->context, DEM_ERROR_DIVERGED, "wall %llu: point is not finite",
                             (unsigned long long)wall->id);
        const double along = fabs(demi_dot(wall->velocity, wall->normal)) * dt;
        step = along > step ? along : step;
    }
    *motion = particle + (particle > step ? particle : step);
    return DEM_OK;
}

static void end_chunk(void *argument, uint64_t k)
{
    const phase_call *call = argument;
    dem_world *w = call->w;
    const double dt = call->dt;
    const int now = w->front, next = now ^ 1;
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k;
    demi_report *report = (demi_report *)w->report.data + k;
    const uint32_t *begin = w->list.incoming_begin.data, *incoming = w->list.incoming.data;
    const demi_halo *halo = w->list.halo.data;
    memset(report, 0, sizeof *report);
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        double *force = demi_rows(&w->force[next])[row], *torque = demi_rows(&w->torque[next])[row];
        for (uint32_t m = begin[row]; m < begin[row + 1]; ++m)
            for (int c = 0; c < 3; ++c) {
                force[c] += halo[incoming[m]].force[c];
                torque[c] += halo[incoming[m]].torque[c];
            }
        double *v = demi_rows(&w->velocity[next])[row], *s = demi_rows(&w->spin[next])[row];
        if (force[3] > 0.0) {
            if (w->external_force.data != NULL)
                report->work_external += demi_dot(demi_rows(&w->external_force)[row], v) * dt;
            if (w->external_torque.data != NULL)
                report->work_external += demi_dot(demi_rows(&w->external_torque)[row], s) * dt;
        } else if (demi_any3(v) || demi_any3(s)) { /* moves as it was told */
            const double *f0 = demi_rows(&w->force[now])[row],
                         *t0 = demi_rows(&w->torque[now])[row];
            report->work_boundary -=
                0.5 * dt *
                (demi_dot(f0, v) + demi_dot(force, v) + demi_dot(t0, s) + demi_dot(torque, s));
        }
        double a[3], alpha[3];
        row_accelerations(w, next, row, a, alpha);
        for (int c = 0; c < 3; ++c) {
            v[c] = demi_verlet_kick(v[c], a[c], dt);
            s[c] = demi_verlet_kick(s[c], alpha[c], dt);
        }
    }
}

/* Sums the forces that chunks computed for each other, and gives the second half kick. */
dem_status demi_integrate_end(dem_world *w, double dt, double *work_external, double *work_boundary)
{
    phase_call call = {w, dt};
    demi_parallel(&w->config.executor, end_chunk, &call, w->list.chunks);
    const dem_status status = phase_status(w);
    if (status != DEM_OK)
        return status;
    const demi_report *report = w->report.data;
    *work_external = *work_boundary = 0.0;
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        *work_external += report[k].work_external;
        *work_boundary += report[k].work_boundary;
    }
    const demi_wall *walls = w->wall.data;
    for (uint64_t k = 0; k < w->walls; ++k)
        for (int side = 0; side < 2; ++side)
            *work_boundary -= 0.5 * dt * demi_dot(walls[k].force[side], walls[k].velocity);
    return DEM_OK;
}
