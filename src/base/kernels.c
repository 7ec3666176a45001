/* SPDX-License-Identifier: MIT */
/* The kernels as exported symbols; the header is their only source. */
#include <dem/base.h>
#define DEM_KERNEL DEM_API
#include <dem/dem.h>
