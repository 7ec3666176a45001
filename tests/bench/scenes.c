/* SPDX-License-Identifier: MIT */
/* The scenes, and how one is timed: warm-up, then steps against the clock. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

typedef struct scene {
    const char *name, *data, *law;
    double angle, dt;
    int tiles_x, tiles_y;
    int place; /* BENCH_ON_ */
} scene;

static const scene scenes[] = {
    {"chute", BENCH_CHUTE, "linear", 26.0, 1e-4, 1, 1, BENCH_ON_FROZEN},
    {"bed", BENCH_BED, "linear", 0.0, 1e-4, 1, 1, BENCH_ON_FROZEN},
    {"million", BENCH_BED, "linear", 0.0, 1e-4, 8, 4, BENCH_ON_FROZEN},
    {"hertz-bed", BENCH_BED, "hertz+mindlin", 0.0, 5e-5, 1, 1, BENCH_ON_FROZEN},
    {"m4-bed", BENCH_BED, "hertz+m4", 0.0, 5e-5, 1, 1, BENCH_ON_FROZEN},
    {"jkr-bed", BENCH_BED, "jkr+mindlin", 0.0, 5e-5, 1, 1, BENCH_ON_FROZEN},
    {"ratio10", BENCH_RATIO10, "linear", 0.0, 1e-4, 1, 1, BENCH_ON_PLANE},
    {"ratio20", BENCH_RATIO20, "linear", 0.0, 1e-4, 1, 1, BENCH_ON_PLANE},
    {"ratio100", BENCH_RATIO100, "linear", 0.0, 1e-4, 1, 1, BENCH_ON_PLANE},
    {"one10", BENCH_ONE10, "linear", 0.0, 1e-4, 1, 1, BENCH_ON_PLANE},
    {"log-normal", BENCH_LOG_NORMAL, "linear", 0.0, 1e-4, 1, 1, BENCH_ON_PLANE},
    {"lattice", BENCH_LATTICE, "linear", 0.0, 1e-4, 1, 1, BENCH_ON_PLANE},
    {"gas", BENCH_GAS, "linear", 0.0, 1e-4, 1, 1, BENCH_ON_PLANE},
    {"drum", BENCH_DRUM, "linear", 0.0, 1e-4, 1, 1, BENCH_ON_DRUM},
    {"lifters", BENCH_LIFTERS, "linear", 0.0, 1e-4, 1, 1, BENCH_ON_LIFTERS},
};

/* What the command line may change; data=FILE, tiles_x=N, tiles_y=N: other grains. */
typedef struct settings {
    scene scene;
    int mode;          /* match=1: as the peer computes; 0: libdem's defaults */
    int standard;      /* standard=0|1: the integrator, whatever the mode */
    int arm;           /* arm=1: lever arms end at the contact point */
    int exchange;      /* exchange=1: between calls, forces are read and written */
    int drag;          /* drag=1: a fluid drags the grains; drag=2: and impulses are summed */
    uint64_t calls;    /* calls=N: steps of a call of dem_step */
    uint64_t reads;    /* reads=N: passes over all contacts after the steps, in either way */
    int memory;        /* memory=1: what each array takes */
    uint64_t marks;    /* marks=N: marks after the steps, each followed by steps and a rewind */
    uint64_t rebuilds; /* rebuilds=N: times N builds of the list after the steps */
    double escaped;    /* escaped=P: so many percent of the grains are 1e9 diameters away */
    double apart;      /* apart=D: half of the grains are so many diameters higher */
    double thin;       /* thin=F: all distances are F times as long */
    uint64_t warm, steps;
    const char *mixed[3]; /* mixed=a,b,c: three laws, for grains of three materials */
    bench_world world;
} settings;

static void set(settings *s, const char *key, const char *value)
{
    const struct {
        const char *key;
        int *value;
    } numbers[] = {{"match", &s->mode},
                   {"standard", &s->standard},
                   {"arm", &s->arm},
                   {"exchange", &s->exchange},
                   {"drag", &s->drag},
                   {"threads", &s->world.threads},
                   {"memory", &s->memory},
                   {"still", &s->world.still},
                   {"sums", &s->world.sums},
                   {"isa", &s->world.isa},
                   {"energy_tracking", &s->world.energy_tracking},
                   {"materials", &s->world.materials}};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; ++k)
        if (strcmp(key, numbers[k].key) == 0) {
            *numbers[k].value = atoi(value);
            return;
        }
    if (strcmp(key, "calls") == 0)
        s->calls = strtoull(value, NULL, 10);
    else if (strcmp(key, "warm") == 0)
        s->warm = strtoull(value, NULL, 10);
    else if (strcmp(key, "steps") == 0)
        s->steps = strtoull(value, NULL, 10);
    else if (strcmp(key, "dt") == 0)
        s->scene.dt = strtod(value, NULL);
    else if (strcmp(key, "reads") == 0)
        s->reads = strtoull(value, NULL, 10);
    else if (strcmp(key, "marks") == 0)
        s->marks = strtoull(value, NULL, 10);
    else if (strcmp(key, "rebuilds") == 0)
        s->rebuilds = strtoull(value, NULL, 10);
    else if (strcmp(key, "escaped") == 0)
        s->escaped = strtod(value, NULL);
    else if (strcmp(key, "apart") == 0)
        s->apart = strtod(value, NULL);
    else if (strcmp(key, "thin") == 0)
        s->thin = strtod(value, NULL);
    else if (strcmp(key, "skin") == 0)
        s->world.skin = strtod(value, NULL);
    else if (strcmp(key, "chunk_rows") == 0)
        s->world.chunk_rows = strtoull(value, NULL, 10);
    else if (strcmp(key, "law") == 0)
        s->scene.law = value;
    else if (strcmp(key, "data") == 0)
        s->scene.data = value;
    else if (strcmp(key, "tiles_x") == 0)
        s->scene.tiles_x = atoi(value);
    else if (strcmp(key, "tiles_y") == 0)
        s->scene.tiles_y = atoi(value);
    else
        bench_fail("no such setting", key);
}

static void mixed_set(settings *s, char *value)
{
    for (int k = 0; k < 3; ++k) {
        s->mixed[k] = strtok(k == 0 ? value : NULL, ",");
        if (s->mixed[k] == NULL)
            bench_fail("mixed", "three laws are wanted");
    }
    s->world.materials = 3;
}

static void settings_read(settings *s, int count, char **arguments)
{
    memset(s, 0, sizeof *s);
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; ++k)
        if (strcmp(scenes[k].name, arguments[1]) == 0)
            s->scene = scenes[k];
    if (s->scene.name == NULL)
        bench_fail("no such scene", arguments[1]);
    s->mode = BENCH_DEFAULT;
    s->standard = -1;
    s->calls = 1000;
    s->warm = 100;
    s->steps = 200;
    s->world.threads = 1;
    s->world.materials = 1;
    s->world.strength = 1.0;
    s->world.place = s->scene.place;
    s->world.angle = s->scene.angle;
    s->world.energy_tracking = -1;
    for (int k = 2; k < count; ++k) {
        char *value = strchr(arguments[k], '=');
        if (value == NULL)
            bench_fail("a setting is key=value, not", arguments[k]);
        *value++ = '\0';
        if (strcmp(arguments[k], "mixed") == 0)
            mixed_set(s, value);
        else
            set(s, arguments[k], value);
    }
    if (s->standard < 0)
        s->standard = s->mode == BENCH_MATCH;
    s->world.integrator = s->standard ? DEM_INTEGRATOR_VERLET_STANDARD : DEM_INTEGRATOR_VERLET_SYNC;
    if (s->world.energy_tracking < 0)
        s->world.energy_tracking =
            s->mode == BENCH_MATCH ? DEM_ENERGY_TRACKING_OFF : DEM_ENERGY_TRACKING_FULL;
}

/* With three materials the pairs fall to the three laws in equal parts. */
static void models_set(dem_world *world, const settings *s)
{
    for (int32_t a = 0; a < s->world.materials; ++a)
        for (int32_t b = a; b <= s->world.materials; ++b) {
            bench_model m;
            const char *law = s->mixed[0] != NULL ? s->mixed[(a + b) % 3] : s->scene.law;
            bench_model_fill(&m, law, s->mode);
            m.model.lever_arm = s->arm ? DEM_ARM_CONTACT : DEM_ARM_RADIUS;
            bench_must(dem_contact_model_set(world, a, b, &m.model), dem_world_error(world));
        }
}

static volatile double read_sum; /* so that reading is not left out */

/* What a coupled code does between two steps: reads positions, velocities and contact forces, and
 * sets forces of its own (here none, so that the grains move as they do without). */
static double exchange(dem_world *world)
{
    static const int32_t read[] = {DEM_FIELD_POSITION, DEM_FIELD_VELOCITY, DEM_FIELD_FORCE};
    double sum = 0.0;
    for (size_t f = 0; f < sizeof read / sizeof read[0]; ++f) {
        dem_view view = {.struct_size = sizeof view};
        bench_must(dem_world_view(world, read[f], &view), dem_world_error(world));
        for (uint64_t k = 0; k < view.count; ++k) {
            const double *x = (const double *)(const void *)((char *)view.data + k * view.stride);
            sum += x[0] + x[1] + x[2];
        }
    }
    dem_view view = {.struct_size = sizeof view};
    bench_must(dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, &view), dem_world_error(world));
    for (uint64_t k = 0; k < view.count; ++k) {
        double *f = (double *)(void *)((char *)view.data + k * view.stride);
        f[0] = f[1] = f[2] = 0.0;
    }
    bench_must(dem_world_written_field(world, DEM_FIELD_EXTERNAL_FORCE), dem_world_error(world));
    return sum;
}

static void advance(dem_world *world, const settings *s, uint64_t steps)
{
    for (uint64_t done = 0; done < steps;) {
        const uint64_t some = steps - done < s->calls ? steps - done : s->calls;
        if (s->exchange)
            read_sum = exchange(world);
        bench_must(dem_step(world, s->scene.dt, some), dem_world_error(world));
        done += some;
    }
}

/* Seconds of a pass over all contacts, one by one or in arrays. */
static double pass(dem_world *world, int arrays, uint64_t passes)
{
    enum { ROWS = 1024 };
    static dem_contact_key key[ROWS];
    static double point[ROWS][3], normal[ROWS][3], force[2][ROWS][3];
    dem_contact contact = {.struct_size = sizeof contact};
    dem_contact_arrays to;
    bench_must(dem_contact_arrays_init(&to), "arrays");
    to.capacity = ROWS;
    to.key = key;
    to.point = point[0];
    to.normal = normal[0];
    to.force_normal = force[0][0];
    to.force_tangential = force[1][0];
    const double start = bench_work();
    for (uint64_t n = 0; n < passes; ++n) {
        uint64_t cursor = 0, count = ROWS;
        while (!arrays && dem_world_contact_next(world, &cursor, &contact) == DEM_OK)
            read_sum = contact.force_normal[0];
        while (arrays && count == ROWS)
            bench_must(dem_world_contacts_read(world, &cursor, &to, &count),
                       dem_world_error(world));
    }
    return (bench_work() - start) / (double)passes;
}

/* What a pass costs in steps of one thread, and a contact of it. */
static void reads_print(dem_world *world, uint64_t passes, double step, uint64_t contacts)
{
    for (int arrays = 0; arrays < 2; ++arrays) {
        const double seconds = pass(world, arrays, passes);
        printf("read=%s ns_per_contact=%.1f pass_in_steps=%.2f\n", arrays ? "arrays" : "one-by-one",
               1e9 * seconds / (double)contacts, seconds / step);
    }
}

/* What a mark and a rewind cost together in steps of one thread, which are made between them. */
static void marks_print(dem_world *world, const settings *s)
{
    enum { STEPS = 4 };
    double marks = 0.0, steps = 0.0;
    for (uint64_t k = 0; k <= s->marks; ++k) {
        const double start = bench_work();
        bench_must(dem_world_mark(world), dem_world_error(world));
        const double marked = bench_work();
        bench_must(dem_step(world, s->scene.dt, STEPS), dem_world_error(world));
        const double made = bench_work();
        bench_must(dem_world_rewind(world), dem_world_error(world));
        if (k > 0) { /* the first one allocates */
            marks += marked - start + (bench_work() - made);
            steps += (made - marked) / STEPS;
        }
    }
    printf("mark_and_rewind_us=%.1f in_steps=%.2f\n", 1e6 * marks / (double)s->marks,
           marks / steps);
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* What a step costs, in seconds: the median of some, before each of which the models are set again
 * if the list is to be built. */
static double step_median(dem_world *world, const settings *s, int build)
{
    double *taken = malloc((size_t)s->rebuilds * sizeof *taken);
    if (taken == NULL)
        bench_fail("rebuilds", "there is no memory");
    for (uint64_t k = 0; k < s->rebuilds; ++k) {
        if (build)
            models_set(world, s);
        const double start = bench_work();
        bench_must(dem_step(world, s->scene.dt, 1), dem_world_error(world));
        taken[k] = bench_work() - start;
    }
    qsort(taken, (size_t)s->rebuilds, sizeof *taken, ascending);
    const double median = taken[s->rebuilds / 2];
    free(taken);
    return median;
}

static void rebuilds_print(dem_world *world, const settings *s, double particles)
{
    const double plain = step_median(world, s, 0), built = step_median(world, s, 1);
    printf("rebuild_ns=%.1f step_ns=%.1f\n", 1e9 * (built - plain) / particles,
           1e9 * plain / particles);
}

/* Puts some of the grains that move far away from the others, each in a direction of its own. */
static void escape(demo_grains *grains, double percent)
{
    uint64_t random = 11;
    for (uint64_t k = 0; k < grains->count; ++k) {
        demo_grain *g = &grains->grain[k];
        if (g->type != 1 || !(100.0 * bench_random(&random) < percent))
            continue;
        g->position[2] = 1e9 * (1.0 + bench_random(&random)) * g->diameter;
    }
}

/* Two heaps instead of one. */
static void part(demo_grains *grains, double diameters)
{
    double low = INFINITY, high = -INFINITY;
    for (uint64_t k = 0; k < grains->count; ++k) {
        low = fmin(low, grains->grain[k].position[2]);
        high = fmax(high, grains->grain[k].position[2]);
    }
    for (uint64_t k = 0; k < grains->count; ++k)
        if (grains->grain[k].position[2] > 0.5 * (low + high))
            grains->grain[k].position[2] += diameters * grains->grain[k].diameter;
}

/* A gas instead of a heap. */
static void thin(demo_grains *grains, double factor)
{
    for (int c = 0; factor > 0.0 && c < 3; ++c) {
        grains->low[c] *= factor;
        grains->high[c] *= factor;
        for (uint64_t k = 0; k < grains->count; ++k)
            grains->grain[k].position[c] *= factor;
    }
}

static double *row_at(const dem_view *view, uint64_t k)
{
    return (double *)(void *)((char *)view->data + k * view->stride);
}

static dem_view opened(dem_world *world, int32_t field)
{
    dem_view view = {.struct_size = sizeof view};
    bench_must(dem_world_view(world, field, &view), dem_world_error(world));
    return view;
}

/* A fluid at rest with a relaxation time of a thousand steps, also for angular velocities. With
 * that, and with the scenes' density of 1, contacts stay almost those of a run without a fluid, so
 * that the difference of two runs is what drag costs. */
static void drag_set(dem_world *world, const settings *s)
{
    if (s->drag == 0)
        return;
    const dem_view radius = opened(world, DEM_FIELD_RADIUS),
                   drag = opened(world, DEM_FIELD_DRAG_COEFFICIENT),
                   turning = opened(world, DEM_FIELD_ROTATIONAL_DRAG);
    for (uint64_t k = 0; k < radius.count; ++k) {
        const double r = *row_at(&radius, k), mass = 4.18879 * r * r * r, /* 4/3 pi */
            rate = 1.0 / (1000.0 * s->scene.dt);
        *row_at(&drag, k) = mass * rate;
        *row_at(&turning, k) = 0.4 * mass * r * r * rate;
    }
    bench_must(dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT), dem_world_error(world));
    bench_must(dem_world_written_field(world, DEM_FIELD_ROTATIONAL_DRAG), dem_world_error(world));
    if (s->drag > 1)
        bench_must(dem_world_impulses_reset(world), dem_world_error(world));
}

int bench_run(int count, char **arguments)
{
    if (count < 2)
        bench_fail("run", "a folder and a scene are wanted");
    settings s;
    settings_read(&s, count, arguments);
    demo_grains grains;
    bench_grains_read(arguments[0], s.scene.data, s.scene.tiles_x, s.scene.tiles_y, &grains);
    escape(&grains, s.escaped);
    part(&grains, s.apart);
    thin(&grains, s.thin);
    dem_world *world = bench_world_make(&grains, &s.world);
    models_set(world, &s);
    demo_grains_free(&grains);
    drag_set(world, &s);
    advance(world, &s, s.warm);
    const double start = bench_seconds(), work = bench_work();
    advance(world, &s, s.steps);
    const double seconds = bench_seconds() - start;
    const double share = (bench_work() - work) / (seconds * s.world.threads);
    dem_world_counts counts = {.struct_size = sizeof counts};
    dem_world_energies energies = {.struct_size = sizeof energies};
    bench_must(dem_world_counts_get(world, &counts), dem_world_error(world));
    bench_must(dem_world_energies_get(world, &energies), dem_world_error(world));
    const double n = (double)counts.particles;
    printf("ns=%.2f ke=%.15g ke_rotation=%.15g contacts=%.3f bytes=%.0f rebuilds=%d particles=%.0f "
           "share=%.2f cpu=%.2f\n",
           1e9 * seconds / (n * (double)s.steps), energies.kinetic_translation,
           energies.kinetic_rotation, (double)counts.contacts / n, (double)counts.bytes / n,
           (int)counts.rebuilds, n, share,
           1e9 * seconds * share * s.world.threads / (n * (double)s.steps));
    if (s.reads > 0)
        reads_print(world, s.reads, seconds * share * s.world.threads / (double)s.steps,
                    counts.contacts);
    if (s.marks > 0)
        marks_print(world, &s);
    if (s.rebuilds > 0)
        rebuilds_print(world, &s, n);
    if (s.memory)
        bench_memory_print(world);
    dem_world_destroy(world);
    return 0;
}
