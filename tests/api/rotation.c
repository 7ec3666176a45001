/* SPDX-License-Identifier: MIT */
/**
 * @file rotation.c
 * What a law is told of the rotation of two bodies against each other, with each kinematics.
 */
#include "../support/cmocka.h"

#include <dem/dem.h>

#include <math.h>
#include <string.h>

enum { S = DEM_BATCH_SIZE };

/* What the law saw last. */
typedef struct seen {
    int told;
    double increment[3], velocity[3], normal[3];
    double displacement[3]; /* tangential */
} seen;

static dem_status combine(void *user, const void *parameters, dem_pair_properties *pair,
                          void *combined, dem_error *error)
{
    (void)user, (void)parameters, (void)pair, (void)combined, (void)error;
    return DEM_OK;
}

static dem_status look(void *user, uint64_t n, dem_contact_batch *b, const void *combined)
{
    seen *s = user;
    (void)combined;
    assert_int_equal(n, 1);
    s->told = b->rotation_increment != NULL;
    assert_int_equal(s->told, b->rotation_velocity != NULL);
    for (int c = 0; c < 3; ++c)
        s->displacement[c] = b->increment[c * S];
    for (int c = 0; c < 3 && s->told; ++c) {
        s->increment[c] = b->rotation_increment[c * S];
        s->velocity[c] = b->rotation_velocity[c * S];
        s->normal[c] = b->normal[c * S];
    }
    return DEM_OK;
}

static uint32_t rotation_alone(void *user, const void *combined)
{
    (void)user, (void)combined;
    return DEM_TRAIT_NEEDS_ROTATION;
}

static uint32_t nothing(void *user, const void *combined)
{
    (void)user, (void)combined;
    return 0;
}

typedef uint32_t needs_function(void *user, const void *combined);

static const double SPIN[2][3] = {{0.3, -0.2, 0.5}, {-0.1, 0.4, 0.2}},
                    SPIN_RATE[2][3] = {{0.1, 0.2, -0.3}, {0.4, -0.1, 0.2}};

/* One step of a pair above each other whose upper sphere moves; dt is long so that all shows. */
static seen step(int32_t kinematics, needs_function *traits_needed, const double velocity[3],
                 double dt)
{
    static const double x[2][3] = {{0.0, 0.0, 1.9}}, radius[2] = {1.0, 1.0};
    static const uint32_t pair[2] = {0, 1};
    const double v[2][3] = {{velocity[0], velocity[1], velocity[2]}};
    double force[2][3] = {{0.0}}, torque[2][3] = {{0.0}};
    seen s = {0};
    uint64_t parameters = sizeof parameters;
    dem_contact_history_config config;
    dem_contact_history *history;
    dem_contact_model model;
    dem_contacts_input in;
    dem_law law;
    OK(dem_law_init(&law));
    law.name = "look";
    law.parameters_size = sizeof parameters;
    law.combine = combine;
    law.evaluate = look;
    law.user = &s;
    law.traits_needed = traits_needed;
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &history, NULL));
    OK(dem_contact_history_law_register(history, &law));
    OK(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){"look", &parameters};
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    OK(dem_contacts_input_init(&in));
    in.particle_count = 2;
    in.position = x[0];
    in.velocity = v[0];
    in.angular_velocity = SPIN[0];
    in.angular_acceleration = SPIN_RATE[0];
    in.radius = in.mass = radius;
    in.pair_count = 1;
    in.pairs = pair;
    in.dt = dt;
    in.velocity_lag = 0.5 * dt;
    in.kinematics = kinematics;
    in.force = force[0];
    in.torque = torque[0];
    OK(dem_contacts_evaluate(history, &in, NULL));
    dem_contact_history_destroy(history);
    return s;
}

static void near3(const double a[3], const double b[3])
{
    for (int c = 0; c < 3; ++c)
        assert_true(fabs(a[c] - b[c]) < 1e-14);
}

/* v turned by the smallest rotation from one unit vector to another (Rodrigues). */
static void carry(const double from[3], const double to[3], const double v[3], double out[3])
{
    double axis[3], sine = 0.0, cosine = 0.0, along = 0.0;
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        axis[c] = from[d] * to[e] - from[e] * to[d];
        sine += axis[c] * axis[c];
        cosine += from[c] * to[c];
    }
    sine = sqrt(sine);
    for (int c = 0; c < 3; ++c)
        along += axis[c] * v[c] / sine;
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        out[c] = cosine * v[c] + axis[d] * v[e] - axis[e] * v[d] +
                 (1.0 - cosine) * along * axis[c] / sine;
    }
}

/* A contact that does not move turns about its normal alone, by a quarter of (w_i + w_j).n dt after
 * the increment, in the half-angle form. */
static void twists_with_the_pair(void **state)
{
    (void)state;
    static const double still[3] = {0.0, 0.0, 0.0};
    const double dt = 0.8, angle = 2.0 * atan(dt * (SPIN[0][2] + SPIN[1][2]) / 8.0);
    const seen s = step(DEM_KINEMATICS_SYNCHRONIZED, NULL, still, dt);
    double w[3], velocity[3];
    for (int c = 0; c < 3; ++c) {
        w[c] = SPIN[0][c] - SPIN[1][c];
        velocity[c] = w[c] + 0.5 * dt * (SPIN_RATE[0][c] - SPIN_RATE[1][c]);
    }
    const double want[3] = {dt * (cos(angle) * w[0] - sin(angle) * w[1]),
                            dt * (sin(angle) * w[0] + cos(angle) * w[1]), dt * w[2]};
    assert_true(s.told);
    near3(s.increment, want);
    near3(s.velocity, velocity);
}

/* The improved kinematics carries the whole rotation from the normal of the half step to the new
 * one; the standard kinematics leaves it. */
static void other_frames(void **state)
{
    (void)state;
    static const double velocity[3] = {0.7, -0.4, 0.2}, up[3] = {0.0, 0.0, 1.0};
    const double dt = 0.8;
    double half[3], length = 0.0, w[3], carried[3], want[3];
    for (int c = 0; c < 3; ++c) {
        half[c] = 1.9 * up[c] - 0.5 * dt * velocity[c];
        length += half[c] * half[c];
        w[c] = SPIN[0][c] - SPIN[1][c];
    }
    for (int c = 0; c < 3; ++c)
        half[c] /= sqrt(length);
    carry(half, up, w, carried);
    const seen improved = step(DEM_KINEMATICS_IMPROVED, NULL, velocity, dt);
    for (int c = 0; c < 3; ++c)
        want[c] = dt * carried[c];
    near3(improved.increment, want);
    near3(improved.velocity, carried);
    const seen standard = step(DEM_KINEMATICS_STANDARD, NULL, velocity, dt);
    for (int c = 0; c < 3; ++c)
        want[c] = dt * w[c];
    near3(standard.increment, want);
    near3(standard.velocity, w);
    near3(standard.normal, up);
}

/* The improved kinematics rotates the displacement of a step likewise; the standard kinematics
 * takes the velocity at the new normal. */
static void displacement_of_other_frames(void **state)
{
    (void)state;
    static const double velocity[3] = {0.7, -0.4, 0.2}, up[3] = {0.0, 0.0, 1.0};
    const double dt = 0.8;
    for (int improved = 0; improved < 2; ++improved) {
        double n[3] = {0.0, 0.0, 1.0}, length = 0.0, along = 0.0, s[3], slip[3], want[3];
        for (int c = 0; c < 3 && improved; ++c) {
            n[c] = 1.9 * up[c] - 0.5 * dt * velocity[c];
            length += n[c] * n[c];
        }
        for (int c = 0; c < 3; ++c) {
            n[c] /= improved ? sqrt(length) : 1.0;
            along += velocity[c] * n[c];
            s[c] = SPIN[0][c] + SPIN[1][c]; /* arms of 1 */
        }
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            slip[c] = velocity[c] - along * n[c] + n[d] * s[e] - n[e] * s[d];
        }
        if (improved)
            carry(n, up, slip, want);
        else
            memcpy(want, slip, sizeof want);
        for (int c = 0; c < 3; ++c)
            want[c] *= dt;
        near3(step(improved ? DEM_KINEMATICS_IMPROVED : DEM_KINEMATICS_STANDARD, NULL, velocity, dt)
                  .displacement,
              want);
    }
}

static void told_as_needed(void **state)
{
    (void)state;
    static const double velocity[3] = {0.7, -0.4, 0.2}, zero[3] = {0.0, 0.0, 0.0};
    const seen all = step(DEM_KINEMATICS_SYNCHRONIZED, NULL, velocity, 0.8),
               part = step(DEM_KINEMATICS_SYNCHRONIZED, rotation_alone, velocity, 0.8),
               none = step(DEM_KINEMATICS_SYNCHRONIZED, nothing, velocity, 0.8);
    assert_memory_equal(all.increment, part.increment, sizeof all.increment);
    assert_true(fabs(all.velocity[0]) > 0.1);
    near3(part.velocity, zero);
    assert_false(none.told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twists_with_the_pair),
        cmocka_unit_test(other_frames),
        cmocka_unit_test(displacement_of_other_frames),
        cmocka_unit_test(told_as_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
