/* SPDX-License-Identifier: MIT */
/**
 * @file kept_geometry.c
 * A kept list whose geometry the host gives has the bits of dem_contacts_evaluate_geometry: forces,
 * torques, contacts, totals and errors; with walls as rows, ghosts, images and exact sums.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/lattice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 4, GRAINS = EDGE * EDGE * EDGE, WALLS = 2, ROWS = GRAINS + WALLS };

/** Spheres between a floor and a ceiling, which are the last rows. */
typedef struct host {
    lattice l;
    double overlap[LATTICE_PAIRS], normal[LATTICE_PAIRS][3], point[LATTICE_PAIRS][3],
        star[LATTICE_PAIRS];
    dem_contacts_geometry geometry;
} host;

/** What differs from one run to the next. */
typedef struct scene {
    int m4, exact, absent;
    uint64_t ghosts;
    int spheres_every; /* steps of which one has no geometry; 0: none */
    int bare;          /* no walls */
    int features;      /* contacts of a grain and a wall, or of two grains without walls, of which
                          the second and third end with some lists; 0: one */
} scene;

static dem_contact_history *history_make(const scene *s)
{
    dem_contact_history_config config;
    dem_contact_history *history = NULL;
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_linear linear;
    OK(dem_contact_history_config_init(&config));
    if (s->exact) {
        config.sums = DEM_SUMS_EXACT;
        config.force_range = config.torque_range = 1e4;
    }
    OK(dem_contact_history_create(&config, &history, NULL));
    OK(dem_contact_model_init(&model));
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_linear_init(&linear));
    hertz.young[0] = 2e4;
    hertz.poisson[0] = 0.3;
    hertz.restitution = linear.restitution = 0.8;
    mindlin.friction = linear.friction = 0.3;
    linear.stiffness_normal = 1000.0;
    if (s->m4) {
        OK(dem_contact_model_add_hertz(&model, &hertz));
        OK(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    } else {
        OK(dem_contact_model_add_linear_csds(&model, &linear));
    }
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    return history;
}

/** Whether the n-th list has a feature of the row i: the first one always. */
static int is_listed(const scene *s, int n, uint32_t i, int feature)
{
    return feature == 1 || (feature <= s->features && (n + (int)i) % (feature + 1) != 0);
}

/** Grains that are near each other, and near the walls. */
static void host_list(host *h, const scene *s, int n)
{
    lattice *l = &h->l;
    l->in.pair_count = 0;
    for (uint32_t i = 0; i < GRAINS; ++i) {
        lattice_pairs_of(l, i, 1.2, 0);
        for (uint32_t wall = GRAINS; wall < ROWS && !s->bare; ++wall)
            for (int k = 1; fabs(l->x[i][2] - l->x[wall][2]) < 0.8 && k <= 3; ++k)
                if (is_listed(s, n, i, k))
                    lattice_pair(l, i, wall, 0, (uint64_t)k);
        for (int k = 2; s->bare && k <= 3; ++k)
            if (is_listed(s, n, i, k))
                lattice_pairs_of(l, i, 1.2, (uint64_t)k);
    }
}

/** Of spheres, and of planes; contacts of the features 1 and 2 may be apart while that of 3, which
 * lies deepest, ends. */
static void geometry_make(host *h)
{
    static const double above[] = {0.0, 0.01, 0.02, -0.03};
    const lattice *l = &h->l;
    for (uint64_t p = 0; p < l->in.pair_count; ++p) {
        const uint32_t i = l->pairs[p][0], j = l->pairs[p][1];
        double d[3], length = 0.0;
        const int wall = i >= GRAINS || j >= GRAINS;
        for (int c = 0; c < 3; ++c) {
            d[c] = wall && c < 2 ? 0.0 : l->x[i][c] - l->x[j][c] - l->shifts[p][c];
            length += d[c] * d[c];
        }
        length = sqrt(length);
        const double radius = i >= GRAINS ? l->radius[j] : l->radius[i];
        h->overlap[p] =
            (wall ? radius : l->radius[i] + l->radius[j]) - length - above[l->features[p]];
        h->star[p] = wall ? radius : 0.5 * radius;
        for (int c = 0; c < 3; ++c) {
            h->normal[p][c] = d[c] / length;
            h->point[p][c] = i >= GRAINS ? l->x[j][c] + radius * h->normal[p][c]
                                         : l->x[i][c] - radius * h->normal[p][c];
        }
    }
}

static void host_make(host *h, const scene *s)
{
    lattice *l = &h->l;
    lattice_make(l, "kept geometry", EDGE);
    for (uint32_t n = GRAINS; n < ROWS; ++n) {
        l->x[n][2] = n == GRAINS ? -0.47 : LATTICE_WIDTH * EDGE - 0.5;
        l->radius[n] = 1.0;
        l->id[n] = 7 + 3 * (uint64_t)(n * 1000);
    }
    l->in.particle_count = ROWS;
    l->in.ghost_count = s->ghosts;
    l->in.absent = s->absent;
    OK(dem_contacts_geometry_init(&h->geometry));
    h->geometry.overlap = h->overlap;
    h->geometry.normal = h->normal[0];
    h->geometry.point = h->point[0];
    h->geometry.radius = h->star;
    l->history = history_make(s);
}

static dem_status plain(host *h)
{
    lattice *l = &h->l;
    return dem_contacts_evaluate_geometry(l->history, &l->in, &h->geometry, &l->totals);
}

static dem_status list(host *h)
{
    lattice *l = &h->l;
    return dem_contacts_list_evaluate_geometry(l->history, &l->in, &h->geometry, &l->totals);
}

/** A step without and with a list. */
static void both(host *a, host *b, int spheres, int forces_only)
{
    a->l.in.forces_only = b->l.in.forces_only = forces_only;
    if (spheres) {
        OK(dem_contacts_evaluate(a->l.history, &a->l.in, &a->l.totals));
        OK(dem_contacts_list_evaluate(b->l.history, &b->l.in, &b->l.totals));
    } else {
        OK(plain(a));
        OK(list(b));
    }
    assert_memory_equal(&a->l.totals, &b->l.totals, sizeof a->l.totals);
    a->l.in.forces_only = b->l.in.forces_only = 0;
}

/** Runs a scene with and without a list; the sum of what contacts lost normally. */
static double run(const scene *s, int steps)
{
    static host a, b;
    const int every = s->spheres_every;
    double lost = 0.0;
    host_make(&a, s);
    host_make(&b, s);
    for (int n = 0; n < steps; ++n) {
        lattice_drift(&a.l);
        lattice_drift(&b.l);
        if (n % 7 == 0) {
            host_list(&a, s, n / 7);
            host_list(&b, s, n / 7);
            OK(dem_contacts_list_begin(b.l.history, &b.l.in));
        }
        geometry_make(&a);
        geometry_make(&b);
        if (n % 14 == 7) /* before the list's first step */
            both(&a, &b, 0, 1);
        both(&a, &b, every > 0 && n % every == every - 1, 0);
        if (n % 11 == 5) { /* once more */
            OK(dem_contacts_undo(a.l.history));
            OK(dem_contacts_undo(b.l.history));
            both(&a, &b, 0, 0);
        }
        lost += a.l.totals.dissipated_normal;
        if (n % 13 == 6) /* as things stand */
            both(&a, &b, 0, 1);
        if (n % 3 == 0 || n == steps - 1)
            lattice_equal(&a.l, &b.l);
    }
    dem_contact_history_destroy(a.l.history);
    dem_contact_history_destroy(b.l.history);
    return lost;
}

static void same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < 16; ++k) {
        const scene s = {.m4 = k & 1,
                         .exact = k >> 1 & 1,
                         .ghosts = k & 4 ? ROWS / 2 : 0,
                         .absent = k & 8 ? DEM_ABSENT_KEEP : DEM_ABSENT_SEPARATED,
                         .features = 3};
        (void)run(&s, 60);
    }
}

/** Steps of spheres and of geometry in one list. */
static void in_turn(void **state)
{
    (void)state;
    const scene s = {.m4 = 1, .bare = 1, .spheres_every = 4},
                t = {.bare = 1, .spheres_every = 3, .ghosts = ROWS / 2};
    (void)run(&s, 60);
    (void)run(&t, 60);
}

/** Contacts that end while others of the same bodies go on: their energy is lost. */
static void merging(void **state)
{
    (void)state;
    for (int m4 = 0; m4 < 2; ++m4) {
        double before = 0.0;
        for (int features = 1; features <= 3; ++features) {
            const scene s = {.m4 = m4, .features = features};
            const double lost = run(&s, 80);
            assert_true(lost > before);
            before = lost;
        }
        const scene shared = {.m4 = m4, .features = 3, .ghosts = 1}; /* then it is not counted */
        (void)run(&shared, 80);
    }
}

/** So does no contact that the last step evaluated as one of spheres. */
static void spheres_do_not_merge(void **state)
{
    (void)state;
    for (int every = 2; every <= 7; ++every) {
        const scene s = {.bare = 1, .features = 3, .spheres_every = every};
        (void)run(&s, 80);
    }
}

static void copies_move(host *h, int step)
{
    lattice *l = &h->l;
    l->x[2][1] = l->x[3][1] = 0.02 * (double)(step % 7);
    l->x[2][0] = step % 3 == 1 ? 1.5 : 0.9; /* the first listing is apart */
    l->x[3][0] = step % 5 == 3 ? -0.6 : 0.0;
    geometry_make(h);
}

/** A contact that is listed from both its ends is one, whichever of them touches. */
static void listed_from_both_ends(void **state)
{
    (void)state;
    static host a, b;
    for (int k = 0; k < 6; ++k) {
        const scene s = {.m4 = k % 2, .bare = 1};
        host_make(&a, &s);
        host_make(&b, &s);
        lattice_copies(&a.l);
        lattice_copies(&b.l);
        a.l.in.kinematics = b.l.in.kinematics = k / 2;
        OK(dem_contacts_list_begin(b.l.history, &b.l.in));
        for (int step = 0; step < 40; ++step) {
            copies_move(&a, step);
            copies_move(&b, step);
            both(&a, &b, 0, 0);
            assert_memory_equal(a.l.f, b.l.f, sizeof a.l.f);
            assert_memory_equal(a.l.t, b.l.t, sizeof a.l.t);
            if (step % 4 == 3)
                lattice_same_bytes(&a.l, &b.l);
        }
        assert_true(a.l.f[0][1] != 0.0 && a.l.f[1][1] != 0.0);
        dem_contact_history_destroy(a.l.history);
        dem_contact_history_destroy(b.l.history);
    }
}

static void refused(host *h, dem_status status, const char *word)
{
    static lattice before;
    before = h->l;
    assert_int_equal(list(h), status);
    if (strstr(dem_contact_history_error(h->l.history), word) == NULL)
        fail_msg("%s", dem_contact_history_error(h->l.history));
    assert_memory_equal(before.f, h->l.f, sizeof h->l.f);
    assert_memory_equal(before.t, h->l.t, sizeof h->l.t);
}

static void errors(void **state)
{
    (void)state;
    static host h, same;
    const scene s = {0};
    host_make(&h, &s);
    host_list(&h, &s, 0);
    geometry_make(&h);
    refused(&h, DEM_ERROR_STATE, "dem_contacts_list_begin");
    OK(dem_contacts_list_begin(h.l.history, &h.l.in));
    OK(list(&h));
    const uint64_t contacts = dem_contact_history_count(h.l.history);
    assert_true(contacts > 20);
    assert_int_equal(dem_contacts_list_evaluate_geometry(NULL, &h.l.in, &h.geometry, NULL),
                     DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contacts_list_evaluate_geometry(h.l.history, NULL, &h.geometry, NULL),
                     DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contacts_list_evaluate_geometry(h.l.history, &h.l.in, NULL, NULL),
                     DEM_ERROR_ARGUMENT);
    h.geometry.normal = NULL;
    refused(&h, DEM_ERROR_ARGUMENT, "normal");
    h.geometry.normal = h.normal[0];
    h.normal[3][0] += 0.1;
    refused(&h, DEM_ERROR_RANGE, "normal");
    geometry_make(&h);
    h.overlap[5] = 0.9;
    refused(&h, DEM_ERROR_OVERLAP, "overlap");
    geometry_make(&h);
    h.l.x[7][1] = (double)NAN;
    refused(&h, DEM_ERROR_DIVERGED, "finite");
    h.l.x[7][1] = 0.97;
    h.l.in.particle_count--;
    refused(&h, DEM_ERROR_RANGE, "dem_contacts_list_begin");
    h.l.in.particle_count++;
    /* what failed changed nothing: the step is that of a history where nothing failed */
    host_make(&same, &s);
    host_list(&same, &s, 0);
    geometry_make(&same);
    OK(plain(&same));
    memcpy(same.l.x, h.l.x, sizeof h.l.x);
    memcpy(same.l.f, h.l.f, sizeof h.l.f);
    memcpy(same.l.t, h.l.t, sizeof h.l.t);
    geometry_make(&same);
    geometry_make(&h);
    OK(plain(&same));
    OK(list(&h));
    lattice_equal(&same.l, &h.l);
    dem_contact_history_destroy(h.l.history);
    dem_contact_history_destroy(same.l.history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),
        cmocka_unit_test(in_turn),
        cmocka_unit_test(merging),
        cmocka_unit_test(spheres_do_not_merge),
        cmocka_unit_test(listed_from_both_ends),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
