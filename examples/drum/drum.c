/* SPDX-License-Identifier: MIT */
/* A drum that turns about a level axis: how steep the surface of the grains in it is, over the
 * Froude number w^2 R/g. Judged: what the drum exerts on the grains is the moment of their weight.
 *
 *     drum [--large] [--output FOLDER] */
#include "../scenes/scene.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 8, SPEEDS = 7 };

static const double froude[SPEEDS] = {0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4};

typedef struct drum {
    double radius, length; /* m */
    uint64_t wall;
    double volume[COLUMNS]; /* of grains in columns of the middle half, summed over samples */
    uint64_t samples;
    double moment;    /* of the weight about the axis, N m, now */
    double momentum;  /* about the axis, kg m2/s, now */
    double centre[2]; /* of mass, x and z, summed over samples */
} drum;

static int fill(scene *s, const drum *d)
{
    const double step = 1.12 * SCENE_DIAMETER, edge = 0.56 * SCENE_DIAMETER;
    const double one = SCENE_PI / 6.0 * SCENE_DIAMETER * SCENE_DIAMETER * SCENE_DIAMETER;
    const uint64_t wanted =
        (uint64_t)(0.4 * 0.58 * SCENE_PI * d->radius * d->radius * d->length / one);
    uint64_t count = 0;
    for (double z = edge - d->radius; z < d->radius && count < wanted; z += step)
        for (double y = edge - 0.5 * d->length; y <= 0.5 * d->length - edge; y += step)
            for (double x = edge - d->radius; x < d->radius && count < wanted; x += step) {
                const double p[3] = {x + 0.02 * step * scene_random(s), y, z};
                if (sqrt(p[0] * p[0] + z * z) > d->radius - edge)
                    continue;
                if (scene_grain(s, p, NULL) != 0)
                    return -1;
                ++count;
            }
    scene_show(s, "grains", (double)count, "1");
    return 0;
}

static int make(scene *s, drum *d)
{
    const double open[3] = {0.0, 0.0, 0.0};
    dem_wall wall;
    if (scene_world(s, s->large != 0 ? 6000.0 : 4400.0, open) != 0 ||
        scene_model(s, 0.6, 0.5, 0.05) != 0 || scene_check(s, dem_wall_init(&wall), "drum") != 0)
        return -1;
    wall.shape = DEM_SHAPE_CYLINDER;
    wall.side = DEM_SIDE_INSIDE;
    wall.normal[1] = 1.0;
    wall.normal[2] = 0.0;
    wall.size[0] = d->radius;
    wall.size[1] = d->length;
    return scene_check(s, dem_wall_add(s->world, &wall, &d->wall), "drum");
}

static double rotation_of(scene *s)
{
    dem_view view, radius;
    double sum = 0.0;
    memset(&view, 0, sizeof view);
    view.struct_size = sizeof view;
    radius = view;
    if (scene_check(s, dem_world_view(s->world, DEM_FIELD_ANGULAR_VELOCITY, &view), "view") != 0 ||
        scene_check(s, dem_world_view(s->world, DEM_FIELD_RADIUS, &radius), "view") != 0)
        return NAN;
    for (uint64_t k = 0; k < view.count; ++k) {
        const double *w = (const double *)(const void *)((const char *)view.data + k * view.stride);
        const double r =
            *(const double *)(const void *)((const char *)radius.data + k * radius.stride);
        sum += 0.4 * SCENE_DENSITY * 4.0 / 3.0 * SCENE_PI * r * r * r * r * r * w[1];
    }
    return sum;
}

/* Looks at all grains once. */
static int sample(scene *s, drum *d)
{
    scene_rows rows;
    double mass = 0.0, x = 0.0, z = 0.0;
    const int bad = scene_rows_read(s, &rows);
    d->momentum = rotation_of(s);
    for (uint64_t k = 0; bad == 0 && k < rows.count; ++k) {
        const double *p = rows.position + 3 * k, *v = rows.velocity + 3 * k;
        const double volume = 4.0 / 3.0 * SCENE_PI * pow(rows.radius[k], 3.0);
        const double m = SCENE_DENSITY * volume;
        const double column = (p[0] / d->radius + 0.5) * COLUMNS;
        mass += m;
        x += m * p[0];
        z += m * p[2];
        d->momentum += m * (p[2] * v[0] - p[0] * v[2]);
        if (column >= 0.0 && column < COLUMNS)
            d->volume[(int)column] += volume;
    }
    d->moment = SCENE_GRAVITY * x;
    d->centre[0] += x / mass;
    d->centre[1] += z / mass;
    ++d->samples;
    scene_rows_free(&rows);
    return bad;
}

/* The slope of the surface in the middle half, deg: the bottom of each column and what lies on it.
 * The packing fraction cancels, because the bottom is the same on both sides. */
static double surface_angle(const drum *d)
{
    double sum = 0.0, square = 0.0;
    for (int k = 0; k < COLUMNS; ++k) {
        const double x = ((k + 0.5) / COLUMNS - 0.5) * d->radius;
        const double height =
            d->volume[k] / (0.58 * (double)d->samples * d->length * d->radius / COLUMNS);
        sum += x * (height - sqrt(d->radius * d->radius - x * x));
        square += x * x;
    }
    return atan2(sum, square) * 180.0 / SCENE_PI;
}

/* Turns for a time and looks every `every` seconds. The balance is that of moments over it. */
static int watch(scene *s, drum *d, double seconds, double *balance)
{
    const int looks = (int)(seconds / (40.0 * s->dt)) + 1;
    dem_wall before, after;
    double weight = 0.0, first, last;
    memset(d->volume, 0, sizeof d->volume);
    d->samples = 0;
    d->centre[0] = d->centre[1] = 0.0;
    if (scene_check(s, dem_world_impulses_reset(s->world), "impulses") != 0 ||
        scene_wall(s, d->wall, &before) != 0 || sample(s, d) != 0)
        return -1;
    first = d->momentum;
    last = d->moment;
    for (int k = 0; k < looks; ++k) {
        const double t = dem_world_time(s->world);
        if (scene_run(s, seconds / looks, 0.3 + 0.7 * k / looks, 0.3 + 0.7 * (k + 1) / looks) !=
                0 ||
            sample(s, d) != 0)
            return -1;
        weight += 0.5 * (last + d->moment) * (dem_world_time(s->world) - t);
        last = d->moment;
    }
    if (scene_wall(s, d->wall, &after) != 0)
        return -1;
    *balance =
        (after.angular_impulse[1] - before.angular_impulse[1] + d->momentum - first) / weight;
    return 0;
}

static int picture(scene *s, const drum *d, const char *name)
{
    const double centre[3] = {0.0, 0.0, 0.0}, axis[3] = {0.0, 1.0, 0.0};
    const double ends[2][3] = {{0.0, -0.5 * d->length, 0.0}, {0.0, 0.5 * d->length, 0.0}};
    const double out[2][3] = {{0.0, -1.0, 0.0}, {0.0, 1.0, 0.0}};
    const double r = 1.02 * d->radius, h = 0.5 * d->length;
    static float rgb[3 * 20000];
    scene_surface surface = {0};
    scene_rows rows;
    scene_look look = {.azimuth = -72.0,
                       .elevation = 14.0,
                       .low = {-r, -h, -r},
                       .high = {r, h, r},
                       .width = 720,
                       .height = 720,
                       .rgb = rgb};
    int bad = scene_rows_read(s, &rows);
    if (bad == 0 && rows.count <= 20000) {
        const double fast = sqrt(0.7 * SCENE_GRAVITY * d->radius);
        for (uint64_t k = 0; k < rows.count; ++k) {
            const double *v = rows.velocity + 3 * k;
            look_colour(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / fast, rgb + 3 * k);
        }
        surface_cone(&surface, centre, axis, d->length, r, r);
        surface_ring(&surface, ends[0], out[0], 0.0, r, 1);
        surface_ring(&surface, ends[1], out[1], 0.0, r, 1);
        bad = scene_picture(s, name, &look, &rows, &surface);
    }
    surface_free(&surface);
    scene_rows_free(&rows);
    return bad;
}

static int turn(scene *s, drum *d, int k, FILE *table)
{
    char quantity[64];
    double balance;
    const double w = sqrt(froude[k] * SCENE_GRAVITY / d->radius);
    const double spin[3] = {0.0, -w, 0.0}, swing = sqrt(d->radius / SCENE_GRAVITY);
    const double seconds = fmax(1.5 / w, (s->large != 0 ? 30.0 : 20.0) * swing);
    snprintf(quantity, sizeof quantity, "Froude number %g", froude[k]);
    scene_progress(s, quantity, 0.0);
    if (scene_check(s, dem_wall_set_motion(s->world, d->wall, NULL, spin, NULL), "drum") != 0 ||
        scene_run(s, 0.4 * seconds, 0.0, 0.3) != 0 || watch(s, d, 0.6 * seconds, &balance) != 0)
        return -1;
    const double angle = surface_angle(d);
    const double centre = atan2(d->centre[0], -d->centre[1]) * 180.0 / SCENE_PI;
    snprintf(quantity, sizeof quantity, "angle_surface_Fr%g", froude[k]);
    scene_show(s, quantity, angle, "deg");
    snprintf(quantity, sizeof quantity, "angle_centre_Fr%g", froude[k]);
    scene_show(s, quantity, centre, "deg");
    snprintf(quantity, sizeof quantity, "moment_over_weight_Fr%g", froude[k]);
    scene_judge(s, quantity, balance, 1.0, 1e-4);
    if (table == NULL)
        return 0;
    fprintf(table, "%g,%.4g,%.4g,%.6g\n", froude[k], angle, centre, balance);
    snprintf(quantity, sizeof quantity, "drum_%d", k);
    return picture(s, d, quantity);
}

int main(int argc, char **argv)
{
    scene s;
    drum d;
    demo_file file = {0};
    memset(&d, 0, sizeof d);
    if (scene_start(&s, "drum", argc, argv) != 0)
        return 1;
    d.radius = (s.large != 0 ? 16.0 : 12.0) * SCENE_DIAMETER;
    d.length = (s.large != 0 ? 6.0 : 5.0) * SCENE_DIAMETER;
    if (s.output != NULL && demo_file_open(&file, s.output, "drum.csv") != 0)
        return 1;
    int bad = make(&s, &d) != 0 || fill(&s, &d) != 0 || scene_rest(&s, 1.0) != 0;
    if (file.stream != NULL)
        fputs("# Froude number, angle of the surface (deg), angle of the centre of mass (deg), "
              "moment over that of the weight\n",
              file.stream);
    for (int k = 0; k < SPEEDS && !bad; k += s.large != 0 ? 1 : 2)
        bad = turn(&s, &d, k, file.stream) != 0;
    if (file.stream != NULL && demo_file_close(&file) != 0)
        bad = 1;
    if (bad)
        s.failed = 1;
    return scene_end(&s);
}
