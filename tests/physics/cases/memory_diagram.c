/* SPDX-License-Identifier: MIT */
#include "memory_diagram.h"

#include <math.h>
#include <stdlib.h>

void diagram_open(memory_diagram *m, double friction, double kappa, double stiffness)
{
    m->friction = friction;
    m->kappa = kappa;
    m->stiffness = stiffness;
    m->count = 0;
}

static double overlap_of(const memory_diagram *m)
{
    return m->count > 0 ? m->end[m->count - 1] : 0.0;
}

static double begin_of(const memory_diagram *m, int k)
{
    return k > 0 ? m->end[k - 1] : 0.0;
}

static void append(memory_diagram *m, double end, double value)
{
    if (!(end > overlap_of(m)))
        return;
    if (m->count == DIAGRAM_PIECES)
        abort();
    m->end[m->count] = end;
    m->value[m->count++] = value;
}

static void truncate_to(memory_diagram *m, double overlap)
{
    while (m->count > 0 && begin_of(m, m->count - 1) >= overlap)
        --m->count;
    if (m->count > 0 && m->end[m->count - 1] > overlap)
        m->end[m->count - 1] = overlap;
}

double diagram_move(memory_diagram *m, double overlap, double step)
{
    const double before = overlap_of(m);
    const double unit = m->friction / m->kappa;
    double left = step / unit; /* int of the change of D */
    if (overlap > before) {
        double slope = left / (overlap - before);
        slope = slope > 1.0 ? 1.0 : slope < -1.0 ? -1.0 : slope;
        append(m, overlap, slope);
        left -= slope * (overlap - before);
    } else if (overlap < before) {
        /* what is lifted off releases its displacement */
        double lost = 0.0;
        for (int k = 0; k < m->count; ++k) {
            const double from = fmax(begin_of(m, k), overlap);
            if (m->end[k] > from)
                lost += m->value[k] * (m->end[k] - from);
        }
        truncate_to(m, overlap);
        left += lost;
    }
    /* the rest turns D to +-1 from the edge inwards */
    if (left != 0.0 && m->count > 0) {
        const double sign = left > 0.0 ? 1.0 : -1.0;
        double edge = overlap;
        while (m->count > 0 && sign * left > 0.0) {
            const int k = m->count - 1;
            const double begin = begin_of(m, k), change = sign - m->value[k];
            const double whole = change * (m->end[k] - begin);
            if (sign * whole > sign * left) {
                /* only the outer part of this piece */
                m->end[k] -= left / change;
                left = 0.0;
            } else {
                left -= whole;
                --m->count;
            }
            edge = overlap;
        }
        append(m, edge, sign);
    }
    double force = 0.0, load_begin = 0.0;
    for (int k = 0; k < m->count; ++k) {
        const double load = m->stiffness * m->end[k] * sqrt(m->end[k]);
        force += m->value[k] * (load - load_begin);
        load_begin = load;
    }
    return m->friction * force;
}
