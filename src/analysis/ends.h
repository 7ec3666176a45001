/* SPDX-License-Identifier: MIT */
/* Ends of contacts: a contact of two particles has two, one with a wall has one. */
#ifndef DEMI_ENDS_H
#define DEMI_ENDS_H

#include "world/world.h"

/* What a contact does to one of its particles. */
typedef struct demi_contact_end {
    uint64_t row;
    int counted;      /* this world counts the contact, see distribution.h */
    double normal[3]; /* unit, from the contact to the particle */
    double arm[3];    /* from the particle's centre to the contact point */
    double force[3], torque[3];
    double elastic;                             /* this end's share */
    double normal_loss, dashpot, slip, rolling; /* this end's share of what dt dissipates */
} demi_contact_end;

typedef void demi_end_function(void *user, const dem_world *w, const demi_contact_end *end);

/* Visits the ends of contacts that this world counts, those of a contact one after the other, or
 * those before a contact whose law fails; dt as in demi_reading_call. */
dem_status demi_ends_visit(const dem_world *w, double dt, demi_end_function *function, void *user);
/* The same, also of contacts that another world counts. */
dem_status demi_ends_visit_all(const dem_world *w, demi_end_function *function, void *user);

/* Adds a_i b_j times a scale to row i, column j of a tensor. */
static inline void demi_tensor_add(double tensor[9], const double a[3], const double b[3],
                                   double scale)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            tensor[3 * i + j] += a[i] * b[j] * scale;
}

#endif
