/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedron_force.c
 * Forces of polyhedra from volume and area: Hertz's law for the lens of a sphere and a plane, the
 * energy of each law as the integral of its force, damping, what level 1 gets, and refusals.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"

#include <dem/dem.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected)))
        fail_msg("%.17g, not %.17g within %g of it", value, expected, tolerance);
}

static dem_polyhedron_law law_of(int32_t kind, double modulus, double radius)
{
    dem_polyhedron_law law;
    OK(dem_polyhedron_law_init(&law));
    law.law = kind;
    law.modulus = modulus;
    law.radius = radius;
    return law;
}

/** What a paraboloid of this radius has in common with a plane. */
static dem_polyhedron_contact paraboloid(double radius, double overlap)
{
    dem_polyhedron_contact contact = {.struct_size = sizeof(contact)};
    contact.state = DEM_POLYHEDRON_TOUCHING;
    contact.volume = PI * radius * overlap * overlap;
    contact.area = 2.0 * PI * radius * overlap;
    contact.normal[2] = 1.0;
    contact.arm_first[0] = 0.3;
    contact.arm_first[2] = -0.1;
    contact.arm_second[1] = 0.2;
    return contact;
}

static dem_polyhedron_load load_of(const dem_polyhedron_law *law,
                                   const dem_polyhedron_contact *contact, double mass)
{
    dem_polyhedron_load load = {.struct_size = sizeof(load)};
    dem_error error;
    if (dem_polyhedron_force(law, contact, mass, &load, &error) != DEM_OK)
        fail_msg("%s", error.message);
    return load;
}

static void of_a_paraboloid(void **state)
{
    (void)state;
    const double radius = 0.7, overlap = 0.01, modulus = 3e5;
    const double hertz = 4.0 / 3.0 * modulus * sqrt(radius) * pow(overlap, 1.5);
    const double scale[5] = {1.0, 0.0, 1.0, pow(0.5, 1.5), 0.0};
    const dem_polyhedron_contact contact = paraboloid(radius, overlap);
    for (int32_t kind = 0; kind < 5; ++kind) {
        const dem_polyhedron_law law = law_of(kind, modulus, radius);
        const dem_polyhedron_load load = load_of(&law, &contact, 0.0);
        const double force = kind == DEM_POLYHEDRON_LAW_VOLUME_SQUARE
                                 ? modulus * contact.volume * contact.area
                             : kind == DEM_POLYHEDRON_LAW_LAYER ? modulus * contact.volume
                                                                : scale[kind] * hertz;
        near(load.elastic_force, force, 1e-14);
        assert_true(load.normal_force == load.elastic_force && load.damping == 0.0);
        for (int c = 0; c < 3; ++c) {
            assert_true(load.force[c] == load.normal_force * contact.normal[c]);
            assert_true(load.moment_first[c] == load.normal_force * contact.arm_first[c]);
            assert_true(load.moment_second[c] == -load.normal_force * contact.arm_second[c]);
        }
        if (kind == DEM_POLYHEDRON_LAW_VOLUME || kind == DEM_POLYHEDRON_LAW_DEPTH) {
            near(load.overlap, overlap, 1e-14);
            near(load.radius, radius, 1e-14);
            near(load.energy, 0.4 * hertz * overlap, 1e-14);
        }
        if (scale[kind] > 0.0) {
            near(4.0 / 3.0 * modulus * sqrt(load.radius) * pow(load.overlap, 1.5), force, 1e-14);
            near(load.radius * load.overlap, contact.area / (2.0 * PI), 1e-14);
        } else {
            assert_true(load.radius == 0.0 && load.overlap == 0.0);
        }
        /* the work of the force is the energy: Simpson's rule over the squares of the root */
        double work = 0.0;
        enum { PIECES = 200 };
        for (int k = 0; k <= PIECES; ++k) {
            const double r = (double)k / PIECES, weight = k % PIECES == 0 ? 1.0 : k % 2 ? 4.0 : 2.0;
            const dem_polyhedron_contact at = paraboloid(radius, overlap * r * r);
            const double f = load_of(&law, &at, 0.0).elastic_force;
            work += weight / (3.0 * PIECES) * f * 2.0 * r * overlap;
        }
        near(load.energy, work, 1e-6);
    }
}

/* eta = 2 zeta F sqrt(m / (2U)); the force never attracts. */
static void damping(void **state)
{
    (void)state;
    dem_polyhedron_contact contact = paraboloid(1.0, 0.02);
    for (int32_t kind = 0; kind < 5; ++kind) {
        dem_polyhedron_law law = law_of(kind, 1e4, 1.0);
        law.damping_ratio = 0.25;
        contact.volume_rate = 0.1 * contact.area;
        dem_polyhedron_load load = load_of(&law, &contact, 3.0);
        near(load.damping, 0.5 * load.elastic_force * sqrt(1.5 / load.energy), 1e-14);
        near(load.normal_force, load.elastic_force + 0.1 * load.damping, 1e-14);
        contact.volume_rate = -1e6;
        load = load_of(&law, &contact, 3.0);
        assert_true(load.normal_force == 0.0 && load.force[2] == 0.0 && load.elastic_force > 0.0);
    }
    contact.area = 0.0;
    contact.state = DEM_POLYHEDRON_CONTAINED;
    const dem_polyhedron_law law = law_of(0, 1e4, 1.0);
    const dem_polyhedron_load load = load_of(&law, &contact, 0.0);
    assert_true(load.normal_force == 0.0 && load.energy == 0.0);
}

static void refused_as(const char *text, dem_status expected, const dem_polyhedron_law *law,
                       const dem_polyhedron_contact *contact, double mass)
{
    dem_polyhedron_load load, before;
    dem_error error;
    memset(&load, 0x5A, sizeof(load));
    load.struct_size = sizeof(load);
    before = load;
    assert_int_equal(dem_polyhedron_force(law, contact, mass, &load, &error), expected);
    if (strstr(error.message, text) == NULL)
        fail_msg("%s", error.message);
    assert_memory_equal(&load, &before, sizeof(load));
}

/* Without damping nobody asks for a mass. */
static void any_mass_without_damping(void **state)
{
    (void)state;
    const double masses[] = {-1.0, NAN, INFINITY, 0.0};
    const dem_polyhedron_law law = law_of(0, 1e4, 1.0);
    const dem_polyhedron_contact contact = paraboloid(1.0, 0.02);
    const dem_polyhedron_load wanted = load_of(&law, &contact, 1.0);
    assert_true(wanted.normal_force > 0.0 && wanted.damping == 0.0);
    for (int k = 0; k < 4; ++k) {
        const dem_polyhedron_load load = load_of(&law, &contact, masses[k]);
        assert_memory_equal(&load, &wanted, sizeof load);
    }
}

static void refused(void **state)
{
    (void)state;
    const dem_polyhedron_law good = law_of(0, 1e4, 1.0);
    dem_polyhedron_contact contact = paraboloid(1.0, 0.02);
    dem_polyhedron_law law = good;
    refused_as("law: must not", DEM_ERROR_ARGUMENT, NULL, &contact, 0.0);
    refused_as("contact: must not", DEM_ERROR_ARGUMENT, &good, NULL, 0.0);
    dem_error error;
    assert_int_equal(dem_polyhedron_force(&good, &contact, 0.0, NULL, &error), DEM_ERROR_ARGUMENT);
    law.law = 5;
    refused_as("law.law: 5", DEM_ERROR_UNKNOWN, &law, &contact, 0.0);
    law = good;
    law.modulus = 0.0;
    refused_as("modulus: 0", DEM_ERROR_RANGE, &law, &contact, 0.0);
    law = good;
    law.radius = NAN;
    refused_as("radius: nan", DEM_ERROR_RANGE, &law, &contact, 0.0);
    law = good;
    law.damping_ratio = 0.1;
    refused_as("mass: 0", DEM_ERROR_RANGE, &law, &contact, 0.0);
    law.damping_ratio = -0.1;
    refused_as("damping_ratio: -0.1", DEM_ERROR_RANGE, &law, &contact, 1.0);
    law = good;
    law.struct_size = 8;
    refused_as("dem_polyhedron_law", DEM_ERROR_STRUCT_SIZE, &law, &contact, 0.0);
    law = good;
    law.modulus = 1e308;
    contact.volume = 1e40;
    refused_as("must be finite", DEM_ERROR_DIVERGED, &law, &contact, 0.0);
    contact.volume = INFINITY;
    refused_as("dem_polyhedron_contact", DEM_ERROR_RANGE, &good, &contact, 0.0);
    contact = paraboloid(1.0, 0.02);
    contact.area = -1.0;
    refused_as("area -1 m2", DEM_ERROR_RANGE, &good, &contact, 0.0);
    refused_as("the area >= 0", DEM_ERROR_RANGE, &good, &contact, 0.0);
    /* the force is a number, the radius A^2/(4 pi V) is not */
    law = law_of(DEM_POLYHEDRON_LAW_DEPTH, 1e11, 0.0);
    contact.area = 1.0;
    contact.volume = 1e-310;
    refused_as("radius inf m", DEM_ERROR_DIVERGED, &law, &contact, 0.0);
    contact.struct_size = 8;
    refused_as("dem_polyhedron_contact", DEM_ERROR_STRUCT_SIZE, &good, &contact, 0.0);
}

static void masses(void **state)
{
    (void)state;
    static const double moments[3] = {2.0, 3.0, 4.0}, arm[3] = {0.1, 0.2, 0.3};
    static const double none[4] = {1.0, 0.0, 0.0, 0.0}, half[4] = {0.5, 0.5, 0.5, 0.5};
    near(dem_polyhedron_mass(5.0, moments, none, arm),
         5.0 / (1.0 + 5.0 * (0.01 / 2.0 + 0.04 / 3.0 + 0.09 / 4.0)), 1e-15);
    /* the axes x, y, z of the body are y, z, x in space */
    near(dem_polyhedron_mass(5.0, moments, half, arm),
         5.0 / (1.0 + 5.0 * (0.04 / 2.0 + 0.09 / 3.0 + 0.01 / 4.0)), 1e-15);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_paraboloid),
        cmocka_unit_test(damping),
        cmocka_unit_test(any_mass_without_damping),
        cmocka_unit_test(refused),
        cmocka_unit_test(masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
