/* SPDX-License-Identifier: MIT */
/* Levels of cells for spheres of any sizes: each level has cells as wide as its own largest pair.
 *
 * Radii fall into classes; class 0 ends at 2^(1/4) times the smallest radius, class k at 2^(1/4 +
 * k/2) times. A level is a range of classes. Which ranges are the cheapest follows from how many
 * spheres the classes have, not from where these are or in which order they come. */
#ifndef DEMI_LEVELS_H
#define DEMI_LEVELS_H

#include <stdint.h>

/* All radii beyond the last class belong to it. */
enum { DEMI_LEVELS_MOST = 48 };

typedef struct demi_levels {
    int count;
    int home;             /* the finest level with many spheres: these decide the order in space */
    double looks;         /* how many of one level a sphere would be tested with if all were one */
    double smallest;      /* radius of all */
    double home_smallest; /* radius of the home level, but for dust */
    double largest[DEMI_LEVELS_MOST];         /* radius of each level */
    uint64_t spheres[DEMI_LEVELS_MOST];       /* of each level */
    unsigned char of_class[DEMI_LEVELS_MOST]; /* level of each class */
} demi_levels;

/* Spheres class by class. */
typedef struct demi_size_classes {
    double smallest; /* radius of all */
    uint64_t spheres[DEMI_LEVELS_MOST];
    double least[DEMI_LEVELS_MOST], most[DEMI_LEVELS_MOST]; /* radii */
    int apart; /* each class is by itself, as in layers of one size each; else all are mixed */
} demi_size_classes;

/* The class of a radius. */
int demi_size_class(double radius, double smallest);

/* Chooses the levels. One level is taken unless several need less than half its time, or a few are
 * much finer than most. `reach` is the widest gap at which spheres act. */
void demi_levels_choose(demi_levels *levels, const demi_size_classes *classes, double reach);

static inline int demi_level_of(const demi_levels *levels, double radius)
{
    return levels->count == 1 ? 0 : levels->of_class[demi_size_class(radius, levels->smallest)];
}

#endif
