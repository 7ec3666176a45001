/* SPDX-License-Identifier: MIT */
/* The facets of a screw: a flight, whose section is a rectangle, and a shaft with two ends. */
#include "screw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 24, CORNERS = 4, HEADER = 80, RECORD = 50 };

static const double pi = 3.14159265358979323846;

typedef struct writer {
    unsigned char *bytes;
    uint32_t count;
} writer;

static void put(unsigned char *to, uint32_t word) /* little-endian */
{
    for (int k = 0; k < 4; ++k)
        to[k] = (unsigned char)(word >> (8 * k));
}

static void put_number(unsigned char *to, double x)
{
    const float number = (float)x;
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    put(to, word);
}

/* A facet, counterclockwise as seen from outside. Its normal stays 0: readers take the vertices. */
static void triangle(writer *w, const double a[3], const double b[3], const double c[3])
{
    unsigned char *at = w->bytes + HEADER + 4 + (size_t)RECORD * w->count++;
    for (int k = 0; k < 3; ++k) {
        put_number(at + 12 + 4 * k, a[k]);
        put_number(at + 24 + 4 * k, b[k]);
        put_number(at + 36 + 4 * k, c[k]);
    }
}

static void quad(writer *w, const double a[3], const double b[3], const double c[3],
                 const double d[3])
{
    triangle(w, a, b, c);
    triangle(w, a, c, d);
}

/* The corners of the flight's section, counterclockwise as seen against the way it winds. */
static void section(const screw *s, int station, double corner[CORNERS][3])
{
    const double angle = 2.0 * pi * station / AROUND, z = s->pitch * station / AROUND;
    const double inner = 0.9 * s->shaft; /* within the shaft, so that no gap is left */
    for (int k = 0; k < CORNERS; ++k) {
        const double r = k == 1 || k == 2 ? s->radius : inner;
        corner[k][0] = r * cos(angle);
        corner[k][1] = r * sin(angle);
        corner[k][2] = z + (k < 2 ? 0.0 : s->thickness);
    }
}

static void flight(writer *w, const screw *s, int stations)
{
    double from[CORNERS][3], to[CORNERS][3];
    section(s, 0, from);
    quad(w, from[0], from[1], from[2], from[3]);
    for (int n = 1; n <= stations; ++n) {
        section(s, n, to);
        for (int k = 0; k < CORNERS; ++k) {
            const int next = (k + 1) % CORNERS;
            quad(w, from[k], to[k], to[next], from[next]);
        }
        memcpy(from, to, sizeof from);
    }
    quad(w, from[3], from[2], from[1], from[0]);
}

static void shaft(writer *w, const screw *s)
{
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, s->height};
    for (int k = 0; k < AROUND; ++k) {
        const double at = 2.0 * pi * k / AROUND, next = 2.0 * pi * ((k + 1) % AROUND) / AROUND;
        const double a[3] = {s->shaft * cos(at), s->shaft * sin(at), 0.0};
        const double b[3] = {s->shaft * cos(next), s->shaft * sin(next), 0.0};
        const double c[3] = {b[0], b[1], s->height}, d[3] = {a[0], a[1], s->height};
        quad(w, a, b, c, d);
        triangle(w, low, b, a);
        triangle(w, high, d, c);
    }
}

unsigned char *screw_stl(const screw *s, uint64_t *size)
{
    const int stations = (int)(s->turns * AROUND + 0.5);
    const uint32_t facets = 4u + 8u * (uint32_t)stations + 4u * AROUND;
    writer w = {NULL, 0};
    *size = HEADER + 4 + (uint64_t)RECORD * facets;
    w.bytes = calloc(1, (size_t)*size);
    if (w.bytes == NULL)
        return NULL;
    put(w.bytes + HEADER, facets);
    flight(&w, s, stations);
    shaft(&w, s);
    return w.bytes;
}
