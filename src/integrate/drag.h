/* SPDX-License-Identifier: MIT */
/* The rational kick: drag within a kick, of order 2 for any coefficient. With z the time of the
 * kick times drag coefficient over mass, D = 1 + z + z^2/2:
 *
 *     left = 1/D, what is left of a velocity against the fluid; e^-z + O(z^3), positive, -> 0
 *     kick = time (1 + z/2)/D, by which the acceleration of the kick's beginning is multiplied
 *
 * so that kick b = 1 - left: a velocity at which all forces balance stays. Without drag left = 1
 * and kick = time to the bit. */
#ifndef DEMI_DRAG_H
#define DEMI_DRAG_H

typedef struct demi_drag_kick {
    double kick, left;
} demi_drag_kick;

/* A rate beyond this one, 1/s, does what this one does; its square stays finite. Without a choice:
 * compilers may divide ahead of one, and a time of 0 would trap. */
static inline double demi_drag_rate_most(double time)
{
    return 1e100 / (time + 1e-200);
}

static inline double demi_drag_rate(double coefficient, double inverse_mass, double most)
{
    const double rate = coefficient * inverse_mass;
    return rate < most ? rate : most;
}

static inline demi_drag_kick demi_drag_kick_of(double rate, double time)
{
    const double z = time * rate;
    const double left = 1.0 / (1.0 + z + 0.5 * (z * z));
    const demi_drag_kick made = {time * ((1.0 + 0.5 * z) * left), left};
    return made;
}

#endif
