/* SPDX-License-Identifier: MIT */
/* What acts on walls in all worlds together. Each world tells its part as numbers that add without
 * rounding where sums are exact; the host adds them, and tells the total to the walls that seek. */
#include "world/wall_total.h"

#include "base/check.h"
#include "base/entry.h"

#include <dem/distribution.h>

#include <string.h>

/* Of an exact sum of 128 bits: pieces of 32 bits, which remain whole numbers when those of 2^21
 * worlds are added. */
enum { PIECES = 4, SUMS = DEM_WALL_PART_SIZE / PIECES };
/* Numbers of a part where sums are not exact: force, torque, stiffness and damping. */
enum { PLAIN = 8 };
#define PIECE_MOST 0x1p53

/* ------------------------------------------------------------------ exact sums as numbers */

static void sum_split(const uint64_t half[2], double piece[PIECES])
{
    const uint64_t low = UINT32_MAX;
    piece[0] = (double)(half[0] & low);
    piece[1] = (double)(half[0] >> 32);
    piece[2] = (double)(half[1] & low);
    piece[3] = (double)(half[1] >> 32);
}

/* Adds a whole number times 2^(32 place) to a sum, which wraps: so negative ones add, too. */
static void sum_add(uint64_t half[2], double piece, int place)
{
    uint64_t term[2] = {(uint64_t)piece, 0};
    for (int p = 0; p < place; ++p) {
        term[1] = term[1] << 32 | term[0] >> 32;
        term[0] <<= 32;
    }
    half[0] += term[0];
    half[1] += term[1] + (uint64_t)(half[0] < term[0]);
}

/* ------------------------------------------------------------------ parts */

static void part_of(const dem_world *w, uint64_t index, double part[DEM_WALL_PART_SIZE])
{
    const demi_wall_force *force = &w->next.wall_force.read[index];
    memset(part, 0, DEM_WALL_PART_SIZE * sizeof *part);
    if (!w->wall.read[index].active) /* nothing is on it */
        return;
    if (w->exact.sums.exact) {
        const demi_exact_wall *sums = &w->exact.wall.read[index];
        for (int k = 0; k < SUMS; ++k)
            sum_split(sums->half[k], part + PIECES * k);
        return;
    }
    memcpy(part, force->force, 3 * sizeof *part);
    memcpy(part + 3, force->torque, 3 * sizeof *part);
    part[6] = force->stiffness;
    part[7] = force->damping;
}

DEMI_GUARDED guarded_part_get(const dem_world *world, uint64_t id, double part[DEM_WALL_PART_SIZE])
{
    uint64_t index;
    if (part == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "part: must not be NULL");
    const dem_status status = demi_wall_find(world, id, &index);
    if (status != DEM_OK)
        return status;
    if (!world->context.halfway)
        return demi_fail(world->self, DEM_ERROR_STATE,
                         "dem_wall_part_get: no step has begun: call dem_step_begin first");
    part_of(world, index, part);
    return DEM_OK;
}

dem_status dem_wall_part_get(const dem_world *world, uint64_t id, double part[DEM_WALL_PART_SIZE])
{
    DEMI_READ(world, guarded_part_get(world, id, part));
}

/* ------------------------------------------------------------------ totals */

/* Fails where numbers are no sum of parts. */
static dem_status total_check(dem_world *w, uint64_t id, const double total[DEM_WALL_PART_SIZE])
{
    const int exact = w->exact.sums.exact;
    for (int k = 0; k < DEM_WALL_PART_SIZE; ++k)
        if (!islessequal(fabs(total[k]), exact ? PIECE_MOST : DEMI_FORCE_MOST) ||
            (exact && (total[k] < 0.0 || total[k] != floor(total[k]))) ||
            (!exact && k >= PLAIN && total[k] != 0.0))
            return demi_fail(&w->context, DEM_ERROR_RANGE,
                             "wall %llu: total[%d]: %g is no sum of what dem_wall_part_get told",
                             (unsigned long long)id, k, total[k]);
    return DEM_OK;
}

static void total_read(const dem_world *w, const double total[DEM_WALL_PART_SIZE],
                       demi_wall_force *force)
{
    demi_exact_wall sums;
    memset(force, 0, sizeof *force);
    if (!w->exact.sums.exact) {
        memcpy(force->force, total, 3 * sizeof *total);
        memcpy(force->torque, total + 3, 3 * sizeof *total);
        force->stiffness = total[6];
        force->damping = total[7];
        return;
    }
    memset(&sums, 0, sizeof sums);
    for (int k = 0; k < SUMS; ++k)
        for (int p = 0; p < PIECES; ++p)
            sum_add(sums.half[k], total[PIECES * k + p], p);
    demi_exact_wall_value(&w->exact, &sums, force->force, force->torque);
}

DEMI_GUARDED guarded_total_set(dem_world *world, uint64_t id,
                               const double total[DEM_WALL_PART_SIZE])
{
    uint64_t index;
    if (total == NULL)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT, "total: must not be NULL");
    dem_status status = demi_wall_find(world, id, &index);
    if (status == DEM_OK)
        status = total_check(world, id, total);
    if (status != DEM_OK)
        return status;
    if (!demi_wall_seeks(world, index))
        return demi_fail(&world->context, DEM_ERROR_STATE,
                         "wall %llu: seeks no force: call dem_wall_set_servo first",
                         (unsigned long long)id);
    demi_wall_servo *servo = &world->wall_servo.data[index];
    total_read(world, total, world->context.halfway ? &servo->total_made : &servo->total);
    servo->totals |= world->context.halfway ? DEMI_TOTAL_MADE : DEMI_TOTAL_KNOWN;
    return DEM_OK;
}

dem_status dem_wall_total_set(dem_world *world, uint64_t id, const double total[DEM_WALL_PART_SIZE])
{
    DEMI_SET_HALFWAY(world, guarded_total_set(world, id, total));
}

/* ------------------------------------------------------------------ in a step */

dem_status demi_wall_totals_check(dem_world *w)
{
    for (uint64_t k = 0; w->walls_seeking > 0 && k < w->walls; ++k) {
        const demi_wall_servo *servo = &w->wall_servo.read[k];
        if (w->wall.read[k].id != 0 && servo->quantity != 0 &&
            (servo->totals & DEMI_TOTAL_KNOWN) == 0)
            return demi_fail(&w->context, DEM_ERROR_STATE,
                             "wall %llu: seeks a force, and what acts on it in all worlds is not "
                             "known: add dem_wall_part_get of all worlds, and call "
                             "dem_wall_total_set in each step, before dem_step_end",
                             (unsigned long long)w->wall.read[k].id);
    }
    return DEM_OK;
}

void demi_wall_totals_turn(dem_world *w, int made)
{
    for (uint64_t k = 0; w->walls_seeking > 0 && k < w->walls; ++k) {
        demi_wall_servo *servo = &w->wall_servo.data[k];
        if (made) {
            servo->total = servo->total_made;
            servo->totals = (servo->totals & DEMI_TOTAL_MADE) != 0 ? DEMI_TOTAL_KNOWN : 0;
        }
        servo->totals &= ~DEMI_TOTAL_MADE;
    }
}
