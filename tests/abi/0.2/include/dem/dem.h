/* SPDX-License-Identifier: MIT */
/**
 * @file dem.h
 * libdem: contact mechanics of grains for your program. This is the only header that you include.
 *
 * Three levels, each usable without those above it:
 *
 * <!-- generated from docs/levels.def: header -->
 * | level | you own | libdem owns |
 * |---|---|---|
 * | 0 kernels | everything | nothing |
 * | 1 contacts | the particles | history, laws |
 * | 2 world | the coupling | all the rest |
 *
 * - 0 kernels: `kernels.h`, `law*.h`, `collision.h`, `deposition.h`, `rotation.h`
 * - 1 contacts: `contact.h`, `integrator.h`, `wall.h`, `mesh.h`, `polyhedron.h`
 * - 2 world: `world.h`, `timestep.h`, `body.h`, `coupling.h`, `distribution.h`, `snapshot.h`,
 *   `analysis.h`
 * <!-- end of generated -->
 *
 * Rules that hold everywhere:
 * - A function returns a dem_status (0 is success) or cannot fail. A call that fails changes
 *   nothing. The object keeps a message that names the object, the field, the value and the limit;
 *   a call that creates an object writes it into a dem_error of yours.
 * - Structs start with struct_size. In those that you fill, the inline dem_..._init sets it, and
 * the defaults; in those that only the library fills, set it to sizeof. Later versions add members
 * at the end of a struct; compiled programs keep working.
 * - The library never prints, exits, aborts, reads the environment or keeps global state.
 */
#ifndef DEM_DEM_H
#define DEM_DEM_H

#include "analysis.h"
#include "base.h"
#include "body.h"
#include "collision.h"
#include "contact.h"
#include "coupling.h"
#include "deposition.h"
#include "distribution.h"
#include "integrator.h"
#include "kernels.h"
#include "law.h"
/* generated from src/laws/laws.def: headers */
#include "law_actm.h"
#include "law_adhesion.h"
#include "law_film.h"
#include "law_hertz.h"
#include "law_hysteretic.h"
#include "law_linear.h"
#include "law_mindlin.h"
#include "law_rolling.h"
/* end of generated */
#include "mesh.h"
#include "polyhedron.h"
#include "rotation.h"
#include "snapshot.h"
#include "timestep.h"
#include "wall.h"
#include "world.h"

#endif
