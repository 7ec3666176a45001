/* SPDX-License-Identifier: MIT */
/* Cost of the collision parameters beside libm's pow in the same run: least processor time of
 * rounds that alternate. One line a figure. */
#include <dem/collision.h>

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { VALUES = 4096, REPEATS = 25, ROUNDS = 60 };

static double e[VALUES], mass[VALUES], speed[VALUES], contact[VALUES], first[VALUES],
    second[VALUES];

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Kinds of work; each returns something that depends on all of it. */
static double run_pow(void)
{
    double sum = 0.0;
    for (int k = 0; k < VALUES; ++k)
        sum += pow(e[k], 0.4);
    return sum;
}

static double run_pow_array(void)
{
    for (int k = 0; k < VALUES; ++k)
        first[k] = pow(e[k], 0.4);
    return first[VALUES - 1];
}

static double run_inverse(void)
{
    double sum = 0.0;
    for (int k = 0; k < VALUES; ++k) {
        double lambda = 0.0, tau = 0.0;
        (void)dem_collision_inverse(e[k], &lambda, &tau);
        sum += lambda + tau;
    }
    return sum;
}

static double run_params(void)
{
    double sum = 0.0;
    for (int k = 0; k < VALUES; ++k) {
        double stiffness = 0.0, damping = 0.0;
        (void)dem_collision_params(mass[k], speed[k], e[k], contact[k], &stiffness, &damping);
        sum += stiffness + damping;
    }
    return sum;
}

static double run_paper(void)
{
    double sum = 0.0;
    for (int k = 0; k < VALUES; ++k) {
        double stiffness = 0.0, damping = 0.0;
        (void)dem_collision_paper_params(mass[k], speed[k], e[k], contact[k], &stiffness, &damping);
        sum += stiffness + damping;
    }
    return sum;
}

static double run_inverse_array(void)
{
    (void)dem_collision_inverse_array(VALUES, e, 0, first, 0, second, 0, NULL);
    return first[VALUES - 1] + second[0];
}

static double run_params_array(void)
{
    (void)dem_collision_params_array(VALUES, mass, 0, speed, 0, e, 0, contact, 0, first, 0, second,
                                     0, NULL);
    return first[VALUES - 1] + second[0];
}

static double run_forward(void)
{
    double sum = 0.0;
    for (int k = 0; k < VALUES; k += 256) {
        double restitution = 0.0, tau = 0.0;
        (void)dem_collision_forward(0.5 * e[k], &restitution, &tau);
        sum += restitution + tau;
    }
    return sum;
}

int main(void)
{
    static const struct {
        const char *name;
        double (*run)(void);
        int repeats, base; /* base: row that it is compared with */
        double values;
    } rows[] = {{"pow", run_pow, REPEATS, 0, VALUES},
                {"pow-array", run_pow_array, REPEATS, 1, VALUES},
                {"collision-inverse", run_inverse, REPEATS, 0, VALUES},
                {"collision-inverse-array", run_inverse_array, REPEATS, 1, VALUES},
                {"collision-params", run_params, REPEATS, 0, VALUES},
                {"collision-params-array", run_params_array, REPEATS, 1, VALUES},
                {"collision-paper-params", run_paper, REPEATS, 0, VALUES},
                {"collision-forward", run_forward, 1, 0, VALUES / 256}};
    enum { COUNT = sizeof rows / sizeof rows[0] };
    double best[COUNT], sum = 0.0;
    for (int k = 0; k < VALUES; ++k) {
        e[k] = exp(-3.0 * (k + 0.5) / VALUES);
        mass[k] = 1e-6 * (1.0 + e[k]);
        speed[k] = 0.1 + e[(k * 7) % VALUES];
        contact[k] = 1e-5;
    }
    for (int r = 0; r < ROUNDS; ++r)
        for (int k = 0; k < COUNT; ++k) {
            const double begin = now();
            for (int n = 0; n < rows[k].repeats; ++n)
                sum += rows[k].run();
            const double spent = (now() - begin) / (rows[k].repeats * rows[k].values);
            best[k] = r == 0 || spent < best[k] ? spent : best[k];
        }
    for (int k = 0; k < COUNT; ++k)
        printf("scene=%s ns=%.2f ratio_to_pow=%.2f\n", rows[k].name, 1e9 * best[k],
               best[k] / best[rows[k].base]);
    return !(sum > 0.0);
}
