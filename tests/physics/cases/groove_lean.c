/* SPDX-License-Identifier: MIT */
/* The groove with standard velocity-Verlet from the kernels alone. The two contacts mirror each
 * other, so one is computed: fast enough for the steps of a sixteen-thousandth of a contact time
 * that this scheme needs. */
#include "groove_lean.h"

#include <math.h>

typedef struct lean {
    double x[3], v[3], w[3], a[3], alpha[3]; /* of the fine sphere */
    double n[3], xi[3], overlap;
} lean;

typedef struct lean_law {
    double stiffness, tangential, eta, gamma, friction;
} lean_law;

static lean_law law_of(const groove_setup *s)
{
    const dem_linear law = groove_law(s);
    const double mass = s->fine_mass * s->large_mass / (s->fine_mass + s->large_mass);
    double ratio = 0.0;
    MUST(dem_kernel_damping_ratio_cut(law.restitution, &ratio));
    const double eta = dem_kernel_damping_linear(ratio, mass, law.stiffness_normal);
    return (lean_law){law.stiffness_normal, law.stiffness_tangential, eta,
                      eta * sqrt(law.stiffness_tangential / law.stiffness_normal), law.friction};
}

/* The other contact mirrors x: forces along x and torques about y and z cancel. */
static inline void lean_accelerate(lean *b, const groove_setup *s, double fn, const double force[3])
{
    const double r = s->rigid.fine, torque = -r * (b->n[1] * force[2] - b->n[2] * force[1]);
    b->a[1] = 2.0 * (fn * b->n[1] + force[1]) / s->fine_mass;
    b->a[2] = 2.0 * (fn * b->n[2] + force[2]) / s->fine_mass - s->rigid.gravity;
    b->alpha[0] = 2.0 * torque / (0.4 * s->fine_mass * r * r);
}

static inline void lean_kick(lean *b, double dt)
{
    for (int c = 1; c < 3; ++c)
        b->v[c] += b->a[c] * (0.5 * dt);
    b->w[0] += b->alpha[0] * (0.5 * dt);
}

/* Contact with the large sphere at (-R, 0, 0): half-step velocities with the full-step normal. */
static inline void lean_forces(lean *b, const groove_setup *s, const lean_law *law, double dt)
{
    const double r = s->rigid.fine, R = s->rigid.large;
    const double d[3] = {b->x[0] + R, b->x[1], b->x[2]};
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double old[3] = {b->n[0], b->n[1], b->n[2]};
    double n[3], vt[3], du[3], force[3];
    for (int c = 0; c < 3; ++c)
        b->n[c] = n[c] = d[c] / length;
    b->overlap = r + R - length;
    const double vn = b->v[0] * n[0] + b->v[1] * n[1] + b->v[2] * n[2];
    for (int c = 0; c < 3; ++c) {
        const int e = (c + 1) % 3, f = (c + 2) % 3;
        vt[c] = b->v[c] - vn * n[c] + r * (n[e] * b->w[f] - n[f] * b->w[e]);
        du[c] = vt[c] * dt;
    }
    const double fn = dem_kernel_normal_linear(law->stiffness, law->eta, b->overlap, vn, 0);
    dem_kernel_rotate_minimal(old, n, b->xi);
    dem_kernel_tangential_csds_increment(law->tangential, law->gamma, law->friction * fn, dt, du,
                                         vt, b->xi, force);
    lean_accelerate(b, s, fn, force);
}

static lean lean_start(const groove_setup *s)
{
    lean b = {.x = {s->start[0], s->start[1], s->start[2]}, .a = {0.0, 0.0, -s->rigid.gravity}};
    const double d[3] = {b.x[0] + s->rigid.large, b.x[1], b.x[2]};
    for (int c = 0; c < 3; ++c)
        b.n[c] = d[c] / groove_length(d);
    return b;
}

static inline void lean_step(lean *b, const groove_setup *s, const lean_law *law, double dt)
{
    lean_kick(b, dt);
    for (int c = 1; c < 3; ++c)
        b->x[c] += b->v[c] * dt;
    lean_forces(b, s, law, dt);
    lean_kick(b, dt);
}

/* The contact as the paper's flowcharts print it (Figs 7 and 10): histories by Eq. (15), the
 * damping velocity that of the half step, slip by Eqs (17) and (18), the attractive tail kept. */
static void printed_forces(lean *b, const groove_setup *s, const lean_law *law, int improved,
                           double dt)
{
    const double r = s->rigid.fine, R = s->rigid.large, back = improved ? 0.5 * dt : 0.0;
    const double d[3] = {b->x[0] + R, b->x[1], b->x[2]}, length = groove_length(d);
    double m[3], vt[3], du[3], force[3];
    for (int c = 0; c < 3; ++c) {
        b->n[c] = d[c] / length;
        m[c] = d[c] - b->v[c] * back;
    }
    const double before = groove_length(m);
    for (int c = 0; c < 3; ++c)
        m[c] /= before;
    b->overlap = r + R - length;
    const double vn = b->v[0] * m[0] + b->v[1] * m[1] + b->v[2] * m[2];
    dem_kernel_rotate_rescale(m, b->xi);
    for (int c = 0; c < 3; ++c) {
        const int e = (c + 1) % 3, f = (c + 2) % 3;
        vt[c] = b->v[c] - vn * m[c] + r * (m[e] * b->w[f] - m[f] * b->w[e]);
        b->xi[c] += vt[c] * dt;
        du[c] = 0.0;
    }
    dem_kernel_rotate_rescale(b->n, b->xi);
    dem_kernel_rotate_rescale(b->n, vt);
    const double fn = dem_kernel_normal_linear(law->stiffness, law->eta, b->overlap, vn, 1);
    dem_kernel_tangential_dsds(law->tangential, law->gamma, law->friction * fmax(fn, 0.0), du, vt,
                               b->xi, force);
    lean_accelerate(b, s, fn, force);
}

groove_seen groove_lean_printed(const groove_setup *s, int improved, double dt)
{
    lean_law law = law_of(s);
    double ratio = 0.0;
    MUST(dem_kernel_damping_ratio_attractive(s->restitution, &ratio));
    law.eta = dem_kernel_damping_linear(
        ratio, s->fine_mass * s->large_mass / (s->fine_mass + s->large_mass), law.stiffness);
    law.gamma = law.eta * sqrt(law.tangential / law.stiffness);
    lean b = lean_start(s);
    for (uint64_t step = 1;; ++step) {
        lean_kick(&b, dt);
        for (int c = 1; c < 3; ++c)
            b.x[c] += b.v[c] * dt;
        printed_forces(&b, s, &law, improved, dt);
        lean_kick(&b, dt);
        const int trapped = b.x[2] < 0.0 && b.x[1] < 0.0;
        if (trapped || (b.overlap <= 0.0 && step >= 100))
            return (groove_seen){.angle = groove_angle(b.x),
                                 .time = (double)step * dt,
                                 .angular_velocity = groove_length(b.w),
                                 .trapped = trapped};
    }
}

void groove_lean_standard(const groove_setup s[2], double dt, groove_seen seen[2])
{
    const lean_law law[2] = {law_of(&s[0]), law_of(&s[1])};
    lean b[2] = {lean_start(&s[0]), lean_start(&s[1])};
    int rolls[2] = {1, 1};
    for (uint64_t step = 1; rolls[0] || rolls[1]; ++step) {
        lean_step(&b[0], &s[0], &law[0], dt);
        lean_step(&b[1], &s[1], &law[1], dt);
        for (int k = 0; k < 2; ++k) {
            if (!rolls[k])
                continue;
            const int trapped = b[k].x[2] < 0.0 && b[k].x[1] < 0.0;
            if ((b[k].overlap > 0.0 || step < 100) && !trapped)
                continue;
            rolls[k] = 0;
            seen[k] = (groove_seen){.angle = groove_angle(b[k].x),
                                    .time = (double)step * dt,
                                    .angular_velocity = groove_length(b[k].w),
                                    .trapped = trapped};
        }
    }
}
