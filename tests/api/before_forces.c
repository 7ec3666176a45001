/* SPDX-License-Identifier: MIT */
/**
 * @file before_forces.c
 * The host's hook in a step: what it sees, when what it writes acts, what it books, what a step
 * that fails takes back, and what is refused there.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"
#include "../support/fields.h"
#include "../support/near.h"
#include "../support/schemes.h"

#include <math.h>
#include <string.h>

/** What a hook counts and is told. */
typedef struct hooked {
    uint64_t calls, fail_at; /**< fail_at: the call that fails; 0: none */
    double spoilt;           /**< what the call `fail_at` writes instead */
    uint64_t writes;         /**< at every n-th call; 0: never */
} hooked;

static const int32_t written[] = {DEM_FIELD_EXTERNAL_FORCE,   DEM_FIELD_EXTERNAL_TORQUE,
                                  DEM_FIELD_DRAG_COEFFICIENT, DEM_FIELD_FLUID_VELOCITY,
                                  DEM_FIELD_ROTATIONAL_DRAG,  DEM_FIELD_FLUID_ANGULAR_VELOCITY};
enum { WRITTEN = sizeof written / sizeof written[0] };

static uint64_t width_of(int32_t field)
{
    return field == DEM_FIELD_DRAG_COEFFICIENT || field == DEM_FIELD_ROTATIONAL_DRAG ? 1 : 3;
}

/** Writes into all fields what depends on id, time and place alone. */
static void write_all(dem_world *world)
{
    const double t = dem_world_time(world);
    const dem_view x = view_of(world, DEM_FIELD_POSITION);
    for (int f = 0; f < WRITTEN; ++f) {
        const dem_view view = view_of(world, written[f]);
        for (uint64_t row = 0; row < view.count; ++row)
            for (uint64_t c = 0; c < width_of(written[f]); ++c)
                row_of(&view, row)[c] =
                    0.1 + 0.1 * sin(300.0 * t + (double)view.id[row] + f + row_of(&x, row)[2]) *
                              (double)(c + 1);
        if (width_of(written[f]) == 1)
            for (uint64_t row = 0; row < view.count; ++row)
                *row_of(&view, row) *= view.id[row] % 3 == 0 ? 0.0 : 1.0;
        OK(dem_world_written_field(world, written[f]));
    }
}

static dem_status hook(void *user, dem_world *world, double dt)
{
    hooked *h = user;
    h->calls++;
    assert_true(dt > 0.0);
    if (h->writes > 0 && h->calls % h->writes == 0)
        write_all(world);
    if (h->calls != h->fail_at)
        return DEM_OK;
    if (h->spoilt == 0.0)
        return DEM_ERROR_RANGE;
    const dem_view drag = view_of(world, DEM_FIELD_DRAG_COEFFICIENT);
    *row_of(&drag, 2) = h->spoilt;
    return dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT);
}

/** A packing with fields that stay, and this hook, which may be NULL. */
static dem_world *packing(int32_t scheme, hooked *h)
{
    dem_world_config config = scene_config();
    config.integrator = scheme;
    config.host_doubles = 1;
    if (h != NULL) {
        config.before_forces = hook;
        config.before_forces_user = h;
    }
    dem_world *world = scene_packing_config(6, 4, &config);
    for (int n = 0; n < 6; ++n) {
        dem_particle p = scene_particle(3.0, 3.0, 8.0 + 1.5 * n);
        p.mobility = DEM_MOBILITY_KINEMATIC;
        p.velocity[0] = p.velocity[2] = p.angular_velocity[1] = 0.3;
        OK(dem_particle_add(world, &p, NULL));
    }
    write_all(world);
    OK(dem_world_impulses_reset(world));
    view_of(world, DEM_FIELD_HOST);
    return world;
}

/* A hook that writes nothing leaves the path and all sums. */
static void idle_hook_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; ++k) {
        hooked h = {0};
        dem_world *with = packing(schemes[k], &h), *without = packing(schemes[k], NULL);
        OK(dem_step(with, 5e-4, 150));
        OK(dem_step(without, 5e-4, 150));
        assert_int_equal(h.calls, 150);
        assert_true(scene_hash(with) == scene_hash(without));
        assert_true(scene_counts(with).rebuilds > 1);
        const dem_world_energies a = scene_energies(with), b = scene_energies(without);
        assert_memory_equal(&a, &b, sizeof a);
        for (int32_t f = DEM_FIELD_DRAG_IMPULSE; f <= DEM_FIELD_CONTACT_ANGULAR_IMPULSE; ++f) {
            const dem_view p = view_of(with, f), q = view_of(without, f);
            for (uint64_t row = 0; row < p.count; ++row)
                for (int c = 0; c < 3; ++c)
                    assert_true(row_of(&p, row)[c] == row_of(&q, row)[c]);
        }
        dem_world_destroy(with);
        dem_world_destroy(without);
    }
}

/* Nothing flies past a hook. */
static void each_step_of_a_flight(void **state)
{
    (void)state;
    hooked h = {0};
    dem_world_config config = scene_config();
    config.before_forces = hook;
    config.before_forces_user = &h;
    dem_world *world = scene_world(&config);
    const dem_particle p = scene_particle(0.0, 0.0, 5.0);
    OK(dem_particle_add(world, &p, NULL));
    uint64_t steps;
    OK(dem_world_advance(world, 0.1, 1e-3, &steps));
    assert_int_equal(h.calls, 100);
    assert_int_equal(steps, 100);
    dem_world_destroy(world);
}

/* The same bits for threads, instruction sets and division into calls. */
static void same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; ++k) {
        uint64_t hash = 0;
        for (int way = 0; way < 3; ++way) {
            hooked h = {.writes = 1};
            dem_world_config config = scene_config();
            config.integrator = schemes[k];
            config.threads = way == 1 ? 3 : 1;
            config.isa = way == 2 ? DEM_ISA_BASELINE : DEM_ISA_AUTO;
            config.before_forces = hook;
            config.before_forces_user = &h;
            dem_world *world = scene_packing_config(6, 4, &config);
            write_all(world);
            if (way == 0)
                OK(dem_step(world, 1e-3, 80));
            for (int n = 0; way > 0 && n < 80; ++n)
                OK(dem_step(world, 1e-3, 1));
            if (way == 0)
                hash = scene_hash(world);
            assert_true(scene_hash(world) == hash);
            dem_world_destroy(world);
        }
    }
}

/** Momentum that is given is that which is read, though all changes in every n-th step. */
static void momenta_of_writes(uint64_t n_th)
{
    hooked h = {.writes = n_th};
    dem_world_config config = scene_config();
    config.gravity[2] = 0.0;
    config.before_forces = hook;
    config.before_forces_user = &h;
    for (int k = 0; k < SCHEMES; ++k) {
        if (schemes[k] == DEM_INTEGRATOR_LEAPFROG)
            continue; /* its velocities are of another time than its impulses */
        config.integrator = schemes[k];
        dem_world *world = scene_packing_config(6, 4, &config);
        for (int f = 0; f < WRITTEN; ++f)
            view_of(world, written[f]);
        OK(dem_world_impulses_reset(world));
        double before[3] = {0.0, 0.0, 0.0}, after[3] = {0.0, 0.0, 0.0};
        dem_view view = view_of(world, DEM_FIELD_VELOCITY);
        for (uint64_t row = 0; row < view.count; ++row)
            for (int c = 0; c < 3; ++c)
                before[c] += 0.1 * row_of(&view, row)[c];
        double given[3] = {0.0, 0.0, 0.0};
        const double first = schemes[k] == DEM_INTEGRATOR_SYMPLECTIC_EULER ? 1e-3 : 5e-4;
        for (int n = 0; n < 60; ++n) {
            for (int half = 0; half < 2; ++half) {
                const dem_view force = view_of(world, DEM_FIELD_EXTERNAL_FORCE);
                for (uint64_t row = 0; row < force.count; ++row)
                    for (int c = 0; c < 3; ++c)
                        given[c] += row_of(&force, row)[c] * (half == 0 ? first : 1e-3 - first);
                if (half == 0)
                    OK(dem_step(world, 1e-3, 1));
            }
        }
        view = view_of(world, DEM_FIELD_VELOCITY);
        const dem_view drag = view_of(world, DEM_FIELD_DRAG_IMPULSE),
                       contact = view_of(world, DEM_FIELD_CONTACT_IMPULSE);
        for (uint64_t row = 0; row < view.count; ++row)
            for (int c = 0; c < 3; ++c) {
                after[c] += 0.1 * row_of(&view, row)[c];
                given[c] += row_of(&drag, row)[c] + row_of(&contact, row)[c];
            }
        for (int c = 0; c < 3; ++c)
            near(after[c] - before[c], given[c], 1e-13);
        dem_world_destroy(world);
    }
}

static void momenta_add_up(void **state)
{
    (void)state;
    momenta_of_writes(1);
    momenta_of_writes(3);
}

/** A push that depends on time; `late` is the time of the force against that of the last step. */
typedef struct push {
    double late, drag;
} push;

static void push_write(dem_world *world, double t, double drag)
{
    const dem_view force = view_of(world, DEM_FIELD_EXTERNAL_FORCE);
    row_of(&force, 0)[0] = 2.0 * cos(3.0 * t);
    OK(dem_world_written_field(world, DEM_FIELD_EXTERNAL_FORCE));
    const dem_view beta = view_of(world, DEM_FIELD_DRAG_COEFFICIENT);
    *row_of(&beta, 0) = drag * (1.5 + sin(5.0 * t));
    OK(dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT));
}

static dem_status push_hook(void *user, dem_world *world, double dt)
{
    const push *p = user;
    push_write(world, dem_world_time(world) + dt, p->drag);
    return DEM_OK;
}

/** Where a sphere is after 1 s, and by how much its energies do not balance. */
static double pushed(int32_t scheme, double drag, uint64_t steps, double *imbalance)
{
    push p = {.drag = drag};
    dem_world_config config = scene_config();
    config.integrator = scheme;
    config.gravity[2] = 0.0;
    config.before_forces = push_hook;
    config.before_forces_user = &p;
    dem_world *world = scene_world(&config);
    const dem_particle particle = scene_particle(0.0, 0.0, 0.0);
    OK(dem_particle_add(world, &particle, NULL));
    push_write(world, 0.0, drag);
    OK(dem_step(world, 1.0 / (double)steps, steps));
    const dem_view x = view_of(world, DEM_FIELD_POSITION);
    const dem_world_energies e = scene_energies(world);
    *imbalance = fabs(e.kinetic_translation + e.dissipated_drag - e.work_fluid - e.work_external);
    const double place = row_of(&x, 0)[0];
    dem_world_destroy(world);
    return place;
}

/* A force and a drag of time alone: order 2 in place and in the balance of energies. */
static void order_of_time(void **state)
{
    (void)state;
    static const int32_t second_order[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_LEAPFROG};
    for (int k = 0; k < 2; ++k)
        for (int d = 0; d < 2; ++d) {
            const double drag = d == 0 ? 0.0 : 0.2;
            double off[3], end[3];
            for (int n = 0; n < 3; ++n)
                end[n] = pushed(second_order[k], drag, (uint64_t)100 << n, &off[n]);
            const double order = log2(fabs(end[1] - end[0]) / fabs(end[2] - end[1]));
            near(order, 2.0, 0.06);
            if (drag == 0.0) /* integral of 20 cos 3t, twice */
                near(end[2], 20.0 / 9.0 * (1.0 - cos(3.0)), 1e-4);
            /* the drag on late velocities is booked when they catch up */
            const int late = second_order[k] == DEM_INTEGRATOR_LEAPFROG && drag > 0.0;
            if (!late)
                near(log2(off[0] / off[1]), 2.0, 0.1);
        }
}

/* Views show the end of the drift and the middle of the step, with forces of before. */
typedef struct seen {
    double position[3], velocity[3], force[3];
    int stale;
    dem_view old;
} seen;

static dem_status look(void *user, dem_world *world, double dt)
{
    (void)dt;
    seen *s = user;
    const dem_view x = view_of(world, DEM_FIELD_POSITION), v = view_of(world, DEM_FIELD_VELOCITY),
                   f = view_of(world, DEM_FIELD_FORCE);
    s->stale = dem_world_view_stale(world, &s->old) && !dem_world_view_stale(world, &x);
    memcpy(s->position, row_of(&x, 0), sizeof s->position);
    memcpy(s->velocity, row_of(&v, 0), sizeof s->velocity);
    memcpy(s->force, row_of(&f, 0), sizeof s->force);
    s->old = x;
    return DEM_OK;
}

static void what_views_show(void **state)
{
    (void)state;
    seen s;
    memset(&s, 0, sizeof s);
    dem_world_config config = scene_config();
    config.before_forces = look;
    config.before_forces_user = &s;
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 0.4375);
    p.velocity[0] = 0.5;
    OK(dem_particle_add(world, &p, NULL));
    dem_wall wall;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, NULL));
    OK(dem_step(world, 1e-3, 1));
    for (int n = 0; n < 10; ++n) {
        s.old = view_of(world, DEM_FIELD_FORCE);
        double before[3], v0[3], force[3];
        memcpy(force, row_of(&s.old, 0), sizeof force);
        dem_view x = view_of(world, DEM_FIELD_POSITION), v = view_of(world, DEM_FIELD_VELOCITY);
        memcpy(before, row_of(&x, 0), sizeof before);
        memcpy(v0, row_of(&v, 0), sizeof v0);
        OK(dem_step(world, 1e-3, 1));
        assert_true(s.stale);
        assert_true(dem_world_view_stale(world, &s.old));
        assert_memory_equal(s.force, force, sizeof force);
        assert_true(force[2] > 0.0);
        x = view_of(world, DEM_FIELD_POSITION);
        assert_memory_equal(s.position, row_of(&x, 0), sizeof before);
        for (int c = 0; c < 3; ++c) {
            const double a = force[c] / 0.1 + (c == 2 ? -10.0 : 0.0);
            near(s.velocity[c], v0[c] + 5e-4 * a, 1e-14);
            near(s.position[c], before[c] + 1e-3 * s.velocity[c], 1e-15);
        }
    }
    dem_world_destroy(world);
}

/* What a hook wrote was taken over by its step: a call without steps finds nothing to do, and a
 * snapshot tells of nothing that was written. */
static void what_a_hook_wrote_is_done_with(void **state)
{
    (void)state;
    hooked h = {.writes = 1};
    dem_world *world = packing(DEM_INTEGRATOR_VERLET_SYNC, &h);
    uint64_t size[2];
    OK(dem_step(world, 1e-3, 3));
    unsigned char *before = busy_snapshot(world, &size[0]);
    OK(dem_step(world, 1e-3, 0));
    unsigned char *after = busy_snapshot(world, &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(before, after, (size_t)size[0]);
    free(before);
    free(after);
    dem_world_destroy(world);
}

/* A step that fails, by the hook, by what it wrote, or after it, is undone with what was written
 * and booked. */
static void failed_step_is_undone(void **state)
{
    (void)state;
    static const double spoilt[] = {0.0, -1.0, INFINITY};
    for (int k = 0; k < SCHEMES; ++k)
        for (int way = 0; way < 3; ++way) {
            hooked h = {.writes = 1, .fail_at = 7, .spoilt = spoilt[way]}, calm = {.writes = 1};
            dem_world *world = packing(schemes[k], &h), *want = packing(schemes[k], &calm);
            assert_int_equal(dem_step(world, 1e-3, 20),
                             way == 0 ? DEM_ERROR_CALLBACK : DEM_ERROR_RANGE);
            assert_non_null(strstr(dem_world_error(world),
                                   way == 0 ? "before_forces: returned" : "drag coefficient"));
            assert_int_equal(scene_counts(world).steps, 6);
            OK(dem_step(want, 1e-3, 6));
            uint64_t size[2];
            unsigned char *bytes[] = {busy_snapshot(world, &size[0]),
                                      busy_snapshot(want, &size[1])};
            assert_int_equal(size[0], size[1]);
            assert_memory_equal(bytes[0], bytes[1], (size_t)size[0]);
            free(bytes[0]);
            free(bytes[1]);
            OK(dem_step(world, 1e-3, 14));
            OK(dem_step(want, 1e-3, 14));
            assert_true(scene_hash(world) == scene_hash(want));
            dem_world_destroy(world);
            dem_world_destroy(want);
        }
}

/* Two spheres that meet: the evaluation after the hook refuses their overlap. */
static void failed_contacts_are_undone(void **state)
{
    (void)state;
    hooked h = {.writes = 1}, calm = {.writes = 1};
    dem_world *worlds[2];
    hooked *const hooks[] = {&h, &calm};
    for (int k = 0; k < 2; ++k) {
        dem_world_config config = scene_config();
        config.before_forces = hook;
        config.before_forces_user = hooks[k];
        worlds[k] = scene_world(&config);
        for (int n = 0; n < 2; ++n) {
            dem_particle p = scene_particle(2.0 * n, 0.0, 0.0);
            p.velocity[0] = n ? -100.0 : 100.0;
            OK(dem_particle_add(worlds[k], &p, NULL));
        }
        write_all(worlds[k]);
        OK(dem_world_impulses_reset(worlds[k]));
    }
    assert_int_equal(dem_step(worlds[0], 1e-3, 100), DEM_ERROR_OVERLAP);
    const uint64_t steps = scene_counts(worlds[0]).steps;
    assert_true(steps > 3 && h.calls == steps + 1);
    OK(dem_step(worlds[1], 1e-3, steps));
    for (int f = 0; f < WRITTEN; ++f) {
        const dem_view a = view_of(worlds[0], written[f]), b = view_of(worlds[1], written[f]);
        for (uint64_t row = 0; row < 2; ++row)
            assert_memory_equal(row_of(&a, row), row_of(&b, row),
                                width_of(written[f]) * sizeof(double));
    }
    const dem_world_energies a = scene_energies(worlds[0]), b = scene_energies(worlds[1]);
    assert_memory_equal(&a, &b, sizeof a);
    dem_world_destroy(worlds[0]);
    dem_world_destroy(worlds[1]);
}

static int refusals;

static void refused(dem_world *world, dem_status status, const char *words)
{
    assert_int_equal(status, DEM_ERROR_STATE);
    if (strstr(dem_world_error(world), words) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", dem_world_error(world), words);
    refusals++;
}

static dem_status try_all(void *user, dem_world *world, double dt)
{
    (void)user;
    dem_view view = {.struct_size = sizeof(view)};
    const double value[3] = {0.0, 0.0, 0.0};
    refused(world, dem_world_view(world, DEM_FIELD_FLUID_VELOCITY, &view), "not there yet");
    refused(world, dem_world_written_field(world, DEM_FIELD_VELOCITY), "read only in before");
    refused(world, dem_step(world, dt, 1), "callback");
    refused(world, dem_world_field_set(world, DEM_FIELD_EXTERNAL_FORCE, 1, value), "callback");
    refused(world, dem_world_written(world), "callback");
    refused(world, dem_world_gravity_set(world, value), "callback");
    refused(world, dem_world_mark(world), "callback");
    refused(world, dem_world_impulses_reset(world), "callback");
    refused(world, dem_world_written_field(world, DEM_FIELD_VELOCITY), "read only in before");
    OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
    return DEM_OK;
}

static void other_calls_are_refused(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.before_forces = try_all;
    dem_world *world = scene_world(&config);
    const dem_particle p = scene_particle(0.0, 0.0, 5.0);
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_step(world, 1e-3, 3));
    assert_int_equal(refusals, 3 * 9);
    assert_int_equal(scene_counts(world).steps, 3);
    /* outside of the hook all is as ever */
    dem_view view = {.struct_size = sizeof(view)};
    OK(dem_world_view(world, DEM_FIELD_FLUID_VELOCITY, &view));
    OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
    dem_world_destroy(world);
}

static dem_status look_at_fluid(void *user, dem_world *world, double dt)
{
    (void)user, (void)dt;
    view_of(world, DEM_FIELD_FLUID_VELOCITY);
    return dem_world_written_field(world, DEM_FIELD_FLUID_VELOCITY);
}

/* A view that was opened while there were no particles counts for those that come. */
static void views_of_an_empty_world(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.before_forces = look_at_fluid;
    dem_world *world = scene_world(&config);
    const dem_view view = view_of(world, DEM_FIELD_FLUID_VELOCITY);
    assert_null(view.data);
    OK(dem_step(world, 1e-3, 2));
    const dem_particle p = scene_particle(0.0, 0.0, 5.0);
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_step(world, 1e-3, 2));
    dem_world_destroy(world);
}

static dem_status drag_of_time(void *user, dem_world *world, double dt)
{
    (void)user;
    const dem_view drag = view_of(world, DEM_FIELD_DRAG_COEFFICIENT);
    *row_of(&drag, 0) = 1.0 + sin(40.0 * (dem_world_time(world) + dt));
    return dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT);
}

/* The work that moves a sphere through a fluid is what drag loses, also where the hook changes the
 * drag in the middle of each step. */
static void held_rows_balance(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.before_forces = drag_of_time;
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 5.0);
    p.mobility = DEM_MOBILITY_KINEMATIC;
    p.velocity[0] = 0.3;
    OK(dem_particle_add(world, &p, NULL));
    const dem_view fluid = view_of(world, DEM_FIELD_FLUID_VELOCITY);
    row_of(&fluid, 0)[0] = 0.1;
    OK(dem_world_written_field(world, DEM_FIELD_FLUID_VELOCITY));
    OK(dem_step(world, 1e-3, 200));
    const dem_world_energies e = scene_energies(world);
    assert_true(e.work_boundary > 1e-3);
    assert_true(fabs(e.dissipated_drag - e.work_boundary - e.work_fluid) < 1e-15);
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_rows_balance),
        cmocka_unit_test(idle_hook_same_bits),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(each_step_of_a_flight),
        cmocka_unit_test(momenta_add_up),
        cmocka_unit_test(order_of_time),
        cmocka_unit_test(what_views_show),
        cmocka_unit_test(what_a_hook_wrote_is_done_with),
        cmocka_unit_test(failed_step_is_undone),
        cmocka_unit_test(failed_contacts_are_undone),
        cmocka_unit_test(other_calls_are_refused),
        cmocka_unit_test(views_of_an_empty_world),
    };
    return cmocka_run_group_tests_name("before_forces", tests, NULL, NULL);
}
