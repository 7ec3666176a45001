/* SPDX-License-Identifier: MIT */
#include "search/levels.h"

#include <math.h>
#include <string.h>

/* Several levels are taken where they need less than this part of the time of one. */
#define WORTH 0.5
/* Spheres may be anywhere among coarser ones, or beside them all: no more space counts than this
 * times what they and finer ones need. */
#define COARSER 8.0
/* ns more for a sphere of another level than the home one, which looks by itself. */
#define BY_ITSELF 1000.0
/* A level with more than this part of all spheres may be the home of all. Finer spheres than so
 * many, by this factor, are dust: they get levels of their own, whatever the time. */
enum { HOME_SHARE = 8, DUST = 8 };

int demi_size_class(double radius, double smallest)
{
    double ratio = radius / smallest;
    int doublings = 0, exponent, of_smallest;
    if (!(ratio < 1e70)) { /* nor may its fourth power overflow */
        ratio = frexp(radius, &doublings) / frexp(smallest, &of_smallest);
        doublings -= of_smallest;
    }
    /* the fourth power is below 2 4^k in class k */
    (void)frexp(0.5 * ratio * ratio * ratio * ratio, &exponent);
    exponent += 4 * doublings;
    const int k = exponent <= 0 ? 0 : (exponent + 1) / 2;
    return k < DEMI_CLASSES_MOST - 1 ? k : DEMI_CLASSES_MOST - 1;
}

/* ------------------------------------------------------------------ classes */

void demi_size_classes_begin(demi_size_classes *classes, double smallest)
{
    memset(classes, 0, sizeof *classes);
    classes->smallest = smallest;
}

static void places_number(demi_size_classes *of)
{
    for (int k = 0; k < of->count; ++k)
        of->place[of->number[k]] = (unsigned char)(k + 1);
}

/* Adds spheres with radii in a range to those of a place. */
static void place_add(demi_size_classes *of, int k, double least, double most, uint64_t spheres)
{
    if (of->spheres[k] == 0 || least < of->least[k])
        of->least[k] = least;
    if (of->spheres[k] == 0 || most > of->most[k])
        of->most[k] = most;
    of->spheres[k] += spheres;
}

/* Makes one class of each two that are next to each other. */
static void classes_halve(demi_size_classes *of)
{
    const demi_size_classes finer = *of;
    demi_size_classes_begin(of, finer.smallest);
    of->halvings = finer.halvings + 1;
    for (int k = 0; k < finer.count; ++k) {
        const int number = finer.number[k] >> 1;
        if (of->count == 0 || of->number[of->count - 1] != number)
            of->number[of->count++] = number;
        place_add(of, of->count - 1, finer.least[k], finer.most[k], finer.spheres[k]);
    }
    places_number(of);
}

/* Makes room for a class that has no spheres yet. */
static void class_insert(demi_size_classes *of, int number)
{
    int k = of->count++;
    for (; k > 0 && of->number[k - 1] > number; --k) {
        of->number[k] = of->number[k - 1];
        of->least[k] = of->least[k - 1];
        of->most[k] = of->most[k - 1];
        of->spheres[k] = of->spheres[k - 1];
    }
    of->number[k] = number;
    of->spheres[k] = 0;
    places_number(of);
}

void demi_size_classes_add(demi_size_classes *of, double radius, uint64_t spheres)
{
    const int class = demi_size_class(radius, of->smallest);
    while (of->place[class >> of->halvings] == 0) {
        if (of->count < DEMI_LEVELS_MOST)
            class_insert(of, class >> of->halvings);
        else
            classes_halve(of);
    }
    place_add(of, of->place[class >> of->halvings] - 1, radius, radius, spheres);
}

/* ------------------------------------------------------------------ costs */

/* The volume where the spheres of a class are, of those with lengths in the largest radius. */
static double class_volume(const demi_size_classes *of, int k, double largest)
{
    const double radius = of->most[k] / largest;
    return 2.0 * 4.2 * (double)of->spheres[k] * radius * radius * radius;
}

/* Cube root of a positive number, by arithmetic that is the same everywhere. */
static double cube_root(double number)
{
    int exponent;
    (void)frexp(number, &exponent);
    double root = ldexp(1.0, exponent / 3);
    for (int k = 0; k < 8; ++k)
        root += (number / (root * root) - root) / 3.0;
    return root;
}

/* What it costs a finer sphere to look for those of a level, of which there are `each` in a cell.
 * Neighbours look together, as many as do not meet too many cells: coarser.c. Spacing is that of
 * the finer ones, in cells. */
static double look_cost(double spacing, double each)
{
    static const double edge[] = {4.0, 3.175, 2.52, 2.0, 1.587, 1.26, 1.0}; /* of 64 to 1 */
    double cells = 0.0, together = 64.0;
    for (int k = 0; k < 7; ++k, together *= 0.5) {
        const double along = 1.3 * spacing * (edge[k] - 1.0) + 2.2;
        cells = along * along * along / together;
        if (cells * together <= 64.0)
            break;
    }
    return 4.0 + cells * (6.0 + 4.0 * each);
}

/* What it costs a sphere to look for those of its level, of which there are q in a cell. */
static double own_cost(double q)
{
    /* where few cells hold a sphere, each sphere looks up the blocks around it */
    const double blocks = q > 0.015 ? 4.0 / q : 270.0;
    return 12.0 * q + 35.0 / (q > 1.0 ? q : 1.0) + blocks;
}

/* Costs where each class is by itself: a cell is full of one, and hardly any looks for coarser
 * ones. */
static double apart_cost(const demi_size_classes *of, int begin, int end, double reach)
{
    double cost = 0.0;
    for (int k = 0; k < end; ++k) {
        const double spheres = (double)of->spheres[k];
        if (k < begin) {
            cost += 6.0 * spheres;
            continue;
        }
        const double width = (2.2 * of->most[end - 1] + reach) / of->most[k],
                     q = width < 1e6 ? width * width * width / (2.0 * 4.2) : spheres;
        cost += spheres * (own_cost(q < spheres ? q : spheres) + (begin > 0 ? BY_ITSELF : 0.0));
    }
    return cost;
}

/* Measured costs, in ns. */
static double level_cost(const demi_size_classes *of, int begin, int end, double all,
                         double largest, double reach)
{
    if (of->apart)
        return apart_cost(of, begin, end, reach);
    const double radius = of->most[end - 1];
    double spheres = 0.0, finer = 0.0, own = 0.0;
    for (int k = 0; k < end; ++k) {
        own += class_volume(of, k, largest);
        *(k < begin ? &finer : &spheres) += (double)of->spheres[k];
    }
    const double volume = all < COARSER * own ? all : COARSER * own;
    /* lengths in the largest radius, so that their cubes stay finite */
    const double width = 2.2 * (radius / largest) + reach / largest;
    /* spheres a cell; 1 where cubes of what is so fine vanish */
    const double q = volume > 0.0 ? spheres * width * width * width / volume : 1.0;
    const double alone = spheres * own_cost(q);
    if (finer == 0.0 || !(volume > 0.0))
        return alone;
    return alone + finer * look_cost(cube_root(volume / (finer + spheres)) / width, q);
}

/* ------------------------------------------------------------------ choice */

/* The cheapest cuts: begin[k] is the first class of the level that ends with class k. */
static double cheapest(const demi_size_classes *of, int classes, double volume, double largest,
                       double reach, int begin[DEMI_LEVELS_MOST])
{
    double best[DEMI_LEVELS_MOST + 1];
    best[0] = 0.0;
    for (int end = 1; end <= classes; ++end) {
        best[end] = INFINITY;
        for (int from = 0; from < end; ++from) {
            const double cost = best[from] + level_cost(of, from, end, volume, largest, reach);
            if (cost < best[end]) {
                best[end] = cost;
                begin[end - 1] = from;
            }
        }
    }
    return best[classes];
}

static void levels_fill(demi_levels *levels, const demi_size_classes *of, int classes,
                        const int begin[DEMI_LEVELS_MOST])
{
    int starts[DEMI_LEVELS_MOST] = {0};
    for (int end = classes; end > 0; end = begin[end - 1])
        starts[begin[end - 1]] = 1;
    levels->count = 0;
    for (int k = 0; k < classes; ++k) {
        levels->count += starts[k];
        levels->of_class[of->number[k]] = (unsigned char)(levels->count - 1);
        levels->largest[levels->count - 1] = of->most[k];
        levels->spheres[levels->count - 1] += of->spheres[k];
    }
}

/* The finest class that is not dust: more than a share of all is in it and in finer ones. */
static int finest_class(const demi_size_classes *of)
{
    uint64_t all = 0, finer = 0;
    for (int k = 0; k < of->count; ++k)
        all += of->spheres[k];
    for (int k = 0; k < of->count; ++k) {
        finer += of->spheres[k];
        if (finer > all / HOME_SHARE)
            return k;
    }
    return 0;
}

/* The finest level with enough spheres, or the one with the most. */
static void choose_home(demi_levels *levels, const demi_size_classes *of, int finest)
{
    uint64_t all = 0, most = 0;
    for (int k = 0; k < levels->count; ++k) {
        all += levels->spheres[k];
        if (levels->spheres[k] > most) {
            most = levels->spheres[k];
            levels->home = k;
        }
    }
    for (int k = levels->count; k-- > 0;)
        if (levels->spheres[k] > all / HOME_SHARE)
            levels->home = k;
    for (int k = of->count; k-- > 0;)
        if (levels->of_class[of->number[k]] == levels->home &&
            (k >= finest || levels->home_smallest == 0.0))
            levels->home_smallest = of->least[k];
}

void demi_levels_choose(demi_levels *levels, const demi_size_classes *of, double reach)
{
    const int classes = of->count;
    const double largest = classes > 0 ? of->most[classes - 1] : 0.0;
    int begin[DEMI_LEVELS_MOST] = {0};
    double volume = 0.0;
    memset(levels, 0, sizeof *levels);
    levels->smallest = of->smallest;
    levels->halvings = of->halvings;
    for (int k = 0; k < classes; ++k)
        volume += class_volume(of, k, largest);
    const int finest = finest_class(of);
    const double width = 2.2 + (largest > 0.0 ? reach / largest : 0.0);
    double spheres = 0.0;
    for (int k = 0; k < classes; ++k)
        spheres += (double)of->spheres[k];
    levels->looks = volume > 0.0 ? 13.5 * spheres * width * width * width / volume : 0.0;
    if (classes > 1 && !(cheapest(of, classes, volume, largest, reach, begin) <
                         WORTH * level_cost(of, 0, classes, volume, largest, reach))) {
        memset(begin, 0, sizeof begin);
        if (of->least[finest] > DUST * of->smallest)
            begin[classes - 1] = finest;
    }
    levels_fill(levels, of, classes, begin);
    choose_home(levels, of, finest);
}
