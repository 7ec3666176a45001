/* SPDX-License-Identifier: MIT */
/**
 * @file analysis.h
 * Level 2: what a packing is like: stress, fabric, coordination, granular temperature, work and
 * dissipation; of all particles, of boxes, of each particle.
 *
 *     dem_analysis_grid grid;
 *     dem_analysis_box box;
 *     dem_analysis_grid_init(&grid);
 *     box.struct_size = sizeof box;
 *     dem_world_boxes_analyse(world, &grid, 1, &box);
 *
 * gives `box.moment` of all particles. Set low and high of the grid for a box that has a volume, so
 * that `box.stress` is not 0, and boxes for many.
 *
 * A particle is in the box that has its centre. A contact has an end at each of its two particles;
 * each end counts in the box of its particle. So what is a sum over particles, ends or energies is
 * a sum over boxes, too: boxes that fill a region give what the region gives, to round-off. In a
 * world with ghosts add the sums of all worlds: one that counts a contact has both of its ends, so
 * means of one world alone, such as the coordination, are not those of its particles.
 *
 * **Stress.** Each end adds l_a f_b to the moment, where l goes from the centre to the contact
 * point and f is the force on the particle. Both ends of a contact add the branch vector times the
 * force (Love and Weber). Stress is moment over volume: tension is positive, the pressure is a
 * third of the negative trace. The kinetic stress is -fluctuation/volume.
 *
 * Nothing here changes the trajectory.
 */
#ifndef DEM_ANALYSIS_H
#define DEM_ANALYSIS_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A grid of equal boxes. Along a periodic axis positions are those inside the world's box. */
typedef struct dem_analysis_grid {
    uint64_t struct_size; /**< sizeof, set by dem_analysis_grid_init */
    double low[3];        /**< m, belongs to the grid; default -INFINITY: without bound, or where a
                               periodic axis begins */
    double high[3];       /**< m, > low, does not belong to the grid; default INFINITY likewise */
    int32_t boxes[3];     /**< along each axis, > 0; default 1; more need finite bounds */
    int32_t reserved;     /**< zero */
    double timestep;      /**< s, >= 0: dissipation is what a step of this length from here
                               dissipates, over the length; 0 (default): it is not computed */
} dem_analysis_grid;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_analysis_grid_init_sized(dem_analysis_grid *grid, uint64_t size);

/** Fills the defaults: one box that has all particles. */
static inline dem_status dem_analysis_grid_init(dem_analysis_grid *grid)
{
    return dem_analysis_grid_init_sized(grid, sizeof(dem_analysis_grid));
}

/** What the particles of a box are like. Tensors have component (a, b) at 3 a + b. */
typedef struct dem_analysis_box {
    uint64_t struct_size;  /**< sizeof(dem_analysis_box), set by the caller */
    uint64_t particles;    /**< with their centres in the box */
    uint64_t contact_ends; /**< at them; a contact of two of them has two */
    double volume;         /**< of the box, m3; INFINITY without bounds */
    double solid_volume;   /**< of the particles and of the parts of bodies, m3, overlaps counted
                                twice */
    double mass;           /**< of the free particles, kg; from here to granular_temperature, in
                                power_... and in dissipation_drag, bodies are left out */
    double velocity[3];    /**< of the centre of that mass, m/s */
    double fluctuation[9]; /**< sum of m u_a u_b of the free ones, u = v - velocity, N m */
    double granular_temperature; /**< sum of m u.u over 3 mass, m2/s2 */
    double coordination;         /**< contact_ends over particles */
    double fabric[9];            /**< mean of n_a n_b of the ends, n the normal; its trace is 1 */
    double moment[9];            /**< sum of l_a f_b of the ends, N m */
    double stress[9];            /**< moment over volume, Pa; 0 without bounds */
    double elastic;             /**< J, stored in contacts; each end has half, a contact with a wall
                                     has one end */
    double power_contact;       /**< W, of contact forces and torques on the free particles */
    double power_external;      /**< W, of your forces and torques on them */
    double power_gravity;       /**< W, of gravity on them */
    double dissipation_normal;  /**< W, of the ends, by normal dashpots; see timestep */
    double dissipation_dashpot; /**< W, likewise by tangential dashpots */
    double dissipation_slip;    /**< W, likewise by sliding */
    double dissipation_rolling; /**< W, likewise by rolling and twisting resistance */
    double power_drag;          /**< W, of the drag by a fluid on the free particles, linear and
                                     rotational */
    double dissipation_drag;    /**< W, that drag on the free particles turns into heat; with
                                   power_drag all that the fluid gives them */
} dem_analysis_box;

/** Analyses the last complete step box by box.
 *
 * Forces are those of dem_world_contacts_read, without those of films (law_film.h), which last for
 * a part of a step alone: neither stress, power nor dissipation has them. Drag is beta (u - v) with
 * the present fields and velocities, see coupling.h; the inertia of added masses is not in it.
 * Elastic energy and dissipation need dem_world_config.energy_tracking, and are 0 without it.
 * Dissipation times `timestep` is what the next step adds to dem_world_energies in the contacts
 * that are there now; contacts which that step makes come on top. Where parts of bodies touch, and
 * on walls that are curved or turn, it is so to first order in `timestep`; contacts of polyhedra
 * have the geometry of the last step, which leaves out what they slip because their force falls.
 * @param world the world
 * @param grid the boxes
 * @param count number of boxes, which must be boxes[0] boxes[1] boxes[2]
 * @param box out: [count], box (i, j, k) at i + boxes[0] (j + boxes[1] k), each with struct_size
 * set to the same value; on error not changed, but all 0 where a law fails
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN (reserved is not 0), _STRUCT_SIZE;
 *  _CALLBACK, _DIVERGED (a law fails, see dem_world_contact_next) */
DEM_API dem_status dem_world_boxes_analyse(const dem_world *world, const dem_analysis_grid *grid,
                                           uint64_t count, dem_analysis_box *box);

/** Your arrays for dem_world_particles_analyse, with a row for each row of a view. Arrays that are
 * NULL are skipped. Rows of ghosts are 0; owned particles have all of their contacts, also those
 * with ghosts. */
typedef struct dem_analysis_particles {
    uint64_t struct_size; /**< sizeof, set by dem_analysis_particles_init */
    uint64_t capacity;    /**< rows of each array, at least dem_view.count */
    uint64_t *id;         /**< global ids; 0: the row's particle was removed or is a ghost, and
                               its row is 0 */
    uint64_t *contacts;   /**< number of contacts */
    double *fabric;       /**< [capacity][9]: sum of n_a n_b over its contacts */
    double *moment;       /**< [capacity][9]: sum of l_a f_b over its contacts, N m; the stress of a
                               particle is this over the volume that you give it */
} dem_analysis_particles;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_analysis_particles_init_sized(dem_analysis_particles *arrays, uint64_t size);

/** Fills the defaults: no arrays. */
static inline dem_status dem_analysis_particles_init(dem_analysis_particles *arrays)
{
    return dem_analysis_particles_init_sized(arrays, sizeof(dem_analysis_particles));
}

/** Analyses the last complete step particle by particle, in the order of the rows of a view.
 * @param world the world
 * @param arrays the arrays; rows from `count` on stay as they are. Where a law fails, contacts,
 * fabric and moment are 0, ids are those of the rows, and `count` is not written
 * @param count out: number of rows, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE (fewer rows than the world has), _STRUCT_SIZE;
 *  _CALLBACK, _DIVERGED (a law fails, see dem_world_contact_next) */
DEM_API dem_status dem_world_particles_analyse(const dem_world *world,
                                               const dem_analysis_particles *arrays,
                                               uint64_t *count);

#ifdef __cplusplus
}
#endif
#endif
