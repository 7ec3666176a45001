/* SPDX-License-Identifier: MIT */
/* Dashpots of the Mindlin laws: two spheres pressed together, and moved past each other for so
 * short a time that the spring bears nothing. Level 1. */
#include "cases.h"

#include <dem/dem.h>

#include <math.h>
#include <string.h>

static const double RADIUS = 0.02, MASS = 0.03, OVERLAP = 1e-5, SPEED = 0.4;

/* Tangential force on the body that moves along y. */
static double dashpot_force(const dem_hertz *hertz, const char *tangential,
                            const dem_mindlin *mindlin)
{
    static const uint32_t pairs[2] = {0, 1};
    const double radius[2] = {RADIUS, RADIUS}, mass[2] = {MASS, MASS};
    const double x[6] = {2.0 * RADIUS - OVERLAP}, v[6] = {0.0, SPEED}, w[6] = {0.0};
    double force[6] = {0.0}, torque[6] = {0.0};
    dem_contact_history_config config;
    dem_contact_history *history;
    dem_contact_model model;
    dem_contacts_input in;
    MUST(dem_contact_history_config_init(&config));
    MUST(dem_contact_history_create(&config, &history, NULL));
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){DEM_LAW_HERTZ, hertz};
    model.parts[1] = (dem_contact_part){tangential, mindlin};
    MUST(dem_contact_history_model_set(history, 0, 0, &model));
    MUST(dem_contacts_input_init(&in));
    in.particle_count = 2;
    in.position = x;
    in.velocity = v;
    in.angular_velocity = w;
    in.radius = radius;
    in.mass = mass;
    in.pair_count = 1;
    in.pairs = pairs;
    in.dt = 1e-14;
    in.velocity_lag = 0.5 * in.dt;
    in.force = force;
    in.torque = torque;
    MUST(dem_contacts_evaluate(history, &in, NULL));
    dem_contact_history_destroy(history);
    return force[1];
}

void case_mindlin_dashpot(ledger *l)
{
    static const struct {
        const char *law, *factor, *restitution;
    } laws[4] = {
        {DEM_LAW_MINDLIN, "slider_factor", "slider_restitution"},
        {DEM_LAW_MINDLIN_DERESIEWICZ, "row16_factor", "row16_restitution"},
        {DEM_LAW_MINDLIN_DERESIEWICZ_32, "row32_factor", "row32_restitution"},
        {DEM_LAW_MINDLIN_THREE_CASE, "cases_factor", "cases_restitution"},
    };
    const double eta = 7.0, factor = 0.6, restitution = 0.8;
    dem_hertz hertz;
    dem_mindlin mindlin;
    l->paper = "libdem";
    l->name = "mindlin-dashpot";
    MUST(dem_hertz_init(&hertz));
    hertz.young[0] = 5e9;
    hertz.damping = DEM_HERTZ_DAMPING_COEFFICIENT;
    hertz.damping_normal = eta;
    MUST(dem_mindlin_init(&mindlin));
    mindlin.friction = 1e6;
    /* equal spheres: R* is half the radius, m* half the mass */
    const double shear = dem_kernel_effective_shear(5e9, 0.3, 5e9, 0.3);
    const double stiffness = 8.0 * shear * sqrt(0.5 * RADIUS * OVERLAP), e = log(restitution);
    const double b = -e / sqrt(e * e + acos(-1.0) * acos(-1.0));
    const double own = 2.0 * sqrt(5.0 / 6.0) * b * sqrt(stiffness * 0.5 * MASS);
    for (int k = 0; k < 4; ++k) {
        mindlin.damping = DEM_MINDLIN_DAMPING_FACTOR;
        mindlin.damping_factor = factor;
        ledger_near(l, CLOSED_FORM, laws[k].factor,
                    dashpot_force(&hertz, laws[k].law, &mindlin) / (-factor * eta * SPEED), 1.0,
                    1e-6);
        mindlin.damping = DEM_MINDLIN_DAMPING_RESTITUTION;
        mindlin.restitution = restitution;
        ledger_near(l, CLOSED_FORM, laws[k].restitution,
                    dashpot_force(&hertz, laws[k].law, &mindlin) / (-own * SPEED), 1.0, 1e-6);
    }
}
