/* SPDX-License-Identifier: MIT */
/* The section of rigid bodies; a world that never had one has no such section. */
#include "base/check.h"
#include "io/sections.h"

#include <string.h>

/* ------------------------------------------------------------------ writing */

void demi_rigid_write(demi_writer *out, const demi_rigid *rigid, const demi_pose *pose)
{
    demi_write_u32(out, (uint32_t)rigid->mobility, (uint32_t)rigid->damping_mass);
    demi_write_doubles(out, &rigid->mass, 1);
    demi_write_doubles(out, rigid->inertia, 3);
    demi_write_doubles(out, rigid->force, 3);
    demi_write_doubles(out, rigid->torque, 3);
    demi_write_doubles(out, pose->position, 3);
    demi_write_doubles(out, pose->velocity, 3);
    demi_write_doubles(out, pose->orientation, 4);
    demi_write_doubles(out, pose->momentum, 3);
    demi_write_doubles(out, pose->angular_velocity, 3);
    demi_write_u32(out, (uint32_t)pose->image[0], (uint32_t)pose->image[1]);
    demi_write_u32(out, (uint32_t)pose->image[2], (uint32_t)rigid->parts);
}

static void write_body(demi_writer *out, const dem_world *w, uint64_t k)
{
    const demi_rigid *rigid = &w->rigid.read[k];
    demi_write_u64(out, rigid->id);
    demi_write_u32(out, rigid->generation, 0);
    if (rigid->id == 0)
        return;
    demi_rigid_write(out, rigid, &w->current.pose.read[k]);
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        demi_write_doubles(out, part[p].centre, 3);
        demi_write_u32(out, part[p].handle, 0);
    }
}

static void write_bodies(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    demi_write_u64(out, w->rigids);
    demi_write_u64(out, w->rigid_next_id);
    for (uint64_t k = 0; k < w->rigids; ++k)
        write_body(out, w, k);
}

void demi_write_bodies(demi_writer *writer, const dem_world *w)
{
    if (w->rigids > 0)
        demi_write_section(writer, DEMI_BODIES_TAG, write_bodies, w);
}

/* ------------------------------------------------------------------ reading */

static int all_finite(const double *values, int count)
{
    for (int k = 0; k < count; ++k)
        if (!isfinite(values[k]))
            return 0;
    return 1;
}

static int body_valid(const demi_rigid *rigid, const demi_pose *pose)
{
    const double *q = pose->orientation, *i = rigid->inertia;
    const int free_one = rigid->mobility == DEM_MOBILITY_FREE;
    int valid = all_finite(rigid->force, 3) && all_finite(rigid->torque, 3) &&
                all_finite(pose->position, 3) && all_finite(pose->velocity, 3) &&
                all_finite(q, 4) && all_finite(pose->momentum, 3) &&
                all_finite(pose->angular_velocity, 3) && demi_not_negative(rigid->mass) &&
                demi_kind_offered(rigid->mobility) &&
                rigid->damping_mass >= DEM_DAMPING_MASS_CONTACT &&
                rigid->damping_mass <= DEM_DAMPING_MASS_BODY && rigid->parts > 0;
    for (int c = 0; c < 3; ++c) {
        valid &= demi_not_negative(i[c]);
        valid &= !free_one || (demi_positive(i[c]) && isfinite(1.0 / i[c]));
        valid &= !free_one || i[c] <= (i[(c + 1) % 3] + i[(c + 2) % 3]) * (1.0 + 1e-9);
        valid &= pose->image[c] >= -DEMI_IMAGE_MOST && pose->image[c] <= DEMI_IMAGE_MOST;
    }
    valid &= !free_one || (demi_positive(rigid->mass) && isfinite(1.0 / rigid->mass));
    return valid && fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) < 1e-9;
}

/* Whether a handle is that of a row which another world owns. */
static int part_of_ghost(const dem_world *w, uint32_t handle)
{
    return handle < w->handles && w->handle.read[handle].generation % 2 != 0 &&
           demi_kinds[w->body.read[w->handle.read[handle].row].kind].ghost;
}

/* Makes a row that of a part of this number; whether it can be one. */
static int part_enters(dem_world *w, const demi_rigid *rigid, uint64_t place, uint64_t number,
                       uint32_t handle)
{
    if (handle >= w->handles || w->handle.read[handle].generation % 2 == 0)
        return 0;
    const uint32_t row = w->handle.read[handle].row;
    demi_body *body = &w->body.data[row];
    const int32_t owned = rigid->mobility == DEM_MOBILITY_FREE ? DEMI_KIND_PART : rigid->mobility,
                  kind = rigid->ghost ? demi_kind_of_ghosts(owned) : owned;
    if (body->rigid != 0 || body->kind != kind)
        return 0;
    body->rigid = (uint32_t)place + 1;
    w->particle.data[row].part = (uint32_t)number;
    return 1;
}

static dem_status refuse_body(dem_world *w, uint64_t place)
{
    return demi_fail(&w->context, DEM_ERROR_FORMAT, "snapshot: body %llu is not valid",
                     (unsigned long long)place);
}

static dem_status read_parts(demi_reader *in, dem_world *w, uint64_t place,
                             demi_kept_shapes *shapes)
{
    demi_rigid *rigid = &w->rigid.data[place];
    if (rigid->parts > in->length / 4 || w->rigid_parts + rigid->parts > w->rows)
        return refuse_body(w, place);
    const dem_status status = demi_rigids_reserve(w, w->rigids, w->rigid_parts + rigid->parts);
    if (status != DEM_OK)
        return status;
    rigid->part_begin = w->rigid_parts;
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        demi_rigid_part *part = &w->rigid_part.data[w->rigid_parts++];
        uint32_t unused;
        memset(part, 0, sizeof *part);
        demi_read_doubles(in, part->centre, 3);
        demi_read_u32(in, &part->handle, &unused);
        if (p == 0)
            rigid->ghost = part_of_ghost(w, part->handle);
        if (!all_finite(part->centre, 3) || !part_enters(w, rigid, place, p, part->handle))
            return refuse_body(w, place);
        demi_shape_give(w, shapes, part);
    }
    if (rigid->ghost) {
        w->ghosts.parts += rigid->parts;
        w->ghosts.bodies++;
        w->ghosts.body_margin = 1.0;
        w->ghosts.body_moved = INFINITY; /* they are to be set anew */
    }
    return DEM_OK;
}

int demi_rigid_read(demi_reader *in, demi_rigid *rigid, demi_pose *pose)
{
    uint32_t half[6] = {0};
    demi_read_u32(in, &half[0], &half[1]);
    rigid->mobility = (int32_t)half[0];
    rigid->damping_mass = (int32_t)half[1];
    rigid->mass = demi_read_double(in);
    double *const vectors[] = {rigid->inertia, rigid->force, rigid->torque, pose->position,
                               pose->velocity};
    for (int k = 0; k < 5; ++k)
        demi_read_doubles(in, vectors[k], 3);
    demi_read_doubles(in, pose->orientation, 4);
    demi_read_doubles(in, pose->momentum, 3);
    demi_read_doubles(in, pose->angular_velocity, 3);
    demi_read_u32(in, &half[2], &half[3]);
    demi_read_u32(in, &half[4], &half[5]);
    for (int c = 0; c < 3; ++c)
        pose->image[c] = (int32_t)half[2 + c];
    rigid->parts = half[5];
    return !in->failed && body_valid(rigid, pose);
}

static dem_status read_body(demi_reader *in, dem_world *w, uint64_t place, demi_kept_shapes *shapes)
{
    demi_rigid *rigid = &w->rigid.data[place];
    demi_pose *pose = &w->current.pose.data[place];
    uint32_t reserved;
    memset(rigid, 0, sizeof *rigid);
    memset(pose, 0, sizeof *pose);
    rigid->id = demi_read_u64(in);
    demi_read_u32(in, &rigid->generation, &reserved);
    if ((rigid->generation % 2 != 0) != (rigid->id != 0))
        return refuse_body(w, place);
    w->rigids_vacant += rigid->id == 0;
    if (rigid->id == 0)
        return DEM_OK;
    if (!demi_rigids_possible(w))
        return demi_fail(
            &w->context, DEM_ERROR_FORMAT,
            "snapshot: body %llu in a world whose scheme or added masses do not allow bodies",
            (unsigned long long)rigid->id);
    if (!demi_rigid_read(in, rigid, pose))
        return refuse_body(w, place);
    uint32_t other;
    if (demi_idmap_find(&w->rigid_ids, rigid->id, &other))
        return demi_fail(&w->context, DEM_ERROR_FORMAT, "snapshot: body id %llu is given twice",
                         (unsigned long long)rigid->id);
    demi_idmap_insert(&w->rigid_ids, rigid->id, (uint32_t)place);
    demi_rigid_derive(rigid);
    return read_parts(in, w, place, shapes);
}

dem_status demi_read_bodies(demi_reader *in, dem_world *w, demi_kept_shapes *shapes)
{
    const uint64_t count = demi_read_count(in, 2);
    w->rigid_next_id = demi_read_u64(in);
    dem_status status = in->failed ? DEM_OK : demi_rigids_reserve(w, count, 1);
    if (status == DEM_OK && !in->failed)
        status = demi_idmap_reserve(&w->context, &w->rigid_ids, count);
    if (status != DEM_OK || in->failed)
        return status;
    for (w->rigids = 0; status == DEM_OK && w->rigids < count;) {
        const uint64_t place = w->rigids++;
        status = read_body(in, w, place, shapes);
    }
    return status;
}

dem_status demi_bodies_complete(dem_world *w)
{
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_body *body = &w->body.read[row];
        if (body->id != 0 && (demi_kinds[body->kind].carried || body->faceted) && body->rigid == 0)
            return demi_fail(&w->context, DEM_ERROR_FORMAT,
                             "snapshot: particle %llu is a part of no body",
                             (unsigned long long)body->id);
    }
    return DEM_OK;
}
