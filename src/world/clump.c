/* SPDX-License-Identifier: MIT */
/* Mass, centre and moments of a union of spheres. Slices across axis x are unions of discs, whose
 * moments are integrals along the arcs of their boundary (Green's theorem). Along x, Gauss's rule
 * is taken between the places where spheres, or circles in which two meet, begin and end; each
 * interval is stretched so that roots at its ends do no harm. */
#include "base/check.h"
#include "base/context.h"
#include "base/entry.h"
#include "base/principal.h"
#include "base/sized.h"

#include <dem/body.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { CLUMP_PARTS = 256, CLUMP_BREAKS = 4096, GAUSS = 8, CLUMP_MOMENTS = 10 };

static const double PI = 3.14159265358979323846;
/* An interval that takes so little of the clump has few nodes. */
static const double SHORT = 1e-3;

/* Gauss's rules: half of the places in [-1, 1], which lie on both sides of 0. */
typedef struct gauss_rule {
    int half;
    double place[GAUSS], weight[GAUSS];
} gauss_rule;

static const gauss_rule gauss_long = {
    GAUSS,
    {0.0950125098376374, 0.2816035507792589, 0.4580167776572274, 0.6178762444026438,
     0.7554044083550030, 0.8656312023878318, 0.9445750230732326, 0.9894009349916499},
    {0.1894506104550685, 0.1826034150449236, 0.1691565193950025, 0.1495959888165767,
     0.1246289712555339, 0.0951585116824928, 0.0622535239386479, 0.0271524594117541}};
static const gauss_rule gauss_short = {
    2, {0.3399810435848563, 0.8611363115940526}, {0.6521451548625461, 0.3478548451374538}};

/* Node m of a rule in [0, 1], and its weight. */
static double gauss_node(const gauss_rule *rule, int m, double *weight)
{
    const int k = m / 2;
    *weight = 0.5 * rule->weight[k];
    return 0.5 + (m % 2 == 0 ? -0.5 : 0.5) * rule->place[k];
}

typedef struct clump_ball {
    double centre[3], radius;
} clump_ball;

typedef struct clump {
    uint64_t count;
    clump_ball ball[CLUMP_PARTS];
    uint64_t breaks;
    double at[CLUMP_BREAKS];
} clump;

typedef struct disc {
    double y, z, radius;
} disc;

typedef struct covered {
    double from, to; /* angles, rad */
} covered;

/* ------------------------------------------------------------------ a slice */

/* Integrals of products of cosine and sine from the angle 0 on. */
typedef struct turned {
    double c, s, cc, ss, cs, ccc, sss, ccs, cccc, ssss, cccs;
} turned;

static turned turned_to(double t)
{
    const double c = cos(t), s = sin(t), twice = 2.0 * s * c, four = 2.0 * twice * (c * c - s * s);
    return (turned){.c = s,
                    .s = -c,
                    .cc = 0.5 * t + 0.25 * twice,
                    .ss = 0.5 * t - 0.25 * twice,
                    .cs = 0.5 * s * s,
                    .ccc = s - s * s * s / 3.0,
                    .sss = c * c * c / 3.0 - c,
                    .ccs = -c * c * c / 3.0,
                    .cccc = 0.375 * t + 0.25 * twice + four / 32.0,
                    .ssss = 0.375 * t - 0.25 * twice + four / 32.0,
                    .cccs = -0.25 * c * c * c * c};
}

/* Adds what an arc of the boundary gives to area, first and second moments: integrals of y dz and
 * the like, with y = a + r cos t and z = b + r sin t. */
static void arc_add(const disc *d, double from, double to, double sum[6])
{
    const turned t0 = turned_to(from), t1 = turned_to(to);
    const double a = d->y, b = d->z, r = d->radius, c = t1.c - t0.c, s = t1.s - t0.s,
                 cc = t1.cc - t0.cc, ss = t1.ss - t0.ss, ccc = t1.ccc - t0.ccc,
                 sss = t1.sss - t0.sss, cs = t1.cs - t0.cs, ccs = t1.ccs - t0.ccs;
    /* of y^2 dz, z^2 dy, y^3 dz, z^3 dy, over r */
    const double y2 = a * a * c + r * (2.0 * a * cc + r * ccc),
                 z2 = b * b * s + r * (2.0 * b * ss + r * sss),
                 y3 = a * a * a * c +
                      r * (3.0 * a * a * cc + r * (3.0 * a * ccc + r * (t1.cccc - t0.cccc))),
                 z3 = b * b * b * s +
                      r * (3.0 * b * b * ss + r * (3.0 * b * sss + r * (t1.ssss - t0.ssss)));
    sum[0] += 0.5 * r * (r * (to - from) + a * c + b * s);
    sum[1] += 0.5 * r * y2;
    sum[2] += 0.5 * r * z2;
    sum[3] += r / 3.0 * y3;
    sum[4] += r / 3.0 * z3;
    sum[5] += 0.5 * r * (b * y2 + r * (a * a * cs + r * (2.0 * a * ccs + r * (t1.cccs - t0.cccs))));
}

/* Keeps angles in [0, 2 pi]: what passes 0 is two pieces. */
static void cover(covered *list, int *n, double middle, double half)
{
    double from = middle - half, to = middle + half;
    if (from < 0.0) {
        from += 2.0 * PI;
        to += 2.0 * PI;
    }
    if (to > 2.0 * PI) {
        list[(*n)++] = (covered){0.0, to - 2.0 * PI};
        to = 2.0 * PI;
    }
    list[(*n)++] = (covered){from, to};
}

static int covered_order(const void *a, const void *b)
{
    const double x = ((const covered *)a)->from, y = ((const covered *)b)->from;
    return (x > y) - (x < y);
}

/* Whether another disc has all of disc k. Of equal discs the first counts. */
static int disc_within(const disc *d, int count, int k)
{
    for (int j = 0; j < count; ++j) {
        const double y = d[j].y - d[k].y, z = d[j].z - d[k].z, wider = d[j].radius - d[k].radius;
        if (j != k && wider >= 0.0 && y * y + z * z <= wider * wider && (wider > 0.0 || j < k))
            return 1;
    }
    return 0;
}

/* Which angles of disc k the others cover; returns how many pieces. */
static int disc_covered(const disc *d, int count, int k, covered *list)
{
    int n = 0;
    for (int j = 0; j < count; ++j) {
        const double y = d[j].y - d[k].y, z = d[j].z - d[k].z, own = d[k].radius,
                     other = d[j].radius, square = y * y + z * z, within = own - other;
        if (j == k || square >= (own + other) * (own + other) ||
            (within >= 0.0 && square <= within * within))
            continue;
        const double away = sqrt(square),
                     cosine = (square + own * own - other * other) / (2.0 * away * own);
        cover(list, &n, atan2(z, y), acos(fmax(-1.0, fmin(1.0, cosine))));
    }
    qsort(list, (size_t)n, sizeof *list, covered_order);
    return n;
}

static void slice(const clump *c, double x, double sum[6])
{
    disc d[CLUMP_PARTS];
    covered list[2 * CLUMP_PARTS];
    int count = 0;
    for (uint64_t k = 0; k < c->count; ++k) {
        const double off = x - c->ball[k].centre[0],
                     square = c->ball[k].radius * c->ball[k].radius - off * off;
        if (square > 0.0)
            d[count++] = (disc){c->ball[k].centre[1], c->ball[k].centre[2], sqrt(square)};
    }
    for (int k = 0; k < count; ++k) {
        if (disc_within(d, count, k))
            continue;
        const int n = disc_covered(d, count, k, list);
        double from = 0.0;
        for (int m = 0; m < n; ++m) {
            if (list[m].from > from)
                arc_add(&d[k], from, list[m].from, sum);
            from = fmax(from, list[m].to);
        }
        if (from < 2.0 * PI)
            arc_add(&d[k], from, 2.0 * PI, sum);
    }
}

/* ------------------------------------------------------------------ all slices */

static int number_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void break_add(clump *c, double x)
{
    if (c->breaks < CLUMP_BREAKS)
        c->at[c->breaks++] = x;
}

static void breaks_find(clump *c)
{
    c->breaks = 0;
    for (uint64_t k = 0; k < c->count; ++k) {
        break_add(c, c->ball[k].centre[0] - c->ball[k].radius);
        break_add(c, c->ball[k].centre[0] + c->ball[k].radius);
    }
    for (uint64_t i = 0; i < c->count; ++i)
        for (uint64_t j = 0; j < i; ++j) {
            const clump_ball *a = &c->ball[i], *b = &c->ball[j];
            double d[3];
            for (int x = 0; x < 3; ++x)
                d[x] = b->centre[x] - a->centre[x];
            const double away = sqrt(demi_dot(d, d));
            if (!(away > 0.0) || away >= a->radius + b->radius ||
                away <= fabs(a->radius - b->radius))
                continue;
            const double along =
                (away * away + a->radius * a->radius - b->radius * b->radius) / (2.0 * away);
            const double middle = a->centre[0] + along * d[0] / away,
                         round = a->radius * a->radius - along * along,
                         across = 1.0 - d[0] * d[0] / (away * away),
                         reach = sqrt(fmax(0.0, round) * fmax(0.0, across));
            break_add(c, middle - reach);
            break_add(c, middle + reach);
        }
    qsort(c->at, (size_t)c->breaks, sizeof c->at[0], number_order);
}

/* Volume, first moments x y z, second moments xx yy zz yz xz xy; `panels` in each interval. */
static void moments(const clump *c, int panels, double sum[CLUMP_MOMENTS])
{
    const double whole = c->at[c->breaks - 1] - c->at[0];
    memset(sum, 0, CLUMP_MOMENTS * sizeof sum[0]);
    for (uint64_t k = 0; k + 1 < c->breaks; ++k) {
        const double from = c->at[k], length = c->at[k + 1] - from;
        const gauss_rule *rule = length > SHORT * whole ? &gauss_long : &gauss_short;
        const int nodes = 2 * rule->half;
        for (int m = 0; length > 0.0 && m < nodes * panels; ++m) {
            double weight, s[6] = {0.0};
            const int panel = m / nodes;
            const double u = (panel + gauss_node(rule, m % nodes, &weight)) / panels;
            const double x = from + length * u * u * (3.0 - 2.0 * u),
                         f = weight / panels * length * 6.0 * u * (1.0 - u);
            slice(c, x, s);
            const double add[CLUMP_MOMENTS] = {s[0], x * s[0], s[1], s[2],     x * x * s[0],
                                               s[3], s[4],     s[5], x * s[2], x * s[1]};
            for (int q = 0; q < CLUMP_MOMENTS; ++q)
                sum[q] += f * add[q];
        }
    }
}

/* ------------------------------------------------------------------ the call */

static void body_fill(double density, const double s[CLUMP_MOMENTS], const double origin[3],
                      dem_body *body)
{
    const double v = s[0], x[3] = {s[1] / v, s[2] / v, s[3] / v};
    /* second moments about the centre: xx yy zz yz xz xy */
    const double m[6] = {s[4] - v * x[0] * x[0], s[5] - v * x[1] * x[1], s[6] - v * x[2] * x[2],
                         s[7] - v * x[1] * x[2], s[8] - v * x[0] * x[2], s[9] - v * x[0] * x[1]};
    double a[3][3] = {
        {m[1] + m[2], -m[5], -m[4]}, {-m[5], m[0] + m[2], -m[3]}, {-m[4], -m[3], m[0] + m[1]}};
    double axes[3][3];
    demi_principal_axes(a, axes);
    body->mass = density * v;
    double least = INFINITY, most = 0.0, sum = 0.0;
    for (int c = 0; c < 3; ++c) {
        body->position[c] = origin[c] + x[c];
        body->inertia[c] = density * a[c][c];
        least = fmin(least, body->inertia[c]);
        most = fmax(most, body->inertia[c]);
        sum += body->inertia[c];
    }
    /* as round as this is round: then it has the bits of a sphere */
    for (int c = 0; c < 3 && most - least <= 1e-10 * most; ++c)
        body->inertia[c] = sum / 3.0;
    demi_principal_orientation(axes, body->orientation);
}

/* Part k of an array whose structs are as long as the caller's. */
static dem_body_part *clump_part(dem_body_part *parts, uint64_t k)
{
    return (dem_body_part *)(void *)((unsigned char *)parts + k * parts->struct_size);
}

/* Slices of a sphere that is far smaller than the clump would have no thickness. */
static dem_status clump_scale_check(const clump *c, dem_error *error)
{
    static const double least = 1e-8;
    double size = 0.0;
    for (uint64_t k = 0; k < c->count; ++k) {
        const double *x = c->ball[k].centre;
        size = fmax(size, sqrt(demi_dot(x, x)) + c->ball[k].radius);
    }
    for (uint64_t k = 0; k < c->count; ++k)
        DEMI_REFUSE(c->ball[k].radius < least * size, DEM_ERROR_RANGE,
                    "dem_body_part.radius of part %llu: %g m is below %g of %g m, how far "
                    "the clump reaches from its first part",
                    (unsigned long long)k, c->ball[k].radius, least, size);
    return DEM_OK;
}

static dem_status clump_read(dem_body_part *parts, uint64_t count, const double origin[3], clump *c,
                             dem_error *error)
{
    c->count = count;
    for (uint64_t k = 0; k < count; ++k) {
        const dem_body_part *part = clump_part(parts, k);
        dem_body_part known;
        memset(&known, 0, sizeof known);
        DEMI_REFUSE(part->struct_size != parts->struct_size ||
                        demi_sized_read(&known, part) != DEM_OK,
                    DEM_ERROR_STRUCT_SIZE, "part %llu: " DEMI_SIZED_MESSAGE, (unsigned long long)k,
                    "dem_body_part", (unsigned long long)part->struct_size, "dem_body_part");
        DEMI_REFUSE(known.reserved != 0, DEM_ERROR_UNKNOWN, "part %llu: " DEMI_RESERVED_MESSAGE,
                    (unsigned long long)k, "dem_body_part.reserved", (long long)known.reserved,
                    "dem_body_part");
        DEMI_REFUSE(known.shape != NULL, DEM_ERROR_ARGUMENT,
                    "dem_body_part.shape of part %llu: must be NULL, because a clump is "
                    "of spheres: dem_polyhedron_properties_get measures a polyhedron",
                    (unsigned long long)k);
        DEMI_REFUSE(!demi_within3(part->centre, 1e50) || !demi_positive(part->radius) ||
                        part->radius > 1e50 || part->radius < 1e-50,
                    DEM_ERROR_RANGE,
                    "dem_body_part %llu: centre (%g, %g, %g) m must be within 1e50 m, and "
                    "radius %g between 1e-50 and 1e50 m",
                    (unsigned long long)k, part->centre[0], part->centre[1], part->centre[2],
                    part->radius);
        for (int x = 0; x < 3; ++x)
            c->ball[k].centre[x] = part->centre[x] - origin[x];
        c->ball[k].radius = part->radius;
    }
    return clump_scale_check(c, error);
}

/* A number above 0 that has all its digits. */
static int clump_normal(double value)
{
    return isfinite(value) && value >= DBL_MIN;
}

DEMI_GUARDED guarded_clump_measure(double density, uint64_t part_count, dem_body_part *parts,
                                   dem_body *body, double *uncertainty, dem_error *error)
{
    DEMI_REFUSE(parts == NULL || body == NULL, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                parts == NULL ? "parts" : "body");
    dem_body filled;
    (void)dem_body_init(&filled);
    DEMI_REFUSE(demi_sized_read(&filled, body) != DEM_OK, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE,
                "dem_body", (unsigned long long)body->struct_size, "dem_body");
    DEMI_REFUSE(!demi_positive(density), DEM_ERROR_RANGE,
                "density: %g must be finite and > 0 kg/m3", density);
    DEMI_REFUSE(part_count == 0 || part_count > CLUMP_PARTS, DEM_ERROR_RANGE,
                "part_count: %llu is not in [1, %d]", (unsigned long long)part_count, CLUMP_PARTS);
    clump c;
    const double origin[3] = {parts[0].centre[0], parts[0].centre[1], parts[0].centre[2]};
    const dem_status status = clump_read(parts, part_count, origin, &c, error);
    if (status != DEM_OK)
        return status;
    double coarse[CLUMP_MOMENTS], fine[CLUMP_MOMENTS];
    breaks_find(&c);
    moments(&c, 1, coarse);
    moments(&c, 2, fine);
    body_fill(density, fine, origin, &filled);
    const double *i = filled.inertia;
    DEMI_REFUSE(!clump_normal(filled.mass) || !clump_normal(i[0]) || !clump_normal(i[1]) ||
                    !clump_normal(i[2]),
                DEM_ERROR_RANGE,
                "density: %g kg/m3 makes mass %g kg or a moment of inertia (%g, %g, %g) "
                "kg m2 no normal number: take other units",
                density, filled.mass, i[0], i[1], i[2]);
    (void)demi_sized_write(body, body->struct_size, &filled);
    if (uncertainty != NULL)
        *uncertainty = fabs(fine[0] - coarse[0]) / fine[0];
    for (uint64_t k = 0; k < part_count; ++k) {
        for (int x = 0; x < 3; ++x)
            clump_part(parts, k)->centre[x] -= filled.position[x];
        dem_kernel_rotation_to_body(filled.orientation, clump_part(parts, k)->centre);
    }
    return DEM_OK;
}

dem_status dem_clump_measure(double density, uint64_t part_count, dem_body_part *parts,
                             dem_body *body, double *uncertainty, dem_error *error)
{
    DEMI_QUIET(guarded_clump_measure(density, part_count, parts, body, uncertainty, error));
}
