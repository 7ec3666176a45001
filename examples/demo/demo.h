/* SPDX-License-Identifier: MIT */
/* What the files of the demo share. Uses the public header of libdem, C11 and POSIX, no more. */
#ifndef DEMO_H
#define DEMO_H

#include <dem/dem.h>

#include <stdint.h>
#include <stdio.h>

/* ------------------------------------------------------------------ options (main.c) */

enum { DEMO_FROZEN_MAX = 16 };

/* Which usual values hold for what the host does not give. */
enum { SCENE_PLAIN, SCENE_CHUTE, SCENE_RATIO };

typedef struct demo_options {
    const char *input;  /* LAMMPS data file, or NULL for the generated packing */
    const char *output; /* folder */
    const char *law;    /* DEM_LAW_... */
    int32_t integrator; /* of the packing; the groove runs all three */
    int scene;          /* SCENE_... */
    int has_gravity;
    double gravity[3];
    int has_floor;
    double floor; /* height of a plane wall */
    int has_boundary;
    int32_t boundary[3];
    int has_frozen;
    int frozen_count;
    int frozen[DEMO_FROZEN_MAX];
    int has_kt;
    double kn, kt, gamma, mu, dt, skin;
    uint64_t steps; /* 0: chosen to fit the time */
    int threads;
    int groove_steps; /* a contact time of the groove */
    int percolation, groove, packing;
} demo_options;

/* ------------------------------------------------------------------ progress.c */

typedef struct demo_progress {
    const char *label;
    double start; /* s */
    double drawn; /* s, when the bar was last drawn */
    int terminal; /* draw a bar, or write quiet lines */
    int quarter;  /* of the quiet lines, the last one written */
} demo_progress;

double demo_seconds(void); /* a clock that never goes back */
void demo_progress_start(demo_progress *progress, const char *label);
void demo_progress_show(demo_progress *progress, double fraction);
void demo_progress_end(demo_progress *progress);

/* ------------------------------------------------------------------ output.c */

/* A file being written: any error is kept until the end, and a bad file is removed. */
typedef struct demo_file {
    FILE *stream;
    char path[1024];
} demo_file;

int demo_folder(const char *path); /* makes it with its parents; 0 or -1 with a message */
int demo_file_open(demo_file *file, const char *folder, const char *name);
int demo_file_close(demo_file *file); /* 0, or -1 with a message */
void demo_file_write(demo_file *file, const void *data, size_t size);

/* ------------------------------------------------------------------ groove */

/* A fine sphere rolls down the valley between two touching large ones that stand still. */
typedef struct groove_case {
    double large_radius, ratio, density, friction, gravity, start; /* start in rad */
    double fine_radius, fine_mass, large_mass;                     /* derived */
    double stiffness, stiffness_tangential, restitution, contact_time;
} groove_case;

typedef struct groove_result {
    int trapped;
    double angle, time, angular_velocity; /* at separation: rad, s, rad/s */
    double slip_angle;                    /* rigid solution only */
    double seconds;                       /* of computing */
    uint64_t steps;
} groove_result;

void groove_case_fill(groove_case *c);
void groove_rigid(const groove_case *c, groove_result *result); /* groove_rigid.c */
double groove_rigid_angle(const groove_case *c);                /* at separation, rad */
int groove_run(const demo_options *options);                    /* groove.c; 0 or -1 */

/* ------------------------------------------------------------------ grains */

typedef struct demo_grain {
    uint64_t id;
    int type;
    double diameter, density;
    double position[3], velocity[3], angular_velocity[3];
} demo_grain;

typedef struct demo_grains {
    uint64_t count;
    demo_grain *grain;
    int types;
    double low[3], high[3];
    int has_velocities;
} demo_grains;

/* Reads a LAMMPS data file of atom_style sphere. 0; or -1 with `file:line: reason` on stderr. */
int lammps_data_read(const char *path, demo_grains *grains);
int packing_generate(demo_grains *grains); /* 0, or -1 with a message */
void demo_grains_free(demo_grains *grains);

int packing_run(const demo_options *options, const demo_grains *grains); /* 0 or -1 */

/* What pictures and .vtp files show: packed rows in the order of the world's views. */
typedef struct demo_frame {
    uint64_t count;
    const uint64_t *id;
    const double *position, *velocity, *force, *radius;
    const unsigned char *frozen;
    double low[3], high[3]; /* of what is shown */
    double time;
} demo_frame;

int vtp_write(const char *folder, const char *name, const demo_frame *kinematics);
int vtp_series_write(const char *folder, const char *name, const char *stem, int count,
                     const double *times);
int picture_write(const char *folder, const char *name, const demo_frame *kinematics);
int png_write(const char *folder, const char *name, int width, int height,
              const unsigned char *rgb);

/* ------------------------------------------------------------------ threads.c */

typedef struct demo_threads demo_threads;
demo_threads *demo_threads_create(int count, dem_executor *executor); /* NULL: none */
void demo_threads_destroy(demo_threads *threads);

#endif
