/* SPDX-License-Identifier: MIT */
/* Patches, which are the places where two polyhedra touch, from step to step. Each goes on with the
 * slot of the contact before it that is nearest to it. Where patches merge or split, the springs of
 * Mindlin's law go with them, and so does the energy: U(V) is not the sum of that of its parts, so
 * that a factor before it makes up for the difference as long as the patch is there. */
#include "base/check.h"
#include "laws/mindlin.h"
#include "mesh/polyhedron.h"
#include "world/world.h"

#include <dem/law_mindlin.h>

#include <string.h>

static const double PATCH_PI = 3.14159265358979323846;

/* Round-off of a factor that is 1. */
#define PATCH_ROUND 1e-12

/* ------------------------------------------------------------------ which slot */

static double patch_area(const demi_faceted_contact *contact)
{
    return 2.0 * PATCH_PI * contact->radius * contact->overlap;
}

static double patch_volume(const demi_faceted_contact *contact)
{
    return 0.5 * contact->depth * patch_area(contact);
}

/* How far a patch is from a contact of before: between points, and on the sphere of normals, whose
 * radius is the size of both. Less than nothing: they face each other, or are in different places.
 * Only the area is kept of a contact, which may be long and narrow, so that it is taken to be as
 * large as a patch that goes on. */
static double patch_far(const demi_patches_call *call, const demi_faceted_contact *before,
                        const demi_faceted_contact *now, double size)
{
    const double reach = 2.0 * fmax(size, sqrt(patch_area(before))) + call->way;
    double apart = 0.0, turned = 0.0;
    if (demi_dot(before->normal, now->normal) <= 0.0)
        return -1.0;
    /* squares, as what is left of 1 less the cosine may be below 0 by round-off */
    for (int c = 0; c < 3; ++c) {
        apart += (before->point[c] - now->point[c]) * (before->point[c] - now->point[c]);
        turned += (before->normal[c] - now->normal[c]) * (before->normal[c] - now->normal[c]);
    }
    if (apart > reach * reach)
        return -1.0;
    return apart + (patch_area(before) + patch_area(now)) * (0.5 * turned);
}

/* Matches the two that are nearest to each other; 0 where none are left. Of equal ones the lower
 * slot and the first patch are taken. */
static int patch_next(demi_patches_call *call, int taken[DEMI_PATCHES_MOST])
{
    double best = INFINITY;
    uint32_t slot = 0, patch = 0;
    for (uint32_t s = 0; s < call->slots; ++s)
        for (uint32_t k = 0; call->before[s] != NULL && !taken[s] && k < call->count; ++k) {
            const double far = patch_far(call, call->before[s], &call->now[k], call->size[k]);
            if (call->slot[k] == DEMI_PATCH_NONE && far >= 0.0 && far < best) {
                best = far;
                slot = s;
                patch = k;
            }
        }
    if (best == INFINITY)
        return 0;
    taken[slot] = 1;
    call->slot[patch] = slot;
    return 1;
}

/* Whether what a patch has gained is what another had, or what it has lost is what another has: V
 * and S add up where patches merge and split. */
static int patch_explains(const demi_faceted_contact *less, const demi_faceted_contact *more,
                          const demi_faceted_contact *other)
{
    double without = 0.0, with = 0.0;
    for (int c = 0; c < 3; ++c) {
        const double gap = patch_area(more) * more->normal[c] - patch_area(less) * less->normal[c],
                     rest = gap - patch_area(other) * other->normal[c];
        without += gap * gap;
        with += rest * rest;
    }
    return with < without && patch_volume(more) - patch_volume(less) >= 0.5 * patch_volume(other);
}

/* The slot that goes on and whose change a contact explains, which ended (merges) or is new and of
 * this size; of those the nearest one. */
static uint32_t patch_kin(const demi_patches_call *call, const demi_faceted_contact *other,
                          int merges, double size)
{
    double best = INFINITY;
    uint32_t kin = DEMI_PATCH_NONE;
    for (uint32_t k = 0; k < call->count; ++k) {
        const uint32_t s = call->slot[k];
        if (s == DEMI_PATCH_NONE || call->before[s] == NULL)
            continue;
        const demi_faceted_contact *before = call->before[s], *now = &call->now[k];
        const double most = fmax(size, call->size[k]);
        const double far =
            merges ? patch_far(call, other, now, most) : patch_far(call, before, other, most);
        if (far >= 0.0 && far < best &&
            patch_explains(merges ? before : now, merges ? now : before, other)) {
            best = far;
            kin = s;
        }
    }
    return kin;
}

/* Which slots a new contact takes first: those that were free before, then those whose contacts end
 * in this step, and then those whose contacts merge. */
enum { PATCH_FREE, PATCH_ENDS, PATCH_MERGES, PATCH_TAKEN };

static int patch_use(const demi_patches_call *call, uint32_t slot)
{
    for (uint32_t k = 0; k < call->count; ++k)
        if (call->slot[k] == slot)
            return PATCH_TAKEN;
    if (call->before[slot] == NULL)
        return PATCH_FREE;
    return call->into[slot] == DEMI_PATCH_NONE ? PATCH_ENDS : PATCH_MERGES;
}

/* The lowest slot of those that come first; there is one, as patches are no more than slots. */
static uint32_t patch_free(const demi_patches_call *call)
{
    uint32_t best = 0;
    for (uint32_t s = 1; s < call->slots; ++s)
        if (patch_use(call, s) < patch_use(call, best))
            best = s;
    return best;
}

int demi_patches_match(demi_patches_call *call)
{
    int taken[DEMI_PATCHES_MOST] = {0};
    uint32_t from[DEMI_PATCHES_MOST];
    for (uint32_t s = 0; s < DEMI_PATCHES_MOST; ++s)
        call->slot[s] = call->from[s] = call->into[s] = DEMI_PATCH_NONE;
    if (call->count > call->slots)
        return 0;
    while (patch_next(call, taken))
        continue;
    for (uint32_t s = 0; s < call->slots; ++s)
        if (call->before[s] != NULL && !taken[s] && call->before[s]->overlap > 0.0)
            call->into[s] = patch_kin(call, call->before[s], 1, 0.0);
    for (uint32_t k = 0; k < call->count; ++k)
        from[k] = call->slot[k] == DEMI_PATCH_NONE
                      ? patch_kin(call, &call->now[k], 0, call->size[k])
                      : DEMI_PATCH_NONE;
    for (uint32_t k = 0; k < call->count; ++k) {
        if (call->slot[k] != DEMI_PATCH_NONE)
            continue;
        const uint32_t s = patch_free(call);
        call->slot[k] = s;
        call->from[s] = from[k];
        /* what was there ends, with what it had */
        call->anew[s] = call->before[s] != NULL;
        call->into[s] = DEMI_PATCH_NONE;
    }
    return 1;
}

/* Whether a patch has a part of what a contact of before was. */
static int patch_takes(const demi_patches_call *call, uint32_t old, uint32_t slot)
{
    if (call->into[old] != DEMI_PATCH_NONE)
        return call->into[old] == slot;
    return (slot == old && !call->anew[old]) || call->from[slot] == old;
}

/* ------------------------------------------------------------------ energy */

/* U over its factor: U'(V) is the fourth root of V, or V. */
static double patch_power(const demi_patches_call *call, double volume)
{
    return volume * (call->law == DEM_POLYHEDRON_LAW_VOLUME ? sqrt(sqrt(volume)) : volume);
}

/* The factor that a contact has before U(V), which its overlap shows. */
static double patch_factor(const demi_patches_call *call, const demi_faceted_contact *contact,
                           double radius)
{
    const double volume = patch_volume(contact), area = patch_area(contact);
    if (!(volume > 0.0) || !(area > 0.0))
        return 1.0;
    const double factor =
        contact->overlap /
        demi_polyhedron_hertz_of(call->law, call->at, volume, area, radius).overlap;
    return fabs(factor - 1.0) < PATCH_ROUND ? 1.0 : factor;
}

/* The factor of patch k, whose energy is what those of before had that it takes over. */
static double patch_inherit(const demi_patches_call *call, uint64_t k, double radius)
{
    double volume = 0.0, energy = 0.0, plain = 0.0;
    for (uint32_t old = 0; old < call->slots; ++old) {
        const demi_faceted_contact *before = call->before[old];
        double all = 0.0, powers = 0.0;
        if (before == NULL || !(before->overlap > 0.0) || !patch_takes(call, old, call->slot[k]))
            continue;
        for (uint64_t m = 0; m < call->count; ++m)
            if (patch_takes(call, old, call->slot[m])) {
                all += patch_volume(&call->now[m]);
                powers += patch_power(call, patch_volume(&call->now[m]));
            }
        const double own = patch_volume(&call->now[k]),
                     shared = patch_power(call, patch_volume(before)) *
                              (patch_power(call, own) / powers);
        volume += patch_volume(before) * (own / all);
        energy += patch_factor(call, before, radius) * shared;
        plain += shared;
    }
    /* alone it keeps its factor, without round-off */
    return !(volume > 0.0) ? 1.0 : energy / plain * (plain / patch_power(call, volume));
}

void demi_patches_factors(demi_patches_call *call, double radius)
{
    /* forces of the other laws have no energy that could be kept */
    const int energy =
        call->law == DEM_POLYHEDRON_LAW_VOLUME || call->law == DEM_POLYHEDRON_LAW_VOLUME_SQUARE;
    for (uint64_t k = 0; energy && k < call->count; ++k) {
        double factor = patch_inherit(call, k, radius);
        factor = fabs(factor - 1.0) < PATCH_ROUND ? 1.0 : factor;
        demi_faceted_contact *now = &call->now[k];
        now->overlap *= factor;
        now->radius /= factor;
        now->surplus /= factor;
    }
}

/* ------------------------------------------------------------------ springs */

/* Where Mindlin's spring is in the state of a model; -1 where it has none. */
static int64_t springs_begin(const demi_model *model)
{
    for (uint32_t p = 0; p < model->part_count; ++p)
        if (strcmp(model->laws[p].name, DEM_LAW_MINDLIN) == 0)
            return model->state_begin[p];
    return -1;
}

/* What part of the force of a contact of before a slot has now. */
static double springs_share(const demi_patches_call *call, uint32_t old, uint32_t slot)
{
    double all = 0.0, own = 0.0;
    for (uint32_t k = 0; k < call->count; ++k) {
        const double area = patch_takes(call, old, call->slot[k]) ? patch_area(&call->now[k]) : 0.0;
        all += area;
        own += call->slot[k] == slot ? area : 0.0;
    }
    return all > 0.0 ? own / all : 0.0;
}

/* Whether the spring of a slot is not simply that of before. */
static int springs_moved(const demi_patches_call *call, uint32_t s)
{
    int moved = call->into[s] != DEMI_PATCH_NONE || call->from[s] != DEMI_PATCH_NONE;
    for (uint32_t k = 0; k < DEMI_PATCHES_MOST; ++k)
        moved |= call->into[k] == s || call->from[k] == s;
    return moved;
}

/* Adds a force to one in the plane across a normal. */
static void springs_add(const double *force, double share, const double normal[3], double to[3])
{
    const double along = demi_dot(force, normal);
    for (int c = 0; c < 3; ++c)
        to[c] += share * (force[c] - along * normal[c]);
}

static double spring_energy(double stiffness, const double *displacement)
{
    return 0.5 * stiffness * demi_dot(displacement, displacement);
}

/* The spring of one slot. Stiffness goes with the root of the area; so a spring that has the forces
 * of several would have more energy than they had, and gets as much as they had. */
static void spring_make(const demi_patches_call *call, uint32_t s, const double normal[3],
                        demi_spring *spring)
{
    double elastic[3] = {0.0, 0.0, 0.0}, square = 0.0, energy = 0.0;
    memset(spring, 0, sizeof *spring);
    spring->moved = 1;
    for (uint32_t old = 0; old < call->slots; ++old) {
        const double share = call->before[old] != NULL ? springs_share(call, old, s) : 0.0;
        if (share == 0.0)
            continue;
        const double *state = call->state[old], k = state[DEMI_MINDLIN_STIFFNESS];
        const double *xi = state + DEMI_MINDLIN_DISPLACEMENT;
        const double force[3] = {k * xi[0], k * xi[1], k * xi[2]};
        springs_add(force, share, normal, elastic);
        if (call->forces)
            springs_add(state + DEMI_MINDLIN_FORCE, share, normal, spring->force);
        square += share * k * k;
        energy += share * spring_energy(k, xi);
    }
    spring->stiffness = sqrt(square);
    for (int c = 0; c < 3 && square > 0.0; ++c)
        spring->displacement[c] = elastic[c] / spring->stiffness;
    const double gained = spring_energy(spring->stiffness, spring->displacement);
    const double scale = gained > energy ? sqrt(energy / gained) : 1.0;
    for (int c = 0; c < 3; ++c) {
        spring->displacement[c] *= scale;
        spring->force[c] *= scale;
    }
}

double demi_patches_springs(demi_patches_call *call, const demi_model *model,
                            demi_spring spring[DEMI_PATCHES_MOST])
{
    const int64_t begin = springs_begin(model);
    double lost = 0.0;
    if (begin < 0)
        return 0.0;
    call->forces = 0;
    for (uint32_t f = 0; f < model->force_count; ++f)
        call->forces |= model->force[f] == (uint64_t)begin + DEMI_MINDLIN_FORCE;
    for (uint32_t s = 0; s < call->slots; ++s)
        if (call->before[s] != NULL)
            call->state[s] += begin;
    for (uint32_t s = 0; s < call->slots; ++s) {
        const int goes_on = call->before[s] != NULL && !call->anew[s];
        const double *normal = goes_on ? call->before[s]->normal : NULL;
        for (uint32_t k = 0; normal == NULL && k < call->count; ++k)
            normal = call->slot[k] == s ? call->now[k].normal : NULL;
        if (!springs_moved(call, s) || normal == NULL)
            continue;
        spring_make(call, s, normal, &spring[s]);
        spring[s].begin = (uint32_t)begin;
        spring[s].forces = call->forces;
        if (goes_on)
            lost += spring_energy(call->state[s][DEMI_MINDLIN_STIFFNESS],
                                  call->state[s] + DEMI_MINDLIN_DISPLACEMENT);
        lost -= spring_energy(spring[s].stiffness, spring[s].displacement);
    }
    return lost;
}
