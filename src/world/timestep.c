/* SPDX-License-Identifier: MIT */
/* Advice on the time step. */
#include "base/entry.h"
#include "base/check.h"
#include "base/sized.h"
#include "laws/rayleigh.h"
#include "mesh/polyhedron.h"
#include "world/added_mass.h"
#include "world/limits.h"

#include <dem/timestep.h>

#include <math.h>
#include <string.h>

/* Of the limit of stability of one contact: clear of where demi_limits_check warns. */
#define TIMESTEP_OF_ONE_CONTACT 0.2

static const dem_timestep_request request_defaults = {.struct_size = sizeof(dem_timestep_request),
                                                      .steps_per_contact = 40.0,
                                                      .rayleigh_fraction = 0.2,
                                                      .displacement_fraction = 0.1,
                                                      .face_overlap = 0.01};

dem_status dem_timestep_request_init_sized(dem_timestep_request *request, uint64_t size)
{
    if (request == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(request, size, &request_defaults);
}

static dem_status request_check(demi_context *context, const dem_timestep_request *r)
{
    if (!isfinite(r->steps_per_contact) || r->steps_per_contact < 1.0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_timestep_request.steps_per_contact: %g must be finite and >= 1",
                         r->steps_per_contact);
    if (!demi_positive(r->rayleigh_fraction) || r->rayleigh_fraction > 1.0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_timestep_request.rayleigh_fraction: %g is not in (0, 1]",
                         r->rayleigh_fraction);
    if (!demi_positive(r->displacement_fraction) || r->displacement_fraction > 1.0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_timestep_request.displacement_fraction: %g is not in (0, 1]",
                         r->displacement_fraction);
    if (!demi_positive(r->face_overlap) || r->face_overlap > 1.0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_timestep_request.face_overlap: %g is not in (0, 1]", r->face_overlap);
    if (!demi_not_negative(r->speed))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_timestep_request.speed: %g must be finite and >= 0 m/s", r->speed);
    return DEM_OK;
}

/* Lowers a limit; 0 stands for none. Returns whether it was lowered. */
static int lower(double *limit, double value)
{
    if (!isfinite(value) || value <= 0.0 || (*limit > 0.0 && value >= *limit))
        return 0;
    *limit = value;
    return 1;
}

static void advise_motion(const dem_world *w, const dem_timestep_request *r,
                          dem_timestep_advice *out)
{
    double fastest = 0.0;
    for (uint64_t row = 0; row < w->rows; ++row) {
        if (w->body.data[row].id == 0)
            continue;
        const double *v = w->current.velocity.data[row].velocity;
        const double speed = sqrt(demi_dot(v, v));
        fastest = speed > fastest ? speed : fastest;
        if (speed > 0.0 && lower(&out->displacement, r->displacement_fraction *
                                                         w->current.position.data[row][3] / speed))
            out->displacement_id = w->body.data[row].id;
    }
    out->speed = r->speed > 0.0 ? r->speed : 2.0 * fastest;
}

static void advise_contacts(dem_world *w, const dem_timestep_request *r, dem_timestep_advice *out)
{
    for (int32_t a = 0; a < w->config.material_count; ++a)
        for (int32_t b = a; !demi_limits_none(w, a) && b < w->config.material_count; ++b) {
            demi_limit_pair pair;
            const demi_model *model = demi_limits_lightest(w, a, b, &pair);
            if (model == NULL)
                continue;
            demi_limits_unknown(w, model);
            dem_law_limits limits;
            demi_limits_of_pair(model, &pair, out->speed, w->scheme->dashpot_weight, &limits, NULL);
            if (lower(&out->contact, limits.contact_time / r->steps_per_contact)) {
                out->contact_id[0] = pair.a->id;
                out->contact_id[1] = pair.b->id;
            }
            if (lower(&out->stability, limits.timestep_limit)) {
                out->stability_id[0] = pair.a->id;
                out->stability_id[1] = pair.b->id;
            }
            const demi_film *film = demi_limits_film(model);
            if (film != NULL && out->speed > 0.0 &&
                lower(&out->film, 0.1 * film->gap_max / out->speed)) {
                out->film_id[0] = pair.a->id;
                out->film_id[1] = pair.b->id;
            }
        }
}

/* A combined value of this name; 0 if the model has none. */
static double model_value(const demi_model *model, const char *name)
{
    for (uint32_t p = 0; p < model->part_count; ++p)
        for (uint64_t k = 0; model->laws[p].value_names != NULL && k < model->laws[p].value_count;
             ++k)
            if (strcmp(model->laws[p].value_names[k], name) == 0)
                return model->combined[p][k];
    return 0.0;
}

/* For two bodies alike the ratio of G* to E* is (1 - nu)/(4 - 2 nu), and G = 2 (2 - nu) G*. */
static void advise_rayleigh(const dem_world *w, const dem_timestep_request *r,
                            dem_timestep_advice *out)
{
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_body *body = &w->body.data[row];
        const demi_model *model =
            body->id != 0 ? demi_models_get(&w->models, body->material, body->material) : NULL;
        if (model == NULL)
            continue;
        const double young = model_value(model, "effective_young");
        const double effective = model_value(model, "effective_shear");
        if (!(young > 0.0) || !(effective > 0.0))
            continue;
        const double ratio = 2.0 * effective / young;
        const double poisson = (1.0 - 2.0 * ratio) / (1.0 - ratio);
        const double shear = 2.0 * (2.0 - poisson) * effective;
        /* R^2 rho = m/(4/3 pi R), which leaves no range in any units */
        const double square =
            w->particle.read[row].mass /
            (4.0 / 3.0 * 3.14159265358979323846 * w->current.position.read[row][3] * shear);
        if (lower(&out->rayleigh, r->rayleigh_fraction * demi_rayleigh_time(sqrt(square), poisson)))
            out->rayleigh_id = body->id;
    }
}

/* The greatest E* with which polyhedra of a material meet anything. */
static double face_young(const dem_world *w, int32_t material)
{
    double most = 0.0;
    for (int32_t b = 0; b < w->config.material_count; ++b) {
        const demi_model *model = demi_models_get(&w->models, material, b);
        if (model != NULL)
            most = fmax(most, model_value(model, "effective_young"));
    }
    return most;
}

/* A face of a body on that of another alike: R is half of theirs, m* that of two corners. Of equal
 * limits that of the first row counts. */
static void advise_body(const dem_world *w, const dem_timestep_request *r, const demi_rigid *rigid,
                        uint64_t *first, dem_timestep_advice *out)
{
    static const double pi = 3.14159265358979323846;
    const dem_world_config *c = &w->config;
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    const double inverse_mass = demi_rigid_inverse_whole(w, rigid);
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        const uint64_t row = demi_rigid_row(w, &part[p]);
        const demi_body *body = &w->body.read[row];
        if (body->id == 0 || part[p].shape == NULL || !demi_kinds[body->kind].responds)
            continue;
        const double radius = part[p].shape->equivalent_radius;
        const double slope = face_young(w, body->material) *
                             demi_polyhedron_slope(c->polyhedron_law, c->polyhedron_overlap,
                                                   r->face_overlap * 0.5 * radius,
                                                   pi * radius * radius, 0.5 * radius);
        const double square = slope * 2.0 * inverse_mass;
        const double limit = square > 0.0 ? pi / sqrt(square) / r->steps_per_contact : 0.0;
        const int alike = limit > 0.0 && limit == out->face && row < *first;
        if (lower(&out->face, limit) || alike) {
            out->face_id = body->id;
            *first = row;
        }
    }
}

static void advise_faces(const dem_world *w, const dem_timestep_request *r,
                         dem_timestep_advice *out)
{
    uint64_t first = UINT64_MAX;
    for (uint64_t k = 0; w->polyhedra.parts > 0 && k < w->rigids; ++k)
        if (demi_rigid_moves(&w->rigid.read[k]))
            advise_body(w, r, &w->rigid.read[k], &first, out);
}

DEMI_GUARDED guarded_world_timestep_advise(dem_world *world, const dem_timestep_request *request,
                                           dem_timestep_advice *advice)
{
    demi_context *context = &world->context;
    if (advice == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "advice: must not be NULL");
    if (demi_sized_check_output(advice) != DEM_OK)
        return demi_sized_fail_output(context, "dem_timestep_advice", advice->struct_size);
    static const dem_executor none; /* which is for steps */
    dem_timestep_request r = request_defaults;
    if (request != NULL && demi_sized_read(&r, request) != DEM_OK)
        return demi_sized_fail(context, "dem_timestep_request", request->struct_size);
    dem_status status = request_check(context, &r);
    if (status == DEM_OK)
        status = demi_added_mass_written(world);
    if (status == DEM_OK)
        status = demi_limits_collect(world, &none, 1);
    if (status != DEM_OK)
        return status;
    dem_timestep_advice out;
    memset(&out, 0, sizeof out);
    out.struct_size = advice->struct_size;
    advise_motion(world, &r, &out);
    advise_contacts(world, &r, &out);
    advise_rayleigh(world, &r, &out);
    advise_faces(world, &r, &out);
    const double limits[] = {out.contact, TIMESTEP_OF_ONE_CONTACT * out.stability, out.rayleigh,
                             out.displacement};
    for (int k = 0; k < 4; ++k)
        (void)lower(&out.timestep, limits[k]);
    return demi_sized_write(advice, advice->struct_size, &out);
}

dem_status dem_world_timestep_advise(dem_world *world, const dem_timestep_request *request,
                                     dem_timestep_advice *advice)
{
    DEMI_SET(world, guarded_world_timestep_advise(world, request, advice));
}
