/* SPDX-License-Identifier: MIT */
/* Contact forces of one chunk: lay its chunk copies out in a workspace, filter the pairs that
 * touch, gather them into lanes, compute, scatter forces and new states. DEMI_WIDE contacts
 * at a time move between rows and lanes, by transposition. */
#include "world/simd/chunk/gather.h"
#include "world/simd/chunk/scatter.h"

/* ------------------------------------------------------------------ a batch */

/* For how many of the first n contacts of polyhedra there must be room: one that ends has the place
 * of the one that begins after it. */
static uint64_t polyhedra_places(const chunk_polyhedra *polyhedra, uint64_t n)
{
    uint64_t places = n;
    for (uint64_t k = 0; k + 1 < n; ++k)
        places -= polyhedra->replaced[k];
    return places;
}

/* Computes the first n pairs that touch. */
static dem_status chunk_flush(chunk_work *t, uint64_t n)
{
    const uint64_t padded = DEMI_PADDED(n),
                   places = t->polyhedra != NULL ? polyhedra_places(t->polyhedra, n) : n;
    const double *state = t->state;
    if (t->lacking > 0 ||
        places * t->group->state_stride > (uint64_t)(t->state_end - t->state_next)) {
        t->lacking += places;
        return DEM_OK;
    }
    batch_begin(t, n, padded);
    if (t->polyhedra != NULL)
        gather_polyhedra(t, padded);
    else if (t->group->shape != DEMI_SHAPE_SPHERE)
        gather_walls(t, padded);
    else if (t->how.kinematics != DEM_KINEMATICS_SYNCHRONIZED)
        gather_spheres(t, padded, 0, 0);
    else if (demi_model_dashpots(t->group->model) ||
             t->group->model->lever_arm == DEM_ARM_CONTACT) /* for which kinematics are made so */
        gather_spheres(t, padded, 1, 1);
    else
        gather_spheres(t, padded, 1, 0);
    if (t->w->rigids > 0 && t->polyhedra == NULL)
        gather_rigids(t, padded);
    gather_states(t, padded);
    if (t->w->in_place.on && !states_make_way(t, places)) {
        t->lacking += places;
        return DEM_OK;
    }
    if (t->polyhedra != NULL)
        gather_springs(t, n);
    demi_chunk_result *result = t->result;
    result->status = demi_lanes_run(t->lanes, n, &t->how, t->totals);
    if (result->status != DEM_OK) {
        result->what = NULL;
        if (result->status == DEM_ERROR_CALLBACK) {
            result->what = t->group->model->laws[t->how.part].name;
            result->returned = t->how.returned;
        } else {
            result->pair = t->group->begin + (t->index[t->how.lane] & ~CHUNK_WAS_TOUCHING);
            result->value = t->lanes->overlap[t->how.lane];
        }
        return result->status;
    }
    if (t->polyhedra != NULL) {
        scatter_polyhedra(t, n);
        keep_polyhedra(t, n);
    } else if (t->w->exact.sums.exact) {
        if (scatter_exact(t, n) != DEM_OK)
            return result->status;
    } else if (demi_model_torques(t->group->model))
        scatter_forces(t, n, 1);
    else
        scatter_forces(t, n, 0);
    if (t->group->shape != DEMI_SHAPE_SPHERE && !t->w->exact.sums.exact && t->polyhedra == NULL)
        scatter_moments(t, n);
    if (t->meshes != NULL)
        keep_slots(t, n);
    if (t->how.evaluate_only)
        copy_states(t, state, n);
    else if (t->past)
        keep_states(t, n, 1);
    else
        keep_states(t, n, 0);
    return DEM_OK;
}

/* Those of the batch that was computed make room for those that follow. */
DEMI_APART void polyhedra_move(chunk_polyhedra *polyhedra)
{
    memmove(polyhedra->contact, polyhedra->contact + CHUNK_BATCH,
            (CHUNK_FILTER + DEMI_WIDE) * sizeof polyhedra->contact[0]);
    memmove(polyhedra->before, polyhedra->before + CHUNK_BATCH,
            (CHUNK_FILTER + DEMI_WIDE) * sizeof polyhedra->before[0]);
    memmove(polyhedra->spring, polyhedra->spring + CHUNK_BATCH,
            (CHUNK_FILTER + DEMI_WIDE) * sizeof polyhedra->spring[0]);
    memmove(polyhedra->merged, polyhedra->merged + CHUNK_BATCH,
            (CHUNK_FILTER + DEMI_WIDE) * sizeof polyhedra->merged[0]);
    memmove(polyhedra->replaced, polyhedra->replaced + CHUNK_BATCH,
            (CHUNK_FILTER + DEMI_WIDE) * sizeof polyhedra->replaced[0]);
}

/* Computes full batches of the n pairs that touch, and the rest if this is the end. */
static DEMI_INLINE dem_status chunk_drain(chunk_work *t, uint64_t *n, int end)
{
    while (*n >= CHUNK_BATCH || (end && *n > 0)) {
        const uint64_t batch = *n < CHUNK_BATCH ? *n : CHUNK_BATCH;
        const dem_status status = chunk_flush(t, batch);
        if (status != DEM_OK)
            return status;
        *n -= batch;
        /* there are at most as many more as were filtered at a time, moved in two parts that do
         * not overlap */
        for (int half = 0; half < 2; ++half) {
            memcpy(t->index + half * CHUNK_BATCH, t->index + (half + 1) * CHUNK_BATCH,
                   CHUNK_BATCH * sizeof t->index[0]);
            memcpy(t->pair + half * CHUNK_BATCH, t->pair + (half + 1) * CHUNK_BATCH,
                   CHUNK_BATCH * sizeof t->pair[0]);
            if (t->meshes != NULL)
                memcpy(t->meshes->contact + half * CHUNK_BATCH,
                       t->meshes->contact + (half + 1) * CHUNK_BATCH,
                       CHUNK_BATCH * sizeof t->meshes->contact[0]);
            if (t->surfaces != NULL)
                memcpy(t->surfaces->surface + half * CHUNK_BATCH,
                       t->surfaces->surface + (half + 1) * CHUNK_BATCH,
                       CHUNK_BATCH * sizeof t->surfaces->surface[0]);
        }
        if (t->polyhedra != NULL)
            polyhedra_move(t->polyhedra);
    }
    return DEM_OK;
}

/* ------------------------------------------------------------------ filter */

static dem_status batch_group_walls(chunk_work *t)
{
    uint64_t n = 0;
    dem_status status = DEM_OK;
    chunk_walls walls;
    chunk_surfaces surfaces;
    const uint64_t pairs = t->group->end - t->group->begin;
    t->surfaces = &surfaces;
    for (uint64_t p = 0; status == DEM_OK && p < pairs; p += CHUNK_FILTER) {
        const uint64_t count = pairs - p < CHUNK_FILTER ? pairs - p : CHUNK_FILTER;
        wall_ends(t, t->pairs + p, count, &walls);
        demi_shapes[t->group->shape]->surface(count, walls.solid, walls.feature, walls.point,
                                              walls.surface);
        for (uint64_t k = 0; k < count; ++k) {
            const uint32_t was = t->touching[p + k];
            const double most = walls.point[k][3] + t->group->reach;
            const uint32_t touch = (uint32_t)(walls.surface[k].gap < most) | was;
            /* a contact that ends because it is apart has arms that are no longer than others */
            if (walls.surface[k].gap >= DEMI_SHAPE_APART)
                walls.surface[k].gap = 2.0 * most;
            t->touching_next[p + k] = (unsigned char)touch;
            t->index[n] = (uint32_t)(p + k) | was << 31;
            t->pair[n] = t->pairs[p + k];
            surfaces.surface[n] = walls.surface[k];
            n += touch;
        }
        status = chunk_drain(t, &n, 0);
    }
    status = status != DEM_OK ? status : chunk_drain(t, &n, 1);
    t->surfaces = NULL;
    return status;
}

/* The contacts of the pairs from p on, which are the slots of one sphere and one mesh: of those
 * that touch, or did, n are there already. Tells how many slots these are; 0 where there is no
 * room. */
static uint64_t filter_slots(chunk_work *t, uint64_t p, uint64_t *n)
{
    const dem_world *w = t->w;
    const demi_ends ends = demi_pair_ends(&w->list, t->chunk, t->group->ends, &t->pairs[p]);
    const double *x = w->next.position.read[ends.own],
                 *v = w->next.velocity.data[ends.own].velocity;
    const double before[3] = {x[0] - v[0] * t->how.dt, x[1] - v[1] * t->how.dt,
                              x[2] - v[2] * t->how.dt};
    demi_slot_contact contact[DEMI_SLOTS_MOST];
    demi_slots_call call = {.solid = &w->next.solid.read[ends.other],
                            .solid_t0 = &w->current.solid.read[ends.other],
                            .centre = x,
                            .centre_t0 = before,
                            .radius = x[3],
                            .reach = t->group->reach,
                            .work = demi_mesh_points_of(w, t->workspace),
                            .room = w->mesh_room,
                            .nearby =
                                w->list.nearby.data + t->group->nearby_begin + p / DEMI_SLOTS_FIRST,
                            .margin = w->list.skin};
    const uint64_t slots = call.solid->slots;
    for (uint64_t s = 0; s < slots; ++s) {
        call.kept[s] =
            t->touching[p + s] ? t->meshes->state + t->group->state_stride - DEMI_SLOT_KEPT : NULL;
        t->meshes->state += t->touching[p + s] ? t->group->state_stride : 0;
    }
    if (!demi_slots_find(&call, contact)) {
        t->result->status = DEM_ERROR_RANGE;
        t->result->pair = t->group->begin + p;
        t->result->facets = call.facets;
        t->result->slots = call.slots;
        return 0;
    }
    for (uint64_t s = 0; s < slots; ++s) {
        t->touching_next[p + s] = (unsigned char)contact[s].there;
        if (!contact[s].there)
            continue;
        t->index[*n] = (uint32_t)(p + s) | (uint32_t)t->touching[p + s] << 31;
        t->pair[*n] = t->pairs[p + s];
        t->meshes->contact[(*n)++] = contact[s];
    }
    return slots;
}

DEMI_APART dem_status batch_group_meshes(chunk_work *t)
{
    chunk_meshes meshes;
    uint64_t n = 0;
    dem_status status = DEM_OK;
    const uint64_t pairs = t->group->end - t->group->begin;
    meshes.state = t->state;
    t->meshes = &meshes;
    for (uint64_t p = 0; status == DEM_OK && p < pairs;) {
        const uint64_t slots = filter_slots(t, p, &n);
        p += slots;
        status = slots > 0 ? chunk_drain(t, &n, 0) : t->result->status;
    }
    status = status != DEM_OK ? status : chunk_drain(t, &n, 1);
    t->meshes = NULL;
    return status;
}

/* How many pairs from p on are the slots of one pair of polyhedra. */
static uint32_t polyhedra_slots(const chunk_work *t, uint64_t p)
{
    const uint64_t end = t->group->end - t->group->begin;
    uint32_t slots = 1;
    while (p + slots < end && demi_pair_slot(&t->pairs[p + slots]) == slots)
        ++slots;
    return slots;
}

/* What was kept of the next contact of polyhedra that was there before; NULL where it was not. */
static const demi_faceted_contact *polyhedra_before(chunk_work *t, uint32_t was)
{
    chunk_polyhedra *polyhedra = t->polyhedra;
    if (!was)
        return NULL;
    polyhedra->state += t->group->state_stride;
    return (const void *)(polyhedra->state - DEMI_FACETED_KEPT);
}

/* Whether the overlap of pair p is too large. */
static int polyhedra_deep(const chunk_work *t, uint64_t p, const demi_ends *ends, double depth)
{
    t->result->pair = t->group->begin + p;
    t->result->value = depth;
    return depth > t->w->config.overlap_limit * demi_faceted_least(t->w, ends);
}

/* The depth of a contact of polyhedra. Where bodies touch in sides or edges that coincide, V and A
 * are round-off, of which 2V/A may be anything. */
static double polyhedra_depth(const chunk_work *t, const demi_ends *ends,
                              const demi_faceted_contact *contact)
{
    const double least = demi_faceted_least(t->w, ends);
    return contact->radius * contact->overlap > 1e-13 * least * least ? contact->depth : 0.0;
}

/* One more contact of polyhedra, that of pair p. */
static void polyhedra_keep(chunk_work *t, uint64_t p, const demi_faceted_contact *contact,
                           const demi_faceted_contact *before, uint64_t *n)
{
    t->polyhedra->contact[*n] = *contact;
    t->polyhedra->before[*n] = before;
    t->polyhedra->spring[*n].moved = 0;
    t->polyhedra->merged[*n] = t->polyhedra->replaced[*n] = 0;
    t->index[*n] = (uint32_t)p | (before != NULL ? CHUNK_WAS_TOUCHING : 0);
    t->pair[(*n)++] = t->pairs[p];
}

/* The contacts of the pairs from p on, which are the slots of a sphere and a polyhedron that is not
 * convex: of those that touch, or did, n are there already. */
static dem_status filter_faceted_slots(chunk_work *t, uint64_t p, uint64_t *n)
{
    const dem_world *w = t->w;
    const demi_ends ends = demi_pair_ends(&w->list, t->chunk, t->group->ends, &t->pairs[p]);
    const uint32_t count = w->list.slots;
    demi_faceted_slots slots;
    for (uint32_t s = 0; s < count; ++s)
        slots.before[s] = polyhedra_before(t, t->touching[p + s]);
    if (!demi_faceted_find_slots(w, &ends, t->workspace, &slots)) {
        t->result->pair = t->group->begin + p;
        t->result->facets = slots.facets;
        t->result->slots = slots.slots;
        return t->result->status = DEM_ERROR_RANGE;
    }
    if (polyhedra_deep(t, p, &ends, slots.within))
        return t->result->status = DEM_ERROR_OVERLAP;
    for (uint32_t s = 0; s < count; ++s) {
        t->touching_next[p + s] = slots.there[s];
        if (!slots.there[s])
            continue;
        if (polyhedra_deep(t, p + s, &ends, slots.contact[s].depth))
            return t->result->status = DEM_ERROR_OVERLAP;
        polyhedra_keep(t, p + s, &slots.contact[s], slots.before[s], n);
        t->polyhedra->merged[*n - 1] = slots.merged[s];
    }
    return DEM_OK;
}

/* The contact that ends while another one begins as pair p. */
static void polyhedra_end(chunk_work *t, uint64_t p, const demi_faceted_contact *before,
                          uint64_t *n)
{
    demi_faceted_contact ended;
    demi_faceted_none(before, &ended);
    polyhedra_keep(t, p, &ended, before, n);
    t->polyhedra->replaced[*n - 1] = 1;
}

/* Tells a search of the contacts that there were. */
static void patches_before(chunk_work *t, uint64_t p, demi_patches_call *call)
{
    for (uint32_t s = 0; s < call->slots; ++s) {
        call->anew[s] = 0;
        call->state[s] = t->polyhedra->state;
        call->before[s] = polyhedra_before(t, t->touching[p + s]);
    }
}

/* The contacts of the pairs from p on, which are the slots of one pair of polyhedra: of those that
 * touch, or did, n are there already. */
static dem_status filter_polyhedra(chunk_work *t, uint64_t p, uint32_t slots, uint64_t *n)
{
    const dem_world *w = t->w;
    const demi_ends ends = demi_pair_ends(&w->list, t->chunk, t->group->ends, &t->pairs[p]);
    demi_faceted_work *work = demi_faceted_work_of(w, t->workspace);
    demi_patches_call *call = &work->patches;
    demi_spring spring[DEMI_PATCHES_MOST];
    call->slots = slots;
    patches_before(t, p, call);
    t->result->faceted =
        demi_faceted_find(w, &ends, work, &w->polyhedra.hint.data[t->group->begin + p]);
    t->result->pair = t->group->begin + p;
    t->result->crossings = work->overlap.wanted;
    t->result->slots = demi_faceted_faces(w, &ends);
    if (t->result->faceted != DEMI_FACETED_FOUND || t->result->slots > 0)
        return t->result->status = DEM_ERROR_RANGE;
    for (uint32_t s = 0; s < call->slots; ++s)
        spring[s].moved = 0;
    if (call->slots > 1 && !t->how.evaluate_only) {
        const double lost = demi_patches_springs(call, t->group->model, spring);
        t->totals->dissipated_slip += t->how.energy_tracking ? lost : 0.0;
    }
    for (uint32_t s = 0; s < call->slots; ++s) {
        const demi_faceted_contact *contact = &work->contact[s];
        const uint32_t was = t->touching[p + s];
        if (polyhedra_deep(t, p + s, &ends, polyhedra_depth(t, &ends, contact)))
            return t->result->status = DEM_ERROR_OVERLAP;
        const uint32_t touch = (uint32_t)(contact->overlap > 0.0) | was;
        t->touching_next[p + s] = (unsigned char)touch;
        if (!touch)
            continue;
        if (call->anew[s])
            polyhedra_end(t, p + s, call->before[s], n);
        polyhedra_keep(t, p + s, contact, call->anew[s] ? NULL : call->before[s], n);
        t->polyhedra->spring[*n - 1] = spring[s];
    }
    return DEM_OK;
}

DEMI_APART dem_status batch_group_polyhedra(chunk_work *t)
{
    chunk_polyhedra polyhedra;
    uint64_t n = 0;
    dem_status status = DEM_OK;
    const uint64_t pairs = t->group->end - t->group->begin;
    polyhedra.state = t->state;
    t->polyhedra = &polyhedra;
    const int spheres = t->group->faceted == DEMI_GROUP_SLOTS;
    uint32_t slots;
    for (uint64_t p = 0; status == DEM_OK && p < pairs; p += slots) {
        slots = spheres ? t->w->list.slots : polyhedra_slots(t, p);
        status = spheres ? filter_faceted_slots(t, p, &n) : filter_polyhedra(t, p, slots, &n);
        if (status == DEM_OK)
            status = chunk_drain(t, &n, 0);
    }
    status = status != DEM_OK ? status : chunk_drain(t, &n, 1);
    t->polyhedra = NULL;
    return status;
}

/* Which of some pairs are within reach, as bits; a little too many is harmless. */
static DEMI_INLINE uint32_t pairs_near(const double *from_i, const double *from_j,
                                       const demi_pair *pair, double reach)
{
    /* from i to j, and the sum of the radii with the opposite sign */
    demi_wide apart[4];
    for (int s = 0; s < 4; ++s) {
        demi_wide i, j;
        demi_wide_two(from_i, &pair->i, DEMI_LOCAL_OFFSET_POSITION, s, &i);
        demi_wide_two(from_j, &pair->j, DEMI_LOCAL_OFFSET_POSITION, s, &j);
        apart[s] = DEMI_WIDE_NEGATE_LAST(j) - i;
    }
    demi_wide_columns(apart);
    const demi_wide touch = (reach - apart[3]) * (1.0 + 1e-12),
                    distance2 = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2],
                    touch2 = touch * touch;
    return demi_wide_below(&distance2, &touch2);
}

/* Asks for the next few rows of the next chunk and as many of its chunk copies, after n of each. */
static DEMI_INLINE void ask_ahead(const chunk_ahead *a, uint64_t n)
{
    if (n < a->rows) {
        __builtin_prefetch(a->position + n, 0, 2); /* rows of 32 bytes: two in a cache line */
        for (uint64_t k = n; k < n + CHUNK_ASKED; ++k) {
            __builtin_prefetch(a->velocity + k, 0, 2);
            __builtin_prefetch(a->force_torque + k, 1, 2);
            if (a->old != NULL)
                __builtin_prefetch(a->old + k, 0, 2);
        }
    }
    if (n < a->chunk_copies) {
        for (uint64_t k = n; k < n + CHUNK_ASKED; ++k) {
            const uint32_t source = a->source[k < a->chunk_copies ? k : n] & ~DEMI_WALL_BIT;
            if (a->sums_copy == NULL) {
                __builtin_prefetch(a->chunk_copy + k, 1, 2);
            } else {
                __builtin_prefetch(a->sums_copy[k].high, 1, 2);
                __builtin_prefetch(a->sums_copy[k].low, 1, 2);
            }
            __builtin_prefetch(&a->every_position[source], 0, 2);
            __builtin_prefetch(&a->every_velocity[source], 0, 2);
            if (a->old != NULL)
                __builtin_prefetch(&a->every_old[source], 0, 2);
        }
    }
}

static DEMI_INLINE chunk_ahead ahead_of(const dem_world *w, uint64_t k, int synchronized,
                                        double again)
{
    chunk_ahead a;
    memset(&a, 0, sizeof a);
    if (k + 1 >= w->list.chunks)
        return a;
    const demi_chunk *chunk = w->list.chunk.data + k + 1;
    a.every_position = w->next.position.read;
    a.position = a.every_position + chunk->row_begin;
    a.every_velocity = w->next.velocity.data;
    a.every_old = demi_damping_velocities(w, again);
    a.velocity = a.every_velocity + chunk->row_begin;
    a.old = synchronized ? a.every_old + chunk->row_begin : NULL;
    a.force_torque = w->next.force_torque.data + chunk->row_begin;
    a.chunk_copy = w->chunk_copy.data + chunk->copies_begin;
    if (w->exact.sums.exact)
        a.sums_copy = w->chunk_copy.sums + chunk->copies_begin;
    a.source = w->list.source.data + chunk->copies_begin;
    a.rows = chunk->row_end - chunk->row_begin;
    a.chunk_copies = chunk->copies_end - chunk->copies_begin;
    return a;
}

/* Adds those of some pairs that touch, or did, to the n there. */
static DEMI_INLINE void pairs_filter(chunk_work *t, uint64_t p, const demi_pair *pair,
                                     const unsigned char *touching, uint32_t near,
                                     unsigned char *touching_next, uint64_t *n)
{
    const uint32_t touch = near | demi_wide_flags(touching);
    demi_wide_append((uint32_t)p, touching, pair, touch, t->index + *n, t->pair + *n);
    /* which may be made in place; most of them stay in contact */
    demi_wide_set_flags(touch, touching_next);
    *n += (uint64_t)__builtin_popcount(touch);
}

/* Filters pairs from p on, DEMI_WIDE at a time, as far as `stop` lets; tells where the rest begins.
 */
static DEMI_INLINE uint64_t filter_pairs(chunk_work *t, uint64_t p, uint64_t stop, uint64_t *n)
{
    /* copies that no store can change, in the compiler's eyes */
    const double *from_i = t->i.position, *from_j = t->j.position, reach = t->group->reach;
    const demi_pair *pairs = t->pairs;
    const unsigned char *touching = t->touching;
    unsigned char *touching_next = t->touching_next;
    uint64_t count = *n, asked = t->asked;
    for (; p + DEMI_WIDE <= stop; p += DEMI_WIDE) {
        const uint32_t near = pairs_near(from_i, from_j, &pairs[p], reach);
        ask_ahead(&t->ahead, asked);
        asked += CHUNK_ASKED;
        pairs_filter(t, p, &pairs[p], &touching[p], near, &touching_next[p], &count);
    }
    t->asked = asked;
    *n = count;
    return p;
}

/* The last few pairs before `stop`, filled up with the first of them. */
static DEMI_INLINE void filter_rest(chunk_work *t, uint64_t p, uint64_t stop, uint64_t *n)
{
    demi_pair rest[DEMI_WIDE];
    unsigned char touching[DEMI_WIDE] = {0}, touching_next[DEMI_WIDE];
    const size_t count = (size_t)(stop - p);
    for (uint64_t m = 0; m < DEMI_WIDE; ++m)
        rest[m] = t->pairs[m < count ? p + m : p];
    memcpy(touching, &t->touching[p], count);
    const uint32_t near = pairs_near(t->i.position, t->j.position, rest, t->group->reach);
    pairs_filter(t, p, rest, touching, near & ((1u << count) - 1u), touching_next, n);
    memcpy(&t->touching_next[p], touching_next, count);
}

static dem_status batch_group_spheres(chunk_work *t)
{
    uint64_t n = 0;
    dem_status status = DEM_OK;
    const uint64_t end = t->group->end - t->group->begin;
    for (uint64_t p = 0; status == DEM_OK && p < end;) {
        const uint64_t stop = p + CHUNK_FILTER < end ? p + CHUNK_FILTER : end;
        p = filter_pairs(t, p, stop, &n);
        if (p < stop)
            filter_rest(t, p, stop, &n);
        p = stop;
        status = chunk_drain(t, &n, 0);
    }
    return status != DEM_OK ? status : chunk_drain(t, &n, 1);
}

/* ------------------------------------------------------------------ a chunk */

/* Notes for how many contacts the batch group needs room; the chunk is computed again then. */
DEMI_APART void room_want(const chunk_work *t)
{
    const dem_world *w = t->w;
    demi_batch_group *group = w->list.batch_group.data + (t->group - w->list.batch_group.read);
    const double *begin = w->next.contact_state.read + group->state_begin;
    group->state_wanted =
        (uint32_t)((uint64_t)(t->state_next - begin) / group->state_stride + t->lacking);
    if (w->in_place.on && group->state_wanted <= group->state_room) /* but not for both at once */
        group->state_wanted = group->state_room + 1;
    t->result->full = 1;
}

/* Whether contacts of the batch group may lack room in the next step, though they have it now; then
 * it wants more. Where little is spare half of that is enough: it would ask at every contact else.
 */
static int room_narrow(const chunk_work *t)
{
    const dem_world *w = t->w;
    demi_batch_group *group = w->list.batch_group.data + (t->group - w->list.batch_group.read);
    const uint64_t stride = group->state_stride, pairs = group->end - group->begin;
    if (stride == 0 || group->state_room >= pairs)
        return 0;
    const uint64_t left = (uint64_t)(t->state_end - t->state_next) / stride,
                   contacts = group->state_room - left,
                   more = 1 + (uint64_t)((w->list.spare < 4 ? 0.25 : 0.5) * sqrt((double)contacts));
    if (left >= more)
        return 0;
    group->state_wanted = (uint32_t)(contacts + more);
    return 1;
}

static dem_status batch_group_pairs(chunk_work *t, const demi_batch_group *group,
                                    const demi_chunk_call *call)
{
    const dem_world *w = t->w;
    const demi_lanes_call how = {
        .model = group->model,
        .normals = group->faceted ? DEMI_NORMALS_GIVEN : demi_lanes_normals(w, group->shape),
        .kinematics = w->scheme->kinematics,
        .padded = 1,
        .apart = !group->faceted,
        .radii = group->faceted != 0,
        .slopes = (w->walls_needing > 0 && group->shape != DEMI_SHAPE_SPHERE) || group->faceted,
        .merges = group->faceted ? group->faceted == DEMI_GROUP_SLOTS
                                 : demi_shapes[group->shape]->kept > 0,
        .dt = call->step.dt,
        .evaluate_only = call->step.evaluate_only,
        /* of polyhedra it is a limit of the depth, see filter_polyhedra */
        .overlap_limit = group->faceted ? INFINITY : w->config.overlap_limit,
        .energy_tracking = w->config.energy_tracking == DEM_ENERGY_TRACKING_FULL,
        .by_groups = 1};
    t->group = group;
    t->totals = group->uncounted ? &t->elsewhere : &t->result->totals;
    t->how = how;
    t->pairs = w->list.pair.data + group->begin;
    t->touching = w->current.touching.data + group->begin;
    t->touching_next = w->next.touching.data + group->begin;
    batch_group_sides(t, group->ends);
    t->state = w->current.contact_state.data + group->state_begin;
    t->state_next = w->next.contact_state.data + group->state_begin;
    t->state_end = t->state_next + (uint64_t)group->state_room * group->state_stride;
    t->lacking = 0;
    if (w->in_place.on)
        t->state_stop =
            t->state +
            group->state_stride * demi_touching_count(t->touching, 0, group->end - group->begin);
    const dem_status status = group->faceted                        ? batch_group_polyhedra(t)
                              : group->shape == DEMI_SHAPE_SPHERE   ? batch_group_spheres(t)
                              : demi_shapes[group->shape]->kept > 0 ? batch_group_meshes(t)
                                                                    : batch_group_walls(t);
    if (t->lacking > 0)
        room_want(t);
    else if (w->in_place.may)
        t->result->narrow |= room_narrow(t);
    return status;
}

/* Whether the world's states are so many that none would be in a cache of a core any more when the
 * next step reads them. */
static int states_past(const dem_world *w)
{
    return w->list.states * sizeof(double) > CHUNK_STATES_CACHED;
}

DEMI_ENTRY(demi_chunk_function, demi_chunk_contacts);

void demi_chunk_contacts(const demi_chunk_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    demi_chunk_result *result = w->chunk_result.data + k;
    result->status = DEM_OK;
    result->facets = result->slots = result->crossings = 0;
    result->faceted = DEMI_FACETED_FOUND;
    result->full = 0;
    result->narrow = 0;
    memset(&result->totals, 0, sizeof result->totals);
    demi_workspace *workspace =
        demi_workspace_take(&w->workspaces, k * w->workspaces.count / w->list.chunks);
    const int synchronized = w->scheme->kinematics == DEM_KINEMATICS_SYNCHRONIZED;
    chunk_work t = {.w = w,
                    .chunk = chunk,
                    .workspace = workspace,
                    .lanes = workspace->lanes,
                    .result = result,
                    .again = call->again,
                    .past = states_past(w) && !w->in_place.on,
                    .ahead = ahead_of(w, k, synchronized, call->again)};
    if (synchronized)
        workspace_fill(&t, 1);
    else
        workspace_fill(&t, 0);
    const demi_batch_group *groups = w->list.batch_group.data;
    dem_status status = DEM_OK;
    for (uint64_t r = chunk->batch_group_begin; status == DEM_OK && r < chunk->batch_group_end; ++r)
        status = batch_group_pairs(&t, &groups[r], call);
    if (w->exact.sums.exact)
        sums_give(&t);
    demi_group_fence();
    demi_workspace_return(workspace);
}

#undef CHUNK_ASKED
#undef CHUNK_BATCH
#undef CHUNK_FILTER
#undef CHUNK_STATES_CACHED
#undef CHUNK_WAS_TOUCHING
