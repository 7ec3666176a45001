/* SPDX-License-Identifier: MIT */
/**
 * @file analysis.c
 * Crystals under known strain have the stress, fabric and coordination of their closed forms; boxes
 * that fill a region sum up to it; powers and dissipation are the rates at which energies change.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"
#include "../support/law.h"
#include "../support/near.h"

#include <math.h>
#include <string.h>

#define STIFFNESS 1000.0

static dem_analysis_grid whole(void)
{
    dem_analysis_grid grid;
    OK(dem_analysis_grid_init(&grid));
    return grid;
}

static dem_analysis_box analysis(const dem_world *world, double timestep)
{
    dem_analysis_grid grid = whole();
    grid.timestep = timestep;
    dem_analysis_box box = {.struct_size = sizeof box};
    if (dem_world_boxes_analyse(world, &grid, 1, &box) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    return box;
}

static void tensor_near(const double *a, const double *b, double within)
{
    for (int k = 0; k < 9; ++k)
        near(a[k], b[k], within);
}

/* ------------------------------------------------------------------ crystals */

/** A lattice of unit cells with edges `cell`, `count` atoms each, periodic along all axes. */
static dem_world *crystal(const double cell[3], const double (*atom)[3], uint64_t count,
                          uint64_t edge)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    for (int c = 0; c < 3; ++c) {
        config.boundary[c] = DEM_BOUNDARY_PERIODIC;
        config.box_low[c] = -0.3;
        config.box_high[c] = config.box_low[c] + (double)edge * cell[c];
    }
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, STIFFNESS, 0.0, 1.0);
    for (uint64_t n = 0; n < edge * edge * edge * count; ++n) {
        const uint64_t m = n / count;
        const double *a = atom[n % count];
        const dem_particle p = scene_particle(cell[0] * ((double)(m % edge) + a[0]),
                                              cell[1] * ((double)(m / edge % edge) + a[1]),
                                              cell[2] * ((double)(m / edge / edge) + a[2]));
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, 1e-4, 0));
    return world;
}

static const double one_atom[1][3] = {{0.0, 0.0, 0.0}};
static const double four_atoms[4][3] = {
    {0.0, 0.0, 0.0}, {0.0, 0.5, 0.5}, {0.5, 0.0, 0.5}, {0.5, 0.5, 0.0}};

/* Simple cubic, compressed by other strains along each axis: one bond an atom and axis. */
static void simple_cubic_has_one_bond_an_axis(void **state)
{
    (void)state;
    const double a[3] = {0.98, 0.95, 0.99};
    dem_world *world = crystal(a, one_atom, 1, 4);
    const dem_analysis_box box = analysis(world, 0.0);
    double stress[9] = {0.0}, fabric[9] = {0.0};
    for (int c = 0; c < 3; ++c) {
        stress[4 * c] = -STIFFNESS * (1.0 - a[c]) * a[c] / (a[0] * a[1] * a[2]);
        fabric[4 * c] = 1.0 / 3.0;
    }
    assert_int_equal(box.particles, 64);
    assert_int_equal(box.contact_ends, 6 * 64);
    near(box.coordination, 6.0, 0.0);
    near(box.volume, 64.0 * a[0] * a[1] * a[2], 1e-11);
    near(box.solid_volume, 64.0 * 4.0 / 3.0 * acos(-1.0) * 0.125, 1e-12);
    near(box.elastic, 64.0 * 0.5 * STIFFNESS * (4e-4 + 25e-4 + 1e-4), 1e-10);
    tensor_near(box.stress, stress, 1e-10);
    tensor_near(box.fabric, fabric, 1e-14);
    dem_world_destroy(world);
}

/* Face-centred cubic, strained without shear: of the twelve bonds of an atom, four lie in each
 * plane of axes, at (+-a, +-b)/2. */
static void fcc_tensors(const double a[3], double stress[9], double fabric[9])
{
    memset(stress, 0, 9 * sizeof(double));
    memset(fabric, 0, 9 * sizeof(double));
    const double volume = a[0] * a[1] * a[2] / 4.0; /* of an atom */
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3;
        const double x = a[c] / 2.0, y = a[d] / 2.0, length = sqrt(x * x + y * y),
                     force = STIFFNESS * (1.0 - length);
        stress[4 * c] -= 2.0 * force * x * x / length / volume;
        stress[4 * d] -= 2.0 * force * y * y / length / volume;
        fabric[4 * c] += 4.0 / 12.0 * x * x / (length * length);
        fabric[4 * d] += 4.0 / 12.0 * y * y / (length * length);
    }
}

static void fcc_has_the_stress_of_its_strain(void **state)
{
    (void)state;
    const double strain[3][3] = {{0.02, 0.02, 0.02}, {0.03, 0.01, 0.02}, {0.05, 0.0, 0.01}};
    for (int k = 0; k < 3; ++k) {
        double a[3], stress[9], fabric[9];
        for (int c = 0; c < 3; ++c)
            a[c] = sqrt(2.0) * (1.0 - strain[k][c]);
        dem_world *world = crystal(a, four_atoms, 4, 3);
        const dem_analysis_box box = analysis(world, 0.0);
        fcc_tensors(a, stress, fabric);
        near(box.coordination, 12.0, 0.0);
        tensor_near(box.stress, stress, 1e-10);
        tensor_near(box.fabric, fabric, 1e-14);
        if (k == 0) /* the pressure of the isotropic crystal: 2 sqrt(2) k overlap/d^2 */
            near(-box.stress[0], 2.0 * sqrt(2.0) * STIFFNESS * 0.02 / (0.98 * 0.98), 1e-10);
        /* without shear no atom differs from the others */
        double moment[108][9];
        uint64_t contacts[108], count = 0;
        dem_analysis_particles rows;
        OK(dem_analysis_particles_init(&rows));
        rows.capacity = 108;
        rows.moment = moment[0];
        rows.contacts = contacts;
        OK(dem_world_particles_analyse(world, &rows, &count));
        assert_int_equal(count, 108);
        for (uint64_t n = 0; n < count; ++n) {
            assert_int_equal(contacts[n], 12);
            for (int c = 0; c < 9; ++c)
                near(moment[n][c] / (a[0] * a[1] * a[2] / 4.0), stress[c], 1e-9);
        }
        dem_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ sums */

enum { MOST = 4096, BUSY_EDGE = 6 };

/** Adds the sums of b to those of a; velocity and fluctuation as moments of the mass. */
static void sums_add(dem_analysis_box *a, const dem_analysis_box *b)
{
    a->particles += b->particles;
    a->contact_ends += b->contact_ends;
    double *const to[] = {&a->volume,           &a->solid_volume,        &a->mass,
                          &a->elastic,          &a->power_contact,       &a->power_external,
                          &a->power_gravity,    &a->dissipation_normal,  &a->dissipation_dashpot,
                          &a->dissipation_slip, &a->dissipation_rolling, &a->power_drag,
                          &a->dissipation_drag};
    const double from[] = {b->volume,           b->solid_volume,        b->mass,
                           b->elastic,          b->power_contact,       b->power_external,
                           b->power_gravity,    b->dissipation_normal,  b->dissipation_dashpot,
                           b->dissipation_slip, b->dissipation_rolling, b->power_drag,
                           b->dissipation_drag};
    for (size_t k = 0; k < sizeof to / sizeof to[0]; ++k)
        *to[k] += from[k];
    for (int k = 0; k < 9; ++k) {
        a->moment[k] += b->moment[k];
        a->fabric[k] += b->fabric[k] * (double)b->contact_ends;
        a->fluctuation[k] += b->fluctuation[k] + b->mass * b->velocity[k / 3] * b->velocity[k % 3];
    }
    for (int c = 0; c < 3; ++c)
        a->velocity[c] += b->mass * b->velocity[c];
}

static void same_sums(const dem_analysis_box *a, const dem_analysis_box *b)
{
    assert_int_equal(a->particles, b->particles);
    assert_int_equal(a->contact_ends, b->contact_ends);
    const double x[] = {a->solid_volume,
                        a->mass,
                        a->elastic,
                        a->power_contact,
                        a->power_external,
                        a->power_gravity,
                        a->dissipation_normal,
                        a->dissipation_dashpot,
                        a->dissipation_slip,
                        a->dissipation_rolling,
                        a->power_drag,
                        a->dissipation_drag};
    const double y[] = {b->solid_volume,
                        b->mass,
                        b->elastic,
                        b->power_contact,
                        b->power_external,
                        b->power_gravity,
                        b->dissipation_normal,
                        b->dissipation_dashpot,
                        b->dissipation_slip,
                        b->dissipation_rolling,
                        b->power_drag,
                        b->dissipation_drag};
    for (size_t k = 0; k < sizeof x / sizeof x[0]; ++k)
        near(x[k], y[k], 1e-12 * (1.0 + fabs(y[k])));
    for (int c = 0; c < 3; ++c)
        near(a->velocity[c], b->velocity[c], 1e-12);
    tensor_near(a->moment, b->moment, 1e-11);
    tensor_near(a->fabric, b->fabric, 1e-9);
    tensor_near(a->fluctuation, b->fluctuation, 1e-11);
}

/** A box of a grid has what the one box between its faces has. */
static void box_is_where_it_is(const dem_world *world, const dem_analysis_grid *grid, uint64_t k,
                               const dem_analysis_box *part)
{
    dem_analysis_grid alone = *grid;
    dem_analysis_box one = {.struct_size = sizeof one}, from[2];
    uint64_t index = k;
    for (int c = 0; c < 3; ++c) {
        const uint64_t boxes = (uint64_t)grid->boxes[c], at = index % boxes;
        const double side = (grid->high[c] - grid->low[c]) / (double)boxes;
        index /= boxes;
        alone.low[c] = grid->low[c] + side * (double)at;
        alone.high[c] = grid->low[c] + side * (double)(at + 1);
        alone.boxes[c] = 1;
    }
    OK(dem_world_boxes_analyse(world, &alone, 1, &one));
    near(one.volume, part->volume, 1e-12 * one.volume);
    memset(from, 0, sizeof from);
    sums_add(&from[0], part);
    sums_add(&from[1], &one);
    same_sums(&from[0], &from[1]);
}

/** Boxes that fill the same region sum up to the one box of it. */
static void boxes_fill_a_region(const dem_world *world, const int32_t boxes[3])
{
    static dem_analysis_box part[5 * 4 * 6];
    dem_analysis_grid grid = whole();
    grid.timestep = BUSY_DT;
    dem_analysis_box all = {.struct_size = sizeof all}, one, sum;
    OK(dem_world_boxes_analyse(world, &grid, 1, &all));
    assert_true(isinf(all.volume));
    near(all.stress[0], 0.0, 0.0);
    for (int c = 0; c < 3; ++c) {
        grid.boxes[c] = boxes[c];
        if (c > 0)
            grid.low[c] = -3.0, grid.high[c] = 40.0 / 3.0;
    }
    const uint64_t count = (uint64_t)boxes[0] * (uint64_t)boxes[1] * (uint64_t)boxes[2];
    for (uint64_t k = 0; k < count; ++k)
        part[k].struct_size = sizeof part[k];
    OK(dem_world_boxes_analyse(world, &grid, count, part));
    memset(&sum, 0, sizeof sum);
    for (uint64_t k = 0; k < count; ++k)
        sums_add(&sum, &part[k]);
    grid.low[0] = 0.0; /* the period */
    grid.high[0] = BUSY_PITCH * BUSY_EDGE;
    for (uint64_t k = 0; k < count; ++k)
        box_is_where_it_is(world, &grid, k, &part[k]);
    memset(&one, 0, sizeof one);
    sums_add(&one, &all);
    same_sums(&sum, &one);
    assert_true(all.particles > 100 && all.contact_ends > 300 && all.dissipation_slip > 0.0);
}

static void boxes_sum_up(void **state)
{
    (void)state;
    const int32_t boxes[][3] = {{5, 4, 6}, {1, 3, 1}, {2, 1, 7}};
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(BUSY_EDGE, 5, &config);
    OK(dem_step(world, BUSY_DT, 300));
    for (size_t k = 0; k < sizeof boxes / sizeof boxes[0]; ++k)
        boxes_fill_a_region(world, boxes[k]);
    /* a wall's contact has one end; a contact that was just read does not matter */
    uint64_t cursor = 0, ends = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    OK(dem_world_contact_next(world, &cursor, &contact));
    cursor = 0;
    const dem_analysis_box all = analysis(world, 0.0);
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK)
        ends += contact.key.id_j == 70000 || contact.key.id_i == 1 || contact.key.id_j == 1 ? 1 : 2;
    assert_int_equal(all.contact_ends, ends);
    /* dashpots see extrapolated velocities in a step, which shows in the sliders */
    near(all.elastic, scene_energies(world).elastic, 1e-5 * all.elastic);
    dem_world_destroy(world);
}

/** Index of the row with an id, or `count`. */
static uint64_t row_of(const uint64_t *ids, uint64_t count, uint64_t id)
{
    uint64_t row = 0;
    while (row < count && ids[row] != id)
        ++row;
    return row;
}

/* Moments from the contact points and forces that dem_world_contacts_read tells, seen from the
 * particles' centres; periodic images are told apart by the shortest way. */
static void moments_follow_from_points_and_forces(void **state)
{
    (void)state;
    static uint64_t ids[MOST], contacts[MOST];
    static double moment[MOST][9], fabric[MOST][9];
    static dem_contact_key key[MOST];
    static double point[MOST][3], normal[MOST][3], force[2][MOST][3];
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(6, 4, &config);
    OK(dem_step(world, BUSY_DT, 200));
    dem_particle_handle gone;
    OK(dem_particle_find(world, 40, &gone));
    OK(dem_particle_remove(world, gone));
    dem_contact_arrays a;
    OK(dem_contact_arrays_init(&a));
    a.capacity = MOST;
    a.key = key;
    a.point = point[0];
    a.normal = normal[0];
    a.force_normal = force[0][0];
    a.force_tangential = force[1][0];
    dem_analysis_particles rows;
    OK(dem_analysis_particles_init(&rows));
    rows.capacity = MOST;
    rows.id = ids;
    rows.contacts = contacts;
    rows.moment = moment[0];
    rows.fabric = fabric[0];
    uint64_t cursor = 0, count, total;
    OK(dem_world_contacts_read(world, &cursor, &a, &total));
    OK(dem_world_particles_analyse(world, &rows, &count));
    dem_view position = {.struct_size = sizeof position};
    OK(dem_world_view(world, DEM_FIELD_POSITION, &position));
    assert_int_equal(count, position.count);
    assert_memory_equal(ids, position.id, count * sizeof ids[0]);
    assert_true(row_of(ids, count, 0) < count);
    const double period = BUSY_PITCH * 6.0;
    for (uint64_t n = 0; n < total; ++n)
        for (int end = 0; end < 2; ++end) {
            const uint64_t row = row_of(ids, count, end ? key[n].id_j : key[n].id_i);
            if (row == count) /* a wall */
                continue;
            const double sign = end ? -1.0 : 1.0;
            const double *x = (const double *)((const char *)position.data + row * position.stride);
            double arm[3];
            for (int c = 0; c < 3; ++c)
                arm[c] = point[n][c] - x[c];
            arm[0] -= period * round(arm[0] / period);
            for (int c = 0; c < 9; ++c) {
                moment[row][c] -= sign * arm[c / 3] * (force[0][n][c % 3] + force[1][n][c % 3]);
                fabric[row][c] -= normal[n][c / 3] * normal[n][c % 3];
            }
            --contacts[row];
        }
    for (uint64_t row = 0; row < count; ++row) {
        assert_int_equal(contacts[row], 0);
        for (int c = 0; c < 9; ++c) {
            near(moment[row][c], 0.0, 1e-12);
            near(fabric[row][c], 0.0, 1e-13);
        }
    }
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ rates */

static double kinetic(const dem_world *world)
{
    const dem_world_energies e = scene_energies(world);
    return e.kinetic_translation + e.kinetic_rotation;
}

static double power(const dem_analysis_box *box)
{
    return box->power_contact + box->power_external + box->power_gravity + box->power_drag;
}

/** A packing with all dashpots and resistances of the linear laws. */
static dem_world *resisting(int32_t scheme)
{
    dem_world_config config = scene_config();
    config.integrator = scheme;
    dem_world *world = scene_packing_config(4, 3, &config);
    dem_hooke hooke;
    dem_friction friction;
    dem_rolling rolling;
    OK(dem_hooke_init(&hooke));
    OK(dem_friction_init(&friction));
    OK(dem_rolling_init(&rolling));
    hooke.stiffness_normal = STIFFNESS;
    hooke.restitution = 0.7;
    friction.friction = 0.4;
    rolling.friction = 0.1;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_hooke(&model, &hooke));
    OK(dem_contact_model_add_friction(&model, &friction));
    OK(dem_contact_model_add_rolling_csds(&model, &rolling));
    OK(dem_contact_model_set(world, 0, 0, &model));
    OK(dem_step(world, BUSY_DT / 16.0, 800));
    return world;
}

static double *row_at(const dem_view *view, uint64_t row)
{
    return (double *)((char *)view->data + row * view->stride);
}

/** A fluid that turns with one half of its shear, and drags each grain by other coefficients. */
static void sheared_fluid(dem_world *world)
{
    static const int32_t fields[] = {DEM_FIELD_DRAG_COEFFICIENT, DEM_FIELD_ROTATIONAL_DRAG,
                                     DEM_FIELD_FLUID_VELOCITY, DEM_FIELD_FLUID_ANGULAR_VELOCITY};
    dem_view view[4], position = {.struct_size = sizeof position};
    for (int f = 0; f < 4; ++f) {
        view[f].struct_size = sizeof view[f];
        OK(dem_world_view(world, fields[f], &view[f]));
    }
    OK(dem_world_view(world, DEM_FIELD_POSITION, &position));
    for (uint64_t k = 0; k < position.count; ++k) {
        *row_at(&view[0], k) = 0.5 + 0.1 * (double)(k % 7);
        *row_at(&view[1], k) = 0.002 + 0.001 * (double)(k % 3);
        row_at(&view[2], k)[0] = 2.0 * row_at(&position, k)[2];
        row_at(&view[3], k)[1] = 1.0;
    }
    for (int f = 0; f < 4; ++f)
        OK(dem_world_written_field(world, fields[f]));
}

/** Error of the kinetic energy against the sum of powers (trapezoids), relative to its change; of
 * what the fluid gave and of what drag turned into heat likewise, where there is a fluid. */
static double power_error(int halvings, int fluid)
{
    const double dt = BUSY_DT / (double)(1 << halvings);
    dem_world *world = resisting(DEM_INTEGRATOR_VERLET_SYNC);
    if (fluid)
        sheared_fluid(world);
    double given = 0.0, heat = 0.0;
    const double from = kinetic(world);
    double worked = 0.0;
    dem_analysis_box box = analysis(world, 0.0);
    const dem_world_energies begun = scene_energies(world);
    for (int k = 0; k <= 100 << halvings; ++k) {
        const double weight = k == 0 || k == 100 << halvings ? 0.5 * dt : dt;
        worked += weight * power(&box);
        given += weight * (box.power_drag + box.dissipation_drag);
        heat += weight * box.dissipation_drag;
        if (k < 100 << halvings)
            OK(dem_step(world, dt, 1));
        box = analysis(world, 0.0);
    }
    const dem_world_energies ended = scene_energies(world);
    const double change = kinetic(world) - from;
    dem_world_destroy(world);
    double error = fabs(change - worked) / fabs(change);
    if (fluid) {
        const double all = ended.work_fluid - begun.work_fluid,
                     lost = ended.dissipated_drag - begun.dissipated_drag;
        assert_true(all > 1e-3 && lost > 1e-3);
        error = fmax(error, fmax(fabs(all - given), fabs(lost - heat)) / fabs(all));
    }
    return error;
}

static void powers_make_the_kinetic_energy(void **state)
{
    (void)state;
    for (int fluid = 0; fluid < 2; ++fluid) {
        const double coarse = power_error(0, fluid), fine = power_error(2, fluid);
        printf("# fluid %d: %.2e, %.2e\n", fluid, coarse, fine);
        assert_true(coarse < 1e-3 && fine < coarse / 12.0);
    }
}

static uint64_t keys_of(const dem_world *world, dem_contact_key *key)
{
    dem_contact_arrays a;
    OK(dem_contact_arrays_init(&a));
    a.capacity = MOST;
    a.key = key;
    uint64_t cursor = 0, count;
    OK(dem_world_contacts_read(world, &cursor, &a, &count));
    return count;
}

/** Whether a step made contacts. */
static int contacts_were_made(const dem_world *world, const dem_contact_key *before, uint64_t count)
{
    static dem_contact_key after[MOST];
    const uint64_t now = keys_of(world, after);
    for (uint64_t n = 0; n < now; ++n) {
        uint64_t m = 0;
        while (m < count && memcmp(&before[m], &after[n], sizeof after[n]) != 0)
            ++m;
        if (m == count)
            return 1;
    }
    return 0;
}

static void energies_lost(const dem_world *world, double lost[4])
{
    const dem_world_energies e = scene_energies(world);
    lost[0] = e.dissipated_normal;
    lost[1] = e.dissipated_dashpot;
    lost[2] = e.dissipated_slip;
    lost[3] = e.dissipated_rolling;
}

/** What a step is told to dissipate is what it dissipates, unless it makes contacts. */
static void steps_dissipate_as_told(dem_world *world, double within)
{
    static dem_contact_key key[MOST];
    int compared = 0;
    for (int k = 0; k < 400; ++k) {
        double before[4], after[4];
        const uint64_t count = keys_of(world, key);
        const dem_analysis_box box = analysis(world, BUSY_DT);
        energies_lost(world, before);
        OK(dem_step(world, BUSY_DT, 1));
        energies_lost(world, after);
        if (contacts_were_made(world, key, count))
            continue;
        const double told[4] = {box.dissipation_normal, box.dissipation_dashpot,
                                box.dissipation_slip, box.dissipation_rolling};
        for (int m = 0; m < 4; ++m)
            near(BUSY_DT * told[m], after[m] - before[m],
                 within * (after[0] + after[1] + after[2] + after[3]));
        ++compared;
    }
    assert_true(compared > 100);
}

static void dissipation_is_that_of_the_next_step(void **state)
{
    (void)state;
    const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_VERLET_STANDARD,
                               DEM_INTEGRATOR_VERLET_IMPROVED, DEM_INTEGRATOR_LEAPFROG,
                               DEM_INTEGRATOR_SYMPLECTIC_EULER};
    for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; ++k) {
        dem_world *world = resisting(schemes[k]);
        steps_dissipate_as_told(world, 1e-13);
        dem_world_destroy(world);
    }
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(4, 4, &config);
    OK(dem_step(world, BUSY_DT, 100));
    steps_dissipate_as_told(world, 1e-13);
    dem_world_destroy(world);
}

/** How far a clump's dissipation in a contact with the floor is from what is told, over it all. */
static double clump_error(int32_t damping_mass, double dt)
{
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, STIFFNESS, 0.3, 0.6);
    dem_wall ground;
    OK(dem_wall_init(&ground));
    OK(dem_wall_add(world, &ground, NULL));
    dem_body_part part[2];
    dem_body body;
    OK(dem_body_init(&body));
    for (int k = 0; k < 2; ++k) {
        OK(dem_body_part_init(&part[k]));
        part[k].radius = 0.5;
        part[k].centre[0] = k ? 0.4 : -0.4;
    }
    body.mass = 1.0;
    body.damping_mass = damping_mass;
    body.inertia[0] = 0.1;
    body.inertia[1] = body.inertia[2] = 0.2;
    body.position[2] = 0.48; /* both parts touch */
    body.velocity[0] = 0.2;
    body.velocity[2] = -0.3;
    body.angular_velocity[1] = -0.5;
    OK(dem_body_add(world, &body, 2, part, NULL));
    OK(dem_step(world, dt, 4));
    double before[4], after[4], off = 0.0, all = 0.0;
    for (int k = 0; k < (int)(0.02 / dt); ++k) {
        const dem_analysis_box box = analysis(world, dt);
        energies_lost(world, before);
        OK(dem_step(world, dt, 1));
        energies_lost(world, after);
        off += fabs(dt * box.dissipation_normal - (after[0] - before[0])) +
               fabs(dt * box.dissipation_dashpot - (after[1] - before[1]));
        all += after[0] - before[0] + after[1] - before[1];
    }
    assert_true(all > 0.0);
    dem_world_destroy(world);
    return off / all;
}

/** Dashpots of a clump's parts have the mass that the damping mass asks for also where the rate of
 * dissipation is told; the motion is told to first order. */
static void clumps_dissipate_as_told(void **state)
{
    (void)state;
    for (int32_t m = DEM_DAMPING_MASS_CONTACT; m <= DEM_DAMPING_MASS_BODY; ++m) {
        const double coarse = clump_error(m, 4e-4), fine = clump_error(m, 1e-4);
        printf("# clump, damping mass %d: %.2e, %.2e\n", (int)m, coarse, fine);
        assert_true(coarse < 0.05 && fine < coarse / 3.0);
    }
}

/* A gas of free particles: the temperature of their velocities about the mean. */
static void temperature_is_that_of_the_fluctuations(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    for (int k = 0; k < 8; ++k) { /* mean (3, 0, 0), along z +-1 */
        dem_particle p = scene_particle(2.0 * k, 0.0, 0.0);
        p.velocity[0] = 3.0;
        p.velocity[2] = k % 2 ? 1.0 : -1.0;
        p.mobility = k < 6 ? DEM_MOBILITY_FREE : DEM_MOBILITY_KINEMATIC;
        p.velocity[1] = k < 6 ? 0.0 : 99.0;
        OK(dem_particle_add(world, &p, NULL));
    }
    const dem_analysis_box box = analysis(world, 0.0);
    near(box.granular_temperature, 1.0 / 3.0, 1e-15);
    near(box.mass, 0.6, 1e-15);
    near(box.velocity[0], 3.0, 1e-15);
    near(box.velocity[1], 0.0, 0.0);
    near(box.fluctuation[8], 0.6, 1e-15);
    near(box.fluctuation[0], 0.0, 1e-15);
    near(box.power_gravity, 0.0, 1e-15);
    assert_int_equal(box.particles, 8);
    dem_world_destroy(world);
}

/* Reading contacts goes on between analyses, and the trajectory does not see them. */
static void nothing_is_changed(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(5, 4, &config), *other = busy_world(5, 4, &config);
    for (int k = 0; k < 20; ++k) {
        OK(dem_step(world, BUSY_DT, 7));
        OK(dem_step(other, BUSY_DT, 7));
        uint64_t cursor[2] = {0, 0};
        dem_contact a = {.struct_size = sizeof a}, b = a;
        dem_status status;
        do {
            if (cursor[0] % 3 == 0)
                (void)analysis(world, BUSY_DT);
            status = dem_world_contact_next(world, &cursor[0], &a);
            assert_int_equal(dem_world_contact_next(other, &cursor[1], &b), status);
            assert_memory_equal(a.force_normal, b.force_normal, sizeof a.force_normal);
            assert_memory_equal(a.force_tangential, b.force_tangential, sizeof a.force_tangential);
        } while (status == DEM_OK && k % 7 == 0);
    }
    busy_equal(world, other);
    dem_world_destroy(world);
    dem_world_destroy(other);
}

static void without_energy_tracking_energies_are_0(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.energy_tracking = DEM_ENERGY_TRACKING_OFF;
    dem_world *world = busy_world(5, 4, &config);
    OK(dem_step(world, BUSY_DT, 200));
    const dem_analysis_box box = analysis(world, BUSY_DT);
    near(box.elastic, 0.0, 0.0);
    near(box.dissipation_normal + box.dissipation_slip, 0.0, 0.0);
    assert_true(box.contact_ends > 100 && fabs(box.moment[0]) > 0.0);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ refused */

#define REFUSE(call, status, words)                                                                \
    do {                                                                                           \
        assert_int_equal(call, status);                                                            \
        assert_non_null(strstr(dem_world_error(world), words));                                    \
    } while (0)

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(3, 2, &config);
    OK(dem_step(world, BUSY_DT, 1));
    dem_analysis_grid grid = whole();
    dem_analysis_box box[2];
    memset(box, 7, sizeof box);
    box[0].struct_size = box[1].struct_size = sizeof box[0];
    const dem_analysis_box kept = box[1];
    assert_int_equal(dem_world_boxes_analyse(NULL, &grid, 1, box), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_analysis_grid_init_sized(NULL, sizeof grid), DEM_ERROR_ARGUMENT);
    REFUSE(dem_world_boxes_analyse(world, NULL, 1, box), DEM_ERROR_ARGUMENT, "grid");
    REFUSE(dem_world_boxes_analyse(world, &grid, 1, NULL), DEM_ERROR_ARGUMENT, "box");
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_RANGE, "count");
    REFUSE(dem_world_boxes_analyse(world, &grid, 0, box), DEM_ERROR_RANGE, "count");
    grid.boxes[1] = 2;
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_RANGE, "boxes[1]");
    grid.low[1] = 0.0;
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_RANGE, "boxes[1]");
    grid.high[1] = 0.0;
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_RANGE, "high[1]");
    grid.high[1] = NAN;
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_RANGE, "high[1]");
    const double below = grid.low[1];
    grid.low[1] = NAN, grid.high[1] = 1.0;
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_RANGE, "low[1]: nan");
    grid.low[1] = below;
    grid.high[1] = 1.0;
    box[1].struct_size--;
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_STRUCT_SIZE, "box 1");
    box[1].struct_size++;
    box[0].struct_size = 8;
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_STRUCT_SIZE,
           "dem_analysis_box");
    box[0].struct_size = sizeof box[0];
    grid.timestep = -1.0;
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_RANGE, "timestep");
    grid.timestep = INFINITY;
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_RANGE, "timestep");
    grid.timestep = 0.0;
    grid.boxes[2] = 0;
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_RANGE, "boxes[2]");
    grid.boxes[2] = 1;
    grid.reserved = 1;
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_UNKNOWN, "reserved");
    grid.reserved = 0;
    grid.struct_size = 8;
    REFUSE(dem_world_boxes_analyse(world, &grid, 2, box), DEM_ERROR_STRUCT_SIZE,
           "dem_analysis_grid");
    assert_memory_equal(&box[0], &kept, sizeof kept);
    assert_memory_equal(&box[1], &kept, sizeof kept);
    /* a count whose product would wrap around */
    grid = whole();
    for (int c = 0; c < 3; ++c)
        grid.low[c] = 0.0, grid.high[c] = 1.0, grid.boxes[c] = c < 2 ? 1 << 30 : 16;
    REFUSE(dem_world_boxes_analyse(world, &grid, 0, box), DEM_ERROR_RANGE, "count");
    /* bounds of which the volume is no number */
    const double wide[4] = {1e-110, 1e103, 1e308, 1e102};
    for (int k = 0; k < 4; ++k) {
        grid = whole();
        for (int c = 0; c < 3; ++c)
            grid.low[c] = -wide[k], grid.high[c] = wide[k];
        dem_analysis_box one = {.struct_size = sizeof one};
        if (k < 3)
            REFUSE(dem_world_boxes_analyse(world, &grid, 1, &one), DEM_ERROR_RANGE, "the volume");
        else
            OK(dem_world_boxes_analyse(world, &grid, 1, &one));
    }

    dem_analysis_particles rows;
    OK(dem_analysis_particles_init(&rows));
    uint64_t contacts[17];
    rows.capacity = 17;
    rows.contacts = contacts;
    assert_int_equal(dem_world_particles_analyse(NULL, &rows, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_analysis_particles_init_sized(NULL, sizeof rows), DEM_ERROR_ARGUMENT);
    REFUSE(dem_world_particles_analyse(world, NULL, NULL), DEM_ERROR_ARGUMENT, "arrays");
    REFUSE(dem_world_particles_analyse(world, &rows, NULL), DEM_ERROR_RANGE, "capacity");
    rows.struct_size = 8;
    REFUSE(dem_world_particles_analyse(world, &rows, NULL), DEM_ERROR_STRUCT_SIZE,
           "dem_analysis_particles");
    dem_world_destroy(world);

    /* nothing to analyse is no error */
    world = scene_world(&config);
    const dem_analysis_box empty = analysis(world, 1e-3);
    assert_int_equal(empty.particles, 0);
    near(empty.coordination + empty.granular_temperature + empty.fabric[0], 0.0, 0.0);
    OK(dem_analysis_particles_init(&rows));
    OK(dem_world_particles_analyse(world, &rows, NULL));
    dem_world_destroy(world);
}

/** An analysis asks the law of a contact once, and once more where it tells the next step. */
static void contacts_are_evaluated_once(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    const dem_law law = test_law(&control);
    const test_spring spring = {STIFFNESS};
    dem_world_config config;
    dem_world *world = NULL;
    OK(dem_world_config_init(&config));
    OK(dem_world_create(&config, &world, NULL));
    OK(dem_world_law_register(world, &law));
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add(&model, law.name, &spring));
    OK(dem_contact_model_set(world, 0, 0, &model));
    const dem_particle two[2] = {scene_particle(0.0, 0.0, 0.0), scene_particle(0.9, 0.0, 0.0)};
    OK(dem_particles_add(world, 2, two, NULL));
    OK(dem_step(world, 1e-4, 0));
    int64_t before = control.calls;
    assert_int_equal(analysis(world, 0.0).contact_ends, 2);
    assert_int_equal(control.calls - before, 1);
    before = control.calls;
    assert_int_equal(analysis(world, 1e-4).contact_ends, 2);
    assert_int_equal(control.calls - before, 2);
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_cubic_has_one_bond_an_axis),
        cmocka_unit_test(fcc_has_the_stress_of_its_strain),
        cmocka_unit_test(boxes_sum_up),
        cmocka_unit_test(moments_follow_from_points_and_forces),
        cmocka_unit_test(powers_make_the_kinetic_energy),
        cmocka_unit_test(dissipation_is_that_of_the_next_step),
        cmocka_unit_test(clumps_dissipate_as_told),
        cmocka_unit_test(temperature_is_that_of_the_fluctuations),
        cmocka_unit_test(nothing_is_changed),
        cmocka_unit_test(without_energy_tracking_energies_are_0),
        cmocka_unit_test(contacts_are_evaluated_once),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
