/* SPDX-License-Identifier: MIT */
/* Heaps of rods: clumps of one volume and several aspect ratios are poured onto a round plate with
 * a low rim until it holds no more. Shown: how steep the heap is. Judged: plate and rim bear the
 * weight of what lies on them.
 *
 *     pour [--large] [--output FOLDER] */
#include "../scenes/scene.h"

#include <math.h>
#include <string.h>

enum { KINDS = 4, PARTS = 5, IDS = 65536, BODIES = 8192, RINGS = 24, SECTORS = 16 };

/* Spheres a radius apart: one alone, doublets, and longer rods. */
static const int part_counts[KINDS] = {1, 2, 3, 5};

typedef struct pour {
    double radius; /* of the plate, m */
    uint64_t bodies;
    uint64_t plate, rim;
    int part_count;
    dem_body_part part[PARTS];
    dem_body body;     /* as measured: mass, moments */
    double length;     /* of a rod, m */
    double shade[IDS]; /* by id of a part: when its body came, 0 to 1 */
    double mass_on;    /* of bodies on the plate, kg */
} pour;

/* ------------------------------------------------------------------ one rod */

static int measure(scene *s, pour *p, double radius)
{
    dem_error error;
    if (scene_check(s, dem_body_init(&p->body), "rod") != 0)
        return -1;
    for (int k = 0; k < p->part_count; ++k) {
        if (scene_check(s, dem_body_part_init(&p->part[k]), "rod") != 0)
            return -1;
        p->part[k].radius = radius;
        p->part[k].centre[2] = (k - 0.5 * (p->part_count - 1)) * radius;
    }
    if (dem_clump_measure(SCENE_DENSITY, (uint64_t)p->part_count, p->part, &p->body, NULL,
                          &error) == DEM_OK)
        return 0;
    fprintf(stderr, "%s: rod: %s\n", s->name, error.message);
    return -1;
}

/* All rods have the mass of a sphere of the mean size. */
static int rod(scene *s, pour *p, int part_count)
{
    const double radius = 0.5 * SCENE_DIAMETER;
    p->part_count = part_count;
    if (measure(s, p, radius) != 0)
        return -1;
    const double scaled = radius * cbrt(scene_mass(s) / p->body.mass);
    p->length = (part_count + 1) * scaled;
    return measure(s, p, scaled);
}

static int drop(scene *s, pour *p, const double position[3], double shade)
{
    dem_body body = p->body;
    dem_body_handle handle;
    double length = 0.0;
    while (!(length > 0.05 && length < 1.0)) { /* any orientation is as likely */
        length = 0.0;
        for (int c = 0; c < 4; ++c) {
            body.orientation[c] = 2.0 * scene_random(s) - 1.0;
            length += body.orientation[c] * body.orientation[c];
        }
    }
    for (int c = 0; c < 4; ++c)
        body.orientation[c] /= sqrt(length);
    memcpy(body.position, position, sizeof body.position);
    body.velocity[2] = -2.0 * sqrt(SCENE_GRAVITY * SCENE_DIAMETER);
    if (scene_check(s, dem_body_add(s->world, &body, (uint64_t)p->part_count, p->part, &handle),
                    "rod") != 0)
        return -1;
    for (int k = 0; k < p->part_count; ++k) {
        dem_particle_handle row;
        dem_particle part;
        part.struct_size = sizeof part;
        if (scene_check(s, dem_body_part_find(s->world, handle, (uint64_t)k, &row), "rod") != 0 ||
            scene_check(s, dem_particle_get(s->world, row, &part), "rod") != 0)
            return -1;
        if (part.id < IDS)
            p->shade[part.id] = shade;
    }
    return 0;
}

/* ------------------------------------------------------------------ the heap */

static int walls(scene *s, pour *p)
{
    dem_wall wall;
    if (scene_check(s, dem_wall_init(&wall), "plate") != 0)
        return -1;
    wall.shape = DEM_SHAPE_DISC;
    wall.side = DEM_SIDE_BOTH;
    wall.size[0] = p->radius;
    if (scene_check(s, dem_wall_add(s->world, &wall, &p->plate), "plate") != 0)
        return -1;
    wall.shape = DEM_SHAPE_CYLINDER;
    wall.open = DEM_OPEN_LOW | DEM_OPEN_HIGH;
    wall.size[1] = 0.7 * SCENE_DIAMETER;
    wall.point[2] = 0.5 * wall.size[1];
    return scene_check(s, dem_wall_add(s->world, &wall, &p->rim), "rim");
}

/* Removes bodies below the plate, and sums the others. */
static int clear(scene *s, pour *p, double below)
{
    static dem_body_handle handle[BODIES];
    static double position[3 * BODIES];
    dem_body_arrays arrays;
    uint64_t cursor = 0, count = 0, left = 0;
    if (scene_check(s, dem_body_arrays_init(&arrays), "bodies") != 0)
        return -1;
    arrays.capacity = BODIES;
    arrays.handle = handle;
    arrays.position = position;
    if (scene_check(s, dem_world_bodies_read(s->world, &cursor, &arrays, &count), "bodies") != 0)
        return -1;
    for (uint64_t k = 0; k < count; ++k) {
        if (position[3 * k + 2] >= below)
            ++left;
        else if (scene_check(s, dem_body_remove(s->world, handle[k]), "rod") != 0)
            return -1;
    }
    p->mass_on = (double)left * p->body.mass;
    return 0;
}

/* Layers of 2 x 2 rods fall one after the other, until all have come. */
static int fall(scene *s, pour *p)
{
    const double cell = 1.05 * p->length + 0.5 * SCENE_DIAMETER; /* they may be off their place */
    const double unit = sqrt(SCENE_DIAMETER / SCENE_GRAVITY);
    const double high = 0.5 * p->radius + 4.0 * SCENE_DIAMETER;
    const double between = 1.4 * unit; /* a layer is far enough below by then */
    for (uint64_t k = 0; k < p->bodies; ++k) {
        const double share = (double)k / (double)p->bodies;
        double at[3] = {((double)(k % 2) - 0.5) * cell, ((double)(k / 2 % 2) - 0.5) * cell, high};
        for (int c = 0; c < 2; ++c)
            at[c] += (scene_random(s) - 0.5) * 0.5 * SCENE_DIAMETER;
        if (drop(s, p, at, share) != 0)
            return -1;
        if (k % 4 == 3 &&
            (scene_run(s, between, share, share) != 0 || clear(s, p, -4.0 * SCENE_DIAMETER) != 0))
            return -1;
    }
    for (int k = 0; k < 3; ++k)
        if (scene_run(s, 5.0 * unit, 1.0, 1.0) != 0 || clear(s, p, -0.5 * SCENE_DIAMETER) != 0)
            return -1;
    return scene_rest(s, 25.0 * unit) != 0 ? -1 : clear(s, p, -0.5 * SCENE_DIAMETER);
}

/* The angle of repose, deg: the slope of the highest points of rings and sectors between 0.35 and
 * 0.95 of the radius. */
static double angle_of_repose(const pour *p, const scene_rows *rows)
{
    double top[RINGS][SECTORS], n = 0.0, sr = 0.0, sz = 0.0, rr = 0.0, rz = 0.0;
    memset(top, 0, sizeof top);
    for (uint64_t k = 0; k < rows->count; ++k) {
        const double *at = rows->position + 3 * k, r = hypot(at[0], at[1]);
        const int ring = (int)(r / SCENE_DIAMETER);
        const int sector =
            (int)((atan2(at[1], at[0]) / (2.0 * SCENE_PI) + 0.5) * SECTORS) % SECTORS;
        if (ring < RINGS)
            top[ring][sector] = fmax(top[ring][sector], at[2] + rows->radius[k]);
    }
    for (int j = 0; j < RINGS; ++j)
        for (int k = 0; k < SECTORS; ++k) {
            const double r = (j + 0.5) * SCENE_DIAMETER;
            if (r < 0.35 * p->radius || r > 0.95 * p->radius || !(top[j][k] > 0.0))
                continue;
            n += 1.0;
            sr += r;
            sz += top[j][k];
            rr += r * r;
            rz += r * top[j][k];
        }
    return atan2(-(n * rz - sr * sz), n * rr - sr * sr) * 180.0 / SCENE_PI;
}

static int weigh(scene *s, const pour *p, const char *quantity)
{
    dem_wall plate, rim;
    if (scene_wall(s, p->plate, &plate) != 0 || scene_wall(s, p->rim, &rim) != 0)
        return -1;
    scene_judge(s, quantity, -(plate.force[2] + rim.force[2]) / (p->mass_on * SCENE_GRAVITY), 1.0,
                1e-3);
    return 0;
}

static int picture(scene *s, const pour *p, const scene_rows *rows, const char *name)
{
    static float rgb[3 * IDS];
    const double axis[3] = {0.0, 0.0, 1.0}, zero[3] = {0.0, 0.0, 0.0}, d = SCENE_DIAMETER;
    const double rim[3] = {0.0, 0.0, 0.35 * d}, r = p->radius;
    scene_surface surface = {0};
    const scene_look look = {.azimuth = -62.0,
                             .elevation = 22.0,
                             .low = {-r, -r, 0.0},
                             .high = {r, r, 0.6 * r},
                             .width = 720,
                             .height = 460,
                             .rgb = rgb};
    for (uint64_t k = 0; k < rows->count && k < IDS; ++k)
        look_colour(rows->id[k] < IDS ? p->shade[rows->id[k]] : 0.0, rgb + 3 * k);
    surface_ring(&surface, zero, axis, 0.0, r, 0);
    surface_cone(&surface, rim, axis, 0.7 * d, r, r);
    const int bad = scene_picture(s, name, &look, rows, &surface);
    surface_free(&surface);
    return bad;
}

static int heap(scene *s, pour *p, int kind, FILE *table)
{
    const double open[3] = {0.0, 0.0, 0.0}, aspect = 0.5 * (part_counts[kind] + 1);
    char quantity[64];
    scene_rows rows;
    snprintf(quantity, sizeof quantity, "aspect ratio %g", aspect);
    scene_progress(s, quantity, 0.0);
    s->random = 7;
    if (scene_world(s, 4500.0, open) != 0 || scene_model(s, 0.5, 0.5, 0.0) != 0)
        return -1;
    s->dt *= part_counts[kind] > 3 ? 0.6 : 0.8; /* hit at an end, a rod is like a lighter grain */
    if (rod(s, p, part_counts[kind]) != 0 || walls(s, p) != 0 || fall(s, p) != 0)
        return -1;
    int bad = scene_check(s, dem_step(s->world, s->dt, 1), "step");
    snprintf(quantity, sizeof quantity, "borne_over_weight_%g", aspect);
    if (bad == 0)
        bad = weigh(s, p, quantity);
    if (bad != 0 || scene_rows_read(s, &rows) != 0)
        return -1;
    const double angle = angle_of_repose(p, &rows);
    snprintf(quantity, sizeof quantity, "angle_of_repose_%g", aspect);
    scene_show(s, quantity, angle, "deg");
    snprintf(quantity, sizeof quantity, "rods_on_plate_%g", aspect);
    scene_show(s, quantity, p->mass_on / p->body.mass, "1");
    if (table != NULL) {
        fprintf(table, "%g,%.4g,%.6g\n", aspect, angle, p->mass_on / p->body.mass);
        snprintf(quantity, sizeof quantity, "pour_%d", kind);
        bad = picture(s, p, &rows, quantity);
    }
    scene_rows_free(&rows);
    return bad;
}

int main(int argc, char **argv)
{
    static pour p;
    scene s;
    demo_file file = {0};
    if (scene_start(&s, "pour", argc, argv) != 0)
        return 1;
    p.radius = (s.large != 0 ? 6.5 : 5.5) * SCENE_DIAMETER;
    p.bodies = s.large != 0 ? 420 : 300;
    int bad = s.output != NULL && demo_file_open(&file, s.output, "pour.csv") != 0;
    if (file.stream != NULL)
        fputs("# aspect ratio, angle of repose (deg), rods on the plate\n", file.stream);
    for (int k = 0; k < (s.large != 0 ? KINDS : 3) && !bad; ++k)
        bad = heap(&s, &p, k, file.stream) != 0;
    if (file.stream != NULL && demo_file_close(&file) != 0)
        bad = 1;
    if (bad)
        s.failed = 1;
    return scene_end(&s);
}
