/* SPDX-License-Identifier: MIT */
/* Angles as 64-bit fractions of a turn: a sum of any number of steps has no round-off, and its
 * cosine and sine are those of the angle within the turn. No function of the C library is used, so
 * that all machines have the same bits. */
#ifndef DEMI_TURN_H
#define DEMI_TURN_H

#include <stdint.h>

/* The largest angle of a step, rad. */
#define DEMI_TURN_MOST 1.0

/* The nearest fraction of a turn, in units of 2^-64, of an angle within DEMI_TURN_MOST. */
uint64_t demi_turn_of(double angle);
/* Cosine and sine of a fraction. */
void demi_turn_rotation(uint64_t turn, double *cosine, double *sine);

#endif
