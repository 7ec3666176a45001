/* SPDX-License-Identifier: MIT */
/* Fine spheres fall through a bed of large ones that stands still (Vyas et al., Sec. 5.2). */
#ifndef PERCOLATION_H
#define PERCOLATION_H

#include "../demo/demo.h"
#include "../fines/fine.h"

#include <stdint.h>

/* ------------------------------------------------------------------ bed.c */

/* A random packing in a box that is periodic in x and y, from 0 to `side`. */
typedef struct bed {
    int count;
    double *centre; /* [count][3], m */
    double side[3], radius;
    double fraction; /* of the volume that is filled */
} bed;

/* Packs spheres of `radius` with gaps of 1 % into a box of 8 by 8 by `depth` radii (a little more
 * when the spheres have shrunk by the gap). 0, or -1 with a message. */
int bed_make(bed *b, double radius, double depth, uint64_t seed);
void bed_free(bed *b);

/* SplitMix64, uniform in [0, 1): the same numbers on every machine. */
double bed_random(uint64_t *state);

/* ------------------------------------------------------------------ fall.c */

enum { FALL_LOOKS = 3 };

/* One way to let fines fall. */
typedef struct fall_setup {
    const bed *bed;
    int scheme;              /* DEM_INTEGRATOR_VERLET_... */
    fine_pair pair;          /* a fine against a bed sphere */
    double mass;             /* of a fine, kg */
    double dt, end;          /* time step and end, s */
    double look[FALL_LOOKS]; /* times at which positions are kept, ascending; the last is `end` */
    int skip_flights; /* 1: free flight in registers, with the same bits; 0: every step in full */
} fall_setup;

typedef struct fall_result {
    double position[3], velocity[3],
        angular_velocity[3];    /* at the end, or where the fine left the bed */
    double look[FALL_LOOKS][3]; /* positions; after leaving, where it left */
    double time;                /* of leaving; `end` for a fine that did not */
    int trapped;                /* still above the bed's lowest plane less R + r */
    int failed;                 /* an overlap beyond half the fine one's radius */
    uint64_t steps, contact_steps;
} fall_result;

/* The parameters of the paper: ratio 20, mu 0.3, e 0.8, k_n of an overlap of 0.1 % (Eq. 27),
 * dt = t_c/40; looks at 0.2, 0.4 and 1 of `end`. */
fall_setup fall_paper(const bed *b, int scheme, double end);

/* Where fine number `fine` starts: its lowest point 0.2 mm above the bed. */
void fall_start(const fall_setup *s, uint64_t seed, int fine, double position[3]);

/* Lets one fine fall from rest. */
void fall_run(const fall_setup *s, const double start[3], fall_result *result);

/* ------------------------------------------------------------------ run.c */

enum { PERCOLATION_SCHEMES = 3 };

/* The three schemes, standard first. */
extern const char *const percolation_name[PERCOLATION_SCHEMES];
extern const int percolation_scheme[PERCOLATION_SCHEMES];

/* Many fines in one bed by one scheme. */
typedef struct percolation {
    fall_setup setup;
    uint64_t seed;
    int count;
    fall_result *result;  /* [count] */
    unsigned char *known; /* [count] 1: has been run */
    /* called after each fine, by one thread at a time; NULL: nothing */
    void (*done)(void *user, const struct percolation *p, int fine);
    void *user;
} percolation;

/* Runs the fines that are not known, on the threads of `executor` if it has any. */
void percolation_run(percolation *p, const dem_executor *executor);
int percolation_trapped(const percolation *p);
/* Median time, s, in which those that fall through leave the bed. */
double percolation_median(const percolation *p);

/* ------------------------------------------------------------------ picture.c */

/* Panels side by side: the fines of each scheme at the looks from `first_look` on; trapped ones in
 * red. Writes an SVG file. 0, or -1 with a message. */
int percolation_picture(const char *folder, const char *name, const percolation *set,
                        int first_look);

/* ------------------------------------------------------------------ short.c */

/* The short form, for the demo: 80 fines in one bed of 16 R, 1 s. 0 or -1. */
int percolation_short(const char *folder, int threads);

#endif
