/* SPDX-License-Identifier: MIT */
/* A picture of grains and walls: parallel projection with shade, shadow, and dark gaps. Walls that
 * face the eye are panes of glass. Drawn at twice the size, then averaged. */
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINE = 2, SHADOW = 1800, NOTHING = -1 };

/* A parallel view: what is nearest at each pixel. */
typedef struct view {
    double right[3], up[3], toward[3]; /* unit vectors; toward the eye */
    int width, height;
    double scale, offset[2]; /* pixel = scale (p.right) + offset[0], likewise up, downwards */
    float *depth;            /* of the nearest point, along toward */
    int32_t *item;           /* row, or rows + triangle; NOTHING */
    unsigned char *panes;    /* panes of glass before it; NULL for the lamp */
} view;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void view_aim(view *v, double azimuth, double elevation)
{
    const double a = azimuth * SCENE_PI / 180.0, e = elevation * SCENE_PI / 180.0;
    const double toward[3] = {cos(e) * cos(a), cos(e) * sin(a), sin(e)};
    const double right[3] = {-sin(a), cos(a), 0.0};
    const double up[3] = {-sin(e) * cos(a), -sin(e) * sin(a), cos(e)};
    memcpy(v->toward, toward, sizeof toward);
    memcpy(v->right, right, sizeof right);
    memcpy(v->up, up, sizeof up);
}

static int view_create(view *v, int width, int height, const scene_look *look)
{
    const size_t pixels = (size_t)width * (size_t)height;
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (int k = 0; k < 8; ++k) {
        double p[3];
        for (int c = 0; c < 3; ++c)
            p[c] = (k >> c & 1) != 0 ? look->high[c] : look->low[c];
        const double at[2] = {dot(v->right, p), dot(v->up, p)};
        for (int c = 0; c < 2; ++c) {
            low[c] = fmin(low[c], at[c]);
            high[c] = fmax(high[c], at[c]);
        }
    }
    v->width = width;
    v->height = height;
    v->scale = fmin(0.97 * width / (high[0] - low[0]), 0.97 * height / (high[1] - low[1]));
    v->offset[0] = 0.5 * width - v->scale * 0.5 * (low[0] + high[0]);
    v->offset[1] = 0.5 * height + v->scale * 0.5 * (low[1] + high[1]);
    v->depth = malloc(pixels * sizeof *v->depth);
    v->item = malloc(pixels * sizeof *v->item);
    if (v->depth == NULL || v->item == NULL)
        return -1;
    for (size_t k = 0; k < pixels; ++k) {
        v->depth[k] = -HUGE_VALF;
        v->item[k] = NOTHING;
    }
    return 0;
}

static void view_destroy(view *v)
{
    free(v->depth);
    free(v->item);
    free(v->panes);
}

static int clamp(double value, int most)
{
    return value < 0.0 ? 0 : value > most ? most : (int)value;
}

static void view_point(const view *v, const double p[3], double at[3])
{
    at[0] = v->scale * dot(v->right, p) + v->offset[0];
    at[1] = v->offset[1] - v->scale * dot(v->up, p);
    at[2] = dot(v->toward, p);
}

static void view_sphere(view *v, int32_t item, const double position[3], double radius)
{
    double at[3];
    view_point(v, position, at);
    const double r = v->scale * radius;
    if (at[0] + r < 0.0 || at[1] + r < 0.0 || at[0] - r > v->width || at[1] - r > v->height)
        return;
    const int x1 = clamp(at[0] + r + 1.0, v->width - 1), y1 = clamp(at[1] + r + 1.0, v->height - 1);
    for (int j = clamp(at[1] - r, v->height - 1); j <= y1; ++j)
        for (int i = clamp(at[0] - r, v->width - 1); i <= x1; ++i) {
            const double a = i + 0.5 - at[0], b = j + 0.5 - at[1], h2 = r * r - a * a - b * b;
            const size_t pixel = (size_t)j * (size_t)v->width + (size_t)i;
            if (h2 < 0.0)
                continue;
            const float depth = (float)(at[2] + sqrt(h2) / v->scale);
            if (depth > v->depth[pixel]) {
                v->depth[pixel] = depth;
                v->item[pixel] = item;
            }
        }
}

/* Calls for the pixels of a triangle: opaque ones by depth; panes count where they are nearer. */
static void view_triangle(view *v, int32_t item, const scene_triangle *t, int pane)
{
    double p[3][3];
    for (int k = 0; k < 3; ++k)
        view_point(v, t->corner[k], p[k]);
    const double area =
        (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
    if (fabs(area) < 1e-9)
        return;
    const double x0 = fmin(p[0][0], fmin(p[1][0], p[2][0])),
                 x1 = fmax(p[0][0], fmax(p[1][0], p[2][0])),
                 y0 = fmin(p[0][1], fmin(p[1][1], p[2][1])),
                 y1 = fmax(p[0][1], fmax(p[1][1], p[2][1]));
    if (x1 < 0.0 || y1 < 0.0 || x0 > v->width || y0 > v->height)
        return;
    for (int j = clamp(y0, v->height - 1); j <= clamp(y1, v->height - 1); ++j)
        for (int i = clamp(x0, v->width - 1); i <= clamp(x1, v->width - 1); ++i) {
            const double x = i + 0.5, y = j + 0.5;
            const double b =
                ((x - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (y - p[0][1])) / area;
            const double c =
                ((p[1][0] - p[0][0]) * (y - p[0][1]) - (x - p[0][0]) * (p[1][1] - p[0][1])) / area;
            const size_t pixel = (size_t)j * (size_t)v->width + (size_t)i;
            if (b < 0.0 || c < 0.0 || b + c > 1.0)
                continue;
            const float depth = (float)((1.0 - b - c) * p[0][2] + b * p[1][2] + c * p[2][2]);
            if (pane == 0 && depth > v->depth[pixel]) {
                v->depth[pixel] = depth;
                v->item[pixel] = item;
            } else if (pane != 0 && depth > v->depth[pixel] && v->panes[pixel] < 8) {
                ++v->panes[pixel];
            }
        }
}

static void draw(view *v, const scene_rows *rows, const scene_surface *surface)
{
    const int32_t first = (int32_t)rows->count;
    for (uint64_t k = 0; k < rows->count; ++k)
        view_sphere(v, (int32_t)k, rows->position + 3 * k, rows->radius[k]);
    for (int pane = 0; pane < 2; ++pane)
        for (uint64_t k = 0; k < surface->count; ++k) {
            const scene_triangle *t = &surface->triangle[k];
            const int faces = t->glass != 0 && dot(t->normal, v->toward) > 0.0;
            if (v->panes == NULL ? t->glass == 0 && pane == 0 : faces == pane)
                view_triangle(v, first + (int32_t)k, t, pane);
        }
}

/* ------------------------------------------------------------------ light */

/* How much of the lamp reaches a point: the share of pixels around it that are not nearer. */
static double lit(const view *lamp, const double point[3], double bias)
{
    double at[3];
    int seen = 0;
    view_point(lamp, point, at);
    for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i) {
            const int px = clamp(at[0] + 1.3 * i, lamp->width - 1);
            const int py = clamp(at[1] + 1.3 * j, lamp->height - 1);
            const size_t pixel = (size_t)py * (size_t)lamp->width + (size_t)px;
            seen += at[2] + bias >= (double)lamp->depth[pixel];
        }
    return seen / 25.0;
}

/* How open a pixel is to the sky: neighbours that are nearer than it by less than `reach` hide
 * some of it. */
static double open_share(const view *eye, int i, int j, double reach)
{
    static const double offsets[12][2] = {{1, 0},    {-1, 0},    {0, 1},      {0, -1},
                                          {.7, .7},  {-.7, .7},  {.7, -.7},   {-.7, -.7},
                                          {.4, .15}, {-.15, .4}, {-.4, -.15}, {.15, -.4}};
    const double here = (double)eye->depth[(size_t)j * (size_t)eye->width + (size_t)i];
    const double radius = 0.9 * reach * eye->scale;
    double hidden = 0.0;
    for (int k = 0; k < 12; ++k) {
        const int x = clamp(i + radius * offsets[k][0], eye->width - 1);
        const int y = clamp(j + radius * offsets[k][1], eye->height - 1);
        const double nearer =
            ((double)eye->depth[(size_t)y * (size_t)eye->width + (size_t)x] - here) / reach;
        if (nearer > 0.0)
            hidden += nearer < 1.0 ? nearer : fmax(0.0, 2.0 - nearer);
    }
    return 1.0 - 0.75 * hidden / 12.0;
}

void look_colour(double value, float rgb[3])
{
    static const double stops[6][3] = {{0.20, 0.30, 0.62}, {0.16, 0.52, 0.74}, {0.22, 0.67, 0.62},
                                       {0.60, 0.80, 0.42}, {0.97, 0.80, 0.32}, {0.91, 0.42, 0.22}};
    const double at = 5.0 * fmin(fmax(value, 0.0), 1.0);
    const int k = at >= 5.0 ? 4 : (int)at;
    for (int c = 0; c < 3; ++c)
        rgb[c] = (float)(stops[k][c] + (at - k) * (stops[k + 1][c] - stops[k][c]));
}

static void shade(const view *eye, const view *lamp, const scene_look *look, const scene_rows *rows,
                  const scene_surface *surface, int i, int j, double rgb[3])
{
    static const double grey[3] = {0.90, 0.92, 0.94}, glass[3] = {0.66, 0.77, 0.88};
    const size_t pixel = (size_t)j * (size_t)eye->width + (size_t)i;
    const int32_t item = eye->item[pixel];
    rgb[0] = rgb[1] = rgb[2] = 1.0;
    if (item != NOTHING) {
        const int sphere = item < (int32_t)rows->count;
        const scene_triangle *t = sphere ? NULL : &surface->triangle[item - (int32_t)rows->count];
        const int coloured = sphere || t->coloured != 0;
        const double x = (i + 0.5 - eye->offset[0]) / eye->scale;
        const double y = (eye->offset[1] - (j + 0.5)) / eye->scale;
        double point[3], normal[3], half[3];
        for (int c = 0; c < 3; ++c) {
            point[c] =
                x * eye->right[c] + y * eye->up[c] + (double)eye->depth[pixel] * eye->toward[c];
            normal[c] = sphere ? (point[c] - rows->position[3 * item + c]) / rows->radius[item]
                               : t->normal[c];
            half[c] = eye->toward[c] + lamp->toward[c];
        }
        if (dot(normal, eye->toward) < 0.0) /* the back of a wall */
            for (int c = 0; c < 3; ++c)
                normal[c] = -normal[c];
        const double light = lit(lamp, point, 0.08 * SCENE_DIAMETER);
        const double lambert = fmax(0.0, dot(normal, lamp->toward)) * light;
        const double sky = open_share(eye, i, j, SCENE_DIAMETER);
        const double gloss =
            sphere ? pow(fmax(0.0, dot(normal, half) / sqrt(dot(half, half))), 50.0) * light : 0.0;
        const double strength = (0.50 + 0.12 * normal[2]) * sky + 0.55 * lambert;
        for (int c = 0; c < 3; ++c) {
            const double own = sphere     ? (double)look->rgb[3 * item + c]
                               : coloured ? (double)t->rgb[c]
                                          : grey[c];
            rgb[c] = fmin(1.0, own * strength * (coloured ? 1.0 : 1.12) + 0.22 * gloss);
        }
    }
    for (int k = 0; k < eye->panes[pixel]; ++k)
        for (int c = 0; c < 3; ++c)
            rgb[c] = 0.86 * rgb[c] + 0.14 * glass[c];
}

/* ------------------------------------------------------------------ the whole */

static void paint(const view *eye, const view *lamp, const scene_look *look, const scene_rows *rows,
                  const scene_surface *surface, unsigned char *rgb)
{
    for (int j = 0; j < look->height; ++j)
        for (int i = 0; i < look->width; ++i) {
            double sum[3] = {0.0, 0.0, 0.0};
            for (int k = 0; k < FINE * FINE; ++k) {
                double one[3];
                shade(eye, lamp, look, rows, surface, FINE * i + k % FINE, FINE * j + k / FINE,
                      one);
                for (int c = 0; c < 3; ++c)
                    sum[c] += one[c];
            }
            for (int c = 0; c < 3; ++c)
                rgb[3 * ((size_t)j * (size_t)look->width + (size_t)i) + (size_t)c] =
                    (unsigned char)(255.0 * sum[c] / (FINE * FINE) + 0.5);
        }
}

int look_write(const char *folder, const char *name, const scene_look *look, const scene_rows *rows,
               const scene_surface *surface)
{
    view eye = {0}, lamp = {0};
    const size_t pixels = (size_t)look->width * (size_t)look->height;
    unsigned char *rgb = malloc(3 * pixels);
    int bad = -1;
    view_aim(&eye, look->azimuth, look->elevation);
    view_aim(&lamp, look->azimuth - 32.0, 55.0);
    eye.panes = calloc(FINE * FINE * pixels, 1);
    if (rgb == NULL || eye.panes == NULL || surface->failed != 0 ||
        view_create(&eye, FINE * look->width, FINE * look->height, look) != 0 ||
        view_create(&lamp, SHADOW, SHADOW, look) != 0) {
        fprintf(stderr, "%s/%s: no memory for the picture\n", folder, name);
    } else {
        draw(&eye, rows, surface);
        draw(&lamp, rows, surface);
        paint(&eye, &lamp, look, rows, surface, rgb);
        bad = png_write(folder, name, look->width, look->height, rgb);
    }
    view_destroy(&eye);
    view_destroy(&lamp);
    free(rgb);
    return bad;
}

int scene_picture(scene *s, const char *name, const scene_look *look, const scene_rows *rows,
                  const scene_surface *surface)
{
    char file[128];
    const demo_frame frame = {.count = rows->count,
                              .id = rows->id,
                              .position = rows->position,
                              .velocity = rows->velocity,
                              .force = rows->force,
                              .radius = rows->radius};
    snprintf(file, sizeof file, "%s_grains.vtp", name);
    int bad = vtp_write(s->output, file, &frame);
    snprintf(file, sizeof file, "%s_walls.vtp", name);
    bad = bad != 0 || surface_write(s->output, file, surface) != 0;
    snprintf(file, sizeof file, "%s.png", name);
    bad = bad || look_write(s->output, file, look, rows, surface) != 0;
    if (bad)
        s->failed = 1;
    return bad ? -1 : 0;
}
