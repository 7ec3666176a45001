/* SPDX-License-Identifier: MIT */
/**
 * @file read_contacts.c
 * Contacts in arrays have the bits of the iterator, for all laws, schemes, instructions, walls and
 * periodic boxes, wherever a pass begins and whatever happens between two calls.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/any_model.h"
#include "../support/busy.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

enum { MOST = 4096, STATE = DEM_STATE_MAX };

/** Room for all contacts of a world. */
typedef struct rows {
    dem_contact_key key[MOST];
    int32_t material[MOST][2];
    double overlap[MOST], point[MOST][3], normal[MOST][3], force_normal[MOST][3],
        force_tangential[MOST][3], state[MOST][STATE];
} rows;

static dem_contact_arrays arrays_of(rows *r, uint64_t from, uint64_t capacity)
{
    dem_contact_arrays a;
    OK(dem_contact_arrays_init(&a));
    a.capacity = capacity;
    a.key = r->key + from;
    a.material = r->material[from];
    a.overlap = r->overlap + from;
    a.point = r->point[from];
    a.normal = r->normal[from];
    a.force_normal = r->force_normal[from];
    a.force_tangential = r->force_tangential[from];
    a.state = r->state[from];
    a.state_stride = STATE;
    return a;
}

static void same_row(const rows *r, uint64_t n, const dem_contact *c)
{
    double state[STATE] = {0.0};
    assert_true(c->state_count <= STATE);
    if (c->state_count > 0)
        memcpy(state, c->state, c->state_count * sizeof(double));
    assert_memory_equal(&r->key[n], &c->key, sizeof c->key);
    assert_int_equal(r->material[n][0], c->material_i);
    assert_int_equal(r->material[n][1], c->material_j);
    assert_memory_equal(&r->overlap[n], &c->overlap, sizeof(double));
    assert_memory_equal(r->normal[n], c->normal, sizeof c->normal);
    assert_memory_equal(r->force_normal[n], c->force_normal, sizeof c->force_normal);
    assert_memory_equal(r->force_tangential[n], c->force_tangential, sizeof c->force_tangential);
    assert_memory_equal(r->state[n], state, sizeof state);
}

/** Reads all in arrays of some capacity and one by one; returns how many there are. */
static uint64_t same_contacts(const dem_world *world, uint64_t capacity)
{
    static rows r;
    uint64_t cursor[2] = {0, 0}, total = 0, count;
    dem_contact contact = {.struct_size = sizeof contact};
    do {
        const dem_contact_arrays a = arrays_of(&r, total, capacity);
        OK(dem_world_contacts_read(world, &cursor[0], &a, &count));
        for (uint64_t n = total; n < total + count; ++n) {
            OK(dem_world_contact_next(world, &cursor[1], &contact));
            same_row(&r, n, &contact);
        }
        total += count;
        assert_true(count < capacity || cursor[0] == cursor[1]);
    } while (count == capacity);
    assert_int_equal(dem_world_contact_next(world, &cursor[1], &contact), DEM_ERROR_RANGE);
    assert_int_equal(cursor[0], cursor[1]);
    return total;
}

static int there_is(int32_t isa)
{
    dem_world_config config = scene_config();
    dem_world *world = NULL;
    config.isa = isa;
    const int found = dem_world_create(&config, &world, NULL) == DEM_OK;
    dem_world_destroy(world);
    return found;
}

/* Materials of the particles of a contact are those that they have. */
static void materials_as_set(const dem_world *world)
{
    uint64_t cursor = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK)
        for (int end = 0; end < 2; ++end) {
            dem_particle_handle handle;
            dem_particle p = {.struct_size = sizeof p};
            if (dem_particle_find(world, end ? contact.key.id_j : contact.key.id_i, &handle) !=
                DEM_OK)
                continue;
            OK(dem_particle_get(world, handle, &p));
            assert_int_equal(p.material, end ? contact.material_j : contact.material_i);
        }
}

/* Two materials, walls, a periodic axis, a scheme whose velocities are late. */
static void arrays_have_the_bits_of_the_iterator(void **state)
{
    (void)state;
    static const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_VERLET_STANDARD,
                                      DEM_INTEGRATOR_LEAPFROG};
    for (int32_t isa = DEM_ISA_BASELINE; isa <= DEM_ISA_X86_64_V2; ++isa) {
        for (size_t k = 0; there_is(isa) && k < sizeof schemes / sizeof schemes[0]; ++k) {
            dem_world_config config = scene_config();
            config.isa = isa;
            config.integrator = schemes[k];
            dem_world *world = busy_world(7, 5, &config);
            OK(dem_step(world, BUSY_DT, 40));
            const uint64_t contacts = scene_counts(world).contacts, hash = scene_hash(world);
            assert_true(contacts > 200);
            assert_int_equal(same_contacts(world, 1), contacts);
            assert_int_equal(same_contacts(world, 7), contacts);
            assert_int_equal(same_contacts(world, 100), contacts);
            assert_int_equal(same_contacts(world, contacts), contacts);
            assert_int_equal(same_contacts(world, MOST - 1), contacts);
            assert_int_equal(scene_hash(world), hash);
            materials_as_set(world);
            dem_world_destroy(world);
        }
    }
}

static uint64_t pick(void *user, uint64_t count)
{
    return (uint64_t)test_uniform(user, 0.0, (double)count) % count;
}

static double usual_number(void *user, double usual)
{
    (void)user;
    return usual;
}

static void all_laws(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x9E3779B97F4A7C15)};
    const any_source source = {&random, pick, usual_number};
    int read = 0;
    for (int n = 0; n < 100; ++n) {
        any_parameters parameters;
        test_law_control control = {0, -1, 0.0};
        const dem_law law = test_law(&control);
        dem_world *world = scene_packing(4, 3, NULL, NULL);
        OK(dem_world_law_register(world, &law));
        const dem_contact_model model = any_model(&source, &parameters);
        if (dem_contact_model_set(world, 0, 0, &model) == DEM_OK &&
            dem_step(world, 1e-4, 100) == DEM_OK)
            read += same_contacts(world, MOST - 1) > 5;
        dem_world_destroy(world);
    }
    if (read < 30)
        fail_msg("only %d models were read", read);
}

static void changed(dem_world *world)
{
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_RADIUS, &view));
}

/* From each contact on, of a world that may have changed: batches are others then. */
static void a_pass_may_begin_anywhere(void **state)
{
    (void)state;
    static rows all, r;
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(6, 4, &config);
    OK(dem_step(world, BUSY_DT, 40));
    uint64_t cursor = 0, count, total;
    const dem_contact_arrays a = arrays_of(&all, 0, MOST);
    OK(dem_world_contacts_read(world, &cursor, &a, &total));
    cursor = 0;
    for (uint64_t n = 0; n < total; ++n) {
        dem_contact contact = {.struct_size = sizeof contact};
        uint64_t back = cursor, again = cursor;
        const dem_contact_arrays b = arrays_of(&r, 0, 70);
        changed(world);
        OK(dem_world_contacts_read(world, &back, &b, &count));
        assert_int_equal(count, total - n < 70 ? total - n : 70);
        assert_memory_equal(r.force_tangential, all.force_tangential[n],
                            count * sizeof r.force_tangential[0]);
        assert_memory_equal(r.point, all.point[n], count * sizeof r.point[0]);
        OK(dem_world_contact_next(world, &again, &contact));
        same_row(&all, n, &contact);
        OK(dem_world_contact_next(world, &cursor, &contact));
        same_row(&all, n, &contact);
    }
    dem_world_destroy(world);
}

/* Between two calls bodies come and go: contacts of those that went do not come any more. */
static void removed_while_reading(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(6, 4, &config);
    OK(dem_step(world, BUSY_DT, 40));
    const uint64_t before = same_contacts(world, 64);
    uint64_t cursor = 0, later = 0, left = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    for (int n = 0; n < 3; ++n)
        OK(dem_world_contact_next(world, &cursor, &contact));
    const uint64_t gone = contact.key.id_i;
    later = cursor;
    dem_particle_handle handle;
    OK(dem_particle_find(world, gone, &handle));
    OK(dem_particle_remove(world, handle));
    OK(dem_wall_remove(world, 70000));
    const dem_particle p = scene_particle(2.0, 2.0, 40.0);
    OK(dem_particle_add(world, &p, NULL));
    for (cursor = 0; dem_world_contact_next(world, &cursor, &contact) == DEM_OK; ++left) {
        assert_true(contact.key.id_i != gone && contact.key.id_j != gone);
        assert_true(contact.key.id_i != 0 && contact.key.id_j != 0);
        assert_true(contact.key.id_j != 70000);
    }
    assert_true(left > 0 && left < before);
    assert_true(dem_world_contact_next(world, &later, &contact) == DEM_OK && later < cursor);
    assert_true(same_contacts(world, 5) < before);
    OK(dem_step(world, BUSY_DT, 1));
    (void)same_contacts(world, 5);
    dem_world_destroy(world);
}

static uint64_t row_of(const dem_view *view, uint64_t id)
{
    uint64_t row = 0;
    while (row < view->count && view->id[row] != id)
        ++row;
    return row;
}

/* Forces of contacts, those across the period and with walls, too, add up to those of particles. */
static void forces_add_up(void **state)
{
    (void)state;
    static rows r;
    static double sum[MOST + 1][3], size[MOST + 1];
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(6, 4, &config);
    OK(dem_step(world, BUSY_DT, 40));
    /* evaluates forces for velocities as they are */
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
    OK(dem_step(world, BUSY_DT, 0));
    OK(dem_world_view(world, DEM_FIELD_FORCE, &view));
    assert_true(view.count < MOST);
    uint64_t cursor = 0, count, across = 0;
    const dem_contact_arrays a = arrays_of(&r, 0, MOST);
    OK(dem_world_contacts_read(world, &cursor, &a, &count));
    for (uint64_t n = 0; n < count; ++n) {
        /* what is on walls goes to the row behind all others */
        const uint64_t i = row_of(&view, r.key[n].id_i), j = row_of(&view, r.key[n].id_j);
        across += r.key[n].image[0] != 0;
        for (int c = 0; c < 3; ++c) {
            const double f = r.force_normal[n][c] + r.force_tangential[n][c];
            sum[i][c] += f;
            sum[j][c] -= f;
            size[i] += fabs(f);
            size[j] += fabs(f);
        }
    }
    assert_true(across > 5);
    for (uint64_t row = 0; row < view.count; ++row) {
        const double *f =
            (const double *)(const void *)((const char *)view.data + row * view.stride);
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(f[c] - sum[row][c]) <= 1e-13 * size[row]);
    }
    dem_world_destroy(world);
}

/* Two spheres that touch, one of which lies on a wall with a low id or a high one. */
static void points_of_contact(void **state)
{
    (void)state;
    for (int high = 0; high < 2; ++high) {
        static rows r;
        const dem_world_config config = scene_config();
        dem_world *world = scene_world(&config);
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.id = high ? 1000 : 1;
        OK(dem_wall_add(world, &wall, NULL));
        dem_particle a = scene_particle(1.0, 2.0, 0.49), b = scene_particle(1.9, 2.0, 0.49);
        a.id = 7;
        b.id = 8;
        b.radius = 0.45;
        OK(dem_particle_add(world, &a, NULL));
        OK(dem_particle_add(world, &b, NULL));
        OK(dem_step(world, 1e-6, 0));
        uint64_t cursor = 0, count;
        const dem_contact_arrays to = arrays_of(&r, 0, 8);
        OK(dem_world_contacts_read(world, &cursor, &to, &count));
        assert_int_equal(count, 2);
        for (uint64_t n = 0; n < count; ++n) {
            const int pair = r.key[n].id_i == 7 && r.key[n].id_j == 8;
            const double want[3] = {pair ? 1.475 : 1.0, 2.0, pair ? 0.49 : 0.0};
            for (int c = 0; c < 3; ++c)
                assert_true(fabs(r.point[n][c] - want[c]) < 1e-14);
        }
        dem_world_destroy(world);
    }
}

/* Velocities that were written count: a reading that is kept must not outlive them. */
static void written_velocities_count(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(4, 3, &config);
    OK(dem_step(world, BUSY_DT, 40));
    dem_contact first = {.struct_size = sizeof first}, second = first;
    uint64_t cursor = 0, again = 0;
    OK(dem_world_contact_next(world, &cursor, &first));
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
    for (uint64_t k = 0; k < view.count; ++k)
        ((double *)(void *)((char *)view.data + k * view.stride))[0] *= 3.0;
    OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
    OK(dem_world_contact_next(world, &again, &second));
    assert_memory_equal(&first.key, &second.key, sizeof first.key);
    assert_memory_not_equal(first.force_normal, second.force_normal, sizeof first.force_normal);
    /* the next one, too: it was evaluated with the first */
    static rows r;
    uint64_t count;
    const dem_contact_arrays a = arrays_of(&r, 0, 1);
    changed(world);
    again = cursor;
    OK(dem_world_contacts_read(world, &again, &a, &count));
    cursor = 0;
    OK(dem_world_contact_next(world, &cursor, &first));
    for (uint64_t k = 0; k < view.count; ++k)
        ((double *)(void *)((char *)view.data + k * view.stride))[0] *= 3.0;
    OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
    OK(dem_world_contact_next(world, &cursor, &second));
    assert_memory_not_equal(r.force_normal[0], second.force_normal, sizeof second.force_normal);
    dem_world_destroy(world);
}

/* Calls of both kinds, forwards and backwards: whatever they find evaluated, rows are the same. */
static void calls_may_be_mixed(void **state)
{
    (void)state;
    static rows all, r;
    static uint64_t cursors[MOST];
    test_random random = {UINT64_C(0xC2B2AE3D27D4EB4F)};
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(6, 4, &config);
    OK(dem_step(world, BUSY_DT, 40));
    uint64_t cursor = 0, count, total = 0;
    do {
        const dem_contact_arrays a = arrays_of(&all, total, 1);
        cursors[total] = cursor;
        OK(dem_world_contacts_read(world, &cursor, &a, &count));
        total += count;
    } while (count > 0);
    uint64_t n = 0;
    for (int call = 0; call < 4000; ++call) {
        if (n >= total || pick(&random, 8) == 0)
            n = pick(&random, total);
        cursor = cursors[n];
        count = 1;
        if (pick(&random, 4) == 0) {
            const dem_contact_arrays a = arrays_of(&r, 0, 1 + pick(&random, 5));
            OK(dem_world_contacts_read(world, &cursor, &a, &count));
            assert_memory_equal(r.force_tangential, all.force_tangential[n],
                                count * sizeof r.force_tangential[0]);
        } else {
            dem_contact contact = {.struct_size = sizeof contact};
            OK(dem_world_contact_next(world, &cursor, &contact));
            same_row(&all, n, &contact);
        }
        n += count;
        assert_true(n == total || cursor == cursors[n]);
        if (pick(&random, 2) == 0)
            n = n > 3 ? n - pick(&random, 3) : n;
    }
    dem_world_destroy(world);
}

static void *read_often(void *world)
{
    double sum = 0.0;
    for (int n = 0; n < 20; ++n) {
        uint64_t cursor = 0;
        dem_contact contact = {.struct_size = sizeof contact};
        sum = 0.0;
        while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK)
            sum += contact.force_normal[2] + contact.overlap;
    }
    double *out = malloc(sizeof *out);
    if (out != NULL)
        *out = sum;
    return out;
}

static void threads_read_at_once(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(5, 4, &config);
    OK(dem_step(world, BUSY_DT, 40));
    double *want = read_often(world);
    pthread_t thread[3];
    for (int n = 0; n < 3; ++n)
        assert_int_equal(pthread_create(&thread[n], NULL, read_often, world), 0);
    for (int n = 0; n < 3; ++n) {
        void *seen;
        assert_int_equal(pthread_join(thread[n], &seen), 0);
        assert_memory_equal(seen, want, sizeof *want);
        free(seen);
    }
    free(want);
    dem_world_destroy(world);
}

#define REFUSE(call, wanted, word)                                                                 \
    do {                                                                                           \
        assert_int_equal((call), wanted);                                                          \
        assert_non_null(strstr(dem_world_error(world), word));                                     \
    } while (0)

static void errors_and_choices(void **state)
{
    (void)state;
    static rows r;
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(4, 3, &config);
    uint64_t cursor = 0, count = 0;
    dem_contact_arrays a = arrays_of(&r, 0, MOST);
    /* a world without a list has no contacts */
    OK(dem_world_contacts_read(world, &cursor, &a, &count));
    assert_int_equal(count, 0);
    OK(dem_step(world, BUSY_DT, 40));
    assert_int_equal(dem_world_contacts_read(NULL, &cursor, &a, &count), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_arrays_init_sized(NULL, sizeof a), DEM_ERROR_ARGUMENT);
    REFUSE(dem_world_contacts_read(world, NULL, &a, &count), DEM_ERROR_ARGUMENT, "cursor");
    REFUSE(dem_world_contacts_read(world, &cursor, NULL, &count), DEM_ERROR_ARGUMENT, "arrays");
    REFUSE(dem_world_contacts_read(world, &cursor, &a, NULL), DEM_ERROR_ARGUMENT, "count");
    a.struct_size = 8;
    REFUSE(dem_world_contacts_read(world, &cursor, &a, &count), DEM_ERROR_STRUCT_SIZE,
           "dem_contact_arrays");
    a = arrays_of(&r, 0, 0);
    REFUSE(dem_world_contacts_read(world, &cursor, &a, &count), DEM_ERROR_RANGE, "capacity");
    a = arrays_of(&r, 0, MOST);
    a.state_stride = 0;
    REFUSE(dem_world_contacts_read(world, &cursor, &a, &count), DEM_ERROR_RANGE, "state_stride");
    assert_int_equal(cursor, 0);
    /* only what is asked for is written, and only as many rows as there are */
    memset(&r, 0x55, sizeof r);
    OK(dem_contact_arrays_init(&a));
    a.capacity = MOST;
    a.state = r.state[0];
    a.state_stride = 1;
    OK(dem_world_contacts_read(world, &cursor, &a, &count));
    assert_int_equal(count, scene_counts(world).contacts);
    const unsigned char *after = (const unsigned char *)(r.state[0] + count);
    assert_true(after[0] == 0x55 && *(const unsigned char *)r.overlap == 0x55);
    const uint64_t end = cursor;
    OK(dem_world_contacts_read(world, &cursor, &a, &count));
    assert_true(count == 0 && cursor == end);
    dem_world_destroy(world);
}

/* A dumbbell that comes down on one of its ends, in any pose: dashpots have the mass that the body
 * has there, so that the contact that is read has the force on the body. */
static void dashpots_of_bodies(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; ++axis) {
        dem_world_config config = scene_config();
        config.gravity[2] = 0.0;
        dem_world *world = scene_world(&config);
        dem_wall wall;
        dem_body body;
        dem_body_part parts[2];
        OK(dem_wall_init(&wall));
        wall.normal[2] = axis == 2;
        wall.normal[axis] = 1.0;
        OK(dem_wall_add(world, &wall, NULL));
        OK(dem_body_init(&body));
        body.mass = 2.0;
        body.inertia[0] = 0.4;
        body.inertia[1] = body.inertia[2] = 2.4;
        body.orientation[0] = body.orientation[3] = sqrt(0.5); /* along y */
        body.position[axis] = axis == 1 ? 1.49 : 0.49;
        body.velocity[axis] = -1.0;
        for (int p = 0; p < 2; ++p) {
            OK(dem_body_part_init(&parts[p]));
            parts[p].radius = p == 0 ? 0.5 : 0.4;
            parts[p].centre[0] = p == 0 ? -1.0 : 1.0;
        }
        OK(dem_body_add(world, &body, 2, parts, NULL));
        OK(dem_step(world, 1e-6, 0));
        double force[3];
        uint64_t cursor = 0, count = 0;
        dem_body_arrays arrays;
        OK(dem_body_arrays_init(&arrays));
        arrays.capacity = 1;
        arrays.force = force;
        OK(dem_world_bodies_read(world, &cursor, &arrays, &count));
        dem_contact contact = {.struct_size = sizeof contact};
        cursor = 0;
        OK(dem_world_contact_next(world, &cursor, &contact));
        const double size = fabs(force[axis]);
        assert_true(size > 1.01 * 1000.0 * 0.01); /* more than the spring */
        assert_true(fabs(fabs(contact.force_normal[axis]) - size) < 1e-12 * size);
        dem_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dashpots_of_bodies),
        cmocka_unit_test(arrays_have_the_bits_of_the_iterator),
        cmocka_unit_test(all_laws),
        cmocka_unit_test(a_pass_may_begin_anywhere),
        cmocka_unit_test(removed_while_reading),
        cmocka_unit_test(forces_add_up),
        cmocka_unit_test(points_of_contact),
        cmocka_unit_test(written_velocities_count),
        cmocka_unit_test(calls_may_be_mixed),
        cmocka_unit_test(threads_read_at_once),
        cmocka_unit_test(errors_and_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
