/* SPDX-License-Identifier: MIT */
/* Exact sums of a world, dem_world_config.sums: contact forces are added as integers, so that bits
 * do not depend on the list; on periodic axes positions lie on a grid, where adding a period does
 * not round. */
#ifndef DEMI_EXACT_H
#define DEMI_EXACT_H

#include "contact/sums.h"
#include "list/list.h"

/* Sums of a row of a world, in places as those of demi_force_torque. */
typedef struct demi_exact_row {
    uint64_t high[8], low[8];
} demi_exact_row;

/* The ranges in those places. */
typedef struct demi_exact_places {
    double most[8], unit_high[8], unit_low[8], round_high[8], round_low[8];
} demi_exact_places;

/* Sums of 128 bits over the chunks, of one wall: low and high half of each number of a row. */
typedef struct demi_exact_wall {
    uint64_t half[DEM_SUMS_SIZE][2];
} demi_exact_wall;

typedef struct demi_exact_world {
    demi_sums sums;          /* the ranges alone */
    demi_exact_range moment; /* of torques about the centres of walls, whose arms are long */
    demi_exact_places places;
    DEMI_ARRAY(demi_exact_row) own; /* of the rows of reductions, what their own chunk gave */
    DEMI_ARRAY(demi_exact_wall) wall;
    double grid[4]; /* adding and subtracting it rounds to the grid; 0 on open axes */
    double slack;   /* by which rounding may lengthen a displacement */
} demi_exact_world;

/* Moments about walls have a range so many times as large as other torques. */
#define DEMI_EXACT_ARMS 0x1p24

/* Ends of periodic axes of which the grid is finite, m. */
#define DEMI_EXACT_BOX 1e300

/* Reads the options of a config that is checked, and rounds its box to the grid. */
void demi_exact_init(demi_exact_world *exact, dem_world_config *config);
void demi_exact_free(demi_context *context, demi_exact_world *exact);
/* Room for the copies of a list and the walls of a world. */
dem_status demi_exact_reserve(demi_context *context, demi_exact_world *exact, uint64_t chunk_copies,
                              uint64_t walls);
/* Rounds positions to the grid. */
void demi_exact_place(const demi_exact_world *exact, demi_row *position, uint64_t rows);
void demi_exact_place_one(const demi_exact_world *exact, double position[3]);
/* Adds what a chunk has of a wall; what the wall has in all: force, and torque about its centre. */
void demi_exact_wall_add(demi_exact_wall *wall, const demi_exact_row *row);
void demi_exact_wall_value(const demi_exact_world *exact, const demi_exact_wall *wall,
                           double force[3], double torque[3]);

#endif
