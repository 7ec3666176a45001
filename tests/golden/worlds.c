/* SPDX-License-Identifier: MIT */
/* The scenes at level 2: a cloud of grains of two materials falls into what the row says. */
#include "golden.h"

#include "../bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CUT_MEMORY = 1, CUT_FILE = 2 };

typedef struct row {
    const char *name;
    /* laws between grains of material 0, of both, of material 1; walls are of material 2 and have
     * those of material 0 */
    const char *laws[3];
    int32_t integrator, arm, energy_tracking, mode;
    int periodic[3]; /* walls on the sides where it is not */
    double ratio;    /* of the largest radius to the smallest */
    int cut;         /* a snapshot in between */
    int changes;     /* grains and walls are added, removed and moved in between */
    int drum;        /* curved walls around the grains, no planes */
    int fluid;       /* it drags the grains; impulses are summed */
    int bodies;      /* one of two grains is a rigid body of three spheres */
} row;

/* clang-format off */
static const row rows[] = {
    {.name = "linear", .laws = {"linear-csds", "linear-csds", "linear-dsds"}, .ratio = 1.0},
    {.name = "sliders", .laws = {"hooke+friction", "hooke+friction+rolling-csds+twisting-csds",
     "hooke+friction+rolling-constant+twisting-marshall"}, .periodic = {1, 1, 0}, .ratio = 3.0},
    {.name = "hertz", .laws = {"hertz", "hertz+mindlin", "hertz+three-case"},
     .periodic = {1, 0, 0}, .ratio = 2.0, .cut = CUT_MEMORY},
    {.name = "rows-of-springs", .laws = {"hertz+m4", "hertz+m4-32", "jkr+mindlin"}, .ratio = 1.5,
     .cut = CUT_FILE},
    {.name = "adhesion", .laws = {"jkr", "dmt", "jkr+mindlin"}, .periodic = {0, 1, 0},
     .ratio = 1.5},
    {.name = "hysteresis", .laws = {"luding", "walton-braun", "thornton"}, .periodic = {1, 1, 0},
     .ratio = 1.2, .cut = CUT_MEMORY},
    {.name = "actm", .laws = {"actm", "actm", "linear"}, .ratio = 2.0},
    {.name = "improved", .laws = {"linear", "hertz+mindlin", "hooke+friction"},
     .integrator = DEM_INTEGRATOR_VERLET_IMPROVED, .periodic = {1, 1, 0}, .ratio = 2.0},
    {.name = "standard", .laws = {"linear", "hertz+mindlin", "hooke+friction"},
     .integrator = DEM_INTEGRATOR_VERLET_STANDARD, .energy_tracking = DEM_ENERGY_TRACKING_OFF,
     .mode = BENCH_MATCH, .periodic = {1, 1, 0}, .ratio = 2.0},
    {.name = "leapfrog", .laws = {"linear", "hertz+mindlin", "hooke+friction+rolling-csds"},
     .integrator = DEM_INTEGRATOR_LEAPFROG, .ratio = 2.0, .cut = CUT_MEMORY},
    {.name = "symplectic-euler", .laws = {"linear", "hertz+mindlin", "hooke+friction"},
     .integrator = DEM_INTEGRATOR_SYMPLECTIC_EULER, .periodic = {0, 0, 1}, .ratio = 2.0},
    {.name = "arms", .laws = {"linear", "hertz+mindlin", "hooke+friction+rolling-csds"},
     .arm = DEM_ARM_CONTACT, .periodic = {1, 1, 1}, .ratio = 3.0},
    {.name = "size-mix", .laws = {"linear", "linear", "linear"}, .periodic = {1, 1, 0},
     .ratio = 10.0},
    {.name = "changes", .laws = {"linear", "hertz+mindlin", "jkr"}, .periodic = {1, 0, 0},
     .ratio = 2.0, .cut = CUT_MEMORY, .changes = 1},
    {.name = "drum", .laws = {"hertz+mindlin", "linear", "hooke+friction+rolling-csds"},
     .ratio = 2.0, .cut = CUT_MEMORY, .drum = 1},
    {.name = "drag", .laws = {"linear", "hertz+mindlin", "hooke+friction"}, .ratio = 2.0,
     .integrator = DEM_INTEGRATOR_LEAPFROG, .cut = CUT_MEMORY, .fluid = 1},
    {.name = "drag-synchronized", .laws = {"linear", "hertz+mindlin", "hooke+friction"},
     .periodic = {1, 1, 0}, .ratio = 3.0, .cut = CUT_FILE, .changes = 1, .fluid = 1},
    {.name = "bodies", .laws = {"linear", "hertz+mindlin", "hooke+friction+rolling-csds"},
     .periodic = {1, 0, 0}, .ratio = 1.2, .cut = CUT_MEMORY, .bodies = 1},
};
/* clang-format on */

enum { ROWS = sizeof rows / sizeof rows[0] };
enum { GRAINS = 1200, STEPS = 120, PIECES = 5 };

const char *const golden_worlds[ROWS + 1] = {"linear",
                                             "sliders",
                                             "hertz",
                                             "rows-of-springs",
                                             "adhesion",
                                             "hysteresis",
                                             "actm",
                                             "improved",
                                             "standard",
                                             "leapfrog",
                                             "symplectic-euler",
                                             "arms",
                                             "size-mix",
                                             "changes",
                                             "drum",
                                             "drag",
                                             "drag-synchronized",
                                             "bodies"};

static const double side = 11.6, timestep = 1e-4;

static void must(dem_world *world, dem_status status)
{
    bench_must(status, dem_world_error(world));
}

static void models_set(dem_world *world, const row *r)
{
    static const struct {
        int32_t a, b;
        int law;
    } pairs[] = {{0, 0, 0}, {0, 1, 1}, {1, 1, 2}, {0, 2, 0}, {1, 2, 0}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; ++k) {
        bench_model m;
        bench_model_fill(&m, r->laws[pairs[k].law], r->mode);
        m.model.lever_arm = r->arm;
        must(world, dem_contact_model_set(world, pairs[k].a, pairs[k].b, &m.model));
    }
}

static void walls_add(dem_world *world, const row *r)
{
    for (int side_of = 0; side_of < 6; ++side_of) {
        dem_wall wall;
        const int axis = side_of / 2, high = side_of % 2;
        if (r->periodic[axis])
            continue;
        must(world, dem_wall_init(&wall));
        wall.id = 1000000 + (uint64_t)side_of;
        wall.material = 2;
        memset(wall.normal, 0, sizeof wall.normal);
        wall.normal[axis] = high ? -1.0 : 1.0;
        wall.point[axis] = high ? side : 0.0;
        wall.velocity[(axis + 1) % 3] = high ? 0.0 : 0.3; /* a belt */
        must(world, dem_wall_add(world, &wall, NULL));
    }
}

/* A hollow cylinder with two ends around all grains, above them a ball, a thin disc and a cone. */
static void drum_add(dem_world *world)
{
    static const struct {
        int32_t shape, side;
        double height, size[3]; /* height in parts of the box's */
    } parts[] = {{DEM_SHAPE_CYLINDER, DEM_SIDE_INSIDE, 0.5, {7.8, 11.36, 0.0}},
                 {DEM_SHAPE_BALL, DEM_SIDE_OUTSIDE, 0.935, {0.5, 0.0, 0.0}},
                 {DEM_SHAPE_DISC, DEM_SIDE_BOTH, 0.892, {2.0, 0.5, 0.0}},
                 {DEM_SHAPE_CONE, DEM_SIDE_OUTSIDE, 0.91, {0.2, 0.4, 1.0}}};
    for (uint64_t k = 0; k < sizeof parts / sizeof parts[0]; ++k) {
        dem_wall wall;
        must(world, dem_wall_init(&wall));
        wall.id = 1000000 + k;
        wall.material = 2;
        wall.shape = parts[k].shape;
        wall.side = parts[k].side;
        for (int c = 0; c < 3; ++c) {
            wall.point[c] = (c == 2 ? parts[k].height : k < 2 ? 0.5 : 0.2 * (double)k) * side;
            wall.size[c] = parts[k].size[c];
            wall.velocity[c] = k > 0 && c == 2 ? -2.0 : 0.0;
        }
        must(world, dem_wall_add(world, &wall, NULL));
    }
}

/* A fluid that moves up and turns, of another drag for each grain. */
static void fluid_write(dem_world *world)
{
    static const int32_t fields[] = {DEM_FIELD_DRAG_COEFFICIENT, DEM_FIELD_ROTATIONAL_DRAG,
                                     DEM_FIELD_FLUID_VELOCITY, DEM_FIELD_FLUID_ANGULAR_VELOCITY};
    static double values[(GRAINS + PIECES) * 3];
    dem_view view = {.struct_size = sizeof view};
    must(world, dem_world_view(world, DEM_FIELD_RADIUS, &view));
    for (int f = 0; f < 4; ++f) {
        const uint64_t components = f < 2 ? 1 : 3;
        for (uint64_t k = 0; k < view.count * components; ++k)
            values[k] = f < 2 ? (double)(view.id[k] % 11) : k % 3 == 2 ? 4.0 : -0.5;
        must(world, dem_world_field_set(world, fields[f], view.count, values));
    }
}

/* A grain at a place of a lattice, a little beside it. */
static void grain_fill(dem_particle *p, const row *r, uint64_t k, uint64_t *random)
{
    const double step = 1.03;
    const uint64_t edge = 11;
    const uint64_t at[3] = {k % edge, k / edge % edge, k / (edge * edge)};
    dem_particle_init(p);
    p->id = 1 + (k * 7919) % 100003; /* not in the order of storage */
    p->material = (int32_t)(k % 3 == 0);
    /* few are small; the largest is nearly as wide as the lattice */
    const double u = bench_random(random);
    p->radius = 0.5 * (1.0 + (1.0 / r->ratio - 1.0) * u * u * u);
    for (int c = 0; c < 3; ++c) {
        p->position[c] = 0.6 + step * (double)at[c] + 0.02 * (bench_random(random) - 0.5);
        p->velocity[c] = 5.0 * (bench_random(random) - 0.5) + 0.4 * (6.0 - (double)at[c]);
        p->angular_velocity[c] = 4.0 * (bench_random(random) - 0.5);
    }
    if (k % 97 == 0) {
        p->mobility = k % 2 ? DEM_MOBILITY_FIXED : DEM_MOBILITY_KINEMATIC;
        for (int c = 0; c < 3; ++c) {
            p->velocity[c] *= k % 2 ? 0.0 : 0.1;
            p->angular_velocity[c] *= k % 2 ? 0.0 : 1.0;
        }
    }
}

/* A rigid body in the place of a grain: three spheres side by side. */
static void body_add(dem_world *world, const dem_particle *p, uint64_t *random)
{
    dem_body body;
    dem_body_part parts[3];
    double square = 0.0;
    must(world, dem_body_init(&body));
    body.id = p->id;
    body.mobility = p->mobility;
    body.damping_mass = p->id % 5 == 0 ? DEM_DAMPING_MASS_BODY : DEM_DAMPING_MASS_CONTACT;
    body.mass = 4.0 * p->radius * p->radius * p->radius;
    for (int c = 0; c < 4; ++c) {
        body.orientation[c] = bench_random(random) - 0.5;
        square += body.orientation[c] * body.orientation[c];
    }
    for (int c = 0; c < 4; ++c)
        body.orientation[c] /= sqrt(square);
    for (int c = 0; c < 3; ++c) {
        body.position[c] = p->position[c];
        body.velocity[c] = p->velocity[c];
        body.angular_velocity[c] = p->angular_velocity[c];
        body.inertia[c] = (0.3 + 0.1 * c) * body.mass * p->radius * p->radius;
        must(world, dem_body_part_init(&parts[c]));
        parts[c].centre[c > 0] = (c - 1) * 0.3 * p->radius;
        parts[c].radius = (0.8 - 0.04 * c) * p->radius;
        parts[c].material = p->material;
    }
    must(world, dem_body_add(world, &body, 3, parts, NULL));
}

static dem_world *world_make(const row *r, golden_way way, int empty)
{
    dem_world_config config;
    dem_world *world = NULL;
    dem_error error = {0};
    dem_particle later[GRAINS];
    uint64_t random = 20261122;
    bench_must(dem_world_config_init(&config), "configuration");
    config.integrator = r->integrator;
    config.energy_tracking = r->energy_tracking;
    config.material_count = 3;
    config.isa = way.isa;
    config.threads = way.threads;
    config.gravity[2] = -1.0;
    config.gravity[0] = 0.3;
    for (int c = 0; c < 3; ++c) {
        config.boundary[c] = r->periodic[c] ? DEM_BOUNDARY_PERIODIC : DEM_BOUNDARY_OPEN;
        config.box_high[c] = side;
    }
    bench_must(dem_world_create(&config, &world, &error), error.message);
    if (empty)
        return world;
    models_set(world, r);
    if (r->drum)
        drum_add(world);
    else
        walls_add(world, r);
    for (uint64_t k = 0; k < GRAINS; ++k) {
        dem_particle p;
        grain_fill(&p, r, k, &random);
        if (r->bodies && k % 2 == 1)
            later[k] = p;
        else
            must(world, dem_particle_add(world, &p, NULL));
    }
    /* the rows of parts take ids that no grain has */
    for (uint64_t k = 1; r->bodies && k < GRAINS; k += 2)
        body_add(world, &later[k], &random);
    if (r->fluid) {
        fluid_write(world);
        must(world, dem_world_impulses_reset(world));
    }
    return world;
}

/* Another world takes over from a snapshot. */
static dem_world *world_cut(dem_world *world, const row *r, golden_way way)
{
    dem_world *other = world_make(r, way, 1);
    if (r->cut == CUT_FILE) {
        char path[64];
        (void)snprintf(path, sizeof path, "golden-%d-%d.dem", (int)way.isa, (int)way.threads);
        must(world, dem_world_save(world, path));
        must(other, dem_world_load(other, path));
        (void)remove(path);
    } else {
        uint64_t bytes = 0, written = 0;
        must(world, dem_world_snapshot_size(world, &bytes));
        void *buffer = malloc(bytes);
        if (buffer == NULL)
            bench_fail("snapshot", "no memory");
        must(world, dem_world_snapshot(world, buffer, bytes, &written));
        must(other, dem_world_restore(other, buffer, written));
        free(buffer);
    }
    dem_world_destroy(world);
    return other;
}

/* What a host does to a world between steps. */
static void world_change(dem_world *world, const row *r, uint64_t piece)
{
    static const double push[3] = {0.1, 0.2, -0.1}, faster[3] = {0.0, 0.5, 0.0};
    uint64_t random = piece;
    dem_particle_handle handle;
    dem_particle p;
    must(world, dem_particle_find(world, 1 + (5 * piece * 7919) % 100003, &handle));
    must(world, dem_particle_remove(world, handle));
    must(world, dem_particle_find(world, 1 + ((5 * piece + 1) * 7919) % 100003, &handle));
    must(world, dem_particle_set_force(world, handle, push, push));
    must(world, dem_particle_find(world, 1 + ((5 * piece + 2) * 7919) % 100003, &handle));
    p.struct_size = sizeof p;
    must(world, dem_particle_get(world, handle, &p));
    if (p.mobility == DEM_MOBILITY_FREE)
        must(world, dem_particle_set_motion(world, handle, NULL, push, faster));
    grain_fill(&p, r, GRAINS + piece, &random);
    p.position[2] = side - 1.0 - 0.01 * (double)piece;
    must(world, dem_particle_add(world, &p, NULL));
    if (piece == 2)
        must(world, dem_wall_remove(world, 1000005));
    if (piece == 1)
        must(world, dem_wall_set_velocity(world, 1000004, faster));
}

/* Forces on the walls that are there; impulses, too. */
static void walls_sum(golden_sum *sum, const dem_world *world, int impulses)
{
    for (uint64_t id = 1000000; id < 1000006; ++id) {
        dem_wall wall = {.struct_size = sizeof wall};
        if (dem_wall_get(world, id, &wall) != DEM_OK)
            continue;
        golden_doubles(sum, wall.point, 3);
        golden_doubles(sum, wall.force, 3);
        if (impulses)
            golden_doubles(sum, wall.impulse, 3);
    }
}

void golden_world_run(int scene, golden_way way, golden_sum *sum)
{
    const row *r = &rows[scene];
    dem_world *world = world_make(r, way, 0);
    if (sum->dump) {
        must(world, dem_step(world, timestep, 1));
        golden_forces(world);
        dem_world_destroy(world);
        return;
    }
    for (uint64_t piece = 0; piece < PIECES; ++piece) {
        must(world, dem_step(world, timestep, piece == 0 ? 1 : STEPS));
        golden_world(sum, world);
        walls_sum(sum, world, r->fluid);
        if (r->fluid)
            golden_impulses(sum, world);
        if (r->cut && piece % 2 == 1)
            world = world_cut(world, r, way);
        if (r->changes)
            world_change(world, r, piece);
    }
    dem_world_destroy(world);
}
