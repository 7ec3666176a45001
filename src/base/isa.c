/* SPDX-License-Identifier: MIT */
#include "base/isa.h"

#if DEMI_ISA_X86
#include <cpuid.h>

/* Which register files the operating system saves, XCR0. */
static uint32_t saved_registers(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

/* The sets that are there, a bit for each DEM_ISA_ value. Each question to the processor leaves a
 * virtual machine and takes microseconds there, so none is asked twice. */
static uint32_t isa_sets(void)
{
    enum { SSSE3 = 1 << 9, SSE41 = 1 << 19, SSE42 = 1 << 20, POPCNT = 1 << 23, OSXSAVE = 1 << 27 };
    enum { V2 = SSSE3 | SSE41 | SSE42 | POPCNT };
    enum { AVX2 = 1 << 5, F = 1 << 16, DQ = 1 << 17, BW = 1 << 30 };
    const uint32_t VL = 1u << 31, ymm = 0x06, zmm = 0xe6;
    const uint32_t wide = (uint32_t)F | (uint32_t)DQ | (uint32_t)BW | VL;
    uint32_t most, a, b, c, d, sets = 1u << DEM_ISA_BASELINE;
    __cpuid(0, most, b, c, d);
    if (most < 1)
        return sets;
    __cpuid(1, a, b, c, d);
    if ((c & V2) == V2)
        sets |= 1u << DEM_ISA_X86_64_V2;
    if ((c & OSXSAVE) == 0 || most < 7)
        return sets;
    __cpuid_count(7, 0, a, b, c, d);
    const uint32_t saved = saved_registers();
    if ((b & AVX2) != 0 && (saved & ymm) == ymm)
        sets |= 1u << DEM_ISA_AVX2;
    if ((b & wide) == wide && (saved & zmm) == zmm)
        sets |= 1u << DEM_ISA_AVX512;
    return sets;
}
#else
static uint32_t isa_sets(void)
{
    return 1u << DEM_ISA_BASELINE;
}
#endif

int demi_isa_index(int32_t isa)
{
    static const int32_t widest_first[] = {DEM_ISA_AVX512, DEM_ISA_AVX2, DEM_ISA_X86_64_V2,
                                           DEM_ISA_BASELINE};
    const uint32_t sets = isa_sets();
    if (isa == DEM_ISA_AUTO) {
        int k = 0;
        while ((sets >> widest_first[k] & 1) == 0)
            ++k;
        isa = widest_first[k];
    }
    return isa >= DEM_ISA_BASELINE && isa <= DEM_ISA_X86_64_V2 && (sets >> isa & 1) != 0
               ? isa - DEM_ISA_BASELINE
               : -1;
}
