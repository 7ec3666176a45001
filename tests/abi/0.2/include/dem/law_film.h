/* SPDX-License-Identifier: MIT */
/**
 * @file law_film.h
 * The part "film": lubrication by a viscous fluid between two bodies, normal to their surfaces and,
 * if you ask for it, along them.
 *
 * A film resists the change of the gap with the force 6 pi mu R*^2 v_n (1/gap - 1/gap_max) (Cox and
 * Brenner 1967; Kempe and Froehlich 2012), and sliding and rolling with 2 pi mu R* ln(gap_max/gap)
 * times their velocities (Jeffrey and Onishi 1984). It is stiff where the gap is small, so a world
 * does not evaluate it with the other forces: it solves for the velocities after the first kick of
 * each step, before positions move. No film lowers the limit on the time step.
 * dem_timestep_advice.film is the step that resolves it. See docs/law_film.md.
 */
#ifndef DEM_LAW_FILM_H
#define DEM_LAW_FILM_H

#include "law.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Film of a viscous fluid, a part after a normal part or a whole law; takes dem_film. For worlds:
 * a contact history refuses it. */
#define DEM_LAW_FILM "film"

/** What a film has beside the leading normal term. */
enum {
    DEM_FILM_TANGENTIAL = 1, /**< sliding and rolling, 2 pi mu R* ln(gap_max/gap): the logarithms of
                                  Jeffrey and Onishi's Y^A, Y^B, Y^C */
    DEM_FILM_LOGARITHM = 2   /**< the next normal term, X^A's logarithm: at a gap of 1 % of R* some
                                  percent of the force */
};

/** Parameters of DEM_LAW_FILM for one pair of materials. */
typedef struct dem_film {
    uint64_t struct_size; /**< sizeof(dem_film), set by dem_film_init */
    uint64_t kind;        /**< DEM_PARAMETERS_FILM, set likewise */
    double viscosity;     /**< dynamic viscosity of the fluid, 0 to 1e100 Pa s; no default */
    double gap_min;       /**< gap >= 1e-100 below which the force grows no more, m: the roughness
                               of the surfaces; no default */
    double gap_max; /**< gap > gap_min, at most 1e100, beyond which nothing acts, m; no default:
                         about the cell of a fluid solver that resolves wider gaps, else a tenth of
                         R* */
    uint64_t terms; /**< sum of DEM_FILM_...; default 0: the leading normal term alone */
} dem_film;

/* generated from src/laws/laws.def: functions.law_film */
/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_film_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_film_init_sized(dem_film *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_film_init(dem_film *parameters)
{
    return dem_film_init_sized(parameters, sizeof(dem_film));
}

/** Adds DEM_LAW_FILM as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_film(dem_contact_model *model,
                                                    const dem_film *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_FILM, parameters);
}
/* end of generated */

#ifdef __cplusplus
}
#endif
#endif
