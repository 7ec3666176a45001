/* SPDX-License-Identifier: MIT */
/**
 * @file wall_springs.c
 * Springs of contacts with walls that turn: they turn with the wall. A sphere sticks to a wall, and
 * the springs hold it on its circle; closed forms. `make shapes` prints the lines that begin with
 * paper=.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/report.h"
#include "../support/scene.h"

#define RADIUS 0.5
#include "../support/floors.h"
#include "../support/mesh_world.h"

#define SPIN 10.0 /* rad/s, about z */
#define PI 3.14159265358979323846

/** A wall that turns about z through the origin: its normal leans from z by an angle, and from the
 * axis by another. */
typedef struct carousel {
    const char *name;
    int32_t shape;
    double distance; /**< of the sphere's centre from the axis */
    double lean;     /**< of the normal from z to the axis */
    double aside;    /**< and then about z */
    double gravity;
} carousel;

/** Along the radius, across it, and along the axis, at an angle. */
static void turned(const double at[3], double angle, double to[3])
{
    to[0] = at[0] * cos(angle) - at[1] * sin(angle);
    to[1] = at[0] * sin(angle) + at[1] * cos(angle);
    to[2] = at[2];
}

static uint64_t add_carousel(dem_world *world, const carousel *s, const double x[3],
                             const double n[3])
{
    test_random random = test_random_start(s->name);
    uint64_t id = 0;
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = s->shape;
    wall.side = s->shape == DEM_SHAPE_PLANE || s->shape == DEM_SHAPE_MESH ? DEM_SIDE_OUTSIDE
                                                                          : DEM_SIDE_BOTH;
    if (s->shape != DEM_SHAPE_PLANE && s->shape != DEM_SHAPE_MESH)
        wall.size[0] = wall.size[1] = 8.0;
    if (s->shape == DEM_SHAPE_DISC)
        wall.size[1] = 0.0;
    const double u[3] = {1.0, 0.0, 0.0}, v[3] = {0.0, 1.0, 0.0};
    wall.mesh = s->shape == DEM_SHAPE_MESH ? random_floor(&random, u, v) : NULL;
    /* pressed as it will be */
    const double pressing = s->gravity * n[2] - SPIN * SPIN * dot(x, n);
    for (int c = 0; c < 3; ++c) {
        wall.normal[c] = n[c];
        wall.point[c] = x[c] - (RADIUS - pressing / STIFFNESS) * n[c];
        wall.pivot[c] = -wall.point[c];
    }
    wall.angular_velocity[2] = SPIN;
    if (dem_wall_add(world, &wall, &id) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    dem_mesh_destroy(wall.mesh);
    return id;
}

/** A sphere of 1 kg which turns as it does at first, whatever acts on it: a body with a large
 * moment of inertia. */
static dem_body_handle add_rider(dem_world *world, const double x[3])
{
    dem_body body;
    dem_body_part part;
    dem_body_handle handle;
    OK(dem_body_init(&body));
    OK(dem_body_part_init(&part));
    part.radius = RADIUS;
    body.mass = 1.0;
    for (int c = 0; c < 3; ++c) {
        body.position[c] = x[c];
        body.inertia[c] = 1e9;
    }
    body.velocity[0] = -SPIN * x[1];
    body.velocity[1] = SPIN * x[0];
    body.angular_velocity[2] = SPIN;
    if (dem_body_add(world, &body, 1, &part, &handle) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    return handle;
}

/** The contact: force of springs and of the normal on the sphere, and the spring. */
static void contact_of(const dem_world *world, double tangential[3], double normal[3],
                       double spring[3])
{
    uint64_t cursor = 0;
    dem_contact contact = {.struct_size = sizeof(contact)};
    OK(dem_world_contact_next(world, &cursor, &contact));
    for (int c = 0; c < 3; ++c) {
        tangential[c] = contact.force_tangential[c];
        normal[c] = contact.force_normal[c];
        spring[c] = contact.state[c];
    }
}

/** A world whose forces act at the place of a DEM_ARM_ value. */
static dem_world *carousel_world(const carousel *s, int32_t arm)
{
    const double gravity[3] = {0.0, 0.0, -s->gravity};
    dem_world *world = still_world(0.0, 1.0);
    dem_linear linear;
    dem_contact_model model;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = STIFFNESS;
    linear.friction = 10.0;
    linear.restitution = 0.2;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    model.lever_arm = arm;
    OK(dem_contact_model_set(world, 0, 0, &model));
    OK(dem_world_gravity_set(world, gravity));
    return world;
}

/** What a ride does in the time MEASURED, after what was wound up at first has died away. */
typedef struct rode {
    double way;    /**< on the wall, m */
    double force;  /**< greatest error of the tangential force, over it */
    double length; /**< of the spring times its stiffness, over that force */
    double overlap;
} rode;

#define MEASURED 2.0 /* s, three rounds */

static rode ride(const carousel *s, int32_t arm, double dt)
{
    const double n[3] = {-sin(s->lean) * cos(s->aside), -sin(s->lean) * sin(s->aside),
                         cos(s->lean)};
    const double x[3] = {s->distance, 0.0, 0.0};
    double first[3], place[3], tangential[3], normal[3], spring[3];
    rode r = {0.0, 0.0, 0.0, 0.0};
    dem_world *world = carousel_world(s, arm);
    const uint64_t id = add_carousel(world, s, x, n);
    const dem_body_handle handle = add_rider(world, x);
    dem_body body = {.struct_size = sizeof(body)};
    step(world, dt, (uint64_t)(MEASURED / dt));
    for (int k = 0; k <= 50; ++k) {
        step(world, dt, k > 0 ? (uint64_t)(0.02 * MEASURED / dt) : 0);
        OK(dem_body_get(world, handle, &body));
        turned(body.position, -SPIN * dem_world_time(world), place);
        if (k == 0)
            memcpy(first, place, sizeof(first));
        contact_of(world, tangential, normal, spring);
        /* what holds it on its circle, across the normal */
        const dem_wall wall = wall_of(world, id);
        const double whole[3] = {-SPIN * SPIN * body.position[0], -SPIN * SPIN * body.position[1],
                                 s->gravity};
        const double along = dot(whole, wall.normal),
                     sign = dot(normal, wall.normal) > 0.0 ? 1 : -1;
        double off[3], across[3];
        for (int c = 0; c < 3; ++c) {
            across[c] = whole[c] - along * wall.normal[c];
            off[c] = sign * tangential[c] - across[c];
        }
        r.force = fmax(r.force, sqrt(dot(off, off) / dot(across, across)));
        r.length = sqrt(dot(spring, spring) / dot(across, across)) * STIFFNESS * 2.0 / 7.0;
        r.overlap = along / STIFFNESS;
    }
    for (int c = 0; c < 3; ++c)
        place[c] -= first[c];
    r.way = sqrt(dot(place, place));
    dem_world_destroy(world);
    return r;
}

/* The spring turns with the wall and points to where it did: the sphere stays on its place, at
 * second order in dt. */
static void springs_turn(void **state)
{
    (void)state;
    static const carousel all[] = {
        {"spring-on-turning-plane", DEM_SHAPE_PLANE, 0.3, 0.0, 0.0, 10.0},
        {"spring-on-turning-mesh", DEM_SHAPE_MESH, 0.3, 0.0, 0.0, 10.0},
        {"spring-in-turning-plane", DEM_SHAPE_PLANE, 0.3, 0.5 * PI, 0.4, 10.0},
        {"spring-in-turning-rectangle", DEM_SHAPE_RECTANGLE, 0.3, 0.5 * PI, 0.4, 10.0},
        {"spring-in-turning-mesh", DEM_SHAPE_MESH, 0.3, 0.5 * PI, 0.4, 10.0},
        {"spring-at-turning-disc", DEM_SHAPE_DISC, 0.3, 0.3 * PI, -0.3, 10.0},
    };
    for (uint64_t k = 0; k < sizeof(all) / sizeof(all[0]); ++k) {
        const rode coarse = ride(&all[k], DEM_ARM_CONTACT, CONTACT_TIME / 30.0),
                   fine = ride(&all[k], DEM_ARM_CONTACT, CONTACT_TIME / 60.0);
        SHOWN(all[k].name, "way-on-the-wall/m", fine.way, 0.0, 2e-4);
        SHOWN(all[k].name, "order-of-way", log2(coarse.way / fine.way), 2.0, 0.1);
        SHOWN(all[k].name, "force", fine.force, 0.0, 3e-4);
        SHOWN(all[k].name, "order-of-force", log2(coarse.force / fine.force), 2.0, 0.1);
        SHOWN(all[k].name, "length-of-spring", fine.length, 1.0, 2e-3);
    }
}

/* Where forces act at the radius, behind the surface of the wall, a sphere that turns with a wall
 * whose normal turns slips by the overlap times the angular velocity. */
static void default_arms_slip(void **state)
{
    (void)state;
    const carousel s = {"slip", DEM_SHAPE_PLANE, 0.3, 0.5 * PI, 0.4, 10.0};
    const rode r = ride(&s, DEM_ARM_RADIUS, CONTACT_TIME / 60.0);
    SHOWN("spring-with-arms-of-the-radius", "slip/(overlap*spin)",
          r.way / (SPIN * MEASURED * r.overlap), 1.0, 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_turn),
        cmocka_unit_test(default_arms_slip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
