/* SPDX-License-Identifier: MIT */
/**
 * @file lattice.h
 * A host of level 1 with spheres near a lattice, in a period along x, for tests that compare two
 * hosts bit by bit. A test may add rows of its own behind the spheres.
 */
#ifndef DEM_TEST_LATTICE_H
#define DEM_TEST_LATTICE_H

#include "cmocka.h"
#include "random.h"
#include "snapshot.h"

#include <dem/dem.h>

#include <string.h>

enum { LATTICE_ROWS = 127, LATTICE_PAIRS = 20 * LATTICE_ROWS };
#define LATTICE_WIDTH 0.97

typedef struct lattice {
    double x[LATTICE_ROWS][3], v[LATTICE_ROWS][3], w[LATTICE_ROWS][3], a[LATTICE_ROWS][3],
        f[LATTICE_ROWS][3], t[LATTICE_ROWS][3];
    double radius[LATTICE_ROWS], mass[LATTICE_ROWS], shifts[LATTICE_PAIRS][3], period;
    int32_t material[LATTICE_ROWS], images[LATTICE_PAIRS][3];
    uint64_t id[LATTICE_ROWS], features[LATTICE_PAIRS];
    uint32_t spheres, pairs[LATTICE_PAIRS][2];
    dem_contacts_input in;
    dem_contact_totals totals;
    dem_contact_history *history;
} lattice;

/** Makes edge^3 spheres of 0.1 kg that touch some of their neighbours, without pairs and history;
 * `name` starts the random numbers. */
static inline void lattice_make(lattice *l, const char *name, uint32_t edge)
{
    test_random random = test_random_start(name);
    memset(l, 0, sizeof *l);
    l->spheres = edge * edge * edge;
    l->period = LATTICE_WIDTH * edge;
    assert_true(l->spheres <= LATTICE_ROWS);
    for (uint32_t n = 0; n < l->spheres; ++n) {
        const double at[3] = {n % edge, n / edge % edge, n / edge / edge};
        for (int c = 0; c < 3; ++c) {
            l->x[n][c] = LATTICE_WIDTH * at[c] + test_uniform(&random, -0.03, 0.03);
            l->v[n][c] = test_uniform(&random, -0.5, 0.5);
            l->w[n][c] = test_uniform(&random, -1.0, 1.0);
        }
        l->radius[n] = test_uniform(&random, 0.45, 0.5);
        l->mass[n] = 0.1;
        l->id[n] = 3 * ((n * 29) % l->spheres); /* in another order than the rows */
    }
    OK(dem_contacts_input_init(&l->in));
    dem_contacts_input *in = &l->in;
    in->particle_count = l->spheres;
    in->id = l->id;
    in->position = l->x[0];
    in->velocity = l->v[0];
    in->angular_velocity = l->w[0];
    in->acceleration = l->a[0];
    in->radius = l->radius;
    in->mass = l->mass;
    in->material = l->material;
    in->force = l->f[0];
    in->torque = l->t[0];
    in->pairs = l->pairs[0];
    in->shifts = l->shifts[0];
    in->images = l->images[0];
    in->features = l->features;
    in->dt = 1e-3;
    in->velocity_lag = 5e-4;
    l->totals.struct_size = sizeof l->totals;
}

/** Lists a pair; every other one has its rows the other way round. */
static inline void lattice_pair(lattice *l, uint32_t i, uint32_t j, int image, uint64_t feature)
{
    const uint64_t p = l->in.pair_count++;
    const int turned = (i + j) % 2;
    assert_true(p < LATTICE_PAIRS);
    l->pairs[p][turned] = i;
    l->pairs[p][1 - turned] = j;
    l->images[p][0] = turned ? -image : image;
    l->shifts[p][0] = l->images[p][0] * l->period;
    l->features[p] = feature;
}

/** Lists the spheres whose centres are nearer than `reach` with the sphere i and a lower row. */
static inline void lattice_pairs_of(lattice *l, uint32_t i, double reach, uint64_t feature)
{
    for (uint32_t j = 0; j < i; ++j)
        for (int image = -1; image <= 1; ++image) {
            const double d[3] = {l->x[i][0] - l->x[j][0] - image * l->period,
                                 l->x[i][1] - l->x[j][1], l->x[i][2] - l->x[j][2]};
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < reach * reach)
                lattice_pair(l, i, j, image, feature);
        }
}

/** Moves all rows by a step with the forces of the last one. */
static inline void lattice_drift(lattice *l)
{
    for (uint32_t n = 0; n < l->in.particle_count; ++n)
        for (int c = 0; c < 3; ++c) {
            l->a[n][c] = l->mass[n] > 0.0 ? l->f[n][c] / l->mass[n] : 0.0;
            l->v[n][c] += l->in.dt * l->a[n][c];
            l->x[n][c] += l->mass[n] > 0.0 ? l->in.dt * l->v[n][c] : 0.0;
            l->f[n][c] = l->t[n][c] = 0.01 * (n % 3); /* what is there already is added to */
        }
}

/** Leaves two spheres, 0 and 1, and copies of both, 3 and 2, which may lie elsewhere: the pairs of
 * 0 and 2 and of 1 and 3 are one contact. */
static inline void lattice_copies(lattice *l)
{
    l->in.particle_count = 4;
    l->in.ghost_count = l->in.pair_count = 2;
    l->in.shifts = NULL;
    for (uint32_t n = 0; n < 4; ++n) {
        const int first = n == 0 || n == 3;
        l->id[n] = first ? 1 : 2;
        l->x[n][0] = first ? 0.0 : 0.9;
        l->x[n][1] = l->x[n][2] = 0.0;
        l->v[n][1] = first ? 0.3 : 0.1;
        l->radius[n] = 0.5;
        l->mass[n] = 0.1;
        l->material[n] = 0;
        l->pairs[n % 2][n / 2] = n;
        memset(l->f[n], 0, sizeof l->f[n]);
        memset(l->images[n], 0, sizeof l->images[n]);
        memset(l->shifts[n], 0, sizeof l->shifts[n]);
    }
}

/** Contacts have the same bytes, contact points too. */
static inline void lattice_same_bytes(const lattice *a, const lattice *b)
{
    static unsigned char bytes[2][1 << 19];
    memset(bytes, 0, sizeof bytes);
    OK(dem_contact_history_snapshot(a->history, bytes[0], sizeof bytes[0], NULL));
    OK(dem_contact_history_snapshot(b->history, bytes[1], sizeof bytes[1], NULL));
    assert_memory_equal(bytes[0], bytes[1], sizeof bytes[0]);
}

/** Forces, torques, totals and contacts have the same bits. */
static inline void lattice_equal(const lattice *a, const lattice *b)
{
    assert_memory_equal(a->x, b->x, sizeof a->x);
    assert_memory_equal(a->f, b->f, sizeof a->f);
    assert_memory_equal(a->t, b->t, sizeof a->t);
    assert_memory_equal(&a->totals, &b->totals, sizeof a->totals);
    snapshot s = snapshot_history(a->history), t = snapshot_history(b->history);
    assert_true(s.count > 3 && snapshot_equal(&s, &t));
    snapshot_free(&s);
    snapshot_free(&t);
    lattice_same_bytes(a, b);
}

#endif
