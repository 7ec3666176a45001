/* SPDX-License-Identifier: MIT */
/* Forces of contacts of polyhedra from volume and area. Feng (2021) for U(V); Hippmann (2004) for
 * the elastic layer. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "mesh/polyhedron.h"

#include <dem/rotation.h>

#include <string.h>

static const double FORCE_PI = 3.14159265358979323846;

static const dem_polyhedron_law force_defaults = {
    .struct_size = sizeof(dem_polyhedron_law),
};

dem_status dem_polyhedron_law_init_sized(dem_polyhedron_law *law, uint64_t size)
{
    if (law == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(law, size, &force_defaults);
}

static double force_fourth_root(double x)
{
    return sqrt(sqrt(x));
}

/* Elastic force and energy. */
static void force_elastic(const dem_polyhedron_law *law, double v, double a,
                          dem_polyhedron_load *load)
{
    const double depth = 2.0 * v / a;
    switch (law->law) {
    case DEM_POLYHEDRON_LAW_VOLUME: {
        /* pi^(-5/4) R^(-3/4) V^(1/4) */
        const double r = law->radius * FORCE_PI;
        const double root = force_fourth_root(v / (r * r * r * FORCE_PI * FORCE_PI));
        load->elastic_force = 2.0 / 3.0 * law->modulus * root * a;
        load->energy = 8.0 / 15.0 * law->modulus * root * v;
        break;
    }
    case DEM_POLYHEDRON_LAW_VOLUME_SQUARE:
        load->elastic_force = law->modulus * v * a;
        load->energy = 0.5 * law->modulus * v * v;
        break;
    case DEM_POLYHEDRON_LAW_LAYER:
        load->elastic_force = law->modulus * v;
        load->energy = load->elastic_force * depth / 3.0;
        break;
    case DEM_POLYHEDRON_LAW_MEAN_DEPTH:
        load->elastic_force = 4.0 / 3.0 * law->modulus * sqrt(law->radius * v / a) * (v / a);
        load->energy = 0.4 * load->elastic_force * depth;
        break;
    default:
        load->elastic_force = 4.0 / 3.0 * law->modulus * sqrt(a / (2.0 * FORCE_PI)) * depth;
        load->energy = 0.4 * load->elastic_force * depth;
    }
}

/* Overlap and radius with which Hertz's law has the force. */
static void force_hertz(const dem_polyhedron_law *law, double a, dem_polyhedron_load *load)
{
    if (law->law == DEM_POLYHEDRON_LAW_VOLUME_SQUARE || law->law == DEM_POLYHEDRON_LAW_LAYER)
        return;
    const double contact = sqrt(a / (2.0 * FORCE_PI));
    load->overlap = load->elastic_force / (4.0 / 3.0 * law->modulus * contact);
    load->radius = contact * (contact / load->overlap);
}

static dem_status force_check(const dem_polyhedron_law *law, double mass, dem_error *error)
{
    const int with_radius =
        law->law == DEM_POLYHEDRON_LAW_VOLUME || law->law == DEM_POLYHEDRON_LAW_MEAN_DEPTH;
    DEMI_REFUSE(law->reserved != 0, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                "dem_polyhedron_law.reserved", (long long)law->reserved, "dem_polyhedron_law");
    DEMI_REFUSE(law->law < 0 || law->law > DEM_POLYHEDRON_LAW_LAYER, DEM_ERROR_UNKNOWN,
                "dem_polyhedron_law.law: %d is not a DEM_POLYHEDRON_LAW_ value", (int)law->law);
    DEMI_REFUSE(!demi_positive(law->modulus), DEM_ERROR_RANGE,
                "dem_polyhedron_law.modulus: %g must be finite and > 0", law->modulus);
    DEMI_REFUSE(with_radius && !demi_positive(law->radius), DEM_ERROR_RANGE,
                "dem_polyhedron_law.radius: %g must be finite and > 0 m", law->radius);
    DEMI_REFUSE(!demi_not_negative(law->damping_ratio), DEM_ERROR_RANGE,
                "dem_polyhedron_law.damping_ratio: %g must be finite and >= 0", law->damping_ratio);
    DEMI_REFUSE(law->damping_ratio > 0.0 && !demi_positive(mass), DEM_ERROR_RANGE,
                "mass: %g must be finite and > 0 kg, because dem_polyhedron_law.damping_ratio is "
                "not 0",
                mass);
    return DEM_OK;
}

/* What a caller gives, with the sizes of its structs; `law` gets a copy. */
static dem_status force_read(const dem_polyhedron_law *given, const dem_polyhedron_contact *contact,
                             double mass, const dem_polyhedron_load *load, dem_polyhedron_law *law,
                             dem_error *error)
{
    DEMI_REFUSE(given == NULL || contact == NULL || load == NULL, DEM_ERROR_ARGUMENT,
                "%s: must not be NULL",
                given == NULL     ? "law"
                : contact == NULL ? "contact"
                                  : "load");
    DEMI_REFUSE(demi_sized_read(law, given) != DEM_OK, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE,
                "dem_polyhedron_law", (unsigned long long)given->struct_size, "dem_polyhedron_law");
    DEMI_REFUSE(demi_sized_check_output(contact) != DEM_OK, DEM_ERROR_STRUCT_SIZE,
                DEMI_SIZED_OUTPUT_MESSAGE, "dem_polyhedron_contact",
                (unsigned long long)contact->struct_size, "dem_polyhedron_contact");
    DEMI_REFUSE(demi_sized_check_output(load) != DEM_OK, DEM_ERROR_STRUCT_SIZE,
                DEMI_SIZED_OUTPUT_MESSAGE, "dem_polyhedron_load",
                (unsigned long long)load->struct_size, "dem_polyhedron_load");
    const dem_status status = force_check(law, mass, error);
    if (status != DEM_OK)
        return status;
    DEMI_REFUSE(!isfinite(contact->volume) || !demi_not_negative(contact->area) ||
                    !isfinite(contact->volume_rate) || !demi_finite3(contact->normal) ||
                    !demi_finite3(contact->arm_first) || !demi_finite3(contact->arm_second),
                DEM_ERROR_RANGE,
                "dem_polyhedron_contact: volume %g m3, area %g m2, volume_rate %g m3/s, normal "
                "and arms must be finite, and the area >= 0",
                contact->volume, contact->area, contact->volume_rate);
    return DEM_OK;
}

DEMI_GUARDED guarded_polyhedron_force(const dem_polyhedron_law *given,
                                      const dem_polyhedron_contact *contact, double mass,
                                      dem_polyhedron_load *load, dem_error *error)
{
    dem_polyhedron_law law = force_defaults;
    const dem_status status = force_read(given, contact, mass, load, &law, error);
    if (status != DEM_OK)
        return status;
    dem_polyhedron_load values;
    memset(&values, 0, sizeof values);
    const double v = contact->volume, a = contact->area;
    if (v > 0.0 && a > 0.0) {
        force_elastic(&law, v, a, &values);
        if (values.elastic_force > 0.0)
            force_hertz(&law, a, &values);
        if (values.energy > 0.0 && law.damping_ratio > 0.0)
            values.damping =
                2.0 * law.damping_ratio * values.elastic_force * sqrt(0.5 * mass / values.energy);
        const double force = values.elastic_force + values.damping * (contact->volume_rate / a);
        values.normal_force = force > 0.0 ? force : 0.0;
        DEMI_REFUSE(!isfinite(force) || !isfinite(values.energy) || !isfinite(values.radius),
                    DEM_ERROR_DIVERGED,
                    "dem_polyhedron_load: force %g N, energy %g J and radius %g m of a contact "
                    "must be finite",
                    force, values.energy, values.radius);
        for (int c = 0; c < 3; ++c) {
            values.force[c] = values.normal_force * contact->normal[c];
            values.moment_first[c] = values.normal_force * contact->arm_first[c];
            values.moment_second[c] = 0.0 - values.normal_force * contact->arm_second[c];
        }
    }
    return demi_sized_write(load, load->struct_size, &values);
}

dem_status dem_polyhedron_force(const dem_polyhedron_law *law,
                                const dem_polyhedron_contact *contact, double mass,
                                dem_polyhedron_load *load, dem_error *error)
{
    DEMI_QUIET(guarded_polyhedron_force(law, contact, mass, load, error));
}

DEMI_GUARDED guarded_polyhedron_mass(double mass, const double inertia[3],
                                     const double orientation[4], const double arm[3],
                                     double *value)
{
    double t[3] = {arm[0], arm[1], arm[2]};
    dem_kernel_rotation_to_body(orientation, t);
    *value = mass / (1.0 + mass * (t[0] * t[0] / inertia[0] + t[1] * t[1] / inertia[1] +
                                   t[2] * t[2] / inertia[2]));
    return DEM_OK;
}

double dem_polyhedron_mass(double mass, const double inertia[3], const double orientation[4],
                           const double arm[3])
{
    const demi_fenv saved = demi_fenv_enter_quiet();
    double value;
    (void)guarded_polyhedron_mass(mass, inertia, orientation, arm, &value);
    demi_fenv_leave(saved);
    return value;
}
