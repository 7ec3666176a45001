/* SPDX-License-Identifier: MIT */
/* Forces and rates of contacts at one moment: laws in their rate form stand in for evaluate. */
#include "base/check.h"
#include "contact/history.h"

#include <string.h>

dem_status demi_stages_model(demi_context *context, const demi_model *model)
{
    for (uint32_t p = 0; p < model->part_count; ++p)
        if (model->laws[p].rate == NULL)
            return demi_fail(
                context, DEM_ERROR_STATE,
                "law \"%.60s\": has no rate form (dem_law.rate) and advances its state "
                "by whole steps; take a scheme of begin and end",
                model->laws[p].name);
    return DEM_OK;
}

/* A part of a model while rates are computed: stands in for its law's evaluate. */
typedef struct stages_part {
    const dem_law *law;
    const demi_lanes *lanes;
    double (*before)[DEMI_LANES], (*rate)[DEMI_LANES], (*changed)[DEMI_LANES];
} stages_part;

/* Angular velocity of a contact's frame: with the line of the centres, n x n', and about it with
 * the mean angular velocity of the two bodies. */
static void stages_rotation_rate(const dem_contact_batch *b, const demi_lanes *lanes, uint64_t k,
                                 double turning[3])
{
    enum { S = DEM_BATCH_SIZE };
    const double n[3] = {b->normal[k], b->normal[S + k], b->normal[2 * S + k]};
    const double v[3] = {lanes->velocity[0][k], lanes->velocity[1][k], lanes->velocity[2][k]};
    const double distance = b->radius_i[k] + b->radius_j[k] - b->overlap[k];
    double twist = 0.0;
    for (int c = 0; c < 3; ++c)
        twist += 0.5 *
                 (b->angular_velocity_i[c * S + (int)k] + b->angular_velocity_j[c * S + (int)k]) *
                 n[c];
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        turning[c] = (n[d] * v[e] - n[e] * v[d]) / distance + twist * n[c];
    }
}

/* Takes out what a stage has left of a tangent slot along the normal: of the order of its error. */
static void stages_project(const dem_contact_batch *b, double *slot, uint64_t k)
{
    enum { S = DEM_BATCH_SIZE };
    double along = 0.0;
    for (uint64_t c = 0; c < 3; ++c)
        along += slot[c * S + k] * b->normal[c * S + k];
    for (uint64_t c = 0; c < 3; ++c)
        slot[c * S + k] -= along * b->normal[c * S + k];
}

static dem_status stages_evaluate(void *user, uint64_t n, dem_contact_batch *batch,
                                  const void *combined)
{
    enum { S = DEM_BATCH_SIZE };
    const stages_part *part = user;
    const dem_law *law = part->law;
    dem_contact_batch b = *batch;
    b.state_rate = part->rate[0];
    uint64_t size = 0;
    for (uint64_t m = 0; m < law->slot_count; ++m) {
        const uint64_t width = demi_slot_size(law->slots[m].kind);
        for (uint64_t k = 0; k < n && width == 3 && law->slots[m].kind != DEM_SLOT_AXIAL; ++k)
            stages_project(&b, b.state + size * S, k);
        size += width;
    }
    memset(part->rate, 0, (size_t)size * sizeof part->rate[0]);
    memcpy(part->before, b.state, (size_t)size * sizeof part->before[0]);
    const dem_status status = law->rate(law->user, n, &b, combined);
    if (status != DEM_OK)
        return status;
    for (uint64_t m = 0, first = 0; m < law->slot_count; ++m) {
        const uint64_t width = demi_slot_size(law->slots[m].kind);
        for (uint64_t k = 0; k < n; ++k) {
            double changed = 0.0, w[3];
            for (uint64_t c = first; c < first + width; ++c)
                if (b.state[c * S + k] != part->before[c][k])
                    changed = 1.0;
            for (uint64_t c = first; c < first + width; ++c)
                part->changed[c][k] = changed;
            if (width == 1)
                continue;
            stages_rotation_rate(&b, part->lanes, k, w);
            const double *h = b.state + first * S + k;
            part->rate[first][k] += w[1] * h[2 * S] - w[2] * h[S];
            part->rate[first + 1][k] += w[2] * h[0] - w[0] * h[2 * S];
            part->rate[first + 2][k] += w[0] * h[S] - w[1] * h[0];
        }
        first += width;
    }
    return DEM_OK;
}

dem_status demi_stages_run(dem_contact_history *h, demi_lanes *lanes, uint64_t n,
                           demi_lanes_call *how, const uint64_t *row, demi_totals *totals)
{
    demi_stages_work *work = h->stages_work.data;
    stages_part parts[DEMI_PARTS_MAX];
    const demi_model *model = how->model;
    demi_model staged = *model;
    /* they are those of evaluate */
    staged.traits = 0;
    staged.traits_needed = DEMI_TRAITS_ALL;
    for (uint32_t p = 0; p < model->part_count; ++p) {
        const uint32_t first = model->state_begin[p];
        parts[p] = (stages_part){&model->laws[p], lanes, &work->before[first], &work->rate[first],
                                 &work->changed[first]};
        staged.laws[p].evaluate = stages_evaluate;
        staged.laws[p].user = &parts[p];
    }
    how->model = &staged;
    const dem_status status = demi_lanes_run_isa(h->models.isa, lanes, n, how, totals);
    how->model = model;
    if (status != DEM_OK)
        return status;
    const demi_record *record = h->next.record.data;
    const double *base = h->stages_base.data;
    double *out = h->stages_rate.data, *jump = h->stages_jump.data;
    for (uint64_t k = 0; k < n; ++k)
        for (uint32_t c = 0; c < model->state_size; ++c) {
            const uint64_t at = record[row[k]].state_begin + c;
            how->lane = k;
            if (!isfinite(work->rate[c][k]) || !isfinite(lanes->state[c][k]))
                return DEM_ERROR_DIVERGED;
            out[at] = work->rate[c][k];
            jump[at] = work->changed[c][k] != 0.0 ? lanes->state[c][k] - base[at] : 0.0;
        }
    return DEM_OK;
}

void demi_stages_absent(dem_contact_history *h)
{
    const demi_record *record = h->next.record.data;
    for (uint64_t k = 0; k < h->next.count; ++k) {
        const size_t size = (size_t)record[k].model->state_size * sizeof(double);
        if (h->seen.read[k] || size == 0)
            continue;
        memset(h->stages_rate.data + record[k].state_begin, 0, size);
        memset(h->stages_jump.data + record[k].state_begin, 0, size);
    }
}
