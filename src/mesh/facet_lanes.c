/* SPDX-License-Identifier: MIT */
#include "mesh/facet_lanes.h"

#include "base/isa.h"

#include <string.h>

DEMI_COPIES(demi_facets_ahead_function, demi_facets_ahead);

uint64_t demi_facet_lanes_ahead(const demi_facet_lanes *lanes, int isa,
                                demi_facets_ahead_call *call, uint32_t *place)
{
    return demi_facets_ahead[isa](lanes, call, place);
}

/* Boxes that hold nothing, and are met by nothing. */
static void lanes_nowhere(demi_box_lanes *boxes, uint64_t count)
{
    for (uint64_t n = 0; n < count; ++n)
        for (int b = 0; b < 6; ++b)
            for (int k = 0; k < DEMI_FACET_LANES; ++k)
                boxes[n].bound[b][k] = b < 3 ? DEMI_BOX_NOWHERE : -DEMI_BOX_NOWHERE;
}

/* Makes box number n hold a point, or a box. */
static void lanes_grow(demi_box_lanes *boxes, uint64_t n, const double low[3], const double high[3])
{
    demi_box_lanes *to = &boxes[n / DEMI_FACET_LANES];
    const uint64_t k = n % DEMI_FACET_LANES;
    for (int c = 0; c < 3; ++c) {
        if (low[c] < to->bound[c][k])
            to->bound[c][k] = low[c];
        if (high[c] > to->bound[3 + c][k])
            to->bound[3 + c][k] = high[c];
    }
}

static void lanes_fill(const dem_mesh *mesh, demi_facet_lanes *lanes)
{
    for (uint64_t n = 0; n < mesh->facet_count; ++n) {
        const uint64_t facet = mesh->order.read[n], k = n % DEMI_FACET_LANES;
        demi_facet_block *block = &lanes->block.data[n / DEMI_FACET_LANES];
        for (uint64_t v = 0; v < 3; ++v) {
            const double *x = demi_mesh_vertex(mesh, mesh->facet.read[3 * facet + v]);
            lanes_grow(lanes->box.data, n / DEMI_FACET_LANES, x, x);
            lanes_grow(lanes->top.data, n / (DEMI_FACET_LANES * DEMI_FACET_LANES), x, x);
            for (uint64_t c = 0; c < 3; ++c)
                block->x[3 * v + c][k] = x[c];
        }
        for (uint64_t c = 0; c < 3; ++c)
            block->normal[c][k] = mesh->normal.read[3 * facet + c];
    }
}

dem_status demi_facet_lanes_make(demi_context *context, const dem_mesh *mesh,
                                 demi_facet_lanes *lanes)
{
    static const char what[] = "facets of a polyhedron";
    const uint64_t blocks = demi_facet_blocks(mesh->facet_count), boxes = demi_facet_blocks(blocks),
                   tops = demi_facet_blocks(boxes);
    dem_status status = demi_array_reserve(context, &lanes->block, blocks, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &lanes->box, boxes, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &lanes->top, tops, 0, what);
    if (status != DEM_OK)
        return status;
    lanes->facets = mesh->facet_count;
    lanes->tops = tops;
    memset(lanes->block.data, 0, (size_t)blocks * sizeof *lanes->block.data);
    lanes_nowhere(lanes->box.data, boxes);
    lanes_nowhere(lanes->top.data, tops);
    lanes_fill(mesh, lanes);
    return DEM_OK;
}

void demi_facet_lanes_free(demi_context *context, demi_facet_lanes *lanes)
{
    demi_array_free(context, &lanes->block);
    demi_array_free(context, &lanes->box);
    demi_array_free(context, &lanes->top);
}
