/* SPDX-License-Identifier: MIT */
#ifndef FIGURES_HERTZ_H
#define FIGURES_HERTZ_H

/* Writes kharaz.csv, kharaz_measured.csv, li.csv, li_measured.csv and mindlin_loop.csv
 * into a folder that exists. */
void figures_hertz(const char *folder);

#endif
