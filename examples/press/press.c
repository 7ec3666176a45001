/* SPDX-License-Identifier: MIT */
/* An oedometer: a bed of grains between a floor and a plate, periodic to the sides, is pressed
 * twice from the same state: by a plate of constant speed, and by one that seeks a stress and holds
 * it. Judged: the stress that is held, and that both find the same strain.
 *
 *     press [--large] [--output FOLDER] */
#include "../scenes/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 4, POINTS = 600 };

/* Stress in units of stiffness over diameter: at first, and levels over the first. */
static const double first_stress = 1e-3, levels[LEVELS] = {2.0, 4.0, 7.0, 10.0};

typedef struct press {
    double side, height; /* of the bed, m */
    double stress;       /* at first, Pa */
    double speed;        /* of the plate, m/s */
    uint64_t floor, plate;
    int points;                                           /* of the run at constant speed */
    double strain[POINTS], loaded[POINTS], below[POINTS]; /* stress at plate and floor, Pa */
} press;

/* ------------------------------------------------------------------ the bed */

static int fill(scene *s, const press *p, uint64_t wanted, double *top)
{
    const int across = (int)(p->side / (1.1 * SCENE_DIAMETER));
    const double step = p->side / across;
    uint64_t count = 0;
    double z = 0.0;
    for (z = 0.6 * step; count < wanted; z += step)
        for (int j = 0; j < across; ++j)
            for (int i = 0; i < across && count < wanted; ++i, ++count) {
                const double at[3] = {(i + 0.5 + 0.05 * scene_random(s)) * step,
                                      (j + 0.5 + 0.05 * scene_random(s)) * step, z};
                if (scene_grain(s, at, NULL) != 0)
                    return -1;
            }
    *top = z;
    scene_show(s, "grains", (double)count, "1");
    return 0;
}

static int seek(scene *s, const press *p, double stress, double speed)
{
    dem_wall_servo servo;
    if (scene_check(s, dem_wall_servo_init(&servo), "plate") != 0)
        return -1;
    servo.direction[2] = -1.0;
    servo.quantity = DEM_SERVO_PRESSURE;
    servo.target = stress;
    servo.area = p->side * p->side;
    servo.speed = speed;
    return scene_check(s, dem_wall_set_servo(s->world, p->plate, &servo), "plate");
}

/* A dense bed at the first stress: grains without friction are stirred and pressed together, then
 * get friction. */
static int make(scene *s, press *p)
{
    const double box[3] = {p->side, p->side, 0.0}, none[3] = {0.0, 0.0, 0.0};
    const uint64_t wanted = s->large != 0 ? 6600 : 2400;
    double top;
    dem_wall wall;
    if (scene_world(s, 3000.0, box) != 0 || scene_model(s, 0.6, 0.0, 0.0) != 0 ||
        fill(s, p, wanted, &top) != 0 || scene_check(s, dem_wall_init(&wall), "floor") != 0 ||
        scene_check(s, dem_wall_add(s->world, &wall, &p->floor), "floor") != 0)
        return -1;
    wall.point[2] = top;
    wall.normal[2] = -1.0;
    if (scene_check(s, dem_wall_add(s->world, &wall, &p->plate), "plate") != 0)
        return -1;
    const double unit = sqrt(SCENE_GRAVITY * SCENE_DIAMETER); /* m/s */
    p->stress = first_stress * s->stiffness / SCENE_DIAMETER;
    p->speed = 0.004 * unit;
    scene_progress(s, "makes the bed", 0.0);
    if (scene_check(s, dem_world_gravity_set(s->world, none), "gravity") != 0 ||
        scene_check(s, dem_step(s->world, s->dt, 1), "step") != 0)
        return -1;
    scene_rows rows; /* stirred by random velocities */
    int bad = scene_rows_read(s, &rows);
    double *kick = bad == 0 ? malloc(3 * (size_t)rows.count * sizeof *kick) : NULL;
    for (uint64_t k = 0; kick != NULL && k < 3 * rows.count; ++k)
        kick[k] = 2.0 * unit * (scene_random(s) - 0.5);
    bad = kick == NULL ||
          scene_check(s, dem_world_field_set(s->world, DEM_FIELD_VELOCITY, rows.count, kick),
                      "velocities") != 0;
    free(kick);
    scene_rows_free(&rows);
    return bad || seek(s, p, p->stress, unit) != 0 || scene_rest(s, 1.5) != 0 ||
                   scene_model(s, 0.6, 0.5, 0.0) != 0 || scene_rest(s, 0.3) != 0
               ? -1
               : 0;
}

/* ------------------------------------------------------------------ pressing */

/* Strain since the height of the bed, and stress at plate and floor. */
static int state(scene *s, const press *p, double *strain, double *loaded, double *below)
{
    dem_wall plate, floor;
    if (scene_wall(s, p->plate, &plate) != 0 || scene_wall(s, p->floor, &floor) != 0)
        return -1;
    *strain = 1.0 - plate.point[2] / p->height;
    *loaded = plate.force[2] / (p->side * p->side);
    *below = -floor.force[2] / (p->side * p->side);
    return 0;
}

static int press_by_speed(scene *s, press *p)
{
    const double down[3] = {0.0, 0.0, -p->speed}, most = levels[LEVELS - 1] * p->stress;
    scene_progress(s, "constant speed", 0.0);
    if (scene_check(s, dem_wall_set_servo(s->world, p->plate, NULL), "plate") != 0 ||
        scene_check(s, dem_wall_set_velocity(s->world, p->plate, down), "plate") != 0)
        return -1;
    for (p->points = 0; p->points < POINTS; ++p->points) {
        const int k = p->points;
        if (state(s, p, &p->strain[k], &p->loaded[k], &p->below[k]) != 0)
            return -1;
        const double done = p->loaded[k] / most;
        if (done > 1.05) {
            ++p->points;
            return 0;
        }
        if (scene_run(s, 100.0 * s->dt, done, done) != 0)
            return -1;
    }
    fprintf(stderr, "%s: the plate does not reach %g Pa\n", s->name, most);
    return -1;
}

/* Strain at a stress in the run at constant speed, by straight lines between its points. */
static double strain_at(const press *p, double stress)
{
    for (int k = 1; k < p->points; ++k)
        if (p->loaded[k] >= stress) {
            const double share = (stress - p->loaded[k - 1]) / (p->loaded[k] - p->loaded[k - 1]);
            return p->strain[k - 1] + share * (p->strain[k] - p->strain[k - 1]);
        }
    return NAN;
}

static int hold(scene *s, const press *p, double level, FILE *table)
{
    char quantity[64];
    double strain = 0.0, loaded = 0.0, below = 0.0, sum = 0.0, worst = 0.0;
    const double stress = level * p->stress;
    const int looks = 50;
    snprintf(quantity, sizeof quantity, "holds %g", level);
    scene_progress(s, quantity, 0.0);
    if (seek(s, p, stress, p->speed) != 0)
        return -1;
    for (int k = 0; k < 400; ++k) { /* comes to the stress, and rests there */
        if (scene_run(s, 100.0 * s->dt, 0.0, 0.5) != 0 ||
            state(s, p, &strain, &loaded, &below) != 0)
            return -1;
        if (fabs(loaded / stress - 1.0) < 3e-4 && fabs(below / stress - 1.0) < 1e-3)
            break;
    }
    for (int k = 0; k < looks; ++k) {
        if (scene_run(s, 40.0 * s->dt, 0.5, 1.0) != 0 || state(s, p, &strain, &loaded, &below) != 0)
            return -1;
        sum += loaded / looks;
        worst = fmax(worst, fabs(loaded / stress - 1.0));
    }
    snprintf(quantity, sizeof quantity, "held_over_target_%g", level);
    scene_judge(s, quantity, sum / stress, 1.0, 1e-3);
    snprintf(quantity, sizeof quantity, "held_worst_%g", level);
    scene_judge(s, quantity, worst, 0.0, 1e-3);
    snprintf(quantity, sizeof quantity, "strain_%g", level);
    scene_show(s, quantity, strain, "1");
    snprintf(quantity, sizeof quantity, "strain_over_speed_%g", level);
    scene_judge(s, quantity, strain / strain_at(p, stress), 1.0, 0.02);
    if (table != NULL)
        fprintf(table, "%.6g,%.6g,%.6g\n", strain, loaded, below);
    return 0;
}

/* ------------------------------------------------------------------ the picture */

/* Colours show the stress of each grain along the load, up to three times the mean. */
static int picture(scene *s, const press *p, double stress)
{
    static float rgb[3 * 16384];
    static double moment[9 * 16384];
    const double w = p->side, d = SCENE_DIAMETER, h = p->height;
    const double a[3] = {-0.1 * w, -0.1 * w, 0.0}, b[3] = {1.1 * w, -0.1 * w, 0.0};
    const double c[3] = {1.1 * w, 1.1 * w, 0.0}, e[3] = {-0.1 * w, 1.1 * w, 0.0};
    scene_surface surface = {0};
    scene_rows rows;
    dem_analysis_particles arrays;
    scene_look look = {.azimuth = -62.0,
                       .elevation = 18.0,
                       .low = {-0.1 * w, -0.1 * w, 0.0},
                       .high = {1.1 * w, 1.1 * w, h + 2.0 * d},
                       .width = 720,
                       .height = 720,
                       .rgb = rgb};
    int bad = scene_check(s, dem_analysis_particles_init(&arrays), "stress");
    arrays.capacity = 16384;
    arrays.moment = moment;
    if (bad == 0)
        bad = scene_check(s, dem_world_particles_analyse(s->world, &arrays, NULL), "stress");
    if (bad != 0 || (bad = scene_rows_read(s, &rows)) != 0)
        return -1;
    for (uint64_t k = 0; k < rows.count && k < 16384; ++k) {
        double *at = rows.position + 3 * k;
        const double volume = 4.0 / 3.0 * SCENE_PI * pow(rows.radius[k], 3.0) / 0.62;
        look_colour(fabs(moment[9 * k + 8]) / volume / (2.5 * stress), rgb + 3 * k);
        for (int j = 0; j < 2; ++j) /* one period */
            at[j] -= w * floor(at[j] / w);
    }
    surface_quad(&surface, a, b, c, e, 0);
    dem_wall plate;
    bad = scene_wall(s, p->plate, &plate);
    const double z = plate.point[2];
    const double corners[8][3] = {{0, 0, z},     {w, 0, z},     {w, w, z},     {0, w, z},
                                  {0, 0, z + d}, {w, 0, z + d}, {w, w, z + d}, {0, w, z + d}};
    surface_quad(&surface, corners[4], corners[5], corners[6], corners[7], 1);
    surface_quad(&surface, corners[0], corners[1], corners[5], corners[4], 1);
    surface_quad(&surface, corners[1], corners[2], corners[6], corners[5], 1);
    if (bad == 0)
        bad = scene_picture(s, "press", &look, &rows, &surface);
    surface_free(&surface);
    scene_rows_free(&rows);
    return bad;
}

static int both(scene *s, press *p, FILE *table)
{
    double strain, loaded, below;
    dem_wall plate;
    if (make(s, p) != 0 || scene_wall(s, p->plate, &plate) != 0)
        return -1;
    p->height = plate.point[2];
    if (state(s, p, &strain, &loaded, &below) != 0)
        return -1;
    scene_show(s, "height", p->height / SCENE_DIAMETER, "diameters");
    scene_show(s, "stress_first", loaded, "Pa");
    if (scene_check(s, dem_world_mark(s->world), "mark") != 0 || press_by_speed(s, p) != 0 ||
        scene_check(s, dem_world_rewind(s->world), "rewind") != 0)
        return -1;
    if (table != NULL)
        fputs("# strain, stress at the plate (Pa), at the floor; first as it is held\n", table);
    for (int k = 0; k < LEVELS; ++k)
        if (hold(s, p, levels[k], table) != 0)
            return -1;
    if (table == NULL)
        return 0;
    fputs("\n\n", table);
    for (int k = 0; k < p->points; ++k)
        fprintf(table, "%.6g,%.6g,%.6g\n", p->strain[k], p->loaded[k], p->below[k]);
    return picture(s, p, levels[LEVELS - 1] * p->stress);
}

int main(int argc, char **argv)
{
    static press p;
    scene s;
    demo_file file = {0};
    if (scene_start(&s, "press", argc, argv) != 0)
        return 1;
    p.side = (s.large != 0 ? 18.0 : 12.0) * SCENE_DIAMETER;
    int bad = s.output != NULL && demo_file_open(&file, s.output, "press.csv") != 0;
    bad = bad || both(&s, &p, file.stream) != 0;
    if (file.stream != NULL && demo_file_close(&file) != 0)
        bad = 1;
    if (bad)
        s.failed = 1;
    return scene_end(&s);
}
