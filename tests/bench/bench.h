/* SPDX-License-Identifier: MIT */
/* What the files of the benchmark share. Units are those of LAMMPS's chute benchmark: diameter and
 * density of a grain 1, gravity 1. */
#ifndef BENCH_H
#define BENCH_H

#include "../../examples/demo/demo.h" /* grains, and the reader of LAMMPS data files */

/* The folder with the grains, in LAMMPS's data format. In a scene without a plane, type 2 stands
 * still; on a plane, types are classes of sizes, which LAMMPS's search on levels goes by. */
#define BENCH_CHUTE "data.chute"
#define BENCH_BED "data.bed32k"
#define BENCH_RATIO10 "data.ratio10"
#define BENCH_RATIO20 "data.ratio20"
#define BENCH_RATIO100 "data.ratio100"
#define BENCH_ONE10 "data.one10"
#define BENCH_LOG_NORMAL "data.log-normal"
#define BENCH_LATTICE "data.lattice"
#define BENCH_GAS "data.gas"
#define BENCH_DRUM "data.drum"
#define BENCH_LIFTERS "data.lifters"
#define BENCH_LIFTERS_STL "lifters.stl"

/* Radius and length of the drums, and the speed of their shell. */
#define BENCH_DRUM_RADIUS 20.0
#define BENCH_DRUM_LENGTH 54.0
#define BENCH_DRUM_SPEED 1.4

/* What grains are on or in. */
enum {
    BENCH_ON_FROZEN = 0, /* grains of type 2, which stand still */
    BENCH_ON_PLANE = 1,  /* at 0 */
    BENCH_ON_DRUM = 2,   /* a cylinder about the axis z that turns */
    BENCH_ON_LIFTERS = 3 /* the same with lifters and ends, a mesh */
};

/* How the laws of a scene are set up. */
enum {
    BENCH_DEFAULT, /* as libdem has it when nothing is asked for */
    BENCH_MATCH    /* as LAMMPS computes: see models.c */
};

/* Room for the parameters of any law. */
typedef union bench_parameters {
    uint64_t size;
    dem_linear linear;
    double room[32];
} bench_parameters;

/* A model with its parameters. */
typedef struct bench_model {
    dem_contact_model model;
    bench_parameters parameters[4];
} bench_model;

/* A law that does nothing, which costs.c registers. */
#define BENCH_NOTHING "nothing"

extern const char *const bench_models[]; /* what `costs` times; ends with NULL */
/* Fills a model from the names of its parts, "hertz+mindlin". Ends the program where one is not
 * known. */
void bench_model_fill(bench_model *model, const char *names, int mode);

double bench_seconds(void); /* of a clock on the wall */
double bench_work(void);    /* s, that all threads of the program have computed */
/* Ends the program with the message unless the status is DEM_OK. */
void bench_must(dem_status status, const char *message);
void bench_fail(const char *what, const char *why) __attribute__((noreturn));

/* SplitMix64: the same grains on every machine; uniform in [0, 1). */
double bench_random(uint64_t *state);

/* Grains of a file, repeated along x and y. */
void bench_grains_read(const char *folder, const char *file, int tiles_x, int tiles_y,
                       demo_grains *grains);
void bench_grains_write(const char *folder, const char *file, const demo_grains *grains);
/* Makes the files of grains where they are missing. */
void bench_generate(const char *folder, int threads);
/* Grains on a plane: a few coarse ones among fines, sizes of a log-normal distribution, a lattice
 * with six contacts each, a dilute gas. */
void bench_generate_on_plane(const char *folder, int threads);
/* 20,000 fines and some grains of so many times their diameter. */
void bench_generate_ratio(const char *folder, const char *file, int ratio, int threads);

/* The drums of drum.c: their grains, the world's configuration, and the wall. */
void bench_generate_drums(const char *folder, int threads);
void bench_drum_config(int place, const demo_grains *grains, double strength,
                       dem_world_config *config);
void bench_drum_add(dem_world *world, int place, int still);

/* One stretch of the way to a scene. */
typedef struct bench_stretch {
    double gravity, angle;
    double rate;  /* of the dashpots, 1/time */
    double kept;  /* of the velocities, after each hundred steps */
    int hundreds; /* of steps */
} bench_stretch;
void bench_stretch_run(demo_grains *grains, int threads, const bench_stretch *stretch, int place);
void bench_settle(demo_grains *grains, int threads, int place); /* until they rest */
int bench_grains_there(const char *folder, const char *file);

/* A world of grains; models are set by the caller before the first step. */
typedef struct bench_world {
    int integrator, threads, isa, energy_tracking;
    int materials;       /* of free grains, dealt out at random; frozen ones are one more */
    int place;           /* BENCH_ON_ */
    int still;           /* a drum does not turn */
    double angle;        /* of gravity to the vertical, degrees */
    double strength;     /* of gravity */
    double skin;         /* 0: as the peers have it */
    int sums;            /* DEM_SUMS_ */
    uint64_t chunk_rows; /* 0: by number */
    /* NULL: threads of the world's own */
    void (*run)(void *user, void (*task)(void *argument, uint64_t k), void *argument,
                uint64_t count);
} bench_world;
dem_world *bench_world_make(const demo_grains *grains, const bench_world *options);
void bench_grains_update(dem_world *world, demo_grains *grains); /* positions, velocities, spins */

int bench_run(int count, char **arguments);       /* scenes.c */
int bench_costs(int count, char **arguments);     /* costs.c */
int bench_walls(int count, char **arguments);     /* walls.c */
int bench_bodies(int count, char **arguments);    /* bodies.c */
int bench_level1(void);                           /* level1.c */
int bench_list(int count, char **arguments);      /* list.c */
int bench_polyhedra(void);                        /* polyhedra.c */
int bench_sums(int count, char **arguments);      /* sums.c */
int bench_parcels(int count, char **arguments);   /* parcels.c */
int bench_memory(int count, char **arguments);    /* memory.c */
int bench_insertion(int count, char **arguments); /* insertion.c */
int bench_threads(int count, char **arguments);   /* threads.c */
int bench_grains(int count, char **arguments);    /* curves.c */
int bench_streams(int count, char **arguments);   /* streams.c */
void bench_memory_print(const dem_world *world);

#endif
