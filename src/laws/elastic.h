/* SPDX-License-Identifier: MIT */
/* Elastic moduli of a pair of materials, as the laws of elastic spheres are given them. */
#ifndef DEMI_ELASTIC_H
#define DEMI_ELASTIC_H

#include <dem/base.h>

/* Checks young[2] and poisson[2]; young[1] = 0 stands for two bodies of the first material. */
dem_status demi_elastic_check(const double young[2], const double poisson[2], dem_error *error);

/* E* and G* of checked moduli. */
void demi_elastic_combine(const double young[2], const double poisson[2], double *effective_young,
                          double *effective_shear);

#endif
