/* SPDX-License-Identifier: MIT */
/* The damped Hertz collision z'' = -2 lambda z' - z^(3/2), z(0) = 0, z'(0) = 1, to round-off.
 *
 * With y = sqrt(z), u = z' and a time s that runs as dtau = 2 y ds it is a system of polynomials,
 *     dy/ds = u,   du/ds = -4 lambda y u - 2 y^4,   dtau/ds = 2 y,
 * without the roots and the turning point that spoil series in tau or in y. Taylor steps follow it
 * until y is 0 again. The includer may choose another type: tests/collision/fit.c does. */
#ifndef DEMI_COLLISION_EXACT_H
#define DEMI_COLLISION_EXACT_H

#ifndef DEMI_EXACT_REAL
#define DEMI_EXACT_REAL double
#define DEMI_EXACT_ORDER 24
#define DEMI_EXACT_TOLERANCE 1e-17
#endif

typedef DEMI_EXACT_REAL demi_exact;
enum { DEMI_EXACT_N = DEMI_EXACT_ORDER };

/* Coefficient n of the product of two series. */
static demi_exact demi_exact_product(const demi_exact *a, const demi_exact *b, int n)
{
    demi_exact sum = 0;
    for (int j = 0; j <= n; ++j)
        sum += a[j] * b[n - j];
    return sum;
}

/* What a series adds to its first term after a step h. */
static demi_exact demi_exact_gain(const demi_exact *c, demi_exact h)
{
    demi_exact sum = 0;
    for (int k = DEMI_EXACT_N; k >= 1; --k)
        sum = (sum + c[k]) * h;
    return sum;
}

/* Largest step up to h over which the last terms are negligible beside `size`. Six of them, because
 * near y = 0 most are 0. */
static demi_exact demi_exact_step(const demi_exact *c, demi_exact size, demi_exact h)
{
    for (;; h *= (demi_exact)0.875) {
        demi_exact power = 1, sum = 0;
        for (int k = 1; k <= DEMI_EXACT_N; ++k) {
            power *= h;
            if (k > DEMI_EXACT_N - 6)
                sum += (c[k] < 0 ? -c[k] : c[k]) * power;
        }
        if (sum <= (demi_exact)DEMI_EXACT_TOLERANCE * size)
            return h;
    }
}

/* Series of y, u and tau about the present values, which stand in their first terms. */
static void demi_exact_series(demi_exact lambda, demi_exact *y, demi_exact *u, demi_exact *tau)
{
    demi_exact z[DEMI_EXACT_N];
    for (int k = 0; k < DEMI_EXACT_N; ++k) {
        const demi_exact next = (demi_exact)(k + 1);
        z[k] = demi_exact_product(y, y, k);
        y[k + 1] = u[k] / next;
        u[k + 1] =
            (-4 * lambda * demi_exact_product(y, u, k) - 2 * demi_exact_product(z, z, k)) / next;
        tau[k + 1] = 2 * y[k] / next;
    }
}

/* Restitution and contact time of lambda >= 0; 0 where the sphere does not leave, or where that
 * cannot be told. */
static int demi_exact_collision(demi_exact lambda, demi_exact *restitution, demi_exact *time)
{
    demi_exact y[DEMI_EXACT_N + 1] = {0}, u[DEMI_EXACT_N + 1] = {1}, tau[DEMI_EXACT_N + 1] = {0};
    for (int steps = 0; steps < 1000; ++steps) {
        demi_exact_series(lambda, y, u, tau);
        const demi_exact speed = u[0] < 0 ? -u[0] : u[0];
        const demi_exact distance = y[0] > speed ? y[0] : speed;
        /* on the way out the step ends at y = 0 at the latest: y falls ever more slowly there */
        const demi_exact longest = u[0] < 0 ? 2 * y[0] / speed : 1;
        demi_exact h = demi_exact_step(y, distance, longest);
        h = demi_exact_step(u, speed > y[0] * y[0] ? speed : y[0] * y[0], h);
        if (u[0] < 0 && y[0] + demi_exact_gain(y, h) <= 0) {
            demi_exact low = 0, high = h;
            for (int k = 0; k < 80; ++k) {
                h = (low + high) / 2;
                if (y[0] + demi_exact_gain(y, h) > 0)
                    low = h;
                else
                    high = h;
            }
            *restitution = -(u[0] + demi_exact_gain(u, h));
            *time = tau[0] + demi_exact_gain(tau, h);
            return *restitution > 0;
        }
        y[0] += demi_exact_gain(y, h);
        u[0] += demi_exact_gain(u, h);
        tau[0] += demi_exact_gain(tau, h);
        /* the last way out is u = -2 lambda z; slower than half of it, the sphere creeps for ever
         */
        if (u[0] < 0 && y[0] < (demi_exact)0.1 && -u[0] < lambda * y[0] * y[0])
            return 0;
    }
    return 0;
}

#endif
