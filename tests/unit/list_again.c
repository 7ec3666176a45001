/* SPDX-License-Identifier: MIT */
/**
 * @file list_again.c
 * A list follows from the order of the rows, their positions at its build, and its skin: built from
 * these once more it is the same, pair by pair.
 */
#include "../support/cmocka.h"
#include "../support/emulated.h"

#include "world/world.h"

#include <string.h>

#define OK(call) assert_int_equal((call), DEM_OK)
#include "../support/scene.h"

static void lists_equal(const demi_list *a, const demi_list *b)
{
    assert_true(a->chunks == b->chunks && a->pairs == b->pairs &&
                a->batch_groups == b->batch_groups && a->chunk_rows == b->chunk_rows &&
                a->chunk_copies == b->chunk_copies && a->neighbours == b->neighbours &&
                a->near_walls == b->near_walls);
    assert_true(a->skin == b->skin && a->margin == b->margin && a->reach == b->reach);
    for (uint64_t k = 0; k < a->chunks; ++k) {
        const demi_chunk *of = &a->chunk.read[k], *to = &b->chunk.read[k];
        assert_memory_equal(of->low, to->low, sizeof of->low);
        assert_memory_equal(of->high, to->high, sizeof of->high);
        assert_memory_equal(of->pairs, to->pairs, sizeof of->pairs);
        assert_true(of->largest == to->largest);
        for (uint64_t h = of->copies_begin; h < of->copies_end; ++h) {
            assert_int_equal(a->source.read[h], b->source.read[h]);
            assert_int_equal(a->shift.read[h], b->shift.read[h]);
        }
    }
    for (uint64_t r = 0; r < a->batch_groups; ++r) {
        const demi_batch_group *of = &a->batch_group.read[r], *to = &b->batch_group.read[r];
        assert_true(of->model == to->model && of->ends == to->ends && of->shape == to->shape &&
                    of->reach == to->reach);
        assert_true(of->end - of->begin == to->end - to->begin);
        for (uint64_t p = 0; p < of->end - of->begin; ++p)
            assert_memory_equal(&a->pair.read[of->begin + p], &b->pair.read[to->begin + p],
                                sizeof(demi_pair));
    }
}

static void list_build_again(dem_world *w)
{
    static const demi_list none;
    demi_list again;
    demi_list_workspace workspace;
    demi_row_array position = {0};
    DEMI_ARRAY(demi_body) body = {0};
    DEMI_ARRAY(uint32_t) cell_of = {0};
    DEMI_ARRAY(demi_row_before) row_before = {0};
    memset(&again, 0, sizeof again);
    memset(&workspace, 0, sizeof workspace);
    OK(demi_array_reserve(&w->context, &position, w->rows, 0, "test"));
    OK(demi_array_reserve(&w->context, &body, w->rows, 0, "test"));
    OK(demi_array_reserve(&w->context, &cell_of, w->rows, 0, "test"));
    OK(demi_array_reserve(&w->context, &row_before, w->rows, 0, "test"));
    const demi_list_input in = {
        .context = &w->context,
        .executor = &w->config.executor,
        .models = &w->models,
        .domain = demi_world_domain(w),
        .skin = w->list.skin,
        .rows = w->rows,
        .position = w->built.read,
        .velocity = w->current.velocity.read,
        .body = w->body.read,
        .id = w->row_id.read,
        .wall = w->wall.read,
        .solid = w->solid_built.read,
        .walls = w->walls,
        .before = &none,
        .sorted_position = position.data,
        .sorted_body = body.data,
        .row_before = row_before.data,
        .cell_of = cell_of.data,
    };
    OK(demi_list_build(&again, &in, &workspace));
    for (uint64_t row = 0; row < w->rows; ++row)
        assert_int_equal(workspace.order.read[row], row);
    lists_equal(&w->list, &again);
    demi_list_free(&w->context, &again);
    demi_list_workspace_free(&w->context, &workspace);
    demi_array_free(&w->context, &position);
    demi_array_free(&w->context, &body);
    demi_array_free(&w->context, &cell_of);
    demi_array_free(&w->context, &row_before);
}

/** Fines above a packing, heavy enough for its time steps. */
static void fines_add(dem_world *world)
{
    enum { FINES = 2000, ROW = 40 };
    static dem_particle fine[FINES];
    test_random random = {4321};
    for (int k = 0; k < FINES; ++k) {
        fine[k] = scene_particle(1.0 + 0.06 * (k % ROW), 1.0 + 0.06 * (k / ROW % ROW),
                                 4.45 + 0.06 * (k / ROW / ROW));
        fine[k].radius = test_uniform(&random, 0.02, 0.025);
        fine[k].mass = 0.002;
    }
    OK(dem_particles_add(world, FINES, fine, NULL));
}

/** Grains between a floor and a lid that comes down roll across periodic sides; at many moments
 * between builds. The third time there are fines above them, so that sizes have two levels. */
static void list_follows_from_positions(void **state)
{
    (void)state;
    for (int turn = 0; turn < 3; ++turn) {
        static const uint64_t edge[] = {12, 4, 4}, layers[] = {12, 60, 4};
        const int wide = turn == 2;
        dem_world_config config = scene_config();
        config.gravity[0] = 4.0;
        dem_world *world = scene_packing_config(edge[turn], layers[turn], &config);
        dem_wall lid;
        OK(dem_wall_init(&lid));
        lid.normal[2] = -1.0;
        lid.point[2] = (double)layers[turn] + 2.0;
        lid.velocity[2] = -2.0;
        OK(dem_wall_add(world, &lid, NULL));
        if (wide)
            fines_add(world);
        dem_world_counts counts = {.struct_size = sizeof counts};
        /* the list expires every few of these */
        for (int k = 0; k < 40; ++k) {
            OK(dem_step(world, 1e-3, 17));
            if (!test_slow() || k % 4 == turn)
                list_build_again(world);
        }
        OK(dem_world_counts_get(world, &counts));
        assert_int_equal(world->list.levels, wide ? 2 : 1);
        assert_true(counts.rebuilds > 5 && counts.contacts > 100);
        dem_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_follows_from_positions),
    };
    return cmocka_run_group_tests_name("list_again", tests, NULL, NULL);
}
