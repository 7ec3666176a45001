/* SPDX-License-Identifier: MIT */
/**
 * @file lammps_data.c
 * Fuzzer of the demo's reader of LAMMPS data files. What it takes is as its header says.
 */
#define _GNU_SOURCE /* memfd_create */
#include "bytes.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

/* what the reader says is not wanted here */
static FILE *nowhere;
#undef stderr
#define stderr nowhere
#include "../../examples/demo/lammps_data.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[64];
    if (file < 0) {
        file = memfd_create("data", 0);
        snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    }
    FUZZ_PROMISE(file >= 0 && ftruncate(file, 0) == 0 &&
                 pwrite(file, data, size, 0) == (ssize_t)size);
    demo_grains grains;
    if (lammps_data_read(path, &grains) != 0) {
        FUZZ_PROMISE(grains.grain == NULL && grains.count == 0);
        return 0;
    }
    FUZZ_PROMISE(grains.count > 0 && grains.types > 0);
    for (uint64_t k = 0; k < grains.count; ++k) {
        const demo_grain *g = &grains.grain[k];
        FUZZ_PROMISE(g->id > 0 && g->type >= 1 && g->type <= grains.types);
        FUZZ_PROMISE(g->diameter > 0.0 && g->density > 0.0);
        for (int c = 0; c < 3; ++c)
            FUZZ_PROMISE(isfinite(g->position[c]) && isfinite(g->velocity[c]) &&
                         isfinite(g->angular_velocity[c]) && grains.low[c] < grains.high[c]);
    }
    demo_grains_free(&grains);
    return 0;
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    static const char *const texts[] = {
        "grains\n\n2 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n-1 1 zlo zhi\n\n"
        "Atoms # sphere\n\n1 1 0.5 2500 0.1 0.2 0.3\n2 1 0.5 2500 0.6 0.2 0.3\n",
        "with images and velocities\n2 atoms\n0 bonds\n2 atom types\n0.0 1e1 xlo xhi # x\n0 1 ylo "
        "yhi\n-1 1 zlo zhi\nAtoms\n\n7 1 0.5 2500 0.1 0.2 0.3 0 -1 2\n3 2 .5 2.5e3 .6 .2 .3 0 0 "
        "0\n\nVelocities\n\n3 0 0 1 0 0 0\n7 1 2 3 4 5 6\n",
        "", "a title\n",
        "t\n1 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\nMasses\n"};
    (void)count, (void)arguments;
    nowhere = fopen("/dev/null", "w");
    if (getenv("FUZZ_SEEDS") == NULL)
        return 0;
    for (size_t n = 0; n < sizeof(texts) / sizeof(texts[0]); ++n) {
        char name[32];
        snprintf(name, sizeof(name), "text-%zu", n);
        fuzz_seed(name, texts[n], strlen(texts[n]));
    }
    exit(0);
}
