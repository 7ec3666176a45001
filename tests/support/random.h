/* SPDX-License-Identifier: MIT */
/**
 * @file random.h
 * Random numbers for tests: xorshift64*, seeded from DEM_TEST_SEED or a fixed number, and printed,
 * so that a failure can be repeated.
 */
#ifndef DEM_TEST_RANDOM_H
#define DEM_TEST_RANDOM_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/** A generator. */
typedef struct test_random {
    uint64_t state;
} test_random;

/** Starts a generator and prints its seed. */
static inline test_random test_random_start(const char *what)
{
    const char *text = getenv("DEM_TEST_SEED");
    uint64_t seed = text != NULL ? (uint64_t)strtoull(text, NULL, 0) : 20240607u;
    if (seed == 0)
        seed = 1;
    printf("# %s: seed %llu\n", what, (unsigned long long)seed);
    /* a few turns, so that small seeds do not start with small numbers */
    test_random random = {seed * UINT64_C(0x9E3779B97F4A7C15)};
    if (random.state == 0)
        random.state = 1;
    return random;
}

/** 64 random bits. */
static inline uint64_t test_random_bits(test_random *random)
{
    uint64_t x = random->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return x * UINT64_C(0x2545F4914F6CDD1D);
}

/** Uniform in [low, high). */
static inline double test_uniform(test_random *random, double low, double high)
{
    const double u = (double)(test_random_bits(random) >> 11) * 0x1p-53;
    return low + (high - low) * u;
}

/** Uniform in the logarithm between 10^low and 10^high. */
static inline double test_decades(test_random *random, double low, double high)
{
    return pow(10.0, test_uniform(random, low, high));
}

/** A unit vector, uniform on the sphere. */
static inline void test_unit(test_random *random, double n[3])
{
    for (;;) {
        double square = 0.0;
        for (int c = 0; c < 3; ++c) {
            n[c] = test_uniform(random, -1.0, 1.0);
            square += n[c] * n[c];
        }
        if (square > 0.01 && square < 1.0) {
            const double scale = 1.0 / sqrt(square);
            for (int c = 0; c < 3; ++c)
                n[c] *= scale;
            return;
        }
    }
}

#endif
