/* SPDX-License-Identifier: MIT */
/**
 * @file world.c
 * Level 2: handles and ids, views, the contact iterator, changes in mid-run, periodic boxes.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/fields.h"
#include "../support/scene.h"
#include "../support/snapshot.h"

#include <float.h>

#define DT 1e-3

static dem_particle get(const dem_world *world, dem_particle_handle handle)
{
    dem_particle p = {.struct_size = sizeof(p)};
    OK(dem_particle_get(world, handle, &p));
    return p;
}

/** The row of an id in a view. */
static double *row_with(const dem_view *view, uint64_t id)
{
    for (uint64_t n = 0; n < view->count; ++n)
        if (view->id[n] == id)
            return row_of(view, n);
    fail_msg("id %llu is not in the view", (unsigned long long)id);
    return NULL;
}

static void handles_and_ids(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_particle p[3] = {scene_particle(0, 0, 5), scene_particle(2, 0, 5), scene_particle(4, 0, 5)};
    p[1].id = 1000;
    dem_particle_handle h[3], found, again;
    OK(dem_particles_add(world, 3, p, h));
    assert_int_equal(scene_counts(world).particles, 3);
    const uint64_t first = get(world, h[0]).id, last = get(world, h[2]).id;
    assert_true(first != 0 && last != 0 && first != last && first != 1000 && last != 1000);
    assert_int_equal(get(world, h[1]).id, 1000);
    OK(dem_particle_find(world, 1000, &found));
    assert_true(found.index == h[1].index && found.generation == h[1].generation);
    assert_true(get(world, found).position[0] == 2.0);

    OK(dem_particle_remove(world, h[1]));
    assert_int_equal(dem_particle_find(world, 1000, &found), DEM_ERROR_HANDLE);
    OK(dem_particle_add(world, &p[1], &again)); /* the id is free again, the handle is not */
    assert_int_equal(dem_particle_get(world, h[1], &p[0]), DEM_ERROR_HANDLE);
    assert_true(again.index != h[1].index || again.generation != h[1].generation);
    assert_true(again.generation != 0);
    OK(dem_step(world, DT, 20));
    /* sorting and stepping leave handles alone */
    assert_true(get(world, h[0]).position[0] == 0.0 && get(world, h[2]).position[0] == 4.0);
    assert_int_equal(get(world, again).id, 1000);
    /* a handle used over and over stays distinct */
    for (int n = 0; n < 100; ++n) {
        OK(dem_particle_remove(world, again));
        const dem_particle_handle old = again;
        OK(dem_particle_add(world, &p[1], &again));
        assert_int_equal(dem_particle_remove(world, old), DEM_ERROR_HANDLE);
    }
    assert_int_equal(scene_counts(world).particles, 3);
    dem_world_destroy(world);
}

/** A cubic lattice that is squeezed a little, but for the first layer, which is listed and does not
 * touch: each contact has the same force, and those of an inner sphere balance. */
static void nearly_all_pairs_of_a_lattice_touch(void **state)
{
    (void)state;
    enum { SIDE = 9, PAIRS = 3 * SIDE * SIDE * (SIDE - 1) };
    dem_world_config config = scene_config();
    config.gravity[2] = 0.0;
    dem_world *world = scene_world(&config);
    for (int n = 0; n < SIDE * SIDE * SIDE; ++n) {
        const int at[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE};
        dem_particle p =
            scene_particle(0.999 * at[0] + (at[0] > 0 ? 0.05 : 0.0), 0.999 * at[1], 0.999 * at[2]);
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, 1e-9, 2));
    assert_int_equal(scene_counts(world).contacts, PAIRS - SIDE * SIDE);
    assert_int_equal(scene_counts(world).candidates, PAIRS);
    const dem_view x = view_of(world, DEM_FIELD_POSITION), f = view_of(world, DEM_FIELD_FORCE);
    for (uint64_t n = 0; n < x.count; ++n)
        for (int c = 0; c < 3; ++c) {
            const int at = (int)(row_of(&x, n)[c] / 0.999 + 0.2);
            const int low = c == 0 ? at == 1 : at == 0, high = at == SIDE - 1;
            /* they hardly move */
            assert_true(fabs(row_of(&f, n)[c] - (high - low)) < 1e-6);
        }
    dem_world_destroy(world);
}

static void particle_round_trip(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(1.0, 2.0, 3.0), q;
    p.velocity[0] = 0.5;
    p.angular_velocity[2] = -4.0;
    p.mass = 0.0; /* from the density: 1000 * 4/3 pi r^3 */
    dem_particle_handle h;
    OK(dem_particle_add(world, &p, &h));
    q = get(world, h);
    assert_memory_equal(q.position, p.position, sizeof(p.position));
    assert_memory_equal(q.velocity, p.velocity, sizeof(p.velocity));
    assert_memory_equal(q.angular_velocity, p.angular_velocity, sizeof(p.angular_velocity));
    const double mass = 1000.0 * 4.0 / 3.0 * 3.14159265358979323846 * 0.125;
    assert_true(fabs(q.mass - mass) < 4.0 * DBL_EPSILON * mass);
    const double x[3] = {9.0, 8.0, 7.0}, v[3] = {0.0, 0.0, 1.0}, force[3] = {mass, 0.0, 0.0};
    OK(dem_particle_set_motion(world, h, x, NULL, NULL));
    q = get(world, h);
    assert_memory_equal(q.position, x, sizeof(x));
    assert_memory_equal(q.velocity, p.velocity, sizeof(v));
    OK(dem_particle_set_motion(world, h, NULL, v, v));
    /* a thrown body under a constant force: exact for this scheme, up to round-off */
    OK(dem_particle_set_force(world, h, force, NULL));
    OK(dem_step(world, DT, 100));
    const double t = dem_world_time(world);
    assert_true(fabs(t - 0.1) < 1e-14);
    q = get(world, h);
    assert_true(fabs(q.position[0] - (9.0 + 0.5 * t * t)) < 1e-13);
    assert_true(q.position[1] == 8.0);
    assert_true(fabs(q.position[2] - (7.0 + t - 5.0 * t * t)) < 1e-13);
    assert_true(fabs(q.velocity[2] - (1.0 - 10.0 * t)) < 1e-13);
    assert_true(q.angular_velocity[2] == 1.0);
    const dem_world_energies e = scene_energies(world);
    assert_true(fabs(e.work_external - mass * (q.position[0] - 9.0)) < 1e-12 * mass);
    dem_world_destroy(world);
}

static void views(void **state)
{
    (void)state;
    dem_world *world = scene_packing(5, 3, NULL, NULL), *twin = scene_packing(5, 3, NULL, NULL);
    OK(dem_step(world, DT, 40));
    OK(dem_step(twin, DT, 40));
    const dem_view x = view_of(world, DEM_FIELD_POSITION), v = view_of(world, DEM_FIELD_VELOCITY);
    const dem_view r = view_of(world, DEM_FIELD_RADIUS);
    assert_int_equal(x.count, 75);
    assert_int_equal(v.count, 75);
    assert_true(x.stride >= 24 && v.stride >= 24 && r.stride >= 8);
    for (uint64_t n = 0; n < x.count; ++n) {
        dem_particle_handle h;
        OK(dem_particle_find(world, x.id[n], &h));
        const dem_particle p = get(world, h);
        assert_memory_equal(row_of(&v, n), p.velocity, sizeof(p.velocity));
        assert_true(*row_of(&r, n) == p.radius);
        for (int c = 0; c < 2; ++c) {
            const double in = row_of(&x, n)[c], turns = (p.position[c] - in) / 5.0;
            assert_true(in >= 0.0 && in < 5.0 && fabs(turns - round(turns)) < 1e-12);
        }
        assert_true(row_of(&x, n)[2] == p.position[2]);
    }
    assert_int_equal(dem_world_view_stale(world, &x), 0);
    OK(dem_step(world, DT, 1));
    OK(dem_step(twin, DT, 1));
    assert_int_equal(dem_world_view_stale(world, &x), 1);
    assert_int_equal(dem_world_view_stale(world, &v), 1);
    assert_int_equal(scene_hash(world), scene_hash(twin)); /* reading has changed nothing */

    /* writing a velocity through a view is the same as setting it by call */
    const dem_view w = view_of(world, DEM_FIELD_VELOCITY);
    const uint64_t id = w.id[17];
    const double fast[3] = {0.25, -0.5, 0.75};
    memcpy(row_of(&w, 17), fast, sizeof(fast));
    OK(dem_world_written(world));
    dem_particle_handle h;
    OK(dem_particle_find(twin, id, &h));
    OK(dem_particle_set_motion(twin, h, NULL, fast, NULL));
    OK(dem_step(world, DT, 50));
    OK(dem_step(twin, DT, 50));
    assert_int_equal(scene_hash(world), scene_hash(twin));

    /* likewise a force */
    const dem_view f = view_of(world, DEM_FIELD_EXTERNAL_FORCE);
    row_with(&f, id)[0] = 0.5;
    OK(dem_world_written(world));
    const double push[3] = {0.5, 0.0, 0.0};
    OK(dem_particle_find(twin, id, &h));
    OK(dem_particle_set_force(twin, h, push, NULL));
    OK(dem_step(world, DT, 50));
    OK(dem_step(twin, DT, 50));
    assert_int_equal(scene_hash(world), scene_hash(twin));
    assert_true(scene_energies(world).work_external != 0.0);

    const dem_view before_add = view_of(world, DEM_FIELD_FORCE);
    dem_particle p = scene_particle(2.5, 2.5, 40.0);
    OK(dem_particle_add(world, &p, &h));
    assert_int_equal(dem_world_view_stale(world, &before_add), 1);
    const dem_view before_remove = view_of(world, DEM_FIELD_FORCE);
    assert_int_equal(dem_world_view_stale(world, &before_remove), 0);
    OK(dem_particle_remove(world, h));
    assert_int_equal(dem_world_view_stale(world, &before_remove), 1);
    dem_world_destroy(world);
    dem_world_destroy(twin);
    const dem_world_config config = scene_config();
    world = scene_world(&config);
    const dem_view none = view_of(world, DEM_FIELD_VELOCITY);
    assert_true(none.count == 0 && none.data == NULL);
    dem_world_destroy(world);
}

/** A drag on every sphere and a torque against its angular velocity, which both depend on the
 * velocities of the last step: through views with a touch of each field, through views with
 * dem_world_written, or by calls. */
enum { BY_FIELD, BY_TOUCH, BY_CALL };
static void drag(dem_world *world, int how)
{
    const dem_view v = view_of(world, DEM_FIELD_VELOCITY);
    const dem_view w = view_of(world, DEM_FIELD_ANGULAR_VELOCITY);
    dem_view f = {.data = NULL}, m = {.data = NULL};
    if (how != BY_CALL) {
        f = view_of(world, DEM_FIELD_EXTERNAL_FORCE);
        m = view_of(world, DEM_FIELD_EXTERNAL_TORQUE);
    }
    for (uint64_t n = 0; n < v.count; ++n) {
        double force[3], torque[3];
        for (int c = 0; c < 3; ++c) {
            force[c] = -0.05 * row_of(&v, n)[c];
            torque[c] = -0.01 * row_of(&w, n)[c];
        }
        if (how != BY_CALL) {
            memcpy(row_of(&f, n), force, sizeof(force));
            memcpy(row_of(&m, n), torque, sizeof(torque));
            continue;
        }
        dem_particle_handle h;
        OK(dem_particle_find(world, v.id[n], &h));
        OK(dem_particle_set_force(world, h, force, torque));
    }
    if (how == BY_TOUCH)
        OK(dem_world_written(world));
    if (how != BY_FIELD)
        return;
    OK(dem_world_written_field(world, DEM_FIELD_EXTERNAL_FORCE));
    OK(dem_world_written_field(world, DEM_FIELD_EXTERNAL_TORQUE));
    /* nothing is marked by a call that is refused */
    assert_int_equal(dem_world_written_field(world, DEM_FIELD_FORCE), DEM_ERROR_RANGE);
}

/* A host that reads velocities and names external forces as written has the bits of one that sets
 * forces by calls; so has one that says that anything may be written, where velocities were not. */
static void drag_in_three_ways(int32_t integrator)
{
    dem_world_config config = scene_config();
    config.integrator = integrator;
    dem_world *world[3];
    for (int how = BY_FIELD; how <= BY_CALL; ++how) {
        world[how] = scene_packing_config(5, 3, &config);
        OK(dem_step(world[how], DT, 200));
    }
    assert_true(scene_counts(world[BY_FIELD]).contacts > 30);
    for (int step = 0; step < 100; ++step) {
        for (int how = BY_FIELD; how <= BY_CALL; ++how) {
            drag(world[how], how);
            OK(dem_step(world[how], DT, 1 + (uint64_t)(step % 3)));
        }
        assert_int_equal(scene_hash(world[BY_FIELD]), scene_hash(world[BY_CALL]));
        assert_int_equal(scene_hash(world[BY_FIELD]), scene_hash(world[BY_TOUCH]));
    }
    const dem_world_energies field = scene_energies(world[BY_FIELD]);
    const dem_world_energies call = scene_energies(world[BY_CALL]);
    assert_memory_equal(&field, &call, sizeof(field));
    assert_true(field.work_external < 0.0);
    for (int how = BY_FIELD; how <= BY_CALL; ++how)
        dem_world_destroy(world[how]);
}

static void reading_velocities_is_not_writing(void **state)
{
    (void)state;
    drag_in_three_ways(DEM_INTEGRATOR_VERLET_SYNC);
    drag_in_three_ways(DEM_INTEGRATOR_LEAPFROG); /* its velocities are late, and stay so */
}

/* A velocity, or an angular velocity, that is written and named is the same as one that is set by
 * call. */
static void written_motion(int32_t integrator, int32_t field)
{
    static const double fast[3] = {0.25, -0.5, 0.75};
    const int angular_velocity = field == DEM_FIELD_ANGULAR_VELOCITY;
    dem_world_config config = scene_config();
    config.integrator = integrator;
    dem_world *world = scene_packing_config(5, 3, &config);
    dem_world *twin = scene_packing_config(5, 3, &config);
    OK(dem_step(world, DT, 200));
    OK(dem_step(twin, DT, 200));
    snapshot s = snapshot_world(world); /* the sphere is one in contact */
    const uint64_t id = s.rows[s.count / 2].key.id_i;
    snapshot_free(&s);
    const dem_view view = view_of(world, field);
    memcpy(row_with(&view, id), fast, sizeof(fast));
    OK(dem_world_written_field(world, field));
    dem_particle_handle h;
    OK(dem_particle_find(twin, id, &h));
    OK(dem_particle_set_motion(twin, h, NULL, angular_velocity ? NULL : fast,
                               angular_velocity ? fast : NULL));
    for (int step = 0; step < 20; ++step) {
        OK(dem_step(world, DT, 1));
        OK(dem_step(twin, DT, 1));
        assert_int_equal(scene_hash(world), scene_hash(twin));
    }
    dem_world_destroy(world);
    dem_world_destroy(twin);
}

static void written_motion_is_named(void **state)
{
    (void)state;
    static const int32_t integrators[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_LEAPFROG};
    for (int n = 0; n < 2; ++n) {
        written_motion(integrators[n], DEM_FIELD_VELOCITY);
        written_motion(integrators[n], DEM_FIELD_ANGULAR_VELOCITY);
    }
}

/** Largest difference between a particle's contact force and the sum over its contacts. */
static double force_mismatch(dem_world *world, double *largest)
{
    const dem_view f = view_of(world, DEM_FIELD_FORCE);
    double(*sum)[3] = calloc(f.count, sizeof(*sum));
    assert_non_null(sum);
    snapshot s = snapshot_world(world);
    assert_int_equal(s.last, DEM_ERROR_RANGE);
    assert_int_equal(s.count, scene_counts(world).contacts);
    for (uint64_t k = 0; k < s.count; ++k) {
        const snapshot_row *c = &s.rows[k];
        assert_true(c->key.id_i < c->key.id_j);
        if (k > 0)
            assert_true(snapshot_compare(&s.rows[k - 1], c) < 0); /* each contact once */
        for (uint64_t n = 0; n < f.count; ++n)
            for (int d = 0; d < 3; ++d) {
                const double force = c->force_normal[d] + c->force_tangential[d];
                sum[n][d] += f.id[n] == c->key.id_i ? force : f.id[n] == c->key.id_j ? -force : 0;
            }
    }
    double worst = 0.0;
    *largest = 0.0;
    for (uint64_t n = 0; n < f.count; ++n) {
        for (int d = 0; d < 3; ++d) {
            worst = fmax(worst, fabs(row_of(&f, n)[d] - sum[n][d]));
            *largest = fmax(*largest, fabs(sum[n][d]));
        }
    }
    snapshot_free(&s);
    free(sum);
    return worst;
}

/* The iterator's forces differ from those of the step by O(dt^2): halving dt quarters the
 * difference, and for an evaluation without a step there is none. */
static void contact_forces_sum_up(void **state)
{
    (void)state;
    double largest[2], worst[2];
    for (int n = 0; n < 2; ++n) {
        dem_world *world = scene_packing(6, 4, NULL, NULL);
        OK(dem_step(world, DT, 400));
        OK(dem_step(world, 2e-4 / (n + 1), 50u * (unsigned)(n + 1)));
        assert_true(scene_counts(world).contacts > 50);
        worst[n] = force_mismatch(world, &largest[n]);
        assert_true(scene_energies(world).dissipated_slip > 0.0);
        dem_world_destroy(world);
    }
    printf("# forces differ by %.3g and %.3g N at most, of %.3g N\n", worst[0], worst[1],
           largest[0]);
    assert_true(worst[0] < 1e-3 * largest[0]);
    assert_true(worst[1] < worst[0] / 2.5 || worst[0] < 1e-12 * largest[0]);
}

/* Adding, removing and looking at others leaves the springs of a contact as they are. */
static void changes_keep_the_others_contacts(void **state)
{
    (void)state;
    dem_world *world = scene_packing(5, 3, NULL, NULL);
    OK(dem_step(world, DT, 400));
    snapshot before = snapshot_world(world);
    const uint64_t gone = before.rows[before.count / 2].key.id_j;
    dem_particle_handle h, added;
    OK(dem_particle_find(world, gone, &h));
    OK(dem_particle_remove(world, h));
    dem_particle p = scene_particle(2.5, 2.5, 60.0);
    OK(dem_particle_add(world, &p, &added));
    snapshot after = snapshot_world(world);
    uint64_t kept = 0, lost = 0;
    for (uint64_t n = 0; n < before.count; ++n) {
        const snapshot_row *old = &before.rows[n];
        if (old->key.id_i == gone || old->key.id_j == gone) {
            ++lost;
            continue;
        }
        const snapshot_row *now = &after.rows[n - lost];
        assert_memory_equal(&now->key, &old->key, sizeof(old->key));
        assert_memory_equal(now->state, old->state, sizeof(old->state));
        ++kept;
    }
    assert_true(kept == after.count && lost > 0 && kept > 30);
    /* and the step after goes on from there: springs differ by no more than a step's motion */
    OK(dem_step(world, DT, 1));
    snapshot next = snapshot_world(world);
    uint64_t compared = 0;
    for (uint64_t n = 0; n < next.count; ++n) {
        const snapshot_row *now = &next.rows[n];
        const snapshot_row *old = snapshot_find(&after, now->key.id_i, now->key.id_j);
        if (old == NULL || memcmp(&old->key, &now->key, sizeof(now->key)) != 0)
            continue;
        ++compared;
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(now->state[c] - old->state[c]) < 5.0 * DT);
    }
    assert_true(compared > 30);
    snapshot_free(&before);
    snapshot_free(&after);
    snapshot_free(&next);
    dem_world_destroy(world);
}

static void walls(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_wall floor, belt = {.struct_size = sizeof(belt)};
    OK(dem_wall_init(&floor));
    floor.normal[2] = 7.0; /* any length */
    floor.id = 500;
    uint64_t id = 0;
    OK(dem_wall_add(world, &floor, &id));
    assert_int_equal(id, 500);
    dem_particle p = scene_particle(0, 0, 0.5 - 1e-3); /* at rest: k delta = m g = 1 N */
    dem_particle_handle h;
    OK(dem_particle_add(world, &p, &h));
    OK(dem_step(world, DT, 200));
    OK(dem_wall_get(world, 500, &belt));
    assert_true(belt.normal[2] == 1.0 && fabs(belt.force[2] + 1.0) < 1e-9);
    assert_true(fabs(get(world, h).position[2] - 0.499) < 1e-12);
    snapshot s = snapshot_world(world);
    assert_int_equal(s.count, 1);
    assert_true(s.rows[0].key.id_i < s.rows[0].key.id_j && s.rows[0].key.id_j == 500);
    assert_true(s.rows[0].normal[2] == 1.0 && fabs(s.rows[0].force_normal[2] - 1.0) < 1e-9);
    snapshot_free(&s);
    /* a belt: drags the sphere at mu g = 4 m/s2 */
    const double run[3] = {5.0, 0.0, 0.0};
    OK(dem_wall_set_velocity(world, 500, run));
    OK(dem_step(world, DT, 100));
    const double v = get(world, h).velocity[0];
    assert_true(v > 0.36 && v <= 0.4 + 1e-9);
    OK(dem_wall_get(world, 500, &belt));
    assert_true(fabs(belt.force[0] + 0.4) < 1e-6 && belt.velocity[0] == 5.0);
    assert_true(scene_energies(world).work_boundary > 0.0);
    OK(dem_wall_remove(world, 500));
    assert_int_equal(dem_wall_get(world, 500, &belt), DEM_ERROR_HANDLE);
    s = snapshot_world(world);
    assert_int_equal(s.count, 0);
    snapshot_free(&s);
    assert_int_equal(scene_counts(world).walls, 0);
    OK(dem_step(world, DT, 1));
    assert_true(get(world, h).velocity[2] < 0.0);
    dem_world_destroy(world);
}

/* A sphere that crosses the edge of the box wraps; its contact goes along. */
static void periodic_wrap(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.boundary[0] = DEM_BOUNDARY_PERIODIC;
    config.box_low[0] = -1.0;
    config.box_high[0] = 9.0;
    dem_world *world = scene_world(&config);
    config.boundary[0] = DEM_BOUNDARY_OPEN;
    dem_world *open = scene_world(&config);
    dem_particle p[2] = {scene_particle(6.0, 0, 0), scene_particle(6.98, 0.1, 0)};
    for (int n = 0; n < 2; ++n) {
        p[n].velocity[0] = 10.0;
        p[n].angular_velocity[2] = 1.0;
    }
    dem_particle_handle h[2];
    OK(dem_particles_add(open, 2, p, NULL));
    OK(dem_particles_add(world, 2, p, h));
    for (int n = 0; n < 250; ++n) {
        OK(dem_step(world, DT, 1));
        OK(dem_step(open, DT, 1));
        const dem_view x = view_of(world, DEM_FIELD_POSITION);
        /* inside the box to within a diameter and the skin, here a tenth of it */
        for (uint64_t k = 0; k < x.count; ++k)
            assert_true(row_of(&x, k)[0] >= -2.1 && row_of(&x, k)[0] < 10.1);
    }
    OK(dem_step(world, DT, 0));
    const dem_view x = view_of(world, DEM_FIELD_POSITION), y = view_of(open, DEM_FIELD_POSITION);
    for (int n = 0; n < 2; ++n) {
        const dem_particle q = get(world, h[n]);
        const double *free_run = row_with(&y, q.id);
        assert_true(q.position[0] > 8.0);
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(q.position[c] - free_run[c]) < 1e-11);
    }
    assert_true(row_with(&x, get(world, h[1]).id)[0] < 0.0);
    dem_world_destroy(world);
    dem_world_destroy(open);
}

/* Two spheres in a box just under two diameters wide touch on both sides at once. */
static void narrow_box(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.boundary[0] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = 1.96;
    dem_world *world = scene_world(&config);
    dem_particle p[2] = {scene_particle(0.2, 0, 0), scene_particle(1.17, 0, 0)};
    dem_particle_handle h[2];
    OK(dem_particles_add(world, 2, p, h));
    if (dem_step(world, 1e-4, 0) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    snapshot s = snapshot_world(world);
    assert_int_equal(s.count, 2);
    assert_true(s.rows[0].key.id_i == s.rows[1].key.id_i);
    assert_true(s.rows[0].key.image[0] != s.rows[1].key.image[0]);
    assert_true(s.rows[0].normal[0] * s.rows[1].normal[0] == -1.0);
    /* overlaps 0.03 and 0.01: the forces on the first are -30 + 10 N */
    assert_true(fabs(s.rows[0].overlap + s.rows[1].overlap - 0.04) < 1e-14);
    const dem_view f = view_of(world, DEM_FIELD_FORCE);
    assert_true(fabs(row_with(&f, s.rows[0].key.id_i)[0] + 20.0) < 1e-10);
    snapshot_free(&s);
    /* it swings about the middle, damped, and the centre of mass rests */
    OK(dem_step(world, 1e-4, 4000));
    const double gap = get(world, h[1]).position[0] - get(world, h[0]).position[0];
    assert_true(fabs(gap - 0.98) < 1e-3);
    assert_true(fabs(get(world, h[0]).velocity[0] + get(world, h[1]).velocity[0]) < 1e-12);
    dem_world_destroy(world);

    /* a box narrower than the largest diameter is refused: a sphere would touch itself */
    config.box_high[0] = 0.98;
    world = scene_world(&config);
    assert_int_equal(dem_particles_add(world, 1, p, h), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "periodic"));
    assert_int_equal(scene_counts(world).particles, 0);
    dem_world_destroy(world);
}

static void model_change_between_steps(void **state)
{
    (void)state;
    dem_world *world = scene_packing(4, 2, NULL, NULL);
    OK(dem_step(world, DT, 400));
    snapshot before = snapshot_world(world);
    assert_true(before.count > 10);
    scene_model(world, 0, 0, 2000.0, 0.1, 0.5);
    OK(dem_step(world, DT, 0));
    snapshot after = snapshot_world(world);
    assert_true(after.count > 10);
    for (uint64_t n = 0; n < after.count; ++n)
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(after.rows[n].state[c]) < 1e-12); /* the springs are new */
    snapshot_free(&before);
    snapshot_free(&after);
    OK(dem_step(world, DT, 50));
    dem_world_destroy(world);
}

static void log_message(void *user, int32_t level, const char *text)
{
    int *count = user;
    assert_true(level >= DEM_LOG_DEBUG && level <= DEM_LOG_ERROR);
    assert_true(text != NULL && strchr(text, '\n') == NULL);
    ++count[level];
}

static void log_callback(void **state)
{
    (void)state;
    int count[4] = {0, 0, 0, 0};
    dem_world_config config = scene_config();
    config.log.user = count;
    config.log.message = log_message;
    dem_world *world = scene_world(&config);
    assert_int_equal(count[DEM_LOG_ERROR], 0);
    assert_int_equal(dem_step(world, -1.0, 1), DEM_ERROR_RANGE);
    assert_int_equal(count[DEM_LOG_ERROR], 1);
    dem_world_destroy(world);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_and_ids),
        cmocka_unit_test(nearly_all_pairs_of_a_lattice_touch),
        cmocka_unit_test(particle_round_trip),
        cmocka_unit_test(views),
        cmocka_unit_test(reading_velocities_is_not_writing),
        cmocka_unit_test(written_motion_is_named),
        cmocka_unit_test(contact_forces_sum_up),
        cmocka_unit_test(changes_keep_the_others_contacts),
        cmocka_unit_test(walls),
        cmocka_unit_test(periodic_wrap),
        cmocka_unit_test(narrow_box),
        cmocka_unit_test(model_change_between_steps),
        cmocka_unit_test(log_callback),
    };
    return cmocka_run_group_tests_name("world", tests, NULL, NULL);
}
