/* SPDX-License-Identifier: MIT */
/* Führer's block on a plate that lies anywhere in space: the sliders as vectors in a random plane
 * against themselves on a line, and against the paper's differential equation where spring and
 * velocity are not parallel. Units: m = k = F_max = 1, gamma = 2. */
#include "cases.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static const double DAMPING = 2.0;

typedef void slider(double dt, const double v[3], double xi[3], double force[3]);

static void csds(double dt, const double v[3], double xi[3], double force[3])
{
    dem_kernel_tangential_csds(1.0, DAMPING, 1.0, dt, v, xi, force);
}
static void dsds(double dt, const double v[3], double xi[3], double force[3])
{
    const double du[3] = {v[0] * dt, v[1] * dt, v[2] * dt};
    dem_kernel_tangential_dsds(1.0, DAMPING, 1.0, du, v, xi, force);
}
static void truncated(double dt, const double v[3], double xi[3], double force[3])
{
    const double du[3] = {v[0] * dt, v[1] * dt, v[2] * dt};
    dem_kernel_tangential_truncated(1.0, DAMPING, 1.0, du, v, xi, force);
}
static void unreset(double dt, const double v[3], double xi[3], double force[3])
{
    const double du[3] = {v[0] * dt, v[1] * dt, v[2] * dt};
    dem_kernel_tangential_unreset(1.0, DAMPING, 1.0, du, v, xi, force);
}

static void li(double dt, const double v[3], double xi[3], double force[3])
{
    const double du[3] = {v[0] * dt, v[1] * dt, v[2] * dt};
    dem_kernel_tangential_li(1.0, DAMPING, 1.0, du, v, xi, force);
}

static void viscous(double dt, const double v[3], double xi[3], double force[3])
{
    (void)dt;
    (void)xi;
    dem_kernel_tangential_viscous(DAMPING, 1.0, v, force);
}

/* velocity-Verlet with one velocity, from v and xi, until t = 8. */
static void slide(slider *law, double dt, double v[3], double xi[3])
{
    double force[3] = {0.0, 0.0, 0.0};
    const double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int c = 0; c < 3; ++c)
        force[c] = -v[c] / size; /* it slides from the start; the same on every path */
    for (int k = 0; k < (int)lround(8.0 / dt); ++k) {
        for (int c = 0; c < 3; ++c)
            v[c] += 0.5 * dt * force[c];
        law(dt, v, xi, force);
        for (int c = 0; c < 3; ++c)
            v[c] += 0.5 * dt * force[c];
    }
}

static double cross_unit(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    const double length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    for (int k = 0; k < 3; ++k)
        out[k] /= length;
    return length;
}

/* Two unit vectors that span a random plane. */
static void plane(uint64_t *seed, double u[3], double w[3])
{
    double a[3], b[3], n[3];
    do {
        for (int c = 0; c < 3; ++c) {
            a[c] = scene_random(seed, -1.0, 1.0);
            b[c] = scene_random(seed, -1.0, 1.0);
        }
    } while (cross_unit(a, b, n) < 0.1);
    cross_unit(n, a, u);
    cross_unit(n, u, w);
}

/* Distance of a vector from x u + y w. */
static double off(const double v[3], const double u[3], const double w[3], double x, double y)
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
        square += (v[c] - x * u[c] - y * w[c]) * (v[c] - x * u[c] - y * w[c]);
    return sqrt(square);
}

void case_plates_plane(ledger *l)
{
    static slider *const laws[6] = {csds, dsds, truncated, unreset, viscous, li};
    static const char *const names[6] = {"csds", "dsds", "truncated", "unreset", "viscous", "li"};
    l->paper = "fuehrer";
    l->name = "plates-in-space";
    uint64_t seed = 20240205;
    for (int k = 0; k < 6; ++k) {
        double worst = 0.0;
        for (int trial = 0; trial < 20; ++trial) {
            double u[3], w[3], start[2];
            plane(&seed, u, w);
            for (int c = 0; c < 2; ++c)
                start[c] = scene_random(&seed, -0.7, 0.7);
            /* along x with a spring anywhere in the plane xy, and the same turned into the plane */
            double v[3] = {4.0, 0.0, 0.0}, xi[3] = {start[0], start[1], 0.0}, vt[3], xit[3];
            for (int c = 0; c < 3; ++c) {
                vt[c] = 4.0 * u[c];
                xit[c] = start[0] * u[c] + start[1] * w[c];
            }
            slide(laws[k], 0.05, v, xi);
            slide(laws[k], 0.05, vt, xit);
            worst = fmax(worst, off(vt, u, w, v[0], v[1]));
            worst = fmax(worst, off(xit, u, w, xi[0], xi[1]));
        }
        char quantity[64];
        (void)snprintf(quantity, sizeof quantity, "turned_%s", names[k]);
        ledger_below(l, LIBRARY, quantity, worst, 1e-12);
    }
}

/* State v, xi in the plane, and its derivative by Eq. (10). */
static void rates(const double s[4], double out[4])
{
    double trial[2], size = 0.0;
    for (int c = 0; c < 2; ++c) {
        trial[c] = -s[2 + c] - DAMPING * s[c];
        size += trial[c] * trial[c];
    }
    const double kept = size > 1.0 ? 1.0 / sqrt(size) : 1.0;
    for (int c = 0; c < 2; ++c) {
        out[c] = kept * trial[c];
        out[2 + c] = -(out[c] + s[2 + c]) / DAMPING;
    }
}

/* RK4 with so small a step that its error does not count. */
static void reference(double s[4])
{
    const double dt = 1e-4;
    for (int k = 0; k < 80000; ++k) {
        double a[4], b[4], c[4], d[4], t[4];
        rates(s, a);
        for (int i = 0; i < 4; ++i)
            t[i] = s[i] + 0.5 * dt * a[i];
        rates(t, b);
        for (int i = 0; i < 4; ++i)
            t[i] = s[i] + 0.5 * dt * b[i];
        rates(t, c);
        for (int i = 0; i < 4; ++i)
            t[i] = s[i] + dt * c[i];
        rates(t, d);
        for (int i = 0; i < 4; ++i)
            s[i] += dt / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    }
}

/* Spring across the motion: the return mapping converges to the differential equation. */
void case_plates_across(ledger *l)
{
    double exact[4] = {4.0, 0.0, 0.0, 0.8}, error[3];
    l->paper = "fuehrer";
    l->name = "plates-spring-across";
    reference(exact);
    for (int k = 0; k < 3; ++k) {
        double v[3] = {4.0, 0.0, 0.0}, xi[3] = {0.0, 0.8, 0.0};
        slide(csds, 0.02 / (1 << k), v, xi);
        error[k] =
            hypot(v[0] - exact[0], v[1] - exact[1]) + hypot(xi[0] - exact[2], xi[1] - exact[3]);
    }
    ledger_below(l, INTEGRATION, "error_dt0.005", error[2], 5e-3);
    ledger_near(l, ORDER, "order", 0.5 * log2(error[0] / error[2]), 1.0, 0.15);
    ledger_above(l, BOUND, "moved_across", fabs(exact[1]) + fabs(exact[3]), 1e-3);
}
