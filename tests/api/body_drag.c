/* SPDX-License-Identifier: MIT */
/**
 * @file body_drag.c
 * Rigid bodies in a fluid: the motion of spheres, of equations that another program solves, closed
 * forms, velocities at rest, impulses, energies, orders, and what keeps its bits.
 */
#include "../support/cmocka.h"
#include "../support/busy.h"
#include "../support/fields.h"
#include "../support/ghosts.h"
#include "../support/near.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PARTS = 3 };

/** Part of a body, and what the fluid has for it. */
typedef struct fluid_part {
    double centre[3], linear, angular, u[3], turning[3];
} fluid_part;

/** A clump of spheres. */
typedef struct clump {
    double mass, inertia[3], velocity[3], angular_velocity[3], orientation[4], position[3];
    int parts;
    fluid_part part[PARTS];
} clump;

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        out[c] = a[d] * b[e] - a[e] * b[d];
    }
}

/** A tumbling clump in a flow that is another one at each part. */
static clump any_clump(test_random *random)
{
    clump made = {.mass = 0.1, .parts = PARTS, .orientation = {1.0, 0.0, 0.0, 0.0}};
    double length = 0.0;
    for (int c = 0; c < 3; ++c) {
        made.inertia[c] = test_uniform(random, 0.01, 0.015);
        made.velocity[c] = test_uniform(random, -1.0, 1.0);
        made.angular_velocity[c] = test_uniform(random, -4.0, 4.0);
    }
    for (int c = 0; c < 4; ++c) {
        made.orientation[c] = test_uniform(random, -1.0, 1.0);
        length += made.orientation[c] * made.orientation[c];
    }
    for (int c = 0; c < 4; ++c)
        made.orientation[c] /= sqrt(length);
    for (int p = 0; p < PARTS; ++p) {
        made.part[p].linear = test_uniform(random, 0.0, 0.4);
        made.part[p].angular = p == 1 ? 0.0 : test_uniform(random, 0.0, 0.02);
        for (int c = 0; c < 3; ++c) {
            made.part[p].centre[c] = test_uniform(random, -0.3, 0.3);
            made.part[p].u[c] = test_uniform(random, -2.0, 2.0);
            made.part[p].turning[c] = test_uniform(random, -2.0, 2.0);
        }
    }
    return made;
}

/** Two parts beside the axis about which a body turns. */
static clump spinning(double linear, double angular)
{
    clump made = {.mass = 0.1,
                  .inertia = {0.01, 0.02, 0.025},
                  .angular_velocity = {0.0, 0.0, 3.0},
                  .orientation = {1.0, 0.0, 0.0, 0.0},
                  .parts = 2};
    for (int p = 0; p < 2; ++p) {
        made.part[p].centre[0] = p == 0 ? 0.4 : -0.4;
        made.part[p].linear = linear;
        made.part[p].angular = angular;
    }
    return made;
}

static dem_body_handle clump_add(dem_world *world, const clump *from)
{
    dem_body body;
    dem_body_part part[PARTS];
    dem_body_handle handle;
    OK(dem_body_init(&body));
    body.mass = from->mass;
    memcpy(body.position, from->position, sizeof body.position);
    memcpy(body.inertia, from->inertia, sizeof body.inertia);
    memcpy(body.velocity, from->velocity, sizeof body.velocity);
    memcpy(body.angular_velocity, from->angular_velocity, sizeof body.angular_velocity);
    memcpy(body.orientation, from->orientation, sizeof body.orientation);
    for (int p = 0; p < from->parts; ++p) {
        OK(dem_body_part_init(&part[p]));
        memcpy(part[p].centre, from->part[p].centre, sizeof part[p].centre);
        part[p].radius = 0.5;
    }
    OK(dem_body_add(world, &body, (uint64_t)from->parts, part, &handle));
    return handle;
}

/** Row of a part of a body in views. */
static uint64_t row_of_part(const dem_world *world, const dem_view *view, dem_body_handle body,
                            int part)
{
    dem_particle_handle handle;
    dem_particle p = {.struct_size = sizeof p};
    OK(dem_body_part_find(world, body, (uint64_t)part, &handle));
    OK(dem_particle_get(world, handle, &p));
    uint64_t row = 0;
    while (row < view->count && view->id[row] != p.id)
        ++row;
    assert_true(row < view->count);
    return row;
}

static void fluid_write(dem_world *world, dem_body_handle body, const clump *from, double factor)
{
    const dem_view linear = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   u = view_of(world, DEM_FIELD_FLUID_VELOCITY),
                   angular = view_of(world, DEM_FIELD_ROTATIONAL_DRAG),
                   turning = view_of(world, DEM_FIELD_FLUID_ANGULAR_VELOCITY);
    for (int p = 0; p < from->parts; ++p) {
        const uint64_t row = row_of_part(world, &u, body, p);
        *row_of(&linear, row) = factor * from->part[p].linear;
        *row_of(&angular, row) = factor * from->part[p].angular;
        memcpy(row_of(&u, row), from->part[p].u, sizeof from->part[p].u);
        memcpy(row_of(&turning, row), from->part[p].turning, sizeof from->part[p].turning);
    }
    for (int32_t field = DEM_FIELD_DRAG_COEFFICIENT; field <= DEM_FIELD_FLUID_ANGULAR_VELOCITY;
         ++field)
        OK(dem_world_written_field(world, field));
}

static dem_world *world_with(double gravity)
{
    dem_world_config config = scene_config();
    config.gravity[2] = gravity;
    return scene_world(&config);
}

static dem_body body_of(const dem_world *world, dem_body_handle handle)
{
    dem_body body = {.struct_size = sizeof body};
    OK(dem_body_get(world, handle, &body));
    return body;
}

/* Angular momentum about the centre of mass. */
static void spin_of(const dem_body *body, double momentum[3])
{
    memcpy(momentum, body->angular_velocity, 3 * sizeof(double));
    dem_kernel_rotation_to_body(body->orientation, momentum);
    for (int c = 0; c < 3; ++c)
        momentum[c] *= body->inertia[c];
    dem_kernel_rotation_to_space(body->orientation, momentum);
}

/* ------------------------------------------------------------------ an integration of its own */

enum { STATE = 13 }; /* position, velocity, angular momentum, quaternion */

static void slope_of(const clump *of, double gravity, const double y[STATE], double slope[STATE])
{
    const double *q = y + 9;
    double w[3] = {y[6], y[7], y[8]}, length = 0.0, unit[4];
    for (int c = 0; c < 4; ++c)
        length += q[c] * q[c];
    for (int c = 0; c < 4; ++c)
        unit[c] = q[c] / sqrt(length);
    dem_kernel_rotation_to_body(unit, w);
    for (int c = 0; c < 3; ++c)
        w[c] /= of->inertia[c];
    dem_kernel_rotation_to_space(unit, w);
    double force[3] = {0.0, 0.0, of->mass * gravity}, torque[3] = {0.0, 0.0, 0.0};
    for (int p = 0; p < of->parts; ++p) {
        const fluid_part *part = &of->part[p];
        double arm[3] = {part->centre[0], part->centre[1], part->centre[2]}, along[3], f[3], t[3];
        dem_kernel_rotation_to_space(unit, arm);
        cross(w, arm, along);
        for (int c = 0; c < 3; ++c) {
            f[c] = part->linear * (part->u[c] - y[3 + c] - along[c]);
            force[c] += f[c];
        }
        cross(arm, f, t);
        for (int c = 0; c < 3; ++c)
            torque[c] += t[c] + part->angular * (part->turning[c] - w[c]);
    }
    for (int c = 0; c < 3; ++c) {
        slope[c] = y[3 + c];
        slope[3 + c] = force[c] / of->mass;
        slope[6 + c] = torque[c];
    }
    slope[9] = -0.5 * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]);
    slope[10] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
    slope[11] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
    slope[12] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
}

/* Runge and Kutta's method of order 4. */
static void reference(const clump *of, double gravity, double time, double y[STATE])
{
    enum { STEPS = 4000 };
    dem_body start = {.mass = of->mass};
    memcpy(start.inertia, of->inertia, sizeof start.inertia);
    memcpy(start.orientation, of->orientation, sizeof start.orientation);
    memcpy(start.angular_velocity, of->angular_velocity, sizeof start.angular_velocity);
    memcpy(y, of->position, 3 * sizeof(double));
    memcpy(y + 3, of->velocity, 3 * sizeof(double));
    spin_of(&start, y + 6);
    memcpy(y + 9, of->orientation, 4 * sizeof(double));
    const double dt = time / STEPS, share[4] = {0.0, 0.5, 0.5, 1.0},
                 weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    for (int n = 0; n < STEPS; ++n) {
        double slope[STATE] = {0.0}, sum[STATE] = {0.0}, at[STATE];
        for (int stage = 0; stage < 4; ++stage) {
            for (int c = 0; c < STATE; ++c)
                at[c] = y[c] + share[stage] * dt * slope[c];
            slope_of(of, gravity, at, slope);
            for (int c = 0; c < STATE; ++c)
                sum[c] += weight[stage] * dt * slope[c];
        }
        for (int c = 0; c < STATE; ++c)
            y[c] += sum[c];
    }
}

/* How far a body is from the reference after a time: the largest of all components. */
static double error_of(const clump *of, double gravity, const double want[STATE], double time,
                       uint64_t steps)
{
    dem_world *world = world_with(gravity);
    const dem_body_handle handle = clump_add(world, of);
    fluid_write(world, handle, of, 1.0);
    OK(dem_step(world, time / (double)steps, steps));
    const dem_body body = body_of(world, handle);
    double got[STATE], most = 0.0, along = 0.0;
    memcpy(got, body.position, sizeof body.position);
    memcpy(got + 3, body.velocity, sizeof body.velocity);
    spin_of(&body, got + 6);
    for (int c = 0; c < 4; ++c)
        along += body.orientation[c] * want[9 + c];
    for (int c = 0; c < 4; ++c)
        got[9 + c] = along < 0.0 ? -body.orientation[c] : body.orientation[c];
    for (int c = 0; c < STATE; ++c)
        most = fmax(most, fabs(got[c] - want[c]));
    dem_world_destroy(world);
    return most;
}

/* Clumps that tumble in any flow: order 2. */
static void order(void **state)
{
    (void)state;
    const double time = 0.5;
    test_random random = {UINT64_C(0x5DEECE66D)};
    for (int n = 0; n < 12; ++n) {
        clump of = any_clump(&random);
        if (n % 3 == 2) /* only the last part is dragged */
            of.part[0].linear = of.part[0].angular = of.part[1].linear = 0.0;
        double want[STATE];
        reference(&of, -10.0, time, want);
        const double coarse = error_of(&of, -10.0, want, time, 100),
                     fine = error_of(&of, -10.0, want, time, 400);
        assert_true(coarse < 2e-3 && coarse > 1e-7);
        near(log2(coarse / fine) / 2.0, 2.0, 0.06);
    }
}

/* ------------------------------------------------------------------ closed forms */

/* At each half kick what is left of the spin is that of the rational kick, whatever the
 * coefficients. */
static void spin_left(void **state)
{
    (void)state;
    const double dt = 2e-3, drags[] = {1e-6, 0.02, 3.0, 1e3};
    for (int n = 0; n < 4; ++n) {
        const clump of = spinning(drags[n], 0.1 * drags[n]);
        dem_world *world = world_with(0.0);
        const dem_body_handle handle = clump_add(world, &of);
        fluid_write(world, handle, &of, 1.0);
        OK(dem_step(world, dt, 10));
        const double z = 0.5 * dt * 2.0 * (drags[n] * 0.4 * 0.4 + 0.1 * drags[n]) / of.inertia[2],
                     left = 1.0 / (1.0 + z + 0.5 * z * z);
        const dem_body body = body_of(world, handle);
        /* each kick rounds what it takes away */
        near(body.angular_velocity[2] / (3.0 * pow(left, 20.0)), 1.0,
             20.0 * DBL_EPSILON * (4.0 + 2.0 / left));
        for (int c = 0; c < 3; ++c)
            near(body.velocity[c], 0.0, 1e-15);
        dem_world_destroy(world);
    }
}

/* A velocity at which weight and drag balance stays, from loose to stiff, in a body whose axes
 * are not those of space. */
static void balance_stays(void **state)
{
    (void)state;
    const double dt = 1e-3;
    for (int power = -6; power <= 6; ++power) {
        clump of = {.mass = 0.125,
                    .inertia = {0.01, 0.02, 0.025},
                    .orientation = {0.5, 0.5, -0.5, 0.5},
                    .parts = 2};
        const double drag = of.mass * pow(10.0, power) / dt;
        for (int p = 0; p < 2; ++p) {
            of.part[p].centre[1] = p == 0 ? 0.3 : -0.3;
            of.part[p].linear = 0.5 * drag;
            of.part[p].u[0] = 1.5;
            of.part[p].u[2] = 0.25;
        }
        of.velocity[0] = 1.5;
        of.velocity[2] = 0.25 - of.mass * 10.0 / drag;
        dem_world *world = world_with(-10.0);
        const dem_body_handle handle = clump_add(world, &of);
        fluid_write(world, handle, &of, 1.0);
        OK(dem_step(world, dt, 500));
        const dem_body body = body_of(world, handle);
        for (int c = 0; c < 3; ++c) {
            near(body.velocity[c], of.velocity[c], 4.0 * DBL_EPSILON * fabs(of.velocity[c]));
            near(body.angular_velocity[c], 0.0, 1e-15);
        }
        dem_world_destroy(world);
    }
}

/* Beyond all scales a body goes and turns with the fluid at once, to what gravity moves it in 1e-9
 * of a kick, also where squares of rates, or rates, are infinite. */
static void stiffest(void **state)
{
    (void)state;
    const double light[] = {1.0, 1e-30, 1e-180};
    for (int n = 0; n < 3; ++n) {
        test_random random = {UINT64_C(77)};
        clump of = any_clump(&random);
        of.mass *= light[n];
        for (int c = 0; c < 3; ++c)
            of.inertia[c] *= light[n];
        for (int p = 0; p < PARTS; ++p) {
            of.part[p].linear = p == 0 ? 1e150 : 1e-150;
            of.part[p].angular = 1e150;
            memcpy(of.part[p].turning, of.part[0].turning, sizeof of.part[p].turning);
        }
        dem_world *world = world_with(-10.0);
        const dem_body_handle handle = clump_add(world, &of);
        fluid_write(world, handle, &of, 1.0);
        OK(dem_step(world, 1e-3 * sqrt(light[n]), 3)); /* contacts need short ones */
        const dem_body body = body_of(world, handle);
        double arm[3] = {of.part[0].centre[0], of.part[0].centre[1], of.part[0].centre[2]},
               along[3];
        dem_kernel_rotation_to_space(body.orientation, arm);
        cross(of.part[0].turning, arm, along);
        for (int c = 0; c < 3; ++c) {
            near(body.angular_velocity[c], of.part[0].turning[c], 1e-11);
            near(body.velocity[c] + along[c], of.part[0].u[c], 1e-11);
        }
        dem_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ spheres */

/* Spheres and bodies of one part that fall through a fluid onto a floor and each other: the same
 * motion, dashpots and friction too, to what round-off grows to. */
static void compare_with_spheres(int stiff)
{
    enum { GRAINS = 18 };
    const double drag[2] = {stiff ? 2e4 : 0.3, stiff ? 2e3 : 0.02};
    dem_world *world[2];
    for (int bodies = 0; bodies < 2; ++bodies) {
        world[bodies] = world_with(-10.0);
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.id = 1000;
        OK(dem_wall_add(world[bodies], &wall, NULL));
        test_random random = {UINT64_C(0x2545F4914F6CDD1D)};
        dem_body_handle handle[GRAINS];
        for (int k = 0; k < GRAINS; ++k) {
            dem_particle p =
                scene_particle(k % 3 + test_uniform(&random, 0.0, 0.1),
                               k / 3 % 3 + test_uniform(&random, 0.0, 0.1), 0.55 + 0.98 * (k / 9));
            clump of = {.mass = p.mass, .orientation = {0.6, 0.0, 0.8, 0.0}, .parts = 1};
            for (int c = 0; c < 3; ++c) {
                of.velocity[c] = p.velocity[c] = test_uniform(&random, -2.0, 2.0);
                of.angular_velocity[c] = p.angular_velocity[c] = test_uniform(&random, -4.0, 4.0);
                of.position[c] = p.position[c];
                of.inertia[c] = 0.4 * p.mass * p.radius * p.radius;
            }
            if (bodies)
                handle[k] = clump_add(world[bodies], &of);
            else
                OK(dem_particle_add(world[bodies], &p, NULL));
            if (bodies)
                assert_true(handle[k].index == (uint32_t)k);
        }
        const int32_t fields[] = {DEM_FIELD_DRAG_COEFFICIENT, DEM_FIELD_ROTATIONAL_DRAG};
        for (int f = 0; f < 2; ++f) {
            const dem_view view = view_of(world[bodies], fields[f]),
                           u = view_of(world[bodies], fields[f] + 1);
            for (uint64_t row = 0; row < view.count; ++row) {
                *row_of(&view, row) = drag[f];
                row_of(&u, row)[0] = 1.0;
                row_of(&u, row)[2] = stiff && f == 0 ? -0.3 : 0.0;
            }
            OK(dem_world_written_field(world[bodies], fields[f]));
            OK(dem_world_written_field(world[bodies], fields[f] + 1));
        }
        OK(dem_world_impulses_reset(world[bodies]));
        OK(dem_step(world[bodies], 1e-3, 400));
    }
    const dem_view x[2] = {view_of(world[0], DEM_FIELD_POSITION),
                           view_of(world[1], DEM_FIELD_POSITION)};
    const int32_t compared[] = {DEM_FIELD_POSITION,
                                DEM_FIELD_VELOCITY,
                                DEM_FIELD_ANGULAR_VELOCITY,
                                DEM_FIELD_DRAG_IMPULSE,
                                DEM_FIELD_DRAG_ANGULAR_IMPULSE,
                                DEM_FIELD_CONTACT_IMPULSE};
    assert_true(x[0].count == GRAINS && x[1].count == GRAINS);
    for (size_t f = 0; f < sizeof compared / sizeof compared[0]; ++f) {
        const dem_view a = view_of(world[0], compared[f]), b = view_of(world[1], compared[f]);
        for (uint64_t i = 0; i < GRAINS; ++i)
            for (uint64_t j = 0; j < GRAINS; ++j)
                for (int c = 0; a.id[i] == b.id[j] && c < 3; ++c)
                    near(row_of(&b, j)[c], row_of(&a, i)[c], 1e-9);
    }
    const dem_world_energies a = scene_energies(world[0]), b = scene_energies(world[1]);
    assert_true(a.dissipated_drag > 0.1 && a.dissipated_normal > 0.1);
    assert_true(a.dissipated_slip > 0.01);
    near(b.work_fluid, a.work_fluid, 1e-9);
    near(b.dissipated_drag, a.dissipated_drag, 1e-9);
    near(b.dissipated_normal, a.dissipated_normal, 1e-9);
    near(b.dissipated_slip, a.dissipated_slip, 1e-9);
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

static void as_spheres(void **state)
{
    (void)state;
    compare_with_spheres(0);
    compare_with_spheres(1);
}

/* ------------------------------------------------------------------ impulses and energies */

/* What a body gained is what its parts were given, from loose to stiff; what the fluid did and what
 * was lost to drag is what the kinetic energy grew by. */
static void impulses_and_energy(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0xC0FFEE)};
    for (int n = 0; n < 40; ++n) {
        const clump of = any_clump(&random);
        const double factor = pow(10.0, test_uniform(&random, -3.0, 4.0)), dt = 1e-3;
        dem_world *world = world_with(0.0);
        const dem_body_handle handle = clump_add(world, &of);
        fluid_write(world, handle, &of, factor);
        OK(dem_world_impulses_reset(world));
        const dem_world_energies e0 = scene_energies(world);
        OK(dem_step(world, dt, 50));
        const dem_body body = body_of(world, handle);
        const dem_view impulse = view_of(world, DEM_FIELD_DRAG_IMPULSE);
        double sum[3] = {0.0, 0.0, 0.0}, sizes = 0.0; /* parts may pull against each other */
        for (int p = 0; p < PARTS; ++p)
            for (int c = 0; c < 3; ++c) {
                const double i = row_of(&impulse, row_of_part(world, &impulse, handle, p))[c];
                sum[c] += i;
                sizes += fabs(i);
            }
        for (int c = 0; c < 3; ++c)
            near(sum[c], of.mass * (body.velocity[c] - of.velocity[c]),
                 1e-14 * of.mass + 4.0 * DBL_EPSILON * sizes);
        const dem_world_energies e1 = scene_energies(world);
        const double grown = e1.kinetic_translation + e1.kinetic_rotation - e0.kinetic_translation -
                             e0.kinetic_rotation,
                     size = e1.kinetic_translation + e1.kinetic_rotation + e1.work_fluid +
                            e1.dissipated_drag;
        assert_true(e1.dissipated_drag > 0.0);
        near(e1.work_fluid - e1.dissipated_drag, grown, 1e-12 * (1.0 + fabs(size)));
        dem_world_destroy(world);
    }
}

/* Coefficients whose inverse is no number, as those of a fluid that is nearly gone: what the parts
 * get is the little that the momentum of the body lacks for the round-off of its velocity. */
static void least_coefficients(void **state)
{
    (void)state;
    const double least[] = {4.9406564584124654e-324, 1e-315, 1e-310, 1e-305};
    test_random random = {UINT64_C(0x1EA57)};
    for (int n = 0; n < 12; ++n) {
        clump of = any_clump(&random);
        const double gravity = -9.0, dt = 1e-3, time = 20 * dt;
        const int linear = n % 3 != 1, angular = n % 3 != 2;
        for (int p = 0; p < PARTS; ++p) {
            of.part[p].linear = linear ? least[n / 3] : 1.0;
            of.part[p].angular = angular ? least[n / 3] : 1e-2;
        }
        dem_world *world = world_with(gravity);
        const dem_body_handle handle = clump_add(world, &of);
        fluid_write(world, handle, &of, 1.0);
        OK(dem_world_impulses_reset(world));
        OK(dem_step(world, dt, 20));
        const dem_body body = body_of(world, handle);
        const dem_view impulse = view_of(world, DEM_FIELD_DRAG_IMPULSE),
                       turning = view_of(world, DEM_FIELD_DRAG_ANGULAR_IMPULSE);
        for (int c = 0; c < 3; ++c) {
            double sum = 0.0;
            for (int p = 0; p < PARTS; ++p) {
                const uint64_t row = row_of_part(world, &impulse, handle, p);
                sum += row_of(&impulse, row)[c];
                assert_true(isfinite(row_of(&turning, row)[c]));
            }
            const double weight = c == 2 ? of.mass * gravity * time : 0.0;
            near(sum, of.mass * (body.velocity[c] - of.velocity[c]) - weight, 1e-14 * of.mass);
        }
        const dem_world_energies e = scene_energies(world);
        assert_true(isfinite(e.work_fluid) && isfinite(e.dissipated_drag));
        dem_world_destroy(world);
    }
}

/* A flow that pulls at both ends of a clump alike leaves it at rest; each end is dragged all the
 * same. */
static void stretched(void **state)
{
    (void)state;
    const double dt = 1e-3, pull[2] = {3.0, -3.0};
    clump of = spinning(0.25, 0.0);
    of.angular_velocity[2] = 0.0;
    for (int p = 0; p < 2; ++p)
        of.part[p].u[0] = pull[p];
    dem_world *world = world_with(0.0);
    const dem_body_handle handle = clump_add(world, &of);
    fluid_write(world, handle, &of, 1.0);
    OK(dem_world_impulses_reset(world));
    OK(dem_step(world, dt, 40));
    const dem_view velocity = view_of(world, DEM_FIELD_VELOCITY),
                   impulse = view_of(world, DEM_FIELD_DRAG_IMPULSE);
    const dem_world_energies energies = scene_energies(world);
    for (int p = 0; p < 2; ++p) {
        near(row_of(&velocity, row_of_part(world, &velocity, handle, p))[0], 0.0, 0.0);
        near(row_of(&impulse, row_of_part(world, &impulse, handle, p))[0],
             of.part[p].linear * pull[p] * 40.0 * dt, 1e-15);
    }
    near(energies.work_fluid, 2.0 * 0.25 * 9.0 * 40.0 * dt, 1e-14);
    near(energies.dissipated_drag, energies.work_fluid, 1e-14);
    dem_world_destroy(world);
}

/* About an axis of its own a body gains the moments of what its parts were given: where the fluid
 * turns them, and where it only drags them around. */
static void angular_impulses(void **state)
{
    (void)state;
    for (int turns = 0; turns < 2; ++turns) {
        clump of = spinning(turns ? 0.0 : 0.2, turns ? 0.02 : 0.0);
        for (int p = 0; p < 2; ++p)
            of.part[p].turning[2] = -2.0;
        dem_world *world = world_with(0.0);
        const dem_body_handle handle = clump_add(world, &of);
        double given = 0.0, before = of.inertia[2] * 3.0;
        fluid_write(world, handle, &of, 1.0);
        for (int n = 0; n < 20; ++n) {
            OK(dem_world_impulses_reset(world));
            OK(dem_step(world, 1e-3, 1));
            const dem_view linear = view_of(world, DEM_FIELD_DRAG_IMPULSE),
                           angular = view_of(world, DEM_FIELD_DRAG_ANGULAR_IMPULSE),
                           x = view_of(world, DEM_FIELD_POSITION);
            for (int p = 0; p < 2; ++p) {
                const uint64_t row = row_of_part(world, &linear, handle, p);
                const double *i = row_of(&linear, row), *arm = row_of(&x, row);
                given += row_of(&angular, row)[2];
                if (turns)
                    near(i[0] * i[0] + i[1] * i[1], 0.0, 1e-40);
                /* each half is given where the part is at that end of the step */
                given += arm[0] * i[1] - arm[1] * i[0];
            }
        }
        const double gained = of.inertia[2] * body_of(world, handle).angular_velocity[2] - before;
        assert_true(fabs(gained) > 1e-3);
        near(given / gained, 1.0, turns ? 1e-13 : 1e-5);
        dem_world_destroy(world);
    }
}

/** A hook between the two kicks of a step that makes drag another one. */
typedef struct switched {
    const clump *of;
    double factor;
} switched;

static dem_status switch_drag(void *user, dem_world *world, double dt)
{
    const switched *to = user;
    (void)dt;
    const dem_view linear = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   angular = view_of(world, DEM_FIELD_ROTATIONAL_DRAG);
    for (int p = 0; p < PARTS; ++p) { /* the only rows, in the order of the parts */
        *row_of(&linear, (uint64_t)p) = to->factor * to->of->part[p].linear;
        *row_of(&angular, (uint64_t)p) = to->factor * to->of->part[p].angular;
    }
    OK(dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT));
    return dem_world_written_field(world, DEM_FIELD_ROTATIONAL_DRAG);
}

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* One kick, the first or the second of a step, from loose to stiff. The fluid acts on all parts at
 * one velocity of their body, on each with its coefficient, so not on those that have none; and
 * what it gives them, with its moments about the centre of mass, is what the body gains. */
static void one_kick(void **state)
{
    (void)state;
    const double dt = 1e-3, time = 0.5 * dt;
    test_random random = {UINT64_C(0xBADCAB1E)};
    for (int n = 0; n < 96; ++n) {
        const int second = n % 2, even = n / 2 % 2; /* the same flow at all parts */
        clump of = any_clump(&random);
        const double factor = pow(10.0, test_uniform(&random, -2.0, even ? 9.0 : 5.0));
        if (n / 4 % 2) /* only the last two parts are dragged */
            of.part[0].linear = of.part[0].angular = 0.0;
        for (int p = 1; even && p < PARTS; ++p) {
            memcpy(of.part[p].u, of.part[0].u, sizeof of.part[p].u);
            memcpy(of.part[p].turning, of.part[0].turning, sizeof of.part[p].turning);
        }
        switched to = {.of = &of, .factor = second ? factor : 0.0};
        dem_world_config config = scene_config();
        config.gravity[2] = 0.0;
        config.before_forces = switch_drag;
        config.before_forces_user = &to;
        dem_world *world = scene_world(&config);
        const dem_body_handle handle = clump_add(world, &of);
        fluid_write(world, handle, &of, second ? 0.0 : factor);
        OK(dem_world_impulses_reset(world));
        const dem_body begun = body_of(world, handle);
        OK(dem_step(world, dt, 1));
        const dem_body body = body_of(world, handle);
        const dem_view linear = view_of(world, DEM_FIELD_DRAG_IMPULSE),
                       angular = view_of(world, DEM_FIELD_DRAG_ANGULAR_IMPULSE);
        double arm[PARTS][3], sum[3] = {0.0}, turn[3] = {0.0}, spin[2][3], got[PARTS][2][3];
        double sizes = 0.0, turns = 0.0, stiff = 0.0; /* of what round-off goes with */
        spin_of(&begun, spin[0]);
        spin_of(&body, spin[1]);
        for (int p = 0; p < PARTS; ++p) {
            const fluid_part *part = &of.part[p];
            const uint64_t row = row_of_part(world, &linear, handle, p);
            const double *i = memcpy(got[p][0], row_of(&linear, row), sizeof got[p][0]),
                         *j = memcpy(got[p][1], row_of(&angular, row), sizeof got[p][1]);
            double moment[3];
            memcpy(arm[p], part->centre, sizeof arm[p]);
            dem_kernel_rotation_to_space(second ? body.orientation : begun.orientation, arm[p]);
            cross(arm[p], i, moment);
            for (int c = 0; c < 3; ++c) {
                sum[c] += i[c];
                turn[c] += moment[c] + j[c];
                assert_true(part->linear > 0.0 ? i[c] != 0.0 : i[c] == 0.0);
                assert_true(part->angular > 0.0 ? j[c] != 0.0 : j[c] == 0.0);
            }
            sizes += norm(i);
            turns += norm(arm[p]) * norm(i) + norm(j);
            stiff += factor * time *
                     (part->linear * norm(part->u) + part->angular * norm(part->turning));
        }
        const double speed = norm(begun.velocity) + norm(body.velocity),
                     spins = norm(begun.angular_velocity) + norm(body.angular_velocity),
                     l = norm(spin[0]) + norm(spin[1]);
        for (int c = 0; c < 3; ++c) {
            near(sum[c], of.mass * (body.velocity[c] - begun.velocity[c]),
                 8.0 * DBL_EPSILON * (of.mass * speed + sizes));
            near(turn[c], spin[1][c] - spin[0][c], 16.0 * DBL_EPSILON * (l + turns));
        }
        /* the velocities of the body at which the fluid gave a part what it got */
        double w[3] = {0.0}, v[3] = {0.0}, w_within = 0.0, v_within = 0.0;
        for (int p = PARTS - 1; p >= 0; --p) {
            const double gamma = factor * of.part[p].angular * time;
            const double within =
                1024.0 * DBL_EPSILON * (spins + 4.0 + (l + turns + stiff) / gamma);
            for (int c = 0; gamma > 0.0 && c < 3; ++c) {
                const double of_part = of.part[p].turning[c] - got[p][1][c] / gamma;
                if (w_within > 0.0)
                    near(of_part, w[c], w_within + within);
                else
                    w[c] = of_part;
            }
            if (gamma > 0.0 && w_within == 0.0)
                w_within = within;
        }
        for (int p = PARTS - 1; p >= 0; --p) {
            const double beta = factor * of.part[p].linear * time;
            const double within =
                w_within +
                1024.0 * DBL_EPSILON * (speed + 4.0 + (of.mass * speed + sizes + stiff) / beta);
            double along[3];
            cross(w, arm[p], along);
            for (int c = 0; beta > 0.0 && c < 3; ++c) {
                const double of_part = of.part[p].u[c] - got[p][0][c] / beta - along[c];
                if (v_within > 0.0)
                    near(of_part, v[c], v_within + within);
                else
                    v[c] = of_part;
            }
            if (beta > 0.0 && v_within == 0.0)
                v_within = within;
        }
        assert_true(scene_energies(world).dissipated_drag > 0.0);
        dem_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ in a world */

static dem_world *busy(int32_t threads, int32_t isa, int32_t sums, double factor, int fluid)
{
    enum { BODIES = 24 };
    dem_world_config config = scene_config();
    config.threads = threads;
    config.isa = isa;
    config.sums = sums;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = 6.0;
    if (sums == DEM_SUMS_EXACT)
        config.force_range = config.torque_range = 1e5;
    dem_world *world = scene_world(&config);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = 9000;
    OK(dem_wall_add(world, &wall, NULL));
    test_random random = {UINT64_C(0xABCDEF)};
    for (int k = 0; k < BODIES; ++k) {
        clump of = any_clump(&random);
        const double at[3] = {1.0 + 2.0 * (k % 3), 1.0 + 2.0 * (k / 3 % 3), 1.0 + 1.4 * (k / 9)};
        memcpy(of.position, at, sizeof at);
        const dem_body_handle handle = clump_add(world, &of);
        if (fluid && k % 4 != 3)
            fluid_write(world, handle, &of, factor);
        dem_particle p = scene_particle(at[0] + 1.0, at[1], at[2] + 0.5);
        p.radius = 0.3;
        OK(dem_particle_add(world, &p, NULL));
    }
    return world;
}

static void same(const dem_world *a, const dem_world *b)
{
    assert_true(scene_hash(a) == scene_hash(b));
    const dem_world_energies of_a = scene_energies(a), of_b = scene_energies(b);
    assert_memory_equal(&of_a, &of_b, sizeof of_a);
}

/* Coefficients of 0 leave the bits of a world without a fluid. */
static void without_drag(void **state)
{
    (void)state;
    dem_world *none = busy(1, DEM_ISA_AUTO, DEM_SUMS_FIXED_ORDER, 1.0, 0),
              *still = busy(1, DEM_ISA_AUTO, DEM_SUMS_FIXED_ORDER, 0.0, 1);
    for (int n = 0; n < 8; ++n) {
        OK(dem_step(none, 1e-3, 50));
        OK(dem_step(still, 1e-3, 50));
        same(none, still);
    }
    dem_world_destroy(none);
    dem_world_destroy(still);
}

/* Threads, instruction sets, single steps, snapshots and rewinds change no bit; nor do exact sums
 * with threads. */
static void same_bits(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; ++exact) {
        const int32_t sums = exact ? DEM_SUMS_EXACT : DEM_SUMS_FIXED_ORDER;
        dem_world *one = busy(1, DEM_ISA_BASELINE, sums, 1.0, 1),
                  *many = busy(3, DEM_ISA_AUTO, sums, 1.0, 1), *other = NULL;
        OK(dem_world_impulses_reset(one));
        OK(dem_world_impulses_reset(many));
        for (int n = 0; n < 6; ++n) {
            OK(dem_step(one, 1e-3, 60));
            if (n == 2)
                OK(dem_world_mark(many));
            for (int k = 0; k < 60; ++k)
                OK(dem_step(many, 1e-3, 1));
            if (n == 2) {
                OK(dem_world_rewind(many));
                OK(dem_step(many, 1e-3, 60));
            }
            same(one, many);
            if (n == 3) {
                uint64_t size;
                unsigned char *bytes = busy_snapshot(one, &size);
                const dem_world_config config = scene_config();
                other = scene_world(&config);
                OK(dem_world_restore(other, bytes, size));
                free(bytes);
            } else if (n > 3) {
                OK(dem_step(other, 1e-3, 60));
                same(one, other);
            }
        }
        assert_true(scene_counts(one).rebuilds > 2 && scene_counts(one).contacts > 5);
        assert_true(scene_energies(one).dissipated_drag > 0.01);
        dem_world_destroy(one);
        dem_world_destroy(many);
        dem_world_destroy(other);
    }
}

/* What the balance of energies lacks, over what was lost to drag. */
static double lost(double dt, uint64_t steps)
{
    dem_world *world = busy(1, DEM_ISA_AUTO, DEM_SUMS_FIXED_ORDER, 1.0, 1);
    OK(dem_step(world, dt, 0));
    double sum[2];
    for (int k = 0; k < 2; ++k) {
        const dem_world_energies e = scene_energies(world);
        sum[k] = e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic +
                 e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip +
                 e.dissipated_drag - e.work_fluid - e.work_external - e.work_boundary;
        if (k == 0)
            OK(dem_step(world, dt, steps));
    }
    const dem_world_energies e = scene_energies(world);
    assert_true(e.dissipated_normal > 0.3 && e.dissipated_drag > 1.0);
    dem_world_destroy(world);
    return (sum[1] - sum[0]) / e.dissipated_drag;
}

static void energy_order(void **state)
{
    (void)state;
    const double coarse = lost(5e-4, 600), fine = lost(1.25e-4, 2400);
    assert_true(fabs(coarse) < 1e-2 && fabs(coarse) > 1e-6);
    near(log2(coarse / fine) / 2.0, 2.0, 0.25);
}

/** A hook that writes what is there. */
static dem_status write_again(void *user, dem_world *world, double dt)
{
    (void)user;
    (void)dt;
    (void)view_of(world, DEM_FIELD_DRAG_COEFFICIENT);
    return dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT);
}

/* What a part of a body of some mobility gets that keeps its velocities, also in halves. */
static void held(void **state)
{
    (void)state;
    const int32_t mobility[] = {DEM_MOBILITY_KINEMATIC, DEM_MOBILITY_FIXED};
    for (int n = 0; n < 4; ++n) {
        const int m = n % 2;
        dem_world_config config = scene_config();
        config.gravity[2] = -10.0;
        config.before_forces = n < 2 ? NULL : write_again;
        dem_world *world = scene_world(&config);
        dem_body body;
        dem_body_part part;
        dem_body_handle handle;
        clump of = {.parts = 1, .part = {{.linear = 0.3, .u = {2.0, 0.0, 1.0}}}};
        OK(dem_body_init(&body));
        OK(dem_body_part_init(&part));
        body.mobility = mobility[m];
        body.velocity[0] = m == 0 ? 0.5 : 0.0;
        part.radius = 0.5;
        OK(dem_body_add(world, &body, 1, &part, &handle));
        fluid_write(world, handle, &of, 1.0);
        OK(dem_world_impulses_reset(world));
        OK(dem_step(world, 1e-3, 100));
        const dem_view impulse = view_of(world, DEM_FIELD_DRAG_IMPULSE);
        const double v = body.velocity[0], *i = row_of(&impulse, 0);
        near(i[0], 0.3 * (2.0 - v) * 0.1, 1e-14);
        near(i[2], 0.3 * 0.1, 1e-14);
        near(body_of(world, handle).position[0], v * 0.1, 1e-14);
        const dem_world_energies e = scene_energies(world);
        near(e.work_fluid, i[0] * 2.0 + i[2], 1e-14);
        near(e.dissipated_drag, i[0] * (2.0 - v) + i[2], 1e-14);
        near(e.work_boundary, -i[0] * v, 1e-14);
        dem_world_destroy(world);
    }
}

/** A hook that changes all that a fluid does, and a force and a torque on parts. */
typedef struct changing {
    dem_body_handle body;
    const clump *of;
    int calls, off; /* `off`: calls after which nothing drags */
} changing;

static dem_status change(void *user, dem_world *world, double dt)
{
    changing *to = user;
    (void)dt;
    const dem_view linear = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   angular = view_of(world, DEM_FIELD_ROTATIONAL_DRAG),
                   force = view_of(world, DEM_FIELD_EXTERNAL_FORCE),
                   torque = view_of(world, DEM_FIELD_EXTERNAL_TORQUE);
    const double factor = ++to->calls > to->off ? 0.0 : 1.0 + 0.5 * (to->calls % 5);
    for (int p = 0; p < PARTS; ++p) { /* the only rows, in the order of the parts */
        *row_of(&linear, (uint64_t)p) = factor * to->of->part[p].linear;
        *row_of(&angular, (uint64_t)p) = factor * to->of->part[p].angular;
    }
    row_of(&force, 0)[0] = sin(0.02 * to->calls);
    row_of(&torque, 1)[1] = 0.05 * sin(0.02 * to->calls);
    OK(dem_world_written_field(world, DEM_FIELD_EXTERNAL_FORCE));
    OK(dem_world_written_field(world, DEM_FIELD_EXTERNAL_TORQUE));
    OK(dem_world_written_field(world, DEM_FIELD_ROTATIONAL_DRAG));
    return dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT);
}

/* What acts in the first kick of a step, and is another one in the second, is booked as what it
 * was: momentum and energy are in balance, also in the step in which drag ends. */
static void changed_in_a_step(void **state)
{
    (void)state;
    const double dt = 1e-3;
    enum { STEPS = 60 };
    double lacks[2];
    for (int fine = 0; fine < 2; ++fine) {
        test_random random = {UINT64_C(0xFACADE)};
        const clump of = any_clump(&random);
        changing to = {.of = &of, .off = fine ? 4 * STEPS : STEPS / 2};
        dem_world_config config = scene_config();
        config.gravity[2] = 0.0;
        config.before_forces = change;
        config.before_forces_user = &to;
        dem_world *world = scene_world(&config);
        to.body = clump_add(world, &of);
        fluid_write(world, to.body, &of, 1.0);
        (void)view_of(world, DEM_FIELD_EXTERNAL_FORCE);
        (void)view_of(world, DEM_FIELD_EXTERNAL_TORQUE);
        OK(dem_world_impulses_reset(world));
        const dem_world_energies e0 = scene_energies(world);
        double pushed = 0.0, before = 0.0;
        for (int n = 1; n <= STEPS; ++n) {
            OK(dem_step(world, fine ? dt / 4.0 : dt, 1));
            pushed += 0.5 * (fine ? dt / 4.0 : dt) * (before + sin(0.02 * n));
            before = sin(0.02 * n);
        }
        assert_int_equal(to.calls, STEPS);
        const dem_body body = body_of(world, to.body);
        const dem_view impulse = view_of(world, DEM_FIELD_DRAG_IMPULSE);
        double sum[3] = {0.0, 0.0, 0.0};
        for (uint64_t p = 0; p < PARTS; ++p)
            for (int c = 0; c < 3; ++c)
                sum[c] += row_of(&impulse, p)[c];
        for (int c = 0; c < 3; ++c)
            near(sum[c] + (c == 0 ? pushed : 0.0), of.mass * (body.velocity[c] - of.velocity[c]),
                 1e-15);
        const dem_world_energies e = scene_energies(world);
        lacks[fine] = e.kinetic_translation + e.kinetic_rotation - e0.kinetic_translation -
                      e0.kinetic_rotation + e.dissipated_drag - e.work_fluid - e.work_external;
        assert_true(e.dissipated_drag > 1e-3 && fabs(e.work_external) > 1e-4);
        dem_world_destroy(world);
    }
    assert_true(fabs(lacks[0]) < 2e-5 && fabs(lacks[1]) < 2e-6);
}

/* A body goes to another world with what the fluid does to its parts. */
static void parcels(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x1234567)};
    const clump of = any_clump(&random);
    dem_world *from = world_with(-10.0), *to = world_with(-10.0), *stays = world_with(-10.0);
    dem_world *const all[] = {from, stays};
    dem_body_handle handle = {0, 0};
    for (int k = 0; k < 2; ++k) {
        handle = clump_add(all[k], &of);
        fluid_write(all[k], handle, &of, 1.0);
        OK(dem_step(all[k], 1e-3, 20));
    }
    uint64_t bytes, count;
    OK(dem_bodies_pack(from, 1, &handle, NULL, 0, &bytes));
    void *buffer = malloc(bytes);
    assert_non_null(buffer);
    OK(dem_bodies_pack(from, 1, &handle, buffer, bytes, &bytes));
    OK(dem_step(to, 1e-3, 20));
    OK(dem_particles_unpack(to, buffer, bytes, &count));
    free(buffer);
    OK(dem_step(to, 1e-3, 30));
    OK(dem_step(stays, 1e-3, 30));
    assert_true(scene_hash(to) == scene_hash(stays));
    dem_world_destroy(from);
    dem_world_destroy(to);
    dem_world_destroy(stays);
}

static dem_particle_handle part_of(const dem_world *world, dem_body_handle body, uint64_t part)
{
    dem_particle_handle handle;
    OK(dem_body_part_find(world, body, part, &handle));
    return handle;
}

/** A body as its owner tells it. */
static dem_status ghost_set(dem_world *owner, dem_body_handle body, dem_world *to,
                            dem_body_handle *ghost)
{
    uint64_t bytes, count;
    OK(dem_ghost_bodies_get(owner, 1, &body, NULL, 0, &bytes));
    void *buffer = malloc(bytes);
    assert_non_null(buffer);
    OK(dem_ghost_bodies_get(owner, 1, &body, buffer, bytes, NULL));
    const dem_status status = dem_ghost_bodies_set(to, buffer, bytes, 1.0, 1, ghost, &count);
    free(buffer);
    return status;
}

/** What the fluid does to the last part of a body. */
static void fields_expect(const dem_world *world, dem_body_handle body, const fluid_part *want)
{
    const dem_particle_handle part = part_of(world, body, PARTS - 1);
    double linear, angular, u[3], turning[3];
    OK(dem_particles_field_get(world, DEM_FIELD_DRAG_COEFFICIENT, 1, &part, &linear));
    OK(dem_particles_field_get(world, DEM_FIELD_ROTATIONAL_DRAG, 1, &part, &angular));
    OK(dem_particles_field_get(world, DEM_FIELD_FLUID_VELOCITY, 1, &part, u));
    OK(dem_particles_field_get(world, DEM_FIELD_FLUID_ANGULAR_VELOCITY, 1, &part, turning));
    assert_true(linear == want->linear && angular == want->angular);
    assert_memory_equal(u, want->u, sizeof u);
    assert_memory_equal(turning, want->turning, sizeof turning);
}

/* Ghosts that are bodies have the fluid of their owners, and none where these have none. A call
 * that fails makes no fluid. */
static void ghosts(void **state)
{
    (void)state;
    static const fluid_part none;
    test_random random = {UINT64_C(0x7654321)};
    const clump of = any_clump(&random);
    dem_world *owner = world_with(-10.0), *other = world_with(-10.0);
    const dem_body_handle handle = clump_add(owner, &of);
    dem_body_handle ghost;
    fluid_write(owner, handle, &of, 1.0);
    /* the ids of parts are taken */
    dem_particle grain = scene_particle(9.0, 9.0, 9.0);
    dem_particle_handle taken;
    grain.id = 2;
    OK(dem_particle_add(other, &grain, &taken));
    uint64_t size[2];
    unsigned char *before = busy_snapshot(other, &size[0]);
    expect(ghost_set(owner, handle, other, &ghost), DEM_ERROR_DUPLICATE, other, "the id 2");
    unsigned char *after = busy_snapshot(other, &size[1]);
    assert_true(size[0] == size[1] && memcmp(before, after, size[0]) == 0);
    free(before);
    free(after);
    OK(dem_particle_remove(other, taken));
    OK(ghost_set(owner, handle, other, &ghost));
    fields_expect(other, ghost, &of.part[PARTS - 1]);
    /* another fluid */
    clump changed = of;
    for (int p = 0; p < PARTS; ++p) {
        changed.part[p].linear *= 2.0;
        changed.part[p].u[1] = 7.0;
    }
    fluid_write(owner, handle, &changed, 1.0);
    OK(ghost_set(owner, handle, other, &ghost));
    fields_expect(other, ghost, &changed.part[PARTS - 1]);
    /* a world that has one, and an owner that has none */
    dem_world *dry = world_with(-10.0);
    const dem_body_handle in_dry = clump_add(dry, &of);
    OK(dem_ghost_bodies_set(other, NULL, 0, 1.0, 0, NULL, NULL));
    OK(ghost_set(dry, in_dry, other, &ghost));
    fields_expect(other, ghost, &none);
    dem_world_destroy(owner);
    dem_world_destroy(other);
    dem_world_destroy(dry);
}

/* What was written waits for each part, and its forces are those of the body. An owner that gives
 * a body away has a ghost that is dragged. */
static void ghosts_are_told(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x1357)};
    const clump of = any_clump(&random);
    dem_world *owner = world_with(-10.0), *other = world_with(-10.0);
    const dem_body_handle handle = clump_add(owner, &of), mine = clump_add(other, &of);
    const double zero[3] = {0.0, 0.0, 0.0}, u[3] = {1.0, 2.0, 3.0};
    fluid_write(other, mine, &of, 1.0);
    OK(dem_world_impulses_reset(other));
    dem_body_handle ghost = mine;
    double load[6];
    OK(dem_bodies_release(other, 1, &mine));
    fields_expect(other, mine, &of.part[PARTS - 1]);
    OK(dem_ghost_bodies_set(other, NULL, 0, 1.0, 0, NULL, NULL));
    OK(ghost_set(owner, handle, other, &ghost));
    OK(dem_world_written_field(other, DEM_FIELD_FLUID_VELOCITY));
    expect(dem_step_begin(other, 1e-3), DEM_ERROR_STATE, other,
           "3 of 3 parts of ghosts that are bodies");
    OK(dem_ghosts_set(other, 0, NULL, 1.0, NULL)); /* of particles */
    for (uint64_t p = 0; p < PARTS; ++p) {
        const dem_particle_handle part = part_of(other, ghost, p);
        expect(dem_step_begin(other, 1e-3), DEM_ERROR_STATE, other, "dem_ghosts_field_set");
        OK(dem_ghosts_field_set(other, DEM_FIELD_FLUID_VELOCITY, 1, &part, u));
        OK(dem_ghosts_field_set(other, DEM_FIELD_FLUID_VELOCITY, 1, &part, u)); /* is one */
    }
    OK(dem_step_begin(other, 1e-3));
    OK(dem_step_cancel(other));
    const dem_particle_handle part = part_of(other, ghost, 0);
    double impulse[3];
    expect(dem_ghosts_field_set(other, DEM_FIELD_EXTERNAL_FORCE, 1, &part, zero), DEM_ERROR_STATE,
           other, "set the load of the body");
    expect(dem_particles_field_get(other, DEM_FIELD_DRAG_IMPULSE, 1, &part, impulse),
           DEM_ERROR_STATE, other, "its owner has its drag impulse");
    /* bodies that are set anew have it; a step that is taken back asks for nothing */
    OK(dem_world_written_field(other, DEM_FIELD_FLUID_VELOCITY));
    OK(ghost_set(owner, handle, other, &ghost));
    OK(dem_step_begin(other, 1e-3));
    OK(dem_bodies_loads_get(owner, 1, &handle, load));
    OK(dem_ghost_bodies_loads_set(other, 1, &ghost, load));
    OK(dem_step_end(other));
    const dem_world_energies e = scene_energies(other);
    assert_true(e.work_fluid == 0.0 && e.dissipated_drag == 0.0);
    dem_world_destroy(owner);
    dem_world_destroy(other);
}

/* Held fast at one part, off its centre, a body swings as a pendulum, however stiff the drag is:
 * its energy stays but for what the step errs, and the part stays where it was. */
static void pendulum(void **state)
{
    (void)state;
    const double dt = 1e-3;
    double swung[3] = {0.0, 0.0, 0.0};
    for (int power = 3; power <= 40; power += power < 16 ? 1 : 6) {
        clump of = {.mass = 0.1,
                    .inertia = {0.01, 0.02, 0.025},
                    .orientation = {0.8, 0.0, 0.6, 0.0},
                    .parts = 2};
        const double centre[3] = {0.2, -0.1, 0.25};
        memcpy(of.part[0].centre, centre, sizeof centre);
        of.part[0].linear = pow(10.0, power) * of.mass / dt;
        dem_world *world = world_with(-10.0);
        const dem_body_handle handle = clump_add(world, &of);
        fluid_write(world, handle, &of, 1.0);
        OK(dem_step(world, dt, 0));
        const dem_view begin = view_of(world, DEM_FIELD_POSITION);
        const uint64_t row = row_of_part(world, &begin, handle, 0);
        double at[3], energy[2];
        memcpy(at, row_of(&begin, row), sizeof at);
        for (int k = 0; k < 2; ++k) {
            const dem_world_energies e = scene_energies(world);
            energy[k] = e.kinetic_translation + e.kinetic_rotation + e.potential;
            if (k == 0)
                OK(dem_step(world, dt, 300));
        }
        near(energy[1], energy[0], 1e-3 * scene_energies(world).kinetic_rotation);
        const dem_view x = view_of(world, DEM_FIELD_POSITION);
        for (int c = 0; c < 3; ++c)
            near(row_of(&x, row_of_part(world, &x, handle, 0))[c], at[c], 5e-4);
        const dem_body body = body_of(world, handle);
        for (int c = 0; c < 3; ++c) {
            if (power == 3)
                swung[c] = body.angular_velocity[c];
            near(body.angular_velocity[c], swung[c], 1e-3);
        }
        assert_true(scene_energies(world).kinetic_rotation > 0.03);
        dem_world_destroy(world);
    }
}

/* About the line through two parts that are held a body turns freely: by a torque of the host, and
 * against the drag that there is. */
static void free_axis(void **state)
{
    (void)state;
    const double dt = 1e-3, torque[3] = {0.01, 0.0, 0.0};
    for (int power = 0; power <= 30; power += 3) {
        for (int drags = 0; drags < 2; ++drags) {
            clump of = {.mass = 0.1,
                        .inertia = {0.01, 0.02, 0.025},
                        .angular_velocity = {drags ? 1.0 : 0.0, 0.0, 0.0},
                        .orientation = {1.0, 0.0, 0.0, 0.0},
                        .parts = 2};
            for (int p = 0; p < 2; ++p) {
                of.part[p].centre[0] = p == 0 ? 0.4 : -0.3;
                of.part[p].linear = pow(10.0, power) * of.mass / dt;
            }
            of.part[1].angular = drags ? of.inertia[0] / 0.3 : 0.0;
            dem_world *world = world_with(0.0);
            const dem_body_handle handle = clump_add(world, &of);
            fluid_write(world, handle, &of, 1.0);
            if (!drags)
                OK(dem_body_set_force(world, handle, NULL, torque));
            OK(dem_step(world, dt, 300));
            near(body_of(world, handle).angular_velocity[0],
                 drags ? exp(-1.0) : torque[0] * 0.3 / of.inertia[0], drags ? 1e-5 : 1e-10);
            dem_world_destroy(world);
        }
    }
}

/* A body with equal moments that is held at one part turns freely about the line from there to its
 * centre of mass, however slow its drag is. */
static void free_line(void **state)
{
    (void)state;
    const double centre[3] = {0.2, -0.1, 0.25}, time = 0.3;
    for (int power = -4; power <= 0; ++power) {
        clump of = {.mass = 0.1,
                    .inertia = {0.01, 0.01, 0.01},
                    .orientation = {0.8, 0.0, 0.6, 0.0},
                    .parts = 2};
        const double rate = pow(10.0, power);
        memcpy(of.part[0].centre, centre, sizeof centre);
        memcpy(of.angular_velocity, centre, sizeof centre);
        dem_kernel_rotation_to_space(of.orientation, of.angular_velocity);
        of.part[0].linear = 1e150;
        of.part[1].angular = rate * of.inertia[0];
        dem_world *world = world_with(0.0);
        const dem_body_handle handle = clump_add(world, &of);
        fluid_write(world, handle, &of, 1.0);
        OK(dem_step(world, 1e-3, 300));
        const dem_body body = body_of(world, handle);
        for (int c = 0; c < 3; ++c)
            near(body.angular_velocity[c] / of.angular_velocity[c], exp(-rate * time),
                 1e-6 * rate * time);
        dem_world_destroy(world);
    }
}

/* Held at one part and dragged softly at others: the motion does not depend on how fast it is
 * held. */
static void pinned_and_dragged(void **state)
{
    (void)state;
    const double dt = 1e-3;
    test_random random = {UINT64_C(0x5EED)};
    for (int n = 0; n < 6; ++n) {
        clump of = any_clump(&random);
        dem_body held = {.struct_size = sizeof held};
        for (int power = 6; power <= 15; power += 3) {
            of.part[0].linear = pow(10.0, power) * of.mass / dt;
            of.part[0].angular = 0.0;
            dem_world *world = world_with(-10.0);
            const dem_body_handle handle = clump_add(world, &of);
            fluid_write(world, handle, &of, 1.0);
            OK(dem_step(world, dt, 200));
            const dem_body body = body_of(world, handle);
            if (power == 6)
                held = body;
            for (int c = 0; c < 3; ++c) {
                near(body.angular_velocity[c], held.angular_velocity[c], 1e-5);
                near(body.velocity[c], held.velocity[c], 1e-5);
            }
            dem_world_destroy(world);
        }
    }
}

static dem_status tell(void *user, dem_world *world, double dt)
{
    (void)user;
    (void)dt;
    return dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT);
}

/* Parts of a body that turns as the host says, with a hook that tells of a field: the same in
 * halves as in whole steps, and what the velocity of the parts says. */
static void held_with_a_hook(void **state)
{
    (void)state;
    double error[2];
    for (int fine = 0; fine < 2; ++fine) {
        const uint64_t steps = fine ? 400 : 100;
        const double dt = 0.3 / (double)steps;
        dem_world_energies e[2];
        double impulse[2][3];
        for (int halves = 0; halves < 2; ++halves) {
            dem_world_config config = scene_config();
            config.before_forces = tell;
            dem_world *world = scene_world(&config);
            dem_body body;
            dem_body_part part[2];
            dem_body_handle handle;
            clump of = {.parts = 2, .part = {{.linear = 0.2}, {.linear = 0.0}}};
            OK(dem_body_init(&body));
            body.mobility = DEM_MOBILITY_KINEMATIC;
            body.angular_velocity[2] = 3.0;
            for (int p = 0; p < 2; ++p) {
                OK(dem_body_part_init(&part[p]));
                part[p].centre[0] = p == 0 ? 0.3 : -0.3;
                part[p].radius = 0.4;
            }
            OK(dem_body_add(world, &body, 2, part, &handle));
            fluid_write(world, handle, &of, 1.0);
            OK(dem_world_impulses_reset(world));
            OK(dem_step(world, dt, 0));
            for (uint64_t n = 0; n < steps; ++n) {
                if (halves) {
                    OK(dem_step_begin(world, dt));
                    OK(dem_step_end(world));
                } else {
                    OK(dem_step(world, dt, 1));
                }
            }
            const dem_view view = view_of(world, DEM_FIELD_DRAG_IMPULSE);
            memcpy(impulse[halves], row_of(&view, row_of_part(world, &view, handle, 0)),
                   sizeof impulse[halves]);
            e[halves] = scene_energies(world);
            near(e[halves].work_boundary, e[halves].dissipated_drag, 1e-15);
            dem_world_destroy(world);
        }
        assert_memory_equal(impulse[0], impulse[1], sizeof impulse[0]);
        assert_memory_equal(&e[0], &e[1], sizeof e[0]);
        /* beta times the way that the part went */
        error[fine] = hypot(impulse[0][0] - 0.2 * 0.3 * (1.0 - cos(0.9)),
                            impulse[0][1] + 0.2 * 0.3 * sin(0.9));
    }
    assert_true(error[0] < 1e-5);
    near(log2(error[0] / error[1]) / 2.0, 2.0, 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),
        cmocka_unit_test(spin_left),
        cmocka_unit_test(balance_stays),
        cmocka_unit_test(stiffest),
        cmocka_unit_test(as_spheres),
        cmocka_unit_test(impulses_and_energy),
        cmocka_unit_test(least_coefficients),
        cmocka_unit_test(stretched),
        cmocka_unit_test(angular_impulses),
        cmocka_unit_test(one_kick),
        cmocka_unit_test(without_drag),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(energy_order),
        cmocka_unit_test(pendulum),
        cmocka_unit_test(free_axis),
        cmocka_unit_test(free_line),
        cmocka_unit_test(pinned_and_dragged),
        cmocka_unit_test(held),
        cmocka_unit_test(held_with_a_hook),
        cmocka_unit_test(changed_in_a_step),
        cmocka_unit_test(parcels),
        cmocka_unit_test(ghosts),
        cmocka_unit_test(ghosts_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
