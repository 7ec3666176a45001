/* SPDX-License-Identifier: MIT */
/**
 * @file wall_places.c
 * Walls that come and go between two steps: their places in the world, their meshes, contacts that
 * a parcel brought, and ids when the last number is the next one.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/bytes.h"
#include "../support/heap_short.h"
#include "../support/meshes.h"
#include "../support/random.h"
#include "../support/scene.h"
#include "../support/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A floor: a plane, or a mesh of two facets. */
static void floor_add(dem_world *world, uint64_t id, int meshed)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = id;
    if (meshed) {
        static const double vertex[4][3] = {
            {-5.0, -5.0, 0.0}, {5.0, -5.0, 0.0}, {5.0, 5.0, 0.0}, {-5.0, 5.0, 0.0}};
        static const uint32_t facet[2][3] = {{0, 1, 2}, {0, 2, 3}};
        dem_mesh_config config;
        OK(dem_mesh_config_init(&config));
        OK(dem_mesh_create(&config, vertex[0], 4, facet[0], 2, &wall.mesh, NULL));
        wall.shape = DEM_SHAPE_MESH;
    }
    OK(dem_wall_add(world, &wall, NULL));
    dem_mesh_destroy(wall.mesh);
}

static dem_world *world_of_springs(void)
{
    const dem_world_config config = scene_config();
    return scene_world(&config);
}

enum { GUARD = 64 };

/** Memory with guards behind it, which nobody may write to. */
static void *guarded(void *user, uint64_t size, uint64_t alignment)
{
    (void)user;
    void *memory = NULL;
    if (posix_memalign(&memory, (size_t)(alignment < 8 ? 8 : alignment), (size_t)(size + GUARD)) !=
        0)
        return NULL;
    memset((unsigned char *)memory + size, 0xA5, GUARD);
    return memory;
}

static void unguarded(void *user, void *memory, uint64_t size)
{
    int *broken = user;
    for (int k = 0; k < GUARD; ++k)
        *broken += ((unsigned char *)memory)[size + (uint64_t)k] != 0xA5;
    free(memory);
}

/** Walls that move, of which each goes before a step was made; then one that stays, and moves as it
 * should. */
static void moved_and_removed(void **state)
{
    (void)state;
    int broken = 0;
    dem_world_config config = scene_config();
    config.allocator = (dem_allocator){&broken, guarded, unguarded};
    dem_world *world = scene_world(&config);
    const double velocity[3] = {0.0, 0.0, 1.0};
    for (int n = 0; n < 100; ++n) {
        const uint64_t id = 500 + (uint64_t)n;
        floor_add(world, id, n % 3 == 2);
        OK(dem_wall_set_velocity(world, id, velocity));
        if (n == 80)
            OK(dem_step(world, 1e-3, 1));
        OK(dem_wall_remove(world, id));
    }
    floor_add(world, 7, 0);
    OK(dem_wall_set_velocity(world, 7, velocity));
    OK(dem_step(world, 1e-3, 100));
    dem_wall wall = {.struct_size = sizeof wall};
    OK(dem_wall_get(world, 7, &wall));
    assert_true(fabs(wall.point[2] - 0.1) < 1e-12);
    assert_int_equal(scene_counts(world).walls, 1);
    dem_world_destroy(world);
    assert_int_equal(broken, 0);
}

enum { MESHES = 6, WALLS = 24, CHANGES = 600 };

/** Walls that are there, and of which mesh each is; MESHES: a plane. */
typedef struct meshed {
    dem_mesh *mesh[MESHES];
    uint64_t bytes[MESHES], id[WALLS];
    int of[WALLS], walls;
} meshed;

/** A facet that tells by the place of its first vertex which mesh it is. */
static dem_mesh *facet_mesh(const dem_allocator *allocator, int number)
{
    const double vertex[3][3] = {{number, 0.0, 0.0}, {number + 1.0, 0.0, 0.0}, {number, 1.0, 0.0}};
    static const uint32_t facet[3] = {0, 1, 2};
    dem_mesh_config config = mesh_config(0);
    dem_mesh *mesh;
    config.allocator = *allocator;
    OK(dem_mesh_create(&config, vertex[0], 3, facet, 1, &mesh, NULL));
    return mesh;
}

/** A wall comes, one goes, or the vertices of one become its own. */
static void meshed_change(dem_world *world, test_random *random, meshed *all)
{
    static const double still[9] = {0.0};
    const uint64_t what = test_random_bits(random) % 5;
    if (all->walls == 0 || (what < 2 && all->walls < WALLS)) {
        dem_wall wall;
        OK(dem_wall_init(&wall));
        const int of = (int)(test_random_bits(random) % (MESHES + 1));
        wall.shape = of < MESHES ? DEM_SHAPE_MESH : DEM_SHAPE_PLANE;
        wall.mesh = of < MESHES ? all->mesh[of] : NULL;
        all->of[all->walls] = of;
        OK(dem_wall_add(world, &wall, &all->id[all->walls++]));
        return;
    }
    const int k = (int)(test_random_bits(random) % (uint64_t)all->walls);
    if (what < 4) {
        OK(dem_wall_remove(world, all->id[k]));
        all->id[k] = all->id[--all->walls];
        all->of[k] = all->of[all->walls];
    } else if (all->of[k] < MESHES) {
        OK(dem_wall_set_vertices(world, all->id[k], NULL, still));
    }
}

/** The world tells the bytes of each mesh that walls have once. */
static void meshed_bytes(const dem_world *world, const meshed *all, uint64_t held)
{
    for (int m = 0; m < MESHES; ++m) {
        int there = 0;
        for (int k = 0; k < all->walls; ++k)
            there |= all->of[k] == m;
        held -= there ? 0 : all->bytes[m];
    }
    assert_int_equal(scene_counts(world).bytes, held);
}

/** Each wall has its mesh. */
static void meshed_check(const dem_world *world, const meshed *all)
{
    for (int k = 0; k < all->walls; ++k) {
        dem_wall wall = {.struct_size = sizeof wall};
        OK(dem_wall_get(world, all->id[k], &wall));
        assert_int_equal(wall.mesh != NULL, all->of[k] < MESHES);
        if (wall.mesh != NULL)
            assert_true(dem_mesh_vertices(wall.mesh)[0] == (double)all->of[k]);
    }
}

/** Walls of some meshes come and go in any order, before steps and after them. A snapshot has each
 * mesh once, in the order of the places: a world that reads it has it again, bit by bit. */
static void meshes_come_and_go(void **state)
{
    (void)state;
    test_random random = test_random_start("meshes");
    short_heap heap = {.fail_at = UINT64_MAX};
    dem_world_config config = scene_config();
    config.allocator = short_allocator(&heap);
    dem_world *world = scene_world(&config), *other = world_of_springs();
    meshed all = {.walls = 0};
    for (int m = 0; m < MESHES; ++m) {
        const uint64_t before = heap.held;
        all.mesh[m] = facet_mesh(&config.allocator, m);
        all.bytes[m] = heap.held - before;
    }
    for (int n = 0; n < CHANGES; ++n) {
        meshed_change(world, &random, &all);
        if (n % 7 == 6)
            OK(dem_step(world, 1e-3, 1));
        meshed_bytes(world, &all, heap.held);
        meshed_check(world, &all);
        const bytes now = snapshot(world);
        OK(dem_world_restore(other, now.at, now.size));
        meshed_check(other, &all);
        expect_snapshot(other, now);
        free(now.at);
    }
    for (int m = 0; m < MESHES; ++m)
        dem_mesh_destroy(all.mesh[m]);
    dem_world_destroy(world);
    dem_world_destroy(other);
    assert_int_equal(heap.held, 0);
}

static uint64_t contacts_with(dem_world *world, uint64_t wall)
{
    dem_contact contact = {.struct_size = sizeof contact};
    uint64_t cursor = 0, found = 0;
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK)
        found += contact.key.id_i == wall || contact.key.id_j == wall;
    return found;
}

/** A parcel brings a contact with a wall that no step has seen. The wall goes, and another one
 * comes: it has no part of that contact. */
static void replaced_after_a_parcel(void **state)
{
    (void)state;
    for (int meshed = 0; meshed < 4; ++meshed)
        for (int restored = 0; restored < 2; ++restored) {
            dem_world *from = world_of_springs(), *to = world_of_springs();
            floor_add(from, 500, meshed & 1);
            floor_add(to, 500, meshed & 1);
            dem_particle p = scene_particle(1.0, 0.5, 0.499);
            dem_particle_handle handle;
            p.id = 7;
            p.velocity[0] = 1.0;
            OK(dem_particle_add(from, &p, &handle));
            OK(dem_step(from, 1e-4, 10));
            bytes parcel = {NULL, 0};
            OK(dem_particles_pack(from, 1, &handle, NULL, 0, &parcel.size));
            parcel.at = malloc(parcel.size);
            assert_non_null(parcel.at);
            OK(dem_particles_pack(from, 1, &handle, parcel.at, parcel.size, NULL));
            OK(dem_particles_unpack(to, parcel.at, parcel.size, NULL));
            free(parcel.at);
            assert_int_equal(contacts_with(to, 500), 1);
            if (restored) { /* the list of a snapshot names the wall, too */
                const bytes early = snapshot(to);
                OK(dem_world_restore(to, early.at, early.size));
                free(early.at);
            }
            OK(dem_wall_remove(to, 500));
            floor_add(to, 600, meshed >> 1);
            assert_int_equal(contacts_with(to, 600), 0);
            const bytes kept = snapshot(to);
            OK(dem_world_restore(from, kept.at, kept.size));
            OK(dem_step(to, 1e-4, 1));
            OK(dem_step(from, 1e-4, 1));
            assert_true(scene_hash(from) == scene_hash(to));
            assert_int_equal(contacts_with(to, 600), 1);
            dem_contact contact = {.struct_size = sizeof contact};
            uint64_t cursor = 0;
            OK(dem_world_contact_next(to, &cursor, &contact));
            /* a spring of one step, not of eleven */
            assert_true(fabs(contact.state[0]) < 2e-4);
            free(kept.at);
            dem_world_destroy(from);
            dem_world_destroy(to);
        }
}

/** Where a snapshot has the last number of all as the next id, 0 is skipped, which is none. */
static void the_last_id(void **state)
{
    (void)state;
    dem_world *world = world_of_springs();
    const bytes b = snapshot(world);
    const uint64_t clock = stream_section(b.at, b.size, "clock   ");
    assert_true(clock > 0);
    stream_word_set(b.at, clock + 2, UINT64_MAX);
    stream_sign(b.at, b.size);
    OK(dem_world_restore(world, b.at, b.size));
    free(b.at);
    uint64_t ids[3], last = 0;
    for (int k = 0; k < 3; ++k) {
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.point[2] = -1.0 - k;
        OK(dem_wall_add(world, &wall, &ids[k]));
        dem_particle p = scene_particle(3.0 * k, 0.0, 5.0);
        dem_particle_handle handle;
        OK(dem_particle_add(world, &p, &handle));
        OK(dem_particle_get(world, handle, &p));
        assert_true(ids[k] != 0 && p.id != 0 && ids[k] != p.id && ids[k] != last);
        last = p.id;
    }
    assert_true(ids[0] == UINT64_MAX);
    OK(dem_step(world, 1e-4, 1));
    const bytes after = snapshot(world);
    OK(dem_world_restore(world, after.at, after.size));
    free(after.at);
    dem_world_destroy(world);
}

/** What a host wrote that no world may have is refused by the pack, not by the next owner. */
static void parcels_of_wrong_fields(void **state)
{
    (void)state;
    dem_world *world = world_of_springs(), *other = world_of_springs();
    const dem_particle p = scene_particle(0.0, 0.0, 5.0);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_FLUID_VELOCITY, &view));
    double *fluid = view.data;
    unsigned char parcel[4096];
    uint64_t size;
    fluid[0] = 1e150;
    OK(dem_world_written_field(world, DEM_FIELD_FLUID_VELOCITY));
    OK(dem_particles_pack(world, 1, &handle, parcel, sizeof parcel, &size));
    const double wrong[3] = {1.0000001e150, INFINITY, NAN};
    for (int k = 0; k < 3; ++k) {
        uint64_t unused;
        fluid[0] = wrong[k];
        assert_int_equal(dem_particles_pack(world, 1, &handle, NULL, 0, &unused), DEM_ERROR_RANGE);
        if (strstr(dem_world_error(world), "fluid") == NULL)
            fail_msg("%s", dem_world_error(world));
        /* forged, with a checksum that fits */
        unsigned char forged[sizeof parcel];
        memcpy(forged, parcel, size);
        int places = 0;
        for (uint64_t word = 3; word + 1 < size / 8; ++word)
            if (stream_double(forged, word) == 1e150) {
                stream_double_set(forged, word, wrong[k]);
                ++places;
            }
        assert_int_equal(places, 1);
        stream_sign(forged, size);
        assert_int_equal(dem_particles_unpack(other, forged, size, NULL), DEM_ERROR_FORMAT);
        if (strstr(dem_world_error(other), "fluid") == NULL)
            fail_msg("%s", dem_world_error(other));
    }
    OK(dem_particles_unpack(other, parcel, size, NULL));
    dem_world_destroy(world);
    dem_world_destroy(other);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moved_and_removed),       cmocka_unit_test(meshes_come_and_go),
        cmocka_unit_test(replaced_after_a_parcel), cmocka_unit_test(the_last_id),
        cmocka_unit_test(parcels_of_wrong_fields),
    };
    return cmocka_run_group_tests_name("wall_places", tests, NULL, NULL);
}
