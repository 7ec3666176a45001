/* SPDX-License-Identifier: MIT */
/* A contact led round a closed path in (overlap, displacement) must never yield work. The forms of
 * the papers do; the default laws do not. */
#include "cases.h"
#include "oblique.h"
#include "path.h"
#include "scene.h"

#include <math.h>
#include <string.h>

typedef struct tested {
    const char *name, *law;
    int32_t form, slider;
    int passive;
} tested;

static const tested TESTED[] = {
    {"walton", DEM_LAW_MINDLIN, DEM_MINDLIN_RESCALED, DEM_SLIDER_CSDS, 1},
    {"exact16", DEM_LAW_MINDLIN_DERESIEWICZ, 0, 0, 1},
    {"exact32", DEM_LAW_MINDLIN_DERESIEWICZ_32, 0, 0, 1},
    {"li_eq5", DEM_LAW_MINDLIN, DEM_MINDLIN_SECANT, DEM_SLIDER_LI, 0},
    {"secant", DEM_LAW_MINDLIN, DEM_MINDLIN_SECANT, DEM_SLIDER_TRUNCATED, 0},
    {"no_rescale", DEM_LAW_MINDLIN, DEM_MINDLIN_INCREMENTAL, DEM_SLIDER_TRUNCATED, 0},
    {"three_case", DEM_LAW_MINDLIN_THREE_CASE, 0, 0, 0},
};
enum { TESTED_COUNT = sizeof TESTED / sizeof TESTED[0], LEGS = 6, PARTS = 20, LI_ROW = 3 };

static void open_tested(path *p, const tested *t, double restitution)
{
    dem_hertz hertz = oblique_hertz();
    hertz.restitution = restitution;
    dem_mindlin mindlin;
    MUST(dem_mindlin_init(&mindlin));
    mindlin.friction = OBLIQUE_FRICTION;
    mindlin.form = t->form;
    mindlin.slider = t->slider;
    mindlin.restitution = 1.0; /* no tangential dashpot that could hide a gain */
    path_open(p, &hertz, t->law, &mindlin);
}

/* Number of lanes whose random closed path yielded more than round-off: more than 1e-12 of the
 * largest elastic energy that the contact could hold. Steps change the overlap and the displacement
 * in turn, so that the work along the path is summed exactly. */
static int yielding(const tested *t, double amplitude, int driven, uint64_t *seed)
{
    static path p;
    const path_figures f = path_pair();
    double goal[3][PATH_LANES], from[3][PATH_LANES], place[3][PATH_LANES] = {{0.0}};
    open_tested(&p, t, driven ? 0.3 : 1.0);
    for (int k = 0; k < PATH_LANES; ++k) {
        p.overlap[k] = goal[0][k] = PATH_OVERLAP;
        goal[1][k] = goal[2][k] = 0.0;
    }
    path_step(&p);
    for (int leg = 0; leg < LEGS; ++leg) {
        const int last = leg == LEGS - 1;
        const double reach = amplitude * OBLIQUE_FRICTION / f.kappa * PATH_OVERLAP;
        for (int k = 0; k < PATH_LANES; ++k) {
            for (int c = 0; c < 3; ++c)
                from[c][k] = goal[c][k];
            goal[0][k] = (last ? 1.0 : scene_random(seed, 0.25, 1.75)) * PATH_OVERLAP;
            /* half the paths stay on a line */
            goal[1][k] = last ? 0.0 : scene_random(seed, -reach, reach);
            goal[2][k] = last || k % 2 == 0 ? 0.0 : scene_random(seed, -reach, reach);
        }
        for (int s = 1; s <= PARTS; ++s) {
            double step[2][PATH_LANES];
            for (int k = 0; k < PATH_LANES; ++k) {
                for (int c = 1; c < 3; ++c) {
                    const double x = from[c][k] + (goal[c][k] - from[c][k]) * s / PARTS;
                    step[c - 1][k] = x - place[c][k];
                    place[c][k] = x;
                }
                p.overlap[k] = from[0][k] + (goal[0][k] - from[0][k]) * s / PARTS;
                p.increment[0][k] = p.increment[1][k] = 0.0;
                /* the dashpot takes the total normal force to between 0 and twice the elastic */
                const double a = dem_kernel_contact_radius_hertz(OBLIQUE_RADIUS, p.overlap[k]);
                const double eta = dem_kernel_damping_hertz(1.0, 1.0, f.young, a);
                p.damping_normal[k] = driven ? scene_random(seed, -1.0, 1.3) * f.load / eta : 0.0;
            }
            path_step(&p);
            for (int k = 0; k < PATH_LANES; ++k)
                for (int c = 0; c < 2; ++c)
                    p.increment[c][k] = step[c][k];
            path_step(&p);
        }
    }
    int count = 0;
    const double most = OBLIQUE_FRICTION * f.load * OBLIQUE_FRICTION * f.load / f.slope;
    for (int k = 0; k < PATH_LANES; ++k)
        count += p.work[k] < -1e-12 * most;
    return count;
}

/* 10,240 closed paths a law, at four amplitudes of the displacement over that of full slip. */
void case_mindlin_passivity(ledger *l)
{
    static const double amplitudes[4] = {0.02, 0.05, 0.2, 0.6};
    /* what another program found for Eq. (5) as printed: 195, 192 and 195 of 400 */
    static const double li[4] = {0.0, 195.0 / 400.0, 192.0 / 400.0, 195.0 / 400.0};
    enum { BATCHES = 40 };
    l->paper = "passivity";
    l->name = "random-closed-paths";
    for (int t = 0; t < TESTED_COUNT; ++t) {
        int all = 0, batches = 0;
        for (int a = 0; a < 4; ++a) {
            uint64_t seed = 77;
            int count = 0;
            for (int k = 0; k < BATCHES; ++k, ++batches)
                count += yielding(&TESTED[t], amplitudes[a], 0, &seed);
            char quantity[80];
            (void)snprintf(quantity, sizeof quantity, "%s_share_at_%g", TESTED[t].name,
                           amplitudes[a]);
            all += count;
            const double share = count / (double)(BATCHES * PATH_LANES);
            if (TESTED[t].passive)
                ledger_near(l, CONSERVATION, quantity, share, 0.0, 0.0);
            else if (t == LI_ROW && a > 0) /* of 400 paths each: twice their scatter */
                ledger_near(l, SHEET, quantity, share, li[a], 0.05);
            else if (amplitudes[a] < 0.1) /* small cycles, where sliding hides nothing */
                ledger_above(l, BOUND, quantity, share, 0.02);
        }
        fprintf(stderr, "%s: %d of %d closed paths yield work\n", TESTED[t].name, all,
                batches * PATH_LANES);
    }
}

/* The same with a dashpot that takes the normal force to zero and beyond the elastic one. */
void case_mindlin_passivity_driven(ledger *l)
{
    static const double amplitudes[4] = {0.02, 0.05, 0.2, 0.6};
    enum { BATCHES = 10 };
    l->paper = "passivity";
    l->name = "driven-closed-paths";
    for (int t = 0; t < TESTED_COUNT; ++t) {
        if (!TESTED[t].passive)
            continue;
        uint64_t seed = 99;
        int count = 0;
        for (int k = 0; k < BATCHES; ++k)
            for (int a = 0; a < 4; ++a)
                count += yielding(&TESTED[t], amplitudes[a], 1, &seed);
        char quantity[80];
        (void)snprintf(quantity, sizeof quantity, "%s_count", TESTED[t].name);
        ledger_near(l, CONSERVATION, quantity, count, 0.0, 0.0);
    }
}

/* Work taken in and given out along one directed path. `shear_deep`: sheared at 2.5 times the
 * overlap and let go at the overlap; else the other way round. The net work over that of the
 * shearing. */
static double directed(const tested *t, int shear_deep)
{
    static path p;
    const path_figures f = path_pair();
    enum { STEPS = 200 };
    const double reach = 0.02 * f.slip;
    open_tested(&p, t, 1.0);
    const double first = shear_deep ? 2.5 * PATH_OVERLAP : PATH_OVERLAP;
    const double last = shear_deep ? PATH_OVERLAP : 2.5 * PATH_OVERLAP;
    memset(p.increment, 0, sizeof p.increment);
    for (int k = 0; k < PATH_LANES; ++k)
        p.overlap[k] = first;
    path_step(&p);
    for (int s = 0; s < STEPS; ++s) {
        p.increment[0][0] = reach / STEPS;
        path_step(&p);
    }
    const double taken = p.work[0];
    p.increment[0][0] = 0.0;
    for (int s = 1; s <= STEPS; ++s) {
        for (int k = 0; k < PATH_LANES; ++k)
            p.overlap[k] = first + (last - first) * s / STEPS;
        path_step(&p);
    }
    for (int s = 0; s < STEPS; ++s) {
        p.increment[0][0] = -reach / STEPS;
        path_step(&p);
    }
    return p.work[0] / taken;
}

void case_mindlin_directed(ledger *l)
{
    l->paper = "passivity";
    l->name = "directed-paths";
    const double root = sqrt(2.5);
    for (int t = 0; t < TESTED_COUNT; ++t) {
        char quantity[80];
        const double raised = directed(&TESTED[t], 0), lowered = directed(&TESTED[t], 1);
        (void)snprintf(quantity, sizeof quantity, "%s_shear_raise_unshear", TESTED[t].name);
        /* a kept displacement gives back k(2.5 overlap)/k(overlap) of the work */
        if (TESTED[t].form == DEM_MINDLIN_SECANT)
            ledger_near(l, CLOSED_FORM, quantity, raised, 1.0 - root, 1e-6);
        else if (TESTED[t].passive)
            ledger_above(l, CONSERVATION, quantity, raised, -1e-14);
        (void)snprintf(quantity, sizeof quantity, "%s_shear_lower_unshear", TESTED[t].name);
        /* a kept force gives back 2 - k(overlap)/k(2.5 overlap) of it */
        if (TESTED[t].form == DEM_MINDLIN_INCREMENTAL)
            ledger_near(l, CLOSED_FORM, quantity, lowered, 1.0 / root - 1.0, 1e-6);
        else if (TESTED[t].passive)
            ledger_above(l, CONSERVATION, quantity, lowered, -1e-14);
    }
}
