/* SPDX-License-Identifier: MIT */
/* Standard velocity-Verlet in the groove, without the library's objects: for very many steps. */
#ifndef PHYSICS_GROOVE_LEAN_H
#define PHYSICS_GROOVE_LEAN_H

#include "groove_host.h"

/* Two cases side by side, which a processor computes at the price of one and a half. */
void groove_lean_standard(const groove_setup s[2], double dt, groove_seen seen[2]);

#endif
