/* SPDX-License-Identifier: MIT */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* vector code for the loop over lanes, whatever the makefile says */
#endif
#include "lanes.h"

#include "../fines/fine.h"

#include <string.h>

enum { W = PHASE_LANES, LOOK = 20 }; /* steps between two looks at where the spheres are */

typedef struct lanes {
    double x[3][W], v[3][W], w[3][W], a[3][W], turn[3][W]; /* of the fine spheres */
    double spring[2][3][W], overlap[2][W];
    double fine[W], large[W], stiffness[W], stiffness_tangential[W], damping[W];
    double damping_tangential[W], friction[W], weight_z[W], inverse_mass[W], inverse_inertia[W];
    double dt[W];
} lanes;

static const double gravity = 9.81;

/* One step of one lane. */
FINE_INLINE void lane_step(int scheme, int mirrored, lanes *b, int k)
{
    const double dt = b->dt[k], h = 0.5 * dt;
    const fine_pair p = {
        b->fine[k],    b->fine[k] + b->large[k], b->stiffness[k], b->stiffness_tangential[k],
        b->damping[k], b->damping_tangential[k], b->friction[k]};
    double v[3], w[3], x[3], ve[3], we[3];
    for (int c = 0; c < 3; ++c) {
        v[c] = b->v[c][k] + b->a[c][k] * h;
        w[c] = b->w[c][k] + b->turn[c][k] * h;
        x[c] = b->x[c][k] + v[c] * dt;
        ve[c] = v[c] + b->a[c][k] * h;
        we[c] = w[c] + b->turn[c][k] * h;
    }
    double sum[3] = {0.0, 0.0, b->weight_z[k]}, moment[3] = {0.0, 0.0, 0.0};
    for (int side = 0; side < 2 - mirrored; ++side) {
        const double offset[3] = {x[0] + (side == 0 ? b->large[k] : -b->large[k]), x[1], x[2]};
        double spring[3] = {b->spring[side][0][k], b->spring[side][1][k], b->spring[side][2][k]};
        double force[3], torque[3];
        b->overlap[side][k] =
            fine_contact(scheme, &p, dt, offset, v, w, ve, we, spring, force, torque);
        for (int c = 0; c < 3; ++c) {
            b->spring[side][c][k] = spring[c];
            sum[c] += force[c];
            moment[c] += torque[c];
        }
        if (mirrored) { /* force is a vector, torque an axial one */
            sum[0] -= force[0];
            sum[1] += force[1];
            sum[2] += force[2];
            moment[0] += torque[0];
            moment[1] -= torque[1];
            moment[2] -= torque[2];
            b->overlap[1][k] = b->overlap[0][k];
        }
    }
    for (int c = 0; c < 3; ++c) {
        const double a = sum[c] * b->inverse_mass[k], turn = moment[c] * b->inverse_inertia[k];
        b->x[c][k] = x[c];
        b->v[c][k] = v[c] + a * h;
        b->w[c][k] = w[c] + turn * h;
        b->a[c][k] = a;
        b->turn[c][k] = turn;
    }
}

FINE_INLINE void lanes_steps(int scheme, int mirrored, lanes *b)
{
    for (int step = 0; step < LOOK; ++step) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
        for (int k = 0; k < W; ++k)
            lane_step(scheme, mirrored, b, k);
    }
}

/* The loop for every scheme, compiled for one instruction set; the bits are the same for all. */
#define LANES_LOOK(NAME, TARGET)                                                                   \
    TARGET static void NAME(int scheme, int mirrored, lanes *b)                                    \
    {                                                                                              \
        if (scheme == DEM_INTEGRATOR_VERLET_SYNC && mirrored)                                      \
            lanes_steps(DEM_INTEGRATOR_VERLET_SYNC, 1, b);                                         \
        else if (scheme == DEM_INTEGRATOR_VERLET_IMPROVED && mirrored)                             \
            lanes_steps(DEM_INTEGRATOR_VERLET_IMPROVED, 1, b);                                     \
        else if (mirrored)                                                                         \
            lanes_steps(DEM_INTEGRATOR_VERLET_STANDARD, 1, b);                                     \
        else if (scheme == DEM_INTEGRATOR_VERLET_SYNC)                                             \
            lanes_steps(DEM_INTEGRATOR_VERLET_SYNC, 0, b);                                         \
        else if (scheme == DEM_INTEGRATOR_VERLET_IMPROVED)                                         \
            lanes_steps(DEM_INTEGRATOR_VERLET_IMPROVED, 0, b);                                     \
        else                                                                                       \
            lanes_steps(DEM_INTEGRATOR_VERLET_STANDARD, 0, b);                                     \
    }

#if defined(__GNUC__)
#define FLATTEN __attribute__((flatten))
#else
#define FLATTEN
#endif
#if defined(__clang__)
#define WIDE_512 "avx512f,avx512dq,avx512bw,avx512vl"
#else
#define WIDE_512 "avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512"
#endif
LANES_LOOK(look_baseline, FLATTEN)
#if defined(__x86_64__) && defined(__GNUC__)
LANES_LOOK(look_avx2, FLATTEN __attribute__((target("avx2"))))
LANES_LOOK(look_avx512, FLATTEN __attribute__((target(WIDE_512))))
#endif

typedef void lanes_look(int scheme, int mirrored, lanes *b);

static lanes_look *look_choose(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return look_avx512;
    if (__builtin_cpu_supports("avx2"))
        return look_avx2;
#endif
    return look_baseline;
}

/* Puts a case into a lane: at rest, touching with zero overlap, stiffness of glass by the paper's
 * Eq. (1) with V0 = sqrt(2 g R). */
static void lane_fill(lanes *b, int k, const phase_case *item)
{
    const double large = 2e-3, fine = large / item->ratio, density = 2500.0;
    const double volume = 4.0 / 3.0 * fine_pi * density;
    const double light = volume * fine * fine * fine, heavy = volume * large * large * large;
    const double mass = light * heavy / (light + heavy), radius = fine * large / (fine + large);
    const double modulus = 72e9 / (2.0 * (1.0 - 0.3 * 0.3));
    const double speed = sqrt(2.0 * gravity * large);
    const double stiffness =
        1.2024 * pow(sqrt(mass) * modulus * modulus * radius * speed, 0.4) / item->softness;
    const fine_pair p = fine_pair_make(fine, large, density, stiffness, 0.8, item->friction);
    const double path = sqrt((large + fine) * (large + fine) - large * large);
    const double place[3] = {0.0, path * sin(item->start), path * cos(item->start)};
    for (int c = 0; c < 3; ++c) {
        b->x[c][k] = place[c];
        b->v[c][k] = b->w[c][k] = b->turn[c][k] = 0.0;
        b->a[c][k] = c == 2 ? -gravity : 0.0;
        b->spring[0][c][k] = b->spring[1][c][k] = 0.0;
    }
    b->fine[k] = fine;
    b->large[k] = large;
    b->stiffness[k] = p.stiffness;
    b->stiffness_tangential[k] = p.stiffness_tangential;
    b->damping[k] = p.damping;
    b->damping_tangential[k] = p.damping_tangential;
    b->friction[k] = p.friction;
    b->weight_z[k] = -gravity * light;
    b->inverse_mass[k] = 1.0 / light;
    b->inverse_inertia[k] = 1.0 / (0.4 * light * fine * fine);
    b->dt[k] = fine_pi * sqrt(mass / stiffness) / item->steps;
}

/* A lane at the last look that found it in contact. */
typedef struct phase_seen {
    double y, z, angular_velocity;
    uint64_t steps;
} phase_seen;

/* Whether a lane is decided: left when clear of both, trapped when past the lowest point in touch.
 * 2 s are ten times what the slowest case needs. */
static int lane_decided(const lanes *b, int k, uint64_t steps, phase_seen *seen,
                        phase_result *result)
{
    const double clear = -1e-4 * b->fine[k];
    const double x = b->x[0][k], y = b->x[1][k], z = b->x[2][k];
    const int gone = b->overlap[0][k] < clear && b->overlap[1][k] < clear;
    const int passed = z < 0.0 && y < 0.0;
    const int late = (double)steps * b->dt[k] > 2.0;
    const int lost = !(x * x + y * y + z * z < 1.0); /* not a number */
    if (b->overlap[0][k] > 0.0 || b->overlap[1][k] > 0.0)
        *seen = (phase_seen){y, z, fabs(b->w[0][k]), steps};
    if (!gone && !passed && !late && !lost)
        return 0;
    result->outcome = gone ? PHASE_LEFT : passed ? PHASE_TRAPPED : PHASE_UNDECIDED;
    result->angle = passed ? fine_pi : atan2(seen->y, seen->z);
    result->angular_velocity = seen->angular_velocity;
    result->steps = seen->steps;
    return 1;
}

void phase_run(int scheme, int mirrored, const phase_queue *queue)
{
    lanes b;
    uint64_t number[W], steps[W] = {0};
    phase_seen seen[W] = {{0.0, 0.0, 0.0, 0}};
    int busy[W] = {0}, left = 0;
    lanes_look *const look = look_choose();
    const phase_case idle = {.ratio = 7.0, .friction = 0.6, .softness = 1.0, .steps = 40.0};
    memset(&b, 0, sizeof b);
    for (int k = 0; k < W; ++k) {
        phase_case item = idle;
        busy[k] = queue->next(queue->user, &item, &number[k]);
        left += busy[k];
        lane_fill(&b, k, &item);
    }
    while (left > 0) {
        look(scheme, mirrored, &b);
        for (int k = 0; k < W; ++k) {
            phase_result result;
            steps[k] += LOOK;
            if (!lane_decided(&b, k, steps[k], &seen[k], &result))
                continue;
            phase_case item = idle;
            if (busy[k]) {
                queue->done(queue->user, number[k], &result);
                busy[k] = queue->next(queue->user, &item, &number[k]);
                left -= !busy[k];
            }
            steps[k] = 0;
            lane_fill(&b, k, &item); /* an idle lane starts anew, harmless */
        }
    }
}
