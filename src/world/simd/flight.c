/* SPDX-License-Identifier: MIT */
/* Free flight of a chunk's rows, four at a time in registers through many steps; see flight.c of
 * the world. */
#include "base/vector.h"
#include "world/flight.h"
#include "world/simd/rows.h"

#include <string.h>

/* Four rows as columns x y z and what belongs to the particles. */
typedef struct flight_rows {
    demi_v4 x[4], v[4], s[4];
    demi_v4 linear[4], angular[4]; /* accelerations */
    demi_v4 force[4], torque[4];   /* of the host on free rows, 0 for others */
} flight_rows;

static DEMI_INLINE void rates(const dem_world *w, const demi_outer *outer, uint64_t row,
                              demi_v4 *linear, demi_v4 *angular)
{
    static const demi_force_torque none;
    demi_row_rates(outer, row, &none, &w->next.velocity.data[row], linear, angular);
}

/* What a step adds to velocities at most, and how great angular velocities may become. */
DEMI_ENTRY(demi_flight_function, demi_chunk_look);

void demi_chunk_look(const demi_flight_call *call, uint64_t k)
{
    const dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    demi_chunk_result *result = w->chunk_result.data + k;
    const demi_velocities *velocities = w->next.velocity.data;
    const demi_outer outer = demi_outer_of(w);
    demi_v4 gain = {0.0, 0.0, 0.0, 0.0}, turn = gain, angular_velocity = gain;
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        demi_v4 a, alpha;
        rates(w, &outer, row, &a, &alpha);
        a *= call->dt;
        alpha *= call->dt;
        demi_v4_rise(&gain, &a);
        demi_v4_rise(&turn, &alpha);
        demi_v4_rise(&angular_velocity, demi_v4_at(velocities[row].angular_velocity));
    }
    result->gain = demi_v4_length(&gain);
    result->angular_velocity =
        demi_v4_length(&angular_velocity) + demi_v4_length(&turn) * DEMI_FLIGHT_MOST;
}

static DEMI_INLINE void fly_gather(const dem_world *w, const demi_outer *outer,
                                   const demi_chunk *chunk, uint64_t first, flight_rows *f)
{
    const demi_state *state = &w->next;
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    for (uint64_t m = 0; m < 4; ++m) {
        /* the last group repeats its last row */
        const uint64_t row = first + m < chunk->row_end ? first + m : chunk->row_end - 1;
        const demi_velocities *velocities = &state->velocity.data[row];
        const int free = velocities->angular_velocity[3] > 0.0;
        f->x[m] = *demi_v4_at(state->position.data[row]);
        f->v[m] = *demi_v4_at(velocities->velocity);
        f->s[m] = *demi_v4_at(velocities->angular_velocity);
        rates(w, outer, row, &f->linear[m], &f->angular[m]);
        f->force[m] = free && outer->force != NULL ? *demi_v4_at(outer->force[row]) : zero;
        f->torque[m] = free && outer->torque != NULL ? *demi_v4_at(outer->torque[row]) : zero;
    }
    demi_v4_transpose(f->x);
    demi_v4_transpose(f->v);
    demi_v4_transpose(f->s);
    demi_v4_transpose(f->linear);
    demi_v4_transpose(f->angular);
    demi_v4_transpose(f->force);
    demi_v4_transpose(f->torque);
}

static DEMI_INLINE void fly_scatter(const demi_state *state, const demi_chunk *chunk,
                                    uint64_t first, flight_rows f)
{
    demi_v4_transpose(f.x);
    demi_v4_transpose(f.v);
    demi_v4_transpose(f.s);
    for (uint64_t m = 0; m < 4 && first + m < chunk->row_end; ++m) {
        demi_velocities *velocities = &state->velocity.data[first + m];
        *(demi_v4 *)state->position.data[first + m] = f.x[m];
        *(demi_v4 *)velocities->velocity = f.v[m];
        *(demi_v4 *)velocities->angular_velocity = f.s[m];
    }
}

/* The work of the host's forces in the step that ends, row after row. */
static DEMI_INLINE void fly_work(const flight_rows *f, const demi_outer *outer, double dt,
                                 uint64_t rows, double *work)
{
    const demi_v4 *a = f->force, *b = f->torque;
    const demi_v4 moved = (a[0] * f->v[0] + a[1] * f->v[1] + a[2] * f->v[2]) * dt,
                  turned = (b[0] * f->s[0] + b[1] * f->s[1] + b[2] * f->s[2]) * dt;
    for (uint64_t m = 0; m < rows; ++m) {
        if (outer->force != NULL)
            *work += moved[m];
        if (outer->torque != NULL)
            *work += turned[m];
    }
}

/* The kick that ends a step. */
static DEMI_INLINE void fly_end(flight_rows *f, double kick, int turns)
{
    for (int c = 0; c < 3; ++c) {
        f->v[c] += f->linear[c] * kick;
        if (turns)
            f->s[c] += f->angular[c] * kick;
    }
}

/* Bounds on the velocities off the mean one in a step, of four rows each. */
typedef struct fly_pace {
    demi_v4 off[3];
} fly_pace;

/* Kick and drift of the next step, and the velocity off the mean one. */
static DEMI_INLINE void fly_begin(flight_rows *f, double kick, double dt, int turns,
                                  const double mean[3], fly_pace *most)
{
    for (int c = 0; c < 3; ++c) {
        f->v[c] += f->linear[c] * kick;
        f->x[c] += f->v[c] * dt;
        if (turns)
            f->s[c] += f->angular[c] * kick;
        const demi_v4 off = f->v[c] - mean[c];
        demi_v4_rise(&most->off[c], &off);
    }
}

/* Length of the bounds of all rows. */
static double flight_length(const fly_pace *most)
{
    demi_v4 all = {0.0, 0.0, 0.0, 0.0};
    for (int m = 0; m < 4; ++m) {
        const demi_v4 one = {most->off[0][m], most->off[1][m], most->off[2][m], 0.0};
        demi_v4_rise(&all, &one);
    }
    return demi_v4_length(&all);
}

/* All steps of a flight for four rows. Without torques angular velocities stay as they are. The
 * last complete state is not written: what comes next is the end of the step that is left begun,
 * which cannot fail. */
static DEMI_INLINE void flight_fly(const demi_flight_call *call, const demi_outer *outer,
                                   const demi_chunk *chunk, uint64_t first, int pushed, int turns,
                                   fly_pace *most, double *work)
{
    dem_world *w = call->w;
    const uint64_t left = chunk->row_end - first, rows = left < 4 ? left : 4;
    const double dt = call->dt, kick_first = call->kick_first, kick_second = call->kick_second;
    const demi_state *begun = call->steps % 2 == 0 ? &w->next : &w->current;
    flight_rows f;
    fly_gather(w, outer, chunk, first, &f);
    for (uint64_t n = 0; n < call->steps; ++n) {
        if (pushed)
            fly_work(&f, outer, dt, rows, &work[n]);
        fly_end(&f, kick_second, turns);
        fly_begin(&f, kick_first, dt, turns, chunk->mean_velocity, &most[n]);
    }
    fly_scatter(begun, chunk, first, f);
}

DEMI_ENTRY(demi_flight_function, demi_chunk_fly);

void demi_chunk_fly(const demi_flight_call *call, uint64_t k)
{
    dem_world *w = call->w;
    demi_chunk *chunk = w->list.chunk.data + k;
    demi_chunk_result *result = w->chunk_result.data + k;
    const demi_outer outer = demi_outer_of(w);
    const int pushed = outer.force != NULL || outer.torque != NULL;
    double *work = pushed ? w->flight_work.data + k * DEMI_FLIGHT_MOST : NULL;
    fly_pace most[DEMI_FLIGHT_MOST];
    memset(most, 0, sizeof most);
    if (pushed)
        memset(work, 0, DEMI_FLIGHT_MOST * sizeof *work);
    for (uint64_t first = chunk->row_begin; first < chunk->row_end; first += 4) {
        if (!pushed)
            flight_fly(call, &outer, chunk, first, 0, 0, most, NULL);
        else
            flight_fly(call, &outer, chunk, first, 1, 1, most, work);
    }
    result->displacement_bound = result->bound_before;
    for (uint64_t n = 0; n < call->steps; ++n) {
        chunk->displacement_bound = result->displacement_bound;
        demi_chunk_result_displacement(chunk, flight_length(&most[n]), call->dt, result);
    }
}
