/* SPDX-License-Identifier: MIT */
/* Walls as triangles, for pictures and for ParaView. */
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 180 };

void surface_triangle(scene_surface *surface, const double a[3], const double b[3],
                      const double c[3], int glass)
{
    if (surface->count == surface->room) {
        const uint64_t room = 2 * surface->room + 64;
        scene_triangle *more = realloc(surface->triangle, (size_t)room * sizeof *more);
        if (more == NULL) {
            surface->failed = 1;
            return;
        }
        surface->triangle = more;
        surface->room = room;
    }
    scene_triangle *t = &surface->triangle[surface->count];
    double u[3], v[3];
    memcpy(t->corner[0], a, sizeof t->corner[0]);
    memcpy(t->corner[1], b, sizeof t->corner[1]);
    memcpy(t->corner[2], c, sizeof t->corner[2]);
    for (int k = 0; k < 3; ++k) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0]};
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0.0))
        return; /* the tip of a cone or the centre of a disc */
    for (int k = 0; k < 3; ++k)
        t->normal[k] = n[k] / length;
    t->glass = glass;
    t->coloured = 0;
    ++surface->count;
}

void surface_quad(scene_surface *surface, const double a[3], const double b[3], const double c[3],
                  const double d[3], int glass)
{
    surface_triangle(surface, a, b, c, glass);
    surface_triangle(surface, a, c, d, glass);
}

/* Two unit vectors across the axis, which make a right-handed system with it. */
static void across(const double axis[3], double e1[3], double e2[3])
{
    const int k = fabs(axis[0]) < 0.6 ? 0 : 1;
    double length = 0.0;
    for (int c = 0; c < 3; ++c) {
        e1[c] = (c == k ? 1.0 : 0.0) - axis[k] * axis[c];
        length += e1[c] * e1[c];
    }
    for (int c = 0; c < 3; ++c)
        e1[c] /= sqrt(length);
    e2[0] = axis[1] * e1[2] - axis[2] * e1[1];
    e2[1] = axis[2] * e1[0] - axis[0] * e1[2];
    e2[2] = axis[0] * e1[1] - axis[1] * e1[0];
}

static void on_circle(const double centre[3], const double axis[3], double along, double radius,
                      int segment, double point[3])
{
    double e1[3], e2[3];
    const double angle = 2.0 * SCENE_PI * segment / SEGMENTS;
    across(axis, e1, e2);
    for (int c = 0; c < 3; ++c)
        point[c] = centre[c] + along * axis[c] + radius * (cos(angle) * e1[c] + sin(angle) * e2[c]);
}

void surface_cone(scene_surface *surface, const double centre[3], const double axis[3],
                  double height, double radius_low, double radius_high)
{
    for (int k = 0; k < SEGMENTS; ++k) {
        double a[3], b[3], c[3], d[3];
        on_circle(centre, axis, -0.5 * height, radius_low, k, a);
        on_circle(centre, axis, -0.5 * height, radius_low, k + 1, b);
        on_circle(centre, axis, 0.5 * height, radius_high, k + 1, c);
        on_circle(centre, axis, 0.5 * height, radius_high, k, d);
        surface_quad(surface, a, b, c, d, 1);
    }
}

void surface_ring(scene_surface *surface, const double centre[3], const double normal[3],
                  double radius_inner, double radius, int glass)
{
    for (int k = 0; k < SEGMENTS; ++k) {
        double a[3], b[3], c[3], d[3];
        on_circle(centre, normal, 0.0, radius_inner, k, a);
        on_circle(centre, normal, 0.0, radius, k, b);
        on_circle(centre, normal, 0.0, radius, k + 1, c);
        on_circle(centre, normal, 0.0, radius_inner, k + 1, d);
        surface_quad(surface, a, b, c, d, glass);
    }
}

void surface_free(scene_surface *surface)
{
    free(surface->triangle);
    memset(surface, 0, sizeof *surface);
}

int surface_write(const char *folder, const char *name, const scene_surface *surface)
{
    demo_file file;
    if (demo_file_open(&file, folder, name) != 0)
        return -1;
    FILE *out = file.stream;
    const unsigned long long count = surface->count;
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\">\n  <PolyData>\n"
            "    <Piece NumberOfPoints=\"%llu\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"%llu\">\n      <Points>\n"
            "        <DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n",
            3 * count, count);
    for (uint64_t k = 0; k < surface->count; ++k)
        for (int j = 0; j < 3; ++j) {
            const double *p = surface->triangle[k].corner[j];
            fprintf(out, "%.9g %.9g %.9g\n", p[0], p[1], p[2]);
        }
    fputs("        </DataArray>\n      </Points>\n      <Polys>\n"
          "        <DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n",
          out);
    for (unsigned long long k = 0; k < 3 * count; ++k)
        fprintf(out, "%llu\n", k);
    fputs("        </DataArray>\n"
          "        <DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n",
          out);
    for (unsigned long long k = 1; k <= count; ++k)
        fprintf(out, "%llu\n", 3 * k);
    fputs("        </DataArray>\n      </Polys>\n    </Piece>\n  </PolyData>\n</VTKFile>\n", out);
    return demo_file_close(&file);
}
