/* SPDX-License-Identifier: MIT */
/* The packing at level 2: libdem owns the grains, finds the pairs and keeps the time. */
#include "demo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 5, MATERIAL_FREE = 0, MATERIAL_FROZEN = 1 };

static const double time_cap = 12.0; /* s of stepping, unless --steps says otherwise */

static int complain(const dem_world *world, const char *what)
{
    fprintf(stderr, "packing: %s: %s\n", what, dem_world_error(world));
    return -1;
}

static int is_frozen(const demo_options *o, int type)
{
    for (int k = 0; k < o->frozen_count; ++k)
        if (o->frozen[k] == type)
            return 1;
    return 0;
}

/* Free grains touch each other and frozen ones; frozen ones do not see each other. */
static int models_set(dem_world *world, const demo_options *o)
{
    dem_linear law;
    dem_contact_model model;
    if (dem_linear_init(&law) != DEM_OK || dem_contact_model_init(&model) != DEM_OK)
        return complain(world, "contact model");
    law.stiffness_normal = o->kn;
    law.stiffness_tangential = o->kt;
    law.friction = o->mu;
    law.damping = DEM_DAMPING_RATE;
    law.damping_normal = o->gamma;
    law.damping_tangential = 0.0;
    law.normal = DEM_NORMAL_ATTRACTIVE; /* the tail is kept, as LAMMPS does */
    /* the one or the other slider, of the same parameters */
    if (dem_contact_model_add(&model, o->law, &law) != DEM_OK ||
        dem_contact_model_set(world, MATERIAL_FREE, MATERIAL_FREE, &model) != DEM_OK ||
        dem_contact_model_set(world, MATERIAL_FREE, MATERIAL_FROZEN, &model) != DEM_OK)
        return complain(world, "contact model");
    return 0;
}

static int grains_add(dem_world *world, const demo_options *o, const demo_grains *grains)
{
    dem_particle *rows = calloc((size_t)grains->count, sizeof *rows);
    if (rows == NULL) {
        fprintf(stderr, "packing: no memory for the grains\n");
        return -1;
    }
    dem_status status = DEM_OK;
    for (uint64_t k = 0; k < grains->count && status == DEM_OK; ++k) {
        const demo_grain *g = &grains->grain[k];
        status = dem_particle_init(&rows[k]);
        rows[k].id = g->id;
        memcpy(rows[k].position, g->position, sizeof g->position);
        rows[k].radius = 0.5 * g->diameter;
        rows[k].mass =
            g->density * 3.14159265358979323846 / 6.0 * g->diameter * g->diameter * g->diameter;
        if (is_frozen(o, g->type)) {
            rows[k].mobility = DEM_MOBILITY_FIXED;
            rows[k].material = MATERIAL_FROZEN;
        } else {
            memcpy(rows[k].velocity, g->velocity, sizeof g->velocity);
            memcpy(rows[k].angular_velocity, g->angular_velocity, sizeof g->angular_velocity);
        }
    }
    if (status == DEM_OK)
        status = dem_particles_add(world, grains->count, rows, NULL);
    free(rows);
    return status == DEM_OK ? 0 : complain(world, "grains");
}

static int world_fill(dem_world *world, const demo_options *o, const demo_grains *grains)
{
    if (models_set(world, o) != 0 || grains_add(world, o, grains) != 0)
        return -1;
    if (o->has_floor != 0) {
        dem_wall wall;
        if (dem_wall_init(&wall) != DEM_OK)
            return complain(world, "floor");
        wall.point[2] = o->floor;
        wall.material = MATERIAL_FROZEN;
        if (dem_wall_add(world, &wall, NULL) != DEM_OK)
            return complain(world, "floor");
    }
    return dem_step(world, o->dt, 0) == DEM_OK ? 0 : complain(world, "first forces");
}

static dem_world *world_make(const demo_options *o, const demo_grains *grains,
                             const dem_executor *executor)
{
    dem_world *world = NULL;
    dem_error error;
    dem_world_config config;
    if (dem_world_config_init(&config) != DEM_OK) {
        fprintf(stderr, "packing: the library is not that of the headers\n");
        return NULL;
    }
    memcpy(config.gravity, o->gravity, sizeof o->gravity);
    memcpy(config.boundary, o->boundary, sizeof o->boundary);
    for (int k = 0; k < 3; ++k) { /* an open axis has no box */
        config.box_low[k] = o->boundary[k] == DEM_BOUNDARY_PERIODIC ? grains->low[k] : 0.0;
        config.box_high[k] = o->boundary[k] == DEM_BOUNDARY_PERIODIC ? grains->high[k] : 0.0;
    }
    config.integrator = o->integrator;
    config.material_count = 2;
    config.skin = o->skin;
    config.executor = *executor;
    if (dem_world_create(&config, &world, &error) != DEM_OK) {
        fprintf(stderr, "packing: world: %s\n", error.message);
        return NULL;
    }
    if (world_fill(world, o, grains) != 0) {
        dem_world_destroy(world);
        return NULL;
    }
    return world;
}

/* ------------------------------------------------------------------ what is shown */

static double *column(dem_world *world, int32_t field, uint64_t components, dem_view *view)
{
    memset(view, 0, sizeof *view);
    view->struct_size = sizeof *view;
    if (dem_world_view(world, field, view) != DEM_OK) {
        (void)complain(world, "view");
        return NULL;
    }
    double *packed = malloc((size_t)(view->count * components) * sizeof *packed + 1);
    if (packed == NULL) {
        fprintf(stderr, "packing: no memory for a copy of the grains\n");
        return NULL;
    }
    for (uint64_t k = 0; k < view->count; ++k)
        memcpy(packed + k * components, (const char *)view->data + k * view->stride,
               (size_t)components * sizeof *packed);
    return packed;
}

static int frozen_flags(const dem_world *world, const dem_view *view, unsigned char *flags)
{
    for (uint64_t k = 0; k < view->count; ++k) {
        dem_particle_handle handle;
        dem_particle grain;
        grain.struct_size = sizeof grain;
        if (dem_particle_find(world, view->id[k], &handle) != DEM_OK ||
            dem_particle_get(world, handle, &grain) != DEM_OK)
            return complain(world, "grain");
        flags[k] = grain.mobility != DEM_MOBILITY_FREE;
    }
    return 0;
}

/* Writes what ParaView reads, and a picture. */
static int frame_write(dem_world *world, const demo_options *o, int index)
{
    dem_view view;
    char name[64];
    double *position = column(world, DEM_FIELD_POSITION, 3, &view);
    double *velocity = column(world, DEM_FIELD_VELOCITY, 3, &view);
    double *force = column(world, DEM_FIELD_FORCE, 3, &view);
    double *radius = column(world, DEM_FIELD_RADIUS, 1, &view);
    unsigned char *frozen = malloc((size_t)view.count + 1);
    int bad = position == NULL || velocity == NULL || force == NULL || radius == NULL ||
              frozen == NULL || frozen_flags(world, &view, frozen) != 0;
    if (!bad) {
        const demo_frame kinematics = {.count = view.count,
                                       .id = view.id,
                                       .position = position,
                                       .velocity = velocity,
                                       .force = force,
                                       .radius = radius,
                                       .frozen = frozen};
        snprintf(name, sizeof name, "grains_%d.vtp", index);
        bad = vtp_write(o->output, name, &kinematics) != 0;
        snprintf(name, sizeof name, "grains_%d.png", index);
        bad = bad || picture_write(o->output, name, &kinematics) != 0;
    }
    free(position);
    free(velocity);
    free(force);
    free(radius);
    free(frozen);
    return bad ? -1 : 0;
}

/* What must stay constant: all that energy became, less what came from outside. */
static double balance(const dem_world_energies *e)
{
    return e->kinetic_translation + e->kinetic_rotation + e->potential + e->elastic +
           e->dissipated_normal + e->dissipated_dashpot + e->dissipated_slip - e->work_external -
           e->work_boundary;
}

static int energies_get(const dem_world *world, dem_world_energies *e)
{
    memset(e, 0, sizeof *e);
    e->struct_size = sizeof *e;
    return dem_world_energies_get(world, e) == DEM_OK ? 0 : complain(world, "energies");
}

static int counts_get(const dem_world *world, dem_world_counts *c)
{
    memset(c, 0, sizeof *c);
    c->struct_size = sizeof *c;
    return dem_world_counts_get(world, c) == DEM_OK ? 0 : complain(world, "counts");
}

/* The state of the world at one of the times that are shown. */
typedef struct state {
    double time;
    dem_world_energies energies;
    dem_world_counts counts;
} state;

static int state_take(const dem_world *world, state *s)
{
    s->time = dem_world_time(world);
    return energies_get(world, &s->energies) != 0 || counts_get(world, &s->counts) != 0 ? -1 : 0;
}

static void state_print(const state *s, double first)
{
    const dem_world_energies *e = &s->energies;
    printf("  %8.4f %8llu %11.4e %11.4e %11.4e %11.4e %11.4e %11.4e %11.4e %9.1e\n", s->time,
           (unsigned long long)s->counts.contacts, e->kinetic_translation, e->kinetic_rotation,
           e->potential, e->elastic, e->dissipated_normal, e->dissipated_dashpot,
           e->dissipated_slip, balance(e) - first);
    fflush(stdout);
}

/* ------------------------------------------------------------------ the run */

typedef struct run {
    uint64_t steps, done;
    double seconds; /* in dem_step */
    state states[FRAMES];
    demo_progress progress;
} run;

static int advance(dem_world *world, const demo_options *o, run *r, uint64_t steps)
{
    const double start = demo_seconds();
    if (dem_step(world, o->dt, steps) != DEM_OK)
        return complain(world, "step");
    r->seconds += demo_seconds() - start;
    r->done += steps;
    return 0;
}

/* Takes the first steps, which count, and says how many there will be. */
static int steps_choose(dem_world *world, const demo_options *o, run *r)
{
    if (o->steps != 0) {
        r->steps = o->steps;
        printf("  %llu steps of %g, as asked for\n", (unsigned long long)r->steps, o->dt);
        return 0;
    }
    const uint64_t wanted = o->input != NULL ? 2000 : 20000, probe = o->input != NULL ? 20 : 200;
    if (advance(world, o, r, probe) != 0)
        return -1;
    const double fit = time_cap * (double)probe / fmax(r->seconds, 1e-9);
    r->steps = fit < (double)wanted ? (uint64_t)fit : wanted;
    if (r->steps < 2 * probe)
        r->steps = 2 * probe;
    if (r->steps == wanted)
        printf("  %llu steps of %g\n", (unsigned long long)r->steps, o->dt);
    else
        printf("  %llu steps of %g instead of %llu, to stay near %.0f s; --steps sets the number\n",
               (unsigned long long)r->steps, o->dt, (unsigned long long)wanted, time_cap);
    return 0;
}

/* Advances to a step, with a look at the clock about every 0.1 s. */
static int advance_to(dem_world *world, const demo_options *o, run *r, uint64_t until)
{
    uint64_t piece = 1;
    while (r->done < until) {
        const double before = r->seconds;
        const uint64_t steps = piece < until - r->done ? piece : until - r->done;
        if (advance(world, o, r, steps) != 0)
            return -1;
        const double one = (r->seconds - before) / (double)steps;
        piece = (uint64_t)(0.1 / fmax(one, 1e-6)) + 1;
        demo_progress_show(&r->progress, (double)r->done / (double)r->steps);
    }
    demo_progress_end(&r->progress);
    return 0;
}

/* Contacts come up on the way, and other programs: takes steps away if the time would not do. */
static void steps_shorten(const demo_options *o, run *r)
{
    if (o->steps != 0 || r->done == 0)
        return;
    const double left = fmax(time_cap - r->seconds, 0.0), one = r->seconds / (double)r->done;
    const uint64_t fit = r->done + (uint64_t)(left / fmax(one, 1e-9)) + FRAMES;
    if (fit > r->steps - r->steps / 5)
        return; /* near enough */
    printf("  steps became slower: %llu in all instead of %llu\n", (unsigned long long)fit,
           (unsigned long long)r->steps);
    r->steps = fit;
}

static int frames_run(dem_world *world, const demo_options *o, run *r)
{
    const double first = balance(&r->states[0].energies);
    printf("  %8s %8s %11s %11s %11s %11s %11s %11s %11s %9s\n", "time", "contacts", "kin.trans",
           "kin.rot", "potential", "elastic", "loss normal", "loss tang.", "loss slip", "gained");
    state_print(&r->states[0], first);
    for (uint64_t k = 1; k < FRAMES; ++k) {
        steps_shorten(o, r);
        uint64_t until = k + 1 < FRAMES ? r->steps / (FRAMES - 1) * k : r->steps;
        if (until <= r->done && k + 1 < FRAMES) /* after steps_shorten */
            until = r->done + (r->steps - r->done) / (FRAMES - k);
        if (advance_to(world, o, r, until) != 0 || state_take(world, &r->states[k]) != 0)
            return -1;
        state_print(&r->states[k], first);
        if (frame_write(world, o, (int)k) != 0)
            return -1;
    }
    return 0;
}

static int summary(const demo_options *o, const run *r)
{
    const state *last = &r->states[FRAMES - 1];
    const dem_world_energies *e = &last->energies;
    double times[FRAMES];
    for (int k = 0; k < FRAMES; ++k)
        times[k] = r->states[k].time;
    if (vtp_series_write(o->output, "grains.pvd", "grains", FRAMES, times) != 0)
        return -1;
    const double moved = e->dissipated_normal + e->dissipated_slip + e->dissipated_dashpot +
                         e->kinetic_translation + e->kinetic_rotation;
    printf("  gained: what the sum of all energies and losses grew by; at the end %.1e of motion\n"
           "  and losses\n",
           moved > 0.0 ? (balance(e) - balance(&r->states[0].energies)) / moved : 0.0);
    printf("  %.0f ns per particle and step with %d thread%s; search rebuilt %llu times; "
           "%.1f MB held\n",
           1e9 * r->seconds / ((double)last->counts.particles * (double)r->done), o->threads,
           o->threads == 1 ? "" : "s", (unsigned long long)last->counts.rebuilds,
           (double)last->counts.bytes / 1e6);
    printf("  pictures: %s/grains_0.png to grains_%d.png\n"
           "  for ParaView: %s/grains.pvd (grains_0.vtp to grains_%d.vtp)\n",
           o->output, FRAMES - 1, o->output, FRAMES - 1);
    return 0;
}

int packing_run(const demo_options *o, const demo_grains *grains)
{
    dem_executor executor = {NULL, NULL};
    run r = {0};
    uint64_t frozen = 0;
    for (uint64_t k = 0; k < grains->count; ++k)
        frozen += (uint64_t)is_frozen(o, grains->grain[k].type);
    printf("A packing: %llu grains, %llu of them fixed, %s\n", (unsigned long long)grains->count,
           (unsigned long long)frozen,
           o->input != NULL ? o->input : "generated, falling onto a rough floor");
    printf("  law %s, k_n %g, k_t %g, gamma %g, mu %g, gravity %.4g %.4g %.4g\n", o->law, o->kn,
           o->kt, o->gamma, o->mu, o->gravity[0], o->gravity[1], o->gravity[2]);
    if (o->input != NULL && grains->has_velocities == 0)
        printf("  the file has no section Velocities: all start at rest\n");
    demo_threads *threads = demo_threads_create(o->threads, &executor);
    dem_world *world = world_make(o, grains, &executor);
    int bad = world == NULL || state_take(world, &r.states[0]) != 0 ||
              frame_write(world, o, 0) != 0 || steps_choose(world, o, &r) != 0;
    if (!bad) {
        demo_progress_start(&r.progress, "packing");
        bad = frames_run(world, o, &r) != 0 || summary(o, &r) != 0;
    }
    dem_world_destroy(world);
    demo_threads_destroy(threads);
    return bad ? -1 : 0;
}
