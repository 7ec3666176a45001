/* SPDX-License-Identifier: MIT */
/* Contacts, fabric and moment of each particle. */
#include "analysis/ends.h"
#include "base/entry.h"
#include "base/sized.h"

#include <dem/analysis.h>

#include <string.h>

dem_status dem_analysis_particles_init_sized(dem_analysis_particles *arrays, uint64_t size)
{
    if (arrays == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_analysis_particles values = {.struct_size = sizeof values};
    return demi_sized_write(arrays, size, &values);
}

static void particles_end_add(void *user, const dem_world *w, const demi_contact_end *end)
{
    const dem_analysis_particles *to = user;
    if (demi_shown_ids(w)[end->row] == 0) /* a ghost: its owner adds it */
        return;
    if (to->contacts != NULL)
        to->contacts[end->row]++;
    if (to->fabric != NULL)
        demi_tensor_add(to->fabric + 9 * end->row, end->normal, end->normal, 1.0);
    if (to->moment != NULL)
        demi_tensor_add(to->moment + 9 * end->row, end->arm, end->force, 1.0);
}

static void rows_clear(void *array, uint64_t rows, size_t row)
{
    if (array != NULL)
        memset(array, 0, (size_t)rows * row);
}

static void arrays_clear(const dem_analysis_particles *to, uint64_t rows)
{
    rows_clear(to->contacts, rows, sizeof to->contacts[0]);
    rows_clear(to->fabric, rows, 9 * sizeof to->fabric[0]);
    rows_clear(to->moment, rows, 9 * sizeof to->moment[0]);
}

DEMI_GUARDED guarded_particles_analyse(const dem_world *world, const dem_analysis_particles *arrays,
                                       uint64_t *count)
{
    demi_context *context = world->self;
    if (arrays == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "arrays: must not be NULL");
    dem_analysis_particles to;
    memset(&to, 0, sizeof to);
    if (demi_sized_read(&to, arrays) != DEM_OK)
        return demi_sized_fail(context, "dem_analysis_particles", arrays->struct_size);
    const uint64_t rows = world->rows;
    if (to.capacity < rows)
        return demi_fail(
            context, DEM_ERROR_RANGE,
            "dem_analysis_particles.capacity: %llu rows are fewer than the %llu of the "
            "world (dem_view.count)",
            (unsigned long long)to.capacity, (unsigned long long)rows);
    arrays_clear(&to, rows);
    if (to.id != NULL && rows > 0)
        memcpy(to.id, demi_shown_ids(world), (size_t)rows * sizeof to.id[0]);
    const dem_status status = demi_ends_visit_all(world, particles_end_add, &to);
    if (status != DEM_OK)
        arrays_clear(&to, rows);
    else if (count != NULL)
        *count = rows;
    return status;
}

dem_status dem_world_particles_analyse(const dem_world *world, const dem_analysis_particles *arrays,
                                       uint64_t *count)
{
    DEMI_READ(world, guarded_particles_analyse(world, arrays, count));
}
