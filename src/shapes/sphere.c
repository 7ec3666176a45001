/* SPDX-License-Identifier: MIT */
/* A sphere about `point`, of radius size[0], solid inside. Contacts of two spheres of a world have
 * a path of their own; this row is asked by what needs one answer for all bodies. */
#include "base/check.h"
#include "shapes/shape.h"

static void sphere_surface(uint64_t n, const demi_solid *const *solid, const uint32_t *feature,
                           const double *const *point, demi_surface *out)
{
    (void)feature;
    for (uint64_t k = 0; k < n; ++k) {
        const demi_solid *s = solid[k];
        double d[3];
        for (int c = 0; c < 3; ++c)
            d[c] = point[k][c] - s->point[c];
        const double distance = sqrt(demi_dot(d, d));
        for (int c = 0; c < 3; ++c) {
            out[k].normal[c] = distance > 0.0 ? d[c] / distance : c == 2;
            out[k].velocity[c] = s->velocity[c];
        }
        out[k].gap = distance - s->size[0];
        out[k].curvature[0] = out[k].curvature[1] = 1.0 / s->size[0];
    }
}

const demi_shape demi_shape_sphere = {.name = "sphere", .surface = sphere_surface};
