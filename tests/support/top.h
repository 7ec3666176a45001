/* SPDX-License-Identifier: MIT */
/**
 * @file top.h
 * A body that turns, free or held at a point under its weight, by the kernels of rotation.h.
 */
#ifndef DEM_TEST_TOP_H
#define DEM_TEST_TOP_H

#include <dem/rotation.h>

#include <math.h>
#include <string.h>

typedef struct top {
    double inertia[3], q[4], l[3], w[3];
    double arm, weight; /* of the centre of mass along axis 3 from the point that is held */
} top;

static inline double top_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double top_energy(const top *t)
{
    double w[3], up[3] = {0.0, 0.0, 1.0};
    dem_kernel_rotation_velocity(t->inertia, t->q, t->l, w);
    dem_kernel_rotation_to_space(t->q, up);
    return 0.5 * dem_kernel_rotation_mean(t->inertia) * top_dot(t->l, w) +
           t->weight * t->arm * up[2];
}

static inline void top_kick(top *t, double dt)
{
    double up[3] = {0.0, 0.0, 1.0};
    dem_kernel_rotation_to_space(t->q, up);
    /* arm x weight, which pulls down */
    const double mean = dem_kernel_rotation_mean(t->inertia), size = t->arm * t->weight;
    t->l[0] += 0.5 * dt * (-up[1] * size) / mean;
    t->l[1] += 0.5 * dt * (up[0] * size) / mean;
}

/** One step; the status is that of dem_kernel_rotation_drift. */
static inline dem_status top_step(top *t, double dt)
{
    top_kick(t, dt);
    const dem_status status = dem_kernel_rotation_drift(t->inertia, dt, t->l, t->q, t->w);
    top_kick(t, dt);
    return status;
}

static inline top top_of(const double inertia[3], const double q[4], const double body_velocity[3])
{
    top t = {.arm = 0.0};
    memcpy(t.inertia, inertia, sizeof t.inertia);
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int c = 0; c < 4; ++c)
        t.q[c] = q[c] / length;
    double w[3] = {body_velocity[0], body_velocity[1], body_velocity[2]};
    dem_kernel_rotation_to_space(t.q, w);
    dem_kernel_rotation_momentum(t.inertia, t.q, w, t.l);
    return t;
}

static const double top_upright[4] = {1.0, 0.0, 0.0, 0.0};

/** The time between two flips about the middle axis: where w_1 passes 0 with the same sign. */
static inline double top_flip_period(double dt)
{
    const double inertia[3] = {1.0, 2.0, 3.0}, w[3] = {0.01, 1.0, 0.02};
    top t = top_of(inertia, top_upright, w);
    double before = 0.0, found[2];
    int crossings = 0;
    for (int n = 0; crossings < 2; ++n) {
        double body[3];
        dem_kernel_rotation_velocity(t.inertia, t.q, t.l, body);
        dem_kernel_rotation_to_body(t.q, body);
        /* about the middle axis: it turns over twice in a period */
        if (n > 0 && before > 0.0 && body[1] <= 0.0)
            found[crossings++] = (n - body[1] / (body[1] - before)) * dt;
        before = body[1];
        if (top_step(&t, dt) != DEM_OK)
            return NAN;
    }
    return found[1] - found[0];
}

/** A symmetric top: space sees the axis go round l, the body turns about its axis beside. */
static inline double top_symmetric_error(double dt)
{
    const double inertia[3] = {1.0, 1.0, 1.8}, w[3] = {0.6, 0.0, 1.0};
    top t = top_of(inertia, top_upright, w);
    const int steps = (int)(20.0 / dt + 0.5);
    const double mean = dem_kernel_rotation_mean(inertia);
    double precession[3];
    for (int c = 0; c < 3; ++c)
        precession[c] = t.l[c] * mean / inertia[0];
    for (int n = 0; n < steps; ++n)
        if (top_step(&t, dt) != DEM_OK)
            return NAN;
    const double rate = sqrt(top_dot(precession, precession)), spin = w[2] * (1.0 - inertia[2]);
    const double a = 0.5 * rate * 20.0, b = 0.5 * spin * 20.0;
    const double first[4] = {cos(a), sin(a) * precession[0] / rate, sin(a) * precession[1] / rate,
                             sin(a) * precession[2] / rate};
    const double exact[4] = {
        first[0] * cos(b) - first[3] * sin(b), first[1] * cos(b) + first[2] * sin(b),
        first[2] * cos(b) - first[1] * sin(b), first[3] * cos(b) + first[0] * sin(b)};
    double near = 0.0, far = 0.0;
    for (int c = 0; c < 4; ++c) {
        near += (t.q[c] - exact[c]) * (t.q[c] - exact[c]);
        far += (t.q[c] + exact[c]) * (t.q[c] + exact[c]);
    }
    return sqrt(fmin(near, far));
}

/** Held at a point, with three moments that differ. */
static inline top top_heavy(void)
{
    const double inertia[3] = {1.0, 1.7, 2.2}, q[4] = {0.95, 0.2, 0.1, 0.05},
                 w[3] = {0.4, 0.9, 2.0};
    top t = top_of(inertia, q, w);
    t.arm = t.weight = 1.0;
    return t;
}

#endif
