/* SPDX-License-Identifier: MIT */
/**
 * @file axes.c
 * Two spheres that collide along other axes do the same along these: with each law that keeps
 * vectors or directions, and with each scheme.
 */
#include "../support/fpe.h"

#include "../support/any_model.h"
#include "../support/cmocka.h"
#include "../support/random.h"
#include "../support/schemes.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
    const char *normal, *tangential;
} laws[] = {{DEM_LAW_LINEAR_CSDS, NULL},
            {DEM_LAW_HERTZ, DEM_LAW_MINDLIN},
            {DEM_LAW_HERTZ, DEM_LAW_MINDLIN_DERESIEWICZ},
            {DEM_LAW_HERTZ, DEM_LAW_MINDLIN_DERESIEWICZ_32},
            {DEM_LAW_HERTZ, DEM_LAW_MINDLIN_THREE_CASE}};

/* What each of a scene's vectors becomes along the axes `to`. */
static void turned(const double to[3][3], const double v[3], double out[3])
{
    for (int c = 0; c < 3; ++c)
        out[c] = to[c][0] * v[0] + to[c][1] * v[1] + to[c][2] * v[2];
}

/* The two after a while along the axes `to`. */
static void collide(const dem_particle begin[2], const double to[3][3], int32_t scheme,
                    uint64_t law, dem_particle end[2])
{
    const any_source from = {NULL, any_first, any_usual};
    any_parameters p;
    dem_world_config config;
    dem_contact_model model;
    dem_world *world;
    any_parameters_fill(&from, &p);
    OK(dem_world_config_init(&config));
    config.integrator = scheme;
    OK(dem_world_create(&config, &world, NULL));
    OK(dem_contact_model_init(&model));
    model.parts[0].law = laws[law].normal;
    model.parts[0].parameters = laws[law].tangential != NULL ? (void *)&p.hertz : (void *)&p.linear;
    int parts = 1;
    if (laws[law].tangential != NULL)
        model.parts[parts++] = (dem_contact_part){laws[law].tangential, &p.mindlin};
    model.parts[parts++] = (dem_contact_part){DEM_LAW_ROLLING_CSDS, &p.rolling};
    model.parts[parts] = (dem_contact_part){DEM_LAW_TWISTING_CSDS, &p.rolling};
    OK(dem_contact_model_set(world, 0, 0, &model));
    dem_particle_handle handle[2];
    for (int k = 0; k < 2; ++k) {
        dem_particle particle = begin[k];
        turned(to, begin[k].position, particle.position);
        turned(to, begin[k].velocity, particle.velocity);
        turned(to, begin[k].angular_velocity, particle.angular_velocity);
        OK(dem_particle_add(world, &particle, &handle[k]));
    }
    OK(dem_step(world, 1e-4, 400));
    for (int k = 0; k < 2; ++k) {
        OK(dem_particle_init(&end[k]));
        OK(dem_particle_get(world, handle[k], &end[k]));
    }
    dem_world_destroy(world);
}

static void axes_at_random(test_random *random, double to[3][3])
{
    double along = 0.0, square = 0.0;
    test_unit(random, to[0]);
    test_unit(random, to[1]);
    for (int c = 0; c < 3; ++c)
        along += to[0][c] * to[1][c];
    for (int c = 0; c < 3; ++c) {
        to[1][c] -= along * to[0][c];
        square += to[1][c] * to[1][c];
    }
    for (int c = 0; c < 3; ++c)
        to[1][c] /= sqrt(square);
    for (int c = 0; c < 3; ++c)
        to[2][c] =
            to[0][(c + 1) % 3] * to[1][(c + 2) % 3] - to[0][(c + 2) % 3] * to[1][(c + 1) % 3];
}

static void axes_do_not_matter(void **state)
{
    (void)state;
    static const double own[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    test_random random = test_random_start("axes");
    for (uint64_t s = 0; s < COUNT(schemes); ++s)
        for (uint64_t law = 0; law < COUNT(laws); ++law)
            for (int trial = 0; trial < 6; ++trial) {
                dem_particle begin[2], here[2], there[2];
                double to[3][3];
                axes_at_random(&random, to);
                for (int k = 0; k < 2; ++k) {
                    OK(dem_particle_init(&begin[k]));
                    begin[k].radius = test_uniform(&random, 0.05, 0.1);
                    begin[k].mass = 50.0 * pow(begin[k].radius, 3.0);
                    for (int c = 0; c < 3; ++c) {
                        begin[k].velocity[c] = test_uniform(&random, -0.5, 0.5);
                        begin[k].angular_velocity[c] = test_uniform(&random, -30.0, 30.0);
                    }
                }
                begin[1].position[0] = 1.001 * (begin[0].radius + begin[1].radius);
                begin[0].velocity[0] += 1.5;
                collide(begin, own, schemes[s], law, here);
                collide(begin, to, schemes[s], law, there);
                for (int k = 0; k < 2; ++k) {
                    double v[3], w[3], moved = 0.0;
                    turned(to, here[k].velocity, v);
                    turned(to, here[k].angular_velocity, w);
                    for (int c = 0; c < 3; ++c) {
                        moved += fabs(here[k].angular_velocity[c] - begin[k].angular_velocity[c]);
                        const double off =
                            fabs(v[c] - there[k].velocity[c]) +
                            fabs(w[c] - there[k].angular_velocity[c]) * begin[k].radius;
                        if (off > 1e-11)
                            fail_msg("scheme %d, %s, trial %d, sphere %d, axis %d: off by %g m/s",
                                     (int)schemes[s],
                                     law > 0 ? laws[law].tangential : laws[law].normal, trial, k, c,
                                     off);
                    }
                    assert_true(moved > 0.1);
                }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(axes_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
