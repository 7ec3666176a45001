/* SPDX-License-Identifier: MIT */
/* Tables for the figures of the integrators' page: histories of the groove (Vyas et al., Figs 4, 6,
 * 8 and 11) and of the block on a plate (Führer et al., Figs 1 to 4).
 *
 *     figures FOLDER     writes groove_standard.csv, groove_improved.csv, groove_default.csv,
 *                        groove_scatter.csv, plates_sliders.csv, plates_energy.csv,
 *                        plates_error.csv and plates_midpoint.csv */
#include "hertz.h"

#include "../physics/cases/groove_scatter.h"
#include "../physics/cases/plates_exact.h"
#include "../physics/cases/plates_host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static FILE *create(const char *folder, const char *name, const char *header)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        exit(1);
    }
    fprintf(out, "%s\n", header);
    return out;
}

/* Radial part of the fine sphere's surface velocity against a large sphere, with the normal at x.
 */
static double radial_velocity(const groove_host *h, const double x[3], const double v[3],
                              const double w[3], const double radial[3])
{
    double n[3], vn = 0.0, along = 0.0;
    for (int c = 0; c < 3; ++c)
        n[c] = x[c] - h->x[3 + c];
    const double length = groove_length(n);
    for (int c = 0; c < 3; ++c) {
        n[c] /= length;
        vn += v[c] * n[c];
    }
    for (int c = 0; c < 3; ++c) {
        const int e = (c + 1) % 3, f = (c + 2) % 3;
        along += (v[c] - vn * n[c] + h->radius[0] * (n[e] * w[f] - n[f] * w[e])) * radial[c];
    }
    return along;
}

static void groove_row(FILE *out, const groove_host *h, double time, double path, int32_t scheme)
{
    const double distance = groove_length(h->x), m = h->mass[0];
    double radial[3], half_v[3], half_w[3], half_x[3], normal = 0.0, tangential = 0.0;
    for (int c = 0; c < 3; ++c) {
        radial[c] = h->x[c] / distance;
        half_v[c] = h->v[c] - 0.5 * h->dt * h->force[c] / m;
        half_w[c] = h->w[c] - 0.5 * h->dt * h->torque[c] / h->inertia[0];
        half_x[c] =
            h->x[c] - (scheme == DEM_INTEGRATOR_VERLET_STANDARD ? 0.0 : 0.5 * h->dt * half_v[c]);
    }
    for (int large = 0; large < 2; ++large) {
        dem_contact contact;
        if (!groove_host_contact(h, large, &contact))
            continue;
        for (int c = 0; c < 3; ++c) {
            normal += contact.force_normal[c] * radial[c];
            tangential += contact.force_tangential[c] * radial[c];
        }
    }
    const double speed = groove_length(h->v);
    fprintf(out, "%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%d\n", time,
            groove_angle(h->x) / GROOVE_DEGREE, distance - path, 1e6 * normal, 1e6 * tangential,
            -1e6 * m * 9.81 * radial[2], 1e6 * m * speed * speed / distance,
            1e6 * radial_velocity(h, half_x, half_v, half_w, radial),
            1e6 * radial_velocity(h, h->x, h->v, h->w, radial), (int)h->totals.contacts);
}

/* R 7, mu 0.6, from 1 degree, at t_c/20; forces in micronewton, velocities in micrometre/s. */
static void groove_history(const char *folder, const char *name, int32_t scheme, double end)
{
    const groove_setup s = groove_setup_of(7.0, 0.6, 1.0);
    FILE *out = create(folder, name,
                       "time_s,angle_deg,radius_change_m,normal_uN,tangential_uN,gravity_uN,"
                       "centrifugal_uN,half_step_velocity_um_s,full_step_velocity_um_s,contacts");
    groove_host h;
    groove_host_open(&h, &s, NULL, NULL, scheme, s.contact_time / 20.0);
    const uint64_t steps = (uint64_t)(end / h.dt), every = steps / 300;
    for (uint64_t k = 1; k <= steps; ++k) {
        groove_host_step(&h);
        if (k % every == 0)
            groove_row(out, &h, (double)k * h.dt, groove_length(s.start), scheme);
        if (k > 100 && h.totals.contacts == 0)
            break;
    }
    groove_host_close(&h);
    fclose(out);
}

/* Grooves at random, by how late springs let slip begin. */
static void groove_points(const char *folder)
{
    static groove_point points[GROOVE_POINTS];
    FILE *out = create(folder, "groove_scatter.csv",
                       "ratio,friction,start_deg,slip_delay_deg,angle_off_rigid,time_off_rigid,"
                       "spin_off_rigid,angle_off_springs,time_off_springs,spin_off_springs");
    groove_scatter(50.0, GROOVE_POINTS, points);
    for (int k = 0; k < GROOVE_POINTS; ++k) {
        const groove_point *p = &points[k];
        fprintf(out, "%.4f,%.4f,%.4f,%.4f,%.3e,%.3e,%.3e,%.3e,%.3e,%.3e\n", p->ratio, p->friction,
                p->degrees, p->delay / GROOVE_DEGREE, p->rigid[0], p->rigid[1], p->rigid[2],
                p->own[0], p->own[1], p->own[2]);
    }
    fclose(out);
}

/* Figs 1 and 2: both sliders by the paper's Euler scheme, and how much more kinetic energy the
 * discontinuous one leaves. */
static void plates_sliders(const char *folder)
{
    static const char *const laws[2] = {DEM_LAW_LINEAR_CSDS, DEM_LAW_LINEAR_DSDS};
    FILE *out = create(folder, "plates_sliders.csv", "law,dt,time,spring,velocity,force");
    for (int law = 0; law < 2; ++law)
        for (int fine = 0; fine < 2; ++fine) {
            const double dt = fine ? 1e-3 : 0.1;
            plates_host p;
            plates_open(&p, laws[law], DEM_INTEGRATOR_EULER, PLATES_START);
            for (int n = 0; n < (int)lround(8.0 / dt); ++n) {
                const double v = p.v[0];
                plates_step(&p, dt, NULL);
                if (n % (fine ? 20 : 1) == 0)
                    fprintf(out, "%s,%g,%g,%.6g,%.6g,%.6g\n", laws[law], dt, n * dt, p.spring, v,
                            p.force[0]);
            }
            plates_close(&p);
        }
    fclose(out);
    out = create(folder, "plates_energy.csv", "start,time,excess");
    for (double start = 4.0; start < 20.0; start *= 2.0) {
        plates_host c, d;
        plates_open(&c, laws[0], DEM_INTEGRATOR_EULER, start);
        plates_open(&d, laws[1], DEM_INTEGRATOR_EULER, start);
        for (int n = 0; n < (int)lround(15.0 * start); ++n) {
            fprintf(out, "%g,%g,%.6g\n", start, 0.1 * n, 0.5 * (d.v[0] * d.v[0] - c.v[0] * c.v[0]));
            plates_step(&c, 0.1, NULL);
            plates_step(&d, 0.1, NULL);
        }
        plates_close(&c);
        plates_close(&d);
    }
    fclose(out);
}

/* Fig. 3: the error of the velocity over dt, for the discontinuous slider. */
static void plates_errors(const char *folder)
{
    static const struct {
        const char *name;
        int32_t scheme;
    } schemes[3] = {{"Euler", DEM_INTEGRATOR_EULER},
                    {"Heun", DEM_INTEGRATOR_HEUN},
                    {"RK4", DEM_INTEGRATOR_RK4}};
    FILE *out = create(folder, "plates_error.csv", "scheme,dt,time,error_over_dt");
    for (int k = 0; k < 3; ++k)
        for (int fine = 0; fine < 2; ++fine) {
            const double dt = fine ? 0.01 : 0.1;
            plates_host p;
            plates_open(&p, DEM_LAW_LINEAR_DSDS, schemes[k].scheme, PLATES_START);
            for (int n = 1; n <= (int)lround(8.0 / dt); ++n) {
                plates_step(&p, dt, NULL);
                if (n % (fine ? 10 : 1) == 0)
                    fprintf(out, "%s,%g,%g,%.6g\n", schemes[k].name, dt, n * dt,
                            (p.v[0] - plates_exact_discontinuous(n * dt)) / dt);
            }
            plates_close(&p);
        }
    fclose(out);
}

/* Fig. 4: the midpoint rule, dt = 0.2, with its auxiliary states between the full ones. */
static FILE *midpoint_out;
static double midpoint_time;

static void midpoint_seen(const plates_host *p, uint32_t stage)
{
    fprintf(midpoint_out, "%.6g,%.6g,%.6g,%.6g\n", midpoint_time + 0.1 * stage, p->spring, p->v[0],
            p->force[0]);
}

static void plates_midpoint(const char *folder)
{
    plates_host p;
    midpoint_out = create(folder, "plates_midpoint.csv", "time,spring,velocity,force");
    plates_open(&p, DEM_LAW_LINEAR_DSDS, DEM_INTEGRATOR_MIDPOINT, PLATES_START);
    for (int k = 0; k < 75; ++k) {
        midpoint_time = 0.2 * k;
        plates_step(&p, 0.2, midpoint_seen);
    }
    plates_close(&p);
    fclose(midpoint_out);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: figures FOLDER\n");
        return 2;
    }
    const char *folder = arguments[1];
    groove_history(folder, "groove_standard.csv", DEM_INTEGRATOR_VERLET_STANDARD, 0.6);
    groove_history(folder, "groove_improved.csv", DEM_INTEGRATOR_VERLET_IMPROVED, 0.1);
    groove_history(folder, "groove_default.csv", DEM_INTEGRATOR_VERLET_SYNC, 0.1);
    groove_points(folder);
    plates_sliders(folder);
    plates_errors(folder);
    plates_midpoint(folder);
    figures_hertz(folder);
    return 0;
}
