/* SPDX-License-Identifier: MIT */
/**
 * @file parcels.c
 * Fuzzer of packed particles and bodies behind their checksum: the input is what lies between head
 * and checksum, which are made to fit; the last three bits of its length choose the world that
 * takes it, and whether it has bodies. A world that refuses it has the same snapshot as before. A
 * world that takes it steps, and what came is packed again for a twin of the world as it was, which
 * is equal then.
 */
#include "bytes.h"

#include <math.h>

#include "../support/law.h"

/** Grains of the bed, ids 1 to GRAINS, of which PARCEL travel; all that they touch is near. */
enum { EDGE = 3, GRAINS = 2 * EDGE * EDGE, PARCEL = 3, HOST = 2, FLOOR = 1000, HEAD = 24 };

/** Bodies upon it, ids 1 to BODIES: a clump and a polyhedron, which travel, and a clump. */
enum { CLUMP = 1, STONE = 2, RESIDENT = 3, BODIES = 3, STONY = 2, MATERIALS = 3 };

/** What the world that takes has, bit by bit; where bodies come it may have all grains. */
enum { OTHERS = 1, GHOSTS = 2, IMPULSES = 4, LENGTHS = 8, BODIES_COME = 8, WORLDS = 16 };

typedef struct parcel {
    uint8_t *bytes;
    uint64_t size;
} parcel;

static uint64_t held;
static test_law_control control = {0, -1, 0.0};
static dem_ghost ghosts[GRAINS]; /**< of the whole bed, in the order of ids */
static parcel others;            /**< those that do not travel */
static parcel grains, resident;  /**< all grains, and the body that does not travel */

/** A box whose edges are 0.6. */
static dem_polyhedron *stone_make(void)
{
    static const uint32_t facet[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    double vertex[8][3];
    dem_mesh_config mesh_config;
    dem_polyhedron_config config;
    dem_mesh *mesh = NULL;
    dem_polyhedron *stone = NULL;
    for (int k = 0; k < 8; ++k)
        for (int c = 0; c < 3; ++c)
            vertex[k][c] = (k >> c & 1) != 0 ? 0.3 : -0.3;
    (void)dem_mesh_config_init(&mesh_config);
    FUZZ_PROMISE(dem_mesh_create(&mesh_config, vertex[0], 8, facet[0], 12, &mesh, NULL) == DEM_OK);
    (void)dem_polyhedron_config_init(&config);
    FUZZ_PROMISE(dem_polyhedron_create(&config, mesh, &stone, NULL) == DEM_OK);
    dem_mesh_destroy(mesh);
    return stone;
}

/** Grains meet each other by a linear law and one of the host, polyhedra meet all by Hertz's. */
static void models_set(dem_world *world)
{
    const test_spring spring = {5000.0};
    dem_linear linear;
    dem_hertz hertz;
    (void)dem_linear_init(&linear);
    linear.stiffness_normal = 1e4;
    linear.friction = 0.4;
    linear.restitution = 0.8;
    (void)dem_hertz_init(&hertz);
    hertz.young[0] = 1e5;
    hertz.poisson[0] = 0.25;
    hertz.restitution = 0.8;
    for (int32_t b = 0; b < MATERIALS; ++b) {
        dem_contact_model model;
        (void)dem_contact_model_init(&model);
        FUZZ_PROMISE((b == STONY ? dem_contact_model_add_hertz(&model, &hertz)
                      : b == 0   ? dem_contact_model_add_linear_csds(&model, &linear)
                               : dem_contact_model_add(&model, "test-spring", &spring)) == DEM_OK);
        for (int32_t a = 0; a <= b; ++a)
            FUZZ_PROMISE(dem_contact_model_set(world, a, b, &model) == DEM_OK);
    }
}

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
    config.material_count = MATERIALS;
    config.host_doubles = HOST;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = EDGE;
    FUZZ_PROMISE(dem_world_create(&config, &world, NULL) == DEM_OK);
    const dem_law law = test_law(&control);
    FUZZ_PROMISE(dem_world_law_register(world, &law) == DEM_OK);
    models_set(world);
    dem_polyhedron *stone = stone_make();
    FUZZ_PROMISE(dem_world_shape_know(world, stone) == DEM_OK);
    dem_polyhedron_destroy(stone);
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

/** The first of the grains that a world has before a parcel comes. */
static int first_there(int kind)
{
    return (kind & BODIES_COME) != 0 ? 0 : PARCEL;
}

static dem_world *receiver(int kind)
{
    dem_world *world = empty_world();
    const int first = first_there(kind);
    const parcel *const there = first == 0 ? &grains : &others;
    if (kind & IMPULSES)
        FUZZ_PROMISE(dem_world_impulses_reset(world) == DEM_OK);
    if (kind & OTHERS)
        FUZZ_PROMISE(dem_particles_unpack(world, there->bytes, there->size, NULL) == DEM_OK);
    else if (kind & GHOSTS)
        FUZZ_PROMISE(dem_ghosts_set(world, (uint64_t)(GRAINS - first), ghosts + first, INFINITY,
                                    NULL) == DEM_OK);
    if ((kind & OTHERS) != 0 && first == 0)
        FUZZ_PROMISE(dem_particles_unpack(world, resident.bytes, resident.size, NULL) == DEM_OK);
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

/** Packs particles, or bodies where there are any. */
static parcel pack(dem_world *world, const dem_particle_handle *handles, uint64_t count,
                   const dem_body_handle *body, uint64_t bodies)
{
    parcel p = {NULL, 0};
    uint64_t written = 0;
    for (int write = 0; write < 2; ++write) {
        FUZZ_PROMISE((bodies > 0 ? dem_bodies_pack(world, bodies, body, p.bytes, p.size, &written)
                                 : dem_particles_pack(world, count, handles, p.bytes, p.size,
                                                      &written)) == DEM_OK);
        FUZZ_PROMISE(write == 0 || written == p.size);
        p.size = written;
        if (write == 0)
            p.bytes = malloc((size_t)p.size);
        FUZZ_PROMISE(p.bytes != NULL);
    }
    return p;
}

/** Bodies but for the resident one, and how many parts they have. */
static uint64_t bodies_come(const dem_world *world, dem_body_handle *body, uint64_t most,
                            uint64_t *parts)
{
    uint64_t id[64], cursor = 0, count = 0, come = 0;
    dem_body_arrays arrays;
    (void)dem_body_arrays_init(&arrays);
    arrays.capacity = sizeof id / sizeof id[0];
    arrays.id = id;
    FUZZ_PROMISE(dem_world_bodies_read(world, &cursor, &arrays, &count) == DEM_OK);
    *parts = 0;
    for (uint64_t k = 0; k < count && come < most; ++k) {
        dem_particle_handle part;
        if (id[k] == RESIDENT)
            continue;
        FUZZ_PROMISE(dem_body_find(world, id[k], &body[come]) == DEM_OK);
        for (uint64_t p = 0; dem_body_part_find(world, body[come], p, &part) == DEM_OK; ++p)
            ++*parts;
        ++come;
    }
    return come;
}

/** Packs what came last, and unpacks it in a world as it was before that. Particles and bodies of
 * one parcel would make two. */
static void again(dem_world *world, int kind, uint64_t count)
{
    enum { MOST = 64 };
    dem_view view = {.struct_size = sizeof view};
    dem_particle_handle handles[MOST];
    dem_body_handle body[MOST];
    uint64_t parts;
    const uint64_t bodies = bodies_come(world, body, MOST, &parts);
    if (count > MOST || (bodies > 0 && parts != count))
        return;
    FUZZ_PROMISE(dem_world_view(world, DEM_FIELD_POSITION, &view) == DEM_OK);
    for (uint64_t k = 0; k < count; ++k)
        FUZZ_PROMISE(dem_particle_find(world, view.id[view.count - count + k], &handles[k]) ==
                     DEM_OK);
    const parcel p = pack(world, handles, count, body, bodies);
    dem_world *twin = receiver(kind);
    const dem_status status = dem_particles_unpack(twin, p.bytes, p.size, NULL);
    /* loads of parts may add up to more than the load of a body may be */
    FUZZ_PROMISE(status == DEM_OK || (bodies > 0 && status == DEM_ERROR_FORMAT));
    if (status == DEM_OK)
        expect_equal(snapshot(world), snapshot(twin));
    dem_world_destroy(twin);
    free(p.bytes);
}

/** A step in halves, with no force on ghosts. It may fail, for all that fuzzers think of. */
static void step(dem_world *world, int kind, double dt)
{
    static const double none[GRAINS][6];
    dem_particle_handle handles[GRAINS];
    uint64_t count = 0;
    if (dem_step_begin(world, dt) != DEM_OK)
        return;
    for (int k = first_there(kind); k < GRAINS; ++k)
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
    step(world, kind, 0.0);
    step(world, kind, 1e-4);
    dem_particle_handle handle;
    dem_body_handle body;
    if (dem_particle_find(world, 1, &handle) == DEM_OK)
        (void)dem_particle_remove(world, handle);
    if (dem_body_find(world, CLUMP, &body) == DEM_OK)
        FUZZ_PROMISE(dem_body_remove(world, body) == DEM_OK);
    step(world, kind, 1e-4);
}

static int kind_of(const uint8_t *data, size_t size)
{
    int bodies = 0;
    for (size_t k = 0; k + 8 <= size && !bodies; k += 8)
        bodies = memcmp(data + k, "bodies  ", 8) == 0;
    return (int)(size % LENGTHS) | (bodies ? BODIES_COME : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int kind = kind_of(data, size);
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

/** A body upon the bed. Its parts have the ids from 100 times its own on. */
static void body_add(dem_world *world, uint64_t id)
{
    static const double place[BODIES][3] = {{1.5, 1.0, 2.45}, {0.0, 0.0, 2.28}, {2.0, 2.0, 2.45}};
    static const double force[3] = {0.1, 0.0, 0.2}, torque[3] = {0.0, 0.01, 0.0};
    dem_polyhedron *stone = id == STONE ? stone_make() : NULL;
    dem_body_part part[2];
    dem_body body;
    dem_body_handle handle;
    (void)dem_body_init(&body);
    body.id = id;
    body.mass = 1.0;
    for (int c = 0; c < 3; ++c) {
        body.inertia[c] = 0.1;
        body.position[c] = place[id - 1][c];
        body.velocity[c] = 0.1 * c;
    }
    for (int k = 0; k < 2; ++k) {
        (void)dem_body_part_init(&part[k]);
        part[k].id = 100 * id + (uint64_t)k;
        part[k].radius = stone != NULL ? 0.0 : 0.5;
        part[k].centre[0] = stone != NULL ? 0.0 : 0.5 - k;
        part[k].material = stone != NULL ? STONY : k;
        part[k].shape = stone;
    }
    FUZZ_PROMISE(dem_body_add(world, &body, id == CLUMP ? 2 : 1, part, &handle) == DEM_OK);
    FUZZ_PROMISE(dem_body_set_force(world, handle, force, torque) == DEM_OK);
    dem_polyhedron_destroy(stone);
}

/** A bed whose grains touch all their neighbours, with loads and data of the host, and bodies upon
 * it. */
static dem_world *bed_make(int kind)
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
    for (uint64_t id = 1; (kind & BODIES_COME) != 0 && id <= BODIES; ++id)
        body_add(world, id);
    if (kind & IMPULSES)
        FUZZ_PROMISE(dem_world_impulses_reset(world) == DEM_OK);
    FUZZ_PROMISE(dem_step(world, 1e-4, 20) == DEM_OK);
    return world;
}

static parcel pack_ids(dem_world *world, uint64_t first, uint64_t count)
{
    dem_particle_handle handles[GRAINS];
    for (uint64_t k = 0; k < count; ++k)
        FUZZ_PROMISE(dem_particle_find(world, first + k, &handles[k]) == DEM_OK);
    return pack(world, handles, count, NULL, 0);
}

static parcel pack_bodies(dem_world *world, uint64_t first, uint64_t count)
{
    dem_body_handle handles[BODIES];
    for (uint64_t k = 0; k < count; ++k)
        FUZZ_PROMISE(dem_body_find(world, first + k, &handles[k]) == DEM_OK);
    return pack(world, NULL, 0, handles, count);
}

/** The parcel of the first grains, or of bodies, for each kind of world. */
static void make_seeds(void)
{
    static uint8_t bytes[16384]; /* zeros behind the parcel */
    for (int kind = 0; kind < WORLDS; ++kind)
        for (uint64_t count = 0; count <= PARCEL; ++count) {
            char name[32];
            dem_world *world = bed_make(kind);
            const parcel p = (kind & BODIES_COME) == 0 || count == 0 ? pack_ids(world, 1, count)
                             : count == PARCEL ? pack_bodies(world, CLUMP, STONE)
                                               : pack_bodies(world, count, 1);
            const size_t body = (size_t)p.size - HEAD - 8;
            FUZZ_PROMISE(body <= sizeof bytes - LENGTHS);
            memset(bytes, 0, sizeof bytes);
            memcpy(bytes, p.bytes + HEAD, body);
            snprintf(name, sizeof name, "parcel-%d-%d", kind, (int)count);
            fuzz_seed(name, bytes, body + (size_t)(kind % LENGTHS));
            free(p.bytes);
            dem_world_destroy(world);
        }
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    dem_particle_handle handles[GRAINS];
    dem_world *world = bed_make(BODIES_COME);
    for (int k = 0; k < GRAINS; ++k) {
        FUZZ_PROMISE(dem_particle_find(world, (uint64_t)k + 1, &handles[k]) == DEM_OK);
        ghosts[k].struct_size = sizeof ghosts[k];
    }
    FUZZ_PROMISE(dem_ghosts_get(world, GRAINS, handles, ghosts) == DEM_OK);
    others = pack_ids(world, PARCEL + 1, GRAINS - PARCEL);
    grains = pack_ids(world, 1, GRAINS);
    resident = pack_bodies(world, RESIDENT, 1);
    dem_world_destroy(world);
    if (getenv("FUZZ_SEEDS") != NULL) {
        make_seeds();
        exit(0);
    }
    return 0;
}
