/* SPDX-License-Identifier: MIT */
/* Limits on the time step: what the models of the lightest pairs say, for refusing a dt and for
 * advising one. */
#include "base/entry.h"
#include "base/check.h"
#include "base/parallel.h"
#include "base/sized.h"
#include "laws/film_lane.h"
#include "mesh/polyhedron.h"
#include "world/added_mass.h"
#include "world/world.h"

#include <dem/collision.h>

#include <string.h>

/* A body as far as limits go. */
typedef struct limit_body {
    uint64_t id;                 /* 0: none */
    double inverse_mass, radius; /* 0: a wall */
    double curvature[2];         /* of a wall, where it is most concave */
} limit_body;

/* The lightest bodies of a material: two free ones, and one that is not (walls too). */
typedef struct demi_limit_material {
    limit_body free[2], held;
} demi_limit_material;

typedef struct limit_pair {
    const limit_body *a, *b;
    double inverse_mass;
} limit_pair;

static limit_body *materials_slot(demi_limit_material *m, int free, double inverse_mass)
{
    if (!free)
        return m->held.id == 0 || inverse_mass > m->held.inverse_mass ? &m->held : NULL;
    if (m->free[0].id == 0 || inverse_mass > m->free[0].inverse_mass) {
        m->free[1] = m->free[0];
        return &m->free[0];
    }
    return m->free[1].id == 0 || inverse_mass > m->free[1].inverse_mass ? &m->free[1] : NULL;
}

/* Adds bodies of a material that come after those there are; of equally light ones the first ones
 * stay. */
static void materials_add(demi_limit_material *m, const demi_limit_material *after)
{
    const limit_body *body[] = {&after->free[0], &after->free[1], &after->held};
    for (int k = 0; k < 3; ++k) {
        limit_body *slot =
            body[k]->id != 0 ? materials_slot(m, k < 2, body[k]->inverse_mass) : NULL;
        if (slot != NULL)
            *slot = *body[k];
    }
}

/* Rows in parts, each with materials of its own. */
typedef struct limits_call {
    const dem_world *w;
    demi_limit_material *material; /* [parts][materials] */
    uint64_t parts, materials;
    int whole;
} limits_call;

static void limits_part(void *argument, uint64_t part)
{
    const limits_call *call = argument;
    const dem_world *w = call->w;
    demi_limit_material *materials = call->material + part * call->materials;
    const uint64_t end = demi_part_end(part, call->parts, w->rows);
    memset(materials, 0, (size_t)call->materials * sizeof *materials);
    for (uint64_t row = demi_part_begin(part, call->parts, w->rows); row < end; ++row) {
        const demi_body *body = &w->body.read[row];
        if (body->id == 0)
            continue;
        const double inverse = demi_rigid_inverse_most(w, row, call->whole);
        limit_body *slot =
            materials_slot(&materials[body->material], demi_kinds[body->kind].responds, inverse);
        if (slot != NULL)
            *slot = (limit_body){body->id, inverse, w->current.position.read[row][3], {0.0, 0.0}};
    }
}

/* whole: with bodies as light as they are to all of their parts together */
static dem_status materials_collect(dem_world *w, const dem_executor *executor, int whole)
{
    const uint64_t count = (uint64_t)w->config.material_count,
                   parts = demi_parts_of(w->rows, count);
    const dem_status status =
        demi_array_reserve(&w->context, &w->lightest, parts * count, 0, "limits on the time step");
    if (status != DEM_OK)
        return status;
    demi_limit_material *materials = w->lightest.data;
    limits_call call = {w, materials, parts, count, whole};
    demi_parallel(executor, limits_part, &call, parts);
    for (uint64_t k = count; k < parts * count; ++k)
        materials_add(&materials[k % count], &materials[k]);
    for (uint64_t k = 0; k < w->walls; ++k) {
        const demi_wall *wall = &w->wall.data[k];
        limit_body body = {wall->id, 0.0, 0.0, {0.0, 0.0}};
        limit_body *held = &materials[wall->material].held;
        demi_wall_shape(wall)->concave(&w->current.solid.read[k], body.curvature);
        if (wall->id != 0 && (held->id == 0 || (held->inverse_mass == 0.0 &&
                                                body.curvature[0] + body.curvature[1] <
                                                    held->curvature[0] + held->curvature[1])))
            *held = body;
    }
    return DEM_OK;
}

/* Limits of a pair's model. Laws see a wall as a plane against a sphere of radius R*. */
static void pair_limits(const demi_model *model, const limit_pair *pair, double speed,
                        double weight, dem_law_limits *limits)
{
    const double radius = pair->b->radius > 0.0
                              ? pair->a->radius
                              : demi_shape_radius(pair->b->curvature, pair->a->radius);
    demi_model_limits(model, 1.0 / pair->inverse_mass, radius, pair->b->radius, speed, weight,
                      limits);
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
    const demi_limit_material *m = w->lightest.data;
    memset(best, 0, sizeof *best);
    pair_take(best, &m[a].free[0], a == b ? &m[b].free[1] : &m[b].free[0]);
    pair_take(best, &m[a].free[0], &m[b].held);
    pair_take(best, &m[b].free[0], &m[a].held);
    return best->a != NULL;
}

/* Speed at which bodies that are there may meet: the present ones, or a fall by a diameter. */
static double limits_speed(const dem_world *w, const limit_pair *pair)
{
    const double *g = w->config.gravity;
    double square = 0.0;
    for (uint64_t row = 0; row < w->rows; ++row) {
        const double *v = w->current.velocity.data[row].velocity;
        const double own = w->body.data[row].id != 0 ? demi_dot(v, v) : 0.0;
        square = own > square ? own : square;
    }
    const double fall = 4.0 * sqrt(demi_dot(g, g)) * (pair->a->radius + pair->b->radius);
    return sqrt(4.0 * square > fall ? 4.0 * square : fall);
}

enum { LIMITS_STEPS_LEAST = 10 }; /* of a contact */
/* Of the limit of one contact. A particle with z contacts has less: over z for dashpots, over the
 * root of z for springs. The advice stays clear of the warning. */
#define LIMITS_OF_ONE_CONTACT 0.25
#define LIMITS_ADVISED 0.2

/* Warns once of a step that one contact bears, but that is too coarse to follow a collision, and
 * once of one that is too long for particles with several contacts. */
static void limits_coarse(dem_world *w, double dt, const demi_model *model, const limit_pair *pair)
{
    unsigned char *mark = demi_models_mark(&w->models, model->material_a, model->material_b);
    const int both = DEMI_PAIR_TOLD_COARSE | DEMI_PAIR_TOLD_CROWDED;
    if (w->context.log.message == NULL || (*mark & both) == both)
        return;
    dem_law_limits limits;
    const double speed = limits_speed(w, pair);
    pair_limits(model, pair, speed, w->scheme->dashpot_weight, &limits);
    const int coarse = limits.contact_time > 0.0 && dt * LIMITS_STEPS_LEAST > limits.contact_time,
              crowded =
                  limits.timestep_limit > 0.0 && dt > LIMITS_OF_ONE_CONTACT * limits.timestep_limit;
    const int a = model->material_a, b = model->material_b;
    const unsigned long long first = pair->a->id, second = pair->b->id;
    if (coarse && (*mark & DEMI_PAIR_TOLD_COARSE) == 0) {
        *mark |= DEMI_PAIR_TOLD_COARSE;
        demi_log(&w->context, DEM_LOG_WARNING,
                 "dem_step dt: %g s makes %.3g steps of a contact of materials %d and %d, which "
                 "lasts %g s at %g m/s (bodies %llu and %llu); fewer than %d are coarse: take dt "
                 "from dem_world_timestep_advise for this speed",
                 dt, limits.contact_time / dt, a, b, limits.contact_time, speed, first, second,
                 LIMITS_STEPS_LEAST);
    } else if (crowded && !coarse && (*mark & DEMI_PAIR_TOLD_CROWDED) == 0) {
        *mark |= DEMI_PAIR_TOLD_CROWDED;
        demi_log(&w->context, DEM_LOG_WARNING,
                 "dem_step dt: %g s is %.2g of %g s, where one contact of materials %d and %d is "
                 "unstable at %g m/s (bodies %llu and %llu); with several contacts a particle may "
                 "gain energy above %g of it: take dt from dem_world_timestep_advise for this "
                 "speed",
                 dt, dt / limits.timestep_limit, limits.timestep_limit, a, b, speed, first, second,
                 LIMITS_OF_ONE_CONTACT);
    }
}

static const demi_film *film_of(const demi_model *model)
{
    return model->film == 0 ? NULL
                            : (const demi_film *)(const void *)model->combined[model->film - 1];
}

/* Warns once of a film that is wide against R*. */
static void limits_wide(dem_world *w, const demi_model *model, const limit_pair *pair)
{
    unsigned char *mark = demi_models_mark(&w->models, model->material_a, model->material_b);
    const demi_film *film = film_of(model);
    if (film == NULL || w->context.log.message == NULL || (*mark & DEMI_PAIR_TOLD_WIDE) != 0)
        return;
    const double a = pair->a->radius, b = pair->b->radius;
    const double radius = b > 0.0 ? a * b / (a + b) : demi_shape_radius(pair->b->curvature, a);
    if (film->gap_max <= 0.1001 * radius)
        return;
    *mark |= DEMI_PAIR_TOLD_WIDE;
    demi_log(&w->context, DEM_LOG_WARNING,
             "dem_film.gap_max: %g m between materials %d and %d is more than a tenth of R*, %g m "
             "(bodies %llu and %llu); lubrication holds for gaps that are narrow: leave wider ones "
             "to the fluid solver",
             film->gap_max, (int)model->material_a, (int)model->material_b, radius,
             (unsigned long long)pair->a->id, (unsigned long long)pair->b->id);
}

dem_status demi_limits_check(dem_world *w, double dt)
{
    const dem_status status = materials_collect(w, &w->config.executor, 0);
    if (status != DEM_OK)
        return status;
    for (int32_t a = 0; a < w->config.material_count; ++a)
        for (int32_t b = a; b < w->config.material_count; ++b) {
            const demi_model *model = demi_models_get(&w->models, a, b);
            limit_pair pair;
            if (model == NULL || !pair_lightest(w, a, b, &pair))
                continue;
            dem_law_limits limits;
            pair_limits(model, &pair, 0.0, w->scheme->dashpot_weight, &limits);
            if (limits.timestep_limit > 0.0 && dt >= limits.timestep_limit)
                return demi_fail(&w->context, DEM_ERROR_RANGE,
                                 "dem_step dt: %g s is not below %g s, where \"%.40s\" between "
                                 "materials %d and %d is unstable (bodies %llu and %llu, m* %g kg)",
                                 dt, limits.timestep_limit, model->laws[0].name, (int)a, (int)b,
                                 (unsigned long long)pair.a->id, (unsigned long long)pair.b->id,
                                 1.0 / pair.inverse_mass);
            limits_coarse(w, dt, model, &pair);
            limits_wide(w, model, &pair);
        }
    w->dt_checked = dt;
    return DEM_OK;
}

/* ------------------------------------------------------------------ advice */

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

static void advise_contacts(const dem_world *w, const dem_timestep_request *r,
                            dem_timestep_advice *out)
{
    for (int32_t a = 0; a < w->config.material_count; ++a)
        for (int32_t b = a; b < w->config.material_count; ++b) {
            const demi_model *model = demi_models_get(&w->models, a, b);
            limit_pair pair;
            if (model == NULL || !pair_lightest(w, a, b, &pair))
                continue;
            dem_law_limits limits;
            pair_limits(model, &pair, out->speed, w->scheme->dashpot_weight, &limits);
            if (lower(&out->contact, limits.contact_time / r->steps_per_contact)) {
                out->contact_id[0] = pair.a->id;
                out->contact_id[1] = pair.b->id;
            }
            if (lower(&out->stability, limits.timestep_limit)) {
                out->stability_id[0] = pair.a->id;
                out->stability_id[1] = pair.b->id;
            }
            const demi_film *film = film_of(model);
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
        const double radius = w->current.position.data[row][3];
        const double density = w->particle.read[row].mass /
                               (4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius);
        double time = 0.0;
        if (dem_collision_step_rayleigh(radius, density, shear, poisson, &time) == DEM_OK &&
            lower(&out->rayleigh, r->rayleigh_fraction * time))
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

/* A face on that of another alike: R is half of theirs, m* that of two corners. */
static void advise_faces(const dem_world *w, const dem_timestep_request *r,
                         dem_timestep_advice *out)
{
    static const double pi = 3.14159265358979323846;
    const dem_world_config *c = &w->config;
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_body *body = &w->body.read[row];
        if (body->id == 0 || !body->faceted || !demi_kinds[body->kind].responds)
            continue;
        const double radius = demi_faceted_shape(w, row)->equivalent_radius;
        const double slope = face_young(w, body->material) *
                             demi_polyhedron_slope(c->polyhedron_law, c->polyhedron_overlap,
                                                   r->face_overlap * 0.5 * radius,
                                                   pi * radius * radius, 0.5 * radius);
        const double square = slope * 2.0 * demi_rigid_inverse_most(w, row, 1);
        if (square > 0.0 && lower(&out->face, pi / sqrt(square) / r->steps_per_contact))
            out->face_id = body->id;
    }
}

DEMI_GUARDED guarded_world_timestep_advise(dem_world *world, const dem_timestep_request *request,
                                           dem_timestep_advice *advice)
{
    demi_context *context = &world->context;
    if (advice == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "advice: must not be NULL");
    if (demi_sized_check_output(advice) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE,
                         "dem_timestep_advice.struct_size: %llu is not the size of this struct: "
                         "set it to sizeof(dem_timestep_advice)",
                         (unsigned long long)advice->struct_size);
    static const dem_executor none; /* which is for steps */
    dem_timestep_request r = request_defaults;
    if (request != NULL && demi_sized_read(&r, request) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_timestep_request",
                         (unsigned long long)request->struct_size, "dem_timestep_request");
    dem_status status = request_check(context, &r);
    if (status == DEM_OK)
        status = demi_added_mass_written(world);
    if (status == DEM_OK)
        status = materials_collect(world, &none, 1);
    if (status != DEM_OK)
        return status;
    dem_timestep_advice out;
    memset(&out, 0, sizeof out);
    out.struct_size = advice->struct_size;
    advise_motion(world, &r, &out);
    advise_contacts(world, &r, &out);
    advise_rayleigh(world, &r, &out);
    advise_faces(world, &r, &out);
    const double limits[] = {out.contact, LIMITS_ADVISED * out.stability, out.rayleigh,
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
