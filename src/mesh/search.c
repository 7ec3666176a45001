/* SPDX-License-Identifier: MIT */
/* The contacts of a host's spheres with a mesh that may have moved. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "mesh/near.h"
#include "mesh/spheres.h"

#include <string.h>

#define SEARCH_COSINE_MOST 0.9999

/* Where the mesh is. */
typedef struct search_pose {
    double rotation[3][3], position[3];
} search_pose;

struct dem_mesh_search {
    demi_context context;
    demi_context *self; /* for messages of functions that take a const search */
    dem_mesh *mesh;
    double cosine;
    demi_mesh_points work, found;
    DEMI_ARRAY(uint32_t) pairs, facet;
    DEMI_ARRAY(double) overlap, normal, point, radius, weights;
    DEMI_ARRAY(int32_t) region;
    uint64_t count;
};

static const dem_mesh_search_config search_defaults = {
    .struct_size = sizeof(dem_mesh_search_config),
    .cosine = DEM_MESH_COSINE,
};

dem_status dem_mesh_search_config_init_sized(dem_mesh_search_config *config, uint64_t size)
{
    if (config == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(config, size, &search_defaults);
}

static const dem_mesh_spheres spheres_defaults = {
    .struct_size = sizeof(dem_mesh_spheres),
    .mesh_orientation = {1.0, 0.0, 0.0, 0.0},
};

dem_status dem_mesh_spheres_init_sized(dem_mesh_spheres *spheres, uint64_t size)
{
    if (spheres == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(spheres, size, &spheres_defaults);
}

/* ------------------------------------------------------------------ life */

DEMI_GUARDED guarded_mesh_search_create(const dem_mesh_search_config *config, dem_mesh *mesh,
                                        dem_mesh_search **search, dem_error *error)
{
    if (search != NULL)
        *search = NULL;
    DEMI_REFUSE(search == NULL || config == NULL || mesh == NULL, DEM_ERROR_ARGUMENT,
                "%s: must not be NULL",
                search == NULL   ? "search"
                : config == NULL ? "config"
                                 : "mesh");
    dem_mesh_search_config c = search_defaults;
    dem_status status = demi_sized_read(&c, config);
    DEMI_REFUSE(status != DEM_OK, status, DEMI_SIZED_MESSAGE, "dem_mesh_search_config",
                (unsigned long long)config->struct_size, "dem_mesh_search_config");
    DEMI_REFUSE(!demi_positive(c.cosine) || c.cosine > SEARCH_COSINE_MOST, DEM_ERROR_RANGE,
                "dem_mesh_search_config.cosine: %g is not in (0, %g]", c.cosine,
                SEARCH_COSINE_MOST);
    demi_context context;
    status = demi_context_init(&context, &c.allocator, &c.log);
    DEMI_REFUSE(status != DEM_OK, status, "dem_mesh_search_config.allocator: one function is NULL");
    dem_mesh_search *made = demi_allocate(&context, sizeof *made);
    DEMI_REFUSE(made == NULL, DEM_ERROR_MEMORY,
                "dem_mesh_search: the allocator did not give memory");
    memset(made, 0, sizeof *made);
    made->context = context;
    made->self = &made->context;
    made->mesh = dem_mesh_retain(mesh);
    made->cosine = c.cosine;
    *search = made;
    return DEM_OK;
}

dem_status dem_mesh_search_create(const dem_mesh_search_config *config, dem_mesh *mesh,
                                  dem_mesh_search **search, dem_error *error)
{
    DEMI_QUIET(guarded_mesh_search_create(config, mesh, search, error));
}

static void search_free(dem_mesh_search *search)
{
    demi_context *context = &search->context;
    demi_array_free(context, &search->work.point);
    demi_array_free(context, &search->found.point);
    demi_array_free(context, &search->pairs);
    demi_array_free(context, &search->facet);
    demi_array_free(context, &search->overlap);
    demi_array_free(context, &search->normal);
    demi_array_free(context, &search->point);
    demi_array_free(context, &search->radius);
    demi_array_free(context, &search->weights);
    demi_array_free(context, &search->region);
    dem_mesh_destroy(search->mesh);
    demi_context last = *context;
    demi_release(&last, search, sizeof *search);
}

void dem_mesh_search_destroy(dem_mesh_search *search)
{
    if (search != NULL && demi_enter(search->self, 1, __func__))
        search_free(search);
}

const char *dem_mesh_search_error(const dem_mesh_search *search)
{
    return search == NULL ? "search: must not be NULL" : demi_context_message(&search->context);
}

/* ------------------------------------------------------------------ one call */

/* What the host's struct has. */
static demi_spheres search_spheres(const dem_mesh_spheres *s)
{
    return (demi_spheres){.owner = "dem_mesh_spheres",
                          .place_name = "mesh_position",
                          .turn_name = "mesh_orientation",
                          .count = s->count,
                          .rows = s->rows,
                          .position = s->position,
                          .stride = s->position_stride,
                          .radius = s->radius,
                          .reach = s->reach,
                          .place = s->mesh_position,
                          .turn = s->mesh_orientation,
                          .reserved = s->reserved};
}

static dem_status search_reserve(dem_mesh_search *search, uint64_t count)
{
    demi_context *context = &search->context;
    const char *what = "contacts of a mesh";
    dem_status status = demi_array_reserve(context, &search->pairs, 2 * count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &search->facet, count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &search->overlap, count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &search->normal, 3 * count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &search->point, 3 * count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &search->radius, count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &search->weights, 3 * count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &search->region, count, 1, what);
    return status;
}

/* Appends what was found of a sphere, in the host's coordinates. */
static dem_status search_write(dem_mesh_search *search, const dem_mesh_spheres *s,
                               const search_pose *pose, const demi_spheres_one *one)
{
    const dem_status status = search_reserve(search, search->count + search->found.count);
    for (uint64_t n = 0; status == DEM_OK && n < search->found.count; ++n) {
        const demi_mesh_point *at = &search->found.point.read[n];
        const uint64_t k = search->count++;
        search->pairs.data[2 * k] = one->row;
        search->pairs.data[2 * k + 1] = s->mesh_row;
        search->facet.data[k] = at->facet;
        search->region.data[k] = at->region;
        search->overlap.data[k] = one->radius - at->distance;
        search->radius.data[k] = one->radius;
        demi_mesh_weights(search->mesh, at, search->weights.data + 3 * k);
        for (int c = 0; c < 3; ++c) {
            search->normal.data[3 * k + (uint64_t)c] = demi_dot(pose->rotation[c], at->normal);
            search->point.data[3 * k + (uint64_t)c] =
                pose->position[c] + demi_dot(pose->rotation[c], at->point);
        }
    }
    return status;
}

static dem_status search_sphere(dem_mesh_search *search, const dem_mesh_spheres *s,
                                const search_pose *pose, const demi_spheres_one *one)
{
    demi_mesh_sphere sphere = {.radius = one->radius, .reach = s->reach, .cosine = search->cosine};
    for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d)
            sphere.centre[c] += pose->rotation[d][c] * (one->x[d] - pose->position[d]);
    search->found.count = 0;
    const dem_status status =
        demi_mesh_contacts(&search->context, search->mesh, &sphere, &search->work, &search->found);
    return status != DEM_OK ? status : search_write(search, s, pose, one);
}

DEMI_GUARDED guarded_mesh_search_spheres(dem_mesh_search *search, const dem_mesh_spheres *spheres,
                                         dem_mesh_contacts *contacts)
{
    demi_context *context = &search->context;
    if (spheres == NULL || contacts == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         spheres == NULL ? "spheres" : "contacts");
    dem_mesh_spheres s = spheres_defaults;
    if (demi_sized_read(&s, spheres) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_mesh_spheres",
                         (unsigned long long)spheres->struct_size, "dem_mesh_spheres");
    if (demi_sized_check_output(contacts) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE,
                         "dem_mesh_contacts.struct_size: %llu is not the size of this struct: set "
                         "it to sizeof(dem_mesh_contacts)",
                         (unsigned long long)contacts->struct_size);
    const demi_spheres asked = search_spheres(&s);
    dem_status status = demi_spheres_check(context, &asked);
    search_pose pose;
    demi_spheres_rotation(s.mesh_orientation, pose.rotation);
    memcpy(pose.position, s.mesh_position, sizeof pose.position);
    search->count = 0;
    for (uint64_t k = 0; status == DEM_OK && k < s.count; ++k) {
        demi_spheres_one one;
        status = demi_spheres_get(context, &asked, k, &one);
        if (status == DEM_OK)
            status = search_sphere(search, &s, &pose, &one);
    }
    if (status != DEM_OK)
        return status;
    const dem_mesh_contacts out = {
        .count = search->count,
        .pairs = search->pairs.read,
        .overlap = search->overlap.read,
        .normal = search->normal.read,
        .point = search->point.read,
        .radius = search->radius.read,
        .weights = search->weights.read,
        .facet = search->facet.read,
        .region = search->region.read,
    };
    return demi_sized_write(contacts, contacts->struct_size, &out);
}

dem_status dem_mesh_search_spheres(dem_mesh_search *search, const dem_mesh_spheres *spheres,
                                   dem_mesh_contacts *contacts)
{
    DEMI_SET(search, guarded_mesh_search_spheres(search, spheres, contacts));
}
