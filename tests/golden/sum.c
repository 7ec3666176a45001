/* SPDX-License-Identifier: MIT */
/* From a world to a hash that depends on no storage order. */
#include "golden.h"

#include "../bench/bench.h"

#include <stdlib.h>
#include <string.h>

void golden_words(golden_sum *sum, const uint64_t *words, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t mixed = (sum->hash ^ words[k]) * 0x9e3779b97f4a7c15u;
        sum->hash = mixed ^ mixed >> 29;
    }
}

void golden_doubles(golden_sum *sum, const double *values, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k) {
        uint64_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        golden_words(sum, &bits, 1);
    }
}

typedef struct named_row {
    uint64_t id, row;
} named_row;

static int by_id(const void *a, const void *b)
{
    const named_row *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static void view_open(dem_world *world, int32_t field, dem_view *view)
{
    memset(view, 0, sizeof *view);
    view->struct_size = sizeof *view;
    bench_must(dem_world_view(world, field, view), dem_world_error(world));
}

/* The rows of a view by ascending id; the caller frees them. */
static named_row *rows_by_id(const dem_view *view)
{
    named_row *rows = calloc(view->count + 1, sizeof *rows);
    if (rows == NULL)
        bench_fail("rows", "no memory");
    for (uint64_t k = 0; k < view->count; ++k)
        rows[k] = (named_row){view->id[k], k};
    qsort(rows, view->count, sizeof *rows, by_id);
    return rows;
}

static const double *view_row(const dem_view *view, uint64_t row)
{
    return (const double *)(const void *)((const char *)view->data + row * view->stride);
}

static void sum_particles(golden_sum *sum, dem_world *world)
{
    static const int32_t fields[] = {DEM_FIELD_VELOCITY, DEM_FIELD_ANGULAR_VELOCITY,
                                     DEM_FIELD_FORCE, DEM_FIELD_TORQUE};
    dem_view view;
    view_open(world, DEM_FIELD_POSITION, &view);
    named_row *rows = rows_by_id(&view);
    for (uint64_t k = 0; k < view.count; ++k) {
        dem_particle_handle handle;
        dem_particle particle = {.struct_size = sizeof particle};
        if (rows[k].id == 0)
            continue;
        bench_must(dem_particle_find(world, rows[k].id, &handle), dem_world_error(world));
        bench_must(dem_particle_get(world, handle, &particle), dem_world_error(world));
        golden_words(sum, &particle.id, 1);
        golden_doubles(sum, particle.position, 3);
        golden_doubles(sum, &particle.radius, 3); /* radius, mass, contact mass */
    }
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; ++f) {
        view_open(world, fields[f], &view);
        for (uint64_t k = 0; k < view.count; ++k)
            if (rows[k].id != 0)
                golden_doubles(sum, view_row(&view, rows[k].row), 3);
    }
    free(rows);
}

void golden_impulses(golden_sum *sum, dem_world *world)
{
    dem_view view;
    dem_world_energies energies = {.struct_size = sizeof energies};
    bench_must(dem_world_energies_get(world, &energies), dem_world_error(world));
    golden_doubles(sum, &energies.work_fluid, 1);
    golden_doubles(sum, &energies.dissipated_drag, 1);
    view_open(world, DEM_FIELD_POSITION, &view);
    named_row *rows = rows_by_id(&view);
    for (int32_t f = DEM_FIELD_DRAG_IMPULSE; f <= DEM_FIELD_CONTACT_ANGULAR_IMPULSE; ++f) {
        view_open(world, f, &view);
        for (uint64_t k = 0; k < view.count; ++k)
            if (rows[k].id != 0)
                golden_doubles(sum, view_row(&view, rows[k].row), 3);
    }
    free(rows);
}

/* A contact, with its own copy of the state. */
typedef struct kept_contact {
    dem_contact contact;
    double state[DEM_STATE_MAX];
} kept_contact;

static int by_key(const void *a, const void *b)
{
    const dem_contact_key *x = &((const kept_contact *)a)->contact.key,
                          *y = &((const kept_contact *)b)->contact.key;
    if (x->id_i != y->id_i)
        return x->id_i < y->id_i ? -1 : 1;
    if (x->id_j != y->id_j)
        return x->id_j < y->id_j ? -1 : 1;
    if (x->feature != y->feature)
        return x->feature < y->feature ? -1 : 1;
    return memcmp(x->image, y->image, sizeof x->image);
}

static void sum_contacts(golden_sum *sum, dem_world *world)
{
    dem_world_counts counts = {.struct_size = sizeof counts};
    bench_must(dem_world_counts_get(world, &counts), dem_world_error(world));
    kept_contact *kept = calloc(counts.contacts + 1, sizeof *kept);
    uint64_t cursor = 0, n = 0;
    if (kept == NULL)
        bench_fail("contacts", "no memory");
    for (; n <= counts.contacts; ++n) {
        kept_contact *one = &kept[n];
        one->contact.struct_size = sizeof one->contact;
        if (dem_world_contact_next(world, &cursor, &one->contact) != DEM_OK)
            break;
        memcpy(one->state, one->contact.state, one->contact.state_count * sizeof(double));
    }
    if (n != counts.contacts)
        bench_fail("contacts", "the iterator does not give as many as are counted");
    qsort(kept, n, sizeof *kept, by_key);
    for (uint64_t k = 0; k < n; ++k) {
        const dem_contact *c = &kept[k].contact;
        const uint64_t key[] = {c->key.id_i,
                                c->key.id_j,
                                c->key.feature,
                                (uint64_t)(int64_t)c->key.image[0],
                                (uint64_t)(int64_t)c->key.image[1],
                                (uint64_t)(int64_t)c->key.image[2],
                                (uint64_t)c->material_i,
                                (uint64_t)c->material_j};
        golden_words(sum, key, sizeof key / sizeof key[0]);
        golden_doubles(sum, &c->overlap, 1);
        golden_doubles(sum, c->normal, 3);
        golden_doubles(sum, c->force_normal, 3);
        golden_doubles(sum, c->force_tangential, 3);
        golden_doubles(sum, kept[k].state, c->state_count);
    }
    free(kept);
}

void golden_world(golden_sum *sum, dem_world *world)
{
    dem_world_energies energies = {.struct_size = sizeof energies};
    dem_world_counts counts = {.struct_size = sizeof counts};
    bench_must(dem_world_energies_get(world, &energies), dem_world_error(world));
    bench_must(dem_world_counts_get(world, &counts), dem_world_error(world));
    sum->contacts = counts.contacts > sum->contacts ? counts.contacts : sum->contacts;
    const double time = dem_world_time(world);
    golden_doubles(sum, &time, 1);
    golden_words(sum, &counts.particles, 3); /* particles, walls, contacts */
    golden_doubles(sum, &energies.kinetic_translation, 10);
    sum_particles(sum, world);
    sum_contacts(sum, world);
}

void golden_forces(dem_world *world)
{
    dem_view force, torque;
    view_open(world, DEM_FIELD_FORCE, &force);
    view_open(world, DEM_FIELD_TORQUE, &torque);
    named_row *rows = rows_by_id(&force);
    for (uint64_t k = 0; k < force.count; ++k) {
        const double *f = view_row(&force, rows[k].row), *t = view_row(&torque, rows[k].row);
        printf("%llu %.17g %.17g %.17g %.17g %.17g %.17g\n", (unsigned long long)rows[k].id, f[0],
               f[1], f[2], t[0], t[1], t[2]);
    }
    free(rows);
}
