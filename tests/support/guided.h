/* SPDX-License-Identifier: MIT */
/**
 * @file guided.h
 * A sphere that is led along a wall, and the force that it feels. Needs mesh_world.h before it.
 */
#ifndef DEM_TEST_GUIDED_H
#define DEM_TEST_GUIDED_H

#include <math.h>

/** How deep a sphere is led. */
#define DEPTH (1e-3 * RADIUS)

static inline double length_of(const double *a)
{
    return sqrt(dot(a, a));
}

static inline double difference(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length_of(d);
}

/** A sphere that is so heavy that it goes where it is sent, in units of STIFFNESS and RADIUS. */
typedef struct guided {
    dem_world *world;
    dem_particle_handle handle;
    uint64_t wall;
    double x[3], force[3]; /**< where it is, and the force on it over the stiffness */
    uint64_t contacts;
} guided;

#define GUIDED_DT 1e-3

/** On a wall, whose mesh the world alone has then. */
static inline guided guided_on(const dem_wall *wall, const double at[3])
{
    guided g;
    memset(&g, 0, sizeof(g));
    g.world = still_world(0.0, 1.0);
    if (dem_wall_add(g.world, wall, &g.wall) != DEM_OK)
        fail_msg("%s", dem_world_error(g.world));
    dem_mesh_destroy(wall->mesh);
    dem_particle p = ball_at(at[0], at[1], at[2]);
    p.mass = 1e8;
    OK(dem_particle_add(g.world, &p, &g.handle));
    memcpy(g.x, at, sizeof(g.x));
    return g;
}

/** On a mesh. */
static inline guided guided_begin(dem_mesh *mesh, const double at[3])
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = mesh;
    return guided_on(&wall, at);
}

static inline void guided_to(guided *g, const double to[3])
{
    double v[3];
    for (int c = 0; c < 3; ++c)
        v[c] = (to[c] - g->x[c]) / GUIDED_DT;
    OK(dem_particle_set_motion(g->world, g->handle, NULL, v, NULL));
    step(g->world, GUIDED_DT, 1);
    const dem_particle p = particle_of(g->world, g->handle);
    const dem_wall wall = wall_of(g->world, g->wall);
    memcpy(g->x, p.position, sizeof(g->x));
    for (int c = 0; c < 3; ++c)
        g->force[c] = -wall.force[c] / STIFFNESS;
    g->contacts = scene_counts(g->world).contacts;
}

#endif
