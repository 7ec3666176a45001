/* SPDX-License-Identifier: MIT */
/* What a host may have got wrong: looked at before a step wherever particles, walls or models
 * changed, and overlaps and walls that move after steps. Without a log nothing is looked at but
 * what is refused. */
#include "base/check.h"
#include "base/parallel.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

/* The bodies of one material. */
typedef struct demi_setup_material {
    uint64_t bodies, moving;    /* 0, 1 or 2, with walls; those that are free or kinematic */
    uint64_t body[2], rigid[2]; /* ids of the first two, and of which they are parts, or 0 */
    uint64_t mover;             /* id of the first one that moves */
} demi_setup_material;

/* A body that is one of the first two, unless both are parts of one, which do not touch each other.
 */
static void material_body(demi_setup_material *m, uint64_t id, uint64_t rigid)
{
    if (m->bodies == 2 || (m->bodies == 1 && rigid != 0 && rigid == m->rigid[0]))
        return;
    m->rigid[m->bodies] = rigid;
    m->body[m->bodies++] = id;
}

static void material_count(demi_setup_material *m, uint64_t id, uint64_t rigid, int moves)
{
    if (moves && m->moving++ == 0)
        m->mover = id;
    material_body(m, id, rigid);
}

/* Adds what the bodies are that come after those of a material. */
static void material_add(demi_setup_material *m, const demi_setup_material *after)
{
    if (m->moving == 0)
        m->mover = after->mover;
    m->moving += after->moving;
    for (uint64_t k = 0; k < after->bodies; ++k)
        material_body(m, after->body[k], after->rigid[k]);
}

/* Rows in parts, each with materials of its own. */
typedef struct setup_call {
    const dem_world *w;
    demi_setup_material *material; /* [parts][materials] */
    uint64_t parts, materials;
} setup_call;

static void setup_part(void *argument, uint64_t part)
{
    const setup_call *call = argument;
    const dem_world *w = call->w;
    demi_setup_material *materials = call->material + part * call->materials;
    const uint64_t end = demi_part_end(part, call->parts, w->rows);
    memset(materials, 0, (size_t)call->materials * sizeof *materials);
    for (uint64_t row = demi_part_begin(part, call->parts, w->rows); row < end; ++row) {
        const demi_body *body = &w->body.read[row];
        if (body->id != 0)
            material_count(&materials[body->material], body->id, body->rigid,
                           demi_kinds[body->kind].moves);
    }
}

static dem_status setup_collect(dem_world *w)
{
    const uint64_t count = (uint64_t)w->config.material_count,
                   parts = demi_parts_of(w->rows, count);
    const dem_status status =
        demi_array_reserve(&w->context, &w->census, parts * count, 0, "check of materials");
    if (status != DEM_OK)
        return status;
    demi_setup_material *materials = w->census.data;
    setup_call call = {w, materials, parts, count};
    demi_parallel(&w->config.executor, setup_part, &call, parts);
    for (uint64_t k = count; k < parts * count; ++k)
        material_add(&materials[k % count], &materials[k]);
    const demi_wall *walls = w->wall.data;
    for (uint64_t k = 0; k < w->walls; ++k)
        if (walls[k].id != 0)
            material_count(&materials[walls[k].material], walls[k].id, 0, 0);
    return DEM_OK;
}

/* Whether a body of one material moves against one of the other; gives their ids. */
static int materials_meet(const demi_setup_material *a, const demi_setup_material *b,
                          uint64_t id[2])
{
    if (a->moving + b->moving == 0 || b->bodies < (a == b ? 2 : 1))
        return 0;
    if (a != b && a->bodies == 1 && b->bodies == 1 && a->rigid[0] != 0 &&
        a->rigid[0] == b->rigid[0])
        return 0;
    id[0] = a->moving > 0 ? a->mover : a->body[0];
    id[1] = b->moving > 0 && a != b ? b->mover : b->body[b->body[0] == id[0]];
    return 1;
}

static dem_status models_check(dem_world *w)
{
    const demi_setup_material *m = w->census.data;
    const int32_t n = w->config.material_count;
    for (int32_t a = 0; a < n; ++a)
        for (int32_t b = a; m[a].bodies > 0 && b < n; ++b) {
            uint64_t id[2];
            if ((*demi_models_mark(&w->models, a, b) & DEMI_PAIR_SET) == 0 &&
                materials_meet(&m[a], &m[b], id))
                return demi_fail(&w->context, DEM_ERROR_STATE,
                                 "dem_step: materials %d and %d (bodies %llu and %llu) have no "
                                 "contact model: call dem_contact_model_set; an empty model means "
                                 "no interaction",
                                 (int)a, (int)b, (unsigned long long)id[0],
                                 (unsigned long long)id[1]);
        }
    return DEM_OK;
}

/* ------------------------------------------------------------------ walls */

/* Whether a particle that moves and meets the wall has its centre on the wall's free side. */
static int wall_has_before(const dem_world *w, uint64_t index)
{
    const demi_wall *wall = &w->wall.read[index];
    const demi_solid *solid = &w->current.solid.read[index];
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_body *body = &w->body.data[row];
        if (body->id == 0 || !demi_kinds[body->kind].moves ||
            demi_models_get(&w->models, body->material, wall->material) == NULL)
            continue;
        const double *x = w->current.position.data[row];
        /* a bound that is a little below the gap */
        if (demi_wall_shape(wall)->least_gap(solid, DEMI_SHAPE_WHOLE, x, x) >= -1e-9 * x[3])
            return 1;
    }
    return 0;
}

/* Warns of a wall all of whose particles are behind it. */
static void wall_faces(dem_world *w, uint64_t index)
{
    demi_wall *wall = &w->wall.data[index];
    const demi_setup_material *materials = w->census.data;
    uint64_t meet = 0;
    for (int32_t a = 0; a < w->config.material_count; ++a)
        if (demi_models_get(&w->models, a, wall->material) != NULL)
            meet += materials[a].moving;
    if (meet == 0)
        return;
    wall->looked = 1;
    if (wall_has_before(w, index))
        return;
    const double *normal = w->current.solid.read[index].normal;
    if (wall->shape == DEMI_SHAPE_BALL || wall->shape == DEMI_SHAPE_BOX ||
        wall->shape == DEMI_SHAPE_CYLINDER || wall->shape == DEMI_SHAPE_CONE) {
        demi_log(
            &w->context, DEM_LOG_WARNING,
            "wall %llu: faces away from all %llu particles that it meets: set dem_wall.side to "
            "the side where they are",
            (unsigned long long)wall->id, (unsigned long long)meet);
        return;
    }
    demi_log(&w->context, DEM_LOG_WARNING,
             "wall %llu: faces away from all %llu particles that it meets; its normal (%g, %g, %g) "
             "must point to the side where they are: reverse it",
             (unsigned long long)wall->id, (unsigned long long)meet, normal[0], normal[1],
             normal[2]);
}

/* Whether a wall reaches the boundary of a periodic axis with a normal along it, of which no
 * warning tells yet. Walls have no images, so there is a step where particles leave on one side and
 * enter on the other. */
static int wall_crosses(dem_world *w, uint64_t index, int axis, double *along)
{
    demi_wall *wall = &w->wall.data[index];
    if (w->config.boundary[axis] != DEM_BOUNDARY_PERIODIC || (wall->told & 1 << axis) != 0)
        return 0;
    const demi_solid *solid = &w->current.solid.read[index];
    double low, high;
    demi_shape_span(demi_wall_shape(wall), solid, axis, &low, &high);
    if (low > w->config.box_low[axis] && high < w->config.box_high[axis])
        return 0; /* it ends before the boundary */
    *along = demi_wall_shape(wall)->normal_along(solid, axis);
    if (!(fabs(*along) > 1e-9))
        return 0;
    wall->told |= 1 << axis;
    return 1;
}

/* Whether its normals, or its rim, have all directions. */
static int wall_round(const dem_world *w, uint64_t index)
{
    return demi_wall_shape(&w->wall.read[index])->normal_along == demi_shape_normal_everywhere;
}

/* Warns of a wall that stands across a periodic boundary, or in this step `comes` across it. */
static void wall_across(dem_world *w, uint64_t index, int comes)
{
    char when[48] = "it stands", slope[96] = "";
    double along;
    if (comes)
        snprintf(when, sizeof when, "in step %llu it comes", (unsigned long long)w->steps);
    for (int c = 0; c < 3; ++c) {
        if (!wall_crosses(w, index, c, &along))
            continue;
        if (!wall_round(w, index))
            snprintf(slope, sizeof slope, " with a normal of component %g along it, more than 1e-9",
                     along);
        demi_log(&w->context, DEM_LOG_WARNING,
                 "wall %llu: %s across the boundary of periodic axis %c%s, where walls have no "
                 "periodic images: %s or make the axis open",
                 (unsigned long long)w->wall.read[index].id, when, "xyz"[c], slope,
                 comes ? "stop it before" : "place it within the box, rotate it,");
    }
}

void demi_walls_told(dem_world *w, const dem_world *other)
{
    const uint64_t count = w->walls < other->walls ? w->walls : other->walls;
    for (uint64_t k = 0; k < count; ++k)
        if (w->wall.read[k].id == other->wall.read[k].id)
            w->wall.data[k].told |= other->wall.read[k].told;
}

void demi_walls_watch(dem_world *w)
{
    if (!w->periodic || w->context.log.message == NULL)
        return;
    for (uint64_t k = 0; k < w->walls_active; ++k) {
        const uint32_t index = w->wall_active.data[k];
        const demi_solid *solid = &w->current.solid.read[index];
        if (w->wall.read[index].looked &&
            (demi_any3(solid->velocity) || solid->rate != 0.0 || solid->deforms))
            wall_across(w, index, 1);
    }
}

/* Refuses spheres that are larger than the hollow in which their centre is. */
static dem_status wall_room(dem_world *w, uint64_t index)
{
    const demi_wall *wall = &w->wall.read[index];
    const demi_solid *solid = &w->current.solid.read[index];
    const demi_shape *shape = demi_wall_shape(wall);
    const double room = shape->room(solid);
    for (uint64_t row = 0; isfinite(room) && row < w->rows; ++row) {
        const demi_body *body = &w->body.data[row];
        const double *x = w->current.position.data[row];
        if (body->id == 0 || body->faceted || !demi_kinds[body->kind].responds || x[3] <= room ||
            demi_models_get(&w->models, body->material, wall->material) == NULL ||
            shape->least_gap(solid, DEMI_SHAPE_WHOLE, x, x) < 0.0)
            continue;
        return demi_fail(&w->context, DEM_ERROR_OVERLAP,
                         "particle %llu: its radius %g m must be at most %g m, the room inside "
                         "wall %llu: take a smaller one or a wider wall",
                         (unsigned long long)body->id, x[3], room, (unsigned long long)wall->id);
    }
    return DEM_OK;
}

static dem_status walls_room(dem_world *w)
{
    dem_status status = DEM_OK;
    for (uint64_t k = 0; status == DEM_OK && k < w->walls; ++k)
        if (w->wall.data[k].id != 0)
            status = wall_room(w, k);
    return status;
}

static void walls_check(dem_world *w)
{
    demi_wall *walls = w->wall.data;
    for (uint64_t k = 0; k < w->walls; ++k) {
        if (walls[k].id == 0 || walls[k].looked)
            continue;
        wall_faces(w, k);
        if (walls[k].looked)
            wall_across(w, k, 0);
    }
}

dem_status demi_setup_check(dem_world *w)
{
    dem_status status = setup_collect(w);
    if (status == DEM_OK)
        status = models_check(w);
    if (status == DEM_OK && w->polyhedra.parts > 0)
        status = demi_polyhedra_check(w);
    if (status == DEM_OK)
        status = walls_room(w);
    if (status == DEM_OK && w->context.log.message != NULL)
        walls_check(w);
    return status;
}

/* ------------------------------------------------------------------ overlaps */

enum { OVERLAPS_STEPS = 100 }; /* from look to look: a hundredth of what a step costs */
#define OVERLAPS_MOST 0.1      /* of the smaller radius */

/* Overlap of a pair over the smaller radius; a wall has none. */
static double pair_overlap(const dem_world *w, int32_t shape, const demi_ends *ends)
{
    const demi_row *x = w->current.position.read;
    const double *own = x[ends->own];
    demi_solid sphere = {.size = {0.0}};
    const demi_solid *solid = ends->wall ? &w->current.solid.read[ends->other] : &sphere;
    double least = own[3];
    if (!ends->wall) {
        const double *other = x[ends->other];
        for (int c = 0; c < 3; ++c) {
            const int periods = demi_shift_periods(ends->shift, c);
            const double period = w->config.box_high[c] - w->config.box_low[c];
            sphere.point[c] = other[c] + (periods != 0 ? periods * period : 0.0);
        }
        sphere.size[0] = other[3];
        least = other[3] < least ? other[3] : least;
    }
    demi_surface surface;
    demi_shapes[shape]->surface(1, &solid, &ends->feature, &own, &surface);
    return (own[3] - surface.gap) / least;
}

static void overlap_tell(dem_world *w, const demi_batch_group *group, const demi_ends *ends,
                         double overlap)
{
    *demi_models_mark(&w->models, group->model->material_a, group->model->material_b) |=
        DEMI_PAIR_TOLD_SOFT;
    const uint64_t other = ends->wall ? w->wall.data[ends->other].id : w->body.data[ends->other].id;
    demi_log(&w->context, DEM_LOG_WARNING,
             "particle %llu and %s %llu: the overlap is %.3g %% of the smaller radius, and more "
             "than %g %% is large: make the model of materials %d and %d stiffer, and dt smaller "
             "with it (dem_world_timestep_advise)",
             (unsigned long long)w->body.data[ends->own].id, ends->wall ? "wall" : "particle",
             (unsigned long long)other, 100.0 * overlap, 100.0 * OVERLAPS_MOST,
             (int)group->model->material_a, (int)group->model->material_b);
}

static void overlaps_group(dem_world *w, const demi_chunk *chunk, const demi_batch_group *group)
{
    const unsigned char *touching = w->current.touching.data;
    const demi_pair *pairs = w->list.pair.data;
    const unsigned char *mark =
        demi_models_mark(&w->models, group->model->material_a, group->model->material_b);
    for (uint64_t p = group->begin; p < group->end && (*mark & DEMI_PAIR_TOLD_SOFT) == 0; ++p) {
        if (!touching[p])
            continue;
        const demi_ends ends = demi_pair_ends(&w->list, chunk, group->ends, &pairs[p]);
        const double overlap = pair_overlap(w, group->shape, &ends);
        if (overlap > OVERLAPS_MOST)
            overlap_tell(w, group, &ends, overlap);
    }
}

void demi_overlaps_watch(dem_world *w)
{
    if (w->context.log.message == NULL || w->steps - w->watched < OVERLAPS_STEPS)
        return;
    w->watched = w->steps;
    const demi_chunk *chunks = w->list.chunk.data;
    const demi_batch_group *groups = w->list.batch_group.data;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        for (uint64_t r = chunks[k].batch_group_begin; r < chunks[k].batch_group_end; ++r)
            if (!groups[r].faceted) /* whose spheres overlap before they touch */
                overlaps_group(w, &chunks[k], &groups[r]);
}
