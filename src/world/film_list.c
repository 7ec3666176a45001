/* SPDX-License-Identifier: MIT */
/* Pairs of the list that have films, see film.h. */
#include "world/film.h"

#include "world/keys.h"

/* What films do not go with yet. */
static dem_status films_go(dem_world *w)
{
    if (w->rigids > w->rigids_vacant)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_film: a world with rigid bodies has no films: use a model without "
                         "the part \"film\"");
    for (uint64_t k = 0; w->walls_seeking > 0 && k < w->walls; ++k)
        if (demi_wall_seeks(w, k))
            return demi_fail(&w->context, DEM_ERROR_STATE,
                             "dem_film: wall %llu seeks a force and does not see films: use a "
                             "model without the part \"film\"",
                             (unsigned long long)w->wall.read[k].id);
    if (w->exact.sums.exact)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_film: DEM_SUMS_EXACT does not sum films: make a world with "
                         "DEM_SUMS_FIXED_ORDER");
    return DEM_OK;
}

static const demi_film *film_of(const demi_batch_group *group)
{
    const demi_model *model = group->model;
    if (model == NULL || model->film == 0)
        return NULL;
    return (const demi_film *)(const void *)model->combined[model->film - 1];
}

static dem_status film_group_count(dem_world *w, const demi_batch_group *group, uint64_t *count)
{
    if (film_of(group) == NULL)
        return DEM_OK;
    if (demi_shapes[group->shape]->kept > 0)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_film: a wall of the shape \"%s\" has no films: give it a material "
                         "whose model has no part \"film\"",
                         demi_shapes[group->shape]->name);
    *count += group->end - group->begin;
    return DEM_OK;
}

static void film_group_add(dem_world *w, const demi_batch_group *group)
{
    const demi_film *film = film_of(group);
    const demi_chunk *chunk = demi_chunk_of(&w->list, group->begin);
    for (uint64_t p = group->begin; film != NULL && p < group->end; ++p) {
        if (demi_pair_slot(&w->list.pair.read[p]) > 0)
            continue; /* of polyhedra, which have one film */
        demi_film_pair *pair = &w->film.pair.data[w->film.pairs++];
        memset(pair, 0, sizeof *pair);
        pair->film = film;
        pair->ends = demi_pair_ends(&w->list, chunk, group->ends, &w->list.pair.read[p]);
        pair->key = demi_key_of(w, &pair->ends);
    }
}

dem_status demi_film_pairs(dem_world *w)
{
    const demi_batch_group *group = w->list.batch_group.read;
    uint64_t count = 0;
    dem_status status = films_go(w);
    if (status != DEM_OK || w->film.listed)
        return status;
    for (uint64_t r = 0; status == DEM_OK && r < w->list.batch_groups; ++r)
        status = film_group_count(w, &group[r], &count);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &w->film.pair, count, 0, "films");
    if (status != DEM_OK)
        return status;
    w->film.pairs = 0;
    for (uint64_t r = 0; r < w->list.batch_groups; ++r)
        film_group_add(w, &group[r]);
    demi_keys_sort(w->film.pair.data, w->film.pairs, sizeof(demi_film_pair));
    w->film.listed = 1;
    return DEM_OK;
}
