/* SPDX-License-Identifier: MIT */
/**
 * @file deposition.c
 * What is put on cells is what particles have, also at walls; fields come back with the same
 * weights; the kernels have their closed forms.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/near.h"
#include "../support/random.h"
#include "../support/report.h"

#include <dem/dem.h>
#include <dem/deposition.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 500, CELLS = 5 * 4 * 3 };

static dem_deposition_grid made(int32_t kernel, int32_t boundary)
{
    dem_deposition_grid grid;
    OK(dem_deposition_grid_init(&grid));
    const int32_t cells[3] = {5, 4, 3};
    for (int c = 0; c < 3; ++c) {
        grid.low[c] = -1.0 + 0.3 * c;
        grid.size[c] = 0.5 + 0.25 * c;
        grid.cells[c] = cells[c];
        grid.boundary[c] = boundary;
    }
    grid.kernel = kernel;
    grid.deviation = 0.5; /* once the first edge, half of the last */
    return grid;
}

typedef struct grain {
    double position[3], value[2], seen[2];
} grain;

/** Positions all over the grid, some of them beyond it or on its ends. */
static void grains_make(const dem_deposition_grid *grid, grain *g, test_random *random)
{
    for (int n = 0; n < COUNT; ++n) {
        for (int c = 0; c < 3; ++c) {
            const double length = grid->size[c] * grid->cells[c];
            double s = test_uniform(random, -0.05, 1.05);
            if (n % 10 == c)
                s = n % 20 < 10 ? 0.0 : 1.0;
            g[n].position[c] = grid->low[c] + s * length;
        }
        for (int c = 0; c < 2; ++c)
            g[n].value[c] = test_uniform(random, -1.0, 2.0);
    }
}

/* Sums over cells are sums over particles, and both sides have the same power. */
static void sums_and_powers_are_the_same_on_both_sides(void **state)
{
    (void)state;
    static grain g[COUNT];
    test_random random = {42};
    double worst[2] = {0.0, 0.0};
    for (int32_t kernel = 0; kernel <= DEM_DEPOSITION_GAUSSIAN; ++kernel)
        for (int32_t boundary = 0; boundary < 2; ++boundary) {
            const dem_deposition_grid grid = made(kernel, boundary);
            double cells[CELLS][2], field[CELLS][2], sum[2] = {0.0, 0.0}, of_grains[2] = {0.0, 0.0};
            double power = 0.0, seen = 0.0, size[2] = {0.0, 0.0};
            grains_make(&grid, g, &random);
            memset(cells, 0, sizeof cells);
            for (int k = 0; k < CELLS; ++k)
                for (int c = 0; c < 2; ++c)
                    field[k][c] = test_uniform(&random, -1.0, 1.0);
            OK(dem_deposit(&grid, COUNT, g[0].position, sizeof g[0], g[0].value, sizeof g[0], 2,
                           cells[0], NULL));
            OK(dem_interpolate(&grid, COUNT, g[0].position, sizeof g[0], field[0], 2, g[0].seen,
                               sizeof g[0], NULL));
            for (int c = 0; c < 2; ++c) {
                for (int k = 0; k < CELLS; ++k) {
                    sum[c] += cells[k][c];
                    power += cells[k][c] * field[k][c];
                }
                for (int n = 0; n < COUNT; ++n) {
                    of_grains[c] += g[n].value[c];
                    seen += g[n].value[c] * g[n].seen[c];
                    size[0] += fabs(g[n].value[c]);
                    size[1] += fabs(g[n].value[c] * g[n].seen[c]);
                }
                report_worst(&worst[0], fabs(sum[c] - of_grains[c]) / size[0]);
            }
            report_worst(&worst[1], fabs(power - seen) / size[1]);
        }
    COUPLED("deposition", "sums_off_four_kernels", worst[0], 0.0, 1e-14, "sheet");
    COUPLED("deposition", "power_off_four_kernels", worst[1], 0.0, 1e-14, "sheet");
}

/* A uniform field is seen everywhere; a linear one too where no wall is near, but for the nearest
 * cell. */
static void fields_come_back(void **state)
{
    (void)state;
    for (int32_t kernel = 0; kernel <= DEM_DEPOSITION_QUADRATIC; ++kernel) {
        const dem_deposition_grid grid = made(kernel, DEM_DEPOSITION_WALL);
        double field[CELLS][2], seen[2];
        for (int k = 0; k < CELLS; ++k) {
            field[k][0] = 3.0;
            field[k][1] = grid.low[0] + (k % 5 + 0.5) * grid.size[0]; /* x of the centre */
        }
        test_random random = {7};
        for (int n = 0; n < 200; ++n) {
            double x[3];
            for (int c = 0; c < 3; ++c)
                x[c] = grid.low[c] + grid.size[c] * test_uniform(&random, 1.0, grid.cells[c] - 1.0);
            OK(dem_interpolate(&grid, 1, x, 24, field[0], 2, seen, 16, NULL));
            near(seen[0], 3.0, 1e-14);
            near(seen[1], x[0], kernel == DEM_DEPOSITION_NEAREST ? 0.5 * grid.size[0] : 1e-14);
        }
    }
}

/* Weights of B-splines at known places, and their mirror cells. */
static void kernels_have_their_closed_forms(void **state)
{
    (void)state;
    dem_deposition_grid grid;
    dem_deposition_weights w;
    OK(dem_deposition_grid_init(&grid));
    grid.cells[0] = 4;
    const double at[][3] = {
        {1.5, 0.5, 0.5}, {2.0, 0.5, 0.5}, {0.0, 0.5, 0.5}, {-9.0, 0.5, 0.5}, {13.0, 0.5, 0.5}};
    const double quadratic[][4] = {{0.125, 0.75, 0.125, 0.0},
                                   {0.0, 0.5, 0.5, 0.0},
                                   {1.0, 0.0, 0.0, 0.0},
                                   {1.0, 0.0, 0.0, 0.0},
                                   {0.0, 0.0, 0.0, 1.0}};
    for (int n = 0; n < 5; ++n) {
        double sum[4] = {0.0};
        OK(dem_deposition_weights_of(&grid, at[n], &w, NULL));
        assert_int_equal(w.count, 27);
        for (uint64_t k = 0; k < w.count; ++k)
            sum[w.cell[k]] += w.weight[k];
        for (int c = 0; c < 4; ++c)
            near(sum[c], quadratic[n][c], 1e-15);
    }
    grid.boundary[0] = DEM_DEPOSITION_PERIODIC;
    grid.size[0] = 1e-10;
    const double far[3] = {1e308, 0.5, 0.5}; /* periods that cannot be counted */
    OK(dem_deposition_weights_of(&grid, far, &w, NULL));
    for (uint64_t k = 0; k < w.count; ++k)
        assert_true(w.cell[k] < 4);
    grid.size[0] = 1.0;
    grid.kernel = DEM_DEPOSITION_LINEAR;
    grid.boundary[0] = DEM_DEPOSITION_PERIODIC;
    const double x[3] = {0.25, 0.5, 0.5};
    double sum[4] = {0.0};
    OK(dem_deposition_weights_of(&grid, x, &w, NULL));
    assert_int_equal(w.count, 8);
    for (uint64_t k = 0; k < w.count; ++k)
        sum[w.cell[k]] += w.weight[k];
    near(sum[0], 0.75, 1e-15);
    near(sum[3], 0.25, 1e-15);
}

/** How far the mean of the cells is from `at`: deviation^2 times the derivative of the logarithm of
 * the sum of all weights, by Poisson's formula. */
static double gaussian_pull(double deviation, double at)
{
    const double pi = acos(-1.0);
    double sum = 1.0, slope = 0.0;
    for (int n = 1; n < 6; ++n) {
        const double wave = 2.0 * pi * n, part = 2.0 * exp(-0.5 * pow(wave * deviation, 2.0));
        sum += part * cos(wave * (at - 0.5));
        slope -= part * wave * sin(wave * (at - 0.5));
    }
    return deviation * deviation * slope / sum;
}

/* Weights of the Gaussian are its values at the centres of cells, and a linear field comes back as
 * it does from all cells, but for what is beyond four deviations. */
static void gaussian_has_its_closed_form(void **state)
{
    (void)state;
    enum { ROW = 40 };
    dem_deposition_grid grid;
    OK(dem_deposition_grid_init(&grid));
    grid.kernel = DEM_DEPOSITION_GAUSSIAN;
    grid.cells[0] = ROW;
    double field[ROW], seen;
    for (int k = 0; k < ROW; ++k)
        field[k] = k + 0.5;
    for (double deviation = 0.25; deviation <= 2.0; deviation += 0.25)
        for (double at = 19.0; at <= 20.0; at += 0.0625) {
            const double x[3] = {at, 0.5, 0.5}, one = 1.0;
            double cells[ROW] = {0.0}, value[ROW], sum = 0.0;
            grid.deviation = deviation;
            const int reach = (int)ceil(4.0 * deviation - 0.5), nearest = at < 20.0 ? 19 : 20;
            for (int k = 0; k < ROW; ++k) {
                const double far = (k + 0.5 - at) / deviation;
                value[k] = abs(k - nearest) <= reach ? exp(-0.5 * far * far) : 0.0;
                sum += value[k];
            }
            OK(dem_deposit(&grid, 1, x, 24, &one, 8, 1, cells, NULL));
            for (int k = 0; k < ROW; ++k)
                near(cells[k], value[k] / sum, 4e-15);
            OK(dem_interpolate(&grid, 1, x, 24, field, 1, &seen, 8, NULL));
            near(seen, at + gaussian_pull(deviation, at), 1e-3);
        }
    /* in the middle of a cell it is symmetric; a narrow grid is a hall of mirrors */
    grid.cells[0] = 2;
    double two[2] = {0.0, 0.0};
    const double x[3] = {1.0, 0.5, 0.5}, one = 1.0;
    grid.deviation = 2.0;
    OK(dem_deposit(&grid, 1, x, 24, &one, 8, 1, two, NULL));
    near(two[0] + two[1], 1.0, 1e-14); /* a sum of 17^3 */
    near(two[0], 0.5, 1e-2);
}

static void the_fullest_cell_is_found(void **state)
{
    (void)state;
    dem_error error;
    const double solid[4] = {0.1, 3.0, 0.6, 0.6}, volume[4] = {1.0, 4.0, 0.5, 0.5}, same = 2.0;
    uint64_t cell = 9;
    double most = -1.0;
    OK(dem_deposition_fraction_most(4, solid, 8, volume, 8, &cell, &most, NULL));
    near(most, 1.2, 1e-15); /* more than there is room for is told */
    assert_int_equal(cell, 2);
    OK(dem_deposition_fraction_most(4, solid, 8, &same, 0, NULL, &most, NULL));
    near(most, 1.5, 0.0);
    OK(dem_deposition_fraction_most(2, solid, 16, &same, 0, &cell, &most, NULL));
    near(most, 0.3, 1e-16);
    assert_int_equal(cell, 1);
    const double none[2] = {NAN, 0.0};
    struct {
        uint64_t count;
        const double *solid, *volume;
        double *out;
        const char *word;
    } bad[] = {{0, solid, volume, &most, "count"},      {1, NULL, volume, &most, "solid"},
               {1, solid, NULL, &most, "volume"},       {1, solid, volume, NULL, "fraction"},
               {2, none, volume, &most, "solid of"},    {2, solid, none, &most, "volume of"},
               {1, solid, none + 1, &most, "volume of"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        most = 7.0;
        assert_int_equal(dem_deposition_fraction_most(bad[k].count, bad[k].solid, 8, bad[k].volume,
                                                      8, &cell, bad[k].out, &error),
                         k > 0 && k < 4 ? DEM_ERROR_ARGUMENT : DEM_ERROR_RANGE);
        assert_int_equal(strncmp(error.message, bad[k].word, strlen(bad[k].word)), 0);
        assert_true(most == 7.0 && cell == 1);
    }
}

/* A sphere that settles by Stokes' drag, and sees its own disturbance: u = beta v K/(6 pi mu h). */
static void drag_of_the_undisturbed_velocity(void **state)
{
    (void)state;
    dem_error error;
    const double mu = 1e-3, d = 4e-4, h = 1e-3, k = 1.25, beta = 3.0 * acos(-1.0) * mu * d;
    double corrected = 0.0;
    OK(dem_deposition_undisturbed(beta, k, mu, h, &corrected, NULL));
    /* the drag force on what is left of the slip is that of the whole one */
    const double v = 1.0, of_itself = v * beta * k / (6.0 * acos(-1.0) * mu * h);
    near(corrected * (v - of_itself), beta * v, 1e-15 * beta);
    near(of_itself, k * d / (2.0 * h), 1e-15);
    OK(dem_deposition_undisturbed(0.0, k, mu, h, &corrected, NULL));
    assert_true(corrected == 0.0);
    OK(dem_deposition_undisturbed(beta, 0.0, mu, h, &corrected, NULL));
    assert_true(corrected == beta);
    OK(dem_deposition_undisturbed(beta, 0.4999999 * 2.0 * h / d, mu, h, &corrected, NULL));
    near(corrected, 2.0 * beta, 1e-6 * beta);
    corrected = 7.0;
#define UNDISTURBED(beta, k, mu, h, word)                                                          \
    do {                                                                                           \
        assert_int_equal(dem_deposition_undisturbed(beta, k, mu, h, &corrected, &error),           \
                         DEM_ERROR_RANGE);                                                         \
        assert_int_equal(strncmp(error.message, word, strlen(word)), 0);                           \
    } while (0)
    UNDISTURBED(beta, 0.5000001 * 2.0 * h / d, mu, h, "cell: K beta");
    UNDISTURBED(-beta, k, mu, h, "coefficient");
    UNDISTURBED(beta, NAN, mu, h, "constant");
    UNDISTURBED(beta, k, 0.0, h, "viscosity");
    UNDISTURBED(beta, k, mu, -h, "cell");
    UNDISTURBED(1e-200, 1e-200, 1e-200, 1e-200, "viscosity: 6 pi mu h is 0 ");
    assert_true(corrected == 7.0);
    assert_int_equal(dem_deposition_undisturbed(beta, k, mu, h, NULL, &error), DEM_ERROR_ARGUMENT);
}

/* Values of several numbers in rows of the host's, with something else between them. */
static void vectors_go_by_weights_of_the_host(void **state)
{
    (void)state;
    enum { PARTS = 40, CELLS = 7, COMPONENTS = 3, ROW = 5 };
    uint64_t begin[PARTS + 1] = {0}, cell[3 * PARTS];
    double weight[3 * PARTS], value[PARTS][ROW], seen[PARTS][ROW], cells[CELLS][COMPONENTS],
        wanted[CELLS][COMPONENTS];
    test_random random = {12};
    for (int k = 0; k < CELLS; ++k)
        for (int c = 0; c < COMPONENTS; ++c)
            cells[k][c] = wanted[k][c] = test_uniform(&random, -1.0, 1.0);
    for (uint64_t n = 0; n < PARTS; ++n) {
        double sum = 0.0;
        begin[n + 1] = begin[n] + 1 + n % 3;
        for (uint64_t k = begin[n]; k < begin[n + 1]; ++k) {
            cell[k] = (uint64_t)test_uniform(&random, 0.0, CELLS);
            weight[k] = test_uniform(&random, 0.1, 9.0);
            sum += weight[k];
        }
        for (int c = 0; c < ROW; ++c) {
            value[n][c] = test_uniform(&random, -1.0, 2.0);
            seen[n][c] = 7.0;
        }
        for (uint64_t k = begin[n]; k < begin[n + 1]; ++k)
            for (int c = 0; c < COMPONENTS; ++c)
                wanted[cell[k]][c] += weight[k] / sum * value[n][c];
    }
    OK(dem_deposit_given(PARTS, begin, cell, weight, CELLS, value[0], sizeof(value[0]), COMPONENTS,
                         cells[0], NULL));
    for (int k = 0; k < CELLS; ++k)
        for (int c = 0; c < COMPONENTS; ++c)
            near(cells[k][c], wanted[k][c], 1e-13);
    OK(dem_interpolate_given(PARTS, begin, cell, weight, CELLS, cells[0], COMPONENTS, seen[0],
                             sizeof(seen[0]), NULL));
    for (uint64_t n = 0; n < PARTS; ++n) {
        double field[COMPONENTS] = {0.0}, sum = 0.0;
        for (uint64_t k = begin[n]; k < begin[n + 1]; ++k) {
            sum += weight[k];
            for (int c = 0; c < COMPONENTS; ++c)
                field[c] += weight[k] * cells[cell[k]][c];
        }
        for (int c = 0; c < ROW; ++c)
            near(seen[n][c], c < COMPONENTS ? field[c] / sum : 7.0, 1e-13);
    }
}

/* Weights of the host need no sum of 1. */
static void weights_of_the_host_are_made_a_sum_of_1(void **state)
{
    (void)state;
    enum { PARTS = 200 };
    uint64_t begin[PARTS + 1] = {0}, cell[4 * PARTS];
    double weight[4 * PARTS], value[PARTS], seen[PARTS], cells[30] = {0.0}, field[30];
    test_random random = {11};
    double given = 0.0, sum = 0.0, power = 0.0, of_seen = 0.0;
    for (int k = 0; k < 30; ++k)
        field[k] = test_uniform(&random, -1.0, 1.0);
    for (uint64_t n = 0; n < PARTS; ++n) {
        begin[n + 1] = begin[n] + 1 + n % 4;
        for (uint64_t k = begin[n]; k < begin[n + 1]; ++k) {
            cell[k] = (uint64_t)test_uniform(&random, 0.0, 30.0);
            weight[k] = test_uniform(&random, 0.1, 9.0);
        }
        value[n] = test_uniform(&random, -1.0, 2.0);
        given += value[n];
    }
    OK(dem_deposit_given(PARTS, begin, cell, weight, 30, value, 8, 1, cells, NULL));
    OK(dem_interpolate_given(PARTS, begin, cell, weight, 30, field, 1, seen, 8, NULL));
    for (int k = 0; k < 30; ++k)
        sum += cells[k], power += cells[k] * field[k];
    for (int n = 0; n < PARTS; ++n)
        of_seen += value[n] * seen[n];
    near(sum, given, 1e-12);
    near(power, of_seen, 1e-12);
    near(seen[0], field[cell[0]], 1e-15); /* it has one cell */

    dem_error error;
    const double before = cells[3];
#define GIVEN_REFUSED(status, words)                                                               \
    do {                                                                                           \
        assert_int_equal(                                                                          \
            dem_deposit_given(PARTS, begin, cell, weight, 30, value, 8, 1, cells, &error),         \
            status);                                                                               \
        assert_non_null(strstr(error.message, words));                                             \
    } while (0)
    const double kept = weight[5];
    weight[5] = -1.0;
    GIVEN_REFUSED(DEM_ERROR_RANGE, "weight[5]");
    weight[5] = kept;
    weight[0] = 0.0;
    GIVEN_REFUSED(DEM_ERROR_RANGE, "weight of row 0");
    weight[0] = 1.0;
    cell[7] = 30;
    GIVEN_REFUSED(DEM_ERROR_RANGE, "cell[7]");
    cell[7] = 0;
    begin[2] = 0;
    GIVEN_REFUSED(DEM_ERROR_RANGE, "row 1");
    near(cells[3], before, 0.0);
    assert_int_equal(dem_interpolate_given(1, NULL, cell, weight, 30, field, 1, seen, 8, &error),
                     DEM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "begin"));
    begin[2] = begin[1];
    const struct {
        const void *cell, *weight, *value;
        void *cells;
        uint64_t components;
        const char *word;
    } none[] = {{NULL, weight, value, cells, 1, "cell"},
                {cell, NULL, value, cells, 1, "weight"},
                {cell, weight, NULL, cells, 1, "value"},
                {cell, weight, value, NULL, 1, "cells"},
                {cell, weight, value, cells, 0, "components"}};
    for (size_t k = 0; k < sizeof none / sizeof none[0]; ++k) {
        assert_int_equal(dem_deposit_given(PARTS, begin, none[k].cell, none[k].weight, 30,
                                           none[k].value, 8, none[k].components, none[k].cells,
                                           &error),
                         k < 4 ? DEM_ERROR_ARGUMENT : DEM_ERROR_RANGE);
        assert_int_equal(strncmp(error.message, none[k].word, strlen(none[k].word)), 0);
    }
}

#define REFUSE(call, status, words)                                                                \
    do {                                                                                           \
        assert_int_equal(call, status);                                                            \
        assert_non_null(strstr(error.message, words));                                             \
    } while (0)

/** A number of doubles in the place of bytes, or rows that lie on each other, would be read as
 * other positions without a word. */
static void strides_are_of_whole_rows(void **state)
{
    (void)state;
    dem_error error;
    double cells[2 * CELLS] = {0.0}, value[4] = {1.0, 2.0, 3.0, 4.0}, most = 0.0;
    const double x[2][3] = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}};
    const uint64_t begin[3] = {0, 1, 2}, cell[2] = {0, 1};
    const double weight[2] = {1.0, 1.0};
    const dem_deposition_grid grid = made(DEM_DEPOSITION_LINEAR, DEM_DEPOSITION_WALL);
    const uint64_t bad[] = {3, 12, 8, 0, 25};
    for (int k = 0; k < 5; ++k) {
        REFUSE(dem_deposit(&grid, 2, x[0], bad[k], value, 16, 2, cells, &error), DEM_ERROR_RANGE,
               "position_stride");
        REFUSE(dem_deposit(&grid, 1, x[0], bad[k], value, 16, 2, cells, &error), DEM_ERROR_RANGE,
               "position_stride"); /* one row as many */
        REFUSE(dem_interpolate(&grid, 2, x[0], 24, cells, 2, value, bad[k], &error),
               DEM_ERROR_RANGE, "value_stride");
        REFUSE(dem_interpolate_given(2, begin, cell, weight, 2, cells, 2, value, bad[k], &error),
               DEM_ERROR_RANGE, "value_stride");
        if (bad[k] == 0)
            continue;
        REFUSE(dem_deposit(&grid, 2, x[0], 24, value, bad[k], 2, cells, &error), DEM_ERROR_RANGE,
               "value_stride: ");
        REFUSE(dem_deposit_given(2, begin, cell, weight, 2, value, bad[k], 2, cells, &error),
               DEM_ERROR_RANGE, "value_stride");
    }
    REFUSE(dem_deposition_fraction_most(2, cells, 1, value, 8, NULL, &most, &error),
           DEM_ERROR_RANGE, "solid_stride: 1 is not a multiple of 8");
    REFUSE(dem_deposition_fraction_most(2, cells, 8, value, 1, NULL, &most, &error),
           DEM_ERROR_RANGE, "volume_stride: 1 is neither 0 nor a multiple of 8");
    near(most + cells[0] + cells[1], 0.0, 0.0);
    OK(dem_deposit(&grid, 2, x[0], 24, value, 0, 2, cells, NULL)); /* both have the same */
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    dem_error error;
    dem_deposition_weights w;
    double cells[CELLS] = {0.0}, value = 1.0;
    const double x[2][3] = {{0.0, 0.0, 0.0}, {0.0, NAN, 0.0}};
    dem_deposition_grid grid = made(DEM_DEPOSITION_LINEAR, DEM_DEPOSITION_WALL);
    assert_int_equal(dem_deposition_grid_init_sized(NULL, sizeof grid), DEM_ERROR_ARGUMENT);
    REFUSE(dem_deposition_weights_of(NULL, x[0], &w, &error), DEM_ERROR_ARGUMENT, "grid");
    REFUSE(dem_deposition_weights_of(&grid, NULL, &w, &error), DEM_ERROR_ARGUMENT, "position");
    REFUSE(dem_deposition_weights_of(&grid, x[0], NULL, &error), DEM_ERROR_ARGUMENT, "weights");
    REFUSE(dem_deposition_weights_of(&grid, x[1], &w, &error), DEM_ERROR_RANGE, "position");
    REFUSE(dem_deposit(&grid, 2, x[0], 24, &value, 0, 1, cells, &error), DEM_ERROR_RANGE, "row 1");
    REFUSE(dem_deposit(&grid, 1, x[0], 24, &value, 0, 0, cells, &error), DEM_ERROR_RANGE,
           "components");
    REFUSE(dem_deposit(&grid, 1, x[0], 24, &value, 0, 1, NULL, &error), DEM_ERROR_ARGUMENT,
           "cells");
    REFUSE(dem_interpolate(&grid, 1, x[0], 24, cells, 1, NULL, 8, &error), DEM_ERROR_ARGUMENT,
           "value");
    REFUSE(dem_deposit(&grid, 1, NULL, 24, &value, 0, 1, cells, &error), DEM_ERROR_ARGUMENT,
           "position");
    REFUSE(dem_deposit(NULL, 1, x[0], 24, &value, 0, 1, cells, &error), DEM_ERROR_ARGUMENT, "grid");
    REFUSE(dem_interpolate(NULL, 1, x[0], 24, cells, 1, &value, 8, &error), DEM_ERROR_ARGUMENT,
           "grid");
    for (int k = 0; k < CELLS; ++k)
        near(cells[k], 0.0, 0.0);
    /* cells would keep what is no number for ever */
    const double values[2] = {1.0, NAN}, too_large = INFINITY, weight[2] = {1.0, 1.0};
    const uint64_t begin[3] = {0, 1, 2}, cell[2] = {0, 1};
    REFUSE(dem_deposit(&grid, 1, x[0], 24, values, 16, 2, cells, &error), DEM_ERROR_RANGE,
           "value[1] of row 0: nan");
    REFUSE(dem_deposit(&grid, 1, x[0], 24, &too_large, 0, 1, cells, &error), DEM_ERROR_RANGE,
           "value[0] of row 0: inf");
    const double denormal[2] = {1e-310, 1e-310};
    REFUSE(dem_deposit_given(2, begin, cell, denormal, 2, values, 8, 1, cells, &error),
           DEM_ERROR_RANGE, "weight of row 0");
    REFUSE(dem_deposit_given(2, begin, cell, weight, 2, values, 8, 1, cells, &error),
           DEM_ERROR_RANGE, "value[0] of row 1: nan");
    for (int k = 0; k < CELLS; ++k)
        near(cells[k], 0.0, 0.0);
    OK(dem_deposit(&grid, 0, NULL, 24, NULL, 0, 1, NULL, NULL));
    grid.cells[1] = 0;
    REFUSE(dem_deposition_weights_of(&grid, x[0], &w, &error), DEM_ERROR_RANGE, "cells[1]");
    grid.cells[1] = grid.cells[2] = 1 << 30;
    REFUSE(dem_deposition_weights_of(&grid, x[0], &w, &error), DEM_ERROR_RANGE, "cells[2]");
    grid.cells[1] = grid.cells[2] = 1;
    grid.size[2] = 0.0;
    REFUSE(dem_deposition_weights_of(&grid, x[0], &w, &error), DEM_ERROR_RANGE, "size[2]");
    grid.size[2] = 1.0;
    grid.boundary[0] = 2;
    REFUSE(dem_deposition_weights_of(&grid, x[0], &w, &error), DEM_ERROR_UNKNOWN, "boundary[0]");
    grid.boundary[0] = 0;
    grid.boundary[1] = -1;
    REFUSE(dem_deposition_weights_of(&grid, x[0], &w, &error), DEM_ERROR_UNKNOWN, "boundary[1]");
    grid.boundary[1] = 0;
    grid.low[0] = INFINITY;
    REFUSE(dem_deposition_weights_of(&grid, x[0], &w, &error), DEM_ERROR_RANGE, "low[0]");
    grid.low[0] = 0.0;
    grid.kernel = -1;
    REFUSE(dem_deposition_weights_of(&grid, x[0], &w, &error), DEM_ERROR_UNKNOWN, "kernel");
    grid.kernel = 4;
    REFUSE(dem_deposition_weights_of(&grid, x[0], &w, &error), DEM_ERROR_UNKNOWN, "kernel");
    grid.kernel = DEM_DEPOSITION_GAUSSIAN;
    grid.deviation = 0.1;
    REFUSE(dem_deposit(&grid, 1, x[0], 24, &value, 8, 1, cells, &error), DEM_ERROR_RANGE,
           "deviation");
    grid.deviation = 1.1;
    REFUSE(dem_deposit(&grid, 1, x[0], 24, &value, 8, 1, cells, &error), DEM_ERROR_RANGE,
           "size[0]");
    grid.deviation = 1.0;
    REFUSE(dem_deposition_weights_of(&grid, x[0], &w, &error), DEM_ERROR_STATE, "Gaussian");
    grid.kernel = 0;
    grid.reserved = 1;
    REFUSE(dem_deposition_weights_of(&grid, x[0], &w, &error), DEM_ERROR_UNKNOWN, "reserved");
    grid.struct_size = 8;
    REFUSE(dem_deposition_weights_of(&grid, x[0], &w, &error), DEM_ERROR_STRUCT_SIZE,
           "dem_deposition_grid");
}

/** A cell in which a particle has a weight of 0 may hold anything. */
static void weights_of_zero(void **state)
{
    (void)state;
    dem_deposition_grid grid;
    OK(dem_deposition_grid_init(&grid));
    grid.cells[0] = 4;
    grid.kernel = DEM_DEPOSITION_LINEAR;
    const double x[3] = {1.5, 0.5, 0.5};
    for (int cell = 0; cell < 4; ++cell) {
        double cells[4] = {1.0, 2.0, 3.0, 4.0}, value = 0.0;
        cells[cell] = NAN;
        OK(dem_interpolate(&grid, 1, x, 24, cells, 1, &value, 8, NULL));
        assert_true(cell == 1 ? isnan(value) : value == 2.0);
        const uint64_t begin[2] = {0, 4}, of[4] = {0, 1, 2, 3};
        const double weight[4] = {0.0, 0.5, 0.0, 0.0};
        OK(dem_interpolate_given(1, begin, of, weight, 4, cells, 1, &value, 8, NULL));
        assert_true(cell == 1 ? isnan(value) : value == 2.0);
    }
}

/** Components that are read together have the bits of each one alone. */
static void components_are_read_together(void **state)
{
    (void)state;
    enum { MOST = 9 };
    static double cells[CELLS * MOST], alone[CELLS], seen[COUNT][MOST];
    static grain g[COUNT];
    test_random random = {3};
    for (int32_t kernel = DEM_DEPOSITION_NEAREST; kernel <= DEM_DEPOSITION_GAUSSIAN; ++kernel) {
        const dem_deposition_grid grid = made(kernel, DEM_DEPOSITION_PERIODIC);
        grains_make(&grid, g, &random);
        for (uint64_t components = 1; components <= MOST; ++components) {
            for (uint64_t n = 0; n < CELLS * components; ++n)
                cells[n] = n == 7 * components + 1 ? NAN : test_uniform(&random, -1.0, 1.0);
            memset(seen, 0xff, sizeof seen);
            OK(dem_interpolate(&grid, COUNT, g[0].position, sizeof g[0], cells, components, seen[0],
                               sizeof seen[0], NULL));
            for (uint64_t c = 0; c < components; ++c) {
                for (int n = 0; n < CELLS; ++n)
                    alone[n] = cells[(uint64_t)n * components + c];
                OK(dem_interpolate(&grid, COUNT, g[0].position, sizeof g[0], alone, 1, g[0].seen,
                                   sizeof g[0], NULL));
                for (int n = 0; n < COUNT; ++n)
                    assert_memory_equal(&seen[n][c], g[n].seen, sizeof(double));
            }
            for (int n = 0; n < COUNT; ++n) /* what is not asked for stays */
                assert_true(components == MOST || isnan(seen[n][components]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_of_zero),
        cmocka_unit_test(sums_and_powers_are_the_same_on_both_sides),
        cmocka_unit_test(fields_come_back),
        cmocka_unit_test(components_are_read_together),
        cmocka_unit_test(kernels_have_their_closed_forms),
        cmocka_unit_test(gaussian_has_its_closed_form),
        cmocka_unit_test(the_fullest_cell_is_found),
        cmocka_unit_test(drag_of_the_undisturbed_velocity),
        cmocka_unit_test(weights_of_the_host_are_made_a_sum_of_1),
        cmocka_unit_test(vectors_go_by_weights_of_the_host),
        cmocka_unit_test(strides_are_of_whole_rows),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
