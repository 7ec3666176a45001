/* SPDX-License-Identifier: MIT */
/**
 * @file host_lists.c
 * What the rows and pairs of a host may hold at level 1: rows of ghosts, pairs across a period
 * listed either way, particles that change their material, and a model refused within a step.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/scene.h"
#include "../support/snapshot.h"

#include <stdlib.h>
#include <string.h>

static const char *const laws[3] = {DEM_LAW_LINEAR_CSDS, NULL, "test-spring"};
static test_law_control control = {0, -1, 0.0};

/** Materials 0 and 1 with "linear-csds" (3 doubles of state) for 0-0, nothing for 1-1, and
 * "test-spring" (1 double) for 0-1. */
static dem_contact_history *history_make(void)
{
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    config.material_count = 2;
    dem_contact_history *history = NULL;
    OK(dem_contact_history_create(&config, &history, NULL));
    control = (test_law_control){0, -1, 0.0};
    const dem_law law = test_law(&control);
    OK(dem_contact_history_law_register(history, &law));
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    linear.restitution = 0.8;
    const test_spring spring = {500.0};
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = laws[0];
    model.parts[0].parameters = &linear;
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    model.parts[0].law = laws[2];
    model.parts[0].parameters = &spring;
    OK(dem_contact_history_model_set(history, 0, 1, &model));
    return history;
}

/** Two rows, whose arrays end where they must: valgrind and sanitizers see what is read beyond. */
typedef struct rows {
    double *x, *v, *w, *f, *t, *radius, *mass, *acceleration, *turning;
    int32_t *material;
    uint64_t id[2];
    uint32_t pair[2];
    double shift[3];
    int32_t image[3];
    dem_contacts_input in;
} rows;

static double *vectors(uint64_t count)
{
    double *made = calloc(3 * count, sizeof(double));
    assert_non_null(made);
    return made;
}

static void rows_make(rows *r)
{
    memset(r, 0, sizeof(*r));
    double **const each[] = {&r->x, &r->v, &r->w, &r->f, &r->t, &r->radius, &r->mass};
    for (size_t k = 0; k < sizeof(each) / sizeof(each[0]); ++k)
        *each[k] = vectors(2);
    r->material = calloc(2, sizeof(int32_t));
    assert_non_null(r->material);
    r->x[3] = 1.9;
    r->radius[0] = r->radius[1] = 1.0;
    r->mass[0] = r->mass[1] = 2.0;
    r->w[2] = 3.0;
    r->id[0] = 10;
    r->id[1] = 20;
    r->pair[1] = 1;
    dem_contacts_input *in = &r->in;
    OK(dem_contacts_input_init(in));
    in->particle_count = 2;
    in->id = r->id;
    in->position = r->x;
    in->velocity = r->v;
    in->angular_velocity = r->w;
    in->radius = r->radius;
    in->mass = r->mass;
    in->material = r->material;
    in->force = r->f;
    in->torque = r->t;
    in->pair_count = 1;
    in->pairs = r->pair;
    in->dt = 1e-3;
}

static void rows_free(rows *r)
{
    double *const each[] = {r->x,      r->v, r->w, r->f, r->t, r->mass, r->radius, r->acceleration,
                            r->turning};
    for (size_t k = 0; k < sizeof(each) / sizeof(each[0]); ++k)
        free(each[k]);
    free(r->material);
}

/** Steps until the contact has a history, and returns its only row. */
static snapshot_row only(dem_contact_history *history)
{
    snapshot s = snapshot_history(history);
    assert_int_equal(s.count, 1);
    const snapshot_row row = s.rows[0];
    snapshot_free(&s);
    return row;
}

/* Whatever was there under the old material, the contact goes on as one that has just begun. */
static void changed_material(void **state)
{
    (void)state;
    static const int32_t from[2][2] = {{0, 0}, {0, 1}}, to[2][2] = {{0, 1}, {0, 0}};
    for (int way = 0; way < 2; ++way)
        for (int absent = 0; absent < 2; ++absent) {
            dem_contact_history *history = history_make(), *fresh = history_make();
            rows a, b;
            rows_make(&a);
            rows_make(&b);
            a.in.absent = absent ? DEM_ABSENT_KEEP : DEM_ABSENT_SEPARATED;
            memcpy(a.material, from[way], sizeof(from[way]));
            for (int n = 0; n < 50; ++n)
                OK(dem_contacts_evaluate(history, &a.in, NULL));
            assert_true(only(history).state[way == 0 ? 1 : 0] != 0.0);
            memcpy(a.material, to[way], sizeof(to[way]));
            memcpy(b.material, to[way], sizeof(to[way]));
            memset(a.f, 0, 6 * sizeof(double));
            memset(a.t, 0, 6 * sizeof(double));
            OK(dem_contacts_evaluate(history, &a.in, NULL));
            OK(dem_contacts_evaluate(fresh, &b.in, NULL));
            snapshot s = snapshot_history(history), t = snapshot_history(fresh);
            assert_true(s.count == 1 && snapshot_equal(&s, &t));
            snapshot_free(&s);
            snapshot_free(&t);
            assert_memory_equal(a.f, b.f, 6 * sizeof(double));
            assert_memory_equal(a.t, b.t, 6 * sizeof(double));
            /* the next change meets a history that ends: out of reach, and without a model */
            memcpy(a.material, from[way], sizeof(from[way]));
            a.x[3] = 2.5;
            OK(dem_contacts_evaluate(history, &a.in, NULL));
            assert_int_equal(dem_contact_history_count(history), 0);
            a.x[3] = 1.9;
            OK(dem_contacts_evaluate(history, &a.in, NULL));
            assert_int_equal(dem_contact_history_count(history), 1);
            a.material[0] = a.material[1] = 1;
            memset(a.f, 0, 6 * sizeof(double));
            OK(dem_contacts_evaluate(history, &a.in, NULL));
            assert_int_equal(dem_contact_history_count(history), 0);
            assert_true(a.f[0] == 0.0);
            rows_free(&a);
            rows_free(&b);
            dem_contact_history_destroy(history);
            dem_contact_history_destroy(fresh);
        }
}

/* The contact of 0 and 1 with other sizes of state in turn, many contacts, setting models between:
 * the record of each has the size of the model that made it. */
static void models_between(void **state)
{
    (void)state;
    enum { COUNT = 64, PAIRS = COUNT - 1 };
    dem_contact_history *history = history_make();
    double x[COUNT][3] = {{0.0}}, v[COUNT][3] = {{0.0}}, w[COUNT][3], f[COUNT][3];
    double radius[COUNT], mass[COUNT];
    int32_t material[COUNT];
    uint32_t pairs[PAIRS][2];
    memset(f, 0, sizeof(f));
    test_random random = test_random_start("models between");
    for (uint32_t n = 0; n < COUNT; ++n) {
        x[n][0] = 1.9 * n;
        radius[n] = 1.0;
        mass[n] = 1.0;
        w[n][0] = 0.0;
        w[n][1] = 1.0 + n;
        w[n][2] = -2.0;
    }
    for (uint32_t n = 0; n < PAIRS; ++n) {
        pairs[n][0] = n;
        pairs[n][1] = n + 1;
    }
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.particle_count = COUNT;
    in.position = x[0];
    in.velocity = v[0];
    in.angular_velocity = w[0];
    in.radius = radius;
    in.mass = mass;
    in.material = material;
    in.force = f[0];
    in.pair_count = PAIRS;
    in.pairs = pairs[0];
    in.dt = 1e-3;
    for (int round = 0; round < 60; ++round) {
        for (int n = 0; n < COUNT; ++n)
            material[n] = (int32_t)(test_random_bits(&random) % 2);
        in.absent = (int32_t)(test_random_bits(&random) % 2);
        OK(dem_contacts_evaluate(history, &in, NULL));
        uint64_t with[2] = {0, 0};
        for (int n = 0; n < PAIRS; ++n)
            if (material[n] + material[n + 1] < 2)
                with[material[n] + material[n + 1]]++;
        assert_int_equal(dem_contact_history_count(history), with[0] + with[1]);
        /* a model set anew ends its contacts and no other */
        const int which = (int)(test_random_bits(&random) % 2);
        const snapshot before = snapshot_history(history);
        dem_linear linear;
        OK(dem_linear_init(&linear));
        linear.stiffness_normal = 1000.0;
        const test_spring spring = {500.0};
        dem_contact_model model;
        OK(dem_contact_model_init(&model));
        const int swap = round % 3 == 0; /* the law of the other pair of materials */
        model.parts[0].law = (which == 0) != swap ? laws[0] : laws[2];
        model.parts[0].parameters =
            (which == 0) != swap ? (const void *)&linear : (const void *)&spring;
        OK(dem_contact_history_model_set(history, 0, which, &model));
        snapshot after = snapshot_history(history);
        assert_int_equal(after.count, with[1 - which]);
        for (uint64_t n = 0; n < after.count; ++n) {
            const snapshot_row *row =
                snapshot_find(&before, after.rows[n].key.id_i, after.rows[n].key.id_j);
            assert_non_null(row);
            assert_memory_equal(row, &after.rows[n], sizeof(*row));
        }
        snapshot_free(&after);
        free(before.rows);
    }
    dem_contact_history_destroy(history);
}

/* Between the stages of a step materials stay. */
static void material_within_stages(void **state)
{
    (void)state;
    for (int32_t to = 0; to < 2; ++to) {
        dem_contact_history *history = history_make();
        /* laws with a rate form for both pairs, of other sizes of state */
        dem_law law = test_law(&control);
        law.name = "staged";
        law.rate = test_law_evaluate; /* at dt = 0 it changes no state */
        OK(dem_contact_history_law_register(history, &law));
        const test_spring spring = {500.0};
        dem_contact_model model;
        OK(dem_contact_model_init(&model));
        model.parts[0].law = law.name;
        model.parts[0].parameters = &spring;
        OK(dem_contact_history_model_set(history, 0, 1, &model));
        rows a;
        rows_make(&a);
        if (to == 0)
            a.material[1] = 1;
        dem_contacts_stage stage = {.struct_size = sizeof(stage)};
        OK(dem_contacts_stage_begin(history, &a.in, &stage));
        assert_int_equal(stage.count, to == 0 ? 1 : 3);
        a.material[1] = 1 - a.material[1];
        assert_int_equal(dem_contacts_stage_rate(history, &a.in, NULL), DEM_ERROR_STATE);
        assert_non_null(strstr(dem_contact_history_error(history), "material"));
        a.material[0] = a.material[1] = 1; /* no model at all */
        assert_int_equal(dem_contacts_stage_rate(history, &a.in, NULL), DEM_ERROR_STATE);
        assert_true(a.f[0] == 0.0);
        a.material[0] = 0;
        a.material[1] = to == 0;
        OK(dem_contacts_stage_rate(history, &a.in, NULL));
        assert_true(a.f[0] != 0.0);
        OK(dem_contacts_stage_end(history));
        rows_free(&a);
        dem_contact_history_destroy(history);
    }
}

/* A call that is refused changes nothing, not even that a step is open. */
static void refused_model_leaves_the_stage(void **state)
{
    (void)state;
    dem_contact_history *history = history_make();
    rows a;
    rows_make(&a);
    OK(dem_contacts_evaluate(history, &a.in, NULL));
    dem_contacts_stage stage = {.struct_size = sizeof(stage)};
    OK(dem_contacts_stage_begin(history, &a.in, &stage));
    OK(dem_contacts_stage_rate(history, &a.in, NULL));
    assert_int_equal(stage.count, 3);
    stage.state[1] = 0.125;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.lever_arm = 7;
    assert_int_equal(dem_contact_history_model_set(history, 0, 0, &model), DEM_ERROR_UNKNOWN);
    assert_int_equal(dem_contact_history_model_set(history, 0, 9, &model), DEM_ERROR_RANGE);
    assert_int_equal(dem_contact_history_model_set(history, 0, 0, NULL), DEM_ERROR_ARGUMENT);
    OK(dem_contacts_stage_rate(history, &a.in, NULL));
    assert_true(stage.state[1] == 0.125);
    OK(dem_contacts_stage_end(history));
    assert_true(only(history).state[1] == 0.125);
    /* one that is taken ends the step */
    OK(dem_contacts_stage_begin(history, &a.in, &stage));
    model.lever_arm = DEM_ARM_RADIUS;
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    assert_int_equal(dem_contacts_stage_end(history), DEM_ERROR_STATE);
    rows_free(&a);
    dem_contact_history_destroy(history);
}

static void expect_range(dem_contact_history *history, rows *a, const char *word)
{
    memset(a->f, 0, 6 * sizeof(double));
    assert_int_equal(dem_contacts_evaluate(history, &a->in, NULL), DEM_ERROR_RANGE);
    if (strstr(dem_contact_history_error(history), word) == NULL)
        fail_msg("\"%s\" does not name %s", dem_contact_history_error(history), word);
    for (int k = 0; k < 6; ++k)
        assert_true(a->f[k] == 0.0);
}

/* An integrator that moves one row gives accelerations of one row. */
static void ghosts_without_accelerations(void **state)
{
    (void)state;
    dem_contact_history *history = history_make();
    dem_integrator_config config;
    OK(dem_integrator_config_init(&config));
    rows a;
    rows_make(&a);
    for (int32_t scheme = 0; scheme <= DEM_INTEGRATOR_SYMPLECTIC_EULER; ++scheme) {
        dem_integrator *integrator = NULL;
        config.scheme = scheme;
        OK(dem_integrator_create(&config, &integrator, NULL));
        dem_integrator_arrays arrays;
        OK(dem_integrator_arrays_init(&arrays));
        double inertia[1] = {0.8};
        arrays.count = 1;
        arrays.position = a.x;
        arrays.velocity = a.v;
        arrays.angular_velocity = a.w;
        arrays.force = a.f;
        arrays.torque = a.t;
        arrays.mass = a.mass;
        arrays.inertia = inertia;
        OK(dem_integrator_begin(integrator, &arrays, 1e-3));
        dem_contacts_input *in = &a.in;
        OK(dem_integrator_prepare(integrator, in));
        assert_true(in->acceleration_count == 1 && in->angular_acceleration_count == 1);
        if (in->velocity_lag != 0.0 && in->kinematics == DEM_KINEMATICS_SYNCHRONIZED) {
            expect_range(history, &a, "acceleration_count");
            /* with a row for the ghost all is well */
            double both[2][3] = {{0.5, 0.0, 0.0}, {-0.5, 0.0, 0.0}};
            in->acceleration = both[0];
            in->acceleration_count = 2;
            expect_range(history, &a, "angular_acceleration_count");
            in->angular_acceleration = both[0];
            in->angular_acceleration_count = 0; /* as many as there are particles */
            OK(dem_contacts_evaluate(history, in, NULL));
            in->angular_acceleration_count = 3;
            expect_range(history, &a, "angular_acceleration_count");
            /* rows that no pair names need none */
            in->acceleration_count = in->angular_acceleration_count = 1;
            in->pair_count = 0;
            OK(dem_contacts_evaluate(history, in, NULL));
            in->pair_count = 1;
            in->acceleration = in->angular_acceleration = NULL;
        }
        /* elsewhere they are not used, and not read */
        OK(dem_contacts_evaluate(history, in, NULL));
        OK(dem_integrator_end(integrator, &arrays));
        /* a process that owns no row has no accelerations */
        arrays.count = 0;
        OK(dem_integrator_begin(integrator, &arrays, 1e-3));
        OK(dem_integrator_prepare(integrator, in));
        assert_true(in->acceleration == NULL && in->angular_acceleration == NULL);
        OK(dem_contacts_evaluate(history, in, NULL));
        OK(dem_integrator_end(integrator, &arrays));
        dem_integrator_destroy(integrator);
    }
    rows_free(&a);
    dem_contact_history_destroy(history);
}

/** Lists the pair of two rows the other way round. */
static void turn(rows *r)
{
    const uint32_t row = r->pair[0];
    r->pair[0] = r->pair[1];
    r->pair[1] = row;
    for (int c = 0; c < 3; ++c) {
        r->shift[c] = -r->shift[c];
        r->image[c] = -r->image[c];
    }
}

/* (i, j) with a shift and (j, i) with its opposite: 20,000 pairs across periods, two steps each. */
static void pairs_either_way(void **state)
{
    (void)state;
    test_random random = test_random_start("pairs either way");
    dem_contact_history *history[2] = {history_make(), history_make()};
    rows r[2];
    rows_make(&r[0]);
    rows_make(&r[1]);
    int differ = 0, signs = 0, given_differ = 0;
    for (int n = 0; n < 20000; ++n) {
        double n0[3], period[3], v[6], w[6];
        test_unit(&random, n0);
        const double distance = test_uniform(&random, 1.6, 1.99);
        for (int c = 0; c < 3; ++c) {
            period[c] = test_uniform(&random, 5.0, 50.0);
            r[0].image[c] = (int32_t)(test_random_bits(&random) % 3) - 1;
            r[0].shift[c] = r[0].image[c] * period[c];
            r[0].x[c] = test_uniform(&random, -10.0, 10.0);
            r[0].x[3 + c] = r[0].x[c] - distance * n0[c] - r[0].shift[c];
        }
        for (int c = 0; c < 6; ++c) {
            v[c] = test_uniform(&random, -1.0, 1.0);
            w[c] = test_uniform(&random, -5.0, 5.0);
        }
        memcpy(r[0].v, v, sizeof(v));
        memcpy(r[0].w, w, sizeof(w));
        r[0].id[0] = n % 2 ? 20 : 10;
        r[0].id[1] = n % 2 ? 10 : 20;
        r[0].pair[0] = 0;
        r[0].pair[1] = 1;
        memcpy(r[1].x, r[0].x, sizeof(v));
        memcpy(r[1].v, v, sizeof(v));
        memcpy(r[1].w, w, sizeof(w));
        memcpy(r[1].id, r[0].id, sizeof(r[0].id));
        memcpy(r[1].pair, r[0].pair, sizeof(r[0].pair));
        memcpy(r[1].shift, r[0].shift, sizeof(r[0].shift));
        memcpy(r[1].image, r[0].image, sizeof(r[0].image));
        turn(&r[1]);
        const double overlap = 2.0 - distance;
        for (int given = 0; given < 2; ++given) {
            snapshot s[2];
            for (int k = 0; k < 2; ++k) {
                /* contact point and normal as the host sees them from the row listed first */
                double point[3], normal[3];
                for (int c = 0; c < 3; ++c) {
                    const double p = r[0].x[c] - (1.0 - 0.5 * overlap) * n0[c];
                    point[c] = k == 0 ? p : p - r[0].shift[c];
                    normal[c] = k == 0 ? n0[c] : -n0[c];
                    /* without a shift the point is the same */
                    if (given)
                        r[k].shift[c] = 0.0;
                }
                if (given)
                    memcpy(point, (const double[3]){0.25, 0.5, 1.0}, sizeof(point));
                dem_contacts_geometry geometry;
                OK(dem_contacts_geometry_init(&geometry));
                geometry.overlap = &overlap;
                geometry.normal = normal;
                geometry.point = point;
                r[k].in.shifts = r[k].shift;
                r[k].in.images = r[k].image;
                OK(dem_contact_history_clear(history[k]));
                memset(r[k].f, 0, sizeof(v));
                memset(r[k].t, 0, sizeof(v));
                for (int step = 0; step < 2; ++step)
                    OK(given ? dem_contacts_evaluate_geometry(history[k], &r[k].in, &geometry, NULL)
                             : dem_contacts_evaluate(history[k], &r[k].in, NULL));
                s[k] = snapshot_history(history[k]);
                assert_int_equal(s[k].count, 1);
            }
            const int same = memcmp(r[0].f, r[1].f, sizeof(v)) == 0 &&
                             memcmp(r[0].t, r[1].t, sizeof(v)) == 0 && snapshot_equal(&s[0], &s[1]);
            if (given)
                given_differ += !same;
            else
                differ += !same;
            signs += given == 0 && r[0].f[0] > 0.0;
            snapshot_free(&s[0]);
            snapshot_free(&s[1]);
        }
    }
    printf("# of 20000 pairs with a shift %d differ; with given geometry and none %d\n", differ,
           given_differ);
    assert_int_equal(differ, 0);
    assert_int_equal(given_differ, 0);
    assert_in_range(signs, 5000, 15000);
    for (int k = 0; k < 2; ++k) {
        rows_free(&r[k]);
        dem_contact_history_destroy(history[k]);
    }
}

/* -2^31 cannot be turned round. */
static void image_without_opposite(void **state)
{
    (void)state;
    dem_contact_history *history = history_make();
    rows a;
    rows_make(&a);
    a.in.images = a.image;
    for (int c = 0; c < 3; ++c)
        for (uint32_t first = 0; first < 2; ++first) {
            a.pair[0] = first;
            a.pair[1] = 1 - first;
            a.image[c] = INT32_MIN;
            expect_range(history, &a, "images[0]");
            a.image[c] = INT32_MAX;
            OK(dem_contacts_evaluate(history, &a.in, NULL));
            const int32_t image = only(history).key.image[c];
            assert_int_equal(image, first == 0 ? INT32_MAX : -INT32_MAX);
            a.image[c] = 0;
        }
    rows_free(&a);
    dem_contact_history_destroy(history);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_material),
        cmocka_unit_test(models_between),
        cmocka_unit_test(material_within_stages),
        cmocka_unit_test(refused_model_leaves_the_stage),
        cmocka_unit_test(ghosts_without_accelerations),
        cmocka_unit_test(pairs_either_way),
        cmocka_unit_test(image_without_opposite),
    };
    return cmocka_run_group_tests_name("host_lists", tests, NULL, NULL);
}
