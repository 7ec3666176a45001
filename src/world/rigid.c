/* SPDX-License-Identifier: MIT */
/* What all files about bodies need. */
#include "world/world.h"

#include <dem/rotation.h>

dem_status demi_rigids_reserve(dem_world *w, uint64_t bodies, uint64_t parts)
{
    static const char what[] = "bodies";
    dem_status status = demi_array_reserve(&w->context, &w->rigid, bodies, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &w->current.pose, bodies, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &w->next.pose, bodies, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &w->rigid_arms, parts, 0, what);
    return status == DEM_OK ? demi_array_reserve(&w->context, &w->rigid_part, parts, 1, what)
                            : status;
}

uint64_t demi_rigid_row(const dem_world *w, const demi_rigid_part *part)
{
    return w->handle.read[part->handle].row;
}

void demi_rigid_derive(demi_rigid *rigid)
{
    const int free_one = rigid->mobility == DEM_MOBILITY_FREE;
    for (int c = 0; c < 3; ++c) {
        rigid->turning[c] = free_one ? rigid->inertia[c] : 1.0;
        rigid->inverse_inertia[c] = free_one ? 1.0 / rigid->inertia[c] : 0.0;
    }
    rigid->inverse_mass = free_one ? 1.0 / rigid->mass : 0.0;
    rigid->inverse_turning = free_one ? 1.0 / dem_kernel_rotation_mean(rigid->inertia) : 0.0;
}

dem_status demi_rigid_refuse(const dem_world *w, uint64_t row, const char *what)
{
    const demi_body *body = &w->body.read[row];
    return demi_fail(
        w->self, DEM_ERROR_STATE, "particle %llu: it is a part of body %llu: %s the body instead",
        (unsigned long long)body->id, (unsigned long long)w->rigid.read[body->rigid - 1].id, what);
}

/* Dashpots see what the rows of parts are given under these conditions, see rigid_step.c. */
int demi_rigids_scheme(const dem_world *w)
{
    const demi_scheme *scheme = w->scheme;
    return scheme->kinematics == DEM_KINEMATICS_SYNCHRONIZED && scheme->lag == 0.0 &&
           scheme->ahead == scheme->kick_first;
}

int demi_rigids_possible(const dem_world *w)
{
    return demi_rigids_scheme(w) && w->added_mass.read == NULL;
}
