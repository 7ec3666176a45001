/* SPDX-License-Identifier: MIT */
/* What particles do to the facets and vertices of walls that are meshes. Forces follow from the
 * contacts when somebody asks; works are summed step by step. */
#include "base/check.h"
#include "shapes/slots.h"
#include "world/facets.h"
#include "world/wall_lane.h"

#include <string.h>

/* ------------------------------------------------------------------ contacts */

typedef void facet_function(dem_world *w, const demi_facet_contact *contact, double *number);

/* What is done with contacts of spheres, and with the shares of those of polyhedra; or NULL. */
typedef struct facet_work {
    facet_function *sphere;
    demi_facet_share_function *share;
} facet_work;

/* The contact of a pair, of which something is kept. */
static demi_facet_contact contact_of(const demi_state *state, const demi_ends *ends, int faceted,
                                     const double *kept)
{
    const demi_solid *solid = &state->solid.read[ends->other];
    demi_facet_contact contact = {
        .row = ends->own, .wall = ends->other, .solid = solid, .ends = *ends, .state = state};
    if (faceted) {
        contact.force = kept - DEMI_FACETED_FORCE;
        contact.faceted = (const void *)kept;
    } else {
        contact.force = demi_slot_force(kept);
        contact.at = demi_slot_point(solid, kept, state->position.read[ends->own]);
    }
    return contact;
}

/* Works on each contact of a state with a mesh, or with one of them, in the order of the list. */
static void contacts_visit(dem_world *w, const demi_state *state, uint64_t wall,
                           const facet_work *work, double *number)
{
    const demi_batch_group *group = w->list.batch_group.read;
    for (uint64_t r = 0; r < w->list.batch_groups; ++r, ++group) {
        const int faceted = group->faceted != 0;
        if (demi_shapes[group->shape]->kept == 0 || (faceted && work->share == NULL))
            continue;
        const demi_chunk *chunk = demi_chunk_of(&w->list, group->begin);
        const double *kept = state->contact_state.read + group->state_begin + group->state_stride -
                             demi_group_kept(group->shape, faceted);
        for (uint64_t p = group->begin; p < group->end; ++p) {
            if (!state->touching.read[p])
                continue;
            const demi_ends ends =
                demi_pair_ends(&w->list, chunk, group->ends, &w->list.pair.read[p]);
            if ((wall == UINT64_MAX || wall == ends.other) &&
                state->solid.read[ends.other].mesh != NULL && w->row_id.read[ends.own] != 0 &&
                !demi_kinds[w->body.read[ends.own].kind].ghost) {
                const demi_facet_contact contact = contact_of(state, &ends, faceted, kept);
                if (faceted)
                    demi_facet_shares(w, &contact, work->share, number);
                else
                    work->sphere(w, &contact, number);
            }
            kept += group->state_stride;
        }
    }
}

/* The facets that have the point of a contact. */
static uint64_t facets_of(const demi_facet_contact *contact, const uint32_t **facet)
{
    const dem_mesh *mesh = contact->solid->mesh;
    const demi_mesh_point *at = &contact->at;
    const demi_mesh_lists *of = at->region == DEMI_REGION_EDGE ? &mesh->of_edge : &mesh->of_vertex;
    *facet = &at->facet;
    if (at->region == DEMI_REGION_FACE)
        return 1;
    *facet = of->facet.read + of->begin.read[at->part];
    return of->begin.read[at->part + 1] - of->begin.read[at->part];
}

/* Adds a number to each facet of a contact, in equal shares. */
static void facets_share(const demi_facet_contact *contact, double *to, uint64_t stride,
                         double number)
{
    const uint32_t *facet;
    const uint64_t count = facets_of(contact, &facet);
    for (uint64_t k = 0; k < count; ++k)
        to[stride * facet[k]] += number / (double)count;
}

/* ------------------------------------------------------------------ forces */

static void force_add(dem_world *w, const demi_facet_contact *contact, double *unused)
{
    (void)unused;
    for (uint64_t c = 0; c < 3; ++c)
        facets_share(contact, w->wall_facets.data[contact->wall].force.data + c, 3,
                     contact->force[c]);
}

static void vertex_force_add(dem_world *w, const demi_facet_contact *contact, double *unused)
{
    (void)unused;
    double weight[3];
    const uint32_t *vertex = contact->solid->mesh->facet.read + 3 * (uint64_t)contact->at.facet;
    demi_mesh_weights(contact->solid->mesh, &contact->at, weight);
    for (int k = 0; k < 3; ++k)
        for (uint64_t c = 0; c < 3; ++c)
            w->wall_facets.data[contact->wall].vertex.data[3 * (uint64_t)vertex[k] + c] +=
                weight[k] * contact->force[c];
}

static void force_share(dem_world *w, const demi_facet_contact *contact,
                        const demi_facet_share *share, double *unused)
{
    (void)unused;
    for (uint64_t c = 0; c < 3; ++c)
        w->wall_facets.data[contact->wall].force.data[3 * (uint64_t)share->facet + c] +=
            share->force[c];
}

/* By the weights of the middle of what is in the body. */
static void vertex_force_share(dem_world *w, const demi_facet_contact *contact,
                               const demi_facet_share *share, double *unused)
{
    demi_facet_contact part = *contact;
    part.force = share->force;
    part.at = demi_mesh_nearest(contact->solid->mesh, share->facet, share->middle);
    vertex_force_add(w, &part, unused);
}

dem_status demi_facets_forces(dem_world *w, uint64_t index, int vertices, double **force)
{
    const dem_mesh *mesh = w->current.solid.read[index].mesh;
    const uint64_t numbers = 3 * (vertices ? mesh->vertex_count : mesh->facet_count);
    dem_status status =
        demi_array_reserve(&w->context, &w->wall_facets, w->walls, 1, "facets of walls");
    if (status == DEM_OK)
        status = demi_facet_shares_reserve(w, index);
    if (status != DEM_OK)
        return status;
    demi_wall_facets *facets = &w->wall_facets.data[index];
    status = vertices
                 ? demi_array_reserve(&w->context, &facets->vertex, numbers, 0, "facets of walls")
                 : demi_array_reserve(&w->context, &facets->force, numbers, 0, "facets of walls");
    if (status != DEM_OK)
        return status;
    *force = vertices ? facets->vertex.data : facets->force.data;
    memset(*force, 0, (size_t)numbers * sizeof(double));
    static const facet_work of_facets = {force_add, force_share},
                            of_vertices = {vertex_force_add, vertex_force_share};
    contacts_visit(w, &w->current, index, vertices ? &of_vertices : &of_facets, NULL);
    return DEM_OK;
}

/* ------------------------------------------------------------------ works */

static void power_add(dem_world *w, const demi_facet_contact *contact, double *power)
{
    (void)w;
    demi_surface surface;
    demi_slot_surface(contact->solid, &contact->at, &surface);
    for (int c = 0; c < 3; ++c)
        *power += contact->force[c] * (surface.velocity[c] - contact->solid->velocity[c]);
}

void demi_facets_deform(dem_world *w, double dt)
{
    for (uint64_t n = 0; n < w->walls_active; ++n) {
        const uint32_t index = w->wall_active.data[n];
        demi_wall *wall = &w->wall.data[index];
        if (!w->next.solid.read[index].deforms)
            continue;
        double power = 0.0;
        static const facet_work work = {power_add, NULL}; /* polyhedra do not touch such walls */
        contacts_visit(w, &w->next, index, &work, &power);
        /* the displacement of the step, at both of its ends */
        wall->work -= 0.5 * dt * (wall->power + power);
        w->work_boundary -= 0.5 * dt * (wall->power + power);
        wall->power = power;
    }
}

/* Velocities in the middle of the step against the forces at its end. */
static void work_add(dem_world *w, const demi_facet_contact *contact, double *dt)
{
    demi_wall_facets *facets = &w->wall_facets.data[contact->wall];
    if (!facets->tracked)
        return;
    const double *x = w->next.position.read[contact->row];
    const demi_velocities *motion = &w->next.velocity.read[contact->row];
    const double *v = motion->velocity, *s = motion->angular_velocity;
    double arm[3], of_wall[3], relative[3];
    demi_surface surface;
    demi_slot_surface(contact->solid, &contact->at, &surface);
    const double *n = surface.normal;
    demi_wall_arm(contact->solid, x, surface.gap, n, arm);
    demi_shape_velocity(contact->solid, arm, of_wall);
    for (int c = 0; c < 3; ++c)
        of_wall[c] += surface.velocity[c] - contact->solid->velocity[c];
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        relative[c] = v[c] - surface.gap * (s[d] * n[e] - s[e] * n[d]) - of_wall[c];
    }
    const double speed = demi_dot(relative, n), pressing = demi_dot(contact->force, n);
    const double whole = demi_dot(contact->force, relative);
    facets_share(contact, facets->work.data, 2, fabs(pressing * speed) * *dt);
    facets_share(contact, facets->work.data + 1, 2, fabs(whole - pressing * speed) * *dt);
}

/* Those of the point of the force, and of the moment along the normal. */
static void work_share(dem_world *w, const demi_facet_contact *contact,
                       const demi_facet_share *share, double *dt)
{
    demi_wall_facets *facets = &w->wall_facets.data[contact->wall];
    if (!facets->tracked)
        return;
    const demi_faceted_contact *at = contact->faceted;
    const demi_solid *solid = contact->solid;
    const double *x = w->next.position.read[contact->row], *n = at->normal;
    const demi_velocities *motion = &w->next.velocity.read[contact->row];
    const double *v = motion->velocity, *s = motion->angular_velocity;
    double arm[3], of_wall[3], relative[3], turning = 0.0;
    for (int c = 0; c < 3; ++c)
        arm[c] = x[c] + at->point[c] - solid->centre[c];
    demi_shape_velocity(solid, arm, of_wall);
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        relative[c] = v[c] + (s[d] * at->point[e] - s[e] * at->point[d]) - of_wall[c];
        turning += (s[c] - solid->angular_velocity[c]) * n[c];
    }
    const double speed = demi_dot(relative, n), pressing = demi_dot(contact->force, n);
    const double whole = demi_dot(contact->force, relative);
    double *to = facets->work.data + 2 * (uint64_t)share->facet;
    to[0] += share->weight * fabs(pressing * (speed + at->twist * turning)) * *dt;
    to[1] += share->weight * fabs(whole - pressing * speed) * *dt;
}

void demi_facets_work(dem_world *w, double dt)
{
    static const facet_work work = {work_add, work_share};
    if (dt > 0.0)
        contacts_visit(w, &w->next, UINT64_MAX, &work, &dt);
}

dem_status demi_facets_track(dem_world *w, uint64_t index)
{
    dem_status status =
        demi_array_reserve(&w->context, &w->wall_facets, w->walls, 1, "facets of walls");
    if (status != DEM_OK || w->wall_facets.read[index].tracked)
        return status;
    demi_wall_facets *facets = &w->wall_facets.data[index];
    const uint64_t numbers = 2 * w->current.solid.read[index].mesh->facet_count;
    status = demi_array_reserve(&w->context, &facets->work, numbers, 0, "works on facets");
    if (status != DEM_OK)
        return status;
    memset(facets->work.data, 0, (size_t)numbers * sizeof(double));
    facets->tracked = 1;
    w->walls_tracked++;
    return DEM_OK;
}

void demi_facets_forget(dem_world *w, uint64_t index)
{
    if (w->wall_facets.data == NULL)
        return;
    demi_wall_facets *facets = &w->wall_facets.data[index];
    w->walls_tracked -= facets->tracked;
    demi_array_free(&w->context, &facets->work);
    demi_array_free(&w->context, &facets->force);
    demi_array_free(&w->context, &facets->vertex);
    memset(facets, 0, sizeof *facets);
}

void demi_facets_free(dem_world *w)
{
    for (uint64_t k = 0; k < w->walls; ++k)
        demi_facets_forget(w, k);
    demi_array_free(&w->context, &w->wall_facets);
}
