/* SPDX-License-Identifier: MIT */
/* What searches of a host have in common. */
#include "base/check.h"
#include "base/sized.h"
#include "mesh/spheres.h"

static dem_status spheres_arrays(demi_context *context, const demi_spheres *s)
{
    if (s->reserved != 0)
        return demi_fail(context, DEM_ERROR_UNKNOWN, DEMI_RESERVED_AT_MESSAGE, s->owner, "reserved",
                         (long long)s->reserved, s->owner);
    if (s->count > 0 && (s->position == NULL || s->radius == NULL))
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s.%s: must not be NULL", s->owner,
                         s->position == NULL ? "position" : "radius");
    if (s->count > UINT32_MAX)
        return demi_fail(context, DEM_ERROR_RANGE, "%s.count: %llu is not less than 2^32", s->owner,
                         (unsigned long long)s->count);
    if (s->stride != 0 && (s->stride < 3 * sizeof(double) || s->stride % sizeof(double) != 0))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "%s.position_stride: %llu is neither 0 nor a multiple of 8 that is at "
                         "least 24 bytes",
                         s->owner, (unsigned long long)s->stride);
    return DEM_OK;
}

dem_status demi_spheres_check(demi_context *context, const demi_spheres *s)
{
    const dem_status status = spheres_arrays(context, s);
    if (status != DEM_OK)
        return status;
    if (!demi_not_negative(s->reach) || s->reach > DEMI_MOTION_MOST)
        return demi_fail(context, DEM_ERROR_RANGE, "%s.reach: %g is not in [0, %g] m", s->owner,
                         s->reach, DEMI_MOTION_MOST);
    if (!demi_within3(s->place, DEMI_MOTION_MOST))
        return demi_fail(context, DEM_ERROR_DIVERGED,
                         "%s.%s: (%g, %g, %g) must be finite and within %g m", s->owner,
                         s->place_name, s->place[0], s->place[1], s->place[2], DEMI_MOTION_MOST);
    const double *q = s->turn;
    if (!demi_finite3(q) || !isfinite(q[3]) || fabs(demi_dot(q, q) + q[3] * q[3] - 1.0) > 2e-6)
        return demi_fail(context, DEM_ERROR_RANGE, "%s.%s: (%g, %g, %g, %g) is no unit quaternion",
                         s->owner, s->turn_name, q[0], q[1], q[2], q[3]);
    return DEM_OK;
}

/* Sphere k of the call, or why it is refused. */
static dem_status spheres_get(demi_context *context, const demi_spheres *s, uint64_t k,
                              demi_spheres_one *one)
{
    const uint32_t row = s->rows != NULL ? s->rows[k] : (uint32_t)k;
    const uint64_t stride = s->stride != 0 ? s->stride : 3 * sizeof(double);
    const double *x = (const double *)(const void *)((const char *)s->position + stride * row);
    if (!demi_within3(x, DEMI_MOTION_MOST))
        return demi_fail(context, DEM_ERROR_DIVERGED,
                         "%s.position[%lu]: (%g, %g, %g) must be finite and within %g m", s->owner,
                         (unsigned long)row, x[0], x[1], x[2], DEMI_MOTION_MOST);
    /* curvatures, whose product must be finite */
    if (!demi_positive(s->radius[row]) || s->radius[row] < 1.0 / DEMI_MOTION_MOST ||
        s->radius[row] > DEMI_MOTION_MOST)
        return demi_fail(context, DEM_ERROR_RANGE, "%s.radius[%lu]: %g m is not in [%g, %g] m",
                         s->owner, (unsigned long)row, s->radius[row], 1.0 / DEMI_MOTION_MOST,
                         DEMI_MOTION_MOST);
    *one = (demi_spheres_one){row, x, s->radius[row]};
    return DEM_OK;
}

dem_status demi_spheres_each(demi_context *context, const demi_spheres *s,
                             demi_spheres_visit *visit, void *argument)
{
    dem_status status = DEM_OK;
    for (uint64_t k = 0; status == DEM_OK && k < s->count; ++k) {
        demi_spheres_one one;
        status = spheres_get(context, s, k, &one);
        if (status == DEM_OK)
            status = visit(argument, &one);
    }
    return status;
}

void demi_spheres_rotation(const double turn[4], double rotation[3][3])
{
    const double w = turn[0], x = turn[1], y = turn[2], z = turn[3];
    const double two = 2.0 / (w * w + x * x + y * y + z * z);
    const double matrix[3][3] = {
        {1.0 - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y)},
        {two * (x * y + w * z), 1.0 - two * (x * x + z * z), two * (y * z - w * x)},
        {two * (x * z - w * y), two * (y * z + w * x), 1.0 - two * (x * x + y * y)}};
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            rotation[r][c] = matrix[r][c];
}

/* ------------------------------------------------------------------ contacts */

dem_status demi_spheres_reserve(demi_context *context, demi_spheres_contacts *to, uint64_t more)
{
    const uint64_t count = to->count + more;
    const char *what = "contacts of spheres";
    dem_status status = demi_array_reserve(context, &to->pairs, 2 * count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &to->facet, count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &to->overlap, count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &to->normal, 3 * count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &to->point, 3 * count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &to->radius, count, 1, what);
    return status;
}

void demi_spheres_free(demi_context *context, demi_spheres_contacts *of)
{
    demi_array_free(context, &of->work.point);
    demi_array_free(context, &of->found.point);
    demi_array_free(context, &of->pairs);
    demi_array_free(context, &of->facet);
    demi_array_free(context, &of->overlap);
    demi_array_free(context, &of->normal);
    demi_array_free(context, &of->point);
    demi_array_free(context, &of->radius);
}

void demi_spheres_append(demi_spheres_contacts *to, const demi_spheres_one *one,
                         const demi_spheres_contact *contact)
{
    const uint64_t k = to->count++;
    to->pairs.data[2 * k] = one->row;
    to->pairs.data[2 * k + 1] = contact->surface;
    to->facet.data[k] = contact->facet;
    to->overlap.data[k] = one->radius - contact->gap;
    to->radius.data[k] = contact->radius;
    for (uint64_t c = 0; c < 3; ++c) {
        to->normal.data[3 * k + c] = contact->normal[c];
        to->point.data[3 * k + c] = contact->point[c];
    }
}

dem_status demi_spheres_on_mesh(demi_context *context, demi_spheres_contacts *to,
                                const demi_spheres_mesh *mesh, const demi_spheres_one *one)
{
    demi_mesh_sphere sphere = {.radius = one->radius, .reach = mesh->reach, .cosine = mesh->cosine};
    for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d)
            sphere.centre[c] += mesh->rotation[d][c] * (one->x[d] - mesh->origin[d]);
    to->found.count = 0;
    dem_status status = demi_mesh_contacts(context, mesh->mesh, &sphere, &to->work, &to->found);
    if (status == DEM_OK)
        status = demi_spheres_reserve(context, to, to->found.count);
    for (uint64_t n = 0; status == DEM_OK && n < to->found.count; ++n) {
        const demi_mesh_point *at = &to->found.point.read[n];
        demi_spheres_contact contact = {
            .surface = mesh->row, .facet = at->facet, .gap = at->distance, .radius = one->radius};
        for (int c = 0; c < 3; ++c) {
            contact.normal[c] = demi_dot(mesh->rotation[c], at->normal);
            contact.point[c] = mesh->origin[c] + demi_dot(mesh->rotation[c], at->point);
        }
        demi_spheres_append(to, one, &contact);
    }
    return status;
}
