/* SPDX-License-Identifier: MIT */
/* Coupling to a fluid: drag with contacts, films that are crossed and bounced through, and what
 * deposition, rewinding and drag cost. The other rows of `make coupling` are figures of tests of
 * the interface. */
#include "cases.h"
#include "scene.h"

#include <dem/deposition.h>

#include <math.h>
#include <string.h>
#include <time.h>

static const double pi = 3.14159265358979323846;

static double *row_of(const dem_view *view, uint64_t row)
{
    return (double *)(void *)((char *)view->data + row * view->stride);
}

static dem_view view_of(dem_world *world, int32_t field)
{
    dem_view view = {.struct_size = sizeof view};
    MUST(dem_world_view(world, field, &view));
    return view;
}

static void floor_add(dem_world *world)
{
    dem_wall wall;
    MUST(dem_wall_init(&wall));
    MUST(dem_wall_add(world, &wall, NULL));
}

/* ------------------------------------------------------------------ drag and contacts */

/* Two grains on a floor, which the fluid presses against each other, and turns. */
static void pair_end(int32_t scheme, uint64_t steps, double uneven, double rate, double end[4])
{
    dem_world_config config = scene_config();
    config.integrator = scheme;
    dem_world *world = scene_world(&config);
    for (int k = 0; k < 2; ++k) {
        dem_particle p = scene_particle(k == 0 ? 0.0 : 0.9985, 0.0, 0.499);
        p.velocity[2] = 0.01 * k;
        p.velocity[1] = 0.004;
        MUST(dem_particle_add(world, &p, NULL));
    }
    floor_add(world);
    const dem_view beta = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   u = view_of(world, DEM_FIELD_FLUID_VELOCITY),
                   kappa = view_of(world, DEM_FIELD_ROTATIONAL_DRAG);
    for (uint64_t row = 0; row < 2; ++row) {
        *row_of(&beta, row) = rate * 0.1;
        *row_of(&kappa, row) = rate * 0.01;
        row_of(&u, row)[0] = (beta.id[row] == 1 ? 1.5 : -1.5) / (rate * 0.1);
    }
    MUST(dem_world_written(world));
    const double dt = 0.032 / (double)steps;
    for (uint64_t n = 0; n < steps; n += 2) {
        scene_step(world, dt * (1.0 - uneven), 1);
        scene_step(world, dt * (1.0 + uneven), 1);
    }
    const dem_view x = view_of(world, DEM_FIELD_POSITION);
    for (uint64_t row = 0; row < 2; ++row) {
        end[2 * (x.id[row] - 1)] = row_of(&x, row)[0];
        end[2 * (x.id[row] - 1) + 1] = row_of(&x, row)[1];
    }
    dem_world_destroy(world);
}

void case_coupling_order(ledger *l)
{
    l->paper = "coupling", l->name = "order";
    static const char *const names[2][2] = {{"verlet_even", "verlet_alternating"},
                                            {"leapfrog_even", "leapfrog_alternating"}};
    static const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_LEAPFROG};
    for (int k = 0; k < 2; ++k)
        for (int way = 0; way < 2; ++way)
            for (double rate = 1.0; rate < 200.0; rate *= 10.0) {
                double end[3][4], sums[2] = {0.0, 0.0};
                for (int fine = 0; fine < 3; ++fine)
                    pair_end(schemes[k], 256u << fine, 0.5 * way, rate, end[fine]);
                for (int c = 0; c < 4; ++c)
                    for (int fine = 0; fine < 2; ++fine)
                        sums[fine] += fabs(end[fine + 1][c] - end[fine][c]);
                char name[64];
                snprintf(name, sizeof name, "%s_b_%g", names[k][way], rate);
                ledger_near(l, SHEET, name, log2(sums[0] / sums[1]), 2.0, 0.05);
            }
}

static void flow_set(dem_world *world, double drag, double velocity)
{
    const dem_view beta = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   u = view_of(world, DEM_FIELD_FLUID_VELOCITY),
                   kappa = view_of(world, DEM_FIELD_ROTATIONAL_DRAG);
    for (uint64_t row = 0; row < u.count; ++row) {
        *row_of(&beta, row) = drag;
        *row_of(&kappa, row) = 0.05;
        row_of(&u, row)[2] = velocity;
    }
    MUST(dem_world_written(world));
}

/* Sum of component z of a field. */
static double sum_up(dem_world *world, int32_t field)
{
    const dem_view view = view_of(world, field);
    double sum = 0.0, lost = 0.0; /* round-off, which drag would multiply */
    for (uint64_t row = 0; row < view.count; ++row) {
        const double part = row_of(&view, row)[2] - lost, next = sum + part;
        lost = (next - sum) - part;
        sum = next;
    }
    return sum;
}

/* What the floor and the fluid give to the bed. */
typedef struct bed_given {
    double load, drag;      /* as the world sums them */
    double load_by_balance; /* weight less drag and gained momentum, from paths alone */
} bed_given;

/* Makes steps of dt. A kick of h, with z = h beta/m, from v0 to v1 has the drag beta (u - v) for
 * the v between both that is (1 + z)/(2 + z) of the way, which follows from the scheme. The
 * velocities in the middle of steps add up to the way. */
static bed_given bed_steps(dem_world *world, double beta, double u, double dt, int steps)
{
    const double count = (double)view_of(world, DEM_FIELD_VELOCITY).count, mass = 0.1,
                 z = 0.5 * dt * beta / mass, time = dt * steps;
    MUST(dem_world_impulses_reset(world));
    const double x0 = sum_up(world, DEM_FIELD_POSITION), v0 = sum_up(world, DEM_FIELD_VELOCITY);
    double velocities = 0.0;
    for (int n = 0; n < steps; ++n) {
        velocities += sum_up(world, DEM_FIELD_VELOCITY);
        scene_step(world, dt, 1);
    }
    const double gained = sum_up(world, DEM_FIELD_VELOCITY) - v0,
                 way = 0.5 * (sum_up(world, DEM_FIELD_POSITION) - x0 + dt * velocities +
                              dt * (1.0 + z) / (2.0 + z) * gained);
    dem_wall floor = {.struct_size = sizeof floor};
    MUST(dem_wall_get(world, 1, &floor));
    const bed_given given = {-floor.impulse[2], sum_up(world, DEM_FIELD_DRAG_IMPULSE),
                             count * mass * 10.0 * time - beta * (count * u * time - way) +
                                 mass * gained};
    return given;
}

/* 1,000 grains in a flow that carries half of them, also where the step is longer than the
 * relaxation time. The heap sinks still: the flow carries more by beta times its velocity, and the
 * floor less. */
void case_coupling_bed(ledger *l)
{
    l->paper = "coupling", l->name = "bed";
    static const double ratio[] = {0.1, 1.0, 2.2};
    /* what the sheet has is a range */
    static const double sheet[] = {0.4995, 0.4998};
    const double dt = 1e-3, weight = 1000.0 * 0.1 * 10.0;
    dem_world *world = scene_packing(10, 10, NULL, NULL);
    flow_set(world, 1.0, 0.0); /* brings it to rest */
    scene_step(world, dt, 4000);
    flow_set(world, 1.0, 0.5);
    scene_step(world, dt, 6000);
    for (int k = 0; k < 3; ++k) {
        const double beta = ratio[k] * 0.1 / dt;
        flow_set(world, beta, 0.5 / beta);
        scene_step(world, dt, 500);
        const bed_given given = bed_steps(world, beta, 0.5 / beta, dt, 500);
        const double whole = 0.5 * weight; /* times the time */
        char name[64];
        snprintf(name, sizeof name, "load_of_the_floor_dt/tau_%g", ratio[k]);
        ledger_near(l, CLOSED_FORM, name, given.load / whole, given.load_by_balance / whole, 1e-12);
        for (int end = 0; end < 2; ++end) {
            snprintf(name, sizeof name, "load_beside_the_sheets_%s_dt/tau_%g",
                     end == 0 ? "least" : "most", ratio[k]);
            ledger_show(l, SHEET, name, given.load / whole, sheet[end]);
        }
        snprintf(name, sizeof name, "carried_by_the_flow_dt/tau_%g", ratio[k]);
        ledger_show(l, CLOSED_FORM, name, given.drag / whole, 0.5);
    }
    dem_world_destroy(world);
}

/* Greatest energy above that of rest, over 10 periods. */
static double periods_most(dem_world *world, double dt, double rest)
{
    double most = 0.0;
    for (int n = 0; n < 200; ++n) {
        scene_step(world, 0.5 * dt, 1);
        scene_step(world, 1.5 * dt, 1);
        const dem_world_energies e = scene_energies(world);
        const double energy = e.kinetic_translation + e.potential + e.elastic - rest;
        most = energy > most ? energy : most;
    }
    return most;
}

/* A grain that oscillates on a spring which gravity holds closed, with steps that alternate. */
void case_coupling_periods(ledger *l)
{
    l->paper = "coupling", l->name = "alternating";
    static const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_LEAPFROG};
    static const char *const names[] = {"drift_verlet", "drift_leapfrog"};
    for (int k = 0; k < 2; ++k) {
        dem_world_config config = scene_config();
        config.integrator = schemes[k];
        dem_world *world = scene_world(&config);
        scene_model(world, 0, 0, 1000.0, 0.0, 1.0);
        dem_particle p = scene_particle(0.0, 0.0, 0.499);
        p.velocity[2] = 0.05;
        MUST(dem_particle_add(world, &p, NULL));
        floor_add(world);
        const double dt = 2.0 * pi * sqrt(0.1 / 1000.0) / 40.0,
                     rest = 0.1 * 10.0 * 0.499 + 0.5 * 1000.0 * 1e-6;
        const double first = periods_most(world, dt, rest);
        double last = first;
        for (int n = 1; n < 32; ++n)
            last = periods_most(world, dt, rest);
        /* the map of two steps is symplectic: there is no drift; samples find the top to 1e-3 */
        ledger_near(l, CONSERVATION, names[k], last / first, 1.0, 1e-3);
        dem_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ films */

typedef struct bounce {
    double stokes, ratio, restitution, dt, gap_min, width; /* width: gap_max/gap_min */
    int hertz;
} bounce;

/* A sphere of radius 0.5 and mass 0.1 that meets a plane with the speed 1. A contact of time_of
 * seconds. */
static dem_world *bounce_world(const bounce *b, double time)
{
    dem_world_config config;
    MUST(dem_world_config_init(&config));
    dem_world *world = scene_world(&config);
    dem_film film;
    MUST(dem_film_init(&film));
    film.viscosity = 0.1 / (b->stokes * 6.0 * pi * 0.25);
    film.gap_min = b->gap_min;
    film.gap_max = b->width * b->gap_min;
    dem_contact_model model;
    MUST(dem_contact_model_init(&model));
    dem_linear linear;
    dem_hertz hertz;
    MUST(dem_linear_init(&linear));
    MUST(dem_hertz_init(&hertz));
    const double stretch = sqrt(1.0 + pow(log(b->restitution) / pi, 2.0));
    linear.stiffness_normal = 0.1 * pow(stretch * pi / time, 2.0);
    linear.restitution = b->restitution;
    linear.friction = 0.0;
    /* time 2.94327 most overlap/speed, m v^2/2 = 8/15 E* sqrt(R) overlap^(5/2) */
    const double overlap = time / 2.943275;
    hertz.poisson[0] = 0.0;
    hertz.young[0] = 2.0 * 0.05 / (8.0 / 15.0 * sqrt(0.5) * pow(overlap, 2.5));
    hertz.restitution = b->restitution;
    if (b->hertz)
        MUST(dem_contact_model_add_hertz(&model, &hertz));
    else
        MUST(dem_contact_model_add_linear_csds(&model, &linear));
    MUST(dem_contact_model_add_film(&model, &film));
    MUST(dem_contact_model_set(world, 0, 0, &model));
    dem_particle p = scene_particle(0.0, 0.0, 0.5 + 1.001 * film.gap_max);
    p.velocity[2] = -1.0;
    MUST(dem_particle_add(world, &p, NULL));
    floor_add(world);
    return world;
}

static double speed_out(const bounce *b, double time)
{
    dem_world *world = bounce_world(b, time);
    dem_particle p = {.struct_size = sizeof p};
    dem_particle_handle handle;
    for (uint64_t n = 0; n < 4000; ++n) {
        scene_step(world, b->dt, 2000);
        MUST(dem_particle_find(world, 1, &handle));
        MUST(dem_particle_get(world, handle, &p));
        if ((p.velocity[2] > 0.0 && p.position[2] > 0.5 + b->width * b->gap_min) ||
            fabs(p.velocity[2]) < 1e-9)
            break;
    }
    dem_world_destroy(world);
    return p.velocity[2];
}

static void rebounds(ledger *l, double step_least, double stokes_factor)
{
    l->paper = "coupling", l->name = "rebound";
    for (double stokes = 5.0; stokes < 1300.0; stokes *= stokes_factor)
        for (double steps = step_least; steps < 2e4; steps *= 100.0) {
            const double time = 1e-3;
            const bounce b = {stokes, steps, 0.97, time / 1000.0, time / 1000.0 / steps, 1e3, 0};
            const double lambda = log(1e3) / stokes, in = 1.0 - lambda,
                         out = b.restitution * in - lambda;
            char name[64];
            snprintf(name, sizeof name, "St_%.4g_dt_v/gap_%g", stokes, steps);
            ledger_near(l, CLOSED_FORM, name, speed_out(&b, time),
                        in > 0.0 && out > 0.0 ? out : 0.0, 3e-5);
        }
}

void case_coupling_rebound_few(ledger *l)
{
    rebounds(l, 1.0, 15.588457268119896);
}

void case_coupling_rebound(ledger *l)
{
    rebounds(l, 0.01, 2.4980494);
}

/* By how much Verlet's energy rises from touch to turn, over the kinetic energy, with n steps in a
 * contact: from its modified Hamiltonian, dt^2 (V'' v^2/12 - F^2/(24 m)). */
static double verlet_rise(int hertz, double n)
{
    if (!hertz)
        return pow(pi / n, 2.0) / 4.0;
    double most = 0.0, least = 0.0;
    for (double x = 0.0; x <= 1.0; x += 1e-4) {
        const double c = 1.875 / 12.0 * sqrt(x) * (1.0 - pow(x, 2.5)) - 1.5625 / 24.0 * x * x * x;
        most = c > most ? c : most;
        least = c < least ? c : least;
    }
    return 2.0 * pow(2.943275 / n, 2.0) * (most - least);
}

/* The most by which energy rises above what it was. */
static double energy_rise(int hertz, double n)
{
    const double time = 1e-2;
    const bounce b = {200.0, 0.0, 1.0, time / n, 1e-6, 1e3, hertz};
    dem_world *world = bounce_world(&b, time);
    double least = 0.05, rise = 0.0;
    for (double t = 0.0; t < 1.6 * time; t += b.dt) {
        scene_step(world, b.dt, 1);
        const dem_world_energies e = scene_energies(world);
        const double energy = e.kinetic_translation + e.elastic;
        least = energy < least ? energy : least;
        rise = energy - least > rise ? energy - least : rise;
    }
    dem_world_destroy(world);
    return rise / 0.05;
}

void case_coupling_bounce(ledger *l)
{
    l->paper = "coupling", l->name = "bounce";
    static const double steps[] = {22.0, 670.0, 20000.0};
    for (int hertz = 0; hertz < 2; ++hertz)
        for (int k = 0; k < 3; ++k) {
            char name[64];
            snprintf(name, sizeof name, "%s_rise_over_verlets_at_%g", hertz ? "hertz" : "hooke",
                     steps[k]);
            ledger_below(l, CLOSED_FORM, name,
                         energy_rise(hertz, steps[k]) / verlet_rise(hertz, steps[k]), 1.05);
        }
}

/* ------------------------------------------------------------------ costs */

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void costs_of_deposition(ledger *l)
{
    enum { COUNT = 100000, EDGE = 40 };
    static double x[COUNT][3], volume[COUNT], cells[EDGE * EDGE * EDGE];
    static const double sheet[] = {9.0, 16.0, 24.0, 124.0};
    static const char *const names[] = {"nearest_ns", "linear_ns", "quadratic_ns", "gaussian_ns"};
    uint64_t seed = 7;
    for (int n = 0; n < COUNT; ++n) {
        volume[n] = 1.0;
        for (int c = 0; c < 3; ++c) /* sorted in space, as rows of a world are */
            x[n][c] = c < 2 ? scene_random(&seed, 0.0, EDGE) : (n + 0.5) * EDGE / COUNT;
    }
    dem_deposition_grid grid;
    MUST(dem_deposition_grid_init(&grid));
    for (int c = 0; c < 3; ++c)
        grid.cells[c] = EDGE;
    grid.deviation = 0.5;
    for (int32_t kernel = 0; kernel <= DEM_DEPOSITION_GAUSSIAN; ++kernel) {
        grid.kernel = kernel;
        double best = 1e9;
        for (int n = 0; n < 3; ++n) {
            const double begin = seconds();
            MUST(dem_deposit(&grid, COUNT, x[0], 24, volume, 8, 1, cells, NULL));
            const double took = (seconds() - begin) / COUNT * 1e9;
            best = took < best ? took : best;
        }
        ledger_show(l, SHEET, names[kernel], best, sheet[kernel]);
    }
}

static double step_ns(dem_world *world, int drag)
{
    const dem_view beta = view_of(world, DEM_FIELD_DRAG_COEFFICIENT);
    for (uint64_t row = 0; row < beta.count; ++row)
        *row_of(&beta, row) = drag ? 0.1 : 0.0;
    MUST(dem_world_written(world));
    scene_step(world, 1e-4, 20);
    double best = 1e9;
    for (int n = 0; n < 5; ++n) {
        const double begin = seconds();
        scene_step(world, 1e-4, 100);
        const double took = (seconds() - begin) / 100.0 * 1e9;
        best = took < best ? took : best;
    }
    return best;
}

void case_coupling_costs(ledger *l)
{
    l->paper = "coupling", l->name = "costs";
    costs_of_deposition(l);
    dem_world *world = scene_packing(10, 10, NULL, NULL);
    const double without = step_ns(world, 0);
    MUST(dem_world_impulses_reset(world));
    const double with = step_ns(world, 1);
    ledger_show(l, SHEET, "drag_and_sums_ns_a_grain", (with - without) / 1000.0, 9.0);
    const double begin = seconds();
    for (int n = 0; n < 200; ++n) {
        MUST(dem_world_mark(world));
        MUST(dem_world_rewind(world));
    }
    ledger_show(l, SHEET, "mark_and_rewind_over_a_step", (seconds() - begin) / 200.0 * 1e9 / with,
                1.0);
    dem_world_destroy(world);
}
