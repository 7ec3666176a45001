/* SPDX-License-Identifier: MIT */
#include "contact/lanes.h"

#include <dem/kernels.h>

#include <string.h>

enum { S = DEMI_LANES };

/* Normals of one contact: at the start, in the middle and at the end of the step. */
typedef struct lane_frame {
    double old[3], half[3], now[3];
} lane_frame;

static void lane_unit(const double v[3], double unit[3], double *length)
{
    const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    /* coincident centres have no normal; the overlap check reports them */
    const double l = sqrt(square);
    const double inverse = l > 0.0 ? 1.0 / l : 0.0;
    for (int c = 0; c < 3; ++c)
        unit[c] = v[c] * inverse;
    *length = l;
}

/* Geometry at t + dt, and the normals of the step from the linear drift x(t+dt) - v s. */
static void lane_geometry(demi_lanes *b, uint64_t k, int shape, int32_t frame, double dt,
                          lane_frame *f)
{
    const double d[3] = {b->offset[0][k], b->offset[1][k], b->offset[2][k]};
    if (shape == DEMI_SHAPE_PLANE) {
        for (int c = 0; c < 3; ++c)
            f->old[c] = f->half[c] = f->now[c] = d[c];
        b->overlap[k] = b->radius_i[k] + b->radius_j[k] - b->gap_plane[k];
        b->radius[k] = b->radius_i[k] + b->radius_j[k];
        return;
    }
    double past[3], unused;
    if (shape == DEMI_SHAPE_GIVEN) {
        for (int c = 0; c < 3; ++c) {
            f->now[c] = d[c];
            f->old[c] = b->normal_old[c][k];
            past[c] = f->now[c] + f->old[c];
        }
        lane_unit(past, f->half, &unused);
        if (frame == DEM_FRAME_STANDARD)
            memcpy(f->half, f->now, sizeof f->half);
        b->overlap[k] = b->overlap_given[k];
        b->radius[k] = b->radius_given[k];
        return;
    }
    double distance;
    lane_unit(d, f->now, &distance);
    b->overlap[k] = b->radius_i[k] + b->radius_j[k] - distance;
    b->radius[k] = b->radius_i[k] * b->radius_j[k] / (b->radius_i[k] + b->radius_j[k]);
    for (int c = 0; c < 3; ++c)
        past[c] = d[c] - b->velocity[c][k] * dt;
    lane_unit(past, f->old, &unused);
    if (frame == DEM_FRAME_STANDARD) {
        memcpy(f->half, f->now, sizeof f->half);
        return;
    }
    for (int c = 0; c < 3; ++c)
        past[c] = d[c] - b->velocity[c][k] * (0.5 * dt);
    lane_unit(past, f->half, &unused);
}

/* Normal and tangential part of the relative velocity of the two surfaces. */
static void lane_surface_velocity(const double n[3], const double v[3], const double s[3],
                                  double *vn, double vt[3])
{
    *vn = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
    vt[0] = v[0] - *vn * n[0] + (n[1] * s[2] - n[2] * s[1]);
    vt[1] = v[1] - *vn * n[1] + (n[2] * s[0] - n[0] * s[2]);
    vt[2] = v[2] - *vn * n[2] + (n[0] * s[1] - n[1] * s[0]);
}

/* Kinematics of one lane, and its state turned from the old tangent plane into the new one. */
static void lane_kinematics(demi_lanes *b, uint64_t k, const demi_model *model, int shape,
                            int32_t frame, double dt)
{
    lane_frame f;
    lane_geometry(b, k, shape, frame, dt, &f);
    /* where the host gives the contact point, its arms are not along the normal: see evaluate.c */
    b->arm_i[k] = shape == DEMI_SHAPE_GIVEN ? 0.0 : b->radius_i[k];
    b->arm_j[k] = shape == DEMI_SHAPE_GIVEN ? 0.0 : b->radius_j[k];
    if (model->lever_arm == DEM_ARM_CONTACT && b->overlap[k] > 0.0) {
        const double cut = shape == DEMI_SHAPE_PLANE ? b->overlap[k] : 0.5 * b->overlap[k];
        b->arm_i[k] = b->arm_i[k] > 0.0 ? b->arm_i[k] - cut : 0.0;
        b->arm_j[k] = b->arm_j[k] > 0.0 ? b->arm_j[k] - cut : 0.0;
    }
    double v[3], s[3], vd[3], sd[3], spin[3];
    for (int c = 0; c < 3; ++c) {
        v[c] = b->velocity[c][k];
        s[c] = b->arm_i[k] * b->spin_i[c][k] + b->arm_j[k] * b->spin_j[c][k];
        spin[c] = b->spin_i[c][k] + b->spin_j[c][k];
        vd[c] = b->damping_velocity[c][k];
        sd[c] = b->arm_i[k] * b->damping_spin_i[c][k] + b->arm_j[k] * b->damping_spin_j[c][k];
        b->normal[c][k] = f.now[c];
    }
    double vn, vt[3], vn_damping, vt_damping[3];
    lane_surface_velocity(f.half, v, s, &vn, vt);
    b->overlap_rate[k] = -vn;
    double du[3] = {vt[0] * dt, vt[1] * dt, vt[2] * dt};
    /* each half of the twist turns by a quarter of (w_i + w_j).n dt; tau is half of that angle */
    const double twist =
        frame == DEM_FRAME_SYNCHRONIZED
            ? (spin[0] * f.half[0] + spin[1] * f.half[1] + spin[2] * f.half[2]) * (dt * 0.125)
            : 0.0;
    if (frame == DEM_FRAME_SYNCHRONIZED) {
        lane_surface_velocity(f.now, vd, sd, &vn_damping, vt_damping);
        dem_kernel_rotate_twist(f.half, twist, du);
    } else {
        vn_damping = vn;
        memcpy(vt_damping, vt, sizeof vt_damping);
        dem_kernel_rotate_minimal(f.half, f.now, vt_damping);
    }
    dem_kernel_rotate_minimal(f.half, f.now, du);
    b->velocity_normal[k] = vn_damping;
    for (int c = 0; c < 3; ++c) {
        b->increment[c][k] = du[c];
        b->velocity_tangential[c][k] = vt_damping[c];
    }
    if (b->alive_before[k] == 0.0 || dt == 0.0)
        return;
    for (uint32_t m = 0; m < model->vector_count; ++m) {
        double(*slot)[S] = &b->state[model->vector_begin[m]];
        double h[3] = {slot[0][k], slot[1][k], slot[2][k]};
        dem_kernel_rotate_minimal(f.old, f.half, h);
        if (frame == DEM_FRAME_SYNCHRONIZED) {
            dem_kernel_rotate_twist(f.half, twist, h);
            dem_kernel_rotate_twist(f.half, twist, h);
        }
        dem_kernel_rotate_minimal(f.half, f.now, h);
        for (int c = 0; c < 3; ++c)
            slot[c][k] = h[c];
    }
}

/* Zeroes what laws add to, and makes the unused lanes of the last eight harmless. */
static void lanes_prepare(demi_lanes *b, uint64_t n, const demi_model *model)
{
    const uint64_t end = (n + 7) / 8 * 8;
    double *const outputs[] = {
        b->force_normal,    b->elastic_energy,      b->dissipated_normal,   b->dissipated_dashpot,
        b->dissipated_slip, b->force_tangential[0], b->force_tangential[1], b->force_tangential[2],
        b->torque_i[0],     b->torque_i[1],         b->torque_i[2],         b->torque_j[0],
        b->torque_j[1],     b->torque_j[2],         b->dissipated_rolling,  b->force_elastic,
        b->force_friction,  b->contact_radius,      b->stiffness,           b->damping};
    for (size_t f = 0; f < sizeof outputs / sizeof outputs[0]; ++f)
        memset(outputs[f], 0, (size_t)end * sizeof(double));
    for (uint64_t k = n; k < end; ++k) {
        for (int c = 0; c < 3; ++c) {
            b->normal[c][k] = c == 0 ? 1.0 : 0.0;
            b->increment[c][k] = b->velocity_tangential[c][k] = 0.0;
            b->spin_i[c][k] = b->spin_j[c][k] = 0.0;
        }
        b->overlap[k] = b->overlap_rate[k] = b->velocity_normal[k] = 0.0;
        b->radius_i[k] = b->radius_j[k] = b->radius[k] = b->mass[k] = 1.0;
        b->alive_before[k] = b->alive[k] = 0.0;
        for (uint32_t c = 0; c < model->state_size; ++c)
            b->state[c][k] = 0.0;
    }
}

/* Whether all that laws gave for a lane is finite. */
static int lane_finite(const demi_lanes *b, uint64_t k)
{
    const double *const outputs[] = {
        b->force_tangential[0], b->force_tangential[1], b->force_tangential[2],
        b->torque_i[0],         b->torque_i[1],         b->torque_i[2],
        b->torque_j[0],         b->torque_j[1],         b->torque_j[2],
        b->elastic_energy,      b->dissipated_normal,   b->dissipated_dashpot,
        b->dissipated_slip,     b->force_normal,        b->dissipated_rolling};
    for (size_t f = 0; f < sizeof outputs / sizeof outputs[0]; ++f)
        if (!isfinite(outputs[f][k]))
            return 0;
    return 1;
}

static dem_status lanes_laws(demi_lanes *b, uint64_t n, const demi_model *model, double dt)
{
    dem_contact_batch batch = {
        .struct_size = sizeof batch,
        .dt = dt,
        .overlap = b->overlap,
        .overlap_rate = b->overlap_rate,
        .normal = b->normal[0],
        .increment = b->increment[0],
        .velocity_normal = b->velocity_normal,
        .velocity = b->velocity_tangential[0],
        .spin_i = b->spin_i[0],
        .spin_j = b->spin_j[0],
        .radius_i = b->radius_i,
        .radius_j = b->radius_j,
        .radius = b->radius,
        .mass = b->mass,
        .alive_before = b->alive_before,
        .alive = b->alive,
        .force_normal = b->force_normal,
        .force_tangential = b->force_tangential[0],
        .torque_i = b->torque_i[0],
        .torque_j = b->torque_j[0],
        .elastic_energy = b->elastic_energy,
        .dissipated_normal = b->dissipated_normal,
        .dissipated_dashpot = b->dissipated_dashpot,
        .dissipated_slip = b->dissipated_slip,
        .dissipated_rolling = b->dissipated_rolling,
        .force_elastic = b->force_elastic,
        .force_friction = b->force_friction,
        .contact_radius = b->contact_radius,
        .stiffness = b->stiffness,
        .damping = b->damping,
        .accounting = 1,
    };
    for (uint32_t p = 0; p < model->part_count; ++p) {
        batch.state = b->state[model->state_begin[p]];
        const dem_status status =
            model->laws[p].evaluate(model->laws[p].user, n, &batch, model->combined[p]);
        if (status != DEM_OK)
            return DEM_ERROR_CALLBACK;
    }
    return DEM_OK;
}

/* Force on i, and the torque of the tangential force on both. */
static void lane_resultant(demi_lanes *b, uint64_t k)
{
    const double n[3] = {b->normal[0][k], b->normal[1][k], b->normal[2][k]};
    const double t[3] = {b->force_tangential[0][k], b->force_tangential[1][k],
                         b->force_tangential[2][k]};
    const double m[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                         n[0] * t[1] - n[1] * t[0]};
    for (int c = 0; c < 3; ++c) {
        b->force[c][k] = b->force_normal[k] * n[c] + t[c];
        b->torque_i[c][k] -= b->arm_i[k] * m[c];
        b->torque_j[c][k] -= b->arm_j[k] * m[c];
    }
}

dem_status demi_lanes_run(demi_lanes *b, uint64_t n, const demi_model *model, int shape,
                          int32_t frame, double dt, double overlap_limit, uint64_t *lane,
                          demi_totals *totals)
{
    for (uint64_t k = 0; k < n; ++k) {
        lane_kinematics(b, k, model, shape, frame, dt);
        b->mass[k] = 1.0 / b->inverse_mass[k];
        b->alive[k] = b->overlap[k] > 0.0 ? 1.0 : 0.0;
        double smaller = b->radius_i[k] < b->radius_j[k] ? b->radius_i[k] : b->radius_j[k];
        if (shape == DEMI_SHAPE_PLANE)
            smaller = b->radius[k];
        if (b->overlap[k] > overlap_limit * smaller) {
            *lane = k;
            return DEM_ERROR_OVERLAP;
        }
    }
    *lane = n;
    lanes_prepare(b, n, model);
    const dem_status status = lanes_laws(b, n, model, dt);
    if (status != DEM_OK)
        return status;
    for (uint64_t k = 0; k < n; ++k) {
        if (!lane_finite(b, k)) {
            *lane = k;
            return DEM_ERROR_DIVERGED;
        }
        lane_resultant(b, k);
        totals->contacts += b->alive[k] != 0.0;
        totals->elastic += b->elastic_energy[k];
        totals->dissipated_normal += b->dissipated_normal[k];
        totals->dissipated_dashpot += b->dissipated_dashpot[k];
        totals->dissipated_slip += b->dissipated_slip[k];
        totals->dissipated_rolling += b->dissipated_rolling[k];
    }
    return DEM_OK;
}
