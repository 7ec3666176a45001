/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedron.c
 * Contacts of polyhedra: closed forms for boxes, lenses and cuts, gradients of the volume, order of
 * the arguments, hints, coincident facets, bodies within each other, concave bodies, and what is
 * refused.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"

#include "../support/heap_short.h"
#include "../support/random.h"
#include "../support/solids.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static dem_polyhedron_search *search;

static int search_make(void **state)
{
    (void)state;
    dem_polyhedron_search_config config;
    OK(dem_polyhedron_search_config_init(&config));
    OK(dem_polyhedron_search_create(&config, &search, NULL));
    return 0;
}

static int search_drop(void **state)
{
    (void)state;
    dem_polyhedron_search_destroy(search);
    return 0;
}

/** A polyhedron in the axes of its mesh, which is destroyed. */
static dem_polyhedron *shape_of(dem_mesh *mesh)
{
    dem_polyhedron_config config;
    dem_polyhedron *shape;
    dem_error error;
    OK(dem_polyhedron_config_init(&config));
    config.axes = DEM_POLYHEDRON_AXES_MESH;
    if (dem_polyhedron_create(&config, mesh, &shape, &error) != DEM_OK)
        fail_msg("%s", error.message);
    dem_mesh_destroy(mesh);
    return shape;
}

static dem_polyhedron_motion at(const dem_polyhedron *shape, uint64_t id, double x, double y,
                                double z)
{
    dem_polyhedron_motion motion;
    OK(dem_polyhedron_motion_init(&motion));
    motion.shape = shape;
    motion.id = id;
    motion.position[0] = x;
    motion.position[1] = y;
    motion.position[2] = z;
    return motion;
}

static void random_turn(test_random *random, double q[4])
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

static dem_polyhedron_contact contact_of(const dem_polyhedron_motion *a,
                                         const dem_polyhedron_motion *b, dem_polyhedron_hint *hint)
{
    dem_polyhedron_contact contact;
    contact.struct_size = sizeof(contact);
    if (dem_polyhedron_search_pair(search, a, b, hint, &contact) != DEM_OK)
        fail_msg("%s", dem_polyhedron_search_error(search));
    return contact;
}

static void near(const char *what, double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s: %.17g, not %.17g within %g", what, value, expected, tolerance);
}

/* ------------------------------------------------------------------ closed forms */

/* Boxes with parallel sides on a coarse grid, so that faces, edges and vertices coincide in most
 * pairs, in any common orientation; and off the grid. */
static void aligned_boxes(void **state)
{
    (void)state;
    test_long();
    test_random random = test_random_start("aligned_boxes");
    long repeats = 0, touching = 0, contained = 0;
    double worst = 0.0;
    for (int k = 0; k < 20000; ++k) {
        double half[2][3], x[2][3], q[4], both = 1.0, most = 0.0;
        int within[2] = {1, 1};
        for (int b = 0; b < 2; ++b)
            for (int c = 0; c < 3; ++c) {
                const int coarse = k % 4 != 3;
                half[b][c] = coarse ? 0.25 * (1.0 + (double)(test_random_bits(&random) % 4))
                                    : test_uniform(&random, 0.2, 1.0);
                x[b][c] = b == 0   ? 0.0
                          : coarse ? 0.25 * ((double)(test_random_bits(&random) % 9) - 4.0)
                                   : test_uniform(&random, -1.0, 1.0);
            }
        for (int c = 0; c < 3; ++c) {
            const double low = fmax(x[0][c] - half[0][c], x[1][c] - half[1][c]);
            const double high = fmin(x[0][c] + half[0][c], x[1][c] + half[1][c]);
            both *= fmax(0.0, high - low);
            most = fmax(most, fmax(half[0][c], half[1][c]));
            for (int b = 0; b < 2; ++b)
                within[b] = within[b] && fabs(x[0][c] - x[1][c]) < half[1 - b][c] - half[b][c];
        }
        dem_polyhedron *a = shape_of(solid_box(half[0][0], half[0][1], half[0][2]));
        dem_polyhedron *b = shape_of(solid_box(half[1][0], half[1][1], half[1][2]));
        dem_polyhedron_motion first = at(a, 1, 0, 0, 0), second = at(b, 2, 0, 0, 0);
        random_turn(&random, q);
        for (int c = 0; c < 3; ++c)
            second.position[c] = x[1][c];
        if (k % 2) {
            memcpy(first.orientation, q, sizeof(q));
            memcpy(second.orientation, q, sizeof(q));
            dem_kernel_rotation_to_space(q, second.position);
            if (k % 8 > 4) /* the same turn with other round-off */
                for (int c = 0; c < 4; ++c)
                    second.orientation[c] = -q[c] * (1.0 + 2e-16 * c);
        }
        const dem_polyhedron_contact contact = contact_of(&first, &second, NULL);
        repeats += contact.repeats > 0;
        touching += contact.state == DEM_POLYHEDRON_TOUCHING;
        contained += contact.state == DEM_POLYHEDRON_CONTAINED;
        worst = fmax(worst, fabs(contact.volume - both));
        if (!(fabs(contact.volume - both) <= 1e-9))
            fail_msg("boxes %d: halves %g %g %g, %g %g %g at %g %g %g: volume %.17g, not %.17g; "
                     "state %d, area %g, %d repeats",
                     k, half[0][0], half[0][1], half[0][2], half[1][0], half[1][1], half[1][2],
                     x[1][0], x[1][1], x[1][2], contact.volume, both, (int)contact.state,
                     contact.area, (int)contact.repeats);
        if (within[0] || within[1])
            assert_int_equal(contact.state, DEM_POLYHEDRON_CONTAINED);
        dem_polyhedron_destroy(a);
        dem_polyhedron_destroy(b);
    }
    printf("# aligned boxes: %ld touch, %ld contained, %ld repeated, volume to %.2g\n", touching,
           contained, repeats, worst);
}

/** Two boxes with parallel sides on a coarse grid, turned together, in units of 2^-power. */
static dem_polyhedron_contact boxes_in_units(const double half[2][3], const double x[3],
                                             const double q[4], int power)
{
    dem_polyhedron *shape[2];
    dem_polyhedron_motion motion[2];
    for (int b = 0; b < 2; ++b) {
        shape[b] = shape_of(solid_box(ldexp(half[b][0], power), ldexp(half[b][1], power),
                                      ldexp(half[b][2], power)));
        motion[b] = at(shape[b], (uint64_t)b + 1, 0.0, 0.0, 0.0);
        for (int c = 0; c < 4; ++c) /* with round-off of its own */
            motion[b].orientation[c] = q[c] * (1.0 + 2e-16 * c * b);
    }
    for (int c = 0; c < 3; ++c)
        motion[1].position[c] = ldexp(x[c], power);
    dem_kernel_rotation_to_space(q, motion[1].position);
    const dem_polyhedron_contact contact = contact_of(&motion[0], &motion[1], NULL);
    dem_polyhedron_destroy(shape[0]);
    dem_polyhedron_destroy(shape[1]);
    return contact;
}

/* In units that differ by a power of two a contact differs by powers of it, bit for bit, also where
 * a body is shifted because sides coincide. */
static void contacts_in_other_units(void **state)
{
    (void)state;
    static const int powers[] = {-30, -3, 3, 30};
    test_random random = test_random_start("contacts in other units");
    int repeats = 0;
    for (int trial = 0; trial < 300; ++trial) {
        double half[2][3], x[3], q[4];
        random_turn(&random, q);
        for (int c = 0; c < 3; ++c) {
            for (int b = 0; b < 2; ++b)
                half[b][c] = 0.25 * (1.0 + (double)(test_random_bits(&random) % 4));
            x[c] = 0.25 * ((double)(test_random_bits(&random) % 9) - 4.0);
        }
        const dem_polyhedron_contact one = boxes_in_units(half, x, q, 0);
        repeats += one.repeats > 0;
        for (size_t k = 0; k < sizeof(powers) / sizeof(powers[0]); ++k) {
            const int power = powers[k];
            const dem_polyhedron_contact other = boxes_in_units(half, x, q, power);
            int same = other.state == one.state && other.repeats == one.repeats &&
                       other.volume == ldexp(one.volume, 3 * power) &&
                       other.area == ldexp(one.area, 2 * power);
            for (int c = 0; c < 3; ++c)
                same &= other.normal[c] == one.normal[c] &&
                        other.point[c] == ldexp(one.point[c], power) &&
                        other.arm_first[c] == ldexp(one.arm_first[c], power) &&
                        other.arm_second[c] == ldexp(one.arm_second[c], power);
            if (!same)
                fail_msg("trial %d, 2^%d: volume %a, area %a after %d repeats, not those of %a, %a "
                         "after %d",
                         trial, power, other.volume, other.area, (int)other.repeats, one.volume,
                         one.area, (int)one.repeats);
        }
    }
    assert_true(repeats > 0);
}

/* Boxes side by side: volume, area, normal, the moment of the overlap's middle, in any pose. */
static void two_boxes(void **state)
{
    (void)state;
    test_random random = test_random_start("two_boxes");
    dem_polyhedron *a = shape_of(solid_box(1.0, 1.1, 1.2)), *b = shape_of(solid_box(0.7, 0.6, 0.5));
    for (int k = 0; k < 200; ++k) {
        double q[4], n[3] = {-1.0, 0.0, 0.0}, point[3] = {1.0, 0.0, 0.0};
        dem_polyhedron_motion first = at(a, 1, 0, 0, 0), second = at(b, 2, 1.69, 0.2, -0.3);
        point[1] = second.position[1] + test_uniform(&random, -0.2, 0.2);
        second.position[1] = point[1];
        point[2] = second.position[2];
        random_turn(&random, q);
        memcpy(first.orientation, q, sizeof(q));
        memcpy(second.orientation, q, sizeof(q));
        dem_kernel_rotation_to_space(q, second.position);
        dem_kernel_rotation_to_space(q, n);
        dem_kernel_rotation_to_space(q, point);
        for (int c = 0; c < 3; ++c) {
            first.position[c] = c;
            second.position[c] += c;
        }
        const dem_polyhedron_contact contact = contact_of(&first, &second, NULL);
        near("volume", contact.volume, 0.01 * 1.2 * 1.0, 1e-14);
        near("area", contact.area, 1.2 * 1.0, 1e-14);
        const double arm[3] = {point[1] * n[2] - point[2] * n[1], point[2] * n[0] - point[0] * n[2],
                               point[0] * n[1] - point[1] * n[0]};
        for (int c = 0; c < 3; ++c) {
            near("normal", contact.normal[c], n[c], 1e-14);
            near("arm", contact.arm_first[c], arm[c], 1e-13);
        }
        const double along = (contact.point[0] - point[0]) * n[0] +
                             (contact.point[1] - point[1]) * n[1] +
                             (contact.point[2] - point[2]) * n[2];
        for (int c = 0; c < 3; ++c)
            near("point", contact.point[c], point[c] + along * n[c], 1e-13);
    }
    dem_polyhedron_destroy(a);
    dem_polyhedron_destroy(b);
}

/* Two unit spheres of 10242 vertices that overlap by 0.02: S, V and normal of the lens. */
static void lens(void **state)
{
    (void)state;
    test_random random = test_random_start("lens");
    dem_polyhedron *ball = shape_of(solid_ellipsoid(5, 1.0, 1.0, 1.0));
    const double far = 1.98, height = 1.0 - 0.5 * far;
    const double area = PI * height * (2.0 - height);
    const double volume = 2.0 * PI * height * height * (3.0 - height) / 3.0;
    double worst[3] = {0.0, 0.0, 0.0}, mean[2] = {0.0, 0.0};
    for (int k = 0; k < 50; ++k) {
        double n[3];
        test_unit(&random, n);
        dem_polyhedron_motion first = at(ball, 1, 0, 0, 0),
                              second = at(ball, 2, far * n[0], far * n[1], far * n[2]);
        random_turn(&random, first.orientation);
        random_turn(&random, second.orientation);
        const dem_polyhedron_contact contact = contact_of(&first, &second, NULL);
        const double error[2] = {contact.area / area - 1.0, contact.volume / volume - 1.0};
        const double sine = sqrt(pow(contact.normal[1] * n[2] - contact.normal[2] * n[1], 2) +
                                 pow(contact.normal[2] * n[0] - contact.normal[0] * n[2], 2) +
                                 pow(contact.normal[0] * n[1] - contact.normal[1] * n[0], 2));
        for (int c = 0; c < 2; ++c) {
            mean[c] += error[c] / 50.0;
            worst[c] = fmax(worst[c], fabs(error[c]));
        }
        worst[2] = fmax(worst[2], asin(sine) * 180.0 / PI);
    }
    printf("# lens: area %.4f, volume %.4f (worst %.4f %.4f), normal %.4f degrees\n", mean[0],
           mean[1], worst[0], worst[1], worst[2]);
    assert_true(worst[0] < 0.025 && worst[1] < 0.05 && worst[2] < 0.02);
    dem_polyhedron_destroy(ball);
}

/* ------------------------------------------------------------------ gradients */

/* A notched block, concave: an L that was drawn along z. */
static dem_mesh *notched(void)
{
    static const double flat[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const uint32_t top[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    double x[12][3];
    uint32_t facets[20][3];
    int count = 0;
    for (int k = 0; k < 12; ++k) {
        x[k][0] = 0.6 * flat[k % 6][0];
        x[k][1] = 0.6 * flat[k % 6][1];
        x[k][2] = k < 6 ? 0.0 : 0.8;
    }
    for (int f = 0; f < 4; ++f, count += 2)
        for (int c = 0; c < 3; ++c) {
            facets[count][c] = top[f][2 - c];
            facets[count + 1][c] = 6 + top[f][c];
        }
    for (uint32_t k = 0; k < 6; ++k, count += 2) {
        const uint32_t l = (k + 1) % 6, side[2][3] = {{k, l, 6 + l}, {k, 6 + l, 6 + k}};
        memcpy(facets[count], side, sizeof(side));
    }
    return mesh_of(x, 12, facets, 20);
}

/* The volume after a shift and a turn of one body, both small. */
static double volume_after(const dem_polyhedron_motion *a, const dem_polyhedron_motion *b,
                           int moved, int turned, int axis, double far)
{
    dem_polyhedron_motion m[2] = {*a, *b};
    if (turned) {
        const double *q = m[moved].orientation;
        double w[3] = {0.0, 0.0, 0.0}, to[4];
        w[axis] = 0.5 * far;
        to[0] = q[0] - w[0] * q[1] - w[1] * q[2] - w[2] * q[3];
        to[1] = q[1] + w[0] * q[0] + w[1] * q[3] - w[2] * q[2];
        to[2] = q[2] + w[1] * q[0] + w[2] * q[1] - w[0] * q[3];
        to[3] = q[3] + w[2] * q[0] + w[0] * q[2] - w[1] * q[1];
        const double length = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2] + to[3] * to[3]);
        for (int c = 0; c < 4; ++c)
            m[moved].orientation[c] = to[c] / length;
    } else {
        m[moved].position[axis] += far;
    }
    return contact_of(&m[0], &m[1], NULL).volume;
}

/* S and the moments are the changes of V with shifts and turns; dV/dt follows from them. The other
 * order has the same bits, and so has a search with a hint, good or bad. */
static void gradients(void **state)
{
    (void)state;
    test_long();
    test_random random = test_random_start("gradients");
    dem_polyhedron *shape[4] = {shape_of(solid_box(0.7, 0.8, 0.9)),
                                shape_of(solid_ellipsoid(2, 1.0, 0.8, 0.7)), shape_of(notched()),
                                shape_of(solid_ellipsoid(1, 0.6, 1.0, 1.2))};
    int touching = 0;
    double worst = 0.0;
    for (int k = 0; k < 400; ++k) {
        double n[3];
        test_unit(&random, n);
        const double far = test_uniform(&random, 0.3, 1.8), h = 1e-4;
        dem_polyhedron_motion a = at(shape[k % 4], 7, 0.1, -0.2, 0.3),
                              b = at(shape[k / 4 % 4], 3, far * n[0], far * n[1], far * n[2]);
        random_turn(&random, a.orientation);
        random_turn(&random, b.orientation);
        for (int c = 0; c < 3; ++c) {
            a.velocity[c] = test_uniform(&random, -1.0, 1.0);
            b.velocity[c] = test_uniform(&random, -1.0, 1.0);
            a.angular_velocity[c] = test_uniform(&random, -1.0, 1.0);
            b.angular_velocity[c] = test_uniform(&random, -1.0, 1.0);
        }
        dem_polyhedron_hint hint = {{0.0, 0.0, 0.0}};
        const dem_polyhedron_contact contact = contact_of(&a, &b, &hint);
        dem_polyhedron_contact again = contact_of(&a, &b, &hint);
        assert_memory_equal(&contact, &again, sizeof(contact));
        test_unit(&random, hint.direction);
        again = contact_of(&a, &b, &hint);
        assert_memory_equal(&contact, &again, sizeof(contact));
        again = contact_of(&b, &a, NULL);
        assert_true(again.volume == contact.volume && again.volume_rate == contact.volume_rate);
        for (int c = 0; c < 3; ++c) {
            assert_true(again.normal[c] == -contact.normal[c]);
            assert_true(again.arm_first[c] == -contact.arm_second[c]);
            assert_true(again.arm_second[c] == -contact.arm_first[c]);
        }
        if (contact.state != DEM_POLYHEDRON_TOUCHING)
            continue;
        ++touching;
        double rate = 0.0;
        for (int m = 0; m < 2; ++m)
            for (int turned = 0; turned < 2; ++turned)
                for (int axis = 0; axis < 3; ++axis) {
                    const double slope = (volume_after(&a, &b, m, turned, axis, h) -
                                          volume_after(&a, &b, m, turned, axis, -h)) /
                                         (2.0 * h);
                    const double *arm = m == 0 ? contact.arm_first : contact.arm_second;
                    const double part = (m == 0 ? -1.0 : 1.0) * contact.area *
                                        (turned ? arm[axis] : contact.normal[axis]);
                    worst = fmax(worst, fabs(slope - part));
                    near("slope", slope, part, 2e-4);
                    rate += slope * (turned ? (m == 0 ? a : b).angular_velocity[axis]
                                            : (m == 0 ? a : b).velocity[axis]);
                }
        near("rate", contact.volume_rate, rate, 1e-3);
    }
    printf("# gradients: %d pairs touch, worst %.2g\n", touching, worst);
    assert_true(touching > 150);
    for (int k = 0; k < 4; ++k)
        dem_polyhedron_destroy(shape[k]);
}

/* ------------------------------------------------------------------ order, mirror */

/** A polyhedron whose facets come the other way round, or that is mirrored across x. */
static dem_polyhedron *shape_again(const dem_polyhedron *shape, int mirrored)
{
    enum { MOST = 512 };
    const dem_mesh *mesh = dem_polyhedron_mesh(shape);
    dem_mesh_properties is = {.struct_size = sizeof(is)};
    OK(dem_mesh_properties_get(mesh, &is));
    double x[MOST][3];
    uint32_t facet[MOST][3];
    assert_true(is.vertex_count <= MOST && is.facet_count <= MOST);
    memcpy(x, dem_mesh_vertices(mesh), sizeof(x[0]) * is.vertex_count);
    for (uint64_t k = 0; mirrored && k < is.vertex_count; ++k)
        x[k][0] = -x[k][0];
    for (uint64_t k = 0; k < is.facet_count; ++k)
        for (int c = 0; c < 3; ++c)
            facet[k][mirrored ? 2 - c : c] =
                dem_mesh_facets(mesh)[3 * (mirrored ? k : is.facet_count - 1 - k) + (uint64_t)c];
    return shape_of(mesh_of(x, is.vertex_count, facet, is.facet_count));
}

static dem_polyhedron_motion mirror_of(const dem_polyhedron_motion *of, dem_polyhedron *shape)
{
    dem_polyhedron_motion m = *of;
    m.shape = shape;
    m.position[0] = -m.position[0];
    m.orientation[2] = -m.orientation[2];
    m.orientation[3] = -m.orientation[3];
    return m;
}

/* Where the force acts does not depend on the order of the facets, and the mirror image of two
 * bodies has the mirror image of their contact. */
static void order_and_mirror(void **state)
{
    (void)state;
    test_long();
    test_random random = test_random_start("order and mirror");
    dem_polyhedron *shape[3] = {shape_of(solid_box(0.7, 0.8, 0.9)), shape_of(notched()),
                                shape_of(solid_ellipsoid(1, 0.6, 1.0, 1.2))},
                   *other[3], *mirror[3];
    for (int k = 0; k < 3; ++k) {
        other[k] = shape_again(shape[k], 0);
        mirror[k] = shape_again(shape[k], 1);
    }
    int touching = 0;
    for (int k = 0; k < 300; ++k) {
        const int i = k % 3, j = k / 3 % 3;
        double n[3];
        test_unit(&random, n);
        const double far = test_uniform(&random, 0.6, 1.7);
        dem_polyhedron_motion a = at(shape[i], 7, 0.1, -0.2, 0.3),
                              b = at(shape[j], 3, far * n[0], far * n[1], far * n[2]);
        random_turn(&random, a.orientation);
        random_turn(&random, b.orientation);
        const dem_polyhedron_contact contact = contact_of(&a, &b, NULL);
        const dem_polyhedron_motion m[2] = {mirror_of(&a, mirror[i]), mirror_of(&b, mirror[j])};
        a.shape = other[i];
        b.shape = other[j];
        const dem_polyhedron_contact again = contact_of(&a, &b, NULL),
                                     image = contact_of(&m[0], &m[1], NULL);
        assert_int_equal(again.state, contact.state);
        assert_int_equal(image.state, contact.state);
        if (contact.state != DEM_POLYHEDRON_TOUCHING || !(contact.area > 1e-3))
            continue;
        ++touching;
        for (int c = 0; c < 3; ++c) {
            const double sense = c == 0 ? -1.0 : 1.0;
            near("point, order", again.point[c], contact.point[c], 1e-9);
            near("point, mirror", image.point[c], sense * contact.point[c], 1e-9);
            near("normal, mirror", image.normal[c], sense * contact.normal[c], 1e-9);
            near("arm, order", again.arm_first[c], contact.arm_first[c], 1e-9);
            near("arm, mirror", image.arm_first[c], -sense * contact.arm_first[c], 1e-9);
        }
    }
    assert_true(touching > 100);
    for (int k = 0; k < 3; ++k) {
        dem_polyhedron_destroy(shape[k]);
        dem_polyhedron_destroy(other[k]);
        dem_polyhedron_destroy(mirror[k]);
    }
}

/* ------------------------------------------------------------------ one within the other */

/* A small box within a large one, within its hollow, and around it; a body that covers another of
 * the same shape and place is neither. */
static void within(void **state)
{
    (void)state;
    test_random random = test_random_start("within");
    double x[16][3];
    uint32_t facets[24][3];
    for (int k = 0; k < 16; ++k)
        for (int c = 0; c < 3; ++c)
            x[k][c] = k < 8 ? 4.0 * cube_vertices[k][c] - 2.0 : 2.0 * cube_vertices[k - 8][c] - 1.0;
    for (int f = 0; f < 24; ++f)
        for (int c = 0; c < 3; ++c)
            facets[f][c] = f < 12 ? cube_facets[f][c] : 8 + cube_facets[f - 12][2 - c];
    dem_polyhedron *hollow = shape_of(mesh_of(x, 16, facets, 24));
    dem_polyhedron *small = shape_of(solid_ellipsoid(1, 0.4, 0.4, 0.4));
    dem_polyhedron *large = shape_of(solid_box(3.0, 3.0, 3.0));
    dem_polyhedron_properties p;
    p.struct_size = sizeof(p);
    OK(dem_polyhedron_properties_get(small, &p));
    const struct {
        double x;
        int state;
        double volume;
    } places[] = {{0.1, DEM_POLYHEDRON_APART, 0.0},
                  {1.5, DEM_POLYHEDRON_CONTAINED, p.volume},
                  {1.0, DEM_POLYHEDRON_TOUCHING, -1.0},
                  {2.1, DEM_POLYHEDRON_TOUCHING, -1.0},
                  {2.5, DEM_POLYHEDRON_APART, 0.0}};
    dem_polyhedron_motion outer = at(hollow, 1, 0, 0, 0);
    for (int k = 0; k < 5; ++k)
        for (uint64_t id = 0; id < 3; id += 2) {
            const dem_polyhedron_motion inner = at(small, id, places[k].x, 0.05, 0.03);
            const dem_polyhedron_contact contact = contact_of(&outer, &inner, NULL);
            assert_int_equal(contact.state, places[k].state);
            if (places[k].volume >= 0.0) {
                near("volume", contact.volume, places[k].volume, 1e-14);
                assert_true(contact.area == 0.0 && contact.normal[0] == 0.0);
            } else {
                assert_true(contact.volume > 0.0 && contact.volume < p.volume);
                /* out of the hollow's wall, or off the outer side */
                assert_true(contact.normal[0] * (places[k].x < 1.5 ? 1.0 : -1.0) > 0.99);
            }
        }
    /* all of the hollow one is within the large one */
    const dem_polyhedron_motion around = at(large, 5, 0.2, 0.3, 0.4);
    near("volume", contact_of(&outer, &around, NULL).volume, 64.0 - 8.0, 1e-12);
    const dem_polyhedron_motion same = at(hollow, 6, 0, 0, 0);
    near("volume", contact_of(&outer, &same, NULL).volume, 64.0 - 8.0, 1e-9);
    /* far smaller ones have their own volume, too */
    for (double size = 0.1; size > 2e-6; size *= 0.1) {
        dem_polyhedron *tiny = shape_of(solid_box(size, 2.0 * size, 1.5 * size));
        const double volume = 8.0 * size * (2.0 * size) * (1.5 * size);
        dem_polyhedron_motion m = at(tiny, 6, 0.4321, 0.1234, -0.2345);
        random_turn(&random, m.orientation);
        for (int order = 0; order < 4; ++order) {
            const dem_polyhedron_motion block = at(large, order < 2 ? 5 : 7, 0.1, 0.2, 0.3);
            const dem_polyhedron_contact contact =
                order % 2 == 0 ? contact_of(&block, &m, NULL) : contact_of(&m, &block, NULL);
            assert_int_equal(contact.state, DEM_POLYHEDRON_CONTAINED);
            near("volume", contact.volume, volume, 1e-14 * volume);
        }
        dem_polyhedron_destroy(tiny);
    }
    dem_polyhedron_destroy(hollow);
    dem_polyhedron_destroy(small);
    dem_polyhedron_destroy(large);
}

/* Where a bar pierces a plate, the line has no area, but a moment, which the rate of the volume
 * tells: that of the volume itself when the bar turns. By round-off the area is rarely 0. */
static void piercing(void **state)
{
    (void)state;
    test_random random = test_random_start("piercing");
    dem_polyhedron *bar = shape_of(solid_box(2.0, 0.125, 0.125)),
                   *plate = shape_of(solid_box(0.0625, 1.5, 1.5));
    double fastest = 0.0;
    int none = 0;
    for (int k = 0; k < 3000; ++k) {
        const double h = 1e-5;
        double volume[2], spin[3], before[4];
        const dem_polyhedron_motion b = at(plate, 2, 0, 0, 0);
        dem_polyhedron_motion a =
            at(bar, 1, test_uniform(&random, -0.5, 0.5), test_uniform(&random, -0.5, 0.5), 0.0);
        const double angle = test_uniform(&random, -0.35, 0.35);
        double *q = a.orientation;
        q[0] = cos(angle);
        q[3] = sin(angle);
        test_unit(&random, spin);
        memcpy(a.angular_velocity, spin, sizeof spin);
        memcpy(before, a.orientation, sizeof before);
        const dem_polyhedron_contact contact =
            k % 2 ? contact_of(&a, &b, NULL) : contact_of(&b, &a, NULL);
        assert_int_equal(contact.state, DEM_POLYHEDRON_TOUCHING);
        assert_true(contact.area < 1e-15);
        if (contact.area > 0.0)
            continue;
        ++none;
        assert_true(contact.normal[0] == 0.0 && contact.arm_first[0] == 0.0);
        for (int s = 0; s < 2; ++s) {
            const double half[3] = {(s ? 0.5 : -0.5) * h * spin[0], (s ? 0.5 : -0.5) * h * spin[1],
                                    (s ? 0.5 : -0.5) * h * spin[2]};
            const double *p = before;
            q[0] = p[0] - half[0] * p[1] - half[1] * p[2] - half[2] * p[3];
            q[1] = p[1] + half[0] * p[0] + half[1] * p[3] - half[2] * p[2];
            q[2] = p[2] + half[1] * p[0] + half[2] * p[1] - half[0] * p[3];
            q[3] = p[3] + half[2] * p[0] + half[0] * p[2] - half[1] * p[1];
            volume[s] = contact_of(&b, &a, NULL).volume;
        }
        near("rate", contact.volume_rate, (volume[1] - volume[0]) / (2.0 * h), 1e-8);
        fastest = fmax(fastest, fabs(contact.volume_rate));
    }
    assert_true(none > 5 && fastest > 1e-4);
    dem_polyhedron_destroy(bar);
    dem_polyhedron_destroy(plate);
}

/* ------------------------------------------------------------------ half spaces */

/* A half space does what a box does that is large: the same volume, area, normal and moment; and
 * its gradients are those of the volume. */
static void half_space(void **state)
{
    (void)state;
    test_random random = test_random_start("half_space");
    dem_polyhedron *shape[3] = {shape_of(notched()), shape_of(solid_ellipsoid(2, 1.0, 0.8, 0.6)),
                                shape_of(solid_box(0.5, 0.6, 0.7))};
    dem_polyhedron *block = shape_of(solid_box(50.0, 50.0, 5.0));
    int touching = 0;
    for (int k = 0; k < 300; ++k) {
        double n[3] = {0.0, 0.0, 1.0}, point[3] = {0.0, 0.0, 5.0};
        dem_polyhedron_motion a = at(shape[k % 3], 1, 0.1, 0.2, 0.3), b = at(block, 2, 0, 0, 0);
        random_turn(&random, a.orientation);
        random_turn(&random, b.orientation);
        dem_kernel_rotation_to_space(b.orientation, n);
        dem_kernel_rotation_to_space(b.orientation, point);
        const double far = test_uniform(&random, -0.9, 1.2);
        for (int c = 0; c < 3; ++c) {
            b.position[c] = a.position[c] - (5.0 + far) * n[c];
            point[c] += b.position[c];
            a.velocity[c] = test_uniform(&random, -1.0, 1.0);
            a.angular_velocity[c] = test_uniform(&random, -1.0, 1.0);
            b.velocity[c] = test_uniform(&random, -1.0, 1.0);
        }
        const dem_polyhedron_contact expected = contact_of(&a, &b, NULL);
        dem_polyhedron_contact plane;
        plane.struct_size = sizeof(plane);
        OK(dem_polyhedron_search_plane(search, &a, point, n, b.velocity, &plane));
        assert_int_equal(plane.state, expected.state);
        near("volume", plane.volume, expected.volume, 1e-10);
        near("area", plane.area, expected.area, 1e-8);
        near("rate", plane.volume_rate, expected.volume_rate, 1e-8);
        if (plane.state != DEM_POLYHEDRON_TOUCHING || plane.area < 1e-6)
            continue;
        ++touching;
        for (int c = 0; c < 3; ++c) {
            near("normal", plane.normal[c], expected.normal[c], 1e-7);
            near("arm", plane.arm_first[c], expected.arm_first[c], 1e-6);
            near("point", plane.point[c], expected.point[c], 1e-6);
        }
    }
    assert_true(touching > 150);
    for (int k = 0; k < 3; ++k)
        dem_polyhedron_destroy(shape[k]);
    dem_polyhedron_destroy(block);
}

/* ------------------------------------------------------------------ objects, refusals */

static void principal_axes(void **state)
{
    (void)state;
    dem_polyhedron_config config;
    OK(dem_polyhedron_config_init(&config));
    dem_mesh *mesh = notched();
    dem_polyhedron *shape;
    dem_polyhedron_properties p;
    dem_mesh_solid solid;
    OK(dem_polyhedron_create(&config, mesh, &shape, NULL));
    p.struct_size = sizeof(p);
    solid.struct_size = sizeof(solid);
    OK(dem_polyhedron_properties_get(shape, &p));
    OK(dem_mesh_measure(dem_polyhedron_mesh(shape), &solid, NULL));
    for (int c = 0; c < 3; ++c) {
        near("centre", solid.centre[c], 0.0, 1e-15);
        near("moment", solid.inertia[c], p.inertia[c], 1e-15);
        near("product", solid.inertia[3 + c], 0.0, 1e-15);
    }
    near("volume", p.volume, 3.0 * 0.36 * 0.8, 1e-14);
    near("radius", p.equivalent_radius, cbrt(p.volume * 0.75 / PI), 1e-14);
    double back[3];
    memcpy(back, dem_mesh_vertices(dem_polyhedron_mesh(shape)), sizeof(back));
    dem_kernel_rotation_to_space(p.orientation, back);
    for (int c = 0; c < 3; ++c)
        near("vertex", back[c] + p.centre[c], dem_mesh_vertices(mesh)[c], 1e-14);
    dem_polyhedron *second = dem_polyhedron_retain(shape);
    dem_polyhedron_destroy(shape);
    OK(dem_polyhedron_properties_get(second, &p));
    dem_polyhedron_destroy(second);
    dem_polyhedron_destroy(NULL);
    assert_null(dem_polyhedron_retain(NULL));
    assert_null(dem_polyhedron_mesh(NULL));
    dem_mesh_destroy(mesh);
}

/* What a box has in units of 2^-power. */
static dem_polyhedron_properties box_in_units(const double sides[3], int power)
{
    double x[8][3];
    for (int k = 0; k < 8; ++k)
        for (int c = 0; c < 3; ++c)
            x[k][c] = ldexp(cube_vertices[k][c] * sides[c], power);
    dem_polyhedron *shape = shape_of(mesh_of(x, 8, cube_facets, 12));
    dem_polyhedron_properties p = {.struct_size = sizeof(p)};
    OK(dem_polyhedron_properties_get(shape, &p));
    dem_polyhedron_destroy(shape);
    return p;
}

/* In units that differ by a power of two, sizes differ by powers of it, bit for bit. */
static void other_units(void **state)
{
    (void)state;
    test_random random = test_random_start("other units");
    for (int trial = 0; trial < 20; ++trial) {
        double sides[3];
        for (int c = 0; c < 3; ++c)
            sides[c] = test_decades(&random, -1.0, 1.0);
        const dem_polyhedron_properties one = box_in_units(sides, 0);
        const double exact = (double)cbrtl((long double)one.volume * 0.75L / acosl(-1.0L));
        near("radius", one.equivalent_radius, exact, 1e-15 * exact);
        for (int power = -150; power <= 150; ++power) {
            const dem_polyhedron_properties p = box_in_units(sides, power);
            if (p.volume != ldexp(one.volume, 3 * power) ||
                p.equivalent_radius != ldexp(one.equivalent_radius, power))
                fail_msg("2^%d: volume %a, radius %a, not those of %a, %a", power, p.volume,
                         p.equivalent_radius, one.volume, one.equivalent_radius);
        }
    }
}

static void refused(dem_status expected, const char *text, const dem_polyhedron_motion *a,
                    const dem_polyhedron_motion *b)
{
    dem_polyhedron_contact contact, before;
    memset(&contact, 0x5A, sizeof(contact));
    contact.struct_size = sizeof(contact);
    before = contact;
    assert_int_equal(dem_polyhedron_search_pair(search, a, b, NULL, &contact), expected);
    if (strstr(dem_polyhedron_search_error(search), text) == NULL)
        fail_msg("%s", dem_polyhedron_search_error(search));
    assert_memory_equal(&contact, &before, sizeof(contact));
}

static void arguments(void **state)
{
    (void)state;
    dem_polyhedron_config config;
    dem_polyhedron *shape = NULL, *box = shape_of(solid_box(1.0, 1.0, 1.0));
    dem_error error;
    OK(dem_polyhedron_config_init(&config));
    dem_mesh *open = mesh_of(cube_vertices, 8, cube_facets, 11);
    assert_int_equal(dem_polyhedron_create(&config, open, &shape, &error), DEM_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "facet 2 is open"));
    assert_null(shape);
    assert_int_equal(dem_polyhedron_create(&config, NULL, &shape, &error), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_polyhedron_create(NULL, open, &shape, &error), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_polyhedron_create(&config, open, NULL, &error), DEM_ERROR_ARGUMENT);
    config.axes = 2;
    assert_int_equal(dem_polyhedron_create(&config, open, &shape, &error), DEM_ERROR_UNKNOWN);
    dem_mesh_destroy(open);
    const dem_polyhedron_motion good = at(box, 1, 0, 0, 0), other = at(box, 2, 0.5, 0.4, 0.3);
    dem_polyhedron_motion bad = other;
    refused(DEM_ERROR_ARGUMENT, "second: must not", &good, NULL);
    refused(DEM_ERROR_ARGUMENT, "first: must not", NULL, &good);
    refused(DEM_ERROR_DUPLICATE, "id: 1", &good, &good);
    bad.shape = NULL;
    refused(DEM_ERROR_ARGUMENT, "shape of the second", &good, &bad);
    bad = other;
    bad.position[1] = NAN;
    refused(DEM_ERROR_DIVERGED, ".position of the second, id 2: (0.5, nan, 0.3) must be", &good,
            &bad);
    bad = other;
    bad.velocity[2] = 2e100;
    refused(DEM_ERROR_DIVERGED, ".velocity of the second, id 2: (0, 0, 2e+100) must be", &good,
            &bad);
    bad = other;
    bad.angular_velocity[1] = INFINITY;
    refused(DEM_ERROR_DIVERGED,
            ".angular_velocity of the first, id 2: (0, inf, 0) must be finite and within 1e+100 "
            "rad/s",
            &bad, &good);
    bad = other;
    bad.orientation[0] = 1.1;
    refused(DEM_ERROR_RANGE, "orientation of the second", &good, &bad);
    bad = other;
    bad.struct_size = 16;
    refused(DEM_ERROR_STRUCT_SIZE, "dem_polyhedron_motion", &good, &bad);
    dem_polyhedron_contact contact = {.struct_size = 8};
    assert_int_equal(dem_polyhedron_search_pair(search, &good, &other, NULL, &contact),
                     DEM_ERROR_STRUCT_SIZE);
    assert_int_equal(dem_polyhedron_search_pair(search, &good, &other, NULL, NULL),
                     DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_polyhedron_search_pair(NULL, &good, &other, NULL, &contact),
                     DEM_ERROR_ARGUMENT);
    const double zero[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0}, far[3] = {NAN, 0.0, 0.0};
    contact.struct_size = sizeof(contact);
    assert_int_equal(dem_polyhedron_search_plane(search, &good, zero, zero, NULL, &contact),
                     DEM_ERROR_RANGE);
    assert_int_equal(dem_polyhedron_search_plane(search, &good, far, up, NULL, &contact),
                     DEM_ERROR_DIVERGED);
    assert_non_null(
        strstr(dem_polyhedron_search_error(search), "point of the plane: (nan, 0, 0) must be"));
    assert_int_equal(dem_polyhedron_search_plane(search, &good, zero, up, far, &contact),
                     DEM_ERROR_DIVERGED);
    assert_non_null(
        strstr(dem_polyhedron_search_error(search), "velocity of the plane: (nan, 0, 0) must be"));
    assert_int_equal(dem_polyhedron_search_plane(search, &good, NULL, up, NULL, &contact),
                     DEM_ERROR_ARGUMENT);
    OK(dem_polyhedron_search_plane(search, &good, zero, up, NULL, &contact));
    near("half of a box", contact.volume, 4.0, 1e-15);
    dem_polyhedron_destroy(box);
}

/* Each allocation fails once; a search that has met its shapes allocates no more. */
static void memory(void **state)
{
    (void)state;
    short_heap heap = {0, 0, 0};
    dem_mesh *mesh = solid_ellipsoid(3, 1.0, 1.0, 1.0);
    for (heap.fail_at = 0;; ++heap.fail_at) {
        dem_polyhedron_config config;
        dem_polyhedron_search_config search_config;
        dem_polyhedron *shape = NULL;
        dem_polyhedron_search *own = NULL;
        dem_polyhedron_contact contact = {.struct_size = sizeof(contact)};
        OK(dem_polyhedron_config_init(&config));
        OK(dem_polyhedron_search_config_init(&search_config));
        heap.calls = 0;
        config.allocator = search_config.allocator = short_allocator(&heap);
        dem_status status = dem_polyhedron_create(&config, mesh, &shape, NULL);
        if (status == DEM_OK) {
            dem_polyhedron_properties p = {.struct_size = sizeof(p)};
            OK(dem_polyhedron_properties_get(shape, &p));
            assert_true(p.bytes == heap.held);
            status = dem_polyhedron_search_create(&search_config, &own, NULL);
        }
        const dem_polyhedron_motion a = at(shape, 1, 0, 0, 0), b = at(shape, 2, 1.6, 0.3, 0.2);
        if (status == DEM_OK)
            status = dem_polyhedron_search_pair(own, &a, &b, NULL, &contact);
        const uint64_t calls = heap.calls;
        if (own != NULL && status != DEM_OK) /* it goes on where it failed */
            OK(dem_polyhedron_search_pair(own, &a, &b, NULL, &contact));
        if (own != NULL) {
            const uint64_t before = heap.calls;
            const double volume = contact.volume;
            OK(dem_polyhedron_search_pair(own, &b, &a, NULL, &contact));
            assert_true(heap.calls == before && contact.volume == volume && volume > 0.0);
        }
        dem_polyhedron_search_destroy(own);
        dem_polyhedron_destroy(shape);
        assert_int_equal(heap.held, 0);
        if (status == DEM_OK) {
            assert_true(calls <= heap.fail_at && calls > 30);
            break;
        }
        assert_int_equal(status, DEM_ERROR_MEMORY);
    }
    dem_mesh_destroy(mesh);
}

/* ------------------------------------------------------------------ shapes that grow */

enum { GUARD = 4096, GUARD_BYTE = 0xa5 };

/* Blocks with bytes behind them that nobody may write. */
static void *guarded_allocate(void *user, uint64_t size, uint64_t alignment)
{
    void *p = NULL;
    (void)user;
    if (posix_memalign(&p, (size_t)alignment, (size_t)size + GUARD) != 0)
        return NULL;
    memset((unsigned char *)p + size, GUARD_BYTE, GUARD);
    return p;
}

static void guarded_release(void *user, void *pointer, uint64_t size)
{
    const unsigned char *guard = (const unsigned char *)pointer + size;
    for (int k = 0; k < GUARD; ++k)
        *(uint64_t *)user += guard[k] != GUARD_BYTE;
    free(pointer);
}

/* A box whose upper face is a pit that reaches down to z = depth. */
static dem_mesh *box_with_pit(double depth)
{
    double x[9][3] = {{0.0, 0.0, depth}};
    uint32_t facets[14][3];
    for (int k = 0; k < 8; ++k)
        for (int c = 0; c < 3; ++c)
            x[k + 1][c] = cube_vertices[k][c] - 0.5;
    uint32_t count = 0;
    for (int k = 0; k < 12; ++k) {
        int above = 0;
        for (int m = 0; m < 3; ++m)
            above += x[cube_facets[k][m] + 1][2] > 0.0;
        for (int m = 0; m < 3 && above < 3; ++m)
            facets[count][m] = cube_facets[k][m] + 1;
        count += above < 3;
        /* of a facet of the upper face, each edge that is no diagonal */
        for (int m = 0; m < 3 && above == 3; ++m) {
            const uint32_t a = cube_facets[k][m] + 1, b = cube_facets[k][(m + 1) % 3] + 1;
            if (x[a][0] != x[b][0] && x[a][1] != x[b][1])
                continue;
            facets[count][0] = a;
            facets[count][1] = b;
            facets[count++][2] = 0;
        }
    }
    assert_int_equal(count, 14);
    return mesh_of(&x[0][0], 9, &facets[0][0], 14);
}

static dem_mesh *tetrahedron(void)
{
    static const double x[4][3] = {
        {0.5, 0.5, 0.5}, {0.5, -0.5, -0.5}, {-0.5, 0.5, -0.5}, {-0.5, -0.5, 0.5}};
    static const uint32_t facets[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    return mesh_of(&x[0][0], 4, &facets[0][0], 4);
}

/* A search meets shapes of more and more facets: its memory suffices, and it finds what a new
 * search finds. */
static void shapes_that_grow(void **state)
{
    (void)state;
    test_random random = test_random_start("shapes_that_grow");
    dem_polyhedron *const shape[] = {
        shape_of(tetrahedron()), shape_of(solid_box(0.5, 0.5, 0.5)), shape_of(box_with_pit(-0.2)),
        shape_of(solid_ellipsoid(1, 0.6, 0.5, 0.4)), shape_of(solid_ellipsoid(2, 0.6, 0.5, 0.4))};
    enum { SHAPES = sizeof shape / sizeof shape[0], PAIRS = 40 };
    uint64_t beyond = 0;
    int touching = 0;
    for (int first = 0; first < SHAPES; ++first)
        for (int then = first; then < SHAPES; ++then) {
            dem_polyhedron_search_config config;
            dem_polyhedron_search *grows, *fresh;
            OK(dem_polyhedron_search_config_init(&config));
            config.allocator = (dem_allocator){&beyond, guarded_allocate, guarded_release};
            OK(dem_polyhedron_search_create(&config, &grows, NULL));
            for (int k = 0; k < PAIRS; ++k) {
                /* pairs of the first shape, then of the other, and of both */
                const int grown = k >= PAIRS / 4;
                const dem_polyhedron *of = shape[grown ? then : first],
                                     *next_to = shape[grown && k % 3 != 0 ? then : first];
                dem_polyhedron_motion a = at(of, 1, 0, 0, 0);
                dem_polyhedron_motion b =
                    at(next_to, 2, test_uniform(&random, -0.7, 0.7),
                       test_uniform(&random, -0.7, 0.7), test_uniform(&random, -0.7, 0.7));
                random_turn(&random, a.orientation);
                random_turn(&random, b.orientation);
                dem_polyhedron_contact found = {.struct_size = sizeof(found)}, expected = found;
                OK(dem_polyhedron_search_create(&config, &fresh, NULL));
                const dem_status status =
                    dem_polyhedron_search_pair(fresh, &a, &b, NULL, &expected);
                assert_int_equal(dem_polyhedron_search_pair(grows, &a, &b, NULL, &found), status);
                if (status == DEM_OK)
                    assert_memory_equal(&found, &expected, sizeof found);
                touching += status == DEM_OK && expected.volume > 0.0;
                dem_polyhedron_search_destroy(fresh);
            }
            dem_polyhedron_search_destroy(grows);
            assert_int_equal(beyond, 0);
        }
    assert_true(touching > SHAPES * PAIRS);
    for (int k = 0; k < SHAPES; ++k)
        dem_polyhedron_destroy(shape[k]);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_boxes),
        cmocka_unit_test(aligned_boxes),
        cmocka_unit_test(lens),
        cmocka_unit_test(gradients),
        cmocka_unit_test(within),
        cmocka_unit_test(piercing),
        cmocka_unit_test(half_space),
        cmocka_unit_test(principal_axes),
        cmocka_unit_test(contacts_in_other_units),
        cmocka_unit_test(other_units),
        cmocka_unit_test(arguments),
        cmocka_unit_test(memory),
        cmocka_unit_test(order_and_mirror),
        cmocka_unit_test(shapes_that_grow),
    };
    return cmocka_run_group_tests(tests, search_make, search_drop);
}
