/* SPDX-License-Identifier: MIT */
/* Ray, Kempe and Fröhlich, Eqs (10) and (21) as they stand: velocity and time over y = sqrt(z) on
 * the way in and out, position and velocity over time around the turning point, each leg by
 * Gragg's midpoint rule with Bulirsch and Stoer's extrapolation. */
#include "collision_oracle.h"

#include <math.h>

typedef long double real;
typedef void slope(real lambda, real x, const real v[2], real dv[2]);

/* v = (u, tau) over y. */
static void slope_y(real lambda, real y, const real v[2], real dv[2])
{
    dv[0] = 2.0L * y * (-2.0L * lambda - y * y * y / v[0]);
    dv[1] = 2.0L * y / v[0];
}

/* v = (z, u) over tau. */
static void slope_tau(real lambda, real tau, const real v[2], real dv[2])
{
    (void)tau;
    dv[0] = v[1];
    dv[1] = -2.0L * lambda * v[1] - v[0] * sqrtl(v[0]);
}

static void midpoint(slope *f, real lambda, real x, real h, int n, const real v[2], real out[2])
{
    real before[2] = {v[0], v[1]}, now[2], d[2];
    const real s = h / n;
    f(lambda, x, v, d);
    for (int c = 0; c < 2; ++c)
        now[c] = v[c] + s * d[c];
    for (int k = 1; k < n; ++k) {
        f(lambda, x + s * k, now, d);
        for (int c = 0; c < 2; ++c) {
            const real next = before[c] + 2.0L * s * d[c];
            before[c] = now[c];
            now[c] = next;
        }
    }
    f(lambda, x + h, now, d);
    for (int c = 0; c < 2; ++c)
        out[c] = 0.5L * (now[c] + before[c] + s * d[c]);
}

/* One step of order 16. */
static void extrapolated(slope *f, real lambda, real x, real h, real v[2])
{
    enum { ROWS = 8 };
    real table[ROWS][2];
    for (int j = 0; j < ROWS; ++j) {
        midpoint(f, lambda, x, h, 2 * (j + 1), v, table[j]);
        for (int k = j - 1; k >= 0; --k) {
            const real ratio = (real)(j + 1) / (real)(k + 1);
            for (int c = 0; c < 2; ++c)
                table[k][c] =
                    table[k + 1][c] + (table[k + 1][c] - table[k][c]) / (ratio * ratio - 1.0L);
        }
    }
    v[0] = table[0][0];
    v[1] = table[0][1];
}

void oracle_collision(double lambda, int steps, long double *restitution, long double *time)
{
    const real inner = 0.5L;
    real in[2] = {1.0L, 0.0L};
    for (int k = 0; k < steps; ++k)
        extrapolated(slope_y, lambda, inner * k / steps, inner / steps, in);
    real v[2] = {inner * inner, in[0]}, deepest = v[0], tau = in[1];
    while (v[1] >= 0.0L || v[0] > 0.5L * deepest) {
        const real h = v[0] * 8.0L / steps;
        extrapolated(slope_tau, lambda, tau, h, v);
        tau += h;
        deepest = v[0] > deepest ? v[0] : deepest;
    }
    real out[2] = {v[1], tau}, y = sqrtl(v[0]);
    /* steps shrink with y until u no longer falls */
    while (y > 0.0L) {
        real h = (y + sqrtl(-out[0])) * 4.0L / steps;
        h = h < y ? h : y;
        extrapolated(slope_y, lambda, y, -h, out);
        y = h < y ? y - h : 0.0L;
    }
    *restitution = -out[0];
    *time = out[1];
}

double oracle_overlap_root(double lambda)
{
    const real inner = 0.5L;
    real in[2] = {1.0L, 0.0L};
    for (int k = 0; k < 60; ++k)
        extrapolated(slope_y, lambda, inner * k / 60, inner / 60, in);
    real v[2] = {inner * inner, in[0]}, d[2];
    while (v[1] > 0.1L)
        extrapolated(slope_tau, lambda, 0.0L, 0.05L, v);
    for (int k = 0; k < 8; ++k) { /* Newton on u(tau) = 0 */
        slope_tau(lambda, 0.0L, v, d);
        extrapolated(slope_tau, lambda, 0.0L, -v[1] / d[1], v);
    }
    return (double)sqrtl(v[0]);
}

static void fixed_slope(double lambda, double z, double u, double d[2])
{
    const double positive = z > 0.0 ? z : 0.0;
    d[0] = u;
    d[1] = -2.0 * lambda * u - positive * sqrt(positive);
}

void oracle_runge_kutta(double lambda, double step, double *restitution, double *time)
{
    double z = 0.0, u = 1.0, tau = 0.0;
    for (;;) {
        double a[2], b[2], c[2], d[2];
        fixed_slope(lambda, z, u, a);
        fixed_slope(lambda, z + 0.5 * step * a[0], u + 0.5 * step * a[1], b);
        fixed_slope(lambda, z + 0.5 * step * b[0], u + 0.5 * step * b[1], c);
        fixed_slope(lambda, z + step * c[0], u + step * c[1], d);
        const double z1 = z + step / 6.0 * (a[0] + 2.0 * b[0] + 2.0 * c[0] + d[0]);
        const double u1 = u + step / 6.0 * (a[1] + 2.0 * b[1] + 2.0 * c[1] + d[1]);
        if (z1 <= 0.0 || tau > 1e3) {
            /* Newton on the parabola of the last step */
            const double curvature = 0.5 * (u1 - u) / step;
            double h = step;
            for (int k = 0; k < 20; ++k)
                h -= (z + h * (u + h * curvature)) / (u + 2.0 * h * curvature);
            *restitution = -(u + 2.0 * h * curvature);
            *time = tau + h;
            return;
        }
        z = z1;
        u = u1;
        tau += step;
    }
}
