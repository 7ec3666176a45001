/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "sediment.h"

#include "collision_broyden.h"
#include "ledger.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ------------------------------------------------------------------ the model with other k, d */

typedef struct counted {
    double restitution, steps, floor;
    int iterative;
    double collisions, seconds;   /* out */
    double steps_all, steps_fast; /* out: steps in contact, of all and of fast collisions */
} counted;

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static dem_status counted_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                  void *combined, dem_error *error)
{
    (void)user, (void)pair, (void)error;
    memcpy(combined, parameters, sizeof(uint64_t));
    return DEM_OK;
}

/* k and d of what begins in a batch, each counted and timed with the others. */
static dem_status counted_begin(counted *c, uint64_t n, const dem_contact_batch *b)
{
    double begin = -1.0;
    for (uint64_t k = 0; k < n; ++k) {
        double *const stiffness = &b->state[k], *const damping = &b->state[DEM_BATCH_SIZE + k];
        if (b->overlap[k] <= 0.0) {
            *stiffness = *damping = 0.0;
        } else if (*stiffness == 0.0 && b->dt > 0.0) {
            if (begin < 0.0)
                begin = now();
            const double u = fmax(b->overlap_rate[k], c->floor), time = c->steps * b->dt;
            c->collisions += 1.0;
            if (c->iterative) {
                if (broyden_params(b->mass[k], u, c->restitution, time, 1e-6, stiffness, damping) <
                    0)
                    return DEM_ERROR_CALLBACK;
            } else if (dem_collision_params(b->mass[k], u, c->restitution, time, stiffness,
                                            damping) != DEM_OK) {
                return DEM_ERROR_CALLBACK;
            }
        }
    }
    if (begin >= 0.0)
        c->seconds += now() - begin;
    return DEM_OK;
}

/* Steps in contact. At a given contact time stiffness goes as 1/sqrt(u). */
static void counted_steps(counted *c, uint64_t n, const dem_contact_batch *b)
{
    double mass = 0.0, of_fast = 0.0, damping;
    for (uint64_t k = 0; k < n && b->dt > 0.0; ++k) {
        if (b->state[k] == 0.0)
            continue;
        if (b->mass[k] != mass) {
            mass = b->mass[k];
            MUST(dem_collision_params(mass, SEDIMENT_FAST, c->restitution, c->steps * b->dt,
                                      &of_fast, &damping));
        }
        c->steps_all += 1.0;
        c->steps_fast += b->state[k] < of_fast;
    }
}

static dem_status counted_evaluate(void *user, uint64_t n, dem_contact_batch *b,
                                   const void *combined)
{
    (void)combined;
    static _Thread_local double before[2 * DEM_BATCH_SIZE];
    memcpy(before, b->state, sizeof before);
    const dem_status status = counted_begin(user, n, b);
    counted_steps(user, n, b);
    for (uint64_t k = 0; k < n; ++k) {
        const double stiffness = b->state[k], damping = b->state[DEM_BATCH_SIZE + k];
        const double v = b->velocity_normal[k], half = -b->overlap_rate[k];
        const double overlap = stiffness > 0.0 ? b->overlap[k] : 0.0;
        const double elastic = dem_kernel_normal_actm(stiffness, 0.0, overlap, 0.0);
        b->force_normal[k] = dem_kernel_normal_actm(stiffness, damping, overlap, v);
        b->elastic_energy[k] = 0.4 * elastic * fmax(overlap, 0.0);
        const double grown = b->overlap[k] + half * b->dt;
        double lost = overlap > 0.0 ? damping * v : 0.0;
        if (before[k] > 0.0 && grown > 0.0)
            lost += before[DEM_BATCH_SIZE + k] * (2.0 * half - v);
        b->dissipated_normal[k] = 0.5 * lost * half * b->dt;
    }
    return status;
}

static const dem_law_slot counted_slots[] = {{"stiffness", DEM_SLOT_SCALAR, 1},
                                             {"damping", DEM_SLOT_SCALAR, 1}};

static dem_law counted_law(counted *c)
{
    dem_law law;
    MUST(dem_law_init(&law));
    law.name = "actm-counted";
    law.kind = DEM_LAW_NORMAL;
    law.version = 1;
    law.slots = counted_slots;
    law.slot_count = 2;
    law.parameters_size = law.combined_size = sizeof(uint64_t);
    law.user = c;
    law.combine = counted_combine;
    law.evaluate = counted_evaluate;
    return law;
}

/* ------------------------------------------------------------------ the scene */

static void add_layer(dem_world *world)
{
    enum { COLUMNS = 13, ROWS = 15 };
    for (int k = 0; k < SEDIMENT_FIXED; ++k) {
        const int row = k / COLUMNS, column = k % COLUMNS;
        const double at[3] = {(column + 0.5 * (row % 2) + 0.25) * SEDIMENT_EDGE / COLUMNS,
                              0.5 * SEDIMENT_DIAMETER, (row + 0.5) * SEDIMENT_EDGE / ROWS};
        scene_frozen(world, at, 0.5 * SEDIMENT_DIAMETER, 0.0);
    }
}

/* At random in [0.1, 1.4] x [0.3, 1.2] x [0.1, 1.4], not touching. */
static void add_mobile(dem_world *world)
{
    static const double low[3] = {0.1, 0.3, 0.1}, high[3] = {1.4, 1.2, 1.4};
    double at[SEDIMENT_MOBILE][3];
    uint64_t seed = 20120709;
    for (int n = 0; n < SEDIMENT_MOBILE;) {
        for (int c = 0; c < 3; ++c)
            at[n][c] = scene_random(&seed, low[c], high[c]);
        int free = 1;
        for (int m = 0; free && m < n; ++m) {
            double square = 0.0;
            for (int c = 0; c < 3; ++c)
                square += (at[n][c] - at[m][c]) * (at[n][c] - at[m][c]);
            free = square > 1.02 * SEDIMENT_DIAMETER * SEDIMENT_DIAMETER;
        }
        if (free)
            (void)scene_sphere(world, at[n++], 0.5 * SEDIMENT_DIAMETER, 0.0);
    }
}

static dem_world *sediment_build(counted *c, int coefficients)
{
    dem_world_config config;
    MUST(dem_world_config_init(&config));
    config.gravity[1] = -9.81;
    config.boundary[0] = config.boundary[2] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[2] = SEDIMENT_EDGE;
    dem_world *world;
    MUST(dem_world_create(&config, &world, NULL));
    dem_material material;
    MUST(dem_material_init(&material));
    material.density = 1200.0;
    MUST(dem_material_set(world, 0, &material));
    dem_actm actm;
    MUST(dem_actm_init(&actm));
    actm.restitution = c->restitution;
    actm.contact_steps = c->steps;
    actm.speed_floor = c->floor;
    actm.young[0] = 1e12; /* far above: no contact is stretched less than asked for */
    dem_contact_model model;
    uint64_t nothing = sizeof nothing;
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){DEM_LAW_ACTM, &actm};
    if (coefficients != SEDIMENT_LAW) {
        const dem_law law = counted_law(c);
        c->iterative = coefficients == SEDIMENT_ITERATIVE;
        MUST(dem_world_law_register(world, &law));
        model.parts[0] = (dem_contact_part){"actm-counted", &nothing};
    }
    MUST(dem_contact_model_set(world, 0, 0, &model));
    add_layer(world);
    add_mobile(world);
    return world;
}

static sediment_row row_of(const dem_world *world)
{
    const dem_world_energies e = scene_energies(world);
    const double kinetic = e.kinetic_translation + e.kinetic_rotation;
    return (sediment_row){dem_world_time(world),
                          e.potential,
                          kinetic,
                          e.elastic,
                          e.dissipated_normal,
                          e.potential + kinetic + e.elastic};
}

static void positions(const dem_world *world, double at[][3], double *speed)
{
    for (uint64_t id = 1; id <= SEDIMENT_FIXED + SEDIMENT_MOBILE; ++id) {
        dem_particle_handle handle;
        MUST(dem_particle_find(world, id, &handle));
        const dem_particle p = scene_get(world, handle);
        memcpy(at[id - 1], p.position, sizeof p.position);
        if (speed != NULL)
            speed[id - 1] = sqrt(p.velocity[0] * p.velocity[0] + p.velocity[1] * p.velocity[1] +
                                 p.velocity[2] * p.velocity[2]);
    }
}

void sediment(double restitution, int coefficients, double contact_steps, uint64_t steps,
              sediment_run *run)
{
    /* a floor far below what matters: g T_c would be 5e-2 */
    counted c = {.restitution = restitution,
                 .steps = contact_steps,
                 .floor = 9.81 * contact_steps * SEDIMENT_DT};
    dem_world *world = sediment_build(&c, coefficients);
    memset(run, 0, sizeof *run);
    positions(world, run->position[0], NULL);
    scene_step(world, SEDIMENT_DT, 0);
    run->row[run->rows++] = row_of(world);
    const double begin = now();
    for (uint64_t n = 0; n < steps; n += 10) {
        scene_step(world, SEDIMENT_DT, 10);
        run->row[run->rows++] = row_of(world);
    }
    run->seconds = now() - begin;
    run->coefficients = c.seconds;
    run->collisions = c.collisions;
    run->steps_all = c.steps_all;
    run->steps_fast = c.steps_fast;
    positions(world, run->position[1], run->speed);
    MUST(dem_world_hash(world, &run->hash));
    dem_world_destroy(world);
}
