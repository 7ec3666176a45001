/* SPDX-License-Identifier: MIT */
/**
 * @file law_traits.c
 * What a law promises, and says that it needs, changes its speed and nothing else; torques that a
 * law adds arrive.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"

#include <dem/dem.h>
#include <math.h>
#include <string.h>

/** A law of the host: a spring, viscous friction, and a torque about z. */
typedef struct spun {
    double stiffness, viscosity, torque;
} spun;

static int seen_alone, seen_with_others;
/** Largest of what evaluate saw: of the velocity's components, and of R*. */
static double seen_velocity, seen_radius;

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
        const double here = b->touching[k];
        b->force_normal[k] = here * law->stiffness * b->overlap[k];
        for (uint64_t c = 0; c < 3; ++c)
            b->force_tangential[c * S + k] = -here * law->viscosity * b->velocity[c * S + k];
        for (uint64_t c = 0; c < 3; ++c)
            seen_velocity = fmax(seen_velocity, fabs(b->velocity[c * S + k]));
        seen_radius = fmax(seen_radius, b->radius[k]);
        if (law->torque != 0.0) {
            b->torque_i[2 * S + k] += here * law->torque;
            b->torque_j[2 * S + k] -= here * law->torque;
        }
    }
    return DEM_OK;
}

static uint32_t traits_needed(void *user, const void *combined)
{
    (void)user;
    return ((const spun *)combined)->viscosity != 0.0 ? DEM_TRAIT_NEEDS_VELOCITY : 0;
}

static uint32_t needs_radius(void *user, const void *combined)
{
    (void)user;
    (void)combined;
    return DEM_TRAIT_NEEDS_RADIUS;
}

static uint32_t needs_too_much(void *user, const void *combined)
{
    (void)user;
    (void)combined;
    return 8;
}

typedef uint32_t needs_function(void *user, const void *combined);

static dem_law make_law(const char *name, int32_t kind, uint32_t traits, needs_function *need)
{
    dem_law law;
    OK(dem_law_init(&law));
    assert_int_equal(law.traits, 0);
    law.name = name;
    law.kind = kind;
    law.parameters_size = law.combined_size = sizeof(spun);
    law.combine = combine;
    law.evaluate = evaluate;
    law.traits = traits;
    assert_null(law.traits_needed);
    law.traits_needed = need;
    return law;
}

/** An empty world whose spheres follow the law, and where `further` is not NULL, that one too. */
static dem_world *make_world(const spun *law, uint32_t traits, needs_function *need,
                             const spun *further, needs_function *further_need)
{
    dem_world_config config;
    dem_contact_model model;
    dem_world *w = NULL;
    OK(dem_world_config_init(&config));
    OK(dem_world_create(&config, &w, NULL));
    OK(dem_contact_model_init(&model));
    const dem_law laws[2] = {make_law("spun", DEM_LAW_WHOLE, traits, need),
                             make_law("further", DEM_LAW_FURTHER, traits, further_need)};
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
                       const double angular_velocity[3], dem_particle_handle *handle)
{
    dem_particle p;
    OK(dem_particle_init(&p));
    p.radius = radius;
    p.mass = mass;
    memcpy(p.position, position, sizeof p.position);
    memcpy(p.velocity, velocity, sizeof p.velocity);
    memcpy(p.angular_velocity, angular_velocity, sizeof p.angular_velocity);
    OK(dem_particle_add(w, &p, handle));
}

/** Fills a world with a block of spheres that fly about and knock against each other, runs and
 * destroys it. */
static uint64_t hash_of_block(dem_world *w)
{
    enum { SIDE = 6 };
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

static void traits_change_no_bit(void **state)
{
    (void)state;
    const spun law = {1e4, 2.0, 0.0};
    const uint64_t none = hash_of_block(make_world(&law, 0, NULL, NULL, NULL));
    for (uint32_t traits = 1; traits < 4; ++traits)
        assert_true(hash_of_block(make_world(&law, traits, NULL, NULL, NULL)) == none);
}

/** Two spheres that nothing but the law's torque moves: they spin as tau t/I. */
static void torques_arrive(void **state)
{
    (void)state;
    const spun nothing = {0.0, 0.0, 0.0}, torque = {0.0, 0.0, 3e-6};
    static const double origin[3] = {0.0, 0.0, 0.0}, beside[3] = {0.019, 0.0, 0.0};
    for (int two = 0; two < 2; ++two) {
        dem_world *w = make_world(two ? &nothing : &torque, DEM_TRAIT_SETS_FORCES, NULL,
                                  two ? &torque : NULL, NULL);
        dem_particle_handle handle[2];
        add_sphere(w, origin, origin, origin, &handle[0]);
        add_sphere(w, beside, origin, origin, &handle[1]);
        OK(dem_step(w, 1e-4, 100));
        for (int k = 0; k < 2; ++k) {
            dem_particle p;
            OK(dem_particle_init(&p));
            OK(dem_particle_get(w, handle[k], &p));
            const double angular_velocity = 3e-6 * 0.01 / (0.4 * mass * radius * radius);
            assert_true(
                fabs(p.angular_velocity[2] - (k == 0 ? angular_velocity : -angular_velocity)) <
                1e-12 * angular_velocity);
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
        dem_world *w = make_world(&law, 0, NULL, two ? &law : NULL, NULL);
        add_sphere(w, origin, origin, origin, NULL);
        add_sphere(w, beside, origin, origin, NULL);
        seen_alone = seen_with_others = 0;
        OK(dem_step(w, 1e-5, 1));
        assert_int_equal(seen_alone, !two);
        assert_int_equal(seen_with_others, two);
        dem_world_destroy(w);
    }
}

/** What a law says that it does not need is left out; what it needs is there, with the same bits.
 */
static void needs_change_no_bit(void **state)
{
    (void)state;
    for (int viscous = 0; viscous < 2; ++viscous) {
        const spun law = {1e4, viscous ? 2.0 : 0.0, 0.0};
        seen_velocity = seen_radius = 0.0;
        const uint64_t all = hash_of_block(make_world(&law, 0, NULL, NULL, NULL));
        assert_true(seen_velocity > 0.01);
        assert_true(fabs(seen_radius - 0.5 * radius) < 1e-15);
        seen_velocity = seen_radius = 0.0;
        assert_true(hash_of_block(make_world(&law, 0, traits_needed, NULL, NULL)) == all);
        assert_int_equal(seen_velocity > 0.01, viscous);
        assert_true(viscous || seen_velocity == 0.0);
        assert_true(seen_radius == 0.0);
    }
}

/** A part gets what another part of the model needs. */
static void needs_of_parts_add_up(void **state)
{
    (void)state;
    const spun spring = {1e4, 0.0, 0.0}, viscous = {0.0, 2.0, 0.0};
    for (int turned = 0; turned < 2; ++turned) {
        seen_velocity = seen_radius = 0.0;
        hash_of_block(make_world(&spring, 0, turned ? needs_radius : traits_needed, &viscous,
                                 turned ? traits_needed : needs_radius));
        assert_int_equal(seen_velocity > 0.01, turned);
        assert_true(fabs(seen_radius - 0.5 * radius) < 1e-15);
    }
}

/** The built-in slider without a dashpot against one whose dashpot is too weak to be felt. */
static void linear_law_without_dashpot(void **state)
{
    (void)state;
    for (int32_t scheme = 0; scheme < 3; ++scheme) {
        uint64_t hash[2];
        for (int weak = 0; weak < 2; ++weak) {
            static const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC,
                                              DEM_INTEGRATOR_VERLET_IMPROVED,
                                              DEM_INTEGRATOR_VERLET_STANDARD};
            dem_world_config config;
            dem_contact_model model;
            dem_linear law;
            dem_wall floor;
            dem_world *w = NULL;
            OK(dem_world_config_init(&config));
            config.integrator = schemes[scheme];
            config.energy_tracking = DEM_ENERGY_TRACKING_OFF;
            config.gravity[2] = -9.81;
            OK(dem_world_create(&config, &w, NULL));
            OK(dem_linear_init(&law));
            law.stiffness_normal = 1e4;
            law.damping = DEM_DAMPING_COEFFICIENT;
            law.damping_normal = 1.0;
            law.damping_tangential = weak ? 1e-200 : 0.0;
            OK(dem_contact_model_init(&model));
            model.parts[0] = (dem_contact_part){DEM_LAW_LINEAR_CSDS, &law};
            OK(dem_contact_model_set(w, 0, 0, &model));
            OK(dem_wall_init(&floor));
            floor.point[2] = -0.9 * radius;
            OK(dem_wall_add(w, &floor, NULL));
            hash[weak] = hash_of_block(w);
        }
        assert_true(hash[0] == hash[1]);
    }
}

static void unknown_bits_are_refused(void **state)
{
    (void)state;
    const spun law = {1.0, 0.0, 0.0};
    dem_world *w = make_world(&law, 0, NULL, NULL, NULL);
    const dem_law bad = make_law("bad", DEM_LAW_WHOLE, 4, NULL),
                  greedy = make_law("greedy", DEM_LAW_WHOLE, 0, needs_too_much);
    assert_int_equal(dem_world_law_register(w, &bad), DEM_ERROR_UNKNOWN);
    assert_non_null(strstr(dem_world_error(w), "dem_law.traits of \"bad\": 0x4"));
    OK(dem_world_law_register(w, &greedy));
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){"greedy", &law};
    uint64_t before, after;
    OK(dem_world_hash(w, &before));
    assert_int_equal(dem_contact_model_set(w, 0, 0, &model), DEM_ERROR_UNKNOWN);
    assert_non_null(strstr(dem_world_error(w), "dem_law.traits_needed of \"greedy\": 0x8"));
    OK(dem_world_hash(w, &after));
    assert_true(before == after);
    dem_world_destroy(w);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traits_change_no_bit),
        cmocka_unit_test(torques_arrive),
        cmocka_unit_test(laws_know_whether_they_are_alone),
        cmocka_unit_test(needs_change_no_bit),
        cmocka_unit_test(needs_of_parts_add_up),
        cmocka_unit_test(linear_law_without_dashpot),
        cmocka_unit_test(unknown_bits_are_refused),
    };
    return cmocka_run_group_tests_name("law_traits", tests, NULL, NULL);
}
