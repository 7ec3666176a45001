/* SPDX-License-Identifier: MIT */
/* A triangle mesh: the origin of its coordinates is `point`, their z axis is `normal`, and their x
 * axis is `axis`. Its features are slots, see slots.h; where one point of the surface is asked for,
 * it is the nearest one. */
#include "base/check.h"
#include "mesh/near.h"
#include "shapes/slots.h"

#include <string.h>

/* Of the angle between two contacts. */
#define MESH_COSINE_MOST 0.9999

static dem_status mesh_make(demi_context *context, const dem_wall *wall, demi_solid *solid)
{
    if (wall->mesh == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT,
                         "dem_wall.mesh: must not be NULL for a wall that is a mesh");
    if (!demi_not_negative(wall->mesh_cosine) || wall->mesh_cosine > MESH_COSINE_MOST)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.mesh_cosine: %g must be in (0, %g], or 0 for the default",
                         wall->mesh_cosine, MESH_COSINE_MOST);
    solid->mesh = wall->mesh;
    solid->cosine = wall->mesh_cosine > 0.0 ? wall->mesh_cosine : DEM_MESH_COSINE;
    solid->slots = DEMI_SLOTS_FIRST;
    return demi_shape_lengths(context, "mesh", wall, 0, 0);
}

static demi_mesh_point mesh_closest(const demi_solid *solid, const double point[3])
{
    double local[3];
    demi_shape_local(solid, point, local);
    return demi_mesh_closest(solid->mesh, local);
}

static double mesh_bound(const demi_solid *solid, uint32_t feature, const double point[3])
{
    (void)feature;
    return mesh_closest(solid, point).distance;
}

static double mesh_least_gap(const demi_solid *solid, uint32_t feature, const double low[3],
                             const double high[3])
{
    return demi_shape_least_gap(mesh_bound, solid, feature, low, high);
}

static uint64_t mesh_near(const demi_shape *shape, const demi_solid *solid, const double low[3],
                          const double high[3], double distance, uint32_t first, uint32_t *feature,
                          uint64_t room)
{
    uint64_t found = 0;
    const double slack = demi_shape_box_slack(solid, low, high);
    double middle[3], local[3];
    (void)shape;
    for (int c = 0; c < 3; ++c)
        middle[c] = 0.5 * (low[c] + high[c]);
    demi_shape_local(solid, middle, local);
    if (demi_mesh_within(solid->mesh, local, distance + slack))
        for (uint32_t f = first; f < solid->slots && found < room; ++f)
            feature[found++] = f;
    return found;
}

static void mesh_box(const demi_solid *solid, double low[3], double high[3])
{
    const dem_mesh *mesh = solid->mesh;
    const demi_mesh_box *all = mesh->box.read + mesh->level_begin[mesh->level_count - 1];
    memcpy(low, all->low, sizeof all->low);
    memcpy(high, all->high, sizeof all->high);
}

static double mesh_extent(const demi_solid *solid)
{
    return solid->mesh->extent;
}

static void mesh_surface(uint64_t n, const demi_solid *const *solid, const uint32_t *feature,
                         const double *const *point, demi_surface *out)
{
    (void)feature;
    for (uint64_t k = 0; k < n; ++k) {
        const demi_mesh_point at = mesh_closest(solid[k], point[k]);
        demi_slot_surface(solid[k], &at, &out[k]);
    }
}

const demi_shape demi_shape_mesh = {.name = "mesh",
                                    .sides = 1 << DEM_SIDE_OUTSIDE | 1 << DEM_SIDE_BOTH,
                                    .make = mesh_make,
                                    .features = DEMI_SLOTS_MOST,
                                    .kept = DEMI_SLOT_KEPT,
                                    .near = mesh_near,
                                    .least_gap = mesh_least_gap,
                                    .extent = mesh_extent,
                                    .box = mesh_box,
                                    .room = demi_shape_infinite,
                                    .approach = demi_shape_approach,
                                    .normal_along = demi_shape_normal_everywhere,
                                    .concave = demi_shape_not_concave,
                                    .surface = mesh_surface};
