/* SPDX-License-Identifier: MIT */
/* The arrays that a host gives for an evaluation, and what may be wrong with them as a whole. */
#ifndef DEMI_INPUT_H
#define DEMI_INPUT_H

#include "base/context.h"

#include <dem/contact.h>

static inline const double *demi_row3(const double *base, uint64_t stride, uint64_t row)
{
    return (const double *)(const void *)((const char *)base + stride * row);
}

static inline double *demi_row3_out(double *base, uint64_t stride, uint64_t row)
{
    return (double *)(void *)((char *)base + stride * row);
}

/* Bytes from row to row of each array; 0 stands for packed rows. */
void demi_input_strides(const dem_contacts_input *in, uint64_t stride[7]);
/* forces: the call adds some, and needs where to. */
dem_status demi_input_check(demi_context *context, const dem_contacts_input *in, int forces);
/* What is given and not used counts as not given; a count of 0 is that of all rows. */
void demi_input_accelerations(dem_contacts_input *in);
/* Whether the given geometry of pair p can be, and the error where it cannot. */
int demi_geometry_valid(const dem_contacts_geometry *g, uint64_t p);
dem_status demi_geometry_refuse(demi_context *context, const dem_contacts_geometry *g, uint64_t p);

#endif
