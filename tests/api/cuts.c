/* SPDX-License-Identifier: MIT */
/**
 * @file cuts.c
 * One system of spheres cut in 1, 2, 4 and 8 pieces by a small host: each piece has a history of
 * its own, ghosts, and particles that come and go. All cuts have the same bits.
 *
 * The box is periodic in x; y and z are open, and a force of the host's draws the spheres to the
 * axis. Positions are wrapped in every step. The pairs of a piece are sorted by ids, so that each
 * particle's forces are summed in one order.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/random.h"
#include "../support/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 96, PIECES = 8, STEPS = 600, MIGRATION = 20, ROWS = 3 * COUNT, PAIRS = 30 * COUNT };
static const double length = 6.0, dt = 1e-3;

/** The particles of all pieces, by id; a piece writes its own. */
typedef struct particles {
    double x[COUNT][3], v[COUNT][3], w[COUNT][3], a[COUNT][3], wa[COUNT][3];
    double radius[COUNT], mass[COUNT];
    int32_t turns[COUNT]; /* periods along x that were taken off */
    int owner[COUNT];
} particles;

/** A pair before it is listed: rows, and what it is sorted by. */
typedef struct link {
    uint64_t lower, higher;
    int32_t image; /* of the higher id relative to the lower */
    uint32_t first, second;
    int32_t image_listed;
    double shift;
} link;

/** Rows and pairs of one piece. */
typedef struct piece {
    dem_contact_history *history;
    uint64_t owned, rows, pairs;
    double x[ROWS][3], v[ROWS][3], w[ROWS][3], a[ROWS][3], wa[ROWS][3], radius[ROWS], mass[ROWS];
    double f[COUNT][3], t[COUNT][3], shifts[PAIRS][3];
    uint64_t id[ROWS];
    uint32_t pair[PAIRS][2];
    int32_t images[PAIRS][3];
    link links[PAIRS];
    dem_contact_totals totals;
} piece;

/** How the system is cut: pieces along each axis; 0 along x: one, without ghosts. */
typedef struct cut {
    int along[3];
} cut;

typedef struct run {
    particles all;
    piece *pieces;
    int count;
    uint64_t moved, both_moved, corners, twice;
    double energy, dissipated;
    uint64_t contacts;
} run;

static void particles_make(particles *p)
{
    memset(p, 0, sizeof(*p));
    test_random random = test_random_start("cuts");
    for (int n = 0; n < COUNT; ++n) {
        const int at[3] = {n % 6, n / 6 % 4, n / 24};
        p->radius[n] = test_uniform(&random, 0.42, 0.5);
        p->mass[n] = 4.0 * p->radius[n] * p->radius[n] * p->radius[n];
        p->x[n][0] = at[0] + 0.5 + test_uniform(&random, -0.02, 0.02);
        for (int c = 1; c < 3; ++c)
            p->x[n][c] = 0.97 * (at[c] - 1.5) + test_uniform(&random, -0.02, 0.02);
        p->v[n][0] = at[1] % 2 ? 10.0 : 3.0;
        for (int c = 0; c < 3; ++c)
            p->w[n][c] = test_uniform(&random, -2.0, 2.0);
    }
}

enum { LINEAR, MINDLIN, DERESIEWICZ, JKR, LAWS };

static dem_contact_history *history_make(int law)
{
    dem_contact_history_config config;
    dem_contact_history *history = NULL;
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &history, NULL));
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 4e3;
    linear.friction = 0.4;
    linear.restitution = 0.7;
    dem_hertz hertz;
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = 5e4;
    hertz.restitution = 0.7;
    dem_mindlin mindlin;
    OK(dem_mindlin_init(&mindlin));
    mindlin.friction = 0.4;
    dem_adhesion adhesion;
    OK(dem_adhesion_init(&adhesion));
    adhesion.young[0] = 5e4;
    adhesion.work_of_adhesion = 5.0;
    adhesion.restitution = 0.7;
    if (law == LINEAR)
        OK(dem_contact_model_add_linear_csds(&model, &linear));
    else if (law == JKR)
        OK(dem_contact_model_add_jkr(&model, &adhesion));
    else
        OK(dem_contact_model_add_hertz(&model, &hertz));
    if (law == MINDLIN || law == JKR)
        OK(dem_contact_model_add_mindlin(&model, &mindlin));
    if (law == DERESIEWICZ)
        OK(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    return history;
}

/** The piece of a place. */
static int piece_at(const cut *cut, const double x[3])
{
    int at[3] = {(int)(x[0] / length * cut->along[0]), x[1] >= 0.0, x[2] >= 0.0};
    for (int c = 1; c < 3; ++c)
        at[c] = cut->along[c] > 1 ? at[c] : 0;
    at[0] = at[0] < cut->along[0] ? at[0] : cut->along[0] - 1;
    return (at[2] * cut->along[1] + at[1]) * cut->along[0] + at[0];
}

/* Particles go to the pieces where they are; their contacts go with them, and stay as well. */
static void migrate(run *r, const cut *cut)
{
    static unsigned char buffer[1 << 20];
    int to[COUNT];
    for (int n = 0; n < COUNT; ++n)
        to[n] = piece_at(cut, r->all.x[n]);
    for (int from = 0; from < r->count; ++from) {
        snapshot s = snapshot_history(r->pieces[from].history);
        for (uint64_t k = 0; k < s.count; ++k) {
            const uint64_t i = s.rows[k].key.id_i, j = s.rows[k].key.id_j;
            r->both_moved += r->all.owner[i] == from && r->all.owner[j] == from && to[i] != from &&
                             to[j] != from;
        }
        snapshot_free(&s);
        for (int other = 0; other < r->count; ++other) {
            uint64_t ids[COUNT], count = 0, bytes = 0;
            for (uint64_t n = 0; n < COUNT; ++n)
                if (other != from && r->all.owner[n] == from && to[n] == other)
                    ids[count++] = n;
            r->moved += count;
            if (count == 0)
                continue;
            OK(dem_contact_history_pack(r->pieces[from].history, count, ids, buffer, sizeof(buffer),
                                        &bytes));
            OK(dem_contact_history_unpack(r->pieces[other].history, buffer, bytes));
        }
    }
    memcpy(r->all.owner, to, sizeof(to));
}

static int link_compare(const void *a, const void *b)
{
    const link *p = a, *q = b;
    if (p->lower != q->lower)
        return p->lower < q->lower ? -1 : 1;
    if (p->higher != q->higher)
        return p->higher < q->higher ? -1 : 1;
    if (p->image != q->image)
        return p->image < q->image ? -1 : 1;
    return (p->first > q->first) - (p->first < q->first);
}

static uint32_t row_add(piece *to, const particles *all, uint64_t id)
{
    const uint64_t row = to->rows++;
    assert_true(to->rows <= ROWS);
    memcpy(to->x[row], all->x[id], sizeof(to->x[row]));
    memcpy(to->v[row], all->v[id], sizeof(to->v[row]));
    memcpy(to->w[row], all->w[id], sizeof(to->w[row]));
    memcpy(to->a[row], all->a[id], sizeof(to->a[row]));
    memcpy(to->wa[row], all->wa[id], sizeof(to->wa[row]));
    to->radius[row] = all->radius[id];
    to->mass[row] = all->mass[id];
    to->id[row] = id;
    return (uint32_t)row;
}

/** Lists a pair of a row of the piece's own and another, whose period is `shift` periods on. */
static void link_add(piece *to, const particles *all, uint32_t own, uint32_t other, int shift)
{
    const uint64_t i = to->id[own], j = to->id[other];
    link *l = &to->links[to->pairs++];
    assert_true(to->pairs <= PAIRS);
    l->first = own;
    l->second = other;
    l->shift = shift * length;
    l->image_listed = shift + all->turns[i] - all->turns[j];
    l->lower = i < j ? i : j;
    l->higher = i < j ? j : i;
    l->image = i < j ? l->image_listed : -l->image_listed;
}

static int near(const particles *all, uint64_t i, uint64_t j, int shift)
{
    const double d[3] = {all->x[i][0] - all->x[j][0] - shift * length, all->x[i][1] - all->x[j][1],
                         all->x[i][2] - all->x[j][2]};
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < 1.1 * 1.1;
}

/** Rows and pairs of a piece. A ghost is a row for each particle and period. */
static void piece_list(run *r, int number, int ghosts)
{
    piece *to = &r->pieces[number];
    const particles *all = &r->all;
    uint32_t own[COUNT], ghost[COUNT][3];
    memset(ghost, 0xFF, sizeof(ghost));
    to->rows = to->pairs = 0;
    for (uint64_t n = 0; n < COUNT; ++n)
        own[n] = all->owner[n] == number ? row_add(to, all, n) : UINT32_MAX;
    to->owned = to->rows;
    for (uint64_t i = 0; i < COUNT; ++i)
        for (uint64_t j = 0; j < COUNT && own[i] != UINT32_MAX; ++j)
            for (int shift = -1; shift <= 1; ++shift) {
                if ((i == j && shift == 0) || !near(all, i, j, shift))
                    continue;
                const int here = own[j] != UINT32_MAX && (shift == 0 || !ghosts);
                if (here) {
                    if (i < j)
                        link_add(to, all, own[i], own[j], shift);
                    continue;
                }
                uint32_t *row = &ghost[j][shift + 1];
                if (*row == UINT32_MAX)
                    *row = row_add(to, all, j);
                r->twice += own[j] != UINT32_MAX;
                link_add(to, all, own[i], *row, shift);
            }
    qsort(to->links, (size_t)to->pairs, sizeof(to->links[0]), link_compare);
    for (uint64_t p = 0; p < to->pairs; ++p) {
        const link *l = &to->links[p];
        to->pair[p][0] = l->first;
        to->pair[p][1] = l->second;
        to->shifts[p][0] = l->shift;
        to->images[p][0] = l->image_listed;
    }
}

static void piece_evaluate(run *r, int number)
{
    piece *p = &r->pieces[number];
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.particle_count = p->rows;
    in.ghost_count = p->rows - p->owned;
    in.id = p->id;
    in.position = p->x[0];
    in.velocity = p->v[0];
    in.angular_velocity = p->w[0];
    in.acceleration = p->a[0];
    in.angular_acceleration = p->wa[0];
    in.radius = p->radius;
    in.mass = p->mass;
    in.pair_count = p->pairs;
    in.pairs = p->pair[0];
    in.shifts = p->shifts[0];
    in.images = p->images[0];
    in.dt = dt;
    in.velocity_lag = 0.5 * dt;
    memset(p->f, 0, sizeof(p->f));
    memset(p->t, 0, sizeof(p->t));
    in.force = p->f[0];
    in.torque = p->t[0];
    p->totals = (dem_contact_totals){.struct_size = sizeof(p->totals)};
    const dem_status status = dem_contacts_evaluate(p->history, &in, &p->totals);
    if (status != DEM_OK)
        fail_msg("piece %d: %s", number, dem_contact_history_error(p->history));
}

static void kick(particles *all)
{
    for (int n = 0; n < COUNT; ++n)
        for (int c = 0; c < 3; ++c) {
            all->v[n][c] += all->a[n][c] * (0.5 * dt);
            all->w[n][c] += all->wa[n][c] * (0.5 * dt);
        }
}

static void drift(particles *all)
{
    for (int n = 0; n < COUNT; ++n) {
        for (int c = 0; c < 3; ++c)
            all->x[n][c] += all->v[n][c] * dt;
        const int turns = (all->x[n][0] >= length) - (all->x[n][0] < 0.0);
        all->x[n][0] -= turns * length;
        all->turns[n] += turns;
    }
}

/** Accelerations from the forces of the pieces. */
static void accelerate(run *r)
{
    particles *all = &r->all;
    for (int k = 0; k < r->count; ++k) {
        const piece *p = &r->pieces[k];
        for (uint64_t row = 0; row < p->owned; ++row) {
            const uint64_t n = p->id[row];
            const double inertia = 0.4 * all->mass[n] * all->radius[n] * all->radius[n];
            for (int c = 0; c < 3; ++c) {
                const double axis = c == 0 ? 0.0 : -40.0 * all->x[n][c];
                all->a[n][c] = p->f[row][c] / all->mass[n] + axis;
                all->wa[n][c] = p->t[row][c] / inertia;
            }
        }
    }
}

/** Corner ghosts: those that differ from the piece in more than one direction. */
static void corners_count(run *r, const cut *cut)
{
    for (int k = 0; k < r->count; ++k)
        for (uint64_t row = r->pieces[k].owned; row < r->pieces[k].rows; ++row) {
            const int from = r->all.owner[r->pieces[k].id[row]];
            const int x = cut->along[0], xy = x * cut->along[1];
            r->corners += (k % x != from % x) +
                              (k / x % cut->along[1] != from / x % cut->along[1]) +
                              (k / xy != from / xy) >
                          1;
        }
}

static void pieces_make(run *r, const cut *cut, int law)
{
    r->count = cut->along[0] * cut->along[1] * cut->along[2];
    r->pieces = calloc((size_t)r->count, sizeof(*r->pieces));
    assert_non_null(r->pieces);
    for (int k = 0; k < r->count; ++k)
        r->pieces[k].history = history_make(law);
    for (int n = 0; n < COUNT; ++n)
        r->all.owner[n] = piece_at(cut, r->all.x[n]);
}

static void run_steps(run *r, const cut *cut, int ghosts, int begin, int end)
{
    for (int step = begin; step < end; ++step) {
        if (step % MIGRATION == 0)
            migrate(r, cut);
        kick(&r->all);
        drift(&r->all);
        double elastic = 0.0;
        r->contacts = 0;
        for (int k = 0; k < r->count; ++k) {
            piece_list(r, k, ghosts);
            piece_evaluate(r, k);
            const dem_contact_totals *t = &r->pieces[k].totals;
            elastic += t->elastic_energy;
            r->contacts += t->contacts;
            r->dissipated += t->dissipated_normal + t->dissipated_dashpot + t->dissipated_slip;
        }
        r->energy = elastic;
        accelerate(r);
        kick(&r->all);
        corners_count(r, cut);
    }
}

static void run_make(run *r, const cut *given, int law)
{
    const int ghosts = given->along[0] > 0;
    const cut cut = {{ghosts ? given->along[0] : 1, given->along[1], given->along[2]}};
    memset(r, 0, sizeof(*r));
    particles_make(&r->all);
    pieces_make(r, &cut, law);
    run_steps(r, &cut, ghosts, 0, STEPS);
}

static void run_free(run *r)
{
    for (int k = 0; k < r->count; ++k)
        dem_contact_history_destroy(r->pieces[k].history);
    free(r->pieces);
}

/** The contacts of all pieces are those of one, bit by bit. */
static void contacts_equal(const run *one, const run *many)
{
    const snapshot whole = snapshot_history(one->pieces[0].history);
    uint64_t found = 0;
    for (int k = 0; k < many->count; ++k) {
        snapshot part = snapshot_history(many->pieces[k].history);
        for (uint64_t m = 0; m < part.count; ++m) {
            uint64_t n = 0;
            while (n < whole.count && memcmp(&whole.rows[n], &part.rows[m], sizeof(whole.rows[n])))
                ++n;
            assert_true(n < whole.count);
            found += many->all.owner[part.rows[m].key.id_i] == k;
        }
        snapshot_free(&part);
    }
    assert_true(whole.count > 50);
    assert_int_equal(found, whole.count);
    assert_int_equal(one->contacts, many->contacts);
    free(whole.rows);
}

static void same_bits(int law)
{
    static const cut cuts[] = {{{0, 1, 1}}, {{1, 1, 1}}, {{2, 1, 1}}, {{2, 2, 1}}, {{2, 2, 2}}};
    static run one, many;
    run_make(&one, &cuts[0], law);
    assert_true(one.dissipated > 0.0);
    for (int k = 1; k < 5; ++k) {
        run_make(&many, &cuts[k], law);
        assert_memory_equal(one.all.x, many.all.x, sizeof(one.all.x));
        assert_memory_equal(one.all.v, many.all.v, sizeof(one.all.v));
        assert_memory_equal(one.all.w, many.all.w, sizeof(one.all.w));
        contacts_equal(&one, &many);
        assert_true(fabs(many.energy - one.energy) <= 1e-13 * one.energy);
        assert_true(fabs(many.dissipated - one.dissipated) <= 1e-12 * one.dissipated);
        /* what the test is for did happen */
        assert_true(k == 1 ? many.twice > 100 && many.moved == 0
                           : many.moved > 50 && many.both_moved > 3);
        assert_true((many.corners > 100) == (k >= 3));
        run_free(&many);
    }
    run_free(&one);
}

/** Cuts a system anew: each new piece reads the snapshots of all old ones. What it does not list
 * ends with its next evaluation. */
static void cut_again(run *r, const cut *cut, int law)
{
    piece *const before = r->pieces;
    const int count = r->count;
    pieces_make(r, cut, law);
    for (int from = 0; from < count; ++from) {
        uint64_t bytes = 0;
        OK(dem_contact_history_snapshot_size(before[from].history, &bytes));
        void *buffer = malloc((size_t)bytes);
        assert_non_null(buffer);
        OK(dem_contact_history_snapshot(before[from].history, buffer, bytes, NULL));
        for (int k = 0; k < r->count; ++k)
            OK(dem_contact_history_unpack(r->pieces[k].history, buffer, bytes));
        free(buffer);
        dem_contact_history_destroy(before[from].history);
    }
    free(before);
}

/** A run that goes on with another number of pieces has the bits of one that does not. */
static void other_number(void **state)
{
    (void)state;
    test_long();
    static const cut whole = {{0, 1, 1}};
    static const cut cuts[][2] = {
        {{{2, 2, 1}}, {{2, 1, 1}}}, {{{2, 1, 1}}, {{2, 2, 2}}}, {{{2, 2, 2}}, {{1, 1, 1}}}};
    static run one, many;
    for (int law = 0; law < LAWS; ++law) {
        run_make(&one, &whole, law);
        for (int k = 0; k < 3; ++k) {
            memset(&many, 0, sizeof(many));
            particles_make(&many.all);
            pieces_make(&many, &cuts[k][0], law);
            run_steps(&many, &cuts[k][0], 1, 0, STEPS / 2);
            cut_again(&many, &cuts[k][1], law);
            run_steps(&many, &cuts[k][1], 1, STEPS / 2, STEPS);
            assert_memory_equal(one.all.x, many.all.x, sizeof(one.all.x));
            assert_memory_equal(one.all.v, many.all.v, sizeof(one.all.v));
            assert_memory_equal(one.all.w, many.all.w, sizeof(one.all.w));
            contacts_equal(&one, &many);
            run_free(&many);
        }
        run_free(&one);
    }
}

static void linear(void **state)
{
    (void)state;
    test_long();
    same_bits(LINEAR);
}

static void hertz_mindlin(void **state)
{
    (void)state;
    test_long();
    same_bits(MINDLIN);
}

static void mindlin_deresiewicz(void **state)
{
    (void)state;
    test_long();
    same_bits(DERESIEWICZ);
}

static void jkr(void **state)
{
    (void)state;
    same_bits(JKR);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear),
        cmocka_unit_test(hertz_mindlin),
        cmocka_unit_test(mindlin_deresiewicz),
        cmocka_unit_test(jkr),
        cmocka_unit_test(other_number),
    };
    return cmocka_run_group_tests_name("cuts", tests, NULL, NULL);
}
