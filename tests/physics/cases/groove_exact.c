/* SPDX-License-Identifier: MIT */
#include "groove_exact.h"

#include <math.h>

/* sin(alpha) of the angle between the axis of the large spheres and a contact's normal; the path
 * of the fine sphere's centre is a circle of radius `path`. */
typedef struct geometry {
    double sine, path, c, rolling; /* c = mu/sin(alpha); rolling = 1 + 2/(5 sin^2 alpha) */
} geometry;

static geometry geometry_of(const groove *g)
{
    const double cosine = g->large / (g->large + g->fine);
    geometry k;
    k.sine = sqrt(1.0 - cosine * cosine);
    k.path = (g->large + g->fine) * k.sine;
    k.c = g->friction / k.sine;
    k.rolling = 1.0 + 2.0 / (5.0 * k.sine * k.sine);
    return k;
}

/* While rolling: energy of translation and angular velocity from rest at the start. */
static double rolling_square(const groove *g, const geometry *k, double angle)
{
    return 2.0 * g->gravity * k->path * (cos(g->start) - cos(angle)) / k->rolling;
}

/* Friction that rolling would need less what Coulomb allows, over m; negative while it holds. */
static double slip_margin(const groove *g, const geometry *k, double angle)
{
    const double normal = g->gravity * cos(angle) - rolling_square(g, k, angle) / k->path;
    const double need = 2.0 * g->gravity * sin(angle) / (5.0 * k->sine * k->sine + 2.0);
    return need - k->c * normal;
}

/* v^2 while sliding: A exp(2 c (theta - slip)) + P cos(theta) + Q sin(theta). */
typedef struct sliding {
    double amplitude, cosine, sine, from;
} sliding;

static double sliding_square(const sliding *s, const geometry *k, double angle)
{
    return s->amplitude * exp(2.0 * k->c * (angle - s->from)) + s->cosine * cos(angle) +
           s->sine * sin(angle);
}

static double bisect_slip(const groove *g, const geometry *k)
{
    double low = g->start, high = 1.5707963267948966;
    for (int i = 0; i < 200; ++i) {
        const double angle = 0.5 * (low + high);
        if (slip_margin(g, k, angle) < 0.0)
            low = angle;
        else
            high = angle;
    }
    return 0.5 * (low + high);
}

static double bisect_exit(const groove *g, const geometry *k, const sliding *s)
{
    double low = s->from, high = 1.5707963267948966;
    for (int i = 0; i < 200; ++i) {
        const double angle = 0.5 * (low + high);
        if (g->gravity * cos(angle) > sliding_square(s, k, angle) / k->path)
            low = angle;
        else
            high = angle;
    }
    return 0.5 * (low + high);
}

groove_exit groove_solve(const groove *g)
{
    const geometry k = geometry_of(g);
    return groove_solve_from(g, bisect_slip(g, &k));
}

groove_exit groove_solve_from(const groove *g, double slip_angle)
{
    enum { PANELS = 20000 };
    const geometry k = geometry_of(g);
    groove_exit out;
    out.slip_angle = slip_angle;
    /* rolling: theta = start + y^2 takes the root at the start out of dt = path dtheta/v.
     * cos a - cos b = 2 sin((a + b)/2) sin((b - a)/2) keeps digits near the start. */
    const double top = sqrt(out.slip_angle - g->start);
    double time = 0.0;
    for (int i = 0; i <= PANELS; ++i) {
        const double y = top * i / PANELS, angle = g->start + y * y;
        const double weight = (i == 0 || i == PANELS) ? 1.0 : (i % 2 == 1) ? 4.0 : 2.0;
        const double ratio = i == 0 ? 0.5 : sin(0.5 * y * y) / (y * y);
        const double over = 4.0 * g->gravity * k.path * sin(0.5 * (g->start + angle)) * ratio /
                            k.rolling; /* v^2/y^2 */
        time += weight * 2.0 * k.path / sqrt(over);
    }
    time *= top / (3.0 * PANELS);
    const double square = rolling_square(g, &k, out.slip_angle);
    const double angular_velocity = sqrt(square) / (g->fine * k.sine);
    /* sliding */
    const double scale = k.path * g->gravity / (1.0 + 4.0 * k.c * k.c);
    sliding s = {.cosine = 2.0 * scale * (2.0 * k.c * k.c - 1.0), .sine = -6.0 * k.c * scale};
    s.from = out.slip_angle;
    s.amplitude = square - s.cosine * cos(s.from) - s.sine * sin(s.from);
    out.angle = bisect_exit(g, &k, &s);
    const double width = out.angle - s.from;
    double slide_time = 0.0, slide_spin = 0.0;
    for (int i = 0; i <= PANELS; ++i) {
        const double angle = s.from + width * i / PANELS;
        const double weight = (i == 0 || i == PANELS) ? 1.0 : (i % 2 == 1) ? 4.0 : 2.0;
        const double v2 = sliding_square(&s, &k, angle), rate = k.path / sqrt(v2);
        const double normal = g->gravity * cos(angle) - v2 / k.path;
        slide_time += weight * rate;
        slide_spin += weight * rate * 2.5 * g->friction * normal / g->fine;
    }
    out.time = time + slide_time * width / (3.0 * PANELS);
    out.angular_velocity = angular_velocity + slide_spin * width / (3.0 * PANELS);
    return out;
}
