/* SPDX-License-Identifier: MIT */
#include "gas.h"

#include "ledger.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* Normal distribution, nearly: the sum of twelve uniform numbers. */
static double normal(uint64_t *seed)
{
    double sum = 0.0;
    for (int k = 0; k < 12; ++k)
        sum += scene_random(seed, -0.5, 0.5);
    return sum;
}

gas gas_make(const dem_linear *law, const char *slider, int32_t integrator, uint64_t seed)
{
    static dem_particle p[GAS_COUNT];
    const double edge = cbrt(GAS_COUNT * PI / 6.0 / GAS_FRACTION), cell = edge / GAS_EDGE;
    double mean[3] = {0.0, 0.0, 0.0}, square = 0.0, turning = 0.0;
    dem_world_config config;
    dem_linear filled = *law;
    gas g;
    g.stiffness = filled.stiffness_normal = 0.5 * (PI / GAS_CONTACT) * (PI / GAS_CONTACT);
    dem_contact_model model = scene_linear_model(&filled);
    model.parts[0].law = slider;
    MUST(dem_world_config_init(&config));
    for (int c = 0; c < 3; ++c) {
        config.boundary[c] = DEM_BOUNDARY_PERIODIC;
        config.box_high[c] = edge;
    }
    config.integrator = integrator;
    config.energy_tracking = DEM_ENERGY_TRACKING_OFF;
    g.world = scene_world_of(&config, &model);
    for (int k = 0; k < GAS_COUNT; ++k) {
        const int at[3] = {k % GAS_EDGE, k / GAS_EDGE % GAS_EDGE, k / (GAS_EDGE * GAS_EDGE)};
        MUST(dem_particle_init(&p[k]));
        p[k].radius = 0.5;
        p[k].mass = 1.0;
        for (int c = 0; c < 3; ++c) {
            p[k].position[c] = cell * (at[c] + 0.5 + scene_random(&seed, -0.1, 0.1));
            p[k].velocity[c] = normal(&seed);
            p[k].angular_velocity[c] = law->friction > 0.0 ? normal(&seed) : 0.0;
            mean[c] += p[k].velocity[c] / GAS_COUNT;
        }
    }
    for (int k = 0; k < GAS_COUNT; ++k)
        for (int c = 0; c < 3; ++c) {
            p[k].velocity[c] -= mean[c];
            square += p[k].velocity[c] * p[k].velocity[c] / (3.0 * GAS_COUNT);
            turning +=
                0.1 * p[k].angular_velocity[c] * p[k].angular_velocity[c] / (3.0 * GAS_COUNT);
        }
    for (int k = 0; k < GAS_COUNT; ++k)
        for (int c = 0; c < 3; ++c) {
            p[k].velocity[c] /= sqrt(square);
            p[k].angular_velocity[c] /= turning > 0.0 ? sqrt(turning) : 1.0;
        }
    MUST(dem_particles_add(g.world, GAS_COUNT, p, NULL));
    return g;
}

gas_state gas_look(const gas *g)
{
    gas_state s = {0};
    const dem_world_energies e = scene_energies(g->world);
    s.translation = e.kinetic_translation;
    s.rotation = e.kinetic_rotation;
    dem_contact contact;
    contact.struct_size = sizeof contact;
    uint64_t cursor = 0;
    while (dem_world_contact_next(g->world, &cursor, &contact) == DEM_OK) {
        s.elastic += 0.5 * g->stiffness * contact.overlap * contact.overlap;
        s.contacts += 1;
    }
    return s;
}

double gas_frequency(double temperature)
{
    const double touch = (1.0 - 0.5 * GAS_FRACTION) / pow(1.0 - GAS_FRACTION, 3.0);
    return 4.0 * (6.0 / PI * GAS_FRACTION) * touch * sqrt(PI * temperature);
}
