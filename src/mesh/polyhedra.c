/* SPDX-License-Identifier: MIT */
/* Searches for contacts of polyhedra: what a host gives, and what it gets. */
#include "base/check.h"
#include "base/entry.h"
#include "base/isa.h"
#include "base/sized.h"
#include "mesh/halfspace.h"
#include "mesh/overlap.h"

#include <dem/rotation.h>

#include <string.h>

#define POLYHEDRA_MOST 1e100

struct dem_polyhedron_search {
    demi_context context;
    demi_context *self;
    demi_overlap overlap;
};

static const dem_polyhedron_search_config polyhedra_defaults = {
    .struct_size = sizeof(dem_polyhedron_search_config),
};

static const dem_polyhedron_motion polyhedra_motion = {
    .struct_size = sizeof(dem_polyhedron_motion),
    .orientation = {1.0, 0.0, 0.0, 0.0},
};

dem_status dem_polyhedron_search_config_init_sized(dem_polyhedron_search_config *config,
                                                   uint64_t size)
{
    if (config == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(config, size, &polyhedra_defaults);
}

dem_status dem_polyhedron_motion_init_sized(dem_polyhedron_motion *motion, uint64_t size)
{
    if (motion == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(motion, size, &polyhedra_motion);
}

/* ------------------------------------------------------------------ life */

DEMI_GUARDED guarded_polyhedra_create(const dem_polyhedron_search_config *config,
                                      dem_polyhedron_search **search, dem_error *error)
{
    if (search != NULL)
        *search = NULL;
    DEMI_REFUSE(search == NULL || config == NULL, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                search == NULL ? "search" : "config");
    dem_polyhedron_search_config c = polyhedra_defaults;
    dem_status status = demi_sized_read(&c, config);
    DEMI_REFUSE(status != DEM_OK, status, DEMI_SIZED_MESSAGE, "dem_polyhedron_search_config",
                (unsigned long long)config->struct_size, "dem_polyhedron_search_config");
    demi_context context;
    status = demi_context_init(&context, &c.allocator, &c.log);
    DEMI_REFUSE(status != DEM_OK, status,
                "dem_polyhedron_search_config.allocator: one function is NULL");
    dem_polyhedron_search *made = demi_allocate(&context, sizeof *made);
    DEMI_REFUSE(made == NULL, DEM_ERROR_MEMORY,
                "dem_polyhedron_search: the allocator did not give memory");
    memset(made, 0, sizeof *made);
    made->context = context;
    made->self = made->overlap.context = &made->context;
    made->overlap.isa = demi_isa_index(DEM_ISA_AUTO);
    *search = made;
    return DEM_OK;
}

dem_status dem_polyhedron_search_create(const dem_polyhedron_search_config *config,
                                        dem_polyhedron_search **search, dem_error *error)
{
    DEMI_QUIET(guarded_polyhedra_create(config, search, error));
}

void dem_polyhedron_search_destroy(dem_polyhedron_search *search)
{
    if (search == NULL || !demi_enter(search->self, 1, __func__))
        return;
    demi_overlap_free(&search->overlap);
    demi_context last = search->context;
    demi_release(&last, search, sizeof *search);
}

const char *dem_polyhedron_search_error(const dem_polyhedron_search *search)
{
    return search == NULL ? "search: must not be NULL" : demi_context_message(&search->context);
}

/* ------------------------------------------------------------------ what a host gives */

static dem_status polyhedra_motion_check(demi_context *context, const char *name,
                                         const dem_polyhedron_motion *m)
{
    const double *q = m->orientation;
    if (m->shape == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT,
                         "dem_polyhedron_motion.shape of the %s: must not be NULL", name);
    const struct {
        const char *name, *unit;
        const double *value;
    } given[] = {{"position", "m", m->position},
                 {"velocity", "m/s", m->velocity},
                 {"angular_velocity", "rad/s", m->angular_velocity}};
    for (int k = 0; k < 3; ++k) {
        const double *x = given[k].value;
        if (!demi_within3(x, POLYHEDRA_MOST))
            return demi_fail(context, DEM_ERROR_DIVERGED,
                             "dem_polyhedron_motion.%s of the %s, id %llu: (%g, %g, %g) must be "
                             "finite and within %g %s",
                             given[k].name, name, (unsigned long long)m->id, x[0], x[1], x[2],
                             POLYHEDRA_MOST, given[k].unit);
    }
    if (!demi_within3(q, 2.0) || !isfinite(q[3]) || fabs(q[3]) > 2.0 ||
        fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) > 2e-6)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_polyhedron_motion.orientation of the %s, id %llu: (%g, %g, %g, %g) "
                         "is not of length 1 to 1e-6",
                         name, (unsigned long long)m->id, q[0], q[1], q[2], q[3]);
    return DEM_OK;
}

/* Checks a caller's struct and copies it. */
static dem_status polyhedra_motion_read(demi_context *context, const char *name,
                                        const dem_polyhedron_motion *given,
                                        dem_polyhedron_motion *m)
{
    if (given == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL", name);
    *m = polyhedra_motion;
    const dem_status status = demi_sized_read(m, given);
    if (status != DEM_OK)
        return demi_sized_fail(context, "dem_polyhedron_motion", given->struct_size);
    return polyhedra_motion_check(context, name, m);
}

static dem_status polyhedra_contact_check(demi_context *context,
                                          const dem_polyhedron_contact *contact)
{
    if (contact == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "contact: must not be NULL");
    const dem_status status = demi_sized_check_output(contact);
    return status == DEM_OK
               ? DEM_OK
               : demi_sized_fail_output(context, "dem_polyhedron_contact", contact->struct_size);
}

/* ------------------------------------------------------------------ two bodies */

/* Columns are the axes of a body in space. */
static void polyhedra_turn(const double q[4], double turn[3][3])
{
    for (int k = 0; k < 3; ++k) {
        double axis[3] = {k == 0, k == 1, k == 2};
        dem_kernel_rotation_to_space(q, axis);
        for (int c = 0; c < 3; ++c)
            turn[c][k] = axis[c];
    }
}

void demi_side_at_rest(demi_side *side, const dem_polyhedron *solid)
{
    side->solid = solid;
    for (int c = 0; c < 3; ++c) {
        for (int k = 0; k < 3; ++k)
            side->turn[c][k] = c == k;
        side->shift[c] = 0.0;
    }
}

static int polyhedra_aligned(const double a[4], const double b[4])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

/* Bodies of one orientation have exactly one, so that their parallel edges are parallel. */
static void polyhedra_place(demi_overlap *o, const dem_polyhedron_motion *a,
                            const dem_polyhedron_motion *b)
{
    double first[3][3], second[3][3];
    demi_side_at_rest(&o->side[0], a->shape);
    demi_side_at_rest(&o->side[1], b->shape);
    for (int c = 0; c < 3; ++c)
        o->side[1].shift[c] = b->position[c] - a->position[c];
    dem_kernel_rotation_to_body(a->orientation, o->side[1].shift);
    if (polyhedra_aligned(a->orientation, b->orientation))
        return;
    polyhedra_turn(a->orientation, first);
    polyhedra_turn(b->orientation, second);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            o->side[1].turn[r][c] = first[0][r] * second[0][c] + first[1][r] * second[1][c] +
                                    first[2][r] * second[2][c];
}

/* The direction of the hint, or from centre to centre. */
static void polyhedra_guess(demi_overlap *o, const dem_polyhedron_motion *a,
                            const dem_polyhedron_hint *hint)
{
    double *d = o->direction, largest = 0.0;
    memcpy(d, o->side[1].shift, 3 * sizeof *d);
    o->seek = 1;
    if (hint != NULL && demi_within3(hint->direction, 2.0) &&
        demi_dot(hint->direction, hint->direction) > 0.25) {
        memcpy(d, hint->direction, 3 * sizeof *d);
        dem_kernel_rotation_to_body(a->orientation, d);
        o->seek = 0;
    }
    for (int c = 0; c < 3; ++c)
        largest = fmax(largest, fabs(d[c]));
    if (!(largest > 0.0))
        d[0] = largest = 1.0;
    for (int c = 0; c < 3; ++c)
        d[c] /= largest;
    const double length = sqrt(demi_dot(d, d));
    for (int c = 0; c < 3; ++c)
        d[c] /= length;
}

/* From the axes of the body of the lower id to a contact in space, for which this body is the first
 * one. */
static void polyhedra_sums(const demi_patch *sums, const dem_polyhedron_motion *a,
                           const dem_polyhedron_motion *b, dem_polyhedron_contact *contact)
{
    double s[3], g[3], at[3], cross[3], moment[3];
    const double area = sqrt(demi_dot(sums->area, sums->area));
    contact->volume = sums->volume;
    if (!(area > 0.0)) { /* the bodies pierce each other, and what remains is a couple */
        memcpy(moment, sums->moment, sizeof moment);
        dem_kernel_rotation_to_space(a->orientation, moment);
        for (int c = 0; c < 3; ++c)
            contact->volume_rate -= moment[c] * (a->angular_velocity[c] - b->angular_velocity[c]);
        return;
    }
    contact->area = area;
    for (int c = 0; c < 3; ++c) {
        s[c] = sums->area[c] / area;
        moment[c] = sums->moment[c] / area;
        at[c] = sums->origin[c];
    }
    demi_cross(at, s, cross);
    for (int c = 0; c < 3; ++c)
        g[c] = moment[c] + cross[c];
    demi_cross(s, moment, cross);
    /* where on the axis of the force: as far along it as the line is in the mean */
    const double along = sums->line[3] > 0.0 ? demi_dot(s, sums->line) / sums->line[3] : 0.0;
    for (int c = 0; c < 3; ++c)
        at[c] += cross[c] + along * s[c];
    dem_kernel_rotation_to_space(a->orientation, s);
    dem_kernel_rotation_to_space(a->orientation, g);
    dem_kernel_rotation_to_space(a->orientation, at);
    const double d[3] = {b->position[0] - a->position[0], b->position[1] - a->position[1],
                         b->position[2] - a->position[2]};
    demi_cross(d, s, cross);
    double rate = 0.0;
    for (int c = 0; c < 3; ++c) {
        contact->normal[c] = s[c];
        contact->point[c] = at[c];
        contact->arm_first[c] = g[c];
        contact->arm_second[c] = g[c] - cross[c];
        rate += s[c] * (a->velocity[c] - b->velocity[c]) +
                (contact->arm_first[c] * a->angular_velocity[c] -
                 contact->arm_second[c] * b->angular_velocity[c]);
    }
    contact->volume_rate = -area * rate;
}

void demi_polyhedra_contact(const demi_overlap *o, const dem_polyhedron_motion *a,
                            const dem_polyhedron_motion *b, dem_polyhedron_contact *contact)
{
    demi_patch sums = {.volume = o->volume};
    memcpy(sums.area, o->area, sizeof sums.area);
    memcpy(sums.moment, o->moment, sizeof sums.moment);
    memcpy(sums.origin, o->origin, sizeof sums.origin);
    memcpy(sums.line, o->line, sizeof sums.line);
    polyhedra_sums(&sums, a, b, contact);
}

void demi_polyhedra_patch(const demi_overlap *o, uint64_t patch, const dem_polyhedron_motion *a,
                          const dem_polyhedron_motion *b, dem_polyhedron_contact *contact)
{
    memset(contact, 0, sizeof *contact);
    polyhedra_sums(&o->patch.read[patch], a, b, contact);
}

/* The same contact with the other body as the first one. */
static void polyhedra_exchange(const dem_polyhedron_motion *a, const dem_polyhedron_motion *b,
                               dem_polyhedron_contact *contact)
{
    for (int c = 0; c < 3; ++c) {
        const double arm = contact->arm_first[c];
        contact->normal[c] = 0.0 - contact->normal[c];
        contact->arm_first[c] = 0.0 - contact->arm_second[c];
        contact->arm_second[c] = 0.0 - arm;
        if (contact->area > 0.0)
            contact->point[c] -= b->position[c] - a->position[c];
    }
}

dem_status demi_polyhedra_meet(demi_overlap *o, const dem_polyhedron_motion *a,
                               const dem_polyhedron_motion *b, dem_polyhedron_hint *hint,
                               dem_polyhedron_contact *contact)
{
    memset(contact, 0, sizeof *contact);
    const double d[3] = {b->position[0] - a->position[0], b->position[1] - a->position[1],
                         b->position[2] - a->position[2]};
    const double reach = (a->shape->radius + b->shape->radius) * (1.0 + OVERLAP_ROOM);
    if (!(demi_dot(d, d) <= reach * reach))
        return DEM_OK;
    polyhedra_place(o, a, b);
    polyhedra_guess(o, a, hint);
    if (o->was_apart && !o->seek) {
        demi_overlap_pad(o);
        if (demi_slab_gap(o))
            return DEM_OK;
        polyhedra_guess(o, a, NULL);
    }
    const dem_status status = demi_overlap_find(o, &contact->state, &contact->repeats);
    if (status != DEM_OK)
        return status;
    if (contact->state != DEM_POLYHEDRON_APART)
        demi_polyhedra_contact(o, a, b, contact);
    for (int c = 0; hint != NULL && c < 3; ++c)
        hint->direction[c] = o->direction[c];
    if (hint != NULL && contact->area > 0.0)
        for (int c = 0; c < 3; ++c)
            hint->direction[c] = -contact->normal[c];
    else if (hint != NULL)
        dem_kernel_rotation_to_space(a->orientation, hint->direction);
    return DEM_OK;
}

static dem_status polyhedra_pair(dem_polyhedron_search *search,
                                 const dem_polyhedron_motion *given_first,
                                 const dem_polyhedron_motion *given_second,
                                 dem_polyhedron_hint *hint, dem_polyhedron_contact *contact)
{
    demi_context *context = search->self;
    demi_overlap *o = &search->overlap;
    dem_polyhedron_motion first, second;
    dem_polyhedron_contact result;
    dem_status status = polyhedra_motion_read(context, "first", given_first, &first);
    if (status == DEM_OK)
        status = polyhedra_motion_read(context, "second", given_second, &second);
    if (status == DEM_OK)
        status = polyhedra_contact_check(context, contact);
    if (status != DEM_OK)
        return status;
    if (first.id == second.id)
        return demi_fail(context, DEM_ERROR_DUPLICATE,
                         "dem_polyhedron_motion.id: %llu is that of both bodies",
                         (unsigned long long)first.id);
    const int swapped = first.id > second.id;
    const dem_polyhedron_motion *a = swapped ? &second : &first, *b = swapped ? &first : &second;
    status = demi_polyhedra_meet(o, a, b, hint, &result);
    if (status != DEM_OK)
        return status;
    if (swapped)
        polyhedra_exchange(a, b, &result);
    return demi_sized_write(contact, contact->struct_size, &result);
}

DEMI_GUARDED guarded_polyhedra_pair(dem_polyhedron_search *search,
                                    const dem_polyhedron_motion *first,
                                    const dem_polyhedron_motion *second, dem_polyhedron_hint *hint,
                                    dem_polyhedron_contact *contact)
{
    return polyhedra_pair(search, first, second, hint, contact);
}

dem_status dem_polyhedron_search_pair(dem_polyhedron_search *search,
                                      const dem_polyhedron_motion *first,
                                      const dem_polyhedron_motion *second,
                                      dem_polyhedron_hint *hint, dem_polyhedron_contact *contact)
{
    DEMI_STEP(search, guarded_polyhedra_pair(search, first, second, hint, contact));
}

/* ------------------------------------------------------------------ a half space */

static dem_status polyhedra_plane_check(demi_context *context, const double point[3],
                                        const double normal[3], const double velocity[3])
{
    if (point == NULL || normal == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         point == NULL ? "point" : "normal");
    const double *given[] = {point, velocity};
    for (int k = 0; k < 2; ++k)
        if (given[k] != NULL && !demi_within3(given[k], POLYHEDRA_MOST))
            return demi_fail(context, DEM_ERROR_DIVERGED,
                             "%s of the plane: (%g, %g, %g) must be finite and within %g %s",
                             k == 0 ? "point" : "velocity", given[k][0], given[k][1], given[k][2],
                             POLYHEDRA_MOST, k == 0 ? "m" : "m/s");
    if (!demi_within3(normal, 2.0) || fabs(demi_dot(normal, normal) - 1.0) > 2e-6)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "normal of the plane: (%g, %g, %g) is not of length 1 to 1e-6", normal[0],
                         normal[1], normal[2]);
    return DEM_OK;
}

static void polyhedra_plane_contact(const demi_halfspace *h, const dem_polyhedron_motion *m,
                                    const double point[3], const double velocity[3],
                                    const double normal[3], dem_polyhedron_contact *contact)
{
    double arm[3], at[3], cross[3], rate = 0.0;
    contact->volume = h->volume;
    if (!(h->area > 0.0))
        return;
    contact->area = h->area;
    for (int c = 0; c < 3; ++c) {
        at[c] = h->centre[c];
        arm[c] = 0.0;
    }
    demi_cross(at, h->normal, arm);
    dem_kernel_rotation_to_space(m->orientation, at);
    dem_kernel_rotation_to_space(m->orientation, arm);
    const double d[3] = {point[0] - m->position[0], point[1] - m->position[1],
                         point[2] - m->position[2]};
    demi_cross(d, normal, cross);
    for (int c = 0; c < 3; ++c) {
        contact->normal[c] = normal[c];
        contact->point[c] = at[c];
        contact->arm_first[c] = arm[c];
        contact->arm_second[c] = arm[c] - cross[c];
        rate += normal[c] * (m->velocity[c] - (velocity != NULL ? velocity[c] : 0.0)) +
                arm[c] * m->angular_velocity[c];
    }
    contact->volume_rate = -h->area * rate;
}

static void polyhedra_halfspace(const dem_polyhedron_motion *body, const double point[3],
                                const double normal[3], demi_halfspace *h)
{
    memset(h, 0, sizeof *h);
    for (int c = 0; c < 3; ++c) {
        h->normal[c] = normal[c];
        h->place += normal[c] * (point[c] - body->position[c]);
    }
    dem_kernel_rotation_to_body(body->orientation, h->normal);
}

void demi_polyhedra_plane_patches(demi_overlap *o, const dem_polyhedron_motion *body,
                                  const double point[3], const double normal[3])
{
    demi_halfspace h;
    polyhedra_halfspace(body, point, normal, &h);
    demi_halfspace_patches(o, body->shape, &h, o->isa);
}

void demi_polyhedra_plane_patch(const demi_overlap *o, uint64_t patch,
                                const dem_polyhedron_motion *body, const double point[3],
                                const double normal[3], dem_polyhedron_contact *contact)
{
    demi_halfspace h;
    memset(contact, 0, sizeof *contact);
    polyhedra_halfspace(body, point, normal, &h);
    demi_halfspace_patch(o, patch, &h);
    polyhedra_plane_contact(&h, body, point, NULL, normal, contact);
}

void demi_polyhedra_meet_plane(const dem_polyhedron_motion *body, const double point[3],
                               const double normal[3], const double velocity[3], int isa,
                               dem_polyhedron_contact *contact, double *border)
{
    demi_halfspace h;
    memset(contact, 0, sizeof *contact);
    polyhedra_halfspace(body, point, normal, &h);
    contact->state = demi_halfspace_cut(body->shape, &h, isa);
    *border = h.border;
    if (contact->state != DEM_POLYHEDRON_APART)
        polyhedra_plane_contact(&h, body, point, velocity, normal, contact);
}

DEMI_GUARDED guarded_polyhedra_plane(dem_polyhedron_search *search,
                                     const dem_polyhedron_motion *body, const double point[3],
                                     const double normal[3], const double velocity[3],
                                     dem_polyhedron_contact *contact)
{
    demi_context *context = search->self;
    dem_polyhedron_motion m;
    dem_polyhedron_contact result;
    dem_status status = polyhedra_motion_read(context, "body", body, &m);
    if (status == DEM_OK)
        status = polyhedra_plane_check(context, point, normal, velocity);
    if (status == DEM_OK)
        status = polyhedra_contact_check(context, contact);
    if (status != DEM_OK)
        return status;
    double border;
    demi_polyhedra_meet_plane(&m, point, normal, velocity, search->overlap.isa, &result, &border);
    return demi_sized_write(contact, contact->struct_size, &result);
}

dem_status dem_polyhedron_search_plane(dem_polyhedron_search *search,
                                       const dem_polyhedron_motion *body, const double point[3],
                                       const double normal[3], const double velocity[3],
                                       dem_polyhedron_contact *contact)
{
    DEMI_STEP(search, guarded_polyhedra_plane(search, body, point, normal, velocity, contact));
}
