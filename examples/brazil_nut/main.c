/* SPDX-License-Identifier: MIT */
/* Runs the Brazil nut, and goes on where a run was stopped.
 *
 *     brazil_nut --output FOLDER [--quick] [--law M1 | M4] [--vertical] [--seed N] [--dt S]
 *                [--seconds S] [--threads N] [--vertices N] [--still]
 *
 * The box rocks by 15 degrees with a period of 3 s, or with --vertical goes up and down by 7.5 mm,
 * 10 times a second. FOLDER gets, for each case: a table of heights, speeds and energies; the world
 * and a picture every 50 ms, for a film; and the last picture with a file for ParaView. --vertices
 * gives the ellipsoids N vertices, and the nut as many more as in the paper; such a case has files
 * of its own. --still makes no picture but the last. */
#include "brazil_nut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PART 0.05 /* s, between two pictures */

/* Of an ellipsoid: fewer are no ellipsoid, and the hull takes too long for more. */
enum { LEAST_VERTICES = 12, MOST_VERTICES = 10000 };

/* Table 2 of the paper. */
static const int PAPER[2] = {810, 2864};

/* ------------------------------------------------------------------ arguments */

static int arguments_read(nut_case *c, const char **output, int count, char **given)
{
    for (int k = 1; k < count; ++k) {
        const char *name = given[k], *value = k + 1 < count ? given[k + 1] : NULL;
        if (strcmp(name, "--quick") == 0) {
            c->quick = 1;
            continue;
        }
        if (strcmp(name, "--vertical") == 0) {
            c->vertical = 1;
            continue;
        }
        if (strcmp(name, "--still") == 0) {
            c->still = 1;
            continue;
        }
        const int known = strcmp(name, "--law") == 0        ? 1
                          : strcmp(name, "--seed") == 0     ? 2
                          : strcmp(name, "--dt") == 0       ? 3
                          : strcmp(name, "--seconds") == 0  ? 4
                          : strcmp(name, "--threads") == 0  ? 5
                          : strcmp(name, "--output") == 0   ? 6
                          : strcmp(name, "--vertices") == 0 ? 7
                                                            : 0;
        if (known == 0 || value == NULL)
            return -1;
        ++k;
        c->law = known == 1 ? value : c->law;
        c->seed = known == 2 ? strtoull(value, NULL, 10) : c->seed;
        c->dt = known == 3 ? atof(value) : c->dt;
        c->seconds = known == 4 ? atof(value) : c->seconds;
        c->threads = known == 5 ? atoi(value) : c->threads;
        *output = known == 6 ? value : *output;
        c->vertices[0] = known == 7 ? atoi(value) : c->vertices[0];
        if (known == 7 && (c->vertices[0] < LEAST_VERTICES || c->vertices[0] > MOST_VERTICES))
            return -1;
    }
    return *output != NULL && (strcmp(c->law, "M1") == 0 || strcmp(c->law, "M4") == 0) ? 0 : -1;
}

/* What was not given: the paper's scene, or a small one. */
static void defaults_of(nut_case *c)
{
    const double dt = c->quick || c->vertical ? 3e-5 : 1e-5, seconds = c->quick ? 0.2 : 12.0;
    c->ellipsoids = c->quick ? 24 : NUT_MOST;
    c->coarse = c->vertices[0] > 0;
    if (c->coarse) {
        c->vertices[1] = (c->vertices[0] * PAPER[1] + PAPER[0] / 2) / PAPER[0];
    } else {
        c->vertices[0] = c->quick ? 162 : PAPER[0];
        c->vertices[1] = c->quick ? 362 : PAPER[1];
    }
    c->dt = c->dt > 0.0 ? c->dt : dt;
    c->seconds = c->seconds > 0.0 ? c->seconds : seconds;
}

/* ------------------------------------------------------------------ the table */

/* Lines of a table that end at a time, so that a run which was stopped leaves no line twice. */
static int table_cut(const char *path, double time)
{
    FILE *file = fopen(path, "r");
    char line[512], *kept = NULL;
    size_t size = 0;
    int bad = 0;
    if (file == NULL)
        return 0;
    while (!bad && fgets(line, sizeof line, file) != NULL) {
        const size_t length = strlen(line);
        char *more;
        if (line[0] >= '0' && line[0] <= '9' && atof(line) > time + 1e-9)
            continue;
        more = realloc(kept, size + length);
        bad = more == NULL;
        if (bad)
            break;
        kept = more;
        memcpy(kept + size, line, length);
        size += length;
    }
    fclose(file);
    file = bad ? NULL : fopen(path, "w");
    bad = file == NULL || (size > 0 && fwrite(kept, 1, size, file) != size);
    if (file != NULL && fclose(file) != 0)
        bad = 1;
    free(kept);
    if (bad)
        fprintf(stderr, "%s: cannot be written\n", path);
    return bad ? -1 : 0;
}

static int table_add(const char *path, const nut_state *at)
{
    FILE *file = fopen(path, "a");
    int bad = file == NULL;
    if (file != NULL) {
        if (ftell(file) == 0)
            fputs("time_s,angle_deg,nut_m,ellipsoids_m,nut_speed_m_s,kinetic_J,potential_J,"
                  "dissipated_J,balance_J,contacts\n",
                  file);
        fprintf(file, "%.6f,%.5f,%.7g,%.7g,%.6g,%.8g,%.8g,%.8g,%.10g,%llu\n", at->time, at->angle,
                at->nut, at->others, at->speed, at->kinetic, at->potential, at->dissipated,
                at->balance, at->contacts);
        bad = ferror(file) != 0;
        bad = fclose(file) != 0 || bad;
    }
    if (bad)
        fprintf(stderr, "%s: cannot be written\n", path);
    return bad ? -1 : 0;
}

/* ------------------------------------------------------------------ a run */

typedef struct nut_files {
    char name[64], world[1200], table[1200];
} nut_files;

/* The world as it was kept, or a new one with its first line. */
static int world_open(scene *s, nut_case *c, const nut_files *files)
{
    nut_state at;
    FILE *kept = fopen(files->world, "rb");
    if (nut_shapes(s, c) != 0 || nut_world(s, c) != 0)
        return -1;
    if (kept != NULL) {
        fclose(kept);
        if (scene_check(s, dem_world_load(s->world, files->world), files->world) != 0)
            return -1;
        return table_cut(files->table, dem_world_time(s->world));
    }
    if (nut_fill(s, c) != 0 || scene_check(s, dem_step(s->world, c->dt, 0), "step") != 0)
        return -1;
    remove(files->table);
    return nut_look(s, c, &at) != 0 ? -1 : table_add(files->table, &at);
}

/* One part, its picture, its lines, and the world. */
static int part_run(scene *s, const nut_case *c, const nut_files *files, double until,
                    nut_state *at)
{
    enum { LINES = 5 };
    char name[128];
    const double begin = dem_world_time(s->world);
    for (int k = 1; k <= LINES; ++k) {
        if (nut_run(s, c, begin + (until - begin) * k / LINES) != 0 || nut_look(s, c, at) != 0 ||
            table_add(files->table, at) != 0)
            return -1;
        scene_progress(s, files->name, at->time / c->seconds);
    }
    snprintf(name, sizeof name, "%s_%05.0f", files->name, 1e3 * until);
    const int last = until > c->seconds - 0.5 * PART;
    if ((last || !c->still) && nut_frame(s, c, name, last) != 0)
        return -1;
    return scene_check(s, dem_world_save(s->world, files->world), files->world);
}

static int run(scene *s, nut_case *c)
{
    nut_files files;
    nut_state first, at;
    char vertices[16] = "";
    if (c->coarse)
        snprintf(vertices, sizeof vertices, "_%d", c->vertices[0]);
    snprintf(files.name, sizeof files.name, "%s_%s%s_seed%llu",
             c->vertical ? "vertical" : "rocking", c->law, vertices, (unsigned long long)c->seed);
    snprintf(files.world, sizeof files.world, "%s/%s.world", s->output, files.name);
    snprintf(files.table, sizeof files.table, "%s/%s.csv", s->output, files.name);
    if (world_open(s, c, &files) != 0 || nut_look(s, c, &first) != 0)
        return -1;
    at = first;
    double most = first.nut;
    const double clock = demo_seconds();
    while (at.time < c->seconds - 0.5 * c->dt) {
        const double next = PART * floor(at.time / PART + 1.5 - 1e-6);
        if (part_run(s, c, &files, fmin(next, c->seconds), &at) != 0)
            return -1;
        most = fmax(most, at.nut);
    }
    const double took = demo_seconds() - clock, went = at.time - first.time;
    scene_show(s, "time", at.time, "s");
    scene_show(s, "nut_height", 1e3 * at.nut, "mm");
    scene_show(s, "nut_height_greatest", 1e3 * most, "mm");
    scene_show(s, "ellipsoids_height", 1e3 * at.others, "mm");
    scene_show(s, "contacts", (double)at.contacts, "1");
    if (went > 0.0)
        scene_show(s, "minutes_for_12_s", took / went * 12.0 / 60.0, "min");
    /* by how much the account is off, of all that was dissipated since the beginning */
    scene_show(s, "balance_over_dissipated", (at.balance - first.balance) / at.dissipated, "1");
    return 0;
}

int main(int argc, char **argv)
{
    nut_case c = {.law = "M4", .seed = 1, .threads = 2};
    scene s = {.name = "brazil_nut"};
    const char *output = NULL;
    char *none[1] = {argv[0]};
    if (arguments_read(&c, &output, argc, argv) != 0) {
        fprintf(stderr, "usage: brazil_nut --output FOLDER [--quick] [--law M1 | M4] [--vertical] "
                        "[--seed N] [--dt S] [--seconds S] [--threads N] [--vertices N] "
                        "[--still]\n");
        return 2;
    }
    defaults_of(&c);
    if (scene_start(&s, "brazil_nut", 1, none) != 0 || demo_folder(output) != 0)
        return 1;
    s.output = output;
    if (run(&s, &c) != 0)
        s.failed = 1;
    dem_polyhedron_destroy(c.shape[0]);
    dem_polyhedron_destroy(c.shape[1]);
    return scene_end(&s);
}
