/* SPDX-License-Identifier: MIT */
/* The section of what the host keeps with each particle; worlds without host_doubles have none. */
#include "io/sections.h"

static void write_host(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const uint64_t width = w->config.host_doubles;
    demi_write_u64(out, width);
    demi_write_u64(out, w->host.read != NULL);
    for (uint64_t row = 0; w->host.read != NULL && row < w->rows; ++row)
        if (w->body.read[row].id != 0)
            demi_write_doubles(out, w->host.read + row * width, width);
}

void demi_write_host(demi_writer *writer, const dem_world *w)
{
    if (w->config.host_doubles > 0)
        demi_write_section(writer, DEMI_HOST_TAG, write_host, w);
}

dem_status demi_read_host(demi_reader *in, dem_world *w)
{
    const uint64_t width = demi_read_u64(in), there = demi_read_u64(in);
    /* the length first: nobody reserves memory for what is not there */
    if (width == 0 || width > DEMI_HOST_DOUBLES_MOST || there > 1 ||
        in->length != (there ? (w->particles + w->ghosts.count) * width : 0))
        return demi_fail(&w->context, DEM_ERROR_FORMAT,
                         "snapshot: host data of %llu doubles a particle are not valid",
                         (unsigned long long)width);
    w->config.host_doubles = width;
    if (!there)
        return DEM_OK;
    const dem_status status = demi_rows_reserve(w, &w->host.buffer);
    for (uint64_t row = 0; status == DEM_OK && row < w->rows; ++row)
        if (w->body.read[row].id != 0)
            demi_read_doubles(in, w->host.data + row * width, width);
    return status;
}
