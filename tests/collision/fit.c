/* SPDX-License-Identifier: MIT */
/* Fits the polynomials of dem_collision_inverse to the exact collision, and writes
 * src/laws/collision_fit.h to stdout: `make collision-fit`. Needs a long double of 64 bits. */
#define DEMI_EXACT_REAL long double
#define DEMI_EXACT_ORDER 30
#define DEMI_EXACT_TOLERANCE 1e-21L
#include "laws/collision_exact.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Variable t = L/(L + SHIFT) of L = -ln e; a shift near 10 gives the fastest fall of the terms. */
enum { DEGREE = 20, CHECKS = 600 };
static const long double SHIFT = 10.0L, LOWEST = 1e-4L;
static const long double PI = 3.14159265358979323846264338327950288L;

static long double critical(void)
{
    long double low = 0.56L, high = 0.57L, e, tau;
    for (int k = 0; k < 80; ++k) {
        const long double middle = 0.5L * (low + high);
        if (demi_exact_collision(middle, &e, &tau))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* lambda and tau where -ln e is `wanted`: bracketed Newton. */
static long double solve(long double wanted, long double limit, long double *tau)
{
    long double low = 0.0L, high = limit, x = limit * wanted / (wanted + 2.0L);
    for (int k = 0; k < 200; ++k) {
        long double e, e_near, unused, next;
        const long double step = 1e-6L * (limit - x);
        if (!demi_exact_collision(x, &e, tau)) {
            high = x;
            next = 0.5L * (low + high);
        } else {
            const long double f = -logl(e) - wanted;
            if (f > 0.0L)
                high = x;
            else
                low = x;
            next = 0.5L * (low + high);
            if (demi_exact_collision(x + step, &e_near, &unused)) {
                const long double newton = x - f * step / logl(e / e_near);
                if (newton >= low && newton <= high)
                    next = newton;
            }
        }
        if (fabsl(next - x) <= 4.0L * LDBL_EPSILON * x)
            break;
        x = next;
    }
    return x;
}

/* What is fitted: lambda/t and (tau - tau0)/t, so that e = 1 comes out exactly. */
static void target(long double t, long double limit, long double tau0, long double value[2])
{
    long double tau;
    value[0] = solve(SHIFT * t / (1.0L - t), limit, &tau) / t;
    value[1] = (tau - tau0) / t;
}

/* Chebyshev coefficients of the interpolant to coefficients of powers. */
static void to_powers(const long double *chebyshev, long double *power)
{
    long double before[DEGREE + 1] = {1.0L}, now[DEGREE + 1] = {0.0L, 1.0L};
    for (int k = 0; k <= DEGREE; ++k)
        power[k] = 0.0L;
    power[0] = 0.5L * chebyshev[0];
    for (int n = 1; n <= DEGREE; ++n) {
        long double next[DEGREE + 1];
        for (int k = 0; k <= DEGREE; ++k) {
            power[k] += chebyshev[n] * now[k];
            next[k] = (k > 0 ? 2.0L * now[k - 1] : 0.0L) - before[k];
        }
        for (int k = 0; k <= DEGREE; ++k) {
            before[k] = now[k];
            now[k] = next[k];
        }
    }
}

int main(void)
{
    const long double limit = critical(), longest = -logl(LOWEST);
    const long double width = longest / (longest + SHIFT);
    long double value[DEGREE + 1][2], e, tau0, power[2][DEGREE + 1];
    (void)demi_exact_collision(0.0L, &e, &tau0);
    for (int k = 0; k <= DEGREE; ++k)
        target(0.5L * width * (1.0L + cosl(PI * ((long double)k + 0.5L) / (DEGREE + 1))), limit,
               tau0, value[k]);
    for (int f = 0; f < 2; ++f) {
        long double chebyshev[DEGREE + 1];
        for (int j = 0; j <= DEGREE; ++j) {
            chebyshev[j] = 0.0L;
            for (int k = 0; k <= DEGREE; ++k)
                chebyshev[j] += value[k][f] * 2.0L / (DEGREE + 1) *
                                cosl(PI * (long double)j * ((long double)k + 0.5L) / (DEGREE + 1));
        }
        to_powers(chebyshev, power[f]);
    }

    long double worst[2] = {0.0L, 0.0L};
    for (int n = 0; n < CHECKS; ++n) {
        const long double t = width * ((long double)n + 0.5L) / CHECKS;
        const long double x = 2.0L * t / width - 1.0L;
        long double exact[2];
        target(t, limit, tau0, exact);
        for (int f = 0; f < 2; ++f) {
            long double sum = 0.0L;
            for (int k = DEGREE; k >= 0; --k)
                sum = sum * x + power[f][k];
            /* relative to lambda, and to tau as a whole */
            const long double error =
                fabsl(sum - exact[f]) * (f == 0 ? 1.0L / exact[f] : t / (tau0 + t * exact[f]));
            worst[f] = error > worst[f] ? error : worst[f];
        }
    }

    printf(
        "/* SPDX-License-Identifier: MIT */\n"
        "/* Written by tests/collision/fit.c (make collision-fit). With t = L/(L + %.0Lf),\n"
        " * L = -ln e and x = %.16Lg t - 1: lambda = t sum terms[k][0] x^k and\n"
        " * tau = tau0 + t sum terms[k][1] x^k for e in [%.0Le, 1]. Relative errors of the fits:\n"
        " * %.1Le of lambda, %.1Le of tau. lambda_c = %.20Lf. */\n"
        "#ifndef DEMI_COLLISION_FIT_H\n#define DEMI_COLLISION_FIT_H\n\n"
        "enum { DEMI_COLLISION_DEGREE = %d };\n"
        "static const double demi_collision_shift = %.1Lf;\n"
        "static const double demi_collision_scale = %a;\n"
        "static const double demi_collision_tau0 = %a;\n",
        SHIFT, 2.0L / width, LOWEST, worst[0], worst[1], limit, DEGREE, SHIFT,
        (double)(2.0L / width), (double)tau0);
    printf("/* [k][0] of lambda, [k][1] of tau */\n"
           "static const double demi_collision_terms[DEMI_COLLISION_DEGREE + 1][2] = {\n");
    for (int k = 0; k <= DEGREE; ++k)
        printf("    {%a, %a},\n", (double)power[0][k], (double)power[1][k]);
    printf("};\n");
    printf("\n#endif\n");
    return 0;
}
