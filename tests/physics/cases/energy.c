/* SPDX-License-Identifier: MIT */
/* The energy account of a world closes: what is lost is what dashpots and sliding took. */
#include "cases.h"
#include "cloud.h"

#include <math.h>

typedef struct account {
    double gap;      /* greatest |balance - balance at the start| over the energy at the start */
    double backward; /* greatest fall of a dissipated part over the energy at the start */
    double lost[3];  /* parts over the energy at the start: normal, dashpot, slip */
    double boundary; /* |work_boundary| over the energy at the start */
} account;

static void account_look(account *a, const dem_world_energies *first, dem_world_energies *last,
                         const dem_world *world)
{
    const dem_world_energies now = scene_energies(world);
    const double unit = first->kinetic_translation + first->kinetic_rotation;
    const double part[3] = {now.dissipated_normal, now.dissipated_dashpot, now.dissipated_slip};
    const double old[3] = {last->dissipated_normal, last->dissipated_dashpot,
                           last->dissipated_slip};
    a->gap = fmax(a->gap, fabs(scene_balance(&now) - scene_balance(first)) / unit);
    a->boundary = fabs(now.work_boundary) / unit;
    for (int k = 0; k < 3; ++k) {
        a->backward = fmax(a->backward, (old[k] - part[k]) / unit);
        a->lost[k] = part[k] / unit;
    }
    *last = now;
}

/* Six walls around the cloud; the first is the floor, of id CLOUD_WALL. */
static void add_box(dem_world *world, double edge)
{
    for (int k = 0; k < 6; ++k) {
        dem_wall wall;
        const int axis = (k / 2 + 2) % 3;
        const double side = k % 2 == 0 ? 1.0 : -1.0;
        MUST(dem_wall_init(&wall));
        wall.id = (uint64_t)(CLOUD_WALL + k);
        wall.normal[2] = 0.0;
        wall.normal[axis] = side;
        wall.point[axis] = -0.5 * side * edge;
        MUST(dem_wall_add(world, &wall, NULL));
    }
}

/* The cloud in a box in gravity, looked at 200 times. shake > 0: the cloud flies apart, and the
 * floor moves with this speed's amplitude, its velocity set anew for each step. */
static account run(const dem_contact_model *model, uint64_t seed, unsigned refine, double shake)
{
    enum { LOOKS = 200, STEPS = 20 };
    cloud c;
    account a = {0};
    dem_world_config config;
    cloud_make(&c, seed, 2.2);
    MUST(dem_world_config_init(&config));
    config.gravity[2] = -9.81;
    dem_world *world = scene_world_of(&config, model);
    add_box(world, c.edge);
    for (int k = 0; k < CLOUD_COUNT && shake > 0.0; ++k)
        for (int axis = 0; axis < 3; ++axis)
            c.v[k][axis] = -c.v[k][axis];
    cloud_add(world, &c, 0);
    const double dt = cloud_step(&c) / refine, omega = 2.0 * 3.14159265358979323846 * 100.0;
    scene_step(world, dt, 0);
    const dem_world_energies first = scene_energies(world);
    dem_world_energies last = first;
    for (int look = 0; look < LOOKS; ++look) {
        for (unsigned k = 0; k < STEPS * refine && shake > 0.0; ++k) {
            const double middle = dem_world_time(world) + 0.5 * dt;
            const double velocity[3] = {0.5 * shake * cos(omega * middle), 0.0,
                                        shake * sin(omega * middle)};
            MUST(dem_wall_set_velocity(world, CLOUD_WALL, velocity));
            scene_step(world, dt, 1);
        }
        if (!(shake > 0.0))
            scene_step(world, dt, STEPS * refine);
        account_look(&a, &first, &last, world);
    }
    dem_world_destroy(world);
    return a;
}

enum { SEEDS = 4 };

/* Mean over the seeds of the gap at one refinement. */
static account mean_run(unsigned refine, double shake)
{
    const dem_linear law = cloud_law();
    const dem_contact_model model = scene_linear_model(&law);
    account sum = {0};
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        const account a = run(&model, seed * 6700417, refine, shake);
        sum.gap += a.gap / SEEDS;
        sum.backward = fmax(sum.backward, a.backward);
        sum.boundary += a.boundary / SEEDS;
        for (int k = 0; k < 3; ++k)
            sum.lost[k] += a.lost[k] / SEEDS;
    }
    return sum;
}

double cloud_energy_gap(const dem_contact_model *model, unsigned refine, double shake)
{
    double sum = 0.0;
    for (uint64_t seed = 1; seed <= 2; ++seed)
        sum += run(model, seed * 6700417, refine, shake).gap / 2.0;
    return sum;
}

void case_energy_cloud(ledger *l)
{
    l->paper = "libdem";
    l->name = "energy-cloud";
    const account coarse = mean_run(1, 0.0), fine = mean_run(4, 0.0);
    ledger_below(l, CONSERVATION, "gap_tc50", coarse.gap, 1e-3);
    ledger_below(l, CONSERVATION, "gap_tc200", fine.gap, 1e-4);
    ledger_near(l, ORDER, "order", 0.5 * log2(coarse.gap / fine.gap), 2.0, 0.5);
    ledger_below(l, BOUND, "dissipation_falls", fine.backward, 1e-4);
    ledger_above(l, BOUND, "lost_normal", fine.lost[0], 0.01);
    ledger_above(l, BOUND, "lost_dashpot", fine.lost[1], 1e-4);
    ledger_above(l, BOUND, "lost_slip", fine.lost[2], 0.01);
}

void case_energy_shaken_bed(ledger *l)
{
    l->paper = "libdem";
    l->name = "energy-shaken-bed";
    const account coarse = mean_run(1, 1.0), fine = mean_run(4, 1.0);
    ledger_above(l, BOUND, "work_of_wall", fine.boundary, 0.05);
    ledger_below(l, CONSERVATION, "gap_tc200", fine.gap, 1e-3);
    ledger_below(l, ORDER, "gap_tc200_over_tc50", fine.gap / coarse.gap, 0.5);
}
