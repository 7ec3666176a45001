/* SPDX-License-Identifier: MIT */
/**
 * @file law_promises.c
 * What a law promises changes its speed and nothing else, and torques that a law adds arrive.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"

#include <dem/dem.h>
#include <math.h>
#include <string.h>

#define OK(call) assert_int_equal((call), DEM_OK)

/** A law of the host: a spring, viscous friction, and a torque about z. */
typedef struct spun {
    double stiffness, viscosity, torque;
} spun;

static int seen_alone, seen_with_others;

static dem_status combine(void *user, const void *parameters, dem_pair_properties *pair,
                          void *combined, dem_error *error)
{
    (void)user;
    (void)pair;
    (void)error;
    memcpy(combined, parameters, sizeof(spun));
    return DEM_OK;
}

static dem_status evaluate(void *user, uint64_t n, dem_contact_batch *b, const void *combined)
{
    (void)user;
    enum { S = DEM_BATCH_SIZE };
    const spun *law = combined;
    seen_alone |= b->alone == 1;
    seen_with_others |= b->alone == 0;
    for (uint64_t k = 0; k < (n + 7) / 8 * 8; ++k) {
        const double here = b->alive[k];
        b->force_normal[k] = here * law->stiffness * b->overlap[k];
        for (uint64_t c = 0; c < 3; ++c)
            b->force_tangential[c * S + k] = -here * law->viscosity * b->velocity[c * S + k];
        if (law->torque != 0.0) {
            b->torque_i[2 * S + k] += here * law->torque;
            b->torque_j[2 * S + k] -= here * law->torque;
        }
    }
    return DEM_OK;
}

static dem_law make_law(const char *name, int32_t kind, uint32_t promises)
{
    dem_law law;
    OK(dem_law_init(&law));
    assert_int_equal(law.promises, 0);
    law.name = name;
    law.kind = kind;
    law.parameters_size = law.combined_size = sizeof(spun);
    law.combine = combine;
    law.evaluate = evaluate;
    law.promises = promises;
    return law;
}

/** An empty world whose spheres follow the law, and where `further` is not NULL, that one too. */
static dem_world *make_world(const spun *law, uint32_t promises, const spun *further)
{
    dem_world_config config;
    dem_contact_model model;
    dem_world *w = NULL;
    OK(dem_world_config_init(&config));
    OK(dem_world_create(&config, &w, NULL));
    OK(dem_contact_model_init(&model));
    const dem_law laws[2] = {make_law("spun", DEM_LAW_WHOLE, promises),
                             make_law("further", DEM_LAW_FURTHER, promises)};
    model.parts[0] = (dem_contact_part){"spun", law};
    if (further != NULL)
        model.parts[1] = (dem_contact_part){"further", further};
    for (int k = 0; k < 2; ++k)
        OK(dem_world_law_register(w, &laws[k]));
    OK(dem_contact_model_set(w, 0, 0, &model));
    return w;
}

static const double radius = 0.01, mass = 0.01;

static void add_sphere(dem_world *w, const double position[3], const double velocity[3],
                       const double spin[3], dem_particle_handle *handle)
{
    dem_particle p;
    OK(dem_particle_init(&p));
    p.radius = radius;
    p.mass = mass;
    memcpy(p.position, position, sizeof p.position);
    memcpy(p.velocity, velocity, sizeof p.velocity);
    memcpy(p.angular_velocity, spin, sizeof p.angular_velocity);
    OK(dem_particle_add(w, &p, handle));
}

/** A block of spheres that fly about and knock against each other. */
static uint64_t hash_of_block(uint32_t promises)
{
    enum { SIDE = 6 };
    const spun law = {1e4, 2.0, 0.0};
    dem_world *w = make_world(&law, promises, NULL);
    test_random random = {7};
    for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
        const int at[3] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
        double x[3], v[3], s[3];
        for (int c = 0; c < 3; ++c) {
            x[c] = 1.999 * radius * at[c];
            v[c] = test_uniform(&random, -0.1, 0.1);
            s[c] = test_uniform(&random, -9.0, 9.0);
        }
        add_sphere(w, x, v, s, NULL);
    }
    OK(dem_step(w, 1e-5, 200));
    dem_world_counts counts = {.struct_size = sizeof counts};
    OK(dem_world_counts_get(w, &counts));
    assert_true(counts.contacts > 64);
    uint64_t hash;
    OK(dem_world_hash(w, &hash));
    dem_world_destroy(w);
    return hash;
}

static void promises_change_no_bit(void **state)
{
    (void)state;
    const uint64_t none = hash_of_block(0);
    for (uint32_t promises = 1; promises < 4; ++promises)
        assert_true(hash_of_block(promises) == none);
}

/** Two spheres that nothing but the law's torque moves: they spin as tau t/I. */
static void torques_arrive(void **state)
{
    (void)state;
    const spun nothing = {0.0, 0.0, 0.0}, torque = {0.0, 0.0, 3e-6};
    static const double origin[3] = {0.0, 0.0, 0.0}, beside[3] = {0.019, 0.0, 0.0};
    for (int two = 0; two < 2; ++two) {
        dem_world *w =
            make_world(two ? &nothing : &torque, DEM_LAW_SETS_FORCES, two ? &torque : NULL);
        dem_particle_handle handle[2];
        add_sphere(w, origin, origin, origin, &handle[0]);
        add_sphere(w, beside, origin, origin, &handle[1]);
        OK(dem_step(w, 1e-4, 100));
        for (int k = 0; k < 2; ++k) {
            dem_particle p;
            OK(dem_particle_init(&p));
            OK(dem_particle_get(w, handle[k], &p));
            const double spin = 3e-6 * 0.01 / (0.4 * mass * radius * radius);
            assert_true(fabs(p.angular_velocity[2] - (k == 0 ? spin : -spin)) < 1e-12 * spin);
        }
        dem_world_destroy(w);
    }
}

static void laws_know_whether_they_are_alone(void **state)
{
    (void)state;
    const spun law = {1.0, 0.0, 0.0};
    static const double origin[3] = {0.0, 0.0, 0.0}, beside[3] = {0.019, 0.0, 0.0};
    for (int two = 0; two < 2; ++two) {
        dem_world *w = make_world(&law, 0, two ? &law : NULL);
        add_sphere(w, origin, origin, origin, NULL);
        add_sphere(w, beside, origin, origin, NULL);
        seen_alone = seen_with_others = 0;
        OK(dem_step(w, 1e-5, 1));
        assert_int_equal(seen_alone, !two);
        assert_int_equal(seen_with_others, two);
        dem_world_destroy(w);
    }
}

static void unknown_promises_are_refused(void **state)
{
    (void)state;
    const spun law = {1.0, 0.0, 0.0};
    dem_world *w = make_world(&law, 0, NULL);
    const dem_law bad = make_law("bad", DEM_LAW_WHOLE, 4);
    assert_int_equal(dem_world_law_register(w, &bad), DEM_ERROR_UNKNOWN);
    assert_non_null(strstr(dem_world_error(w), "dem_law.promises of \"bad\": 0x4"));
    dem_world_destroy(w);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promises_change_no_bit),
        cmocka_unit_test(torques_arrive),
        cmocka_unit_test(laws_know_whether_they_are_alone),
        cmocka_unit_test(unknown_promises_are_refused),
    };
    return cmocka_run_group_tests_name("law_promises", tests, NULL, NULL);
}
