/* SPDX-License-Identifier: MIT */
/**
 * @file dem.h
 * libdem: contact mechanics of grains for other programs. This header is all that a host includes.
 *
 * Three levels, each usable without the one above:
 *
 * | level | header | the host owns | libdem owns |
 * |---|---|---|---|
 * | 0 | kernels.h, collision.h | everything | nothing: pure functions |
 * | 1 | contact.h, integrator.h | particles, pairs, time loop | history, models, integrators |
 * | 2 | world.h | the coupling | all of it |
 *
 * Rules that hold everywhere:
 * - A function returns a dem_status (0 is success) or cannot fail. A call that fails changes
 *   nothing; the object keeps a message that names the object, the field, the value and the limit.
 * - Structs start with struct_size, filled by the inline dem_..._init; members may be added at
 *   their end without breaking a program.
 * - The library never prints, exits, aborts, reads the environment or keeps global state.
 */
#ifndef DEM_DEM_H
#define DEM_DEM_H

#include "base.h"
#include "collision.h"
#include "contact.h"
#include "integrator.h"
#include "kernels.h"
#include "law_actm.h"
#include "law_adhesion.h"
#include "law_hertz.h"
#include "law_hysteretic.h"
#include "law_mindlin.h"
#include "law_rolling.h"
#include "law_friction.h"
#include "snapshot.h"
#include "world.h"

#endif
