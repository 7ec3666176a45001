/* SPDX-License-Identifier: MIT */
/* A picture of the grains from an oblique angle: spheres with shade and shadow, coloured by their
 * speed; what stands still is grey. Drawn at twice the size, then averaged. */
#include "demo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1200, HEIGHT = 900, FINE = 2, SHADOW = 1600, BAR = 170 };

/* An orthographic view: where each sphere is nearest, at every pixel. */
typedef struct view {
    double right[3], up[3], toward[3]; /* unit vectors; toward the eye */
    int width, height;
    double scale, offset[2]; /* pixel = scale * (p.right) + offset[0], likewise up, downwards */
    float *depth;            /* of the nearest point, along toward */
    uint32_t *row;           /* of the sphere there; UINT32_MAX: none */
} view;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void view_aim(view *v, double azimuth, double elevation)
{
    const double a = azimuth * 3.14159265358979 / 180.0, e = elevation * 3.14159265358979 / 180.0;
    const double toward[3] = {cos(e) * cos(a), cos(e) * sin(a), sin(e)};
    const double right[3] = {-sin(a), cos(a), 0.0};
    const double up[3] = {-sin(e) * cos(a), -sin(e) * sin(a), cos(e)};
    memcpy(v->toward, toward, sizeof toward);
    memcpy(v->right, right, sizeof right);
    memcpy(v->up, up, sizeof up);
}

static int view_create(view *v, int width, int height, int margin_right, const demo_frame *f)
{
    const size_t pixels = (size_t)width * (size_t)height;
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (uint64_t k = 0; k < f->count; ++k) {
        const double at[2] = {dot(v->right, f->position + 3 * k), dot(v->up, f->position + 3 * k)};
        for (int c = 0; c < 2; ++c) {
            low[c] = fmin(low[c], at[c] - f->radius[k]);
            high[c] = fmax(high[c], at[c] + f->radius[k]);
        }
    }
    const double free_width = 0.94 * (width - margin_right), free_height = 0.92 * height;
    v->width = width;
    v->height = height;
    v->scale = fmin(free_width / (high[0] - low[0]), free_height / (high[1] - low[1]));
    v->offset[0] = 0.5 * (width - margin_right) - v->scale * 0.5 * (low[0] + high[0]);
    v->offset[1] = 0.5 * height + v->scale * 0.5 * (low[1] + high[1]);
    v->depth = malloc(pixels * sizeof *v->depth);
    v->row = malloc(pixels * sizeof *v->row);
    if (v->depth == NULL || v->row == NULL)
        return -1;
    for (size_t k = 0; k < pixels; ++k) {
        v->depth[k] = -HUGE_VALF;
        v->row[k] = UINT32_MAX;
    }
    return 0;
}

static void view_destroy(view *v)
{
    free(v->depth);
    free(v->row);
}

static int clamp(double value, int most)
{
    return value < 0.0 ? 0 : value > most ? most : (int)value;
}

static void view_sphere(view *v, uint32_t row, const double position[3], double radius)
{
    const double x = v->scale * dot(v->right, position) + v->offset[0];
    const double y = v->offset[1] - v->scale * dot(v->up, position);
    const double z = dot(v->toward, position), r = v->scale * radius;
    const int x1 = clamp(x + r + 1.0, v->width - 1), y1 = clamp(y + r + 1.0, v->height - 1);
    for (int j = clamp(y - r, v->height - 1); j <= y1; ++j) {
        for (int i = clamp(x - r, v->width - 1); i <= x1; ++i) {
            const double dx = i + 0.5 - x, dy = j + 0.5 - y, rest = r * r - dx * dx - dy * dy;
            if (rest <= 0.0)
                continue;
            const float depth = (float)(z + sqrt(rest) / v->scale);
            const size_t pixel = (size_t)j * (size_t)v->width + (size_t)i;
            if (depth > v->depth[pixel]) {
                v->depth[pixel] = depth;
                v->row[pixel] = row;
            }
        }
    }
}

/* How much of the lamp reaches a point: the share of 3 x 3 pixels around it that are not nearer. */
static double lit(const view *lamp, const double point[3], double bias)
{
    const double x = lamp->scale * dot(lamp->right, point) + lamp->offset[0];
    const double y = lamp->offset[1] - lamp->scale * dot(lamp->up, point);
    const double z = dot(lamp->toward, point);
    int seen = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            const int px = clamp(x + 1.2 * i, lamp->width - 1);
            const int py = clamp(y + 1.2 * j, lamp->height - 1);
            const size_t pixel = (size_t)py * (size_t)lamp->width + (size_t)px;
            seen += z + bias >= (double)lamp->depth[pixel];
        }
    return seen / 9.0;
}

/* From slow to fast: deep blue, teal, green, yellow, orange. */
static void colour(double value, double rgb[3])
{
    static const double stops[6][3] = {{0.22, 0.30, 0.66}, {0.14, 0.50, 0.74}, {0.17, 0.66, 0.62},
                                       {0.55, 0.80, 0.38}, {0.96, 0.83, 0.30}, {0.93, 0.42, 0.20}};
    const double at = 5.0 * fmin(fmax(value, 0.0), 1.0);
    const int k = at >= 5.0 ? 4 : (int)at;
    for (int c = 0; c < 3; ++c)
        rgb[c] = stops[k][c] + (at - k) * (stops[k + 1][c] - stops[k][c]);
}

static void shade(const view *eye, const view *lamp, const demo_frame *f, const double *speed,
                  double fastest, int i, int j, double rgb[3])
{
    const size_t pixel = (size_t)j * (size_t)eye->width + (size_t)i;
    const uint32_t row = eye->row[pixel];
    if (row == UINT32_MAX) {
        const double fade = (double)j / eye->height;
        rgb[0] = 0.985 - 0.075 * fade;
        rgb[1] = 0.985 - 0.06 * fade;
        rgb[2] = 0.99 - 0.04 * fade;
        return;
    }
    const double *centre = f->position + 3 * (size_t)row;
    const double x = (i + 0.5 - eye->offset[0]) / eye->scale;
    const double y = (eye->offset[1] - (j + 0.5)) / eye->scale;
    double point[3], normal[3], half[3];
    for (int c = 0; c < 3; ++c) {
        point[c] = x * eye->right[c] + y * eye->up[c] + (double)eye->depth[pixel] * eye->toward[c];
        normal[c] = (point[c] - centre[c]) / f->radius[row];
        half[c] = eye->toward[c] + lamp->toward[c];
    }
    const double light = lit(lamp, point, 0.12 * f->radius[row]);
    const double lambert = fmax(0.0, dot(normal, lamp->toward)) * light;
    const double rim = dot(normal, eye->toward); /* dark at the edge sets grains apart */
    const double gloss = pow(fmax(0.0, dot(normal, half) / sqrt(dot(half, half))), 40.0) * light;
    const double strength = (0.42 + 0.16 * normal[2] + 0.58 * lambert) * (0.60 + 0.40 * rim);
    if (f->frozen[row] != 0)
        rgb[0] = rgb[1] = rgb[2] = 0.62;
    else
        colour(fastest > 0.0 ? speed[row] / fastest : 0.0, rgb);
    for (int c = 0; c < 3; ++c)
        rgb[c] = fmin(1.0, rgb[c] * strength + 0.22 * gloss);
}

/* ------------------------------------------------------------------ the colour bar */

static void text(unsigned char *rgb, int x, int y, int size, const char *words)
{
    static const char letters[] = "0123456789.-+espd";
    /* rows of three bits, from the top */
    static const unsigned char rows[][5] = {
        {7, 5, 5, 5, 7}, {2, 6, 2, 2, 7}, {7, 1, 7, 4, 7}, {7, 1, 7, 1, 7}, {5, 5, 7, 1, 1},
        {7, 4, 7, 1, 7}, {7, 4, 7, 5, 7}, {7, 1, 1, 2, 2}, {7, 5, 7, 5, 7}, {7, 5, 7, 1, 7},
        {0, 0, 0, 0, 2}, {0, 0, 7, 0, 0}, {0, 2, 7, 2, 0}, {7, 4, 6, 4, 7}, {7, 4, 7, 1, 7},
        {7, 5, 7, 4, 4}, {6, 5, 5, 5, 6}};
    for (; *words != '\0'; ++words, x += 4 * size) {
        const char *at = strchr(letters, *words);
        if (at == NULL)
            continue;
        for (int j = 0; j < 5 * size; ++j)
            for (int i = 0; i < 3 * size; ++i)
                if ((rows[at - letters][j / size] >> (2 - i / size) & 1) != 0 && x + i < WIDTH)
                    memset(rgb + 3 * ((size_t)(y + j) * WIDTH + (size_t)(x + i)), 60, 3);
    }
}

static void bar(unsigned char *rgb, double fastest)
{
    const int x0 = WIDTH - BAR + 30, y0 = HEIGHT / 4, y1 = 3 * HEIGHT / 4;
    for (int j = y0; j < y1; ++j) {
        double shown[3];
        colour((double)(y1 - 1 - j) / (y1 - 1 - y0), shown);
        for (int i = x0; i < x0 + 22; ++i)
            for (int c = 0; c < 3; ++c)
                rgb[3 * ((size_t)j * WIDTH + (size_t)i) + (size_t)c] =
                    (unsigned char)(255.0 * shown[c]);
    }
    text(rgb, x0, y0 - 30, 3, "speed");
    for (int k = 0; k <= 4; ++k) {
        char label[32];
        snprintf(label, sizeof label, "%.3g", fastest * k / 4.0);
        text(rgb, x0 + 30, y1 - 7 - k * (y1 - y0) / 4, 3, label);
    }
}

/* ------------------------------------------------------------------ the whole */

static int upward(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Speeds, and the one that 99 % of the moving grains do not pass: it ends the scale. */
static double speeds(const demo_frame *f, double *speed, double *sorted)
{
    uint64_t moving = 0;
    for (uint64_t k = 0; k < f->count; ++k) {
        speed[k] = sqrt(dot(f->velocity + 3 * k, f->velocity + 3 * k));
        if (f->frozen[k] == 0)
            sorted[moving++] = speed[k];
    }
    if (moving == 0)
        return 0.0;
    qsort(sorted, (size_t)moving, sizeof *sorted, upward);
    return sorted[(moving - 1) * 99 / 100];
}

static void paint(const view *eye, const view *lamp, const demo_frame *f, const double *speed,
                  double fastest, unsigned char *rgb)
{
    for (int j = 0; j < HEIGHT; ++j) {
        for (int i = 0; i < WIDTH; ++i) {
            double sum[3] = {0.0, 0.0, 0.0};
            for (int s = 0; s < FINE * FINE; ++s) {
                double one[3];
                shade(eye, lamp, f, speed, fastest, FINE * i + s % FINE, FINE * j + s / FINE, one);
                for (int c = 0; c < 3; ++c)
                    sum[c] += one[c];
            }
            for (int c = 0; c < 3; ++c)
                rgb[3 * ((size_t)j * WIDTH + (size_t)i) + (size_t)c] =
                    (unsigned char)(255.0 * sum[c] / (FINE * FINE) + 0.5);
        }
    }
    if (fastest > 0.0)
        bar(rgb, fastest);
}

int picture_write(const char *folder, const char *name, const demo_frame *f)
{
    view eye = {0}, lamp = {0};
    double *speed = malloc((size_t)f->count * sizeof *speed);
    double *sorted = malloc((size_t)f->count * sizeof *sorted);
    unsigned char *rgb = malloc((size_t)3 * WIDTH * HEIGHT);
    int bad;
    view_aim(&eye, -62.0, 24.0);
    view_aim(&lamp, -82.0, 52.0);
    if (speed == NULL || sorted == NULL || rgb == NULL ||
        view_create(&eye, FINE * WIDTH, FINE * HEIGHT, FINE * BAR, f) != 0 ||
        view_create(&lamp, SHADOW, SHADOW, 0, f) != 0) {
        fprintf(stderr, "%s/%s: no memory for the picture\n", folder, name);
        bad = -1;
    } else {
        for (uint64_t k = 0; k < f->count; ++k) {
            view_sphere(&eye, (uint32_t)k, f->position + 3 * k, f->radius[k]);
            view_sphere(&lamp, (uint32_t)k, f->position + 3 * k, f->radius[k]);
        }
        const double fastest = speeds(f, speed, sorted);
        paint(&eye, &lamp, f, speed, fastest, rgb);
        bad = png_write(folder, name, WIDTH, HEIGHT, rgb);
    }
    view_destroy(&eye);
    view_destroy(&lamp);
    free(speed);
    free(sorted);
    free(rgb);
    return bad;
}
