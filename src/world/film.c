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
#include "world/film_slip.h"
#include "world/wall_lane.h"

static const double film_six_pi = 18.849555921538759431;

/* Passes over all films, and the part of the largest velocity by which the last one changes any.
 * Films of a stack need a pass for each square of its height; from a pass on, steps are longer by
 * FILM_BEYOND than to the least value along them. Then a stack needs few passes for each height. */
enum { FILM_PASSES = 500, FILM_PASSES_EXACT = 20 };
#define FILM_CLOSE 1e-10
#define FILM_BEYOND 0.7

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
    const demi_velocities *other = &w->next.velocity.read[pair->ends.other];
    double d[3];
    for (int c = 0; c < 3; ++c) {
        const double shift = demi_shift_length(&w->config, pair->ends.shift, c);
        d[c] = (x[c] - y[c]) - shift;
        pair->other_velocity[c] = other->velocity[c];
        pair->other_turning[c] = other->angular_velocity[c];
    }
    const double distance = sqrt(demi_dot(d, d));
    for (int c = 0; c < 3; ++c)
        pair->normal[c] = distance > 0.0 ? d[c] / distance : 0.0;
    pair->gap = distance - x[3] - y[3];
    pair->inverse_other = film_inverse(other);
    pair->inertia_other = other->angular_velocity[3];
    pair->radius = x[3] * y[3] / (x[3] + y[3]);
    pair->share_own = x[3] / (x[3] + y[3]);
    pair->share_other = y[3] / (x[3] + y[3]);
    pair->arm_own = x[3] * distance / (x[3] + y[3]);
    pair->arm_other = y[3] * distance / (x[3] + y[3]);
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
    memset(pair->other_turning, 0, sizeof pair->other_turning);
    if (solid->rate != 0.0) {
        demi_shape_velocity(solid, pair->arm, pair->other_velocity);
        memcpy(pair->other_turning, solid->angular_velocity, sizeof pair->other_turning);
    }
    pair->gap = surface.gap - x[3];
    pair->inverse_other = pair->inertia_other = 0.0;
    pair->radius = demi_shape_radius(surface.curvature, x[3]);
    /* a sphere whose radius is that of the surface, less than 0 where it is hollow */
    const double part = pair->radius / x[3];
    pair->share_own = 1.0 - part;
    pair->share_other = part;
    pair->arm_own = x[3] + pair->gap * (1.0 - part);
    pair->arm_other = 0.0;
}

/* The coefficient of the tangential film, and what it sees when the step begins. A wall is seen
 * from where it rests: it does not rotate there. */
static void film_slip_begin(const dem_world *w, demi_film_pair *pair)
{
    const demi_film *film = pair->film;
    const demi_velocities *own = &w->next.velocity.read[pair->ends.own];
    pair->drag = 0.0;
    if (!(film->tangential > 0.0) || !(pair->gap >= 0.0) || !(pair->gap < film->gap_max) ||
        !(pair->radius > 0.0) || !(pair->inverse_own + pair->inverse_other > 0.0))
        return;
    const double gap = pair->gap > film->gap_min ? pair->gap : film->gap_min;
    pair->drag =
        film_six_pi / 3.0 * film->viscosity * pair->radius * demi_film_log(gap, film->gap_max);
    double velocity[3], turned[3], own_surface[3], other_surface[3], arm[3];
    for (int c = 0; c < 3; ++c) {
        arm[c] = (w->current.position.read[pair->ends.own][3] + pair->gap) * pair->normal[c];
        own_surface[c] = pair->arm_own * own->angular_velocity[c];
        other_surface[c] = pair->arm_other * pair->other_turning[c];
        if (pair->ends.wall)
            own_surface[c] -= pair->arm_own * pair->other_turning[c];
        velocity[c] = own->velocity[c] - pair->other_velocity[c];
    }
    demi_cross(pair->other_turning, arm, turned);
    for (int c = 0; pair->ends.wall && c < 3; ++c)
        velocity[c] -= turned[c];
    demi_film_slip_add(pair, velocity, own_surface, other_surface, &pair->slip);
}

/* The next term of X^A: 1/(5 R*) (1 + 5 r_i r_j/(r_i + r_j)^2); none where a wall that is hollow
 * makes it negative. */
static double film_next(const demi_film_pair *pair, double radius)
{
    const double part = pair->radius / radius, more = 1.0 + 5.0 * part * (1.0 - part);
    return pair->film->logarithm > 0.0 && more > 0.0 && pair->radius > 0.0
               ? more / (5.0 * pair->radius)
               : 0.0;
}

/* Gap, normal and velocity of a film when the step begins; its rate is 0 where nothing moves. */
static void film_begin(const dem_world *w, demi_film_pair *pair)
{
    const demi_velocities *own = &w->next.velocity.read[pair->ends.own];
    if (pair->ends.wall)
        film_wall(w, pair);
    else
        film_spheres(w, pair);
    pair->along = demi_film_gap_of(pair->film->gap_min, pair->film->gap_max,
                                   film_next(pair, w->current.position.read[pair->ends.own][3]));
    pair->inverse_own = film_inverse(own);
    pair->inertia_own = own->angular_velocity[3];
    pair->rate = pair->radius;
    pair->rate *= film_six_pi * pair->film->viscosity * pair->rate *
                  (pair->inverse_own + pair->inverse_other);
    pair->velocity = 0.0;
    for (int c = 0; c < 3; ++c)
        pair->velocity += (own->velocity[c] - pair->other_velocity[c]) * pair->normal[c];
    memset(&pair->slip, 0, sizeof pair->slip);
    memset(&pair->impulses, 0, sizeof pair->impulses);
    pair->impulse = 0.0;
    film_slip_begin(w, pair);
}

/* ------------------------------------------------------------------ the solution */

static double film_row_along(const demi_film_pair *pair, const demi_impulse *change, uint64_t row)
{
    return demi_dot(change[row].linear, pair->normal);
}

/* The velocity of a gap with the impulses of all films. */
static double film_now(const demi_film_pair *pair, const demi_impulse *change)
{
    double v = pair->velocity + film_row_along(pair, change, pair->ends.own);
    if (!pair->ends.wall)
        v -= film_row_along(pair, change, pair->ends.other);
    return v;
}

static void film_give(const demi_film_pair *pair, demi_impulse *change, double impulse)
{
    for (int c = 0; c < 3; ++c)
        change[pair->ends.own].linear[c] += impulse * pair->inverse_own * pair->normal[c];
    for (int c = 0; !pair->ends.wall && c < 3; ++c)
        change[pair->ends.other].linear[c] -= impulse * pair->inverse_other * pair->normal[c];
}

static void film_slip_give(const demi_film_pair *pair, demi_impulse *change,
                           const demi_film_slip *impulse)
{
    demi_impulse *i = &change[pair->ends.own],
                 *j = pair->ends.wall ? NULL : &change[pair->ends.other];
    double force[3], own[3], other[3];
    demi_film_slip_impulse(pair, impulse, force, own, other);
    for (int c = 0; c < 3; ++c) {
        i->linear[c] += pair->inverse_own * force[c];
        i->angular[c] += pair->inertia_own * own[c];
    }
    for (int c = 0; j != NULL && c < 3; ++c) {
        j->linear[c] -= pair->inverse_other * force[c];
        j->angular[c] += pair->inertia_other * other[c];
    }
}

static double film_slip_size(const demi_film_slip *slip)
{
    return sqrt(demi_dot(slip->own, slip->own) + demi_dot(slip->other, slip->other));
}

/* Solves one film along the surfaces; as film_solve. What falls is a quadratic form, also beyond.
 */
static double film_slip_solve(demi_film_pair *pair, demi_impulse *change, double dt, double beyond,
                              double *fastest)
{
    if (!(pair->drag > 0.0))
        return 0.0;
    const demi_film_effect effect = demi_film_effect_of(pair);
    const demi_film_slip by = demi_film_slip_by(&effect, &pair->impulses);
    demi_film_slip free = demi_film_slip_now(pair, change), more;
    for (int c = 0; c < 3; ++c) {
        free.own[c] -= by.own[c];
        free.other[c] -= by.other[c];
    }
    const demi_film_slip solves = demi_film_slip_solve(pair, &effect, dt, &free);
    for (int c = 0; c < 3; ++c) {
        more.own[c] = (1.0 + beyond) * (solves.own[c] - pair->impulses.own[c]);
        more.other[c] = (1.0 + beyond) * (solves.other[c] - pair->impulses.other[c]);
        pair->impulses.own[c] += more.own[c];
        pair->impulses.other[c] += more.other[c];
    }
    film_slip_give(pair, change, &more);
    const demi_film_slip moved = demi_film_slip_by(&effect, &more);
    const double size = film_slip_size(&free);
    if (size > *fastest)
        *fastest = size;
    return film_slip_size(&moved);
}

/* How far to go beyond the impulse that solves a film, so that the function that falls is not above
 * where it was. Its slope is that of a parabola of curvature 1/m*, and of the film's velocity,
 * which changes by less than 1/50 of that where the film is stiff and not crossed: 0.7^2 1.02 <
 * 1/2, the part of the parabola that there is at least. */
static double film_beyond(const demi_film_pair *pair, double dt, double after, double impulse,
                          double beyond)
{
    const double more = beyond * (impulse - pair->impulse);
    const int stiff = pair->gap > 0.0 && fabs(dt * after) < 0.1 * pair->gap &&
                      fabs(more) < fabs(impulse) &&
                      pair->rate * dt * demi_film_slope(&pair->along, 1.25 * pair->gap) > 50.0;
    return stiff ? more : 0.0;
}

/* Solves one film. fastest: the largest velocity of any; returns by how much its own changes. */
static double film_solve(demi_film_pair *pair, demi_impulse *change, double dt, double beyond,
                         double *fastest)
{
    if (!(pair->rate > 0.0))
        return 0.0;
    const double inverse = pair->inverse_own + pair->inverse_other, now = film_now(pair, change),
                 free = now - pair->impulse * inverse;
    if (free == 0.0 && pair->impulse == 0.0)
        return 0.0;
    const double after = demi_film_velocity(&pair->along, pair->rate, pair->gap, free, dt),
                 solves = (after - free) / inverse,
                 impulse = solves + film_beyond(pair, dt, after, solves, beyond);
    film_give(pair, change, impulse - pair->impulse);
    pair->impulse = impulse;
    if (impulse != 0.0 && fabs(free) > *fastest)
        *fastest = fabs(free);
    return fabs(after - now);
}

/* Forth and back by turns, so that impulses pass through a stack either way; one way alone where
 * steps go beyond. */
static void films_solve(dem_world *w, double dt)
{
    demi_film_pair *pair = w->film.pair.data;
    const uint64_t count = w->film.pairs;
    for (int pass = 0; pass < FILM_PASSES; ++pass) {
        const double beyond = pass < FILM_PASSES_EXACT ? 0.0 : FILM_BEYOND;
        double most = 0.0, fastest = 0.0;
        for (uint64_t k = 0; k < count; ++k) {
            const uint64_t at = pass % 2 == 0 || beyond > 0.0 ? k : count - 1 - k;
            demi_impulse *change = w->film.change.data;
            const double by = film_solve(&pair[at], change, dt, beyond, &fastest),
                         slip = film_slip_solve(&pair[at], change, dt, beyond, &fastest);
            most = by > most ? by : most;
            most = slip > most ? slip : most;
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
    demi_impulse *impulse = w->film.impulse.data, *change = w->film.change.data;
    for (uint64_t k = 0; k < w->film.pairs; ++k) {
        const demi_film_pair *pair = &w->film.pair.read[k];
        demi_impulse *i = &impulse[pair->ends.own],
                     *j = pair->ends.wall ? NULL : &impulse[pair->ends.other];
        double force[3], own[3], other[3];
        demi_film_slip_impulse(pair, &pair->impulses, force, own, other);
        for (int c = 0; c < 3; ++c) {
            const double given = pair->impulse * pair->normal[c] + force[c];
            i->linear[c] += given;
            i->angular[c] += own[c];
            if (j != NULL) {
                j->linear[c] -= given;
                j->angular[c] += other[c];
            }
        }
    }
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_velocities *velocities = &w->next.velocity.read[row];
        const double inverse = film_inverse(velocities);
        for (int c = 0; c < 3; ++c) {
            change[row].linear[c] = impulse[row].linear[c] * inverse;
            change[row].angular[c] = impulse[row].angular[c] * velocities->angular_velocity[3];
        }
    }
}

static void films_dissipated(dem_world *w)
{
    double sum = 0.0, slid = 0.0, rolled = 0.0;
    for (uint64_t k = 0; k < w->film.pairs; ++k) {
        const demi_film_pair *pair = &w->film.pair.read[k];
        const double after = film_now(pair, w->film.change.data);
        sum -= 0.5 * pair->impulse * (pair->velocity + after);
        if (!(pair->drag > 0.0))
            continue;
        const demi_film_slip now = demi_film_slip_now(pair, w->film.change.data);
        for (int c = 0; c < 3; ++c) {
            const double x = pair->slip.own[c] + now.own[c], y = pair->slip.other[c] + now.other[c],
                         p = pair->impulses.own[c], q = pair->impulses.other[c];
            slid -= 0.25 * (p + q) * (x + y);
            rolled -= 0.25 * (p - q) * (x - y);
        }
    }
    w->film.dissipated = sum;
    w->film.dissipated_slide = slid;
    w->film.dissipated_roll = rolled;
}

/* New velocities move the rows from where the step began. */
static void film_move_row(dem_world *w, uint64_t row, double dt)
{
    const demi_impulse *change = &w->film.change.read[row];
    const double *x0 = w->current.position.read[row];
    demi_velocities *next = &w->next.velocity.data[row];
    double *v = next->velocity, *x = w->next.position.data[row];
    demi_chunk_result *result = &w->chunk_result.data[row / w->list.chunk_rows];
    for (int c = 0; c < 3; ++c) {
        v[c] += change->linear[c];
        x[c] = x0[c] + v[c] * dt;
        next->angular_velocity[c] += change->angular[c];
    }
    demi_velocities *damping =
        w->fluid.read != NULL ? &w->damping_velocity.data[row] : &w->film.damping.data[row];
    for (int c = 0; c < 3; ++c) {
        damping->velocity[c] += change->linear[c];
        damping->angular_velocity[c] += change->angular[c];
    }
    const double moved = sqrt(demi_dot(change->linear, change->linear)) * dt;
    result->film_moved = moved > result->film_moved ? moved : result->film_moved;
}

static void films_move(dem_world *w, double dt)
{
    demi_chunk_result *result = w->chunk_result.data;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        result[k].film_moved = 0.0;
    for (uint64_t row = 0; row < w->rows; ++row)
        if (demi_any3(w->film.change.read[row].linear) ||
            demi_any3(w->film.change.read[row].angular))
            film_move_row(w, row, dt);
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        result[k].displacement_bound += result[k].film_moved;
        result[k].displacement += result[k].film_moved;
    }
}

dem_status demi_films_pass(dem_world *w, double dt)
{
    w->film.dissipated = w->film.dissipated_slide = w->film.dissipated_roll = 0.0;
    dem_status status = demi_film_pairs(w);
    if (status == DEM_OK)
        status = film_room(w);
    if (status != DEM_OK || w->rows == 0)
        return status;
    memset(w->film.change.data, 0, (size_t)w->rows * sizeof(demi_impulse));
    memset(w->film.impulse.data, 0, (size_t)w->rows * sizeof(demi_impulse));
    if (w->fluid.read == NULL)
        memcpy(w->film.damping.data, w->current.velocity.read,
               (size_t)w->rows * sizeof(demi_velocities));
    for (uint64_t k = 0; k < w->film.pairs; ++k)
        film_begin(w, &w->film.pair.data[k]);
    if (!(dt > 0.0))
        return DEM_OK;
    films_solve(w, dt);
    films_sum(w);
    films_dissipated(w);
    films_move(w, dt);
    return DEM_OK;
}

/* ------------------------------------------------------------------ the end of a step */

/* What a film gives to a wall at the point of its surface, and the torque about that point with
 * which angular momentum stays. */
static void film_wall_given(const dem_world *w, const demi_film_pair *pair, double given[3],
                            double torque[3])
{
    const double away = w->current.position.read[pair->ends.own][3] + pair->gap;
    double force[3], own[3], other[3], arm[3];
    demi_film_slip_impulse(pair, &pair->impulses, force, own, other);
    for (int c = 0; c < 3; ++c) {
        given[c] = -pair->impulse * pair->normal[c] - force[c];
        arm[c] = away * pair->normal[c];
    }
    demi_cross(arm, force, torque);
    for (int c = 0; c < 3; ++c)
        torque[c] = -(torque[c] + own[c]);
}

static void film_wall_end(dem_world *w, const demi_film_pair *pair)
{
    const uint64_t index = pair->ends.other;
    double given[3], torque[3], about[3];
    film_wall_given(w, pair, given, torque);
    const double work =
        demi_dot(given, pair->other_velocity) + demi_dot(torque, pair->other_turning);
    w->work_boundary -= work;
    w->wall.data[index].work -= work;
    if (w->contact_impulse.read == NULL)
        return;
    demi_wall_force *sum = &w->wall_impulse.data[index];
    demi_cross(pair->arm, given, about);
    for (int c = 0; c < 3; ++c) {
        sum->force[c] += given[c];
        sum->torque[c] += about[c] + torque[c];
    }
}

/* A kinematic body works by what films give it. */
static void film_kinematic_works(dem_world *w, uint64_t row)
{
    const demi_velocities *velocities = &w->next.velocity.read[row];
    const demi_impulse *impulse = &w->film.impulse.read[row];
    if (!(film_inverse(velocities) > 0.0))
        w->work_boundary -= demi_dot(impulse->linear, velocities->velocity) +
                            demi_dot(impulse->angular, velocities->angular_velocity);
}

static int film_acted(const demi_film_pair *pair)
{
    return pair->impulse != 0.0 || demi_any3(pair->impulses.own) || demi_any3(pair->impulses.other);
}

void demi_films_end(dem_world *w)
{
    for (uint64_t k = 0; k < w->film.pairs; ++k)
        if (w->film.pair.read[k].ends.wall && film_acted(&w->film.pair.read[k]))
            film_wall_end(w, &w->film.pair.read[k]);
    for (uint64_t row = 0; row < w->rows; ++row)
        if (demi_any3(w->film.impulse.read[row].linear) ||
            demi_any3(w->film.impulse.read[row].angular))
            film_kinematic_works(w, row);
}
