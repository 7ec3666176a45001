/* SPDX-License-Identifier: MIT */
#include "laws/laws.h"

#include <string.h>

#define DEMI_LAW(name, parameters, combined, loops) DEMI_COPIES(demi_evaluate, demi_##name##_batch);
#define DEMI_LEAN(name, combined) DEMI_COPIES(demi_evaluate, demi_##name##_lean_batch);
#include "laws/laws.def"

typedef struct batch {
    const dem_law *law;
    demi_evaluate *const *evaluate; /* [DEMI_ISA_COUNT] */
    const demi_law_slots *slots;    /* NULL: those of the law */
} batch;

static const batch batches[] = {
#define DEMI_LAW(name, parameters, combined, loops) {&demi_law_##name, demi_##name##_batch, NULL},
#include "laws/laws.def"
};
static const batch lean_batches[] = {
#define DEMI_LEAN(name, combined)                                                                  \
    {&demi_law_##name, demi_##name##_lean_batch, &demi_##name##_lean_slots},
#include "laws/laws.def"
};
enum {
    LAWS = sizeof batches / sizeof batches[0],
    LEAN = sizeof lean_batches / sizeof lean_batches[0]
};

int demi_law_builtin(const char *name, int isa, int lean, dem_law *law)
{
    const batch *found = NULL;
    for (size_t k = 0; k < LAWS; ++k)
        if (strcmp(batches[k].law->name, name) == 0)
            found = &batches[k];
    if (found == NULL)
        return 0;
    *law = *found->law;
    for (size_t k = 0; lean && k < LEAN; ++k)
        if (lean_batches[k].law == found->law) {
            found = &lean_batches[k];
            law->slots = found->slots->slot;
            law->slot_count = found->slots->count;
        }
    law->evaluate = found->evaluate[isa];
    return 1;
}

const char *demi_law_builtin_name(uint64_t index)
{
    return index < LAWS ? batches[index].law->name : NULL;
}

const char *demi_parameters_name(uint64_t kind)
{
    static const char *const names[] = {
#define DEMI_PARAMETERS(name, kind, header, release) [kind] = "dem_" #name,
#include "laws/laws.def"
    };
    return kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}
