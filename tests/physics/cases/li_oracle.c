/* SPDX-License-Identifier: MIT */
#include "li_oracle.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double RADIUS = 2.5e-3, SPEED = 4.0, FRICTION = 0.092, RESTITUTION = 0.98;

double li_mass_of_text(void)
{
    return 4000.0 * 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS;
}

li_impact li_impact_of(int model, double degrees)
{
    const li_impact impact = {
        .model = model, .degrees = degrees, .mass = li_mass_of_text(), .overlap_share = 1.0};
    return impact;
}

/* The differential equation: height of the lowest point, its velocity, tangential velocity, angular
 * velocity, tangential displacement. */
enum { HEIGHT, RISE, SLIDE, SPIN, SPRING, STATE };

typedef struct forces {
    double normal, tangential;
} forces;

/* Eqs (1), (5) and (17). Material 1 is the sphere's, 2 the plate's (Table 1). The normal force is
 * cut at zero; the denominators of Eqs (4) and (6) are corrected but for printed_shear. */
static forces li_forces(const li_impact *p, const double s[STATE])
{
    const double e1 = 380e9, nu1 = 0.23, e2 = 70e9, nu2 = 0.25;
    const double g1 = e1 / (2.0 * (1.0 + nu1)), g2 = e2 / (2.0 * (1.0 + nu2));
    const double m = p->mass, overlap = -p->overlap_share * s[HEIGHT], approach = -s[RISE];
    forces f = {0.0, 0.0};
    if (overlap <= 0.0)
        return f;
    double stiffness, eta_n, eta_t;
    if (p->model == LI_M2) {
        const double kn = 1.72e7;
        stiffness = 1.48e7;
        eta_n = 2.0 * sqrt(m * kn);
        eta_t = 2.0 * sqrt(m * stiffness);
        f.normal = kn * overlap + eta_n * approach;
    } else {
        const double below = p->printed_shear ? g1 * (2.0 - nu1) + g1 * (2.0 - nu2)
                                              : g2 * (2.0 - nu1) + g1 * (2.0 - nu2);
        const double kn =
            4.0 / 3.0 * e1 * e2 * sqrt(RADIUS) / (e2 * (1.0 - nu1 * nu1) + e1 * (1.0 - nu2 * nu2));
        const double b = -log(RESTITUTION) / sqrt(log(RESTITUTION) * log(RESTITUTION) + PI * PI);
        stiffness =
            (p->model == LI_M3 ? 16.0 / 3.0 : 8.0) * g1 * g2 * sqrt(RADIUS * overlap) / below;
        eta_n = b * sqrt(5.0 * kn * m) * pow(overlap, 0.25);
        eta_t = 2.0 * sqrt(5.0 / 6.0) * b * sqrt(stiffness * m);
        f.normal = kn * pow(overlap, 1.5) + eta_n * approach;
    }
    f.normal = fmax(f.normal, 0.0);
    const double slip = s[SLIDE] - RADIUS * s[SPIN], limit = FRICTION * f.normal;
    if (stiffness * fabs(s[SPRING]) < limit)
        f.tangential = -stiffness * s[SPRING] - eta_t * slip;
    else
        f.tangential = -limit * copysign(1.0, p->against_velocity ? slip : s[SPRING]);
    return f;
}

static void li_rates(const li_impact *p, const double s[STATE], double out[STATE])
{
    const forces f = li_forces(p, s);
    out[HEIGHT] = s[RISE];
    out[RISE] = f.normal / p->mass;
    out[SLIDE] = f.tangential / p->mass;
    out[SPIN] = -f.tangential * RADIUS / (0.4 * p->mass * RADIUS * RADIUS);
    out[SPRING] = s[SLIDE] - RADIUS * s[SPIN];
}

/* RK4 with a step that makes its jumps at the limit small too. */
li_result li_oracle(const li_impact *p)
{
    const double theta = p->degrees * PI / 180.0, dt = 2e-10;
    double s[STATE] = {0.0, -SPEED * cos(theta), SPEED * sin(theta), 0.0, 0.0};
    li_result r = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int n = 0; n < 1000000; ++n) {
        double k[4][STATE], at[STATE];
        li_rates(p, s, k[0]);
        for (int stage = 1; stage < 4; ++stage) {
            for (int c = 0; c < STATE; ++c)
                at[c] = s[c] + (stage < 3 ? 0.5 : 1.0) * dt * k[stage - 1][c];
            li_rates(p, at, k[stage]);
        }
        for (int c = 0; c < STATE; ++c)
            s[c] += dt / 6.0 * (k[0][c] + 2.0 * k[1][c] + 2.0 * k[2][c] + k[3][c]);
        const forces f = li_forces(p, s);
        r.force_normal = fmax(r.force_normal, f.normal);
        r.force_tangential = fmax(r.force_tangential, fabs(f.tangential));
        r.duration += dt;
        if (s[HEIGHT] > 0.0 || (s[RISE] > 0.0 && f.normal <= 0.0))
            break;
    }
    r.normal = s[RISE] / (SPEED * cos(theta));
    r.tangential = s[SLIDE] / (SPEED * sin(theta));
    r.angular_velocity = s[SPIN];
    return r;
}
