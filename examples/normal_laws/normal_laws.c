/* SPDX-License-Identifier: MIT */
/* Force curves and rebounds of the sticking and the yielding normal laws, from the kernels of level
 * 0 alone, as the tables of two figures:
 *
 *     normal_laws FOLDER        writes adhesion.csv and hysteretic.csv */
#include <dem/dem.h>
#include <stdio.h>

#define PI 3.14159265358979323846

/* A contact of two bodies, as far as this program needs it. */
typedef struct contact contact;
struct contact {
    double (*force)(contact *c, double overlap);
    double radius, young, work, yield; /* R*, E*, w, p_y */
    double k1, k2, growth, kc, limit;
    int32_t recovers;
    double reach;       /* gap at which it breaks */
    double overlap_max; /* what it remembers */
};

static double hertz(contact *c, double overlap)
{
    const double a = dem_kernel_contact_radius_hertz(c->radius, overlap);
    return dem_kernel_normal_hertz(c->young, a, 0.0, overlap, 0.0, 0);
}

static double jkr(contact *c, double overlap)
{
    double a;
    return dem_kernel_normal_jkr(c->radius, c->young, c->work, overlap, &a);
}

static double dmt(contact *c, double overlap)
{
    return dem_kernel_normal_dmt(c->radius, c->young, c->work, overlap);
}

static double springs(contact *c, double overlap)
{
    return dem_kernel_normal_hysteretic(c->k1, c->k2, c->growth, c->limit, c->kc, c->recovers,
                                        overlap, &c->overlap_max);
}

static double thornton(contact *c, double overlap)
{
    double a;
    return dem_kernel_normal_thornton(c->radius, c->young, c->yield, overlap, &c->overlap_max, &a);
}

/* Presses to each overlap of the path in turn; forces over `unit`, overlaps over `length`. */
static void curve(FILE *out, const char *name, contact c, const double *path, int count,
                  double length, double unit)
{
    enum { PARTS = 200 };
    c.overlap_max = 0.0;
    for (int leg = 0; leg + 1 < count; ++leg)
        for (int k = 0; k <= PARTS; ++k) {
            const double overlap = path[leg] + (path[leg + 1] - path[leg]) * k / PARTS;
            fprintf(out, "%s,%.8g,%.8g\n", name, overlap / length, c.force(&c, overlap) / unit);
        }
    fprintf(out, "%s-end,,\n", name);
}

/* Restitution of an impact of effective mass m, by Verlet; 0 for bodies that stick. */
static double rebound(contact c, double mass, double speed, double dt)
{
    double overlap = 0.0, rate = speed, force = 0.0;
    int touched = 0;
    c.overlap_max = 0.0;
    for (int k = 0; k < 200000; ++k) {
        rate -= 0.5 * dt * force / mass;
        overlap += dt * rate;
        const int there = overlap > 0.0 || (touched && overlap > -c.reach);
        if (touched && !there)
            return -rate / speed;
        touched |= there;
        force = there ? c.force(&c, overlap) : 0.0;
        rate -= 0.5 * dt * force / mass;
    }
    return 0.0;
}

static FILE *table(const char *folder, const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        fprintf(stderr, "%s: cannot be written\n", path);
    return out;
}

static int adhesion(const char *folder)
{
    FILE *out = table(folder, "adhesion.csv");
    if (out == NULL)
        return 1;
    contact c = {.radius = 5e-4, .young = 1e6, .work = 0.05};
    const double b = dem_kernel_jkr_neck(c.radius, c.young, c.work);
    const double gap = dem_kernel_jkr_gap(c.radius, b), pull = PI * c.work * c.radius;
    const double in[] = {0.0, 3.0 * gap}, back[] = {3.0 * gap, -gap};
    c.force = hertz;
    curve(out, "hertz", c, in, 2, gap, pull);
    c.force = dmt;
    curve(out, "dmt", c, in, 2, gap, pull);
    c.force = jkr;
    curve(out, "jkr", c, back, 2, gap, pull);
    /* making and breaking cost the work between touch and the snap */
    const double loss = dem_kernel_jkr_energy(c.radius, c.young, b, b) -
                        dem_kernel_jkr_energy(c.radius, c.young, b, cbrt(4.0) * b);
    const double mass = 5e-7, sticking = sqrt(2.0 * loss / mass);
    c.reach = gap;
    for (int k = 0; k < 24; ++k) {
        const double ratio = 0.7 * pow(10.0, k / 17.0);
        const double time =
            dem_kernel_contact_time_hertz(c.young, c.radius, mass, ratio * sticking);
        fprintf(out, "rebound,%.8g,%.8g\n", ratio,
                rebound(c, mass, ratio * sticking, time / 3000.0));
    }
    return fclose(out) != 0;
}

static int hysteretic(const char *folder)
{
    FILE *out = table(folder, "hysteretic.csv");
    if (out == NULL)
        return 1;
    /* forces over that of k_1 at overlap 1; a cycle with a smaller one in it */
    const double path[] = {0.0, 0.6, 0.45, 1.0, 0.3, 0.5, 0.0};
    contact c = {.force = springs,
                 .k1 = 1.0,
                 .k2 = 1.0,
                 .growth = 4.0,
                 .kc = 1.0,
                 .limit = 1.0,
                 .recovers = 1};
    curve(out, "luding", c, path, 7, 1.0, 1.0);
    contact w = {.force = springs, .k1 = 1.0, .k2 = 3.0, .limit = 1e300};
    curve(out, "walton-braun", w, path, 7, 1.0, 1.0);
    contact t = {.force = thornton, .radius = 1.0, .young = 1.0, .yield = 0.3};
    double most = 1.0, a;
    const double peak = dem_kernel_normal_thornton(1.0, 1.0, t.yield, 1.0, &most, &a);
    curve(out, "thornton", t, path, 7, 1.0, peak);

    /* speeds that do not yield at all, up to those that hardly rebound */
    enum { SPEEDS = 24 };
    double speed[SPEEDS];
    for (int k = 0; k < SPEEDS; ++k)
        speed[k] = 0.3 * pow(10.0, k / 9.0);
    const contact m = {.force = thornton, .radius = 5e-4, .young = 5e10, .yield = 1e9};
    const double mass = 5e-7;
    for (int k = 0; k < SPEEDS; ++k) {
        const double time = dem_kernel_contact_time_hertz(m.young, m.radius, mass, speed[k]);
        fprintf(out, "rebound,%.8g,%.8g\n", speed[k], rebound(m, mass, speed[k], time / 1000.0));
    }
    for (int k = 0; k < SPEEDS; ++k)
        fprintf(out, "closed,%.8g,%.8g\n", speed[k],
                dem_kernel_thornton_restitution(m.radius, m.young, m.yield, mass, speed[k]));
    /* k_2 = k_1 + S F: e = sqrt(w0/(S v + w0)), w0 = sqrt(k_1/m) */
    const contact s = {.force = springs, .k1 = 1e6, .k2 = 1e6, .growth = 2e11, .limit = 1e300};
    const double swing = sqrt(s.k1 / mass), hardening = s.growth / s.k1;
    for (int k = 0; k < SPEEDS; ++k)
        fprintf(out, "hardening,%.8g,%.8g\n", speed[k], rebound(s, mass, speed[k], 2e-3 / swing));
    for (int k = 0; k < SPEEDS; ++k)
        fprintf(out, "hardening-closed,%.8g,%.8g\n", speed[k],
                sqrt(swing / (hardening * speed[k] + swing)));
    return fclose(out) != 0;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: normal_laws FOLDER\n");
        return 2;
    }
    return adhesion(arguments[1]) || hysteretic(arguments[1]);
}
