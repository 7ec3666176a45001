/* SPDX-License-Identifier: MIT */
/* Levels of cells for spheres of any sizes: each level has cells as wide as its own largest pair.
 *
 * Radii fall into classes; class 0 ends at 2^(1/4) times the smallest radius, class k at 2^(1/4 +
 * k/2) times. A level is a range of classes. Which ranges are the cheapest follows from how many
 * spheres the classes have, not from where these are or in which order they come. */
#ifndef DEMI_LEVELS_H
#define DEMI_LEVELS_H

#include <stdint.h>

/* So many levels, and no more classes that have spheres: where there would be more, two next to
 * each other are one. Classes of any two radii that differ are below the second number. */
enum { DEMI_LEVELS_MOST = 48, DEMI_CLASSES_MOST = 3200 };

typedef struct demi_levels {
    int count;
    int home;             /* the finest level with many spheres: these decide the order in space */
    int halvings;         /* of the number of classes */
    double looks;         /* how many of one level a sphere would be tested with if all were one */
    double smallest;      /* radius of all */
    double home_smallest; /* radius of the home level, but for dust */
    double largest[DEMI_LEVELS_MOST];          /* radius of each level */
    uint64_t spheres[DEMI_LEVELS_MOST];        /* of each level */
    unsigned char of_class[DEMI_CLASSES_MOST]; /* level of each class that has spheres */
} demi_levels;

/* Spheres class by class: those that have some, from the finest on. */
typedef struct demi_size_classes {
    double smallest; /* radius of all */
    int count;
    int halvings; /* of the number of classes */
    int apart;    /* each class is by itself, as in layers of one size each; else all are mixed */
    uint64_t spheres[DEMI_LEVELS_MOST];
    double least[DEMI_LEVELS_MOST], most[DEMI_LEVELS_MOST]; /* radii */
    int number[DEMI_LEVELS_MOST];                           /* the class */
    unsigned char place[DEMI_CLASSES_MOST];                 /* + 1, in these arrays; 0: none */
} demi_size_classes;

/* The class of a radius. */
int demi_size_class(double radius, double smallest);

/* Empty classes for radii from `smallest` on. */
void demi_size_classes_begin(demi_size_classes *classes, double smallest);
/* Adds so many spheres of a radius. In whatever order they come, the classes are the same. */
void demi_size_classes_add(demi_size_classes *classes, double radius, uint64_t spheres);

/* Chooses the levels. One level is taken unless several need less than half its time, or a few are
 * much finer than most. `reach` is the widest gap at which spheres act. */
void demi_levels_choose(demi_levels *levels, const demi_size_classes *classes, double reach);

/* The level of a radius that was added. */
static inline int demi_level_of(const demi_levels *levels, double radius)
{
    if (levels->count == 1)
        return 0;
    return levels->of_class[demi_size_class(radius, levels->smallest) >> levels->halvings];
}

#endif
