/* SPDX-License-Identifier: MIT */
/* The oblique impacts of Li et al. (2022): the normal impact, the sliding branch in closed form,
 * and each law at each angle. */
#include "cases.h"
#include "oblique.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

typedef struct table_row {
    oblique_law law;
    double tolerance;       /* of e_t */
    double e_t[5], spin[5]; /* at 10 to 50 degrees */
} table_row;

/* Reproduced independently of this library; dt 1e-8 s. */
static const table_row TABLE[] = {
    {{"M4_exact", DEM_LAW_MINDLIN_DERESIEWICZ, 0, 0, 1.0},
     1e-3,
     {.6402, .5963, .6845, .7829, .8471},
     {250.0, 552.3, 631.0, 558.0, 468.0}},
};

void case_kharaz_normal(ledger *l)
{
    l->paper = "li";
    l->name = "normal-impact";
    static const double figures[2][3] = {{1.0, 17.315e-6, 302.39}, {0.98, 17.177e-6, 298.78}};
    for (int k = 0; k < 2; ++k) {
        oblique_impact impact = oblique_standard(0.0);
        impact.restitution = figures[k][0];
        impact.dt = 1e-9;
        const oblique_result r = oblique_run(&TABLE[0].law, &impact);
        if (k == 0) {
            ledger_near(l, "duration_s", r.duration, 12.741e-6, 12.741e-9);
            ledger_near(l, "restitution", r.normal, 1.0, 1e-6);
        }
        ledger_near(l, k == 0 ? "overlap_e1" : "overlap_e0.98", r.overlap, figures[k][1],
                    1e-3 * figures[k][1]);
        ledger_near(l, k == 0 ? "force_e1" : "force_e0.98", r.force, figures[k][2],
                    1e-3 * figures[k][2]);
    }
}

void case_kharaz_table(ledger *l)
{
    l->paper = "li";
    l->name = "oblique-impact";
    for (size_t row = 0; row < sizeof TABLE / sizeof TABLE[0]; ++row)
        for (int k = 0; k < 5; ++k) {
            const oblique_impact impact = oblique_standard(10.0 * (k + 1));
            const oblique_result r = oblique_run(&TABLE[row].law, &impact);
            const double cosine = cos(impact.degrees * PI / 180.0);
            /* the two figures of a row hang together: m v (1 - e_t) r = I omega */
            const double spin_tolerance =
                TABLE[row].tolerance * 4.0 * sin(acos(cosine)) / (0.4 * OBLIQUE_RADIUS);
            char quantity[64];
            (void)snprintf(quantity, sizeof quantity, "%s_%ddeg_e_t", TABLE[row].law.name,
                           10 * (k + 1));
            ledger_near(l, quantity, r.tangential, TABLE[row].e_t[k], TABLE[row].tolerance);
            (void)snprintf(quantity, sizeof quantity, "%s_%ddeg_spin", TABLE[row].law.name,
                           10 * (k + 1));
            ledger_near(l, quantity, r.spin, TABLE[row].spin[k], spin_tolerance + 0.5);
            (void)snprintf(quantity, sizeof quantity, "%s_%ddeg_e_n", TABLE[row].law.name,
                           10 * (k + 1));
            ledger_near(l, quantity, r.normal, 0.98008, 1e-5);
            (void)snprintf(quantity, sizeof quantity, "%s_%ddeg_energy", TABLE[row].law.name,
                           10 * (k + 1));
            ledger_near(l, quantity, r.balance, 0.0, 1e-6);
        }
}

/* Sliding all the way: e_t = 1 - mu (1 + e_n) cot(theta), omega = 5 mu (1 + e_n) v cos(theta)/2R.
 */
void case_kharaz_sliding(ledger *l)
{
    l->paper = "li";
    l->name = "sliding-branch";
    for (size_t row = 0; row < sizeof TABLE / sizeof TABLE[0]; ++row)
        for (int degrees = 30; degrees <= 50; degrees += 10) {
            const oblique_impact impact = oblique_standard(degrees);
            const oblique_result r = oblique_run(&TABLE[row].law, &impact);
            const double theta = degrees * PI / 180.0;
            const double pull = OBLIQUE_FRICTION * (1.0 + r.normal);
            const double spin = 2.5 * pull * impact.speed * cos(theta) / OBLIQUE_RADIUS;
            char quantity[64];
            (void)snprintf(quantity, sizeof quantity, "%s_%ddeg_e_t", TABLE[row].law.name, degrees);
            ledger_near(l, quantity, r.tangential, 1.0 - pull / tan(theta), 1e-4);
            (void)snprintf(quantity, sizeof quantity, "%s_%ddeg_spin_ratio", TABLE[row].law.name,
                           degrees);
            ledger_near(l, quantity, r.spin / spin, 1.0, 1e-4);
        }
}
