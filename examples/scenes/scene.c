/* SPDX-License-Identifier: MIT */
/* A scene from its arguments to its last line: the world, its steps, progress, and what is told. */
#define _POSIX_C_SOURCE 200809L
#include "scene.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

int scene_start(scene *s, const char *name, int argc, char **argv)
{
    memset(s, 0, sizeof *s);
    s->name = name;
    s->terminal = isatty(STDERR_FILENO);
    s->random = 1;
    for (int k = 1; k < argc; ++k) {
        if (strcmp(argv[k], "--large") == 0) {
            s->large = 1;
        } else if (strcmp(argv[k], "--output") == 0 && k + 1 < argc) {
            s->output = argv[++k];
        } else {
            fprintf(stderr, "%s: usage: %s [--large] [--output FOLDER]\n", argv[k], name);
            return -1;
        }
    }
    return s->output == NULL ? 0 : demo_folder(s->output);
}

int scene_end(scene *s)
{
    if (s->terminal != 0)
        fprintf(stderr, "\r%79s\r", "");
    dem_world_destroy(s->world);
    s->world = NULL;
    return s->failed;
}

double scene_random(scene *s) /* splitmix64 */
{
    s->random += 0x9e3779b97f4a7c15u;
    uint64_t z = s->random;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

double scene_mass(const scene *s)
{
    (void)s;
    return SCENE_PI / 6.0 * SCENE_DENSITY * SCENE_DIAMETER * SCENE_DIAMETER * SCENE_DIAMETER;
}

int scene_check(scene *s, dem_status status, const char *what)
{
    if (status == DEM_OK)
        return 0;
    fprintf(stderr, "%s: %s: %s: %s\n", s->name, what, dem_status_string(status),
            dem_world_error(s->world));
    s->failed = 1;
    return -1;
}

/* ------------------------------------------------------------------ the world */

static void warn(void *user, int32_t level, const char *text)
{
    if (level == DEM_LOG_WARNING)
        fprintf(stderr, "%s: %s\n", ((const scene *)user)->name, text);
}

int scene_world(scene *s, double stiffness, const double box[3])
{
    dem_world_config config;
    dem_material material;
    dem_world_destroy(s->world);
    s->world = NULL;
    if (scene_check(s, dem_world_config_init(&config), "world") != 0)
        return -1;
    config.gravity[2] = -SCENE_GRAVITY;
    for (int c = 0; c < 3; ++c) {
        config.boundary[c] = box[c] > 0.0 ? DEM_BOUNDARY_PERIODIC : DEM_BOUNDARY_OPEN;
        config.box_high[c] = box[c];
    }
    config.threads = s->large != 0 ? 2 : 1; /* small ones run beside each other */
    config.log.user = s;
    config.log.message = warn;
    s->stiffness = stiffness * scene_mass(s) * SCENE_GRAVITY / SCENE_DIAMETER;
    s->dt = SCENE_PI * sqrt(0.5 * scene_mass(s) / s->stiffness) / 25.0;
    if (scene_check(s, dem_world_create(&config, &s->world, NULL), "world") != 0 ||
        scene_check(s, dem_material_init(&material), "material") != 0)
        return -1;
    material.density = SCENE_DENSITY;
    return scene_check(s, dem_material_set(s->world, 0, &material), "material");
}

int scene_model(scene *s, double restitution, double friction, double rolling)
{
    dem_contact_model model;
    dem_linear linear;
    dem_rolling roll;
    if (scene_check(s, dem_contact_model_init(&model), "model") != 0 ||
        scene_check(s, dem_linear_init(&linear), "model") != 0 ||
        scene_check(s, dem_rolling_init(&roll), "model") != 0)
        return -1;
    model.lever_arm = DEM_ARM_CONTACT; /* moments balance */
    linear.stiffness_normal = s->stiffness;
    linear.restitution = restitution;
    linear.friction = friction;
    roll.stiffness = 2.0 / 7.0 * s->stiffness;
    roll.friction = rolling;
    dem_status status = dem_contact_model_add_linear_csds(&model, &linear);
    if (status == DEM_OK && rolling > 0.0)
        status = dem_contact_model_add_rolling_csds(&model, &roll);
    if (scene_check(s, status, "model") != 0)
        return -1;
    return scene_check(s, dem_contact_model_set(s->world, 0, 0, &model), "model");
}

/* ------------------------------------------------------------------ time */

void scene_progress(scene *s, const char *label, double fraction)
{
    const double now = demo_seconds();
    if (s->terminal == 0)
        return;
    if (s->label == NULL || strcmp(label, s->label) != 0) {
        s->label = label;
        s->begin = now;
        s->shown = 0.0;
    }
    if (now - s->shown < 0.1)
        return;
    s->shown = now;
    char bar[31];
    for (int k = 0; k < 30; ++k)
        bar[k] = k < (int)(30.0 * fraction) ? '#' : '.';
    bar[30] = '\0';
    const double left = fraction > 0.0 ? (now - s->begin) * (1.0 - fraction) / fraction : 0.0;
    fprintf(stderr, "\r%-8s %-18s [%s] %3.0f %%, %3.0f s ", s->name, label, bar, 100.0 * fraction,
            left);
}

int scene_run(scene *s, double seconds, double from, double to)
{
    const uint64_t steps = (uint64_t)(seconds / s->dt + 0.5);
    for (uint64_t done = 0; done < steps;) {
        const uint64_t piece = steps - done < 200 ? steps - done : 200;
        if (scene_check(s, dem_step(s->world, s->dt, piece), "step") != 0)
            return -1;
        done += piece;
        if (s->label != NULL)
            scene_progress(s, s->label, from + (to - from) * (double)done / (double)steps);
    }
    return 0;
}

/* ------------------------------------------------------------------ what is told */

static void clear_line(const scene *s)
{
    if (s->terminal != 0)
        fprintf(stderr, "\r%79s\r", "");
}

void scene_show(scene *s, const char *quantity, double value, const char *unit)
{
    clear_line(s);
    printf("scene=%s quantity=%s value=%.6g unit=%s\n", s->name, quantity, value, unit);
    fflush(stdout);
}

void scene_judge(scene *s, const char *quantity, double value, double expected, double tolerance)
{
    const int good = fabs(value - expected) <= tolerance; /* false for NaN */
    clear_line(s);
    printf("scene=%s quantity=%s value=%.6g expected=%.6g tolerance=%.2g %s\n", s->name, quantity,
           value, expected, tolerance, good ? "ok" : "FAILED");
    fflush(stdout);
    if (!good)
        s->failed = 1;
}
