/* SPDX-License-Identifier: MIT */
/**
 * @file parcels.c
 * Particles that travel from one world to another as bytes: what goes along, and what is refused.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/bytes.h"
#include "../support/ghosts.h"
#include "../support/heap_short.h"
#include "../support/law.h"
#include "../support/scene.h"
#include "../support/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 4, GRAINS = EDGE * EDGE * EDGE, HOST = 3, FLOOR = 1000, MESH = 1001 };
#define DT 2e-4

static test_law_control control = {0, -1, 0.0};

/** How a world differs from the first one. */
enum {
    SAME = 0,
    OTHER_LAW = 1,
    OTHER_VERSION = 2,
    NO_MODEL = 3,
    OTHER_HOST = 4,
    NO_FLOOR = 5,
    SMALL_CHUNKS = 6
};

static dem_world *world_make(int how, const dem_allocator *allocator)
{
    dem_world_config config = scene_config();
    if (allocator != NULL)
        config.allocator = *allocator;
    config.material_count = 2;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = EDGE;
    config.host_doubles = how == OTHER_HOST ? HOST + 1 : HOST;
    config.chunk_rows = how == SMALL_CHUNKS ? 8 : config.chunk_rows;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    dem_law law = test_law(&control);
    law.version += how == OTHER_VERSION;
    OK(dem_world_law_register(world, &law));
    law.name = "test-sprint";
    OK(dem_world_law_register(world, &law));
    scene_model(world, 0, 0, 1e4, 0.4, 0.8);
    const test_spring spring = {5000.0};
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add(&model, how == OTHER_LAW ? "test-sprint" : "test-spring", &spring));
    if (how != NO_MODEL) {
        OK(dem_contact_model_set(world, 0, 1, &model));
        OK(dem_contact_model_set(world, 1, 1, &model));
    }
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = FLOOR;
    if (how != NO_FLOOR)
        OK(dem_wall_add(world, &wall, NULL));
    /* a step of triangles on the floor */
    static const double vertex[4][3] = {
        {0.0, 0.0, 0.2}, {2.0, 0.0, 0.2}, {2.0, 2.0, 0.2}, {0.0, 2.0, 0.2}};
    static const uint32_t facet[2][3] = {{0, 1, 2}, {0, 2, 3}};
    dem_mesh_config mesh_config;
    dem_mesh *mesh = NULL;
    OK(dem_mesh_config_init(&mesh_config));
    OK(dem_mesh_create(&mesh_config, vertex[0], 4, facet[0], 2, &mesh, NULL));
    OK(dem_wall_init(&wall));
    wall.id = MESH;
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = mesh;
    OK(dem_wall_add(world, &wall, NULL));
    dem_mesh_destroy(mesh);
    return world;
}

static dem_particle grain_of(int k)
{
    dem_particle p;
    test_random random = {.state = (uint64_t)k + 77};
    OK(dem_particle_init(&p));
    p.id = (uint64_t)k + 1;
    p.radius = 0.48 + 0.03 * (k % 2);
    p.mass = 1.0;
    p.material = k % 5 == 0;
    const int at[3] = {k % EDGE, k / EDGE % EDGE, k / (EDGE * EDGE)};
    for (int c = 0; c < 3; ++c) {
        p.position[c] = 0.5 + 0.97 * at[c] + test_uniform(&random, 0.0, 0.01);
        p.velocity[c] = test_uniform(&random, -0.3, 0.3);
        p.angular_velocity[c] = test_uniform(&random, -1.0, 1.0);
    }
    p.position[2] += 0.15;
    if (k == 9)
        p.mobility = DEM_MOBILITY_KINEMATIC, p.contact_mass = 3.0;
    return p;
}

/** A bed that slides on itself, with loads and data of the host. */
static void bed_fill(dem_world *world)
{
    for (int k = 0; k < GRAINS; ++k) {
        const dem_particle p = grain_of(k);
        dem_particle_handle handle;
        OK(dem_particle_add(world, &p, &handle));
        const double force[3] = {0.1 * k, 0.0, 0.0}, torque[3] = {0.0, 0.0, 0.01};
        OK(dem_particle_set_force(world, handle, force, k % 2 ? torque : NULL));
    }
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_HOST, &view));
    for (uint64_t row = 0; row < view.count; ++row)
        for (int c = 0; c < HOST; ++c)
            ((double *)view.data)[row * HOST + (uint64_t)c] = (double)view.id[row] + 0.25 * c;
}

static dem_particle_handle handle_of(const dem_world *world, int k)
{
    dem_particle_handle handle;
    OK(dem_particle_find(world, (uint64_t)k + 1, &handle));
    return handle;
}

/** Grains `begin` to `end` - 1. */
static bytes pack(dem_world *world, int begin, int end)
{
    dem_particle_handle handles[GRAINS];
    bytes b = {NULL, 0};
    for (int k = begin; k < end; ++k)
        handles[k - begin] = handle_of(world, k);
    const uint64_t count = (uint64_t)(end - begin);
    OK(dem_particles_pack(world, count, handles, NULL, 0, &b.size));
    b.at = malloc((size_t)b.size);
    assert_non_null(b.at);
    assert_int_equal(dem_particles_pack(world, count, handles, b.at, b.size - 1, NULL),
                     DEM_ERROR_RANGE);
    uint64_t written = 0;
    OK(dem_particles_pack(world, count, handles, b.at, b.size, &written));
    assert_int_equal(written, b.size);
    return b;
}

static void unpack(dem_world *world, bytes b, int count)
{
    uint64_t got = 0;
    if (dem_particles_unpack(world, b.at, b.size, &got) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    assert_int_equal(got, count);
}

/** All that a world says of its particles and contacts, by key. */
typedef struct picture {
    dem_contact contact[GRAINS * 8];
    double state[GRAINS * 8][DEM_STATE_MAX];
    dem_particle grain[GRAINS];
    double host[GRAINS][HOST], force[GRAINS][6];
    uint64_t contacts;
} picture;

static int by_key(const void *a, const void *b)
{
    const dem_contact *p = a, *q = b;
    if (p->key.id_i != q->key.id_i)
        return p->key.id_i < q->key.id_i ? -1 : 1;
    if (p->key.id_j != q->key.id_j)
        return p->key.id_j < q->key.id_j ? -1 : 1;
    return p->key.feature < q->key.feature ? -1 : p->key.feature > q->key.feature;
}

static void picture_make(const dem_world *world, picture *p)
{
    memset(p, 0, sizeof *p);
    uint64_t cursor = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK) {
        assert_true(p->contacts < GRAINS * 8);
        memcpy(p->state[p->contacts], contact.state, contact.state_count * sizeof(double));
        contact.state = p->state[p->contacts];
        p->contact[p->contacts++] = contact;
    }
    qsort(p->contact, (size_t)p->contacts, sizeof p->contact[0], by_key);
    for (int k = 0; k < GRAINS; ++k) {
        const dem_particle_handle handle = handle_of(world, k);
        p->grain[k].struct_size = sizeof p->grain[k];
        OK(dem_particle_get(world, handle, &p->grain[k]));
        OK(dem_particles_forces_get(world, 1, &handle, p->force[k]));
    }
}

static void expect_same_contacts(const picture *a, const picture *b)
{
    assert_int_equal(a->contacts, b->contacts);
    for (uint64_t n = 0; n < a->contacts; ++n) {
        const dem_contact *p = &a->contact[n], *q = &b->contact[n];
        assert_memory_equal(&p->key, &q->key, sizeof p->key);
        assert_int_equal(p->state_count, q->state_count);
        assert_memory_equal(p->state, q->state, (size_t)p->state_count * sizeof(double));
        /* offsets to an image are rounded at either end */
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs(p->force_normal[c] - q->force_normal[c]) < 1e-10);
            assert_true(fabs(p->force_tangential[c] - q->force_tangential[c]) < 1e-10);
        }
    }
}

/** A bed leaves its world for an empty one: all goes along, and it goes on as if it had stayed. */
static void test_a_whole_bed(void **state)
{
    (void)state;
    static picture a, b;
    dem_world *stays = world_make(SAME, NULL), *goes = world_make(SAME, NULL),
              *gets = world_make(SAME, NULL);
    bed_fill(stays);
    bed_fill(goes);
    OK(dem_step(stays, DT, 3000));
    OK(dem_step(goes, DT, 3000));
    const bytes all = pack(goes, 0, GRAINS);
    unpack(gets, all, GRAINS);
    picture_make(stays, &a);
    picture_make(gets, &b);
    assert_true(a.contacts > 40);
    expect_same_contacts(&a, &b);
    assert_memory_equal(a.grain, b.grain, sizeof a.grain);
    assert_memory_equal(a.force, b.force, sizeof a.force);
    int meshes = 0, laws = 0;
    for (uint64_t n = 0; n < a.contacts; ++n) {
        meshes += a.contact[n].key.id_j == MESH;
        laws += a.contact[n].material_i + a.contact[n].material_j > 0;
    }
    assert_true(meshes > 1 && laws > 3);
    dem_view host = {.struct_size = sizeof host}, load = host;
    OK(dem_world_view(gets, DEM_FIELD_HOST, &host));
    OK(dem_world_view(gets, DEM_FIELD_EXTERNAL_FORCE, &load));
    for (uint64_t row = 0; row < host.count; ++row) {
        assert_true(((const double *)host.data)[row * HOST + 2] == (double)host.id[row] + 0.5);
        assert_true(((const double *)load.data)[row * 4] == 0.1 * ((double)host.id[row] - 1.0));
    }
    /* springs that were lost would show in the first step; sums come in another order */
    OK(dem_step(stays, DT, 1));
    OK(dem_step(gets, DT, 1));
    picture_make(stays, &a);
    picture_make(gets, &b);
    assert_int_equal(a.contacts, b.contacts);
    for (int k = 0; k < GRAINS; ++k)
        for (int c = 0; c < 6; ++c)
            assert_true(fabs(a.force[k][c] - b.force[k][c]) < 1e-11);
    OK(dem_step(stays, DT, 200));
    OK(dem_step(gets, DT, 200));
    picture_make(stays, &a);
    picture_make(gets, &b);
    for (int k = 0; k < GRAINS; ++k)
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(a.grain[k].position[c] - b.grain[k].position[c]) < 1e-9);
    /* who packed still has all, and may remove it */
    dem_world_counts counts = {.struct_size = sizeof counts};
    OK(dem_world_counts_get(goes, &counts));
    assert_int_equal(counts.particles, GRAINS);
    for (int k = 0; k < GRAINS; ++k)
        OK(dem_particle_remove(goes, handle_of(goes, k)));
    unpack(goes, all, GRAINS); /* and take it back */
    OK(dem_step(goes, DT, 10));
    free(all.at);
    dem_world_destroy(stays);
    dem_world_destroy(goes);
    dem_world_destroy(gets);
}

/** In parts, of which each contact goes once: those of two parts need both. */
static void test_parts(void **state)
{
    (void)state;
    static picture a, b;
    dem_world *from = world_make(SAME, NULL), *to = world_make(SAME, NULL);
    bed_fill(from);
    OK(dem_step(from, DT, 3000));
    picture_make(from, &a);
    for (int part = 0; part < 4; ++part) {
        const bytes some = pack(from, part * 16, part * 16 + 16);
        unpack(to, some, 16);
        free(some.at);
    }
    picture_make(to, &b);
    expect_same_contacts(&a, &b);
    /* one by one, beside steps of those that are there */
    for (int k = 0; k < GRAINS; ++k)
        OK(dem_particle_remove(to, handle_of(to, k)));
    for (int k = 0; k < GRAINS; ++k) {
        const bytes one = pack(from, k, k + 1);
        unpack(to, one, 1);
        free(one.at);
    }
    picture_make(to, &b);
    expect_same_contacts(&a, &b);
    OK(dem_step(to, DT, 3));
    dem_world_destroy(from);
    dem_world_destroy(to);
}

/** All grains go from one world to another, so many at a time. */
static void pass_on(dem_world *from, dem_world *to, int batch)
{
    for (int k = 0; k < GRAINS; k += batch) {
        const int end = k + batch < GRAINS ? k + batch : GRAINS;
        const bytes some = pack(from, k, end);
        unpack(to, some, end - k);
        free(some.at);
    }
}

/** Rows and their copies lie in many chunks; the second world has some that came with grains. */
static void test_many_chunks(void **state)
{
    (void)state;
    static const int batches[] = {1, 3, 16, 17, 40};
    static picture a, b;
    dem_world *from = world_make(SMALL_CHUNKS, NULL);
    bed_fill(from);
    OK(dem_step(from, DT, 3000));
    picture_make(from, &a);
    for (size_t n = 0; n < sizeof batches / sizeof batches[0]; ++n) {
        dem_world *to = world_make(SMALL_CHUNKS, NULL), *last = world_make(SMALL_CHUNKS, NULL);
        pass_on(from, to, batches[n]);
        picture_make(to, &b);
        expect_same_contacts(&a, &b);
        pass_on(to, last, batches[n]);
        picture_make(last, &b);
        expect_same_contacts(&a, &b);
        dem_world_destroy(to);
        dem_world_destroy(last);
    }
    dem_world_destroy(from);
}

/** One that touches more than a chunk of the list has room for. */
static void test_a_giant(void **state)
{
    (void)state;
    enum { AROUND = 900, OTHERS = 600 };
    dem_world_config config = scene_config();
    config.gravity[2] = 0.0;
    dem_world *from = scene_world(&config), *to = scene_world(&config);
    dem_particle giant = scene_particle(0.0, 0.0, 0.0);
    giant.id = 1;
    giant.radius = 6.0;
    OK(dem_particle_add(from, &giant, NULL));
    for (int k = 0; k < AROUND; ++k) {
        const double z = 1.0 - (2.0 * k + 1.0) / AROUND, r = sqrt(1.0 - z * z), angle = 2.4 * k;
        dem_particle p = scene_particle(6.19 * r * cos(angle), 6.19 * r * sin(angle), 6.19 * z);
        p.id = (uint64_t)k + 2;
        p.radius = 0.2;
        OK(dem_particle_add(from, &p, NULL));
    }
    for (int k = 0; k < OTHERS; ++k) { /* a row of grains that is there already */
        dem_particle p = scene_particle(50.0 + 0.99 * k, 0.0, 0.0);
        p.id = 1000 + (uint64_t)k;
        OK(dem_particle_add(to, &p, NULL));
    }
    OK(dem_step(from, DT, 20));
    OK(dem_step(to, DT, 20));
    dem_world_counts counts = {.struct_size = sizeof counts};
    OK(dem_world_counts_get(from, &counts));
    assert_true(counts.contacts >= AROUND);
    dem_particle_handle handles[AROUND + 1];
    for (int k = 0; k <= AROUND; ++k)
        OK(dem_particle_find(from, (uint64_t)k + 1, &handles[k]));
    bytes b = {NULL, 0};
    OK(dem_particles_pack(from, AROUND + 1, handles, NULL, 0, &b.size));
    b.at = malloc((size_t)b.size);
    assert_non_null(b.at);
    OK(dem_particles_pack(from, AROUND + 1, handles, b.at, b.size, NULL));
    unpack(to, b, AROUND + 1);
    uint64_t cursor = 0, there = 0, others = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_world_contact_next(to, &cursor, &contact) == DEM_OK) {
        there += contact.key.id_i == 1;
        others += contact.key.id_i >= 1000 && contact.key.id_j == contact.key.id_i + 1;
        assert_true(contact.overlap > 0.0 && contact.force_normal[0] != 0.0);
    }
    assert_int_equal(there, AROUND);
    assert_int_equal(others, OTHERS - 1);
    OK(dem_step(from, DT, 1));
    OK(dem_step(to, DT, 1));
    double a[6], c[6];
    OK(dem_particles_forces_get(from, 1, &handles[7], a));
    OK(dem_particle_find(to, 8, &handles[7]));
    OK(dem_particles_forces_get(to, 1, &handles[7], c));
    assert_true(fabs(a[0]) > 1e-3);
    for (int k = 0; k < 6; ++k)
        assert_true(fabs(a[k] - c[k]) < 1e-12);
    free(b.at);
    dem_world_destroy(from);
    dem_world_destroy(to);
}

/** What a fluid does to a particle travels, and what it has gathered. */
static void test_fluids(void **state)
{
    (void)state;
    dem_world *from = world_make(SAME, NULL), *to = world_make(SAME, NULL);
    bed_fill(from);
    static const int32_t fields[] = {DEM_FIELD_DRAG_COEFFICIENT,       DEM_FIELD_FLUID_VELOCITY,
                                     DEM_FIELD_ROTATIONAL_DRAG,        DEM_FIELD_ADDED_MASS,
                                     DEM_FIELD_FLUID_ANGULAR_VELOCITY, DEM_FIELD_DRAG_IMPULSE,
                                     DEM_FIELD_CONTACT_IMPULSE};
    OK(dem_world_impulses_reset(from));
    double values[GRAINS * 3];
    for (int k = 0; k < GRAINS * 3; ++k)
        values[k] = 0.5 + 0.01 * k;
    for (int f = 0; f < 5; ++f)
        OK(dem_world_field_set(from, fields[f], GRAINS, values));
    OK(dem_step(from, DT, 300));
    const bytes all = pack(from, 0, GRAINS);
    assert_int_equal(dem_particles_unpack(to, all.at, all.size, NULL), DEM_ERROR_STATE);
    assert_non_null(strstr(dem_world_error(to), "dem_world_impulses_reset"));
    OK(dem_world_impulses_reset(to));
    unpack(to, all, GRAINS);
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; ++f) {
        dem_view a = {.struct_size = sizeof a}, b = a;
        OK(dem_world_view(from, fields[f], &a));
        OK(dem_world_view(to, fields[f], &b));
        for (uint64_t row = 0; row < a.count; ++row) {
            uint64_t at = 0;
            while (a.id[at] != b.id[row])
                ++at;
            const double *p = (const double *)((const unsigned char *)a.data + at * a.stride),
                         *q = (const double *)((const unsigned char *)b.data + row * b.stride);
            assert_true(p[0] == q[0] && p[0] != 0.0);
        }
    }
    OK(dem_step(from, DT, 1));
    OK(dem_step(to, DT, 1));
    for (int k = 0; k < GRAINS; ++k) {
        dem_particle p = {.struct_size = sizeof p}, q = p;
        OK(dem_particle_get(from, handle_of(from, k), &p));
        OK(dem_particle_get(to, handle_of(to, k), &q));
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(p.velocity[c] - q.velocity[c]) < 1e-12);
    }
    free(all.at);
    dem_world_destroy(from);
    dem_world_destroy(to);
}

/** What was packed before does not matter: the same particles of a world that goes on have the
 * bytes of one where nothing was packed yet. */
static void test_packed_again(void **state)
{
    (void)state;
    dem_world *often = world_make(SAME, NULL), *once = world_make(SAME, NULL);
    bed_fill(often);
    bed_fill(once);
    for (int k = 0; k < 20; ++k) {
        OK(dem_step(often, DT, 10));
        OK(dem_step(once, DT, 10));
        const bytes b = pack(often, 3, 9);
        free(b.at);
    }
    const bytes a = pack(often, 3, 9), b = pack(once, 3, 9);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.at, b.at, a.size);
    free(a.at);
    free(b.at);
    dem_world_destroy(often);
    dem_world_destroy(once);
}

/** A grain in a groove touches two faces of one wall: two contacts, which both go along. */
static void test_two_faces(void **state)
{
    (void)state;
    static const double vertex[6][3] = {{0.0, -5.0, 0.0}, {0.0, 5.0, 0.0},   {5.0, -5.0, 5.0},
                                        {5.0, 5.0, 5.0},  {-5.0, -5.0, 5.0}, {-5.0, 5.0, 5.0}};
    static const uint32_t facet[4][3] = {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}};
    const dem_world_config config = scene_config();
    dem_world *world[2] = {scene_world(&config), scene_world(&config)};
    dem_mesh_config mesh_config;
    dem_mesh *mesh = NULL;
    OK(dem_mesh_config_init(&mesh_config));
    OK(dem_mesh_create(&mesh_config, vertex[0], 6, facet[0], 4, &mesh, NULL));
    for (int k = 0; k < 2; ++k) {
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.id = MESH;
        wall.shape = DEM_SHAPE_MESH;
        wall.mesh = mesh;
        OK(dem_wall_add(world[k], &wall, NULL));
    }
    dem_mesh_destroy(mesh);
    dem_particle p = scene_particle(0.0, 0.3, 0.5 * sqrt(2.0) - 0.01);
    p.id = 1;
    OK(dem_particle_add(world[0], &p, NULL));
    OK(dem_step(world[0], 1e-4, 5));
    const dem_particle_handle handle = handle_of(world[0], 0);
    bytes b = {NULL, 0};
    OK(dem_particles_pack(world[0], 1, &handle, NULL, 0, &b.size));
    b.at = malloc((size_t)b.size);
    assert_non_null(b.at);
    OK(dem_particles_pack(world[0], 1, &handle, b.at, b.size, NULL));
    unpack(world[1], b, 1);
    for (int k = 0; k < 2; ++k) {
        uint64_t cursor = 0, features = 0;
        dem_contact contact = {.struct_size = sizeof contact};
        while (dem_world_contact_next(world[k], &cursor, &contact) == DEM_OK)
            features += contact.key.id_j == MESH && contact.overlap > 0.0;
        assert_int_equal(features, 2);
        dem_world_destroy(world[k]);
    }
    free(b.at);
}

/** A column of so many grains, each of which touches the next one. */
static dem_world *column_make(int grains)
{
    dem_world *world = world_make(SAME, NULL);
    for (int k = 0; k < grains; ++k) {
        dem_particle p = grain_of(1);
        p.id = (uint64_t)k + 1;
        p.radius = 0.5;
        p.position[0] = p.position[1] = 3.0;
        p.position[2] = 5.0 + 0.98 * k;
        memset(p.velocity, 0, sizeof p.velocity);
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, DT, 1));
    return world;
}

/** Bytes of grain k. */
static uint64_t size_of(dem_world *world, int k)
{
    const dem_particle_handle handle = handle_of(world, k);
    uint64_t size = 0;
    OK(dem_particles_pack(world, 1, &handle, NULL, 0, &size));
    return size;
}

/** A column of grains, packed one by one: each has its two contacts, also where the other grain is
 * in a chunk that has nothing else of it. */
static void test_a_column(void **state)
{
    enum { HIGH = 900 };
    (void)state;
    dem_world *world = column_make(HIGH);
    uint64_t two = 0;
    for (int k = 0; k < HIGH; ++k) {
        const uint64_t size = size_of(world, k);
        two = k == 1 ? size : two;
        if (k > 0 && k < HIGH - 1)
            assert_int_equal(size, two);
        else
            assert_true(size != two);
    }
    dem_world_destroy(world);
}

/** A grain that came touches others before any step, which then go on with that contact, too. */
static void test_passed_on(void **state)
{
    enum { HIGH = 6, CAME = 2 };
    (void)state;
    dem_world *world = column_make(HIGH);
    const uint64_t two = size_of(world, CAME);
    const bytes b = pack(world, CAME, CAME + 1);
    OK(dem_particle_remove(world, handle_of(world, CAME)));
    assert_true(size_of(world, CAME - 1) < two && size_of(world, CAME + 1) < two);
    unpack(world, b, 1);
    for (int k = 1; k < HIGH - 1; ++k)
        assert_int_equal(size_of(world, k), two);
    free(b.at);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ what is refused */

static void test_other_worlds(void **state)
{
    (void)state;
    dem_world *from = world_make(SAME, NULL);
    bed_fill(from);
    OK(dem_step(from, DT, 3000));
    const bytes all = pack(from, 0, GRAINS);
    static const struct {
        int how;
        dem_status status;
        const char *part;
    } others[] = {{OTHER_LAW, DEM_ERROR_UNKNOWN, "test-sprint"},
                  {OTHER_VERSION, DEM_ERROR_UNKNOWN, "of version"},
                  {NO_MODEL, DEM_ERROR_UNKNOWN, "no contact model"},
                  {OTHER_HOST, DEM_ERROR_STATE, "host_doubles"},
                  {NO_FLOOR, DEM_ERROR_FORMAT, "a wall that is not here"}};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k) {
        dem_world *to = world_make(others[k].how, NULL);
        expect(dem_particles_unpack(to, all.at, all.size, NULL), others[k].status, to,
               others[k].part);
        dem_world_counts counts = {.struct_size = sizeof counts};
        OK(dem_world_counts_get(to, &counts));
        assert_int_equal(counts.particles, 0);
        const dem_particle p = grain_of(3); /* its id is free */
        OK(dem_particle_add(to, &p, NULL));
        dem_world_destroy(to);
    }
    /* twice */
    expect(dem_particles_unpack(from, all.at, all.size, NULL), DEM_ERROR_DUPLICATE, from,
           "a particle of this world");
    dem_world *to = world_make(SAME, NULL);
    unpack(to, all, GRAINS);
    expect(dem_particles_unpack(to, all.at, all.size, NULL), DEM_ERROR_DUPLICATE, to, "has the id");
    OK(dem_step(to, DT, 5));
    free(all.at);
    dem_world_destroy(from);
    dem_world_destroy(to);
}

/** Particles whose host never used its doubles bring none: a world with another number takes them,
 * and has zeros. */
static void test_unused_host_data(void **state)
{
    (void)state;
    dem_world *from = world_make(SAME, NULL), *to = world_make(OTHER_HOST, NULL);
    for (int k = 0; k < 2; ++k) {
        const dem_particle p = grain_of(k);
        OK(dem_particle_add(from, &p, NULL));
    }
    const bytes parcel = pack(from, 0, 2);
    unpack(to, parcel, 2);
    free(parcel.at);
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(to, DEM_FIELD_HOST, &view));
    assert_int_equal(view.stride, (HOST + 1) * sizeof(double));
    for (uint64_t k = 0; k < view.count * (HOST + 1); ++k)
        assert_true(((const double *)view.data)[k] == 0.0);
    dem_world_destroy(from);
    dem_world_destroy(to);
}

/** The model of material 0 with itself; dashpots differ. */
static void model_again(dem_world *world, double restitution)
{
    scene_model(world, 0, 0, 1e4, 0.4, restitution);
}

/** Contacts under that model, and the others. */
static uint64_t contacts_of(const dem_world *world, int others)
{
    uint64_t cursor = 0, count = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK)
        count += (contact.material_i == 0 && contact.material_j == 0) != others;
    return count;
}

/** What is used after its end shows. */
static void fill_and_release(void *user, void *pointer, uint64_t size)
{
    memset(pointer, 0xA5, (size_t)size);
    short_release(user, pointer, size);
}

/** Contacts whose model is replaced lose their history, also where they travel before the next
 * step; and a model that contacts came with stays until they are listed anew. */
static void test_replaced_models(void **state)
{
    (void)state;
    short_heap heap = {.fail_at = UINT64_MAX};
    dem_allocator allocator = short_allocator(&heap);
    allocator.release = fill_and_release;
    for (int again = 0; again < 2; ++again) {
        dem_world *from = world_make(SAME, &allocator), *to = world_make(SAME, &allocator);
        bed_fill(from);
        OK(dem_step(from, DT, 50));
        OK(dem_step(to, DT, 1));
        assert_true(contacts_of(from, 0) > 5 && contacts_of(from, 1) > 0);
        const uint64_t others = contacts_of(from, 1);
        bytes all = pack(from, 0, GRAINS);
        const uint64_t size = all.size;
        if (again) {
            model_again(to, 0.7);
        } else {
            free(all.at);
            model_again(from, 0.7);
            model_again(to, 0.7);
            all = pack(from, 0, GRAINS);
            assert_true(all.size < size);
        }
        unpack(to, all, GRAINS);
        if (again) {
            model_again(to, 0.6);
            assert_int_equal(contacts_of(to, 0), contacts_of(from, 0));
        } else {
            assert_int_equal(contacts_of(to, 0), 0);
        }
        assert_int_equal(contacts_of(to, 1), others);
        OK(dem_step(from, DT, 20));
        OK(dem_step(to, DT, 20));
        assert_true(contacts_of(to, 0) > 5);
        free(all.at);
        dem_world_destroy(from);
        dem_world_destroy(to);
    }
}

static void test_bad_calls(void **state)
{
    (void)state;
    dem_world *world = world_make(SAME, NULL);
    bed_fill(world);
    dem_particle_handle handles[2] = {handle_of(world, 0), handle_of(world, 0)};
    uint64_t size = 0;
    expect(dem_particles_pack(world, 2, handles, NULL, 0, &size), DEM_ERROR_STATE, world,
           "named twice");
    handles[1].generation += 2;
    assert_int_equal(dem_particles_pack(world, 2, handles, NULL, 0, &size), DEM_ERROR_HANDLE);
    expect(dem_particles_pack(world, 1, handles, NULL, 0, NULL), DEM_ERROR_ARGUMENT, world,
           "buffer and bytes");
    expect(dem_particles_pack(world, 1, NULL, NULL, 0, &size), DEM_ERROR_ARGUMENT, world,
           "handles");
    expect(dem_particles_unpack(world, NULL, 0, NULL), DEM_ERROR_ARGUMENT, world, "buffer");
    /* contacts of a wall that was removed since the particles were packed last */
    OK(dem_step(world, DT, 1));
    OK(dem_particles_pack(world, 1, handles, NULL, 0, &size));
    const uint64_t with_mesh = size;
    OK(dem_wall_remove(world, MESH));
    OK(dem_particles_pack(world, 1, handles, NULL, 0, &size));
    assert_true(size < with_mesh);
    OK(dem_particles_release(world, 1, handles));
    expect(dem_particles_pack(world, 1, handles, NULL, 0, &size), DEM_ERROR_STATE, world,
           "its owner packs it");
    /* nobody */
    OK(dem_particles_pack(world, 0, NULL, NULL, 0, &size));
    unsigned char none[256];
    assert_true(size <= sizeof none);
    OK(dem_particles_pack(world, 0, NULL, none, sizeof none, &size));
    OK(dem_particles_unpack(world, none, size, NULL));
    dem_world_destroy(world);
}

/** A world that had a particle, whose handle is free. */
static dem_world *used_world(void)
{
    dem_world *world = world_make(SAME, NULL);
    const dem_particle p = grain_of(GRAINS);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    OK(dem_particle_remove(world, handle));
    OK(dem_step(world, DT, 1));
    return world;
}

/** Each word with mistakes of many kinds, with a checksum that fits: refused whole, or good for
 * steps. */
static void test_damage(void **state)
{
    (void)state;
    dem_world *from = world_make(SAME, NULL);
    bed_fill(from);
    OK(dem_step(from, DT, 3000));
    const bytes good = pack(from, 0, 4);
    bytes bad = {malloc((size_t)good.size), good.size};
    assert_non_null(bad.at);
    dem_world *to = used_world();
    const bytes empty = snapshot(to);
    /* cut, other bytes first, a bit without a checksum, a newer version, the other end first */
    memcpy(bad.at, good.at, (size_t)good.size);
    for (uint64_t size = 0; size < good.size; size += 8)
        assert_int_equal(dem_particles_unpack(to, good.at, size, NULL), DEM_ERROR_FORMAT);
    assert_int_equal(dem_particles_unpack(to, good.at, good.size - 3, NULL), DEM_ERROR_FORMAT);
    bad.at[good.size / 2] ^= 1;
    expect(dem_particles_unpack(to, bad.at, bad.size, NULL), DEM_ERROR_FORMAT, to, "checksum");
    memcpy(bad.at, good.at, (size_t)good.size);
    stream_word_set(bad.at, 1, DEM_PARTICLES_VERSION + 1);
    stream_sign(bad.at, bad.size);
    expect(dem_particles_unpack(to, bad.at, bad.size, NULL), DEM_ERROR_FORMAT, to, "version");
    for (uint64_t k = 0; k < good.size; ++k)
        bad.at[k] = good.at[k / 8 * 8 + 7 - k % 8];
    expect(dem_particles_unpack(to, bad.at, bad.size, NULL), DEM_ERROR_FORMAT, to,
           "no packed particles");
    static const uint64_t words[] = {0,
                                     1,
                                     UINT64_MAX,
                                     UINT64_C(1) << 32,
                                     UINT64_C(0x7ff8000000000000),
                                     UINT64_C(0xbff0000000000000)};
    int refused = 0, taken = 0;
    for (uint64_t at = 24; at + 8 < good.size; at += 8)
        for (size_t n = 0; n < sizeof words / sizeof words[0]; ++n) {
            memcpy(bad.at, good.at, (size_t)good.size);
            stream_word_set(bad.at, at / 8, words[n]);
            stream_sign(bad.at, bad.size);
            dem_world_counts counts = {.struct_size = sizeof counts};
            const dem_status status = dem_particles_unpack(to, bad.at, bad.size, NULL);
            OK(dem_world_counts_get(to, &counts));
            assert_int_equal(counts.particles, status == DEM_OK ? 4 : 0);
            refused += status != DEM_OK;
            if (status != DEM_OK) {
                expect_snapshot(to, empty);
                continue;
            }
            ++taken;
            uint64_t cursor = 0;
            dem_contact contact = {.struct_size = sizeof contact};
            while (dem_world_contact_next(to, &cursor, &contact) == DEM_OK)
                for (uint64_t c = 0; c < contact.state_count; ++c)
                    assert_true(isfinite(contact.state[c]));
            (void)dem_step(to, DT, 2); /* it may not like what it got, but says so */
            dem_world_destroy(to);
            to = used_world();
        }
    assert_true(refused > 100 && taken > 100);
    unpack(to, good, 4);
    free(empty.at);
    free(good.at);
    free(bad.at);
    dem_world_destroy(from);
    dem_world_destroy(to);
}

/** Out of memory at each call in turn. */
static void test_memory(void **state)
{
    (void)state;
    short_heap heap = {.fail_at = UINT64_MAX};
    const dem_allocator allocator = short_allocator(&heap);
    dem_world *from = world_make(SAME, &allocator);
    bed_fill(from);
    OK(dem_step(from, DT, 3000));
    dem_particle_handle handle = handle_of(from, 0);
    uint64_t size, failures = 0;
    for (uint64_t n = 0;; ++n) {
        heap.fail_at = heap.calls + n;
        const dem_status status = dem_particles_pack(from, 1, &handle, NULL, 0, &size);
        if (status == DEM_OK)
            break;
        assert_int_equal(status, DEM_ERROR_MEMORY);
        ++failures;
    }
    assert_true(failures >= 4);
    failures = 0;
    heap.fail_at = UINT64_MAX;
    const bytes all = pack(from, 0, GRAINS);
    for (uint64_t n = 0;; ++n) {
        dem_world *to = world_make(SAME, &allocator);
        uint64_t before, after;
        OK(dem_world_hash(to, &before));
        heap.fail_at = heap.calls + n;
        const dem_status status = dem_particles_unpack(to, all.at, all.size, NULL);
        heap.fail_at = UINT64_MAX;
        OK(dem_world_hash(to, &after));
        if (status != DEM_OK) {
            assert_int_equal(status, DEM_ERROR_MEMORY);
            assert_int_equal(before, after);
            unpack(to, all, GRAINS);
            OK(dem_step(to, DT, 1));
            ++failures;
        }
        dem_world_destroy(to);
        if (status == DEM_OK)
            break;
    }
    assert_true(failures > 10);
    free(all.at);
    dem_world_destroy(from);
    assert_int_equal(heap.held, 0);
}

/* ------------------------------------------------------------------ walls of a restart */

/** A floor that moves, and balls in it. */
static dem_world *floor_make(int32_t scheme, const dem_wall *before)
{
    dem_world_config config = scene_config();
    config.integrator = scheme;
    config.gravity[2] = -9.0;
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, 1e4, 0.4, 0.8);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = FLOOR;
    wall.velocity[0] = 0.5;
    wall.velocity[2] = 0.2;
    memcpy(wall.point, before->point, sizeof wall.point);
    OK(dem_wall_add(world, &wall, NULL));
    OK(dem_world_impulses_reset(world));
    return world;
}

static dem_wall floor_of(const dem_world *world)
{
    dem_wall wall = {.struct_size = sizeof wall};
    OK(dem_wall_get(world, FLOOR, &wall));
    return wall;
}

/** What a wall of a world that particles are unpacked into lacks, as docs/distributed.md has it: of
 * the impulse F dt/2, or F dt with the schemes that kick once a step; of the work F v dt/2. */
static void test_walls_of_a_restart(void **state)
{
    (void)state;
    for (int32_t scheme = DEM_INTEGRATOR_VERLET_SYNC; scheme <= DEM_INTEGRATOR_SYMPLECTIC_EULER;
         ++scheme) {
        const dem_wall nowhere = {.struct_size = sizeof nowhere};
        dem_world *old = floor_make(scheme, &nowhere);
        for (int k = 0; k < 3; ++k) {
            dem_particle p = scene_particle(2.0 * k, 0.0, 0.495);
            p.id = (uint64_t)k + 1;
            p.radius = 0.5;
            p.mass = 1.0 + k;
            OK(dem_particle_add(old, &p, NULL));
        }
        OK(dem_step(old, DT, 30));
        const dem_wall before = floor_of(old);
        dem_world *other = floor_make(scheme, &before);
        const bytes parcel = pack(old, 0, 3);
        unpack(other, parcel, 3);
        free(parcel.at);
        OK(dem_step(old, DT, 20));
        OK(dem_step(other, DT, 20));
        const dem_wall right = floor_of(old), after = floor_of(other);
        const int once =
            scheme == DEM_INTEGRATOR_LEAPFROG || scheme == DEM_INTEGRATOR_SYMPLECTIC_EULER;
        double power = 0.0;
        for (int c = 0; c < 3; ++c) {
            const double lost = right.impulse[c] - before.impulse[c] - after.impulse[c];
            assert_true(fabs(lost - before.force[c] * (once ? DT : 0.5 * DT)) < 1e-13);
            power -= before.force[c] * before.velocity[c];
        }
        assert_true(before.force[2] < -1.0);
        assert_true(fabs(right.work - before.work - after.work - 0.5 * DT * power) < 1e-13);
        dem_world_destroy(old);
        dem_world_destroy(other);
    }
}

/** A value that may not be and that came through a view is refused where its particle is packed,
 * also after the size was told; others travel, and the next step refuses it. */
static void test_values_of_other_rows(void **state)
{
    (void)state;
    dem_world *world = world_make(SAME, NULL);
    bed_fill(world);
    OK(dem_step(world, DT, 5));
    const dem_particle_handle bad = handle_of(world, 3), good = handle_of(world, 5);
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_DRAG_COEFFICIENT, &view));
    for (int k = 0; k < 2; ++k) {
        uint64_t size = 0;
        OK(dem_particles_pack(world, 1, &bad, NULL, 0, &size));
        for (uint64_t row = 0; row < view.count; ++row)
            *(double *)(void *)((unsigned char *)view.data + row * view.stride) =
                view.id[row] == 4 ? -1.0 : 1.0;
        OK(dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT));
        if (k == 1)
            OK(dem_particles_pack(world, 1, &good, NULL, 0, &size));
        assert_int_equal(dem_particles_pack(world, 1, &bad, NULL, 0, &size), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_world_error(world), "particle 4: drag"));
        const dem_particle_handle both[2] = {good, bad};
        assert_int_equal(dem_particles_pack(world, 2, both, NULL, 0, &size), DEM_ERROR_RANGE);
        bytes b = pack(world, 5, 9);
        free(b.at);
        assert_int_equal(dem_step(world, DT, 1), DEM_ERROR_RANGE);
        for (uint64_t row = 0; row < view.count; ++row)
            *(double *)(void *)((unsigned char *)view.data + row * view.stride) = 1.0;
    }
    OK(dem_step(world, DT, 1));
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_of_other_rows),
        cmocka_unit_test(test_a_whole_bed),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_many_chunks),
        cmocka_unit_test(test_a_giant),
        cmocka_unit_test(test_fluids),
        cmocka_unit_test(test_packed_again),
        cmocka_unit_test(test_a_column),
        cmocka_unit_test(test_passed_on),
        cmocka_unit_test(test_other_worlds),
        cmocka_unit_test(test_replaced_models),
        cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_two_faces),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_walls_of_a_restart),
        cmocka_unit_test(test_unused_host_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
