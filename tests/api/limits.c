/* SPDX-License-Identifier: MIT */
/**
 * @file limits.c
 * Limits on the time step: what dem_step refuses, that this is where the scheme becomes unstable,
 * what is advised, and reading back what a model came to.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"
#include "../support/sized.h"

#include <math.h>

static const double K = 1e4, MASS = 1e-3, PI = 3.14159265358979323846;

static dem_linear law(double restitution, double friction)
{
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = K;
    linear.restitution = restitution;
    linear.friction = friction;
    return linear;
}

static void set(dem_world *world, int32_t a, int32_t b, const dem_linear *linear)
{
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_LINEAR_CSDS, .parameters = linear};
    OK(dem_contact_model_set(world, a, b, &model));
}

static dem_world *empty_of(int32_t integrator, int32_t materials)
{
    dem_world_config config;
    dem_world *world = NULL;
    OK(dem_world_config_init(&config));
    config.integrator = integrator;
    config.material_count = materials;
    OK(dem_world_create(&config, &world, NULL));
    return world;
}

static dem_world *empty(int32_t materials)
{
    return empty_of(DEM_INTEGRATOR_VERLET_SYNC, materials);
}

static dem_particle_handle add(dem_world *world, uint64_t id, double mass, int32_t material,
                               int32_t mobility)
{
    dem_particle p = scene_particle(3.0 * (double)id, 0.0, 2.0);
    dem_particle_handle handle;
    p.id = id;
    p.mass = mass;
    p.material = material;
    p.mobility = mobility;
    OK(dem_particle_add(world, &p, &handle));
    return handle;
}

/** The greatest dt that is not refused, to 1e-9, by bisection; nothing moves. */
static double found(dem_world *world)
{
    double low = 1e-12, high = 1e3;
    while (high / low > 1.0 + 1e-9) {
        const double dt = sqrt(low * high);
        const uint64_t before = scene_hash(world);
        const dem_status status = dem_step(world, dt, 1);
        if (status == DEM_OK) {
            low = dt;
        } else {
            assert_int_equal(status, DEM_ERROR_RANGE);
            assert_non_null(strstr(dem_world_error(world), "dt"));
            assert_true(scene_hash(world) == before);
            high = dt;
        }
    }
    return low;
}

static void near(double value, double want)
{
    if (!(fabs(value - want) <= 1e-8 * want))
        fail_msg("%.12g is not %.12g", value, want);
}

static void refused(void **state)
{
    (void)state;
    /* spring alone, with friction: 2/omega, and the same tangentially for k_t = 2/7 k_n */
    dem_world *world = empty(3);
    dem_linear linear = law(1.0, 0.5);
    set(world, 0, 0, &linear);
    add(world, 1, MASS, 0, DEM_MOBILITY_FREE);
    OK(dem_step(world, 1e9, 1)); /* nobody to collide with */
    const dem_particle_handle second = add(world, 2, MASS, 0, DEM_MOBILITY_FREE);
    near(found(world), 2.0 * sqrt(0.5 * MASS / K));
    assert_non_null(strstr(dem_world_error(world), "linear-csds"));
    assert_non_null(strstr(dem_world_error(world), "1 and 2"));
    /* a heavier one changes nothing, a lighter one does, until it goes */
    add(world, 3, 10.0 * MASS, 0, DEM_MOBILITY_FREE);
    near(found(world), 2.0 * sqrt(0.5 * MASS / K));
    const dem_particle_handle light = add(world, 4, 0.1 * MASS, 0, DEM_MOBILITY_FREE);
    near(found(world), 2.0 * sqrt(MASS * 0.1 / 1.1 / K));
    OK(dem_particle_remove(world, light));
    near(found(world), 2.0 * sqrt(0.5 * MASS / K));
    OK(dem_particle_remove(world, second));
    near(found(world), 2.0 * sqrt(MASS * 10.0 / 11.0 / K));
    /* no steps, no check; the limit is found after it all the same */
    add(world, 5, 0.01 * MASS, 0, DEM_MOBILITY_FREE);
    OK(dem_step(world, 1e-3, 0));
    near(found(world), 2.0 * sqrt(MASS * 0.01 / 1.01 / K));
    dem_world_destroy(world);

    /* dashpot: eta dt/m* < 1 - (omega dt)^2/4; a wall and a fixed sphere weigh nothing */
    world = empty(2);
    linear = law(1.0, 0.0);
    linear.damping = DEM_DAMPING_COEFFICIENT;
    linear.damping_normal = 50.0;
    set(world, 0, 1, &linear);
    add(world, 1, MASS, 0, DEM_MOBILITY_FREE);
    add(world, 2, MASS, 1, DEM_MOBILITY_FIXED);
    const double rate = 50.0 / MASS;
    near(found(world), 2.0 / (rate + sqrt(rate * rate + K / MASS)));
    linear.damping_normal = 1e9; /* the dashpot alone */
    set(world, 0, 1, &linear);
    near(found(world), MASS / 1e9);
    /* tangentially solid spheres weigh 2/7 of m* */
    linear.damping_normal = 0.0;
    linear.damping_tangential = 1e6;
    set(world, 0, 1, &linear);
    near(found(world), 2.0 * sqrt(MASS / K));
    linear.friction = 0.1;
    set(world, 0, 1, &linear);
    near(found(world), 2.0 / 7.0 * MASS / 1e6);
    dem_world_destroy(world);

    /* two fixed ones never move each other */
    world = empty(1);
    linear = law(0.5, 0.5);
    set(world, 0, 0, &linear);
    add(world, 1, MASS, 0, DEM_MOBILITY_FIXED);
    add(world, 2, MASS, 0, DEM_MOBILITY_FIXED);
    OK(dem_step(world, 1e9, 1));
    dem_world_destroy(world);
}

/** Greatest overlap of a sphere pressed against one of infinite mass, after many steps of the
 * synchronized scheme at level 1, over the static overlap. */
static double swing(double damping, double dt)
{
    dem_contact_history_config config;
    dem_contact_history *history = NULL;
    dem_integrator_config scheme;
    dem_integrator *integrator = NULL;
    dem_integrator_arrays arrays;
    dem_contacts_input in;
    dem_contact_model model;
    dem_linear linear = law(1.0, 0.0);
    static const uint32_t pairs[2] = {0, 1};
    const double push = 1.0, rest = push / K;
    double x[6] = {1.0 - rest * 1.001, 0.0, 0.0, -1.0, 0.0, 0.0}, v[6] = {0.0}, f[6] = {0.0};
    const double mass[2] = {MASS, 0.0}, radius[2] = {1.0, 1.0};
    linear.damping = DEM_DAMPING_COEFFICIENT;
    linear.damping_normal = damping;
    linear.normal = DEM_NORMAL_ATTRACTIVE;
    OK(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_LINEAR_CSDS, .parameters = &linear};
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &history, NULL));
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    OK(dem_integrator_config_init(&scheme));
    OK(dem_integrator_create(&scheme, &integrator, NULL));
    OK(dem_integrator_arrays_init(&arrays));
    arrays.count = 2;
    arrays.position = x;
    arrays.velocity = v;
    arrays.force = f;
    arrays.mass = mass;
    OK(dem_contacts_input_init(&in));
    in.particle_count = 2;
    in.position = x;
    in.velocity = v;
    in.radius = radius;
    in.mass = mass;
    in.pair_count = 1;
    in.pairs = pairs;
    in.dt = dt;
    in.velocity_lag = 0.5 * dt;
    in.force = f;
    double worst = 0.0;
    f[0] = 0.001 * push; /* the force at the start */
    for (int n = 0; n < 4000 && worst < 1.0; ++n) {
        OK(dem_integrator_begin(integrator, &arrays, dt));
        OK(dem_integrator_accelerations(integrator, &in.acceleration, &in.angular_acceleration));
        memset(f, 0, sizeof f);
        OK(dem_contacts_evaluate(history, &in, NULL));
        f[0] -= push;
        OK(dem_integrator_end(integrator, &arrays));
        worst = fmax(worst, fabs(x[0] - (1.0 - rest)) / rest);
    }
    dem_integrator_destroy(integrator);
    dem_contact_history_destroy(history);
    return worst;
}

/** Springs and dashpots for which k/m or the square of eta/m is no double have a limit, too. */
static void stiffest(void **state)
{
    (void)state;
    const double eta[] = {0.0, 1e160, 1e300, 0.0}, gamma[] = {1e160, 0.0, 0.0, 0.0},
                 stiffness[] = {K, K, K, 1e308};
    const double limit[] = {1e-160 * MASS / 7.0, 0.5e-160 * MASS, 0.5e-300 * MASS,
                            2.0 * sqrt(0.5 * MASS) * 1e-154};
    for (int k = 0; k < 4; ++k) {
        dem_world *world = empty(1);
        dem_linear linear = law(1.0, 0.5);
        linear.damping = DEM_DAMPING_COEFFICIENT;
        linear.damping_normal = eta[k];
        linear.damping_tangential = gamma[k];
        linear.stiffness_normal = stiffness[k];
        set(world, 0, 0, &linear);
        add(world, 1, MASS, 0, DEM_MOBILITY_FREE);
        add(world, 2, MASS, 0, DEM_MOBILITY_FREE);
        dem_timestep_advice told = {.struct_size = sizeof told};
        OK(dem_world_timestep_advise(world, NULL, &told));
        near(told.stability, limit[k]);
        assert_int_equal(dem_step(world, 1e-9, 1), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_world_error(world), "linear-csds"));
        assert_int_equal(dem_step(world, 1.01 * limit[k], 1), DEM_ERROR_RANGE);
        OK(dem_step(world, 0.99 * limit[k], 1));
        dem_world_destroy(world);
    }
}

/* The limit is where the scheme blows up, for any share of spring and dashpot. */
static void unstable(void **state)
{
    (void)state;
    const double damping[] = {0.0, 0.5, 2.0, 10.0, 100.0};
    for (size_t n = 0; n < sizeof damping / sizeof damping[0]; ++n) {
        const double rate = damping[n] / MASS;
        const double limit = 2.0 / (rate + sqrt(rate * rate + K / MASS));
        const double below = swing(damping[n], 0.98 * limit);
        const double above = swing(damping[n], 1.02 * limit);
        if (!(below < 0.02 && above >= 0.5))
            fail_msg("eta %g: %g below, %g above", damping[n], below, above);
    }
}

/* ------------------------------------------------------------------ all schemes of worlds */

/** A law of spring and dashpot that may pull and names no limit, so that no dt is refused. */
typedef struct bare {
    double stiffness, damping;
} bare;

static dem_status bare_combine(void *user, const void *parameters, dem_pair_properties *pair,
                               void *combined, dem_error *error)
{
    (void)user;
    (void)pair;
    (void)error;
    memcpy(combined, parameters, sizeof(bare));
    return DEM_OK;
}

static dem_status bare_evaluate(void *user, uint64_t n, dem_contact_batch *batch,
                                const void *combined)
{
    (void)user;
    bare c;
    memcpy(&c, combined, sizeof c);
    for (uint64_t k = 0; k < n; ++k)
        batch->force_normal[k] =
            c.stiffness * batch->overlap[k] - c.damping * batch->velocity_normal[k];
    return DEM_OK;
}

/** A sphere at height z that a force presses on a wall. */
static dem_particle_handle pressed(dem_world *world, double z, double force)
{
    const double push[3] = {0.0, 0.0, -force};
    dem_wall wall;
    dem_particle p = scene_particle(0.0, 0.0, z);
    dem_particle_handle handle;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, NULL));
    p.mass = MASS;
    OK(dem_particle_add(world, &p, &handle));
    OK(dem_particle_set_force(world, handle, push, NULL));
    return handle;
}

/** The greatest distance of the sphere from its rest over `unit`; ends where it is `most`. */
static double swing_of(dem_world *world, dem_particle_handle handle, double dt, double rest,
                       double unit, double most)
{
    dem_particle p;
    double worst = 0.0;
    OK(dem_particle_init(&p));
    for (int n = 0; n < 4000 && worst < most; ++n) {
        OK(dem_step(world, dt, 1));
        OK(dem_particle_get(world, handle, &p));
        worst = fmax(worst, fabs(p.position[2] - rest) / unit);
    }
    return worst;
}

/** As swing(), in a world of a scheme. */
static double world_swing(int32_t integrator, double damping, double dt)
{
    dem_world *world = empty_of(integrator, 1);
    dem_law row;
    dem_contact_model model;
    const bare parameters = {K, damping};
    OK(dem_law_init(&row));
    row.name = "bare";
    row.version = 1;
    row.kind = DEM_LAW_WHOLE;
    row.parameters_size = row.combined_size = sizeof(bare);
    row.combine = bare_combine;
    row.evaluate = bare_evaluate;
    OK(dem_world_law_register(world, &row));
    OK(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = "bare", .parameters = &parameters};
    OK(dem_contact_model_set(world, 0, 0, &model));
    const double rest = 0.5 - 1.0 / K;
    const dem_particle_handle handle = pressed(world, rest + 1e-3 / K, 1.0);
    const double worst = swing_of(world, handle, dt, rest, 1.0 / K, 1.0);
    dem_world_destroy(world);
    return worst;
}

/* Where dashpots see the velocities that moved the positions they count half. dem_step refuses and
 * dem_world_timestep_advise names what is unstable, and no more. */
static void unstable_worlds(void **state)
{
    (void)state;
    const double damping[] = {0.0, 2.0, 10.0, 100.0};
    for (int32_t scheme = 0; scheme <= DEM_INTEGRATOR_SYMPLECTIC_EULER; ++scheme) {
        const int extrapolates =
            scheme == DEM_INTEGRATOR_VERLET_SYNC || scheme == DEM_INTEGRATOR_LEAPFROG;
        for (size_t n = 0; n < sizeof damping / sizeof damping[0]; ++n) {
            const double rate = (extrapolates ? 1.0 : 0.5) * damping[n] / MASS;
            const double limit = 2.0 / (rate + sqrt(rate * rate + K / MASS));
            const double below = world_swing(scheme, damping[n], 0.98 * limit);
            const double above = world_swing(scheme, damping[n], 1.02 * limit);
            if (!(below < 0.02 && above >= 0.5))
                fail_msg("scheme %d, eta %g: %g below, %g above", (int)scheme, damping[n], below,
                         above);
            dem_world *world = empty_of(scheme, 2);
            dem_linear linear = law(1.0, 0.0);
            linear.damping = DEM_DAMPING_COEFFICIENT;
            linear.damping_normal = damping[n];
            set(world, 0, 1, &linear);
            add(world, 1, MASS, 0, DEM_MOBILITY_FREE);
            add(world, 2, MASS, 1, DEM_MOBILITY_FIXED);
            dem_timestep_advice a = {.struct_size = sizeof a};
            OK(dem_world_timestep_advise(world, NULL, &a));
            near(a.stability, limit);
            near(found(world), limit);
            dem_world_destroy(world);
        }
    }
}

/** As world_swing(), of a sphere with Hertz's law that lies `overlap` deep on a wall: the greatest
 * distance from there over the first one. limit: what the world names for an impact as deep. */
static double hertz_swing(int32_t integrator, double restitution, double overlap, double of_limit,
                          double *limit)
{
    dem_world *world = empty_of(integrator, 1);
    dem_hertz hertz;
    dem_contact_model model;
    dem_timestep_request request;
    dem_timestep_advice a = {.struct_size = sizeof a};
    const double effective = 1e5 / (2.0 * 0.91), spring = 4.0 / 3.0 * effective * sqrt(0.5),
                 rest = 0.5 - overlap, first = 1e-6 * overlap;
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = 1e5;
    hertz.poisson[0] = 0.3;
    hertz.damping = restitution < 1.0 ? DEM_HERTZ_DAMPING_RESTITUTION : DEM_HERTZ_DAMPING_NONE;
    hertz.restitution = restitution;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_hertz(&model, &hertz));
    OK(dem_contact_model_set(world, 0, 0, &model));
    const dem_particle_handle handle = pressed(world, rest + first, spring * pow(overlap, 1.5));
    OK(dem_timestep_request_init(&request));
    request.speed = sqrt(0.8 * spring * pow(overlap, 2.5) / MASS);
    OK(dem_world_timestep_advise(world, &request, &a));
    *limit = a.stability;
    const double worst = swing_of(world, handle, of_limit * a.stability, rest, first, 1e3);
    dem_world_destroy(world);
    return worst;
}

/* The limit of a law whose spring stiffens is that of the slope where an impact is deepest. */
static void unstable_hertz(void **state)
{
    (void)state;
    const double restitutions[] = {1.0, 0.7, 0.3};
    for (int32_t scheme = 0; scheme <= DEM_INTEGRATOR_SYMPLECTIC_EULER; ++scheme)
        for (int k = 0; k < 3; ++k) {
            double limit, slope = 2.0 * 1e5 / (2.0 * 0.91) * sqrt(0.5 * 1e-3);
            const double below = hertz_swing(scheme, restitutions[k], 1e-3, 0.98, &limit),
                         above = hertz_swing(scheme, restitutions[k], 1e-3, 1.02, &limit);
            if (!(below < 20.0 && above >= 1e3))
                fail_msg("scheme %d, e %g: %g below, %g above", (int)scheme, restitutions[k], below,
                         above);
            if (k == 0)
                near(limit, 2.0 * sqrt(MASS / slope));
        }
}

/** What a world of a scheme names as the limit of two spheres of a model at 2 m/s. */
static double stability(int32_t scheme, const char *first, const void *of_first, const char *second,
                        const void *of_second)
{
    dem_world *world = empty_of(scheme, 1);
    dem_contact_model model;
    dem_timestep_request request;
    dem_timestep_advice a = {.struct_size = sizeof a};
    OK(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = first, .parameters = of_first};
    model.parts[1] = (dem_contact_part){.law = second, .parameters = of_second};
    if (dem_contact_model_set(world, 0, 0, &model) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    add(world, 1, MASS, 0, DEM_MOBILITY_FREE);
    add(world, 2, MASS, 0, DEM_MOBILITY_FREE);
    OK(dem_timestep_request_init(&request));
    request.speed = 2.0;
    OK(dem_world_timestep_advise(world, &request, &a));
    dem_world_destroy(world);
    return a.stability;
}

/* The dashpots of all laws that name a limit have the weight of the scheme: it is longer, but not
 * twice as long, with schemes that do not extrapolate; spring and dashpot have the formula. */
static void weights(void **state)
{
    (void)state;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_adhesion adhesion;
    dem_luding luding;
    dem_thornton thornton;
    dem_actm actm;
    dem_hooke hooke;
    dem_friction friction;
    dem_rolling rolling;
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_adhesion_init(&adhesion));
    OK(dem_luding_init(&luding));
    OK(dem_thornton_init(&thornton));
    OK(dem_actm_init(&actm));
    OK(dem_hooke_init(&hooke));
    OK(dem_friction_init(&friction));
    OK(dem_rolling_init(&rolling));
    hertz.young[0] = adhesion.young[0] = thornton.young[0] = 1e7;
    hertz.restitution = adhesion.restitution = thornton.restitution = actm.restitution = 0.3;
    adhesion.work_of_adhesion = 0.1;
    thornton.yield_pressure = 1e5;
    luding.stiffness_loading = luding.stiffness_unloading = K;
    luding.damping_normal = 1.0;
    actm.contact_time = 1e-3;
    actm.speed_floor = 0.01;
    actm.young[0] = 1e9;
    const struct {
        const char *name[2];
        const void *parameters[2];
    } models[] = {
        {{DEM_LAW_HERTZ, NULL}, {&hertz, NULL}},
        {{DEM_LAW_HERTZ, DEM_LAW_MINDLIN}, {&hertz, &mindlin}},
        {{DEM_LAW_JKR, NULL}, {&adhesion, NULL}},
        {{DEM_LAW_DMT, NULL}, {&adhesion, NULL}},
        {{DEM_LAW_LUDING, NULL}, {&luding, NULL}},
        {{DEM_LAW_THORNTON, NULL}, {&thornton, NULL}},
        {{DEM_LAW_ACTM, NULL}, {&actm, NULL}},
    };
    for (size_t n = 0; n < sizeof models / sizeof models[0]; ++n)
        for (int32_t scheme = 0; scheme <= DEM_INTEGRATOR_SYMPLECTIC_EULER; ++scheme) {
            const double sync =
                stability(DEM_INTEGRATOR_VERLET_SYNC, models[n].name[0], models[n].parameters[0],
                          models[n].name[1], models[n].parameters[1]);
            assert_true(sync > 0.0);
            const double other = stability(scheme, models[n].name[0], models[n].parameters[0],
                                           models[n].name[1], models[n].parameters[1]);
            if (scheme % 3 == 0)
                near(other, sync);
            else
                assert_true(other > 1.05 * sync && other < 2.0 * sync);
        }
    hooke.stiffness_normal = 0.01 * K;
    friction.stiffness_tangential = rolling.stiffness = 10.0 * K;
    friction.damping = DEM_DAMPING_COEFFICIENT;
    friction.damping_tangential = rolling.damping = 1.0;
    friction.friction = rolling.friction = 0.5;
    rolling.damping_ratio = 0.0;
    for (int32_t scheme = 0; scheme <= DEM_INTEGRATOR_SYMPLECTIC_EULER; ++scheme) {
        const double weight = scheme % 3 == 0 ? 1.0 : 0.5;
        const double slides = 2.0 / 7.0 * 0.5 * MASS, rolls = 0.4 * 0.5 * MASS;
        near(stability(scheme, DEM_LAW_HOOKE, &hooke, DEM_LAW_FRICTION, &friction),
             2.0 /
                 (weight / slides + sqrt(weight * weight / (slides * slides) + 10.0 * K / slides)));
        near(stability(scheme, DEM_LAW_HOOKE, &hooke, DEM_LAW_ROLLING_CSDS, &rolling),
             2.0 / (weight / rolls + sqrt(weight * weight / (rolls * rolls) + 10.0 * K / rolls)));
        /* a third of it as a number, the rest as a ratio */
        dem_rolling both = rolling;
        both.damping = 1.0 / 3.0;
        both.damping_ratio = 1.0 / (3.0 * sqrt(rolls * 10.0 * K));
        near(stability(scheme, DEM_LAW_HOOKE, &hooke, DEM_LAW_ROLLING_CSDS, &both),
             stability(scheme, DEM_LAW_HOOKE, &hooke, DEM_LAW_ROLLING_CSDS, &rolling));
    }
}

/* A tangential part without friction bears no force, so that it has no limit of its own. */
static void frictionless(void **state)
{
    (void)state;
    static const char *const laws[] = {DEM_LAW_MINDLIN, DEM_LAW_MINDLIN_DERESIEWICZ,
                                       DEM_LAW_MINDLIN_DERESIEWICZ_32, DEM_LAW_MINDLIN_THREE_CASE};
    dem_hertz hertz;
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = 1e7;
    hertz.restitution = 0.5;
    const double alone = stability(DEM_INTEGRATOR_VERLET_SYNC, DEM_LAW_HERTZ, &hertz, NULL, NULL);
    for (size_t n = 0; n < sizeof laws / sizeof laws[0]; ++n) {
        dem_mindlin mindlin;
        OK(dem_mindlin_init(&mindlin));
        assert_true(stability(DEM_INTEGRATOR_VERLET_SYNC, DEM_LAW_HERTZ, &hertz, laws[n],
                              &mindlin) < 0.9 * alone);
        mindlin.friction = 0.0;
        near(stability(DEM_INTEGRATOR_VERLET_SYNC, DEM_LAW_HERTZ, &hertz, laws[n], &mindlin),
             alone);
    }
}

/* Of bodies of one mass the larger ones have stiffer contacts, in whatever order they come. */
static void equally_light(void **state)
{
    (void)state;
    static const double radius[4] = {0.5, 0.5, 0.05, 0.05};
    for (int which = 0; which < 4; ++which) { /* bit 0: the other way round; bit 1: other units */
        const double length = which & 2 ? 0x1p-60 : 1.0;
        dem_world *world = empty(1);
        dem_hertz hertz;
        dem_contact_model model;
        dem_timestep_request r;
        dem_timestep_advice a = {.struct_size = sizeof a};
        OK(dem_hertz_init(&hertz));
        hertz.young[0] = 1e7 / length;
        hertz.poisson[0] = 0.0;
        OK(dem_contact_model_init(&model));
        OK(dem_contact_model_add_hertz(&model, &hertz));
        OK(dem_contact_model_set(world, 0, 0, &model));
        for (int k = 0; k < 4; ++k) {
            dem_particle_handle handle;
            dem_particle p = scene_particle(2.0 * k * length, 0.0, 0.0);
            const int n = which & 1 ? 3 - k : k;
            p.id = (uint64_t)n + 1;
            p.radius = radius[n] * length;
            p.mass = 1.0;
            OK(dem_particle_add(world, &p, &handle));
        }
        OK(dem_timestep_request_init(&r));
        r.speed = length;
        OK(dem_world_timestep_advise(world, &r, &a));
        const double young = 0.5 * hertz.young[0], shear = young, way = 4.0 / 3.0 * PI;
        near(a.contact, dem_kernel_contact_time_hertz(young, 0.25 * length, 0.5, length) / 40.0);
        assert_int_equal(a.contact_id[0] + a.contact_id[1], 3);
        near(a.rayleigh, 0.2 * PI * sqrt(1.0 / (way * 0.5 * length * shear)) / 0.8766);
        assert_true(a.rayleigh_id == 1 || a.rayleigh_id == 2);
        dem_world_destroy(world);
    }
}

/* The message names the part that sets the limit. */
static void blamed(void **state)
{
    (void)state;
    const double stiffness[2] = {1e-3 * K, 1e3 * K};
    for (int stiff = 0; stiff < 2; ++stiff) {
        dem_world *world = empty(1);
        dem_linear linear = law(1.0, 0.5);
        dem_rolling rolling;
        dem_contact_model model;
        OK(dem_rolling_init(&rolling));
        OK(dem_contact_model_init(&model));
        rolling.stiffness = stiffness[stiff];
        OK(dem_contact_model_add_linear_csds(&model, &linear));
        OK(dem_contact_model_add_rolling_csds(&model, &rolling));
        OK(dem_contact_model_set(world, 0, 0, &model));
        add(world, 1, MASS, 0, DEM_MOBILITY_FREE);
        add(world, 2, MASS, 0, DEM_MOBILITY_FREE);
        assert_int_equal(dem_step(world, 1.01 * 2.0 * sqrt(0.5 * MASS / K), 1), DEM_ERROR_RANGE);
        assert_non_null(
            strstr(dem_world_error(world), stiff ? "\"rolling-csds\"" : "\"linear-csds\""));
        dem_world_destroy(world);
    }
}

/* A plane is stiffer than a ball that is held. */
static void ball_and_plane(void **state)
{
    (void)state;
    dem_world *world = empty(1);
    dem_hertz hertz;
    dem_contact_model model;
    dem_wall wall;
    dem_timestep_request r;
    dem_timestep_advice a = {.struct_size = sizeof a};
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = 1e7;
    hertz.poisson[0] = 0.0;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_hertz(&model, &hertz));
    OK(dem_contact_model_set(world, 0, 0, &model));
    add(world, 1, 1.0, 0, DEM_MOBILITY_FREE);
    add(world, 2, 1.0, 0, DEM_MOBILITY_FIXED);
    OK(dem_timestep_request_init(&r));
    r.speed = 1.0;
    for (int plane = 0; plane < 2; ++plane) {
        OK(dem_world_timestep_advise(world, &r, &a));
        near(a.contact, dem_kernel_contact_time_hertz(5e6, plane ? 0.5 : 0.25, 1.0, 1.0) / 40.0);
        OK(dem_wall_init(&wall));
        wall.id = 10;
        if (!plane)
            OK(dem_wall_add(world, &wall, NULL));
    }
    dem_world_destroy(world);
}

static void advice(void **state)
{
    (void)state;
    dem_world *world = empty(2);
    dem_timestep_advice a = {.struct_size = sizeof a};
    dem_timestep_request r;
    OK(dem_timestep_request_init(&r));
    assert_true(r.steps_per_contact == 40.0 && r.speed == 0.0);
    OK(dem_world_timestep_advise(world, NULL, &a));
    assert_true(a.timestep == 0.0 && a.contact == 0.0 && a.stability == 0.0 &&
                a.displacement == 0.0);

    const dem_linear linear = law(1.0, 0.5);
    set(world, 0, 0, &linear);
    add(world, 7, 2.0 * MASS, 0, DEM_MOBILITY_FREE);
    add(world, 8, MASS, 0, DEM_MOBILITY_FREE);
    const dem_particle_handle fast = add(world, 9, 5.0 * MASS, 0, DEM_MOBILITY_FREE);
    const double velocity[3] = {0.0, 3.0, 4.0}, pair = 2.0 / 3.0 * MASS;
    OK(dem_particle_set_motion(world, fast, NULL, velocity, NULL));
    const uint64_t before = scene_hash(world);
    OK(dem_world_timestep_advise(world, NULL, &a));
    assert_true(scene_hash(world) == before);
    near(a.contact, PI * sqrt(pair / K) / 40.0);
    near(a.stability, 2.0 * sqrt(pair / K));
    near(a.displacement, 0.1 * 0.5 / 5.0);
    near(a.speed, 10.0);
    near(a.timestep, fmin(a.contact, a.displacement));
    assert_true(a.rayleigh == 0.0 && a.rayleigh_id == 0);
    assert_true(a.contact_id[0] == 8 && a.contact_id[1] == 7);
    assert_true(a.stability_id[0] == 8 && a.stability_id[1] == 7);
    assert_int_equal(a.displacement_id, 9);
    /* dem_step refuses just that */
    near(found(world), a.stability);
    r.steps_per_contact = 20.0;
    r.displacement_fraction = 1e-6;
    OK(dem_world_timestep_advise(world, &r, &a));
    near(a.contact, PI * sqrt(pair / K) / 20.0);
    near(a.timestep, a.displacement);

    /* Hertz: contact time at a speed; E and nu come back from E* and G* */
    dem_hertz hertz;
    dem_contact_model model;
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = 7e9;
    hertz.poisson[0] = 0.3;
    OK(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_HERTZ, .parameters = &hertz};
    OK(dem_contact_model_set(world, 1, 1, &model));
    add(world, 20, MASS, 1, DEM_MOBILITY_FREE);
    add(world, 21, MASS, 1, DEM_MOBILITY_FREE);
    r.speed = 2.0;
    r.displacement_fraction = 1.0;
    OK(dem_world_timestep_advise(world, &r, &a));
    double time;
    OK(dem_collision_step_rayleigh(0.5, MASS / (PI / 6.0), 7e9 / 2.6, 0.3, &time));
    near(a.rayleigh, 0.2 * time);
    assert_true(a.rayleigh_id == 20 || a.rayleigh_id == 21);
    const double young = 7e9 / (2.0 * (1.0 - 0.09));
    near(a.contact, dem_kernel_contact_time_hertz(young, 0.25, 0.5 * MASS, 2.0) / 20.0);
    assert_int_equal(a.contact_id[0] + a.contact_id[1], 41);

    const struct {
        size_t offset;
        double value;
        const char *name;
    } bad[] = {
        {offsetof(dem_timestep_request, steps_per_contact), 0.5, "steps_per_contact"},
        {offsetof(dem_timestep_request, steps_per_contact), NAN, "steps_per_contact"},
        {offsetof(dem_timestep_request, rayleigh_fraction), 0.0, "rayleigh_fraction"},
        {offsetof(dem_timestep_request, rayleigh_fraction), 1.1, "rayleigh_fraction"},
        {offsetof(dem_timestep_request, displacement_fraction), -1.0, "displacement_fraction"},
        {offsetof(dem_timestep_request, displacement_fraction), INFINITY, "displacement_fraction"},
        {offsetof(dem_timestep_request, speed), -1.0, "speed"},
        {offsetof(dem_timestep_request, speed), NAN, "speed"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; ++n) {
        dem_timestep_request q;
        OK(dem_timestep_request_init(&q));
        memcpy((char *)&q + bad[n].offset, &bad[n].value, sizeof(double));
        assert_int_equal(dem_world_timestep_advise(world, &q, &a), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_world_error(world), bad[n].name));
    }
    assert_int_equal(dem_world_timestep_advise(world, NULL, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_timestep_advise(NULL, NULL, &a), DEM_ERROR_ARGUMENT);
    dem_world_destroy(world);
}

/* Bodies that the host moves count with their contact mass, the lightest of them, in either order
 * of the materials and within one. */
static void held_bodies(void **state)
{
    (void)state;
    static const int32_t materials[3][2] = {{0, 1}, {1, 0}, {0, 0}};
    const dem_linear linear = law(1.0, 0.5);
    for (int k = 0; k < 3; ++k) {
        dem_world *world = empty(2);
        set(world, 0, materials[k][0] == materials[k][1] ? 0 : 1, &linear);
        set(world, materials[k][1], materials[k][1], &linear);
        add(world, 7, MASS, materials[k][0], DEM_MOBILITY_FREE);
        dem_particle held = scene_particle(0.0, 0.0, 2.0);
        held.mobility = DEM_MOBILITY_KINEMATIC;
        held.material = materials[k][1];
        for (int n = 0; n < 3; ++n) {
            held.id = 20 + (uint64_t)n;
            held.position[0] = 60.0 + 3.0 * n;
            held.contact_mass = n == 1 ? 0.5 * MASS : 5.0 * MASS;
            OK(dem_particle_add(world, &held, NULL));
        }
        dem_timestep_advice a = {.struct_size = sizeof a};
        OK(dem_world_timestep_advise(world, NULL, &a));
        near(a.stability, 2.0 * sqrt(MASS / 3.0 / K));
        assert_true(a.stability_id[0] == 7 && a.stability_id[1] == 21);
        near(found(world), a.stability);
        dem_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ values of a pair */

static dem_world *values_world;
static dem_status take_value(void *s)
{
    return dem_world_pair_value(values_world, 0, 1, 0, s);
}
static dem_status take_advice(void *s)
{
    return dem_world_timestep_advise(values_world, NULL, s);
}
static dem_status give_request(const void *s)
{
    dem_timestep_advice a = {.struct_size = sizeof a};
    return dem_world_timestep_advise(values_world, s, &a);
}

static void values(void **state)
{
    (void)state;
    values_world = empty(2);
    dem_hooke hooke;
    dem_friction friction;
    dem_contact_model model;
    OK(dem_hooke_init(&hooke));
    OK(dem_friction_init(&friction));
    hooke.stiffness_normal = 700.0;
    hooke.restitution = 0.6;
    friction.friction = 0.35;
    OK(dem_contact_model_init(&model));
    /* an unused part between the two does not count */
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_HOOKE, .parameters = &hooke};
    model.parts[2] = (dem_contact_part){.law = DEM_LAW_FRICTION, .parameters = &friction};
    OK(dem_contact_model_set(values_world, 0, 1, &model));
    dem_contact_history_config config;
    dem_contact_history *history = NULL;
    OK(dem_contact_history_config_init(&config));
    config.material_count = 2;
    OK(dem_contact_history_create(&config, &history, NULL));
    OK(dem_contact_history_model_set(history, 0, 1, &model));
    double ratio;
    OK(dem_kernel_damping_ratio_cut(0.6, &ratio));
    const struct {
        const char *law, *name;
        double value;
        int seen;
    } want[] = {{DEM_LAW_HOOKE, "stiffness_normal", 700.0, 0},
                {DEM_LAW_HOOKE, "damping_ratio", ratio, 0},
                {DEM_LAW_FRICTION, "stiffness_tangential", 200.0, 0},
                {DEM_LAW_FRICTION, "friction", 0.35, 0},
                {DEM_LAW_FRICTION, "tangential_factor", 1.0, 0}};
    int seen = 0;
    uint64_t index = 0;
    dem_pair_value v = {.struct_size = sizeof v}, w = {.struct_size = sizeof w};
    for (; dem_world_pair_value(values_world, 1, 0, index, &v) == DEM_OK; ++index) {
        OK(dem_contact_history_pair_value(history, 0, 1, index, &w));
        assert_true(v.value == w.value && strcmp(v.name, w.name) == 0 && v.part == w.part);
        assert_int_equal(v.part, strcmp(v.law, DEM_LAW_FRICTION) == 0);
        for (size_t n = 0; n < sizeof want / sizeof want[0]; ++n)
            if (strcmp(v.law, want[n].law) == 0 && strcmp(v.name, want[n].name) == 0) {
                assert_true(fabs(v.value - want[n].value) <= 1e-15 * want[n].value);
                ++seen;
            }
    }
    assert_int_equal(seen, 5);
    assert_true(index >= 8);
    assert_int_equal(dem_world_pair_value(values_world, 0, 1, index, &v), DEM_ERROR_RANGE);
    assert_int_equal(dem_world_pair_value(values_world, 0, 1, UINT64_MAX, &v), DEM_ERROR_RANGE);
    assert_int_equal(dem_world_pair_value(values_world, 0, 0, 0, &v), DEM_ERROR_RANGE);
    assert_int_equal(dem_world_pair_value(values_world, 2, 0, 0, &v), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(values_world), "material_a"));
    assert_int_equal(dem_world_pair_value(values_world, 0, -1, 0, &v), DEM_ERROR_RANGE);
    assert_int_equal(dem_world_pair_value(values_world, 0, 1, 0, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_pair_value(NULL, 0, 1, 0, &v), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_pair_value(NULL, 0, 1, 0, &v), DEM_ERROR_ARGUMENT);
    sized_output(sizeof(dem_pair_value), take_value, "dem_pair_value");
    const dem_timestep_advice advice = {.struct_size = sizeof advice};
    sized_output_of(DEMI_FIRST_SIZE(advice), sizeof advice, take_advice, "dem_timestep_advice");
    dem_timestep_request request;
    OK(dem_timestep_request_init(&request));
    sized_input(&request, sizeof request, give_request, "dem_timestep_request");
    dem_contact_history_destroy(history);
    dem_world_destroy(values_world);
}

/** Adds a body of two spheres, of these materials. */
static void add_body(dem_world *world, double x, int32_t first, int32_t second)
{
    dem_body body;
    OK(dem_body_init(&body));
    body.position[0] = x;
    body.mass = 2.0 * MASS;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e3 * MASS; /* it hardly turns */
    dem_body_part part[2];
    for (int k = 0; k < 2; ++k) {
        OK(dem_body_part_init(&part[k]));
        part[k].centre[0] = k - 0.5;
        part[k].radius = 0.5;
        part[k].material = k == 0 ? first : second;
    }
    dem_body_handle handle;
    OK(dem_body_add(world, &body, 2, part, &handle));
}

/** Parts of one body do not meet: only with a second light body the limit is that of two. */
static void parts_of_one_body(void **state)
{
    (void)state;
    for (int mixed = 0; mixed < 2; ++mixed) {
        const dem_linear linear = law(1.0, 0.0);
        dem_world *world = empty(2);
        double limit[2];
        for (int32_t a = 0; a < 2; ++a)
            for (int32_t b = a; b < 2; ++b)
                if (!mixed || a != b)
                    set(world, a, b, &linear);
        for (int32_t material = 0; material < 2; ++material)
            (void)add(world, 100 + (uint64_t)material, 1e9 * MASS, material, DEM_MOBILITY_FREE);
        for (int n = 0; n < 2; ++n) {
            add_body(world, 10.0 * n, 0, mixed);
            dem_timestep_advice a = {.struct_size = sizeof a};
            OK(dem_world_timestep_advise(world, NULL, &a));
            limit[n] = a.stability;
        }
        if (!(fabs(limit[0] / limit[1] - sqrt(2.0)) <= 1e-3))
            fail_msg("%d: %g %g", mixed, limit[0], limit[1]);
        dem_world_destroy(world);
    }
}

enum { ALIKE = 8, ACROSS = 24, PLACES = ACROSS * ACROSS }; /* rows of several tasks */

/** Adds a body of equal parts at the corners of a cube, with ids from the first on. */
static void add_cube(dem_world *world, uint64_t first, double x, double y)
{
    dem_body body;
    dem_body_part part[ALIKE];
    OK(dem_body_init(&body));
    body.position[0] = x;
    body.position[1] = y;
    body.mass = ALIKE * MASS;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = ALIKE * MASS;
    for (int k = 0; k < ALIKE; ++k) {
        OK(dem_body_part_init(&part[k]));
        for (int c = 0; c < 3; ++c)
            part[k].centre[c] = (k >> c & 1) == 1 ? 0.5 : -0.5;
        part[k].radius = 0.1;
        part[k].id = first + (uint64_t)k;
    }
    OK(dem_body_add(world, &body, ALIKE, part, NULL));
}

/** The id of the part at a place. */
static uint64_t part_at(const dem_world *world, const double *x)
{
    for (uint64_t id = 1; id <= (uint64_t)ALIKE * PLACES; ++id) {
        dem_particle_handle handle;
        dem_particle p = {.struct_size = sizeof p};
        if (dem_particle_find(world, id, &handle) != DEM_OK)
            continue;
        OK(dem_particle_get(world, handle, &p));
        if (memcmp(p.position, x, sizeof p.position) == 0)
            return id;
    }
    fail_msg("no part is at (%g, %g, %g)", x[0], x[1], x[2]);
    return 0;
}

/** Of parts that are all alike those in the first rows of two bodies are named, wherever their
 * bodies are among the others. */
static void parts_alike(void **state)
{
    (void)state;
    const dem_linear linear = law(1.0, 0.5);
    dem_world *world = empty(1);
    set(world, 0, 0, &linear);
    for (uint64_t k = 0; k < PLACES; ++k) /* rows come in another order than bodies */
        add_cube(world, 1 + ALIKE * (k * 29 % PLACES),
                 0.6 * (double)((k * 37 + 11) % PLACES % ACROSS),
                 0.6 * (double)((k * 37 + 11) % PLACES / ACROSS));
    OK(dem_step(world, 1e-9, 1));
    OK(dem_world_rebuild_order(world));
    OK(dem_step(world, 1e-9, 1));
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_POSITION, &view));
    uint64_t named[2] = {0, 0};
    for (uint64_t row = 0; row < view.count && named[1] == 0; ++row) {
        const uint64_t id = part_at(
            world, (const double *)(const void *)((const char *)view.data + view.stride * row));
        if (named[0] == 0)
            named[0] = id;
        else if ((id - 1) / ALIKE != (named[0] - 1) / ALIKE)
            named[1] = id;
    }
    assert_true(named[0] != 1 && named[1] != 0);
    dem_timestep_advice a = {.struct_size = sizeof a};
    OK(dem_world_timestep_advise(world, NULL, &a));
    assert_true(a.stability_id[0] == named[0] && a.stability_id[1] == named[1]);
    char bodies[64];
    (void)snprintf(bodies, sizeof bodies, "(bodies %llu and %llu", (unsigned long long)named[0],
                   (unsigned long long)named[1]);
    assert_int_equal(dem_step(world, 1.0, 1), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), bodies));
    /* the mass of one part's contact, and of all contacts together */
    const double one = (1.0 + 0.75) / (ALIKE * MASS);
    near(a.stability, 2.0 * sqrt(1.0 / (2.0 * ALIKE * one) / K));
    assert_int_equal(dem_step(world, 0.999 * 2.0 * sqrt(1.0 / (2.0 * one) / K), 0), DEM_OK);
    dem_world_destroy(world);
}

/** A dt that was taken is looked at again when something lighter comes. */
static void something_lighter_comes(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    for (int k = 0; k < 3; ++k) {
        dem_particle p = scene_particle(0.0, 0.0, 5.0 + 4.0 * k);
        p.mass = k < 2 ? 1e4 : 1e-2;
        OK(dem_particle_add(world, &p, NULL));
        if (k == 1)
            OK(dem_step(world, 0.02, 2));
    }
    assert_int_equal(dem_step(world, 0.02, 1), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "is unstable"));
    dem_world_destroy(world);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(something_lighter_comes),
        cmocka_unit_test(refused),
        cmocka_unit_test(stiffest),
        cmocka_unit_test(unstable),
        cmocka_unit_test(unstable_worlds),
        cmocka_unit_test(unstable_hertz),
        cmocka_unit_test(weights),
        cmocka_unit_test(frictionless),
        cmocka_unit_test(advice),
        cmocka_unit_test(equally_light),
        cmocka_unit_test(blamed),
        cmocka_unit_test(ball_and_plane),
        cmocka_unit_test(held_bodies),
        cmocka_unit_test(values),
        cmocka_unit_test(parts_of_one_body),
        cmocka_unit_test(parts_alike),
    };
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
