/* SPDX-License-Identifier: MIT */
#include "mesh/near.h"

#include "base/check.h"
#include "mesh/order.h"

#include <math.h>

/* Distances that differ by less are equal: as a part of the radius, and of the coordinates. */
#define NEAR_EQUAL_RADIUS 1e-12
#define NEAR_EQUAL_CENTRE 1e-14
/* Where a list of facets did not last for so many steps, the tree is searched while the sphere
 * moves so many times as far; one that serves for so many is measured. */
enum { NEARBY_STEPS = 8, NEARBY_SEARCHES = 16, NEARBY_MEASURED = 2 };
/* A neighbour that is nearer by less than this part of the radius leaves a minimum a minimum. */
#define NEAR_MINIMUM 1e-8
/* Points that are looked at one by one though they are no minima; then all others are, at once. */
enum { NEAR_REFUSED = 8 };

static void near_difference(const double *a, const double *b, double difference[3])
{
    for (int c = 0; c < 3; ++c)
        difference[c] = a[c] - b[c];
}

/* ------------------------------------------------------------------ one facet */

/* How far a centre is beyond the plane through an edge that stands on the facet, times the edge's
 * length; negative inside. Both facets of an edge compute it from the same end. */
static double near_beyond(const dem_mesh *mesh, uint64_t facet, uint64_t k, const double *centre)
{
    const uint32_t *end = mesh->edge.read + 2 * (uint64_t)mesh->facet_edge.read[3 * facet + k];
    const double *n = mesh->normal.read + 3 * facet;
    const double *a = demi_mesh_vertex(mesh, end[0]), *b = demi_mesh_vertex(mesh, end[1]);
    double along[3], to[3];
    near_difference(b, a, along);
    near_difference(centre, a, to);
    const double across[3] = {along[1] * n[2] - along[2] * n[1], along[2] * n[0] - along[0] * n[2],
                              along[0] * n[1] - along[1] * n[0]};
    const double beyond = demi_dot(across, to);
    return mesh->facet.read[3 * facet + k] == end[0] ? beyond : -beyond;
}

/* Normal from the nearest point to the centre; that of the facet where they are one. */
static void near_normal(const dem_mesh *mesh, const double *centre, demi_mesh_point *at)
{
    double to[3];
    near_difference(centre, at->point, to);
    at->distance = sqrt(demi_dot(to, to));
    for (int c = 0; c < 3; ++c)
        at->normal[c] = at->distance > 0.0
                            ? to[c] / at->distance
                            : mesh->normal.read[3 * (uint64_t)at->facet + (uint64_t)c];
}

static void near_edge(const dem_mesh *mesh, uint32_t edge, const double *centre,
                      demi_mesh_point *at)
{
    const uint32_t *end = mesh->edge.read + 2 * (uint64_t)edge;
    const double *a = demi_mesh_vertex(mesh, end[0]), *b = demi_mesh_vertex(mesh, end[1]);
    double along[3], to[3];
    near_difference(b, a, along);
    near_difference(centre, a, to);
    const double square = demi_dot(along, along), part = demi_dot(along, to);
    const int first = part <= 0.0, last = part >= square;
    at->region = first || last ? DEMI_REGION_VERTEX : DEMI_REGION_EDGE;
    at->part = first ? end[0] : last ? end[1] : edge;
    for (int c = 0; c < 3; ++c)
        at->point[c] = first ? a[c] : last ? b[c] : a[c] + part / square * along[c];
    near_normal(mesh, centre, at);
}

/* The centre is over the facet: the height, measured from the vertex that is nearest. */
static void near_face(const dem_mesh *mesh, const double *centre, demi_mesh_point *at)
{
    const double *n = mesh->normal.read + 3 * (uint64_t)at->facet;
    double height = 0.0, least = INFINITY;
    for (uint64_t k = 0; k < 3; ++k) {
        double to[3];
        near_difference(centre,
                        demi_mesh_vertex(mesh, mesh->facet.read[3 * (uint64_t)at->facet + k]), to);
        const double square = demi_dot(to, to);
        if (square < least) {
            least = square;
            height = demi_dot(to, n);
        }
    }
    at->region = DEMI_REGION_FACE;
    at->part = at->facet;
    at->distance = fabs(height);
    for (int c = 0; c < 3; ++c) {
        at->normal[c] = height < 0.0 ? 0.0 - n[c] : 0.0 + n[c]; /* no zero has a sign */
        at->point[c] = centre[c] - height * n[c];
    }
}

/* The centre is beyond some edges of the facet, or the facet is one of edges alone. */
static void near_edges(const dem_mesh *mesh, const double *centre, const int beyond[3],
                       demi_mesh_point *at)
{
    const uint32_t *edge = mesh->facet_edge.read + 3 * (uint64_t)at->facet;
    demi_mesh_point other = {.distance = INFINITY, .facet = at->facet};
    *at = other;
    for (int k = 0; k < 3; ++k) {
        if (!beyond[k])
            continue;
        near_edge(mesh, edge[k], centre, &other);
        if (other.distance < at->distance)
            *at = other;
    }
}

/* Writes the nearest point of a facet. */
static inline void near_facet(const dem_mesh *mesh, uint32_t facet, const double *centre,
                              demi_mesh_point *at)
{
    /* one without area, which a facet that moves may become, has edges alone */
    const int flat = (mesh->defects.read[facet] & DEM_MESH_DEGENERATE) == 0;
    int beyond[3] = {1, 1, 1};
    for (uint64_t k = 0; flat && k < 3; ++k)
        beyond[k] = !(near_beyond(mesh, facet, k, centre) <= 0.0);
    at->facet = facet;
    if (beyond[0] || beyond[1] || beyond[2])
        near_edges(mesh, centre, beyond, at);
    else
        near_face(mesh, centre, at);
}

demi_mesh_point demi_mesh_nearest(const dem_mesh *mesh, uint32_t facet, const double centre[3])
{
    demi_mesh_point at;
    near_facet(mesh, facet, centre, &at);
    return at;
}

/* ------------------------------------------------------------------ one sphere */

typedef struct near_gather {
    const dem_mesh *mesh;
    const demi_mesh_sphere *sphere;
    demi_mesh_point *point;
    uint64_t room, count;
    double away; /* no facet whose plane is so far away is near enough, whatever the round-off */
} near_gather;

static inline void near_look(near_gather *g, uint32_t facet)
{
    if ((g->mesh->defects.read[facet] & DEM_MESH_DEGENERATE) != 0)
        return;
    double to[3];
    near_difference(g->sphere->centre,
                    demi_mesh_vertex(g->mesh, g->mesh->facet.read[3 * (uint64_t)facet]), to);
    if (fabs(demi_dot(to, g->mesh->normal.read + 3 * (uint64_t)facet)) > g->away)
        return;
    demi_mesh_point spare, *at = &spare;
    if (g->count < g->room)
        at = &g->point[g->count];
    near_facet(g->mesh, facet, g->sphere->centre, at);
    g->count += at->distance < g->sphere->radius + g->sphere->reach;
}

static int near_visit(void *argument, uint32_t facet)
{
    near_look(argument, facet);
    return 0;
}

static near_gather gather_of(const dem_mesh *mesh, const demi_mesh_sphere *sphere,
                             demi_mesh_point *point, uint64_t room)
{
    const double near = sphere->radius + sphere->reach;
    const near_gather gather = {mesh, sphere, point,
                                room, 0,      1.000001 * near + 1e-13 * mesh->extent};
    return gather;
}

uint64_t demi_mesh_gather(const dem_mesh *mesh, const demi_mesh_sphere *sphere,
                          demi_mesh_point *point, uint64_t room)
{
    near_gather gather = gather_of(mesh, sphere, point, room);
    (void)demi_mesh_near(mesh, sphere->centre, sphere->radius + sphere->reach, near_visit, &gather);
    return gather.count;
}

/* ------------------------------------------------------------------ facets that are kept */

/* Fills the list of facets near a centre. */
typedef struct nearby_list {
    const dem_mesh *mesh;
    demi_mesh_nearby *nearby;
    double least; /* a list of facets that are nearer than less is of no use */
    double distance[DEMI_NEARBY_MOST];
} nearby_list;

/* Lists one more facet; where there is no room, without the farthest. */
static void nearby_put(nearby_list *list, uint32_t place, double distance)
{
    demi_mesh_nearby *nearby = list->nearby;
    uint32_t to = nearby->facets;
    if (to < DEMI_NEARBY_MOST) {
        nearby->facets++;
    } else {
        to = 0;
        for (uint32_t k = 1; k < DEMI_NEARBY_MOST; ++k)
            to = list->distance[k] > list->distance[to] ? k : to;
        nearby->within = distance > list->distance[to] ? distance : list->distance[to];
        if (!(nearby->within > list->least))
            nearby->facets++;
        if (distance >= list->distance[to])
            return;
    }
    nearby->place[to] = place;
    list->distance[to] = distance;
}

/* Tells how near other facets must be. */
static double nearby_visit(void *argument, uint64_t place, double square)
{
    nearby_list *list = argument;
    demi_mesh_nearby *nearby = list->nearby;
    if (nearby->facets > DEMI_NEARBY_MOST)
        return 0.0;
    const double distance = sqrt(square);
    if (distance < nearby->within &&
        (list->mesh->defects.read[list->mesh->order.read[place]] & DEM_MESH_DEGENERATE) == 0)
        nearby_put(list, (uint32_t)place, distance);
    return nearby->facets > DEMI_NEARBY_MOST ? 0.0 : nearby->within;
}

/* A way, and more than the round-off of distances from its ends. */
static double nearby_reach(const dem_mesh *mesh, double way)
{
    return 1.000001 * way + 1e-12 * mesh->extent;
}

/* Which ring has a distance; a number. */
static double nearby_ring(const demi_mesh_nearby *nearby, double distance)
{
    const double first = nearby->first;
    return (distance / nearby->within - first) / (1.0 - first) * DEMI_NEARBY_RINGS;
}

/* Brings facets into the order in which a search finds them. */
static void nearby_sort(nearby_list *list)
{
    uint32_t *place = list->nearby->place;
    for (uint32_t k = 1; k < list->nearby->facets; ++k) {
        const uint32_t at = place[k];
        const double distance = list->distance[k];
        uint32_t to = k;
        for (; to > 0 && place[to - 1] > at; --to) {
            place[to] = place[to - 1];
            list->distance[to] = list->distance[to - 1];
        }
        place[to] = at;
        list->distance[to] = distance;
    }
}

static void nearby_rings(demi_mesh_nearby *nearby, const double *distance)
{
    double first = nearby->within;
    for (uint32_t k = 0; k < nearby->facets; ++k)
        first = distance[k] < first ? distance[k] : first;
    nearby->first = (float)(first / nearby->within * (1.0 - 1e-6));
    for (uint32_t k = 0; k < nearby->facets; ++k)
        nearby->ring[k] = (uint8_t)fmin(nearby_ring(nearby, distance[k]), DEMI_NEARBY_RINGS);
}

/* Lists the facets within a distance of the centre, or as many of the nearest as there is room for,
 * if these are all within a least distance. */
static void nearby_make(const dem_mesh *mesh, demi_mesh_nearby *nearby, double distance,
                        double least)
{
    nearby_list list = {.mesh = mesh, .nearby = nearby, .least = least};
    nearby->within = distance;
    nearby->facets = nearby->steps = 0;
    demi_mesh_narrow(mesh, nearby->centre, distance, nearby_visit, &list);
    if (nearby->facets > DEMI_NEARBY_MOST) {
        nearby->within = distance;
        return;
    }
    nearby_sort(&list);
    nearby_rings(nearby, list.distance);
}

/* The rings of distances instead of those of bounds: what a list is worth that goes on. */
static void nearby_measure(const dem_mesh *mesh, demi_mesh_nearby *nearby)
{
    double distance[DEMI_NEARBY_MOST];
    for (uint32_t k = 0; k < nearby->facets; ++k)
        distance[k] =
            demi_mesh_nearest(mesh, mesh->order.read[nearby->place[k]], nearby->centre).distance;
    nearby_rings(nearby, distance);
}

/* The list of before does not serve any more. One of all facets within the way of a list of pairs
 * is best, and one of the nearest is good if it lasts; else the tree is searched for a while. */
static void nearby_renew(const dem_mesh *mesh, const demi_mesh_sphere *sphere,
                         demi_mesh_nearby *nearby, double moved, double margin)
{
    const double near = sphere->radius + sphere->reach;
    const int brief = nearby->within > 0.0 && nearby->facets == DEMI_NEARBY_MOST &&
                      nearby->steps < NEARBY_STEPS && NEARBY_SEARCHES * moved < margin;
    for (int c = 0; c < 3; ++c)
        nearby->centre[c] = sphere->centre[c];
    if (brief) {
        nearby->within = nearby_reach(mesh, near + NEARBY_SEARCHES * moved);
        nearby->facets = DEMI_NEARBY_MOST + 1;
        return;
    }
    nearby_make(mesh, nearby, nearby_reach(mesh, near + margin), nearby_reach(mesh, near));
}

uint64_t demi_mesh_gather_nearby(const dem_mesh *mesh, const demi_mesh_sphere *sphere,
                                 demi_mesh_nearby *nearby, double margin, demi_mesh_point *point,
                                 uint64_t room)
{
    const double near = sphere->radius + sphere->reach;
    double to[3];
    near_difference(sphere->centre, nearby->centre, to);
    double moved = sqrt(demi_dot(to, to));
    if (!(nearby_reach(mesh, near + moved) <= nearby->within)) {
        nearby_renew(mesh, sphere, nearby, moved, margin);
        moved = 0.0;
    }
    if (nearby->facets > DEMI_NEARBY_MOST)
        return demi_mesh_gather(mesh, sphere, point, room);
    if (nearby->steps < UINT8_MAX)
        nearby->steps++;
    if (nearby->steps == NEARBY_MEASURED)
        nearby_measure(mesh, nearby);
    near_gather gather = gather_of(mesh, sphere, point, room);
    const double most = nearby_ring(nearby, nearby_reach(mesh, near + moved));
    /* where there are few, those within the rings are near as a rule */
    const int few = nearby->facets < DEMI_NEARBY_MOST;
    const double limit = nearby_reach(mesh, near) * nearby_reach(mesh, near);
    for (uint32_t k = 0; k < nearby->facets; ++k) {
        const uint32_t place = nearby->place[k];
        if (nearby->ring[k] <= most &&
            (few || demi_mesh_place_square(mesh, place, sphere->centre) <= limit))
            near_look(&gather, mesh->order.read[place]);
    }
    return gather.count;
}

/* ------------------------------------------------------------------ which are contacts */

/* Whether `a` goes before `b` where both are as near as the nearest. */
static int near_first(const demi_mesh_point *a, const demi_mesh_point *b)
{
    if (a->region != b->region)
        return a->region < b->region;
    if (a->distance != b->distance)
        return a->distance < b->distance;
    if (demi_before(a->point, b->point) || demi_before(b->point, a->point))
        return demi_before(a->point, b->point);
    /* the centre is on an edge or vertex, or facets are alike */
    if (demi_before(a->normal, b->normal) || demi_before(b->normal, a->normal))
        return demi_before(a->normal, b->normal);
    return a->facet < b->facet;
}

static uint64_t near_next(const demi_mesh_point *point, uint64_t count, double equal)
{
    double least = point[0].distance;
    if (count == 1)
        return 0;
    for (uint64_t k = 1; k < count; ++k)
        least = point[k].distance < least ? point[k].distance : least;
    uint64_t best = UINT64_MAX;
    for (uint64_t k = 0; k < count; ++k)
        if (point[k].distance <= least + equal &&
            (best == UINT64_MAX || near_first(&point[k], &point[best])))
            best = k;
    return best;
}

/* Whether no facet around the point is nearer to the centre. */
static int near_minimum(const dem_mesh *mesh, const demi_mesh_sphere *sphere,
                        const demi_mesh_point *at)
{
    if (at->region == DEMI_REGION_FACE)
        return 1;
    const demi_mesh_lists *of = at->region == DEMI_REGION_EDGE ? &mesh->of_edge : &mesh->of_vertex;
    const double least = at->distance - NEAR_MINIMUM * sphere->radius;
    for (uint64_t k = of->begin.read[at->part]; k < of->begin.read[at->part + 1]; ++k) {
        const uint32_t facet = of->facet.read[k];
        if ((mesh->defects.read[facet] & DEM_MESH_DEGENERATE) == 0 &&
            demi_mesh_nearest(mesh, facet, sphere->centre).distance < least)
            return 0;
    }
    return 1;
}

/* Drops the points that are no minima; how many are left. Of a vertex, which may have many facets
 * that are near, the answer is looked for once in a row. */
static uint64_t near_minima(const dem_mesh *mesh, const demi_mesh_sphere *sphere,
                            demi_mesh_point *point, uint64_t count)
{
    uint64_t kept = 0;
    demi_mesh_point last = {.region = DEMI_REGION_FACE};
    for (uint64_t k = 0; k < count; ++k) {
        const demi_mesh_point at = point[k];
        if (at.region == DEMI_REGION_VERTEX && last.region == at.region && last.part == at.part)
            continue;
        if (near_minimum(mesh, sphere, &at))
            point[kept++] = at;
        else
            last = at;
    }
    return kept;
}

/* Drops the points whose normals are like that of a contact; how many are left. */
static uint64_t near_drop(demi_mesh_point *point, uint64_t count, const demi_mesh_point *contact,
                          double cosine)
{
    uint64_t kept = 0;
    for (uint64_t k = 0; k < count; ++k)
        if (demi_dot(point[k].normal, contact->normal) < cosine)
            point[kept++] = point[k];
    return kept;
}

/* Differences of distances that are round-off. */
static double near_equal(const demi_mesh_sphere *sphere)
{
    double far = 0.0;
    for (int c = 0; c < 3; ++c)
        far = fabs(sphere->centre[c]) > far ? fabs(sphere->centre[c]) : far;
    return NEAR_EQUAL_RADIUS * sphere->radius + NEAR_EQUAL_CENTRE * far;
}

uint64_t demi_mesh_pick(const dem_mesh *mesh, const demi_mesh_sphere *sphere, demi_mesh_point *work,
                        uint64_t count, demi_mesh_point *found, uint64_t most)
{
    const double equal = near_equal(sphere);
    uint64_t picked = 0, refused = 0;
    while (count > 0) {
        const uint64_t next = near_next(work, count, equal);
        const demi_mesh_point at = work[next];
        work[next] = work[--count];
        if (picked > 0 && refused < NEAR_REFUSED && !near_minimum(mesh, sphere, &at)) {
            if (++refused == NEAR_REFUSED)
                count = near_minima(mesh, sphere, work, count);
            continue;
        }
        if (picked < most)
            found[picked] = at;
        ++picked;
        count = near_drop(work, count, &at, sphere->cosine);
    }
    return picked;
}

uint64_t demi_mesh_nearest_like(const dem_mesh *mesh, const demi_mesh_sphere *sphere,
                                const double normal[3], demi_mesh_point *work, uint64_t room,
                                demi_mesh_point *found)
{
    const double equal = near_equal(sphere);
    demi_mesh_sphere within = *sphere;
    within.reach = 2.0 * equal;
    const uint64_t count = demi_mesh_gather(mesh, &within, work, room);
    uint64_t like = 0;
    for (uint64_t k = 0; count <= room && k < count; ++k)
        if (demi_dot(work[k].normal, normal) >= sphere->cosine)
            work[like++] = work[k];
    if (like > 0)
        *found = work[near_next(work, like, equal)];
    return count;
}

dem_status demi_mesh_contacts(demi_context *context, const dem_mesh *mesh,
                              const demi_mesh_sphere *sphere, demi_mesh_points *work,
                              demi_mesh_points *found)
{
    static const char what[] = "facets near a sphere";
    const uint64_t count =
        demi_mesh_gather(mesh, sphere, work->point.data, demi_array_room(&work->point));
    if (count == 0)
        return DEM_OK;
    if (count > demi_array_room(&work->point)) {
        const dem_status status =
            demi_array_reserve(context, &work->point, count + count / 4 + 64, 0, what);
        if (status != DEM_OK)
            return status;
        (void)demi_mesh_gather(mesh, sphere, work->point.data, count);
    }
    /* of each point there is one contact at most */
    const dem_status status =
        demi_array_reserve(context, &found->point, found->count + count, 1, "contacts of a mesh");
    if (status == DEM_OK)
        found->count += demi_mesh_pick(mesh, sphere, work->point.data, count,
                                       found->point.data + found->count, count);
    return status;
}

/* ------------------------------------------------------------------ the nearest point */

/* Whether a facet has an area, or may get one: where vertices move. */
static int near_there(const dem_mesh *mesh, uint32_t facet)
{
    return (mesh->defects.read[facet] & DEM_MESH_DEGENERATE) == 0 ||
           (mesh->velocity.read != NULL && demi_mesh_cornered(mesh, facet));
}

typedef struct near_closest {
    const dem_mesh *mesh;
    const double *centre;
    demi_mesh_point best;
} near_closest;

static double closest_visit(void *argument, uint64_t place, double square)
{
    near_closest *call = argument;
    const uint32_t facet = call->mesh->order.read[place];
    (void)square;
    if (near_there(call->mesh, facet)) {
        const demi_mesh_point at = demi_mesh_nearest(call->mesh, facet, call->centre);
        if (at.distance < call->best.distance)
            call->best = at;
    }
    return call->best.distance;
}

demi_mesh_point demi_mesh_closest(const dem_mesh *mesh, const double centre[3])
{
    near_closest call = {mesh, centre, {.distance = INFINITY}};
    demi_mesh_narrow(mesh, centre, INFINITY, closest_visit, &call);
    return call.best;
}

/* Where the nearest point is on an edge or a vertex, the normal is a sum of those of the facets
 * there with weights >= 0, if the centre is outside: so it leaves one of them. Others may face away
 * from the centre, where the solid is sharper than a right angle. */
double demi_mesh_side(const dem_mesh *mesh, const demi_mesh_point *at)
{
    const double *facing = mesh->normal.read;
    if (at->region == DEMI_REGION_FACE)
        return demi_dot(at->normal, facing + 3 * (uint64_t)at->facet) < 0.0 ? -1.0 : 1.0;
    const demi_mesh_lists *of = at->region == DEMI_REGION_EDGE ? &mesh->of_edge : &mesh->of_vertex;
    for (uint64_t k = of->begin.read[at->part]; k < of->begin.read[at->part + 1]; ++k)
        if (demi_dot(at->normal, facing + 3 * (uint64_t)of->facet.read[k]) > 0.0)
            return 1.0;
    return -1.0;
}

typedef struct near_within {
    const dem_mesh *mesh;
    const double *centre;
    double distance;
} near_within;

static int within_visit(void *argument, uint32_t facet)
{
    const near_within *call = argument;
    return near_there(call->mesh, facet) &&
           demi_mesh_nearest(call->mesh, facet, call->centre).distance < call->distance;
}

int demi_mesh_within(const dem_mesh *mesh, const double centre[3], double distance)
{
    near_within call = {mesh, centre, distance};
    return distance > 0.0 && demi_mesh_near(mesh, centre, distance, within_visit, &call);
}

/* ------------------------------------------------------------------ weights */

/* On an edge the place along it tells them: areas have lost it where the facet is a sliver. */
static void weights_edge(const dem_mesh *mesh, const demi_mesh_point *contact, double weight[3])
{
    const uint32_t *facet = mesh->facet.read + 3 * (uint64_t)contact->facet,
                   *end = mesh->edge.read + 2 * (uint64_t)contact->part;
    const double *a = demi_mesh_vertex(mesh, end[0]), *b = demi_mesh_vertex(mesh, end[1]);
    double along[3], to[3];
    near_difference(b, a, along);
    near_difference(contact->point, a, to);
    const double part = demi_dot(along, to) / demi_dot(along, along);
    const double second = part > 0.0 ? fmin(part, 1.0) : 0.0;
    for (int k = 0; k < 3; ++k)
        weight[k] = facet[k] == end[0] ? 1.0 - second : facet[k] == end[1] ? second : 0.0;
}

void demi_mesh_weights(const dem_mesh *mesh, const demi_mesh_point *contact, double weight[3])
{
    const uint32_t *facet = mesh->facet.read + 3 * (uint64_t)contact->facet;
    double sum = 0.0;
    if (contact->region == DEMI_REGION_EDGE) {
        weights_edge(mesh, contact, weight);
        return;
    }
    for (uint64_t k = 0; k < 3; ++k) {
        /* the area on this side of the edge that is opposite; none beyond it */
        const double part = near_beyond(mesh, contact->facet, (k + 1) % 3, contact->point);
        weight[k] = part < 0.0 ? -part : 0.0;
        if (contact->region == DEMI_REGION_VERTEX)
            weight[k] = facet[k] == contact->part ? 1.0 : 0.0;
        sum += weight[k];
    }
    for (int k = 0; k < 3; ++k)
        weight[k] = sum > 0.0 ? weight[k] / sum : 1.0 / 3.0;
}
