/* SPDX-License-Identifier: MIT */
/**
 * @file energy_tracking.c
 * A world that tracks no energies moves with the same bits as one that does, for every form
 * and slider, also where a law then keeps less state.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <string.h>

static const double DT = 1e-3;

typedef struct parts {
    const char *normal, *tangential;
    const void *first, *second;
} parts;

static dem_world *packing(const parts *p, int32_t energy_tracking)
{
    dem_world_config config = scene_config();
    config.energy_tracking = energy_tracking;
    dem_world *world = scene_packing_config(5, 4, &config);
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = p->normal, .parameters = p->first};
    model.parts[1] = (dem_contact_part){.law = p->tangential, .parameters = p->second};
    OK(dem_contact_model_set(world, 0, 0, &model));
    return world;
}

/** Steps both worlds; they must not differ, but the first alone knows its energies. */
static void same_motion(const parts *p)
{
    dem_world *full = packing(p, DEM_ENERGY_TRACKING_FULL),
              *lean = packing(p, DEM_ENERGY_TRACKING_OFF);
    for (int k = 0; k < 4; ++k) {
        OK(dem_step(full, DT, 100));
        OK(dem_step(lean, DT, 100));
        assert_true(scene_hash(full) == scene_hash(lean));
        assert_true(scene_counts(full).contacts == scene_counts(lean).contacts);
    }
    const dem_world_energies e = scene_energies(full), none = scene_energies(lean);
    assert_true(e.dissipated_slip != 0.0 && e.elastic > 0.0);
    assert_true(none.dissipated_slip == 0.0 && none.elastic == 0.0);
    dem_world_destroy(full);
    dem_world_destroy(lean);
}

static void mindlin_without_energy_tracking(void **state)
{
    (void)state;
    static const int32_t sliders[] = {DEM_SLIDER_CSDS, DEM_SLIDER_DSDS, DEM_SLIDER_TRUNCATED,
                                      DEM_SLIDER_UNRESET, DEM_SLIDER_LI};
    dem_hertz hertz;
    dem_mindlin mindlin;
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    hertz.young[0] = 1e4;
    hertz.restitution = 0.8;
    mindlin.friction = 0.4;
    const parts p = {DEM_LAW_HERTZ, DEM_LAW_MINDLIN, &hertz, &mindlin};
    for (int k = 0; k < 5; ++k)
        for (int32_t form = DEM_MINDLIN_RESCALED; form <= DEM_MINDLIN_INCREMENTAL; ++form) {
            mindlin.slider = sliders[k];
            mindlin.form = form;
            same_motion(&p);
        }
}

static void linear_without_energy_tracking(void **state)
{
    (void)state;
    dem_hooke hooke;
    dem_friction friction;
    OK(dem_hooke_init(&hooke));
    OK(dem_friction_init(&friction));
    hooke.stiffness_normal = 1000.0;
    hooke.restitution = 0.8;
    friction.stiffness_tangential = 300.0;
    friction.friction = 0.4;
    same_motion(&(parts){DEM_LAW_HOOKE, DEM_LAW_FRICTION, &hooke, &friction});
}

static void rows_without_energy_tracking(void **state)
{
    (void)state;
    dem_hertz hertz;
    dem_mindlin mindlin;
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    hertz.young[0] = 1e4;
    hertz.restitution = 0.8;
    mindlin.friction = 0.4;
    same_motion(&(parts){DEM_LAW_HERTZ, DEM_LAW_MINDLIN_DERESIEWICZ, &hertz, &mindlin});
    same_motion(&(parts){DEM_LAW_HERTZ, DEM_LAW_MINDLIN_DERESIEWICZ_32, &hertz, &mindlin});
}

/** The slots that a contact shows are those that the world keeps: of the doubles of the full state,
 * those from `first` up to `end` are missing. */
static void same_states(const char *law, uint64_t doubles, uint64_t first, uint64_t end)
{
    dem_hertz hertz;
    dem_mindlin mindlin;
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    hertz.young[0] = 1e4;
    const parts p = {DEM_LAW_HERTZ, law, &hertz, &mindlin};
    dem_world *full = packing(&p, DEM_ENERGY_TRACKING_FULL),
              *lean = packing(&p, DEM_ENERGY_TRACKING_OFF);
    OK(dem_step(full, DT, 200));
    OK(dem_step(lean, DT, 200));
    uint64_t cursor[2] = {0, 0}, contacts = 0;
    for (;;) {
        dem_contact a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        const dem_status more = dem_world_contact_next(full, &cursor[0], &a);
        assert_int_equal(dem_world_contact_next(lean, &cursor[1], &b), more);
        if (more != DEM_OK)
            break;
        if (memcmp(&a.key, &b.key, sizeof a.key) != 0)
            fail_msg("contact %llu is another one", (unsigned long long)contacts);
        if (a.state_count == doubles) { /* with the floor the packing's own model acts */
            assert_int_equal(b.state_count, doubles - (end - first));
            assert_memory_equal(a.state, b.state, first * sizeof(double));
            if (end < doubles)
                assert_memory_equal(a.state + end, b.state + first,
                                    (doubles - end) * sizeof(double));
            ++contacts;
        }
    }
    assert_true(contacts > 50);
    dem_world_destroy(full);
    dem_world_destroy(lean);
}

static void state_without_energy_tracking(void **state)
{
    (void)state;
    same_states(DEM_LAW_MINDLIN, 7, 4, 7);
    same_states(DEM_LAW_MINDLIN_DERESIEWICZ, 38, 4, 6);
    same_states(DEM_LAW_MINDLIN_DERESIEWICZ_32, 70, 4, 6);
}

/* Two spheres that hit each other obliquely: what dashpot and slip took stays within what there
 * was, for all forms, also in the step in which the contact ends. */
static void contacts_that_end_book_no_more(void **state)
{
    (void)state;
    for (int32_t form = DEM_MINDLIN_RESCALED; form <= DEM_MINDLIN_INCREMENTAL; ++form) {
        dem_world_config config = scene_config();
        memset(config.gravity, 0, sizeof config.gravity);
        dem_world *world = NULL;
        dem_error error;
        OK(dem_world_create(&config, &world, &error));
        dem_hertz hertz;
        dem_mindlin mindlin;
        dem_contact_model model;
        OK(dem_hertz_init(&hertz));
        OK(dem_mindlin_init(&mindlin));
        hertz.young[0] = 1e8;
        hertz.restitution = mindlin.restitution = 0.7;
        mindlin.friction = 0.3;
        mindlin.form = form;
        OK(dem_contact_model_init(&model));
        OK(dem_contact_model_add_hertz(&model, &hertz));
        OK(dem_contact_model_add_mindlin(&model, &mindlin));
        OK(dem_contact_model_set(world, 0, 0, &model));
        dem_particle p[2] = {scene_particle(0.0, 0.0, 0.0), scene_particle(0.0201, 0.0, 0.0)};
        p[0].radius = p[1].radius = 0.01;
        p[0].mass = p[1].mass = 0.008;
        p[1].velocity[0] = -1.0;
        p[1].velocity[1] = 0.3;
        OK(dem_particles_add(world, 2, p, NULL));
        const double all = 0.5 * 0.008 * (1.0 + 0.09);
        for (int k = 0; k < 400; ++k) {
            OK(dem_step(world, 1e-5, 1));
            const dem_world_energies e = scene_energies(world);
            assert_true(e.dissipated_dashpot >= -1e-6 * all && e.dissipated_dashpot < 0.1 * all);
            /* forms that create energy book it as a slip below 0 */
            const double least = form == DEM_MINDLIN_RESCALED ? -1e-12 : -0.02;
            assert_true(e.dissipated_slip >= least * all && e.dissipated_slip < 0.1 * all);
        }
        assert_int_equal(scene_counts(world).contacts, 0);
        dem_world_destroy(world);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mindlin_without_energy_tracking),
        cmocka_unit_test(linear_without_energy_tracking),
        cmocka_unit_test(rows_without_energy_tracking),
        cmocka_unit_test(state_without_energy_tracking),
        cmocka_unit_test(contacts_that_end_book_no_more),
    };
    return cmocka_run_group_tests_name("energy_tracking", tests, NULL, NULL);
}
