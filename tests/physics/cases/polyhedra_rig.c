/* SPDX-License-Identifier: MIT */
#include "polyhedra_rig.h"

#include "../../support/icosphere.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ shapes */

static dem_polyhedron *shape_made(const double *x, const uint32_t *facets, uint64_t vertices,
                                  uint64_t count)
{
    dem_mesh_config mesh_config;
    dem_polyhedron_config config;
    dem_mesh *mesh;
    dem_polyhedron *shape;
    MUST(dem_mesh_config_init(&mesh_config));
    MUST(dem_mesh_create(&mesh_config, x, vertices, facets, count, &mesh, NULL));
    MUST(dem_polyhedron_config_init(&config));
    MUST(dem_polyhedron_create(&config, mesh, &shape, NULL));
    dem_mesh_destroy(mesh);
    return shape;
}

dem_polyhedron *poly_ellipsoid(int level, double a, double b, double c)
{
    double *x;
    const double half[3] = {a, b, c};
    const uint64_t count = icosphere_facets(level, &x);
    uint32_t *facets = malloc(count * 3 * sizeof *facets);
    must(facets == NULL, "memory");
    for (uint64_t k = 0; k < 3 * count; ++k) {
        facets[k] = (uint32_t)k;
        for (int m = 0; m < 3; ++m)
            x[3 * k + (uint64_t)m] *= half[m];
    }
    dem_polyhedron *shape = shape_made(x, facets, 3 * count, count);
    free(x);
    free(facets);
    return shape;
}

dem_polyhedron *poly_box(double a, double b, double c)
{
    static const uint32_t facets[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                           {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                           {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    double x[8][3];
    for (int k = 0; k < 8; ++k) {
        x[k][0] = k & 1 ? a : -a;
        x[k][1] = k & 2 ? b : -b;
        x[k][2] = k & 4 ? c : -c;
    }
    return shape_made(x[0], facets[0], 8, 12);
}

poly_body poly_body_of(const dem_polyhedron *shape, double density)
{
    dem_polyhedron_properties p = {.struct_size = sizeof p};
    poly_body b;
    memset(&b, 0, sizeof b);
    MUST(dem_polyhedron_properties_get(shape, &p));
    b.shape = shape;
    b.mass = density * p.volume;
    for (int c = 0; c < 3; ++c)
        b.inertia[c] = density * p.inertia[c];
    b.q[0] = 1.0;
    return b;
}

void poly_turn(test_random *random, double q[4])
{
    double square = 0.0;
    while (square < 0.01 || square > 1.0) {
        square = 0.0;
        for (int c = 0; c < 4; ++c) {
            q[c] = test_uniform(random, -1.0, 1.0);
            square += q[c] * q[c];
        }
    }
    for (int c = 0; c < 4; ++c)
        q[c] /= sqrt(square);
}

poly_hit poly_hit_of(int32_t law, double modulus, double radius)
{
    dem_polyhedron_search_config config;
    poly_hit h;
    memset(&h, 0, sizeof h);
    MUST(dem_polyhedron_search_config_init(&config));
    MUST(dem_polyhedron_search_create(&config, &h.search, NULL));
    MUST(dem_polyhedron_law_init(&h.law));
    h.law.law = law;
    h.law.modulus = modulus;
    h.law.radius = radius;
    return h;
}

/* ------------------------------------------------------------------ motion */

dem_polyhedron_motion poly_motion(const poly_body *b, uint64_t id)
{
    dem_polyhedron_motion m;
    MUST(dem_polyhedron_motion_init(&m));
    m.shape = b->shape;
    m.id = id;
    memcpy(m.position, b->x, sizeof b->x);
    memcpy(m.orientation, b->q, sizeof b->q);
    memcpy(m.velocity, b->v, sizeof b->v);
    memcpy(m.angular_velocity, b->w, sizeof b->w);
    return m;
}

static void load_add(const poly_hit *h, const dem_polyhedron_contact *contact,
                     const dem_polyhedron_load *load, poly_body *a, poly_body *b)
{
    double couple = 0.0;
    for (int c = 0; c < 3 && h->without_couple; ++c)
        couple += load->moment_first[c] * contact->normal[c];
    for (int c = 0; c < 3; ++c) {
        a->force[c] += load->force[c];
        a->torque[c] += load->moment_first[c] - couple * contact->normal[c];
        if (b != NULL) {
            b->force[c] -= load->force[c];
            b->torque[c] += load->moment_second[c] + couple * contact->normal[c];
        }
    }
}

void poly_forces(poly_hit *h, poly_body *a, poly_body *b, double spring)
{
    static const double zero[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
    dem_polyhedron_contact contact = {.struct_size = sizeof contact};
    dem_polyhedron_load load = {.struct_size = sizeof load};
    const dem_polyhedron_motion first = poly_motion(a, 1);
    double mass = 0.0;
    for (int c = 0; c < 3; ++c) {
        a->force[c] = b != NULL ? spring * (b->x[c] - a->x[c]) : 0.0;
        a->torque[c] = 0.0;
        if (b != NULL) {
            b->force[c] = -a->force[c];
            b->torque[c] = 0.0;
        }
    }
    if (b != NULL) {
        const dem_polyhedron_motion second = poly_motion(b, 2);
        MUST(dem_polyhedron_search_pair(h->search, &first, &second, &h->hint, &contact));
    } else {
        MUST(dem_polyhedron_search_plane(h->search, &first, zero, up, NULL, &contact));
    }
    mass = dem_polyhedron_mass(a->mass, a->inertia, a->q, contact.arm_first);
    if (b != NULL) {
        const double other = dem_polyhedron_mass(b->mass, b->inertia, b->q, contact.arm_second);
        mass = mass * other / (mass + other);
    }
    MUST(dem_polyhedron_force(&h->law, &contact, mass, &load, NULL));
    load_add(h, &contact, &load, a, b);
    h->elastic = load.energy;
    h->peak = fmax(h->peak, load.normal_force);
    const int touching = contact.state == DEM_POLYHEDRON_TOUCHING;
    h->hits += touching && !h->touching;
    h->touching = touching;
}

static void kick(poly_body *b, double h)
{
    const double mean = dem_kernel_rotation_mean(b->inertia);
    for (int c = 0; c < 3; ++c) {
        b->v[c] += h * b->force[c] / b->mass;
        b->l[c] += h * b->torque[c] / mean;
    }
}

static void drift(poly_body *b, double dt)
{
    for (int c = 0; c < 3; ++c)
        b->x[c] += dt * b->v[c];
    MUST(dem_kernel_rotation_drift(b->inertia, dt, b->l, b->q, b->w));
}

void poly_step(poly_hit *h, poly_body *a, poly_body *b, double spring, double dt)
{
    kick(a, 0.5 * dt);
    drift(a, dt);
    if (b != NULL) {
        kick(b, 0.5 * dt);
        drift(b, dt);
    }
    poly_forces(h, a, b, spring);
    kick(a, 0.5 * dt);
    if (b != NULL)
        kick(b, 0.5 * dt);
}

double poly_energy(const poly_body *b)
{
    double w[3], sum = 0.0;
    const double mean = dem_kernel_rotation_mean(b->inertia);
    dem_kernel_rotation_velocity(b->inertia, b->q, b->l, w);
    for (int c = 0; c < 3; ++c)
        sum += 0.5 * b->mass * b->v[c] * b->v[c] + 0.5 * mean * b->l[c] * w[c];
    return sum;
}
