/* SPDX-License-Identifier: MIT */
/* Grains of a scene: adding them, reading them, waiting until they rest. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

int scene_grain(scene *s, const double position[3], dem_particle_handle *handle)
{
    dem_particle grain;
    if (scene_check(s, dem_particle_init(&grain), "grain") != 0)
        return -1;
    memcpy(grain.position, position, sizeof grain.position);
    grain.radius = 0.5 * SCENE_DIAMETER * (0.9 + 0.2 * scene_random(s));
    return scene_check(s, dem_particle_add(s->world, &grain, handle), "grain");
}

static double *column(scene *s, int32_t field, size_t components, dem_view *view)
{
    memset(view, 0, sizeof *view);
    view->struct_size = sizeof *view;
    if (scene_check(s, dem_world_view(s->world, field, view), "view") != 0)
        return NULL;
    double *packed = malloc((size_t)view->count * components * sizeof *packed + 1);
    if (packed == NULL) {
        fprintf(stderr, "%s: no memory for a copy of the grains\n", s->name);
        s->failed = 1;
        return NULL;
    }
    for (uint64_t k = 0; k < view->count; ++k)
        memcpy(packed + k * components, (const char *)view->data + k * view->stride,
               components * sizeof *packed);
    return packed;
}

int scene_rows_read(scene *s, scene_rows *rows)
{
    dem_view view;
    memset(rows, 0, sizeof *rows);
    rows->position = column(s, DEM_FIELD_POSITION, 3, &view);
    rows->velocity = column(s, DEM_FIELD_VELOCITY, 3, &view);
    rows->force = column(s, DEM_FIELD_FORCE, 3, &view);
    rows->radius = column(s, DEM_FIELD_RADIUS, 1, &view);
    rows->count = view.count;
    rows->id = view.id;
    return rows->position == NULL || rows->velocity == NULL || rows->force == NULL ||
                   rows->radius == NULL
               ? -1
               : 0;
}

void scene_rows_free(scene_rows *rows)
{
    free(rows->position);
    free(rows->velocity);
    free(rows->force);
    free(rows->radius);
    memset(rows, 0, sizeof *rows);
}

int scene_wall(scene *s, uint64_t id, dem_wall *wall)
{
    memset(wall, 0, sizeof *wall);
    wall->struct_size = sizeof *wall;
    return scene_check(s, dem_wall_get(s->world, id, wall), "wall");
}

double scene_kinetic(scene *s)
{
    dem_world_energies energies;
    memset(&energies, 0, sizeof energies);
    energies.struct_size = sizeof energies;
    if (scene_check(s, dem_world_energies_get(s->world, &energies), "energies") != 0)
        return -1.0;
    return energies.kinetic_translation + energies.kinetic_rotation;
}

int scene_rest(scene *s, double most)
{
    dem_world_counts counts;
    memset(&counts, 0, sizeof counts);
    counts.struct_size = sizeof counts;
    if (scene_check(s, dem_world_counts_get(s->world, &counts), "counts") != 0)
        return -1;
    const double still =
        1e-8 * scene_mass(s) * SCENE_GRAVITY * SCENE_DIAMETER * (double)counts.particles;
    const int pieces = 40;
    for (int k = 0; k < pieces; ++k) {
        if (scene_run(s, most / pieces, (double)k / pieces, (k + 1.0) / pieces) != 0)
            return -1;
        const double kinetic = scene_kinetic(s);
        if (kinetic < still)
            return kinetic < 0.0 ? -1 : 0;
    }
    return 0;
}
