/* SPDX-License-Identifier: MIT */
#include "oblique.h"

#include "ledger.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

const double oblique_measured_e_t[OBLIQUE_MEASURED][2] = {
    {2.0275, 0.7938},  {3.9282, 0.7450},  {9.6304, 0.6728},  {20.0845, 0.5964},
    {30.2218, 0.6883}, {39.3031, 0.7719}, {49.5459, 0.8469}, {59.8416, 0.9019},
};

const double oblique_measured_spin[OBLIQUE_MEASURED_SPIN][2] = {
    {6.0025, 135.5703},  {10.9840, 264.5493}, {21.1931, 577.0096}, {31.0947, 612.6481},
    {39.0283, 595.4843}, {50.2214, 452.9444}, {60.2460, 381.3185},
};

const oblique_law oblique_li[OBLIQUE_LI] = {
    {"M1_eq5", DEM_LAW_MINDLIN, DEM_MINDLIN_SECANT, DEM_SLIDER_LI, 1.0},
    {"M2_critical", DEM_LAW_FRICTION, 0, DEM_SLIDER_LI, 1.0},
    {"M3_eq17", DEM_LAW_MINDLIN, DEM_MINDLIN_SECANT, DEM_SLIDER_LI, 2.0 / 3.0},
};

oblique_impact oblique_standard(double degrees)
{
    const oblique_impact impact = {.degrees = degrees,
                                   .speed = 4.0,
                                   .dt = 1e-8,
                                   .softening = 1.0,
                                   .restitution = 0.98,
                                   .density = 4000.0,
                                   .lever_arm = DEM_ARM_RADIUS};
    return impact;
}

dem_hertz oblique_hertz(void)
{
    dem_hertz hertz;
    MUST(dem_hertz_init(&hertz));
    hertz.young[0] = 380e9;
    hertz.poisson[0] = 0.23;
    hertz.young[1] = 70e9;
    hertz.poisson[1] = 0.25;
    return hertz;
}

/* Duration, greatest overlap and force: follows the contact step by step. */
static void watch(dem_world *world, double dt, oblique_result *result)
{
    /* 3e5 steps are ten times what any contact here lasts */
    for (int step = 0; step < 300000; ++step) {
        scene_step(world, dt, 1);
        uint64_t cursor = 0;
        dem_contact contact = {.struct_size = sizeof contact};
        if (dem_world_contact_next(world, &cursor, &contact) != DEM_OK) {
            if (result->overlap > 0.0)
                break;
            continue;
        }
        const double force = fabs(contact.force_normal[2]);
        const double across = hypot(contact.force_tangential[0], contact.force_tangential[1]);
        result->duration += dt;
        result->overlap = fmax(result->overlap, contact.overlap);
        result->force = fmax(result->force, force);
        result->force_tangential = fmax(result->force_tangential, across);
    }
}

oblique_result oblique_run(const oblique_law *law, const oblique_impact *impact)
{
    dem_hertz hertz = oblique_hertz();
    hertz.young[0] *= impact->softening;
    hertz.young[1] *= impact->softening;
    hertz.restitution = impact->restitution;
    hertz.normal = DEM_NORMAL_CUT_UNCORRECTED; /* Eq. (32) with the force cut at 0 */
    dem_mindlin mindlin;
    MUST(dem_mindlin_init(&mindlin));
    mindlin.friction = OBLIQUE_FRICTION;
    mindlin.restitution = impact->restitution;
    mindlin.form = law->form;
    mindlin.slider = law->slider;
    mindlin.stiffness_factor = law->stiffness_factor;
    /* Li et al., Sec. 3.1.2, with the damping from e (A4) instead of the critical one */
    dem_linear linear = scene_linear(1.72e7);
    linear.stiffness_tangential = 1.48e7;
    linear.friction = OBLIQUE_FRICTION;
    linear.restitution = impact->restitution;
    linear.normal = DEM_NORMAL_CUT_UNCORRECTED;
    dem_contact_model model = scene_linear_model(&linear);
    model.lever_arm = impact->lever_arm;
    dem_hooke hooke;
    MUST(dem_hooke_init(&hooke));
    hooke.stiffness_normal = linear.stiffness_normal;
    hooke.damping = DEM_DAMPING_CRITICAL;
    dem_friction friction;
    MUST(dem_friction_init(&friction));
    friction.stiffness_tangential = linear.stiffness_tangential;
    friction.friction = OBLIQUE_FRICTION;
    friction.slider = law->slider;
    const int linear_parts =
        law->tangential != NULL && strcmp(law->tangential, DEM_LAW_FRICTION) == 0;
    if (linear_parts) {
        model.parts[0] = (dem_contact_part){.law = DEM_LAW_HOOKE, .parameters = &hooke};
        model.parts[1] = (dem_contact_part){.law = DEM_LAW_FRICTION, .parameters = &friction};
    } else if (law->tangential != NULL) {
        model.parts[0] = (dem_contact_part){.law = DEM_LAW_HERTZ, .parameters = &hertz};
        model.parts[1] = (dem_contact_part){.law = law->tangential, .parameters = &mindlin};
    }
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &model);
    dem_wall plate;
    MUST(dem_wall_init(&plate));
    MUST(dem_wall_add(world, &plate, NULL));
    const double theta = impact->degrees * PI / 180.0, r = OBLIQUE_RADIUS;
    const double in[3] = {impact->speed * sin(theta), 0.0, -impact->speed * cos(theta)};
    const double start[3] = {0.0, 0.0, r - 0.5 * in[2] * impact->dt};
    const dem_particle_handle ball =
        scene_sphere(world, start, r, impact->density * 4.0 / 3.0 * PI * r * r * r);
    MUST(dem_particle_set_motion(world, ball, NULL, in, NULL));
    scene_step(world, impact->dt, 0);
    dem_world_energies energies = scene_energies(world);
    const double before = scene_balance(&energies);
    oblique_result result = {0};
    watch(world, impact->dt, &result);
    energies = scene_energies(world);
    result.balance = scene_balance(&energies) / before - 1.0;
    const dem_particle out = scene_get(world, ball);
    result.normal = -out.velocity[2] / in[2];
    result.tangential = in[0] > 0.0 ? out.velocity[0] / in[0] : 1.0;
    result.angular_velocity = out.angular_velocity[1];
    result.angle = atan2(out.velocity[0], out.velocity[2]) * 180.0 / PI;
    dem_world_destroy(world);
    return result;
}

double oblique_kappa(void)
{
    const dem_hertz h = oblique_hertz();
    double above = 0.0, below = 0.0;
    for (int k = 0; k < 2; ++k) {
        const double shear = h.young[k] / (2.0 * (1.0 + h.poisson[k]));
        above += (1.0 - h.poisson[k]) / shear;
        below += (1.0 - 0.5 * h.poisson[k]) / shear;
    }
    return above / below;
}

oblique_indicators oblique_indicate(const oblique_impact *p, const oblique_result *r)
{
    const double theta = p->degrees * PI / 180.0, vn = p->speed * cos(theta),
                 vt = p->speed * sin(theta), radius = OBLIQUE_RADIUS;
    const double mass = p->density * 4.0 / 3.0 * PI * radius * radius * radius;
    const double point = r->tangential * vt - radius * r->angular_velocity, out_n = r->normal * vn;
    const double out_t = r->tangential * vt, unit = oblique_kappa() / OBLIQUE_FRICTION / vn;
    const oblique_indicators i = {
        .psi_in = unit * vt,
        .psi_out = unit * point,
        .energy_in = 0.5 * mass * p->speed * p->speed,
        .energy_out = 0.5 * mass * (out_n * out_n + out_t * out_t),
        .energy_spin =
            0.5 * 0.4 * mass * radius * radius * r->angular_velocity * r->angular_velocity,
        .energy_out_printed = 0.5 * mass * (out_n * out_n + point * point),
    };
    return i;
}
