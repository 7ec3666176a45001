/* SPDX-License-Identifier: MIT */
/* The groove with rigid spheres, in closed form (Vyas et al., Appendix 1).
 *
 * alpha: half the angle at which the groove carries the fine sphere, cos(alpha) = R/(R + r).
 * s = (R + r) sin(alpha): radius of the circle on which its centre moves, by the angle theta from
 * the vertical. N is the constraint towards the outside, the sum of both contacts, without their
 * friction: m v^2/s = m g cos(theta) - N. Friction along the path is at most c N with
 * c = mu/sin(alpha).
 */
#include "demo.h"

#include <math.h>

typedef struct rigid {
    double g, m, r, mu, start; /* as groove_case */
    double sine, s, c;
    double a, p, q; /* v^2 = a exp(2 c theta) + p cos(theta) + q sin(theta) while sliding */
    double slip;    /* angle at which sliding begins */
} rigid;

/* Rolling: energy with the angular velocity v/(r sin(alpha)) that rolling along two lines needs. */
static double rolling_square(const rigid *b, double theta)
{
    const double sine2 = b->sine * b->sine;
    return 10.0 * b->g * b->s * sine2 * (cos(b->start) - cos(theta)) / (5.0 * sine2 + 2.0);
}

static double sliding_square(const rigid *b, double theta)
{
    return b->a * exp(2.0 * b->c * theta) + b->p * cos(theta) + b->q * sin(theta);
}

static double constraint(const rigid *b, double theta, double square)
{
    return b->m * (b->g * cos(theta) - square / b->s);
}

/* Friction that rolling needs less what there is: changes sign where sliding begins. */
static double rolling_excess(const rigid *b, double theta)
{
    const double needed = 2.0 * b->m * b->g * sin(theta) / (5.0 * b->sine * b->sine + 2.0);
    return needed - b->c * constraint(b, theta, rolling_square(b, theta));
}

static double sliding_excess(const rigid *b, double theta)
{
    return -constraint(b, theta, sliding_square(b, theta));
}

/* First change of sign from negative, found by a scan and then by bisection. */
static double root(double (*f)(const rigid *, double), const rigid *b, double from)
{
    const double step = 1e-4;
    double low = from;
    while (f(b, low + step) < 0.0 && low < 3.2)
        low += step;
    double high = low + step;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        if (f(b, middle) < 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* Time to roll: s dtheta/v, with theta = start + u^2, which takes the singularity at rest away. */
static double rolling_rate(const rigid *b, double u)
{
    if (u == 0.0) {
        const double sine2 = b->sine * b->sine;
        const double slope =
            10.0 * b->g * b->s * sine2 * sin(b->start) / (5.0 * sine2 + 2.0); /* of v^2 */
        return 2.0 * b->s / sqrt(slope);
    }
    return 2.0 * u * b->s / sqrt(rolling_square(b, b->start + u * u));
}

static double sliding_rate(const rigid *b, double theta)
{
    return b->s / sqrt(sliding_square(b, theta));
}

/* d(omega)/dtheta while sliding: the torque of friction, 5 mu N/(2 m r) over d(theta)/dt. */
static double spin_rate(const rigid *b, double theta)
{
    const double normal = constraint(b, theta, sliding_square(b, theta));
    return 5.0 * b->mu * normal / (2.0 * b->m * b->r) * sliding_rate(b, theta);
}

static double simpson(double (*f)(const rigid *, double), const rigid *b, double low, double high)
{
    const int n = 20000;
    const double h = (high - low) / n;
    double sum = f(b, low) + f(b, high);
    for (int k = 1; k < n; ++k)
        sum += (k % 2 != 0 ? 4.0 : 2.0) * f(b, low + k * h);
    return sum * h / 3.0;
}

/* Finds where sliding begins, the path after it, and returns the angle of separation. */
static double solve(const groove_case *c, rigid *b)
{
    b->g = c->gravity;
    b->m = c->fine_mass;
    b->r = c->fine_radius;
    b->mu = c->friction;
    b->start = c->start;
    const double cosine = c->large_radius / (c->large_radius + c->fine_radius);
    b->sine = sqrt(1.0 - cosine * cosine);
    b->s = (c->large_radius + c->fine_radius) * b->sine;
    b->c = b->mu / b->sine;
    b->slip = root(rolling_excess, b, b->start);
    const double square = rolling_square(b, b->slip);
    b->p = 2.0 * b->s * b->g * (2.0 * b->c * b->c - 1.0) / (1.0 + 4.0 * b->c * b->c);
    b->q = -6.0 * b->c * b->s * b->g / (1.0 + 4.0 * b->c * b->c);
    b->a = (square - b->p * cos(b->slip) - b->q * sin(b->slip)) * exp(-2.0 * b->c * b->slip);
    return root(sliding_excess, b, b->slip);
}

double groove_rigid_angle(const groove_case *c)
{
    rigid b;
    return solve(c, &b);
}

void groove_rigid(const groove_case *c, groove_result *result)
{
    rigid b;
    const double end = solve(c, &b), square = rolling_square(&b, b.slip);
    result->trapped = 0;
    result->slip_angle = b.slip;
    result->angle = end;
    result->time = simpson(rolling_rate, &b, 0.0, sqrt(b.slip - b.start)) +
                   simpson(sliding_rate, &b, b.slip, end);
    result->angular_velocity = sqrt(square) / (b.r * b.sine) + simpson(spin_rate, &b, b.slip, end);
    result->seconds = 0.0;
    result->steps = 0;
}
