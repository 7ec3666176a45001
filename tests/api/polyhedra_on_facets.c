/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedra_on_facets.c
 * What polyhedra do to the facets and vertices of walls that are meshes: forces and moments are
 * those of the wall, impulses those of the bodies; works are those of bounces and of sliding.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/polyhedral.h"
#include "../support/polyhedral_walls.h"
#include "../support/scene.h"
#include "../support/solids.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ views */

/** A view of a wall: its sum, and the sum of moments about the origin, of vectors at places of the
 * mesh, or of facets; how many are not 0. */
static uint64_t view_sum(dem_world *world, uint64_t id, int32_t field, double sum[6])
{
    dem_view view = {.struct_size = sizeof(view)};
    const dem_wall wall = wall_of(world, id);
    if (dem_wall_view(world, id, field, &view) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    const double *n = wall.normal, *a = wall.axis;
    const double across[3] = {n[1] * a[2] - n[2] * a[1], n[2] * a[0] - n[0] * a[2],
                              n[0] * a[1] - n[1] * a[0]};
    uint64_t count = 0;
    memset(sum, 0, 6 * sizeof(double));
    for (uint64_t k = 0; k < view.count; ++k) {
        const double *f = (const double *)(const void *)((const char *)view.data + view.stride * k);
        const double *local = dem_mesh_vertices(wall.mesh) + 3 * k;
        double x[3] = {0.0};
        for (int c = 0; field == DEM_FACET_VERTEX_FORCE && c < 3; ++c)
            x[c] = wall.point[c] + local[0] * a[c] + local[1] * across[c] + local[2] * n[c];
        count += f[0] != 0.0 || f[1] != 0.0 || f[2] != 0.0;
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            sum[c] += f[c];
            sum[3 + c] += x[d] * f[e] - x[e] * f[d];
        }
    }
    return count;
}

/** The sum of a view of works. */
static double work_sum(dem_world *world, uint64_t id, int32_t field)
{
    dem_view view = {.struct_size = sizeof(view)};
    double sum = 0.0;
    OK(dem_wall_view(world, id, field, &view));
    for (uint64_t k = 0; k < view.count; ++k) {
        const double *w = (const double *)(const void *)((const char *)view.data + view.stride * k);
        assert_true(*w >= 0.0);
        sum += *w;
    }
    return sum;
}

/* ------------------------------------------------------------------ forces */

enum { FLOOR, ROOM, BALL, SURFACES };

/** A body that touches the surface, and the wall. */
static dem_body on_surface(test_random *random, int which, const dem_polyhedron *shape,
                           dem_wall *wall)
{
    static const double up[3] = {0.0, 0.0, 1.0};
    if (which == FLOOR) {
        const uint32_t cells = 1 + (uint32_t)test_uniform(random, 0.0, CELLS_MOST);
        *wall = mesh_wall(floor_mesh(random, cells, test_uniform(random, 3.0, 6.0)));
        return over_plane(random, shape, up, pow(10.0, test_uniform(random, -3.0, -1.0)));
    }
    *wall = mesh_wall(which == ROOM ? room_mesh(1.0, 0.9, 0.8, 12) : hollow_ball(3, 1.0));
    dem_body body = body_at(shape, 0.0, 0.0, 0.0);
    turn_at_random(random, &body);
    for (int c = 0; c < 3; ++c) {
        body.position[c] = (which == ROOM ? 0.5 : 0.34) * test_uniform(random, 0.9, 1.0);
        body.velocity[c] = test_uniform(random, 0.0, 0.3);
        body.angular_velocity[c] = test_uniform(random, -1.0, 1.0);
    }
    return body;
}

/* The forces on facets are together the force on the wall. Those on vertices are, too, and have its
 * torque: on flat surfaces, and without friction on round ones. */
static void forces(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0xFACE7)};
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(2)};
    double worst[3] = {0.0, 0.0, 0.0};
    uint64_t touching = 0, several = 0;
    for (int round = 0; round < test_rounds(120); ++round) {
        const int which = round % SURFACES, model = round / SURFACES % 2 ? M1 : PLAIN;
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        dem_wall wall;
        const dem_body body = on_surface(&random, which, shape[round / 6 % 2], &wall);
        model_set(world, model, 0.4, 0.8);
        if (round % 4 == 3)
            wall.velocity[0] = wall.angular_velocity[2] = 0.3;
        wall.id = round % 5 > 2 ? 1000 : 0; /* behind that of the body, or before */
        const uint64_t id = wall_add(world, &wall);
        dem_mesh_destroy(wall.mesh);
        (void)body_add(world, &body, shape[round / 6 % 2]);
        run(world, 1e-5, 25);
        double facets[6], vertices[6];
        several += view_sum(world, id, DEM_FACET_FORCE, facets) > 1;
        (void)view_sum(world, id, DEM_FACET_VERTEX_FORCE, vertices);
        wall = wall_of(world, id);
        const double size = norm_of(wall.force), *at = wall.point;
        if (size > 0.0) {
            double torque[3]; /* about the origin */
            for (int c = 0; c < 3; ++c) {
                const int d = (c + 1) % 3, e = (c + 2) % 3;
                torque[c] = wall.torque[c] + at[d] * wall.force[e] - at[e] * wall.force[d];
            }
            ++touching;
            worst[0] = fmax(worst[0], off_of(facets, wall.force, 3, size));
            worst[1] = fmax(worst[1], off_of(vertices, wall.force, 3, size));
            if (which == FLOOR ||
                (which == BALL && model == PLAIN && scene_counts(world).contacts == 1))
                worst[2] = fmax(worst[2], off_of(vertices + 3, torque, 3, size));
        }
        dem_world_destroy(world);
    }
    printf("# facets %.2g, vertices %.2g, moment %.2g\n", worst[0], worst[1], worst[2]);
    assert_true(2 * touching > (uint64_t)test_rounds(120) && several > 0);
    assert_true(worst[0] < 1e-13 && worst[1] < 1e-13 && worst[2] < 1e-11);
    for (int k = 0; k < 2; ++k)
        dem_polyhedron_destroy(shape[k]);
}

/* A box that hangs over the rim of a floor, beside a ball that lies on it: the sums have both. */
static void rims_and_balls(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x21A)};
    dem_polyhedron *shape = box_shape();
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_mesh *mesh = floor_mesh(&random, 6, 2.0);
    const dem_wall floor = mesh_wall(mesh);
    const dem_body body = body_at(shape, 1.9, 0.3, 0.295);
    dem_particle ball = scene_particle(-1.0, 0.2, 0.198);
    model_set(world, PLAIN, 0.0, 1.0);
    const uint64_t id = wall_add(world, &floor);
    (void)body_add(world, &body, shape);
    ball.radius = 0.2;
    ball.mass = 10.0;
    OK(dem_particle_add(world, &ball, NULL));
    run(world, 1e-5, 3);
    double facets[6], vertices[6];
    (void)view_sum(world, id, DEM_FACET_FORCE, facets);
    (void)view_sum(world, id, DEM_FACET_VERTEX_FORCE, vertices);
    const dem_wall wall = wall_of(world, id);
    assert_int_equal(scene_counts(world).contacts, 2);
    assert_true(wall.force[0] < -1e-4 * fabs(wall.force[2])); /* the rim pushes outwards */
    assert_true(off_of(facets, wall.force, 3, norm_of(wall.force)) < 1e-12);
    assert_true(off_of(vertices, wall.force, 3, norm_of(wall.force)) < 1e-12);
    dem_mesh_destroy(mesh);
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ impulse and works */

/* The impulse on a moving wall is what the body lost, and the work of the wall what energies
 * gained. */
static void impulses(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x1312)};
    dem_polyhedron *shape = box_shape();
    const int rounds = test_slow() ? SURFACES : 6;
    for (int round = 0; round < rounds; ++round) {
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        dem_wall wall;
        dem_body body = on_surface(&random, round % SURFACES, shape, &wall);
        double before[6], after[6], work = 0.0;
        model_set(world, M1, 0.4, 0.8);
        wall.velocity[2] = 0.2;
        wall.velocity[0] = 0.1;
        wall.angular_velocity[1] = 0.2;
        const uint64_t id = wall_add(world, &wall);
        dem_mesh_destroy(wall.mesh);
        (void)body_add(world, &body, shape);
        run(world, 1e-5, 0);
        const double balance = balance_of(world);
        momenta_of_bodies(world, 1, before);
        OK(dem_world_impulses_reset(world));
        (void)work_sum(world, id, DEM_FACET_WORK_NORMAL);
        run(world, 1e-5, 4000);
        momenta_of_bodies(world, 1, after);
        wall = wall_of(world, id);
        const double moved = norm_of(wall.impulse);
        assert_true(moved > 0.1);
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(after[c] - before[c] + wall.impulse[c]) <
                        1e-13 * (norm_of(before) + moved));
        work = scene_energies(world).work_boundary;
        assert_true(work != 0.0 && fabs(wall.work - work) < 1e-12 * fabs(work));
        assert_true(fabs(balance_of(world) - balance) < 1e-5 * (fabs(work) + fabs(balance)));
        dem_world_destroy(world);
    }
    dem_polyhedron_destroy(shape);
}

/* A box that falls flat on a floor and bounces, and one that slides, or under which the floor
 * turns: the work along the normal is what it had twice, that across what friction took. */
static void works(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x303)};
    dem_polyhedron *shape = box_shape();
    for (int round = 0; round < 3; ++round) {
        const int turns = round == 2, slides = round > 0;
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        dem_mesh *mesh = floor_mesh(&random, 8, 3.0);
        dem_wall floor = mesh_wall(mesh);
        floor.angular_velocity[2] = turns ? 3.0 : 0.0;
        dem_body body = body_at(shape, turns ? 1.0 : 0.3, 0.2, slides ? 0.305 : 0.301);
        model_set(world, slides ? M1 : PLAIN, 0.2, 1.0);
        body.velocity[2] = -1.0;
        body.velocity[0] = slides && !turns ? 3.0 : 0.0;
        for (int c = 0; slides && c < 3; ++c)
            body.inertia[c] *= 1e6; /* it stays flat */
        const uint64_t id = wall_add(world, &floor);
        (void)body_add(world, &body, shape);
        (void)work_sum(world, id, DEM_FACET_WORK_NORMAL);
        run(world, 1e-5, 6000);
        assert_int_equal(scene_counts(world).contacts, 0);
        const double normal = work_sum(world, id, DEM_FACET_WORK_NORMAL),
                     shear = work_sum(world, id, DEM_FACET_WORK_SHEAR),
                     slip = scene_energies(world).dissipated_slip;
        printf("# normal %.6g of %.6g, shear %.6g of %.6g\n", normal, body.mass, shear, slip);
        assert_true(fabs(normal / body.mass - 1.0) < 1e-3);
        if (slides)
            assert_true(fabs(shear / slip - 1.0) < 1e-2);
        else
            assert_true(shear < 1e-9 * normal);
        dem_mesh_destroy(mesh);
        dem_world_destroy(world);
    }
    dem_polyhedron_destroy(shape);
}

/* The forces on a wall are told while another one has vertices that move, beside which there is no
 * step with polyhedra. */
static void beside_moving_vertices(void **state)
{
    (void)state;
    enum { CELLS = 4 };
    static const double still[3 * (CELLS + 1) * (CELLS + 1)];
    test_random random = {UINT64_C(0xB51DE)};
    dem_polyhedron *shape = box_shape();
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, M1, 0.5, 0.8);
    dem_wall wall = mesh_wall(floor_mesh(&random, CELLS, 3.0));
    const uint64_t loaded = wall_add(world, &wall);
    wall.point[2] = -50.0;
    const uint64_t moving = wall_add(world, &wall);
    dem_mesh_destroy(wall.mesh);
    const dem_body body = body_at(shape, 0.0, 0.0, 0.29);
    (void)body_add(world, &body, shape);
    run(world, 1e-5, 5);
    double before[6], after[6];
    assert_true(view_sum(world, loaded, DEM_FACET_FORCE, before) > 0);
    OK(dem_wall_set_vertices(world, moving, NULL, still));
    assert_true(view_sum(world, loaded, DEM_FACET_FORCE, after) > 0);
    assert_memory_equal(before, after, sizeof(before));
    assert_true(view_sum(world, loaded, DEM_FACET_VERTEX_FORCE, after) > 0);
    assert_int_equal(dem_step(world, 1e-5, 1), DEM_ERROR_STATE);
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

/** Two boxes and an ellipsoid on a fine floor, of which the first is removed later. */
static dem_world *on_fine_floor(dem_polyhedron *const shape[2], uint64_t *id, dem_body_handle *gone)
{
    test_random random = {UINT64_C(0xF1E1D)};
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, M1, 0.5, 0.8);
    const dem_wall floor = mesh_wall(floor_mesh(&random, CELLS_MOST, 4.0));
    *id = wall_add(world, &floor);
    dem_mesh_destroy(floor.mesh);
    for (int k = 0; k < 3; ++k) {
        dem_body body = body_at(shape[k == 2], 2.0 * k - 2.0, 0.3 * k, k == 2 ? 0.45 : 0.295);
        body.velocity[0] = 0.3;
        body.velocity[1] = -0.2 * k;
        body.id = (uint64_t)k + 1;
        const dem_body_handle handle = body_add(world, &body, shape[k == 2]);
        if (k == 0 && gone != NULL)
            *gone = handle;
    }
    run(world, 1e-5, 20);
    return world;
}

/** Copies a view; returns how many numbers there are. */
static uint64_t view_copy(dem_world *world, uint64_t id, int32_t field, uint64_t width, double *to)
{
    dem_view view = {.struct_size = sizeof(view)};
    OK(dem_wall_view(world, id, field, &view));
    for (uint64_t k = 0; k < view.count; ++k)
        memcpy(to + width * k, (const char *)view.data + view.stride * k, width * sizeof(double));
    return width * view.count;
}

/* What facets have of one contact is not what they had of another: views have the bits of a world
 * where nobody looked before, and are 0 where nothing touches any more. */
static void looked_at_before(void **state)
{
    (void)state;
    enum { NUMBERS = 6 * CELLS_MOST * CELLS_MOST };
    static double seen[2][NUMBERS];
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(2)};
    dem_world *world[2];
    uint64_t id[2];
    dem_body_handle gone[2];
    for (int n = 0; n < 2; ++n) {
        world[n] = on_fine_floor(shape, &id[n], &gone[n]);
        if (n == 0) {
            (void)view_copy(world[n], id[n], DEM_FACET_FORCE, 3, seen[n]);
            (void)view_copy(world[n], id[n], DEM_FACET_VERTEX_FORCE, 3, seen[n]);
        }
        OK(dem_body_remove(world[n], gone[n]));
        (void)view_copy(world[n], id[n], DEM_FACET_WORK_SHEAR, 1, seen[n]);
        run(world[n], 1e-5, 20);
    }
    static const struct {
        int32_t field;
        uint64_t width;
    } views[] = {{DEM_FACET_FORCE, 3},
                 {DEM_FACET_VERTEX_FORCE, 3},
                 {DEM_FACET_WORK_NORMAL, 1},
                 {DEM_FACET_WORK_SHEAR, 1}};
    for (int k = 0; k < 4; ++k) {
        uint64_t count = 0, touched = 0;
        for (int n = 0; n < 2; ++n)
            count = view_copy(world[n], id[n], views[k].field, views[k].width, seen[n]);
        assert_memory_equal(seen[0], seen[1], count * sizeof(double));
        for (uint64_t m = 0; m < count; ++m)
            touched += seen[0][m] != 0.0;
        assert_true(touched > 8 && touched < count / 2);
    }
    for (int n = 0; n < 2; ++n)
        dem_world_destroy(world[n]);
    for (int k = 0; k < 2; ++k)
        dem_polyhedron_destroy(shape[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forces),
                                       cmocka_unit_test(rims_and_balls),
                                       cmocka_unit_test(impulses),
                                       cmocka_unit_test(works),
                                       cmocka_unit_test(beside_moving_vertices),
                                       cmocka_unit_test(looked_at_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
