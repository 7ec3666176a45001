/* SPDX-License-Identifier: MIT */
/* Vyas et al.'s schemes in the groove from kernels alone: as they are printed, and the standard one
 * for very many steps. */
#ifndef PHYSICS_GROOVE_LEAN_H
#define PHYSICS_GROOVE_LEAN_H

#include "groove_host.h"

/* Two cases side by side, which a processor computes at the price of one and a half. */
void groove_lean_standard(const groove_setup s[2], double dt, groove_seen seen[2]);

/* The paper's schemes letter by letter, standard or improved. */
groove_seen groove_lean_printed(const groove_setup *s, int improved, double dt);

#endif
