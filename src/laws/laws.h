/* SPDX-License-Identifier: MIT */
/* The table of built-in laws. A new law is a file here for its setup, a file in simd/ for its
 * batches, and a row in laws.c. */
#ifndef DEMI_LAWS_H
#define DEMI_LAWS_H

#include "base/isa.h"

#include <dem/contact.h>

/* The type of dem_law.evaluate. */
typedef dem_status demi_evaluate(void *user, uint64_t n, dem_contact_batch *batch,
                                 const void *combined);

/* A built-in law: the descriptor without evaluate, which differs by instruction set. */
typedef struct demi_law {
    dem_law law;
    demi_evaluate *const *evaluate; /* [DEMI_ISA_COUNT] */
    /* where nothing is accounted for: fewer slots, and what computes with them, or NULL */
    demi_evaluate *const *lean;
    uint64_t lean_slots;
} demi_law;

/* Copies the law of this name for an instruction set; 0 if there is none. lean: it will never have
 * to account for energies. */
int demi_law_builtin(const char *name, int isa, int lean, dem_law *law);

extern const demi_law demi_law_linear_csds, demi_law_linear_dsds;
extern const demi_law demi_law_hertz, demi_law_mindlin, demi_law_mindlin_three_case;
extern const demi_law demi_law_hooke, demi_law_friction;
extern const demi_law demi_law_rolling_csds, demi_law_rolling_constant;
extern const demi_law demi_law_twisting_csds, demi_law_twisting_marshall;
extern const demi_law demi_law_hertz;
extern const demi_law demi_law_mindlin_deresiewicz, demi_law_mindlin_deresiewicz_32;
extern const demi_law demi_law_actm;
extern const demi_law demi_law_jkr, demi_law_dmt;
extern const demi_law demi_law_luding, demi_law_walton_braun, demi_law_thornton;

/* dem_law.needs of laws without tangential dashpots. */
uint32_t demi_needs_nothing(void *user, const void *combined);
uint32_t demi_needs_radius(void *user, const void *combined);

/* R* = r_i r_j/(r_i + r_j), where a radius of 0 is a plane's. */
static inline double demi_effective_radius(double radius_i, double radius_j)
{
    const double sum = radius_i + radius_j, product = radius_i * radius_j;
    return product > 0.0 ? product / sum : sum;
}

#endif
