/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedral_walls.h
 * Walls that are meshes, for polyhedra: a flat floor of any facets, a room, a hollow ball; and
 * bodies over them.
 */
#ifndef DEM_TEST_POLYHEDRAL_WALLS_H
#define DEM_TEST_POLYHEDRAL_WALLS_H

#include "polyhedral.h"

enum { CELLS_MOST = 24 };

/** A flat floor of 2 n^2 facets of any size and form, from -reach to reach, its outer side up. */
static inline dem_mesh *floor_mesh(test_random *random, uint32_t n, double reach)
{
    static double x[(CELLS_MOST + 1) * (CELLS_MOST + 1)][3];
    static uint32_t facet[2 * CELLS_MOST * CELLS_MOST][3];
    uint64_t count = 0;
    const double cell = 2.0 * reach / n;
    for (uint32_t r = 0; r <= n; ++r)
        for (uint32_t c = 0; c <= n; ++c) {
            double *at = x[r * (n + 1) + c];
            at[0] = c * cell - reach;
            at[1] = r * cell - reach;
            at[2] = 0.0;
            for (int k = 0; k < 2 && c > 0 && c < n && r > 0 && r < n; ++k)
                at[k] += 0.24 * cell * test_uniform(random, -1.0, 1.0);
        }
    for (uint32_t r = 0; r < n; ++r)
        for (uint32_t c = 0; c < n; ++c) {
            const uint32_t a = r * (n + 1) + c, b = a + 1, d = a + n + 1, e = d + 1;
            const int other = test_uniform(random, 0.0, 1.0) < 0.5;
            const uint32_t two[2][3] = {{a, b, other ? d : e}, {other ? b : a, e, d}};
            memcpy(facet[count], two, sizeof(two));
            count += 2;
        }
    return mesh_of(x, (uint64_t)(n + 1) * (n + 1), facet, count);
}

/** A room of these half sides: a box with its outer side inside. */
static inline dem_mesh *room_mesh(double a, double b, double c, uint64_t facets)
{
    double x[8][3];
    uint32_t facet[12][3];
    const double half[3] = {a, b, c};
    for (int k = 0; k < 8; ++k)
        for (int m = 0; m < 3; ++m)
            x[k][m] = (2.0 * cube_vertices[k][m] - 1.0) * half[m];
    for (int k = 0; k < 12; ++k) {
        facet[k][0] = cube_facets[k][0];
        facet[k][1] = cube_facets[k][2];
        facet[k][2] = cube_facets[k][1];
    }
    return mesh_of(x, 8, facet, facets);
}

/** A hollow ball with its outer side inside. */
static inline dem_mesh *hollow_ball(int level, double radius)
{
    dem_mesh *solid = solid_ellipsoid(level, radius, radius, radius);
    const dem_mesh_properties is = mesh_properties(solid);
    uint32_t *facet = malloc(is.facet_count * 3 * sizeof(*facet));
    assert_non_null(facet);
    for (uint64_t k = 0; k < 3 * is.facet_count; ++k)
        facet[k] = dem_mesh_facets(solid)[k - k % 3 + (3 - k % 3) % 3];
    dem_mesh *mesh = mesh_of(dem_mesh_vertices(solid), is.vertex_count, facet, is.facet_count);
    free(facet);
    dem_mesh_destroy(solid);
    return mesh;
}

static inline dem_wall mesh_wall(dem_mesh *mesh)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = mesh;
    return wall;
}

static inline uint64_t wall_add(dem_world *world, const dem_wall *wall)
{
    uint64_t id = 0;
    if (dem_wall_add(world, wall, &id) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    return id;
}

static inline dem_wall wall_of(const dem_world *world, uint64_t id)
{
    dem_wall wall = {.struct_size = sizeof(wall)};
    OK(dem_wall_get(world, id, &wall));
    return wall;
}

static inline double off_of(const double *a, const double *b, int count, double size)
{
    double off = 0.0;
    for (int c = 0; c < count; ++c)
        off = fmax(off, fabs(a[c] - b[c]) / size);
    return off;
}

static inline double norm_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/** A body at random over a plane through the origin, as deep as it may be. */
static inline dem_body over_plane(test_random *random, const dem_polyhedron *shape,
                                  const double normal[3], double deep)
{
    const dem_mesh *mesh = dem_polyhedron_mesh((dem_polyhedron *)(uintptr_t)shape);
    dem_body body = body_at(shape, 0.0, 0.0, 0.0);
    double low = INFINITY, place[3];
    turn_at_random(random, &body);
    const uint64_t count = mesh_properties(mesh).vertex_count;
    for (uint64_t v = 0; v < count; ++v) {
        double x[3], height = 0.0;
        memcpy(x, dem_mesh_vertices(mesh) + 3 * v, sizeof(x));
        dem_kernel_rotation_to_space(body.orientation, x);
        for (int c = 0; c < 3; ++c)
            height += x[c] * normal[c];
        low = fmin(low, height);
    }
    double along = 0.0;
    for (int c = 0; c < 3; ++c) {
        place[c] = test_uniform(random, -0.3, 0.3);
        along += place[c] * normal[c];
        body.velocity[c] = 0.3 * test_uniform(random, -1.0, 1.0);
        body.angular_velocity[c] = test_uniform(random, -1.0, 1.0);
    }
    for (int c = 0; c < 3; ++c)
        body.position[c] = place[c] + (-low - deep - along) * normal[c];
    return body;
}

#endif
