/* SPDX-License-Identifier: MIT */
/**
 * @file level1.c
 * Fuzzer of level 1: a host's particles, pairs, geometry and walls, with lengths as they are told;
 * the arrays have these very lengths, so that reading beyond them is noticed. A call that fails
 * changes neither forces nor history.
 */
#include "bytes.h"

#include "../support/any_model.h"
#include "../support/snapshot.h"

enum { ROWS_MOST = 12, PAIRS_MOST = 24 };

static uint64_t held;
static test_law_control control = {0, -1, 0.0};

/** Arrays of a call, each a block of its own. */
typedef struct arrays {
    void *block[24];
    int blocks;
} arrays;

static void *array(arrays *all, size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size);
    FUZZ_PROMISE(block != NULL && all->blocks < 24);
    return all->block[all->blocks++] = block;
}

static double *numbers(arrays *all, fuzz_bytes *from, uint64_t count, double usual)
{
    double *to = array(all, (size_t)count, sizeof(double));
    for (uint64_t k = 0; k < count; ++k)
        to[k] = fuzz_number(from, usual);
    return to;
}

static void fill(arrays *all, fuzz_bytes *from, dem_contacts_input *in)
{
    (void)dem_contacts_input_init(in);
    const uint64_t rows = fuzz_pick(from, ROWS_MOST), pairs = fuzz_pick(from, PAIRS_MOST);
    in->particle_count = rows;
    in->pair_count = pairs;
    double *position = array(all, (size_t)rows * 3, sizeof(double)),
           *mass = numbers(all, from, rows, 0.1);
    for (uint64_t k = 0; k < 3 * rows; ++k)
        position[k] = fuzz_number(from, (double)(k / 3 >> k % 3 & 1));
    in->position = position;
    in->mass = mass;
    in->velocity = numbers(all, from, 3 * rows, 1.0);
    in->radius = numbers(all, from, rows, 0.52);
    if (fuzz_pick(from, 2) == 0)
        in->angular_velocity = numbers(all, from, 3 * rows, 1.0);
    if (fuzz_pick(from, 2) == 0) {
        in->acceleration_count = rows > 0 ? 1 + fuzz_pick(from, rows) : 0; /* 0: all */
        in->acceleration = numbers(all, from, 3 * in->acceleration_count, 1.0);
    }
    if (fuzz_pick(from, 2) == 0) {
        in->angular_acceleration_count = rows > 0 ? 1 + fuzz_pick(from, rows) : 0;
        in->angular_acceleration = numbers(all, from, 3 * in->angular_acceleration_count, 1.0);
    }
    if (fuzz_pick(from, 2) == 0) {
        uint64_t *id = array(all, (size_t)rows, sizeof(uint64_t));
        for (uint64_t k = 0; k < rows; ++k)
            id[k] = fuzz_pick(from, 32);
        in->id = id;
    }
    if (fuzz_pick(from, 2) == 0) {
        int32_t *material = array(all, (size_t)rows, sizeof(int32_t));
        for (uint64_t k = 0; k < rows; ++k)
            material[k] = (int32_t)fuzz_pick(from, 9) % 3;
        in->material = material;
    }
    uint32_t *pair = array(all, (size_t)pairs * 2, sizeof(uint32_t));
    for (uint64_t k = 0; k < 2 * pairs; ++k)
        pair[k] = (uint32_t)fuzz_pick(from, rows + 1 + (fuzz_pick(from, 16) == 0));
    in->pairs = pair;
    if (fuzz_pick(from, 4) == 0)
        in->shifts = numbers(all, from, 3 * pairs, 0.0);
    if (fuzz_pick(from, 4) == 0) {
        int32_t *image = array(all, (size_t)pairs * 3, sizeof(int32_t));
        for (uint64_t k = 0; k < 3 * pairs; ++k)
            image[k] = fuzz_pick(from, 8) == 0 ? (int32_t)fuzz_word(from, 4)
                                               : (int32_t)fuzz_pick(from, 3) - 1;
        in->images = image;
    }
    if (fuzz_pick(from, 4) == 0) {
        uint64_t *feature = array(all, (size_t)pairs, sizeof(uint64_t));
        for (uint64_t k = 0; k < pairs; ++k)
            feature[k] = fuzz_pick(from, 3);
        in->features = feature;
    }
    in->dt = fuzz_number(from, 1e-4);
    in->velocity_lag = fuzz_pick(from, 2) ? 0.5 * in->dt : 0.0;
    in->kinematics = (int32_t)fuzz_pick(from, 4);
    in->absent = (int32_t)fuzz_pick(from, 3);
    in->forces_only = (int32_t)fuzz_pick(from, 2);
    if (fuzz_pick(from, 4) == 0)
        in->ghost_count = fuzz_pick(from, rows + 1);
    const uint64_t owned = rows - in->ghost_count;
    in->force = array(all, (size_t)owned * 3, sizeof(double));
    if (fuzz_pick(from, 8) != 0)
        in->torque = array(all, (size_t)owned * 3, sizeof(double));
}

static void fill_geometry(arrays *all, fuzz_bytes *from, uint64_t pairs,
                          dem_contacts_geometry *geometry)
{
    (void)dem_contacts_geometry_init(geometry);
    geometry->overlap = numbers(all, from, pairs, 0.01);
    double *normal = array(all, (size_t)pairs * 3, sizeof(double));
    for (uint64_t k = 0; k < pairs; ++k)
        normal[3 * k + fuzz_pick(from, 3)] =
            fuzz_pick(from, 16) == 0 ? fuzz_number(from, 1.0) : 1.0;
    geometry->normal = normal;
    geometry->point = numbers(all, from, 3 * pairs, 0.5);
    if (fuzz_pick(from, 2) == 0)
        geometry->radius = numbers(all, from, pairs, 0.25);
}

/** Some rows of forces, to compare. */
typedef struct before {
    double force[3 * ROWS_MOST], torque[3 * ROWS_MOST];
    snapshot contacts;
} before;

static before state_of(const dem_contact_history *history, const dem_contacts_input *in)
{
    before b;
    memset(&b, 0, sizeof(b));
    const size_t size = (size_t)(in->particle_count - in->ghost_count) * 3 * sizeof(double);
    memcpy(b.force, in->force, size);
    if (in->torque != NULL)
        memcpy(b.torque, in->torque, size);
    b.contacts = snapshot_history(history);
    return b;
}

static void evaluate(dem_contact_history *history, fuzz_bytes *from)
{
    arrays all = {{NULL}, 0};
    dem_contacts_input in;
    dem_contacts_geometry geometry;
    dem_contact_totals totals = {.struct_size = sizeof(totals)};
    fill(&all, from, &in);
    before b = state_of(history, &in);
    dem_status status;
    const uint64_t choice = fuzz_pick(from, 8);
    int commits = 0;
    if (choice < 3)
        status = dem_contacts_evaluate(history, &in, &totals);
    else if (choice < 4) {
        status = dem_contacts_list_begin(history, &in);
        if (status == DEM_OK)
            status = dem_contacts_list_evaluate(history, &in, &totals);
    } else if (choice < 6) {
        fill_geometry(&all, from, in.pair_count, &geometry);
        status = dem_contacts_evaluate_geometry(history, &in, &geometry, &totals);
    } else {
        dem_contacts_stage stage = {.struct_size = sizeof(stage)};
        status = dem_contacts_stage_begin(history, &in, &stage);
        if (status == DEM_OK) {
            for (uint64_t k = 0; k < stage.count; ++k)
                stage.state[k] += fuzz_number(from, 1e-6);
            const dem_status rate = dem_contacts_stage_rate(history, &in, &totals);
            commits = 1;
            if (fuzz_pick(from, 4) != 0)
                (void)dem_contacts_stage_end(history);
            (void)rate;
        }
    }
    if (status != DEM_OK || (choice < 6 && in.forces_only != 0)) {
        before after = state_of(history, &in);
        if (status != DEM_OK)
            FUZZ_PROMISE(memcmp(b.force, after.force, sizeof(b.force)) == 0 &&
                         memcmp(b.torque, after.torque, sizeof(b.torque)) == 0);
        if (status != DEM_OK && !commits)
            FUZZ_PROMISE(snapshot_equal(&b.contacts, &after.contacts));
        snapshot_free(&after.contacts);
    }
    snapshot_free(&b.contacts);
    while (all.blocks > 0)
        free(all.block[--all.blocks]);
}

/** Any wall, and a mesh for one that is a mesh. */
static dem_wall any_wall(fuzz_bytes *from, dem_mesh **mesh)
{
    static const uint32_t facets[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    dem_wall wall;
    dem_mesh_config config;
    double vertices[12];
    (void)dem_wall_init(&wall);
    (void)dem_mesh_config_init(&config);
    config.allocator = (dem_allocator){&held, fuzz_allocate, fuzz_release};
    wall.shape = (int32_t)fuzz_pick(from, 9);
    wall.side = (int32_t)fuzz_pick(from, 4);
    wall.open = fuzz_pick(from, 4) == 0 ? (int32_t)fuzz_pick(from, 5) : 0;
    const uint64_t sizes = fuzz_pick(from, 4);
    for (uint64_t c = 0; c < 3; ++c) {
        wall.point[c] = fuzz_number(from, 0.1);
        wall.normal[c] = fuzz_number(from, 1.0);
        wall.axis[c] = fuzz_pick(from, 2) == 0 ? fuzz_number(from, c == 1 ? 1.0 : 0.2) : 0.0;
        wall.size[c] = c < sizes ? fuzz_number(from, 1.0) : 0.0;
    }
    *mesh = NULL;
    if (wall.shape != DEM_SHAPE_MESH)
        return wall;
    for (uint64_t k = 0; k < 12; ++k)
        vertices[k] = fuzz_number(from, k / 3 == k % 3 + 1 ? 1.0 : 0.0);
    if (dem_mesh_create(&config, vertices, 4, facets[0], 4, mesh, NULL) == DEM_OK)
        wall.mesh = *mesh;
    return wall;
}

/** What was found is what a host may give to the next call. */
static void found_is_whole(const dem_wall_spheres *spheres, const dem_wall_contacts *found)
{
    for (uint64_t k = 0; k < found->count; ++k) {
        const double *n = found->normal + 3 * k;
        const double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        const double radius = spheres->radius[found->pairs[2 * k]];
        FUZZ_PROMISE(found->pairs[2 * k] < spheres->count);
        FUZZ_PROMISE(found->pairs[2 * k + 1] == spheres->wall_row);
        FUZZ_PROMISE(square > 1.0 - 1e-6 && square < 1.0 + 1e-6);
        FUZZ_PROMISE(found->overlap[k] > -spheres->reach * (1.0 + 1e-9) - 1e-9 * radius);
        FUZZ_PROMISE(found->radius[k] > 0.0);
    }
}

static void ask_wall(fuzz_bytes *from)
{
    arrays all = {{NULL}, 0};
    dem_mesh *mesh;
    const dem_wall wall = any_wall(from, &mesh);
    dem_wall_search_config config;
    dem_wall_search *search = NULL;
    dem_error error;
    (void)dem_wall_search_config_init(&config);
    config.allocator = (dem_allocator){&held, fuzz_allocate, fuzz_release};
    const dem_status made = dem_wall_search_create(&config, &wall, &search, &error);
    dem_mesh_destroy(mesh);
    FUZZ_PROMISE((made == DEM_OK) == (search != NULL));
    FUZZ_PROMISE(made == DEM_OK || error.message[0] != '\0');
    for (uint64_t calls = fuzz_pick(from, 4); search != NULL && calls > 0; --calls) {
        dem_wall_spheres spheres;
        dem_wall_contacts found = {.struct_size = sizeof(found)};
        (void)dem_wall_spheres_init(&spheres);
        spheres.count = fuzz_pick(from, ROWS_MOST / 4);
        spheres.wall_row = 7;
        spheres.position = numbers(&all, from, 3 * spheres.count, 0.5);
        spheres.radius = numbers(&all, from, spheres.count, 0.3);
        spheres.reach = fuzz_pick(from, 2) == 0 ? fuzz_number(from, 0.1) : 0.0;
        spheres.displacement[0] = fuzz_number(from, 0.1);
        if (fuzz_pick(from, 2) == 0) {
            spheres.rotation[0] = fuzz_number(from, 0.6);
            spheres.rotation[2] = fuzz_number(from, 0.8);
        }
        if (dem_wall_search_spheres(search, &spheres, &found) == DEM_OK)
            found_is_whole(&spheres, &found);
        else
            FUZZ_PROMISE(dem_wall_search_error(search)[0] != '\0');
    }
    dem_wall_search_destroy(search);
    while (all.blocks > 0)
        free(all.block[--all.blocks]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes from = {data, size};
    dem_contact_history_config config;
    dem_contact_history *history = NULL;
    (void)dem_contact_history_config_init(&config);
    config.material_count = 1 + (int32_t)fuzz_pick(&from, 3);
    config.overlap_limit = fuzz_number(&from, 0.9);
    config.allocator = (dem_allocator){&held, fuzz_allocate, fuzz_release};
    if (dem_contact_history_create(&config, &history, NULL) != DEM_OK) {
        FUZZ_PROMISE(history == NULL && held == 0);
        return 0;
    }
    const dem_law law = test_law(&control);
    FUZZ_PROMISE(dem_contact_history_law_register(history, &law) == DEM_OK);
    const any_source source = {&from, fuzz_pick, fuzz_number};
    any_parameters parameters;
    for (int32_t a = 0; a < config.material_count; ++a) {
        const dem_contact_model model = any_model(&source, &parameters);
        (void)dem_contact_history_model_set(history, a, 0, &model);
    }
    for (int calls = 0; from.left > 0 && calls < 20; ++calls) {
        const uint64_t choice = fuzz_pick(&from, 16);
        if (choice == 0)
            (void)dem_contact_history_clear(history);
        else if (choice == 1) {
            const dem_contact_model model = any_model(&source, &parameters);
            (void)dem_contact_history_model_set(history, (int32_t)fuzz_pick(&from, 3),
                                                (int32_t)fuzz_pick(&from, 3), &model);
        } else if (choice == 2) {
            ask_wall(&from);
        } else
            evaluate(history, &from);
    }
    dem_contact_history_destroy(history);
    FUZZ_PROMISE(held == 0);
    return 0;
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    if (getenv("FUZZ_SEEDS") == NULL)
        return 0;
    fuzz_seeds_mixed(64, 1200);
    exit(0);
}
