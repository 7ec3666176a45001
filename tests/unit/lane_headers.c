/* SPDX-License-Identifier: MIT */
/**
 * @file lane_headers.c
 * The lane headers in a program of another's: a loop of its own over a batch of its own computes a
 * contact of each law, and has the bits of the library. That they use nothing else of the library
 * is a matter of `make layers`.
 */
#include "../support/fpe.h"

#ifdef __clang__ /* a loop over one lane need not become vectors */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
#include "laws/lanes.h"

enum { S = DEM_BATCH_SIZE, LANES_OF_ONE = DEMI_PADDED(1) };

/** A function for each law: what the header has, for the contact in lane 0. */
typedef void one_contact(const dem_contact_batch *b, const void *combined);
#define LANES(name) name##_lane(b, 0, c, 1)
#define OWN(name) name##_lanes(1, b, c, 1)
#define DEMI_LAW(name, parameters, combined_type, loops)                                           \
    static void one_##name(const dem_contact_batch *b, const void *combined)                       \
    {                                                                                              \
        const combined_type *c = combined;                                                         \
        loops(name);                                                                               \
    }
#include "laws/laws.def"
#undef LANES
#undef OWN

/* ------------------------------------------------------------------ from here on with the library
 */

#include "../support/any_model.h"
#include "../support/cmocka.h"
#include "../support/random.h"

#include "laws/laws.h"

static const struct {
    const dem_law *law;
    one_contact *one;
} laws[] = {
#define DEMI_LAW(name, parameters, combined, loops) {&demi_law_##name, one_##name},
#include "laws/laws.def"
};
enum { LAWS = sizeof laws / sizeof laws[0] };

/** Arrays of a batch. What a law writes: ONES of single numbers, three of vectors, the state. */
enum {
    TOUCHING,
    NORMAL,
    ELASTIC,
    LOST,
    DASHPOT,
    SLIP,
    ROLLING,
    SPRING,
    COULOMB,
    AREA,
    STIFFNESS,
    DAMPING,
    ONES,
    STATE = ONES + 9,
    WRITTEN = STATE + DEM_STATE_MAX
};
typedef struct arrays {
    double overlap[S], overlap_rate[S], normal[3 * S], increment[3 * S], velocity_normal[S],
        velocity[3 * S], angular_velocity_i[3 * S], angular_velocity_j[3 * S], radius_i[S],
        radius_j[S], radius[S], mass[S], was_touching[S], rotation_increment[3 * S],
        rotation_velocity[3 * S];
    double written[WRITTEN][S];
} arrays;

/** The same contact in all lanes that a loop for one may compute. */
static void fill(double *lanes, double x)
{
    for (int k = 0; k < LANES_OF_ONE; ++k)
        lanes[k] = x;
}

static void fill3(double *lanes, double x, double y, double z)
{
    fill(lanes, x);
    fill(lanes + S, y);
    fill(lanes + (ptrdiff_t)2 * S, z);
}

/** A contact that slides and rolls, in the first step of it or in the one after. */
static dem_contact_batch batch_of(arrays *a, int step)
{
    const double dt = 1e-4;
    double(*w)[S] = a->written;
    fill(a->overlap, 1e-3 + 1e-5 * step);
    fill(a->overlap_rate, 0.1);
    fill3(a->normal, 1.0, 0.0, 0.0);
    fill3(a->increment, 0.0, 3e-5, -4e-5);
    fill(a->velocity_normal, -0.11);
    fill3(a->velocity, 0.0, 0.31, -0.39);
    fill3(a->angular_velocity_i, 0.3, 0.2, 0.1);
    fill3(a->angular_velocity_j, -0.1, 0.4, 0.3);
    fill(a->radius_i, 0.02);
    fill(a->radius_j, 0.03);
    fill(a->radius, 0.012);
    fill(a->mass, 0.7);
    fill(a->was_touching, step > 0);
    fill3(a->rotation_increment, 0.4 * dt, -0.2 * dt, -0.2 * dt);
    fill3(a->rotation_velocity, 0.4, -0.2, -0.2);
    memset(w, 0, STATE * sizeof w[0]);
    fill(w[TOUCHING], 1.0);
    /* what a normal part tells the parts after it */
    fill(w[SPRING], 0.9);
    fill(w[COULOMB], 0.8);
    fill(w[AREA], 3e-3);
    fill(w[STIFFNESS], 900.0);
    fill(w[DAMPING], 0.3);
    const dem_contact_batch b = {.struct_size = sizeof b,
                                 .dt = dt,
                                 .overlap = a->overlap,
                                 .overlap_rate = a->overlap_rate,
                                 .normal = a->normal,
                                 .increment = a->increment,
                                 .velocity_normal = a->velocity_normal,
                                 .velocity = a->velocity,
                                 .angular_velocity_i = a->angular_velocity_i,
                                 .angular_velocity_j = a->angular_velocity_j,
                                 .radius_i = a->radius_i,
                                 .radius_j = a->radius_j,
                                 .radius = a->radius,
                                 .mass = a->mass,
                                 .was_touching = a->was_touching,
                                 .rotation_increment = a->rotation_increment,
                                 .rotation_velocity = a->rotation_velocity,
                                 .touching = w[TOUCHING],
                                 .force_normal = w[NORMAL],
                                 .elastic_energy = w[ELASTIC],
                                 .dissipated_normal = w[LOST],
                                 .dissipated_dashpot = w[DASHPOT],
                                 .dissipated_slip = w[SLIP],
                                 .dissipated_rolling = w[ROLLING],
                                 .force_elastic = w[SPRING],
                                 .force_coulomb = w[COULOMB],
                                 .contact_radius = w[AREA],
                                 .stiffness = w[STIFFNESS],
                                 .damping = w[DAMPING],
                                 .force_tangential = w[ONES],
                                 .torque_i = w[ONES + 3],
                                 .torque_j = w[ONES + 6],
                                 .state = w[STATE],
                                 .energy_tracking = 1};
    return b;
}

/** Two steps of a contact with the header's loop and with the library's: same bits. */
static void assert_alike(size_t k, const dem_law *law, const void *combined)
{
    static arrays mine, theirs;
    memset(&mine, 0, sizeof mine);
    memset(&theirs, 0, sizeof theirs);
    for (int step = 0; step < 2; ++step) {
        const dem_contact_batch own = batch_of(&mine, step);
        dem_contact_batch library = batch_of(&theirs, step);
        laws[k].one(&own, combined);
        OK(law->evaluate(NULL, 1, &library, combined));
        int acts = 0;
        for (int n = 0; n < WRITTEN; ++n) {
            if (memcmp(&mine.written[n][0], &theirs.written[n][0], sizeof(double)) != 0)
                fail_msg("%s, step %d: array %d is %.17g, and %.17g in the library", law->name,
                         step, n, mine.written[n][0], theirs.written[n][0]);
            acts |= (n == NORMAL || (n >= ONES && n < STATE)) && mine.written[n][0] != 0.0;
        }
        assert_true(acts); /* a force or a torque */
    }
}

/** Rows of arrays of lanes, which is all that `arrays` is made of. */
enum { ROWS = sizeof(arrays) / sizeof(double[S]) };
typedef double (*lane_rows)[S];

/** Makes each lane a contact of its own: it turns and slides its own way, faster or slower, and may
 * have parted in the second step. What it wrote before goes on where it lasts. */
static void batch_mix(arrays *a, const double kept[][S], test_random *random, int step)
{
    const lane_rows rows = (lane_rows)(void *)a;
    for (int m = S - 1; m >= 0; --m) { /* the first one is what all vary */
        double n[3], du[3];
        for (int r = 0; r < ROWS; ++r)
            rows[r][m] = rows[r][0] * test_uniform(random, 0.5, 1.5);
        test_unit(random, n);
        test_unit(random, du);
        const double along = du[0] * n[0] + du[1] * n[1] + du[2] * n[2];
        const double way = test_decades(random, -7, -4);
        for (int c = 0; c < 3; ++c) {
            a->normal[c * S + m] = n[c];
            a->increment[c * S + m] = way * (du[c] - along * n[c]);
            a->velocity[c * S + m] = 1.1e4 * a->increment[c * S + m];
        }
        const int touches = step == 0 || test_uniform(random, 0.0, 1.0) < 0.8;
        a->written[TOUCHING][m] = touches;
        a->was_touching[m] = step > 0;
        for (int r = STATE; r < WRITTEN; ++r)
            a->written[r][m] = kept[r][m];
        if (!touches)
            a->overlap[m] = -a->overlap[m];
    }
}

/** A contact has the same bits in each lane of a full batch as alone. */
static void assert_alone(size_t k, const dem_law *law, const void *combined, test_random *random)
{
    static arrays many, alone;
    static double kept[WRITTEN][S];
    memset(kept, 0, sizeof kept);
    for (int step = 0; step < 3; ++step) {
        static double before[ROWS][S];
        dem_contact_batch batch = batch_of(&many, step);
        batch_mix(&many, kept, random, step);
        memcpy(before, &many, sizeof before);
        OK(law->evaluate(NULL, S, &batch, combined));
        const lane_rows one = (lane_rows)(void *)&alone, all = (lane_rows)(void *)&many;
        for (int m = 0; m < S; ++m) {
            const dem_contact_batch own = batch_of(&alone, step);
            for (int r = 0; r < ROWS; ++r)
                fill(one[r], before[r][m]);
            laws[k].one(&own, combined);
            for (int r = 0; r < ROWS; ++r)
                if (memcmp(&one[r][0], &all[r][m], sizeof(double)) != 0)
                    fail_msg("%s, step %d, lane %d: row %d is %.17g, and alone %.17g", law->name,
                             step, m, r, all[r][m], one[r][0]);
        }
        memcpy(kept, many.written, sizeof kept);
    }
}

/** The parameters of a law among those of all; NULL for a law that has been added since. */
static const void *parameters_of(const any_parameters *p, const dem_law *law)
{
    const void *const all[] = {&p->linear,       &p->hooke,    &p->friction, &p->hertz,
                               &p->mindlin,      &p->adhesion, &p->luding,   &p->thornton,
                               &p->walton_braun, &p->actm,     &p->rolling,  &p->rolling_constant,
                               &p->twisting};
    for (size_t n = 0; n < sizeof all / sizeof all[0]; ++n) {
        uint64_t head[2]; /* struct_size and kind */
        memcpy(head, all[n], sizeof head);
        if (head[1] == law->parameters_kind)
            return all[n];
    }
    return NULL;
}

/** Parts after a normal one are combined after Hertz's. */
static dem_status combine(const any_parameters *p, const dem_law *law, const void *parameters,
                          double *combined)
{
    dem_pair_properties pair = {.struct_size = sizeof pair, .restitution = 1.0};
    dem_error error;
    if (law->kind != DEM_LAW_WHOLE && law->kind != DEM_LAW_NORMAL)
        OK(demi_law_hertz.combine(NULL, &p->hertz, &pair, combined, &error));
    return law->combine(NULL, parameters, &pair, combined, &error);
}

static void loops_of_a_host(void **state)
{
    (void)state;
    const any_source source = {NULL, any_first, any_usual};
    test_random random = test_random_start("lanes of laws");
    any_parameters p;
    any_parameters_fill(&source, &p);
    p.friction.stiffness_tangential = 200.0;
    int compared = 0;
    for (int32_t slider = DEM_SLIDER_CSDS; slider <= DEM_SLIDER_LI; ++slider) {
        p.friction.slider = p.mindlin.slider = slider;
        for (size_t k = 0; k < LAWS; ++k) {
            const void *parameters = parameters_of(&p, laws[k].law);
            double combined[64];
            if (parameters == NULL || combine(&p, laws[k].law, parameters, combined) != DEM_OK)
                continue; /* not all laws have all sliders */
            for (int32_t isa = DEM_ISA_AUTO; isa <= DEM_ISA_X86_64_V2; ++isa) {
                dem_law law;
                if (demi_isa_index(isa) < 0)
                    continue;
                assert_true(demi_law_builtin(laws[k].law->name, demi_isa_index(isa), 0, &law));
                assert_alike(k, &law, combined);
                assert_alone(k, &law, combined, &random);
            }
            ++compared;
        }
    }
    /* mindlin has five, its other forms one; the choice does not matter to the rest */
    assert_true(compared >= 6 * 15 + 5 + 3 * 1);
}

/** Hertz's force of a header's loop by its formula. */
static void force_of_hertz(void **state)
{
    (void)state;
    static arrays a;
    const any_source source = {NULL, any_first, any_usual};
    any_parameters p;
    any_parameters_fill(&source, &p);
    p.hertz.restitution = 1.0;
    double combined[64];
    OK(combine(&p, &demi_law_hertz, &p.hertz, combined));
    const dem_contact_batch b = batch_of(&a, 0);
    one_hertz(&b, combined);
    const double young = p.hertz.young[0] / (2.0 * (1.0 - p.hertz.poisson[0] * p.hertz.poisson[0]));
    const double force = 4.0 / 3.0 * young * sqrt(0.012) * pow(1e-3, 1.5);
    assert_true(fabs(b.force_normal[0] - force) < 1e-14 * force);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_of_a_host),
        cmocka_unit_test(force_of_hertz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
