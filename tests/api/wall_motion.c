/* SPDX-License-Identifier: MIT */
/**
 * @file wall_motion.c
 * Walls that turn: their path over a million steps, spheres that they carry against closed forms,
 * order in dt, balance of energy and of angular momentum, the neighbour list, undo, mark, snapshot,
 * threads and instruction sets, and what is refused.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/law.h"
#include "../support/meshes.h"
#include "../support/report.h"
#include "../support/scene.h"
#include "../support/snapshot.h"
#include "../support/walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RADIUS 0.1

static const double PI = 3.14159265358979323846;

static dem_wall wall_read(const dem_world *world, uint64_t id)
{
    dem_wall wall = {.struct_size = sizeof wall};
    OK(dem_wall_get(world, id, &wall));
    return wall;
}

static dem_particle particle_read(const dem_world *world, dem_particle_handle handle)
{
    dem_particle p = {.struct_size = sizeof p};
    OK(dem_particle_get(world, handle, &p));
    return p;
}

static dem_particle sphere_at(double x, double y, double z)
{
    dem_particle p;
    OK(dem_particle_init(&p));
    p.radius = RADIUS;
    p.position[0] = x;
    p.position[1] = y;
    p.position[2] = z;
    return p;
}

static void vector_set(double v[3], double x, double y, double z)
{
    v[0] = x;
    v[1] = y;
    v[2] = z;
}

static void cross(const double a[3], const double b[3], double product[3])
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/** The energy without what the boundary put in and what was lost. */
static double balance_of(const dem_world *world)
{
    const dem_world_energies e = scene_energies(world);
    return e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic +
           e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip + e.dissipated_rolling -
           e.work_boundary;
}

/* ------------------------------------------------------------------ models */

enum { MODEL_LINEAR, MODEL_MINDLIN, MODEL_DERESIEWICZ, MODEL_THREE_CASE, MODEL_JKR, MODELS };

/** A model that sticks: friction is large. */
static void model_set(dem_world *world, int which, double restitution, double friction)
{
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_adhesion adhesion;
    dem_rolling rolling;
    if (which == MODEL_LINEAR) {
        scene_model(world, 0, 0, 1e5, friction, restitution);
        return;
    }
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_adhesion_init(&adhesion));
    OK(dem_rolling_init(&rolling));
    hertz.young[0] = adhesion.young[0] = 1e7;
    hertz.restitution = adhesion.restitution = restitution;
    adhesion.work_of_adhesion = 20.0;
    mindlin.friction = friction;
    rolling.stiffness = 1e4;
    OK(dem_contact_model_init(&model));
    if (which == MODEL_JKR)
        OK(dem_contact_model_add_jkr(&model, &adhesion));
    else
        OK(dem_contact_model_add_hertz(&model, &hertz));
    if (which == MODEL_DERESIEWICZ)
        OK(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    else if (which == MODEL_THREE_CASE)
        OK(dem_contact_model_add_mindlin_three_case(&model, &mindlin));
    else
        OK(dem_contact_model_add_mindlin(&model, &mindlin));
    if (which == MODEL_JKR) {
        OK(dem_contact_model_add_rolling_csds(&model, &rolling));
        OK(dem_contact_model_add_twisting_csds(&model, &rolling));
    }
    OK(dem_contact_model_set(world, 0, 0, &model));
}

static dem_world *world_of(const dem_world_config *config, int which, double restitution,
                           double friction)
{
    dem_world *world = NULL;
    OK(dem_world_create(config, &world, NULL));
    model_set(world, which, restitution, friction);
    return world;
}

/* ------------------------------------------------------------------ paths */

/** A rotation of a vector about a unit axis. */
static void rotated(const double axis[3], long double angle, const double v[3], double out[3])
{
    double product[3];
    const long double c = cosl(angle), s = sinl(angle);
    cross(axis, v, product);
    long double along = 0.0L;
    for (int k = 0; k < 3; ++k)
        along += (long double)axis[k] * v[k];
    for (int k = 0; k < 3; ++k)
        out[k] = (double)(along * axis[k] * (1.0L - c) + c * v[k] + s * product[k]);
}

/** A million steps about a pivot: every point is on its circle, at its angle. */
static void no_spiral(void **state)
{
    (void)state;
    enum { STEPS = 1000000 };
    const double axis[3] = {2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0}, rate = 37.0, dt = 1e-4;
    const double arm[3] = {0.8, 0.5, -0.3};
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = world_of(&config, MODEL_LINEAR, 1.0, 0.5);
    dem_wall wall = wall_sized(DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, 1.0, 0.5, 0.0);
    uint64_t id;
    for (int c = 0; c < 3; ++c) {
        wall.point[c] = arm[c];
        wall.pivot[c] = -arm[c];
        wall.angular_velocity[c] = rate * axis[c];
    }
    vector_set(wall.normal, 1.0, 2.0, -1.0);
    vector_set(wall.axis, 1.0, 0.0, 1.0);
    OK(dem_wall_add(world, &wall, &id));
    const dem_wall first = wall_read(world, id);
    OK(dem_step(world, dt, STEPS));
    const dem_wall last = wall_read(world, id);
    const long double angle = (long double)rate * dt * STEPS;
    double off = 0.0, length = 0.0, was = 0.0, want[3];
    rotated(axis, angle, arm, want);
    for (int c = 0; c < 3; ++c) {
        off = fmax(off, fabs(last.point[c] - want[c]));
        length += last.point[c] * last.point[c];
        was += arm[c] * arm[c];
    }
    SHOWN("drum-without-spiral", "position/R", off / sqrt(was), 0.0, 1e-12);
    SHOWN("drum-without-spiral", "radius/R", sqrt(length / was), 1.0, 4e-16);
    rotated(axis, angle, first.normal, want);
    for (int c = 0; c < 3; ++c)
        assert_true(fabs(last.normal[c] - want[c]) < 1e-12);
    rotated(axis, angle, first.axis, want);
    for (int c = 0; c < 3; ++c)
        assert_true(fabs(last.axis[c] - want[c]) < 1e-12);
    for (int c = 0; c < 3; ++c)
        assert_true(fabs(last.pivot[c] + last.point[c]) < 1e-15);
    dem_world_destroy(world);
}

/** Another axis every other step and back: nothing shrinks; the same axis again and again, in
 * pieces and at other speeds, is one rotation. */
static void new_axes(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = world_of(&config, MODEL_LINEAR, 1.0, 0.5);
    dem_wall wall = wall_sized(DEM_SHAPE_BOX, DEM_SIDE_OUTSIDE, 1.0, 0.5, 0.3);
    uint64_t ids[2];
    vector_set(wall.point, 3.0, 0.0, 4.0);
    vector_set(wall.pivot, -3.0, 0.0, -4.0);
    OK(dem_wall_add(world, &wall, &ids[0]));
    OK(dem_wall_add(world, &wall, &ids[1]));
    const dem_wall before = wall_read(world, ids[0]);
    const double axis[3] = {0.6, 0.0, 0.8};
    enum { STEPS = 4000, EARLY = 100 };
    dem_wall early = before;
    double angle = 0.0;
    for (int k = 0; k < STEPS; ++k) {
        if (k == EARLY)
            early = wall_read(world, ids[1]);
        const double w[3] = {0.3 * sin(k), 0.5, cos(0.7 * k)};
        const double rate = 5.0 * sin(0.01 * k);
        double steady[3];
        angle += rate * 1e-3;
        for (int c = 0; c < 3; ++c)
            steady[c] = rate * axis[c];
        OK(dem_wall_set_motion(world, ids[0], NULL, w, NULL));
        OK(dem_wall_set_motion(world, ids[1], NULL, steady, NULL));
        OK(dem_step(world, 1e-3, 1));
    }
    wall = wall_read(world, ids[0]);
    double length = 0.0, unit = 0.0, across = 0.0, moved = 0.0;
    for (int c = 0; c < 3; ++c) {
        length += wall.point[c] * wall.point[c];
        unit += wall.normal[c] * wall.normal[c];
        across += wall.normal[c] * wall.axis[c];
        moved += fabs(wall.point[c] - before.point[c]);
    }
    assert_true(moved > 0.1);
    assert_true(fabs(sqrt(length) - 5.0) < 2e-14);
    assert_true(fabs(unit - 1.0) < 1e-14 && fabs(across) < 1e-14);
    wall = wall_read(world, ids[1]);
    double want[3];
    rotated(axis, angle, before.point, want);
    for (int c = 0; c < 3; ++c)
        assert_true(fabs(wall.point[c] - want[c]) < 1e-12);
    /* the same steps backwards undo it to the bit */
    for (int k = STEPS - 1; k >= EARLY; --k) {
        double back[3];
        for (int c = 0; c < 3; ++c)
            back[c] = -(5.0 * sin(0.01 * k) * axis[c]);
        OK(dem_wall_set_motion(world, ids[1], NULL, back, NULL));
        OK(dem_step(world, 1e-3, 1));
    }
    wall = wall_read(world, ids[1]);
    assert_memory_equal(wall.point, early.point, sizeof wall.point);
    assert_memory_equal(wall.normal, early.normal, sizeof wall.normal);
    assert_memory_equal(wall.axis, early.axis, sizeof wall.axis);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ spheres against closed forms
 */

/** A ball that rolls on a turntable goes round a circle with 2/7 of the turntable's angular
 * velocity, wherever it is and whatever its speed. */
static double turntable(int32_t shape, double dt)
{
    const double spin = 3.0, speed = 0.2, period = 2.0 * PI / (2.0 / 7.0 * spin), x = 0.5;
    dem_world_config config = scene_config();
    dem_world *world = world_of(&config, MODEL_LINEAR, 1.0, 5.0);
    dem_wall wall =
        wall_sized(shape, DEM_SIDE_OUTSIDE, shape == DEM_SHAPE_DISC ? 3.0 : 0.0, 0.0, 0.0);
    vector_set(wall.angular_velocity, 0.0, 0.0, spin);
    OK(dem_wall_add(world, &wall, NULL));
    dem_particle p = sphere_at(x, 0.0, RADIUS);
    p.mass = 1.0;
    p.position[2] -= p.mass * 10.0 / 1e5;
    /* v + w x (-r n) is the velocity of the table: both are (0, spin x) there */
    p.velocity[0] = speed;
    p.angular_velocity[1] = speed / RADIUS;
    p.angular_velocity[0] = spin * x / RADIUS;
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    const uint64_t steps = (uint64_t)(period / dt + 0.5);
    OK(dem_step(world, period / (double)steps, steps / 2));
    p = particle_read(world, handle);
    /* half a circle: speed/(2/7 spin) is its radius */
    const double across = hypot(p.position[0] - x, p.position[1]);
    assert_true(fabs(across / (2.0 * speed / (2.0 / 7.0 * spin)) - 1.0) < 2e-3);
    OK(dem_step(world, period / (double)steps, steps - steps / 2));
    p = particle_read(world, handle);
    dem_world_destroy(world);
    return hypot(p.position[0] - x, p.position[1]) / across;
}

static void carried(void **state)
{
    (void)state;
    test_long();
    SHOWN("ball-on-rotating-disc", "return/diameter", turntable(DEM_SHAPE_DISC, 1e-4), 0.0, 5e-3);
    SHOWN("ball-on-rotating-plane", "return/diameter", turntable(DEM_SHAPE_PLANE, 1e-4), 0.0, 5e-3);
}

/** A ball that rolls at the bottom of a cylinder: T = 2 pi sqrt(7 (R - r)/(5 g)). In a cylinder
 * that turns it does the same about the same place. */
static void swing(void **state)
{
    (void)state;
    const double arm = 0.4, start = 0.01, want = 2.0 * PI * sqrt(1.4 * arm / 10.0);
    for (int turns = 0; turns < 2; ++turns) {
        dem_world_config config = scene_config();
        dem_world *world = world_of(&config, MODEL_LINEAR, 1.0, 5.0);
        dem_wall wall = wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, arm + RADIUS, 0.0, 0.0);
        vector_set(wall.normal, 0.0, 1.0, 0.0);
        const double spin = turns ? 2.0 : 0.0;
        wall.angular_velocity[1] = spin;
        OK(dem_wall_add(world, &wall, NULL));
        dem_particle p = sphere_at(-arm * sin(start), 0.0, 0.0);
        p.mass = 1.0;
        p.position[2] = -(arm + 10.0 / 1e5) * cos(start);
        /* the inner surface at the bottom moves with -spin R along x, and the ball turns with it */
        p.angular_velocity[1] = spin * (arm + RADIUS) / RADIUS;
        dem_particle_handle handle;
        OK(dem_particle_add(world, &p, &handle));
        const double dt = 1e-4;
        double before = p.position[0], crossed = 0.0;
        int crossings = 0;
        for (int k = 1; crossings < 5; ++k) {
            OK(dem_step(world, dt, 1));
            p = particle_read(world, handle);
            if ((p.position[0] > 0.0) != (before > 0.0) && fabs(p.velocity[0]) > 1e-3) {
                const double at = dt * (k - p.position[0] / (p.position[0] - before));
                crossings += 1;
                if (crossings == 1)
                    crossed = at;
                else if (crossings == 5)
                    crossed = at - crossed;
            }
            before = p.position[0];
            assert_true(k < 200000);
        }
        SHOWN(turns ? "ball-in-rotating-cylinder" : "ball-in-cylinder", "period/s", 0.5 * crossed,
              want, 1e-3 * want);
        dem_world_destroy(world);
    }
}

/** A sphere that slides without friction around in a cone, at a constant height: v^2 = g z, where z
 * is the height of the centre over the point where its cone ends. */
static void cone(void **state)
{
    (void)state;
    for (int turns = 0; turns < 2; ++turns) {
        dem_world_config config = scene_config();
        dem_world *world = world_of(&config, MODEL_LINEAR, 1.0, 0.0);
        dem_wall wall = wall_sized(DEM_SHAPE_CONE, DEM_SIDE_INSIDE, 0.2, 1.0, 1.2);
        wall.angular_velocity[2] = turns ? 7.0 : 0.0;
        OK(dem_wall_add(world, &wall, NULL));
        /* at 45 degrees: weight and centrifugal force are alike, and F = sqrt(2) m g */
        const double overlap = sqrt(2.0) * 10.0 / 1e5, x = 0.5;
        const double z = x - 0.7 + (RADIUS - overlap) * sqrt(2.0);
        dem_particle p = sphere_at(x, 0.0, z);
        p.mass = 1.0;
        p.velocity[1] = sqrt(10.0 * x);
        dem_particle_handle handle;
        OK(dem_particle_add(world, &p, &handle));
        const double period = 2.0 * PI * x / p.velocity[1];
        OK(dem_step(world, period / 20000.0, 20000));
        p = particle_read(world, handle);
        SHOWN(turns ? "sphere-in-rotating-cone" : "sphere-in-cone", "height/m", p.position[2], z,
              1e-6);
        SHOWN(turns ? "sphere-in-rotating-cone" : "sphere-in-cone", "return/m", p.position[1], 0.0,
              1e-5);
        dem_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ order and balances */

/** A scene of one sphere that sticks to a wall which turns and moves. */
typedef struct ride {
    int32_t shape, side;
    double size[3], normal[3], point[3], spin[3], pivot[3], at[3];
} ride;

static const ride rides[] = {
    {DEM_SHAPE_CONE,
     DEM_SIDE_INSIDE,
     {0.3, 1.0, 0.9},
     {0.3, 0.0, 1.0},
     {0.0, 0.0, 0.0},
     {0.6, 0.0, 2.0},
     {0.0, 0.0, 0.0},
     {0.2, 0.1, 0.25}},
    {DEM_SHAPE_PLANE,
     DEM_SIDE_OUTSIDE,
     {0.0, 0.0, 0.0},
     {0.1, 0.2, 1.0},
     {0.0, 0.0, -0.1},
     {0.7, 0.4, 1.1},
     {0.2, -0.1, 0.0},
     {0.3, 0.1, 0.2}},
    {DEM_SHAPE_RECTANGLE,
     DEM_SIDE_BOTH,
     {3.0, 3.0, 0.0},
     {0.1, -0.1, 1.0},
     {0.0, 0.0, -0.1},
     {0.5, -0.3, 0.9},
     {-0.3, 0.2, 0.1},
     {0.2, 0.2, 0.2}},
    {DEM_SHAPE_BALL,
     DEM_SIDE_INSIDE,
     {0.9, 0.0, 0.0},
     {0.0, 0.0, 1.0},
     {0.0, 0.0, 0.5},
     {1.0, 0.5, -0.4},
     {0.0, 0.1, 0.0},
     {0.1, 0.0, 0.0}},
};
enum { RIDES = sizeof rides / sizeof rides[0] };

/** How far the centre is within reach of the wall, found by what a world says of the contact. */
static double ride_overlap(const ride *r, const double at[3])
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    scene_model(world, 0, 0, 1.0, 0.0, 1.0);
    dem_wall wall = wall_sized(r->shape, r->side, r->size[0], r->size[1], r->size[2]);
    memcpy(wall.normal, r->normal, sizeof wall.normal);
    memcpy(wall.point, r->point, sizeof wall.point);
    uint64_t id;
    OK(dem_wall_add(world, &wall, &id));
    const dem_particle p = sphere_at(at[0], at[1], at[2]);
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_step(world, 1e-6, 0));
    wall = wall_read(world, id);
    dem_world_destroy(world);
    return sqrt(wall.force[0] * wall.force[0] + wall.force[1] * wall.force[1] +
                wall.force[2] * wall.force[2]);
}

/** Lowers a sphere until it touches by little more than its weight asks for. */
static void ride_lower(const ride *r, double at[3])
{
    double step = 1e-2;
    for (; step > 1e-5; step *= 0.1) {
        while (ride_overlap(r, at) < 1.5e-4)
            at[2] -= step;
        at[2] += step;
    }
}

/** A world in which a sphere is pressed onto the wall. */
static dem_world *ride_begin(const ride *r, int which, int32_t integrator, uint64_t *id,
                             dem_particle_handle *handle)
{
    dem_world_config config = scene_config();
    config.integrator = integrator;
    dem_world *world = world_of(&config, which, 1.0, 20.0);
    dem_wall wall = wall_sized(r->shape, r->side, r->size[0], r->size[1], r->size[2]);
    memcpy(wall.normal, r->normal, sizeof wall.normal);
    memcpy(wall.point, r->point, sizeof wall.point);
    memcpy(wall.angular_velocity, r->spin, sizeof wall.angular_velocity);
    memcpy(wall.pivot, r->pivot, sizeof wall.pivot);
    vector_set(wall.velocity, 0.05, -0.02, 0.03);
    OK(dem_wall_add(world, &wall, id));
    double at[3] = {r->at[0], r->at[1], r->at[2]};
    ride_lower(r, at);
    dem_particle p = sphere_at(at[0], at[1], at[2]);
    p.mass = 1.0;
    /* with the wall */
    double arm[3], carried_along[3];
    for (int c = 0; c < 3; ++c)
        arm[c] = at[c] - r->point[c] - r->pivot[c];
    cross(r->spin, arm, carried_along);
    for (int c = 0; c < 3; ++c) {
        p.velocity[c] = wall.velocity[c] + carried_along[c];
        p.angular_velocity[c] = r->spin[c];
    }
    OK(dem_particle_add(world, &p, handle));
    return world;
}

/** Position, and what the balance of energy is off by, after some time. */
static void ride_end(const ride *r, int which, int32_t integrator, uint64_t steps, double x[3],
                     double *balance)
{
    uint64_t id;
    dem_particle_handle handle;
    dem_world *world = ride_begin(r, which, integrator, &id, &handle);
    const double dt = 0.03 / (double)steps;
    OK(dem_step(world, dt, 0));
    const double before = balance_of(world);
    OK(dem_step(world, dt, steps));
    assert_int_equal(scene_counts(world).contacts, 1);
    *balance = balance_of(world) - before;
    const dem_particle p = particle_read(world, handle);
    memcpy(x, p.position, sizeof p.position);
    dem_world_destroy(world);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/** Positions and the balance of energy are of second order in dt, for walls that turn about any
 * axis and spheres that stick to them. */
static void second_order(void **state)
{
    (void)state;
    for (int k = 0; k < RIDES; ++k) {
        double x[3][3], fine[3], balance[4], order, of_balance;
        for (int n = 0; n < 3; ++n)
            ride_end(&rides[k], MODEL_LINEAR, DEM_INTEGRATOR_VERLET_SYNC, UINT64_C(300) << n, x[n],
                     &balance[n]);
        ride_end(&rides[k], MODEL_LINEAR, DEM_INTEGRATOR_VERLET_SYNC, UINT64_C(300) << 6, fine,
                 &balance[3]);
        order = log2(distance(x[1], fine) / distance(x[2], fine));
        of_balance = log2(fabs(balance[1] / balance[2]));
        static const char *const names[RIDES] = {"turning-cone", "turning-plane",
                                                 "turning-rectangle", "turning-ball"};
        SHOWN(names[k], "order-of-position", order, 2.0, 0.05);
        SHOWN(names[k], "order-of-energy", of_balance, 2.0, 0.05);
    }
}

/** Every law and every scheme closes the balance of energy, the better the smaller dt is. */
static void laws_and_schemes(void **state)
{
    (void)state;
    test_long();
    static const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_VERLET_IMPROVED,
                                      DEM_INTEGRATOR_VERLET_STANDARD, DEM_INTEGRATOR_LEAPFROG,
                                      DEM_INTEGRATOR_SYMPLECTIC_EULER};
    for (int k = 0; k < RIDES; ++k)
        for (int which = 0; which < MODELS; ++which)
            for (int s = 0; s < 5; ++s) {
                double x[3], coarse, fine;
                ride_end(&rides[k], which, schemes[s], 300, x, &coarse);
                ride_end(&rides[k], which, schemes[s], 1200, x, &fine);
                /* along a cone R* changes, which a Hertzian law does not know */
                const int knows = which == MODEL_LINEAR || rides[k].shape != DEM_SHAPE_CONE;
                const int second = schemes[s] != DEM_INTEGRATOR_VERLET_STANDARD &&
                                   schemes[s] != DEM_INTEGRATOR_SYMPLECTIC_EULER;
                assert_true(!knows || fabs(fine) < (second ? 0.08 : 0.6) * fabs(coarse));
                assert_true(fabs(fine) < (second ? 1e-6 : 4e-5));
            }
}

/** A sphere that bounces off a paddle: what it lost of momentum and of angular momentum about the
 * paddle's centre, with its spin, is the paddle's impulse; work is in the sum of the world. */
static void impulses(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1e5;
    linear.friction = 0.3;
    linear.restitution = 0.8;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    model.lever_arm = DEM_ARM_CONTACT;
    OK(dem_contact_model_set(world, 0, 0, &model));
    dem_wall wall = wall_sized(DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, 1.0, 1.0, 0.0);
    vector_set(wall.point, 0.5, 0.0, 0.0);
    vector_set(wall.pivot, -0.5, 0.0, 0.0);
    vector_set(wall.angular_velocity, 0.3, -2.0, 0.5);
    uint64_t id;
    OK(dem_wall_add(world, &wall, &id));
    dem_particle p = sphere_at(0.6, 0.2, 0.25);
    p.mass = 1.0;
    vector_set(p.velocity, 0.1, -0.4, -1.0);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    OK(dem_world_impulses_reset(world));
    OK(dem_step(world, 5e-6, 40000));
    const dem_particle q = particle_read(world, handle);
    wall = wall_read(world, id);
    assert_int_equal(scene_counts(world).contacts, 0);
    assert_true(q.velocity[2] > 0.5);
    double before[3], after[3];
    cross(p.position, p.velocity, before);
    cross(q.position, q.velocity, after);
    for (int c = 0; c < 3; ++c) {
        const double inertia = 0.4 * RADIUS * RADIUS;
        before[c] += inertia * p.angular_velocity[c];
        after[c] += inertia * q.angular_velocity[c];
        assert_true(fabs(p.velocity[c] - q.velocity[c] - wall.impulse[c]) < 1e-12);
        assert_true(fabs(before[c] - after[c] - wall.angular_impulse[c]) < 1e-7);
        assert_true(fabs(wall.angular_impulse[c]) > 1e-3);
    }
    const dem_world_energies e = scene_energies(world);
    assert_true(fabs(wall.work) > 0.1 && fabs(wall.work - e.work_boundary) < 1e-12);
    SHOWN("paddle", "energy/J", balance_of(world), 0.5 * (0.01 + 0.16 + 1.0), 5e-6);
    dem_world_destroy(world);
}

/** A sphere that slides and rolls up inside a drum. With arms that end at the radius, the moment of
 * the drum differs from what the sphere loses by friction times overlap, and by nothing else; with
 * arms that end at the contact, by nothing. */
static void arms_in_a_drum(void **state)
{
    (void)state;
    const double dt = 1e-5;
    for (int32_t arm = DEM_ARM_RADIUS; arm <= DEM_ARM_CONTACT; ++arm) {
        dem_world *world = NULL;
        dem_world_config config;
        OK(dem_world_config_init(&config));
        OK(dem_world_create(&config, &world, NULL));
        dem_linear linear;
        OK(dem_linear_init(&linear));
        linear.stiffness_normal = 1e3;
        linear.friction = 0.3;
        linear.restitution = 0.5;
        dem_contact_model model;
        OK(dem_contact_model_init(&model));
        OK(dem_contact_model_add_linear_csds(&model, &linear));
        model.lever_arm = arm;
        OK(dem_contact_model_set(world, 0, 0, &model));
        dem_wall wall = wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 3.0 * RADIUS, 1.0, 0.0);
        uint64_t id;
        OK(dem_wall_add(world, &wall, &id));
        dem_particle p = sphere_at(2.0 * RADIUS, 0.0, 0.0);
        p.mass = 1.0;
        vector_set(p.velocity, 0.0, 2.0, 0.0);
        dem_particle_handle handle;
        OK(dem_particle_add(world, &p, &handle));
        OK(dem_world_impulses_reset(world));
        double missing = 0.0;
        for (int k = 0; k < 10000; ++k) {
            OK(dem_step(world, dt, 1));
            snapshot s = snapshot_world(world);
            if (s.count == 1) {
                const snapshot_row *row = &s.rows[0];
                missing -= dt * row->overlap *
                           (row->normal[0] * row->force_tangential[1] -
                            row->normal[1] * row->force_tangential[0]);
            }
            snapshot_free(&s);
        }
        const dem_particle q = particle_read(world, handle);
        wall = wall_read(world, id);
        const double inertia = 0.4 * RADIUS * RADIUS;
        const double gained = q.position[0] * q.velocity[1] - q.position[1] * q.velocity[0] +
                              inertia * q.angular_velocity[2] - p.position[0] * p.velocity[1];
        assert_true(fabs(wall.angular_impulse[2]) > 0.1);
        assert_true(fabs(missing) > 1e-3);
        assert_true(fabs(gained + wall.angular_impulse[2] -
                         (arm == DEM_ARM_RADIUS ? missing : 0.0)) < 1e-3 * fabs(missing));
        dem_world_destroy(world);
    }
}

/** Force and torque on a fixed wall: of a weight on an arm. */
static void moments(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = world_of(&config, MODEL_LINEAR, 0.2, 0.5);
    dem_wall wall = wall_sized(DEM_SHAPE_DISC, DEM_SIDE_BOTH, 1.0, 0.0, 0.0);
    uint64_t id, second;
    vector_set(wall.pivot, 0.0, 0.2, 0.0);
    OK(dem_wall_add(world, &wall, &id));
    dem_particle p = sphere_at(0.5, 0.5, RADIUS);
    p.mass = 2.0;
    OK(dem_particle_add(world, &p, NULL));
    p = sphere_at(-0.3, 0.0, RADIUS);
    p.mass = 2.0;
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_step(world, 1e-4, 20000));
    wall = wall_read(world, id);
    assert_true(fabs(wall.force[2] + 40.0) < 1e-6);
    /* (0.5, 0.3) and (-0.3, -0.2) from the centre, 20 N each */
    assert_true(fabs(wall.torque[0] + 20.0 * 0.1) < 1e-6);
    assert_true(fabs(wall.torque[1] - 20.0 * 0.2) < 1e-6);
    assert_true(fabs(wall.torque[2]) < 1e-6);
    assert_true(wall.work == 0.0);
    /* what a snapshot keeps */
    uint64_t size, written;
    OK(dem_world_snapshot_size(world, &size));
    void *buffer = malloc(size);
    OK(dem_world_snapshot(world, buffer, size, &written));
    dem_world *again = NULL;
    OK(dem_world_create(&config, &again, NULL));
    OK(dem_world_restore(again, buffer, size));
    const dem_wall read = wall_read(again, id);
    assert_memory_equal(&read, &wall, sizeof wall);
    /* a wall that takes the place of one that turned is at rest */
    const double spin[3] = {0.0, 0.0, 1.0};
    OK(dem_wall_set_motion(again, id, NULL, spin, NULL));
    OK(dem_step(again, 1e-4, 10));
    OK(dem_wall_remove(again, id));
    OK(dem_step(again, 1e-4, 1));
    wall = wall_sized(DEM_SHAPE_DISC, DEM_SIDE_BOTH, 1.0, 0.0, 0.0);
    vector_set(wall.axis, 1.0, 0.0, 0.0);
    OK(dem_wall_add(again, &wall, &second));
    OK(dem_step(again, 1e-4, 10));
    wall = wall_read(again, second);
    assert_true(wall.axis[0] == 1.0 && wall.angular_velocity[2] == 0.0);
    free(buffer);
    dem_world_destroy(world);
    dem_world_destroy(again);
}

/* ------------------------------------------------------------------ the list */

/** A cloud that a paddle and a stick sweep through, over a roller and a floor that tilts. */
static dem_world *cloud(const dem_world_config *config, int which)
{
    dem_world *world = world_of(config, which, 0.8, 0.4);
    dem_wall paddle = wall_sized(DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, 1.6, 0.8, 0.0);
    vector_set(paddle.normal, 0.0, 1.0, 0.0);
    vector_set(paddle.axis, 1.0, 0.0, 0.0);
    vector_set(paddle.angular_velocity, 0.2, 0.1, 9.0);
    paddle.id = 1;
    OK(dem_wall_add(world, &paddle, NULL));
    dem_wall stick = wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_OUTSIDE, 0.1, 1.2, 0.0);
    vector_set(stick.point, 0.3, 0.2, -1.6);
    vector_set(stick.angular_velocity, 4.0, 5.0, 0.0);
    vector_set(stick.pivot, 0.0, 0.0, 0.4);
    stick.id = 2;
    OK(dem_wall_add(world, &stick, NULL));
    dem_wall lid = wall_sized(DEM_SHAPE_PLANE, DEM_SIDE_OUTSIDE, 0.0, 0.0, 0.0);
    vector_set(lid.point, 0.0, 0.0, -2.8);
    vector_set(lid.pivot, 1.0, 0.0, 0.0);
    vector_set(lid.angular_velocity, 0.2, 0.4, 0.0);
    lid.id = 3;
    OK(dem_wall_add(world, &lid, NULL));
    dem_wall roller = wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_OUTSIDE, 0.3, 0.0, 0.0);
    vector_set(roller.point, -0.8, 0.0, -1.6);
    vector_set(roller.normal, 0.0, 1.0, 0.0);
    vector_set(roller.angular_velocity, 0.0, -9.0, 0.0);
    roller.id = 4;
    OK(dem_wall_add(world, &roller, NULL));
    test_random random = {UINT64_C(0x2545F4914F6CDD1D)};
    for (int n = 0; n < 300; ++n) {
        dem_particle p = sphere_at(0.34 * (n % 7 - 3), 0.31 * (n / 7 % 7 - 3),
                                   0.33 * (n / 49 - 3) - (n % 2) * 0.03);
        p.id = 100 + (uint64_t)n;
        p.radius = test_uniform(&random, 0.05, 0.1);
        /* room for the paddle and the stick where they begin */
        if (fabs(p.position[1]) < 0.2 && fabs(p.position[0]) < 1.0)
            continue;
        if (p.position[2] < -0.9 && fabs(p.position[0] - 0.3) < 0.3)
            continue;
        for (int c = 0; c < 3; ++c)
            p.velocity[c] = test_uniform(&random, -0.5, 0.5);
        OK(dem_particle_add(world, &p, NULL));
    }
    return world;
}

/** Whatever the skin, nobody misses a wall: worlds with a narrow and a wide one differ by the order
 * of sums alone. */
static void lists(void **state)
{
    (void)state;
    test_long();
    dem_world *worlds[2];
    for (int k = 0; k < 2; ++k) {
        dem_world_config config = scene_config();
        config.skin = k == 0 ? 0.004 : 2.0;
        worlds[k] = cloud(&config, MODEL_LINEAR);
        OK(dem_world_impulses_reset(worlds[k]));
        OK(dem_step(worlds[k], 1e-4, 4800));
        for (uint64_t id = 1; id <= 4; ++id) {
            const dem_wall wall = wall_read(worlds[k], id);
            assert_true(fabs(wall.impulse[0]) + fabs(wall.impulse[2]) > 1e-2);
        }
    }
    assert_true(scene_counts(worlds[0]).rebuilds > 20 * scene_counts(worlds[1]).rebuilds);
    double off = 0.0;
    for (uint64_t id = 100; id < 400; ++id) {
        dem_particle_handle handle[2];
        if (dem_particle_find(worlds[0], id, &handle[0]) != DEM_OK)
            continue;
        OK(dem_particle_find(worlds[1], id, &handle[1]));
        const dem_particle a = particle_read(worlds[0], handle[0]),
                           b = particle_read(worlds[1], handle[1]);
        off = fmax(off, distance(a.position, b.position));
    }
    assert_true(off < 1e-6);
    dem_world_destroy(worlds[0]);
    dem_world_destroy(worlds[1]);
}

/** A sphere far from a paddle that comes round to it: many steps of one call have the bits of calls
 * of one step, though at first nothing is near anything. */
static void no_flight(void **state)
{
    (void)state;
    /* the list is narrow beside what the paddle sweeps in the time of a flight */
    for (int start = 0; start < 8; ++start) {
        uint64_t hash[2];
        for (int k = 0; k < 2; ++k) {
            dem_world_config config;
            OK(dem_world_config_init(&config));
            config.skin = 0.01;
            dem_world *world = world_of(&config, MODEL_LINEAR, 0.8, 0.4);
            dem_wall paddle = wall_sized(DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, 4.0, 1.0, 0.0);
            vector_set(paddle.normal, 0.0, 1.0, 0.0);
            vector_set(paddle.axis, 1.0, 0.0, 0.0);
            vector_set(paddle.angular_velocity, 0.0, 0.0, 5.0);
            OK(dem_wall_add(world, &paddle, NULL));
            const dem_particle p = sphere_at(0.006 * start, 1.6, 0.0);
            OK(dem_particle_add(world, &p, NULL));
            OK(dem_step(world, 1e-4, k == 0 ? 4000 : 1));
            for (int n = 1; k == 1 && n < 4000; ++n)
                OK(dem_step(world, 1e-4, 1));
            assert_true(scene_energies(world).kinetic_translation > 1.0);
            hash[k] = scene_hash(world);
            dem_world_destroy(world);
        }
        assert_true(hash[0] == hash[1]);
    }
}

/** Contacts that are read have the force that the wall has. */
static void read_contacts(void **state)
{
    (void)state;
    for (int k = 0; k < RIDES; ++k) {
        uint64_t id, cursor = 0;
        dem_particle_handle handle;
        dem_world *world =
            ride_begin(&rides[k], MODEL_LINEAR, DEM_INTEGRATOR_VERLET_SYNC, &id, &handle);
        OK(dem_step(world, 1e-4, 100));
        const dem_wall wall = wall_read(world, id);
        dem_contact contact = {.struct_size = sizeof contact};
        OK(dem_world_contact_next(world, &cursor, &contact));
        /* the wall has the lower id */
        double size = 0.0;
        for (int c = 0; c < 3; ++c) {
            const double on_wall = contact.force_normal[c] + contact.force_tangential[c];
            assert_true(fabs(on_wall - wall.force[c]) < 1e-9);
            size += fabs(on_wall);
        }
        assert_true(size > 1.0);
        dem_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ bits */

/** All that a snapshot has, after some steps: in one piece, or restored in the middle. */
static void *bytes_of(int32_t threads, int32_t isa, int which, int cut, int periodic,
                      uint64_t *size)
{
    dem_world_config config = scene_config();
    config.threads = threads;
    config.isa = isa;
    if (periodic) {
        config.boundary[1] = DEM_BOUNDARY_PERIODIC;
        config.box_low[1] = -2.0;
        config.box_high[1] = 2.0;
    }
    dem_world *world = cloud(&config, which);
    OK(dem_step(world, 1e-4, 700));
    if (cut == 1) {
        OK(dem_world_snapshot_size(world, size));
        void *buffer = malloc(*size);
        OK(dem_world_snapshot(world, buffer, *size, size));
        dem_world_destroy(world);
        OK(dem_world_create(&config, &world, NULL));
        OK(dem_world_restore(world, buffer, *size));
        free(buffer);
    }
    if (cut == 2) {
        const double spin[3] = {1.0, 2.0, 3.0};
        OK(dem_world_mark(world));
        OK(dem_step(world, 1e-4, 100));
        OK(dem_wall_set_motion(world, 1, spin, spin, spin));
        OK(dem_step(world, 1e-4, 100));
        OK(dem_world_rewind(world));
    }
    if (cut == 3) { /* a step that is undone: a wall would turn by more than it may */
        uint64_t hash = scene_hash(world);
        assert_int_equal(dem_step(world, 0.2, 1), DEM_ERROR_RANGE);
        assert_true(scene_hash(world) == hash);
    }
    OK(dem_step(world, 1e-4, 700));
    OK(dem_world_snapshot_size(world, size));
    void *buffer = malloc(*size);
    OK(dem_world_snapshot(world, buffer, *size, size));
    dem_world_destroy(world);
    return buffer;
}

static void same_bits(void **state)
{
    (void)state;
    const int models = test_slow() ? 1 : MODELS;
    for (int which = MODEL_LINEAR; which < models; which += MODEL_JKR) {
        uint64_t size, other;
        void *want = bytes_of(1, DEM_ISA_AUTO, which, 0, which == 0, &size);
        for (int n = 0; n < 5; ++n) {
            void *have = bytes_of(n == 3 ? 2 : 1, n == 4 ? DEM_ISA_BASELINE : DEM_ISA_AUTO, which,
                                  n < 3 ? n + 1 : 0, which == 0, &other);
            assert_int_equal(size, other);
            assert_memory_equal(want, have, size);
            free(have);
        }
        free(want);
    }
}

/** The checksum of a snapshot, see docs/checkpoint.md. */
static uint64_t checksum(const uint64_t *words, uint64_t count)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (uint64_t k = 0; k < count; ++k) {
        h = (h ^ words[k]) * UINT64_C(0x100000001b3);
        h ^= h >> 32;
    }
    return h;
}

/** Forged numbers of walls that move are refused, or make a world that steps or says why not. */
static void forged(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = cloud(&config, MODEL_LINEAR);
    dem_wall_servo servo;
    OK(dem_wall_servo_init(&servo));
    servo.speed = 0.1;
    OK(dem_wall_set_servo(world, 3, &servo));
    OK(dem_step(world, 1e-4, 200));
    uint64_t size, found = 0, refusals = 0;
    OK(dem_world_snapshot_size(world, &size));
    uint64_t *words = malloc(size), *copy = malloc(size);
    OK(dem_world_snapshot(world, words, size, &size));
    const uint64_t count = size / 8;
    for (uint64_t k = 0; k + 1 < count; ++k)
        if (memcmp(&words[k], "motion  ", 8) == 0)
            found = k;
    assert_true(found > 0);
    static const uint64_t forgeries[] = {0, UINT64_C(0x7ff8000000000000), UINT64_MAX,
                                         UINT64_C(0x5d00cb70d24b7379),
                                         UINT64_C(0xbff0000000000000)};
    const uint64_t every = test_slow() ? 3 : 1;
    for (uint64_t k = found + 1; k + 1 < count; k += every)
        for (int f = 0; f < 5; ++f) {
            memcpy(copy, words, size);
            copy[k] = forgeries[f];
            copy[count - 1] = checksum(copy, count - 1);
            const uint64_t before = scene_hash(world);
            const dem_status status = dem_world_restore(world, copy, size);
            assert_true(status == DEM_OK || status == DEM_ERROR_FORMAT);
            refusals += status != DEM_OK;
            if (status != DEM_OK)
                assert_true(scene_hash(world) == before);
            else
                (void)dem_step(world, 1e-4, 3);
            OK(dem_world_restore(world, words, size));
        }
    assert_true(refusals * every > count - found);
    free(words);
    free(copy);
    dem_world_destroy(world);
}

/** A mark from before any wall turned. */
static void mark_before_motion(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = world_of(&config, MODEL_LINEAR, 0.8, 0.4);
    dem_wall wall = wall_sized(DEM_SHAPE_DISC, DEM_SIDE_BOTH, 1.0, 0.0, 0.0);
    uint64_t id;
    OK(dem_wall_add(world, &wall, &id));
    const dem_particle p = sphere_at(0.3, 0.0, RADIUS - 1e-4);
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_step(world, 1e-4, 100));
    const uint64_t hash = scene_hash(world);
    OK(dem_world_mark(world));
    const double spin[3] = {0.1, 0.0, 2.0};
    dem_wall_servo servo;
    OK(dem_wall_servo_init(&servo));
    servo.speed = 0.1;
    OK(dem_wall_set_motion(world, id, NULL, spin, NULL));
    OK(dem_step(world, 1e-4, 50));
    OK(dem_wall_set_servo(world, id, &servo));
    OK(dem_step(world, 1e-4, 50));
    OK(dem_world_rewind(world));
    assert_true(scene_hash(world) == hash);
    OK(dem_step(world, 1e-4, 100));
    wall = wall_read(world, id);
    assert_true(wall.normal[2] == 1.0 && wall.point[2] == 0.0);
    assert_true(wall.angular_velocity[2] == 0.0 && wall.velocity[2] == 0.0);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ bad input */

static void refused(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = world_of(&config, MODEL_LINEAR, 0.8, 0.4);
    dem_wall wall = wall_sized(DEM_SHAPE_DISC, DEM_SIDE_BOTH, 1.0, 0.0, 0.0);
    uint64_t id;
    wall.angular_velocity[1] = NAN;
    assert_int_equal(dem_wall_add(world, &wall, &id), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "dem_wall.angular_velocity"));
    vector_set(wall.angular_velocity, 0.0, 2e150, 0.0);
    assert_int_equal(dem_wall_add(world, &wall, &id), DEM_ERROR_RANGE);
    vector_set(wall.angular_velocity, 0.0, 1.0, 0.0);
    wall.pivot[0] = INFINITY;
    assert_int_equal(dem_wall_add(world, &wall, &id), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "dem_wall.pivot"));
    wall.pivot[0] = 0.0;
    OK(dem_wall_add(world, &wall, &id));
    OK(dem_step(world, 1e-4, 10));
    const uint64_t hash = scene_hash(world);
    const double bad[3] = {0.0, NAN, 0.0}, far[3] = {0.0, 0.0, -2e150}, good[3] = {0.0, 3.0, 0.0};
    assert_int_equal(dem_wall_set_motion(world, id, bad, good, NULL), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "velocity (0, nan, 0)"));
    assert_int_equal(dem_wall_set_motion(world, id, good, bad, NULL), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "angular_velocity"));
    assert_int_equal(dem_wall_set_motion(world, id, good, good, far), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "pivot"));
    assert_int_equal(dem_wall_set_motion(world, id + 1, good, good, NULL), DEM_ERROR_HANDLE);
    assert_int_equal(dem_wall_set_motion(NULL, id, good, good, NULL), DEM_ERROR_ARGUMENT);
    assert_true(scene_hash(world) == hash);
    OK(dem_step(world, 1e-4, 10));
    wall = wall_read(world, id);
    assert_true(wall.angular_velocity[1] == 1.0 && wall.velocity[1] == 0.0);
    /* half a turn in a step is no motion */
    OK(dem_wall_set_motion(world, id, NULL, good, NULL));
    assert_int_equal(dem_step(world, 0.4, 1), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "turns by up to 1.2 rad"));
    OK(dem_step(world, 0.3, 1));
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ set again */

enum { SET_NOTHING, SET_SAME, SET_FLOOR, SET_SPIN, SET_PLATE };

/** A sphere that drops onto a wall that turns and shifts, and one that is pressed by a wall that
 * seeks; both walls are told how they move before each step. */
static uint64_t told_each_step(int what)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.gravity[2] = -9.81;
    dem_world *world = world_of(&config, MODEL_LINEAR, 0.5, 0.5);
    const double velocity[3] = {0.1, -0.2, 0.0}, spin[3] = {0.0, 0.3, 2.0};
    const double other[3] = {0.1, what == SET_FLOOR ? -0.21 : -0.2, 0.0};
    const double faster[3] = {0.0, 0.3, what == SET_SPIN ? 2.1 : 2.0};
    const double aside[3] = {0.05, what == SET_PLATE ? 0.01 : 0.0, 0.0};
    dem_wall floor, plate;
    dem_wall_servo servo;
    uint64_t ids[2];
    OK(dem_wall_init(&floor));
    OK(dem_wall_init(&plate));
    OK(dem_wall_servo_init(&servo));
    memcpy(floor.velocity, velocity, sizeof velocity);
    memcpy(floor.angular_velocity, spin, sizeof spin);
    plate.velocity[0] = 0.05;
    vector_set(plate.point, 0.0, 0.0, 0.25);
    vector_set(plate.normal, 0.0, 0.0, -1.0);
    vector_set(servo.direction, 0.1, 0.0, -1.0);
    servo.target = 20.0;
    servo.speed = 0.3;
    OK(dem_wall_add(world, &floor, &ids[0]));
    OK(dem_wall_add(world, &plate, &ids[1]));
    OK(dem_wall_set_servo(world, ids[1], &servo));
    const dem_particle p = sphere_at(0.02, 0.03, RADIUS);
    OK(dem_particle_add(world, &p, NULL));
    for (int k = 0; k < 400; ++k) {
        if (what != SET_NOTHING && k % 2 == 0)
            OK(dem_wall_set_velocity(world, ids[0], k == 100 ? other : velocity));
        if (what != SET_NOTHING && k % 2 == 1)
            OK(dem_wall_set_motion(world, ids[0], velocity, k == 201 ? faster : spin, NULL));
        if (what != SET_NOTHING)
            OK(dem_wall_set_velocity(world, ids[1], k == 300 ? aside : plate.velocity));
        OK(dem_step(world, 2e-4, 1));
    }
    uint64_t hash;
    OK(dem_world_hash(world, &hash));
    dem_world_destroy(world);
    return hash;
}

/** A wall that is told how it moves already costs no evaluation of the forces, and changes no bit;
 * any other velocity does. */
static void told_again(void **state)
{
    (void)state;
    const uint64_t straight = told_each_step(SET_NOTHING);
    assert_true(told_each_step(SET_SAME) == straight);
    for (int what = SET_FLOOR; what <= SET_PLATE; ++what)
        assert_true(told_each_step(what) != straight);
}

/** A velocity that is set by either call acts from the same moment on: forces that were evaluated
 * with the one before are so no more. */
static void either_call(void **state)
{
    (void)state;
    static const double velocity[3] = {0.3, 0.0, 0.2};
    uint64_t hash[2];
    for (int k = 0; k < 2; ++k) {
        dem_world_config config = scene_config();
        dem_world *world = world_of(&config, MODEL_LINEAR, 0.3, 0.5);
        const dem_particle p = sphere_at(0.0, 0.0, 0.99 * RADIUS);
        dem_wall wall;
        uint64_t id;
        OK(dem_wall_init(&wall));
        OK(dem_wall_add(world, &wall, &id));
        OK(dem_particle_add(world, &p, NULL));
        OK(dem_step(world, 1e-5, 3));
        if (k == 0)
            OK(dem_wall_set_velocity(world, id, velocity));
        else
            OK(dem_wall_set_motion(world, id, velocity, NULL, NULL));
        OK(dem_step(world, 1e-5, 3));
        assert_int_equal(scene_counts(world).contacts, 1);
        hash[k] = scene_hash(world);
        dem_world_destroy(world);
    }
    assert_int_equal(hash[0], hash[1]);
}

/** A wall that is far from all particles moves as it is told, however it is told: it has no place
 * in the list of pairs until then. */
static void far_from_all(void **state)
{
    (void)state;
    enum { VELOCITY, MOTION, TURNING, SERVO, VERTICES, WAYS };
    static const double velocity[3] = {0.5, -0.25, 2.0}, turning[3] = {0.0, 3.0, 0.0};
    static const double x[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    static const uint32_t facets[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const double dt = 1e-4, time = 200.0 * dt;
    for (int way = 0; way < WAYS; ++way) {
        dem_world_config config = scene_config();
        dem_world *world = world_of(&config, MODEL_LINEAR, 0.5, 0.5);
        const dem_particle p = sphere_at(0.0, 0.0, 0.0);
        dem_wall wall;
        uint64_t id;
        double moving[12] = {0.0};
        OK(dem_particle_add(world, &p, NULL));
        OK(dem_wall_init(&wall));
        wall.point[2] = -1000.0;
        if (way == VERTICES) {
            wall.mesh = mesh_of(x, 4, facets, 2);
            wall.shape = DEM_SHAPE_MESH;
        }
        OK(dem_wall_add(world, &wall, &id));
        OK(dem_step(world, dt, 10));
        dem_wall_servo servo;
        OK(dem_wall_servo_init(&servo));
        servo.target = servo.gain = 10.0;
        servo.speed = 2.0;
        for (int k = 0; k < 12; ++k)
            moving[k] = velocity[k % 3];
        if (way == VELOCITY)
            OK(dem_wall_set_velocity(world, id, velocity));
        else if (way == MOTION)
            OK(dem_wall_set_motion(world, id, velocity, NULL, NULL));
        else if (way == TURNING)
            OK(dem_wall_set_motion(world, id, NULL, turning, NULL));
        else if (way == SERVO)
            OK(dem_wall_set_servo(world, id, &servo));
        else
            OK(dem_wall_set_vertices(world, id, NULL, moving));
        OK(dem_step(world, dt, 200));
        const dem_wall now = wall_read(world, id);
        for (int c = 0; c < 3; ++c) {
            const double moves = way == TURNING || way == VERTICES ? 0.0
                                 : way == SERVO                    ? 2.0 * (c == 2)
                                                                   : velocity[c];
            assert_true(fabs(now.point[c] - wall.point[c] - moves * time) < 1e-9);
        }
        assert_true(fabs(now.normal[0] - (way == TURNING ? sin(3.0 * time) : 0.0)) < 1e-9);
        for (int k = 0; way == VERTICES && k < 12; ++k)
            assert_true(fabs(dem_mesh_vertices(now.mesh)[k] - x[k / 3][k % 3] - moving[k] * time) <
                        1e-9);
        if (way == VERTICES)
            dem_mesh_destroy(wall.mesh);
        dem_world_destroy(world);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_spiral),
        cmocka_unit_test(new_axes),
        cmocka_unit_test(carried),
        cmocka_unit_test(swing),
        cmocka_unit_test(cone),
        cmocka_unit_test(second_order),
        cmocka_unit_test(laws_and_schemes),
        cmocka_unit_test(impulses),
        cmocka_unit_test(arms_in_a_drum),
        cmocka_unit_test(moments),
        cmocka_unit_test(lists),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(mark_before_motion),
        cmocka_unit_test(refused),
        cmocka_unit_test(no_flight),
        cmocka_unit_test(read_contacts),
        cmocka_unit_test(forged),
        cmocka_unit_test(told_again),
        cmocka_unit_test(either_call),
        cmocka_unit_test(far_from_all),
    };
    return cmocka_run_group_tests_name("wall_motion", tests, NULL, NULL);
}
