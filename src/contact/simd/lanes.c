/* SPDX-License-Identifier: MIT */
/* From geometry to forces, in loops over the lanes of a batch. */
#include "contact/resultant.h"

#include <dem/kernels.h>

/* Unit vector of v, or 0 for a vector without direction: the overlap check reports that one. */
static DEMI_INLINE void lane_unit(const double v[3], double unit[3], double *length)
{
    const double l = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double inverse = dem_select(l > 0.0, 1.0, 0.0) / dem_select(l > 0.0, l, 1.0);
    for (int c = 0; c < 3; ++c)
        unit[c] = v[c] * inverse;
    *length = l;
}

/* A positive number, or what stands in for it, so that nothing divides by 0. */
static DEMI_INLINE double lane_positive(double number, double instead)
{
    return dem_select(number > 0.0, number, instead);
}

static DEMI_INLINE double lane_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Normals of one contact at the end of the step and at half of it, and the rotations of vectors
 * into the tangent plane at the end, see lane_rotate_tangent. */
typedef struct lane_geometry {
    double normal_t1[3], normal_half[3];
    double overlap_half;
    double half_scale;  /* from half of the step: 1/(1 + normal_half.normal_t1) */
    double rotation[3]; /* from t0: (normal_t0 + normal_t1)/(1 + normal_t0.normal_t1) */
} lane_geometry;

/* Rotates a vector of the tangent plane of `from` into that of `to`, by the smallest rotation, as
 * dem_kernel_rotate_minimal does; a part of it along `from`, which is round-off, is lost.
 * `rotation` times its scale is (from + to)/(1 + from.to). */
static DEMI_INLINE void lane_rotate_tangent(const double to[3], const double rotation[3],
                                            double scale, double vector[3])
{
    const double off = lane_dot(to, vector) * scale;
    for (int c = 0; c < 3; ++c)
        vector[c] -= off * rotation[c];
}

/* 1/(1 + from.to) of unit vectors; 0 for opposite ones, and then lane_rotate_tangent changes
 * nothing.
 */
static DEMI_INLINE double lane_rotation_scale(const double from[3], const double to[3])
{
    const double c = 1.0 + lane_dot(from, to);
    return dem_select(c > 1e-12, 1.0, 0.0) / dem_select(c > 1e-12, c, 1.0);
}

/* Spheres at t + dt, and the normals of the step from the linear drift x(t+dt) - v s. */
static DEMI_INLINE void lane_spheres(demi_lanes *b, uint64_t k, int kinematics, double dt,
                                     lane_geometry *geometry)
{
    const double d[3] = {b->offset[0][k], b->offset[1][k], b->offset[2][k]};
    double distance;
    const double radii = b->radius_i[k] + b->radius_j[k];
    if (kinematics == DEM_KINEMATICS_STANDARD) {
        lane_unit(d, geometry->normal_t1, &distance);
        b->overlap[k] = radii - distance;
        return;
    }
    double m[3];
    for (int c = 0; c < 3; ++c)
        m[c] = d[c] - b->velocity[c][k] * (0.5 * dt);
    /* squares and products of offsets: d at t1, m at half, p = 2 m - d at t0 */
    const double dd = lane_dot(d, d), mm = lane_dot(m, m), dm = lane_dot(d, m), dp = dm + dm - dd,
                 pp = 4.0 * (mm - dm) + dd;
    const double length = sqrt(lane_positive(dd, 1.0)), length_half = sqrt(lane_positive(mm, 1.0)),
                 length_t0 = sqrt(lane_positive(pp, 1.0));
    const double inverse = 1.0 / length, inverse_half = 1.0 / length_half;
    const double lengths = length * length_half;
    const double sum_half = lengths + dm, sum_t0 = length * length_t0 + dp;
    geometry->half_scale = lengths / lane_positive(sum_half, INFINITY);
    const double scale = 1.0 / lane_positive(sum_t0, INFINITY);
    const double of_half = (length + length) * scale, of_t1 = (length_t0 - length) * scale;
    for (int c = 0; c < 3; ++c) {
        geometry->normal_t1[c] = d[c] * inverse;
        geometry->normal_half[c] = m[c] * inverse_half;
        geometry->rotation[c] = m[c] * of_half + d[c] * of_t1;
    }
    b->overlap[k] = radii - dem_select(dd > 0.0, length, 0.0);
    geometry->overlap_half = radii - dem_select(mm > 0.0, length_half, 0.0);
}

static DEMI_INLINE void lane_flat(demi_lanes *b, uint64_t k, double dt, lane_geometry *geometry)
{
    double opening = 0.0;
    for (int c = 0; c < 3; ++c)
        opening += b->velocity[c][k] * b->offset[c][k];
    for (int c = 0; c < 3; ++c)
        geometry->normal_t1[c] = geometry->normal_half[c] = geometry->rotation[c] = b->offset[c][k];
    geometry->half_scale = 0.5;
    b->radius[k] = b->radius_given[k];
    b->overlap[k] = b->overlap_given[k];
    geometry->overlap_half = b->overlap[k] + opening * (0.5 * dt);
}

/* Normals from those at both ends of the step. */
static DEMI_INLINE void lane_given(demi_lanes *b, uint64_t k, lane_geometry *geometry)
{
    double normal_t0[3], sum[3], unused;
    for (int c = 0; c < 3; ++c) {
        geometry->normal_t1[c] = b->offset[c][k];
        normal_t0[c] = b->normal_given[c][k];
        sum[c] = geometry->normal_t1[c] + normal_t0[c];
    }
    lane_unit(sum, geometry->normal_half, &unused);
    const double scale = lane_rotation_scale(normal_t0, geometry->normal_t1);
    for (int c = 0; c < 3; ++c)
        geometry->rotation[c] = sum[c] * scale;
    geometry->half_scale = lane_rotation_scale(geometry->normal_half, geometry->normal_t1);
    geometry->overlap_half = 0.0; /* there are no arms along the normal */
    b->overlap[k] = b->overlap_given[k];
    b->radius[k] = b->radius_given[k];
}

/* The same for a wall, against which the sphere has an arm. */
static DEMI_INLINE void lane_curved(demi_lanes *b, uint64_t k, double dt, lane_geometry *geometry)
{
    lane_given(b, k, geometry);
    double opening = 0.0;
    for (int c = 0; c < 3; ++c)
        opening += b->velocity[c][k] * geometry->normal_half[c];
    geometry->overlap_half = b->overlap[k] + opening * (0.5 * dt);
}

/* Normal and tangential part of the relative velocity of the two surfaces. */
static DEMI_INLINE void lane_surface_velocity(const double n[3], const double v[3],
                                              const double s[3], double *vn, double vt[3])
{
    *vn = lane_dot(v, n);
    vt[0] = v[0] - *vn * n[0] + (n[1] * s[2] - n[2] * s[1]);
    vt[1] = v[1] - *vn * n[1] + (n[2] * s[0] - n[0] * s[2]);
    vt[2] = v[2] - *vn * n[2] + (n[0] * s[1] - n[1] * s[0]);
}

/* Rotates a vector about a unit normal by an angle; what is along the normal stays, unless the
 * vector is said to be tangent. */
static DEMI_INLINE void lane_rotate_axial(const double n[3], double cosine, double sine,
                                          int tangent, double vector[3])
{
    const double p[3] = {n[1] * vector[2] - n[2] * vector[1], n[2] * vector[0] - n[0] * vector[2],
                         n[0] * vector[1] - n[1] * vector[0]};
    const double along = tangent ? 0.0 : (1.0 - cosine) * lane_dot(n, vector);
    for (int c = 0; c < 3; ++c) {
        vector[c] = cosine * vector[c] + sine * p[c];
        if (!tangent)
            vector[c] += along * n[c];
    }
}

/* Where forces act along the normal; a constant of each loop, so that only arms that follow the
 * overlap cost something. */
enum {
    ARMS_NONE = 0,   /* the caller adds what arms do */
    ARMS_RADIUS = 1, /* DEM_ARM_RADIUS */
    ARMS_CONTACT = 2 /* DEM_ARM_CONTACT */
};

/* Arms of one contact at an overlap, of which they lack the share. A neck, where the overlap is
 * negative, has arms that reach across the gap. */
static DEMI_INLINE void lane_arms(const demi_lanes *b, uint64_t k, int arms, double share,
                                  double overlap, double *arm_i, double *arm_j)
{
    const double ri = b->radius_i[k], rj = b->radius_j[k];
    if (arms == ARMS_CONTACT) {
        const double cut = share * overlap;
        *arm_i = dem_select(ri > 0.0, ri - cut, 0.0);
        *arm_j = dem_select(rj > 0.0, rj - cut, 0.0);
    } else {
        *arm_i = arms == ARMS_RADIUS ? ri : 0.0;
        *arm_j = arms == ARMS_RADIUS ? rj : 0.0;
    }
}

/* Cosine and sine of half of a step's rotation about the normal: each half rotates by a quarter of
 * (w_i + w_j).n dt; tau is half of it. */
static DEMI_INLINE void lane_half_axial(const demi_lanes *b, uint64_t k,
                                        const double normal_half[3], double dt, double *cosine,
                                        double *sine)
{
    double rate = 0.0;
    for (int c = 0; c < 3; ++c)
        rate += (b->angular_velocity_i[c][k] + b->angular_velocity_j[c][k]) * normal_half[c];
    const double tau = rate * (dt * 0.125), tau2 = tau * tau, scale = 1.0 / (1.0 + tau2);
    *cosine = (1.0 - tau2) * scale;
    *sine = (tau + tau) * scale;
}

/* Arms, velocities and the increment of displacement; dashpots: tangential ones, which need their
 * velocity. Increments have the arms of the half step, as they have its normal: with those of the
 * end a contact that rotates and breathes yields energy, at first order. */
static DEMI_INLINE void lane_kinematics(demi_lanes *b, uint64_t k, const lane_geometry *geometry,
                                        int kinematics, int dashpots, int arms, double share,
                                        double dt)
{
    double arm_i, arm_j, arm_i_half, arm_j_half;
    lane_arms(b, k, arms, share, b->overlap[k], &arm_i, &arm_j);
    const double overlap_half =
        kinematics == DEM_KINEMATICS_STANDARD ? b->overlap[k] : geometry->overlap_half;
    lane_arms(b, k, arms, share, overlap_half, &arm_i_half, &arm_j_half);
    b->arm_i[k] = arm_i;
    b->arm_j[k] = arm_j;
    double v[3], s[3], normal_t1[3], normal_half[3], sum[3];
    for (int c = 0; c < 3; ++c) {
        v[c] = b->velocity[c][k];
        s[c] = arm_i_half * b->angular_velocity_i[c][k] + arm_j_half * b->angular_velocity_j[c][k];
        normal_t1[c] = geometry->normal_t1[c];
        normal_half[c] =
            kinematics == DEM_KINEMATICS_STANDARD ? normal_t1[c] : geometry->normal_half[c];
        sum[c] = normal_half[c] + normal_t1[c];
    }
    double vn, vt[3], du[3], vn_damping, vt_damping[3];
    lane_surface_velocity(normal_half, v, s, &vn, vt);
    if (kinematics == DEM_KINEMATICS_SYNCHRONIZED) {
        double vd[3], sd[3], cosine, sine;
        for (int c = 0; c < 3; ++c) {
            vd[c] = b->damping_velocity[c][k];
            sd[c] = dashpots ? arm_i * b->damping_angular_velocity_i[c][k] +
                                   arm_j * b->damping_angular_velocity_j[c][k]
                             : 0.0;
        }
        lane_half_axial(b, k, normal_half, dt, &cosine, &sine);
        b->axial_cosine[k] = cosine * cosine - sine * sine;
        b->axial_sine[k] = (cosine + cosine) * sine;
        lane_surface_velocity(normal_t1, vd, sd, &vn_damping, vt_damping);
        for (int c = 0; c < 3; ++c)
            du[c] = vt[c];
        lane_rotate_axial(normal_half, cosine * dt, sine * dt, 1, du);
        lane_rotate_tangent(normal_t1, sum, geometry->half_scale, du);
    } else {
        vn_damping = vn;
        if (kinematics == DEM_KINEMATICS_IMPROVED)
            lane_rotate_tangent(normal_t1, sum, geometry->half_scale, vt);
        for (int c = 0; c < 3; ++c) {
            vt_damping[c] = vt[c];
            du[c] = vt[c] * dt;
        }
    }
    b->overlap_rate[k] = -vn;
    b->velocity_normal[k] = vn_damping;
    for (int c = 0; c < 3; ++c) {
        b->normal[c][k] = normal_t1[c];
        if (kinematics != DEM_KINEMATICS_STANDARD)
            b->tangent_rotation[c][k] = geometry->rotation[c];
        b->increment[c][k] = du[c];
        b->velocity_tangential[c][k] = dashpots ? vt_damping[c] : 0.0;
    }
}

/* Rotates one vector of state from the tangent plane at t0 into that at t1. What is not of that
 * plane keeps its angle to the normal. The rotation about the normal belongs to the half step;
 * because the three normals lie in a plane, it is the same about the last one, at the end. */
static DEMI_INLINE void lane_rotate_state(const demi_lanes *b, demi_lane_array *slot, uint64_t k,
                                          int kinematics, int tangent)
{
    double h[3], normal_t1[3], rotation[3], normal_t0[3];
    for (int c = 0; c < 3; ++c) {
        h[c] = slot[c][k];
        normal_t1[c] = b->normal[c][k];
        /* codes with the standard scheme project, and do not rotate */
        rotation[c] =
            kinematics == DEM_KINEMATICS_STANDARD ? normal_t1[c] : b->tangent_rotation[c][k];
        normal_t0[c] =
            tangent || kinematics == DEM_KINEMATICS_STANDARD ? normal_t1[c] : b->normal_t0[c][k];
    }
    if (tangent || kinematics == DEM_KINEMATICS_STANDARD)
        lane_rotate_tangent(normal_t1, rotation, 1.0, h);
    else
        dem_kernel_rotate_minimal(normal_t0, normal_t1, h);
    if (kinematics == DEM_KINEMATICS_SYNCHRONIZED)
        lane_rotate_axial(normal_t1, b->axial_cosine[k], b->axial_sine[k], tangent, h);
    for (int c = 0; c < 3; ++c)
        slot[c][k] = dem_select(b->was_touching[k] != 0.0, h[c], slot[c][k]);
}

/* Normals at t0, for vectors that do not lie in the tangent plane. */
static void lanes_normals_t0(demi_lanes *b, uint64_t n, const demi_lanes_call *call)
{
    /* a flat surface has the same one all the time */
    const double back = call->normals == DEMI_NORMALS_SPHERES ? call->dt : 0.0;
    const int given = call->normals >= DEMI_NORMALS_CURVED;
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k) {
        double from[3], normal_t0[3], unused;
        for (int c = 0; c < 3; ++c)
            from[c] = given ? b->normal_given[c][k] : b->offset[c][k] - b->velocity[c][k] * back;
        lane_unit(from, normal_t0, &unused);
        for (int c = 0; c < 3; ++c)
            b->normal_t0[c][k] = normal_t0[c];
    }
}

/* Whether a vector of state rotates by the normals at both ends of the step. */
static DEMI_INLINE int vector_needs_t0(int kind, int kinematics)
{
    return kind == DEM_SLOT_AXIAL ||
           (kind == DEM_SLOT_DIRECTION && kinematics == DEM_KINEMATICS_STANDARD);
}

/* Geometry, kinematics and rotated state, with a scheme and needs known to the compiler. */
static DEMI_INLINE void lanes_kinematics_of(demi_lanes *b, uint64_t n, const demi_lanes_call *call,
                                            int kinematics, int dashpots, int arms)
{
    const demi_model *model = call->model;
    const double dt = call->dt;
    const uint64_t end = DEMI_PADDED(n);
    const uint32_t vectors = call->evaluate_only ? 0 : model->vector_count;
    uint32_t rotated = 0;
    if (call->normals == DEMI_NORMALS_SPHERES && vectors > 0 &&
        !vector_needs_t0(model->vector_kind[0], kinematics)) {
        /* the first vector while normals are at hand */
        demi_lane_array *slot = &b->state[model->vector_begin[rotated++]];
        DEMI_SIMD
        for (uint64_t k = 0; k < end; ++k) {
            lane_geometry geometry;
            lane_spheres(b, k, kinematics, dt, &geometry);
            lane_kinematics(b, k, &geometry, kinematics, dashpots, arms, 0.5, dt);
            lane_rotate_state(b, slot, k, kinematics, 1);
        }
    } else if (call->normals == DEMI_NORMALS_SPHERES) {
        DEMI_SIMD
        for (uint64_t k = 0; k < end; ++k) {
            lane_geometry geometry;
            lane_spheres(b, k, kinematics, dt, &geometry);
            lane_kinematics(b, k, &geometry, kinematics, dashpots, arms, 0.5, dt);
        }
    } else if (call->normals == DEMI_NORMALS_FLAT) {
        DEMI_SIMD
        for (uint64_t k = 0; k < end; ++k) {
            lane_geometry geometry;
            lane_flat(b, k, dt, &geometry);
            lane_kinematics(b, k, &geometry, kinematics, dashpots, arms, 1.0, dt);
        }
    } else if (call->normals == DEMI_NORMALS_CURVED) {
        DEMI_SIMD
        for (uint64_t k = 0; k < end; ++k) {
            lane_geometry geometry;
            lane_curved(b, k, dt, &geometry);
            lane_kinematics(b, k, &geometry, kinematics, dashpots, arms, 1.0, dt);
        }
    } else {
        /* where the host gives the contact point, it also computes the arms */
        DEMI_SIMD
        for (uint64_t k = 0; k < end; ++k) {
            lane_geometry geometry;
            lane_given(b, k, &geometry);
            lane_kinematics(b, k, &geometry, kinematics, dashpots, ARMS_NONE, 0.0, dt);
        }
    }
    for (; rotated < vectors; ++rotated) {
        demi_lane_array *slot = &b->state[model->vector_begin[rotated]];
        const int kind = model->vector_kind[rotated];
        if (!vector_needs_t0(kind, kinematics)) {
            DEMI_SIMD
            for (uint64_t k = 0; k < end; ++k)
                lane_rotate_state(b, slot, k, kinematics, 1);
            continue;
        }
        lanes_normals_t0(b, n, call);
        if (kind == DEM_SLOT_AXIAL) {
            DEMI_SIMD
            for (uint64_t k = 0; k < end; ++k)
                lane_rotate_state(b, slot, k, kinematics, 0);
        } else { /* projected directions would depend on the axes that they began along */
            DEMI_SIMD
            for (uint64_t k = 0; k < end; ++k)
                lane_rotate_state(b, slot, k, DEM_KINEMATICS_IMPROVED, 0);
        }
    }
}

/* Rotation of i against j, as the increment of displacement is made: the angular
 * velocities of the half step with its normal, rotated into the new tangent plane. What is along
 * the normal stays along it. */
static DEMI_INLINE void lane_rotation(demi_lanes *b, uint64_t k, const lane_geometry *geometry,
                                      int kinematics, int dashpots, double dt)
{
    double w[3], wd[3], normal_t1[3], normal_half[3], sum[3];
    for (int c = 0; c < 3; ++c) {
        w[c] = b->angular_velocity_i[c][k] - b->angular_velocity_j[c][k];
        normal_t1[c] = geometry->normal_t1[c];
        normal_half[c] =
            kinematics == DEM_KINEMATICS_STANDARD ? normal_t1[c] : geometry->normal_half[c];
        sum[c] = normal_half[c] + normal_t1[c];
    }
    if (kinematics != DEM_KINEMATICS_STANDARD) {
        const double along = lane_dot(normal_half, w);
        for (int c = 0; c < 3; ++c)
            w[c] -= along * normal_half[c];
        if (kinematics == DEM_KINEMATICS_SYNCHRONIZED) {
            double cosine, sine;
            lane_half_axial(b, k, normal_half, dt, &cosine, &sine);
            lane_rotate_axial(normal_half, cosine, sine, 1, w);
        }
        lane_rotate_tangent(normal_t1, sum, geometry->half_scale, w);
        for (int c = 0; c < 3; ++c)
            w[c] += along * normal_t1[c];
    }
    for (int c = 0; c < 3; ++c) {
        wd[c] = kinematics == DEM_KINEMATICS_SYNCHRONIZED
                    ? b->damping_angular_velocity_i[c][k] - b->damping_angular_velocity_j[c][k]
                    : w[c];
        b->rotation_increment[c][k] = w[c] * dt;
        b->rotation_velocity[c][k] = dashpots ? wd[c] : 0.0;
    }
}

/* The same for a batch of one way to know normals, known to the compiler. */
static DEMI_INLINE void lanes_rotation_of(demi_lanes *b, uint64_t n, int normals, int kinematics,
                                          int dashpots, double dt)
{
    DEMI_SIMD
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k) {
        lane_geometry geometry;
        if (normals == DEMI_NORMALS_SPHERES)
            lane_spheres(b, k, kinematics, dt, &geometry);
        else if (normals == DEMI_NORMALS_FLAT)
            lane_flat(b, k, dt, &geometry);
        else if (normals == DEMI_NORMALS_CURVED)
            lane_curved(b, k, dt, &geometry);
        else
            lane_given(b, k, &geometry);
        lane_rotation(b, k, &geometry, kinematics, dashpots, dt);
    }
}

/* Rotations, beside what lanes_kinematics_of made. */
static DEMI_INLINE void lanes_rotation(demi_lanes *b, uint64_t n, const demi_lanes_call *call,
                                       int kinematics, int dashpots)
{
    const double dt = call->dt;
    if (call->normals == DEMI_NORMALS_SPHERES)
        lanes_rotation_of(b, n, DEMI_NORMALS_SPHERES, kinematics, dashpots, dt);
    else if (call->normals == DEMI_NORMALS_FLAT)
        lanes_rotation_of(b, n, DEMI_NORMALS_FLAT, kinematics, dashpots, dt);
    else if (call->normals == DEMI_NORMALS_CURVED)
        lanes_rotation_of(b, n, DEMI_NORMALS_CURVED, kinematics, dashpots, dt);
    else
        lanes_rotation_of(b, n, DEMI_NORMALS_GIVEN, kinematics, dashpots, dt);
}

/* Unused lanes of the last eight repeat the last contact, which is harmless. */
static void lanes_pad(demi_lanes *b, uint64_t n, const demi_lanes_call *call)
{
    demi_lane_array *array = b->offset;
    const size_t inputs = offsetof(demi_lanes, between) / sizeof(demi_lane_array);
    for (uint64_t k = n; k < DEMI_PADDED(n); ++k) {
        for (size_t m = 0; m < inputs; ++m)
            array[m][k] = array[m][n - 1];
        for (uint32_t m = 0; m < call->model->state_size; ++m)
            b->state[m][k] = b->state[m][n - 1];
    }
}

static DEMI_INLINE void lane_arrays_clear(demi_lane_array *begin, demi_lane_array *end, uint64_t n)
{
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    /* array by array the compiler would call memset for each */
    for (uint64_t k = 0; k < DEMI_PADDED(n); k += 8)
        for (demi_lane_array *array = begin; array < end; ++array)
            *(demi_v4 *)&(*array)[k] = *(demi_v4 *)&(*array)[k + 4] = zero;
}

/* Zeroes what laws add to, as far as anybody reads it. */
static void lanes_clear(demi_lanes *b, uint64_t n, const demi_lanes_call *call)
{
    if ((call->model->traits & DEM_TRAIT_SETS_FORCES) == 0)
        lane_arrays_clear(&b->force_normal, b->torque_i, n);
    if (demi_model_torques(call->model))
        lane_arrays_clear(b->torque_i, &b->elastic_energy, n);
    if (call->energy_tracking)
        lane_arrays_clear(&b->elastic_energy, &b->force_elastic, n);
    if (call->model->part_count > 1 || call->slopes)
        lane_arrays_clear(&b->force_elastic, &b->damping + 1, n);
}

static dem_status lanes_laws(demi_lanes *b, uint64_t n, demi_lanes_call *call)
{
    const demi_model *model = call->model;
    const int rotates = demi_model_rotates(model);
    dem_contact_batch batch = {
        .struct_size = sizeof batch,
        .dt = call->dt,
        .overlap = b->overlap,
        .overlap_rate = b->overlap_rate,
        .normal = b->normal[0],
        .increment = b->increment[0],
        .velocity_normal = b->velocity_normal,
        .velocity = b->velocity_tangential[0],
        .angular_velocity_i = b->angular_velocity_i[0],
        .angular_velocity_j = b->angular_velocity_j[0],
        .radius_i = b->radius_i,
        .radius_j = b->radius_j,
        .radius = b->radius,
        .mass = b->mass,
        .state = NULL, /* of each part in turn; all members are named, so that none is cleared */
        .state_rate = NULL,
        .was_touching = b->was_touching,
        .touching = b->touching,
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
        .force_coulomb = b->force_coulomb,
        .contact_radius = b->contact_radius,
        .stiffness = b->stiffness,
        .damping = b->damping,
        .energy_tracking = call->energy_tracking,
        .alone = model->part_count == 1 && !call->slopes,
        .rotation_increment = rotates ? b->rotation_increment[0] : NULL,
        .rotation_velocity = rotates ? b->rotation_velocity[0] : NULL,
    };
    for (uint32_t p = 0; p < model->part_count; ++p) {
        const int32_t kind = model->laws[p].kind;
        batch.radius = call->radii && (kind == DEM_LAW_ROLLING || kind == DEM_LAW_TWISTING)
                           ? b->radius_rolling
                           : b->radius;
        batch.state = b->state[model->state_begin[p]];
        call->returned =
            model->laws[p].evaluate(model->laws[p].user, n, &batch, model->combined[p]);
        if (call->returned != DEM_OK) {
            call->part = p;
            return DEM_ERROR_CALLBACK;
        }
    }
    return DEM_OK;
}

/* By how much an overlap exceeds its limit. At a wall the smaller radius is that of the sphere, to
 * which the wall's 0 is added. */
static DEMI_INLINE double lane_beyond(const demi_lanes *b, uint64_t k, int wall, double limit)
{
    const double ri = b->radius_i[k], rj = b->radius_j[k];
    return b->overlap[k] - limit * dem_select(wall, ri + rj, dem_select(ri < rj, ri, rj));
}

/* The size of all forces, torques and energies that laws gave, before anything is computed with
 * them. */
static DEMI_INLINE double lane_size(const demi_lanes *b, uint64_t k, int torques,
                                    int energy_tracking)
{
    double size = fabs(b->force_normal[k]);
    for (int c = 0; c < 3; ++c) {
        size += fabs(b->force_tangential[c][k]);
        if (torques)
            size += fabs(b->torque_i[c][k]) + fabs(b->torque_j[c][k]);
    }
    if (energy_tracking)
        size += fabs(b->elastic_energy[k]) + fabs(b->dissipated_normal[k]) +
                fabs(b->dissipated_dashpot[k]) + fabs(b->dissipated_slip[k]) +
                fabs(b->dissipated_rolling[k]);
    return size;
}

/* What laws want beyond the kinematics; radius: of spheres, where that is needed. Tells whether no
 * lane's overlap is too large. */
static DEMI_INLINE int lanes_complete(demi_lanes *b, uint64_t n, const demi_lanes_call *call,
                                      int sphere, int radius)
{
    const int wall = call->normals == DEMI_NORMALS_FLAT || call->normals == DEMI_NORMALS_CURVED;
    const double limit = call->overlap_limit;
    uint64_t good = 1;
    DEMI_SIMD
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k) {
        const double ri = b->radius_i[k], rj = b->radius_j[k];
        if (sphere)
            b->radius[k] = radius ? ri * rj / (ri + rj) : 0.0;
        b->mass[k] = 1.0 / b->inverse_mass[k];
        b->touching[k] = dem_select(b->overlap[k] > 0.0, 1.0, 0.0);
        good &= (uint64_t)islessequal(lane_beyond(b, k, wall, limit), 0.0);
    }
    return good != 0;
}

/* The first lane of n whose overlap is too large; n if there is none. */
static uint64_t lanes_begin(demi_lanes *b, uint64_t n, const demi_lanes_call *call)
{
    const int wall = call->normals == DEMI_NORMALS_FLAT || call->normals == DEMI_NORMALS_CURVED;
    int good;
    if (call->normals != DEMI_NORMALS_SPHERES)
        good = lanes_complete(b, n, call, 0, 0);
    else if ((call->model->traits_needed & DEM_TRAIT_NEEDS_RADIUS) != 0)
        good = lanes_complete(b, n, call, 1, 1);
    else
        good = lanes_complete(b, n, call, 1, 0);
    uint64_t k = good ? n : 0;
    for (; k < n; ++k)
        if (!islessequal(lane_beyond(b, k, wall, call->overlap_limit), 0.0))
            break;
    return k;
}

/* The first lane of n for which laws gave something too large or not a number; n if there is
 * none. */
static DEMI_INLINE uint64_t lanes_check(const demi_lanes *b, uint64_t n, int torques,
                                        int energy_tracking)
{
    uint64_t good = 1, k = 0;
    DEMI_SIMD
    for (k = 0; k < DEMI_PADDED(n); ++k)
        good &= (uint64_t)islessequal(lane_size(b, k, torques, energy_tracking), DEMI_FORCE_MOST);
    for (k = good ? n : 0; k < n; ++k)
        if (!islessequal(lane_size(b, k, torques, energy_tracking), DEMI_FORCE_MOST))
            break;
    return k;
}

/* Contacts of n lanes. */
static uint64_t lanes_contacts(const demi_lanes *b, uint64_t n)
{
    uint64_t contacts = 0;
    for (uint64_t k = 0; k < n; k += DEMI_WIDE) {
        const uint32_t there = n - k < DEMI_WIDE ? (1u << (n - k)) - 1u : DEMI_WIDE_ALL;
        contacts += (uint64_t)__builtin_popcount(demi_wide_any(&b->touching[k]) & there);
    }
    return contacts;
}

/* Energies of n lanes, one after the other. */
static void lanes_energies(const demi_lanes *b, uint64_t n, demi_totals *totals)
{
    demi_totals sum = *totals; /* a copy that no array can overlap, in the compiler's eyes */
    for (uint64_t k = 0; k < n; ++k) {
        sum.elastic += b->elastic_energy[k];
        sum.dissipated_normal += b->dissipated_normal[k];
        sum.dissipated_dashpot += b->dissipated_dashpot[k];
        sum.dissipated_slip += b->dissipated_slip[k];
        sum.dissipated_rolling += b->dissipated_rolling[k];
    }
    *totals = sum;
}

/* The same by groups, which do not wait for each other: all first lanes of groups, all second ones,
 * and so on, then these four. */
static void lanes_energies_by_groups(const demi_lanes *b, uint64_t n, demi_totals *totals)
{
    enum { ENERGIES = 5 };
    const demi_lane_array *const energy = &b->elastic_energy;
    demi_group sum[ENERGIES] = {{0.0}};
    for (uint64_t k = 0; k + DEMI_GROUP <= n; k += DEMI_GROUP)
        for (int e = 0; e < ENERGIES; ++e)
            sum[e] += *(const demi_group *)&energy[e][k];
    if (n % DEMI_GROUP != 0)
        for (int e = 0; e < ENERGIES; ++e) {
            demi_group rest = {0.0};
            memcpy(&rest, &energy[e][n - n % DEMI_GROUP], n % DEMI_GROUP * sizeof(double));
            sum[e] += rest;
        }
    double whole[ENERGIES];
    for (int e = 0; e < ENERGIES; ++e)
        whole[e] = (sum[e][0] + sum[e][1]) + (sum[e][2] + sum[e][3]);
    totals->elastic += whole[0];
    totals->dissipated_normal += whole[1];
    totals->dissipated_dashpot += whole[2];
    totals->dissipated_slip += whole[3];
    totals->dissipated_rolling += whole[4];
}

/* Geometry, kinematics and rotated state of a batch. */
static void lanes_kinematics(demi_lanes *b, uint64_t n, const demi_lanes_call *call)
{
    const int dashpots = demi_model_dashpots(call->model);
    const int contact = call->model->lever_arm == DEM_ARM_CONTACT;
    enum { RADIUS = ARMS_RADIUS, CONTACT = ARMS_CONTACT };
    if (call->kinematics == DEM_KINEMATICS_STANDARD && contact)
        lanes_kinematics_of(b, n, call, DEM_KINEMATICS_STANDARD, 1, CONTACT);
    else if (call->kinematics == DEM_KINEMATICS_STANDARD)
        lanes_kinematics_of(b, n, call, DEM_KINEMATICS_STANDARD, 1, RADIUS);
    else if (call->kinematics == DEM_KINEMATICS_IMPROVED && contact)
        lanes_kinematics_of(b, n, call, DEM_KINEMATICS_IMPROVED, 1, CONTACT);
    else if (call->kinematics == DEM_KINEMATICS_IMPROVED)
        lanes_kinematics_of(b, n, call, DEM_KINEMATICS_IMPROVED, 1, RADIUS);
    else if (contact)
        lanes_kinematics_of(b, n, call, DEM_KINEMATICS_SYNCHRONIZED, 1, CONTACT);
    else if (dashpots)
        lanes_kinematics_of(b, n, call, DEM_KINEMATICS_SYNCHRONIZED, 1, RADIUS);
    else
        lanes_kinematics_of(b, n, call, DEM_KINEMATICS_SYNCHRONIZED, 0, RADIUS);
    if (!demi_model_rotates(call->model))
        return;
    if (call->kinematics == DEM_KINEMATICS_STANDARD)
        lanes_rotation(b, n, call, DEM_KINEMATICS_STANDARD, dashpots);
    else if (call->kinematics == DEM_KINEMATICS_IMPROVED)
        lanes_rotation(b, n, call, DEM_KINEMATICS_IMPROVED, dashpots);
    else
        lanes_rotation(b, n, call, DEM_KINEMATICS_SYNCHRONIZED, dashpots);
}

/* Ends the contacts that are merged. Laws were told that they last: of the work that they counted
 * with, the half that the forces of the end do is not done, and with the elastic energy it is lost.
 */
static void lanes_merge(demi_lanes *b, uint64_t n, const demi_lanes_call *call)
{
    for (uint64_t k = 0; k < n; ++k) {
        if (b->merged[k] == 0.0)
            continue;
        double work = -b->force_normal[k] * b->overlap_rate[k] * call->dt;
        for (int c = 0; c < 3; ++c)
            work += b->force_tangential[c][k] * b->increment[c][k];
        if (call->energy_tracking) {
            b->dissipated_normal[k] += b->elastic_energy[k] + 0.5 * work;
            b->elastic_energy[k] = 0.0;
        }
        b->touching[k] = b->force_normal[k] = 0.0;
        b->stiffness[k] = b->damping[k] = 0.0;
        for (int c = 0; c < 3; ++c)
            b->force_tangential[c][k] = b->torque_i[c][k] = b->torque_j[c][k] = 0.0;
    }
}

DEMI_ENTRY(demi_lanes_function, demi_lanes_run);

dem_status demi_lanes_run(demi_lanes *b, uint64_t n, demi_lanes_call *call, demi_totals *totals)
{
    if (!call->padded)
        lanes_pad(b, n, call);
    lanes_kinematics(b, n, call);
    call->lane = lanes_begin(b, n, call);
    if (call->lane < n)
        return DEM_ERROR_OVERLAP;
    lanes_clear(b, n, call);
    const dem_status status = lanes_laws(b, n, call);
    if (status != DEM_OK)
        return status;
    const int torques = demi_model_torques(call->model);
    if (call->merges)
        lanes_merge(b, n, call);
    if (call->energy_tracking && torques)
        call->lane = lanes_check(b, n, 1, 1);
    else if (call->energy_tracking)
        call->lane = lanes_check(b, n, 0, 1);
    else if (torques)
        call->lane = lanes_check(b, n, 1, 0);
    else
        call->lane = lanes_check(b, n, 0, 0);
    if (call->lane < n)
        return DEM_ERROR_DIVERGED;
    if (!call->apart)
        demi_lanes_resultant(b, n, torques);
    totals->contacts += lanes_contacts(b, n);
    if (call->energy_tracking && call->by_groups)
        lanes_energies_by_groups(b, n, totals);
    else if (call->energy_tracking)
        lanes_energies(b, n, totals);
    return DEM_OK;
}
