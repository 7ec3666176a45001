/* SPDX-License-Identifier: MIT */
/* Pictures of the bodies as they are, triangle by triangle, in the box as a pane of glass. */
#include "brazil_nut.h"

#include <math.h>
#include <string.h>

static void colour_of(uint64_t id, float rgb[3])
{
    static const float nut[3] = {0.16F, 0.32F, 0.70F};
    if (id == 1) {
        memcpy(rgb, nut, sizeof nut);
        return;
    }
    /* shades of red, which tell neighbours apart */
    const double shade = 0.75 + 0.25 * fmod(0.618034 * (double)id, 1.0);
    rgb[0] = (float)(0.92 * shade);
    rgb[1] = (float)(0.38 * shade);
    rgb[2] = (float)(0.26 * shade);
}

static int body_draw(scene *s, const nut_case *c, uint64_t id, scene_surface *surface)
{
    const dem_mesh *mesh = dem_polyhedron_mesh(c->shape[id == 1]);
    dem_body_handle handle;
    dem_body body = {.struct_size = sizeof body};
    dem_mesh_properties is = {.struct_size = sizeof is};
    float rgb[3];
    if (scene_check(s, dem_body_find(s->world, id, &handle), "body") != 0 ||
        scene_check(s, dem_body_get(s->world, handle, &body), "body") != 0 ||
        scene_check(s, dem_mesh_properties_get(mesh, &is), "mesh") != 0)
        return -1;
    const double *x = dem_mesh_vertices(mesh);
    const uint32_t *facet = dem_mesh_facets(mesh);
    colour_of(id, rgb);
    for (uint64_t f = 0; f < is.facet_count; ++f) {
        double corner[3][3];
        for (int k = 0; k < 3; ++k) {
            memcpy(corner[k], x + 3 * (uint64_t)facet[3 * f + (uint64_t)k], sizeof corner[k]);
            dem_kernel_rotation_to_space(body.orientation, corner[k]);
            for (int a = 0; a < 3; ++a)
                corner[k][a] += body.position[a];
        }
        surface_triangle(surface, corner[0], corner[1], corner[2], 0);
        if (surface->failed != 0)
            return -1;
        surface->triangle[surface->count - 1].coloured = 1;
        memcpy(surface->triangle[surface->count - 1].rgb, rgb, sizeof rgb);
    }
    return 0;
}

/* Floor and sides where they are now, from the floor as it is. */
static int box_draw(scene *s, scene_surface *surface)
{
    static const int sides[5][4] = {
        {0, 1, 3, 2}, {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}};
    dem_wall floor = {.struct_size = sizeof floor};
    double corner[8][3];
    if (scene_check(s, dem_wall_get(s->world, 1, &floor), "box") != 0)
        return -1;
    const double *n = floor.normal, along[3] = {n[2], 0.0, -n[0]};
    for (int k = 0; k < 8; ++k)
        for (int c = 0; c < 3; ++c)
            corner[k][c] = (k & 1 ? 1.0 : -1.0) * nut_box[0] * along[c] +
                           (c == 1 ? (k & 2 ? 1.0 : -1.0) * nut_box[1] : 0.0) +
                           (k & 4 ? nut_box[2] : 0.0) * n[c] + (c == 2 ? floor.point[2] : 0.0);
    for (int k = 0; k < 5; ++k)
        surface_quad(surface, corner[sides[k][0]], corner[sides[k][1]], corner[sides[k][2]],
                     corner[sides[k][3]], k > 0);
    return 0;
}

int nut_frame(scene *s, const nut_case *c, const char *name, int solid)
{
    scene_surface surface = {0};
    const scene_rows none = {0};
    const scene_look look = {.azimuth = -65.0,
                             .elevation = 14.0,
                             .low = {-0.085, -0.03, -0.012},
                             .high = {0.085, 0.03, 0.215},
                             .width = c->quick ? 240 : 480,
                             .height = c->quick ? 320 : 640};
    char file[128];
    int bad = box_draw(s, &surface);
    for (uint64_t id = 1; id <= (uint64_t)c->ellipsoids + 1 && bad == 0; ++id)
        bad = body_draw(s, c, id, &surface);
    snprintf(file, sizeof file, "%s.png", name);
    bad = bad != 0 || surface.failed != 0 || look_write(s->output, file, &look, &none, &surface);
    snprintf(file, sizeof file, "%s.vtp", name);
    bad = bad || (solid && surface_write(s->output, file, &surface) != 0);
    surface_free(&surface);
    if (bad)
        s->failed = 1;
    return bad ? -1 : 0;
}
