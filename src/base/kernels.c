/* SPDX-License-Identifier: MIT */
/* The kernels as exported symbols; the header is their only source. */
#include <dem/base.h>
#define DEM_KERNEL DEM_API
#include <dem/kernels.h>
#include <dem/law_actm.h>
#include <dem/law_adhesion.h>
#include <dem/law_hertz.h>
#include <dem/law_hysteretic.h>
#include <dem/law_mindlin.h>
#include <dem/law_rolling.h>
