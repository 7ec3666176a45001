/* SPDX-License-Identifier: MIT */
/* The groove at level 1: the demo owns three spheres and the loop, libdem the contacts.
 *
 * Case and figures: Vyas, Ottino, Lueptow, Umbanhowar, Sec. 2. A scheme that mixes half-step
 * velocities with full-step normals keeps the fine sphere in the groove for ever. */
#include "demo.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const struct {
    const char *name;
    int32_t scheme;
} schemes[3] = {{"synchronized", DEM_INTEGRATOR_VERLET_SYNC},
                {"improved", DEM_INTEGRATOR_VERLET_IMPROVED},
                {"standard", DEM_INTEGRATOR_VERLET_STANDARD}};

void groove_case_fill(groove_case *c)
{
    const double young = 72e9, poisson = 0.3; /* soda-lime glass */
    c->large_radius = 2e-3;
    c->ratio = 7.0;
    c->density = 2500.0;
    c->friction = 0.6;
    c->gravity = 9.81;
    c->start = pi / 180.0;
    c->restitution = 0.8;
    c->fine_radius = c->large_radius / c->ratio;
    c->fine_mass = c->density * 4.0 / 3.0 * pi * pow(c->fine_radius, 3.0);
    c->large_mass = c->density * 4.0 / 3.0 * pi * pow(c->large_radius, 3.0);
    const double mass = c->fine_mass * c->large_mass / (c->fine_mass + c->large_mass);
    const double radius = c->fine_radius * c->large_radius / (c->fine_radius + c->large_radius);
    const double modulus = young / (2.0 * (1.0 - poisson * poisson));
    const double speed = sqrt(2.0 * c->gravity * c->large_radius);
    /* the stiffness whose contact lasts as long as Hertz's, Eq. (1) and (6) of the paper */
    c->stiffness = 1.2024 * pow(sqrt(mass) * modulus * modulus * radius * speed, 0.4);
    c->stiffness_tangential = c->stiffness * 2.0 * (1.0 - poisson) / (2.0 - poisson);
    c->contact_time = pi * sqrt(mass / c->stiffness);
}

typedef struct groove_state {
    double position[3][3], velocity[3][3], angular_velocity[3][3], force[3][3], torque[3][3];
    double radius[3], mass[3], moving_mass[3], inertia[3];
    dem_contact_history *history;
    dem_integrator *integrator;
    dem_contacts_input input;
    dem_integrator_arrays arrays;
    dem_contact_totals totals;
} groove_state;

static const uint32_t groove_pairs[2][2] = {{0, 1}, {0, 2}};

static const char another_library[] = "the library is not that of the headers";

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "groove: %s: %s\n", what, why);
    return -1;
}

static int groove_create(groove_state *b, const groove_case *c, int32_t scheme)
{
    dem_error error;
    dem_contact_history_config config;
    dem_linear law;
    dem_contact_model model;
    dem_integrator_config integrator;
    if (dem_contact_history_config_init(&config) != DEM_OK || dem_linear_init(&law) != DEM_OK ||
        dem_contact_model_init(&model) != DEM_OK ||
        dem_integrator_config_init(&integrator) != DEM_OK)
        return complain("structs", another_library);
    if (dem_contact_history_create(&config, &b->history, &error) != DEM_OK)
        return complain("contact history", error.message);
    law.stiffness_normal = c->stiffness;
    law.stiffness_tangential = c->stiffness_tangential;
    law.friction = c->friction;
    law.restitution = c->restitution;
    law.normal = DEM_NORMAL_CUT_UNCORRECTED; /* the paper's Eq. (31) with the force cut at zero */
    if (dem_contact_model_add_linear_csds(&model, &law) != DEM_OK ||
        dem_contact_history_model_set(b->history, 0, 0, &model) != DEM_OK)
        return complain("contact model", dem_contact_history_error(b->history));
    integrator.scheme = scheme;
    if (dem_integrator_create(&integrator, &b->integrator, &error) != DEM_OK)
        return complain("integrator", error.message);
    return 0;
}

/* Sphere 0 is the fine one; 1 and 2 touch at the origin and lie along x. */
static void groove_place(groove_state *b, const groove_case *c)
{
    const double sum = c->large_radius + c->fine_radius;
    const double s = sqrt(sum * sum - c->large_radius * c->large_radius);
    b->position[0][1] = s * sin(c->start);
    b->position[0][2] = s * cos(c->start);
    b->position[1][0] = -c->large_radius;
    b->position[2][0] = c->large_radius;
    b->radius[0] = c->fine_radius;
    b->radius[1] = b->radius[2] = c->large_radius;
    /* in contacts the large spheres weigh what they weigh; for the integrator 0 means "stands" */
    b->mass[0] = b->moving_mass[0] = c->fine_mass;
    b->mass[1] = b->mass[2] = c->large_mass;
    b->inertia[0] = 0.4 * c->fine_mass * c->fine_radius * c->fine_radius;
}

static int groove_wire(groove_state *b)
{
    if (dem_contacts_input_init(&b->input) != DEM_OK ||
        dem_integrator_arrays_init(&b->arrays) != DEM_OK)
        return complain("structs", another_library);
    b->input.particle_count = 3;
    b->input.position = b->position[0];
    b->input.velocity = b->velocity[0];
    b->input.angular_velocity = b->angular_velocity[0];
    b->input.radius = b->radius;
    b->input.mass = b->mass;
    b->input.pair_count = 2;
    b->input.pairs = groove_pairs[0];
    b->input.force = b->force[0];
    b->input.torque = b->torque[0];
    b->arrays.count = 3;
    b->arrays.position = b->position[0];
    b->arrays.velocity = b->velocity[0];
    b->arrays.angular_velocity = b->angular_velocity[0];
    b->arrays.force = b->force[0];
    b->arrays.torque = b->torque[0];
    b->arrays.mass = b->moving_mass;
    b->arrays.inertia = b->inertia;
    b->totals.struct_size = sizeof b->totals;
    return 0;
}

static int groove_forces(groove_state *b, const groove_case *c)
{
    memset(b->force, 0, sizeof b->force);
    memset(b->torque, 0, sizeof b->torque);
    b->force[0][2] = -c->fine_mass * c->gravity;
    if (dem_contacts_evaluate(b->history, &b->input, &b->totals) != DEM_OK)
        return complain("contacts", dem_contact_history_error(b->history));
    return 0;
}

static int groove_step(groove_state *b, const groove_case *c, double dt)
{
    if (dem_integrator_begin(b->integrator, &b->arrays, dt) != DEM_OK ||
        dem_integrator_prepare(b->integrator, &b->input) != DEM_OK)
        return complain("integrator", dem_integrator_error(b->integrator));
    if (groove_forces(b, c) != 0)
        return -1;
    if (dem_integrator_end(b->integrator, &b->arrays) != DEM_OK)
        return complain("integrator", dem_integrator_error(b->integrator));
    return 0;
}

/* Angle from the vertical about the line of the large centres, 0 to 2 pi. */
static double groove_angle(const groove_state *b)
{
    const double angle = atan2(b->position[0][1], b->position[0][2]);
    return angle < 0.0 ? angle + 2.0 * pi : angle;
}

static double groove_gap(const groove_state *b)
{
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double d = b->position[0][k] - b->position[1][k];
        square += d * d;
    }
    return sqrt(square) - b->radius[0] - b->radius[1];
}

/* Runs until the fine sphere is clearly gone, or has passed the lowest point still in contact. */
static int groove_roll(groove_state *b, const groove_case *c, const char *name, double dt,
                       double expected, groove_result *result, demo_file *table)
{
    demo_progress progress;
    demo_progress_start(&progress, name);
    result->steps = 0;
    result->trapped = 0;
    double next_row = 0.0;
    b->input.dt = 0.0;
    b->input.forces_only = 1;
    if (groove_forces(b, c) != 0)
        return -1;
    b->input.forces_only = 0;
    while ((double)result->steps * dt < 3.0 * expected) {
        if (groove_step(b, c, dt) != 0)
            return -1;
        ++result->steps;
        if (b->totals.contacts > 0) {
            result->angle = groove_angle(b);
            result->time = (double)result->steps * dt;
            result->angular_velocity = fabs(b->angular_velocity[0][0]);
            if (result->angle >= pi && result->angle < 1.9 * pi) {
                result->trapped = 1;
                break;
            }
        } else if (groove_gap(b) > 1e-4 * c->fine_radius) {
            break;
        }
        if ((double)result->steps * dt >= next_row) {
            next_row += expected / 400.0;
            fprintf(table->stream, "%s,%.9g,%.9g,%.9g,%d\n", name, (double)result->steps * dt,
                    groove_angle(b) * 180.0 / pi, b->angular_velocity[0][0],
                    (int)b->totals.contacts);
            demo_progress_show(&progress, (double)result->steps * dt / (1.3 * expected));
        }
    }
    demo_progress_end(&progress);
    result->seconds = demo_seconds() - progress.start;
    return 0;
}

static int groove_scheme(const groove_case *c, int k, double dt, double expected,
                         groove_result *result, demo_file *table)
{
    static groove_state state; /* large; static also starts it with zeros, set again below */
    memset(&state, 0, sizeof state);
    int bad = groove_create(&state, c, schemes[k].scheme);
    if (bad == 0) {
        groove_place(&state, c);
        bad = groove_wire(&state);
    }
    if (bad == 0)
        bad = groove_roll(&state, c, schemes[k].name, dt, expected, result, table);
    dem_contact_history_destroy(state.history);
    dem_integrator_destroy(state.integrator);
    return bad;
}

static void groove_print(const char *name, const groove_result *row, const groove_result *rigid)
{
    if (row->trapped != 0) {
        printf("  %-14s trapped: in contact at 180 deg, t %.6f s, angular velocity %.1f rad/s  "
               "(%.1f s)\n",
               name, row->time, row->angular_velocity, row->seconds);
        return;
    }
    printf("  %-14s %9.4f %11.7f %10.3f", name, row->angle * 180.0 / pi, row->time,
           row->angular_velocity);
    if (row == rigid)
        printf("   slip begins at %.3f deg\n", row->slip_angle * 180.0 / pi);
    else
        printf("   %+.3f deg, %+.3f %%, %+.3f %%  (%.1f s)\n",
               (row->angle - rigid->angle) * 180.0 / pi, 100.0 * (row->time / rigid->time - 1.0),
               100.0 * (row->angular_velocity / rigid->angular_velocity - 1.0), row->seconds);
}

int groove_run(const demo_options *options)
{
    groove_case c;
    groove_result rigid, result[3];
    demo_file table;
    groove_case_fill(&c);
    groove_rigid(&c, &rigid);
    const double dt = c.contact_time / options->groove_steps;
    printf("A fine sphere in the groove between two large ones that stand still\n"
           "  size ratio %g, friction %g, released at %g deg; k_n %.0f N/m, k_t %.0f N/m,\n"
           "  contact time %.4f us, dt %.4f us\n",
           c.ratio, c.friction, c.start * 180.0 / pi, c.stiffness, c.stiffness_tangential,
           c.contact_time * 1e6, dt * 1e6);
    if (demo_file_open(&table, options->output, "groove.csv") != 0)
        return -1;
    fprintf(table.stream, "scheme,time_s,angle_deg,spin_rad_s,contacts\n");
    int bad = 0;
    for (int k = 0; k < 3 && bad == 0; ++k)
        bad = groove_scheme(&c, k, dt, rigid.time, &result[k], &table);
    bad |= demo_file_close(&table);
    if (bad != 0)
        return -1;
    printf("  %-14s %9s %11s %10s\n", "separation", "angle/deg", "time/s", "omega/(rad/s)");
    groove_print("rigid spheres", &rigid, &rigid);
    for (int k = 0; k < 3; ++k)
        groove_print(schemes[k].name, &result[k], &rigid);
    printf("  the three paths: %s\n\n", table.path);
    return 0;
}
