/* SPDX-License-Identifier: MIT */
/* The contacts of a host's spheres with a wall that may have moved. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "mesh/spheres.h"
#include "shapes/shape.h"

#include <string.h>

/* Features that touch a sphere, of shapes that have few. */
enum { WALL_FEATURES = 8 };

struct dem_wall_search {
    demi_context context;
    demi_context *self; /* for messages of functions that take a const search */
    const demi_shape *shape;
    demi_solid solid; /* where dem_wall has it */
    demi_spheres_contacts contacts;
};

static const dem_wall_search_config wall_search_defaults = {
    .struct_size = sizeof(dem_wall_search_config),
};

dem_status dem_wall_search_config_init_sized(dem_wall_search_config *config, uint64_t size)
{
    if (config == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(config, size, &wall_search_defaults);
}

static const dem_wall_spheres wall_spheres_defaults = {
    .struct_size = sizeof(dem_wall_spheres),
    .rotation = {1.0, 0.0, 0.0, 0.0},
};

dem_status dem_wall_spheres_init_sized(dem_wall_spheres *spheres, uint64_t size)
{
    if (spheres == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(spheres, size, &wall_spheres_defaults);
}

/* ------------------------------------------------------------------ life */

/* The solid of a wall. */
static dem_status wall_solid(demi_context *context, const dem_wall *wall, const demi_shape **shape,
                             demi_solid *solid)
{
    dem_wall in;
    int32_t row;
    const dem_status status = demi_shape_wall_read(context, wall, &in, &row);
    if (status != DEM_OK)
        return status;
    memset(in.velocity, 0, sizeof in.velocity);
    *shape = demi_shapes[row];
    return demi_shape_make(context, row, &in, solid);
}

DEMI_GUARDED guarded_wall_search_create(const dem_wall_search_config *config, const dem_wall *wall,
                                        dem_wall_search **search, dem_error *error)
{
    if (search != NULL)
        *search = NULL;
    DEMI_REFUSE(search == NULL || config == NULL || wall == NULL, DEM_ERROR_ARGUMENT,
                "%s: must not be NULL",
                search == NULL   ? "search"
                : config == NULL ? "config"
                                 : "wall");
    dem_wall_search_config c = wall_search_defaults;
    dem_status status = demi_sized_read(&c, config);
    DEMI_REFUSE(status != DEM_OK, status, DEMI_SIZED_MESSAGE, "dem_wall_search_config",
                (unsigned long long)config->struct_size, "dem_wall_search_config");
    demi_context context;
    status = demi_context_init(&context, &c.allocator, &c.log);
    DEMI_REFUSE(status != DEM_OK, status, "dem_wall_search_config.allocator: one function is NULL");
    const demi_shape *shape = NULL;
    demi_solid solid;
    status = wall_solid(&context, wall, &shape, &solid);
    DEMI_REFUSE(status != DEM_OK, status, "%s", demi_context_message(&context));
    dem_wall_search *made = demi_allocate(&context, sizeof *made);
    DEMI_REFUSE(made == NULL, DEM_ERROR_MEMORY,
                "dem_wall_search: the allocator did not give memory");
    memset(made, 0, sizeof *made);
    made->context = context;
    made->self = &made->context;
    made->shape = shape;
    made->solid = solid;
    dem_mesh_retain(solid.mesh);
    *search = made;
    return DEM_OK;
}

dem_status dem_wall_search_create(const dem_wall_search_config *config, const dem_wall *wall,
                                  dem_wall_search **search, dem_error *error)
{
    DEMI_QUIET(guarded_wall_search_create(config, wall, search, error));
}

static void wall_search_free(dem_wall_search *search)
{
    demi_context *context = &search->context;
    demi_spheres_free(context, &search->contacts);
    dem_mesh_destroy(search->solid.mesh);
    demi_context last = *context;
    demi_release(&last, search, sizeof *search);
}

void dem_wall_search_destroy(dem_wall_search *search)
{
    if (search != NULL && demi_enter(search->self, 1, __func__))
        wall_search_free(search);
}

const char *dem_wall_search_error(const dem_wall_search *search)
{
    return search == NULL ? "search: must not be NULL" : demi_context_message(&search->context);
}

/* ------------------------------------------------------------------ one call */

/* One call: the search, what is asked, and the solid where the host says that it is now; of a mesh
 * also its frame. */
typedef struct wall_call {
    dem_wall_search *search;
    const dem_wall_spheres *s;
    demi_solid solid;
    demi_spheres_mesh mesh;
} wall_call;

static demi_solid wall_moved(const demi_solid *solid, const dem_wall_spheres *s)
{
    demi_solid moved = *solid;
    double rotation[3][3];
    demi_spheres_rotation(s->rotation, rotation);
    for (int c = 0; c < 3; ++c) {
        moved.point[c] = solid->point[c] + s->displacement[c];
        moved.normal[c] = demi_dot(rotation[c], solid->normal);
        moved.axis[c] = demi_dot(rotation[c], solid->axis);
    }
    return moved;
}

static demi_spheres_mesh wall_mesh(const demi_solid *solid, const dem_wall_spheres *s)
{
    demi_spheres_mesh mesh = {
        .mesh = solid->mesh, .cosine = solid->cosine, .reach = s->reach, .row = s->wall_row};
    memcpy(mesh.origin, solid->point, sizeof mesh.origin);
    for (int k = 0; k < 3; ++k) {
        double unit[3] = {0.0, 0.0, 0.0}, column[3];
        unit[k] = 1.0;
        demi_shape_global(solid, unit, column);
        for (int c = 0; c < 3; ++c)
            mesh.rotation[c][k] = column[c];
    }
    return mesh;
}

/* A sphere and a wall of few features. */
static dem_status wall_touch(const wall_call *call, const demi_spheres_one *one)
{
    const demi_shape *shape = call->search->shape;
    const double distance = one->radius + call->s->reach;
    if (demi_shape_away(shape, &call->solid, one->x, one->x, distance))
        return DEM_OK;
    /* most spheres in a hollow are away from all of its faces */
    if (call->solid.side == DEM_SIDE_INSIDE &&
        shape->least_gap(&call->solid, DEMI_SHAPE_WHOLE, one->x, one->x) >= distance)
        return DEM_OK;
    uint32_t feature[WALL_FEATURES];
    const demi_solid *solids[WALL_FEATURES];
    const double *points[WALL_FEATURES];
    demi_surface surface[WALL_FEATURES];
    const uint64_t n =
        shape->near(shape, &call->solid, one->x, one->x, distance, 0, feature, WALL_FEATURES);
    for (uint64_t f = 0; f < n; ++f) {
        solids[f] = &call->solid;
        points[f] = one->x;
    }
    shape->surface(n, solids, feature, points, surface);
    demi_spheres_contacts *contacts = &call->search->contacts;
    const dem_status status = demi_spheres_reserve(&call->search->context, contacts, n);
    for (uint64_t f = 0; status == DEM_OK && f < n; ++f) {
        const demi_surface *at = &surface[f];
        demi_spheres_contact contact = {.surface = call->s->wall_row,
                                        .facet = feature[f],
                                        .gap = at->gap,
                                        .radius = demi_shape_radius(at->curvature, one->radius)};
        for (int c = 0; c < 3; ++c) {
            contact.normal[c] = at->normal[c];
            contact.point[c] = one->x[c] - at->gap * at->normal[c];
        }
        if (at->gap < distance)
            demi_spheres_append(contacts, one, &contact);
    }
    return status;
}

static dem_status wall_sphere(void *argument, const demi_spheres_one *one)
{
    const wall_call *call = argument;
    dem_wall_search *search = call->search;
    const demi_shape *shape = search->shape;
    if (shape->kept != 0)
        return demi_spheres_on_mesh(&search->context, &search->contacts, &call->mesh, one);
    const double room = shape->room(&call->solid);
    if (one->radius > room &&
        shape->least_gap(&call->solid, DEMI_SHAPE_WHOLE, one->x, one->x) >= 0.0)
        return demi_fail(&search->context, DEM_ERROR_OVERLAP,
                         "dem_wall_spheres.radius[%lu]: %g m must be at most %g m, the room inside "
                         "the wall",
                         (unsigned long)one->row, one->radius, room);
    return wall_touch(call, one);
}

/* What the host's struct has. */
static demi_spheres wall_spheres(const dem_wall_spheres *s)
{
    return (demi_spheres){.owner = "dem_wall_spheres",
                          .place_name = "displacement",
                          .turn_name = "rotation",
                          .count = s->count,
                          .rows = s->rows,
                          .position = s->position,
                          .stride = s->position_stride,
                          .radius = s->radius,
                          .reach = s->reach,
                          .place = s->displacement,
                          .turn = s->rotation,
                          .reserved = s->reserved};
}

DEMI_GUARDED guarded_wall_search_spheres(dem_wall_search *search, const dem_wall_spheres *spheres,
                                         dem_wall_contacts *contacts)
{
    demi_context *context = &search->context;
    if (spheres == NULL || contacts == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         spheres == NULL ? "spheres" : "contacts");
    dem_wall_spheres s = wall_spheres_defaults;
    if (demi_sized_read(&s, spheres) != DEM_OK)
        return demi_sized_fail(context, "dem_wall_spheres", spheres->struct_size);
    if (demi_sized_check_output(contacts) != DEM_OK)
        return demi_sized_fail_output(context, "dem_wall_contacts", contacts->struct_size);
    const demi_spheres asked = wall_spheres(&s);
    dem_status status = demi_spheres_check(context, &asked);
    if (status != DEM_OK)
        return status;
    wall_call call = {.search = search, .s = &s, .solid = wall_moved(&search->solid, &s)};
    call.mesh = wall_mesh(&call.solid, &s);
    demi_spheres_contacts *found = &search->contacts;
    found->count = 0;
    status = demi_spheres_each(context, &asked, wall_sphere, &call);
    if (status != DEM_OK)
        return status;
    const dem_wall_contacts out = {
        .count = found->count,
        .pairs = found->pairs.read,
        .overlap = found->overlap.read,
        .normal = found->normal.read,
        .point = found->point.read,
        .radius = found->radius.read,
        .facet = found->facet.read,
    };
    return demi_sized_write(contacts, contacts->struct_size, &out);
}

dem_status dem_wall_search_spheres(dem_wall_search *search, const dem_wall_spheres *spheres,
                                   dem_wall_contacts *contacts)
{
    DEMI_SET(search, guarded_wall_search_spheres(search, spheres, contacts));
}
