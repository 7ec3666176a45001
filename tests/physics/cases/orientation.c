/* SPDX-License-Identifier: MIT */
/* A ball under a torque that is not along its angular velocity: orientation of each scheme against
 * a fine one.
 */
#include "cases.h"

#include <dem/dem.h>

#include <math.h>
#include <string.h>

/* The torque turns with time, so that neither size nor axis of the angular velocity stand still. */
static void torque_at(double t, double torque[3])
{
    torque[0] = 3.0 * (1.0 - t);
    torque[1] = 2.0 * t;
    torque[2] = -1.0 - t;
}

/* Fractions of dt at which the stages of a scheme lie. */
static double stage_time(int32_t scheme, uint32_t stage)
{
    static const double rk4[4] = {0.0, 0.5, 0.5, 1.0};
    return scheme == DEM_INTEGRATOR_RK4 ? rk4[stage]
           : stage == 0                 ? 0.0
                                        : (scheme == DEM_INTEGRATOR_MIDPOINT ? 0.5 : 1.0);
}

/* From rest of the frame to t = 1; returns how far the length was from 1 at most. */
static double turn(int32_t scheme, int steps, double q[4])
{
    double x[3] = {0}, v[3] = {0}, w[3] = {1.0, 2.0, -1.0}, force[3] = {0}, torque[3];
    const double mass[1] = {1.0}, inertia[1] = {0.8}, dt = 1.0 / steps;
    dem_integrator_config config;
    dem_integrator *integrator;
    dem_integrator_arrays a;
    MUST(dem_integrator_config_init(&config));
    config.scheme = scheme;
    MUST(dem_integrator_create(&config, &integrator, NULL));
    MUST(dem_integrator_arrays_init(&a));
    a.count = 1;
    a.position = x;
    a.velocity = v;
    a.angular_velocity = w;
    a.force = force;
    a.torque = torque;
    a.mass = mass;
    a.inertia = inertia;
    a.orientation = q;
    const double start[4] = {0.5, 0.5, -0.5, 0.5};
    memcpy(q, start, sizeof start);
    double off = 0.0;
    const uint32_t stages = dem_integrator_stage_count(integrator);
    for (int n = 0; n < steps; ++n) {
        for (uint32_t k = 0; k < stages; ++k) {
            torque_at((n + stage_time(scheme, k)) * dt, torque);
            MUST(dem_integrator_stage(integrator, &a, dt));
        }
        if (stages == 0) {
            torque_at(n * dt, torque);
            MUST(dem_integrator_begin(integrator, &a, dt));
            torque_at((n + 1) * dt, torque);
            MUST(dem_integrator_end(integrator, &a));
        }
        off = fmax(off, fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0));
    }
    dem_integrator_destroy(integrator);
    return off;
}

static double apart(const double a[4], const double b[4])
{
    double worst = 0.0;
    for (int c = 0; c < 4; ++c)
        worst = fmax(worst, fabs(a[c] - b[c]));
    return worst;
}

void case_orientation(ledger *l)
{
    static const struct {
        const char *name;
        int32_t scheme;
        double order;
    } rows[] = {{"synchronized", DEM_INTEGRATOR_VERLET_SYNC, 2.0},
                {"improved", DEM_INTEGRATOR_VERLET_IMPROVED, 2.0},
                {"standard", DEM_INTEGRATOR_VERLET_STANDARD, 2.0},
                {"leapfrog", DEM_INTEGRATOR_LEAPFROG, 2.0},
                {"symplectic-euler", DEM_INTEGRATOR_SYMPLECTIC_EULER, 1.0},
                {"euler", DEM_INTEGRATOR_EULER, 1.0},
                {"midpoint", DEM_INTEGRATOR_MIDPOINT, 2.0},
                {"heun", DEM_INTEGRATOR_HEUN, 2.0},
                {"rk4", DEM_INTEGRATOR_RK4, 4.0}};
    l->paper = "libdem";
    l->name = "orientation";
    double exact[4];
    (void)turn(DEM_INTEGRATOR_RK4, 4000, exact);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        double coarse[4], fine[4];
        char name[64];
        const double off = turn(rows[k].scheme, 100, coarse);
        (void)turn(rows[k].scheme, 200, fine);
        (void)snprintf(name, sizeof name, "order_%s", rows[k].name);
        ledger_near(l, ORDER, name, log2(apart(coarse, exact) / apart(fine, exact)), rows[k].order,
                    0.15);
        (void)snprintf(name, sizeof name, "length_%s", rows[k].name);
        ledger_below(l, CONSERVATION, name, off, 1e-15);
    }
}
