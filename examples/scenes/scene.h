/* SPDX-License-Identifier: MIT */
/* What the scenes share: a world of grains of one size, what is told of it, files and pictures.
 * Uses the public header of libdem, C11, POSIX, and files and progress of the demo. */
#ifndef SCENE_H
#define SCENE_H

#include "../demo/demo.h"

#include <dem/dem.h>

#include <stdint.h>

/* The grains of all scenes: glass-like, of 5 mm, soft enough for some hundred steps a metre. */
#define SCENE_DIAMETER 0.005 /* m */
#define SCENE_DENSITY 2500.0 /* kg/m3 */
#define SCENE_GRAVITY 9.81   /* m/s2 */
#define SCENE_PI 3.14159265358979323846

typedef struct scene {
    const char *name;
    const char *output; /* folder of files and pictures; NULL: none are written */
    int large;          /* the size of the pictures */
    int failed;         /* a judged quantity was out of its limits, or a call failed */
    int terminal;       /* progress is shown */
    dem_world *world;   /* the present one, or NULL */
    double dt;          /* s */
    double stiffness;   /* N/m, of the springs along the normal */
    uint64_t random;    /* state of the generator */
    double shown;       /* s, when progress was last drawn */
    double begin;       /* s, when the label changed */
    const char *label;  /* of what is under way */
} scene;

/* ------------------------------------------------------------------ scene.c */

/* Reads `[--large] [--output FOLDER]`; 0, or -1 with a message. */
int scene_start(scene *s, const char *name, int argc, char **argv);

/* Destroys the world and returns what main returns. */
int scene_end(scene *s);

/* A number in [0, 1), from a generator that is the same everywhere. */
double scene_random(scene *s);

/* Makes an empty world with gravity along -z. `stiffness` is in weights of a grain per diameter;
 * it decides the time step, 1/25 of a collision. The box is periodic along the axes that have a
 * length. 0 or -1. */
int scene_world(scene *s, double stiffness, const double box[3]);

/* Sets the model of all contacts: linear spring and dashpot, sliding and rolling friction. */
int scene_model(scene *s, double restitution, double friction, double rolling);

/* 0; or -1 after a message, where `status` is an error. */
int scene_check(scene *s, dem_status status, const char *what);

/* Makes steps for a time, and shows progress from one fraction of the label to another. */
int scene_run(scene *s, double seconds, double from, double to);
void scene_progress(scene *s, const char *label, double fraction);

/* Tells a figure: one line, which a program can read. */
void scene_show(scene *s, const char *quantity, double value, const char *unit);
/* Tells a figure that has to be `expected` to within `tolerance`, absolute. */
void scene_judge(scene *s, const char *quantity, double value, double expected, double tolerance);

double scene_mass(const scene *s); /* of a grain of the mean size, kg */

/* ------------------------------------------------------------------ grains.c */

/* Adds a grain with a radius within 10 % of the mean. 0 or -1. */
int scene_grain(scene *s, const double position[3], dem_particle_handle *handle);

/* All rows of the world, packed. */
typedef struct scene_rows {
    uint64_t count;
    const uint64_t *id; /* of the world: stale after the next step */
    double *position, *velocity, *force, *radius;
} scene_rows;
int scene_rows_read(scene *s, scene_rows *rows); /* 0 or -1; free them in both cases */
void scene_rows_free(scene_rows *rows);

/* Force and torque of the grains on a wall, and their sums over time. 0 or -1. */
int scene_wall(scene *s, uint64_t id, dem_wall *wall);

double scene_kinetic(scene *s); /* J; -1 on an error */

/* Makes steps until the kinetic energy of a grain is below 1e-8 m g d, for `most` s at most. */
int scene_rest(scene *s, double most);

/* ------------------------------------------------------------------ surface.c */

/* Surfaces of walls as triangles, for pictures and files. */
typedef struct scene_triangle {
    double corner[3][3];
    double normal[3]; /* unit */
    int glass;        /* is seen through where its normal shows to the eye */
    int coloured;     /* has this colour, from 0 to 1; else it is grey */
    float rgb[3];
} scene_triangle;

typedef struct scene_surface {
    uint64_t count, room;
    scene_triangle *triangle;
    int failed; /* no memory */
} scene_surface;

/* The normal of both is along (b - a) x (c - a). */
void surface_triangle(scene_surface *surface, const double a[3], const double b[3],
                      const double c[3], int glass);
void surface_quad(scene_surface *surface, const double a[3], const double b[3], const double c[3],
                  const double d[3], int glass);
/* The side of a cone about `axis` through `centre`, seen from outside, as a pane of glass. */
void surface_cone(scene_surface *surface, const double centre[3], const double axis[3],
                  double height, double radius_low, double radius_high);
/* A ring across `normal`; radius_inner may be 0. */
void surface_ring(scene_surface *surface, const double centre[3], const double normal[3],
                  double radius_inner, double radius, int glass);
void surface_free(scene_surface *surface);

/* NAME.vtp, walls as triangles. 0 or -1. */
int surface_write(const char *folder, const char *name, const scene_surface *surface);

/* ------------------------------------------------------------------ render.c */

typedef struct scene_look {
    double azimuth, elevation; /* degrees, of the eye */
    double low[3], high[3];    /* box that is shown, m */
    int width, height;         /* pixels */
    const float *rgb;          /* [rows][3], colours of grains from 0 to 1 */
} scene_look;

/* A colour of the scale from blue (0) to orange (1). */
void look_colour(double value, float rgb[3]);

/* Writes FOLDER/NAME.png. 0 or -1. */
int look_write(const char *folder, const char *name, const scene_look *look, const scene_rows *rows,
               const scene_surface *surface);

/* Grains and walls for ParaView: NAME_grains.vtp, NAME_walls.vtp; and NAME.png. 0 or -1. */
int scene_picture(scene *s, const char *name, const scene_look *look, const scene_rows *rows,
                  const scene_surface *surface);

#endif
