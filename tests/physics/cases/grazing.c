/* SPDX-License-Identifier: MIT */
/* A sphere hits a wall at any angle, with every built-in law that ought to be passive: it never
 * leaves with more energy than it came with. */
#include "cases.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double RADIUS = 1e-3, MASS = 1e-5, SPEED = 0.5;

/* Parameters of all laws, and the model that points at them. */
typedef struct any_model {
    dem_linear linear;
    dem_hooke hooke;
    dem_friction friction;
    dem_rolling rolling;
    dem_twisting_marshall marshall;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_adhesion adhesion;
    dem_luding luding;
    dem_walton_braun walton;
    dem_thornton thornton;
    dem_contact_model model;
} any_model;

/* Names of the parts, and the slider of "friction". */
typedef struct choice {
    const char *name, *part[4];
    int32_t slider;
} choice;

static const choice choices[] = {
    {"linear-csds", {DEM_LAW_LINEAR_CSDS}, 0},
    {"hooke_csds", {DEM_LAW_HOOKE, DEM_LAW_FRICTION}, DEM_SLIDER_CSDS},
    {"hooke_truncated", {DEM_LAW_HOOKE, DEM_LAW_FRICTION}, DEM_SLIDER_TRUNCATED},
    {"hooke_viscous", {DEM_LAW_HOOKE, DEM_LAW_FRICTION}, DEM_SLIDER_VISCOUS},
    {"linear_rolling_twisting",
     {DEM_LAW_LINEAR_CSDS, DEM_LAW_ROLLING_CSDS, DEM_LAW_TWISTING_MARSHALL},
     0},
    {"hertz_friction", {DEM_LAW_HERTZ, DEM_LAW_FRICTION}, DEM_SLIDER_CSDS},
    {"hertz_mindlin", {DEM_LAW_HERTZ, DEM_LAW_MINDLIN}, 0},
    {"hertz_mindlin-deresiewicz", {DEM_LAW_HERTZ, DEM_LAW_MINDLIN_DERESIEWICZ}, 0},
    {"jkr_friction", {DEM_LAW_JKR, DEM_LAW_FRICTION}, DEM_SLIDER_CSDS},
    {"dmt_friction", {DEM_LAW_DMT, DEM_LAW_FRICTION}, DEM_SLIDER_CSDS},
    {"luding_friction", {DEM_LAW_LUDING, DEM_LAW_FRICTION}, DEM_SLIDER_CSDS},
    {"walton-braun_friction", {DEM_LAW_WALTON_BRAUN, DEM_LAW_FRICTION}, DEM_SLIDER_CSDS},
    {"thornton_friction", {DEM_LAW_THORNTON, DEM_LAW_FRICTION}, DEM_SLIDER_CSDS},
};
enum { CHOICES = sizeof choices / sizeof choices[0] };

static void model_make(any_model *m, const choice *what, double restitution)
{
    const double stiffness = 1e4, young = 1e8;
    m->linear = scene_linear(stiffness);
    m->linear.restitution = restitution;
    MUST(dem_hooke_init(&m->hooke));
    m->hooke.stiffness_normal = stiffness;
    m->hooke.restitution = restitution;
    MUST(dem_friction_init(&m->friction));
    m->friction.slider = what->slider;
    m->friction.stiffness_tangential = 2.0 / 7.0 * stiffness;
    MUST(dem_rolling_init(&m->rolling));
    MUST(dem_twisting_marshall_init(&m->marshall));
    MUST(dem_hertz_init(&m->hertz));
    m->hertz.young[0] = young;
    m->hertz.restitution = restitution;
    MUST(dem_mindlin_init(&m->mindlin));
    MUST(dem_adhesion_init(&m->adhesion));
    m->adhesion.young[0] = young;
    m->adhesion.restitution = restitution;
    m->adhesion.work_of_adhesion = 1e-4;
    MUST(dem_luding_init(&m->luding));
    m->luding.stiffness_loading = stiffness;
    m->luding.stiffness_unloading = restitution < 1.0 ? 2.0 * stiffness : stiffness;
    MUST(dem_walton_braun_init(&m->walton));
    m->walton.stiffness_loading = stiffness;
    m->walton.restitution = restitution;
    MUST(dem_thornton_init(&m->thornton));
    m->thornton.young[0] = young;
    m->thornton.yield_pressure = restitution < 1.0 ? 2e6 : 1e12;
    const struct {
        const char *law;
        const void *parameters;
    } table[] = {{DEM_LAW_LINEAR_CSDS, &m->linear},
                 {DEM_LAW_HOOKE, &m->hooke},
                 {DEM_LAW_FRICTION, &m->friction},
                 {DEM_LAW_ROLLING_CSDS, &m->rolling},
                 {DEM_LAW_TWISTING_MARSHALL, &m->marshall},
                 {DEM_LAW_HERTZ, &m->hertz},
                 {DEM_LAW_MINDLIN, &m->mindlin},
                 {DEM_LAW_MINDLIN_DERESIEWICZ, &m->mindlin},
                 {DEM_LAW_JKR, &m->adhesion},
                 {DEM_LAW_DMT, &m->adhesion},
                 {DEM_LAW_LUDING, &m->luding},
                 {DEM_LAW_WALTON_BRAUN, &m->walton},
                 {DEM_LAW_THORNTON, &m->thornton}};
    MUST(dem_contact_model_init(&m->model));
    for (int p = 0; p < 4 && what->part[p] != NULL; ++p)
        for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k)
            if (strcmp(table[k].law, what->part[p]) == 0)
                m->model.parts[p] = (dem_contact_part){what->part[p], table[k].parameters};
}

/* Kinetic energy after the impact over that before, less 1. */
static double impact_gain(const dem_contact_model *model, double degrees, double angular_velocity,
                          double phase, double steps)
{
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, model);
    dem_wall wall;
    dem_timestep_request request;
    dem_timestep_advice advice = {.struct_size = sizeof advice};
    const double angle = degrees * PI / 180.0, down = SPEED * cos(angle);
    const double velocity[3] = {SPEED * sin(angle), 0.0, -down};
    const double turning[3] = {0.3 * angular_velocity, angular_velocity, 0.5 * angular_velocity};
    MUST(dem_wall_init(&wall));
    MUST(dem_wall_add(world, &wall, NULL));
    const double far[3] = {0.0, 0.0, 2.0 * RADIUS};
    const dem_particle_handle ball = scene_sphere(world, far, RADIUS, MASS);
    MUST(dem_timestep_request_init(&request));
    request.speed = down;
    request.steps_per_contact = steps;
    MUST(dem_world_timestep_advise(world, &request, &advice));
    const double dt = advice.contact > 0.0 ? advice.contact : PI * sqrt(MASS / 1e4) / steps;
    const double above[3] = {0.0, 0.0, RADIUS + phase * down * dt};
    MUST(dem_particle_set_motion(world, ball, above, velocity, turning));
    scene_step(world, dt, 0);
    const dem_world_energies before = scene_energies(world);
    scene_step(world, dt, (uint64_t)(3.0 * steps));
    const dem_world_energies after = scene_energies(world);
    dem_world_destroy(world);
    return (after.kinetic_translation + after.kinetic_rotation + after.elastic) /
               (before.kinetic_translation + before.kinetic_rotation + before.elastic) -
           1.0;
}

/* Greatest gain over angles from the normal, spins and phases of the first contact. */
static double worst_gain(const choice *what, double restitution, double steps)
{
    static const double degrees[] = {0.0, 20.0, 45.0, 70.0, 80.0, 85.0, 88.0, 89.0, 89.5, 89.9};
    enum { PHASES = 4 };
    any_model m;
    double worst = -1.0;
    model_make(&m, what, restitution);
    for (size_t k = 0; k < sizeof degrees / sizeof degrees[0]; ++k)
        for (int angular_velocity = -1; angular_velocity <= 1; ++angular_velocity)
            for (int phase = 0; phase < PHASES; ++phase)
                worst = fmax(worst, impact_gain(&m.model, degrees[k],
                                                angular_velocity * 0.7 * SPEED / RADIUS,
                                                1.0 + (phase + 0.5) / PHASES, steps));
    return worst;
}

void case_grazing(ledger *l)
{
    static const double restitution[2] = {1.0, 0.6};
    l->paper = "libdem";
    l->name = "grazing-impact";
    for (int k = 0; k < CHOICES; ++k)
        for (int e = 0; e < 2; ++e) {
            char quantity[80];
            (void)snprintf(quantity, sizeof quantity, "gain_%s_e%g", choices[k].name,
                           restitution[e]);
            ledger_below(l, CONSERVATION, quantity,
                         fmax(0.0, worst_gain(&choices[k], restitution[e], 100.0)), 1e-4);
        }
    /* the measure can tell: with five steps to a contact the scheme itself gains */
    ledger_above(l, BOUND, "gain_at_tc5", worst_gain(&choices[0], 1.0, 5.0), 1e-4);
}
