/* SPDX-License-Identifier: MIT */
#include "collision_broyden.h"

#include "collision_oracle.h"

#include <dem/collision.h>

#include <math.h>

typedef struct problem {
    double mass, speed, restitution, time, start;
    int integrations;
} problem;

/* Residuals of x = (ln(k/k_0), d T/m), by a Runge-Kutta integration of the physical equation. */
static int residual(problem *p, const double x[2], double r[2])
{
    const double k = p->start * exp(x[0]);
    const double unit = pow(p->mass * p->mass / (k * k * p->speed), 0.2);
    const double lambda = 0.5 * x[1] / p->time * unit;
    double e, tau;
    p->integrations++;
    if (!(lambda >= 0.0 && lambda < 0.56) || !isfinite(unit))
        return 0;
    oracle_runge_kutta(lambda, 0.01, &e, &tau);
    r[0] = e / p->restitution - 1.0;
    r[1] = tau * unit / p->time - 1.0;
    return 1;
}

int broyden_params(double mass, double speed, double restitution, double time, double tolerance,
                   double *stiffness, double *damping)
{
    /* starts from Hertz without damping, and from Hooke's dashpot */
    const double unit = time / DEM_COLLISION_TIME_UNDAMPED;
    problem p = {mass, speed, restitution, time, mass / sqrt(speed * pow(unit, 5.0)), 0};
    double x[2] = {0.0, -2.0 * log(restitution)}, r[2], inverse[2][2];
    while (!residual(&p, x, r))
        x[1] *= 0.5;
    if (fabs(r[0]) > tolerance || fabs(r[1]) > tolerance) { /* slopes by differences */
        double column[2][2], at[2];
        for (int c = 0; c < 2; ++c) {
            double y[2] = {x[0], x[1]};
            y[c] += 1e-4;
            if (!residual(&p, y, at))
                return -1;
            for (int row = 0; row < 2; ++row)
                column[c][row] = (at[row] - r[row]) / 1e-4;
        }
        const double det = column[0][0] * column[1][1] - column[1][0] * column[0][1];
        inverse[0][0] = column[1][1] / det;
        inverse[0][1] = -column[1][0] / det;
        inverse[1][0] = -column[0][1] / det;
        inverse[1][1] = column[0][0] / det;
    }
    for (int n = 0; fabs(r[0]) > tolerance || fabs(r[1]) > tolerance; ++n) {
        double step[2], y[2], next[2];
        if (n > 200)
            return -1;
        for (int row = 0; row < 2; ++row)
            step[row] = -(inverse[row][0] * r[0] + inverse[row][1] * r[1]);
        for (;;) { /* not beyond what rebounds */
            y[0] = x[0] + step[0];
            y[1] = x[1] + step[1];
            if (residual(&p, y, next))
                break;
            step[0] *= 0.5;
            step[1] *= 0.5;
        }
        /* Broyden's update of the inverse, after Sherman and Morrison */
        const double dr[2] = {next[0] - r[0], next[1] - r[1]};
        const double moved[2] = {inverse[0][0] * dr[0] + inverse[0][1] * dr[1],
                                 inverse[1][0] * dr[0] + inverse[1][1] * dr[1]};
        const double along = step[0] * moved[0] + step[1] * moved[1];
        const double row[2] = {step[0] * inverse[0][0] + step[1] * inverse[1][0],
                               step[0] * inverse[0][1] + step[1] * inverse[1][1]};
        for (int c = 0; c < 2; ++c)
            for (int i = 0; along != 0.0 && i < 2; ++i)
                inverse[i][c] += (step[i] - moved[i]) * row[c] / along;
        x[0] = y[0];
        x[1] = y[1];
        r[0] = next[0];
        r[1] = next[1];
    }
    *stiffness = p.start * exp(x[0]);
    *damping = x[1] * mass / time;
    return p.integrations;
}
