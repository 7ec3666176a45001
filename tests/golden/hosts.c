/* SPDX-License-Identifier: MIT */
/* The scenes at level 1: a cloud of grains that a host owns, steps and searches by brute force. */
#include "golden.h"

#include "../bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPHERES, SHIFTS, GIVEN };

typedef struct row {
    const char *name, *laws;
    int32_t scheme;
    int geometry;
} row;

static const row rows[] = {
    {"host-verlet", "linear", DEM_INTEGRATOR_VERLET_SYNC, SPHERES},
    {"host-improved", "hertz+m4", DEM_INTEGRATOR_VERLET_IMPROVED, SPHERES},
    {"host-rk4", "linear", DEM_INTEGRATOR_RK4, SPHERES},
    {"host-heun", "linear-dsds", DEM_INTEGRATOR_HEUN, SPHERES},
    {"host-shifts", "hertz+mindlin", DEM_INTEGRATOR_VERLET_SYNC, SHIFTS},
    {"host-given", "hertz+mindlin", DEM_INTEGRATOR_VERLET_SYNC, GIVEN},
    {"host-leapfrog-given", "hooke+friction+twisting-csds", DEM_INTEGRATOR_LEAPFROG, GIVEN},
};

enum { ROWS = sizeof rows / sizeof rows[0] };
enum { EDGE = 4, GRAINS = EDGE * EDGE * EDGE, PAIRS = GRAINS * (GRAINS - 1) / 2, STEPS = 250 };

const char *const golden_hosts[ROWS + 1] = {"host-verlet",        "host-improved", "host-rk4",
                                            "host-heun",          "host-shifts",   "host-given",
                                            "host-leapfrog-given"};

static const double step = 1.05, timestep = 2e-4;
static const double box = EDGE * 1.05; /* the period of what is shifted */

typedef struct host {
    const row *r;
    dem_contact_history *history;
    dem_integrator *integrator;
    dem_contacts_input input;
    dem_contacts_geometry geometry;
    dem_integrator_arrays arrays;
    dem_contact_totals totals;
    double x[GRAINS][3], v[GRAINS][3], w[GRAINS][3], f[GRAINS][3], t[GRAINS][3];
    double radius[GRAINS], mass[GRAINS], inertia[GRAINS];
    uint64_t id[GRAINS];
    uint32_t pairs[PAIRS][2];
    double shifts[PAIRS][3], overlap[PAIRS], normal[PAIRS][3], point[PAIRS][3];
    int32_t images[PAIRS][3];
} host;

static void host_must(const host *h, dem_status status)
{
    const char *of_contacts = dem_contact_history_error(h->history);
    bench_must(status, of_contacts[0] != '\0' ? of_contacts : dem_integrator_error(h->integrator));
}

static void host_fill(host *h)
{
    uint64_t random = 7;
    for (uint64_t k = 0; k < GRAINS; ++k) {
        const uint64_t at[3] = {k % EDGE, k / EDGE % EDGE, k / (EDGE * EDGE)};
        h->id[k] = 1 + (k * 29) % 67;
        h->radius[k] = 0.45 + 0.1 * bench_random(&random);
        h->mass[k] = 4.0 * h->radius[k] * h->radius[k] * h->radius[k];
        h->inertia[k] = 0.4 * h->mass[k] * h->radius[k] * h->radius[k];
        for (int c = 0; c < 3; ++c) {
            h->x[k][c] = step * (0.5 + (double)at[c]) + 0.02 * bench_random(&random);
            h->v[k][c] = 2.0 * (bench_random(&random) - 0.5) +
                         1.5 * (1.5 - (double)at[c]); /* towards the middle */
            h->w[k][c] = 3.0 * (bench_random(&random) - 0.5);
        }
    }
}

/* Lists the pairs within a little more than touch, the one with the lower row first or second. */
static void host_search(host *h)
{
    uint64_t n = 0;
    for (uint32_t a = 0; a < GRAINS; ++a)
        for (uint32_t b = a + 1; b < GRAINS; ++b) {
            double d[3], square = 0.0;
            const int turned = (a + b) % 2 == 0;
            for (int c = 0; c < 3; ++c) {
                d[c] = h->x[a][c] - h->x[b][c];
                h->shifts[n][c] = 0.0;
                h->images[n][c] = 0;
                const double periods = h->r->geometry == SHIFTS ? rint(d[c] / box) : 0.0;
                h->shifts[n][c] = (turned ? -periods : periods) * box;
                h->images[n][c] = (int32_t)(turned ? -periods : periods);
                d[c] -= periods * box;
                square += d[c] * d[c];
            }
            const double touch = h->radius[a] + h->radius[b], distance = sqrt(square);
            if (distance > touch + 0.1)
                continue;
            h->pairs[n][0] = turned ? b : a;
            h->pairs[n][1] = turned ? a : b;
            h->overlap[n] = touch - distance;
            for (int c = 0; c < 3; ++c) {
                const double normal = d[c] / distance;
                h->normal[n][c] = turned ? -normal : normal;
                h->point[n][c] = h->x[a][c] - (h->radius[a] - 0.5 * h->overlap[n]) * normal;
            }
            ++n;
        }
    h->input.pair_count = n;
}

/* Contact forces of the present positions and velocities. */
static void host_forces(host *h)
{
    memset(h->f, 0, sizeof h->f);
    memset(h->t, 0, sizeof h->t);
    host_search(h);
}

static void host_evaluate(host *h)
{
    host_must(h,
              h->r->geometry == GIVEN
                  ? dem_contacts_evaluate_geometry(h->history, &h->input, &h->geometry, &h->totals)
                  : dem_contacts_evaluate(h->history, &h->input, &h->totals));
}

static void host_step(host *h)
{
    const uint32_t stages = dem_integrator_stage_count(h->integrator);
    if (stages == 0) {
        host_must(h, dem_integrator_begin(h->integrator, &h->arrays, timestep));
        host_must(h, dem_integrator_prepare(h->integrator, &h->input));
        host_forces(h);
        host_evaluate(h);
        host_must(h, dem_integrator_end(h->integrator, &h->arrays));
        return;
    }
    dem_contacts_stage stage = {.struct_size = sizeof stage};
    host_search(h);
    h->input.dt = timestep;
    host_must(h, dem_contacts_stage_begin(h->history, &h->input, &stage));
    h->arrays.state_count = stage.count;
    h->arrays.state = stage.state;
    h->arrays.state_rate = stage.rate;
    h->arrays.state_jump = stage.jump;
    for (uint32_t k = 0; k < stages; ++k) {
        memset(h->f, 0, sizeof h->f);
        memset(h->t, 0, sizeof h->t);
        host_must(h, dem_contacts_stage_rate(h->history, &h->input, &h->totals));
        host_must(h, dem_integrator_stage(h->integrator, &h->arrays, timestep));
    }
    host_must(h, dem_contacts_stage_end(h->history));
}

static void host_create(host *h, golden_way way)
{
    dem_contact_history_config config;
    dem_integrator_config integrator;
    dem_error error = {0};
    bench_model m;
    dem_contact_history_config_init(&config);
    config.isa = way.isa;
    bench_must(dem_contact_history_create(&config, &h->history, &error), error.message);
    bench_model_fill(&m, h->r->laws, BENCH_DEFAULT);
    host_must(h, dem_contact_history_model_set(h->history, 0, 0, &m.model));
    dem_integrator_config_init(&integrator);
    integrator.scheme = h->r->scheme;
    bench_must(dem_integrator_create(&integrator, &h->integrator, &error), error.message);
    dem_contacts_input_init(&h->input);
    dem_integrator_arrays_init(&h->arrays);
    dem_contacts_geometry_init(&h->geometry);
    h->input.particle_count = h->arrays.count = GRAINS;
    h->input.id = h->id;
    h->input.position = h->arrays.position = h->x[0];
    h->input.velocity = h->arrays.velocity = h->v[0];
    h->input.angular_velocity = h->arrays.angular_velocity = h->w[0];
    h->input.radius = h->radius;
    h->input.mass = h->arrays.mass = h->mass;
    h->arrays.inertia = h->inertia;
    h->input.force = h->f[0];
    h->input.torque = h->t[0];
    h->arrays.force = h->f[0];
    h->arrays.torque = h->t[0];
    h->input.pairs = h->pairs[0];
    if (h->r->geometry == SHIFTS) {
        h->input.shifts = h->shifts[0];
        h->input.images = h->images[0];
    }
    h->geometry.overlap = h->overlap;
    h->geometry.normal = h->normal[0];
    h->geometry.point = h->point[0];
    h->totals.struct_size = sizeof h->totals;
}

void golden_host_run(int scene, golden_way way, golden_sum *sum)
{
    host *h = calloc(1, sizeof *h);
    if (h == NULL)
        bench_fail("host", "no memory");
    h->r = &rows[scene];
    host_fill(h);
    host_create(h, way);
    for (int k = 0; k < (sum->dump ? 1 : STEPS); ++k) {
        host_step(h);
        if (sum->dump || k % 10 != 0)
            continue;
        golden_doubles(sum, h->x[0], sizeof h->x / sizeof(double));
        golden_doubles(sum, h->v[0], sizeof h->v / sizeof(double));
        golden_doubles(sum, h->w[0], sizeof h->w / sizeof(double));
        golden_doubles(sum, h->f[0], sizeof h->f / sizeof(double));
        golden_doubles(sum, h->t[0], sizeof h->t / sizeof(double));
        golden_words(sum, &h->totals.contacts, 1);
        sum->contacts = h->totals.contacts > sum->contacts ? h->totals.contacts : sum->contacts;
        golden_doubles(sum, &h->totals.elastic_energy, 5);
    }
    for (uint64_t k = 0; k < GRAINS && sum->dump; ++k)
        printf("%llu %.17g %.17g %.17g %.17g %.17g %.17g\n", (unsigned long long)h->id[k],
               h->f[k][0], h->f[k][1], h->f[k][2], h->t[k][0], h->t[k][1], h->t[k][2]);
    dem_integrator_destroy(h->integrator);
    dem_contact_history_destroy(h->history);
    free(h);
}
