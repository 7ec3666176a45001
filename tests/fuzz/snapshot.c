/* SPDX-License-Identifier: MIT */
/**
 * @file snapshot.c
 * Fuzzer of snapshots behind their checksum: the input is what lies between head and checksum,
 * which are made to fit. Input of an odd length is of the first version of the format, which is
 * read still. What is taken stays within its memory, steps, and can be saved.
 */
#include "bytes.h"

#include "../support/law.h"

#define HEAD 32

static uint64_t held;
static test_law_control control = {0, -1, 0.0};

static void write_word(uint8_t *to, uint64_t word)
{
    for (int k = 0; k < 8; ++k)
        to[k] = (uint8_t)(word >> 8 * k);
}

static dem_world *empty_world(void)
{
    dem_world_config config;
    dem_world *world = NULL;
    FUZZ_PROMISE(dem_world_config_init(&config) == DEM_OK);
    config.allocator = (dem_allocator){&held, fuzz_allocate, fuzz_release};
    FUZZ_PROMISE(dem_world_create(&config, &world, NULL) == DEM_OK);
    const dem_law law = test_law(&control);
    FUZZ_PROMISE(dem_world_law_register(world, &law) == DEM_OK);
    return world;
}

/** Head and checksum as docs/checkpoint.md describes them. */
static uint8_t *framed(const uint8_t *data, size_t size, size_t *whole)
{
    static const uint8_t magic[8] = {0x89, 'D', 'E', 'M', '\r', '\n', 0x1a, '\n'};
    const size_t body = size / 8 * 8;
    *whole = HEAD + body + 8;
    uint8_t *bytes = malloc(*whole);
    FUZZ_PROMISE(bytes != NULL);
    memcpy(bytes, magic, 8);
    write_word(bytes + 8, size % 2 != 0 ? 1 : DEM_SNAPSHOT_VERSION);
    write_word(bytes + 16, *whole);
    write_word(bytes + 24, DEM_VERSION);
    memcpy(bytes + HEAD, data, body);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < HEAD + body; k += 8) {
        uint64_t word = 0;
        for (int m = 7; m >= 0; --m)
            word = word << 8 | bytes[k + (size_t)m];
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    write_word(bytes + HEAD + body, hash);
    return bytes;
}

static void use(dem_world *world)
{
    dem_contact contact = {.struct_size = sizeof(contact)};
    dem_world_energies energies = {.struct_size = sizeof(energies)};
    uint64_t cursor = 0;
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK) {
    }
    (void)dem_world_energies_get(world, &energies);
    for (uint64_t id = 1; id < 8; ++id)
        for (int32_t field = DEM_FACET_FORCE; field <= DEM_FACET_VERTEX_FORCE; ++field) {
            dem_view view = {.struct_size = sizeof(view)};
            (void)dem_wall_view(world, id, field, &view);
        }
    (void)dem_step(world, 1e-4, 3);
    dem_particle p;
    dem_particle_handle handle = {0, 0};
    (void)dem_particle_init(&p);
    p.radius = 0.5;
    p.mass = 0.1;
    p.position[2] = 90.0;
    (void)dem_particle_add(world, &p, &handle);
    (void)dem_step(world, 1e-4, 1);
    (void)dem_particle_remove(world, handle);
    (void)dem_step(world, 1e-4, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t whole;
    uint8_t *bytes = framed(data, size, &whole);
    dem_world *world = empty_world();
    if (dem_world_restore(world, bytes, whole) == DEM_OK) {
        uint64_t again = 0;
        use(world);
        FUZZ_PROMISE(dem_world_snapshot_size(world, &again) == DEM_OK);
        uint8_t *copy = malloc((size_t)again);
        FUZZ_PROMISE(copy != NULL && dem_world_snapshot(world, copy, again, NULL) == DEM_OK);
        free(copy);
    }
    dem_world_destroy(world);
    FUZZ_PROMISE(held == 0);
    free(bytes);
    return 0;
}

/** A pyramid on the floor, and one more of the same mesh; its vertices move, and works on its
 * facets are summed. */
static void add_mesh(dem_world *world, int moves)
{
    static const double x[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0.6, 0.6, 0.4}};
    static const uint32_t facets[3][3] = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    static const double velocity[4][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0.1, 0, 0.1}};
    dem_mesh_config config;
    dem_mesh *mesh = NULL;
    dem_wall wall;
    uint64_t id = 0;
    dem_view view = {.struct_size = sizeof(view)};
    (void)dem_mesh_config_init(&config);
    FUZZ_PROMISE(dem_mesh_create(&config, x[0], 4, facets[0], 3, &mesh, NULL) == DEM_OK);
    (void)dem_wall_init(&wall);
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = mesh;
    FUZZ_PROMISE(dem_wall_add(world, &wall, &id) == DEM_OK);
    wall.point[0] = 1.0;
    wall.angular_velocity[2] = 0.5;
    FUZZ_PROMISE(dem_wall_add(world, &wall, NULL) == DEM_OK);
    dem_mesh_destroy(mesh);
    if (!moves)
        return;
    FUZZ_PROMISE(dem_wall_set_vertices(world, id, NULL, velocity[0]) == DEM_OK);
    FUZZ_PROMISE(dem_wall_view(world, id, DEM_FACET_WORK_SHEAR, &view) == DEM_OK);
}

/** Worlds of a few particles, before and after steps, under several models. */
static void make_seed(int n)
{
    dem_world_config config;
    dem_world *world = NULL;
    (void)dem_world_config_init(&config);
    config.gravity[2] = -10.0;
    config.material_count = 2;
    config.integrator = n % 3 == 2 ? DEM_INTEGRATOR_LEAPFROG : DEM_INTEGRATOR_VERLET_SYNC;
    config.boundary[0] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = 3.0;
    FUZZ_PROMISE(dem_world_create(&config, &world, NULL) == DEM_OK);
    const dem_law law = test_law(&control);
    (void)dem_world_law_register(world, &law);
    test_spring spring = {900.0};
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_contact_model model;
    (void)dem_hertz_init(&hertz);
    (void)dem_mindlin_init(&mindlin);
    hertz.young[0] = 2e4;
    for (int32_t a = 0; a < 2; ++a)
        for (int32_t b = a; b < 2; ++b) {
            (void)dem_contact_model_init(&model);
            model.parts[0].law = (a + b + n) % 2 ? "test-spring" : DEM_LAW_HERTZ;
            model.parts[0].parameters = (a + b + n) % 2 ? (const void *)&spring : &hertz;
            model.parts[1].law = (a + b + n) % 2 ? NULL : DEM_LAW_MINDLIN_DERESIEWICZ;
            model.parts[1].parameters = &mindlin;
            FUZZ_PROMISE(dem_contact_model_set(world, a, b, &model) == DEM_OK);
        }
    dem_wall wall;
    (void)dem_wall_init(&wall);
    FUZZ_PROMISE(dem_wall_add(world, &wall, NULL) == DEM_OK);
    if (n % 2 == 1)
        add_mesh(world, n % 4 == 3);
    dem_particle_handle handle = {0, 0};
    for (int k = 0; k < 3 * (n % 4); ++k) {
        dem_particle p;
        (void)dem_particle_init(&p);
        p.position[0] = k % 3 + 0.5 * (k / 3 % 2);
        p.position[1] = 0.1 * (k / 3);
        p.position[2] = 0.45 + 0.8 * (k / 3);
        p.radius = 0.5;
        p.mass = 0.1;
        p.material = k % 2;
        FUZZ_PROMISE(dem_particle_add(world, &p, &handle) == DEM_OK);
    }
    const double push[3] = {0.0, 0.3, 0.0};
    if (n % 4 > 1) {
        (void)dem_particle_set_force(world, handle, push, NULL);
        (void)dem_particle_remove(world, (dem_particle_handle){1, 1});
    }
    FUZZ_PROMISE(dem_step(world, 1e-3, (uint64_t)(n / 4 * 10)) == DEM_OK);
    uint64_t size = 0;
    (void)dem_world_snapshot_size(world, &size);
    uint8_t *bytes = malloc((size_t)size);
    FUZZ_PROMISE(bytes != NULL && dem_world_snapshot(world, bytes, size, NULL) == DEM_OK);
    char name[32];
    snprintf(name, sizeof(name), "world-%02d", n);
    fuzz_seed(name, bytes + HEAD, (size_t)size - HEAD - 8);
    free(bytes);
    dem_world_destroy(world);
}

/** The snapshot that the tests keep of the first version, and a byte that makes it odd. */
static void make_first_seed(void)
{
    static uint8_t bytes[4096];
    FILE *in = fopen("tests/abi/snapshot-1.dem", "rb");
    FUZZ_PROMISE(in != NULL);
    const size_t size = fread(bytes, 1, sizeof(bytes), in);
    FUZZ_PROMISE(size > HEAD + 8 && size < sizeof(bytes));
    fclose(in);
    fuzz_seed("first", bytes + HEAD, size - HEAD - 8 + 1);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    if (getenv("FUZZ_SEEDS") == NULL)
        return 0;
    for (int n = 0; n < 12; ++n)
        make_seed(n);
    make_first_seed();
    exit(0);
}
