/* SPDX-License-Identifier: MIT */
/**
 * @file world_as_host.c
 * A dense cloud that a host computes at level 1, with all pairs in one list, and a world in chunks
 * with neighbours across them and across the periods of the box: the same to round-off.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <string.h>

enum { EDGE = 9, COUNT = EDGE * EDGE * EDGE, PAIRS = 20 * COUNT };

#define BOX 8.6
#define DT 4e-4

typedef double vector[COUNT][3];

/** The host's particles, and the pairs that it knows. */
typedef struct cloud {
    vector x, v, w, f, t;
    double radius[COUNT], mass[COUNT], inertia[COUNT];
    uint64_t id[COUNT];
    int32_t material[COUNT];
    uint32_t pairs[PAIRS][2];
    double shifts[PAIRS][3];
    int32_t images[PAIRS][3];
    uint64_t pair_count;
    dem_contact_history *history;
    dem_integrator *integrator;
    dem_contact_totals totals;
} cloud;

static dem_contact_model model_of(dem_linear *law, int pair)
{
    static const double friction[] = {0.2, 0.5, 0.9}, restitution[] = {0.5, 0.7, 0.9};
    dem_contact_model model;
    OK(dem_linear_init(law));
    law->stiffness_normal = 1000.0;
    law->friction = friction[pair];
    law->restitution = restitution[pair];
    OK(dem_contact_model_init(&model));
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.parts[0].parameters = law;
    return model;
}

static cloud *cloud_make(int32_t scheme)
{
    cloud *g = calloc(1, sizeof *g);
    assert_non_null(g);
    test_random random = test_random_start("cloud");
    for (int k = 0; k < COUNT; ++k) {
        const int cell[3] = {k % EDGE, k / EDGE % EDGE, k / (EDGE * EDGE)};
        g->id[k] = (uint64_t)(k * 37 % COUNT) + 1; /* in no order of places */
        g->material[k] = (int32_t)(test_random_bits(&random) % 2);
        g->radius[k] = test_uniform(&random, 0.41, 0.46);
        g->mass[k] = test_uniform(&random, 0.08, 0.12);
        g->inertia[k] = 0.4 * g->mass[k] * g->radius[k] * g->radius[k];
        for (int c = 0; c < 3; ++c) {
            g->x[k][c] = BOX / EDGE * (cell[c] + 0.5);
            g->v[k][c] = test_uniform(&random, -2.0, 2.0);
            g->w[k][c] = test_uniform(&random, -9.0, 9.0);
        }
    }
    dem_error error;
    dem_contact_history_config history;
    OK(dem_contact_history_config_init(&history));
    history.material_count = 2;
    OK(dem_contact_history_create(&history, &g->history, &error));
    for (int32_t a = 0, pair = 0; a < 2; ++a)
        for (int32_t b = a; b < 2; ++b, ++pair) {
            dem_linear law;
            const dem_contact_model model = model_of(&law, pair);
            OK(dem_contact_history_model_set(g->history, a, b, &model));
        }
    dem_integrator_config integrator;
    OK(dem_integrator_config_init(&integrator));
    integrator.scheme = scheme;
    OK(dem_integrator_create(&integrator, &g->integrator, &error));
    g->totals.struct_size = sizeof(g->totals);
    return g;
}

static void cloud_free(cloud *g)
{
    dem_integrator_destroy(g->integrator);
    dem_contact_history_destroy(g->history);
    free(g);
}

/** All pairs that may touch within some steps. */
static void cloud_search(cloud *g)
{
    g->pair_count = 0;
    for (uint32_t i = 0; i < COUNT; ++i)
        for (uint32_t j = i + 1; j < COUNT; ++j) {
            double square = 0.0, shift[3];
            int32_t image[3];
            for (int c = 0; c < 3; ++c) {
                const double d = g->x[i][c] - g->x[j][c];
                image[c] = (int32_t)floor(d / BOX + 0.5);
                shift[c] = image[c] * BOX;
                square += (d - shift[c]) * (d - shift[c]);
            }
            const double reach = g->radius[i] + g->radius[j] + 0.2;
            if (square > reach * reach)
                continue;
            const uint64_t p = g->pair_count++;
            assert_true(p < PAIRS);
            g->pairs[p][0] = i;
            g->pairs[p][1] = j;
            memcpy(g->shifts[p], shift, sizeof(shift));
            memcpy(g->images[p], image, sizeof(image));
        }
}

static void cloud_step(cloud *g)
{
    dem_integrator_arrays arrays;
    OK(dem_integrator_arrays_init(&arrays));
    arrays.count = COUNT;
    arrays.position = g->x[0];
    arrays.velocity = g->v[0];
    arrays.angular_velocity = g->w[0];
    arrays.force = g->f[0];
    arrays.torque = g->t[0];
    arrays.mass = g->mass;
    arrays.inertia = g->inertia;
    OK(dem_integrator_begin(g->integrator, &arrays, DT));
    memset(g->f, 0, sizeof(g->f));
    memset(g->t, 0, sizeof(g->t));
    dem_contacts_input input;
    OK(dem_contacts_input_init(&input));
    input.particle_count = COUNT;
    input.id = g->id;
    input.position = g->x[0];
    input.velocity = g->v[0];
    input.angular_velocity = g->w[0];
    input.radius = g->radius;
    input.mass = g->mass;
    input.material = g->material;
    input.force = g->f[0];
    input.torque = g->t[0];
    input.pair_count = g->pair_count;
    input.pairs = g->pairs[0];
    input.shifts = g->shifts[0];
    input.images = g->images[0];
    OK(dem_integrator_prepare(g->integrator, &input));
    OK(dem_contacts_evaluate(g->history, &input, &g->totals));
    OK(dem_integrator_end(g->integrator, &arrays));
}

static dem_world *world_of(const cloud *g, int32_t scheme)
{
    dem_world_config config;
    dem_world *world = NULL;
    dem_error error;
    OK(dem_world_config_init(&config));
    for (int c = 0; c < 3; ++c) {
        config.boundary[c] = DEM_BOUNDARY_PERIODIC;
        config.box_high[c] = BOX;
    }
    config.integrator = scheme;
    config.material_count = 2;
    config.skin = 0.05; /* built again and again, while contacts live on */
    OK(dem_world_create(&config, &world, &error));
    for (int32_t a = 0, pair = 0; a < 2; ++a)
        for (int32_t b = a; b < 2; ++b, ++pair) {
            dem_linear law;
            const dem_contact_model model = model_of(&law, pair);
            OK(dem_contact_model_set(world, a, b, &model));
        }
    for (int k = 0; k < COUNT; ++k) {
        dem_particle p = scene_particle(g->x[k][0], g->x[k][1], g->x[k][2]);
        p.id = g->id[k];
        p.radius = g->radius[k];
        p.mass = g->mass[k];
        p.material = g->material[k];
        memcpy(p.velocity, g->v[k], sizeof(p.velocity));
        memcpy(p.angular_velocity, g->w[k], sizeof(p.angular_velocity));
        OK(dem_particle_add(world, &p, NULL));
    }
    return world;
}

/** Largest difference of a field from the host's values, over the largest value. */
static double difference(dem_world *world, int32_t field, const cloud *g, const double (*values)[3])
{
    dem_view view = {.struct_size = sizeof(view)};
    double worst = 0.0, most = 0.0;
    uint32_t row[COUNT + 1];
    for (uint32_t k = 0; k < COUNT; ++k)
        row[g->id[k]] = k;
    OK(dem_world_view(world, field, &view));
    assert_int_equal(view.count, COUNT);
    for (uint64_t n = 0; n < COUNT; ++n)
        for (int c = 0; c < 3; ++c) {
            const double *own = (const double *)(const void *)((char *)view.data + n * view.stride);
            const double value = values[row[view.id[n]]][c];
            double d = own[c] - value;
            if (field == DEM_FIELD_POSITION)
                d -= BOX * floor(d / BOX + 0.5);
            worst = fmax(worst, fabs(d));
            most = fmax(most, fabs(value));
        }
    return worst / most;
}

static void compare(int32_t scheme)
{
    cloud *g = cloud_make(scheme);
    dem_world *world = world_of(g, scheme);
    for (int step = 0; step < 240; ++step) {
        if (step % 20 == 0)
            cloud_search(g);
        cloud_step(g);
    }
    OK(dem_step(world, DT, 240));
    const dem_world_counts counts = scene_counts(world);
    const dem_world_energies energies = scene_energies(world);
    assert_int_equal(counts.contacts, g->totals.contacts);
    assert_true(counts.chunks > 2 && counts.rebuilds > 3 && counts.contacts > COUNT / 4);
    assert_true(energies.dissipated_slip > 0.0);
    const double differences[] = {difference(world, DEM_FIELD_POSITION, g, g->x),
                                  difference(world, DEM_FIELD_VELOCITY, g, g->v),
                                  difference(world, DEM_FIELD_ANGULAR_VELOCITY, g, g->w),
                                  difference(world, DEM_FIELD_FORCE, g, g->f),
                                  difference(world, DEM_FIELD_TORQUE, g, g->t)};
    printf("# scheme %d: %llu contacts, %llu rebuilds; differences", (int)scheme,
           (unsigned long long)counts.contacts, (unsigned long long)counts.rebuilds);
    for (size_t k = 0; k < sizeof(differences) / sizeof(differences[0]); ++k)
        printf(" %.1e", differences[k]);
    printf("\n");
    for (size_t k = 0; k < sizeof(differences) / sizeof(differences[0]); ++k)
        assert_true(differences[k] < 1e-10);
    dem_world_destroy(world);
    cloud_free(g);
}

static void synchronized_verlet(void **state)
{
    (void)state;
    compare(DEM_INTEGRATOR_VERLET_SYNC);
}

static void improved_verlet(void **state)
{
    (void)state;
    compare(DEM_INTEGRATOR_VERLET_IMPROVED);
}

static void standard_verlet(void **state)
{
    (void)state;
    compare(DEM_INTEGRATOR_VERLET_STANDARD);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synchronized_verlet),
        cmocka_unit_test(improved_verlet),
        cmocka_unit_test(standard_verlet),
    };
    return cmocka_run_group_tests_name("world_as_host", tests, NULL, NULL);
}
