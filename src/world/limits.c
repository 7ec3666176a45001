/* SPDX-License-Identifier: MIT */
/* Limits on the time step by the models of the lightest pairs, and the steps that are refused or
 * warned of. */
#include "world/limits.h"
#include "base/check.h"
#include "base/parallel.h"

#include <string.h>

/* Whether a body limits the time step more than the one that stands: the lighter one does, and of
 * equally light ones the larger, whose contacts are stiffer. Of two alike that of the first row
 * does, in whichever order they come. */
static int limits_more(const demi_limit_body *stands, const demi_limit_body *body)
{
    if (stands->id == 0 || body->inverse_mass != stands->inverse_mass)
        return stands->id == 0 || body->inverse_mass > stands->inverse_mass;
    return body->radius > stands->radius ||
           (body->radius == stands->radius && body->row < stands->row);
}

/* Whether two are parts of one body, which never touch. */
static int limits_of_one(const demi_limit_body *a, const demi_limit_body *b)
{
    return a->rigid != 0 && a->rigid == b->rigid;
}

/* Takes a body where it is among those that limit most. */
static void limits_take(demi_limit_material *m, int free, const demi_limit_body *body)
{
    const int of_first = limits_of_one(&m->free[0], body);
    demi_limit_body *slot = free ? &m->free[0] : &m->held;
    if (limits_more(slot, body)) {
        if (free && !of_first)
            m->free[1] = m->free[0];
    } else if (free && !of_first && limits_more(&m->free[1], body)) {
        slot = &m->free[1];
    } else {
        return;
    }
    *slot = *body;
}

/* Adds bodies of a material that come after those there are. */
static void materials_add(demi_limit_material *m, const demi_limit_material *after)
{
    const demi_limit_body *body[] = {&after->free[0], &after->free[1], &after->held};
    for (int k = 0; k < 3; ++k)
        if (body[k]->id != 0)
            limits_take(m, k < 2, body[k]);
}

/* Rows and bodies in parts, each with materials of its own. */
typedef struct limits_call {
    const dem_world *w;
    demi_limit_material *material; /* [parts][materials] */
    uint64_t parts, materials;
    int whole;
} limits_call;

static void limits_row(const dem_world *w, demi_limit_material *materials, uint64_t row,
                       double inverse_mass)
{
    const demi_body *body = &w->body.read[row];
    const demi_limit_body one = {.id = body->id,
                                 .inverse_mass = inverse_mass,
                                 .radius = w->current.position.read[row][3],
                                 .rigid = body->rigid,
                                 .row = row};
    if (body->id != 0)
        limits_take(&materials[body->material], demi_kinds[body->kind].responds, &one);
}

/* The rows of a body's parts. */
static void limits_rigid(const limits_call *call, demi_limit_material *materials,
                         const demi_rigid *rigid)
{
    const dem_world *w = call->w;
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    const double all = call->whole ? demi_rigid_inverse_whole(w, rigid) : 0.0;
    for (uint64_t p = 0; p < rigid->parts; ++p)
        limits_row(w, materials, demi_rigid_row(w, &part[p]),
                   call->whole ? all : demi_rigid_inverse_most(rigid, &part[p]));
}

static void limits_part(void *argument, uint64_t part)
{
    const limits_call *call = argument;
    const dem_world *w = call->w;
    demi_limit_material *materials = call->material + part * call->materials;
    const uint64_t end = demi_part_end(part, call->parts, w->rows);
    memset(materials, 0, (size_t)call->materials * sizeof *materials);
    for (uint64_t row = demi_part_begin(part, call->parts, w->rows); row < end; ++row) {
        const uint32_t place = w->body.read[row].rigid;
        if (place == 0 || !demi_rigid_moves(&w->rigid.read[place - 1]))
            limits_row(w, materials, row, w->current.velocity.read[row].velocity[3]);
    }
    for (uint64_t k = part; k < w->rigids; k += call->parts)
        if (demi_rigid_moves(&w->rigid.read[k]))
            limits_rigid(call, materials, &w->rigid.read[k]);
}

dem_status demi_limits_collect(dem_world *w, const dem_executor *executor, int whole)
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
        demi_limit_body body = {.id = wall->id};
        demi_limit_body *held = &materials[wall->material].held;
        demi_wall_shape(wall)->concave(&w->current.solid.read[k], body.curvature);
        /* stiffer than a ball, and than a wall that is less concave */
        const int stiffer = held->radius > 0.0 || body.curvature[0] + body.curvature[1] <
                                                      held->curvature[0] + held->curvature[1];
        if (wall->id != 0 && (held->id == 0 || (held->inverse_mass == 0.0 && stiffer)))
            *held = body;
    }
    return DEM_OK;
}

void demi_limits_of_pair(const demi_model *model, const demi_limit_pair *pair, double speed,
                         double weight, dem_law_limits *limits, const char **strictest)
{
    const double radius = pair->b->radius > 0.0
                              ? pair->a->radius
                              : demi_shape_radius(pair->b->curvature, pair->a->radius);
    demi_model_limits(model, 1.0 / pair->inverse_mass, radius, pair->b->radius, speed, weight,
                      limits, strictest);
}

static void pair_take(demi_limit_pair *best, const demi_limit_body *a, const demi_limit_body *b)
{
    if (a->id == 0 || b->id == 0 || limits_of_one(a, b) ||
        a->inverse_mass + b->inverse_mass <= best->inverse_mass)
        return;
    best->a = a;
    best->b = b;
    best->inverse_mass = a->inverse_mass + b->inverse_mass;
}

const demi_model *demi_limits_lightest(const dem_world *w, int32_t a, int32_t b,
                                       demi_limit_pair *best)
{
    const demi_limit_material *m = w->lightest.data;
    memset(best, 0, sizeof *best);
    if (demi_limits_none(w, b))
        return NULL;
    /* the second ones count where the first ones are one, or of one body */
    for (int k = a == b ? 1 : 0; k < 3; ++k)
        pair_take(best, &m[a].free[k / 2], &m[b].free[k % 2]);
    pair_take(best, &m[a].free[0], &m[b].held);
    pair_take(best, &m[b].free[0], &m[a].held);
    return best->a != NULL ? demi_models_get(&w->models, a, b) : NULL;
}

/* The square of the largest speed there is. */
static double limits_fastest(const dem_world *w)
{
    double square = 0.0;
    for (uint64_t row = 0; row < w->rows; ++row) {
        const double *v = w->current.velocity.data[row].velocity;
        const double own = w->body.data[row].id != 0 ? demi_dot(v, v) : 0.0;
        square = own > square ? own : square;
    }
    return square;
}

/* Speed at which bodies that are there may meet: the present ones, or a fall by a diameter. */
static double limits_speed(const dem_world *w, double fastest, const demi_limit_pair *pair)
{
    const double *g = w->config.gravity;
    const double fall = 4.0 * sqrt(demi_dot(g, g)) * (pair->a->radius + pair->b->radius);
    return sqrt(4.0 * fastest > fall ? 4.0 * fastest : fall);
}

enum { LIMITS_STEPS_LEAST = 10 }; /* of a contact */
/* Of the limit of one contact. A particle with z contacts has less: over z for dashpots, over the
 * root of z for springs. */
#define LIMITS_OF_ONE_CONTACT 0.25

/* Warns once of a step that one contact bears, but that is too coarse to follow a collision, and
 * once of one that is too long for particles with several contacts. `fastest` is below 0 as long as
 * nobody asked for it. */
static void limits_coarse(dem_world *w, double dt, double *fastest, const demi_model *model,
                          const demi_limit_pair *pair)
{
    unsigned char *mark = demi_models_mark(&w->models, model->material_a, model->material_b);
    const int both = DEMI_PAIR_TOLD_COARSE | DEMI_PAIR_TOLD_CROWDED;
    if (w->context.log.message == NULL || (*mark & both) == both)
        return;
    dem_law_limits limits;
    if (*fastest < 0.0)
        *fastest = limits_fastest(w);
    const double speed = limits_speed(w, *fastest, pair);
    demi_limits_of_pair(model, pair, speed, w->scheme->dashpot_weight, &limits, NULL);
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

const demi_film *demi_limits_film(const demi_model *model)
{
    return model->film == 0 ? NULL
                            : (const demi_film *)(const void *)model->combined[model->film - 1];
}

/* Warns once of a film that is wide against R*. */
static void limits_wide(dem_world *w, const demi_model *model, const demi_limit_pair *pair)
{
    unsigned char *mark = demi_models_mark(&w->models, model->material_a, model->material_b);
    const demi_film *film = demi_limits_film(model);
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

void demi_limits_unknown(dem_world *w, const demi_model *model)
{
    unsigned char *mark = demi_models_mark(&w->models, model->material_a, model->material_b);
    if (w->context.log.message == NULL || (*mark & DEMI_PAIR_TOLD_UNLIMITED) != 0)
        return;
    for (uint32_t p = 0; p < model->part_count; ++p) {
        const dem_law *law = &model->laws[p];
        if (law->limits != NULL || (law->kind != DEM_LAW_WHOLE && law->kind != DEM_LAW_NORMAL))
            continue;
        *mark |= DEMI_PAIR_TOLD_UNLIMITED;
        demi_log(&w->context, DEM_LOG_WARNING,
                 "materials %d and %d: law \"%.60s\" has no dem_law.limits, so that neither "
                 "dem_step nor dem_world_timestep_advise knows which dt its contacts bear: set it",
                 (int)model->material_a, (int)model->material_b, law->name);
    }
}

dem_status demi_limits_check(dem_world *w, double dt)
{
    const dem_status status = demi_limits_collect(w, &w->config.executor, 0);
    if (status != DEM_OK)
        return status;
    double fastest = -1.0;
    for (int32_t a = 0; a < w->config.material_count; ++a)
        for (int32_t b = a; !demi_limits_none(w, a) && b < w->config.material_count; ++b) {
            demi_limit_pair pair;
            const demi_model *model = demi_limits_lightest(w, a, b, &pair);
            if (model == NULL)
                continue;
            dem_law_limits limits;
            const char *law = NULL;
            demi_limits_of_pair(model, &pair, 0.0, w->scheme->dashpot_weight, &limits, &law);
            /* the limit is told rounded down: one that is copied from here is below it */
            if (limits.timestep_limit > 0.0 && dt >= limits.timestep_limit)
                return demi_fail(
                    &w->context, DEM_ERROR_RANGE,
                    "dem_step dt: %.9g s is not below %g s, where \"%.40s\" between "
                    "materials %d and %d is unstable (bodies %llu and %llu, m* %g kg): take a "
                    "smaller dt, see dem_world_timestep_advise",
                    dt, limits.timestep_limit * (1.0 - 5e-6), law, (int)a, (int)b,
                    (unsigned long long)pair.a->id, (unsigned long long)pair.b->id,
                    1.0 / pair.inverse_mass);
            demi_limits_unknown(w, model);
            limits_coarse(w, dt, &fastest, model, &pair);
            limits_wide(w, model, &pair);
        }
    w->dt_checked = dt;
    return DEM_OK;
}
