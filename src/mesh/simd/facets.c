/* SPDX-License-Identifier: MIT */
/* Which facets of a polyhedron, and which pairs of facets of two, are to be looked at; eight at a
 * time. */
#include "base/vector.h"
#include "mesh/facet_lanes.h"

#include <math.h>

DEMI_ENTRY(demi_facets_farthest_function, demi_facets_farthest);
DEMI_ENTRY(demi_facets_ahead_function, demi_facets_ahead);
DEMI_ENTRY(demi_facets_place_function, demi_facets_place);
DEMI_ENTRY(demi_facets_meet_function, demi_facets_meet);

enum { LANES = DEMI_FACET_LANES };
enum { HALF = 4 };

/* Four numbers of a row, which is one or the other half of it. */
#define ROW(row, half) (*demi_v4_at((row) + HALF * (half)))
#define EVERY(x) ((demi_v4){x, x, x, x})

/* Where numbers are below others, as bits of that half. */
#define BELOW(a, b, half) (demi_v4_below(&(a), &(b)) << HALF * (half))

/* ------------------------------------------------------------------ reach */

/* A direction, and which bounds of a box are foremost along it. */
typedef struct facets_way {
    double d[3];
    int bound[3];
} facets_way;

static DEMI_INLINE void facets_way_of(const double d[3], facets_way *way)
{
    for (int c = 0; c < 3; ++c) {
        way->d[c] = d[c];
        way->bound[c] = d[c] > 0.0 ? 3 + c : c;
    }
}

/* How far half of the boxes reach. */
static DEMI_INLINE void boxes_reach(const demi_box_lanes *box, const facets_way *way, int half,
                                    demi_v4 *reach)
{
    *reach = way->d[0] * ROW(box->bound[way->bound[0]], half) +
             way->d[1] * ROW(box->bound[way->bound[1]], half) +
             way->d[2] * ROW(box->bound[way->bound[2]], half);
}

/* How far half of the facets reach, and which reach farther than `least`. */
static DEMI_INLINE uint32_t facets_reach(const demi_facet_block *block, const facets_way *way,
                                         double least, double reach[LANES])
{
    const demi_v4 limit = EVERY(least);
    uint32_t bits = 0;
    for (int half = 0; half < 2; ++half) {
        demi_v4 h[3];
        for (int v = 0; v < 3; ++v)
            h[v] = ROW(block->x[3 * v], half) * way->d[0] +
                   ROW(block->x[3 * v + 1], half) * way->d[1] +
                   ROW(block->x[3 * v + 2], half) * way->d[2];
        h[0] = DEMI_V4_MAX(h[0], h[1]);
        h[0] = DEMI_V4_MAX(h[0], h[2]);
        bits |= BELOW(limit, h[0], half);
        *(demi_v4 *)(reach + HALF * half) = h[0];
    }
    return bits;
}

/* Which boxes reach farther than `least`. */
static DEMI_INLINE uint32_t boxes_beyond(const demi_box_lanes *box, const facets_way *way,
                                         double least)
{
    const demi_v4 limit = EVERY(least);
    uint32_t bits = 0;
    for (int half = 0; half < 2; ++half) {
        demi_v4 reach;
        boxes_reach(box, way, half, &reach);
        bits |= BELOW(limit, reach, half);
    }
    return bits;
}

/* The lanes of a block that have facets. */
static DEMI_INLINE uint32_t facets_lanes(const demi_facet_lanes *lanes, uint64_t block)
{
    const uint64_t left = lanes->facets - block * LANES;
    return left < LANES ? (1u << left) - 1u : (1u << LANES) - 1u;
}

/* ------------------------------------------------------------------ the farthest point */

typedef struct facets_best {
    double reach;
    uint64_t place; /* in the order of the tree */
} facets_best;

static DEMI_INLINE void block_farthest(const demi_facet_lanes *lanes, const facets_way *way,
                                       uint64_t block, facets_best *best)
{
    double reach[LANES];
    uint32_t bits = facets_reach(&lanes->block.read[block], way, best->reach, reach);
    for (bits &= facets_lanes(lanes, block); bits != 0; bits &= bits - 1) {
        const uint64_t k = (uint64_t)__builtin_ctz(bits);
        if (reach[k] > best->reach)
            *best = (facets_best){reach[k], block * LANES + k};
    }
}

/* The box that reaches farthest. */
static DEMI_INLINE uint64_t boxes_foremost(const demi_box_lanes *box, uint64_t count,
                                           const facets_way *way)
{
    double most = -INFINITY, reach[LANES];
    uint64_t found = 0;
    for (uint64_t n = 0; n < count; ++n) {
        for (int half = 0; half < 2; ++half)
            boxes_reach(&box[n], way, half, (demi_v4 *)(reach + HALF * half));
        for (uint64_t k = 0; k < LANES; ++k)
            if (reach[k] > most) {
                most = reach[k];
                found = n * LANES + k;
            }
    }
    return found;
}

double demi_facets_farthest(const demi_facet_lanes *lanes, const double d[3], double point[3])
{
    facets_best best = {-INFINITY, 0};
    facets_way way;
    facets_way_of(d, &way);
    /* a good place first, so that there is little else to look at */
    const uint64_t first = boxes_foremost(lanes->top.read, lanes->tops, &way);
    block_farthest(lanes, &way, first * LANES + boxes_foremost(&lanes->box.read[first], 1, &way),
                   &best);
    for (uint64_t n = 0; n < lanes->tops; ++n)
        for (uint32_t tops = boxes_beyond(&lanes->top.read[n], &way, best.reach); tops != 0;
             tops &= tops - 1) {
            const uint64_t top = n * LANES + (uint64_t)__builtin_ctz(tops);
            for (uint32_t bits = boxes_beyond(&lanes->box.read[top], &way, best.reach); bits != 0;
                 bits &= bits - 1)
                block_farthest(lanes, &way, top * LANES + (uint64_t)__builtin_ctz(bits), &best);
        }
    const demi_facet_block *block = &lanes->block.read[best.place / LANES];
    const uint64_t k = best.place % LANES;
    for (int v = 0; v < 3; ++v) {
        const double x[3] = {block->x[3 * v][k], block->x[3 * v + 1][k], block->x[3 * v + 2][k]};
        if (x[0] * d[0] + x[1] * d[1] + x[2] * d[2] == best.reach)
            for (int c = 0; c < 3; ++c)
                point[c] = x[c];
    }
    return best.reach;
}

/* ------------------------------------------------------------------ what reaches far enough */

/* Makes a gap that of boxes and [low, high] along axis c, where that is greater. */
static DEMI_INLINE void boxes_gap(const demi_box_lanes *box, int c, double low, double high,
                                  int half, demi_v4 *gap)
{
    const demi_v4 below = low - ROW(box->bound[3 + c], half),
                  above = ROW(box->bound[c], half) - high;
    *gap = DEMI_V4_MAX(*gap, below);
    *gap = DEMI_V4_MAX(*gap, above);
}

static DEMI_INLINE uint32_t boxes_ahead(const demi_box_lanes *box, const facets_way *way,
                                        const demi_facets_ahead_call *call)
{
    const demi_v4 none = EVERY(0.0);
    uint32_t bits = 0;
    for (int half = 0; half < 2; ++half) {
        demi_v4 gap;
        boxes_reach(box, way, half, &gap);
        gap = call->least - gap;
        for (int c = 0; c < 3; ++c)
            boxes_gap(box, c, call->box.low[c], call->box.high[c], half, &gap);
        bits |= BELOW(gap, none, half);
    }
    return bits;
}

uint64_t demi_facets_ahead(const demi_facet_lanes *lanes, demi_facets_ahead_call *call,
                           uint32_t *place)
{
    facets_way way;
    double reach[LANES], farthest = -INFINITY;
    uint64_t count = 0;
    facets_way_of(call->d, &way);
    for (uint64_t n = call->begin; n < call->end; ++n)
        for (uint32_t tops = boxes_ahead(&lanes->top.read[n], &way, call); tops != 0;
             tops &= tops - 1) {
            const uint64_t top = n * LANES + (uint64_t)__builtin_ctz(tops);
            for (uint32_t bits = boxes_ahead(&lanes->box.read[top], &way, call); bits != 0;
                 bits &= bits - 1) {
                const uint64_t block = top * LANES + (uint64_t)__builtin_ctz(bits);
                uint32_t far = facets_reach(&lanes->block.read[block], &way, call->least, reach);
                for (far &= facets_lanes(lanes, block); far != 0; far &= far - 1) {
                    const uint64_t k = (uint64_t)__builtin_ctz(far);
                    farthest = reach[k] > farthest ? reach[k] : farthest;
                    place[count++] = (uint32_t)(block * LANES + k);
                }
            }
        }
    call->farthest = farthest;
    return count;
}

/* ------------------------------------------------------------------ facets in one body's axes */

/* As demi_side_place does. */
static DEMI_INLINE void facets_move(const demi_facets_place_call *call, int half,
                                    demi_near_block *to)
{
    for (int v = 0; v < 4; ++v) {
        double(*const rows)[LANES] = v < 3 ? &to->x[3 * v] : &to->normal[0];
        const demi_v4 x = ROW(rows[0], half), y = ROW(rows[1], half), z = ROW(rows[2], half);
        for (int c = 0; c < 3; ++c) {
            demi_v4 at = call->turn[c][0] * x + call->turn[c][1] * y + call->turn[c][2] * z;
            if (v < 3)
                at += call->shift[c];
            *(demi_v4 *)(rows[c] + HALF * half) = at;
        }
    }
}

static DEMI_INLINE void facets_bounds(const demi_facets_place_call *call, int half,
                                      demi_near_block *to)
{
    for (int a = 0; a < 3; ++a) {
        const double *d = call->axes[a];
        demi_v4 h[3];
        for (int v = 0; v < 3; ++v)
            h[v] = d[0] * ROW(to->x[3 * v], half) + d[1] * ROW(to->x[3 * v + 1], half) +
                   d[2] * ROW(to->x[3 * v + 2], half);
        const demi_v4 least = DEMI_V4_MIN(h[0], h[1]), most = DEMI_V4_MAX(h[0], h[1]);
        *(demi_v4 *)(to->bound.bound[a] + HALF * half) = DEMI_V4_MIN(least, h[2]);
        *(demi_v4 *)(to->bound.bound[3 + a] + HALF * half) = DEMI_V4_MAX(most, h[2]);
    }
}

/* The box around n facets of a block. */
static DEMI_INLINE void facets_box(const demi_box_lanes *of, uint64_t n, demi_box_lanes *box,
                                   uint64_t lane)
{
    for (int b = 0; b < 3; ++b) {
        double low = of->bound[b][0], high = of->bound[3 + b][0];
        for (uint64_t k = 1; k < n; ++k) {
            low = of->bound[b][k] < low ? of->bound[b][k] : low;
            high = of->bound[3 + b][k] > high ? of->bound[3 + b][k] : high;
        }
        box->bound[b][lane] = low;
        box->bound[3 + b][lane] = high;
    }
}

/* Boxes of which nothing is near, from a lane on. */
static DEMI_INLINE void boxes_nowhere(demi_box_lanes *box, uint64_t lane)
{
    for (; lane < LANES; ++lane)
        for (int b = 0; b < 3; ++b) {
            box->bound[b][lane] = DEMI_BOX_NOWHERE;
            box->bound[3 + b][lane] = -DEMI_BOX_NOWHERE;
        }
}

void demi_facets_place(const demi_facet_lanes *lanes, const demi_facets_place_call *call,
                       demi_near_block *to, demi_box_lanes *box)
{
    const demi_facets_place_call here = *call; /* which no store can change */
    const uint64_t blocks = demi_facet_blocks(here.count);
    for (uint64_t block = 0; block < blocks; ++block) {
        demi_near_block *near = &to[block];
        const uint64_t left = here.count - block * LANES, n = left < LANES ? left : LANES;
        for (uint64_t k = 0; k < LANES; ++k) {
            const uint64_t place = here.place[block * LANES + (k < n ? k : n - 1)];
            const demi_facet_block *from = &lanes->block.read[place / LANES];
            for (int r = 0; r < 9; ++r)
                near->x[r][k] = from->x[r][place % LANES];
            for (int c = 0; c < 3; ++c)
                near->normal[c][k] = from->normal[c][place % LANES];
        }
        for (int half = 0; half < 2; ++half) {
            facets_move(&here, half, near);
            facets_bounds(&here, half, near);
        }
        facets_box(&near->bound, n, &box[block / LANES], block % LANES);
        boxes_nowhere(&near->bound, n);
    }
    if (blocks % LANES != 0)
        boxes_nowhere(&box[blocks / LANES], blocks % LANES);
}

/* ------------------------------------------------------------------ pairs of facets */

/* One facet. */
typedef struct facets_one {
    double corners[9], normal[3], low[3], high[3];
} facets_one;

static DEMI_INLINE uint32_t boxes_meet(const demi_box_lanes *box, const facets_one *one)
{
    const demi_v4 none = EVERY(0.0);
    uint32_t bits = 0;
    for (int half = 0; half < 2; ++half) {
        demi_v4 gap = EVERY(-1.0);
        for (int c = 0; c < 3; ++c)
            boxes_gap(box, c, one->low[c], one->high[c], half, &gap);
        bits |= BELOW(gap, none, half);
    }
    return bits;
}

/* Where three heights are all above 0, or all below. */
static DEMI_INLINE uint32_t heights_apart(const demi_v4 h[3], int half)
{
    const demi_v4 none = EVERY(0.0);
    demi_v4 low = DEMI_V4_MIN(h[0], h[1]), high = DEMI_V4_MAX(h[0], h[1]);
    low = DEMI_V4_MIN(low, h[2]);
    high = DEMI_V4_MAX(high, h[2]);
    return BELOW(none, low, half) | BELOW(high, none, half);
}

/* Facets of half a block of which the one is on one side, or that are on one side of it. Heights
 * are those of pierce.c; where one is 0, a closer look tells. */
static DEMI_INLINE uint32_t facets_apart(const demi_near_block *other, const facets_one *one,
                                         int half)
{
    const double *p = one->corners, *m = one->normal;
    demi_v4 h[3];
    for (int v = 0; v < 3; ++v)
        h[v] = ROW(other->normal[0], half) * (p[3 * v] - ROW(other->x[0], half)) +
               ROW(other->normal[1], half) * (p[3 * v + 1] - ROW(other->x[1], half)) +
               ROW(other->normal[2], half) * (p[3 * v + 2] - ROW(other->x[2], half));
    const uint32_t apart = heights_apart(h, half);
    for (int v = 0; v < 3; ++v)
        h[v] = m[0] * (ROW(other->x[3 * v], half) - p[0]) +
               m[1] * (ROW(other->x[3 * v + 1], half) - p[1]) +
               m[2] * (ROW(other->x[3 * v + 2], half) - p[2]);
    return apart | heights_apart(h, half);
}

uint64_t demi_facets_meet(const demi_facets_meet_call *call, uint32_t *near)
{
    const demi_near_block *own = &call->own[call->lane / LANES];
    const uint64_t lane = call->lane % LANES;
    facets_one one;
    uint64_t count = 0;
    for (int r = 0; r < 9; ++r)
        one.corners[r] = own->x[r][lane];
    for (int c = 0; c < 3; ++c) {
        one.normal[c] = own->normal[c][lane];
        one.low[c] = own->bound.bound[c][lane] - call->pad;
        one.high[c] = own->bound.bound[3 + c][lane] + call->pad;
    }
    for (uint64_t n = 0; n * LANES < call->blocks; ++n)
        for (uint32_t blocks = boxes_meet(&call->box[n], &one); blocks != 0; blocks &= blocks - 1) {
            const uint64_t block = n * LANES + (uint64_t)__builtin_ctz(blocks);
            const demi_near_block *other = &call->other[block];
            uint32_t bits = boxes_meet(&other->bound, &one);
            for (int half = 0; half < 2; ++half)
                if ((bits >> HALF * half & ((1u << HALF) - 1u)) != 0)
                    bits &= ~facets_apart(other, &one, half);
            for (; bits != 0; bits &= bits - 1)
                near[count++] = (uint32_t)(block * LANES + (uint64_t)__builtin_ctz(bits));
        }
    return count;
}
