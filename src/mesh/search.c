/* SPDX-License-Identifier: MIT */
/* The contacts of a host's spheres with a mesh that may have moved. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "mesh/spheres.h"

#include <string.h>

#define SEARCH_COSINE_MOST 0.9999

struct dem_mesh_search {
    demi_context context;
    demi_context *self; /* for messages of functions that take a const search */
    dem_mesh *mesh;
    double cosine;
    demi_spheres_contacts contacts;
    DEMI_ARRAY(double) weights; /* of the contacts, too */
    DEMI_ARRAY(int32_t) region;
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
    demi_spheres_free(context, &search->contacts);
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

/* One call: the search, and where its mesh is. */
typedef struct search_call {
    dem_mesh_search *search;
    demi_spheres_mesh mesh;
} search_call;

/* What a contact with a mesh has beside what all have, for those after `begin`. */
static dem_status search_weigh(dem_mesh_search *search, uint64_t begin)
{
    demi_context *context = &search->context;
    const demi_spheres_contacts *contacts = &search->contacts;
    const uint64_t count = contacts->count;
    const char *what = "contacts of a mesh";
    dem_status status = demi_array_reserve(context, &search->weights, 3 * count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &search->region, count, 1, what);
    for (uint64_t k = begin; status == DEM_OK && k < count; ++k) {
        const demi_mesh_point *at = &contacts->found.point.read[k - begin];
        search->region.data[k] = at->region;
        demi_mesh_weights(search->mesh, at, search->weights.data + 3 * k);
    }
    return status;
}

static dem_status search_sphere(void *argument, const demi_spheres_one *one)
{
    const search_call *call = argument;
    demi_spheres_contacts *contacts = &call->search->contacts;
    const uint64_t begin = contacts->count;
    const dem_status status =
        demi_spheres_on_mesh(&call->search->context, contacts, &call->mesh, one);
    return status != DEM_OK ? status : search_weigh(call->search, begin);
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
        return demi_sized_fail(context, "dem_mesh_spheres", spheres->struct_size);
    if (demi_sized_check_output(contacts) != DEM_OK)
        return demi_sized_fail_output(context, "dem_mesh_contacts", contacts->struct_size);
    const demi_spheres asked = search_spheres(&s);
    dem_status status = demi_spheres_check(context, &asked);
    if (status != DEM_OK)
        return status;
    search_call call = {
        .search = search,
        .mesh = {
            .mesh = search->mesh, .cosine = search->cosine, .reach = s.reach, .row = s.mesh_row}};
    demi_spheres_rotation(s.mesh_orientation, call.mesh.rotation);
    memcpy(call.mesh.origin, s.mesh_position, sizeof call.mesh.origin);
    demi_spheres_contacts *found = &search->contacts;
    found->count = 0;
    status = demi_spheres_each(context, &asked, search_sphere, &call);
    if (status != DEM_OK)
        return status;
    const dem_mesh_contacts out = {
        .count = found->count,
        .pairs = found->pairs.read,
        .overlap = found->overlap.read,
        .normal = found->normal.read,
        .point = found->point.read,
        .radius = found->radius.read,
        .weights = search->weights.read,
        .facet = found->facet.read,
        .region = search->region.read,
    };
    return demi_sized_write(contacts, contacts->struct_size, &out);
}

dem_status dem_mesh_search_spheres(dem_mesh_search *search, const dem_mesh_spheres *spheres,
                                   dem_mesh_contacts *contacts)
{
    DEMI_SET(search, guarded_mesh_search_spheres(search, spheres, contacts));
}
