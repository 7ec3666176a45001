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

static int isa_present(int32_t isa)
{
    enum { SSSE3 = 1 << 9, SSE41 = 1 << 19, SSE42 = 1 << 20, POPCNT = 1 << 23, OSXSAVE = 1 << 27 };
    enum { V2 = SSSE3 | SSE41 | SSE42 | POPCNT };
    enum { AVX2 = 1 << 5, F = 1 << 16, DQ = 1 << 17, BW = 1 << 30 };
    const uint32_t VL = 1u << 31, ymm = 0x06, zmm = 0xe6;
    uint32_t a, b, c, d;
    if (isa == DEM_ISA_BASELINE)
        return 1;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    if (isa == DEM_ISA_X86_64_V2)
        return (c & V2) == V2;
    if ((c & OSXSAVE) == 0 || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return 0;
    const uint32_t saved = saved_registers();
    if (isa == DEM_ISA_AVX2)
        return (b & AVX2) != 0 && (saved & ymm) == ymm;
    const uint32_t wide = (uint32_t)F | (uint32_t)DQ | (uint32_t)BW | VL;
    return isa == DEM_ISA_AVX512 && (b & wide) == wide && (saved & zmm) == zmm;
}
#else
static int isa_present(int32_t isa)
{
    return isa == DEM_ISA_BASELINE;
}
#endif

int demi_isa_index(int32_t isa)
{
    static const int32_t widest_first[] = {DEM_ISA_AVX512, DEM_ISA_AVX2, DEM_ISA_X86_64_V2,
                                           DEM_ISA_BASELINE};
    if (isa == DEM_ISA_AUTO) {
        int k = 0;
        while (!isa_present(widest_first[k]))
            ++k;
        isa = widest_first[k];
    }
    return isa_present(isa) ? isa - DEM_ISA_BASELINE : -1;
}
