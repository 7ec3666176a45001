/* SPDX-License-Identifier: MIT */
/* The contacts of a host's spheres with a wall that may have moved. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "mesh/near.h"
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
    demi_mesh_points work, found;
    DEMI_ARRAY(uint32_t) pairs, facet;
    DEMI_ARRAY(double) overlap, normal, point, radius;
    uint64_t count;
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
    memset(&in, 0, sizeof in);
    if (demi_sized_read(&in, wall) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_wall",
                         (unsigned long long)wall->struct_size, "dem_wall");
    const int32_t row = demi_shape_of_wall(in.shape);
    if (row < 0)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_wall.shape: %d is not a shape of walls, which are:%s", (int)in.shape,
                         demi_shape_names());
    if (!demi_within3(in.point, DEMI_MOTION_MOST))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.point: (%g, %g, %g) must be finite and within %g m", in.point[0],
                         in.point[1], in.point[2], DEMI_MOTION_MOST);
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
    demi_array_free(context, &search->work.point);
    demi_array_free(context, &search->found.point);
    demi_array_free(context, &search->pairs);
    demi_array_free(context, &search->facet);
    demi_array_free(context, &search->overlap);
    demi_array_free(context, &search->normal);
    demi_array_free(context, &search->point);
    demi_array_free(context, &search->radius);
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

/* The solid where the host says that it is now. */
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

static dem_status wall_reserve(dem_wall_search *search, uint64_t count)
{
    demi_context *context = &search->context;
    const char *what = "contacts of a wall";
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
    return status;
}

/* Appends a contact, for which there is room, all of it but its normal and its point. */
static uint64_t wall_append(dem_wall_search *search, uint32_t wall_row, const demi_spheres_one *one,
                            double gap, double radius, uint32_t facet)
{
    const uint64_t k = search->count++;
    search->pairs.data[2 * k] = one->row;
    search->pairs.data[2 * k + 1] = wall_row;
    search->overlap.data[k] = one->radius - gap;
    search->radius.data[k] = radius;
    search->facet.data[k] = facet;
    return 3 * k;
}

/* A sphere and a wall of few features. */
static dem_status wall_touch(dem_wall_search *search, const demi_solid *solid,
                             const dem_wall_spheres *s, const demi_spheres_one *one)
{
    const demi_shape *shape = search->shape;
    const double distance = one->radius + s->reach;
    uint32_t feature[WALL_FEATURES];
    const demi_solid *solids[WALL_FEATURES];
    const double *points[WALL_FEATURES];
    demi_surface surface[WALL_FEATURES];
    const uint64_t n =
        shape->near(shape, solid, one->x, one->x, distance, 0, feature, WALL_FEATURES);
    for (uint64_t f = 0; f < n; ++f) {
        solids[f] = solid;
        points[f] = one->x;
    }
    shape->surface(n, solids, feature, points, surface);
    const dem_status status = wall_reserve(search, search->count + n);
    for (uint64_t f = 0; status == DEM_OK && f < n; ++f) {
        const demi_surface *at = &surface[f];
        if (!(at->gap < distance))
            continue;
        const uint64_t k = wall_append(search, s->wall_row, one, at->gap,
                                       demi_shape_radius(at->curvature, one->radius), feature[f]);
        for (uint64_t c = 0; c < 3; ++c) {
            search->normal.data[k + c] = at->normal[c];
            search->point.data[k + c] = one->x[c] - at->gap * at->normal[c];
        }
    }
    return status;
}

/* A sphere and a wall that is a mesh. */
static dem_status wall_touch_mesh(dem_wall_search *search, const demi_solid *solid,
                                  const dem_wall_spheres *s, const demi_spheres_one *one)
{
    demi_mesh_sphere sphere = {.radius = one->radius, .reach = s->reach, .cosine = solid->cosine};
    demi_shape_local(solid, one->x, sphere.centre);
    search->found.count = 0;
    dem_status status =
        demi_mesh_contacts(&search->context, solid->mesh, &sphere, &search->work, &search->found);
    if (status == DEM_OK)
        status = wall_reserve(search, search->count + search->found.count);
    for (uint64_t n = 0; status == DEM_OK && n < search->found.count; ++n) {
        const demi_mesh_point *at = &search->found.point.read[n];
        const uint64_t k =
            wall_append(search, s->wall_row, one, at->distance, one->radius, at->facet);
        double normal[3], point[3];
        demi_shape_global(solid, at->normal, normal);
        demi_shape_global(solid, at->point, point);
        for (uint64_t c = 0; c < 3; ++c) {
            search->normal.data[k + c] = normal[c];
            search->point.data[k + c] = solid->point[c] + point[c];
        }
    }
    return status;
}

static dem_status wall_sphere(dem_wall_search *search, const demi_solid *solid,
                              const dem_wall_spheres *s, const demi_spheres_one *one)
{
    const demi_shape *shape = search->shape;
    if (shape->kept != 0)
        return wall_touch_mesh(search, solid, s, one);
    const double room = shape->room(solid);
    if (one->radius > room && shape->least_gap(solid, DEMI_SHAPE_WHOLE, one->x, one->x) >= 0.0)
        return demi_fail(&search->context, DEM_ERROR_OVERLAP,
                         "dem_wall_spheres.radius[%lu]: %g m must be at most %g m, the room inside "
                         "the wall",
                         (unsigned long)one->row, one->radius, room);
    return wall_touch(search, solid, s, one);
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
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_wall_spheres",
                         (unsigned long long)spheres->struct_size, "dem_wall_spheres");
    if (demi_sized_check_output(contacts) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE,
                         "dem_wall_contacts.struct_size: %llu is not the size of this struct: set "
                         "it to sizeof(dem_wall_contacts)",
                         (unsigned long long)contacts->struct_size);
    const demi_spheres asked = wall_spheres(&s);
    dem_status status = demi_spheres_check(context, &asked);
    const demi_solid solid = wall_moved(&search->solid, &s);
    search->count = 0;
    for (uint64_t k = 0; status == DEM_OK && k < s.count; ++k) {
        demi_spheres_one one;
        status = demi_spheres_get(context, &asked, k, &one);
        if (status == DEM_OK)
            status = wall_sphere(search, &solid, &s, &one);
    }
    if (status != DEM_OK)
        return status;
    const dem_wall_contacts out = {
        .count = search->count,
        .pairs = search->pairs.read,
        .overlap = search->overlap.read,
        .normal = search->normal.read,
        .point = search->point.read,
        .radius = search->radius.read,
        .facet = search->facet.read,
    };
    return demi_sized_write(contacts, contacts->struct_size, &out);
}

dem_status dem_wall_search_spheres(dem_wall_search *search, const dem_wall_spheres *spheres,
                                   dem_wall_contacts *contacts)
{
    DEMI_SET(search, guarded_wall_search_spheres(search, spheres, contacts));
}
