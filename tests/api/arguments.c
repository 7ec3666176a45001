/* SPDX-License-Identifier: MIT */
/**
 * @file arguments.c
 * Bad input to the world, of every kind: the right status, a message that names the field, and a
 * world that has not changed by a bit.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/scene.h"
#include "../support/sized.h"
#include "../support/snapshot.h"

/** The world under test, and what it was before a call. */
static dem_world *world;
static dem_particle_handle handle[4], stale;
static uint64_t wall_id;
static struct {
    uint64_t hash;
    dem_world_counts counts;
    dem_world_energies energies;
    snapshot contacts;
} before;

static int set_up(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.material_count = 2;
    world = scene_world(&config);
    dem_particle p[5];
    for (int n = 0; n < 5; ++n) {
        p[n] = scene_particle(0.97 * n, 0.01 * n, 0.49);
        p[n].velocity[1] = 0.3 * n;
    }
    p[3].mobility = DEM_MOBILITY_FIXED;
    p[3].velocity[1] = 0.0;
    dem_particle_handle all[5];
    OK(dem_particles_add(world, 5, p, all));
    memcpy(handle, all, sizeof(handle));
    stale = all[4];
    OK(dem_particle_remove(world, stale));
    dem_wall wall;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, &wall_id));
    OK(dem_step(world, 1e-3, 10));
    assert_true(scene_counts(world).contacts >= 4);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    dem_world_destroy(world);
    return 0;
}

static void note(void)
{
    before.hash = scene_hash(world);
    before.counts = scene_counts(world);
    before.energies = scene_energies(world);
    before.contacts = snapshot_world(world);
}

static void check(dem_status got, dem_status want, const char *word, const char *call)
{
    if (got != want)
        fail_msg("%s [%s]: status %d, not %d (%s)", call, word, (int)got, (int)want,
                 dem_world_error(world));
    if (strstr(dem_world_error(world), word) == NULL)
        fail_msg("%s: message \"%s\" does not name %s", call, dem_world_error(world), word);
    assert_int_equal(scene_hash(world), before.hash);
    dem_world_counts counts = scene_counts(world);
    const dem_world_energies energies = scene_energies(world);
    counts.bytes = before.counts.bytes; /* room made in vain may be kept */
    assert_memory_equal(&counts, &before.counts, sizeof(counts));
    assert_memory_equal(&energies, &before.energies, sizeof(energies));
    snapshot contacts = snapshot_world(world);
    assert_true(snapshot_equal(&contacts, &before.contacts));
    snapshot_free(&contacts);
    snapshot_free(&before.contacts);
}

#define REFUSE(call, want, word)                                                                   \
    do {                                                                                           \
        note();                                                                                    \
        const dem_status got_ = (call);                                                            \
        check(got_, want, word, #call);                                                            \
    } while (0)

/** A row of the tables: bytes that make a field of a struct wrong. */
typedef struct wrong {
    const char *name;
    size_t offset;
    int whole; /**< the field is an int32_t, not a double */
    double value;
    dem_status status;
} wrong;

#define REAL(type, field, value)                                                                   \
    {                                                                                              \
#field, offsetof(type, field), 0, value, DEM_ERROR_RANGE                                   \
    }
#define NOT_FINITE(type, field)                                                                    \
    REAL(type, field, NAN), REAL(type, field, INFINITY), REAL(type, field, -INFINITY)
#define WHOLE(type, field, value, status)                                                          \
    {                                                                                              \
#field, offsetof(type, field), 1, value, status                                            \
    }
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void spoil(void *object, const wrong *row)
{
    if (row->whole) {
        const int32_t value = (int32_t)row->value;
        memcpy((char *)object + row->offset, &value, sizeof(value));
    } else {
        memcpy((char *)object + row->offset, &row->value, sizeof(row->value));
    }
}

/** A field's name without its index. */
static const char *name_of(const wrong *row)
{
    static char name[64];
    const size_t length = strcspn(row->name, "[");
    memcpy(name, row->name, length);
    name[length] = 0;
    return name;
}

static void config(void **state)
{
    (void)state;
    typedef dem_world_config T;
    const wrong table[] = {
        NOT_FINITE(T, gravity[0]),
        NOT_FINITE(T, gravity[2]),
        NOT_FINITE(T, box_low[1]),
        NOT_FINITE(T, box_high[1]),
        REAL(T, box_high[1], 0.0),
        REAL(T, box_high[1], -1.0),
        WHOLE(T, boundary[0], 2, DEM_ERROR_UNKNOWN),
        WHOLE(T, boundary[2], -1, DEM_ERROR_UNKNOWN),
        WHOLE(T, integrator, DEM_INTEGRATOR_EULER, DEM_ERROR_UNKNOWN),
        WHOLE(T, integrator, -1, DEM_ERROR_UNKNOWN),
        WHOLE(T, material_count, 0, DEM_ERROR_RANGE),
        WHOLE(T, material_count, -1, DEM_ERROR_RANGE),
        WHOLE(T, material_count, 1025, DEM_ERROR_RANGE),
        NOT_FINITE(T, skin),
        REAL(T, skin, -1e-9),
        NOT_FINITE(T, overlap_limit),
        REAL(T, overlap_limit, 0.0),
        REAL(T, overlap_limit, -0.5),
        REAL(T, overlap_limit, 1.5),
        WHOLE(T, energy_tracking, 2, DEM_ERROR_UNKNOWN),
        WHOLE(T, isa, 99, DEM_ERROR_UNKNOWN),
    };
    dem_world_config good = scene_config();
    good.boundary[1] = DEM_BOUNDARY_PERIODIC;
    good.box_high[1] = 8.0;
    dem_world *made = NULL;
    dem_error error;
    for (size_t n = 0; n < COUNT(table); ++n) {
        dem_world_config bad = good;
        spoil(&bad, &table[n]);
        made = world;
        memset(&error, 'x', sizeof(error));
        const dem_status got = dem_world_create(&bad, &made, &error);
        if (got != table[n].status || error.status != got || made != NULL)
            fail_msg("%s = %g: status %d (%s)", table[n].name, table[n].value, (int)got,
                     error.message);
        assert_non_null(memchr(error.message, 0, sizeof(error.message)));
        if (strstr(error.message, name_of(&table[n])) == NULL)
            fail_msg("message \"%s\" does not name %s", error.message, table[n].name);
        assert_int_equal(dem_world_create(&bad, &made, NULL), table[n].status);
    }
    assert_int_equal(dem_world_create(NULL, &made, &error), DEM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "config"));
    assert_int_equal(dem_world_create(&good, NULL, &error), DEM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "world"));
    OK(dem_world_create(&good, &made, &error));
    assert_string_equal(dem_world_error(made), "");
    dem_world_destroy(made);
    dem_world_destroy(NULL);
    good.box_low[1] = -1.7e308;
    good.box_high[1] = 1.7e308;
    assert_int_equal(dem_world_create(&good, &made, &error), DEM_ERROR_RANGE);
    assert_non_null(strstr(error.message, "length"));
}

static void linear_law(void **state)
{
    (void)state;
    typedef dem_linear T;
    const wrong table[] = {
        NOT_FINITE(T, stiffness_normal),
        REAL(T, stiffness_normal, 0.0),
        REAL(T, stiffness_normal, -1.0),
        NOT_FINITE(T, stiffness_tangential),
        REAL(T, stiffness_tangential, -1.0),
        NOT_FINITE(T, friction),
        REAL(T, friction, -0.1),
        NOT_FINITE(T, restitution),
        REAL(T, restitution, 0.0),
        REAL(T, restitution, 1.1),
        REAL(T, restitution, -0.5),
        NOT_FINITE(T, damping_tangential),
        REAL(T, damping_tangential, -1.0),
        WHOLE(T, damping, 4, DEM_ERROR_UNKNOWN),
        WHOLE(T, damping, -1, DEM_ERROR_UNKNOWN),
        WHOLE(T, normal, 4, DEM_ERROR_UNKNOWN),
        WHOLE(T, normal, -1, DEM_ERROR_UNKNOWN),
    };
    dem_linear good;
    OK(dem_linear_init(&good));
    assert_true(good.friction == 0.5 && good.restitution == 1.0 && good.damping_tangential == 1.0);
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.parts[0].parameters = &good;
    /* the stiffness has no default */
    REFUSE(dem_contact_model_set(world, 0, 0, &model), DEM_ERROR_RANGE, "stiffness_normal");
    good.stiffness_normal = 1000.0;
    for (size_t n = 0; n < COUNT(table); ++n) {
        dem_linear bad = good;
        spoil(&bad, &table[n]);
        model.parts[0].parameters = &bad;
        for (int law = 0; law < 2; ++law) {
            model.parts[0].law = law == 0 ? DEM_LAW_LINEAR_CSDS : DEM_LAW_LINEAR_DSDS;
            REFUSE(dem_contact_model_set(world, 0, 0, &model), table[n].status, table[n].name);
        }
    }
    for (int32_t damping = DEM_DAMPING_COEFFICIENT; damping <= DEM_DAMPING_RATE; ++damping) {
        const double values[] = {-1.0, NAN, INFINITY};
        for (size_t n = 0; n < COUNT(values); ++n) {
            dem_linear bad = good;
            bad.damping = damping;
            bad.damping_normal = values[n];
            model.parts[0].parameters = &bad;
            REFUSE(dem_contact_model_set(world, 0, 0, &model), DEM_ERROR_RANGE, "damping_normal");
        }
    }
    dem_linear bad = good;
    bad.struct_size = sizeof(bad) - 1;
    model.parts[0].parameters = &bad;
    REFUSE(dem_contact_model_set(world, 0, 0, &model), DEM_ERROR_STRUCT_SIZE, "struct_size");
    model.parts[0].parameters = NULL;
    REFUSE(dem_contact_model_set(world, 0, 0, &model), DEM_ERROR_ARGUMENT, "parameters");
    model.parts[0].parameters = &good;
    model.parts[0].law = "no-such-law";
    REFUSE(dem_contact_model_set(world, 0, 0, &model), DEM_ERROR_UNKNOWN, "no-such-law");
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.lever_arm = 2;
    REFUSE(dem_contact_model_set(world, 0, 0, &model), DEM_ERROR_UNKNOWN, "lever_arm");
    model.lever_arm = DEM_ARM_RADIUS;
    const int32_t index[] = {-1, 2, INT32_MAX, INT32_MIN};
    for (size_t n = 0; n < COUNT(index); ++n) {
        REFUSE(dem_contact_model_set(world, index[n], 0, &model), DEM_ERROR_RANGE, "material_a");
        REFUSE(dem_contact_model_set(world, 0, index[n], &model), DEM_ERROR_RANGE, "material_b");
    }
    REFUSE(dem_contact_model_set(world, 0, 0, NULL), DEM_ERROR_ARGUMENT, "model");
    assert_int_equal(dem_contact_model_set(NULL, 0, 0, &model), DEM_ERROR_ARGUMENT);
}

static void law_descriptor(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    const dem_law good = test_law(&control);
    dem_law law;
#define BAD(change, status, word)                                                                  \
    do {                                                                                           \
        law = good;                                                                                \
        change;                                                                                    \
        REFUSE(dem_world_law_register(world, &law), status, word);                                 \
    } while (0)
    const dem_law_slot odd_kind = {"a", 7, 1}, odd_sign = {"a", DEM_SLOT_SCALAR, 0};
    const dem_law_slot no_name = {NULL, DEM_SLOT_SCALAR, 1};
    const dem_law_slot twins[2] = {{"a", DEM_SLOT_SCALAR, 1}, {"a", DEM_SLOT_SCALAR, 1}};
    static const char *const values[] = {"stiffness", NULL, ""};
    dem_law_slot many[43];
    char names[43][4];
    for (int n = 0; n < 43; ++n) {
        names[n][0] = (char)('0' + n);
        names[n][1] = 0;
        many[n].name = names[n];
        many[n].kind = DEM_SLOT_TANGENT;
        many[n].swap_sign = -1;
    }
    BAD(law.name = NULL, DEM_ERROR_ARGUMENT, "name");
    BAD(law.name = DEM_LAW_LINEAR_CSDS, DEM_ERROR_DUPLICATE, DEM_LAW_LINEAR_CSDS);
    BAD(law.combine = NULL, DEM_ERROR_ARGUMENT, "combine");
    BAD(law.evaluate = NULL, DEM_ERROR_ARGUMENT, "evaluate");
    BAD(law.kind = 6, DEM_ERROR_UNKNOWN, "kind");
    BAD(law.kind = -1, DEM_ERROR_UNKNOWN, "kind");
    BAD(law.combined_size = 257, DEM_ERROR_RANGE, "combined_size");
    BAD(law.slots = NULL, DEM_ERROR_ARGUMENT, "slots");
    BAD(law.slots = &odd_kind, DEM_ERROR_UNKNOWN, "kind");
    BAD(law.slots = &odd_sign, DEM_ERROR_RANGE, "swap_sign");
    BAD(law.slots = &no_name, DEM_ERROR_ARGUMENT, "name");
    BAD((law.slots = twins, law.slot_count = 2), DEM_ERROR_DUPLICATE, "slot");
    BAD((law.slots = many, law.slot_count = 43), DEM_ERROR_RANGE, "slot");
    BAD((law.slots = many, law.slot_count = 129), DEM_ERROR_RANGE, "slot_count");
    BAD(law.value_count = 1, DEM_ERROR_ARGUMENT, "dem_law.value_count of \"test-spring\": 1");
    BAD((law.value_names = values, law.value_count = 2), DEM_ERROR_RANGE, "combined_size, 8 bytes");
    BAD((law.value_names = values, law.value_count = UINT64_MAX), DEM_ERROR_RANGE, "value_count");
    BAD((law.value_names = values, law.value_count = 2, law.combined_size = 16), DEM_ERROR_ARGUMENT,
        "dem_law.value_names[1] of \"test-spring\"");
    BAD((law.value_names = values + 2, law.value_count = 1), DEM_ERROR_ARGUMENT, "value_names[0]");
#undef BAD
    REFUSE(dem_world_law_register(world, NULL), DEM_ERROR_ARGUMENT, "law");
    assert_int_equal(dem_world_law_register(NULL, &good), DEM_ERROR_ARGUMENT);
    OK(dem_world_law_register(world, &good));
    REFUSE(dem_world_law_register(world, &good), DEM_ERROR_DUPLICATE, good.name);
    /* state of all parts together */
    const test_spring spring = {1.0};
    law = good;
    law.name = "wide";
    law.slots = many;
    law.slot_count = 42; /* 126 doubles: two below the limit */
    OK(dem_world_law_register(world, &law));
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = "wide";
    model.parts[0].parameters = &spring;
    OK(dem_contact_model_set(world, 1, 1, &model));
}

static void particle(void **state)
{
    (void)state;
    typedef dem_particle T;
    const wrong table[] = {
        NOT_FINITE(T, position[0]),
        NOT_FINITE(T, position[2]),
        NOT_FINITE(T, velocity[1]),
        NOT_FINITE(T, angular_velocity[2]),
        NOT_FINITE(T, radius),
        REAL(T, radius, 0.0),
        REAL(T, radius, -0.5),
        NOT_FINITE(T, mass),
        REAL(T, mass, -1.0),
        NOT_FINITE(T, contact_mass),
        REAL(T, contact_mass, -1.0),
        WHOLE(T, material, 2, DEM_ERROR_RANGE),
        WHOLE(T, material, -1, DEM_ERROR_RANGE),
        WHOLE(T, mobility, 3, DEM_ERROR_UNKNOWN),
        WHOLE(T, mobility, 4, DEM_ERROR_UNKNOWN),
        WHOLE(T, mobility, -1, DEM_ERROR_UNKNOWN),
    };
    const dem_particle good = scene_particle(0.0, 20.0, 3.0);
    dem_particle_handle out[2];
    for (size_t n = 0; n < COUNT(table); ++n) {
        dem_particle two[2] = {good, good};
        two[0].position[0] = 5.0;
        spoil(&two[1], &table[n]);
        REFUSE(dem_particle_add(world, &two[1], out), table[n].status, name_of(&table[n]));
        REFUSE(dem_particles_add(world, 2, two, out), table[n].status, name_of(&table[n]));
    }
    dem_particle two[2] = {good, good};
    two[0].id = two[1].id = 77;
    REFUSE(dem_particles_add(world, 2, two, out), DEM_ERROR_DUPLICATE, "id");
    two[0].id = wall_id;
    REFUSE(dem_particles_add(world, 1, two, out), DEM_ERROR_DUPLICATE, "id");
    dem_particle there = {.struct_size = sizeof(there)};
    OK(dem_particle_get(world, handle[0], &there));
    two[0].id = there.id;
    REFUSE(dem_particles_add(world, 1, two, out), DEM_ERROR_DUPLICATE, "id");
    two[0].id = 0;
    two[0].mobility = DEM_MOBILITY_FIXED;
    two[0].velocity[1] = 1.0;
    REFUSE(dem_particles_add(world, 1, two, out), DEM_ERROR_RANGE, "velocity");
    REFUSE(dem_particles_add(world, 1, NULL, out), DEM_ERROR_ARGUMENT, "particles");
    REFUSE(dem_particle_add(world, NULL, out), DEM_ERROR_ARGUMENT, "particle");
    assert_int_equal(dem_particles_add(NULL, 1, &good, out), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_particle_add(NULL, &good, out), DEM_ERROR_ARGUMENT);
    OK(dem_particles_add(world, 1, &good, NULL));
}

static void handles(void **state)
{
    (void)state;
    const dem_particle_handle none[] = {
        {0, 0},       {handle[0].index, 0},     {handle[0].index, handle[0].generation + 1},
        {1000000, 1}, {UINT32_MAX, UINT32_MAX}, stale,
    };
    const double zero[3] = {0.0, 0.0, 0.0};
    for (size_t n = 0; n < COUNT(none); ++n) {
        dem_particle p = {.struct_size = sizeof(p), .radius = 42.0};
        REFUSE(dem_particle_get(world, none[n], &p), DEM_ERROR_HANDLE, "handle");
        assert_true(p.radius == 42.0);
        REFUSE(dem_particle_remove(world, none[n]), DEM_ERROR_HANDLE, "handle");
        REFUSE(dem_particle_set_motion(world, none[n], zero, NULL, NULL), DEM_ERROR_HANDLE,
               "handle");
        REFUSE(dem_particle_set_force(world, none[n], zero, NULL), DEM_ERROR_HANDLE, "handle");
    }
    dem_particle_handle out = {5, 5};
    REFUSE(dem_particle_find(world, 12345, &out), DEM_ERROR_HANDLE, "id");
    REFUSE(dem_particle_find(world, wall_id, &out), DEM_ERROR_HANDLE, "id");
    assert_true(out.index == 5 && out.generation == 5);
    REFUSE(dem_particle_find(world, 1, NULL), DEM_ERROR_ARGUMENT, "handle");
    REFUSE(dem_particle_get(world, handle[0], NULL), DEM_ERROR_ARGUMENT, "particle");
    dem_particle p = {.struct_size = sizeof(p)};
    assert_int_equal(dem_particle_find(NULL, 1, &out), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_particle_get(NULL, handle[0], &p), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_particle_remove(NULL, handle[0]), DEM_ERROR_ARGUMENT);

    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t n = 0; n < COUNT(bad); ++n)
        for (int c = 0; c < 3; ++c) {
            double v[3] = {0.0, 0.0, 0.0};
            v[c] = bad[n];
            const dem_particle_handle h = handle[0];
            REFUSE(dem_particle_set_motion(world, h, v, zero, zero), DEM_ERROR_RANGE, "position");
            REFUSE(dem_particle_set_motion(world, h, zero, v, zero), DEM_ERROR_RANGE, "velocity");
            REFUSE(dem_particle_set_motion(world, h, zero, zero, v), DEM_ERROR_RANGE,
                   "angular_velocity");
            REFUSE(dem_particle_set_force(world, h, v, zero), DEM_ERROR_RANGE, "force");
            REFUSE(dem_particle_set_force(world, h, zero, v), DEM_ERROR_RANGE, "torque");
            REFUSE(dem_wall_set_velocity(world, wall_id, v), DEM_ERROR_RANGE, "velocity");
            REFUSE(dem_world_gravity_set(world, v), DEM_ERROR_RANGE, "gravity");
        }
    const double one[3] = {1.0, 0.0, 0.0};
    REFUSE(dem_particle_set_motion(world, handle[3], NULL, one, NULL), DEM_ERROR_STATE, "fixed");
    REFUSE(dem_particle_set_motion(world, handle[3], NULL, NULL, one), DEM_ERROR_STATE, "fixed");
    assert_int_equal(dem_particle_set_motion(NULL, handle[0], zero, NULL, NULL),
                     DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_particle_set_force(NULL, handle[0], zero, NULL), DEM_ERROR_ARGUMENT);
    REFUSE(dem_world_gravity_set(world, NULL), DEM_ERROR_ARGUMENT, "gravity");
    assert_int_equal(dem_world_gravity_set(NULL, zero), DEM_ERROR_ARGUMENT);
}

static void wall_and_material(void **state)
{
    (void)state;
    typedef dem_wall T;
    const wrong table[] = {
        NOT_FINITE(T, point[0]),
        NOT_FINITE(T, normal[1]),
        REAL(T, normal[2], 0.0),
        NOT_FINITE(T, velocity[2]),
        WHOLE(T, material, 2, DEM_ERROR_RANGE),
        WHOLE(T, material, -1, DEM_ERROR_RANGE),
        WHOLE(T, shape, 99, DEM_ERROR_UNKNOWN),
        WHOLE(T, shape, -1, DEM_ERROR_UNKNOWN),
        NOT_FINITE(T, size[0]),
        REAL(T, size[2], 1.0),
    };
    dem_wall good;
    OK(dem_wall_init(&good));
    assert_true(good.normal[2] == 1.0 && good.normal[0] == 0.0);
    assert_int_equal(good.shape, DEM_SHAPE_PLANE);
    good.point[2] = -5.0;
    uint64_t id = 99;
    for (size_t n = 0; n < COUNT(table); ++n) {
        dem_wall bad = good;
        spoil(&bad, &table[n]);
        REFUSE(dem_wall_add(world, &bad, &id), table[n].status, name_of(&table[n]));
    }
    dem_wall bad = good;
    bad.id = wall_id;
    REFUSE(dem_wall_add(world, &bad, &id), DEM_ERROR_DUPLICATE, "id");
    assert_int_equal(id, 99);
    REFUSE(dem_wall_add(world, NULL, &id), DEM_ERROR_ARGUMENT, "wall");
    REFUSE(dem_wall_remove(world, 4711), DEM_ERROR_HANDLE, "id");
    const double zero[3] = {0.0, 0.0, 0.0};
    REFUSE(dem_wall_set_velocity(world, 4711, zero), DEM_ERROR_HANDLE, "id");
    REFUSE(dem_wall_set_velocity(world, wall_id, NULL), DEM_ERROR_ARGUMENT, "velocity");
    REFUSE(dem_wall_get(world, 4711, &bad), DEM_ERROR_HANDLE, "id");
    REFUSE(dem_wall_get(world, wall_id, NULL), DEM_ERROR_ARGUMENT, "wall");
    assert_int_equal(dem_wall_add(NULL, &good, &id), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_wall_remove(NULL, wall_id), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_wall_get(NULL, wall_id, &bad), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_wall_set_velocity(NULL, wall_id, zero), DEM_ERROR_ARGUMENT);

    dem_material material;
    OK(dem_material_init(&material));
    assert_true(material.density == 1000.0);
    REFUSE(dem_material_set(world, -1, &material), DEM_ERROR_RANGE, "index");
    REFUSE(dem_material_set(world, 2, &material), DEM_ERROR_RANGE, "index");
    REFUSE(dem_material_set(world, 0, NULL), DEM_ERROR_ARGUMENT, "material");
    assert_int_equal(dem_material_set(NULL, 0, &material), DEM_ERROR_ARGUMENT);
    const double density[] = {0.0, -1.0, NAN, INFINITY};
    for (size_t n = 0; n < COUNT(density); ++n) {
        material.density = density[n];
        REFUSE(dem_material_set(world, 0, &material), DEM_ERROR_RANGE, "density");
    }
}

static void steps_and_views(void **state)
{
    (void)state;
    const double dt[] = {0.0, -1e-3, NAN, INFINITY, -INFINITY};
    for (size_t n = 0; n < COUNT(dt); ++n)
        REFUSE(dem_step(world, dt[n], 1), DEM_ERROR_RANGE, "dt");
    assert_int_equal(dem_step(NULL, 1e-3, 1), DEM_ERROR_ARGUMENT);
    assert_true(dem_world_time(NULL) == 0.0);
    uint64_t hash = 0, cursor = 0;
    dem_view view = {.struct_size = sizeof(view), .count = 42};
    REFUSE(dem_world_view(world, -1, &view), DEM_ERROR_UNKNOWN, "field");
    REFUSE(dem_world_view(world, 999, &view), DEM_ERROR_UNKNOWN, "field");
    assert_int_equal(view.count, 42);
    REFUSE(dem_world_view(world, 0, NULL), DEM_ERROR_ARGUMENT, "view");
    REFUSE(dem_world_hash(world, NULL), DEM_ERROR_ARGUMENT, "hash");
    REFUSE(dem_world_counts_get(world, NULL), DEM_ERROR_ARGUMENT, "counts");
    REFUSE(dem_world_energies_get(world, NULL), DEM_ERROR_ARGUMENT, "energies");
    dem_contact contact = {.struct_size = sizeof(contact)};
    REFUSE(dem_world_contact_next(world, NULL, &contact), DEM_ERROR_ARGUMENT, "cursor");
    REFUSE(dem_world_contact_next(world, &cursor, NULL), DEM_ERROR_ARGUMENT, "contact");
    dem_world_counts counts = {.struct_size = sizeof(counts)};
    dem_world_energies energies = {.struct_size = sizeof(energies)};
    assert_int_equal(dem_world_view(NULL, 0, &view), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_hash(NULL, &hash), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_counts_get(NULL, &counts), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_energies_get(NULL, &energies), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_contact_next(NULL, &cursor, &contact), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_written(NULL), DEM_ERROR_ARGUMENT);
    REFUSE(dem_world_written_field(world, -1), DEM_ERROR_UNKNOWN, "field: -1");
    REFUSE(dem_world_written_field(world, 999), DEM_ERROR_UNKNOWN, "field: 999");
    REFUSE(dem_world_written_field(world, INT32_MAX), DEM_ERROR_UNKNOWN, "field: 2147483647");
    REFUSE(dem_world_written_field(world, INT32_MIN), DEM_ERROR_UNKNOWN, "field: -2147483648");
    REFUSE(dem_world_written_field(world, DEM_FIELD_POSITION), DEM_ERROR_RANGE,
           "DEM_FIELD_POSITION");
    REFUSE(dem_world_written_field(world, DEM_FIELD_FORCE), DEM_ERROR_RANGE, "DEM_FIELD_FORCE");
    REFUSE(dem_world_written_field(world, DEM_FIELD_TORQUE), DEM_ERROR_RANGE, "DEM_FIELD_TORQUE");
    REFUSE(dem_world_written_field(world, DEM_FIELD_RADIUS), DEM_ERROR_RANGE, "DEM_FIELD_RADIUS");
    assert_int_equal(dem_world_written_field(NULL, DEM_FIELD_VELOCITY), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_view_stale(world, NULL), 1);
    assert_int_equal(dem_world_view_stale(NULL, &view), 1);
    assert_non_null(dem_world_error(NULL));
}

/* ------------------------------------------------------------------ struct sizes */

static dem_status give_config(const void *s)
{
    dem_world *made = NULL;
    const dem_status status = dem_world_create(s, &made, NULL);
    dem_world_destroy(made);
    return status;
}
static dem_status give_material(const void *s)
{
    return dem_material_set(world, 0, s);
}
static dem_status give_model(const void *s)
{
    return dem_contact_model_set(world, 1, 1, s);
}
static dem_status give_linear(const void *s)
{
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.parts[0].parameters = s;
    return dem_contact_model_set(world, 1, 1, &model);
}
static dem_status give_particle(const void *s)
{
    return dem_particles_add(world, 1, s, NULL);
}
static dem_status give_wall(const void *s)
{
    return dem_wall_add(world, s, NULL);
}
static dem_status give_law(const void *s)
{
    return dem_world_law_register(world, s);
}
static dem_status take_particle(void *s)
{
    return dem_particle_get(world, handle[0], s);
}
static dem_status take_wall(void *s)
{
    return dem_wall_get(world, wall_id, s);
}
static dem_status take_counts(void *s)
{
    return dem_world_counts_get(world, s);
}
static dem_status take_energies(void *s)
{
    return dem_world_energies_get(world, s);
}
static dem_status take_view(void *s)
{
    return dem_world_view(world, DEM_FIELD_VELOCITY, s);
}
static dem_status take_contact(void *s)
{
    uint64_t cursor = 0;
    return dem_world_contact_next(world, &cursor, s);
}

static void struct_sizes(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_material material;
    OK(dem_material_init(&material));
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    const dem_particle p = scene_particle(0.0, 40.0, 3.0);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.point[2] = -7.0;
    test_law_control control = {0, -1, 0.0};
    const dem_law law = test_law(&control);
    sized_input(&config, sizeof(config), give_config, "dem_world_config");
    sized_input(&material, sizeof(material), give_material, "dem_material");
    sized_input(&model, sizeof(model), give_model, "dem_contact_model");
    sized_input(&linear, sizeof(linear), give_linear, "dem_linear");
    sized_input(&p, sizeof(p), give_particle, "dem_particle");
    sized_input(&wall, sizeof(wall), give_wall, "dem_wall");
    sized_input(&law, sizeof(law), give_law, "dem_law");
    sized_output(sizeof(dem_particle), take_particle, "dem_particle");
    sized_output_of(DEMI_FIRST_SIZE(*(dem_wall *)NULL), sizeof(dem_wall), take_wall, "dem_wall");
    sized_output(sizeof(dem_world_counts), take_counts, "dem_world_counts");
    sized_output(sizeof(dem_world_energies), take_energies, "dem_world_energies");
    sized_output_of(DEMI_FIRST_SIZE(*(dem_view *)NULL), sizeof(dem_view), take_view, "dem_view");
    sized_output_of(DEMI_FIRST_SIZE(*(dem_contact *)NULL), sizeof(dem_contact), take_contact,
                    "dem_contact");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(config, set_up, tear_down),
        CASE(linear_law),
        CASE(law_descriptor),
        CASE(particle),
        CASE(handles),
        CASE(wall_and_material),
        CASE(steps_and_views),
        CASE(struct_sizes),
    };
    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
