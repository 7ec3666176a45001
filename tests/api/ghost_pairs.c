/* SPDX-License-Identifier: MIT */
/**
 * @file ghost_pairs.c
 * Contacts of two ghosts at level 1: their owners go on with them, and what a process keeps of them
 * is of the past when the particles come back. One process is the oracle.
 */
#include "../support/cmocka.h"
#include <dem/dem.h>

#include <string.h>

enum { PARTICLES = 3 };

/** Three spheres that touch in a row, of which the middle one slides along y. */
typedef struct spheres {
    double x[PARTICLES][3], v[PARTICLES][3];
} spheres;

/** A process: its rows are ids from 1 on, its own first. */
typedef struct process {
    dem_contact_history *history;
    int absent, kept;
    uint64_t count, own, id[PARTICLES];
    double force[PARTICLES][3]; /* by id - 1 */
} process;

static dem_contact_history *history_create(void)
{
    dem_contact_history_config config;
    dem_contact_history *history;
    dem_linear linear;
    dem_contact_model model;
    assert_int_equal(dem_contact_history_config_init(&config), DEM_OK);
    assert_int_equal(dem_contact_history_create(&config, &history, NULL), DEM_OK);
    assert_int_equal(dem_linear_init(&linear), DEM_OK);
    linear.stiffness_normal = 1e3;
    assert_int_equal(dem_contact_model_init(&model), DEM_OK);
    assert_int_equal(dem_contact_model_add_linear_csds(&model, &linear), DEM_OK);
    assert_int_equal(dem_contact_history_model_set(history, 0, 0, &model), DEM_OK);
    return history;
}

static void rows_set(process *p, uint64_t own, uint64_t count, const uint64_t *id)
{
    p->own = own;
    p->count = count;
    memcpy(p->id, id, count * sizeof *id);
}

/** A step of the pairs that have an end of the process's own. */
static void step(process *p, const spheres *s)
{
    double x[PARTICLES][3], v[PARTICLES][3], force[PARTICLES][3] = {{0.0}};
    const double radius[PARTICLES] = {0.5, 0.5, 0.5}, mass[PARTICLES] = {1.0, 1.0, 1.0};
    uint32_t pair[2][2], row[PARTICLES + 1];
    dem_contacts_input in;
    assert_int_equal(dem_contacts_input_init(&in), DEM_OK);
    memset(row, 0xFF, sizeof row);
    for (uint32_t k = 0; k < p->count; ++k) {
        row[p->id[k]] = k;
        memcpy(x[k], s->x[p->id[k] - 1], sizeof x[k]);
        memcpy(v[k], s->v[p->id[k] - 1], sizeof v[k]);
    }
    for (uint64_t id = 1; id < PARTICLES; ++id) {
        const uint32_t i = row[id], j = row[id + 1];
        if (i == UINT32_MAX || j == UINT32_MAX || (i >= p->own && j >= p->own))
            continue;
        pair[in.pair_count][0] = i;
        pair[in.pair_count++][1] = j;
    }
    in.particle_count = p->count;
    in.ghost_count = p->count - p->own;
    in.id = p->id;
    in.position = x[0];
    in.velocity = v[0];
    in.radius = radius;
    in.mass = mass;
    in.pairs = pair[0];
    in.dt = 1e-3;
    in.force = force[0];
    in.absent = p->absent;
    if (p->kept) {
        assert_int_equal(dem_contacts_list_begin(p->history, &in), DEM_OK);
        assert_int_equal(dem_contacts_list_evaluate(p->history, &in, NULL), DEM_OK);
    } else
        assert_int_equal(dem_contacts_evaluate(p->history, &in, NULL), DEM_OK);
    for (uint64_t k = 0; k < p->own; ++k)
        memcpy(p->force[p->id[k] - 1], force[k], sizeof force[k]);
}

static void move(process *from, process *to, uint64_t count, const uint64_t *id)
{
    char bytes[4096];
    uint64_t written;
    assert_int_equal(
        dem_contact_history_pack(from->history, count, id, bytes, sizeof bytes, &written), DEM_OK);
    assert_int_equal(dem_contact_history_unpack(to->history, bytes, written), DEM_OK);
}

static void come_back(void **state)
{
    static const uint64_t all[] = {1, 2, 3}, of_first[] = {3, 1, 2}, both[] = {1, 2};
    (void)state;
    for (int mode = 0; mode < 4; ++mode) {
        process p[3];
        spheres s = {{{0.0, 0.0, 0.0}, {0.95, 0.0, 0.0}, {1.9, 0.0, 0.0}},
                     {{0.0}, {0.0, 0.2, 0.0}, {0.0}}};
        memset(p, 0, sizeof p);
        for (int k = 0; k < 3; ++k) {
            p[k].history = history_create();
            p[k].absent = mode % 2 ? DEM_ABSENT_KEEP : DEM_ABSENT_SEPARATED;
            p[k].kept = mode / 2;
        }
        process *one = &p[0], *first = &p[1], *second = &p[2];
        rows_set(one, 3, 3, all);
        rows_set(first, 3, 3, all);
        for (int n = 0; n < 10; ++n) {
            s.x[1][1] += 2e-4;
            step(one, &s);
            step(first, &s);
        }
        move(first, second, 2, both);
        rows_set(first, 1, 3, of_first);
        rows_set(second, 2, 3, all);
        for (int n = 0; n < 100; ++n) {
            s.x[1][1] += 2e-4;
            for (int k = 0; k < 3; ++k)
                step(&p[k], &s);
        }
        move(second, first, 2, both);
        rows_set(first, 3, 3, all);
        s.x[1][1] += 2e-4;
        step(one, &s);
        step(first, &s);
        assert_memory_equal(first->force, one->force, sizeof one->force);
        assert_true(one->force[1][1] < -1.0); /* the springs are long */
        for (int k = 0; k < 3; ++k)
            dem_contact_history_destroy(p[k].history);
    }
}

/** Ghosts that are images of the process's own particles end nothing, and neither does a call that
 * lists a part. */
static void images_of_own(void **state)
{
    static const uint64_t own_and_images[] = {1, 2, 3, 1, 2};
    static const spheres s = {{{0.0, 0.0, 0.0}, {0.95, 0.0, 0.0}, {1.9, 0.0, 0.0}}, {{0.0}}};
    (void)state;
    for (int kept = 0; kept < 2; ++kept)
        for (uint64_t count = 3; count <= 5; ++count) {
            process p = {.history = history_create(), .absent = DEM_ABSENT_KEEP, .kept = kept};
            rows_set(&p, 3, 3, own_and_images);
            step(&p, &s);
            assert_int_equal(dem_contact_history_count(p.history), 2);
            dem_contacts_input in;
            assert_int_equal(dem_contacts_input_init(&in), DEM_OK);
            const double x[5][3] = {{0.0, 0.0, 0.0},
                                    {0.95, 0.0, 0.0},
                                    {1.9, 0.0, 0.0},
                                    {9.0, 0.0, 0.0},
                                    {9.95, 0.0, 0.0}},
                         v[5][3] = {{0.0}}, radius[5] = {0.5, 0.5, 0.5, 0.5, 0.5},
                         mass[5] = {1.0, 1.0, 1.0, 1.0, 1.0};
            double force[3][3];
            const uint32_t pair[2] = {1, 2};
            in.particle_count = count;
            in.ghost_count = count - 3;
            in.id = own_and_images;
            in.position = x[0];
            in.velocity = v[0];
            in.radius = radius;
            in.mass = mass;
            in.pair_count = 1;
            in.pairs = pair;
            in.dt = 1e-3;
            in.force = force[0];
            in.absent = DEM_ABSENT_KEEP;
            memset(force, 0, sizeof force);
            if (kept) {
                assert_int_equal(dem_contacts_list_begin(p.history, &in), DEM_OK);
                assert_int_equal(dem_contacts_list_evaluate(p.history, &in, NULL), DEM_OK);
            } else
                assert_int_equal(dem_contacts_evaluate(p.history, &in, NULL), DEM_OK);
            assert_int_equal(dem_contact_history_count(p.history), 2);
            dem_contact_history_destroy(p.history);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(come_back),
        cmocka_unit_test(images_of_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
