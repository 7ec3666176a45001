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

/* Acceleration of a particle at the start of the step, or with the new forces at its end. */
static void body_accelerations(const dem_world *w, int side, uint64_t row, double linear[3],
                               double angular[3])
{
    const demi_body *body = &demi_bodies(w)[row];
    const demi_row *outer = demi_rows(&w->external_force), *twist = demi_rows(&w->external_torque);
    const double *force = demi_rows(&w->force[side])[row];
    const double *torque = demi_rows(&w->torque[side])[row];
    for (int c = 0; c < 3; ++c) {
        linear[c] = angular[c] = 0.0;
        if (body->motion != DEM_MOTION_FREE)
            continue;
        linear[c] = (force[c] + (outer != NULL ? outer[row][c] : 0.0)) * body->inverse_mass +
                    w->config.gravity[c];
        angular[c] = (torque[c] + (twist != NULL ? twist[row][c] : 0.0)) * body->inverse_inertia;
    }
}

static void begin_chunk(void *argument, uint64_t k)
{
    const phase_call *call = argument;
    dem_world *w = call->w;
    const double dt = call->dt;
    const int now = w->front, next = now ^ 1;
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k;
    demi_report *report = (demi_report *)w->report.data + k;
    memset(report, 0, sizeof *report);
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        const demi_body *body = &demi_bodies(w)[row];
        const double *x = demi_rows(&w->position[now])[row], *v = demi_rows(&w->velocity[now])[row],
                     *s = demi_rows(&w->spin[now])[row];
        double *x1 = demi_rows(&w->position[next])[row], *v1 = demi_rows(&w->velocity[next])[row],
               *s1 = demi_rows(&w->spin[next])[row];
        double *vd = demi_rows(&w->damping_velocity)[row], *sd = demi_rows(&w->damping_spin)[row];
        double a[3], alpha[3], moved2 = 0.0, motion2 = 0.0;
        body_accelerations(w, now, row, a, alpha);
        const int synchronized = w->config.integrator == DEM_INTEGRATOR_VERLET_SYNC;
        for (int c = 0; c < 3; ++c) {
            v1[c] = demi_verlet_kick(v[c], a[c], dt);
            s1[c] = demi_verlet_kick(s[c], alpha[c], dt);
            x1[c] = demi_verlet_drift(x[c], v1[c], dt);
            vd[c] = synchronized ? demi_verlet_kick(v1[c], a[c], dt) : v1[c];
            sd[c] = synchronized ? demi_verlet_kick(s1[c], alpha[c], dt) : s1[c];
            const double moved = x1[c] - body->built[c], motion = x1[c] - x[c];
            moved2 += moved * moved;
            motion2 += motion * motion;
        }
        x1[3] = x[3];
        v1[3] = v[3];
        if (!demi_finite3(x1) || !demi_finite3(vd) || !demi_finite3(sd) || !isfinite(moved2)) {
            if (report->status == DEM_OK) {
                report->status = DEM_ERROR_DIVERGED;
                report->pair = row;
                report->what = !demi_finite3(x1)   ? "position"
                               : !demi_finite3(vd) ? "velocity"
                               : !demi_finite3(sd) ? "angular velocity"
                                                   : "displacement";
            }
            continue;
        }
        if (moved2 > report->moved2)
            report->moved2 = moved2;
        if (motion2 > report->motion2)
            report->motion2 = motion2;
        memset(demi_rows(&w->force[next])[row], 0, sizeof(demi_row));
        memset(demi_rows(&w->torque[next])[row], 0, sizeof(demi_row));
    }
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

static double wall_moved(const demi_wall *wall, const double from[3], int side)
{
    double along = 0.0;
    for (int c = 0; c < 3; ++c)
        along += (wall->point[side][c] - from[c]) * wall->normal[c];
    return fabs(along);
}

/* Half kick and drift into the next state. Tells how far bodies may have approached each other
 * since the list was built, and in this step alone. */
dem_status demi_integrate_begin(dem_world *w, double dt, double *moved, double *motion)
{
    phase_call call = {w, dt};
    demi_parallel(&w->config.executor, begin_chunk, &call, w->list.chunks);
    const dem_status status = phase_status(w);
    if (status != DEM_OK)
        return status;
    const demi_report *report = w->report.data;
    double moved2 = 0.0, motion2 = 0.0;
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        moved2 = report[k].moved2 > moved2 ? report[k].moved2 : moved2;
        motion2 = report[k].motion2 > motion2 ? report[k].motion2 : motion2;
    }
    double wall_far = 0.0, wall_step = 0.0;
    demi_wall *walls = w->wall.data;
    for (uint64_t k = 0; k < w->walls; ++k) {
        demi_wall *wall = &walls[k];
        for (int c = 0; c < 3; ++c)
            wall->point[w->front ^ 1][c] =
                demi_verlet_drift(wall->point[w->front][c], wall->velocity[c], dt);
        const double far = wall_moved(wall, wall->built, w->front ^ 1);
        const double step = wall_moved(wall, wall->point[w->front], w->front ^ 1);
        if (!isfinite(far))
            return demi_fail(&w->context, DEM_ERROR_DIVERGED, "wall %llu: point is not finite",
                             (unsigned long long)wall->id);
        wall_far = far > wall_far ? far : wall_far;
        wall_step = step > wall_step ? step : wall_step;
    }
    const double particle_far = sqrt(moved2), particle_step = sqrt(motion2);
    *moved = particle_far + (particle_far > wall_far ? particle_far : wall_far);
    *motion = particle_step + (particle_step > wall_step ? particle_step : wall_step);
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
        const demi_body *body = &demi_bodies(w)[row];
        double *v = demi_rows(&w->velocity[next])[row], *s = demi_rows(&w->spin[next])[row];
        if (!demi_finite3(force) || !demi_finite3(torque)) {
            if (report->status == DEM_OK) {
                report->status = DEM_ERROR_DIVERGED;
                report->pair = row;
                report->what = !demi_finite3(force) ? "force" : "torque";
            }
            continue;
        }
        if (body->motion == DEM_MOTION_FREE) {
            if (w->external_force.data != NULL)
                report->work_external += demi_dot(demi_rows(&w->external_force)[row], v) * dt;
            if (w->external_torque.data != NULL)
                report->work_external += demi_dot(demi_rows(&w->external_torque)[row], s) * dt;
        } else if (body->motion == DEM_MOTION_KINEMATIC) {
            const double *f0 = demi_rows(&w->force[now])[row],
                         *t0 = demi_rows(&w->torque[now])[row];
            report->work_boundary -=
                0.5 * dt *
                (demi_dot(f0, v) + demi_dot(force, v) + demi_dot(t0, s) + demi_dot(torque, s));
        }
        double a[3], alpha[3];
        body_accelerations(w, next, row, a, alpha);
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
