/* SPDX-License-Identifier: MIT */
/* Grains of a rank at level 1: its own ones, ghosts, and pairs. It knows nothing of contacts. */
#ifndef GRAINS_H
#define GRAINS_H

#include "host.h"

typedef struct grains {
    const host *host;
    grain *row; /* own ones first, then ghosts */
    uint64_t own, count, room;
    mail copies, out, in;        /* which own ones go where as ghosts; grains of a step */
    double (*listed)[3];         /* positions of own ones when pairs were listed */
    bytes pairs, shifts, images; /* uint32_t[2], rows; double[3], m; int32_t[3] */
} grains;

void grains_free(grains *s);
void grains_add(grains *s, const grain *g);

/* Takes periods off the coordinates of own grains. */
void grains_wrap(grains *s);

/* Whether a grain of any rank has moved so far that a pair may be missing. `skin` is what the reach
 * of pairs has beyond the largest sum of radii. */
int grains_moved(const grains *s, double skin);

void grains_ghosts(grains *s);         /* finds ghosts anew */
void grains_ghosts_refresh(grains *s); /* their coordinates, velocities, accelerations */
void grains_list(grains *s);           /* pairs with an end of this rank's own */

#endif
