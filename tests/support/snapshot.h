/* SPDX-License-Identifier: MIT */
/**
 * @file snapshot.h
 * The contacts of a history or a world, copied so that two moments can be compared bit by bit.
 */
#ifndef DEM_TEST_SNAPSHOT_H
#define DEM_TEST_SNAPSHOT_H

#include <dem/dem.h>
#include <stdlib.h>
#include <string.h>

#define SNAPSHOT_STATE 16

/** One contact without pointers. */
typedef struct snapshot_row {
    dem_contact_key key;
    double overlap, normal[3], force_normal[3], force_tangential[3];
    double state[SNAPSHOT_STATE];
    uint64_t state_count;
} snapshot_row;

/** All contacts, sorted by key. */
typedef struct snapshot {
    uint64_t count;
    dem_status last; /**< what ended the iteration; DEM_ERROR_RANGE when all is well */
    snapshot_row *rows;
} snapshot;

static inline int snapshot_compare(const void *a, const void *b)
{
    const dem_contact_key *p = &((const snapshot_row *)a)->key;
    const dem_contact_key *q = &((const snapshot_row *)b)->key;
    if (p->id_i != q->id_i)
        return p->id_i < q->id_i ? -1 : 1;
    if (p->id_j != q->id_j)
        return p->id_j < q->id_j ? -1 : 1;
    if (p->feature != q->feature)
        return p->feature < q->feature ? -1 : 1;
    for (int c = 0; c < 3; ++c)
        if (p->image[c] != q->image[c])
            return p->image[c] < q->image[c] ? -1 : 1;
    return 0;
}

static inline snapshot snapshot_take(const dem_world *world, const dem_contact_history *history)
{
    snapshot s = {0, DEM_OK, NULL};
    uint64_t room = 0, cursor = 0;
    for (;;) {
        dem_contact c;
        memset(&c, 0, sizeof(c));
        c.struct_size = sizeof(c);
        s.last = world != NULL ? dem_world_contact_next(world, &cursor, &c)
                               : dem_contact_history_next(history, &cursor, &c);
        if (s.last != DEM_OK)
            break;
        if (s.count == room) {
            room = room == 0 ? 64 : 2 * room;
            s.rows = realloc(s.rows, room * sizeof(*s.rows));
            if (s.rows == NULL)
                abort();
        }
        snapshot_row *r = &s.rows[s.count++];
        memset(r, 0, sizeof(*r));
        r->key = c.key;
        r->overlap = c.overlap;
        memcpy(r->normal, c.normal, sizeof(r->normal));
        memcpy(r->force_normal, c.force_normal, sizeof(r->force_normal));
        memcpy(r->force_tangential, c.force_tangential, sizeof(r->force_tangential));
        r->state_count = c.state_count;
        for (uint64_t k = 0; k < c.state_count && k < SNAPSHOT_STATE; ++k)
            r->state[k] = c.state[k];
    }
    if (s.count > 1)
        qsort(s.rows, s.count, sizeof(*s.rows), snapshot_compare);
    return s;
}

static inline snapshot snapshot_world(const dem_world *world)
{
    return snapshot_take(world, NULL);
}

static inline snapshot snapshot_history(const dem_contact_history *history)
{
    return snapshot_take(NULL, history);
}

static inline void snapshot_free(snapshot *s)
{
    free(s->rows);
    s->rows = NULL;
    s->count = 0;
}

static inline int snapshot_equal(const snapshot *a, const snapshot *b)
{
    return a->count == b->count && a->last == b->last &&
           (a->count == 0 || memcmp(a->rows, b->rows, a->count * sizeof(*a->rows)) == 0);
}

/** As snapshot_equal, but the sign of a zero in a normal or a force does not count. */
static inline int snapshot_same(const snapshot *a, const snapshot *b)
{
    if (a->count != b->count || a->last != b->last)
        return 0;
    for (uint64_t n = 0; n < a->count; ++n) {
        const snapshot_row *p = &a->rows[n], *q = &b->rows[n];
        if (memcmp(&p->key, &q->key, sizeof(p->key)) != 0 || p->overlap != q->overlap ||
            p->state_count != q->state_count || memcmp(p->state, q->state, sizeof(p->state)) != 0)
            return 0;
        for (int c = 0; c < 3; ++c)
            if (p->normal[c] != q->normal[c] || p->force_normal[c] != q->force_normal[c] ||
                p->force_tangential[c] != q->force_tangential[c])
                return 0;
    }
    return 1;
}

/** The contact of two ids, or NULL. */
static inline const snapshot_row *snapshot_find(const snapshot *s, uint64_t i, uint64_t j)
{
    for (uint64_t n = 0; n < s->count; ++n)
        if (s->rows[n].key.id_i == i && s->rows[n].key.id_j == j)
            return &s->rows[n];
    return NULL;
}

#endif
