/* SPDX-License-Identifier: MIT */
/**
 * @file meshes.h
 * Meshes for tests, from arrays. Needs cmocka.h before it.
 */
#ifndef DEM_TEST_MESHES_H
#define DEM_TEST_MESHES_H

#include "cmocka.h"

#include <dem/dem.h>
#include <stdio.h>

/** A cube from 0 to 1, closed, outer sides counterclockwise. */
static const double cube_vertices[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                           {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const uint32_t cube_facets[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                            {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                            {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

/** Defaults, but for the defects that are refused. */
static inline dem_mesh_config mesh_config(uint32_t refused)
{
    dem_mesh_config config;
    OK(dem_mesh_config_init(&config));
    config.refused = refused;
    return config;
}

/** A mesh that must be accepted. */
static inline dem_mesh *mesh_of(const void *vertices, uint64_t vertex_count, const void *facets,
                                uint64_t facet_count)
{
    const dem_mesh_config config = mesh_config(0);
    dem_mesh *mesh;
    dem_error error;
    if (dem_mesh_create(&config, vertices, vertex_count, facets, facet_count, &mesh, &error) !=
        DEM_OK)
        fail_msg("%s", error.message);
    return mesh;
}

static inline dem_mesh_properties mesh_properties(const dem_mesh *mesh)
{
    dem_mesh_properties properties;
    properties.struct_size = sizeof(properties);
    OK(dem_mesh_properties_get(mesh, &properties));
    return properties;
}

#endif
