/* SPDX-License-Identifier: MIT */
/* What no choice of axes, frame or numbering may change, and the momenta that contacts keep. */
#include "cases.h"
#include "cloud.h"

#include <math.h>
#include <string.h>

enum { SEEDS = 3 };

/* Long enough for several collisions of each sphere; short, because they amplify round-off. */
static const uint64_t STEPS = 1500;

/* A world of the cloud's law; edge > 0 makes it periodic. */
static dem_world *open_world(int32_t lever_arm, double edge)
{
    const dem_linear law = cloud_law();
    dem_contact_model model = scene_linear_model(&law);
    dem_world_config config;
    MUST(dem_world_config_init(&config));
    model.lever_arm = lever_arm;
    for (int a = 0; a < 3 && edge > 0.0; ++a) {
        config.boundary[a] = DEM_BOUNDARY_PERIODIC;
        config.box_low[a] = -0.5 * edge;
        config.box_high[a] = 0.5 * edge;
    }
    return scene_world_of(&config, &model);
}

static double momentum_change(const cloud *a, const cloud *b)
{
    double change[3] = {0}, size = 0.0;
    for (int k = 0; k < CLOUD_COUNT; ++k)
        for (int c = 0; c < 3; ++c) {
            change[c] += a->mass[k] * (b->v[k][c] - a->v[k][c]);
            size += a->mass[k] * fabs(a->v[k][c]);
        }
    return fmax(fabs(change[0]), fmax(fabs(change[1]), fabs(change[2]))) / size;
}

void case_momentum(ledger *l)
{
    l->paper = "newton";
    l->name = "momentum-mixed-gas";
    double worst = 0.0, slip = 0.0;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        cloud before, after;
        cloud_make(&before, seed * 7919, 2.2);
        after = before;
        dem_world *world = open_world(DEM_ARM_RADIUS, before.edge);
        cloud_add(world, &before, 0);
        scene_step(world, cloud_step(&before), 5000);
        cloud_read(world, &after, 0);
        worst = fmax(worst, momentum_change(&before, &after));
        slip += scene_energies(world).dissipated_slip;
        dem_world_destroy(world);
    }
    ledger_below(l, CONSERVATION, "momentum_change_over_sum", worst, 1e-12);
    ledger_above(l, BOUND, "spheres_rubbed", slip, 0.0);
}

static void angular_momentum(const cloud *a, double total[3], double *size)
{
    total[0] = total[1] = total[2] = *size = 0.0;
    for (int k = 0; k < CLOUD_COUNT; ++k)
        for (int c = 0; c < 3; ++c) {
            const int i = (c + 1) % 3, j = (c + 2) % 3;
            const double orbit = a->mass[k] * (a->x[k][i] * a->v[k][j] - a->x[k][j] * a->v[k][i]);
            const double angular_velocity =
                0.4 * a->mass[k] * a->radius[k] * a->radius[k] * a->w[k][c];
            total[c] += orbit + angular_velocity;
            *size += fabs(orbit) + fabs(angular_velocity);
        }
}

static double angular_change(uint64_t seed, int32_t lever_arm)
{
    cloud c;
    double before[3], after[3], size, unused, worst = 0.0;
    cloud_make(&c, seed, 1.0);
    angular_momentum(&c, before, &size);
    dem_world *world = open_world(lever_arm, 0.0);
    cloud_add(world, &c, 0);
    scene_step(world, cloud_step(&c), 5000);
    cloud_read(world, &c, 0);
    dem_world_destroy(world);
    angular_momentum(&c, after, &unused);
    for (int a = 0; a < 3; ++a)
        worst = fmax(worst, fabs(after[a] - before[a]) / size);
    return worst;
}

void case_angular_momentum(ledger *l)
{
    l->paper = "newton";
    l->name = "angular-momentum-equal-spheres";
    double worst = 0.0, radius = 0.0;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        worst = fmax(worst, angular_change(seed * 104729, DEM_ARM_CONTACT));
        radius = fmax(radius, angular_change(seed * 104729, DEM_ARM_RADIUS));
    }
    ledger_below(l, CONSERVATION, "change_over_sum_arm_contact", worst, 1e-12);
    /* the default arm is known to keep it only to the overlap over the radius */
    ledger_above(l, BOUND, "change_over_sum_arm_radius", radius, 1e-9);
}

/* Greatest difference of positions and velocities, each over its scale. */
static double difference(const cloud *a, const cloud *b)
{
    double worst = 0.0;
    for (int k = 0; k < CLOUD_COUNT; ++k)
        for (int c = 0; c < 3; ++c) {
            worst = fmax(worst, fabs(a->x[k][c] - b->x[k][c]) / a->edge);
            worst = fmax(worst, fabs(a->v[k][c] - b->v[k][c]) / a->speed);
            worst = fmax(worst, fabs(a->w[k][c] - b->w[k][c]) * a->radius[k] / a->speed);
        }
    return worst;
}

static void rotate(const double q[3][3], const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = q[i][0] * v[0] + q[i][1] * v[1] + q[i][2] * v[2];
}

/* Rotation by the unit quaternion along four random numbers. */
static void random_rotation(uint64_t seed, double q[3][3])
{
    double h[4], square = 0.0;
    for (int c = 0; c < 4; ++c) {
        h[c] = scene_random(&seed, 0.1, 1.0);
        square += h[c] * h[c];
    }
    for (int c = 0; c < 4; ++c)
        h[c] /= sqrt(square);
    const double w = h[0], x = h[1], y = h[2], z = h[3];
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(q, r, sizeof r);
}

/* Steps the cloud above a wall in gravity, all of it turned by q; gives the share of the kinetic
 * energy that was lost. */
static double run_turned(const cloud *start, const double q[3][3], cloud *end)
{
    cloud turned = *start;
    const double down[3] = {0.0, 0.0, -9.81}, up[3] = {0.0, 0.0, 1.0};
    const double floor[3] = {0.0, 0.0, -0.5 * start->edge};
    double gravity[3];
    dem_wall wall;
    for (int k = 0; k < CLOUD_COUNT; ++k) {
        rotate(q, start->x[k], turned.x[k]);
        rotate(q, start->v[k], turned.v[k]);
        rotate(q, start->w[k], turned.w[k]);
    }
    MUST(dem_wall_init(&wall));
    wall.id = CLOUD_WALL;
    rotate(q, floor, wall.point);
    rotate(q, up, wall.normal);
    rotate(q, down, gravity);
    dem_world *world = open_world(DEM_ARM_RADIUS, 0.0);
    MUST(dem_world_gravity_set(world, gravity));
    MUST(dem_wall_add(world, &wall, NULL));
    cloud_add(world, &turned, 0);
    scene_step(world, cloud_step(start), 0);
    const dem_world_energies first = scene_energies(world);
    scene_step(world, cloud_step(start), STEPS);
    const dem_world_energies last = scene_energies(world);
    *end = turned;
    cloud_read(world, end, 0);
    dem_world_destroy(world);
    return (last.dissipated_normal + last.dissipated_slip) /
           (first.kinetic_translation + first.kinetic_rotation);
}

void case_rotation_invariance(ledger *l)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    l->paper = "newton";
    l->name = "rotation-of-all";
    double worst = 0.0, lost = 1.0;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        cloud start, plain, turned, back;
        double q[3][3];
        cloud_make(&start, seed * 31337, 2.2);
        random_rotation(seed * 65537, q);
        lost = fmin(lost, run_turned(&start, unit, &plain));
        (void)run_turned(&start, q, &turned);
        back = plain;
        for (int k = 0; k < CLOUD_COUNT; ++k) {
            rotate(q, plain.x[k], back.x[k]);
            rotate(q, plain.v[k], back.v[k]);
            rotate(q, plain.w[k], back.w[k]);
        }
        worst = fmax(worst, difference(&back, &turned));
    }
    ledger_below(l, CONSERVATION, "difference", worst, 1e-10);
    ledger_above(l, BOUND, "lost_in_collisions", lost, 0.1);
}

void case_boost_invariance(ledger *l)
{
    static const double boost[3] = {0.3, -0.2, 0.1};
    l->paper = "newton";
    l->name = "galilean-boost";
    double worst = 0.0;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        cloud start, end[2];
        cloud_make(&start, seed * 15485863, 2.2);
        const double dt = cloud_step(&start);
        for (int moving = 0; moving < 2; ++moving) {
            cloud c = start;
            dem_world *world = open_world(DEM_ARM_RADIUS, 0.0);
            for (int k = 0; k < CLOUD_COUNT && moving; ++k)
                for (int a = 0; a < 3; ++a)
                    c.v[k][a] += boost[a];
            cloud_add(world, &c, 0);
            scene_step(world, dt, STEPS);
            cloud_read(world, &c, 0);
            for (int k = 0; k < CLOUD_COUNT && moving; ++k)
                for (int a = 0; a < 3; ++a) {
                    c.v[k][a] -= boost[a];
                    c.x[k][a] -= boost[a] * dem_world_time(world);
                }
            end[moving] = c;
            dem_world_destroy(world);
        }
        worst = fmax(worst, difference(&end[0], &end[1]));
    }
    ledger_below(l, CONSERVATION, "difference", worst, 1e-10);
}

void case_order_of_ids(ledger *l)
{
    l->paper = "newton";
    l->name = "order-of-ids";
    double worst = 0.0;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        cloud start, end[2];
        cloud_make(&start, seed * 2750159, 2.2);
        for (int reversed = 0; reversed < 2; ++reversed) {
            dem_world *world = open_world(DEM_ARM_RADIUS, 0.0);
            dem_wall wall;
            MUST(dem_wall_init(&wall));
            wall.id = reversed ? CLOUD_WALL_LOW : CLOUD_WALL;
            wall.point[2] = -0.5 * start.edge;
            wall.velocity[0] = 0.5; /* rubs */
            wall.velocity[2] = 3.0; /* and overtakes the lowest layer */
            MUST(dem_wall_add(world, &wall, NULL));
            end[reversed] = start;
            cloud_add(world, &start, reversed);
            scene_step(world, cloud_step(&start), STEPS);
            cloud_read(world, &end[reversed], reversed);
            dem_world_destroy(world);
        }
        worst = fmax(worst, difference(&end[0], &end[1]));
    }
    ledger_below(l, CONSERVATION, "difference", worst, 1e-10);
}
