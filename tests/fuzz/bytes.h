/* SPDX-License-Identifier: MIT */
/**
 * @file bytes.h
 * A fuzzer's input as a source of choices and numbers, and what all fuzzers share. A broken promise
 * ends the program, which the fuzzer sees.
 */
#ifndef DEM_FUZZ_BYTES_H
#define DEM_FUZZ_BYTES_H

#define _POSIX_C_SOURCE 200809L /* posix_memalign */

#include <dem/dem.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);

/** Says what was broken and ends the program. */
#define FUZZ_PROMISE(condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/** Input that is left. Beyond its end there are zeros. */
typedef struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
} fuzz_bytes;

static inline uint64_t fuzz_word(fuzz_bytes *from, size_t bytes)
{
    uint64_t word = 0;
    for (size_t k = 0; k < bytes && from->left > 0; ++k, --from->left)
        word |= (uint64_t)*from->at++ << 8 * k;
    return word;
}

/** One of `count`. */
static inline uint64_t fuzz_pick(void *user, uint64_t count)
{
    return fuzz_word(user, count > 256 ? 2 : 1) % count;
}

/** A number: most often near the usual one, else one that is special, or any. */
static inline double fuzz_number(void *user, double usual)
{
    static const double special[] = {0.0,   -0.0,   1.0,   -1.0,   0.5,    2.0,
                                     1e-9,  1e9,    1e150, -1e150, 1e-150, 0x1p-1074,
                                     1e300, -1e300, 1e308, 1e-308};
    const uint64_t choice = fuzz_word(user, 1);
    if (choice < 192)
        return usual * (1.0 + ((double)choice - 96.0) / 960.0);
    if (choice < 192 + 16)
        return special[choice - 192];
    if (choice < 240)
        return usual * (double)(int8_t)fuzz_word(user, 1);
    const uint64_t word = fuzz_word(user, 8);
    double value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

/** An allocator that does not give more than a quarter of a gigabyte. */
static inline void *fuzz_allocate(void *user, uint64_t size, uint64_t alignment)
{
    uint64_t *held = user;
    void *p = NULL;
    if (size > (UINT64_C(1) << 28) - *held || posix_memalign(&p, (size_t)alignment, (size_t)size))
        return NULL;
    *held += size;
    return p;
}

static inline void fuzz_release(void *user, void *pointer, uint64_t size)
{
    *(uint64_t *)user -= size;
    free(pointer);
}

/** Writes a first input into the folder that FUZZ_SEEDS names. */
static inline void fuzz_seed(const char *name, const void *bytes, size_t size)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", getenv("FUZZ_SEEDS"), name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(1);
    }
}

/** First inputs of a fuzzer that makes choices: bytes of a counter that is mixed. */
static inline void fuzz_seeds_mixed(uint64_t count, size_t size)
{
    uint8_t bytes[4096];
    uint64_t state = 1;
    for (uint64_t n = 0; n < count; ++n) {
        char name[32];
        for (size_t k = 0; k < size; ++k) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bytes[k] = (uint8_t)(state >> 56);
            if (k % 3 != 0 && n % 2 == 0) /* half of them calm: numbers near the usual ones */
                bytes[k] %= 192;
        }
        snprintf(name, sizeof(name), "mixed-%03llu", (unsigned long long)n);
        fuzz_seed(name, bytes, size);
    }
}

#endif
