/* SPDX-License-Identifier: MIT */
/* A hopper: a bin above a cone, which grains leave through openings of several widths D. Judged:
 * the walls bear the weight while the opening is shut, and the mass flow rate grows with the power
 * 5/2 of D - 1.5 d (Beverloo, Leniger, van de Velde 1961).
 *
 *     hopper [--large] [--output FOLDER] */
#include "../scenes/scene.h"

#include <math.h>
#include <string.h>

enum { WIDTHS = 6, IDS = 65536, PLUG = 2, WALLS = 3 };

static const double widths[WIDTHS] = {4.5, 5.5, 6.5, 8.0, 9.5, 11.0}; /* in diameters */

typedef struct hopper {
    double radius, opening, cone; /* m: of the bin, of the opening; height of the cone */
    uint64_t grains;
    uint64_t wall[WALLS]; /* bin, cone, plug */
    double top;           /* of the bin, m */
    double first[IDS];    /* height of each grain before the opening is free, by id, m */
    double gone;          /* mass of grains that were removed below the opening, kg */
} hopper;

/* ------------------------------------------------------------------ the hopper */

static int walls(scene *s, hopper *h)
{
    dem_wall wall;
    if (scene_check(s, dem_wall_init(&wall), "bin") != 0)
        return -1;
    wall.shape = DEM_SHAPE_CYLINDER;
    wall.side = DEM_SIDE_BOTH;
    wall.open = DEM_OPEN_LOW | DEM_OPEN_HIGH;
    wall.point[2] = 0.5 * (h->cone + h->top);
    wall.size[0] = h->radius;
    wall.size[1] = h->top - h->cone;
    if (scene_check(s, dem_wall_add(s->world, &wall, &h->wall[0]), "bin") != 0)
        return -1;
    wall.shape = DEM_SHAPE_CONE;
    wall.point[2] = 0.5 * h->cone;
    wall.size[0] = 0.5 * h->opening;
    wall.size[1] = h->cone;
    wall.size[2] = h->radius;
    if (scene_check(s, dem_wall_add(s->world, &wall, &h->wall[1]), "cone") != 0)
        return -1;
    wall.shape = DEM_SHAPE_DISC;
    wall.open = 0;
    wall.point[2] = 0.0;
    wall.size[0] = 0.5 * h->opening;
    wall.size[1] = wall.size[2] = 0.0;
    return scene_check(s, dem_wall_add(s->world, &wall, &h->wall[PLUG]), "plug");
}

static int fill(scene *s, const hopper *h)
{
    const double step = 1.12 * SCENE_DIAMETER, edge = 0.6 * SCENE_DIAMETER;
    uint64_t count = 0;
    for (double z = edge; z < h->top && count < h->grains; z += step) {
        const double inner = fmin(h->radius, 0.5 * h->opening + z) - 1.5 * edge;
        for (double y = -step * floor(inner / step); y <= inner; y += step)
            for (double x = -step * floor(inner / step); x <= inner && count < h->grains;
                 x += step) {
                const double p[3] = {x + 0.02 * step * scene_random(s),
                                     y + 0.02 * step * scene_random(s), z};
                if (x * x + y * y > inner * inner)
                    continue;
                if (scene_grain(s, p, NULL) != 0)
                    return -1;
                ++count;
            }
    }
    return 0;
}

static double volume(double radius)
{
    return 4.0 / 3.0 * SCENE_PI * radius * radius * radius;
}

/* Notes where grains are, and sums mass and vertical momentum. */
static int look(scene *s, hopper *h, double *mass, double *momentum)
{
    scene_rows rows;
    const int bad = scene_rows_read(s, &rows);
    *mass = *momentum = 0.0;
    for (uint64_t k = 0; bad == 0 && k < rows.count; ++k) {
        const double m = SCENE_DENSITY * volume(rows.radius[k]);
        *mass += m;
        *momentum += m * rows.velocity[3 * k + 2];
        if (rows.id[k] < IDS)
            h->first[rows.id[k]] = rows.position[3 * k + 2];
    }
    scene_rows_free(&rows);
    return bad;
}

/* Compares the impulses of the walls, and what the grains gained, with their weight times time. */
static int weigh(scene *s, hopper *h)
{
    double mass, before, after, borne = 0.0;
    const double start = dem_world_time(s->world);
    if (scene_check(s, dem_world_impulses_reset(s->world), "impulses") != 0 ||
        look(s, h, &mass, &before) != 0 || scene_run(s, 500.0 * s->dt, 1.0, 1.0) != 0 ||
        look(s, h, &mass, &after) != 0)
        return -1;
    for (int k = 0; k < WALLS; ++k) {
        dem_wall wall;
        if (scene_wall(s, h->wall[k], &wall) != 0)
            return -1;
        borne -= wall.impulse[2];
    }
    const double weight = mass * SCENE_GRAVITY * (dem_world_time(s->world) - start);
    scene_judge(s, "borne_over_weight", (borne - (after - before)) / weight, 1.0, 1e-3);
    return 0;
}

static int make(scene *s, hopper *h, double width)
{
    const double open[3] = {0.0, 0.0, 0.0};
    h->opening = width * SCENE_DIAMETER;
    h->cone = h->radius - 0.5 * h->opening; /* 45 degrees */
    h->top = 6.0 * h->radius;
    h->gone = 0.0;
    s->random = 1;
    if (scene_world(s, s->large != 0 ? 5000.0 : 4000.0, open) != 0 ||
        scene_model(s, 0.6, 0.5, 0.05) != 0 || walls(s, h) != 0 || fill(s, h) != 0 ||
        scene_rest(s, 0.5) != 0 || weigh(s, h) != 0)
        return -1;
    return scene_check(s, dem_wall_remove(s->world, h->wall[PLUG]), "plug");
}

/* ------------------------------------------------------------------ the flow */

/* The mass that passed the opening, kg; removes what is far below. */
static double passed(scene *s, hopper *h)
{
    scene_rows rows;
    double below = 0.0;
    uint64_t far[256];
    int many = 0;
    if (scene_rows_read(s, &rows) != 0) {
        scene_rows_free(&rows);
        return -1.0;
    }
    for (uint64_t k = 0; k < rows.count; ++k) {
        const double z = rows.position[3 * k + 2], mass = SCENE_DENSITY * volume(rows.radius[k]);
        if (rows.id[k] == 0 || z >= 0.0)
            continue;
        if (z < -10.0 * SCENE_DIAMETER && many < 256) {
            far[many++] = rows.id[k];
            h->gone += mass;
        } else {
            below += mass;
        }
    }
    scene_rows_free(&rows);
    for (int k = 0; k < many; ++k) {
        dem_particle_handle handle;
        if (scene_check(s, dem_particle_find(s->world, far[k], &handle), "grain") != 0 ||
            scene_check(s, dem_particle_remove(s->world, handle), "grain") != 0)
            return -1.0;
    }
    return h->gone + below;
}

static int picture(scene *s, const hopper *h)
{
    static float rgb[3 * IDS];
    const double axis[3] = {0.0, 0.0, 1.0}, top = 3.4 * h->radius;
    const double bin[3] = {0.0, 0.0, 0.5 * (h->cone + top)}, cone[3] = {0.0, 0.0, 0.5 * h->cone};
    const double r = h->radius;
    scene_surface surface = {0};
    scene_rows rows;
    scene_look look = {.azimuth = -60.0,
                       .elevation = 10.0,
                       .low = {-r, -r, -9.0 * SCENE_DIAMETER},
                       .high = {r, r, top},
                       .width = 520,
                       .height = 800,
                       .rgb = rgb};
    int bad = scene_rows_read(s, &rows);
    if (bad == 0 && rows.count <= IDS) {
        for (uint64_t k = 0; k < rows.count; ++k) {
            const double z = rows.id[k] < IDS ? h->first[rows.id[k]] : 0.0;
            const int band = (int)(z / (0.4 * h->radius));
            look_colour(0.12 + 0.19 * (band % 5), rgb + 3 * k);
        }
        surface_cone(&surface, bin, axis, top - h->cone, r, r);
        surface_cone(&surface, cone, axis, h->cone, 0.5 * h->opening, r);
        bad = scene_picture(s, "hopper", &look, &rows, &surface);
    }
    surface_free(&surface);
    scene_rows_free(&rows);
    return bad;
}

/* The mass flow rate, kg/s, between a tenth and four tenths of all grains. */
static int flow(scene *s, hopper *h, int picture_wanted, double *rate)
{
    const double all = (double)h->grains * scene_mass(s);
    double begin = -1.0, start = 0.0, mass = 0.0;
    while (mass < 0.4 * all) {
        if (scene_run(s, 50.0 * s->dt, mass / (0.4 * all), mass / (0.4 * all)) != 0)
            return -1;
        if (picture_wanted != 0 && mass >= 0.25 * all) { /* before rows are removed */
            picture_wanted = 0;
            if (picture(s, h) != 0)
                return -1;
        }
        mass = passed(s, h);
        if (mass < 0.0)
            return -1;
        if (begin < 0.0 && mass > 0.1 * all) {
            begin = dem_world_time(s->world);
            start = mass;
        }
        if (dem_world_time(s->world) > 60.0) {
            fprintf(stderr, "%s: the opening is clogged\n", s->name);
            return -1;
        }
    }
    *rate = (mass - start) / (dem_world_time(s->world) - begin);
    return 0;
}

/* The straight line through points: intercept and slope. */
static void line(int count, const double *x, const double *y, double *intercept, double *slope)
{
    double sx = 0.0, sy = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < count; ++k) {
        sx += x[k] / count;
        sy += y[k] / count;
    }
    for (int k = 0; k < count; ++k) {
        xx += (x[k] - sx) * (x[k] - sx);
        xy += (x[k] - sx) * (y[k] - sy);
    }
    *slope = xy / xx;
    *intercept = sy - *slope * sx;
}

static void judge(scene *s, int count, const double *rates)
{
    double x[WIDTHS], y[WIDTHS], linear[WIDTHS], intercept, slope;
    const double bulk = 0.6 * SCENE_DENSITY;
    for (int k = 0; k < count; ++k) {
        x[k] = log((widths[k] - 1.5) * SCENE_DIAMETER);
        y[k] = log(rates[k] / (bulk * sqrt(SCENE_GRAVITY)));
        linear[k] = pow(rates[k], 0.4);
    }
    line(count, x, y, &intercept, &slope);
    scene_judge(s, "exponent", slope, 2.5, 0.25);
    double sum = 0.0;
    for (int k = 0; k < count; ++k)
        sum += (y[k] - 2.5 * x[k]) / count;
    scene_show(s, "C", exp(sum), "1");
    line(count, widths, linear, &intercept, &slope);
    scene_show(s, "k", -intercept / slope, "1");
}

int main(int argc, char **argv)
{
    static hopper h;
    static double rates[WIDTHS];
    scene s;
    demo_file file = {0};
    if (scene_start(&s, "hopper", argc, argv) != 0)
        return 1;
    const int count = s.large != 0 ? 5 : 4;
    h.radius = (s.large != 0 ? 10.0 : 8.0) * SCENE_DIAMETER;
    h.grains = s.large != 0 ? 5000 : 2400;
    int bad = s.output != NULL && demo_file_open(&file, s.output, "hopper.csv") != 0;
    if (file.stream != NULL)
        fputs("# width of the opening (diameters), mass flow rate (kg/s)\n", file.stream);
    for (int k = 0; k < count && !bad; ++k) {
        char quantity[64];
        snprintf(quantity, sizeof quantity, "opening %g d", widths[k]);
        scene_progress(&s, quantity, 0.0);
        bad = make(&s, &h, widths[k]) != 0 ||
              flow(&s, &h, s.output != NULL && k == 3, &rates[k]) != 0;
        if (bad)
            break;
        snprintf(quantity, sizeof quantity, "rate_D%g", widths[k]);
        scene_show(&s, quantity, rates[k], "kg/s");
        if (file.stream != NULL)
            fprintf(file.stream, "%g,%.6g\n", widths[k], rates[k]);
    }
    if (file.stream != NULL && demo_file_close(&file) != 0)
        bad = 1;
    if (bad)
        s.failed = 1;
    else
        judge(&s, count, rates);
    return scene_end(&s);
}
