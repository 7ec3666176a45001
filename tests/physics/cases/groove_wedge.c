/* SPDX-License-Identifier: MIT */
#include "groove_wedge.h"

#include <math.h>
#include <string.h>

/* Units m = g = k_n = 1. Forces are those of one of the two contacts: `across`, in the plane of the
 * normal and the radius, positive outwards, and `along` the path. */
typedef struct wedge {
    double sine, cosine; /* of the angle between the axis of the large spheres and a normal */
    double friction, start, ratio, rolling;
    const groove_springs *springs;
} wedge;

enum { DEPTH, SINKING, SPEED, SURFACE, ACROSS, ALONG, STATE };

/* Rates of depth, speeds of the centre and of the spinning surface, and springs: the fine sphere
 * drops onto its contacts and starts to roll, so little that its angle stays. */
static void settling_rate(const wedge *w, const double y[STATE], double rate[STATE])
{
    const groove_springs *s = w->springs;
    const double slip[2] = {-y[SINKING] * w->cosine, y[SPEED] - y[SURFACE]};
    const double normal =
        y[DEPTH] > 0.0 ? fmax(0.0, (y[DEPTH] + s->damping * y[SINKING]) * w->sine) : 0.0;
    double trial[2], length = 0.0;
    for (int c = 0; c < 2; ++c) {
        trial[c] = -s->tangential * y[ACROSS + c] - s->damping_tangential * slip[c];
        length = hypot(length, trial[c]);
    }
    const int slides = length > w->friction * normal;
    for (int c = 0; c < 2; ++c) {
        const double force = slides ? trial[c] * w->friction * normal / length : trial[c];
        rate[ACROSS + c] =
            slides ? -(force + s->tangential * y[ACROSS + c]) / s->damping_tangential : slip[c];
        trial[c] = force;
    }
    rate[DEPTH] = y[SINKING];
    rate[SINKING] = cos(w->start) - 2.0 * (normal * w->sine + trial[0] * w->cosine);
    rate[SPEED] = sin(w->start) + 2.0 * trial[1];
    rate[SURFACE] = -5.0 * w->sine * w->sine * trial[1];
}

/* Friction across the path once the oscillation has died down. */
static double settled_across(const wedge *w)
{
    const double dt = 0.01, part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double y[STATE] = {0.0};
    if (w->springs->sunk)
        y[DEPTH] = 0.5 * cos(w->start) / (w->sine * w->sine);
    for (int n = 0; n < 40000; ++n) {
        double sum[STATE] = {0.0}, rate[STATE] = {0.0};
        for (int stage = 0; stage < 4; ++stage) {
            double at[STATE];
            for (int c = 0; c < STATE; ++c)
                at[c] = y[c] + part[stage] * dt * rate[c];
            settling_rate(w, at, rate);
            for (int c = 0; c < STATE; ++c)
                sum[c] += weight[stage] * rate[c];
        }
        for (int c = 0; c < STATE; ++c)
            y[c] += dt / 6.0 * sum[c];
        if (y[DEPTH] <= 0.0)
            y[ACROSS] = y[ALONG] = 0.0;
    }
    return -w->springs->tangential * y[ACROSS];
}

/* What both contacts carry in the radial direction while the fine sphere rolls. */
static double radial_load(const wedge *w, double angle)
{
    return cos(angle) - 2.0 * (cos(w->start) - cos(angle)) / w->rolling;
}

/* Square of Coulomb's limit less that of the friction needed; negative where it slips. */
static double margin(const wedge *w, double angle, double across)
{
    const double along = sin(angle) / (5.0 * w->sine * w->sine + 2.0);
    const double normal = (0.5 * radial_load(w, angle) - across * w->cosine) / w->sine;
    return w->friction * w->friction * normal * normal - across * across - along * along;
}

/* d(across)/d(angle) while nothing slips. The load comes off, and depth with it; the springs turn
 * about the normal with half the fine sphere's angular velocity, the path's direction with the
 * angle. */
static double sticking_rate(const wedge *w, double angle)
{
    const double square = w->sine * w->sine, kappa = w->springs->tangential;
    const double along = sin(angle) / (5.0 * square + 2.0);
    const double unloading = -sin(angle) * (1.0 + 2.0 / w->rolling);
    return (kappa * w->cosine / (2.0 * square) * unloading +
            0.5 * (w->ratio - 1.0) * w->cosine * along) /
           (1.0 + kappa * w->cosine * w->cosine / square);
}

/* The friction across the path between `slips` and `holds` at which nothing is left over. */
static double limit_between(const wedge *w, double angle, double slips, double holds)
{
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (slips + holds);
        if (margin(w, angle, middle) < 0.0)
            slips = middle;
        else
            holds = middle;
    }
    return holds;
}

/* Friction across the path that lets the contact hold the most: inwards, it adds to the normal
 * force. None where mu > tan(alpha), where it wedges. */
static double best_across(const wedge *w, double angle)
{
    const double pull = w->friction * w->friction * w->cosine / w->sine;
    const double left = 1.0 - pull * w->cosine / w->sine;
    return left > 0.0 ? -pull * 0.5 * radial_load(w, angle) / w->sine / left : -INFINITY;
}

groove_wedge groove_wedge_solve(const groove *g, const groove_springs *springs)
{
    const double step = 1e-5;
    wedge w = {.friction = g->friction, .start = g->start, .springs = springs};
    w.ratio = g->large / g->fine;
    w.cosine = g->large / (g->large + g->fine);
    w.sine = sqrt(1.0 - w.cosine * w.cosine);
    w.rolling = 1.0 + 2.0 / (5.0 * w.sine * w.sine);
    double across = settled_across(&w), angle = w.start;
    for (; angle < 1.57; angle += step) {
        across += step * sticking_rate(&w, angle + 0.5 * step);
        if (margin(&w, angle + step, across) >= 0.0)
            continue;
        /* a slip as small as the springs are stiff takes friction away where that makes it hold;
         * it cannot carry it over zero, or over the best */
        const double toward = across > 0.0 ? 0.0 : best_across(&w, angle + step);
        if (toward == -INFINITY || (across <= 0.0 && across > toward) ||
            margin(&w, angle + step, toward) < 0.0)
            break;
        across = limit_between(&w, angle + step, across, toward);
    }
    const double normal = (0.5 * radial_load(&w, angle) - across * w.cosine) / w.sine;
    return (groove_wedge){angle, across / normal};
}
