/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedra_patches.c
 * Bodies that touch at several places: each place is a contact with a normal, a point and springs
 * of its own; places merge and split; energies, the same bits, snapshots, parcels, refusals.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/bytes.h"
#include "../support/emulated.h"
#include "../support/polyhedral.h"
#include "../support/polyhedral_walls.h"
#include "../support/scene.h"
#include "../support/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ shapes */

enum { CORNERS = 64 };

/** Facets that are collected: corners of three. */
typedef struct soup {
    double x[16 * CORNERS * 3][3];
    uint32_t corner[16 * CORNERS * 3];
    uint64_t count;
} soup;

static void soup_add(soup *s, const double a[3], const double b[3], const double c[3])
{
    const double *const corner[3] = {a, b, c};
    for (int k = 0; k < 3; ++k) {
        memcpy(s->x[s->count], corner[k], sizeof(s->x[0]));
        s->corner[s->count] = (uint32_t)s->count;
        ++s->count;
    }
}

static void soup_quad(soup *s, const double a[3], const double b[3], const double c[3],
                      const double d[3])
{
    soup_add(s, a, b, c);
    soup_add(s, a, c, d);
}

static dem_polyhedron *soup_shape(const soup *s)
{
    return shape_of(mesh_of(s->x, s->count, s->corner, s->count / 3));
}

/** Cells of a grid in x and z, where rows of `map` have a '#'; the first row is on top. Along y it
 * reaches from -half to half. */
static dem_mesh *cells_mesh(int nx, int nz, const char *map, const double *x, const double *z,
                            double half)
{
    static soup s;
    s.count = 0;
    for (int r = 0; r < nz; ++r)
        for (int c = 0; c < nx; ++c) {
            if (map[r * nx + c] != '#')
                continue;
            double p[8][3]; /* as the vertices of the cube */
            for (int k = 0; k < 8; ++k) {
                p[k][0] = x[c + (k & 1)];
                p[k][1] = k & 2 ? half : -half;
                p[k][2] = z[nz - 1 - r + (k >> 2)];
            }
            const int left = c > 0 && map[r * nx + c - 1] == '#',
                      right = c + 1 < nx && map[r * nx + c + 1] == '#',
                      above = r > 0 && map[(r - 1) * nx + c] == '#',
                      below = r + 1 < nz && map[(r + 1) * nx + c] == '#';
            soup_quad(&s, p[0], p[1], p[5], p[4]);
            soup_quad(&s, p[2], p[6], p[7], p[3]);
            if (!left)
                soup_quad(&s, p[0], p[4], p[6], p[2]);
            if (!right)
                soup_quad(&s, p[1], p[3], p[7], p[5]);
            if (!below)
                soup_quad(&s, p[0], p[2], p[3], p[1]);
            if (!above)
                soup_quad(&s, p[4], p[5], p[7], p[6]);
        }
    return mesh_of(s.x, s.count, s.corner, s.count / 3);
}

static dem_polyhedron *cells(int nx, int nz, const char *map, const double *x, const double *z,
                             double half)
{
    return shape_of(cells_mesh(nx, nz, map, x, z, half));
}

/** A shape in the axes of its mesh. */
static dem_polyhedron *shape_along(dem_mesh *mesh)
{
    dem_polyhedron_config config;
    dem_polyhedron *shape = NULL;
    OK(dem_polyhedron_config_init(&config));
    config.axes = DEM_POLYHEDRON_AXES_MESH;
    OK(dem_polyhedron_create(&config, mesh, &shape, NULL));
    dem_mesh_destroy(mesh);
    return shape;
}

/** A prism along y over an outline in x and z, counterclockwise seen from -y, all of whose corners
 * a place sees. */
static dem_polyhedron *prism(const double (*outline)[2], int n, const double seen[2], double half)
{
    static soup s;
    s.count = 0;
    for (int k = 0; k < n; ++k) {
        const double *a = outline[k], *b = outline[(k + 1) % n];
        const double front[3][3] = {{a[0], -half, a[1]},
                                    {b[0], -half, b[1]},
                                    {seen[0], -half, seen[1]}},
                     back[3][3] = {
                         {a[0], half, a[1]}, {b[0], half, b[1]}, {seen[0], half, seen[1]}};
        soup_add(&s, front[0], front[1], front[2]);
        soup_add(&s, back[1], back[0], back[2]);
        soup_quad(&s, front[1], front[0], back[0], back[1]);
    }
    return soup_shape(&s);
}

/** Two feet of .2 by .4, 1 apart, under a beam. */
static dem_polyhedron *staple(void)
{
    static const double x[4] = {-0.6, -0.4, 0.4, 0.6}, z[3] = {0.0, 0.3, 0.5};
    return cells(3, 2, "####.#", x, z, 0.2);
}

/** The lower side is a valley between two ridges. */
static dem_polyhedron *ridges(double valley)
{
    const double outline[7][2] = {{-1.0, 0.6}, {-0.5, 0.0}, {0.0, valley}, {0.4, 0.0},
                                  {1.0, 0.7},  {0.7, 1.0},  {-0.7, 1.0}};
    const double seen[2] = {0.0, 0.8};
    return prism(outline, 7, seen, 0.5);
}

/** A body whose mesh stands as it was given, moved by this. */
static dem_body body_placed(const dem_polyhedron *shape, double x, double y, double z)
{
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    dem_body body = body_at(shape, x + is.centre[0], y + is.centre[1], z + is.centre[2]);
    memcpy(body.orientation, is.orientation, sizeof(body.orientation));
    return body;
}

/** A fixed block with its top at 0. */
static dem_body_handle block_add(dem_world *world)
{
    dem_polyhedron *block = shape_of(solid_box(2.0, 1.5, 0.5));
    dem_body body = body_placed(block, 0.0, 0.0, -0.5);
    body.mobility = DEM_MOBILITY_FIXED;
    const dem_body_handle handle = body_add(world, &body, block);
    dem_polyhedron_destroy(block);
    return handle;
}

/* ------------------------------------------------------------------ contacts */

enum { MOST = 16 };

typedef struct touch {
    dem_contact_key key;
    double point[3], normal[3], normal_force, tangential[3];
} touch;

/** All contacts, by the place of their points along x. Returns how many. */
static int touches(const dem_world *world, touch to[MOST])
{
    dem_contact_arrays arrays;
    dem_contact_key key[MOST];
    double point[MOST][3], normal[MOST][3], force[MOST][3], tangential[MOST][3];
    uint64_t cursor = 0, count = 0;
    OK(dem_contact_arrays_init(&arrays));
    arrays.capacity = MOST;
    arrays.key = key;
    arrays.point = point[0];
    arrays.normal = normal[0];
    arrays.force_normal = force[0];
    arrays.force_tangential = tangential[0];
    OK(dem_world_contacts_read(world, &cursor, &arrays, &count));
    for (uint64_t k = 0; k < count; ++k) {
        touch one = {.key = key[k]};
        memcpy(one.point, point[k], sizeof(point[k]));
        memcpy(one.normal, normal[k], sizeof(normal[k]));
        memcpy(one.tangential, tangential[k], sizeof(tangential[k]));
        for (int c = 0; c < 3; ++c)
            one.normal_force += force[k][c] * normal[k][c];
        uint64_t place = k;
        for (; place > 0 && to[place - 1].point[0] > one.point[0]; --place)
            to[place] = to[place - 1];
        to[place] = one;
    }
    return (int)count;
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void near_to(const char *what, double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        fail_msg("%s: %.17g, not %.17g", what, value, expected);
}

/* A staple is on the block with two feet: two contacts, each under a foot, whose forces and moments
 * balance the weight and a torque. */
static void feet(void **state)
{
    (void)state;
    dem_polyhedron *shape = staple();
    for (int round = test_slow() ? 2 : 0; round < 3; ++round) {
        const double torque = 0.3 * round; /* over that with which it would tip */
        dem_world *world = world_of(10.0, 1, DEM_ISA_AUTO);
        touch at[MOST];
        model_set(world, M1, 0.5, 0.2);
        (void)block_add(world);
        const dem_body body = body_placed(shape, 0.0, 0.1, 0.0);
        const dem_body_handle handle = body_add(world, &body, shape);
        const double weight = 10.0 * body.mass, none[3] = {0.0, 0.0, 0.0},
                     turns[3] = {0.0, torque * 0.6 * weight, 0.0};
        OK(dem_body_set_force(world, handle, none, turns));
        run(world, 5e-5, 40000);
        assert_int_equal(touches(world, at), 2);
        assert_true(at[0].key.feature != at[1].key.feature);
        double share[2], moment = 0.0;
        for (int k = 0; k < 2; ++k) {
            near_to("normal", fabs(at[k].normal[2]), 1.0, 1e-4);
            near_to("foot", at[k].point[0], k ? 0.5 : -0.5, 0.1);
            near_to("foot", at[k].point[1], 0.1, 0.01);
            share[k] = at[k].normal_force / weight;
            moment += share[k] * at[k].point[0];
        }
        printf("feet: %g and %g of the weight, moment %g of %g\n", share[0], share[1], moment,
               0.6 * torque);
        near_to("weight", share[0] + share[1], 1.0, 1e-4);
        near_to("torque", moment, 0.6 * torque, 1e-4);
        dem_world_destroy(world);
    }
    dem_polyhedron_destroy(shape);
}

/* By how much the vertical of a body went off it: 1 - cos of half the angle. On one foot it may
 * turn about the vertical, which nothing holds. */
/** The force on the facets of a mesh along z whose centres are on one side of x = 0, and the
 * largest of them. */
static double facets_beyond(const dem_view *view, const dem_mesh *mesh, double sense, double *most)
{
    const uint32_t *facet = dem_mesh_facets(mesh);
    const double *vertex = dem_mesh_vertices(mesh);
    double sum = 0.0;
    *most = 0.0;
    for (uint64_t k = 0; k < view->count; ++k) {
        const double *f =
            (const double *)(const void *)((const char *)view->data + view->stride * k);
        double x = 0.0;
        for (int m = 0; m < 3; ++m)
            x += vertex[3 * (uint64_t)facet[3 * k + (uint64_t)m]];
        if (sense * x > 0.0) {
            sum -= f[2];
            *most = fmax(*most, -f[2]);
        }
    }
    return sum;
}

/* A staple on a floor of facets: each foot loads those under it. They are asked for in a world that
 * was just restored, too, while its list is to be built anew. */
static void feet_on_facets(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x5A91E)};
    dem_polyhedron *shape = staple();
    for (int round = 0; round < 4; ++round) {
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        model_set(world, PLAIN, 0.0, 0.8);
        const dem_wall wall = mesh_wall(floor_mesh(&random, 24, 1.6));
        const uint64_t id = wall_add(world, &wall);
        dem_mesh_destroy(wall.mesh);
        const dem_body body = body_placed(shape, 0.0, 0.0, -0.01);
        (void)body_add(world, &body, shape);
        run(world, 1e-6, 3);
        dem_view view = {.struct_size = sizeof view};
        OK(dem_wall_view(world, id, DEM_FACET_FORCE, &view));
        const dem_wall loaded = wall_of(world, id);
        double most[2];
        const double left = facets_beyond(&view, loaded.mesh, -1.0, &most[0]),
                     right = facets_beyond(&view, loaded.mesh, 1.0, &most[1]);
        near_to("left foot", left, -0.5 * loaded.force[2], -1e-9 * loaded.force[2]);
        near_to("right foot", right, left, 1e-9 * left);
        /* many facets are under a foot of .2 by .4 */
        assert_true(most[0] < 0.6 * left && most[1] < 0.6 * right);
        dem_wall other;
        OK(dem_wall_init(&other));
        other.point[2] = -5.0;
        OK(dem_wall_add(world, &other, NULL)); /* the list is stale */
        uint64_t size;
        unsigned char *bytes = snapshot_of(world, &size);
        dem_world *restored = world_of(0.0, 1, DEM_ISA_AUTO);
        OK(dem_world_restore(restored, bytes, size));
        free(bytes);
        dem_view again = {.struct_size = sizeof again};
        OK(dem_wall_view(restored, id, DEM_FACET_FORCE, &again));
        assert_int_equal(again.count, view.count);
        run(restored, 1e-6, 1);
        OK(dem_wall_view(restored, id, DEM_FACET_FORCE, &again));
        double unused;
        assert_true(facets_beyond(&again, wall_of(restored, id).mesh, 1.0, &unused) > 0.9 * right);
        dem_world_destroy(restored);
        dem_world_destroy(world);
    }
    dem_polyhedron_destroy(shape);
}

static double tilt_of(const dem_body *now, const dem_body *start)
{
    const double *a = now->orientation, *b = start->orientation,
                 x = a[1] * b[0] - a[0] * b[1] + a[3] * b[2] - a[2] * b[3],
                 y = a[2] * b[0] - a[0] * b[2] + a[1] * b[3] - a[3] * b[1];
    return 0.5 * (x * x + y * y);
}

/* It tips over the outer edge of a foot when gravity is as steep as the line from there to the
 * centre of mass. */
static void tipping(void **state)
{
    (void)state;
    test_long();
    dem_polyhedron *shape = staple();
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    for (int tips = 0; tips < 2; ++tips) {
        const double slope = 0.6 / is.centre[2] * (tips ? 1.03 : 0.97);
        dem_world *world = world_of(0.1, 1, DEM_ISA_AUTO);
        model_set(world, M1, 5.0, 0.2);
        (void)block_add(world);
        dem_body body = body_placed(shape, 0.0, 0.0, 0.0);
        const dem_body_handle handle = body_add(world, &body, shape);
        run(world, 1e-4, 5000);
        for (int n = 1; n <= 400; ++n) {
            const double pull[3] = {0.1 * body.mass * slope * n / 400.0, 0.0, 0.0};
            OK(dem_body_set_force(world, handle, pull, NULL));
            run(world, 1e-4, 100);
        }
        run(world, 1e-4, 40000);
        dem_body now = {.struct_size = sizeof(now)};
        OK(dem_body_get(world, handle, &now));
        const double turned = tilt_of(&now, &body);
        printf("slope %g of that of tipping: tilted by %g\n", tips ? 1.03 : 0.97, turned);
        if (tips ? turned < 1e-4 : turned > 1e-7)
            fail_msg("%s: tilted by %g", tips ? "tips" : "stands", turned);
        dem_world_destroy(world);
    }
    dem_polyhedron_destroy(shape);
}

/* Where it slides, each foot has the friction of its own normal force; the moment of the friction
 * makes them differ. */
static void sliding(void **state)
{
    (void)state;
    dem_polyhedron *shape = staple();
    dem_world *world = world_of(10.0, 1, DEM_ISA_AUTO);
    touch at[MOST];
    model_set(world, M1, 0.4, 0.2);
    (void)block_add(world);
    const dem_body body = body_placed(shape, -0.7, 0.0, 0.0);
    const dem_body_handle handle = body_add(world, &body, shape);
    run(world, 2e-4, 4000);
    const double pushed[3] = {2.0, 0.0, 0.0};
    OK(dem_body_set_motion(world, handle, NULL, NULL, pushed, NULL));
    run(world, 2e-4, 1000);
    assert_int_equal(touches(world, at), 2);
    printf("sliding: %g and %g N\n", at[0].normal_force, at[1].normal_force);
    assert_true(at[1].normal_force > 1.5 * at[0].normal_force);
    for (int k = 0; k < 2; ++k)
        near_to("friction", length_of(at[k].tangential), 0.4 * at[k].normal_force,
                1e-9 * at[k].normal_force);
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

/* A staple that slides turns from the one foot to the other in a step: the other one begins with
 * no spring. */
static void foot_after_foot(void **state)
{
    (void)state;
    const double dt = 1e-5, spin = 4.0, normal[3] = {0.0, 0.0, 1.0};
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    static const double x[4] = {-0.6, -0.4, 0.4, 0.6}, z[3] = {0.0, 0.3, 0.5};
    dem_polyhedron *shape = shape_along(cells_mesh(3, 2, "####.#", x, z, 0.2));
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    touch before[MOST], after[MOST];
    model_set(world, M1, 0.5, 1.0);
    plane_add(world, normal, 0.0);
    OK(dem_polyhedron_properties_get(shape, &is));
    /* level in the middle of the step after 20 */
    dem_body body = body_at(shape, 0.0, 0.0, is.centre[2] + 4e-6);
    body.orientation[0] = cos(-0.5 * 20.5 * spin * dt);
    body.orientation[2] = sin(-0.5 * 20.5 * spin * dt);
    body.angular_velocity[1] = spin;
    body.velocity[1] = 0.5;
    body.mass = 1e12;
    for (int c = 0; c < 3; ++c)
        body.inertia[c] = 1e12;
    (void)body_add(world, &body, shape);
    run(world, dt, 20);
    assert_int_equal(touches(world, before), 1);
    run(world, dt, 1);
    assert_int_equal(touches(world, after), 1);
    printf("foot after foot: %g N at %g, then %g N at %g\n", length_of(before[0].tangential),
           before[0].point[0], length_of(after[0].tangential), after[0].point[0]);
    assert_true(before[0].point[0] * after[0].point[0] < 0.0);
    if (!(length_of(after[0].tangential) < 0.1 * length_of(before[0].tangential)))
        fail_msg("the spring went over");
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

/* A body that slides by more than its size in a step keeps its contact, whichever body is the
 * first. */
static void fast_slide(void **state)
{
    (void)state;
    static const double x[3] = {0.0, 0.3, 1.1}, z[3] = {0.0, 0.3, 1.1};
    dem_polyhedron *shape = cells(2, 2, "#.##", x, z, 0.25),
                   *block = shape_of(solid_box(50.0, 1.5, 0.5));
    for (int first = 0; first < 2; ++first) {
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        touch at[MOST];
        model_set(world, M1, 0.5, 1.0);
        dem_body body[2] = {body_placed(block, 0.0, 0.0, -0.5),
                            body_placed(shape, -20.0, 0.0, -0.01)};
        body[0].mobility = DEM_MOBILITY_FIXED;
        body[1].velocity[0] = 200.0;
        body[1].mass = 1e12;
        for (int c = 0; c < 3; ++c)
            body[1].inertia[c] = 1e12;
        for (int k = 0; k < 2; ++k)
            (void)body_add(world, &body[k == first], k == first ? shape : block);
        for (int n = 0; n < 10; ++n) {
            run(world, 1e-2, 1);
            assert_int_equal(touches(world, at), 1);
            assert_int_equal(at[0].key.feature, 0);
        }
        dem_world_destroy(world);
    }
    dem_polyhedron_destroy(shape);
    dem_polyhedron_destroy(block);
}

/* ------------------------------------------------------------------ level feet */

static void turn_after(const double a[4], const double b[4], double to[4])
{
    to[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    to[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    to[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    to[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/** Turns a body about the origin, and moves it. */
static void turned(const double turn[4], const double move[3], dem_body *body)
{
    const double before[4] = {body->orientation[0], body->orientation[1], body->orientation[2],
                              body->orientation[3]};
    turn_after(turn, before, body->orientation);
    dem_kernel_rotation_to_space(turn, body->position);
    for (int c = 0; c < 3; ++c)
        body->position[c] += move[c];
}

enum { ON_BLOCK, ON_PLANE, ON_MESH, FLOORS };

/** The force and the torque, in the axes of the floor, on a body with two feet of which the second
 * one is this high over the floor, and the first one deep in it. */
static void uneven_loads(dem_polyhedron *shape, int floor, double high, const double turn[4],
                         const double move[3], double load[6])
{
    const double corners[4][3] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
    const uint32_t facets[2][3] = {{0, 1, 2}, {0, 2, 3}};
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_polyhedron *block = shape_of(solid_box(2.0, 1.5, 0.5));
    dem_mesh *mesh = mesh_of(corners, 4, facets, 2);
    model_set(world, PLAIN, 0.0, 1.0);
    dem_body body = body_placed(shape, 0.1, 0.05, high - 0.0625);
    turned(turn, move, &body);
    const dem_body_handle handle = body_add(world, &body, shape);
    if (floor == ON_BLOCK) {
        body = body_placed(block, 0.0, 0.0, -0.5);
        body.mobility = DEM_MOBILITY_FIXED;
        turned(turn, move, &body);
        (void)body_add(world, &body, block);
    } else {
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.shape = floor == ON_PLANE ? DEM_SHAPE_PLANE : DEM_SHAPE_MESH;
        wall.mesh = floor == ON_PLANE ? NULL : mesh;
        wall.axis[0] = floor == ON_PLANE ? 0.0 : 1.0;
        memcpy(wall.point, move, sizeof(wall.point));
        dem_kernel_rotation_to_space(turn, wall.normal);
        dem_kernel_rotation_to_space(turn, wall.axis);
        (void)wall_add(world, &wall);
    }
    run(world, 1e-6, 0);
    loads_of(world, handle, load);
    dem_kernel_rotation_to_body(turn, load);
    dem_kernel_rotation_to_body(turn, load + 3);
    dem_world_destroy(world);
    dem_polyhedron_destroy(block);
    dem_mesh_destroy(mesh);
}

/* A foot that is level with the floor, but for round-off, has no part in the force of the other
 * one. Searches shift bodies by 1e-11 of their size, and forces are as the fourth root of a depth,
 * which is .0625 at the other foot. */
static void level_feet(void **state)
{
    (void)state;
    static const double x[4] = {-0.6, -0.2, 0.2, 0.6}, z[4] = {0.0, 0.0625, 0.5, 0.75};
    static const double still[4] = {1.0, 0.0, 0.0, 0.0}, here[3] = {0.0, 0.0, 0.0};
    test_random random = {UINT64_C(0x1E7E1)};
    dem_polyhedron *shape = shape_along(cells_mesh(3, 3, "####.##..", x, z, 0.2));
    for (int floor = 0; floor < FLOORS; ++floor) {
        double expected[6], worst = 0.0;
        uneven_loads(shape, floor, 1e-9, still, here, expected);
        for (int round = 0; round < 100; ++round) {
            dem_body any = body_at(shape, 0.0, 0.0, 0.0);
            double move[3], load[6];
            turn_at_random(&random, &any);
            for (int c = 0; c < 3; ++c)
                move[c] = round > 0 ? test_uniform(&random, -1.0, 1.0) : 0.0;
            uneven_loads(shape, floor, 0.0, round > 0 ? any.orientation : still, move, load);
            for (int c = 0; c < 6; ++c)
                worst = fmax(worst, fabs(load[c] - expected[c]) / expected[2]);
        }
        printf("level feet on floor %d: force off by %g\n", floor, worst);
        if (!(worst < 5e-3))
            fail_msg("floor %d: force off by %g", floor, worst);
    }
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ bodies of parts */

/** Adds the two boxes of an L as one body. The vertical one is on the left. */
static dem_body_handle l_add(dem_world *world, const dem_body *body)
{
    static const double x[3] = {0.0, 0.3, 1.1}, z[3] = {0.0, 0.3, 1.1};
    dem_polyhedron *shape = cells(2, 2, "#.##", x, z, 0.25);
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    dem_polyhedron *box = shape_of(solid_box(0.4, 0.25, 0.15)), *post;
    post = shape_of(solid_box(0.15, 0.25, 0.4));
    dem_body_part part[2];
    dem_body_handle handle;
    const double centre[2][3] = {{0.7, 0.0, 0.15}, {0.15, 0.0, 0.7}};
    for (int p = 0; p < 2; ++p) {
        OK(dem_body_part_init(&part[p]));
        part[p].shape = p == 0 ? box : post;
        for (int c = 0; c < 3; ++c)
            part[p].centre[c] = centre[p][c] - is.centre[c];
    }
    OK(dem_body_add(world, body, 2, part, &handle));
    dem_polyhedron_destroy(box);
    dem_polyhedron_destroy(post);
    dem_polyhedron_destroy(shape);
    return handle;
}

/* Two L touch at two places: forces and moments are those of a ring of four boxes, two for each L,
 * but for the radius of the pair, which is that of the bodies. */
static void two_ls(void **state)
{
    (void)state;
    static const double x[3] = {0.0, 0.3, 1.1}, z[3] = {0.0, 0.3, 1.1};
    test_random random = {UINT64_C(0x11)};
    dem_polyhedron *shape = cells(2, 2, "#.##", x, z, 0.25);
    dem_polyhedron *box = shape_of(solid_box(0.4, 0.25, 0.15));
    dem_polyhedron_properties whole = {.struct_size = sizeof(whole)}, part = whole;
    OK(dem_polyhedron_properties_get(shape, &whole));
    OK(dem_polyhedron_properties_get(box, &part));
    for (int round = 0; round < 20; ++round) {
        touch at[MOST];
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        model_set(world, PLAIN, 0.0, 1.0);
        /* the second one stands on its head within the first */
        dem_body body[2];
        dem_body_handle handle[2];
        const double in[2] = {test_uniform(&random, 0.002, 0.02),
                              test_uniform(&random, 0.002, 0.02)},
                     angle = test_uniform(&random, -0.005, 0.005);
        body[0] = body_placed(shape, 0.0, 0.0, 0.0);
        body[1] = body_placed(shape, 0.0, 0.0, 0.0);
        const double half[4] = {sin(0.5 * angle), 0.0, cos(0.5 * angle), 0.0};
        double q[4];
        const double *p = body[1].orientation; /* turned by half a turn about y, nearly */
        q[0] = half[0] * p[0] - half[2] * p[2];
        q[1] = half[0] * p[1] + half[2] * p[3];
        q[2] = half[0] * p[2] + half[2] * p[0];
        q[3] = half[0] * p[3] - half[2] * p[1];
        memcpy(body[1].orientation, q, sizeof(q));
        /* the corner of the second is at (1.4, 1.4) then, and ends are on sides */
        body[1].position[0] = 1.4 - in[0] - whole.centre[0];
        body[1].position[2] = 1.4 - in[1] - whole.centre[2];
        body[1].position[1] = 0.03;
        for (int k = 0; k < 2; ++k)
            handle[k] = body_add(world, &body[k], shape);
        run(world, 1e-4, 0);
        const int count = touches(world, at);
        double load[2][2][6];
        for (int k = 0; k < 2; ++k)
            loads_of(world, handle[k], load[0][k]);
        dem_world_destroy(world);
        world = world_of(0.0, 1, DEM_ISA_AUTO);
        model_set(world, PLAIN, 0.0, 1.0);
        for (int k = 0; k < 2; ++k) { /* whose axes are those of the boxes */
            static const double none[4] = {1.0, 0.0, 0.0, 0.0};
            memcpy(body[k].orientation, k == 0 ? none : half, sizeof(half));
            handle[k] = l_add(world, &body[k]);
        }
        touch of_parts[MOST];
        run(world, 1e-4, 0);
        const int parts = touches(world, of_parts);
        for (int k = 0; k < 2; ++k)
            loads_of(world, handle[k], load[1][k]);
        dem_world_destroy(world);
        if (round == 0)
            printf("two L: %d contacts, of parts %d\n", count, parts);
        assert_int_equal(count, 2);
        assert_int_equal(parts, 2);
        const double scale = pow(part.equivalent_radius / whole.equivalent_radius, 0.75);
        for (int k = 0; k < 2; ++k) {
            near_to("force", at[k].normal_force, scale * of_parts[k].normal_force,
                    1e-9 * at[k].normal_force);
            for (int c = 0; c < 3; ++c) {
                near_to("normal", at[k].normal[c], of_parts[k].normal[c], 1e-9);
                near_to("load", load[0][k][c], scale * load[1][k][c], 1e-6);
                near_to("moment", load[0][k][3 + c], scale * load[1][k][3 + c], 1e-6);
            }
        }
    }
    dem_polyhedron_destroy(shape);
    dem_polyhedron_destroy(box);
}

/* ------------------------------------------------------------------ ring and peg */

/* A ring is tight on a peg: two contacts with opposite normals, each with its friction; the ring
 * goes back to the middle, and holds against a pull along the peg. */
static void ring_on_peg(void **state)
{
    (void)state;
    static const double x[4] = {-0.6, -0.3, 0.3, 0.6};
    dem_polyhedron *ring = cells(3, 3, "####.####", x, x, 0.2),
                   *peg = shape_of(solid_box(0.305, 0.6, 0.2));
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    touch at[MOST];
    model_set(world, M1, 0.5, 0.3);
    dem_body body = body_placed(peg, 0.0, 0.0, 0.0);
    body.mobility = DEM_MOBILITY_FIXED;
    (void)body_add(world, &body, peg);
    body = body_placed(ring, 0.001, 0.0, 0.0);
    const dem_body_handle handle = body_add(world, &body, ring);
    run(world, 1e-4, 0);
    assert_int_equal(touches(world, at), 2);
    near_to("normals", at[0].normal[0] + at[1].normal[0], 0.0, 1e-12);
    near_to("normals", fabs(at[0].normal[0]), 1.0, 1e-12);
    /* (.006/.004)^(1/4) */
    near_to("forces", at[0].normal_force / at[1].normal_force, pow(0.006 / 0.004, 0.25), 1e-9);
    run(world, 1e-4, 20000);
    assert_int_equal(touches(world, at), 2);
    OK(dem_body_get(world, handle, &body));
    near_to("middle", body.position[0], 0.0, 1e-4);
    const double hold = 0.5 * (at[0].normal_force + at[1].normal_force),
                 pull[3] = {0.0, 0.4 * hold, 0.0};
    OK(dem_body_set_force(world, handle, pull, NULL));
    run(world, 1e-4, 20000);
    OK(dem_body_get(world, handle, &body));
    printf("ring: %g N at each side, slipped by %g\n", hold, body.position[1]);
    assert_int_equal(touches(world, at), 2);
    near_to("friction", at[0].tangential[1] + at[1].tangential[1],
            at[0].key.id_i == body.id ? -pull[1] : pull[1], 0.05 * hold);
    assert_true(fabs(body.position[1]) < 0.012); /* springs */
    dem_world_destroy(world);
    dem_polyhedron_destroy(ring);
    dem_polyhedron_destroy(peg);
}

/* ------------------------------------------------------------------ merging and splitting */

/** Two ridges are pressed into a block until their contacts merge, and drawn out again: while they
 * move by nearly nothing, neither the energy of the normal forces nor, with what is dissipated,
 * that of springs changes, and the forces of the springs stay. */
static void merges_and_splits(int32_t law)
{
    dem_polyhedron *shape = ridges(0.03);
    dem_world *world = world_of_law(law, 0.3, 0.0, 1, DEM_ISA_AUTO);
    touch at[MOST];
    model_set(world, M1, 5.0, 1.0);
    dem_polyhedron *block = shape_of(solid_box(2.0, 1.5, 0.5));
    dem_body body = body_placed(block, 0.0, 0.0, -0.5);
    body.mass = 1e18; /* it is free, but nothing moves it */
    for (int c = 0; c < 3; ++c)
        body.inertia[c] = 1e18;
    (void)body_add(world, &body, block);
    dem_polyhedron_destroy(block);
    body = body_placed(shape, 0.0, 0.0, -0.0298);
    body.mobility = DEM_MOBILITY_KINEMATIC;
    const dem_body_handle handle = body_add(world, &body, shape);
    const double stretches[3] = {1e-3, 5e-4, 0.0}; /* the springs */
    OK(dem_body_set_motion(world, handle, NULL, NULL, stretches, NULL));
    run(world, 1e-3, 500);
    assert_int_equal(touches(world, at), 2);
    for (int n = 0; n < 4; ++n) {
        const int count = n % 2 ? 1 : 2;
        dem_world_energies before, after;
        double tangential[2][3];
        const double moves[3] = {0.0, 0.0, (n % 2 ? 1.0 : -1.0) * 1e-4};
        OK(dem_body_set_motion(world, handle, NULL, NULL, moves, NULL));
        int now = count;
        uint64_t steps = 0;
        do {
            before = scene_energies(world);
            for (int k = 0; k < 3; ++k) {
                tangential[0][k] = 0.0;
                for (int c = 0; c < now; ++c)
                    tangential[0][k] += at[c].tangential[k];
            }
            run(world, 1e-3, 1);
            now = touches(world, at);
        } while (now == count && ++steps < 10000);
        assert_int_equal(now, 3 - count);
        after = scene_energies(world);
        for (int k = 0; k < 3; ++k) {
            tangential[1][k] = 0.0;
            for (int c = 0; c < now; ++c)
                tangential[1][k] += at[c].tangential[k];
        }
        const double kept[2] = {before.elastic + before.dissipated_slip - before.work_boundary,
                                after.elastic + after.dissipated_slip - after.work_boundary};
        printf("law %d, %s: energy %.15g to %.15g, slip %g to %g\n", (int)law,
               n % 2 ? "split" : "merge", kept[0], kept[1], before.dissipated_slip,
               after.dissipated_slip);
        near_to("energy", kept[1], kept[0], 1e-6 * before.elastic);
        /* two springs, nearly alike, become one of 2^(1/2) of their stiffness, with the energy of
         * both and so 2^(-1/4) of the force; halves of the force of one have 2^(-1/2) of its energy
         */
        const double slip = after.dissipated_slip - before.dissipated_slip,
                     keeps = n % 2 ? 1.0 : tangential[1][0] / tangential[0][0];
        near_to("force of springs", keeps, n % 2 ? 1.0 : 0.8409, 2e-3);
        if (n % 2 ? slip < 1e-6 : fabs(slip) > 1e-9 * before.elastic)
            fail_msg("slip %g", slip);
        for (int k = 0; k < 2; ++k)
            near_to("springs", tangential[1][k], keeps * tangential[0][k],
                    1e-4 * length_of(tangential[0]));
    }
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

static void merge_and_split(void **state)
{
    (void)state;
    merges_and_splits(DEM_POLYHEDRON_LAW_VOLUME);
    merges_and_splits(DEM_POLYHEDRON_LAW_VOLUME_SQUARE);
}

/** By how much the balance is off at most when ridges bounce on a block; how often patches merged
 * or split, and their most and fewest. */
static double off_when_bouncing(int which, double friction, double restitution, double dt,
                                double time, int *events)
{
    dem_polyhedron *shape = ridges(0.002);
    dem_world *world = world_of(5.0, 1, DEM_ISA_AUTO);
    touch at[MOST];
    double worst = 0.0;
    int last = 0;
    model_set(world, which, friction, restitution);
    (void)block_add(world);
    dem_body body = body_placed(shape, 0.0, 0.0, 0.04);
    body.angular_velocity[1] = 0.1;
    (void)body_add(world, &body, shape);
    const double before = balance_of(world), size = 5.0 * body.mass * 0.04;
    *events = 0;
    for (double t = 0.0; t < time; t += 4.0 * 2e-4) {
        run(world, dt, (uint64_t)(4.0 * 2e-4 / dt + 0.5));
        worst = fmax(worst, fabs(balance_of(world) - before) / size);
        const int now = touches(world, at);
        *events += now > 0 && last > 0 && now != last;
        last = now;
    }
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
    return worst;
}

/* Without friction and damping energy stays, whatever merges and splits; with them it is accounted
 * for. */
static void bouncing(void **state)
{
    (void)state;
    int events;
    const double time = test_rounds(100) >= 100 ? 20.0 : 2.0;
    const double coarse = off_when_bouncing(PLAIN, 0.0, 1.0, 2e-4, time, &events),
                 fine = off_when_bouncing(PLAIN, 0.0, 1.0, 1e-4, time, &events);
    printf("bouncing, e 1: %g, at half of dt %g, %d events\n", coarse, fine, events);
    assert_true(events > 3);
    if (!(coarse < 2e-3 && fine < 2e-3))
        fail_msg("energy is off by %g, at half of dt %g", coarse, fine);
    const double rough = off_when_bouncing(M1, 0.3, 0.8, 2e-4, 1.0, &events),
                 smooth = off_when_bouncing(M1, 0.3, 0.8, 1e-4, 1.0, &events);
    printf("bouncing with friction: %g, at half of dt %g, %d events\n", rough, smooth, events);
    assert_true(events > 1);
    if (!(rough < 5e-3 && smooth < rough))
        fail_msg("balance is off by %g, at half of dt %g", rough, smooth);
}

/** The same of a staple that sticks to the block and rocks on both feet. */
static double off_when_standing(double dt)
{
    dem_polyhedron *shape = staple();
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    double worst = 0.0;
    model_set(world, M1, 50.0, 0.8);
    (void)block_add(world);
    dem_body body = body_placed(shape, 0.0, 0.0, -0.004);
    body.velocity[0] = 0.02;
    body.velocity[1] = 0.01;
    body.angular_velocity[1] = 0.02;
    body.angular_velocity[2] = 0.03;
    (void)body_add(world, &body, shape);
    run(world, dt, 0);
    const double before = balance_of(world);
    for (int n = 0; n < 10; ++n) {
        run(world, dt, (uint64_t)(1e-3 / dt + 0.5));
        touch at[MOST];
        assert_int_equal(touches(world, at), 2);
        worst = fmax(worst, fabs(balance_of(world) - before) / before);
    }
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
    return worst;
}

static void second_order(void **state)
{
    (void)state;
    const double coarse = off_when_standing(1e-4), fine = off_when_standing(5e-5);
    printf("standing: %g, at half of dt %g: order %.3f\n", coarse, fine, log2(coarse / fine));
    near_to("order", log2(coarse / fine), 2.0, 0.03);
}

/* ------------------------------------------------------------------ the same bits */

enum { STAPLES = 27 };

/** Staples that fall on each other in a box that is periodic in x and y, on a floor that is a mesh.
 */
static dem_world *heap_of_staples(int32_t threads, int32_t isa)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.gravity[2] = -10.0;
    config.threads = threads;
    config.isa = isa;
    config.overlap_limit = 1.0;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = 3.9;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    dem_polyhedron *shape = staple();
    dem_wall floor;
    test_random random = {UINT64_C(0xBEEF)};
    model_set(world, M1, 0.4, 0.6);
    OK(dem_wall_init(&floor));
    floor.id = 1000;
    floor.shape = DEM_SHAPE_RECTANGLE;
    floor.axis[0] = 1.0;
    floor.size[0] = floor.size[1] = 20.0;
    OK(dem_wall_add(world, &floor, NULL));
    for (int k = 0; k < STAPLES; ++k) {
        dem_body body =
            body_at(shape, 0.65 + 1.3 * (k % 3), 0.65 + 1.3 * (k / 3 % 3), 0.8 + 0.9 * (k / 9));
        turn_at_random(&random, &body);
        for (int c = 0; c < 3; ++c) {
            body.velocity[c] = test_uniform(&random, -1.0, 1.0);
            body.angular_velocity[c] = test_uniform(&random, -1.0, 1.0);
        }
        (void)body_add(world, &body, shape);
    }
    dem_polyhedron_destroy(shape);
    return world;
}

/** Contacts of the world with a feature that says that it is not the first of its pair. */
static int patches_of(const dem_world *world)
{
    uint64_t cursor = 0;
    int count = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK)
        count += contact.key.feature > 0;
    return count;
}

static void same_bits(void **state)
{
    (void)state;
    dem_world *one = heap_of_staples(1, DEM_ISA_BASELINE), *many = heap_of_staples(3, DEM_ISA_AUTO);
    const int rounds = test_slow() ? 2 : 12;
    int patches = 0;
    for (int n = 0; n < rounds; ++n) {
        run(one, 2e-4, 400);
        run(many, 2e-4, 200);
        run(many, 2e-4, 200);
        assert_true(scene_hash(one) == scene_hash(many));
        patches += patches_of(one);
    }
    printf("heap: %d contacts, second patches in all %d\n", (int)scene_counts(one).contacts,
           patches);
    assert_true(patches > rounds / 3 || test_slow());
    dem_world_destroy(one);
    dem_world_destroy(many);
}

/* Snapshots, marks and undone steps keep all patches. */
static void split_runs(void **state)
{
    (void)state;
    dem_world *whole = heap_of_staples(1, DEM_ISA_AUTO);
    int patches = 0;
    for (int n = 0; n < 40 && patches == 0; ++n) {
        run(whole, 2e-4, 100);
        patches = n > 10 ? patches_of(whole) : 0;
    }
    assert_true(patches > 0);
    uint64_t size, again_size;
    unsigned char *bytes = snapshot_of(whole, &size);
    dem_world *split = world_of(0.0, 1, DEM_ISA_AUTO);
    if (dem_world_restore(split, bytes, size) != DEM_OK)
        fail_msg("%s", dem_world_error(split));
    unsigned char *again = snapshot_of(split, &again_size);
    assert_true(again_size == size && memcmp(bytes, again, (size_t)size) == 0);
    assert_int_equal(patches_of(split), patches);
    OK(dem_world_mark(whole));
    for (int n = 0; n < 2; ++n) {
        run(whole, 2e-4, 400);
        if (n == 0)
            OK(dem_world_rewind(whole));
    }
    run(split, 2e-4, 400);
    assert_true(scene_hash(whole) == scene_hash(split));
    dem_world_destroy(whole);
    dem_world_destroy(split);
    free(bytes);
    free(again);
}

/** A staple on a block. */
static dem_world *parcel_world(int filled)
{
    dem_world *world = world_of(10.0, 1, DEM_ISA_AUTO);
    model_set(world, M1, 0.4, 0.6);
    dem_polyhedron *shape = staple(), *block = shape_of(solid_box(2.0, 1.5, 0.5));
    OK(dem_world_shape_know(world, shape));
    OK(dem_world_shape_know(world, block));
    dem_polyhedron_destroy(block);
    if (filled) {
        (void)block_add(world);
        const dem_body body = body_placed(shape, 0.0, 0.0, 0.0);
        const double slides[3] = {0.3, 0.0, 0.0}, spins[3] = {0.0, 0.0, 0.4};
        const dem_body_handle handle = body_add(world, &body, shape);
        run(world, 2e-4, 4000);
        OK(dem_body_set_motion(world, handle, NULL, NULL, slides, spins));
    }
    dem_polyhedron_destroy(shape);
    return world;
}

/* Bodies that travel as bytes take their patches with them. */
static void parcels(void **state)
{
    (void)state;
    dem_world *from = parcel_world(1), *to = parcel_world(0);
    dem_body_handle handle[2];
    uint64_t got = 0;
    bytes b = {NULL, 0};
    touch before[MOST], after[MOST];
    run(from, 1e-4, 40);
    assert_int_equal(touches(from, before), 2);
    for (uint64_t id = 1; id <= 2; ++id)
        OK(dem_body_find(from, id, &handle[id - 1]));
    OK(dem_bodies_pack(from, 2, handle, NULL, 0, &b.size));
    b.at = malloc((size_t)b.size);
    assert_non_null(b.at);
    OK(dem_bodies_pack(from, 2, handle, b.at, b.size, NULL));
    if (dem_particles_unpack(to, b.at, b.size, &got) != DEM_OK)
        fail_msg("%s", dem_world_error(to));
    for (int n = 0; n < 3; ++n) {
        assert_int_equal(touches(from, before), 2);
        assert_int_equal(touches(to, after), 2);
        assert_memory_equal(before, after, 2 * sizeof(touch));
        run(from, 1e-4, 50);
        run(to, 1e-4, 50);
    }
    free(b.at);
    dem_world_destroy(from);
    dem_world_destroy(to);
}

/* ------------------------------------------------------------------ walls */

/* A staple on a plate that is a mesh, or on a plane, has two contacts with its one face; one that
 * is drawn along it has friction at each foot. */
static void on_walls(void **state)
{
    (void)state;
    const double corners[4][3] = {{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}};
    const uint32_t facets[2][3] = {{0, 1, 2}, {0, 2, 3}};
    dem_polyhedron *shape = staple();
    dem_mesh *mesh = mesh_of(corners, 4, facets, 2);
    double force[2][2];
    for (int plane = 0; plane < 2; ++plane) {
        dem_world *world = world_of(10.0, 1, DEM_ISA_AUTO);
        dem_wall wall;
        touch at[MOST];
        model_set(world, M1, 0.4, 0.2);
        OK(dem_wall_init(&wall));
        wall.shape = plane ? DEM_SHAPE_PLANE : DEM_SHAPE_MESH;
        wall.mesh = plane ? NULL : mesh;
        wall.id = 77;
        OK(dem_wall_add(world, &wall, NULL));
        const dem_body body = body_placed(shape, 0.0, 0.0, 0.0);
        const dem_body_handle handle = body_add(world, &body, shape);
        run(world, 2e-4, 8000);
        const double weight = 10.0 * body.mass, pull[3] = {0.8 * 0.4 * weight, 0.0, 0.0};
        OK(dem_body_set_force(world, handle, pull, NULL));
        run(world, 2e-4, 8000);
        assert_int_equal(touches(world, at), 2);
        near_to("weight", at[0].normal_force + at[1].normal_force, weight, 5e-3 * weight);
        near_to("pull", fabs(at[0].tangential[0] + at[1].tangential[0]), pull[0], 5e-3 * weight);
        near_to("foot", at[0].point[0], -0.5, 0.01);
        near_to("foot", at[1].point[0], 0.5, 0.01);
        assert_true(at[0].key.feature % 64 == 0 && at[1].key.feature % 64 == 0);
        assert_true(at[0].key.feature != at[1].key.feature);
        for (int k = 0; k < 2; ++k)
            force[plane][k] = at[k].normal_force;
        dem_world_destroy(world);
    }
    for (int k = 0; k < 2; ++k)
        near_to("plane and mesh", force[1][k], force[0][k], 1e-3 * force[0][k]);
    dem_mesh_destroy(mesh);
    dem_polyhedron_destroy(shape);
}

/* A block that lies still on a slope flatter than the angle of friction keeps its contact, whose
 * normals of two steps are the same but for round-off: it is where it is on a plane. */
static void resting(void **state)
{
    (void)state;
    static const int32_t shapes[4] = {DEM_SHAPE_PLANE, DEM_SHAPE_RECTANGLE, DEM_SHAPE_DISC,
                                      DEM_SHAPE_BOX};
    const double slope = atan(0.35), about[3] = {-sin(0.7), cos(0.7), 0.0};
    double turn[4] = {cos(0.5 * slope), 0.0, 0.0, 0.0}, expected[3] = {0.0, 0.0, 0.0};
    for (int c = 0; c < 3; ++c)
        turn[1 + c] = sin(0.5 * slope) * about[c];
    for (int k = 0; k < 4; ++k) {
        dem_polyhedron *block = shape_along(solid_box(0.5, 0.4, 0.3));
        dem_world *world =
            world_of_law(DEM_POLYHEDRON_LAW_VOLUME_SQUARE, 0.02, 9.81, 1, DEM_ISA_AUTO);
        model_set(world, M1, 0.5, 0.3);
        double normal[3] = {0.0, 0.0, 1.0};
        dem_kernel_rotation_to_space(turn, normal);
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.shape = shapes[k];
        for (int c = 0; c < 3; ++c) {
            wall.normal[c] = normal[c];
            wall.size[c] = c == 0 || (c == 1 && k % 2 == 1) || k == 3 ? 4.0 : 0.0;
            wall.size[c] = k == 0 ? 0.0 : wall.size[c];
            wall.point[c] = k == 3 ? -2.0 * normal[c] : 0.0;
        }
        wall.id = 77;
        OK(dem_wall_add(world, &wall, NULL));
        const double high = 0.3 - 6e-5;
        dem_body body = body_at(block, high * normal[0], high * normal[1], high * normal[2]);
        memcpy(body.orientation, turn, sizeof(turn));
        const dem_body_handle handle = body_add(world, &body, block);
        for (int step = 0; step < 4000; ++step) {
            touch at[MOST];
            run(world, 1e-4, 1);
            assert_int_equal(touches(world, at), 1);
            assert_int_equal(at[0].key.feature, 0);
        }
        OK(dem_body_get(world, handle, &body));
        for (int c = 0; c < 3; ++c) {
            if (k > 0)
                near_to("place", body.position[c], expected[c], 1e-6);
            expected[c] = k > 0 ? expected[c] : body.position[c];
        }
        dem_world_destroy(world);
        dem_polyhedron_destroy(block);
    }
}

/* A bar goes through both arms of a U: each patch has no area, exactly. */
static void arms_pierced(void **state)
{
    (void)state;
    static const double x[4] = {-0.75, -0.5, 0.5, 0.75};
    dem_polyhedron *arms = cells(3, 3, "####.##.#", x, x, 0.25),
                   *bar = shape_of(solid_box(2.0, 0.0625, 0.0625));
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, M1, 0.5, 0.3);
    const dem_body first = body_placed(arms, 0.0, 0.0, 0.0),
                   through = body_placed(bar, 0.0, 0.0, -0.25);
    (void)body_add(world, &first, arms);
    (void)body_add(world, &through, bar);
    assert_int_equal(dem_step(world, 1e-4, 0), DEM_ERROR_OVERLAP);
    assert_non_null(strstr(dem_world_error(world), "pierces"));
    dem_world_destroy(world);
    dem_polyhedron_destroy(arms);
    dem_polyhedron_destroy(bar);
}

/* ------------------------------------------------------------------ hollow feet, and pieces */

/** A box from low to high; hollow: seen from within. */
static void soup_box(soup *s, const double low[3], const double high[3], int hollow)
{
    for (int k = 0; k < 12; ++k) {
        double p[3][3];
        for (int m = 0; m < 3; ++m)
            for (int c = 0; c < 3; ++c)
                p[m][c] = cube_vertices[cube_facets[k][m]][c] > 0.0 ? high[c] : low[c];
        soup_add(s, p[0], p[hollow ? 2 : 1], p[hollow ? 1 : 2]);
    }
}

/** Two blocks of one body, in each of which a cavity reaches from z = .02 to `high`. */
static dem_polyhedron *hollow_blocks(double high)
{
    static soup s;
    s.count = 0;
    for (int k = 0; k < 2; ++k) {
        const double middle = k == 0 ? -0.4 : 0.4, low[3] = {middle - 0.2, -0.2, 0.0},
                     top[3] = {middle + 0.2, 0.2, 0.4}, within[3] = {middle - 0.1, -0.1, 0.02},
                     until[3] = {middle + 0.1, 0.1, high};
        soup_box(&s, low, top, 0);
        soup_box(&s, within, until, 1);
    }
    return soup_shape(&s);
}

/** The world with a body that is so deep in a plane or a block. */
static dem_world *world_deep(dem_polyhedron *shape, int plane, double deep)
{
    const double normal[3] = {0.0, 0.0, 1.0};
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, PLAIN, 0.0, 1.0);
    if (plane)
        plane_add(world, normal, 0.0);
    else
        (void)block_add(world);
    const dem_body body = body_placed(shape, 0.0, 0.0, -deep);
    (void)body_add(world, &body, shape);
    return world;
}

/* Cavities that the floor cuts, and such as are behind it, are each taken from the foot that they
 * are in. */
static void hollow_feet(void **state)
{
    (void)state;
    for (int round = 0; round < 4; ++round) {
        dem_polyhedron *shape = hollow_blocks(round / 2 ? 0.2 : 0.04);
        dem_world *world = world_deep(shape, round % 2, 0.05);
        touch at[MOST];
        run(world, 1e-6, 0);
        assert_int_equal(touches(world, at), 2);
        printf("hollow feet: %g and %g N\n", at[0].normal_force, at[1].normal_force);
        near_to("feet", at[1].normal_force, at[0].normal_force, 1e-9 * at[0].normal_force);
        for (int k = 0; k < 2; ++k)
            near_to("middle", at[k].point[0], k == 0 ? -0.4 : 0.4, 1e-9);
        dem_world_destroy(world);
        dem_polyhedron_destroy(shape);
    }
}

/* A piece of a body that is wholly inside another body, or behind a plane, is refused while others
 * of its pieces touch. */
static void piece_within(void **state)
{
    (void)state;
    static soup s;
    const double low[2][3] = {{-0.6, -0.2, 0.0}, {0.2, -0.1, -0.3}},
                 high[2][3] = {{-0.2, 0.2, 0.4}, {0.4, 0.1, -0.1}};
    s.count = 0;
    for (int k = 0; k < 2; ++k)
        soup_box(&s, low[k], high[k], 0);
    dem_polyhedron *shape = soup_shape(&s);
    for (int plane = 0; plane < 2; ++plane) {
        dem_world *world = world_deep(shape, plane, -0.15);
        OK(dem_step(world, 1e-6, 0));
        assert_int_equal(scene_counts(world).contacts, 1);
        dem_world_destroy(world);
        world = world_deep(shape, plane, 0.02);
        assert_int_equal(dem_step(world, 1e-6, 0), DEM_ERROR_OVERLAP);
        assert_non_null(strstr(dem_world_error(world), plane ? "wholly behind" : "wholly inside"));
        dem_world_destroy(world);
    }
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ refusals */

/* A comb touches a block at more places than a pair may have: the step says so and changes
 * nothing. */
static void too_many(void **state)
{
    (void)state;
    enum { TEETH = 17, COLUMNS = 2 * TEETH - 1 };
    char map[2 * COLUMNS];
    double x[COLUMNS + 1];
    const double z[3] = {0.0, 0.2, 0.4};
    for (int teeth = 16; teeth <= TEETH; ++teeth) {
        const int columns = 2 * teeth - 1;
        for (int c = 0; c <= columns; ++c)
            x[c] = 0.1 * (c - 0.5 * columns);
        for (int c = 0; c < columns; ++c) {
            map[c] = '#';
            map[columns + c] = c % 2 ? '.' : '#';
        }
        dem_polyhedron *shape = cells(columns, 2, map, x, z, 0.2);
        dem_world *world = world_of(10.0, 1, DEM_ISA_AUTO);
        model_set(world, M1, 0.4, 0.2);
        (void)block_add(world);
        const dem_body body = body_placed(shape, 0.0, 0.0, -0.001);
        (void)body_add(world, &body, shape);
        const uint64_t hash = scene_hash(world);
        const dem_status status = dem_step(world, 1e-5, 1);
        if (teeth == TEETH) {
            assert_int_equal(status, DEM_ERROR_RANGE);
            assert_non_null(strstr(dem_world_error(world), "more than 16 places"));
            assert_true(scene_hash(world) == hash);
        } else {
            assert_int_equal(status, DEM_OK);
            assert_int_equal(scene_counts(world).contacts, 16);
        }
        dem_world_destroy(world);
        dem_polyhedron_destroy(shape);
    }
}

/** Teeth of a comb at x = 0, 1, ... on a beam above or below them. */
static dem_polyhedron *comb(int teeth, double width, const double z[3], int up)
{
    enum { COLUMNS = 19 };
    char map[2 * COLUMNS];
    double x[COLUMNS + 1];
    const int columns = 2 * teeth - 1;
    assert_true(columns <= COLUMNS);
    for (int c = 0; c <= columns; ++c)
        x[c] = c / 2 + (c % 2 ? 0.5 : -0.5) * width;
    for (int c = 0; c < columns; ++c) {
        map[(up ? 0 : columns) + c] = c % 2 ? '.' : '#';
        map[(up ? columns : 0) + c] = '#';
    }
    return cells(columns, 2, map, x, z, 0.5);
}

/** Teeth of one comb, between those of another one, go from the flanks on their right to those on
 * their left in one step: energies before it and after it. */
static void flanks(int teeth, dem_world_energies e[2])
{
    const double low[3] = {-0.5, 0.0, 1.0}, high[3] = {0.1, 1.1, 1.5}, dt = 1e-4;
    const double stretches[3] = {0.0, 1e-3, 0.0}, goes[3] = {-0.06 / dt, 0.0, 0.0};
    dem_polyhedron *below = comb(teeth + 1, 0.4, low, 1), *above = comb(teeth, 0.55, high, 0);
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, M1, 0.5, 1.0);
    dem_body body = body_placed(below, -0.5, 0.0, 0.0);
    body.mass = 1e18; /* it is free, but nothing moves it */
    for (int c = 0; c < 3; ++c)
        body.inertia[c] = 1e18;
    (void)body_add(world, &body, below);
    body = body_placed(above, 0.03, 0.0, 0.0);
    body.mobility = DEM_MOBILITY_KINEMATIC;
    const dem_body_handle handle = body_add(world, &body, above);
    OK(dem_body_set_motion(world, handle, NULL, NULL, stretches, NULL));
    run(world, dt, 100);
    assert_int_equal(scene_counts(world).contacts, teeth);
    e[0] = scene_energies(world);
    OK(dem_body_set_motion(world, handle, NULL, NULL, goes, NULL));
    run(world, dt, 1);
    assert_int_equal(scene_counts(world).contacts, teeth);
    e[1] = scene_energies(world);
    OK(dem_body_set_motion(world, handle, NULL, NULL, stretches, NULL));
    run(world, dt, 10);
    assert_int_equal(scene_counts(world).contacts, teeth);
    dem_world_destroy(world);
    dem_polyhedron_destroy(below);
    dem_polyhedron_destroy(above);
}

/* Contacts end and begin in one step, together more than slots: each one that begins in the slot of
 * one that ends is as one in another slot, and what ends is lost. */
static void slots_change_hands(void **state)
{
    (void)state;
    dem_world_energies few[2], many[2];
    flanks(8, few);
    flanks(9, many);
    printf("flanks: slip %g and %g, elastic %g and %g\n", few[1].dissipated_slip,
           many[1].dissipated_slip, few[1].elastic, many[1].elastic);
    /* of a tooth; bodies of more teeth are larger, on which the normal force depends */
    assert_true(fabs(few[1].dissipated_slip) > 1e-3);
    near_to("slip", many[1].dissipated_slip / 9.0, few[1].dissipated_slip / 8.0,
            1e-9 * fabs(few[1].dissipated_slip));
    /* of which springs have 1e-5 */
    near_to("elastic", many[1].elastic / many[0].elastic, few[1].elastic / few[0].elastic, 2e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet),         cmocka_unit_test(feet_on_facets),
        cmocka_unit_test(tipping),      cmocka_unit_test(sliding),
        cmocka_unit_test(two_ls),       cmocka_unit_test(ring_on_peg),
        cmocka_unit_test(arms_pierced), cmocka_unit_test(merge_and_split),
        cmocka_unit_test(bouncing),     cmocka_unit_test(second_order),
        cmocka_unit_test(same_bits),    cmocka_unit_test(split_runs),
        cmocka_unit_test(parcels),      cmocka_unit_test(on_walls),
        cmocka_unit_test(resting),      cmocka_unit_test(too_many),
        cmocka_unit_test(level_feet),   cmocka_unit_test(foot_after_foot),
        cmocka_unit_test(fast_slide),   cmocka_unit_test(slots_change_hands),
        cmocka_unit_test(hollow_feet),  cmocka_unit_test(piece_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
