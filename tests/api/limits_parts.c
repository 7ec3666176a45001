/* SPDX-License-Identifier: MIT */
/**
 * @file limits_parts.c
 * The limit on the time step of models in parts, with parameters at random: each normal part with
 * each tangential or twisting part behind it, at the overlap of the speed that was asked for. Just
 * below the limit a small movement does not grow; just above it dem_step refuses, or it grows.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"
#include "../support/scene.h"

#include <math.h>

enum { STEPS = 500, LATE = 400, MODELS = 40 };

/** A model, its sphere on a wall, and the speed whose overlap is the sphere's. */
typedef struct trial {
    const char *normal, *second; /* names, for messages */
    dem_contact_model model;
    double mass, radius, speed, overlap;
    int32_t scheme;
    int twists; /* the movement is a spin about the normal */
    int sharp;  /* the contact has the slope that the limit assumes: above it the movement grows */
    union {
        dem_hooke hooke;
        dem_hertz hertz;
        dem_adhesion adhesion;
        dem_luding luding;
        dem_walton_braun walton_braun;
        dem_thornton thornton;
        dem_actm actm;
    } first_of;
    union {
        dem_friction friction;
        dem_mindlin mindlin;
        dem_twisting_marshall marshall;
    } second_of;
} trial;

/** Log-uniform. */
static double within(test_random *r, double low, double high)
{
    return low * pow(high / low, test_uniform(r, 0.0, 1.0));
}

static double hertz_overlap(const trial *t, double effective_young)
{
    return dem_kernel_overlap_hertz(effective_young, t->radius, t->mass, t->speed);
}

enum { HOOKE, HERTZ, HERTZ_DASHPOT, JKR, DMT, LUDING, WALTON_BRAUN, THORNTON, ACTM, NORMALS };
enum { FRICTION, MINDLIN, MINDLIN_FACTOR, MARSHALL, SECONDS };

static void normal_part(trial *t, int which, test_random *r)
{
    const double young = within(r, 1e5, 1e9),
                 effective = dem_kernel_effective_young(young, 0.3, young, 0.3);
    /* an overlap of 1e-6 to 1e-3 radii */
    const double depth = within(r, 1e-6, 1e-3) * t->radius, stiffness = within(r, 1e2, 1e7);
    const double elastic =
        sqrt(16.0 / 15.0 * effective * sqrt(t->radius) * pow(depth, 2.5) / t->mass);
    const double restitution = test_uniform(r, 0.0, 1.0) < 0.2 ? 1.0 : within(r, 0.05, 1.0);
    const double dashpot = within(r, 1e-3, 3.0) * sqrt(t->mass * stiffness);
    t->sharp = 1;
    OK(dem_contact_model_init(&t->model));
    if (which == HOOKE) {
        dem_hooke *p = &t->first_of.hooke;
        OK(dem_hooke_init(p));
        p->stiffness_normal = stiffness;
        p->restitution = restitution;
        t->normal = DEM_LAW_HOOKE;
        t->overlap = depth;
        t->speed = depth * sqrt(stiffness / t->mass);
        OK(dem_contact_model_add_hooke(&t->model, p));
    } else if (which == HERTZ || which == HERTZ_DASHPOT) {
        dem_hertz *p = &t->first_of.hertz;
        OK(dem_hertz_init(p));
        p->young[0] = young;
        p->restitution = restitution;
        t->normal = DEM_LAW_HERTZ;
        if (which == HERTZ_DASHPOT) {
            p->damping = DEM_HERTZ_DAMPING_COEFFICIENT;
            p->damping_normal =
                within(r, 1e-2, 2.0) * sqrt(t->mass * 2.0 * effective * sqrt(t->radius * depth));
        }
        t->speed = elastic;
        t->overlap = hertz_overlap(t, effective);
        OK(dem_contact_model_add_hertz(&t->model, p));
    } else if (which == JKR || which == DMT) {
        dem_adhesion *p = &t->first_of.adhesion;
        OK(dem_adhesion_init(p));
        p->young[0] = young;
        p->restitution = restitution;
        /* it sticks with an overlap of about the given one; at speed 0 it is at touch */
        p->work_of_adhesion = effective * sqrt(pow(depth, 3.0) / t->radius);
        t->normal = which == JKR ? DEM_LAW_JKR : DEM_LAW_DMT;
        t->speed = test_uniform(r, 0.0, 1.0) < 0.5 ? 0.0 : elastic;
        t->overlap = t->speed > 0.0 ? hertz_overlap(t, effective) : depth;
        t->sharp = 0;
        if (which == JKR)
            OK(dem_contact_model_add_jkr(&t->model, p));
        else
            OK(dem_contact_model_add_dmt(&t->model, p));
    } else if (which == LUDING) {
        dem_luding *p = &t->first_of.luding;
        OK(dem_luding_init(p));
        p->stiffness_loading = stiffness;
        p->stiffness_unloading = stiffness * within(r, 1.0, 5.0);
        p->damping_normal = dashpot;
        t->normal = DEM_LAW_LUDING;
        t->overlap = depth;
        t->speed = depth * sqrt(stiffness / t->mass);
        t->sharp = 0; /* friction's dashpot is one beside the weakest slope */
        OK(dem_contact_model_add_luding(&t->model, p));
    } else if (which == WALTON_BRAUN) {
        dem_walton_braun *p = &t->first_of.walton_braun;
        OK(dem_walton_braun_init(p));
        p->stiffness_loading = stiffness;
        p->restitution = within(r, 0.3, 1.0);
        p->damping_normal = dashpot;
        t->normal = DEM_LAW_WALTON_BRAUN;
        t->overlap = depth;
        t->speed = depth * sqrt(stiffness / t->mass);
        OK(dem_contact_model_add_walton_braun(&t->model, p));
    } else if (which == THORNTON) {
        dem_thornton *p = &t->first_of.thornton;
        OK(dem_thornton_init(p));
        p->young[0] = young;
        p->restitution = restitution;
        p->yield_pressure = 1e3 * young;
        t->normal = DEM_LAW_THORNTON;
        t->speed = elastic;
        t->overlap = hertz_overlap(t, effective);
        OK(dem_contact_model_add_thornton(&t->model, p));
    } else {
        dem_actm *p = &t->first_of.actm;
        OK(dem_actm_init(p));
        p->young[0] = 1e15;
        p->restitution = restitution;
        p->contact_time = within(r, 1e-4, 1e-2);
        /* an impact of the floor's speed is so deep: overlap 1.25^(2/5) u s */
        double lambda, tau;
        OK(dem_collision_inverse(restitution, &lambda, &tau));
        t->speed = p->speed_floor = depth * tau / p->contact_time;
        t->overlap = pow(1.25, 0.4) * depth;
        t->normal = DEM_LAW_ACTM;
        OK(dem_contact_model_add_actm(&t->model, p));
    }
}

static void second_part(trial *t, int which, test_random *r)
{
    t->twists = which == MARSHALL;
    if (which == FRICTION) {
        dem_friction *p = &t->second_of.friction;
        OK(dem_friction_init(p));
        p->stiffness_tangential = within(r, 1e2, 1e7);
        p->friction = 1e9;
        p->damping_tangential = within(r, 0.1, 30.0);
        t->second = DEM_LAW_FRICTION;
        OK(dem_contact_model_add_friction(&t->model, p));
    } else if (which == MARSHALL) {
        dem_twisting_marshall *p = &t->second_of.marshall;
        OK(dem_twisting_marshall_init(p));
        p->stiffness_tangential =
            test_uniform(r, 0.0, 1.0) < 0.3 && strcmp(t->normal, DEM_LAW_HERTZ) == 0
                ? 0.0
                : within(r, 1e8, 1e13);
        p->friction = 1e12;
        p->damping_tangential = within(r, 1.0, 1e6);
        t->second = DEM_LAW_TWISTING_MARSHALL;
        OK(dem_contact_model_add_twisting_marshall(&t->model, p));
    } else {
        dem_mindlin *p = &t->second_of.mindlin;
        OK(dem_mindlin_init(p));
        p->friction = 1e9;
        p->stiffness_factor = within(r, 0.3, 30.0);
        p->restitution = within(r, 0.05, 1.0);
        if (which == MINDLIN_FACTOR) {
            p->damping = DEM_MINDLIN_DAMPING_FACTOR;
            p->restitution = 0.0;
            p->damping_factor = within(r, 0.1, 30.0);
        }
        t->second = DEM_LAW_MINDLIN;
        OK(dem_contact_model_add_mindlin(&t->model, p));
    }
}

/** A world with the sphere on a wall, pushed down by a force. */
static dem_world *world_of(const trial *t, const dem_contact_model *model, double force,
                           dem_particle_handle *handle)
{
    dem_world_config config;
    dem_world *world = NULL;
    dem_wall wall;
    const double push[3] = {0.0, 0.0, -force};
    OK(dem_world_config_init(&config));
    config.integrator = t->scheme;
    config.overlap_limit = 1.0;
    OK(dem_world_create(&config, &world, NULL));
    if (dem_contact_model_set(world, 0, 0, model) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, NULL));
    dem_particle p = scene_particle(0.0, 0.0, t->radius - t->overlap);
    p.radius = t->radius;
    p.mass = t->mass;
    OK(dem_particle_add(world, &p, handle));
    OK(dem_particle_set_force(world, *handle, push, NULL));
    return world;
}

static double advised(dem_world *world, double speed)
{
    dem_timestep_request request;
    dem_timestep_advice a = {.struct_size = sizeof a};
    OK(dem_timestep_request_init(&request));
    request.speed = speed;
    OK(dem_world_timestep_advise(world, &request, &a));
    return a.stability;
}

static dem_particle sphere_of(const dem_world *world, dem_particle_handle handle)
{
    dem_particle p = {.struct_size = sizeof p};
    OK(dem_particle_get(world, handle, &p));
    return p;
}

/** What the sphere at rest is pushed up by. */
static double carried(const trial *t, double dt)
{
    dem_particle_handle handle;
    trial here = *t;
    here.scheme = DEM_INTEGRATOR_VERLET_SYNC; /* velocities of leapfrog are half a step behind */
    dem_world *world = world_of(&here, &t->model, 0.0, &handle);
    OK(dem_step(world, dt, 1));
    const double force = sphere_of(world, handle).velocity[2] * t->mass / dt;
    dem_world_destroy(world);
    return force;
}

/** Late movement over early movement of a sphere at rest with a small spin or a small velocity
 * along the wall; -1 if dem_step refuses dt. */
static double growth(const trial *t, double force, double dt)
{
    dem_particle_handle handle;
    dem_world *world = world_of(t, &t->model, force, &handle);
    dem_particle p = sphere_of(world, handle);
    const double small = 1e-9 * t->radius / dt;
    double early = 0.0, late = 0.0;
    p.velocity[0] = t->twists ? 0.0 : small;
    p.angular_velocity[2] = t->twists ? small / t->radius : 0.0;
    OK(dem_particle_set_motion(world, handle, NULL, p.velocity, p.angular_velocity));
    for (int n = 0; n < STEPS && late < 1e4 * small; ++n) {
        const dem_status status = dem_step(world, dt, 1);
        if (status == DEM_ERROR_RANGE && n == 0 && strstr(dem_world_error(world), "dem_step dt")) {
            dem_world_destroy(world);
            return -1.0;
        }
        if (status != DEM_OK)
            break; /* it has left */
        p = sphere_of(world, handle);
        const double moves = t->twists ? fabs(p.angular_velocity[2]) * t->radius
                                       : fabs(p.velocity[0] - t->radius * p.angular_velocity[1]);
        early = n < 3 && moves > early ? moves : early;
        late = (n >= LATE || moves > 1e3 * small) && moves > late ? moves : late;
    }
    dem_world_destroy(world);
    return late / small;
}

/** The number of models whose second part alone set the limit. */
static int pairs_of(int normal, int second, test_random *r)
{
    int bound = 0;
    for (int n = 0; n < MODELS; ++n) {
        trial t;
        memset(&t, 0, sizeof t);
        t.mass = within(r, 1e-6, 1.0);
        t.radius = within(r, 1e-3, 1.0);
        t.scheme = (int32_t)(5.0 * test_uniform(r, 0.0, 1.0));
        normal_part(&t, normal, r);
        const dem_contact_model alone = t.model;
        second_part(&t, second, r);
        dem_particle_handle handle;
        dem_world *world = world_of(&t, &alone, 0.0, &handle);
        const double without = advised(world, t.speed);
        dem_world_destroy(world);
        world = world_of(&t, &t.model, 0.0, &handle);
        const double limit = advised(world, t.speed), at_rest = advised(world, 0.0);
        /* what dem_step refuses is what is advised for bodies at rest */
        if (at_rest > 0.0) {
            assert_int_equal(dem_step(world, 1.000001 * at_rest, 1), DEM_ERROR_RANGE);
            OK(dem_step(world, 1e-6 * limit, 1));
        }
        dem_world_destroy(world);
        const double force = carried(&t, 1e-6 * limit);
        const double below = growth(&t, force, 0.97 * limit),
                     above = growth(&t, force, 1.08 * limit);
        if (!(below >= 0.0 && below < 30.0))
            fail_msg("%s, %s, model %d, scheme %d: grows %g times below %g s (%g s without)",
                     t.normal, t.second, n, (int)t.scheme, below, limit, without);
        /* the dashpot of friction after Hertz's law does not depend on the overlap */
        if (second == FRICTION && (normal == HERTZ || normal == THORNTON) &&
            at_rest < 0.9 * without) {
            const double rest = growth(&t, force, 0.97 * at_rest);
            if (!(rest >= 0.0 && rest < 30.0))
                fail_msg("%s, %s, model %d: grows %g times below %g s, which is not refused",
                         t.normal, t.second, n, rest, at_rest);
        }
        if (!(limit < 0.9 * without || without == 0.0))
            continue;
        ++bound;
        if (t.sharp && !(above == -1.0 || above > 100.0))
            fail_msg("%s, %s, model %d, scheme %d: grows %g times above %g s", t.normal, t.second,
                     n, (int)t.scheme, above, limit);
    }
    return bound;
}

static void second_parts(void **state)
{
    (void)state;
    test_random r = test_random_start("second_parts");
    for (int normal = 0; normal < NORMALS; ++normal)
        for (int second = 0; second < SECONDS; ++second) {
            const int elastic =
                normal != HOOKE && normal != LUDING && normal != WALTON_BRAUN && normal != ACTM;
            if ((second == MINDLIN || second == MINDLIN_FACTOR) && !elastic)
                continue;
            /* "hooke" with a twisting part takes k_t as given, too */
            assert_true(pairs_of(normal, second, &r) > MODELS / 10);
        }
}

/* ------------------------------------------------------------------ actm in steps, under a load */

/** Greatest late speed of a sphere that rests under the load of the model, over that of one step
 * of the load; -1 if dem_step refuses. The first half step, before the contact has a k, is made
 * good by the velocity at the start. */
static double rests(const trial *t, const dem_actm *p, double dt)
{
    double lambda, tau, k, d;
    OK(dem_collision_inverse(p->restitution, &lambda, &tau));
    const double young = dem_kernel_effective_young(p->young[0], 0.3, p->young[0], 0.3),
                 capped = p->overlap_cap * t->radius, a = p->load_acceleration;
    (void)dem_kernel_actm(t->mass, p->speed_floor, lambda, p->contact_steps * dt / tau,
                          a * t->mass / pow(capped, 1.5), 4.0 / 3.0 * young * sqrt(t->radius), &k,
                          &d);
    trial here = *t;
    here.overlap = pow(a * t->mass / k, 2.0 / 3.0);
    dem_particle_handle handle;
    dem_world *world = world_of(&here, &t->model, a * t->mass, &handle);
    const double up[3] = {0.0, 0.0, 0.5001 * a * dt}, none[3] = {0.0, 0.0, 0.0};
    OK(dem_particle_set_motion(world, handle, NULL, up, none));
    double late = 0.0;
    for (int n = 0; n < 4000; ++n) {
        const dem_status status = dem_step(world, dt, 1);
        if (status != DEM_OK) {
            dem_world_destroy(world);
            return n == 0 ? -1.0 : INFINITY;
        }
        const double v = fabs(sphere_of(world, handle).velocity[2]);
        late = n >= 3000 && v > late ? v : late;
    }
    dem_world_destroy(world);
    return late / (a * dt);
}

/* A load bounds k from below, so that a contact in steps has a limit, too, which is advised and
 * refused: below it the sphere comes to rest. */
static void actm_steps(void **state)
{
    (void)state;
    test_random r = test_random_start("actm_steps");
    for (int n = 0; n < 60; ++n) {
        trial t;
        memset(&t, 0, sizeof t);
        t.normal = DEM_LAW_ACTM;
        t.scheme = DEM_INTEGRATOR_VERLET_SYNC;
        t.mass = within(&r, 1e-6, 1.0);
        t.radius = within(&r, 1e-3, 1.0);
        dem_actm p;
        OK(dem_actm_init(&p));
        p.restitution = within(&r, 0.3, 0.8);
        p.contact_steps = within(&r, 8.0, 40.0);
        p.load_acceleration = within(&r, 1.0, 1e4);
        p.overlap_cap = within(&r, 1e-3, 0.05);
        /* the upper bound of k from a fifth to a million times the lower one */
        p.young[0] = 2.0 * 0.91 * 0.75 / sqrt(t.radius) * p.load_acceleration * t.mass /
                     pow(p.overlap_cap * t.radius, 1.5) * within(&r, 0.2, 1e6);
        /* from what suits down to where the limit is at a k above the lower bound */
        p.speed_floor =
            sqrt(p.load_acceleration * p.overlap_cap * t.radius) * within(&r, 1e-8, 1.0);
        OK(dem_contact_model_init(&t.model));
        OK(dem_contact_model_add_actm(&t.model, &p));
        dem_particle_handle handle;
        dem_world *world = world_of(&t, &t.model, 0.0, &handle);
        const double limit = advised(world, 0.0);
        dem_world_destroy(world);
        assert_true(limit > 0.0);
        const double below = rests(&t, &p, 0.95 * limit), above = rests(&t, &p, 1.0001 * limit);
        if (!(below >= 0.0 && below < 1e-5 && above == -1.0))
            fail_msg("model %d: %g below %g s, %g above", n, below, limit, above);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_parts),
        cmocka_unit_test(actm_steps),
    };
    return cmocka_run_group_tests_name("limits of parts", tests, NULL, NULL);
}
