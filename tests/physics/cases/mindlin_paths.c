/* SPDX-License-Identifier: MIT */
/* The laws of Mindlin and Deresiewicz along given paths: closed forms, an exact oracle in one
 * dimension, a fine row of springs in two. */
#include "cases.h"
#include "memory_diagram.h"
#include "oblique.h"
#include "path.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static const double DEEP = PATH_OVERLAP;
static const char *const ROWS[2] = {DEM_LAW_MINDLIN_DERESIEWICZ, DEM_LAW_MINDLIN_DERESIEWICZ_32};
static const int SPRINGS[2] = {16, 32};

static void open_row(path *p, const char *law)
{
    const dem_hertz hertz = oblique_hertz();
    dem_mindlin mindlin;
    MUST(dem_mindlin_init(&mindlin));
    mindlin.friction = OBLIQUE_FRICTION;
    path_open(p, &hertz, law, &mindlin);
}

/* All lanes to an overlap of DEEP, by growth in steps of a factor that differs between lanes: the
 * spacing of a row depends on how it grew. Lane 0 gets there at once. */
static void press(path *p)
{
    enum { STEPS = 40 };
    for (int s = 1; s <= STEPS; ++s) {
        for (int k = 0; k < PATH_LANES; ++k)
            p->overlap[k] = k == 0 ? (s == STEPS ? DEEP : 0.0)
                                   : DEEP * pow(10.0, -6.0 * k / PATH_LANES * (STEPS - s) / STEPS);
        path_step(p);
    }
}

/* Moves all lanes by `step` along x, in parts. */
static void shear(path *p, double step, int parts)
{
    for (int s = 0; s < parts; ++s) {
        for (int k = 0; k < PATH_LANES; ++k)
            p->increment[0][k] = step / parts;
        path_step(p);
    }
}

/* Largest error of -F_x over mu N among the lanes. */
static double worst(const path *p, double expected, double scale)
{
    double largest = 0.0;
    for (int k = 0; k < PATH_LANES; ++k)
        largest = fmax(largest, fabs(-p->force[0][k] - expected) / scale);
    return largest;
}

/* Loading, unloading and reloading at constant normal force (Mindlin and Deresiewicz 1953). */
void case_mindlin_closed_forms(ledger *l)
{
    static path p;
    const path_figures f = path_pair();
    const double most = OBLIQUE_FRICTION * f.load;
    l->paper = "mindlin-deresiewicz";
    l->name = "constant-normal-force";
    ledger_near(l, SHEET, "N", f.load, 132.7136, 1e-4);
    ledger_near(l, SHEET, "K0", f.slope, 1.710300e7, 10.0);
    ledger_near(l, SHEET, "delta_s", f.slip, 1.070834e-6, 1e-12);
    static const double reach[2] = {0.5, 0.8};
    static const double area_sheet[2] = {9.51722e-7, 4.49057e-6};
    for (int row = 0; row < 2; ++row)
        for (int r = 0; r < 2; ++r) {
            enum { PARTS = 50 };
            char quantity[80];
            const double top = reach[r] * f.slip;
            const double peak = most * (1.0 - pow(1.0 - reach[r], 1.5)), tau = peak / most;
            double error[3] = {0.0, 0.0, 0.0};
            open_row(&p, ROWS[row]);
            press(&p);
            for (int s = 1; s <= PARTS; ++s) {
                shear(&p, top / PARTS, 1);
                const double x = 1.0 - top * s / PARTS / f.slip;
                error[0] = fmax(error[0], worst(&p, most * (1.0 - x * sqrt(x)), most));
            }
            double began[PATH_LANES], gone[PATH_LANES];
            memcpy(began, p.work, sizeof began);
            for (int s = 1; s <= PARTS; ++s) {
                shear(&p, -2.0 * top / PARTS, 1);
                const double x = 1.0 - (2.0 * top * s / PARTS) / (2.0 * f.slip);
                error[1] = fmax(error[1], worst(&p, peak - 2.0 * most * (1.0 - x * sqrt(x)), most));
            }
            for (int s = 1; s <= PARTS; ++s) {
                shear(&p, 2.0 * top / PARTS, 1);
                const double x = 1.0 - (2.0 * top * s / PARTS) / (2.0 * f.slip);
                error[2] =
                    fmax(error[2], worst(&p, -peak + 2.0 * most * (1.0 - x * sqrt(x)), most));
            }
            /* the area of the loop, by the work along it */
            const double q = cbrt(1.0 - tau);
            const double area = 36.0 / 5.0 * most * most / f.slope *
                                (1.0 - q * q * q * q * q - 5.0 * tau / 6.0 * (1.0 + q * q));
            double off = 0.0;
            for (int k = 0; k < PATH_LANES; ++k) {
                gone[k] = p.work[k] - began[k];
                off = fmax(off, fabs(gone[k] / area - 1.0));
            }
            if (row == 0) {
                (void)snprintf(quantity, sizeof quantity, "area_closed_form_%g", reach[r]);
                ledger_near(l, SHEET | OF_ORACLE, quantity, area, area_sheet[r],
                            1e-5 * area_sheet[r]);
            }
            static const char *const part[3] = {"loading", "unloading", "reloading"};
            for (int k = 0; k < 3; ++k) {
                (void)snprintf(quantity, sizeof quantity, "row%d_%s_%g", SPRINGS[row], part[k],
                               reach[r]);
                ledger_below(l, CLOSED_FORM, quantity, error[k], row == 0 ? 0.01 : 0.0025);
            }
            (void)snprintf(quantity, sizeof quantity, "row%d_area_%g_at_once", SPRINGS[row],
                           reach[r]);
            static const double bound[2][2] = {{.016, .006}, {.004, .0015}};
            static const double grown[2][2] = {{.08, .025}, {.025, .01}};
            ledger_near(l, CLOSED_FORM, quantity, gone[0] / area, 1.0, bound[row][r]);
            /* grown to between half its springs and all of them */
            (void)snprintf(quantity, sizeof quantity, "row%d_area_%g_grown", SPRINGS[row],
                           reach[r]);
            ledger_below(l, CLOSED_FORM, quantity, off, grown[row][r]);
        }
}

/* Proportional loading: T = min(kappa s, mu) N for d(delta_t)/d(delta) = s. */
void case_mindlin_proportional(ledger *l)
{
    static path p;
    const path_figures f = path_pair();
    l->paper = "mindlin-deresiewicz";
    l->name = "proportional-loading";
    for (int row = 0; row < 2; ++row) {
        enum { STEPS = 2000 };
        double error = 0.0;
        open_row(&p, ROWS[row]);
        for (int s = 1; s <= STEPS; ++s) {
            for (int k = 0; k < PATH_LANES; ++k) {
                const double ratio = 0.05 * (k - PATH_LANES / 2) * OBLIQUE_FRICTION / f.kappa;
                p.overlap[k] = DEEP * s / STEPS;
                p.increment[0][k] = ratio * DEEP / STEPS;
            }
            path_step(&p);
        }
        for (int k = 0; k < PATH_LANES; ++k) {
            double t = 0.05 * (k - PATH_LANES / 2);
            t = t > 1.0 ? 1.0 : t < -1.0 ? -1.0 : t;
            error = fmax(error, fabs(-p.force[0][k] / (OBLIQUE_FRICTION * f.load) - t));
        }
        char quantity[64];
        (void)snprintf(quantity, sizeof quantity, "row%d_over_mu_N", SPRINGS[row]);
        ledger_below(l, CLOSED_FORM, quantity, error, 1e-3);
    }
}

/* Random paths in (overlap, displacement) against the memory diagram. */
void case_mindlin_memory_diagram(ledger *l)
{
    static path p;
    static memory_diagram oracle[PATH_LANES];
    const path_figures f = path_pair();
    l->paper = "mindlin-deresiewicz";
    l->name = "memory-diagram";
    double rms[2];
    for (int row = 0; row < 2; ++row) {
        enum { LEGS = 30, PARTS = 40 };
        uint64_t seed = 12345;
        double goal[2][PATH_LANES], from[2][PATH_LANES], place[PATH_LANES] = {0.0};
        double sum = 0.0, largest = 0.0;
        open_row(&p, ROWS[row]);
        for (int k = 0; k < PATH_LANES; ++k) {
            diagram_open(&oracle[k], OBLIQUE_FRICTION, f.kappa, f.stiffness);
            goal[0][k] = goal[1][k] = 0.0;
        }
        for (int leg = 0; leg < LEGS; ++leg) {
            for (int k = 0; k < PATH_LANES; ++k) {
                from[0][k] = goal[0][k];
                from[1][k] = goal[1][k];
                goal[0][k] = scene_random(&seed, 0.1, 1.0) * DEEP;
                goal[1][k] = scene_random(&seed, -1.0, 1.0) * f.slip;
            }
            for (int s = 1; s <= PARTS; ++s) {
                double expected[PATH_LANES];
                for (int k = 0; k < PATH_LANES; ++k) {
                    const double x = from[1][k] + (goal[1][k] - from[1][k]) * s / PARTS;
                    p.overlap[k] = from[0][k] + (goal[0][k] - from[0][k]) * s / PARTS;
                    p.increment[0][k] = x - place[k];
                    expected[k] = diagram_move(&oracle[k], p.overlap[k], x - place[k]);
                    place[k] = x;
                }
                path_step(&p);
                if (leg == 0)
                    continue; /* the row has not found its spacing */
                for (int k = 0; k < PATH_LANES; ++k) {
                    const double most =
                        OBLIQUE_FRICTION * f.stiffness * p.overlap[k] * sqrt(p.overlap[k]);
                    const double off = (-p.force[0][k] - expected[k]) / most;
                    sum += off * off;
                    largest = fmax(largest, fabs(off));
                }
            }
        }
        rms[row] = sqrt(sum / ((LEGS - 1) * PARTS * PATH_LANES));
        char quantity[64];
        (void)snprintf(quantity, sizeof quantity, "row%d_rms_over_mu_N", SPRINGS[row]);
        ledger_below(l, INTEGRATION, quantity, rms[row], row == 0 ? 5e-3 : 2e-3);
        (void)snprintf(quantity, sizeof quantity, "row%d_largest_over_mu_N", SPRINGS[row]);
        ledger_below(l, INTEGRATION, quantity, largest, row == 0 ? 0.08 : 0.03);
    }
    ledger_below(l, ORDER, "rms_row32_over_row16", rms[1] / rms[0], 0.5);
}
