/* SPDX-License-Identifier: MIT */
/**
 * @file wall_rims.c
 * Where what is across a wall's axis is next to nothing, and where spheres are far larger than the
 * wall: spheres that plug rings, axes along normals, and spheres behind thin walls, at level 1.
 */
#include "../support/cmocka.h"
#include "../support/random.h"

#include <dem/dem.h>

#include <math.h>
#include <string.h>

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static dem_wall wall_of(int32_t shape, int32_t side, int32_t open, double a, double b, double c)
{
    dem_wall wall;
    assert_int_equal(dem_wall_init(&wall), DEM_OK);
    wall.shape = shape;
    wall.side = side;
    wall.open = open;
    wall.size[0] = a;
    wall.size[1] = b;
    wall.size[2] = c;
    return wall;
}

/** Contacts of one sphere; valid until the search ends. */
static dem_wall_contacts contacts_of(const dem_wall *wall, const double x[3], double radius,
                                     dem_wall_search **search)
{
    dem_wall_search_config config;
    dem_wall_spheres spheres;
    dem_wall_contacts found = {.struct_size = sizeof found};
    assert_int_equal(dem_wall_search_config_init(&config), DEM_OK);
    assert_int_equal(dem_wall_search_create(&config, wall, search, NULL), DEM_OK);
    assert_int_equal(dem_wall_spheres_init(&spheres), DEM_OK);
    spheres.count = 1;
    spheres.position = x;
    spheres.radius = &radius;
    spheres.wall_row = 1;
    assert_int_equal(dem_wall_search_spheres(*search, &spheres, &found), DEM_OK);
    return found;
}

/** A sphere on the axis of a ring touches it at one place, which is on the ring. */
static void plugs(void **state)
{
    static const struct {
        int32_t shape, open;
        double size[3], rim, end;
    } rings[] = {
        {DEM_SHAPE_DISC, 0, {2.0, 0.9, 0.0}, 0.9, 0.0},
        {DEM_SHAPE_CYLINDER, DEM_OPEN_LOW | DEM_OPEN_HIGH, {0.9, 3.0, 0.0}, 0.9, 1.5},
        {DEM_SHAPE_CONE, DEM_OPEN_LOW | DEM_OPEN_HIGH, {0.9, 3.0, 2.0}, 0.9, -1.5},
    };
    test_random r = test_random_start("plugs");
    (void)state;
    for (int k = 0; k < 3; ++k)
        for (int trial = 0; trial < 400; ++trial) {
            dem_wall wall = wall_of(rings[k].shape, DEM_SIDE_BOTH, rings[k].open, rings[k].size[0],
                                    rings[k].size[1], rings[k].size[2]);
            double x[3], normal[3];
            test_unit(&r, normal);
            const double height = (rings[k].end < 0.0 ? -1.0 : 1.0) * test_uniform(&r, 0.01, 0.4),
                         radius = 1.0;
            for (int c = 0; c < 3; ++c) {
                wall.normal[c] = normal[c];
                wall.point[c] = test_uniform(&r, -0.2, 0.2);
                x[c] = wall.point[c] + (rings[k].end + height) * normal[c];
            }
            dem_wall_search *search;
            const dem_wall_contacts found = contacts_of(&wall, x, radius, &search);
            assert_int_equal(found.count, 1);
            double off[3];
            for (int c = 0; c < 3; ++c)
                off[c] = found.point[c] - wall.point[c];
            const double along = dot(off, normal),
                         gap = sqrt(rings[k].rim * rings[k].rim + height * height);
            assert_true(fabs(dot(found.normal, found.normal) - 1.0) < 1e-14);
            assert_true(fabs(found.overlap[0] - (radius - gap)) < 1e-14);
            assert_true(fabs(along - rings[k].end) < 1e-14);
            assert_true(fabs(sqrt(dot(off, off) - along * along) - rings[k].rim) < 1e-14);
            dem_wall_search_destroy(search);
        }
}

/** The first edge of a rectangle is across its normal, however near dem_wall.axis is to it. */
static void axis_along_normal(void **state)
{
    test_random r = test_random_start("axis along normal");
    dem_world_config config;
    dem_world *world;
    int added = 0;
    (void)state;
    assert_int_equal(dem_world_config_init(&config), DEM_OK);
    assert_int_equal(dem_world_create(&config, &world, NULL), DEM_OK);
    for (int trial = 0; trial < 1000; ++trial) {
        dem_wall wall = wall_of(DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, 0, 2.0, 2.0, 0.0);
        const double angle = test_decades(&r, -5.5, 0.0);
        uint64_t id;
        test_unit(&r, wall.normal);
        for (int c = 0; c < 3; ++c)
            wall.axis[c] = wall.normal[c] + angle * test_uniform(&r, -1.0, 1.0);
        if (dem_wall_add(world, &wall, &id) != DEM_OK) /* along the normal */
            continue;
        ++added;
        assert_int_equal(dem_wall_get(world, id, &wall), DEM_OK);
        assert_true(fabs(dot(wall.axis, wall.normal)) < 1e-14);
        assert_true(fabs(dot(wall.axis, wall.axis) - 1.0) < 1e-14);
        assert_int_equal(dem_wall_remove(world, id), DEM_OK);
    }
    assert_true(added > 900);
    dem_world_destroy(world);
}

/** Spheres may be larger than any wall: behind a thin one they do not touch it. */
static void far_larger(void **state)
{
    (void)state;
    for (int power = -3; power <= 140; power += 13) {
        const double radius = pow(10.0, power), size = 4e-7;
        const double behind[3] = {0.0, 0.0, -0.9 * radius}, over[3] = {0.0, 0.0, 0.9 * radius};
        const dem_wall walls[] = {
            wall_of(DEM_SHAPE_DISC, DEM_SIDE_OUTSIDE, 0, size, 0.0, 0.0),
            wall_of(DEM_SHAPE_RECTANGLE, DEM_SIDE_OUTSIDE, 0, size, size, 0.0),
            wall_of(DEM_SHAPE_CYLINDER, DEM_SIDE_BOTH, 0, size, size, 0.0),
            wall_of(DEM_SHAPE_CYLINDER, DEM_SIDE_BOTH, DEM_OPEN_LOW, size, size, 0.0),
        };
        for (int k = 0; k < 4; ++k) {
            dem_wall_search *search;
            dem_wall_contacts found = contacts_of(&walls[k], over, radius, &search);
            assert_int_equal(found.count, 1);
            assert_true(fabs(found.overlap[0] / radius - 0.1) < 1e-3);
            dem_wall_search_destroy(search);
            if (walls[k].open != 0) /* there it contains rim and cap */
                continue;
            found = contacts_of(&walls[k], behind, radius, &search);
            assert_int_equal(found.count, k < 2 ? 0 : 1);
            dem_wall_search_destroy(search);
        }
    }
}

/** A sphere that rolls over the rim of a thin wall ends its contact behind it, where the wall is
 * apart. Its arms are no longer than others, so works stay of the size of the energies. */
static void over_the_rim(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        dem_world_config config;
        dem_world *world;
        dem_hooke hooke;
        dem_friction friction;
        dem_contact_model model;
        dem_particle particle;
        dem_wall wall = k % 2 ? wall_of(DEM_SHAPE_DISC, DEM_SIDE_OUTSIDE, 0, 1.0, 0.0, 0.0)
                              : wall_of(DEM_SHAPE_RECTANGLE, DEM_SIDE_OUTSIDE, 0, 2.0, 2.0, 0.0);
        assert_int_equal(dem_world_config_init(&config), DEM_OK);
        assert_int_equal(dem_world_create(&config, &world, NULL), DEM_OK);
        assert_int_equal(dem_hooke_init(&hooke), DEM_OK);
        hooke.stiffness_normal = 1e3; /* so soft that the centre passes the plane in touch */
        hooke.restitution = 1.0;
        assert_int_equal(dem_friction_init(&friction), DEM_OK);
        assert_int_equal(dem_contact_model_init(&model), DEM_OK);
        assert_int_equal(dem_contact_model_add_hooke(&model, &hooke), DEM_OK);
        assert_int_equal(dem_contact_model_add_friction(&model, &friction), DEM_OK);
        model.lever_arm = k / 2 ? DEM_ARM_RADIUS : DEM_ARM_CONTACT;
        assert_int_equal(dem_contact_model_set(world, 0, 0, &model), DEM_OK);
        wall.angular_velocity[2] = k / 2 ? 3.0 : 0.0;
        assert_int_equal(dem_wall_add(world, &wall, NULL), DEM_OK);
        assert_int_equal(dem_particle_init(&particle), DEM_OK);
        particle.radius = 0.1;
        particle.mass = 1.0;
        particle.position[0] = 1.07; /* beyond the rim, and in touch with it */
        particle.position[2] = 0.05;
        particle.velocity[2] = -2.0;
        particle.angular_velocity[1] = 10.0;
        assert_int_equal(dem_particle_add(world, &particle, NULL), DEM_OK);
        dem_world_energies first, last;
        memset(&first, 0, sizeof first);
        first.struct_size = sizeof first;
        last = first;
        assert_int_equal(dem_step(world, 1e-5, 1), DEM_OK);
        assert_int_equal(dem_world_energies_get(world, &first), DEM_OK);
        assert_true(first.elastic > 0.0);
        assert_int_equal(dem_step(world, 1e-5, 10000), DEM_OK);
        assert_int_equal(dem_world_energies_get(world, &last), DEM_OK);
        const double begun = first.kinetic_translation + first.kinetic_rotation + first.elastic,
                     ended = last.kinetic_translation + last.kinetic_rotation + last.elastic,
                     lost = last.dissipated_slip + last.dissipated_dashpot +
                            last.dissipated_normal - last.work_boundary;
        assert_true(fabs(last.dissipated_slip) < begun);
        assert_true(last.elastic == 0.0);
        /* what the overlap stored is lost; nothing is created */
        assert_true(ended + lost - begun < 1e-3 * begun);
        assert_true(ended + lost - begun > -0.2 * begun);
        dem_world_destroy(world);
    }
}

/** The outline of a hollow: from the axis along its low end, its side and its high end. */
typedef struct outline {
    double at[4][2];
} outline;

/** The point of the outline that is nearest to one in the half plane; whether that one is inside.
 */
static int nearest_of(const outline *o, const double x[2], double to[2])
{
    double least = INFINITY;
    int inside = 1;
    for (int k = 0; k < 3; ++k) {
        const double *a = o->at[k], run[2] = {o->at[k + 1][0] - a[0], o->at[k + 1][1] - a[1]},
                     off[2] = {x[0] - a[0], x[1] - a[1]},
                     square = run[0] * run[0] + run[1] * run[1];
        const double t =
            square > 0.0 ? fmin(1.0, fmax(0.0, (off[0] * run[0] + off[1] * run[1]) / square)) : 0.0;
        const double near[2] = {a[0] + t * run[0], a[1] + t * run[1]},
                     distance = hypot(x[0] - near[0], x[1] - near[1]);
        inside = inside && (square == 0.0 || off[0] * run[1] - off[1] * run[0] < 0.0);
        if (distance < least) {
            least = distance;
            memcpy(to, near, sizeof near);
        }
    }
    return inside;
}

static void step_refused(const dem_wall *wall, const double x[3], double radius)
{
    dem_world_config config;
    dem_world *world;
    dem_hooke hooke;
    dem_contact_model model;
    dem_particle particle;
    assert_int_equal(dem_world_config_init(&config), DEM_OK);
    assert_int_equal(dem_world_create(&config, &world, NULL), DEM_OK);
    assert_int_equal(dem_hooke_init(&hooke), DEM_OK);
    hooke.stiffness_normal = 1.0;
    assert_int_equal(dem_contact_model_init(&model), DEM_OK);
    assert_int_equal(dem_contact_model_add_hooke(&model, &hooke), DEM_OK);
    assert_int_equal(dem_contact_model_set(world, 0, 0, &model), DEM_OK);
    assert_int_equal(dem_wall_add(world, wall, NULL), DEM_OK);
    assert_int_equal(dem_particle_init(&particle), DEM_OK);
    particle.radius = radius;
    particle.mass = 1.0;
    memcpy(particle.position, x, sizeof particle.position);
    assert_int_equal(dem_particle_add(world, &particle, NULL), DEM_OK);
    assert_int_equal(dem_step(world, 1e-6, 1), DEM_ERROR_OVERLAP);
    dem_world_destroy(world);
}

/** A sphere in a hollow, and in the solid about it, beyond faces, rims and tips: its deepest
 * contact is at the nearest point of the hollow's surface, and pushes into the hollow. */
static void out_of_hollows(void **state)
{
    (void)state;
    test_random r = test_random_start("out of hollows");
    int outside = 0, touching = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        const int cone = trial % 3 > 0, tip = cone ? (int)test_uniform(&r, 0.0, 4.0) : 0;
        const double height = test_decades(&r, -2.0, 2.0), wide = test_decades(&r, -2.0, 2.0);
        double low = wide, high = cone ? wide * test_uniform(&r, 0.001, 1.0) : wide;
        if (tip & 1)
            high = 0.0;
        if (tip & 2) {
            low = high;
            high = wide;
        }
        const outline o = {{{0.0, -0.5 * height},
                            {low, -0.5 * height},
                            {high, 0.5 * height},
                            {0.0, 0.5 * height}}};
        const double size = wide + height, radius = 0.5 * fmin(wide, 0.5 * height);
        dem_wall wall = wall_of(cone ? DEM_SHAPE_CONE : DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 0, low,
                                height, cone ? high : 0.0);
        /* anywhere, or near to a corner of the outline */
        const int corner = (int)test_uniform(&r, 0.0, 6.0);
        const double off = test_decades(&r, -4.0, 0.0);
        double x[2] = {test_uniform(&r, 0.0, 2.0 * wide), test_uniform(&r, -height, height)};
        if (corner < 4)
            for (int c = 0; c < 2; ++c)
                x[c] = o.at[corner][c] + off * size * test_uniform(&r, -1.0, 1.0);
        x[0] = trial % 7 == 0 ? 0.0 : fabs(x[0]);
        double axis[3], across[3], point[3], to[2];
        test_unit(&r, axis);
        test_unit(&r, across);
        const double along = dot(axis, across);
        for (int c = 0; c < 3; ++c)
            across[c] -= along * axis[c];
        const double length = sqrt(dot(across, across));
        for (int c = 0; c < 3; ++c) {
            wall.normal[c] = axis[c];
            wall.point[c] = size * test_uniform(&r, -1.0, 1.0);
            point[c] = wall.point[c] + x[0] * across[c] / length + x[1] * axis[c];
        }
        const int inside = nearest_of(&o, x, to);
        const double distance = hypot(x[0] - to[0], x[1] - to[1]),
                     gap = inside ? distance : -distance;
        if (distance < 1e-9 * size || fabs(gap - radius) < 1e-9 * size)
            continue;
        dem_wall_search *search;
        const dem_wall_contacts found = contacts_of(&wall, point, radius, &search);
        uint64_t most = 0;
        for (uint64_t k = 1; k < found.count; ++k)
            most = found.overlap[k] > found.overlap[most] ? k : most;
        if ((found.count > 0) != (gap < radius))
            fail_msg("%d contacts at gap %g of a sphere of radius %g: radii %g, %g, height %g, "
                     "at %g, %g",
                     (int)found.count, gap, radius, low, high, height, x[0], x[1]);
        touching += inside && found.count > 0;
        outside += !inside;
        if (found.count > 0) {
            const double *n = found.normal + 3 * most, sense = inside ? 1.0 : -1.0,
                         up = sense * (x[1] - to[1]) / distance,
                         out = sense * (x[0] - to[0]) / distance;
            if (!(fabs(found.overlap[most] - (radius - gap)) < 1e-13 * size) ||
                !(fabs(dot(n, axis) - up) < 1e-13 * size / distance) ||
                (x[0] > 1e-6 * size &&
                 !(fabs(dot(n, across) / length - out) < 1e-12 * size / fmin(distance, x[0]))))
                fail_msg(
                    "overlap %.17g, not %.17g, or normal (%g, %g), not (%g, %g): radii %g, %g, "
                    "height %g, at %g, %g",
                    found.overlap[most], radius - gap, dot(n, across) / length, dot(n, axis), out,
                    up, low, high, height, x[0], x[1]);
        }
        dem_wall_search_destroy(search);
        if (!inside && trial % 10 == 0)
            step_refused(&wall, point, radius);
    }
    assert_true(outside > 5000 && touching > 1000);
}

/** Small plates, each beside another sphere of a sparse lattice: all are touched by the spheres
 * that come to them within the skin of one list, those in the midst of others and those at their
 * rim. */
static void small_among_many(void **state)
{
    enum { SIDE = 6, SPHERES = SIDE * SIDE * SIDE };
    test_random r = test_random_start("small among many");
    dem_world_config config;
    dem_world *world;
    dem_linear linear;
    dem_contact_model model;
    (void)state;
    assert_int_equal(dem_world_config_init(&config), DEM_OK);
    config.skin = 0.8;
    assert_int_equal(dem_world_create(&config, &world, NULL), DEM_OK);
    assert_int_equal(dem_linear_init(&linear), DEM_OK);
    linear.stiffness_normal = 1e-6;
    assert_int_equal(dem_contact_model_init(&model), DEM_OK);
    assert_int_equal(dem_contact_model_add_linear_csds(&model, &linear), DEM_OK);
    assert_int_equal(dem_contact_model_set(world, 0, 0, &model), DEM_OK);
    for (int k = 0; k < SPHERES; ++k) {
        dem_particle sphere;
        double n[3];
        dem_wall wall = k % 2 == 0 ? wall_of(DEM_SHAPE_DISC, DEM_SIDE_BOTH, 0, 0.1, 0.0, 0.0)
                                   : wall_of(DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, 0, 0.1, 0.2, 0.0);
        const int at[3] = {k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)};
        assert_int_equal(dem_particle_init(&sphere), DEM_OK);
        sphere.mass = 1.0;
        sphere.radius = k % 5 == 0 ? 1.0 : 0.3;
        test_unit(&r, n);
        for (int c = 0; c < 3; ++c) {
            sphere.position[c] = 10.0 * at[c];
            sphere.velocity[c] = 0.3 * n[c];
            wall.point[c] = sphere.position[c] + (sphere.radius + 0.2) * n[c];
            wall.normal[c] = -n[c];
        }
        assert_int_equal(dem_particle_add(world, &sphere, NULL), DEM_OK);
        assert_int_equal(dem_wall_add(world, &wall, NULL), DEM_OK);
    }
    assert_int_equal(dem_step(world, 0.01, 100), DEM_OK);
    dem_contact contact = {.struct_size = sizeof contact};
    uint64_t cursor = 0;
    int contacts = 0;
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK) {
        assert_true(fabs(contact.overlap - 0.1) < 1e-6);
        ++contacts;
    }
    assert_int_equal(contacts, SPHERES);
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plugs),          cmocka_unit_test(axis_along_normal),
        cmocka_unit_test(far_larger),     cmocka_unit_test(over_the_rim),
        cmocka_unit_test(out_of_hollows), cmocka_unit_test(small_among_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
