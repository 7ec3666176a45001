/* SPDX-License-Identifier: MIT */
/* One fine sphere falls through the bed. It touches the bed alone, so each fine is a problem of its
 * own, with a short list of the spheres near it. */
#include "percolation.h"

#include <math.h>
#include <string.h>

enum { NEAR_MOST = 64 };

static const double gravity = 9.81;

/* A bed sphere near the fine one, at the image that it meets. */
typedef struct neighbour {
    double centre[3], spring[3];
    int index, image[2];
    int touches;
} neighbour;

typedef struct fine {
    double x[3], v[3], w[3], a[3], turn[3]; /* a, turn: accelerations */
    double listed[3];                       /* where the list was made */
    double reach;                           /* gap up to which spheres are listed */
    double inverse_mass, inverse_inertia;
    neighbour near[NEAR_MOST];
    int count, touching, failed;
} fine;

fall_setup fall_paper(const bed *b, int scheme, double end)
{
    const double radius = b->radius / 20.0, density = 2500.0, volume = 4.0 / 3.0 * fine_pi;
    const double light = density * volume * radius * radius * radius;
    const double heavy = density * volume * b->radius * b->radius * b->radius;
    const double mass = light * heavy / (light + heavy), overlap = 1e-3 * 2.0 * radius;
    const double stiffness = mass * 2.0 * gravity * b->radius / (overlap * overlap);
    fall_setup s;
    memset(&s, 0, sizeof s);
    s.bed = b;
    s.scheme = scheme;
    s.pair = fine_pair_make(radius, b->radius, density, stiffness, 0.8, 0.3);
    s.mass = light;
    s.dt = fine_pi * sqrt(mass / stiffness) / 40.0;
    s.end = end;
    s.look[0] = 0.2 * end;
    s.look[1] = 0.4 * end;
    s.look[2] = end;
    s.skip_flights = 1;
    return s;
}

void fall_start(const fall_setup *s, uint64_t seed, int fine, double position[3])
{
    const bed *b = s->bed;
    uint64_t random = (seed << 32) + 1000003u * (uint64_t)(fine + 1);
    double top = b->centre[2];
    for (int k = 1; k < b->count; ++k)
        top = fmax(top, b->centre[3 * k + 2]);
    position[0] = b->side[0] * bed_random(&random);
    position[1] = b->side[1] * bed_random(&random);
    position[2] = top + b->radius + 2e-4 + s->pair.fine;
}

/* Lists the spheres within reach in the order of their numbers, and carries their springs over. */
static void list_make(fine *f, const fall_setup *s)
{
    const bed *b = s->bed;
    neighbour old[NEAR_MOST];
    const int old_count = f->count;
    const double far = s->pair.sum + f->reach;
    memcpy(old, f->near, (size_t)old_count * sizeof old[0]);
    memcpy(f->listed, f->x, sizeof f->listed);
    f->count = 0;
    for (int k = 0; k < b->count; ++k) {
        neighbour n = {.index = k};
        double square = 0.0;
        for (int c = 0; c < 3; ++c) {
            n.centre[c] = b->centre[3 * k + c];
            if (c < 2) {
                n.image[c] = (int)nearbyint((f->x[c] - n.centre[c]) / b->side[c]);
                n.centre[c] += n.image[c] * b->side[c];
            }
            square += (f->x[c] - n.centre[c]) * (f->x[c] - n.centre[c]);
        }
        if (square > far * far)
            continue;
        if (f->count == NEAR_MOST) {
            f->failed = 1;
            return;
        }
        for (int o = 0; o < old_count; ++o)
            if (old[o].index == k && memcmp(old[o].image, n.image, sizeof n.image) == 0) {
                n.touches = old[o].touches;
                memcpy(n.spring, old[o].spring, sizeof n.spring);
            }
        f->near[f->count++] = n;
    }
}

static double moved_square(const fine *f)
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
        square += (f->x[c] - f->listed[c]) * (f->x[c] - f->listed[c]);
    return square;
}

/* A full step; returns 1 when a contact exists at its end. */
FINE_INLINE void step(int scheme, fine *f, const fall_setup *s)
{
    const double dt = s->dt, h = 0.5 * dt;
    double v[3], w[3], ve[3], we[3], force[3] = {0.0, 0.0, 0.0}, torque[3] = {0.0, 0.0, 0.0};
    for (int c = 0; c < 3; ++c) {
        v[c] = f->v[c] + f->a[c] * h;
        w[c] = f->w[c] + f->turn[c] * h;
        f->x[c] += v[c] * dt;
        ve[c] = v[c] + f->a[c] * h;
        we[c] = w[c] + f->turn[c] * h;
    }
    if (moved_square(f) > f->reach * f->reach)
        list_make(f, s);
    const double touch = s->pair.sum * s->pair.sum;
    f->touching = 0;
    for (int k = 0; k < f->count; ++k) {
        neighbour *n = &f->near[k];
        double d[3], one[3], moment[3];
        for (int c = 0; c < 3; ++c)
            d[c] = f->x[c] - n->centre[c];
        if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] >= touch) {
            if (n->touches)
                memset(n->spring, 0, sizeof n->spring);
            n->touches = 0;
            continue;
        }
        const double overlap =
            fine_contact(scheme, &s->pair, dt, d, v, w, ve, we, n->spring, one, moment);
        n->touches = 1;
        f->touching = 1;
        f->failed |= !(overlap < 0.5 * s->pair.fine);
        for (int c = 0; c < 3; ++c) {
            force[c] += one[c];
            torque[c] += moment[c];
        }
    }
    for (int c = 0; c < 3; ++c) {
        f->a[c] = force[c] * f->inverse_mass + (c == 2 ? -gravity : 0.0);
        f->turn[c] = torque[c] * f->inverse_inertia;
        f->v[c] = v[c] + f->a[c] * h;
        f->w[c] = w[c] + f->turn[c] * h;
    }
}

/* Steps for which nothing can touch, the list staying valid. In flight the scheme moves a fine by
 * exactly v T + g T^2/2, so a gap G cannot be closed within T = 2 G/(v + sqrt(v^2 + 2 g G)). */
static uint64_t flight_steps(const fine *f, const fall_setup *s)
{
    double gap = f->reach - sqrt(moved_square(f));
    for (int k = 0; k < f->count; ++k) {
        const double *c = f->near[k].centre;
        const double d[3] = {f->x[0] - c[0], f->x[1] - c[1], f->x[2] - c[2]};
        gap = fmin(gap, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - s->pair.sum);
    }
    gap = 0.999 * gap - 1e-12; /* round-off */
    if (gap <= 0.0)
        return 0;
    const double square = f->v[0] * f->v[0] + f->v[1] * f->v[1] + f->v[2] * f->v[2];
    return (uint64_t)(2.0 * gap / (sqrt(square) + sqrt(square + 2.0 * gravity * gap)) / s->dt);
}

/* The kick-drift-kick of `step` where no force but gravity acts: the same operations in the same
 * order, so the same bits. Spin stays. */
static void fly(fine *f, double dt, uint64_t steps)
{
    const double h = 0.5 * dt, kick = f->a[2] * h;
    double x = f->x[0], y = f->x[1], z = f->x[2], vz = f->v[2];
    const double vx = f->v[0], vy = f->v[1];
    for (uint64_t k = 0; k < steps; ++k) {
        vz += kick;
        x += vx * dt;
        y += vy * dt;
        z += vz * dt;
        vz += kick;
    }
    f->x[0] = x;
    f->x[1] = y;
    f->x[2] = z;
    f->v[2] = vz;
}

FINE_INLINE void fall(int scheme, const fall_setup *s, fine *f, fall_result *r)
{
    double lowest = s->bed->centre[2];
    for (int k = 1; k < s->bed->count; ++k)
        lowest = fmin(lowest, s->bed->centre[3 * k + 2]);
    const double bottom = lowest - s->pair.sum;
    const uint64_t end = (uint64_t)llround(s->end / s->dt);
    for (int look = 0; look < FALL_LOOKS; ++look) {
        const uint64_t until =
            look + 1 == FALL_LOOKS ? end : (uint64_t)llround(s->look[look] / s->dt);
        while (r->steps < until && f->x[2] > bottom && !f->failed) {
            uint64_t free = s->skip_flights && !f->touching ? flight_steps(f, s) : 0;
            if (free > until - r->steps)
                free = until - r->steps;
            if (free > 4) {
                fly(f, s->dt, free);
                r->steps += free;
                continue;
            }
            step(scheme, f, s);
            r->steps += 1;
            r->contact_steps += (uint64_t)f->touching;
        }
        memcpy(r->look[look], f->x, sizeof f->x);
    }
    r->trapped = f->x[2] > bottom;
}

void fall_run(const fall_setup *s, const double start[3], fall_result *r)
{
    fine f;
    memset(&f, 0, sizeof f);
    memset(r, 0, sizeof *r);
    memcpy(f.x, start, sizeof f.x);
    f.a[2] = -gravity;
    f.reach = 0.25 * s->bed->radius;
    f.inverse_mass = 1.0 / s->mass;
    f.inverse_inertia = 1.0 / (0.4 * s->mass * s->pair.fine * s->pair.fine);
    list_make(&f, s);
    switch (s->scheme) {
    case DEM_INTEGRATOR_VERLET_SYNC:
        fall(DEM_INTEGRATOR_VERLET_SYNC, s, &f, r);
        break;
    case DEM_INTEGRATOR_VERLET_IMPROVED:
        fall(DEM_INTEGRATOR_VERLET_IMPROVED, s, &f, r);
        break;
    default:
        fall(DEM_INTEGRATOR_VERLET_STANDARD, s, &f, r);
        break;
    }
    memcpy(r->position, f.x, sizeof f.x);
    memcpy(r->velocity, f.v, sizeof f.v);
    memcpy(r->angular_velocity, f.w, sizeof f.w);
    r->time = (double)r->steps * s->dt;
    r->failed = f.failed;
}
