/* SPDX-License-Identifier: MIT */
/* The pass over films, see film.h. Films that share bodies are solved one after the other, each
 * with its own impulse taken off and put back. That is a descent, film by film, of the convex
 * function
 *
 *     1/2 sum (change of v)^2 m + sum (v of the pair) L + sum (conjugate of what a film takes)(L)
 *
 * of the impulses L. It starts at 0 where all L are 0, and only the last sum, which is not
 * negative, is no kinetic energy: so films never raise that, whenever the descent ends. */
#include "world/film.h"

#include "base/check.h"
#include "laws/film_solve.h"
#include "world/wall_lane.h"

static const double film_six_pi = 18.849555921538759431;

/* Passes over all films, and the part of the largest velocity by which the last one changes any. */
enum { FILM_PASSES = 500 };
#define FILM_CLOSE 1e-10

/* Room for what rows get; velocities of t0 for what dashpots see where no fluid has them. */
static dem_status film_room(dem_world *w)
{
    dem_status status =
        demi_array_reserve(&w->context, &w->film.change, w->rows, 0, "films: velocities");
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &w->film.impulse, w->rows, 0, "films: impulses");
    if (status == DEM_OK && w->fluid.read == NULL)
        status = demi_array_reserve(&w->context, &w->film.damping, w->rows, 0, "films: dashpots");
    return status;
}

/* ------------------------------------------------------------------ films of the step */

static double film_inverse(const demi_velocities *velocities)
{
    return velocities->angular_velocity[3] > 0.0 ? velocities->velocity[3] : 0.0;
}

static void film_spheres(const dem_world *w, demi_film_pair *pair)
{
    const double *x = w->current.position.read[pair->ends.own],
                 *y = w->current.position.read[pair->ends.other];
    double d[3];
    for (int c = 0; c < 3; ++c) {
        const double shift = demi_shift_length(&w->config, pair->ends.shift, c);
        d[c] = (x[c] - y[c]) - shift;
        pair->other_velocity[c] = w->next.velocity.read[pair->ends.other].velocity[c];
    }
    const double distance = sqrt(demi_dot(d, d));
    for (int c = 0; c < 3; ++c)
        pair->normal[c] = distance > 0.0 ? d[c] / distance : 0.0;
    pair->gap = distance - x[3] - y[3];
    pair->inverse_other = film_inverse(&w->next.velocity.read[pair->ends.other]);
    pair->rate = x[3] * y[3] / (x[3] + y[3]);
}

static void film_wall(const dem_world *w, demi_film_pair *pair)
{
    const double *x = w->current.position.read[pair->ends.own];
    const demi_solid *solid = &w->current.solid.read[pair->ends.other];
    const demi_shape *shape = demi_wall_shape(&w->wall.read[pair->ends.other]);
    demi_surface surface;
    shape->surface(1, &solid, &pair->ends.feature, &x, &surface);
    memcpy(pair->normal, surface.normal, sizeof pair->normal);
    demi_wall_arm(solid, x, surface.gap, surface.normal, pair->arm);
    memcpy(pair->other_velocity, surface.velocity, sizeof pair->other_velocity);
    if (solid->rate != 0.0)
        demi_shape_velocity(solid, pair->arm, pair->other_velocity);
    pair->gap = surface.gap - x[3];
    pair->inverse_other = 0.0;
    pair->rate = demi_shape_radius(surface.curvature, x[3]);
}

/* Gap, normal and velocity of a film when the step begins; its rate is 0 where nothing moves. */
static void film_begin(const dem_world *w, demi_film_pair *pair)
{
    const demi_velocities *own = &w->next.velocity.read[pair->ends.own];
    if (pair->ends.wall)
        film_wall(w, pair);
    else
        film_spheres(w, pair);
    pair->inverse_own = film_inverse(own);
    pair->rate *= film_six_pi * pair->film->viscosity * pair->rate *
                  (pair->inverse_own + pair->inverse_other);
    pair->velocity = 0.0;
    for (int c = 0; c < 3; ++c)
        pair->velocity += (own->velocity[c] - pair->other_velocity[c]) * pair->normal[c];
    pair->impulse = 0.0;
}

/* ------------------------------------------------------------------ the solution */

static double film_row_along(const demi_film_pair *pair, demi_row *change, uint64_t row)
{
    return demi_dot(change[row], pair->normal);
}

/* The velocity of a gap with the impulses of all films. */
static double film_now(const demi_film_pair *pair, demi_row *change)
{
    double v = pair->velocity + film_row_along(pair, change, pair->ends.own);
    if (!pair->ends.wall)
        v -= film_row_along(pair, change, pair->ends.other);
    return v;
}

static void film_give(const demi_film_pair *pair, demi_row *change, double impulse)
{
    for (int c = 0; c < 3; ++c)
        change[pair->ends.own][c] += impulse * pair->inverse_own * pair->normal[c];
    for (int c = 0; !pair->ends.wall && c < 3; ++c)
        change[pair->ends.other][c] -= impulse * pair->inverse_other * pair->normal[c];
}

/* Solves one film. fastest: the largest velocity of any; returns by how much its own changes. */
static double film_solve(demi_film_pair *pair, demi_row *change, double dt, double *fastest)
{
    if (!(pair->rate > 0.0))
        return 0.0;
    const double inverse = pair->inverse_own + pair->inverse_other, now = film_now(pair, change),
                 free = now - pair->impulse * inverse;
    if (free == 0.0 && pair->impulse == 0.0)
        return 0.0;
    const double after = demi_film_velocity(pair->film, pair->rate, pair->gap, free, dt),
                 impulse = (after - free) / inverse;
    film_give(pair, change, impulse - pair->impulse);
    pair->impulse = impulse;
    if (impulse != 0.0 && fabs(free) > *fastest)
        *fastest = fabs(free);
    return fabs(after - now);
}

/* Forth and back by turns, so that impulses pass through a stack either way. */
static void films_solve(dem_world *w, double dt)
{
    demi_film_pair *pair = w->film.pair.data;
    const uint64_t count = w->film.pairs;
    for (int pass = 0; pass < FILM_PASSES; ++pass) {
        double most = 0.0, fastest = 0.0;
        for (uint64_t k = 0; k < count; ++k) {
            const uint64_t at = pass % 2 == 0 ? k : count - 1 - k;
            const double by = film_solve(&pair[at], w->film.change.data, dt, &fastest);
            most = by > most ? by : most;
        }
        if (!(most > FILM_CLOSE * fastest))
            break;
    }
}

/* ------------------------------------------------------------------ what rows get */

/* Sums of impulses in the order of keys, and what follows from them: round-off of the passes is not
 * in it, and what one body gets the other one loses. */
static void films_sum(dem_world *w)
{
    demi_row *impulse = w->film.impulse.data, *change = w->film.change.data;
    for (uint64_t k = 0; k < w->film.pairs; ++k) {
        const demi_film_pair *pair = &w->film.pair.read[k];
        for (int c = 0; c < 3; ++c) {
            const double along = pair->impulse * pair->normal[c];
            impulse[pair->ends.own][c] += along;
            if (!pair->ends.wall)
                impulse[pair->ends.other][c] -= along;
        }
    }
    for (uint64_t row = 0; row < w->rows; ++row) {
        const double inverse = film_inverse(&w->next.velocity.read[row]);
        for (int c = 0; c < 3; ++c)
            change[row][c] = impulse[row][c] * inverse;
    }
}

static double films_dissipated(const dem_world *w)
{
    double sum = 0.0;
    for (uint64_t k = 0; k < w->film.pairs; ++k) {
        const demi_film_pair *pair = &w->film.pair.read[k];
        const double after = film_now(pair, w->film.change.data);
        sum -= 0.5 * pair->impulse * (pair->velocity + after);
    }
    return sum;
}

/* New velocities move the rows from where the step began. */
static void film_move_row(dem_world *w, uint64_t row, double dt)
{
    const double *change = w->film.change.read[row], *x0 = w->current.position.read[row];
    double *v = w->next.velocity.data[row].velocity, *x = w->next.position.data[row];
    demi_chunk_result *result = &w->chunk_result.data[row / w->list.chunk_rows];
    for (int c = 0; c < 3; ++c) {
        v[c] += change[c];
        x[c] = x0[c] + v[c] * dt;
    }
    double *damping = w->fluid.read != NULL ? w->damping_velocity.data[row].velocity
                                            : w->film.damping.data[row].velocity;
    for (int c = 0; c < 3; ++c)
        damping[c] += change[c];
    const double moved = sqrt(demi_dot(change, change)) * dt;
    result->film_moved = moved > result->film_moved ? moved : result->film_moved;
}

static void films_move(dem_world *w, double dt)
{
    demi_chunk_result *result = w->chunk_result.data;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        result[k].film_moved = 0.0;
    for (uint64_t row = 0; row < w->rows; ++row)
        if (demi_any3(w->film.change.read[row]))
            film_move_row(w, row, dt);
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        result[k].displacement_bound += result[k].film_moved;
        result[k].displacement += result[k].film_moved;
    }
}

dem_status demi_films_pass(dem_world *w, double dt)
{
    dem_status status = demi_film_pairs(w);
    if (status == DEM_OK)
        status = film_room(w);
    if (status != DEM_OK || w->rows == 0)
        return status;
    memset(w->film.change.data, 0, (size_t)w->rows * sizeof(demi_row));
    memset(w->film.impulse.data, 0, (size_t)w->rows * sizeof(demi_row));
    if (w->fluid.read == NULL)
        memcpy(w->film.damping.data, w->current.velocity.read,
               (size_t)w->rows * sizeof(demi_velocities));
    for (uint64_t k = 0; k < w->film.pairs; ++k)
        film_begin(w, &w->film.pair.data[k]);
    w->film.dissipated = 0.0;
    if (!(dt > 0.0))
        return DEM_OK;
    films_solve(w, dt);
    films_sum(w);
    w->film.dissipated = films_dissipated(w);
    films_move(w, dt);
    return DEM_OK;
}

/* ------------------------------------------------------------------ the end of a step */

static void film_wall_end(dem_world *w, const demi_film_pair *pair)
{
    const uint64_t index = pair->ends.other;
    double given[3];
    for (int c = 0; c < 3; ++c)
        given[c] = -pair->impulse * pair->normal[c];
    const double work = demi_dot(given, pair->other_velocity);
    w->work_boundary -= work;
    w->wall.data[index].work -= work;
    if (w->contact_impulse.read == NULL)
        return;
    demi_wall_force *sum = &w->wall_impulse.data[index];
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        sum->force[c] += given[c];
        sum->torque[c] += pair->arm[d] * given[e] - pair->arm[e] * given[d];
    }
}

/* A body that is driven works by what films give it. */
static void film_driven(dem_world *w, uint64_t row)
{
    const demi_velocities *velocities = &w->next.velocity.read[row];
    if (!(film_inverse(velocities) > 0.0))
        w->work_boundary -= demi_dot(w->film.impulse.read[row], velocities->velocity);
}

void demi_films_end(dem_world *w)
{
    for (uint64_t k = 0; k < w->film.pairs; ++k)
        if (w->film.pair.read[k].ends.wall && w->film.pair.read[k].impulse != 0.0)
            film_wall_end(w, &w->film.pair.read[k]);
    for (uint64_t row = 0; row < w->rows; ++row)
        if (demi_any3(w->film.impulse.read[row]))
            film_driven(w, row);
}
