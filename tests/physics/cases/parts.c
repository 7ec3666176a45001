/* SPDX-License-Identifier: MIT */
/* The linear law in two parts, "hooke" and "friction": as the whole laws, and the energy account of
 * every slider. */
#include "cases.h"
#include "cloud.h"

#include <math.h>
#include <string.h>

/* hooke + friction with the parameters of a linear law */
typedef struct two_parts {
    dem_hooke hooke;
    dem_friction friction;
} two_parts;

static void parts_of(const dem_linear *law, int32_t slider, two_parts *p, dem_contact_model *model)
{
    MUST(dem_hooke_init(&p->hooke));
    p->hooke.stiffness_normal = law->stiffness_normal;
    p->hooke.restitution = law->restitution;
    p->hooke.damping_normal = law->damping_normal;
    p->hooke.damping = law->damping;
    p->hooke.normal = law->normal;
    MUST(dem_friction_init(&p->friction));
    p->friction.stiffness_tangential = law->stiffness_tangential;
    p->friction.friction = law->friction;
    p->friction.damping_tangential = law->damping_tangential;
    p->friction.damping = law->damping;
    p->friction.slider = slider;
    MUST(dem_contact_model_init(model));
    model->parts[0] = (dem_contact_part){.law = DEM_LAW_HOOKE, .parameters = &p->hooke};
    model->parts[1] = (dem_contact_part){.law = DEM_LAW_FRICTION, .parameters = &p->friction};
}

typedef struct outcome {
    cloud c;
    dem_world_energies energies;
} outcome;

/* The cloud falls in on itself and on a floor, for as long as round-off stays small. */
static outcome fall(const dem_contact_model *model, double dt, uint64_t steps)
{
    outcome o;
    dem_world_config config;
    dem_wall floor;
    MUST(dem_world_config_init(&config));
    config.gravity[2] = -9.81;
    dem_world *world = scene_world_of(&config, model);
    cloud_make(&o.c, 777, 1.5);
    cloud_add(world, &o.c, 0);
    MUST(dem_wall_init(&floor));
    floor.id = CLOUD_WALL;
    floor.point[2] = -0.45 * o.c.edge;
    MUST(dem_wall_add(world, &floor, NULL));
    scene_step(world, dt, steps);
    cloud_read(world, &o.c, 0);
    o.energies = scene_energies(world);
    dem_world_destroy(world);
    return o;
}

static double apart(const outcome *a, const outcome *b)
{
    double worst = 0.0;
    for (int k = 0; k < CLOUD_COUNT; ++k)
        for (int c = 0; c < 3; ++c) {
            worst = fmax(worst, fabs(a->c.x[k][c] - b->c.x[k][c]) / a->c.edge);
            worst = fmax(worst, fabs(a->c.v[k][c] - b->c.v[k][c]) / a->c.speed);
            worst = fmax(worst, fabs(a->c.w[k][c] - b->c.w[k][c]) * a->c.radius[k] / a->c.speed);
        }
    return worst;
}

void case_parts_as_whole(ledger *l)
{
    static const char *const names[2] = {DEM_LAW_LINEAR_CSDS, DEM_LAW_LINEAR_DSDS};
    static const int32_t kinds[3] = {DEM_DAMPING_RESTITUTION, DEM_DAMPING_COEFFICIENT,
                                     DEM_DAMPING_RATE};
    l->paper = "libdem";
    l->name = "hooke-and-friction-as-linear";
    for (int slider = 0; slider < 2; ++slider)
        for (int kind = 0; kind < 3; ++kind) {
            cloud c;
            two_parts p;
            dem_contact_model split;
            char quantity[64];
            cloud_make(&c, 777, 1.5);
            const double dt = cloud_step(&c);
            dem_linear law = cloud_law();
            law.damping = kinds[kind];
            law.normal = slider == 0 ? DEM_NORMAL_CUT : DEM_NORMAL_ATTRACTIVE;
            if (kind != 0)
                law.damping_normal = kind == 1 ? 0.01 : 2000.0;
            if (kind != 0)
                law.damping_tangential = 0.7 * law.damping_normal;
            dem_contact_model whole = scene_linear_model(&law);
            whole.parts[0].law = names[slider];
            parts_of(&law, slider == 0 ? DEM_SLIDER_CSDS : DEM_SLIDER_DSDS, &p, &split);
            const outcome a = fall(&whole, dt, 1500), b = fall(&split, dt, 1500);
            (void)snprintf(quantity, sizeof quantity, "difference_slider%d_damping%d", slider,
                           kind);
            ledger_below(l, LIBRARY, quantity, apart(&a, &b), 1e-11);
            /* the account recalls the limit of the step before, or has kept it */
            const double unit = a.energies.kinetic_translation + a.energies.kinetic_rotation;
            (void)snprintf(quantity, sizeof quantity, "energies_slider%d_damping%d", slider, kind);
            ledger_below(l, LIBRARY, quantity,
                         (fabs(a.energies.elastic - b.energies.elastic) +
                          fabs(a.energies.dissipated_normal - b.energies.dissipated_normal)) /
                             unit,
                         1e-11);
            (void)snprintf(quantity, sizeof quantity, "account_slider%d_damping%d", slider, kind);
            ledger_below(l, LIBRARY, quantity,
                         fabs(a.energies.dissipated_slip + a.energies.dissipated_dashpot -
                              b.energies.dissipated_slip - b.energies.dissipated_dashpot) /
                             unit,
                         1e-5);
            ledger_above(l, BOUND, "lost_by_slip", a.energies.dissipated_slip / unit, 0.002);
            ledger_above(l, BOUND, "lost_normal", a.energies.dissipated_normal / unit, 0.01);
        }
}

/* The sum of all energies stays constant to second order, whatever the slider does. */
void case_parts_energy(ledger *l)
{
    static const char *const names[6] = {"csds", "dsds", "truncated", "unreset", "viscous", "li"};
    l->paper = "libdem";
    l->name = "energy-of-sliders";
    for (int32_t slider = DEM_SLIDER_CSDS; slider <= DEM_SLIDER_LI; ++slider) {
        two_parts p;
        dem_contact_model model;
        char quantity[64];
        const dem_linear law = cloud_law();
        parts_of(&law, slider, &p, &model);
        const double coarse = cloud_energy_gap(&model, 1, 0.0);
        const double fine = cloud_energy_gap(&model, 4, 0.0);
        (void)snprintf(quantity, sizeof quantity, "gap_tc200_%s", names[slider]);
        ledger_below(l, CONSERVATION, quantity, fine, 1e-4);
        (void)snprintf(quantity, sizeof quantity, "order_%s", names[slider]);
        /* the truncated slider drops what its force was made of, and so is first order */
        if (slider != DEM_SLIDER_TRUNCATED)
            ledger_near(l, ORDER, quantity, 0.5 * log2(coarse / fine), 2.0, 0.5);
        else
            ledger_below(l, CONSERVATION, "gap_tc400_truncated", cloud_energy_gap(&model, 8, 0.0),
                         4e-5);
    }
}

/* ------------------------------------------------------------------ dashpots that change */

/* Normal parts whose damping changes with the overlap: so does that of "friction" behind them. */
enum { ADAPTIVE, DAMPED_HERTZ, PLASTIC, CHANGING };

static dem_contact_model changing_model(int normal, const dem_friction *friction)
{
    static dem_actm actm; /* live as long as the model */
    static dem_hertz hertz;
    static dem_luding luding;
    dem_contact_model model;
    MUST(dem_contact_model_init(&model));
    MUST(dem_actm_init(&actm));
    actm.restitution = 0.5;
    actm.contact_time = 2e-3;
    actm.speed_floor = 1e-3;
    actm.young[0] = 1e9;
    MUST(dem_hertz_init(&hertz));
    hertz.young[0] = 1e7;
    hertz.damping = DEM_HERTZ_DAMPING_COEFFICIENT;
    hertz.damping_normal = 0.5;
    MUST(dem_luding_init(&luding));
    luding.stiffness_loading = 2e4;
    luding.stiffness_unloading = 8e4;
    luding.plasticity_depth = 0.02;
    luding.damping_normal = 0.5;
    if (normal == ADAPTIVE)
        MUST(dem_contact_model_add_actm(&model, &actm));
    else if (normal == DAMPED_HERTZ)
        MUST(dem_contact_model_add_hertz(&model, &hertz));
    else
        MUST(dem_contact_model_add_luding(&model, &luding));
    MUST(dem_contact_model_add_friction(&model, friction));
    return model;
}

/* The error of the energy balance of an oblique impact over its energy, with so many steps in 2
 * ms. */
static double changing_error(int normal, int32_t slider, int steps)
{
    dem_friction friction;
    MUST(dem_friction_init(&friction));
    friction.stiffness_tangential = 1e4;
    friction.friction = 0.8;
    friction.slider = slider;
    const dem_contact_model model = changing_model(normal, &friction);
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &model);
    dem_wall wall;
    MUST(dem_wall_init(&wall));
    MUST(dem_wall_add(world, &wall, NULL));
    const double above[3] = {0.0, 0.0, 0.01003}, velocity[3] = {0.7, 0.0, -1.0};
    const dem_particle_handle ball = scene_sphere(world, above, 0.01, 0.01);
    MUST(dem_particle_set_motion(world, ball, NULL, velocity, NULL));
    const dem_world_energies first = scene_energies(world);
    scene_step(world, 2e-3 / steps, 4 * (uint64_t)steps);
    const dem_world_energies end = scene_energies(world);
    dem_world_destroy(world);
    return fabs(scene_balance(&end) - scene_balance(&first)) / scene_balance(&first);
}

void case_parts_changing(ledger *l)
{
    static const char *const names[CHANGING] = {"actm", "hertz", "luding"};
    static const int32_t sliders[] = {DEM_SLIDER_CSDS, DEM_SLIDER_VISCOUS};
    l->paper = "libdem";
    l->name = "dashpots-that-change";
    for (int normal = 0; normal < CHANGING; ++normal)
        for (int k = 0; k < 2; ++k) {
            char quantity[64];
            const double coarse = changing_error(normal, sliders[k], 400),
                         fine = changing_error(normal, sliders[k], 25600);
            (void)snprintf(quantity, sizeof quantity, "order_%s_%s", names[normal],
                           k == 0 ? "csds" : "viscous");
            ledger_above(l, ORDER, quantity, log2(coarse / fine) / 6.0, 1.8);
            (void)snprintf(quantity, sizeof quantity, "balance_%s_%s", names[normal],
                           k == 0 ? "csds" : "viscous");
            ledger_below(l, CONSERVATION, quantity, fine, 2e-8);
        }
}
