/* SPDX-License-Identifier: MIT */
/**
 * @file fields.h
 * Fields of a world, and their rows. Needs OK(call) before it, for a call that must succeed.
 */
#ifndef DEM_TEST_FIELDS_H
#define DEM_TEST_FIELDS_H

#include <dem/dem.h>

static inline dem_view view_of(dem_world *world, int32_t field)
{
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, field, &view));
    return view;
}

static inline double *row_of(const dem_view *view, uint64_t row)
{
    return (double *)(void *)((char *)view->data + row * view->stride);
}

#endif
