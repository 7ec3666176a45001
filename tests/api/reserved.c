/* SPDX-License-Identifier: MIT */
/**
 * @file reserved.c
 * Reserved fields of all structs of the headers: what a caller gives must be zero, what the library
 * gives is zero. The headers themselves are read, so that no field is forgotten here.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/scene.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static dem_world *world;
static dem_contact_history *history;
static test_law_control control;
static char message[256];

static const double corners[3][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
static const uint32_t facet[3] = {0, 1, 2};

static dem_status kept(dem_status status, const char *text)
{
    snprintf(message, sizeof(message), "%s", text);
    return status;
}

static dem_status give_world(void *s)
{
    dem_world *made = NULL;
    dem_error error = {DEM_OK, ""};
    const dem_status status = dem_world_create(s, &made, &error);
    dem_world_destroy(made);
    return kept(status, error.message);
}
static dem_status give_polyhedron(void *s)
{
    static const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t facets[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    dem_mesh_config config;
    dem_mesh *mesh = NULL;
    dem_polyhedron *made = NULL;
    dem_error error = {DEM_OK, ""};
    OK(dem_mesh_config_init(&config));
    OK(dem_mesh_create(&config, x[0], 4, facets[0], 4, &mesh, NULL));
    const dem_status status = dem_polyhedron_create(s, mesh, &made, &error);
    dem_polyhedron_destroy(made);
    dem_mesh_destroy(mesh);
    return kept(status, error.message);
}
static dem_status give_polyhedron_law(void *s)
{
    dem_polyhedron_contact contact = {.struct_size = sizeof(contact)};
    dem_polyhedron_load load = {.struct_size = sizeof(load)};
    dem_error error = {DEM_OK, ""};
    const dem_status status = dem_polyhedron_force(s, &contact, 0.0, &load, &error);
    return kept(status, error.message);
}
static dem_status give_history(void *s)
{
    dem_contact_history *made = NULL;
    dem_error error = {DEM_OK, ""};
    const dem_status status = dem_contact_history_create(s, &made, &error);
    dem_contact_history_destroy(made);
    return kept(status, error.message);
}
static dem_status give_integrator(void *s)
{
    dem_integrator *made = NULL;
    dem_error error = {DEM_OK, ""};
    const dem_status status = dem_integrator_create(s, &made, &error);
    dem_integrator_destroy(made);
    return kept(status, error.message);
}
static dem_status give_model(void *s)
{
    const dem_status status = dem_contact_model_set(world, 0, 0, s);
    assert_int_equal(dem_contact_history_model_set(history, 0, 0, s), status);
    return kept(status, dem_world_error(world));
}
static dem_status give_law(void *s)
{
    const dem_status status = dem_world_law_register(world, s);
    assert_int_equal(dem_contact_history_law_register(history, s), status);
    return kept(status, dem_world_error(world));
}
static dem_status give_input(void *s)
{
    const dem_status status = dem_contacts_evaluate(history, s, NULL);
    return kept(status, dem_contact_history_error(history));
}
static dem_status give_mindlin(void *s)
{
    dem_hertz hertz;
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = hertz.young[1] = 1e6;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = DEM_LAW_HERTZ;
    model.parts[0].parameters = &hertz;
    model.parts[1].law = DEM_LAW_MINDLIN;
    model.parts[1].parameters = s;
    return give_model(&model);
}

/** A law whose combine writes what it was given as dem_pair_properties. */
static dem_status copy_pair(void *user, const void *parameters, dem_pair_properties *pair,
                            void *combined, dem_error *error)
{
    (void)user;
    (void)combined;
    (void)error;
    memcpy(pair, parameters, sizeof(*pair));
    return DEM_OK;
}
static dem_status give_pair(void *s)
{
    static int number;
    static char names[8][16];
    snprintf(names[number], sizeof(names[number]), "pair-%d", number);
    dem_law law = test_law(&control);
    law.name = names[number++];
    law.combine = copy_pair;
    OK(dem_world_law_register(world, &law));
    OK(dem_contact_history_law_register(history, &law));
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = law.name;
    model.parts[0].parameters = s;
    return give_model(&model);
}

static dem_status give_boxes(void *s)
{
    dem_analysis_box box;
    memset(&box, 0, sizeof(box));
    box.struct_size = sizeof(box);
    return kept(dem_world_boxes_analyse(world, s, 1, &box), dem_world_error(world));
}
static dem_status give_ghost(void *s)
{
    const dem_status status =
        kept(dem_ghosts_set(world, 1, s, (double)INFINITY, NULL), dem_world_error(world));
    OK(dem_ghosts_set(world, 0, NULL, (double)INFINITY, NULL));
    return status;
}

static dem_status give_servo(void *s)
{
    dem_wall wall;
    uint64_t id;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, &id));
    return kept(dem_wall_set_servo(world, id, s), dem_world_error(world));
}
static dem_status give_part(void *s)
{
    dem_body body;
    dem_body_handle handle;
    OK(dem_body_init(&body));
    body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    const dem_status status = dem_body_add(world, &body, 1, s, &handle);
    const dem_status got = kept(status, dem_world_error(world));
    if (status == DEM_OK)
        OK(dem_body_remove(world, handle));
    dem_error error = {DEM_OK, ""};
    assert_int_equal(dem_clump_measure(1.0, 1, s, &body, NULL, &error), status);
    if (status != DEM_OK)
        assert_non_null(strstr(error.message, "dem_body_part.reserved"));
    return got;
}
static dem_status give_key(void *s)
{
    dem_contact contact;
    memset(&contact, 0, sizeof(contact));
    contact.struct_size = sizeof(contact);
    memcpy(&contact.key, s, sizeof(contact.key));
    contact.normal[0] = 1.0;
    dem_contact_history_config config;
    dem_contact_history *made = NULL;
    dem_hertz hertz;
    dem_contact_model model;
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &made, NULL));
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = hertz.young[1] = 1e6;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_hertz(&model, &hertz));
    OK(dem_contact_history_model_set(made, 0, 0, &model));
    const dem_status status = dem_contact_history_add(made, 1, &contact);
    const dem_status got = kept(status, dem_contact_history_error(made));
    dem_contact_history_destroy(made);
    return got;
}
static dem_status give_cells(void *s)
{
    const double position[3] = {0.5, 0.5, 0.5};
    dem_deposition_weights weights;
    dem_error error = {DEM_OK, ""};
    return kept(dem_deposition_weights_of(s, position, &weights, &error), error.message);
}
static dem_status give_mesh(void *s)
{
    dem_mesh *mesh = NULL;
    dem_error error = {DEM_OK, ""};
    const dem_status status = dem_mesh_create(s, corners[0], 3, facet, 1, &mesh, &error);
    dem_mesh_destroy(mesh);
    return kept(status, error.message);
}
static dem_status give_spheres(void *s)
{
    dem_mesh_config plain;
    OK(dem_mesh_config_init(&plain));
    dem_mesh *mesh = NULL;
    OK(dem_mesh_create(&plain, corners[0], 3, facet, 1, &mesh, NULL));
    dem_mesh_search_config config;
    OK(dem_mesh_search_config_init(&config));
    dem_mesh_search *search = NULL;
    OK(dem_mesh_search_create(&config, mesh, &search, NULL));
    dem_mesh_contacts contacts;
    memset(&contacts, 0, sizeof(contacts));
    contacts.struct_size = sizeof(contacts);
    const dem_status status = dem_mesh_search_spheres(search, s, &contacts);
    const dem_status got = kept(status, dem_mesh_search_error(search));
    dem_mesh_search_destroy(search);
    dem_mesh_destroy(mesh);
    return got;
}

static dem_status give_wall_spheres(void *s)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    dem_wall_search_config config;
    OK(dem_wall_search_config_init(&config));
    dem_wall_search *search = NULL;
    OK(dem_wall_search_create(&config, &wall, &search, NULL));
    dem_wall_contacts contacts;
    memset(&contacts, 0, sizeof(contacts));
    contacts.struct_size = sizeof(contacts);
    const dem_status status = dem_wall_search_spheres(search, s, &contacts);
    const dem_status got = kept(status, dem_wall_search_error(search));
    dem_wall_search_destroy(search);
    return got;
}

/** A reserved field: of a struct that the caller fills, or one that the library fills. */
typedef struct field {
    const char *owner, *name;
    size_t offset;
    dem_status (*give)(void *);
} field;

#define GIVEN(type, name, call)                                                                    \
    {                                                                                              \
#type, #name, offsetof(type, name), call                                                   \
    }
#define TAKEN(type, name)                                                                          \
    {                                                                                              \
#type, #name, offsetof(type, name), NULL                                                   \
    }
static const field fields[] = {
    GIVEN(dem_world_config, reserved, give_world),
    GIVEN(dem_world_config, reserved_end, give_world),
    GIVEN(dem_world_config, reserved_sums, give_world),
    GIVEN(dem_world_config, reserved_polyhedron, give_world),
    GIVEN(dem_contact_history_config, reserved, give_history),
    GIVEN(dem_contact_history_config, reserved_end, give_history),
    GIVEN(dem_contact_history_config, reserved_sums, give_history),
    GIVEN(dem_integrator_config, reserved, give_integrator),
    GIVEN(dem_contact_model, reserved, give_model),
    GIVEN(dem_law, reserved, give_law),
    GIVEN(dem_contacts_input, reserved, give_input),
    GIVEN(dem_mindlin, reserved, give_mindlin),
    GIVEN(dem_pair_properties, reserved, give_pair),
    GIVEN(dem_analysis_grid, reserved, give_boxes),
    GIVEN(dem_deposition_grid, reserved, give_cells),
    GIVEN(dem_mesh_config, reserved, give_mesh),
    GIVEN(dem_mesh_spheres, reserved, give_spheres),
    GIVEN(dem_wall_spheres, reserved, give_wall_spheres),
    GIVEN(dem_ghost, reserved, give_ghost), /* before walls that seek a force */
    GIVEN(dem_wall_servo, reserved, give_servo),
    GIVEN(dem_body_part, reserved, give_part),
    GIVEN(dem_contact_key, reserved, give_key),
    GIVEN(dem_polyhedron_config, reserved, give_polyhedron),
    GIVEN(dem_polyhedron_law, reserved, give_polyhedron_law),
    TAKEN(dem_pair_value, reserved),
    TAKEN(dem_mesh_properties, reserved),
};
enum { FIELDS = sizeof(fields) / sizeof(fields[0]) };

/** A struct as its init leaves it, with what it needs to be taken. */
static void fill(const char *owner, void *s)
{
    if (strcmp(owner, "dem_world_config") == 0)
        OK(dem_world_config_init(s));
    else if (strcmp(owner, "dem_contact_history_config") == 0)
        OK(dem_contact_history_config_init(s));
    else if (strcmp(owner, "dem_integrator_config") == 0)
        OK(dem_integrator_config_init(s));
    else if (strcmp(owner, "dem_contact_model") == 0)
        OK(dem_contact_model_init(s));
    else if (strcmp(owner, "dem_mindlin") == 0)
        OK(dem_mindlin_init(s));
    else if (strcmp(owner, "dem_law") == 0) {
        const dem_law law = test_law(&control);
        memcpy(s, &law, sizeof(law));
    } else if (strcmp(owner, "dem_contacts_input") == 0) {
        OK(dem_contacts_input_init(s));
        ((dem_contacts_input *)s)->dt = 1.0;
    } else if (strcmp(owner, "dem_analysis_grid") == 0) {
        OK(dem_analysis_grid_init(s));
    } else if (strcmp(owner, "dem_deposition_grid") == 0) {
        OK(dem_deposition_grid_init(s));
    } else if (strcmp(owner, "dem_mesh_config") == 0) {
        OK(dem_mesh_config_init(s));
    } else if (strcmp(owner, "dem_mesh_spheres") == 0) {
        OK(dem_mesh_spheres_init(s));
    } else if (strcmp(owner, "dem_wall_spheres") == 0) {
        OK(dem_wall_spheres_init(s));
    } else if (strcmp(owner, "dem_ghost") == 0) {
        dem_ghost *ghost = s;
        ghost->struct_size = sizeof *ghost;
        ghost->id = 1;
        ghost->radius = ghost->mass = 1.0;
    } else if (strcmp(owner, "dem_wall_servo") == 0) {
        OK(dem_wall_servo_init(s));
        ((dem_wall_servo *)s)->speed = 1.0;
    } else if (strcmp(owner, "dem_body_part") == 0) {
        OK(dem_body_part_init(s));
        ((dem_body_part *)s)->radius = 1.0;
    } else if (strcmp(owner, "dem_contact_key") == 0) {
        ((dem_contact_key *)s)->id_i = 1;
        ((dem_contact_key *)s)->id_j = 2;
    } else if (strcmp(owner, "dem_polyhedron_config") == 0) {
        OK(dem_polyhedron_config_init(s));
    } else if (strcmp(owner, "dem_polyhedron_law") == 0) {
        OK(dem_polyhedron_law_init(s));
        ((dem_polyhedron_law *)s)->modulus = ((dem_polyhedron_law *)s)->radius = 1.0;
    } else if (strcmp(owner, "dem_pair_properties") == 0) {
        ((dem_pair_properties *)s)->struct_size = sizeof(dem_pair_properties);
        ((dem_pair_properties *)s)->restitution = 1.0;
    } else {
        fail_msg("%s is not known to this test", owner);
    }
}

static void given_fields(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    world = scene_world(&config);
    dem_contact_history_config h;
    OK(dem_contact_history_config_init(&h));
    OK(dem_contact_history_create(&h, &history, NULL));
    for (size_t k = 0; k < FIELDS; ++k) {
        if (fields[k].give == NULL)
            continue;
        union {
            double align;
            unsigned char bytes[1024];
        } s;
        const int32_t wrong[] = {1, -1, INT32_MIN};
        for (size_t n = 0; n < 3; ++n) {
            memset(&s, 0, sizeof(s));
            fill(fields[k].owner, &s);
            int32_t value;
            memcpy(&value, s.bytes + fields[k].offset, sizeof(value));
            assert_int_equal(value, 0);
            memcpy(s.bytes + fields[k].offset, &wrong[n], sizeof(wrong[n]));
            const dem_status got = fields[k].give(&s);
            char full[64];
            snprintf(full, sizeof(full), "%s.%s", fields[k].owner, fields[k].name);
            if (got != DEM_ERROR_UNKNOWN || strstr(message, full) == NULL)
                fail_msg("%s = %d: status %d, message \"%s\"", full, (int)wrong[n], (int)got,
                         message);
        }
        memset(&s, 0, sizeof(s));
        fill(fields[k].owner, &s);
        const dem_status got = fields[k].give(&s);
        if (got != DEM_OK)
            fail_msg("%s as its init leaves it: status %d, message \"%s\"", fields[k].owner,
                     (int)got, message);
    }
    dem_world_destroy(world);
    dem_contact_history_destroy(history);
}

static void taken_fields(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    world = scene_world(&config);
    const dem_particle two[2] = {scene_particle(0.0, 0.0, 0.0), scene_particle(0.9, 0.0, 0.0)};
    OK(dem_particles_add(world, 2, two, NULL));
    OK(dem_step(world, 1e-4, 1));
    dem_contact contact;
    memset(&contact, 0x5A, sizeof(contact));
    contact.struct_size = sizeof(contact);
    uint64_t cursor = 0;
    OK(dem_world_contact_next(world, &cursor, &contact));
    assert_int_equal(contact.key.reserved, 0);
    dem_pair_value value;
    memset(&value, 0x5A, sizeof(value));
    value.struct_size = sizeof(value);
    OK(dem_world_pair_value(world, 0, 0, 0, &value));
    assert_int_equal(value.reserved, 0);
    dem_world_destroy(world);
    dem_mesh_config plain;
    OK(dem_mesh_config_init(&plain));
    dem_mesh *mesh = NULL;
    OK(dem_mesh_create(&plain, corners[0], 3, facet, 1, &mesh, NULL));
    dem_mesh_properties properties;
    memset(&properties, 0x5A, sizeof(properties));
    properties.struct_size = sizeof(properties);
    OK(dem_mesh_properties_get(mesh, &properties));
    assert_int_equal(properties.reserved, 0);
    dem_mesh_destroy(mesh);
}

/** Opens a header of the sources. */
static FILE *header_open(const char *name)
{
    /* this file is compiled by its path from the top */
    char path[512];
    const char *end = strstr(__FILE__, "tests/api/reserved.c");
    assert_non_null(end);
    snprintf(path, sizeof(path), "%.*sinclude/dem/%s", (int)(end - __FILE__), __FILE__, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s cannot be read: run this test at the top of the sources", path);
    return file;
}

/** Every `reserved...;` of a header is in the table under the struct that it stands in. */
static int header_fields(const char *name)
{
    char line[512], owner[64] = "", pending[8][32];
    int found = 0, waiting = 0;
    FILE *file = header_open(name);
    while (fgets(line, sizeof(line), file) != NULL) {
        const char *at = strstr(line, " reserved");
        if (at != NULL) {
            size_t length = 1;
            while (islower((unsigned char)at[length]) || at[length] == '_')
                ++length;
            if (at[length] == ';') {
                assert_true(waiting < 8);
                snprintf(pending[waiting++], sizeof(pending[0]), "%.*s", (int)length - 1, at + 1);
            }
        }
        if (sscanf(line, "} %63[a-z_];", owner) != 1)
            continue;
        for (; waiting > 0; --waiting, ++found) {
            size_t k = 0;
            while (k < FIELDS && (strcmp(fields[k].owner, owner) != 0 ||
                                  strcmp(fields[k].name, pending[waiting - 1]) != 0))
                ++k;
            if (k == FIELDS)
                fail_msg("%s.%s of %s is not in the table of this test", owner,
                         pending[waiting - 1], name);
        }
    }
    fclose(file);
    assert_int_equal(waiting, 0);
    return found;
}

static void none_is_forgotten(void **state)
{
    (void)state;
    char line[512], name[64];
    int found = 0, headers = 0;
    FILE *file = header_open("dem.h");
    while (fgets(line, sizeof(line), file) != NULL)
        if (sscanf(line, "#include \"%63[a-z_.]\"", name) == 1) {
            found += header_fields(name);
            ++headers;
        }
    fclose(file);
    assert_in_range(headers, 10, 100);
    assert_int_equal(found, FIELDS);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_fields),
        cmocka_unit_test(taken_fields),
        cmocka_unit_test(none_is_forgotten),
    };
    return cmocka_run_group_tests_name("reserved", tests, NULL, NULL);
}
