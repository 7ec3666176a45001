/* SPDX-License-Identifier: MIT */
#include "cloud.h"

#include "ledger.h"

#include <math.h>
#include <string.h>

static const double SPACING = 3e-3, SMALL = 0.6e-3, STIFF = 1e4, HEAVY = 2500.0;

void cloud_make(cloud *c, uint64_t seed, double spread)
{
    memset(c, 0, sizeof *c);
    c->edge = SPACING * CLOUD_EDGE;
    c->speed = 0.5;
    for (int k = 0; k < CLOUD_COUNT; ++k) {
        const int cell[3] = {k % CLOUD_EDGE, k / CLOUD_EDGE % CLOUD_EDGE,
                             k / (CLOUD_EDGE * CLOUD_EDGE)};
        c->radius[k] = SMALL * scene_random(&seed, 1.0, spread);
        c->mass[k] =
            HEAVY * 4.0 / 3.0 * 3.14159265358979323846 * c->radius[k] * c->radius[k] * c->radius[k];
        for (int a = 0; a < 3; ++a) {
            c->x[k][a] = SPACING * (cell[a] + 0.5 + scene_random(&seed, -0.1, 0.1)) - 0.5 * c->edge;
            c->v[k][a] = c->speed * (scene_random(&seed, -0.5, 0.5) - 8.0 * c->x[k][a] / c->edge);
            c->w[k][a] = scene_random(&seed, -1.0, 1.0) * c->speed / SMALL;
        }
    }
}

dem_linear cloud_law(void)
{
    dem_linear law = scene_linear(STIFF);
    law.friction = 0.5;
    law.restitution = 0.7;
    return law;
}

double cloud_step(const cloud *c)
{
    double least = c->mass[0];
    for (int k = 1; k < CLOUD_COUNT; ++k)
        least = fmin(least, c->mass[k]);
    return 3.14159265358979323846 * sqrt(0.5 * least / STIFF) / 50.0;
}

static uint64_t cloud_id(int k, int reversed)
{
    return (uint64_t)(CLOUD_FIRST + (reversed ? CLOUD_COUNT - 1 - k : k));
}

void cloud_add(dem_world *world, const cloud *c, int reversed)
{
    for (int k = 0; k < CLOUD_COUNT; ++k) {
        dem_particle p;
        MUST(dem_particle_init(&p));
        p.id = cloud_id(k, reversed);
        p.radius = c->radius[k];
        p.mass = c->mass[k];
        memcpy(p.position, c->x[k], sizeof p.position);
        memcpy(p.velocity, c->v[k], sizeof p.velocity);
        memcpy(p.angular_velocity, c->w[k], sizeof p.angular_velocity);
        MUST(dem_particle_add(world, &p, NULL));
    }
}

void cloud_read(const dem_world *world, cloud *c, int reversed)
{
    for (int k = 0; k < CLOUD_COUNT; ++k) {
        dem_particle_handle handle;
        MUST(dem_particle_find(world, cloud_id(k, reversed), &handle));
        const dem_particle p = scene_get(world, handle);
        memcpy(c->x[k], p.position, sizeof p.position);
        memcpy(c->v[k], p.velocity, sizeof p.velocity);
        memcpy(c->w[k], p.angular_velocity, sizeof p.angular_velocity);
    }
}
