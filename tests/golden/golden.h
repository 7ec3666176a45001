/* SPDX-License-Identifier: MIT */
/* Golden hashes: two dozen scenes, each run to a hash over all that a host can read of it. The same
 * hash for every instruction set and number of threads, and the one that golden.txt keeps: a change
 * of bits is seen, and accepted on purpose. Units are those of the benchmark. */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <dem/dem.h>

/* How a scene is computed; none of it may change a bit. */
typedef struct golden_way {
    int32_t isa, threads;
} golden_way;

/* What a scene came to. */
typedef struct golden_sum {
    uint64_t hash;
    uint64_t contacts; /* most that there were */
    int dump;          /* print the forces of the first step, by id, instead */
} golden_sum;

/* Mixes doubles or words, bit by bit, into the hash. */
void golden_doubles(golden_sum *sum, const double *values, uint64_t count);
void golden_words(golden_sum *sum, const uint64_t *words, uint64_t count);
/* Mixes in all that a host can read of a world, by ids and keys. */
void golden_world(golden_sum *sum, dem_world *world);
/* Mixes in what a fluid did: its work, and the impulses of all particles, by ids. */
void golden_impulses(golden_sum *sum, dem_world *world);
/* Prints contact forces and torques, by id, to 17 digits. */
void golden_forces(dem_world *world);

extern const char *const golden_worlds[]; /* ends with NULL */
void golden_world_run(int scene, golden_way way, golden_sum *sum);
extern const char *const golden_hosts[]; /* scenes at level 1; ends with NULL */
void golden_host_run(int scene, golden_way way, golden_sum *sum);

#endif
