/* SPDX-License-Identifier: MIT */
/* The two halves of the integration, chunk by chunk. */
#include "base/check.h"
#include "base/parallel.h"
#include "integrate/verlet.h"
#include "world/world.h"

#include <string.h>

DEMI_ISA_TABLE(demi_phase_function, demi_chunk_begin);
DEMI_ISA_TABLE(demi_phase_function, demi_chunk_end);

static void begin_chunk(void *argument, uint64_t k)
{
    const demi_phase_call *call = argument;
    demi_chunk_begin[call->w->models.isa](call, k);
}

static void end_chunk(void *argument, uint64_t k)
{
    const demi_phase_call *call = argument;
    demi_chunk_end[call->w->models.isa](call, k);
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
    demi_phase_call call = {w, dt};
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

/* Sums the forces that chunks computed for each other, and gives the second half kick. */
dem_status demi_integrate_end(dem_world *w, double dt, double *work_external, double *work_boundary)
{
    demi_phase_call call = {w, dt};
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
