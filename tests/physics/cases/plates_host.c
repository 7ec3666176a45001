/* SPDX-License-Identifier: MIT */
#include "plates_host.h"

#include "ledger.h"

#include <string.h>

/* Within 8 units of path the normal tilts by 4e-8 and the overlap, 1, shrinks by 2e-7. */
static const double PLATE = 1e8;

void plates_open(plates_host *p, const char *law, int32_t scheme, double v0)
{
    static const uint32_t pairs[2] = {0, 1};
    dem_contact_history_config history;
    dem_integrator_config integrator;
    dem_contact_model model;
    dem_linear linear;
    memset(p, 0, sizeof *p);
    MUST(dem_linear_init(&linear));
    linear.stiffness_normal = linear.stiffness_tangential = linear.friction = 1.0;
    linear.damping = DEM_DAMPING_COEFFICIENT;
    linear.damping_tangential = 2.0;
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = law, .parameters = &linear};
    MUST(dem_contact_history_config_init(&history));
    MUST(dem_contact_history_create(&history, &p->history, NULL));
    MUST(dem_contact_history_model_set(p->history, 0, 0, &model));
    MUST(dem_integrator_config_init(&integrator));
    integrator.scheme = scheme;
    MUST(dem_integrator_create(&integrator, &p->integrator, NULL));
    p->radius[0] = p->radius[1] = PLATE;
    p->mass[0] = 1.0;
    p->x[2] = 2.0 * PLATE - 1.0;
    p->v[0] = v0;
    MUST(dem_contacts_input_init(&p->input));
    p->input.particle_count = 2;
    p->input.position = p->x;
    p->input.velocity = p->v;
    p->input.radius = p->radius;
    p->input.mass = p->mass;
    p->input.pair_count = 1;
    p->input.pairs = pairs;
    p->input.force = p->force;
    MUST(dem_integrator_arrays_init(&p->arrays));
    p->arrays.count = 2;
    p->arrays.position = p->x;
    p->arrays.velocity = p->v;
    p->arrays.force = p->force;
    p->arrays.mass = p->mass;
}

void plates_step(plates_host *p, double dt, void (*seen)(const plates_host *p, uint32_t stage))
{
    dem_contacts_stage stage = {.struct_size = sizeof stage};
    MUST(dem_contacts_stage_begin(p->history, &p->input, &stage));
    p->arrays.state_count = stage.count;
    p->arrays.state = stage.state;
    p->arrays.state_rate = stage.rate;
    p->arrays.state_jump = stage.jump;
    for (uint32_t k = 0; k < dem_integrator_stage_count(p->integrator); ++k) {
        memset(p->force, 0, sizeof p->force);
        p->force[2] = -1.0;
        p->spring = stage.state[0];
        p->trial = -stage.state[0] - 2.0 * p->v[0];
        MUST(dem_contacts_stage_rate(p->history, &p->input, NULL));
        if (seen != NULL)
            seen(p, k);
        MUST(dem_integrator_stage(p->integrator, &p->arrays, dt));
    }
    MUST(dem_contacts_stage_end(p->history));
}

double plates_spring(const plates_host *p)
{
    uint64_t cursor = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    MUST(dem_contact_history_next(p->history, &cursor, &contact));
    return contact.state[0];
}

void plates_close(plates_host *p)
{
    dem_contact_history_destroy(p->history);
    dem_integrator_destroy(p->integrator);
}
