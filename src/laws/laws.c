/* SPDX-License-Identifier: MIT */
#include "laws/laws.h"

#include <string.h>

const dem_law *demi_law_builtin(const char *name)
{
    static const dem_law *const table[] = {
        &demi_law_linear_csds,
        &demi_law_linear_dsds,
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k)
        if (strcmp(table[k]->name, name) == 0)
            return table[k];
    return NULL;
}
