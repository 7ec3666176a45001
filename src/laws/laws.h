/* SPDX-License-Identifier: MIT */
/* The table of built-in laws. A new law is one file, and one row in laws.c. */
#ifndef DEMI_LAWS_H
#define DEMI_LAWS_H

#include <dem/contact.h>

const dem_law *demi_law_builtin(const char *name);

extern const dem_law demi_law_linear_csds;
extern const dem_law demi_law_linear_dsds;

#endif
