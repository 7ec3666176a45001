/* SPDX-License-Identifier: MIT */
/**
 * @file wall_shapes.c
 * Spheres against walls of all shapes, by worlds: energy of bounces on faces, rims and corners,
 * hollows against closed forms, a box against six planes, a cylinder against more and more planes,
 * corners with a contact for each face, snapshots, threads and instruction sets, and what is
 * refused.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"
#include "../support/snapshot.h"
#include "../support/walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RADIUS 0.1
#define YOUNG 1e6

static const double PI = 3.14159265358979323846;

/** A world whose contacts are those of Hertz and Mindlin. */
static dem_world *hertz_world(dem_world_config *config, double friction, double restitution)
{
    dem_world *world = NULL;
    OK(dem_world_create(config, &world, NULL));
    dem_hertz hertz;
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = YOUNG;
    hertz.poisson[0] = 0.3;
    hertz.restitution = restitution;
    dem_mindlin mindlin;
    OK(dem_mindlin_init(&mindlin));
    mindlin.friction = friction;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_hertz(&model, &hertz));
    OK(dem_contact_model_add_mindlin(&model, &mindlin));
    OK(dem_contact_model_set(world, 0, 0, &model));
    return world;
}

static dem_world *still_world(double friction, double restitution)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    return hertz_world(&config, friction, restitution);
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

static double energy_of(const dem_world *world)
{
    const dem_world_energies e = scene_energies(world);
    return e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic;
}

/** Shapes that spheres bounce on from all around, or in which they do. */
typedef struct bounce_case {
    int32_t shape, side;
    double size[3];
    double from; /* of the spheres from the middle */
} bounce_case;

static const bounce_case bounces[] = {
    {DEM_SHAPE_DISC, DEM_SIDE_BOTH, {0.5, 0.0, 0.0}, 1.0},
    {DEM_SHAPE_DISC, DEM_SIDE_BOTH, {0.8, 0.4, 0.0}, 1.2},
    {DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, {1.0, 0.6, 0.0}, 1.0},
    {DEM_SHAPE_BALL, DEM_SIDE_OUTSIDE, {0.5, 0.0, 0.0}, 1.0},
    {DEM_SHAPE_BALL, DEM_SIDE_INSIDE, {0.5, 0.0, 0.0}, 0.0},
    {DEM_SHAPE_CYLINDER, DEM_SIDE_OUTSIDE, {0.4, 0.8, 0.0}, 1.0},
    {DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, {0.4, 0.8, 0.0}, 0.0},
    {DEM_SHAPE_CYLINDER, DEM_SIDE_BOTH, {0.5, 0.8, 0.0}, 0.0},
    {DEM_SHAPE_CONE, DEM_SIDE_OUTSIDE, {0.5, 0.8, 0.2}, 1.0},
    {DEM_SHAPE_CONE, DEM_SIDE_INSIDE, {0.4, 0.8, 0.7}, 0.0},
    {DEM_SHAPE_BOX, DEM_SIDE_OUTSIDE, {0.6, 0.4, 0.8}, 1.0},
    {DEM_SHAPE_BOX, DEM_SIDE_INSIDE, {0.6, 0.7, 0.8}, 0.0},
};
enum { BOUNCES = sizeof bounces / sizeof bounces[0] };

/** One throw at a wall: the drift of the energy over that of the throw, and of the angular momentum
 * about the wall's axis. */
static void throw_at(const bounce_case *of, test_random *random, double dt, double *energy,
                     double *momentum)
{
    dem_world_config config;
    dem_world *world = NULL;
    OK(dem_world_config_init(&config));
    OK(dem_world_create(&config, &world, NULL));
    scene_model(world, 0, 0, 1e6, 0.0, 1.0);
    const dem_wall wall = wall_sized(of->shape, of->side, of->size[0], of->size[1], of->size[2]);
    OK(dem_wall_add(world, &wall, NULL));
    double direction[3], length = 0.0;
    dem_particle p = sphere_at(0.0, 0.0, 0.0);
    for (int c = 0; c < 3; ++c) {
        direction[c] = test_uniform(random, -1.0, 1.0);
        length += direction[c] * direction[c];
    }
    for (int c = 0; c < 3; ++c) {
        p.position[c] = of->from * direction[c] / sqrt(length) + test_uniform(random, -0.1, 0.1);
        p.velocity[c] = of->from > 0.0 ? test_uniform(random, -0.4, 0.4) - 2.0 * p.position[c]
                                       : test_uniform(random, -2.0, 2.0);
    }
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    OK(dem_step(world, dt, 1));
    const double first = energy_of(world);
    const double about = p.position[0] * p.velocity[1] - p.position[1] * p.velocity[0];
    OK(dem_step(world, dt, (uint64_t)(0.8 / dt)));
    OK(dem_particle_get(world, handle, &p));
    *energy = fabs(energy_of(world) / first - 1.0);
    *momentum =
        fabs(p.position[0] * p.velocity[1] - p.position[1] * p.velocity[0] - about) / RADIUS;
    dem_world_destroy(world);
}

/** Bounces without loss keep the energy, over faces, rims, edges and corners, with a law that does
 * not know R*, which changes along a rim; where the wall turns about an axis also the angular
 * momentum. */
static void bounce(void **state)
{
    (void)state;
    for (int k = 0; k < BOUNCES; ++k) {
        test_random random = {UINT64_C(0x51ED270B) + (uint64_t)k};
        double most = 0.0;
        for (int n = 0; n < 12; ++n) {
            double energy, momentum;
            throw_at(&bounces[k], &random, 1e-4, &energy, &momentum);
            most = energy > most ? energy : most;
            if (bounces[k].shape != DEM_SHAPE_BOX && bounces[k].shape != DEM_SHAPE_RECTANGLE)
                assert_true(momentum < 1e-11);
        }
        assert_true(most < 1e-3);
    }
}

/** Overlap at rest under gravity against Hertz with R* of the pair. */
static void rest(void **state)
{
    (void)state;
    const struct {
        dem_wall wall;
        double z, radius;
    } rests[] = {
        {wall_sized(DEM_SHAPE_BALL, DEM_SIDE_INSIDE, 0.5, 0.0, 0.0), -0.4, RADIUS * 0.5 / 0.4},
        {wall_sized(DEM_SHAPE_BALL, DEM_SIDE_OUTSIDE, 0.5, 0.0, 0.0), 0.6, RADIUS * 0.5 / 0.6},
        {wall_sized(DEM_SHAPE_DISC, DEM_SIDE_BOTH, 0.5, 0.0, 0.0), 0.1, RADIUS},
        {wall_sized(DEM_SHAPE_DISC, DEM_SIDE_OUTSIDE, 0.5, 0.0, 0.0), 0.1, RADIUS},
        {wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 0.5, 0.6, 0.0), -0.2, RADIUS},
        {wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_OUTSIDE, 0.5, 0.6, 0.0), 0.4, RADIUS},
        {wall_sized(DEM_SHAPE_BOX, DEM_SIDE_OUTSIDE, 0.5, 0.6, 0.2), 0.2, RADIUS},
        {wall_sized(DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, 0.5, 0.6, 0.0), 0.1, RADIUS},
    };
    const double young = YOUNG / (2.0 * (1.0 - 0.09)), g = 10.0;
    for (size_t k = 0; k < sizeof rests / sizeof rests[0]; ++k) {
        dem_world_config config = scene_config();
        dem_world *world = hertz_world(&config, 0.5, 0.1);
        dem_particle p = sphere_at(0.0, 0.0, rests[k].z);
        dem_particle_handle handle;
        uint64_t id;
        OK(dem_wall_add(world, &rests[k].wall, &id));
        OK(dem_particle_add(world, &p, &handle));
        OK(dem_step(world, 1e-4, 6000));
        OK(dem_particle_get(world, handle, &p));
        dem_wall wall = {.struct_size = sizeof wall};
        OK(dem_wall_get(world, id, &wall));
        const double overlap = pow(0.75 * p.mass * g / (young * sqrt(rests[k].radius)), 2.0 / 3.0);
        assert_true(fabs(rests[k].z - p.position[2] - overlap) < 1e-9 * overlap);
        assert_true(fabs(wall.force[2] / (p.mass * g) + 1.0) < 1e-9);

        assert_true(wall.side == rests[k].wall.side && wall.size[1] == rests[k].wall.size[1]);
        dem_world_destroy(world);
    }
}

/** Many spheres in one drum, each as deep as its number says: the force of each is that of its own
 * overlap, whatever the others beside it in a batch have. */
static void many_of_one_wall(void **state)
{
    enum { SPHERES = 200 };
    dem_world *world = still_world(0.5, 1.0);
    dem_wall wall = wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 1.0, 100.0, 0.0);
    dem_contact contact = {.struct_size = sizeof contact};
    uint64_t drum;
    uint64_t cursor = 0, contacts = 0;
    double force[SPHERES + 1] = {0};
    (void)state;
    wall.normal[0] = wall.normal[1] = 0.0;
    wall.normal[2] = 1.0;
    wall.id = SPHERES + 1;
    OK(dem_wall_add(world, &wall, &drum));
    for (int k = 0; k < SPHERES; ++k) {
        const double overlap = 1e-5 * (k + 1), angle = 0.7 * k, out = 1.0 - RADIUS + overlap;
        dem_particle p = sphere_at(out * cos(angle), out * sin(angle), 0.25 * (k - SPHERES / 2));
        dem_particle_handle handle;
        p.id = (uint64_t)k + 1;
        OK(dem_particle_add(world, &p, &handle));
    }
    OK(dem_step(world, 1e-9, 1));
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK)
        contacts++;
    assert_int_equal(contacts, SPHERES);
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_FORCE, &view));
    for (uint64_t k = 0; k < view.count; ++k) {
        const double *f = (const double *)(const void *)((const char *)view.data + k * view.stride);
        force[view.id[k]] = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    }
    for (int k = 1; k <= SPHERES; ++k) /* Hertz: as the power 3/2 of the overlap */
        assert_true(fabs(force[k] / force[SPHERES] - pow((double)k / SPHERES, 1.5)) < 1e-7);
    dem_world_destroy(world);
}

/** Grains that are shaken in a box of six planes, and in one wall. */
static void box_of_planes(void **state)
{
    (void)state;
    dem_world *worlds[2];
    for (int k = 0; k < 2; ++k) {
        dem_world_config config = scene_config();
        worlds[k] = hertz_world(&config, 0.4, 0.7);
        if (k == 0) {
            const dem_wall box = wall_sized(DEM_SHAPE_BOX, DEM_SIDE_INSIDE, 0.8, 0.9, 1.0);
            OK(dem_wall_add(worlds[k], &box, NULL));
        }
        for (int face = 0; k == 1 && face < 6; ++face) {
            dem_wall plane = wall_sized(DEM_SHAPE_PLANE, DEM_SIDE_OUTSIDE, 0.0, 0.0, 0.0);
            const double side = face % 2 == 0 ? 1.0 : -1.0;
            plane.normal[2] = 0.0;
            plane.normal[face / 2] = side;
            plane.point[face / 2] = -side * (0.4 + 0.05 * (face / 2));
            OK(dem_wall_add(worlds[k], &plane, NULL));
        }
        for (int n = 0; n < 27; ++n) {
            dem_particle p =
                sphere_at(0.22 * (n % 3 - 1), 0.24 * (n / 3 % 3 - 1), 0.3 * (n / 9 - 1));
            p.id = 100 + (uint64_t)n;
            for (int c = 0; c < 3; ++c)
                p.velocity[c] = sin(3.0 * n + c);
            OK(dem_particle_add(worlds[k], &p, NULL));
        }
        OK(dem_step(worlds[k], 1e-4, 2000));
    }
    assert_true(scene_counts(worlds[0]).contacts > 10);
    assert_int_equal(scene_counts(worlds[0]).contacts, scene_counts(worlds[1]).contacts);
    for (uint64_t id = 100; id < 127; ++id) {
        dem_particle p[2] = {{.struct_size = sizeof p[0]}, {.struct_size = sizeof p[0]}};
        for (int k = 0; k < 2; ++k) {
            dem_particle_handle handle;
            OK(dem_particle_find(worlds[k], id, &handle));
            OK(dem_particle_get(worlds[k], handle, &p[k]));
        }
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(p[0].position[c] - p[1].position[c]) < 1e-9);
    }
    dem_world_destroy(worlds[0]);
    dem_world_destroy(worlds[1]);
}

/** In a corner each face has a contact and a key of its own, which a new list keeps. */
static void corners(void **state)
{
    (void)state;
    const dem_wall walls[] = {wall_sized(DEM_SHAPE_BOX, DEM_SIDE_INSIDE, 1.0, 1.0, 1.0),
                              wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 0.5, 1.0, 0.0),
                              wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_BOTH, 0.5, 1.0, 0.0)};
    for (int k = 0; k < 3; ++k) {
        const uint64_t faces = k == 0 ? 3 : 2;
        dem_world *world = still_world(0.5, 1.0);
        OK(dem_wall_add(world, &walls[k], NULL));
        const double in = 0.401;
        dem_particle p = k == 0 ? sphere_at(-in, -in, -in) : sphere_at(-in, 0.0, -in);
        p.angular_velocity[0] = 1.0;
        p.angular_velocity[1] = 2.0;
        dem_particle_handle handle;
        OK(dem_particle_add(world, &p, &handle));
        double state_of[8][4];
        uint64_t feature[8];
        for (int round = 0; round < 2; ++round) {
            OK(dem_step(world, 1e-4, round == 0 ? 3 : 1));
            uint64_t cursor = 0, n = 0;
            dem_contact contact = {.struct_size = sizeof contact};
            while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK) {
                assert_true(n < faces);
                for (uint64_t m = 0; m < n; ++m)
                    assert_true(feature[m] != contact.key.feature || round == 1);
                double change = 0.0, size = 0.0;
                for (uint32_t s = 0; s < contact.state_count && s < 4; ++s) {
                    change += fabs(contact.state[s] - (round == 1 ? state_of[n][s] : 0.0));
                    size += fabs(contact.state[s]);
                    state_of[n][s] = contact.state[s];
                }
                /* a spring goes on from where it was */
                assert_true(round == 0 ? size > 0.0 : change < 0.6 * size);
                assert_true(round == 0 || feature[n] == contact.key.feature);
                feature[n++] = contact.key.feature;
            }
            assert_int_equal(n, faces);
            /* lets the list be built again */
            const dem_particle far = sphere_at(0.1 * round, 0.1, 0.1);
            OK(dem_particle_add(world, &far, NULL));
        }
        dem_world_destroy(world);
    }
}

/** Where a sphere is after it has rolled in a cylinder, or in as many planes. */
static double rolled(int planes, double friction)
{
    dem_world_config config = scene_config();
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    scene_model(world, 0, 0, 1e6, friction, 0.5);
    const double start = 0.5, arm = 1.0 - RADIUS;
    dem_wall tube = wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 1.0, 0.0, 0.0);
    tube.normal[1] = 1.0;
    tube.normal[2] = 0.0;
    if (planes == 0)
        OK(dem_wall_add(world, &tube, NULL));
    for (int k = 0; k < planes; ++k) {
        const double angle = 2.0 * PI * (k + 0.5) / planes;
        dem_wall plane = wall_sized(DEM_SHAPE_PLANE, DEM_SIDE_OUTSIDE, 0.0, 0.0, 0.0);
        plane.normal[0] = -sin(angle);
        plane.normal[2] = cos(angle);
        plane.point[0] = sin(angle);
        plane.point[2] = -cos(angle);
        OK(dem_wall_add(world, &plane, NULL));
    }
    const dem_particle p = sphere_at(arm * sin(start), 0.0, -arm * cos(start));
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    OK(dem_step(world, 1e-4, 3000));
    dem_particle now = {.struct_size = sizeof now};
    OK(dem_particle_get(world, handle, &now));
    dem_world_destroy(world);
    return atan2(now.position[0], -now.position[2]);
}

/** A polygon comes to be a cylinder with more sides: at first order, as each edge is an impact. */
static void polygon(void **state)
{
    (void)state;
    const double cylinder = rolled(0, 0.5);
    double before = 1.0;
    for (int planes = 12; planes <= 192; planes *= 4) {
        const double off = fabs(rolled(planes, 0.5) - cylinder);
        assert_true(off < before);
        before = off;
    }
    assert_true(before < 2e-3);
}

/** Walls of all shapes, in grains that fly about; periodic along y. */
static dem_world *mixed(int32_t threads, int32_t isa, int32_t integrator)
{
    dem_world_config config = scene_config();
    config.threads = threads;
    config.isa = isa;
    config.integrator = integrator;
    config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_low[1] = -2.0;
    config.box_high[1] = 2.0;
    dem_world *world = hertz_world(&config, 0.4, 0.7);
    dem_wall walls[] = {wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 2.0, 0.0, 0.0),
                        wall_sized(DEM_SHAPE_DISC, DEM_SIDE_BOTH, 0.5, 0.2, 0.0),
                        wall_sized(DEM_SHAPE_RECTANGLE, DEM_SIDE_OUTSIDE, 0.9, 0.5, 0.0),
                        wall_sized(DEM_SHAPE_BALL, DEM_SIDE_OUTSIDE, 0.3, 0.0, 0.0),
                        wall_sized(DEM_SHAPE_CONE, DEM_SIDE_BOTH, 0.2, 0.5, 0.4),
                        wall_sized(DEM_SHAPE_BOX, DEM_SIDE_OUTSIDE, 0.3, 0.4, 0.5)};
    walls[0].normal[1] = 1.0;
    walls[0].normal[2] = 0.0;
    walls[4].open = DEM_OPEN_LOW | DEM_OPEN_HIGH;
    for (int k = 0; k < 6; ++k) {
        for (int c = 0; k > 0 && c < 3; ++c) {
            walls[k].point[c] = 1.2 * sin(2.0 * k + 2.1 * c);
            walls[k].normal[c] += 0.3 * cos(k + c);
        }
        OK(dem_wall_add(world, &walls[k], NULL));
    }
    uint64_t placed = 0;
    for (int n = 0; n < 1728; ++n) {
        dem_particle p =
            sphere_at(0.3 * (n % 12 - 5.5), 0.3 * (n / 12 % 12 - 5.5), 0.3 * (n / 144 - 5.5));
        double clear = hypot(p.position[0], p.position[2]) < 1.85 ? 1.0 : -1.0;
        for (int k = 1; k < 6; ++k) {
            double square = 0.0;
            for (int c = 0; c < 3; ++c)
                square += pow(p.position[c] - walls[k].point[c], 2.0);
            clear = square < 0.49 ? -1.0 : clear;
        }
        if (clear < 0.0)
            continue;
        p.id = 1000 + (uint64_t)n;
        for (int c = 0; c < 3; ++c)
            p.velocity[c] = sin(5.0 * n + c);
        OK(dem_particle_add(world, &p, NULL));
        ++placed;
    }
    assert_true(placed > 500);
    return world;
}

static uint64_t mixed_hash(int32_t threads, int32_t isa, int32_t integrator, int split)
{
    dem_world *world = mixed(threads, isa, integrator);
    OK(dem_step(world, 2e-4, 1000));
    if (split) {
        dem_world *copy = NULL;
        dem_world_config config;
        OK(dem_world_config_init(&config));
        config.threads = threads;
        OK(dem_world_create(&config, &copy, NULL));
        uint64_t size = 0;
        OK(dem_world_snapshot_size(world, &size));
        void *bytes = malloc(size);
        assert_non_null(bytes);
        OK(dem_world_snapshot(world, bytes, size, NULL));
        OK(dem_world_restore(copy, bytes, size));
        free(bytes);
        dem_world_destroy(world);
        world = copy;
    }
    uint64_t walls = 0, cursor = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK)
        walls += contact.key.id_i < 1000;
    assert_true(walls > 20);
    OK(dem_step(world, 2e-4, 300));
    const uint64_t hash = scene_hash(world);
    dem_world_destroy(world);
    return hash;
}

static void same_bits(void **state)
{
    (void)state;
    const uint64_t hash = mixed_hash(1, DEM_ISA_AUTO, 0, 0);
    assert_true(mixed_hash(1, DEM_ISA_AUTO, 0, 1) == hash);
    assert_true(mixed_hash(2, DEM_ISA_AUTO, 0, 0) == hash);
    assert_true(mixed_hash(2, DEM_ISA_BASELINE, 0, 0) == hash);
}

static void refuse(dem_world *world, dem_wall wall, dem_status status, const char *text)
{
    const uint64_t walls = scene_counts(world).walls;
    assert_int_equal(dem_wall_add(world, &wall, NULL), status);
    if (strstr(dem_world_error(world), text) == NULL)
        printf("%s\n", dem_world_error(world));
    assert_non_null(strstr(dem_world_error(world), text));
    assert_int_equal(scene_counts(world).walls, walls);
}

static void refused(void **state)
{
    (void)state;
    dem_world *world = still_world(0.0, 1.0);
    enum { OUT = DEM_SIDE_OUTSIDE, IN = DEM_SIDE_INSIDE, BOTH = DEM_SIDE_BOTH };
    const int32_t cylinder = DEM_SHAPE_CYLINDER, disc = DEM_SHAPE_DISC, box = DEM_SHAPE_BOX;
    refuse(world, wall_sized(cylinder, IN, 0.0, 0.0, 0.0), DEM_ERROR_RANGE, "size[0]");
    refuse(world, wall_sized(cylinder, IN, -1.0, 1.0, 0.0), DEM_ERROR_RANGE, "size[0]");
    refuse(world, wall_sized(cylinder, IN, NAN, 1.0, 0.0), DEM_ERROR_RANGE, "size[0]");
    refuse(world, wall_sized(cylinder, IN, 1.0, -1.0, 0.0), DEM_ERROR_RANGE, "size[1]");
    refuse(world, wall_sized(cylinder, IN, 1.0, 1.0, 1.0), DEM_ERROR_RANGE, "size[2]");
    refuse(world, wall_sized(DEM_SHAPE_CONE, IN, 0.0, 1.0, 0.0), DEM_ERROR_RANGE, "both radii");
    refuse(world, wall_sized(DEM_SHAPE_CONE, IN, 1.0, 0.0, 0.0), DEM_ERROR_RANGE, "size[1]");
    refuse(world, wall_sized(DEM_SHAPE_CONE, IN, 1.0, 1.0, -1.0), DEM_ERROR_RANGE, "size[2]");
    refuse(world, wall_sized(disc, OUT, 1.0, 1.0, 0.0), DEM_ERROR_RANGE, "hole");
    refuse(world, wall_sized(disc, OUT, 1.0, -1.0, 0.0), DEM_ERROR_RANGE, "size[1]");
    refuse(world, wall_sized(disc, IN, 1.0, 0.0, 0.0), DEM_ERROR_RANGE, "DEM_SIDE_INSIDE");
    refuse(world, wall_sized(box, BOTH, 1.0, 1.0, 1.0), DEM_ERROR_RANGE, "DEM_SIDE_BOTH");
    refuse(world, wall_sized(box, OUT, 1.0, 1.0, 0.0), DEM_ERROR_RANGE, "size[2]");
    refuse(world, wall_sized(DEM_SHAPE_PLANE, BOTH, 0.0, 0.0, 0.0), DEM_ERROR_RANGE, "side");
    refuse(world, wall_sized(DEM_SHAPE_RECTANGLE, OUT, 1.0, INFINITY, 0.0), DEM_ERROR_RANGE,
           "size");
    refuse(world, wall_sized(DEM_SHAPE_BALL, 3, 1.0, 0.0, 0.0), DEM_ERROR_UNKNOWN, "side");
    refuse(world, wall_sized(DEM_SHAPE_BALL, -1, 1.0, 0.0, 0.0), DEM_ERROR_UNKNOWN, "side");
    dem_wall wall = wall_sized(cylinder, IN, 1.0, 1.0, 0.0);
    wall.normal[2] = 0.0;
    refuse(world, wall, DEM_ERROR_RANGE, "normal");
    wall = wall_sized(cylinder, IN, 1.0, 1.0, 0.0);
    wall.open = DEM_OPEN_HIGH;
    refuse(world, wall, DEM_ERROR_RANGE, "open");
    wall.side = BOTH;
    wall.open = 4;
    refuse(world, wall, DEM_ERROR_RANGE, "open");
    wall.open = DEM_OPEN_HIGH;
    wall.size[1] = 0.0;
    refuse(world, wall, DEM_ERROR_RANGE, "open");
    wall = wall_sized(box, OUT, 1.0, 1.0, 1.0);
    wall.open = 1;
    refuse(world, wall, DEM_ERROR_RANGE, "open");
    wall.open = 0;
    wall.axis[2] = 2.0;
    refuse(world, wall, DEM_ERROR_RANGE, "axis");
    wall.axis[0] = NAN;
    refuse(world, wall, DEM_ERROR_RANGE, "axis");
    dem_world_destroy(world);
}

/** A sphere larger than the hollow it is in; spheres behind walls, between two walls that close,
 * and on a wall that is taken away. */
static void misfits(void **state)
{
    (void)state;
    const dem_wall hollows[] = {wall_sized(DEM_SHAPE_BALL, DEM_SIDE_INSIDE, 0.09, 0.0, 0.0),
                                wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 0.09, 0.0, 0.0),
                                wall_sized(DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 0.5, 0.18, 0.0),
                                wall_sized(DEM_SHAPE_CONE, DEM_SIDE_INSIDE, 0.05, 1.0, 0.09),
                                wall_sized(DEM_SHAPE_BOX, DEM_SIDE_INSIDE, 0.18, 0.5, 0.5)};
    for (size_t k = 0; k < sizeof hollows / sizeof hollows[0]; ++k) {
        dem_world *world = still_world(0.0, 1.0);
        const dem_particle p = sphere_at(0.0, 0.0, 0.0);
        OK(dem_wall_add(world, &hollows[k], NULL));
        OK(dem_particle_add(world, &p, NULL));
        assert_int_equal(dem_step(world, 1e-4, 1), DEM_ERROR_OVERLAP);
        assert_non_null(strstr(dem_world_error(world), "room inside wall"));
        assert_true(dem_world_time(world) == 0.0);
        dem_world_destroy(world);
    }
    /* outside of a hollow */
    dem_world *world = still_world(0.0, 1.0);
    const dem_wall hollow = wall_sized(DEM_SHAPE_BALL, DEM_SIDE_INSIDE, 0.5, 0.0, 0.0);
    const dem_particle outside = sphere_at(0.6, 0.0, 0.0);
    OK(dem_wall_add(world, &hollow, NULL));
    OK(dem_particle_add(world, &outside, NULL));
    assert_int_equal(dem_step(world, 1e-4, 1), DEM_ERROR_OVERLAP);
    dem_world_destroy(world);
    /* a press that closes on a sphere */
    world = still_world(0.0, 1.0);
    dem_wall plate = wall_sized(DEM_SHAPE_DISC, DEM_SIDE_BOTH, 0.5, 0.0, 0.0);
    uint64_t id;
    OK(dem_wall_add(world, &plate, &id));
    plate.point[2] = 0.21;
    plate.velocity[2] = -0.5;
    OK(dem_wall_add(world, &plate, NULL));
    const dem_particle p = sphere_at(0.0, 0.0, 0.1);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    OK(dem_step(world, 1e-4, 800));
    assert_int_equal(scene_counts(world).contacts, 2);
    /* one plate is taken away, and the sphere leaves */
    dem_world *squeezed = world;
    assert_int_equal(dem_step(squeezed, 1e-4, 10000), DEM_ERROR_OVERLAP);
    const double time = dem_world_time(squeezed);
    assert_true(time > 0.08 && time < 1.0);
    OK(dem_wall_remove(squeezed, id));
    OK(dem_step(squeezed, 1e-4, 100));
    assert_int_equal(scene_counts(squeezed).walls, 1);
    dem_particle left = {.struct_size = sizeof left};
    OK(dem_particle_get(squeezed, handle, &left));
    assert_true(left.velocity[2] < -0.5);
    dem_world_destroy(squeezed);
}

/** The gap at which the neck of a sphere that is pulled off the wall ends. */
static double neck_end(int32_t shape, double skin, double dt)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.skin = skin;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    dem_adhesion adhesion;
    OK(dem_adhesion_init(&adhesion));
    adhesion.young[0] = 1e4;
    adhesion.poisson[0] = 0.0;
    adhesion.work_of_adhesion = 10.0;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_jkr(&model, &adhesion));
    OK(dem_contact_model_set(world, 0, 0, &model));
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = shape;
    wall.side = DEM_SIDE_INSIDE;
    wall.size[0] = 0.8;
    if (shape == DEM_SHAPE_CYLINDER) {
        wall.normal[0] = 1.0;
        wall.normal[2] = 0.0;
        wall.size[1] = 2.0;
    }
    OK(dem_wall_add(world, &wall, NULL));
    dem_particle p = scene_particle(0.0, 0.0, -0.301);
    p.mass = 100.0;
    p.velocity[2] = 3.0;
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    double gap = 0.0;
    do {
        if (dem_step(world, dt, 1) != DEM_OK)
            fail_msg("%s", dem_world_error(world));
        OK(dem_particle_get(world, handle, &p));
        gap = 0.8 - 0.5 + p.position[2];
    } while (scene_counts(world).contacts == 1 && gap < 0.2);
    dem_world_destroy(world);
    return gap;
}

/** A sphere in a hollow has a larger R*, and so a longer neck, however often the list is built. */
static void necks_in_hollows(void **state)
{
    (void)state;
    const double dt = 1e-4, bend = 1.0 / 0.5 - 1.0 / 0.8;
    for (int k = 0; k < 2; ++k) {
        const double radius = k == 0 ? 1.0 / bend : 1.0 / sqrt(bend / 0.5),
                     ends = dem_kernel_jkr_gap(radius, dem_kernel_jkr_neck(radius, 5e3, 10.0));
        static const double skins[] = {0.0, 0.01, 0.001};
        for (int n = 0; n < 3; ++n) {
            const double gap = neck_end(k == 0 ? DEM_SHAPE_BALL : DEM_SHAPE_CYLINDER, skins[n], dt);
            assert_true(gap > ends && gap < ends + 3.0 * dt);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounce),           cmocka_unit_test(rest),
        cmocka_unit_test(box_of_planes),    cmocka_unit_test(corners),
        cmocka_unit_test(polygon),          cmocka_unit_test(same_bits),
        cmocka_unit_test(refused),          cmocka_unit_test(misfits),
        cmocka_unit_test(many_of_one_wall), cmocka_unit_test(necks_in_hollows),
    };
    return cmocka_run_group_tests_name("wall_shapes", tests, NULL, NULL);
}
