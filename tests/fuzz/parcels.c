/* SPDX-License-Identifier: MIT */
/**
 * @file parcels.c
 * Fuzzer of packed particles behind their checksum: the input is what lies between head and
 * checksum, which are made to fit; the last three bits of its length choose the world that takes
 * it. A world that refuses it has the same snapshot as before. A world that takes it steps, and
 * what came is packed again for a twin of the world as it was, which is equal then.
 */
#include "bytes.h"

#include <math.h>

#include "../support/law.h"

/** Grains of the bed, ids 1 to GRAINS, of which PARCEL travel; all that they touch is near. */
enum { EDGE = 3, GRAINS = 2 * EDGE * EDGE, PARCEL = 3, HOST = 2, FLOOR = 1000, HEAD = 24 };

/** What the world that takes has, bit by bit. */
enum { OTHERS = 1, GHOSTS = 2, IMPULSES = 4, WORLDS = 8 };

typedef struct parcel {
    uint8_t *bytes;
    uint64_t size;
} parcel;

static uint64_t held;
static test_law_control control = {0, -1, 0.0};
static dem_ghost ghosts[GRAINS]; /**< of the whole bed, in the order of ids */
static parcel others;            /**< those that do not travel */

/** A periodic box with a floor and a step of two triangles on it. */
static dem_world *empty_world(void)
{
    static const double vertex[4][3] = {{0, 0, 0.1}, {1, 0, 0.1}, {1, 1, 0.1}, {0, 1, 0.1}};
    static const uint32_t facet[2][3] = {{0, 1, 2}, {0, 2, 3}};
    dem_world_config config;
    dem_world *world = NULL;
    FUZZ_PROMISE(dem_world_config_init(&config) == DEM_OK);
    config.allocator = (dem_allocator){&held, fuzz_allocate, fuzz_release};
    config.gravity[2] = -10.0;
    config.material_count = 2;
    config.host_doubles = HOST;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = EDGE;
    FUZZ_PROMISE(dem_world_create(&config, &world, NULL) == DEM_OK);
    const dem_law law = test_law(&control);
    FUZZ_PROMISE(dem_world_law_register(world, &law) == DEM_OK);
    dem_linear linear;
    (void)dem_linear_init(&linear);
    linear.stiffness_normal = 1e4;
    linear.friction = 0.4;
    linear.restitution = 0.8;
    const test_spring spring = {5000.0};
    for (int32_t b = 0; b < 2; ++b) {
        dem_contact_model model;
        (void)dem_contact_model_init(&model);
        FUZZ_PROMISE((b == 0 ? dem_contact_model_add_linear_csds(&model, &linear)
                             : dem_contact_model_add(&model, "test-spring", &spring)) == DEM_OK);
        for (int32_t a = 0; a <= b; ++a)
            FUZZ_PROMISE(dem_contact_model_set(world, a, b, &model) == DEM_OK);
    }
    dem_wall wall;
    (void)dem_wall_init(&wall);
    wall.id = FLOOR;
    FUZZ_PROMISE(dem_wall_add(world, &wall, NULL) == DEM_OK);
    dem_mesh_config mesh_config;
    dem_mesh *mesh = NULL;
    (void)dem_mesh_config_init(&mesh_config);
    FUZZ_PROMISE(dem_mesh_create(&mesh_config, vertex[0], 4, facet[0], 2, &mesh, NULL) == DEM_OK);
    wall.id = FLOOR + 1;
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = mesh;
    FUZZ_PROMISE(dem_wall_add(world, &wall, NULL) == DEM_OK);
    dem_mesh_destroy(mesh);
    return world;
}

static dem_world *receiver(int kind)
{
    dem_world *world = empty_world();
    if (kind & IMPULSES)
        FUZZ_PROMISE(dem_world_impulses_reset(world) == DEM_OK);
    if (kind & OTHERS)
        FUZZ_PROMISE(dem_particles_unpack(world, others.bytes, others.size, NULL) == DEM_OK);
    else if (kind & GHOSTS)
        FUZZ_PROMISE(dem_ghosts_set(world, GRAINS - PARCEL, ghosts + PARCEL, INFINITY, NULL) ==
                     DEM_OK);
    return world;
}

static void write_word(uint8_t *to, uint64_t word)
{
    for (int k = 0; k < 8; ++k)
        to[k] = (uint8_t)(word >> 8 * k);
}

/** The input between a head and a checksum. */
static parcel framed(const uint8_t *data, size_t size)
{
    static const uint8_t magic[8] = {0x89, 'D', 'E', 'M', 'P', '\r', '\n', 0x1a};
    const size_t body = size / 8 * 8;
    parcel p = {malloc(HEAD + body + 8), HEAD + body + 8};
    FUZZ_PROMISE(p.bytes != NULL);
    memcpy(p.bytes, magic, 8);
    write_word(p.bytes + 8, DEM_PARTICLES_VERSION);
    write_word(p.bytes + 16, p.size);
    memcpy(p.bytes + HEAD, data, body);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < HEAD + body; k += 8) {
        uint64_t word = 0;
        for (int m = 7; m >= 0; --m)
            word = word << 8 | p.bytes[k + (size_t)m];
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    write_word(p.bytes + HEAD + body, hash);
    return p;
}

static parcel snapshot(const dem_world *world)
{
    parcel p = {NULL, 0};
    FUZZ_PROMISE(dem_world_snapshot_size(world, &p.size) == DEM_OK);
    p.bytes = malloc((size_t)p.size);
    FUZZ_PROMISE(p.bytes != NULL);
    FUZZ_PROMISE(dem_world_snapshot(world, p.bytes, p.size, NULL) == DEM_OK);
    return p;
}

static void expect_equal(parcel a, parcel b)
{
    FUZZ_PROMISE(a.size == b.size && memcmp(a.bytes, b.bytes, (size_t)a.size) == 0);
    free(a.bytes);
    free(b.bytes);
}

static parcel pack(dem_world *world, const dem_particle_handle *handles, uint64_t count)
{
    parcel p = {NULL, 0};
    uint64_t written = 0;
    FUZZ_PROMISE(dem_particles_pack(world, count, handles, NULL, 0, &p.size) == DEM_OK);
    p.bytes = malloc((size_t)p.size);
    FUZZ_PROMISE(p.bytes != NULL);
    FUZZ_PROMISE(dem_particles_pack(world, count, handles, p.bytes, p.size, &written) == DEM_OK);
    FUZZ_PROMISE(written == p.size);
    return p;
}

/** Packs the last `count` rows of a world, and unpacks them in one as it was before they came. */
static void again(dem_world *world, int kind, uint64_t count)
{
    enum { MOST = 64 };
    dem_view view = {.struct_size = sizeof view};
    dem_particle_handle handles[MOST];
    if (count > MOST)
        return;
    FUZZ_PROMISE(dem_world_view(world, DEM_FIELD_POSITION, &view) == DEM_OK);
    for (uint64_t k = 0; k < count; ++k)
        FUZZ_PROMISE(dem_particle_find(world, view.id[view.count - count + k], &handles[k]) ==
                     DEM_OK);
    const parcel p = pack(world, handles, count);
    dem_world *twin = receiver(kind);
    FUZZ_PROMISE(dem_particles_unpack(twin, p.bytes, p.size, NULL) == DEM_OK);
    expect_equal(snapshot(world), snapshot(twin));
    dem_world_destroy(twin);
    free(p.bytes);
}

/** A step in halves, with no force on ghosts. It may fail, for all that fuzzers think of. */
static void step(dem_world *world, double dt)
{
    static const double none[GRAINS][6];
    dem_particle_handle handles[GRAINS];
    uint64_t count = 0;
    if (dem_step_begin(world, dt) != DEM_OK)
        return;
    for (int k = PARCEL; k < GRAINS; ++k)
        if (dem_particle_find(world, ghosts[k].id, &handles[count]) == DEM_OK)
            ++count;
    if (dem_ghosts_forces_set(world, count, handles, none[0]) != DEM_OK)
        (void)dem_ghosts_forces_set(world, 0, handles, none[0]);
    if (dem_step_end(world) != DEM_OK)
        FUZZ_PROMISE(dem_step_cancel(world) == DEM_OK);
}

static void use(dem_world *world, int kind)
{
    dem_contact contact = {.struct_size = sizeof contact};
    dem_world_energies energies = {.struct_size = sizeof energies};
    uint64_t cursor = 0;
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK) {
    }
    (void)dem_world_energies_get(world, &energies);
    if ((kind & OTHERS) != 0 || (kind & GHOSTS) == 0)
        (void)dem_step(world, 1e-4, 3);
    step(world, 0.0);
    step(world, 1e-4);
    dem_particle_handle handle;
    if (dem_particle_find(world, 1, &handle) == DEM_OK)
        (void)dem_particle_remove(world, handle);
    step(world, 1e-4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int kind = (int)(size % WORLDS);
    const parcel p = framed(data, size);
    dem_world *world = receiver(kind);
    const parcel before = snapshot(world);
    uint64_t count = 0;
    if (dem_particles_unpack(world, p.bytes, p.size, &count) != DEM_OK) {
        expect_equal(before, snapshot(world));
    } else {
        free(before.bytes);
        again(world, kind, count);
    }
    use(world, kind);
    dem_world_destroy(world);
    FUZZ_PROMISE(held == 0);
    free(p.bytes);
    return 0;
}

/** A bed whose grains touch all their neighbours, with loads and data of the host. */
static dem_world *bed_make(int impulses)
{
    dem_world *world = empty_world();
    for (int k = 0; k < GRAINS; ++k) {
        dem_particle p;
        dem_particle_handle handle;
        (void)dem_particle_init(&p);
        p.id = (uint64_t)k + 1;
        p.radius = 0.51;
        p.mass = 1.0;
        p.material = k % 4 == 1;
        p.mobility = k == 5 ? DEM_MOBILITY_KINEMATIC : DEM_MOBILITY_FREE;
        p.position[0] = k % EDGE;
        p.position[1] = (double)(k / EDGE % EDGE);
        p.position[2] = 0.5 + (double)(k / (EDGE * EDGE));
        p.velocity[k % 3] = 0.1 * (k % 4);
        const double force[3] = {0.1 * k, 0.0, 0.0};
        FUZZ_PROMISE(dem_particle_add(world, &p, &handle) == DEM_OK);
        FUZZ_PROMISE(dem_particle_set_force(world, handle, force, NULL) == DEM_OK);
    }
    dem_view view = {.struct_size = sizeof view};
    FUZZ_PROMISE(dem_world_view(world, DEM_FIELD_HOST, &view) == DEM_OK);
    for (uint64_t k = 0; k < view.count * HOST; ++k)
        ((double *)view.data)[k] = 0.25 * (double)k;
    if (impulses)
        FUZZ_PROMISE(dem_world_impulses_reset(world) == DEM_OK);
    FUZZ_PROMISE(dem_step(world, 1e-4, 20) == DEM_OK);
    return world;
}

static parcel pack_ids(dem_world *world, uint64_t first, uint64_t count)
{
    dem_particle_handle handles[GRAINS];
    for (uint64_t k = 0; k < count; ++k)
        FUZZ_PROMISE(dem_particle_find(world, first + k, &handles[k]) == DEM_OK);
    return pack(world, handles, count);
}

/** The parcel of the first grains, for each kind of world. */
static void make_seeds(void)
{
    static uint8_t bytes[16384]; /* zeros behind the parcel */
    for (int kind = 0; kind < WORLDS; ++kind)
        for (uint64_t count = 0; count <= PARCEL; ++count) {
            char name[32];
            dem_world *world = bed_make(kind & IMPULSES);
            const parcel p = pack_ids(world, 1, count);
            const size_t body = (size_t)p.size - HEAD - 8;
            FUZZ_PROMISE(body <= sizeof bytes - WORLDS);
            memset(bytes, 0, sizeof bytes);
            memcpy(bytes, p.bytes + HEAD, body);
            snprintf(name, sizeof name, "parcel-%d-%d", kind, (int)count);
            fuzz_seed(name, bytes, body + (size_t)kind);
            free(p.bytes);
            dem_world_destroy(world);
        }
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    if (getenv("FUZZ_SEEDS") != NULL) {
        make_seeds();
        exit(0);
    }
    dem_particle_handle handles[GRAINS];
    dem_world *world = bed_make(0);
    for (int k = 0; k < GRAINS; ++k) {
        FUZZ_PROMISE(dem_particle_find(world, (uint64_t)k + 1, &handles[k]) == DEM_OK);
        ghosts[k].struct_size = sizeof ghosts[k];
    }
    FUZZ_PROMISE(dem_ghosts_get(world, GRAINS, handles, ghosts) == DEM_OK);
    others = pack_ids(world, PARCEL + 1, GRAINS - PARCEL);
    dem_world_destroy(world);
    return 0;
}
