/* SPDX-License-Identifier: MIT */
/* What each facet of a wall has of the force of a polyhedron. The force along the normal of the
 * contact is a pressure on the parts of the facets that are in the body, so that its sum and its
 * moment are those of the contact; what is across has the shares of these parts. */
#include "base/check.h"
#include "world/facets.h"

#include <string.h>

static dem_status parts_reserve(dem_world *w)
{
    static const char what[] = "facets of walls";
    demi_polyhedra *p = &w->polyhedra;
    const uint64_t facets = p->sizes.facets;
    if (demi_array_room(&p->parted_room) >= facets)
        return DEM_OK;
    p->parted_count = 0;
    dem_status status = demi_array_reserve(&w->context, &p->part, facets, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &p->parted, facets, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &p->parted_room, facets, 0, what);
    if (p->part.data != NULL)
        memset(p->part.data, 0, (size_t)p->part.buffer.size);
    return status;
}

dem_status demi_facet_shares_reserve(dem_world *w, uint64_t index)
{
    dem_status status = DEM_OK;
    if (w->polyhedra.parts == 0)
        return DEM_OK;
    if (!w->polyhedra.looked)
        status = index < w->walls ? demi_polyhedra_check_wall(w, index) : demi_polyhedra_check(w);
    if (status == DEM_OK)
        status = demi_polyhedra_reserve(w, 0);
    return status != DEM_OK ? status : parts_reserve(w);
}

/* All of it on the facet that is nearest to the point of the contact: where the body was moved
 * since. */
static void share_whole(const demi_facet_contact *contact, demi_facet_share *share)
{
    const double *x = contact->state->position.read[contact->ends.own];
    double point[3];
    for (int c = 0; c < 3; ++c)
        point[c] = x[c] + contact->faceted->point[c];
    demi_shape_local(contact->solid, point, share->middle);
    share->facet = demi_mesh_closest(contact->solid->mesh, share->middle).facet;
    share->weight = 1.0;
    memcpy(share->force, contact->force, sizeof share->force);
}

void demi_facet_shares(dem_world *w, const demi_facet_contact *contact,
                       demi_facet_share_function *function, double *number)
{
    const demi_face *face = demi_faceted_parts(w, contact->state, &contact->ends, contact->faceted);
    const demi_facet_part *part = w->polyhedra.part.read;
    const demi_item *parted = w->polyhedra.parted.read;
    const double *facet_normal = face != NULL ? face->surface.mesh->normal.read : NULL;
    const uint64_t count = face != NULL ? w->polyhedra.parted_count : 0;
    demi_facet_share share;
    double out[3], local[3], sum[3] = {0.0, 0.0, 0.0}, mean[3], total = 0.0;
    for (int c = 0; c < 3; ++c)
        out[c] = contact->ends.first ? contact->faceted->normal[c] : -contact->faceted->normal[c];
    demi_shape_along(contact->solid, out, local);
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t f = parted[k].key;
        total += part[f].area > 0.0 ? part[f].area * demi_dot(facet_normal + 3 * f, local) : 0.0;
    }
    if (!(total > 0.0)) {
        share_whole(contact, &share);
        function(w, contact, &share, number);
        return;
    }
    /* of all places where the face is touched, which the force of one is spread over */
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t f = parted[k].key;
        for (int c = 0; c < 3 && part[f].area > 0.0; ++c)
            sum[c] += part[f].area / total * facet_normal[3 * f + (uint64_t)c];
    }
    demi_shape_global(contact->solid, sum, mean);
    const double press = demi_dot(contact->force, out);
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t f = parted[k].key;
        if (!(part[f].area > 0.0))
            continue;
        double n[3];
        const double area = part[f].area / total;
        demi_shape_global(contact->solid, facet_normal + 3 * f, n);
        share.facet = face->of.read[f];
        share.weight = area * demi_dot(facet_normal + 3 * f, local);
        for (int c = 0; c < 3; ++c) {
            share.force[c] =
                press * area * n[c] + share.weight * (contact->force[c] - press * mean[c]);
            share.middle[c] = part[f].moment[c] / part[f].area;
        }
        function(w, contact, &share, number);
    }
}
