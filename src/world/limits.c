/* SPDX-License-Identifier: MIT */
/* Limits on the time step: what the models of the lightest pairs say, for refusing a dt and for
 * advising one. */
#include "base/check.h"
#include "base/sized.h"
#include "world/world.h"

#include <dem/collision.h>

#include <string.h>

/* A body as far as limits go. */
typedef struct limit_body {
    uint64_t id; /* 0: none */
    double inverse_mass, radius;
} limit_body;

/* The lightest bodies of a material: two free ones, and one that is not (walls too). */
typedef struct limit_material {
    limit_body free[2], held;
} limit_material;

typedef struct limit_pair {
    const limit_body *a, *b;
    double inverse_mass;
} limit_pair;

static limit_body *materials_slot(limit_material *m, int free, double inverse_mass)
{
    if (!free)
        return m->held.id == 0 || inverse_mass > m->held.inverse_mass ? &m->held : NULL;
    if (m->free[0].id == 0 || inverse_mass > m->free[0].inverse_mass) {
        m->free[1] = m->free[0];
        return &m->free[0];
    }
    return m->free[1].id == 0 || inverse_mass > m->free[1].inverse_mass ? &m->free[1] : NULL;
}

static dem_status materials_collect(dem_world *w)
{
    const uint64_t size = (uint64_t)w->config.material_count * sizeof(limit_material);
    const dem_status status =
        demi_buffer_reserve(&w->context, &w->lightest, size, 0, "limits on the time step");
    if (status != DEM_OK)
        return status;
    limit_material *materials = w->lightest.data;
    memset(materials, 0, (size_t)size);
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_body *body = &demi_bodies(w)[row];
        if (body->id == 0)
            continue;
        const double inverse = demi_motions(&w->motion[w->front])[row].velocity[3];
        limit_body *slot =
            materials_slot(&materials[body->material], body->motion == DEM_MOTION_FREE, inverse);
        if (slot != NULL)
            *slot = (limit_body){body->id, inverse, demi_rows(&w->position[w->front])[row][3]};
    }
    const demi_wall *walls = w->wall.data;
    for (uint64_t k = 0; k < w->walls; ++k) {
        limit_body *slot =
            walls[k].id != 0 ? materials_slot(&materials[walls[k].material], 0, 0.0) : NULL;
        if (slot != NULL)
            *slot = (limit_body){walls[k].id, 0.0, 0.0};
    }
    return DEM_OK;
}

static void pair_take(limit_pair *best, const limit_body *a, const limit_body *b)
{
    if (a->id == 0 || b->id == 0 || a->inverse_mass + b->inverse_mass <= best->inverse_mass)
        return;
    best->a = a;
    best->b = b;
    best->inverse_mass = a->inverse_mass + b->inverse_mass;
}

/* The lightest pair of two materials of which one body at least is free; 0 if there is none. */
static int pair_lightest(const dem_world *w, int32_t a, int32_t b, limit_pair *best)
{
    const limit_material *m = w->lightest.data;
    memset(best, 0, sizeof *best);
    pair_take(best, &m[a].free[0], a == b ? &m[b].free[1] : &m[b].free[0]);
    pair_take(best, &m[a].free[0], &m[b].held);
    pair_take(best, &m[b].free[0], &m[a].held);
    return best->a != NULL;
}

/* What a dashpot counts in limits. A scheme that steps x1 = x0 + v dt and v' = v - (k x1 + eta u)
 * dt/m, all velocities of half steps or, with symplectic Euler, of whole ones, has u = v, and its
 * matrix has the determinant 1 - eta dt/m and the trace 2 - eta dt/m - k dt^2/m: stable where
 * eta dt/m / 2 + (k/m) dt^2/4 < 1. With u extrapolated from v by half a step of what acted before,
 * the bound is eta dt/m + (k/m) dt^2/4 < 1. */
static double limits_dashpot_weight(const dem_world *w)
{
    return w->config.integrator == DEM_INTEGRATOR_VERLET_SYNC ||
                   w->config.integrator == DEM_INTEGRATOR_LEAPFROG
               ? 1.0
               : 0.5;
}

dem_status demi_limits_check(dem_world *w, double dt)
{
    const dem_status status = materials_collect(w);
    if (status != DEM_OK)
        return status;
    for (int32_t a = 0; a < w->config.material_count; ++a)
        for (int32_t b = a; b < w->config.material_count; ++b) {
            const demi_model *model = demi_models_get(&w->models, a, b);
            limit_pair pair;
            if (model == NULL || !pair_lightest(w, a, b, &pair))
                continue;
            const double mass = 1.0 / pair.inverse_mass;
            dem_law_scales scales;
            demi_model_scales(model, mass, pair.a->radius, pair.b->radius, 0.0,
                              limits_dashpot_weight(w), &scales);
            if (scales.timestep_limit > 0.0 && dt >= scales.timestep_limit)
                return demi_fail(&w->context, DEM_ERROR_RANGE,
                                 "dem_step dt: %g s is not below %g s, where \"%.40s\" between "
                                 "materials %d and %d is unstable (bodies %llu and %llu, m* %g kg)",
                                 dt, scales.timestep_limit, model->laws[0].name, (int)a, (int)b,
                                 (unsigned long long)pair.a->id, (unsigned long long)pair.b->id,
                                 mass);
        }
    w->dt_checked = dt;
    return DEM_OK;
}

/* ------------------------------------------------------------------ advice */

static const dem_timestep_request request_defaults = {.struct_size = sizeof(dem_timestep_request),
                                                      .steps_per_contact = 40.0,
                                                      .rayleigh_fraction = 0.2,
                                                      .motion_fraction = 0.1};

dem_status dem_timestep_request_init_sized(dem_timestep_request *request, uint64_t size)
{
    if (request == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(request, size, &request_defaults, sizeof request_defaults,
                            sizeof request_defaults);
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
    if (!demi_positive(r->motion_fraction) || r->motion_fraction > 1.0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_timestep_request.motion_fraction: %g is not in (0, 1]",
                         r->motion_fraction);
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
        if (demi_bodies(w)[row].id == 0)
            continue;
        const double *v = demi_motions(&w->motion[w->front])[row].velocity;
        const double speed = sqrt(demi_dot(v, v));
        fastest = speed > fastest ? speed : fastest;
        if (speed > 0.0 &&
            lower(&out->motion,
                  r->motion_fraction * demi_rows(&w->position[w->front])[row][3] / speed))
            out->motion_id = demi_bodies(w)[row].id;
    }
    out->speed = r->speed > 0.0 ? r->speed : 2.0 * fastest;
}

static void advise_contacts(const dem_world *w, const dem_timestep_request *r,
                            dem_timestep_advice *out)
{
    for (int32_t a = 0; a < w->config.material_count; ++a)
        for (int32_t b = a; b < w->config.material_count; ++b) {
            const demi_model *model = demi_models_get(&w->models, a, b);
            limit_pair pair;
            if (model == NULL || !pair_lightest(w, a, b, &pair))
                continue;
            dem_law_scales scales;
            demi_model_scales(model, 1.0 / pair.inverse_mass, pair.a->radius, pair.b->radius,
                              out->speed, limits_dashpot_weight(w), &scales);
            if (lower(&out->contact, scales.contact_time / r->steps_per_contact)) {
                out->contact_id[0] = pair.a->id;
                out->contact_id[1] = pair.b->id;
            }
            if (lower(&out->stability, scales.timestep_limit)) {
                out->stability_id[0] = pair.a->id;
                out->stability_id[1] = pair.b->id;
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
        const demi_body *body = &demi_bodies(w)[row];
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
        const double radius = demi_rows(&w->position[w->front])[row][3];
        const double density =
            body->mass / (4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius);
        double time = 0.0;
        if (dem_collision_step_rayleigh(radius, density, shear, poisson, &time) == DEM_OK &&
            lower(&out->rayleigh, r->rayleigh_fraction * time))
            out->rayleigh_id = body->id;
    }
}

dem_status dem_world_timestep_advise(dem_world *world, const dem_timestep_request *request,
                                     dem_timestep_advice *advice)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &world->context;
    if (advice == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "advice: NULL");
    if (demi_sized_check(advice, sizeof *advice, UINT64_MAX) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE,
                         "dem_timestep_advice.struct_size: %llu is not the size of this struct",
                         (unsigned long long)advice->struct_size);
    dem_timestep_request r = request_defaults;
    if (request != NULL && demi_sized_read(&r, request, sizeof r, sizeof r) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_timestep_request",
                         (unsigned long long)request->struct_size, "dem_timestep_request");
    dem_status status = request_check(context, &r);
    if (status == DEM_OK)
        status = materials_collect(world);
    if (status != DEM_OK)
        return status;
    dem_timestep_advice out;
    memset(&out, 0, sizeof out);
    out.struct_size = advice->struct_size;
    advise_motion(world, &r, &out);
    advise_contacts(world, &r, &out);
    advise_rayleigh(world, &r, &out);
    const double limits[] = {out.contact, out.stability, out.rayleigh, out.motion};
    for (int k = 0; k < 4; ++k)
        (void)lower(&out.timestep, limits[k]);
    return demi_sized_write(advice, advice->struct_size, &out, sizeof out, sizeof out);
}
