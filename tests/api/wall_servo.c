/* SPDX-License-Identifier: MIT */
/**
 * @file wall_servo.c
 * Walls that seek a force or a torque: what they reach, how they begin, stability of the default
 * gain, energy, snapshot, mark and threads, and what is refused.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/law.h"
#include "../support/polyhedral.h"
#include "../support/report.h"
#include "../support/scene.h"
#include "../support/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RADIUS 0.5

static dem_wall wall_read(const dem_world *world, uint64_t id)
{
    dem_wall wall = {.struct_size = sizeof wall};
    OK(dem_wall_get(world, id, &wall));
    return wall;
}

static dem_wall_servo servo_of(double target, double speed)
{
    dem_wall_servo servo;
    OK(dem_wall_servo_init(&servo));
    servo.direction[2] = -1.0;
    servo.target = target;
    servo.speed = speed;
    return servo;
}

/** Spheres one on the other in a press: a floor, and a plate over them which seeks. */
static dem_world *press(uint64_t spheres, double restitution, double friction, double height,
                        uint64_t *plate)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    scene_model(world, 0, 0, 1e4, friction, restitution);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, NULL));
    wall.shape = DEM_SHAPE_DISC;
    wall.side = DEM_SIDE_BOTH;
    wall.size[0] = 2.0;
    wall.point[2] = (double)spheres * 2.0 * RADIUS + height;
    OK(dem_wall_add(world, &wall, plate));
    for (uint64_t n = 0; n < spheres; ++n) {
        const dem_particle p = scene_particle(0.0, 0.0, (2.0 * (double)n + 1.0) * RADIUS);
        OK(dem_particle_add(world, &p, NULL));
    }
    return world;
}

/** The plate comes down with its largest speed, and presses with what it seeks; the column is as
 * short as its springs say. */
static void pressed(void **state)
{
    (void)state;
    test_long();
    for (uint64_t spheres = 1; spheres <= 16; spheres *= 4) {
        uint64_t plate;
        const double force = 20.0, dt = 1e-4;
        dem_world *world = press(spheres, 0.3, 0.5, 0.1, &plate);
        const dem_wall_servo servo = servo_of(force, 0.5);
        OK(dem_wall_set_servo(world, plate, &servo));
        OK(dem_step(world, dt, 1000));
        dem_wall wall = wall_read(world, plate);
        assert_true(fabs(wall.point[2] - ((double)spheres * 2.0 * RADIUS + 0.05)) < 1e-10);
        assert_true(wall.velocity[2] == -0.5);
        OK(dem_step(world, dt, 40000));
        wall = wall_read(world, plate);
        char name[32];
        snprintf(name, sizeof name, "servo-press-%d", (int)spheres);
        SHOWN(name, "force/N", wall.force[2], force, 1e-3 * force);
        /* a spring of a wall is the same as one of a pair */
        const double shorter = (double)(spheres + 1) * force / 1e4;
        SHOWN(name, "shortening/m", (double)spheres * 2.0 * RADIUS - wall.point[2], shorter,
              2e-3 * shorter);
        assert_true(fabs(wall.velocity[2]) < 1e-4);
        /* it follows a new target, and stands without one */
        dem_wall_servo less = servo_of(0.5 * force, 0.5);
        OK(dem_wall_set_servo(world, plate, &less));
        OK(dem_step(world, dt, 40000));
        assert_true(fabs(wall_read(world, plate).force[2] - 0.5 * force) < 1e-3 * force);
        OK(dem_wall_set_servo(world, plate, NULL));
        const double stands = wall_read(world, plate).point[2];
        OK(dem_step(world, dt, 1000));
        wall = wall_read(world, plate);
        assert_true(wall.point[2] == stands && wall.velocity[2] == 0.0);
        dem_world_destroy(world);
    }
}

/** What is missing of the force falls exponentially, the slower the taller the column, by the
 * default gain: T = 5 (eta + k dt/2)/K, where K is that of the springs in a row. The dashpots in
 * the row make it longer by eta/k, and so does its inertia. */
static void approach(void **state)
{
    (void)state;
    const double dt = 1e-4, k = 1e4;
    for (uint64_t spheres = 2; spheres <= 8; spheres *= 2) {
        uint64_t plate;
        dem_world *world = press(spheres, 0.3, 0.0, -1e-3, &plate);
        dem_wall_servo servo = servo_of(20.0, 10.0);
        OK(dem_wall_set_servo(world, plate, &servo));
        OK(dem_step(world, dt, 40000));
        servo.target = 21.0;
        OK(dem_wall_set_servo(world, plate, &servo));
        double damping;
        OK(dem_kernel_damping_ratio_cut(0.3, &damping));
        damping = 2.0 * damping * sqrt(0.1 * k); /* of 0.1 kg against the plate */
        const double time = 5.0 * (damping + 0.5 * dt * k) / (k / (double)(spheres + 1));
        OK(dem_step(world, dt, (uint64_t)(0.5 * time / dt)));
        const double first = 21.0 - wall_read(world, plate).force[2];
        OK(dem_step(world, dt, (uint64_t)(time / dt)));
        const double second = 21.0 - wall_read(world, plate).force[2];
        SHOWN("servo-approach", "time/T", 1.0 / log(first / second), 1.0, 0.1);
        dem_world_destroy(world);
    }
}

/** Without losses in the contacts, and five times the default gain less a little: stable, and more:
 * not. */
static void gains(void **state)
{
    (void)state;
    const double dt = 1e-4, k = 1e4;
    for (int n = 0; n < 3; ++n) {
        uint64_t plate;
        dem_world *world = press(1, 0.5, 0.0, -1e-3, &plate);
        dem_wall_servo servo = servo_of(20.0, 10.0);
        /* the dashpot of the model, of 0.1 kg against a wall */
        const double damping = 2.0 * 0.215454 * sqrt(0.1 * k);
        servo.gain = (n == 0 ? 0.2 : n == 1 ? 0.7 : 1.3) / (damping + 0.5 * dt * k);
        OK(dem_wall_set_servo(world, plate, &servo));
        const dem_status status = dem_step(world, dt, 20000);
        const dem_wall wall = wall_read(world, plate);
        if (n < 2)
            assert_true(status == DEM_OK && fabs(wall.force[2] - 20.0) < 1e-3);
        else
            assert_true(status != DEM_OK || fabs(wall.force[2] - 20.0) > 1.0);
        dem_world_destroy(world);
    }
}

/** How far the balance of energies is off over the work of the plate, which meets a sphere of 1 kg
 * that lies on the floor. */
static double balance_off(double dt, double speed, double target)
{
    uint64_t plate;
    dem_world *world = press(0, 0.5, 0.3, 2.0 * RADIUS + 0.02, &plate);
    scene_model(world, 0, 0, 1e5, 0.3, 0.5);
    dem_particle ball = scene_particle(0.0, 0.0, RADIUS);
    ball.mass = 1.0;
    OK(dem_particle_add(world, &ball, NULL));
    const dem_wall_servo servo = servo_of(target, speed);
    OK(dem_wall_set_servo(world, plate, &servo));
    OK(dem_step(world, dt, (uint64_t)(1.0 / dt)));
    const dem_world_energies e = scene_energies(world);
    const double off = e.kinetic_translation + e.elastic + e.dissipated_normal - e.work_boundary;
    assert_true(fabs(wall_read(world, plate).force[2] - target) < 1e-6 * target);
    dem_world_destroy(world);
    return fabs(off) / e.work_boundary;
}

/* A touch slows the wall down, and the dashpots of that step saw its old speed: an error of first
 * order where they take less than the target. */
static void balance(void **state)
{
    (void)state;
    const double fine = balance_off(5e-5, 0.1, 100.0);
    SHOWN("servo-balance", "off/work", balance_off(1e-4, 0.1, 100.0), 2.0 * fine, 0.2 * fine);
    SHOWN("servo-balance", "off/work", balance_off(1e-4, 1.0, 200.0), 0.0, 3e-4);
}

/** A box between two faces, which lose nothing: the default gain follows from how a face resists,
 * by far more than the sphere that stands for it. */
static void faces(void **state)
{
    (void)state;
    dem_polyhedron *shape = shape_of(solid_box(0.5, 0.5, 0.5));
    const dem_body body = body_at(shape, 0.0, 0.0, 0.5);
    const double target = 2e4;
    for (int32_t law = DEM_POLYHEDRON_LAW_VOLUME; law <= DEM_POLYHEDRON_LAW_VOLUME_SQUARE; ++law) {
        dem_world *world = world_of_law(law, 0.05, 0.0, 1, DEM_ISA_AUTO);
        model_set(world, PLAIN, 0.3, 1.0);
        dem_wall wall;
        uint64_t plate;
        OK(dem_wall_init(&wall));
        OK(dem_wall_add(world, &wall, NULL));
        wall.normal[2] = -1.0;
        wall.point[2] = 1.0;
        OK(dem_wall_add(world, &wall, &plate));
        (void)body_add(world, &body, shape);
        const dem_wall_servo servo = servo_of(target, 0.01);
        OK(dem_wall_set_servo(world, plate, &servo));
        run(world, 2e-4, 20000);
        double off = 0.0;
        for (int k = 0; k < 100; ++k) {
            run(world, 2e-4, 1);
            off = fmax(off, fabs(wall_read(world, plate).force[2] - target));
        }
        SHOWN("servo-faces", "off/N", off, 0.0, 1e-6 * target);
        dem_world_destroy(world);
    }
    dem_polyhedron_destroy(shape);
}

/** Hertzian contacts report their slope: the default gain holds for any number of grains. */
static void grains(void **state)
{
    (void)state;
    test_long();
    dem_world_config config = scene_config();
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = 5.0;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_contact_model model;
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_contact_model_init(&model));
    hertz.young[0] = 1e6;
    hertz.restitution = 0.5;
    OK(dem_contact_model_add_hertz(&model, &hertz));
    OK(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    OK(dem_contact_model_set(world, 0, 0, &model));
    dem_wall wall;
    uint64_t plate;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, NULL));
    wall.point[2] = 5.2;
    wall.normal[2] = -1.0;
    OK(dem_wall_add(world, &wall, &plate));
    test_random random = {UINT64_C(0x9E3779B97F4A7C15)};
    for (int n = 0; n < 125; ++n) {
        dem_particle p = scene_particle(n % 5 + 0.5, n / 5 % 5 + 0.5, n / 25 + 0.5);
        for (int c = 0; c < 2; ++c)
            p.position[c] += test_uniform(&random, -0.02, 0.02);
        OK(dem_particle_add(world, &p, NULL));
    }
    const dem_wall_servo servo = servo_of(500.0, 0.3);
    OK(dem_wall_set_servo(world, plate, &servo));
    OK(dem_step(world, 1e-4, 48000)); /* rows of grains buckle at first */
    wall = wall_read(world, plate);
    SHOWN("servo-press-grains", "force/N", wall.force[2], 500.0, 0.5);
    const dem_world_energies e = scene_energies(world);
    assert_true(wall.work > 1.0 && fabs(wall.work - e.work_boundary) < 1e-9 * wall.work);
    dem_world_destroy(world);
}

/** A wheel that is braked by a sphere: it turns until the torque on it is the one that it seeks. */
static void torque(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    scene_model(world, 0, 0, 1e4, 0.5, 0.3);
    dem_wall wall;
    uint64_t wheel;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_RECTANGLE; /* a lever, which lifts a sphere against a vertical wall */
    wall.side = DEM_SIDE_BOTH;
    wall.size[0] = 4.0;
    wall.size[1] = 4.0;
    OK(dem_wall_add(world, &wall, &wheel));
    dem_wall lid;
    OK(dem_wall_init(&lid));
    lid.normal[2] = -1.0;
    lid.point[2] = 1.05;
    OK(dem_wall_add(world, &lid, NULL));
    const dem_particle p = scene_particle(1.0, 0.0, 0.5);
    OK(dem_particle_add(world, &p, NULL));
    dem_wall_servo servo;
    OK(dem_wall_servo_init(&servo));
    servo.quantity = DEM_SERVO_TORQUE;
    servo.direction[2] = 0.0;
    servo.direction[1] = -3.0; /* lifts +x */
    servo.target = 8.0;
    servo.speed = 0.5;
    servo.gain = 2e-3;
    OK(dem_wall_set_servo(world, wheel, &servo));
    OK(dem_step(world, 1e-4, 30000));
    wall = wall_read(world, wheel);
    /* of the particles on it */
    SHOWN("servo-lever", "torque/Nm", wall.torque[1], 8.0, 8e-3);
    assert_true(fabs(wall.angular_velocity[1]) < 1e-3 && wall.normal[0] < -0.01);
    assert_int_equal(scene_counts(world).contacts, 2);
    const double spin[3] = {0.0, 1.0, 0.0};
    assert_int_equal(dem_wall_set_motion(world, wheel, NULL, spin, NULL), DEM_ERROR_STATE);
    assert_non_null(strstr(dem_world_error(world), "seeks a torque"));
    OK(dem_wall_set_servo(world, wheel, NULL));
    OK(dem_wall_set_motion(world, wheel, NULL, spin, NULL));
    dem_world_destroy(world);
}

/** What the host sets across the direction goes on, before and after. */
static void across(void **state)
{
    (void)state;
    uint64_t plate;
    dem_world *world = press(1, 0.3, 0.0, 0.1, &plate);
    const double first[3] = {0.3, 0.0, 5.0}, second[3] = {0.0, 0.2, 7.0};
    OK(dem_wall_set_velocity(world, plate, first));
    const dem_wall_servo servo = servo_of(0.0, 0.5);
    OK(dem_wall_set_servo(world, plate, &servo));
    OK(dem_step(world, 1e-3, 100));
    dem_wall wall = wall_read(world, plate);
    assert_true(wall.velocity[0] == 0.3 && wall.velocity[2] == 0.0); /* it seeks nothing */
    OK(dem_wall_set_velocity(world, plate, second));
    OK(dem_step(world, 1e-3, 100));
    wall = wall_read(world, plate);
    assert_true(wall.velocity[0] == 0.0 && wall.velocity[1] == 0.2 && wall.velocity[2] == 0.0);
    assert_true(fabs(wall.point[0] - 0.03) < 1e-12 && fabs(wall.point[1] - 0.02) < 1e-12);
    assert_true(fabs(wall.point[2] - 1.1) < 1e-12);
    dem_world_destroy(world);
}

/** The bytes of a snapshot after some steps of a press; cut: 1 restored, 2 rewound, 3 undone. */
static void *bytes_of(int cut, int32_t isa, uint64_t *size)
{
    uint64_t plate;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.isa = isa;
    dem_world *world = press(4, 0.3, 0.5, 1e-2, &plate);
    if (isa != DEM_ISA_AUTO) {
        OK(dem_world_snapshot_size(world, size));
        void *start = malloc(*size);
        OK(dem_world_snapshot(world, start, *size, size));
        dem_world_destroy(world);
        OK(dem_world_create(&config, &world, NULL));
        OK(dem_world_restore(world, start, *size));
        free(start);
    }
    const dem_wall_servo servo = servo_of(20.0, 0.5);
    OK(dem_wall_set_servo(world, plate, &servo));
    OK(dem_step(world, 1e-4, 700));
    assert_true(wall_read(world, plate).force[2] > 0.0);
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
        OK(dem_world_mark(world));
        OK(dem_wall_set_servo(world, plate, NULL));
        OK(dem_step(world, 1e-4, 100));
        OK(dem_world_rewind(world));
    }
    if (cut == 3) {
        dem_particle_handle handle;
        const double away[3] = {0.0, 0.0, 1e160};
        OK(dem_particle_find(world, 3, &handle));
        assert_int_equal(dem_particle_set_motion(world, handle, away, NULL, NULL), DEM_ERROR_RANGE);
        assert_int_equal(dem_step(world, 1.0, 1), DEM_ERROR_RANGE); /* springs are unstable */
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
    uint64_t size, other;
    void *want = bytes_of(0, DEM_ISA_AUTO, &size);
    for (int n = 1; n <= 4; ++n) {
        void *have = bytes_of(n < 4 ? n : 0, n == 4 ? DEM_ISA_BASELINE : DEM_ISA_AUTO, &other);
        assert_int_equal(size, other);
        assert_memory_equal(want, have, size);
        free(have);
    }
    free(want);
}

static void refuse(dem_world *world, uint64_t id, dem_wall_servo servo, dem_status status,
                   const char *text)
{
    const uint64_t hash = scene_hash(world);
    assert_int_equal(dem_wall_set_servo(world, id, &servo), status);
    assert_non_null(strstr(dem_world_error(world), text));
    assert_true(scene_hash(world) == hash);
}

/** Motion of a plate of a shape that seeks in 2000 steps, in bits. */
static uint64_t sought(dem_wall wall, dem_wall_servo servo)
{
    uint64_t plate;
    dem_world *world = press(1, 0.3, 0.5, 9.0, &plate);
    OK(dem_wall_remove(world, plate));
    wall.point[2] = 1.01;
    OK(dem_wall_add(world, &wall, &plate));
    OK(dem_wall_set_servo(world, plate, &servo));
    OK(dem_step(world, 1e-4, 2000));
    assert_int_equal(scene_counts(world).contacts, 2);
    const uint64_t hash = scene_hash(world);
    dem_world_destroy(world);
    return hash;
}

/** A pressure is its force on the area of the shape, or on the one that is given. */
static void pressure(void **state)
{
    (void)state;
    enum { SHAPES = 4 };
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.side = DEM_SIDE_BOTH;
    const int32_t shape[SHAPES] = {DEM_SHAPE_DISC, DEM_SHAPE_DISC, DEM_SHAPE_RECTANGLE,
                                   DEM_SHAPE_RECTANGLE};
    const double size[SHAPES][2] = {{2.0, 0.0}, {2.0, 0.25}, {2.0, 3.0}, {4.0, 0.5}};
    const double area[SHAPES] = {4.0 * 3.14159265358979323846,
                                 (4.0 - 0.0625) * 3.14159265358979323846, 6.0, 2.0};
    for (int k = 0; k < SHAPES; ++k) {
        for (int given = 0; given < 2; ++given) {
            dem_wall_servo force = servo_of(20.0, 0.5), seeks = force;
            wall.shape = shape[k];
            memcpy(wall.size, size[k], sizeof size[k]);
            const double on = given ? 8.0 : area[k];
            seeks.quantity = DEM_SERVO_PRESSURE;
            seeks.area = given ? on : 0.0;
            seeks.target = 2.0;
            force.target = 2.0 * on;
            assert_true(sought(wall, seeks) == sought(wall, force));
            /* a gain for a pressure */
            seeks.gain = 0.01;
            force.gain = 0.01 / on;
            assert_true(sought(wall, seeks) == sought(wall, force));
            force.gain = 0.01;
            assert_true(sought(wall, seeks) != sought(wall, force));
        }
    }
}

static void pressure_refused(void **state)
{
    (void)state;
    uint64_t plate, floor;
    dem_world *world = press(1, 0.3, 0.5, -1e-3, &plate);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.point[2] = -5.0;
    OK(dem_wall_add(world, &wall, &floor));
    dem_wall_servo servo = servo_of(1.0, 0.5);
    servo.quantity = DEM_SERVO_PRESSURE;
    refuse(world, floor, servo, DEM_ERROR_RANGE, "is a plane, which has no area");
    const double areas[] = {-1.0, NAN, INFINITY, 1e151};
    for (int k = 0; k < 4; ++k) {
        servo.area = areas[k];
        refuse(world, plate, servo, DEM_ERROR_RANGE, "dem_wall_servo.area");
    }
    servo.area = 1e149; /* more force than a wall may seek */
    servo.target = 1e100;
    refuse(world, plate, servo, DEM_ERROR_RANGE, "dem_wall_servo.target");
    servo.area = 1e-250; /* none */
    servo.target = 1e-100;
    refuse(world, plate, servo, DEM_ERROR_RANGE, "dem_wall_servo.target");
    servo.target = 1.0; /* a gain beyond the largest */
    servo.gain = 1.0;
    refuse(world, plate, servo, DEM_ERROR_RANGE, "with gain");
    servo = servo_of(1.0, 0.5); /* a force has no area */
    servo.area = 1.0;
    refuse(world, plate, servo, DEM_ERROR_RANGE, "dem_wall_servo.area");
    servo.quantity = DEM_SERVO_PRESSURE;
    OK(dem_wall_set_servo(world, floor, &servo));
    dem_world_destroy(world);
}

static void refused(void **state)
{
    (void)state;
    uint64_t plate;
    dem_world *world = press(1, 0.3, 0.5, -1e-3, &plate);
    dem_wall_servo servo = servo_of(1.0, 0.5);
    assert_int_equal(dem_wall_servo_init(NULL), DEM_ERROR_ARGUMENT);
    refuse(world, plate + 7, servo, DEM_ERROR_HANDLE, "no wall");
    servo.target = NAN;
    refuse(world, plate, servo, DEM_ERROR_RANGE, "dem_wall_servo.target");
    servo = servo_of(1.0, 0.0);
    refuse(world, plate, servo, DEM_ERROR_RANGE, "dem_wall_servo.speed");
    servo = servo_of(1.0, INFINITY);
    refuse(world, plate, servo, DEM_ERROR_RANGE, "dem_wall_servo.speed");
    servo = servo_of(1.0, 1.0);
    servo.gain = -1.0;
    refuse(world, plate, servo, DEM_ERROR_RANGE, "dem_wall_servo.gain");
    servo.gain = 0.0;
    servo.quantity = DEM_SERVO_TORQUE;
    refuse(world, plate, servo, DEM_ERROR_RANGE, "dem_wall_servo.gain");
    servo.quantity = 4;
    refuse(world, plate, servo, DEM_ERROR_UNKNOWN, "dem_wall_servo.quantity");
    servo = servo_of(1.0, 1.0);
    servo.direction[2] = 0.0;
    refuse(world, plate, servo, DEM_ERROR_RANGE, "dem_wall_servo.direction");
    servo.direction[1] = NAN;
    refuse(world, plate, servo, DEM_ERROR_RANGE, "dem_wall_servo.direction");
    servo = servo_of(1.0, 1.0);
    servo.reserved = 1;
    refuse(world, plate, servo, DEM_ERROR_UNKNOWN, "dem_wall_servo.reserved");
    servo.struct_size = 8;
    refuse(world, plate, servo, DEM_ERROR_STRUCT_SIZE, "dem_wall_servo.struct_size");
    assert_int_equal(dem_wall_set_servo(NULL, plate, NULL), DEM_ERROR_ARGUMENT);
    OK(dem_step(world, 1e-4, 10));
    assert_true(wall_read(world, plate).velocity[2] == 0.0);

    /* a law that reports no stiffness needs a gain */
    test_law_control control = {0, -1, 0.0};
    const dem_law law = test_law(&control);
    const test_spring spring = {1e4};
    dem_contact_model model;
    OK(dem_world_law_register(world, &law));
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add(&model, "test-spring", &spring));
    OK(dem_contact_model_set(world, 0, 0, &model));
    servo = servo_of(5.0, 1.0);
    OK(dem_wall_set_servo(world, plate, &servo));
    const double time = dem_world_time(world);
    assert_int_equal(dem_step(world, 1e-4, 10), DEM_ERROR_STATE);
    assert_non_null(strstr(dem_world_error(world), "report neither stiffness"));
    assert_true(dem_world_time(world) == time);
    servo.gain = 1e-3;
    OK(dem_wall_set_servo(world, plate, &servo));
    OK(dem_step(world, 1e-4, 10));
    /* taken away while it is touched */
    OK(dem_wall_remove(world, plate));
    OK(dem_step(world, 1e-4, 10));
    dem_world_destroy(world);
}

/** A plate that is in contact already seeks from the first step on by the stiffness of its contact:
 * forces that were evaluated before know of none. */
static void begins_in_contact(void **state)
{
    (void)state;
    const double dt = 1e-4, k = 1e4;
    double damping, speed = 0.0;
    OK(dem_kernel_damping_ratio_cut(0.3, &damping));
    damping = 2.0 * damping * sqrt(0.1 * k);
    for (int evaluated = 1; evaluated >= 0; --evaluated) {
        uint64_t plate;
        dem_world *world = press(1, 0.3, 0.0, -1e-3, &plate);
        OK(dem_step(world, dt, 3));
        const dem_wall_servo servo = servo_of(20.0, 10.0);
        OK(dem_wall_set_servo(world, plate, &servo));
        if (evaluated) {
            OK(dem_step(world, dt, 0));
            const double before = wall_read(world, plate).force[2];
            assert_true(before > 5.0 && before < 15.0);
            speed = 0.2 * (20.0 - before) / (damping + 0.5 * dt * k);
        }
        OK(dem_step(world, dt, 1));
        SHOWN("servo-begins", "speed", -wall_read(world, plate).velocity[2], speed, 1e-9 * speed);
        dem_world_destroy(world);
    }
}

/* A wall that was removed while it sought a force leaves nothing behind: the next one stands. */
static void removed(void **state)
{
    (void)state;
    for (int late = 0; late < 2; ++late) {
        uint64_t plate, next;
        dem_world *world = press(2, 0.3, 0.5, 0.1, &plate);
        const dem_wall_servo servo = servo_of(20.0, 0.5);
        const dem_wall first = wall_read(world, plate);
        OK(dem_wall_set_servo(world, plate, &servo));
        OK(dem_step(world, 1e-4, late ? 3000 : 0));
        OK(dem_wall_remove(world, plate));
        OK(dem_step(world, 1e-4, late ? 10 : 0));
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.shape = first.shape;
        wall.side = first.side;
        wall.size[0] = first.size[0];
        wall.point[2] = 3.0;
        OK(dem_wall_add(world, &wall, &next));
        OK(dem_step(world, 1e-4, 1000));
        wall = wall_read(world, next);
        assert_true(wall.point[2] == 3.0 && wall.velocity[2] == 0.0);
        dem_world_destroy(world);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressed),  cmocka_unit_test(removed),
        cmocka_unit_test(approach), cmocka_unit_test(gains),
        cmocka_unit_test(balance),  cmocka_unit_test(faces),
        cmocka_unit_test(grains),   cmocka_unit_test(torque),
        cmocka_unit_test(across),   cmocka_unit_test(same_bits),
        cmocka_unit_test(pressure), cmocka_unit_test(pressure_refused),
        cmocka_unit_test(refused),  cmocka_unit_test(begins_in_contact),
    };
    return cmocka_run_group_tests_name("wall_servo", tests, NULL, NULL);
}
