/* SPDX-License-Identifier: MIT */
/* A random packing: spheres grow in a periodic box and are relaxed after each growth (FIRE, Bitzek
 * et al. 2006, on harmonic overlaps) until they cannot grow any more. */
#include "percolation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct packing {
    int count;
    double side[3];
    double *x, *v, *f, *listed; /* [count][3]; listed: where the list was made */
    int *pair;                  /* [pairs][2] that may touch */
    int pairs, room;
    double reach; /* distance up to which pairs are listed */
} packing;

double bed_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double offset(const packing *p, int i, int j, double d[3])
{
    for (int c = 0; c < 3; ++c) {
        d[c] = p->x[3 * i + c] - p->x[3 * j + c];
        d[c] -= p->side[c] * nearbyint(d[c] / p->side[c]);
    }
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static int list_make(packing *p, double diameter)
{
    double d[3];
    p->pairs = 0;
    p->reach = 1.3 * diameter;
    for (int i = 0; i < p->count; ++i)
        for (int j = i + 1; j < p->count; ++j) {
            if (offset(p, i, j, d) > p->reach * p->reach)
                continue;
            if (p->pairs == p->room) {
                const int room = 2 * p->room + 1024;
                int *grown = realloc(p->pair, (size_t)room * 2 * sizeof *grown);
                if (grown == NULL)
                    return -1;
                p->pair = grown;
                p->room = room;
            }
            p->pair[2 * p->pairs] = i;
            p->pair[2 * p->pairs + 1] = j;
            p->pairs += 1;
        }
    memcpy(p->listed, p->x, (size_t)p->count * 3 * sizeof *p->x);
    return 0;
}

static int list_stale(const packing *p, double diameter)
{
    const double margin = 0.5 * (p->reach - diameter);
    for (int i = 0; i < p->count; ++i) {
        double square = 0.0;
        for (int c = 0; c < 3; ++c) {
            const double moved = p->x[3 * i + c] - p->listed[3 * i + c];
            square += moved * moved;
        }
        if (square > margin * margin)
            return 1;
    }
    return 0;
}

/* Forces of unit springs; returns the largest overlap. */
static double forces(packing *p, double diameter)
{
    double worst = 0.0, d[3];
    memset(p->f, 0, (size_t)p->count * 3 * sizeof *p->f);
    for (int k = 0; k < p->pairs; ++k) {
        const int i = p->pair[2 * k], j = p->pair[2 * k + 1];
        const double square = offset(p, i, j, d);
        if (square >= diameter * diameter || square == 0.0)
            continue;
        const double distance = sqrt(square), overlap = diameter - distance;
        worst = overlap > worst ? overlap : worst;
        for (int c = 0; c < 3; ++c) {
            const double f = overlap * d[c] / distance;
            p->f[3 * i + c] += f;
            p->f[3 * j + c] -= f;
        }
    }
    return worst;
}

/* One step of FIRE; the state is the time step, the mixing and the steps since a stop. */
typedef struct fire {
    double dt, mixing;
    int since;
} fire;

static void fire_step(packing *p, fire *s)
{
    const int n = 3 * p->count;
    double power = 0.0, vv = 0.0, ff = 0.0;
    for (int k = 0; k < n; ++k) {
        power += p->f[k] * p->v[k];
        vv += p->v[k] * p->v[k];
        ff += p->f[k] * p->f[k];
    }
    if (power < 0.0) {
        memset(p->v, 0, (size_t)n * sizeof *p->v);
        s->dt *= 0.5;
        s->mixing = 0.1;
        s->since = 0;
    } else if (ff > 0.0) {
        const double turn = s->mixing * sqrt(vv / ff);
        for (int k = 0; k < n; ++k)
            p->v[k] = (1.0 - s->mixing) * p->v[k] + turn * p->f[k];
        if (++s->since > 5) {
            s->dt = fmin(1.1 * s->dt, 0.5);
            s->mixing *= 0.99;
        }
    }
    for (int k = 0; k < n; ++k) {
        p->v[k] += p->f[k] * s->dt;
        p->x[k] += p->v[k] * s->dt;
    }
}

/* 1 when no overlap is left above the tolerance, 0 when that cannot be had, -1 without memory. */
static int relax(packing *p, double diameter)
{
    enum { MOST = 4000 };
    fire s = {0.1, 0.1, 0};
    memset(p->v, 0, (size_t)p->count * 3 * sizeof *p->v);
    if (list_make(p, diameter) != 0)
        return -1;
    for (int k = 0; k < MOST; ++k) {
        if (list_stale(p, diameter) && list_make(p, diameter) != 0)
            return -1;
        if (forces(p, diameter) <= 4.5e-4 * diameter)
            return 1;
        fire_step(p, &s);
    }
    return 0;
}

/* Grows the spheres; 0 with the diameter, or -1 without memory. x[count] holds the last good ones.
 */
static int grow(packing *p, double *good, double *diameter)
{
    const size_t bytes = (size_t)p->count * 3 * sizeof *p->x;
    double growth = 0.02, reached = 0.0, tried = 1.6;
    while (growth > 2e-4) {
        const int fits = relax(p, tried);
        if (fits < 0)
            return -1;
        if (fits) {
            reached = tried;
            memcpy(good, p->x, bytes);
        } else {
            memcpy(p->x, good, bytes);
            growth *= 0.5;
        }
        tried = (reached > 0.0 ? reached : 1.6) * (1.0 + growth);
    }
    memcpy(p->x, good, bytes);
    *diameter = reached;
    return reached > 0.0 ? 0 : -1;
}

int bed_make(bed *b, double radius, double depth, uint64_t seed)
{
    packing p = {.side = {8.0, 8.0, depth}};
    uint64_t random = seed;
    double diameter = 0.0;
    memset(b, 0, sizeof *b);
    p.count = (int)lround(0.63 * 64.0 * depth / (4.0 / 3.0 * fine_pi));
    const size_t n = (size_t)p.count * 3;
    double *block = calloc(5 * n, sizeof *block);
    b->centre = calloc(n, sizeof *b->centre);
    int bad = block == NULL || b->centre == NULL;
    if (!bad) {
        p.x = block;
        p.v = block + n;
        p.f = block + 2 * n;
        p.listed = block + 3 * n;
        for (size_t k = 0; k < n; ++k)
            p.x[k] = p.side[k % 3] * bed_random(&random);
        memcpy(block + 4 * n, p.x, n * sizeof *p.x);
        bad = grow(&p, block + 4 * n, &diameter) != 0;
    }
    if (bad) {
        fprintf(stderr, "percolation: no memory for the bed\n");
        bed_free(b);
    } else {
        /* the box is scaled so that spheres that touched have a gap of 1 % of the distance */
        const double scale = 2.0 * radius / (0.99 * diameter);
        b->count = p.count;
        b->radius = radius;
        for (int c = 0; c < 3; ++c)
            b->side[c] = scale * p.side[c];
        for (size_t k = 0; k < n; ++k) {
            const double side = p.side[k % 3];
            b->centre[k] = scale * (p.x[k] - side * floor(p.x[k] / side));
        }
        b->fraction = p.count * 4.0 / 3.0 * fine_pi * radius * radius * radius /
                      (b->side[0] * b->side[1] * b->side[2]);
    }
    free(block);
    free(p.pair);
    return bad ? -1 : 0;
}

void bed_free(bed *b)
{
    free(b->centre);
    b->centre = NULL;
    b->count = 0;
}
