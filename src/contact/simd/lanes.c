/* SPDX-License-Identifier: MIT */
/* From geometry to forces, in loops over the lanes of a batch. */
#include "contact/resultant.h"

#include <dem/kernels.h>

/* Unit vector of v, or 0 for a vector without direction: the overlap check reports that one. */
static DEMI_INLINE void DEMI_ISA(lane_unit)(const double v[3], double unit[3], double *length)
{
    const double l = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double inverse = dem_select(l > 0.0, 1.0, 0.0) / dem_select(l > 0.0, l, 1.0);
    for (int c = 0; c < 3; ++c)
        unit[c] = v[c] * inverse;
    *length = l;
}

/* A positive number, or what stands in for it, so that nothing divides by 0. */
static DEMI_INLINE double DEMI_ISA(lane_positive)(double number, double instead)
{
    return dem_select(number > 0.0, number, instead);
}

static DEMI_INLINE double DEMI_ISA(lane_dot)(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Normals of one contact at the end of the step, `now`, and half way, and what turns vectors of
 * a tangent plane into that of `now`, see lane_tilt. */
typedef struct DEMI_ISA(lane_way) {
    double now[3], half[3];
    double onto;    /* from half way: 1/(1 + half.now) */
    double tilt[3]; /* from the beginning: (old + now)/(1 + old.now) */
} DEMI_ISA(lane_way);
#define WAY DEMI_ISA(lane_way)

/* Turns a vector of the tangent plane of `from` into that of `to`, along the smallest rotation, as
 * dem_kernel_rotate_minimal does; a part of it along `from`, which is round-off, is lost. The tilt,
 * times its scale, is (from + to)/(1 + from.to). */
static DEMI_INLINE void DEMI_ISA(lane_tilt)(const double to[3], const double tilt[3], double scale,
                                            double vector[3])
{
    const double off = DEMI_ISA(lane_dot)(to, vector) * scale;
    for (int c = 0; c < 3; ++c)
        vector[c] -= off * tilt[c];
}

/* 1/(1 + from.to) of unit vectors; 0 for opposite ones, and then lane_tilt turns nothing. */
static DEMI_INLINE double DEMI_ISA(lane_onto)(const double from[3], const double to[3])
{
    const double c = 1.0 + DEMI_ISA(lane_dot)(from, to);
    return dem_select(c > 1e-12, 1.0, 0.0) / dem_select(c > 1e-12, c, 1.0);
}

/* Spheres at t + dt, and the normals of the step from the linear drift x(t+dt) - v s. */
static DEMI_INLINE void DEMI_ISA(lane_spheres)(demi_lanes *b, uint64_t k, int frame, double dt,
                                               WAY *way)
{
    const double d[3] = {b->offset[0][k], b->offset[1][k], b->offset[2][k]};
    double distance;
    const double radii = b->radius_i[k] + b->radius_j[k];
    if (frame == DEM_FRAME_STANDARD) {
        DEMI_ISA(lane_unit)(d, way->now, &distance);
        b->overlap[k] = radii - distance;
        return;
    }
    double m[3];
    for (int c = 0; c < 3; ++c)
        m[c] = d[c] - b->velocity[c][k] * (0.5 * dt);
    /* squares and products of offsets: d now, m half way, p = 2 m - d before */
    const double dd = DEMI_ISA(lane_dot)(d, d), mm = DEMI_ISA(lane_dot)(m, m),
                 dm = DEMI_ISA(lane_dot)(d, m), dp = dm + dm - dd, pp = 4.0 * (mm - dm) + dd;
    const double length = sqrt(DEMI_ISA(lane_positive)(dd, 1.0)),
                 length_half = sqrt(DEMI_ISA(lane_positive)(mm, 1.0)),
                 length_old = sqrt(DEMI_ISA(lane_positive)(pp, 1.0));
    const double inverse = 1.0 / length, inverse_half = 1.0 / length_half;
    const double lengths = length * length_half;
    const double sum_half = lengths + dm, sum_old = length * length_old + dp;
    way->onto = lengths / DEMI_ISA(lane_positive)(sum_half, INFINITY);
    const double scale = 1.0 / DEMI_ISA(lane_positive)(sum_old, INFINITY);
    const double of_half = (length + length) * scale, of_now = (length_old - length) * scale;
    for (int c = 0; c < 3; ++c) {
        way->now[c] = d[c] * inverse;
        way->half[c] = m[c] * inverse_half;
        way->tilt[c] = m[c] * of_half + d[c] * of_now;
    }
    b->overlap[k] = radii - dem_select(dd > 0.0, length, 0.0);
}

static DEMI_INLINE void DEMI_ISA(lane_plane)(demi_lanes *b, uint64_t k, WAY *way)
{
    for (int c = 0; c < 3; ++c)
        way->now[c] = way->half[c] = way->tilt[c] = b->offset[c][k];
    way->onto = 0.5;
    b->radius[k] = b->radius_i[k] + b->radius_j[k];
    b->overlap[k] = b->radius[k] - b->gap_plane[k];
}

static DEMI_INLINE void DEMI_ISA(lane_given)(demi_lanes *b, uint64_t k, WAY *way)
{
    double old[3], sum[3], unused;
    for (int c = 0; c < 3; ++c) {
        way->now[c] = b->offset[c][k];
        old[c] = b->normal_given[c][k];
        sum[c] = way->now[c] + old[c];
    }
    DEMI_ISA(lane_unit)(sum, way->half, &unused);
    const double scale = DEMI_ISA(lane_onto)(old, way->now);
    for (int c = 0; c < 3; ++c)
        way->tilt[c] = sum[c] * scale;
    way->onto = DEMI_ISA(lane_onto)(way->half, way->now);
    b->overlap[k] = b->overlap_given[k];
    b->radius[k] = b->radius_given[k];
}

/* Normal and tangential part of the relative velocity of the two surfaces. */
static DEMI_INLINE void DEMI_ISA(lane_surface_velocity)(const double n[3], const double v[3],
                                                        const double s[3], double *vn, double vt[3])
{
    *vn = DEMI_ISA(lane_dot)(v, n);
    vt[0] = v[0] - *vn * n[0] + (n[1] * s[2] - n[2] * s[1]);
    vt[1] = v[1] - *vn * n[1] + (n[2] * s[0] - n[0] * s[2]);
    vt[2] = v[2] - *vn * n[2] + (n[0] * s[1] - n[1] * s[0]);
}

/* Turns a vector about a unit normal by an angle; what is along the normal stays, unless the vector
 * is said to be tangent. */
static DEMI_INLINE void DEMI_ISA(lane_twist)(const double n[3], double cosine, double sine,
                                             int tangent, double vector[3])
{
    const double p[3] = {n[1] * vector[2] - n[2] * vector[1], n[2] * vector[0] - n[0] * vector[2],
                         n[0] * vector[1] - n[1] * vector[0]};
    const double along = tangent ? 0.0 : (1.0 - cosine) * DEMI_ISA(lane_dot)(n, vector);
    for (int c = 0; c < 3; ++c) {
        vector[c] = cosine * vector[c] + sine * p[c];
        if (!tangent)
            vector[c] += along * n[c];
    }
}

/* Arms, velocities and the increment of displacement; dashpots: tangential ones, which need their
 * velocity. */
static DEMI_INLINE void DEMI_ISA(lane_kinematics)(demi_lanes *b, uint64_t k, const WAY *way,
                                                  int frame, int dashpots, int arms, double share,
                                                  double dt)
{
    /* a neck, where the overlap is negative, has arms that reach across the gap */
    const double cut = share * b->overlap[k];
    const double ri = b->radius_i[k], rj = b->radius_j[k];
    const double arm_i = dem_select((ri > 0.0) & arms, ri - cut, 0.0);
    const double arm_j = dem_select((rj > 0.0) & arms, rj - cut, 0.0);
    b->arm_i[k] = arm_i;
    b->arm_j[k] = arm_j;
    double v[3], s[3], now[3], half[3], sum[3];
    for (int c = 0; c < 3; ++c) {
        v[c] = b->velocity[c][k];
        s[c] = arm_i * b->spin_i[c][k] + arm_j * b->spin_j[c][k];
        now[c] = way->now[c];
        half[c] = frame == DEM_FRAME_STANDARD ? now[c] : way->half[c];
        sum[c] = half[c] + now[c];
    }
    double vn, vt[3], du[3], vn_damping, vt_damping[3];
    DEMI_ISA(lane_surface_velocity)(half, v, s, &vn, vt);
    if (frame == DEM_FRAME_SYNCHRONIZED) {
        double vd[3], sd[3], turn = 0.0;
        for (int c = 0; c < 3; ++c) {
            vd[c] = b->damping_velocity[c][k];
            sd[c] =
                dashpots ? arm_i * b->damping_spin_i[c][k] + arm_j * b->damping_spin_j[c][k] : 0.0;
            turn += (b->spin_i[c][k] + b->spin_j[c][k]) * half[c];
        }
        /* each half of the twist turns by a quarter of (w_i + w_j).n dt; tau is half of it */
        const double tau = turn * (dt * 0.125), tau2 = tau * tau, scale = 1.0 / (1.0 + tau2);
        const double cosine = (1.0 - tau2) * scale, sine = (tau + tau) * scale;
        b->twist_cosine[k] = cosine * cosine - sine * sine;
        b->twist_sine[k] = (cosine + cosine) * sine;
        DEMI_ISA(lane_surface_velocity)(now, vd, sd, &vn_damping, vt_damping);
        for (int c = 0; c < 3; ++c)
            du[c] = vt[c];
        DEMI_ISA(lane_twist)(half, cosine * dt, sine * dt, 1, du);
        DEMI_ISA(lane_tilt)(now, sum, way->onto, du);
    } else {
        vn_damping = vn;
        if (frame == DEM_FRAME_IMPROVED)
            DEMI_ISA(lane_tilt)(now, sum, way->onto, vt);
        for (int c = 0; c < 3; ++c) {
            vt_damping[c] = vt[c];
            du[c] = vt[c] * dt;
        }
    }
    b->overlap_rate[k] = -vn;
    b->velocity_normal[k] = vn_damping;
    for (int c = 0; c < 3; ++c) {
        b->normal[c][k] = now[c];
        if (frame != DEM_FRAME_STANDARD)
            b->tilt[c][k] = way->tilt[c];
        b->increment[c][k] = du[c];
        b->velocity_tangential[c][k] = dashpots ? vt_damping[c] : 0.0;
    }
}

/* Turns one vector of state from the tangent plane of the step's start into that of its end. What
 * is not of that plane keeps its angle to the normal. The twist belongs half way; because the three
 * normals lie in a plane, it is the same about the last one, after the whole tilt. */
static DEMI_INLINE void DEMI_ISA(lane_turn)(const demi_lanes *b, demi_plane *slot, uint64_t k,
                                            int frame, int tangent)
{
    double h[3], now[3], tilt[3], old[3];
    for (int c = 0; c < 3; ++c) {
        h[c] = slot[c][k];
        now[c] = b->normal[c][k];
        /* codes with the standard frame project, and do not turn */
        tilt[c] = frame == DEM_FRAME_STANDARD ? now[c] : b->tilt[c][k];
        old[c] = tangent || frame == DEM_FRAME_STANDARD ? now[c] : b->normal_old[c][k];
    }
    if (tangent || frame == DEM_FRAME_STANDARD)
        DEMI_ISA(lane_tilt)(now, tilt, 1.0, h);
    else
        dem_kernel_rotate_minimal(old, now, h);
    if (frame == DEM_FRAME_SYNCHRONIZED)
        DEMI_ISA(lane_twist)(now, b->twist_cosine[k], b->twist_sine[k], tangent, h);
    for (int c = 0; c < 3; ++c)
        slot[c][k] = dem_select(b->alive_before[k] != 0.0, h[c], slot[c][k]);
}

/* Normals at the beginning of the step, for vectors that do not lie in the tangent plane. */
static void DEMI_ISA(lanes_old)(demi_lanes *b, uint64_t n, const demi_lanes_call *call)
{
    const double back = call->shape == DEMI_SHAPE_SPHERE ? call->dt : 0.0;
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k) {
        double from[3], old[3], unused;
        for (int c = 0; c < 3; ++c)
            from[c] = call->shape == DEMI_SHAPE_GIVEN ? b->normal_given[c][k]
                                                      : b->offset[c][k] - b->velocity[c][k] * back;
        DEMI_ISA(lane_unit)(from, old, &unused);
        for (int c = 0; c < 3; ++c)
            b->normal_old[c][k] = old[c];
    }
}

/* Geometry, kinematics and turned state, with a frame and a need known to the compiler. */
static DEMI_INLINE void DEMI_ISA(lanes_frame)(demi_lanes *b, uint64_t n,
                                              const demi_lanes_call *call, int frame, int dashpots)
{
    const demi_model *model = call->model;
    const double dt = call->dt;
    const uint64_t end = DEMI_PADDED(n);
    double share = 0.0; /* of the overlap that an arm lacks */
    if (model->lever_arm == DEM_ARM_CONTACT)
        share = call->shape == DEMI_SHAPE_PLANE ? 1.0 : 0.5;
    const uint32_t vectors = dt > 0.0 ? model->vector_count : 0;
    uint32_t turned = 0;
    if (call->shape == DEMI_SHAPE_SPHERE && vectors > 0 && model->vector_tangent[0]) {
        /* the first vector while normals are at hand */
        demi_plane *slot = &b->state[model->vector_begin[turned++]];
        DEMI_SIMD
        for (uint64_t k = 0; k < end; ++k) {
            WAY way;
            DEMI_ISA(lane_spheres)(b, k, frame, dt, &way);
            DEMI_ISA(lane_kinematics)(b, k, &way, frame, dashpots, 1, share, dt);
            DEMI_ISA(lane_turn)(b, slot, k, frame, 1);
        }
    } else if (call->shape == DEMI_SHAPE_SPHERE) {
        DEMI_SIMD
        for (uint64_t k = 0; k < end; ++k) {
            WAY way;
            DEMI_ISA(lane_spheres)(b, k, frame, dt, &way);
            DEMI_ISA(lane_kinematics)(b, k, &way, frame, dashpots, 1, share, dt);
        }
    } else if (call->shape == DEMI_SHAPE_PLANE) {
        DEMI_SIMD
        for (uint64_t k = 0; k < end; ++k) {
            WAY way;
            DEMI_ISA(lane_plane)(b, k, &way);
            DEMI_ISA(lane_kinematics)(b, k, &way, frame, dashpots, 1, share, dt);
        }
    } else {
        /* where the host gives the contact point, it also computes the arms */
        DEMI_SIMD
        for (uint64_t k = 0; k < end; ++k) {
            WAY way;
            DEMI_ISA(lane_given)(b, k, &way);
            DEMI_ISA(lane_kinematics)(b, k, &way, frame, dashpots, 0, share, dt);
        }
    }
    for (; turned < vectors; ++turned) {
        demi_plane *slot = &b->state[model->vector_begin[turned]];
        if (model->vector_tangent[turned]) {
            DEMI_SIMD
            for (uint64_t k = 0; k < end; ++k)
                DEMI_ISA(lane_turn)(b, slot, k, frame, 1);
        } else {
            DEMI_ISA(lanes_old)(b, n, call);
            DEMI_SIMD
            for (uint64_t k = 0; k < end; ++k)
                DEMI_ISA(lane_turn)(b, slot, k, frame, 0);
        }
    }
}

/* Unused lanes of the last eight repeat the last contact, which is harmless. */
static void DEMI_ISA(lanes_pad)(demi_lanes *b, uint64_t n, const demi_lanes_call *call)
{
    demi_plane *plane = b->offset;
    const size_t inputs = offsetof(demi_lanes, between) / sizeof(demi_plane);
    for (uint64_t k = n; k < DEMI_PADDED(n); ++k) {
        for (size_t m = 0; m < inputs; ++m)
            plane[m][k] = plane[m][n - 1];
        for (uint32_t m = 0; m < call->model->state_size; ++m)
            b->state[m][k] = b->state[m][n - 1];
    }
}

static DEMI_INLINE void DEMI_ISA(planes_clear)(demi_plane *begin, const demi_plane *end, uint64_t n)
{
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    /* plane by plane the compiler would call memset for each */
    for (uint64_t k = 0; k < DEMI_PADDED(n); k += 8)
        for (demi_plane *plane = begin; plane < end; ++plane)
            *(demi_v4 *)&(*plane)[k] = *(demi_v4 *)&(*plane)[k + 4] = zero;
}

/* Zeroes what laws add to, as far as anybody reads it. */
static void DEMI_ISA(lanes_clear)(demi_lanes *b, uint64_t n, const demi_lanes_call *call)
{
    if ((call->model->promises & DEM_LAW_SETS_FORCES) == 0)
        DEMI_ISA(planes_clear)(&b->force_normal, b->torque_i, n);
    if (demi_model_torques(call->model))
        DEMI_ISA(planes_clear)(b->torque_i, &b->elastic_energy, n);
    if (call->accounting)
        DEMI_ISA(planes_clear)(&b->elastic_energy, &b->force_elastic, n);
    if (call->model->part_count > 1)
        DEMI_ISA(planes_clear)(&b->force_elastic, &b->damping + 1, n);
}

static dem_status DEMI_ISA(lanes_laws)(demi_lanes *b, uint64_t n, const demi_lanes_call *call)
{
    const demi_model *model = call->model;
    dem_contact_batch batch = {
        .struct_size = sizeof batch,
        .dt = call->dt,
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
        .accounting = call->accounting,
        .alone = model->part_count == 1,
    };
    for (uint32_t p = 0; p < model->part_count; ++p) {
        batch.state = b->state[model->state_begin[p]];
        if (model->laws[p].evaluate(model->laws[p].user, n, &batch, model->combined[p]) != DEM_OK)
            return DEM_ERROR_CALLBACK;
    }
    return DEM_OK;
}

/* By how much an overlap exceeds its limit. For a plane the smaller radius is that of the sphere,
 * which is R*. */
static DEMI_INLINE double DEMI_ISA(lane_beyond)(const demi_lanes *b, uint64_t k, int plane,
                                                double limit)
{
    const double ri = b->radius_i[k], rj = b->radius_j[k];
    return b->overlap[k] - limit * dem_select(plane, b->radius[k], dem_select(ri < rj, ri, rj));
}

/* The size of all forces, torques and energies that laws gave, before anything is computed with
 * them. */
static DEMI_INLINE double DEMI_ISA(lane_size)(const demi_lanes *b, uint64_t k, int torques,
                                              int accounting)
{
    double size = fabs(b->force_normal[k]);
    for (int c = 0; c < 3; ++c) {
        size += fabs(b->force_tangential[c][k]);
        if (torques)
            size += fabs(b->torque_i[c][k]) + fabs(b->torque_j[c][k]);
    }
    if (accounting)
        size += fabs(b->elastic_energy[k]) + fabs(b->dissipated_normal[k]) +
                fabs(b->dissipated_dashpot[k]) + fabs(b->dissipated_slip[k]) +
                fabs(b->dissipated_rolling[k]);
    return size;
}

/* What laws want beyond the frame; radius: of spheres, where that is needed. Tells whether no
 * lane's overlap is too large. */
static DEMI_INLINE int DEMI_ISA(lanes_complete)(demi_lanes *b, uint64_t n,
                                                const demi_lanes_call *call, int sphere, int radius)
{
    const int plane = call->shape == DEMI_SHAPE_PLANE;
    const double limit = call->overlap_limit;
    uint64_t good = 1;
    DEMI_SIMD
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k) {
        const double ri = b->radius_i[k], rj = b->radius_j[k];
        if (sphere)
            b->radius[k] = radius ? ri * rj / (ri + rj) : 0.0;
        b->mass[k] = 1.0 / b->inverse_mass[k];
        b->alive[k] = dem_select(b->overlap[k] > 0.0, 1.0, 0.0);
        good &= (uint64_t)islessequal(DEMI_ISA(lane_beyond)(b, k, plane, limit), 0.0);
    }
    return good != 0;
}

/* The first lane of n whose overlap is too large; n if there is none. */
static uint64_t DEMI_ISA(lanes_begin)(demi_lanes *b, uint64_t n, const demi_lanes_call *call)
{
    const int plane = call->shape == DEMI_SHAPE_PLANE;
    int good;
    if (call->shape != DEMI_SHAPE_SPHERE)
        good = DEMI_ISA(lanes_complete)(b, n, call, 0, 0);
    else if ((call->model->needs & DEM_NEEDS_RADIUS) != 0)
        good = DEMI_ISA(lanes_complete)(b, n, call, 1, 1);
    else
        good = DEMI_ISA(lanes_complete)(b, n, call, 1, 0);
    uint64_t k = good ? n : 0;
    for (; k < n; ++k)
        if (!islessequal(DEMI_ISA(lane_beyond)(b, k, plane, call->overlap_limit), 0.0))
            break;
    return k;
}

/* The first lane of n for which laws gave something too large or not a number; n if there is
 * none. */
static DEMI_INLINE uint64_t DEMI_ISA(lanes_check)(const demi_lanes *b, uint64_t n, int torques,
                                                  int accounting)
{
    uint64_t good = 1, k = 0;
    DEMI_SIMD
    for (k = 0; k < DEMI_PADDED(n); ++k)
        good &=
            (uint64_t)islessequal(DEMI_ISA(lane_size)(b, k, torques, accounting), DEMI_FORCE_MOST);
    for (k = good ? n : 0; k < n; ++k)
        if (!islessequal(DEMI_ISA(lane_size)(b, k, torques, accounting), DEMI_FORCE_MOST))
            break;
    return k;
}

static void DEMI_ISA(lanes_resultant)(demi_lanes *b, uint64_t n, int torques)
{
    for (uint64_t k = 0; k < n; k += DEMI_GROUP) {
        demi_group force[3], torque_i[3], torque_j[3];
        demi_group_resultant(b, k, torques, force, torque_i, torque_j);
        for (int c = 0; c < 3; ++c) {
            *(demi_group *)&b->force[c][k] = force[c];
            *(demi_group *)&b->torque_i[c][k] = torque_i[c];
            *(demi_group *)&b->torque_j[c][k] = torque_j[c];
        }
    }
}

static void DEMI_ISA(lanes_totals)(const demi_lanes *b, uint64_t n, int accounting,
                                   demi_totals *totals)
{
    for (uint64_t k = 0; k < n; k += DEMI_GROUP) {
        const uint32_t there = n - k < DEMI_GROUP ? (1u << (n - k)) - 1u : DEMI_GROUP_ALL;
        totals->contacts += (uint64_t)__builtin_popcount(demi_group_any(&b->alive[k]) & there);
    }
    if (!accounting)
        return;
    for (uint64_t k = 0; k < n; ++k) {
        totals->elastic += b->elastic_energy[k];
        totals->dissipated_normal += b->dissipated_normal[k];
        totals->dissipated_dashpot += b->dissipated_dashpot[k];
        totals->dissipated_slip += b->dissipated_slip[k];
        totals->dissipated_rolling += b->dissipated_rolling[k];
    }
}

demi_lanes_function DEMI_ISA(demi_lanes_run);

dem_status DEMI_ISA(demi_lanes_run)(demi_lanes *b, uint64_t n, demi_lanes_call *call,
                                    demi_totals *totals)
{
    if (!call->padded)
        DEMI_ISA(lanes_pad)(b, n, call);
    const int dashpots = demi_model_dashpots(call->model);
    if (call->frame == DEM_FRAME_STANDARD)
        DEMI_ISA(lanes_frame)(b, n, call, DEM_FRAME_STANDARD, 1);
    else if (call->frame == DEM_FRAME_IMPROVED)
        DEMI_ISA(lanes_frame)(b, n, call, DEM_FRAME_IMPROVED, 1);
    else if (dashpots)
        DEMI_ISA(lanes_frame)(b, n, call, DEM_FRAME_SYNCHRONIZED, 1);
    else
        DEMI_ISA(lanes_frame)(b, n, call, DEM_FRAME_SYNCHRONIZED, 0);
    call->lane = DEMI_ISA(lanes_begin)(b, n, call);
    if (call->lane < n)
        return DEM_ERROR_OVERLAP;
    DEMI_ISA(lanes_clear)(b, n, call);
    const dem_status status = DEMI_ISA(lanes_laws)(b, n, call);
    if (status != DEM_OK)
        return status;
    const int torques = demi_model_torques(call->model);
    if (call->accounting)
        call->lane = DEMI_ISA(lanes_check)(b, n, torques, 1);
    else if (torques)
        call->lane = DEMI_ISA(lanes_check)(b, n, 1, 0);
    else
        call->lane = DEMI_ISA(lanes_check)(b, n, 0, 0);
    if (call->lane < n)
        return DEM_ERROR_DIVERGED;
    if (!call->apart)
        DEMI_ISA(lanes_resultant)(b, n, torques);
    DEMI_ISA(lanes_totals)(b, n, call->accounting, totals);
    return DEM_OK;
}

#undef WAY
