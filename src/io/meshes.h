/* SPDX-License-Identifier: MIT */
/* Meshes in a snapshot. */
#ifndef DEMI_IO_MESHES_H
#define DEMI_IO_MESHES_H

#include "io/stream.h"
#include "world/world.h"

#define DEMI_MESHES_TAG "meshes  "

/* The section, where a wall is a mesh. */
void demi_write_meshes(demi_writer *writer, const dem_world *w);

/* One mesh. */
void demi_write_mesh(demi_writer *out, const dem_mesh *mesh);

#define DEMI_FACETS_TAG "facets  "
#define DEMI_VERTICES_TAG "vertices"

/* The section of works on facets, where they are summed. */
void demi_write_facets(demi_writer *writer, const dem_world *w);
dem_status demi_read_facets(demi_reader *in, dem_world *w);

/* The section of vertices that move, where there are any. */
void demi_write_vertices(demi_writer *writer, const dem_world *w);
dem_status demi_read_vertices(demi_reader *in, dem_world *w);

/* The meshes that were read, each with a reference. */
typedef struct demi_kept_meshes {
    DEMI_ARRAY(dem_mesh *) mesh;
    uint64_t count;
} demi_kept_meshes;
dem_status demi_read_mesh(demi_reader *in, dem_world *w, demi_kept_meshes *kept);
dem_status demi_read_meshes(demi_reader *in, dem_world *w, demi_kept_meshes *kept);
void demi_kept_meshes_free(dem_world *w, demi_kept_meshes *kept);

#endif
