/* SPDX-License-Identifier: MIT */
/* Tables of the Hertz family: tangential restitution over the angle of impact, and loops of the
 * tangential force. */
#include "hertz.h"

#include "../physics/cases/ledger.h"
#include "../physics/cases/oblique.h"
#include "../physics/cases/path.h"

#include <math.h>
#include <stdlib.h>

static FILE *create(const char *folder, const char *name, const char *header)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        exit(1);
    }
    fprintf(out, "%s\n", header);
    return out;
}

static void impacts(const char *folder)
{
    static const oblique_law laws[] = {
        {"M1_secant_dsds", DEM_LAW_MINDLIN, DEM_MINDLIN_SECANT, DEM_SLIDER_DSDS, 1.0},
        {"M1_walton", DEM_LAW_MINDLIN, 0, 0, 1.0},
        {"M2_linear", NULL, 0, 0, 1.0},
        {"M3_secant_dsds", DEM_LAW_MINDLIN, DEM_MINDLIN_SECANT, DEM_SLIDER_DSDS, 2.0 / 3.0},
        {"M4_exact", DEM_LAW_MINDLIN_DERESIEWICZ, 0, 0, 1.0},
    };
    FILE *out = create(folder, "kharaz.csv",
                       "degrees,M1_secant_dsds,M1_walton,M2_linear,M3_secant_dsds,M4_exact");
    for (double degrees = 1.0; degrees <= 60.0; degrees += degrees < 30.0 ? 0.5 : 2.0) {
        oblique_impact impact = oblique_standard(degrees);
        impact.speed = 3.9;
        fprintf(out, "%g", degrees);
        for (size_t k = 0; k < sizeof laws / sizeof laws[0]; ++k)
            fprintf(out, ",%.6g", oblique_run(&laws[k], &impact).tangential);
        fprintf(out, "\n");
    }
    (void)fclose(out);
    out = create(folder, "kharaz_measured.csv", "degrees,e_t");
    for (int k = 0; k < OBLIQUE_MEASURED; ++k)
        fprintf(out, "%g,%g\n", oblique_measured_e_t[k][0], oblique_measured_e_t[k][1]);
    (void)fclose(out);
}

/* Figs 4d, 4e and 5f of Li et al.: psi_2 over psi_1, and energies after the impact over that before
 * it. What was measured follows from e_t and e_n = .98 by the impulses. */
static void printed(const char *folder)
{
    static const oblique_law exact = {"M4_exact", DEM_LAW_MINDLIN_DERESIEWICZ, 0, 0, 1.0};
    FILE *out = create(folder, "li.csv",
                       "degrees,psi_1,M1_psi_2,M1_E,M1_W,M2_psi_2,M2_E,M2_W,M3_psi_2,M3_E,M3_W,"
                       "exact_psi_2,exact_E,exact_W");
    for (double degrees = 1.0; degrees <= 60.0; degrees += 0.5) {
        const oblique_impact impact = oblique_standard(degrees);
        for (int k = 0; k <= OBLIQUE_LI; ++k) {
            const oblique_law *law = k < OBLIQUE_LI ? &oblique_li[k] : &exact;
            const oblique_result r = oblique_run(law, &impact);
            const oblique_indicators i = oblique_indicate(&impact, &r);
            if (k == 0)
                fprintf(out, "%g,%.6g", degrees, i.psi_in);
            fprintf(out, ",%.6g,%.6g,%.6g", i.psi_out, i.energy_out / i.energy_in,
                    i.energy_spin / i.energy_in);
        }
        fprintf(out, "\n");
    }
    (void)fclose(out);
    out = create(folder, "li_measured.csv", "degrees,psi_1,psi_2,E,W");
    for (int k = 0; k < OBLIQUE_MEASURED; ++k) {
        const oblique_impact impact = oblique_standard(oblique_measured_e_t[k][0]);
        const double theta = impact.degrees * acos(-1.0) / 180.0, e_t = oblique_measured_e_t[k][1];
        const oblique_result r = {.normal = 0.98,
                                  .tangential = e_t,
                                  .angular_velocity = 2.5 * (1.0 - e_t) * impact.speed *
                                                      sin(theta) / OBLIQUE_RADIUS};
        const oblique_indicators i = oblique_indicate(&impact, &r);
        fprintf(out, "%g,%.6g,%.6g,%.6g,%.6g\n", impact.degrees, i.psi_in, i.psi_out,
                i.energy_out / i.energy_in, i.energy_spin / i.energy_in);
    }
    (void)fclose(out);
}

/* Lane 0 of a path at constant normal force. */
static void shear(path *p, double step)
{
    p->increment[0][0] = step;
    path_step(p);
}

static void loops(const char *folder)
{
    static path p[2];
    static const char *const laws[2] = {DEM_LAW_MINDLIN_DERESIEWICZ,
                                        DEM_LAW_MINDLIN_DERESIEWICZ_32};
    const path_figures f = path_pair();
    const dem_hertz hertz = oblique_hertz();
    dem_mindlin mindlin;
    MUST(dem_mindlin_init(&mindlin));
    mindlin.friction = OBLIQUE_FRICTION;
    for (int r = 0; r < 2; ++r) {
        path_open(&p[r], &hertz, laws[r], &mindlin);
        p[r].overlap[0] = PATH_OVERLAP;
        path_step(&p[r]);
    }
    FILE *out = create(folder, "mindlin_loop.csv", "u_over_delta_s,closed_form,row16,row32");
    const double top = 0.8, peak = 1.0 - pow(1.0 - top, 1.5), most = OBLIQUE_FRICTION * f.load;
    enum { PARTS = 80 };
    for (int leg = 0; leg < 3; ++leg)
        for (int s = 1; s <= PARTS; ++s) {
            const double part = (double)s / PARTS, way = 2.0 * top * part;
            const double u = leg == 0 ? top * part : leg == 1 ? top - way : way - top;
            const double turned = 2.0 * (1.0 - pow(1.0 - 0.5 * way, 1.5));
            const double exact = leg == 0   ? 1.0 - pow(1.0 - u, 1.5)
                                 : leg == 1 ? peak - turned
                                            : turned - peak;
            for (int r = 0; r < 2; ++r)
                shear(&p[r], (leg == 0 ? top : leg == 1 ? -2.0 * top : 2.0 * top) * f.slip / PARTS);
            fprintf(out, "%.6g,%.6g,%.6g,%.6g\n", u, exact, -p[0].force[0][0] / most,
                    -p[1].force[0][0] / most);
        }
    (void)fclose(out);
}

void figures_hertz(const char *folder)
{
    impacts(folder);
    printed(folder);
    loops(folder);
}
