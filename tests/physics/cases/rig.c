/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include "ledger.h"

#include <stdlib.h>
#include <string.h>

rig rig_open(const char *law, const void *parameters, double radius, double other, int swapped)
{
    rig r = {.radius = {radius, other}, .id = {swapped ? 9 : 3, 7}, .overlap = -radius};
    dem_contact_history_config config;
    dem_contact_model model;
    MUST(dem_contact_history_config_init(&config));
    MUST(dem_contact_history_create(&config, &r.history, NULL));
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = law, .parameters = parameters};
    if (dem_contact_history_model_set(r.history, 0, 0, &model) != DEM_OK) {
        fprintf(stderr, "rig_open: %s\n", dem_contact_history_error(r.history));
        exit(2);
    }
    return r;
}

void rig_close(rig *r)
{
    dem_contact_history_destroy(r->history);
    r->history = NULL;
}

void rig_place(rig *r, double overlap)
{
    r->overlap = overlap;
}

double rig_move(rig *r, double overlap, double dt)
{
    const uint32_t pair[2] = {0, 1};
    const double mass[2] = {1e-6, 2e-6};
    const double position[6] = {r->radius[0] + r->radius[1] - overlap};
    const double velocity[6] = {(r->overlap - overlap) / dt};
    double force[6] = {0.0};
    dem_contacts_input in;
    dem_contact_totals totals = {.struct_size = sizeof totals};
    MUST(dem_contacts_input_init(&in));
    in.particle_count = 2;
    in.id = r->id;
    in.position = position;
    in.velocity = velocity;
    in.radius = r->radius;
    in.mass = mass;
    in.pair_count = 1;
    in.pairs = pair;
    in.dt = dt;
    in.force = force;
    if (dem_contacts_evaluate(r->history, &in, &totals) != DEM_OK) {
        fprintf(stderr, "rig_move: %s\n", dem_contact_history_error(r->history));
        exit(2);
    }
    r->work += 0.5 * (force[0] + r->force) * (overlap - r->overlap);
    r->force = force[0];
    r->overlap = overlap;
    r->dissipated += totals.dissipated_normal;
    r->elastic = totals.elastic_energy;
    r->contacts = totals.contacts;
    return r->force;
}

double rig_radius(const rig *r)
{
    return r->radius[0] * r->radius[1] / (r->radius[0] + r->radius[1]);
}
