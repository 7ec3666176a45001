/* SPDX-License-Identifier: MIT */
#include "groove_host.h"

#include "scene.h"

#include <math.h>
#include <string.h>

groove_setup groove_setup_of(double ratio, double friction, double degrees)
{
    const double large = 2e-3, fine = large / ratio, density = 2500.0, gravity = 9.81;
    groove_setup s;
    memset(&s, 0, sizeof s);
    s.rigid = (groove){.large = large,
                       .fine = fine,
                       .friction = friction,
                       .gravity = gravity,
                       .start = degrees * GROOVE_DEGREE};
    const double volume = 4.0 / 3.0 * 3.14159265358979323846;
    s.fine_mass = density * volume * fine * fine * fine;
    s.large_mass = density * volume * large * large * large;
    const double mass = s.fine_mass * s.large_mass / (s.fine_mass + s.large_mass);
    const double radius = fine * large / (fine + large);
    const double modulus = 72e9 / (2.0 * (1.0 - 0.3 * 0.3)), v0 = sqrt(2.0 * gravity * large);
    s.stiffness = 1.2024 * pow(sqrt(mass) * modulus * modulus * radius * v0, 0.4);
    s.contact_time = 3.14159265358979323846 * sqrt(mass / s.stiffness);
    s.restitution = 0.8;
    const double path = sqrt((large + fine) * (large + fine) - large * large);
    s.start[1] = path * sin(s.rigid.start);
    s.start[2] = path * cos(s.rigid.start);
    s.centres[0][0] = -large;
    s.centres[1][0] = large;
    return s;
}

void groove_soften(groove_setup *s, double factor)
{
    s->stiffness *= factor;
    s->contact_time /= sqrt(factor);
}

void groove_sink(groove_setup *s)
{
    const double distance = s->rigid.large + s->rigid.fine;
    const double sine = sqrt(1.0 - s->rigid.large * s->rigid.large / (distance * distance));
    const double load = s->fine_mass * s->rigid.gravity * cos(s->rigid.start);
    const double sink = load / (2.0 * s->stiffness * sine) / sine;
    for (int c = 0; c < 3; ++c)
        s->start[c] *= 1.0 - sink / (distance * sine);
}

dem_linear groove_law(const groove_setup *s)
{
    dem_linear law = scene_linear(s->stiffness);
    law.stiffness_tangential = s->stiffness * 2.0 * (1.0 - 0.3) / (2.0 - 0.3);
    law.friction = s->rigid.friction;
    law.restitution = s->restitution;
    return law;
}

double groove_angle(const double x[3])
{
    return atan2(x[1], x[2]);
}

double groove_length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void groove_compare(ledger *l, const groove_setup *s, groove_seen seen)
{
    const groove_exit exact = groove_solve(&s->rigid);
    ledger_near(l, CLOSED_FORM, "separation_angle_deg", seen.angle / GROOVE_DEGREE,
                exact.angle / GROOVE_DEGREE, 2e-4 * exact.angle / GROOVE_DEGREE);
    ledger_near(l, CLOSED_FORM, "separation_time_s", seen.time, exact.time, 2e-4 * exact.time);
    ledger_near(l, CLOSED_FORM, "separation_spin_rad_s", seen.angular_velocity,
                exact.angular_velocity, 2e-4 * exact.angular_velocity);
}

/* ------------------------------------------------------------ the host */

static const uint32_t pairs[4] = {0, 1, 0, 2};

static void host_objects(groove_host *h, const char *name, const dem_linear *law, int32_t scheme)
{
    dem_contact_history_config history;
    dem_integrator_config integrator;
    dem_contact_model model;
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = name, .parameters = law};
    MUST(dem_contact_history_config_init(&history));
    MUST(dem_contact_history_create(&history, &h->history, NULL));
    MUST(dem_contact_history_model_set(h->history, 0, 0, &model));
    MUST(dem_integrator_config_init(&integrator));
    integrator.scheme = scheme;
    MUST(dem_integrator_create(&integrator, &h->integrator, NULL));
    h->stages = dem_integrator_stage_count(h->integrator);
}

static void host_wire(groove_host *h)
{
    MUST(dem_integrator_arrays_init(&h->arrays));
    h->arrays.count = 3;
    h->arrays.position = h->x;
    h->arrays.velocity = h->v;
    h->arrays.angular_velocity = h->w;
    h->arrays.force = h->force;
    h->arrays.torque = h->torque;
    h->arrays.mass = h->mass;
    h->arrays.inertia = h->inertia;
    MUST(dem_contacts_input_init(&h->input));
    h->input.particle_count = 3;
    h->input.position = h->x;
    h->input.velocity = h->v;
    h->input.angular_velocity = h->w;
    h->input.radius = h->radius;
    h->input.mass = h->contact_mass;
    h->input.pair_count = 2;
    h->input.pairs = pairs;
    h->input.force = h->force;
    h->input.torque = h->torque;
    h->totals.struct_size = sizeof h->totals;
}

static void host_clear(groove_host *h)
{
    memset(h->force, 0, sizeof h->force);
    memset(h->torque, 0, sizeof h->torque);
    h->force[2] = -h->weight;
}

static void host_check(const groove_host *h, dem_status status, const char *what)
{
    if (status == DEM_OK)
        return;
    fprintf(stderr, "%s; %s\n", dem_contact_history_error(h->history),
            dem_integrator_error(h->integrator));
    must(status, what);
}

void groove_host_open(groove_host *h, const groove_setup *s, const char *law_name,
                      const dem_linear *law, int32_t scheme, double dt)
{
    const dem_linear own = groove_law(s);
    memset(h, 0, sizeof *h);
    host_objects(h, law_name != NULL ? law_name : DEM_LAW_LINEAR_CSDS, law != NULL ? law : &own,
                 scheme);
    memcpy(h->x, s->start, sizeof s->start);
    memcpy(h->x + 3, s->centres, sizeof s->centres);
    h->radius[0] = s->rigid.fine;
    h->radius[1] = h->radius[2] = s->rigid.large;
    h->mass[0] = h->contact_mass[0] = s->fine_mass;
    h->contact_mass[1] = h->contact_mass[2] = s->large_mass;
    h->inertia[0] = 0.4 * s->fine_mass * s->rigid.fine * s->rigid.fine;
    h->weight = s->fine_mass * s->rigid.gravity;
    h->dt = dt;
    host_wire(h);
    groove_host_first_forces(h);
}

void groove_host_first_forces(groove_host *h)
{
    /* at one moment: nothing moves, so nothing is committed */
    host_clear(h);
    h->input.dt = h->input.velocity_lag = 0.0;
    h->input.forces_only = 1;
    host_check(h, dem_contacts_evaluate(h->history, &h->input, &h->totals), "first forces");
    h->input.forces_only = 0;
}

static void host_step_stages(groove_host *h)
{
    dem_contacts_stage stage = {.struct_size = sizeof stage};
    host_check(h, dem_contacts_stage_begin(h->history, &h->input, &stage), "stage_begin");
    h->arrays.state_count = stage.count;
    h->arrays.state = stage.state;
    h->arrays.state_rate = stage.rate;
    h->arrays.state_jump = stage.jump;
    for (uint32_t k = 0; k < h->stages; ++k) {
        host_clear(h);
        host_check(h, dem_contacts_stage_rate(h->history, &h->input, &h->totals), "stage_rate");
        host_check(h, dem_integrator_stage(h->integrator, &h->arrays, h->dt), "stage");
    }
    host_check(h, dem_contacts_stage_end(h->history), "stage_end");
}

void groove_host_step(groove_host *h)
{
    if (h->stages > 0) {
        host_step_stages(h);
        return;
    }
    host_check(h, dem_integrator_begin(h->integrator, &h->arrays, h->dt), "begin");
    host_check(h, dem_integrator_prepare(h->integrator, &h->input), "prepare");
    host_clear(h);
    host_check(h, dem_contacts_evaluate(h->history, &h->input, &h->totals), "evaluate");
    host_check(h, dem_integrator_end(h->integrator, &h->arrays), "end");
}

void groove_host_reverse(groove_host *h)
{
    for (int c = 0; c < 9; ++c) {
        h->v[c] = -h->v[c];
        h->w[c] = -h->w[c];
    }
}

int groove_host_contact(const groove_host *h, int large, dem_contact *contact)
{
    uint64_t cursor = 0;
    memset(contact, 0, sizeof *contact);
    contact->struct_size = sizeof *contact;
    while (dem_contact_history_next(h->history, &cursor, contact) == DEM_OK)
        if (contact->key.id_j == (uint64_t)large + 1)
            return 1;
    return 0;
}

void groove_host_close(groove_host *h)
{
    dem_contact_history_destroy(h->history);
    dem_integrator_destroy(h->integrator);
}

groove_seen groove_host_run(const groove_setup *s, int32_t scheme, double dt)
{
    groove_host h;
    groove_host_open(&h, s, NULL, NULL, scheme, dt);
    groove_seen seen = {0};
    uint64_t step = 0, limit = (uint64_t)(1.0 / dt);
    /* round-off may leave a gap at the start; a real exit is far from it */
    while ((h.totals.contacts > 0 || step < 100) && step < limit && !seen.trapped) {
        groove_host_step(&h);
        step += 1;
        seen.trapped = h.x[2] < 0.0 && h.x[1] < 0.0;
    }
    seen.angle = groove_angle(h.x);
    seen.time = (double)step * dt;
    seen.angular_velocity = groove_length(h.w);
    groove_host_close(&h);
    return seen;
}
