/* SPDX-License-Identifier: MIT */
/* Tables and pictures of the collision parameters and of the sedimentation (Ray, Kempe and
 * Fröhlich, Figs 3 and 4).
 *
 *     figures-collision FOLDER PICTURES     writes collision_error.csv and sedimentation_e0.95.csv,
 *         sedimentation_e0.7.csv into FOLDER, sedimentation.svg into PICTURES */
#include "../physics/cases/collision_oracle.h"
#include "../physics/cases/ledger.h"
#include "../physics/cases/sediment.h"

#include <math.h>
#include <stdlib.h>

static FILE *create(const char *folder, const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        exit(1);
    }
    return out;
}

/* Relative errors of e(lambda) and of lambda(e), of the library and of the paper, against the
 * oracle; 1e-18 stands for none. */
static void errors(const char *folder)
{
    FILE *out = create(folder, "collision_error.csv");
    fprintf(out, "e,forward,inverse,paper_forward,paper_inverse\n");
    for (int k = 1; k < 400; ++k) {
        const double wanted = exp(log(1e-4) * k / 400.0);
        double lambda, tau, e, time, paper = NAN, paper_lambda = NAN;
        long double exact, exact_time, near, near_time;
        MUST(dem_collision_inverse(wanted, &lambda, &tau));
        MUST(dem_collision_forward(lambda, &e, &time));
        const double step = 1e-6 * (DEM_COLLISION_LAMBDA_CRITICAL - lambda);
        oracle_collision(lambda, 100, &exact, &exact_time);
        oracle_collision(lambda + step, 100, &near, &near_time);
        const long double right = lambda + step * ((wanted - exact) / (near - exact));
        (void)dem_collision_paper_forward(lambda, &paper, &time);
        (void)dem_collision_paper_inverse(wanted, &paper_lambda, &time);
        fprintf(out, "%.6g,%.3g,%.3g,%.3g,%.3g\n", wanted,
                fmax((double)fabsl(e / exact - 1.0L), 1e-18),
                fmax((double)fabsl(lambda / right - 1.0L), 1e-18),
                (double)fabsl(paper / exact - 1.0L), (double)fabsl(paper_lambda / right - 1.0L));
    }
    fclose(out);
}

/* Energies over time, of the direct and of the iterative coefficients. */
static void energies(const char *folder, const char *name, const sediment_run *direct,
                     const sediment_run *iterative)
{
    FILE *out = create(folder, name);
    const double all = direct->row[0].total;
    fprintf(out, "t,potential,kinetic,elastic,total,dissipated,sum,iterative_potential,"
                 "iterative_kinetic,iterative_total\n");
    for (int k = 0; k < direct->rows; k += 2) {
        const sediment_row *d = &direct->row[k], *i = &iterative->row[k];
        fprintf(out, "%.4g,%.5g,%.5g,%.5g,%.5g,%.5g,%.5g,%.5g,%.5g,%.5g\n", d->time,
                d->potential / all, d->kinetic / all, d->elastic / all, d->total / all,
                d->dissipated / all, (d->total + d->dissipated) / all, i->potential / all,
                i->kinetic / all, i->total / all);
    }
    fclose(out);
}

/* ------------------------------------------------------------------ Fig. 3 */

enum { ALL = SEDIMENT_FIXED + SEDIMENT_MOBILE, WIDTH = 460 };

static const sediment_run *drawn;
static int moment;

static double wrapped(double x)
{
    return x - SEDIMENT_EDGE * floor(x / SEDIMENT_EDGE);
}

static double depth_of(int k)
{
    return wrapped(drawn->position[moment][k][2]);
}

static int farther(const void *a, const void *b)
{
    const double p = depth_of(*(const int *)a), q = depth_of(*(const int *)b);
    return (p > q) - (p < q);
}

/* Spheres in oblique view, far ones first, blue at rest to red at 2 m/s. */
static void draw(FILE *out, double left)
{
    int order[ALL];
    for (int k = 0; k < ALL; ++k)
        order[k] = k;
    qsort(order, ALL, sizeof order[0], farther);
    const double scale = 0.62 * WIDTH / SEDIMENT_EDGE;
    for (int n = 0; n < ALL; ++n) {
        const int k = order[n];
        const double depth = depth_of(k), x = wrapped(drawn->position[moment][k][0]);
        const double y = drawn->position[moment][k][1];
        const double speed = moment == 0 ? 0.0 : fmin(drawn->speed[k] / 2.0, 1.0);
        const int red = (int)(60.0 + 195.0 * speed), blue = (int)(255.0 - 200.0 * speed);
        const int green = (int)(90.0 + 60.0 * (1.0 - fabs(2.0 * speed - 1.0)));
        const int fixed = k < SEDIMENT_FIXED;
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"rgb(%d,%d,%d)\" "
                "stroke=\"#222\" stroke-width=\"0.5\"/>\n",
                left + 20.0 + scale * (x + 0.45 * (SEDIMENT_EDGE - depth)),
                WIDTH - 40.0 - scale * (y + 0.3 * (SEDIMENT_EDGE - depth)),
                0.5 * scale * SEDIMENT_DIAMETER, fixed ? 190 : red, fixed ? 190 : green,
                fixed ? 190 : blue);
    }
}

static void picture(const char *folder, const sediment_run *run)
{
    FILE *out = create(folder, "sedimentation.svg");
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"13\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            2 * WIDTH, WIDTH);
    drawn = run;
    for (moment = 0; moment < 2; ++moment) {
        draw(out, moment * WIDTH);
        fprintf(out, "<text x=\"%d\" y=\"%d\">%s</text>\n", moment * WIDTH + 20, WIDTH - 10,
                moment == 0 ? "t = 0" : "t = 2.5 s, e = 0.95; blue 0, red 2 m/s; grey: fixed");
    }
    fprintf(out, "</svg>\n");
    fclose(out);
}

int main(int count, char **arguments)
{
    static sediment_run direct, iterative;
    if (count != 3) {
        fprintf(stderr, "usage: figures-collision FOLDER PICTURES\n");
        return 2;
    }
    errors(arguments[1]);
    for (int k = 0; k < 2; ++k) {
        const double e = k == 0 ? 0.95 : 0.7;
        sediment(e, SEDIMENT_LAW, 10.0, SEDIMENT_STEPS, &direct);
        sediment(e, SEDIMENT_ITERATIVE, 10.0, SEDIMENT_STEPS, &iterative);
        energies(arguments[1], k == 0 ? "sedimentation_e0.95.csv" : "sedimentation_e0.7.csv",
                 &direct, &iterative);
        if (k == 0)
            picture(arguments[2], &direct);
    }
    return 0;
}
