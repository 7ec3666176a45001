/* SPDX-License-Identifier: MIT */
/* Contacts that are read, a batch at a time. */
#ifndef DEMI_READ_CONTACTS_H
#define DEMI_READ_CONTACTS_H

#include "world/reading.h"

/* What a call does with the n contacts from lane `next` of a reading on. */
typedef void demi_reading_function(void *user, const dem_world *w, demi_reading *reading,
                                   const demi_lanes *lanes, uint64_t n);

/* Reads `most` contacts from a cursor on, or as many as there are; the cursor moves behind them.
 * whole: lanes also have the resultant force, the torques of both bodies and, where the world
 * tracks them, energies; with dt > 0 what a step of dt from here makes of them, and what it
 * dissipates. elsewhere: also those that another world counts. */
typedef struct demi_reading_call {
    const dem_world *w;
    uint64_t cursor, most;
    demi_reading_function *function;
    void *user;
    int whole, elsewhere;
    double dt;
} demi_reading_call;
/* Stops at a contact whose law fails, with the cursor behind it; the message names the contact, or
 * the law that reported an error. */
dem_status demi_contacts_read(demi_reading_call *call);
/* Calls that go on from each other come to the same workspace. */
uint64_t demi_reading_hint(const dem_world *w, uint64_t cursor);

#endif
