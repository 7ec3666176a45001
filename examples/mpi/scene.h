/* SPDX-License-Identifier: MIT */
/* The scene that both levels compute: grains fall on a floor in a box that is periodic in x and y,
 * while layers slide over each other, so that grains change their ranks. scene.c has main(), which
 * makes, times, writes, reads and hashes it; level1.c or level2.c moves the grains. */
#ifndef SCENE_H
#define SCENE_H

#include "host.h"

#include <dem/dem.h>

#define GRAVITY 20.0
#define DT 5e-4

typedef struct options {
    const char *law, *read, *write;
    int side, deep, layers, height; /* grains along x, y, z; of the box, in layers */
    int steps, warm, exact;
    int fluid; /* at level 2: steps in one of a fluid; 0: there is none */
} options;

typedef struct level level;

extern const char level_name[];
extern const double level_reach; /* gap up to which grains are neighbours, m */
extern const int level_shares;   /* ranks may share the files of a restart */

/* What a rank adds to the line that is printed. */
typedef struct report {
    double grains, contacts, ghosts, bytes; /* bytes that are sent in a step */
    uint64_t hash;                          /* sum of scene_hash over own grains */
} report;

level *level_start(host *h, const options *o);
void level_end(level *l);
void level_add(level *l, const grain *g);
void level_begin(level *l, int restarted); /* all grains are there */
void level_step(level *l);
void level_report(const level *l, report *r);
/* All grains of a rank, with their contacts. They return how many grains these are. */
uint64_t level_write(level *l, bytes *to);
uint64_t level_read(level *l, const void *from, uint64_t size);

/* The model of a law's name. */
void scene_model(const char *law, dem_contact_model *model);

/* Ends all ranks where a call failed. */
void scene_check(dem_status status, const char *message);

/* A number that stands for all bits of a grain: add those of all grains. */
uint64_t scene_hash(const grain *g);

/* Tells what a rank is doing from now on, and returns what it did; see clocks.c. */
enum { TIME_FORCES, TIME_EXCHANGE, TIME_REBUILD, TIME_WAIT, TIMES };
int scene_clock(int next);
void scene_clock_read(double seconds[TIMES]); /* since the last call */

#endif
