/* SPDX-License-Identifier: MIT */
#include "laws/laws.h"

#include <string.h>

int demi_law_builtin(const char *name, int isa, int lean, dem_law *law)
{
    static const demi_law *const table[] = {
        &demi_law_linear_csds,
        &demi_law_linear_dsds,
        &demi_law_hertz,
        &demi_law_mindlin,
        &demi_law_mindlin_three_case,
        &demi_law_mindlin_deresiewicz,
        &demi_law_mindlin_deresiewicz_32,
        &demi_law_actm,
        &demi_law_jkr,
        &demi_law_dmt,
        &demi_law_luding,
        &demi_law_walton_braun,
        &demi_law_thornton,
        &demi_law_hooke,
        &demi_law_friction,
        &demi_law_rolling_csds,
        &demi_law_rolling_constant,
        &demi_law_twisting_csds,
        &demi_law_twisting_marshall,
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k)
        if (strcmp(table[k]->law.name, name) == 0) {
            *law = table[k]->law;
            law->evaluate = table[k]->evaluate[isa];
            if (lean && table[k]->lean != NULL) {
                law->evaluate = table[k]->lean[isa];
                law->slot_count = table[k]->lean_slots;
            }
            return 1;
        }
    return 0;
}

uint32_t demi_needs_nothing(void *user, const void *combined)
{
    (void)user, (void)combined;
    return 0;
}

uint32_t demi_needs_radius(void *user, const void *combined)
{
    (void)user, (void)combined;
    return DEM_NEEDS_RADIUS;
}
