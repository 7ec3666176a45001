/* SPDX-License-Identifier: MIT */
#include "plates_exact.h"

#include <math.h>

/* xi - 1 + 2 v with the sliding solution v = 4 - t, xi = 1 - exp(-t/2): falls to 0 where the
 * slider lets go. */
double plates_stick_onset(void)
{
    double low = 3.0, high = 4.0;
    for (int k = 0; k < 200; ++k) {
        const double t = 0.5 * (low + high);
        if (2.0 * (PLATES_START - t) - exp(-0.5 * t) > 0.0)
            low = t;
        else
            high = t;
    }
    return 0.5 * (low + high);
}

/* Exact velocity: uniform deceleration, then a critically damped oscillator. */
double plates_exact_continuous(double t)
{
    const double onset = plates_stick_onset();
    if (t <= onset)
        return PLATES_START - t;
    const double v = PLATES_START - onset, xi = 1.0 - exp(-0.5 * onset), s = t - onset;
    return (v - (v + xi) * s) * exp(-s);
}

/* The reset spring xi = 1 - 2 v slides while a sticking one would run ahead of it, v > 2; then the
 * oscillator starts from v = 2, xi = -3. */
double plates_exact_discontinuous(double t)
{
    const double onset = PLATES_START - 2.0, s = t - onset;
    return t <= onset ? PLATES_START - t : (2.0 + s) * exp(-s);
}
