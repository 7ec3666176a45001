/* SPDX-License-Identifier: MIT */
/**
 * @file undo.c
 * A step that cannot go on is undone, bit for bit, and the world can continue.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/scene.h"
#include "../support/snapshot.h"

#define DT 1e-3

/** A world at a moment. */
typedef struct moment {
    uint64_t hash, steps, contacts;
    double time;
    dem_world_energies energies;
    snapshot springs;
} moment;

static moment moment_of(const dem_world *world)
{
    moment m;
    memset(&m, 0, sizeof(m));
    m.hash = scene_hash(world);
    const dem_world_counts counts = scene_counts(world);
    m.steps = counts.steps;
    m.contacts = counts.contacts;
    m.time = dem_world_time(world);
    m.energies = scene_energies(world);
    m.springs = snapshot_world(world);
    return m;
}

/** Compares two moments and frees both. */
static void expect_same(moment *a, moment *b)
{
    assert_int_equal(a->hash, b->hash);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->contacts, b->contacts);
    assert_true(a->time == b->time);
    assert_memory_equal(&a->energies, &b->energies, sizeof(a->energies));
    assert_true(snapshot_equal(&a->springs, &b->springs));
    snapshot_free(&a->springs);
    snapshot_free(&b->springs);
}

static void message_names(const dem_world *world, const char *word)
{
    if (strstr(dem_world_error(world), word) == NULL)
        fail_msg("message \"%s\" does not name %s", dem_world_error(world), word);
}

/* A sphere too fast for the step jumps deep into another: the step before is what remains. */
static void overlap_beyond_the_limit(void **state)
{
    (void)state;
    dem_world *world = scene_packing(5, 3, NULL, NULL), *twin = scene_packing(5, 3, NULL, NULL);
    dem_particle bullet = scene_particle(2.5, 2.5, 16.0);
    bullet.id = 900;
    dem_particle_handle h, t;
    OK(dem_particle_add(world, &bullet, &h));
    OK(dem_particle_add(twin, &bullet, &t));
    const double fast[3] = {0.0, 0.0, -400.0}, slow[3] = {0.0, 0.0, -2.0};
    OK(dem_step(world, DT, 50));
    OK(dem_step(twin, DT, 50));
    OK(dem_particle_set_motion(world, h, NULL, fast, NULL));
    assert_int_equal(dem_step(world, DT, 1000), DEM_ERROR_OVERLAP);
    message_names(world, "overlap");
    message_names(world, "900");
    const uint64_t whole = scene_counts(world).steps;
    assert_true(whole > 50 && whole < 100);
    moment stopped = moment_of(world), again;
    /* trying again fails again, and changes nothing again */
    for (int n = 0; n < 3; ++n) {
        assert_int_equal(dem_step(world, DT, 1), DEM_ERROR_OVERLAP);
        again = moment_of(world);
        moment kept = stopped;
        kept.springs = snapshot_world(world);
        assert_true(snapshot_equal(&kept.springs, &stopped.springs));
        expect_same(&kept, &again);
    }
    snapshot_free(&stopped.springs);
    /* a world that stopped in time by itself: the same bits */
    OK(dem_particle_set_motion(twin, t, NULL, fast, NULL));
    OK(dem_step(twin, DT, whole - 50));
    assert_int_equal(scene_hash(world), scene_hash(twin));
    /* with the cause gone both go on alike */
    OK(dem_particle_set_motion(world, h, NULL, slow, NULL));
    OK(dem_particle_set_motion(twin, t, NULL, slow, NULL));
    OK(dem_step(world, DT, 100));
    OK(dem_step(twin, DT, 100));
    moment a = moment_of(world), b = moment_of(twin);
    expect_same(&a, &b);
    dem_world_destroy(world);
    dem_world_destroy(twin);
}

/* Of late_failures: a time step, and a speed that is slow enough for a list to last some steps. */
#define SHOT_DT 1e-4
#define SHOT_SPEED 60.0

/** A packing at which a bullet flies that is so many steps away; it goes too deep, or pushes harder
 * than a range of exact sums lets it. */
static dem_world *shot_at(int32_t integrator, double range, double steps,
                          dem_particle_handle *bullet)
{
    dem_world_config config = scene_config();
    config.integrator = integrator;
    config.overlap_limit = 0.2;
    if (range > 0.0) {
        config.sums = DEM_SUMS_EXACT;
        config.force_range = config.torque_range = range;
    }
    dem_world *world = scene_packing_config(6, 3, &config);
    dem_particle p = scene_particle(2.5, 2.5, 3.4 + SHOT_SPEED * SHOT_DT * steps);
    p.id = 900;
    p.velocity[2] = -SHOT_SPEED;
    OK(dem_particle_add(world, &p, bullet));
    return world;
}

/* Many steps of one call, of which a late one fails, end as single steps do: bits, counters,
 * energies, springs, message, and what comes then. */
static void late_failures(void **state)
{
    (void)state;
    static const int32_t integrators[] = {
        DEM_INTEGRATOR_VERLET_STANDARD, DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_VERLET_IMPROVED};
    static const double distances[] = {6.0, 14.0, 47.0, 83.0, 150.0, 321.0};
    static const double ranges[] = {0.0, 1e9, 64.0}; /* of exact sums; 0: in a fixed order */
    const double slow[3] = {0.0, 0.0, -2.0};
    for (size_t s = 0; s < sizeof integrators / sizeof integrators[0]; ++s)
        for (size_t n = 0; n < 3 * sizeof distances / sizeof distances[0]; ++n) {
            const double distance = distances[n / 3], range = ranges[n % 3];
            dem_particle_handle h, t;
            dem_world *world = shot_at(integrators[s], range, distance, &h),
                      *twin = shot_at(integrators[s], range, distance, &t);
            assert_int_equal(dem_step(world, SHOT_DT, 1000),
                             range == 64.0 ? DEM_ERROR_RANGE : DEM_ERROR_OVERLAP);
            while (dem_step(twin, SHOT_DT, 1) == DEM_OK)
                ;
            assert_string_equal(dem_world_error(world), dem_world_error(twin));
            assert_true((double)scene_counts(world).steps >= distance - 1.0);
            for (int again = 0; again < 2; ++again) {
                moment a = moment_of(world), b = moment_of(twin);
                expect_same(&a, &b);
                OK(dem_particle_set_motion(world, h, NULL, slow, NULL));
                OK(dem_particle_set_motion(twin, t, NULL, slow, NULL));
                OK(dem_step(world, SHOT_DT, 150));
                for (int k = 0; k < 150; ++k)
                    OK(dem_step(twin, SHOT_DT, 1));
            }
            dem_world_destroy(world);
            dem_world_destroy(twin);
        }
}

/** Two layers of spheres, one of which comes down on the other all at once. */
static dem_world *layers_that_meet(int32_t integrator)
{
    enum { EDGE = 6 };
    dem_world_config config = scene_config();
    config.integrator = integrator;
    for (int c = 0; c < 3; ++c)
        config.gravity[c] = 0.0;
    dem_world *world = scene_world(&config);
    for (int n = 0; n < 2 * EDGE * EDGE; ++n) {
        const int upper = n / (EDGE * EDGE);
        dem_particle p = scene_particle(1.2 * (n % EDGE), 1.2 * (n / EDGE % EDGE), 1.05 * upper);
        p.radius = 0.5;
        p.velocity[2] = -0.5 * upper;
        OK(dem_particle_add(world, &p, NULL));
    }
    return world;
}

/* More contacts begin in one step than there is room for: the steps of a call are made again, as
 * many as were asked for, with the bits of single ones. */
static void contacts_that_begin_at_once(void **state)
{
    (void)state;
    static const int32_t integrators[] = {DEM_INTEGRATOR_VERLET_STANDARD,
                                          DEM_INTEGRATOR_VERLET_SYNC};
    for (size_t s = 0; s < sizeof integrators / sizeof integrators[0]; ++s) {
        dem_world *world = layers_that_meet(integrators[s]),
                  *twin = layers_that_meet(integrators[s]);
        OK(dem_step(world, DT, 110));
        for (int k = 0; k < 110; ++k)
            OK(dem_step(twin, DT, 1));
        moment a = moment_of(world), b = moment_of(twin);
        assert_int_equal(a.contacts, 36);
        expect_same(&a, &b);
        dem_world_destroy(world);
        dem_world_destroy(twin);
    }
}

static dem_world *law_world(test_law_control *control)
{
    dem_world *world = scene_packing(5, 3, NULL, NULL);
    const dem_law law = test_law(control);
    OK(dem_world_law_register(world, &law));
    const test_spring spring = {1000.0};
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = "test-spring";
    model.parts[0].parameters = &spring;
    OK(dem_contact_model_set(world, 0, 0, &model));
    return world;
}

/* A law that reports an error at its n-th call, for many n. */
static void failing_law(void **state)
{
    (void)state;
    test_law_control one = {0, -1, 0.0}, two = {0, -1, 0.0};
    dem_world *world = law_world(&one), *twin = law_world(&two);
    OK(dem_step(world, DT, 20));
    OK(dem_step(twin, DT, 20));
    const int64_t calls = one.calls;
    OK(dem_step(world, DT, 1));
    OK(dem_step(twin, DT, 1));
    const int64_t per_step = one.calls - calls;
    assert_true(per_step > 0);
    for (int64_t n = 0; n < per_step; ++n) {
        moment before = moment_of(world);
        one.fail_at = one.calls + n;
        assert_int_equal(dem_step(world, DT, 1), DEM_ERROR_CALLBACK);
        message_names(world, "test-spring");
        one.fail_at = -1;
        moment after = moment_of(world);
        expect_same(&before, &after);
    }
    /* some steps, a failure in the middle, and the rest */
    one.fail_at = one.calls + 3 * per_step;
    assert_int_equal(dem_step(world, DT, 100), DEM_ERROR_CALLBACK);
    const uint64_t done = scene_counts(world).steps - 21;
    assert_true(done > 0 && done < 100);
    one.fail_at = -1;
    OK(dem_step(world, DT, 100 - done));
    OK(dem_step(twin, DT, 100));
    moment a = moment_of(world), b = moment_of(twin);
    expect_same(&a, &b);
    dem_world_destroy(world);
    dem_world_destroy(twin);
}

/* A law whose force is infinite. */
static void infinite_force(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_world *world = law_world(&control);
    OK(dem_step(world, DT, 20));
    moment before = moment_of(world);
    control.force = INFINITY;
    assert_int_equal(dem_step(world, DT, 5), DEM_ERROR_DIVERGED);
    message_names(world, "force");
    control.force = 0.0;
    moment after = moment_of(world);
    expect_same(&before, &after);
    OK(dem_step(world, DT, 20));
    dem_world_destroy(world);
}

/** Writes one number of a row through a view; returns what was there. */
static double write_one(dem_world *world, int32_t field, uint64_t id, double value)
{
    dem_view view = {.struct_size = sizeof(view)};
    OK(dem_world_view(world, field, &view));
    for (uint64_t row = 0; row < view.count; ++row) {
        double *spot = (double *)(void *)((char *)view.data + row * view.stride) + 1;
        const double kept = *spot;
        if (view.id[row] != id)
            continue;
        *spot = value;
        return kept;
    }
    fail_msg("id %llu is not in the view", (unsigned long long)id);
    return 0.0;
}

/* A number that is not finite, written through a view, is found at the next step, whether the field
 * was named or not; so is the motion of a sphere that is fixed. */
static void bad_numbers_through_a_view(void **state)
{
    (void)state;
    enum { BAD = 6, FIXED = 900 };
    const struct {
        int32_t field;
        uint64_t id;
        double value;
        dem_status status;
        const char *name;
    } table[] = {
        {DEM_FIELD_VELOCITY, BAD, NAN, DEM_ERROR_RANGE, "velocity"},
        {DEM_FIELD_VELOCITY, BAD, INFINITY, DEM_ERROR_RANGE, "velocity"},
        {DEM_FIELD_ANGULAR_VELOCITY, BAD, NAN, DEM_ERROR_RANGE, "angular"},
        {DEM_FIELD_EXTERNAL_FORCE, BAD, NAN, DEM_ERROR_RANGE, "force"},
        {DEM_FIELD_EXTERNAL_TORQUE, BAD, -INFINITY, DEM_ERROR_RANGE, "torque"},
        {DEM_FIELD_VELOCITY, FIXED, 0.5, DEM_ERROR_STATE, "900: velocity of a fixed"},
        {DEM_FIELD_ANGULAR_VELOCITY, FIXED, 0.5, DEM_ERROR_STATE, "900: angular velocity of a fix"},
    };
    dem_world *world = scene_packing(5, 3, NULL, NULL), *twin = scene_packing(5, 3, NULL, NULL);
    dem_particle rock = scene_particle(2.5, 2.5, 10.0);
    rock.id = FIXED;
    rock.mobility = DEM_MOBILITY_FIXED;
    OK(dem_particle_add(world, &rock, NULL));
    OK(dem_particle_add(twin, &rock, NULL));
    OK(dem_step(world, DT, 30));
    OK(dem_step(twin, DT, 30));
    for (size_t n = 0; n < 2 * sizeof(table) / sizeof(table[0]); ++n) {
        const int32_t field = table[n / 2].field;
        const uint64_t id = table[n / 2].id;
        const double time = dem_world_time(world);
        const double kept = write_one(world, field, id, table[n / 2].value);
        OK(n % 2 ? dem_world_written_field(world, field) : dem_world_written(world));
        for (int again = 0; again < 2; ++again) {
            assert_int_equal(dem_step(world, DT, 10), table[n / 2].status);
            message_names(world, table[n / 2].name);
            assert_true(dem_world_time(world) == time);
        }
        /* the host wrote it, the host takes it back */
        assert_memory_equal(&(double){write_one(world, field, id, kept)}, &table[n / 2].value,
                            sizeof(double));
        OK(n % 2 ? dem_world_written_field(world, field) : dem_world_written(world));
        (void)write_one(twin, field, id, kept);
        OK(n % 2 ? dem_world_written_field(twin, field) : dem_world_written(twin));
        OK(dem_step(world, DT, 10));
        OK(dem_step(twin, DT, 10));
        assert_int_equal(scene_hash(world), scene_hash(twin));
    }
    dem_world_destroy(world);
    dem_world_destroy(twin);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_beyond_the_limit),
        cmocka_unit_test(late_failures),
        cmocka_unit_test(contacts_that_begin_at_once),
        cmocka_unit_test(failing_law),
        cmocka_unit_test(infinite_force),
        cmocka_unit_test(bad_numbers_through_a_view),
    };
    return cmocka_run_group_tests_name("undo", tests, NULL, NULL);
}
