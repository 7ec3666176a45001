/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedra_concave.c
 * Spheres on polyhedra that are not convex, an L, a star and a cup: between two faces as between
 * two planes, on a fixed body as on a wall of its mesh, at many places at once; energy, momentum,
 * bits, snapshots, marks, and centres within them.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/polyhedral.h"
#include "../support/polyhedral_balls.h"
#include "../support/scene.h"
#include "../support/solids.h"
#include "../support/stream.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ shapes */

enum { OUTLINE_MOST = 32 };

static dem_polyhedron *shape_in_axes(dem_mesh *mesh, int32_t axes)
{
    dem_polyhedron_config config;
    dem_polyhedron *shape = NULL;
    dem_error error;
    OK(dem_polyhedron_config_init(&config));
    config.axes = axes;
    if (dem_polyhedron_create(&config, mesh, &shape, &error) != DEM_OK)
        fail_msg("%s", error.message);
    dem_mesh_destroy(mesh);
    return shape;
}

/** A prism over an outline that is seen whole from a point, from -height to height. */
static dem_mesh *prism(const double outline[][2], uint32_t n, const double from[2], double height)
{
    double x[2 * OUTLINE_MOST + 2][3];
    uint32_t facet[4 * OUTLINE_MOST][3], count = 0;
    for (uint32_t k = 0; k <= n; ++k)
        for (uint32_t end = 0; end < 2; ++end) {
            double *at = x[2 * k + end];
            at[0] = k < n ? outline[k][0] : from[0];
            at[1] = k < n ? outline[k][1] : from[1];
            at[2] = end == 0 ? -height : height;
        }
    for (uint32_t k = 0; k < n; ++k) {
        const uint32_t a = 2 * k, b = 2 * ((k + 1) % n), middle = 2 * n;
        const uint32_t of[4][3] = {
            {middle, b, a}, {middle + 1, a + 1, b + 1}, {a, b, b + 1}, {a, b + 1, a + 1}};
        memcpy(facet[count], of, sizeof(of));
        count += 4;
    }
    return mesh_of(x, 2 * n + 2, facet, count);
}

/** Legs of length 2 and width 1, whose hollow edge is at (1, 1). */
static dem_mesh *angle_mesh(void)
{
    static const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},
                        from[2] = {0.5, 0.5};
    return prism(outline, 6, from, 0.7);
}

static dem_mesh *star_mesh(void)
{
    double outline[10][2];
    static const double from[2] = {0.0, 0.0};
    for (int k = 0; k < 10; ++k) {
        const double turn = 0.1 + 3.14159265358979323846 / 5.0 * k, r = k % 2 ? 0.5 : 1.3;
        outline[k][0] = r * cos(turn);
        outline[k][1] = r * sin(turn);
    }
    return prism(outline, 10, from, 0.5);
}

/** A cup of n flat sides around z: outer and inner radius of its corners, floor from 0 to `floor`,
 * rim at `height`. */
static dem_mesh *cup_mesh(uint32_t n, double outer, double inner, double floor, double height)
{
    enum { RINGS = 4 };
    const double radius[RINGS] = {outer, outer, inner, inner},
                 level[RINGS] = {0.0, height, height, floor};
    double x[RINGS * OUTLINE_MOST + 2][3];
    uint32_t facet[2 * RINGS * OUTLINE_MOST][3], count = 0;
    for (uint32_t ring = 0; ring < RINGS; ++ring)
        for (uint32_t k = 0; k < n; ++k) {
            const double turn = 2.0 * 3.14159265358979323846 / n * k;
            double *at = x[ring * n + k];
            at[0] = radius[ring] * cos(turn);
            at[1] = radius[ring] * sin(turn);
            at[2] = level[ring];
        }
    memset(x[RINGS * n], 0, 2 * sizeof(x[0]));
    x[RINGS * n + 1][2] = floor;
    for (uint32_t k = 0; k < n; ++k) {
        const uint32_t next = (k + 1) % n;
        for (uint32_t ring = 0; ring + 1 < RINGS; ++ring) {
            const uint32_t a = ring * n + k, b = ring * n + next, c = a + n, d = b + n;
            const uint32_t two[2][3] = {{a, b, d}, {a, d, c}};
            memcpy(facet[count], two, sizeof(two));
            count += 2;
        }
        const uint32_t ends[2][3] = {{RINGS * n, next, k},
                                     {RINGS * n + 1, 3 * n + k, 3 * n + next}};
        memcpy(facet[count], ends, sizeof(ends));
        count += 2;
    }
    return mesh_of(x, RINGS * n + 2, facet, count);
}

static dem_mesh *bowl_mesh(void)
{
    return cup_mesh(12, 1.2, 1.0, 0.25, 1.0);
}

static dem_mesh *(*const meshes[3])(void) = {angle_mesh, star_mesh, bowl_mesh};

/** The contacts of a world; how many there are. */
static uint64_t contacts_of(const dem_world *world, dem_contact *contact, uint64_t most)
{
    uint64_t cursor = 0, count = 0;
    while (count < most) {
        contact[count].struct_size = sizeof(contact[count]);
        if (dem_world_contact_next(world, &cursor, &contact[count]) != DEM_OK)
            break;
        ++count;
    }
    return count;
}

/* ------------------------------------------------------------------ two faces */

/** Where a point of the mesh is whose polyhedron has a pose. */
static void place_of(const dem_polyhedron *shape, const dem_body *body, const double in_mesh[3],
                     double at[3])
{
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    for (int c = 0; c < 3; ++c)
        at[c] = in_mesh[c] - is.centre[c];
    dem_kernel_rotation_to_body(is.orientation, at);
    dem_kernel_rotation_to_space(body->orientation, at);
    for (int c = 0; c < 3; ++c)
        at[c] += body->position[c];
}

/* A ball in the hollow edge of an L has two contacts, whose forces are those of two planes, and one
 * where only a face is near enough; with any pose, and any order of ids. */
static void between_two_faces(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x1E)};
    const double radius = 0.3;
    for (int round = 0; round < test_rounds(60); ++round) {
        dem_polyhedron *shape = shape_of(angle_mesh());
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        dem_body body = body_at(shape, test_uniform(&random, -1.0, 1.0), 0.3, -0.2);
        const double deep[2] = {0.03 * test_uniform(&random, 0.01, 1.0),
                                0.03 * test_uniform(&random, -1.0, 1.0)},
                     height = test_uniform(&random, -0.5, 0.5);
        const double in_mesh[3] = {1.0 + radius - deep[0], 1.0 + radius - deep[1], height};
        dem_body_handle handle = {0};
        double at[3], load[6], force[3] = {0.0}, moment[3] = {0.0};
        turn_at_random(&random, &body);
        model_set(world, PLAIN, 0.0, 1.0);
        place_of(shape, &body, in_mesh, at);
        for (int k = 0; k < 2; ++k)
            if (k == round % 2)
                handle = body_add(world, &body, shape);
            else
                (void)ball_add(world, at, radius);
        run(world, 1e-5, 0);
        loads_of(world, handle, load);
        for (int k = 0; k < 2; ++k) {
            const double size =
                deep[k] > 0.0 ? 4.0 / 3.0 * MODULUS * sqrt(radius) * pow(deep[k], 1.5) : 0.0;
            double foot[3] = {in_mesh[0], in_mesh[1], height}, point[3], way[3];
            foot[k] = 1.0;
            place_of(shape, &body, foot, point);
            for (int c = 0; c < 3; ++c)
                way[c] = -size * (at[c] - point[c]) / (radius - deep[k]);
            for (int c = 0; c < 3; ++c) {
                const int d = (c + 1) % 3, e = (c + 2) % 3;
                force[c] += way[c];
                moment[c] +=
                    (point[d] - body.position[d]) * way[e] - (point[e] - body.position[e]) * way[d];
            }
        }
        double size = 0.0;
        for (int c = 0; c < 3; ++c)
            size = fmax(size, fabs(force[c]));
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs(load[c] - force[c]) < 1e-10 * size);
            assert_true(fabs(load[3 + c] - moment[c]) < 1e-10 * size);
        }
        dem_contact contact[4];
        const uint64_t count = contacts_of(world, contact, 4);
        assert_int_equal(count, deep[1] > 0.0 ? 2 : 1);
        assert_int_equal(contact[0].key.id_i, 1);
        assert_int_equal(contact[0].key.id_j, 2);
        for (uint64_t k = 0; k < count; ++k)
            assert_true(contact[k].key.feature < count);
        assert_true(count == 1 || contact[0].key.feature != contact[1].key.feature);
        dem_world_destroy(world);
        dem_polyhedron_destroy(shape);
    }
}

/* ------------------------------------------------------------------ as on a wall */

enum { DROPPED = 2 };

/** Two balls fall into a hollow of a fixed body, or of a wall of its mesh, with the same pose. */
static void dropped(int which, int as_wall, int aligned, int model, dem_particle ball[DROPPED],
                    uint64_t *several)
{
    static const double place[3][DROPPED][3] = {{{1.32, 1.35, 0.1}, {1.6, 1.4, -0.3}},
                                                {{0.93, 0.83, 0.0}, {1.08, -0.63, 0.1}},
                                                {{0.66, 0.177, 0.53}, {-0.5, 0.3, 0.55}}};
    static const double motion[3][DROPPED][3] = {{{-0.4, -0.6, 0.1}, {-0.6, -0.4, 0.0}},
                                                 {{-1.2, -1.25, 0.05}, {-1.5, 0.8, 0.0}},
                                                 {{0.6, 0.16, -0.5}, {-0.3, 0.4, -0.6}}};
    dem_polyhedron *shape = shape_in_axes(meshes[which](), DEM_POLYHEDRON_AXES_MESH);
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_body body = body_at(shape, is.centre[0], is.centre[1], is.centre[2]);
    const double turn[4] = {1.0, 0.0, 0.0, 0.0}, turned[4] = {0.8, 0.3, -0.2, 0.4795831523312719};
    memcpy(body.orientation, aligned ? turn : turned, sizeof(turn));
    body.mobility = DEM_MOBILITY_FIXED;
    model_at_contacts(world, model);
    if (as_wall) {
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.shape = DEM_SHAPE_MESH;
        wall.mesh = dem_polyhedron_mesh(shape);
        memcpy(wall.point, body.position, sizeof(wall.point));
        memset(wall.normal, 0, sizeof(wall.normal));
        memset(wall.axis, 0, sizeof(wall.axis));
        wall.normal[2] = wall.axis[0] = 1.0;
        dem_kernel_rotation_to_space(body.orientation, wall.normal);
        dem_kernel_rotation_to_space(body.orientation, wall.axis);
        OK(dem_wall_add(world, &wall, NULL));
    } else {
        (void)body_add(world, &body, shape);
    }
    dem_particle_handle handle[DROPPED];
    for (int k = 0; k < DROPPED; ++k) {
        double at[3], v[3];
        memcpy(v, motion[which][k], sizeof(v));
        for (int c = 0; c < 3; ++c)
            at[c] = place[which][k][c] - is.centre[c];
        dem_kernel_rotation_to_space(body.orientation, at);
        dem_kernel_rotation_to_space(body.orientation, v);
        for (int c = 0; c < 3; ++c)
            at[c] += body.position[c];
        handle[k] = ball_add(world, at, which == 1 ? 0.2 : 0.25);
        OK(dem_particle_set_motion(world, handle[k], NULL, v, NULL));
    }
    for (int n = 0; n < 450; ++n) {
        dem_contact contact[16];
        run(world, 2e-5, 40);
        const uint64_t count = contacts_of(world, contact, 16);
        for (uint64_t k = 1; k < count; ++k)
            *several += contact[k].key.feature != contact[k - 1].key.feature;
    }
    for (int k = 0; k < DROPPED; ++k)
        ball[k] = ball_get(world, handle[k]);
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

static void as_on_a_wall(void **state)
{
    (void)state;
    static const int models[3] = {PLAIN, M1, M4};
    double worst[2][3] = {{0.0}};
    for (int round = 0; round < 18; round += test_slow() ? 5 : 1) {
        dem_particle ball[2][DROPPED];
        uint64_t several = 0;
        const int which = round % 3, aligned = round / 3 % 2, model = models[round / 6];
        for (int wall = 0; wall < 2; ++wall)
            dropped(which, wall, aligned, model, ball[wall], &several);
        for (int k = 0; k < DROPPED; ++k)
            for (int c = 0; c < 3; ++c) {
                const dem_particle *a = &ball[0][k], *b = &ball[1][k];
                double *off = worst[model != PLAIN];
                off[0] = fmax(off[0], fabs(a->position[c] - b->position[c]));
                off[1] = fmax(off[1], fabs(a->velocity[c] - b->velocity[c]));
                off[2] = fmax(off[2], fabs(a->angular_velocity[c] - b->angular_velocity[c]));
                if (aligned && model == PLAIN) {
                    assert_true(a->position[c] == b->position[c]);
                    assert_true(a->velocity[c] == b->velocity[c]);
                }
            }
        assert_true(several > 10);
    }
    for (int k = 0; k < 2; ++k)
        printf("# against walls %s friction: %.2g m, %.2g m/s, %.2g rad/s\n",
               k ? "with" : "without", worst[k][0], worst[k][1], worst[k][2]);
    assert_true(worst[0][0] < 1e-14 && worst[0][1] < 1e-13 && worst[0][2] < 1e-14);
    assert_true(worst[1][0] < 1e-11 && worst[1][1] < 1e-10 && worst[1][2] < 1e-9);
}

/* ------------------------------------------------------------------ many places */

/* A ball that is as wide as a cup touches all of its sides, which are more than a list has slots
 * for at first, and its floor. */
static void many_places(void **state)
{
    (void)state;
    enum { SIDES = 16 };
    const double pi = 3.14159265358979323846, deep = 3e-3, radius = 0.5,
                 inner = (radius - deep) / cos(pi / SIDES);
    dem_polyhedron *shape =
        shape_in_axes(cup_mesh(SIDES, 0.8, inner, 0.2, 1.4), DEM_POLYHEDRON_AXES_MESH);
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, PLAIN, 0.0, 1.0);
    dem_body body = body_at(shape, is.centre[0], is.centre[1], is.centre[2]);
    body.mobility = DEM_MOBILITY_FIXED;
    const dem_body_handle handle = body_add(world, &body, shape);
    (void)ball_add(world, (const double[3]){0.0, 0.0, 0.2 + radius - deep}, radius);
    run(world, 1e-6, 3);
    dem_contact contact[SIDES + 4];
    int seen[DEM_STATE_MAX] = {0};
    const uint64_t count = contacts_of(world, contact, SIDES + 4);
    assert_int_equal(count, SIDES + 1);
    for (uint64_t k = 0; k < count; ++k) {
        assert_true(fabs(contact[k].overlap - deep) < 1e-5);
        assert_true(contact[k].key.feature < 32);
        assert_int_equal(seen[contact[k].key.feature]++, 0);
    }
    double load[6];
    const double size = 4.0 / 3.0 * MODULUS * sqrt(radius) * pow(contact[0].overlap, 1.5);
    loads_of(world, handle, load);
    assert_true(fabs(load[0]) < 1e-9 * size && fabs(load[1]) < 1e-9 * size);
    assert_true(fabs(load[2] / size + 1.0) < 1e-2);
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ free bodies */

enum { BODIES = 3, BALLS = 4 };

/** A free L, star and cup, each of which turns, and balls that fly into their hollows. */
static dem_world *cloud_of(int model, double friction, double restitution, int32_t threads,
                           int32_t isa)
{
    static const double place[BODIES][3] = {{0.0, 0.0, 0.0}, {3.5, 0.0, 0.0}, {0.0, 3.6, 0.0}};
    static const struct {
        int body;
        double at[3], v[3], radius;
    } balls[BALLS] = {{0, {1.4, 1.5, 0.1}, {-1.0, -1.2, 0.0}, 0.25},
                      {1, {0.93, 0.83, 0.0}, {-0.7, -0.75, 0.1}, 0.2},
                      {2, {0.3, 0.2, 0.8}, {0.6, 0.3, -0.9}, 0.22},
                      {2, {-0.4, 0.1, 0.7}, {-0.5, 0.2, -0.7}, 0.25}};
    dem_world *world = world_of(0.0, threads, isa);
    model_set(world, model, friction, restitution);
    for (int k = 0; k < BODIES; ++k) {
        dem_polyhedron *shape = shape_of(meshes[k]());
        dem_polyhedron_properties is = {.struct_size = sizeof(is)};
        OK(dem_polyhedron_properties_get(shape, &is));
        dem_body body = body_at(shape, place[k][0] + is.centre[0], place[k][1] + is.centre[1],
                                place[k][2] + is.centre[2]);
        memcpy(body.orientation, is.orientation, sizeof(body.orientation));
        body.mass *= 0.05;
        for (int c = 0; c < 3; ++c) {
            body.inertia[c] *= 0.05;
            body.angular_velocity[c] = 0.3 * (c - 1);
        }
        body.velocity[2] = 0.1 * k;
        (void)body_add(world, &body, shape);
        dem_polyhedron_destroy(shape);
    }
    for (int k = 0; k < BALLS; ++k) {
        double at[3];
        for (int c = 0; c < 3; ++c)
            at[c] = place[balls[k].body][c] + balls[k].at[c];
        const dem_particle_handle handle = ball_add(world, at, balls[k].radius);
        OK(dem_particle_set_motion(world, handle, NULL, balls[k].v,
                                   (const double[3]){1.0, -2.0, 0.5}));
    }
    return world;
}

static const double *rows_of(const dem_world *world, int32_t field, uint64_t row)
{
    dem_view view = {.struct_size = sizeof(view)};
    OK(dem_world_view((dem_world *)(uintptr_t)world, field, &view));
    return (const double *)(const void *)((const char *)view.data + view.stride * row);
}

/** What all forces of contacts have together, and their moments about the origin, over the sum of
 * their sizes. */
static double imbalance(const dem_world *world)
{
    double sum[6] = {0.0}, size[2] = {0.0, 0.0}, off = 0.0;
    for (uint64_t row = 0; row < BODIES + BALLS; ++row) {
        const double *x = rows_of(world, DEM_FIELD_POSITION, row),
                     *f = rows_of(world, DEM_FIELD_FORCE, row),
                     *t = rows_of(world, DEM_FIELD_TORQUE, row);
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            sum[c] += f[c];
            sum[3 + c] += t[c] + x[d] * f[e] - x[e] * f[d];
            size[0] += fabs(f[c]);
            size[1] += fabs(t[c]) + fabs(x[d] * f[e]) + fabs(x[e] * f[d]);
        }
    }
    for (int c = 0; c < 6; ++c)
        off = fmax(off, size[c / 3] > 0.0 ? fabs(sum[c]) / size[c / 3] : 0.0);
    return off;
}

/* The balance of energies closes to second order, forces and moments are equal and opposite, and
 * momenta are kept to round-off. Without friction and damping the sum of energies itself closes. */
static void conservation(void **state)
{
    (void)state;
    static const int models[3] = {PLAIN, M1, M4};
    for (int k = 0; k < 3; k += test_slow() ? 2 : 1) {
        double off[2];
        double uneven = 0.0;
        uint64_t both = 0;
        for (int half = 0; half < 2; ++half) {
            dem_world *world =
                cloud_of(models[k], 0.3 * (k > 0), k > 0 ? 0.8 : 1.0, 1, DEM_ISA_AUTO);
            const double dt = half ? 2e-5 : 4e-5;
            double before[6], after[6];
            const double moving = 1500.0; /* sum of the sizes of the momenta */
            run(world, dt, 0);
            const double balance = balance_of(world);
            momenta_with_balls(world, BODIES, BODIES + 1, BODIES + BALLS, before);
            off[half] = 0.0;
            for (int n = 0; n < 60; ++n) {
                dem_contact contact[16];
                run(world, dt, half ? 400 : 200);
                off[half] = fmax(off[half], fabs(balance_of(world) - balance) / balance);
                uneven = fmax(uneven, imbalance(world));
                const uint64_t count = contacts_of(world, contact, 16);
                for (uint64_t c = 1; c < count; ++c)
                    both += contact[c].key.feature != contact[c - 1].key.feature;
            }
            momenta_with_balls(world, BODIES, BODIES + 1, BODIES + BALLS, after);
            for (int c = 0; c < 6; ++c)
                assert_true(fabs(after[c] - before[c]) < (c < 3 ? 3e-14 : 5e-13) * moving);
            const dem_world_energies e = scene_energies(world);
            assert_true(k == 0 || e.dissipated_slip > 1e-3 * balance);
            dem_world_destroy(world);
        }
        printf("# model %d: balance %.3g, %.3g, forces %.2g, %llu times several contacts\n", k,
               off[0], off[1], uneven, (unsigned long long)both);
        assert_true(uneven < 1e-15);
        assert_true(both > 0);
        assert_true(fabs(off[0] / off[1] - 4.0) < 0.5);
    }
}

/* ------------------------------------------------------------------ bits */

static void same_bits(void **state)
{
    (void)state;
    enum { RUNS = 6 };
    static const int32_t threads[RUNS] = {1, 3, 1, 1, 2, 1},
                         isas[RUNS] = {DEM_ISA_AUTO, DEM_ISA_AUTO, DEM_ISA_AUTO,
                                       DEM_ISA_AUTO, DEM_ISA_AUTO, DEM_ISA_BASELINE};
    uint64_t size[RUNS];
    unsigned char *bytes[RUNS];
    for (int k = 0; k < RUNS; ++k) {
        dem_world *world = cloud_of(M4, 0.3, 0.8, threads[k], isas[k]);
        run(world, 1e-4, 1700);
        if (k == 2) { /* in two parts */
            uint64_t part;
            unsigned char *kept = snapshot_of(world, &part);
            dem_world_destroy(world);
            world = world_of(0.0, 2, DEM_ISA_AUTO);
            if (dem_world_restore(world, kept, part) != DEM_OK)
                fail_msg("%s", dem_world_error(world));
            free(kept);
        }
        if (k == 3) { /* back to a mark */
            OK(dem_world_mark(world));
            run(world, 1e-4, 700);
            OK(dem_world_rewind(world));
        }
        run(world, 1e-4, 1300);
        bytes[k] = snapshot_of(world, &size[k]);
        dem_contact contact[16];
        assert_true(contacts_of(world, contact, 16) > 0);
        dem_world_destroy(world);
        assert_int_equal(size[k], size[0]);
        assert_memory_equal(bytes[k], bytes[0], size[0]);
    }
    for (int k = 0; k < RUNS; ++k)
        free(bytes[k]);
}

/* ------------------------------------------------------------------ other worlds */

/** A body, or a ball, of the cloud. */
static dem_body body_of(const dem_world *world, uint64_t id)
{
    dem_body_handle handle;
    dem_body body = {.struct_size = sizeof body};
    OK(dem_body_find(world, id, &handle));
    OK(dem_body_get(world, handle, &body));
    return body;
}

static dem_particle ball_of(const dem_world *world, uint64_t id)
{
    dem_particle_handle handle;
    OK(dem_particle_find(world, id, &handle));
    return ball_get(world, handle);
}

static void near_in_both(const dem_world *a, const dem_world *b)
{
    for (uint64_t id = 1; id <= BODIES + BALLS; ++id)
        for (int c = 0; c < 3; ++c)
            if (id <= BODIES) {
                assert_true(fabs(body_of(a, id).position[c] - body_of(b, id).position[c]) < 1e-12);
                assert_true(fabs(body_of(a, id).velocity[c] - body_of(b, id).velocity[c]) < 1e-10);
            } else {
                assert_true(fabs(ball_of(a, id).position[c] - ball_of(b, id).position[c]) < 1e-12);
                assert_true(fabs(ball_of(a, id).velocity[c] - ball_of(b, id).velocity[c]) < 1e-10);
            }
}

/* Bodies and balls that touch go to another world, and their contacts with them. */
static void travel(void **state)
{
    (void)state;
    dem_world *from = cloud_of(M4, 0.3, 0.8, 1, DEM_ISA_AUTO), *to = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_contact contact[16], came[16];
    model_set(to, M4, 0.3, 0.8);
    for (int k = 0; k < BODIES; ++k) {
        dem_polyhedron *shape = shape_of(meshes[k]());
        OK(dem_world_shape_know(to, shape));
        dem_polyhedron_destroy(shape);
    }
    uint64_t several = 0;
    while (several < 2) { /* one ball has two contacts */
        run(from, 1e-4, 10);
        several = 0;
        const uint64_t count = contacts_of(from, contact, 16);
        for (uint64_t k = 0; k < count; ++k)
            several += contact[k].key.feature > 0 || count > 1;
    }
    for (int balls = 0; balls < 2; ++balls) {
        dem_body_handle body[BODIES];
        dem_particle_handle ball[BALLS];
        uint64_t size = 0;
        for (uint64_t k = 0; k < BODIES; ++k)
            OK(dem_body_find(from, k + 1, &body[k]));
        for (uint64_t k = 0; k < BALLS; ++k)
            OK(dem_particle_find(from, BODIES + 1 + k, &ball[k]));
        if (balls)
            OK(dem_particles_pack(from, BALLS, ball, NULL, 0, &size));
        else
            OK(dem_bodies_pack(from, BODIES, body, NULL, 0, &size));
        unsigned char *bytes = malloc((size_t)size);
        assert_non_null(bytes);
        if (balls)
            OK(dem_particles_pack(from, BALLS, ball, bytes, size, NULL));
        else
            OK(dem_bodies_pack(from, BODIES, body, bytes, size, NULL));
        if (dem_particles_unpack(to, bytes, size, NULL) != DEM_OK)
            fail_msg("%s", dem_world_error(to));
        free(bytes);
    }
    const uint64_t count = contacts_of(from, contact, 16);
    assert_int_equal(contacts_of(to, came, 16), count);
    assert_true(count > 1);
    for (uint64_t k = 0; k < count; ++k) {
        uint64_t n = 0;
        while (n < count && memcmp(&came[n].key, &contact[k].key, sizeof(came[n].key)) != 0)
            ++n;
        assert_true(n < count);
    }
    for (int n = 0; n < 10; ++n) {
        run(from, 1e-4, 50);
        run(to, 1e-4, 50);
        near_in_both(from, to);
    }
    dem_world_destroy(from);
    dem_world_destroy(to);
}

/* A ball and an L, each in a world of its own with the other one as a ghost, move as in one world,
 * and all worlds together count each contact once. */
static void ghosts(void **state)
{
    (void)state;
    enum { STEPS = 3000 };
    dem_polyhedron *shape = shape_of(angle_mesh());
    dem_world *world[3];
    dem_body_handle own_body, body;
    dem_particle_handle own_ball, ball;
    for (int n = 0; n < 3; ++n) {
        world[n] = world_of(0.0, 1, DEM_ISA_AUTO);
        model_set(world[n], M1, 0.4, 0.7);
        if (n != 1) {
            dem_body at = body_at(shape, 0.0, 0.0, 0.0);
            dem_body_part part;
            at.id = 1;
            at.mass *= 0.1;
            for (int c = 0; c < 3; ++c)
                at.inertia[c] *= 0.1;
            at.angular_velocity[2] = 0.4;
            dem_polyhedron_properties is = {.struct_size = sizeof(is)};
            OK(dem_polyhedron_properties_get(shape, &is));
            memcpy(at.orientation, is.orientation, sizeof(at.orientation));
            memcpy(at.position, is.centre, sizeof(at.position));
            OK(dem_body_part_init(&part));
            part.shape = shape;
            part.id = 10;
            OK(dem_body_add(world[n], &at, 1, &part, n == 0 ? &own_body : &body));
        }
        if (n != 0) {
            dem_particle at = scene_particle(1.252, 1.251, 0.1);
            at.id = 11;
            at.radius = 0.25;
            at.mass = 60.0;
            at.velocity[0] = -0.5;
            at.velocity[1] = -0.6;
            OK(dem_particle_add(world[n], &at, n == 1 ? &own_ball : &ball));
        }
    }
    const dem_body_handle one_body = body;
    const dem_particle_handle one_ball = ball;
    dem_ghost ghost = {.struct_size = sizeof ghost};
    uint64_t size = 0, both = 0;
    OK(dem_ghost_bodies_get(world[0], 1, &own_body, NULL, 0, &size));
    unsigned char *bytes = malloc((size_t)size);
    assert_non_null(bytes);
    OK(dem_ghost_bodies_get(world[0], 1, &own_body, bytes, size, NULL));
    OK(dem_ghosts_get(world[1], 1, &own_ball, &ghost));
    OK(dem_ghosts_set(world[0], 1, &ghost, 1.0, &ball));
    OK(dem_world_shape_know(world[1], shape));
    OK(dem_ghost_bodies_set(world[1], bytes, size, 1.0, 1, &body, NULL));
    free(bytes);
    double load[6];
    for (int n = 0; n <= STEPS; ++n) {
        for (int k = 0; k < 2; ++k)
            if (dem_step_begin(world[k], n == 0 ? 0.0 : 1e-5) != DEM_OK)
                fail_msg("%s", dem_world_error(world[k]));
        OK(dem_particles_forces_get(world[1], 1, &own_ball, load));
        OK(dem_ghosts_forces_set(world[0], 1, &ball, load));
        OK(dem_bodies_loads_get(world[0], 1, &own_body, load));
        OK(dem_ghost_bodies_loads_set(world[1], 1, &body, load));
        for (int k = 0; k < 2; ++k)
            OK(dem_step_end(world[k]));
        run(world[2], 1e-5, n > 0);
        const uint64_t count = scene_counts(world[2]).contacts;
        assert_int_equal(scene_counts(world[0]).contacts + scene_counts(world[1]).contacts, count);
        both += count > 1;
    }
    assert_true(both > 100);
    dem_body a = {.struct_size = sizeof a}, b = a;
    OK(dem_body_get(world[0], own_body, &a));
    OK(dem_body_get(world[2], one_body, &b));
    const dem_particle p = ball_get(world[1], own_ball), q = ball_get(world[2], one_ball);
    for (int c = 0; c < 3; ++c) {
        assert_true(fabs(a.position[c] - b.position[c]) < 1e-13);
        assert_true(fabs(a.velocity[c] - b.velocity[c]) < 1e-11);
        assert_true(fabs(p.position[c] - q.position[c]) < 1e-13);
        assert_true(fabs(p.velocity[c] - q.velocity[c]) < 1e-11);
    }
    for (int n = 0; n < 3; ++n)
        dem_world_destroy(world[n]);
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ many places travel */

/** A world with or without a cup, which is a wall or a body, and a ball that touches it at many
 * places. */
static dem_world *cup_world(dem_polyhedron *shape, int wall, int all)
{
    enum { SIDES = 16 };
    const double radius = 0.5, deep = 3e-3;
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, M4, 0.3, 0.8);
    if (wall) {
        dem_wall cup;
        OK(dem_wall_init(&cup));
        cup.id = 1000;
        cup.shape = DEM_SHAPE_MESH;
        cup.mesh =
            cup_mesh(SIDES, 0.8, (radius - deep) / cos(3.14159265358979323846 / SIDES), 0.2, 1.4);
        OK(dem_wall_add(world, &cup, NULL));
        dem_mesh_destroy(cup.mesh);
    } else if (!all) {
        OK(dem_world_shape_know(world, shape));
    } else {
        dem_polyhedron_properties is = {.struct_size = sizeof(is)};
        OK(dem_polyhedron_properties_get(shape, &is));
        dem_body body = body_at(shape, is.centre[0], is.centre[1], is.centre[2]);
        body.id = 1;
        body.mobility = DEM_MOBILITY_FIXED;
        (void)body_add(world, &body, shape);
    }
    if (all) {
        dem_particle ball = scene_particle(0.001, 0.0005, 0.2 + radius - deep);
        ball.id = 50;
        ball.radius = radius;
        ball.mass = 1000.0;
        ball.angular_velocity[2] = 1.0;
        OK(dem_particle_add(world, &ball, NULL));
    }
    return world;
}

/* All contacts of a ball in a cup come along, whoever goes first, and go on as they were. */
static void many_places_travel(void **state)
{
    (void)state;
    enum { SIDES = 16, MOST = 40 };
    const double inner = (0.5 - 3e-3) / cos(3.14159265358979323846 / SIDES);
    dem_polyhedron *shape =
        shape_in_axes(cup_mesh(SIDES, 0.8, inner, 0.2, 1.4), DEM_POLYHEDRON_AXES_MESH);
    for (int wall = 0; wall < 2; ++wall)
        for (int first = 0; first < 2; ++first) {
            dem_world *from = cup_world(shape, wall, 1), *to = cup_world(shape, wall, 0);
            dem_contact contact[MOST], came[MOST];
            run(from, 1e-5, 20);
            if (wall && first) /* a list that has room for four contacts with the wall */
                run(to, 1e-5, 1);
            for (int k = 0; k < 2; ++k) {
                const int ball = k == first;
                dem_particle_handle of_ball;
                dem_body_handle of_cup;
                unsigned char bytes[40000];
                uint64_t size = 0;
                if (!ball && wall)
                    continue;
                if (ball) {
                    OK(dem_particle_find(from, 50, &of_ball));
                    OK(dem_particles_pack(from, 1, &of_ball, bytes, sizeof bytes, &size));
                } else {
                    OK(dem_body_find(from, 1, &of_cup));
                    OK(dem_bodies_pack(from, 1, &of_cup, bytes, sizeof bytes, &size));
                }
                if (dem_particles_unpack(to, bytes, size, NULL) != DEM_OK)
                    fail_msg("%s", dem_world_error(to));
            }
            const uint64_t count = contacts_of(from, contact, MOST);
            assert_true(count > 12);
            assert_int_equal(contacts_of(to, came, MOST), count);
            for (uint64_t k = 0; k < count; ++k) {
                uint64_t n = 0;
                while (n < count && memcmp(&came[n].key, &contact[k].key, sizeof(came[n].key)) != 0)
                    ++n;
                assert_true(n < count);
                assert_memory_equal(came[n].state, contact[k].state, sizeof(came[n].state));
            }
            for (int n = 0; n < 5; ++n) {
                run(from, 1e-5, 10);
                run(to, 1e-5, 10);
                const dem_particle a = ball_of(from, 50), b = ball_of(to, 50);
                for (int c = 0; c < 3; ++c)
                    assert_true(fabs(a.velocity[c] - b.velocity[c]) < 1e-12 &&
                                fabs(a.angular_velocity[c] - b.angular_velocity[c]) < 1e-11);
            }
            dem_world_destroy(from);
            dem_world_destroy(to);
        }
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ slots that stay */

/** A ball between the four sides of a cup, on its way to the floor, the fifth place. */
static dem_world *five_places(dem_particle_handle *handle)
{
    const double radius = 0.5, inner = sqrt(2.0) * (radius - 3e-3);
    dem_polyhedron *shape =
        shape_in_axes(cup_mesh(4, 1.0, inner, 0.2, 1.4), DEM_POLYHEDRON_AXES_MESH);
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, M1, 0.3, 0.8);
    dem_body body = body_at(shape, is.centre[0], is.centre[1], is.centre[2]);
    body.mobility = DEM_MOBILITY_FIXED;
    (void)body_add(world, &body, shape);
    *handle = ball_add(world, (const double[3]){0.0, 0.0, 0.2 + radius + 1e-3}, radius);
    dem_polyhedron_destroy(shape);
    return world;
}

/** Sends the ball up or down; how many contacts there are afterwards. */
static uint64_t sent(dem_world *world, dem_particle_handle ball, double velocity)
{
    dem_contact contact[8];
    OK(dem_particle_set_motion(world, ball, NULL, (const double[3]){0.0, 0.0, velocity}, NULL));
    run(world, 1e-5, 300);
    return contacts_of(world, contact, 8);
}

static void same_worlds(const dem_world *a, const dem_world *b)
{
    uint64_t size[2];
    unsigned char *bytes[2] = {snapshot_of(a, &size[0]), snapshot_of(b, &size[1])};
    assert_int_equal(scene_counts(a).rebuilds, scene_counts(b).rebuilds);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/** Puts the ball a little higher, for which the list is built anew, and sends it to the floor. */
static void sent_from_above(dem_world *world, dem_particle_handle ball)
{
    OK(dem_particle_set_motion(world, ball, (const double[3]){0.0, 0.0, 0.702}, NULL, NULL));
    assert_int_equal(sent(world, ball, -1.0), 5);
}

/* The step that needs more slots builds the list: after a rewind it does so again, with the bits of
 * the first time, though the list was built between the mark and that step. */
static void slots_go_back(void **state)
{
    (void)state;
    dem_particle_handle ball;
    dem_world *world = five_places(&ball), *straight = five_places(&ball);
    assert_int_equal(sent(straight, ball, 0.0), 4);
    assert_int_equal(sent(world, ball, 0.0), 4);
    const uint64_t rebuilds = scene_counts(world).rebuilds;
    OK(dem_world_mark(world));
    sent_from_above(world, ball);
    assert_int_equal(scene_counts(world).rebuilds, rebuilds + 2);
    OK(dem_world_rewind(world));
    assert_int_equal(scene_counts(world).rebuilds, rebuilds);
    same_worlds(world, straight);
    sent_from_above(world, ball);
    sent_from_above(straight, ball);
    same_worlds(world, straight);
    dem_world_destroy(world);
    dem_world_destroy(straight);
}

/* A world with slots that no contact has any more goes on with them, and so does what is restored
 * from it: neither builds the list where the ball comes back to the floor. */
static void slots_are_restored(void **state)
{
    (void)state;
    dem_particle_handle ball;
    dem_world *world = five_places(&ball), *other = world_of(0.0, 1, DEM_ISA_AUTO);
    uint64_t size;
    assert_int_equal(sent(world, ball, 0.0), 4);
    unsigned char *bytes = snapshot_of(world, &size);
    assert_int_equal(stream_section(bytes, size, "slots   "), 0);
    free(bytes);
    assert_int_equal(sent(world, ball, -1.0), 5);
    assert_int_equal(sent(world, ball, 1.0), 4);
    bytes = snapshot_of(world, &size);
    OK(dem_world_restore(other, bytes, size));
    assert_int_equal(sent(world, ball, -1.0), 5);
    assert_int_equal(sent(other, ball, -1.0), 5);
    same_worlds(world, other);
    free(bytes);
    dem_world_destroy(world);
    dem_world_destroy(other);
}

/* Numbers of slots that cannot be are refused with the limits, and change nothing. A snapshot that
 * does not tell the number, as earlier ones do not, is read. */
static void slots_are_checked(void **state)
{
    (void)state;
    static const uint64_t wrong[] = {
        0, 1, 2, 3, 5, 12, 63, 65, 96, 128, (UINT64_C(1) << 32) + 8, UINT64_MAX};
    dem_particle_handle ball;
    dem_world *world = five_places(&ball), *other = world_of(0.0, 1, DEM_ISA_AUTO);
    uint64_t size;
    assert_int_equal(sent(world, ball, -1.0), 5);
    unsigned char *bytes = snapshot_of(world, &size);
    const uint64_t at = stream_section(bytes, size, "slots   "), before = scene_hash(other);
    assert_true(at > 0);
    assert_int_equal(stream_word(bytes, at - 1), 1);
    assert_int_equal(stream_word(bytes, at), 8);
    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); ++k) {
        stream_word_set(bytes, at, wrong[k]);
        stream_sign(bytes, size);
        assert_int_equal(dem_world_restore(other, bytes, size), DEM_ERROR_FORMAT);
        if (strstr(dem_world_error(other), "no power of 2 from 4 to 64") == NULL)
            fail_msg("%s", dem_world_error(other));
        assert_true(scene_hash(other) == before);
    }
    for (uint64_t slots = 4; slots <= 64; slots *= 2) {
        stream_word_set(bytes, at, slots);
        stream_sign(bytes, size);
        OK(dem_world_restore(other, bytes, size));
        run(other, 1e-5, 10);
    }
    memmove(bytes + 8 * (at - 2), bytes + 8 * (at + 1), size - 8 * (at + 1));
    size -= 3 * 8;
    stream_word_set(bytes, 2, size);
    stream_sign(bytes, size);
    OK(dem_world_restore(other, bytes, size));
    assert_true(scene_hash(other) == scene_hash(world));
    assert_int_equal(sent(other, ball, 1.0), 4);
    free(bytes);
    dem_world_destroy(world);
    dem_world_destroy(other);
}

/* ------------------------------------------------------------------ centres within */

/* A ball whose centre is within a body is an error, wherever it is, and one in its hollow is not.
 */
static void within(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x1418)};
    dem_polyhedron *shape = shape_in_axes(angle_mesh(), DEM_POLYHEDRON_AXES_MESH);
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    int inside = 0;
    for (int round = 0; round < 200; ++round) {
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        const double x = test_uniform(&random, -0.4, 2.4), y = test_uniform(&random, -0.4, 2.4),
                     z = test_uniform(&random, -0.9, 0.9);
        const int within =
            x > 0.0 && y > 0.0 && x < 2.0 && y < 2.0 && fabs(z) < 0.7 && !(x > 1.0 && y > 1.0);
        model_set(world, PLAIN, 0.0, 1.0);
        dem_body body = body_at(shape, is.centre[0], is.centre[1], is.centre[2]);
        body.mobility = DEM_MOBILITY_FIXED;
        (void)body_add(world, &body, shape);
        (void)ball_add(world, (const double[3]){x, y, z}, 0.05);
        const dem_status status = dem_step(world, 1e-6, 0);
        assert_int_equal(status, within ? DEM_ERROR_OVERLAP : DEM_OK);
        if (within)
            assert_non_null(strstr(dem_world_error(world), "particle 1 and particle 2: overlap"));
        inside += within;
        dem_world_destroy(world);
    }
    assert_true(inside > 40 && inside < 160);
    dem_polyhedron_destroy(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_two_faces),
        cmocka_unit_test(as_on_a_wall),
        cmocka_unit_test(many_places),
        cmocka_unit_test(conservation),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(within),
        cmocka_unit_test(travel),
        cmocka_unit_test(many_places_travel),
        cmocka_unit_test(slots_go_back),
        cmocka_unit_test(slots_are_restored),
        cmocka_unit_test(slots_are_checked),
        cmocka_unit_test(ghosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
